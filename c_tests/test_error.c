/* Errors: kept for the thread until cleared, told as sentences that name the culprit. */
#include "check.h"

typedef struct { float x, y; } Position;

static void keeping(void)
{
    dz_world world = check_world();
    dz_entity e = dz_create(world);
    const char *message;
    CHECK_IS(dz_error_status(), DZ_OK);
    CHECK(strcmp(dz_error_message(), "") == 0); /* none so far */
    CHECK_OK(dz_destroy(world, e));
    CHECK_IS(dz_destroy(world, e), DZ_ERR_DEAD);
    CHECK_IS(dz_error_status(), DZ_ERR_DEAD);
    CHECK(dz_create(world) != 0); /* success leaves it alone, */
    CHECK_IS(dz_create_n(world, 0, &e), DZ_NOTHING_TO_DO); /* and so does an answer */
    CHECK_IS(dz_error_status(), DZ_ERR_DEAD);
    CHECK_IS(dz_destroy(world, 0), DZ_ERR_NULL_ENTITY); /* the last one counts */
    CHECK_IS(dz_error_status(), DZ_ERR_NULL_ENTITY);
    message = dz_error_message();
    CHECK(message && strlen(message) > 10 && strlen(message) < 1000);
    CHECK(strchr(message, '\n') == NULL);
    dz_error_clear();
    CHECK_IS(dz_error_status(), DZ_OK);
    CHECK(strcmp(dz_error_message(), "") == 0);
    CHECK_OK(dz_world_destroy(world));
    CHECK_IS(dz_world_destroy(world), DZ_ERR_WORLD_DEAD);
    CHECK(strlen(dz_error_message()) > 10); /* readable when the world is gone */
}

/* The example in the header, to the letter. */
static void example(void)
{
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position);
    dz_entity ship = dz_create(world);
    char want[120];
    CHECK_OK(dz_destroy(world, ship));
    CHECK(dz_get(world, ship, position) == NULL);
    snprintf(want, sizeof want, "dz_get: entity %s is dead: its slot is now at generation 2", check_form(ship));
    CHECK(strcmp(dz_error_message(), want) == 0);
    CHECK_OK(dz_world_destroy(world));
}

/* M62 M63 M64: each error names what was wrong. */
static void culprits(void)
{
    dz_world world = check_world(), other = check_world();
    dz_id position = DZ_COMPONENT(world, Position), tag = DZ_TAG(world, Frozen);
    dz_entity e = dz_create(world), foreign = dz_create(other);
    Position here = {1, 2};
    char text[40];
    dz_entity twice[3];
    dz_world gone = check_world();
    if (check_layout == DZ_LAYOUT_64) {
        CHECK_IS(dz_destroy(world, foreign), DZ_ERR_WRONG_WORLD);
        CHECK_SAYS(check_form(foreign));
        snprintf(text, sizeof text, "W:%u", (unsigned)dz_world_number(world)); /* M63: both the entity and the world */
        CHECK_SAYS(text);
        CHECK_IS(dz_destroy(world, 7), DZ_ERR_WRONG_WORLD);
        CHECK_SAYS("entity E:7[0] has no world: it is an index, or a handle of the 32-bit layout");
    } else {
        foreign = UINT64_C(0x0007000100000100);
        CHECK_IS(dz_destroy(world, foreign), DZ_ERR_WRONG_WORLD);
        CHECK_SAYS("E:7-256[1]");
    }
    CHECK_IS(dz_destroy(world, 0), DZ_ERR_NULL_ENTITY);
    CHECK_SAYS("DZ_NULL");
    CHECK_IS(dz_clear_pool(world, e), DZ_ERR_NOT_COMPONENT);
    CHECK_SAYS(check_form(e));
    CHECK_IS(dz_add(world, position, tag), DZ_ERR_IS_COMPONENT);
    CHECK_SAYS(check_form(position));
    CHECK(dz_get(world, e, tag) == NULL);
    CHECK_IS(dz_error_status(), DZ_ERR_TAG);
    CHECK_SAYS(check_form(tag));
    CHECK_IS(dz_set(world, e, position, 99, &here), DZ_ERR_SIZE);
    CHECK_SAYS("99"), CHECK_SAYS("8");
    twice[0] = foreign = dz_create(world), twice[1] = e, twice[2] = foreign;
    CHECK_IS(dz_add_n(world, twice, 3, tag), DZ_ERR_DUPLICATE);
    CHECK_SAYS(check_form(foreign));
    CHECK_IS(dz_create_at(world, e), DZ_ERR_OCCUPIED);
    CHECK_SAYS(check_form(e));
    CHECK_IS(dz_set(world, e, position, 8, NULL), DZ_ERR_NULL_POINTER);
    CHECK_SAYS("value");
    CHECK_IS(dz_world_stats(world, NULL), DZ_ERR_NULL_POINTER);
    CHECK_SAYS("numbers");
    CHECK_EQ(dz_component_simple(world, "Odd", 12, 8), 0);
    CHECK_IS(dz_error_status(), DZ_ERR_ALIGNMENT);
    CHECK_SAYS("12"), CHECK_SAYS("8");
    CHECK_EQ(dz_component_simple(world, "Position", 16, 4), 0);
    CHECK_SAYS("16"), CHECK_SAYS("8"); /* both shapes */
    CHECK_EQ(dz_listen(world, 77, 0, NULL, NULL).bits, 0);
    CHECK_OK(dz_world_destroy(gone));
    CHECK_IS(dz_world_clear(gone), DZ_ERR_WORLD_DEAD);
    CHECK_SAYS("dz_world_clear");
    CHECK_OK(dz_world_destroy(world));
    CHECK_OK(dz_world_destroy(other));
}

#define SAYS(call, what, text) do { CHECK_IS(call, what); CHECK_SAYS(text); } while (0)
#define SAYS_0(call, what, text) do { CHECK_EQ(call, 0); CHECK_IS(dz_error_status(), what); CHECK_SAYS(text); } while (0)

static void quiet(const dz_event *event, void *user)
{
    (void)event, (void)user;
}

/* What is out of range says what is in it, or why it can't be. */
static void ranges(void)
{
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position), likes = dz_create(world);
    dz_entity e = dz_create(world), other = dz_create(world), some[2];
    dz_world_desc desc = DZ_WORLD_DESC_INIT;
    dz_query linked, plain = dz_query_parse(world, "Position");
    dz_iter it;
    char want[120];
    CHECK_OK(dz_add(world, e, position));
    CHECK_OK(dz_add_pair(world, e, likes, other));
    CHECK_OK(dz_set_name(world, likes, "Likes"));
    linked = dz_query_parse(world, "(Likes, *)");
    desc.max_entities = 14, desc.reserved_components = 10, desc.capacity = 10;
    SAYS_0(dz_world_create(&desc).bits, DZ_ERR_COUNT, "capacity is 10, but must be 0 to 4");
    desc.max_entities = 100, desc.reserved_components = 100;
    SAYS_0(dz_world_create(&desc).bits, DZ_ERR_RANGE,
           "max_entities, which reserved_components count among, is 100, but must be 101 to ");
    SAYS(dz_iterate_part(world, linked, 0, 2, &it), DZ_ERR_RANGE, "pairs");
    CHECK_SAYS(" is 2, but must be 1");
    SAYS(dz_iterate_part(world, plain, 2, 2, &it), DZ_ERR_RANGE, "part is 2, but must be 0 or 1");
    CHECK_OK(dz_iterate_part(world, plain, 0, 2, &it));
    SAYS(dz_restart(&it), DZ_ERR_RANGE, "iter is of a pool, of a group or of a part, which can't be started over");
    snprintf(want, sizeof want, "entity %s is given as id, but DZ_ON_CREATE", check_form(position));
    SAYS_0(dz_listen(world, DZ_ON_CREATE, position, quiet, NULL).bits, DZ_ERR_RANGE, want);
    CHECK_OK(dz_iterate_pool(world, position, DZ_FORWARD, &it));
    SAYS_0(dz_iter_target(&it, 0, 0), DZ_ERR_ITER, "the dz_iter is of a pool or of a group, not of a query");
    memset(&it, 0, sizeof it);
    SAYS_0(dz_iter_target(&it, 0, 0), DZ_ERR_ITER, "was not started by a dz_iterate function");
    CHECK_OK(dz_iterate(world, linked, &it));
    SAYS_0(dz_iter_target(&it, 0, 0), DZ_ERR_RANGE, "at no batch");
    CHECK(dz_next(&it));
    SAYS_0(dz_iter_target(&it, 0, 1), DZ_ERR_RANGE, "i is 1, but must be 0");
    SAYS_0(dz_lookup(world, 0, "", NULL), DZ_ERR_NAME, "path is empty");
    SAYS_0(dz_lookup(world, 0, "Likes", ""), DZ_ERR_NAME, "separator is empty");
    SAYS(dz_create_n(world, UINT32_MAX, some), DZ_ERR_FULL, "no room for 4294967295 more: the world can have ");
    CHECK_SAYS(" slots in all");
    CHECK_OK(dz_set_parent(world, other, e));
    SAYS_0(dz_children(world, e, likes, some, 2), DZ_ERR_SIBLING, " is not a child of E:");
    SAYS(dz_move_child(world, other, DZ_PLACE_AFTER, likes), DZ_ERR_SIBLING, " is not a child of E:");
    SAYS(dz_move_child(world, other, DZ_PLACE_AFTER, other), DZ_ERR_SIBLING, " is not another child of E:");
    SAYS_0(dz_world_create(&(dz_world_desc){0}).bits, DZ_ERR_DESC_SIZE, ": begin with DZ_WORLD_DESC_INIT");
    SAYS_0(dz_component_register(world, &(dz_component_desc){0}), DZ_ERR_DESC_SIZE, "DZ_COMPONENT_DESC_INIT");
    SAYS(dz_relation_set(world, likes, &(dz_relation_desc){0}), DZ_ERR_DESC_SIZE, "DZ_RELATION_DESC_INIT");
    SAYS_0(dz_query_create(world, &(dz_query_desc){0}).bits, DZ_ERR_DESC_SIZE, "DZ_QUERY_DESC_INIT");
    SAYS_0(dz_group_create(world, &(dz_group_desc){0}).bits, DZ_ERR_DESC_SIZE, "DZ_GROUP_DESC_INIT");
    CHECK_OK(dz_world_destroy(world));
}

/* A query's text: each fault has its column. */
static void texts(void)
{
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position), likes = DZ_TAG(world, Likes);
    char want[160];
    (void)position, (void)likes;
    SAYS_0(dz_query_parse(world, "(Likes, $)").bits, DZ_ERR_SYNTAX, "column 10: a variable's name is expected");
    SAYS_0(dz_query_parse(world, "Position($)").bits, DZ_ERR_SYNTAX, "column 11: a variable's name is expected");
    SAYS_0(dz_query_parse(world, "[In] Position").bits, DZ_ERR_SYNTAX,
           "column 2: in, out, inout, none, cascade or bases is expected");
    SAYS_0(dz_query_parse(world, "[in Position").bits, DZ_ERR_SYNTAX, "column 5: ] is expected");
    SAYS_0(dz_query_parse(world, "Likes, Position Likes").bits, DZ_ERR_SYNTAX,
           "column 17: a comma is missing before this, or no component or entity has that name: \"Position Likes\"");
    SAYS_0(dz_query_parse(world, "Position, [In] Likes").bits, DZ_ERR_SYNTAX,
           "column 12: in, out, inout or none is expected");
    SAYS_0(dz_query_parse(world, "Position, Likes($port)").bits, DZ_ERR_RANGE,
           "dz_query_parse: column 11: the source is a variable that no earlier term binds");
    SAYS_0(dz_query_parse(world, "Position, !(Likes, $port)").bits, DZ_ERR_RANGE,
           "column 12: the target is a variable that no earlier term binds");
    snprintf(want, sizeof want, "column 11: component \"Position\" (%s) stands twice in the query", check_form(position));
    SAYS_0(dz_query_parse(world, "Position, Position").bits, DZ_ERR_DUPLICATE, want);
    SAYS_0(dz_query_parse(world, "Position, (Likes, *), (Likes, *)").bits, DZ_ERR_DUPLICATE, "column 23: ");
    CHECK_SAYS("with the same target and source");
    SAYS_0(dz_query_parse(world, "Position || (Likes, *)").bits, DZ_ERR_RANGE,
           "column 13: an any-of term (||) can't be of a pair");
    SAYS_0(dz_query_parse(world, "Position, Component").bits, DZ_ERR_BUILTIN, "column 11: component \"Component\"");
    CHECK_OK(dz_world_destroy(world));
}

/* Of several, which is at fault is said, and where it stands. */
static void entries(void)
{
    dz_world world = check_world();
    dz_id position = DZ_COMPONENT(world, Position), frozen = DZ_TAG(world, Frozen), owned[3];
    dz_entity e[3] = {dz_create(world), dz_create(world), dz_create(world)}, dead = dz_create(world), none = DZ_NULL;
    dz_column columns[2] = {{0}, {0}};
    dz_group_desc group = DZ_GROUP_DESC_INIT;
    dz_query_desc query = DZ_QUERY_DESC_INIT;
    dz_term terms[3];
    Position here[3] = {{0, 0}, {0, 0}, {0, 0}};
    const void *at[3];
    uint8_t has[3];
    CHECK_OK(dz_destroy(world, dead));
    e[2] = DZ_NULL;
    SAYS(dz_add_n(world, e, 3, position), DZ_ERR_NULL_ENTITY, "dz_add_n: entities[2]: the entity is DZ_NULL");
    SAYS(dz_set_n(world, e, 3, position, sizeof *here, here), DZ_ERR_NULL_ENTITY, "entities[2]: the entity is DZ_NULL");
    e[1] = dead, e[2] = e[0];
    SAYS(dz_remove_n(world, e, 3, position), DZ_ERR_DEAD, "entities[1]: entity E:");
    SAYS(dz_get_n(world, e, 3, position, at), DZ_ERR_DEAD, "entities[1]: entity E:");
    SAYS(dz_has_n(world, e, 3, position, has), DZ_ERR_DEAD, "entities[1]: entity E:");
    e[1] = position;
    SAYS(dz_add_n(world, e, 3, frozen), DZ_ERR_IS_COMPONENT, "entities[1]: component \"Position\"");
    e[1] = dz_create(world);
    SAYS(dz_destroy_n(world, e, 3, NULL), DZ_ERR_DUPLICATE, "entities[2]: entity E:");
    e[0] = check_handle(world, 900, 1), e[1] = check_handle(world, 901, 1), e[2] = check_handle(world, 900, 2);
    SAYS(dz_create_at_n(world, e, 3), DZ_ERR_DUPLICATE, " stands twice in entities, by its index");
    e[2] = check_handle(world, 902, 0);
    SAYS(dz_create_at_n(world, e, 3), DZ_ERR_NEVER_CREATED, "entities[2]: entity E:");
    CHECK_SAYS(" has generation 0, which nobody has");
    columns[0].id = position, columns[0].values = here, columns[0].element_size = sizeof *here;
    SAYS(dz_create_with(world, 1, columns, 2, &none), DZ_ERR_NULL_ENTITY, "columns[1]: the component is DZ_NULL");
    columns[1].id = frozen, columns[1].reserved = 7;
    SAYS(dz_create_with(world, 1, columns, 2, &none), DZ_ERR_RANGE, "columns[1]: reserved is 7, but must be 0");
    owned[0] = position, owned[1] = frozen, owned[2] = DZ_NULL;
    group.owned = owned, group.owned_count = 3;
    SAYS_0(dz_group_create(world, &group).bits, DZ_ERR_NULL_ENTITY, "owned[2]: the component is DZ_NULL");
    group.owned_count = 2, group.included = owned, group.included_count = 1;
    SAYS_0(dz_group_create(world, &group).bits, DZ_ERR_DUPLICATE, "included[0]: component \"Position\"");
    CHECK_SAYS(" stands twice in the group");
    memset(terms, 0, sizeof terms);
    terms[0].id = position;
    query.terms = terms, query.term_count = 2;
    SAYS_0(dz_query_create(world, &query).bits, DZ_ERR_NULL_ENTITY, "terms[1]: the id is DZ_NULL");
    terms[1].id = frozen, terms[1].target = dead;
    SAYS_0(dz_query_create(world, &query).bits, DZ_ERR_DEAD, "terms[1]: target E:");
    terms[1].target = DZ_UP;
    SAYS_0(dz_query_create(world, &query).bits, DZ_ERR_ROLE, "terms[1]: target DZ_UP has role bits");
    terms[1].target = DZ_NULL, terms[1].source = DZ_ANY;
    SAYS_0(dz_query_create(world, &query).bits, DZ_ERR_ROLE, "terms[1]: source DZ_ANY has role bits");
    terms[1].source = DZ_NULL, terms[1].id = DZ_ROLE(200, frozen), terms[1].target = position;
    SAYS_0(dz_query_create(world, &query).bits, DZ_ERR_ROLE, "terms[1]: id DZ_ROLE(200, ");
    CHECK_SAYS(") has a role that means nothing here");
    CHECK(!strstr(dz_error_message(), "a program's own"));
    SAYS(dz_add(world, position, DZ_ROLE(50, frozen)), DZ_ERR_IS_COMPONENT, "is given where a plain entity is meant");
    SAYS(dz_add(world, dz_create(world), DZ_ROLE(50, frozen)), DZ_ERR_ROLE, "dz_add: id DZ_ROLE(50, ");
    CHECK_SAYS(") has a role that means nothing here: a program's own are 128 to 255");
    SAYS_0(dz_query_parse(world, "Position, [out] Frozen(inherit)").bits, DZ_ERR_RANGE,
           "column 17: a term with (inherit) only reads: it can't be [out]");
    CHECK_OK(dz_world_destroy(world));
}

/* Of a long name as much is told as fits, and that it goes on; what has no name is no component. */
static void long_names(void)
{
    dz_world world = check_world();
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    char name[256], want[300];
    dz_entity e = dz_create(world), other = dz_create(world);
    dz_id long_one, tag = DZ_TAG(world, Frozen);
    uint32_t i;
    for (i = 0; i < 255; i++) name[i] = (char)('a' + i % 26);
    name[255] = 0;
    desc.name = name, desc.element_size = 8, desc.element_alignment = 4;
    long_one = dz_component_register(world, &desc);
    snprintf(want, sizeof want, "dz_set: component \"%.120s...\" (E:", name);
    SAYS(dz_set(world, e, long_one, 4, &e), DZ_ERR_SIZE, want);
    name[120] = 0;
    CHECK_OK(dz_set_name(world, e, name));
    snprintf(want, sizeof want, "the name \"%s\" is taken", name);
    SAYS(dz_set_name(world, other, name), DZ_ERR_NAME_TAKEN, want);
    snprintf(want, sizeof want, "dz_get: id %s is an entity, and no component: it has no data", check_form(e));
    SAYS_0(dz_get(world, other, e), DZ_ERR_TAG, want);
    snprintf(want, sizeof want, "neither the relation, id %s, nor the target has data", check_form(e));
    SAYS_0(dz_get_pair(world, other, e, tag), DZ_ERR_TAG, want);
    SAYS(dz_set_pair(world, other, e, tag, 4, &e), DZ_ERR_TAG, want);
    SAYS(dz_add(world, other, DZ_CHILDOF(DZ_ANY)), DZ_ERR_ROLE, "dz_add: id is of DZ_ANY, which only a pair's halves can be");
    SAYS(dz_set(world, other, tag, 0, NULL), DZ_ERR_TAG, "component \"Frozen\"");
    SAYS(dz_set_name(world, other, ""), DZ_ERR_NAME, "name is empty");
    SAYS(dz_set_component_enabled(world, other, tag, false), DZ_ERR_NOT_HELD, " of its own");
    SAYS_0(dz_generation(world, 5000), DZ_ERR_RANGE, "index, of a slot that was used, is 5000, but must be 0 to ");
    CHECK_OK(dz_world_destroy(world));
}

static void text_is(dz_entity entity, const char *want)
{
    char text[64];
    uint32_t n, length = (uint32_t)strlen(want);
    memset(text, '#', sizeof text);
    CHECK_EQ(dz_entity_text(entity, text, sizeof text), length);
    if (!CHECK(strcmp(text, want) == 0)) fprintf(stderr, "    %s, not %s\n", text, want);
    CHECK_EQ(dz_entity_text(entity, NULL, 0), length); /* like snprintf */
    for (n = 1; n <= length + 1; n++) {
        memset(text, '#', sizeof text);
        CHECK_EQ(dz_entity_text(entity, text, n), length);
        CHECK(strlen(text) == n - 1 && strncmp(text, want, n - 1) == 0);
        CHECK_EQ(text[n], '#'); /* nothing behind the room that there is */
    }
}

/* M64 */
static void print_form(void)
{
    text_is(UINT64_C(0x0001000100000100), "E:1-256[1]");
    text_is(UINT64_C(0x00fffffefffffffe), "E:255-4294967294[65534]");
    text_is(0x00100100, "E:256[1]");
    text_is(0x00100000, "E:0[1]");
    text_is(DZ_NULL, "E:null");
    dz_error_clear();
    CHECK_EQ(dz_entity_text(1, NULL, 5), 0);
    CHECK_IS(dz_error_status(), DZ_ERR_NULL_POINTER);
    CHECK(dz_entity_text(UINT64_MAX, NULL, 0) > 0); /* anything has a form */
}

static void names(void)
{
    static const struct { int32_t status; const char *name; } rows[] = {
        {DZ_OK, "DZ_OK"}, {DZ_ALREADY_THERE, "DZ_ALREADY_THERE"}, {DZ_NOT_THERE, "DZ_NOT_THERE"},
        {DZ_NOTHING_TO_DO, "DZ_NOTHING_TO_DO"}, {DZ_ERR_NULL_POINTER, "DZ_ERR_NULL_POINTER"},
        {DZ_ERR_WORLD_NULL, "DZ_ERR_WORLD_NULL"}, {DZ_ERR_WORLD_DEAD, "DZ_ERR_WORLD_DEAD"},
        {DZ_ERR_WORLD_UNKNOWN, "DZ_ERR_WORLD_UNKNOWN"}, {DZ_ERR_WORLD_BROKEN, "DZ_ERR_WORLD_BROKEN"},
        {DZ_ERR_TOO_MANY_WORLDS, "DZ_ERR_TOO_MANY_WORLDS"}, {DZ_ERR_NULL_ENTITY, "DZ_ERR_NULL_ENTITY"},
        {DZ_ERR_TOMBSTONE, "DZ_ERR_TOMBSTONE"}, {DZ_ERR_DEAD, "DZ_ERR_DEAD"},
        {DZ_ERR_NEVER_CREATED, "DZ_ERR_NEVER_CREATED"}, {DZ_ERR_WRONG_WORLD, "DZ_ERR_WRONG_WORLD"},
        {DZ_ERR_RETIRED, "DZ_ERR_RETIRED"}, {DZ_ERR_ROLE, "DZ_ERR_ROLE"}, {DZ_ERR_IS_COMPONENT, "DZ_ERR_IS_COMPONENT"},
        {DZ_ERR_NOT_COMPONENT, "DZ_ERR_NOT_COMPONENT"}, {DZ_ERR_DUPLICATE, "DZ_ERR_DUPLICATE"},
        {DZ_ERR_OCCUPIED, "DZ_ERR_OCCUPIED"}, {DZ_ERR_RESERVED, "DZ_ERR_RESERVED"}, {DZ_ERR_SIZE, "DZ_ERR_SIZE"},
        {DZ_ERR_TAG, "DZ_ERR_TAG"}, {DZ_ERR_ALIGNMENT, "DZ_ERR_ALIGNMENT"}, {DZ_ERR_SHAPE, "DZ_ERR_SHAPE"},
        {DZ_ERR_NAME, "DZ_ERR_NAME"}, {DZ_ERR_HELD, "DZ_ERR_HELD"}, {DZ_ERR_BUILTIN, "DZ_ERR_BUILTIN"},
        {DZ_ERR_NOT_ELEMENT, "DZ_ERR_NOT_ELEMENT"}, {DZ_ERR_HOOK_FAILED, "DZ_ERR_HOOK_FAILED"},
        {DZ_ERR_IN_HOOK, "DZ_ERR_IN_HOOK"}, {DZ_ERR_LISTENER, "DZ_ERR_LISTENER"}, {DZ_ERR_POLICY, "DZ_ERR_POLICY"},
        {DZ_ERR_GROUP, "DZ_ERR_GROUP"}, {DZ_ERR_GROUPED, "DZ_ERR_GROUPED"}, {DZ_ERR_OWNED, "DZ_ERR_OWNED"},
        {DZ_ERR_NOT_TERM, "DZ_ERR_NOT_TERM"},
        {DZ_ERR_OUT_OF_MEMORY, "DZ_ERR_OUT_OF_MEMORY"}, {DZ_ERR_BUDGET, "DZ_ERR_BUDGET"}, {DZ_ERR_FULL, "DZ_ERR_FULL"},
        {DZ_ERR_EXHAUSTED, "DZ_ERR_EXHAUSTED"}, {DZ_ERR_COUNT, "DZ_ERR_COUNT"}, {DZ_ERR_DESC_SIZE, "DZ_ERR_DESC_SIZE"},
        {DZ_ERR_DESC_TAIL, "DZ_ERR_DESC_TAIL"}, {DZ_ERR_ENUM, "DZ_ERR_ENUM"}, {DZ_ERR_RANGE, "DZ_ERR_RANGE"},
        {DZ_ERR_ITER, "DZ_ERR_ITER"}, {DZ_ERR_CHANGED, "DZ_ERR_CHANGED"}, {DZ_ERR_ALLOCATOR, "DZ_ERR_ALLOCATOR"},
        {DZ_ERR_INSTRUCTIONS, "DZ_ERR_INSTRUCTIONS"}, {DZ_ERR_QUERY, "DZ_ERR_QUERY"},
        {DZ_ERR_QUERY_LOST, "DZ_ERR_QUERY_LOST"}, {DZ_ERR_NO_TERM, "DZ_ERR_NO_TERM"}, {DZ_ERR_ORDER, "DZ_ERR_ORDER"},
        {DZ_ERR_SYNTAX, "DZ_ERR_SYNTAX"}, {DZ_ERR_NOT_KEPT, "DZ_ERR_NOT_KEPT"},
        {DZ_ERR_NOT_SINGLE, "DZ_ERR_NOT_SINGLE"}, {DZ_ERR_NO_PAIR, "DZ_ERR_NO_PAIR"},
        {DZ_ERR_PAIR_HELD, "DZ_ERR_PAIR_HELD"}, {DZ_ERR_CYCLE, "DZ_ERR_CYCLE"}, {DZ_ERR_TRAITS, "DZ_ERR_TRAITS"},
        {DZ_ERR_DEEP, "DZ_ERR_DEEP"}, {DZ_ERR_SIBLING, "DZ_ERR_SIBLING"}, {DZ_ERR_NO_PARENT, "DZ_ERR_NO_PARENT"},
        {DZ_ERR_NAME_TAKEN, "DZ_ERR_NAME_TAKEN"}, {DZ_ERR_NOT_HELD, "DZ_ERR_NOT_HELD"},
        {DZ_ERR_INHERITED, "DZ_ERR_INHERITED"}};
    size_t i;
    int32_t status, known = 0;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(strcmp(dz_status_name(rows[i].status), rows[i].name) == 0);
        CHECK_EQ(dz_failed((dz_status)rows[i].status), rows[i].status < 0);
    }
    for (status = -200; status < 200; status++) known += strcmp(dz_status_name(status), "DZ_UNKNOWN_STATUS") != 0;
    CHECK_EQ(known, sizeof rows / sizeof *rows);
    CHECK(strcmp(dz_status_name(INT32_MIN), "DZ_UNKNOWN_STATUS") == 0);
    CHECK(strcmp(dz_status_name(INT32_MAX), "DZ_UNKNOWN_STATUS") == 0);
}

int main(void)
{
    RUN(keeping);
    RUN(example);
    RUN(culprits);
    RUN(ranges);
    RUN(texts);
    RUN(entries);
    RUN(long_names);
    RUN(print_form);
    RUN(names);
    return check_done();
}
