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

int main(void)
{
    RUN(owning);
    RUN(looked_up);
    RUN(nested_and_conflicts);
    RUN(changes);
    return check_done();
}
