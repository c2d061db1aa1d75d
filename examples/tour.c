/* A tour of the library: the listings of docs/c.md, in its order. Each stop is a function of examples/tour/. */
#include "tour/tour.h"

dz_world world;
dz_id position, velocity, mass, frozen;

/* The first hour: a world, components, an entity, its values. */
static void first(void)
{
    world = dz_world_create(NULL);                // NULL: every default
    position = DZ_COMPONENT(world, Position);     // by name, size and alignment
    velocity = DZ_COMPONENT(world, Velocity);
    mass = DZ_COMPONENT(world, Mass);
    frozen = DZ_TAG(world, Frozen);               // a tag has no data

    dz_entity ship = dz_create(world);
    DZ_SET(world, ship, position, &(Position){1, 2});
    const Position *p = DZ_GET(world, ship, Position, position);    // to read
    Position *q = DZ_GET_MUT(world, ship, Position, position);      // to write
    q->x += 10;
    printf("the ship is at %g %g\n", (double)p->x, (double)p->y);

    dz_add(world, ship, frozen);
    if (dz_has(world, ship, frozen)) puts("it is frozen");
    dz_remove(world, ship, frozen);
    dz_destroy(world, ship);
}

/* Errors: a status or an empty value, and a sentence. */
static void errors(void)
{
    dz_entity rock = dz_create(world);
    dz_status status = dz_remove(world, rock, position);
    if (status == DZ_NOT_THERE) puts("an answer: it has no position");      // positive: nothing was wrong
    dz_destroy(world, rock);

    status = dz_destroy(world, rock);
    if (dz_failed(status)) printf("%s: %s\n", dz_status_name(status), dz_error_message());
    if (dz_get(world, rock, position) == NULL && dz_error_status() != DZ_OK) puts(dz_error_message());

    dz_error_clear();                                                       // before a NULL that may be an answer
    printf("alive: %d, why not: %s\n", dz_is_alive(world, rock), dz_status_name(dz_why(world, rock)));
}

/* Parts of handles, and their forms in print. */
static void handles(void)
{
    char text[128];
    dz_entity ship = dz_create(world);
    dz_set_name(world, ship, "ship");
    DZ_SET(world, ship, mass, &(Mass){7});
    dz_entity_text(ship, text, sizeof text);
    printf("%s is index %u of generation %u in world %u\n", text, (unsigned)dz_entity_index(ship),
        (unsigned)dz_entity_generation(ship), (unsigned)dz_entity_world(ship));
    dz_describe(world, ship, text, sizeof text);
    puts(text);
    dz_destroy(world, ship);
    printf("its slot is at generation %u\n", (unsigned)dz_generation(world, dz_entity_index(ship)));
    dz_entity same = dz_entity_make(dz_world_number(world), dz_entity_index(ship), dz_entity_generation(ship));
    printf("made from parts: %d\n", same == ship);
}

int main(void)
{
    if (dz_version() >> 16 != DZ_VERSION_MAJOR) return 2;
    first();
    errors();
    handles();
    values();
    many();
    queries();
    order();
    relations();
    around();
    saves();
    dz_world_destroy(world);
    return dz_world_why(world) == DZ_ERR_WORLD_DEAD ? 0 : 1;
}
