/* Hooks: elements that are more than bytes. Each knows its own address, so a forgotten or doubled hook shows. */
#include "check.h"

typedef struct Tracked {
    struct Tracked *self;
    int32_t value;
    uint32_t mark;
} Tracked;

enum { MARK = 0x600d600d };

typedef struct { int32_t living, constructed, copied, moved, destroyed, fail_after; } counts;

static int32_t construct(void *elements, uint32_t count, void *user)
{
    counts *c = (counts *)user;
    Tracked *t = (Tracked *)elements;
    uint32_t i;
    CHECK(count > 0);
    if (c->fail_after >= 0 && c->constructed + (int32_t)count > c->fail_after) return 1;
    for (i = 0; i < count; i++) t[i].self = &t[i], t[i].value = 100, t[i].mark = MARK;
    c->constructed += (int32_t)count;
    c->living += (int32_t)count;
    return 0;
}

static void destruct(void *elements, uint32_t count, void *user)
{
    counts *c = (counts *)user;
    Tracked *t = (Tracked *)elements;
    uint32_t i;
    CHECK(count > 0);
    for (i = 0; i < count; i++) {
        CHECK(t[i].self == &t[i]);
        CHECK_EQ(t[i].mark, MARK);
        memset(&t[i], 0xdd, sizeof t[i]);
    }
    c->destroyed += (int32_t)count;
    c->living -= (int32_t)count;
}

static int32_t copy(void *to, const void *from, uint32_t count, void *user)
{
    counts *c = (counts *)user;
    Tracked *t = (Tracked *)to;
    const Tracked *f = (const Tracked *)from;
    uint32_t i;
    CHECK(count > 0);
    if (c->fail_after >= 0 && c->copied + (int32_t)count > c->fail_after) return -1;
    for (i = 0; i < count; i++) t[i].self = &t[i], t[i].value = f[i].value, t[i].mark = MARK;
    c->copied += (int32_t)count;
    c->living += (int32_t)count;
    return 0;
}

static void relocate(void *to, void *from, uint32_t count, void *user)
{
    counts *c = (counts *)user;
    Tracked *t = (Tracked *)to, *f = (Tracked *)from;
    uint32_t i;
    CHECK(count > 0);
    for (i = 0; i < count; i++) {
        CHECK(f[i].self == &f[i]);
        t[i] = f[i];
        t[i].self = &t[i];
        memset(&f[i], 0xee, sizeof f[i]);
    }
    c->moved += (int32_t)count;
}

static dz_id tracked(dz_world world, counts *c, int32_t policy)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    memset(c, 0, sizeof *c);
    c->fail_after = -1;
    desc.name = policy ? "stable" : "swap";
    desc.element_size = sizeof(Tracked);
    desc.element_alignment = 8;
    desc.policy = policy;
    desc.hooks.construct = construct;
    desc.hooks.destruct = destruct;
    desc.hooks.copy = copy;
    desc.hooks.relocate = relocate;
    desc.hooks.user = c;
    return dz_component_register(world, &desc);
}

static void each_call(void)
{
    int32_t policy;
    for (policy = 0; policy < 2; policy++) {
        dz_world world = check_world();
        counts c;
        dz_id id = tracked(world, &c, policy);
        Tracked value = {NULL, 7, MARK};
        const Tracked *t;
        dz_entity a = dz_create(world), b = dz_create(world), d;
        CHECK_OK(dz_add(world, a, id));
        CHECK(c.constructed == 1 && c.copied == 0);
        t = DZ_GET(world, a, Tracked, id);
        CHECK(t->self == t && t->value == 100);
        CHECK_IS(dz_add(world, a, id), DZ_ALREADY_THERE);
        CHECK(c.constructed == 1 && c.destroyed == 0);
        CHECK_OK(DZ_SET(world, b, id, &value)); /* new: a copy, nothing constructed first that isn't ended */
        t = DZ_GET(world, b, Tracked, id);
        CHECK(t->self == t && t->value == 7);
        CHECK_EQ(c.living, 2);
        CHECK_OK(DZ_SET(world, b, id, t)); /* over itself */
        CHECK(t == DZ_GET(world, b, Tracked, id) && t->self == t && t->value == 7 && c.living == 2);
        value.value = 8;
        CHECK_OK(DZ_SET(world, b, id, &value)); /* over another */
        t = DZ_GET(world, b, Tracked, id);
        CHECK(t->self == t && t->value == 8);
        CHECK_EQ(c.living, 2);
        d = dz_clone(world, b);
        t = DZ_GET(world, d, Tracked, id);
        CHECK(t->self == t && t->value == 8);
        CHECK_EQ(c.living, 3);
        c.moved = 0;
        CHECK_OK(dz_remove(world, a, id)); /* the first: another fills the gap, or doesn't */
        CHECK_EQ(c.living, 2);
        CHECK_EQ(c.moved, policy ? 0 : 1);
        t = DZ_GET(world, d, Tracked, id);
        CHECK(t->self == t && t->value == 8);
        if (policy) {
            CHECK_OK(dz_compact(world, id));
            CHECK_EQ(c.moved, 1);
            t = DZ_GET(world, d, Tracked, id);
            CHECK(t->self == t && t->value == 8);
        }
        CHECK_OK(dz_destroy(world, d));
        CHECK_EQ(c.living, 1);
        CHECK_OK(dz_singleton_set(world, id, sizeof value, &value));
        CHECK_EQ(c.living, 2);
        t = (const Tracked *)dz_singleton_get(world, id);
        CHECK(t->self == t);
        CHECK_OK(dz_singleton_set(world, id, sizeof value, &value));
        CHECK_EQ(c.living, 2);
        CHECK_OK(dz_shrink(world));
        CHECK_OK(dz_world_destroy(world));
        CHECK_EQ(c.living, 0);
        CHECK_EQ(c.destroyed, c.constructed + c.copied);
    }
}

static void ends(void)
{
    int32_t policy, end;
    for (policy = 0; policy < 2; policy++) {
        for (end = 0; end < 5; end++) {
            dz_world world = check_world();
            counts c;
            dz_id id = tracked(world, &c, policy);
            dz_entity e[100];
            Tracked value = {NULL, 7, MARK};
            CHECK_OK(dz_create_n(world, 100, e));
            CHECK_OK(dz_add_n(world, e, 100, id));
            CHECK_OK(dz_remove(world, e[40], id));
            CHECK_OK(dz_singleton_set(world, id, sizeof value, &value));
            CHECK_EQ(c.living, 100);
            if (end == 0) CHECK_OK(dz_clear_pool(world, id)), CHECK_EQ(c.living, 1);
            if (end == 1) CHECK_OK(dz_world_clear(world)), CHECK_EQ(c.living, 0);
            if (end == 2) CHECK_OK(dz_component_unregister(world, id)), CHECK_EQ(c.living, 0);
            if (end == 3) CHECK_OK(dz_destroy_n(world, e, 100, NULL)), CHECK_EQ(c.living, 1);
            CHECK_OK(dz_world_destroy(world));
            CHECK_EQ(c.living, 0);
            CHECK_EQ(c.destroyed, c.constructed + c.copied);
        }
    }
}

/* A hook that fails undoes its call, wholly. */
static void failing(void)
{
    int32_t policy;
    for (policy = 0; policy < 2; policy++) {
        dz_world world = check_world();
        counts c;
        dz_id id = tracked(world, &c, policy), plain = dz_component_simple(world, "plain", 4, 4);
        Tracked values[20];
        dz_entity e[20], made[20];
        dz_column columns[2];
        int32_t i;
        memset(values, 0, sizeof values);
        memset(columns, 0, sizeof columns);
        for (i = 0; i < 20; i++) values[i].value = i, values[i].mark = MARK;
        CHECK_OK(dz_create_n(world, 20, e));
        CHECK_OK(dz_add(world, e[0], id));
        CHECK_OK(dz_add(world, e[0], plain));
        for (i = 0; i < 3; i++) { /* fails at once, at the second and at the last element */
            c.fail_after = c.constructed + (i == 0 ? 0 : i == 1 ? 1 : 18);
            REFUSED(world, dz_add_n(world, e + 1, 19, id), DZ_ERR_HOOK_FAILED);
            CHECK_EQ(c.living, 1);
        }
        c.fail_after = c.constructed;
        REFUSED(world, dz_add(world, e[1], id), DZ_ERR_HOOK_FAILED);
        REFUSED_NULL(world, dz_get_or_add(world, e[1], id), DZ_ERR_HOOK_FAILED);
        {
            void *pointers[20];
            REFUSED(world, dz_get_or_add_n(world, e, 20, id, pointers), DZ_ERR_HOOK_FAILED);
        }
        columns[0].id = plain, columns[0].element_size = 4;
        columns[1].id = id, columns[1].element_size = sizeof(Tracked);
        REFUSED(world, dz_create_with(world, 20, columns, 2, made), DZ_ERR_HOOK_FAILED);
        c.fail_after = c.constructed + 5;
        REFUSED(world, dz_create_with(world, 20, columns, 2, made), DZ_ERR_HOOK_FAILED);
        columns[1].values = values;
        c.fail_after = c.copied + 5;
        REFUSED(world, dz_create_with(world, 20, columns, 2, made), DZ_ERR_HOOK_FAILED);
        c.fail_after = c.copied;
        REFUSED(world, dz_set(world, e[0], id, sizeof(Tracked), values), DZ_ERR_HOOK_FAILED); /* the old value stays */
        CHECK(DZ_GET(world, e[0], Tracked, id)->self == DZ_GET(world, e[0], Tracked, id));
        REFUSED(world, dz_set(world, e[1], id, sizeof(Tracked), values), DZ_ERR_HOOK_FAILED);
        REFUSED(world, dz_singleton_set(world, id, sizeof(Tracked), values), DZ_ERR_HOOK_FAILED);
        REFUSED_0(world, dz_clone(world, e[0]), DZ_ERR_HOOK_FAILED);
        for (i = 0; i < 3; i++) { /* e[0] has one already, the others don't */
            c.fail_after = c.copied + (i == 0 ? 0 : i == 1 ? 1 : 19);
            REFUSED(world, dz_set_n(world, e, 20, id, sizeof(Tracked), values), DZ_ERR_HOOK_FAILED);
            CHECK_EQ(c.living, 1);
        }
        c.fail_after = -1;
        CHECK_OK(dz_singleton_set(world, id, sizeof(Tracked), values));
        c.fail_after = c.copied;
        REFUSED(world, dz_singleton_set(world, id, sizeof(Tracked), values), DZ_ERR_HOOK_FAILED);
        c.fail_after = -1;
        CHECK_OK(dz_set_n(world, e, 20, id, sizeof(Tracked), values)); /* and works again */
        for (i = 0; i < 20; i++) CHECK_EQ(DZ_GET(world, e[i], Tracked, id)->value, i);
        CHECK_EQ(c.living, 21);
        CHECK_OK(dz_world_destroy(world));
        CHECK_EQ(c.living, 0);
    }
}

static void count_event(const dz_event *event, void *user)
{
    (void)event;
    ++*(uint32_t *)user;
}

/* One made with values: each hook is called once, and if one fails, those before have ended what they made. Alone; where
 * somebody listens; where a group lists them. */
static void one_made(void)
{
    int32_t policy, beside, at;
    for (policy = 0; policy < 2; policy++)
        for (beside = 0; beside < 3; beside++) {
            dz_world world = check_world();
            counts c, d;
            dz_id hooked = tracked(world, &c, policy), plain = dz_component_simple(world, "plain", 4, 4), second, ids[2];
            dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
            dz_group_desc both = DZ_GROUP_DESC_INIT;
            dz_column columns[3];
            dz_group group = {0};
            dz_entity e, gone = 0;
            Tracked value;
            uint32_t told = 0, made = 0;
            memset(&value, 0, sizeof value), memset(columns, 0, sizeof columns), memset(&d, 0, sizeof d);
            value.value = 7, value.mark = MARK, d.fail_after = -1;
            desc.name = "second", desc.element_size = sizeof(Tracked), desc.element_alignment = 8;
            desc.hooks.construct = construct, desc.hooks.destruct = destruct;
            desc.hooks.copy = copy, desc.hooks.relocate = relocate, desc.hooks.user = &d;
            second = dz_component_register(world, &desc);
            ids[0] = hooked, ids[1] = second, both.included = ids, both.included_count = 2;
            if (beside == 1) CHECK(dz_listen(world, DZ_ON_ADD, second, count_event, &told).bits != 0);
            if (beside == 2) group = dz_group_create(world, &both), CHECK(group.bits != 0);
            for (at = 0; at < 60; at++) {
                const bool copies = at % 2 == 0, fails = at % 3 == 1;
                const int32_t first = copies ? c.copied : c.constructed, other = copies ? d.copied : d.constructed;
                columns[0].id = plain, columns[0].element_size = 4;
                columns[1].id = hooked, columns[1].element_size = sizeof value, columns[1].values = copies ? &value : NULL;
                columns[2] = columns[1], columns[2].id = second;
                d.fail_after = fails ? other : -1;
                if (at == 40) CHECK_OK(dz_destroy(world, gone)); /* a gap, where addresses are stable */
                if (fails) {
                    REFUSED(world, dz_create_with(world, 1, columns, 3, &e), DZ_ERR_HOOK_FAILED);
                } else {
                    CHECK_OK(dz_create_with(world, 1, columns, 3, &e));
                    made++, gone = e;
                    CHECK_EQ(DZ_GET(world, e, Tracked, hooked)->value, copies ? 7 : 100);
                    CHECK_EQ(DZ_GET(world, e, Tracked, second)->value, copies ? 7 : 100);
                }
                CHECK_EQ((copies ? c.copied : c.constructed) - first, 1);
                CHECK_EQ((copies ? d.copied : d.constructed) - other, !fails);
                CHECK_EQ(dz_count(world, plain), made - (at >= 40));
                CHECK_EQ(c.living, (int32_t)made - (at >= 40));
                CHECK_EQ(d.living, c.living);
                if (beside == 1) CHECK_EQ(told, made);
                if (beside == 2) CHECK_EQ(dz_group_count(world, group), made - (at >= 40));
            }
            CHECK_OK(dz_world_destroy(world));
            CHECK_EQ(c.living, 0);
            CHECK_EQ(d.living, 0);
        }
}

/* Registering again renews the hooks, as a reloaded library must. Hooks that are all zero leave the old ones. */
static void renewed(void)
{
    dz_world world = check_world();
    counts c, later;
    dz_id id = tracked(world, &c, 0);
    dz_entity e = dz_create(world);
    CHECK_OK(dz_add(world, e, id));
    CHECK_EQ(dz_component_simple(world, "swap", sizeof(Tracked), 8), id);
    CHECK_OK(dz_add(world, dz_create(world), id));
    CHECK_EQ(c.constructed, 2);
    CHECK_EQ(tracked(world, &later, 0), id);
    CHECK_OK(dz_destroy(world, e));
    CHECK_EQ(later.destroyed, 1);
    CHECK_EQ(c.destroyed, 0);
    CHECK_OK(dz_world_destroy(world));
    CHECK_EQ(later.destroyed, 2);
}

static dz_world inside;

static int32_t construct_and_call(void *elements, uint32_t count, void *user)
{
    memset(elements, 0, count * sizeof(int32_t));
    CHECK_EQ(dz_create(inside), 0);
    CHECK_IS(dz_error_status(), DZ_ERR_IN_HOOK);
    CHECK_IS(dz_world_destroy(inside), DZ_ERR_IN_HOOK);
    (void)user;
    return 0;
}

/* Hooks must not call the library; those that do are refused, and nothing breaks. */
static void calling(void)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    dz_id id;
    dz_entity e;
    inside = check_world();
    desc.name = "calls";
    desc.element_size = 4;
    desc.hooks.construct = construct_and_call;
    id = dz_component_register(inside, &desc);
    e = dz_create(inside);
    CHECK_OK(dz_add(inside, e, id));
    CHECK(dz_has(inside, e, id));
    CHECK(dz_create(inside) != 0);
    CHECK_OK(dz_world_destroy(inside));
}

/* Everything, in random order: as many elements live as are counted, each at its own address with its own value. */
static void random_use(void)
{
    int32_t policy;
    for (policy = 0; policy < 2; policy++) {
        dz_world world = check_world();
        counts c;
        dz_id id = tracked(world, &c, policy);
        dz_entity e[300];
        int32_t values[300], step; /* -1: not there */
        uint32_t i;
        CHECK_OK(dz_create_n(world, 300, e));
        for (i = 0; i < 300; i++) values[i] = -1;
        for (step = 0; step < 6000; step++) {
            uint32_t at = check_random(300);
            Tracked value = {NULL, step, MARK};
            switch (check_random(6)) {
            case 0:
                CHECK_IS(dz_add(world, e[at], id), values[at] < 0 ? DZ_OK : DZ_ALREADY_THERE);
                if (values[at] < 0) values[at] = 100;
                break;
            case 1:
                CHECK_OK(DZ_SET(world, e[at], id, &value));
                values[at] = step;
                break;
            case 2:
            case 3:
                CHECK_IS(dz_remove(world, e[at], id), values[at] < 0 ? DZ_NOT_THERE : DZ_OK);
                values[at] = -1;
                break;
            case 4:
                CHECK_OK(dz_destroy(world, e[at]));
                e[at] = dz_create(world);
                values[at] = -1;
                break;
            default:
                i = check_random(300);
                if (i == at) break;
                CHECK_OK(dz_destroy(world, e[at]));
                e[at] = dz_clone(world, e[i]);
                values[at] = values[i];
            }
            if (step % 1000 == 500 && policy) CHECK_OK(dz_compact(world, id));
            if (step % 1000 == 700) CHECK_OK(dz_shrink(world));
            CHECK_EQ(c.living, dz_count(world, id));
        }
        for (i = 0; i < 300; i++) {
            const Tracked *t = DZ_GET(world, e[i], Tracked, id);
            CHECK_EQ(t != NULL, values[i] >= 0);
            if (t) CHECK(t->self == t && t->value == values[i] && t->mark == MARK);
        }
        CHECK_OK(dz_world_destroy(world));
        CHECK_EQ(c.living, 0);
    }
}

/* Without a copy hook values are copied as bytes, and the old one is destructed: but not one that is set to itself. */
static void set_to_itself(void)
{
    dz_world world = check_world();
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    counts c = {0, 0, 0, 0, 0, -1};
    Tracked value = {NULL, 7, MARK}, *t;
    dz_entity a = dz_create(world);
    dz_id id;
    desc.name = "plain copy", desc.element_size = sizeof(Tracked), desc.element_alignment = 8;
    desc.hooks.destruct = destruct, desc.hooks.user = &c;
    id = dz_component_register(world, &desc);
    CHECK_OK(DZ_SET(world, a, id, &value));
    t = DZ_GET_MUT(world, a, Tracked, id);
    t->self = t;
    CHECK_OK(DZ_SET(world, a, id, t));
    CHECK(c.destroyed == 0 && t == DZ_GET(world, a, Tracked, id) && t->self == t && t->mark == MARK);
    value.value = 8;
    CHECK_OK(DZ_SET(world, a, id, &value));
    CHECK(c.destroyed == 1 && t->value == 8);
    t->self = t;
    CHECK_OK(dz_world_destroy(world));
    CHECK_EQ(c.destroyed, 2);
}

int main(void)
{
    RUN(each_call);
    RUN(ends);
    RUN(failing);
    RUN(one_made);
    RUN(renewed);
    RUN(calling);
    RUN(random_use);
    RUN(set_to_itself);
    return check_done();
}
