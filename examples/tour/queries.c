/* Queries: batches, changes inside a loop, kept queries, parts for threads. */
#include "tour.h"

static dz_entity ship(float x, bool is_frozen)
{
    dz_entity made = dz_create(world);
    DZ_SET(world, made, position, &(Position){x, 0});
    DZ_SET(world, made, velocity, &(Velocity){1, 0});
    if (is_frozen) dz_add(world, made, frozen);
    return made;
}

static void batches(void)
{
    dz_query movers = dz_query_parse(world, "Position, [in] Velocity, ?Mass, !Frozen");
    dz_iter it;
    for (dz_iterate(world, movers, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {               // changes values only
            Position *p = DZ_AT(it, Position, 0, i);            // 0: the first term
            const Velocity *v = DZ_AT(it, Velocity, 1, i);
            const Mass *m = DZ_AT_IF(it, Mass, 2, i);           // NULL for who has none
            p->x += v->x / (m ? m->kg : 1);
        }
    }
    must((dz_status)it.status);                                 // DZ_OK: the loop saw all there is

    for (dz_iterate_runs(world, movers, &it); dz_next(&it);) {  // plain arrays, for SIMD
        Position *p = DZ_RUN(it, Position, 0);
        const Velocity *v = DZ_RUN(it, Velocity, 1);
        for (uint32_t i = 0; i < it.count; i++) p[i].y += v[i].y;
    }

    for (dz_iterate(world, movers, &it); dz_next(&it);) {
        DZ_EACH(it, i) {                                        // may create, destroy, add and remove
            if (DZ_AT(it, Position, 0, i)->x > 8) dz_destroy(world, dz_iter_entity(&it, i));
        }
    }

    bool found = false;                                         // break leaves the inner loop, so the outer one asks
    for (dz_iterate(world, movers, &it); !found && dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (DZ_AT(it, Position, 0, i)->x > 7) {
                found = true;
                break;
            }
        }
    }
    printf("one is beyond 7: %d, ", found);
    printf("%u are left\n", (unsigned)dz_query_count(world, movers));
    must(dz_query_destroy(world, movers));
}

static void stop_all(dz_iter *batch, void *user)
{
    for (uint32_t i = 0; i < batch->count; i++) DZ_AT(*batch, Velocity, 0, i)->x = 0;
    *(uint32_t *)user += batch->count;
}

/* The same from terms, for code that has ids and not names; and questions that need no loop. */
static void asking(void)
{
    dz_term terms[] = {{.id = velocity}, {.id = frozen, .ask = DZ_WITHOUT}};
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    desc.terms = terms, desc.term_count = 2;
    dz_query awake = dz_query_create(world, &desc);
    uint32_t stopped = 0;
    must(dz_query_each(world, awake, stop_all, &stopped));      // with a callback

    dz_entity one = dz_query_first(world, awake);
    printf("%u stopped, the first matches: %d, nobody does: %d\n", (unsigned)stopped,
        dz_query_matches(world, awake, one), dz_query_is_empty(world, awake));
    if (dz_query_single(world, awake) == DZ_NULL) printf("%s\n", dz_error_message());
    must(dz_query_destroy(world, awake));
}

/* A kept query remembers where its matches are. */
static void kept(void)
{
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    desc.text = "Position, [in] Velocity", desc.kept = 1;
    dz_query movers = dz_query_create(world, &desc);
    must(dz_optimize(world, UINT32_MAX, NULL));                 // after loading; in frames, see docs/queries.md
    must(dz_query_refresh(world, movers));                      // after changes, before many threads read

    dz_query_details known;
    must(dz_query_info(world, movers, &known));
    printf("a kept query of %u terms, fresh: %u\n", (unsigned)known.term_count, (unsigned)known.fresh);
    dz_term terms[DZ_MAX_TERMS];
    uint32_t count;
    must(dz_query_terms(world, movers, terms, DZ_MAX_TERMS, &count));
    printf("its second term only reads: %d\n", terms[1].access == DZ_IN);

    float sum = 0;
    for (uint32_t part = 0; part < 4; part++) {                 // each part for a thread of yours
        dz_iter it;
        for (dz_iterate_part(world, movers, part, 4, &it); dz_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++) sum += DZ_AT(it, Position, 0, i)->x;
        }
    }
    printf("the parts are the whole: %g\n", (double)sum);
    must(dz_query_list(world, NULL, 0, &count));
    printf("%u query in this world\n", (unsigned)count);
    must(dz_query_destroy(world, movers));
}

void queries(void)
{
    for (int i = 0; i < 10; i++) ship((float)i, i == 3);
    batches();
    asking();
    kept();
    must(dz_world_clear(world));                                // all entities; components stay
}
