/* An orrery: where the planets and their moons are on a date, as a table and as a picture, and a belt of as many small
 * bodies as you like.
 *
 *     cc -O2 -Iinclude examples/orrery.c examples/orrery/[cmps]*.c target/release/libdenizen.a -lpthread -ldl -lm -o orrery
 *     ./orrery --date 2026-01-01 --belt 20000 --picture orrery.svg
 *
 * This file has the command line and what is printed. examples/orrery/ has the rest:
 *     model    the entities, their components, and the systems that move them: the part to read for how denizen is used
 *     sky      the astronomy, which knows nothing of entities
 *     csv      the data file
 *     picture  the SVG
 */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* isatty */
#endif
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#include <io.h>
#define isatty _isatty
#define STDERR_FILENO 2
#else
#include <unistd.h>
#endif

#include "orrery/csv.h"
#include "orrery/model.h"
#include "orrery/picture.h"

#ifndef ORRERY_DATA /* -DORRERY_DATA='"/where/it/is.csv"' */
#define ORRERY_DATA "examples/data/solar_system.csv"
#endif

enum { DAYS_MOST = 1000000, EXIT_USAGE = 2 };

static const char help[] =
    "Usage: orrery [options]\n"
    "Prints where the Sun's planets and their larger moons are, at 00:00 TDB of a date.\n"
    "\n"
    "  --date YYYY-MM-DD   the date, of the Gregorian calendar, years 0001 to 9999 (default: today, UTC)\n"
    "  --picture FILE.svg  also draw it\n"
    "  --belt N            add N small bodies between Mars and Jupiter, 0 to 5000000\n"
    "  --days D            then advance D days, 0 to 1000000, and say how long a step took\n"
    "  --step S            ... in steps of S days, 0.001 to 36525 (default: 1)\n"
    "  --show PATH         only print one body, e.g. sun.earth.moon: as it is seen from each body above it\n"
    "  --data FILE         the bodies (default: " ORRERY_DATA ")\n"
    "  --check FILE        only compare with the positions in FILE, and fail if any is off by more than it allows\n"
    "  --help              this text\n"
    "\n"
    "Longitudes and latitudes are those of the ecliptic and equinox of J2000; moons are seen from their planet.\n"
    "Exit status: 0 done, 1 it failed, 2 the command line is wrong.\n";

typedef struct {
    const char *data, *picture, *check, *show;
    Date date;
    bool dated, stepped;
    uint32_t belt;
    double days, step;
} Options;

/* --- the command line ----------------------------------------------------------------------------------------------- */

static int usage(const char *format, ...)
{
    va_list arguments;
    fputs("orrery: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nTry: orrery --help\n", stderr);
    return EXIT_USAGE;
}

/* A plain decimal number in low..high, and nothing else. */
static bool parse_number(const char *text, double low, double high, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || text[strspn(text, "0123456789.eE+-")] != '\0') return false;
    if (!(value >= low && value <= high)) return false; /* NaN too */
    *out = value;
    return true;
}

/* 0: go on. Anything else: stop with that status, or with EXIT_SUCCESS if it is negative. */
static int parse_options(int argc, char **argv, Options *o)
{
    static const char *const names[] = {"--date", "--picture", "--belt", "--days", "--step", "--data", "--check",
                                        "--show"};
    for (int k = 1; k < argc; k++) {
        const char *option = argv[k], *value = strchr(option, '=');
        size_t length = value != NULL ? (size_t)(value - option) : strlen(option);
        int which = -1;
        double number;
        if (strcmp(option, "--help") == 0) return fputs(help, stdout) < 0 ? EXIT_FAILURE : -1;
        for (int n = 0; n < (int)(sizeof names / sizeof *names); n++) {
            if (strlen(names[n]) == length && strncmp(option, names[n], length) == 0) which = n;
        }
        if (which < 0) return usage("unknown option \"%s\"", option);
        if (value != NULL) value++; /* --option=value */
        else if (k + 1 < argc) value = argv[++k];
        if (value == NULL || *value == '\0') return usage("%s needs a value", names[which]);
        switch (which) {
        case 0:
            if (!date_parse(value, &o->date)) return usage("--date: \"%s\" is not a date like 2026-01-01", value);
            o->dated = true;
            break;
        case 1: o->picture = value; break;
        case 2:
            if (!parse_number(value, 0, BELT_MOST, &number) || floor(number) != number) {
                return usage("--belt: \"%s\" is not a whole number from 0 to %d", value, BELT_MOST);
            }
            o->belt = (uint32_t)number;
            break;
        case 3:
            if (!parse_number(value, 0, DAYS_MOST, &o->days)) {
                return usage("--days: \"%s\" is not a number from 0 to %d", value, DAYS_MOST);
            }
            o->stepped = true;
            break;
        case 4:
            if (!parse_number(value, 0.001, 36525, &o->step)) {
                return usage("--step: \"%s\" is not a number from 0.001 to 36525", value);
            }
            break;
        case 5: o->data = value; break;
        case 6: o->check = value; break;
        default: o->show = value; break;
        }
    }
    return 0;
}

static bool today(Date *out)
{
    time_t now = time(NULL);
    const struct tm *utc = now == (time_t)-1 ? NULL : gmtime(&now);
    if (utc == NULL) return false;
    *out = (Date){utc->tm_year + 1900, utc->tm_mon + 1, utc->tm_mday};
    return true;
}

/* --- the table ------------------------------------------------------------------------------------------------------ */

static void print_header(const char *what, const char *from, double jd)
{
    Date date = date_from_jd(jd);
    printf("%s on %04d-%02d-%02d, JD %.3f TDB\n\n", what, date.year, date.month, date.day, jd);
    printf("%-12s %-8s %9s %9s %12s %13s %13s %13s\n", "body", from, "lon deg", "lat deg", "dist au", "x au", "y au", "z au");
}

/* `from` is NULL if there is nobody to see it from. */
static void print_row(const Name *name, const Name *from, Vec way)
{
    Spherical s = sky_spherical(way);
    printf("%-12s %-8s %9.4f %9.4f %12.8f %13.8f %13.8f %13.8f\n", name->text, from != NULL ? from->text : "-", s.longitude,
           s.latitude, s.distance, way.x, way.y, way.z);
}

/* Goes over all that have a name; bodies of the belt have none. The order is that of the file. */
static bool print_table(const Model *m, double jd)
{
    dz_iter it;
    print_header("The solar system", "parent", jd);
    for (dz_iterate(m->world, m->listed, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            print_row(DZ_AT(it, Name, LISTED_NAME, i), DZ_AT_IF(it, Name, LISTED_PARENT, i), *DZ_AT(it, Offset, LISTED_OFFSET, i));
        }
    }
    return iterated(&it, "printing the table");
}

/* One body: as it is seen from its parent, from the parent's parent and so on, and who its children are. */
static bool print_body(const Model *m, const char *path, double jd)
{
    char full[4 * NAME_SIZE];
    dz_entity body = model_lookup(m, path), above;
    const Name *name;
    const Position *at, *from;
    if (body == DZ_NULL) {
        fprintf(stderr, PROGRAM ": --show: there is no body \"%s\"; a path is like sun.earth.moon\n", path);
        return false;
    }
    name = DZ_GET(m->world, body, Name, m->name), at = DZ_GET(m->world, body, Position, m->position);
    if (name == NULL || at == NULL || dz_path(m->world, body, DZ_NULL, NULL, full, sizeof full) == 0) {
        return library_failed("showing a body");
    }
    print_header(full, "from", jd);
    if (dz_depth(m->world, body) == 0) print_row(name, NULL, *at);
    for (above = dz_parent(m->world, body); above != DZ_NULL; above = dz_parent(m->world, above)) {
        from = DZ_GET(m->world, above, Position, m->position);
        if (from == NULL) return library_failed("showing a body");
        print_row(name, DZ_GET(m->world, above, Name, m->name), (Vec){at->x - from->x, at->y - from->y, at->z - from->z});
    }
    fputs("\nchildren:", stdout);
    for (dz_entity child = dz_first_child(m->world, body); child != DZ_NULL; child = dz_next_sibling(m->world, child)) {
        printf(" %s", dz_name(m->world, child));
    }
    puts(dz_child_count(m->world, body) > 0 ? "" : " none");
    return true;
}

/* --- time passes ---------------------------------------------------------------------------------------------------- */

static double seconds_since(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Shows how far a long run is. On a terminal one line is written over and over; elsewhere a line every two seconds. */
static void show_progress(bool terminal, uint64_t done, uint64_t all, double seconds, double *next)
{
    if (seconds < *next) return;
    *next = seconds + (terminal ? 0.1 : 2.0);
    fprintf(stderr, "%sstep %llu of %llu (%.0f%%), %.3f ms each%s", terminal ? "\r" : "", (unsigned long long)done,
            (unsigned long long)all, 100.0 * (double)done / (double)all, seconds / (double)done * 1e3, terminal ? "   " : "\n");
    fflush(stderr);
}

static bool advance(Model *m, double start, const Options *o, double *end, double *seconds, uint64_t *steps)
{
    bool terminal = isatty(STDERR_FILENO) != 0;
    double next = terminal ? 0.2 : 2.0;
    clock_t began = clock();
    *steps = (uint64_t)ceil(o->days / o->step - 1e-9);
    *end = start + o->days;
    for (uint64_t k = 1; k <= *steps; k++) {
        /* From the start each time, so that no error adds up; the last step ends on the day that was asked for. */
        if (!model_place(m, k == *steps ? *end : start + (double)k * o->step)) return false;
        show_progress(terminal, k, *steps, seconds_since(began), &next);
    }
    *seconds = seconds_since(began);
    if (terminal && *seconds > 0.2) fputs("\r                                                            \r", stderr);
    return true;
}

static void print_time(const Model *m, const Options *o, double seconds, uint64_t steps)
{
    uint32_t bodies = dz_count(m->world, m->position) - 1; /* the Sun stays where it is */
    printf("\nAdvanced %g days in %llu steps of %g days: ", o->days, (unsigned long long)steps, o->step);
    if (steps == 0) puts("nothing to do.");
    else {
        printf("%.4f ms per step, %.1f ns per body (%lu bodies).\n", seconds / (double)steps * 1e3,
               seconds / (double)steps / (double)bodies * 1e9, (unsigned long)bodies);
    }
}

/* --- comparing with known positions --------------------------------------------------------------------------------- */

/* Deviations of one body: longitude and latitude in arcseconds, distance in thousands of km. */
typedef struct {
    char body[NAME_SIZE], about[NAME_SIZE];
    double limit[3], square[3], largest[3];
    int rows;
} Deviation;

enum {
    CHECK_DATE, CHECK_BODY, CHECK_ABOUT, CHECK_LON, CHECK_LAT, CHECK_DISTANCE,
    CHECK_LIMIT, CHECK_SOURCE = CHECK_LIMIT + 3, CHECK_COLUMNS
};
static const char *const check_names[CHECK_COLUMNS] = {"date", "body", "about", "lon_deg", "lat_deg", "distance_au",
                                                       "lon_arcsec", "lat_arcsec", "distance_1000km", "source"};

static bool check_row(Model *m, const Csv *csv, Deviation *found, int most, int *count)
{
    const char *name = csv->field[CHECK_BODY], *about = csv->field[CHECK_ABOUT];
    dz_entity entity = model_find(m, name);
    const Offset *offset;
    Spherical known, ours;
    Date date;
    double off[3], limit[3];
    int k = 0;
    if (!date_parse(csv->field[CHECK_DATE], &date)) {
        return csv_error(csv, csv->line, "date is \"%s\", which is not a date like 2026-01-01", csv->field[CHECK_DATE]);
    }
    if (entity == DZ_NULL) return csv_error(csv, csv->line, "unknown body \"%s\"", name);
    if (strlen(about) >= NAME_SIZE) return csv_error(csv, csv->line, "about is longer than %d characters", NAME_SIZE - 1);
    if (csv_empty(csv, CHECK_SOURCE)) return csv_error(csv, csv->line, "source is missing");
    if (!csv_number(csv, CHECK_LON, -360, 360, &known.longitude) || !csv_number(csv, CHECK_LAT, -90, 90, &known.latitude) ||
        !csv_number(csv, CHECK_DISTANCE, 0, 1e5, &known.distance)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        if (!csv_number(csv, CHECK_LIMIT + c, 0, 1e9, &limit[c])) return false;
    }
    if (!model_place(m, date_to_jd(date))) return false;
    offset = DZ_GET(m->world, entity, Offset, m->offset);
    if (offset == NULL) return library_failed("checking a position");
    ours = sky_spherical(*offset);
    off[0] = sky_turn(ours.longitude - known.longitude) * 3600;
    off[1] = (ours.latitude - known.latitude) * 3600;
    off[2] = (ours.distance - known.distance) * SKY_AU_KM / 1000;

    while (k < *count && (strcmp(found[k].body, name) != 0 || strcmp(found[k].about, about) != 0)) k++;
    if (k == most) return csv_error(csv, csv->line, "more than %d bodies", most);
    if (k == *count) {
        memset(&found[k], 0, sizeof found[k]);
        strcpy(found[k].body, name); /* fits: it is the name of an entity */
        strcpy(found[k].about, about);
        memcpy(found[k].limit, limit, sizeof limit);
        ++*count;
    }
    found[k].rows++;
    for (int c = 0; c < 3; c++) {
        if (limit[c] != found[k].limit[c]) {
            return csv_error(csv, csv->line, "%s is not that of the other rows of %s", check_names[CHECK_LIMIT + c], name);
        }
        found[k].square[c] += off[c] * off[c];
        found[k].largest[c] = fmax(found[k].largest[c], fabs(off[c]));
    }
    return true;
}

/* The published errors are nominal, not largest: so the root mean square must be within them, and no deviation beyond three
 * times as much. */
static bool print_check(const Deviation *found, int count)
{
    bool good = true;
    puts("body       about         rows  longitude, arcsec        latitude, arcsec         distance, 1000 km\n"
         "                                   rms largest   limit      rms largest   limit       rms  largest    limit");
    for (int k = 0; k < count; k++) {
        const Deviation *d = &found[k];
        bool within = true;
        printf("%-10s %-12s %5d", d->body, d->about, d->rows);
        for (int c = 0; c < 3; c++) {
            double rms = sqrt(d->square[c] / d->rows);
            within = within && rms <= d->limit[c] && d->largest[c] <= 3 * d->limit[c];
            printf(c < 2 ? "  %7.2f %7.2f %7.0f" : "  %8.1f %8.1f %8.0f", rms, d->largest[c], d->limit[c]);
        }
        puts(within ? "" : "  TOO FAR");
        good = good && within;
    }
    puts(good ? "All within the limits: rms up to 1, largest up to 3 times the limit." : "Too far off.");
    return good && count > 0;
}

static bool check(Model *m, const char *path)
{
    enum { MOST = 64 };
    Deviation found[MOST];
    Csv csv;
    int got, count = 0;
    if (!csv_open(&csv, path, check_names, CHECK_COLUMNS)) return false;
    while ((got = csv_row(&csv)) == 1) {
        if (!check_row(m, &csv, found, MOST, &count)) { got = -1; break; }
    }
    if (got == 0 && count == 0) csv_error(&csv, csv.line, "no positions to compare with");
    csv_close(&csv);
    return got == 0 && count > 0 && print_check(found, count);
}

/* --- all of it ------------------------------------------------------------------------------------------------------ */

static bool run(Model *m, const Options *o)
{
    double jd = date_to_jd(o->date), last = jd + o->days, seconds = 0;
    uint64_t steps = 0;
    if (!model_open(m, o->data)) return false;
    if (o->check != NULL) return check(m, o->check);
    if (jd < date_to_jd((Date){1800, 1, 1}) || last >= date_to_jd((Date){2051, 1, 1})) {
        fputs("orrery: warning: the elements are fitted to the years 1800 to 2050; positions outside of them may be far off\n",
              stderr);
    }
    if (!model_add_belt(m, o->belt) || !model_place(m, jd)) return false;
    if (o->stepped && !advance(m, jd, o, &last, &seconds, &steps)) return false;
    if (!(o->show != NULL ? print_body(m, o->show, last) : print_table(m, last))) return false;
    if (o->stepped) print_time(m, o, seconds, steps);
    return o->picture == NULL || picture_write(m, o->picture, last);
}

int main(int argc, char **argv)
{
    Options options = {ORRERY_DATA, NULL, NULL, NULL, {0, 0, 0}, false, false, 0, 0, 1};
    Model model;
    bool good;
    int status = parse_options(argc, argv, &options);
    if (status > 0) return status;
    if (status == 0) {
        if (!options.dated && !today(&options.date)) return usage("this machine doesn't know what day it is; say --date");
        if (date_to_jd(options.date) + options.days >= date_to_jd((Date){9999, 12, 31}) + 1) {
            return usage("--days leads beyond the year 9999");
        }
        good = run(&model, &options);
        model_close(&model);
        if (!good) return EXIT_FAILURE;
    }
    return output_written() ? EXIT_SUCCESS : EXIT_FAILURE;
}
