//! The types of pairs and relations, as C sees them.
#![allow(non_camel_case_types)]

use super::types::{dz_entity, dz_id};

/// The lowest role that is yours: DZ_ROLE(n, entity) for n from here to 255.
pub const DZ_ROLE_USER: u32 = 128;

/// The role of an id that says whose instance an entity is: DZ_INSTANCEOF(base).
pub const DZ_ROLE_INSTANCEOF: u32 = 2;

/// The role of pairs' ids.
pub const DZ_ROLE_PAIR: u32 = 3;

/// What becomes of a pair whose target, or whose relation, is destroyed.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_cleanup {
    /// The pair is taken off its holder. The default.
    DZ_CLEANUP_REMOVE = 0,
    /// The holder is destroyed too, and whoever goes along with it.
    DZ_CLEANUP_DELETE = 1,
    /// The call fails with DZ_ERR_PAIR_HELD, unless all holders go along anyway.
    DZ_CLEANUP_REFUSE = 2,
}

/// What a relation promises of its pairs. Begin with DZ_RELATION_DESC_INIT. Zero: nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_relation_desc {
    /// sizeof(dz_relation_desc), set by DZ_RELATION_DESC_INIT.
    pub size: u32,
    /// 1: an entity has at most one target; adding another replaces it.
    pub exclusive: u32,
    /// 1: if A has (R, B), B has (R, A). Both are added and removed together. Of a value B gets a copy when they are
    /// added; from then on each has its own.
    pub symmetric: u32,
    /// 1: nobody comes back to itself by it; adding what would close a cycle is DZ_ERR_CYCLE. Not with symmetric.
    pub acyclic: u32,
    /// 1: dz_has also finds (R, C) if A has (R, B) and B has (R, C), over up to 128 links: where the search first comes
    /// upon a longer way, it is DZ_ERR_DEEP. Only with acyclic.
    pub transitive: u32,
    /// 1: dz_has also finds (R, A) on A itself.
    pub reflexive: u32,
    /// A dz_cleanup: when a target is destroyed.
    pub on_target: i32,
    /// A dz_cleanup: when the relation is destroyed or unregistered.
    pub on_relation: i32,
    /// Another relation: whoever gets (R, B) gets (with, B) too, which stays when (R, B) goes. DZ_NULL: none. Where that has a
    /// `with` too, and so on, such a chain brings at most 8 others. If one in it is symmetric, none that it brings is acyclic.
    pub with: dz_id,
}

/// The halves of a pair: see dz_pair_halves.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_pair_parts {
    /// The relation.
    pub relation: dz_entity,
    /// The target.
    pub target: dz_entity,
}

// As in types.rs.
const _: () = {
    assert!(size_of::<dz_relation_desc>() == 40 && size_of::<dz_pair_parts>() == 16);
    assert!(core::mem::offset_of!(dz_relation_desc, with) == 32);
};
