#include <cstdio>
#include <denizen/denizen.hpp>

struct Position {
    float x, y;
};

int main()
{
    denizen::world world;
    denizen::entity ship = world.create(Position{1, 2});
    dz_id position = world.id<Position>();
    bool good = ship.get<Position>().y > 1 && DZ_GET(world, ship, Position, position)->y > 1 && dz_version() == DZ_VERSION;
    world.destroy();
    std::printf("C++: %s\n", good ? "works" : dz_error_message());
    return !good;
}
