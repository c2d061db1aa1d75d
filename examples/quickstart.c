#include <denizen/denizen.h>
#include <stdio.h>

typedef struct { float x, y, z; } Position;
typedef struct { float x, y, z; } Velocity;

int main(void)
{
    dz_world world = dz_world_create(NULL);          // NULL: every default
    dz_id position = DZ_COMPONENT(world, Position);  // by name, size and alignment
    dz_id velocity = DZ_COMPONENT(world, Velocity);
    dz_id frozen = DZ_TAG(world, Frozen);

    dz_entity ship = dz_create(world), rock = dz_create(world);
    DZ_SET(world, ship, position, (&(Position){0, 0, 0}));
    DZ_SET(world, ship, velocity, (&(Velocity){1, 2, 0}));  // a wrong size is an error, not an overrun
    DZ_SET(world, rock, position, (&(Position){9, 9, 9}));
    DZ_SET(world, rock, velocity, (&(Velocity){1, 2, 0}));
    dz_add(world, rock, frozen);

    dz_iter it;  // everything that has a velocity, in runs of plain arrays
    for (dz_iterate_pool(world, velocity, DZ_FORWARD, &it); dz_next(&it);) {
        const Velocity *v = it.data;
        for (uint32_t i = 0; i < it.count; i++) {
            dz_entity entity = dz_iter_entity(&it, i);
            Position *p = DZ_GET_MUT(world, entity, Position, position);
            if (p == NULL || dz_has(world, entity, frozen)) continue;
            p->x += v[i].x, p->y += v[i].y, p->z += v[i].z;
        }
    }

    const Position *p = DZ_GET(world, ship, Position, position);
    if (p != NULL) printf("the ship is at %g %g %g\n", p->x, p->y, p->z);

    dz_destroy(world, ship);
    if (dz_get(world, ship, position) == NULL) puts(dz_error_message());  // says why: the ship is dead
    dz_world_destroy(world);
}
