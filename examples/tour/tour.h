/* What the parts of the tour share: the world, its components, and a way to stop where a call fails. */
#ifndef TOUR_H
#define TOUR_H

#include <denizen/denizen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { float x, y; } Position;
typedef struct { float x, y; } Velocity;
typedef struct { float kg; } Mass;

extern dz_world world;
extern dz_id position, velocity, mass, frozen;

/* For calls that must work here: what else they return is a mistake of this program. */
static inline void must(dz_status status)
{
    if (!dz_failed(status)) return;
    fprintf(stderr, "tour: %s\n", dz_error_message());
    exit(1);
}

void values(void);
void many(void);
void queries(void);
void order(void);
void relations(void);
void around(void);
void saves(void);

#endif
