//! The types of the hierarchy, as C sees them.
#![allow(non_camel_case_types)]

/// The role of an id that says whose child an entity is: DZ_CHILDOF(parent).
pub const DZ_ROLE_CHILDOF: u32 = 1;

/// Where a child comes among its siblings.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_place {
    /// Behind all others. The default.
    DZ_PLACE_LAST = 0,
    /// Before all others.
    DZ_PLACE_FIRST = 1,
    /// Before the sibling.
    DZ_PLACE_BEFORE = 2,
    /// Behind the sibling.
    DZ_PLACE_AFTER = 3,
}

/// In which order a subtree is visited.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_tree_order {
    /// Each entity before its children.
    DZ_PARENTS_FIRST = 0,
    /// Each entity behind its children.
    DZ_CHILDREN_FIRST = 1,
}
