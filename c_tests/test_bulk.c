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

static uint32_t ended, told;

static void count_end(void *values, uint32_t count, void *user)
{
    (void)values, (void)user;
    ended += count;
}

static void count_event(const dz_event *event, void *user)
{
    (void)event, (void)user;
    told++;
}

/* The entities of a batch, as the world has them, are destroyed, or lose a component, by one call: few and many, of a pool
 * in either direction and policy, with hooks and listeners, of a group that owns the pool, of a query, and of one whose
 * entities no pool has, beside components outside of the reserved range too. */
static void the_worlds_own_arrays(void)
{
    enum { MOST = 700 };
    static const uint32_t counts[] = {1, 5, 16, 40, MOST};
    static dz_entity e[MOST], after[MOST];
    uint32_t shape;
    for (shape = 0; shape < 5 * 2 * 2 * 2 * 7 * 3; shape++) {
        const uint32_t n = counts[shape % 5], destroys = shape / 5 % 2, hooked = shape / 10 % 2, listens = shape / 20 % 2,
                       how = shape / 40 % 7, tied = shape / 280;
        dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
        dz_world world = check_world();
        dz_id id, other = DZ_COMPONENT(world, int64_t), both[2];
        dz_query query = {0};
        dz_iter it;
        uint32_t i, seen = 0;
        dz_entity hub = dz_create(world), likes = dz_create(world);
        desc.name = "four", desc.element_size = 4, desc.element_alignment = 4;
        desc.policy = how == 2 ? DZ_POLICY_STABLE : DZ_POLICY_SWAP;
        if (hooked) desc.hooks.destruct = count_end;
        id = dz_component_register(world, &desc);
        ended = told = 0;
        for (i = 0; how == 6 && i < 300; i++) {
            char name[16];
            snprintf(name, sizeof name, "C%u", i);
            CHECK(dz_component_simple(world, name, 0, 1) != DZ_NULL);
        }
        if (listens) CHECK(dz_listen(world, DZ_ON_REMOVE, id, count_event, NULL).bits != 0);
        if (listens) CHECK(dz_listen(world, DZ_ON_DESTROY, DZ_NULL, count_event, NULL).bits != 0);
        CHECK_OK(dz_create_n(world, n, e));
        CHECK_OK(dz_add_n(world, e, n, id));
        for (i = 0; i < n; i++)
            if (i % 3 || how == 4) CHECK_OK(dz_add(world, e[i], other));
        /* Who takes part in pairs ends apart from the others. */
        for (i = 1; tied == 1 && i < n; i += 4) CHECK_OK(dz_add_pair(world, e[i], likes, hub));
        for (i = 1; tied == 2 && i < n; i += 5) CHECK_OK(dz_set_parent(world, e[i], hub));
        if (how == 3) {
            dz_group_desc group = DZ_GROUP_DESC_INIT;
            both[0] = id, both[1] = other, group.owned = both, group.owned_count = 2;
            CHECK(dz_group_create(world, &group).bits != 0);
        }
        if (how >= 4) {
            query = dz_query_parse(world, how == 4 ? "four, int64_t" : "four || int64_t");
            CHECK_OK(dz_iterate_runs(world, query, &it));
        } else {
            CHECK_OK(dz_iterate_pool(world, id, how % 2 ? DZ_FORWARD : DZ_BACKWARD, &it));
        }
        while (dz_next(&it)) {
            const dz_entity *of = (const dz_entity *)it.entities;
            const dz_entity first = dz_iter_entity(&it, 0);
            const uint32_t count = it.count, left = dz_count(world, id);
            if (it.entity_size == 4) { /* there the world's array has no handles that a call takes */
                for (i = 0; i < count; i++) after[i] = dz_iter_entity(&it, i);
                of = after;
            }
            seen += count;
            if (destroys) CHECK_OK(dz_destroy_n(world, of, count, NULL));
            else CHECK_OK(dz_remove_n(world, of, count, id));
            CHECK_EQ(dz_count(world, id), left - count);
            CHECK(dz_is_alive(world, first) == !destroys && !dz_has(world, first, id));
        }
        /* A span forward begins anew where others came to stand. */
        CHECK(it.status == DZ_OK && seen == n && dz_count(world, id) == 0);
        CHECK_EQ(ended, hooked ? n : 0);
        CHECK_EQ(told, listens ? (destroys ? 2 * n : n) : 0);
        for (i = 0; i < n; i++) CHECK(dz_is_alive(world, e[i]) == !destroys);
        CHECK_OK(dz_create_n(world, n, after));
        for (i = 0; i < n; i++) CHECK(dz_is_alive(world, after[i]) && dz_count(world, id) == 0 && !dz_has(world, after[i], other));
        CHECK_OK(dz_world_destroy(world));
    }
}

/* The same of random parts of such arrays beside random groups: who loses a component that one excludes joins it, and moves
 * in the array that is read. */
static void the_worlds_own_arrays_beside_groups(void)
{
    uint32_t run;
    for (run = 0; run < 4000; run++) {
        static const char *const names[] = {"A", "B", "C", "D"}, *const queries[] = {"A, ?C", "A || C", "A, B", "B, !D"};
        dz_world world = check_world();
        dz_entity e[16], copy[16];
        dz_id ids[4], gone;
        bool had[16], named[16];
        dz_iter it;
        uint32_t i, k, n = 2 + check_random(14), count, from;
        for (i = 0; i < 4; i++) {
            dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
            desc.name = names[i], desc.element_size = check_random(3) ? 8 : 0, desc.element_alignment = desc.element_size ? 8 : 1;
            ids[i] = dz_component_register(world, &desc);
        }
        for (i = check_random(4); i > 0; i--) {
            dz_id owned[4], included[4], excluded[4];
            dz_group_desc desc = DZ_GROUP_DESC_INIT;
            for (k = 0; k < 4; k++) {
                switch (check_random(4)) {
                case 0: owned[desc.owned_count++] = ids[k]; break;
                case 1: included[desc.included_count++] = ids[k]; break;
                case 2: excluded[desc.excluded_count++] = ids[k]; break;
                default: break;
                }
            }
            desc.owned = owned, desc.included = included, desc.excluded = excluded;
            (void)dz_group_create(world, &desc); /* one that doesn't fit is refused */
        }
        for (i = 0; i < n; i++) {
            e[i] = dz_create(world);
            for (k = 0; k < 4; k++)
                if (check_random(3)) CHECK_OK(dz_add(world, e[i], ids[k]));
            if (check_random(8) == 0) CHECK_OK(dz_set_enabled(world, e[i], false));
            if (i > 0 && check_random(6) == 0) CHECK_OK(dz_set_parent(world, e[i], e[check_random(i)]));
        }
        gone = ids[check_random(4)];
        if (check_random(2)) CHECK(dz_listen(world, DZ_ON_REMOVE, gone, count_event, NULL).bits != 0);
        if (check_random(2)) CHECK_OK(dz_iterate_pool(world, ids[check_random(4)], check_random(2) ? DZ_FORWARD : DZ_BACKWARD, &it));
        else CHECK_OK(dz_iterate_runs(world, dz_query_parse(world, queries[check_random(4)]), &it));
        for (i = check_random(2); dz_next(&it) && i > 0; i--) continue;
        if (it.count == 0) {
            CHECK_OK(dz_world_destroy(world));
            continue;
        }
        count = check_random(2) ? it.count : 1 + check_random(it.count), from = check_random(it.count - count + 1);
        for (i = 0; i < count; i++) copy[i] = dz_iter_entity(&it, from + i);
        for (i = 0; i < n; i++) {
            had[i] = dz_has(world, e[i], gone), named[i] = false;
            for (k = 0; k < count; k++) named[i] = named[i] || copy[k] == e[i];
        }
        if (check_random(3) == 0) {
            CHECK_OK(dz_destroy_n(world, it.entity_size == 8 ? (const dz_entity *)it.entities + from : copy, count, NULL));
            for (i = 0; i < n; i++) CHECK(!(named[i] && dz_is_alive(world, e[i]))); /* children go along */
        } else {
            CHECK(dz_remove_n(world, it.entity_size == 8 ? (const dz_entity *)it.entities + from : copy, count, gone) >= DZ_OK);
            for (i = 0; i < n; i++) CHECK_EQ(dz_has(world, e[i], gone), had[i] && !named[i]);
        }
        CHECK_OK(dz_world_destroy(world));
    }
}

/* A program's list of those who live, which its listener or hook keeps tidy. */
static struct {
    dz_entity all[700];
    uint32_t count;
    int whole; /* whether it is filled with one handle, and not only the place of who goes with the last */
} list;

static void tidy(uint32_t at)
{
    uint32_t i;
    if (list.whole) for (i = 0; i < list.count; i++) list.all[i] = list.all[list.count - 1];
    else if (list.count > 0) list.all[at % list.count] = list.all[list.count - 1], list.count--;
}

static void tidy_event(const dz_event *event, void *user)
{
    uint32_t i;
    (void)user;
    for (i = 0; i + 1 < list.count && list.all[i] != event->entity;) i++;
    tidy(i);
}

static void tidy_hook(void *values, uint32_t count, void *user)
{
    (void)user;
    tidy((uint32_t)*(int32_t *)values * count);
}

/* Arrays that change during the call, which they may not: the wrong ones may go, but nobody twice, and the world stays
 * sound: who goes is out of all pools, and no handle is given out twice. */
static void arrays_that_change(void)
{
    static const uint32_t counts[] = {2, 9, 64, 700};
    static dz_entity e[700], after[1400];
    uint32_t shape;
    for (shape = 0; shape < 4 * 2 * 2 * 2 * 2; shape++) {
        const uint32_t n = counts[shape % 4], destroys = shape / 4 % 2, by_hook = shape / 8 % 2, grouped = shape / 16 % 2;
        dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
        dz_world world = check_world();
        dz_id id, other = DZ_COMPONENT(world, int64_t), both[2];
        uint32_t i, k, alive = 0, have = 0, others = 0;
        desc.name = "four", desc.element_size = 4, desc.element_alignment = 4;
        if (by_hook) desc.hooks.destruct = tidy_hook;
        id = dz_component_register(world, &desc);
        if (!by_hook) CHECK(dz_listen(world, destroys ? DZ_ON_DESTROY : DZ_ON_REMOVE, destroys ? DZ_NULL : id, tidy_event, NULL).bits != 0);
        CHECK_OK(dz_create_n(world, n, e));
        for (i = 0; i < n; i++) CHECK_OK(dz_set(world, e[i], id, 4, &(int32_t){(int32_t)i}));
        CHECK_OK(dz_add_n(world, e, n / 2 + 1, other));
        both[0] = id, both[1] = other;
        if (grouped) {
            dz_group_desc group = DZ_GROUP_DESC_INIT;
            group.owned = both, group.owned_count = 2;
            CHECK(dz_group_create(world, &group).bits != 0);
        }
        memcpy(list.all, e, n * sizeof *e);
        list.count = n, list.whole = shape / 32 % 2;
        CHECK(!dz_failed(destroys ? dz_destroy_n(world, list.all, n, NULL) : dz_remove_n(world, list.all, n, id)));
        for (i = 0; i < n; i++) {
            alive += dz_is_alive(world, e[i]), have += dz_has(world, e[i], id), others += dz_has(world, e[i], other);
            CHECK(destroys || dz_is_alive(world, e[i]));
        }
        CHECK(alive < n || !destroys);
        CHECK_EQ(dz_count(world, id), have);
        CHECK_EQ(dz_count(world, other), others);
        /* All that there are now are different, and who is new has nothing. */
        CHECK_OK(dz_create_n(world, n, after));
        for (i = 0; i < n; i++) CHECK(!dz_has(world, after[i], id) && !dz_has(world, after[i], other));
        for (i = 0, k = n; i < n; i++) if (dz_is_alive(world, e[i])) after[k++] = e[i];
        list.count = 0, list.whole = 0;
        CHECK_OK(dz_destroy_n(world, after, k, NULL)); /* a duplicate would be an error */
        CHECK(dz_count(world, id) == 0 && dz_count(world, other) == 0);
        CHECK_OK(dz_world_destroy(world));
    }
}

static dz_entity newcomer;

static void bring_hook(void *values, uint32_t count, void *user)
{
    uint32_t i;
    (void)values, (void)count, (void)user;
    for (i = 0; i < list.count; i++) list.all[i] = newcomer;
}

static void bring_event(const dz_event *event, void *user)
{
    (void)event;
    bring_hook(NULL, 1, user);
}

/* Who comes into the array during the call, and takes part in pairs and the hierarchy, stays: nobody made sure of them. */
static void who_comes_into_the_array(void)
{
    static dz_entity e[100];
    uint32_t way;
    for (way = 0; way < 4; way++) {
        const uint32_t n = way % 2 ? 100 : 3, by_hook = way / 2;
        dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
        dz_world world = check_world();
        dz_entity likes = dz_create(world), bob, child;
        uint32_t i;
        dz_id id;
        desc.name = "four", desc.element_size = 4, desc.element_alignment = 4;
        if (by_hook) desc.hooks.destruct = bring_hook;
        id = dz_component_register(world, &desc);
        if (!by_hook) CHECK(dz_listen(world, DZ_ON_DESTROY, DZ_NULL, bring_event, NULL).bits != 0);
        bob = dz_create(world), newcomer = dz_create(world), child = dz_create(world);
        CHECK_OK(dz_add_pair(world, bob, likes, newcomer));
        CHECK_OK(dz_set_parent(world, child, newcomer));
        CHECK_OK(dz_create_n(world, n, e));
        for (i = 0; i < n; i++) CHECK_OK(dz_add(world, e[i], id));
        memcpy(list.all, e, n * sizeof *e);
        list.count = n;
        CHECK_OK(dz_destroy_n(world, list.all, n, NULL));
        list.count = 0;
        CHECK(dz_is_alive(world, newcomer) && dz_has_pair(world, bob, likes, newcomer));
        CHECK_EQ(dz_parent(world, child), newcomer);
        CHECK_OK(dz_destroy(world, newcomer));
        CHECK(!dz_is_alive(world, child) && dz_pair_targets(world, bob, likes, NULL, 0, &i) == DZ_OK && i == 0);
        CHECK_OK(dz_world_destroy(world));
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
    RUN(the_worlds_own_arrays);
    RUN(the_worlds_own_arrays_beside_groups);
    RUN(arrays_that_change);
    RUN(who_comes_into_the_array);
    return check_done();
}
