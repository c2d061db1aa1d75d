//! What the tests of the boundary share.
// Each test program uses a part of this; calls into the library pass what stands beside them.
#![allow(dead_code, clippy::undocumented_unsafe_blocks)]

pub mod allocator;
pub mod calls;
pub mod snapshot;
pub mod stage;

use denizen::ffi::types::*;
use denizen::ffi::world::{dz_error_message, dz_error_status, dz_world_create, dz_world_destroy};
use std::ffi::CStr;

/// Both layouts.
pub const LAYOUTS: [dz_layout; 2] = [dz_layout::DZ_LAYOUT_64, dz_layout::DZ_LAYOUT_32];

/// A world's descriptor with every default.
pub fn world_desc(layout: dz_layout) -> dz_world_desc {
    // All zero but for the size is what DZ_WORLD_DESC_INIT makes.
    let mut desc: dz_world_desc = unsafe { std::mem::zeroed() };
    desc.size = size_of::<dz_world_desc>() as u32;
    desc.layout = layout as i32;
    desc
}

/// A component's descriptor; the name must end with a zero and outlive it.
pub fn component_desc(name: &CStr, size: u32, alignment: u32) -> dz_component_desc {
    let mut desc: dz_component_desc = unsafe { std::mem::zeroed() };
    desc.size = size_of::<dz_component_desc>() as u32;
    desc.name = name.as_ptr();
    desc.element_size = size;
    desc.element_alignment = alignment;
    desc
}

/// A world of that layout with every default.
pub fn plain_world(layout: dz_layout) -> dz_world {
    let world = unsafe { dz_world_create(&world_desc(layout)) };
    assert_ne!(world.bits, 0, "{}", message());
    world
}

/// Ends a world, which must work.
pub fn end(world: dz_world) {
    assert_eq!(dz_world_destroy(world), dz_status::DZ_OK, "{}", message());
}

/// The thread's last error as a sentence.
pub fn message() -> String {
    unsafe { CStr::from_ptr(dz_error_message()) }.to_string_lossy().into_owned()
}

/// The thread's last error.
pub fn last() -> dz_status {
    dz_error_status()
}

/// The print form of a handle (M64), made without the library.
pub fn print_form(entity: dz_entity) -> String {
    if entity >> 56 == u64::from(denizen::ffi::types::DZ_ROLE_PAIR) {
        return format!("pair {entity:#x}");
    }
    let entity = entity & (u64::MAX >> 8);
    if entity >> 32 == 0 {
        format!("E:{}[{}]", entity & 0xF_FFFF, entity >> 20)
    } else {
        format!("E:{}-{}[{}]", entity >> 48 & 0xFF, entity as u32, entity >> 32 & 0xFFFF)
    }
}

/// A number from 0 to `below`, the next of a sequence.
pub fn next(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}
