//! denizen: an entity component system as a C shared library.
//!
//! ```text
//!   include/denizen/denizen.h        what C sees, generated from ffi
//!          |
//!   ffi    convert, check, call, report; the table of worlds
//!          |
//!   core   world    entities and components together, listeners, iteration
//!            |
//!          query    terms and their text, kept queries, where an iteration stands
//!            |
//!          registry who lives
//!            |
//!          storage  pools (sparse + packed), kinds, buffers, memory      <- all unsafe of the core
//!            |
//!          ids      handles and their layouts;  error, events: plain values
//! ```
//!
//! Dependencies point down only. Nothing here uses Rust's global allocator: all memory of a world
//! comes from its own (`core::storage::memory`).
#![warn(missing_docs)]

pub mod core;
pub mod ffi;
