#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv.h"

/* --- reading the data file ------------------------------------------------------------------------------------------ */

enum {
    NAME, PARENT, RADIUS, COLOUR,
    PLANET_FIRST, A = PLANET_FIRST, E, I, L, PERI, NODE, A_CY, E_CY, I_CY, L_CY, PERI_CY, NODE_CY,
    MOON_FIRST, DISTANCE = MOON_FIRST, PERIOD, LONGITUDE, POLE_RA, POLE_DEC,
    COLUMNS
};
static const char *const column_names[COLUMNS] = {
    "name", "parent", "radius_km", "colour",
    "a_au", "e", "i_deg", "l_deg", "peri_deg", "node_deg", "a_cy", "e_cy", "i_cy", "l_cy", "peri_cy", "node_cy",
    "distance_km", "period_days", "longitude_deg", "pole_ra_deg", "pole_dec_deg"
};

/* A body's parent as the file names it. Only while the file is read: a parent may stand below its moons. */
typedef Name ParentName;

static bool read_name(const Csv *csv, int column, Name *out)
{
    const char *text = csv->field[column];
    size_t length = strlen(text);
    if (length >= sizeof out->text) {
        return csv_error(csv, csv->line, "%s is longer than %d characters", csv->names[column], NAME_SIZE - 1);
    }
    for (size_t k = 0; k < length; k++) {
        if ((unsigned char)text[k] < ' ') return csv_error(csv, csv->line, "%s has a control character", csv->names[column]);
        if (strncmp(text + k, "\xEF\xBF\xBE", 3) == 0 || strncmp(text + k, "\xEF\xBF\xBF", 3) == 0) {
            return csv_error(csv, csv->line, "%s has what is no character", csv->names[column]); /* nor one of an SVG */
        }
        if (text[k] == '.') return csv_error(csv, csv->line, "%s has a dot, which parts the names of a path", csv->names[column]);
    }
    memset(out, 0, sizeof *out);
    memcpy(out->text, text, length);
    return true;
}

static bool read_colour(const Csv *csv, int column, uint32_t *out)
{
    const char *text = csv->field[column];
    unsigned value = 0;
    char more;
    if (strlen(text) != 7 || text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6 ||
        sscanf(text + 1, "%6x%c", &value, &more) != 1) {
        return csv_error(csv, csv->line, "%s is \"%s\", and should be like #a0b1c2", csv->names[column], text);
    }
    *out = value;
    return true;
}

static bool read_elements(const Csv *csv, Elements *out)
{
    Kepler *at = &out->at_j2000, *cy = &out->per_century;
    return csv_number(csv, A, 1e-3, 1e5, &at->a) && csv_number(csv, E, 0.0, 0.999999, &at->e) &&
        csv_number(csv, I, -180.0, 180.0, &at->i) && csv_number(csv, L, -3600.0, 3600.0, &at->l) &&
        csv_number(csv, PERI, -3600.0, 3600.0, &at->peri) && csv_number(csv, NODE, -3600.0, 3600.0, &at->node) &&
        csv_number(csv, A_CY, -1.0, 1.0, &cy->a) && csv_number(csv, E_CY, -1.0, 1.0, &cy->e) &&
        csv_number(csv, I_CY, -360.0, 360.0, &cy->i) && csv_number(csv, L_CY, -1e8, 1e8, &cy->l) &&
        csv_number(csv, PERI_CY, -1e6, 1e6, &cy->peri) && csv_number(csv, NODE_CY, -1e6, 1e6, &cy->node);
}

static bool read_circle(const Csv *csv, Circle *out)
{
    double km, days, longitude, ra, dec;
    if (!csv_number(csv, DISTANCE, 1.0, 1e9, &km) || !csv_number(csv, PERIOD, -1e6, 1e6, &days) ||
        !csv_number(csv, LONGITUDE, -360.0, 360.0, &longitude) || !csv_number(csv, POLE_RA, -360.0, 360.0, &ra) ||
        !csv_number(csv, POLE_DEC, -90.0, 90.0, &dec)) {
        return false;
    }
    if (fabs(days) < 0.01) return csv_error(csv, csv->line, "period_days is %s, which is too short", csv->field[PERIOD]);
    sky_plane(ra, dec, &out->u, &out->v);
    km /= SKY_AU_KM;
    out->u = (Vec){out->u.x * km, out->u.y * km, out->u.z * km};
    out->v = (Vec){out->v.x * km, out->v.y * km, out->v.z * km};
    out->angle = longitude * SKY_DEGREE;
    out->rate = 2.0 * SKY_PI / days;
    return true;
}

/* Copies text with small letters (of ASCII only, whatever the locale). */
static void small(char *out, const char *text)
{
    do *out++ = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text; while (*text++ != '\0');
}

/* The name that a body has in paths. Nobody has a parent yet, so that no two bodies can have the same. */
static bool name_body(const Model *m, const Csv *csv, dz_entity entity, const Name *name)
{
    Name plain;
    dz_status status;
    const Body *first;
    small(plain.text, name->text);
    status = dz_set_name(m->world, entity, plain.text);
    if (status == DZ_ERR_NAME) return csv_error(csv, csv->line, "name is not UTF-8");
    if (status != DZ_ERR_NAME_TAKEN) return !dz_failed(status) || library_failed("naming a body");
    first = DZ_GET(m->world, dz_lookup(m->world, DZ_NULL, plain.text, NULL), Body, m->body);
    if (first == NULL) return library_failed("naming a body");
    return csv_error(csv, csv->line, "the name \"%s\" is taken: it stands in line %d too", name->text, (int)first->line);
}

/* One row, one entity. */
static bool read_body(Model *m, const Csv *csv, dz_id parent_name)
{
    Name name;
    ParentName parent;
    Body body;
    Elements elements;
    Circle circle;
    int planet_fields = 0, moon_fields = 0;
    uint32_t columns = 4;
    /* The columns of values for dz_create_with; offset and position are given no values, so they begin as zeros. */
    dz_column column[6] = {{m->name, &name, sizeof name, 0}, {m->body, &body, sizeof body, 0},
                           {m->offset, NULL, sizeof(Offset), 0}, {m->position, NULL, sizeof(Position), 0},
                           {0, NULL, 0, 0}, {0, NULL, 0, 0}};
    dz_entity entity;

    memset(&body, 0, sizeof body);
    body.line = csv->line;
    if (csv_empty(csv, NAME)) return csv_error(csv, csv->line, "name is missing");
    if (!read_name(csv, NAME, &name) || !read_name(csv, PARENT, &parent)) return false;
    if (!csv_number(csv, RADIUS, 1e-3, 1e8, &body.radius_km) || !read_colour(csv, COLOUR, &body.colour)) return false;

    for (int k = PLANET_FIRST; k < MOON_FIRST; k++) planet_fields += !csv_empty(csv, k);
    for (int k = MOON_FIRST; k < COLUMNS; k++) moon_fields += !csv_empty(csv, k);
    if (csv_empty(csv, PARENT)) {
        if (planet_fields + moon_fields > 0) return csv_error(csv, csv->line, "%s has an orbit, but no parent", name.text);
        if (m->sun != DZ_NULL) return csv_error(csv, csv->line, "%s has no parent: there can only be one Sun", name.text);
    } else if (planet_fields > 0 && moon_fields > 0) {
        return csv_error(csv, csv->line, "%s fills columns of planets (%s) and of moons (%s)", name.text,
                         csv->names[PLANET_FIRST], csv->names[MOON_FIRST]);
    } else if (planet_fields > 0) {
        if (!read_elements(csv, &elements)) return false;
        column[columns++] = (dz_column){m->elements, &elements, sizeof elements, 0};
    } else if (moon_fields > 0) {
        if (!read_circle(csv, &circle)) return false;
        column[columns++] = (dz_column){m->circle, &circle, sizeof circle, 0};
    } else {
        return csv_error(csv, csv->line, "%s has a parent, but no orbit", name.text);
    }
    if (!csv_empty(csv, PARENT)) column[columns++] = (dz_column){parent_name, &parent, sizeof parent, 0};

    if (dz_failed(dz_create_with(m->world, 1, column, columns, &entity))) return library_failed("creating a body");
    if (csv_empty(csv, PARENT)) m->sun = entity;
    return name_body(m, csv, entity, &name);
}

/* Makes everybody a child of the one that the file names as its parent, now that every body is there. */
static bool link_bodies(Model *m, const Csv *csv)
{
    dz_query orphans = dz_query_parse(m->world, "[in] ParentName, [in] Body, [in] ?Elements");
    dz_iter it;
    if (m->sun == DZ_NULL) return csv_error(csv, csv->line, "the Sun is missing: no body is without a parent");
    if (orphans.bits == 0) return library_failed("linking the bodies");
    for (dz_iterate(m->world, orphans, &it); dz_next(&it);) {
        DZ_EACH(it, i) { /* and not a plain loop, because its body changes more than values */
            const char *wanted = DZ_AT(it, ParentName, 0, i)->text;
            int line = (int)DZ_AT(it, Body, 1, i)->line;
            bool planet = DZ_AT_IF(it, Elements, 2, i) != NULL;
            dz_entity parent = model_find(m, wanted);
            if (parent == DZ_NULL) return csv_error(csv, line, "unknown parent \"%s\"", wanted);
            if (planet && parent != m->sun) {
                return csv_error(csv, line, "the parent \"%s\" isn't the Sun, and planets go round the Sun", wanted);
            }
            if (!planet && !dz_has(m->world, parent, m->elements)) {
                return csv_error(csv, line, "the parent \"%s\" isn't a planet, and moons go round planets", wanted);
            }
            if (dz_failed(dz_set_parent(m->world, dz_iter_entity(&it, i), parent))) return library_failed("linking a body");
        }
    }
    return iterated(&it, "linking the bodies") &&
        (!dz_failed(dz_query_destroy(m->world, orphans)) || library_failed("linking the bodies"));
}

static bool read_bodies(Model *m, const char *path)
{
    Csv csv;
    dz_id parent_name = DZ_COMPONENT(m->world, ParentName);
    int got;
    bool good;
    if (parent_name == DZ_NULL) return library_failed("registering the components");
    if (!csv_open(&csv, path, column_names, COLUMNS)) return false;
    while ((got = csv_row(&csv)) == 1) {
        if (!read_body(m, &csv, parent_name)) got = -1;
        if (got < 0) break;
    }
    good = got == 0 && link_bodies(m, &csv);
    csv_close(&csv);
    if (!good) return false;
    /* The names have done their work: this takes them off all bodies and gives their memory back. */
    if (dz_failed(dz_component_unregister(m->world, parent_name))) return library_failed("linking the bodies");
    return true;
}

bool model_open(Model *m, const char *data_path)
{
    memset(m, 0, sizeof *m);
    m->world = dz_world_create(NULL);
    if (!dz_world_is_alive(m->world)) return library_failed("creating the world");
    m->name = DZ_COMPONENT(m->world, Name);
    m->body = DZ_COMPONENT(m->world, Body);
    m->offset = DZ_COMPONENT(m->world, Offset);
    m->position = DZ_COMPONENT(m->world, Position);
    m->elements = DZ_COMPONENT(m->world, Elements);
    m->circle = DZ_COMPONENT(m->world, Circle);
    m->ellipse = DZ_COMPONENT(m->world, Ellipse);
    if (m->name == DZ_NULL || m->body == DZ_NULL || m->offset == DZ_NULL || m->position == DZ_NULL ||
        m->elements == DZ_NULL || m->circle == DZ_NULL || m->ellipse == DZ_NULL) {
        return library_failed("registering the components");
    }
    /* Who has what, in words. That nobody has any of it yet is no error: a query finds who matches when it is iterated. */
    m->listed = dz_query_parse(m->world, "[in] Name, [in] Offset, [in] ?Name(parent)");
    m->planets = dz_query_parse(m->world, "Offset, [in] Elements, [in] Name, [in] Body");
    m->moons = dz_query_parse(m->world, "Offset, [in] Circle, [in] Name, [in] Body");
    m->belt = dz_query_parse(m->world, "Position, [in] Ellipse");
    m->family = dz_query_parse(m->world, "[cascade] Position, [in] Offset, [in] Position(parent)");
    if (m->listed.bits == 0 || m->planets.bits == 0 || m->moons.bits == 0 || m->belt.bits == 0 || m->family.bits == 0) {
        return library_failed("making the queries");
    }
    return read_bodies(m, data_path);
}

void model_close(Model *m)
{
    if (dz_world_is_alive(m->world)) dz_world_destroy(m->world);
}

dz_entity model_find(const Model *m, const char *name)
{
    dz_iter it;
    for (dz_iterate_pool(m->world, m->name, DZ_FORWARD, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (strcmp(DZ_ITEM(it, Name, i)->text, name) == 0) return dz_iter_entity(&it, i);
        }
    }
    return DZ_NULL;
}

dz_entity model_lookup(const Model *m, const char *path)
{
    char plain[4 * NAME_SIZE]; /* nobody has a longer path: three names and the dots between them */
    if (strlen(path) >= sizeof plain) return DZ_NULL;
    small(plain, path);
    return dz_lookup(m->world, DZ_NULL, plain, NULL);
}

/* --- the belt ------------------------------------------------------------------------------------------------------- */

/* splitmix64 (Steele, Lea and Flood 2014), always from the same seed: the same belt for everyone. */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* A value of the Rayleigh distribution with that mean, below `most`. */
static double rayleigh(uint64_t *state, double mean, double most)
{
    double value;
    do value = mean * sqrt(2.0 / SKY_PI) * sqrt(-2.0 * log(1.0 - uniform(state))); while (value >= most);
    return value;
}

/* Semi-major axes of the main belt: from the 4:1 resonance with Jupiter (2.06 au) to the 2:1 (3.27 au), nearly empty at the
 * Kirkwood gaps in between: 3:1 (2.50 au), 5:2 (2.82 au) and 7:3 (2.95 au). */
static double belt_axis(uint64_t *state)
{
    static const double gap[] = {2.50, 2.82, 2.95}, width[] = {0.030, 0.020, 0.012};
    for (;;) {
        double a = 2.06 + (3.27 - 2.06) * uniform(state), keep = 1.0;
        for (int k = 0; k < 3; k++) keep -= 0.97 * exp(-pow((a - gap[k]) / width[k], 2.0));
        if (uniform(state) < keep) return a;
    }
}

bool model_add_belt(Model *m, uint32_t count)
{
    enum { CHUNK = 512 };
    static const double gauss = 0.01720209895; /* radians per day at 1 au */
    Ellipse ellipse[CHUNK];
    uint64_t state = 20260101;
    const dz_column columns[] = {{m->ellipse, ellipse, sizeof *ellipse, 0}, {m->position, NULL, sizeof(Position), 0}};
    /* Not needed, but then the list of entities grows once, and a count that can't be had is told at once. */
    if (dz_failed(dz_reserve(m->world, count))) return library_failed("making room for the belt");
    while (count > 0) {
        uint32_t n = count < CHUNK ? count : CHUNK;
        for (uint32_t k = 0; k < n; k++) {
            Kepler el;
            el.a = belt_axis(&state);
            el.e = rayleigh(&state, 0.15, 0.40);
            el.i = rayleigh(&state, 8.0, 35.0);
            el.l = 360.0 * uniform(&state);
            el.peri = 360.0 * uniform(&state);
            el.node = 360.0 * uniform(&state);
            ellipse[k].conic = sky_conic(&el);
            ellipse[k].anomaly = (el.l - el.peri) * SKY_DEGREE;
            ellipse[k].rate = gauss / (el.a * sqrt(el.a));
        }
        /* n entities with both components in one call; their handles aren't needed. */
        if (dz_failed(dz_create_with(m->world, n, columns, 2, NULL))) return library_failed("creating the belt");
        count -= n;
    }
    return true;
}

/* --- the systems ---------------------------------------------------------------------------------------------------- */

/* Each is a loop over those who have the component that says how a body moves, and writes where they are: planets and moons as
 * seen from their parents. The last one goes through the hierarchy. */

Kepler model_elements_at(const Elements *elements, double jd)
{
    const Kepler *at = &elements->at_j2000, *cy = &elements->per_century;
    double t = (jd - SKY_J2000) / 36525.0;
    return (Kepler){at->a + cy->a * t, at->e + cy->e * t, at->i + cy->i * t,
                    at->l + cy->l * t, at->peri + cy->peri * t, at->node + cy->node * t};
}

static bool place_planets(const Model *m, double jd)
{
    dz_iter it;
    for (dz_iterate(m->world, m->planets, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            Kepler now = model_elements_at(DZ_AT(it, Elements, ORBIT, i), jd);
            Offset *offset = DZ_AT(it, Offset, ORBIT_PLACE, i);
            Conic conic;
            if (!(now.a > 0.0 && now.e >= 0.0 && now.e < 1.0)) { /* rates hold for some centuries, not for ever */
                fprintf(stderr, "orrery: the elements of %s make no ellipse on that date (a = %g, e = %g)\n",
                        DZ_AT(it, Name, ORBIT_NAME, i)->text, now.a, now.e);
                return false;
            }
            conic = sky_conic(&now);
            *offset = sky_on_conic(&conic, sky_eccentric_anomaly((now.l - now.peri) * SKY_DEGREE, now.e));
        }
    }
    return iterated(&it, "placing the planets");
}

static bool place_moons(const Model *m, double jd)
{
    double days = jd - SKY_J2000;
    dz_iter it;
    for (dz_iterate(m->world, m->moons, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Circle *circle = DZ_AT(it, Circle, ORBIT, i);
            double angle = circle->angle + circle->rate * days, c = cos(angle), s = sin(angle);
            *DZ_AT(it, Offset, ORBIT_PLACE, i) = (Vec){circle->u.x * c + circle->v.x * s,
                circle->u.y * c + circle->v.y * s, circle->u.z * c + circle->v.z * s};
        }
    }
    return iterated(&it, "placing the moons");
}

static bool place_belt(const Model *m, double jd)
{
    double days = jd - SKY_J2000;
    dz_iter it;
    for (dz_iterate(m->world, m->belt, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Ellipse *ellipse = DZ_AT(it, Ellipse, ORBIT, i);
            double anomaly = ellipse->anomaly + ellipse->rate * days;
            *DZ_AT(it, Position, ORBIT_PLACE, i) =
                sky_on_conic(&ellipse->conic, sky_eccentric_anomaly(anomaly, ellipse->conic.e));
        }
    }
    return iterated(&it, "placing the belt");
}

/* Parents come before their children, so that the parent's Position is that of the day already. The Sun has no parent: it
 * doesn't match, and stays where it is. */
static bool place_family(const Model *m)
{
    dz_iter it;
    for (dz_iterate(m->world, m->family, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Position *from = DZ_AT(it, Position, FAMILY_PARENT, i);
            const Offset *offset = DZ_AT(it, Offset, FAMILY_OFFSET, i);
            *DZ_AT(it, Position, FAMILY_POSITION, i) = (Vec){from->x + offset->x, from->y + offset->y, from->z + offset->z};
        }
    }
    return iterated(&it, "placing the bodies about their parents");
}

bool model_place(Model *m, double jd)
{
    return place_planets(m, jd) && place_moons(m, jd) && place_belt(m, jd) && place_family(m);
}
