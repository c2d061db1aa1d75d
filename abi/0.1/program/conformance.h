/* What the parts of the conformance program share. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <denizen/denizen.h>
#include <stdio.h>

/* Whole numbers, so that every language prints them alike. */
typedef struct { int32_t x, y; } Position;
typedef struct { int32_t x, y; } Velocity;
typedef struct { int32_t kg; } Mass;

/* A world of the layout that is being run. */
dz_world new_world(void);

/* "what: STATUS". */
void answer(const char *what, dz_status status);

/* "what: STATUS: sentence": the thread's last error, which is then forgotten. The sentence is printed without its
 * beginning, the name of the call: a binding may come there by another one. */
void refused(const char *what);

/* "what: yes" or "what: no". */
void yes(const char *what, bool is);

/* The number that an entity's Position.x has, for lists of entities; 0 if it has no Position. */
int32_t number(dz_world world, dz_entity entity, dz_id position);

/* An entity with Position{x, 0}. */
dz_entity at(dz_world world, dz_id position, int32_t x);

/* The sections, in the order in which they are run. */
void quickstart(void);
void stale_handles(void);
void foreign_worlds(void);
void misuse(void);
void hooks(void);
void bulk(void);
void listeners(void);
void queries(void);
void changes_while_iterating(void);
void pairs(void);
void hierarchy(void);
void names(void);
void instances(void);
void disabling(void);

#endif
