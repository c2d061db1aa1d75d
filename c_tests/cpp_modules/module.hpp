/* What the program and its modules have in common: types, and nothing that is linked. */
#ifndef MODULE_HPP
#define MODULE_HPP

#include <denizen/denizen.hpp>

#include <string>

struct Position {
    int32_t x, y;
};
struct Velocity {
    int32_t x, y;
};
struct Name {
    std::string text;
    explicit Name(std::string t) : text(std::move(t)) {} /* can't be made of nothing */
    Name(Name &&) = default;
    Name(const Name &) = delete;
};
struct Frozen {};

/* What a module does with a world of the program's: see module.cpp. */
struct module_functions {
    dz_entity (*make)(dz_world world, int32_t value);
    int32_t (*read)(dz_world world, dz_entity entity);
    dz_id (*position)(dz_world world);
    void (*listen)(dz_world world);
    void (*quit)();
    dz_status (*conflict)(dz_world world);
};

/* What the one without exceptions does: see module_results.cpp. */
struct results_functions {
    dz_status (*status)(dz_world world, dz_entity entity);
};

#endif
