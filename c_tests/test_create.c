/* The ways to create entities: many, at a handle, with components, as a copy. */
#include "check.h"

typedef struct { int32_t a, b; } Pair;

static dz_world with_desc(dz_world_desc desc)
{
    dz_world world = dz_world_create(&desc);
    CHECK(dz_world_is_alive(world));
    return world;
}

/* dz_create_n is n calls of dz_create: the same handles, from the same past. */
static void create_n(void)
{
    dz_world worlds[2];
    dz_entity e[2][60], made[2][20];
    uint32_t i, w;
    dz_world_numbers numbers;
    for (w = 0; w < 2; w++) {
        worlds[w] = check_world();
        for (i = 0; i < 60; i++) e[w][i] = dz_create(worlds[w]);
        for (i = 0; i < 60; i += 7) CHECK_OK(dz_destroy(worlds[w], e[w][i]));
    }
    CHECK_OK(dz_create_n(worlds[0], 20, made[0]));
    for (i = 0; i < 20; i++) made[1][i] = dz_create(worlds[1]);
    for (i = 0; i < 20; i++) {
        CHECK_EQ(dz_entity_index(made[0][i]), dz_entity_index(made[1][i]));
        CHECK_EQ(dz_entity_generation(made[0][i]), dz_entity_generation(made[1][i]));
        CHECK(dz_is_alive(worlds[0], made[0][i]));
    }
    CHECK_OK(dz_world_stats(worlds[0], &numbers));
    CHECK_EQ(numbers.alive, 60 - 9 + 20);
    CHECK_EQ(numbers.dead, 0);
    QUIETLY(dz_create_n(worlds[0], 0, made[0]), DZ_NOTHING_TO_DO);
    REFUSED(worlds[0], dz_create_n(worlds[0], 5, NULL), DZ_ERR_NULL_POINTER);
    CHECK_OK(dz_world_destroy(worlds[0]));
    CHECK_OK(dz_world_destroy(worlds[1]));
}

static void create_n_all_or_none(void)
{
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_entity e[12];
    dz_status status;
    uint64_t digest;
    desc.reserved_components = DZ_RESERVE_NONE;
    desc.max_entities = 10;
    world = with_desc(desc);
    memset(e, 0xee, sizeof e);
    digest = check_digest(world);
    status = dz_create_n(world, 11, e);
    CHECK(status == DZ_ERR_FULL || status == DZ_ERR_COUNT);
    CHECK_EQ(e[0], UINT64_C(0xeeeeeeeeeeeeeeee)); /* written on success only */
    CHECK_EQ(check_digest(world), digest);
    CHECK_OK(dz_create_n(world, 10, e));
    CHECK(dz_failed(dz_create_n(world, 1, e)));
    CHECK_OK(dz_world_destroy(world));
}

/* Saves and netcode: exactly this handle, never an older one. */
static void create_at(void)
{
    dz_world_desc desc = check_desc();
    dz_world world, other = check_world();
    dz_entity a, b;
    uint32_t tombstone = check_tombstone();
    dz_world_numbers numbers;
    desc.max_entities = 1000;
    world = with_desc(desc);
#define AT(index, generation) check_handle(world, (index), (generation))
    CHECK_OK(dz_create_at(world, AT(260, 7)));
    CHECK(dz_is_alive(world, AT(260, 7)));
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.alive, 1);
    a = dz_create(world), b = dz_create(world); /* 256 to 259 were skipped, and are free */
    CHECK(dz_entity_index(a) >= 256 && dz_entity_index(a) < 260);
    CHECK(dz_entity_index(b) >= 256 && dz_entity_index(b) < 260);
    CHECK_EQ(dz_entity_generation(a), 1);
    REFUSED(world, dz_create_at(world, AT(260, 7)), DZ_ERR_OCCUPIED);
    REFUSED(world, dz_create_at(world, AT(260, 8)), DZ_ERR_OCCUPIED);
    CHECK_OK(dz_destroy(world, AT(260, 7)));
    REFUSED(world, dz_create_at(world, AT(260, 7)), DZ_ERR_DEAD); /* not back to life */
    REFUSED(world, dz_create_at(world, AT(260, 1)), DZ_ERR_DEAD);
    CHECK_OK(dz_create_at(world, AT(260, 8)));
    CHECK_OK(dz_destroy(world, AT(260, 8)));
    CHECK_OK(dz_create_at(world, AT(260, 20)));
    CHECK_IS(dz_why(world, AT(260, 10)), DZ_ERR_DEAD); /* skipped generations are older ones */
    REFUSED(world, dz_create_at(world, AT(5, 1)), DZ_ERR_RESERVED);
    REFUSED(world, dz_create_at(world, AT(1000, 1)), DZ_ERR_FULL);
    REFUSED(world, dz_create_at(world, 0), DZ_ERR_NULL_ENTITY);
    REFUSED(world, dz_create_at(world, AT(check_null_index(), 1)), DZ_ERR_NULL_ENTITY);
    REFUSED(world, dz_create_at(world, AT(300, tombstone)), DZ_ERR_TOMBSTONE);
    REFUSED(world, dz_create_at(world, AT(300, 1) | UINT64_C(1) << 60), DZ_ERR_ROLE);
    REFUSED(world, dz_create_at(world, check_layout == DZ_LAYOUT_64 ? check_handle(other, 300, 1) : dz_entity_make(1, 300, 1)),
            DZ_ERR_WRONG_WORLD);
    CHECK(dz_failed(dz_create_at(world, AT(300, 0)))); /* generations start at 1 */
    CHECK(!dz_is_alive(world, AT(300, 0)));
    /* A slot at its last generation is retired. */
    CHECK_OK(dz_create_at(world, AT(400, tombstone - 1)));
    CHECK_OK(dz_destroy(world, AT(400, tombstone - 1)));
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.retired, 1);
    REFUSED(world, dz_create_at(world, AT(400, tombstone - 1)), DZ_ERR_RETIRED);
    CHECK_IS(dz_why(world, AT(400, tombstone - 1)), DZ_ERR_RETIRED);
    REFUSED_0(world, dz_generation(world, 400), DZ_ERR_RETIRED);
    /* All free indices are handed out once. */
    {
        static bool seen[1000];
        uint32_t made = 0;
        dz_entity e;
        memset(seen, 0, sizeof seen);
        seen[400] = seen[260] = seen[dz_entity_index(a)] = seen[dz_entity_index(b)] = true;
        while ((e = dz_create(world)) != 0) {
            if (!CHECK(dz_entity_index(e) < 1000 && !seen[dz_entity_index(e)])) break;
            seen[dz_entity_index(e)] = true;
            made++;
        }
        CHECK_EQ(made, 1000 - 256 - 4);
    }
#undef AT
    CHECK_OK(dz_world_destroy(world));
    CHECK_OK(dz_world_destroy(other));
}

static void create_at_n(void)
{
    dz_world from = check_world(), to = check_world();
    dz_entity e[100], copies[100], sorted[8];
    uint32_t i, n = 0;
    CHECK_OK(dz_create_n(from, 100, e));
    for (i = 0; i < 100; i += 3) CHECK_OK(dz_destroy(from, e[i]));
    for (i = 0; i < 30; i += 3) CHECK(dz_create(from) != 0);
    for (i = 0; i < 100; i++) {
        uint32_t index = 256 + (i * 37) % 100; /* in no order */
        dz_entity live = check_handle(from, index, dz_generation(from, index));
        if (dz_is_alive(from, live)) copies[n++] = check_handle(to, index, dz_entity_generation(live));
    }
    CHECK_EQ(n, 76);
    copies[n] = copies[4];
    REFUSED(to, dz_create_at_n(to, copies, n + 1), DZ_ERR_DUPLICATE);
    for (i = 0; i < 8; i++) sorted[i] = check_handle(to, 256 + 10 * (i < 7 ? i : 6), i < 7 ? 1 : 2); /* in order, the last twice */
    REFUSED(to, dz_create_at_n(to, sorted, 8), DZ_ERR_DUPLICATE);
    copies[n] = check_handle(to, 3, 1);
    REFUSED(to, dz_create_at_n(to, copies, n + 1), DZ_ERR_RESERVED);
    REFUSED(to, dz_create_at_n(to, NULL, n), DZ_ERR_NULL_POINTER);
    QUIETLY(dz_create_at_n(to, copies, 0), DZ_NOTHING_TO_DO);
    CHECK_OK(dz_create_at_n(to, copies, n));
    for (i = 0; i < n; i++) CHECK(dz_is_alive(to, copies[i]));
    CHECK_EQ(check_alive(to), n);
    REFUSED(to, dz_create_at_n(to, copies, n), DZ_ERR_OCCUPIED);
    for (i = 0; i < 100 - n; i++) CHECK(dz_entity_index(dz_create(to)) < 356); /* the gaps are free */
    CHECK_EQ(dz_create(to), check_handle(to, 356, 1));
    CHECK_OK(dz_world_destroy(from));
    CHECK_OK(dz_world_destroy(to));
}

static void create_with(void)
{
    dz_world world = check_world();
    dz_id pair = DZ_COMPONENT(world, Pair), number = dz_component_simple(world, "number", 4, 4), tag = DZ_TAG(world, Tag);
    Pair pairs[50];
    dz_column columns[3], bad[3];
    dz_entity e[50], bad_one, plain = dz_create(world);
    int32_t i;
    memset(columns, 0, sizeof columns);
    for (i = 0; i < 50; i++) pairs[i].a = i, pairs[i].b = -i;
    columns[0].id = pair, columns[0].values = pairs, columns[0].element_size = sizeof(Pair);
    columns[1].id = tag;
    columns[2].id = number, columns[2].element_size = 4; /* no values: zeros */
    CHECK_OK(dz_create_with(world, 50, columns, 3, e));
    for (i = 0; i < 50; i++) {
        const Pair *p = DZ_GET(world, e[i], Pair, pair);
        CHECK(p && p->a == i && p->b == -i);
        CHECK(dz_has(world, e[i], tag));
        CHECK(dz_get(world, e[i], number) && *(const int32_t *)dz_get(world, e[i], number) == 0);
    }
    CHECK_EQ(dz_count(world, pair), 50);
    memcpy(bad, columns, sizeof bad);
    bad[2].element_size = 8;
    CHECK_EQ(dz_create_with(world, 1, bad, 3, &bad_one), DZ_ERR_SIZE); /* while no iteration has begun, too */
    CHECK_EQ(dz_count(world, number), 50);
    CHECK_OK(dz_create_with(world, 7, columns, 1, NULL));
    CHECK_EQ(dz_count(world, pair), 57);
    CHECK_EQ(dz_count(world, tag), 50);
    CHECK_OK(dz_create_with(world, 1, NULL, 0, e)); /* no columns: plain entities */
    CHECK(dz_is_alive(world, e[0]));
    QUIETLY(dz_create_with(world, 0, columns, 3, e), DZ_NOTHING_TO_DO);
#define BAD(at, field, value, status)                                        \
    do {                                                                     \
        memcpy(bad, columns, sizeof bad);                                    \
        bad[at].field = (value);                                             \
        REFUSED(world, dz_create_with(world, 50, bad, 3, e), (status));      \
        REFUSED(world, dz_create_with(world, 1, bad, 3, e), (status));       \
    } while (0)
    BAD(0, element_size, 4, DZ_ERR_SIZE);
    BAD(2, element_size, 8, DZ_ERR_SIZE); /* which has no values */
    BAD(1, element_size, 1, DZ_ERR_SIZE); /* a tag has size 0 */
    BAD(1, reserved, 1, DZ_ERR_RANGE);
    BAD(1, id, plain, DZ_ERR_NOT_COMPONENT);
#undef BAD
    memcpy(bad, columns, sizeof bad);
    bad[2] = bad[0];
    REFUSED(world, dz_create_with(world, 5, bad, 3, NULL), DZ_ERR_DUPLICATE); /* M29 */
    REFUSED(world, dz_create_with(world, 5, NULL, 3, NULL), DZ_ERR_NULL_POINTER);
    bad[2].id = dz_component_id(world), bad[2].element_size = sizeof(dz_component);
    REFUSED(world, dz_create_with(world, 5, bad, 3, NULL), DZ_ERR_BUILTIN);
    REFUSED(world, dz_create_with(world, 1, bad, 3, e), DZ_ERR_BUILTIN);
    CHECK_OK(dz_world_destroy(world));
}

static void clone(void)
{
    dz_world world = check_world();
    dz_id pair = DZ_COMPONENT(world, Pair), number = dz_component_simple(world, "number", 4, 4), tag = DZ_TAG(world, Tag);
    dz_entity a = dz_create(world), b, empty = dz_create(world);
    Pair value = {3, 4};
    dz_id ids[4];
    uint32_t count = 0;
    CHECK_OK(DZ_SET(world, a, pair, &value));
    CHECK_OK(dz_add(world, a, tag));
    b = dz_clone(world, a);
    CHECK(b != a && dz_is_alive(world, b));
    CHECK(dz_get(world, b, pair) && memcmp(dz_get(world, b, pair), &value, sizeof value) == 0);
    CHECK(dz_has(world, b, tag) && !dz_has(world, b, number));
    CHECK_OK(dz_type(world, b, ids, 4, &count));
    CHECK_EQ(count, 2);
    DZ_GET_MUT(world, b, Pair, pair)->a = 9; /* a copy of its own */
    CHECK_EQ(DZ_GET(world, a, Pair, pair)->a, 3);
    CHECK_OK(dz_destroy(world, a));
    CHECK_EQ(DZ_GET(world, b, Pair, pair)->a, 9);
    REFUSED_0(world, dz_clone(world, a), DZ_ERR_DEAD);
    CHECK(dz_is_alive(world, dz_clone(world, empty)));
    CHECK_EQ(dz_clone(world, pair), 0); /* a component is not copied */
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(create_n);
    RUN(create_n_all_or_none);
    RUN(create_at);
    RUN(create_at_n);
    RUN(create_with);
    RUN(clone);
    return check_done();
}
