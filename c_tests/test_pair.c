/* Pairs, roles and plain entities as ids; what relations promise; what is left when somebody dies. */
#include "check.h"

typedef struct { float x, y; } Position;
typedef struct { double left; uint64_t seed; } Expiry;

static dz_world world;
static dz_entity e[8];

static void begin(void)
{
    world = check_world();
    CHECK_OK(dz_create_n(world, 8, e));
}

static dz_entity relation(dz_relation_desc desc)
{
    dz_entity made = dz_create(world);
    CHECK_OK(dz_relation_set(world, made, &desc));
    return made;
}

static uint32_t alive(void)
{
    dz_world_numbers numbers;
    CHECK_OK(dz_world_stats(world, &numbers));
    return numbers.alive;
}

static uint32_t targets(dz_entity entity, dz_entity by)
{
    uint32_t count = 99;
    CHECK_OK(dz_pair_targets(world, entity, by, NULL, 0, &count));
    return count;
}

static uint32_t holders(dz_id id)
{
    uint32_t count = 99;
    CHECK_OK(dz_pair_holders(world, id, NULL, 0, &count));
    return count;
}

/* M25: any entity can be added to any entity. M29: once. */
static void m25_m29_entities_are_added_to_entities(void)
{
    dz_id type[4];
    uint32_t count;
    begin();
    CHECK_OK(dz_add(world, e[0], e[1]));
    CHECK_IS(dz_add(world, e[0], e[1]), DZ_ALREADY_THERE);
    CHECK(dz_has(world, e[0], e[1]));
    QUIETLY(dz_has(world, e[1], e[0]), false);
    CHECK_OK(dz_type(world, e[0], type, 4, &count));
    CHECK_EQ(count, 1);
    CHECK_EQ(type[0], e[1]);
    REFUSED_0(world, dz_get(world, e[0], e[1]), DZ_ERR_TAG);
    CHECK_OK(dz_destroy(world, e[1]));
    CHECK_OK(dz_type(world, e[0], type, 4, &count));
    CHECK_EQ(count, 0);
    REFUSED(world, dz_add(world, e[0], e[1]), DZ_ERR_DEAD);
    CHECK_OK(dz_add(world, e[0], e[2]));
    CHECK_OK(dz_remove(world, e[0], e[2]));
    CHECK_IS(dz_remove(world, e[0], e[2]), DZ_NOT_THERE);
    CHECK_OK(dz_world_destroy(world));
}

/* M26, M27, M28, M35: the upper byte says how to read an id, and a mask gives the entity back. */
static void m26_m27_m28_m35_roles(void)
{
    dz_id type[4];
    uint32_t count;
    begin();
    CHECK_OK(dz_add(world, e[0], DZ_ROLE(200, e[1])));
    CHECK_OK(dz_add(world, e[0], DZ_ROLE(201, e[1])));
    CHECK_OK(dz_type(world, e[0], type, 4, &count));
    CHECK_EQ(count, 2);
    CHECK(dz_role(type[0]) + dz_role(type[1]) == 401);
    CHECK_EQ(dz_without_role(type[0]), e[1]);
    QUIETLY(dz_has(world, e[0], e[1]), false);
    CHECK(dz_has(world, e[0], DZ_ROLE(201, e[1])));
    REFUSED(world, dz_add(world, DZ_ROLE(200, e[0]), e[1]), DZ_ERR_ROLE);
    REFUSED(world, dz_add(world, e[0], DZ_ROLE(100, e[1])), DZ_ERR_ROLE);
    CHECK_OK(dz_destroy(world, e[1]));
    REFUSED(world, dz_add(world, e[0], DZ_ROLE(200, e[1])), DZ_ERR_DEAD);
    CHECK_OK(dz_world_destroy(world));
}

/* M30, M31, M33: many instances of one relation, one for each target, each with a value of the relation's type. */
static void m30_m31_m33_pairs(void)
{
    Expiry a = {1, 11}, b = {2, 22};
    Position at = {3, 4};
    dz_id expiry, position, marked, id;
    dz_pair_parts parts;
    dz_entity out[2];
    uint32_t count;
    begin();
    expiry = DZ_COMPONENT(world, Expiry), position = DZ_COMPONENT(world, Position), marked = DZ_TAG(world, Marked);
    id = dz_pair(world, expiry, e[1]);
    CHECK_EQ(dz_role(id), DZ_ROLE_PAIR);
    CHECK_OK(dz_pair_halves(world, id, &parts));
    CHECK(parts.relation == expiry && parts.target == e[1]);
    CHECK_EQ(dz_pair(world, expiry, e[1]), id);
    CHECK_OK(DZ_SET(world, e[0], id, &a));
    CHECK_OK(DZ_SET_PAIR(world, e[0], expiry, e[2], &b));
    CHECK_EQ(((const Expiry *)dz_get(world, e[0], id))->seed, 11);
    CHECK_EQ(((const Expiry *)dz_get_pair(world, e[0], expiry, e[2]))->seed, 22);
    CHECK_OK(DZ_SET(world, e[0], id, &b));
    CHECK_EQ(((Expiry *)dz_get_pair_mut(world, e[0], expiry, e[1]))->seed, 22);
    CHECK_EQ(targets(e[0], expiry), 2);
    CHECK_OK(dz_pair_targets(world, e[0], expiry, out, 2, &count));
    CHECK(out[0] == e[2] && out[1] == e[1]);
    CHECK_EQ(holders(id), 1);
    QUIETLY(dz_get_pair(world, e[0], expiry, e[3]), 0);
    QUIETLY(dz_has_pair(world, e[0], expiry, e[3]), false);
    REFUSED(world, DZ_SET(world, e[0], id, &out[0]), DZ_ERR_SIZE);
    CHECK(!dz_has(world, e[0], expiry));
    /* A tag's pair has the target's type; that of two tags or entities none. */
    CHECK_OK(DZ_SET_PAIR(world, e[0], marked, position, &at));
    CHECK(((const Position *)dz_get_pair(world, e[0], marked, position))->y == 4);
    CHECK_OK(dz_add_pair(world, e[0], marked, e[1]));
    REFUSED_0(world, dz_get_pair(world, e[0], marked, e[1]), DZ_ERR_TAG);
    REFUSED(world, DZ_SET_PAIR(world, e[0], marked, e[1], &a), DZ_ERR_TAG);
    CHECK_OK(dz_remove_pair(world, e[0], expiry, e[1]));
    CHECK_IS(dz_remove_pair(world, e[0], expiry, e[1]), DZ_NOT_THERE);
    CHECK(dz_has_pair(world, e[0], expiry, e[2]));
    /* What is added is zeros, also where a value was before. */
    CHECK_OK(dz_add_pair(world, e[3], expiry, e[1]));
    CHECK_EQ(((const Expiry *)dz_get_pair(world, e[3], expiry, e[1]))->seed, 0);
    CHECK(dz_get_or_add(world, e[4], id) != NULL);
    CHECK_OK(dz_component_unregister(world, expiry));
    QUIETLY(dz_has_pair(world, e[0], marked, e[1]), true);
    REFUSED_0(world, dz_get(world, e[0], id), DZ_ERR_NO_PAIR);
    CHECK_OK(dz_world_destroy(world));
}

/* M36: a recycled target is never bound again: the pair of the dead one is gone, its id an error, until somebody makes
 * the pair of who lives in the slot now. */
static void m36_pair_target_recycled(void)
{
    dz_entity likes, again;
    dz_id id;
    begin();
    likes = dz_create(world);
    id = dz_pair(world, likes, e[1]);
    CHECK_OK(dz_add(world, e[0], id));
    CHECK_OK(dz_destroy(world, e[1]));
    again = dz_create(world);
    CHECK_EQ(dz_entity_index(again), dz_entity_index(e[1]));
    REFUSED_0(world, dz_has(world, e[0], id), DZ_ERR_NO_PAIR);
    REFUSED(world, dz_add(world, e[0], id), DZ_ERR_NO_PAIR);
    REFUSED(world, dz_add_pair(world, e[0], likes, e[1]), DZ_ERR_DEAD);
    REFUSED_0(world, dz_pair(world, likes, e[1]), DZ_ERR_DEAD);
    QUIETLY(dz_has_pair(world, e[0], likes, again), false);
    CHECK_OK(dz_add_pair(world, e[2], likes, again));
    if (check_layout == DZ_LAYOUT_64) {
        QUIETLY(dz_has(world, e[0], id), false);
        CHECK(dz_has(world, e[2], id));
    } else {
        REFUSED_0(world, dz_has(world, e[2], id), DZ_ERR_NO_PAIR);
    }
    /* The relation's death ends its pairs too. */
    CHECK_OK(dz_destroy(world, likes));
    REFUSED_0(world, dz_has(world, e[2], id), DZ_ERR_NO_PAIR);
    CHECK(dz_create(world) != DZ_NULL);
    REFUSED_0(world, dz_has(world, e[2], id), DZ_ERR_NO_PAIR);
    CHECK_OK(dz_world_destroy(world));
}

static void exclusive_relations_replace(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    dz_entity docked;
    begin();
    desc.exclusive = 1;
    docked = relation(desc);
    CHECK_OK(dz_add_pair(world, e[0], docked, e[1]));
    CHECK_OK(dz_add_pair(world, e[0], docked, e[2]));
    CHECK_EQ(targets(e[0], docked), 1);
    QUIETLY(dz_has_pair(world, e[0], docked, e[1]), false);
    CHECK(dz_has_pair(world, e[0], docked, e[2]));
    CHECK_IS(dz_add_pair(world, e[0], docked, e[2]), DZ_ALREADY_THERE);
    desc.exclusive = 0;
    REFUSED(world, dz_relation_set(world, docked, &desc), DZ_ERR_TRAITS);
    desc.exclusive = 1;
    CHECK_OK(dz_relation_set(world, docked, &desc));
    CHECK_OK(dz_world_destroy(world));
}

/* Pairs that somebody had before: with several relations of one target, and what a relation promises by now. */
static void pairs_are_added_again(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    dz_entity likes, owns;
    int i, again;
    begin();
    likes = dz_create(world), owns = dz_create(world);
    for (again = 0; again < 2; again++) {
        for (i = 0; i < 5; i++) {
            CHECK_OK(dz_add_pair(world, e[i], likes, e[6]));
            CHECK_OK(dz_add_pair(world, e[i], owns, e[6]));
            CHECK_IS(dz_add_pair(world, e[i], likes, e[6]), DZ_ALREADY_THERE);
            CHECK_OK(dz_add_pair(world, e[i], likes, e[7]));
        }
        CHECK_EQ(holders(dz_pair(world, likes, e[6])) + holders(dz_pair(world, owns, e[6])), 10);
        for (i = 0; i < 5; i++) {
            CHECK_OK(dz_remove_pair(world, e[i], likes, e[6]));
            CHECK_OK(dz_remove_pair(world, e[i], owns, e[6]));
            CHECK_OK(dz_remove_pair(world, e[i], likes, e[7]));
        }
    }
    desc.exclusive = 1;
    CHECK_OK(dz_relation_set(world, likes, &desc));
    CHECK_OK(dz_add_pair(world, e[0], likes, e[6]));
    CHECK_OK(dz_add_pair(world, e[0], likes, e[7]));
    CHECK_EQ(targets(e[0], likes), 1);
    CHECK_OK(dz_remove_pair(world, e[0], likes, e[7]));
    desc.exclusive = 0;
    CHECK_OK(dz_relation_set(world, likes, &desc));
    CHECK_OK(dz_add_pair(world, e[0], likes, e[6]));
    CHECK_OK(dz_add_pair(world, e[0], likes, e[7]));
    CHECK_EQ(targets(e[0], likes), 2);
    CHECK_OK(dz_world_destroy(world));
}

static void symmetric_relations_go_both_ways(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    dz_entity married;
    begin();
    desc.symmetric = 1, desc.exclusive = 1;
    married = relation(desc);
    CHECK_OK(dz_add_pair(world, e[0], married, e[1]));
    CHECK(dz_has_pair(world, e[1], married, e[0]));
    CHECK_OK(dz_add_pair(world, e[1], married, e[2]));
    QUIETLY(dz_has_pair(world, e[0], married, e[1]), false);
    CHECK(dz_has_pair(world, e[2], married, e[1]));
    CHECK_EQ(targets(e[0], married) + targets(e[1], married) + targets(e[2], married), 2);
    CHECK_OK(dz_remove_pair(world, e[2], married, e[1]));
    CHECK_EQ(targets(e[1], married), 0);
    CHECK_OK(dz_add_pair(world, e[3], married, e[3]));
    CHECK_OK(dz_remove_pair(world, e[3], married, e[3]));
    CHECK_EQ(targets(e[3], married), 0);
    CHECK_OK(dz_world_destroy(world));
}

static void acyclic_relations_print_the_cycle(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    dz_entity in;
    char text[64];
    int i;
    begin();
    desc.acyclic = 1, desc.transitive = 1, desc.reflexive = 1;
    in = relation(desc);
    for (i = 0; i < 7; i++) CHECK_OK(dz_add_pair(world, e[i], in, e[i + 1]));
    REFUSED(world, dz_add_pair(world, e[3], in, e[1]), DZ_ERR_CYCLE);
    dz_entity_text(e[2], text, sizeof text);
    CHECK_IS(dz_add_pair(world, e[3], in, e[1]), DZ_ERR_CYCLE);
    CHECK_SAYS(text);
    REFUSED(world, dz_add_pair(world, e[3], in, e[3]), DZ_ERR_CYCLE);
    CHECK(dz_has_pair(world, e[0], in, e[7]));
    QUIETLY(dz_has_pair(world, e[7], in, e[0]), false);
    CHECK(dz_has_pair(world, e[4], in, e[4]));
    CHECK_OK(dz_remove_pair(world, e[3], in, e[4]));
    QUIETLY(dz_has_pair(world, e[0], in, e[7]), false);
    CHECK_OK(dz_world_destroy(world));
}

/* A way of more links than are followed is no sentence with an end missing. */
static void a_long_cycle_is_one_too(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    dz_entity in, link[140];
    int i;
    begin();
    desc.acyclic = 1;
    in = relation(desc);
    CHECK_OK(dz_create_n(world, 140, link));
    for (i = 0; i < 139; i++) CHECK_OK(dz_add_pair(world, link[i], in, link[i + 1]));
    CHECK_IS(dz_add_pair(world, link[139], in, link[0]), DZ_ERR_CYCLE);
    CHECK_SAYS("come back to itself after more links than are written here");
    CHECK_OK(dz_world_destroy(world));
}

static void one_relation_brings_another(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    dz_entity knows, likes, back;
    begin();
    knows = dz_create(world);
    desc.with = knows;
    likes = relation(desc);
    CHECK_OK(dz_add_pair(world, e[0], likes, e[1]));
    CHECK(dz_has_pair(world, e[0], knows, e[1]));
    CHECK_OK(dz_remove_pair(world, e[0], likes, e[1]));
    CHECK(dz_has_pair(world, e[0], knows, e[1]));
    back = dz_create(world);
    desc.with = back;
    REFUSED(world, dz_relation_set(world, back, &desc), DZ_ERR_TRAITS);
    { /* Both sides get what a symmetric one brings: it can't be acyclic, whichever is said first. */
        dz_relation_desc first = DZ_RELATION_DESC_INIT, acyclic = DZ_RELATION_DESC_INIT;
        dz_entity up = dz_create(world), beside = dz_create(world), between = dz_create(world);
        acyclic.acyclic = 1;
        first.with = up;
        CHECK_OK(dz_relation_set(world, between, &first));
        first.symmetric = 1, first.with = between;
        CHECK_OK(dz_relation_set(world, beside, &first));
        REFUSED(world, dz_relation_set(world, up, &acyclic), DZ_ERR_TRAITS);
        CHECK_IS(dz_relation_set(world, up, &acyclic), DZ_ERR_TRAITS);
        CHECK_SAYS("it is acyclic, and brought by one that is symmetric");
        first.symmetric = 0;
        CHECK_OK(dz_relation_set(world, beside, &first));
        CHECK_OK(dz_relation_set(world, up, &acyclic));
        first.symmetric = 1;
        REFUSED(world, dz_relation_set(world, beside, &first), DZ_ERR_TRAITS);
        CHECK_IS(dz_relation_set(world, beside, &first), DZ_ERR_TRAITS);
        CHECK_SAYS("it is symmetric, and with brings one that is acyclic");
    }
    CHECK_OK(dz_destroy(world, knows));
    CHECK_OK(dz_add_pair(world, e[0], likes, e[2]));
    CHECK_EQ(targets(e[0], likes), 1);
    CHECK_OK(dz_world_destroy(world));
}

/* `with` is about pairs that are made: so it can be said last, when those that were saved are there, which it would forbid. */
static void what_is_brought_may_be_said_later(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT, known;
    dz_entity follows, above;
    begin();
    desc.acyclic = 1;
    above = relation(desc);
    desc.acyclic = 0;
    follows = relation(desc);
    CHECK_OK(dz_add_pair(world, e[0], follows, e[1]));
    CHECK_OK(dz_add_pair(world, e[1], above, e[0]));
    desc.with = above;
    CHECK_OK(dz_relation_set(world, follows, &desc));
    CHECK_OK(dz_relation_info(world, follows, &known));
    CHECK(known.with == above && !known.acyclic);
    CHECK_EQ(targets(e[0], above), 0);
    REFUSED(world, dz_add_pair(world, e[2], follows, e[2]), DZ_ERR_CYCLE);
    CHECK_OK(dz_add_pair(world, e[2], follows, e[1]));
    CHECK(dz_has_pair(world, e[2], above, e[1]));
    desc.symmetric = 1;
    REFUSED(world, dz_relation_set(world, follows, &desc), DZ_ERR_TRAITS);
    desc.symmetric = 0, desc.with = DZ_NULL;
    CHECK_OK(dz_relation_set(world, follows, &desc));
    CHECK_OK(dz_add_pair(world, e[3], follows, e[1]));
    CHECK_EQ(targets(e[3], above), 0);
    desc.with = follows;
    REFUSED(world, dz_relation_set(world, follows, &desc), DZ_ERR_TRAITS);
    desc.with = above;
    CHECK_OK(dz_relation_set(world, follows, &desc));
    CHECK_OK(dz_add_pair(world, e[4], follows, e[1]));
    CHECK(dz_has_pair(world, e[4], above, e[1]));
    CHECK_OK(dz_world_destroy(world));
}

/* What becomes of holders when a target, or a relation, dies. */
static void m36_cleanup(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    dz_entity owned, part, needs;
    begin();
    desc.on_target = DZ_CLEANUP_DELETE;
    owned = relation(desc);
    desc.on_target = DZ_CLEANUP_REFUSE, desc.on_relation = DZ_CLEANUP_REFUSE;
    needs = relation(desc);
    desc.on_target = DZ_CLEANUP_REMOVE, desc.on_relation = DZ_CLEANUP_DELETE;
    part = relation(desc);
    /* 1 and 2 belong to 0, 3 to 1, and 0 to 3: a circle. */
    CHECK_OK(dz_add_pair(world, e[1], owned, e[0]));
    CHECK_OK(dz_add_pair(world, e[2], owned, e[0]));
    CHECK_OK(dz_add_pair(world, e[3], owned, e[1]));
    CHECK_OK(dz_add_pair(world, e[0], owned, e[3]));
    CHECK_OK(dz_add_pair(world, e[4], needs, e[3]));
    REFUSED(world, dz_destroy(world, e[0]), DZ_ERR_PAIR_HELD);
    CHECK_IS(dz_destroy(world, e[0]), DZ_ERR_PAIR_HELD);
    CHECK_SAYS("can't be destroyed: relation E:");
    CHECK_OK(dz_set_name(world, needs, "needs"));
    CHECK_IS(dz_destroy(world, e[0]), DZ_ERR_PAIR_HELD);
    CHECK_SAYS("can't be destroyed: relation \"needs\" (E:");
    CHECK_SAYS(") refuses that while others hold a pair with it (holders: 1)");
    REFUSED(world, dz_destroy(world, needs), DZ_ERR_PAIR_HELD);
    REFUSED(world, dz_destroy_n(world, e, 4, NULL), DZ_ERR_PAIR_HELD);
    /* Who is in the way goes along. */
    CHECK_OK(dz_add_pair(world, e[4], owned, e[2]));
    CHECK_OK(dz_destroy(world, e[0]));
    CHECK_EQ(alive(), 3 + 3);
    CHECK(dz_is_alive(world, e[5]) && dz_is_alive(world, e[7]));
    CHECK_OK(dz_add_pair(world, e[5], part, e[6]));
    CHECK_OK(dz_destroy(world, part));
    CHECK(!dz_is_alive(world, e[5]) && dz_is_alive(world, e[6]));
    CHECK_OK(dz_world_clear(world));
    CHECK_EQ(alive(), 0);
    CHECK_OK(dz_world_destroy(world));
}

/* Values of pairs that are more than bytes: whoever is made ends once. */
static uint32_t made, ended;
static bool fail;

static int32_t construct(void *elements, uint32_t count, void *user)
{
    Expiry *at = elements;
    uint32_t i;
    (void)user;
    if (fail) return -1;
    for (i = 0; i < count; i++) at[i].seed = 77;
    made += count;
    return 0;
}

static int32_t copy(void *to, const void *from, uint32_t count, void *user)
{
    (void)user;
    if (fail) return -1;
    memcpy(to, from, count * sizeof(Expiry));
    made += count;
    return 0;
}

static void destruct(void *elements, uint32_t count, void *user)
{
    (void)elements, (void)user, ended += count;
}

static void values_are_made_and_ended(void)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    dz_relation_desc traits = DZ_RELATION_DESC_INIT;
    Expiry value = {1, 11};
    const Expiry *at;
    dz_entity twin;
    dz_id expiry;
    begin();
    made = ended = 0, fail = false;
    desc.name = "Expiry", desc.element_size = sizeof(Expiry), desc.element_alignment = 8;
    desc.hooks.construct = construct, desc.hooks.copy = copy, desc.hooks.destruct = destruct;
    expiry = dz_component_register(world, &desc);
    CHECK_OK(dz_add_pair(world, e[0], expiry, e[1]));
    at = dz_get_pair(world, e[0], expiry, e[1]);
    CHECK(at->seed == 77 && made == 1);
    CHECK_OK(DZ_SET_PAIR(world, e[0], expiry, e[1], &value));
    CHECK(dz_get_pair(world, e[0], expiry, e[1]) == (const void *)at && at->seed == 11);
    CHECK(made == 2 && ended == 1);
    CHECK_OK(DZ_SET_PAIR(world, e[0], expiry, e[1], at));
    CHECK(made == 2 && ended == 1);
    CHECK_OK(DZ_SET_PAIR(world, e[0], expiry, e[2], &value));
    twin = dz_clone(world, e[0]);
    CHECK(made == 5);
    CHECK(((const Expiry *)dz_get_pair(world, twin, expiry, e[2]))->seed == 11);
    fail = true;
    REFUSED(world, DZ_SET_PAIR(world, e[0], expiry, e[1], &value), DZ_ERR_HOOK_FAILED);
    REFUSED(world, DZ_SET_PAIR(world, e[0], expiry, e[3], &value), DZ_ERR_HOOK_FAILED);
    REFUSED(world, dz_add_pair(world, e[0], expiry, e[3]), DZ_ERR_HOOK_FAILED);
    REFUSED_0(world, dz_clone(world, e[0]), DZ_ERR_HOOK_FAILED);
    REFUSED_0(world, dz_instantiate(world, e[0]), DZ_ERR_HOOK_FAILED);
    fail = false;
    {
        dz_entity next = dz_create(world); /* nothing is left of who wasn't made in the end */
        CHECK(targets(next, expiry) == 0 && dz_base(world, next) == DZ_NULL && targets(e[0], expiry) == 2);
        CHECK_OK(dz_destroy(world, next));
    }
    CHECK_EQ(targets(e[0], expiry), 2);
    CHECK_OK(dz_destroy(world, e[0]));
    CHECK_EQ(ended, 3);
    traits.exclusive = 1;
    CHECK_OK(dz_destroy(world, e[1]));
    CHECK_OK(dz_remove_pair(world, twin, expiry, e[2]));
    CHECK_EQ(ended, made);
    CHECK_OK(dz_relation_set(world, expiry, &traits));
    CHECK_OK(DZ_SET_PAIR(world, twin, expiry, e[2], &value));
    CHECK_OK(DZ_SET_PAIR(world, twin, expiry, e[3], &value));
    CHECK_EQ(ended + 1, made);
    CHECK_OK(dz_world_destroy(world));
    CHECK_EQ(ended, made);
}

/* The targets of an entity by a relation, the latest first, are those numbers of e. */
static bool aims_at(dz_entity who, dz_entity relation, const uint32_t *numbers, uint32_t count)
{
    dz_entity found[8];
    uint32_t n = 0, i;
    CHECK_OK(dz_pair_targets(world, who, relation, found, 8, &n));
    for (i = 0; i < n && i < count; i++)
        if (found[i] != e[numbers[i]]) return false;
    return n == count;
}

/* Clones and instances have their pairs in the order of those they are made of: the latest is the latest. */
static void copies_have_pairs_in_the_same_order(void)
{
    static const uint32_t order[] = {6, 2, 5, 3, 4, 1};
    dz_relation_desc traits = DZ_RELATION_DESC_INIT;
    dz_entity likes, knows, twin;
    uint32_t i;
    begin();
    likes = dz_create(world), knows = dz_create(world);
    traits.symmetric = 1;
    CHECK_OK(dz_relation_set(world, knows, &traits));
    for (i = 6; i-- > 0;) CHECK_OK(dz_add_pair(world, e[0], likes, e[order[i]]));
    for (i = 3; i-- > 0;) CHECK_OK(dz_add_pair(world, e[0], knows, e[order[i]]));
    CHECK(aims_at(e[0], likes, order, 6) && aims_at(e[0], knows, order, 3));
    twin = dz_clone(world, e[0]);
    CHECK(aims_at(twin, likes, order, 6) && aims_at(twin, knows, order, 3) && aims_at(dz_clone(world, twin), likes, order, 6));
    twin = dz_instantiate(world, e[0]);
    CHECK(aims_at(twin, likes, order, 6) && aims_at(twin, knows, order, 3));
    CHECK(aims_at(dz_instantiate(world, twin), likes, order, 6));
    /* One that knows itself gets to know its clone, which doesn't know itself. */
    CHECK_OK(dz_add_pair(world, e[1], knows, e[1]));
    twin = dz_clone(world, e[1]);
    CHECK(dz_has_pair(world, twin, knows, e[1]) && dz_has_pair(world, e[1], knows, twin) && !dz_has_pair(world, twin, knows, twin));
    CHECK_OK(dz_world_destroy(world));
}

/* A pair that was refused was never there: its id finds nothing. */
static void refused_pairs_leave_nothing(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    dz_entity in;
    dz_pair_parts parts;
    dz_id id;
    begin();
    desc.acyclic = 1;
    in = relation(desc);
    CHECK_OK(dz_add_pair(world, e[0], in, e[1]));
    id = dz_pair(world, in, e[1]) - dz_entity_index(e[1]) + dz_entity_index(e[0]); /* dz_pair would make it */
    CHECK_IS(dz_pair_halves(world, id, &parts), DZ_ERR_NO_PAIR);
    REFUSED(world, dz_add_pair(world, e[1], in, e[0]), DZ_ERR_CYCLE);
    CHECK_IS(dz_pair_halves(world, id, &parts), DZ_ERR_NO_PAIR);
    CHECK_EQ(dz_pair(world, in, e[0]), id);
    CHECK_OK(dz_pair_halves(world, id, &parts));
    CHECK_OK(dz_world_destroy(world));
}

/* A pair that both can have only once stays with those who have it. */
static void couples_are_not_copied(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    dz_entity married, twin;
    begin();
    desc.symmetric = 1, desc.exclusive = 1;
    married = relation(desc);
    CHECK_OK(dz_add_pair(world, e[0], married, e[1]));
    twin = dz_clone(world, e[0]);
    CHECK_EQ(targets(twin, married), 0);
    CHECK_EQ(targets(e[1], married), 1);
    CHECK(dz_has_pair(world, e[1], married, e[0]) && dz_has_pair(world, e[0], married, e[1]));
    twin = dz_instantiate(world, e[0]);
    CHECK_EQ(targets(twin, married), 0);
    CHECK_EQ(targets(e[1], married), 1);
    CHECK_OK(dz_world_destroy(world));
}

/* What calls with a pair's id do is what those with its halves do: to one of two who are treated alike, the other is the other. */
static void by_ids(void)
{
    enum { RELATIONS = 7, TARGETS = 5, ALL = 40 };
    dz_entity relations[RELATIONS], t[TARGETS], two[2][ALL], gone[ALL] = {0};
    uint32_t i, k, n;
    begin();
    for (i = 0; i < RELATIONS; i++) {
        dz_relation_desc desc = DZ_RELATION_DESC_INIT;
        desc.exclusive = i == 1, desc.symmetric = i == 2, desc.reflexive = i == 3;
        desc.acyclic = desc.transitive = i == 4, desc.with = i == 5 ? relations[0] : DZ_NULL;
        relations[i] = i == 6 ? DZ_COMPONENT(world, Expiry) : relation(desc);
    }
    CHECK_OK(dz_create_n(world, TARGETS, t));
    for (i = 0; i < 2; i++) CHECK_OK(dz_create_n(world, ALL, two[i]));
    for (n = 0; n < 20000; n++) {
        dz_entity by = relations[check_random(RELATIONS)], to, *one, *other;
        dz_status status;
        const void *p, *q;
        Expiry expiry;
        k = check_random(TARGETS), i = check_random(ALL);
        to = t[k], one = &two[0][i], other = &two[1][i];
        expiry.left = n, expiry.seed = n * 3;
        switch (check_random(16)) {
        case 0: case 1: case 2: case 3:
            status = dz_add(world, *one, dz_pair(world, by, to));
            CHECK_IS(dz_add_pair(world, *other, by, to), status);
            break;
        case 4: case 5:
            status = dz_set(world, *one, dz_pair(world, by, to), sizeof expiry, &expiry);
            CHECK_IS(dz_set_pair(world, *other, by, to, sizeof expiry, &expiry), status);
            CHECK_EQ(status == DZ_ERR_TAG, by != relations[6]);
            break;
        case 6: case 7: case 8:
            status = dz_remove(world, *one, dz_pair(world, by, to));
            CHECK_IS(dz_remove_pair(world, *other, by, to), status);
            break;
        case 9: case 10:
            dz_error_clear();
            p = check_random(2) ? dz_get(world, *one, dz_pair(world, by, to)) : dz_get_mut(world, *one, dz_pair(world, by, to));
            status = dz_error_status();
            dz_error_clear();
            q = dz_get_pair(world, *other, by, to);
            CHECK_IS(dz_error_status(), status);
            dz_error_clear();
            CHECK((p == NULL) == (q == NULL) && (!p || memcmp(p, q, sizeof expiry) == 0));
            break;
        case 11:
            p = dz_get_or_add(world, *one, dz_pair(world, by, to));
            CHECK_EQ(p != NULL, by == relations[6]);
            if (p) CHECK(dz_add_pair(world, *other, by, to) >= DZ_OK);
            break;
        case 12:
            CHECK_OK(dz_set_enabled(world, *one, !dz_is_enabled(world, *one)));
            CHECK_OK(dz_set_enabled(world, *other, !dz_is_enabled(world, *other)));
            break;
        case 13:
            CHECK_OK(dz_destroy(world, *one));
            CHECK_OK(dz_destroy(world, *other));
            REFUSED(world, dz_add(world, *one, dz_pair(world, by, to)), DZ_ERR_DEAD);
            REFUSED_0(world, dz_has(world, *one, dz_pair(world, by, to)), DZ_ERR_DEAD);
            REFUSED_NULL(world, dz_get(world, *one, dz_pair(world, by, to)), DZ_ERR_DEAD);
            gone[i] = *one, *one = dz_create(world), *other = dz_create(world);
            break;
        case 14:
            if (check_random(8)) break;
            {
                dz_id id = dz_pair(world, by, to);
                CHECK_OK(dz_destroy(world, to));
                REFUSED(world, dz_add(world, *one, id), DZ_ERR_NO_PAIR);
                REFUSED_0(world, dz_has(world, *one, id), DZ_ERR_NO_PAIR);
                REFUSED_NULL(world, dz_get(world, *one, id), DZ_ERR_NO_PAIR);
                t[k] = dz_create(world);
            }
            break;
        default: break;
        }
        CHECK_EQ(dz_has(world, *one, dz_pair(world, by, to)), dz_has_pair(world, *other, by, to));
        CHECK_EQ(targets(*one, by), targets(*other, by));
        /* What whoever has the slot now has, who had it before hasn't. */
        if (!gone[i]) continue;
        CHECK(!dz_has(world, gone[i], dz_pair(world, by, to)) && dz_error_status() == DZ_ERR_DEAD);
        CHECK(!dz_get(world, gone[i], dz_pair(world, by, to)) && dz_error_status() == DZ_ERR_DEAD);
        CHECK_IS(dz_add(world, gone[i], dz_pair(world, by, to)), DZ_ERR_DEAD);
    }
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(by_ids);
    RUN(copies_have_pairs_in_the_same_order);
    RUN(m25_m29_entities_are_added_to_entities);
    RUN(m26_m27_m28_m35_roles);
    RUN(m30_m31_m33_pairs);
    RUN(m36_pair_target_recycled);
    RUN(exclusive_relations_replace);
    RUN(pairs_are_added_again);
    RUN(symmetric_relations_go_both_ways);
    RUN(acyclic_relations_print_the_cycle);
    RUN(a_long_cycle_is_one_too);
    RUN(one_relation_brings_another);
    RUN(what_is_brought_may_be_said_later);
    RUN(m36_cleanup);
    RUN(values_are_made_and_ended);
    RUN(refused_pairs_leave_nothing);
    RUN(couples_are_not_copied);
    return check_done();
}
