#include <cstdio>
#include <denizen/denizen.hpp>

struct Position { float x, y, z; };
struct Velocity { float x, y, z; };
struct Frozen {};

int main()
{
    denizen::world world;
    denizen::entity ship = world.create(Position{0, 0, 0}, Velocity{1, 2, 0});
    world.create(Position{9, 9, 9}, Velocity{1, 2, 0}, Frozen{});
    world.each<denizen::without<Frozen>>([](Position &p, const Velocity &v) { p.x += v.x, p.y += v.y, p.z += v.z; });

    const Position &p = ship.get<Position>();
    std::printf("the ship is at %g %g %g\n", p.x, p.y, p.z);

    ship.destroy();
    try {
        ship.get<Position>();
    } catch (const denizen::error &e) {
        std::puts(e.what()); // says why: the ship is dead
    }
}
