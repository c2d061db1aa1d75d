/* The short ways of single calls, where they end: in pools of more than 65,536 elements, whose memory is asked for ahead
 * turn by turn, and amid a dz_create_with whose later column finds no room. Whatever way was taken, the outcome is the same. */
#include "check.h"

enum { N = 70000, STEP = 7 };

typedef struct { uint32_t number, twice; } Pair;

static void set(dz_world world, dz_entity e, dz_id id, uint32_t number)
{
    Pair pair;
    pair.number = number, pair.twice = 2 * number;
    CHECK_OK(dz_set(world, e, id, sizeof pair, &pair));
}

static dz_column column(dz_id id, const Pair *pair)
{
    dz_column column = {0};
    column.id = id, column.values = pair, column.element_size = sizeof *pair;
    return column;
}

/* Whether exactly those have it, with their numbers, of whom `has` says so. */
static bool is_as(dz_world world, dz_id id, const dz_entity *e, const bool *has, uint32_t n)
{
    uint32_t i, count = 0;
    for (i = 0; i < n; i++) {
        const Pair *pair = (const Pair *)dz_get(world, e[i], id);
        if ((pair != NULL) != has[i] || (pair && (pair->number != i || pair->twice != 2 * i))) return false;
        if (pair && dz_entity_of(world, id, pair) != e[i]) return false;
        count += has[i];
    }
    return dz_count(world, id) == count;
}

/* A large pool, beside a small one, grows, shrinks from everywhere, and grows again, one by one. */
static void turns(void)
{
    static dz_entity e[N + STEP];
    static bool has[N + STEP], few[N + STEP];
    dz_world world = check_world();
    dz_id id = DZ_COMPONENT(world, Pair), other = dz_component_simple(world, "Other", sizeof(Pair), 4);
    dz_id tag = DZ_TAG(world, Tag);
    uint32_t i;
    CHECK_OK(dz_create_n(world, N, e));
    memset(has, 0, sizeof has);
    for (i = 0; i < N; i++) set(world, e[i], id, i), has[i] = true;
    for (i = 0; i < N; i += 1000) set(world, e[i], other, i), few[i] = true;
    CHECK(is_as(world, id, e, has, N));
    /* From the end, then from everywhere: below 65,536 and up again. */
    for (i = N; i-- > N - 3000;) CHECK_OK(dz_remove(world, e[i], id)), has[i] = false;
    for (i = 3; i < N - 3000; i += STEP) CHECK_OK(dz_remove(world, e[i], id)), has[i] = false;
    CHECK(is_as(world, id, e, has, N));
    for (i = 0; i < N; i++) {
        if (has[i]) continue;
        set(world, e[i], id, i), has[i] = true;
        CHECK_IS(dz_add(world, e[i], id), DZ_ALREADY_THERE);
    }
    CHECK(is_as(world, id, e, has, N));
    for (i = 0; i < N; i++) CHECK_OK(dz_add(world, e[i], tag));
    CHECK_EQ(dz_count(world, tag), N);
    for (i = N; i < N + STEP; i++) {
        Pair pair;
        dz_column columns[2];
        pair.number = i, pair.twice = 2 * i;
        columns[0] = column(id, &pair), columns[1] = column(other, &pair);
        CHECK_OK(dz_create_with(world, 1, columns, 2, &e[i]));
        has[i] = few[i] = true;
    }
    CHECK(is_as(world, id, e, has, N + STEP));
    CHECK(is_as(world, other, e, few, N + STEP));
    for (i = 0; i < N; i++) CHECK_OK(dz_destroy(world, e[i]));
    CHECK_EQ(dz_count(world, id), STEP);
    CHECK_EQ(dz_count(world, tag), 0);
    CHECK_OK(dz_world_destroy(world));
}

static uint32_t batches(dz_world world)
{
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_query query;
    dz_iter it;
    uint32_t count = 0, seen = 0;
    desc.text = "[in] Pair, [in] Late";
    query = dz_query_create(world, &desc);
    CHECK_OK(dz_iterate(world, query, &it));
    for (; dz_next(&it); count++) seen += it.count;
    CHECK_EQ(seen, 5000);
    CHECK_OK(dz_query_destroy(world, query));
    return count;
}

static dz_id component(dz_world world, const char *name, int32_t policy)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = name, desc.element_size = sizeof(Pair), desc.element_alignment = 4, desc.policy = policy;
    return dz_component_register(world, &desc);
}

/* Now and then only the second column finds no room, because its pool is fuller. What the first one did by then is undone
 * so well that both pools stay in order and without gaps: queries see as long runs as where values were set one by one. */
static void in_order(void)
{
    uint32_t way, i, seen[4];
    for (way = 0; way < 4; way++) {
        dz_world world = check_world();
        int32_t policy = way < 2 ? DZ_POLICY_SWAP : DZ_POLICY_STABLE;
        dz_id id = component(world, "Pair", policy), late = component(world, "Late", policy);
        dz_component_details info;
        for (i = 0; i < 10; i++) set(world, dz_create(world), late, i);
        for (i = 0; i < 5000; i++) {
            dz_entity e;
            if (way % 2 == 0) {
                e = dz_create(world);
                set(world, e, id, i), set(world, e, late, i);
            } else {
                Pair pair;
                dz_column columns[2];
                pair.number = i, pair.twice = 2 * i;
                columns[0] = column(id, &pair), columns[1] = column(late, &pair);
                CHECK_OK(dz_create_with(world, 1, columns, 2, &e));
            }
            CHECK(dz_has(world, e, id) && dz_has(world, e, late));
        }
        seen[way] = batches(world);
        CHECK_OK(dz_component_info(world, id, &info));
        CHECK_EQ(info.gaps, 0);
        CHECK_OK(dz_world_destroy(world));
    }
    CHECK_EQ(seen[0], seen[1]);
    CHECK_EQ(seen[2], seen[3]);
}

/* A pool whose last page is just full has no room at its end, whoever looks for it anew. */
static void full_pages(void)
{
    enum { FULL = 3 * 32768, BEFORE = 100, ALL = BEFORE + FULL + 40 }; /* the next index has neighbours in the pool */
    static dz_entity e[ALL];
    static bool has[ALL];
    dz_world world = check_world();
    dz_id id = DZ_COMPONENT(world, Pair);
    uint32_t i;
    memset(has, 0, sizeof has);
    CHECK_OK(dz_create_n(world, ALL, e));
    for (i = BEFORE; i < BEFORE + FULL; i++) set(world, e[i], id, i), has[i] = true;
    CHECK_OK(dz_shrink(world));
    for (; i < ALL; i++) set(world, e[i], id, i), has[i] = true;
    CHECK(is_as(world, id, e, has, ALL));
    CHECK_OK(dz_world_destroy(world));
}

static void count(const dz_event *event, void *user)
{
    (void)event;
    ++*(uint32_t *)user;
}

/* dz_create_with of one, over the ends of two pools' turns, which fall apart; and while somebody listens to one of them. */
static void with_turns(void)
{
    enum { FIRST = 65536 + 20, ALL = FIRST + 300, FROM = ALL - 150, TO = ALL - 50 };
    static dz_entity e[ALL];
    static bool has[ALL], later[ALL];
    dz_world world = check_world();
    dz_id id = DZ_COMPONENT(world, Pair), other = dz_component_simple(world, "Other", sizeof(Pair), 4);
    dz_listener listener = {0};
    uint32_t i, told = 0;
    for (i = 0; i < ALL; i++) {
        Pair pair;
        dz_column columns[2];
        pair.number = i, pair.twice = 2 * i;
        columns[0] = column(id, &pair), columns[1] = column(other, &pair);
        if (i == FROM) listener = dz_listen(world, DZ_ON_ADD, other, count, &told);
        if (i == TO) CHECK_OK(dz_unlisten(world, listener));
        CHECK_OK(dz_create_with(world, 1, columns, i < 5 ? 1 : 2, &e[i]));
        has[i] = true, later[i] = i >= 5;
    }
    CHECK_EQ(told, TO - FROM);
    CHECK(is_as(world, id, e, has, ALL) && is_as(world, other, e, later, ALL));
    CHECK_OK(dz_world_destroy(world));
}

static void is_refused(dz_world world, const dz_column *columns, uint32_t n, dz_status status)
{
    uint32_t i, counts[2][2], gaps[2][2], alive[2], time;
    dz_entity e = 1;
    for (time = 0; time < 2; time++) {
        dz_world_numbers numbers;
        CHECK_OK(dz_world_stats(world, &numbers));
        alive[time] = numbers.alive;
        for (i = 0; i < 2; i++) {
            dz_component_details info;
            CHECK_OK(dz_component_info(world, i == 0 ? columns[0].id : columns[1].id, &info));
            counts[time][i] = info.count, gaps[time][i] = info.gaps;
        }
        if (time == 0) CHECK_IS(dz_create_with(world, 1, columns, n, &e), status);
    }
    CHECK(!dz_is_alive(world, e));
    CHECK_EQ(alive[0], alive[1]);
    for (i = 0; i < 2; i++) CHECK_EQ(counts[0][i], counts[1][i]), CHECK_EQ(gaps[0][i], gaps[1][i]);
}

/* One entity with good columns before a bad one: nothing is left of it, and no gap where it was. Pools are not iterated
 * here: then the way would be another. */
static void refused(void)
{
    int32_t policy;
    for (policy = 0; policy < 2; policy++) {
        dz_world world = check_world();
        dz_id id = component(world, "Pair", policy), other = component(world, "Other", policy);
        dz_column columns[3];
        Pair pair = {1, 2};
        dz_entity e[100], one;
        uint32_t i;
        for (i = 0; i < 3; i++) columns[i] = column(i % 2 == 0 ? id : other, &pair);
        for (i = 0; i < 100; i++) CHECK_OK(dz_create_with(world, 1, columns, 2, &e[i]));
        is_refused(world, columns, 3, DZ_ERR_DUPLICATE);
        CHECK_OK(dz_clear_pool(world, id));
        is_refused(world, columns, 3, DZ_ERR_DUPLICATE);
        columns[2] = column(e[0], &pair);
        is_refused(world, columns, 3, DZ_ERR_NOT_COMPONENT);
        columns[2] = columns[1], columns[2].element_size = 7;
        is_refused(world, columns, 3, DZ_ERR_SIZE);
        columns[1].reserved = 1;
        is_refused(world, columns, 2, DZ_ERR_RANGE);
        columns[1].reserved = 0;
        CHECK_OK(dz_create_with(world, 1, columns, 2, &one));
        CHECK(dz_get(world, one, id) && dz_get(world, one, other));
        CHECK_OK(dz_world_destroy(world));
    }
}

int main(void)
{
    RUN(full_pages);
    RUN(refused);
    RUN(turns);
    RUN(with_turns);
    RUN(in_order);
    return check_done();
}
