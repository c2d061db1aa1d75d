/* What the example saves: its components, a small world, worlds at random; and whether two worlds are the same. */
#ifndef WORLDS_H
#define WORLDS_H

#include "save.h"

typedef struct { float x, y; } Position;
typedef struct { char *text; } Label;                   /* its own text: hooks, and functions for saves */
typedef struct { dz_entity at; uint32_t berth, fee; } Docked;
typedef struct { uint32_t numbers[25]; } Cargo;
typedef struct { float x, y; } Gravity;

enum { POSITION, LABEL, DOCKED, CARGO, GRAVITY, FROZEN, ENEMY, TYPES };
extern const SaveType types[TYPES];

/* For calls that must work here: what else they return is a mistake of this program. */
dz_status must(dz_status status);
void register_types(dz_world world, dz_id ids[TYPES]);
void small_world(dz_world world, uint32_t ships);

/* Another world for each seed; `desc` is how it is made, and how the one that it is loaded into must be. */
dz_world random_world(uint32_t seed, dz_world_desc *desc);

/* Whether all that can be read of them is the same; if not `difference` says what isn't. */
bool same_world(dz_world a, dz_world b, char difference[SAVE_ERROR]);

#endif
