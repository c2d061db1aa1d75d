/* A module without exceptions, which asks for errors too. */
#include "module.hpp"

static dz_status status(dz_world world, dz_entity entity)
{
    denizen::entity e(world, entity);
    auto has = e.has<Position>();
    auto name = e.get<Name>();
    auto destroyed = e.destroy();
    return has.error().status() == DZ_OK && *has.error().message() == 0 ? name.error().status() : destroyed.error().status();
}

extern "C" __attribute__((visibility("default"))) const results_functions module_of;
extern "C" const results_functions module_of = {status};
