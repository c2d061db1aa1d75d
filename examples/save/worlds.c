/* See worlds.h. */
#include "worlds.h"

#include <stdlib.h>
#include <string.h>

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
    for (uint32_t i = 0; i < count; i++) {
        size_t bytes = labels[i].text ? strlen(labels[i].text) + 1 : 0;
        copies[i].text = bytes ? malloc(bytes) : NULL;
        if (bytes && !copies[i].text) {
            label_destruct(to, i, user);                /* all or none */
            return 1;
        }
        if (bytes) memcpy(copies[i].text, labels[i].text, bytes);
    }
    return 0;
}

static void label_write(Save *save, const void *value, void *user)
{
    const Label *label = value;
    (void)user;
    save_put32(save, label->text ? 1 : 0);
    if (!label->text) return;
    save_put32(save, (uint32_t)strlen(label->text));
    save_put(save, label->text, strlen(label->text));
}

static bool label_read(Save *save, void *value, void *user)
{
    Label *label = value;
    (void)user;
    if (save_get32(save) == 0) return true;
    uint32_t length = save_get_count(save, 1);          /* checked: no more than the file has */
    label->text = malloc((size_t)length + 1);
    if (!label->text) return false;
    save_get(save, label->text, length);
    label->text[length] = '\0';
    return true;
}

static const uint32_t docked_handles[] = {offsetof(Docked, at)};

const SaveType types[TYPES] = {
    {.desc = SAVE_COMPONENT(Position)},
    {.desc = {.size = sizeof(dz_component_desc), .name = "Label", .element_size = sizeof(Label), .element_alignment = sizeof(char *),
              .hooks = {.destruct = label_destruct, .copy = label_copy}},
     .write = label_write, .read = label_read},
    {.desc = SAVE_COMPONENT(Docked), .handles = docked_handles, .handle_count = 1},
    {.desc = {.size = sizeof(dz_component_desc), .name = "Cargo", .element_size = sizeof(Cargo), .element_alignment = 4,
              .policy = DZ_POLICY_STABLE}},
    {.desc = SAVE_COMPONENT(Gravity)},
    {.desc = SAVE_TAG(Frozen)},
    {.desc = SAVE_TAG(Enemy)},
};

dz_status must(dz_status status)
{
    if (!dz_failed(status)) return status;
    fprintf(stderr, "save: %s\n", dz_error_message());
    exit(1);
}

void register_types(dz_world world, dz_id ids[TYPES])
{
    for (int i = 0; i < TYPES; i++) {
        ids[i] = dz_component_register(world, &types[i].desc);
        if (ids[i] == DZ_NULL) must(dz_error_status());
    }
}

static dz_entity named(dz_world world, const char *name, uint32_t number)
{
    char text[64];
    dz_entity made = dz_create(world);
    snprintf(text, sizeof text, number ? "%s %u" : "%s", name, (unsigned)number);
    must(dz_set_name(world, made, text));
    return made;
}

/* --- a small world with some of everything */

void small_world(dz_world world, uint32_t ships)
{
    dz_id c[TYPES];
    char red[] = "red";
    register_types(world, c);
    must(dz_singleton_set(world, c[GRAVITY], sizeof(Gravity), &(Gravity){0, -9.81f}));

    /* A prefab: a ship with its parts, and what all ships have. */
    dz_entity ship = named(world, "ship", 0), hull = named(world, "hull", 0), gun = named(world, "gun", 0);
    must(dz_set_parent(world, hull, ship)), must(dz_set_parent(world, gun, ship));
    must(dz_move_child(world, gun, DZ_PLACE_FIRST, DZ_NULL));
    must(DZ_SET(world, ship, c[CARGO], &(Cargo){{1, 2, 3}}));
    must(DZ_SET(world, hull, c[LABEL], &(Label){red}));
    must(dz_set_component_enabled(world, hull, c[LABEL], false));

    /* Relations: two that promise something, one of which brings the other. */
    dz_entity likes = named(world, "likes", 0), knows = named(world, "knows", 0), in = named(world, "in", 0);
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    desc.symmetric = 1;
    must(dz_relation_set(world, knows, &desc));
    desc = DZ_RELATION_DESC_INIT, desc.exclusive = 1, desc.with = knows;
    must(dz_relation_set(world, likes, &desc));
    desc = DZ_RELATION_DESC_INIT, desc.acyclic = desc.transitive = 1, desc.on_target = DZ_CLEANUP_REFUSE;
    must(dz_relation_set(world, in, &desc));
    dz_entity port = named(world, "port", 0), town = named(world, "town", 0);
    must(dz_add_pair(world, port, in, town));

    dz_entity previous = DZ_NULL;
    for (uint32_t i = 1; i <= ships; i++) {
        char name[32];
        dz_entity one = dz_instantiate(world, ship);
        snprintf(name, sizeof name, "ship %u", (unsigned)i);
        must(dz_set_name(world, one, name));
        must(DZ_SET(world, one, c[POSITION], &(Position){(float)i, 1}));
        must(DZ_SET(world, one, c[LABEL], &(Label){name}));
        must(DZ_SET_PAIR(world, one, c[DOCKED], port, &(Docked){town, i, 3}));      /* the relation's value */
        must(DZ_SET_PAIR(world, one, in, c[POSITION], &(Position){2, (float)i}));   /* the target's */
        if (previous) must(dz_add_pair(world, one, likes, previous));
        if (previous) must(dz_remove_pair(world, one, knows, previous));            /* `with` has brought it */
        if (i % 3 == 0) must(dz_add(world, one, c[FROZEN])), must(dz_add(world, one, town));
        if (i % 3 == 0) must(dz_add(world, one, DZ_ROLE(200, port)));
        if (i % 4 == 0) must(dz_override(world, one, c[CARGO]));
        if (i % 5 == 0) must(dz_set_enabled(world, one, false));
        if (i % 7 == 0) must(dz_set_component_enabled(world, one, c[POSITION], false));
        if (i % 10 == 0) { /* a handle of somebody dead */
            must(DZ_SET(world, one, c[DOCKED], &(Docked){previous, 0, 0}));
            must(dz_destroy(world, previous));
            one = DZ_NULL;
        }
        previous = one;
    }
}

/* --- worlds at random */

static uint64_t state;
static uint32_t below(uint32_t n)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 20) % n;
}

typedef struct { dz_world world; dz_id c[TYPES]; dz_entity some[64]; uint32_t count; } Random;

static dz_entity any(Random *r)
{
    for (int i = 0; i < 20; i++) {
        dz_entity e = r->some[below(64)];
        if (dz_is_alive(r->world, e)) return e;
    }
    return r->some[below(64)] = dz_create(r->world);
}

static dz_entity any_or_component(Random *r)
{
    return below(4) ? any(r) : below(20) ? r->c[below(TYPES)] : dz_component_id(r->world);
}

/* A value of a type: memory of this file. */
static void *random_value(Random *r, uint32_t type)
{
    static union { Position position; Docked docked; Label label; Cargo cargo; Gravity gravity; } value;
    static char text[16];
    memset(&value, 0, sizeof value);
    if (type == LABEL) {
        snprintf(text, sizeof text, "%u", (unsigned)below(1000));
        value.label.text = below(5) ? text : NULL;
    } else if (type == DOCKED) {
        value.docked.at = below(3) ? r->some[below(64)] : any_or_component(r), value.docked.berth = below(100);  /* it may be dead */
    } else {
        for (uint32_t i = 0; i < 25; i++) value.cargo.numbers[i] = below(100);
    }
    return &value;
}

static void random_pair(Random *r, dz_entity e)
{
    dz_entity relation = any_or_component(r), target = any_or_component(r);
    uint32_t typed = TYPES;
    for (uint32_t i = 0; i < TYPES; i++) if (types[i].desc.element_size && target == r->c[i]) typed = i;
    for (uint32_t i = 0; i < TYPES; i++) if (types[i].desc.element_size && relation == r->c[i]) typed = i;
    if (typed == TYPES || relation == dz_component_id(r->world)) dz_add_pair(r->world, e, relation, target);
    else dz_set_pair(r->world, e, relation, target, types[typed].desc.element_size, random_value(r, typed));
}

static void random_relation(Random *r)
{
    dz_relation_desc d = DZ_RELATION_DESC_INIT;
    d.exclusive = below(3) == 0, d.reflexive = below(5) == 0;
    if (below(3) == 0) d.symmetric = 1; else d.acyclic = below(3) == 0, d.transitive = d.acyclic && below(2);
    d.on_target = (int32_t)below(5) % 3, d.on_relation = (int32_t)below(5) % 3;
    if (below(3) == 0) d.with = any_or_component(r);
    dz_entity relation = any_or_component(r);
    if (below(2)) { /* another `with`, while there are pairs */
        dz_entity with = d.with;
        must(dz_relation_info(r->world, relation, &d));
        d.with = with;
    }
    dz_relation_set(r->world, relation, &d);
}

/* One call of any kind. Many are refused: a cycle, a name that is taken. That is as good as any. */
static void step(Random *r)
{
    dz_world w = r->world;
    dz_entity e = any(r), other = any_or_component(r), unlike = any(r);
    uint32_t type = below(TYPES), size = types[type].desc.element_size;
    dz_id id = r->c[type], ids[64];
    uint32_t count = 0;
    char name[16];
    snprintf(name, sizeof name, "n%u", (unsigned)below(200));
    switch (below(20)) {
    case 0: r->some[below(64)] = dz_create(w); break;
    case 1: if (below(3) == 0) dz_destroy(w, e); break;
    case 2: case 3: if (size) dz_set(w, e, id, size, random_value(r, type)); else dz_add(w, e, id); break;
    case 4: dz_set_parent(w, e, below(6) ? other : DZ_NULL); break;
    case 5: dz_set_name(w, e, below(8) ? name : NULL); break;
    case 6: case 7: case 8: random_pair(r, e); break;
    case 9: dz_type(w, e, ids, 64, &count); if (count && count <= 64) dz_remove(w, e, ids[below(count)]); break;
    case 10: dz_add(w, e, DZ_ROLE(128 + below(100), other)); break;
    case 11: dz_add(w, e, unlike); break;
    case 12: if (below(2)) r->some[below(64)] = dz_instantiate(w, e); break;
    case 13: dz_add(w, e, DZ_INSTANCEOF(unlike)); break;
    case 14: dz_set_base(w, e, below(2)); break;
    case 15: dz_set_enabled(w, e, below(2)); break;
    case 16: dz_set_component_enabled(w, e, id, below(2)); break;
    case 17: random_relation(r); break;
    case 18: r->some[below(64)] = dz_clone(w, e); break;
    case 19: dz_move_child(w, e, (int32_t)below(2), DZ_NULL), dz_override(w, e, id); break;
    }
    if (below(100) == 0 && size) must(dz_singleton_set(w, id, size, random_value(r, type)));
}

dz_world random_world(uint32_t seed, dz_world_desc *desc)
{
    Random r = {0};
    dz_entity many[100];
    state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    *desc = DZ_WORLD_DESC_INIT;
    desc->layout = (int32_t)below(2), desc->recycling = (int32_t)below(2), desc->overflow = below(4) == 0;
    desc->reserved_components = below(3) ? 0 : below(2) ? 4 : DZ_RESERVE_NONE;          /* then components are among the others */
    r.world = dz_world_create(desc);
    if (below(2)) must(dz_create_n(r.world, 100, many)), must(dz_destroy_n(r.world, many, below(100), NULL));
    register_types(r.world, r.c);
    if (below(3) == 0) {                                                                /* components with later generations */
        uint32_t type = below(TYPES);
        dz_id gone = r.c[type];
        must(dz_component_unregister(r.world, gone)), r.c[type] = dz_component_register(r.world, &types[type].desc);
        must(DZ_SET(r.world, any(&r), r.c[DOCKED], &(Docked){gone, 1, 2}));             /* nobody's handle */
    }
    uint32_t steps = below(1500), number = desc->layout == DZ_LAYOUT_64 ? dz_world_number(r.world) : 0;
    for (uint32_t i = 0; i < steps; i++) step(&r);
    for (uint32_t i = below(4); i > 0; i--) {                                           /* slots that are used up */
        dz_entity last = dz_entity_make(number, 500 + below(50), number ? 65534 : 4094);
        if (dz_create_at(r.world, last) == DZ_OK) must(dz_destroy(r.world, last));
    }
    for (uint32_t i = 0; i < steps / 4; i++) step(&r);
    return r.world;
}

/* --- the same */

typedef struct { dz_world a, b; dz_id *components, *others; uint32_t count; char *difference; bool ordered; } Both;

static bool differ(Both *w, dz_entity e, const char *what)
{
    char text[300];
    dz_describe(w->a, e, text, sizeof text);
    snprintf(w->difference, SAVE_ERROR, "%s: %s", what, text);
    return false;
}

/* Who an entity of the one world is in the other. */
static dz_id twin(Both *w, dz_id id)
{
    dz_entity e = dz_without_role(id);
    uint32_t number = dz_world_number(w->b);
    if (e == DZ_NULL) return DZ_NULL;
    for (uint32_t i = 0; i < w->count; i++) if (w->components[i] == e) return (id ^ e) | w->others[i];
    return (id ^ e) | dz_entity_make(number < 256 ? number : 0, dz_entity_index(e), dz_entity_generation(e));
}

static bool same_handle(Both *w, dz_entity a, dz_entity b)
{
    if (twin(w, a) == b) return true;
    return b == DZ_NULL && !dz_is_alive(w->a, a) && dz_entity_index(a) < 256;     /* a component that was unregistered */
}

/* The values of a pool, a pair or the world, of a component of that name. */
static bool same_value(Both *w, const char *name, const void *a, const void *b)
{
    const Label *p = a, *q = b;
    const Docked *d = a, *f = b;
    if (!a || !b) return a == b;
    for (uint32_t i = 0; i < TYPES; i++) {
        if (strcmp(types[i].desc.name, name) != 0) continue;
        if (i == LABEL) return p->text && q->text ? strcmp(p->text, q->text) == 0 : p->text == q->text;
        if (i == DOCKED) return same_handle(w, d->at, f->at) && d->berth == f->berth && d->fee == f->fee;
        return memcmp(a, b, types[i].desc.element_size) == 0;
    }
    return memcmp(a, b, sizeof(dz_component)) == 0;
}

/* Pairs are other numbers there; those of symmetric relations may be at other places. */
static bool same_pair(Both *w, dz_entity e, dz_entity twin_of_e, dz_id id, dz_id there)
{
    dz_pair_parts p, q;
    must(dz_pair_halves(w->a, id, &p));
    dz_entity relation = twin(w, p.relation), target = twin(w, p.target);
    if (w->ordered) {
        if (dz_role(there) != DZ_ROLE_PAIR) return false;
        must(dz_pair_halves(w->b, there, &q));
        if (q.relation != relation || q.target != target) return false;
    }
    if (!dz_has_pair(w->b, twin_of_e, relation, target)) return false;
    dz_component_details c = {0};
    for (uint32_t i = 0; i < w->count; i++) if (w->components[i] == p.target) must(dz_component_info(w->a, p.target, &c));
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->components[i] != p.relation) continue;
        dz_component_details relations;
        must(dz_component_info(w->a, p.relation, &relations));
        if (relations.element_size) c = relations;          /* it goes before the target's */
    }
    if (!c.element_size) return true;
    return same_value(w, c.name, dz_get(w->a, e, id), dz_get_pair(w->b, twin_of_e, relation, target));
}

static bool is_off(dz_world world, dz_entity e, dz_id id)
{
    dz_status status = must(dz_set_component_enabled(world, e, id, false));
    if (status == DZ_OK) must(dz_set_component_enabled(world, e, id, true));
    return status == DZ_NOTHING_TO_DO;
}

static bool same_type(Both *w, dz_entity a, dz_entity b)
{
    static dz_id here[4096], there[4096];
    uint32_t n, m;
    must(dz_type(w->a, a, here, 4096, &n)), must(dz_type(w->b, b, there, 4096, &m));
    if (n != m || n > 4096) return differ(w, a, "has more or less");
    for (uint32_t i = 0; i < n; i++) {
        dz_component_details c;
        bool component = false, found = false;
        for (uint32_t k = 0; k < w->count; k++) if (w->components[k] == here[i]) component = true;
        if (dz_role(here[i]) == DZ_ROLE_PAIR) {
            if (!same_pair(w, a, b, here[i], there[i])) return differ(w, a, "has another pair");
            continue;
        }
        for (uint32_t k = 0; k < n; k++) if (there[k] == twin(w, here[i]) && (component || k == i || !w->ordered)) found = true;
        if (!found) return differ(w, a, "has something else");
        if (!component) continue;
        must(dz_component_info(w->a, here[i], &c));
        if (c.builtin) continue;
        const void *value = c.element_size ? dz_get(w->a, a, here[i]) : NULL;
        const void *other = c.element_size ? dz_get(w->b, b, twin(w, here[i])) : NULL;
        if (!same_value(w, c.name, value, other)) return differ(w, a, c.name);
        if (is_off(w->a, a, here[i]) != is_off(w->b, b, twin(w, here[i]))) return differ(w, a, "a component is disabled");
    }
    return true;
}

static bool same_entity(Both *w, dz_entity a)
{
    dz_entity b = twin(w, a);
    dz_relation_desc p, q;
    if (!dz_is_alive(w->b, b)) return differ(w, a, "it isn't alive");
    const char *name = dz_name(w->a, a), *other = dz_name(w->b, b);
    if (!name != !other || (name && strcmp(name, other) != 0)) return differ(w, a, "its name");
    if (dz_is_enabled(w->a, a) != dz_is_enabled(w->b, b)) return differ(w, a, "disabled");
    if (dz_is_base(w->a, a) != dz_is_base(w->b, b)) return differ(w, a, "a base");
    if (twin(w, dz_parent(w->a, a)) != dz_parent(w->b, b)) return differ(w, a, "its parent");
    if (twin(w, dz_base(w->a, a)) != dz_base(w->b, b)) return differ(w, a, "its base");
    dz_entity child = dz_first_child(w->a, a), its = dz_first_child(w->b, b);
    while (child && twin(w, child) == its) child = dz_next_sibling(w->a, child), its = dz_next_sibling(w->b, its);
    if (child || its) return differ(w, a, "its children");
    must(dz_relation_info(w->a, a, &p)), must(dz_relation_info(w->b, b, &q));
    p.with = twin(w, p.with);
    if (memcmp(&p, &q, sizeof p) != 0) return differ(w, a, "what it promises");
    for (uint32_t i = 0; i < w->count; i++) {
        dz_entity source = dz_source(w->b, b, w->others[i]);
        if (twin(w, dz_source(w->a, a, w->components[i])) != source) return differ(w, a, "whose component it has");
    }
    return same_type(w, a, b);
}

/* The generations of the dead, and slots that are used up. Where a component is in one of them, or was, the other may have none. */
static bool same_slots(Both *w)
{
    uint32_t number = dz_world_number(w->a), other = dz_world_number(w->b);
    for (uint32_t index = 0; index < 1000; index++) {
        bool component = false;
        for (uint32_t i = 0; i < w->count; i++) {
            component |= dz_entity_index(w->components[i]) == index || dz_entity_index(w->others[i]) == index;
        }
        if (component || (index < 256 && dz_generation(w->b, index) == 0)) continue;
        dz_status a = dz_why(w->a, dz_entity_make(number < 256 ? number : 0, index, 1));
        dz_status b = dz_why(w->b, dz_entity_make(other < 256 ? other : 0, index, 1));
        uint32_t g = dz_generation(w->a, index);
        if (a != b || (g > 1 && g != dz_generation(w->b, index))) {
            return differ(w, dz_entity_make(number < 256 ? number : 0, index, 1), "its slot");
        }
    }
    return true;
}

bool same_world(dz_world a, dz_world b, char difference[SAVE_ERROR])
{
    dz_id components[2][TYPES + 1];
    dz_entity batch[256];
    uint32_t count, next = 0;
    dz_world_numbers p, q;
    Both w = {a, b, components[0], components[1], 0, difference, true};
    must(dz_world_stats(a, &p)), must(dz_world_stats(b, &q));
    must(dz_components(a, components[0], TYPES + 1, &w.count));
    for (uint32_t i = 0; i < w.count; i++) {
        const char *name = dz_name(a, components[0][i]);
        components[1][i] = dz_component_find(b, name);
        if (!components[1][i]) return differ(&w, components[0][i], "isn't registered");
    }
    if (p.alive != q.alive || p.components != q.components) return differ(&w, DZ_NULL, "how many live");
    for (next = 0; next != UINT32_MAX;) {
        must(dz_entities(a, next, batch, 256, &count, &next));
        for (uint32_t i = 0; i < count; i++) {
            dz_relation_desc d;
            must(dz_relation_info(a, batch[i], &d));
            if (d.symmetric) w.ordered = false;
        }
    }
    for (next = 0; next != UINT32_MAX;) {
        must(dz_entities(a, next, batch, 256, &count, &next));
        for (uint32_t i = 0; i < count; i++) if (!same_entity(&w, batch[i])) return false;
    }
    for (uint32_t i = 0; i < w.count; i++) {
        dz_component_details c;
        must(dz_component_info(a, components[0][i], &c));
        if (c.builtin || !c.element_size) continue;
        if (!same_value(&w, c.name, dz_singleton_get(a, components[0][i]), dz_singleton_get(b, components[1][i]))) {
            return differ(&w, components[0][i], "the world's value");
        }
    }
    return same_slots(&w);
}
