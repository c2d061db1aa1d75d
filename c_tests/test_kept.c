/* Kept queries of pairs and of the hierarchy: what they remember is how it is, or they look. */
#include "check.h"

typedef struct { float x, y; } Position;

static dz_world world;
static dz_id position, gravity;
static dz_entity likes, bob, e[10];

static dz_query kept(const char *text)
{
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_query query;
    desc.text = text, desc.kept = 1;
    query = dz_query_create(world, &desc);
    if (!CHECK(query.bits != 0)) fprintf(stderr, "%s\n", text);
    return query;
}

static bool is_fresh(dz_query query)
{
    dz_query_details details;
    CHECK_OK(dz_query_info(world, query, &details));
    return details.fresh == 1;
}

/* The matches as digits, in order. */
static const char *matches(dz_query query)
{
    static char out[32];
    uint32_t n = 0, all = 0, i, k;
    dz_iter it;
    CHECK_OK(dz_iterate(world, query, &it));
    while (dz_next(&it)) {
        for (i = 0; i < it.count; i++, all++) {
            for (k = 0; k < 10; k++) {
                if (e[k] == dz_iter_entity(&it, i) && n < 30) out[n++] = (char)('0' + k);
            }
        }
    }
    CHECK_OK((dz_status)it.status);
    CHECK_EQ(dz_query_count(world, query), all);
    out[n] = 0;
    return out;
}

static void begin(void)
{
    uint32_t i;
    Position p = {1, 2};
    world = check_world();
    position = DZ_COMPONENT(world, Position), gravity = dz_component_simple(world, "Gravity", 8, 8);
    likes = dz_create(world), bob = dz_create(world);
    CHECK_OK(dz_set_name(world, likes, "Likes"));
    CHECK_OK(dz_set_name(world, bob, "Bob"));
    CHECK_OK(dz_create_n(world, 10, e));
    for (i = 0; i < 10; i++) {
        CHECK_OK(DZ_SET(world, e[i], position, &p));
        if (i % 2 == 0) CHECK_OK(dz_add_pair(world, e[i], likes, bob));
    }
}

static void what_changes_makes_it_look(void)
{
    dz_query query;
    dz_entity other, another;
    begin();
    query = kept("(Likes, Bob), Position");
    CHECK(!is_fresh(query));
    CHECK(strcmp(matches(query), "02468") == 0);
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(is_fresh(query));
    CHECK(strcmp(matches(query), "02468") == 0);
    /* Others come, get pairs of other targets, parents and names: it is fresh all the same. */
    other = dz_create(world), another = dz_create(world);
    CHECK_OK(dz_add_pair(world, other, likes, another));
    CHECK_OK(dz_add(world, e[1], gravity));
    CHECK(is_fresh(query));
    CHECK(strcmp(matches(query), "02468") == 0);
    /* Somebody gets the pair; somebody loses the component; the target ends. */
    CHECK_OK(dz_add_pair(world, e[1], likes, bob));
    CHECK(!is_fresh(query));
    CHECK(strcmp(matches(query), "024681") == 0);
    CHECK_OK(dz_query_refresh(world, query));
    CHECK_OK(dz_remove(world, e[4], position));
    CHECK(!is_fresh(query));
    CHECK(strcmp(matches(query), "02681") == 0);
    CHECK_OK(dz_query_refresh(world, query));
    CHECK_OK(dz_set_enabled(world, e[6], 0));
    CHECK(!is_fresh(query));
    CHECK(strcmp(matches(query), "0281") == 0);
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(is_fresh(query));
    CHECK_OK(dz_destroy(world, bob));
    CHECK(strcmp(matches(query), "") == 0);
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(strcmp(matches(query), "") == 0);
    CHECK_OK(dz_world_destroy(world));
}

/* Elements are where they are now, in order and out of it. */
static void elements_follow(void)
{
    dz_query query;
    dz_iter it;
    float sum = 0;
    uint32_t i;
    begin();
    for (i = 1; i < 10; i++) CHECK_OK(dz_set_parent(world, e[i], e[i / 2]));
    query = kept("[cascade] Position, [in] ?Position(parent)");
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(is_fresh(query) && strcmp(matches(query), "0123456789") == 0);
    /* The last element of the pool takes the place of the second. */
    CHECK_OK(dz_remove(world, e[1], position));
    for (dz_iterate(world, query, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            const Position *above = DZ_AT_IF(it, Position, 1, i);
            CHECK(DZ_AT(it, Position, 0, i) == dz_get(world, dz_iter_entity(&it, i), position));
            if (above) sum += above->x;
        }
    }
    /* 4 to 9 but for 2 and 3 have a parent with a position. */
    CHECK(sum == 6);
    CHECK_OK(dz_query_refresh(world, query));
    CHECK_OK(dz_set_parent(world, e[9], DZ_NULL));
    CHECK(!is_fresh(query));
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(is_fresh(query) && strcmp(matches(query), "902345678") == 0);
    CHECK_OK(dz_world_destroy(world));
}

/* The hierarchy is watched by those who ask for it, and by nobody else. */
static void who_asks_for_the_hierarchy(void)
{
    static const char *const text[] = {"(Likes, Bob), Position", "Position, (Likes, *)", "Position, ?Gravity(world)",
        "[cascade] Position", "(Likes, Bob), Position(parent)", "Position, !Position(up)"};
    uint32_t what;
    for (what = 0; what < 7; what++) {
        dz_query_desc desc = DZ_QUERY_DESC_INIT;
        dz_term terms[2] = {{0}};
        dz_query query;
        begin();
        terms[0].id = position, terms[1].id = DZ_CHILDOF(e[0]), terms[1].ask = DZ_WITHOUT;
        desc.terms = terms, desc.term_count = 2, desc.kept = 1;
        query = what < 6 ? kept(text[what]) : dz_query_create(world, &desc);
        CHECK_OK(dz_query_refresh(world, query));
        CHECK(is_fresh(query));
        CHECK_OK(dz_set_parent(world, e[1], e[0]));
        CHECK_EQ(is_fresh(query), what < 3);
        if (what == 6) CHECK(strcmp(matches(query), "023456789") == 0);
        if (what == 5) CHECK(strchr(matches(query), '1') == NULL);
        CHECK_OK(dz_query_refresh(world, query));
        CHECK_OK(dz_set_parent(world, e[1], DZ_NULL));
        CHECK_EQ(is_fresh(query), what < 3);
        CHECK_OK(dz_world_destroy(world));
    }
}

/* The world-wide value is another one in the middle of a loop: nobody reads where it was. */
static void a_singleton_moves(void)
{
    int round;
    begin();
    for (round = 0; round < 2; round++) {
        dz_query query = kept("(Likes, Bob), ?Gravity(world)");
        uint64_t value = 1;
        dz_iter it;
        CHECK_OK(dz_singleton_set(world, gravity, 8, &value));
        if (round == 1) {
            CHECK_OK(dz_query_refresh(world, query));
            CHECK(is_fresh(query));
        }
        for (dz_iterate(world, query, &it); dz_next(&it);) {
            DZ_EACH(it, i) {
                const uint64_t *now = (const uint64_t *)dz_at_if(&it, 1, i, sizeof *now);
                CHECK(now == dz_singleton_get(world, gravity));
                CHECK(now == NULL ? value == 0 : *now == value);
                if (value == 3) {
                    CHECK_OK(dz_singleton_remove(world, gravity));
                    value = 0;
                } else if (value > 0) {
                    value++;
                    CHECK_OK(dz_singleton_set(world, gravity, 8, &value));
                }
            }
        }
        CHECK_OK((dz_status)it.status);
        CHECK_EQ(value, 0);
        CHECK_OK(dz_query_destroy(world, query));
    }
    CHECK_OK(dz_world_destroy(world));
}

/* The loop takes out from under its feet what it remembers, and refreshes it. */
static void it_changes_in_the_loop(void)
{
    dz_query query;
    dz_iter it;
    uint32_t seen = 0;
    begin();
    query = kept("(Likes, Bob), Position");
    CHECK_OK(dz_query_refresh(world, query));
    for (dz_iterate(world, query, &it); dz_next(&it);) {
        DZ_EACH(it, i) {
            seen++;
            CHECK_OK(dz_destroy(world, dz_iter_entity(&it, i)));
        }
    }
    CHECK_OK((dz_status)it.status);
    CHECK_EQ(seen, 5);
    CHECK_EQ(dz_query_count(world, query), 0);
    CHECK_OK(dz_add_pair(world, e[1], likes, bob));
    CHECK_OK(dz_add_pair(world, e[3], likes, bob));
    CHECK_OK(dz_query_refresh(world, query));
    seen = 0;
    for (dz_iterate(world, query, &it); dz_next(&it);) {
        DZ_EACH(it, i) {
            seen++;
            CHECK_OK(dz_remove_pair(world, dz_iter_entity(&it, i), likes, bob));
            CHECK_OK(dz_query_refresh(world, query));
        }
    }
    CHECK_EQ(it.status, DZ_ERR_CHANGED);
    CHECK_EQ(seen, 1);
    CHECK_OK(dz_world_destroy(world));
}

/* What a reflexive relation promised ends with it, and with who it was promised of, though nobody held a pair. */
static void promises_end(void)
{
    int how;
    for (how = 0; how < 3; how++) {
        dz_relation_desc traits = DZ_RELATION_DESC_INIT;
        dz_term terms[2] = {{0}};
        dz_query_desc desc = DZ_QUERY_DESC_INIT;
        dz_query query;
        dz_entity near;
        begin();
        near = dz_create(world);
        traits.reflexive = 1;
        CHECK_OK(dz_relation_set(world, near, &traits));
        terms[0].id = position;
        terms[1].id = near, terms[1].target = how == 2 ? bob : e[0], terms[1].ask = how == 1 ? DZ_WITHOUT : DZ_WITH;
        if (how == 2) terms[1].source = bob;
        desc.terms = terms, desc.term_count = 2, desc.kept = 1;
        query = dz_query_create(world, &desc);
        CHECK(query.bits != 0);
        CHECK_OK(dz_query_refresh(world, query));
        CHECK(is_fresh(query) && strcmp(matches(query), how == 0 ? "0" : how == 1 ? "123456789" : "0123456789") == 0);
        CHECK_OK(dz_destroy(world, how == 2 ? bob : near));
        CHECK(strcmp(matches(query), how == 1 ? "0123456789" : "") == 0);
        CHECK_OK(dz_query_refresh(world, query));
        CHECK(strcmp(matches(query), how == 1 ? "0123456789" : "") == 0);
        CHECK_OK(dz_world_destroy(world));
    }
}

/* Many who end at once don't concern queries that they don't match. */
static void others_end(void)
{
    dz_id stone;
    dz_entity stones[300];
    dz_query query;
    begin();
    stone = DZ_TAG(world, Stone);
    CHECK_OK(dz_create_n(world, 300, stones));
    CHECK_OK(dz_add_n(world, stones, 300, stone));
    query = kept("Position");
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(is_fresh(query));
    CHECK_OK(dz_destroy_n(world, stones, 299, NULL));
    CHECK(is_fresh(query));
    CHECK_OK(dz_add(world, stones[299], position));
    CHECK(!is_fresh(query));
    CHECK_OK(dz_world_destroy(world));
}

/* A refresh in the middle of a loop finds other batches: nobody is missed without an error, nor seen twice. */
static void refreshed_between_batches(void)
{
    static dz_entity many[300];
    static uint32_t times[300];
    dz_query query;
    dz_iter it;
    uint32_t i, k, batches = 0, missed = 0;
    begin();
    CHECK_OK(dz_create_n(world, 300, many));
    for (i = 0; i < 300; i++) CHECK_OK(dz_add_pair(world, many[i], likes, many[299]));
    CHECK_OK(dz_set_name(world, many[299], "Eve"));
    query = kept("(Likes, Eve)");
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(is_fresh(query));
    memset(times, 0, sizeof times);
    for (dz_iterate(world, query, &it); dz_next(&it); batches++) {
        for (i = 0; i < it.count; i++) {
            for (k = 0; k < 299 && many[k] != dz_iter_entity(&it, i);) k++;
            CHECK_EQ(++times[k], 1);
        }
        if (batches > 0) continue;
        CHECK_OK(dz_remove_pair(world, many[3], likes, many[299]));
        CHECK_OK(dz_query_refresh(world, query));
        CHECK(is_fresh(query));
    }
    for (i = 0; i < 300; i++) missed += times[i] == 0;
    CHECK(batches > 1 && (it.status == DZ_ERR_CHANGED || missed == 0));
    CHECK_OK(dz_world_destroy(world));
}

/* Whoever becomes the instance of one that is a base already, or of another, has what that has. */
static void another_base(void)
{
    dz_query query;
    dz_entity base, empty;
    begin();
    base = dz_create(world), empty = dz_create(world);
    CHECK_OK(dz_add(world, base, gravity));
    CHECK(dz_set_base(world, base, true) == DZ_OK && dz_set_base(world, empty, true) == DZ_OK);
    query = kept("Position, [in] Gravity(inherit)");
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(is_fresh(query) && strcmp(matches(query), "") == 0);
    CHECK_OK(dz_add(world, e[4], DZ_INSTANCEOF(base)));
    CHECK(strcmp(matches(query), "4") == 0);
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(is_fresh(query) && strcmp(matches(query), "4") == 0);
    CHECK_OK(dz_add(world, e[4], DZ_INSTANCEOF(empty)));
    CHECK(strcmp(matches(query), "") == 0);
    CHECK_OK(dz_world_destroy(world));
}

/* A reflexive relation promises nothing of who has ended, be it one who took part in nothing. */
static void who_was_alone_ends(void)
{
    int down;
    for (down = 0; down < 2; down++) {
        dz_relation_desc traits = DZ_RELATION_DESC_INIT;
        dz_term terms[2] = {{0}};
        dz_query_desc desc = DZ_QUERY_DESC_INIT;
        dz_query query;
        dz_entity near;
        dz_iter it;
        begin();
        near = dz_create(world), e[9] = dz_create(world);
        traits.reflexive = 1;
        CHECK_OK(dz_relation_set(world, near, &traits));
        terms[0].id = near, terms[0].target = e[9], terms[0].source = down ? DZ_NULL : e[9];
        terms[1].id = position;
        desc.terms = terms, desc.term_count = down ? 1 : 2, desc.kept = 1, desc.cascade = down == 1;
        query = dz_query_create(world, &desc);
        CHECK_OK(dz_query_refresh(world, query));
        CHECK(strcmp(matches(query), down ? "9" : "012345678") == 0);
        CHECK_OK(dz_destroy(world, e[9]));
        CHECK(dz_iterate(world, query, &it) == DZ_OK && !dz_next(&it) && it.status == DZ_OK);
        CHECK_OK(dz_world_destroy(world));
    }
}

/* Who was made since the last refresh, and comes to match in the loop, is seen in its turn, as without remembering. */
static void made_before_the_loop(void)
{
    static const char *const text[] = {"Position, ?Gravity(world)", "[cascade] Position"};
    int what;
    for (what = 0; what < 2; what++) {
        dz_query query;
        dz_iter it;
        uint32_t n = 0;
        dz_entity later;
        begin();
        query = kept(text[what]);
        CHECK_OK(dz_query_refresh(world, query));
        later = dz_create(world);
        CHECK(is_fresh(query));
        for (dz_iterate(world, query, &it); dz_next(&it);) {
            DZ_EACH(it, i) {
                if (n++ == 0) CHECK_OK(dz_add(world, later, position));
                CHECK(n != 11 || dz_iter_entity(&it, i) == later);
            }
        }
        CHECK(n == 11 && it.status == DZ_OK);
        CHECK_OK(dz_world_destroy(world));
    }
    begin(); /* of bases nothing is remembered */
    for (what = 0; what < 2; what++) {
        dz_query query = kept(what ? "[cascade] [bases] Position" : "[bases] Position");
        CHECK_OK(dz_query_refresh(world, query));
        CHECK(!is_fresh(query));
    }
    CHECK_OK(dz_world_destroy(world));
}

/* Who is made with all its components at once is seen, also where nothing else has changed since the last refresh. */
static void made_at_once(void)
{
    dz_query query;
    dz_column column = {0};
    dz_entity made;
    Position p = {3, 4};
    uint64_t value = 1;
    begin();
    query = kept("Position, [in] Gravity(world)");
    CHECK_OK(dz_singleton_set(world, gravity, 8, &value));
    CHECK_OK(dz_query_refresh(world, query));
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(is_fresh(query) && dz_query_count(world, query) == 10);
    column.id = position, column.values = &p, column.element_size = sizeof p;
    CHECK_OK(dz_create_with(world, 1, &column, 1, &made));
    CHECK(!is_fresh(query));
    e[0] = made;
    CHECK(strcmp(matches(query), "1234567890") == 0);
    CHECK_OK(dz_world_destroy(world));
}

/* Runs of two kept queries that want different orders, with so many queries made in between. */
static void between(uint32_t others, uint32_t *first_runs, uint32_t *second_runs)
{
    static dz_entity many[2000];
    dz_query first, second;
    dz_query_details details;
    dz_id even, third;
    uint32_t i, moves;
    begin();
    even = DZ_TAG(world, Even), third = DZ_TAG(world, Third);
    CHECK_OK(dz_create_n(world, 2000, many));
    CHECK_OK(dz_add_n(world, many, 2000, position));
    for (i = 0; i < 2000; i++) {
        if (i % 2 == 0) CHECK_OK(dz_add(world, many[i], even));
        if (i % 3 == 0) CHECK_OK(dz_add(world, many[i], third));
    }
    first = kept("Position, Third");
    for (i = 0; i < others; i++) CHECK_OK(dz_query_destroy(world, dz_query_parse(world, "Position")));
    second = kept("Position, Even");
    CHECK_OK(dz_optimize(world, UINT32_MAX, &moves));
    CHECK_OK(dz_query_refresh(world, first));
    CHECK_OK(dz_query_refresh(world, second));
    CHECK_OK(dz_query_info(world, first, &details));
    *first_runs = details.runs;
    CHECK_OK(dz_query_info(world, second, &details));
    *second_runs = details.runs;
    CHECK_OK(dz_world_destroy(world));
}

/* Of equal priorities the query that was made first comes first, also where serials begin anew in between, so that the later one has
 * a lower one. */
static void the_first_one_decides(void)
{
    uint32_t first, second, all;
    for (all = 0; all < (check_layout == DZ_LAYOUT_64 ? 2 : 1); all++) {
        between(all * 1048570, &first, &second);
        /* The matches of the other one are torn, and not worth remembering. */
        CHECK(first == 1 && second == 0);
    }
}

static uint64_t bytes_of(dz_query query)
{
    dz_query_details details;
    CHECK_OK(dz_query_info(world, query, &details));
    return details.bytes;
}

static uint64_t world_bytes(void)
{
    dz_world_numbers numbers;
    CHECK_OK(dz_world_stats(world, &numbers));
    return numbers.bytes;
}

/* The room of what was remembered and isn't any more is given back; whoever goes along what is remembered goes on. */
static void shrunk(void)
{
    static dz_entity many[9000];
    dz_query walked, runs;
    uint64_t walked_before, runs_before, before;
    uint32_t i, seen = 0;
    dz_iter it;
    begin();
    CHECK_OK(dz_create_n(world, 9000, many));
    CHECK_OK(dz_add_n(world, many, 9000, position));
    for (i = 0; i < 9000; i++) {
        CHECK_OK(dz_add_pair(world, many[i], likes, bob));
        if (i % 9) CHECK_OK(dz_add(world, many[i], gravity));
    }
    walked = kept("(Likes, Bob), Position"), runs = kept("Position, Gravity");
    CHECK_OK(dz_query_refresh(world, walked));
    CHECK_OK(dz_query_refresh(world, runs));
    CHECK(dz_query_count(world, walked) == 9005 && dz_query_count(world, runs) == 8000);
    CHECK_OK(dz_destroy_n(world, many + 9, 8991, NULL));
    CHECK_OK(dz_query_refresh(world, walked));
    CHECK_OK(dz_query_refresh(world, runs));
    walked_before = bytes_of(walked), runs_before = bytes_of(runs);
    CHECK(walked_before > (uint64_t)9000 * 24 && runs_before > 1000 * 16);
    CHECK_OK(dz_shrink(world));
    CHECK(bytes_of(walked) < walked_before / 50 && bytes_of(runs) < runs_before / 5);
    CHECK(dz_query_count(world, walked) == 14 && dz_query_count(world, runs) == 8);
    before = world_bytes();
    CHECK_OK(dz_shrink(world));
    CHECK_EQ(world_bytes(), before);
    for (i = 0; i < 9; i++) CHECK_OK(dz_remove_pair(world, many[i], likes, bob));
    CHECK(strcmp(matches(walked), "02468") == 0);
    CHECK_OK(dz_query_refresh(world, walked));
    for (CHECK_OK(dz_iterate(world, walked, &it)); dz_next(&it);) {
        DZ_EACH(it, at) {
            CHECK(DZ_AT(it, Position, 1, at) == dz_get(world, e[2 * seen++], position));
            CHECK_OK(dz_shrink(world));
        }
    }
    CHECK_OK((dz_status)it.status);
    CHECK_EQ(seen, 5);
    CHECK_EQ(dz_query_count(world, runs), 8);
    before = world_bytes();
    CHECK_OK(dz_query_destroy(world, walked));
    CHECK_OK(dz_query_destroy(world, runs));
    CHECK(world_bytes() < before);
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(what_changes_makes_it_look);
    RUN(elements_follow);
    RUN(who_asks_for_the_hierarchy);
    RUN(a_singleton_moves);
    RUN(it_changes_in_the_loop);
    RUN(promises_end);
    RUN(others_end);
    RUN(made_at_once);
    RUN(made_before_the_loop);
    RUN(refreshed_between_batches);
    RUN(another_base);
    RUN(who_was_alone_ends);
    RUN(the_first_one_decides);
    RUN(shrunk);
    return check_done();
}
