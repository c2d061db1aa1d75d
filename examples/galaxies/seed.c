/* How the galaxies are before they meet: a disc of stars with two arms of gas and young stars, and a bulge, round each heart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim.h"

typedef struct {
    float mass, softening, radius;  /* of its heart, and of its disc */
    Position at;
    Velocity speed;
    float tilt, turn;               /* how its disc lies in space, radians */
    float share;                    /* of all stars */
    float warmth;                   /* of its old stars: 0 white, 1 golden */
} Galaxy;

/* They approach each other on an ellipse that is nearly a parabola, and pass at 0.8. */
static const Galaxy galaxies[2] = {
    {1.0f, 0.16f, 1.0f, {1.32f, 0, 0}, {-0.300f, 0.195f, 0.04f}, 0.35f, 0.4f, 0.6f, 0.45f},
    {0.7f, 0.12f, 0.8f, {-1.88f, 0, 0}, {0.429f, -0.279f, -0.057f}, 1.05f, -0.7f, 0.4f, 1.0f},
};

/* In the order in which they are made. */
typedef enum { YOUNG, DISC, BULGE, CLOUD, KINDS } Kind;
static const float kind_share[KINDS] = {0.13f, 0.60f, 0.17f, 0.10f};

enum { CHUNK = 1024 };
typedef struct {
    Position position[CHUNK];
    Velocity velocity[CHUNK];
    Light light[CHUNK];
    Age age[CHUNK];
} Columns;

/* From the plane of the galaxy's disc into space. */
static Vec out_of_plane(const Galaxy *g, Vec v)
{
    float ct = cosf(g->tilt), st = sinf(g->tilt), cn = cosf(g->turn), sn = sinf(g->turn);
    float y = v.y * ct - v.z * st, z = v.y * st + v.z * ct;
    return (Vec){v.x * cn - y * sn, v.x * sn + y * cn, z};
}

/* How fast a star at that distance goes round on a circle. */
static float circle_speed(const Galaxy *g, float r)
{
    float d2 = r * r + g->softening * g->softening;
    return sqrtf(g->mass * r * r / (d2 * sqrtf(d2)));
}

/* The disc's brightness falls off exponentially from the centre; clouds and young stars keep away from it, and to two arms. */
static void in_disc(const Galaxy *g, Kind kind, uint64_t *random, Position *position, Velocity *velocity)
{
    bool fresh = kind != DISC; /* BULGE doesn't come here */
    float length = g->radius * (fresh ? 0.34f : 0.27f), r, angle, height, speed, heat = fresh ? 0.02f : 0.06f;
    do r = -length * logf((1 - uniform(random)) * (1 - uniform(random)));
    while (r > g->radius || (fresh && r < g->radius * (0.12f + 0.2f * uniform(random))));
    angle = 6.2831853f * uniform(random);
    /* Pushes angles towards the crests of a spiral: m = 2, and a turn for each e-fold of the radius or so. */
    angle += (fresh ? 0.42f : 0.16f) * sinf(2 * (angle + 2.6f * logf(r / g->radius + 0.05f)));
    if (fresh) angle += 0.07f * normal(random);
    height = (fresh ? 0.008f : 0.022f) * normal(random);
    speed = circle_speed(g, r);
    *position = (Vec){r * cosf(angle), r * sinf(angle), height};
    *velocity = (Vec){-speed * sinf(angle) + heat * speed * normal(random),
                      speed * cosf(angle) + heat * speed * normal(random), 0.5f * heat * speed * normal(random)};
}

/* A ball of stars that fly criss-cross (Plummer, 1911). */
static void in_bulge(const Galaxy *g, uint64_t *random, Position *position, Velocity *velocity)
{
    float r, z = 2 * uniform(random) - 1, angle = 6.2831853f * uniform(random), flat = sqrtf(1 - z * z), speed;
    do r = 0.085f * g->radius / sqrtf(powf(1 - uniform(random), -2.0f / 3.0f) - 1 + 1e-6f); while (r > 0.7f * g->radius);
    speed = 0.62f * circle_speed(g, r);
    *position = (Vec){r * flat * cosf(angle), r * flat * sinf(angle), 0.75f * r * z};
    *velocity = (Vec){speed * normal(random), speed * normal(random), speed * normal(random)};
}

/* Most stars are faint, a few are bright: those are the ones that can be seen one by one. */
static Light old_light(const Galaxy *g, Kind kind, float r, uint64_t *random)
{
    float warm = kind == BULGE ? 1.0f : g->warmth * (1.15f - r / g->radius);
    float u = uniform(random), bright = 30 * (0.5f + u) + (u > 0.998f ? 600 * (u - 0.998f) / 0.002f : 0);
    if (kind == CLOUD) return (Light){{8, 2, 5}, 60};
    return (Light){{(uint16_t)bright, (uint16_t)(bright * (0.93f - 0.17f * warm)), (uint16_t)(bright * (0.95f - 0.45f * warm))}, 0};
}

static void fill(const Galaxy *g, Kind kind, uint32_t n, uint64_t *random, Columns *c)
{
    for (uint32_t k = 0; k < n; k++) {
        Vec p, v;
        float r;
        if (kind == BULGE) in_bulge(g, random, &p, &v);
        else in_disc(g, kind, random, &p, &v);
        r = sqrtf(p.x * p.x + p.y * p.y);
        p = out_of_plane(g, p);
        v = out_of_plane(g, v);
        c->position[k] = (Vec){g->at.x + p.x, g->at.y + p.y, g->at.z + p.z};
        c->velocity[k] = (Vec){g->speed.x + v.x, g->speed.y + v.y, g->speed.z + v.z};
        if (kind == YOUNG) {
            c->age[k].life = 0.5f + 2.5f * uniform(random);
            c->age[k].age = c->age[k].life * uniform(random); /* as if they had been dying and coming for long */
            young_light(&c->age[k], &c->light[k]);
        } else {
            c->light[k] = old_light(g, kind, r, random);
        }
    }
}

/* Entities of one kind, many with each call. */
static bool seed_stars(Sim *s, const Galaxy *g, Kind kind, uint32_t count, Columns *c)
{
    const dz_column columns[4] = {
        {s->position, c->position, sizeof *c->position, 0},
        {s->velocity, c->velocity, sizeof *c->velocity, 0},
        {s->light, c->light, sizeof *c->light, 0},
        kind == YOUNG ? (dz_column){s->age, c->age, sizeof *c->age, 0} : (dz_column){s->gas, NULL, 0, 0},
    };
    while (count > 0) {
        uint32_t n = count < CHUNK ? count : CHUNK;
        dz_entity *out = kind == CLOUD ? s->nurseries + s->nursery_count : NULL; /* who they are is of interest for clouds only */
        fill(g, kind, n, &s->random, c);
        if (dz_failed(dz_create_with(s->world, n, columns, kind == YOUNG || kind == CLOUD ? 4 : 3, out))) {
            return library_failed("creating the stars");
        }
        if (kind == CLOUD) s->nursery_count += n;
        count -= n;
    }
    return true;
}

static bool seed_hearts(Sim *s)
{
    for (int k = 0; k < 2; k++) {
        const Galaxy *g = &galaxies[k];
        Mass mass = {g->mass, g->softening};
        const dz_column columns[] = {{s->position, &g->at, sizeof g->at, 0}, {s->velocity, &g->speed, sizeof g->speed, 0},
                                     {s->mass, &mass, sizeof mass, 0}};
        if (dz_failed(dz_create_with(s->world, 1, columns, 3, NULL))) return library_failed("creating the hearts");
    }
    return true;
}

bool sim_seed(Sim *s, uint32_t entities)
{
    uint32_t stars = entities - 2, left = stars;
    Columns *columns = malloc(sizeof *columns);
    bool good = columns != NULL;
    if (!good) fputs("galaxies: out of memory\n", stderr);
    /* In an order that the kept queries like: who is young comes first in the pool of Light, who is no star last in the pools of
     * Position and Velocity. Any other order is as good, but dz_optimize would have to bring it about. */
    for (int kind = 0; kind < KINDS && good; kind++) {
        for (int k = 0; k < 2 && good; k++) {
            bool last = kind == KINDS - 1 && k == 1;
            uint32_t count = last ? left : (uint32_t)((float)stars * kind_share[kind] * galaxies[k].share);
            good = seed_stars(s, &galaxies[k], (Kind)kind, count, columns);
            left -= count;
        }
    }
    free(columns);
    return good && seed_hearts(s);
}
