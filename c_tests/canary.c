/* Programs with a bug each, to prove that the tool that runs the tests is on: it must report them. */
#include <denizen/denizen.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int shared;

static void *race(void *unused)
{
    int i;
    for (i = 0; i < 100000; i++) shared = shared + 1;
    return unused;
}

/* Two threads write to one world, which its functions forbid: the race is in the library's own code. */
static dz_world common;

static void *write_it(void *number)
{
    int i;
    for (i = 0; i < 10000; i++) dz_world_set_user(common, number);
    return number;
}

static void both(void *(*run)(void *))
{
    pthread_t a, b;
    int one, two;
    pthread_create(&a, NULL, run, &one);
    pthread_create(&b, NULL, run, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

int main(int argc, char **argv)
{
    const char *bug = argc > 1 ? argv[1] : "";
    if (strcmp(bug, "overrun") == 0) {
        volatile size_t size = 10; /* volatile, so that the compiler doesn't see the bug first */
        volatile char *p = (volatile char *)malloc(size);
        p[size] = 1;
        free((void *)p);
    } else if (strcmp(bug, "leak") == 0) {
        void *volatile p = malloc(1234);
        p = NULL;
        (void)p;
    } else if (strcmp(bug, "race") == 0) {
        both(race);
    } else if (strcmp(bug, "writers") == 0) {
        common = dz_world_create(NULL);
        both(write_it);
        dz_world_destroy(common);
    } else if (strcmp(bug, "library") == 0) {
        /* Too short an array, read by the library's own code: seen only if the library is built with the tool. */
        dz_world world = dz_world_create(NULL);
        dz_entity *e = (dz_entity *)malloc(2 * sizeof *e);
        dz_create_n(world, 2, e);
        dz_destroy_n(world, e, 3, NULL);
        free(e);
        dz_world_destroy(world);
    } else {
        fprintf(stderr, "usage: canary overrun | leak | race | writers | library\n");
        return 2;
    }
    return 0;
}
