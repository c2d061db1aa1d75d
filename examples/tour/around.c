/* Listeners, and looking into a world. */
#include "tour.h"

static void hears(const dz_event *event, void *user)
{
    const Position *p = event->data;                        // readable: a remove is told of before it happens
    (void)user;
    printf("a position is removed: %g\n", (double)p->x);
}

static void listeners(void)
{
    dz_entity ship = dz_create(world);
    DZ_SET(world, ship, position, &(Position){4, 0});
    dz_listener listener = dz_listen(world, DZ_ON_REMOVE, position, hears, NULL);
    dz_destroy(world, ship);
    must(dz_unlisten(world, listener));
}

static void logged(dz_status status, const char *message, void *user)
{
    (void)status, (void)user;
    printf("log: %s\n", message);
}

static void looking(void)
{
    dz_world_desc desc = DZ_WORLD_DESC_INIT;
    desc.log = logged;                                      // told of each error at once
    desc.byte_budget = 1 << 20;                             // never more than this
    dz_world small = dz_world_create(&desc);
    dz_id tag = dz_component_simple(small, "Tag", 0, 1);
    dz_add(small, DZ_NULL, tag);
    must(dz_reserve(small, 100));                           // that many are created without asking for memory

    dz_world_numbers numbers;
    must(dz_world_stats(small, &numbers));
    printf("%u components, room for 100: %d\n", (unsigned)numbers.components, numbers.capacity >= 100);
    dz_component_details known;
    must(dz_component_info(small, tag, &known));
    printf("%s, %u bytes, the same by name: %d\n", known.name, (unsigned)known.element_size,
        dz_component_find(small, "Tag") == tag);
    const dz_component *itself = dz_get(small, tag, dz_component_id(small));
    printf("pool %u\n", (unsigned)itself->pool);
    must(dz_shrink(small));

    dz_world all[8];
    uint32_t count;
    must(dz_worlds(all, 8, &count));                        // at the end of a program: who was forgotten
    printf("%u worlds\n", (unsigned)count);
    dz_world_destroy(small);
}

void around(void)
{
    listeners();
    looking();
}
