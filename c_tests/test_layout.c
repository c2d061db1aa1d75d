/* The ABI: sizes and offsets of every public struct, and the values of every constant. What stands here changes with
 * the SONAME only. The same is asserted on the Rust side. */
#include "check.h"

#define SIZE(type, size, alignment) \
    (CHECK_EQ(sizeof(type), size), CHECK_EQ(offsetof(struct { char c; type member; }, member), alignment))
#define AT(type, field, offset) CHECK_EQ(offsetof(type, field), offset)

static void structs(void)
{
    if (sizeof(void *) != 8) {
        fprintf(stderr, "NOT TESTED: offsets are written down for 64-bit systems only\n");
        return;
    }
    SIZE(dz_entity, 8, 8), SIZE(dz_id, 8, 8), SIZE(dz_status, 4, 4), SIZE(dz_layout, 4, 4), SIZE(dz_event_kind, 4, 4);
    SIZE(dz_recycling, 4, 4), SIZE(dz_overflow, 4, 4), SIZE(dz_policy, 4, 4), SIZE(dz_direction, 4, 4);
    SIZE(dz_world, 4, 4), SIZE(dz_listener, 4, 4), SIZE(dz_query, 4, 4);
    SIZE(dz_ask, 4, 4), SIZE(dz_access, 4, 4), SIZE(dz_instructions, 4, 4);
    SIZE(dz_allocator, 32, 8);
    AT(dz_allocator, allocate, 0), AT(dz_allocator, free, 8), AT(dz_allocator, reallocate, 16), AT(dz_allocator, user, 24);
    SIZE(dz_world_desc, 96, 8);
    AT(dz_world_desc, size, 0), AT(dz_world_desc, layout, 4), AT(dz_world_desc, recycling, 8), AT(dz_world_desc, overflow, 12);
    AT(dz_world_desc, capacity, 16), AT(dz_world_desc, max_entities, 20), AT(dz_world_desc, reserved_components, 24);
    AT(dz_world_desc, instructions, 28), AT(dz_world_desc, byte_budget, 32), AT(dz_world_desc, allocator, 40);
    AT(dz_world_desc, log, 72), AT(dz_world_desc, log_user, 80), AT(dz_world_desc, user, 88);
    SIZE(dz_world_numbers, 56, 8);
    AT(dz_world_numbers, alive, 0), AT(dz_world_numbers, dead, 4), AT(dz_world_numbers, retired, 8);
    AT(dz_world_numbers, components, 12), AT(dz_world_numbers, listeners, 16), AT(dz_world_numbers, capacity, 20);
    AT(dz_world_numbers, bytes, 24), AT(dz_world_numbers, peak_bytes, 32), AT(dz_world_numbers, allocations, 40);
    AT(dz_world_numbers, byte_budget, 48);
    SIZE(dz_column, 24, 8);
    AT(dz_column, id, 0), AT(dz_column, values, 8), AT(dz_column, element_size, 16), AT(dz_column, reserved, 20);
    SIZE(dz_hooks, 40, 8);
    AT(dz_hooks, construct, 0), AT(dz_hooks, destruct, 8), AT(dz_hooks, copy, 16), AT(dz_hooks, relocate, 24);
    AT(dz_hooks, user, 32);
    SIZE(dz_component_desc, 64, 8);
    AT(dz_component_desc, size, 0), AT(dz_component_desc, policy, 4), AT(dz_component_desc, name, 8);
    AT(dz_component_desc, element_size, 16), AT(dz_component_desc, element_alignment, 20), AT(dz_component_desc, hooks, 24);
    SIZE(dz_component, 16, 4);
    AT(dz_component, element_size, 0), AT(dz_component, element_alignment, 4), AT(dz_component, policy, 8);
    AT(dz_component, pool, 12);
    SIZE(dz_component_details, 48, 8);
    AT(dz_component_details, id, 0), AT(dz_component_details, name, 8), AT(dz_component_details, element_size, 16);
    AT(dz_component_details, element_alignment, 20), AT(dz_component_details, policy, 24);
    AT(dz_component_details, count, 28), AT(dz_component_details, gaps, 32), AT(dz_component_details, builtin, 36);
    AT(dz_component_details, bytes, 40);
    SIZE(dz_group, 4, 4), SIZE(dz_sort_mode, 4, 4), SIZE(dz_group_desc, 48, 8);
    AT(dz_group_desc, size, 0), AT(dz_group_desc, owned_count, 4), AT(dz_group_desc, included_count, 8);
    AT(dz_group_desc, excluded_count, 12), AT(dz_group_desc, owned, 16), AT(dz_group_desc, included, 24);
    AT(dz_group_desc, excluded, 32), AT(dz_group_desc, reserved, 40);
    SIZE(dz_group_details, 288, 8);
    AT(dz_group_details, group, 0), AT(dz_group_details, count, 4), AT(dz_group_details, owned_count, 8);
    AT(dz_group_details, included_count, 12), AT(dz_group_details, excluded_count, 16);
    AT(dz_group_details, reserved, 20), AT(dz_group_details, bytes, 24), AT(dz_group_details, ids, 32);
    SIZE(dz_event, 32, 8);
    AT(dz_event, world, 0), AT(dz_event, kind, 4), AT(dz_event, entity, 8), AT(dz_event, id, 16), AT(dz_event, data, 24);
    SIZE(dz_term, 40, 8);
    AT(dz_term, id, 0), AT(dz_term, target, 8), AT(dz_term, source, 16), AT(dz_term, ask, 24), AT(dz_term, access, 28);
    AT(dz_term, any_of, 32), AT(dz_term, reserved, 36);
    SIZE(dz_relation_desc, 40, 8), SIZE(dz_pair_parts, 16, 8), SIZE(dz_cleanup, 4, 4), SIZE(dz_place, 4, 4);
    SIZE(dz_tree_order, 4, 4);
    AT(dz_relation_desc, size, 0), AT(dz_relation_desc, exclusive, 4), AT(dz_relation_desc, symmetric, 8);
    AT(dz_relation_desc, acyclic, 12), AT(dz_relation_desc, transitive, 16), AT(dz_relation_desc, reflexive, 20);
    AT(dz_relation_desc, on_target, 24), AT(dz_relation_desc, on_relation, 28), AT(dz_relation_desc, with, 32);
    AT(dz_pair_parts, relation, 0), AT(dz_pair_parts, target, 8);
    SIZE(dz_query_desc, 48, 8);
    AT(dz_query_desc, size, 0), AT(dz_query_desc, term_count, 4), AT(dz_query_desc, terms, 8), AT(dz_query_desc, text, 16);
    AT(dz_query_desc, order, 24), AT(dz_query_desc, kept, 32), AT(dz_query_desc, priority, 36);
    AT(dz_query_desc, cascade, 40), AT(dz_query_desc, bases, 44);
    SIZE(dz_query_details, 40, 8);
    AT(dz_query_details, term_count, 0), AT(dz_query_details, kept, 4), AT(dz_query_details, priority, 8);
    AT(dz_query_details, runs, 12), AT(dz_query_details, fresh, 16), AT(dz_query_details, reserved, 20);
    AT(dz_query_details, order, 24), AT(dz_query_details, bytes, 32);
    SIZE(dz_accessor, 32, 8);
    AT(dz_accessor, world, 0), AT(dz_accessor, gone, 4), AT(dz_accessor, id, 8), AT(dz_accessor, pool, 16);
    AT(dz_accessor, stamp, 24);
    SIZE(dz_iter, 5552, 8); /* for the life of a major version */
    AT(dz_iter, data, 0), AT(dz_iter, entities, 8), AT(dz_iter, count, 16), AT(dz_iter, stride, 20);
    AT(dz_iter, entity_size, 24), AT(dz_iter, status, 28), AT(dz_iter, changes, 32), AT(dz_iter, seen, 40);
    AT(dz_iter, current, 48), AT(dz_iter, position, 56), AT(dz_iter, flags, 60), AT(dz_iter, world, 64);
    AT(dz_iter, first, 68), AT(dz_iter, id, 72), AT(dz_iter, era, 80), AT(dz_iter, pool_changes, 88);
    AT(dz_iter, end, 96), AT(dz_iter, limit, 100), AT(dz_iter, settled, 104), AT(dz_iter, log, 112);
    AT(dz_iter, magic, 120), AT(dz_iter, settler, 128), AT(dz_iter, gather, 132);
    AT(dz_iter, term_count, 136), AT(dz_iter, query, 140), AT(dz_iter, fields, 144), AT(dz_iter, strides, 400);
    AT(dz_iter, offsets, 528), AT(dz_iter, walk, 592), AT(dz_iter, picks, 848), AT(dz_iter, rows, 1392);
}

static void constants(void)
{
    CHECK_EQ(DZ_NULL, 0);
    CHECK_EQ(DZ_RESERVE_NONE, UINT32_MAX);
    CHECK(DZ_LAYOUT_64 == 0 && DZ_LAYOUT_32 == 1);
    CHECK(DZ_RECYCLE_LIFO == 0 && DZ_RECYCLE_FIFO == 1);
    CHECK(DZ_OVERFLOW_RETIRE == 0 && DZ_OVERFLOW_WRAP == 1);
    CHECK(DZ_POLICY_SWAP == 0 && DZ_POLICY_STABLE == 1);
    CHECK(DZ_BACKWARD == 0 && DZ_FORWARD == 1);
    CHECK(DZ_ON_ADD == 0 && DZ_ON_SET == 1 && DZ_ON_REMOVE == 2 && DZ_ON_CREATE == 3 && DZ_ON_DESTROY == 4);
    CHECK(DZ_OK == 0 && DZ_NOTHING_TO_DO == 3 && DZ_ERR_NULL_POINTER == -1 && DZ_ERR_TOO_MANY_WORLDS == -6);
    CHECK(DZ_ERR_NULL_ENTITY == -10 && DZ_ERR_RESERVED == -21 && DZ_ERR_SIZE == -30 && DZ_ERR_POLICY == -41);
    CHECK(DZ_WITH == 0 && DZ_WITHOUT == 1 && DZ_OPTIONAL == 2 && DZ_ANY_OF == 3);
    CHECK(DZ_INOUT == 0 && DZ_IN == 1 && DZ_OUT == 2 && DZ_NO_ACCESS == 3);
    CHECK(DZ_INSTRUCTIONS_BEST == 0 && DZ_INSTRUCTIONS_BASELINE == 1);
    CHECK(DZ_INSTRUCTIONS_V3 == 2 && DZ_INSTRUCTIONS_V4 == 3);
    CHECK(DZ_MAX_TERMS == 32 && DZ_MAX_PICKS == 128);
    CHECK(DZ_ERR_OUT_OF_MEMORY == -50 && DZ_ERR_COUNT == -54 && DZ_ERR_DESC_SIZE == -60 && DZ_ERR_ALLOCATOR == -66);
    CHECK(DZ_ERR_INSTRUCTIONS == -67 && DZ_ERR_QUERY == -70 && DZ_ERR_QUERY_LOST == -71 && DZ_ERR_NO_TERM == -72);
    CHECK(DZ_ERR_NO_PAIR == -77 && DZ_ERR_DEEP == -81 && DZ_ERR_NAME_TAKEN == -84 && DZ_ERR_INHERITED == -86);
    CHECK(DZ_CLEANUP_REMOVE == 0 && DZ_CLEANUP_DELETE == 1 && DZ_CLEANUP_REFUSE == 2);
    CHECK(DZ_PLACE_LAST == 0 && DZ_PLACE_FIRST == 1 && DZ_PLACE_BEFORE == 2 && DZ_PLACE_AFTER == 3);
    CHECK(DZ_PARENTS_FIRST == 0 && DZ_CHILDREN_FIRST == 1);
    CHECK(DZ_ROLE_CHILDOF == 1 && DZ_ROLE_INSTANCEOF == 2 && DZ_ROLE_PAIR == 3 && DZ_ROLE_USER == 128);
    CHECK(DZ_ANY == UINT64_C(4) << 56 && DZ_PARENT == DZ_ANY + 1 && DZ_UP == DZ_ANY + 2 && DZ_WORLD_VALUE == DZ_ANY + 3);
    CHECK(DZ_INHERIT == DZ_ANY + 4 && DZ_VARIABLE(7) == DZ_ANY + 0x107);
    CHECK(DZ_ERR_ORDER == -73 && DZ_ERR_SYNTAX == -74 && DZ_ERR_NOT_KEPT == -75 && DZ_ERR_NOT_SINGLE == -76);
}

/* What the initialisers promise: the size, and zeros. */
static void initialisers(void)
{
    dz_world_desc world = DZ_WORLD_DESC_INIT;
    dz_component_desc component = DZ_COMPONENT_DESC_INIT;
    dz_query_desc query = DZ_QUERY_DESC_INIT;
    dz_world_desc zero_world;
    dz_component_desc zero_component;
    dz_query_desc zero_query;
    memset(&zero_world, 0, sizeof zero_world);
    memset(&zero_component, 0, sizeof zero_component);
    memset(&zero_query, 0, sizeof zero_query);
    zero_world.size = sizeof zero_world;
    zero_component.size = sizeof zero_component;
    zero_query.size = sizeof zero_query;
    CHECK(memcmp(&query, &zero_query, sizeof query) == 0);
    CHECK(memcmp(&world, &zero_world, sizeof world) == 0);
    CHECK(memcmp(&component, &zero_component, sizeof component) == 0);
}

int main(void)
{
    RUN(structs);
    RUN(constants);
    RUN(initialisers);
    return check_done();
}
