/* Entities: create, destroy, ask, list; handles and their parts. */
#include "check.h"

static dz_world with_desc(dz_world_desc desc)
{
    dz_world world = dz_world_create(&desc);
    CHECK(dz_world_is_alive(world));
    return world;
}

/* M1 M2 M59 M60 M66: one integer, whose parts can be taken out, in both layouts. */
static void parts(void)
{
    dz_world world = check_world();
    dz_entity e[3];
    uint32_t i, number = check_layout == DZ_LAYOUT_64 ? dz_world_number(world) : 0;
    CHECK_OK(dz_create_n(world, 3, e));
    for (i = 0; i < 3; i++) {
        CHECK_EQ(e[i], check_handle(world, 256 + i, 1)); /* M3 */
        CHECK_EQ(dz_entity_index(e[i]), 256 + i);
        CHECK_EQ(dz_entity_generation(e[i]), 1);
        CHECK_EQ(dz_entity_world(e[i]), number);
        CHECK_EQ(dz_entity_make(number, 256 + i, 1), e[i]);
        CHECK_EQ(e[i] >> 56, 0); /* no role bits */
        if (check_layout == DZ_LAYOUT_32) CHECK_EQ(e[i] >> 32, 0); /* M18: fits 32 bits */
    }
    CHECK_OK(dz_world_destroy(world));
    /* No world is asked, nothing is an error. */
    dz_error_clear();
    CHECK_EQ(dz_entity_index(0), 0);
    CHECK_EQ(dz_entity_generation(0), 0);
    CHECK_EQ(dz_entity_world(0), 0);
    CHECK_EQ(dz_entity_make(255, UINT32_MAX, 0xffff), UINT64_C(0x00ffffffffffffff));
    CHECK_EQ(dz_entity_index(UINT64_C(0x00ffffffffffffff)), UINT32_MAX);
    CHECK_EQ(dz_entity_generation(UINT64_C(0x00ffffffffffffff)), 0xffff);
    CHECK_EQ(dz_entity_world(UINT64_C(0x00ffffffffffffff)), 255);
    CHECK_EQ(dz_entity_make(0, 0xfffff, 0xfff), UINT32_MAX);
    CHECK_EQ(dz_entity_index(UINT32_MAX), 0xfffff);
    CHECK_EQ(dz_entity_generation(UINT32_MAX), 0xfff);
    CHECK_EQ(dz_entity_world(UINT32_MAX), 0);
    CHECK_EQ(dz_entity_make(0, 0x100005, 0x1001), dz_entity_make(0, 5, 1)); /* parts that don't fit are cut off */
    CHECK_EQ(dz_entity_make(7, 5, 0x10001), dz_entity_make(7, 5, 1));
    CHECK_IS(dz_error_status(), DZ_OK);
}

/* M4 M5 M6 M12 M15 M70 M73 M74 M76 M78 M79 M80, as in document 004, without a reserved range. */
static void recycling_lifo(void)
{
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_entity a, b, c, d, e;
    desc.reserved_components = DZ_RESERVE_NONE;
    world = with_desc(desc);
    a = dz_create(world), b = dz_create(world), c = dz_create(world);
    CHECK_EQ(a, check_handle(world, 0, 1)); /* M71 */
    CHECK(a != 0);                          /* M72 */
    CHECK_EQ(b, check_handle(world, 1, 1));
    CHECK_EQ(c, check_handle(world, 2, 1));
    CHECK(!dz_is_alive(world, 0));
    CHECK_EQ(dz_generation(world, 1), 1);
    CHECK_OK(dz_destroy(world, b));
    CHECK_OK(dz_destroy(world, a));
    CHECK_EQ(dz_generation(world, 1), 2); /* M5 M76: already incremented */
    CHECK_EQ(dz_generation(world, 0), 2);
    CHECK_EQ(dz_generation(world, 2), 1);
    d = dz_create(world), e = dz_create(world);
    CHECK_EQ(d, check_handle(world, 0, 2)); /* M79: a's index, then b's */
    CHECK_EQ(e, check_handle(world, 1, 2));
    CHECK_EQ(dz_create(world), check_handle(world, 3, 1)); /* M80 */
    CHECK(!dz_is_alive(world, a));                         /* M78 */
    CHECK(dz_is_alive(world, d));
    REFUSED(world, dz_destroy(world, a), DZ_ERR_DEAD); /* M70 M74 */
    REFUSED(world, dz_destroy(world, a), DZ_ERR_DEAD);
    CHECK_OK(dz_destroy(world, d));
    REFUSED(world, dz_destroy(world, d), DZ_ERR_DEAD);
    CHECK_OK(dz_world_destroy(world));
}

/* M68: the one destroyed first comes back first. */
static void recycling_fifo(void)
{
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_entity e[4];
    desc.recycling = DZ_RECYCLE_FIFO;
    world = with_desc(desc);
    CHECK_OK(dz_create_n(world, 4, e));
    CHECK_OK(dz_destroy(world, e[1]));
    CHECK_OK(dz_destroy(world, e[3]));
    CHECK_OK(dz_destroy(world, e[0]));
    CHECK_EQ(dz_create(world), check_handle(world, 257, 2));
    CHECK_EQ(dz_create(world), check_handle(world, 259, 2));
    CHECK_OK(dz_destroy(world, check_handle(world, 257, 2)));
    CHECK_EQ(dz_create(world), check_handle(world, 256, 2));
    CHECK_EQ(dz_create(world), check_handle(world, 257, 3));
    CHECK_EQ(dz_create(world), check_handle(world, 260, 1)); /* M4: only now a new one */
    CHECK_OK(dz_world_destroy(world));
}

/* M9 M13 M14 M16: the list of dead slots runs through them, and each keeps its own generation, also the last one in
 * the list, in whatever order they were destroyed. */
static void generations_stay_in_their_slots(void)
{
    dz_world world = check_world();
    uint32_t generation[40], i, round;
    dz_entity e[40];
    CHECK_OK(dz_create_n(world, 40, e));
    for (i = 0; i < 40; i++) generation[i] = 1;
    for (round = 0; round < 30; round++) {
        for (i = 0; i < 40; i++) {
            uint32_t at = (i * 7 + round) % 40;
            if (check_random(2)) continue;
            CHECK_OK(dz_destroy(world, e[at]));
            generation[at]++;
        }
        for (i = 0; i < 40; i++) CHECK_EQ(dz_generation(world, 256 + i), generation[i]);
        for (i = 0; i < 40; i++) {
            dz_entity made;
            if (dz_is_alive(world, e[i])) continue;
            made = dz_create(world);
            if (!CHECK(dz_entity_index(made) >= 256 && dz_entity_index(made) < 296)) break;
            CHECK_EQ(dz_entity_generation(made), generation[dz_entity_index(made) - 256]);
            e[dz_entity_index(made) - 256] = made;
            i = UINT32_MAX; /* from the start: any slot may have come back */
        }
    }
    CHECK_OK(dz_world_destroy(world));
}

/* M6 M15 M34 M41 M42 M43 M62 M63 M67: why a handle is not alive, for each way of not being. */
static void why(void)
{
    dz_world world = check_world(), other = check_world();
    dz_entity live = dz_create(world), dead = dz_create(world), foreign;
    uint32_t null_index = check_null_index(), tombstone = check_tombstone();
    struct { dz_entity entity; dz_status why; } rows[16];
    unsigned n = 0, i;
#define ROW(e, w) (rows[n].entity = (e), rows[n++].why = (w))
    CHECK_OK(dz_destroy(world, dead));
    ROW(live, DZ_OK);
    ROW(DZ_NULL, DZ_ERR_NULL_ENTITY);                                           /* M72 */
    ROW(check_handle(world, null_index, 1), DZ_ERR_NULL_ENTITY);                /* M41 */
    ROW(check_handle(world, null_index, tombstone - 1), DZ_ERR_NULL_ENTITY);
    ROW(check_handle(world, dz_entity_index(live), tombstone), DZ_ERR_TOMBSTONE); /* M42 */
    ROW(check_handle(world, 5000, tombstone), DZ_ERR_TOMBSTONE);
    ROW(dead, DZ_ERR_DEAD);
    ROW(check_handle(world, dz_entity_index(dead), 2), DZ_ERR_NEVER_CREATED); /* M67: its next, not handed out yet */
    ROW(check_handle(world, dz_entity_index(live), 2), DZ_ERR_NEVER_CREATED);
    ROW(check_handle(world, dz_entity_index(live), 0), DZ_ERR_NEVER_CREATED); /* no generation is 0 */
    ROW(check_handle(world, 300, 1), DZ_ERR_NEVER_CREATED);
    ROW(check_handle(world, null_index - 1, 1), DZ_ERR_NEVER_CREATED);
    ROW(check_handle(world, 9, 1), DZ_ERR_NEVER_CREATED); /* reserved, but no component */
    ROW(live | UINT64_C(0x0100000000000000), DZ_ERR_ROLE);
    ROW(live | UINT64_C(0xff00000000000000), DZ_ERR_ROLE);
    foreign = check_layout == DZ_LAYOUT_64 ? dz_create(other) : dz_entity_make(1, 256, 1);
    ROW(foreign, DZ_ERR_WRONG_WORLD); /* M63; a 32-bit world can tell the other layout */
#undef ROW
    for (i = 0; i < n; i++) {
        dz_error_clear();
        CHECK_EQ(dz_is_alive(world, rows[i].entity), rows[i].why == DZ_OK);
        CHECK_IS(dz_error_status(), DZ_OK); /* M75: asking is never an error */
        CHECK_IS(dz_why(world, rows[i].entity), rows[i].why);
        CHECK_IS(dz_error_status(), rows[i].why); /* the sentence is left too */
        if (rows[i].why == DZ_OK) continue;
        if (rows[i].why != DZ_ERR_ROLE) CHECK_SAYS(check_form(rows[i].entity)); /* M62 M64 */
        REFUSED(world, dz_destroy(world, rows[i].entity), rows[i].why); /* M61 M74 */
        REFUSED_0(world, dz_clone(world, rows[i].entity), rows[i].why);
        {
            uint32_t count = 5;
            REFUSED(world, dz_type(world, rows[i].entity, NULL, 0, &count), rows[i].why);
            CHECK_EQ(count, 5);
        }
    }
    CHECK(!dz_is_alive(world, UINT64_MAX)); /* M43, all bits */
    CHECK(!dz_is_alive(world, check_handle(world, null_index, tombstone)));
    CHECK(dz_failed(dz_why(world, check_handle(world, null_index, tombstone))));
    if (check_layout == DZ_LAYOUT_32) { /* 64-bit worlds refuse 32-bit handles too */
        dz_world wide = dz_world_create(NULL);
        dz_entity e = dz_create(wide);
        CHECK_IS(dz_why(wide, live), DZ_ERR_WRONG_WORLD);
        CHECK_IS(dz_why(world, e), DZ_ERR_WRONG_WORLD);
        CHECK_OK(dz_world_destroy(wide));
    }
    CHECK_OK(dz_world_destroy(world));
    CHECK_OK(dz_world_destroy(other));
}

static void alive_without_components(void)
{
    dz_world world = check_world();
    dz_entity e = dz_create(world);
    dz_id frozen = DZ_TAG(world, Frozen);
    CHECK(dz_is_alive(world, e)); /* M7 M83 */
    CHECK_OK(dz_add(world, e, frozen));
    CHECK_OK(dz_remove(world, e, frozen));
    CHECK(dz_is_alive(world, e));
    CHECK(dz_is_alive(world, frozen)); /* components live too */
    CHECK_OK(dz_why(world, frozen));
    CHECK_OK(dz_world_destroy(world));
}

static void destroy_n(void)
{
    dz_world world = check_world();
    dz_id tag = DZ_TAG(world, Tag);
    dz_entity e[8], some[5];
    dz_status report[5];
    int i;
    CHECK_OK(dz_create_n(world, 8, e));
    CHECK_OK(dz_add(world, e[0], tag));
    CHECK_OK(dz_destroy(world, e[7]));
    /* All or none: the first bad entry is the error. */
    some[0] = e[0], some[1] = e[1], some[2] = e[7], some[3] = DZ_NULL, some[4] = e[2];
    REFUSED(world, dz_destroy_n(world, some, 5, NULL), DZ_ERR_DEAD);
    some[2] = e[1];
    REFUSED(world, dz_destroy_n(world, some, 3, NULL), DZ_ERR_DUPLICATE);
    some[2] = tag;
    REFUSED(world, dz_destroy_n(world, some, 3, NULL), DZ_ERR_HELD);
    REFUSED(world, dz_destroy_n(world, NULL, 3, NULL), DZ_ERR_NULL_POINTER);
    QUIETLY(dz_destroy_n(world, some, 0, NULL), DZ_NOTHING_TO_DO);
    for (i = 0; i < 7; i++) CHECK(dz_is_alive(world, e[i]));
    CHECK_OK(dz_destroy_n(world, some, 2, NULL));
    CHECK(!dz_is_alive(world, e[0]) && !dz_is_alive(world, e[1]) && dz_is_alive(world, e[2]));
    CHECK_EQ(dz_count(world, tag), 0);
    CHECK_EQ(dz_create(world), check_handle(world, 256, 2)); /* in the order of the array */
    /* With a report: each entry is tried. */
    some[0] = e[2], some[1] = e[0], some[2] = e[2], some[3] = DZ_NULL, some[4] = e[3];
    CHECK_OK(dz_destroy_n(world, some, 5, report));
    CHECK_IS(report[0], DZ_OK);
    CHECK_IS(report[1], DZ_ERR_DEAD);
    CHECK_IS(report[2], DZ_ERR_DEAD); /* the duplicate */
    CHECK_IS(report[3], DZ_ERR_NULL_ENTITY);
    CHECK_IS(report[4], DZ_OK);
    CHECK(!dz_is_alive(world, e[3]) && dz_is_alive(world, e[4]));
    CHECK_OK(dz_world_destroy(world));
}

/* All living entities, in the order of indices, whatever the page size. */
static void listing(void)
{
    dz_world world = check_world();
    dz_id frozen = DZ_TAG(world, Frozen);
    dz_entity e[500], page[64], last;
    uint32_t capacity, i, count, next;
    CHECK_OK(dz_create_n(world, 500, e));
    for (i = 0; i < 500; i += 2) CHECK_OK(dz_destroy(world, e[i]));
    for (capacity = 1; capacity <= 64; capacity += 21) {
        uint32_t first = 0, total = 0, components = 0;
        for (last = 0; first != UINT32_MAX; first = next) {
            CHECK_OK(dz_entities(world, first, page, capacity, &count, &next));
            CHECK(count <= capacity);
            for (i = 0; i < count; i++) {
                CHECK(dz_is_alive(world, page[i]));
                if (total > 0) CHECK(dz_entity_index(page[i]) > dz_entity_index(last));
                components += page[i] == frozen || page[i] == dz_component_id(world);
                last = page[i];
                total++;
            }
            if (!CHECK(next == UINT32_MAX || next > first)) break;
        }
        CHECK_EQ(total, 252);
        CHECK_EQ(components, 2);
    }
    CHECK_OK(dz_entities(world, 757, page, 64, &count, &next));
    CHECK_EQ(count, 0);
    CHECK_EQ(next, UINT32_MAX);
    CHECK_OK(dz_entities(world, UINT32_MAX, page, 64, &count, &next));
    CHECK_EQ(count, 0);
    count = next = 99;
    QUIETLY(dz_entities(world, 0, page, 0, &count, &next), DZ_NOTHING_TO_DO);
    CHECK(count == 0 && next == 0); /* written all the same */
    QUIETLY(dz_entities(world, 300, NULL, 0, &count, &next), DZ_NOTHING_TO_DO);
    CHECK(count == 0 && next == 300);
    QUIETLY(dz_entities(world, 5000000, NULL, 0, &count, &next), DZ_NOTHING_TO_DO);
    CHECK(count == 0 && next == UINT32_MAX);
    REFUSED(world, dz_entities(world, 0, NULL, 4, &count, &next), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_entities(world, 0, page, 4, NULL, &next), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_entities(world, 0, page, 4, &count, NULL), DZ_ERR_NULL_POINTER);
    CHECK_OK(dz_world_destroy(world));
}

/* M22 M29: the type is what was added, each once. */
static void type(void)
{
    dz_world world = check_world();
    dz_id id[20], got[20];
    dz_entity e = dz_create(world), other = dz_create(world);
    uint32_t i, j, count = 99;
    char name[8];
    CHECK_OK(dz_type(world, e, NULL, 0, &count));
    CHECK_EQ(count, 0);
    for (i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "c%u", (unsigned)i);
        id[i] = dz_component_simple(world, name, i % 3 * 4, 4);
        CHECK_OK(dz_add(world, i % 2 ? e : other, id[i]));
    }
    for (i = 1; i < 20; i += 4) CHECK_IS(dz_add(world, e, id[i]), DZ_ALREADY_THERE);
    CHECK_OK(dz_type(world, e, got, 20, &count));
    CHECK_EQ(count, 10);
    for (i = 1; i < count; i++) CHECK(dz_entity_index(got[i - 1]) < dz_entity_index(got[i]));
    for (i = 0; i < 20; i++) {
        uint32_t times = 0;
        for (j = 0; j < count; j++) times += got[j] == id[i];
        CHECK_EQ(times, i % 2);
        QUIETLY(dz_has(world, e, id[i]), i % 2);
    }
    got[3] = 0;
    CHECK_OK(dz_type(world, e, got, 3, &count)); /* the first three; count says how many there are */
    CHECK_EQ(count, 10);
    CHECK(got[0] == id[1] && got[1] == id[3] && got[2] == id[5] && got[3] == 0);
    REFUSED(world, dz_type(world, e, NULL, 3, &count), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_type(world, e, got, 3, NULL), DZ_ERR_NULL_POINTER);
    CHECK_OK(dz_world_destroy(world));
}

/* M11: when all are destroyed nothing is alive, and all slots wait to be used again. */
static void counts(void)
{
    dz_world world = check_world();
    dz_world_numbers numbers;
    dz_entity e[300];
    uint32_t i;
    CHECK_OK(dz_create_n(world, 300, e));
    for (i = 0; i < 300; i++) CHECK_OK(dz_destroy(world, e[(i * 7) % 300]));
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.alive, 0);
    CHECK_EQ(numbers.dead, 300);
    CHECK_OK(dz_create_n(world, 300, e));
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.alive, 300);
    CHECK_EQ(numbers.dead, 0);
    for (i = 0; i < 300; i++) CHECK(dz_entity_index(e[i]) < 556); /* M80 */
    REFUSED_0(world, dz_generation(world, 556), DZ_ERR_RANGE);
    REFUSED_0(world, dz_generation(world, UINT32_MAX), DZ_ERR_RANGE);
    CHECK_OK(dz_world_destroy(world));
}

/* Long random use against a plain array: M4-M7, M15, M70, M74, M76, M78. */
static void model(void)
{
    static dz_entity alive[3000], dead[20000];
    static bool used[4000];
    dz_world world = check_world();
    uint32_t living = 0, gone = 0, step, i;
    dz_world_numbers numbers;
    memset(used, 0, sizeof used);
    for (step = 0; step < 15000; step++) {
        if (living == 0 || (living < 3000 && check_random(100) < 55)) {
            dz_entity e = dz_create(world);
            if (!CHECK(dz_entity_index(e) < 4000 && !used[dz_entity_index(e)])) return;
            used[dz_entity_index(e)] = true;
            alive[living++] = e;
        } else {
            uint32_t at = check_random(living);
            CHECK_OK(dz_destroy(world, alive[at]));
            dead[gone++] = alive[at];
            used[dz_entity_index(alive[at])] = false;
            CHECK_EQ(dz_generation(world, dz_entity_index(alive[at])), dz_entity_generation(alive[at]) + 1);
            alive[at] = alive[--living];
        }
        if (gone > 0) CHECK_IS(dz_destroy(world, dead[check_random(gone)]), DZ_ERR_DEAD);
        if (living > 0) CHECK(dz_is_alive(world, alive[check_random(living)]));
    }
    for (i = 0; i < gone; i++) CHECK(!dz_is_alive(world, dead[i]));
    for (i = 0; i < living; i++) CHECK(dz_is_alive(world, alive[i]));
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.alive, living);
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(parts);
    RUN(recycling_lifo);
    RUN(recycling_fifo);
    RUN(generations_stay_in_their_slots);
    RUN(why);
    RUN(alive_without_components);
    RUN(destroy_n);
    RUN(listing);
    RUN(type);
    RUN(counts);
    RUN(model);
    return check_done();
}
