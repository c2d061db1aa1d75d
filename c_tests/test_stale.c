/* What other libraries get wrong with bad input, in release builds, done right here.
 * Usage: test_stale [stale_release | cross_world | exhaust_versions]; all of them without an argument. */
#include "check.h"

typedef struct { float x, y; } Position;

/* A handle whose slot was recycled reaches nothing of the new owner's. M6 M34 M61 M62 M78 */
static void recycled(void)
{
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position), tag = DZ_TAG(world, Tag);
    dz_entity x = dz_create(world), y;
    Position one = {1, 1}, nine = {9, 9};
    void *pointer = &one;
    const void *read = &one;
    uint8_t has = 1;
    CHECK_OK(DZ_SET(world, x, position, &one));
    CHECK_OK(dz_destroy(world, x));
    y = dz_create(world);
    CHECK_EQ(dz_entity_index(y), dz_entity_index(x));
    CHECK_OK(DZ_SET(world, y, position, &nine));
    REFUSED_NULL(world, dz_get(world, x, position), DZ_ERR_DEAD); /* not the new owner's (9,9) */
    REFUSED_NULL(world, dz_get_mut(world, x, position), DZ_ERR_DEAD);
    REFUSED_NULL(world, dz_get_or_add(world, x, position), DZ_ERR_DEAD);
    REFUSED(world, dz_set(world, x, position, sizeof one, &one), DZ_ERR_DEAD); /* a write doesn't land in it */
    REFUSED_0(world, dz_has(world, x, position), DZ_ERR_DEAD);
    REFUSED(world, dz_add(world, x, tag), DZ_ERR_DEAD); /* no pool takes a dead one in */
    REFUSED(world, dz_remove(world, x, position), DZ_ERR_DEAD);
    REFUSED(world, dz_destroy(world, x), DZ_ERR_DEAD); /* the live one in that slot isn't killed */
    REFUSED_0(world, dz_clone(world, x), DZ_ERR_DEAD);
    REFUSED(world, dz_get_n(world, &x, 1, position, &read), DZ_ERR_DEAD);
    REFUSED(world, dz_get_mut_n(world, &x, 1, position, &pointer), DZ_ERR_DEAD);
    REFUSED(world, dz_has_n(world, &x, 1, position, &has), DZ_ERR_DEAD);
    REFUSED(world, dz_add_n(world, &x, 1, tag), DZ_ERR_DEAD);
    REFUSED(world, dz_set_n(world, &x, 1, position, sizeof one, &one), DZ_ERR_DEAD);
    REFUSED(world, dz_destroy_n(world, &x, 1, NULL), DZ_ERR_DEAD);
    CHECK(dz_is_alive(world, y) && !dz_is_alive(world, x));
    CHECK(DZ_GET(world, y, Position, position)->x > 8);
    CHECK_EQ(dz_count(world, tag), 0);
    CHECK_EQ(dz_count(world, position), 1);
    CHECK_OK(dz_world_destroy(world));
}

/* A handle of zeros is nobody, also after the first create. M60 M72 */
static void zero(void)
{
    dz_world_desc desc = check_desc();
    dz_world world, unset = {0};
    dz_entity e;
    desc.reserved_components = DZ_RESERVE_NONE; /* index 0 is given out */
    world = dz_world_create(&desc);
    e = dz_create(world);
    CHECK_EQ(dz_entity_index(e), 0);
    CHECK(!dz_is_alive(world, 0));
    REFUSED(world, dz_destroy(world, 0), DZ_ERR_NULL_ENTITY);
    CHECK(dz_is_alive(world, e));
    CHECK(!dz_world_is_alive(unset));
    CHECK_OK(dz_world_destroy(world));
}

/* A value of another size doesn't run into the neighbour; one name has one shape. */
static void sizes(void)
{
    dz_world world = check_world();
    dz_id id = dz_component_simple(world, "eight", 8, 8);
    dz_entity e[3];
    uint64_t values[3] = {1, 2, 3};
    int i;
    CHECK_OK(dz_create_n(world, 3, e));
    for (i = 0; i < 3; i++) CHECK_OK(dz_set(world, e[i], id, 8, &values[i]));
    values[0] = values[1] = values[2] = UINT64_MAX;
    REFUSED(world, dz_set(world, e[0], id, 24, values), DZ_ERR_SIZE);
    CHECK_EQ(*(const uint64_t *)dz_get(world, e[1], id), 2);
    REFUSED_0(world, dz_component_simple(world, "eight", 24, 8), DZ_ERR_SHAPE); /* an error, and the process lives */
    CHECK_EQ(dz_component_simple(world, "eight", 8, 8), id);
    CHECK_OK(dz_world_destroy(world));
}

static void small(void)
{
    dz_world world = check_world();
    dz_world_numbers numbers;
    dz_component_details info;
    dz_id first, far;
    dz_entity e = check_handle(world, 1000000, 1);
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK(numbers.bytes < 16 * 1024); /* the peers: 592 bytes, and 280 KB */
    first = dz_component_simple(world, "first", 8, 8), far = dz_component_simple(world, "far", 8, 8);
    CHECK_OK(dz_add(world, dz_create(world), first));
    CHECK_OK(dz_component_info(world, first, &info));
    CHECK(info.bytes <= 4096); /* 24,704 */
    CHECK_OK(dz_create_at(world, e));
    CHECK_OK(dz_add(world, e, far));
    CHECK_OK(dz_component_info(world, far, &info));
    CHECK(info.bytes <= 8192); /* 26,888 */
    CHECK_OK(dz_world_destroy(world));
}

/* M59 M63: a handle of one world is nothing in another, though index and generation fit. */
static void cross_world(void)
{
    dz_world a = check_world(), b = check_world();
    dz_id pa = DZ_COMPONENT(a, Position), pb = DZ_COMPONENT(b, Position);
    dz_entity ea = dz_create(a), eb = dz_create(b);
    Position here = {1, 2};
    CHECK_EQ(dz_entity_index(ea), dz_entity_index(eb));
    CHECK_EQ(dz_entity_generation(ea), dz_entity_generation(eb));
    CHECK_OK(DZ_SET(b, eb, pb, &here));
    if (check_layout == DZ_LAYOUT_64) {
        CHECK(!dz_is_alive(b, ea));
        CHECK_IS(dz_why(b, ea), DZ_ERR_WRONG_WORLD);
        REFUSED(b, dz_destroy(b, ea), DZ_ERR_WRONG_WORLD);
        REFUSED_NULL(b, dz_get(b, ea, pb), DZ_ERR_WRONG_WORLD);
        REFUSED(b, dz_set(b, ea, pb, sizeof here, &here), DZ_ERR_WRONG_WORLD);
        REFUSED_NULL(b, dz_get(b, eb, pa), DZ_ERR_WRONG_WORLD); /* another world's component */
        REFUSED(b, dz_add(b, eb, pa), DZ_ERR_WRONG_WORLD);
    } else {
        dz_world wide = dz_world_create(NULL); /* no room for a world, but the other layout is told apart */
        dz_entity e = dz_create(wide);
        REFUSED(b, dz_destroy(b, e), DZ_ERR_WRONG_WORLD);
        REFUSED(wide, dz_destroy(wide, eb), DZ_ERR_WRONG_WORLD);
        CHECK_OK(dz_world_destroy(wide));
    }
    CHECK(dz_is_alive(b, eb) && dz_is_alive(a, ea));
    CHECK_OK(dz_world_destroy(b));
    CHECK_IS(dz_why(b, eb), DZ_ERR_WORLD_DEAD); /* and a dead world's handle is an error, not a crash */
    CHECK_OK(dz_world_destroy(a));
}

/* An entity's handle of a destroyed world fits none of the next 254. */
static void world_numbers_come_round(void)
{
    dz_world world = check_world(), first;
    dz_entity e = dz_create(world);
    uint32_t number = dz_world_number(world), i;
    if (check_layout == DZ_LAYOUT_32) { /* no world in the handle: nothing to show */
        CHECK_OK(dz_world_destroy(world));
        return;
    }
    CHECK_OK(dz_world_destroy(world));
    for (i = 0; i < 254; i++) {
        world = check_world();
        CHECK(dz_create(world) != 0);
        CHECK(dz_world_number(world) != number);
        CHECK(!dz_is_alive(world, e));
        CHECK_IS(dz_why(world, e), DZ_ERR_WRONG_WORLD);
        CHECK_OK(dz_world_destroy(world));
    }
    first = check_world(); /* the number is back: from here on it can be mistaken, as the header says */
    CHECK_EQ(dz_world_number(first), number);
    CHECK_OK(dz_world_destroy(first));
}

/* M38 M65: a slot goes through all its generations once and is retired; no old handle is ever alive again. */
static void exhaust_versions(void)
{
    static dz_entity old[65536];
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_world_numbers numbers;
    uint32_t last = check_tombstone() - 1, n, i;
    dz_entity e;
    desc.reserved_components = DZ_RESERVE_NONE;
    desc.max_entities = 1; /* one slot */
    world = dz_world_create(&desc);
    for (n = 0; n < last; n++) {
        e = dz_create(world);
        if (!CHECK_EQ(e, check_handle(world, 0, n + 1))) break;
        old[n] = e;
        CHECK_OK(dz_destroy(world, e));
        if (n % 1000 == 0 || n + 3 > last) CHECK_IS(dz_destroy(world, e), n + 1 == last ? DZ_ERR_RETIRED : DZ_ERR_DEAD);
    }
    CHECK_EQ(n, last);
    REFUSED_0(world, dz_create(world), DZ_ERR_EXHAUSTED);
    REFUSED_0(world, dz_create(world), DZ_ERR_EXHAUSTED);
    CHECK(dz_failed(dz_create_n(world, 1, &e)));
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.retired, 1);
    CHECK_EQ(numbers.alive, 0);
    CHECK_EQ(numbers.dead, 0);
    for (i = 0; i < n; i++) {
        CHECK(!dz_is_alive(world, old[i]));
        if (i % 512 == 0) {
            CHECK_IS(dz_why(world, old[i]), DZ_ERR_RETIRED);
            CHECK_SAYS(check_form(old[i]));
            REFUSED(world, dz_create_at(world, old[i]), DZ_ERR_RETIRED);
        }
    }
    CHECK_IS(dz_why(world, check_handle(world, 0, check_tombstone())), DZ_ERR_TOMBSTONE);
    REFUSED_0(world, dz_generation(world, 0), DZ_ERR_RETIRED);
    CHECK_OK(dz_world_clear(world)); /* clearing doesn't bring it back */
    REFUSED_0(world, dz_create(world), DZ_ERR_EXHAUSTED);
    CHECK_OK(dz_world_destroy(world));
}

/* Others go on when one slot is used up. */
static void retired_among_others(void)
{
    dz_world world = check_world();
    uint32_t last = check_tombstone() - 1;
    dz_entity a = dz_create(world), b = dz_create(world), c;
    CHECK_OK(dz_create_at(world, check_handle(world, 300, last)));
    CHECK_OK(dz_destroy(world, check_handle(world, 300, last)));
    for (c = dz_create(world); dz_entity_index(c) < 299; c = dz_create(world)) {}
    c = dz_create(world);
    CHECK(dz_entity_index(c) > 300); /* 300 isn't given out again */
    CHECK(dz_is_alive(world, a) && dz_is_alive(world, b));
    CHECK_OK(dz_world_destroy(world));
}

/* M38 as an option: after the last generation comes the first. */
static void wrap(void)
{
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_world_numbers numbers;
    dz_entity e;
    uint32_t last = check_tombstone() - 1;
    desc.reserved_components = DZ_RESERVE_NONE;
    desc.max_entities = 1;
    desc.overflow = DZ_OVERFLOW_WRAP;
    world = dz_world_create(&desc);
    CHECK_OK(dz_create_at(world, check_handle(world, 0, last)));
    CHECK_OK(dz_destroy(world, check_handle(world, 0, last)));
    CHECK_EQ(dz_generation(world, 0), 1);
    /* Who had the last generation is dead; who will have the first one isn't yet. */
    CHECK_IS(dz_why(world, check_handle(world, 0, last)), DZ_ERR_DEAD);
    CHECK_IS(dz_destroy(world, check_handle(world, 0, last)), DZ_ERR_DEAD);
    CHECK_IS(dz_why(world, check_handle(world, 0, 1)), DZ_ERR_NEVER_CREATED);
    e = dz_create(world);
    CHECK_EQ(e, check_handle(world, 0, 1)); /* never 0, never the tombstone */
    CHECK(dz_is_alive(world, e));
    CHECK_IS(dz_why(world, check_handle(world, 0, last)), DZ_ERR_DEAD);
    /* Old and new generations can't be told apart any more: who asks for one gets it. */
    CHECK_OK(dz_destroy(world, e));
    CHECK_OK(dz_create_at(world, e)); /* the slot is at the next one already */
    CHECK_OK(dz_destroy(world, e));
    CHECK_OK(dz_create_at(world, check_handle(world, 0, last)));
    CHECK_OK(dz_destroy(world, check_handle(world, 0, last)));
    CHECK_OK(dz_create_at(world, e));
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.retired, 0);
    CHECK_OK(dz_world_destroy(world));
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    if (!*part || strcmp(part, "stale_release") == 0) {
        RUN(recycled);
        RUN(zero);
        RUN(sizes);
        RUN(small);
    }
    if (!*part || strcmp(part, "cross_world") == 0) {
        RUN(cross_world);
        RUN(world_numbers_come_round);
    }
    if (!*part || strcmp(part, "exhaust_versions") == 0) {
        RUN(exhaust_versions);
        RUN(retired_among_others);
        RUN(wrap);
    }
    return check_done();
}
