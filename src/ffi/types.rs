//! The types of the header: handles, descriptors, callbacks. No code.
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_void};

pub use super::pair_types::*;
pub use super::query_types::*;
pub use super::tree_types::*;

/// The version of this header.
pub const DZ_VERSION_MAJOR: u32 = 0;
/// The version of this header.
pub const DZ_VERSION_MINOR: u32 = 1;
/// The version of this header.
pub const DZ_VERSION_PATCH: u32 = 0;

/// No entity, no component.
pub const DZ_NULL: u64 = 0;

/// For dz_world_desc.reserved_components: no range is kept for components.
pub const DZ_RESERVE_NONE: u32 = u32::MAX;

/// An entity's handle: slot index, generation, and in the 64-bit layout the world that made it.
///
///     64-bit layout (default)   63..56 zero | 55..48 world | 47..32 generation | 31..0 index
///     32-bit layout             63..32 zero | 31..20 generation | 19..0 index
///
/// DZ_NULL (0) is never alive: generations start at 1. Compare handles with ==. A handle may be
/// kept for as long as you like; every call that takes one says whether it is still good. In the 32-bit layout a handle of
/// another such world isn't told apart from this one's.
pub type dz_entity = u64;

/// What can be added to an entity: a component or a tag, which is an entity too, so that this is its handle; or
/// a pair's id (dz_pair), an entity with a role (DZ_CHILDOF, DZ_INSTANCEOF, DZ_ROLE), a plain entity.
pub type dz_id = u64;

/// A world. {0} is no world. Handles of destroyed worlds are told apart from living ones.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct dz_world {
    /// Opaque.
    pub bits: u32,
}

/// A connected listener, as dz_listen returns it. {0} is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct dz_listener {
    /// Opaque.
    pub bits: u32,
}

/// A group, as dz_group_create returns it. {0} is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct dz_group {
    /// Opaque.
    pub bits: u32,
}

/// What a call came to. Zero: done. Positive: an answer, nothing was wrong and nothing was
/// changed. Negative: an error; all that can be read of the world is as it was before the call,
/// and dz_error_message() says what was wrong with what.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_status {
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
}

/// How a world's handles are laid out.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_layout {
    /// 32-bit index, 16-bit generation, 8-bit world. The default.
    DZ_LAYOUT_64 = 0,
    /// 20-bit index, 12-bit generation: half the memory for identifiers, at most 1,048,575 of them; handles don't say whose
    /// they are.
    DZ_LAYOUT_32 = 1,
}

/// Which destroyed slot a new entity takes.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_recycling {
    /// The one destroyed last: indices stay compact and warm. The default.
    DZ_RECYCLE_LIFO = 0,
    /// The one destroyed first: generations are used up evenly.
    DZ_RECYCLE_FIFO = 1,
}

/// What happens to a slot whose generations are used up.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_overflow {
    /// It is never handed out again, so no stale handle ever comes back to life. The default.
    DZ_OVERFLOW_RETIRE = 0,
    /// It starts again at generation 1: an old handle may then match a new entity.
    DZ_OVERFLOW_WRAP = 1,
}

/// How a component's pool removes an element.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_policy {
    /// The last element moves into the gap: always dense, addresses change. The default.
    DZ_POLICY_SWAP = 0,
    /// The gap stays until another element fills it: an element never moves while it lives.
    DZ_POLICY_STABLE = 1,
}

/// The order in which a pool is iterated.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_direction {
    /// From the element added last to the first. What to use when the loop changes the pool.
    DZ_BACKWARD = 0,
    /// From the first to the last.
    DZ_FORWARD = 1,
}

/// For how long a sort holds.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_sort_mode {
    /// Until something changes. The default.
    DZ_SORT_ONCE = 0,
    /// It can be restored by a refresh.
    DZ_SORT_KEEP = 1,
}

/// What a listener is told of.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_event_kind {
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
}

/// What happened, as a listener is told. The pointer is good during the call only.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_event {
    /// The world.
    pub world: dz_world,
    /// A dz_event_kind.
    pub kind: i32,
    /// The entity.
    pub entity: dz_entity,
    /// The component, or DZ_NULL for DZ_ON_CREATE and DZ_ON_DESTROY.
    pub id: dz_id,
    /// The component's value, which may be read and written; NULL for tags and entity events.
    pub data: *mut c_void,
}

/// A listener. It may read, iterate, and change values: through dz_event.data, the calls that give a pointer to write to
/// (of those for many dz_get_mut_n), and dz_set of a component that is there; dz_reserve and dz_world_set_user are fine
/// too. All other calls that write are DZ_ERR_IN_HOOK: what creates, destroys, adds, removes, names, enables, sorts,
/// connects or disconnects, also itself; so is setting a pair's value, there or not (dz_get_pair_mut is fine), and making a
/// query: make it before. Note what is to be done, and do it after the call. It must not throw.
pub type dz_listener_fn = Option<unsafe extern "C" fn(event: *const dz_event, user: *mut c_void)>;

/// Compares two elements: less than 0 if `a` comes before `b`, 0 if their order doesn't matter, more than 0 if `a` comes
/// after. `a` and `b` are NULL for tags, or where no component is compared. Must not call the library or throw.
pub type dz_compare_fn = Option<
    unsafe extern "C" fn(
        a: *const c_void,
        b: *const c_void,
        entity_a: dz_entity,
        entity_b: dz_entity,
        user: *mut c_void,
    ) -> i32,
>;

/// Receives a line for each error and each bug of the library. Must not call the library.
/// `message` is good during the call only.
pub type dz_log_fn =
    Option<unsafe extern "C" fn(status: dz_status, message: *const c_char, user: *mut c_void)>;

/// Returns `size` bytes aligned to `alignment` (a power of two up to 4096), or NULL.
pub type dz_allocate_fn =
    Option<unsafe extern "C" fn(size: usize, alignment: usize, user: *mut c_void) -> *mut c_void>;

/// Takes back what dz_allocate_fn returned, with the size and alignment it was asked for.
pub type dz_free_fn =
    Option<unsafe extern "C" fn(memory: *mut c_void, size: usize, alignment: usize, user: *mut c_void)>;

/// Changes the size of an allocation, keeping the bytes: like C's realloc with alignment. On NULL
/// the old memory stays good.
pub type dz_reallocate_fn = Option<
    unsafe extern "C" fn(
        memory: *mut c_void,
        old_size: usize,
        new_size: usize,
        alignment: usize,
        user: *mut c_void,
    ) -> *mut c_void,
>;

/// Where a world's memory comes from. All zero: the system's, on Linux in large pages once the world has about 10 MiB, or
/// an array of 2 MiB, for each of which 64 MiB or more are set aside (address space, which takes memory only where it is
/// used). The functions are called from whatever thread calls the library, and must not call the library.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_allocator {
    /// Required, with free.
    pub allocate: dz_allocate_fn,
    /// Required, with allocate.
    pub free: dz_free_fn,
    /// Optional: without it, growing allocates, copies and frees.
    pub reallocate: dz_reallocate_fn,
    /// Handed to each call.
    pub user: *mut c_void,
}

/// How a world is made. Begin with DZ_WORLD_DESC_INIT; every other zero is the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_world_desc {
    /// sizeof(dz_world_desc), set by DZ_WORLD_DESC_INIT.
    pub size: u32,
    /// A dz_layout.
    pub layout: i32,
    /// A dz_recycling.
    pub recycling: i32,
    /// A dz_overflow.
    pub overflow: i32,
    /// Entities to reserve memory for, the reserved range not counted: none of the first `capacity` creations then needs
    /// memory.
    pub capacity: u32,
    /// The largest number of slots for entities, the reserved range included. 0: what the layout
    /// allows (4,294,967,232 or 1,048,575).
    pub max_entities: u32,
    /// The first N indices, kept for components, so that component ids can index arrays. 0: 256, or half
    /// of max_entities if that is less. DZ_RESERVE_NONE: none. At most 65,536, and below max_entities. Ask for as many as
    /// there will be, tags included: once there are more, adding, setting and removing take two to three times as long in
    /// the whole world; and of those for whom there was no room all calls for one entity, dz_get too, some three to eight times.
    pub reserved_components: u32,
    /// A dz_instructions: which instructions queries use.
    pub instructions: i32,
    /// The most bytes that the world may hold at once. 0: no limit.
    pub byte_budget: u64,
    /// Where memory comes from.
    pub allocator: dz_allocator,
    /// Told of each error of a call that is given this world, or an iteration or accessor of it; or NULL. Not of what
    /// dz_why answers, nor of dz_describe's, nor of an error in making the world: there is none yet.
    pub log: dz_log_fn,
    /// Handed to log.
    pub log_user: *mut c_void,
    /// Yours; see dz_world_user.
    pub user: *mut c_void,
}

/// Makes `count` elements in uninitialised memory. 0: done. Anything else: failed, and none of
/// them is made; the call that needed them is undone. Must not call the library.
pub type dz_construct_fn =
    Option<unsafe extern "C" fn(elements: *mut c_void, count: u32, user: *mut c_void) -> i32>;

/// Ends `count` elements. Must not fail, and must not call the library.
pub type dz_destruct_fn = Option<unsafe extern "C" fn(elements: *mut c_void, count: u32, user: *mut c_void)>;

/// Makes `count` elements in uninitialised memory as copies of others. Returns as dz_construct_fn.
pub type dz_copy_fn =
    Option<unsafe extern "C" fn(to: *mut c_void, from: *const c_void, count: u32, user: *mut c_void) -> i32>;

/// Relocates `count` elements into uninitialised memory; `from` is uninitialised afterwards.
/// The two don't overlap. Must not fail, and must not call the library.
pub type dz_move_fn =
    Option<unsafe extern "C" fn(to: *mut c_void, from: *mut c_void, count: u32, user: *mut c_void)>;

/// What a component's elements need beyond bytes. All zero, the trivial type, pays for none: made
/// of zeros, copied and relocated as bytes, and forgotten.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_hooks {
    /// NULL: zeros.
    pub construct: dz_construct_fn,
    /// NULL: nothing.
    pub destruct: dz_destruct_fn,
    /// NULL: bytes. Used by dz_set, dz_clone, dz_instantiate, dz_override and every call that takes a value.
    pub copy: dz_copy_fn,
    /// NULL: bytes. Used when an element moves (DZ_POLICY_SWAP; dz_compact, sorts, groups, dz_optimize), and to put a copy in
    /// place.
    pub relocate: dz_move_fn,
    /// Handed to each of them.
    pub user: *mut c_void,
}

/// How a component is made. Begin with DZ_COMPONENT_DESC_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_component_desc {
    /// sizeof(dz_component_desc), set by DZ_COMPONENT_DESC_INIT.
    pub size: u32,
    /// A dz_policy.
    pub policy: i32,
    /// Its name, UTF-8, 1 to 255 bytes, unique in the world. Copied.
    pub name: *const c_char,
    /// Bytes of one element, at most 1,048,576. 0: a tag.
    pub element_size: u32,
    /// A power of two from 1 to 4096 that divides element_size. 0: 1.
    pub element_alignment: u32,
    /// For types that are more than bytes. A tag has no elements, so its hooks are never called.
    pub hooks: dz_hooks,
}

/// The value of the built-in component `Component`, which every component's entity has.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct dz_component {
    /// Bytes of one element; 0 for a tag.
    pub element_size: u32,
    /// Alignment of one element.
    pub element_alignment: u32,
    /// A dz_policy.
    pub policy: i32,
    /// The number of its pool: 0, 1, 2, ... in the order of registration; reused.
    pub pool: u32,
}

/// What is known of a component. Written by dz_component_info.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_component_details {
    /// Its id.
    pub id: dz_id,
    /// Its name; good until the component is unregistered or the world destroyed.
    pub name: *const c_char,
    /// Bytes of one element; 0 for a tag.
    pub element_size: u32,
    /// Alignment of one element.
    pub element_alignment: u32,
    /// A dz_policy.
    pub policy: i32,
    /// How many entities have it.
    pub count: u32,
    /// Gaps that in-place removal has left.
    pub gaps: u32,
    /// 1: made by the library.
    pub builtin: u32,
    /// Bytes that its pool holds.
    pub bytes: u64,
}

/// Numbers of a world. Written by dz_world_stats.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct dz_world_numbers {
    /// Living entities, components included.
    pub alive: u32,
    /// Slots that wait to be used again.
    pub dead: u32,
    /// Slots that are used up.
    pub retired: u32,
    /// Registered components, built-in ones included.
    pub components: u32,
    /// Connected listeners.
    pub listeners: u32,
    /// Slots outside of the reserved range that have memory, whether in use or not: so many entities can be there before
    /// more is asked for. Retired slots, and components that the reserved range has no room for, take such slots too.
    pub capacity: u32,
    /// Bytes held.
    pub bytes: u64,
    /// The most bytes ever held.
    pub peak_bytes: u64,
    /// Allocations held.
    pub allocations: u64,
    /// The limit, or 0.
    pub byte_budget: u64,
}

/// How a group is made; begin with DZ_GROUP_DESC_INIT. All is copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_group_desc {
    /// sizeof(dz_group_desc), set by DZ_GROUP_DESC_INIT.
    pub size: u32,
    /// How many ids `owned` holds.
    pub owned_count: u32,
    /// How many ids `included` holds.
    pub included_count: u32,
    /// How many ids `excluded` holds.
    pub excluded_count: u32,
    /// Components that members have, and that the group puts in order.
    pub owned: *const dz_id,
    /// Components that members have.
    pub included: *const dz_id,
    /// Components that members don't have.
    pub excluded: *const dz_id,
    /// Zero.
    pub reserved: u64,
}

/// What dz_group_info writes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_group_details {
    /// The group.
    pub group: dz_group,
    /// Members.
    pub count: u32,
    /// How many components it owns.
    pub owned_count: u32,
    /// How many it includes without owning them.
    pub included_count: u32,
    /// How many it excludes.
    pub excluded_count: u32,
    /// Zero.
    pub reserved: u32,
    /// Bytes that it holds itself.
    pub bytes: u64,
    /// Its components: owned, included, excluded; then zeros.
    pub ids: [dz_id; 32],
}

/// Values for one component of dz_create_with.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_column {
    /// The component or tag.
    pub id: dz_id,
    /// `count` values, each of `element_size` bytes; NULL: zeros, or constructed.
    pub values: *const c_void,
    /// Bytes of one value: the component's size (0 for a tag).
    pub element_size: u32,
    /// Zero.
    pub reserved: u32,
}

// The layouts that programs were compiled with; c_tests/test_layout.c asserts the same from C.
#[cfg(target_pointer_width = "64")]
const _: () = {
    use core::mem::offset_of;
    assert!(size_of::<dz_world>() == 4 && size_of::<dz_listener>() == 4 && size_of::<dz_status>() == 4);
    assert!(size_of::<dz_event>() == 32 && offset_of!(dz_event, data) == 24);
    assert!(size_of::<dz_allocator>() == 32 && offset_of!(dz_allocator, user) == 24);
    assert!(size_of::<dz_world_desc>() == 96 && offset_of!(dz_world_desc, byte_budget) == 32);
    assert!(offset_of!(dz_world_desc, allocator) == 40 && offset_of!(dz_world_desc, user) == 88);
    assert!(size_of::<dz_hooks>() == 40 && size_of::<dz_component_desc>() == 64);
    assert!(offset_of!(dz_component_desc, name) == 8 && offset_of!(dz_component_desc, hooks) == 24);
    assert!(size_of::<dz_component>() == 16 && size_of::<dz_component_details>() == 48);
    assert!(size_of::<dz_world_numbers>() == 56 && size_of::<dz_column>() == 24);
    assert!(size_of::<dz_group>() == 4 && size_of::<dz_group_details>() == 288);
    assert!(size_of::<dz_group_desc>() == 48 && offset_of!(dz_group_desc, owned) == 16);
    assert!(offset_of!(dz_group_details, bytes) == 24 && offset_of!(dz_group_details, ids) == 32);
};
