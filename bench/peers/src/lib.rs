//! The Rust peers: one trait, its implementations, and the table of C functions that puts any of
//! them behind a shared library. The bench compiles this crate in ("inlined"); the crate `wall`
//! compiles the same code into a shared library ("behind the wall"), so that both are measured
//! doing exactly the same.

pub mod bevy;
pub mod contender;
pub mod hecs;
pub mod parts;
pub mod querier;
pub mod queries;
pub mod relater;
pub mod relaters;
pub mod sparsey;
pub mod standin;
pub mod table;

pub use contender::Contender;
pub use parts::{C2, P, V};
pub use querier::Querier;
pub use relater::Relater;
