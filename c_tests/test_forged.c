/* No handle value can hurt: valid handles with bits flipped, and random ones, in every place that takes a handle. Each
 * is refused, and nothing in the world changes. M34 M61 M67 */
#include "check.h"

enum { N = 24, STEPS = 6000 };

static uint64_t random_bits(void)
{
    return (uint64_t)check_random(UINT32_MAX) << 32 ^ (uint64_t)check_random(UINT32_MAX) << 11 ^ check_random(UINT32_MAX);
}

/* One to three bits flipped, or parts exchanged, or anything. */
static uint64_t forge(uint64_t handle, uint64_t other)
{
    uint32_t i;
    switch (check_random(6)) {
    case 0: return random_bits();
    case 5: return check_random(2) ? UINT64_MAX : ~(UINT64_C(1) << check_random(64));
    case 1: return (handle & ~(uint64_t)0xffff) | (other & 0xffff);
    case 2: return handle + (UINT64_C(1) << (check_layout == DZ_LAYOUT_64 ? 32 : 20)) * check_random(70000);
    default:
        for (i = check_random(3) + 1; i > 0; i--) handle ^= UINT64_C(1) << check_random(64);
        return handle;
    }
}

static bool is_in(const uint64_t *all, uint32_t n, uint64_t one)
{
    uint32_t i;
    for (i = 0; i < n; i++) {
        if (all[i] == one) return true;
    }
    return false;
}

/* One of the calls that take an entity and a component. */
static dz_status call(uint32_t which, dz_world world, dz_entity e, dz_id id)
{
    uint64_t value = 1;
    const void *read;
    void *write;
    uint8_t has;
    uint32_t count;
    dz_error_clear();
    switch (which) {
    case 0: return dz_add(world, e, id);
    case 1: return dz_remove(world, e, id);
    case 2: return dz_set(world, e, id, 8, &value);
    case 3: return dz_get(world, e, id) ? DZ_OK : dz_error_status();
    case 4: return dz_get_mut(world, e, id) ? DZ_OK : dz_error_status();
    case 5: return dz_get_or_add(world, e, id) ? DZ_OK : dz_error_status();
    case 6: return dz_has(world, e, id) ? DZ_OK : dz_error_status();
    case 7: return dz_add_n(world, &e, 1, id);
    case 8: return dz_remove_n(world, &e, 1, id);
    case 9: return dz_set_n(world, &e, 1, id, 8, &value);
    case 10: return dz_get_n(world, &e, 1, id, &read);
    case 11: return dz_get_mut_n(world, &e, 1, id, &write);
    case 12: return dz_has_n(world, &e, 1, id, &has);
    case 13: return dz_get_or_add_n(world, &e, 1, id, &write);
    case 14: return dz_destroy(world, e);
    case 15: return dz_destroy_n(world, &e, 1, NULL);
    case 16: return dz_clone(world, e) ? DZ_OK : dz_error_status();
    case 17: return dz_type(world, e, NULL, 0, &count);
    default: return dz_why(world, e);
    }
}

static void entities_and_ids(void)
{
    dz_world world = check_world();
    dz_id ids[4];
    dz_entity all[N + 4];
    uint32_t i, step;
    uint64_t digest;
    ids[0] = dz_component_simple(world, "a", 8, 8), ids[1] = dz_component_simple(world, "b", 8, 8);
    ids[2] = DZ_TAG(world, Tag), ids[3] = dz_component_id(world);
    CHECK_OK(dz_create_n(world, N, all));
    for (i = 0; i < N; i++) {
        CHECK_OK(dz_add(world, all[i], ids[i % 3]));
        if (i % 4 == 0) { /* some slots with a past */
            CHECK_OK(dz_destroy(world, all[i]));
            all[i] = dz_create(world);
        }
    }
    memcpy(all + N, ids, sizeof ids);
    digest = check_digest(world);
    for (step = 0; step < STEPS; step++) {
        dz_entity e = forge(all[check_random(N)], all[check_random(N + 4)]);
        dz_id id = forge(ids[check_random(4)], all[check_random(N)]);
        if (!is_in(all, N + 4, e)) {
            CHECK(!dz_is_alive(world, e));
            for (i = 0; i <= 18; i++) CHECK(call(i, world, e, ids[check_random(2)]) < 0);
            CHECK(dz_failed(dz_component_unregister(world, e)));
            CHECK(dz_failed(dz_clear_pool(world, e)) && dz_failed(dz_compact(world, e)));
            CHECK(dz_count(world, e) == 0 && dz_singleton_get(world, e) == NULL && dz_entity_of(world, e, &id) == 0);
        }
        if (!is_in(ids, 4, id)) {
            dz_iter it;
            /* Who lives can be added one by one, and with a role, but for a pair's. */
            bool other = dz_is_alive(world, dz_without_role(id)) && (dz_role(id) < DZ_ROLE_PAIR || dz_role(id) >= DZ_ROLE_USER);
            for (i = other ? 7 : 0; i <= 13; i++) CHECK(call(i, world, all[check_random(N)], id) < 0);
            CHECK(dz_failed(dz_iterate_pool(world, id, DZ_BACKWARD, &it)) && !dz_next(&it));
        }
        if (step % 16 == 0 && !CHECK(check_digest(world) == digest)) break;
        if (check_failures > 20) break;
    }
    CHECK_EQ(check_digest(world), digest);
    CHECK_OK(dz_world_destroy(world));
}

static void quiet(const dz_event *event, void *user)
{
    (void)event, (void)user;
}

static void worlds_and_listeners(void)
{
    dz_world worlds[6], forged;
    dz_listener listeners[6], wrong;
    uint32_t i, step;
    for (i = 0; i < 6; i++) {
        worlds[i] = check_world();
        listeners[i] = dz_listen(worlds[0], DZ_ON_CREATE, DZ_NULL, quiet, NULL);
    }
    CHECK_OK(dz_unlisten(worlds[0], listeners[5]));
    CHECK_OK(dz_world_destroy(worlds[5]));
    for (step = 0; step < STEPS * 4; step++) {
        forged.bits = (uint32_t)forge(worlds[check_random(6)].bits, worlds[check_random(6)].bits);
        wrong.bits = (uint32_t)forge(listeners[check_random(6)].bits, listeners[check_random(6)].bits);
        for (i = 0; i < 5 && worlds[i].bits != forged.bits; i++) {}
        if (i == 5) {
            CHECK(!dz_world_is_alive(forged));
            CHECK(dz_failed(dz_world_destroy(forged)) && dz_failed(dz_world_why(forged)) && dz_create(forged) == 0);
        }
        for (i = 0; i < 5 && listeners[i].bits != wrong.bits; i++) {}
        if (i == 5) CHECK_IS(dz_unlisten(worlds[0], wrong), DZ_ERR_LISTENER);
        if (check_failures > 20) break;
    }
    for (i = 0; i < 5; i++) {
        CHECK_OK(dz_unlisten(worlds[0], listeners[i]));
        CHECK(dz_world_is_alive(worlds[i]));
    }
    for (i = 0; i < 5; i++) CHECK_OK(dz_world_destroy(worlds[i]));
}

/* Good and bad calls in any order, with wrong handles, ids and sizes, and nothing between them that would look at the world
   as a whole: to look begins iterations, after which changes aren't made the short way for a while. What is refused changes
   nothing, and elements are never written beyond their end: each is followed by others, which keep their values. */
static void in_passing(void)
{
    enum { IDS = 10, MANY = 40 };
    static const uint32_t sizes[IDS] = {4, 12, 0, 24, 64, 100, 8, 0, 16, 1};
    static const unsigned char value[128] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    dz_entity all[MANY];
    int round;
    for (round = 0; round < 8; round++) {
        dz_world world = check_world();
        dz_id ids[IDS];
        uint32_t step, i, refused = 0;
        memset(all, 0, sizeof all);
        for (i = 0; i < IDS; i++) {
            char name[20];
            dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
            sprintf(name, "c%u", (unsigned)i);
            desc.name = name, desc.element_size = sizes[i], desc.policy = i == 6 ? DZ_POLICY_STABLE : DZ_POLICY_SWAP;
            ids[i] = dz_component_register(world, &desc);
        }
        if (round & 1) {
            dz_group_desc group = DZ_GROUP_DESC_INIT;
            group.owned = ids + 3, group.owned_count = 2;
            CHECK(dz_group_create(world, &group).bits);
        }
        for (step = 0; step < 20000; step++) {
            uint32_t at = check_random(MANY), k = check_random(IDS), size = sizes[k], before, had;
            dz_entity e = all[at], made = DZ_NULL;
            dz_id id = ids[k];
            dz_status status = DZ_OK;
            dz_column columns[2];
            switch (check_random(24)) {
            case 0: e = forge(e, all[check_random(MANY)]); break;
            case 1: e = ids[check_random(IDS)]; break;
            case 2: id = forge(id, all[at]); break;
            case 3: id = e; break;
            default: break;
            }
            if (is_in(ids, IDS, id)) for (k = 0; ids[k] != id;) k++;
            size = sizes[k];
            if (check_random(12) == 0) {
                size = check_random(3) ? size + 1 + check_random(3) : check_random(2) ? UINT32_MAX : check_random(UINT32_MAX);
            }
            before = dz_count(world, ids[k]), had = dz_has(world, e, ids[k]);
            memset(columns, 0, sizeof columns);
            switch (check_random(9)) {
            case 0: case 1:
                status = dz_set(world, e, id, size, check_random(40) ? value : NULL);
                CHECK(dz_failed(status) || (size == sizes[k] && size > 0));
                break;
            case 2: status = dz_add(world, e, id); break;
            case 3: status = dz_remove(world, e, id); break;
            case 4:
                if (dz_get_or_add(world, e, id) == NULL) status = dz_error_status();
                break;
            case 5:
                columns[0].id = id, columns[0].values = check_random(2) ? value : NULL, columns[0].element_size = size;
                columns[1].id = ids[1], columns[1].values = value, columns[1].element_size = 12;
                status = dz_create_with(world, 1, columns, 1 + check_random(2), &made);
                CHECK(dz_failed(status) || size == sizes[k]);
                if (!dz_failed(status)) all[at] = made;
                break;
            case 6: status = dz_destroy(world, e); break;
            default: all[at] = dz_create(world);
            }
            if (dz_failed(status)) {
                refused++;
                CHECK_EQ(dz_count(world, ids[k]), before);
                CHECK_EQ(dz_has(world, e, ids[k]), had);
            }
            if (check_failures > 20) return;
        }
        CHECK(refused > 2000 && refused < 18000);
        for (i = 0; i < MANY; i++) {
            uint32_t k;
            for (k = 0; k < IDS; k++) {
                const unsigned char *element = sizes[k] ? (const unsigned char *)dz_get(world, all[i], ids[k]) : NULL;
                uint32_t byte;
                for (byte = 0; element && byte < sizes[k]; byte++) CHECK(element[byte] == 0 || element[byte] == value[byte]);
            }
        }
        CHECK_OK(dz_world_destroy(world));
    }
}

int main(void)
{
    RUN(entities_and_ids);
    RUN(in_passing);
    RUN(worlds_and_listeners);
    return check_done();
}
