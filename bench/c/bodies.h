/* The loops over plain arrays: what the floor runs over all matches, denizen's runs-only loops over each run, and
 * Flecs' over each table. One function for all, so that what differs is what the library costs: where the compiler puts a
 * loop changes it by a fifth on some processors. */
#ifndef BODIES_H
#define BODIES_H

#include <stddef.h>

typedef struct { float x, y, z; } P;
typedef struct { float x, y, z; } V;
typedef struct { float value; } C;

/* P: x += 1. By eights, because gcc 12 at -O3 gathers every third float into vectors otherwise, which is
 * slower than some peers' loops, and a floor must not be; by fours it is a loop of 64 bytes, which took a processor of
 * 2024 half as long again where it began at a multiple of 64. */
static inline void step(P *restrict p, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        p[i].x += 1.0f;
        p[i + 1].x += 1.0f;
        p[i + 2].x += 1.0f;
        p[i + 3].x += 1.0f;
        p[i + 4].x += 1.0f;
        p[i + 5].x += 1.0f;
        p[i + 6].x += 1.0f;
        p[i + 7].x += 1.0f;
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

/* What row i adds to x: C2 + C3 + ..., of 3 to 8 terms. */
static inline float more_of(
    int terms, const C *c2, const C *c3, const C *c4, const C *c5, const C *c6, const C *c7, size_t i)
{
    float more = c2[i].value;
    if (terms > 3) more += c3[i].value;
    if (terms > 4) more += c4[i].value;
    if (terms > 5) more += c5[i].value;
    if (terms > 6) more += c6[i].value;
    if (terms > 7) more += c7[i].value;
    return more;
}

/* P += V, x += C2 + C3 + ...: 3 to 8 terms. Called with a constant, so that it is a loop for each. By fours, as the twelve
 * floats that they are: one by one gcc 12 takes vectors apart, which is slower than some peers' loops. */
static inline void advance_by(
    int terms, P *restrict p, const V *restrict v, const C *restrict c2, const C *restrict c3,
    const C *restrict c4, const C *restrict c5, const C *restrict c6, const C *restrict c7, size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        float *restrict a = &p[i].x;
        const float *restrict b = &v[i].x;
        float more0 = more_of(terms, c2, c3, c4, c5, c6, c7, i);
        float more1 = more_of(terms, c2, c3, c4, c5, c6, c7, i + 1);
        float more2 = more_of(terms, c2, c3, c4, c5, c6, c7, i + 2);
        float more3 = more_of(terms, c2, c3, c4, c5, c6, c7, i + 3);
        a[0] += b[0] + more0;
        a[1] += b[1];
        a[2] += b[2];
        a[3] += b[3] + more1;
        a[4] += b[4];
        a[5] += b[5];
        a[6] += b[6] + more2;
        a[7] += b[7];
        a[8] += b[8];
        a[9] += b[9] + more3;
        a[10] += b[10];
        a[11] += b[11];
    }
    for (; i < n; i++) {
        p[i].x += v[i].x + more_of(terms, c2, c3, c4, c5, c6, c7, i);
        p[i].y += v[i].y;
        p[i].z += v[i].z;
    }
}

/* The loop of so many terms over `n` elements: P, V, and c[2] to c[7]. In floor.c. */
void floor_run(int terms, size_t n, P *p, const V *v, const C *const c[8]);

#endif
