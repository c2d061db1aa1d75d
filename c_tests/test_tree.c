/* The hierarchy: parents, children in order, subtrees, what dies with whom; names and paths. */
#include "check.h"

static dz_world world;
static dz_entity e[12];

static uint32_t alive(void)
{
    dz_world_numbers numbers;
    CHECK_OK(dz_world_stats(world, &numbers));
    return numbers.alive;
}

static bool children_are(dz_entity parent, const char *names)
{
    dz_entity at = dz_first_child(world, parent), last = DZ_NULL;
    uint32_t n = 0;
    for (; at != DZ_NULL; last = at, at = dz_next_sibling(world, at), n++) {
        if (at != e[names[n] - 'a'] || dz_previous_sibling(world, at) != last || dz_parent(world, at) != parent) return false;
    }
    return names[n] == 0 && dz_last_child(world, parent) == last && dz_child_count(world, parent) == n;
}

static bool subtree_is(dz_entity root, int32_t order, uint32_t batch, const char *names)
{
    dz_entity out[16], after = DZ_NULL;
    uint32_t n, i, seen = 0;
    for (; (n = dz_subtree(world, root, order, after, out, batch)) > 0; after = out[n - 1]) {
        for (i = 0; i < n; i++, seen++) {
            if (!names[seen] || out[i] != e[names[seen] - 'a']) return false;
        }
    }
    return names[seen] == 0;
}

/*  a      f, g .. l are no one's
 *  b c d
 *    e     */
static void begin(void)
{
    world = check_world();
    CHECK_OK(dz_create_n(world, 12, e));
    CHECK_OK(dz_set_parent(world, e[1], e[0]));
    CHECK_OK(dz_set_parent(world, e[2], e[0]));
    CHECK_OK(dz_add(world, e[3], DZ_CHILDOF(e[0])));
    CHECK_OK(dz_set_parent(world, e[4], e[2]));
}

static void children_have_an_order(void)
{
    dz_entity batch[2];
    begin();
    CHECK(children_are(e[0], "bcd") && children_are(e[2], "e") && children_are(e[4], ""));
    CHECK_OK(dz_move_child(world, e[3], DZ_PLACE_FIRST, DZ_NULL));
    CHECK(children_are(e[0], "dbc"));
    CHECK_OK(dz_move_child(world, e[3], DZ_PLACE_AFTER, e[1]));
    CHECK(children_are(e[0], "bdc"));
    CHECK_OK(dz_move_child(world, e[2], DZ_PLACE_BEFORE, e[1]));
    CHECK(children_are(e[0], "cbd"));
    CHECK_OK(dz_move_child(world, e[2], DZ_PLACE_LAST, DZ_NULL));
    CHECK(children_are(e[0], "bdc"));
    REFUSED(world, dz_move_child(world, e[2], DZ_PLACE_AFTER, e[4]), DZ_ERR_SIBLING);
    REFUSED(world, dz_move_child(world, e[2], DZ_PLACE_AFTER, e[2]), DZ_ERR_SIBLING);
    REFUSED(world, dz_move_child(world, e[2], DZ_PLACE_LAST, e[1]), DZ_ERR_RANGE);
    REFUSED(world, dz_move_child(world, e[0], DZ_PLACE_FIRST, DZ_NULL), DZ_ERR_NO_PARENT);
    REFUSED(world, dz_move_child(world, e[0], 4, DZ_NULL), DZ_ERR_ENUM);
    CHECK_EQ(dz_children(world, e[0], DZ_NULL, batch, 2), 2);
    CHECK(batch[0] == e[1] && batch[1] == e[3]);
    CHECK_EQ(dz_children(world, e[0], e[3], batch, 2), 1);
    QUIETLY(dz_children(world, e[0], e[2], batch, 2), 0);
    REFUSED_0(world, dz_children(world, e[0], e[4], batch, 2), DZ_ERR_SIBLING);
    CHECK_OK(dz_set_parent(world, e[3], DZ_NULL));
    CHECK(children_are(e[0], "bc"));
    QUIETLY(dz_parent(world, e[3]), DZ_NULL);
    CHECK_OK(dz_world_destroy(world));
}

static void subtrees_move_and_know_their_depth(void)
{
    dz_entity above[4];
    char text[64];
    begin();
    CHECK(subtree_is(e[0], DZ_PARENTS_FIRST, 16, "abced") && subtree_is(e[0], DZ_PARENTS_FIRST, 1, "abced"));
    CHECK(subtree_is(e[0], DZ_CHILDREN_FIRST, 16, "becda") && subtree_is(e[0], DZ_CHILDREN_FIRST, 2, "becda"));
    CHECK(subtree_is(e[2], DZ_PARENTS_FIRST, 2, "ce") && subtree_is(e[5], DZ_CHILDREN_FIRST, 2, "f"));
    REFUSED(world, dz_set_parent(world, e[0], e[4]), DZ_ERR_CYCLE);
    CHECK_IS(dz_set_parent(world, e[0], e[4]), DZ_ERR_CYCLE);
    dz_entity_text(e[2], text, sizeof text);
    CHECK_SAYS(text);
    REFUSED(world, dz_set_parent(world, e[0], e[0]), DZ_ERR_CYCLE);
    CHECK_OK(dz_set_parent(world, e[0], e[5]));
    CHECK_EQ(dz_depth(world, e[4]), 3);
    CHECK_EQ(dz_ancestors(world, e[4], above, 4), 3);
    CHECK(above[0] == e[2] && above[1] == e[0] && above[2] == e[5]);
    CHECK_OK(dz_set_parent(world, e[2], e[6]));
    CHECK(dz_depth(world, e[4]) == 2 && dz_depth(world, e[1]) == 2);
    CHECK(children_are(e[0], "bd") && children_are(e[6], "c"));
    REFUSED_0(world, dz_subtree(world, e[0], DZ_PARENTS_FIRST, e[4], above, 4), DZ_ERR_SIBLING);
    CHECK_OK(dz_world_destroy(world));
}

/* M26, M27: a parent is part of the type, and a mask gives it back. M29: there is at most one. */
static void m26_m27_the_type_tells_the_parent(void)
{
    dz_id type[3];
    uint32_t count;
    dz_entity twin;
    begin();
    CHECK_OK(dz_type(world, e[4], type, 3, &count));
    CHECK(count == 1 && dz_role(type[0]) == DZ_ROLE_CHILDOF && dz_without_role(type[0]) == e[2]);
    CHECK(dz_has(world, e[4], DZ_CHILDOF(e[2])));
    QUIETLY(dz_has(world, e[4], DZ_CHILDOF(e[0])), false);
    CHECK_IS(dz_add(world, e[4], DZ_CHILDOF(e[2])), DZ_ALREADY_THERE);
    CHECK_OK(dz_add(world, e[4], DZ_CHILDOF(e[0])));
    QUIETLY(dz_has(world, e[4], DZ_CHILDOF(e[2])), false);
    CHECK_IS(dz_remove(world, e[4], DZ_CHILDOF(e[2])), DZ_NOT_THERE);
    twin = dz_clone(world, e[4]);
    CHECK_EQ(dz_parent(world, twin), e[0]);
    CHECK_OK(dz_remove(world, e[4], DZ_CHILDOF(e[0])));
    REFUSED_0(world, dz_get(world, e[4], DZ_CHILDOF(e[0])), DZ_ERR_TAG);
    CHECK_OK(dz_destroy(world, e[11]));
    REFUSED(world, dz_add(world, e[4], DZ_CHILDOF(e[11])), DZ_ERR_DEAD);
    REFUSED(world, dz_set_parent(world, e[4], e[11]), DZ_ERR_DEAD);
    CHECK_OK(dz_world_destroy(world));
}

static uint32_t told;
static void tell(const dz_event *event, void *user)
{
    (void)event, (void)user, told++;
}

/* M37: with a parent its children die, and nobody else; their slots are free for others. */
static void m37_children_die_with_their_parent(void)
{
    dz_entity holder, carries;
    dz_relation_desc desc = DZ_RELATION_DESC_INIT;
    begin();
    told = 0;
    CHECK(dz_listen(world, DZ_ON_DESTROY, DZ_NULL, tell, NULL).bits != 0);
    CHECK_OK(dz_destroy(world, e[2]));
    CHECK(children_are(e[0], "bd") && !dz_is_alive(world, e[4]) && alive() == 10);
    CHECK_EQ(told, 2);
    /* Cleanup of pairs and of the hierarchy go together. */
    carries = dz_create(world), holder = dz_create(world);
    desc.on_target = DZ_CLEANUP_DELETE;
    CHECK_OK(dz_relation_set(world, carries, &desc));
    CHECK_OK(dz_add_pair(world, holder, carries, e[3]));
    CHECK_OK(dz_set_parent(world, e[5], holder));
    CHECK_OK(dz_destroy_n(world, e, 1, NULL));
    CHECK(!dz_is_alive(world, e[5]) && !dz_is_alive(world, e[1]) && alive() == 7);
    CHECK_OK(dz_set_parent(world, e[6], e[7]));
    CHECK_OK(dz_world_clear(world));
    CHECK_EQ(alive(), 0);
    CHECK_OK(dz_world_destroy(world));
}

/* Removing one child of many is as cheap as of few, and a deep tree is no problem. */
static void wide_and_deep(void)
{
    enum { N = 20000 };
    dz_entity *many = malloc(N * sizeof *many), batch[100];
    uint32_t i, n, seen = 0;
    dz_entity after = DZ_NULL;
    begin();
    CHECK_OK(dz_create_n(world, N, many));
    for (i = 0; i < N; i++) CHECK_OK(dz_set_parent(world, many[i], e[9]));
    for (i = 0; i < N; i += 2) CHECK_OK(dz_set_parent(world, many[i], DZ_NULL));
    for (; (n = dz_children(world, e[9], after, batch, 100)) > 0; after = batch[n - 1], seen += n) CHECK_EQ(batch[0], many[2 * seen + 1]);
    CHECK_EQ(seen, N / 2);
    for (i = 2; i < 2000; i += 2) CHECK_OK(dz_set_parent(world, many[i], many[i - 2]));
    CHECK_EQ(dz_depth(world, many[1998]), 999);
    CHECK_OK(dz_destroy(world, many[0]));
    CHECK(!dz_is_alive(world, many[1998]) && dz_is_alive(world, many[2000]));
    free(many);
    CHECK_OK(dz_world_destroy(world));
}

static void names_and_paths(void)
{
    char text[64], longest[258];
    begin();
    CHECK_OK(dz_set_name(world, e[0], "sol"));
    CHECK_OK(dz_set_name(world, e[2], "earth"));
    CHECK_OK(dz_set_name(world, e[4], "moon"));
    CHECK(strcmp(dz_name(world, e[4]), "moon") == 0);
    QUIETLY(dz_name(world, e[1]) != NULL, false);
    CHECK_EQ(dz_lookup(world, DZ_NULL, "sol.earth.moon", NULL), e[4]);
    CHECK_EQ(dz_lookup(world, e[0], "earth::moon", "::"), e[4]);
    CHECK_EQ(dz_lookup(world, DZ_NULL, "sol", NULL), e[0]);
    QUIETLY(dz_lookup(world, DZ_NULL, "sol.earth.mars", NULL), DZ_NULL);
    QUIETLY(dz_lookup(world, DZ_NULL, "moon", NULL), DZ_NULL);
    QUIETLY(dz_lookup(world, DZ_NULL, "sol..moon", NULL), DZ_NULL);
    CHECK_EQ(dz_path(world, e[4], DZ_NULL, NULL, text, sizeof text), 14);
    CHECK(strcmp(text, "sol.earth.moon") == 0);
    CHECK_EQ(dz_path(world, e[4], e[0], "/", text, sizeof text), 10);
    CHECK(strcmp(text, "earth/moon") == 0);
    CHECK_EQ(dz_path(world, e[4], DZ_NULL, NULL, text, 8), 14);
    CHECK(strcmp(text, "sol.ear") == 0);
    QUIETLY(dz_path(world, e[4], e[4], NULL, text, 8), 0);
    CHECK(text[0] == 0);
    REFUSED_0(world, dz_path(world, e[0], e[2], NULL, text, 8), DZ_ERR_SIBLING);
    /* Unique among siblings, and among those without a parent. */
    REFUSED(world, dz_set_name(world, e[3], "earth"), DZ_ERR_NAME_TAKEN);
    CHECK_OK(dz_set_name(world, e[4], "earth"));
    REFUSED(world, dz_set_parent(world, e[4], e[0]), DZ_ERR_NAME_TAKEN);
    REFUSED(world, dz_set_name(world, e[6], "sol"), DZ_ERR_NAME_TAKEN);
    CHECK_OK(dz_set_parent(world, e[4], DZ_NULL));
    CHECK_EQ(dz_lookup(world, DZ_NULL, "earth", NULL), e[4]);
    QUIETLY(dz_lookup(world, DZ_NULL, "sol.earth.earth", NULL), DZ_NULL);
    CHECK_OK(dz_set_name(world, e[4], "earth"));
    /* The new name may be a part of the old one. */
    CHECK_OK(dz_set_name(world, e[4], "planets/the third/terra"));
    CHECK_OK(dz_set_name(world, e[4], strrchr(dz_name(world, e[4]), '/') + 1));
    CHECK(strcmp(dz_name(world, e[4]), "terra") == 0);
    CHECK_EQ(dz_lookup(world, DZ_NULL, "terra", NULL), e[4]);
    REFUSED(world, dz_set_name(world, e[5], "terra"), DZ_ERR_NAME_TAKEN);
    CHECK_IS(dz_set_name(world, e[5], "terra"), DZ_ERR_NAME_TAKEN);
    CHECK_SAYS("the name \"terra\" is taken: entity");
    CHECK_SAYS("has it, and has no parent either");
    CHECK_IS(dz_add(world, e[5], DZ_CHILDOF(DZ_NULL)), DZ_ERR_NULL_ENTITY);
    CHECK_SAYS("the parent is DZ_NULL");
    CHECK_OK(dz_set_name(world, e[4], NULL));
    CHECK_IS(dz_set_name(world, e[4], NULL), DZ_NOT_THERE);
    QUIETLY(dz_lookup(world, DZ_NULL, "earth", NULL), DZ_NULL);
    /* A path with one who has no name. */
    CHECK(dz_path(world, e[1], DZ_NULL, NULL, text, sizeof text) > 4 && strncmp(text, "sol.E:", 6) == 0);
    memset(longest, 'x', sizeof longest);
    longest[256] = 0;
    REFUSED(world, dz_set_name(world, e[5], longest), DZ_ERR_NAME);
    REFUSED(world, dz_set_name(world, e[5], "\xff"), DZ_ERR_NAME);
    REFUSED(world, dz_set_name(world, e[5], ""), DZ_ERR_NAME);
    REFUSED_0(world, dz_lookup(world, DZ_NULL, "a", ""), DZ_ERR_NAME);
    longest[255] = 0;
    CHECK_OK(dz_set_name(world, e[5], longest));
    CHECK_EQ(dz_lookup(world, DZ_NULL, longest, NULL), e[5]);
    /* A name goes with its entity, and is free again. */
    CHECK_OK(dz_destroy(world, e[0]));
    QUIETLY(dz_lookup(world, DZ_NULL, "sol", NULL), DZ_NULL);
    CHECK_OK(dz_set_name(world, e[6], "sol"));
    CHECK_EQ(dz_lookup(world, DZ_NULL, "sol", NULL), e[6]);
    CHECK(strcmp(dz_name(world, DZ_TAG(world, Frozen)), "Frozen") == 0);
    CHECK_OK(dz_world_destroy(world));
}

/* Who is nobody's child already is left alone: it takes no memory, and a loop over the hierarchy goes on. */
static void nobodys_child_stays_it(void)
{
    dz_world_numbers before, after;
    dz_query query;
    dz_iter it;
    dz_entity far[3000];
    dz_id tag;
    uint32_t seen = 0;
    begin();
    CHECK_OK(dz_create_n(world, 3000, far));
    tag = DZ_TAG(world, Tag);
    CHECK_OK(dz_add_n(world, e, 12, tag));
    query = dz_query_parse(world, "[cascade] Tag, Tag(parent)");
    CHECK_OK(dz_world_stats(world, &before));
    for (dz_iterate(world, query, &it); dz_next(&it); seen += it.count) CHECK_OK(dz_set_parent(world, far[2999], DZ_NULL));
    CHECK_OK((dz_status)it.status);
    CHECK_EQ(seen, dz_query_count(world, query));
    CHECK_OK(dz_world_stats(world, &after));
    CHECK_EQ(after.bytes, before.bytes);
    CHECK_EQ(dz_depth(world, far[2999]), 0);
    CHECK_OK(dz_world_destroy(world));
}

int main(void)
{
    RUN(children_have_an_order);
    RUN(subtrees_move_and_know_their_depth);
    RUN(m26_m27_the_type_tells_the_parent);
    RUN(m37_children_die_with_their_parent);
    RUN(wide_and_deep);
    RUN(names_and_paths);
    RUN(nobodys_child_stays_it);
    return check_done();
}
