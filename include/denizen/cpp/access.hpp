/* Values of components by type: what entities, worlds and pairs have in common. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_ACCESS_HPP
#define DENIZEN_CPP_ACCESS_HPP

#include "call.hpp"

DENIZEN_BEGIN
namespace detail {

/* An error that this header finds itself: that the entity lacks what was asked for, e.g. entity E:1-256[1] doesn't have component "Position". */
inline error lacks(dz_entity entity, const char *component) noexcept
{
    char who[40], sentence[360];
    dz_entity_text(entity, who, sizeof who);
    std::snprintf(sentence, sizeof sentence, "entity %s doesn't have component \"%s\"", who, component);
    return error(DZ_ERR_NOT_HELD, sentence);
}

/* A call whose zero is an answer or an error. */
template <class R, class F> result<R> ask(F call)
{
    dz_error_clear();
    R answer = call();
    if (answer == R{} && dz_error_status() != DZ_OK) return fail<R>();
    return answer;
}

template <class T, class... Args> T construct(Args &&...args)
{
    if constexpr (std::is_constructible_v<T, Args...>) return T(std::forward<Args>(args)...);
    else return T{std::forward<Args>(args)...};
}

/* What dz_get or dz_get_mut have. V: T or const T. */
template <class V> V *value_at(dz_world world, dz_entity entity, dz_id id) noexcept
{
    if constexpr (std::is_const_v<V>) return static_cast<V *>(dz_get(world, entity, id));
    else return static_cast<V *>(dz_get_mut(world, entity, id));
}

/* Whether a zero that a call just returned is an answer: the thread has no error, or one that is older, as nothing is wrong
 * with either. (To clear it before the call takes longer.) */
inline bool no_error() noexcept { return dz_error_status() == DZ_OK; }
inline bool both_live(dz_world world, dz_entity entity, dz_id id) noexcept
{
    return dz_is_alive(world, entity) && dz_is_alive(world, id);
}

/* A NULL of theirs: an answer, or an error? */
template <class V> bool is_error(dz_world world, dz_entity entity, dz_id id) noexcept
{
    if (no_error()) return false;
    /* What an instance has from its base isn't to be written to. */
    if (both_live(world, entity, id) && (std::is_const_v<V> || !dz_has(world, entity, id))) return false;
    dz_error_clear();
    value_at<V>(world, entity, id);
    return dz_error_status() != DZ_OK;
}

template <class V> result<V *> try_get(dz_world world, dz_entity entity)
{
    using T = std::remove_const_t<V>;
    static_assert(!is_tag<T>, "an empty type is a tag, which has no value: ask with has()");
    found_id it = id_to_read<T>(world);
    if (it.id != DZ_NULL) {
        V *value = value_at<V>(world, entity, it.id);
        if (!value && is_error<V>(world, entity, it.id)) return fail<V *>();
        return value;
    }
    if (it.failed || dz_failed(dz_why(world, entity))) return fail<V *>();
    return static_cast<V *>(nullptr);
}

template <class V> result<V &> get(dz_world world, dz_entity entity)
{
    using T = std::remove_const_t<V>;
    static_assert(!is_tag<T>, "an empty type is a tag, which has no value: ask with has()");
    found_id it = id_to_read<T>(world);
    if (it.id != DZ_NULL) {
        V *value = value_at<V>(world, entity, it.id);
        if (value) return *value;
        if (is_error<V>(world, entity, it.id)) return fail<V &>();
    } else if (it.failed || dz_failed(dz_why(world, entity))) {
        return fail<V &>();
    }
    return fail<V &>(lacks(entity, component_name<T>()));
}

template <class T> result<bool> has(dz_world world, dz_entity entity)
{
    found_id it = id_to_read<T>(world);
    if (it.id != DZ_NULL) {
        if (dz_has(world, entity, it.id)) return true;
        if (no_error() || both_live(world, entity, it.id)) return false;
        return ask<bool>([&] { return dz_has(world, entity, it.id); });
    }
    if (it.failed || dz_failed(dz_why(world, entity))) return fail<bool>();
    return false;
}

/* Brings a value of T to the library: call(id, value) is dz_set or one of its like. One that is movable is moved, by
 * the copy hook, which knows it by its address. */
template <class T, class F> DENIZEN_LOCAL result<bool> put(dz_world world, const T &value, bool movable, F call)
{
    dz_id id = id_to_write<T>(world);
    if (id == DZ_NULL) return fail<bool>();
    if constexpr (is_plain<T>) {
        (void)movable;
        return detail::changed(world, call(id, static_cast<const void *>(std::addressof(value))));
    } else {
        const void *from = std::addressof(value);
        moving list{const_cast<void *>(from), nullptr, nullptr}; /* what is movable is no constant */
        move_from scope(movable ? &list : nullptr);
        dz_status status = call(id, from);
        detail::rethrow(world);
        if (movable && status == DZ_ERR_HOOK_FAILED) { /* another module has registered its hooks since, which don't know the value */
            if (register_anew<T>(world) != DZ_NULL) status = call(id, from);
        }
        return detail::changed(world, status);
    }
}

/* Whether a value that a parameter V && takes may be moved from. */
template <class V> inline constexpr bool is_movable = !std::is_lvalue_reference_v<V> && !std::is_const_v<std::remove_reference_t<V>>;
/* Whether such a value can be brought at all. */
template <class V> inline constexpr bool can_be_set = is_movable<V> || component_traits<std::decay_t<V>>::copyable;

template <class T> result<bool> add(dz_world world, dz_entity entity)
{
    static_assert(std::is_default_constructible_v<T> || is_tag<T>, "it can't be made without arguments: use set() or emplace()");
    dz_id id = id_to_write<T>(world);
    if (id == DZ_NULL) return fail<bool>();
    return detail::changed(world, dz_add(world, entity, id));
}

template <class T> result<bool> remove(dz_world world, dz_entity entity)
{
    dz_id id = id_to_write<T>(world);
    if (id == DZ_NULL) return fail<bool>();
    return detail::changed(world, dz_remove(world, entity, id));
}

template <class V> result<bool> set(dz_world world, dz_entity entity, V &&value)
{
    using T = std::decay_t<V>;
    if constexpr (is_tag<T>) {
        return (void)value, detail::add<T>(world, entity);
    } else {
        static_assert(can_be_set<V>, "what can't be copied is set with std::move(value) or emplace()");
        return detail::put<T>(world, value, is_movable<V>, [&](dz_id id, const void *from) { return dz_set(world, entity, id, sizeof(T), from); });
    }
}

template <class T> result<T &> get_or_add(dz_world world, dz_entity entity)
{
    static_assert(!is_tag<T>, "an empty type is a tag, which has no value: use add()");
    static_assert(std::is_default_constructible_v<T>, "it can't be made without arguments: use try_get() and set()");
    dz_id id = id_to_write<T>(world);
    if (id == DZ_NULL) return fail<T &>();
    T *value = static_cast<T *>(dz_get_or_add(world, entity, id));
    if (!detail::ended(world, value != nullptr)) return fail<T &>();
    return *value;
}

/* The relation, if its pairs with this target have values of that type (DZ_NULL: the type is the relation). Else 0. */
inline dz_id relation_of(dz_world world, dz_entity relation, dz_entity target, dz_id type) noexcept
{
    if (relation == DZ_NULL) return type;
    if (type == relation) return relation;
    if (type != target) return DZ_NULL;
    auto shape = static_cast<const dz_component *>(dz_get(world, relation, dz_component_id(world)));
    bool data = shape && shape->element_size > 0;
    return data ? DZ_NULL : relation;
}

inline error no_such_value(const char *component) noexcept
{
    char sentence[360];
    std::snprintf(sentence, sizeof sentence, "such pairs have no values of \"%s\": neither the relation nor the target is it", component);
    return error(DZ_ERR_SHAPE, sentence);
}

template <class T, class V> result<V *> try_get_pair(dz_world world, dz_entity entity, dz_entity relation, dz_entity target)
{
    static_assert(!is_tag<T>, "an empty type is a tag, which has no value: ask with has_pair()");
    found_id type = id_to_read<T>(world);
    if (type.failed) return fail<V *>();
    if (relation == DZ_NULL && type.id == DZ_NULL) { /* nobody has pairs of what nobody registered */
        if (dz_failed(dz_why(world, entity)) || dz_failed(dz_why(world, target))) return fail<V *>();
        return static_cast<V *>(nullptr);
    }
    relation = relation_of(world, relation, target, type.id);
    if (relation == DZ_NULL) return fail<V *>(no_such_value(component_name<T>()));
    return ask<V *>([&] {
        if constexpr (std::is_const_v<V>) return static_cast<V *>(dz_get_pair(world, entity, relation, target));
        else return static_cast<V *>(dz_get_pair_mut(world, entity, relation, target));
    });
}

template <class T, class V> result<V &> get_pair(dz_world world, dz_entity entity, dz_entity relation, dz_entity target)
{
    result<V *> value = try_get_pair<T, V>(world, entity, relation, target);
#ifdef DENIZEN_NO_EXCEPTIONS
    if (!value.good()) return value.error();
    if (*value) return **value;
#else
    if (value) return *value;
#endif
    return fail<V &>(lacks(entity, component_name<T>()));
}

template <class V> result<bool> set_pair(dz_world world, dz_entity entity, dz_entity relation, dz_entity target, V &&value)
{
    using T = std::decay_t<V>;
    static_assert(can_be_set<V>, "what can't be copied is set with std::move(value)");
    static_assert(!is_tag<T>, "an empty type is a tag, which has no value: use add_pair()");
    dz_id type = id_to_write<T>(world);
    if (type == DZ_NULL) return fail<bool>();
    relation = relation_of(world, relation, target, type);
    if (relation == DZ_NULL) return fail<bool>(no_such_value(component_name<T>()));
    return detail::put<T>(world, value, is_movable<V>, [&](dz_id, const void *from) { return dz_set_pair(world, entity, relation, target, sizeof(T), from); });
}

} // namespace detail
DENIZEN_END

#endif
