/* Two galaxies of a million stars that pass each other, and how they look: a row of pictures.
 *
 *     cc -O3 -Iinclude examples/galaxies.c examples/galaxies/[pst]*.c target/release/libdenizen.a -lpthread -ldl -lm -o galaxies
 *     ./galaxies --entities 1000000 --frames 8 --out galaxies-
 *
 * This file has the command line and what is printed. examples/galaxies/ has the rest:
 *     sim      the entities, their components, queries and systems: the part to read for how denizen is used
 *     seed     how the galaxies are before they meet
 *     picture  adding up light; it asks queries too
 *     team     threads
 *     png      the format
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* isatty, sysconf */
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "galaxies/picture.h"
#include "galaxies/png.h"
#include "galaxies/sim.h"
#include "galaxies/team.h"

enum { FRAMES_MOST = 9999, STEPS_MOST = 10000, PREFIX_MOST = 4000, EXIT_USAGE = 2 };

static const char help[] =
    "Usage: galaxies [options]\n"
    "Lets two galaxies pass each other, and draws them as PNG files.\n"
    "\n"
    "  --entities N    how many, 1000 to 10000000: two hearts, the rest stars and clouds (default: 1000000)\n"
    "  --frames N      pictures to draw, 0 to 9999 (default: 8)\n"
    "  --steps N       steps from picture to picture, 1 to 10000 (default: 40)\n"
    "  --size WxH      of the pictures, each from 64 to 8192 (default: 1280x720)\n"
    "  --out PREFIX    what file names begin with; 0001.png and so on follow (default: galaxies-)\n"
    "  --threads N     1 to 64 (default: as many as there are processors); the pictures are the same with any number\n"
    "  --seed N        another number, other stars: 0 to 4294967295 (default: 1)\n"
    "  --help          this text\n"
    "\n"
    "For a film: --frames 320 --steps 1. A picture takes three bytes a pixel, 2.77 MB at 1280x720: the film 885 MB.\n"
    "With --frames 0 one run of --steps steps is timed, and nothing drawn.\n"
    "Exit status: 0 done, 1 it failed, 2 the command line is wrong.\n";

typedef struct {
    uint32_t entities, frames, steps, width, height, threads, seed;
    const char *out;
} Options;

/* --- the command line ----------------------------------------------------------------------------------------------- */

static int usage(const char *format, ...)
{
    va_list arguments;
    fputs("galaxies: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nTry: galaxies --help\n", stderr);
    return EXIT_USAGE;
}

/* Digits, up to `end`, which is where they must end. */
static bool parse_number(const char *text, const char *end, uint32_t low, uint32_t high, uint32_t *out)
{
    uint64_t value = 0;
    if (text == end || end - text > 10) return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9') return false;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    if (value < low || value > high) return false;
    *out = (uint32_t)value;
    return true;
}

static bool parse_size(const char *text, uint32_t *width, uint32_t *height)
{
    const char *x = strchr(text, 'x');
    return x != NULL && parse_number(text, x, SIDE_LEAST, SIDE_MOST, width) &&
        parse_number(x + 1, x + 1 + strlen(x + 1), SIDE_LEAST, SIDE_MOST, height);
}

/* 0: go on. Anything else: stop with that status, or with EXIT_SUCCESS if it is negative. */
static int parse_options(int argc, char **argv, Options *o)
{
    const struct { const char *name; uint32_t low, high, *out; } numbers[] = {
        {"--entities", ENTITIES_LEAST, ENTITIES_MOST, &o->entities},
        {"--frames", 0, FRAMES_MOST, &o->frames},
        {"--steps", 1, STEPS_MOST, &o->steps},
        {"--threads", 1, TEAM_MOST, &o->threads},
        {"--seed", 0, UINT32_MAX, &o->seed},
        {"--size", 0, 0, NULL},
        {"--out", 0, 0, NULL},
    };
    enum { COUNT = sizeof numbers / sizeof *numbers, SIZE = COUNT - 2, OUT = COUNT - 1 };
    for (int k = 1; k < argc; k++) {
        const char *option = argv[k], *value = strchr(option, '=');
        size_t length = value != NULL ? (size_t)(value - option) : strlen(option);
        int which = -1;
        if (strcmp(option, "--help") == 0) return fputs(help, stdout) < 0 ? EXIT_FAILURE : -1;
        for (int n = 0; n < COUNT; n++) {
            if (strlen(numbers[n].name) == length && strncmp(option, numbers[n].name, length) == 0) which = n;
        }
        if (which < 0) return usage("unknown option \"%s\"", option);
        if (value != NULL) value++; /* --option=value */
        else if (k + 1 < argc) value = argv[++k];
        if (value == NULL || *value == '\0') return usage("%s needs a value", numbers[which].name);
        if (which == OUT) {
            if (strlen(value) > PREFIX_MOST) return usage("--out: longer than %d characters", PREFIX_MOST);
            o->out = value;
        } else if (which == SIZE) {
            if (!parse_size(value, &o->width, &o->height)) {
                return usage("--size: \"%s\" is not a size like 1280x720, each from %d to %d", value, SIDE_LEAST, SIDE_MOST);
            }
        } else if (!parse_number(value, value + strlen(value), numbers[which].low, numbers[which].high, numbers[which].out)) {
            return usage("%s: \"%s\" is not a whole number from %lu to %lu", numbers[which].name, value,
                         (unsigned long)numbers[which].low, (unsigned long)numbers[which].high);
        }
    }
    return 0;
}

static uint32_t processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 8 ? 8 : (uint32_t)count;
}

/* --- all of it ------------------------------------------------------------------------------------------------------ */

/* Shows how far a long run is. On a terminal one line is written over and over; elsewhere a line every two seconds. */
typedef struct {
    bool terminal, shown;
    double began, next;
} Progress;

static void show_progress(Progress *p, const Sim *s, uint64_t all)
{
    double seconds = seconds_now() - p->began, stepping = 0;
    if (seconds < p->next) return;
    p->next = seconds + (p->terminal ? 0.1 : 2.0);
    p->shown = true;
    for (int k = 0; k < SYSTEMS; k++) stepping += s->seconds[k];
    fprintf(stderr, "%sstep %llu of %llu (%.0f%%), %.2f ms each%s", p->terminal ? "\r" : "", (unsigned long long)s->steps,
            (unsigned long long)all, 100.0 * (double)s->steps / (double)all, stepping / (double)s->steps * 1e3,
            p->terminal ? "   " : "\n");
    fflush(stderr);
}

static void hide_progress(Progress *p)
{
    if (p->terminal && p->shown) fputs("\r                                                            \r", stderr);
    p->shown = false;
}

static bool write_frame(Picture *picture, const Sim *s, const Options *o, uint32_t frame)
{
    char path[PREFIX_MOST + 16];
    snprintf(path, sizeof path, "%s%04lu.png", o->out, (unsigned long)frame);
    if (!picture_draw(picture, s) || !png_write(path, picture->bytes, o->width, o->height)) return false;
    printf("%s: step %llu, %lu young stars, %lu of them exploding\n", path, (unsigned long long)s->steps,
           (unsigned long)dz_query_count(s->world, s->ageing), (unsigned long)dz_query_count(s->world, s->flares));
    return output_written();
}

static void print_times(const Sim *s, const Options *o, double drawing)
{
    double ms[SYSTEMS], all = 0;
    for (int k = 0; k < SYSTEMS; k++) {
        ms[k] = s->seconds[k] / (double)s->steps * 1e3;
        all += ms[k];
    }
    printf("\n%lu entities, threads: %lu. %llu steps took %.2f ms each: moving %.2f, ageing %.2f, dying and being born %.2f,\n"
           "putting in order %.2f (%.0f swaps each).", (unsigned long)o->entities, (unsigned long)o->threads,
           (unsigned long long)s->steps, all, ms[MOVING], ms[AGEING], ms[DYING], ms[ORDERING],
           (double)s->moves / (double)s->steps);
    if (o->frames > 0) printf(" Drawing and writing took %.1f ms for each picture.", drawing / (double)o->frames * 1e3);
    putchar('\n');
}

static bool run(Sim *s, Picture *picture, const Options *o)
{
    uint32_t rounds = o->frames > 0 ? o->frames : 1;
    Progress progress = {isatty(STDERR_FILENO) != 0, false, 0, 0};
    double drawing = 0;
    if (o->frames > 0 && !picture_open(picture, o->width, o->height, (int)o->threads)) return false;
    if (!sim_open(s, o->entities, o->seed, (int)o->threads)) return false;
    progress.began = seconds_now();
    progress.next = progress.terminal ? 0.2 : 2.0;
    for (uint32_t frame = 1; frame <= rounds; frame++) {
        double start;
        for (uint32_t k = 0; k < o->steps; k++) {
            if (!sim_step(s)) return false;
            show_progress(&progress, s, (uint64_t)rounds * o->steps);
        }
        start = seconds_now();
        if (o->frames > 0) {
            hide_progress(&progress);
            if (!write_frame(picture, s, o, frame)) return false;
        }
        drawing += seconds_now() - start;
    }
    hide_progress(&progress);
    print_times(s, o, drawing);
    return true;
}

int main(int argc, char **argv)
{
    Options options = {1000000, 8, 40, 1280, 720, processors(), 1, "galaxies-"};
    Picture picture;
    Sim sim;
    bool good;
    int status = parse_options(argc, argv, &options);
    if (status > 0) return status;
    if (status == 0) {
        memset(&picture, 0, sizeof picture);
        memset(&sim, 0, sizeof sim);
        good = run(&sim, &picture, &options);
        sim_close(&sim);
        picture_close(&picture);
        if (!good) return EXIT_FAILURE;
    }
    return output_written() ? EXIT_SUCCESS : EXIT_FAILURE;
}
