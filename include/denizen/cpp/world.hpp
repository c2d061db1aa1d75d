/* Worlds. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_WORLD_HPP
#define DENIZEN_CPP_WORLD_HPP

#include "listener.hpp"
#include "range.hpp"

DENIZEN_BEGIN

/* The world of a handle, which somebody else owns: copied freely. What only reads is const. */
class world_view {
public:
    constexpr world_view() noexcept = default;
    constexpr world_view(dz_world handle) noexcept : world_(handle) {}

    constexpr operator dz_world() const noexcept { return world_; }
    constexpr dz_world handle() const noexcept { return world_; }
    friend constexpr bool operator==(world_view a, world_view b) noexcept { return a.world_.bits == b.world_.bits; }
    friend constexpr bool operator!=(world_view a, world_view b) noexcept { return !(a == b); }
    bool alive() const noexcept { return dz_world_is_alive(world_); }
    dz_status why() const noexcept { return dz_world_why(world_); }
    uint32_t number() const noexcept { return dz_world_number(world_); }
    result<void> clear() { return detail::done(world_, dz_world_clear(world_)); }
    result<void> reserve(uint32_t entities) { return detail::done(world_, dz_reserve(world_, entities)); }
    result<void> shrink() { return detail::done(world_, dz_shrink(world_)); }
    result<dz_world_numbers> stats() const
    {
        dz_world_numbers numbers{};
        if (dz_failed(dz_world_stats(world_, &numbers))) return detail::fail<dz_world_numbers>();
        return numbers;
    }

    /* Components. They are registered when they are first used; component<T>() registers at once, and makes the
     * hooks those of the module that calls it: do so where a library that used T is about to be unloaded, or where T
     * was unregistered by others. */
    template <class T> result<dz_id> component() { return id_or_error(detail::register_anew<T>(world_)); }
    template <class T> result<dz_id> id() { return id_or_error(dz_world_why(world_) == DZ_OK ? detail::id_to_write<T>(world_) : dz_id{DZ_NULL}); }
    /* A tag that is no type. */
    result<dz_id> tag(const char *name) { return id_or_error(dz_component_simple(world_, name, 0, 1)); }
    template <class T> result<void> unregister()
    {
        dz_id id = detail::id_to_write<T>(world_);
        if (id == DZ_NULL) return detail::fail<void>();
        dz_status status = dz_component_unregister(world_, id);
        if (status == DZ_OK) detail::note_id(world_, detail::number_of<T>, DZ_NULL);
        return detail::done(world_, status);
    }
    template <class T> result<uint32_t> count() const
    {
        detail::found_id id = detail::id_to_read<T>(world_);
        if (id.failed) return detail::fail<uint32_t>();
        if (id.id == DZ_NULL) return 0u;
        return detail::ask<uint32_t>([&] { return dz_count(world_, id.id); });
    }
    /* Takes T off all entities. */
    template <class T> result<void> clear() { return with_id<T>([&](dz_id id) { return dz_clear_pool(world_, id); }); }
    template <class T> result<void> compact() { return with_id<T>([&](dz_id id) { return dz_compact(world_, id); }); }
    /* Whose T it is. */
    template <class T> result<entity> owner(const T &element) const
    {
        detail::found_id id = detail::id_to_read<T>(world_);
        if (id.failed) return detail::fail<entity>();
        if (id.id == DZ_NULL) return detail::fail<entity>(error(DZ_ERR_NOT_ELEMENT, "owner: nobody has that component"));
        dz_entity handle = dz_entity_of(world_, id.id, std::addressof(element));
        detail::rethrow(world_);
        if (handle == DZ_NULL) return detail::fail<entity>();
        return entity(world_, handle);
    }

    /* Entities. */
    entity operator[](dz_entity handle) const noexcept { return {world_, handle}; }
    result<entity> create() { return detail::made(world_, dz_create(world_)); }
    /* With values: rvalues are moved, others copied. An empty type is a tag. */
    template <class T, class... Ts> result<entity> create(T &&value, Ts &&...values)
    {
        dz_column columns[] = {column<std::decay_t<T>>(value), column<std::decay_t<Ts>>(values)...};
        constexpr std::size_t count = sizeof...(Ts) + 1;
        const bool movable[] = {detail::is_movable<T>, detail::is_movable<Ts>...};
        static_assert(detail::can_be_set<T> && (detail::can_be_set<Ts> && ...), "what can't be copied is given with std::move(value)");
        detail::moving list[count];
        detail::moving *first = nullptr;
        for (std::size_t i = 0; i < count; i++) {
            if (columns[i].id == DZ_NULL) return detail::fail<entity>();
            if (!movable[i]) continue;
            list[i] = {const_cast<void *>(columns[i].values), first, nullptr}; /* what is movable is no constant */
            first = &list[i];
        }
        detail::move_from scope(first);
        dz_entity handle = DZ_NULL;
        dz_status status = dz_create_with(world_, 1, columns, static_cast<uint32_t>(count), &handle);
        detail::rethrow(world_);
        if (status == DZ_ERR_HOOK_FAILED) { /* another module's hooks: see detail::put. What was moved has come back */
            ((void)detail::register_anew<std::decay_t<T>>(world_), ((void)detail::register_anew<std::decay_t<Ts>>(world_), ...));
            status = dz_create_with(world_, 1, columns, static_cast<uint32_t>(count), &handle);
        }
        return detail::made(world_, dz_failed(status) ? dz_entity{DZ_NULL} : handle);
    }
    result<void> create_n(span<dz_entity> out) { return detail::done(world_, dz_create_n(world_, out.size(), out.data())); }
    /* With values, which are copied: world.create_n(out, positions, velocities) of arrays as long as `out`. */
    template <class C, class... Cs> result<void> create_n(span<dz_entity> out, const C &first, const Cs &...more)
    {
        const dz_column columns[] = {column_of(first), column_of(more)...};
        const uint32_t sizes[] = {values_of(first).size(), values_of(more).size()...};
        for (std::size_t i = 0; i < sizeof...(Cs) + 1; i++) {
            if (columns[i].id == DZ_NULL) return detail::fail<void>();
            if (sizes[i] != out.size()) return detail::fail<void>(other_count("create_n", out.size(), sizes[i]));
        }
        return detail::done(world_, dz_create_with(world_, out.size(), columns, static_cast<uint32_t>(sizeof...(Cs) + 1), out.data()));
    }
    result<entity> create_at(dz_entity handle)
    {
        dz_status status = dz_create_at(world_, handle);
        return detail::made(world_, dz_failed(status) ? dz_entity{DZ_NULL} : handle);
    }
    result<void> destroy(dz_entity it) { return detail::done(world_, dz_destroy(world_, it)); }
    result<void> destroy_n(span<const dz_entity> all) { return detail::done(world_, dz_destroy_n(world_, all.data(), all.size(), nullptr)); }
    bool is_alive(dz_entity it) const noexcept { return dz_is_alive(world_, it); }
    /* The entity at a path from the root, e.g. "sol.earth.moon"; none if there is none. */
    result<entity> lookup(const char *path, const char *separator = nullptr) const { return entity(world_, DZ_NULL).lookup(path, separator); }
    template <class S, class = detail::text_of<S>> result<entity> lookup(const S &path) const { return lookup(path.c_str()); }
    /* All that live, components included. */
    entities_range entities() const noexcept { return entities_range(world_); }

    /* What entities have, as the methods of entity. */
    template <class T> result<bool> has(dz_entity it) const { return detail::has<T>(world_, it); }
    template <class T, class U, class... Ts> result<bool> has(dz_entity it) const { return entity(world_, it).template has<T, U, Ts...>(); }
    template <class T> result<const T &> get(dz_entity it) const { return detail::get<const T>(world_, it); }
    template <class T> result<const T *> try_get(dz_entity it) const { return detail::try_get<const T>(world_, it); }
    template <class T> result<T &> get_mut(dz_entity it) { return detail::get<T>(world_, it); }
    template <class T> result<T *> try_get_mut(dz_entity it) { return detail::try_get<T>(world_, it); }
    template <class T> result<T &> get_or_add(dz_entity it) { return detail::get_or_add<T>(world_, it); }
    /* Whether it wasn't there. */
    template <class T> result<bool> add(dz_entity it) { return detail::add<T>(world_, it); }
    /* Whether it was there. */
    template <class T> result<bool> remove(dz_entity it) { return detail::remove<T>(world_, it); }
    template <class T> result<void> set(dz_entity it, T &&value) { return nothing(detail::set(world_, it, std::forward<T>(value))); }
    template <class T> result<void> set(dz_entity it, const T &value) { return nothing(detail::set(world_, it, value)); }
    template <class T, class... Args> result<void> emplace(dz_entity it, Args &&...args)
    {
        return nothing(detail::set(world_, it, detail::construct<T>(std::forward<Args>(args)...)));
    }

    /* The same for many entities at once, all or none. */
    template <class T> result<void> add_n(span<const dz_entity> all)
    {
        static_assert(std::is_default_constructible_v<T> || detail::is_tag<T>, "it can't be made without arguments: use set_n()");
        return with_id<T>([&](dz_id id) { return dz_add_n(world_, all.data(), all.size(), id); });
    }
    template <class T> result<void> remove_n(span<const dz_entity> all)
    {
        return with_id<T>([&](dz_id id) { return dz_remove_n(world_, all.data(), all.size(), id); });
    }
    template <class T> result<void> set_n(span<const dz_entity> all, span<const T> values)
    {
        static_assert(component_traits<T>::copyable && !detail::is_tag<T>, "values are copied");
        if (all.size() != values.size()) return detail::fail<void>(other_count("set_n", all.size(), values.size()));
        return with_id<T>([&](dz_id id) { return dz_set_n(world_, all.data(), all.size(), id, sizeof(T), values.data()); });
    }
    /* Writes a pointer for each, nullptr where it isn't there. */
    template <class T> result<void> get_n(span<const dz_entity> all, const T **out) const
    {
        detail::found_id id = detail::id_to_read<T>(world_);
        if (id.failed || id.id == DZ_NULL) {
            for (uint32_t i = 0; i < all.size(); i++) out[i] = nullptr;
            if (id.failed) return detail::fail<void>();
            for (uint32_t i = 0; i < all.size(); i++) {
                if (dz_failed(dz_why(world_, all.data()[i]))) return detail::fail<void>();
            }
            return result<void>();
        }
        /* An array of const void *, read as what it is: the library writes pointers of one kind. */
        if (dz_failed(dz_get_n(world_, all.data(), all.size(), id.id, reinterpret_cast<const void **>(out)))) return detail::fail<void>();
        return result<void>();
    }

    /* World-wide values. */
    template <class T> result<void> set_singleton(T &&value) { return put_singleton(std::forward<T>(value)); }
    template <class T> result<void> set_singleton(const T &value) { return put_singleton(value); }
    /* nullptr: none is set. */
    template <class T> result<const T *> singleton() const
    {
        static_assert(!detail::is_tag<T>, "an empty type is a tag, which has no value");
        detail::found_id id = detail::id_to_read<T>(world_);
        if (id.failed) return detail::fail<const T *>();
        if (id.id == DZ_NULL) return static_cast<const T *>(nullptr);
        return detail::ask<const T *>([&] { return static_cast<const T *>(dz_singleton_get(world_, id.id)); });
    }
    template <class T> result<T *> singleton_mut()
    {
        static_assert(!detail::is_tag<T>, "an empty type is a tag, which has no value");
        detail::found_id id = detail::id_to_read<T>(world_);
        if (id.failed) return detail::fail<T *>();
        if (id.id == DZ_NULL) return static_cast<T *>(nullptr);
        return detail::ask<T *>([&] { return static_cast<T *>(dz_singleton_get_mut(world_, id.id)); });
    }
    template <class T> result<void> remove_singleton() { return with_id<T>([&](dz_id id) { return dz_singleton_remove(world_, id); }); }

    /* Relations, for those that are types and those that aren't. */
    template <class R> result<void> relation(dz_relation_desc traits) { return with_id<R>([&](dz_id id) { return set_traits(id, traits); }); }
    result<void> relation(dz_entity relation, dz_relation_desc traits) { return detail::done(world_, set_traits(relation, traits)); }
    template <class R> result<dz_id> pair(dz_entity target)
    {
        dz_id relation = detail::id_to_write<R>(world_);
        if (relation == DZ_NULL) return detail::fail<dz_id>();
        return pair(relation, target);
    }
    result<dz_id> pair(dz_entity relation, dz_entity target) { return id_or_error(dz_pair(world_, relation, target)); }
    /* Who has an id that is no component's, e.g. a pair's: world.holders<std::vector<dz_entity>>(world.pair<Likes>(sol)) */
    template <class List> result<List> holders(dz_id id) const
    {
        return detail::listed<List>([&](dz_entity *out, uint32_t most, uint32_t *count) { return dz_pair_holders(world_, id, out, most, count); });
    }

    /* Queries: of types, of text, of terms. See query. */
    template <class... Ts> result<denizen::query<Ts...>> query(const query_options &options = {})
    {
        static_assert(sizeof...(Ts) > 0, "a query is made of types, of text, or of terms");
        return denizen::query<Ts...>::make(world_, options);
    }
    template <class... Ts, class C, std::enable_if_t<std::is_convertible_v<const C &, const char *>, int> = 0>
    result<denizen::query<Ts...>> query(const C &text, const query_options &options = {})
    {
        return denizen::query<Ts...>::make(world_, detail::make_query(world_, nullptr, text, options));
    }
    template <class... Ts, class S, class = detail::text_of<S>> result<denizen::query<Ts...>> query(const S &text, const query_options &options = {})
    {
        return query<Ts...>(text.c_str(), options);
    }
    /* Templates of what they take, so that query<P>({true}) is one with options. */
    template <class... Ts, class D, std::enable_if_t<std::is_same_v<D, dz_query_desc>, int> = 0>
    result<denizen::query<Ts...>> query(const D &desc)
    {
        return denizen::query<Ts...>::make(world_, dz_query_create(world_, &desc));
    }
    /* Owns one that was made by dz_query_create, from the call on: if it fails, that query is destroyed. */
    template <class... Ts, class Q, std::enable_if_t<std::is_same_v<Q, dz_query>, int> = 0>
    result<denizen::query<Ts...>> query(Q handle)
    {
        if (handle.bits == 0 && dz_error_status() == DZ_OK) (void)dz_query_count(world_, handle); /* says what is wrong with it */
        return denizen::query<Ts...>::make(world_, handle);
    }
    /* Calls f with each match of a query of its parameters: world.each([](Position &p, const Velocity &v) { ... }). Ts are what
     * they don't say: world.each<without<Frozen>>(...). The first time the query is made, which is a write: in listeners, and on
     * several threads at once, go by one that is there. The world keeps it, for all calls with the same types. */
    template <class... Ts, class F> result<void> each(F &&f)
    {
        using signature = detail::signature_of<std::decay_t<F>>;
        static_assert(signature::known, "what the parameters ask for must be known: no `auto`, no overloads");
        return each_of<Ts...>(f, typename signature::fields());
    }
    result<uint32_t> optimize(uint32_t moves = UINT32_MAX)
    {
        uint32_t made = 0;
        dz_status status = dz_optimize(world_, moves, &made);
        if (dz_failed(status)) return detail::fail<uint32_t>();
        return made;
    }
    template <class... Ts> result<denizen::group<Ts...>> group() { return denizen::group<Ts...>::make(world_); }

    /* Sorts the pool of T once: less(const T &, const T &). */
    template <class T, class F> result<void> sort(F &&less)
    {
        static_assert(!detail::is_tag<T>, "an empty type is a tag, which has no values to compare");
        dz_id id = detail::id_to_write<T>(world_);
        if (id == DZ_NULL) return detail::fail<void>();
        return detail::sort<T>(world_, less, [&](dz_compare_fn f, void *user) { return dz_sort(world_, id, f, user, DZ_SORT_ONCE); });
    }
    /* Puts the pool of T into the order of that of U; DZ_SORT_KEEP keeps it in that order: see sort_refresh. */
    template <class T, class U> result<void> sort_as(dz_sort_mode mode = DZ_SORT_ONCE)
    {
        dz_id like = detail::id_to_write<U>(world_);
        if (like == DZ_NULL) return detail::fail<void>();
        return with_id<T>([&](dz_id id) { return dz_sort_as(world_, id, like, mode); });
    }
    /* Restores the order that the pool of T is kept in, or lets it be kept in none any longer: whether it was kept in one. */
    template <class T> result<bool> sort_refresh() { return kept<T>(dz_sort_refresh); }
    template <class T> result<bool> sort_release() { return kept<T>(dz_sort_release); }

    /* Listeners: f(entity, T &), or f(entity). The world tells them while the listener lives. */
    template <class T, class F> result<listener> on_add(F &&f) { return listen<T>(DZ_ON_ADD, std::forward<F>(f)); }
    template <class T, class F> result<listener> on_set(F &&f) { return listen<T>(DZ_ON_SET, std::forward<F>(f)); }
    template <class T, class F> result<listener> on_remove(F &&f) { return listen<T>(DZ_ON_REMOVE, std::forward<F>(f)); }
    template <class F> result<listener> on_create(F &&f) { return listener::connect<void>(world_, DZ_ON_CREATE, DZ_NULL, std::forward<F>(f)); }
    template <class F> result<listener> on_destroy(F &&f) { return listener::connect<void>(world_, DZ_ON_DESTROY, DZ_NULL, std::forward<F>(f)); }

protected:
    dz_world world_{0};

private:
    result<dz_id> id_or_error(dz_id id) const
    {
        if (id == DZ_NULL) return detail::fail<dz_id>();
        return id;
    }
#ifdef DENIZEN_NO_EXCEPTIONS
    static result<void> nothing(const result<bool> &it)
    {
        if (!it.good()) return it.error();
        return result<void>();
    }
#else
    static void nothing(bool) noexcept {}
#endif
    template <class V> result<void> put_singleton(V &&value)
    {
        using type = std::decay_t<V>;
        static_assert(!detail::is_tag<type>, "an empty type is a tag, which has no value");
        static_assert(detail::can_be_set<V>, "what can't be copied is set with std::move(value)");
        return nothing(detail::put<type>(world_, value, detail::is_movable<V>, [&](dz_id id, const void *from) {
            return dz_singleton_set(world_, id, sizeof(type), from);
        }));
    }
    template <class T> result<bool> kept(dz_status (*call)(dz_world, dz_id))
    {
        dz_id id = detail::id_to_write<T>(world_);
        if (id == DZ_NULL) return detail::fail<bool>();
        return detail::changed(world_, call(world_, id));
    }
    template <class T, class F> result<void> with_id(F call)
    {
        dz_id id = detail::id_to_write<T>(world_);
        if (id == DZ_NULL) return detail::fail<void>();
        return detail::done(world_, call(id));
    }
    dz_status set_traits(dz_entity relation, dz_relation_desc &traits)
    {
        if (traits.size == 0) traits.size = static_cast<uint32_t>(sizeof traits);
        return dz_relation_set(world_, relation, &traits);
    }
    template <class T> dz_column column(const T &value)
    {
        dz_column column{};
        column.id = detail::id_to_write<T>(world_);
        if constexpr (!detail::is_tag<T>) column.values = std::addressof(value), column.element_size = sizeof(T);
        return column;
    }
    /* A column of an array of values: a C array, or what has data() and size(). */
    template <class C> static auto values_of(const C &values) noexcept
    {
        using value = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(values))>>;
        static_assert(component_traits<value>::copyable && !detail::is_tag<value>, "values are copied");
        return span<const value>(values);
    }
    template <class C> dz_column column_of(const C &values)
    {
        auto all = values_of(values);
        using value = std::remove_const_t<std::remove_pointer_t<decltype(all.data())>>;
        dz_column column{};
        column.id = detail::id_to_write<value>(world_);
        column.values = all.data(), column.element_size = sizeof(value);
        return column;
    }
    static error other_count(const char *call, uint32_t entities, uint32_t values) noexcept
    {
        char sentence[80];
        std::snprintf(sentence, sizeof sentence, "%s: there are %u entities, but %u values", call, unsigned{entities}, unsigned{values});
        return error(DZ_ERR_COUNT, sentence);
    }
    template <class... Ts, class F, class... As> result<void> each_of(F &f, detail::list<As...>)
    {
        using asked = denizen::query<As..., Ts...>;
        asked own;
        dz_iter it;
#ifdef DENIZEN_NO_EXCEPTIONS
        auto begun = asked::begin_noted(world_, &it, own);
        if (!begun) return begun;
#else
        asked::begin_noted(world_, &it, own);
#endif
        uint8_t terms[sizeof...(As) + 1]; /* the first ones */
        for (std::size_t i = 0; i < sizeof...(As); i++) terms[i] = static_cast<uint8_t>(i);
        return detail::each<detail::signature_of<std::decay_t<F>>::with_entity>(it, terms, f, detail::list<As...>());
    }
    template <class T, class F> result<listener> listen(dz_event_kind kind, F &&f)
    {
        dz_id id = detail::id_to_write<T>(world_);
        if (id == DZ_NULL) return detail::fail<listener>();
        using component = std::conditional_t<detail::is_tag<T>, void, T>;
        return listener::connect<component>(world_, kind, id, std::forward<F>(f));
    }
};

/* A world, which ends with this object, and with it all that is in it. */
class world : public world_view {
public:
    /* With every default. Without exceptions, ask whether it is: alive(), or make(). */
    world() : world(dz_world_desc_init()) {}
    explicit world(const dz_world_desc &desc) : world_view(dz_world_create(&desc))
    {
#ifndef DENIZEN_NO_EXCEPTIONS
        if (world_.bits == 0) detail::fail<void>();
#endif
    }
    static result<world> make(const dz_world_desc &desc = dz_world_desc_init())
    {
        world made(desc);
        if (made.world_.bits == 0) return detail::fail<world>();
        return made;
    }
    /* Owns a world that was made by dz_world_create. */
    static world adopt(dz_world handle) noexcept { return world(handle, 0); }

    world(world &&other) noexcept : world_view(other.release()) {}
    world &operator=(world &&other) noexcept
    {
        if (this != &other) {
            end();
            world_ = other.release();
        }
        return *this;
    }
    ~world() { end(); }

    /* Gives the handle away. */
    dz_world release() noexcept { return std::exchange(world_, dz_world{0}); }

    using world_view::destroy;
    /* Ends it now. The destructor does the same, but drops what listeners throw. */
    result<void> destroy()
    {
        dz_world ended = world_;
        detail::ending_world scope(ended);
        dz_status status = dz_world_destroy(ended);
        if (status == DZ_OK) world_ = dz_world{0};
        return detail::done(ended, status);
    }

private:
    world(dz_world handle, int) noexcept : world_view(handle) {}
    void end() noexcept
    {
        if (world_.bits == 0) return;
        detail::ending_world scope(world_);
        if (dz_world_destroy(world_) == DZ_ERR_IN_HOOK) detail::end_world_later(world_);
        else detail::drop_exception(world_);
    }
};

DENIZEN_END

#endif
