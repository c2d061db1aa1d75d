//! What every exported function goes through: panics, null checks, slices, failure values.

use super::table::{self, Any};
use super::types::{dz_group, dz_listener, dz_query, dz_status, dz_world};
use super::{message, record};
use crate::core::error::{Error, Kind};
use core::mem::MaybeUninit;
use std::any::Any as Thrown;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function returns when it fails.
pub trait Failed {
    /// That value.
    fn failed(status: dz_status) -> Self;
}

impl Failed for dz_status {
    fn failed(status: dz_status) -> Self {
        status
    }
}

impl Failed for bool {
    fn failed(_: dz_status) -> Self {
        false
    }
}

impl Failed for u32 {
    fn failed(_: dz_status) -> Self {
        0
    }
}

impl Failed for u64 {
    fn failed(_: dz_status) -> Self {
        0
    }
}

impl Failed for dz_world {
    fn failed(_: dz_status) -> Self {
        Self::default()
    }
}

impl Failed for dz_query {
    fn failed(_: dz_status) -> Self {
        Self::default()
    }
}

impl Failed for dz_listener {
    fn failed(_: dz_status) -> Self {
        Self::default()
    }
}

impl Failed for dz_group {
    fn failed(_: dz_status) -> Self {
        Self::default()
    }
}

impl<T> Failed for *const T {
    fn failed(_: dz_status) -> Self {
        core::ptr::null()
    }
}

impl<T> Failed for *mut T {
    fn failed(_: dz_status) -> Self {
        core::ptr::null_mut()
    }
}

/// Runs a call on a world: finds it, catches panics, keeps the error and tells the log.
#[inline(always)]
pub fn enter<T: Failed>(
    function: &'static str,
    world: dz_world,
    f: impl FnOnce(&Any) -> Result<T, Error>,
) -> T {
    // Errors are kept inside and looked at where they are made, so that only the value comes out: what a call costs on
    // success, and how long each function is.
    let call = || match table::peek(world) {
        Some(found) => match f(&found) {
            Ok(value) => value,
            Err(ref error) => T::failed(message::fail(function, world, error)),
        },
        None => T::failed(refused(function, world)),
    };
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| T::failed(panicked(function, world, panic)))
}

/// Ends a call that failed on its short way.
#[cold]
#[inline(never)]
pub fn end(function: &'static str, world: dz_world, error: Error) -> dz_status {
    enter(function, world, |_| Err(error))
}

/// As `enter`, for a question whose "no" is no error: keeps the reason, and tells no log.
#[inline]
pub fn ask(function: &'static str, world: dz_world, f: impl FnOnce(&Any) -> Result<(), Error>) -> dz_status {
    match catch_unwind(AssertUnwindSafe(|| f(&table::find(world)?))) {
        Ok(Ok(())) => dz_status::DZ_OK,
        Ok(Err(error)) => record::keep(function, world, &error),
        Err(panic) => panicked(function, world, panic),
    }
}

/// Runs a call that is not on a world.
pub fn enter_alone<T: Failed>(function: &'static str, f: impl FnOnce() -> Result<T, Error>) -> T {
    guard(function, dz_world::default(), f)
}

/// Runs a call about a world that it looks for itself.
pub fn guard<T: Failed>(function: &'static str, world: dz_world, f: impl FnOnce() -> Result<T, Error>) -> T {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(value)) => value,
        Ok(Err(error)) => T::failed(message::fail(function, world, &error)),
        Err(panic) => T::failed(panicked(function, world, panic)),
    }
}

/// There is no such world.
#[cold]
#[inline(never)]
fn refused(function: &'static str, world: dz_world) -> dz_status {
    message::fail(function, world, &table::why(world))
}

/// Takes what was thrown, so that it is dropped here and not in every function.
#[allow(clippy::disallowed_types)] // the standard library made it
#[cold]
#[inline(never)]
fn panicked(function: &'static str, world: dz_world, panic: Box<dyn Thrown + Send>) -> dz_status {
    drop(panic);
    table::break_world(world);
    message::fail(function, world, &Error::new(Kind::WorldBroken).about(world.bits.into()))
}

/// An array that the caller hands in. NULL is fine for none.
///
/// # Safety
/// `at` is NULL or has `count` values.
pub unsafe fn slice<'a, T>(at: *const T, count: u32, name: &'static str) -> Result<&'a [T], Error> {
    check_array(at, count, name)?;
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(at, count as usize) })
}

/// An array of the caller's to write to. NULL is fine for none.
///
/// # Safety
/// `at` is NULL or has room for `count` values; what C has there are just bytes, and any bytes are a value of `T`.
pub unsafe fn slice_mut<'a, T>(at: *mut T, count: u32, name: &'static str) -> Result<&'a mut [T], Error> {
    check_array(at, count, name)?;
    if count == 0 {
        return Ok(&mut []);
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts_mut(at, count as usize) })
}

fn check_array<T>(at: *const T, count: u32, name: &'static str) -> Result<(), Error> {
    if at.is_null() && count > 0 {
        return Err(Error::new(Kind::NullPointer).named(name));
    }
    if (count as usize).checked_mul(size_of::<T>()).is_none_or(|bytes| isize::try_from(bytes).is_err()) {
        return Err(Error::count(name, count.into(), 0));
    }
    Ok(())
}

/// A place of the caller's for one value.
///
/// # Safety
/// `at` is NULL or has room for a value.
pub unsafe fn output<'a, T>(at: *mut T, name: &'static str) -> Result<&'a mut MaybeUninit<T>, Error> {
    // SAFETY: the caller's promise.
    unsafe { at.cast::<MaybeUninit<T>>().as_mut() }.ok_or(Error::new(Kind::NullPointer).named(name))
}
