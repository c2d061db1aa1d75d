/* denizen's loops over the hierarchy, as a C program writes them. */
#include "bodies.h"
#include <denizen/denizen.h>

enum { BATCH = 256 };

/* A world, the root of its tree, and its components. denizen_tree.rs declares the same. */
typedef struct {
    dz_world world;
    dz_entity root;
    dz_id p, v;
} ours_tree;

/* The sum of all children of these entities, in batches. */
uint64_t ours_children(dz_world world, const dz_entity *parents, size_t n)
{
    dz_entity batch[BATCH];
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        dz_entity after = DZ_NULL;
        uint32_t count;
        do {
            count = dz_children(world, parents[i], after, batch, BATCH);
            for (uint32_t k = 0; k < count; k++) sum += batch[k];
            if (count > 0) after = batch[count - 1];
        } while (count == BATCH);
    }
    return sum;
}

/* The same, one by one. */
uint64_t ours_siblings(dz_world world, const dz_entity *parents, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        for (dz_entity child = dz_first_child(world, parents[i]); child; child = dz_next_sibling(world, child))
            sum += child;
    return sum;
}

/* P, of all who have (relation, target): a kept query. */
dz_query ours_aim(const ours_tree *tree, dz_entity relation, dz_entity target)
{
    dz_term terms[2] = { { .id = relation, .target = target }, { .id = tree->p } };
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    desc.terms = terms, desc.term_count = 2, desc.kept = 1;
    dz_query query = dz_query_create(tree->world, &desc);
    dz_query_refresh(tree->world, query);
    return query;
}

/* P: x += 1, of all who match. */
dz_status ours_step_aimed(const ours_tree *tree, dz_query query)
{
    dz_iter it;
    for (dz_iterate(tree->world, query, &it); dz_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) DZ_AT(it, P, 1, i)->x += 1;
    return (dz_status)it.status;
}

/* V and P of all, and V of the parent, parents first: a kept query. */
dz_query ours_levels(const ours_tree *tree)
{
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    desc.text = "[cascade] V, [in] P, [in] ?V(parent)", desc.kept = 1;
    dz_query query = dz_query_create(tree->world, &desc);
    dz_query_refresh(tree->world, query);
    return query;
}

/* V = V of the parent + P. */
dz_status ours_cascade(const ours_tree *tree, dz_query query)
{
    static const V origin;
    dz_iter it;
    for (dz_iterate(tree->world, query, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            V *v = DZ_AT(it, V, 0, i);
            const P *local = DZ_AT(it, P, 1, i);
            const V *above = DZ_AT_IF(it, V, 2, i);
            if (!above) above = &origin;
            v->x = above->x + local->x;
            v->y = above->y + local->y;
            v->z = above->z + local->z;
        }
    }
    return (dz_status)it.status;
}

/* The same by a walk of the subtree. */
dz_status ours_propagate(const ours_tree *tree)
{
    dz_entity batch[BATCH], after = DZ_NULL;
    uint32_t count;
    do {
        count = dz_subtree(tree->world, tree->root, DZ_PARENTS_FIRST, after, batch, BATCH);
        for (uint32_t i = 0; i < count; i++) {
            const P *local = dz_get(tree->world, batch[i], tree->p);
            V *v = dz_get_mut(tree->world, batch[i], tree->v);
            dz_entity parent = dz_parent(tree->world, batch[i]);
            const V *above = parent ? dz_get(tree->world, parent, tree->v) : &(V){ 0 };
            v->x = above->x + local->x;
            v->y = above->y + local->y;
            v->z = above->z + local->z;
        }
        if (count > 0) after = batch[count - 1];
    } while (count == BATCH);
    return DZ_OK;
}
