/* What the tests of denizen.hpp share: check.h, and what throws. */
#ifndef CHECK_CPP_HPP
#define CHECK_CPP_HPP

#include "check.h"
#include <denizen/denizen.hpp>

/* A call that throws the library's error of that status, whose sentence has that text in it. */
#define THROWS(call, wanted, text)                                                                       \
    do {                                                                                                 \
        bool thrown_ = false;                                                                            \
        try {                                                                                            \
            (void)(call);                                                                                \
        } catch (const denizen::error &thrown_error_) {                                                              \
            thrown_ = true;                                                                              \
            check_same_status(thrown_error_.status(), wanted, __FILE__, __LINE__, #call);                            \
            check_that(std::strstr(thrown_error_.what(), text) != nullptr, __FILE__, __LINE__, #call, thrown_error_.what());     \
        }                                                                                                \
        check_that(thrown_, __FILE__, __LINE__, #call, "it throws");                                     \
    } while (0)

/* One that throws something of the test's own: an int. */
#define THROWS_INT(call, wanted)                                                                         \
    do {                                                                                                 \
        int thrown_ = 0;                                                                                 \
        try {                                                                                            \
            (void)(call);                                                                                \
        } catch (int it) {                                                                               \
            thrown_ = it;                                                                                \
        }                                                                                                \
        check_equal(static_cast<uint64_t>(thrown_), static_cast<uint64_t>(wanted), __FILE__, __LINE__, #call); \
    } while (0)

#endif
