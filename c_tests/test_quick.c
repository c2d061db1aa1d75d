/* The short ways of single calls, where they end: in pools of more than 65,536 elements, whose memory is asked for ahead
 * turn by turn, and amid a dz_create_with whose later column finds no room. Whatever way was taken, the outcome is the same. */
#include "allocator.h"

enum { N = 70000, STEP = 7 };

typedef struct { uint32_t number, twice; } Pair;
typedef struct { Pair pair; unsigned char rest[120]; } Large; /* too large to go the shortest way */

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
        if (i == FROM) listener = dz_listen(world, DZ_ON_ADD, other, check_count_event, &told);
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

static dz_group owner(dz_world world, const dz_id *owned, uint32_t count)
{
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    desc.owned = owned, desc.owned_count = count;
    return dz_group_create(world, &desc);
}

/* One entity with good columns before a bad one: nothing is left of it, and no gap where it was; nor in a group's pools.
 * Pools are not iterated here: then the way would be another. */
static void refused(void)
{
    int32_t policy;
    for (policy = 0; policy < 3; policy++) {
        dz_world world = check_world();
        bool grouped = policy == 2;
        dz_id id = component(world, "Pair", policy % 2), other = component(world, "Other", policy % 2);
        dz_column columns[3];
        Pair pair = {1, 2};
        dz_entity e[100], one;
        uint32_t i;
        if (grouped) CHECK(owner(world, &id, 1).bits != 0);
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

/* One of two worlds that are filled alike: Pair and Other are a group's, of those who aren't tagged. */
enum { TAG = 4, LARGE = 5, CASES = 6 };
typedef struct { dz_world world; dz_id ids[CASES]; dz_group group; dz_entity e[1200]; uint32_t told, asked, born; } Twin;

/* Who is made by columns has them all when the first listener is called. */
static void has_all(const dz_event *event, void *user)
{
    Twin *twin = (Twin *)user;
    uint32_t k;
    for (k = 0; k < CASES; k++) CHECK_EQ(dz_has(twin->world, event->entity, twin->ids[k]), twin->asked >> k & 1);
    twin->told++;
}

static void begin(Twin *twin, uint32_t groups)
{
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    twin->world = check_world();
    twin->ids[0] = component(twin->world, "Pair", DZ_POLICY_SWAP), twin->ids[1] = component(twin->world, "Other", DZ_POLICY_SWAP);
    twin->ids[2] = component(twin->world, "Third", DZ_POLICY_SWAP), twin->ids[3] = component(twin->world, "Still", DZ_POLICY_STABLE);
    twin->ids[TAG] = DZ_TAG(twin->world, Tag), twin->ids[LARGE] = DZ_COMPONENT(twin->world, Large);
    twin->told = twin->born = 0;
    twin->group.bits = 0;
    if (groups == 0) return;
    desc.owned = twin->ids, desc.owned_count = 2, desc.excluded = twin->ids + TAG, desc.excluded_count = 1;
    twin->group = dz_group_create(twin->world, &desc);
    CHECK(twin->group.bits != 0);
    if (groups == 2) CHECK(owner(twin->world, twin->ids, 2).bits != 0);
}

/* Whoever is made by columns in one call is as who is made by one call each: with and without groups, where elements go to gaps
   or are large, and where somebody listens. */
static void beside_groups(void)
{
    enum { ALL = 1200 };
    static Twin one, each;
    uint32_t groups, i, k;
    for (groups = 0; groups < 3; groups++) {
        dz_iter a, b;
        uint32_t seen = 0;
        begin(&one, groups), begin(&each, groups);
        for (i = 0; i < ALL; i++) {
            dz_column columns[CASES];
            Large value = {{0, 0}, {0}};
            uint32_t n = 0, first = check_random(CASES), which = check_random(1u << CASES);
            value.pair.number = i, value.pair.twice = 2 * i, value.rest[119] = (unsigned char)i;
            if (i == ALL / 2) {
                CHECK(dz_listen(one.world, DZ_ON_ADD, one.ids[1], has_all, &one).bits != 0);
                CHECK(dz_listen(each.world, DZ_ON_ADD, each.ids[1], check_count_event, &each.told).bits != 0);
            }
            if (i == ALL / 4) CHECK(dz_listen(one.world, DZ_ON_CREATE, DZ_NULL, check_count_event, &one.born).bits != 0);
            each.e[i] = dz_create(each.world);
            for (k = 0; k < CASES; k++) {
                uint32_t at = (first + k) % CASES, size = at == TAG ? 0 : at == LARGE ? sizeof value : sizeof value.pair;
                if (!(which >> at & 1)) continue;
                columns[n] = column(one.ids[at], &value.pair), columns[n].element_size = size;
                if (at == TAG || i % 7 == 0) columns[n].values = NULL;
                if (columns[n].values) CHECK_OK(dz_set(each.world, each.e[i], each.ids[at], size, &value));
                else CHECK_OK(dz_add(each.world, each.e[i], each.ids[at]));
                n++;
            }
            one.asked = which;
            CHECK_OK(dz_create_with(one.world, 1, columns, n, &one.e[i]));
            CHECK_EQ(dz_entity_index(one.e[i]), dz_entity_index(each.e[i]));
            for (k = 0; k < CASES; k++) {
                const void *p, *q;
                CHECK_EQ(dz_has(one.world, one.e[i], one.ids[k]), dz_has(each.world, each.e[i], each.ids[k]));
                if (k == TAG) continue;
                p = dz_get(one.world, one.e[i], one.ids[k]), q = dz_get(each.world, each.e[i], each.ids[k]);
                CHECK((p == NULL) == (q == NULL));
                CHECK(!p || memcmp(p, q, k == LARGE ? sizeof value : sizeof value.pair) == 0);
            }
            if (groups > 0) CHECK_EQ(dz_group_contains(one.world, one.group, one.e[i]), dz_group_contains(each.world, each.group, each.e[i]));
            k = check_random(i + 1);
            if (check_random(3) == 0) CHECK_EQ(dz_destroy(one.world, one.e[k]), dz_destroy(each.world, each.e[k]));
            else if (i > 3 * ALL / 4) CHECK_EQ(dz_set_enabled(one.world, one.e[k], false), dz_set_enabled(each.world, each.e[k], false));
        }
        CHECK(one.told == each.told && one.told > 0 && one.born == ALL - ALL / 4);
        for (k = 0; k < CASES; k++) CHECK_EQ(dz_count(one.world, one.ids[k]), dz_count(each.world, each.ids[k]));
        if (groups > 0) { /* The members are the same ones, in one order. */
            CHECK_OK(dz_iterate_group(one.world, one.group, DZ_FORWARD, &a));
            CHECK_OK(dz_iterate_group(each.world, each.group, DZ_FORWARD, &b));
            while (dz_next(&a)) {
                CHECK(dz_next(&b) && a.count == b.count);
                for (i = 0; i < a.count; i++, seen++) {
                    CHECK_EQ(dz_entity_index(dz_iter_entity(&a, i)), dz_entity_index(dz_iter_entity(&b, i)));
                }
            }
            CHECK(!dz_next(&b) && seen == dz_group_count(one.world, one.group) && seen > 20);
        }
        CHECK_OK(dz_world_destroy(one.world));
        CHECK_OK(dz_world_destroy(each.world));
    }
}

/* Without memory whoever is made has everything and is in the group that lists members, or isn't made; and so without a group. */
static void without_memory(bool listing)
{
    enum { TIMES = 12 };
    counting memory;
    dz_world_desc desc = check_desc();
    dz_group_desc listed = DZ_GROUP_DESC_INIT;
    dz_group list;
    dz_world world;
    dz_id ids[3];
    uint32_t i, time, made = 0, refused_times = 0;
    desc.allocator = counting_allocator(&memory);
    world = dz_world_create(&desc);
    ids[0] = component(world, "Pair", DZ_POLICY_SWAP), ids[1] = component(world, "Other", DZ_POLICY_SWAP);
    ids[2] = DZ_COMPONENT(world, Large);
    listed.included = ids, listed.included_count = 2;
    list.bits = 0;
    if (listing) list = dz_group_create(world, &listed), CHECK(list.bits != 0);
    for (time = 0; time < TIMES; time++) {
        memory.fail_at = memory.calls + 1;
        for (i = 0; i < 4000; i++) {
            Large value = {{7, 14}, {0}};
            dz_column columns[3];
            dz_entity e;
            dz_status status;
            columns[0] = column(ids[0], &value.pair), columns[1] = column(ids[1], i % 3 ? &value.pair : NULL);
            columns[2] = column(ids[2], &value.pair), columns[2].element_size = sizeof value;
            status = dz_create_with(world, 1, columns, 3, &e);
            if (status == DZ_OK) {
                made++;
                CHECK(dz_get(world, e, ids[0]) && dz_get(world, e, ids[1]) && dz_get(world, e, ids[2]));
                if (listing) CHECK(dz_group_contains(world, list, e));
                continue;
            }
            CHECK_IS(status, DZ_ERR_OUT_OF_MEMORY);
            refused_times++;
            CHECK(dz_count(world, ids[0]) == made && dz_count(world, ids[1]) == made && dz_count(world, ids[2]) == made);
            if (listing) CHECK_EQ(dz_group_count(world, list), made);
            memory.fail_at = memory.calls + 2 + time % 4; /* a little memory: what is missing comes later */
        }
        memory.fail_at = 0;
    }
    CHECK(made > 10000 && refused_times > 4);
    CHECK_OK(dz_world_destroy(world));
    CHECK_EQ(memory.blocks, 0);
}

static void beside_a_list(void)
{
    uint32_t listing;
    for (listing = 0; listing < 2; listing++) without_memory(listing == 1);
}

int main(void)
{
    RUN(beside_groups);
    RUN(beside_a_list);
    RUN(full_pages);
    RUN(refused);
    RUN(turns);
    RUN(with_turns);
    RUN(in_order);
    return check_done();
}
