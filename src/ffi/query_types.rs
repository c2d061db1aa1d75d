//! The types of queries and of iterations, as C sees them.
#![allow(non_camel_case_types)]

use super::types::{dz_entity, dz_id, dz_world};
use core::ffi::{c_char, c_void};

/// The most terms of a query.
pub const DZ_MAX_TERMS: u32 = 32;

/// The most entities of a batch that isn't a run.
pub const DZ_MAX_PICKS: u32 = 128;

/// What a term asks of an entity.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_ask {
    /// It has the component. The default.
    DZ_WITH = 0,
    /// It doesn't have it.
    DZ_WITHOUT = 1,
    /// Either; the field says whether it has; of what has no value but isn't a component, dz_iter_target does.
    DZ_OPTIONAL = 2,
    /// It has at least one of the terms with the same any_of.
    DZ_ANY_OF = 3,
}

/// What a loop does with a term's components. It is noted, for schedulers; only DZ_NO_ACCESS changes
/// what a query hands out. Whatever was asked for, dz_query_terms says DZ_IN at most of what has no data (tags) or may be a
/// base's, and DZ_NO_ACCESS of DZ_WITHOUT.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_access {
    /// Reads and writes. The default.
    DZ_INOUT = 0,
    /// Only reads.
    DZ_IN = 1,
    /// Only writes.
    DZ_OUT = 2,
    /// Neither: the term only says who matches, and its field is empty. Costs less.
    DZ_NO_ACCESS = 3,
}

/// Which instructions queries use. All give the same results.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dz_instructions {
    /// The best that the processor has and that pays. The default.
    DZ_INSTRUCTIONS_BEST = 0,
    /// What every processor of the architecture has.
    DZ_INSTRUCTIONS_BASELINE = 1,
    /// x86-64-v3: bit counting in hardware, AVX2.
    DZ_INSTRUCTIONS_V3 = 2,
    /// x86-64-v4: AVX-512. It has the instructions of v3 today: with more, nothing was faster.
    DZ_INSTRUCTIONS_V4 = 3,
}

/// A query, as dz_query_create returns it. {0} is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct dz_query {
    /// Opaque.
    pub bits: u32,
}

/// In dz_term.target: any. In dz_term.id, beside a target: any relation.
pub const DZ_ANY: u64 = 0x0400_0000_0000_0000;

/// In dz_term.source: the entity's parent.
pub const DZ_PARENT: u64 = 0x0400_0000_0000_0001;

/// In dz_term.source: the nearest above the entity that has it.
pub const DZ_UP: u64 = 0x0400_0000_0000_0002;

/// In dz_term.source: the entity's own, or that of the nearest base that has it (see DZ_INSTANCEOF). Such a term only
/// reads, or who writes would write to all instances: DZ_INOUT counts as DZ_IN, and DZ_OUT is DZ_ERR_RANGE.
pub const DZ_INHERIT: u64 = 0x0400_0000_0000_0004;

/// In dz_term.source: the world-wide value (dz_singleton_set).
pub const DZ_WORLD_VALUE: u64 = 0x0400_0000_0000_0003;

/// A term of a query.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_term {
    /// The component or tag. Of a pair the relation, beside a target, or DZ_ANY. Or another id that can be added: a
    /// pair's, an entity's, one with a role, DZ_CHILDOF(parent).
    pub id: dz_id,
    /// Of a pair: the target; DZ_ANY: the query yields once for each pair; DZ_VARIABLE(n): likewise, and other
    /// terms refer to the target by it; or the target that an earlier term found. Else DZ_NULL.
    pub target: dz_entity,
    /// Whose component or pair: DZ_NULL: the entity's own. DZ_INHERIT, DZ_PARENT, DZ_UP, DZ_WORLD_VALUE (which a tag never
    /// has), DZ_VARIABLE(n), or an entity.
    pub source: dz_entity,
    /// A dz_ask.
    pub ask: i32,
    /// A dz_access.
    pub access: i32,
    /// For DZ_ANY_OF (components of the entity's own only): 0 to 255; of the terms with the same number at least one must
    /// be there. Else 0.
    pub any_of: u32,
    /// Zero.
    pub reserved: u32,
}

/// How a query is made. Begin with DZ_QUERY_DESC_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_query_desc {
    /// sizeof(dz_query_desc), set by DZ_QUERY_DESC_INIT.
    pub size: u32,
    /// Terms in `terms`, at most DZ_MAX_TERMS; 0 if there is a text.
    pub term_count: u32,
    /// The terms. Copied.
    pub terms: *const dz_term,
    /// Or the query as text (see dz_query_parse), or NULL.
    pub text: *const c_char,
    /// A with-term's component, if iterating is to follow the order of its pool (see dz_sort; fast where the pools of the
    /// other terms are in that order too); else DZ_NULL: the order of indices. Not in a query that goes from entity to
    /// entity: see dz_query_create.
    pub order: dz_id,
    /// 1: a kept query: dz_query_refresh lets it remember its matches. 0: it looks for them each time.
    pub kept: u32,
    /// Where kept queries want different orders of dz_optimize, the higher priority decides. 0 if not kept.
    pub priority: i32,
    /// 1: parents come before their children, level by level; who is outside of the hierarchy comes first.
    pub cascade: u32,
    /// 1: it finds bases (see dz_set_base), and only them; else it passes over them.
    pub bases: u32,
}

/// What is known of a query. Written by dz_query_info.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_query_details {
    /// Its terms.
    pub term_count: u32,
    /// 1: it is kept.
    pub kept: u32,
    /// Of a kept one.
    pub priority: i32,
    /// Runs that it remembers (of a query with pairs or of the hierarchy: batches); 0: none, or they were too short to
    /// be worth it.
    pub runs: u32,
    /// 1: what it remembers is how it is.
    pub fresh: u32,
    /// Zero.
    pub reserved: u32,
    /// The component whose order it follows, or DZ_NULL.
    pub order: dz_id,
    /// Bytes that it holds.
    pub bytes: u64,
}

/// Called with each batch of a query: see dz_query_each. It must not throw.
pub type dz_batch_fn = Option<unsafe extern "C" fn(batch: *mut dz_iter, user: *mut c_void)>;

/// An iteration, and the batch of entities it stands on: a run, every field an array, or a gather, an address for each
/// element. DZ_AT reads both. Yours: on the stack (5,552 bytes on 64-bit machines), freely copied, left early without a
/// call. Read what is described; the rest is for the inline helpers and the library.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_iter {
    /// dz_iterate_pool: the span's components, `count` of them, contiguous; NULL for a tag.
    pub data: *mut c_void,
    /// The entities, of `entity_size` bytes each: see dz_iter_entity.
    pub entities: *const c_void,
    /// Elements in the batch.
    pub count: u32,
    /// dz_iterate_pool: bytes from one component to the next.
    pub stride: u32,
    /// 8 or 4, by the world's layout.
    pub entity_size: u32,
    /// A dz_status: DZ_OK, or why dz_next returned false before the end.
    pub status: i32,
    /// The library's.
    pub changes: *const u64,
    /// The library's.
    pub seen: u64,
    /// The library's.
    pub current: dz_entity,
    /// The library's.
    pub position: u32,
    /// The library's.
    pub flags: u32,
    /// The library's.
    pub world: dz_world,
    /// The library's.
    pub first: u32,
    /// The library's.
    pub id: dz_id,
    /// The library's.
    pub era: u64,
    /// The library's.
    pub pool_changes: u64,
    /// The library's.
    pub end: u32,
    /// The library's.
    pub limit: u32,
    /// The library's.
    pub settled: u64,
    /// The library's.
    pub log: u64,
    /// The library's.
    pub magic: u64,
    /// The library's.
    pub settler: u32,
    /// 0: the batch is a run. 1: it is a gather.
    pub gather: u32,
    /// Terms of the query: so many fields there are.
    pub term_count: u32,
    /// The library's.
    pub query: u32,
    /// Of a run: each term's first component; NULL: nobody of the batch has it, or none is
    /// handed out (of an optional or any-of tag that is there it isn't NULL).
    pub fields: [*mut c_void; 32],
    /// Bytes from one component of each term to the next.
    pub strides: [u32; 32],
    /// The library's.
    pub offsets: [u16; 32],
    /// The library's.
    pub walk: [u64; 32],
    /// The library's.
    pub picks: [u32; 136],
    /// The library's.
    pub rows: [*mut c_void; 520],
}

// As in types.rs.
#[cfg(target_pointer_width = "64")]
const _: () = {
    use core::mem::offset_of;
    assert!(size_of::<dz_query>() == 4 && size_of::<dz_term>() == 40);
    assert!(size_of::<dz_query_desc>() == 48 && offset_of!(dz_query_desc, order) == 24);
    assert!(size_of::<dz_query_details>() == 40);
    assert!(size_of::<dz_iter>() == 5552 && offset_of!(dz_iter, count) == 16);
    assert!(offset_of!(dz_iter, status) == 28 && offset_of!(dz_iter, position) == 56);
    assert!(offset_of!(dz_iter, fields) == 144 && offset_of!(dz_iter, picks) == 848);
};
