/* Hooks, arrays of entities, and listeners. */
#include "conformance.h"

/* The hooks print what they are told, and count what lives. They are those of the component's descriptor: what a
 * language makes and ends of itself beside them isn't printed. */
typedef struct { int32_t value; } Counted;
static int32_t living;

static int32_t construct(void *elements, uint32_t count, void *user)
{
    for (uint32_t i = 0; i < count; i++) ((Counted *)elements)[i].value = 100;
    living += (int32_t)count;
    printf("  %s: construct %u\n", (const char *)user, count);
    return 0;
}

static void destruct(void *elements, uint32_t count, void *user)
{
    living -= (int32_t)count;
    printf("  %s: destruct %u, first %d\n", (const char *)user, count, (int)((Counted *)elements)->value);
}

static int32_t copy(void *to, const void *from, uint32_t count, void *user)
{
    if (((const Counted *)from)->value < 0) {
        printf("  %s: copy refused\n", (const char *)user);
        return 1;
    }
    for (uint32_t i = 0; i < count; i++) ((Counted *)to)[i] = ((const Counted *)from)[i];
    living += (int32_t)count;
    printf("  %s: copy %u, first %d\n", (const char *)user, count, (int)((const Counted *)from)->value);
    return 0;
}

static void relocate(void *to, void *from, uint32_t count, void *user)
{
    for (uint32_t i = 0; i < count; i++) ((Counted *)to)[i] = ((Counted *)from)[i];
    printf("  %s: relocate %u, first %d\n", (const char *)user, count, (int)((Counted *)to)->value);
}

void hooks(void)
{
    dz_world world = new_world();
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    dz_id counted;
    dz_entity a, b, c, d;
    desc.name = "Counted";
    desc.element_size = sizeof(Counted);
    desc.element_alignment = 4;
    desc.hooks = (dz_hooks){construct, destruct, copy, relocate, (void *)"Counted"};
    counted = dz_component_register(world, &desc);
    a = dz_create(world), b = dz_create(world), c = dz_create(world);
    answer("add to the first", dz_add(world, a, counted));
    answer("set on the second, new", DZ_SET(world, b, counted, (&(Counted){2})));
    answer("set on the second, again", DZ_SET(world, b, counted, (&(Counted){22})));
    answer("set on the third", DZ_SET(world, c, counted, (&(Counted){3})));
    answer("set that fails", DZ_SET(world, c, counted, (&(Counted){-1})));
    refused("because");
    d = dz_clone(world, b);
    printf("the clone has %d\n", (int)DZ_GET(world, d, Counted, counted)->value);
    answer("remove from the first", dz_remove(world, a, counted));
    answer("destroy the second", dz_destroy(world, b));
    answer("remove what isn't there", dz_remove(world, a, counted));
    printf("living: %d\n", (int)living);
    dz_world_destroy(world);
    printf("living after the world: %d\n", (int)living);
}

void bulk(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position), mass = DZ_COMPONENT(world, Mass), frozen = DZ_TAG(world, Frozen);
    Position places[4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
    Mass masses[2] = {{50}, {60}};
    dz_column columns[2] = {{position, places, sizeof(Position), 0}, {frozen, NULL, 0, 0}};
    dz_entity e[4], plain[3], twice[2];
    const void *found[4];
    void *write[4];
    dz_status report[4];
    uint8_t has[4];
    uint32_t i;

    answer("create 4 with columns", dz_create_with(world, 4, columns, 2, e));
    answer("create 3", dz_create_n(world, 3, plain));
    printf("have Position: %u, Frozen: %u\n", dz_count(world, position), dz_count(world, frozen));
    answer("set mass on 2", dz_set_n(world, e + 1, 2, mass, sizeof(Mass), masses));
    answer("get mass of 4", dz_get_n(world, e, 4, mass, found));
    for (i = 0; i < 4; i++) printf("  %u: %d\n", i, found[i] ? (int)((const Mass *)found[i])->kg : -1);
    answer("has mass of 4", dz_has_n(world, e, 4, mass, has));
    printf("  %u %u %u %u\n", has[0], has[1], has[2], has[3]);
    answer("get_mut of 4", dz_get_mut_n(world, e, 4, position, write));
    for (i = 0; i < 4; i++) ((Position *)write[i])->x *= 100;
    printf("  the last has %d %d\n", (int)DZ_GET(world, e[3], Position, position)->x,
           (int)DZ_GET(world, e[3], Position, position)->y);
    answer("remove Frozen from 2", dz_remove_n(world, e, 2, frozen));
    answer("again", dz_remove_n(world, e, 2, frozen));
    answer("add Frozen to 4", dz_add_n(world, e, 4, frozen));
    answer("again", dz_add_n(world, e, 4, frozen));
    answer("add to none", dz_add_n(world, e, 0, frozen));
    twice[0] = twice[1] = plain[0];
    if (dz_failed(dz_add_n(world, twice, 2, frozen))) refused("add to the same twice");
    yes("one of them has it", dz_has(world, plain[0], frozen));
    dz_destroy(world, e[1]);
    if (dz_failed(dz_destroy_n(world, e, 4, NULL))) refused("destroy 4, all or none");
    yes("the first lives", dz_is_alive(world, e[0]));
    answer("destroy 4, each by itself", dz_destroy_n(world, e, 4, report));
    for (i = 0; i < 4; i++) printf("  %u: %s\n", i, dz_status_name(report[i]));
    printf("have Position: %u\n", dz_count(world, position));
    dz_world_destroy(world);
}

typedef struct { dz_id position; bool tries; } told;

static void listen(const dz_event *event, void *user)
{
    static const char *const kinds[] = {"add", "set", "remove", "create", "destroy"};
    const told *t = (const told *)user;
    printf("  told of %s", kinds[event->kind]);
    if (event->data) printf(", value %d", (int)((const Position *)event->data)->x);
    printf(", has it: %d\n", (int)dz_has(event->world, event->entity, t->position));
    if (t->tries && dz_failed(dz_destroy(event->world, event->entity))) refused("  destroy from a listener");
}

void listeners(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position);
    told quiet = {position, false}, tries = {position, true};
    dz_listener on_add = dz_listen(world, DZ_ON_ADD, position, listen, &tries);
    dz_entity entity;
    dz_listen(world, DZ_ON_SET, position, listen, &quiet);
    dz_listen(world, DZ_ON_REMOVE, position, listen, &quiet);
    dz_listen(world, DZ_ON_CREATE, DZ_NULL, listen, &quiet);
    dz_listen(world, DZ_ON_DESTROY, DZ_NULL, listen, &quiet);
    entity = dz_create(world);
    answer("set, new", DZ_SET(world, entity, position, (&(Position){1, 0})));
    answer("set, again", DZ_SET(world, entity, position, (&(Position){2, 0})));
    answer("remove", dz_remove(world, entity, position));
    answer("disconnect add", dz_unlisten(world, on_add));
    answer("disconnect it again", dz_unlisten(world, on_add));
    dz_error_clear();
    answer("add, nobody is told", dz_add(world, entity, position));
    answer("destroy", dz_destroy(world, entity));
    if (!dz_listen(world, 9, position, listen, &quiet).bits) refused("listen to no such kind");
    dz_world_destroy(world);
}
