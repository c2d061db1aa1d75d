/* Iterating one pool: every element once, whatever the loop does to the world. */
#include "check.h"

typedef struct { uint32_t number, spare; } Item;

enum { N = 2500 };

static dz_id items(dz_world world, int32_t policy)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = "Item";
    desc.element_size = sizeof(Item);
    desc.element_alignment = 4;
    desc.policy = policy;
    return dz_component_register(world, &desc);
}

static void fill(dz_world world, dz_id id, dz_entity *e, uint32_t n)
{
    uint32_t i;
    CHECK_OK(dz_create_n(world, n, e));
    for (i = 0; i < n; i++) {
        Item item = {0, 0};
        item.number = i;
        CHECK_OK(dz_set(world, e[i], id, sizeof item, &item));
    }
}

/* Spans are contiguous, hold the right entities, and make up the pool: forward in the order of adding, backward in
 * the opposite. With gaps too (M58). */
static void spans(void)
{
    int32_t policy, direction;
    static dz_entity e[N];
    uint32_t gaps;
    for (policy = 0; policy < 2; policy++) {
        for (gaps = 0; gaps < 2; gaps++) {
            dz_world world = check_world();
            dz_id id = items(world, policy);
            static dz_entity forward[N];
            uint32_t i, n, spans_seen, all = N;
            fill(world, id, e, N);
            for (i = 0; gaps && i < N; i += 5) CHECK_OK(dz_remove(world, e[i], id)), all--;
            for (direction = DZ_FORWARD; direction >= DZ_BACKWARD; direction--) {
                dz_iter it;
                n = spans_seen = 0;
                CHECK_OK(dz_iterate_pool(world, id, direction, &it));
                while (dz_next(&it)) {
                    spans_seen++;
                    CHECK(it.count > 0);
                    CHECK_EQ(it.entity_size, check_layout == DZ_LAYOUT_64 ? 8 : 4);
                    CHECK_EQ(it.stride, sizeof(Item));
                    CHECK_IS(it.status, DZ_OK);
                    for (i = 0; i < it.count; i++) {
                        const Item *item = (const Item *)it.data + i;
                        dz_entity at = dz_iter_entity(&it, i);
                        uint32_t place = direction == DZ_FORWARD ? n + i : 0;
                        CHECK(item == DZ_ITEM(it, Item, i));
                        CHECK(dz_get(world, at, id) == item);
                        CHECK_EQ(at, e[item->number]);
                        if (direction == DZ_FORWARD && CHECK(place < N)) forward[place] = at;
                        if (!policy && !gaps && direction == DZ_FORWARD) CHECK_EQ(at, e[place]);
                    }
                    n += it.count;
                    if (!CHECK(n <= all)) break;
                }
                CHECK_EQ(n, all);
                CHECK_IS(it.status, DZ_OK);
                CHECK(!dz_next(&it)); /* stays at the end */
                CHECK_EQ(it.count, 0);
                CHECK(gaps || spans_seen < 30); /* long spans */
                /* Element by element, in the iteration's direction. */
                n = 0;
                CHECK_OK(dz_iterate_pool(world, id, direction, &it));
                while (dz_next(&it)) {
                    DZ_EACH(it, j) {
                        if (n < all) CHECK_EQ(dz_iter_entity(&it, j), forward[direction == DZ_FORWARD ? n : all - 1 - n]);
                        n++;
                    }
                }
                CHECK_EQ(n, all);
            }
            CHECK_OK(dz_world_destroy(world));
        }
    }
}

static void edges(void)
{
    dz_world world = check_world();
    dz_id id = items(world, 0), tag = DZ_TAG(world, Tag);
    dz_entity e = dz_create(world);
    dz_iter it, copy;
    uint32_t n = 0;
    CHECK_OK(dz_iterate_pool(world, id, DZ_BACKWARD, &it)); /* nothing there */
    CHECK(!dz_next(&it));
    CHECK_IS(it.status, DZ_OK);
    CHECK_OK(dz_add(world, e, tag));
    CHECK_OK(dz_iterate_pool(world, tag, DZ_FORWARD, &it)); /* a tag has no data */
    CHECK(dz_next(&it));
    CHECK(it.data == NULL && it.count == 1 && dz_iter_entity(&it, 0) == e);
    CHECK(!dz_next(&it));
    CHECK_OK(dz_iterate_pool(world, dz_component_id(world), DZ_FORWARD, &it)); /* the components */
    while (dz_next(&it)) n += it.count;
    CHECK_EQ(n, 3);
    memset(&it, 0, sizeof it);
    REFUSED(world, dz_iterate_pool(world, e, DZ_BACKWARD, &it), DZ_ERR_NOT_COMPONENT);
    CHECK_IS(it.status, DZ_ERR_NOT_COMPONENT);
    CHECK(!dz_next(&it));
    REFUSED(world, dz_iterate_pool(world, id, 2, &it), DZ_ERR_ENUM);
    CHECK_IS(it.status, DZ_ERR_ENUM);
    REFUSED(world, dz_iterate_pool(world, id, -1, &it), DZ_ERR_ENUM);
    CHECK(!dz_next(&it));
    REFUSED(world, dz_iterate_pool(world, id, 0, NULL), DZ_ERR_NULL_POINTER);
    REFUSED_0(world, dz_next(NULL), DZ_ERR_NULL_POINTER);
    memset(&it, 0, sizeof it); /* never started */
    REFUSED_0(world, dz_next(&it), DZ_ERR_ITER);
    CHECK_IS(it.status, DZ_ERR_ITER); /* a loop that asks afterwards doesn't take it for one that saw all */
    CHECK_EQ(dz_each_slow(&it), UINT32_MAX);
    CHECK_EQ(dz_each_slow(NULL), UINT32_MAX);
    CHECK_EQ(dz_each(&it), UINT32_MAX);
    CHECK_OK(dz_iterate_pool(world, tag, DZ_FORWARD, &it)); /* copies go on by themselves; leaving early needs no call */
    copy = it;
    CHECK(dz_next(&copy) && !dz_next(&copy));
    CHECK(dz_next(&it));
    CHECK_OK(dz_world_destroy(world));
}

static void nested(void)
{
    dz_world world = check_world();
    dz_id id = items(world, 0);
    dz_entity e[20];
    dz_iter outer, inner;
    uint32_t pairs = 0;
    fill(world, id, e, 20);
    CHECK_OK(dz_iterate_pool(world, id, DZ_BACKWARD, &outer));
    while (dz_next(&outer)) {
        DZ_EACH(outer, i) {
            CHECK_OK(dz_iterate_pool(world, id, DZ_FORWARD, &inner));
            while (dz_next(&inner)) {
                DZ_EACH(inner, j) pairs += dz_iter_entity(&outer, i) != dz_iter_entity(&inner, j);
            }
        }
    }
    CHECK_EQ(pairs, 20 * 19);
    CHECK_OK(dz_world_destroy(world));
}

enum change { REMOVE_CURRENT, DESTROY_CURRENT, ADD_OTHER_POOL, REMOVE_OTHERS, DESTROY_OTHERS, ADD_NEW, RE_ADD, ANYTHING, CHANGES };

/* Each change, in each direction and policy: nothing is seen twice or stale. Backward, each entity that had the
 * component at the start and still has it when its turn comes is seen exactly once, and nothing that was added since. */
static void changes(void)
{
    static dz_entity e[N], extra[2 * N];
    static uint8_t had[N], seen[N], lost[N];
    int32_t policy, direction, change;
    for (policy = 0; policy < 2; policy++) {
        for (direction = 0; direction < 2; direction++) {
            for (change = 0; change < CHANGES; change++) {
                dz_world world = check_world();
                dz_id id = items(world, policy), other = DZ_TAG(world, Other);
                dz_iter it;
                uint32_t i, at, n = 600, extras = 0, visits = 0;
                bool exact = direction == DZ_BACKWARD || change <= ADD_OTHER_POOL;
                fill(world, id, e, n);
                for (i = 0; i < n; i += 9) CHECK_OK(dz_remove(world, e[i], id)); /* some gaps or disorder to begin with */
                for (i = 0; i < n; i++) had[i] = dz_has(world, e[i], id), seen[i] = lost[i] = 0;
                CHECK_OK(dz_iterate_pool(world, id, direction, &it));
                while (dz_next(&it)) {
                    DZ_EACH(it, j) {
                        dz_entity now = dz_iter_entity(&it, j);
                        const Item *item = (const Item *)dz_get(world, now, id);
                        int32_t what = change == ANYTHING ? (int32_t)check_random(ANYTHING) : change;
                        if (!CHECK(item != NULL) || !CHECK(item == DZ_ITEM(it, Item, j))) break; /* never stale */
                        visits++;
                        if (item->number == UINT32_MAX) { /* added since the start */
                            CHECK(direction == DZ_FORWARD);
                        } else {
                            CHECK(now == e[item->number] && had[item->number]);
                            CHECK(!seen[item->number]); /* never twice */
                            if (exact) CHECK(!lost[item->number]);
                            seen[item->number] = 1;
                        }
                        at = check_random(n);
                        switch (what) {
                        case REMOVE_CURRENT: CHECK_OK(dz_remove(world, now, id)); break;
                        case DESTROY_CURRENT: CHECK_OK(dz_destroy(world, now)); break;
                        case ADD_OTHER_POOL: CHECK_OK(dz_add(world, dz_create(world), other)); break;
                        case REMOVE_OTHERS:
                            if (!dz_is_alive(world, e[at])) break;
                            if (dz_remove(world, e[at], id) == DZ_OK) lost[at] = 1;
                            break;
                        case DESTROY_OTHERS:
                            if (dz_destroy(world, e[at]) == DZ_OK) lost[at] = 1;
                            break;
                        case ADD_NEW:
                            if (extras < n) {
                                Item added = {UINT32_MAX, 0};
                                extra[extras] = dz_create(world);
                                CHECK_OK(dz_set(world, extra[extras++], id, sizeof added, &added));
                            }
                            break;
                        default: /* off and on again */
                            if (dz_is_alive(world, e[at]) && dz_has(world, e[at], id) && !seen[at]) {
                                Item again = {0, 0};
                                again.number = UINT32_MAX;
                                CHECK_OK(dz_remove(world, e[at], id));
                                lost[at] = 1;
                                CHECK_OK(dz_set(world, e[at], id, sizeof again, &again));
                            }
                        }
                        if (!CHECK(visits <= 3 * n)) break; /* it ends */
                    }
                    if (visits > 3 * n || check_failures > 40) break;
                }
                CHECK(it.status == DZ_OK || (direction == DZ_FORWARD && it.status == DZ_ERR_CHANGED));
                for (i = 0; exact && i < n; i++) {
                    if (had[i] && !lost[i]) CHECK(seen[i]);
                }
                CHECK_OK(dz_world_destroy(world));
            }
        }
    }
}

/* What ends an iteration: its world, its component, and what moves everything. It never touches what is gone. */
static void endings(void)
{
    int what, policy;
    for (policy = 0; policy < 2; policy++) {
        for (what = 0; what < 6; what++) {
            dz_world world = check_world();
            static dz_entity e[N];
            dz_id id = items(world, policy);
            dz_iter it;
            uint32_t n = 0;
            bool gone = false;
            fill(world, id, e, N);
            CHECK_OK(dz_remove(world, e[5], id));
            CHECK_OK(dz_iterate_pool(world, id, DZ_BACKWARD, &it));
            CHECK(dz_next(&it));
            switch (what) {
            case 0: CHECK_OK(dz_world_destroy(world)); gone = true; break;
            case 1: CHECK_OK(dz_component_unregister(world, id)); break;
            case 2: CHECK_OK(dz_clear_pool(world, id)); break;
            case 3: CHECK_OK(dz_world_clear(world)); break;
            case 4: CHECK_OK(dz_shrink(world)); break;
            default:
                if (policy) CHECK_OK(dz_compact(world, id));
            }
            while (dz_each(&it) != UINT32_MAX) n++;
            while (dz_next(&it)) {
                while (dz_each(&it) != UINT32_MAX) n++;
            }
            CHECK(!dz_next(&it));
            if (what == 0) CHECK_IS(it.status, DZ_ERR_WORLD_DEAD);
            if (what == 1) CHECK(dz_failed(it.status));
            if (what <= 3) CHECK_EQ(n, 0);
            if (what == 4) CHECK(dz_failed(it.status)); /* ends the iterations that are under way */
            if (what == 5 && !policy) CHECK_EQ(n, N - 1);
            if (!gone) CHECK_OK(dz_world_destroy(world));
        }
    }
}

/* A pass of the body that lets more elements move than are remembered, and then takes the component off everybody, adds nobody:
 * nobody is left to be seen, and that is no error. */
static void moved_and_cleared(void)
{
    dz_world world = check_world();
    static dz_entity e[N];
    dz_id id = items(world, 0);
    dz_iter it;
    uint32_t i, n = 0;
    fill(world, id, e, 300);
    CHECK_OK(dz_iterate_pool(world, id, DZ_BACKWARD, &it));
    while (dz_next(&it)) {
        DZ_EACH(it, k) {
            n++;
            for (i = 0; i < 30; i++) CHECK_OK(dz_remove(world, e[i], id));
            CHECK_OK(dz_clear_pool(world, id));
        }
    }
    CHECK_EQ(n, 1);
    CHECK_IS(it.status, DZ_OK);
    CHECK_OK(dz_world_destroy(world));
}

/* One pass of the body lets dz_compact move many who were not seen, and adds others where they were: nobody is missed without an
 * error, however many there had been before. */
static void compacted_and_added(void)
{
    dz_world world = check_world();
    static dz_entity e[N];
    static uint32_t seen[N];
    dz_id id = items(world, DZ_POLICY_STABLE);
    dz_iter it;
    uint32_t i, n = 0, missed = 0;
    fill(world, id, e, 300);
    CHECK_OK(dz_create_n(world, 24, e + 300));
    for (i = 0; i < 80; i++) CHECK_OK(dz_remove(world, e[i], id));
    memset(seen, 0, sizeof seen);
    CHECK_OK(dz_iterate_pool(world, id, DZ_BACKWARD, &it));
    while (dz_next(&it)) {
        DZ_EACH(it, k) {
            uint32_t number = DZ_ITEM(it, Item, k)->number;
            CHECK(number < 300 && ++seen[number] == 1 && dz_iter_entity(&it, k) == e[number]);
            if (++n != 30) continue;
            CHECK_OK(dz_compact(world, id));
            for (i = 300; i < 324; i++) CHECK_OK(dz_add(world, e[i], id));
        }
    }
    for (i = 80; i < 300; i++) missed += seen[i] == 0;
    CHECK(it.status == DZ_ERR_CHANGED || missed == 0);
    CHECK_OK(dz_world_destroy(world));
}

/* A pool of the same number in another life of the world is not the pool that was iterated. */
static void reused(void)
{
    dz_world world = check_world();
    dz_id id = items(world, 0);
    dz_entity e[10];
    dz_iter it;
    fill(world, id, e, 10);
    CHECK_OK(dz_iterate_pool(world, id, DZ_BACKWARD, &it));
    CHECK_OK(dz_component_unregister(world, id));
    id = items(world, 0);
    CHECK_OK(dz_add(world, e[0], id));
    CHECK(!dz_next(&it));
    CHECK(dz_failed(it.status));
    CHECK_OK(dz_world_destroy(world));
}

/* Goes to the next element, as DZ_EACH does; returns its entity's number, or UINT32_MAX at the end. */
static uint32_t step(dz_iter *it, bool *inside, const dz_entity *e, uint32_t n)
{
    for (;;) {
        uint32_t i, k;
        if (!*inside && !dz_next(it)) return UINT32_MAX;
        *inside = true;
        i = dz_each(it);
        if (i == UINT32_MAX) {
            *inside = false;
            continue;
        }
        for (k = 0; k < n; k++) {
            if (e[k] == dz_iter_entity(it, i)) return k;
        }
    }
}

/* A copy goes on by itself: whatever is removed between steps, neither it nor the original sees anybody twice. */
static void copies(void)
{
    uint32_t seed, dice, missed = 0;
    for (seed = 0; seed < 3000; seed++) {
        enum { MEMBERS = 10 };
        dz_world world = check_world();
        dz_id id = items(world, seed % 2 ? DZ_POLICY_STABLE : DZ_POLICY_SWAP);
        dz_entity e[MEMBERS];
        dz_iter it[2];
        bool inside[2] = {false, false};
        uint32_t seen[2][MEMBERS], gone[MEMBERS], at, which, left = 0, i, ends = 1;
        memset(seen, 0, sizeof seen), memset(gone, 0, sizeof gone);
        dice = seed * 2654435761u + 1;
        fill(world, id, e, MEMBERS);
        CHECK_OK(dz_iterate_pool(world, id, DZ_BACKWARD, &it[0]));
        while (left < ends + 1) {
            dice = dice * 1664525u + 1013904223u;
            which = dice >> 16 & 1;
            if (which && ends == 1) { /* here the copy begins */
                it[1] = it[0], inside[1] = inside[0], ends = 2;
                memcpy(seen[1], seen[0], sizeof seen[0]);
            }
            if ((dice >> 17 & 7) == 0) {
                i = (dice >> 20) % MEMBERS;
                if (!gone[i]) gone[i] = !dz_failed(dz_remove(world, e[i], id));
                continue;
            }
            if ((at = step(&it[which], &inside[which], e, MEMBERS)) == UINT32_MAX) {
                missed += it[which].status == DZ_ERR_CHANGED;
                left++;
                continue;
            }
            CHECK(!gone[at] && ++seen[which][at] == 1);
        }
        CHECK_OK(dz_world_destroy(world));
    }
    if (!CHECK(missed < 1500)) fprintf(stderr, "    %u\n", (unsigned)missed);
}

static int32_t refuse(void *elements, uint32_t count, void *user)
{
    (void)elements, (void)count, (void)user;
    return 1;
}

/* A call that is refused in the body of a backward iteration, before and after more moves than are kept, ends it no more than
 * none does, and nobody is missed; nor does a kept query look again for what was wrong from the start. */
static void refused(void)
{
    enum { MEMBERS = 100, GO = 20 };
    typedef struct { uint64_t v; } Wide;
    int what;
    for (what = 0; what < 5; what++) {
        dz_world world = check_world();
        dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
        dz_query_desc kept = DZ_QUERY_DESC_INIT;
        dz_query_details details;
        dz_query query;
        dz_id first = DZ_COMPONENT(world, Wide), second;
        dz_entity e[MEMBERS], out = DZ_NULL, none;
        dz_column columns[2];
        dz_iter it;
        uint64_t value = 7;
        uint32_t seen = 0, k;
        desc.name = "Second", desc.element_size = 8, desc.element_alignment = 8;
        second = dz_component_register(world, &desc);
        CHECK_OK(dz_create_n(world, MEMBERS, e));
        for (k = 0; k < MEMBERS; k++) CHECK_OK(dz_set(world, e[k], first, 8, &value)), CHECK_OK(dz_set(world, e[k], second, 8, &value));
        none = dz_create(world);
        memset(columns, 0, sizeof columns);
        columns[0].id = first, columns[0].values = &value, columns[0].element_size = 8;
        columns[1] = columns[0], columns[1].id = what == 3 ? first : second;
        columns[1].element_size = what == 2 ? 4 : 8, columns[1].reserved = what == 4;
        kept.text = "Wide, Second", kept.kept = 1;
        query = dz_query_create(world, &kept);
        CHECK_OK(dz_query_refresh(world, query));
        if (what == 1) { /* the elements that are there stay as they are */
            desc.hooks.construct = refuse;
            CHECK_EQ(dz_component_register(world, &desc), second);
        }
        if (what > 1) {
            CHECK(dz_failed(dz_create_with(world, 1, columns, 2, &out)) && out == DZ_NULL);
            CHECK_OK(dz_query_info(world, query, &details));
            CHECK_EQ(details.fresh, 1);
        }
        for (dz_iterate_pool(world, what == 1 ? second : first, DZ_BACKWARD, &it); dz_next(&it);) {
            DZ_EACH(it, i) {
                if (seen++ > 0) continue;
                for (k = 0; k < GO; k++) {
                    CHECK_OK(dz_remove(world, e[k], what == 1 ? second : first));
                    if (k > 1 && k < GO - 1) continue; /* first, so that more moves follow than are kept, and last */
                    if (what == 1) CHECK_IS(dz_add(world, none, second), DZ_ERR_HOOK_FAILED);
                    if (what == 2) CHECK_IS(dz_create_with(world, 1, columns, 2, &out), DZ_ERR_SIZE);
                    if (what == 3) CHECK_IS(dz_create_with(world, 1, columns, 2, &out), DZ_ERR_DUPLICATE);
                    if (what == 4) CHECK_IS(dz_create_with(world, 1, columns, 2, &out), DZ_ERR_RANGE);
                }
            }
        }
        CHECK_IS((dz_status)it.status, DZ_OK);
        CHECK_EQ(seen, MEMBERS - GO);
        CHECK(check_alive(world) > MEMBERS && !dz_has(world, none, second));
        CHECK_OK(dz_create_with(world, 1, columns, 1, &out));
        CHECK(dz_has(world, out, first) && dz_count(world, first) == (uint32_t)(what == 1 ? MEMBERS : MEMBERS - GO) + 1);
        CHECK_OK(dz_world_destroy(world));
    }
}

int main(void)
{
    RUN(spans);
    RUN(edges);
    RUN(nested);
    RUN(changes);
    RUN(endings);
    RUN(moved_and_cleared);
    RUN(compacted_and_added);
    RUN(copies);
    RUN(refused);
    RUN(reused);
    return check_done();
}
