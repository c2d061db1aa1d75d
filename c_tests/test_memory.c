/* A world's memory: allocator, budget, capacity, shrinking, and how little there is. */
#include "allocator.h"

typedef struct { float x, y; } Position;

/* Every byte comes from the allocator and goes back to it; the counts agree. */
static void allocator(void)
{
    int with;
    for (with = 0; with < 2; with++) {
        counting heap;
        dz_world_desc desc = check_desc();
        dz_world_numbers numbers;
        dz_world world;
        dz_entity e = 0;
        dz_id id;
        int i;
        desc.allocator = counting_allocator(&heap);
        if (with) desc.allocator.reallocate = counting_reallocate;
        world = dz_world_create(&desc);
        id = DZ_COMPONENT(world, Position);
        for (i = 0; i < 5000; i++) CHECK_OK(dz_add(world, e = dz_create(world), id));
        CHECK_OK(dz_world_stats(world, &numbers));
        CHECK_EQ(numbers.bytes, heap.bytes);
        CHECK_EQ(numbers.allocations, heap.blocks);
        CHECK(numbers.peak_bytes >= numbers.bytes);
        CHECK(numbers.peak_bytes <= heap.peak);
        CHECK(heap.bytes > 5000 * sizeof(Position));
        CHECK_OK(dz_remove(world, e, id));
        CHECK_OK(dz_world_clear(world));
        CHECK_OK(dz_shrink(world));
        CHECK_OK(dz_world_stats(world, &numbers));
        CHECK_EQ(numbers.bytes, heap.bytes);
        CHECK(numbers.bytes < numbers.peak_bytes);
        CHECK_OK(dz_world_destroy(world));
        CHECK_EQ(heap.bytes, 0);
        CHECK_EQ(heap.blocks, 0);
    }
}

static void out_of_memory(void)
{
    counting heap;
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_entity e[3];
    dz_id id;
    int i;
    desc.allocator = counting_allocator(&heap);
    heap.fail_at = 1;
    dz_error_clear();
    CHECK_EQ(dz_world_create(&desc).bits, 0);
    CHECK_IS(dz_error_status(), DZ_ERR_OUT_OF_MEMORY);
    CHECK_EQ(heap.blocks, 0);
    heap.fail_at = 0;
    world = dz_world_create(&desc);
    id = DZ_COMPONENT(world, Position);
    CHECK_OK(dz_create_n(world, 3, e));
    CHECK_OK(dz_add(world, e[0], id));
    CHECK_OK(dz_add(world, e[1], id));
    heap.fail_at = 1; /* from now on there is no memory */
    REFUSED(world, dz_reserve(world, 100000), DZ_ERR_OUT_OF_MEMORY);
    REFUSED_0(world, dz_component_simple(world, "Another", 4, 4), DZ_ERR_OUT_OF_MEMORY);
    for (i = 0; i < 100000 && dz_create(world); i++) {}
    CHECK(i < 100000);
    REFUSED_0(world, dz_create(world), DZ_ERR_OUT_OF_MEMORY);
    /* Destroying, removing and clearing never need memory. */
    CHECK_OK(dz_remove(world, e[0], id));
    CHECK_OK(dz_destroy(world, e[0]));
    CHECK_OK(dz_clear_pool(world, id));
    CHECK_OK(dz_component_unregister(world, id));
    CHECK_OK(dz_destroy_n(world, e + 1, 2, NULL));
    CHECK_OK(dz_world_clear(world));
    heap.fail_at = 0; /* and the world is usable */
    CHECK(dz_create(world) != 0);
    CHECK_OK(dz_world_destroy(world));
    CHECK_EQ(heap.blocks, 0);
}

static void budget(void)
{
    counting heap;
    dz_world_desc desc = check_desc();
    dz_world_numbers numbers;
    dz_world world;
    dz_id id;
    int i;
    desc.allocator = counting_allocator(&heap);
    desc.byte_budget = 1;
    dz_error_clear();
    CHECK_EQ(dz_world_create(&desc).bits, 0);
    CHECK_IS(dz_error_status(), DZ_ERR_BUDGET);
    desc.byte_budget = 64 * 1024;
    world = dz_world_create(&desc);
    id = DZ_COMPONENT(world, Position);
    CHECK(id != 0);
    for (i = 0; i < 100000; i++) {
        dz_entity e = dz_create(world);
        if (!e || dz_failed(dz_add(world, e, id))) break;
        if (heap.bytes > desc.byte_budget) break;
    }
    CHECK(i > 100 && i < 100000);
    CHECK_IS(dz_error_status(), DZ_ERR_BUDGET);
    CHECK(heap.peak <= desc.byte_budget);
    REFUSED(world, dz_reserve(world, 1000000), DZ_ERR_BUDGET);
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.byte_budget, desc.byte_budget);
    CHECK_OK(dz_world_clear(world));
    CHECK_OK(dz_shrink(world));
    CHECK_OK(dz_add(world, dz_create(world), id)); /* room again */
    CHECK_OK(dz_world_destroy(world));
    CHECK_EQ(heap.blocks, 0);
}

/* M69 M77: below what is reserved, creating asks for no memory. M8 M10: destroying never does, so nothing but the
 * entities' own array remembers the dead. */
static void capacity(void)
{
    counting heap;
    dz_world_desc desc = check_desc();
    dz_world_numbers numbers;
    dz_world world;
    static dz_entity e[9000];
    uint64_t calls;
    int i;
    desc.allocator = counting_allocator(&heap);
    desc.capacity = 1000;
    world = dz_world_create(&desc);
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK(numbers.capacity >= 1000);
    calls = heap.calls;
    for (i = 0; i < 1000; i++) CHECK(dz_create(world) != 0);
    CHECK_EQ(heap.calls, calls);
    CHECK_OK(dz_reserve(world, 10000));
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK(numbers.capacity >= 10000);
    calls = heap.calls;
    for (i = 0; i < 4000; i++) e[i] = dz_create(world);
    CHECK_OK(dz_create_n(world, 5000, e + 4000));
    CHECK_EQ(heap.calls, calls);
    CHECK_OK(dz_reserve(world, 10)); /* never makes anything smaller */
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK(numbers.capacity >= 10000);
    for (i = 0; i < 4000; i++) CHECK_OK(dz_destroy(world, e[i]));
    CHECK_OK(dz_destroy_n(world, e + 4000, 5000, NULL));
    CHECK_EQ(heap.calls, calls);
    CHECK_OK(dz_world_clear(world)); /* keeps the capacity */
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK(numbers.capacity >= 10000);
    for (i = 0; i < 10000; i++) CHECK(dz_create(world) != 0);
    CHECK_EQ(heap.calls, calls);
    REFUSED(world, dz_reserve(world, 4000000000u), check_layout == DZ_LAYOUT_32 ? DZ_ERR_COUNT : DZ_ERR_OUT_OF_MEMORY);
    REFUSED(world, dz_reserve(world, UINT32_MAX), DZ_ERR_COUNT); /* the reserved range needs its part */
    CHECK_OK(dz_world_destroy(world));
}

/* M19: small is small, wherever the index. */
static void small(void)
{
    dz_world world = check_world();
    dz_id near_zero = DZ_COMPONENT(world, Position), far = dz_component_simple(world, "Far", 8, 8);
    dz_component_details info;
    dz_entity e = check_handle(world, 1000000, 1);
    CHECK_OK(dz_component_info(world, near_zero, &info));
    CHECK(info.bytes <= 4096);
    CHECK_OK(dz_add(world, dz_create(world), near_zero));
    CHECK_OK(dz_component_info(world, near_zero, &info));
    CHECK(info.bytes >= sizeof(Position) && info.bytes <= 4096);
    CHECK_OK(dz_create_at(world, e));
    CHECK_OK(dz_add(world, e, far));
    CHECK_OK(dz_component_info(world, far, &info));
    CHECK(info.bytes >= 8 && info.bytes <= 8192);
    CHECK_OK(dz_world_destroy(world));
}

static void shrink(void)
{
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position);
    dz_world_numbers before, after;
    static dz_entity e[20000];
    const void *kept;
    uint64_t digest;
    int i;
    CHECK_OK(dz_create_n(world, 20000, e));
    CHECK_IS(dz_add_n(world, e, 20000, position), DZ_OK);
    for (i = 5; i < 20000; i++) CHECK_OK(dz_destroy(world, e[i]));
    kept = dz_get(world, e[0], position);
    digest = check_digest(world);
    CHECK_OK(dz_world_stats(world, &before));
    CHECK_OK(dz_shrink(world));
    CHECK_OK(dz_world_stats(world, &after));
    CHECK(after.bytes < before.bytes);
    CHECK_EQ(check_digest(world), digest);               /* changes no handle and no order, */
    CHECK(dz_get(world, e[0], position) == kept);        /* moves no component */
    CHECK(!dz_is_alive(world, e[10]));
    CHECK_IS(dz_why(world, e[10]), DZ_ERR_DEAD);
    CHECK_EQ(dz_create(world), check_handle(world, dz_entity_index(e[19999]), 2)); /* M12: the order too */
    CHECK_OK(dz_world_destroy(world));
}

static uint64_t bytes_of(dz_world world)
{
    dz_world_numbers numbers;
    CHECK_OK(dz_shrink(world));
    CHECK_OK(dz_world_stats(world, &numbers));
    return numbers.bytes;
}

enum { LARGE = 300000, WAVES = 3 };
typedef struct { uint64_t who[4]; } Label;

static Label label_of(dz_entity e)
{
    Label label = {{e, ~e, e * 3, e ^ LARGE}};
    return label;
}

/* A world of tens of megabytes, in the system's memory (on Linux in slabs, its identifiers in a tract): most come and go at random, and what it doesn't
   need goes back each time. Everybody keeps what is theirs. */
static void large(void)
{
    static dz_entity e[LARGE];
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position), label = DZ_COMPONENT(world, Label);
    uint64_t empty = bytes_of(world), full, slots = 0;
    int wave, i;
    memset(e, 0, sizeof e);
    for (wave = 0; wave < WAVES; wave++) {
        for (i = 0; i < LARGE; i++) {
            Position at = {(float)i, (float)wave};
            Label mine;
            if (e[i] != 0) continue;
            e[i] = dz_create(world);
            mine = label_of(e[i]);
            CHECK_OK(dz_set(world, e[i], position, sizeof at, &at));
            CHECK_OK(dz_set(world, e[i], label, sizeof mine, &mine));
        }
        full = bytes_of(world);
        CHECK(full > 12 << 20);
        for (i = 0; i < LARGE; i++) {
            const Position *at = dz_get(world, e[i], position);
            Label mine = label_of(e[i]);
            CHECK(at != NULL && at->x == (float)i);
            CHECK(memcmp(dz_get(world, e[i], label), &mine, sizeof mine) == 0);
        }
        for (i = 0; i < LARGE; i++) {
            if (wave < WAVES - 1 && check_random(50) == 0) continue;
            CHECK_OK(dz_destroy(world, e[i]));
            e[i] = 0;
        }
        CHECK(bytes_of(world) < full / 2 + slots);
        slots = bytes_of(world) - empty;
    }
    CHECK(bytes_of(world) < empty + 32 * LARGE); /* the slots of the dead */
    CHECK_OK(dz_world_destroy(world));
}

enum { MANY = 3000 };
static dz_entity all[MANY];

/* Entities with parents, names, pairs, pairs with values, and relations of their own; some are disabled, some bases. */
static void fill(dz_world world, dz_id position, uint32_t step)
{
    static const Position here = {1, 2};
    uint32_t i;
    for (i = step; i < MANY; i += step) {
        char name[16];
        dz_entity before = all[i - step];
        snprintf(name, sizeof name, "n%u", (unsigned)i);
        CHECK_OK(dz_set_name(world, all[i], name));
        CHECK_OK(dz_set_parent(world, all[i], before));
        CHECK_OK(dz_set_pair(world, all[i], position, before, sizeof here, &here));
        CHECK_OK(dz_add_pair(world, all[0], all[i], before));
        CHECK_OK(dz_set_enabled(world, all[i], false));
        CHECK_OK(dz_set_base(world, all[i], true));
    }
}

/* What pairs, the hierarchy, names, and marks took is given back, but for the place of a component that is a relation;
   what is in use stays as it is. */
static void shrink_all(void)
{
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position);
    uint64_t before, with_few;
    uint32_t i, n = 0;
    dz_entity found[4];
    CHECK_OK(dz_create_n(world, MANY, all));
    CHECK_OK(dz_add_pair(world, all[0], position, all[1]));
    CHECK_OK(dz_world_clear(world));
    before = bytes_of(world);
    CHECK_OK(dz_create_n(world, MANY, all));
    fill(world, position, 1);
    CHECK(bytes_of(world) > before + 200 * MANY);
    CHECK_OK(dz_world_clear(world));
    CHECK_EQ(bytes_of(world), before);
    CHECK_OK(dz_create_n(world, MANY, all));
    fill(world, position, 1000);
    with_few = bytes_of(world);
    for (i = 1; i < MANY; i++) {
        if (i % 1000 == 0) continue;
        CHECK_OK(dz_set_parent(world, all[i], all[0]));
        CHECK_OK(dz_add_pair(world, all[i], all[0], all[1000]));
    }
    for (i = 1; i < MANY; i++) {
        if (i % 1000 != 0) CHECK_OK(dz_destroy(world, all[i]));
    }
    CHECK(bytes_of(world) < with_few + 4096);
    /* Who has only a parent, or only a name, is found by what ends it. */
    CHECK(dz_parent(world, all[1000]) == all[0] && dz_lookup(world, all[0], "n1000", NULL) == all[1000]);
    CHECK(dz_lookup(world, all[1000], "n2000", NULL) == all[2000]);
    CHECK_OK(dz_pair_targets(world, all[2000], position, found, 4, &n));
    CHECK(n == 1 && found[0] == all[1000]);
    CHECK(((const Position *)dz_get_pair(world, all[2000], position, all[1000]))->y == 2);
    CHECK(dz_has_pair(world, all[0], all[1000], all[0]) && !dz_is_enabled(world, all[1000]) && dz_is_base(world, all[2000]));
    CHECK_OK(dz_remove_pair(world, all[1000], position, all[0]));
    CHECK_OK(dz_remove_pair(world, all[2000], position, all[1000]));
    CHECK_OK(dz_remove_pair(world, all[0], all[1000], all[0]));
    CHECK_OK(dz_remove_pair(world, all[0], all[2000], all[1000]));
    bytes_of(world);
    CHECK_OK(dz_destroy(world, all[0]));
    CHECK(!dz_is_alive(world, all[1000]) && !dz_is_alive(world, all[2000]));
    CHECK_EQ(bytes_of(world), before);
    CHECK_OK(dz_world_destroy(world));
}

static void set_label(dz_world world, dz_id label, uint32_t i)
{
    Label mine = label_of(all[i]);
    CHECK(!dz_failed(dz_set_pair(world, all[i], label, all[0], sizeof mine, &mine)));
}

/* Who of all has a label for the first one; each has their own. */
static uint32_t labels(dz_world world, dz_id label)
{
    uint32_t i, n = 0;
    for (i = 1; i < MANY; i++) {
        Label mine = label_of(all[i]);
        if (!dz_has_pair(world, all[i], label, all[0])) continue;
        CHECK(memcmp(dz_get_pair(world, all[i], label, all[0]), &mine, sizeof mine) == 0);
        n++;
    }
    return n;
}

/* Of the values of pairs those behind the last one that is left are given back, and those before it are used again. */
static void shrink_values(void)
{
    dz_world world = check_world();
    dz_id label = DZ_COMPONENT(world, Label);
    uint64_t few, full;
    uint32_t i, k;
    CHECK_OK(dz_create_n(world, MANY, all));
    for (i = 1; i <= 100; i++) set_label(world, label, i);
    for (i = 1; i < 100; i++) CHECK_OK(dz_remove_pair(world, all[i], label, all[0]));
    few = bytes_of(world);
    for (i = 1; i < MANY; i++) set_label(world, label, i);
    full = bytes_of(world);
    CHECK(full > few + (MANY - 200) * sizeof(Label) && labels(world, label) == MANY - 1);
    for (i = 1; i < MANY; i++) {
        if (i != 100) CHECK_OK(dz_remove_pair(world, all[i], label, all[0]));
    }
    CHECK(bytes_of(world) < few + 4096 && labels(world, label) == 1);
    for (k = 0; k < 5000; k++) {
        i = 1 + check_random(MANY - 1);
        if (check_random(2)) set_label(world, label, i);
        else CHECK(!dz_failed(dz_remove_pair(world, all[i], label, all[0])));
        if (check_random(100) == 0) CHECK(bytes_of(world) <= full);
        if (k % 500 == 0) labels(world, label);
    }
    for (i = 1; i < MANY; i++) set_label(world, label, i);
    CHECK(bytes_of(world) <= full && labels(world, label) == MANY - 1);
    for (i = 1; i < MANY; i++) CHECK_OK(dz_remove_pair(world, all[i], label, all[0]));
    CHECK(bytes_of(world) < few);
    set_label(world, label, 5);
    CHECK_EQ(labels(world, label), 1);
    CHECK_OK(dz_world_destroy(world));
}

/* The matches of a query, in order, as digits: numbers of e. */
static const char *in_order(dz_world world, dz_query query, const dz_entity *e, uint32_t n)
{
    static char out[64];
    uint32_t count = 0, i, k;
    dz_iter it;
    for (dz_iterate(world, query, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            for (k = 0; k < n; k++) {
                if (dz_iter_entity(&it, i) == e[k]) out[count++] = (char)('0' + k);
            }
        }
    }
    CHECK_IS(it.status, DZ_OK);
    out[count] = 0;
    return out;
}

/* What a world says that it has room for it has room for, also after a call that got only some of what it asked for. */
static void room_is_what_there_is(void)
{
    uint32_t shape;
    for (shape = 0; shape < 8 * 4 * 2; shape++) {
        counting heap;
        dz_world_desc desc = check_desc();
        dz_world_numbers numbers;
        dz_world world;
        dz_entity e[8];
        uint32_t room = 0, born = 0;
        desc.allocator = counting_allocator(&heap);
        world = dz_world_create(&desc);
        CHECK_OK(dz_create_n(world, 3, e)); /* there is a little room already, and somebody is dead */
        CHECK_OK(dz_destroy(world, e[1]));
        heap.fail_at = heap.calls + 1 + shape % 8;
        switch (shape / 8 % 4) {
        case 0: (void)dz_create(world); break;
        case 1: (void)dz_create_n(world, 8, e); break;
        case 2: (void)dz_reserve(world, 1000); break;
        default: (void)dz_create_at(world, dz_entity_make(dz_world_number(world), 5000, 1)); break;
        }
        heap.fail_at = 0;
        if (shape / 32) CHECK(dz_listen(world, DZ_ON_CREATE, DZ_NULL, check_count_event, &born).bits != 0); /* another way */
        heap.fail_at = heap.calls + 1;
        CHECK_OK(dz_world_stats(world, &numbers));
        while (dz_create(world)) room++;
        CHECK_EQ(born, shape / 32 ? room : 0);
        CHECK_IS(dz_error_status(), DZ_ERR_OUT_OF_MEMORY);
        CHECK_EQ(room, numbers.capacity - numbers.alive + numbers.components);
        heap.fail_at = 0;
        CHECK_OK(dz_world_destroy(world));
        CHECK_EQ(heap.blocks, 0);
    }
}

/* A call that fails leaves orders and addresses as they were: those of the hierarchy's levels, and of elements. */
static void failures_move_nobody(void)
{
    counting heap;
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_id position, velocity;
    dz_entity e[9], many[100];
    dz_query query;
    dz_iter it;
    const void *at;
    uint64_t calls;
    uint32_t i, fails;
    desc.allocator = counting_allocator(&heap);
    world = dz_world_create(&desc);
    position = DZ_COMPONENT(world, Position), velocity = dz_component_simple(world, "Velocity", 8, 4);
    CHECK_OK(dz_create_n(world, 9, e));
    CHECK_OK(dz_add_n(world, e, 9, position));
    for (i = 1; i < 7; i++) CHECK_OK(dz_set_parent(world, e[i], e[0]));
    CHECK_OK(dz_set_parent(world, e[7], e[1]));
    CHECK_OK(dz_set_parent(world, e[8], e[7]));
    query = dz_query_parse(world, "[cascade] Position");
    CHECK(strcmp(in_order(world, query, e, 9), "012345678") == 0);
    for (fails = 0;; fails++) { /* e[1] and all below it go a level down, for which there is no memory at first */
        heap.fail_at = heap.calls + 1 + fails;
        if (dz_set_parent(world, e[1], e[6]) == DZ_OK) break;
        heap.fail_at = 0;
        CHECK_IS(dz_error_status(), DZ_ERR_OUT_OF_MEMORY);
        CHECK(strcmp(in_order(world, query, e, 9), "012345678") == 0);
    }
    heap.fail_at = 0;
    CHECK(fails > 0 && strcmp(in_order(world, query, e, 9), "065234178") != 0);
    CHECK(strspn(in_order(world, query, e, 9), "012345678") == 9 && dz_depth(world, e[8]) == 4);

    CHECK_OK(dz_create_n(world, 100, many));
    CHECK_OK(dz_add_n(world, many, 50, position));
    for (i = 100; i-- > 0;) CHECK_OK(dz_add(world, many[i], velocity)), CHECK(!dz_failed(dz_add(world, many[i], position)));
    at = dz_get(world, many[99], velocity);
    CHECK_OK(dz_iterate_pool(world, velocity, DZ_BACKWARD, &it));
    CHECK(dz_next(&it));
    for (fails = 0;; fails++) {
        calls = heap.calls, heap.fail_at = calls + 1 + fails;
        if (dz_optimize(world, UINT32_MAX, NULL) == DZ_OK) break;
        heap.fail_at = 0;
        CHECK_IS(dz_error_status(), DZ_ERR_OUT_OF_MEMORY);
        CHECK(dz_get(world, many[99], velocity) == at);
    }
    heap.fail_at = 0;
    CHECK(fails > 0 && dz_get(world, many[99], velocity) != at);
    CHECK(!dz_next(&it));
    CHECK_IS(it.status, DZ_ERR_CHANGED);
    CHECK_OK(dz_world_destroy(world));
    CHECK_EQ(heap.blocks, 0);
}

/* An allocator that calls the library on the world which it serves. */
static dz_world served;
static uint32_t asked;

static void meddle(void)
{
    asked++;
    if (served.bits == 0) return;
    CHECK_EQ(dz_create(served), DZ_NULL);
    CHECK_IS(dz_error_status(), DZ_ERR_IN_HOOK);
    CHECK_IS(dz_world_destroy(served), DZ_ERR_IN_HOOK);
    dz_error_clear();
}

static void an_allocator_that_meddles(void)
{
    int with;
    for (with = 0; with < 2; with++) {
        counting heap;
        dz_world_desc desc = check_desc();
        dz_id id;
        int i;
        desc.allocator = counting_allocator(&heap);
        if (with) desc.allocator.reallocate = counting_reallocate;
        heap.meanwhile = meddle;
        served.bits = 0, asked = 0;
        served = dz_world_create(&desc);
        id = DZ_COMPONENT(served, Position);
        for (i = 0; i < 1000; i++) CHECK_OK(dz_add(served, dz_create(served), id));
        CHECK_OK(dz_world_clear(served));
        CHECK_OK(dz_shrink(served));
        CHECK(asked > 20);
        CHECK_OK(dz_world_why(served));
        {
            dz_world world = served;
            served.bits = 0;
            CHECK_OK(dz_world_destroy(world));
        }
        CHECK_EQ(heap.blocks, 0);
    }
}

/* Who is shown again joins groups that own nothing, which may take memory: without it, it stays as it was. */
static void coming_back_takes_memory(void)
{
    int how;
    for (how = 0; how < 3; how++) {
        counting heap;
        dz_world_desc desc = check_desc();
        dz_group_desc group = DZ_GROUP_DESC_INIT;
        dz_group both;
        dz_world world;
        dz_id ids[2];
        dz_entity e;
        uint32_t fails = 0;
        int round;
        desc.allocator = counting_allocator(&heap);
        world = dz_world_create(&desc);
        ids[0] = DZ_COMPONENT(world, Position), ids[1] = dz_component_simple(world, "Velocity", 8, 4);
        group.included = ids, group.included_count = 2;
        both = dz_group_create(world, &group);
        e = dz_create(world);
        CHECK(dz_add(world, e, ids[0]) == DZ_OK && dz_add(world, e, ids[1]) == DZ_OK && dz_group_count(world, both) == 1);
        for (round = 0; round < 2; round++) { /* away, and back again */
            dz_status done = DZ_ERR_OUT_OF_MEMORY;
            for (fails = 0; done != DZ_OK; fails++) {
                if (round == 1) heap.fail_at = heap.calls + 1 + fails;
                if (how == 0) done = dz_set_enabled(world, e, round == 1);
                if (how == 1) done = dz_set_component_enabled(world, e, ids[1], round == 1);
                if (how == 2) done = dz_set_base(world, e, round == 0);
                heap.fail_at = 0;
                if (done == DZ_OK) break;
                CHECK_IS(done, DZ_ERR_OUT_OF_MEMORY);
                CHECK(dz_group_count(world, both) == 0 && !dz_is_component_enabled(world, e, ids[1]));
                if (!CHECK(fails < 20)) break;
            }
            CHECK_EQ(dz_group_count(world, both), round);
            CHECK_OK(dz_shrink(world)); /* so that nobody has room to spare */
        }
        CHECK(fails > 0);
        CHECK(dz_group_contains(world, both, e));
        CHECK_OK(dz_world_destroy(world));
        CHECK_EQ(heap.blocks, 0);
    }
}

/* A parent that couldn't be given stays outside of the hierarchy; one that came late doesn't meet what was left behind. */
static void parents_without_memory(void)
{
    counting heap;
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_entity e[9];
    dz_id position;
    dz_query query;
    uint32_t i, fails;
    desc.allocator = counting_allocator(&heap);
    world = dz_world_create(&desc);
    position = DZ_COMPONENT(world, Position);
    CHECK_OK(dz_create_n(world, 9, e));
    CHECK_OK(dz_add_n(world, e, 9, position));
    query = dz_query_parse(world, "[cascade] Position");
    for (fails = 0;; fails++) {
        heap.fail_at = heap.calls + 2; /* one piece of memory at a time */
        if (dz_set_parent(world, e[1], e[0]) == DZ_OK) break;
        heap.fail_at = 0;
        CHECK(strcmp(in_order(world, query, e, 9), "012345678") == 0);
    }
    heap.fail_at = 0;
    CHECK(fails > 0 && strcmp(in_order(world, query, e, 9), "234567801") == 0);
    for (i = 2; i < 5; i++) CHECK_OK(dz_set_parent(world, e[i], e[i - 1]));
    CHECK_OK(dz_set_parent(world, e[5], e[0]));
    for (fails = 0;; fails++) {
        heap.fail_at = heap.calls + 1 + fails;
        if (dz_set_parent(world, e[1], e[5]) == DZ_OK) break;
        heap.fail_at = 0;
        CHECK(strcmp(in_order(world, query, e, 9), "678015234") == 0);
    }
    heap.fail_at = 0;
    CHECK(fails > 0);
    for (i = 5; i-- > 1;) CHECK_OK(dz_destroy(world, e[i]));
    CHECK(strcmp(in_order(world, query, e, 9), "67805") == 0);
    CHECK_OK(dz_destroy(world, e[0]));
    CHECK(strcmp(in_order(world, query, e, 9), "678") == 0);
    CHECK_OK(dz_world_destroy(world));
    CHECK_EQ(heap.blocks, 0);
}

int main(void)
{
    RUN(allocator);
    RUN(an_allocator_that_meddles);
    RUN(out_of_memory);
    RUN(budget);
    RUN(capacity);
    RUN(room_is_what_there_is);
    RUN(small);
    RUN(shrink);
    RUN(large);
    RUN(failures_move_nobody);
    RUN(shrink_all);
    RUN(shrink_values);
    RUN(coming_back_takes_memory);
    RUN(parents_without_memory);
    return check_done();
}
