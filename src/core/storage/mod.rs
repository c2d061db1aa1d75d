//! Memory and what is kept in it. All `unsafe` of the core is here.

pub mod bits;
pub mod blocks;
pub mod buffer;
pub mod desk;
#[cfg(test)]
mod dice;
#[cfg(target_arch = "x86_64")]
pub mod eights;
pub mod groups;
pub mod join;
pub mod kinds;
pub mod lifecycle;
pub mod links;
pub mod list;
pub mod map;
pub mod memory;
pub mod moment;
pub mod names;
pub mod order;
pub mod packed;
pub mod page;
pub mod paged;
pub mod pool;
pub mod pools;
pub mod prefetch;
pub mod relations;
pub mod shared;
pub mod slabs;
pub mod slice;
pub mod slots;
pub mod sorting;
pub mod sparse;
pub mod system;
pub mod table;
pub mod tracts;
pub mod tree;
