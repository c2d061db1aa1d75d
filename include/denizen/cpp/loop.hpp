/* Loops over what a query or group finds: which components a function's parameters ask for, and how it is called with
 * them. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_LOOP_HPP
#define DENIZEN_CPP_LOOP_HPP

#include "entity.hpp"

#include <tuple>

DENIZEN_BEGIN

/* What a query asks for, beside T (read and written), const T (read) and T * (optional). */
template <class T> struct with {};    /* has it; the loop doesn't look at it */
template <class T> struct without {}; /* doesn't have it */
template <class... Ts> struct any_of {}; /* has at least one of them; T * for those that the loop looks at */
/* What a group has, but doesn't put in order. */
template <class T> struct included {};

namespace detail {

template <class T> inline constexpr bool is_word<with<T>> = true;
template <class T> inline constexpr bool is_word<without<T>> = true;
template <class... Ts> inline constexpr bool is_word<any_of<Ts...>> = true;
template <class T> inline constexpr bool is_word<included<T>> = true;
template <> inline constexpr bool is_word<entity> = true;

/* A field: what a loop gets of each entity. A: T, const T, T * or const T *. */
template <class A> struct field {
    using component = std::remove_const_t<A>;
    using argument = A &;
    static constexpr bool optional = false, constant = std::is_const_v<A>;
};
template <class A> struct field<A *> {
    using component = std::remove_const_t<A>;
    using argument = A *;
    static constexpr bool optional = true, constant = std::is_const_v<A>;
};
template <class A> struct field<included<A>> : field<A> {};

/* The field that a parameter asks for. A copy only needs to be read. */
template <class P> struct asked { using type = const P; };
template <class P> struct asked<P *> { using type = P *; };
template <class P> struct asked<P &> { using type = P; };

template <class... As> struct list {};
template <class P> inline constexpr bool is_entity = std::is_same_v<std::decay_t<P>, entity> || std::is_same_v<std::decay_t<P>, dz_entity>;

/* The parameters of a function: whether an entity comes first, and the fields. */
template <class... Ps> struct parameters {
    static constexpr bool with_entity = false;
    using fields = list<typename asked<Ps>::type...>;
};
template <class P, class... Ps> struct parameters<P, Ps...> {
    static constexpr bool with_entity = is_entity<P>;
    using fields = std::conditional_t<with_entity, list<typename asked<Ps>::type...>, list<typename asked<P>::type, typename asked<Ps>::type...>>;
};
template <class M> struct member_of;
template <class R, class C, class... Ps> struct member_of<R (C::*)(Ps...)> : parameters<Ps...> {};
template <class R, class C, class... Ps> struct member_of<R (C::*)(Ps...) const> : parameters<Ps...> {};
template <class R, class C, class... Ps> struct member_of<R (C::*)(Ps...) noexcept> : parameters<Ps...> {};
template <class R, class C, class... Ps> struct member_of<R (C::*)(Ps...) const noexcept> : parameters<Ps...> {};
template <class R, class C, class... Ps> struct member_of<R (C::*)(Ps...) &> : parameters<Ps...> {};
template <class R, class C, class... Ps> struct member_of<R (C::*)(Ps...) const &> : parameters<Ps...> {};
template <class R, class C, class... Ps> struct member_of<R (C::*)(Ps...) & noexcept> : parameters<Ps...> {};
template <class R, class C, class... Ps> struct member_of<R (C::*)(Ps...) const & noexcept> : parameters<Ps...> {};
template <class F, class = void> struct signature_of { static constexpr bool known = false; };
template <class F> struct signature_of<F, std::void_t<decltype(&F::operator())>> : member_of<decltype(&F::operator())> { static constexpr bool known = true; };
template <class R, class... Ps> struct signature_of<R (*)(Ps...), void> : parameters<Ps...> { static constexpr bool known = true; };
template <class R, class... Ps> struct signature_of<R (*)(Ps...) noexcept, void> : parameters<Ps...> { static constexpr bool known = true; };

/* One field of a batch that is a run: an array. */
template <class A, bool Optional = field<A>::optional, bool Tag = is_tag<typename field<A>::component>> struct run_field {
    using component = typename field<A>::component;
    component *base;
    run_field(const dz_iter &it, uint32_t term) : base(static_cast<component *>(it.fields[term])) {}
    typename field<A>::argument operator[](uint32_t i) const { return base[i]; }
};
template <class A, bool Tag> struct run_field<A, true, Tag> {
    using component = typename field<A>::component;
    component *base;
    run_field(const dz_iter &it, uint32_t term) : base(static_cast<component *>(it.fields[term])) {}
    typename field<A>::argument operator[](uint32_t i) const { return base ? base + i : nullptr; }
};
/* One field of a batch that is a gather: an address for each. */
template <class A, bool Optional = field<A>::optional, bool Tag = is_tag<typename field<A>::component>> struct gathered_field {
    using component = typename field<A>::component;
    void *const *rows;
    gathered_field(const dz_iter &it, uint32_t term) : rows(it.rows + it.offsets[term])
    {
#if defined(__GNUC__)
        __asm__("" : "+r"(rows)); /* else gcc works out one field's addresses from another's, which takes longer */
#endif
    }
    typename field<A>::argument operator[](uint32_t i) const { return *static_cast<component *>(rows[i]); }
};
template <class A, bool Tag> struct gathered_field<A, true, Tag> {
    using component = typename field<A>::component;
    void *const *rows;
    gathered_field(const dz_iter &it, uint32_t term) : rows(it.offsets[term] == UINT16_MAX ? nullptr : it.rows + it.offsets[term]) {}
    typename field<A>::argument operator[](uint32_t i) const { return rows ? static_cast<component *>(rows[i]) : nullptr; }
};
/* A tag that is there has no data: one place stands for all, in which none is made. */
template <class T> struct tag_place {
    alignas(T) unsigned char at[sizeof(T)];
};
template <class T> DENIZEN_LOCAL inline tag_place<T> place_of_tag{};
template <class T> DENIZEN_LOCAL inline T &tag_object() noexcept { return *static_cast<T *>(static_cast<void *>(place_of_tag<T>.at)); }
template <class A> struct tag_field {
    tag_field(const dz_iter &, uint32_t) {}
    typename field<A>::argument operator[](uint32_t) const { return tag_object<typename field<A>::component>(); }
};
template <class A> struct run_field<A, false, true> : tag_field<A> { using tag_field<A>::tag_field; };
template <class A> struct gathered_field<A, false, true> : tag_field<A> { using tag_field<A>::tag_field; };

template <class A> typename field<A>::argument element(const dz_iter &it, uint32_t term, uint32_t i)
{
    using component = typename field<A>::component;
    if constexpr (field<A>::optional) return static_cast<component *>(dz_at_if(&it, term, i, sizeof(component)));
    else if constexpr (is_tag<component>) return (void)i, tag_object<component>();
    else return *static_cast<component *>(dz_at(&it, term, i, sizeof(component)));
}

/* An entity of a batch as it lies there, in one word of 32 bits or two. Read like this, and not by dz_iter_entity, the
 * compiler sees that it isn't needed unless something changes, and puts it off. */
struct raw_entity {
    uint32_t first, last;
    dz_entity value(uint32_t words) const noexcept
    {
        if (words == 1) return first;
        uint64_t both;
        std::memcpy(&both, this, sizeof both);
        return both;
    }
};

/* Goes through a batch. The body may do anything: before the next element is touched it is asked whether something
 * structural has changed, and if so, says false: the rest is for dz_each_slow. The compiler takes the question out of the
 * loop where it sees that the body only changes values; so this is as fast as the plain loop in C. Indexed: a gather of
 * which only the index is needed of whom it was at, as in dz_each; never WithEntity. */
template <bool WithEntity, bool Gather, bool Indexed, class F, class... Cs> bool loop(dz_iter &it, F &f, const Cs &...columns)
{
    const uint64_t *const changes = it.changes;
    const uint64_t seen = it.seen;
    const uint32_t count = it.count, words = it.entity_size / 4;
    const uint32_t *const entities = static_cast<const uint32_t *>(it.entities);
    for (uint32_t i = 0; i < count; i++) {
        raw_entity current{};
        if constexpr (!Indexed) {
            const uint32_t *const at = entities + static_cast<std::size_t>(Gather ? it.picks[i] : i) * words;
            current = {at[0], at[words - 1]};
        }
        if constexpr (WithEntity) f(entity(it.world, current.value(words)), columns[i]...);
        else f(columns[i]...);
        if (*changes != seen) {
            it.position = it.first + i + 1;
            it.current = Indexed ? it.picks[i] : current.value(words);
            return false;
        }
    }
    return true;
}

/* The same for a gather. */
template <bool WithEntity, class F, class... Cs> bool loop_gather(dz_iter &it, F &f, const Cs &...columns)
{
    if constexpr (!WithEntity)
        if (!(it.flags & 4u)) return loop<false, true, true>(it, f, columns...);
    return loop<WithEntity, true, false>(it, f, columns...);
}

/* The rest of such a batch, element by element, as DZ_EACH goes. */
template <bool WithEntity, class... As, class F, std::size_t... Is>
#if defined(__GNUC__)
__attribute__((noinline))
#endif
void finish(dz_iter &it, const uint8_t *terms, F &f, list<As...>, std::index_sequence<Is...>)
{
    (void)terms;
    for (uint32_t i = dz_each_slow(&it); i != UINT32_MAX; i = dz_each(&it)) {
        if constexpr (WithEntity) f(entity(it.world, dz_iter_entity(&it, i)), element<As>(it, terms[Is], i)...);
        else f(element<As>(it, terms[Is], i)...);
    }
}

template <bool WithEntity, class... As, class F, std::size_t... Is>
void loop_batches(dz_iter &it, const uint8_t *terms, F &f, list<As...> fields, std::index_sequence<Is...> places)
{
    (void)terms;
    while (dz_next(&it)) {
        bool through = it.gather ? loop_gather<WithEntity>(it, f, gathered_field<As>(it, terms[Is])...)
                                 : loop<WithEntity, false, false>(it, f, run_field<As>(it, terms[Is])...);
        if (!through) finish<WithEntity>(it, terms, f, fields, places);
    }
}

/* Iterates what was started. */
template <bool WithEntity, class... As, class F> result<void> each(dz_iter &it, const uint8_t *terms, F &f, list<As...> fields)
{
    loop_batches<WithEntity>(it, terms, f, fields, std::index_sequence_for<As...>());
    if (it.status != DZ_OK) return fail<void>();
    return result<void>();
}

} // namespace detail

/* A batch: so many entities, and their components. A run has them in arrays. For bodies that change values only. */
template <class... As> class batch {
public:
    uint32_t size() const noexcept { return it_.count; }
    bool is_run() const noexcept { return it_.gather == 0; }
    denizen::entity entity(uint32_t i) const noexcept { return {it_.world, dz_iter_entity(&it_, i)}; }

    /* Field I, or that of type T, of element i. */
    template <std::size_t I> decltype(auto) get(uint32_t i) const
    {
        static_assert(I < sizeof...(As), "the query has no such field: ask for its component, without * or &, or its number from 0 on");
        if constexpr (I < sizeof...(As)) return detail::element<type<I>>(it_, terms_[I], i);
    }
    template <class T> decltype(auto) get(uint32_t i) const { return get<place<T>()>(i); }
    /* The array of a run; nullptr if nobody of it has it, and of a gather. */
    template <std::size_t I> auto data() const noexcept
    {
        static_assert(I < sizeof...(As), "the query has no such field: ask for its component, without * or &, or its number from 0 on");
        using component = typename detail::field<type<I>>::component;
        using pointer = std::conditional_t<detail::field<type<I>>::constant, const component, component> *;
        return it_.gather ? nullptr : static_cast<pointer>(it_.fields[terms_[I]]);
    }
    template <class T> auto data() const noexcept { return data<place<T>()>(); }

    /* For dz_iter_target and what else there is of batches. */
    const dz_iter &raw() const noexcept { return it_; }

protected:
    template <class...> friend class batches;
    template <std::size_t I> using type = std::tuple_element_t<I, std::tuple<As...>>;
    template <class T> static constexpr std::size_t place()
    {
        std::size_t at = 0;
        (void)((std::is_same_v<typename detail::field<As>::component, std::remove_const_t<T>> ? true : (at++, false)) || ...);
        return at;
    }
    batch() noexcept = default;
    explicit batch(const uint8_t *terms) noexcept
    {
        for (std::size_t i = 0; i < sizeof...(As); i++) terms_[i] = terms[i];
    }

    dz_iter it_;
    uint16_t terms_[sizeof...(As) + 1]; /* bytes could be what the body writes to */
};

struct end_of_loop {};

namespace detail {
enum class matches { all, runs, part };
}

/* What a range-for over batches goes through; it lives in the loop. */
template <class... As> class batches {
public:
    class iterator : public batch<As...> {
    public:
        const batch<As...> &operator*() const noexcept { return *this; }
        iterator &operator++()
        {
            more_ = dz_next(&this->it_);
#ifndef DENIZEN_NO_EXCEPTIONS
            if (!more_ && this->it_.status != DZ_OK) detail::fail<void>();
#endif
            return *this;
        }
        friend bool operator!=(const iterator &it, end_of_loop) noexcept { return it.more_; }
        friend bool operator==(const iterator &it, end_of_loop) noexcept { return !it.more_; }

    private:
        friend class batches;
        template <class Start> iterator(const uint8_t *terms, Start start) : batch<As...>(terms)
        {
            start(&this->it_);
            ++*this;
        }
        bool more_ = false;
    };

    iterator begin() const
    {
        return iterator(terms_, [this](dz_iter *it) {
            if (what_ == detail::matches::part) dz_iterate_part(world_, query_, part_, parts_, it);
            else if (what_ == detail::matches::runs) dz_iterate_runs(world_, query_, it);
            else dz_iterate(world_, query_, it);
        });
    }
    end_of_loop end() const noexcept { return {}; }

private:
    template <class...> friend class query;
    batches(dz_world world, dz_query query, const uint8_t *terms, detail::matches what, uint32_t part, uint32_t parts) noexcept
        : world_(world), query_(query), what_(what), part_(part), parts_(parts)
    {
        for (std::size_t i = 0; i < sizeof...(As); i++) terms_[i] = terms[i];
    }

    dz_world world_;
    dz_query query_;
    detail::matches what_;
    uint32_t part_, parts_;
    uint8_t terms_[sizeof...(As) + 1];
};

/* What a range-for over a query goes through: (entity, field, field, ...), whatever the body changes. */
template <class... As> class row_iterator {
public:
    using value_type = std::tuple<entity, typename detail::field<As>::argument...>;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;
    void operator++(int) { ++*this; }

    value_type operator*() const { return row(std::index_sequence_for<As...>()); }
    row_iterator &operator++()
    {
        at_ = dz_each(&it_);
        if (at_ == UINT32_MAX) next_batch();
        return *this;
    }
    friend bool operator!=(const row_iterator &it, end_of_loop) noexcept { return it.at_ != UINT32_MAX; }
    friend bool operator==(const row_iterator &it, end_of_loop) noexcept { return it.at_ == UINT32_MAX; }

private:
    template <class...> friend class query;
    row_iterator(dz_world world, dz_query query, const uint8_t *terms)
    {
        for (std::size_t i = 0; i < sizeof...(As); i++) terms_[i] = terms[i];
        dz_iterate(world, query, &it_);
        next_batch();
    }
    void next_batch()
    {
        for (at_ = UINT32_MAX; at_ == UINT32_MAX;) {
            if (!dz_next(&it_)) {
#ifndef DENIZEN_NO_EXCEPTIONS
                if (it_.status != DZ_OK) detail::fail<void>();
#endif
                return;
            }
            at_ = dz_each(&it_);
        }
    }
    template <std::size_t... Is> value_type row(std::index_sequence<Is...>) const
    {
        return value_type(entity(it_.world, dz_iter_entity(&it_, at_)), detail::element<As>(it_, terms_[Is], at_)...);
    }

    dz_iter it_;
    uint32_t at_;
    uint16_t terms_[sizeof...(As) + 1]; /* bytes could be what the body writes to */
};

DENIZEN_END

#endif
