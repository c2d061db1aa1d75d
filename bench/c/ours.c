/* denizen's loops, as a C program writes them: with the header's macros, against the shared library. */
#include "bodies.h"
#include <denizen/denizen.h>

/* One world and what was registered in it: P, V, C2 to C7, ten tags and the rare one. denizen_queries.rs
 * declares the same. */
typedef struct {
    dz_world world;
    dz_id parts[19];
} ours;

/* P: x += 1, element by element. */
void ours_step_at(const ours *our)
{
    dz_iter it;
    for (dz_iterate_pool(our->world, our->parts[0], DZ_FORWARD, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) DZ_ITEM(it, P, i)->x += 1.0f;
    }
}

/* P: x += 1, run by run. */
void ours_step_runs(const ours *our)
{
    dz_iter it;
    for (dz_iterate_pool(our->world, our->parts[0], DZ_FORWARD, &it); dz_next(&it);) step(it.data, it.count);
}
