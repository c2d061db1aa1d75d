/* Two galaxies as entities. What an entity has says what it is:
 *
 *     Position, Velocity, Mass                      the heart of a galaxy: what pulls
 *     Position, Velocity, Light                     a star
 *     Position, Velocity, Light, Gas                a cloud of gas and dust, where stars are born
 *     Position, Velocity, Light, Age                a young star, which changes its colour, dies, and is born again elsewhere
 *     Position, Velocity, Light, Age, Flare         ... one that explodes
 *
 * Stars don't pull: it takes the hearts alone to tear arms out of the discs (Toomre and Toomre, 1972). Lengths are in radii of
 * the larger disc, masses in its own, and the constant of gravity is 1. */
#ifndef GALAXIES_SIM_H
#define GALAXIES_SIM_H

#include <denizen/denizen.h>

#define PROGRAM "galaxies"
#include "../failed.h"

enum { ENTITIES_LEAST = 1000, ENTITIES_MOST = 10000000 };

typedef struct { float x, y, z; } Vec;
typedef Vec Position;
typedef Vec Velocity;
typedef struct { float mass, softening; } Mass;       /* softening: how blurred it is */
typedef struct { uint16_t colour[3], dust; } Light;   /* what it adds to a picture: red, green, blue; and what it takes away */
typedef struct { float age, life; } Age;
typedef struct { float left, bright; } Flare;         /* left goes from 1 to 0 */

/* The system that time was spent in. */
typedef enum { MOVING, AGEING, DYING, ORDERING, SYSTEMS } System;

typedef struct {
    dz_world world;
    dz_id position, velocity, mass, light, age, flare, gas;
    dz_query hearts, movers, ageing, mature, flares, clouds, drawn, lights;
    dz_entity *nurseries;          /* the clouds; they outlive everybody */
    uint32_t nursery_count;
    uint16_t *density;             /* of gas and young stars, in cells of space */
    uint64_t random;
    float flare_chance;
    int threads;
    uint64_t steps, moves;         /* moves: of dz_optimize */
    double seconds[SYSTEMS];
} Sim;

/* The terms of `drawn`, for DZ_AT. */
enum { DRAWN_POSITION, DRAWN_LIGHT };

/* These report on stderr what went wrong, and return false. A simulation is always to be closed, even after a failure. */
bool sim_open(Sim *s, uint32_t entities, uint64_t seed, int threads);
bool sim_step(Sim *s);
void sim_close(Sim *s);

/* splitmix64 (Steele, Lea and Flood 2014); `uniform` is at least 0 and below 1, `normal` about 0 with a deviation of 1. */
uint64_t random_bits(uint64_t *state);
float uniform(uint64_t *state);
float normal(uint64_t *state);

double seconds_now(void);

/* seed.c: fills the world. */
bool sim_seed(Sim *s, uint32_t entities);

/* How a young star shines: short lives are bright ones. */
void young_light(const Age *age, Light *light);

#endif
