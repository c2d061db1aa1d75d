#include <denizen/denizen.h>
#include <stdio.h>

typedef struct { float x, y; } Position;

int main(void)
{
    dz_world world = dz_world_create(NULL);
    dz_id position = DZ_COMPONENT(world, Position);
    dz_entity ship = dz_create(world);
    Position here = {1, 2};
    bool good = DZ_SET(world, ship, position, &here) == DZ_OK && DZ_GET(world, ship, Position, position)->y > 1 &&
                dz_version() == DZ_VERSION && dz_world_destroy(world) == DZ_OK;
    printf("C: %s\n", good ? "works" : dz_error_message());
    return !good;
}
