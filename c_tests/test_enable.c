/* Entities and components that queries pass over, and nobody else; changed at random beside a plain account of it. */
#include "check.h"

typedef struct { float x, y; } Position;
typedef struct { float x, y; } Velocity;

enum { N = 200, STEPS = 6000 };

static dz_world world;
static dz_id position, velocity, frozen;

static uint32_t count(dz_query query)
{
    uint32_t n = 0;
    dz_iter it;
    CHECK_OK(dz_iterate(world, query, &it));
    while (dz_next(&it)) n += it.count;
    CHECK_OK((dz_status)it.status);
    CHECK_EQ(dz_query_count(world, query), n);
    return n;
}

static uint32_t in_pool(dz_id id, int32_t direction)
{
    uint32_t n = 0, i;
    dz_iter it;
    CHECK_OK(dz_iterate_pool(world, id, direction, &it));
    while (dz_next(&it)) {
        n += it.count;
        for (i = 0; i < it.count; i++) CHECK(dz_is_component_enabled(world, dz_iter_entity(&it, i), id));
    }
    CHECK_OK((dz_status)it.status);
    return n;
}

static void begin(void)
{
    world = check_world();
    position = DZ_COMPONENT(world, Position), velocity = DZ_COMPONENT(world, Velocity), frozen = DZ_TAG(world, Frozen);
}

static void only_queries_pass_over(void)
{
    Position p = {1, 2};
    dz_entity a, b;
    dz_query movers, still;
    dz_iter it;
    begin();
    a = dz_create(world), b = dz_create(world);
    movers = dz_query_parse(world, "Position, ?Velocity"), still = dz_query_parse(world, "Position, !Velocity");
    CHECK_OK(DZ_SET(world, a, position, &p));
    CHECK_OK(DZ_SET(world, b, position, &p));
    CHECK_OK(dz_add(world, a, velocity));
    CHECK(dz_is_enabled(world, a) && dz_is_component_enabled(world, a, position));
    CHECK_OK(dz_set_enabled(world, a, false));
    CHECK_IS(dz_set_enabled(world, a, false), DZ_NOTHING_TO_DO);
    CHECK(!dz_is_enabled(world, a) && dz_is_enabled(world, b) && !dz_is_component_enabled(world, a, position));
    CHECK(count(movers) == 1 && in_pool(position, DZ_FORWARD) == 1 && in_pool(position, DZ_BACKWARD) == 1);
    CHECK(dz_has(world, a, position) && ((const Position *)dz_get(world, a, position))->y == 2);
    CHECK_OK(DZ_SET(world, a, position, &p));
    CHECK(!dz_query_matches(world, movers, a));
    /* What it gets and loses meanwhile isn't seen either. */
    CHECK_OK(dz_add(world, a, frozen));
    CHECK_OK(dz_remove(world, a, velocity));
    CHECK_EQ(in_pool(frozen, DZ_FORWARD), 0);
    CHECK_EQ(count(still), 1);
    CHECK_OK(dz_set_enabled(world, a, true));
    CHECK(count(movers) == 2 && count(still) == 2 && in_pool(frozen, DZ_BACKWARD) == 1);
    /* One component. */
    CHECK_OK(dz_add(world, b, velocity));
    CHECK_OK(dz_set_component_enabled(world, b, velocity, false));
    CHECK_IS(dz_set_component_enabled(world, b, velocity, false), DZ_NOTHING_TO_DO);
    CHECK(dz_is_enabled(world, b) && !dz_is_component_enabled(world, b, velocity) && dz_has(world, b, velocity));
    CHECK(count(still) == 2 && count(movers) == 2);
    CHECK_OK(dz_iterate(world, movers, &it));
    while (dz_next(&it)) {
        uint32_t i;
        for (i = 0; i < it.count; i++) CHECK(DZ_AT_IF(it, Velocity, 1, i) == NULL);
    }
    CHECK_OK(dz_set_enabled(world, b, false));
    CHECK_OK(dz_set_enabled(world, b, true));
    CHECK(!dz_is_component_enabled(world, b, velocity));
    CHECK_OK(dz_remove(world, b, velocity));
    CHECK_OK(dz_add(world, b, velocity));
    CHECK(dz_is_component_enabled(world, b, velocity) && count(still) == 1);
    REFUSED(world, dz_set_component_enabled(world, a, velocity, false), DZ_ERR_NOT_HELD);
    REFUSED(world, dz_set_enabled(world, position, false), DZ_ERR_IS_COMPONENT);
    /* Whoever has the slot next is enabled. */
    CHECK_OK(dz_set_enabled(world, a, false));
    CHECK_OK(dz_destroy(world, a));
    REFUSED(world, dz_set_enabled(world, a, true), DZ_ERR_DEAD);
    a = dz_create(world);
    CHECK_OK(DZ_SET(world, a, position, &p));
    CHECK(dz_is_enabled(world, a) && count(movers) == 2);
    CHECK_OK(dz_set_enabled(world, a, false));
    b = dz_clone(world, a);
    CHECK(dz_is_enabled(world, b) && count(movers) == 2);
    CHECK_OK(dz_shrink(world));
    CHECK(((const Position *)dz_get(world, a, position))->y == 2);
    CHECK_OK(dz_world_destroy(world));
}

static uint32_t dice;
static uint32_t roll(uint32_t sides)
{
    dice = dice * 1664525u + 1013904223u;
    return (dice >> 8) % sides;
}

/* Everything that may happen to disabled ones, beside groups, kept queries, sorting of the pools and both policies. */
static void like_a_plain_account(void)
{
    static struct { dz_entity id; bool has[3], off, hidden[3]; } all[N];
    uint32_t step, i, k, want[4];
    dz_id ids[3];
    dz_query queries[4], kept;
    dz_group group;
    dz_group_desc groups = DZ_GROUP_DESC_INIT;
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    begin();
    dice = 7;
    ids[0] = position, ids[1] = velocity, ids[2] = frozen;
    groups.owned = ids, groups.owned_count = 2, groups.excluded = ids + 2, groups.excluded_count = 1;
    group = dz_group_create(world, &groups);
    queries[0] = dz_query_parse(world, "Position, Velocity, !Frozen");
    queries[1] = dz_query_parse(world, "Position || Velocity");
    queries[2] = dz_query_parse(world, "Frozen, ?Position");
    queries[3] = dz_query_parse(world, "Position");
    desc.text = "Position, Velocity", desc.kept = 1;
    kept = dz_query_create(world, &desc);
    memset(all, 0, sizeof all);
    for (i = 0; i < N; i++) all[i].id = dz_create(world);
    for (step = 0; step < STEPS; step++) {
        i = roll(N), k = roll(3);
        switch (roll(8)) {
        case 0: case 1: CHECK((int)dz_add(world, all[i].id, ids[k]) >= 0), all[i].has[k] = true; break;
        case 2: CHECK((int)dz_remove(world, all[i].id, ids[k]) >= 0), all[i].has[k] = all[i].hidden[k] = false; break;
        case 3: case 4: all[i].off = !all[i].off; CHECK_OK(dz_set_enabled(world, all[i].id, !all[i].off)); break;
        case 5: case 6:
            if (!all[i].has[k]) break;
            all[i].hidden[k] = !all[i].hidden[k];
            CHECK_OK(dz_set_component_enabled(world, all[i].id, ids[k], !all[i].hidden[k]));
            break;
        default:
            if (roll(4)) break;
            CHECK_OK(dz_destroy(world, all[i].id));
            memset(&all[i], 0, sizeof all[i]);
            all[i].id = dz_create(world);
        }
        if (step % 50 == 0) CHECK_OK(dz_query_refresh(world, kept));
        if (step % 97 == 0) CHECK_OK(dz_optimize(world, 5, NULL));
        if (step % 1000 == 999) CHECK_OK(dz_shrink(world));
        if (step % 10) continue;
        memset(want, 0, sizeof want);
        for (i = 0; i < N; i++) {
            bool s[3];
            for (k = 0; k < 3; k++) {
                s[k] = all[i].has[k] && !all[i].hidden[k] && !all[i].off;
                CHECK_EQ(dz_has(world, all[i].id, ids[k]), all[i].has[k]);
                CHECK_EQ(dz_is_component_enabled(world, all[i].id, ids[k]), s[k]);
            }
            want[0] += s[0] && s[1] && !s[2], want[1] += s[0] || s[1], want[2] += s[2], want[3] += s[0];
            CHECK_EQ(dz_group_contains(world, group, all[i].id), s[0] && s[1] && !s[2]);
            CHECK_EQ(dz_query_matches(world, kept, all[i].id), s[0] && s[1]);
        }
        for (k = 0; k < 4; k++) CHECK_EQ(count(queries[k]), want[k]);
        CHECK_EQ(dz_group_count(world, group), want[0]);
        CHECK_EQ(in_pool(position, DZ_FORWARD), want[3]);
        CHECK_EQ(in_pool(position, DZ_BACKWARD), want[3]);
    }
    CHECK_OK(dz_world_clear(world));
    CHECK_EQ(count(queries[3]), 0);
    CHECK_OK(dz_world_destroy(world));
}

/* The same where few are disabled, or bases, for a while, and no group watches: then changes of all others take the short
   way, whatever they are tied to; with bits in the signatures, and without, which the first 31 components have. */
static void few_of_many(void)
{
    static struct { dz_entity id; bool has[3], off, base, hidden[3]; float x[2]; } all[N];
    uint32_t round, step, i, k, want[3];
    dz_id ids[3], likes;
    dz_query queries[3];
    for (round = 0; round < 4; round++) {
        uint32_t rare = round % 2 ? 40 : 400;
        world = check_world();
        likes = DZ_TAG(world, Likes);
        for (i = 0; i < 40 && round >= 2; i++) {
            char name[20];
            sprintf(name, "filler %u", (unsigned)i);
            CHECK_OK(dz_add(world, dz_create(world), dz_component_simple(world, name, 4, 4)));
        }
        ids[0] = dz_component_simple(world, "A", 4, 4);
        ids[1] = dz_component_simple(world, "B", 4, 4);
        ids[2] = DZ_TAG(world, C);
        queries[0] = dz_query_parse(world, "A, B, !C");
        queries[1] = dz_query_parse(world, "A || B");
        queries[2] = dz_query_parse(world, "C, ?A");
        memset(all, 0, sizeof all);
        for (i = 0; i < N; i++) {
            all[i].id = dz_create(world);
            if (i % 3 == 0) CHECK_OK(dz_add_pair(world, all[i].id, likes, all[0].id));
        }
        for (step = 0; step < STEPS; step++) {
            i = roll(N), k = roll(3);
            if (roll(rare) == 0) switch (roll(3)) {
            case 0: all[i].off = !all[i].off; CHECK_OK(dz_set_enabled(world, all[i].id, !all[i].off)); break;
            case 1: all[i].base = !all[i].base; CHECK_OK(dz_set_base(world, all[i].id, all[i].base)); break;
            default:
                if (!all[i].has[k]) break;
                all[i].hidden[k] = !all[i].hidden[k];
                CHECK_OK(dz_set_component_enabled(world, all[i].id, ids[k], !all[i].hidden[k]));
            }
            i = roll(N), k = roll(3);
            switch (roll(5)) {
            case 0:
                CHECK_EQ(dz_add(world, all[i].id, ids[k]), all[i].has[k] ? DZ_ALREADY_THERE : DZ_OK);
                if (!all[i].has[k] && k < 2) all[i].x[k] = 0;
                all[i].has[k] = true;
                break;
            case 1:
                if (k == 2) break;
                all[i].x[k] = (float)step;
                CHECK_OK(dz_set(world, all[i].id, ids[k], 4, &all[i].x[k]));
                all[i].has[k] = true;
                break;
            case 2: case 3:
                CHECK_EQ(dz_remove(world, all[i].id, ids[k]), all[i].has[k] ? DZ_OK : DZ_NOT_THERE);
                all[i].has[k] = all[i].hidden[k] = false;
                break;
            default:
                if (i == 0 || roll(4)) break;
                CHECK_OK(dz_destroy(world, all[i].id));
                memset(&all[i], 0, sizeof all[i]);
                all[i].id = dz_create(world);
                if (roll(2)) CHECK_OK(dz_add_pair(world, all[i].id, likes, all[0].id));
            }
            if (step % 10) continue;
            memset(want, 0, sizeof want);
            for (i = 0; i < N; i++) {
                bool s[3];
                for (k = 0; k < 3; k++) {
                    s[k] = all[i].has[k] && !all[i].hidden[k] && !all[i].off && !all[i].base;
                    CHECK_EQ(dz_has(world, all[i].id, ids[k]), all[i].has[k]);
                    CHECK_EQ(dz_is_component_enabled(world, all[i].id, ids[k]), s[k]);
                    if (k < 2) {
                        const float *at = (const float *)dz_get(world, all[i].id, ids[k]);
                        CHECK_EQ(at != NULL, all[i].has[k]);
                        if (at) CHECK(*at == all[i].x[k]);
                    }
                }
                want[0] += s[0] && s[1] && !s[2], want[1] += s[0] || s[1], want[2] += s[2];
            }
            for (k = 0; k < 3; k++) CHECK_EQ(count(queries[k]), want[k]);
            CHECK(in_pool(ids[2], DZ_FORWARD) == want[2] && in_pool(ids[2], DZ_BACKWARD) == want[2]);
            if (check_failures > 20) return;
        }
        CHECK_OK(dz_world_destroy(world));
    }
}

/* In a pool's order neighbours are handed out together as long as they are seen in every pool. */
static void in_the_order_of_a_pool(void)
{
    static dz_entity all[100];
    static const char *texts[] = {"Position, Velocity", "Position, ?Velocity", "Velocity, Position, !Frozen",
                                  "Position, Frozen || Velocity", "[none] Position, Velocity"};
    uint32_t q, i, runs;
    begin();
    CHECK_OK(dz_create_n(world, 100, all));
    CHECK_OK(dz_add_n(world, all, 100, position));
    CHECK_OK(dz_add_n(world, all, 100, velocity));
    for (i = 80; i < 100; i++) CHECK_OK(dz_add(world, all[i], frozen));
    CHECK_OK(dz_set_enabled(world, all[20], false));
    CHECK_OK(dz_set_component_enabled(world, all[40], velocity, false));
    CHECK_OK(dz_set_component_enabled(world, all[60], position, false));
    CHECK_OK(dz_set_component_enabled(world, all[85], velocity, false));
    CHECK_OK(dz_set_component_enabled(world, all[90], frozen, false));
    for (q = 0; q < 5; q++)
        for (runs = 0; runs < 2; runs++) {
            dz_query_desc desc = DZ_QUERY_DESC_INIT;
            dz_query query;
            dz_iter it;
            uint32_t next = 0, most = 0;
            bool by_velocity = q == 2 || q == 4;
            desc.text = texts[q], desc.order = by_velocity ? velocity : position;
            query = dz_query_create(world, &desc);
            CHECK(query.bits != 0);
            CHECK_OK(runs ? dz_iterate_runs(world, query, &it) : dz_iterate(world, query, &it));
            while (dz_next(&it)) {
                if (it.count > most) most = it.count;
                for (i = 0; i < it.count; i++, next++) {
                    uint32_t p = q == 2 ? 1 : 0, v = q == 2 ? 0 : q == 3 ? 2 : 1;
                    for (;; next++) {
                        bool shows_p = next != 20 && next != 60, shows_v = next != 20 && next != 40 && next != 85;
                        bool shows_f = next >= 80 && next != 90;
                        if (next == 100) break;
                        if (q == 0 || q == 4 ? shows_p && shows_v : q == 1 ? shows_p : q == 2 ? shows_p && shows_v && !shows_f
                                             : shows_p && (shows_f || shows_v)) break;
                    }
                    CHECK(next < 100 && dz_iter_entity(&it, i) == all[next]);
                    if (q != 4) CHECK(DZ_AT(it, Position, p, i) == dz_get(world, all[next], position));
                    CHECK(DZ_AT_IF(it, Velocity, v, i)
                          == (next == 40 || next == 85 ? NULL : dz_get(world, all[next], velocity)));
                }
            }
            CHECK_OK((dz_status)it.status);
            CHECK_EQ(next, q == 2 ? 91u : 100u);
            CHECK(most >= 16);
            CHECK_OK(dz_query_destroy(world, query));
        }
    CHECK_OK(dz_world_destroy(world));
}

/* Whoever is disabled when a group is made is no member, and what is disabled is no reason to leave one. */
static void groups_made_later(void)
{
    int how, own;
    for (how = 0; how < 3; how++) {
        dz_group_desc desc = DZ_GROUP_DESC_INIT;
        dz_group group;
        dz_entity e[3];
        int i;
        begin();
        CHECK_OK(dz_create_n(world, 3, e));
        for (i = 0; i < 3; i++) CHECK_OK(dz_add(world, e[i], position));
        if (how == 0) CHECK_OK(dz_set_enabled(world, e[1], false));
        if (how == 1) CHECK_OK(dz_set_component_enabled(world, e[1], position, false));
        if (how == 2) CHECK_OK(dz_set_base(world, e[1], true));
        desc.included = &position, desc.included_count = 1;
        group = dz_group_create(world, &desc);
        CHECK(dz_group_count(world, group) == 2 && !dz_group_contains(world, group, e[1]));
        if (how == 0) CHECK_OK(dz_set_enabled(world, e[1], true));
        if (how == 1) CHECK_OK(dz_set_component_enabled(world, e[1], position, true));
        if (how == 2) CHECK_OK(dz_set_base(world, e[1], false));
        CHECK(dz_group_count(world, group) == 3 && dz_group_contains(world, group, e[1]));
        CHECK_OK(dz_world_destroy(world));
    }
    for (own = 0; own < 2; own++) {
        dz_group_desc desc = DZ_GROUP_DESC_INIT;
        dz_group group;
        dz_entity e;
        Velocity v = {1, 2};
        begin();
        desc.owned = desc.included = &position, desc.excluded = &velocity, desc.excluded_count = 1;
        desc.owned_count = own == 1, desc.included_count = own == 0;
        group = dz_group_create(world, &desc);
        e = dz_create(world);
        CHECK_OK(dz_add(world, e, position));
        CHECK_OK(dz_add(world, e, velocity));
        CHECK_EQ(dz_group_count(world, group), 0);
        CHECK_OK(dz_set_component_enabled(world, e, velocity, false));
        CHECK_EQ(dz_group_count(world, group), 1);
        CHECK_OK(DZ_SET(world, e, velocity, &v));
        CHECK_OK(dz_set_n(world, &e, 1, velocity, sizeof v, &v));
        CHECK(dz_group_count(world, group) == 1 && dz_group_contains(world, group, e));
        CHECK_OK(dz_world_destroy(world));
    }
}

/* Putting pools into order notices who is disabled, in whichever pool. */
static void optimising(void)
{
    dz_entity e[4];
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    uint32_t i;
    dz_iter it;
    begin();
    desc.text = "Position, Velocity", desc.kept = 1;
    CHECK(dz_query_create(world, &desc).bits != 0);
    CHECK_OK(dz_create_n(world, 4, e));
    for (i = 0; i < 4; i++) {
        CHECK_OK(dz_add(world, e[i], position));
        CHECK_OK(dz_add(world, e[i], velocity));
    }
    CHECK_OK(dz_optimize(world, UINT32_MAX, NULL));
    for (i = 0; i < 2; i++) { /* 1, 2, 3, 0, and then 0, 1, 2, 3 again */
        CHECK_OK(dz_set_component_enabled(world, e[0], velocity, i == 1));
        CHECK_OK(dz_optimize(world, UINT32_MAX, NULL));
        CHECK_OK(dz_iterate_pool(world, position, DZ_FORWARD, &it));
        CHECK(dz_next(&it) && it.count == 4);
        CHECK(dz_iter_entity(&it, 0) == e[1 - i] && dz_iter_entity(&it, 3) == e[i == 0 ? 0 : 3]);
    }
    CHECK_OK(dz_world_destroy(world));
}

/* What was remembered of who was disabled is given back when nobody is. */
static void nothing_is_left(void)
{
    static dz_entity many[20000];
    dz_world_numbers before, after;
    uint32_t i;
    begin();
    CHECK_OK(dz_create_n(world, 20000, many));
    CHECK_OK(dz_add_n(world, many, 20000, position));
    CHECK_OK(dz_shrink(world));
    CHECK_OK(dz_world_stats(world, &before));
    for (i = 0; i < 20000; i++) CHECK_OK(dz_set_component_enabled(world, many[i], position, false));
    for (i = 0; i < 20000; i++) CHECK_OK(dz_set_component_enabled(world, many[i], position, true));
    CHECK_OK(dz_shrink(world));
    CHECK_OK(dz_world_stats(world, &after));
    CHECK(after.bytes <= before.bytes + 1024);
    CHECK_OK(dz_world_destroy(world));
}

/* Who got rid of a component with everybody else, and gets it again, has one that is enabled. */
static void cleared(void)
{
    dz_entity e;
    begin();
    e = dz_create(world);
    CHECK_OK(dz_add(world, e, position));
    CHECK_OK(dz_set_component_enabled(world, e, position, false));
    CHECK_OK(dz_clear_pool(world, position));
    CHECK_OK(dz_add(world, e, position));
    CHECK(dz_is_component_enabled(world, e, position) && in_pool(position, DZ_FORWARD) == 1);
    CHECK_OK(dz_set_enabled(world, e, false));
    CHECK_OK(dz_set_enabled(world, e, true));
    CHECK(dz_is_component_enabled(world, e, position) && in_pool(position, DZ_FORWARD) == 1);
    CHECK_IS(dz_set_component_enabled(world, e, position, true), DZ_NOTHING_TO_DO);
    CHECK_OK(dz_world_destroy(world));
}

/* What one gets who is disabled isn't seen, whichever call gives it. */
static void given_to_many(void)
{
    int how;
    for (how = 0; how < 5; how++) {
        dz_entity e[2];
        Position p[2] = {{1, 2}, {3, 4}};
        void *values[2];
        dz_query query;
        begin();
        query = dz_query_parse(world, "Position");
        CHECK_OK(dz_create_n(world, 2, e));
        CHECK_OK(dz_set_enabled(world, e[0], false));
        if (how == 0) CHECK_OK(dz_add_n(world, e, 2, position));
        if (how == 1) CHECK_OK(dz_set_n(world, e, 2, position, sizeof *p, p));
        if (how == 2) CHECK_OK(dz_get_or_add_n(world, e, 2, position, values));
        if (how == 3) CHECK(dz_get_or_add(world, e[0], position) && dz_get_or_add(world, e[1], position));
        if (how == 4) CHECK(DZ_SET(world, e[0], position, p) == DZ_OK && dz_add(world, e[1], position) == DZ_OK);
        CHECK(count(query) == 1 && in_pool(position, DZ_FORWARD) == 1 && dz_query_first(world, query) == e[1]);
        CHECK_OK(dz_set_enabled(world, e[0], true));
        CHECK(count(query) == 2 && in_pool(position, DZ_BACKWARD) == 2);
        CHECK_OK(dz_world_destroy(world));
    }
}

/* Whoever disables or enables one that is iterated ends the iterations of its pool, in either direction. */
static void iterations_end(void)
{
    int what, direction;
    for (what = 0; what < 5; what++) {
        for (direction = DZ_FORWARD; direction >= DZ_BACKWARD; direction--) {
            dz_entity e[4], seen = 0;
            dz_iter it;
            uint32_t i;
            begin();
            CHECK_OK(dz_create_n(world, 4, e));
            for (i = 0; i < 4; i++) CHECK_OK(dz_add(world, e[i], position));
            CHECK_OK(dz_set_enabled(world, e[3], false));
            CHECK_OK(dz_iterate_pool(world, position, direction, &it));
            CHECK(dz_next(&it));
            DZ_EACH(it, k) {
                CHECK_EQ(seen, 0);
                seen = dz_iter_entity(&it, k);
                switch (what) {
                case 0: CHECK_OK(dz_set_enabled(world, e[1], false)); break;
                case 1: CHECK_OK(dz_set_enabled(world, e[3], true)); break;
                case 2: CHECK_OK(dz_set_component_enabled(world, e[1], position, false)); break;
                case 3: CHECK_OK(dz_set_base(world, e[1], true)); break;
                default: CHECK_OK(dz_add(world, e[3], velocity)); /* of another pool: all are seen */
                }
                if (what == 4) break;
            }
            CHECK(seen != 0);
            if (what < 4) CHECK(!dz_next(&it) && it.status == DZ_ERR_CHANGED);
            if (what == 4) CHECK(dz_each(&it) != UINT32_MAX && it.status == DZ_OK);
            CHECK_OK(dz_world_destroy(world));
        }
    }
}

/* A group of its own, which joins quickly: who is disabled, in whole or by a component, comes when that ends. */
static void a_lone_group_waits(void)
{
    uint32_t what, i;
    for (what = 0; what < 3; what++) {
        dz_entity e[40];
        dz_group_desc desc = DZ_GROUP_DESC_INIT;
        dz_id owned[2];
        dz_group group;
        begin();
        owned[0] = position, owned[1] = velocity, desc.owned = owned, desc.owned_count = 2;
        group = dz_group_create(world, &desc);
        for (i = 0; i < 40; i++) {
            e[i] = dz_create(world);
            CHECK_OK(dz_add(world, e[i], i % 2 ? position : velocity));
        }
        for (i = 10; i < 14; i++) {
            if (what == 0) CHECK_OK(dz_set_enabled(world, e[i], false));
            if (what == 1) CHECK_OK(dz_set_component_enabled(world, e[i], i % 2 ? position : velocity, false));
            if (what == 2) CHECK_OK(dz_set_base(world, e[i], true));
        }
        for (i = 0; i < 40; i++) {
            Velocity v = {(float)i, 0};
            CHECK_OK(dz_set(world, e[i], i % 2 ? velocity : position, sizeof v, &v));
            CHECK_EQ(dz_group_contains(world, group, e[i]), i < 10 || i >= 14);
        }
        CHECK_EQ(count(dz_query_parse(world, "Velocity")), what == 1 ? 38 : 36);
        for (i = 10; i < 14; i++) {
            if (what == 0) CHECK_OK(dz_set_enabled(world, e[i], true));
            if (what == 1) CHECK_OK(dz_set_component_enabled(world, e[i], i % 2 ? position : velocity, true));
            if (what == 2) CHECK_OK(dz_set_base(world, e[i], false));
            CHECK(dz_group_contains(world, group, e[i]));
            CHECK_OK(dz_remove(world, e[i], velocity));
            CHECK(!dz_group_contains(world, group, e[i]));
        }
        CHECK_EQ(dz_group_count(world, group), 36);
        CHECK_OK(dz_world_destroy(world));
    }
}

int main(void)
{
    RUN(only_queries_pass_over);
    RUN(a_lone_group_waits);
    RUN(in_the_order_of_a_pool);
    RUN(like_a_plain_account);
    RUN(few_of_many);
    RUN(groups_made_later);
    RUN(optimising);
    RUN(nothing_is_left);
    RUN(cleared);
    RUN(given_to_many);
    RUN(iterations_end);
    return check_done();
}
