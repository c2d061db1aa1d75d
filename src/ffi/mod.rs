//! The C boundary: convert, check, call the core, report. It holds no logic. One file for each
//! area of the header; `types` has its types, `boundary` what every function goes through.
// The documentation is the header's: what a caller must promise stands in it as plain sentences.
#![allow(clippy::missing_safety_doc)]

use crate::on;

pub mod abi;
pub mod access;
pub mod accessor;
pub mod bulk;
pub mod component;
pub mod describe;
pub mod enable;
pub mod entity;
pub mod group;
pub mod instance;
pub mod iterate;
pub mod listener;
pub mod name;
pub mod pair;
pub mod pair_types;
pub mod query;
pub mod query_types;
pub mod relation;
pub mod sort;
pub mod tree;
pub mod tree_types;
pub mod types;
pub mod world;

mod boundary;
mod descriptors;
mod iter;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
mod lines;
mod message;
mod record;
mod status;
#[doc(hidden)]
pub mod table;
mod text;

/// major << 16 | minor << 8 | patch, as in Cargo.toml (a test compares).
pub const VERSION: u32 = 0x0000_0100;
