/* Queries, as a C program uses them: made from terms and from text, iterated by DZ_AT, DZ_AT_IF, DZ_RUN and DZ_EACH,
 * in parts, kept, in a pool's order; what happens when the loop changes the world. */
#include "check.h"

typedef struct { float x, y, z; } Position;
typedef struct { float x, y; } Velocity;
typedef struct { uint32_t number; } Number;
typedef struct { float x, y; } Velocity2;

enum { N = 1000 };

typedef struct {
    dz_world world;
    dz_id position, velocity, number, frozen, red, blue;
    dz_entity e[N];
} scene;

/* Number and Position: all. Velocity: every second. Frozen: every fifth. Red, Blue: every third and seventh. */
static void begin(scene *s)
{
    uint32_t i;
    s->world = check_world();
    s->position = DZ_COMPONENT(s->world, Position), s->velocity = DZ_COMPONENT(s->world, Velocity);
    s->number = DZ_COMPONENT(s->world, Number);
    s->frozen = DZ_TAG(s->world, Frozen), s->red = DZ_TAG(s->world, Red), s->blue = DZ_TAG(s->world, Blue);
    CHECK_OK(dz_create_n(s->world, N, s->e));
    for (i = 0; i < N; i++) {
        Position p = {0, 0, 0};
        Velocity v = {1, 2};
        Number n;
        n.number = i, p.x = (float)i;
        CHECK_OK(DZ_SET(s->world, s->e[i], s->position, &p));
        CHECK_OK(DZ_SET(s->world, s->e[i], s->number, &n));
        if (i % 2 == 0) CHECK_OK(DZ_SET(s->world, s->e[i], s->velocity, &v));
        if (i % 5 == 0) CHECK_OK(dz_add(s->world, s->e[i], s->frozen));
        if (i % 3 == 0) CHECK_OK(dz_add(s->world, s->e[i], s->red));
        if (i % 7 == 0) CHECK_OK(dz_add(s->world, s->e[i], s->blue));
    }
}

static dz_query parse(dz_world world, const char *text)
{
    dz_query query = dz_query_parse(world, text);
    CHECK(query.bits != 0);
    return query;
}

static dz_query kept(dz_world world, const char *text)
{
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_query query;
    desc.text = text, desc.kept = 1, desc.priority = 7;
    query = dz_query_create(world, &desc);
    CHECK(query.bits != 0);
    return query;
}

static uint32_t counted(dz_world world, dz_query query)
{
    dz_iter it;
    uint32_t n = 0;
    for (dz_iterate(world, query, &it); dz_next(&it);) n += it.count;
    CHECK_IS(it.status, DZ_OK);
    CHECK_EQ(n, dz_query_count(world, query));
    return n;
}

static void creation(void)
{
    static scene s;
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_query_details info;
    dz_term terms[3], read[4];
    dz_query query, list[4], second;
    uint32_t count = 0;
    begin(&s);
    memset(terms, 0, sizeof terms);
    terms[0].id = s.position;
    terms[1].id = s.velocity, terms[1].access = DZ_IN;
    terms[2].id = s.frozen, terms[2].ask = DZ_WITHOUT;
    desc.terms = terms, desc.term_count = 3;
    query = dz_query_create(s.world, &desc);
    CHECK(query.bits != 0);
    memset(terms, 0xff, sizeof terms); /* they were copied */
    CHECK_EQ(counted(s.world, query), N / 2 - N / 10);
    CHECK_OK(dz_query_terms(s.world, query, NULL, 0, &count));
    CHECK_EQ(count, 3);
    memset(read, 0x55, sizeof read);
    CHECK_OK(dz_query_terms(s.world, query, read, 2, &count));
    CHECK(count == 3 && read[0].id == s.position && read[1].id == s.velocity && read[1].access == DZ_IN);
    CHECK_EQ(read[2].ask, 0x55555555); /* nothing behind the room that there is */
    CHECK_OK(dz_query_terms(s.world, query, read, 4, &count));
    CHECK(read[2].id == s.frozen && read[2].ask == DZ_WITHOUT && read[2].access == DZ_NO_ACCESS && read[2].any_of == 0);
    CHECK_OK(dz_query_info(s.world, query, &info));
    CHECK(info.term_count == 3 && info.kept == 0 && info.priority == 0 && info.order == DZ_NULL && info.bytes > 0);
    second = parse(s.world, "Red");
    CHECK_OK(dz_query_list(s.world, list, 4, &count));
    CHECK(count == 2 && list[0].bits == query.bits && list[1].bits == second.bits);
    CHECK_OK(dz_query_destroy(s.world, query));
    REFUSED(s.world, dz_query_destroy(s.world, query), DZ_ERR_QUERY);
    CHECK_OK(dz_query_list(s.world, list, 4, &count));
    CHECK(count == 1 && list[0].bits == second.bits);
    CHECK_OK(dz_world_clear(s.world)); /* which keeps queries, as it keeps components */
    CHECK_EQ(counted(s.world, second), 0);
    CHECK_OK(dz_add(s.world, dz_create(s.world), s.red));
    CHECK_EQ(counted(s.world, second), 1);
    CHECK_OK(dz_world_destroy(s.world));
    REFUSED_0(s.world, dz_query_count(s.world, second), DZ_ERR_WORLD_DEAD);
}

static void text(void)
{
    static scene s;
    static const struct { const char *text; uint32_t column; } slips[] = {
        {"", 1}, {"Position,", 10}, {"Position, Nothing", 11}, {"[read] Position", 2}, {"Red | Blue", 5},
        {"Red || !Blue", 8}, {"Position, \"Velocity", 11}};
    dz_query query;
    dz_term terms[6];
    uint32_t i, count, n = 0;
    begin(&s);
    query = parse(s.world, "Position, [in] Velocity, ?Number, !Frozen, Red || [none]Blue");
    CHECK_OK(dz_query_terms(s.world, query, terms, 6, &count));
    CHECK_EQ(count, 6);
    CHECK(terms[0].id == s.position && terms[0].ask == DZ_WITH && terms[0].access == DZ_INOUT);
    CHECK(terms[1].id == s.velocity && terms[1].access == DZ_IN);
    CHECK(terms[2].id == s.number && terms[2].ask == DZ_OPTIONAL);
    CHECK(terms[3].id == s.frozen && terms[3].ask == DZ_WITHOUT && terms[3].access == DZ_NO_ACCESS);
    CHECK(terms[4].id == s.red && terms[4].ask == DZ_ANY_OF && terms[4].access == DZ_IN); /* a tag */
    CHECK(terms[5].id == s.blue && terms[5].ask == DZ_ANY_OF && terms[5].access == DZ_NO_ACCESS);
    CHECK_EQ(terms[4].any_of, terms[5].any_of);
    for (i = 0; i < N; i++) n += i % 2 == 0 && i % 5 != 0 && (i % 3 == 0 || i % 7 == 0);
    CHECK_EQ(counted(s.world, query), n);
    for (i = 0; i < sizeof slips / sizeof *slips; i++) {
        char column[24];
        REFUSED_0(s.world, dz_query_parse(s.world, slips[i].text).bits, DZ_ERR_SYNTAX);
        snprintf(column, sizeof column, "column %u: ", (unsigned)slips[i].column);
        CHECK_EQ(dz_query_parse(s.world, slips[i].text).bits, 0);
        CHECK_SAYS(column);
    }
    DZ_COMPONENT(s.world, uint64_t);
    CHECK_EQ(counted(s.world, parse(s.world, "uint64_t")), 0); /* known, and nobody has it yet */
    CHECK_OK(dz_world_destroy(s.world));
}

/* Runs and gathers: DZ_AT reads both; DZ_AT_IF what may be absent; DZ_RUN is an array. */
static void batches(void)
{
    static scene s;
    static uint8_t seen[N];
    dz_query query;
    dz_iter it;
    uint32_t i, runs = 0, gathers = 0, n = 0;
    begin(&s);
    query = parse(s.world, "[in] Number, Position, ?Velocity, [none] Blue, !Frozen, ?Red");
    memset(seen, 0, sizeof seen);
    for (dz_iterate(s.world, query, &it); dz_next(&it);) {
        CHECK_EQ(it.term_count, 6);
        CHECK_EQ(it.entity_size, check_layout == DZ_LAYOUT_64 ? 8 : 4);
        CHECK_EQ(it.strides[0], sizeof(Number));
        CHECK_EQ(it.strides[3], 0);
        runs += !it.gather, gathers += it.gather;
        for (i = 0; i < it.count; i++) {
            uint32_t number = DZ_AT(it, Number, 0, i)->number;
            dz_entity e = dz_iter_entity(&it, i);
            if (!CHECK(number < N && number % 7 == 0 && number % 5 != 0)) continue;
            CHECK_EQ(e, s.e[number]);
            CHECK(!seen[number]++);
            CHECK(DZ_AT(it, Position, 1, i) == DZ_GET(s.world, e, Position, s.position));
            CHECK(DZ_AT_IF(it, Velocity, 2, i) == DZ_GET(s.world, e, Velocity, s.velocity));
            CHECK_EQ(DZ_AT_IF(it, char, 5, i) != NULL, number % 3 == 0); /* of a tag, whether it is there */
            n++;
        }
    }
    CHECK_EQ(n, dz_query_count(s.world, query));
    CHECK(gathers > 0);
    query = parse(s.world, "Position, [in] Number");
    for (runs = gathers = n = 0, dz_iterate(s.world, query, &it); dz_next(&it);) {
        runs += !it.gather, gathers += it.gather;
        for (i = 0; i < it.count; i++) CHECK_EQ(DZ_AT(it, Number, 1, i)->number, n + i); /* in the order of indices */
        n += it.count;
    }
    CHECK(runs > 0 && gathers == 0 && n == N); /* made together: they lie side by side */
    query = parse(s.world, "Position, [in] Velocity, !Frozen");
    for (n = 0, dz_iterate_runs(s.world, query, &it); dz_next(&it);) {
        Position *p = DZ_RUN(it, Position, 0);
        const Velocity *v = DZ_RUN(it, Velocity, 1);
        CHECK(!it.gather && p && v && !DZ_RUN(it, char, 2));
        for (i = 0; i < it.count; i++) {
            CHECK(DZ_GET(s.world, dz_iter_entity(&it, i), Position, s.position) == p + i);
            CHECK(DZ_GET(s.world, dz_iter_entity(&it, i), Velocity, s.velocity) == v + i);
            p[i].y += v[i].y;
        }
        n += it.count;
    }
    CHECK_EQ(n, dz_query_count(s.world, query));
    for (i = 0; i < N; i++) {
        const Position *p = DZ_GET(s.world, s.e[i], Position, s.position);
        CHECK(p && (p->y > 0) == (i % 2 == 0 && i % 5 != 0));
    }
    CHECK_OK(dz_world_destroy(s.world));
}

/* DZ_AT_IF is NULL for a term that has no field, in runs and in gathers, in the order of indices or of a pool. */
static void no_fields(void)
{
    static scene s;
    uint32_t ordered, runs_only, i, term, n, gathers;
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_iter it;
    begin(&s);
    desc.text = "[in] Number, Red, !Frozen, [none] Velocity || [none] Position, [none] ?Blue, ?Velocity2, [none] Red2";
    DZ_COMPONENT(s.world, Velocity2), DZ_TAG(s.world, Red2);
    for (i = 0; i < N; i++) CHECK_OK(dz_add(s.world, s.e[i], dz_component_find(s.world, "Red2")));
    for (ordered = 0; ordered < 2; ordered++) {
        dz_query query;
        desc.order = ordered ? s.number : DZ_NULL;
        query = dz_query_create(s.world, &desc);
        CHECK(query.bits != 0);
        gathers = 0;
        for (runs_only = 0; runs_only < 2; runs_only++) {
            memset(&it, 0, sizeof it); /* offsets that are left alone lead to the first field */
            CHECK_OK(runs_only ? dz_iterate_runs(s.world, query, &it) : dz_iterate(s.world, query, &it));
            for (n = 0; dz_next(&it); n += it.count) {
                CHECK_EQ(it.term_count, 8);
                CHECK(!runs_only || !it.gather);
                gathers += it.gather;
                for (i = 0; i < it.count; i++) {
                    CHECK(DZ_AT_IF(it, Number, 0, i) == DZ_GET(s.world, dz_iter_entity(&it, i), Number, s.number));
                    for (term = 1; term < it.term_count; term++) CHECK(DZ_AT_IF(it, char, term, i) == NULL);
                }
            }
            CHECK(n > 0 && n == dz_query_count(s.world, query));
        }
        CHECK(gathers > 0);
    }
    CHECK_OK(dz_world_destroy(s.world));
}

static void questions(void)
{
    static scene s;
    dz_query both, none, one;
    dz_entity only;
    begin(&s);
    both = parse(s.world, "Red, Blue");
    none = parse(s.world, "Frozen, !Position");
    one = parse(s.world, "Red, Blue, Frozen, Velocity");
    CHECK_EQ(dz_query_count(s.world, both), (N + 20) / 21);
    CHECK_EQ(dz_query_first(s.world, both), s.e[0]);
    QUIETLY(dz_query_first(s.world, none), DZ_NULL);
    QUIETLY(dz_query_is_empty(s.world, none), true);
    QUIETLY(dz_query_is_empty(s.world, both), false);
    QUIETLY(dz_query_matches(s.world, both, s.e[21]), true);
    QUIETLY(dz_query_matches(s.world, both, s.e[20]), false);
    QUIETLY(dz_query_matches(s.world, both, s.position), false); /* components are entities */
    CHECK_EQ(dz_query_single(s.world, none), DZ_NULL);
    CHECK_IS(dz_error_status(), DZ_ERR_NOT_SINGLE);
    CHECK_SAYS("there are 0 matches");
    CHECK_EQ(dz_query_single(s.world, both), DZ_NULL);
    CHECK_SAYS("there are 48 matches");
    only = dz_query_first(s.world, one);
    while (dz_query_count(s.world, one) > 1) CHECK_OK(dz_destroy(s.world, only)), only = dz_query_first(s.world, one);
    CHECK_EQ(dz_query_single(s.world, one), only);
    CHECK_OK(dz_destroy(s.world, only));
    REFUSED_0(s.world, dz_query_matches(s.world, both, only), DZ_ERR_DEAD);
    CHECK_OK(dz_world_destroy(s.world));
}

/* Parts are disjoint, and together they are all; restarted, copied and left early. */
static void parts_and_copies(void)
{
    static scene s;
    static uint8_t seen[N];
    dz_query query;
    dz_iter it, copy;
    uint32_t part, parts, i, n, rest;
    begin(&s);
    query = parse(s.world, "[in] Number, Velocity");
    for (parts = 1; parts < 40; parts += 3) {
        memset(seen, 0, sizeof seen);
        for (part = 0, n = 0; part < parts; part++) {
            for (dz_iterate_part(s.world, query, part, parts, &it); dz_next(&it);) {
                for (i = 0; i < it.count; i++) CHECK(!seen[DZ_AT(it, Number, 0, i)->number]++);
                n += it.count;
            }
        }
        CHECK_EQ(n, N / 2);
    }
    REFUSED(s.world, dz_iterate_part(s.world, query, 3, 3, &it), DZ_ERR_RANGE);
    CHECK_IS(it.status, DZ_ERR_RANGE);
    CHECK(!dz_next(&it));
    CHECK_OK(dz_iterate_part(s.world, query, 0, 3, &it));
    REFUSED(s.world, dz_restart(&it), DZ_ERR_RANGE);
    CHECK_OK(dz_iterate(s.world, query, &it));
    CHECK(dz_next(&it));
    n = it.count;
    copy = it; /* goes on from here by itself */
    for (rest = 0; dz_next(&copy);) rest += copy.count;
    CHECK_EQ(n + rest, N / 2);
    CHECK(dz_next(&it)); /* left early: nothing to be called */
    CHECK_OK(dz_restart(&it));
    for (n = 0; dz_next(&it);) n += it.count;
    CHECK_EQ(n, N / 2);
    CHECK(!dz_next(&it));
    CHECK_EQ(it.count, 0);
    CHECK_OK(dz_world_destroy(s.world));
}

static void add_up(dz_iter *batch, void *user)
{
    uint32_t i;
    for (i = 0; i < batch->count; i++) *(uint64_t *)user += DZ_AT(*batch, Number, 0, i)->number;
}

static void destroy_all(dz_iter *batch, void *user)
{
    DZ_EACH(*batch, i) CHECK_OK(dz_destroy(*(dz_world *)user, dz_iter_entity(batch, i)));
}

static void end_world(dz_iter *batch, void *user)
{
    (void)batch;
    CHECK_OK(dz_world_destroy(*(dz_world *)user));
}

static void callbacks(void)
{
    static scene s;
    dz_query query;
    dz_iter it;
    uint64_t sum = 0;
    begin(&s);
    query = parse(s.world, "[in] Number, Velocity");
    CHECK_OK(dz_query_each(s.world, query, add_up, &sum));
    CHECK_EQ(sum, N / 2 * (N / 2 - 1));
    CHECK_OK(dz_query_each(s.world, query, destroy_all, &s.world));
    CHECK(dz_query_is_empty(s.world, query));
    CHECK_EQ(check_alive(s.world) - 6 - 1, N / 2); /* six components and the built-in one live too */
    REFUSED(s.world, dz_query_each(s.world, query, NULL, NULL), DZ_ERR_NULL_POINTER);
    CHECK_OK(dz_world_destroy(s.world));

    /* Errors name what the program has called, or written. */
    begin(&s);
    query = parse(s.world, "[in] Number, Velocity");
    CHECK_IS(dz_query_each(s.world, query, end_world, &s.world), DZ_ERR_WORLD_DEAD);
    CHECK_SAYS("dz_query_each: world");
    begin(&s);
    query = parse(s.world, "[in] Number, Velocity");
    CHECK_OK(dz_iterate(s.world, query, &it));
    CHECK(dz_next(&it));
    CHECK_OK(dz_world_destroy(s.world));
    CHECK_EQ(dz_each(&it), UINT32_MAX);
    CHECK_SAYS("DZ_EACH: world");
}

/* What a kept query remembers is never what was. */
static void remembering(void)
{
    static scene s;
    dz_query query, loose;
    dz_query_details info;
    uint32_t i;
    begin(&s);
    query = kept(s.world, "Position, Number, !Frozen");
    loose = parse(s.world, "Position, Number, !Frozen");
    REFUSED(s.world, dz_query_refresh(s.world, loose), DZ_ERR_NOT_KEPT);
    CHECK_OK(dz_query_info(s.world, query, &info));
    CHECK(info.kept == 1 && info.priority == 7 && info.fresh == 0 && info.runs == 0);
    for (i = 0; i < 40; i++) {
        CHECK_OK(dz_query_info(s.world, query, &info));
        CHECK_EQ(counted(s.world, query), counted(s.world, loose));
        CHECK_OK(dz_query_refresh(s.world, query));
        CHECK_EQ(counted(s.world, query), counted(s.world, loose));
        if (i % 4 == 0) CHECK_OK(dz_destroy(s.world, s.e[i]));
        if (i % 4 == 1) CHECK_OK(dz_remove(s.world, s.e[i], s.number));
        if (i % 4 == 2) dz_add(s.world, s.e[i], s.frozen);
        if (i % 4 == 3) dz_remove(s.world, s.e[i - i % 5], s.frozen);
    }
    CHECK_OK(dz_clear_pool(s.world, s.frozen));
    CHECK_OK(dz_optimize(s.world, UINT32_MAX, NULL));
    CHECK_OK(dz_query_refresh(s.world, query));
    CHECK_OK(dz_query_info(s.world, query, &info));
    CHECK(info.fresh == 1 && info.runs == 1); /* all in order: one run */
    CHECK_EQ(counted(s.world, query), counted(s.world, loose));
    CHECK_OK(dz_add(s.world, dz_create(s.world), s.red)); /* no term of it: it stays fresh */
    CHECK_OK(dz_query_info(s.world, query, &info));
    CHECK_EQ(info.fresh, 1);
    CHECK_OK(dz_clear_pool(s.world, s.number));
    CHECK_OK(dz_query_info(s.world, query, &info));
    CHECK_EQ(info.fresh, 0);
    CHECK_EQ(counted(s.world, query), 0);
    CHECK_OK(dz_world_destroy(s.world));
}

/* A query that follows a pool goes through it from front to back. */
static void orders(void)
{
    static scene s;
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_query query, alone;
    dz_iter it, pool;
    dz_entity last = DZ_NULL;
    uint32_t i, n = 0;
    begin(&s);
    for (i = 0; i < N; i += 11) CHECK_OK(dz_remove(s.world, s.e[i], s.velocity) < 0 ? DZ_ERR_DEAD : DZ_OK);
    desc.text = "Number, Velocity, !Frozen", desc.order = s.velocity;
    query = dz_query_create(s.world, &desc);
    CHECK(query.bits != 0);
    CHECK_OK(dz_iterate_pool(s.world, s.velocity, DZ_FORWARD, &pool));
    i = pool.count;
    for (dz_iterate(s.world, query, &it); dz_next(&it);) {
        DZ_EACH(it, j) {
            last = dz_iter_entity(&it, j);
            CHECK(DZ_AT(it, Velocity, 1, j) == DZ_GET(s.world, last, Velocity, s.velocity));
            do {
                if (i == pool.count && CHECK(dz_next(&pool))) i = 0;
            } while (i < pool.count && dz_iter_entity(&pool, i++) != last);
            n++;
        }
    }
    CHECK_EQ(n, dz_query_count(s.world, query));
    /* Where each must be looked at, few are at a time: else every batch would look at all that are left. */
    CHECK_OK(dz_set_enabled(s.world, last, false));
    desc.text = "Velocity";
    alone = dz_query_create(s.world, &desc);
    for (i = 0, dz_iterate(s.world, alone, &it); dz_next(&it); i += it.count) CHECK(it.count <= 128);
    CHECK(i == dz_query_count(s.world, alone) && i > 2 * 128);
    CHECK_OK(dz_set_enabled(s.world, last, true));
    for (i = 0, dz_iterate(s.world, alone, &it); dz_next(&it);) i = it.count > i ? it.count : i;
    CHECK(i > 128);
    desc.text = "Number, Velocity, !Frozen";
    REFUSED(s.world, dz_iterate_part(s.world, query, 0, 2, &it), DZ_ERR_RANGE);
    CHECK_OK(dz_iterate_part(s.world, query, 0, 1, &it));
    desc.order = s.frozen;
    REFUSED_0(s.world, dz_query_create(s.world, &desc).bits, DZ_ERR_ORDER);
    CHECK_EQ(dz_query_create(s.world, &desc).bits, 0);
    CHECK_SAYS("\"Frozen\"");
    CHECK_OK(dz_world_destroy(s.world));
}

enum change { REMOVE_CURRENT, DESTROY_CURRENT, ADD_TAG, CREATE, DESTROY_BEHIND, DESTROY_BEFORE, STOP_MATCHING, NEST, CHANGES };

/* Whatever the body does: each once, only who matches at that moment; who is left alone is seen. In the order of indices, and
 * along a pool. */
static void changes(void)
{
    static scene s;
    static uint8_t seen[N], touched[N];
    int change, run;
    for (run = 0; run < 3 * CHANGES; run++) {
        dz_query_desc desc = DZ_QUERY_DESC_INIT;
        dz_query query, inner;
        dz_iter it, in;
        uint32_t i, n = 0;
        begin(&s);
        change = run % CHANGES;
        desc.text = "[in] Number, Position, ?Velocity, !Frozen";
        desc.order = run < CHANGES ? DZ_NULL : run < 2 * CHANGES ? s.number : s.position;
        query = dz_query_create(s.world, &desc);
        inner = parse(s.world, "Velocity");
        memset(seen, 0, sizeof seen);
        memset(touched, 0, sizeof touched);
        for (dz_iterate(s.world, query, &it); dz_next(&it);) {
            DZ_EACH(it, j) {
                dz_entity e = dz_iter_entity(&it, j), other;
                uint32_t number = DZ_AT(it, Number, 0, j)->number;
                if (!CHECK(dz_query_matches(s.world, query, e) && number < N && s.e[number] == e)) break;
                CHECK(DZ_AT(it, Position, 1, j) == DZ_GET(s.world, e, Position, s.position));
                CHECK(DZ_AT_IF(it, Velocity, 2, j) == DZ_GET(s.world, e, Velocity, s.velocity));
                CHECK(!seen[number]++);
                n++;
                other = s.e[check_random(N)];
                i = dz_is_alive(s.world, other) ? DZ_GET(s.world, other, Number, s.number)->number : 0;
                switch (change) {
                case REMOVE_CURRENT: CHECK_OK(dz_remove(s.world, e, s.position)); break;
                case DESTROY_CURRENT: CHECK_OK(dz_destroy(s.world, e)); break;
                case ADD_TAG: CHECK(dz_add(s.world, other, s.red) >= DZ_OK); break;
                case CREATE: CHECK_OK(dz_add(s.world, dz_create(s.world), s.position)); break;
                case DESTROY_BEHIND:
                    if (dz_is_alive(s.world, other) && i > number) touched[i] = 1, CHECK_OK(dz_destroy(s.world, other));
                    break;
                case DESTROY_BEFORE:
                    if (dz_is_alive(s.world, other) && i < number) CHECK_OK(dz_destroy(s.world, other));
                    break;
                case STOP_MATCHING: touched[i] = 1, dz_add(s.world, other, s.frozen); break;
                default:
                    for (dz_iterate(s.world, inner, &in); dz_next(&in);) {
                        DZ_EACH(in, k) if (k % 50 == 0) CHECK_OK(dz_remove(s.world, dz_iter_entity(&in, k), s.velocity));
                    }
                }
            }
        }
        CHECK_IS(it.status, DZ_OK);
        for (i = 0; i < N; i++) {
            /* Along a pool, whoever comes in the place of one that was seen is missed. */
            bool missed = desc.order && (change == DESTROY_BEFORE || change == DESTROY_BEHIND) && !seen[i];
            CHECK(seen[i] == (i % 5 != 0) || touched[i] || missed);
        }
        CHECK(n > N / 4);
        CHECK_OK(dz_world_destroy(s.world));
    }
}

/* Whose body changes something with every 1st, 3rd or 8th match isn't gathered many in vain: as many as last time. Once it
 * changes nothing, there are more and more again. */
static void few_after_changes(void)
{
    static scene s;
    static const uint32_t all_every[] = {1, 3, 8};
    int kind, step;
    for (step = 0; step < 9; step++) {
        const uint32_t every = all_every[step % 3];
        dz_query_desc desc = DZ_QUERY_DESC_INIT;
        dz_query query;
        dz_iter it;
        dz_id likes;
        uint32_t i, n = 0, most = 0;
        kind = step / 3;
        begin(&s);
        likes = DZ_TAG(s.world, Likes);
        for (i = 1; i < N; i++) CHECK_OK(dz_add_pair(s.world, s.e[i], likes, s.e[0]));
        desc.text = kind == 2 ? "Number, (Likes, *)" : "Number, Position";
        desc.order = kind == 1 ? s.number : DZ_NULL;
        query = dz_query_create(s.world, &desc);
        for (dz_iterate(s.world, query, &it); dz_next(&it);) {
            DZ_EACH(it, j) {
                dz_entity e = dz_iter_entity(&it, j);
                CHECK(DZ_AT(it, Number, 0, j) == DZ_GET(s.world, e, Number, s.number));
                /* Along a pool it isn't known what was seen before the batch. */
                if (n > every && n < N / 2 && (kind != 1 || every == 1)) CHECK_EQ(it.count, every);
                if (n >= N / 2 && it.count > most) most = it.count;
                if (n++ >= N / 2 || n % every) continue;
                if (n / every % 2) CHECK(dz_add(s.world, e, s.red) >= DZ_OK), CHECK_OK(dz_remove(s.world, e, s.red));
                else CHECK_OK(dz_destroy(s.world, e));
            }
        }
        CHECK_IS(it.status, DZ_OK);
        CHECK(n == (kind == 2 ? N - 1 : N) && most > 8);
        CHECK_OK(dz_world_destroy(s.world));
    }
}

/* What ends an iteration: its query, a component of it, its world. */
static void endings(void)
{
    static scene s;
    int what;
    for (what = 0; what < 7; what++) {
        dz_query query;
        dz_iter it;
        uint32_t n = 0;
        begin(&s);
        query = parse(s.world, "[in] Number, Position, !Frozen");
        CHECK_OK(dz_iterate(s.world, query, &it));
        CHECK(dz_next(&it));
        CHECK(dz_each(&it) != UINT32_MAX);
        switch (what) {
        case 0: CHECK_OK(dz_world_destroy(s.world)); break;
        case 1: CHECK_OK(dz_query_destroy(s.world, query)); break;
        case 2: CHECK_OK(dz_component_unregister(s.world, s.frozen)); break;
        case 3: CHECK_OK(dz_component_unregister(s.world, s.red)); break; /* no term of it */
        case 4: CHECK_OK(dz_clear_pool(s.world, s.number)); break;
        case 5: CHECK_OK(dz_world_clear(s.world)); break;
        default: CHECK_OK(dz_shrink(s.world));
        }
        if (what < 2) CHECK_EQ(dz_each(&it), what == 1 ? 1 : UINT32_MAX); /* a query's end changes no entity */
        do {
            while (dz_each(&it) != UINT32_MAX) n++;
        } while (dz_next(&it));
        CHECK_EQ(dz_each(&it), UINT32_MAX);
        CHECK(!dz_next(&it));
        if (what == 0) CHECK_IS(it.status, DZ_ERR_WORLD_DEAD);
        if (what == 1) CHECK_IS(it.status, DZ_ERR_QUERY);
        if (what == 2) CHECK_IS(it.status, DZ_ERR_QUERY_LOST);
        if (what > 2) CHECK_IS(it.status, DZ_OK);
        if (what == 2) REFUSED_0(s.world, dz_query_count(s.world, query), DZ_ERR_QUERY_LOST);
        if (what == 2) CHECK_OK(dz_query_destroy(s.world, query));
        if (what == 3 || what == 6) CHECK_EQ(n, N * 4 / 5 - 1);
        if (what == 4 || what == 5) CHECK_EQ(n, 0);
        if (what) CHECK_OK(dz_world_destroy(s.world));
    }
}

/* An accessor says what dz_get says, whatever happens to its component. */
static void accessors(void)
{
    static scene s;
    dz_accessor a, copy;
    uint32_t i;
    begin(&s);
    CHECK_OK(dz_accessor_init(s.world, s.velocity, &a));
    copy = a;
    for (i = 0; i < N; i++) {
        if (i % 10 == 0) CHECK_OK(dz_remove(s.world, s.e[i], s.velocity));
        if (i % 25 == 1) CHECK_OK(dz_destroy(s.world, s.e[i]));
        CHECK(dz_accessor_get(&a, s.e[i]) == dz_get(s.world, s.e[i], s.velocity));
        CHECK(dz_accessor_get_mut(&copy, s.e[i]) == dz_get_mut(s.world, s.e[i], s.velocity));
        CHECK_EQ(dz_accessor_has(&a, s.e[i]), dz_has(s.world, s.e[i], s.velocity));
    }
    REFUSED_NULL(s.world, dz_accessor_get(&a, s.e[1]), DZ_ERR_DEAD);
    CHECK_OK(dz_component_unregister(s.world, s.red));
    CHECK(dz_accessor_get(&a, s.e[2]) != NULL); /* found again */
    CHECK_OK(dz_component_unregister(s.world, s.velocity));
    REFUSED_NULL(s.world, dz_accessor_get(&a, s.e[2]), DZ_ERR_DEAD);
    CHECK_EQ(DZ_COMPONENT(s.world, Velocity) == s.velocity, false);
    REFUSED_NULL(s.world, dz_accessor_get(&a, s.e[2]), DZ_ERR_DEAD); /* another component of that name is another one */
    CHECK_OK(dz_world_destroy(s.world));
    REFUSED_NULL(s.world, dz_accessor_get(&a, s.e[2]), DZ_ERR_WORLD_DEAD);
}

/* Who comes to match behind the current entity is seen, however far away. */
static void late_comers(void)
{
    static const uint32_t distances[] = {2, 300, 20000, 400000};
    uint32_t i, parts, part;
    for (i = 0; i < 4; i++) {
        for (parts = 1; parts < 3; parts++) {
            dz_world world = check_world();
            dz_id id = dz_component_simple(world, "Number", 4, 4);
            dz_query query = dz_query_parse(world, "Number");
            dz_entity first = dz_create(world), far = check_handle(world, dz_entity_index(first) + distances[i], 1);
            dz_iter it;
            uint32_t n = 0;
            CHECK_OK(dz_create_at(world, far));
            CHECK_OK(dz_add(world, first, id));
            for (part = 0; part < parts; part++) {
                if (parts == 1) {
                    CHECK_OK(dz_iterate(world, query, &it));
                } else {
                    CHECK_OK(dz_iterate_part(world, query, part, parts, &it));
                }
                while (dz_next(&it)) {
                    DZ_EACH(it, j) {
                        CHECK(dz_iter_entity(&it, j) == (n == 0 ? first : far));
                        if (n++ == 0) CHECK_OK(dz_add(world, far, id));
                    }
                }
                /* A part stays what it was, half of what there was: whom it lets match far behind its end it doesn't see. */
                if (part + 1 < parts && distances[i] >= 1000) CHECK_EQ(n, 1);
            }
            CHECK_EQ(n, 2);
            CHECK_OK(dz_world_destroy(world));
        }
    }
}

/* Who comes to match behind the current entity is seen, also if the batch is left for it, or it comes between two batches: with one
 * match in all, some that lie apart, or many. */
static void late_matches(void)
{
    static const uint32_t counts[] = {1, 20, 200, 1000}, among[] = {3000, 3000, 40000, 3000};
    static dz_entity e[40000];
    uint32_t k, how, i, where;
    for (k = 0; k < 4; k++) {
        for (how = 0; how < 6; how++) {
            dz_world world = check_world();
            dz_id a = DZ_TAG(world, A), b = DZ_TAG(world, B);
            uint32_t all = among[k], step = all / counts[k], seen = 0;
            dz_query query;
            dz_iter it;
            bool late = false;
            dz_entity behind = DZ_NULL;
            CHECK_OK(dz_create_n(world, all, e));
            CHECK_OK(dz_add_n(world, e, all, b));
            for (i = 0; i < all; i += step) CHECK_OK(dz_add(world, e[i], a));
            query = dz_query_parse(world, how < 3 ? "[none] A, [none] B" : "A, B");
            for (CHECK_OK(dz_iterate(world, query, &it)); dz_next(&it);) {
                uint32_t last = dz_entity_index(dz_iter_entity(&it, it.count - 1)) - dz_entity_index(e[0]);
                where = last + 1; /* right behind the batch: nobody that there was matches there, but where all do */
                DZ_EACH(it, n) {
                    late |= behind != DZ_NULL && dz_iter_entity(&it, n) == behind;
                    if (seen++ == 0 && how % 3 < 2) {
                        behind = e[where], CHECK(!dz_failed(dz_add(world, behind, a)));
                        if (how % 3 == 1) break;
                    }
                }
                if (how % 3 == 2 && behind == DZ_NULL) behind = e[where], CHECK(!dz_failed(dz_add(world, behind, a)));
            }
            CHECK_IS(it.status, DZ_OK);
            CHECK(late);
            CHECK_OK(dz_world_destroy(world));
        }
    }
}

int main(void)
{
    RUN(creation);
    RUN(text);
    RUN(batches);
    RUN(no_fields);
    RUN(questions);
    RUN(parts_and_copies);
    RUN(callbacks);
    RUN(remembering);
    RUN(orders);
    RUN(changes);
    RUN(few_after_changes);
    RUN(late_comers);
    RUN(endings);
    RUN(late_matches);
    RUN(accessors);
    return check_done();
}
