/* Groups: owning, partly owning and not owning; nested ones and conflicts; up to date after every change; iterated. */
#include "check.h"

typedef struct { float x, y; } Position;
typedef struct { float x, y; } Velocity;
typedef struct { float kg; } Mass;

enum { N = 3000 };

typedef struct { dz_world world; dz_id position, velocity, mass, frozen; dz_entity e[N]; } Stage;

static Stage stage;

/* Everybody has a Position, every second a Velocity, every third a Mass, every fifth is Frozen. */
static void set_up(void)
{
    uint32_t i;
    stage.world = check_world();
    stage.position = DZ_COMPONENT(stage.world, Position);
    stage.velocity = DZ_COMPONENT(stage.world, Velocity);
    stage.mass = DZ_COMPONENT(stage.world, Mass);
    stage.frozen = DZ_TAG(stage.world, Frozen);
    CHECK_OK(dz_create_n(stage.world, N, stage.e));
    for (i = 0; i < N; i++) {
        Position p = {(float)i, 0};
        Velocity v = {1, (float)i};
        Mass m = {(float)i};
        CHECK_OK(DZ_SET(stage.world, stage.e[i], stage.position, &p));
        if (i % 2 == 0) CHECK_OK(DZ_SET(stage.world, stage.e[i], stage.velocity, &v));
        if (i % 3 == 0) CHECK_OK(DZ_SET(stage.world, stage.e[i], stage.mass, &m));
        if (i % 5 == 0) CHECK_OK(dz_add(stage.world, stage.e[i], stage.frozen));
    }
}

static dz_group group(uint32_t owned, const dz_id *ids, uint32_t included, const dz_id *more, uint32_t excluded, const dz_id *none)
{
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    desc.owned_count = owned, desc.included_count = included, desc.excluded_count = excluded;
    desc.owned = ids, desc.included = more, desc.excluded = none;
    return dz_group_create(stage.world, &desc);
}

static int32_t heaviest_first(const void *a, const void *b, dz_entity entity_a, dz_entity entity_b, void *user)
{
    const Mass *one = a, *other = b;
    (void)entity_a, (void)entity_b, (void)user;
    return (one->kg < other->kg) - (one->kg > other->kg);
}

/* How many members an iteration sees; each once, each a member, with its own components. */
static uint32_t seen(dz_group made, int32_t direction, int32_t status)
{
    uint32_t i, n = 0;
    dz_iter it;
    CHECK_OK(dz_iterate_group(stage.world, made, direction, &it));
    while (dz_next(&it)) {
        for (i = 0; i < it.count; i++, n++) {
            dz_entity at = dz_iter_entity(&it, i);
            CHECK(dz_group_contains(stage.world, made, at));
            CHECK(DZ_AT(it, Position, 0, i) == dz_get(stage.world, at, stage.position));
            CHECK(DZ_AT(it, Velocity, 1, i) == dz_get(stage.world, at, stage.velocity));
        }
    }
    CHECK_IS(it.status, status);
    return n;
}

/* Members of a new group are in the order of indices, whatever order the pools were in: of few, and of many. */
static void a_new_one_is_in_the_order_of_indices(void)
{
    static dz_entity e[80000], order[80000];
    uint32_t many, owns, i;
    for (many = 100; many <= 80000; many *= 800) {
        for (owns = 0; owns < 2; owns++) {
            dz_group made;
            dz_iter it;
            dz_id both[2];
            uint32_t n = 0, expected = 0, last = 0;
            set_up();
            CHECK_OK(dz_world_clear(stage.world));
            CHECK_OK(dz_create_n(stage.world, many, e));
            for (i = 0; i < many; i++) order[i] = e[i * 17 % many]; /* 17 divides none of them */
            CHECK_OK(dz_add_n(stage.world, order, many, stage.velocity));
            for (i = 0; i < many; i++) {
                Position p = {(float)dz_entity_index(e[i]), 0};
                if (i % 7 != 0) CHECK_OK(DZ_SET(stage.world, e[i], stage.position, &p));
                if (i % 11 == 0) CHECK_OK(dz_add(stage.world, e[i], stage.frozen));
                if (i % 13 == 0) CHECK_OK(dz_set_enabled(stage.world, e[i], false));
                expected += i % 7 != 0 && i % 11 != 0 && i % 13 != 0;
            }
            both[0] = stage.position, both[1] = stage.velocity;
            made = owns ? group(2, both, 0, NULL, 1, &stage.frozen) : group(0, NULL, 2, both, 1, &stage.frozen);
            CHECK(made.bits != 0);
            CHECK_EQ(dz_group_count(stage.world, made), expected);
            CHECK_EQ(seen(made, DZ_BACKWARD, DZ_OK), expected);
            CHECK_OK(dz_iterate_group(stage.world, made, DZ_FORWARD, &it));
            while (dz_next(&it)) {
                for (i = 0; i < it.count; i++, n++) {
                    uint32_t index = dz_entity_index(dz_iter_entity(&it, i));
                    CHECK(n == 0 || index > last);
                    CHECK(DZ_AT(it, Position, 0, i)->x == (float)index);
                    last = index;
                }
            }
            CHECK_EQ(n, expected);
            /* Who isn't a member is where its slot says, too. */
            for (i = 0; i < many; i++) {
                const Position *p = DZ_GET(stage.world, e[i], Position, stage.position);
                CHECK(i % 7 == 0 ? p == NULL : p != NULL && p->x == (float)dz_entity_index(e[i]));
            }
            CHECK_OK(dz_world_destroy(stage.world));
        }
    }
}

static int32_t by_x_down(const void *a, const void *b, dz_entity ea, dz_entity eb, void *user)
{
    const Position *left = a, *right = b;
    (void)ea, (void)eb, (void)user;
    return (left->x < right->x) - (left->x > right->x);
}

/* Whether a group has these numbers, in that order, as a string of digits. */
static bool is_in_order(dz_group made, const char *digits)
{
    dz_iter it;
    uint32_t i;
    for (CHECK_OK(dz_iterate_group(stage.world, made, DZ_FORWARD, &it)); dz_next(&it);)
        for (i = 0; i < it.count; i++)
            if (*digits++ != '0' + (int)DZ_AT(it, Position, 0, i)->x) return false;
    return *digits == 0;
}

/* What a group has is left in its order when another one is made inside it, or around it. */
static void others_keep_their_order(void)
{
    dz_group outer, inner, between;
    dz_id all[4];
    uint32_t i;
    stage.world = check_world();
    all[0] = DZ_COMPONENT(stage.world, Position), all[1] = DZ_COMPONENT(stage.world, Velocity);
    all[2] = DZ_COMPONENT(stage.world, Mass), all[3] = DZ_TAG(stage.world, Frozen);
    CHECK_OK(dz_create_n(stage.world, 10, stage.e));
    for (i = 0; i < 10; i++) {
        Position p = {(float)i, 0};
        CHECK_OK(DZ_SET(stage.world, stage.e[i], all[0], &p));
        CHECK_OK(dz_add(stage.world, stage.e[i], all[1]));
        if (i % 3 == 0) CHECK_OK(dz_add(stage.world, stage.e[i], all[2]));
        if (i == 3 || i == 9) CHECK_OK(dz_add(stage.world, stage.e[i], all[3]));
    }
    outer = group(2, all, 0, NULL, 0, NULL);
    CHECK(is_in_order(outer, "0123456789"));
    CHECK_OK(dz_group_sort(stage.world, outer, all[0], by_x_down, NULL, DZ_SORT_ONCE));
    inner = group(4, all, 0, NULL, 0, NULL);
    CHECK(is_in_order(inner, "39"));
    CHECK(is_in_order(outer, "3976548210")); /* 3 and 9 have changed places with who stood there */
    CHECK_OK(dz_group_sort(stage.world, inner, all[0], by_x_down, NULL, DZ_SORT_ONCE));
    CHECK(is_in_order(inner, "93"));
    between = group(3, all, 0, NULL, 0, NULL);
    CHECK(is_in_order(inner, "93"));
    CHECK(is_in_order(between, "9306")); /* who is inside first, then by index */
    CHECK(is_in_order(outer, "9306548217"));
    CHECK_OK(dz_group_destroy(stage.world, outer));
    outer = group(2, all, 0, NULL, 0, NULL);
    CHECK(is_in_order(inner, "93") && is_in_order(between, "9306"));
    CHECK(is_in_order(outer, "9306124578"));
    CHECK_OK(dz_world_destroy(stage.world));
}

static void owning(void)
{
    dz_group movers;
    dz_iter it;
    uint32_t i, batches = 0;
    dz_id both[2];
    set_up();
    both[0] = stage.position, both[1] = stage.velocity;
    movers = group(2, both, 0, NULL, 0, NULL);
    CHECK(movers.bits != 0);
    CHECK_EQ(dz_group_count(stage.world, movers), N / 2);
    CHECK_EQ(seen(movers, DZ_BACKWARD, DZ_OK), N / 2);
    CHECK_EQ(seen(movers, DZ_FORWARD, DZ_OK), N / 2);
    /* One run but for the pages: both fields are plain arrays. */
    for (CHECK_OK(dz_iterate_group(stage.world, movers, DZ_BACKWARD, &it)); dz_next(&it); batches++) {
        Position *p = DZ_RUN(it, Position, 0);
        const Velocity *v = DZ_RUN(it, Velocity, 1);
        CHECK(it.gather == 0 && p != NULL && v != NULL);
        for (i = 0; i < it.count; i++) p[i].x += v[i].x, CHECK(v[i].y + 1 == p[i].x);
    }
    CHECK(batches <= 9);
    /* Up to date after every change. */
    CHECK_OK(dz_remove(stage.world, stage.e[10], stage.velocity));
    CHECK_OK(dz_destroy(stage.world, stage.e[20]));
    CHECK_OK(dz_add(stage.world, stage.e[1], stage.velocity));
    CHECK(dz_clone(stage.world, stage.e[2]) != DZ_NULL);
    CHECK(!dz_group_contains(stage.world, movers, stage.e[10]) && dz_group_contains(stage.world, movers, stage.e[1]));
    CHECK_EQ(dz_group_count(stage.world, movers), N / 2);
    CHECK_EQ(seen(movers, DZ_BACKWARD, DZ_OK), N / 2);
    CHECK_OK(dz_clear_pool(stage.world, stage.velocity));
    CHECK_EQ(dz_group_count(stage.world, movers), 0);
    CHECK_OK(dz_world_destroy(stage.world));
}

static void looked_up(void)
{
    dz_group heavy, list;
    dz_iter it;
    dz_id included[2];
    uint32_t i, n = 0;
    set_up();
    included[0] = stage.velocity, included[1] = stage.mass;
    heavy = group(1, &stage.position, 2, included, 1, &stage.frozen);
    CHECK_EQ(dz_group_count(stage.world, heavy), N / 6 - N / 30);
    CHECK_EQ(seen(heavy, DZ_BACKWARD, DZ_OK), N / 6 - N / 30);
    for (CHECK_OK(dz_iterate_group(stage.world, heavy, DZ_BACKWARD, &it)); dz_next(&it);) {
        Position *p = DZ_RUN(it, Position, 0); /* owned: an array even here */
        CHECK(it.gather == 1);
        for (i = 0; i < it.count; i++, n++) {
            CHECK(&p[i] == DZ_AT(it, Position, 0, i));
            CHECK(DZ_AT(it, Mass, 2, i) == dz_get(stage.world, dz_iter_entity(&it, i), stage.mass));
        }
    }
    CHECK_EQ(n, dz_group_count(stage.world, heavy));
    included[1] = stage.position, included[0] = stage.velocity;
    list = group(0, NULL, 2, included, 1, &stage.frozen);
    CHECK_EQ(dz_group_count(stage.world, list), N / 2 - N / 10);
    CHECK_OK(dz_remove(stage.world, stage.e[0], stage.frozen)); /* becomes a member of both */
    CHECK_EQ(dz_group_count(stage.world, list), N / 2 - N / 10 + 1);
    CHECK(dz_group_contains(stage.world, heavy, stage.e[0]));
    CHECK_OK(dz_add(stage.world, stage.e[0], stage.frozen));
    CHECK_EQ(dz_group_count(stage.world, list), N / 2 - N / 10);
    CHECK_OK(dz_world_destroy(stage.world));
}

static void nested_and_conflicts(void)
{
    dz_group outer, inner, other;
    dz_id three[3];
    char name[32];
    set_up();
    three[0] = stage.position, three[1] = stage.velocity, three[2] = stage.mass;
    outer = group(2, three, 0, NULL, 0, NULL);
    inner = group(3, three, 0, NULL, 0, NULL);
    CHECK(outer.bits != 0 && inner.bits != 0);
    CHECK_EQ(dz_group_count(stage.world, inner), N / 6);
    CHECK_EQ(seen(outer, DZ_BACKWARD, DZ_OK), N / 2);
    CHECK_EQ(seen(inner, DZ_BACKWARD, DZ_OK), N / 6);
    /* Not nested: the group in the way is named. */
    other = group(1, &stage.velocity, 1, &stage.frozen, 0, NULL);
    CHECK_EQ(other.bits, 0);
    CHECK_IS(dz_error_status(), DZ_ERR_OWNED);
    CHECK(strstr(dz_error_message(), "\"Velocity\"") != NULL);
    sprintf(name, "G:%u", (unsigned)outer.bits);
    CHECK(strstr(dz_error_message(), name) != NULL);
    CHECK_IS(dz_component_unregister(stage.world, stage.mass), DZ_ERR_GROUPED);
    sprintf(name, "G:%u", (unsigned)inner.bits);
    CHECK(strstr(dz_error_message(), name) != NULL);
    CHECK_OK(dz_group_destroy(stage.world, outer));
    CHECK_IS(dz_group_destroy(stage.world, outer), DZ_ERR_GROUP);
    CHECK_OK(dz_group_destroy(stage.world, inner));
    other = group(1, &stage.velocity, 1, &stage.frozen, 0, NULL);
    CHECK(other.bits != 0 && other.bits != outer.bits);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* The loop destroys what it visits, gives and takes away, and still sees every other member once. */
static void changes(void)
{
    dz_group movers;
    dz_iter it;
    dz_id both[2];
    uint32_t n = 0, i;
    set_up();
    both[0] = stage.position, both[1] = stage.velocity;
    movers = group(2, both, 0, NULL, 0, NULL);
    for (CHECK_OK(dz_iterate_group(stage.world, movers, DZ_BACKWARD, &it)); dz_next(&it);) {
        DZ_EACH(it, at) {
            dz_entity entity = dz_iter_entity(&it, at);
            if (n % 3 == 0) CHECK_OK(dz_destroy(stage.world, entity));
            if (n % 3 == 1) CHECK_OK(dz_remove(stage.world, entity, stage.velocity));
            CHECK(dz_create(stage.world) != DZ_NULL);
            n++;
        }
    }
    CHECK_IS(it.status, DZ_OK);
    CHECK_EQ(n, N / 2);
    CHECK_EQ(dz_group_count(stage.world, movers), N / 6);
    /* A plain loop from the end may destroy its current entity. */
    n = 0;
    for (CHECK_OK(dz_iterate_group(stage.world, movers, DZ_BACKWARD, &it)); dz_next(&it);) {
        for (i = it.count; i-- > 0; n++) CHECK_OK(dz_destroy(stage.world, dz_iter_entity(&it, i)));
    }
    CHECK_EQ(n, N / 6);
    CHECK_EQ(dz_group_count(stage.world, movers), 0);
    /* The group goes. */
    CHECK_OK(dz_add(stage.world, stage.e[1], stage.velocity));
    CHECK_OK(dz_iterate_group(stage.world, movers, DZ_BACKWARD, &it));
    CHECK_OK(dz_group_destroy(stage.world, movers));
    CHECK(!dz_next(&it));
    CHECK_IS(it.status, DZ_ERR_GROUP);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* One pass of the body of a forward loop over an owned pool brings somebody who wasn't seen to the part that was, and then more
 * join than swaps are remembered: nobody is missed, and nobody seen twice, without an error. */
static void many_join_an_owned_pool(void)
{
    dz_id both[2];
    dz_iter it;
    static uint32_t times[N];
    uint32_t n = 0, i, k;
    set_up();
    for (i = 0; i < N; i += 2) CHECK_OK(dz_remove(stage.world, stage.e[i], stage.velocity));
    both[0] = stage.position, both[1] = stage.velocity;
    CHECK(group(2, both, 0, NULL, 0, NULL).bits != 0);
    memset(times, 0, sizeof times);
    for (CHECK_OK(dz_iterate_pool(stage.world, stage.position, DZ_FORWARD, &it)); dz_next(&it);) {
        DZ_EACH(it, at) {
            dz_entity entity = dz_iter_entity(&it, at);
            for (k = 0; k < N && stage.e[k] != entity;) k++;
            if (CHECK(k < N)) CHECK_EQ(++times[k], 1);
            if (++n != 40) continue;
            CHECK_OK(dz_add(stage.world, stage.e[60], stage.velocity)); /* changes places with the first */
            for (i = 0; i < 16; i++) CHECK_OK(dz_add(stage.world, stage.e[20 + i], stage.velocity));
        }
    }
    CHECK(it.status == DZ_ERR_CHANGED || n == N);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* The current one joins in a backward loop over an owned pool, and in the same pass of the body whoever came to its place moves on,
 * and others change places: nobody is missed without an error. */
static void moved_on_from_the_boundary(void)
{
    dz_id both[2];
    dz_iter it;
    uint32_t i, k, n = 0, missed = 0, times[10] = {0};
    set_up();
    CHECK_OK(dz_world_clear(stage.world));
    CHECK_OK(dz_create_n(stage.world, 10, stage.e));
    CHECK_OK(dz_add_n(stage.world, stage.e, 10, stage.position));
    both[0] = stage.position, both[1] = stage.velocity;
    CHECK(group(2, both, 0, NULL, 0, NULL).bits != 0);
    CHECK_OK(dz_iterate_pool(stage.world, stage.position, DZ_BACKWARD, &it));
    while (dz_next(&it)) {
        DZ_EACH(it, at) {
            for (k = 0; k < 9 && stage.e[k] != dz_iter_entity(&it, at);) k++;
            CHECK_EQ(++times[k], 1);
            if (++n != 2) continue;
            CHECK_EQ(k, 8);
            CHECK_OK(dz_add(stage.world, stage.e[8], stage.velocity));      /* 0 comes to its place */
            CHECK_OK(dz_remove(stage.world, stage.e[9], stage.position));
            CHECK_OK(dz_remove(stage.world, stage.e[3], stage.position));   /* 0 is the last one, and fills the gap */
            CHECK_OK(dz_add(stage.world, stage.e[5], stage.velocity));      /* 5 and 1 change places */
        }
    }
    for (i = 0; i < 10; i++) missed += times[i] == 0 && i != 3;
    CHECK(it.status == DZ_ERR_CHANGED || missed == 0);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* One pass of the body of a backward loop over an owned pool takes out many members who weren't seen, so that the last members, seen or
 * not, come to their places: nobody is missed without an error. */
static void many_leave_an_owned_pool(void)
{
    dz_id both[2];
    dz_iter it;
    uint32_t i, k, n = 0, missed = 0;
    static uint32_t times[100];
    set_up();
    CHECK_OK(dz_world_clear(stage.world));
    CHECK_OK(dz_create_n(stage.world, 100, stage.e));
    both[0] = stage.position, both[1] = stage.velocity;
    for (i = 0; i < 2; i++) CHECK_OK(dz_add_n(stage.world, stage.e, 100, both[i]));
    CHECK(group(2, both, 0, NULL, 0, NULL).bits != 0);
    memset(times, 0, sizeof times);
    CHECK_OK(dz_iterate_pool(stage.world, stage.position, DZ_BACKWARD, &it));
    while (dz_next(&it)) {
        DZ_EACH(it, at) {
            for (k = 0; k < 99 && stage.e[k] != dz_iter_entity(&it, at);) k++;
            CHECK_EQ(++times[k], 1);
            if (++n != 10) continue;
            for (i = 0; i < 30; i++) CHECK_OK(dz_remove(stage.world, stage.e[i], stage.position));
        }
    }
    for (i = 30; i < 100; i++) missed += times[i] == 0;
    CHECK(it.status == DZ_ERR_CHANGED || missed == 0);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* Three nested groups: a loop over the outermost sees everybody once where the innermost puts members elsewhere. */
static void nested_three_deep(void)
{
    dz_id all[4];
    dz_group outermost;
    dz_iter it;
    uint32_t i, k, n, direction;
    for (direction = 0; direction < 2; direction++) {
        uint32_t times[10] = {0};
        set_up();
        CHECK_OK(dz_world_clear(stage.world));
        CHECK_OK(dz_create_n(stage.world, 10, stage.e));
        all[0] = stage.position, all[1] = stage.velocity, all[2] = stage.mass, all[3] = stage.frozen;
        for (i = 0; i < 3; i++) CHECK_OK(dz_add_n(stage.world, stage.e, 10, all[i]));
        outermost = group(2, all, 0, NULL, 0, NULL);
        CHECK(group(3, all, 0, NULL, 0, NULL).bits != 0 && group(4, all, 0, NULL, 0, NULL).bits != 0);
        n = 0;
        CHECK_OK(dz_iterate_group(stage.world, outermost, direction ? DZ_FORWARD : DZ_BACKWARD, &it));
        while (dz_next(&it)) {
            DZ_EACH(it, at) {
                dz_entity entity = dz_iter_entity(&it, at);
                for (k = 0; k < 9 && stage.e[k] != entity;) k++;
                CHECK_EQ(++times[k], 1);
                if (++n == 3) CHECK_OK(dz_add(stage.world, stage.e[direction ? 8 : 9], stage.frozen));
            }
        }
        CHECK(it.status == DZ_OK && n == 10);
        CHECK_OK(dz_world_destroy(stage.world));
    }
}

/* Members who change places between two batches, by joining a group inside, are seen once. */
static void places_change_between_batches(void)
{
    dz_id all[3];
    dz_group outer;
    dz_iter it;
    uint32_t i, n = 0;
    static uint32_t times[N];
    set_up();
    CHECK_OK(dz_world_clear(stage.world));
    CHECK_OK(dz_create_n(stage.world, 100, stage.e));
    all[0] = stage.position, all[1] = stage.velocity, all[2] = stage.frozen;
    for (i = 0; i < 100; i++) { /* one after the other: the first pages are small ones */
        CHECK_OK(dz_add(stage.world, stage.e[i], stage.position));
        CHECK_OK(dz_add(stage.world, stage.e[i], stage.velocity));
    }
    outer = group(2, all, 0, NULL, 0, NULL);
    CHECK(group(3, all, 0, NULL, 0, NULL).bits != 0);
    memset(times, 0, sizeof times);
    CHECK_OK(dz_iterate_group(stage.world, outer, DZ_BACKWARD, &it));
    while (dz_next(&it)) {
        DZ_EACH(it, at) {
            uint32_t k = 0;
            while (k < 99 && stage.e[k] != dz_iter_entity(&it, at)) k++;
            CHECK_EQ(++times[k], 1);
            n++;
        }
        if (n == it.count) CHECK(n < 100 && dz_add(stage.world, stage.e[99], stage.frozen) == DZ_OK);
    }
    CHECK(it.status == DZ_OK && n == 100);
    CHECK_OK(dz_world_destroy(stage.world));
}

static int by_index(const void *a, const void *b)
{
    const dz_entity *left = a, *right = b;
    return (dz_entity_index(*left) > dz_entity_index(*right)) - (dz_entity_index(*left) < dz_entity_index(*right));
}

/* A hundred who have a Position and a Velocity, in small pages, an outer group of them, and one inside of those who are Frozen.
 * They are numbered by their indices, in whose order a new group has its members. */
static dz_group a_hundred(void)
{
    dz_id all[3];
    dz_group outer;
    uint32_t i;
    set_up();
    CHECK_OK(dz_world_clear(stage.world));
    CHECK_OK(dz_create_n(stage.world, 100, stage.e));
    qsort(stage.e, 100, sizeof stage.e[0], by_index);
    all[0] = stage.position, all[1] = stage.velocity, all[2] = stage.frozen;
    for (i = 0; i < 100; i++) {
        CHECK_OK(dz_add(stage.world, stage.e[i], stage.position));
        CHECK_OK(dz_add(stage.world, stage.e[i], stage.velocity));
    }
    outer = group(2, all, 0, NULL, 0, NULL);
    CHECK(group(3, all, 0, NULL, 0, NULL).bits != 0);
    return outer;
}

static uint32_t number_of(dz_entity entity)
{
    uint32_t k = 0;
    while (k < 99 && stage.e[k] != entity) k++;
    return k;
}

/* Who wasn't seen and has come behind moves on there, between two batches: it is seen in the end. */
static void moved_on_between_batches(void)
{
    dz_group outer = a_hundred();
    dz_iter it;
    uint32_t n = 0, i, times[100] = {0};
    CHECK_OK(dz_iterate_group(stage.world, outer, DZ_BACKWARD, &it));
    while (dz_next(&it)) {
        bool first = n == 0;
        DZ_EACH(it, at) {
            CHECK_EQ(++times[number_of(dz_iter_entity(&it, at))], 1);
            if (++n == 2) CHECK_OK(dz_add(stage.world, stage.e[99], stage.frozen)); /* 0 comes to its place, the last */
        }
        if (first) CHECK_OK(dz_remove(stage.world, stage.e[98], stage.velocity)); /* and to this one's */
    }
    CHECK_IS(it.status, DZ_OK);
    for (i = 0; i < 100; i++) CHECK_EQ(times[i], 1);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* Who was seen and has come to a part of the batch that the loop leaves by `break` isn't seen again. */
static void the_rest_of_a_batch_is_left(void)
{
    int direction;
    for (direction = DZ_FORWARD; direction >= DZ_BACKWARD; direction--) {
        dz_group outer = a_hundred();
        dz_iter it;
        uint32_t n = 0, times[100] = {0};
        CHECK_OK(dz_iterate_group(stage.world, outer, direction, &it));
        while (dz_next(&it)) {
            DZ_EACH(it, at) {
                CHECK_EQ(++times[number_of(dz_iter_entity(&it, at))], 1);
                n++;
                if (n == 1 && direction == DZ_FORWARD) CHECK_OK(dz_add(stage.world, stage.e[10], stage.frozen)); /* 0 and 10 change places */
                if (n == 1 && direction == DZ_BACKWARD) CHECK_OK(dz_remove(stage.world, stage.e[70], stage.velocity)); /* 99 in its place */
                if (n == 2) break;
            }
        }
        CHECK_IS(it.status, DZ_OK);
        CHECK_OK(dz_world_destroy(stage.world));
    }
}

/* Who joins in the middle of a loop isn't seen, also where all have left in the same pass of the body; and more than can be kept
 * end it, be it a group that owns or one that doesn't. */
static void who_joins_meanwhile(void)
{
    dz_id both[2];
    dz_iter it;
    int owns, direction;
    for (owns = 0; owns < 2; owns++) {
        for (direction = DZ_FORWARD; direction >= DZ_BACKWARD; direction--) {
            dz_group made;
            uint32_t i, n = 0;
            set_up();
            both[0] = stage.position, both[1] = stage.velocity;
            made = owns ? group(2, both, 0, NULL, 0, NULL) : group(0, NULL, 2, both, 0, NULL);
            CHECK_OK(dz_iterate_group(stage.world, made, direction, &it));
            while (dz_next(&it)) {
                DZ_EACH(it, at) {
                    (void)at, n++;
                    CHECK_OK(dz_clear_pool(stage.world, stage.velocity));
                    for (i = 0; i < 5; i++) CHECK_OK(dz_add(stage.world, stage.e[i], stage.velocity));
                }
            }
            CHECK(it.status == DZ_OK && n == 1 && dz_group_count(stage.world, made) == 5);
            n = 0;
            CHECK_OK(dz_iterate_group(stage.world, made, DZ_FORWARD, &it));
            while (dz_next(&it)) {
                DZ_EACH(it, at) {
                    (void)at, n++;
                    for (i = 5; i < 5 + 17; i++) CHECK_OK(dz_add(stage.world, stage.e[i], stage.velocity));
                }
            }
            CHECK(it.status == DZ_ERR_CHANGED && n == 1);
            CHECK_OK(dz_world_destroy(stage.world));
        }
    }
}

static int32_t downwards(const void *a, const void *b, dz_entity entity_a, dz_entity entity_b, void *user)
{
    (void)a, (void)b, (void)user;
    return (entity_b > entity_a) - (entity_b < entity_a);
}

/* Giving memory back, and a sort that moves members, end iterations of a group and of those around it. */
static void what_ends_an_iteration(void)
{
    dz_id ids[3];
    int owns, sorts, direction;
    for (owns = 0; owns < 2; owns++) {
        for (sorts = 0; sorts < 2; sorts++) {
            for (direction = DZ_FORWARD; direction >= DZ_BACKWARD; direction--) {
                dz_group outer, inner;
                dz_iter it, around;
                set_up();
                ids[0] = stage.position, ids[1] = stage.velocity, ids[2] = stage.mass;
                outer = owns ? group(2, ids, 0, NULL, 0, NULL) : group(0, NULL, 2, ids, 0, NULL);
                inner = owns ? group(3, ids, 0, NULL, 0, NULL) : outer;
                CHECK_OK(dz_iterate_group(stage.world, inner, direction, &it));
                CHECK_OK(dz_iterate_group(stage.world, outer, direction, &around));
                CHECK(dz_next(&it) && dz_next(&around));
                if (sorts) CHECK_OK(dz_group_sort(stage.world, inner, DZ_NULL, downwards, NULL, DZ_SORT_ONCE));
                else CHECK_OK(dz_shrink(stage.world));
                CHECK(!dz_next(&it) && it.status == DZ_ERR_CHANGED);
                CHECK(!dz_next(&around) && around.status == DZ_ERR_CHANGED);
                CHECK_OK(dz_world_destroy(stage.world));
            }
        }
    }
}

/* Small random changes by single calls, with nothing between them that would send the next the careful way, or by calls for
   many: groups have who has their components, values are those that were set, and listeners are told. */
enum { FEW = 40, KINDS = 4, MOST_GROUPS = 3, LARGEST = 40 };
typedef struct { unsigned char bytes[LARGEST]; } Value;
typedef struct { uint32_t owned, included, excluded; } Terms; /* a bit for each kind; none: no group */
typedef struct { uint32_t size; bool far, iterated, heard, late, many; } Ways; /* elements; entities whose pages lie far off; what else is asked for */

/* Never all zeros, as new ones are; in 0 nothing was set. */
static Value value_of(uint32_t step)
{
    Value value;
    uint32_t i;
    for (i = 0; i < LARGEST; i++) value.bytes[i] = step ? (unsigned char)(1 + (step * 31 + i * 7) % 255) : 0;
    return value;
}

/* Every third one may have an index of its own choice, whose page nothing leads to at once. All may have one component. */
static dz_entity one_more(uint32_t i, bool far, dz_id all)
{
    static uint32_t generation;
    dz_entity chosen = dz_entity_make(dz_world_number(stage.world), 50000 + 3000 * i, ++generation);
    if (!far || i % 3 != 0 || dz_create_at(stage.world, chosen) != DZ_OK) chosen = dz_create(stage.world);
    if (all) CHECK_OK(dz_add(stage.world, chosen, all));
    return chosen;
}

/* Who lives, which kinds each has, and in which step its value was set; how often listeners should have been told. */
static dz_entity e[FEW];
static uint32_t has[FEW], value[FEW][KINDS], want, want_gone;

/* A random change of one kind of some, in some order: zeros, values, or none. */
static void change_many(dz_id kind, uint32_t k, uint32_t size, uint32_t step)
{
    enum { ADD, SET, REMOVE };
    static unsigned char values[FEW * LARGEST];
    dz_entity some[FEW];
    uint32_t i, n = 0, changed = 0, what = size > 0 ? check_random(3) : check_random(2) * REMOVE;
    uint32_t first = check_random(FEW), apart = check_random(2) ? 1 : 7, all = 1 + check_random(FEW);
    for (i = 0; i < FEW && n < all; i++) {
        uint32_t at = (first + i * apart) % FEW;
        bool is_there = has[at] >> k & 1;
        if (check_random(4) == 0) continue;
        some[n] = e[at];
        if (what == SET) {
            Value new_value = value_of(step + n);
            memcpy(values + n * size, &new_value, size);
        }
        if (what == REMOVE) want_gone += k == 0 && is_there, has[at] &= ~(1u << k);
        else want += k == 1 && !is_there, has[at] |= 1u << k;
        if (what == SET || (what == ADD && !is_there)) value[at][k] = what == SET ? step + n : 0;
        changed += what == REMOVE ? is_there : !is_there;
        n++;
    }
    if (what == ADD) CHECK_EQ(dz_add_n(stage.world, some, n, kind), n == 0 ? DZ_NOTHING_TO_DO : changed ? DZ_OK : DZ_ALREADY_THERE);
    if (what == SET) CHECK_EQ(dz_set_n(stage.world, some, n, kind, size, values), n == 0 ? DZ_NOTHING_TO_DO : DZ_OK);
    if (what == REMOVE) CHECK_EQ(dz_remove_n(stage.world, some, n, kind), n == 0 ? DZ_NOTHING_TO_DO : changed ? DZ_OK : DZ_NOT_THERE);
}

static void run_changes(const Terms *terms, Ways ways)
{
    uint32_t step, i, k, g;
    uint32_t told = 0, told_gone = 0;
    dz_group made[MOST_GROUPS];
    dz_id kinds[KINDS];
    stage.world = check_world();
    want = want_gone = 0;
    dz_id first = DZ_NULL; /* one that everybody has, and whose group was another's place before */
    for (i = 0; ways.late && i < 31; i++) { /* bits of signatures are for those who come first, and for many */
        char name[8];
        dz_id id;
        snprintf(name, sizeof name, "F%u", i);
        CHECK_OK(dz_add(stage.world, dz_create(stage.world), id = dz_component_simple(stage.world, name, 0, 1)));
        if (i == 0) CHECK_OK(dz_group_destroy(stage.world, group(0, NULL, 1, &id, 0, NULL))), first = id;
    }
    kinds[0] = dz_component_simple(stage.world, "A", ways.size, 1), kinds[1] = dz_component_simple(stage.world, "B", ways.size, 1);
    kinds[2] = dz_component_simple(stage.world, "C", ways.size, 1), kinds[3] = DZ_TAG(stage.world, D);
    for (g = 0; g < MOST_GROUPS; g++) {
        dz_id ids[3][KINDS];
        uint32_t count[3] = {0}, part, bits[3];
        bits[0] = terms[g].owned, bits[1] = terms[g].included, bits[2] = terms[g].excluded;
        if ((bits[0] | bits[1]) == 0) continue;
        for (part = 0; part < 3; part++)
            for (k = 0; k < KINDS; k++)
                if (bits[part] >> k & 1) ids[part][count[part]++] = kinds[k];
        made[g] = group(count[0], ids[0], count[1], ids[1], count[2], ids[2]);
        CHECK(made[g].bits);
    }
    if (ways.heard) {
        CHECK(dz_listen(stage.world, DZ_ON_ADD, kinds[1], check_count_event, &told).bits);
        CHECK(dz_listen(stage.world, DZ_ON_REMOVE, kinds[0], check_count_event, &told_gone).bits);
    }
    for (i = 0; i < FEW; i++) CHECK(e[i] = one_more(i, ways.far, first)), has[i] = 0;
    for (step = 1; step <= (ways.many ? 480u : 1500u); step++) {
        Value new_value = value_of(step);
        i = check_random(FEW), k = check_random(KINDS);
        if (ways.iterated && step % 64 == 0) {
            dz_iter it;
            CHECK_OK(dz_iterate_pool(stage.world, kinds[k], DZ_BACKWARD, &it)); /* marks are kept from now on */
        }
        switch (ways.many ? 6 : check_random(k < 3 ? 6 : 2)) {
        case 6:
            change_many(kinds[k], k, k < 3 ? ways.size : 0, step);
            break;
        case 0:
            CHECK_EQ(dz_remove(stage.world, e[i], kinds[k]), has[i] >> k & 1 ? DZ_OK : DZ_NOT_THERE);
            want_gone += k == 0 && (has[i] & 1), has[i] &= ~(1u << k);
            break;
        case 1:
            CHECK_EQ(dz_add(stage.world, e[i], kinds[k]), has[i] >> k & 1 ? DZ_ALREADY_THERE : DZ_OK);
            if (!(has[i] >> k & 1)) value[i][k] = 0, want += k == 1;
            has[i] |= 1u << k;
            break;
        case 2: {
            Value was, *at = dz_get_or_add(stage.world, e[i], kinds[k]);
            if (!(has[i] >> k & 1)) value[i][k] = 0, want += k == 1;
            has[i] |= 1u << k;
            was = value_of(value[i][k]);
            CHECK(at && memcmp(at, &was, ways.size) == 0);
            memcpy(at, &new_value, ways.size), value[i][k] = step;
            break;
        }
        default:
            CHECK_OK(dz_set(stage.world, e[i], kinds[k], ways.size, &new_value));
            want += k == 1 && !(has[i] >> k & 1);
            has[i] |= 1u << k, value[i][k] = step;
        }
        if (step % 20 == 0) {
            CHECK_OK(dz_destroy(stage.world, e[i]));
            want_gone += has[i] & 1;
            CHECK(e[i] = one_more(i, ways.far, first)), has[i] = 0;
        }
        if (step % 16) continue;
        for (g = 0; g < MOST_GROUPS; g++) {
            uint32_t members = 0, required = terms[g].owned | terms[g].included;
            if (required == 0) continue;
            for (i = 0; i < FEW; i++) {
                bool is_member = (has[i] & required) == required && !(has[i] & terms[g].excluded);
                CHECK_EQ(dz_group_contains(stage.world, made[g], e[i]), is_member);
                members += is_member;
            }
            CHECK_EQ(dz_group_count(stage.world, made[g]), members);
        }
        for (i = 0; i < FEW; i++) {
            for (k = 0; k < 3; k++) {
                const void *at = dz_get(stage.world, e[i], kinds[k]);
                CHECK_EQ(at != NULL, has[i] >> k & 1);
                if (at) {
                    Value set = value_of(value[i][k]);
                    CHECK(memcmp(at, &set, ways.size) == 0);
                    CHECK(dz_entity_of(stage.world, kinds[k], at) == e[i]);
                }
            }
        }
    }
    CHECK_EQ(told, ways.heard ? want : 0);
    CHECK_EQ(told_gone, ways.heard ? want_gone : 0);
    CHECK_OK(dz_world_destroy(stage.world));
}

static void random_changes(void)
{
    static const Terms all[][MOST_GROUPS] = {
        {{3, 0, 0}},
        {{1, 2, 0}},
        {{1, 2, 8}},
        {{0, 3, 8}},
        {{3, 0, 0}, {7, 0, 0}},
        {{3, 0, 8}, {0, 5, 0}},
        {{4, 0, 8}, {1, 10, 0}, {0, 6, 1}},
        {{15, 0, 0}, {3, 0, 0}, {7, 0, 0}},
        {{7, 0, 0}, {2, 1, 0}, {0, 3, 0}},
    };
    static const uint32_t sizes[] = {12, 4, 24, LARGEST, 3};
    uint32_t set, size, kind;
    for (set = 0; set < sizeof all / sizeof *all; set++) {
        for (size = 0; size < sizeof sizes / sizeof *sizes; size++) {
            for (kind = 0; kind < 16; kind++) {
                uint32_t other = kind / 2 % 4;
                Ways ways = {sizes[size], kind % 2 == 1, other == 1, other == 2, other == 3, kind / 8 == 1};
                run_changes(all[set], ways);
            }
        }
    }
}

/* Between two batches anything may happen, whichever loop went through the one before. */
static void between_batches(void)
{
    enum { ALL = 100 };
    int direction, each, last;
    for (direction = DZ_FORWARD; direction >= DZ_BACKWARD; direction--) {
        for (each = 0; each < 2; each++) {
            for (last = 0; last < 2; last++) {
                dz_world other = check_world();
                dz_id ids[3];
                dz_entity all[ALL];
                dz_group_desc desc = DZ_GROUP_DESC_INIT;
                dz_group outer;
                uint32_t times[ALL] = {0}, i;
                bool first = true;
                dz_iter it;
                ids[0] = dz_component_simple(other, "A", 8, 4), ids[1] = dz_component_simple(other, "B", 8, 4);
                ids[2] = dz_component_simple(other, "C", 0, 1);
                CHECK_OK(dz_create_n(other, ALL, all));
                for (i = 0; i < 2 * ALL; i++) CHECK_OK(dz_add(other, all[i / 2], ids[i % 2])); /* the first pages are small */
                desc.owned = ids, desc.owned_count = 2;
                outer = dz_group_create(other, &desc);
                desc.owned_count = 3;
                CHECK(dz_group_create(other, &desc).bits != 0);
                for (CHECK_OK(dz_iterate_group(other, outer, direction, &it)); dz_next(&it); first = false) {
                    if (each) {
                        DZ_EACH(it, row) times[dz_entity_index(dz_iter_entity(&it, row)) - 256]++;
                    } else {
                        for (i = 0; i < it.count; i++) times[dz_entity_index(dz_iter_entity(&it, i)) - 256]++;
                    }
                    /* Changes places with the first member. */
                    if (first) CHECK_OK(dz_add(other, all[last ? ALL - 1 : ALL / 2], ids[2]));
                }
                CHECK_OK((dz_status)it.status);
                for (i = 0; i < ALL; i++) CHECK_EQ(times[i], 1);
                CHECK_OK(dz_world_destroy(other));
            }
        }
    }
}

/* A second loop over a batch whose first loop took members out, to before its beginning. */
static void a_batch_gone_through_twice(void)
{
    dz_id both[2];
    dz_iter it;
    uint32_t i, n = 0;
    set_up();
    CHECK_OK(dz_world_clear(stage.world));
    CHECK_OK(dz_create_n(stage.world, 70, stage.e));
    both[0] = stage.position, both[1] = stage.velocity;
    for (i = 0; i < 2; i++) CHECK_OK(dz_add_n(stage.world, stage.e, 70, both[i]));
    CHECK_OK(dz_iterate_group(stage.world, group(2, both, 0, NULL, 0, NULL), DZ_BACKWARD, &it));
    CHECK(dz_next(&it) && it.count < 10);
    DZ_EACH(it, at) {
        if (n++ > 0) continue;
        for (i = 0; i < 10; i++) CHECK_OK(dz_remove(stage.world, stage.e[i], stage.position));
    }
    DZ_EACH(it, at) CHECK(at < 70 && dz_has(stage.world, dz_iter_entity(&it, at), stage.position));
    while (dz_next(&it)) DZ_EACH(it, at) CHECK(dz_has(stage.world, dz_iter_entity(&it, at), stage.position));
    CHECK_IS(it.status, DZ_OK);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* Lists the entities of a pool in its order; returns how many there are. */
static uint32_t in_order(dz_id id, dz_entity *out)
{
    uint32_t i, n = 0;
    dz_iter it;
    for (dz_iterate_pool(stage.world, id, DZ_FORWARD, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) out[n++] = dz_iter_entity(&it, i);
    }
    return n;
}

/* Pools that have grown have their members in pieces, also those whose order is somebody's. dz_optimize lays them side by side. */
static void in_one_piece(void)
{
    static dz_entity before[N], after[N];
    dz_id owned[2];
    dz_group movers, list;
    dz_iter it, listed;
    dz_entity first;
    uint32_t made, n;
    set_up();
    owned[0] = stage.position, owned[1] = stage.velocity;
    movers = group(2, owned, 0, NULL, 1, &stage.frozen);
    list = group(0, NULL, 1, &stage.velocity, 0, NULL);
    CHECK_OK(dz_sort(stage.world, stage.mass, heaviest_first, NULL, DZ_SORT_KEEP));
    CHECK_OK(dz_iterate_group(stage.world, movers, DZ_FORWARD, &it));
    CHECK(dz_next(&it) && it.count < dz_group_count(stage.world, movers));
    first = dz_iter_entity(&it, 0);
    CHECK_OK(dz_iterate_group(stage.world, list, DZ_FORWARD, &listed));
    n = in_order(stage.mass, before);
    CHECK_OK(dz_optimize(stage.world, UINT32_MAX, &made));
    CHECK_EQ(made, 0);
    CHECK(dz_next(&listed)); /* who only looks elements up goes on */
    CHECK(in_order(stage.mass, after) == n && memcmp(before, after, n * sizeof(dz_entity)) == 0);
    CHECK(!dz_next(&it));
    CHECK_IS(it.status, DZ_ERR_CHANGED);
    CHECK_OK(dz_iterate_group(stage.world, movers, DZ_FORWARD, &it));
    CHECK(dz_next(&it) && it.count == dz_group_count(stage.world, movers));
    CHECK_EQ(dz_iter_entity(&it, 0), first);
    CHECK_EQ(seen(movers, DZ_BACKWARD, DZ_OK), it.count);
    CHECK_OK(dz_iterate_pool(stage.world, stage.mass, DZ_FORWARD, &it));
    CHECK(dz_next(&it) && it.count == n);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* A plain loop that goes down a batch may end its current entity, or take a component from it, also where a group inside lets
 * it change places first. */
static void down_a_nested_group(void)
{
    uint32_t shape;
    for (shape = 0; shape < 3 * 2 * 4 * 5 * 2; shape++) {
        static const uint32_t counts[] = {10, 40, 333};
        const uint32_t n = counts[shape % 3], iterated = shape / 3 % 2, inside = 1 + shape / 6 % 4, ends = 1 + shape / 24 % 5;
        const bool destroys = shape / 120 != 0;
        dz_id all[3];
        dz_group made[2];
        dz_iter it;
        uint32_t i, seen_ones = 0, left;
        set_up();
        CHECK_OK(dz_world_clear(stage.world));
        CHECK_OK(dz_create_n(stage.world, n, stage.e));
        all[0] = stage.position, all[1] = stage.velocity, all[2] = stage.mass;
        made[0] = group(2, all, 0, NULL, 0, NULL), made[1] = group(3, all, 0, NULL, 0, NULL);
        for (i = 0; i < n; i++) {
            CHECK_OK(dz_add(stage.world, stage.e[i], stage.position));
            CHECK_OK(dz_add(stage.world, stage.e[i], stage.velocity));
            if (i % inside == 0) CHECK_OK(dz_add(stage.world, stage.e[i], stage.mass));
        }
        left = dz_group_count(stage.world, made[iterated]);
        CHECK_OK(dz_iterate_group(stage.world, made[iterated], DZ_BACKWARD, &it));
        while (dz_next(&it)) {
            for (i = it.count; i-- > 0;) {
                dz_entity entity = dz_iter_entity(&it, i);
                if (++seen_ones % ends != 0) continue;
                if (destroys) CHECK_OK(dz_destroy(stage.world, entity));
                else CHECK_OK(dz_remove(stage.world, entity, stage.position));
            }
        }
        CHECK_IS(it.status, DZ_OK);
        CHECK_EQ(seen_ones, left);
        CHECK_EQ(dz_group_count(stage.world, made[iterated]), left - left / ends);
        CHECK_OK(dz_world_destroy(stage.world));
    }
}

int main(void)
{
    RUN(down_a_nested_group);
    RUN(a_batch_gone_through_twice);
    RUN(owning);
    RUN(a_new_one_is_in_the_order_of_indices);
    RUN(others_keep_their_order);
    RUN(looked_up);
    RUN(nested_and_conflicts);
    RUN(changes);
    RUN(many_join_an_owned_pool);
    RUN(moved_on_from_the_boundary);
    RUN(many_leave_an_owned_pool);
    RUN(nested_three_deep);
    RUN(places_change_between_batches);
    RUN(moved_on_between_batches);
    RUN(the_rest_of_a_batch_is_left);
    RUN(who_joins_meanwhile);
    RUN(what_ends_an_iteration);
    RUN(random_changes);
    RUN(between_batches);
    RUN(in_one_piece);
    return check_done();
}
