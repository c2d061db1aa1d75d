#include "picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sheet, in SVG units. */
enum { WIDTH = 1700, HEIGHT = 1190 };
static const double centre_x = 585, centre_y = 625, plot_radius = 490;
static const double panels_x = 1150, panels_y = 140, panels_width = 510, panels_height = 960;

/* What is drawn of a body, fetched from its components. */
typedef struct {
    dz_entity entity, parent;
    const char *name;
    double radius_km;
    unsigned colour;
    Vec position;    /* from the parent */
    Kepler orbit;    /* a planet's */
    Circle circle;   /* a moon's */
    double x, y, r;  /* a planet's disc on the sheet */
} Dot;

typedef struct { double x0, y0, x1, y1; } Box;

typedef struct {
    FILE *out;
    Dot *planets, *moons;
    int planet_count, moon_count;
    double farthest; /* au: what the edge of the plot stands for */
    Box *taken;      /* where labels and discs are */
    int taken_count, taken_room;
} Sheet;

/* --- labels that keep out of each other's way ----------------------------------------------------------------------- */

static void take(Sheet *s, double x0, double y0, double x1, double y1)
{
    if (s->taken_count < s->taken_room) s->taken[s->taken_count++] = (Box){x0, y0, x1, y1};
}

static void take_disc(Sheet *s, double x, double y, double r)
{
    take(s, x - r, y - r, x + r, y + r);
}

static double overlap(const Sheet *s, Box b)
{
    double sum = 0;
    for (int k = 0; k < s->taken_count; k++) {
        double w = fmin(b.x1, s->taken[k].x1) - fmax(b.x0, s->taken[k].x0);
        double h = fmin(b.y1, s->taken[k].y1) - fmax(b.y0, s->taken[k].y0);
        if (w > 0 && h > 0) sum += w * h;
    }
    return sum;
}

/* Finds the best place for a w by h label round a disc, begun at the angle `toward`, and takes it. Returns the middle of
 * the label; `away` says whether it had to go so far off that a line should lead to it. */
static void place_label(Sheet *s, double x, double y, double r, double w, double h, double toward, Box room, double *at_x,
                        double *at_y, bool *away)
{
    double best = 1e300;
    Box chosen = {0, 0, 0, 0};
    for (int ring = 0; ring < 4; ring++) {
        for (int turn = 0; turn < 24; turn++) {
            double angle = toward + (turn % 2 == 0 ? 1 : -1) * ((turn + 1) / 2) * (2 * SKY_PI / 24);
            double c = cos(angle), v = sin(angle), gap = r + 5 + 14 * ring;
            /* The box touches a circle of radius gap: from the disc's middle to the box's middle. */
            double mx = x + c * (gap + w / 2), my = y + v * (gap + h / 2);
            Box b = {mx - w / 2, my - h / 2, mx + w / 2, my + h / 2};
            double cost = 6 * overlap(s, b) + 0.9 * turn + 9 * ring;
            if (b.x0 < room.x0 || b.x1 > room.x1 || b.y0 < room.y0 || b.y1 > room.y1) cost += 5000;
            if (cost >= best) continue;
            best = cost;
            chosen = b;
            *away = ring > 0 || turn > 8;
        }
    }
    *at_x = (chosen.x0 + chosen.x1) / 2;
    *at_y = (chosen.y0 + chosen.y1) / 2;
    take(s, chosen.x0, chosen.y0, chosen.x1, chosen.y1);
}

/* --- SVG ------------------------------------------------------------------------------------------------------------ */

static void escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: fputc(*text, out);
        }
    }
}

/* `look` names classes of the style sheet that draw_sky writes. */
static void text(Sheet *s, double x, double y, double size, const char *look, const char *words)
{
    fprintf(s->out, "<text x='%.1f' y='%.1f' font-size='%g' class='%s'>", x, y, size, look);
    escaped(s->out, words);
    fputs("</text>\n", s->out);
}

/* The width of a text: close enough to keep labels apart in any sans serif. */
static double text_width(const char *words, double size)
{
    double count = 0;
    for (; *words != '\0'; words++) count += ((unsigned char)*words & 0xC0) != 0x80; /* UTF-8 characters, not bytes */
    return count * size * 0.64;
}

/* A line from a disc to the nearest point of a label's box, which reaches w and h to both sides of its middle. */
static void lead(Sheet *s, double x, double y, double label_x, double label_y, double w, double h, unsigned colour)
{
    fprintf(s->out, "<path class='lead' stroke='#%06x' d='M%.1f %.1fL%.1f %.1f'/>\n", colour, x, y,
            fmax(label_x - w, fmin(x, label_x + w)), fmax(label_y - h, fmin(y, label_y + h)));
}

/* A ball lit from (lx, ly), with a soft halo. `kind` and `id` together must be new. */
static void ball(Sheet *s, const char *kind, int id, double x, double y, double r, unsigned colour, double lx, double ly)
{
    double length = hypot(lx, ly);
    if (length > 0) { lx /= length; ly /= length; }
    fprintf(s->out, "<radialGradient id='%s%d' cx='%.3f' cy='%.3f' r='.95'>", kind, id, 0.5 + 0.3 * lx, 0.5 + 0.3 * ly);
    fputs("<stop offset='0' stop-color='#fff' stop-opacity='.7'/><stop offset='.25' stop-color='#fff' stop-opacity='.12'/>"
          "<stop offset='.45' stop-opacity='.04'/><stop offset='.75' stop-opacity='.5'/><stop offset='1' stop-opacity='.9'/>"
          "</radialGradient>\n", s->out);
    fprintf(s->out, "<radialGradient id='%shalo%d'><stop offset='.3' stop-color='#%06x' stop-opacity='.42'/>"
            "<stop offset='1' stop-color='#%06x' stop-opacity='0'/></radialGradient>\n", kind, id, colour, colour);
    fprintf(s->out, "<g transform='translate(%.2f %.2f)'><circle r='%.2f' fill='url(#%shalo%d)'/>", x, y, r * 2.4, kind, id);
    fprintf(s->out, "<circle r='%.2f' fill='#%06x'/><circle r='%.2f' fill='url(#%s%d)'/></g>\n", r, colour, r, kind, id);
}

/* Everybody knows Saturn by it. Half of the ring is drawn before the ball, half after. */
static void ring(Sheet *s, const char *name, double x, double y, double r, bool front)
{
    if (strcmp(name, "Saturn") != 0) return;
    fprintf(s->out, "<path class='line' stroke='#e9d5a1' stroke-opacity='.8' stroke-width='%.2f' "
            "transform='translate(%.2f %.2f)rotate(-18)' d='M%.2f 0A%.2f %.2f 0 0 %d %.2f 0'/>\n",
            r * 0.34, x, y, -r * 1.85, r * 1.85, r * 0.55, front ? 0 : 1, r * 1.85);
}

/* --- the plot ------------------------------------------------------------------------------------------------------- */

/* A place of the solar system on the sheet: seen from the north, distances on a square-root scale. */
static void project(const Sheet *s, Vec v, double *x, double *y)
{
    double distance = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    double scale = distance > 0 ? plot_radius * sqrt(distance / s->farthest) / distance : 0;
    *x = centre_x + v.x * scale;
    *y = centre_y - v.y * scale;
}

/* How far out to place a disc's radius: logarithmic, as the Sun is 280 times as large as Mercury. */
static double disc_radius(double radius_km)
{
    double r = 4.2 + 3.6 * log(radius_km / 2000);
    return r < 3 ? 3 : r > 20 ? 20 : r;
}

static void draw_sky(Sheet *s)
{
    unsigned long seed = 7;
    fprintf(s->out, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d'>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fputs("<title>The solar system</title>\n<style>\n"
          "text{font-family:Inter,'Helvetica Neue','Segoe UI','DejaVu Sans',Arial,sans-serif}\n"
          ".bright{fill:#f2f5ff}.dim{fill:#a9b8dd}.faint{fill:#8fa6d8}.bold{font-weight:600}.thin{font-weight:300}\n"
          ".mid{text-anchor:middle}.end{text-anchor:end}\n"
          ".edged{paint-order:stroke;stroke:#0b1226;stroke-width:3;stroke-opacity:.7}\n"
          ".line{fill:none}.grid{fill:none;stroke:#8fa6d8;stroke-opacity:.35}.dots{stroke-linecap:round;fill:none}\n"
          ".dotted{stroke-dasharray:1 5;stroke-opacity:.4}.lead{stroke-opacity:.6;stroke-width:.8;fill:none}\n"
          "</style>\n", s->out);
    fprintf(s->out, "<radialGradient id='space' gradientUnits='userSpaceOnUse' cx='%g' cy='%g' r='900'>", centre_x, centre_y);
    fputs("<stop offset='0' stop-color='#16213d'/><stop offset='.45' stop-color='#0b1226'/>"
          "<stop offset='1' stop-color='#060912'/></radialGradient>\n"
          "<radialGradient id='glow'><stop offset='0' stop-color='#fff3c4' stop-opacity='.95'/>"
          "<stop offset='.16' stop-color='#ffd75e' stop-opacity='.55'/>"
          "<stop offset='.5' stop-color='#ffb02e' stop-opacity='.12'/>"
          "<stop offset='1' stop-color='#ffb02e' stop-opacity='0'/></radialGradient>\n", s->out);
    fprintf(s->out, "<rect width='%d' height='%d' fill='url(#space)'/>\n", WIDTH, HEIGHT);
    for (int size = 0; size < 3; size++) { /* stars: many faint, few bright */
        static const double width[] = {0.9, 1.3, 1.9}, opacity[] = {0.35, 0.5, 0.75};
        static const int count[] = {420, 130, 30};
        fprintf(s->out, "<path class='dots' stroke='#cfdcff' stroke-width='%g' opacity='%g' d='", width[size], opacity[size]);
        for (int k = 0; k < count[size]; k++) {
            unsigned long x = seed = (seed * 1103515245ul + 12345ul) & 0x7fffffff;
            unsigned long y = seed = (seed * 1103515245ul + 12345ul) & 0x7fffffff;
            fprintf(s->out, "M%lu %luh0", (x >> 8) % WIDTH, (y >> 8) % HEIGHT);
        }
        fputs("'/>\n", s->out);
    }
}

/* Circles of distance, and the directions of the ecliptic's longitudes. */
static void draw_grid(Sheet *s)
{
    static const double rings[] = {0.5, 1, 2, 5, 10, 20, 30, 50, 100, 200, 500, 1000};
    double best = -1, quiet = 0;
    fprintf(s->out, "<circle class='grid' cx='%g' cy='%g' r='%g'/><path class='grid' d='", centre_x, centre_y, plot_radius);
    for (int k = 0; k < 72; k++) {
        double c = cos(k * SKY_PI / 36), v = sin(k * SKY_PI / 36), inner = plot_radius - (k % 6 == 0 ? 10 : 4);
        fprintf(s->out, "M%.2f %.2fL%.2f %.2f", centre_x + c * inner, centre_y - v * inner, centre_x + c * plot_radius,
                centre_y - v * plot_radius);
    }
    fputs("'/>\n", s->out);
    for (int k = 0; k < 12; k++) {
        char label[32];
        double angle = k * SKY_PI / 6, r = plot_radius + 20, x = centre_x + cos(angle) * r, y = centre_y - sin(angle) * r + 4;
        snprintf(label, sizeof label, "%d\xC2\xB0", k * 30);
        text(s, x, y, 11.5, "faint mid", label);
        take_disc(s, x, y - 4, 15);
    }
    /* The labels of distance stand where there is most room between the planets' directions. */
    for (int k = 0; k < 72; k++) {
        double angle = k * SKY_PI / 36 + 0.03, nearest = 360;
        for (int p = 0; p < s->planet_count; p++) {
            double planet = atan2(s->planets[p].position.y, s->planets[p].position.x);
            nearest = fmin(nearest, fabs(sky_turn((angle - planet) / SKY_DEGREE)));
        }
        if (nearest > best) { best = nearest; quiet = angle; }
    }
    for (size_t k = 0; k < sizeof rings / sizeof *rings; k++) {
        double r = plot_radius * sqrt(rings[k] / s->farthest), x = centre_x + cos(quiet) * r, y = centre_y - sin(quiet) * r;
        char label[32];
        if (r > plot_radius - 6 || r < 50) continue;
        fprintf(s->out, "<circle class='grid dotted' cx='%g' cy='%g' r='%.2f'/>\n", centre_x, centre_y, r);
        if (rings[k] < 1 || (int)rings[k] == 2) continue; /* too crowded there for words */
        snprintf(label, sizeof label, "%g au", rings[k]);
        text(s, x, y + 4, 10.5, "dim mid edged", label);
        take_disc(s, x, y, 12);
    }
}

/* The belt, as one path of dots. Of very many bodies every k-th is drawn. */
static bool draw_belt(Sheet *s, const Model *m, uint32_t *drawn)
{
    enum { MOST = 20000 };
    uint32_t count = dz_query_count(m->world, m->belt), every = count / MOST + (count % MOST != 0), number = 0;
    dz_iter it;
    *drawn = 0;
    if (count == 0) return true;
    fprintf(s->out, "<path class='dots' stroke='#d9c39a' stroke-width='%g' opacity='%g' d='", count < 3000 ? 1.6 : 1.1,
            count < 3000 ? 0.6 : 0.38);
    for (dz_iterate(m->world, m->belt, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            double x, y;
            if (number++ % every != 0) continue;
            project(s, *DZ_AT(it, Position, ORBIT_PLACE, i), &x, &y);
            fprintf(s->out, "M%.1f %.1fh0", x, y);
            if (++*drawn % 12 == 0) fputc('\n', s->out);
        }
    }
    fputs("'/>\n", s->out);
    return iterated(&it, "drawing the belt");
}

static void draw_orbit(Sheet *s, const Dot *planet)
{
    enum { POINTS = 240, TRAIL = 60, FADES = 20 };
    Conic conic = sky_conic(&planet->orbit);
    double mean = (planet->orbit.l - planet->orbit.peri) * SKY_DEGREE, here = sky_eccentric_anomaly(mean, conic.e), x, y;
    fprintf(s->out, "<path class='line' stroke='#%06x' stroke-opacity='.34' stroke-width='1.1' d='", planet->colour);
    for (int k = 0; k < POINTS; k++) {
        project(s, sky_on_conic(&conic, 2 * SKY_PI * k / POINTS), &x, &y);
        fprintf(s->out, "%c%.2f %.2f", k == 0 ? 'M' : 'L', x, y);
    }
    fputs("Z'/>\n", s->out);
    /* Where it has just been: pieces that fade out. */
    fprintf(s->out, "<g class='line' stroke='#%06x' stroke-width='2.2'>\n", planet->colour);
    for (int fade = 0; fade < FADES; fade++) {
        fprintf(s->out, "<path stroke-opacity='%.2f' d='", 0.75 * (1.0 - (double)fade / FADES));
        for (int k = 0; k <= TRAIL / FADES; k++) {
            project(s, sky_on_conic(&conic, here - (fade * (TRAIL / FADES) + k) * (SKY_PI / 3) / TRAIL), &x, &y);
            fprintf(s->out, "%c%.2f %.2f", k == 0 ? 'M' : 'L', x, y);
        }
        fputs("'/>\n", s->out);
    }
    fputs("</g>\n", s->out);
}

/* Halfway to white: readable on the dark ground, and still the planet's own. */
static unsigned pale(unsigned colour)
{
    return 0x7f7f7f + ((colour >> 1) & 0x7f7f7f);
}

static void draw_planets(Sheet *s)
{
    const Box room = {20, 100, panels_x - 30, HEIGHT - 30};
    fprintf(s->out, "<g transform='translate(%g %g)'><circle r='62' fill='url(#glow)'/><circle r='11' fill='#fff2c0'/></g>\n",
            centre_x, centre_y);
    take_disc(s, centre_x, centre_y, 16);
    for (int k = 0; k < s->planet_count; k++) draw_orbit(s, &s->planets[k]);
    for (int k = 0; k < s->planet_count; k++) {
        Dot *p = &s->planets[k];
        p->r = disc_radius(p->radius_km);
        project(s, p->position, &p->x, &p->y);
        take_disc(s, p->x, p->y, p->r * (strcmp(p->name, "Saturn") == 0 ? 1.7 : 1.0) + 2);
        ring(s, p->name, p->x, p->y, p->r, false);
        ball(s, "p", k, p->x, p->y, p->r, p->colour, centre_x - p->x, centre_y - p->y);
        ring(s, p->name, p->x, p->y, p->r, true);
    }
    for (int k = 0; k < s->planet_count; k++) {
        const Dot *p = &s->planets[k];
        char distance[32];
        double x, y, width = fmax(text_width(p->name, 15), 52), toward = atan2(p->y - centre_y, p->x - centre_x);
        bool away = false;
        snprintf(distance, sizeof distance, "%.3g au", sky_spherical(p->position).distance);
        place_label(s, p->x, p->y, p->r + 5, width, 29, toward, room, &x, &y, &away);
        if (away) lead(s, p->x, p->y, x, y, width / 2, 14, p->colour);
        fprintf(s->out, "<g fill='#%06x'>", pale(p->colour));
        text(s, x, y + 1, 15, "bold mid edged", p->name);
        fputs("</g>", s->out);
        text(s, x, y + 13, 10.5, "dim mid edged", distance);
    }
}

/* --- the panels ----------------------------------------------------------------------------------------------------- */

static bool goes_round(const Dot *moon, const Dot *planet)
{
    return moon->parent == planet->entity;
}

static double radius_of(const Circle *c)
{
    return sqrt(c->u.x * c->u.x + c->u.y * c->u.y + c->u.z * c->u.z);
}

static void draw_panel(Sheet *s, int number, const Dot *planet, Box b)
{
    double x = (b.x0 + b.x1) / 2, y = (b.y0 + b.y1) / 2 + 16, most = fmin(b.x1 - b.x0, b.y1 - b.y0 - 46) / 2 - 20;
    double disc = fmax(7, fmin(most * 0.2, disc_radius(planet->radius_km) * 1.05)), inner = fmax(disc * 2.1, most * 0.3);
    double low = 1e300, high = 0; /* the smallest and the largest orbit */
    const Box room = {b.x0 + 4, b.y0 + 42, b.x1 - 4, b.y1 - 4};
    char words[64];
    int count = 0;
    for (int k = 0; k < s->moon_count; k++) {
        if (!goes_round(&s->moons[k], planet)) continue;
        low = fmin(low, radius_of(&s->moons[k].circle));
        high = fmax(high, radius_of(&s->moons[k].circle));
        count++;
    }
    fprintf(s->out, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' rx='12' fill='#0c1120' fill-opacity='.94' "
            "stroke='#8fa6d8' stroke-opacity='.2'/>\n", b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0);
    text(s, b.x0 + 14, b.y0 + 24, 15, "bright bold", planet->name);
    if (high * SKY_AU_KM < 999500) snprintf(words, sizeof words, "to %.0f,000 km", high * SKY_AU_KM / 1000);
    else snprintf(words, sizeof words, "to %.2f million km", high * SKY_AU_KM / 1e6);
    text(s, b.x1 - 14, b.y0 + 24, 10.5, "dim end", words);

    s->taken_count = 0; /* panels don't touch each other */
    take_disc(s, x, y, disc * (strcmp(planet->name, "Saturn") == 0 ? 1.8 : 1.0));
    /* Orbits first: circles in space, so ellipses from above. */
    for (int k = 0; k < s->moon_count; k++) {
        Dot *moon = &s->moons[k];
        double distance = radius_of(&moon->circle), scale;
        if (!goes_round(moon, planet)) continue;
        scale = high > low ? inner + (most - inner) * log(distance / low) / log(high / low) : (inner + most) / 2;
        scale /= distance;
        fprintf(s->out, "<path class='line' stroke='#%06x' stroke-opacity='.4' d='", moon->colour);
        for (int i = 0; i < 90; i++) {
            double c = cos(i * SKY_PI / 45), v = sin(i * SKY_PI / 45);
            fprintf(s->out, "%c%.2f %.2f", i == 0 ? 'M' : 'L', x + scale * (moon->circle.u.x * c + moon->circle.v.x * v),
                    y - scale * (moon->circle.u.y * c + moon->circle.v.y * v));
        }
        fputs("Z'/>\n", s->out);
        moon->x = x + scale * moon->position.x;
        moon->y = y - scale * moon->position.y;
        moon->r = fmax(2.2, fmin(5.5, 1.6 + 1.05 * log(fmax(moon->radius_km, 1) / 60)));
        take_disc(s, moon->x, moon->y, moon->r + 1.5);
    }
    ring(s, planet->name, x, y, disc, false);
    ball(s, "n", number, x, y, disc, planet->colour, centre_x - planet->x, centre_y - planet->y);
    ring(s, planet->name, x, y, disc, true);
    for (int k = 0; k < s->moon_count; k++) {
        const Dot *moon = &s->moons[k];
        double lx, ly, width;
        bool away = false;
        if (!goes_round(moon, planet)) continue;
        width = text_width(moon->name, 11);
        fprintf(s->out, "<circle cx='%.2f' cy='%.2f' r='%.2f' fill='#%06x' stroke='#060912' stroke-opacity='.6'/>\n",
                moon->x, moon->y, moon->r, moon->colour);
        place_label(s, moon->x, moon->y, moon->r, width, 12, atan2(moon->y - y, moon->x - x), room, &lx, &ly, &away);
        if (away) lead(s, moon->x, moon->y, lx, ly, width / 2, 6, 0xa9b8dd);
        text(s, lx, ly + 4, 11, "bright mid edged", moon->name);
    }
}

static void draw_panels(Sheet *s)
{
    int with_moons = 0, number = 0, across, down;
    for (int p = 0; p < s->planet_count; p++) {
        for (int k = 0; k < s->moon_count; k++) {
            if (goes_round(&s->moons[k], &s->planets[p])) { with_moons++; break; }
        }
    }
    if (with_moons == 0) return;
    across = with_moons > 1 ? 2 : 1;
    while ((with_moons + across - 1) / across > across * 5 / 2) across++;
    down = (with_moons + across - 1) / across;
    text(s, panels_x, 74, 26, "bright thin", "Their moons");
    text(s, panels_x, 98, 12.5, "dim", "Seen from the same side. Distances from the planet on a");
    text(s, panels_x, 115, 12.5, "dim", "logarithmic scale; discs not to the scale of distances.");
    for (int p = 0; p < s->planet_count; p++) {
        double w = (panels_width + 14) / across, h = (panels_height + 14) / down, x, y;
        int has = 0;
        for (int k = 0; k < s->moon_count; k++) has |= goes_round(&s->moons[k], &s->planets[p]);
        if (!has) continue;
        x = panels_x + w * (number % across);
        y = panels_y + h * (number / across);
        draw_panel(s, number++, &s->planets[p], (Box){x, y, x + w - 14, y + h - 14});
    }
}

static void draw_words(Sheet *s, double jd, uint32_t belt, uint32_t drawn)
{
    static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August",
                                         "September", "October", "November", "December"};
    Date date = date_from_jd(jd);
    double x = 40, y = HEIGHT - 106;
    char words[160];
    snprintf(words, sizeof words, "The solar system on %d %s %d", date.day, months[date.month - 1], date.year);
    text(s, x, 62, 34, "bright thin", words);
    text(s, x, 90, 14, "dim", "Seen from the north pole of the ecliptic, at 00:00 TDB. All planets go round counterclockwise.");
    text(s, x, 111, 14, "dim", "Longitudes count from the equinox of J2000.");
    fprintf(s->out, "<g transform='translate(%g %g)'>", x, y);
    fputs("<path d='M0 -4h34' stroke='#dcb58c' stroke-opacity='.34' stroke-width='1.2'/>"
          "<path d='M17 -4h17' stroke='#dcb58c' stroke-width='2.2'/><path class='grid dotted' d='M0 16h34'/>"
          "<circle cx='6' cy='36' r='4.9' fill='#b8a99a'/><circle cx='25' cy='36' r='8' fill='#5fa8f5'/>\n", s->out);
    text(s, 44, 0, 11.5, "dim", "orbit, bright where just passed");
    text(s, 44, 20, 11.5, "dim", "distance: square-root scale");
    text(s, 44, 40, 11.5, "dim", "discs: logarithm of radius");
    if (belt > 0) {
        fputs("<path class='dots' d='M2 55h0m8 4h0m7 -5h0m6 3h0m7 -4h0m4 5h0' stroke='#d9c39a' stroke-width='1.6'/>\n", s->out);
        if (drawn == belt) snprintf(words, sizeof words, "a belt of %lu bodies, made up", (unsigned long)belt);
        else snprintf(words, sizeof words, "belt, made up: %lu of %lu bodies", (unsigned long)drawn, (unsigned long)belt);
        text(s, 44, 60, 11.5, "dim", words);
    }
    fputs("</g>\n", s->out);
    text(s, panels_x + panels_width, HEIGHT - 46, 11, "faint end",
         "Elements: E. M. Standish, JPL, fitted to 1800\xE2\x80\x93" "2050. Moons: IAU report 2015, as circles.");
    text(s, panels_x + panels_width, HEIGHT - 28, 11, "faint end", "Drawn by denizen's orrery.");
}

/* --- from entities to the sheet ------------------------------------------------------------------------------------- */

/* `kind` is one of the model's queries: its planets or its moons. */
static bool gather(const Model *m, dz_query kind, Dot **dots, int *count, double jd)
{
    uint32_t room = dz_query_count(m->world, kind);
    dz_iter it;
    *count = 0;
    *dots = calloc(room > 0 ? room : 1, sizeof **dots);
    if (*dots == NULL) {
        fputs("orrery: out of memory for the picture\n", stderr);
        return false;
    }
    for (dz_iterate(m->world, kind, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count && (uint32_t)*count < room; i++) {
            Dot *dot = &(*dots)[*count];
            const Body *body = DZ_AT(it, Body, ORBIT_BODY, i);
            dot->entity = dz_iter_entity(&it, i);
            dot->parent = dz_parent(m->world, dot->entity);
            dot->name = DZ_AT(it, Name, ORBIT_NAME, i)->text;
            dot->radius_km = body->radius_km;
            dot->colour = body->colour & 0xffffff;
            dot->position = *DZ_AT(it, Offset, ORBIT_PLACE, i);
            if (kind.bits == m->moons.bits) dot->circle = *DZ_AT(it, Circle, ORBIT, i);
            else dot->orbit = model_elements_at(DZ_AT(it, Elements, ORBIT, i), jd);
            ++*count;
        }
    }
    return iterated(&it, "drawing");
}

static bool draw(Sheet *s, const Model *m, double jd)
{
    uint32_t belt = dz_query_count(m->world, m->belt), drawn = 0;
    s->farthest = belt > 0 ? 4.0 : 0.1;
    for (int k = 0; k < s->planet_count; k++) {
        const Kepler *orbit = &s->planets[k].orbit;
        s->farthest = fmax(s->farthest, orbit->a * (1 + orbit->e) * 1.04);
    }
    draw_sky(s);
    draw_grid(s);
    if (!draw_belt(s, m, &drawn)) return false;
    draw_planets(s);
    draw_panels(s);
    draw_words(s, jd, belt, drawn);
    fputs("</svg>\n", s->out);
    return true;
}

bool picture_write(const Model *m, const char *path, double jd)
{
    Sheet s;
    bool good;
    memset(&s, 0, sizeof s);
    good = gather(m, m->planets, &s.planets, &s.planet_count, jd) && gather(m, m->moons, &s.moons, &s.moon_count, jd);
    s.taken_room = 2 * (s.planet_count + s.moon_count) + 32;
    if (good && (s.taken = calloc((size_t)s.taken_room, sizeof *s.taken)) == NULL) {
        fputs("orrery: out of memory for the picture\n", stderr);
        good = false;
    }
    if (good && (s.out = fopen(path, "w")) == NULL) {
        fprintf(stderr, "%s: cannot write: %s\n", path, strerror(errno));
        good = false;
    }
    if (good) {
        bool full;
        good = draw(&s, m, jd);
        full = ferror(s.out) != 0;
        if (fclose(s.out) != 0 || full) { /* a full disk often only shows here */
            fprintf(stderr, "%s: cannot write: %s\n", path, strerror(errno));
            good = false;
        }
    }
    free(s.planets);
    free(s.moons);
    free(s.taken);
    return good;
}
