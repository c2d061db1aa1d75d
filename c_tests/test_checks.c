/* DZ_ASSERT: what DZ_AT, DZ_AT_IF, DZ_RUN, DZ_ITEM and dz_iter_entity notice where it is defined. */
static int caught; /* assertions that failed since `catches` looked */
#define DZ_ASSERT(condition) ((condition) ? (void)0 : (void)caught++)
#include "check.h"

typedef struct { int32_t x, y; } Position;
typedef struct { int32_t kg; } Mass;

/* How many failed in what was done before. */
static int catches(void)
{
    const int count = caught;
    caught = 0;
    return count;
}

/* An iteration on its first batch. */
static dz_iter first(dz_world world, dz_query query, bool runs)
{
    dz_iter it;
    CHECK_OK(runs ? dz_iterate_runs(world, query, &it) : dz_iterate(world, query, &it));
    CHECK(dz_next(&it));
    return it;
}

static void terms_and_types(void)
{
    enum { N = 100 };
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position), mass = DZ_COMPONENT(world, Mass), tag = DZ_TAG(world, Tag);
    dz_entity e[N];
    dz_query query;
    dz_iter it;
    uint32_t i;
    CHECK_OK(dz_create_n(world, N, e));
    for (i = 0; i < N; i++) {
        CHECK_OK(DZ_SET(world, e[i], position, (&(Position){(int32_t)i, 0})));
        if (i % 2) CHECK_OK(DZ_SET(world, e[i], mass, &(Mass){1}));
        if (i % 3) CHECK_OK(dz_add(world, e[i], tag));
    }
    query = dz_query_parse(world, "Position, ?Mass, ?Tag");

    /* What is right is let pass, in gathers and in runs. */
    for (dz_iterate(world, query, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            const Position *p = DZ_AT(it, Position, 0, i);
            CHECK((DZ_AT_IF(it, Mass, 1, i) != NULL) == (p->x % 2 != 0) && (DZ_AT_IF(it, char, 2, i) != NULL) == (p->x % 3 != 0));
        }
    }
    for (dz_iterate_runs(world, query, &it); dz_next(&it);) {
        CHECK(DZ_RUN(it, Position, 0) != NULL && (DZ_RUN(it, Mass, 1) || true));
        CHECK((DZ_RUN(it, char, 2) != NULL) == dz_has(world, dz_iter_entity(&it, 0), tag));
    }
    for (dz_iterate_pool(world, mass, DZ_FORWARD, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) CHECK(DZ_ITEM(it, Mass, i)->kg == 1 && DZ_AT(it, Mass, 0, i)->kg == 1);
    }
    CHECK_EQ(catches(), 0);

    /* Another type, a term that isn't there, an element that isn't. */
    it = first(world, query, false);
    CHECK(DZ_AT(it, Mass, 0, 0) != NULL);
    CHECK_EQ(catches(), 1);
    CHECK(DZ_AT(it, Position, 0, it.count) || true);
    CHECK_EQ(catches(), 1);
    CHECK(DZ_AT_IF(it, Position, 1, 0) || true);
    CHECK_EQ(catches(), 1);
    CHECK(dz_iter_entity(&it, it.count) || true);
    CHECK_EQ(catches(), 1);
    it.strides[3] = sizeof(Mass), it.fields[3] = NULL, it.offsets[3] = UINT16_MAX; /* whatever stands there */
    CHECK(DZ_AT_IF(it, Mass, 3, 0) == NULL);
    CHECK_EQ(catches(), 1);
    it = first(world, query, true);
    CHECK(DZ_RUN(it, Mass, 0) != NULL);
    CHECK_EQ(catches(), 1);

    /* DZ_AT of who lacks an optional component, in a gather and in a run. */
    for (dz_iterate(world, query, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            int32_t x = DZ_AT(it, Position, 0, i)->x;
            CHECK((DZ_AT(it, Mass, 1, i) != NULL) == (x % 2 != 0) || !it.gather);
            CHECK_EQ(catches(), x % 2 ? 0 : 1);
        }
    }
    it = first(world, query, true);
    CHECK(DZ_AT_IF(it, Mass, 1, 0) == NULL && DZ_AT(it, Mass, 1, 0) == NULL);
    CHECK_EQ(catches(), 1);
    CHECK_OK(dz_iterate_pool(world, mass, DZ_FORWARD, &it));
    CHECK(dz_next(&it) && DZ_ITEM(it, Position, 0) != NULL);
    CHECK_EQ(catches(), 1);
    CHECK_OK(dz_world_destroy(world));
}

/* A group that owns one of its two components: arrays of what it owns, in gathers too. */
static void owned_by_a_group(void)
{
    enum { N = 300 };
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position), mass = DZ_COMPONENT(world, Mass);
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    dz_group group;
    dz_iter it;
    uint32_t i, gathers = 0, seen = 0;
    for (i = 0; i < N; i++) {
        dz_entity e = dz_create(world);
        CHECK_OK(DZ_SET(world, e, position, (&(Position){(int32_t)i, 0})));
        CHECK_OK(DZ_SET(world, e, mass, (&(Mass){(int32_t)i})));
    }
    desc.owned = &position, desc.owned_count = 1;
    desc.included = &mass, desc.included_count = 1;
    group = dz_group_create(world, &desc);
    for (dz_iterate_group(world, group, DZ_BACKWARD, &it); dz_next(&it);) {
        const Position *p = DZ_RUN(it, Position, 0);
        gathers += it.gather;
        for (i = 0; i < it.count; i++, seen++) {
            CHECK(&p[i] == DZ_AT(it, Position, 0, i) && p[i].x == DZ_AT(it, Mass, 1, i)->kg);
        }
        CHECK_EQ(catches(), 0);
        CHECK(DZ_RUN(it, Mass, 0) != NULL);
        CHECK_EQ(catches(), 1);
    }
    CHECK(gathers > 0 && seen == N);
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(terms_and_types);
    RUN(owned_by_a_group);
    return check_done();
}
