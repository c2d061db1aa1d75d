/* Errors: exceptions, or results. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_ERROR_HPP
#define DENIZEN_CPP_ERROR_HPP

#include "../denizen.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#if !defined(DENIZEN_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define DENIZEN_NO_EXCEPTIONS
#endif
#ifndef DENIZEN_NO_EXCEPTIONS
#include <exception>
#endif

/* What belongs to one module (program or shared library) alone, functions that use it among it. It must not be merged with that
 * of other modules: ids and numbers of types differ between them; and a merged variable would keep a library from being
 * unloaded. */
#if defined(_WIN32)
#define DENIZEN_LOCAL
#define DENIZEN_SHARED
#else
#define DENIZEN_LOCAL __attribute__((visibility("hidden")))
#define DENIZEN_SHARED __attribute__((visibility("default")))
#endif

/* Code with exceptions and code without may meet in one program: the same name is then not the same function. */
#ifdef DENIZEN_NO_EXCEPTIONS
#define DENIZEN_BEGIN namespace denizen { inline namespace with_results {
#else
#define DENIZEN_BEGIN namespace denizen { inline namespace with_exceptions {
#endif
#define DENIZEN_END } }

DENIZEN_BEGIN

/* What went wrong: the status, and the library's sentence, of which it keeps a copy. */
class DENIZEN_SHARED error
#ifndef DENIZEN_NO_EXCEPTIONS
    : public std::exception
#endif
{
public:
    /* The sentence is cut to what there is room for. */
    error(dz_status status, const char *sentence) noexcept : status_(status)
    {
        std::size_t length = std::strlen(sentence);
        if (length >= sizeof text_) {
            length = sizeof text_ - 1;
            while (length > 0 && (static_cast<unsigned char>(sentence[length]) & 0xc0) == 0x80) length--; /* whole characters */
        }
        std::memcpy(text_, sentence, length);
        text_[length] = 0;
    }

    /* The thread's last error. */
    static error last() noexcept { return error(dz_error_status(), dz_error_message()); }

    dz_status status() const noexcept { return status_; }

    /* e.g. "dz_get: entity E:1-256[1] is dead: its slot is now at generation 2". */
    const char *message() const noexcept { return text_; }

#ifndef DENIZEN_NO_EXCEPTIONS
    const char *what() const noexcept override { return text_; }
#endif

private:
    dz_status status_;
    char text_[500];
};

#ifndef DENIZEN_NO_EXCEPTIONS

/* What a function that can fail returns: with exceptions, just the value. */
template <class T> using result = T;

namespace detail {
template <class R> [[noreturn]] R fail(const error &what) { throw what; }
template <class T> T &&value_of(T &&value) { return static_cast<T &&>(value); }
} // namespace detail

#else

class entity;

/* A value, or why there is none. To take the value where there is none ends the program with the sentence.
 *
 * In a condition it is what the value would be there: of an answer (a bool, a pointer, an entity) whether it is true, not null,
 * not DZ_NULL, so that `if (e.has<T>())` means the same with exceptions and without; of any other value whether it is
 * there. A failure is false. good() asks only whether it failed. */
template <class T> class [[nodiscard]] result {
public:
    result(T &&value) : good_(true) { ::new (static_cast<void *>(std::addressof(value_))) T(std::move(value)); }
    result(const T &value) : good_(true) { ::new (static_cast<void *>(std::addressof(value_))) T(value); }
    result(const denizen::error &what) noexcept : good_(false), error_(what) {}
    result(result &&other) noexcept : good_(other.good_)
    {
        if (good_) ::new (static_cast<void *>(std::addressof(value_))) T(std::move(other.value_));
        else ::new (static_cast<void *>(&error_)) denizen::error(other.error_);
    }
    result &operator=(result &&) = delete;
    ~result()
    {
        if (good_) value_.~T();
    }

    explicit operator bool() const noexcept
    {
        if constexpr (std::is_same_v<T, bool> || std::is_pointer_v<T> || std::is_same_v<T, entity>) return good_ && static_cast<bool>(value_);
        else return good_;
    }
    bool good() const noexcept { return good_; }
    dz_status status() const noexcept { return good_ ? DZ_OK : error_.status(); }
    /* Of a good one DZ_OK, and no sentence. */
    DENIZEN_LOCAL const denizen::error &error() const noexcept
    {
        static const denizen::error none(DZ_OK, "");
        return good_ ? none : error_;
    }
    T &value() & noexcept { return must_be_good(), value_; }
    const T &value() const & noexcept { return must_be_good(), value_; }
    T value() && noexcept { return must_be_good(), std::move(value_); }
    T &operator*() & noexcept { return value(); }
    const T &operator*() const & noexcept { return value(); }
    T operator*() && noexcept { return std::move(*this).value(); }
    T *operator->() noexcept { return std::addressof(value()); }
    const T *operator->() const noexcept { return std::addressof(value()); }

private:
    void must_be_good() const noexcept
    {
        if (!good_) std::fprintf(stderr, "%s\n", error_.message()), std::abort();
    }

    bool good_;
    union {
        T value_;
        denizen::error error_;
    };
};

template <class T> class [[nodiscard]] result<T &> {
public:
    result(T &value) noexcept : value_(std::addressof(value)), error_(DZ_OK, "") {}
    result(const denizen::error &what) noexcept : value_(nullptr), error_(what) {}

    explicit operator bool() const noexcept { return good(); }
    bool good() const noexcept { return value_ != nullptr; }
    dz_status status() const noexcept { return error_.status(); }
    const denizen::error &error() const noexcept { return error_; }
    T &value() const noexcept
    {
        if (!value_) std::fprintf(stderr, "%s\n", error_.message()), std::abort();
        return *value_;
    }
    T &operator*() const noexcept { return value(); }
    T *operator->() const noexcept { return std::addressof(value()); }

private:
    T *value_;
    denizen::error error_;
};

template <> class [[nodiscard]] result<void> {
public:
    result() noexcept : error_(DZ_OK, "") {}
    result(const denizen::error &what) noexcept : error_(what) {}

    explicit operator bool() const noexcept { return good(); }
    bool good() const noexcept { return !dz_failed(error_.status()); }
    dz_status status() const noexcept { return error_.status(); }
    const denizen::error &error() const noexcept { return error_; }
    void value() const noexcept
    {
        if (dz_failed(error_.status())) std::fprintf(stderr, "%s\n", error_.message()), std::abort();
    }

private:
    denizen::error error_;
};

namespace detail {
template <class R> result<R> fail(const error &what) noexcept { return result<R>(what); }
template <class T> T &&value_of(result<T> &&it) { return std::move(it).value(); }
} // namespace detail

#endif

namespace detail {

/* The name that two types of this module have, on the way from where that is found to where it is raised. */
DENIZEN_LOCAL inline thread_local const char *name_of_two = nullptr;

/* The library's last error, raised; or that one. */
template <class R> DENIZEN_LOCAL result<R> fail()
{
    const char *name = std::exchange(name_of_two, nullptr);
    if (!name) return fail<R>(error::last());
    char sentence[360];
    std::snprintf(sentence, sizeof sentence, "two types are called \"%.200s\", of different functions: name one with DENIZEN_NAME", name);
    return fail<R>(error(DZ_ERR_NAME_TAKEN, sentence));
}

} // namespace detail

DENIZEN_END

#endif
