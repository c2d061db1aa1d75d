#include "sky.h"

#include <math.h>
#include <string.h>

/* Obliquity of the ecliptic at J2000, as used with the published elements. */
#define OBLIQUITY (23.43928 * SKY_DEGREE)

static bool leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

bool date_parse(const char *text, Date *out)
{
    static const char form[] = "dddd-dd-dd";
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int value[3] = {0, 0, 0}, part = 0;
    if (strlen(text) != sizeof form - 1) return false;
    for (size_t k = 0; form[k] != '\0'; k++) {
        if (form[k] == '-') {
            if (text[k] != '-') return false;
            part++;
        } else {
            if (text[k] < '0' || text[k] > '9') return false;
            value[part] = value[part] * 10 + (text[k] - '0');
        }
    }
    if (value[0] < 1 || value[1] < 1 || value[1] > 12 || value[2] < 1) return false;
    if (value[2] > days[value[1] - 1] + (value[1] == 2 && leap(value[0]))) return false;
    *out = (Date){value[0], value[1], value[2]};
    return true;
}

/* Counting years from March puts the odd day of leap years at the end, where it needs no case of its own. */
double date_to_jd(Date date)
{
    int before_march = date.month < 3;
    long y = date.year + 4800L - before_march;
    long m = date.month - 3 + 12 * before_march;
    long day = date.day + (153 * m + 2) / 5 + 365 * y + y / 4 - y / 100 + y / 400 - 32045;
    return (double)day - 0.5;
}

Date date_from_jd(double jd)
{
    long a = (long)floor(jd + 0.5) + 32044;
    long b = (4 * a + 3) / 146097;
    long c = a - 146097 * b / 4;
    long d = (4 * c + 3) / 1461;
    long e = c - 1461 * d / 4;
    long m = (5 * e + 2) / 153;
    return (Date){(int)(100 * b + d - 4800 + m / 10), (int)(m + 3 - 12 * (m / 10)), (int)(e - (153 * m + 2) / 5 + 1)};
}

/* Newton's method, as in the published procedure. Far out on a long ellipse the usual first guess can be thrown off, so
 * those begin at the far end of the orbit, from where the method only ever comes nearer. */
double sky_eccentric_anomaly(double mean_anomaly, double e)
{
    double m = mean_anomaly - 2.0 * SKY_PI * floor(mean_anomaly / (2.0 * SKY_PI) + 0.5);
    double big = e < 0.8 ? m + e * sin(m) : (m < 0.0 ? -SKY_PI : SKY_PI);
    for (int k = 0; k < 60; k++) {
        double step = (big - e * sin(big) - m) / (1.0 - e * cos(big));
        big -= step;
        if (fabs(step) < 1e-8) break; /* each step squares the error: what is left is below what a double can show */
    }
    return big;
}

Conic sky_conic(const Kepler *k)
{
    double w = (k->peri - k->node) * SKY_DEGREE, node = k->node * SKY_DEGREE, i = k->i * SKY_DEGREE;
    double cw = cos(w), sw = sin(w), cn = cos(node), sn = sin(node), ci = cos(i), si = sin(i);
    double b = k->a * sqrt(1.0 - k->e * k->e);
    Conic c;
    c.p = (Vec){k->a * (cw * cn - sw * sn * ci), k->a * (cw * sn + sw * cn * ci), k->a * sw * si};
    c.q = (Vec){b * (-sw * cn - cw * sn * ci), b * (-sw * sn + cw * cn * ci), b * cw * si};
    c.e = k->e;
    return c;
}

Vec sky_on_conic(const Conic *c, double eccentric_anomaly)
{
    double x = cos(eccentric_anomaly) - c->e, y = sin(eccentric_anomaly);
    return (Vec){c->p.x * x + c->q.x * y, c->p.y * x + c->q.y * y, c->p.z * x + c->q.z * y};
}

static Vec to_ecliptic(Vec v)
{
    double c = cos(OBLIQUITY), s = sin(OBLIQUITY);
    return (Vec){v.x, c * v.y + s * v.z, c * v.z - s * v.y};
}

void sky_plane(double ra, double dec, Vec *u, Vec *v)
{
    double a = ra * SKY_DEGREE, d = dec * SKY_DEGREE;
    *u = to_ecliptic((Vec){-sin(a), cos(a), 0.0});
    *v = to_ecliptic((Vec){-sin(d) * cos(a), -sin(d) * sin(a), cos(d)});
}

Spherical sky_spherical(Vec v)
{
    double flat = hypot(v.x, v.y);
    double longitude = atan2(v.y, v.x) / SKY_DEGREE;
    return (Spherical){longitude < 0.0 ? longitude + 360.0 : longitude, atan2(v.z, flat) / SKY_DEGREE, hypot(flat, v.z)};
}

double sky_turn(double degrees)
{
    return degrees - 360.0 * floor(degrees / 360.0 + 0.5);
}
