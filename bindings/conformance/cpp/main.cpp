/* The conformance list in C++: what it prints is what the program in C prints. */
#include "conformance.hpp"

static int32_t layout;
static unsigned sections;

denizen::world new_world()
{
    dz_world_desc desc = dz_world_desc_init();
    desc.layout = layout;
    return denizen::world(desc);
}

void section(const char *title, void (*run)())
{
    std::printf("== %u %s, %s\n", ++sections, title, layout == DZ_LAYOUT_64 ? "64-bit" : "32-bit");
    dz_error_clear();
    run();
}

int main()
{
    for (layout = DZ_LAYOUT_64; layout <= DZ_LAYOUT_32; layout++) {
        sections = 0;
        handles();
        storage();
        queries();
        relations();
    }
    uint32_t left = 1;
    dz_worlds(nullptr, 0, &left);
    std::printf("worlds left: %u\n", left);
}
