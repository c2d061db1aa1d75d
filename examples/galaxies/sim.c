#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#endif
#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "team.h"

static const float time_step = 0.02f;

uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

float uniform(uint64_t *state)
{
    return (float)(random_bits(state) >> 40) * 0x1p-24f;
}

float normal(uint64_t *state)
{
    float r = sqrtf(-2 * logf(1 - uniform(state)));
    return r * cosf(6.2831853f * uniform(state));
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- beginning and end ---------------------------------------------------------------------------------------------- */

/* From text. A kept query remembers where its matches lie; dz_optimize sees to it that they lie side by side. */
static bool ask(Sim *s, dz_query *out, const char *text, bool kept)
{
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    desc.text = text;
    desc.kept = kept;
    *out = dz_query_create(s->world, &desc);
    return out->bits != 0;
}

/* The newborn were put at the ends of the pools, and took the identifiers of the dead from all over. A bounded number of
 * swaps brings them back into order, and then the kept queries find runs to remember. */
static bool put_in_order(Sim *s, uint32_t moves)
{
    uint32_t made;
    if (dz_failed(dz_optimize(s->world, moves, &made))) return library_failed("ordering");
    s->moves += made;
    return (!dz_failed(dz_query_refresh(s->world, s->movers)) && !dz_failed(dz_query_refresh(s->world, s->ageing))) ||
         library_failed("remembering");
}

enum { CELLS = 64 }; /* of the density, along each axis */
static const float cell_size = 0.1f;

bool sim_open(Sim *s, uint32_t entities, uint64_t seed, int threads)
{
    dz_world_desc desc = DZ_WORLD_DESC_INIT;
    memset(s, 0, sizeof *s);
    s->random = seed;
    s->threads = threads;
    s->flare_chance = 30000.0f / (float)entities; /* so that some are seen at any time */
    desc.capacity = entities;
    s->world = dz_world_create(&desc);
    if (!dz_world_is_alive(s->world)) return library_failed("creating the world");
    /* dz_optimize goes over them in this order: first those that most work is done with. */
    s->position = DZ_COMPONENT(s->world, Position);
    s->velocity = DZ_COMPONENT(s->world, Velocity);
    s->light = DZ_COMPONENT(s->world, Light);
    s->age = DZ_COMPONENT(s->world, Age);
    s->flare = DZ_COMPONENT(s->world, Flare);
    s->mass = DZ_COMPONENT(s->world, Mass);
    s->gas = DZ_TAG(s->world, Gas);
    if (s->position == DZ_NULL || s->velocity == DZ_NULL || s->light == DZ_NULL || s->age == DZ_NULL || s->flare == DZ_NULL ||
        s->mass == DZ_NULL || s->gas == DZ_NULL) {
        return library_failed("registering the components");
    }
    if (!ask(s, &s->hearts, "Position, Velocity, [in] Mass", false) ||
        !ask(s, &s->movers, "Position, Velocity, !Mass", true) ||
        !ask(s, &s->ageing, "Age, [out] Light", true) ||
        !ask(s, &s->mature, "[in] Age, !Flare", false) ||
        !ask(s, &s->flares, "Flare, [in] Position", false) ||
        !ask(s, &s->clouds, "[in] Position, [none] Gas || [none] Age", false) ||
        !ask(s, &s->drawn, "[in] Position, [in] Light, !Mass", false) ||
        !ask(s, &s->lights, "[in] Light", false)) {
        return library_failed("making the queries");
    }
    s->nurseries = calloc(entities, sizeof *s->nurseries);
    s->density = calloc(CELLS * CELLS * CELLS, sizeof *s->density);
    if (s->nurseries == NULL || s->density == NULL) {
        fputs("galaxies: out of memory\n", stderr);
        return false;
    }
    return sim_seed(s, entities) && put_in_order(s, UINT32_MAX);
}

void sim_close(Sim *s)
{
    if (dz_world_is_alive(s->world)) dz_world_destroy(s->world);
    free(s->nurseries);
    free(s->density);
}

/* --- moving --------------------------------------------------------------------------------------------------------- */

enum { HEARTS_MOST = 8 };
typedef struct {
    Position at;
    float mass, softening;
} Heart;

typedef struct {
    const Sim *sim;
    Heart hearts[HEARTS_MOST];
    int count;
    dz_status status[TEAM_MOST]; /* how each part ended: messages are for the thread that made the mistake */
} Moving;

/* The hearts pull each other, and where they overlap, friction brings them together. The plain loop over few entities. */
static bool move_hearts(const Sim *s, Moving *m)
{
    Velocity speed[HEARTS_MOST];
    dz_iter it;
    m->count = 0;
    for (dz_iterate(s->world, s->hearts, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count && m->count < HEARTS_MOST; i++) {
            const Mass *mass = DZ_AT(it, Mass, 2, i);
            speed[m->count] = *DZ_AT(it, Velocity, 1, i);
            m->hearts[m->count++] = (Heart){*DZ_AT(it, Position, 0, i), mass->mass, mass->softening};
        }
    }
    if (!iterated(&it, "moving the hearts") || dz_failed(dz_restart(&it))) return false;
    for (int k = 0; dz_next(&it);) {
        for (uint32_t i = 0; i < it.count && k < m->count; i++, k++) {
            Position *p = DZ_AT(it, Position, 0, i);
            Velocity *v = DZ_AT(it, Velocity, 1, i);
            for (int other = 0; other < m->count; other++) {
                const Heart *h = &m->hearts[other], *me = &m->hearts[k];
                float dx = h->at.x - me->at.x, dy = h->at.y - me->at.y, dz = h->at.z - me->at.z;
                float d2 = dx * dx + dy * dy + dz * dz + me->softening * me->softening + h->softening * h->softening;
                float pull = time_step * h->mass / (d2 * sqrtf(d2)), rub = time_step * 0.5f * h->mass * expf(-2 * d2);
                if (other == k) continue;
                v->x += pull * dx + rub * (speed[other].x - speed[k].x);
                v->y += pull * dy + rub * (speed[other].y - speed[k].y);
                v->z += pull * dz + rub * (speed[other].z - speed[k].z);
            }
            p->x += time_step * v->x, p->y += time_step * v->y, p->z += time_step * v->z;
        }
    }
    return iterated(&it, "moving the hearts");
}

/* 1 / sqrt(x) to a part in 200,000, by a guess from its bits and two steps of Newton's. Unlike sqrtf it can't set errno, which
 * would keep the compiler from using SIMD instructions. */
static float inverse_root(float x)
{
    uint32_t bits;
    float y;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5f375a86 - (bits >> 1);
    memcpy(&y, &bits, sizeof y);
    y *= 1.5f - 0.5f * x * y * y;
    return y * (1.5f - 0.5f * x * y * y);
}

/* The hot loop, over plain arrays. No thread and no batch makes a difference to what comes out for a star. */
static void fly(Position *restrict p, Velocity *restrict v, uint32_t n, const Moving *m)
{
    enum { BLOCK = 64 };
    for (uint32_t first = 0; first < n; first += BLOCK, p += BLOCK, v += BLOCK) {
        /* Each axis in an array of its own, so that the compiler handles several stars at once. */
        float x[BLOCK], y[BLOCK], z[BLOCK], ax[BLOCK] = {0}, ay[BLOCK] = {0}, az[BLOCK] = {0};
        uint32_t count = n - first < BLOCK ? n - first : BLOCK;
        for (uint32_t i = 0; i < count; i++) x[i] = p[i].x, y[i] = p[i].y, z[i] = p[i].z;
        for (int k = 0; k < m->count; k++) {
            const Heart h = m->hearts[k];
            const float soft = h.softening * h.softening, strength = time_step * h.mass;
            for (uint32_t i = 0; i < count; i++) {
                float dx = h.at.x - x[i], dy = h.at.y - y[i], dz = h.at.z - z[i];
                float near = inverse_root(dx * dx + dy * dy + dz * dz + soft), pull = strength * near * near * near;
                ax[i] += pull * dx, ay[i] += pull * dy, az[i] += pull * dz;
            }
        }
        for (uint32_t i = 0; i < count; i++) {
            v[i].x += ax[i], v[i].y += ay[i], v[i].z += az[i];
            p[i].x = x[i] + time_step * v[i].x, p[i].y = y[i] + time_step * v[i].y, p[i].z = z[i] + time_step * v[i].z;
        }
    }
}

/* One thread's part. Most batches are runs, as dz_optimize and dz_query_refresh see to; what isn't goes star by star. */
static void move_part(int part, int parts, void *user)
{
    Moving *m = user;
    dz_iter it;
    for (dz_iterate_part(m->sim->world, m->sim->movers, (uint32_t)part, (uint32_t)parts, &it); dz_next(&it);) {
        if (!it.gather) fly(DZ_RUN(it, Position, 0), DZ_RUN(it, Velocity, 1), it.count, m);
        else for (uint32_t i = 0; i < it.count; i++) fly(DZ_AT(it, Position, 0, i), DZ_AT(it, Velocity, 1, i), 1, m);
    }
    m->status[part] = it.status;
}

static bool move(Sim *s)
{
    Moving m;
    m.sim = s;
    if (!move_hearts(s, &m)) return false;
    team_run(s->threads, move_part, &m);
    for (int part = 0; part < s->threads; part++) {
        if (!dz_failed(m.status[part])) continue;
        fprintf(stderr, "galaxies: moving the stars: %s\n", dz_status_name(m.status[part]));
        return false;
    }
    return true;
}

/* --- growing older -------------------------------------------------------------------------------------------------- */

/* Pink where the gas still glows, then blue, white, and red at the end. */
void young_light(const Age *age, Light *light)
{
    static const float colour[5][3] = {{1.7f, 0.25f, 0.75f}, {0.30f, 0.50f, 1.0f}, {0.36f, 0.60f, 1.0f},
                                       {0.55f, 0.72f, 1.0f}, {0.40f, 0.25f, 0.18f}};
    float at = age->age / age->life, bright = 215.0f / (0.4f + age->life), place, part;
    int k;
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    place = sqrtf(at) * 4;
    k = place >= 3 ? 3 : (int)place;
    part = place - (float)k;
    for (int c = 0; c < 3; c++) {
        light->colour[c] = (uint16_t)(bright * (colour[k][c] + part * (colour[k + 1][c] - colour[k][c])));
    }
    light->dust = 0;
}

/* Only runs: every field is an array. */
static bool grow_older(const Sim *s)
{
    dz_iter it;
    for (dz_iterate_runs(s->world, s->ageing, &it); dz_next(&it);) {
        Age *age = DZ_RUN(it, Age, 0);
        Light *light = DZ_RUN(it, Light, 1);
        for (uint32_t i = 0; i < it.count; i++) age[i].age += time_step;
        for (uint32_t i = 0; i < it.count; i++) young_light(&age[i], &light[i]);
    }
    return iterated(&it, "ageing");
}

/* --- dying, and being born ------------------------------------------------------------------------------------------ */

static size_t cell_of(const Position *p)
{
    size_t index = 0;
    const float at[3] = {p->x, p->y, p->z};
    for (int k = 0; k < 3; k++) {
        float cell = at[k] / cell_size + CELLS / 2;
        index = index * CELLS + (size_t)(cell < 0 ? 0 : cell > CELLS - 1 ? CELLS - 1 : cell);
    }
    return index;
}

/* Where gas and young stars are, whoever they are: one query with an "or". */
static bool measure_density(const Sim *s)
{
    dz_iter it;
    memset(s->density, 0, CELLS * CELLS * CELLS * sizeof *s->density);
    for (dz_iterate(s->world, s->clouds, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            uint16_t *cell = &s->density[cell_of(DZ_AT(it, Position, 0, i))];
            if (*cell < UINT16_MAX) ++*cell;
        }
    }
    return iterated(&it, "measuring the density");
}

/* Whose life is over goes; a few of them with a flash, which is a component that they get first. */
static bool let_die(Sim *s, uint32_t *died)
{
    dz_iter it;
    *died = 0;
    for (dz_iterate(s->world, s->mature, &it); dz_next(&it);) {
        DZ_EACH(it, i) { /* and not a plain loop, because its body adds and destroys */
            const Age *age = DZ_AT(it, Age, 0, i);
            dz_entity star = dz_iter_entity(&it, i);
            if (age->age < age->life) continue;
            if (age->life < 1 && uniform(&s->random) < s->flare_chance) {
                Flare flare = {1, 1 / (0.06f + 1.5f * uniform(&s->random))}; /* a few outshine the others */
                if (dz_failed(DZ_SET(s->world, star, s->flare, &flare))) return library_failed("exploding");
            } else {
                if (dz_failed(dz_destroy(s->world, star))) return library_failed("dying");
                ++*died;
            }
        }
    }
    if (!iterated(&it, "dying")) return false;
    for (dz_iterate(s->world, s->flares, &it); dz_next(&it);) {
        DZ_EACH(it, i) {
            Flare *flare = DZ_AT(it, Flare, 0, i);
            flare->left -= time_step / 0.3f;
            if (flare->left > 0) continue;
            if (dz_failed(dz_destroy(s->world, dz_iter_entity(&it, i)))) return library_failed("fading");
            ++*died;
        }
    }
    return iterated(&it, "fading");
}

/* As many as died are born, each near a cloud: near the one of four that has most gas and young stars about it. */
static bool let_be_born(Sim *s, uint32_t count)
{
    enum { CHUNK = 512, TRIES = 4 };
    dz_entity clouds[CHUNK * TRIES], best[CHUNK];
    const void *places[CHUNK * TRIES], *speeds[CHUNK];
    Position position[CHUNK];
    Velocity velocity[CHUNK];
    Light light[CHUNK];
    Age age[CHUNK];
    const dz_column columns[] = {{s->position, position, sizeof *position, 0}, {s->velocity, velocity, sizeof *velocity, 0},
                                 {s->light, light, sizeof *light, 0}, {s->age, age, sizeof *age, 0}};
    for (uint32_t n; count > 0; count -= n) {
        n = count < CHUNK ? count : CHUNK;
        for (uint32_t k = 0; k < n * TRIES; k++) clouds[k] = s->nurseries[random_bits(&s->random) % s->nursery_count];
        if (dz_failed(dz_get_n(s->world, clouds, n * TRIES, s->position, places))) return library_failed("looking for clouds");
        for (uint32_t k = 0; k < n; k++) {
            uint32_t chosen = k * TRIES;
            for (uint32_t other = chosen + 1; other < (k + 1) * TRIES; other++) {
                if (s->density[cell_of(places[other])] > s->density[cell_of(places[chosen])]) chosen = other;
            }
            best[k] = clouds[chosen];
            position[k] = *(const Position *)places[chosen];
        }
        if (dz_failed(dz_get_n(s->world, best, n, s->velocity, speeds))) return library_failed("looking for clouds");
        for (uint32_t k = 0; k < n; k++) {
            const Velocity *v = speeds[k];
            velocity[k] = (Vec){v->x + 0.02f * normal(&s->random), v->y + 0.02f * normal(&s->random),
                                v->z + 0.02f * normal(&s->random)};
            position[k].x += 0.012f * normal(&s->random);
            position[k].y += 0.012f * normal(&s->random);
            position[k].z += 0.012f * normal(&s->random);
            age[k] = (Age){0, 0.5f + 2.5f * uniform(&s->random)};
            young_light(&age[k], &light[k]);
        }
        if (dz_failed(dz_create_with(s->world, n, columns, 4, NULL))) return library_failed("being born");
    }
    return true;
}

/* --- a step --------------------------------------------------------------------------------------------------------- */

bool sim_step(Sim *s)
{
    enum { DENSITY_EVERY = 8, MOVES = 40000 };
    double at[SYSTEMS + 1];
    uint32_t died;
    at[MOVING] = seconds_now();
    if (!move(s)) return false;
    at[AGEING] = seconds_now();
    if (!grow_older(s)) return false;
    at[DYING] = seconds_now();
    if (s->steps % DENSITY_EVERY == 0 && !measure_density(s)) return false;
    if (!let_die(s, &died) || !let_be_born(s, died)) return false;
    at[ORDERING] = seconds_now();
    if (!put_in_order(s, MOVES)) return false;
    at[SYSTEMS] = seconds_now();
    for (int k = 0; k < SYSTEMS; k++) s->seconds[k] += at[k + 1] - at[k];
    s->steps++;
    return true;
}
