/* Pairs, the hierarchy, names, instances, and what is disabled. */
#include "conformance.h"

typedef struct { int32_t much; } Likes;

void pairs(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position), likes = DZ_COMPONENT(world, Likes);
    dz_entity docked = dz_create(world), ann = at(world, position, 1), bob = at(world, position, 2);
    dz_entity cat = at(world, position, 3), targets[4];
    dz_relation_desc one = DZ_RELATION_DESC_INIT;
    dz_pair_parts parts;
    dz_query query;
    dz_id pair;
    dz_iter it;
    int32_t much[4][4] = {{0}}; /* noted first: the order of the matches is the query's own */
    uint32_t i, count;

    answer("Ann likes Bob", DZ_SET_PAIR(world, ann, likes, bob, (&(Likes){5})));
    answer("Ann likes the cat", DZ_SET_PAIR(world, ann, likes, cat, (&(Likes){9})));
    answer("Bob likes the cat", dz_add_pair(world, bob, likes, cat));
    answer("again", dz_add_pair(world, bob, likes, cat));
    printf("Ann likes Bob: %d\n", (int)((const Likes *)dz_get_pair(world, ann, likes, bob))->much);
    ((Likes *)dz_get_pair_mut(world, bob, likes, cat))->much = 7;
    yes("Bob likes Ann", dz_has_pair(world, bob, likes, ann));
    pair = dz_pair(world, likes, cat);
    printf("by its id: %d\n", (int)DZ_GET(world, bob, Likes, pair)->much);
    answer("its halves", dz_pair_halves(world, pair, &parts));
    yes("they are the same", parts.relation == likes && parts.target == cat);
    dz_pair_targets(world, ann, likes, targets, 4, &count);
    printf("Ann's targets:");
    for (i = 0; i < count; i++) printf(" %d", (int)number(world, targets[i], position));
    printf("\n");

    query = dz_query_parse(world, "Position, (Likes, *)");
    printf("who likes whom: %u matches\n", dz_query_count(world, query));
    for (dz_iterate(world, query, &it); dz_next(&it);)
        for (i = 0; i < it.count; i++)
            much[DZ_AT(it, Position, 0, i)->x][number(world, dz_iter_target(&it, 1, i), position)] = DZ_AT(it, Likes, 1, i)->much;
    for (i = 1; i < 4; i++) printf("  %u likes 1 by %d, 2 by %d, 3 by %d\n", i, (int)much[i][1], (int)much[i][2], (int)much[i][3]);

    one.exclusive = 1;
    answer("docked is exclusive", dz_relation_set(world, docked, &one));
    answer("Ann is docked at Bob", dz_add_pair(world, ann, docked, bob));
    answer("Ann is docked at the cat", dz_add_pair(world, ann, docked, cat));
    yes("still at Bob", dz_has_pair(world, ann, docked, bob));
    yes("at the cat", dz_has_pair(world, ann, docked, cat));
    answer("Ann likes Bob no longer", dz_remove_pair(world, ann, likes, bob));
    answer("destroy the cat", dz_destroy(world, cat));
    yes("somebody likes somebody", !dz_query_is_empty(world, query));
    if (!dz_has(world, bob, pair)) refused("the cat's pair by its id");
    if (dz_failed(dz_add_pair(world, ann, likes, cat))) refused("a pair with the dead cat");
    dz_world_destroy(world);
}

static void children(dz_world world, const char *what, dz_entity parent, dz_id position)
{
    dz_entity batch[2];
    uint32_t n;
    printf("%s: %u:", what, dz_child_count(world, parent));
    for (dz_entity after = DZ_NULL; (n = dz_children(world, parent, after, batch, 2)) != 0; after = batch[n - 1])
        for (uint32_t i = 0; i < n; i++) printf(" %d", (int)number(world, batch[i], position));
    printf("\n");
}

void hierarchy(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position);
    dz_entity e[7], tree[8];
    dz_query down;
    dz_iter it;
    int32_t sum = 0;
    uint32_t i, n;
    for (i = 1; i < 7; i++) e[i] = at(world, position, (int32_t)i);
    for (i = 2; i < 5; i++) dz_set_parent(world, e[i], e[1]);
    answer("5 below 2", dz_set_parent(world, e[5], e[2]));
    answer("6 below 5, as an id", dz_add(world, e[6], DZ_CHILDOF(e[5])));
    children(world, "children of 1", e[1], position);
    answer("4 goes first", dz_move_child(world, e[4], DZ_PLACE_FIRST, DZ_NULL));
    answer("2 goes behind 3", dz_move_child(world, e[2], DZ_PLACE_AFTER, e[3]));
    children(world, "children of 1", e[1], position);
    printf("parent of 6: %d, depth %u\n", (int)number(world, dz_parent(world, e[6]), position), dz_depth(world, e[6]));
    n = dz_ancestors(world, e[6], tree, 8);
    printf("above 6:");
    for (i = 0; i < n; i++) printf(" %d", (int)number(world, tree[i], position));
    n = dz_subtree(world, e[1], DZ_CHILDREN_FIRST, DZ_NULL, tree, 8);
    printf("\nsubtree, children first:");
    for (i = 0; i < n; i++) printf(" %d", (int)number(world, tree[i], position));
    printf("\n");
    if (dz_failed(dz_set_parent(world, e[1], e[6]))) refused("a cycle");
    down = dz_query_parse(world, "[cascade] Position, [in] ?Position(parent)");
    printf("depths, parents first:");
    for (dz_iterate(world, down, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            const Position *above = DZ_AT_IF(it, Position, 1, i);
            dz_entity entity = dz_iter_entity(&it, i);
            printf(" %u", dz_depth(world, entity));
            sum += above ? above->x : 0;
        }
    }
    printf("\nsum of the parents' numbers: %d\n", (int)sum);
    answer("2 becomes a root", dz_set_parent(world, e[2], DZ_NULL));
    answer("destroy 1", dz_destroy(world, e[1]));
    for (i = 1; i < 7; i++) printf("  %u lives: %d\n", i, (int)dz_is_alive(world, e[i]));
    dz_world_destroy(world);
}

void names(void)
{
    dz_world world = new_world();
    dz_entity sol = dz_create(world), earth = dz_create(world), moon = dz_create(world), other = dz_create(world);
    char path[32];
    dz_set_parent(world, earth, sol);
    dz_set_parent(world, moon, earth);
    dz_set_name(world, sol, "sol");
    dz_set_name(world, earth, "earth");
    answer("name", dz_set_name(world, moon, "moon"));
    printf("its name: %s\n", dz_name(world, moon));
    printf("its path: %u bytes,", dz_path(world, moon, DZ_NULL, NULL, path, sizeof path));
    printf(" %s\n", path);
    dz_path(world, moon, sol, "/", path, sizeof path);
    printf("below sol: %s\n", path);
    yes("lookup finds it", dz_lookup(world, DZ_NULL, "sol.earth.moon", NULL) == moon);
    yes("from earth", dz_lookup(world, earth, "moon", NULL) == moon);
    yes("mars is there", dz_lookup(world, DZ_NULL, "sol/mars", "/") != DZ_NULL);
    yes("no error", dz_error_status() == DZ_OK);
    answer("another sol", dz_set_name(world, other, "sol"));
    refused("because");
    answer("take the name off", dz_set_name(world, moon, NULL));
    answer("again", dz_set_name(world, moon, NULL));
    yes("it has a name", dz_name(world, moon) != NULL);
    if (dz_failed(dz_set_name(world, moon, ""))) refused("an empty name");
    dz_world_destroy(world);
}

void instances(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position), mass = DZ_COMPONENT(world, Mass);
    dz_entity base = at(world, position, 7), part = at(world, position, 8), ship;
    dz_query query;
    dz_set_parent(world, part, base);
    dz_set_name(world, part, "engine");
    DZ_SET(world, base, mass, (&(Mass){70}));
    ship = dz_instantiate(world, base);
    yes("it is a base", dz_is_base(world, base));
    yes("the base of the instance", dz_base(world, ship) == base);
    printf("Position from the base: %d\n", (int)number(world, ship, position));
    yes("its own", dz_source(world, ship, position) == ship);
    if (!dz_get_mut(world, ship, position)) refused("write to what is inherited");
    answer("override", dz_override(world, ship, position));
    DZ_GET_MUT(world, ship, Position, position)->x = 9;
    yes("its own", dz_source(world, ship, position) == ship);
    printf("instance %d, base %d\n", (int)number(world, ship, position), (int)number(world, base, position));
    DZ_SET(world, base, mass, (&(Mass){71}));
    printf("Mass from the base: %d\n", (int)DZ_GET(world, ship, Mass, mass)->kg);
    printf("children of the instance: %u\n", dz_child_count(world, ship));
    printf("its engine has %d\n", (int)number(world, dz_lookup(world, ship, "engine", NULL), position));
    query = dz_query_parse(world, "Position(inherit)");
    printf("with Position, inherited or not: %u\n", dz_query_count(world, query));
    answer("no longer an instance", dz_remove(world, ship, DZ_INSTANCEOF(base)));
    yes("has Mass", dz_has(world, ship, mass));
    dz_world_destroy(world);
}

void disabling(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position), velocity = DZ_COMPONENT(world, Velocity);
    dz_entity a = at(world, position, 1), b = at(world, position, 2);
    dz_query both, still;
    DZ_SET(world, a, velocity, (&(Velocity){1, 1}));
    DZ_SET(world, b, velocity, (&(Velocity){2, 2}));
    both = dz_query_parse(world, "Position, Velocity");
    still = dz_query_parse(world, "Position, !Velocity");
    answer("disable the first", dz_set_enabled(world, a, false));
    answer("again", dz_set_enabled(world, a, false));
    printf("matches: %u\n", dz_query_count(world, both));
    printf("it still has %d\n", (int)number(world, a, position));
    answer("disable a component of the second", dz_set_component_enabled(world, b, velocity, false));
    printf("matches: %u, without Velocity: %u\n", dz_query_count(world, both), dz_query_count(world, still));
    yes("has it", dz_has(world, b, velocity));
    yes("is it enabled", dz_is_component_enabled(world, b, velocity));
    answer("enable the first", dz_set_enabled(world, a, true));
    answer("and the component", dz_set_component_enabled(world, b, velocity, true));
    printf("matches: %u\n", dz_query_count(world, both));
    dz_world_destroy(world);
}
