/* Instances: what is read through to a base, what is made of a base with children, who passes over bases. */
#include "check.h"

typedef struct { int32_t left, full; } Hull;
typedef struct { int32_t count; } Crew;

static dz_world world;
static dz_id hull, crew, armed;
static dz_entity ship;

static void begin(void)
{
    world = check_world();
    hull = DZ_COMPONENT(world, Hull), crew = DZ_COMPONENT(world, Crew), armed = DZ_TAG(world, Armed);
    ship = dz_create(world);
    CHECK_OK(DZ_SET(world, ship, hull, (&(Hull){100, 100})));
    CHECK_OK(DZ_SET(world, ship, crew, (&(Crew){7})));
}

static uint32_t count(const char *text)
{
    uint32_t n = 0;
    dz_iter it;
    dz_query query = dz_query_parse(world, text);
    CHECK(query.bits != 0);
    CHECK_OK(dz_iterate(world, query, &it));
    while (dz_next(&it)) n += it.count;
    CHECK_EQ(dz_query_count(world, query), n);
    CHECK_OK(dz_query_destroy(world, query));
    return n;
}

static int32_t left(dz_entity of)
{
    const Hull *h = DZ_GET(world, of, Hull, hull);
    return h ? h->left : -1;
}

static void read_through_until_overridden(void)
{
    dz_entity a, b, far;
    dz_id type[4];
    uint32_t n;
    begin();
    a = dz_instantiate(world, ship), b = dz_create(world);
    CHECK_OK(dz_add(world, b, DZ_INSTANCEOF(ship)));
    CHECK_IS(dz_add(world, b, DZ_INSTANCEOF(ship)), DZ_ALREADY_THERE);
    CHECK(left(a) == 100 && left(b) == 100 && dz_has(world, a, crew) && dz_has(world, a, DZ_INSTANCEOF(ship)));
    CHECK(dz_get(world, a, hull) == dz_get(world, ship, hull));
    CHECK(dz_source(world, a, hull) == ship && dz_source(world, ship, hull) == ship && dz_base(world, a) == ship);
    QUIETLY(dz_source(world, a, armed), DZ_NULL);
    QUIETLY(dz_has(world, a, armed), false);
    REFUSED_0(world, dz_get_mut(world, a, hull), DZ_ERR_INHERITED);
    CHECK(dz_get_mut(world, a, hull) == NULL);
    CHECK_SAYS("has component \"Hull\" (");
    CHECK_OK(dz_type(world, a, type, 4, &n));
    CHECK(n == 1 && type[0] == DZ_INSTANCEOF(ship));
    /* By set, by override, and by asking for it. */
    CHECK_OK(DZ_SET(world, a, hull, (&(Hull){40, 100})));
    CHECK(left(a) == 40 && left(b) == 100 && dz_source(world, a, hull) == a);
    CHECK_OK(dz_override(world, b, hull));
    CHECK_IS(dz_override(world, b, hull), DZ_ALREADY_THERE);
    ((Hull *)dz_get_mut(world, b, hull))->left = 1;
    CHECK(left(b) == 1 && left(ship) == 100);
    CHECK_EQ(((Crew *)dz_get_or_add(world, b, crew))->count, 7);
    CHECK_EQ(dz_source(world, b, crew), b);
    REFUSED(world, dz_override(world, b, armed), DZ_ERR_NOT_HELD);
    CHECK_IS(dz_override(world, b, armed), DZ_ERR_NOT_HELD);
    CHECK_SAYS("doesn't have component \"Armed\" (");
    CHECK_SAYS(", and no base of it does");
    /* Removing one's own brings the base's back. */
    CHECK_OK(dz_remove(world, a, hull));
    CHECK_EQ(left(a), 100);
    CHECK_OK(dz_add(world, ship, armed));
    CHECK(dz_has(world, a, armed) && dz_source(world, a, armed) == ship);
    CHECK_OK(dz_override(world, a, armed));
    CHECK_EQ(dz_source(world, a, armed), a);
    /* A base of a base, and no cycles. */
    far = dz_instantiate(world, a);
    CHECK(left(far) == 100 && dz_source(world, far, armed) == a && dz_source(world, far, crew) == ship);
    REFUSED(world, dz_add(world, ship, DZ_INSTANCEOF(far)), DZ_ERR_CYCLE);
    REFUSED(world, dz_add(world, far, DZ_INSTANCEOF(far)), DZ_ERR_CYCLE);
    REFUSED(world, dz_add(world, far, DZ_INSTANCEOF(hull)), DZ_ERR_IS_COMPONENT);
    REFUSED_0(world, dz_get(world, far, DZ_INSTANCEOF(a)), DZ_ERR_TAG);
    /* Another base, none, a dead one. */
    CHECK_OK(dz_add(world, far, DZ_INSTANCEOF(b)));
    CHECK(dz_base(world, far) == b && left(far) == 1 && !dz_has(world, far, DZ_INSTANCEOF(a)));
    CHECK_OK(dz_remove(world, far, DZ_INSTANCEOF(b)));
    CHECK(left(far) == -1 && dz_base(world, far) == DZ_NULL);
    CHECK_OK(dz_destroy(world, ship));
    CHECK(left(a) == -1 && left(b) == 1 && dz_base(world, a) == DZ_NULL);
    CHECK_OK(dz_world_destroy(world));
}

static void queries_see_what_is_own_unless_asked(void)
{
    dz_entity a, free_ship;
    dz_iter it;
    dz_query query;
    dz_term terms[2];
    uint32_t n;
    int32_t sum = 0;
    begin();
    free_ship = dz_clone(world, ship);
    CHECK(count("Hull") == 2 && count("[bases] Hull") == 0);
    a = dz_instantiate(world, ship);
    CHECK(dz_is_base(world, ship) && !dz_is_base(world, a));
    CHECK(count("Hull") == 1 && count("[bases] Hull") == 1 && count("[bases] Hull, !Crew") == 0);
    CHECK_EQ(count("Hull(inherit)"), 2);
    CHECK_EQ(count("Hull(inherit), !Crew(inherit)"), 0);
    CHECK_OK(DZ_SET(world, a, crew, (&(Crew){1})));
    CHECK_EQ(count("Crew, Hull(inherit)"), 2);
    CHECK_OK(dz_set_name(world, ship, "ship"));
    CHECK(count("(InstanceOf, ship)") == 1 && count("Crew, !(InstanceOf, ship)") == 1);
    CHECK(dz_query_parse(world, "(InstanceOf, *)").bits == 0);
    CHECK_SAYS("column 14: a target's name is expected, as the relation is any, ChildOf or InstanceOf");
    CHECK(dz_query_parse(world, "Crew, [out] Hull(inherit)").bits == 0);
    CHECK_EQ(dz_error_status(), DZ_ERR_RANGE);
    CHECK_SAYS("only reads");
    query = dz_query_parse(world, "Crew, [inout] Hull(inherit)");
    CHECK_OK(dz_query_terms(world, query, terms, 2, &n));
    CHECK(terms[0].access == DZ_INOUT && terms[1].access == DZ_IN); /* what may be the base's is only read */
    CHECK_OK(dz_iterate(world, query, &it));
    while (dz_next(&it)) {
        uint32_t i;
        for (i = 0; i < it.count; i++) sum += DZ_AT(it, Hull, 1, i)->left + DZ_AT(it, Crew, 0, i)->count;
    }
    CHECK_EQ(sum, 208);
    CHECK(dz_query_matches(world, query, a) && dz_query_matches(world, query, free_ship) && !dz_query_matches(world, query, ship));
    CHECK_OK(dz_set_base(world, ship, false));
    CHECK_IS(dz_set_base(world, ship, false), DZ_NOTHING_TO_DO);
    CHECK_EQ(count("Hull"), 2);
    CHECK_OK(dz_world_destroy(world));
}

/* A ship with a turret that has two guns which aim at each other's turret, a crane outside, and names. */
static void a_tree_is_made_as_a_whole(void)
{
    dz_entity turret, guns[2], outside, aims, a, b, of;
    begin();
    turret = dz_create(world), guns[0] = dz_create(world), guns[1] = dz_create(world), outside = dz_create(world);
    aims = dz_create(world);
    CHECK_OK(dz_set_parent(world, turret, ship));
    CHECK_OK(dz_set_parent(world, guns[0], turret));
    CHECK_OK(dz_set_parent(world, guns[1], turret));
    CHECK_OK(dz_set_name(world, ship, "ship"));
    CHECK_OK(dz_set_name(world, turret, "turret"));
    CHECK_OK(dz_set_name(world, guns[1], "gun"));
    CHECK_OK(DZ_SET(world, guns[1], hull, (&(Hull){5, 5})));
    CHECK_OK(dz_add_pair(world, guns[0], aims, ship));
    CHECK_OK(DZ_SET_PAIR(world, guns[1], hull, guns[0], (&(Hull){9, 9})));
    CHECK_OK(dz_add_pair(world, ship, aims, outside));
    CHECK_OK(dz_add(world, ship, turret));
    a = dz_instantiate(world, ship), b = dz_instantiate(world, ship);
    CHECK_OK(dz_set_name(world, a, "a"));
    CHECK_EQ(dz_child_count(world, a), 1);
    of = dz_lookup(world, DZ_NULL, "a.turret.gun", NULL);
    CHECK(of != DZ_NULL && of != guns[1] && dz_base(world, of) == guns[1] && left(of) == 5);
    CHECK(dz_has_pair(world, dz_previous_sibling(world, of), aims, a));
    CHECK(!dz_has_pair(world, dz_previous_sibling(world, of), aims, ship));
    CHECK_EQ(((const Hull *)dz_get_pair(world, of, hull, dz_previous_sibling(world, of)))->left, 9);
    CHECK(dz_has_pair(world, a, aims, outside));
    CHECK(dz_has(world, a, dz_first_child(world, a)) && !dz_has(world, a, turret));
    CHECK(dz_is_base(world, guns[0]) && count("Hull") == 0 && count("Hull(inherit)") == 4);
    CHECK_OK(dz_destroy(world, a));
    CHECK(!dz_is_alive(world, of) && dz_child_count(world, b) == 1);
    CHECK_OK(dz_destroy(world, ship));
    CHECK(dz_child_count(world, b) == 1 && left(b) == -1);
    CHECK_OK(dz_world_clear(world));
    CHECK_OK(dz_world_destroy(world));
}

/* Both halves of a symmetric pair have a value each: so they do in what is made of both. */
static void halves_of_a_pair_have_their_own_values(void)
{
    dz_relation_desc traits = DZ_RELATION_DESC_INIT;
    dz_entity gun, made, of_gun;
    begin();
    traits.symmetric = 1;
    CHECK_OK(dz_relation_set(world, crew, &traits));
    gun = dz_create(world);
    CHECK_OK(dz_set_parent(world, gun, ship));
    CHECK_OK(DZ_SET_PAIR(world, ship, crew, gun, (&(Crew){1})));
    CHECK_OK(DZ_SET_PAIR(world, gun, crew, ship, (&(Crew){2})));
    made = dz_instantiate(world, ship), of_gun = dz_first_child(world, made);
    CHECK_EQ(((const Crew *)dz_get_pair(world, made, crew, of_gun))->count, 1);
    CHECK_EQ(((const Crew *)dz_get_pair(world, of_gun, crew, made))->count, 2);
    CHECK_OK(dz_world_destroy(world));
}

/* Who of many matches, by a look at each: each is asked for by name, and what is handed out is what dz_get finds. */
static uint32_t looked_at(const char *text, const dz_entity *all, uint32_t most, int32_t needs_crew, int32_t needs_hull)
{
    uint32_t i, n = 0, expected = 0;
    dz_iter it;
    dz_query query = dz_query_parse(world, text);
    CHECK(query.bits != 0);
    for (i = 0; i < most; i++) {
        bool own, any, matches = false;
        if (!dz_is_alive(world, all[i])) continue;
        if (dz_is_enabled(world, all[i]) && !dz_is_base(world, all[i])) {
            own = dz_source(world, all[i], crew) == all[i], any = dz_has(world, all[i], hull);
            matches = (!needs_crew || own) && (needs_hull == 0 || any == (needs_hull > 0));
        }
        QUIETLY(dz_query_matches(world, query, all[i]), matches);
        expected += matches;
    }
    CHECK_OK(dz_iterate(world, query, &it));
    while (dz_next(&it)) {
        for (i = 0; i < it.count; i++, n++) {
            dz_entity at = dz_iter_entity(&it, i);
            CHECK(dz_query_matches(world, query, at));
            if (needs_hull >= 0) CHECK(DZ_AT_IF(it, Hull, (uint32_t)needs_crew, i) == dz_get(world, at, hull));
        }
    }
    CHECK_EQ(n, expected);
    CHECK_EQ(dz_query_count(world, query), expected);
    CHECK_OK(dz_query_destroy(world, query));
    return expected;
}

static void instances_among_many_are_found(void)
{
    enum { N = 1000 };
    static const char *const texts[] = {"Hull(inherit)", "Crew, Hull(inherit)", "Crew, !Hull(inherit)", "Crew, ?Hull(inherit)",
                                        "[cascade] Hull(inherit)", "[cascade] Crew, Hull(inherit)"};
    static const int32_t asks[][2] = {{0, 1}, {1, 1}, {1, -1}, {1, 0}, {0, 1}, {1, 1}};
    static dz_entity all[N + 1];
    dz_entity bare, above;
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_query_details details;
    dz_query kept;
    uint32_t i, k, round;
    begin();
    bare = dz_create(world), above = dz_create(world);
    CHECK_OK(dz_add(world, bare, armed));
    CHECK_OK(dz_add(world, above, DZ_INSTANCEOF(ship)));
    for (i = 0; i < N; i++) {
        /* Some neighbourhoods have no instance, some only instances of who has no hull. */
        bool here = i / 100 % 3 != 1;
        all[i] = dz_create(world);
        if (here && i % 9 == 4) CHECK_OK(dz_add(world, all[i], DZ_INSTANCEOF(i % 2 ? ship : above)));
        else if (i / 100 % 3 && i % 4 == 1) CHECK_OK(dz_add(world, all[i], DZ_INSTANCEOF(bare)));
        if (i % 50 == 7) CHECK_OK(DZ_SET(world, all[i], hull, (&(Hull){(int32_t)i, 1})));
        if (i % 3) CHECK_OK(DZ_SET(world, all[i], crew, (&(Crew){(int32_t)i})));
        if (i % 40 == 13) CHECK_OK(dz_set_enabled(world, all[i], false));
        if (i % 7 == 5) CHECK_OK(dz_set_parent(world, all[i], all[i / 2]));
    }
    all[N] = ship;
    desc.text = texts[0], desc.kept = 1;
    kept = dz_query_create(world, &desc);
    for (round = 0; round < 4; round++) {
        CHECK_OK(dz_query_refresh(world, kept));
        CHECK_OK(dz_query_info(world, kept, &details));
        CHECK(details.fresh);
        for (k = 0; k < sizeof texts / sizeof *texts; k++) {
            i = looked_at(texts[k], all, N + 1, asks[k][0], asks[k][1]);
            CHECK(round == 3 || i > 10);
            if (k == 0) CHECK_EQ(dz_query_count(world, kept), i);
        }
        CHECK_OK(dz_query_info(world, kept, &details));
        CHECK(details.fresh);
        if (round == 0) CHECK_OK(dz_destroy(world, all[4])); /* an instance; then the base of half of them; then what it was of */
        if (round == 1) CHECK_OK(dz_remove(world, ship, hull));
        if (round == 1) CHECK_OK(DZ_SET(world, above, hull, (&(Hull){5, 5})));
        if (round == 2) CHECK_OK(dz_destroy(world, above));
        CHECK_OK(dz_query_info(world, kept, &details));
        CHECK(round == 3 || !details.fresh);
    }
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(read_through_until_overridden);
    RUN(queries_see_what_is_own_unless_asked);
    RUN(instances_among_many_are_found);
    RUN(a_tree_is_made_as_a_whole);
    RUN(halves_of_a_pair_have_their_own_values);
    return check_done();
}
