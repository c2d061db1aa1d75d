/* The conformance list: what every binding shows that it can do. This is the C program; each binding has the same in
 * its language, and prints the same, line by line: expected.txt. */
#include "conformance.h"
#include <string.h>

static int32_t layout;

dz_world new_world(void)
{
    dz_world_desc desc = DZ_WORLD_DESC_INIT;
    desc.layout = layout;
    return dz_world_create(&desc);
}

void answer(const char *what, dz_status status)
{
    printf("%s: %s\n", what, dz_status_name(status));
}

void refused(const char *what)
{
    const char *sentence = dz_error_message(), *call = strstr(sentence, ": ");
    printf("%s: %s: %s\n", what, dz_status_name(dz_error_status()), call ? call + 2 : sentence);
    dz_error_clear();
}

void yes(const char *what, bool is)
{
    printf("%s: %s\n", what, is ? "yes" : "no");
}

dz_entity at(dz_world world, dz_id position, int32_t x)
{
    dz_entity entity = dz_create(world);
    DZ_SET(world, entity, position, (&(Position){x, 0}));
    return entity;
}

int32_t number(dz_world world, dz_entity entity, dz_id position)
{
    const Position *p = DZ_GET(world, entity, Position, position);
    return p ? p->x : 0;
}

int main(void)
{
    static const struct { const char *title; void (*run)(void); } sections[] = {
        {"quickstart", quickstart},
        {"stale handles", stale_handles},
        {"foreign worlds", foreign_worlds},
        {"misuse", misuse},
        {"hooks", hooks},
        {"bulk", bulk},
        {"listeners", listeners},
        {"queries", queries},
        {"changes while iterating", changes_while_iterating},
        {"pairs", pairs},
        {"hierarchy", hierarchy},
        {"names", names},
        {"instances", instances},
        {"disabling", disabling},
    };
    uint32_t i, left = 1;
    for (layout = DZ_LAYOUT_64; layout <= DZ_LAYOUT_32; layout++) {
        for (i = 0; i < sizeof sections / sizeof *sections; i++) {
            printf("== %u %s, %s\n", i + 1, sections[i].title, layout == DZ_LAYOUT_64 ? "64-bit" : "32-bit");
            dz_error_clear();
            sections[i].run();
        }
    }
    dz_worlds(NULL, 0, &left);
    printf("worlds left: %u\n", left);
    return 0;
}
