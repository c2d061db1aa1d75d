/* Groups, and what sorts. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_GROUP_HPP
#define DENIZEN_CPP_GROUP_HPP

#include "query.hpp"

DENIZEN_BEGIN
namespace detail {

template <class T> struct member {
    static constexpr bool owned = true, is_included = false, excluded = false;
    using component = std::remove_const_t<T>;
    using fields = list<T>;
};
template <class T> struct member<included<T>> {
    static constexpr bool owned = false, is_included = true, excluded = false;
    using component = std::remove_const_t<T>;
    using fields = list<T>;
};
template <class T> struct member<without<T>> {
    static constexpr bool owned = false, is_included = false, excluded = true;
    using component = T;
    using fields = list<>;
};
template <class... Ts> struct member_fields : all_of<typename member<Ts>::fields...> {};

/* Less-than as the library compares. What it throws is rethrown by the call that sorts; all is equal from then on. */
template <class T, class F> int32_t compare(const void *a, const void *b, dz_entity left, dz_entity right, void *user) noexcept
{
    auto *it = static_cast<callback<F> *>(user);
    int32_t order = 0;
    it->guard([&] {
        if constexpr (std::is_same_v<T, void>) {
            (void)a, (void)b;
            order = it->function(left, right) ? -1 : it->function(right, left) ? 1 : 0;
        } else {
            (void)left, (void)right;
            const T &x = *static_cast<const T *>(a), &y = *static_cast<const T *>(b);
            order = it->function(x, y) ? -1 : it->function(y, x) ? 1 : 0;
        }
    });
    return order;
}

template <class T, class F, class Call> result<void> sort(dz_world world, F &less, Call call)
{
    callback<F> carried(less);
    dz_status status = call(&compare<T, F>, static_cast<void *>(&carried));
    carried.rethrow();
    return done(world, status);
}

} // namespace detail

/* A group, which ends with this object. Ts: T is owned (kept in one order with the others), included<T> is looked up,
 * without<T> is excluded. */
template <class... Ts> class [[nodiscard]] group {
    static_assert((0 + ... + (detail::member<Ts>::excluded ? 0 : 1)) > 0, "a group has at least one component: nobody is in it by what it excludes");

public:
    using fields = typename detail::member_fields<Ts...>::type;

    group() noexcept = default;
    group(group &&other) noexcept : world_(other.world_), group_(other.release()) {}
    group &operator=(group &&other) noexcept
    {
        if (this != &other) {
            destroy();
            world_ = other.world_, group_ = other.release();
        }
        return *this;
    }
    ~group() { destroy(); }

    operator dz_group() const noexcept { return group_; }
    dz_group handle() const noexcept { return group_; }
    explicit operator bool() const noexcept { return group_.bits != 0; }
    dz_group release() noexcept { return std::exchange(group_, dz_group{0}); }

    /* As query::each, over the members in their order. A body that changes who is a member may end it with DZ_ERR_CHANGED,
     * as docs/groups.md tells of DZ_FORWARD. */
    template <class F> result<void> each(F &&f) const
    {
        using signature = detail::signature_of<std::decay_t<F>>;
        static_assert(signature::known, "what the parameters ask for must be known: no `auto`, no overloads");
        using wants = typename signature::fields;
        static_assert(detail::all_fit<wants, fields>::value, "the parameters are not the group's components, in their order");
        uint8_t terms[sizeof...(Ts) + 1];
        number(terms);
        dz_iter it;
        dz_iterate_group(world_, group_, DZ_FORWARD, &it);
        return detail::each<signature::with_entity>(it, terms, f, wants());
    }
    result<uint32_t> count() const { return detail::ask<uint32_t>([&] { return dz_group_count(world_, group_); }); }
    result<bool> contains(dz_entity it) const { return detail::ask<bool>([&] { return dz_group_contains(world_, group_, it); }); }

    /* By a component that members have: less(const T &, const T &). Of entities: sort<void>(less(dz_entity, dz_entity)). */
    template <class T, class F> result<void> sort(F &&less)
    {
        dz_id by = DZ_NULL;
        if constexpr (!std::is_void_v<T>) {
            static_assert(!detail::is_tag<T>, "an empty type is a tag, which has no values to compare");
            by = detail::id_to_write<T>(world_);
            if (by == DZ_NULL) return detail::fail<void>();
        }
        return detail::sort<T>(world_, less, [&](dz_compare_fn f, void *user) { return dz_group_sort(world_, group_, by, f, user, DZ_SORT_ONCE); });
    }
    /* Into the order of the pool of U; the rest as world::sort_as, sort_refresh and sort_release. */
    template <class U> result<void> sort_as(dz_sort_mode mode = DZ_SORT_ONCE)
    {
        dz_id like = detail::id_to_write<U>(world_);
        if (like == DZ_NULL) return detail::fail<void>();
        return detail::done(world_, dz_group_sort_as(world_, group_, like, mode));
    }
    result<bool> sort_refresh() { return detail::changed(world_, dz_group_sort_refresh(world_, group_)); }
    result<bool> sort_release() { return detail::changed(world_, dz_group_sort_release(world_, group_)); }

private:
    friend class world_view;
    group(dz_world world, dz_group handle) noexcept : world_(world), group_(handle) {}

    static result<group> make(dz_world world)
    {
        dz_id owned[sizeof...(Ts) + 1], included[sizeof...(Ts) + 1], excluded[sizeof...(Ts) + 1];
        dz_group_desc desc = dz_group_desc_init();
        bool good = true;
        auto add = [&](auto which) {
            using it = typename decltype(which)::it;
            dz_id id = detail::id_to_write<typename it::component>(world);
            good = good && id != DZ_NULL;
            if (it::owned) owned[desc.owned_count++] = id;
            else if (it::excluded) excluded[desc.excluded_count++] = id;
            else included[desc.included_count++] = id;
        };
        (add(one<detail::member<Ts>>()), ...);
        if (!good) return detail::fail<group>();
        desc.owned = owned, desc.included = included, desc.excluded = excluded;
        group made(world, dz_group_create(world, &desc));
        if (!made) return detail::fail<group>();
        return made;
    }
    template <class M> struct one { using it = M; };
    /* The library's numbers of the fields: owned ones first. */
    static void number(uint8_t *terms) noexcept
    {
        uint8_t owned = 0, others = (0 + ... + (detail::member<Ts>::owned ? 1 : 0)), at = 0;
        ((detail::member<Ts>::owned ? void(terms[at++] = owned++) : detail::member<Ts>::is_included ? void(terms[at++] = others++) : void()), ...);
    }
    void destroy() noexcept { detail::end_handle(world_, group_, &dz_group_destroy); }

    dz_world world_{0};
    dz_group group_{0};
};

DENIZEN_END

#endif
