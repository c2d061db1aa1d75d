/* Row l in C: the world, and the loop over it. */
#include "bodies.h"
#include "languages.h"

/* n entities with P, whose numbers are 0, and V, which are 1; or if `apart`, every second of them has V. */
bool languages_begin(uint32_t n, bool apart, languages *it)
{
    const P p = {0, 0, 0};
    const V v = {1, 1, 1};
    it->world = dz_world_create(NULL);
    it->p = DZ_COMPONENT(it->world, P);
    dz_id id = DZ_COMPONENT(it->world, V);
    for (uint32_t i = 0; i < n; i++) {
        dz_entity entity = dz_create(it->world);
        if (dz_failed(DZ_SET(it->world, entity, it->p, &p))) return false;
        if ((!apart || i % 2 == 0) && dz_failed(DZ_SET(it->world, entity, id, &v))) return false;
    }
    it->query = dz_query_parse(it->world, "P, [in] V");
    return it->query.bits != 0;
}

/* How often the loops have run, if each has moved all matches and nobody else; else -1. */
double languages_end(languages *it)
{
    double rounds = -1;
    bool good = true;
    dz_iter batch;
    for (dz_iterate(it->world, it->query, &batch); dz_next(&batch);)
        for (uint32_t i = 0; i < batch.count; i++) {
            const P *p = DZ_AT(batch, P, 0, i);
            if (rounds < 0) rounds = (double)p->x;
            good = good && (double)p->x == rounds && p->y == p->x && p->z == p->x;
        }
    return dz_world_destroy(it->world) == DZ_OK && good ? rounds : -1;
}

bool c_at(dz_world world, dz_query query)
{
    dz_iter it;
    for (dz_iterate(world, query, &it); dz_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) {
            P *p = DZ_AT(it, P, 0, i);
            const V *v = DZ_AT(it, V, 1, i);
            p->x += v->x;
            p->y += v->y;
            p->z += v->z;
        }
    return it.status == DZ_OK;
}

bool c_runs(dz_world world, dz_query query)
{
    dz_iter it;
    for (dz_iterate_runs(world, query, &it); dz_next(&it);) advance(DZ_RUN(it, P, 0), DZ_RUN(it, V, 1), it.count);
    return it.status == DZ_OK;
}
