/* A save: all entities with what they have, and the same handles afterwards. */
#include "tour.h"

typedef struct { dz_entity entity; Position at; } Saved;

static uint32_t save(Saved *saved, uint32_t room)
{
    dz_entity batch[64];
    uint32_t count, next = 0, written = 0;
    while (next != UINT32_MAX) {
        must(dz_entities(world, next, batch, 64, &count, &next));    // a piece at a time
        for (uint32_t i = 0; i < count; i++) {
            const Position *at = dz_get(world, batch[i], position);
            if (at && written < room) saved[written++] = (Saved){batch[i], *at};
        }
    }
    return written;
}

static void load(const Saved *saved, uint32_t count)
{
    dz_entity handles[64];
    for (uint32_t n; count > 0; saved += n, count -= n) {
        n = count < 64 ? count : 64;
        for (uint32_t i = 0; i < n; i++) handles[i] = saved[i].entity;
        must(dz_create_at_n(world, handles, n));                     // exactly these handles, or none
        for (uint32_t i = 0; i < n; i++) DZ_SET(world, saved[i].entity, position, &saved[i].at);
    }
}

void saves(void)
{
    Saved saved[128];
    dz_world_desc desc = DZ_WORLD_DESC_INIT;
    desc.layout = DZ_LAYOUT_32;                                      // handles that name no world fit any
    must(dz_world_destroy(world));
    for (int run = 0; run < 2; run++) {
        world = dz_world_create(&desc);
        position = DZ_COMPONENT(world, Position);
        if (run == 0) {
            for (int i = 0; i < 100; i++) DZ_SET(world, dz_create(world), position, &(Position){(float)i, 0});
            uint32_t count = save(saved, 128);
            printf("%u saved\n", (unsigned)count);
            dz_world_destroy(world);
        } else {
            load(saved, 100);
            printf("the last is at %g\n", (double)DZ_GET(world, saved[99].entity, Position, position)->x);
        }
    }

    dz_id type[16], all[16];
    uint32_t count;
    must(dz_type(world, saved[0].entity, type, 16, &count));         // what to save of an entity you know nothing of
    printf("it has %u component: %s\n", (unsigned)count, dz_name(world, type[0]));
    must(dz_components(world, all, 16, &count));
    printf("%u are registered\n", (unsigned)count);
    dz_destroy(world, saved[0].entity);
    if (dz_failed(dz_create_at(world, saved[0].entity))) puts("its handle is stale now, and stays so");
}
