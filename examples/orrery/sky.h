/* The astronomy of the orrery: dates, Kepler's problem, frames. It knows nothing of entities.
 * Positions are in astronomical units, in the frame of the mean ecliptic and equinox of J2000. */
#ifndef ORRERY_SKY_H
#define ORRERY_SKY_H

#include <stdbool.h>

#define SKY_PI 3.14159265358979323846
#define SKY_DEGREE (SKY_PI / 180.0)
#define SKY_AU_KM 149597870.7
#define SKY_J2000 2451545.0

typedef struct { double x, y, z; } Vec;

/* A date of the proleptic Gregorian calendar, years 1 to 9999. */
typedef struct { int year, month, day; } Date;

bool date_parse(const char *text, Date *out); /* YYYY-MM-DD, and nothing else */
double date_to_jd(Date date);                 /* the Julian date of its 0h */
Date date_from_jd(double jd);

/* Six Keplerian elements: au and degrees. */
typedef struct { double a, e, i, l, peri, node; } Kepler;

/* The eccentric anomaly for a mean anomaly (radians, any turn) and 0 <= e < 1. */
double sky_eccentric_anomaly(double mean_anomaly, double e);

/* An ellipse in space: a point of it is p (cos E - e) + q sin E. */
typedef struct { Vec p, q; double e; } Conic;

Conic sky_conic(const Kepler *k);
Vec sky_on_conic(const Conic *c, double eccentric_anomaly);

/* Two unit vectors that span the plane with the north pole (ra, dec), given in degrees of the ICRF: the first one to the
 * plane's ascending node on the ICRF equator, the second one 90 degrees ahead. */
void sky_plane(double ra, double dec, Vec *u, Vec *v);

typedef struct { double longitude, latitude, distance; } Spherical; /* degrees (0..360, -90..90) and au */
Spherical sky_spherical(Vec v);

double sky_turn(double degrees); /* the same direction in -180..180 */

#endif
