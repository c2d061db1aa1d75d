/* The solar system as entities. What a body has says what it is:
 *
 *     Name, Body, Offset, Position                  the Sun
 *     Name, Body, Offset, Position, Elements        a planet, a child of the Sun
 *     Name, Body, Offset, Position, Circle          a moon, a child of its planet
 *     Position, Ellipse                             one of the many bodies of the belt, outside of the hierarchy
 *
 * So nothing needs a "kind" field: the system that moves planets asks for who has Elements, the one that moves moons for who
 * has a Circle, and the one for the belt for who has an Ellipse; each asks for what it writes as well. The first two write an
 * Offset, the way from the parent; a last system goes through the hierarchy from the top, and adds the parent's Position to it.
 *
 * Bodies have a name in the hierarchy too, in small letters, so that a path leads to each: sun.earth.moon. */
#ifndef ORRERY_MODEL_H
#define ORRERY_MODEL_H

#include <denizen/denizen.h>

#define PROGRAM "orrery"
#include "../failed.h"
#include "sky.h"

enum { NAME_SIZE = 24, BELT_MOST = 5000000 };

typedef struct { char text[NAME_SIZE]; } Name;
typedef struct { double radius_km; uint32_t colour; int32_t line; } Body; /* line: in the data file, for messages */
typedef Vec Offset;                                                        /* au, from the parent */
typedef Vec Position;                                                      /* au, from the Sun */
typedef struct { Kepler at_j2000, per_century; } Elements;
typedef struct { Vec u, v; double angle, rate; } Circle;                   /* u cos + v sin; radians at J2000, per day */
typedef struct { Conic conic; double anomaly, rate; } Ellipse;             /* mean anomaly at J2000 and per day */

typedef struct {
    dz_world world;
    dz_id name, body, offset, position, elements, circle, ellipse;
    dz_query listed, planets, moons, belt, family;
    dz_entity sun;
} Model;

/* The queries' terms: what DZ_AT is to fetch. */
enum { LISTED_NAME, LISTED_OFFSET, LISTED_PARENT };                        /* the parent's Name; optional: the Sun has none */
enum { ORBIT_PLACE, ORBIT, ORBIT_NAME, ORBIT_BODY };                       /* planets and moons; the belt has the first two */
enum { FAMILY_POSITION, FAMILY_OFFSET, FAMILY_PARENT };                    /* the parent's Position */

/* All of these report on stderr what went wrong, and return false. A model is always to be closed, even after a failure. */
bool model_open(Model *m, const char *data_path);
bool model_add_belt(Model *m, uint32_t count);
bool model_place(Model *m, double jd); /* every body to where it is on that day */
void model_close(Model *m);

Kepler model_elements_at(const Elements *elements, double jd); /* what they are on that day */
dz_entity model_find(const Model *m, const char *name);   /* by its Name; DZ_NULL: there is none */
dz_entity model_lookup(const Model *m, const char *path); /* by its path, letters large or small; DZ_NULL: there is none */

#endif
