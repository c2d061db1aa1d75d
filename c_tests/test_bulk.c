/* The same for many entities in one call: all or none. */
#include "check.h"

enum { N = 200 };

static dz_id four(dz_world world, int32_t policy)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = "four";
    desc.element_size = 4;
    desc.element_alignment = 4;
    desc.policy = policy;
    return dz_component_register(world, &desc);
}

static void each_call(void)
{
    int32_t policy;
    for (policy = 0; policy < 2; policy++) {
        dz_world world = check_world();
        dz_id id = four(world, policy), tag = DZ_TAG(world, Tag);
        dz_entity e[N], twice[4];
        int32_t values[N], i;
        const void *read[N];
        void *write[N];
        uint8_t has[N];
        CHECK_OK(dz_create_n(world, N, e));
        for (i = 0; i < N; i++) values[i] = i * 3;
        CHECK_OK(dz_add_n(world, e, 10, id));
        QUIETLY(dz_add_n(world, e, 10, id), DZ_ALREADY_THERE); /* all of them */
        CHECK_OK(dz_set(world, e[3], id, 4, &values[3]));
        CHECK_OK(dz_add_n(world, e + 3, 10, id)); /* some of them: those stay as they are */
        CHECK_EQ(*(const int32_t *)dz_get(world, e[3], id), 9);
        CHECK_EQ(*(const int32_t *)dz_get(world, e[12], id), 0);
        CHECK_EQ(dz_count(world, id), 13);
        CHECK_OK(dz_set_n(world, e, N, id, 4, values));
        CHECK_EQ(dz_count(world, id), N);
        CHECK_OK(dz_get_n(world, e, N, id, read));
        for (i = 0; i < N; i++) CHECK(read[i] == dz_get(world, e[i], id) && *(const int32_t *)read[i] == i * 3);
        CHECK_OK(dz_remove_n(world, e + 50, 50, id));
        QUIETLY(dz_remove_n(world, e + 50, 50, id), DZ_NOT_THERE); /* none of them */
        CHECK_OK(dz_remove_n(world, e + 60, 50, id));              /* some of them */
        CHECK_EQ(dz_count(world, id), N - 60);
        CHECK_OK(dz_get_n(world, e, N, id, read));
        CHECK_OK(dz_get_mut_n(world, e, N, id, write));
        memset(has, 7, sizeof has);
        CHECK_OK(dz_has_n(world, e, N, id, has));
        for (i = 0; i < N; i++) {
            CHECK_EQ(has[i], i < 50 || i >= 110);
            CHECK_EQ(read[i] != NULL, has[i]);
            CHECK(read[i] == write[i]);
            if (read[i]) CHECK_EQ(*(const int32_t *)read[i], i * 3);
        }
        /* Reads take duplicates, in any order. */
        twice[0] = e[7], twice[1] = e[60], twice[2] = e[7], twice[3] = e[2];
        CHECK_OK(dz_get_n(world, twice, 4, id, read));
        CHECK(read[0] && read[0] == read[2] && !read[1] && read[3] == dz_get(world, e[2], id));
        CHECK_OK(dz_get_mut_n(world, twice, 4, id, write));
        CHECK(write[0] && write[0] == write[2] && !write[1]);
        CHECK_OK(dz_has_n(world, twice, 4, id, has));
        CHECK(has[0] == 1 && has[1] == 0 && has[2] == 1 && has[3] == 1);
        /* All pointers are good at once, though some were added on the way. */
        CHECK_OK(dz_get_or_add_n(world, e, N, id, write));
        for (i = 0; i < N; i++) {
            CHECK(write[i] == dz_get(world, e[i], id));
            if (write[i]) CHECK_EQ(*(int32_t *)write[i], i < 50 || i >= 110 ? i * 3 : 0);
        }
        /* Tags. */
        CHECK_OK(dz_add_n(world, e, N, tag));
        CHECK_OK(dz_has_n(world, e, N, tag, has));
        CHECK(has[0] == 1 && has[N - 1] == 1);
        REFUSED(world, dz_get_n(world, e, N, tag, read), DZ_ERR_TAG);
        REFUSED(world, dz_get_mut_n(world, e, N, tag, write), DZ_ERR_TAG);
        REFUSED(world, dz_get_or_add_n(world, e, N, tag, write), DZ_ERR_TAG);
        REFUSED(world, dz_set_n(world, e, N, tag, 0, values), DZ_ERR_TAG);
        CHECK_OK(dz_remove_n(world, e, N, tag));
        CHECK_EQ(dz_count(world, tag), 0);
        CHECK_OK(dz_world_destroy(world));
    }
}

/* One bad entry, at the front, in the middle or at the end, and nothing happens; the message names it. */
static void bad_entry(void)
{
    dz_world world = check_world();
    dz_id id = four(world, 0);
    dz_entity e[N], bad[7];
    static const dz_status why[7] = {DZ_ERR_NULL_ENTITY, DZ_ERR_DEAD, DZ_ERR_NEVER_CREATED, DZ_ERR_TOMBSTONE, DZ_ERR_ROLE,
                                     DZ_ERR_WRONG_WORLD, DZ_ERR_DUPLICATE};
    static const int at[3] = {0, N / 2, N - 1};
    int32_t values[N];
    const void *read[N];
    void *write[N];
    uint8_t has[N];
    int i, j, k;
    memset(values, 1, sizeof values);
    CHECK_OK(dz_create_n(world, N, e));
    CHECK_OK(dz_add_n(world, e, N / 4, id));
    bad[0] = DZ_NULL;
    bad[1] = dz_create(world);
    CHECK_OK(dz_destroy(world, bad[1]));
    bad[2] = check_handle(world, 7777, 1);
    bad[3] = check_handle(world, 300, check_tombstone());
    bad[4] = e[0] | UINT64_C(5) << 56;
    bad[5] = check_layout == DZ_LAYOUT_64 ? dz_entity_make(dz_world_number(world) ^ 1, 256, 1) : dz_entity_make(1, 256, 1);
    for (i = 0; i < 7; i++) {
        for (j = 0; j < 3; j++) {
            dz_entity good = e[at[j]];
            e[at[j]] = i < 6 ? bad[i] : e[N / 4]; /* the last: a duplicate */
            REFUSED(world, dz_add_n(world, e, N, id), why[i]);
            REFUSED(world, dz_set_n(world, e, N, id, 4, values), why[i]);
            REFUSED(world, dz_remove_n(world, e, N, id), why[i]);
            REFUSED(world, dz_get_or_add_n(world, e, N, id, write), why[i]);
            CHECK_IS(dz_add_n(world, e, N, id), why[i]);
            if (why[i] != DZ_ERR_ROLE) CHECK_SAYS(check_form(e[at[j]]));
            if (i < 6) {
                for (k = 0; k < N; k++) read[k] = write[k] = values, has[k] = 7;
                REFUSED(world, dz_get_n(world, e, N, id, read), why[i]);
                REFUSED(world, dz_get_mut_n(world, e, N, id, write), why[i]);
                REFUSED(world, dz_has_n(world, e, N, id, has), why[i]);
                for (k = 0; k < N; k++) CHECK(!read[k] && !write[k] && !has[k]); /* all NULL, all 0 */
            }
            e[at[j]] = good;
        }
    }
    e[5] = id;
    REFUSED(world, dz_add_n(world, e, N, id), DZ_ERR_IS_COMPONENT);
    REFUSED(world, dz_set_n(world, e, N, id, 4, values), DZ_ERR_IS_COMPONENT);
    CHECK_OK(dz_world_destroy(world));
}

/* While a bulk call looks for duplicates, no other handle of the same slot passes for the entity. */
static void same_slot(void)
{
    dz_world world = check_world();
    dz_id id = four(world, 0);
    dz_entity e = dz_create(world), pair[2];
    uint32_t index = dz_entity_index(e), last = check_tombstone(), i;
    const uint32_t generations[5] = {0, 2, 3, last - 1, last};
    for (i = 0; i < 10; i++) {
        dz_entity forged = check_handle(world, index, generations[i / 2]);
        pair[i % 2] = e, pair[1 - i % 2] = forged;
        REFUSED(world, dz_add_n(world, pair, 2, id), i / 2 == 4 ? DZ_ERR_TOMBSTONE : DZ_ERR_NEVER_CREATED);
        REFUSED(world, dz_destroy_n(world, pair, 2, NULL), i / 2 == 4 ? DZ_ERR_TOMBSTONE : DZ_ERR_NEVER_CREATED);
        CHECK_OK(dz_why(world, e));
        CHECK(dz_is_alive(world, e) && !dz_is_alive(world, forged));
    }
    CHECK_OK(dz_world_destroy(world));
}

static void arguments(void)
{
    dz_world world = check_world();
    dz_id id = four(world, 1), builtin = dz_component_id(world);
    dz_entity e[4];
    int32_t values[4] = {1, 2, 3, 4};
    const void *read[4];
    void *write[4];
    uint8_t has[4];
    CHECK_OK(dz_create_n(world, 4, e));
    QUIETLY(dz_add_n(world, e, 0, id), DZ_NOTHING_TO_DO);
    QUIETLY(dz_remove_n(world, e, 0, id), DZ_NOTHING_TO_DO);
    QUIETLY(dz_set_n(world, e, 0, id, 4, values), DZ_NOTHING_TO_DO);
    QUIETLY(dz_get_n(world, e, 0, id, read), DZ_NOTHING_TO_DO);
    QUIETLY(dz_get_mut_n(world, e, 0, id, write), DZ_NOTHING_TO_DO);
    QUIETLY(dz_has_n(world, e, 0, id, has), DZ_NOTHING_TO_DO);
    QUIETLY(dz_get_or_add_n(world, e, 0, id, write), DZ_NOTHING_TO_DO);
    REFUSED(world, dz_add_n(world, NULL, 4, id), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_remove_n(world, NULL, 4, id), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_set_n(world, NULL, 4, id, 4, values), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_set_n(world, e, 4, id, 4, NULL), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_get_n(world, NULL, 4, id, read), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_get_n(world, e, 4, id, NULL), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_get_mut_n(world, NULL, 4, id, write), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_get_mut_n(world, e, 4, id, NULL), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_has_n(world, NULL, 4, id, has), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_has_n(world, e, 4, id, NULL), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_get_or_add_n(world, NULL, 4, id, write), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_get_or_add_n(world, e, 4, id, NULL), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_set_n(world, e, 4, id, 8, values), DZ_ERR_SIZE);
    REFUSED(world, dz_add_n(world, e, 4, e[0]), DZ_ERR_NOT_COMPONENT);
    REFUSED(world, dz_remove_n(world, e, 4, e[0]), DZ_ERR_NOT_COMPONENT);
    REFUSED(world, dz_set_n(world, e, 4, e[0], 4, values), DZ_ERR_NOT_COMPONENT);
    REFUSED(world, dz_get_n(world, e, 4, e[0], read), DZ_ERR_NOT_COMPONENT);
    REFUSED(world, dz_has_n(world, e, 4, e[0], has), DZ_ERR_NOT_COMPONENT);
    REFUSED(world, dz_add_n(world, e, 4, builtin), DZ_ERR_BUILTIN);
    REFUSED(world, dz_get_mut_n(world, e, 4, builtin, write), DZ_ERR_BUILTIN);
    CHECK_OK(dz_world_destroy(world));
}

/* More entries than there can be entities, though the array is there: refused before anything is tried. */
static void too_many(void)
{
    uint32_t n = 1100000, i;
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_id id;
    dz_entity *e = (dz_entity *)calloc(n, sizeof *e);
    dz_status status;
    desc.max_entities = 1000;
    world = dz_world_create(&desc);
    id = four(world, 0);
    e[0] = dz_create(world);
    for (i = 1; i < n; i++) e[i] = e[0];
    status = dz_add_n(world, e, n, id);
    CHECK(status == DZ_ERR_COUNT || status == DZ_ERR_DUPLICATE);
    status = dz_destroy_n(world, e, n, NULL);
    CHECK(status == DZ_ERR_COUNT || status == DZ_ERR_DUPLICATE);
    status = dz_create_n(world, n, e);
    CHECK(status == DZ_ERR_COUNT || status == DZ_ERR_FULL);
    status = dz_create_at_n(world, e, n);
    CHECK(dz_failed(status));
    CHECK(dz_is_alive(world, e[0]) && !dz_has(world, e[0], id));
    free(e);
    CHECK_OK(dz_world_destroy(world));
}

/* Who is left of many, in both pools: each once, with its own values. */
static void check_left(dz_world world, const dz_id ids[2], const dz_entity *e, uint32_t many, const uint8_t *left)
{
    uint32_t i, k, n = 0, seen;
    dz_iter it;
    for (i = 0; i < many; i++) n += left[i];
    for (k = 0; k < 2; k++) {
        CHECK_EQ(dz_count(world, ids[k]), n);
        for (i = 0; i < many; i++) {
            const int32_t *value = dz_get(world, e[i], ids[k]);
            CHECK(left[i] ? value != NULL && *value == (int32_t)(i + k) : value == NULL);
        }
        seen = 0;
        for (CHECK_OK(dz_iterate_pool(world, ids[k], DZ_FORWARD, &it)); dz_next(&it);) {
            for (i = 0; i < it.count; i++) CHECK(dz_get(world, dz_iter_entity(&it, i), ids[k]) == (const int32_t *)it.data + i);
            seen += it.count;
        }
        CHECK_EQ(seen, n);
    }
}

/* Many in a random order, of large pools: a few, half of them and all are taken out of a pool, or destroyed. */
static void many_that_lie_apart(void)
{
    enum { MANY = 80000 };
    static dz_entity e[MANY], order[MANY];
    static uint32_t shuffled[MANY];
    static int32_t values[MANY + 1];
    static uint8_t left[MANY];
    uint32_t part, destroys, i, random = 1;
    for (i = 0; i < MANY; i++) shuffled[i] = i;
    for (i = MANY - 1; i > 0; i--) {
        uint32_t other = (random = random * 1664525u + 1013904223u) % (i + 1), kept = shuffled[i];
        shuffled[i] = shuffled[other], shuffled[other] = kept;
    }
    for (i = 0; i <= MANY; i++) values[i] = (int32_t)i;
    for (destroys = 0; destroys < 2; destroys++) {
        for (part = 0; part < 4; part++) {
            const uint32_t n = part == 0 ? 100 : part == 1 ? MANY / 10 : part == 2 ? MANY / 2 : MANY;
            dz_world world = check_world();
            dz_id ids[2];
            ids[0] = four(world, DZ_POLICY_SWAP), ids[1] = DZ_COMPONENT(world, int32_t);
            CHECK_OK(dz_create_n(world, MANY, e));
            CHECK_OK(dz_set_n(world, e, MANY, ids[0], 4, values));
            CHECK_OK(dz_set_n(world, e, MANY, ids[1], 4, values + 1));
            for (i = 0; i < MANY; i++) order[i] = e[shuffled[i]], left[shuffled[i]] = i >= n;
            if (destroys) {
                CHECK_OK(dz_destroy_n(world, order, n, NULL));
            } else {
                CHECK_OK(dz_remove_n(world, order, n, ids[0]));
                CHECK_OK(dz_remove_n(world, order, n, ids[1]));
            }
            check_left(world, ids, e, MANY, left);
            for (i = 0; i < MANY; i++) CHECK(dz_is_alive(world, e[i]) == (!destroys || left[i]));
            CHECK_OK(dz_world_destroy(world));
        }
    }
}

int main(void)
{
    RUN(each_call);
    RUN(bad_entry);
    RUN(same_slot);
    RUN(arguments);
    RUN(too_many);
    RUN(many_that_lie_apart);
    return check_done();
}
