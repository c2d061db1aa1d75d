/* What the parts of the conformance program in C++ share. */
#ifndef CONFORMANCE_HPP
#define CONFORMANCE_HPP

#include <cstdio>
#include <denizen/denizen.hpp>

struct Position {
    int32_t x, y;
};
struct Velocity {
    int32_t x, y;
};
struct Mass {
    int32_t kg;
};
struct Likes {
    int32_t much;
};
struct Frozen {};
struct Red {};
struct Blue {};

using denizen::entity;

/* A world of the layout that is being run. */
denizen::world new_world();

inline void answer(const char *what, dz_status status) { std::printf("%s: %s\n", what, dz_status_name(status)); }
inline void yes(const char *what, bool is) { std::printf("%s: %s\n", what, is ? "yes" : "no"); }

/* A sentence without its beginning, the name of the call. */
inline void refusal(const char *what, dz_status status, const char *sentence)
{
    const char *call = std::strstr(sentence, ": ");
    std::printf("%s: %s: %s\n", what, dz_status_name(status), call ? call + 2 : sentence);
    dz_error_clear();
}

/* What it throws, if it throws. */
template <class F> void refused(const char *what, F call)
{
    try {
        call();
    } catch (const denizen::error &e) {
        refusal(what, e.status(), e.what());
    }
}

/* Done, or what it throws. */
template <class F> void answered(const char *what, F call)
{
    dz_status status = DZ_OK;
    try {
        call();
    } catch (const denizen::error &e) {
        status = e.status();
    }
    answer(what, status);
}

/* For lists of entities: Position.x, 0 if there is none. */
inline int number(entity it)
{
    const Position *p = it.try_get<Position>();
    return p ? p->x : 0;
}

void handles();
void storage();
void queries();
void relations();

/* A section, and its title. */
void section(const char *title, void (*run)());

#endif
