/* Values: who owns what, and for how long a pointer is good. */
#include "tour.h"

/* A component that owns memory. Its hooks make, end and copy it. */
typedef struct { char *text; } Label;

static int32_t label_construct(void *elements, uint32_t count, void *user)
{
    (void)user;
    memset(elements, 0, count * sizeof(Label));
    return 0;
}

static void label_destruct(void *elements, uint32_t count, void *user)
{
    Label *labels = elements;
    (void)user;
    for (uint32_t i = 0; i < count; i++) free(labels[i].text);
}

static int32_t label_copy(void *to, const void *from, uint32_t count, void *user)
{
    Label *copies = to;
    const Label *labels = from;
    (void)user;
    for (uint32_t i = 0; i < count; i++) {
        size_t bytes = labels[i].text ? strlen(labels[i].text) + 1 : 0;
        copies[i].text = bytes ? malloc(bytes) : NULL;
        if (bytes && !copies[i].text) {
            label_destruct(to, i, user);    // all or none
            return 1;                       // the call that wanted the copy fails, and changes nothing
        }
        if (bytes) memcpy(copies[i].text, labels[i].text, bytes);
    }
    return 0;
}

static void ownership(void)
{
    char red[] = "red";
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = "Label", desc.element_size = sizeof(Label), desc.element_alignment = sizeof(char *);
    desc.hooks.construct = label_construct, desc.hooks.destruct = label_destruct, desc.hooks.copy = label_copy;
    dz_id label = dz_component_register(world, &desc);

    dz_entity box = dz_create(world);
    must(DZ_SET(world, box, label, &(Label){red}));    // copied by the hook: red stays yours
    dz_entity twin = dz_clone(world, box);
    DZ_GET_MUT(world, box, Label, label)->text[0] = 'R';
    printf("%s and %s\n", DZ_GET(world, box, Label, label)->text, DZ_GET(world, twin, Label, label)->text);
    must(dz_component_unregister(world, label));         // ends every element first
    dz_destroy(world, box), dz_destroy(world, twin);
}

/* Pointers to values are good until that component is added or removed anywhere; in a stable pool until it is removed there. */
static void addresses(void)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = "Body", desc.element_size = sizeof(Mass), desc.element_alignment = 4;
    desc.policy = DZ_POLICY_STABLE;
    dz_id body = dz_component_register(world, &desc);
    dz_entity a = dz_create(world), b = dz_create(world);

    Mass *first = dz_get_or_add(world, a, body), *second = dz_get_or_add(world, b, body);
    second->kg = 5;
    dz_remove(world, a, body);                                    // leaves a gap: nobody moves
    printf("still at its place: %d, of the same entity: %d\n", dz_get(world, b, body) == second,
        dz_entity_of(world, body, second) == b);
    must(dz_compact(world, body));                                // now it moves, this one time
    printf("in the gap: %d\n", dz_get(world, b, body) == first);
    must(dz_clear_pool(world, body));
    dz_destroy(world, a), dz_destroy(world, b);
}

typedef struct { float x, y; } Gravity;

/* One value for the world, and a pointer of yours. */
static void of_the_world(void)
{
    dz_id gravity = DZ_COMPONENT(world, Gravity);
    must(dz_singleton_set(world, gravity, sizeof(Gravity), &(Gravity){0, -10}));
    Gravity *pull = dz_singleton_get_mut(world, gravity);
    pull->y += 1;
    const Gravity *now = dz_singleton_get(world, gravity);
    printf("gravity is %g\n", (double)now->y);
    must(dz_singleton_remove(world, gravity));

    static int game;
    must(dz_world_set_user(world, &game));
    printf("the game is back: %d\n", dz_world_user(world) == &game);
}

void values(void)
{
    ownership();
    addresses();
    of_the_world();
}
