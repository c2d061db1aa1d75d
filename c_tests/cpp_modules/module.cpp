/* A module, compiled twice: MODULE is 1 or 2. Each meets the types in another order. */
#include "module.hpp"

#include <memory>

namespace {

std::unique_ptr<denizen::listener> listening;

dz_entity make(dz_world world, int32_t value)
{
    denizen::world_view w(world);
#if MODULE == 1
    denizen::entity e = w.create(Position{value, 1});
    e.set(Velocity{value, 2}).add<Frozen>();
#else
    denizen::entity e = w.create().add<Frozen>();
    e.set(Velocity{value, 2}).set(Position{value, 1});
#endif
    return e.emplace<Name>(MODULE == 1 ? "made by module 1, which says it at some length" : "made by module 2, which says it at some length");
}

int32_t read(dz_world world, dz_entity entity)
{
    denizen::entity e(world, entity);
    int32_t sum = 0;
    denizen::world_view(world).each([&](const Velocity &v, const Position &p, const Name &name) {
        sum += v.x + p.x + static_cast<int32_t>(name.text.size() > 40);
    });
    return sum + e.get<Position>().y + e.get<Velocity>().y + e.has<Frozen>();
}

dz_id position(dz_world world) { return denizen::world_view(world).id<Position>(); }

void listen(dz_world world)
{
    listening = std::make_unique<denizen::listener>(denizen::world_view(world).on_add<Frozen>([](denizen::entity e) { e.get_mut<Position>().y += MODULE; }));
}

void quit() { listening.reset(); }

} // namespace

/* Another type of the program's name. */
namespace stranger {
struct Velocity {
    double x, y;
};
} // namespace stranger
DENIZEN_NAME(stranger::Velocity, "Velocity");

namespace {

dz_status conflict(dz_world world)
{
    try {
        denizen::world_view(world).create(stranger::Velocity{1, 2});
    } catch (const denizen::error &e) {
        return e.status();
    }
    return DZ_OK;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const module_functions module_of;
extern "C" const module_functions module_of = {make, read, position, listen, quit, conflict};
