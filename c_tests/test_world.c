/* Worlds: create, destroy, clear, shrink, reserve, list, count; descriptors; memory. */
#include "allocator.h"

typedef struct { float x, y; } Position;

static dz_world none(void)
{
    dz_world world = {0};
    return world;
}

static void version(void)
{
    CHECK_EQ(dz_version(), DZ_VERSION);
    CHECK_EQ(DZ_VERSION, 0u << 16 | 1u << 8 | 0u);
}

static void defaults(void)
{
    dz_world_numbers numbers;
    dz_world world = dz_world_create(NULL);
    CHECK(world.bits != 0);
    CHECK(dz_world_is_alive(world));
    CHECK_OK(dz_world_why(world));
    CHECK(dz_world_number(world) >= 1 && dz_world_number(world) <= 255);
    QUIETLY((uintptr_t)dz_world_user(world), 0);
    memset(&numbers, 0xff, sizeof numbers);
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.alive, 0);
    CHECK_EQ(numbers.dead, 0);
    CHECK_EQ(numbers.retired, 0);
    CHECK_EQ(numbers.components, 0);
    CHECK_EQ(numbers.listeners, 0);
    CHECK_EQ(numbers.byte_budget, 0);
    CHECK(numbers.bytes > 0 && numbers.bytes < 16 * 1024); /* an empty world takes under 16 KiB */
    CHECK(numbers.peak_bytes >= numbers.bytes);
    QUIETLY(dz_component_id(world), 0);
    REFUSED(world, dz_world_stats(world, NULL), DZ_ERR_NULL_POINTER);
    CHECK_OK(dz_world_destroy(world));
}

static void number(void)
{
    dz_world a = check_world(), b = check_world();
    dz_entity e = dz_create(a);
    uint32_t low = check_layout == DZ_LAYOUT_64 ? 1 : 256, high = check_layout == DZ_LAYOUT_64 ? 255 : 4095;
    CHECK(dz_world_number(a) >= low && dz_world_number(a) <= high);
    CHECK(dz_world_number(b) >= low && dz_world_number(b) <= high);
    CHECK(dz_world_number(a) != dz_world_number(b));
    CHECK_EQ(dz_entity_world(e), check_layout == DZ_LAYOUT_64 ? dz_world_number(a) : 0); /* M59 M60 */
    CHECK_OK(dz_world_destroy(a));
    CHECK_OK(dz_world_destroy(b));
}

/* Every call with a bad world says what is wrong with it, and does nothing. */
static void bad_world(dz_world bad, dz_status why)
{
    dz_world_numbers numbers;
    uint32_t count = 77;
    CHECK(!dz_world_is_alive(bad));
    CHECK(!dz_is_alive(bad, 1));
    CHECK_IS(dz_world_why(bad), why);
    CHECK_IS(dz_world_destroy(bad), why);
    CHECK_IS(dz_world_clear(bad), why);
    CHECK_IS(dz_shrink(bad), why);
    CHECK_IS(dz_reserve(bad, 1), why);
    CHECK_IS(dz_world_set_user(bad, NULL), why);
    CHECK_IS(dz_world_stats(bad, &numbers), why);
    CHECK_IS(dz_components(bad, NULL, 0, &count), why);
    CHECK_EQ(count, 77); /* outputs are written on success only */
    CHECK_IS(dz_destroy(bad, 1), why);
    CHECK_IS(dz_why(bad, 1), why);
    dz_error_clear();
    CHECK_EQ(dz_create(bad), 0);
    CHECK_IS(dz_error_status(), why);
    dz_error_clear();
    CHECK_EQ(dz_world_number(bad), 0);
    CHECK_IS(dz_error_status(), why);
    dz_error_clear();
    CHECK(dz_world_user(bad) == NULL);
    CHECK_IS(dz_error_status(), why);
    dz_error_clear();
    CHECK_EQ(DZ_TAG(bad, Frozen), 0);
    CHECK_IS(dz_error_status(), why);
}

static void dead_world(void)
{
    dz_world world = check_world(), unknown = none(), again;
    int i;
    CHECK_OK(dz_world_destroy(world));
    bad_world(none(), DZ_ERR_WORLD_NULL); /* M60 */
    bad_world(world, DZ_ERR_WORLD_DEAD);
    unknown.bits = UINT32_MAX;
    bad_world(unknown, DZ_ERR_WORLD_UNKNOWN);
    unknown.bits = 0x80000001;
    CHECK(!dz_world_is_alive(unknown));
    /* A handle stays dead when its number is used again, many times over. */
    for (i = 0; i < (check_layout == DZ_LAYOUT_64 ? 255 * 20 : 4000); i++) {
        again = check_world();
        if (!CHECK(again.bits != world.bits) || !CHECK(!dz_world_is_alive(world))) break;
        CHECK_OK(dz_world_destroy(again));
    }
}

static void list(void)
{
    dz_world a = check_world(), b = check_world(), c = check_world(), worlds[4] = {{0}, {0}, {0}, {0}};
    uint32_t count = 0, i;
    CHECK_OK(dz_world_destroy(b));
    CHECK_OK(dz_worlds(worlds, 4, &count));
    CHECK_EQ(count, 2);
    CHECK((worlds[0].bits == a.bits && worlds[1].bits == c.bits) || (worlds[0].bits == c.bits && worlds[1].bits == a.bits));
    CHECK(dz_world_number(worlds[0]) < dz_world_number(worlds[1]));
    CHECK_EQ(worlds[2].bits, 0);
    for (i = 0; i < 4; i++) worlds[i].bits = 0;
    CHECK_OK(dz_worlds(worlds, 1, &count));
    CHECK_EQ(count, 2);
    CHECK_EQ(worlds[1].bits, 0);
    CHECK_OK(dz_worlds(NULL, 0, &count));
    CHECK_EQ(count, 2);
    REFUSED(a, dz_worlds(worlds, 4, NULL), DZ_ERR_NULL_POINTER);
    count = 9;
    REFUSED(a, dz_worlds(NULL, 4, &count), DZ_ERR_NULL_POINTER);
    CHECK_EQ(count, 9);
    CHECK_OK(dz_world_destroy(a));
    CHECK_OK(dz_world_destroy(c));
}

static void user(void)
{
    int a = 1, b = 2;
    dz_world_desc desc = check_desc();
    dz_world world;
    desc.user = &a;
    world = dz_world_create(&desc);
    CHECK(dz_world_user(world) == &a);
    CHECK_OK(dz_world_set_user(world, &b));
    CHECK(dz_world_user(world) == &b);
    CHECK_OK(dz_world_clear(world));
    CHECK(dz_world_user(world) == &b);
    CHECK_OK(dz_world_set_user(world, NULL));
    QUIETLY((uintptr_t)dz_world_user(world), 0);
    CHECK_OK(dz_world_destroy(world));
}

/* 255 worlds of the 64-bit layout live at once, 3,840 of the other. */
static void too_many(void)
{
    static dz_world worlds[3840];
    uint32_t n = check_layout == DZ_LAYOUT_64 ? 255 : 3840, i;
    dz_world_desc desc = check_desc();
    for (i = 0; i < n; i++) {
        worlds[i] = dz_world_create(&desc);
        if (!CHECK(worlds[i].bits != 0)) return;
    }
    REFUSED_0(worlds[0], dz_world_create(&desc).bits, DZ_ERR_TOO_MANY_WORLDS);
    desc.layout = !check_layout; /* the layouts have numbers of their own */
    CHECK_OK(dz_world_destroy(dz_world_create(&desc)));
    desc.layout = check_layout;
    CHECK_OK(dz_world_destroy(worlds[n / 2]));
    worlds[n / 2] = dz_world_create(&desc);
    CHECK(dz_world_is_alive(worlds[n / 2]));
    for (i = 0; i < n; i++) CHECK_OK(dz_world_destroy(worlds[i]));
}

static void bad_desc(dz_world_desc desc, dz_status status, const char *says)
{
    dz_error_clear();
    CHECK_EQ(dz_world_create(&desc).bits, 0);
    CHECK_IS(dz_error_status(), status);
    CHECK_SAYS(says);
}

static void descriptor(void)
{
    struct { dz_world_desc desc; uint32_t unknown[4]; } larger;
    dz_world_desc good = check_desc(), desc;
    dz_world world;
    uint32_t i;
#define BAD(field, value, status) (desc = good, desc.field = (value), bad_desc(desc, (status), #field))
    BAD(layout, 2, DZ_ERR_ENUM);
    BAD(layout, -1, DZ_ERR_ENUM);
    BAD(recycling, 2, DZ_ERR_ENUM);
    BAD(recycling, INT32_MIN, DZ_ERR_ENUM);
    BAD(overflow, 2, DZ_ERR_ENUM);
    BAD(overflow, -1, DZ_ERR_ENUM);
    BAD(instructions, 4, DZ_ERR_ENUM);
    BAD(instructions, -1, DZ_ERR_ENUM);
    BAD(reserved_components, 65537, DZ_ERR_RANGE);
    BAD(reserved_components, UINT32_MAX - 1, DZ_ERR_RANGE);
    if (check_layout == DZ_LAYOUT_32) BAD(max_entities, 1048576, DZ_ERR_RANGE);
    if (check_layout == DZ_LAYOUT_64) BAD(max_entities, 4294967233u, DZ_ERR_RANGE);
    BAD(size, 0, DZ_ERR_DESC_SIZE);
    BAD(size, 4, DZ_ERR_DESC_SIZE);
    BAD(size, (uint32_t)sizeof(dz_world_desc) - 1, DZ_ERR_DESC_SIZE);
#undef BAD
    desc = good, desc.allocator.allocate = counting_allocate;
    bad_desc(desc, DZ_ERR_ALLOCATOR, "allocator");
    desc = good, desc.allocator.free = counting_free;
    bad_desc(desc, DZ_ERR_ALLOCATOR, "allocator");
    /* A descriptor of a newer header: fine as long as what this library doesn't know is zero. */
    for (i = 0; i < 4; i++) {
        memset(&larger, 0, sizeof larger);
        larger.desc = good;
        larger.desc.size = (uint32_t)sizeof larger;
        larger.unknown[i] = 0x100;
        dz_error_clear();
        CHECK_EQ(dz_world_create(&larger.desc).bits, 0);
        CHECK_IS(dz_error_status(), DZ_ERR_DESC_TAIL);
        larger.unknown[i] = 0;
        world = dz_world_create(&larger.desc);
        CHECK_OK(dz_world_destroy(world));
    }
}

static void reserved_range(void)
{
    static const uint32_t asked[] = {0, 1, 16, 65536, DZ_RESERVE_NONE}, first[] = {256, 1, 16, 65536, 0};
    uint32_t i;
    for (i = 0; i < 5; i++) {
        dz_world_desc desc = check_desc();
        dz_world world;
        dz_entity e;
        dz_id id;
        desc.reserved_components = asked[i];
        world = dz_world_create(&desc);
        e = dz_create(world);
        CHECK_EQ(e, check_handle(world, first[i], 1)); /* M3 M39 M71: {index, 1}; index 0 without a range */
        id = DZ_COMPONENT(world, Position);
        CHECK(dz_is_alive(world, id));
        if (first[i] > 1) CHECK(dz_entity_index(id) < first[i]); /* M39 */
        CHECK_OK(dz_world_destroy(world));
    }
}

static void full(void)
{
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_entity e[4];
    desc.reserved_components = 256;
    desc.max_entities = 260; /* the reserved range included */
    world = dz_world_create(&desc);
    CHECK_OK(dz_create_n(world, 4, e));
    REFUSED_0(world, dz_create(world), DZ_ERR_FULL);
    CHECK_OK(dz_destroy(world, e[2]));
    CHECK_EQ(dz_create(world), check_handle(world, 258, 2)); /* M4: a destroyed one first */
    REFUSED_0(world, dz_create(world), DZ_ERR_FULL);
    REFUSED_0(world, dz_clone(world, e[0]), DZ_ERR_FULL);
    REFUSED(world, dz_reserve(world, 261), DZ_ERR_COUNT);
    CHECK(DZ_COMPONENT(world, Position) != 0); /* its place is kept */
    CHECK_OK(dz_world_destroy(world));
}

static void clear(void)
{
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position), frozen = DZ_TAG(world, Frozen);
    Position here = {1, 2};
    dz_entity e[10];
    int i;
    CHECK_OK(dz_create_n(world, 10, e));
    for (i = 0; i < 10; i++) CHECK_OK(DZ_SET(world, e[i], position, &here));
    CHECK_OK(dz_add(world, e[3], frozen));
    CHECK_OK(dz_destroy(world, e[4]));
    CHECK_OK(dz_singleton_set(world, position, sizeof here, &here));
    CHECK_OK(dz_world_clear(world));
    for (i = 0; i < 10; i++) {
        CHECK(!dz_is_alive(world, e[i]));
        CHECK_IS(dz_why(world, e[i]), DZ_ERR_DEAD);
    }
    CHECK_EQ(check_alive(world), 3); /* Component, Position, Frozen */
    CHECK_EQ(dz_count(world, position), 0);
    CHECK_EQ(dz_count(world, frozen), 0);
    QUIETLY((uintptr_t)dz_singleton_get(world, position), 0);
    CHECK_EQ(dz_component_find(world, "Position"), position);
    CHECK_OK(dz_create_n(world, 10, e));
    for (i = 0; i < 10; i++) {
        QUIETLY(dz_has(world, e[i], position), 0); /* nothing of the old ones is left */
        CHECK(dz_entity_generation(e[i]) >= 2);
        CHECK(dz_entity_index(e[i]) >= 256 && dz_entity_index(e[i]) < 266); /* M80: recycled before growth */
    }
    CHECK_OK(dz_world_destroy(world));
}

typedef struct { int calls; dz_status last; char text[300]; } log_seen;

static void log_line(dz_status status, const char *message, void *user)
{
    log_seen *seen = (log_seen *)user;
    seen->calls++;
    seen->last = status;
    snprintf(seen->text, sizeof seen->text, "%s", message);
}

static void ignore(dz_iter *batch, void *user)
{
    (void)batch, (void)user;
}

static int32_t iterates(const void *a, const void *b, dz_entity of_a, dz_entity of_b, void *user)
{
    dz_query none = {0};
    (void)a, (void)b, (void)of_a, (void)of_b;
    CHECK_IS(dz_query_each(*(const dz_world *)user, none, ignore, NULL), DZ_ERR_IN_HOOK);
    return 0;
}

static void logging(void)
{
    dz_world_desc desc = check_desc();
    log_seen seen = {0, DZ_OK, ""};
    dz_world world, other;
    dz_entity e;
    dz_id id;
    desc.log = log_line;
    desc.log_user = &seen;
    world = dz_world_create(&desc);
    other = check_world();
    id = DZ_COMPONENT(world, Position);
    e = dz_create(world);
    CHECK_OK(dz_add(world, e, id));
    CHECK_IS(dz_add(world, e, id), DZ_ALREADY_THERE);
    CHECK_EQ(seen.calls, 0); /* an answer is no error */
    CHECK_OK(dz_destroy(world, e));
    CHECK_IS(dz_destroy(world, e), DZ_ERR_DEAD);
    CHECK_EQ(seen.calls, 1);
    CHECK_IS(seen.last, DZ_ERR_DEAD);
    CHECK(strcmp(seen.text, dz_error_message()) == 0);
    CHECK(strstr(seen.text, check_form(e)) != NULL);
    CHECK_IS(dz_destroy(other, 0), DZ_ERR_NULL_ENTITY); /* another world's error */
    CHECK_EQ(seen.calls, 1);
    { /* a call logs one error, whichever way it takes */
        dz_query none = {0};
        CHECK_IS(dz_query_each(world, none, NULL, NULL), DZ_ERR_NULL_POINTER);
        CHECK_EQ(seen.calls, 2);
        CHECK_IS(dz_query_each(world, none, ignore, &seen), DZ_ERR_QUERY);
        CHECK_EQ(seen.calls, 3);
        CHECK_OK(dz_add(world, dz_create(world), id));
        CHECK_OK(dz_add(world, dz_create(world), id));
        CHECK_OK(dz_sort(world, id, iterates, &world, DZ_SORT_ONCE));
        CHECK_EQ(seen.calls, 4);
    }
    CHECK_OK(dz_world_destroy(world));
    CHECK_OK(dz_world_destroy(other));
}

int main(void)
{
    RUN(version);
    RUN(defaults);
    RUN(number);
    RUN(dead_world);
    RUN(list);
    RUN(user);
    RUN(too_many);
    RUN(descriptor);
    RUN(reserved_range);
    RUN(full);
    RUN(clear);
    RUN(logging);
    return check_done();
}
