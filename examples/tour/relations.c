/* Pairs, the hierarchy and names, instances, what is disabled. */
#include "tour.h"

static dz_entity named(const char *name)
{
    dz_entity made = dz_create(world);
    must(dz_set_name(world, made, name));
    return made;
}

typedef struct { float hours; } Berth;

static void pairs(void)
{
    dz_entity likes = named("Likes"), ann = named("ann"), bob = named("bob"), cleo = named("cleo");
    must(dz_add_pair(world, ann, likes, bob));                      // ann likes bob
    must(dz_add_pair(world, ann, likes, cleo));                     // and cleo
    if (dz_has_pair(world, ann, likes, bob)) puts("ann likes bob");

    dz_id berth = DZ_COMPONENT(world, Berth);                       // a relation with data
    must(DZ_SET_PAIR(world, ann, berth, cleo, &(Berth){2}));
    ((Berth *)dz_get_pair_mut(world, ann, berth, cleo))->hours += 1;
    const Berth *left = dz_get_pair(world, ann, berth, cleo);
    printf("for %g hours\n", (double)left->hours);

    dz_entity liked[8];
    uint32_t count;
    must(dz_pair_targets(world, ann, likes, liked, 8, &count));     // the latest first
    for (uint32_t i = 0; i < count; i++) printf("ann likes %s\n", dz_name(world, liked[i]));

    dz_id likes_bob = dz_pair(world, likes, bob);                   // as one id, for dz_add, dz_has and queries
    dz_pair_parts parts;
    must(dz_pair_halves(world, likes_bob, &parts));
    printf("its target is %s\n", dz_name(world, parts.target));
    must(dz_pair_holders(world, likes_bob, liked, 8, &count));
    printf("%u has it\n", (unsigned)count);
    must(dz_remove_pair(world, ann, likes, bob));
    must(dz_destroy(world, cleo));                                  // takes the pairs with it along
    printf("ann likes nobody: %d\n", dz_pair_targets(world, ann, likes, NULL, 0, &count) == DZ_OK && count == 0);

    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    desc.exclusive = 1;                                             // at most one target
    must(dz_relation_set(world, likes, &desc));
    must(dz_relation_info(world, likes, &desc));
    printf("exclusive: %u\n", (unsigned)desc.exclusive);
}

static void hierarchy(void)
{
    dz_entity sol = named("sol"), venus = named("venus"), earth = named("earth"), moon = named("moon");
    must(dz_set_parent(world, earth, sol));
    must(dz_set_parent(world, venus, sol));                         // the last child
    must(dz_move_child(world, venus, DZ_PLACE_BEFORE, earth));
    must(dz_set_parent(world, moon, earth));

    char path[64];
    dz_path(world, moon, DZ_NULL, NULL, path, sizeof path);
    printf("%s, found: %d\n", path, dz_lookup(world, DZ_NULL, "sol.earth.moon", NULL) == moon);
    for (dz_entity at = dz_first_child(world, sol); at != DZ_NULL; at = dz_next_sibling(world, at)) {
        printf("%s has %u moons\n", dz_name(world, at), (unsigned)dz_child_count(world, at));
    }
    printf("the last is %s, before it %s\n", dz_name(world, dz_last_child(world, sol)),
        dz_name(world, dz_previous_sibling(world, earth)));

    dz_entity batch[16], above[8];
    uint32_t n = dz_subtree(world, sol, DZ_PARENTS_FIRST, DZ_NULL, batch, 16);
    printf("%u in all, the moon %u deep\n", (unsigned)n, (unsigned)dz_depth(world, moon));
    n = dz_children(world, sol, DZ_NULL, batch, 16);
    printf("%u planets; above the moon are %u, first %s\n", (unsigned)n,
        (unsigned)dz_ancestors(world, moon, above, 8), dz_name(world, dz_parent(world, moon)));
    dz_destroy(world, sol);                                         // and all below it
    printf("the moon is alive: %d\n", dz_is_alive(world, moon));
}

static void instances(void)
{
    dz_entity base = named("fighter"), one;
    DZ_SET(world, base, mass, &(Mass){9});
    one = dz_instantiate(world, base);
    printf("it weighs %g, from its base: %d\n", (double)DZ_GET(world, one, Mass, mass)->kg,
        dz_source(world, one, mass) == base && dz_base(world, one) == base);
    must(dz_override(world, one, mass));                            // now it has one of its own
    DZ_GET_MUT(world, one, Mass, mass)->kg = 8;
    printf("the base still weighs %g\n", (double)DZ_GET(world, base, Mass, mass)->kg);
    printf("queries pass over bases: %d\n", dz_is_base(world, base));
    must(dz_set_base(world, base, false));                          // no longer
}

static void disabling(void)
{
    dz_entity ship = named("ship");
    dz_add(world, ship, position);
    must(dz_set_enabled(world, ship, false));                       // queries pass over it
    printf("enabled: %d, still there: %d\n", dz_is_enabled(world, ship), dz_has(world, ship, position));
    must(dz_set_enabled(world, ship, true));
    must(dz_set_component_enabled(world, ship, position, false));   // for queries as if it hadn't it
    printf("its position: %d\n", dz_is_component_enabled(world, ship, position));
}

void relations(void)
{
    pairs();
    hierarchy();
    instances();
    disabling();
    must(dz_world_clear(world));
}
