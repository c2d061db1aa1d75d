/* Queries. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_QUERY_HPP
#define DENIZEN_CPP_QUERY_HPP

#include "loop.hpp"

DENIZEN_BEGIN

/* As in dz_query_desc. */
struct query_options {
    bool kept = false;
    int32_t priority = 0;
    dz_id order = DZ_NULL;
    bool cascade = false;
    bool bases = false;
};

namespace detail {

/* What the types of a query ask for: terms, of which some are fields. */
struct terms {
    dz_term at[DZ_MAX_TERMS];
    uint32_t count = 0;
    uint32_t any_ofs = 0;
    uint8_t fields[DZ_MAX_TERMS];
    uint32_t field_count = 0;
    bool good = true;

    template <class T> void ask(dz_world world, dz_ask ask, dz_access access, uint32_t any_of = 0)
    {
        dz_term term{};
        term.id = id_to_write<T>(world);
        term.ask = ask;
        term.access = access;
        term.any_of = any_of;
        good = good && term.id != DZ_NULL;
        at[count++] = term;
    }
    template <class A> void add_field(dz_world world)
    {
        using T = typename field<A>::component;
        fields[field_count++] = static_cast<uint8_t>(count);
        if constexpr (is_tag<T> && !field<A>::optional) ask<T>(world, DZ_WITH, DZ_NO_ACCESS);
        else ask<T>(world, field<A>::optional ? DZ_OPTIONAL : DZ_WITH, field<A>::constant || is_tag<T> ? DZ_IN : DZ_INOUT);
    }
};

template <class T> struct term {
    static constexpr uint32_t count = 1;
    using fields = list<T>;
    static void add(terms &to, dz_world world) { to.add_field<T>(world); }
};
template <class T> struct term<with<T>> {
    static constexpr uint32_t count = 1;
    using fields = list<>;
    static void add(terms &to, dz_world world) { to.ask<T>(world, DZ_WITH, DZ_NO_ACCESS); }
};
template <class T> struct term<without<T>> {
    static constexpr uint32_t count = 1;
    using fields = list<>;
    static void add(terms &to, dz_world world) { to.ask<T>(world, DZ_WITHOUT, DZ_INOUT); }
};
template <class A, class B> struct joined;
template <class... As, class... Bs> struct joined<list<As...>, list<Bs...>> { using type = list<As..., Bs...>; };
template <class... Ls> struct all_of { using type = list<>; };
template <class L, class... Ls> struct all_of<L, Ls...> : joined<L, typename all_of<Ls...>::type> {};

/* One of any_of: T is a condition, T * a field. */
template <class T> struct one_of {
    using fields = list<>;
    static void add(terms &to, dz_world world) { to.ask<T>(world, DZ_ANY_OF, DZ_NO_ACCESS, to.any_ofs); }
};
template <class T> struct one_of<T *> {
    using fields = list<T *>;
    static void add(terms &to, dz_world world)
    {
        to.fields[to.field_count++] = static_cast<uint8_t>(to.count);
        to.ask<std::remove_const_t<T>>(world, DZ_ANY_OF, std::is_const_v<T> || is_tag<T> ? DZ_IN : DZ_INOUT, to.any_ofs);
    }
};
template <class... Ts> struct term<any_of<Ts...>> {
    static_assert(sizeof...(Ts) > 0, "any_of has no types, and nobody has one of none");
    static constexpr uint32_t count = sizeof...(Ts);
    using fields = typename all_of<typename one_of<Ts>::fields...>::type;
    static void add(terms &to, dz_world world)
    {
        (one_of<Ts>::add(to, world), ...);
        to.any_ofs++;
    }
};
template <class... Ts> struct fields_of : all_of<typename term<Ts>::fields...> {};
template <class T> inline constexpr bool is_field = std::is_same_v<typename term<T>::fields, list<T>>;

/* Whether a loop over fields Q can have parameters P: the first ones, each of the same kind, and constant where they are. */
template <class P, class Q>
inline constexpr bool fits = std::is_same_v<typename field<P>::component, typename field<Q>::component> &&
    field<P>::optional == field<Q>::optional && (field<P>::constant || !field<Q>::constant);
template <class Ps, class Qs> struct all_fit : std::false_type {};
template <class... Qs> struct all_fit<list<>, list<Qs...>> : std::true_type {};
template <class P, class... Ps, class Q, class... Qs>
struct all_fit<list<P, Ps...>, list<Q, Qs...>> : std::bool_constant<fits<P, Q> && all_fit<list<Ps...>, list<Qs...>>::value> {};

/* A field that is looked for among the terms of a query that was made of text or terms. */
struct wanted {
    found_id id;
    const char *name;
    bool optional, constant, tag;
};
template <class A> wanted want(dz_world world) noexcept
{
    using T = typename field<A>::component;
    return {id_to_read<T>(world), component_name<T>(), field<A>::optional, field<A>::constant, is_tag<T>};
}

/* Whether who matches a term may have no value: of pairs of any relation there is none to hand out, and what a relation only
 * promises has none. */
inline bool lacks_values(dz_world world, const dz_term &term)
{
    if (term.target == DZ_NULL || term.id == DZ_ANY) return term.id == DZ_ANY;
    dz_relation_desc traits = dz_relation_desc_init();
    return !dz_failed(dz_relation_info(world, term.id, &traits)) && (traits.transitive || traits.reflexive);
}

/* Finds for each wanted field the first term not yet taken that has it. */
inline result<void> resolve(dz_world world, dz_query query, const wanted *wants, uint32_t count, uint8_t *fields)
{
    dz_term terms[DZ_MAX_TERMS];
    uint32_t term_count = 0, taken = 0;
    if (dz_failed(dz_query_terms(world, query, terms, DZ_MAX_TERMS, &term_count))) return fail<void>();
    for (uint32_t i = 0; i < count; i++) {
        const wanted &want = wants[i];
        const dz_id id = want.id.id;
        if (want.id.failed) return fail<void>();
        const char *wrong = "is no term of the query";
        uint32_t t = id == DZ_NULL ? term_count : 0; /* nobody registered it */
        for (; t < term_count; t++) {
            const dz_term &term = terms[t];
            if (term.ask == DZ_WITHOUT) continue;
            if (term.id != id && (term.target != id || relation_of(world, term.id, term.target, id) == DZ_NULL)) continue;
            if (taken >> t & 1) {
                wrong = "is a term of the query, but not once more";
                continue;
            }
            bool maybe = term.ask == DZ_OPTIONAL || term.ask == DZ_ANY_OF;
            if (maybe && !want.optional) wrong = "may be absent: ask for it by a pointer";
            else if (!want.optional && !want.tag && lacks_values(world, term)) wrong = "may have no value there: ask for it by a pointer";
            else if (term.access == DZ_NO_ACCESS && !(want.tag && !want.optional)) wrong = "is [none] in the query, and has no field";
            else if (term.access == DZ_IN && !want.constant && !want.tag) wrong = "is [in] in the query: ask for it as const";
            else if (term.access == DZ_OUT && want.constant) wrong = "is [out] in the query: ask for it without const";
            else break;
        }
        if (t == term_count) {
            char sentence[360];
            std::snprintf(sentence, sizeof sentence, "parameter \"%s\" %s", want.name, wrong);
            return fail<void>(error(DZ_ERR_NOT_TERM, sentence));
        }
        taken |= uint32_t{1} << t;
        fields[i] = static_cast<uint8_t>(t);
    }
    return result<void>();
}

template <class... As> result<void> resolve(dz_world world, dz_query query, uint8_t *fields, list<As...>)
{
    const wanted wants[sizeof...(As) + 1] = {want<As>(world)..., wanted{}};
    return resolve(world, query, wants, static_cast<uint32_t>(sizeof...(As)), fields);
}

inline dz_query make_query(dz_world world, const terms *from, const char *text, const query_options &options) noexcept
{
    if (from && !from->good) return dz_query{0};
    dz_query_desc desc = dz_query_desc_init();
    if (from) desc.terms = from->at, desc.term_count = from->count;
    desc.text = text;
    desc.kept = options.kept;
    desc.priority = options.priority;
    desc.order = options.order;
    desc.cascade = options.cascade;
    desc.bases = options.bases;
    return dz_query_create(world, &desc);
}

/* The number of the query that world.each makes of these types. */
template <class... Ts> DENIZEN_LOCAL inline type_number number_of_query{nullptr, true};

/* What a function of the library's that calls back carries to the function of ours, and its exception back. */
template <class F> struct callback {
    explicit callback(F &f) noexcept : function(f) {}
    F &function;
#ifndef DENIZEN_NO_EXCEPTIONS
    std::exception_ptr thrown;
#endif
    template <class Call> void guard(Call call) noexcept
    {
#ifndef DENIZEN_NO_EXCEPTIONS
        if (thrown) return; /* what is left is passed over */
        try {
            call();
        } catch (...) {
            thrown = std::current_exception();
        }
#else
        call();
#endif
    }
    void rethrow()
    {
#ifndef DENIZEN_NO_EXCEPTIONS
        if (thrown) std::rethrow_exception(thrown);
#endif
    }
};

} // namespace detail

/* A query, which ends with this object. Ts say what is asked for:
 *
 *     T, const T      has T; the loop reads and writes it, or reads it. An empty type is a tag
 *     T *, const T *  has T or not: the loop gets nullptr then
 *     with<T>, without<T>, any_of<T, U>     conditions, not handed to the loop; any_of<T *, U *> is, as above
 *
 * query<> is made of text or terms; its loops look their parameters up among the terms. */
template <class... Ts> class [[nodiscard]] query {
public:
    using fields = typename detail::fields_of<Ts...>::type;

    query() noexcept = default;
    query(query &&other) noexcept : world_(other.world_), query_(other.release()) { take_terms(other); }
    query &operator=(query &&other) noexcept
    {
        if (this != &other) {
            destroy();
            world_ = other.world_, query_ = other.release();
            take_terms(other);
        }
        return *this;
    }
    ~query() { destroy(); }

    operator dz_query() const noexcept { return query_; }
    dz_query handle() const noexcept { return query_; }
    dz_world world() const noexcept { return world_; }
    explicit operator bool() const noexcept { return query_.bits != 0; }
    /* Gives the handle away. */
    dz_query release() noexcept { return std::exchange(query_, dz_query{0}); }

    /* Calls f with each match: f(entity, fields...) or f(fields...), where trailing fields may be left out. It may do
     * anything: change values, create, destroy, add, remove. docs/queries.md tells who is then seen. */
    template <class F> result<void> each(F &&f) const
    {
        return start(f, [this](dz_iter *it) { dz_iterate(world_, query_, it); });
    }
    /* One of `parts` parts of the matches, for threads of yours: f changes values only. */
    template <class F> result<void> each_part(uint32_t part, uint32_t parts, F &&f) const
    {
        return start(f, [this, part, parts](dz_iter *it) { dz_iterate_part(world_, query_, part, parts, it); });
    }

    /* dz_query_each: calls f with each batch, a dz_iter &, to be read with the macros of denizen.h. */
    template <class F> result<void> each_batch(F &&f) const
    {
        detail::callback<F> carried(f);
        const dz_world world = world_; /* f may move this object, or end it */
        dz_status status = dz_query_each(world, query_, [](dz_iter *it, void *user) {
            auto *back = static_cast<detail::callback<F> *>(user);
            back->guard([&] { back->function(*it); });
        }, &carried);
        carried.rethrow();
        return detail::done(world, status);
    }

    /* for (auto [ship, position, velocity] : movers): the body may do anything. each() is faster. */
    auto begin() const & { return begin(fields()); }
    end_of_loop end() const noexcept { return {}; }

    /* for (auto &batch : movers.batches()): for bodies that change values only. */
    auto batches() const & { return make_batches(fields(), detail::matches::all, 0, 0); }
    /* All of them runs: every field is an array, for SIMD. */
    auto runs() const & { return make_batches(fields(), detail::matches::runs, 0, 0); }
    auto part(uint32_t part, uint32_t parts) const & { return make_batches(fields(), detail::matches::part, part, parts); }

    /* What they return doesn't keep the query: keep it in a variable. One that is made in the loop's head would have ended
     * before the first batch. */
    void begin() const && = delete;
    void batches() const && = delete;
    void runs() const && = delete;
    void part(uint32_t part, uint32_t parts) const && = delete;

    result<uint32_t> count() const { return detail::ask<uint32_t>([&] { return dz_query_count(world_, query_); }); }
    /* The first match; none if nobody matches. */
    result<entity> first() const
    {
        dz_error_clear();
        dz_entity it = dz_query_first(world_, query_);
        if (it == DZ_NULL && dz_error_status() != DZ_OK) return detail::fail<entity>();
        return entity(world_, it);
    }
    /* The single match; DZ_ERR_NOT_SINGLE if there are none or more. */
    result<entity> single() const
    {
        dz_entity it = dz_query_single(world_, query_);
        if (it == DZ_NULL) return detail::fail<entity>();
        return entity(world_, it);
    }
    result<bool> empty() const
    {
        dz_error_clear();
        bool none = dz_query_is_empty(world_, query_);
        if (none && dz_error_status() != DZ_OK) return detail::fail<bool>();
        return none;
    }
    result<bool> matches(dz_entity it) const { return detail::ask<bool>([&] { return dz_query_matches(world_, query_, it); }); }

    /* Of a kept query. */
    result<void> refresh() { return detail::done(world_, dz_query_refresh(world_, query_)); }
    result<dz_query_details> info() const
    {
        dz_query_details details{};
        if (dz_failed(dz_query_info(world_, query_, &details))) return detail::fail<dz_query_details>();
        return details;
    }

private:
    template <class...> friend class query;
    friend class world_view;

    query(dz_world world, dz_query handle) noexcept : world_(world), query_(handle) {}

    /* Of the types. */
    static result<query> make(dz_world world, const query_options &options)
    {
        static_assert((0 + ... + detail::term<Ts>::count) <= DZ_MAX_TERMS, "a query has at most DZ_MAX_TERMS terms");
        detail::terms terms;
        (detail::term<Ts>::add(terms, world), ...);
        query made(world, detail::make_query(world, &terms, nullptr, options));
        if (!made) return detail::fail<query>();
        for (uint32_t i = 0; i < terms.field_count; i++) made.terms_[i] = terms.fields[i];
        return made;
    }
    /* Begins with the one that the world has for world.each: it is made the first time, and again if it is lost. Without
     * memory to note it, it is `own`. */
    static result<void> begin_noted(dz_world world, dz_iter *it, query &own)
    {
        detail::type_number &number = detail::number_of_query<Ts...>;
        const dz_query known{static_cast<uint32_t>(detail::noted(world, number))};
        if (known.bits != 0) {
            const dz_status begun = dz_iterate(world, known, it);
            if (begun == DZ_OK) return result<void>();
            if (begun == DZ_ERR_QUERY_LOST) dz_query_destroy(world, known); /* a component of it was unregistered */
        }
#ifdef DENIZEN_NO_EXCEPTIONS
        auto made = make(world, query_options());
        if (!made) return made.error();
        own = std::move(*made);
#else
        own = make(world, query_options());
#endif
        if (known.bits != 0) dz_error_clear();
        dz_iterate(world, own, it);
        if (detail::number_type(number) && detail::note_id(world, number, own.query_.bits)) own.release();
        return result<void>();
    }
    /* Of a handle, whose terms must have what the types say. */
    static result<query> make(dz_world world, dz_query handle)
    {
        static_assert((detail::is_field<Ts> && ...), "a query that is made of text or terms says there who is excluded");
        query made(world, handle);
        if (!made) return detail::fail<query>();
#ifdef DENIZEN_NO_EXCEPTIONS
        auto found = detail::resolve(world, handle, made.terms_, fields());
        if (!found) return found.error();
#else
        detail::resolve(world, handle, made.terms_, fields());
#endif
        return made;
    }

    template <class F, class Start> result<void> start(F &f, Start begin) const
    {
        using signature = detail::signature_of<std::decay_t<F>>;
        if constexpr (sizeof...(Ts) == 0) {
            static_assert(signature::known, "what the parameters ask for must be known: no `auto`, no overloads");
            using wants = typename signature::fields;
            uint8_t terms[DZ_MAX_TERMS];
#ifdef DENIZEN_NO_EXCEPTIONS
            auto found = detail::resolve(world_, query_, terms, wants());
            if (!found) return found;
#else
            detail::resolve(world_, query_, terms, wants());
#endif
            return run<signature::with_entity>(f, begin, terms, wants());
        } else if constexpr (signature::known) {
            using wants = typename signature::fields;
            static_assert(detail::all_fit<wants, fields>::value,
                          "the parameters are not the query's fields: in their order, pointers where it says T *, const where it says const");
            return run<signature::with_entity>(f, begin, terms_, wants());
        } else {
            return start_generic(f, begin, fields());
        }
    }
    template <class F, class Start, class... As> result<void> start_generic(F &f, Start begin, detail::list<As...> all) const
    {
        constexpr bool with_entity = std::is_invocable_v<F &, entity, typename detail::field<As>::argument...>;
        static_assert(with_entity || std::is_invocable_v<F &, typename detail::field<As>::argument...>, "it can't be called with the query's fields");
        return run<with_entity>(f, begin, terms_, all);
    }
    template <bool WithEntity, class F, class Start, class... As> result<void> run(F &f, Start begin, const uint8_t *all, detail::list<As...> asked) const
    {
        uint8_t terms[sizeof...(As) + 1]; /* f may move this object, or end it */
        for (std::size_t i = 0; i < sizeof...(As); i++) terms[i] = all[i];
        dz_iter it;
        begin(&it);
        return detail::each<WithEntity>(it, terms, f, asked);
    }

    template <class... As> row_iterator<As...> begin(detail::list<As...>) const { return row_iterator<As...>(world_, query_, terms_); }
    template <class... As> denizen::batches<As...> make_batches(detail::list<As...>, detail::matches what, uint32_t part, uint32_t parts) const
    {
        return denizen::batches<As...>(world_, query_, terms_, what, part, parts);
    }

    void take_terms(const query &other) noexcept
    {
        for (std::size_t i = 0; i < sizeof terms_; i++) terms_[i] = other.terms_[i];
    }
    void destroy() noexcept { detail::end_handle(world_, query_, &dz_query_destroy); }

    dz_world world_{0};
    dz_query query_{0};
    uint8_t terms_[(0 + ... + detail::term<Ts>::count) + 1] = {}; /* any_of is one type and several fields */
};

DENIZEN_END

#endif
