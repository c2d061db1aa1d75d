/* Listeners: who is told what, in which order, and what they may do. */
#include "check.h"

typedef struct { int32_t value; } Number;

/* A diary of what happened: one line of text for each call. */
static char diary[8192];

static void note(const char *text)
{
    if (strlen(diary) + strlen(text) + 2 < sizeof diary) strcat(strcat(diary, text), " ");
}

static bool diary_is(const char *want)
{
    bool same = strcmp(diary, want) == 0;
    if (!same) fprintf(stderr, "    diary: %s\n    want:  %s\n", diary, want);
    diary[0] = 0;
    return same;
}
#define DIARY(want) CHECK(diary_is(want))

static dz_id number, tag;

/* Writes name, kind, entity (by index above 256) and the value that can be read meanwhile. */
static void write_down(const dz_event *event, void *user)
{
    static const char *const kinds[] = {"add", "set", "remove", "create", "destroy"};
    char line[80];
    const Number *data = (const Number *)event->data;
    CHECK(event->kind >= 0 && event->kind <= 4);
    CHECK(dz_is_alive(event->world, event->entity)); /* after the change, and before a removal */
    if (event->kind >= DZ_ON_CREATE) {
        CHECK_EQ(event->id, DZ_NULL);
        CHECK(event->data == NULL);
    } else {
        CHECK(dz_has(event->world, event->entity, event->id));
        CHECK_EQ(data == NULL, event->id == tag);
        if (data) CHECK(data == dz_get(event->world, event->entity, event->id));
    }
    snprintf(line, sizeof line, "%s%s%u", (const char *)user, kinds[event->kind],
             (unsigned)dz_entity_index(event->entity) - 256);
    if (event->id && event->id == tag) strcat(line, "T");
    if (data) snprintf(line + strlen(line), 20, "=%d", (int)data->value);
    note(line);
}

static void destruct(void *elements, uint32_t count, void *user)
{
    Number *n = (Number *)elements;
    char line[30];
    uint32_t i;
    for (i = 0; i < count; i++) {
        snprintf(line, sizeof line, "end=%d", (int)n[i].value);
        note(line);
    }
    (void)user;
}

/* A world with a Number (destruct hook) and a tag, and listeners a: on everything, b: on everything after it. */
static dz_world watched(const char *names)
{
    dz_world world = check_world();
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = "Number";
    desc.element_size = sizeof(Number);
    desc.element_alignment = 4;
    desc.hooks.destruct = destruct;
    number = dz_component_register(world, &desc);
    tag = DZ_TAG(world, Tag);
    diary[0] = 0;
    for (; *names; names++) {
        static char users[26][3];
        char *user = users[*names - 'a'];
        int32_t kind;
        user[0] = *names, user[1] = ':';
        for (kind = DZ_ON_ADD; kind <= DZ_ON_DESTROY; kind++) {
            bool component = kind <= DZ_ON_REMOVE;
            CHECK(dz_listen(world, kind, component ? number : DZ_NULL, write_down, user).bits != 0);
            if (component && kind != DZ_ON_SET) CHECK(dz_listen(world, kind, tag, write_down, user).bits != 0);
        }
    }
    return world;
}

static dz_status set(dz_world world, dz_entity e, int32_t value)
{
    Number n;
    n.value = value;
    return dz_set(world, e, number, sizeof n, &n);
}

static void single_calls(void)
{
    dz_world world = watched("ab");
    dz_entity e = dz_create(world);
    Number *n;
    DIARY("a:create0 b:create0 "); /* in the order of connection */
    CHECK_OK(dz_add(world, e, number));
    DIARY("a:add0=0 b:add0=0 ");
    CHECK_IS(dz_add(world, e, number), DZ_ALREADY_THERE);
    DIARY("");
    CHECK_OK(set(world, e, 5));
    CHECK(strstr(diary, "add") == NULL);
    diary[0] = 0;
    n = DZ_GET_MUT(world, e, Number, number);
    n->value = 6;
    DIARY(""); /* get_mut tells nobody */
    CHECK_OK(dz_remove(world, e, number));
    DIARY("a:remove0=6 b:remove0=6 end=6 "); /* before, with the data readable; then the hook */
    CHECK_IS(dz_remove(world, e, number), DZ_NOT_THERE);
    DIARY("");
    CHECK_OK(set(world, e, 7));
    DIARY("a:add0=7 b:add0=7 a:set0=7 b:set0=7 "); /* added, then set */
    CHECK_OK(dz_add(world, e, tag));
    DIARY("a:add0T b:add0T ");
    CHECK_OK(dz_destroy(world, e));
    DIARY("a:destroy0 b:destroy0 a:remove0=7 b:remove0=7 a:remove0T b:remove0T end=7 ");
    CHECK_IS(dz_destroy(world, e), DZ_ERR_DEAD);
    CHECK_IS(dz_add(world, e, number), DZ_ERR_DEAD);
    DIARY("");
    e = dz_create(world);
    diary[0] = 0;
    n = (Number *)dz_get_or_add(world, e, number);
    CHECK(n != NULL);
    DIARY("a:add0=0 b:add0=0 ");
    n = (Number *)dz_get_or_add(world, e, number);
    DIARY("");
    CHECK_OK(dz_world_destroy(world));
}

/* REMOVE of all components, then the destruct hooks. */
static void destroy_order(void)
{
    dz_world world = watched("a");
    dz_entity e = dz_create(world);
    CHECK_OK(dz_add(world, e, tag));
    CHECK_OK(set(world, e, 1));
    diary[0] = 0;
    CHECK_OK(dz_destroy(world, e));
    if (strncmp(diary, "a:destroy0 a:remove0T", 21) == 0) DIARY("a:destroy0 a:remove0T a:remove0=1 end=1 ");
    else DIARY("a:destroy0 a:remove0=1 a:remove0T end=1 ");
    CHECK_OK(dz_world_destroy(world));
}

/* Many at once: all listeners, then all hooks, from the end; with a report one entity after the other. */
static void destroy_many(void)
{
    int report;
    for (report = 0; report < 2; report++) {
        dz_world world = watched("a");
        dz_entity e[2];
        dz_status statuses[2];
        CHECK_OK(dz_create_n(world, 2, e));
        CHECK_OK(set(world, e[0], 1));
        CHECK_OK(set(world, e[1], 2));
        diary[0] = 0;
        CHECK_OK(dz_destroy_n(world, e, 2, report ? statuses : NULL));
        if (report) DIARY("a:destroy0 a:remove0=1 end=1 a:destroy1 a:remove1=2 end=2 ");
        else DIARY("a:destroy0 a:remove0=1 a:destroy1 a:remove1=2 end=2 end=1 ");
        CHECK_OK(dz_world_destroy(world));
    }
}

static void bulk_calls(void)
{
    dz_world world = watched("a");
    dz_entity e[3], made[2], clone;
    Number values[3] = {{1}, {2}, {3}};
    void *pointers[3];
    dz_column columns[2];
    CHECK_OK(dz_create_n(world, 3, e));
    DIARY("a:create0 a:create1 a:create2 ");
    CHECK_OK(dz_add(world, e[1], number));
    diary[0] = 0;
    CHECK_OK(dz_add_n(world, e, 3, number));
    DIARY("a:add0=0 a:add2=0 "); /* once for each entity that it was added to */
    CHECK_OK(dz_remove(world, e[0], number));
    diary[0] = 0;
    CHECK_OK(dz_set_n(world, e, 3, number, sizeof(Number), values));
    CHECK(strstr(diary, "a:add0=1") && !strstr(diary, "add1") && strstr(diary, "set0=1") && strstr(diary, "set1=2") &&
          strstr(diary, "set2=3"));
    diary[0] = 0;
    CHECK_OK(dz_remove_n(world, e, 2, number));
    DIARY("a:remove0=1 a:remove1=2 end=1 end=2 "); /* listeners first */
    diary[0] = 0;
    CHECK_OK(dz_get_or_add_n(world, e, 3, number, pointers));
    DIARY("a:add0=0 a:add1=0 ");
    memset(columns, 0, sizeof columns);
    columns[0].id = tag;
    columns[1].id = number, columns[1].values = values, columns[1].element_size = sizeof(Number);
    CHECK_OK(dz_create_with(world, 2, columns, 2, made));
    DIARY("a:create3 a:add3T a:add3=1 a:create4 a:add4T a:add4=2 "); /* entity by entity, column by column */
    clone = dz_clone(world, made[1]);
    CHECK(clone != 0);
    CHECK(strncmp(diary, "a:create5 ", 10) == 0 && strstr(diary, "a:add5T") && strstr(diary, "a:add5=2"));
    diary[0] = 0;
    e[1] = DZ_NULL; /* refused: nobody is told of the part before the bad entry */
    CHECK_IS(dz_destroy_n(world, e, 3, NULL), DZ_ERR_NULL_ENTITY);
    CHECK_IS(dz_add_n(world, e, 3, tag), DZ_ERR_NULL_ENTITY);
    DIARY("");
    CHECK_OK(dz_world_destroy(world));
}

/* From the last added to the first; then all destruct hooks, from the first to the last. */
static void clear_pool(void)
{
    dz_world world = watched("a");
    dz_entity e[3];
    CHECK_OK(dz_create_n(world, 3, e));
    CHECK_OK(set(world, e[1], 11));
    CHECK_OK(set(world, e[0], 10));
    CHECK_OK(set(world, e[2], 12));
    diary[0] = 0;
    CHECK_OK(dz_clear_pool(world, number));
    DIARY("a:remove2=12 a:remove0=10 a:remove1=11 end=11 end=10 end=12 ");
    CHECK_OK(dz_world_destroy(world));
}

/* What ends, in numbers: 'd' and an entity's index, 'r' (told of) and 'e' (the hook) and a value. */
static struct { char what; int32_t value; } history[1000];
static uint32_t happened;

static void happens(char what, int32_t value)
{
    CHECK(happened < 1000);
    if (happened < 1000) history[happened].what = what, history[happened++].value = value;
}

static void tell(const dz_event *event, void *user)
{
    if (event->kind == DZ_ON_DESTROY) happens('d', (int32_t)dz_entity_index(event->entity));
    else happens('r', ((const Number *)event->data)->value);
    (void)user;
}

/* `user` is the component's descriptor. */
static void end_each(void *elements, uint32_t count, void *user)
{
    uint32_t i, size = ((const dz_component_desc *)user)->element_size;
    for (i = 0; i < count; i++) happens('e', ((const Number *)((const char *)elements + i * size))->value);
}

static dz_id told_of(dz_world world, dz_component_desc *desc, const char *name, uint32_t size, int32_t policy)
{
    dz_component_desc init = DZ_COMPONENT_DESC_INIT;
    dz_id id;
    *desc = init;
    desc->name = name, desc->policy = policy;
    desc->element_size = size, desc->element_alignment = 4;
    desc->hooks.destruct = end_each, desc->hooks.user = desc;
    id = dz_component_register(world, desc);
    CHECK(dz_listen(world, DZ_ON_REMOVE, id, tell, NULL).bits != 0);
    return id;
}

/* The same over several pages, with gaps and without: the first is who is iterated first. */
static void clear_pages(void)
{
    enum { N = 300 };
    static dz_entity e[N];
    static int32_t values[N];
    int32_t policy;
    for (policy = DZ_POLICY_SWAP; policy <= DZ_POLICY_STABLE; policy++) {
        dz_world world = check_world();
        dz_component_desc desc;
        dz_id id = told_of(world, &desc, "Number", sizeof(Number), policy);
        uint32_t i, left = 0;
        dz_iter it;
        CHECK_OK(dz_create_n(world, N, e));
        for (i = 0; i < N; i++) {
            Number n;
            n.value = (int32_t)i;
            CHECK_OK(dz_set(world, e[i], id, sizeof n, &n));
        }
        for (i = 0; i < N; i += 7) CHECK_OK(dz_remove(world, e[i], id));
        for (dz_iterate_pool(world, id, DZ_FORWARD, &it); dz_next(&it);) {
            for (i = 0; i < it.count; i++) values[left++] = DZ_ITEM(it, Number, i)->value;
        }
        CHECK_EQ(left, dz_count(world, id));
        CHECK(left == N - 43);
        happened = 0;
        CHECK_OK(dz_clear_pool(world, id));
        CHECK_EQ(happened, 2 * left);
        for (i = 0; i < left; i++) {
            CHECK(history[i].what == 'r' && history[i].value == values[left - 1 - i]);
            CHECK(history[left + i].what == 'e' && history[left + i].value == values[i]);
        }
        CHECK_OK(dz_world_destroy(world));
    }
}

enum { HOOKED = 3 };

/* That `i` has ended, at this place: it, what it had (in whichever order), the hooks in the same order. Returns the next. */
static uint32_t has_ended(uint32_t at, uint32_t i, uint32_t index)
{
    uint32_t k, all = 0;
    CHECK(history[at].what == 'd' && (uint32_t)history[at].value == index);
    for (k = 1; k <= HOOKED; k++) {
        int32_t value = history[at + k].value;
        CHECK(history[at + k].what == 'r' && history[at + HOOKED + k].what == 'e');
        CHECK_EQ(history[at + HOOKED + k].value, value);
        CHECK_EQ(value / 10, i);
        all |= 1U << value % 10;
    }
    CHECK_EQ(all, (1U << HOOKED) - 1);
    return at + 1 + 2 * HOOKED;
}

/* The hooks come in the order in which the removals were told, whatever ends the entity. */
static void hooks_in_the_order_told(void)
{
    enum { N = 20 };
    static const char *const names[HOOKED] = {"Small", "Stable", "Large"};
    static const uint32_t sizes[HOOKED] = {4, 12, 100};
    int end;
    for (end = 0; end < 3; end++) {
        dz_world world = check_world();
        dz_component_desc descs[HOOKED];
        dz_id ids[HOOKED];
        dz_entity e[N];
        uint32_t i, k, index[N], at = 0;
        for (k = 0; k < HOOKED; k++) {
            ids[k] = told_of(world, &descs[k], names[k], sizes[k], k == 1 ? DZ_POLICY_STABLE : DZ_POLICY_SWAP);
        }
        CHECK(dz_listen(world, DZ_ON_DESTROY, DZ_NULL, tell, NULL).bits != 0);
        CHECK_OK(dz_create_n(world, N, e));
        for (i = 0; i < N; i++) {
            index[i] = dz_entity_index(e[i]);
            for (k = 0; k < HOOKED; k++) { /* added in another order each */
                uint32_t which = (i + (i & 1 ? k : HOOKED - k)) % HOOKED;
                int32_t value[25] = {0};
                value[0] = (int32_t)(10 * i + which);
                CHECK_OK(dz_set(world, e[i], ids[which], sizes[which], value));
            }
        }
        happened = 0;
        if (end == 0) {
            for (i = N; i-- > 0;) CHECK_OK(dz_destroy(world, e[i]));
            for (i = N; i-- > 0;) at = has_ended(at, i, index[i]);
        } else {
            if (end == 1) CHECK_OK(dz_world_clear(world));
            else CHECK_OK(dz_world_destroy(world));
            for (i = 0; i < N; i++) at = has_ended(at, i, index[i]); /* in the order of indices */
        }
        CHECK_EQ(happened, at);
        if (end < 2) CHECK_OK(dz_world_destroy(world));
        CHECK_EQ(happened, at);
    }
}

/* As if each were destroyed, in the order of indices. */
/* Children end with their parent, whatever their own turn would be. */
static void the_end_of_families(void)
{
    dz_world world = watched("a");
    dz_entity e[4];
    CHECK_OK(dz_create_n(world, 4, e));
    CHECK_OK(dz_set_parent(world, e[3], e[0]));
    CHECK_OK(dz_set_parent(world, e[1], e[2]));
    diary[0] = 0;
    CHECK_OK(dz_world_clear(world));
    DIARY("a:destroy0 a:destroy3 a:destroy1 a:destroy2 ");
    CHECK_OK(dz_world_destroy(world));
}

static void the_end(void)
{
    int end;
    for (end = 0; end < 2; end++) {
        dz_world world = watched("a");
        dz_entity e[3];
        CHECK_OK(dz_create_n(world, 3, e));
        CHECK_OK(set(world, e[2], 12));
        CHECK_OK(set(world, e[0], 10));
        CHECK_OK(dz_add(world, e[1], tag));
        {
            Number single = {99};
            CHECK_OK(dz_singleton_set(world, number, sizeof single, &single));
        }
        diary[0] = 0;
        if (end == 0) {
            CHECK_OK(dz_world_clear(world));
            DIARY("a:destroy0 a:remove0=10 end=10 a:destroy1 a:remove1T a:destroy2 a:remove2=12 end=12 end=99 ");
            CHECK_OK(dz_create_n(world, 1, e)); /* listeners stay */
            CHECK(strstr(diary, "a:create") != NULL);
            CHECK_OK(dz_destroy(world, e[0]));
            diary[0] = 0;
            CHECK_OK(dz_world_destroy(world));
        } else {
            CHECK_OK(dz_world_destroy(world));
            CHECK(strstr(diary, "a:destroy0 a:remove0=10 end=10 a:destroy1 a:remove1T a:destroy2 a:remove2=12 end=12 ") == diary);
            CHECK(strlen(diary) > 7 && strcmp(diary + strlen(diary) - 7, "end=99 ") == 0);
            diary[0] = 0;
        }
    }
}

static void connecting(void)
{
    dz_world world = watched(""), other = check_world();
    dz_listener one = dz_listen(world, DZ_ON_ADD, tag, write_down, (void *)"1"), none = {0}, elsewhere;
    dz_listener two = dz_listen(world, DZ_ON_ADD, tag, write_down, (void *)"2");
    dz_listener three = dz_listen(world, DZ_ON_ADD, tag, write_down, (void *)"3");
    dz_entity e = dz_create(world);
    dz_world_numbers numbers;
    CHECK(one.bits && two.bits && three.bits && one.bits != two.bits);
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.listeners, 3);
    CHECK_OK(dz_unlisten(world, two));
    CHECK_OK(dz_add(world, e, tag));
    DIARY("1add0T 3add0T ");
    REFUSED(world, dz_unlisten(world, two), DZ_ERR_LISTENER); /* no longer */
    REFUSED(world, dz_unlisten(world, none), DZ_ERR_LISTENER);
    elsewhere = three;
    elsewhere.bits ^= 0x40000000;
    REFUSED(world, dz_unlisten(world, elsewhere), DZ_ERR_LISTENER);
    two = dz_listen(world, DZ_ON_ADD, tag, write_down, (void *)"2"); /* comes last now */
    CHECK_OK(dz_remove(world, e, tag));
    CHECK_OK(dz_add(world, e, tag));
    DIARY("1add0T 3add0T 2add0T ");
    CHECK_OK(dz_unlisten(world, one));
    CHECK_OK(dz_unlisten(world, two));
    CHECK_OK(dz_unlisten(world, three));
    REFUSED(world, dz_unlisten(world, three), DZ_ERR_LISTENER);
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.listeners, 0);
    REFUSED_0(world, dz_listen(world, DZ_ON_ADD, tag, NULL, NULL).bits, DZ_ERR_NULL_POINTER);
    REFUSED_0(world, dz_listen(world, 5, tag, write_down, NULL).bits, DZ_ERR_ENUM);
    REFUSED_0(world, dz_listen(world, -1, tag, write_down, NULL).bits, DZ_ERR_ENUM);
    REFUSED_0(world, dz_listen(world, DZ_ON_ADD, e, write_down, NULL).bits, DZ_ERR_NOT_COMPONENT);
    REFUSED_0(world, dz_listen(world, DZ_ON_CREATE, tag, write_down, NULL).bits, DZ_ERR_RANGE);
    REFUSED_0(world, dz_listen(world, DZ_ON_DESTROY, e, write_down, NULL).bits, DZ_ERR_RANGE);
    CHECK_OK(dz_world_destroy(world));
    CHECK_OK(dz_world_destroy(other));
}

static dz_entity bystander;
static dz_world neighbour;
static dz_listener self;

/* Reads and changes of values are fine; every structural call is refused, and changes nothing. */
static void meddle(const dz_event *event, void *user)
{
    dz_world world = event->world;
    dz_entity e = event->entity, out[2];
    void *pointers[1];
    Number n = {77};
    uint32_t count = 0;
    dz_iter it;
    ++*(int *)user;
    CHECK(dz_is_alive(world, e));
    CHECK_OK(dz_type(world, e, NULL, 0, &count));
    CHECK_OK(dz_iterate_pool(world, number, DZ_BACKWARD, &it));
    while (dz_next(&it)) count++;
    CHECK_IS(it.status, DZ_OK);
    DZ_GET_MUT(world, bystander, Number, number)->value++;
    REFUSED_0(world, dz_create(world), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_create_n(world, 2, out), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_create_at(world, check_handle(world, 900, 1)), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_create_at_n(world, &bystander, 1), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_create_with(world, 1, NULL, 0, NULL), DZ_ERR_IN_HOOK);
    REFUSED_0(world, dz_clone(world, bystander), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_destroy(world, e), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_destroy(world, bystander), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_destroy_n(world, &bystander, 1, NULL), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_add(world, bystander, tag), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_add_n(world, &bystander, 1, tag), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_remove(world, bystander, number), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_remove_n(world, &bystander, 1, number), DZ_ERR_IN_HOOK);
    REFUSED_NULL(world, dz_get_or_add(world, bystander, dz_component_find(world, "Other")), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_get_or_add_n(world, &bystander, 1, dz_component_find(world, "Other"), pointers), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_set(world, bystander, dz_component_find(world, "Other"), 4, &n), DZ_ERR_IN_HOOK);
    REFUSED_0(world, dz_component_simple(world, "New", 4, 4), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_component_unregister(world, tag), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_clear_pool(world, number), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_singleton_set(world, number, sizeof n, &n), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_singleton_remove(world, number), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_world_clear(world), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_world_destroy(world), DZ_ERR_IN_HOOK);
    REFUSED(world, dz_shrink(world), DZ_ERR_IN_HOOK);
    REFUSED_0(world, dz_listen(world, DZ_ON_ADD, tag, write_down, NULL).bits, DZ_ERR_IN_HOOK);
    REFUSED(world, dz_unlisten(world, self), DZ_ERR_IN_HOOK);
    CHECK_OK(dz_set(world, bystander, number, sizeof n, &n)); /* of a component that is there */
    CHECK_OK(dz_reserve(world, 2000));
    CHECK_OK(dz_world_set_user(world, NULL));
    CHECK(dz_create(neighbour) != 0);                         /* several worlds are independent */
}

/* The same where no iteration has begun, and each change would be a quick one. */
static void meddle_quickly(const dz_event *event, void *user)
{
    dz_world world = event->world;
    dz_entity none;
    Number n = {77};
    ++*(int *)user;
    CHECK_EQ(dz_create(world), DZ_NULL);
    CHECK_EQ(dz_create_with(world, 1, NULL, 0, &none), DZ_ERR_IN_HOOK);
    CHECK_EQ(dz_add(world, bystander, tag), DZ_ERR_IN_HOOK);
    CHECK_EQ(dz_set(world, event->entity, number, sizeof n, &n), DZ_ERR_IN_HOOK);
    CHECK(dz_get_or_add(world, event->entity, number) == NULL);
    CHECK_EQ(dz_remove(world, bystander, number), DZ_ERR_IN_HOOK);
    CHECK_EQ(dz_destroy(world, bystander), DZ_ERR_IN_HOOK);
    CHECK_EQ(dz_set_parent(world, event->entity, bystander), DZ_ERR_IN_HOOK);
    CHECK_EQ(dz_add_pair(world, event->entity, tag, bystander), DZ_ERR_IN_HOOK);
    CHECK_OK(dz_set(world, bystander, number, sizeof n, &n));
}

static void meddling_quickly(void)
{
    dz_world world = check_world();
    dz_id told_of = DZ_TAG(world, ToldOf);
    dz_entity others[3], child = dz_create(world);
    Number n = {1};
    int calls = 0, i;
    number = DZ_COMPONENT(world, Number), tag = DZ_TAG(world, Tag);
    bystander = dz_create(world);
    CHECK_OK(dz_set(world, bystander, number, sizeof n, &n));
    CHECK_OK(dz_set_parent(world, child, bystander));
    CHECK_OK(dz_create_n(world, 3, others));
    for (i = 0; i < 3; i++) {
        CHECK_OK(dz_set(world, others[i], number, sizeof n, &n));
        CHECK_OK(dz_add(world, others[i], tag));
        CHECK_OK(dz_add_pair(world, others[i], tag, bystander));
    }
    CHECK_OK(dz_remove(world, others[2], number));
    CHECK_OK(dz_remove_pair(world, others[2], tag, bystander));
    CHECK(dz_listen(world, DZ_ON_ADD, told_of, meddle_quickly, &calls).bits);
    CHECK_OK(dz_add(world, others[2], told_of));
    CHECK_EQ(calls, 1);
    CHECK(dz_is_alive(world, bystander) && dz_has(world, bystander, number) && !dz_has(world, bystander, tag));
    CHECK(!dz_has(world, others[2], number) && dz_parent(world, others[2]) == DZ_NULL);
    CHECK(!dz_has_pair(world, others[2], tag, bystander));
    CHECK_EQ(DZ_GET(world, bystander, Number, number)->value, 77);
    CHECK_EQ(dz_count(world, number), 3);
    CHECK_EQ(dz_count(world, tag), 3);
    CHECK_OK(dz_world_destroy(world));
}

static void meddling(void)
{
    int32_t kind;
    for (kind = DZ_ON_ADD; kind <= DZ_ON_DESTROY; kind++) {
        dz_world world = watched("");
        dz_entity e;
        int calls = 0;
        CHECK(dz_component_simple(world, "Other", 4, 4) != 0);
        neighbour = check_world();
        bystander = dz_create(world);
        CHECK_OK(dz_add(world, bystander, number));
        self = dz_listen(world, kind, kind <= DZ_ON_REMOVE && kind != DZ_ON_SET ? tag : DZ_NULL, meddle, &calls);
        if (kind == DZ_ON_SET) {
            dz_id other = dz_component_find(world, "Other"), third = dz_component_simple(world, "Third", 4, 4);
            Number n = {1};
            self = dz_listen(world, DZ_ON_SET, third, meddle, &calls);
            e = dz_create(world);
            CHECK_OK(dz_set(world, e, third, 4, &n));
            CHECK(!dz_has(world, bystander, other));
        } else {
            e = dz_create(world);
            CHECK_OK(dz_add(world, e, tag));
            CHECK_OK(dz_remove(world, e, tag));
            CHECK_OK(dz_add(world, e, tag));
            CHECK_OK(dz_destroy(world, e));
        }
        CHECK(calls >= 1);
        CHECK_EQ(DZ_GET(world, bystander, Number, number)->value, 77);
        CHECK_OK(dz_unlisten(world, self)); /* and afterwards everything works again */
        CHECK(dz_create(world) != 0);
        CHECK_OK(dz_world_destroy(world));
        CHECK_OK(dz_world_destroy(neighbour));
    }
}

/* A value changed in the listener is the value afterwards. */
static void change(const dz_event *event, void *user)
{
    ((Number *)event->data)->value += *(const int *)user;
}

static void changing(void)
{
    dz_world world = watched("");
    int by = 1000;
    dz_entity e = dz_create(world);
    CHECK(dz_listen(world, DZ_ON_SET, number, change, &by).bits != 0);
    CHECK_OK(set(world, e, 5));
    CHECK_EQ(DZ_GET(world, e, Number, number)->value, 1005);
    diary[0] = 0;
    CHECK_OK(dz_world_destroy(world));
}

typedef struct { dz_entity holder, relation, target; dz_id hull; int calls; } Bonds;

static void has_bonds(const dz_event *event, void *user)
{
    Bonds *bonds = (Bonds *)user;
    if (event->entity != bonds->holder) return;
    bonds->calls++;
    CHECK(dz_has_pair(event->world, bonds->holder, bonds->relation, bonds->target));
    CHECK(dz_get(event->world, bonds->holder, bonds->hull) && dz_parent(event->world, bonds->holder));
}

/* Whoever ends still has what it has when that is told, whatever ends it; what it has from a base isn't removed. */
static void bonds_are_there(void)
{
    int how;
    for (how = 0; how < 4; how++) {
        dz_world world = check_world();
        dz_relation_desc traits = DZ_RELATION_DESC_INIT;
        Bonds bonds = {0};
        dz_entity base, parent;
        bonds.hull = dz_component_simple(world, "Hull", 4, 4);
        bonds.holder = dz_create(world), bonds.relation = dz_create(world), bonds.target = dz_create(world);
        base = dz_create(world), parent = dz_create(world);
        traits.on_target = traits.on_relation = DZ_CLEANUP_REFUSE;
        CHECK_OK(dz_relation_set(world, bonds.relation, &traits));
        CHECK_OK(dz_add(world, base, bonds.hull));
        CHECK_OK(dz_add(world, bonds.holder, DZ_INSTANCEOF(base)));
        CHECK_OK(dz_add_pair(world, bonds.holder, bonds.relation, bonds.target));
        CHECK_OK(dz_set_parent(world, bonds.holder, parent));
        if (how == 3) {
            CHECK(dz_listen(world, DZ_ON_REMOVE, bonds.hull, has_bonds, &bonds).bits != 0);
            CHECK_IS(dz_remove(world, bonds.holder, bonds.hull), DZ_NOT_THERE);
            CHECK_IS(dz_remove_n(world, &bonds.holder, 1, bonds.hull), DZ_NOT_THERE);
            CHECK_EQ(bonds.calls, 0);
        } else {
            CHECK(dz_listen(world, DZ_ON_DESTROY, DZ_NULL, has_bonds, &bonds).bits != 0);
        }
        REFUSED(world, dz_destroy(world, bonds.target), DZ_ERR_PAIR_HELD);
        if (how == 0) CHECK_OK(dz_destroy(world, bonds.holder));
        if (how == 1) CHECK_OK(dz_world_clear(world));
        CHECK_OK(dz_world_destroy(world));
        CHECK_EQ(bonds.calls, how < 3);
    }
}

enum { SOME = 4, KINDS = 5 };
static uint32_t told[KINDS][SOME];
static dz_id some[SOME];

static void count_it(const dz_event *event, void *user)
{
    uint32_t k;
    for (k = 0; k < SOME && event->id && event->id != some[k];) k++;
    CHECK(k < SOME);
    CHECK(event->id == DZ_NULL || dz_has(event->world, event->entity, event->id));
    told[event->kind][event->id ? k : 0]++;
    (void)user;
}

/* Listeners that come and go: who listens is told all of it, and of nothing else, whatever others listen to; and nobody who
   doesn't listen makes a difference. */
static void who_listens_is_told(void)
{
    enum { N = 30 };
    static struct { dz_entity id; bool has[SOME]; } all[N];
    static uint32_t want[KINDS][SOME];
    dz_listener on[KINDS][SOME];
    dz_world world = check_world();
    uint32_t step, i, k, kind, count[SOME] = {0};
    memset(all, 0, sizeof all), memset(on, 0, sizeof on), memset(want, 0, sizeof want), memset(told, 0, sizeof told);
    some[0] = dz_component_simple(world, "A", 4, 4), some[1] = dz_component_simple(world, "B", 12, 4);
    some[2] = DZ_TAG(world, C), some[3] = dz_component_simple(world, "D", 100, 4);
    for (i = 0; i < N; i++) all[i].id = dz_create(world);
    for (step = 0; step < 60000; step++) {
        static const uint32_t sizes[SOME] = {4, 12, 0, 100};
        static const char value[100];
        i = check_random(N), k = check_random(SOME);
        switch (check_random(8)) {
        case 0:
            if (check_random(10)) break;
            kind = check_random(KINDS);
            if (kind >= DZ_ON_CREATE) k = 0;
            if (on[kind][k].bits) {
                CHECK_OK(dz_unlisten(world, on[kind][k]));
                on[kind][k].bits = 0;
            } else {
                on[kind][k] = dz_listen(world, (int32_t)kind, kind >= DZ_ON_CREATE ? DZ_NULL : some[k], count_it, NULL);
                CHECK(on[kind][k].bits);
            }
            break;
        case 1: case 2:
            if (!all[i].has[k]) count[k]++, want[DZ_ON_ADD][k] += on[DZ_ON_ADD][k].bits != 0;
            if (k == 2 || check_random(2)) {
                CHECK_EQ(dz_add(world, all[i].id, some[k]), all[i].has[k] ? DZ_ALREADY_THERE : DZ_OK);
            } else {
                want[DZ_ON_SET][k] += on[DZ_ON_SET][k].bits != 0;
                CHECK_OK(dz_set(world, all[i].id, some[k], sizes[k], value));
            }
            all[i].has[k] = true;
            break;
        case 3:
            if (k == 2) break;
            if (!all[i].has[k]) count[k]++, want[DZ_ON_ADD][k] += on[DZ_ON_ADD][k].bits != 0;
            CHECK(dz_get_or_add(world, all[i].id, some[k]) != NULL);
            all[i].has[k] = true;
            break;
        case 4: case 5:
            if (all[i].has[k]) count[k]--, want[DZ_ON_REMOVE][k] += on[DZ_ON_REMOVE][k].bits != 0;
            CHECK_EQ(dz_remove(world, all[i].id, some[k]), all[i].has[k] ? DZ_OK : DZ_NOT_THERE);
            all[i].has[k] = false;
            break;
        default:
            for (k = 0; k < SOME; k++) {
                if (all[i].has[k]) count[k]--, want[DZ_ON_REMOVE][k] += on[DZ_ON_REMOVE][k].bits != 0;
                all[i].has[k] = false;
            }
            want[DZ_ON_DESTROY][0] += on[DZ_ON_DESTROY][0].bits != 0;
            want[DZ_ON_CREATE][0] += on[DZ_ON_CREATE][0].bits != 0;
            CHECK_OK(dz_destroy(world, all[i].id));
            if (check_random(2)) {
                dz_column columns[2];
                memset(columns, 0, sizeof columns);
                for (k = 0; k < 2; k++) {
                    columns[k].id = some[k + 1], columns[k].element_size = sizes[k + 1];
                    want[DZ_ON_ADD][k + 1] += on[DZ_ON_ADD][k + 1].bits != 0;
                    all[i].has[k + 1] = true, count[k + 1]++;
                }
                CHECK_OK(dz_create_with(world, 1, columns, 2, &all[i].id));
            } else {
                all[i].id = dz_create(world);
            }
        }
        for (k = 0; k < SOME; k++) {
            for (kind = 0; kind < KINDS; kind++) CHECK_EQ(told[kind][k], want[kind][k]);
            CHECK_EQ(dz_count(world, some[k]), count[k]);
        }
        if (check_failures > 20) break;
    }
    for (i = 0; i < N; i++) for (k = 0; k < SOME; k++) CHECK_EQ(dz_has(world, all[i].id, some[k]), all[i].has[k]);
    memset(on, 0, sizeof on);
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(single_calls);
    RUN(destroy_order);
    RUN(destroy_many);
    RUN(bulk_calls);
    RUN(clear_pool);
    RUN(clear_pages);
    RUN(hooks_in_the_order_told);
    RUN(the_end);
    RUN(the_end_of_families);
    RUN(bonds_are_there);
    RUN(connecting);
    RUN(meddling);
    RUN(meddling_quickly);
    RUN(changing);
    RUN(who_listens_is_told);
    return check_done();
}
