/* dz_describe: what a handle means, in a line. Debuggers and logs call it at any moment, so it must disturb nothing. */
#include "check.h"

typedef struct { float x, y, z; } Position;
typedef struct { float x, y, z; } Velocity;

static dz_world world;

/* What is behind the print form. */
static void means(dz_world of, dz_id id, const char *want)
{
    char text[512], whole[512], form[64];
    uint32_t length, n;
    dz_entity_text(id, form, sizeof form);
    snprintf(whole, sizeof whole, "%s%s", form, want);
    memset(text, '#', sizeof text);
    length = dz_describe(of, id, text, sizeof text);
    if (!CHECK(strcmp(text, whole) == 0)) fprintf(stderr, "    %s\n    is not\n    %s\n", text, whole);
    CHECK_EQ(length, strlen(whole));
    CHECK_EQ(dz_describe(of, id, NULL, 0), length);
    for (n = 1; n <= length + 1 && n < sizeof text; n++) { /* like snprintf */
        memset(text, '#', sizeof text);
        CHECK_EQ(dz_describe(of, id, text, n), length);
        CHECK(strlen(text) == n - 1 && strncmp(text, whole, n - 1) == 0);
        CHECK_EQ(text[n], '#');
    }
}

/* The lines that the header shows. */
static void lines(void)
{
    dz_id position, velocity, frozen, pair;
    dz_entity sol, earth, likes, bob, ship, none;
    char want[128], text[64];
    world = check_world();
    position = DZ_COMPONENT(world, Position), velocity = DZ_COMPONENT(world, Velocity), frozen = DZ_TAG(world, Frozen);
    sol = dz_create(world), earth = dz_create(world), likes = dz_create(world), bob = dz_create(world);
    ship = dz_create(world), none = dz_create(world);
    CHECK_OK(dz_set_name(world, sol, "sol"));
    CHECK_OK(dz_set_name(world, earth, "earth"));
    CHECK_OK(dz_set_parent(world, earth, sol));
    CHECK_OK(dz_add(world, earth, position));
    CHECK_OK(dz_add(world, earth, velocity));
    means(world, earth, " alive {Position, Velocity} \"sol.earth\"");
    means(world, sol, " alive {} \"sol\"");
    means(world, none, " alive {}");
    means(world, position, " alive {Component} \"Position\"");
    CHECK_OK(dz_set_name(world, likes, "Likes"));
    CHECK_OK(dz_set_name(world, bob, "bob"));
    CHECK_OK(dz_add_pair(world, ship, likes, bob));
    CHECK_OK(dz_add(world, ship, frozen));
    CHECK_OK(dz_add(world, ship, bob));
    CHECK_OK(dz_add(world, ship, DZ_ROLE(200, bob)));
    /* Components first, then what was added otherwise, the latest before the others. */
    means(world, ship, " alive {Frozen, DZ_ROLE(200, bob), bob, (Likes, bob)}");
    pair = dz_pair(world, likes, bob);
    means(world, pair, " (Likes, bob)");
    means(world, DZ_CHILDOF(sol), " alive {} \"sol\"");
    dz_entity_text(DZ_CHILDOF(sol), text, sizeof text);
    CHECK(strncmp(text, "DZ_CHILDOF(E:", 13) == 0 && text[strlen(text) - 1] == ')');
    dz_entity_text(DZ_INSTANCEOF(sol), text, sizeof text);
    CHECK(strncmp(text, "DZ_INSTANCEOF(E:", 16) == 0);
    dz_entity_text(DZ_ROLE(200, sol), text, sizeof text);
    CHECK(strncmp(text, "DZ_ROLE(200, E:", 15) == 0);
    CHECK_OK(dz_add(world, none, DZ_INSTANCEOF(ship)));
    snprintf(want, sizeof want, " alive {DZ_INSTANCEOF(%s)}", check_form(ship));
    means(world, none, want);
    CHECK_OK(dz_set_enabled(world, sol, false));
    means(world, sol, " alive, disabled {} \"sol\"");
    CHECK_OK(dz_destroy(world, bob));
    means(world, bob, " dead: its slot is now at generation 2");
    means(world, pair, " made by nobody, or an entity of it died");
    CHECK_OK(dz_world_destroy(world));
    means(world, earth, ", its world was destroyed");
}

/* A path may have who has no name, and letters of several bytes are not cut in two. */
static void odd_paths(void)
{
    char form[64], want[160], text[160];
    dz_entity sol, child;
    uint32_t n;
    world = check_world();
    sol = dz_create(world), child = dz_create(world);
    CHECK_OK(dz_set_name(world, sol, "s\303\266l"));
    CHECK_OK(dz_set_parent(world, child, sol));
    dz_entity_text(child, form, sizeof form);
    snprintf(want, sizeof want, "%s alive {} \"s\303\266l.%s\"", form, form);
    CHECK_EQ(dz_describe(world, child, text, sizeof text), strlen(want));
    CHECK(strcmp(text, want) == 0);
    for (n = 1; n <= strlen(want); n++) {
        CHECK_EQ(dz_describe(world, child, text, n), strlen(want));
        CHECK(strlen(text) == n - 1 || (strlen(text) == n - 2 && (want[n - 1] & 0xc0) == 0x80));
        CHECK(strncmp(text, want, strlen(text)) == 0);
    }
    CHECK_OK(dz_world_destroy(world));
}

/* Of who has very many components the first ones are named. */
static void many_components(void)
{
    char name[16], text[4096];
    dz_entity e;
    int i;
    world = check_world();
    e = dz_create(world);
    for (i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "Tag%02d", i);
        CHECK_OK(dz_add(world, e, dz_component_simple(world, name, 0, 1)));
    }
    CHECK(dz_describe(world, e, text, sizeof text) < sizeof text);
    CHECK(strstr(text, "{Tag00, Tag01, ") && strstr(text, ", Tag63, and 36 more}"));
    CHECK_OK(dz_world_destroy(world));
}

/* Without a world: the one that the handle names, or the only one that it can be of. */
static void which_world(void)
{
    dz_world none = {0}, other;
    dz_entity e;
    world = check_world();
    e = dz_create(world);
    means(none, e, " alive {}");
    other = check_world();
    means(other, e, check_layout == DZ_LAYOUT_64 ? " of another world" : " never created");
    means(none, e, check_layout == DZ_LAYOUT_64 ? " alive {}" : "");
    CHECK_OK(dz_world_destroy(world));
    means(none, e, check_layout == DZ_LAYOUT_64 ? ", its world is not alive" : " never created");
    means(world, e, ", its world was destroyed");
    world.bits = 0xfffff001;
    means(world, e, ", its world was never created");
    CHECK_OK(dz_world_destroy(other));
    means(none, e, check_layout == DZ_LAYOUT_64 ? ", its world is not alive" : "");
}

/* Whatever the handle is, nothing is an error but to have no place for the text. */
static void forged(void)
{
    char text[64];
    world = check_world();
    means(world, DZ_NULL, "");
    means(world, check_handle(world, 300, 1), " never created");
    means(world, check_handle(world, check_null_index(), 1), " nobody: the null index");
    means(world, check_handle(world, 256, check_tombstone()), " nobody: the tombstone generation");
    CHECK(dz_describe(world, UINT64_MAX, text, sizeof text) > 0);
    CHECK(dz_describe(world, UINT64_C(0x0300000100000100), text, sizeof text) > 0);
    CHECK_IS(dz_error_status(), DZ_OK);
    CHECK_EQ(dz_describe(world, DZ_NULL, NULL, 5), 0);
    CHECK_IS(dz_error_status(), DZ_ERR_NULL_POINTER);
    dz_error_clear();
    CHECK_OK(dz_world_destroy(world));
}

/* The last error stays what it was. */
static void error_is_left_alone(void)
{
    dz_entity e;
    char before[256], text[256];
    world = check_world();
    e = dz_create(world);
    CHECK_OK(dz_destroy(world, e));
    CHECK_IS(dz_destroy(world, e), DZ_ERR_DEAD);
    snprintf(before, sizeof before, "%s", dz_error_message());
    means(world, e, " dead: its slot is now at generation 2");
    dz_describe(world, UINT64_MAX, text, sizeof text);
    CHECK_IS(dz_error_status(), DZ_ERR_DEAD);
    CHECK(strcmp(before, dz_error_message()) == 0);
    CHECK_OK(dz_world_destroy(world));
}

static dz_entity watched;
static char seen[256];

static int32_t construct(void *elements, uint32_t count, void *user)
{
    (void)user;
    memset(elements, 0, count * sizeof(Position));
    dz_describe(world, watched, seen, sizeof seen);
    return 0;
}

static void on_remove(const dz_event *event, void *user)
{
    (void)user;
    dz_describe(event->world, event->entity, seen, sizeof seen);
}

/* In a listener all is told; inside of a hook, in the middle of a change, only why not. */
static void inside(void)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    dz_id position;
    world = check_world();
    desc.name = "Position", desc.element_size = sizeof(Position), desc.element_alignment = 4;
    desc.hooks.construct = construct;
    position = dz_component_register(world, &desc);
    watched = dz_create(world);
    CHECK_OK(dz_add(world, watched, position));
    CHECK(strstr(seen, "], its world runs a hook"));
    CHECK(dz_listen(world, DZ_ON_REMOVE, position, on_remove, NULL).bits != 0);
    CHECK_OK(dz_remove(world, watched, position));
    CHECK(strstr(seen, "] alive {Position}"));
    CHECK_IS(dz_error_status(), DZ_OK);
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(lines);
    RUN(odd_paths);
    RUN(many_components);
    RUN(which_world);
    RUN(forged);
    RUN(error_is_left_alone);
    RUN(inside);
    return check_done();
}
