/* Walks along pairs and the hierarchy, compared with a look at each entity: how many match among how many, whatever else is
 * asked of them, and while they change. */
#include "check.h"

enum { N = 3000, KINDS = 5, TARGETS = 40 };

typedef struct { uint32_t number; } Position;
typedef struct { uint64_t value[2]; } Weight;

static dz_world world;
static dz_id position, dirty, frozen, weight;
static dz_entity likes, all[N], targets[TARGETS];
static uint32_t parent_of[N], target_of[N];
/* Not here: -1. */
static int at_level[N];

static bool has(uint32_t i, dz_id id)
{
    return dz_has(world, all[i], id);
}

/* A hierarchy of some shape, in which numbers say nothing about levels; every tenth is outside. Everybody likes two targets, and weighs
 * something for one. */
static dz_world begin(uint32_t fan)
{
    static uint32_t order[N];
    uint32_t i, k, swap;
    world = check_world();
    position = DZ_COMPONENT(world, Position), weight = DZ_COMPONENT(world, Weight);
    dirty = DZ_TAG(world, Dirty), frozen = DZ_TAG(world, Frozen);
    likes = dz_create(world);
    CHECK_OK(dz_set_name(world, likes, "Likes"));
    CHECK_OK(dz_create_n(world, TARGETS, targets));
    CHECK_OK(dz_create_n(world, N, all));
    for (i = 0; i < N; i++) order[i] = i;
    for (i = N; i > 1; i--) k = check_random(i), swap = order[k], order[k] = order[i - 1], order[i - 1] = swap;
    for (i = 0; i < N; i++) {
        uint32_t self = order[i], above = i % 10 == 9 || i == 0 ? N : order[(i - 1) / fan];
        Position p = {self};
        Weight w = {{self, self + 1}};
        parent_of[self] = above, target_of[self] = check_random(TARGETS);
        if (above < N) CHECK_OK(dz_set_parent(world, all[self], all[above]));
        if (self % 7 != 3) CHECK_OK(DZ_SET(world, all[self], position, &p));
        CHECK_OK(dz_add_pair(world, all[self], likes, targets[target_of[self]]));
        CHECK_OK(dz_add_pair(world, all[self], likes, targets[(target_of[self] + 1) % TARGETS]));
        CHECK_OK(DZ_SET_PAIR(world, all[self], weight, targets[target_of[self]], &w));
    }
    for (i = 0; i < N; i++) {
        bool in = parent_of[i] < N;
        for (k = 0; k < N && !in; k++) in = parent_of[k] == i;
        at_level[i] = 0;
        for (k = i; in && k < N; k = parent_of[k]) at_level[i]++;
    }
    return world;
}

/* Some get a tag, or lose it. */
static void mark(dz_id tag, uint32_t some)
{
    uint32_t i;
    CHECK_OK(dz_clear_pool(world, tag));
    for (i = 0; i < some; i++) CHECK(!dz_failed(dz_add(world, all[some == N ? i : check_random(N)], tag)));
}

static bool fits(uint32_t i, uint32_t kind)
{
    bool shown = dz_is_enabled(world, all[i]), in = shown && has(i, dirty);
    switch (kind) {
    case 0: return in && has(i, position);
    case 1: return in && has(i, position) && !has(i, frozen);
    case 2: return in && parent_of[i] < N && has(parent_of[i], position);
    case 4: return shown;
    default: return in && (has(i, position) || has(i, frozen));
    }
}

/* Goes through the matches; `change`: each so many changes something, 0: none does. */
static void visit(const char *lead, uint32_t kind, uint32_t change)
{
    static const char *const rest[KINDS] = {"Position, [in] ?Position(parent), Dirty", "Position, [in] ?Position(parent), Dirty, !Frozen",
        "?Position, [in] Position(parent), Dirty", "[in] Position || Frozen, ?Position(parent), Dirty",
        "?Position, ?Position(parent)"};
    static uint8_t times[N], wanted[N];
    char text[200];
    bool cascade = lead[0] == '[', weighs = strstr(lead, "Weight") != NULL, any = strchr(lead, '*') != NULL;
    uint32_t first = cascade ? 0 : 1, parents = first + (kind == 3 ? 2 : 1), i, seen = 0, expected = 0;
    int level = 0;
    dz_query query;
    dz_iter it;
    if (kind == 3 ? !cascade : kind == 4 && cascade) return; /* `||` stands first; and a cascade has somebody to ask for */
    sprintf(text, "%s%s", lead, rest[kind]);
    query = dz_query_parse(world, text);
    if (!CHECK(query.bits != 0)) fprintf(stderr, "%s: %s\n", text, dz_error_message());
    for (i = 0; i < N; i++) {
        bool aims = target_of[i] == 5 || (!weighs && (target_of[i] + 1) % TARGETS == 5);
        uint32_t pairs = cascade ? 1 : !any ? aims : weighs ? 1 : 2;
        times[i] = 0, wanted[i] = fits(i, kind) ? (uint8_t)pairs : 0;
        expected += wanted[i];
    }
    CHECK_EQ(dz_query_count(world, query), expected);
    CHECK_OK(dz_iterate(world, query, &it));
    while (dz_next(&it)) {
        DZ_EACH(it, at) {
            dz_entity entity = dz_iter_entity(&it, at);
            const Position *own = DZ_AT_IF(it, Position, first, at), *above = DZ_AT_IF(it, Position, parents, at);
            uint32_t self = dz_entity_index(entity) - dz_entity_index(all[0]);
            if (!CHECK(self < N && entity == all[self])) break;
            CHECK(own == (has(self, position) ? dz_get(world, entity, position) : NULL));
            CHECK(above == (parent_of[self] < N && has(parent_of[self], position)
                                   ? dz_get(world, all[parent_of[self]], position) : NULL));
            if (cascade) {
                CHECK(at_level[self] >= level);
                level = at_level[self];
            } else {
                dz_entity target = dz_iter_target(&it, 0, at);
                CHECK(target == targets[target_of[self]] || (!weighs && target == targets[(target_of[self] + 1) % TARGETS]));
                if (weighs) CHECK(DZ_AT(it, Weight, 0, at) == dz_get_pair(world, entity, weight, target));
                if (weighs) CHECK_EQ(DZ_AT(it, Weight, 0, at)->value[1], self + 1);
            }
            times[self]++, seen++;
            if (change && seen % change == 0) {
                /* What leads stays as it is: this one matches no more, and who was not seen yet may be out of it too. */
                uint32_t other = check_random(N);
                CHECK(!dz_failed(dz_remove(world, entity, dirty)));
                if (!times[other]) CHECK(!dz_failed(dz_remove(world, all[other], dirty))), wanted[other] = 0;
                wanted[self] = times[self];
            }
        }
    }
    CHECK_OK((dz_status)it.status);
    for (i = 0; i < N; i++) CHECK_EQ(times[i], wanted[i]);
    CHECK_OK(dz_query_destroy(world, query));
}

static const char *const leads[] = {"[cascade] ", "(Likes, *), ", "(Likes, Five), ", "(Weight, *), ", "(Weight, Five), "};

/* Few or many match, in high and low hierarchies, with somebody disabled or not. */
static void m32_whoever_matches_is_found(void)
{
    static const uint32_t fans[] = {1, 2, 8, 100}, some[] = {0, 1, 7, 60, 400, 2000, N};
    uint32_t shape, many, lead, kind, hidden, i;
    for (shape = 0; shape < 4; shape++) {
        begin(fans[shape]);
        CHECK_OK(dz_set_name(world, targets[5], "Five"));
        for (hidden = 0; hidden < 3; hidden++) {
            for (i = 0; i < 200 && hidden == 1; i++) CHECK(!dz_failed(dz_set_enabled(world, all[check_random(N)], false)));
            for (i = 0; i < N && hidden == 2; i++) CHECK(!dz_failed(dz_set_enabled(world, all[i], true)));
            for (many = 0; many < 7; many++) {
                mark(dirty, some[many]), mark(frozen, check_random(N));
                for (lead = 0; lead < 5; lead++) {
                    for (kind = 0; kind < KINDS; kind++) visit(leads[lead], kind, 0);
                }
            }
        }
        CHECK_OK(dz_world_destroy(world));
    }
}

/* Each leaves as it is seen, and others before their turn. */
static void m32_whoever_leaves_is_not_seen_again(void)
{
    static const uint32_t some[] = {1, 7, 60, 400, N};
    uint32_t many, lead, kind, every;
    begin(4);
    CHECK_OK(dz_set_name(world, targets[5], "Five"));
    for (many = 0; many < 5; many++) {
        for (lead = 0; lead < 5; lead++) {
            for (kind = 0; kind < 3; kind++) {
                for (every = 1; every < 100; every = every * 3 + 1) {
                    mark(dirty, some[many]), mark(frozen, 100);
                    visit(leads[lead], kind, every);
                }
            }
        }
    }
    CHECK_OK(dz_world_destroy(world));
}

/* Each sort of term that one look answers, as text; the term whose field is compared; how many matches somebody is. */
enum { WORLD, MAYBE_WORLD, OF_FIVE, UP, NOT_UP, OF_TARGET, NOT_OF_TARGET, NOT_FIVE, MAYBE_FIVE, FIVE, INHERITED, MANY, NOT_ANY, MAYBE_ANY,
    NOT_AT_FIVE, SORTS };
static const char *const texts[SORTS] = {"Position, [in] Rate(world)", "[in] Position, ?Rate(world)", "Position, [in] Position(Five)",
    "Position, [in] ?Position(up)", "Position, !Position(up)", "(Likes, $x), Position, [in] Position($x)",
    "(Likes, $x), Position, !Closed($x)", "Position, !(Likes, Five)", "Position, ?(Weight, Five)", "Position, (Weight, Five)",
    "Position, [in] Mass(inherit)", "[none] Position, !Frozen, [in] Position(parent), (Likes, Five), ?(Weight, Five), ?Rate(world)",
    "Position, !(Weight, *)", "Position, ?(Weight, *)", "Position, !(*, Five)"};
static const uint32_t compared[SORTS] = {1, 1, 1, 1, 0, 2, 1, 0, 1, 1, 1, 2, 0, 1, 0};
static dz_id rate, closed, mass;

static uint32_t above(uint32_t i)
{
    do i = parent_of[i];
    while (i < N && !has(i, position));
    return i;
}

static uint32_t times_expected(uint32_t sort, uint32_t i)
{
    dz_entity five = targets[5], first = targets[target_of[i]], second = targets[(target_of[i] + 1) % TARGETS];
    bool in = has(i, position) && dz_is_enabled(world, all[i]);
    if (!in) return 0;
    switch (sort) {
    case WORLD: return dz_singleton_get(world, rate) != NULL;
    case OF_FIVE: return dz_has(world, five, position);
    case NOT_UP: return above(i) == N;
    case OF_TARGET: return dz_has(world, first, position) + dz_has(world, second, position);
    case NOT_OF_TARGET: return !dz_has(world, first, closed) + !dz_has(world, second, closed);
    case NOT_FIVE: return !dz_has_pair(world, all[i], likes, five);
    case FIVE: return dz_has_pair(world, all[i], weight, five);
    case INHERITED: return dz_has(world, all[i], mass);
    case MANY: return parent_of[i] < N && has(parent_of[i], position) && !has(i, frozen) && dz_has_pair(world, all[i], likes, five);
    case NOT_ANY: return !dz_has_pair(world, all[i], weight, first);
    case NOT_AT_FIVE: return !dz_has_pair(world, all[i], likes, five) && !dz_has_pair(world, all[i], weight, five);
    default: return 1;
    }
}

static const void *value_expected(uint32_t sort, uint32_t i, dz_entity target)
{
    switch (sort) {
    case WORLD: case MAYBE_WORLD: return dz_singleton_get(world, rate);
    case OF_FIVE: return dz_get(world, targets[5], position);
    case UP: return above(i) < N ? dz_get(world, all[above(i)], position) : NULL;
    case OF_TARGET: return dz_get(world, target, position);
    case MAYBE_FIVE: case FIVE: return dz_has_pair(world, all[i], weight, targets[5]) ? dz_get_pair(world, all[i], weight, targets[5]) : NULL;
    case MAYBE_ANY:
        return dz_has_pair(world, all[i], weight, targets[target_of[i]]) ? dz_get_pair(world, all[i], weight, targets[target_of[i]]) : NULL;
    case INHERITED: return dz_get(world, all[i], mass);
    case MANY: return dz_get(world, all[parent_of[i]], position);
    default: return dz_get(world, all[i], position);
    }
}

static void terms_of_all_sorts(void)
{
    static uint8_t times[N];
    uint32_t round, sort, i;
    dz_entity base;
    uint64_t one = 1;
    begin(3);
    rate = dz_component_simple(world, "Rate", 8, 8), mass = dz_component_simple(world, "Mass", 8, 8), closed = DZ_TAG(world, Closed);
    CHECK_OK(dz_set_name(world, targets[5], "Five"));
    base = dz_create(world);
    CHECK_OK(dz_set(world, base, mass, 8, &one));
    for (i = 0; i < N; i += 3) CHECK_OK(dz_add(world, all[i], DZ_INSTANCEOF(base)));
    for (i = 0; i < N; i += 5) CHECK_OK(dz_set(world, all[i], mass, 8, &one));
    for (i = 0; i < TARGETS; i += 2) CHECK_OK(dz_add(world, targets[i], closed));
    for (round = 0; round < 6; round++) {
        /* The world's value comes and goes, as do those of the targets; some are disabled; pairs and parents' components go. */
        if (round == 1) CHECK_OK(dz_singleton_set(world, rate, 8, &one));
        for (i = 0; i < TARGETS && round == 2; i += 3) CHECK_OK(dz_add(world, targets[i], position));
        if (round == 3) CHECK_OK(dz_add(world, targets[5], position));
        mark(frozen, round * 200);
        for (i = 0; i < N && round > 3; i += round) CHECK(!dz_failed(dz_remove_pair(world, all[i], weight, targets[target_of[i]])));
        for (i = 0; i < N && round > 4; i += 7) CHECK(!dz_failed(dz_remove(world, all[i], position)));
        for (i = 0; i < 100 && round == 4; i++) CHECK(!dz_failed(dz_set_enabled(world, all[check_random(N)], false)));
        if (round == 5) CHECK_OK(dz_singleton_remove(world, rate));
        for (sort = 0; sort < SORTS; sort++) {
            dz_query query = dz_query_parse(world, texts[sort]);
            dz_iter it;
            if (!CHECK(query.bits != 0)) fprintf(stderr, "%s: %s\n", texts[sort], dz_error_message());
            memset(times, 0, sizeof times);
            CHECK_OK(dz_iterate(world, query, &it));
            while (dz_next(&it)) {
                for (i = 0; i < it.count; i++) {
                    dz_entity entity = dz_iter_entity(&it, i);
                    uint32_t self = dz_entity_index(entity) - dz_entity_index(all[0]);
                    bool led = sort == OF_TARGET || sort == NOT_OF_TARGET;
                    dz_entity target = led ? dz_iter_target(&it, 0, i) : DZ_NULL;
                    if (self >= N) continue; /* a target */
                    CHECK(entity == all[self]);
                    times[self]++;
                    CHECK(dz_at_if(&it, compared[sort], i, 8) == value_expected(sort, self, target));
                    if (led) CHECK(dz_has_pair(world, entity, likes, target));
                    if (sort == MAYBE_ANY) {
                        dz_entity of = targets[target_of[self]];
                        CHECK(dz_iter_target(&it, 1, i) == (dz_has_pair(world, entity, weight, of) ? of : DZ_NULL));
                    }
                    if (sort == MAYBE_FIVE || sort == FIVE) {
                        CHECK(dz_iter_target(&it, 1, i) == (dz_has_pair(world, entity, weight, targets[5]) ? targets[5] : DZ_NULL));
                    }
                }
            }
            CHECK_OK((dz_status)it.status);
            for (i = 0; i < N; i++) {
                if (!CHECK_EQ(times[i], times_expected(sort, i))) fprintf(stderr, "%s\n", texts[sort]);
            }
            CHECK_OK(dz_query_destroy(world, query));
        }
    }
    CHECK_OK(dz_world_destroy(world));
}

/* Of few in a large hierarchy, who comes to match meanwhile is seen once or not at all; and its change ends the loop. */
static void who_comes_is_seen_once_or_not(void)
{
    static uint8_t times[N];
    uint32_t i, round;
    dz_query query;
    dz_iter it;
    begin(4);
    query = dz_query_parse(world, "[cascade] Position, Dirty");
    for (round = 0; round < 20; round++) {
        mark(dirty, 20);
        memset(times, 0, sizeof times);
        CHECK_OK(dz_iterate(world, query, &it));
        while (dz_next(&it)) {
            DZ_EACH(it, at) {
                uint32_t self = dz_entity_index(dz_iter_entity(&it, at)) - dz_entity_index(all[0]);
                CHECK_EQ(times[self]++, 0);
                CHECK(!dz_failed(dz_add(world, all[check_random(N)], dirty)));
            }
        }
        CHECK_OK((dz_status)it.status);
    }
    mark(dirty, 20);
    CHECK_OK(dz_iterate(world, query, &it));
    for (i = 0; dz_next(&it);) {
        DZ_EACH(it, at) {
            if (i++ == 0) CHECK_OK(dz_set_parent(world, dz_iter_entity(&it, at), DZ_NULL));
        }
    }
    CHECK(i == 1 ? it.status == DZ_ERR_CHANGED : it.status == DZ_OK);
    CHECK_OK(dz_world_destroy(world));
}

/* Who gets an index that was nobody's when the loop began isn't seen, though they match and stand beside those who do. */
static void who_is_made_is_not_seen(void)
{
    static const char *const text[] = {"Position, ?Position(parent)", "[cascade] Position, Dirty", "[cascade] Position", "(Likes, *), Position",
        "Position, Rate(world)", "(Likes, Five), ?Position"};
    uint32_t what, every;
    for (what = 0; what < 6; what++) {
        for (every = 1; every < 100; every = every * 3 + 1) {
            uint32_t expected, end, seen = 0;
            dz_query query;
            dz_iter it;
            begin(4);
            rate = dz_component_simple(world, "Rate", 8, 8);
            CHECK_OK(dz_singleton_set(world, rate, 8, "1234567"));
            CHECK_OK(dz_set_name(world, targets[5], "Five"));
            mark(dirty, 30);
            query = dz_query_parse(world, text[what]);
            expected = dz_query_count(world, query), end = dz_entity_index(all[N - 1]);
            CHECK_OK(dz_iterate(world, query, &it));
            while (dz_next(&it)) {
                DZ_EACH(it, at) {
                    Position p = {0};
                    CHECK(dz_entity_index(dz_iter_entity(&it, at)) <= end);
                    if (seen++ % every == 0) {
                        dz_entity made = dz_create(world);
                        CHECK_OK(DZ_SET(world, made, position, &p));
                        CHECK_OK(dz_add(world, made, dirty));
                        CHECK_OK(dz_add_pair(world, made, likes, targets[5]));
                    }
                }
            }
            CHECK_OK((dz_status)it.status);
            CHECK_EQ(seen, expected);
            CHECK_OK(dz_world_destroy(world));
        }
    }
}

/* A change that ends a loop ends it too where nobody is left who could match. */
static void the_last_one_takes_all_along(void)
{
    uint32_t children, i;
    for (children = 0; children < 2; children++) {
        dz_query_desc desc = DZ_QUERY_DESC_INIT;
        dz_term terms[2] = {{0}};
        dz_entity e[5];
        dz_query query;
        dz_iter it;
        uint32_t seen = 0;
        world = check_world();
        dirty = DZ_TAG(world, Dirty);
        CHECK_OK(dz_create_n(world, 5, e));
        for (i = 1; i < 4; i++) CHECK_OK(dz_set_parent(world, e[i], e[0]));
        for (i = 1; i < 5; i++) CHECK_OK(dz_add(world, e[i], dirty));
        terms[0].id = dirty, terms[1].id = DZ_CHILDOF(e[0]), terms[1].ask = children ? DZ_WITH : DZ_OPTIONAL;
        desc.terms = terms, desc.term_count = 2, desc.cascade = !children;
        query = dz_query_create(world, &desc);
        CHECK_EQ(dz_query_count(world, query), children ? 3 : 4);
        CHECK_OK(dz_iterate(world, query, &it));
        while (dz_next(&it)) {
            DZ_EACH(it, at) {
                seen++;
                CHECK_OK(dz_destroy(world, e[0]));
                CHECK_OK(dz_destroy(world, e[4]));
            }
        }
        CHECK_EQ(seen, 1);
        CHECK_EQ(it.status, DZ_ERR_CHANGED);
        CHECK_EQ(dz_query_count(world, query), 0);
        CHECK_OK(dz_world_destroy(world));
    }
}

/* Combinations are counted as the loop hands them out, of one entity more than a batch has room for. */
static void combinations_are_counted(void)
{
    static const char *const text[] = {"(Likes, *), (In, *)", "(Likes, $x), (In, $x)", "(Likes, *), (In, *), ?Dirty"};
    dz_entity e[3], in;
    uint32_t i, k;
    world = check_world();
    dirty = DZ_TAG(world, Dirty);
    likes = dz_create(world), in = dz_create(world);
    CHECK_OK(dz_set_name(world, likes, "Likes"));
    CHECK_OK(dz_set_name(world, in, "In"));
    CHECK_OK(dz_create_n(world, 3, e));
    CHECK_OK(dz_create_n(world, TARGETS, targets));
    for (i = 0; i < 3; i++) {
        for (k = 0; k < TARGETS; k++) {
            CHECK_OK(dz_add_pair(world, e[i], likes, targets[k]));
            if (k % (i + 1) == 0) CHECK_OK(dz_add_pair(world, e[i], in, targets[k]));
        }
    }
    for (i = 0; i < 3; i++) {
        static const uint32_t expected[] = {TARGETS * (40 + 20 + 14), 40 + 20 + 14, TARGETS * (40 + 20 + 14)};
        dz_query query = dz_query_parse(world, text[i]);
        uint32_t seen = 0;
        dz_iter it;
        CHECK_OK(dz_iterate(world, query, &it));
        while (dz_next(&it)) seen += it.count;
        CHECK_EQ(seen, expected[i]);
        CHECK_EQ(dz_query_count(world, query), expected[i]);
    }
    CHECK_OK(dz_world_destroy(world));
}

/* In the middle of a loop all holders lose the pair, and many get it again: these are new to the loop, wherever they stand. */
static void all_go_and_many_come(void)
{
    uint32_t i, again, seen = 0, times[N] = {0};
    dz_entity target;
    dz_query query;
    dz_iter it;
    world = check_world();
    likes = dz_create(world), target = dz_create(world);
    CHECK_OK(dz_set_name(world, likes, "Likes"));
    CHECK_OK(dz_set_name(world, target, "Target"));
    CHECK_OK(dz_create_n(world, N, all));
    for (i = 0; i < N; i++) CHECK_OK(dz_add_pair(world, all[i], likes, target));
    query = dz_query_parse(world, "(Likes, Target)");
    for (CHECK_OK(dz_iterate(world, query, &it)); dz_next(&it);) {
        DZ_EACH(it, at) {
            (void)at;
            if (++seen != N / 3) continue;
            for (again = 0; again < 2; again++) {
                for (i = 0; i < N; i++) CHECK(!dz_failed(dz_remove_pair(world, all[i], likes, target)));
                for (i = 0; i < N / (again + 1); i++) CHECK_OK(dz_add_pair(world, all[i], likes, target));
            }
        }
    }
    CHECK_OK((dz_status)it.status);
    CHECK_EQ(seen, N / 3);
    /* And all the while those who are there are seen once, though each goes and comes back. */
    for (CHECK_OK(dz_iterate(world, query, &it)); dz_next(&it);) {
        DZ_EACH(it, at) {
            dz_entity entity = dz_iter_entity(&it, at);
            uint32_t self = dz_entity_index(entity) - dz_entity_index(all[0]);
            times[self]++;
            CHECK_OK(dz_remove_pair(world, entity, likes, target));
            if (self % 2) CHECK_OK(dz_add_pair(world, entity, likes, target));
        }
    }
    for (i = 0; i < N; i++) CHECK_EQ(times[i], i < N / 2);
    CHECK_EQ(dz_query_count(world, query), N / 4);
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(m32_whoever_matches_is_found);
    RUN(m32_whoever_leaves_is_not_seen_again);
    RUN(terms_of_all_sorts);
    RUN(who_is_made_is_not_seen);
    RUN(the_last_one_takes_all_along);
    RUN(combinations_are_counted);
    RUN(who_comes_is_seen_once_or_not);
    RUN(all_go_and_many_come);
    return check_done();
}
