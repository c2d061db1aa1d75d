//! The entity component system. Knows nothing of C.

pub mod error;
pub mod events;
pub mod ids;
pub mod query;
pub mod ranges;
pub mod registry;
pub mod storage;
pub mod world;
