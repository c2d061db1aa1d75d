/* The solar system as entities. What a body has says what it is:
 *
 *     Name, Body, Position                          the Sun
 *     Name, Body, Position, Parent, Elements        a planet
 *     Name, Body, Position, Parent, Circle          a moon
 *     Position, Ellipse                             one of the many bodies of the belt
 *
 * So nothing needs a "kind" field: the system that moves planets goes over the pool of Elements, the one that moves moons
 * over the pool of Circle, and the one for the belt over the pool of Ellipse; each looks up the Positions it writes. */
#ifndef ORRERY_MODEL_H
#define ORRERY_MODEL_H

#include <denizen/denizen.h>

#include "sky.h"

enum { NAME_SIZE = 24, BELT_MOST = 5000000 };

typedef struct { char text[NAME_SIZE]; } Name;
typedef struct { double radius_km; uint32_t colour; int32_t line; } Body; /* line: in the data file, for messages */
typedef struct { dz_entity body; } Parent;
typedef Vec Position;                                                      /* au, from the parent */
typedef struct { Kepler at_j2000, per_century; } Elements;
typedef struct { Vec u, v; double angle, rate; } Circle;                   /* u cos + v sin; radians at J2000, per day */
typedef struct { Conic conic; double anomaly, rate; } Ellipse;             /* mean anomaly at J2000 and per day */

typedef struct {
    dz_world world;
    dz_id name, body, parent, position, elements, circle, ellipse;
    dz_entity sun;
} Model;

/* All of these report on stderr what went wrong, and return false. A model is always to be closed, even after a failure. */
bool model_open(Model *m, const char *data_path);
bool model_add_belt(Model *m, uint32_t count);
bool model_place(Model *m, double jd); /* every body to where it is on that day */
void model_close(Model *m);

Kepler model_elements_at(const Elements *elements, double jd); /* what they are on that day */
dz_entity model_find(const Model *m, const char *name); /* DZ_NULL: there is none */

/* "orrery: doing: what the library says"; always false. */
bool library_failed(const char *doing);

/* Goes over the pool of one component, and fetches another component of the same entities with one call for each batch:
 *
 *     Walk w;
 *     for (walk_start(m, &w, m->circle); walk_next(&w, m->position);)
 *         for (uint32_t i = 0; i < w.count; i++) ... ((Circle *)w.items)[i] ... (Position *)w.others[i] ...
 *     if (w.failed) ...
 *
 * others[i] is NULL where an entity doesn't have the other component. */
enum { WALK_BATCH = 256 };
typedef struct {
    dz_world world;
    dz_iter it;
    uint32_t at, count;
    bool failed;
    void *items;
    dz_entity entities[WALK_BATCH];
    void *others[WALK_BATCH];
} Walk;

void walk_start(const Model *m, Walk *w, dz_id pool);
bool walk_next(Walk *w, dz_id other);

#endif
