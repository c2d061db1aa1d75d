/* Sorting: pools and groups, once and kept, by a comparison and by another pool's order. */
#include "check.h"

typedef struct { uint32_t key, number; } Item;
typedef struct { uint32_t number; } Other;

enum { N = 2000 };

static dz_world world;
static dz_id item, other;
static dz_entity e[N];
static uint32_t compared;

static int32_t by_key(const void *a, const void *b, dz_entity entity_a, dz_entity entity_b, void *user)
{
    const Item *left = (const Item *)a, *right = (const Item *)b;
    (void)entity_a, (void)entity_b;
    CHECK(user == &compared);
    compared++;
    return (left->key > right->key) - (left->key < right->key);
}

static int32_t by_entity_down(const void *a, const void *b, dz_entity entity_a, dz_entity entity_b, void *user)
{
    (void)a, (void)b, (void)user;
    return (entity_b > entity_a) - (entity_b < entity_a);
}

static int32_t contradicts(const void *a, const void *b, dz_entity entity_a, dz_entity entity_b, void *user)
{
    static uint32_t dice = 1;
    (void)a, (void)b, (void)entity_a, (void)entity_b, (void)user;
    dice = dice * 1664525u + 1013904223u;
    return (int32_t)(dice >> 16) % 3 - 1;
}

static int32_t calls_the_library(const void *a, const void *b, dz_entity entity_a, dz_entity entity_b, void *user)
{
    (void)a, (void)b, (void)user;
    CHECK(!dz_has(world, entity_a, item));
    CHECK_IS(dz_error_status(), DZ_ERR_IN_HOOK);
    CHECK_IS(dz_destroy(world, entity_b), DZ_ERR_IN_HOOK);
    return 0;
}

static void set_up(void)
{
    uint32_t i;
    world = check_world();
    item = DZ_COMPONENT(world, Item), other = DZ_COMPONENT(world, Other);
    CHECK_OK(dz_create_n(world, N, e));
    for (i = 0; i < N; i++) {
        Item value;
        Other number;
        value.key = i * 7919u % 100u, value.number = i;
        number.number = i;
        CHECK_OK(DZ_SET(world, e[i], item, &value));
        if (i % 3 == 0) CHECK_OK(DZ_SET(world, e[N - 1 - i], other, &number));
    }
}

/* Everybody is there once, in the order of keys, equals in the order of `number`. */
static void check_sorted(void)
{
    uint32_t i, n = 0, last_key = 0, last_number = 0;
    dz_iter it;
    CHECK_OK(dz_iterate_pool(world, item, DZ_FORWARD, &it));
    while (dz_next(&it)) {
        for (i = 0; i < it.count; i++, n++) {
            const Item *at = DZ_ITEM(it, Item, i);
            CHECK(n == 0 || at->key > last_key || (at->key == last_key && at->number > last_number));
            CHECK(dz_get(world, dz_iter_entity(&it, i), item) == at);
            last_key = at->key, last_number = at->number;
        }
    }
    CHECK_EQ(n, dz_count(world, item));
}

static void once(void)
{
    dz_iter it;
    set_up();
    CHECK_OK(dz_iterate_pool(world, item, DZ_BACKWARD, &it));
    CHECK(dz_next(&it));
    CHECK_OK(dz_sort(world, item, by_key, &compared, DZ_SORT_ONCE));
    check_sorted();
    CHECK(!dz_next(&it)); /* it can't be followed */
    CHECK_IS(it.status, DZ_ERR_CHANGED);
    compared = 0; /* in order already: a look at each pair of neighbours, and nothing moves */
    CHECK_OK(dz_iterate_pool(world, item, DZ_BACKWARD, &it));
    CHECK_OK(dz_sort(world, item, by_key, &compared, DZ_SORT_ONCE));
    CHECK_EQ(compared, N - 1);
    CHECK(dz_next(&it));
    CHECK_OK(dz_sort(world, item, contradicts, NULL, DZ_SORT_ONCE));
    CHECK_EQ(dz_count(world, item), N);
    CHECK_OK(dz_sort(world, item, calls_the_library, NULL, DZ_SORT_ONCE));
    CHECK_OK(dz_sort(world, item, by_key, &compared, DZ_SORT_ONCE));
    CHECK_IS(dz_sort(world, item, NULL, NULL, DZ_SORT_ONCE), DZ_ERR_NULL_POINTER);
    CHECK_IS(dz_sort(world, item, by_key, NULL, 2), DZ_ERR_ENUM);
    CHECK_OK(dz_world_destroy(world));
}

static void as_another(void)
{
    uint32_t i, n = 0;
    dz_iter it;
    set_up();
    CHECK_OK(dz_sort_as(world, item, other, DZ_SORT_ONCE));
    for (CHECK_OK(dz_iterate_pool(world, item, DZ_FORWARD, &it)); dz_next(&it);) {
        for (i = 0; i < it.count; i++, n++) {
            const Other *number = DZ_GET(world, dz_iter_entity(&it, i), Other, other);
            /* Those that have both first, in the order of `other`: as they were added. */
            if (n < dz_count(world, other)) CHECK(number != NULL && number->number == n * 3);
            else CHECK(number == NULL);
        }
    }
    CHECK_EQ(n, N);
    CHECK_OK(dz_world_destroy(world));
}

static void kept(void)
{
    uint32_t i;
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    set_up();
    CHECK_IS(dz_sort_refresh(world, item), DZ_NOTHING_TO_DO);
    CHECK_OK(dz_sort(world, item, by_key, &compared, DZ_SORT_KEEP));
    for (i = 0; i < N; i += 7) CHECK_OK(dz_destroy(world, e[i]));
    CHECK_OK(dz_sort_refresh(world, item));
    CHECK_EQ(dz_count(world, item), N - (N + 6) / 7);
    /* It owns the order: nobody else sorts, or owns, the pool. */
    CHECK_IS(dz_sort(world, item, by_entity_down, NULL, DZ_SORT_ONCE), DZ_ERR_OWNED);
    desc.owned = &item, desc.owned_count = 1;
    CHECK_EQ(dz_group_create(world, &desc).bits, 0);
    CHECK_IS(dz_error_status(), DZ_ERR_OWNED);
    CHECK_OK(dz_sort_release(world, item));
    CHECK_IS(dz_sort_release(world, item), DZ_NOT_THERE);
    CHECK(dz_group_create(world, &desc).bits != 0);
    CHECK_IS(dz_sort(world, item, by_key, &compared, DZ_SORT_KEEP), DZ_ERR_OWNED);
    CHECK_OK(dz_world_destroy(world));
}

/* Who has both comes first in `other`, in the order of `item`. */
static bool other_follows(void)
{
    uint32_t i, n = 0, both = 0;
    dz_entity order[N];
    dz_iter it;
    for (CHECK_OK(dz_iterate_pool(world, item, DZ_FORWARD, &it)); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            order[both] = dz_iter_entity(&it, i);
            both += dz_has(world, order[both], other);
        }
    }
    for (CHECK_OK(dz_iterate_pool(world, other, DZ_FORWARD, &it)); dz_next(&it);) {
        for (i = 0; i < it.count; i++, n++) {
            if (n < both && dz_iter_entity(&it, i) != order[n]) return false;
        }
    }
    return both > 0;
}

static bool is_sorted(void)
{
    uint32_t i, last = 0;
    dz_iter it;
    for (CHECK_OK(dz_iterate_pool(world, item, DZ_FORWARD, &it)); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            if (DZ_ITEM(it, Item, i)->key < last) return false;
            last = DZ_ITEM(it, Item, i)->key;
        }
    }
    return true;
}

static void disturb(uint32_t seed)
{
    uint32_t i;
    for (i = seed; i < N; i += 11) {
        Item *at = DZ_GET_MUT(world, e[i], Item, item);
        if (at != NULL) at->key = (at->key * 31 + seed) % 100;
        if (dz_is_alive(world, e[N - 1 - i])) CHECK(dz_remove(world, e[N - 1 - i], other) >= DZ_OK);
    }
    for (i = seed + 5; i < N; i += 97) CHECK_OK(dz_destroy(world, e[i]));
    CHECK(!is_sorted() && !other_follows());
}

static dz_query kept_query(const char *text, dz_id order)
{
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_query query;
    desc.text = text, desc.kept = 1, desc.order = order;
    query = dz_query_create(world, &desc);
    CHECK(query.bits != 0);
    return query;
}

/* Refreshing a query restores the kept orders of the pools that it reads: those that another follows first. */
static void by_query(void)
{
    dz_query both, only, matched, ordered, loose, parents, bases;
    uint32_t seen;
    dz_iter it;
    dz_id third;
    set_up();
    both = kept_query("Other, Item", DZ_NULL), only = kept_query("Item", DZ_NULL);
    parents = kept_query("Other, Item(parent)", DZ_NULL), bases = kept_query("Item(inherit)", DZ_NULL);
    matched = kept_query("[none] Item, !Other", DZ_NULL);
    ordered = kept_query("[none] Item", item);
    loose = dz_query_parse(world, "Item, Other");
    CHECK_OK(dz_sort(world, item, by_key, &compared, DZ_SORT_KEEP));
    CHECK_OK(dz_sort_as(world, other, item, DZ_SORT_KEEP));
    CHECK_OK(dz_query_refresh(world, both));
    disturb(0);
    CHECK_IS(dz_query_refresh(world, loose), DZ_ERR_NOT_KEPT);
    CHECK_OK(dz_query_refresh(world, matched)); /* reads neither */
    CHECK(!is_sorted() && !other_follows());
    CHECK_OK(dz_query_refresh(world, both));
    CHECK(is_sorted() && other_follows());
    CHECK_OK(dz_optimize(world, UINT32_MAX, NULL)); /* leaves kept orders alone */
    CHECK(is_sorted() && other_follows());
    disturb(1);
    CHECK_OK(dz_query_refresh(world, only));
    CHECK(is_sorted() && !other_follows());
    disturb(20);
    CHECK_OK(dz_query_refresh(world, parents)); /* another's are read too */
    CHECK(is_sorted() && other_follows());
    disturb(21);
    CHECK_OK(dz_query_refresh(world, bases));
    CHECK(is_sorted());
    CHECK_OK(dz_query_refresh(world, both));
    disturb(2);
    CHECK_OK(dz_iterate(world, ordered, &it));
    CHECK(dz_next(&it));
    CHECK_OK(dz_query_refresh(world, ordered)); /* reads none of its elements, but its order */
    CHECK(is_sorted() && !other_follows());
    CHECK(!dz_next(&it));
    CHECK_IS(it.status, DZ_ERR_CHANGED);
    CHECK_OK(dz_query_refresh(world, both));
    CHECK_OK(dz_iterate(world, ordered, &it));
    CHECK(dz_next(&it));
    seen = it.count;
    CHECK_OK(dz_query_refresh(world, ordered)); /* nothing moves: it goes on */
    while (dz_next(&it)) seen += it.count;
    CHECK_IS(it.status, DZ_OK);
    CHECK_EQ(seen, dz_count(world, item));
    CHECK_OK(dz_sort_release(world, item));
    disturb(3);
    CHECK_OK(dz_query_refresh(world, both)); /* nobody's order any longer: only `other` follows */
    CHECK(!is_sorted() && other_follows());
    CHECK_OK(dz_sort(world, item, calls_the_library, NULL, DZ_SORT_KEEP));
    CHECK_OK(dz_query_refresh(world, both));
    /* Where one of the orders can't be restored, none is. */
    CHECK_OK(dz_sort(world, item, by_key, &compared, DZ_SORT_KEEP));
    third = DZ_TAG(world, Third);
    CHECK_OK(dz_sort_as(world, other, third, DZ_SORT_KEEP));
    CHECK_OK(dz_component_unregister(world, third));
    disturb(4);
    REFUSED(world, dz_query_refresh(world, both), DZ_ERR_DEAD);
    CHECK(!is_sorted());
    CHECK_OK(dz_world_destroy(world));
}

/* A ring of orders, and one that follows itself, restore some order and lose nobody. */
static void rings(void)
{
    dz_query query;
    set_up();
    query = kept_query("Item, Other", DZ_NULL);
    CHECK_OK(dz_sort_as(world, item, other, DZ_SORT_KEEP));
    CHECK_OK(dz_sort_as(world, other, item, DZ_SORT_KEEP));
    CHECK_OK(dz_query_refresh(world, query));
    CHECK_OK(dz_sort_as(world, item, item, DZ_SORT_KEEP));
    CHECK_OK(dz_query_refresh(world, query));
    CHECK(dz_count(world, item) == N && other_follows());
    CHECK_OK(dz_world_destroy(world));
}

static void groups(void)
{
    dz_id both[2];
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    dz_group made;
    dz_iter it;
    uint32_t i, n = 0;
    dz_entity last = 0;
    set_up();
    both[0] = item, both[1] = other;
    desc.owned = both, desc.owned_count = 2;
    made = dz_group_create(world, &desc);
    CHECK_OK(dz_group_sort(world, made, DZ_NULL, by_entity_down, NULL, DZ_SORT_ONCE));
    for (CHECK_OK(dz_iterate_group(world, made, DZ_FORWARD, &it)); dz_next(&it);) {
        for (i = 0; i < it.count; i++, n++) {
            dz_entity at = dz_iter_entity(&it, i);
            CHECK(n == 0 || at < last);
            CHECK(DZ_AT(it, Other, 1, i) == dz_get(world, at, other));
            last = at;
        }
    }
    CHECK_EQ(n, dz_count(world, other));
    CHECK_OK(dz_group_sort(world, made, item, by_key, &compared, DZ_SORT_KEEP));
    CHECK_OK(dz_destroy(world, last));
    CHECK_OK(dz_group_sort_refresh(world, made));
    CHECK_IS(dz_group_sort(world, made, item, by_key, &compared, DZ_SORT_ONCE), DZ_ERR_OWNED);
    CHECK_OK(dz_group_sort_release(world, made));
    CHECK_OK(dz_group_sort_as(world, made, other, DZ_SORT_ONCE));
    CHECK_OK(dz_world_destroy(world));
}

/* Groups that own the same pool may be many, even with the same terms: the order of one keeps to those within it. */
static void groups_within_groups(void)
{
    enum { GROUPS = 40, ALL = 60 };
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    dz_group outermost = {0}, within;
    dz_id both[2];
    uint32_t i;
    set_up();
    both[0] = item, both[1] = other;
    desc.owned = both, desc.owned_count = 1;
    for (i = 0; i < GROUPS; i++) {
        dz_group group = dz_group_create(world, &desc);
        CHECK(group.bits != 0);
        if (i == 0) outermost = group;
    }
    desc.owned_count = 2;
    within = dz_group_create(world, &desc);
    CHECK(within.bits != 0);
    CHECK_OK(dz_group_sort(world, outermost, item, by_key, &compared, 0));
    for (i = 0; i < N; i++) CHECK_EQ(dz_group_contains(world, within, e[i]), dz_has(world, e[i], other));
    for (i = 0; i < ALL; i++) CHECK(!dz_failed(dz_remove(world, e[i * 7], other)));
    for (i = 0; i < N; i++) CHECK_EQ(dz_group_contains(world, within, e[i]), dz_has(world, e[i], other));
    CHECK_OK(dz_world_destroy(world));
}

/* What ends an iteration that follows a pool ends it behind its last batch, too. */
static void ended_behind_the_last(void)
{
    dz_query ordered;
    dz_iter it;
    uint32_t i;
    set_up();
    ordered = kept_query("[none] Item", item);
    for (i = 10; i < N; i++) CHECK_OK(dz_destroy(world, e[i]));
    CHECK_OK(dz_iterate(world, ordered, &it));
    CHECK(dz_next(&it) && it.count == 10);
    CHECK_OK(dz_shrink(world));
    CHECK(!dz_next(&it));
    CHECK_IS(it.status, DZ_ERR_CHANGED);
    CHECK_OK(dz_world_destroy(world));
}

/* The part of a group that one inside it keeps in an order of its own is left alone. */
static void inner_keeps_its_order(void)
{
    dz_id three[3];
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    dz_group outer, inner;
    dz_iter it;
    uint32_t i, n = 0, inside, last_key = 0;
    dz_entity last = 0;
    set_up();
    three[0] = item, three[1] = other, three[2] = DZ_TAG(world, Third);
    for (i = 0; i < N; i += 2) CHECK_OK(dz_add(world, e[i], three[2]));
    desc.owned = three, desc.owned_count = 2;
    outer = dz_group_create(world, &desc);
    desc.owned_count = 3;
    inner = dz_group_create(world, &desc);
    inside = dz_group_count(world, inner);
    CHECK(inside > 100 && dz_group_count(world, outer) > inside + 100);
    CHECK_OK(dz_group_sort(world, inner, item, by_key, &compared, DZ_SORT_KEEP));
    CHECK_OK(dz_group_sort(world, outer, DZ_NULL, by_entity_down, NULL, DZ_SORT_ONCE));
    for (CHECK_OK(dz_iterate_group(world, outer, DZ_FORWARD, &it)); dz_next(&it);) {
        for (i = 0; i < it.count; i++, n++) {
            uint32_t key = DZ_AT(it, Item, 0, i)->key;
            dz_entity at = dz_iter_entity(&it, i);
            if (n < inside) CHECK(key >= last_key);
            if (n > inside) CHECK(at < last);
            last_key = key, last = at;
        }
    }
    CHECK_EQ(n, dz_count(world, other));
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(once);
    RUN(as_another);
    RUN(kept);
    RUN(by_query);
    RUN(rings);
    RUN(groups);
    RUN(groups_within_groups);
    RUN(inner_keeps_its_order);
    RUN(ended_behind_the_last);
    return check_done();
}
