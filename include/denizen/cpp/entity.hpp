/* An entity of a world, with methods. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_ENTITY_HPP
#define DENIZEN_CPP_ENTITY_HPP

#include "access.hpp"

#include <functional>

DENIZEN_BEGIN

class entity;
class children_range;
class subtree_range;

namespace detail {
DENIZEN_LOCAL inline error no_child(dz_entity child, dz_entity parent)
{
    char who[40], whose[40], sentence[120];
    dz_entity_text(child, who, sizeof who), dz_entity_text(parent, whose, sizeof whose);
    std::snprintf(sentence, sizeof sentence, "entity %s is not a child of %s", who, whose);
    return error(DZ_ERR_SIBLING, sentence);
}

/* What has c_str(), e.g. std::string, is text too. */
template <class S> using text_of = decltype(static_cast<const char *>(std::declval<const S &>().c_str()));

/* A list of a kind of yours, e.g. std::vector<dz_entity>: call(out, capacity, count) writes the first `capacity`, and how many
 * there are. */
template <class List, class F> DENIZEN_LOCAL result<List> listed(F call)
{
    uint32_t count = 0;
    if (dz_failed(call(nullptr, 0, &count))) return fail<List>();
    List list(count);
    if (count > 0 && dz_failed(call(list.data(), count, &count))) return fail<List>();
    return list;
}

/* After a call that makes an entity: that, or the error. */
DENIZEN_LOCAL inline result<entity> made(dz_world world, dz_entity handle);
} // namespace detail

/* A world's handle and an entity's: copied freely, compared by both. It owns nothing, and may be kept for as long as you
 * like: a call on an entity that is dead, or of a world that is, is an error. Methods that add, set or remove return the
 * entity, so that they can be written one behind the other.
 *
 * get, get_mut: a reference, DZ_ERR_NOT_HELD if it isn't there. try_get, try_get_mut: a pointer, nullptr then. */
class entity {
public:
    constexpr entity() noexcept = default;
    constexpr entity(dz_world world, dz_entity handle) noexcept : world_(world), handle_(handle) {}

    constexpr operator dz_entity() const noexcept { return handle_; }
    constexpr dz_entity handle() const noexcept { return handle_; }
    constexpr dz_world world() const noexcept { return world_; }
    /* Whether there is a handle; whether it is good is told by alive(). */
    constexpr explicit operator bool() const noexcept { return handle_ != DZ_NULL; }
    friend constexpr bool operator==(entity a, entity b) noexcept { return a.handle_ == b.handle_ && a.world_.bits == b.world_.bits; }
    friend constexpr bool operator!=(entity a, entity b) noexcept { return !(a == b); }
    /* By world, then by handle: for std::set and its like. */
    friend constexpr bool operator<(entity a, entity b) noexcept
    {
        return a.world_.bits != b.world_.bits ? a.world_.bits < b.world_.bits : a.handle_ < b.handle_;
    }
    friend constexpr bool operator>(entity a, entity b) noexcept { return b < a; }
    friend constexpr bool operator<=(entity a, entity b) noexcept { return !(b < a); }
    friend constexpr bool operator>=(entity a, entity b) noexcept { return !(a < b); }

    bool alive() const noexcept { return dz_is_alive(world_, handle_); }
    /* Why it is not alive, or DZ_OK. */
    dz_status why() const noexcept { return dz_why(world_, handle_); }
    result<void> destroy() const { return detail::done(world_, dz_destroy(world_, handle_)); }
    result<entity> clone() const { return detail::made(world_, dz_clone(world_, handle_)); }

    /* Components by type. */
    template <class T> result<bool> has() const { return detail::has<T>(world_, handle_); }
    /* Whether it has all of them. */
    template <class T, class U, class... Ts> result<bool> has() const
    {
        auto first = has<T>();
        if (!first) return first;
        return has<U, Ts...>();
    }
    template <class T> result<const T &> get() const { return detail::get<const T>(world_, handle_); }
    template <class T> result<T &> get_mut() const { return detail::get<T>(world_, handle_); }
    template <class T> result<const T *> try_get() const { return detail::try_get<const T>(world_, handle_); }
    template <class T> result<T *> try_get_mut() const { return detail::try_get<T>(world_, handle_); }
    template <class T> result<T &> get_or_add() const { return detail::get_or_add<T>(world_, handle_); }
    /* The value is made by T(), if it wasn't there. */
    template <class T> result<entity> add() const { return after(detail::add<T>(world_, handle_)); }
    template <class T> result<entity> remove() const { return after(detail::remove<T>(world_, handle_)); }
    /* Several, one after the other. */
    template <class T, class U, class... Ts> result<entity> add() const
    {
        auto first = add<T>();
        if (!first) return first;
        return add<U, Ts...>();
    }
    template <class T, class U, class... Ts> result<entity> remove() const
    {
        auto first = remove<T>();
        if (!first) return first;
        return remove<U, Ts...>();
    }
    /* A value that is an rvalue is moved. */
    template <class T> result<entity> set(T &&value) const { return after(detail::set(world_, handle_, std::forward<T>(value))); }
    template <class T> result<entity> set(const T &value) const { return after(detail::set(world_, handle_, value)); }
    /* Constructs T from arguments, and sets it. */
    template <class T, class... Args> result<entity> emplace(Args &&...args) const
    {
        return set(detail::construct<T>(std::forward<Args>(args)...));
    }

    /* Components, tags, pairs, entities and roles by id. */
    result<bool> has(dz_id id) const { return detail::ask<bool>([&] { return dz_has(world_, handle_, id); }); }
    result<entity> add(dz_id id) const { return after(detail::changed(world_, dz_add(world_, handle_, id))); }
    result<entity> remove(dz_id id) const { return after(detail::changed(world_, dz_remove(world_, handle_, id))); }

    /* Pairs: of a relation that is a type, whose values the pairs have, or of any. */
    template <class R> result<entity> add_pair(dz_entity target) const { return with_relation<R>([&](dz_id r) { return add_pair(r, target); }); }
    template <class R> result<entity> remove_pair(dz_entity target) const { return with_relation<R>([&](dz_id r) { return remove_pair(r, target); }); }
    template <class R> result<bool> has_pair(dz_entity target) const
    {
        detail::found_id r = detail::id_to_read<R>(world_);
        if (r.failed) return detail::fail<bool>();
        return r.id ? has_pair(r.id, target) : has_pair(handle_, target, false);
    }
    template <class R> result<entity> set_pair(dz_entity target, R &&value) const
    {
        return after(detail::set_pair(world_, handle_, DZ_NULL, target, std::forward<R>(value)));
    }
    template <class R> result<entity> set_pair(dz_entity target, const R &value) const
    {
        return after(detail::set_pair(world_, handle_, DZ_NULL, target, value));
    }
    template <class R> result<const R &> get_pair(dz_entity target) const { return detail::get_pair<R, const R>(world_, handle_, DZ_NULL, target); }
    template <class R> result<R &> get_pair_mut(dz_entity target) const { return detail::get_pair<R, R>(world_, handle_, DZ_NULL, target); }
    template <class R> result<const R *> try_get_pair(dz_entity target) const { return detail::try_get_pair<R, const R>(world_, handle_, DZ_NULL, target); }
    template <class R> result<R *> try_get_pair_mut(dz_entity target) const { return detail::try_get_pair<R, R>(world_, handle_, DZ_NULL, target); }

    result<entity> add_pair(dz_entity relation, dz_entity target) const
    {
        return after(detail::changed(world_, dz_add_pair(world_, handle_, relation, target)));
    }
    result<entity> remove_pair(dz_entity relation, dz_entity target) const
    {
        return after(detail::changed(world_, dz_remove_pair(world_, handle_, relation, target)));
    }
    result<bool> has_pair(dz_entity relation, dz_entity target) const
    {
        return detail::ask<bool>([&] { return dz_has_pair(world_, handle_, relation, target); });
    }
    /* T is the type of the relation, or if that has no data, of the target. */
    template <class T> result<entity> set_pair(dz_entity relation, dz_entity target, T &&value) const
    {
        return after(detail::set_pair(world_, handle_, relation, target, std::forward<T>(value)));
    }
    template <class T> result<entity> set_pair(dz_entity relation, dz_entity target, const T &value) const
    {
        return after(detail::set_pair(world_, handle_, relation, target, value));
    }
    template <class T> result<const T &> get_pair(dz_entity relation, dz_entity target) const
    {
        return detail::get_pair<T, const T>(world_, handle_, relation, target);
    }
    template <class T> result<T &> get_pair_mut(dz_entity relation, dz_entity target) const
    {
        return detail::get_pair<T, T>(world_, handle_, relation, target);
    }
    template <class T> result<const T *> try_get_pair(dz_entity relation, dz_entity target) const
    {
        return detail::try_get_pair<T, const T>(world_, handle_, relation, target);
    }
    template <class T> result<T *> try_get_pair_mut(dz_entity relation, dz_entity target) const
    {
        return detail::try_get_pair<T, T>(world_, handle_, relation, target);
    }
    /* The target that it has by a relation, the latest one; none if there is none. */
    template <class R> result<entity> target() const
    {
        detail::found_id r = detail::id_to_read<R>(world_);
        if (r.failed) return detail::fail<entity>();
        return target(r.id ? r.id : handle_, r.id != DZ_NULL);
    }
    result<entity> target(dz_entity relation) const { return target(relation, true); }
    /* All of them, the latest first, in a list of yours: ship.targets<Likes, std::vector<dz_entity>>() */
    template <class R, class List> result<List> targets() const
    {
        detail::found_id r = detail::id_to_read<R>(world_);
        if (r.failed) return detail::fail<List>();
        return targets<List>(r.id ? r.id : handle_, r.id != DZ_NULL);
    }
    template <class List> result<List> targets(dz_entity relation) const { return targets<List>(relation, true); }
    /* The ids of all that it has, as dz_type says: ship.type<std::vector<dz_id>>() */
    template <class List> result<List> type() const
    {
        return detail::listed<List>([&](dz_id *out, uint32_t most, uint32_t *count) { return dz_type(world_, handle_, out, most, count); });
    }

    /* Hierarchy. */
    result<entity> set_parent(dz_entity parent) const { return after(detail::changed(world_, dz_set_parent(world_, handle_, parent))); }
    /* The child must be one of this entity's: else DZ_ERR_SIBLING. */
    result<entity> move_child(dz_entity child, dz_place place, dz_entity sibling = DZ_NULL) const
    {
        if (handle_ == DZ_NULL || dz_parent(world_, child) != handle_) {
            if (dz_failed(dz_why(world_, handle_))) return detail::fail<entity>();
            if (dz_why(world_, child) == DZ_OK) return detail::fail<entity>(detail::no_child(child, handle_));
        }
        return after(detail::changed(world_, dz_move_child(world_, child, place, sibling)));
    }
    result<entity> parent() const { return found([&] { return dz_parent(world_, handle_); }); }
    result<entity> first_child() const { return found([&] { return dz_first_child(world_, handle_); }); }
    result<entity> last_child() const { return found([&] { return dz_last_child(world_, handle_); }); }
    result<entity> next_sibling() const { return found([&] { return dz_next_sibling(world_, handle_); }); }
    result<entity> previous_sibling() const { return found([&] { return dz_previous_sibling(world_, handle_); }); }
    result<uint32_t> child_count() const { return detail::ask<uint32_t>([&] { return dz_child_count(world_, handle_); }); }
    result<uint32_t> depth() const { return detail::ask<uint32_t>([&] { return dz_depth(world_, handle_); }); }
    /* Who is above it, its parent first: moon.ancestors<std::vector<dz_entity>>() */
    template <class List> result<List> ancestors() const
    {
        return detail::listed<List>([&](dz_entity *out, uint32_t most, uint32_t *count) {
            dz_error_clear();
            *count = dz_ancestors(world_, handle_, out, most);
            return *count > 0 ? DZ_OK : dz_error_status();
        });
    }
    /* for (denizen::entity child : planet.children()) */
    children_range children() const noexcept;
    subtree_range subtree(dz_tree_order order = DZ_PARENTS_FIRST) const noexcept;

    /* Names. */
    result<entity> set_name(const char *name) const { return after(detail::changed(world_, dz_set_name(world_, handle_, name))); }
    template <class S, class = detail::text_of<S>> result<entity> set_name(const S &name) const { return set_name(name.c_str()); }
    /* nullptr: it has none. */
    result<const char *> name() const { return detail::ask<const char *>([&] { return dz_name(world_, handle_); }); }
    /* The entity at a path below this one; none if there is none. */
    result<entity> lookup(const char *path, const char *separator = nullptr) const
    {
        return found([&] { return dz_lookup(world_, handle_, path, separator); });
    }
    template <class S, class = detail::text_of<S>> result<entity> lookup(const S &path) const { return lookup(path.c_str()); }
    /* Its path, in a string of yours: ship.path<std::string>(). Empty from itself. */
    template <class String> result<String> path(dz_entity from = DZ_NULL, const char *separator = nullptr) const
    {
        dz_error_clear();
        uint32_t length = dz_path(world_, handle_, from, separator, nullptr, 0);
        if (length == 0 && dz_error_status() != DZ_OK) return detail::fail<String>();
        String path(length, '\0');
        if (length > 0) dz_path(world_, handle_, from, separator, &path[0], length + 1);
        return path;
    }

    /* Instances. */
    result<entity> instantiate() const { return detail::made(world_, dz_instantiate(world_, handle_)); }
    template <class T> result<entity> override() const
    {
        dz_id id = detail::id_to_write<T>(world_);
        if (id == DZ_NULL) return detail::fail<entity>();
        return after(detail::changed(world_, dz_override(world_, handle_, id)));
    }
    /* Whose T it is: its own, or that of a base; none if it hasn't got one. */
    template <class T> result<entity> source() const
    {
        detail::found_id id = detail::id_to_read<T>(world_);
        if (id.failed) return detail::fail<entity>();
        return found([&] { return id.id ? dz_source(world_, handle_, id.id) : (dz_why(world_, handle_), dz_entity{DZ_NULL}); });
    }
    result<entity> base() const { return found([&] { return dz_base(world_, handle_); }); }
    result<entity> set_base(bool is_base = true) const { return after(detail::changed(world_, dz_set_base(world_, handle_, is_base))); }
    result<entity> set_base(dz_entity) const = delete; /* an entity is no bool: instantiate() makes what has a base */
    result<bool> is_base() const { return detail::ask<bool>([&] { return dz_is_base(world_, handle_); }); }

    /* Disabling. */
    result<entity> enable() const { return after(detail::changed(world_, dz_set_enabled(world_, handle_, true))); }
    result<entity> disable() const { return after(detail::changed(world_, dz_set_enabled(world_, handle_, false))); }
    result<bool> enabled() const { return detail::ask<bool>([&] { return dz_is_enabled(world_, handle_); }); }
    template <class T> result<entity> enable() const { return enable_component<T>(true); }
    template <class T> result<entity> disable() const { return enable_component<T>(false); }
    template <class T> result<bool> enabled() const
    {
        detail::found_id id = detail::id_to_read<T>(world_);
        if (id.failed) return detail::fail<bool>();
        return detail::ask<bool>([&] { return id.id ? dz_is_component_enabled(world_, handle_, id.id) : (dz_why(world_, handle_), false); });
    }

private:
    template <class F> result<entity> found(F call) const
    {
        dz_error_clear();
        dz_entity handle = call();
        if (handle == DZ_NULL && dz_error_status() != DZ_OK) return detail::fail<entity>();
        return entity(world_, handle);
    }
    result<bool> has_pair(dz_entity relation, dz_entity target, bool has) const
    {
        if (has) return has_pair(relation, target);
        return detail::ask<bool>([&] { return dz_why(world_, handle_) == DZ_OK && dz_why(world_, target) == DZ_OK && has; });
    }
    result<entity> target(dz_entity relation, bool known) const
    {
        dz_entity first = DZ_NULL;
        uint32_t count = 0;
        dz_status status = known ? dz_pair_targets(world_, handle_, relation, &first, 1, &count) : dz_why(world_, handle_);
        if (dz_failed(status)) return detail::fail<entity>();
        return entity(world_, first);
    }
    template <class List> result<List> targets(dz_entity relation, bool known) const
    {
        return detail::listed<List>([&](dz_entity *out, uint32_t most, uint32_t *count) {
            return known ? dz_pair_targets(world_, handle_, relation, out, most, count) : dz_why(world_, handle_);
        });
    }
    template <class R, class F> result<entity> with_relation(F call) const
    {
        dz_id relation = detail::id_to_write<R>(world_);
        if (relation == DZ_NULL) return detail::fail<entity>();
        return call(relation);
    }
    template <class T> result<entity> enable_component(bool enabled) const
    {
        dz_id id = detail::id_to_write<T>(world_);
        if (id == DZ_NULL) return detail::fail<entity>();
        return after(detail::changed(world_, dz_set_component_enabled(world_, handle_, id, enabled)));
    }
    result<entity> after(const result<bool> &it) const
    {
#ifdef DENIZEN_NO_EXCEPTIONS
        if (!it.good()) return it.error();
#else
        (void)it;
#endif
        return *this;
    }

    dz_world world_{0};
    dz_entity handle_ = DZ_NULL;
};

namespace detail {

DENIZEN_LOCAL inline result<entity> made(dz_world world, dz_entity handle)
{
    if (!detail::ended(world, handle != DZ_NULL)) return fail<entity>();
    return entity(world, handle);
}

} // namespace detail

DENIZEN_END

/* For std::unordered_map and its like. */
template <> struct std::hash<denizen::entity> {
    std::size_t operator()(denizen::entity it) const noexcept { return std::hash<dz_entity>()(it.handle() ^ dz_entity{it.world().bits} << 56); }
};

#endif
