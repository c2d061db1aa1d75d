//! The library against naive models: long random sequences of every operation, through the exported
//! functions only. What a model can't do wrong (a map, a vector) says what the library must answer.
//!
//! ```text
//!   arena   an allocator that notices every wrong call      kinds    components of all shapes, hooks that count
//!   slots   the naive registry                              naive    the naive world on top of it
//!   ops     the operations                                  run      does one on both sides and compares
//!   groups  groups and sorts, both sides
//!   check   compares everything that can be read            iterate  random changes while iterating
//!   iterate_owned  a pool that a group owns          dice     random numbers
//!   query   worlds and queries, naively evaluated           query_*  every way to iterate and ask them
//!                                                  query_order  their groups and sorts, naively
//!   optimise  pools put into order, a few moves at a time
//!   graph   who has which pairs, naively             pairs    pairs on both sides; pairs_check compares
//!   kin     the hierarchy, names, bases, naively     tree     these on both sides (tree_run); tree_check compares
//!   large   worlds of 100,000 entities, naively    large_changes    changes, that large_check looks at
//!                                                  large_iterate    changes while iterating their pools
//!   linked  queries of pairs, naively evaluated      linked_changes   random changes while iterating them
//!   iterate_table, query_table  the guides' tables, cell by cell; *_32: once more in the other layout
//! ```
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "every block here calls an exported function by its contract"
)]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, clippy::type_complexity, missing_docs)]
#![allow(clippy::duplicate_mod, reason = "tables that hold in both layouts")]

mod arena;
mod calls;
mod check;
mod dice;
mod each;
mod events;
mod graph;
mod groups;
mod iterate;
mod iterate_group;
mod iterate_owned;
mod iterate_table;
#[path = "iterate_table.rs"]
mod iterate_table_32;
mod kin;
mod kinds;
// Miri would take hours.
#[cfg(not(miri))]
mod large;
#[cfg(not(miri))]
mod large_changes;
#[cfg(not(miri))]
mod large_check;
#[cfg(not(miri))]
mod large_iterate;
mod linked;
mod linked_changes;
mod naive;
mod names;
mod ops;
mod optimise;
mod pairs;
mod pairs_check;
mod proofs;
mod query;
mod query_changes;
mod query_order;
mod query_table;
#[path = "query_table.rs"]
mod query_table_32;
mod query_walk;
mod run;
mod run_component;
mod slots;
mod spans;
mod tree;
mod tree_check;
mod tree_run;

/// How many cases: PROPTEST_CASES wins; Miri gets few. Failing seeds are not written to files.
pub fn config(cases: u32) -> proptest::test_runner::Config {
    let cases = match std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()) {
        Some(wanted) => wanted,
        None if cfg!(miri) => 2,
        None => cases,
    };
    proptest::test_runner::Config { cases, failure_persistence: None, ..Default::default() }
}

/// The layout of a table's module, by its name.
pub fn layout_of(module: &str) -> denizen::ffi::types::dz_layout {
    use denizen::ffi::types::dz_layout::*;
    if module.ends_with("_32") { DZ_LAYOUT_32 } else { DZ_LAYOUT_64 }
}

/// How many steps a sequence has at most.
pub const fn steps(most: usize) -> usize {
    if cfg!(miri) { 12 } else { most }
}
