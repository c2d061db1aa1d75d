/* denizen's loops, as a C program writes them: with the header's macros, against the shared library. */
#include "bodies.h"
#include <denizen/denizen.h>

/* One world and what was registered in it: P, V, C2 to C7, ten tags and the rare one; and the query, or
 * the group of P and V. denizen_queries.rs declares the same. */
typedef struct {
    dz_world world;
    dz_query query;
    dz_group group;
    int32_t terms;
    dz_id parts[19];
} ours;

#define VALUE(k) (DZ_AT(it, const C, k, i)->value)

/* The floor's loop over P, by eights as that one, element by element. */
static inline void step_at(const dz_iter *it)
{
    size_t i = 0;
    for (; i + 8 <= it->count; i += 8) {
        DZ_AT(*it, P, 0, i)->x += 1.0f;
        DZ_AT(*it, P, 0, i + 1)->x += 1.0f;
        DZ_AT(*it, P, 0, i + 2)->x += 1.0f;
        DZ_AT(*it, P, 0, i + 3)->x += 1.0f;
        DZ_AT(*it, P, 0, i + 4)->x += 1.0f;
        DZ_AT(*it, P, 0, i + 5)->x += 1.0f;
        DZ_AT(*it, P, 0, i + 6)->x += 1.0f;
        DZ_AT(*it, P, 0, i + 7)->x += 1.0f;
    }
    for (; i < it->count; i++) DZ_AT(*it, P, 0, i)->x += 1.0f;
}

/* The loop of a query, element by element: DZ_AT reads runs and gathers. */
void ours_at(const ours *our)
{
    dz_iter it;
    switch (our->terms) {
    case 1:
        for (dz_iterate(our->world, our->query, &it); dz_next(&it);)
            step_at(&it);
        break;
    case 2:
        for (dz_iterate(our->world, our->query, &it); dz_next(&it);)
            for (uint32_t i = 0; i < it.count; i++) {
                P *p = DZ_AT(it, P, 0, i);
                const V *v = DZ_AT(it, V, 1, i);
                p->x += v->x;
                p->y += v->y;
                p->z += v->z;
            }
        break;
#define LOOP(terms, more)                                                   \
    case terms:                                                             \
        for (dz_iterate(our->world, our->query, &it); dz_next(&it);)        \
            for (uint32_t i = 0; i < it.count; i++) {                       \
                P *p = DZ_AT(it, P, 0, i);                                  \
                const V *v = DZ_AT(it, V, 1, i);                            \
                p->x += v->x + (more);                                      \
                p->y += v->y;                                               \
                p->z += v->z;                                               \
            }                                                               \
        break
    LOOP(3, VALUE(2));
    LOOP(4, VALUE(2) + VALUE(3));
    LOOP(5, VALUE(2) + VALUE(3) + VALUE(4));
    LOOP(6, VALUE(2) + VALUE(3) + VALUE(4) + VALUE(5));
    LOOP(7, VALUE(2) + VALUE(3) + VALUE(4) + VALUE(5) + VALUE(6));
    LOOP(8, VALUE(2) + VALUE(3) + VALUE(4) + VALUE(5) + VALUE(6) + VALUE(7));
    }
}

/* The loop of a query, run by run: every field is an array, and the loop over it is the floor's own. */
void ours_runs(const ours *our)
{
    dz_iter it;
    for (dz_iterate_runs(our->world, our->query, &it); dz_next(&it);)
        floor_run(our->terms, it.count, DZ_RUN(it, P, 0), DZ_RUN(it, V, 1), (const C *const *)(void *)it.fields);
}

/* The loop of the group, element by element. */
void ours_group_at(const ours *our)
{
    dz_iter it;
    for (dz_iterate_group(our->world, our->group, DZ_FORWARD, &it); dz_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) {
            P *p = DZ_AT(it, P, 0, i);
            const V *v = DZ_AT(it, V, 1, i);
            p->x += v->x;
            p->y += v->y;
            p->z += v->z;
        }
}

/* The loop of the group, run by run: all its batches are runs. */
void ours_group_runs(const ours *our)
{
    dz_iter it;
    for (dz_iterate_group(our->world, our->group, DZ_FORWARD, &it); dz_next(&it);)
        floor_run(2, it.count, DZ_RUN(it, P, 0), DZ_RUN(it, V, 1), NULL);
}

static int32_t by_x(const void *a, const void *b, dz_entity entity_a, dz_entity entity_b, void *user)
{
    const P *left = a, *right = b;
    (void)entity_a, (void)entity_b, (void)user;
    return (left->x > right->x) - (left->x < right->x);
}

/* Brings the pool of P into the order of x. */
dz_status ours_sort(const ours *our)
{
    return dz_sort(our->world, our->parts[0], by_x, NULL, DZ_SORT_ONCE);
}

/* Writes who is in a pool, front to back, and says how many there are. `out` has room for all. */
size_t ours_members(dz_world world, dz_id id, dz_entity *out)
{
    size_t count = 0;
    dz_iter it;
    for (dz_iterate_pool(world, id, DZ_FORWARD, &it); dz_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) out[count++] = dz_iter_entity(&it, i);
    return count;
}
