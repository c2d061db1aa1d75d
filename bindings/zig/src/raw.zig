//! denizen's C functions and types. MIT OR Apache-2.0.
//!
//! Generated from src/ffi with the C header, whose first lines say how to read this documentation; written anew by
//! `cargo test --test header -- --ignored`. Where the ABI has an int32_t for an enum of these, pass @backingInt.
//!
//! Not here, because C has them as macros and inline functions (include/denizen/denizen_inline.h):
//! DZ_VERSION dz_world_desc_init dz_component_desc_init dz_query_desc_init dz_group_desc_init
//! dz_relation_desc_init DZ_WORLD_DESC_INIT DZ_COMPONENT_DESC_INIT DZ_QUERY_DESC_INIT
//! DZ_GROUP_DESC_INIT DZ_RELATION_DESC_INIT dz_failed dz_component_simple DZ_COMPONENT DZ_TAG DZ_SET
//! DZ_GET DZ_GET_MUT DZ_ROLE DZ_CHILDOF DZ_INSTANCEOF DZ_VARIABLE dz_role dz_without_role
//! DZ_SET_PAIR DZ_ASSERT dz_iter_entity dz_at dz_at_if DZ_AT DZ_AT_IF dz_run DZ_RUN dz_item DZ_ITEM
//! dz_each DZ_EACH

/// The version of this header.
pub const DZ_VERSION_MAJOR: u32 = 0;

/// The version of this header.
pub const DZ_VERSION_MINOR: u32 = 1;

/// The version of this header.
pub const DZ_VERSION_PATCH: u32 = 0;

/// No entity, no component.
pub const DZ_NULL: u64 = 0;

/// For dz_world_desc.reserved_components: no range is kept for components.
pub const DZ_RESERVE_NONE: u32 = 4294967295;

/// The most terms of a query.
pub const DZ_MAX_TERMS: u32 = 32;

/// The most entities of a batch that isn't a run.
pub const DZ_MAX_PICKS: u32 = 128;

/// In dz_term.target: any. In dz_term.id, beside a target: any relation.
pub const DZ_ANY: u64 = 288230376151711744;

/// In dz_term.source: the entity's parent.
pub const DZ_PARENT: u64 = 288230376151711745;

/// In dz_term.source: the nearest above the entity that has it.
pub const DZ_UP: u64 = 288230376151711746;

/// In dz_term.source: the entity's own, or that of the nearest base that has it (see DZ_INSTANCEOF). Such a term only
/// reads, or who writes would write to all instances: DZ_INOUT counts as DZ_IN, and DZ_OUT is DZ_ERR_RANGE.
pub const DZ_INHERIT: u64 = 288230376151711748;

/// In dz_term.source: the world-wide value (dz_singleton_set).
pub const DZ_WORLD_VALUE: u64 = 288230376151711747;

/// The lowest role that is yours: DZ_ROLE(n, entity) for n from here to 255.
pub const DZ_ROLE_USER: u32 = 128;

/// The role of an id that says whose instance an entity is: DZ_INSTANCEOF(base).
pub const DZ_ROLE_INSTANCEOF: u32 = 2;

/// The role of pairs' ids.
pub const DZ_ROLE_PAIR: u32 = 3;

/// The role of an id that says whose child an entity is: DZ_CHILDOF(parent).
pub const DZ_ROLE_CHILDOF: u32 = 1;

/// What a call came to. Zero: done. Positive: an answer, nothing was wrong and nothing was
/// changed. Negative: an error; all that can be read of the world is as it was before the call,
/// and dz_error_message() says what was wrong with what.
pub const dz_status = enum(i32) {
    /// Done.
    DZ_OK = 0,
    /// Answer: the entity has that component already.
    DZ_ALREADY_THERE = 1,
    /// Answer: the entity doesn't have that component.
    DZ_NOT_THERE = 2,
    /// Answer: there was nothing to do: the count is 0, it is so already (dz_set_enabled, dz_set_component_enabled,
    /// dz_set_base), or no order is kept (dz_sort_refresh, dz_group_sort_refresh).
    DZ_NOTHING_TO_DO = 3,
    /// A pointer that must not be NULL is NULL.
    DZ_ERR_NULL_POINTER = -1,
    /// The world's handle is {0}.
    DZ_ERR_WORLD_NULL = -2,
    /// The world was destroyed.
    DZ_ERR_WORLD_DEAD = -3,
    /// The world's handle was never handed out.
    DZ_ERR_WORLD_UNKNOWN = -4,
    /// An earlier call met a bug of the library; the world only accepts dz_world_destroy.
    DZ_ERR_WORLD_BROKEN = -5,
    /// No number is free for another world.
    DZ_ERR_TOO_MANY_WORLDS = -6,
    /// The entity is DZ_NULL, or its index is the null index (all ones).
    DZ_ERR_NULL_ENTITY = -10,
    /// The entity's generation is the tombstone (all ones), which no entity ever has.
    DZ_ERR_TOMBSTONE = -11,
    /// The entity was destroyed.
    DZ_ERR_DEAD = -12,
    /// No entity with that handle was ever created: the handle is forged or garbage.
    DZ_ERR_NEVER_CREATED = -13,
    /// The entity belongs to another world, or to a world of the other layout.
    DZ_ERR_WRONG_WORLD = -14,
    /// The entity was destroyed, and its slot is retired: its generations are used up.
    DZ_ERR_RETIRED = -15,
    /// The handle has role bits (63..56), which no plain entity or component has.
    DZ_ERR_ROLE = -16,
    /// A component was given where a plain entity is meant.
    DZ_ERR_IS_COMPONENT = -17,
    /// A plain entity was given where a component is meant.
    DZ_ERR_NOT_COMPONENT = -18,
    /// The same entity or component stands twice in an array.
    DZ_ERR_DUPLICATE = -19,
    /// dz_create_at: another entity lives at that index.
    DZ_ERR_OCCUPIED = -20,
    /// dz_create_at: the index is in the range that is reserved for components.
    DZ_ERR_RESERVED = -21,
    /// The size given isn't the component's size.
    DZ_ERR_SIZE = -30,
    /// The component is a tag: it has no data.
    DZ_ERR_TAG = -31,
    /// The alignment isn't a power of two from 1 to 4096, or the size isn't a multiple of it.
    DZ_ERR_ALIGNMENT = -32,
    /// A component of that name exists with another size, alignment or policy.
    DZ_ERR_SHAPE = -33,
    /// A name is empty, longer than 255 bytes, or not UTF-8.
    DZ_ERR_NAME = -34,
    /// Entities still have the component.
    DZ_ERR_HELD = -35,
    /// The component belongs to the library and can't be changed.
    DZ_ERR_BUILTIN = -36,
    /// The pointer isn't an element of that component's pool.
    DZ_ERR_NOT_ELEMENT = -37,
    /// A construct or copy hook failed.
    DZ_ERR_HOOK_FAILED = -38,
    /// A structural call from inside a listener, or any call from inside a hook or a comparison.
    DZ_ERR_IN_HOOK = -39,
    /// The listener isn't connected.
    DZ_ERR_LISTENER = -40,
    /// The component keeps addresses stable or swaps on removal; the call needs the other policy.
    DZ_ERR_POLICY = -41,
    /// The world has no such group: it was destroyed, is another world's, or was never made.
    DZ_ERR_GROUP = -42,
    /// The component is a term of a group, which must be destroyed first.
    DZ_ERR_GROUPED = -43,
    /// The order of the component's pool belongs to a group or to a kept sort.
    DZ_ERR_OWNED = -44,
    /// The component isn't one that the group's members have.
    DZ_ERR_NOT_TERM = -45,
    /// The allocator returned NULL.
    DZ_ERR_OUT_OF_MEMORY = -50,
    /// The world's byte budget is used up.
    DZ_ERR_BUDGET = -51,
    /// The world's largest number of entities is reached.
    DZ_ERR_FULL = -52,
    /// Every slot is retired or in use: the identifiers have run out.
    DZ_ERR_EXHAUSTED = -53,
    /// A count is too large: that many can't exist, or their size overflows.
    DZ_ERR_COUNT = -54,
    /// A descriptor's size field is 0, too small, or over 4096: begin with its DZ_..._INIT.
    DZ_ERR_DESC_SIZE = -60,
    /// A descriptor is larger than this library knows, and what it doesn't know isn't zero.
    DZ_ERR_DESC_TAIL = -61,
    /// A value isn't one of its enum's.
    DZ_ERR_ENUM = -62,
    /// A number is outside its documented range.
    DZ_ERR_RANGE = -63,
    /// The dz_iter wasn't started by one of the dz_iterate functions.
    DZ_ERR_ITER = -64,
    /// The pool was changed in a way that this iteration can't follow; it ended early.
    DZ_ERR_CHANGED = -65,
    /// An allocator lacks one of its two required functions, or both and has the third.
    DZ_ERR_ALLOCATOR = -66,
    /// The processor doesn't have those instructions.
    DZ_ERR_INSTRUCTIONS = -67,
    /// The query's handle is {0}, or of no query of this world, or of one that was destroyed.
    DZ_ERR_QUERY = -70,
    /// A component of the query's terms was unregistered.
    DZ_ERR_QUERY_LOST = -71,
    /// The query has no term that asks for a component or pair of the entity itself (with, or any-of).
    DZ_ERR_NO_TERM = -72,
    /// The component whose order the query is to follow is no with-term of it.
    DZ_ERR_ORDER = -73,
    /// The text isn't a query; the message says where and why.
    DZ_ERR_SYNTAX = -74,
    /// The query isn't kept.
    DZ_ERR_NOT_KEPT = -75,
    /// There is not exactly one match.
    DZ_ERR_NOT_SINGLE = -76,
    /// The pair's id is none: dz_pair never made it, or its relation or target died since.
    DZ_ERR_NO_PAIR = -77,
    /// The entity is the target, or the relation, of pairs that refuse its end.
    DZ_ERR_PAIR_HELD = -78,
    /// A pair of an acyclic relation, a parent or a base would lead back to the entity. The message prints the way round; by
    /// a relation only one of at most 128 links.
    DZ_ERR_CYCLE = -79,
    /// The relation can't have these traits; the message says why.
    DZ_ERR_TRAITS = -80,
    /// A transitive relation leads over more than 128 links, or there are too many ways to try.
    DZ_ERR_DEEP = -81,
    /// The entity is not where it would have to be in the hierarchy: no child of that parent, or not below it.
    DZ_ERR_SIBLING = -82,
    /// The entity has no parent.
    DZ_ERR_NO_PARENT = -83,
    /// A sibling has that name.
    DZ_ERR_NAME_TAKEN = -84,
    /// The entity doesn't have the component.
    DZ_ERR_NOT_HELD = -85,
    /// The entity has the component from its base: it can be read, not written (see dz_override).
    DZ_ERR_INHERITED = -86,
    _,
};

/// How a world's handles are laid out.
pub const dz_layout = enum(i32) {
    /// 32-bit index, 16-bit generation, 8-bit world. The default.
    DZ_LAYOUT_64 = 0,
    /// 20-bit index, 12-bit generation: half the memory for identifiers, at most 1,048,575 of them; handles don't say whose
    /// they are.
    DZ_LAYOUT_32 = 1,
    _,
};

/// Which destroyed slot a new entity takes.
pub const dz_recycling = enum(i32) {
    /// The one destroyed last: indices stay compact and warm. The default.
    DZ_RECYCLE_LIFO = 0,
    /// The one destroyed first: generations are used up evenly.
    DZ_RECYCLE_FIFO = 1,
    _,
};

/// What happens to a slot whose generations are used up.
pub const dz_overflow = enum(i32) {
    /// It is never handed out again, so no stale handle ever comes back to life. The default.
    DZ_OVERFLOW_RETIRE = 0,
    /// It starts again at generation 1: an old handle may then match a new entity.
    DZ_OVERFLOW_WRAP = 1,
    _,
};

/// How a component's pool removes an element.
pub const dz_policy = enum(i32) {
    /// The last element moves into the gap: always dense, addresses change. The default.
    DZ_POLICY_SWAP = 0,
    /// The gap stays until another element fills it: an element never moves while it lives.
    DZ_POLICY_STABLE = 1,
    _,
};

/// The order in which a pool is iterated.
pub const dz_direction = enum(i32) {
    /// From the element added last to the first. What to use when the loop changes the pool.
    DZ_BACKWARD = 0,
    /// From the first to the last.
    DZ_FORWARD = 1,
    _,
};

/// For how long a sort holds.
pub const dz_sort_mode = enum(i32) {
    /// Until something changes. The default.
    DZ_SORT_ONCE = 0,
    /// It can be restored by a refresh.
    DZ_SORT_KEEP = 1,
    _,
};

/// What a listener is told of.
pub const dz_event_kind = enum(i32) {
    /// A component was added. Called after the change.
    DZ_ON_ADD = 0,
    /// A component's value was set, by a dz_set call or one that overrides a base's. Called after the change.
    DZ_ON_SET = 1,
    /// A component is about to be removed. Called before the change, the data is readable.
    DZ_ON_REMOVE = 2,
    /// An entity was created. Called after the change, before its components' DZ_ON_ADD.
    DZ_ON_CREATE = 3,
    /// An entity is about to be destroyed. Called before the DZ_ON_REMOVE of its components.
    DZ_ON_DESTROY = 4,
    _,
};

/// What a term asks of an entity.
pub const dz_ask = enum(i32) {
    /// It has the component. The default.
    DZ_WITH = 0,
    /// It doesn't have it.
    DZ_WITHOUT = 1,
    /// Either; the field says whether it has; of what has no value but isn't a component, dz_iter_target does.
    DZ_OPTIONAL = 2,
    /// It has at least one of the terms with the same any_of.
    DZ_ANY_OF = 3,
    _,
};

/// What a loop does with a term's components. It is noted, for schedulers; only DZ_NO_ACCESS changes
/// what a query hands out. Whatever was asked for, dz_query_terms says DZ_IN at most of what has no data (tags) or may be a
/// base's, and DZ_NO_ACCESS of DZ_WITHOUT.
pub const dz_access = enum(i32) {
    /// Reads and writes. The default.
    DZ_INOUT = 0,
    /// Only reads.
    DZ_IN = 1,
    /// Only writes.
    DZ_OUT = 2,
    /// Neither: the term only says who matches, and its field is empty. Costs less.
    DZ_NO_ACCESS = 3,
    _,
};

/// Which instructions queries use. All give the same results.
pub const dz_instructions = enum(i32) {
    /// The best that the processor has and that pays. The default.
    DZ_INSTRUCTIONS_BEST = 0,
    /// What every processor of the architecture has.
    DZ_INSTRUCTIONS_BASELINE = 1,
    /// x86-64-v3: bit counting in hardware, AVX2.
    DZ_INSTRUCTIONS_V3 = 2,
    /// x86-64-v4: AVX-512. It has the instructions of v3 today: with more, nothing was faster.
    DZ_INSTRUCTIONS_V4 = 3,
    _,
};

/// What becomes of a pair whose target, or whose relation, is destroyed.
pub const dz_cleanup = enum(i32) {
    /// The pair is taken off its holder. The default.
    DZ_CLEANUP_REMOVE = 0,
    /// The holder is destroyed too, and whoever goes along with it.
    DZ_CLEANUP_DELETE = 1,
    /// The call fails with DZ_ERR_PAIR_HELD, unless all holders go along anyway.
    DZ_CLEANUP_REFUSE = 2,
    _,
};

/// Where a child comes among its siblings.
pub const dz_place = enum(i32) {
    /// Behind all others. The default.
    DZ_PLACE_LAST = 0,
    /// Before all others.
    DZ_PLACE_FIRST = 1,
    /// Before the sibling.
    DZ_PLACE_BEFORE = 2,
    /// Behind the sibling.
    DZ_PLACE_AFTER = 3,
    _,
};

/// In which order a subtree is visited.
pub const dz_tree_order = enum(i32) {
    /// Each entity before its children.
    DZ_PARENTS_FIRST = 0,
    /// Each entity behind its children.
    DZ_CHILDREN_FIRST = 1,
    _,
};

/// A world. {0} is no world. Handles of destroyed worlds are told apart from living ones.
pub const dz_world = extern struct {
    /// Opaque.
    bits: u32,
};

/// Returns `size` bytes aligned to `alignment` (a power of two up to 4096), or NULL.
pub const dz_allocate_fn = ?*const fn (size: usize, alignment: usize, user: ?*anyopaque) callconv(.c) ?*anyopaque;

/// Takes back what dz_allocate_fn returned, with the size and alignment it was asked for.
pub const dz_free_fn = ?*const fn (memory: ?*anyopaque, size: usize, alignment: usize, user: ?*anyopaque) callconv(.c) void;

/// Changes the size of an allocation, keeping the bytes: like C's realloc with alignment. On NULL
/// the old memory stays good.
pub const dz_reallocate_fn = ?*const fn (memory: ?*anyopaque, old_size: usize, new_size: usize, alignment: usize, user: ?*anyopaque) callconv(.c) ?*anyopaque;

/// Where a world's memory comes from. All zero: the system's, on Linux in large pages once the world has about 10 MiB, or
/// an array of 2 MiB, for each of which 64 MiB or more are set aside (address space, which takes memory only where it is
/// used). The functions are called from whatever thread calls the library, and must not call the library.
pub const dz_allocator = extern struct {
    /// Required, with free.
    allocate: dz_allocate_fn,
    /// Required, with allocate.
    free: dz_free_fn,
    /// Optional: without it, growing allocates, copies and frees.
    reallocate: dz_reallocate_fn,
    /// Handed to each call.
    user: ?*anyopaque,
};

/// Receives a line for each error and each bug of the library. Must not call the library.
/// `message` is good during the call only.
pub const dz_log_fn = ?*const fn (status: dz_status, message: [*c]const u8, user: ?*anyopaque) callconv(.c) void;

/// How a world is made. Begin with DZ_WORLD_DESC_INIT; every other zero is the default.
pub const dz_world_desc = extern struct {
    /// sizeof(dz_world_desc), set by DZ_WORLD_DESC_INIT.
    size: u32,
    /// A dz_layout.
    layout: i32,
    /// A dz_recycling.
    recycling: i32,
    /// A dz_overflow.
    overflow: i32,
    /// Entities to reserve memory for, the reserved range not counted: none of the first `capacity` creations then needs
    /// memory.
    capacity: u32,
    /// The largest number of slots for entities, the reserved range included. 0: what the layout
    /// allows (4,294,967,232 or 1,048,575).
    max_entities: u32,
    /// The first N indices, kept for components, so that component ids can index arrays. 0: 256, or half
    /// of max_entities if that is less. DZ_RESERVE_NONE: none. At most 65,536, and below max_entities. Ask for as many as
    /// there will be, tags included: once there are more, adding, setting and removing take two to three times as long in
    /// the whole world; and of those for whom there was no room all calls for one entity, dz_get too, some three to eight times.
    reserved_components: u32,
    /// A dz_instructions: which instructions queries use.
    instructions: i32,
    /// The most bytes that the world may hold at once. 0: no limit.
    byte_budget: u64,
    /// Where memory comes from.
    allocator: dz_allocator,
    /// Told of each error of a call that is given this world, or an iteration or accessor of it; or NULL. Not of what
    /// dz_why answers, nor of dz_describe's, nor of an error in making the world: there is none yet.
    log: dz_log_fn,
    /// Handed to log.
    log_user: ?*anyopaque,
    /// Yours; see dz_world_user.
    user: ?*anyopaque,
};

/// Numbers of a world. Written by dz_world_stats.
pub const dz_world_numbers = extern struct {
    /// Living entities, components included.
    alive: u32,
    /// Slots that wait to be used again.
    dead: u32,
    /// Slots that are used up.
    retired: u32,
    /// Registered components, built-in ones included.
    components: u32,
    /// Connected listeners.
    listeners: u32,
    /// Slots outside of the reserved range that have memory, whether in use or not: so many entities can be there before
    /// more is asked for. Retired slots, and components that the reserved range has no room for, take such slots too.
    capacity: u32,
    /// Bytes held.
    bytes: u64,
    /// The most bytes ever held.
    peak_bytes: u64,
    /// Allocations held.
    allocations: u64,
    /// The limit, or 0.
    byte_budget: u64,
};

/// An entity's handle: slot index, generation, and in the 64-bit layout the world that made it.
///
///     64-bit layout (default)   63..56 zero | 55..48 world | 47..32 generation | 31..0 index
///     32-bit layout             63..32 zero | 31..20 generation | 19..0 index
///
/// DZ_NULL (0) is never alive: generations start at 1. Compare handles with ==. A handle may be
/// kept for as long as you like; every call that takes one says whether it is still good. In the 32-bit layout a handle of
/// another such world isn't told apart from this one's.
pub const dz_entity = u64;

/// What can be added to an entity: a component or a tag, which is an entity too, so that this is its handle; or
/// a pair's id (dz_pair), an entity with a role (DZ_CHILDOF, DZ_INSTANCEOF, DZ_ROLE), a plain entity.
pub const dz_id = u64;

/// Values for one component of dz_create_with.
pub const dz_column = extern struct {
    /// The component or tag.
    id: dz_id,
    /// `count` values, each of `element_size` bytes; NULL: zeros, or constructed.
    values: ?*const anyopaque,
    /// Bytes of one value: the component's size (0 for a tag).
    element_size: u32,
    /// Zero.
    reserved: u32,
};

/// Makes `count` elements in uninitialised memory. 0: done. Anything else: failed, and none of
/// them is made; the call that needed them is undone. Must not call the library.
pub const dz_construct_fn = ?*const fn (elements: ?*anyopaque, count: u32, user: ?*anyopaque) callconv(.c) i32;

/// Ends `count` elements. Must not fail, and must not call the library.
pub const dz_destruct_fn = ?*const fn (elements: ?*anyopaque, count: u32, user: ?*anyopaque) callconv(.c) void;

/// Makes `count` elements in uninitialised memory as copies of others. Returns as dz_construct_fn.
pub const dz_copy_fn = ?*const fn (to: ?*anyopaque, from: ?*const anyopaque, count: u32, user: ?*anyopaque) callconv(.c) i32;

/// Relocates `count` elements into uninitialised memory; `from` is uninitialised afterwards.
/// The two don't overlap. Must not fail, and must not call the library.
pub const dz_move_fn = ?*const fn (to: ?*anyopaque, from: ?*anyopaque, count: u32, user: ?*anyopaque) callconv(.c) void;

/// What a component's elements need beyond bytes. All zero, the trivial type, pays for none: made
/// of zeros, copied and relocated as bytes, and forgotten.
pub const dz_hooks = extern struct {
    /// NULL: zeros.
    construct: dz_construct_fn,
    /// NULL: nothing.
    destruct: dz_destruct_fn,
    /// NULL: bytes. Used by dz_set, dz_clone, dz_instantiate, dz_override and every call that takes a value.
    copy: dz_copy_fn,
    /// NULL: bytes. Used when an element moves (DZ_POLICY_SWAP; dz_compact, sorts, groups, dz_optimize), and to put a copy in
    /// place.
    relocate: dz_move_fn,
    /// Handed to each of them.
    user: ?*anyopaque,
};

/// How a component is made. Begin with DZ_COMPONENT_DESC_INIT.
pub const dz_component_desc = extern struct {
    /// sizeof(dz_component_desc), set by DZ_COMPONENT_DESC_INIT.
    size: u32,
    /// A dz_policy.
    policy: i32,
    /// Its name, UTF-8, 1 to 255 bytes, unique in the world. Copied.
    name: [*c]const u8,
    /// Bytes of one element, at most 1,048,576. 0: a tag.
    element_size: u32,
    /// A power of two from 1 to 4096 that divides element_size. 0: 1.
    element_alignment: u32,
    /// For types that are more than bytes. A tag has no elements, so its hooks are never called.
    hooks: dz_hooks,
};

/// What is known of a component. Written by dz_component_info.
pub const dz_component_details = extern struct {
    /// Its id.
    id: dz_id,
    /// Its name; good until the component is unregistered or the world destroyed.
    name: [*c]const u8,
    /// Bytes of one element; 0 for a tag.
    element_size: u32,
    /// Alignment of one element.
    element_alignment: u32,
    /// A dz_policy.
    policy: i32,
    /// How many entities have it.
    count: u32,
    /// Gaps that in-place removal has left.
    gaps: u32,
    /// 1: made by the library.
    builtin: u32,
    /// Bytes that its pool holds.
    bytes: u64,
};

/// A world and one of its components, found once. Yours: freely copied, nothing to give back. It stays good
/// until any component of the world is unregistered, or the world destroyed; used after that it is as good as new:
/// each call then finds them again, or says why it can't. Written by dz_accessor_init alone: its fields are to read, as what
/// they say was looked up. All zero is none.
pub const dz_accessor = extern struct {
    /// The world.
    world: dz_world,
    /// The library's.
    gone: u32,
    /// The component.
    id: dz_id,
    /// The library's.
    pool: ?*const anyopaque,
    /// The library's.
    stamp: u64,
};

/// The halves of a pair: see dz_pair_halves.
pub const dz_pair_parts = extern struct {
    /// The relation.
    relation: dz_entity,
    /// The target.
    target: dz_entity,
};

/// What a relation promises of its pairs. Begin with DZ_RELATION_DESC_INIT. Zero: nothing.
pub const dz_relation_desc = extern struct {
    /// sizeof(dz_relation_desc), set by DZ_RELATION_DESC_INIT.
    size: u32,
    /// 1: an entity has at most one target; adding another replaces it.
    exclusive: u32,
    /// 1: if A has (R, B), B has (R, A). Both are added and removed together. Of a value B gets a copy when they are
    /// added; from then on each has its own.
    symmetric: u32,
    /// 1: nobody comes back to itself by it; adding what would close a cycle is DZ_ERR_CYCLE. Not with symmetric.
    acyclic: u32,
    /// 1: dz_has also finds (R, C) if A has (R, B) and B has (R, C), over up to 128 links: where the search first comes
    /// upon a longer way, it is DZ_ERR_DEEP. Only with acyclic.
    transitive: u32,
    /// 1: dz_has also finds (R, A) on A itself.
    reflexive: u32,
    /// A dz_cleanup: when a target is destroyed.
    on_target: i32,
    /// A dz_cleanup: when the relation is destroyed or unregistered.
    on_relation: i32,
    /// Another relation: whoever gets (R, B) gets (with, B) too, which stays when (R, B) goes. DZ_NULL: none. Where that has a
    /// `with` too, and so on, such a chain brings at most 8 others. If one in it is symmetric, none that it brings is acyclic.
    with: dz_id,
};

/// A connected listener, as dz_listen returns it. {0} is none.
pub const dz_listener = extern struct {
    /// Opaque.
    bits: u32,
};

/// What happened, as a listener is told. The pointer is good during the call only.
pub const dz_event = extern struct {
    /// The world.
    world: dz_world,
    /// A dz_event_kind.
    kind: i32,
    /// The entity.
    entity: dz_entity,
    /// The component, or DZ_NULL for DZ_ON_CREATE and DZ_ON_DESTROY.
    id: dz_id,
    /// The component's value, which may be read and written; NULL for tags and entity events.
    data: ?*anyopaque,
};

/// A listener. It may read, iterate, and change values: through dz_event.data, the calls that give a pointer to write to
/// (of those for many dz_get_mut_n), and dz_set of a component that is there; dz_reserve and dz_world_set_user are fine
/// too. All other calls that write are DZ_ERR_IN_HOOK: what creates, destroys, adds, removes, names, enables, sorts,
/// connects or disconnects, also itself; so is setting a pair's value, there or not (dz_get_pair_mut is fine), and making a
/// query: make it before. Note what is to be done, and do it after the call. It must not throw.
pub const dz_listener_fn = ?*const fn (event: [*c]const dz_event, user: ?*anyopaque) callconv(.c) void;

/// An iteration, and the batch of entities it stands on: a run, every field an array, or a gather, an address for each
/// element. DZ_AT reads both. Yours: on the stack (5,552 bytes on 64-bit machines), freely copied, left early without a
/// call. Read what is described; the rest is for the inline helpers and the library.
pub const dz_iter = extern struct {
    /// dz_iterate_pool: the span's components, `count` of them, contiguous; NULL for a tag.
    data: ?*anyopaque,
    /// The entities, of `entity_size` bytes each: see dz_iter_entity.
    entities: ?*const anyopaque,
    /// Elements in the batch.
    count: u32,
    /// dz_iterate_pool: bytes from one component to the next.
    stride: u32,
    /// 8 or 4, by the world's layout.
    entity_size: u32,
    /// A dz_status: DZ_OK, or why dz_next returned false before the end.
    status: i32,
    /// The library's.
    changes: [*c]const u64,
    /// The library's.
    seen: u64,
    /// The library's.
    current: dz_entity,
    /// The library's.
    position: u32,
    /// The library's.
    flags: u32,
    /// The library's.
    world: dz_world,
    /// The library's.
    first: u32,
    /// The library's.
    id: dz_id,
    /// The library's.
    era: u64,
    /// The library's.
    pool_changes: u64,
    /// The library's.
    end: u32,
    /// The library's.
    limit: u32,
    /// The library's.
    settled: u64,
    /// The library's.
    log: u64,
    /// The library's.
    magic: u64,
    /// The library's.
    settler: u32,
    /// 0: the batch is a run. 1: it is a gather.
    gather: u32,
    /// Terms of the query: so many fields there are.
    term_count: u32,
    /// The library's.
    query: u32,
    /// Of a run: each term's first component; NULL: nobody of the batch has it, or none is
    /// handed out (of an optional or any-of tag that is there it isn't NULL).
    fields: [32]?*anyopaque,
    /// Bytes from one component of each term to the next.
    strides: [32]u32,
    /// The library's.
    offsets: [32]u16,
    /// The library's.
    walk: [32]u64,
    /// The library's.
    picks: [136]u32,
    /// The library's.
    rows: [520]?*anyopaque,
};

/// A query, as dz_query_create returns it. {0} is none.
pub const dz_query = extern struct {
    /// Opaque.
    bits: u32,
};

/// A term of a query.
pub const dz_term = extern struct {
    /// The component or tag. Of a pair the relation, beside a target, or DZ_ANY. Or another id that can be added: a
    /// pair's, an entity's, one with a role, DZ_CHILDOF(parent).
    id: dz_id,
    /// Of a pair: the target; DZ_ANY: the query yields once for each pair; DZ_VARIABLE(n): likewise, and other
    /// terms refer to the target by it; or the target that an earlier term found. Else DZ_NULL.
    target: dz_entity,
    /// Whose component or pair: DZ_NULL: the entity's own. DZ_INHERIT, DZ_PARENT, DZ_UP, DZ_WORLD_VALUE (which a tag never
    /// has), DZ_VARIABLE(n), or an entity.
    source: dz_entity,
    /// A dz_ask.
    ask: i32,
    /// A dz_access.
    access: i32,
    /// For DZ_ANY_OF (components of the entity's own only): 0 to 255; of the terms with the same number at least one must
    /// be there. Else 0.
    any_of: u32,
    /// Zero.
    reserved: u32,
};

/// How a query is made. Begin with DZ_QUERY_DESC_INIT.
pub const dz_query_desc = extern struct {
    /// sizeof(dz_query_desc), set by DZ_QUERY_DESC_INIT.
    size: u32,
    /// Terms in `terms`, at most DZ_MAX_TERMS; 0 if there is a text.
    term_count: u32,
    /// The terms. Copied.
    terms: [*c]const dz_term,
    /// Or the query as text (see dz_query_parse), or NULL.
    text: [*c]const u8,
    /// A with-term's component, if iterating is to follow the order of its pool (see dz_sort; fast where the pools of the
    /// other terms are in that order too); else DZ_NULL: the order of indices. Not in a query that goes from entity to
    /// entity: see dz_query_create.
    order: dz_id,
    /// 1: a kept query: dz_query_refresh lets it remember its matches. 0: it looks for them each time.
    kept: u32,
    /// Where kept queries want different orders of dz_optimize, the higher priority decides. 0 if not kept.
    priority: i32,
    /// 1: parents come before their children, level by level; who is outside of the hierarchy comes first.
    cascade: u32,
    /// 1: it finds bases (see dz_set_base), and only them; else it passes over them.
    bases: u32,
};

/// Called with each batch of a query: see dz_query_each. It must not throw.
pub const dz_batch_fn = ?*const fn (batch: [*c]dz_iter, user: ?*anyopaque) callconv(.c) void;

/// What is known of a query. Written by dz_query_info.
pub const dz_query_details = extern struct {
    /// Its terms.
    term_count: u32,
    /// 1: it is kept.
    kept: u32,
    /// Of a kept one.
    priority: i32,
    /// Runs that it remembers (of a query with pairs or of the hierarchy: batches); 0: none, or they were too short to
    /// be worth it.
    runs: u32,
    /// 1: what it remembers is how it is.
    fresh: u32,
    /// Zero.
    reserved: u32,
    /// The component whose order it follows, or DZ_NULL.
    order: dz_id,
    /// Bytes that it holds.
    bytes: u64,
};

/// A group, as dz_group_create returns it. {0} is none.
pub const dz_group = extern struct {
    /// Opaque.
    bits: u32,
};

/// How a group is made; begin with DZ_GROUP_DESC_INIT. All is copied.
pub const dz_group_desc = extern struct {
    /// sizeof(dz_group_desc), set by DZ_GROUP_DESC_INIT.
    size: u32,
    /// How many ids `owned` holds.
    owned_count: u32,
    /// How many ids `included` holds.
    included_count: u32,
    /// How many ids `excluded` holds.
    excluded_count: u32,
    /// Components that members have, and that the group puts in order.
    owned: [*c]const dz_id,
    /// Components that members have.
    included: [*c]const dz_id,
    /// Components that members don't have.
    excluded: [*c]const dz_id,
    /// Zero.
    reserved: u64,
};

/// What dz_group_info writes.
pub const dz_group_details = extern struct {
    /// The group.
    group: dz_group,
    /// Members.
    count: u32,
    /// How many components it owns.
    owned_count: u32,
    /// How many it includes without owning them.
    included_count: u32,
    /// How many it excludes.
    excluded_count: u32,
    /// Zero.
    reserved: u32,
    /// Bytes that it holds itself.
    bytes: u64,
    /// Its components: owned, included, excluded; then zeros.
    ids: [32]dz_id,
};

/// Compares two elements: less than 0 if `a` comes before `b`, 0 if their order doesn't matter, more than 0 if `a` comes
/// after. `a` and `b` are NULL for tags, or where no component is compared. Must not call the library or throw.
pub const dz_compare_fn = ?*const fn (a: ?*const anyopaque, b: ?*const anyopaque, entity_a: dz_entity, entity_b: dz_entity, user: ?*anyopaque) callconv(.c) i32;

/// A field of a public struct: see dz_abi_describe.
pub const dz_abi_field = extern struct {
    /// Its name.
    name: [*c]const u8,
    /// Bytes before it.
    offset: u32,
    /// Its bytes.
    size: u32,
};

/// A public struct: see dz_abi_describe.
pub const dz_abi_struct = extern struct {
    /// Its name.
    name: [*c]const u8,
    /// Its bytes.
    size: u32,
    /// Its alignment.
    alignment: u32,
    /// Its fields, in their order.
    fields: [*c]const dz_abi_field,
    /// How many there are.
    field_count: u32,
    /// Zero.
    reserved: u32,
};

/// A constant of a public enum: see dz_abi_describe.
pub const dz_abi_value = extern struct {
    /// Its name.
    name: [*c]const u8,
    /// Its value.
    value: i32,
    /// Zero.
    reserved: u32,
};

/// A public enum: see dz_abi_describe. All are of 32 bits.
pub const dz_abi_enum = extern struct {
    /// Its name.
    name: [*c]const u8,
    /// Its constants.
    values: [*c]const dz_abi_value,
    /// How many there are.
    value_count: u32,
    /// Zero.
    reserved: u32,
};

/// What dz_abi_describe returns.
pub const dz_abi = extern struct {
    /// As dz_version returns it.
    version: u32,
    /// Bytes of a pointer.
    pointer_size: u32,
    /// The structs, `struct_count` of them.
    structs: [*c]const dz_abi_struct,
    /// The enums, `enum_count` of them.
    enums: [*c]const dz_abi_enum,
    /// How many structs there are.
    struct_count: u32,
    /// How many enums there are.
    enum_count: u32,
};

/// The value of the built-in component `Component`, which every component's entity has.
pub const dz_component = extern struct {
    /// Bytes of one element; 0 for a tag.
    element_size: u32,
    /// Alignment of one element.
    element_alignment: u32,
    /// A dz_policy.
    policy: i32,
    /// The number of its pool: 0, 1, 2, ... in the order of registration; reused.
    pool: u32,
};

/// The version of the library that is loaded: major << 16 | minor << 8 | patch. Compare with
/// DZ_VERSION, the version of the header. Reads. O(1).
pub extern fn dz_version() u32;

/// Makes a world. `desc` may be NULL for every default, and is not kept.
///
/// Returns {0} on error: descriptor errors, DZ_ERR_ALLOCATOR, DZ_ERR_ENUM, DZ_ERR_RANGE, DZ_ERR_COUNT (`capacity`),
/// DZ_ERR_INSTRUCTIONS, out of memory, DZ_ERR_TOO_MANY_WORLDS (255 of the 64-bit layout, 3,840 of the 32-bit one). The numbers
/// of 64-bit worlds are handed out round-robin, so an entity handle of a destroyed world can be taken for one of a living
/// world only after 254 others were made in between, less one for each world that lives all the while.
/// Any thread, at any time. O(1), apart from what `capacity` reserves.
///
/// `desc` is NULL or points to a descriptor whose first field is its size.
pub extern fn dz_world_create(desc: [*c]const dz_world_desc) dz_world;

/// Ends a world: DZ_ON_DESTROY and DZ_ON_REMOVE listeners run for every entity as if each were destroyed in the order of
/// indices, with its children (who else would go along with one comes in its own turn), then destruct hooks run for what is
/// left (singletons), then the memory goes back. Every handle and pointer of it is bad from then on. A broken world is
/// destroyed without calling listeners and hooks.
///
/// Errors: a world's handle; DZ_ERR_IN_HOOK (also of a broken one, from its listener). Writes, and no other call may use the world meanwhile.
/// O(entities and what they have). Needs no memory.
pub extern fn dz_world_destroy(world: dz_world) dz_status;

/// Destroys every entity that is not a component, and removes the singletons. Listeners and hooks
/// run as in dz_world_destroy. Component types, listeners, kept orders and reserved memory stay; so do groups, which are
/// empty then, and queries, but those that name an entity match nobody any more (see dz_query_create). All handles of
/// the destroyed entities are stale. Pairs go too, those that refuse it (DZ_CLEANUP_REFUSE) among them;
/// what relations that are components promise stays, and so do ids of pairs of two components. Who is created next gets
/// indices in ascending order, as at first (with DZ_RECYCLE_FIFO, the slot that is dead for the longest time first).
///
/// Errors: a world's handle; DZ_ERR_IN_HOOK. Writes. O(slots, and what entities have). Needs no memory.
pub extern fn dz_world_clear(world: dz_world) dz_status;

/// Gives back the memory that nothing uses: empty pages of pools, of the hierarchy, names and pairs; spare capacity,
/// also where a kept query remembers fewer matches than it once did (since its last dz_query_refresh). A stable pool's gaps
/// are in use until dz_compact closes them.
/// On Linux the system gets it back in whole pages of its own: what shares one with something in use goes back with that.
/// Not the slots of the dead, which keep their generations. Changes no handle, moves no component; ends
/// iterations under way of pools and groups, and of queries that follow a pool's order, with DZ_ERR_CHANGED. All that is listed
/// keeps its order; but a new holder of a pair takes another of the places that former holders left than it would have taken
/// without this call (dz_pair_holders tells). So machines that are to stay in step all call it.
///
/// Errors: a world's handle; DZ_ERR_IN_HOOK. Writes. O(slots, pages, names and pairs).
pub extern fn dz_shrink(world: dz_world) dz_status;

/// Reserves memory so that `entities` may live at once without another allocation of the registry.
/// Slots that are retired count among them, and components for which the reserved range has no room; those of that range
/// don't, but they count among the most that the world allows. Pools are not reserved. Never makes anything smaller.
///
/// Errors: a world's handle; DZ_ERR_COUNT (more than the world allows); out of memory. Writes. O(slots) if the memory moves.
pub extern fn dz_reserve(world: dz_world, entities: u32) dz_status;

/// Whether the handle is of a living world that takes calls; false, to any thread, while a hook of one of its components,
/// a comparison of a sort, or its allocator runs. Never an error. Any thread. O(1).
pub extern fn dz_world_is_alive(world: dz_world) bool;

/// The world's number, which its 64-bit entity handles carry: 1 to 255, or 256 to 4095 for a
/// world of the 32-bit layout. 0 on error. Reads. O(1).
pub extern fn dz_world_number(world: dz_world) u32;

/// The pointer given in dz_world_desc.user or last set. NULL on error. Reads. O(1).
pub extern fn dz_world_user(world: dz_world) ?*anyopaque;

/// Keeps a pointer of yours with the world. The library never follows it. Writes. O(1).
pub extern fn dz_world_set_user(world: dz_world, user: ?*anyopaque) dz_status;

/// Lists the living worlds, in the order of their numbers, e.g. to report leaks at the end of a
/// program. Writes the first `capacity` of them to `worlds` (NULL if capacity is 0), and to
/// `count` how many there are.
///
/// Errors: DZ_ERR_NULL_POINTER. Any thread. O(4095).
///
/// `worlds` has room for `capacity` handles; `count` for one number.
pub extern fn dz_worlds(worlds: [*c]dz_world, capacity: u32, count: [*c]u32) dz_status;

/// Writes the world's numbers: counts of alive, dead and retired slots, components, bytes.
///
/// Errors: a world's handle; DZ_ERR_NULL_POINTER. Reads. O(components).
///
/// `numbers` has room for one dz_world_numbers.
pub extern fn dz_world_stats(world: dz_world, numbers: [*c]dz_world_numbers) dz_status;

/// The last error of this thread, as a status; DZ_OK if there was none since dz_error_clear.
/// Answers (positive statuses, and a 0, NULL or false that is no error) leave it alone. Any thread. O(1).
pub extern fn dz_error_status() dz_status;

/// The last error of this thread as a sentence that names what was wrong, e.g.
/// "dz_get: entity E:1-256[1] is dead: its slot is now at generation 2"; "" if there was none. The
/// text is UTF-8, ends with a zero, and is good until the thread's next call of this function.
/// Any thread. Makes the text when asked: O(its length).
pub extern fn dz_error_message() [*c]const u8;

/// Forgets this thread's last error. Any thread. O(1).
pub extern fn dz_error_clear() void;

/// The name of a status, e.g. "DZ_ERR_DEAD"; "DZ_UNKNOWN_STATUS" for a value that is none. A
/// constant. Any thread. O(1).
pub extern fn dz_status_name(status: i32) [*c]const u8;

/// Writes an entity's handle in its print form, "E:1-256[1]" (world, index, generation) or
/// "E:256[1]" for the 32-bit layout, which has no world; "E:null" for DZ_NULL. Of an id with a role "DZ_CHILDOF(E:1-256[1])",
/// "DZ_INSTANCEOF(...)", "DZ_ROLE(128, ...)" for one of yours, or "pair 0x300010000000101". Looks at nothing
/// but the handle. Writes at most `capacity` bytes, the ending zero included, and returns the
/// length of the whole text without it, like snprintf. `text` may be NULL if capacity is 0.
///
/// Errors: DZ_ERR_NULL_POINTER (returns 0). Any thread. O(1).
///
/// `text` has room for `capacity` bytes.
pub extern fn dz_entity_text(entity: dz_entity, text: [*c]u8, capacity: u32) u32;

/// Creates an entity without components. Its index is one that a destroyed entity has left, or the
/// next new one. Returns DZ_NULL on error: DZ_ERR_FULL, DZ_ERR_EXHAUSTED, out of memory,
/// DZ_ERR_IN_HOOK, a world's handle. Writes. O(1) amortised.
pub extern fn dz_create(world: dz_world) dz_entity;

/// Creates `n` entities, as n calls of dz_create would, or none. Writes their handles to `entities`.
///
/// Errors: those of dz_create, DZ_ERR_NULL_POINTER. Writes. O(n).
///
/// `entities` has room for `n` handles.
pub extern fn dz_create_n(world: dz_world, n: u32, entities: [*c]dz_entity) dz_status;

/// Creates the entity with exactly this handle, e.g. one from a save file or another machine. Its
/// index must be free and its generation not older than the slot's, so that no stale handle comes
/// back to life (with DZ_OVERFLOW_WRAP old and new can't be told apart: any will do). Indices that are skipped this
/// way are free for dz_create; there must be memory for all slots up to the index.
///
/// Errors: DZ_ERR_OCCUPIED, DZ_ERR_DEAD (an older generation), DZ_ERR_NEVER_CREATED (generation 0),
/// DZ_ERR_RETIRED, DZ_ERR_RESERVED, DZ_ERR_WRONG_WORLD, DZ_ERR_NULL_ENTITY, DZ_ERR_TOMBSTONE, DZ_ERR_ROLE, DZ_ERR_FULL, out
/// of memory, DZ_ERR_IN_HOOK. Writes. O(1) at the end or for one of the next 64 free slots; of others the first, and the first
/// after many were destroyed, takes O(dead), those behind it O(1): 4 bytes for each slot are remembered until dz_shrink.
/// (Where there is no memory for that, each takes O(dead).)
pub extern fn dz_create_at(world: dz_world, entity: dz_entity) dz_status;

/// Creates the entities with exactly these handles, or none. Errors: those of dz_create_at,
/// DZ_ERR_DUPLICATE, DZ_ERR_NULL_POINTER, DZ_ERR_COUNT. Writes. O(n + dead) if their indices ascend, as dz_entities
/// lists them; else O(n log n + dead), and memory for 2 n indices meanwhile.
///
/// `entities` holds `n` handles.
pub extern fn dz_create_at_n(world: dz_world, entities: [*c]const dz_entity, n: u32) dz_status;

/// Creates `n` entities that have the given components, from columns of values, or none. This is
/// the fastest way to make many, and a good way to make one. The columns are set in their order;
/// then the listeners run entity by entity: DZ_ON_CREATE, then DZ_ON_ADD for each column.
/// `entities` may be NULL if you don't need the handles; after an error nothing in it is
/// a handle. Values are copied (by the copy hook).
///
/// Errors: those of dz_create_n, DZ_ERR_COUNT (see dz_add); for a column a component's handle, DZ_ERR_BUILTIN, DZ_ERR_SIZE,
/// DZ_ERR_DUPLICATE, DZ_ERR_RANGE (its reserved field), DZ_ERR_HOOK_FAILED. Writes. O(n * column_count).
///
/// `columns` holds `column_count` columns whose values are as described; `entities` is NULL or has
/// room for `n` handles.
pub extern fn dz_create_with(world: dz_world, n: u32, columns: [*c]const dz_column, column_count: u32, entities: [*c]dz_entity) dz_status;

/// Makes a new entity with copies of all components of `entity` (by the copy hooks), and of its pairs, plain entities and
/// ids with a role, which bring no others with them; but of a symmetric pair the other gets its half, and it gets none of
/// a relation that is both symmetric and exclusive. Its pairs are in the same order as those of `entity`: the latest is
/// the latest. It gets the same parent, as the last child, and the same base; not the name, and no copies of the
/// children. It is no base; it and all its components are enabled. Listeners: DZ_ON_CREATE, then DZ_ON_ADD for each
/// component.
///
/// Returns DZ_NULL on error: an entity's handle, those of dz_create, DZ_ERR_IS_COMPONENT, DZ_ERR_HOOK_FAILED, DZ_ERR_COUNT (see
/// dz_add). Writes.
/// O(what the entity has, and its depth), and a look at neighbours as in dz_destroy.
pub extern fn dz_clone(world: dz_world, entity: dz_entity) dz_entity;

/// Destroys an entity: DZ_ON_DESTROY listeners, then DZ_ON_REMOVE listeners of each of its
/// components, then the destruct hooks, both in the same order, which is the library's own. From then on its handle is
/// stale. A second call is DZ_ERR_DEAD and changes nothing. Its children are destroyed too, and theirs, and who goes
/// along by a pair (DZ_CLEANUP_DELETE).
///
/// Errors: an entity's handle; for a component's entity DZ_ERR_HELD if entities have it, else
/// DZ_ERR_IS_COMPONENT (use dz_component_unregister), DZ_ERR_BUILTIN; DZ_ERR_PAIR_HELD; DZ_ERR_IN_HOOK.
/// Writes. O(what it and who goes along have, and the pairs that aim at it or of which it is the relation, its instances,
/// and who has it as a tag), a refused call too, and for each of them a bit test for every component that one of its
/// neighbours has: those whose indices are in the same block of 64. Needs no memory.
pub extern fn dz_destroy(world: dz_world, entity: dz_entity) dz_status;

/// Destroys `n` entities. With `report` NULL, all or none: the first bad entry is the error. With `report`, an array of
/// `n` statuses, each entry is tried, its status written, and the call returns DZ_OK; entries are tried in their order,
/// and a duplicate is DZ_ERR_DEAD there (DZ_ERR_RETIRED, if that was its slot's last generation), as is one that went
/// along with an earlier one (a child with its parent). In which order they end, and thus which handles dz_create gives
/// out next, is not promised; the same calls come to the same on every machine. Without `report` the slots are used again
/// in the order of the array, but for those who end in an order of their own (see dz_listen), and unless it is a pool's own:
/// if that is the order of indices, a query finds who comes next as runs.
///
/// Errors: those of dz_destroy, DZ_ERR_DUPLICATE, DZ_ERR_NULL_POINTER, DZ_ERR_COUNT (more than can live). Writes. O(n). Needs no
/// memory.
///
/// `entities` holds `n` handles; `report` is NULL or has room for `n` statuses.
pub extern fn dz_destroy_n(world: dz_world, entities: [*c]const dz_entity, n: u32, report: [*c]dz_status) dz_status;

/// Whether the entity lives in this world. Components live too. Never an error: any bad handle is
/// just not alive, and where dz_world_is_alive is false nobody is. Reads. O(1).
pub extern fn dz_is_alive(world: dz_world, entity: dz_entity) bool;

/// Why an entity is not alive: DZ_OK if it is, else DZ_ERR_NULL_ENTITY, DZ_ERR_TOMBSTONE,
/// DZ_ERR_DEAD, DZ_ERR_NEVER_CREATED, DZ_ERR_WRONG_WORLD, DZ_ERR_RETIRED, DZ_ERR_ROLE, or the
/// world's own error. Also leaves the sentence for dz_error_message(). Reads. O(1).
pub extern fn dz_why(world: dz_world, entity: dz_entity) dz_status;

/// The generation that the slot `index` is at: of the entity that lives there, or, for a dead slot,
/// the one that its next entity will get. 0 if there is no such slot, or it is retired (DZ_ERR_RANGE,
/// DZ_ERR_RETIRED). Reads. O(1).
pub extern fn dz_generation(world: dz_world, index: u32) u32;

/// The index in a handle. A handle's layout can be read from its value, so no world is asked; of an id with a role
/// it can't, so ask for dz_without_role. Never an error; any thread. O(1).
pub extern fn dz_entity_index(entity: dz_entity) u32;

/// The generation in a handle. Never an error; any thread. O(1).
pub extern fn dz_entity_generation(entity: dz_entity) u32;

/// The number of the world in a handle; 0 for the 32-bit layout. Never an error; any thread. O(1).
pub extern fn dz_entity_world(entity: dz_entity) u32;

/// The living entities, components included, in the order of indices. Writes to `entities` the first
/// `capacity` of those with an index of `first` or more, to `count` how many were written, and to
/// `next` the `first` to go on with, or UINT32_MAX at the end. Changes between the calls are fine.
///
/// Returns DZ_NOTHING_TO_DO for a capacity of 0: `count` is 0 then, and `next` is `first`, or UINT32_MAX if there is
/// no slot from there on. Errors: a world's handle; DZ_ERR_NULL_POINTER. Reads. O(slots looked at).
///
/// `entities` has room for `capacity` handles, `count` and `next` for a number each.
pub extern fn dz_entities(world: dz_world, first: u32, entities: [*c]dz_entity, capacity: u32, count: [*c]u32, next: [*c]u32) dz_status;

/// The type of an entity: the ids of all that it has itself; what an instance has from its base isn't listed. Writes the
/// first `capacity` of them to `ids` (NULL if capacity is 0), and to `count` how many there are. Components come in the
/// order of their indices: that of registration, unless components were unregistered or outnumber the reserved range; then
/// DZ_CHILDOF(parent); then pairs and what else was added, DZ_INSTANCEOF(base) too, the latest first.
///
/// Errors: an entity's handle; DZ_ERR_NULL_POINTER. Reads. O(what it has), a look at neighbours as in dz_destroy, and
/// putting it in order.
///
/// `ids` has room for `capacity` ids, `count` for a number.
pub extern fn dz_type(world: dz_world, entity: dz_entity, ids: [*c]dz_id, capacity: u32, count: [*c]u32) dz_status;

/// An entity's handle from its parts: for saves, and tests. Never an error: parts that don't fit are
/// cut off, and nothing says that the entity lives. `world_number` 0 makes a handle of the 32-bit
/// layout, which has no world: pass 0 for such a world, not its own number. Any thread. O(1).
pub extern fn dz_entity_make(world_number: u32, index: u32, generation: u32) dz_entity;

/// Checks that a world's handle is good, and says what is wrong with it: DZ_OK, DZ_ERR_WORLD_NULL,
/// DZ_ERR_WORLD_DEAD, DZ_ERR_WORLD_UNKNOWN, DZ_ERR_WORLD_BROKEN, or DZ_ERR_IN_HOOK where dz_world_is_alive is false for one that
/// lives. Any thread. O(1).
pub extern fn dz_world_why(world: dz_world) dz_status;

/// Registers a component, or finds the one of the same name and shape (size, alignment, policy), so
/// that plugins and reloaded libraries agree; then hooks with a function among them replace the old ones,
/// which lets a reloaded library renew them; without any the old ones stay. The first registration in a world also makes the
/// built-in `Component`, whose name is not for others: with its shape (dz_component) it is found, and its hooks stay
/// what they are; any other is DZ_ERR_SHAPE. The id is good for the world's life or until dz_component_unregister.
///
/// Returns DZ_NULL on error: DZ_ERR_SHAPE (the message says both shapes), DZ_ERR_NAME,
/// DZ_ERR_NULL_POINTER, DZ_ERR_ALIGNMENT, DZ_ERR_RANGE (elements over 1 MiB), DZ_ERR_ENUM, descriptor errors, DZ_ERR_FULL,
/// DZ_ERR_EXHAUSTED, out of memory, DZ_ERR_IN_HOOK. Writes. O(components).
///
/// `desc` points to a descriptor whose first field is its size; its name ends with a zero.
pub extern fn dz_component_register(world: dz_world, desc: [*c]const dz_component_desc) dz_id;

/// Unregisters a component: takes it off all entities (DZ_ON_REMOVE listeners, destruct hooks), ends
/// its singleton, disconnects its listeners, frees its pool and destroys its entity; with it, as by dz_destroy, its
/// children and who goes along by a pair (DZ_CLEANUP_DELETE).
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_GROUPED (a group has it as a term), DZ_ERR_PAIR_HELD,
/// DZ_ERR_IN_HOOK. Writes. O(entities that have it, pairs that aim at it or of which it is the relation, and who goes along;
/// components, and queries). Needs no memory.
pub extern fn dz_component_unregister(world: dz_world, id: dz_id) dz_status;

/// The component of that name, or DZ_NULL if there is none (no error). Errors: DZ_ERR_NAME,
/// DZ_ERR_NULL_POINTER. Reads. O(log components).
///
/// `name` ends with a zero.
pub extern fn dz_component_find(world: dz_world, name: [*c]const u8) dz_id;

/// The built-in `Component`, whose value (dz_component) every component's entity has: read it with
/// dz_get(world, component, dz_component_id(world)). DZ_NULL before the first registration.
/// Reads. O(1).
pub extern fn dz_component_id(world: dz_world) dz_id;

/// Lists the components in the order of their pools' numbers. Writes the first `capacity` of them to
/// `ids` (NULL if capacity is 0), and to `count` how many there are.
///
/// Errors: a world's handle; DZ_ERR_NULL_POINTER. Reads. O(components).
///
/// `ids` has room for `capacity` ids, `count` for a number.
pub extern fn dz_components(world: dz_world, ids: [*c]dz_id, capacity: u32, count: [*c]u32) dz_status;

/// Writes what is known of a component: name, shape, policy, how many have it, bytes.
///
/// Errors: a component's handle, DZ_ERR_NULL_POINTER. Reads. O(pages of its pool).
///
/// `details` has room for one dz_component_details.
pub extern fn dz_component_info(world: dz_world, id: dz_id, details: [*c]dz_component_details) dz_status;

/// How many entities have the component themselves: what an instance has from its base isn't counted; disabled ones and
/// bases are. 0 on error: a component's handle. Reads. O(1).
pub extern fn dz_count(world: dz_world, id: dz_id) u32;

/// Takes a component off all entities: DZ_ON_REMOVE for each, from the pool's last element to its first, then
/// the destruct hooks. The pool's memory stays for reuse (see dz_shrink).
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_IN_HOOK. Writes. O(entities that have it).
/// Needs no memory.
pub extern fn dz_clear_pool(world: dz_world, id: dz_id) dz_status;

/// Closes the gaps of a DZ_POLICY_STABLE pool by moving elements from its end into them. The moved
/// elements change their addresses, this one time.
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_POLICY (a swap pool has no gaps), DZ_ERR_IN_HOOK. Writes.
/// O(gaps and elements behind them). Needs no memory.
pub extern fn dz_compact(world: dz_world, id: dz_id) dz_status;

/// The entity that an element belongs to: `element` is a pointer that a get call for that component returned (not one of
/// a pair or a singleton), or any element of a span. DZ_NULL on error: DZ_ERR_NOT_ELEMENT (no element of that pool begins
/// there), DZ_ERR_NULL_POINTER, DZ_ERR_TAG, a component's handle. The pointer is not followed. Reads. O(pages of the
/// pool).
pub extern fn dz_entity_of(world: dz_world, id: dz_id, element: ?*const anyopaque) dz_entity;

/// Sets the world-wide value of a component: one for the world, not an entity's, not seen by iteration, counts and
/// listeners, but by terms with DZ_WORLD_VALUE ("Gravity(world)"). `size` is the component's; the value is copied.
///
/// Errors: a component's handle, DZ_ERR_TAG, DZ_ERR_SIZE, DZ_ERR_NULL_POINTER, DZ_ERR_HOOK_FAILED,
/// DZ_ERR_BUILTIN, out of memory, DZ_ERR_IN_HOOK. Writes. O(1).
///
/// `value` points to `size` bytes.
pub extern fn dz_singleton_set(world: dz_world, id: dz_id, size: u32, value: ?*const anyopaque) dz_status;

/// The world-wide value of a component, or NULL if none is set (no error). Good until it is set
/// again or removed, the component unregistered, or the world cleared. Errors: a component's handle, DZ_ERR_TAG. Reads. O(1).
pub extern fn dz_singleton_get(world: dz_world, id: dz_id) ?*const anyopaque;

/// As dz_singleton_get, to write to. Writes. O(1).
pub extern fn dz_singleton_get_mut(world: dz_world, id: dz_id) ?*anyopaque;

/// Ends the world-wide value of a component. DZ_NOT_THERE if there is none. Errors:
/// a component's handle, DZ_ERR_BUILTIN, DZ_ERR_TAG, DZ_ERR_IN_HOOK. Writes. O(1). Needs no memory.
pub extern fn dz_singleton_remove(world: dz_world, id: dz_id) dz_status;

/// Adds a component or tag: zero-filled, or by its construct hook. Adding what is there changes
/// nothing and returns DZ_ALREADY_THERE. Listeners: DZ_ON_ADD. Pairs' ids, plain entities, DZ_CHILDOF(parent),
/// DZ_INSTANCEOF(base) and DZ_ROLE(n, entity) can be added too: see dz_pair, dz_set_parent and dz_instantiate.
/// An instance gets a component of its own, zero-filled too, that hides its base's (dz_override copies the base's value).
///
/// Errors: an entity's handle, DZ_ERR_IS_COMPONENT (the entity is a component), a component's handle, DZ_ERR_BUILTIN,
/// DZ_ERR_HOOK_FAILED, out of memory, DZ_ERR_COUNT (some 8,192 kinds of components among 64 neighbouring entities),
/// DZ_ERR_IN_HOOK; of such ids DZ_ERR_NO_PAIR, and those of dz_add_pair and dz_set_parent. Writes. O(1) amortised; of a pair or
/// DZ_CHILDOF as these two, of DZ_INSTANCEOF O(the bases above, and what is below the base).
pub extern fn dz_add(world: dz_world, entity: dz_entity, id: dz_id) dz_status;

/// Removes a component or tag. Removing what isn't there changes nothing and returns DZ_NOT_THERE: so it does for what
/// an instance has from its base only. An instance that loses its own has its base's again.
/// Listeners: DZ_ON_REMOVE, before. Hooks: destruct, and relocate for the element that fills the gap.
///
/// Errors: those of dz_add but for memory, which it doesn't need: only DZ_CHILDOF(parent) of somebody with children may.
/// Writes. O(1).
pub extern fn dz_remove(world: dz_world, entity: dz_entity, id: dz_id) dz_status;

/// Sets a component's value, adding it if it isn't there. `size` must be the component's; the value is copied; it may be
/// another entity's element, or this one's own, e.g. to tell listeners of what was written to it: then it stays where it
/// is, but for what a copy hook does. Listeners: DZ_ON_ADD if it was added, then DZ_ON_SET. May be called from a listener
/// if the component is there; but not for the same one from DZ_ON_SET, which would be called for ever (see dz_listen).
///
/// Errors: those of dz_add, DZ_ERR_SIZE, DZ_ERR_TAG, DZ_ERR_NULL_POINTER. Writes. O(1) amortised.
///
/// `value` points to `size` bytes, which are the value of a component of that size.
pub extern fn dz_set(world: dz_world, entity: dz_entity, id: dz_id, size: u32, value: ?*const anyopaque) dz_status;

/// A component's value, to read; of an instance that has none of its own, its base's. NULL if the entity doesn't have it,
/// which is an answer and leaves no error.
///
/// The pointer is good until the element may move: until the component is added to or removed from any entity (creating
/// and destroying counts), or its pool is put in order (dz_sort and its kin, dz_optimize, dz_query_refresh where an order
/// is kept). If a group owns the pool, also until such a group is made or sorted, any component of the group is added or
/// removed, or an entity or such a component is disabled, enabled, made a base or none. With DZ_POLICY_STABLE it is good
/// until the component is removed from its entity, or dz_compact is called.
///
/// Errors (NULL too): an entity's handle, a component's handle, DZ_ERR_NO_PAIR, DZ_ERR_TAG (a tag has no data: use
/// dz_has). Reads. O(1), and O(bases) for an instance that has none of its own.
pub extern fn dz_get(world: dz_world, entity: dz_entity, id: dz_id) ?*const anyopaque;

/// As dz_get, to write to. Tells no listener; use dz_set where they must know. Errors: those of
/// dz_get, DZ_ERR_BUILTIN, DZ_ERR_INHERITED (it is the base's). Writes. O(1).
pub extern fn dz_get_mut(world: dz_world, entity: dz_entity, id: dz_id) ?*anyopaque;

/// Whether the entity has a component or tag, itself or from its base; or a pair, or another id that can be added.
/// false on error: an entity's handle, a component's handle, DZ_ERR_NO_PAIR, DZ_ERR_DEEP. Reads. O(1), and as dz_get
/// for an instance, as dz_has_pair for a pair.
pub extern fn dz_has(world: dz_world, entity: dz_entity, id: dz_id) bool;

/// As dz_get_mut, but adds the component first if it isn't there: as dz_add, or as dz_override (a copy of the base's
/// value) if an instance has it from its base. NULL on error only.
/// Errors: those of dz_add, DZ_ERR_TAG. Writes. O(1) amortised, and O(bases) for an instance.
pub extern fn dz_get_or_add(world: dz_world, entity: dz_entity, id: dz_id) ?*anyopaque;

/// Disables an entity, or enables it again: queries, groups and iterations of pools pass over a disabled one, with
/// all its components, also those that it gets later. dz_get, dz_has, dz_set and all else see it as ever, and a
/// component that it lacks is told as lacking. A new entity is enabled, a clone too.
///
/// Only it is passed over, not who refers to it. Its children are seen as ever, and so is who has a pair with it as
/// target; a term that reads its components for another entity ("Position(parent)", "Position($x)") still finds them.
/// Such a term goes by the single component: what dz_set_component_enabled disables, it doesn't find.
///
/// Groups keep disabled members behind the enabled ones. Iterations under way of the pools that it is in end with
/// DZ_ERR_CHANGED (those of queries go on, but for those that follow its order). In a world where something was ever
/// disabled, some calls take a longer way; others pay nothing for it.
///
/// Returns DZ_NOTHING_TO_DO if it is so already. Errors: an entity's handle, DZ_ERR_IS_COMPONENT, out of memory,
/// DZ_ERR_IN_HOOK. Writes. O(components of the entity), and what leaving and joining groups costs.
pub extern fn dz_set_enabled(world: dz_world, entity: dz_entity, enabled: bool) dz_status;

/// Whether an entity is enabled. false on error: an entity's handle. Reads. O(1).
pub extern fn dz_is_enabled(world: dz_world, entity: dz_entity) bool;

/// Disables one component of an entity, or enables it again: for queries and groups the entity is then as one that
/// doesn't have it (a without-term matches), and iterations of the pool pass over it. So it is for terms that read it for
/// others, of a parent or a base: "Position(up)" goes on to the next above. dz_get, dz_has and all else see it as
/// ever. Removing the component, or destroying the entity, forgets that it was disabled. Iterations under way end as in
/// dz_set_enabled: of the component's pool.
///
/// Returns DZ_NOTHING_TO_DO if it is so already. Errors: an entity's handle, DZ_ERR_IS_COMPONENT,
/// a component's handle (only components are disabled), DZ_ERR_BUILTIN, DZ_ERR_NOT_HELD (the entity doesn't have it
/// itself), out of memory, DZ_ERR_IN_HOOK. Writes. O(1), and what leaving and joining groups costs.
pub extern fn dz_set_component_enabled(world: dz_world, entity: dz_entity, id: dz_id, enabled: bool) dz_status;

/// Whether queries see a component of an entity among its own: it has it itself, neither is disabled, and it is no base.
/// So it is false for what an instance has from its base, and for bases, though queries for bases see them; and terms that
/// read a component for others don't ask whether its entity is disabled (see dz_set_enabled). false on error: an entity's
/// handle, a component's handle. Reads. O(1).
pub extern fn dz_is_component_enabled(world: dz_world, entity: dz_entity, id: dz_id) bool;

/// Makes an accessor for code that looks many single entities up: dz_accessor_get and its kin do what dz_get and
/// its kin do, faster. (For an array of entities dz_get_n is faster still.)
///
/// Errors: a component's handle, DZ_ERR_NULL_POINTER; all is zero then. Reads. O(1).
///
/// `accessor` has room for one dz_accessor.
pub extern fn dz_accessor_init(world: dz_world, id: dz_id, accessor: [*c]dz_accessor) dz_status;

/// As dz_get, of the accessor's component; and DZ_ERR_NULL_POINTER.
///
/// `accessor` was written by dz_accessor_init.
pub extern fn dz_accessor_get(accessor: [*c]const dz_accessor, entity: dz_entity) ?*const anyopaque;

/// As dz_get_mut, of the accessor's component; and DZ_ERR_NULL_POINTER.
///
/// `accessor` was written by dz_accessor_init.
pub extern fn dz_accessor_get_mut(accessor: [*c]const dz_accessor, entity: dz_entity) ?*anyopaque;

/// As dz_has, of the accessor's component; and DZ_ERR_NULL_POINTER.
///
/// `accessor` was written by dz_accessor_init.
pub extern fn dz_accessor_has(accessor: [*c]const dz_accessor, entity: dz_entity) bool;

/// dz_add for `n` entities, all or none. Those that have it already are left as they are;
/// DZ_ALREADY_THERE if all of them do. Errors: those of dz_add, DZ_ERR_DUPLICATE,
/// DZ_ERR_NULL_POINTER, DZ_ERR_COUNT. Writes. O(n): a quarter of what n calls take for entities that were created
/// together and are named in that order, if the component has no hooks, no group has it as a term and nobody is told of it.
/// Beside a group half to three quarters.
///
/// `entities` holds `n` handles.
pub extern fn dz_add_n(world: dz_world, entities: [*c]const dz_entity, n: u32, id: dz_id) dz_status;

/// dz_remove for `n` entities, all or none. DZ_NOT_THERE if none of them has it. Errors: those of
/// dz_remove, DZ_ERR_DUPLICATE, DZ_ERR_NULL_POINTER. Writes. O(n). Needs no memory.
///
/// `entities` holds `n` handles.
pub extern fn dz_remove_n(world: dz_world, entities: [*c]const dz_entity, n: u32, id: dz_id) dz_status;

/// dz_set for `n` entities, all or none: `values` holds `n` values of `size` bytes, one for each.
/// Errors: those of dz_set, DZ_ERR_DUPLICATE, DZ_ERR_COUNT. Writes. O(n), as dz_add_n.
///
/// `entities` holds `n` handles, and `values` n values. They don't lie in the component's own pool, where those that come
/// later might have been set before they are read.
pub extern fn dz_set_n(world: dz_world, entities: [*c]const dz_entity, n: u32, id: dz_id, size: u32, values: ?*const anyopaque) dz_status;

/// dz_get for `n` entities in any order, duplicates welcome: writes a pointer, or NULL where the
/// entity doesn't have it, to each of `pointers`. Only what entities have themselves is found: NULL for what an
/// instance has from its base. On error all `n` of them are NULL. Errors: an entity's handle, a component's handle,
/// DZ_ERR_TAG, DZ_ERR_NULL_POINTER. Reads. O(n), several times as fast as n calls of dz_get.
///
/// `entities` holds `n` handles; `pointers` has room for `n`.
pub extern fn dz_get_n(world: dz_world, entities: [*c]const dz_entity, n: u32, id: dz_id, pointers: [*c]?*const anyopaque) dz_status;

/// As dz_get_n, to write to; NULL, and no error, for what an instance has from its base. Errors: those of dz_get_n,
/// DZ_ERR_BUILTIN. Writes. O(n).
///
/// `entities` holds `n` handles; `pointers` has room for `n`.
pub extern fn dz_get_mut_n(world: dz_world, entities: [*c]const dz_entity, n: u32, id: dz_id, pointers: [*c]?*anyopaque) dz_status;

/// dz_has for `n` entities, duplicates welcome: writes 1 or 0 to each of `answers`: 0 for what an instance has from
/// its base. On error all of them are 0. Errors: an entity's handle, a component's handle, DZ_ERR_NULL_POINTER. Reads.
/// O(n).
///
/// `entities` holds `n` handles; `answers` has room for `n` bytes.
pub extern fn dz_has_n(world: dz_world, entities: [*c]const dz_entity, n: u32, id: dz_id, answers: [*c]u8) dz_status;

/// dz_get_or_add for `n` entities, all or none; but what is added is as by dz_add_n, also where an instance has it from
/// its base: zeros, no copy. On error all `n` pointers are NULL. Errors: those of dz_get_or_add, DZ_ERR_DUPLICATE,
/// DZ_ERR_COUNT, DZ_ERR_NULL_POINTER. Writes. O(n).
///
/// `entities` holds `n` handles; `pointers` has room for `n`.
pub extern fn dz_get_or_add_n(world: dz_world, entities: [*c]const dz_entity, n: u32, id: dz_id, pointers: [*c]?*anyopaque) dz_status;

/// The id of the pair (relation, target), which can be added to entities like a component: any number of
/// one relation, one for each target. Relation and target are any living entities, components included. A pair's values
/// have the type of the relation if it is a component with data, else that of the target if it is one, else it
/// is a tag.
///
/// The id has 8 bits of role, 24 of the relation's index, and 32 of the target (its index; in the 32-bit layout its handle), so
/// the relation's index must be below 2^24. It has no room for generations: it is good until relation or target
/// is destroyed, and an error then (DZ_ERR_NO_PAIR), until somebody makes the pair for who has the index next. Nor does it
/// say which world it is of: in another one it is none, or the pair of those who have these indices there.
/// dz_add_pair and its like take both handles, and are checked like any other call. What the library keeps of a pair that
/// was made stays until then, whether or not anybody has it.
///
/// dz_add, dz_remove, dz_set, dz_get, dz_get_mut, dz_get_or_add and dz_has take such an id; so they do any living
/// entity that is no component, as a tag, and DZ_ROLE(n, entity) with a role of yours. Listeners are told of
/// none of these. Values of pairs stay where they are until they are removed. Arrays (..._n), columns, groups and
/// singletons are for components only.
///
/// DZ_NULL on error: the handles' errors, DZ_ERR_RANGE (the relation's index), out of memory, DZ_ERR_IN_HOOK (the
/// pair is new). Writes. O(1) amortised. Source: S. Mertens, "Doing a lot with a little: ECS identifiers".
pub extern fn dz_pair(world: dz_world, relation: dz_entity, target: dz_entity) dz_id;

/// Writes the relation and the target of a pair's id. Errors: DZ_ERR_NO_PAIR, DZ_ERR_NULL_POINTER. Reads. O(1).
///
/// `parts` has room for one dz_pair_parts.
pub extern fn dz_pair_halves(world: dz_world, pair: dz_id, parts: [*c]dz_pair_parts) dz_status;

/// Adds (relation, target) to an entity, and what the relation's traits bring. Adding what is there changes
/// nothing and returns DZ_ALREADY_THERE. A value is constructed, or zeros.
///
/// Errors: the handles' errors, DZ_ERR_IS_COMPONENT (the entity, or the target of a symmetric relation, is a
/// component), DZ_ERR_RANGE, DZ_ERR_CYCLE, DZ_ERR_HOOK_FAILED, out of memory, DZ_ERR_IN_HOOK. Writes. O(1)
/// amortised; with an acyclic relation O(links from the target), with an exclusive one O(links of the entity).
pub extern fn dz_add_pair(world: dz_world, entity: dz_entity, relation: dz_entity, target: dz_entity) dz_status;

/// Sets the value of (relation, target), adding the pair if it isn't there. Errors: those of dz_add_pair, DZ_ERR_SIZE,
/// DZ_ERR_TAG, DZ_ERR_NULL_POINTER. Writes. Costs as dz_add_pair.
///
/// `value` points to `size` bytes, which are the value of a component of that size.
pub extern fn dz_set_pair(world: dz_world, entity: dz_entity, relation: dz_entity, target: dz_entity, size: u32, value: ?*const anyopaque) dz_status;

/// Removes (relation, target) from an entity. Removing what isn't there changes nothing and returns DZ_NOT_THERE.
///
/// Errors: the handles' errors, DZ_ERR_IS_COMPONENT, DZ_ERR_RANGE, DZ_ERR_IN_HOOK. Writes. O(1). Needs no memory.
pub extern fn dz_remove_pair(world: dz_world, entity: dz_entity, relation: dz_entity, target: dz_entity) dz_status;

/// The value of (relation, target), to read. NULL if the entity doesn't have it, which is an answer and leaves no
/// error. The pointer is good until the pair is removed from the entity.
///
/// Errors (NULL too): the handles' errors, DZ_ERR_RANGE, DZ_ERR_TAG (such a pair has no data). Reads. O(1).
pub extern fn dz_get_pair(world: dz_world, entity: dz_entity, relation: dz_entity, target: dz_entity) ?*const anyopaque;

/// As dz_get_pair, to write to. Writes. O(1).
pub extern fn dz_get_pair_mut(world: dz_world, entity: dz_entity, relation: dz_entity, target: dz_entity) ?*anyopaque;

/// Whether an entity has (relation, target): by itself, or because the relation is reflexive or transitive.
/// false on error: the handles' errors, DZ_ERR_RANGE, DZ_ERR_DEEP. Reads. O(1); transitive: O(ways).
pub extern fn dz_has_pair(world: dz_world, entity: dz_entity, relation: dz_entity, target: dz_entity) bool;

/// Lists the targets that an entity has by a relation, the latest first: writes the first `capacity` of them to
/// `targets` (NULL if capacity is 0), and to `count` how many there are.
///
/// Errors: the handles' errors, DZ_ERR_NULL_POINTER. Reads. O(pairs of the entity).
///
/// `targets` has room for `capacity` entities, `count` for a number.
pub extern fn dz_pair_targets(world: dz_world, entity: dz_entity, relation: dz_entity, targets: [*c]dz_entity, capacity: u32, count: [*c]u32) dz_status;

/// Lists who has an id that is no component's: a pair's, an entity's, one with a role, DZ_CHILDOF(parent). Writes the first
/// `capacity` of them to `holders` (NULL if capacity is 0), and to `count` how many there are.
///
/// Errors: DZ_ERR_NO_PAIR, an entity's handle, DZ_ERR_IS_COMPONENT, DZ_ERR_NULL_POINTER. Reads. O(what is
/// written), and the places that holders left before these; O(1) if capacity is 0.
///
/// `holders` has room for `capacity` entities, `count` for a number.
pub extern fn dz_pair_holders(world: dz_world, id: dz_id, holders: [*c]dz_entity, capacity: u32, count: [*c]u32) dz_status;

/// Says what a relation promises of its pairs, while nobody has any; what they bring (`with`) may be changed while somebody
/// does, for those that are made from then on. Any entity can be a relation. A relation that is another's `with` can't get a
/// `with` itself (DZ_ERR_TRAITS): make a chain from its end. When the relation dies that `with` names, `with` is DZ_NULL.
///
/// Errors: an entity's handle (the relation, or `with`), DZ_ERR_NULL_POINTER, descriptor errors, DZ_ERR_ENUM,
/// DZ_ERR_RANGE (a flag, an index of 2^24 or more), DZ_ERR_TRAITS (they don't go together, or there are pairs, and not only
/// `with` is another; the message says which), out of memory, DZ_ERR_IN_HOOK. Writes. O(relations, and pairs of it that were
/// ever made).
///
/// `desc` points to a descriptor whose first field is its size.
pub extern fn dz_relation_set(world: dz_world, relation: dz_entity, desc: [*c]const dz_relation_desc) dz_status;

/// Writes what a relation promises of its pairs, as dz_relation_set takes it, its size included; nothing is promised by an
/// entity that was never given traits.
///
/// Errors: an entity's handle, DZ_ERR_NULL_POINTER. Reads. O(1).
///
/// `desc` has room for one dz_relation_desc.
pub extern fn dz_relation_info(world: dz_world, relation: dz_entity, desc: [*c]dz_relation_desc) dz_status;

/// Makes an entity the last child of another, or (DZ_NULL) a root; what is below it comes along. Any entity can be a
/// parent. When it is destroyed, so are its children, and theirs. dz_add with DZ_CHILDOF(parent) does the same,
/// but leaves a child of that parent at its place; dz_remove makes a root, dz_has asks, and dz_type tells.
///
/// Errors: the handles' errors, DZ_ERR_IS_COMPONENT (the child), DZ_ERR_CYCLE (the parent is the child, or below
/// it), DZ_ERR_NAME_TAKEN (a child of the parent has the child's name), out of memory, DZ_ERR_IN_HOOK. Writes. O(1)
/// for a child with nothing below it; else O(depth), and O(what is below) if it comes to another depth.
pub extern fn dz_set_parent(world: dz_world, child: dz_entity, parent: dz_entity) dz_status;

/// Puts a child at another place among its siblings. `place` is a dz_place; `sibling` is another child of the same
/// parent for DZ_PLACE_BEFORE and DZ_PLACE_AFTER, else DZ_NULL.
///
/// Errors: the handles' errors, DZ_ERR_IS_COMPONENT, DZ_ERR_ENUM, DZ_ERR_NO_PARENT, DZ_ERR_SIBLING, DZ_ERR_RANGE (a
/// sibling where none is meant), DZ_ERR_IN_HOOK. Writes. O(depth), however many siblings there are.
pub extern fn dz_move_child(world: dz_world, child: dz_entity, place: i32, sibling: dz_entity) dz_status;

/// The parent of an entity; DZ_NULL if it has none, which leaves no error. Errors (DZ_NULL too): an entity's handle.
/// Reads. O(1).
pub extern fn dz_parent(world: dz_world, entity: dz_entity) dz_entity;

/// The first child of an entity; DZ_NULL if it has none. Errors as dz_parent. Reads. O(1).
pub extern fn dz_first_child(world: dz_world, entity: dz_entity) dz_entity;

/// The last child of an entity; DZ_NULL if it has none. Errors as dz_parent. Reads. O(1).
pub extern fn dz_last_child(world: dz_world, entity: dz_entity) dz_entity;

/// The next child of the same parent; DZ_NULL behind the last. Errors as dz_parent. Reads. O(1).
pub extern fn dz_next_sibling(world: dz_world, entity: dz_entity) dz_entity;

/// The previous child of the same parent; DZ_NULL before the first. Errors as dz_parent. Reads. O(1).
pub extern fn dz_previous_sibling(world: dz_world, entity: dz_entity) dz_entity;

/// How many children an entity has. 0 on error: an entity's handle. Reads. O(1).
pub extern fn dz_child_count(world: dz_world, entity: dz_entity) u32;

/// How many entities are above one: 0 for a root. 0 on error: an entity's handle. Reads. O(1).
pub extern fn dz_depth(world: dz_world, entity: dz_entity) u32;

/// Writes those above an entity, its parent first, the first `capacity` of them; returns how many there are.
/// 0 on error: an entity's handle, DZ_ERR_NULL_POINTER. Reads. O(depth).
///
/// `ancestors` has room for `capacity` entities, or is NULL if that is 0.
pub extern fn dz_ancestors(world: dz_world, entity: dz_entity, ancestors: [*c]dz_entity, capacity: u32) u32;

/// Writes children of an entity in order, `capacity` at most: those behind `after`, or (DZ_NULL) from the first.
/// Returns how many were written, 0 behind the last:
///
///     dz_entity batch[256];
///     uint32_t n;
///     for (dz_entity after = DZ_NULL; (n = dz_children(world, parent, after, batch, 256)); after = batch[n - 1])
///         for (uint32_t i = 0; i < n; i++) visit(batch[i]);
///
/// 0 on error: the handles' errors, DZ_ERR_SIBLING (`after` is no child of it), DZ_ERR_NULL_POINTER. Reads. O(1)
/// for each.
///
/// `children` has room for `capacity` entities, or is NULL if that is 0.
pub extern fn dz_children(world: dz_world, parent: dz_entity, after: dz_entity, children: [*c]dz_entity, capacity: u32) u32;

/// Writes the entities of a subtree, its root included, `capacity` at most: those behind `after` in that order (a
/// dz_tree_order), or (DZ_NULL) from the beginning. Returns how many were written, 0 behind the last: as dz_children.
///
/// 0 on error: the handles' errors, DZ_ERR_ENUM, DZ_ERR_SIBLING (`after` is not in the subtree),
/// DZ_ERR_NULL_POINTER. Reads. O(1) for each, amortised, and O(depth) once.
///
/// `entities` has room for `capacity` entities, or is NULL if that is 0.
pub extern fn dz_subtree(world: dz_world, root: dz_entity, order: i32, after: dz_entity, entities: [*c]dz_entity, capacity: u32) u32;

/// Names an entity; NULL takes its name off. Names are UTF-8 of 1 to 255 bytes, and no two children of one parent, nor two
/// entities without a parent, have the same. The text is copied. A name
/// may have a dot or whatever separates names in a path: then dz_lookup finds it with another separator only.
///
/// Returns DZ_NOT_THERE if there was no name to take off. Errors: an entity's handle, DZ_ERR_IS_COMPONENT (its
/// name is that of its registration), DZ_ERR_NAME, DZ_ERR_NAME_TAKEN, out of memory, DZ_ERR_IN_HOOK. Writes. O(1)
/// amortised.
///
/// `name` ends with a zero, or is NULL.
pub extern fn dz_set_name(world: dz_world, entity: dz_entity, name: [*c]const u8) dz_status;

/// The name of an entity, or of a component; NULL if it has none, which leaves no error. It is the library's, and good
/// until the name changes or the entity is destroyed. Errors (NULL too): an entity's handle. Reads. O(1).
pub extern fn dz_name(world: dz_world, entity: dz_entity) [*c]const u8;

/// The entity at the end of a path of names, e.g. "sol.earth.moon", from `from` (whose own name is not part of it), or
/// (DZ_NULL) from the entities without a parent. DZ_NULL if there is none, which leaves no error. `separator` stands
/// between the names; NULL: ".". Components are found by dz_component_find.
///
/// Errors (DZ_NULL too): an entity's handle, DZ_ERR_NULL_POINTER, DZ_ERR_NAME (an empty separator or path). Reads.
/// O(length of the path).
///
/// `path` and `separator` end with a zero.
pub extern fn dz_lookup(world: dz_world, from: dz_entity, path: [*c]const u8, separator: [*c]const u8) dz_entity;

/// Writes the path of an entity to `text`, at most `capacity` bytes with the ending zero, and returns its length
/// without it. From the root, or from `from`, which is above it and not part of the path; from the entity itself it is
/// "", and its length 0. Who has no name is written as dz_entity_text writes it; so is a component, whose name is not
/// one of the hierarchy. `separator` as in dz_lookup.
///
/// 0 on error, and nothing is written: the handles' errors, DZ_ERR_SIBLING (it is neither `from` nor below it),
/// DZ_ERR_NULL_POINTER, DZ_ERR_NAME (an empty separator). Reads. O(depth + length).
///
/// `separator` ends with a zero or is NULL; `path` has room for `capacity` bytes, or is NULL if that is 0.
pub extern fn dz_path(world: dz_world, entity: dz_entity, from: dz_entity, separator: [*c]const u8, path: [*c]u8, capacity: u32) u32;

/// Writes what a handle means, in a line for a log or a debugger: its print form, whether it lives, and if so what the
/// entity has, and its path if it has a name or a parent:
///
///     E:1-256[1] alive {Position, Velocity, (Likes, bob)} "sol.earth"
///     E:1-256[1] dead: its slot is now at generation 2
///
/// Takes any id: a component's, a pair's, one with a role. With {0} as world it is the world that the handle names; for a
/// handle that names none (of the 32-bit layout, or a pair's) the only one that lives, if there is only one. Else it is
/// the print form alone; inside of a component's hook with why there is no more. It reads that world like any call that
/// reads: where other threads write to worlds of theirs, or end them, say which world.
///
/// Writes at most `capacity` bytes, the ending zero included, and returns the length of the whole text without it, like
/// snprintf. `text` may be NULL if capacity is 0. Takes no lock and leaves the thread's last error alone. Errors: only
/// DZ_ERR_NULL_POINTER (returns 0). Reads. O(what the entity has + its depth).
///
/// `text` has room for `capacity` bytes.
pub extern fn dz_describe(world: dz_world, id: dz_id, text: [*c]u8, capacity: u32) u32;

/// Makes an entity that is an instance of a base: it has the base's components, to read, until it gets its own by
/// dz_set, dz_add or dz_override. It has neither parent nor name. Of each entity below the base an instance is made too,
/// as its child in the same place, with the same name. All are enabled.
///
/// Pairs are copied, and so are plain entities and ids with a role of yours that were added: those that aim into the
/// base's tree aim at the new entities; a pair of a relation that is symmetric and exclusive isn't, if it leads out of
/// the tree. They are in the order of the base's, behind the one that says whose instance it is. Components that the base
/// gets later its instances have too; other ids, pairs and children they don't.
///
/// dz_add(world, entity, DZ_INSTANCEOF(base)) makes an entity that is there the instance of a base (another takes its
/// place: there is one at most), without anything below it; dz_remove ends that, dz_has asks, dz_type tells. dz_get and
/// dz_has see what an instance has from its base, dz_source says whose it is; dz_get_mut refuses it with
/// DZ_ERR_INHERITED, dz_get_or_add overrides it. Accessors do as these. The forms for many, dz_type, dz_count, groups,
/// listeners and terms of queries see what an entity has itself, but for terms with DZ_INHERIT ("Position(inherit)").
/// Whoever has no base pays nothing. When a base dies, its instances lose what they have from it.
///
/// Each instance makes its base, and all below that, bases: see dz_set_base.
///
/// DZ_NULL on error: an entity's handle, DZ_ERR_IS_COMPONENT, DZ_ERR_HOOK_FAILED, out of memory, DZ_ERR_FULL,
/// DZ_ERR_EXHAUSTED, DZ_ERR_IN_HOOK. Writes. O(the base, all below it, and their pairs). Listeners: DZ_ON_CREATE, for each.
pub extern fn dz_instantiate(world: dz_world, base: dz_entity) dz_entity;

/// Gives an instance a component of its own, with a copy of the value that it has from its base. DZ_ALREADY_THERE if
/// it has one. Listeners: DZ_ON_ADD, and DZ_ON_SET unless it is a tag.
///
/// Errors: those of dz_add, DZ_ERR_NOT_HELD (no base has it either). Writes. O(1) amortised, and O(bases).
pub extern fn dz_override(world: dz_world, entity: dz_entity, id: dz_id) dz_status;

/// Whose component it is that an entity has: its own handle, that of the base it has it from, or DZ_NULL if it hasn't
/// got it, which leaves no error. Errors (DZ_NULL too): an entity's handle, a component's handle. Reads.
/// O(bases).
pub extern fn dz_source(world: dz_world, entity: dz_entity, id: dz_id) dz_entity;

/// The base of an entity, or DZ_NULL, which leaves no error. Errors (DZ_NULL too): an entity's handle. Reads. O(1).
pub extern fn dz_base(world: dz_world, entity: dz_entity) dz_entity;

/// Makes an entity and all below it bases, or not any longer. Queries, groups and iterations of pools pass over bases,
/// as over disabled entities (see dz_set_enabled), but for queries that ask for them: dz_query_desc.bases, "[bases]".
/// An entity that comes below a base later is none until it is made one. Iterations under way end as in dz_set_enabled, also
/// where dz_instantiate makes its base one.
///
/// Returns DZ_NOTHING_TO_DO if it is so already. Errors: an entity's handle, DZ_ERR_IS_COMPONENT, out of memory,
/// DZ_ERR_IN_HOOK. Writes. O(entities below it, and their components).
pub extern fn dz_set_base(world: dz_world, entity: dz_entity, is_base: bool) dz_status;

/// Whether an entity is a base. false on error: an entity's handle. Reads. O(1).
pub extern fn dz_is_base(world: dz_world, entity: dz_entity) bool;

/// Connects a listener. `kind` is a dz_event_kind; `id` is the component for DZ_ON_ADD, DZ_ON_SET and
/// DZ_ON_REMOVE, and DZ_NULL for DZ_ON_CREATE and DZ_ON_DESTROY. Any number may listen to the same;
/// they are called in the order of connection, once for each entity, on the calling thread.
///
/// When an entity is destroyed: its DZ_ON_DESTROY listeners, then DZ_ON_REMOVE for each component, in an order of the
/// library's own, then the destruct hooks in that order. Of many at once (dz_destroy_n without a report, dz_remove_n):
/// the listeners of all of them, in the order of the array, then the hooks, in an order of the library's own. But where any
/// of them has a name, a parent, children, pairs, or is part of one (had one once, is disabled, or has a component that few
/// have: then the library may have to look), dz_destroy_n ends the others first, one after the other, from the array's end,
/// and then those who do, and who goes along, in an order of its own; with a report it ends one after the other in any case.
/// Clearing a pool: DZ_ON_REMOVE for each entity, from the last element to the first, then the destruct hooks, from the
/// first to the last.
/// Clearing or ending a world: as if each entity were destroyed, in the order of indices, with its children; who else would
/// go along with one (DZ_CLEANUP_DELETE) comes when its own turn does. Components' own entities are not told of.
///
/// A tag is never set: of it nobody hears by DZ_ON_SET. A listener of DZ_ON_SET that sets the same component (dz_set) is
/// called again for that, within itself, and so on until the stack ends: let it write through dz_event.data instead.
///
/// Changes that somebody listens to take some 40 ns longer; others do not, but that every entity's end does while there is
/// a listener of DZ_ON_REMOVE, of whichever component.
///
/// Returns {0} on error: DZ_ERR_NULL_POINTER (listener), DZ_ERR_ENUM, a component's handle,
/// DZ_ERR_RANGE (an id where none is meant), out of memory, DZ_ERR_IN_HOOK. Writes. O(1).
///
/// `listener` may be called with `user` until it is disconnected or the world ends.
pub extern fn dz_listen(world: dz_world, kind: i32, id: dz_id, listener: dz_listener_fn, user: ?*anyopaque) dz_listener;

/// Disconnects a listener. Errors: DZ_ERR_LISTENER (not connected, or no longer), DZ_ERR_IN_HOOK.
/// Writes. O(listeners). Needs no memory.
pub extern fn dz_unlisten(world: dz_world, listener: dz_listener) dz_status;

/// Starts an iteration of the entities that have one component, span by span:
///
///     dz_iter it;
///     for (dz_iterate_pool(world, position, DZ_BACKWARD, &it); dz_next(&it);) {
///         Position *p = it.data;
///         for (uint32_t i = 0; i < it.count; i++) p[i].x += 1;         // changes values only
///     }
///     for (dz_iterate_pool(world, position, DZ_BACKWARD, &it); dz_next(&it);) {
///         DZ_EACH(it, i) dz_destroy(world, dz_iter_entity(&it, i));    // changes what it iterates
///     }
///
/// `direction` is a dz_direction. The plain loop is for bodies that neither add this component to anybody nor take it off
/// anybody, nor enable or disable anybody or make a base (if a group owns the pool: any component of the group); DZ_EACH
/// is for all others. What an iteration sees (docs/iterating.md has the table): backward, each entity that had the
/// component at the start and still has it when its turn comes is seen exactly once, and what is added meanwhile isn't
/// seen. Where that can't be kept, the iteration ends with DZ_ERR_CHANGED: one around another iteration of the same pool
/// that changed it too, one whose body both adds elements and lets more than 16 move, and any if somebody in the pool is
/// disabled, enabled or made a base, or the pool is put into another order, or shrunk. Nothing is ever seen twice or
/// stale.
///
/// Errors, also in it.status: a component's handle, DZ_ERR_ENUM, DZ_ERR_NULL_POINTER, a world's
/// handle. After an error dz_next returns false. Reads; many threads may iterate at once. An iteration
/// that goes on after its pool was changed writes. O(1).
///
/// `iter` has room for one dz_iter.
pub extern fn dz_iterate_pool(world: dz_world, id: dz_id, direction: i32, iter: [*c]dz_iter) dz_status;

/// Goes to the next span or batch: fills `iter`, or returns false at the end, or on an error, which is then in
/// iter->status: the world, the component, the query or the group is gone, DZ_ERR_CHANGED, DZ_ERR_ITER (it was never
/// started), or DZ_ERR_DEEP: a transitive relation that a term asks for leads too far from an entity, and who wasn't
/// handed out yet isn't. DZ_ERR_NULL_POINTER is the thread's last error alone. Reads; writes if it goes backward
/// through a pool that has changed since the iteration began. For a pool O(1), O(span) where there are gaps, somebody is
/// disabled or a base, or something changed; for a query O(batch) and what is passed over.
///
/// `iter` was started by one of the dz_iterate functions.
pub extern fn dz_next(iter: [*c]dz_iter) bool;

/// The target of the pair by which a match of a query was found: of element i of the batch, by a term that asks for a
/// pair. Of a term with a fixed target that one, of an optional one for any the latest; DZ_NULL if it is not there, or the
/// term asks for none, or that there be none. Of an optional term for a plain entity, DZ_CHILDOF and its like, or DZ_ROLE,
/// that entity if it is there.
/// Ask before the loop's body ends the target: the batch knows its slot alone, whose owner this is.
///
/// Errors (DZ_NULL too): DZ_ERR_NULL_POINTER, DZ_ERR_ITER (not one of a query), DZ_ERR_RANGE (`term`, `i`),
/// DZ_ERR_QUERY (it was destroyed), a world's handle. Reads. O(1).
///
/// `iter` was started by dz_iterate or dz_iterate_runs.
pub extern fn dz_iter_target(iter: [*c]const dz_iter, term: u32, i: u32) dz_entity;

/// Starts an iteration over again, from the beginning, with what matches now. Errors: DZ_ERR_NULL_POINTER,
/// DZ_ERR_ITER (it was never started, or couldn't be), DZ_ERR_RANGE (one of several parts, of a pool or of a group: start
/// it again; it goes on), and as dz_iterate: then it has ended, and iter->status says why. Reads. O(1).
///
/// `iter` was started by dz_iterate or dz_iterate_runs.
pub extern fn dz_restart(iter: [*c]dz_iter) dz_status;

/// For dz_each (the inline helper behind DZ_EACH), which calls it when something structural changed in the world: finds
/// the next element that is to be seen. Returns its number in the span, or UINT32_MAX at the span's end; of a query it makes
/// `iter` a new batch, of who matches behind the one that was seen last, returns 0, and UINT32_MAX where nobody does.
/// Not meant to be called by hand, but safe if it is. Errors (UINT32_MAX too): as dz_next's. Reads, or writes, as dz_next.
/// O(what it passes over).
///
/// `iter` was started by one of the dz_iterate functions.
pub extern fn dz_each_slow(iter: [*c]dz_iter) u32;

/// Makes a query from terms, or from text. The handle is good until dz_query_destroy or the world's end;
/// dz_world_clear keeps it. A component that nobody holds yet is fine: nobody matches until somebody does.
///
/// Each term is a field of the iterator, by its place among the terms. The same thing (a component, a pair with the same
/// target, ...) of the same source (the entity itself, its parent, ...) can be in one term only. At least one term must be
/// DZ_WITH or DZ_ANY_OF and ask for something of the entity itself. A query with anything but components (pairs, plain
/// entities, ids with a role), with components of others, for bases or in the order of the hierarchy goes from
/// entity to entity: docs/relationships.md tells how, and what it costs. If a component of the terms is unregistered the
/// query is lost: it can then only be destroyed and described, all else is DZ_ERR_QUERY_LOST.
///
/// If another entity that a term names dies (a target, a source, a parent, an entity as relation or tag), nobody has what
/// the term asks for any more: the query then matches nobody for ever, or with DZ_WITHOUT and
/// DZ_OPTIONAL as if there were no such term, whose field is empty.
/// Who gets the slot next is not meant. Make the query anew.
///
/// Returns {0} on error: DZ_ERR_NULL_POINTER, descriptor errors, DZ_ERR_COUNT (over DZ_MAX_TERMS terms, 4 that match any
/// pair, or 4,096 queries), a component's handle, an entity's handle, DZ_ERR_NO_PAIR, DZ_ERR_ENUM, DZ_ERR_RANGE,
/// DZ_ERR_DUPLICATE, DZ_ERR_NO_TERM, DZ_ERR_ORDER, DZ_ERR_BUILTIN (data of a built-in component is only for DZ_IN),
/// DZ_ERR_SYNTAX, out of memory, DZ_ERR_IN_HOOK. Writes. O(terms * terms).
///
/// `desc` points to a descriptor whose first field is its size.
pub extern fn dz_query_create(world: dz_world, desc: [*c]const dz_query_desc) dz_query;

/// Makes a query from text:
///
///     Position, [in] Velocity, ?Mass, !Frozen, Red || Blue
///
/// Terms are separated by commas. `?` is optional, `!` without, `||` any-of. `[in]`, `[out]`, `[inout]` and
/// `[none]` before a name state the access. Quoted, as "My, own", are names with a comma, one of | ! ? [ ] ( ), or a
/// blank at an end, and in a pair or as a source those that begin with $ or *. There is no escape: a name with a quote
/// can't be written, use dz_query_create.
///
///     (Likes, Bob), (Likes, *), (*, Bob)              pairs: of a target, of any, of any relation
///     (DockedAt, $port), (In, sol)($port)             who is docked at a port that is in sol
///     Position, Position(parent), Mass(up)            of the parent; of the nearest above that has it
///     Hull(inherit), Gravity(world), Position(sol)    its own or a base's, to read; the world's; that of one entity
///     (ChildOf, sol), !(InstanceOf, ship)             the children of one; who is no instance of a base
///     [cascade] Position, [in] ?Position(parent)      parents before their children; [bases]: bases only
///
/// A name is a component's, or else an entity's path from the root ("sol.earth"), where every dot parts two names,
/// quoted or not. As a source, parent, up, inherit and world are words unless quoted. Names are looked up once, by this
/// call; what becomes of the query when an entity dies that it names is said at dz_query_create.
///
/// Returns {0} on error: DZ_ERR_SYNTAX, also for a name that neither a component nor an entity has and for too many
/// terms; else as dz_query_create. The message has the column (in characters, from 1), if one term is at fault. Writes.
/// O(terms * log components).
///
/// `text` ends with a zero.
pub extern fn dz_query_parse(world: dz_world, text: [*c]const u8) dz_query;

/// Ends a query. Errors: DZ_ERR_QUERY, DZ_ERR_IN_HOOK. Writes. O(1). Needs no memory.
pub extern fn dz_query_destroy(world: dz_world, query: dz_query) dz_status;

/// Starts an iteration of a query's matches, batch by batch, in the order of indices (or of a pool, see
/// dz_query_desc.order):
///
///     dz_iter it;
///     for (dz_iterate(world, movers, &it); dz_next(&it);) {
///         for (uint32_t i = 0; i < it.count; i++) {                    // changes values only
///             Position *p = DZ_AT(it, Position, 0, i);                 // 0: the first term
///             const Velocity *v = DZ_AT(it, Velocity, 1, i);
///             p->x += v->x;
///         }
///     }
///     for (dz_iterate(world, movers, &it); dz_next(&it);) {
///         DZ_EACH(it, i) dz_destroy(world, dz_iter_entity(&it, i));    // changes what it iterates
///     }
///
/// A batch is a run (it.gather is 0, every field an array) or a gather (an address for each element); DZ_AT
/// reads both. The plain loop is for bodies that only change values. DZ_EACH is for bodies that create, destroy,
/// add or remove: whatever they do, each entity is seen at most once, and only if it matches at that moment; in
/// the order of indices nobody is missed who matches all along. Every loop ends: an entity made meanwhile, with an index
/// above all that were used when the loop began, isn't seen. docs/queries.md has the table. A query that goes from entity to
/// entity (see dz_query_create) follows an order of its own, and each of its matches is seen at most once: docs/relationships.md.
///
/// Errors, also in it.status: DZ_ERR_QUERY, DZ_ERR_QUERY_LOST, DZ_ERR_NULL_POINTER, a world's handle; later those of
/// dz_next. After an error dz_next returns false. Reads; many threads may iterate at once. O(terms), and dz_next costs
/// O(batch) and what it passes over: 64 entities at a time.
///
/// `iter` has room for one dz_iter.
pub extern fn dz_iterate(world: dz_world, query: dz_query, iter: [*c]dz_iter) dz_status;

/// As dz_iterate, but hands out runs only: every field is an array, with it.count elements side by side, so
/// that the loop can use SIMD instructions. Where elements lie apart runs are short, down to one.
///
/// `iter` has room for one dz_iter.
pub extern fn dz_iterate_runs(world: dz_world, query: dz_query, iter: [*c]dz_iter) dz_status;

/// As dz_iterate, for one of `parts` parts of the matches: the parts are disjoint, and together they are
/// all, if nothing structural happens in between. For threads of your own: parts may be iterated at once, and
/// a part's components be written by the thread that has it.
///
/// Errors: as dz_iterate, and DZ_ERR_RANGE (`part` not below `parts`; `parts` over 1 for a query that follows a pool's
/// order or goes from entity to entity, see dz_query_create).
///
/// `iter` has room for one dz_iter.
pub extern fn dz_iterate_part(world: dz_world, query: dz_query, part: u32, parts: u32, iter: [*c]dz_iter) dz_status;

/// Iterates with a callback: calls `batch` with each batch. It may do what the body of a loop may: with a plain loop
/// over the batch change values, with DZ_EACH anything (which then goes through all that is left: see there).
///
/// Errors: as dz_iterate and dz_next: why an iteration ended early. Reads, or what the callback does.
///
/// `batch` is called during the call only; its dz_iter is good during its call.
pub extern fn dz_query_each(world: dz_world, query: dz_query, batch: dz_batch_fn, user: ?*anyopaque) dz_status;

/// How many matches there are: entities, or one for each pair where terms match any. 0 on error: DZ_ERR_QUERY,
/// DZ_ERR_QUERY_LOST, DZ_ERR_DEEP. Reads. O(indices / 64), and of a query that goes from entity to entity O(entities) at most.
/// O(terms) if a kept one remembers its matches, if nobody has a component that is asked for, or if only one is asked for,
/// nothing is excluded, and nobody who has it is disabled or a base.
pub extern fn dz_query_count(world: dz_world, query: dz_query) u32;

/// The match with the lowest index, also of a query that follows a pool's order (of one with pairs, of the hierarchy or
/// for bases the first one that it finds), or DZ_NULL if nobody matches (no error). Errors: DZ_ERR_QUERY,
/// DZ_ERR_QUERY_LOST, DZ_ERR_DEEP. Reads. O(indices / 64) at most; of a query that goes from entity to entity O(entities).
pub extern fn dz_query_first(world: dz_world, query: dz_query) dz_entity;

/// The single match. DZ_NULL on error: DZ_ERR_NOT_SINGLE if nobody or more than one matches, DZ_ERR_QUERY,
/// DZ_ERR_QUERY_LOST, DZ_ERR_DEEP. Reads. As dz_query_first, and as dz_query_count where several match.
pub extern fn dz_query_single(world: dz_world, query: dz_query) dz_entity;

/// Whether nobody matches. true on error, as dz_query_first. Reads. As dz_query_first.
pub extern fn dz_query_is_empty(world: dz_world, query: dz_query) bool;

/// Whether an entity matches. false on error: an entity's handle, DZ_ERR_QUERY, DZ_ERR_QUERY_LOST, DZ_ERR_DEEP. Reads.
/// O(terms), and of terms with pairs or `(up)` O(what they go through).
pub extern fn dz_query_matches(world: dz_world, query: dz_query, entity: dz_entity) bool;

/// Brings a kept query up to date. It does two things:
///
/// Pools that are kept in an order (DZ_SORT_KEEP) are put into it again, as by dz_sort_refresh: those of its terms
/// but for DZ_WITHOUT and DZ_NO_ACCESS, and the one whose order it follows; a pool that is kept in the order of another
/// of them comes after that one. Whose order is not a kept sort's stays as it is: for groups see
/// dz_group_sort_refresh.
///
/// Then it remembers its matches, so that iterating need not look for them: as runs, or, with pairs or in the order of
/// the hierarchy, where each element is. While nothing structural happens in the pools of its terms (and to the pairs
/// and the hierarchy that it follows), iterating uses what it remembers; else it looks. Where runs would be short
/// (see dz_optimize), there is no memory for them, or a match is DZ_ERR_DEEP, nothing is remembered: dz_query_details.fresh is 0
/// then, and the query is only slower.
///
/// Errors: DZ_ERR_QUERY, DZ_ERR_QUERY_LOST, DZ_ERR_NOT_KEPT, DZ_ERR_DEAD (the component whose order a pool
/// follows was unregistered), out of memory (for sorting: 8 bytes an element of the longest such pool, for the
/// time of the call), DZ_ERR_IN_HOOK. Writes. O(matches + indices / 64), O(terms) if nothing has changed; and for each pool
/// that is kept in an order, what dz_sort_refresh costs: a comparison an element if all is in order. If an
/// element moved, iterations of that pool end with DZ_ERR_CHANGED (those of queries go on, but for those that
/// follow its order).
pub extern fn dz_query_refresh(world: dz_world, query: dz_query) dz_status;

/// Puts pools into the order that makes runs long, with at most `moves` swaps of two elements; writes how
/// many were made to `made` (or NULL): fewer than `moves` when all is in order. Call it with UINT32_MAX
/// once after loading, or, where matches seldom change, with a small number in each frame; then dz_query_refresh lets kept
/// queries remember the runs.
///
/// The matches of kept queries come first in the pools of their with-terms, in the order of indices: those of the query
/// with the highest priority, which become one run; then of the next one those that are left, and so on: that one's runs end
/// where a match of the first lies between its own. Of equal priorities the query that was made first comes first. A pool
/// that no kept query asks for is put into the order of indices. Queries that never have runs don't count: those with an
/// order, with pairs or what others have, of the hierarchy or of bases; nor does a term with DZ_NO_ACCESS beside others whose
/// elements are handed out. The first 16 kept queries of a pool are heeded. Whoever joins or leaves moves all behind it by
/// one place; where that happens all the time, a group or an order of the pool is faster.
///
/// No clock is looked at: the same calls have the same result on every machine. Pools take turns: where the moves run out,
/// the next call begins with the pool behind, so that small numbers get through all pools, whatever changes in between. Pools
/// whose order is somebody's are left alone: stable ones, those that a group owns, and those with a kept sort.
///
/// It also lays the first elements of each pool but stable ones, up to 32,768, side by side, in the order in which they are,
/// whosever it is, if they aren't yet: a pool grows page by page, and runs end where a page does. (Not the first four of more
/// than 64 bytes, while there are no more.) That counts as no move, but a call does it for no more elements than `moves` in
/// all; it copies them once, and again when the pool has grown to four times as many. dz_shrink gives them back together.
///
/// Iterations under way of a pool whose elements it moves, and of groups that own it, end with DZ_ERR_CHANGED (those of
/// queries go on, but for those that follow its order).
///
/// Errors: out of memory (it needs room for one element of each pool that is not in order, and gives it back; where there
/// is none for laying elements side by side, they stay where they are), DZ_ERR_IN_HOOK. Writes. O(indices / 64 + entities
/// of the pools that changed + pools * kept queries), and the swaps.
pub extern fn dz_optimize(world: dz_world, moves: u32, made: [*c]u32) dz_status;

/// What is known of a query. Errors: DZ_ERR_QUERY, DZ_ERR_NULL_POINTER. Reads. O(terms).
///
/// `details` has room for one dz_query_details.
pub extern fn dz_query_info(world: dz_world, query: dz_query, details: [*c]dz_query_details) dz_status;

/// The terms of a query. Writes the first `capacity` of them to `terms` (NULL if capacity is 0), and to `count`
/// how many there are. Errors: DZ_ERR_QUERY, DZ_ERR_NULL_POINTER. Reads. O(terms).
///
/// `terms` has room for `capacity` terms, `count` for a number.
pub extern fn dz_query_terms(world: dz_world, query: dz_query, terms: [*c]dz_term, capacity: u32, count: [*c]u32) dz_status;

/// Lists the world's queries. Writes the first `capacity` of them to `queries` (NULL if capacity is 0), and to
/// `count` how many there are. Errors: DZ_ERR_NULL_POINTER. Reads. O(queries).
///
/// `queries` has room for `capacity` handles, `count` for a number.
pub extern fn dz_query_list(world: dz_world, queries: [*c]dz_query, capacity: u32, count: [*c]u32) dz_status;

/// Makes a group: the entities that have all components of `owned` and `included` and none of
/// `excluded`. It is up to date after every call that changes something. Up to 32 components in all; data
/// and tags alike. docs/groups.md tells more.
///
/// The pools of `owned` components hold the group's members first, in one order common to them all, so that
/// iterating is one run over plain arrays: cut where pools have grown, until dz_optimize lays them side by side.
/// `included` ones are looked up. A group that owns nothing keeps a list of its members. Each structural change of one of
/// its components costs some more; of others not.
///
/// In a new group members are in the order of their indices, but that those of a group nested in it come first, in
/// that one's order. Who joins later comes last. Members of older groups around it change places with those of the
/// new one, and else stay as they are.
///
/// Several groups may own a component if they are nested: of any two that own the same, directly or through
/// others that do, one has all components of the other (its `owned` and `included` contain the other's, and
/// its `excluded` the other's). Else it is a conflict, and the message names the group in the way. The order
/// of a pool belongs to: stable addresses, before a group, before a kept sort, before optimising.
///
/// Returns {0} on error: DZ_ERR_NULL_POINTER, descriptor errors, DZ_ERR_COUNT (over 32), DZ_ERR_RANGE (nothing
/// owned and nothing included; `reserved`), DZ_ERR_DUPLICATE, a component's handle, DZ_ERR_BUILTIN,
/// DZ_ERR_POLICY (owned, and DZ_POLICY_STABLE), DZ_ERR_OWNED (a conflict), out of memory, DZ_ERR_IN_HOOK.
/// Writes. Iterations of owned pools end with DZ_ERR_CHANGED. O(entities that have the rarest component, its pages
/// of 256 indices, and the members of groups that own the same).
///
/// `desc` points to a descriptor whose first field is its size; its arrays hold as many ids as it says.
/// Source of the algorithm: EnTT's groups (M. Caini, "ECS back and forth", parts 5 and 6).
pub extern fn dz_group_create(world: dz_world, desc: [*c]const dz_group_desc) dz_group;

/// Ends a group. Its members stay as they are; the pools that it owned are free for others. Errors:
/// DZ_ERR_GROUP, DZ_ERR_IN_HOOK. Writes. Iterations of the group and of the pools that it owned end with
/// DZ_ERR_GROUP and DZ_ERR_CHANGED. O(groups). Needs no memory.
pub extern fn dz_group_destroy(world: dz_world, group: dz_group) dz_status;

/// How many members a group has. 0 on error: DZ_ERR_GROUP. Reads. O(groups).
pub extern fn dz_group_count(world: dz_world, group: dz_group) u32;

/// Whether an entity is a member of a group. false on error: DZ_ERR_GROUP, an entity's handle. Reads.
/// O(groups).
pub extern fn dz_group_contains(world: dz_world, group: dz_group, entity: dz_entity) bool;

/// Starts an iteration of a group's members, batch by batch:
///
///     dz_iter it;
///     for (dz_iterate_group(world, movers, DZ_BACKWARD, &it); dz_next(&it);) {
///         Position *p = DZ_RUN(it, Position, 0);                     // owned: an array
///         Velocity *v = DZ_RUN(it, Velocity, 1);
///         for (uint32_t i = 0; i < it.count; i++) {
///             const Mass *m = DZ_AT(it, Mass, 2, i);                 // included: looked up
///             p[i].x += v[i].x / m->kg;
///         }
///     }
///     for (dz_iterate_group(world, movers, DZ_BACKWARD, &it); dz_next(&it);) {
///         DZ_EACH(it, i) dz_destroy(world, dz_iter_entity(&it, i));    // changes what it iterates
///     }
///
/// Fields are numbered as the group's components: the owned ones, then the included ones. Owned ones are arrays
/// (DZ_RUN, or DZ_AT) in every batch, of up to 32,768 members. If components that aren't owned have data, their
/// elements are looked up, DZ_AT reads them, and a batch has up to 128 members.
///
/// `direction` is a dz_direction; DZ_FORWARD is the order of a sorted group. The plain loop is for bodies that change
/// values only; one that goes down from i = it.count in a DZ_BACKWARD iteration may destroy its current entity, if no
/// other member goes with it (as children do). DZ_EACH is for all others: each member is seen at most once, and only if
/// it is one at that moment. Backward, who is a member all the time is seen, and who joins meanwhile isn't, whatever is
/// removed, added or destroyed. Where that can't be kept the iteration ends with DZ_ERR_CHANGED: docs/groups.md has the
/// table.
///
/// Errors, also in it.status: DZ_ERR_GROUP, DZ_ERR_ENUM, DZ_ERR_NULL_POINTER, a world's handle. After an error
/// dz_next returns false. Reads; many threads may iterate at once. O(groups), and dz_next O(groups + fields), or
/// O(batch) with lookups.
///
/// `iter` has room for one dz_iter.
pub extern fn dz_iterate_group(world: dz_world, group: dz_group, direction: i32, iter: [*c]dz_iter) dz_status;

/// Lists the groups. Writes the first `capacity` of them to `groups` (NULL if capacity is 0), and to `count`
/// how many there are.
///
/// Errors: a world's handle; DZ_ERR_NULL_POINTER. Reads. O(groups).
///
/// `groups` has room for `capacity` groups, `count` for a number.
pub extern fn dz_groups(world: dz_world, groups: [*c]dz_group, capacity: u32, count: [*c]u32) dz_status;

/// Writes what is known of a group: members, bytes, and its components.
///
/// Errors: DZ_ERR_GROUP, DZ_ERR_NULL_POINTER. Reads. O(groups).
///
/// `details` has room for one dz_group_details.
pub extern fn dz_group_info(world: dz_world, group: dz_group, details: [*c]dz_group_details) dz_status;

/// Sorts the elements of a component's pool by a comparison. Stable: equals stay in their order. What is
/// in order already costs one comparison an element, and what is nearly in order little more.
///
/// `mode` is a dz_sort_mode. With DZ_SORT_KEEP the order is kept in mind: adding and removing disturb it, dz_sort_refresh
/// restores it, and so does dz_query_refresh of a query that reads the pool. Until dz_sort_release no group can own the
/// pool, and nothing else sorts it but another DZ_SORT_KEEP, which takes its place.
///
/// `compare` must not call the library: every call on this world from inside it is DZ_ERR_IN_HOOK. It must not
/// throw. If it contradicts itself the order is some order, and nothing is lost. Hooks: relocate.
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_NULL_POINTER (compare), DZ_ERR_ENUM, DZ_ERR_POLICY
/// (DZ_POLICY_STABLE), DZ_ERR_OWNED (a group owns the pool, or a kept sort and this one isn't kept), out of
/// memory, DZ_ERR_IN_HOOK. Writes. If an element moved, iterations of the pool end with DZ_ERR_CHANGED.
/// O(n log n), O(n) if nearly in order; needs 8 bytes an element for the time of the call.
///
/// `compare` may be called with `user` during the call; if the order is kept, until it no longer is.
/// Sources of the algorithm: T. Peters, listsort.txt (CPython), for what is nearly in order; O. R. L. Peters and L. Bergdoll,
/// driftsort (2024), for what isn't.
pub extern fn dz_sort(world: dz_world, id: dz_id, compare: dz_compare_fn, user: ?*anyopaque, mode: i32) dz_status;

/// Puts the elements of a component's pool into the order of another's: first those whose entities have
/// `like` too, as they are there, then the others, as they were. `mode` as in dz_sort. A pool may follow itself, which moves
/// nothing, and two may follow each other: a refresh of one brings it into the order that the other has then.
///
/// Errors: those of dz_sort; of `like` only a component's handle, it may be of any policy, and anybody's. Writes.
/// Iterations as in dz_sort. O(n + those that have `like`); needs 8 bytes an element for the time of the call.
pub extern fn dz_sort_as(world: dz_world, id: dz_id, like: dz_id, mode: i32) dz_status;

/// Restores the order that a pool is kept in. DZ_NOTHING_TO_DO if it is kept in none.
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_DEAD (also if the component whose order it follows was
/// unregistered), out of memory, DZ_ERR_IN_HOOK. Writes. Cost and iterations as in dz_sort.
pub extern fn dz_sort_refresh(world: dz_world, id: dz_id) dz_status;

/// Keeps a pool in no order any longer; nothing moves. DZ_NOT_THERE if it was kept in none.
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_IN_HOOK. Writes. O(1). Needs no memory.
pub extern fn dz_sort_release(world: dz_world, id: dz_id) dz_status;

/// Sorts the members of a group by a comparison: in all pools that it owns alike, or its list. `by` is one
/// of the components that members have: `compare` gets its elements. With DZ_NULL, and for tags, it gets NULL
/// and the entities. Stable. `mode`, `compare` and `user` as in dz_sort.
///
/// Members of a nested group that is inside this one stay first: each part is sorted by itself, and a part
/// whose group keeps an order of its own stays as it is.
///
/// Errors: DZ_ERR_GROUP, a component's handle (`by`), DZ_ERR_NOT_TERM (`by` isn't a component that members have),
/// DZ_ERR_NULL_POINTER, DZ_ERR_ENUM, DZ_ERR_OWNED (a sort of the group is kept and this one isn't to be), out of memory,
/// DZ_ERR_IN_HOOK. Writes. If a member moved, iterations of the group, of those nested with it and of its
/// pools end with DZ_ERR_CHANGED. Cost as in dz_sort, and the moves for each owned pool.
pub extern fn dz_group_sort(world: dz_world, group: dz_group, by: dz_id, compare: dz_compare_fn, user: ?*anyopaque, mode: i32) dz_status;

/// Puts the members of a group into the order of a component's pool: as dz_sort_as, parts as in
/// dz_group_sort.
///
/// Errors: those of dz_group_sort but DZ_ERR_NOT_TERM and DZ_ERR_NULL_POINTER: `like` is any component. Writes. Iterations as in
/// dz_group_sort. O(members + those that have `like`).
pub extern fn dz_group_sort_as(world: dz_world, group: dz_group, like: dz_id, mode: i32) dz_status;

/// Restores the order that a group is kept in. DZ_NOTHING_TO_DO if it is kept in none.
///
/// Errors: DZ_ERR_GROUP, DZ_ERR_DEAD (the component whose order it follows was unregistered), out of memory,
/// DZ_ERR_IN_HOOK. Writes. Cost and iterations as in dz_group_sort.
pub extern fn dz_group_sort_refresh(world: dz_world, group: dz_group) dz_status;

/// Keeps a group in no order any longer; nothing moves. DZ_NOT_THERE if it was kept in none.
///
/// Errors: DZ_ERR_GROUP, DZ_ERR_IN_HOOK. Writes. O(groups). Needs no memory.
pub extern fn dz_group_sort_release(world: dz_world, group: dz_group) dz_status;

/// The library's own description of its ABI: every public struct with the places of its fields, and the values of every
/// enum, in the order of the header. Bindings compare their declarations with it, in their tests or when they load
/// the library:
///
///     const dz_abi *abi = dz_abi_describe();
///     for (uint32_t i = 0; i < abi->struct_count; i++)
///         printf("%s: %u bytes\n", abi->structs[i].name, abi->structs[i].size);
///
/// A constant, never NULL; there is nothing to give back. Any thread. O(1).
pub extern fn dz_abi_describe() [*c]const dz_abi;
