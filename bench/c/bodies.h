/* The loops' bodies over plain arrays: what the floor runs over all matches and denizen's runs-only loop
 * over each run. The same code for both, so that what differs is what the library costs. */
#ifndef BODIES_H
#define BODIES_H

#include <stddef.h>

typedef struct { float x, y, z; } P;
typedef struct { float x, y, z; } V;
typedef struct { float value; } C;

/* P: x += 1. By fours, because gcc 12 at -O3 gathers every third float into vectors otherwise, which is
 * slower than some peers' loops, and a floor must not be. */
static inline void step(P *restrict p, size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        p[i].x += 1.0f;
        p[i + 1].x += 1.0f;
        p[i + 2].x += 1.0f;
        p[i + 3].x += 1.0f;
    }
    for (; i < n; i++) p[i].x += 1.0f;
}

/* P += V. */
static inline void advance(P *restrict p, const V *restrict v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        p[i].x += v[i].x;
        p[i].y += v[i].y;
        p[i].z += v[i].z;
    }
}

/* P += V, x += C2 + C3 + ...: 3 to 8 terms. Called with a constant, so that it is a loop for each. */
static inline void advance_by(
    int terms, P *restrict p, const V *restrict v, const C *restrict c2, const C *restrict c3,
    const C *restrict c4, const C *restrict c5, const C *restrict c6, const C *restrict c7, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float more = c2[i].value;
        if (terms > 3) more += c3[i].value;
        if (terms > 4) more += c4[i].value;
        if (terms > 5) more += c5[i].value;
        if (terms > 6) more += c6[i].value;
        if (terms > 7) more += c7[i].value;
        p[i].x += v[i].x + more;
        p[i].y += v[i].y;
        p[i].z += v[i].z;
    }
}

#endif
