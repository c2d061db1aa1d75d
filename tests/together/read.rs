//! Lists that are read and values that are written, with vectors instead of pointers and counts.

use crate::calls::{OK, S, message};
use crate::each::{each, entity_at};
use crate::kinds::Kind;
use denizen::ffi::types::*;
use denizen::ffi::{group::*, iterate::*, query::*, world::dz_error_clear};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null;

/// What a list call lists.
pub fn listed<T: Clone + Default>(call: impl Fn(*mut T, u32, *mut u32) -> S) -> Vec<T> {
    let mut count = 0;
    assert_eq!(call(std::ptr::null_mut(), 0, &mut count), OK, "{}", message());
    let (mut all, mut written) = (vec![T::default(); count as usize], 0);
    assert_eq!(call(all.as_mut_ptr(), count, &mut written), OK, "{}", message());
    assert_eq!(count, written);
    all
}

/// A list that is written piece by piece.
pub fn pieces(size: usize, call: impl Fn(u64, *mut u64, u32) -> u32) -> Vec<u64> {
    let (mut all, mut piece) = (vec![], vec![0; size]);
    loop {
        let count = call(all.last().copied().unwrap_or(0), piece.as_mut_ptr(), size as u32) as usize;
        all.extend(&piece[..count]);
        if count == 0 {
            return all;
        }
    }
}

/// A value, or none: an answer and no error.
pub fn quietly<T>(call: impl FnOnce() -> T) -> T {
    call!(dz_error_clear());
    let value = call();
    assert_eq!(crate::calls::last(), OK, "{}", message());
    value
}

/// Writes a payload to an element.
pub fn write(kind: &Kind, at: *mut c_void, payload: &[u8]) {
    assert_eq!(payload.len(), kind.size as usize - kind.serial());
    let at = at.cast::<u8>().wrapping_add(kind.serial());
    unsafe { at.copy_from_nonoverlapping(payload.as_ptr(), payload.len()) };
}

/// `dz_at_if` of denizen_inline.h.
pub fn at_if(iter: &dz_iter, term: usize, i: u32, size: u32) -> *const c_void {
    if iter.gather != 0 {
        let offset = iter.offsets[term];
        return if offset == u16::MAX { null() } else { iter.rows[offset as usize + i as usize] };
    }
    let first = iter.fields[term];
    if first.is_null() { first } else { first.wrapping_byte_add(i as usize * size as usize) }
}

/// An iteration that must begin.
pub fn start(call: impl FnOnce(*mut dz_iter) -> S) -> dz_iter {
    let mut iter = MaybeUninit::uninit();
    assert_eq!(call(iter.as_mut_ptr()), OK, "{}", message());
    unsafe { iter.assume_init() }
}

pub fn pool(world: dz_world, id: dz_id, direction: dz_direction) -> dz_iter {
    start(|out| call!(dz_iterate_pool(world, id, direction as i32, out)))
}

pub fn group(world: dz_world, group: dz_group, direction: dz_direction) -> dz_iter {
    start(|out| call!(dz_iterate_group(world, group, direction as i32, out)))
}

pub fn query(world: dz_world, query: dz_query) -> dz_iter {
    start(|out| call!(dz_iterate(world, query, out)))
}

/// The plain loop: all that is left of an iteration, in its order.
pub fn rest(iter: &mut dz_iter) -> Vec<u64> {
    let mut all = vec![];
    while call!(dz_next(iter)) {
        assert!(iter.count > 0, "a batch of nobody");
        let batch = (0..iter.count).map(|i| entity_at(iter, i));
        // A span's elements ascend, whatever the direction.
        if iter.flags & 1 == 0 { all.extend(batch.rev()) } else { all.extend(batch) }
    }
    assert_eq!(iter.status, OK as i32, "{}", message());
    all
}

/// The next element of a batch, by DZ_EACH.
pub fn step(iter: &mut dz_iter) -> Option<u32> {
    if iter.changes.is_null() || unsafe { iter.changes.read() } != iter.seen {
        crate::record::called("dz_each_slow");
    }
    each(iter)
}
