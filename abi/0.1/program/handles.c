/* The quickstart, and what bad handles and bad arguments come to. */
#include "conformance.h"

void quickstart(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position), velocity = DZ_COMPONENT(world, Velocity);
    dz_id frozen = DZ_TAG(world, Frozen);
    dz_entity ship = dz_create(world), rock = dz_create(world);
    dz_query movers;
    dz_iter it;
    const Position *p;

    DZ_SET(world, ship, position, (&(Position){0, 0}));
    DZ_SET(world, ship, velocity, (&(Velocity){1, 2}));
    DZ_SET(world, rock, position, (&(Position){9, 9}));
    DZ_SET(world, rock, velocity, (&(Velocity){1, 2}));
    dz_add(world, rock, frozen);

    movers = dz_query_parse(world, "Position, [in] Velocity, !Frozen");
    for (dz_iterate(world, movers, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            Position *to = DZ_AT(it, Position, 0, i);
            const Velocity *by = DZ_AT(it, Velocity, 1, i);
            to->x += by->x, to->y += by->y;
        }
    }
    p = DZ_GET(world, ship, Position, position);
    printf("the ship is at %d %d\n", (int)p->x, (int)p->y);
    p = DZ_GET(world, rock, Position, position);
    printf("the rock is at %d %d\n", (int)p->x, (int)p->y);
    dz_destroy(world, ship);
    if (DZ_GET(world, ship, Position, position) == NULL) refused("get of the destroyed ship");
    dz_world_destroy(world);
}

void stale_handles(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position);
    dz_entity dead = at(world, position, 1), next;
    answer("destroy", dz_destroy(world, dead));
    yes("the dead one is alive", dz_is_alive(world, dead));
    answer("why not", dz_why(world, dead));
    dz_error_clear();
    if (!dz_get(world, dead, position)) refused("get");
    if (!dz_get_mut(world, dead, position)) refused("get_mut");
    if (!dz_has(world, dead, position)) refused("has");
    if (dz_failed(DZ_SET(world, dead, position, (&(Position){2, 0})))) refused("set");
    if (dz_failed(dz_add(world, dead, position))) refused("add");
    if (dz_failed(dz_remove(world, dead, position))) refused("remove");
    if (dz_failed(dz_destroy(world, dead))) refused("destroy again");

    next = at(world, position, 3);
    yes("the slot is used again", dz_entity_index(next) == dz_entity_index(dead));
    printf("generations: %u then %u\n", dz_entity_generation(dead), dz_entity_generation(next));
    yes("the new one is alive", dz_is_alive(world, next));
    yes("the dead one is alive", dz_is_alive(world, dead));
    if (!dz_get(world, dead, position)) refused("get of the old handle");
    if (dz_failed(DZ_SET(world, dead, position, (&(Position){4, 0})))) refused("set by the old handle");
    if (dz_failed(dz_destroy(world, dead))) refused("destroy by the old handle");
    printf("the new one still has %d\n", (int)number(world, next, position));

    answer("why not null", dz_why(world, DZ_NULL));
    answer("why not one never created", dz_why(world, next + 1000));
    dz_world_destroy(world);
    yes("the world is alive", dz_world_is_alive(world));
    dz_error_clear();
    if (dz_create(world) == DZ_NULL) refused("create in a destroyed world");
    if (!dz_get(world, next, position)) refused("get in a destroyed world");
    if (dz_failed(dz_world_destroy(world))) refused("destroy the world again");
}

void foreign_worlds(void)
{
    dz_world one = new_world(), other = new_world();
    dz_id position = DZ_COMPONENT(one, Position), theirs = DZ_COMPONENT(other, Position);
    dz_entity mine = at(one, position, 1);
    yes("it lives in its world", dz_is_alive(one, mine));
    yes("it lives in the other", dz_is_alive(other, mine));
    if (!dz_get(other, mine, theirs)) refused("get in the other");
    if (dz_failed(DZ_SET(other, mine, theirs, (&(Position){2, 0})))) refused("set in the other");
    if (dz_failed(dz_destroy(other, mine))) refused("destroy in the other");
    if (dz_failed(dz_set_parent(other, mine, DZ_NULL))) refused("set_parent in the other");
    printf("it still has %d\n", (int)number(one, mine, position));
    printf("alive: %d\n", (int)dz_is_alive(one, mine));
    dz_world_destroy(other);
    dz_world_destroy(one);
}

void misuse(void)
{
    dz_world world = new_world();
    dz_id position = DZ_COMPONENT(world, Position), frozen = DZ_TAG(world, Frozen);
    dz_entity entity = at(world, position, 1), plain = dz_create(world);
    dz_component_desc wrong = DZ_COMPONENT_DESC_INIT;
    uint8_t answers[1];
    int64_t wide = 0;

    if (dz_failed(dz_set(world, entity, position, 4, &wide))) refused("set of a wrong size");
    if (dz_failed(dz_set(world, entity, position, sizeof(Position), NULL))) refused("set from null");
    if (dz_failed(dz_set(world, entity, frozen, sizeof wide, &wide))) refused("set of a tag");
    if (!dz_get(world, entity, frozen)) refused("get of a tag");
    if (dz_failed(dz_set(world, entity, plain, sizeof wide, &wide))) refused("set of what is no component");
    if (!dz_get(world, entity, DZ_NULL)) refused("get of the null component");
    if (!dz_get(world, DZ_NULL, position)) refused("get of the null entity");
    if (dz_failed(dz_add(world, position, frozen))) refused("add to a component");
    if (dz_failed(dz_destroy(world, position))) refused("destroy of a component that is held");
    if (dz_failed(dz_has_n(world, NULL, 1, position, answers))) refused("has_n of null");
    if (!DZ_TAG(world, Position)) refused("another shape");
    wrong.name = "Odd";
    wrong.element_size = 4;
    wrong.element_alignment = 3;
    if (!dz_component_register(world, &wrong)) refused("an odd alignment");
    wrong.size = 0;
    if (!dz_component_register(world, &wrong)) refused("a descriptor without its size");
    if (!dz_query_parse(world, "Position, Nope").bits) refused("a query with an unknown name");
    if (!dz_query_parse(world, "Position,, Frozen").bits) refused("a query with a mistake");
    if (!dz_query_parse(world, "!Frozen").bits) refused("a query that asks for nothing");
    if (dz_world_why((dz_world){0}) != DZ_OK) refused("no world");
    answer("add what is there", dz_add(world, entity, position));
    answer("remove what isn't", dz_remove(world, entity, frozen));
    yes("answers leave no error", dz_error_status() == DZ_OK);
    printf("it still has %d\n", (int)number(world, entity, position));
    dz_world_destroy(world);
}
