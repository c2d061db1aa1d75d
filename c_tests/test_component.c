/* Components: register, find, list, describe, unregister; a whole pool; singletons. */
#include "check.h"

typedef struct { float x, y, z; } Position;
typedef struct { double d; char c; } Mixed;

static dz_component_desc shape(const char *name, uint32_t size, uint32_t alignment, int32_t policy)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = name;
    desc.element_size = size;
    desc.element_alignment = alignment;
    desc.policy = policy;
    return desc;
}

static dz_id add_shape(dz_world world, const char *name, uint32_t size, uint32_t alignment, int32_t policy)
{
    dz_component_desc desc = shape(name, size, alignment, policy);
    return dz_component_register(world, &desc);
}

/* M20 M24: at run time, from name, size and alignment. The same again is the same id; another shape is an error
 * that says both. */
static void registering(void)
{
    dz_world world = check_world(), other = check_world();
    char name[20] = "Position";
    dz_id id = add_shape(world, name, 12, 4, DZ_POLICY_SWAP);
    CHECK(id != 0);
    name[0] = 'X'; /* it was copied */
    CHECK_EQ(dz_component_find(world, "Position"), id);
    CHECK_EQ(add_shape(world, "Position", 12, 4, DZ_POLICY_SWAP), id);
    CHECK_EQ(DZ_COMPONENT(world, Position), id);
    REFUSED_0(world, dz_component_simple(world, "Position", 24, 4), DZ_ERR_SHAPE);
    dz_error_clear();
    CHECK_EQ(add_shape(world, "Position", 24, 8, DZ_POLICY_SWAP), 0);
    CHECK_SAYS("Position");
    CHECK_SAYS("12"), CHECK_SAYS("4");
    CHECK_SAYS("24"), CHECK_SAYS("8");
    CHECK_EQ(add_shape(world, "Position", 12, 2, DZ_POLICY_SWAP), 0);
    CHECK_IS(dz_error_status(), DZ_ERR_SHAPE);
    CHECK_EQ(add_shape(world, "Position", 12, 4, DZ_POLICY_STABLE), 0);
    CHECK_IS(dz_error_status(), DZ_ERR_SHAPE);
    CHECK_EQ(add_shape(world, "Position", 0, 1, DZ_POLICY_SWAP), 0);
    CHECK_IS(dz_error_status(), DZ_ERR_SHAPE);
    CHECK(DZ_COMPONENT(world, Mixed) != 0 && DZ_COMPONENT(world, Mixed) != id);
    QUIETLY(dz_component_find(other, "Position"), 0); /* worlds are independent */
    CHECK(add_shape(other, "Position", 8, 8, DZ_POLICY_STABLE) != 0);
    CHECK_OK(dz_world_destroy(world));
    CHECK_OK(dz_world_destroy(other));
}

static void bad_shapes(void)
{
    dz_world world = check_world();
    struct { dz_component_desc desc; uint64_t unknown[2]; } larger;
    dz_component_desc desc;
    char text[300];
    memset(text, 'n', sizeof text);
    CHECK(DZ_TAG(world, Frozen) != 0); /* so that the built-in one is there */
#define BAD(n, size, alignment, policy, status)                          \
    do {                                                                 \
        desc = shape((n), (size), (alignment), (policy));                \
        REFUSED_0(world, dz_component_register(world, &desc), (status)); \
    } while (0)
    BAD(NULL, 4, 4, 0, DZ_ERR_NULL_POINTER);
    BAD("", 4, 4, 0, DZ_ERR_NAME);
    text[256] = 0;
    BAD(text, 4, 4, 0, DZ_ERR_NAME);
    BAD("\xff", 4, 4, 0, DZ_ERR_NAME);
    BAD("a\xc3", 4, 4, 0, DZ_ERR_NAME);
    BAD("\xed\xa0\x80", 4, 4, 0, DZ_ERR_NAME); /* a surrogate */
    BAD("A", 3, 3, 0, DZ_ERR_ALIGNMENT);
    BAD("A", 8192, 8192, 0, DZ_ERR_ALIGNMENT);
    BAD("A", 12, 8, 0, DZ_ERR_ALIGNMENT);
    BAD("A", 16, UINT32_MAX, 0, DZ_ERR_ALIGNMENT);
    BAD("A", 16, 0x80000000u, 0, DZ_ERR_ALIGNMENT);
    BAD("A", 1048577, 1, 0, DZ_ERR_RANGE);
    BAD("A", UINT32_MAX, 1, 0, DZ_ERR_RANGE);
    BAD("A", 4, 4, 2, DZ_ERR_ENUM);
    BAD("A", 4, 4, -1, DZ_ERR_ENUM);
#undef BAD
#if SIZE_MAX > UINT32_MAX
    /* No size or alignment is taken for another one that is left of it in 32 bits. */
    REFUSED_0(world, dz_component_simple(world, "A", ((size_t)1 << 32) + 4, 4), DZ_ERR_RANGE);
    REFUSED_0(world, dz_component_simple(world, "A", 4, ((size_t)1 << 32) + 4), DZ_ERR_ALIGNMENT);
#endif
    REFUSED_0(world, dz_component_register(world, NULL), DZ_ERR_NULL_POINTER);
    desc = shape("A", 4, 4, 0);
    desc.size = 0;
    REFUSED_0(world, dz_component_register(world, &desc), DZ_ERR_DESC_SIZE);
    desc.size = (uint32_t)sizeof desc - 1;
    REFUSED_0(world, dz_component_register(world, &desc), DZ_ERR_DESC_SIZE);
    memset(&larger, 0, sizeof larger);
    larger.desc = shape("A", 4, 4, 0);
    larger.desc.size = (uint32_t)sizeof larger;
    larger.unknown[1] = UINT64_C(1) << 63;
    REFUSED_0(world, dz_component_register(world, &larger.desc), DZ_ERR_DESC_TAIL);
    larger.unknown[1] = 0;
    CHECK(dz_component_register(world, &larger.desc) != 0);
    text[255] = 0;
    CHECK(add_shape(world, text, 4, 4, 0) != 0);
    CHECK(add_shape(world, "\xc3\xa9t\xc3\xa9 \xf0\x9f\x9a\x80", 1, 0, 0) != 0);
    CHECK(add_shape(world, "mebibyte", 1048576, 4096, 0) != 0);
    REFUSED_0(world, dz_component_find(world, NULL), DZ_ERR_NULL_POINTER);
    REFUSED_0(world, dz_component_find(world, ""), DZ_ERR_NAME);
    CHECK_OK(dz_world_destroy(world));
}

/* M23: components are entities that carry a Component component, the built-in one too. M39: their indices are low. */
static void reflection(void)
{
    dz_world world = check_world();
    dz_id position, builtin, ids[4], type[4];
    dz_entity plain = dz_create(world);
    const dz_component *value;
    dz_component_details info;
    uint32_t count = 0;
    QUIETLY(dz_component_find(world, "Component"), 0);
    QUIETLY(dz_component_id(world), 0);
    position = add_shape(world, "Position", 12, 4, DZ_POLICY_STABLE);
    builtin = dz_component_id(world);
    CHECK(builtin != 0 && builtin != position);
    CHECK_EQ(dz_component_find(world, "Component"), builtin);
    CHECK(dz_is_alive(world, position) && dz_is_alive(world, builtin));
    CHECK(dz_entity_index(position) < 256 && dz_entity_index(builtin) < 256);
    CHECK(dz_has(world, position, builtin));
    CHECK(dz_has(world, builtin, builtin));
    value = DZ_GET(world, position, dz_component, builtin);
    if (CHECK(value != NULL)) {
        CHECK_EQ(value->element_size, 12);
        CHECK_EQ(value->element_alignment, 4);
        CHECK_EQ(value->policy, DZ_POLICY_STABLE);
    }
    value = DZ_GET(world, builtin, dz_component, builtin);
    if (CHECK(value != NULL)) CHECK_EQ(value->element_size, sizeof(dz_component));
    CHECK_OK(dz_type(world, position, type, 4, &count));
    CHECK_EQ(count, 1);
    CHECK_EQ(type[0], builtin);
    CHECK_EQ(dz_count(world, builtin), 2);
    CHECK_OK(dz_components(world, ids, 4, &count));
    CHECK_EQ(count, 2);
    CHECK(ids[0] == builtin && ids[1] == position); /* in the order of their pools' numbers */
    ids[1] = 0;
    CHECK_OK(dz_components(world, ids, 1, &count));
    CHECK_EQ(count, 2);
    CHECK_EQ(ids[1], 0);
    CHECK_OK(dz_components(world, NULL, 0, &count));
    REFUSED(world, dz_components(world, NULL, 2, &count), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_components(world, ids, 2, NULL), DZ_ERR_NULL_POINTER);
    CHECK_OK(dz_component_info(world, builtin, &info));
    CHECK_EQ(info.builtin, 1);
    CHECK(strcmp(info.name, "Component") == 0);
    /* The library's own: read, but not changed. */
    REFUSED_NULL(world, dz_get_mut(world, position, builtin), DZ_ERR_BUILTIN);
    REFUSED(world, dz_add(world, plain, builtin), DZ_ERR_BUILTIN);
    REFUSED_EITHER(world, dz_remove(world, position, builtin), DZ_ERR_BUILTIN, DZ_ERR_IS_COMPONENT);
    REFUSED(world, dz_destroy(world, builtin), DZ_ERR_BUILTIN);
    REFUSED(world, dz_component_unregister(world, builtin), DZ_ERR_BUILTIN);
    REFUSED(world, dz_clear_pool(world, builtin), DZ_ERR_BUILTIN);
    CHECK_OK(dz_world_destroy(world));
}

static void info(void)
{
    dz_world world = check_world();
    dz_id id = add_shape(world, "Thing", 24, 8, DZ_POLICY_STABLE), tag = DZ_TAG(world, Tag);
    dz_component_details info;
    dz_entity e[3];
    int i;
    CHECK_OK(dz_create_n(world, 3, e));
    for (i = 0; i < 3; i++) CHECK_OK(dz_add(world, e[i], id));
    CHECK_OK(dz_remove(world, e[1], id));
    memset(&info, 0xff, sizeof info);
    CHECK_OK(dz_component_info(world, id, &info));
    CHECK_EQ(info.id, id);
    CHECK(strcmp(info.name, "Thing") == 0);
    CHECK_EQ(info.element_size, 24);
    CHECK_EQ(info.element_alignment, 8);
    CHECK_EQ(info.policy, DZ_POLICY_STABLE);
    CHECK_EQ(info.count, 2);
    CHECK_EQ(info.gaps, 1); /* M44 */
    CHECK_EQ(info.builtin, 0);
    CHECK(info.bytes >= 3 * 24);
    CHECK_OK(dz_component_info(world, tag, &info));
    CHECK_EQ(info.element_size, 0); /* M21 */
    CHECK_EQ(info.element_alignment, 1);
    CHECK_EQ(dz_count(world, id), 2);
    REFUSED(world, dz_component_info(world, id, NULL), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_component_info(world, e[0], &info), DZ_ERR_NOT_COMPONENT);
    REFUSED_0(world, dz_count(world, e[0]), DZ_ERR_NOT_COMPONENT);
    CHECK_OK(dz_world_destroy(world));
}

/* Ids are never taken for a later component's, and entities never get a component's index. */
static void many(void)
{
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_id id[400];
    dz_entity e[400];
    uint32_t i;
    char name[12];
    desc.reserved_components = 16;
    world = dz_world_create(&desc);
    for (i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "c%u", (unsigned)i);
        e[i] = dz_create(world);
        id[i] = dz_component_simple(world, name, 4, 4);
        if (!CHECK(id[i] != 0)) break;
        CHECK_OK(dz_add(world, e[i], id[i]));
        if (i < 15) CHECK(dz_entity_index(id[i]) < 16); /* one is the built-in's */
        CHECK(dz_entity_index(e[i]) >= 16);
    }
    for (i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "c%u", (unsigned)i);
        CHECK_EQ(dz_component_find(world, name), id[i]);
        CHECK(dz_has(world, e[i], id[i]));
        QUIETLY(dz_has(world, e[i], id[(i + 1) % 400]), 0);
        CHECK_EQ(dz_count(world, id[i]), 1);
        /* They are components wherever their indices lie. */
        REFUSED(world, dz_add(world, id[i], id[3]), DZ_ERR_IS_COMPONENT);
        REFUSED(world, dz_set(world, id[i], id[3], 4, &i), DZ_ERR_IS_COMPONENT);
        REFUSED(world, dz_remove(world, id[i], id[3]), DZ_ERR_IS_COMPONENT);
        REFUSED_NULL(world, dz_get_or_add(world, id[i], id[3]), DZ_ERR_IS_COMPONENT);
    }
    CHECK_OK(dz_world_destroy(world));
}

static int removed;

static void on_remove(const dz_event *event, void *user)
{
    removed++;
    CHECK(event->data == NULL || dz_has(event->world, event->entity, event->id));
    CHECK(user == &removed);
}

/* M36, for components: destroying one is refused while somebody has it; unregistering takes it off all. */
static void unregister(void)
{
    dz_world world = check_world();
    dz_id id = add_shape(world, "Thing", 4, 4, 0), tag = DZ_TAG(world, Tag), again;
    dz_entity e[5];
    dz_world_numbers numbers;
    uint32_t count;
    int i, value = 7;
    CHECK_OK(dz_create_n(world, 5, e));
    for (i = 0; i < 5; i++) CHECK_OK(dz_add(world, e[i], id));
    CHECK_OK(dz_add(world, e[0], tag));
    CHECK_OK(dz_singleton_set(world, id, 4, &value));
    removed = 0;
    CHECK(dz_listen(world, DZ_ON_REMOVE, id, on_remove, &removed).bits != 0);
    CHECK_IS(dz_destroy(world, id), DZ_ERR_HELD);
    CHECK_SAYS("5"); /* how many have it */
    REFUSED(world, dz_destroy(world, id), DZ_ERR_HELD);
    CHECK_EQ(removed, 0);
    REFUSED(world, dz_component_unregister(world, e[0]), DZ_ERR_NOT_COMPONENT);
    CHECK_OK(dz_component_unregister(world, id));
    CHECK_EQ(removed, 5);
    CHECK(!dz_is_alive(world, id));
    CHECK_IS(dz_why(world, id), DZ_ERR_DEAD);
    QUIETLY(dz_component_find(world, "Thing"), 0);
    CHECK_OK(dz_world_stats(world, &numbers));
    CHECK_EQ(numbers.listeners, 0);
    CHECK_EQ(numbers.components, 2);
    CHECK_OK(dz_type(world, e[0], NULL, 0, &count));
    CHECK_EQ(count, 1);
    REFUSED_EITHER(world, dz_add(world, e[0], id), DZ_ERR_DEAD, DZ_ERR_NOT_COMPONENT);
    /* The name is free for another shape, and the old id doesn't mean the new component (M34 M78). */
    again = add_shape(world, "Thing", 16, 8, DZ_POLICY_STABLE);
    CHECK(again != 0 && again != id);
    QUIETLY(dz_has(world, e[0], again), 0);
    QUIETLY((uintptr_t)dz_singleton_get(world, again), 0);
    REFUSED_EITHER(world, dz_add(world, e[0], id), DZ_ERR_DEAD, DZ_ERR_NOT_COMPONENT);
    CHECK_OK(dz_add(world, e[0], again));
    CHECK_EQ(dz_get(world, e[0], id) == NULL, 1);
    CHECK_EQ(removed, 5);
    REFUSED(world, dz_destroy(world, tag), DZ_ERR_HELD);
    CHECK_OK(dz_remove(world, e[0], tag));
    REFUSED(world, dz_destroy(world, tag), DZ_ERR_IS_COMPONENT); /* use dz_component_unregister */
    CHECK_OK(dz_component_unregister(world, tag));
    CHECK_OK(dz_world_destroy(world));
}

static void clear_pool(void)
{
    dz_world world = check_world();
    dz_id id[2];
    dz_entity e[200];
    uint32_t p, i;
    for (p = 0; p < 2; p++) {
        id[p] = add_shape(world, p ? "stable" : "swap", 4, 4, (int32_t)p);
        CHECK_OK(dz_create_n(world, 200, e));
        CHECK_OK(dz_add_n(world, e, 200, id[p]));
        CHECK_OK(dz_remove(world, e[50], id[p]));
        CHECK_OK(dz_clear_pool(world, id[p]));
        CHECK_EQ(dz_count(world, id[p]), 0);
        for (i = 0; i < 200; i++) {
            CHECK(dz_is_alive(world, e[i]));
            QUIETLY(dz_has(world, e[i], id[p]), 0);
            QUIETLY((uintptr_t)dz_get(world, e[i], id[p]), 0);
        }
        CHECK_OK(dz_clear_pool(world, id[p])); /* of nothing */
        CHECK_OK(dz_add(world, e[0], id[p]));
        CHECK_EQ(dz_count(world, id[p]), 1);
    }
    REFUSED(world, dz_clear_pool(world, e[0]), DZ_ERR_NOT_COMPONENT);
    CHECK_OK(dz_world_destroy(world));
}

/* M44 M45: in-place removal leaves gaps and moves nothing, until dz_compact. */
static void stable(void)
{
    dz_world world = check_world();
    dz_id id = add_shape(world, "stable", 4, 4, DZ_POLICY_STABLE), swap = add_shape(world, "swap", 4, 4, DZ_POLICY_SWAP);
    static dz_entity e[3000];
    static const int32_t *at[3000];
    dz_component_details info;
    int32_t i;
    CHECK_OK(dz_create_n(world, 3000, e));
    for (i = 0; i < 3000; i++) {
        CHECK_OK(DZ_SET(world, e[i], id, &i));
        at[i] = DZ_GET(world, e[i], int32_t, id);
    }
    for (i = 0; i < 3000; i++) {
        if (i % 3 == 0) CHECK_OK(dz_remove(world, e[i], id));
    }
    CHECK_OK(dz_component_info(world, id, &info));
    CHECK_EQ(info.count, 2000);
    CHECK_EQ(info.gaps, 1000);
    for (i = 0; i < 3000; i++) {
        if (i % 3 && !CHECK(DZ_GET(world, e[i], int32_t, id) == at[i] && *at[i] == i)) break;
    }
    for (i = 0; i < 1500; i += 3) CHECK_OK(DZ_SET(world, e[i], id, &i)); /* fill gaps */
    CHECK_OK(dz_component_info(world, id, &info));
    CHECK_EQ(info.count, 2500);
    CHECK_EQ(info.gaps, 500);
    for (i = 0; i < 3000; i++) {
        if (i % 3 && !CHECK(DZ_GET(world, e[i], int32_t, id) == at[i])) break;
    }
    CHECK_OK(dz_compact(world, id));
    CHECK_OK(dz_component_info(world, id, &info));
    CHECK_EQ(info.gaps, 0);
    CHECK_EQ(info.count, 2500);
    for (i = 0; i < 3000; i++) {
        const int32_t *value = DZ_GET(world, e[i], int32_t, id);
        CHECK_EQ(value != NULL, i % 3 != 0 || i < 1500);
        if (value) CHECK(*value == i && dz_entity_of(world, id, value) == e[i]);
    }
    CHECK_OK(dz_compact(world, id));
    REFUSED(world, dz_compact(world, swap), DZ_ERR_POLICY);
    REFUSED(world, dz_compact(world, e[0]), DZ_ERR_NOT_COMPONENT);
    CHECK_OK(dz_world_destroy(world));
}

static void entity_of(void)
{
    dz_world world = check_world();
    dz_id id = DZ_COMPONENT(world, Position), tag = DZ_TAG(world, Tag), other = DZ_COMPONENT(world, Mixed);
    dz_entity e[100];
    const char *p;
    Position outside;
    uint32_t i;
    CHECK_OK(dz_create_n(world, 100, e));
    CHECK_OK(dz_add_n(world, e, 100, id));
    for (i = 0; i < 100; i++) CHECK_EQ(dz_entity_of(world, id, dz_get(world, e[i], id)), e[i]);
    p = (const char *)dz_get(world, e[99], id);
    REFUSED_0(world, dz_entity_of(world, id, p + 4), DZ_ERR_NOT_ELEMENT); /* nothing begins there */
    REFUSED_0(world, dz_entity_of(world, id, p + sizeof(Position)), DZ_ERR_NOT_ELEMENT); /* behind the last */
    REFUSED_0(world, dz_entity_of(world, id, &outside), DZ_ERR_NOT_ELEMENT);
    CHECK(dz_entity_of(world, id, NULL) == DZ_NULL && dz_failed(dz_error_status()));
    REFUSED_0(world, dz_entity_of(world, id, (const void *)(uintptr_t)8), DZ_ERR_NOT_ELEMENT); /* not followed */
    REFUSED_0(world, dz_entity_of(world, other, p), DZ_ERR_NOT_ELEMENT);
    REFUSED_0(world, dz_entity_of(world, tag, p), DZ_ERR_TAG);
    REFUSED_0(world, dz_entity_of(world, e[0], p), DZ_ERR_NOT_COMPONENT);
    CHECK_OK(dz_remove(world, e[99], id));
    REFUSED_0(world, dz_entity_of(world, id, p), DZ_ERR_NOT_ELEMENT);
    CHECK_OK(dz_world_destroy(world));
}

/* One value for the world: not an entity's, not counted, not iterated. */
static void singleton(void)
{
    dz_world world = check_world();
    dz_id id = DZ_COMPONENT(world, Position), tag = DZ_TAG(world, Tag);
    Position a = {1, 2, 3}, b = {4, 5, 6};
    dz_entity e = dz_create(world);
    dz_iter it;
    QUIETLY((uintptr_t)dz_singleton_get(world, id), 0);
    QUIETLY((uintptr_t)dz_singleton_get_mut(world, id), 0);
    QUIETLY(dz_singleton_remove(world, id), DZ_NOT_THERE);
    CHECK_OK(dz_singleton_set(world, id, sizeof a, &a));
    CHECK(memcmp(dz_singleton_get(world, id), &a, sizeof a) == 0);
    CHECK_OK(dz_singleton_set(world, id, sizeof b, &b));
    CHECK(memcmp(dz_singleton_get_mut(world, id), &b, sizeof b) == 0);
    ((Position *)dz_singleton_get_mut(world, id))->x = 9;
    CHECK(((const Position *)dz_singleton_get(world, id))->x > 8);
    CHECK_EQ(dz_count(world, id), 0);
    CHECK_OK(dz_iterate_pool(world, id, DZ_BACKWARD, &it));
    CHECK(!dz_next(&it));
    REFUSED(world, dz_singleton_set(world, id, 4, &a), DZ_ERR_SIZE);
    REFUSED(world, dz_singleton_set(world, id, sizeof a, NULL), DZ_ERR_NULL_POINTER);
    REFUSED(world, dz_singleton_set(world, tag, 0, &a), DZ_ERR_TAG);
    REFUSED(world, dz_singleton_set(world, e, sizeof a, &a), DZ_ERR_NOT_COMPONENT);
    REFUSED_NULL(world, dz_singleton_get(world, tag), DZ_ERR_TAG);
    REFUSED_NULL(world, dz_singleton_get(world, e), DZ_ERR_NOT_COMPONENT);
    REFUSED_NULL(world, dz_singleton_get_mut(world, tag), DZ_ERR_TAG);
    REFUSED(world, dz_singleton_remove(world, tag), DZ_ERR_TAG);
    REFUSED(world, dz_singleton_remove(world, e), DZ_ERR_NOT_COMPONENT);
    {
        dz_component value = {1, 1, 0, 0};
        REFUSED(world, dz_singleton_set(world, dz_component_id(world), sizeof value, &value), DZ_ERR_BUILTIN);
    }
    CHECK_OK(dz_singleton_set(world, id, sizeof a, dz_singleton_get(world, id))); /* from itself */
    CHECK(((const Position *)dz_singleton_get(world, id))->x > 8);
    CHECK_OK(dz_singleton_remove(world, id));
    QUIETLY((uintptr_t)dz_singleton_get(world, id), 0);
    CHECK_OK(dz_world_destroy(world));
}

/* M24: any power of two up to 4096, any size that it divides, in both policies. */
static void alignment(void)
{
    dz_world world = check_world();
    uint32_t a, policy, i;
    for (a = 1; a <= 4096; a *= 2) {
        for (policy = 0; policy < 2; policy++) {
            char name[20];
            dz_entity e[40];
            dz_id id;
            snprintf(name, sizeof name, "a%u p%u", (unsigned)a, (unsigned)policy);
            id = add_shape(world, name, a * 3, a, (int32_t)policy);
            CHECK_OK(dz_create_n(world, 40, e));
            for (i = 0; i < 40; i++) {
                char *p = (char *)dz_get_or_add(world, e[i], id);
                CHECK((uintptr_t)p % a == 0);
                if (p) memset(p, (int)i + 1, a * 3);
            }
            for (i = 0; i < 40; i += 3) CHECK_OK(dz_remove(world, e[i], id));
            if (policy) CHECK_OK(dz_compact(world, id));
            for (i = 0; i < 40; i++) {
                const char *p = (const char *)dz_get(world, e[i], id);
                if (i % 3 == 0) CHECK(p == NULL);
                else CHECK(p && (uintptr_t)p % a == 0 && p[0] == (char)(i + 1) && p[a * 3 - 1] == (char)(i + 1));
            }
            CHECK_OK(dz_singleton_set(world, id, a * 3, dz_get(world, e[1], id)));
            CHECK((uintptr_t)dz_singleton_get(world, id) % a == 0);
        }
    }
    CHECK_OK(dz_world_destroy(world));
}

static void count_ended(void *elements, uint32_t count, void *user)
{
    (void)elements;
    *(uint32_t *)user += count;
}

/* A world-wide value that is set from itself stays, and doesn't end. */
static void a_singleton_set_from_itself(void)
{
    dz_world world = check_world();
    dz_component_desc desc = shape("Weather", 4, 4, DZ_POLICY_SWAP);
    uint32_t ended = 0, value = 7;
    dz_id id;
    desc.hooks.destruct = count_ended, desc.hooks.user = &ended;
    id = dz_component_register(world, &desc);
    CHECK_OK(dz_singleton_set(world, id, 4, &value));
    CHECK_OK(dz_singleton_set(world, id, 4, dz_singleton_get(world, id)));
    CHECK_EQ(ended, 0);
    CHECK_EQ(*(const uint32_t *)dz_singleton_get(world, id), 7);
    CHECK_OK(dz_singleton_set(world, id, 4, &value));
    CHECK_EQ(ended, 1);
    CHECK_OK(dz_world_destroy(world));
    CHECK_EQ(ended, 2);
}

/* The first registration makes `Component` too, or neither: who gets its slot next has nothing. */
static void a_first_registration_that_fails(void)
{
    dz_world_desc desc = check_desc();
    dz_world world;
    dz_entity e;
    dz_id all[4];
    uint32_t count = 9;
    desc.reserved_components = DZ_RESERVE_NONE;
    world = dz_world_create(&desc);
    REFUSED_0(world, dz_component_simple(world, "Component", 8, 4), DZ_ERR_SHAPE);
    e = dz_create(world);
    CHECK(DZ_COMPONENT(world, Position) != 0);
    CHECK_OK(dz_type(world, e, all, 4, &count));
    CHECK_EQ(count, 0);
    QUIETLY(dz_has(world, e, dz_component_id(world)), false);
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(registering);
    RUN(bad_shapes);
    RUN(reflection);
    RUN(info);
    RUN(many);
    RUN(unregister);
    RUN(clear_pool);
    RUN(stable);
    RUN(entity_of);
    RUN(singleton);
    RUN(a_singleton_set_from_itself);
    RUN(a_first_registration_that_fails);
    RUN(alignment);
    return check_done();
}
