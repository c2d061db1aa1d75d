//! The functions of `denizen.h` that the bench calls, declared by hand, as a C program would see
//! them.

use std::ffi::{c_char, c_void};

pub type Entity = u64;
pub type Id = u64;
pub type Status = i32;

pub const LAYOUT_64: i32 = 0;
pub const LAYOUT_32: i32 = 1;
pub const SORT_ONCE: i32 = 0;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct World {
    pub bits: u32,
}

#[repr(C)]
pub struct Allocator {
    pub functions: [*const c_void; 3],
    pub user: *mut c_void,
}

/// dz_world_desc.
#[repr(C)]
pub struct WorldDesc {
    pub size: u32,
    pub layout: i32,
    pub recycling: i32,
    pub overflow: i32,
    pub capacity: u32,
    pub max_entities: u32,
    pub reserved_components: u32,
    pub reserved: u32,
    pub byte_budget: u64,
    pub allocator: Allocator,
    pub log: *const c_void,
    pub log_user: *mut c_void,
    pub user: *mut c_void,
}

/// dz_component_desc.
#[repr(C)]
pub struct ComponentDesc {
    pub size: u32,
    pub policy: i32,
    pub name: *const c_char,
    pub element_size: u32,
    pub element_alignment: u32,
    pub hooks: [*const c_void; 5],
}

/// dz_column.
#[repr(C)]
pub struct Column {
    pub id: Id,
    pub values: *const c_void,
    pub element_size: u32,
    pub reserved: u32,
}

/// dz_query_desc.
#[repr(C)]
pub struct QueryDesc {
    pub size: u32,
    pub term_count: u32,
    pub terms: *const c_void,
    pub text: *const c_char,
    pub order: Id,
    pub kept: u32,
    pub priority: i32,
    pub reserved: [u32; 2],
}

/// dz_group_desc.
#[repr(C)]
pub struct GroupDesc {
    pub size: u32,
    pub owned_count: u32,
    pub included_count: u32,
    pub excluded_count: u32,
    pub owned: *const Id,
    pub included: *const Id,
    pub excluded: *const Id,
    pub reserved: u64,
}

/// dz_accessor.
#[repr(C)]
pub struct Accessor {
    pub world: World,
    pub gone: u32,
    pub id: Id,
    pub pool: *const c_void,
    pub stamp: u64,
}

#[link(name = "denizen", kind = "dylib")]
unsafe extern "C" {
    pub fn dz_query_create(world: World, desc: *const QueryDesc) -> u32;
    pub safe fn dz_query_refresh(world: World, query: u32) -> Status;
    pub fn dz_group_create(world: World, desc: *const GroupDesc) -> u32;
    pub safe fn dz_sort_as(world: World, id: Id, like: Id, mode: i32) -> Status;
    pub fn dz_optimize(world: World, moves: u32, made: *mut u32) -> Status;
    pub safe fn dz_version() -> u32;
    pub safe fn dz_error_message() -> *const c_char;
    pub fn dz_world_create(desc: *const WorldDesc) -> World;
    pub safe fn dz_world_destroy(world: World) -> Status;
    pub fn dz_component_register(world: World, desc: *const ComponentDesc) -> Id;
    pub safe fn dz_create(world: World) -> Entity;
    pub fn dz_create_n(world: World, n: u32, entities: *mut Entity) -> Status;
    pub fn dz_create_with(
        world: World,
        n: u32,
        columns: *const Column,
        column_count: u32,
        entities: *mut Entity,
    ) -> Status;
    pub safe fn dz_destroy(world: World, entity: Entity) -> Status;
    pub fn dz_destroy_n(world: World, entities: *const Entity, n: u32, report: *mut Status) -> Status;
    pub fn dz_set(world: World, entity: Entity, id: Id, size: u32, value: *const c_void) -> Status;
    pub fn dz_set_n(
        world: World,
        entities: *const Entity,
        n: u32,
        id: Id,
        size: u32,
        values: *const c_void,
    ) -> Status;
    pub fn dz_remove_n(world: World, entities: *const Entity, n: u32, id: Id) -> Status;
    pub safe fn dz_add(world: World, entity: Entity, id: Id) -> Status;
    pub safe fn dz_remove(world: World, entity: Entity, id: Id) -> Status;
    pub safe fn dz_get(world: World, entity: Entity, id: Id) -> *const c_void;
    pub safe fn dz_has(world: World, entity: Entity, id: Id) -> bool;
    pub fn dz_has_n(world: World, entities: *const Entity, n: u32, id: Id, answers: *mut u8) -> Status;
    pub fn dz_get_n(
        world: World,
        entities: *const Entity,
        n: u32,
        id: Id,
        pointers: *mut *const c_void,
    ) -> Status;
    pub safe fn dz_is_alive(world: World, entity: Entity) -> bool;
    pub safe fn dz_set_parent(world: World, child: Entity, parent: Entity) -> Status;
    pub safe fn dz_first_child(world: World, entity: Entity) -> Entity;
    pub safe fn dz_next_sibling(world: World, entity: Entity) -> Entity;
    pub safe fn dz_add_pair(world: World, entity: Entity, relation: Entity, target: Entity) -> Status;
    pub safe fn dz_has_pair(world: World, entity: Entity, relation: Entity, target: Entity) -> bool;
    pub safe fn dz_count(world: World, id: Id) -> u32;
    pub fn dz_accessor_init(world: World, id: Id, accessor: *mut Accessor) -> Status;
    pub fn dz_accessor_get(accessor: *const Accessor, entity: Entity) -> *const c_void;
}
