/* What docs/relationships.md says, section by section. test_pair, test_tree and test_relations go into the depth. */
#include "check.h"

typedef struct { float x, y; } Position;
typedef struct { double left; } Expiry;
typedef struct { float x; } Local;
typedef struct { float x; } Global;
typedef struct { const Local *local; const Global *above; Global *global; } Node; /* above: NULL for who has none */

static dz_world world;
static dz_id position, expiry, cargo;
static dz_entity likes, in, e[320];

static dz_entity named(const char *name, dz_entity parent)
{
    dz_entity made = dz_create(world);
    CHECK_OK(dz_set_name(world, made, name));
    if (parent != DZ_NULL) CHECK_OK(dz_set_parent(world, made, parent));
    return made;
}

static void begin(void)
{
    world = check_world();
    position = DZ_COMPONENT(world, Position), expiry = DZ_COMPONENT(world, Expiry), cargo = DZ_TAG(world, Cargo);
    likes = named("Likes", DZ_NULL), in = named("In", DZ_NULL);
    CHECK_OK(dz_create_n(world, 320, e));
}

static void end(void)
{
    CHECK_OK(dz_world_destroy(world));
}

static dz_query parse(const char *text)
{
    dz_query query = dz_query_parse(world, text);
    if (!CHECK(query.bits != 0)) fprintf(stderr, "%s\n", text);
    return query;
}

static uint32_t count(const char *text)
{
    dz_query query = parse(text);
    uint32_t n = dz_query_count(world, query);
    CHECK_OK(dz_query_destroy(world, query));
    return n;
}

static bool refused(const char *text)
{
    bool none = dz_query_parse(world, text).bits == 0;
    if (!none) fprintf(stderr, "%s\n", text);
    return none;
}

static void what_goes_together(void)
{
    dz_world other;
    dz_entity foreign, twin;
    dz_id type[8], id;
    uint32_t n;
    const void *value;
    begin();
    CHECK_OK(dz_add_pair(world, e[0], likes, likes));
    CHECK_OK(dz_add_pair(world, e[0], likes, e[0]));
    CHECK_OK(dz_add_pair(world, e[0], e[0], e[0]));
    CHECK_OK(dz_add_pair(world, e[0], position, position));
    CHECK_IS(dz_add_pair(world, e[0], likes, likes), DZ_ALREADY_THERE);
    CHECK_IS(dz_remove_pair(world, e[0], likes, e[1]), DZ_NOT_THERE);
    /* Whose type the value has. */
    CHECK_OK(DZ_SET_PAIR(world, e[1], expiry, position, (&(Expiry){1})));
    CHECK_OK(DZ_SET_PAIR(world, e[1], cargo, position, (&(Position){1, 2})));
    CHECK_OK(DZ_SET_PAIR(world, e[1], likes, position, (&(Position){1, 2})));
    REFUSED(world, DZ_SET_PAIR(world, e[1], expiry, e[2], (&(int32_t){1})), DZ_ERR_SIZE);
    REFUSED(world, DZ_SET_PAIR(world, e[1], likes, cargo, (&(Position){1, 2})), DZ_ERR_TAG);
    /* What is an error. */
    id = dz_pair(world, likes, e[1]);
    REFUSED_0(world, dz_pair(world, likes, id), DZ_ERR_ROLE);
    REFUSED_0(world, dz_pair(world, id, e[1]), DZ_ERR_ROLE);
    REFUSED_0(world, dz_pair(world, likes, DZ_CHILDOF(e[1])), DZ_ERR_ROLE);
    REFUSED_0(world, dz_pair(world, DZ_NULL, e[1]), DZ_ERR_NULL_ENTITY);
    REFUSED(world, dz_add_pair(world, position, likes, e[1]), DZ_ERR_IS_COMPONENT);
    other = check_world(), foreign = dz_create(other);
    if (check_layout == DZ_LAYOUT_64) REFUSED_0(world, dz_pair(world, likes, foreign), DZ_ERR_WRONG_WORLD);
    CHECK_OK(dz_world_destroy(other));
    /* Lists, types, copies, other tags. */
    CHECK_OK(dz_add_pair(world, e[2], expiry, e[3]));
    CHECK_OK(dz_add(world, e[2], e[4]));
    CHECK_OK(dz_add(world, e[2], DZ_ROLE(200, e[4])));
    CHECK_OK(dz_set_parent(world, e[2], e[5]));
    CHECK_OK(dz_set_name(world, e[2], "two"));
    CHECK_OK(dz_type(world, e[2], type, 8, &n));
    CHECK_EQ(n, 4);
    twin = dz_clone(world, e[2]);
    CHECK(dz_has_pair(world, twin, expiry, e[3]) && dz_has(world, twin, e[4]) && dz_parent(world, twin) == e[5]);
    QUIETLY(dz_name(world, twin) != NULL, false);
    /* For components only. */
    REFUSED(world, dz_add_n(world, e, 2, id), DZ_ERR_ROLE);
    REFUSED_0(world, dz_count(world, id), DZ_ERR_ROLE);
    /* A value stays where it is. */
    value = dz_get_pair(world, e[2], expiry, e[3]);
    for (n = 6; n < 300; n++) CHECK_OK(dz_add_pair(world, e[n], expiry, e[3]));
    for (n = 6; n < 300; n += 2) CHECK_OK(dz_remove_pair(world, e[n], expiry, e[3]));
    CHECK(dz_get_pair(world, e[2], expiry, e[3]) == value);
    end();
}

static void two_ways_to_name_a_pair(void)
{
    dz_entity next;
    dz_id id;
    begin();
    id = dz_pair(world, likes, e[1]);
    CHECK_OK(dz_add(world, e[0], id));
    CHECK(dz_has_pair(world, e[0], likes, e[1]));
    CHECK_OK(dz_destroy(world, e[1]));
    next = dz_create(world);
    CHECK_EQ(dz_entity_index(next), dz_entity_index(e[1]));
    REFUSED(world, dz_add(world, e[2], id), DZ_ERR_NO_PAIR);
    REFUSED(world, dz_add_pair(world, e[2], likes, e[1]), DZ_ERR_DEAD);
    CHECK_EQ(dz_pair(world, likes, next) == id, check_layout == DZ_LAYOUT_64);
    REFUSED(world, dz_add_pair(world, e[2], likes, e[1]), DZ_ERR_DEAD);
    QUIETLY(dz_has_pair(world, e[0], likes, next), false);
    end();
}

static void what_a_relation_promises(void)
{
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    uint32_t n, i;
    begin();
    desc.transitive = 1;
    REFUSED(world, dz_relation_set(world, in, &desc), DZ_ERR_TRAITS);
    desc.acyclic = 1, desc.symmetric = 1;
    REFUSED(world, dz_relation_set(world, in, &desc), DZ_ERR_TRAITS);
    desc.symmetric = 0, desc.reflexive = 1;
    CHECK_OK(dz_relation_set(world, in, &desc));
    for (i = 0; i < 200; i++) CHECK_OK(dz_add_pair(world, e[i], in, e[i + 1]));
    desc.reflexive = 0;
    REFUSED(world, dz_relation_set(world, in, &desc), DZ_ERR_TRAITS);
    desc.reflexive = 1;
    CHECK(dz_has_pair(world, e[0], in, e[128]) && dz_has_pair(world, e[0], in, e[0]));
    CHECK(dz_has(world, e[0], dz_pair(world, in, e[128])));
    REFUSED_0(world, dz_has_pair(world, e[0], in, e[129]), DZ_ERR_DEEP);
    REFUSED(world, dz_add_pair(world, e[5], in, e[0]), DZ_ERR_CYCLE);
    /* Found by a term with a fixed target; lists and * show what was added. */
    CHECK_OK(dz_set_name(world, e[128], "Sol"));
    CHECK_OK(dz_add(world, e[100], cargo));
    CHECK_EQ(count("Cargo, (In, Sol)"), 1);
    CHECK_EQ(count("Cargo, (In, *)"), 1);
    CHECK_OK(dz_pair_targets(world, e[100], in, NULL, 0, &n));
    CHECK_EQ(n, 1);
    CHECK_OK(dz_pair_holders(world, dz_pair(world, in, e[128]), NULL, 0, &n));
    CHECK_EQ(n, 1);
    REFUSED_NULL(world, dz_get_pair(world, e[100], in, e[128]), DZ_ERR_TAG);
    end();
}

static void the_hierarchy(void)
{
    dz_entity list[4], of = DZ_NULL, sol, earth;
    dz_query query;
    dz_term term;
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_iter it;
    uint32_t i;
    begin();
    for (i = 1; i < 4; i++) CHECK_OK(dz_set_parent(world, e[i], e[0]));
    CHECK_OK(dz_set_parent(world, e[1], e[0]));
    CHECK_EQ(dz_last_child(world, e[0]), e[1]);
    CHECK_OK(dz_move_child(world, e[1], DZ_PLACE_AFTER, e[2]));
    CHECK_EQ(dz_children(world, e[0], DZ_NULL, list, 4), 3);
    CHECK(list[0] == e[2] && list[1] == e[1] && list[2] == e[3]);
    CHECK_OK(dz_set_parent(world, e[4], e[2]));
    CHECK_EQ(dz_subtree(world, e[0], DZ_CHILDREN_FIRST, DZ_NULL, list, 4), 4);
    CHECK(list[0] == e[4] && list[1] == e[2]);
    REFUSED(world, dz_set_parent(world, e[0], e[4]), DZ_ERR_CYCLE);
    CHECK_OK(dz_set_parent(world, e[5], position));
    REFUSED(world, dz_set_parent(world, position, e[0]), DZ_ERR_IS_COMPONENT);
    CHECK(dz_has(world, e[1], DZ_CHILDOF(e[0])));
    /* The children of one, in their order. */
    memset(&term, 0, sizeof term);
    term.id = DZ_CHILDOF(e[0]), desc.terms = &term, desc.term_count = 1;
    query = dz_query_create(world, &desc);
    for (dz_iterate(world, query, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            CHECK(of == DZ_NULL || dz_next_sibling(world, of) == dz_iter_entity(&it, i));
            of = dz_iter_entity(&it, i);
        }
    }
    CHECK_EQ(of, e[3]);
    CHECK_OK(dz_destroy(world, e[0]));
    CHECK(!dz_is_alive(world, e[4]));
    /* Names. */
    sol = named("sol", DZ_NULL), earth = named("earth", sol);
    CHECK_EQ(dz_lookup(world, DZ_NULL, "sol.earth", NULL), earth);
    CHECK_EQ(dz_lookup(world, sol, "earth", "/"), earth);
    QUIETLY(dz_lookup(world, DZ_NULL, "Position", NULL), DZ_NULL);
    CHECK_EQ(dz_component_find(world, "Position"), position);
    CHECK(strcmp(dz_name(world, position), "Position") == 0);
    CHECK_OK(dz_set_name(world, e[6], "earth"));
    REFUSED(world, dz_set_parent(world, e[6], sol), DZ_ERR_NAME_TAKEN);
    end();
}

static void queries(void)
{
    dz_query query;
    dz_iter it;
    begin();
    named("Bob", DZ_NULL), named("Ann", DZ_NULL);
    CHECK_OK(dz_add_pair(world, e[0], likes, dz_lookup(world, DZ_NULL, "Bob", NULL)));
    CHECK_OK(dz_add_pair(world, e[0], likes, dz_lookup(world, DZ_NULL, "Ann", NULL)));
    CHECK_OK(dz_add_pair(world, e[1], in, dz_lookup(world, DZ_NULL, "Bob", NULL)));
    CHECK_OK(dz_add(world, e[0], cargo));
    CHECK_OK(dz_add(world, e[1], cargo));
    CHECK_OK(dz_set_parent(world, e[1], e[0]));
    CHECK_OK(dz_add(world, dz_lookup(world, DZ_NULL, "Bob", NULL), position));
    CHECK_EQ(count("(Likes, Bob)"), 1);
    CHECK_EQ(count("(Likes, *)"), 2);
    CHECK_EQ(count("(*, Bob)"), 2);
    CHECK_EQ(count("(Likes, $x), Position($x)"), 1);
    CHECK_EQ(count("(Likes, $x), (Likes, $y)"), 4);
    CHECK_EQ(count("Cargo, !(Likes, *)"), 1);
    CHECK_EQ(count("Cargo, ?(Likes, *)"), 2);
    CHECK_EQ(count("Cargo, Cargo(parent)"), 1);
    CHECK_EQ(count("Cargo, Cargo(up)"), 1);
    CHECK_EQ(count("Cargo, Position(Bob)"), 2);
    CHECK_EQ(count("Cargo, Position(Ann)"), 0);
    CHECK_EQ(count("Cargo, Position(world)"), 0);
    CHECK_EQ(count("Cargo, (Likes, Bob)(parent)"), 1);
    CHECK_EQ(count("[cascade] Cargo, [in] ?Position(parent)"), 2);
    CHECK(refused("(*, *)") && refused("(*, $x)") && refused("Cargo, Position($x)") && refused("Cargo, !(Likes, $x)"));
    CHECK(refused("Cargo || (Likes, *)") && refused("Cargo, (Likes, Bob)(world)") && refused("!(Likes, *)"));
    CHECK(refused("(Likes, $a), (Likes, $b), (Likes, $c), (Likes, $d), (Likes, $e)"));
    /* Names are read once. */
    query = parse("(Likes, Bob)");
    CHECK_OK(dz_set_name(world, dz_lookup(world, DZ_NULL, "Bob", NULL), "Rob"));
    CHECK_EQ(dz_query_count(world, query), 1);
    REFUSED(world, dz_iterate_part(world, query, 0, 2, &it), DZ_ERR_RANGE);
    for (dz_iterate_runs(world, query, &it); dz_next(&it);) CHECK_EQ(it.count, 1);
    end();
}

/* A loop that does something to the world at its fifth match: how many it sees, and how it ends. */
static uint32_t loop(const char *text, void (*change)(dz_entity current), bool each_time, dz_status status)
{
    dz_query query = parse(text);
    dz_iter it;
    uint32_t seen = 0;
    for (dz_iterate(world, query, &it); dz_next(&it);) {
        DZ_EACH(it, i) {
            if (++seen == 5 || each_time) change(dz_iter_entity(&it, i));
        }
    }
    CHECK_IS((dz_status)it.status, status);
    CHECK_OK(dz_query_destroy(world, query));
    return seen;
}

static void unlike(dz_entity current) { CHECK_OK(dz_remove_pair(world, current, likes, e[300])); }
static void unlike_later(dz_entity current) { (void)current, CHECK_OK(dz_remove_pair(world, e[200], likes, e[300])); }
static void destroy(dz_entity current) { CHECK_OK(dz_destroy(world, current)); }
static void destroy_target(dz_entity current) { (void)current, CHECK_OK(dz_destroy(world, e[311])); }
static void change_hierarchy(dz_entity current) { (void)current, CHECK_OK(dz_set_parent(world, e[312], e[313])); }
static void drop_position(dz_entity current) { CHECK_OK(dz_remove(world, current, position)); }

static void likes_of_all(void)
{
    uint32_t i;
    begin();
    for (i = 0; i < 300; i++) CHECK_OK(dz_add_pair(world, e[i], likes, e[300]));
}

static void changes_while_iterating(void)
{
    uint32_t i;
    likes_of_all();
    CHECK_EQ(loop("(Likes, *)", unlike, true, DZ_OK), 300);
    end();
    likes_of_all();
    CHECK_EQ(loop("(Likes, *)", unlike_later, false, DZ_OK), 299);
    CHECK_EQ(loop("(Likes, *)", destroy, true, DZ_OK), 299);
    end();
    /* Another pair's target doesn't matter. */
    likes_of_all();
    CHECK_OK(dz_add_pair(world, e[310], in, e[311]));
    CHECK_EQ(loop("(Likes, *)", destroy_target, false, DZ_OK), 300);
    for (i = 0; i < 300; i++) CHECK_OK(dz_add(world, e[i], position));
    for (i = 1; i < 300; i++) CHECK_OK(dz_set_parent(world, e[i], e[i / 3]));
    CHECK_EQ(loop("[cascade] Position, ?Position(parent)", change_hierarchy, false, DZ_ERR_CHANGED), 5);
    CHECK_EQ(loop("[cascade] Position, ?Position(parent)", drop_position, true, DZ_OK), 300);
    end();
}

static void calculate(const Node *node)
{
    node->global->x = node->local->x + (node->above ? node->above->x : 0);
}

/* What e[i] comes to if its parent, e[i / 3], has come to the right value before it. */
static void all_are_right(dz_id global)
{
    float want[300];
    int i;
    for (i = 0; i < 300; i++) {
        Global *value = DZ_GET_MUT(world, e[i], Global, global);
        want[i] = (float)(i % 7) + (i > 2 ? want[i / 3] : 0);
        if (CHECK(value != NULL)) CHECK(value->x == want[i]), value->x = -1;
    }
}

/* The pieces that threads would share, one after the other: in a level the order doesn't matter, nor does that of roots. */
static void down_the_hierarchy(void)
{
    static Node nodes[300];
    static dz_entity below[300];
    static const void *locals[300];
    static void *globals[300];
    uint32_t first[16], count = 0, levels = 0, n, i;
    dz_id local, global;
    dz_query down;
    dz_iter it;
    begin();
    local = DZ_COMPONENT(world, Local), global = DZ_COMPONENT(world, Global);
    for (i = 0; i < 300; i++) {
        CHECK_OK(DZ_SET(world, e[299 - i], local, (&(Local){(float)((299 - i) % 7)})));
        CHECK(dz_get_or_add(world, e[i], global) != NULL);
        if (i > 2) CHECK_OK(dz_set_parent(world, e[i], e[i / 3]));
    }
    down = parse("[cascade] [in] Local, Global, [in] ?Global(parent)");
    CHECK_IS(dz_iterate_part(world, down, 0, 2, &it), DZ_ERR_RANGE);
    for (dz_iterate(world, down, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            uint32_t depth = dz_depth(world, dz_iter_entity(&it, i));
            while (levels <= depth) first[levels++] = count; /* where each level begins in nodes */
            nodes[count++] = (Node){DZ_AT(it, Local, 0, i), DZ_AT_IF(it, Global, 2, i), DZ_AT(it, Global, 1, i)};
        }
    }
    first[levels] = count;
    CHECK_EQ(count, 300);
    for (n = 0; n < levels; n++) {
        for (i = first[n + 1]; i-- > first[n];) calculate(&nodes[i]);
    }
    all_are_right(global);
    for (n = 3; n-- > 0;) {
        count = dz_subtree(world, e[n], DZ_PARENTS_FIRST, DZ_NULL, below, 300);
        CHECK_OK(dz_get_n(world, below, count, local, locals));
        CHECK_OK(dz_get_mut_n(world, below, count, global, globals));
        for (i = 0; i < count; i++) {
            dz_entity parent = dz_parent(world, below[i]);
            Node node = {locals[i], parent ? DZ_GET(world, parent, Global, global) : NULL, globals[i]};
            calculate(&node);
        }
    }
    all_are_right(global);
    end();
}

int main(void)
{
    RUN(what_goes_together);
    RUN(two_ways_to_name_a_pair);
    RUN(what_a_relation_promises);
    RUN(the_hierarchy);
    RUN(queries);
    RUN(changes_while_iterating);
    RUN(down_the_hierarchy);
    return check_done();
}
