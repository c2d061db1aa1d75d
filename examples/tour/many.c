/* Many entities in one call, and many single lookups. */
#include "tour.h"

static void arrays(void)
{
    enum { N = 1000 };
    static dz_entity ships[N];
    static Position at[N];
    static Velocity speed[N];
    for (int i = 0; i < N; i++) at[i].x = (float)i, speed[i].x = 1;

    dz_column columns[] = {{position, at, sizeof *at, 0}, {velocity, speed, sizeof *speed, 0}};
    must(dz_create_with(world, N, columns, 2, ships));                 // the fastest way to make many

    static const void *found[N];
    must(dz_get_n(world, ships, N, position, found));                  // NULL for who doesn't have it
    printf("the last is at %g\n", (double)((const Position *)found[N - 1])->x);

    must(dz_set_n(world, ships, N, position, sizeof *speed, speed));   // all or none
    must(dz_add_n(world, ships, N / 2, frozen));
    static uint8_t is_frozen[N];
    must(dz_has_n(world, ships, N, frozen, is_frozen));
    printf("the first is frozen: %d, the last: %d\n", is_frozen[0], is_frozen[N - 1]);
    must(dz_remove_n(world, ships, N, frozen));

    static void *to_write[N];
    must(dz_get_mut_n(world, ships, N, velocity, to_write));
    must(dz_get_or_add_n(world, ships, N, mass, to_write));
    for (int i = 0; i < N; i++) ((Mass *)to_write[i])->kg = 1;

    dz_accessor masses;                                                // for single lookups in any order
    must(dz_accessor_init(world, mass, &masses));
    double sum = 0;
    for (int i = 0; i < N; i++) {
        const Mass *m = dz_accessor_get(&masses, ships[i]);            // as dz_get, faster
        if (m) sum += (double)m->kg;
    }
    if (dz_accessor_has(&masses, ships[7])) ((Mass *)dz_accessor_get_mut(&masses, ships[7]))->kg = 2;
    printf("together they weigh %g\n", sum);
    must(dz_destroy_n(world, ships, N, NULL));
}

/* All or none, unless you ask for a report. */
static void reports(void)
{
    dz_entity three[3];
    dz_status report[3];
    must(dz_create_n(world, 3, three));
    dz_destroy(world, three[1]);
    if (dz_failed(dz_destroy_n(world, three, 3, NULL))) printf("nobody is destroyed: %s\n", dz_error_message());
    must(dz_destroy_n(world, three, 3, report));
    printf("%s, %s, %s\n", dz_status_name(report[0]), dz_status_name(report[1]), dz_status_name(report[2]));
}

void many(void)
{
    arrays();
    reports();
}
