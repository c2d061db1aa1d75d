/* Saves a world to a file, loads it into another world, and compares the two.
 *
 *     cc -Iinclude examples/save.c examples/save/[sw]*.c target/release/libdenizen.a -lpthread -ldl -lm -o save
 *     ./save save.bin
 *
 * examples/save/ has the rest:
 *     save     save_world and load_world: the part to copy
 *     worlds   what is saved here, and whether two worlds are the same
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "save/worlds.h"

#define PROGRAM "save"
#include "failed.h"

enum { EXIT_USAGE = 2 };

static const char help[] =
    "Usage: save [options] [FILE]\n"
    "Saves a world to FILE (default: save.bin), loads it into another one, and compares the two.\n"
    "\n"
    "  --ships N       how many ships the world has, 0 to 1000000 (default: 100)\n"
    "  --load          only loads FILE\n"
    "  --random N      instead: N worlds made at random, 1 to 1000000000, each saved, loaded and compared\n"
    "  --damage N      instead: N damaged saves; each is loaded or refused\n"
    "  --seed N        other worlds, 0 to 4294967295 (default: 1)\n"
    "  --help          this text\n"
    "\n"
    "Exit status: 0 done, 1 it failed, 2 the command line is wrong.\n";

static double milliseconds(clock_t from) { return 1e3 * (double)(clock() - from) / CLOCKS_PER_SEC; }

static int failed(const char *doing, const char *why)
{
    fflush(stdout);
    fprintf(stderr, "save: %s: %s\n", doing, why);
    return EXIT_FAILURE;
}

static dz_world make_world(const dz_world_desc *desc)
{
    dz_world world = dz_world_create(desc);
    if (!world.bits) must(dz_error_status());
    return world;
}

static FILE *temporary(void)
{
    FILE *file = tmpfile();
    if (file) return file;
    perror("save: cannot make a temporary file");
    exit(EXIT_FAILURE);
}

/* How far a long run is, every two seconds. */
static void progress(uint32_t done, uint32_t all, time_t *next)
{
    time_t now = time(NULL);
    if (*next == 0) *next = now + 2;
    if (now < *next) return;
    *next = now + 2;
    fprintf(stderr, "step %lu of %lu\n", (unsigned long)done, (unsigned long)all);
}

static void print_size(const char *path, dz_world world)
{
    dz_world_numbers numbers;
    must(dz_world_stats(world, &numbers));
    printf("%s: %lu entities, ", path, (unsigned long)(numbers.alive - numbers.components));
}

static int save(dz_world world, const char *path)
{
    char error[SAVE_ERROR];
    FILE *file = fopen(path, "wb");
    if (!file) return failed(path, strerror(errno));
    clock_t from = clock();
    bool saved = save_world(world, types, TYPES, file, error);
    double took = milliseconds(from);
    long size = ftell(file);
    if (fclose(file) != 0 && saved) return failed(path, strerror(errno));
    if (!saved) return failed(path, error);
    print_size(path, world);
    printf("%ld bytes, saved in %.2f ms\n", size, took);
    return EXIT_SUCCESS;
}

static int load(dz_world world, const char *path)
{
    char error[SAVE_ERROR];
    FILE *file = fopen(path, "rb");
    if (!file) return failed(path, strerror(errno));
    clock_t from = clock();
    bool loaded = load_world(world, types, TYPES, file, error);
    double took = milliseconds(from);
    fclose(file);
    if (!loaded) return failed(path, error);
    print_size(path, world);
    printf("loaded in %.2f ms\n", took);
    return EXIT_SUCCESS;
}

static int small(const char *path, uint32_t ships, bool only_load)
{
    char difference[SAVE_ERROR];
    int status = EXIT_SUCCESS;
    dz_world a = make_world(NULL), b = make_world(NULL);
    if (!only_load) small_world(a, ships), status = save(a, path);
    if (status == EXIT_SUCCESS) status = load(b, path);
    if (status == EXIT_SUCCESS && !only_load) {
        if (same_world(a, b, difference)) puts("both worlds are the same");
        else status = failed("they differ", difference);
    }
    must(dz_world_destroy(a)), must(dz_world_destroy(b));
    return status;
}

static int random_worlds(uint32_t count, uint32_t seed)
{
    uint64_t entities = 0, bytes = 0;
    time_t next = 0;
    char error[SAVE_ERROR], where[32];
    for (uint32_t i = 0; i < count; i++) {
        dz_world_desc desc;
        dz_world_numbers numbers;
        dz_world a = random_world(seed + i, &desc), b = make_world(&desc);
        FILE *file = temporary();
        snprintf(where, sizeof where, "seed %lu", (unsigned long)(seed + i));
        if (!save_world(a, types, TYPES, file, error)) return failed(where, error);
        bytes += (uint64_t)ftell(file);
        rewind(file);
        if (!load_world(b, types, TYPES, file, error)) return failed(where, error);
        fclose(file);
        if (!same_world(a, b, error)) return failed(where, error);
        must(dz_world_stats(a, &numbers));
        entities += numbers.alive;
        must(dz_world_destroy(a)), must(dz_world_destroy(b));
        progress(i + 1, count, &next);
    }
    printf("%lu worlds at random, %llu entities, %llu bytes: each was loaded as it was\n", (unsigned long)count,
           (unsigned long long)entities, (unsigned long long)bytes);
    return EXIT_SUCCESS;
}

/* The bytes of a file, damaged: bits, numbers, the end, a piece in the middle. */
static size_t damage(uint8_t *bytes, size_t size)
{
    size_t at = (size_t)rand() % size, n = (size_t)rand() % 64;
    switch (rand() % 4) {
    case 0: for (int k = rand() % 8; k >= 0; k--) bytes[(size_t)rand() % size] ^= (uint8_t)(1 << rand() % 8); return size;
    case 1: for (size_t k = at; k < size && k < at + 4; k++) bytes[k] = (uint8_t)(rand() % 3 ? rand() : 255); return size;
    case 2: return at;
    default:
        if (n > size - at) n = size - at;
        memmove(bytes + at, bytes + at + n, size - at - n);
        return size - n;
    }
}

static int damaged_saves(uint32_t count, uint32_t seed)
{
    uint32_t loaded = 0, world = 0;
    time_t next = 0;
    char error[SAVE_ERROR];
    uint8_t *bytes = NULL, *copy = NULL;
    size_t size = 0;
    dz_world_desc desc = DZ_WORLD_DESC_INIT;
    srand(seed);
    for (uint32_t i = 0; i < count; i++) {
        if (i % 50 == 0) { /* another save */
            dz_world a = random_world(seed + world++, &desc);
            FILE *file = temporary();
            if (!save_world(a, types, TYPES, file, error)) return failed("save", error);
            size = (size_t)ftell(file);
            rewind(file);
            free(bytes), free(copy);
            bytes = malloc(size), copy = malloc(size);
            if (!bytes || !copy || fread(bytes, 1, size, file) != size) return failed("save", "cannot be read");
            fclose(file);
            must(dz_world_destroy(a));
            desc.byte_budget = 16 << 20, desc.max_entities = 100000; /* whatever the bytes say */
        }
        memcpy(copy, bytes, size);
        size_t left = damage(copy, size);
        FILE *file = temporary();
        if (fwrite(copy, 1, left, file) != left) return perror("save"), EXIT_FAILURE;
        rewind(file);
        dz_world b = make_world(&desc);
        error[0] = '\0';
        if (load_world(b, types, TYPES, file, error)) loaded++;
        else if (error[0] == '\0') return failed("damage", "it doesn't say why");
        fclose(file);
        must(dz_world_destroy(b));
        progress(i + 1, count, &next);
    }
    free(bytes), free(copy);
    printf("%lu damaged saves: %lu loaded, %lu refused; the last: %s\n", (unsigned long)count, (unsigned long)loaded,
           (unsigned long)(count - loaded), error);
    return EXIT_SUCCESS;
}

static int usage(const char *what, const char *option)
{
    fprintf(stderr, "save: %s \"%s\"\nTry: save --help\n", what, option);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    struct { const char *name; unsigned long most, value; bool given; } numbers[] = {
        {"--ships", 1000000, 100, false},
        {"--random", 1000000000, 0, false},
        {"--damage", 1000000000, 0, false},
        {"--seed", UINT32_MAX, 1, false},
    };
    const char *path = NULL;
    bool only_load = false;
    int status;
    for (int k = 1; k < argc; k++) {
        size_t n = 0;
        if (strcmp(argv[k], "--help") == 0) return fputs(help, stdout) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        if (strcmp(argv[k], "--load") == 0) { only_load = true; continue; }
        while (n < 4 && strcmp(argv[k], numbers[n].name) != 0) n++;
        if (n == 4 && (argv[k][0] == '-' || argv[k][0] == '\0' || path)) return usage("unknown option", argv[k]);
        if (n == 4) { path = argv[k]; continue; }
        if (++k == argc) return usage("a number must follow", argv[k - 1]);
        char *end = argv[k];
        if (*end >= '0' && *end <= '9' && strlen(end) <= 10) numbers[n].value = strtoul(argv[k], &end, 10);
        if (end == argv[k] || *end || numbers[n].value > numbers[n].most) return usage("no number for it:", argv[k]);
        numbers[n].given = true;
    }
    uint32_t seed = (uint32_t)numbers[3].value;
    if (numbers[1].given) status = random_worlds((uint32_t)numbers[1].value, seed);
    else if (numbers[2].given) status = damaged_saves((uint32_t)numbers[2].value, seed);
    else status = small(path ? path : "save.bin", (uint32_t)numbers[0].value, only_load);
    return output_written() ? status : EXIT_FAILURE;
}
