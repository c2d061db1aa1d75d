/* The header from C++17: the same calls, and a small typed wrapper as a user would write one. */
#include "check.h"

#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace {

struct Position {
    float x, y;
};

struct alignas(64) Wide {
    double d[8];
};

/* Handles cost nothing and are told apart by their types. */
static_assert(std::is_trivially_copyable_v<dz_world> && sizeof(dz_world) == 4);
static_assert(!std::is_convertible_v<dz_world, dz_listener>);
static_assert(std::is_same_v<std::underlying_type_t<dz_status>, int32_t>);
static_assert(std::is_same_v<dz_entity, uint64_t>);

/* Any C++ type as a component: its own constructor, copy, move and destructor as hooks. */
template <class T> dz_id component(dz_world world, const char *name, int32_t policy = DZ_POLICY_SWAP)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = name;
    desc.element_size = sizeof(T);
    desc.element_alignment = alignof(T);
    desc.policy = policy;
    desc.hooks.construct = [](void *at, uint32_t n, void *) -> int32_t {
        for (uint32_t i = 0; i < n; i++) new (static_cast<T *>(at) + i) T();
        return 0;
    };
    desc.hooks.destruct = [](void *at, uint32_t n, void *) {
        for (uint32_t i = 0; i < n; i++) static_cast<T *>(at)[i].~T();
    };
    desc.hooks.copy = [](void *to, const void *from, uint32_t n, void *) -> int32_t {
        for (uint32_t i = 0; i < n; i++) new (static_cast<T *>(to) + i) T(static_cast<const T *>(from)[i]);
        return 0;
    };
    desc.hooks.relocate = [](void *to, void *from, uint32_t n, void *) {
        for (uint32_t i = 0; i < n; i++) {
            T *old = static_cast<T *>(from) + i;
            new (static_cast<T *>(to) + i) T(std::move(*old));
            old->~T();
        }
    };
    return dz_component_register(world, &desc);
}

void plain_calls()
{
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position), wide = DZ_COMPONENT(world, Wide), frozen = DZ_TAG(world, Frozen);
    dz_entity ship = dz_create(world);
    Position here{1, 2};
    CHECK_OK(DZ_SET(world, ship, position, &here));
    CHECK(DZ_GET(world, ship, Position, position)->y > 1);
    DZ_GET_MUT(world, ship, Position, position)->y = 5;
    CHECK_OK(dz_add(world, ship, wide));
    CHECK(reinterpret_cast<uintptr_t>(dz_get(world, ship, wide)) % 64 == 0);
    CHECK_OK(dz_add(world, ship, frozen));
    dz_iter it;
    float sum = 0;
    for (dz_iterate_pool(world, position, DZ_BACKWARD, &it); dz_next(&it);) {
        DZ_EACH(it, i) sum += DZ_ITEM(it, Position, i)->y;
    }
    CHECK(sum > 4 && sum < 6);
    CHECK(dz_failed(dz_destroy(world, DZ_NULL)));
    CHECK(dz_error_status() == DZ_ERR_NULL_ENTITY);
    dz_status report[1];
    CHECK_OK(dz_destroy_n(world, &ship, 1, report));
    CHECK_OK(dz_world_destroy(world));
}

/* std::string keeps a pointer into itself when it is short: bytes would not do. */
void strings()
{
    for (int32_t policy = 0; policy < 2; policy++) {
        dz_world world = check_world();
        dz_id name = component<std::string>(world, "name", policy);
        dz_entity e[300];
        CHECK_OK(dz_create_n(world, 300, e));
        for (int i = 0; i < 300; i++) {
            std::string text = (i % 2 ? "a name that is too long for the object itself " : "n") + std::to_string(i);
            CHECK_OK(dz_set(world, e[i], name, sizeof text, &text));
        }
        for (int i = 0; i < 300; i += 3) CHECK_OK(dz_remove(world, e[i], name));
        if (policy == DZ_POLICY_STABLE) CHECK_OK(dz_compact(world, name));
        CHECK_OK(dz_shrink(world));
        dz_entity copy = dz_clone(world, e[1]);
        CHECK_OK(dz_destroy(world, e[1]));
        CHECK(*static_cast<const std::string *>(dz_get(world, copy, name)) ==
              "a name that is too long for the object itself 1");
        for (int i = 2; i < 300; i++) {
            auto *text = static_cast<const std::string *>(dz_get(world, e[i], name));
            if (i % 3 == 0) CHECK(text == nullptr);
            else CHECK(text && *text == (i % 2 ? "a name that is too long for the object itself " : "n") + std::to_string(i));
        }
        CHECK(static_cast<std::string *>(dz_get_or_add(world, e[0], name))->empty());
        CHECK_OK(dz_world_destroy(world)); /* the sanitizers see what isn't destroyed */
    }
}

/* A capturing object as a listener's user data. */
void listeners()
{
    dz_world world = check_world();
    dz_id tag = DZ_TAG(world, Tag);
    int added = 0;
    auto count = [](const dz_event *event, void *user) {
        CHECK(event->kind == DZ_ON_ADD);
        ++*static_cast<int *>(user);
    };
    dz_listener listener = dz_listen(world, DZ_ON_ADD, tag, count, &added);
    CHECK_OK(dz_add(world, dz_create(world), tag));
    CHECK_EQ(added, 1);
    CHECK_OK(dz_unlisten(world, listener));
    CHECK_OK(dz_world_destroy(world));
}

} // namespace

int main()
{
    RUN(plain_calls);
    RUN(strings);
    RUN(listeners);
    return check_done();
}
