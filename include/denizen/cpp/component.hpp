/* What a C++ type is as a component: its name, its policy, its hooks. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_COMPONENT_HPP
#define DENIZEN_CPP_COMPONENT_HPP

#include "error.hpp"

DENIZEN_BEGIN

/* What may be said of a type. To say it, specialise component_traits and derive it from this:
 *
 *     template <> struct denizen::component_traits<Bullet> : denizen::component_defaults<Bullet> {
 *         static constexpr const char *name = "bullet";
 *         static constexpr dz_policy policy = DZ_POLICY_STABLE;
 *     }; */
template <class T> struct component_defaults {
    /* nullptr: the type's own, with its namespaces: "game::Position". All modules must mean the same by it. */
    static constexpr const char *name = nullptr;
    static constexpr dz_policy policy = DZ_POLICY_SWAP;
    /* Say false of what claims that it can be copied and can't, e.g. a struct with a vector of unique_ptr. */
    static constexpr bool copyable = std::is_copy_constructible_v<T>;
};

template <class T> struct component_traits : component_defaults<T> {};

/* DENIZEN_NAME(game::Position, "position") in the global namespace names a type. */
#define DENIZEN_NAME(Type, Name)                                                              \
    template <> struct denizen::component_traits<Type> : denizen::component_defaults<Type> { \
        static constexpr const char *name = Name;                                             \
    }

namespace detail {

template <class T> constexpr const char *signature()
{
#if defined(_MSC_VER) && !defined(__clang__)
    return __FUNCSIG__;
#else
    return __PRETTY_FUNCTION__;
#endif
}

constexpr std::size_t length_of(const char *text)
{
    std::size_t n = 0;
    while (text[n]) n++;
    return n;
}

/* What stands before a type's name in its signature, learnt from one that is known. */
constexpr std::size_t before_name()
{
    const char *text = signature<double>();
    std::size_t at = 0;
    while (!(text[at] == 'd' && text[at + 1] == 'o' && text[at + 2] == 'u' && text[at + 3] == 'b' && text[at + 4] == 'l' && text[at + 5] == 'e')) at++;
    return at;
}
constexpr std::size_t behind_name() { return length_of(signature<double>()) - before_name() - 6; }

/* MSVC says "struct game::Position". */
constexpr std::size_t skip_keyword(const char *text)
{
    const char *const keywords[] = {"struct ", "class ", "union ", "enum "};
    for (const char *keyword : keywords) {
        std::size_t n = 0;
        while (keyword[n] && keyword[n] == text[n]) n++;
        if (!keyword[n]) return n;
    }
    return 0;
}

constexpr bool is_at(const char *text, std::size_t length, std::size_t at, const char *word)
{
    std::size_t n = 0;
    while (word[n] && at + n < length && word[n] == text[at + n]) n++;
    return !word[n];
}

/* Whether a name says all that it means. Those of unnamed namespaces, unnamed types and lambdas don't, nor those of types
 * inside functions: another file may have one that reads the same. A function stands before "::" by its parameters, as in
 * "f(int)::Local" or "A::f() const::Local", which other parentheses, as in "Callback<void(int)>::Slot", never do. Clang and
 * MSVC don't write the function: of its types, two that are used by one name are found when the program runs. */
constexpr bool is_global(const char *name, std::size_t length)
{
    const char *const telling[] = {
        "{anonymous}", "(anonymous", "<unnamed", "(unnamed", "{unnamed", "<lambda", "(lambda", "{lambda", "`",
        ")::", "]::", "&::", " const::", " volatile::", " noexcept::", /* functions */
    };
    for (std::size_t i = 0; i < length; i++) {
        for (const char *word : telling) {
            if (is_at(name, length, i, word)) return false;
        }
    }
    return true;
}

template <class T> struct own_name {
    static constexpr std::size_t begin() { return before_name() + skip_keyword(signature<T>() + before_name()); }
    static constexpr std::size_t length() { return length_of(signature<T>()) - begin() - behind_name(); }
    static constexpr bool is_good() { return is_global(signature<T>() + begin(), length()); }
};

template <std::size_t N> struct text {
    char at[N + 1];
};

template <class T> constexpr text<own_name<T>::length()> make_name()
{
    text<own_name<T>::length()> made{};
    for (std::size_t i = 0; i < own_name<T>::length(); i++) made.at[i] = signature<T>()[own_name<T>::begin() + i];
    return made;
}
template <class T> DENIZEN_LOCAL inline constexpr auto own_name_of = make_name<T>();

/* Whether it is just bytes, and needs no hooks. What can't be copied isn't, whatever it is made of. */
template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T> && component_traits<T>::copyable;

template <class T> inline constexpr bool is_tag = std::is_empty_v<T>;

/* What can be a component; whether it is const is said apart. */
template <class T>
inline constexpr bool is_component = std::is_object_v<T> && !std::is_volatile_v<T> && !std::is_array_v<T> && !std::is_pointer_v<T>;

/* Words of queries and groups, which are no components: see loop.hpp. */
template <class T> inline constexpr bool is_word = false;

/* Whether it is bytes of which T() makes others than the zeros that the library makes, perhaps. */
template <class T>
inline constexpr bool is_made = is_plain<T> && std::is_default_constructible_v<T> && !std::is_trivially_default_constructible_v<T>;

/* A value that the copy hook may move from, on the stack of the call that brings it. */
struct moving {
    void *value;
    moving *next;
    void *to; /* where it is now: there the destruct hook takes it back from, if the library undoes the call */
};

/* Those of the innermost call that is under way in this thread. */
DENIZEN_LOCAL inline thread_local moving *moving_values = nullptr;

/* Lets the copy hook move from values, and from no others, while it lives. */
class DENIZEN_LOCAL move_from {
public:
    explicit move_from(moving *values) noexcept : outer_(std::exchange(moving_values, values)) {}
    ~move_from() { moving_values = outer_; }
    move_from(const move_from &) = delete;
    move_from &operator=(const move_from &) = delete;

private:
    moving *outer_;
};

inline moving *find_moving(moving *in, const void *value) noexcept
{
    while (in && in->value != value) in = in->next;
    return in;
}
inline moving *find_moved(moving *in, const void *to) noexcept
{
    while (in && in->to != to) in = in->next;
    return in;
}

/* What this module has to do with a world: see ids.hpp. The hooks get it as their user pointer. */
struct known_world;
#ifndef DENIZEN_NO_EXCEPTIONS
DENIZEN_LOCAL inline void keep_exception(known_world *world) noexcept;
#define DENIZEN_TRY try
#define DENIZEN_CATCH catch (...)
#else
inline void keep_exception(known_world *) noexcept {}
#define DENIZEN_TRY if (true)
#define DENIZEN_CATCH else
#endif

/* Constructs n elements by make(i), or none; -1 if a constructor threw. */
template <class T, class F> DENIZEN_LOCAL int32_t make_all(void *to, uint32_t n, void *user, F make)
{
    uint32_t made = 0;
    DENIZEN_TRY
    {
        for (; made < n; made++) make(made);
        return 0;
    }
    DENIZEN_CATCH
    {
        keep_exception(static_cast<known_world *>(user));
        while (made > 0) static_cast<T *>(to)[--made].~T();
        return -1;
    }
}

template <class T> struct DENIZEN_LOCAL hooks_of {
    static int32_t construct(void *to, uint32_t n, void *user) noexcept
    {
        if constexpr (std::is_default_constructible_v<T>) {
            return make_all<T>(to, n, user, [to](uint32_t i) { ::new (static_cast<void *>(static_cast<T *>(to) + i)) T(); });
        } else {
            return (void)to, (void)n, (void)user, -1;
        }
    }
    static void destruct(void *at, uint32_t n, void *) noexcept
    {
        if (moving *it = find_moved(moving_values, at)) {
            static_cast<T *>(it->value)->~T();
            ::new (it->value) T(std::move(*static_cast<T *>(at)));
            it->to = nullptr;
        }
        for (uint32_t i = 0; i < n; i++) static_cast<T *>(at)[i].~T();
    }
    static int32_t copy(void *to, const void *from, uint32_t n, void *user) noexcept
    {
        if (moving *it = find_moving(moving_values, from)) {
            if (!it->to) {
                T &value = *static_cast<T *>(it->value);
                int32_t failed = make_all<T>(to, 1, user, [to, &value](uint32_t) { ::new (to) T(std::move(value)); });
                if (!failed) it->to = to;
                return failed;
            }
            from = it->to; /* asked for again, as by the other side of a symmetric pair */
        }
        if constexpr (component_traits<T>::copyable) {
            const T *values = static_cast<const T *>(from);
            return make_all<T>(to, n, user, [to, values](uint32_t i) { ::new (static_cast<void *>(static_cast<T *>(to) + i)) T(values[i]); });
        } else {
            return -1; /* to leave it out would mean bytes, and two owners of one thing */
        }
    }
    static void relocate(void *to, void *from, uint32_t n, void *) noexcept
    {
        for (uint32_t i = 0; i < n; i++) {
            T *old = static_cast<T *>(from) + i;
            void *place = static_cast<T *>(to) + i;
            ::new (place) T(std::move(*old));
            old->~T();
            if (moving *it = find_moved(moving_values, old)) it->to = place;
        }
    }
};

} // namespace detail

/* The name of T in every world. */
template <class T> constexpr const char *component_name()
{
    if constexpr (component_traits<T>::name != nullptr) {
        return component_traits<T>::name;
    } else {
        static_assert(detail::own_name<T>::is_good(),
                      "a lambda, or a type of an unnamed namespace or of a function, has no name that others could mean by it: "
                      "give it one with DENIZEN_NAME, or with component_traits<T>::name");
        return detail::own_name_of<T>.at;
    }
}

/* The hooks of T: none if it is a tag, or just bytes; of bytes with default values the one that makes them. `world` is kept as their user pointer. */
template <class T> DENIZEN_LOCAL constexpr dz_hooks component_hooks(void *world = nullptr)
{
    static_assert(detail::is_component<T> && !std::is_const_v<T>, "a component is a plain object type");
    static_assert(std::is_move_constructible_v<T> || detail::is_tag<T>, "a component must be movable: the library moves elements");
    static_assert(std::is_destructible_v<T>, "a component must be destructible");
    dz_hooks hooks{};
    if constexpr (!detail::is_tag<T> && (!detail::is_plain<T> || detail::is_made<T>)) {
        hooks.construct = &detail::hooks_of<T>::construct;
        hooks.user = world;
    }
    if constexpr (!detail::is_tag<T> && !detail::is_plain<T>) {
        hooks.destruct = &detail::hooks_of<T>::destruct;
        hooks.copy = &detail::hooks_of<T>::copy;
        hooks.relocate = &detail::hooks_of<T>::relocate;
    }
    return hooks;
}

DENIZEN_END

#endif
