/* Queries: made of text and of terms, read batch by batch, counted, and changed under way. */
#include "conformance.h"

/* The matches of a query, in its order. */
static void list(dz_world world, const char *what, dz_query query, dz_id position)
{
    dz_iter it;
    printf("%s:", what);
    for (dz_iterate(world, query, &it); dz_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            printf(" %d", (int)number(world, dz_iter_entity(&it, i), position));
    printf(" (%u)\n", dz_query_count(world, query));
}

void queries(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position), velocity = DZ_COMPONENT(world, Velocity);
    dz_id mass = DZ_COMPONENT(world, Mass), red = DZ_TAG(world, Red), blue = DZ_TAG(world, Blue);
    dz_entity e[12], nobody;
    dz_query movers, heavy, coloured, made, single;
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_term terms[3] = {{0}};
    dz_iter it;
    int32_t sum = 0;
    uint32_t i, part, parts = 0;

    for (i = 0; i < 12; i++) {
        e[i] = at(world, position, (int32_t)i + 1);
        if (i % 2 == 0) DZ_SET(world, e[i], velocity, (&(Velocity){(int32_t)i, 1}));
        if (i % 3 == 0) DZ_SET(world, e[i], mass, (&(Mass){(int32_t)i * 10}));
        if (i % 4 == 1) dz_add(world, e[i], red);
        if (i % 5 == 2) dz_add(world, e[i], blue);
    }
    movers = dz_query_parse(world, "Position, [in] Velocity");
    list(world, "Position, [in] Velocity", movers, position);
    heavy = dz_query_parse(world, "Position, ?Mass, !Velocity");
    printf("Position, ?Mass, !Velocity:");
    for (dz_iterate(world, heavy, &it); dz_next(&it);) {
        for (i = 0; i < it.count; i++) {
            const Mass *m = DZ_AT_IF(it, Mass, 1, i);
            printf(" %d/%d", (int)DZ_AT(it, Position, 0, i)->x, m ? (int)m->kg : -1);
        }
    }
    printf("\n");
    coloured = dz_query_parse(world, "Position, Red || Blue");
    list(world, "Position, Red || Blue", coloured, position);

    terms[0].id = position;
    terms[1].id = velocity, terms[1].access = DZ_IN;
    terms[2].id = mass, terms[2].ask = DZ_WITHOUT;
    desc.terms = terms;
    desc.term_count = 3;
    made = dz_query_create(world, &desc);
    list(world, "from terms", made, position);
    for (dz_iterate(world, made, &it); dz_next(&it);)
        for (i = 0; i < it.count; i++) DZ_AT(it, Position, 0, i)->y += DZ_AT(it, Velocity, 1, i)->y;
    for (i = 0; i < 12; i++) sum += DZ_GET(world, e[i], Position, position)->y;
    printf("moved: %d\n", (int)sum);

    sum = 0;
    for (dz_iterate_runs(world, movers, &it); dz_next(&it);) {
        const Position *p = DZ_RUN(it, Position, 0);
        for (i = 0; i < it.count; i++) sum += p[i].x;
    }
    printf("sum by runs: %d\n", (int)sum);
    for (part = 0; part < 3; part++)
        for (dz_iterate_part(world, movers, part, 3, &it); dz_next(&it);) parts += it.count;
    printf("matches in three parts: %u\n", parts);
    printf("first: %d\n", (int)number(world, dz_query_first(world, movers), position));
    yes("the second matches", dz_query_matches(world, movers, e[1]));
    yes("the third matches", dz_query_matches(world, movers, e[2]));
    yes("is empty", dz_query_is_empty(world, movers));
    nobody = dz_query_single(world, movers);
    if (nobody == DZ_NULL) refused("the single mover");
    single = dz_query_parse(world, "Red, Blue");
    yes("nobody is both", dz_query_is_empty(world, single));
    dz_add(world, e[0], red), dz_add(world, e[0], blue);
    printf("the single one that is both: %d\n", (int)number(world, dz_query_single(world, single), position));
    answer("destroy the query", dz_query_destroy(world, single));
    if (dz_failed(dz_iterate(world, single, &it))) refused("iterate it");
    yes("next", dz_next(&it));
    dz_world_destroy(world);
}

void changes_while_iterating(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position), velocity = DZ_COMPONENT(world, Velocity);
    dz_query movers;
    dz_iter it;
    for (int32_t n = 1; n <= 8; n++) DZ_SET(world, at(world, position, n), velocity, (&(Velocity){n, n}));
    movers = dz_query_parse(world, "Position, Velocity");

    printf("velocity is taken off the odd:");
    for (dz_iterate(world, movers, &it); dz_next(&it);) {
        DZ_EACH(it, i) {
            dz_entity entity = dz_iter_entity(&it, i);
            int32_t x = DZ_AT(it, Position, 0, i)->x;
            printf(" %d", (int)x);
            if (x % 2) dz_remove(world, entity, velocity);
        }
    }
    answer("; ended with", it.status);
    list(world, "left", movers, position);
    printf("the next one is destroyed:");
    for (dz_iterate(world, movers, &it); dz_next(&it);) {
        DZ_EACH(it, i) {
            dz_entity entity = dz_iter_entity(&it, i);
            printf(" %d", (int)DZ_AT(it, Position, 0, i)->x);
            if (DZ_AT(it, Position, 0, i)->x == 4) dz_destroy(world, entity + 2); /* 6, two slots on */
        }
    }
    answer("; ended with", it.status);
    list(world, "left", movers, position);
    printf("all of a pool, from the last:");
    for (dz_iterate_pool(world, position, DZ_BACKWARD, &it); dz_next(&it);) {
        DZ_EACH(it, i) {
            printf(" %d", (int)DZ_ITEM(it, Position, i)->x);
            dz_destroy(world, dz_iter_entity(&it, i));
        }
    }
    answer("; ended with", it.status);
    printf("left: %u\n", dz_count(world, position));
    dz_world_destroy(world);
}
