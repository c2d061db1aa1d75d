/* Groups: owning, partly owning and not owning; nested ones and conflicts; up to date after every change; iterated. */
#include "check.h"

typedef struct { float x, y; } Position;
typedef struct { float x, y; } Velocity;
typedef struct { float kg; } Mass;

enum { N = 3000 };

typedef struct { dz_world world; dz_id position, velocity, mass, frozen; dz_entity e[N]; } Stage;

static Stage stage;

/* Everybody has a Position, every second a Velocity, every third a Mass, every fifth is Frozen. */
static void set_up(void)
{
    uint32_t i;
    stage.world = check_world();
    stage.position = DZ_COMPONENT(stage.world, Position);
    stage.velocity = DZ_COMPONENT(stage.world, Velocity);
    stage.mass = DZ_COMPONENT(stage.world, Mass);
    stage.frozen = DZ_TAG(stage.world, Frozen);
    CHECK_OK(dz_create_n(stage.world, N, stage.e));
    for (i = 0; i < N; i++) {
        Position p = {(float)i, 0};
        Velocity v = {1, (float)i};
        Mass m = {(float)i};
        CHECK_OK(DZ_SET(stage.world, stage.e[i], stage.position, &p));
        if (i % 2 == 0) CHECK_OK(DZ_SET(stage.world, stage.e[i], stage.velocity, &v));
        if (i % 3 == 0) CHECK_OK(DZ_SET(stage.world, stage.e[i], stage.mass, &m));
        if (i % 5 == 0) CHECK_OK(dz_add(stage.world, stage.e[i], stage.frozen));
    }
}

static dz_group group(uint32_t owned, const dz_id *ids, uint32_t included, const dz_id *more, uint32_t excluded, const dz_id *none)
{
    dz_group_desc desc = DZ_GROUP_DESC_INIT;
    desc.owned_count = owned, desc.included_count = included, desc.excluded_count = excluded;
    desc.owned = ids, desc.included = more, desc.excluded = none;
    return dz_group_create(stage.world, &desc);
}

/* How many members an iteration sees; each once, each a member, with its own components. */
static uint32_t seen(dz_group made, int32_t direction, int32_t status)
{
    uint32_t i, n = 0;
    dz_iter it;
    CHECK_OK(dz_iterate_group(stage.world, made, direction, &it));
    while (dz_next(&it)) {
        for (i = 0; i < it.count; i++, n++) {
            dz_entity at = dz_iter_entity(&it, i);
            CHECK(dz_group_contains(stage.world, made, at));
            CHECK(DZ_AT(it, Position, 0, i) == dz_get(stage.world, at, stage.position));
            CHECK(DZ_AT(it, Velocity, 1, i) == dz_get(stage.world, at, stage.velocity));
        }
    }
    CHECK_IS(it.status, status);
    return n;
}

static void owning(void)
{
    dz_group movers;
    dz_iter it;
    uint32_t i, batches = 0;
    dz_id both[2];
    set_up();
    both[0] = stage.position, both[1] = stage.velocity;
    movers = group(2, both, 0, NULL, 0, NULL);
    CHECK(movers.bits != 0);
    CHECK_EQ(dz_group_count(stage.world, movers), N / 2);
    CHECK_EQ(seen(movers, DZ_BACKWARD, DZ_OK), N / 2);
    CHECK_EQ(seen(movers, DZ_FORWARD, DZ_OK), N / 2);
    /* One run but for the pages: both fields are plain arrays. */
    for (CHECK_OK(dz_iterate_group(stage.world, movers, DZ_BACKWARD, &it)); dz_next(&it); batches++) {
        Position *p = DZ_RUN(it, Position, 0);
        const Velocity *v = DZ_RUN(it, Velocity, 1);
        CHECK(it.gather == 0 && p != NULL && v != NULL);
        for (i = 0; i < it.count; i++) p[i].x += v[i].x, CHECK(v[i].y + 1 == p[i].x);
    }
    CHECK(batches <= 9);
    /* Up to date after every change. */
    CHECK_OK(dz_remove(stage.world, stage.e[10], stage.velocity));
    CHECK_OK(dz_destroy(stage.world, stage.e[20]));
    CHECK_OK(dz_add(stage.world, stage.e[1], stage.velocity));
    CHECK(dz_clone(stage.world, stage.e[2]) != DZ_NULL);
    CHECK(!dz_group_contains(stage.world, movers, stage.e[10]) && dz_group_contains(stage.world, movers, stage.e[1]));
    CHECK_EQ(dz_group_count(stage.world, movers), N / 2);
    CHECK_EQ(seen(movers, DZ_BACKWARD, DZ_OK), N / 2);
    CHECK_OK(dz_clear_pool(stage.world, stage.velocity));
    CHECK_EQ(dz_group_count(stage.world, movers), 0);
    CHECK_OK(dz_world_destroy(stage.world));
}

static void looked_up(void)
{
    dz_group heavy, list;
    dz_iter it;
    dz_id included[2];
    uint32_t i, n = 0;
    set_up();
    included[0] = stage.velocity, included[1] = stage.mass;
    heavy = group(1, &stage.position, 2, included, 1, &stage.frozen);
    CHECK_EQ(dz_group_count(stage.world, heavy), N / 6 - N / 30);
    CHECK_EQ(seen(heavy, DZ_BACKWARD, DZ_OK), N / 6 - N / 30);
    for (CHECK_OK(dz_iterate_group(stage.world, heavy, DZ_BACKWARD, &it)); dz_next(&it);) {
        Position *p = DZ_RUN(it, Position, 0); /* owned: an array even here */
        CHECK(it.gather == 1);
        for (i = 0; i < it.count; i++, n++) {
            CHECK(&p[i] == DZ_AT(it, Position, 0, i));
            CHECK(DZ_AT(it, Mass, 2, i) == dz_get(stage.world, dz_iter_entity(&it, i), stage.mass));
        }
    }
    CHECK_EQ(n, dz_group_count(stage.world, heavy));
    included[1] = stage.position, included[0] = stage.velocity;
    list = group(0, NULL, 2, included, 1, &stage.frozen);
    CHECK_EQ(dz_group_count(stage.world, list), N / 2 - N / 10);
    CHECK_OK(dz_remove(stage.world, stage.e[0], stage.frozen)); /* becomes a member of both */
    CHECK_EQ(dz_group_count(stage.world, list), N / 2 - N / 10 + 1);
    CHECK(dz_group_contains(stage.world, heavy, stage.e[0]));
    CHECK_OK(dz_add(stage.world, stage.e[0], stage.frozen));
    CHECK_EQ(dz_group_count(stage.world, list), N / 2 - N / 10);
    CHECK_OK(dz_world_destroy(stage.world));
}

static void nested_and_conflicts(void)
{
    dz_group outer, inner, other;
    dz_id three[3];
    char name[32];
    set_up();
    three[0] = stage.position, three[1] = stage.velocity, three[2] = stage.mass;
    outer = group(2, three, 0, NULL, 0, NULL);
    inner = group(3, three, 0, NULL, 0, NULL);
    CHECK(outer.bits != 0 && inner.bits != 0);
    CHECK_EQ(dz_group_count(stage.world, inner), N / 6);
    CHECK_EQ(seen(outer, DZ_BACKWARD, DZ_OK), N / 2);
    CHECK_EQ(seen(inner, DZ_BACKWARD, DZ_OK), N / 6);
    /* Not nested: the group in the way is named. */
    other = group(1, &stage.velocity, 1, &stage.frozen, 0, NULL);
    CHECK_EQ(other.bits, 0);
    CHECK_IS(dz_error_status(), DZ_ERR_OWNED);
    CHECK(strstr(dz_error_message(), "\"Velocity\"") != NULL);
    sprintf(name, "G:%u", (unsigned)outer.bits);
    CHECK(strstr(dz_error_message(), name) != NULL);
    CHECK_IS(dz_component_unregister(stage.world, stage.mass), DZ_ERR_GROUPED);
    sprintf(name, "G:%u", (unsigned)inner.bits);
    CHECK(strstr(dz_error_message(), name) != NULL);
    CHECK_OK(dz_group_destroy(stage.world, outer));
    CHECK_IS(dz_group_destroy(stage.world, outer), DZ_ERR_GROUP);
    CHECK_OK(dz_group_destroy(stage.world, inner));
    other = group(1, &stage.velocity, 1, &stage.frozen, 0, NULL);
    CHECK(other.bits != 0 && other.bits != outer.bits);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* The loop destroys what it visits, gives and takes away, and still sees every other member once. */
static void changes(void)
{
    dz_group movers;
    dz_iter it;
    dz_id both[2];
    uint32_t n = 0, i;
    set_up();
    both[0] = stage.position, both[1] = stage.velocity;
    movers = group(2, both, 0, NULL, 0, NULL);
    for (CHECK_OK(dz_iterate_group(stage.world, movers, DZ_BACKWARD, &it)); dz_next(&it);) {
        DZ_EACH(it, at) {
            dz_entity entity = dz_iter_entity(&it, at);
            if (n % 3 == 0) CHECK_OK(dz_destroy(stage.world, entity));
            if (n % 3 == 1) CHECK_OK(dz_remove(stage.world, entity, stage.velocity));
            CHECK(dz_create(stage.world) != DZ_NULL);
            n++;
        }
    }
    CHECK_IS(it.status, DZ_OK);
    CHECK_EQ(n, N / 2);
    CHECK_EQ(dz_group_count(stage.world, movers), N / 6);
    /* A plain loop from the end may destroy its current entity. */
    n = 0;
    for (CHECK_OK(dz_iterate_group(stage.world, movers, DZ_BACKWARD, &it)); dz_next(&it);) {
        for (i = it.count; i-- > 0; n++) CHECK_OK(dz_destroy(stage.world, dz_iter_entity(&it, i)));
    }
    CHECK_EQ(n, N / 6);
    CHECK_EQ(dz_group_count(stage.world, movers), 0);
    /* The group goes. */
    CHECK_OK(dz_add(stage.world, stage.e[1], stage.velocity));
    CHECK_OK(dz_iterate_group(stage.world, movers, DZ_BACKWARD, &it));
    CHECK_OK(dz_group_destroy(stage.world, movers));
    CHECK(!dz_next(&it));
    CHECK_IS(it.status, DZ_ERR_GROUP);
    CHECK_OK(dz_world_destroy(stage.world));
}

/* Small random changes by single calls, with nothing between them that would send the next the careful way: groups have
   who has their components, values are those that were set, and listeners are told. */
enum { FEW = 40, KINDS = 4, MOST_GROUPS = 3, LARGEST = 40 };
typedef struct { unsigned char bytes[LARGEST]; } Value;
typedef struct { uint32_t owned, included, excluded; } Terms; /* a bit for each kind; none: no group */
typedef struct { uint32_t size; bool far, iterated, heard; } Ways; /* elements; entities whose pages lie far off; what else is asked for */

static void count_it(const dz_event *event, void *user) { (void)event, ++*(uint32_t *)user; }

/* Never all zeros, as new ones are; in 0 nothing was set. */
static Value value_of(uint32_t step)
{
    Value value;
    uint32_t i;
    for (i = 0; i < LARGEST; i++) value.bytes[i] = step ? (unsigned char)(1 + (step * 31 + i * 7) % 255) : 0;
    return value;
}

/* Every third one may have an index of its own choice, whose page nothing leads to at once. */
static dz_entity one_more(uint32_t i, bool far)
{
    static uint32_t generation;
    dz_entity chosen = dz_entity_make(dz_world_number(stage.world), 50000 + 3000 * i, ++generation);
    if (far && i % 3 == 0 && dz_create_at(stage.world, chosen) == DZ_OK) return chosen;
    return dz_create(stage.world);
}

static void run_changes(const Terms *terms, Ways ways)
{
    uint32_t step, i, k, g;
    dz_entity e[FEW];
    uint32_t has[FEW], value[FEW][KINDS];
    uint32_t told = 0, want = 0, told_gone = 0, want_gone = 0;
    dz_group made[MOST_GROUPS];
    dz_id kinds[KINDS];
    stage.world = check_world();
    kinds[0] = dz_component_simple(stage.world, "A", ways.size, 1), kinds[1] = dz_component_simple(stage.world, "B", ways.size, 1);
    kinds[2] = dz_component_simple(stage.world, "C", ways.size, 1), kinds[3] = DZ_TAG(stage.world, D);
    for (g = 0; g < MOST_GROUPS; g++) {
        dz_id ids[3][KINDS];
        uint32_t count[3] = {0}, part, bits[3];
        bits[0] = terms[g].owned, bits[1] = terms[g].included, bits[2] = terms[g].excluded;
        if ((bits[0] | bits[1]) == 0) continue;
        for (part = 0; part < 3; part++)
            for (k = 0; k < KINDS; k++)
                if (bits[part] >> k & 1) ids[part][count[part]++] = kinds[k];
        made[g] = group(count[0], ids[0], count[1], ids[1], count[2], ids[2]);
        CHECK(made[g].bits);
    }
    if (ways.heard) {
        CHECK(dz_listen(stage.world, DZ_ON_ADD, kinds[1], count_it, &told).bits);
        CHECK(dz_listen(stage.world, DZ_ON_REMOVE, kinds[0], count_it, &told_gone).bits);
    }
    for (i = 0; i < FEW; i++) CHECK(e[i] = one_more(i, ways.far)), has[i] = 0;
    for (step = 1; step <= 1500; step++) {
        Value new_value = value_of(step);
        i = check_random(FEW), k = check_random(KINDS);
        if (ways.iterated && step % 64 == 0) {
            dz_iter it;
            CHECK_OK(dz_iterate_pool(stage.world, kinds[k], DZ_BACKWARD, &it)); /* marks are kept from now on */
        }
        switch (check_random(k < 3 ? 6 : 2)) {
        case 0:
            CHECK_EQ(dz_remove(stage.world, e[i], kinds[k]), has[i] >> k & 1 ? DZ_OK : DZ_NOT_THERE);
            want_gone += k == 0 && (has[i] & 1), has[i] &= ~(1u << k);
            break;
        case 1:
            CHECK_EQ(dz_add(stage.world, e[i], kinds[k]), has[i] >> k & 1 ? DZ_ALREADY_THERE : DZ_OK);
            if (!(has[i] >> k & 1)) value[i][k] = 0, want += k == 1;
            has[i] |= 1u << k;
            break;
        case 2: {
            Value was, *at = dz_get_or_add(stage.world, e[i], kinds[k]);
            if (!(has[i] >> k & 1)) value[i][k] = 0, want += k == 1;
            has[i] |= 1u << k;
            was = value_of(value[i][k]);
            CHECK(at && memcmp(at, &was, ways.size) == 0);
            memcpy(at, &new_value, ways.size), value[i][k] = step;
            break;
        }
        default:
            CHECK_OK(dz_set(stage.world, e[i], kinds[k], ways.size, &new_value));
            want += k == 1 && !(has[i] >> k & 1);
            has[i] |= 1u << k, value[i][k] = step;
        }
        if (step % 100 == 0) {
            CHECK_OK(dz_destroy(stage.world, e[i]));
            want_gone += has[i] & 1;
            CHECK(e[i] = one_more(i, ways.far)), has[i] = 0;
        }
        if (step % 16) continue;
        for (g = 0; g < MOST_GROUPS; g++) {
            uint32_t members = 0, required = terms[g].owned | terms[g].included;
            if (required == 0) continue;
            for (i = 0; i < FEW; i++) {
                bool is_member = (has[i] & required) == required && !(has[i] & terms[g].excluded);
                CHECK_EQ(dz_group_contains(stage.world, made[g], e[i]), is_member);
                members += is_member;
            }
            CHECK_EQ(dz_group_count(stage.world, made[g]), members);
        }
        for (i = 0; i < FEW; i++) {
            for (k = 0; k < 3; k++) {
                const void *at = dz_get(stage.world, e[i], kinds[k]);
                CHECK_EQ(at != NULL, has[i] >> k & 1);
                if (at) {
                    Value set = value_of(value[i][k]);
                    CHECK(memcmp(at, &set, ways.size) == 0);
                    CHECK(dz_entity_of(stage.world, kinds[k], at) == e[i]);
                }
            }
        }
    }
    CHECK_EQ(told, ways.heard ? want : 0);
    CHECK_EQ(told_gone, ways.heard ? want_gone : 0);
    CHECK_OK(dz_world_destroy(stage.world));
}

static void random_changes(void)
{
    static const Terms all[][MOST_GROUPS] = {
        {{3, 0, 0}},
        {{1, 2, 0}},
        {{1, 2, 8}},
        {{0, 3, 8}},
        {{3, 0, 0}, {7, 0, 0}},
        {{3, 0, 8}, {0, 5, 0}},
        {{4, 0, 8}, {1, 10, 0}, {0, 6, 1}},
    };
    static const uint32_t sizes[] = {12, 4, 24, LARGEST, 3};
    uint32_t set, size, kind;
    for (set = 0; set < sizeof all / sizeof *all; set++) {
        for (size = 0; size < sizeof sizes / sizeof *sizes; size++) {
            for (kind = 0; kind < 6; kind++) {
                Ways ways = {sizes[size], kind % 2 == 1, kind / 2 == 1, kind / 2 == 2};
                run_changes(all[set], ways);
            }
        }
    }
}

int main(void)
{
    RUN(owning);
    RUN(looked_up);
    RUN(nested_and_conflicts);
    RUN(changes);
    RUN(random_changes);
    return check_done();
}
