#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "team.h"

enum { SHRINK = 4, WEIGHTS = 64 /* of the four pixels that a star falls on, together */ };

bool picture_open(Picture *p, uint32_t width, uint32_t height, int threads)
{
    size_t all = (size_t)width * height, few = (size_t)(width / SHRINK + 1) * (height / SHRINK + 1);
    bool good;
    memset(p, 0, sizeof *p);
    p->width = width;
    p->height = height;
    p->threads = threads < DRAWERS_MOST ? threads : DRAWERS_MOST;
    p->pixels = calloc(all, sizeof *p->pixels);
    p->small = calloc(few, sizeof *p->small);
    p->other = calloc(few, sizeof *p->other);
    p->bytes = calloc(all, 3);
    good = p->pixels != NULL && p->small != NULL && p->other != NULL && p->bytes != NULL;
    for (int k = 0; k < p->threads && good; k++) good = (p->sums[k] = calloc(all, 4 * sizeof *p->sums[k])) != NULL;
    if (!good) fprintf(stderr, "galaxies: out of memory for a picture of %lux%lu\n", (unsigned long)width, (unsigned long)height);
    return good;
}

void picture_close(Picture *p)
{
    for (int k = 0; k < p->threads; k++) free(p->sums[k]);
    free(p->pixels);
    free(p->small);
    free(p->other);
    free(p->bytes);
}

/* --- where a star is seen ------------------------------------------------------------------------------------------- */

typedef struct {
    float across[3], down[3], away[3]; /* the directions of the picture, in space */
    float scale, middle_x, middle_y;
} Camera;

static Camera look(const Picture *p)
{
    static const float distance = 7, wide = 5.1f;
    float tilt = 0.45f, turn = 0.30f, ct = cosf(tilt), st = sinf(tilt), cn = cosf(turn), sn = sinf(turn);
    float side = fminf((float)p->width, (float)p->height * 16 / 9);
    return (Camera){{cn, sn, 0}, {sn * ct, -cn * ct, -st}, {-sn * st, cn * st, -ct}, distance * side / wide,
                    (float)p->width / 2, (float)p->height / 2};
}

/* False if it is behind the camera. */
static bool project(const Camera *c, const Position *at, float *x, float *y)
{
    static const float distance = 7;
    float depth = distance + at->x * c->away[0] + at->y * c->away[1] + at->z * c->away[2], scale = c->scale / depth;
    *x = c->middle_x + scale * (at->x * c->across[0] + at->y * c->across[1] + at->z * c->across[2]);
    *y = c->middle_y + scale * (at->x * c->down[0] + at->y * c->down[1] + at->z * c->down[2]);
    return depth > 0.1f;
}

/* --- adding up ------------------------------------------------------------------------------------------------------ */

typedef struct {
    Picture *picture;
    const Sim *sim;
    Camera camera;
    uint64_t total;                 /* all light there is */
    unsigned shift;                 /* what sums are scaled down by, so that none overflows wherever the stars are */
    dz_status status[TEAM_MOST];
} Drawing;

/* Only runs: the loop is over one plain array after the other. */
static bool measure_light(Drawing *d)
{
    dz_iter it;
    d->total = 0;
    for (dz_iterate_runs(d->sim->world, d->sim->lights, &it); dz_next(&it);) {
        const Light *light = DZ_RUN(it, Light, 0);
        uint32_t sum = 0;           /* a run has at most some thousand elements */
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (uint32_t)light[i].colour[0] + light[i].colour[1] + light[i].colour[2] + light[i].dust;
            if (sum > UINT32_MAX / 2) d->total += sum, sum = 0;
        }
        d->total += sum;
    }
    for (d->shift = 0; d->total * WEIGHTS >> d->shift > UINT32_MAX;) d->shift++;
    return iterated(&it, "measuring the light");
}

/* A star falls on four pixels, by how near it is to each: so it doesn't jump from one to the next as it moves. */
static void splat(const Picture *p, uint32_t *sums, float x, float y, const Light *light, unsigned shift)
{
    const uint32_t lanes[4] = {light->colour[0], light->colour[1], light->colour[2], light->dust};
    uint32_t left, top, right, low;
    x -= 0.5f, y -= 0.5f;
    if (!(x >= 0 && y >= 0 && x < (float)(p->width - 1) && y < (float)(p->height - 1))) return;
    left = (uint32_t)x, top = (uint32_t)y;
    right = (uint32_t)((x - (float)left) * 8 + 0.5f), low = (uint32_t)((y - (float)top) * 8 + 0.5f);
    for (uint32_t row = 0; row < 2; row++) {
        uint32_t *at = sums + 4 * ((size_t)(top + row) * p->width + left), share = row == 0 ? 8 - low : low;
        for (int lane = 0; lane < 4; lane++) {
            at[lane] += lanes[lane] * share * (8 - right) >> shift;
            at[4 + lane] += lanes[lane] * share * right >> shift;
        }
    }
}

/* One thread's part. Sums of whole numbers are the same in any order, so pictures are, however many threads there are. */
static void draw_part(int part, int parts, void *user)
{
    Drawing *d = user;
    const Picture *p = d->picture;
    uint32_t *sums = p->sums[part];
    dz_iter it;
    memset(sums, 0, (size_t)p->width * p->height * 4 * sizeof *sums);
    for (dz_iterate_part(d->sim->world, d->sim->drawn, (uint32_t)part, (uint32_t)parts, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            float x, y;
            if (!project(&d->camera, DZ_AT(it, Position, DRAWN_POSITION, i), &x, &y)) continue;
            splat(p, sums, x, y, DZ_AT(it, Light, DRAWN_LIGHT, i), d->shift);
        }
    }
    d->status[part] = it.status;
}

/* From whole numbers to light, so that pictures are as bright with few stars as with many. Dust dims, and blue most. */
static void expose_part(int part, int parts, void *user)
{
    static const float dims[3] = {0.65f, 1.0f, 1.45f};
    Drawing *d = user;
    Picture *p = d->picture;
    size_t all = (size_t)p->width * p->height;
    size_t first = all * (size_t)part / (size_t)parts, end = all * (size_t)(part + 1) / (size_t)parts;
    float unit = (float)((double)all / ((double)d->total * WEIGHTS) * (double)(1u << d->shift));
    for (size_t k = first; k < end; k++) {
        uint64_t sum[4] = {0, 0, 0, 0};
        float dust;
        for (int t = 0; t < p->threads; t++) {
            for (int lane = 0; lane < 4; lane++) sum[lane] += p->sums[t][4 * k + (size_t)lane];
        }
        dust = (float)sum[3] * unit;
        dust = dust / (1 + 0.35f * dust); /* some light comes from before the dust */
        for (int c = 0; c < 3; c++) p->pixels[k].light[c] = (float)sum[c] * unit * expf(-0.5f * dims[c] * dust);
        p->pixels[k].dust = dust;
    }
}

/* --- what is drawn one by one --------------------------------------------------------------------------------------- */

/* A spot that fades out, with a cross as in a telescope's mirror. */
static void add_spot(Picture *p, float x, float y, float size, float cross, const float colour[3])
{
    float reach = size * (cross > 0 ? 14 : 5);
    int x0 = (int)fmaxf(0, x - reach), x1 = (int)fminf((float)p->width - 1, x + reach);
    int y0 = (int)fmaxf(0, y - reach), y1 = (int)fminf((float)p->height - 1, y + reach);
    for (int row = y0; row <= y1; row++) {
        for (int column = x0; column <= x1; column++) {
            float dx = fabsf((float)column + 0.5f - x) / size, dy = fabsf((float)row + 0.5f - y) / size, r2 = dx * dx + dy * dy;
            float edge = fmaxf(0, 1 - r2 * size * size / (reach * reach)), bright = expf(-1.4f * r2) + 0.05f / (1 + r2 * r2);
            bright += cross * (expf(-9 * dy * dy - 0.25f * dx) + expf(-9 * dx * dx - 0.25f * dy));
            for (int c = 0; c < 3; c++) p->pixels[(size_t)row * p->width + (size_t)column].light[c] += bright * edge * colour[c];
        }
    }
}

/* Far away, behind it all, and the same in every picture. */
static void draw_background(Picture *p)
{
    uint64_t random = 7;
    float unit = (float)p->height / 720;
    for (int k = 0; k < 420; k++) {
        float x = uniform(&random) * (float)p->width, y = uniform(&random) * (float)p->height, u = uniform(&random);
        float warm = uniform(&random), bright = 0.10f + 0.5f * u * u * u * u + (u > 0.985f ? 2.0f : 0);
        const float colour[3] = {bright * (0.75f + 0.4f * warm), bright * 0.85f, bright * (1.15f - 0.4f * warm)};
        add_spot(p, x, y, unit * (0.75f + 0.35f * u), u > 0.985f ? 0.25f : 0, colour);
    }
}

static bool draw_flares(Picture *p, const Drawing *d)
{
    float unit = (float)p->height / 720;
    dz_iter it;
    for (dz_iterate(d->sim->world, d->sim->flares, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Flare *flare = DZ_AT(it, Flare, 0, i);
            float left = flare->left, bright = 9 * flare->bright * left * left, x, y;
            const float colour[3] = {bright * (1.1f - 0.25f * left), bright * 0.85f, bright * (0.75f + 0.45f * left)};
            if (!project(&d->camera, DZ_AT(it, Position, 1, i), &x, &y)) continue;
            if (x > -99 && y > -99 && x < (float)p->width + 99 && y < (float)p->height + 99) {
                add_spot(p, x, y, unit * (0.8f + 0.25f * sqrtf(flare->bright) * left), 0.22f, colour);
            }
        }
    }
    return iterated(&it, "drawing the flares");
}

/* --- glow ----------------------------------------------------------------------------------------------------------- */

/* One line of pixels, blurred: the mean of 2 * radius + 1 of them, moved along. */
static void blur_line(const Pixel *from, Pixel *to, size_t stride, int count, int radius)
{
    float sum[3] = {0, 0, 0}, scale = 1 / (float)(2 * radius + 1);
    for (int k = -radius; k < count + radius; k++) {
        for (int c = 0; c < 3; c++) {
            if (k + radius < count && k + radius >= 0 && k > -radius) sum[c] += from[(size_t)(k + radius) * stride].light[c];
            if (k == -radius) sum[c] = from[0].light[c]; /* the first one to come within reach */
            if (k - radius - 1 >= 0) sum[c] -= from[(size_t)(k - radius - 1) * stride].light[c];
            if (k >= 0 && k < count) to[(size_t)k * stride].light[c] = fmaxf(0, sum[c]) * scale;
        }
    }
}

static void blur(Pixel *image, Pixel *other, int width, int height, int radius)
{
    for (int pass = 0; pass < 3; pass++) { /* three times a box is nearly a bell */
        for (int y = 0; y < height; y++) blur_line(image + y * width, other + y * width, 1, width, radius);
        for (int x = 0; x < width; x++) blur_line(other + x, image + x, (size_t)width, height, radius);
    }
}

/* Adds a blurred copy of the picture. It is blurred small, which is faster, and can't be told from the result. */
static void glow(Picture *p, float radius, float strength)
{
    int width = (int)(p->width / SHRINK), height = (int)(p->height / SHRINK);
    int r = (int)(radius * (float)p->height / 720 / SHRINK + 0.5f);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            Pixel sum = {{0, 0, 0}, 0};
            for (int k = 0; k < SHRINK * SHRINK; k++) {
                const Pixel *from = &p->pixels[(size_t)(y * SHRINK + k / SHRINK) * p->width + (size_t)(x * SHRINK + k % SHRINK)];
                for (int c = 0; c < 3; c++) sum.light[c] += fminf(from->light[c], 60) / (SHRINK * SHRINK);
            }
            p->small[y * width + x] = sum;
        }
    }
    blur(p->small, p->other, width, height, r > 1 ? r : 1);
    for (uint32_t y = 0; y < p->height; y++) {
        float sy = fminf(fmaxf(((float)y + 0.5f) / SHRINK - 0.5f, 0), (float)(height - 1) - 0.001f);
        for (uint32_t x = 0; x < p->width; x++) {
            float sx = fminf(fmaxf(((float)x + 0.5f) / SHRINK - 0.5f, 0), (float)(width - 1) - 0.001f);
            int left = (int)sx, top = (int)sy;
            float u = sx - (float)left, v = sy - (float)top;
            const Pixel *a = &p->small[top * width + left], *b = a + width;
            float *light = p->pixels[(size_t)y * p->width + x].light;
            for (int c = 0; c < 3; c++) {
                light[c] += strength * ((a[0].light[c] * (1 - u) + a[1].light[c] * u) * (1 - v) +
                                        (b[0].light[c] * (1 - u) + b[1].light[c] * u) * v);
            }
        }
    }
}

/* --- the tone curve ------------------------------------------------------------------------------------------------- */

/* For x that aren't negative; shorter than asinhf. */
static float asinh_of(float x)
{
    return logf(x + sqrtf(x * x + 1));
}

/* As photographs of galaxies are made (Lupton and others, 2004): the brightness is bent so that faint arms and bright cores
 * both show, and the colour is kept; only what is too bright for its colour goes to white. */
static void develop_part(int part, int parts, void *user)
{
    static const float sky[3] = {0.010f, 0.012f, 0.020f};
    Picture *p = ((Drawing *)user)->picture;
    uint32_t first = p->height * (uint32_t)part / (uint32_t)parts, end = p->height * (uint32_t)(part + 1) / (uint32_t)parts;
    for (uint32_t y = first; y < end; y++) {
        for (uint32_t x = 0; x < p->width; x++) {
            size_t k = (size_t)y * p->width + x;
            const float *light = p->pixels[k].light;
            float mean = (light[0] + light[1] + light[2]) / 3, bent = asinh_of(3.4f * mean) / 5.7f, most = 0, out[3];
            uint64_t noise = k * 3 + 1;
            for (int c = 0; c < 3; c++) {
                out[c] = sky[c] + fmaxf(0, mean + 1.4f * (light[c] - mean)) * bent / (mean + 1e-6f);
                most = fmaxf(most, out[c]);
            }
            for (int c = 0; c < 3; c++) {
                float value = out[c];
                if (most > 1) value = value / most + (1 - value / most) * (1 - 1 / most);
                value = powf(value, 1 / 1.12f) * 255 + uniform(&noise); /* noise: no steps in faint slopes */
                p->bytes[3 * k + (size_t)c] = (uint8_t)fminf(value, 255);
            }
        }
    }
}

bool picture_draw(Picture *p, const Sim *s)
{
    Drawing d;
    d.picture = p;
    d.sim = s;
    d.camera = look(p);
    if (!measure_light(&d)) return false;
    team_run(p->threads, draw_part, &d);
    for (int part = 0; part < p->threads; part++) {
        if (!dz_failed(d.status[part])) continue;
        fprintf(stderr, "galaxies: drawing the stars: %s\n", dz_status_name(d.status[part]));
        return false;
    }
    team_run(p->threads, expose_part, &d);
    draw_background(p);
    if (!draw_flares(p, &d)) return false;
    glow(p, 2, 0.40f);
    glow(p, 9, 0.12f);
    glow(p, 40, 0.08f);
    team_run(p->threads, develop_part, &d);
    return true;
}
