//! The library's own description of the ABI, for bindings to compare theirs with: a constant.
#![allow(non_camel_case_types)]

use super::accessor::dz_accessor;
use super::types::*;
use core::ffi::{CStr, c_char};

/// A field of a public struct: see dz_abi_describe.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_abi_field {
    /// Its name.
    pub name: *const c_char,
    /// Bytes before it.
    pub offset: u32,
    /// Its bytes.
    pub size: u32,
}

/// A public struct: see dz_abi_describe.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_abi_struct {
    /// Its name.
    pub name: *const c_char,
    /// Its bytes.
    pub size: u32,
    /// Its alignment.
    pub alignment: u32,
    /// Its fields, in their order.
    pub fields: *const dz_abi_field,
    /// How many there are.
    pub field_count: u32,
    /// Zero.
    pub reserved: u32,
}

/// A constant of a public enum: see dz_abi_describe.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_abi_value {
    /// Its name.
    pub name: *const c_char,
    /// Its value.
    pub value: i32,
    /// Zero.
    pub reserved: u32,
}

/// A public enum: see dz_abi_describe. All are of 32 bits.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_abi_enum {
    /// Its name.
    pub name: *const c_char,
    /// Its constants.
    pub values: *const dz_abi_value,
    /// How many there are.
    pub value_count: u32,
    /// Zero.
    pub reserved: u32,
}

/// What dz_abi_describe returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_abi {
    /// As dz_version returns it.
    pub version: u32,
    /// Bytes of a pointer.
    pub pointer_size: u32,
    /// The structs, `struct_count` of them.
    pub structs: *const dz_abi_struct,
    /// The enums, `enum_count` of them.
    pub enums: *const dz_abi_enum,
    /// How many structs there are.
    pub struct_count: u32,
    /// How many enums there are.
    pub enum_count: u32,
}

/// A text that ends with a zero, of a name.
macro_rules! text {
    ($name:ident) => {
        match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
            Ok(name) => name.as_ptr(),
            Err(_) => c"".as_ptr(),
        }
    };
}

/// The size of what a function finds in a struct.
const fn size_of_field<S, F>(_: fn(&S) -> &F) -> u32 {
    size_of::<F>() as u32
}

/// The table of structs. What it says is asked of the types; a field that is left out doesn't compile.
macro_rules! structs {
    ($($name:ident { $($field:ident)* })*) => {
        &[$({
            const FIELDS: &[dz_abi_field] = &[$(dz_abi_field {
                name: text!($field),
                offset: core::mem::offset_of!($name, $field) as u32,
                size: size_of_field(|it: &$name| &it.$field),
            }),*];
            const _: fn($name) = |$name { $($field: _),* }| ();
            dz_abi_struct {
                name: text!($name),
                size: size_of::<$name>() as u32,
                alignment: align_of::<$name>() as u32,
                fields: FIELDS.as_ptr(),
                field_count: FIELDS.len() as u32,
                reserved: 0,
            }
        }),*]
    };
}

/// The table of enums; a value that is left out doesn't compile.
macro_rules! enums {
    ($($name:ident { $($value:ident)* })*) => {
        &[$({
            const VALUES: &[dz_abi_value] = &[$(dz_abi_value {
                name: text!($value),
                value: $name::$value as i32,
                reserved: 0,
            }),*];
            const _: fn($name) = |it| match it { $($name::$value)|* => () };
            dz_abi_enum {
                name: text!($name),
                values: VALUES.as_ptr(),
                value_count: VALUES.len() as u32,
                reserved: 0,
            }
        }),*]
    };
}

const STRUCTS: &[dz_abi_struct] = structs! {
    dz_world { bits }
    dz_allocator { allocate free reallocate user }
    dz_world_desc {
        size layout recycling overflow capacity max_entities reserved_components instructions byte_budget allocator log
        log_user user
    }
    dz_world_numbers {
        alive dead retired components listeners capacity bytes peak_bytes allocations byte_budget
    }
    dz_column { id values element_size reserved }
    dz_hooks { construct destruct copy relocate user }
    dz_component_desc { size policy name element_size element_alignment hooks }
    dz_component_details { id name element_size element_alignment policy count gaps builtin bytes }
    dz_accessor { world gone id pool stamp }
    dz_pair_parts { relation target }
    dz_relation_desc { size exclusive symmetric acyclic transitive reflexive on_target on_relation with }
    dz_listener { bits }
    dz_event { world kind entity id data }
    dz_iter {
        data entities count stride entity_size status changes seen current position flags world first id era pool_changes
        end limit settled log magic settler gather term_count query fields strides offsets walk picks rows
    }
    dz_query { bits }
    dz_term { id target source ask access any_of reserved }
    dz_query_desc { size term_count terms text order kept priority cascade bases }
    dz_query_details { term_count kept priority runs fresh reserved order bytes }
    dz_group { bits }
    dz_group_desc { size owned_count included_count excluded_count owned included excluded reserved }
    dz_group_details { group count owned_count included_count excluded_count reserved bytes ids }
    dz_abi_field { name offset size }
    dz_abi_struct { name size alignment fields field_count reserved }
    dz_abi_value { name value reserved }
    dz_abi_enum { name values value_count reserved }
    dz_abi { version pointer_size structs enums struct_count enum_count }
    dz_component { element_size element_alignment policy pool }
};

const ENUMS: &[dz_abi_enum] = enums! {
    dz_status {
        DZ_OK DZ_ALREADY_THERE DZ_NOT_THERE DZ_NOTHING_TO_DO
        DZ_ERR_NULL_POINTER DZ_ERR_WORLD_NULL DZ_ERR_WORLD_DEAD DZ_ERR_WORLD_UNKNOWN DZ_ERR_WORLD_BROKEN
        DZ_ERR_TOO_MANY_WORLDS DZ_ERR_NULL_ENTITY DZ_ERR_TOMBSTONE DZ_ERR_DEAD DZ_ERR_NEVER_CREATED
        DZ_ERR_WRONG_WORLD DZ_ERR_RETIRED DZ_ERR_ROLE DZ_ERR_IS_COMPONENT DZ_ERR_NOT_COMPONENT
        DZ_ERR_DUPLICATE DZ_ERR_OCCUPIED DZ_ERR_RESERVED DZ_ERR_SIZE DZ_ERR_TAG DZ_ERR_ALIGNMENT
        DZ_ERR_SHAPE DZ_ERR_NAME DZ_ERR_HELD DZ_ERR_BUILTIN DZ_ERR_NOT_ELEMENT DZ_ERR_HOOK_FAILED
        DZ_ERR_IN_HOOK DZ_ERR_LISTENER DZ_ERR_POLICY DZ_ERR_GROUP DZ_ERR_GROUPED DZ_ERR_OWNED
        DZ_ERR_NOT_TERM DZ_ERR_OUT_OF_MEMORY DZ_ERR_BUDGET DZ_ERR_FULL DZ_ERR_EXHAUSTED DZ_ERR_COUNT
        DZ_ERR_DESC_SIZE DZ_ERR_DESC_TAIL DZ_ERR_ENUM DZ_ERR_RANGE DZ_ERR_ITER DZ_ERR_CHANGED
        DZ_ERR_ALLOCATOR DZ_ERR_INSTRUCTIONS DZ_ERR_QUERY DZ_ERR_QUERY_LOST DZ_ERR_NO_TERM DZ_ERR_ORDER
        DZ_ERR_SYNTAX DZ_ERR_NOT_KEPT DZ_ERR_NOT_SINGLE DZ_ERR_NO_PAIR DZ_ERR_PAIR_HELD DZ_ERR_CYCLE
        DZ_ERR_TRAITS DZ_ERR_DEEP DZ_ERR_SIBLING DZ_ERR_NO_PARENT DZ_ERR_NAME_TAKEN DZ_ERR_NOT_HELD
        DZ_ERR_INHERITED
    }
    dz_layout { DZ_LAYOUT_64 DZ_LAYOUT_32 }
    dz_recycling { DZ_RECYCLE_LIFO DZ_RECYCLE_FIFO }
    dz_overflow { DZ_OVERFLOW_RETIRE DZ_OVERFLOW_WRAP }
    dz_policy { DZ_POLICY_SWAP DZ_POLICY_STABLE }
    dz_direction { DZ_BACKWARD DZ_FORWARD }
    dz_sort_mode { DZ_SORT_ONCE DZ_SORT_KEEP }
    dz_event_kind { DZ_ON_ADD DZ_ON_SET DZ_ON_REMOVE DZ_ON_CREATE DZ_ON_DESTROY }
    dz_ask { DZ_WITH DZ_WITHOUT DZ_OPTIONAL DZ_ANY_OF }
    dz_access { DZ_INOUT DZ_IN DZ_OUT DZ_NO_ACCESS }
    dz_instructions { DZ_INSTRUCTIONS_BEST DZ_INSTRUCTIONS_BASELINE DZ_INSTRUCTIONS_V3 DZ_INSTRUCTIONS_V4 }
    dz_cleanup { DZ_CLEANUP_REMOVE DZ_CLEANUP_DELETE DZ_CLEANUP_REFUSE }
    dz_place { DZ_PLACE_LAST DZ_PLACE_FIRST DZ_PLACE_BEFORE DZ_PLACE_AFTER }
    dz_tree_order { DZ_PARENTS_FIRST DZ_CHILDREN_FIRST }
};

/// A constant that many threads may look at.
struct Table(dz_abi);

// SAFETY: it is never written, and all that its pointers lead to are constants.
unsafe impl Sync for Table {}

static TABLE: Table = Table(dz_abi {
    version: super::VERSION,
    pointer_size: size_of::<*const ()>() as u32,
    structs: STRUCTS.as_ptr(),
    enums: ENUMS.as_ptr(),
    struct_count: STRUCTS.len() as u32,
    enum_count: ENUMS.len() as u32,
});

/// The library's own description of its ABI: every public struct with the places of its fields, and the values of every
/// enum, in the order of the header. Bindings compare their declarations with it, in their tests or when they load
/// the library:
///
///     const dz_abi *abi = dz_abi_describe();
///     for (uint32_t i = 0; i < abi->struct_count; i++)
///         printf("%s: %u bytes\n", abi->structs[i].name, abi->structs[i].size);
///
/// A constant, never NULL; there is nothing to give back. Any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_abi_describe() -> *const dz_abi {
    &raw const TABLE.0
}
