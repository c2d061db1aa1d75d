//! Names of entities, and paths of names.
use super::boundary::{enter, slice_mut};
use super::descriptors;
use super::on;
use super::text;
use super::types::*;
use crate::core::error::{Error, Kind};
use core::ffi::{CStr, c_char};

/// Names an entity; NULL takes its name off. Names are UTF-8 of 1 to 255 bytes, and no two children of one parent, nor two
/// entities without a parent, have the same. The text is copied. A name
/// may have a dot or whatever separates names in a path: then dz_lookup finds it with another separator only.
///
/// Returns DZ_NOT_THERE if there was no name to take off. Errors: an entity's handle, DZ_ERR_IS_COMPONENT (its
/// name is that of its registration), DZ_ERR_NAME, DZ_ERR_NAME_TAKEN, out of memory, DZ_ERR_IN_HOOK. Writes. O(1)
/// amortised.
///
/// `name` ends with a zero, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_set_name(world: dz_world, entity: dz_entity, name: *const c_char) -> dz_status {
    enter("dz_set_name", world, |w| {
        // SAFETY: the caller's promise.
        let name = if name.is_null() { &[][..] } else { unsafe { descriptors::name(name) }? };
        on!(w, |w| w.set_name(entity, name)).map(dz_status::from)
    })
}

/// The name of an entity, or of a component; NULL if it has none, which leaves no error. It is the library's, and good
/// until the name changes or the entity is destroyed. Errors (NULL too): an entity's handle. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_name(world: dz_world, entity: dz_entity) -> *const c_char {
    enter("dz_name", world, |w| on!(w, |w| w.name_of(entity)).map(|name| name.cast()))
}

/// The entity at the end of a path of names, e.g. "sol.earth.moon", from `from` (whose own name is not part of it), or
/// (DZ_NULL) from the entities without a parent. DZ_NULL if there is none, which leaves no error. `separator` stands
/// between the names; NULL: ".". Components are found by dz_component_find.
///
/// Errors (DZ_NULL too): an entity's handle, DZ_ERR_NULL_POINTER, DZ_ERR_NAME (an empty separator or path). Reads.
/// O(length of the path).
///
/// `path` and `separator` end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_lookup(
    world: dz_world,
    from: dz_entity,
    path: *const c_char,
    separator: *const c_char,
) -> dz_entity {
    enter("dz_lookup", world, |w| {
        // SAFETY: the caller's promise.
        let (path, separator) = unsafe { (text(path, "path")?, separator_of(separator)?) };
        on!(w, |w| w.lookup(from, path, separator))
    })
}

/// Writes the path of an entity to `text`, at most `capacity` bytes with the ending zero, and returns its length
/// without it. From the root, or from `from`, which is above it and not part of the path; from the entity itself it is
/// "", and its length 0. Who has no name is written as dz_entity_text writes it; so is a component, whose name is not
/// one of the hierarchy. `separator` as in dz_lookup.
///
/// 0 on error, and nothing is written: the handles' errors, DZ_ERR_SIBLING (it is neither `from` nor below it),
/// DZ_ERR_NULL_POINTER, DZ_ERR_NAME (an empty separator). Reads. O(depth + length).
///
/// `separator` ends with a zero or is NULL; `path` has room for `capacity` bytes, or is NULL if that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_path(
    world: dz_world,
    entity: dz_entity,
    from: dz_entity,
    separator: *const c_char,
    path: *mut c_char,
    capacity: u32,
) -> u32 {
    enter("dz_path", world, |w| {
        // SAFETY: the caller's promise.
        let (out, separator) =
            unsafe { (slice_mut(path.cast::<u8>(), capacity, "path")?, separator_of(separator)?) };
        let room = out.len().saturating_sub(1);
        let length = on!(w, |w| w.path(entity, from, separator, &mut out[..room], text::unnamed))?;
        // What doesn't fit is cut off, but not within a character.
        let mut end = room.min(length as usize);
        while (length as usize) > end && core::str::from_utf8(&out[..end]).is_err() && end > 0 {
            end -= 1;
        }
        out.iter_mut().skip(end).take(1).for_each(|zero| *zero = 0);
        Ok(length)
    })
}

/// # Safety
/// It ends with a zero, and outlives the result; or is NULL.
unsafe fn text<'a>(at: *const c_char, name: &'static str) -> Result<&'a [u8], Error> {
    if at.is_null() {
        return Err(Error::new(Kind::NullPointer).named(name));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(at) }.to_bytes();
    if text.is_empty() { Err(Error::new(Kind::Name).with(1, 0).named(name)) } else { Ok(text) }
}

/// # Safety
/// As `text`.
unsafe fn separator_of<'a>(at: *const c_char) -> Result<&'a [u8], Error> {
    // SAFETY: the caller's promise.
    if at.is_null() { Ok(b".") } else { unsafe { text(at, "separator") } }
}
