/* What this module knows of worlds, above all which id a C++ type has there. Part of denizen.hpp. MIT OR Apache-2.0.
 *
 * Ids belong to a world. Each module numbers its types (1, 2, 3, ...), and keeps for each world that it has met an array of
 * ids by those numbers. So it does with the queries of world.each, by the types they ask for. Modules agree by the component's name. A record is found by the world's whole handle, which is
 * never handed out twice, so what is known of a dead world can't be taken for what is known of the next one. */
#ifndef DENIZEN_CPP_IDS_HPP
#define DENIZEN_CPP_IDS_HPP

#include "component.hpp"

#include <atomic>

DENIZEN_BEGIN
namespace detail {

/* Beside an id: this module registered it, so that the library has its hooks. */
inline constexpr dz_id registered = dz_id{1} << 63;

/* A type's number, from its first use on. */
struct type_number {
    const char *name; /* its own, which no other type of this module has; nullptr if it was given one */
    bool is_query = false; /* it isn't one type's, and what is noted is no id, but a query */
    std::atomic<uint32_t> value{0};
    type_number *next = nullptr;
};

struct known_ids {
    known_ids *older; /* somebody may still be reading it */
    uint32_t capacity;
    std::atomic<dz_id> *at; /* by the type's number */
};

/* What was to end inside a hook or listener: see call.hpp. */
struct unended {
    unended *next = nullptr;
    /* Ends it, and what it is kept in. False: the world is still inside. */
    bool (*end)(unended *it) noexcept = nullptr;
};

/* All but its ids is changed by who holds the lock; what is atomic is also read by others. */
struct known_world {
    std::atomic<uint32_t> bits{0};
    uint32_t number = 0; /* the world's: one that has it later shows that this one is dead */
    bool ending = false; /* somebody ends it, and comes for what is kept here */
    known_world *next = nullptr;
    std::atomic<known_ids *> ids{nullptr};
    std::atomic<bool> waiting{false}; /* what follows, for the end of a call */
    unended *left = nullptr;
#ifndef DENIZEN_NO_EXCEPTIONS
    std::exception_ptr thrown;
#endif
};

struct known_worlds {
    std::atomic<known_world *> buckets[256] = {};
    type_number *types = nullptr; /* those of all numbers, the last first */
    std::atomic_flag busy = ATOMIC_FLAG_INIT;

    ~known_worlds()
    {
        for (auto &bucket : buckets) {
            known_world *world = bucket.exchange(nullptr);
            while (world) {
                known_world *next = world->next;
                end_queries(*world);
                forget(*world);
                delete world;
                world = next;
            }
        }
    }
    /* The module is unloaded, and the world may go on: the next one that is loaded makes its own. */
    void end_queries(const known_world &world) const noexcept
    {
        const known_ids *ids = world.ids.load();
        const dz_world handle{world.bits.load()};
        if (!ids || !dz_world_is_alive(handle)) return;
        for (const type_number *it = types; it; it = it->next) {
            const uint32_t n = it->is_query ? it->value.load() : ids->capacity;
            const dz_id query = n < ids->capacity ? ids->at[n].load() : 0;
            if (query != 0) dz_query_destroy(handle, dz_query{static_cast<uint32_t>(query)});
        }
    }
    static void forget(known_world &world) noexcept
    {
        end_all(world.left);
        known_ids *ids = world.ids.exchange(nullptr);
        while (ids) {
            known_ids *older = ids->older;
            std::free(ids);
            ids = older;
        }
    }
    static void end_all(unended *it) noexcept
    {
        while (it) {
            unended *next = it->next;
            it->end(it);
            it = next;
        }
    }
};
DENIZEN_LOCAL inline known_worlds worlds;

struct DENIZEN_LOCAL lock_worlds {
    lock_worlds() noexcept
    {
        while (worlds.busy.test_and_set(std::memory_order_acquire)) {}
    }
    ~lock_worlds() { worlds.busy.clear(std::memory_order_release); }
    lock_worlds(const lock_worlds &) = delete;
    lock_worlds &operator=(const lock_worlds &) = delete;
};

template <class T> DENIZEN_LOCAL inline type_number number_of{component_traits<T>::name ? nullptr : component_name<T>()};

/* Numbers a type. False if another has its name, which is to be raised: see is_global. */
DENIZEN_LOCAL inline bool number_type(type_number &type) noexcept
{
    if (type.value.load(std::memory_order_relaxed) != 0) return true;
    lock_worlds lock;
    if (type.value.load(std::memory_order_relaxed) != 0) return true;
    for (type_number *it = type.name ? worlds.types : nullptr; it; it = it->next) {
        if (it->name && std::strcmp(it->name, type.name) == 0) return name_of_two = type.name, false;
    }
    type.next = std::exchange(worlds.types, &type);
    type.value.store(type.next ? type.next->value.load(std::memory_order_relaxed) + 1 : 1, std::memory_order_relaxed);
    return true;
}

DENIZEN_LOCAL inline known_world *find_world(dz_world world) noexcept
{
    known_world *it = worlds.buckets[world.bits % 256].load(std::memory_order_acquire);
    while (it && it->bits.load(std::memory_order_relaxed) != world.bits) it = it->next;
    return it;
}

/* The record of a living world; nullptr if it isn't living, or there is no memory. The record of a world whose number this
 * one has now is taken over: of two worlds with one number the older is dead. (To ask whether it is alive wouldn't tell: it
 * isn't for as long as it runs a hook.) */
DENIZEN_LOCAL inline known_world *meet_world(dz_world world) noexcept
{
    if (known_world *known = find_world(world)) return known;
    if (!dz_world_is_alive(world)) return nullptr;
    const uint32_t number = dz_world_number(world);
    struct remains { /* ended behind the lock: who knows what they do then */
        unended *left = nullptr;
#ifndef DENIZEN_NO_EXCEPTIONS
        std::exception_ptr thrown;
#endif
        ~remains() { known_worlds::end_all(left); }
    } dropped;
    lock_worlds lock;
    if (known_world *known = find_world(world)) return known;
    auto &bucket = worlds.buckets[world.bits % 256];
    for (known_world *it = bucket.load(); it; it = it->next) {
        if (it->number == number && !it->ending) { /* its ids' room is left: whoever reads there still has a dead world's handle */
            for (known_ids *ids = it->ids.load(); ids; ids = ids->older) {
                for (uint32_t i = 0; i < ids->capacity; i++) ids->at[i].store(0, std::memory_order_relaxed);
            }
            it->waiting.store(false, std::memory_order_relaxed);
            dropped.left = std::exchange(it->left, nullptr);
#ifndef DENIZEN_NO_EXCEPTIONS
            dropped.thrown = std::exchange(it->thrown, nullptr);
#endif
            it->bits.store(world.bits, std::memory_order_release);
            return it;
        }
    }
    known_world *made = new (std::nothrow) known_world;
    if (!made) return nullptr;
    made->bits.store(world.bits);
    made->number = number;
    made->next = bucket.load();
    bucket.store(made, std::memory_order_release);
    return made;
}

/* Notes the id of a type that has a number. False: without memory it isn't noted, and asked for again. */
DENIZEN_LOCAL inline bool note_id(dz_world world, const type_number &type, dz_id id) noexcept
{
    known_world *known = meet_world(world);
    if (!known) return false;
    lock_worlds lock;
    const uint32_t n = type.value.load(std::memory_order_relaxed);
    known_ids *ids = known->ids.load(std::memory_order_relaxed);
    if (!ids || n >= ids->capacity) {
        uint32_t capacity = 32;
        while (capacity <= n) capacity *= 2;
        void *memory = std::malloc(sizeof(known_ids) + capacity * sizeof(std::atomic<dz_id>));
        if (!memory) return false;
        known_ids *grown = new (memory) known_ids{ids, capacity, nullptr};
        grown->at = reinterpret_cast<std::atomic<dz_id> *>(grown + 1);
        for (uint32_t i = 0; i < capacity; i++) {
            new (static_cast<void *>(grown->at + i)) std::atomic<dz_id>(ids && i < ids->capacity ? ids->at[i].load(std::memory_order_relaxed) : 0);
        }
        known->ids.store(grown, std::memory_order_release);
        ids = grown;
    }
    ids->at[n].store(id, std::memory_order_relaxed);
    return true;
}

/* What is noted of a type in a world, or 0. */
DENIZEN_LOCAL inline dz_id noted(dz_world world, const type_number &type) noexcept
{
    const known_world *known = find_world(world);
    if (!known) return 0;
    const known_ids *ids = known->ids.load(std::memory_order_acquire);
    uint32_t n = type.value.load(std::memory_order_relaxed);
    return ids && n < ids->capacity ? ids->at[n].load(std::memory_order_relaxed) : 0;
}

DENIZEN_LOCAL inline dz_id register_type(dz_world world, type_number &type, dz_component_desc desc, dz_hooks (*hooks)(void *)) noexcept
{
    if (!number_type(type)) return DZ_NULL;
    desc.hooks = hooks(meet_world(world));
    dz_id id = dz_component_register(world, &desc);
    if (id != DZ_NULL) note_id(world, type, id | registered);
    return id;
}

template <class T> constexpr dz_component_desc desc_of() noexcept
{
    static_assert(!is_word<T>, "with, without, any_of, included and entity are no components: not every one can stand everywhere, and in a loop's function the entity comes first");
    static_assert(!std::is_same_v<T, dz_entity>, "a number of 64 bits is a dz_entity or dz_id, and no component: put a number into a struct; add(), add_pair() and create_at() take ids, and in a loop's function the entity comes first");
    static_assert(!std::is_const_v<T>, "a component has one name: ask for T, not for const T");
    static_assert(is_component<T>, "a component is a plain object type: ask for T, not for T &, T *, T[] or volatile T");
    static_assert(is_tag<T> || (sizeof(T) <= 1048576 && alignof(T) <= 4096), "a component has at most 1,048,576 bytes, and an alignment of at most 4096");
    static_assert(length_of(component_name<T>()) <= 255, "the name of a component has at most 255 bytes: give it one with DENIZEN_NAME");
    dz_component_desc desc{};
    desc.size = static_cast<uint32_t>(sizeof desc);
    desc.policy = component_traits<T>::policy;
    desc.name = component_name<T>();
    desc.element_size = is_tag<T> ? 0 : static_cast<uint32_t>(sizeof(T));
    desc.element_alignment = is_tag<T> ? 1 : static_cast<uint32_t>(alignof(T));
    return desc;
}

/* Registers T, whatever is noted: the library then has this module's hooks. 0 on error. */
template <class T> DENIZEN_LOCAL inline dz_id register_anew(dz_world world) noexcept
{
    return register_type(world, number_of<T>, desc_of<T>(), &component_hooks<T>);
}

/* An id, or none: because nobody registered the type, or (failed) because of an error. */
struct found_id {
    dz_id id;
    bool failed;
};

DENIZEN_LOCAL inline found_id find_type(dz_world world, type_number &type, const dz_component_desc &desc) noexcept
{
    if (!number_type(type)) return {0, true};
    dz_component_details details{};
    if (dz_world_why(world) != DZ_OK) return {0, true};
    dz_id id = dz_component_find(world, desc.name);
    if (id == DZ_NULL) return {0, false};
    if (dz_failed(dz_component_info(world, id, &details))) return {0, true};
    if (details.element_size != desc.element_size || details.element_alignment != desc.element_alignment || details.policy != desc.policy) {
        dz_component_register(world, &desc); /* refuses, and says why */
        return {0, true};
    }
    note_id(world, type, id);
    return {id, false};
}

/* The id of T if it is registered. For calls that only read. */
template <class T> DENIZEN_LOCAL inline found_id id_to_read(dz_world world) noexcept
{
    dz_id id = noted(world, number_of<T>) & ~registered;
    return id != DZ_NULL ? found_id{id, false} : find_type(world, number_of<T>, desc_of<T>());
}

/* In a listener nothing is registered, but what others have registered may be set, if it is bytes: of more the hooks aren't
 * known to be ours, or there at all. */
template <class T> DENIZEN_LOCAL dz_id register_or_find(dz_world world) noexcept
{
    const bool clean = dz_error_status() == DZ_OK;
    dz_id id = register_anew<T>(world);
    if constexpr (is_plain<T>) {
        if (id != DZ_NULL || dz_error_status() != DZ_ERR_IN_HOOK) return id;
        id = id_to_read<T>(world).id;
        if (id != DZ_NULL && clean) dz_error_clear();
    }
    return id;
}

/* The id of T, registered if it isn't. For calls that write. 0 on error. */
template <class T> DENIZEN_LOCAL inline dz_id id_to_write(dz_world world) noexcept
{
    dz_id id = noted(world, number_of<T>);
    return id & registered ? id & ~registered : register_or_find<T>(world);
}

} // namespace detail
DENIZEN_END

#endif
