/* A small assertion library. A failed check is printed and counted, and the test goes on; RUN runs a test once in
 * each layout and sees that no world is left over; main returns check_done(). */
#ifndef CHECK_H
#define CHECK_H

#include <denizen/denizen.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned check_count, check_failures;
static const char *check_test = "";
static int32_t check_layout; /* the layout of this run: what check_desc() and check_world() use */

static inline bool check_that(bool good, const char *file, int line, const char *expression, const char *detail)
{
    check_count++;
    if (!good && ++check_failures <= 50) {
        fprintf(stderr, "%s:%d: %s, %s layout: %s%s%s\n    last error: %s %s\n", file, line, check_test,
                check_layout == DZ_LAYOUT_64 ? "64-bit" : "32-bit", expression, *detail ? ": " : "", detail,
                dz_status_name(dz_error_status()), dz_error_message());
    }
    return good;
}

static inline bool check_equal(uint64_t a, uint64_t b, const char *file, int line, const char *expression)
{
    char detail[80];
    snprintf(detail, sizeof detail, "%" PRIu64 " (0x%" PRIx64 ") != %" PRIu64 " (0x%" PRIx64 ")", a, a, b, b);
    return check_that(a == b, file, line, expression, a == b ? "" : detail);
}

static inline bool check_same_status(dz_status got, dz_status want, const char *file, int line, const char *expression)
{
    char detail[120];
    snprintf(detail, sizeof detail, "got %s, want %s", dz_status_name(got), dz_status_name(want));
    return check_that(got == want, file, line, expression, got == want ? "" : detail);
}

#define CHECK(expression) check_that((expression) ? true : false, __FILE__, __LINE__, #expression, "")
#define CHECK_EQ(a, b) check_equal((uint64_t)(a), (uint64_t)(b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_IS(call, status) check_same_status((call), (status), __FILE__, __LINE__, #call)
#define CHECK_OK(call) CHECK_IS(call, DZ_OK)
#define CHECK_SAYS(text) \
    check_that(strstr(dz_error_message(), (text)) != NULL, __FILE__, __LINE__, "the message says", (text))

/* An answer that is not an error: falsy, and no error is left. */
#define QUIETLY(value, want)                                                               \
    do {                                                                                   \
        dz_error_clear();                                                                  \
        check_equal((uint64_t)(value), (uint64_t)(want), __FILE__, __LINE__, #value " is " #want);             \
        check_same_status(dz_error_status(), DZ_OK, __FILE__, __LINE__, "no error after " #value);  \
    } while (0)

/* A refused call: its status, the same status kept for this thread, a message that names the function (of a call
 * that is written as dz_...), and a world that reads as before. REFUSED: of a call that returns a status.
 * REFUSED_0: of one that returns a handle, a pointer or a number: 0. */
#define REFUSED(world, call, status)                                                                 \
    do {                                                                                             \
        uint64_t digest_before_ = check_digest(world);                                               \
        dz_error_clear();                                                                            \
        check_same_status((call), (status), __FILE__, __LINE__, #call);                              \
        check_refusal((world), (status), digest_before_, __FILE__, __LINE__, #call);                 \
    } while (0)
#define REFUSED_0(world, value, status)                                                              \
    do {                                                                                             \
        uint64_t digest_before_ = check_digest(world);                                               \
        dz_error_clear();                                                                            \
        check_equal((uint64_t)(value), 0, __FILE__, __LINE__, #value " fails");                      \
        check_refusal((world), (status), digest_before_, __FILE__, __LINE__, #value);                \
    } while (0)
/* For pointers, which don't cast to uint64_t without a warning everywhere. */
#define REFUSED_NULL(world, pointer, status) REFUSED_0(world, (uintptr_t)(pointer), status)

/* Refused with one of two statuses: where the header leaves open which of two faults is found first. */
#define REFUSED_EITHER(world, call, one, other)                                                      \
    do {                                                                                             \
        uint64_t digest_before_ = check_digest(world);                                               \
        dz_status status_;                                                                           \
        dz_error_clear();                                                                            \
        status_ = (call);                                                                            \
        if (status_ != (one)) check_same_status(status_, (other), __FILE__, __LINE__, #call);        \
        check_refusal((world), status_, digest_before_, __FILE__, __LINE__, #call);                  \
    } while (0)

static inline uint64_t check_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    size_t i;
    for (i = 0; i < size; i++) hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* All that can be read of a world, as a number: entities, their types and values, pools and their order, components,
 * singletons, counts, generations. Not the memory held. */
static inline uint64_t check_digest(dz_world world)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    dz_world_numbers numbers;
    dz_status error = dz_error_status();
    uint32_t first = 0, count = 0, i, j, types, pools = 0;
    dz_id ids[64], type[64];
    if (dz_world_stats(world, &numbers) != DZ_OK) return 0;
    hash = check_hash(hash, &numbers.alive, offsetof(dz_world_numbers, capacity));
    dz_components(world, ids, 64, &pools);
    if (pools > 64) pools = 64;
    while (first != UINT32_MAX) {
        dz_entity some[64];
        dz_entities(world, first, some, 64, &count, &first);
        hash = check_hash(hash, some, count * sizeof *some);
        for (i = 0; i < count; i++) {
            dz_type(world, some[i], type, 64, &types);
            hash = check_hash(hash, type, (types < 64 ? types : 64) * sizeof *type);
        }
    }
    for (i = 0; i < pools; i++) {
        dz_component_details info;
        dz_iter it;
        uint32_t named = 0;
        dz_component_info(world, ids[i], &info);
        hash = check_hash(hash, info.name, strlen(info.name));
        named = info.element_size ^ info.element_alignment << 8 ^ (uint32_t)info.policy << 24;
        hash = check_hash(hash, &named, sizeof named);
        hash = check_hash(hash, &info.count, sizeof info.count + sizeof info.gaps);
        for (dz_iterate_pool(world, ids[i], DZ_FORWARD, &it); dz_next(&it);) {
            hash = check_hash(hash, it.entities, (size_t)it.count * it.entity_size);
            for (j = 0; it.data && j < it.count; j++) {
                hash = check_hash(hash, (const char *)it.data + (size_t)j * it.stride, info.element_size);
            }
        }
        if (info.element_size && !info.builtin) {
            const void *single = dz_singleton_get(world, ids[i]);
            if (single) hash = check_hash(hash ^ 1, single, info.element_size);
        }
    }
    for (i = 0; i < 300; i++) {
        uint32_t generation = dz_generation(world, i);
        hash = check_hash(hash, &generation, sizeof generation);
    }
    if (error == DZ_OK) dz_error_clear();
    return hash;
}

static inline void check_refusal(dz_world world, dz_status status, uint64_t before, const char *file, int line,
                                 const char *call)
{
    const char *end = strchr(call, '(');
    if (strncmp(call, "dz_component_simple(", 20) == 0) call = "dz_component_register(", end = strchr(call, '(');
    check_same_status(dz_error_status(), status, file, line, "dz_error_status");
    if (strncmp(call, "dz_", 3) == 0 && end) {
        char name[64];
        snprintf(name, sizeof name, "%.*s: ", (int)(end - call), call);
        check_that(strncmp(dz_error_message(), name, strlen(name)) == 0, file, line, call, "the message begins with the function");
    }
    check_that(check_digest(world) == before, file, line, call, "the world reads as before");
    dz_error_clear();
}

/* Descriptors and worlds of this run's layout. */
static inline dz_world_desc check_desc(void)
{
    dz_world_desc desc = DZ_WORLD_DESC_INIT;
    desc.layout = check_layout;
    return desc;
}

static inline dz_world check_world(void)
{
    dz_world_desc desc = check_desc();
    dz_world world = dz_world_create(&desc);
    CHECK(dz_world_is_alive(world));
    return world;
}

/* How this layout's handles are made, written down a second time: the library is compared with it. */
static inline uint32_t check_null_index(void)
{
    return check_layout == DZ_LAYOUT_64 ? UINT32_MAX : 0xfffff;
}

static inline uint32_t check_tombstone(void)
{
    return check_layout == DZ_LAYOUT_64 ? 0xffff : 0xfff;
}

static inline dz_entity check_handle(dz_world world, uint32_t index, uint32_t generation)
{
    if (check_layout == DZ_LAYOUT_32) return (uint64_t)generation << 20 | index;
    return (uint64_t)dz_world_number(world) << 48 | (uint64_t)generation << 32 | index;
}

/* The print form of a handle, by the text of the specification: E:world-index[generation] or E:index[generation]. */
static inline const char *check_form(dz_entity entity)
{
    static char text[4][64];
    static unsigned turn;
    char *out = text[turn++ % 4];
    if (entity == 0) {
        snprintf(out, 64, "DZ_NULL"); /* in sentences; dz_entity_text writes E:null */
    } else if (entity >> 32) {
        snprintf(out, 64, "E:%u-%u[%u]", (unsigned)(entity >> 48 & 0xff), (unsigned)(entity & UINT32_MAX),
                 (unsigned)(entity >> 32 & 0xffff));
    } else {
        snprintf(out, 64, "E:%u[%u]", (unsigned)(entity & 0xfffff), (unsigned)(entity >> 20));
    }
    return out;
}

static inline uint32_t check_alive(dz_world world)
{
    dz_world_numbers numbers;
    memset(&numbers, 0, sizeof numbers);
    CHECK_OK(dz_world_stats(world, &numbers));
    return numbers.alive;
}

/* A listener that counts what it hears in a uint32_t, its user data. */
static inline void check_count_event(const dz_event *event, void *user)
{
    (void)event;
    ++*(uint32_t *)user;
}

/* A repeatable random number below n (xorshift). */
static inline uint32_t check_random(uint32_t n)
{
    static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 16) % n);
}

static inline void check_run(const char *name, void (*test)(void))
{
    for (check_layout = DZ_LAYOUT_64; check_layout <= DZ_LAYOUT_32; check_layout++) {
        uint32_t worlds = 0;
        check_test = name;
        dz_error_clear();
        test();
        CHECK_OK(dz_worlds(NULL, 0, &worlds));
        CHECK_EQ(worlds, 0);
    }
    check_layout = DZ_LAYOUT_64;
}
#define RUN(test) check_run(#test, test)

static inline int check_done(void)
{
    printf("%u checks, %u failed\n", check_count, check_failures);
    return check_failures != 0 || check_count == 0;
}

#endif
