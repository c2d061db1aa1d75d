/* Groups, sorted pools, and single pools in order. */
#include "tour.h"

static int32_t by_x(const void *a, const void *b, dz_entity entity_a, dz_entity entity_b, void *user)
{
    const Position *p = a, *q = b;
    (void)entity_a, (void)entity_b, (void)user;
    return (p->x > q->x) - (p->x < q->x);
}

static void sorted(void)
{
    must(dz_sort(world, position, by_x, NULL, DZ_SORT_KEEP));
    must(dz_sort_as(world, velocity, position, DZ_SORT_ONCE));      // velocities in the order of positions
    dz_iter it;
    for (dz_iterate_pool(world, position, DZ_FORWARD, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) printf("%g ", (double)DZ_ITEM(it, Position, i)->x);
    }
    puts("");
    must(dz_sort_refresh(world, position));                         // after changes: cheap if there were few
    must(dz_sort_release(world, position));                         // else no group could own the pool
}

static void grouped(void)
{
    dz_id owned[] = {position, velocity};
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    desc.owned = owned, desc.owned_count = 2;
    desc.excluded = &frozen, desc.excluded_count = 1;
    dz_group movers = dz_group_create(world, &desc);

    must(dz_group_sort(world, movers, position, by_x, NULL, DZ_SORT_ONCE));
    dz_iter it;
    for (dz_iterate_group(world, movers, DZ_FORWARD, &it); dz_next(&it);) {
        Position *p = DZ_RUN(it, Position, 0);                      // always arrays, in one order
        const Velocity *v = DZ_RUN(it, Velocity, 1);
        for (uint32_t i = 0; i < it.count; i++) p[i].x += v[i].x;
    }
    dz_group_details known;
    must(dz_group_info(world, movers, &known));
    printf("%u of %u are members\n", (unsigned)dz_group_count(world, movers), (unsigned)dz_count(world, position));
    printf("the group owns %u pools\n", (unsigned)known.owned_count);
    printf("nobody is a member who isn't alive: %d\n", !dz_group_contains(world, movers, DZ_NULL));

    dz_group all[4];
    uint32_t count;
    must(dz_groups(world, all, 4, &count));
    printf("%u group, this one: %d\n", (unsigned)count, all[0].bits == movers.bits);
    must(dz_group_sort_as(world, movers, velocity, DZ_SORT_KEEP));
    must(dz_group_sort_refresh(world, movers));
    must(dz_group_sort_release(world, movers));
    must(dz_group_destroy(world, movers));
}

void order(void)
{
    static const float at[] = {3, 1, 2};
    for (int i = 0; i < 3; i++) {
        dz_entity made = dz_create(world);
        DZ_SET(world, made, position, &(Position){at[i], 0});
        DZ_SET(world, made, velocity, &(Velocity){1, 0});
        if (i == 0) dz_add(world, made, frozen);
    }
    sorted();
    grouped();
    must(dz_world_clear(world));
}
