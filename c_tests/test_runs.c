/* Long runs: parts of one are laid out ahead in the dz_iter, and each is handed out only while everything is as it
 * was. So: all are seen, whatever the fields' pools look like; and whatever changes between two parts is noticed. */
#include "check.h"

/* More than 16 parts, where the pages of three pools end elsewhere: 32,768 elements each, but for the first seven. */
enum { PAGE = 32768, N = 90000 };

typedef struct { uint32_t number; } Number;
typedef struct { float x, y, z; } Position;

typedef struct {
    dz_world world;
    dz_id number, position, third, rare, tag;
    dz_entity *e;
} scene;

/* Number and Tag: all. Position and Third: all but the first 100, or 50, so that their pages end elsewhere. Rare: the last 30.
 * The first comes alone: where many come to an empty pool, its first pages are one. */
static void begin(scene *s)
{
    static uint32_t numbers[N];
    static Position positions[N];
    uint32_t i;
    s->world = check_world();
    s->number = DZ_COMPONENT(s->world, Number), s->position = DZ_COMPONENT(s->world, Position);
    s->third = dz_component_simple(s->world, "Third", 4, 4);
    s->rare = dz_component_simple(s->world, "Rare", 4, 4), s->tag = DZ_TAG(s->world, Tag);
    s->e = malloc(N * sizeof *s->e);
    CHECK_OK(dz_create_n(s->world, N, s->e));
    for (i = 0; i < N; i++) numbers[i] = i, positions[i].x = (float)i;
    for (i = 0; i < 2; i++) {
        const uint32_t n = i == 0 ? 1 : N - 1;
        CHECK_OK(dz_set_n(s->world, s->e + i, n, s->number, sizeof *numbers, numbers + i));
        CHECK_OK(dz_set_n(s->world, s->e + 50 + i, i == 0 ? 1 : n - 50, s->third, sizeof *numbers, numbers + 50 + i));
        CHECK_OK(dz_set_n(s->world, s->e + 100 + i, i == 0 ? 1 : n - 100, s->position, sizeof *positions, positions + 100 + i));
    }
    CHECK_OK(dz_add_n(s->world, s->e, N, s->tag));
    CHECK_OK(dz_set_n(s->world, s->e + N - 30, 30, s->rare, 4, numbers + N - 30));
}

static void end(scene *s)
{
    CHECK_OK(dz_world_destroy(s->world));
    free(s->e);
}

static dz_query query_of(const scene *s, const char *text, uint32_t kept)
{
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    dz_query query;
    desc.text = text, desc.kept = kept;
    query = dz_query_create(s->world, &desc);
    CHECK(query.bits != 0);
    if (kept) CHECK_OK(dz_query_refresh(s->world, query));
    return query;
}

/* Looks at all that is left from `next` on; `fields` of Number, Position and Rare are handed out. Says how many batches. */
static uint32_t look(const scene *s, dz_iter *it, uint32_t next, uint32_t fields)
{
    uint32_t i, batches = 0;
    for (; dz_next(it); batches++) {
        bool good = it->count > 0 && it->count <= N - next;
        for (i = 0; good && i < it->count; i++, next++) {
            good = DZ_AT(*it, const Number, 0, i)->number == next && dz_iter_entity(it, i) == s->e[next];
            if (fields > 1) good = good && DZ_AT(*it, const Position, 1, i)->x == (float)next;
            if (fields > 2) good = good && (DZ_AT_IF(*it, uint32_t, 2, i) != NULL) == (next >= N - 30);
        }
        if (!CHECK(good)) return batches;
    }
    CHECK_EQ(next, N);
    CHECK_IS(it->status, DZ_OK);
    CHECK_EQ(it->count, 0);
    CHECK(!dz_next(it));
    return batches;
}

/* Everybody is seen once, in order, each with its own elements: one field, two that end apart, one that begins late. */
static void all_parts(void)
{
    static const struct { const char *text; uint32_t first, fields, least; } queries[] = {
        {"[in] Number", 0, 1, 9},
        {"[in] Number, [in] Position", 100, 2, 15},
        {"[in] Number, [none] Tag", 0, 1, 9},
        {"[in] Number, [in] Position, ?Rare, [none] Tag", 100, 3, 15},
        {"[in] Number, [in] Position, [in] Third", 100, 2, 21},
    };
    scene s;
    uint32_t i, kept, part, least;
    begin(&s);
    for (i = 0; i < sizeof queries / sizeof *queries; i++) {
        for (kept = 0; kept < 2; kept++) {
            dz_query query = query_of(&s, queries[i].text, kept);
            dz_iter it;
            least = queries[i].least;
            CHECK_OK(dz_iterate(s.world, query, &it));
            CHECK(look(&s, &it, queries[i].first, queries[i].fields) >= least);
            CHECK_OK(dz_iterate_runs(s.world, query, &it));
            CHECK(look(&s, &it, queries[i].first, queries[i].fields) >= least);
            CHECK_OK(dz_restart(&it));
            for (part = 0; part + 1 < least; part++) CHECK(dz_next(&it));
            CHECK_OK(dz_restart(&it)); /* amid what is laid out */
            CHECK(look(&s, &it, queries[i].first, queries[i].fields) >= least);
            CHECK_OK(dz_query_destroy(s.world, query));
        }
    }
    end(&s);
}

/* A copy goes on where the original stands, and the original doesn't notice. */
static void copies(void)
{
    scene s;
    dz_iter it, copy;
    uint32_t i, next = 0;
    begin(&s);
    CHECK_OK(dz_iterate(s.world, query_of(&s, "[in] Number", 0), &it));
    for (i = 0; i < 7; i++) {
        CHECK(dz_next(&it));
        next += it.count;
        copy = it;
        look(&s, &copy, next, 1);
    }
    look(&s, &it, next, 1);
    end(&s);
}

/* What happens between two parts. */
enum {
    NOTHING, DESTROY_NEXT, DESTROY_LAST, DESTROY_BEFORE, STOP_MATCHING, COME_BEHIND, DISABLE, ANOTHER_QUERY, CLEAR_POOL, CLEAR,
    UNREGISTER, DESTROY_QUERY, DESTROY_WORLD, CHANGES
};

static void changes(void)
{
    int change, kept, parts;
    for (change = 0; change < CHANGES; change++) {
        for (kept = 0; kept < 2; kept++) {
            for (parts = 3; parts < 20; parts += 14) { /* amid what was laid out first, and what was laid out later */
                static uint8_t seen[N + 1];
                scene s;
                dz_query query, another;
                dz_entity came = 0;
                dz_iter it;
                uint32_t i, next = 100, gone = UINT32_MAX, n = 0;
                dz_status status = DZ_OK;
                begin(&s);
                query = query_of(&s, "[in] Number, [in] Position, [in] Third, !Rare", kept != 0), another = query_of(&s, "Position", 0);
                memset(seen, 0, sizeof seen);
                /* Who comes behind lives already: an index that nobody had when the loop began isn't gone to. */
                if (change == COME_BEHIND) came = dz_create(s.world);
                CHECK_OK(dz_iterate(s.world, query, &it));
                for (i = 0; i < (uint32_t)parts; i++) {
                    CHECK(dz_next(&it));
                    next += it.count;
                }
                switch (change) {
                case NOTHING: break;
                case DESTROY_NEXT: gone = next, CHECK_OK(dz_destroy(s.world, s.e[next])); break;
                case DESTROY_LAST: gone = N - 31, CHECK_OK(dz_destroy(s.world, s.e[gone])); break;
                case DESTROY_BEFORE: CHECK_OK(dz_destroy(s.world, s.e[next - 1])); break;
                case STOP_MATCHING: gone = next + 5, CHECK_OK(dz_add(s.world, s.e[gone], s.rare)); break;
                case COME_BEHIND:
                    i = N;
                    CHECK_OK(dz_set(s.world, came, s.number, 4, &i));
                    CHECK_OK(dz_add(s.world, came, s.position));
                    CHECK_OK(dz_add(s.world, came, s.third));
                    break;
                case DISABLE: gone = next + 5, CHECK_OK(dz_set_enabled(s.world, s.e[gone], false)); break;
                case ANOTHER_QUERY: CHECK_OK(dz_query_destroy(s.world, another)); break;
                case CLEAR_POOL: CHECK_OK(dz_clear_pool(s.world, s.number)); break;
                case CLEAR: CHECK_OK(dz_world_clear(s.world)); break;
                case UNREGISTER: CHECK_OK(dz_component_unregister(s.world, s.rare)), status = DZ_ERR_QUERY_LOST; break;
                case DESTROY_QUERY: CHECK_OK(dz_query_destroy(s.world, query)), status = DZ_ERR_QUERY; break;
                default: CHECK_OK(dz_world_destroy(s.world)), status = DZ_ERR_WORLD_DEAD;
                }
                while (dz_next(&it)) {
                    bool good = true;
                    for (i = 0; good && i < it.count; i++, n++) {
                        uint32_t number = DZ_AT(it, const Number, 0, i)->number;
                        good = number >= next && number <= N && number != gone && !seen[number];
                        good = good && dz_iter_entity(&it, i) == (number < N ? s.e[number] : came);
                        if (good) seen[number] = 1;
                    }
                    if (!CHECK(good)) break;
                }
                CHECK_IS(it.status, status);
                CHECK_EQ(it.count, 0);
                if (change == CLEAR_POOL || change == CLEAR || status != DZ_OK) {
                    CHECK_EQ(n, 0);
                } else {
                    CHECK_EQ(n, N - 30 - next - (gone < N) + (came != 0));
                }
                CHECK(!dz_next(&it));
                if (change != DESTROY_WORLD) CHECK_OK(dz_world_destroy(s.world));
                free(s.e);
            }
        }
    }
}

static dz_iter *in_hook;
static dz_status hook_status;

static int32_t ask(void *elements, uint32_t count, void *user)
{
    dz_iter copy = *in_hook;
    (void)elements, (void)count, (void)user;
    CHECK(!dz_next(&copy));
    hook_status = copy.status;
    return 0;
}

/* While a hook runs nothing is handed out, though it is laid out; afterwards the rest is. */
static void hooks(void)
{
    dz_component_desc desc = dz_component_desc_init();
    scene s;
    dz_id hooked;
    dz_iter it;
    uint32_t next;
    begin(&s);
    desc.name = "Hooked", desc.element_size = 4, desc.element_alignment = 4, desc.hooks.construct = ask;
    hooked = dz_component_register(s.world, &desc);
    CHECK_OK(dz_iterate(s.world, query_of(&s, "[in] Number", 0), &it));
    CHECK(dz_next(&it));
    next = it.count;
    in_hook = &it, hook_status = DZ_OK;
    CHECK_OK(dz_add(s.world, s.e[0], hooked));
    CHECK_IS(hook_status, DZ_ERR_IN_HOOK);
    look(&s, &it, next, 1);
    end(&s);
}

static uint32_t batches(dz_world world, dz_query query)
{
    dz_iter it;
    uint32_t n = 0;
    for (dz_iterate(world, query, &it); dz_next(&it);) n++;
    return n;
}

/* So many elements of a pool lie side by side from the first on. */
static uint32_t first_span_of(const scene *s, dz_id id)
{
    dz_iter it;
    CHECK_OK(dz_iterate_pool(s->world, id, DZ_FORWARD, &it));
    CHECK(dz_next(&it));
    return it.count;
}

static uint32_t first_span(const scene *s)
{
    return first_span_of(s, s->number);
}

static const Number *at(const scene *s, uint32_t i)
{
    return DZ_GET(s->world, s->e[i], Number, s->number);
}

/* dz_optimize with many moves lays the first 32,768 elements of a pool side by side, so that runs don't end there. With
 * few it moves none that is in order; stable pools keep theirs in any case. */
static void joined(void)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    scene s;
    dz_id stable;
    dz_query query, kept;
    dz_world_numbers before, after;
    dz_iter it, pool;
    const void *stays;
    uint32_t i, made = 0, next, apart;
    begin(&s);
    desc.name = "Stable", desc.element_size = 4, desc.element_alignment = 4, desc.policy = DZ_POLICY_STABLE;
    stable = dz_component_register(s.world, &desc);
    CHECK(stable != 0);
    CHECK_OK(dz_add_n(s.world, s.e, 1000, stable));
    query = query_of(&s, "[in] Number, [in] Position", 0), kept = query_of(&s, "[in] Number, [in] Position", 1);
    apart = batches(s.world, kept);
    stays = dz_get(s.world, s.e[0], stable);
    CHECK(first_span(&s) < PAGE);
    CHECK_OK(dz_world_stats(s.world, &before));

    CHECK_OK(dz_iterate(s.world, query, &it));
    for (i = 0, next = 100; i < 3; i++) CHECK(dz_next(&it)), next += it.count;
    CHECK_OK(dz_iterate_pool(s.world, s.number, DZ_FORWARD, &pool));
    CHECK(dz_next(&pool));
    CHECK_OK(dz_optimize(s.world, PAGE - 1, &made));
    CHECK(made <= PAGE - 1 && first_span(&s) < PAGE);
    CHECK_OK(dz_optimize(s.world, PAGE, &made)); /* one pool's */
    CHECK(first_span(&s) == PAGE && first_span_of(&s, s.position) < PAGE);
    CHECK_OK(dz_optimize(s.world, UINT32_MAX, &made));
    CHECK(made < N && first_span(&s) == PAGE && first_span_of(&s, s.position) == PAGE);
    CHECK(dz_each(&pool) == UINT32_MAX && !dz_next(&pool));
    CHECK_IS(pool.status, DZ_ERR_CHANGED);
    for (i = 0; i < N && at(&s, i)->number == i;) i++;
    CHECK_EQ(i, N);
    CHECK(dz_get(s.world, s.e[0], stable) == stays);
    CHECK_OK(dz_world_stats(s.world, &after));
    CHECK_EQ(after.bytes, before.bytes);
    look(&s, &it, next, 2); /* a query's iteration goes on */

    CHECK_OK(dz_query_refresh(s.world, kept));
    CHECK(batches(s.world, kept) < apart);
    CHECK_OK(dz_iterate(s.world, kept, &it));
    CHECK(dz_next(&it) && it.count == PAGE && !it.gather);
    look(&s, &it, 100 + it.count, 2);

    /* In a group, both ways, and as it shrinks. */
    {
        dz_group_desc of = DZ_GROUP_DESC_INIT;
        dz_id owned[2];
        dz_group group;
        uint32_t seen = 0;
        owned[0] = s.number, owned[1] = s.position;
        of.owned = owned, of.owned_count = 2;
        group = dz_group_create(s.world, &of);
        CHECK(group.bits != 0);
        for (dz_iterate_group(s.world, group, DZ_FORWARD, &it); dz_next(&it);) {
            for (i = 0; i < it.count; i++, seen++) {
                CHECK(DZ_AT(it, const Position, 1, i)->x == (float)DZ_AT(it, const Number, 0, i)->number);
            }
        }
        CHECK_EQ(seen, N - 100);
        for (dz_iterate_group(s.world, group, DZ_BACKWARD, &it); dz_next(&it);) {
            DZ_EACH(it, k) {
                CHECK(DZ_AT(it, const Position, 1, k)->x == (float)DZ_AT(it, const Number, 0, k)->number);
                if (seen-- > 30) CHECK_OK(dz_destroy(s.world, dz_iter_entity(&it, k)));
            }
        }
        CHECK_EQ(seen, 0);
        CHECK_EQ(dz_count(s.world, s.position), 30);
        CHECK_OK(dz_shrink(s.world));
        for (i = 0; i < N; i++) {
            if (dz_is_alive(s.world, s.e[i])) CHECK(at(&s, i)->number == i);
        }
        CHECK_OK(dz_world_stats(s.world, &after));
        CHECK(after.bytes < before.bytes / 2); /* what is joined is given back together */
    }
    end(&s);
}

/* A group whose pools' pages end elsewhere: the one is joined, the other isn't, or is up to another page. */
static void uneven_group(void)
{
    uint32_t first, direction, later;
    for (first = 0; first < 2; first++) {
        for (later = 0; later < 2; later++) {
            scene s;
            dz_group_desc of = DZ_GROUP_DESC_INIT;
            dz_id owned[2], other;
            dz_group group;
            begin(&s);
            other = dz_component_simple(s.world, "Other", 8, 8);
            if (later) CHECK_OK(dz_add_n(s.world, s.e, 200, other));
            CHECK_OK(dz_optimize(s.world, UINT32_MAX, NULL));
            CHECK_OK(dz_add_n(s.world, s.e + 200 * later, 9000, other));
            owned[first] = s.number, owned[1 - first] = other;
            of.owned = owned, of.owned_count = 2;
            group = dz_group_create(s.world, &of);
            CHECK(group.bits != 0);
            for (direction = 0; direction < 2; direction++) {
                dz_iter it;
                uint32_t i, seen = 0;
                for (dz_iterate_group(s.world, group, direction ? DZ_BACKWARD : DZ_FORWARD, &it); dz_next(&it);) {
                    for (i = 0; i < it.count; i++, seen++) {
                        dz_entity e = dz_iter_entity(&it, i);
                        CHECK(DZ_AT(it, const Number, first, i) == dz_get(s.world, e, s.number));
                        if (!CHECK(DZ_AT(it, const uint64_t, 1 - first, i) == dz_get(s.world, e, other))) break;
                    }
                }
                CHECK_EQ(seen, 9000 + 200 * later);
            }
            end(&s);
        }
    }
}

/* What isn't an iterator, or has failed, hands out nothing, though parts are laid out in it. */
static void spoilt(void)
{
    scene s;
    dz_query query;
    dz_iter it;
    begin(&s);
    query = query_of(&s, "[in] Number", 0);
    CHECK_OK(dz_iterate(s.world, query, &it));
    CHECK(dz_next(&it));
    it.status = DZ_ERR_CHANGED;
    CHECK(!dz_next(&it));
    CHECK_EQ(it.count, 0);
    CHECK_OK(dz_iterate(s.world, query, &it));
    CHECK(dz_next(&it));
    it.magic++;
    CHECK(!dz_next(&it));
    CHECK_IS(it.status, DZ_ERR_ITER);
    CHECK_OK(dz_iterate(s.world, query, &it));
    CHECK(dz_next(&it));
    CHECK_OK(dz_iterate_pool(s.world, s.position, DZ_FORWARD, &it)); /* the place is used for another */
    CHECK(dz_next(&it));
    CHECK(it.data == dz_get(s.world, s.e[100], s.position));
    end(&s);
}

/* Whichever kept queries there were before, dz_optimize makes the order that those want which there are now. */
static void other_wishes(void)
{
    uint32_t some, i, made, last;
    for (some = 1; some < 200; some++) {
        dz_world world = check_world();
        dz_id a = dz_component_simple(world, "A", 4, 4), b = dz_component_simple(world, "B", 4, 4);
        dz_query_desc desc = DZ_QUERY_DESC_INIT;
        dz_entity e[300];
        dz_query query;
        dz_iter it;
        CHECK_OK(dz_create_n(world, 300, e));
        CHECK_OK(dz_add_n(world, e, 300, a));
        CHECK_OK(dz_add_n(world, e + 300 - some, some, b));
        desc.text = "A, B", desc.kept = 1;
        query = dz_query_create(world, &desc);
        CHECK_OK(dz_optimize(world, UINT32_MAX, &made));
        CHECK(made > 0);
        CHECK_OK(dz_query_destroy(world, query));
        desc.text = "A";
        CHECK(dz_query_create(world, &desc).bits != 0);
        CHECK_OK(dz_optimize(world, UINT32_MAX, &made));
        for (last = 0, dz_iterate_pool(world, a, DZ_FORWARD, &it); dz_next(&it);) {
            for (i = 0; i < it.count; i++) {
                uint32_t index = dz_entity_index(dz_iter_entity(&it, i));
                CHECK(index > last);
                last = index;
            }
        }
        CHECK_OK(dz_world_destroy(world));
    }
}

/* No moves are no turn: who is put into order next stays so. */
static void no_moves(void)
{
    int asks, moved[4];
    for (asks = 0; asks < 4; asks++) {
        enum { MEMBERS = 8 };
        dz_world world = check_world();
        dz_id id[2];
        dz_entity e[MEMBERS];
        uint32_t made;
        int k;
        id[0] = DZ_COMPONENT(world, Number), id[1] = DZ_COMPONENT(world, Position);
        CHECK_OK(dz_create_n(world, MEMBERS, e));
        CHECK_OK(dz_add_n(world, e, MEMBERS, id[0])), CHECK_OK(dz_add_n(world, e, MEMBERS, id[1]));
        CHECK_OK(dz_optimize(world, UINT32_MAX, NULL));
        for (k = 0; k < 2; k++) CHECK_OK(dz_remove(world, e[0], id[k])), CHECK_OK(dz_add(world, e[0], id[k]));
        for (k = 0; k < asks; k++) {
            CHECK_OK(dz_optimize(world, 0, &made));
            CHECK_EQ(made, 0);
        }
        CHECK_OK(dz_optimize(world, 1, &made));
        CHECK_EQ(made, 1);
        for (k = 0, moved[asks] = -1; k < 2; k++) { /* the last one, who had gone to the front, is back at the end */
            dz_iter it;
            CHECK_OK(dz_iterate_pool(world, id[k], DZ_FORWARD, &it));
            CHECK(dz_next(&it));
            if (dz_iter_entity(&it, 0) == e[0]) moved[asks] = k;
        }
        CHECK_OK(dz_world_destroy(world));
    }
    CHECK(moved[0] >= 0 && moved[0] == moved[1] && moved[0] == moved[2] && moved[0] == moved[3]);
}

/* The parts of a query that remembers its runs: in each the matches of its indices and no others, in order, as runs, with a
 * pool to read entities from and without, from where the query was optimised, and from a long run's middle. */
static void parts_of_runs(void)
{
    enum { MANY = 3000 };
    static const char *const texts[] = {"Position, [in] Gravity", "[none] Gravity, Position", "Gravity || Position, !Rare", "Position, ?Gravity"};
    static dz_entity all[MANY], found[MANY], by_parts[MANY];
    uint32_t t, parts, part, i, n, m, batches;
    for (t = 0; t < 8; t++) {
        const bool optimised = t >= 4;
        dz_query_desc desc = DZ_QUERY_DESC_INIT;
        dz_query_details details;
        dz_query query;
        dz_iter it;
        dz_world world = check_world();
        dz_id position = DZ_COMPONENT(world, Position), gravity = dz_component_simple(world, "Gravity", 8, 8), rare = DZ_TAG(world, Rare);
        CHECK_OK(dz_create_n(world, MANY, all));
        for (i = 0; i < MANY; i++) {
            CHECK_OK(dz_add(world, all[i], position));
            if (optimised ? i * 7 % 16 < 9 : i % 1000 > 100) CHECK_OK(dz_add(world, all[(i * 1009) % MANY], gravity));
            if (i == 1700) CHECK_OK(dz_add(world, all[i], rare));
        }
        desc.text = texts[t % 4], desc.kept = 1;
        query = dz_query_create(world, &desc);
        if (optimised) CHECK_OK(dz_optimize(world, UINT32_MAX, NULL));
        CHECK_OK(dz_query_refresh(world, query));
        n = 0;
        for (CHECK_OK(dz_iterate(world, query, &it)); dz_next(&it);)
            for (i = 0; i < it.count; i++) found[n++] = dz_iter_entity(&it, i);
        for (parts = 1; parts < 40; parts += parts < 5 ? 1 : 7) {
            m = batches = 0;
            for (part = 0; part < parts; part++) {
                uint32_t first = UINT32_MAX, last = 0;
                CHECK_OK(dz_iterate_part(world, query, part, parts, &it));
                while (dz_next(&it)) {
                    batches++;
                    for (i = 0; i < it.count; i++) {
                        dz_entity entity = by_parts[m++] = dz_iter_entity(&it, i);
                        uint32_t index = dz_entity_index(entity);
                        first = index < first ? index : first, last = index > last ? index : last;
                        if (t % 4 == 0) CHECK(DZ_AT(it, Position, 0, i) == dz_get(world, entity, position) && dz_at(&it, 1, i, 8) == dz_get(world, entity, gravity));
                        if (t % 4 == 3) CHECK(dz_at_if(&it, 1, i, 8) == dz_get(world, entity, gravity));
                    }
                }
                CHECK_IS(it.status, DZ_OK);
                CHECK(first > last || first / 64 <= last / 64);
            }
            /* One after the other they are the whole: nobody is missing, twice, or out of turn. */
            CHECK(m == n && memcmp(found, by_parts, n * sizeof *found) == 0);
            if (t == 4) CHECK(dz_query_info(world, query, &details) == DZ_OK && details.fresh == 1 && batches <= 2 * parts);
        }
        /* Who changes something in the middle of a part goes on within it. */
        m = 0;
        for (part = 0; part < 3; part++) {
            CHECK_OK(dz_query_refresh(world, query));
            CHECK_OK(dz_iterate_part(world, query, part, 3, &it));
            while (dz_next(&it)) {
                DZ_EACH(it, at) {
                    by_parts[m++] = dz_iter_entity(&it, at);
                    if (m % 100 == 50) CHECK_OK(dz_destroy(world, dz_iter_entity(&it, at)));
                }
            }
        }
        CHECK(m == n && memcmp(found, by_parts, n * sizeof *found) == 0);
        CHECK_OK(dz_world_destroy(world));
    }
}

int main(void)
{
    RUN(all_parts);
    RUN(copies);
    RUN(changes);
    RUN(hooks);
    RUN(joined);
    RUN(uneven_group);
    RUN(other_wishes);
    RUN(spoilt);
    RUN(no_moves);
    RUN(parts_of_runs);
    return check_done();
}
