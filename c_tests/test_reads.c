/* Each function that the header marks "Reads", on several threads at once, in a world that has something of everything: all get
 * the answers, errors and messages that one thread got alone. tests/docs.rs sees that no such function is left out. M81 */
#include "check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 4, N = 150, SUBJECTS = 22, TEXTS = 19, QUERIES = 3 * TEXTS + 2, TOPICS = SUBJECTS + QUERIES + 1, MOST = 320 };

typedef struct { double a, b; } Value;
typedef struct { const char *call; uint64_t hash; } answer;
typedef struct { uint64_t room[80]; uint32_t count, next; } output; /* where calls write to, whatever it is */
typedef struct { uint32_t number, topic, at, begun, good; const char *wrong; output out; } reader;

static dz_world world;
static dz_id position, mass, frozen, hull, gravity, left, right, eats, likes_bob;
static dz_entity e[N], likes, bob, inside, sol, dead, spare, subjects[SUBJECTS];
static dz_query queries[QUERIES];
static dz_group groups[3]; /* that owns, that lists, that was destroyed */
static answer answers[TOPICS][MOST];
static bool alone; /* one thread writes down what the others are to find */

static const char *const texts[TEXTS] = {
    "Position, [in] Mass", "Position, ?Mass, !Frozen", "Left || Mass, Position", "Left, Right", "Gravity", "Frozen, [none] Position",
    "(Likes, Bob), Position", "(Likes, *)", "(Eats, *), ?Frozen", "(*, Bob)", "(Inside, $place), Position($place)", "(Inside, sol)",
    "[cascade] Position, [in] ?Position(parent)", "Position, Mass(up)", "Position, Hull(inherit)", "[bases] Hull",
    "Position, Position(sol), Gravity(world)", "Position, Lost", "[in] Position, Left", /* in the order of Position */
};

/* An answer, and the error that it left. */
static void see(reader *me, const char *call, uint64_t hash)
{
    dz_status status = dz_error_status();
    const char *message = dz_error_message();
    answer *known = &answers[me->topic][me->at++];
    hash = check_hash(check_hash(hash, &status, sizeof status), message, strlen(message));
    dz_error_clear();
    if (me->at > MOST) abort();
    if (alone) known->call = call, known->hash = hash;
    if (known->call && strcmp(known->call, call) == 0 && known->hash == hash) me->good++;
    else if (!me->wrong) me->wrong = call;
}
#define SEE(value) see(me, #value, (uint64_t)(value))
#define SEE_AT(pointer) see(me, #pointer, at(pointer, sizeof(Value)))
#define SEE_OUT(value) (memset(out, 0, sizeof *out), see_out(me, #value, (uint64_t)(value)))

static void see_out(reader *me, const char *call, uint64_t value)
{
    see(me, call, check_hash(value, &me->out, sizeof me->out));
}

static uint64_t at(const void *bytes, size_t size)
{
    return check_hash((uintptr_t)bytes, bytes, bytes ? size : 0);
}

static void look(dz_iter *it, void *user)
{
    uint64_t *hash = (uint64_t *)user;
    uint32_t i, t;
    for (i = 0; i < it->count; i++) {
        dz_entity of[2];
        of[0] = dz_iter_entity(it, i);
        if (it->data) *hash = check_hash(*hash, dz_item(it, i, it->stride), it->stride);
        for (t = 0; t < it->term_count; t++) {
            const void *field = dz_at_if(it, t, i, it->strides[t]);
            of[1] = dz_iter_target(it, t, i);
            *hash = check_hash(check_hash(*hash, of, sizeof of), &field, sizeof field);
            if (field) *hash = check_hash(*hash, field, it->strides[t]);
        }
        *hash = check_hash(*hash, of, sizeof *of);
    }
}

static uint64_t walk(dz_iter *it)
{
    uint64_t hash = 1;
    while (dz_next(it)) look(it, &hash);
    return hash ^ (uint64_t)it->status;
}

/* All that can be asked of an entity, whoever it is. */
static void read_entity(reader *me, dz_entity of)
{
    const dz_id ids[] = {position, mass, frozen, hull, likes_bob, dead, DZ_CHILDOF(sol), DZ_INSTANCEOF(of), of};
    const dz_entity relations[] = {likes, eats, inside, dead};
    output *out = &me->out;
    void *room = out->room;
    dz_accessor positions;
    const char *name;
    dz_entity some[80];
    dz_iter it;
    uint32_t i;
    memcpy(some, e, sizeof some);
    some[70] = of;
    for (i = 0; i < 9; i++) {
        dz_id id = ids[i];
        SEE_AT(dz_get(world, of, id)), SEE(dz_has(world, of, id)), SEE(dz_source(world, of, id));
        SEE(dz_is_component_enabled(world, of, id)), SEE_OUT(dz_pair_halves(world, id, room));
        SEE_OUT(dz_pair_holders(world, id, room, 80, &out->count));
        SEE_OUT(dz_get_n(world, some, 80, id, room)), SEE_OUT(dz_has_n(world, some, 80, id, room));
    }
    for (i = 0; i < 4; i++) {
        SEE_AT(dz_get_pair(world, of, relations[i], bob)), SEE(dz_has_pair(world, of, relations[i], bob));
        SEE_AT(dz_get_pair(world, e[3], relations[i], of)), SEE(dz_has_pair(world, e[3], relations[i], of));
        SEE_OUT(dz_pair_targets(world, of, relations[i], room, 80, &out->count));
    }
    SEE_OUT(dz_relation_info(world, of, room));
    SEE(dz_parent(world, of)), SEE(dz_first_child(world, of)), SEE(dz_last_child(world, of)), SEE(dz_child_count(world, of));
    SEE(dz_next_sibling(world, of)), SEE(dz_previous_sibling(world, of)), SEE(dz_depth(world, of));
    SEE_OUT(dz_ancestors(world, of, room, 80)), SEE_OUT(dz_children(world, of, e[1], room, 80));
    SEE_OUT(dz_subtree(world, of, DZ_PARENTS_FIRST, DZ_NULL, room, 80));
    SEE_OUT(dz_subtree(world, sol, DZ_CHILDREN_FIRST, of, room, 80));
    name = dz_name(world, of), see(me, "dz_name", at(name, name ? strlen(name) : 0)), SEE(dz_lookup(world, of, "earth/moon", "/"));
    SEE(dz_lookup(world, DZ_NULL, "sol.earth", NULL));
    SEE_OUT(dz_path(world, of, sol, "/", room, 200)), SEE_OUT(dz_describe(world, of, room, 200));
    SEE(dz_base(world, of)), SEE(dz_is_base(world, of)), SEE(dz_is_enabled(world, of)), SEE(dz_is_alive(world, of));
    SEE(dz_why(world, of)), SEE(dz_generation(world, dz_entity_index(of)));
    SEE_OUT(dz_type(world, of, room, 80, &out->count));
    SEE_OUT(dz_component_info(world, of, room)), SEE(dz_count(world, of)), SEE_AT(dz_singleton_get(world, of));
    SEE(dz_entity_of(world, position, dz_get(world, of, position))), SEE(dz_entity_of(world, of, e));
    SEE_OUT(dz_accessor_init(world, of, room)), SEE(dz_accessor_init(world, position, &positions));
    SEE_AT(dz_accessor_get(&positions, of)), SEE(dz_accessor_has(&positions, of));
    for (i = 0; i < 2; i++) SEE(dz_iterate_pool(world, of, (int32_t)i, &it)), SEE(walk(&it));
    for (i = 0; i < QUERIES; i++) SEE(dz_query_matches(world, queries[i], of));
    for (i = 0; i < 3; i++) SEE(dz_group_contains(world, groups[i], of));
}

static void read_query(reader *me, dz_query query)
{
    output *out = &me->out;
    void *room = out->room;
    dz_iter it;
    uint64_t hash = 1;
    uint32_t i;
    SEE_OUT(dz_query_info(world, query, room));
    SEE_OUT(dz_query_terms(world, query, room, 8, &out->count));
    SEE(dz_query_count(world, query)), SEE(dz_query_first(world, query)), SEE(dz_query_single(world, query));
    SEE(dz_query_is_empty(world, query)), SEE(dz_query_each(world, query, look, &hash)), SEE(hash);
    SEE(dz_iterate(world, query, &it)), SEE(dz_next(&it)), SEE(dz_each_slow(&it)), SEE(walk(&it));
    SEE(dz_restart(&it)), SEE(walk(&it)), SEE(dz_iterate_runs(world, query, &it)), SEE(walk(&it));
    for (i = 0; i < 3; i++) SEE(dz_iterate_part(world, query, i, 3, &it)), SEE(walk(&it));
}

static void read_world(reader *me)
{
    output *out = &me->out;
    void *room = out->room;
    dz_iter it;
    uint32_t i;
    SEE(dz_version()), SEE(dz_world_number(world)), SEE((uintptr_t)dz_world_user(world)), SEE_OUT(dz_world_stats(world, room));
    SEE_OUT(dz_entities(world, 0, room, 80, &out->count, &out->next));
    SEE(dz_component_id(world)), SEE(dz_component_find(world, "Mass")), SEE_AT(dz_singleton_get(world, gravity));
    SEE_OUT(dz_components(world, room, 80, &out->count));
    SEE_OUT(dz_query_list(world, room, 80, &out->count));
    SEE_OUT(dz_groups(world, room, 80, &out->count));
    for (i = 0; i < 3; i++) {
        SEE(dz_group_count(world, groups[i])), SEE_OUT(dz_group_info(world, groups[i], room));
        SEE(dz_iterate_group(world, groups[i], DZ_FORWARD, &it)), SEE(walk(&it));
        SEE(dz_iterate_group(world, groups[i], DZ_BACKWARD, &it)), SEE(walk(&it));
    }
}

/* Each thread begins elsewhere, so that others make other errors meanwhile. */
static void *read_all(void *argument)
{
    reader *me = (reader *)argument;
    uint32_t i;
    me->begun = dz_error_status() == DZ_OK && *dz_error_message() == 0;
    for (i = 0; i < TOPICS; i++) {
        me->topic = (i + me->number * TOPICS / THREADS) % TOPICS, me->at = 0;
        if (me->topic < SUBJECTS) read_entity(me, subjects[me->topic]);
        else if (me->topic < SUBJECTS + QUERIES) read_query(me, queries[me->topic - SUBJECTS]);
        else read_world(me);
    }
    return NULL;
}

static int32_t by_a(const void *a, const void *b, dz_entity of_a, dz_entity of_b, void *user)
{
    (void)of_a, (void)of_b, (void)user;
    return (((const Value *)a)->a > ((const Value *)b)->a) - (((const Value *)a)->a < ((const Value *)b)->a);
}

static dz_entity named(const char *name, dz_entity parent)
{
    dz_entity made = dz_create(world);
    CHECK_OK(dz_set_parent(world, made, parent)), CHECK_OK(dz_set_name(world, made, name));
    return made;
}

static void build(dz_world other)
{
    static Value values[N];
    dz_relation_desc traits = DZ_RELATION_DESC_INIT;
    dz_component_desc stable = DZ_COMPONENT_DESC_INIT;
    dz_group_desc owns = DZ_GROUP_DESC_INIT, lists = DZ_GROUP_DESC_INIT;
    dz_id owned[2], included[2], lost;
    dz_entity ship, instance, earth;
    uint32_t i;
    position = dz_component_simple(world, "Position", sizeof(Value), 8), hull = dz_component_simple(world, "Hull", sizeof(Value), 8);
    left = dz_component_simple(world, "Left", sizeof(Value), 8), right = dz_component_simple(world, "Right", sizeof(Value), 8);
    eats = dz_component_simple(world, "Eats", sizeof(Value), 8), gravity = dz_component_simple(world, "Gravity", sizeof(Value), 8);
    stable.name = "Mass", stable.element_size = sizeof(Value), stable.element_alignment = 8, stable.policy = DZ_POLICY_STABLE;
    mass = dz_component_register(world, &stable), frozen = DZ_TAG(world, Frozen), lost = DZ_TAG(world, Lost);
    likes = named("Likes", DZ_NULL), bob = named("Bob", DZ_NULL), inside = named("Inside", DZ_NULL), sol = named("sol", DZ_NULL);
    traits.acyclic = traits.transitive = 1;
    CHECK_OK(dz_relation_set(world, inside, &traits));
    CHECK_OK(dz_create_n(world, N, e));
    for (i = 0; i < N; i++) values[i].a = i * 7 % N, values[i].b = i;
    CHECK_OK(dz_set_n(world, e, N, position, sizeof *values, values)), CHECK_OK(dz_set_n(world, e, 100, mass, sizeof *values, values));
    CHECK_OK(dz_set_n(world, e, 120, left, sizeof *values, values)), CHECK_OK(dz_set_n(world, e, 120, right, sizeof *values, values));
    CHECK_OK(dz_set_n(world, e, 120, gravity, sizeof *values, values)); /* one run of them, as it is in nobody's order */
    for (i = 0; i < N; i += 9) CHECK_OK(dz_add(world, e[i], frozen)), CHECK_OK(i < 100 ? dz_remove(world, e[i], mass) : DZ_OK);
    for (i = 0; i < N; i += 2) CHECK_OK(dz_add_pair(world, e[i], likes, i % 4 ? bob : e[i + 1]));
    for (i = 1; i < 20; i++) {
        CHECK_OK(DZ_SET_PAIR(world, e[i], eats, e[i + 30], &values[i])), CHECK_OK(DZ_SET_PAIR(world, e[i], eats, bob, &values[i]));
        CHECK_OK(dz_add_pair(world, e[i], inside, i == 1 ? sol : e[i - 1])), CHECK_OK(dz_set_parent(world, e[i], i < 5 ? sol : e[i / 3]));
    }
    earth = named("earth", sol), named("moon", earth), spare = dz_create(world);
    CHECK_OK(DZ_SET(world, sol, position, values)), CHECK_OK(DZ_SET(world, sol, mass, values)), CHECK_OK(DZ_SET(world, earth, position, values));
    CHECK_OK(dz_singleton_set(world, gravity, sizeof *values, values));
    ship = named("ship", DZ_NULL), named("mast", ship);
    CHECK_OK(DZ_SET(world, ship, hull, values)), CHECK_OK(dz_add_pair(world, ship, likes, bob));
    instance = dz_instantiate(world, ship), CHECK_OK(DZ_SET(world, instance, position, values));
    CHECK_OK(dz_set_enabled(world, e[140], false)), CHECK_OK(dz_set_component_enabled(world, e[141], position, false));
    dead = dz_create(world), CHECK_OK(dz_destroy(world, dead)), likes_bob = dz_pair(world, likes, bob);
    owned[0] = left, owned[1] = right, included[0] = mass, included[1] = position;
    owns.owned = owned, owns.owned_count = 2, owns.included = included, owns.included_count = 1, groups[0] = dz_group_create(world, &owns);
    lists.included = included, lists.included_count = 2, lists.excluded = &frozen, lists.excluded_count = 1;
    groups[2] = dz_group_create(world, &lists), CHECK_OK(dz_group_destroy(world, groups[2])), groups[1] = dz_group_create(world, &lists);
    CHECK_OK(dz_sort(world, position, by_a, NULL, DZ_SORT_KEEP));
    for (i = 0; i < 3 * TEXTS; i++) { /* 0: not kept, 1: kept, 2: kept and fresh */
        dz_query_desc desc = DZ_QUERY_DESC_INIT;
        desc.text = texts[i / 3], desc.kept = i % 3 > 0, desc.order = i / 3 == TEXTS - 1 ? position : DZ_NULL;
        queries[i] = dz_query_create(world, &desc);
        CHECK(queries[i].bits != 0);
    }
    queries[i] = dz_query_parse(world, "Position"), CHECK_OK(dz_query_destroy(world, queries[i]));
    queries[i + 1].bits = 0;
    CHECK_OK(dz_component_unregister(world, lost));
    {
        const dz_entity who[SUBJECTS] = {e[0], e[1], e[3], e[8], e[16], e[18], e[31], e[140], e[141], sol, earth, ship, instance, bob, likes,
            position, frozen, dead, DZ_NULL, dz_create(other), UINT64_C(5) << 56 | e[0], check_handle(world, 9000, check_tombstone())};
        memcpy(subjects, who, sizeof who);
    }
}

/* A change and back: whatever the library found out while somebody read, it finds out anew. */
static void forget(void)
{
    const dz_id ids[] = {position, mass, frozen, hull, left, right, gravity, likes_bob};
    uint32_t i;
    for (i = 0; i < 8; i++) CHECK_OK(dz_add(world, spare, ids[i])), CHECK_OK(dz_remove(world, spare, ids[i]));
    CHECK_OK(dz_set_parent(world, spare, bob)), CHECK_OK(dz_set_parent(world, spare, DZ_NULL));
    for (i = 2; i < 3 * TEXTS; i += 3) CHECK_IS(dz_query_refresh(world, queries[i]), i / 3 == TEXTS - 2 ? DZ_ERR_QUERY_LOST : DZ_OK);
    dz_error_clear();
}

static void everything_that_reads(void)
{
    dz_world other = check_world();
    static reader first, readers[THREADS];

    pthread_t threads[THREADS];
    dz_query_details details;
    uint32_t i, round, fresh = 0;
    memset(&first, 0, sizeof first), memset(answers, 0, sizeof answers);
    world = check_world();
    build(other);
    forget();
    alone = true, read_all(&first), alone = false;
    for (i = 0; i < 3 * TEXTS; i++) fresh += dz_query_info(world, queries[i], &details) == DZ_OK && details.fresh;
    CHECK_EQ(fresh, 11); /* those of them for whom it pays */
    for (round = 0; round < ROUNDS; round++) {
        forget();
        CHECK(dz_get(world, dead, position) == NULL && dz_error_status() == DZ_ERR_DEAD);
        for (i = 0; i < THREADS; i++) {
            readers[i] = first;
            readers[i].number = i, readers[i].good = 0;
            CHECK(pthread_create(&threads[i], NULL, read_all, &readers[i]) == 0);
        }
        for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        CHECK_IS(dz_error_status(), DZ_ERR_DEAD); /* theirs were not ours, nor ours theirs */
        for (i = 0; i < THREADS; i++) {
            check_that(!readers[i].wrong, __FILE__, __LINE__, "all answers are the same", readers[i].wrong ? readers[i].wrong : "");
            CHECK_EQ(readers[i].good, first.good);
            CHECK(readers[i].begun);
        }
    }
    CHECK_OK(dz_world_destroy(world)), CHECK_OK(dz_world_destroy(other));
}

int main(void)
{
    RUN(everything_that_reads);
    return check_done();
}
