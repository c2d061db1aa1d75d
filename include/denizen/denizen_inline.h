/* The part of denizen's header that cbindgen can't write: initialisers, macros and inline helpers.
 * Included by denizen.h; don't include it yourself. MIT OR Apache-2.0. */
#ifndef DENIZEN_INLINE_H
#define DENIZEN_INLINE_H

#include <string.h>

#ifdef __cplusplus
extern "C" {
#define DZ_INIT_(type) type()
/* Programs may be compiled with -Wold-style-cast and -Wzero-as-null-pointer-constant. */
#define DZ_CAST_(type, value) static_cast<type>(value)
#define DZ_NO_PLACE_ nullptr
#else
#define DZ_INIT_(type) (type){0}
#define DZ_CAST_(type, value) ((type)(value))
#define DZ_NO_PLACE_ NULL
#endif

/* DZ_VERSION is to the header what dz_version() is to the library. */
#define DZ_VERSION \
    (DZ_CAST_(uint32_t, DZ_VERSION_MAJOR) << 16 | DZ_CAST_(uint32_t, DZ_VERSION_MINOR) << 8 | \
        DZ_CAST_(uint32_t, DZ_VERSION_PATCH))

/* A descriptor with its size set and every default:
 *     dz_world_desc desc = dz_world_desc_init();      or      DZ_WORLD_DESC_INIT;
 * It is a call. Where a constant is needed: static dz_world_desc desc = {.size = sizeof(dz_world_desc)}; */
static inline dz_world_desc dz_world_desc_init(void)
{
    dz_world_desc desc = DZ_INIT_(dz_world_desc);
    desc.size = DZ_CAST_(uint32_t, sizeof desc);
    return desc;
}

/* As dz_world_desc_init, of a component. */
static inline dz_component_desc dz_component_desc_init(void)
{
    dz_component_desc desc = DZ_INIT_(dz_component_desc);
    desc.size = DZ_CAST_(uint32_t, sizeof desc);
    return desc;
}

/* As dz_world_desc_init, of a query. */
static inline dz_query_desc dz_query_desc_init(void)
{
    dz_query_desc desc = DZ_INIT_(dz_query_desc);
    desc.size = DZ_CAST_(uint32_t, sizeof desc);
    return desc;
}

/* As dz_world_desc_init, of a group. */
static inline dz_group_desc dz_group_desc_init(void)
{
    dz_group_desc desc = DZ_INIT_(dz_group_desc);
    desc.size = DZ_CAST_(uint32_t, sizeof desc);
    return desc;
}

/* As dz_world_desc_init, of a relation. */
static inline dz_relation_desc dz_relation_desc_init(void)
{
    dz_relation_desc desc = DZ_INIT_(dz_relation_desc);
    desc.size = DZ_CAST_(uint32_t, sizeof desc);
    return desc;
}

/* dz_world_desc desc = DZ_WORLD_DESC_INIT; */
#define DZ_WORLD_DESC_INIT dz_world_desc_init()
/* dz_component_desc desc = DZ_COMPONENT_DESC_INIT; */
#define DZ_COMPONENT_DESC_INIT dz_component_desc_init()
/* dz_query_desc desc = DZ_QUERY_DESC_INIT; */
#define DZ_QUERY_DESC_INIT dz_query_desc_init()
/* dz_group_desc desc = DZ_GROUP_DESC_INIT; */
#define DZ_GROUP_DESC_INIT dz_group_desc_init()
/* dz_relation_desc desc = DZ_RELATION_DESC_INIT; */
#define DZ_RELATION_DESC_INIT dz_relation_desc_init()

/* Whether a status is an error; answers such as DZ_ALREADY_THERE are not. */
static inline bool dz_failed(dz_status status)
{
    return DZ_CAST_(int, status) < 0;
}

/* Registers a trivial type by name, size and alignment: the functions behind DZ_COMPONENT and DZ_TAG. */
static inline dz_id dz_component_simple(dz_world world, const char *name, size_t size, size_t alignment)
{
    dz_component_desc desc = dz_component_desc_init();
    desc.name = name;
    desc.element_size = size > UINT32_MAX ? UINT32_MAX : DZ_CAST_(uint32_t, size);
    desc.element_alignment = alignment > UINT32_MAX ? UINT32_MAX : DZ_CAST_(uint32_t, alignment);
    return dz_component_register(world, &desc);
}

#ifdef __cplusplus
#define DZ_ALIGNOF_(Type) alignof(Type)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define DZ_ALIGNOF_(Type) _Alignof(Type)
#else
#define DZ_ALIGNOF_(Type) (sizeof(struct { char c; Type member; }) - sizeof(Type)) /* the padding behind c, and c */
#endif

/* dz_id position = DZ_COMPONENT(world, Position); the type's name is the component's name. */
#define DZ_COMPONENT(world, Type) dz_component_simple((world), #Type, sizeof(Type), DZ_ALIGNOF_(Type))

/* dz_id frozen = DZ_TAG(world, Frozen); no such type need exist. */
#define DZ_TAG(world, Name) dz_component_simple((world), #Name, 0, 1)

/* DZ_SET(world, ship, position, &(Position){0, 0, 0}); the last argument is a pointer to the value (with commas of its own, as
 * the preprocessor sees it), the size that of what it points to. In C++, which has no such literals:
 * Position start{0, 0, 0}; DZ_SET(world, ship, position, &start); */
#define DZ_SET(world, entity, id, ...) \
    dz_set((world), (entity), (id), DZ_CAST_(uint32_t, sizeof *(__VA_ARGS__)), (__VA_ARGS__))

/* const Position *p = DZ_GET(world, ship, Position, position); */
#define DZ_GET(world, entity, Type, id) DZ_CAST_(const Type *, dz_get((world), (entity), (id)))
/* Position *p = DZ_GET_MUT(world, ship, Position, position); to write to. */
#define DZ_GET_MUT(world, entity, Type, id) DZ_CAST_(Type *, dz_get_mut((world), (entity), (id)))

/* Ids with a role of yours, DZ_ROLE_USER to 255, which can be added like entities: DZ_ROLE(200, island). */
#define DZ_ROLE(role, entity) (DZ_CAST_(dz_id, DZ_CAST_(uint8_t, role)) << 56 | (entity))

/* The id that says whose child an entity is, for dz_add, dz_remove and dz_has. */
#define DZ_CHILDOF(parent) (DZ_CAST_(dz_id, DZ_ROLE_CHILDOF) << 56 | (parent))

/* The id that says whose instance an entity is, for dz_add, dz_remove and dz_has. */
#define DZ_INSTANCEOF(base) (DZ_CAST_(dz_id, DZ_ROLE_INSTANCEOF) << 56 | (base))

/* In dz_term: variable n, from 0 to 7. */
#define DZ_VARIABLE(n) (DZ_ANY | 0x100u | DZ_CAST_(uint8_t, n))

/* The role of an id: 0 (an entity, components included), DZ_ROLE_CHILDOF, DZ_ROLE_INSTANCEOF,
 * DZ_ROLE_PAIR, or one of yours. */
static inline uint32_t dz_role(dz_id id)
{
    return DZ_CAST_(uint32_t, id >> 56);
}

/* The entity that is left of an id without its role: the parent, the base, or what you gave a role; a pair's halves are told by dz_pair_halves. */
static inline dz_entity dz_without_role(dz_id id)
{
    return id & (UINT64_MAX >> 8);
}

/* DZ_SET_PAIR(world, e, expiry, buff, &(Expiry){10}); as DZ_SET. */
#define DZ_SET_PAIR(world, entity, relation, target, ...) \
    dz_set_pair((world), (entity), (relation), (target), DZ_CAST_(uint32_t, sizeof *(__VA_ARGS__)), (__VA_ARGS__))

#ifndef DZ_ASSERT
/* What a program gets wrong with DZ_AT, DZ_AT_IF, DZ_RUN and DZ_ITEM nobody notices, unless it defines DZ_ASSERT before it includes
 * the header, as assert or as one of its own: then they see that there is such a term and element, that the type is as
 * large as the component, and DZ_AT that the entity has it; dz_iter_entity sees that there is such an element. */
#define DZ_ASSERT(condition) ((void)0)
#endif

/* The entity that element i of the batch belongs to. i must be below iter->count. */
static inline dz_entity dz_iter_entity(const dz_iter *iter, size_t i)
{
    const char *at;
    DZ_ASSERT(i < iter->count);
    at = DZ_CAST_(const char *, iter->entities) + (iter->gather ? iter->picks[i] : i) * iter->entity_size;
    if (iter->entity_size == 4) {
        uint32_t narrow;
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    } else {
        uint64_t wide;
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
}

/* Where element i of a query's batch has the component of a term, of `size` bytes. Not for terms that have no
 * field (without, DZ_NO_ACCESS, a tag that is required), nor for optional ones that may be absent: see dz_at_if. */
static inline void *dz_at(const dz_iter *iter, uint32_t term, size_t i, size_t size)
{
    DZ_ASSERT(term < iter->term_count && i < iter->count);
    DZ_ASSERT(iter->strides[term] == size);
    /* Who may lack it is asked for by DZ_AT_IF. */
    DZ_ASSERT(iter->gather ? iter->offsets[term] != UINT16_MAX && iter->rows[iter->offsets[term] + i] : iter->fields[term] != DZ_NO_PLACE_);
    if (iter->gather) return iter->rows[iter->offsets[term] + i];
    return DZ_CAST_(char *, iter->fields[term]) + i * size;
}

/* As dz_at; NULL if the entity doesn't have it, or the term has no field: its offset is UINT16_MAX then. */
static inline void *dz_at_if(const dz_iter *iter, uint32_t term, size_t i, size_t size)
{
    DZ_ASSERT(term < iter->term_count && i < iter->count);
    DZ_ASSERT(iter->strides[term] == size || iter->strides[term] == 0); /* 0: a tag, or no field */
    if (iter->gather) return iter->offsets[term] == UINT16_MAX ? DZ_NO_PLACE_ : iter->rows[iter->offsets[term] + i];
    return iter->fields[term] ? DZ_CAST_(char *, iter->fields[term]) + i * size : DZ_NO_PLACE_;
}

/* The component of element i of a query's batch; `term` is its place among the terms, from 0:
 *     Position *p = DZ_AT(it, Position, 0, i);
 * In loops the compiler takes the question which kind of batch it is out of the loop (-O3). For terms that have no field, and
 * optional ones that may be absent, there is DZ_AT_IF. */
#define DZ_AT(iter, Type, term, i) DZ_CAST_(Type *, dz_at(&(iter), (term), (i), sizeof(Type)))

/* As DZ_AT, for optional and any-of terms: NULL if the entity doesn't have it; and for a term that has no field. */
#define DZ_AT_IF(iter, Type, term, i) DZ_CAST_(Type *, dz_at_if(&(iter), (term), (i), sizeof(Type)))

/* The array of a term, of elements of `size` bytes, in a batch that is a run; NULL if nobody has it. In any batch of a
 * group, of a component that it owns; NULL of others. */
static inline void *dz_run(const dz_iter *iter, uint32_t term, size_t size)
{
    (void)size;
    DZ_ASSERT((!iter->gather || iter->flags & 16u) && term < iter->term_count); /* 16: a group's */
    DZ_ASSERT(iter->strides[term] == size || iter->strides[term] == 0); /* 0: a tag, or no field */
    return iter->fields[term];
}

/* The array of a term in a batch that is a run (dz_iterate_runs only yields such), or of a component that the group owns
 * whose batch it is; NULL if nobody has it, or the term has no field. Of an optional or any-of tag that is there it isn't
 * NULL, and points to nothing; of the tags that a group owns it is NULL. */
#define DZ_RUN(iter, Type, term) DZ_CAST_(Type *, dz_run(&(iter), (term), sizeof(Type)))

/* The component, of `size` bytes, of element i of the span. */
static inline void *dz_item(const dz_iter *iter, size_t i, size_t size)
{
    (void)size;
    DZ_ASSERT(i < iter->count && iter->stride == size);
    return DZ_CAST_(char *, iter->data) + i * iter->stride;
}

/* The component of element i of the span. */
#define DZ_ITEM(iter, Type, i) DZ_CAST_(Type *, dz_item(&(iter), (i), sizeof(Type)))

/* The next element of the span that is to be seen, or UINT32_MAX: what DZ_EACH steps with. While
 * nothing structural happens in the world it costs a comparison; else the library looks. Of whom it was at it then needs the
 * handle, which may be gone from where it stood; or, of a gather that follows no pool's order (4), only the index: so memory
 * far off isn't read. */
static inline uint32_t dz_each(dz_iter *iter)
{
    uint32_t offset;
    if (!iter->changes || *iter->changes != iter->seen) return dz_each_slow(iter);
    offset = iter->position - iter->first;
    if (iter->flags & 1u) { /* forward: position is the next one */
        if (offset >= iter->count) return UINT32_MAX;
        iter->position++;
    } else { /* backward: position is one above the next one */
        if (offset == 0) return UINT32_MAX;
        iter->position--;
        offset--;
    }
    iter->current = iter->gather && !(iter->flags & 4u) ? iter->picks[offset] : dz_iter_entity(iter, offset);
    return offset;
}

/* Goes over the elements of a span in the iteration's direction, whatever the body changes:
 *     while (dz_next(&it)) DZ_EACH(it, i) { ... dz_iter_entity(&it, i) ... }
 * These are two loops: break leaves the inner one, and dz_next goes on behind the batch. To leave both:
 *     while (!found && dz_next(&it)) DZ_EACH(it, i) { if (...) { found = true; break; } }
 * or goto, or return. Nothing needs to be called then.
 * Over a query the body's changes end the batch: `it` becomes a new one, of who matches behind the current element, and the
 * same DZ_EACH goes on in it. So it.count counts nobody then, and i may be 0 again. */
#define DZ_EACH(iter, i) for (uint32_t i = dz_each(&(iter)); i != UINT32_MAX; i = dz_each(&(iter)))

#ifdef __cplusplus
}
#endif

#endif
