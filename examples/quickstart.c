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
    DZ_SET(world, ship, position, &(Position){0, 0, 0});
    DZ_SET(world, ship, velocity, &(Velocity){1, 2, 0});  // a wrong size is an error, not an overrun
    DZ_SET(world, rock, position, &(Position){9, 9, 9});
    DZ_SET(world, rock, velocity, &(Velocity){1, 2, 0});
    dz_add(world, rock, frozen);

    dz_query movers = dz_query_parse(world, "Position, [in] Velocity, !Frozen");
    dz_iter it;
    for (dz_iterate(world, movers, &it); dz_next(&it);) {  // batch by batch
        for (uint32_t i = 0; i < it.count; i++) {
            Position *p = DZ_AT(it, Position, 0, i);  // 0: the first term
            const Velocity *v = DZ_AT(it, Velocity, 1, i);
            p->x += v->x, p->y += v->y, p->z += v->z;
        }
    }

    const Position *p = DZ_GET(world, ship, Position, position);
    if (p != NULL) printf("the ship is at %g %g %g\n", p->x, p->y, p->z);

    dz_destroy(world, ship);
    if (dz_get(world, ship, position) == NULL) puts(dz_error_message());  // says why: the ship is dead
    dz_world_destroy(world);
}
