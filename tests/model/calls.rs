//! The exported functions with slices and vectors instead of pointers and counts.

use denizen::ffi::types::*;
use denizen::ffi::{access::*, bulk::*, component::*, entity::*, iterate::*, query::*, world::*};
use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;

pub use denizen::ffi::types::dz_status as S;

pub const OK: S = S::DZ_OK;

/// The error that the last call left, or what it returned.
pub fn last() -> S {
    dz_error_status()
}

pub fn message() -> String {
    unsafe { CStr::from_ptr(dz_error_message()) }.to_string_lossy().into_owned()
}

pub fn world_desc() -> dz_world_desc {
    let mut desc: dz_world_desc = unsafe { std::mem::zeroed() };
    desc.size = size_of::<dz_world_desc>() as u32;
    desc
}

pub fn world(desc: &dz_world_desc) -> dz_world {
    let world = unsafe { dz_world_create(desc) };
    assert_ne!(world.bits, 0, "{}", message());
    world
}

pub fn plain_world(layout: dz_layout) -> dz_world {
    world(&dz_world_desc { layout: layout as i32, ..world_desc() })
}

pub fn register(world: dz_world, name: &CStr, size: u32, align: u32, stable: bool, hooks: dz_hooks) -> dz_id {
    let desc = dz_component_desc {
        size: size_of::<dz_component_desc>() as u32,
        policy: i32::from(stable),
        name: name.as_ptr(),
        element_size: size,
        element_alignment: align,
        hooks,
    };
    unsafe { dz_component_register(world, &desc) }
}

pub const NO_HOOKS: dz_hooks =
    dz_hooks { construct: None, destruct: None, copy: None, relocate: None, user: std::ptr::null_mut() };

pub fn create_n(world: dz_world, n: u32) -> (S, Vec<dz_entity>) {
    let mut out = vec![0; n as usize];
    (unsafe { dz_create_n(world, n, out.as_mut_ptr()) }, out)
}

pub fn create_at_n(world: dz_world, entities: &[dz_entity]) -> S {
    unsafe { dz_create_at_n(world, entities.as_ptr(), entities.len() as u32) }
}

/// So many indices are kept for components that the pages of all others are far from a pool's first.
pub const FAR: u32 = 9000;

/// Columns: component, values (none: NULL), bytes of one.
pub fn create_with(
    world: dz_world,
    n: u32,
    columns: &[(dz_id, Option<Vec<u8>>, u32)],
    keep: bool,
) -> (S, Vec<dz_entity>) {
    let columns: Vec<_> = columns
        .iter()
        .map(|(id, values, size)| dz_column {
            id: *id,
            values: values.as_ref().map_or(std::ptr::null(), |values| values.as_ptr().cast()),
            element_size: *size,
            reserved: 0,
        })
        .collect();
    let mut out = vec![0; if keep { n as usize } else { 0 }];
    let place = if keep { out.as_mut_ptr() } else { std::ptr::null_mut() };
    (unsafe { dz_create_with(world, n, columns.as_ptr(), columns.len() as u32, place) }, out)
}

pub fn destroy_n(world: dz_world, entities: &[dz_entity]) -> S {
    unsafe { dz_destroy_n(world, entities.as_ptr(), entities.len() as u32, std::ptr::null_mut()) }
}

pub fn destroy_each(world: dz_world, entities: &[dz_entity]) -> (S, Vec<S>) {
    let mut report = vec![OK; entities.len()];
    let n = entities.len() as u32;
    (unsafe { dz_destroy_n(world, entities.as_ptr(), n, report.as_mut_ptr()) }, report)
}

pub fn set(world: dz_world, entity: dz_entity, id: dz_id, value: &[u8]) -> S {
    unsafe { dz_set(world, entity, id, value.len() as u32, value.as_ptr().cast()) }
}

pub fn add_n(world: dz_world, entities: &[dz_entity], id: dz_id) -> S {
    unsafe { dz_add_n(world, entities.as_ptr(), entities.len() as u32, id) }
}

pub fn remove_n(world: dz_world, entities: &[dz_entity], id: dz_id) -> S {
    unsafe { dz_remove_n(world, entities.as_ptr(), entities.len() as u32, id) }
}

pub fn set_n(world: dz_world, entities: &[dz_entity], id: dz_id, size: u32, values: &[u8]) -> S {
    unsafe { dz_set_n(world, entities.as_ptr(), entities.len() as u32, id, size, values.as_ptr().cast()) }
}

pub fn get_n(world: dz_world, entities: &[dz_entity], id: dz_id) -> (S, Vec<*const c_void>) {
    let mut out = vec![std::ptr::dangling(); entities.len()];
    let n = entities.len() as u32;
    (unsafe { dz_get_n(world, entities.as_ptr(), n, id, out.as_mut_ptr()) }, out)
}

pub fn get_mut_n(world: dz_world, entities: &[dz_entity], id: dz_id) -> (S, Vec<*mut c_void>) {
    let mut out = vec![std::ptr::dangling_mut(); entities.len()];
    let n = entities.len() as u32;
    (unsafe { dz_get_mut_n(world, entities.as_ptr(), n, id, out.as_mut_ptr()) }, out)
}

pub fn has_n(world: dz_world, entities: &[dz_entity], id: dz_id) -> (S, Vec<u8>) {
    let mut out = vec![7; entities.len()];
    let n = entities.len() as u32;
    (unsafe { dz_has_n(world, entities.as_ptr(), n, id, out.as_mut_ptr()) }, out)
}

pub fn get_or_add_n(world: dz_world, entities: &[dz_entity], id: dz_id) -> (S, Vec<*mut c_void>) {
    let mut out = vec![std::ptr::dangling_mut(); entities.len()];
    let n = entities.len() as u32;
    (unsafe { dz_get_or_add_n(world, entities.as_ptr(), n, id, out.as_mut_ptr()) }, out)
}

pub fn singleton_set(world: dz_world, id: dz_id, value: &[u8]) -> S {
    unsafe { dz_singleton_set(world, id, value.len() as u32, value.as_ptr().cast()) }
}

/// The ids that an entity has, asked for in two ways.
pub fn type_of(world: dz_world, entity: dz_entity) -> Result<Vec<dz_id>, S> {
    let (mut count, mut ids) = (0, vec![0; 64]);
    match unsafe { dz_type(world, entity, std::ptr::null_mut(), 0, &mut count) } {
        OK => {}
        error => return Err(error),
    }
    let whole = count;
    assert_eq!(unsafe { dz_type(world, entity, ids.as_mut_ptr(), 64, &mut count) }, OK);
    assert_eq!(count, whole);
    ids.truncate(count as usize);
    Ok(ids)
}

/// All who live, asked for `chunk` at a time.
pub fn entities(world: dz_world, chunk: u32) -> Vec<dz_entity> {
    let (mut all, mut first) = (Vec::new(), 0);
    while first != u32::MAX {
        let (mut out, mut count) = (vec![0; chunk as usize], 0);
        let status = unsafe { dz_entities(world, first, out.as_mut_ptr(), chunk, &mut count, &mut first) };
        assert_eq!(status, OK);
        all.extend(&out[..count as usize]);
    }
    all
}

pub fn components(world: dz_world) -> Vec<dz_id> {
    let (mut ids, mut count) = (vec![0; 64], 0);
    assert_eq!(unsafe { dz_components(world, ids.as_mut_ptr(), 64, &mut count) }, OK);
    ids.truncate(count as usize);
    ids
}

pub fn info(world: dz_world, id: dz_id) -> Result<dz_component_details, S> {
    let mut details = MaybeUninit::uninit();
    match unsafe { dz_component_info(world, id, details.as_mut_ptr()) } {
        OK => Ok(unsafe { details.assume_init() }),
        error => Err(error),
    }
}

pub fn stats(world: dz_world) -> dz_world_numbers {
    let mut numbers = dz_world_numbers::default();
    assert_eq!(unsafe { dz_world_stats(world, &mut numbers) }, OK);
    numbers
}

/// Starts an iteration.
pub fn iterate(world: dz_world, id: dz_id, direction: dz_direction) -> (S, dz_iter) {
    let mut iter = MaybeUninit::uninit();
    let status = unsafe { dz_iterate_pool(world, id, direction as i32, iter.as_mut_ptr()) };
    (status, unsafe { iter.assume_init() })
}

/// A query's iteration, which must begin.
pub fn iterate_query(world: dz_world, query: dz_query) -> dz_iter {
    let mut iter = MaybeUninit::uninit();
    assert_eq!(unsafe { dz_iterate(world, query, iter.as_mut_ptr()) }, OK, "{}", message());
    unsafe { iter.assume_init() }
}

/// That of one of so many parts.
pub fn iterate_part(world: dz_world, query: dz_query, part: u32, parts: u32) -> dz_iter {
    let mut iter = MaybeUninit::uninit();
    let status = unsafe { dz_iterate_part(world, query, part, parts, iter.as_mut_ptr()) };
    assert_eq!(status, OK, "{}", message());
    unsafe { iter.assume_init() }
}

pub fn next(iter: &mut dz_iter) -> bool {
    unsafe { dz_next(iter) }
}

/// `size` bytes at an address.
pub fn bytes(at: *const c_void, size: usize) -> Vec<u8> {
    unsafe { std::slice::from_raw_parts(at.cast::<u8>(), size) }.to_vec()
}
