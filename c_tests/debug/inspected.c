/* What the debuggers' printers are shown: they stop in stop_here. A status of 0 at the end says that looking disturbed nothing. */
#include <denizen/denizen.h>
#include <pthread.h>
#include <string.h>

typedef struct { float x, y; } Position;
typedef struct { float x, y; } Velocity;

static volatile unsigned long counter;
static volatile int stop;

static void *count(void *unused)
{
    while (!stop) counter++;
    return unused;
}

static int looks;

#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void stop_here(dz_world world, dz_entity ship)
{
    if (dz_is_alive(world, ship)) looks++;
}

int main(void)
{
    dz_world_desc narrow = DZ_WORLD_DESC_INIT;
    dz_world world = dz_world_create(NULL), small, none = {0}, gone = dz_world_create(NULL);
    dz_id position = DZ_COMPONENT(world, Position), velocity = DZ_COMPONENT(world, Velocity), pair;
    dz_entity earth = dz_create(world), sol = dz_create(world), dead = dz_create(world), likes = dz_create(world);
    dz_entity null = DZ_NULL, tiny;
    dz_status status = DZ_OK;
    uint64_t bits = earth;
    dz_query query;
    dz_iter it;
    char before[256];
    pthread_t other;
    char text[64];
    narrow.layout = DZ_LAYOUT_32;
    small = dz_world_create(&narrow), tiny = dz_create(small);
    dz_set_name(small, tiny, "tiny");
    dz_set_name(world, sol, "sol"), dz_set_name(world, earth, "earth"), dz_set_name(world, likes, "Likes");
    dz_set_parent(world, earth, sol);
    dz_add(world, earth, position), dz_add(world, earth, velocity), dz_add(world, sol, position);
    pair = dz_pair(world, likes, sol);
    query = dz_query_parse(world, "Position");
    if (dz_iterate(world, query, &it) != DZ_OK || !dz_next(&it)) return 2;
    dz_world_destroy(gone);
    dz_destroy(world, dead);
    status = dz_destroy(world, dead);
    strncpy(before, dz_error_message(), sizeof before - 1);
    before[sizeof before - 1] = 0;
    /* Functions that the printers call, and the program too: then it has symbols for them that lead nowhere. */
    if (dz_describe(world, earth, text, sizeof text) == 0 || dz_status_name(status)[0] != 'D') return 4;
    if (pthread_create(&other, NULL, count, NULL) != 0) return 3;
    while (counter == 0) { }
    stop_here(world, earth);
    stop = 1;
    pthread_join(other, NULL);
    if (strcmp(before, dz_error_message()) != 0 || dz_error_status() != status || looks != 1) return 1;
    return (int)(none.bits + (null != 0) + (bits != earth) + (pair == 0)) + (int)dz_world_destroy(small) + (int)dz_world_destroy(world);
}
