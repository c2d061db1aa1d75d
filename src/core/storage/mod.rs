//! Memory and what is kept in it. All `unsafe` of the core is here.

pub mod blocks;
pub mod buffer;
pub mod groups;
pub mod join;
pub mod kinds;
pub mod lifecycle;
pub mod list;
pub mod memory;
pub mod order;
pub mod packed;
pub mod page;
pub mod pool;
pub mod pools;
pub mod shared;
pub mod sorting;
pub mod sparse;
pub mod table;
