/* One entity and one component: add, remove, set, get, get_mut, has, get_or_add. */
#include "check.h"

typedef struct { float x, y, z; } Position;

static dz_id simple(dz_world world, const char *name, uint32_t size, int32_t policy)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = name;
    desc.element_size = size;
    desc.policy = policy;
    return dz_component_register(world, &desc);
}

static void each_call(void)
{
    int32_t policy;
    for (policy = 0; policy < 2; policy++) {
        dz_world world = check_world();
        dz_id id = simple(world, "eight", 8, policy);
        dz_entity e = dz_create(world);
        uint64_t value = UINT64_C(0x0123456789abcdef), zero = 0, *p;
        QUIETLY(dz_has(world, e, id), 0);
        QUIETLY((uintptr_t)dz_get(world, e, id), 0); /* an answer, not an error */
        QUIETLY((uintptr_t)dz_get_mut(world, e, id), 0);
        QUIETLY(dz_remove(world, e, id), DZ_NOT_THERE);
        CHECK_OK(dz_set(world, e, id, 8, &value)); /* adds it */
        CHECK(memcmp(dz_get(world, e, id), &value, 8) == 0);
        QUIETLY(dz_add(world, e, id), DZ_ALREADY_THERE);
        CHECK(memcmp(dz_get(world, e, id), &value, 8) == 0); /* changes nothing */
        CHECK(dz_has(world, e, id));
        CHECK_EQ(dz_count(world, id), 1);
        p = (uint64_t *)dz_get_or_add(world, e, id);
        CHECK(p == dz_get_mut(world, e, id) && p == dz_get(world, e, id) && *p == value);
        *p = 5;
        CHECK_EQ(*(const uint64_t *)dz_get(world, e, id), 5);
        CHECK_OK(dz_remove(world, e, id));
        QUIETLY(dz_has(world, e, id), 0);
        CHECK_OK(dz_add(world, e, id)); /* zeros again, where a value was before */
        CHECK(memcmp(dz_get(world, e, id), &zero, 8) == 0);
        CHECK_OK(dz_set(world, e, id, 8, &value));
        CHECK_OK(dz_remove(world, e, id));
        p = (uint64_t *)dz_get_or_add(world, e, id);
        CHECK(p && *p == 0);
        CHECK_OK(dz_world_destroy(world));
    }
}

/* An entity whose index is far from all others', so that no short way leads to it. */
static void far_away(void)
{
    uint32_t index;
    for (index = 512; index <= 1 << 19; index *= 2) {
        dz_world world = check_world();
        dz_id id = simple(world, "four", 4, DZ_POLICY_SWAP);
        dz_entity e = check_handle(world, index, 1);
        uint32_t value;
        CHECK_OK(dz_create_at(world, e));
        for (value = 1; value < 4; value++) {
            CHECK_OK(dz_set(world, e, id, 4, &value));
            CHECK_EQ(*(const uint32_t *)dz_get(world, e, id), value);
            CHECK_EQ(dz_count(world, id), 1);
        }
        CHECK_OK(dz_remove(world, e, id));
        CHECK_EQ(dz_count(world, id), 0);
        CHECK_OK(dz_world_destroy(world));
    }
}

/* The last element is of an entity far away, and takes the place of one that is near: by dz_remove, dz_destroy, or many at once. */
static void far_one_moves(void)
{
    int way, others;
    for (way = 0; way < 6; way++) {
        dz_world world = check_world();
        dz_id id = 0;
        dz_entity near[3], far = check_handle(world, 1 << 19, 1);
        uint32_t value, left = way % 3 == 2 ? 1 : 3;
        /* The last half: the pool is the 40th in use, which has no bit in signatures. */
        for (others = 0; others < (way < 3 ? 1 : 40); others++) {
            char name[16];
            sprintf(name, "N%d", others);
            id = simple(world, name, 4, DZ_POLICY_SWAP);
            CHECK_OK(dz_add(world, dz_create(world), id));
        }
        CHECK_OK(dz_create_n(world, 3, near));
        CHECK_OK(dz_create_at(world, far));
        for (value = 0; value < 3; value++) CHECK_OK(dz_set(world, near[value], id, 4, &value));
        value = 99;
        CHECK_OK(dz_set(world, far, id, 4, &value));
        if (way % 3 == 0) CHECK_OK(dz_remove(world, near[1], id));
        if (way % 3 == 1) CHECK_OK(dz_destroy(world, near[1]));
        if (way % 3 == 2) CHECK_OK(dz_destroy_n(world, near, 3, NULL));
        CHECK_EQ(dz_count(world, id), left + 1);
        CHECK_EQ(*(const uint32_t *)dz_get(world, far, id), 99);
        CHECK(dz_has(world, far, id));
        CHECK_EQ(dz_is_alive(world, near[1]) && dz_has(world, near[1], id), 0);
        CHECK_OK(dz_remove(world, far, id));
        CHECK_EQ(dz_count(world, id), left);
        if (left == 3) CHECK_EQ(*(const uint32_t *)dz_get(world, near[2], id), 2);
        CHECK_OK(dz_world_destroy(world));
    }
}

static void tags(void)
{
    dz_world world = check_world();
    dz_id tag = DZ_TAG(world, Tag); /* M21 */
    dz_entity e = dz_create(world);
    int value = 1;
    CHECK_OK(dz_add(world, dz_create(world), tag));
    CHECK(dz_get_or_add(world, e, tag) == NULL && !dz_has(world, e, tag)); /* while no iteration has begun, too */
    REFUSED_NULL(world, dz_get(world, e, tag), DZ_ERR_TAG);
    REFUSED_NULL(world, dz_get_mut(world, e, tag), DZ_ERR_TAG);
    REFUSED_NULL(world, dz_get_or_add(world, e, tag), DZ_ERR_TAG);
    CHECK(!dz_has(world, e, tag));
    CHECK_OK(dz_add(world, e, tag));
    QUIETLY(dz_add(world, e, tag), DZ_ALREADY_THERE);
    CHECK(dz_has(world, e, tag));
    REFUSED_NULL(world, dz_get(world, e, tag), DZ_ERR_TAG);
    REFUSED_NULL(world, dz_get_mut(world, e, tag), DZ_ERR_TAG);
    REFUSED_NULL(world, dz_get_or_add(world, e, tag), DZ_ERR_TAG);
    REFUSED(world, dz_set(world, e, tag, 0, &value), DZ_ERR_TAG);
    REFUSED(world, dz_set(world, e, tag, 4, &value), DZ_ERR_TAG);
    CHECK_OK(dz_remove(world, e, tag));
    QUIETLY(dz_remove(world, e, tag), DZ_NOT_THERE);
    CHECK_OK(dz_world_destroy(world));
}

static int32_t construct_ones(void *elements, uint32_t count, void *user)
{
    memset(elements, 1, (size_t)count * *(const uint32_t *)user);
    return 0;
}

/* What is added without a value is zeros, where others had theirs before, and what the construct hook makes, if there is
   one: by each call that adds, for each size, with a bit in the signatures and without (only 31 have one). */
static void zeros(void)
{
    enum { SIZES = 140, N = 3 };
    static const unsigned char zero[SIZES], one[2] = {1, 1};
    static uint32_t sizes[SIZES];
    unsigned char dirt[SIZES];
    int hooked, policy, i, round;
    memset(dirt, 0x5a, sizeof dirt);
    for (hooked = 0; hooked < 2; hooked++) for (policy = 0; policy < 2; policy++) {
        dz_world world = check_world();
        dz_id id[SIZES];
        dz_entity e[N];
        CHECK_OK(dz_create_n(world, N, e));
        for (i = 0; i < SIZES; i++) {
            dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
            char name[20];
            sprintf(name, "size %d", i);
            sizes[i] = (uint32_t)i;
            desc.name = name, desc.element_size = (uint32_t)i, desc.policy = policy;
            if (hooked && i) desc.hooks.construct = construct_ones, desc.hooks.user = &sizes[i];
            id[i] = dz_component_register(world, &desc);
            CHECK(id[i]);
        }
        for (i = 0; i < SIZES; i++) for (round = 0; round < 6; round++) {
            const unsigned char *at;
            dz_entity entity = e[round % N];
            dz_column column;
            memset(&column, 0, sizeof column);
            column.id = id[i], column.element_size = (uint32_t)i;
            if (round % 3 == 0) CHECK_OK(dz_add(world, entity, id[i]));
            if (round % 3 == 1 && i) CHECK(dz_get_or_add(world, entity, id[i]));
            if (round % 3 == 1 && !i) CHECK_OK(dz_add(world, entity, id[i]));
            if (round % 3 == 2) CHECK_OK(dz_create_with(world, 1, &column, 1, &entity));
            CHECK(dz_has(world, entity, id[i]));
            QUIETLY(dz_add(world, entity, id[i]), DZ_ALREADY_THERE);
            CHECK_EQ(dz_count(world, id[i]), 1);
            if (i) {
                at = (const unsigned char *)dz_get(world, entity, id[i]);
                CHECK(at == dz_get_or_add(world, entity, id[i]));
                if (!hooked) CHECK(at && memcmp(at, zero, (size_t)i) == 0);
                if (hooked) CHECK(at && memcmp(at, one, i > 1 ? 2 : 1) == 0 && at[i - 1] == 1);
                CHECK_OK(dz_set(world, entity, id[i], (uint32_t)i, dirt));
                QUIETLY(dz_add(world, entity, id[i]), DZ_ALREADY_THERE);
                CHECK(memcmp(dz_get(world, entity, id[i]), dirt, (size_t)i) == 0);
            }
            if (round % 3 != 2) CHECK_OK(dz_remove(world, entity, id[i]));
            if (round % 3 == 2) CHECK_OK(dz_destroy(world, entity));
            if (policy) CHECK_OK(dz_compact(world, id[i]));
        }
        for (round = 0; round < N; round++) for (i = 0; i < SIZES; i += 7) CHECK_OK(dz_add(world, e[round], id[i]));
        for (round = 0; round < N; round++) for (i = 0; i < SIZES; i++) {
            CHECK_EQ(dz_has(world, e[round], id[i]), i % 7 == 0);
        }
        CHECK_OK(dz_world_destroy(world));
    }
}

static void sizes(void)
{
    dz_world world = check_world();
    dz_id id = simple(world, "eight", 8, 0);
    dz_entity e[3];
    char bytes[64];
    int i;
    memset(bytes, 0x11, sizeof bytes);
    CHECK_OK(dz_create_n(world, 3, e));
    for (i = 0; i < 3; i++) CHECK_OK(dz_set(world, e[i], id, 8, bytes));
    memset(bytes, 0x22, sizeof bytes);
    REFUSED(world, dz_set(world, e[1], id, 24, bytes), DZ_ERR_SIZE); /* an error, not an overrun */
    REFUSED(world, dz_set(world, e[1], id, 7, bytes), DZ_ERR_SIZE);
    REFUSED(world, dz_set(world, e[1], id, 0, bytes), DZ_ERR_SIZE);
    REFUSED(world, dz_set(world, e[1], id, UINT32_MAX, bytes), DZ_ERR_SIZE);
    REFUSED(world, dz_set(world, e[1], id, 8, NULL), DZ_ERR_NULL_POINTER);
    CHECK_IS(dz_set(world, e[1], id, 24, bytes), DZ_ERR_SIZE);
    CHECK_SAYS("24");
    CHECK_SAYS("8");
    CHECK_OK(dz_world_destroy(world));
}

/* A size of -1, where no iteration has begun: of tags, of elements with hooks, of those that a listener is told of, of a
   group's; there and not there. */
static void sizes_that_nothing_has(void)
{
    dz_world world = check_world();
    static uint32_t eight = 8;
    static const uint64_t value[8];
    dz_id id[4], other = simple(world, "other", 8, 0);
    dz_entity has, lacks;
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    dz_group_desc group = DZ_GROUP_DESC_INIT;
    dz_column column;
    int i;
    has = dz_create(world), lacks = dz_create(world);
    desc.name = "hooked", desc.element_size = 8, desc.hooks.construct = construct_ones, desc.hooks.user = &eight;
    id[0] = simple(world, "plain", 8, 0), id[1] = DZ_TAG(world, Tag), id[2] = dz_component_register(world, &desc);
    id[3] = simple(world, "grouped", 8, 0);
    group.owned = &id[3], group.owned_count = 1, group.excluded = &other, group.excluded_count = 1;
    CHECK(dz_group_create(world, &group).bits);
    memset(&column, 0, sizeof column);
    for (i = 0; i < 4; i++) {
        dz_status why = i == 1 ? DZ_ERR_TAG : DZ_ERR_SIZE;
        dz_entity made = DZ_NULL;
        CHECK_OK(dz_add(world, has, id[i]));
        CHECK_EQ(dz_set(world, has, id[i], UINT32_MAX, value), why);
        CHECK_EQ(dz_set(world, lacks, id[i], UINT32_MAX, value), why);
        column.id = id[i], column.values = value, column.element_size = UINT32_MAX;
        CHECK_EQ(dz_create_with(world, 1, &column, 1, &made), DZ_ERR_SIZE);
        column.values = NULL;
        CHECK_EQ(dz_create_with(world, 1, &column, 1, &made), DZ_ERR_SIZE);
        CHECK(!dz_has(world, lacks, id[i]) && made == DZ_NULL);
        CHECK_EQ(dz_count(world, id[i]), 1);
    }
    CHECK_OK(dz_world_destroy(world));
}

/* Each call with each kind of bad entity and bad id: its own status, and nothing happens. M34 M61 M62 M63 M67. */
static void misuse(void)
{
    dz_world world = check_world(), other = check_world();
    dz_id id = simple(world, "eight", 8, 0), gone = simple(world, "gone", 8, 0);
    dz_entity live = dz_create(world), dead = dz_create(world), reborn;
    uint64_t value = 7;
    unsigned i;
    struct { dz_entity entity; dz_status why; } bad[10];
    CHECK_OK(dz_destroy(world, dead));
    reborn = dz_create(world);
    CHECK_EQ(dz_entity_index(reborn), dz_entity_index(dead));
    CHECK_OK(dz_set(world, reborn, id, 8, &value));
    CHECK_OK(dz_component_unregister(world, gone));
#define BAD(at, e, w) (bad[at].entity = (e), bad[at].why = (w))
    BAD(0, DZ_NULL, DZ_ERR_NULL_ENTITY);                                                /* M52 */
    BAD(1, check_handle(world, check_null_index(), 1), DZ_ERR_NULL_ENTITY);             /* M41 */
    BAD(2, check_handle(world, dz_entity_index(reborn), check_tombstone()), DZ_ERR_TOMBSTONE); /* M42 M53 */
    BAD(3, check_handle(world, 3000, check_tombstone()), DZ_ERR_TOMBSTONE);             /* M54 */
    BAD(4, dead, DZ_ERR_DEAD);                                                          /* M47 M51 */
    BAD(5, check_handle(world, dz_entity_index(reborn), 3), DZ_ERR_NEVER_CREATED);
    BAD(6, check_handle(world, 9999, 1), DZ_ERR_NEVER_CREATED);                         /* M57 */
    BAD(7, check_layout == DZ_LAYOUT_64 ? dz_create(other) : dz_entity_make(9, 256, 1), DZ_ERR_WRONG_WORLD);
    BAD(8, reborn | UINT64_C(1) << 56, DZ_ERR_ROLE);
    BAD(9, reborn | UINT64_C(0xff) << 56, DZ_ERR_ROLE);
#undef BAD
    for (i = 0; i < 10; i++) {
        dz_entity e = bad[i].entity;
        dz_status why = bad[i].why;
        REFUSED(world, dz_add(world, e, id), why);
        REFUSED(world, dz_remove(world, e, id), why);
        REFUSED(world, dz_set(world, e, id, 8, &value), why);
        REFUSED_NULL(world, dz_get(world, e, id), why);
        REFUSED_NULL(world, dz_get_mut(world, e, id), why);
        REFUSED_NULL(world, dz_get_or_add(world, e, id), why);
        REFUSED_0(world, dz_has(world, e, id), why);
        CHECK_IS(dz_add(world, e, id), why);
        if (why != DZ_ERR_ROLE) CHECK_SAYS(check_form(e)); /* M62: names it */
        /* The same as the id: a bad handle is bad there too, but for roles that have a meaning there. */
        if (dz_role(e) >= DZ_ROLE_USER || dz_role(e) == DZ_ROLE_CHILDOF) continue;
        CHECK(dz_failed(dz_add(world, live, e)));
        CHECK(dz_failed(dz_remove(world, live, e)));
        CHECK(dz_failed(dz_set(world, live, e, 8, &value)));
        REFUSED_EITHER(world, dz_add(world, live, e), why, DZ_ERR_NOT_COMPONENT);
        dz_error_clear();
        CHECK(!dz_has(world, live, e) && dz_error_status() < 0);
        dz_error_clear();
        CHECK(!dz_get(world, live, e) && dz_error_status() < 0);
    }
    CHECK_EQ(*(const uint64_t *)dz_get(world, reborn, id), 7);
    /* A component where an entity is meant, and the other way round. */
    REFUSED(world, dz_add(world, id, id), DZ_ERR_IS_COMPONENT);
    REFUSED(world, dz_set(world, id, id, 8, &value), DZ_ERR_IS_COMPONENT);
    REFUSED(world, dz_remove(world, id, id), DZ_ERR_IS_COMPONENT);
    REFUSED_NULL(world, dz_get_or_add(world, id, id), DZ_ERR_IS_COMPONENT);
    CHECK_IS(dz_remove(world, live, reborn), DZ_NOT_THERE);
    REFUSED(world, dz_set(world, live, reborn, 8, &value), DZ_ERR_TAG);
    REFUSED_NULL(world, dz_get(world, live, reborn), DZ_ERR_TAG);
    REFUSED_NULL(world, dz_get_mut(world, live, reborn), DZ_ERR_TAG);
    REFUSED_NULL(world, dz_get_or_add(world, live, reborn), DZ_ERR_TAG);
    QUIETLY(dz_has(world, live, reborn), false);
    REFUSED_EITHER(world, dz_add(world, live, gone), DZ_ERR_DEAD, DZ_ERR_NOT_COMPONENT);
    REFUSED(world, dz_add(world, live, id | UINT64_C(9) << 56), DZ_ERR_ROLE);
    REFUSED_0(world, dz_has(world, live, id | UINT64_C(9) << 56), DZ_ERR_ROLE);
    CHECK_OK(dz_world_destroy(world));
    CHECK_OK(dz_world_destroy(other));
}

/* A value may lie in the world itself, in the very pool that grows for it. */
static void aliasing(void)
{
    int32_t policy;
    for (policy = 0; policy < 2; policy++) {
        dz_world world = check_world();
        dz_id id = simple(world, "big", 64, policy);
        dz_entity first = dz_create(world), e = first;
        char value[64];
        int i;
        for (i = 0; i < 64; i++) value[i] = (char)i;
        CHECK_OK(dz_set(world, first, id, 64, value));
        for (i = 0; i < 3000; i++) {
            dz_entity next = dz_create(world);
            CHECK_OK(dz_set(world, next, id, 64, dz_get(world, e, id)));
            e = next;
        }
        CHECK(memcmp(dz_get(world, e, id), value, 64) == 0);
        CHECK_OK(dz_set(world, e, id, 64, dz_get(world, e, id))); /* its own */
        CHECK(memcmp(dz_get(world, e, id), value, 64) == 0);
        CHECK_OK(dz_world_destroy(world));
    }
}

/* Pointers last as long as promised: of a stable component until it is removed (M45). */
static void addresses(void)
{
    dz_world world = check_world();
    dz_id stable = simple(world, "stable", 4, DZ_POLICY_STABLE), swap = simple(world, "swap", 4, DZ_POLICY_SWAP);
    dz_entity e = dz_create(world), more[2000];
    int32_t *kept = (int32_t *)dz_get_or_add(world, e, stable), value = 1;
    *kept = 42;
    CHECK_OK(dz_create_n(world, 2000, more));
    CHECK_OK(dz_add_n(world, more, 2000, stable));
    CHECK_OK(dz_remove_n(world, more + 100, 1900, stable));
    CHECK_OK(dz_set(world, more[500], stable, 4, &value));
    CHECK_OK(dz_destroy_n(world, more, 1000, NULL));
    CHECK_OK(dz_shrink(world));
    CHECK(kept == dz_get(world, e, stable) && *kept == 42);
    /* Of a swapping one as long as its own pool keeps its structure, whatever other pools do. */
    kept = (int32_t *)dz_get_or_add(world, e, swap);
    *kept = 43;
    CHECK_OK(dz_add_n(world, more + 1000, 1000, stable));
    CHECK_OK(dz_set(world, e, swap, 4, &value));
    CHECK(kept == dz_get(world, e, swap) && *kept == 1);
    CHECK_OK(dz_world_destroy(world));
}

/* What every way of looking finds for one entity: its own value, at one address. */
static void found_alike(dz_world world, const dz_accessor *accessor, dz_entity e, dz_id id, uint32_t want)
{
    const void *at = dz_get(world, e, id), *batch[1];
    uint32_t value;
    CHECK(at != NULL);
    CHECK(dz_get_mut(world, e, id) == at && dz_accessor_get(accessor, e) == at && dz_accessor_get_mut(accessor, e) == at);
    CHECK_OK(dz_get_n(world, &e, 1, id, batch));
    CHECK(batch[0] == at);
    memcpy(&value, at, sizeof value);
    CHECK_EQ(value, want);
}

/* Pools that grow large, where elements are found by other means than in small ones, and become small again: the first and
   the last, and those beside every page's ends. */
static void large_and_small(void)
{
    enum { MOST = 70000 };
    static const uint32_t counts[] = {1, 16, 64, 300, 5000, 32768, 32769, MOST, 33000, 20000, 1025, 200, 17, 2, 40000};
    static dz_entity e[MOST];
    static uint32_t value[MOST];
    uint32_t kind, step, i, n;
    for (kind = 0; kind < 6; kind++) {
        static const uint32_t sizes[] = {4, 12, 100};
        uint32_t size = sizes[kind / 2], words[25], stamp = 0;
        dz_world world = check_world();
        dz_id id = simple(world, "some", size, kind % 2 ? DZ_POLICY_STABLE : DZ_POLICY_SWAP);
        dz_accessor accessor;
        CHECK_OK(dz_accessor_init(world, id, &accessor));
        for (step = n = 0; step < sizeof counts / sizeof *counts; step++) {
            for (; n < counts[step]; n++) {
                e[n] = dz_create(world), value[n] = ++stamp;
                for (i = 0; i < size / 4; i++) words[i] = stamp;
                CHECK_OK(dz_set(world, e[n], id, size, words));
            }
            if (n > counts[step]) {
                CHECK_OK(dz_destroy_n(world, e + counts[step], n - counts[step], NULL));
                n = counts[step];
                if (kind % 2) CHECK_OK(dz_compact(world, id));
                CHECK_OK(dz_shrink(world));
            }
            if (step % 4 == 3) CHECK_OK(dz_optimize(world, 100000, NULL));
            for (i = 0; i < n; i += i < 70 || n - i < 70 ? 1 : i % 256 < 2 || i % 256 > 252 ? 1 : 17) {
                found_alike(world, &accessor, e[i], id, value[i]);
                if (i % 3) continue;
                uint32_t word;
                value[i] = ++stamp;
                for (word = 0; word < size / 4; word++) words[word] = stamp;
                CHECK_OK(dz_set(world, e[i], id, size, words));
                found_alike(world, &accessor, e[i], id, stamp);
            }
        }
        CHECK_OK(dz_world_destroy(world));
    }
}

/* Many components of several sizes and both policies in random order, against plain arrays: M44, M46-M53, M55, M57. */
static void model(void)
{
    enum { IDS = 6, N = 700 };
    static const uint32_t sizes[IDS] = {1, 4, 8, 12, 0, 100};
    static int32_t there[IDS][N]; /* -1, or the byte that the value is filled with */
    dz_world world = check_world();
    dz_id id[IDS];
    dz_entity e[N], old[N];
    char name[8], bytes[100];
    uint32_t i, j, k, step, count[IDS] = {0};
    for (i = 0; i < IDS; i++) {
        snprintf(name, sizeof name, "c%u", (unsigned)i);
        id[i] = simple(world, name, sizes[i], (int32_t)(i & 1));
        for (j = 0; j < N; j++) there[i][j] = -1;
    }
    CHECK_OK(dz_create_n(world, N, e));
    memcpy(old, e, sizeof e);
    for (step = 0; step < 30000; step++) {
        i = check_random(IDS), j = check_random(N);
        switch (check_random(8)) {
        case 0:
        case 1:
            CHECK_IS(dz_add(world, e[j], id[i]), there[i][j] < 0 ? DZ_OK : DZ_ALREADY_THERE);
            if (there[i][j] < 0) there[i][j] = 0, count[i]++;
            break;
        case 2:
        case 3:
        case 4:
            CHECK_IS(dz_remove(world, e[j], id[i]), there[i][j] < 0 ? DZ_NOT_THERE : DZ_OK);
            if (there[i][j] >= 0) count[i]--;
            there[i][j] = -1;
            break;
        case 5:
        case 6:
            if (sizes[i] == 0) break;
            k = check_random(100);
            memset(bytes, (int)k, sizeof bytes);
            CHECK_OK(dz_set(world, e[j], id[i], sizes[i], bytes));
            if (there[i][j] < 0) count[i]++;
            there[i][j] = (int32_t)k;
            break;
        default:
            if (check_random(4)) break;
            CHECK_OK(dz_destroy(world, e[j]));
            old[j] = e[j];
            e[j] = dz_create(world);
            for (k = 0; k < IDS; k++) {
                if (there[k][j] >= 0) count[k]--;
                there[k][j] = -1;
            }
        }
        i = check_random(IDS), j = check_random(N);
        CHECK_EQ(dz_has(world, e[j], id[i]), there[i][j] >= 0);
        if (old[j] != e[j]) CHECK(!dz_has(world, old[j], id[i])); /* never by an old handle */
        if (sizes[i] && there[i][j] >= 0) {
            memset(bytes, there[i][j], sizeof bytes);
            CHECK(memcmp(dz_get(world, e[j], id[i]), bytes, sizes[i]) == 0);
        }
        CHECK_EQ(dz_count(world, id[i]), count[i]);
        if (check_failures > 20) break;
    }
    for (i = 0; i < IDS; i++) {
        for (j = 0; j < N; j++) CHECK_EQ(dz_has(world, e[j], id[i]), there[i][j] >= 0);
    }
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(each_call);
    RUN(far_away);
    RUN(far_one_moves);
    RUN(tags);
    RUN(zeros);
    RUN(sizes);
    RUN(sizes_that_nothing_has);
    RUN(misuse);
    RUN(aliasing);
    RUN(addresses);
    RUN(large_and_small);
    RUN(model);
    return check_done();
}
