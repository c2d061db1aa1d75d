/* Threads: all reads of one world may run together, parts of one query may be iterated and their components written
 * at once, several worlds are independent, errors are each thread's own. M81 */
#include "allocator.h"
#include <pthread.h>

enum { THREADS = 4, N = 4000 };

typedef struct { uint64_t a, b; } Value;

typedef struct {
    dz_world world;
    dz_id id, tag;
    const dz_entity *e;
    dz_entity dead;
    uint32_t number, good, visited; /* `good` counts reads that were as they should be */
} reader;

/* check.h counts without locks, so a thread counts for itself and the main thread checks. */
static void *read_all(void *argument)
{
    reader *me = (reader *)argument;
    const void *pointers[64];
    uint8_t has[64];
    dz_entity page[64];
    dz_world_numbers numbers;
    dz_component_details info;
    dz_id ids[8];
    dz_iter it;
    uint32_t i, count, next, first = 0;
    for (i = 0; i < N; i++) {
        dz_entity e = me->e[(i * 7 + me->number * 100) % N];
        const Value *value = (const Value *)dz_get(me->world, e, me->id);
        me->good += value && value->a == value->b && dz_has(me->world, e, me->id) && dz_is_alive(me->world, e) &&
                    dz_why(me->world, e) == DZ_OK && dz_entity_of(me->world, me->id, value) == e &&
                    dz_generation(me->world, dz_entity_index(e)) == 1;
        if (i % 64 == 0 && i + 64 <= N) {
            me->good += dz_get_n(me->world, me->e + i, 64, me->id, pointers) == DZ_OK && pointers[63] != NULL;
            me->good += dz_has_n(me->world, me->e + i, 64, me->tag, has) == DZ_OK;
            me->good += dz_type(me->world, e, ids, 8, &count) == DZ_OK && count >= 1;
            me->good += dz_world_stats(me->world, &numbers) == DZ_OK && numbers.alive == N + 3;
            me->good += dz_component_info(me->world, me->id, &info) == DZ_OK && info.count == N;
            me->good += dz_components(me->world, ids, 8, &count) == DZ_OK && count == 3;
            me->good += dz_component_find(me->world, "Value") == me->id && dz_count(me->world, me->id) == N;
            me->good += dz_singleton_get(me->world, me->id) != NULL && dz_world_user(me->world) == NULL;
            me->good += dz_get(me->world, me->dead, me->id) == NULL && dz_error_status() == DZ_ERR_DEAD &&
                        strstr(dz_error_message(), "dead") != NULL;
            dz_error_clear();
        }
    }
    while (first != UINT32_MAX) {
        me->good += dz_entities(me->world, first, page, 64, &count, &next) == DZ_OK;
        first = next;
    }
    for (dz_iterate_pool(me->world, me->id, me->number & 1 ? DZ_FORWARD : DZ_BACKWARD, &it); dz_next(&it);) {
        DZ_EACH(it, j) me->visited += DZ_ITEM(it, Value, j)->a == DZ_ITEM(it, Value, j)->b;
    }
    return NULL;
}

static void reading(void)
{
    static dz_entity e[N];
    static Value values[N];
    dz_world world = check_world();
    dz_id id = dz_component_simple(world, "Value", sizeof(Value), 8), tag = DZ_TAG(world, Tag);
    pthread_t threads[THREADS];
    reader readers[THREADS];
    uint32_t i;
    dz_entity dead;
    CHECK_OK(dz_create_n(world, N, e));
    for (i = 0; i < N; i++) values[i].a = values[i].b = i;
    CHECK_OK(dz_set_n(world, e, N, id, sizeof(Value), values));
    CHECK_OK(dz_add_n(world, e, N / 2, tag));
    CHECK_OK(dz_singleton_set(world, id, sizeof(Value), values));
    dead = dz_create(world);
    CHECK_OK(dz_destroy(world, dead));
    for (i = 0; i < THREADS; i++) {
        reader me = {{0}, 0, 0, NULL, 0, 0, 0, 0};
        me.world = world, me.id = id, me.tag = tag, me.e = e, me.dead = dead, me.number = i;
        readers[i] = me;
        CHECK(pthread_create(&threads[i], NULL, read_all, &readers[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (i = 0; i < THREADS; i++) {
        CHECK_EQ(readers[i].visited, N);
        CHECK_EQ(readers[i].good, readers[0].good);
        CHECK(readers[i].good >= N + N / 64 * 9);
    }
    CHECK_IS(dz_error_status(), DZ_OK); /* their errors were not ours */
    CHECK_OK(dz_world_destroy(world));
}

typedef struct {
    dz_world world;
    dz_query query, other;
    dz_id id;
    uint32_t part, seen, others, good;
} worker;

/* Writes the Values of a part, and reads what nobody writes. */
static void *work_on_a_part(void *argument)
{
    worker *me = (worker *)argument;
    dz_iter it, all;
    uint32_t i;
    dz_accessor counts;
    me->good += dz_accessor_init(me->world, me->id, &counts) == DZ_OK;
    for (dz_iterate_part(me->world, me->query, me->part, THREADS, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            dz_entity e = dz_iter_entity(&it, i);
            const uint32_t *count = DZ_AT_IF(it, uint32_t, 1, i);
            DZ_AT(it, Value, 0, i)->a += count ? *count : 1;
            me->good += dz_get(me->world, e, me->id) == count && dz_query_matches(me->world, me->query, e);
            me->good += dz_accessor_get(&counts, e) == count;
        }
        me->seen += it.count;
    }
    for (dz_iterate(me->world, me->other, &all); dz_next(&all);) { /* at the same time, everything that is only read */
        DZ_EACH(all, j) me->others += *DZ_AT(all, uint32_t, 0, j);
    }
    for (dz_iterate_runs(me->world, me->other, &all); dz_next(&all);) {
        for (i = 0; i < all.count; i++) me->others += DZ_RUN(all, uint32_t, 0)[i];
    }
    me->others += dz_query_count(me->world, me->other);
    me->good += !dz_query_is_empty(me->world, me->other) && dz_query_first(me->world, me->other) != DZ_NULL;
    return NULL;
}

/* Threads that iterate the parts of one query, in order and not, kept and not. */
static void parts(void)
{
    static dz_entity e[N];
    int kept, disorder;
    for (kept = 0; kept < 2; kept++) {
        for (disorder = 0; disorder < 2; disorder++) {
            dz_world world = check_world();
            dz_id id = dz_component_simple(world, "Value", sizeof(Value), 8);
            dz_id count = dz_component_simple(world, "Count", 4, 4), tag = DZ_TAG(world, Tag);
            dz_query_desc desc = DZ_QUERY_DESC_INIT;
            dz_query query, other;
            pthread_t threads[THREADS];
            worker workers[THREADS];
            uint32_t i, expected = 0, seen = 0, number = 1, others = 0;
            CHECK_OK(dz_create_n(world, N, e));
            CHECK_OK(dz_add_n(world, e, N, id));
            for (i = 0; i < N; i++) {
                if (i % 3 == 0) CHECK_OK(dz_set(world, e[i], count, sizeof number, &number)), number++;
                if (i % 50 == 0) CHECK_OK(dz_add(world, e[i], tag));
                if (disorder && i % 7 == 0) CHECK_OK(dz_remove(world, e[i], id));
            }
            desc.text = "Value, [in] ?Count, !Tag", desc.kept = (uint32_t)kept;
            query = dz_query_create(world, &desc);
            desc.text = "[in] Count", other = dz_query_create(world, &desc);
            if (kept) CHECK_OK(dz_query_refresh(world, query)), CHECK_OK(dz_query_refresh(world, other));
            expected = dz_query_count(world, query);
            for (i = 1; i < number; i++) others += 2 * i;
            others += number - 1;
            for (i = 0; i < THREADS; i++) {
                worker me = {{0}, {0}, {0}, 0, 0, 0, 0, 0};
                me.world = world, me.query = query, me.other = other, me.id = count, me.part = i;
                workers[i] = me;
                CHECK(pthread_create(&threads[i], NULL, work_on_a_part, &workers[i]) == 0);
            }
            for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
            for (i = 0; i < THREADS; i++) {
                seen += workers[i].seen;
                CHECK_EQ(workers[i].good, 2 * workers[i].seen + 2);
                CHECK_EQ(workers[i].others, others);
            }
            CHECK_EQ(seen, expected);
            for (i = 0; i < N; i++) { /* each was written exactly once */
                const Value *value = DZ_GET(world, e[i], Value, id);
                const uint32_t *given = DZ_GET(world, e[i], uint32_t, count);
                if (value) CHECK_EQ(value->a, i % 50 == 0 ? 0 : given ? *given : 1);
            }
            CHECK_OK(dz_world_destroy(world));
        }
    }
}

static void *live_a_life(void *argument)
{
    int32_t layout = *(int32_t *)argument;
    uint32_t round, i, bad = 0;
    for (round = 0; round < 20; round++) {
        dz_world_desc desc = DZ_WORLD_DESC_INIT;
        dz_world world;
        dz_id id;
        dz_entity e[200];
        desc.layout = layout;
        world = dz_world_create(&desc);
        id = dz_component_simple(world, "Value", sizeof(Value), 8);
        bad += dz_create_n(world, 200, e) != DZ_OK;
        bad += dz_add_n(world, e, 200, id) != DZ_OK;
        for (i = 0; i < 200; i += 2) bad += dz_destroy(world, e[i]) != DZ_OK;
        bad += dz_destroy(world, e[0]) != DZ_ERR_DEAD;
        bad += dz_count(world, id) != 100;
        bad += dz_world_destroy(world) != DZ_OK;
        bad += dz_world_is_alive(world);
    }
    *(int32_t *)argument = (int32_t)bad;
    return NULL;
}

/* Worlds come and go on all threads at once. */
static void independent(void)
{
    pthread_t threads[THREADS];
    int32_t results[THREADS];
    uint32_t i;
    for (i = 0; i < THREADS; i++) {
        results[i] = (int32_t)(i & 1);
        CHECK(pthread_create(&threads[i], NULL, live_a_life, &results[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (i = 0; i < THREADS; i++) CHECK_EQ(results[i], 0);
}

static uint32_t asked;

static void *ask_for_worlds(void *argument)
{
    dz_world list[8], other = dz_world_create(NULL);
    uint32_t count;
    (void)argument;
    asked += dz_worlds(list, 8, &count) == DZ_OK && count == 1 && list[0].bits == other.bits;
    asked += dz_world_destroy(other) == DZ_OK && dz_worlds(NULL, 0, &count) == DZ_OK && count == 0;
    return NULL;
}

/* An allocator may wait for a thread that makes, lists and ends worlds. */
static void wait_for_another(void)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, ask_for_worlds, NULL) == 0);
    pthread_join(thread, NULL);
}

/* No lock is held while a world gets its memory, or gives it back. */
static void allocators_that_wait(void)
{
    dz_world_desc desc = DZ_WORLD_DESC_INIT;
    counting heap;
    dz_world world;
    desc.allocator = counting_allocator(&heap);
    heap.meanwhile = wait_for_another;
    world = dz_world_create(&desc);
    CHECK(world.bits != 0 && asked > 0 && asked % 2 == 0);
    heap.meanwhile = NULL, asked = 0;
    CHECK(dz_component_simple(world, "Value", 16, 8) != DZ_NULL && dz_create(world) != DZ_NULL);
    heap.meanwhile = wait_for_another;
    CHECK_OK(dz_world_destroy(world));
    CHECK(asked > 2 && asked % 2 == 0 && heap.blocks == 0);
}

int main(void)
{
    RUN(reading);
    RUN(parts);
    RUN(independent);
    RUN(allocators_that_wait);
    return check_done();
}
