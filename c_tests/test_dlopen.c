/* Load the library, fail on purpose, unload it, load it again: it leaves nothing behind, on no thread.
 * Usage: test_dlopen LIBRARY */
#if defined(__linux__) || defined(__GLIBC__)
#define _GNU_SOURCE /* mallinfo2 */
#endif
#include <denizen/denizen.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include "windows_dlopen.h"
#else
#include <dlfcn.h>
#include <unistd.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static int failures;
#define CHECK(expression) \
    ((expression) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #expression)))

/* The functions by name: declared as in the header, found by dlsym. */
#define FUNCTIONS(F)                                                                         \
    F(version, uint32_t, (void))                                                             \
    F(world_create, dz_world, (const dz_world_desc *))                                       \
    F(world_destroy, dz_status, (dz_world))                                                  \
    F(worlds, dz_status, (dz_world *, uint32_t, uint32_t *))                                 \
    F(component_register, dz_id, (dz_world, const dz_component_desc *))                      \
    F(create, dz_entity, (dz_world))                                                         \
    F(destroy, dz_status, (dz_world, dz_entity))                                             \
    F(set, dz_status, (dz_world, dz_entity, dz_id, uint32_t, const void *))                  \
    F(get, const void *, (dz_world, dz_entity, dz_id))                                       \
    F(error_status, dz_status, (void))                                                       \
    F(error_message, const char *, (void))
typedef struct library {
    void *handle;
#define F(name, result, arguments) result (*name) arguments;
    FUNCTIONS(F)
#undef F
} library;

static bool load(library *it, const char *path)
{
    it->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!it->handle) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
#define F(name, result, arguments)                       \
    {                                                    \
        void *symbol = dlsym(it->handle, "dz_" #name);   \
        if (!symbol) return false;                       \
        memcpy(&it->name, &symbol, sizeof symbol);       \
    }
    FUNCTIONS(F)
#undef F
    return true;
}

/* Uses a world, and leaves an error behind. */
static void use(const library *dz, int32_t layout)
{
    dz_world_desc desc;
    dz_component_desc shape;
    dz_world world;
    dz_entity e = 0, old;
    dz_id id;
    int i, value = 42;
    memset(&desc, 0, sizeof desc);
    memset(&shape, 0, sizeof shape);
    desc.size = sizeof desc;
    desc.layout = layout;
    shape.size = sizeof shape;
    shape.name = "number";
    shape.element_size = shape.element_alignment = 4;
    world = dz->world_create(&desc);
    id = dz->component_register(world, &shape);
    for (i = 0; i < 1000; i++) {
        e = dz->create(world);
        CHECK(dz->set(world, e, id, sizeof value, &value) == DZ_OK);
    }
    CHECK(*(const int *)dz->get(world, e, id) == 42);
    old = e;
    CHECK(dz->destroy(world, e) == DZ_OK);
    CHECK(dz->destroy(world, old) == DZ_ERR_DEAD);
    CHECK(strstr(dz->error_message(), "dz_destroy: ") != NULL);
    CHECK(dz->world_destroy(world) == DZ_OK);
    CHECK(dz->world_destroy(world) == DZ_ERR_WORLD_DEAD);
    CHECK(dz->error_status() == DZ_ERR_WORLD_DEAD);
}

/* A thread that made an error and outlives the library: nothing of it may run when the thread ends. */
static pthread_barrier_t barrier;

static void *outlive(void *argument)
{
    const library *dz = (const library *)argument;
    CHECK(dz->destroy((dz_world){0}, 1) == DZ_ERR_WORLD_NULL);
    CHECK(strlen(dz->error_message()) > 0);
    pthread_barrier_wait(&barrier); /* failed, and the text was made */
    pthread_barrier_wait(&barrier); /* the library is gone */
    return NULL;
}

static size_t in_use(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 8 };
    const char *path = argc > 1 ? argv[1] : getenv("DENIZEN_LIBRARY");
    size_t held[ROUNDS];
    int round;
#if defined(__linux__) && defined(__GLIBC__)
    /* glibc counts what its caches hold as in use: off with them, so that each byte counts. */
    if (!getenv("GLIBC_TUNABLES") && setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1) == 0) {
        execv("/proc/self/exe", argv);
    }
#endif
    if (!path) {
        fprintf(stderr, "usage: test_dlopen LIBRARY\n");
        return 2;
    }
    for (round = 0; round < ROUNDS; round++) {
        library dz;
        pthread_t thread;
        uint32_t count = 9;
        void *still;
        if (!load(&dz, path)) return 1;
        CHECK(dz.version() == DZ_VERSION);
        CHECK(dz.error_status() == DZ_OK); /* a new library knows nothing of the old one's errors */
        CHECK(strcmp(dz.error_message(), "") == 0);
        CHECK(dz.worlds(NULL, 0, &count) == DZ_OK && count == 0);
        use(&dz, round & 1);
        pthread_barrier_init(&barrier, NULL, 2);
        CHECK(pthread_create(&thread, NULL, outlive, &dz) == 0);
        pthread_barrier_wait(&barrier);
        CHECK(dlclose(dz.handle) == 0);
        still = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
        CHECK(still == NULL); /* it is really gone: no thread-local destructor, nothing that holds it */
        pthread_barrier_wait(&barrier);
        pthread_join(thread, NULL);
        pthread_barrier_destroy(&barrier);
        held[round] = in_use();
    }
    for (round = 3; round < ROUNDS; round++) CHECK(held[round] == held[2]); /* the system's allocator sees no growth */
    printf("%d rounds, %lu bytes in use after each, %d failed\n", ROUNDS, (unsigned long)held[ROUNDS - 1], failures);
    return failures != 0;
}
