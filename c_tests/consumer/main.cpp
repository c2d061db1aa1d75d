#include <cstdio>
#include <denizen/denizen.h>

struct Position {
    float x, y;
};

int main()
{
    dz_world world = dz_world_create(nullptr);
    dz_id position = DZ_COMPONENT(world, Position);
    dz_entity ship = dz_create(world);
    Position here{1, 2};
    bool good = DZ_SET(world, ship, position, &here) == DZ_OK && DZ_GET(world, ship, Position, position)->y > 1 &&
                dz_version() == DZ_VERSION && dz_world_destroy(world) == DZ_OK;
    std::printf("C++: %s\n", good ? "works" : dz_error_message());
    return !good;
}
