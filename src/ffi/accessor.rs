//! Accessors: a world and a component, found once, for many single lookups.
use super::access;
use super::boundary::{enter, output};
use super::on;
use super::table;
use super::types::*;
use crate::core::ids::{Layout, Narrow, Wide};
use crate::core::storage::pool::Pool;
use core::ffi::c_void;
use core::ptr::null_mut;

/// A world and one of its components, found once. Yours: freely copied, nothing to give back. It stays good
/// until any component of the world is unregistered, or the world destroyed; used after that it is as good as new:
/// each call then finds them again, or says why it can't. Written by dz_accessor_init alone: its fields are to read, as what
/// they say was looked up. All zero is none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dz_accessor {
    /// The world.
    pub world: dz_world,
    /// The library's.
    pub gone: u32,
    /// The component.
    pub id: dz_id,
    /// The library's.
    pub pool: *const c_void,
    /// The library's.
    pub stamp: u64,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<dz_accessor>() == 32);

/// Makes an accessor for code that looks many single entities up: dz_accessor_get and its kin do what dz_get and
/// its kin do, faster. (For an array of entities dz_get_n is faster still.)
///
/// Errors: a component's handle, DZ_ERR_NULL_POINTER; all is zero then. Reads. O(1).
///
/// `accessor` has room for one dz_accessor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_accessor_init(
    world: dz_world,
    id: dz_id,
    accessor: *mut dz_accessor,
) -> dz_status {
    // SAFETY: the caller's promise; the two are not used at once.
    let place = || unsafe { output(accessor, "accessor") };
    let found = enter("dz_accessor_init", world, |w| {
        let out = place()?;
        let (pool, stamp): (*const c_void, u64) = on!(w, |w| w.locate(id))?;
        out.write(dz_accessor { world, gone: table::gone(world), id, pool, stamp });
        Ok(dz_status::DZ_OK)
    });
    if let (Ok(out), true) = (place(), found != dz_status::DZ_OK) {
        out.write(dz_accessor { world: dz_world { bits: 0 }, gone: 0, id: 0, pool: null_mut(), stamp: 0 });
    }
    found
}

/// An entity's element, if the accessor is good, the entity has the component, and it is plain.
#[inline(always)]
fn element(accessor: &dz_accessor, entity: dz_entity) -> Option<*mut u8> {
    #[inline(always)]
    fn of<L: Layout>(pool: *const c_void, stamp: u64, entity: dz_entity) -> Option<*mut u8> {
        // SAFETY: a pool lives until its component is unregistered, which `is_unchanged` knows.
        let pool = unsafe { &*pool.cast::<Pool<L>>() };
        let position = pool.position_nearby(entity, stamp)?;
        pool.open_element(position)
    }
    if !table::is_unchanged(accessor.world, accessor.gone) || accessor.pool.is_null() {
        return None;
    }
    if table::is_wide(accessor.world) {
        of::<Wide>(accessor.pool, accessor.stamp, entity)
    } else {
        of::<Narrow>(accessor.pool, accessor.stamp, entity)
    }
}

/// As dz_get, of the accessor's component; and DZ_ERR_NULL_POINTER.
///
/// `accessor` was written by dz_accessor_init.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_accessor_get(accessor: *const dz_accessor, entity: dz_entity) -> *const c_void {
    // SAFETY: the caller's promise.
    let Some(accessor) = (unsafe { accessor.as_ref() }) else { return missing("dz_accessor_get") };
    match element(accessor, entity) {
        Some(at) => at.cast_const().cast(),
        None => get(accessor, entity),
    }
}

/// The careful ways are calls of their own, so that the short ones stay short.
#[inline(never)]
extern "C" fn get(accessor: &dz_accessor, entity: dz_entity) -> *const c_void {
    if let Some(element) = access::get_after_all(accessor.world, entity, accessor.id) {
        return element.cast();
    }
    enter("dz_accessor_get", accessor.world, |w| {
        on!(w, |w| w.get(entity, accessor.id)).map(|p| p.cast_const().cast())
    })
}

/// As dz_get_mut, of the accessor's component; and DZ_ERR_NULL_POINTER.
///
/// `accessor` was written by dz_accessor_init.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_accessor_get_mut(accessor: *const dz_accessor, entity: dz_entity) -> *mut c_void {
    // SAFETY: the caller's promise.
    let Some(accessor) = (unsafe { accessor.as_ref() }) else {
        return missing("dz_accessor_get_mut").cast_mut();
    };
    match element(accessor, entity) {
        Some(at) => at.cast(),
        None => get_mut(accessor, entity),
    }
}

#[inline(never)]
extern "C" fn get_mut(accessor: &dz_accessor, entity: dz_entity) -> *mut c_void {
    if let Some(element) = access::get_after_all(accessor.world, entity, accessor.id) {
        return element.cast();
    }
    enter("dz_accessor_get_mut", accessor.world, |w| {
        on!(w, |w| w.get_mut(entity, accessor.id)).map(<*mut u8>::cast)
    })
}

/// As dz_has, of the accessor's component; and DZ_ERR_NULL_POINTER.
///
/// `accessor` was written by dz_accessor_init.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_accessor_has(accessor: *const dz_accessor, entity: dz_entity) -> bool {
    // SAFETY: the caller's promise.
    let Some(accessor) = (unsafe { accessor.as_ref() }) else {
        return !missing("dz_accessor_has").is_null();
    };
    element(accessor, entity).is_some() || has(accessor, entity)
}

#[inline(never)]
extern "C" fn has(accessor: &dz_accessor, entity: dz_entity) -> bool {
    enter("dz_accessor_has", accessor.world, |w| on!(w, |w| w.has(entity, accessor.id)))
}

#[cold]
#[inline(never)]
fn missing(function: &'static str) -> *const c_void {
    use crate::core::error::{Error, Kind};
    super::boundary::enter_alone(function, || Err(Error::new(Kind::NullPointer).named("accessor")))
}
