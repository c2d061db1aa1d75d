/* See save.h. In the file numbers are little-endian; lists have their length before them, or a zero behind. The functions come in
 * pairs, put_ and get_; get_world has the parts in their order, and why. */
#include "save.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };
static const char magic[8] = {'d', 'z', ' ', 's', 'a', 'v', 'e', '\n'};

/* A handle in the file is generation << 32 | index, with its role in front, or one of these bits: a component, of that place in
 * the file's list; a slot that is dead. */
#define COMPONENT ((uint64_t)1 << 48)
#define DEAD ((uint64_t)1 << 49)
#define ROLE(id) ((id) >> 56 << 56)

struct Save {
    dz_world world;
    uint32_t number;                   /* of the world, for its handles: 0 in the 32-bit layout */
    uint32_t reserved;                 /* what has a lower index is a component, or was */
    uint8_t *bytes;                    /* the file */
    size_t size, room, at;
    const SaveType **types;            /* of the components, by their places in the file */
    dz_id *components;
    uint32_t component_count;
    dz_entity *all;                    /* who lives, but for components, in the order of indices */
    uint32_t count;
    void *values;                      /* memory for values */
    size_t values_room;
    char *error;
    bool reading, failed;
};

/* The library's own component. Somebody may have a pair with it, which has a value. */
static const SaveType itself = {.desc = {.size = sizeof(dz_component_desc), .name = "Component", .element_size = sizeof(dz_component),
                                         .element_alignment = 4}};

/* --- errors: the first is kept. Afterwards nothing is written, only zeros are read, and so all loops end. */

static bool fail(Save *s, const char *format, ...)
{
    va_list arguments;
    if (s->failed) return false;
    int n = s->reading ? snprintf(s->error, SAVE_ERROR, "at byte %lu: ", (unsigned long)s->at) : 0;
    va_start(arguments, format);
    vsnprintf(s->error + n, (size_t)(SAVE_ERROR - n), format, arguments);
    va_end(arguments);
    return s->failed = true, false;
}

static bool must(Save *s, dz_status status) { return !dz_failed(status) || fail(s, "%s", dz_error_message()); }

static void *allocate(Save *s, size_t count, size_t size)
{
    void *made = calloc(count + 1, size); /* one more, as none is no error */
    if (!made) fail(s, "out of memory");
    return made;
}

/* --- bytes */

static bool make_room(Save *s, size_t count)
{
    if (s->room - s->size >= count) return true;
    size_t room = s->size + s->size / 2 + count + 4096;
    uint8_t *bytes = realloc(s->bytes, room);
    if (!bytes) return fail(s, "out of memory");
    s->bytes = bytes, s->room = room;
    return true;
}

void save_put(Save *s, const void *bytes, size_t count)
{
    if (s->failed || count == 0 || !make_room(s, count)) return;
    memcpy(s->bytes + s->size, bytes, count);
    s->size += count;
}

void save_get(Save *s, void *bytes, size_t count)
{
    if (!s->failed && count > s->size - s->at) fail(s, "the file ends too early");
    if (count == 0) return;
    if (s->failed) { memset(bytes, 0, count); return; }
    memcpy(bytes, s->bytes + s->at, count);
    s->at += count;
}

static void put_number(Save *s, uint64_t value, size_t count)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)(value >> 8 * i);
    save_put(s, bytes, count);
}

static uint64_t get_number(Save *s, size_t count)
{
    uint8_t bytes[8];
    uint64_t value = 0;
    save_get(s, bytes, count);
    for (size_t i = 0; i < count; i++) value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

void save_put32(Save *s, uint32_t value) { put_number(s, value, 4); }
void save_put64(Save *s, uint64_t value) { put_number(s, value, 8); }
uint32_t save_get32(Save *s) { return (uint32_t)get_number(s, 4); }
uint64_t save_get64(Save *s) { return get_number(s, 8); }

uint32_t save_get_count(Save *s, size_t bytes_each)
{
    uint32_t count = save_get32(s);
    if (count <= (s->size - s->at) / bytes_each) return count;
    fail(s, "%lu of something, which takes more bytes than there are", (unsigned long)count);
    return 0;
}

static void put_text(Save *s, const char *text)
{
    save_put32(s, (uint32_t)strlen(text));
    save_put(s, text, strlen(text));
}

static void get_text(Save *s, char text[256])
{
    uint32_t length = save_get_count(s, 1);
    if (length > 255) fail(s, "a name of %lu bytes", (unsigned long)length), length = 0;
    save_get(s, text, length);
    text[length] = 0;
}

/* --- handles */

/* 0 for what is no handle of this world: it would be somebody's in the other one. */
static uint64_t to_file(Save *s, dz_id id)
{
    dz_entity e = dz_without_role(id);
    if (!e || dz_role(id) == DZ_ROLE_PAIR || dz_entity_world(e) != s->number) return 0;
    if (s->component_count && dz_is_alive(s->world, e) && dz_has(s->world, e, dz_component_id(s->world))) {
        for (uint32_t i = 0; i < s->component_count; i++) if (s->components[i] == e) return ROLE(id) | COMPONENT | i;
    }
    return ROLE(id) | (uint64_t)dz_entity_generation(e) << 32 | dz_entity_index(e);
}

static dz_id of_file(Save *s, uint64_t v)
{
    uint32_t index = (uint32_t)v;
    if (v & COMPONENT && index >= s->component_count) fail(s, "there is no component %lu", (unsigned long)index);
    if (s->failed || v == 0) return DZ_NULL;
    if (v & COMPONENT) return ROLE(v) | s->components[index];
    if (index < s->reserved) return DZ_NULL; /* a component that is no more. In this world another may be there. */
    return ROLE(v) | dz_entity_make(s->number, index, (uint32_t)(v >> 32) & 0xffff);
}

void save_put_handle(Save *s, dz_entity entity) { save_put64(s, to_file(s, entity)); }
dz_entity save_get_handle(Save *s) { return of_file(s, save_get64(s)); }

/* Everybody, components behind the others. */
static uint32_t everybody(const Save *s) { return s->count + s->component_count; }
static dz_entity one_of(const Save *s, uint32_t i) { return i < s->count ? s->all[i] : s->components[i - s->count]; }

/* --- values */

static void put_value(Save *s, const SaveType *type, const void *value)
{
    const char *from = value, *end = from + type->desc.element_size;
    if (type->write) { type->write(s, value, type->desc.hooks.user); return; }
    for (uint32_t i = 0; i < type->handle_count; i++) {
        const char *place = (const char *)value + type->handles[i];
        dz_entity e;
        memcpy(&e, place, sizeof e);
        save_put(s, from, (size_t)(place - from));
        save_put_handle(s, e);
        from = place + sizeof e;
    }
    save_put(s, from, (size_t)(end - from));
}

static void get_bytes(Save *s, const SaveType *type, char *value)
{
    char *to = value, *end = to + type->desc.element_size;
    for (uint32_t i = 0; i < type->handle_count; i++) {
        char *place = value + type->handles[i];
        save_get(s, to, (size_t)(place - to));
        dz_entity e = save_get_handle(s);
        memcpy(place, &e, sizeof e);
        to = place + sizeof e;
    }
    save_get(s, to, (size_t)(end - to));
}

/* The next n values (one, where there is a `read`), or NULL. Good until the next call; end_value ends what `read` made. */
static void *get_values(Save *s, const SaveType *type, size_t n)
{
    size_t size = type->desc.element_size, alignment = type->desc.element_alignment ? type->desc.element_alignment : 1;
    const dz_hooks *hooks = &type->desc.hooks;
    if (!type->read && n > (s->size - s->at) / size) fail(s, "the file ends too early");
    if (!s->failed && s->values_room < n * size + alignment) {
        free(s->values);
        s->values = allocate(s, n * size + alignment, 1);
        s->values_room = s->values ? n * size + alignment : 0;
    }
    if (s->failed) return NULL;
    char *values = (char *)s->values + (alignment - (uintptr_t)s->values % alignment) % alignment;
    for (size_t i = 0; !type->read && i < n; i++) get_bytes(s, type, values + i * size);
    if (!type->read) return values;
    memset(values, 0, size);
    if (hooks->construct && hooks->construct(values, 1, hooks->user)) return fail(s, "out of memory"), NULL;
    if (!type->read(s, values, hooks->user)) fail(s, "this is no %s", type->desc.name);
    return values;
}

static void end_value(const SaveType *type, void *value)
{
    if (value && type->read && type->desc.hooks.destruct) type->desc.hooks.destruct(value, 1, type->desc.hooks.user);
}

/* What the value of a pair is, if it has one: the relation's, or else the target's. */
static const SaveType *pair_type(const Save *s, uint64_t relation, uint64_t target)
{
    uint64_t halves[] = {relation, target};
    for (int i = 0; i < 2; i++) {
        uint32_t place = (uint32_t)halves[i];
        if (halves[i] & COMPONENT && place < s->component_count && s->types[place]->desc.element_size) return s->types[place];
    }
    return NULL;
}

/* --- components: by their names, as their ids may be others in another world */

static const SaveType *find_type(Save *s, const SaveType *types, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) if (strcmp(types[i].desc.name, name) == 0) return &types[i];
    if (strcmp(name, itself.desc.name) != 0) fail(s, "of the component \"%s\" the program knows nothing", name);
    return &itself;
}

/* Where the bytes are the component's own, they say how many. */
static uint32_t shape(const SaveType *type) { return type->read ? UINT32_MAX : type->desc.element_size; }

static void put_components(Save *s, const SaveType *types, uint32_t type_count)
{
    uint32_t n = 0;
    must(s, dz_components(s->world, NULL, 0, &n));
    s->components = allocate(s, n, sizeof *s->components), s->types = allocate(s, n, sizeof *s->types);
    if (s->failed || !must(s, dz_components(s->world, s->components, n, &s->component_count))) return;
    save_put32(s, n);
    for (uint32_t i = 0; i < n; i++) {
        const char *name = dz_name(s->world, s->components[i]);
        s->types[i] = find_type(s, types, type_count, name);
        put_text(s, name), save_put32(s, shape(s->types[i]));
    }
}

static void get_components(Save *s, const SaveType *types, uint32_t type_count)
{
    uint32_t n = save_get_count(s, 8);
    s->components = allocate(s, n, sizeof *s->components), s->types = allocate(s, n, sizeof *s->types);
    for (uint32_t i = 0; i < n && !s->failed; i++) {
        char name[256];
        get_text(s, name);
        s->types[i] = find_type(s, types, type_count, name);
        if (save_get32(s) != shape(s->types[i])) fail(s, "\"%s\" has another size here", name);
    }
    s->component_count = s->failed ? 0 : n;
}

/* The library's own is found by its shape, too. */
static void register_components(Save *s)
{
    for (uint32_t i = 0; i < s->component_count && !s->failed; i++) {
        s->components[i] = dz_component_register(s->world, &s->types[i]->desc);
        if (!s->components[i]) fail(s, "%s", dz_error_message());
    }
}

/* --- slots: who lives, and of the dead the last who did */

static void put_slots(Save *s)
{
    dz_world_numbers numbers;
    uint32_t n, next, k = 0, last = s->number ? 65534 : 4094;
    if (!must(s, dz_world_stats(s->world, &numbers)) || !(s->all = allocate(s, numbers.alive, sizeof *s->all))) return;
    must(s, dz_entities(s->world, 0, s->all, numbers.alive + 1, &n, &next));
    for (uint32_t i = 0; i < n; i++) if (!(to_file(s, s->all[i]) & COMPONENT)) s->all[s->count++] = s->all[i];
    for (uint32_t index = 0; !s->failed; index++) {
        if (k < s->count && dz_entity_index(s->all[k]) == index) { save_put_handle(s, s->all[k++]); continue; }
        dz_status first = dz_why(s->world, dz_entity_make(s->number, index, 1));
        if (first == DZ_ERR_NEVER_CREATED) { /* there is no slot, or nobody was in it yet */
            dz_entity none;
            must(s, dz_entities(s->world, index, &none, 0, &n, &next));
            if (next == UINT32_MAX) break;
            continue;
        }
        uint32_t generation = first == DZ_ERR_RETIRED ? last + 1 : dz_generation(s->world, index);
        if (generation > 1) save_put64(s, DEAD | (uint64_t)(generation - 1) << 32 | index);
    }
    save_put64(s, 0);
    dz_error_clear();
}

static void get_slots(Save *s)
{
    size_t begin = s->at, n = 0;
    while (save_get64(s)) n++;
    dz_entity *both = allocate(s, n, sizeof *both), *dead = allocate(s, n, sizeof *dead);
    uint32_t both_count = 0, dead_count = 0;
    s->all = allocate(s, n, sizeof *s->all);
    if (!s->failed) s->at = begin;
    for (uint64_t v; !s->failed && (v = save_get64(s)) != 0;) {
        dz_entity e = of_file(s, v);
        if (v & DEAD && !both_count && !dead_count) {
            /* The first of the dead may have been components: these slots aren't for others, and stay as they are. */
            dz_status status = dz_create_at(s->world, e);
            if (status == DZ_ERR_RESERVED) { s->reserved = (uint32_t)v + 1; continue; }
            must(s, status);
        } else both[both_count++] = e;
        if (v & DEAD) dead[dead_count++] = e; else s->all[s->count++] = e;
    }
    if (!s->failed && must(s, dz_create_at_n(s->world, both, both_count))) must(s, dz_destroy_n(s->world, dead, dead_count, NULL));
    free(both), free(dead);
}

/* --- what relations promise. Who brings fewer others by `with` comes first, as who is another's `with` can't get one. */

static void put_relations(Save *s)
{
    const dz_relation_desc nothing = DZ_RELATION_DESC_INIT;
    for (uint32_t length = 0, longer = 1; longer && !s->failed; length++) {
        longer = 0;
        for (uint32_t i = 0; i < everybody(s) && !s->failed; i++) {
            dz_relation_desc d, next;
            uint32_t brings = 0;
            must(s, dz_relation_info(s->world, one_of(s, i), &d));
            for (next = d; !s->failed && next.with; brings++) must(s, dz_relation_info(s->world, next.with, &next));
            longer |= brings > length;
            if (s->failed || brings != length || memcmp(&d, &nothing, sizeof d) == 0) continue;
            save_put_handle(s, one_of(s, i)), save_put_handle(s, d.with);
            save_put32(s, d.exclusive), save_put32(s, d.symmetric), save_put32(s, d.acyclic), save_put32(s, d.transitive);
            save_put32(s, d.reflexive), save_put32(s, (uint32_t)d.on_target), save_put32(s, (uint32_t)d.on_relation);
        }
    }
    save_put64(s, 0);
}

static void get_relations(Save *s, bool with)
{
    for (dz_entity relation; (relation = save_get_handle(s)) != DZ_NULL;) {
        dz_relation_desc d = DZ_RELATION_DESC_INIT;
        d.with = save_get_handle(s);
        d.exclusive = save_get32(s), d.symmetric = save_get32(s), d.acyclic = save_get32(s), d.transitive = save_get32(s);
        d.reflexive = save_get32(s), d.on_target = (int32_t)save_get32(s), d.on_relation = (int32_t)save_get32(s);
        if (!with) d.with = DZ_NULL;
        if (!s->failed) must(s, dz_relation_set(s->world, relation, &d));
    }
}

/* --- a component: who has it, the values, for whom it is disabled, and the value for the world */

static bool is_off(Save *s, dz_entity e, dz_id id)
{
    if (dz_is_enabled(s->world, e) && !dz_is_base(s->world, e)) return !dz_is_component_enabled(s->world, e, id);
    dz_status status = dz_set_component_enabled(s->world, e, id, false); /* of others only a change tells */
    if (status == DZ_OK) must(s, dz_set_component_enabled(s->world, e, id, true));
    return must(s, status) && status == DZ_NOTHING_TO_DO;
}

static void put_column(Save *s, const SaveType *type, dz_id id, const void **values, uint8_t *has)
{
    bool data = type->desc.element_size > 0;
    must(s, data ? dz_get_n(s->world, s->all, s->count, id, values) : dz_has_n(s->world, s->all, s->count, id, has));
    if (s->failed) return;
    for (uint32_t i = 0; data && i < s->count; i++) has[i] = values[i] != NULL;
    save_put32(s, dz_count(s->world, id));
    for (uint32_t i = 0; i < s->count; i++) if (has[i]) save_put_handle(s, s->all[i]);
    for (uint32_t i = 0; data && i < s->count; i++) if (has[i]) put_value(s, type, values[i]);
    for (uint32_t i = 0; i < s->count; i++) if (has[i] && is_off(s, s->all[i], id)) save_put_handle(s, s->all[i]);
    save_put64(s, 0);
    const void *single = data ? dz_singleton_get(s->world, id) : NULL;
    save_put32(s, single != NULL);
    if (single) put_value(s, type, single);
}

static void get_column(Save *s, const SaveType *type, dz_id id, dz_entity *who)
{
    uint32_t n = save_get_count(s, 8), size = type->desc.element_size;
    if (n > s->count) fail(s, "more have it than live"), n = 0;
    for (uint32_t i = 0; i < n; i++) who[i] = save_get_handle(s);
    uint32_t step = type->read ? 1 : n;
    for (uint32_t i = 0; i < n && !s->failed; i += step) {
        void *values = size ? get_values(s, type, step) : NULL;
        if (!s->failed) must(s, size ? dz_set_n(s->world, who + i, step, id, size, values) : dz_add_n(s->world, who, n, id));
        end_value(type, values);
    }
    for (dz_entity e; (e = save_get_handle(s)) != DZ_NULL;) must(s, dz_set_component_enabled(s->world, e, id, false));
    if (save_get32(s) == 0) return;
    void *single = size ? get_values(s, type, 1) : NULL;
    if (!s->failed) must(s, dz_singleton_set(s->world, id, size, single));
    end_value(type, single);
}

static void columns(Save *s)
{
    const void **values = allocate(s, s->reading ? 0 : s->count, sizeof *values);
    uint8_t *has = allocate(s, s->reading ? 0 : s->count, 1);
    dz_entity *who = allocate(s, s->reading ? s->count : 0, sizeof *who);
    for (uint32_t i = 0; i < s->component_count && !s->failed; i++) {
        if (s->types[i] == &itself) continue;
        if (s->reading) get_column(s, s->types[i], s->components[i], who);
        else put_column(s, s->types[i], s->components[i], values, has);
    }
    free(values), free(has), free(who);
}

/* --- what else was added: pairs, entities, ids with a role, bases of instances. The latest is the last. */

static void put_others(Save *s)
{
    uint32_t room = 0, n;
    dz_id *ids = NULL;
    for (uint32_t i = 0; i < s->count && !s->failed; i++) {
        must(s, dz_type(s->world, s->all[i], ids, room, &n));
        if (n > room) {
            free(ids);
            room = 2 * n, ids = allocate(s, room, sizeof *ids);
            if (s->failed || !must(s, dz_type(s->world, s->all[i], ids, room, &n))) break;
        }
        /* From the end, where the oldest are, up to the parent or the components, which come first */
        bool any = false;
        for (uint32_t k = n; k-- > 0; any = true) {
            uint64_t v = to_file(s, ids[k]);
            if (dz_role(ids[k]) == DZ_ROLE_CHILDOF || (v & COMPONENT && !dz_role(ids[k]))) break;
            if (!any) save_put_handle(s, s->all[i]);
            if (dz_role(ids[k]) != DZ_ROLE_PAIR) { save_put64(s, v); continue; }
            dz_pair_parts parts;
            if (!must(s, dz_pair_halves(s->world, ids[k], &parts))) break;
            const SaveType *type = pair_type(s, to_file(s, parts.relation), to_file(s, parts.target));
            save_put64(s, ROLE(ids[k])), save_put_handle(s, parts.relation), save_put_handle(s, parts.target);
            if (type) put_value(s, type, dz_get(s->world, s->all[i], ids[k]));
        }
        if (any) save_put64(s, 0);
    }
    save_put64(s, 0);
    free(ids);
}

static void get_pair(Save *s, dz_entity e)
{
    uint64_t relation = save_get64(s), target = save_get64(s);
    dz_entity r = of_file(s, relation), t = of_file(s, target);
    const SaveType *type = pair_type(s, relation, target);
    void *value = type ? get_values(s, type, 1) : NULL;
    if (!s->failed) must(s, type ? dz_set_pair(s->world, e, r, t, type->desc.element_size, value) : dz_add_pair(s->world, e, r, t));
    if (type) end_value(type, value);
}

static void get_others(Save *s)
{
    for (dz_entity e; (e = save_get_handle(s)) != DZ_NULL;) {
        for (uint64_t v; (v = save_get64(s)) != 0;) {
            if (v >> 56 == DZ_ROLE_PAIR) get_pair(s, e);
            else must(s, dz_add(s->world, e, of_file(s, v)));
        }
    }
}

/* --- who is a base, who is disabled: a byte for each */

static void put_states(Save *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        put_number(s, (uint64_t)dz_is_base(s->world, s->all[i]) | (uint64_t)!dz_is_enabled(s->world, s->all[i]) << 1, 1);
    }
}

static void get_states(Save *s)
{
    for (uint32_t i = 0; i < s->count && !s->failed; i++) {
        uint64_t state = get_number(s, 1);
        must(s, dz_set_base(s->world, s->all[i], state & 1));
        must(s, dz_set_enabled(s->world, s->all[i], !(state & 2)));
    }
}

/* --- the hierarchy, parents before their children, siblings in their order; then names, which are unique among siblings */

static void put_tree(Save *s)
{
    for (uint32_t i = 0; i < everybody(s); i++) {
        dz_entity root = one_of(s, i), below[64];
        if (dz_child_count(s->world, root) == 0 || dz_parent(s->world, root)) continue;
        dz_entity after = DZ_NULL;
        for (uint32_t n; (n = dz_subtree(s->world, root, DZ_PARENTS_FIRST, after, below, 64)) > 0; after = below[n - 1]) {
            for (uint32_t k = 0; k < n; k++) {
                if (below[k] != root) save_put_handle(s, below[k]), save_put_handle(s, dz_parent(s->world, below[k]));
            }
        }
    }
    save_put64(s, 0);
    for (uint32_t i = 0; i < s->count; i++) {
        const char *name = dz_name(s->world, s->all[i]);
        if (name) save_put_handle(s, s->all[i]), put_text(s, name);
    }
    save_put64(s, 0);
}

static void get_tree(Save *s)
{
    for (dz_entity child; (child = save_get_handle(s)) != DZ_NULL;) must(s, dz_set_parent(s->world, child, save_get_handle(s)));
    for (dz_entity e; (e = save_get_handle(s)) != DZ_NULL;) {
        char name[256];
        get_text(s, name);
        if (!s->failed) must(s, dz_set_name(s->world, e, name));
    }
}

/* --- all of it */

static void begin(Save *s, dz_world world, char *error)
{
    uint32_t number = dz_world_number(world);
    memset(s, 0, sizeof *s);
    s->world = world, s->error = error, *error = 0;
    s->number = number < 256 ? number : 0;
    must(s, dz_world_why(world));
}

static bool end(Save *s)
{
    free(s->bytes), free(s->types), free(s->components), free(s->all), free(s->values);
    return !s->failed;
}

static uint32_t layout(const Save *s) { return s->number ? DZ_LAYOUT_64 : DZ_LAYOUT_32; }

bool save_world(dz_world world, const SaveType *types, uint32_t type_count, FILE *file, char error[SAVE_ERROR])
{
    Save s;
    begin(&s, world, error);
    save_put(&s, magic, sizeof magic), save_put32(&s, VERSION), save_put32(&s, layout(&s));
    put_components(&s, types, type_count);
    if (!s.failed) put_slots(&s);
    put_relations(&s), columns(&s), put_others(&s), put_states(&s), put_tree(&s);
    bool written = s.failed || (fwrite(s.bytes, 1, s.size, file) == s.size && fflush(file) == 0);
    if (!written) fail(&s, "cannot write: %s", strerror(errno));
    return end(&s);
}

static void get_world(Save *s, const SaveType *types, uint32_t type_count)
{
    char begins[sizeof magic];
    save_get(s, begins, sizeof begins);
    if (!s->failed && memcmp(begins, magic, sizeof magic) != 0) fail(s, "this is no save");
    uint32_t version = save_get32(s);
    if (version != VERSION) fail(s, "a save of version %lu; this program reads %d", (unsigned long)version, VERSION);
    if (save_get32(s) != layout(s)) fail(s, "a save of a world of the other layout");
    get_components(s, types, type_count);
    get_slots(s);                 /* before anything takes an index: components would, if there are more than are reserved */
    register_components(s);
    size_t relations = s->at;
    get_relations(s, false);      /* promises are made while there are no pairs; but these are not to bring others */
    columns(s);
    get_others(s);
    get_states(s);                /* instances made their bases bases, which they need not be any longer */
    get_tree(s);                  /* after that, as bases are with all below them: who comes below one later is none */
    if (!s->failed && s->at != s->size) fail(s, "there is more behind the world");
    s->at = relations;
    get_relations(s, true);       /* now that there are all pairs */
}

bool load_world(dz_world world, const SaveType *types, uint32_t type_count, FILE *file, char error[SAVE_ERROR])
{
    Save s;
    begin(&s, world, error);
    s.reading = true;
    for (size_t n = 1; n > 0 && !s.failed && make_room(&s, 65536);) s.size += n = fread(s.bytes + s.size, 1, s.room - s.size, file);
    if (ferror(file)) fail(&s, "cannot read: %s", strerror(errno));
    if (!s.failed) get_world(&s, types, type_count);
    return end(&s);
}
