//! The same for many entities in one call.
//!
//! Calls that change something are all or nothing: they check every entry and reserve all memory,
//! then act, and only then tell listeners (of removals before), entity by entity in the order of the array.
use super::boundary::{enter, slice, slice_mut};
use super::descriptors;
use super::on;
use super::types::*;
use crate::core::storage::lifecycle::Source;
use core::ffi::c_void;

/// dz_add for `n` entities, all or none. Those that have it already are left as they are;
/// DZ_ALREADY_THERE if all of them do. Errors: those of dz_add, DZ_ERR_DUPLICATE,
/// DZ_ERR_NULL_POINTER, DZ_ERR_COUNT. Writes. O(n): a quarter of what n calls take for entities that were created
/// together and are named in that order, if the component has no hooks, no group has it as a term and nobody is told of it.
/// Beside a group half to three quarters.
///
/// `entities` holds `n` handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_add_n(
    world: dz_world,
    entities: *const dz_entity,
    n: u32,
    id: dz_id,
) -> dz_status {
    enter("dz_add_n", world, |w| {
        // SAFETY: the caller's promise.
        let entities = unsafe { slice(entities, n, "entities") }?;
        on!(w, |w| w.add_n(entities, id)).map(dz_status::from)
    })
}

/// dz_remove for `n` entities, all or none. DZ_NOT_THERE if none of them has it. Errors: those of
/// dz_remove, DZ_ERR_DUPLICATE, DZ_ERR_NULL_POINTER. Writes. O(n). Needs no memory.
///
/// `entities` holds `n` handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_remove_n(
    world: dz_world,
    entities: *const dz_entity,
    n: u32,
    id: dz_id,
) -> dz_status {
    enter("dz_remove_n", world, |w| {
        // SAFETY: the caller's promise.
        let entities = unsafe { slice(entities, n, "entities") }?;
        on!(w, |w| w.remove_n(entities, id)).map(dz_status::from)
    })
}

/// dz_set for `n` entities, all or none: `values` holds `n` values of `size` bytes, one for each.
/// Errors: those of dz_set, DZ_ERR_DUPLICATE, DZ_ERR_COUNT. Writes. O(n), as dz_add_n.
///
/// `entities` holds `n` handles, and `values` n values. They don't lie in the component's own pool, where those that come
/// later might have been set before they are read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_set_n(
    world: dz_world,
    entities: *const dz_entity,
    n: u32,
    id: dz_id,
    size: u32,
    values: *const c_void,
) -> dz_status {
    enter("dz_set_n", world, |w| {
        // SAFETY: the caller's promise.
        let (entities, values) = unsafe {
            let values = match n {
                0 => Source::new(values.cast(), size),
                _ => descriptors::values(values, size, "values")?,
            };
            (slice(entities, n, "entities")?, values)
        };
        on!(w, |w| w.set_n(entities, id, values)).map(dz_status::from)
    })
}

/// dz_get for `n` entities in any order, duplicates welcome: writes a pointer, or NULL where the
/// entity doesn't have it, to each of `pointers`. Only what entities have themselves is found: NULL for what an
/// instance has from its base. On error all `n` of them are NULL. Errors: an entity's handle, a component's handle,
/// DZ_ERR_TAG, DZ_ERR_NULL_POINTER. Reads. O(n), several times as fast as n calls of dz_get.
///
/// `entities` holds `n` handles; `pointers` has room for `n`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_get_n(
    world: dz_world,
    entities: *const dz_entity,
    n: u32,
    id: dz_id,
    pointers: *mut *const c_void,
) -> dz_status {
    let status = enter("dz_get_n", world, |w| {
        // SAFETY: the caller's promise.
        let (entities, out) = unsafe {
            (slice(entities, n, "entities")?, slice_mut(pointers.cast::<*mut u8>(), n, "pointers")?)
        };
        on!(w, |w| w.get_n(entities, id, out)).map(dz_status::from)
    });
    // SAFETY: the caller's promise.
    unsafe { zero_if_failed(status, pointers, n) }
}

/// As dz_get_n, to write to; NULL, and no error, for what an instance has from its base. Errors: those of dz_get_n,
/// DZ_ERR_BUILTIN. Writes. O(n).
///
/// `entities` holds `n` handles; `pointers` has room for `n`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_get_mut_n(
    world: dz_world,
    entities: *const dz_entity,
    n: u32,
    id: dz_id,
    pointers: *mut *mut c_void,
) -> dz_status {
    let status = enter("dz_get_mut_n", world, |w| {
        // SAFETY: the caller's promise.
        let (entities, out) = unsafe {
            (slice(entities, n, "entities")?, slice_mut(pointers.cast::<*mut u8>(), n, "pointers")?)
        };
        on!(w, |w| w.get_mut_n(entities, id, out)).map(dz_status::from)
    });
    // SAFETY: the caller's promise.
    unsafe { zero_if_failed(status, pointers, n) }
}

/// dz_has for `n` entities, duplicates welcome: writes 1 or 0 to each of `answers`: 0 for what an instance has from
/// its base. On error all of them are 0. Errors: an entity's handle, a component's handle, DZ_ERR_NULL_POINTER. Reads.
/// O(n).
///
/// `entities` holds `n` handles; `answers` has room for `n` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_has_n(
    world: dz_world,
    entities: *const dz_entity,
    n: u32,
    id: dz_id,
    answers: *mut u8,
) -> dz_status {
    let status = enter("dz_has_n", world, |w| {
        // SAFETY: the caller's promise.
        let (entities, out) = unsafe { (slice(entities, n, "entities")?, slice_mut(answers, n, "answers")?) };
        on!(w, |w| w.has_n(entities, id, out)).map(dz_status::from)
    });
    // SAFETY: the caller's promise.
    unsafe { zero_if_failed(status, answers, n) }
}

/// dz_get_or_add for `n` entities, all or none; but what is added is as by dz_add_n, also where an instance has it from
/// its base: zeros, no copy. On error all `n` pointers are NULL. Errors: those of dz_get_or_add, DZ_ERR_DUPLICATE,
/// DZ_ERR_COUNT, DZ_ERR_NULL_POINTER. Writes. O(n).
///
/// `entities` holds `n` handles; `pointers` has room for `n`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_get_or_add_n(
    world: dz_world,
    entities: *const dz_entity,
    n: u32,
    id: dz_id,
    pointers: *mut *mut c_void,
) -> dz_status {
    let status = enter("dz_get_or_add_n", world, |w| {
        // SAFETY: the caller's promise.
        let (entities, out) = unsafe {
            (slice(entities, n, "entities")?, slice_mut(pointers.cast::<*mut u8>(), n, "pointers")?)
        };
        on!(w, |w| w.get_or_add_n(entities, id, out)).map(dz_status::from)
    });
    // SAFETY: the caller's promise.
    unsafe { zero_if_failed(status, pointers, n) }
}

/// After an error there is nothing to be used by mistake: outputs are all zero.
///
/// # Safety
/// `out` is NULL or has room for `n` values, for which zero is a value.
unsafe fn zero_if_failed<T>(status: dz_status, out: *mut T, n: u32) -> dz_status {
    if (status as i32) < 0 && !out.is_null() {
        // SAFETY: the caller's promise.
        unsafe { out.write_bytes(0, n as usize) };
    }
    status
}
