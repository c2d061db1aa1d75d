//! The Rust peers as relaters.

pub mod bevy;
