//! Components: register, find, list, describe, unregister; and what concerns a whole pool.
use super::boundary::{enter, output, slice_mut};
use super::descriptors;
use super::on;
use super::types::*;
use crate::core::error::{Error, Kind};
use core::ffi::{c_char, c_void};

/// Registers a component, or finds the one of the same name and shape (size, alignment, policy), so
/// that plugins and reloaded libraries agree; then hooks with a function among them replace the old ones,
/// which lets a reloaded library renew them; without any the old ones stay. The first registration in a world also makes the
/// built-in `Component`, whose name is not for others: with its shape (dz_component) it is found, and its hooks stay
/// what they are; any other is DZ_ERR_SHAPE. The id is good for the world's life or until dz_component_unregister.
///
/// Returns DZ_NULL on error: DZ_ERR_SHAPE (the message says both shapes), DZ_ERR_NAME,
/// DZ_ERR_NULL_POINTER, DZ_ERR_ALIGNMENT, DZ_ERR_RANGE (elements over 1 MiB), DZ_ERR_ENUM, descriptor errors, DZ_ERR_FULL,
/// DZ_ERR_EXHAUSTED, out of memory, DZ_ERR_IN_HOOK. Writes. O(components).
///
/// `desc` points to a descriptor whose first field is its size; its name ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_component_register(world: dz_world, desc: *const dz_component_desc) -> dz_id {
    enter("dz_component_register", world, |w| {
        // SAFETY: the caller's promise.
        let shape = unsafe { descriptors::component(world, desc) }?;
        on!(w, |w| w.register(&shape))
    })
}

/// Unregisters a component: takes it off all entities (DZ_ON_REMOVE listeners, destruct hooks), ends
/// its singleton, disconnects its listeners, frees its pool and destroys its entity; with it, as by dz_destroy, its
/// children and who goes along by a pair (DZ_CLEANUP_DELETE).
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_GROUPED (a group has it as a term), DZ_ERR_PAIR_HELD,
/// DZ_ERR_IN_HOOK. Writes. O(entities that have it, pairs that aim at it or of which it is the relation, and who goes along;
/// components, and queries). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_component_unregister(world: dz_world, id: dz_id) -> dz_status {
    enter("dz_component_unregister", world, |w| {
        let gone = on!(w, |w| w.unregister(id)).map(|()| dz_status::DZ_OK);
        if gone.is_ok() {
            super::table::lose_component(world);
        }
        gone
    })
}

/// The component of that name, or DZ_NULL if there is none (no error). Errors: DZ_ERR_NAME,
/// DZ_ERR_NULL_POINTER. Reads. O(log components).
///
/// `name` ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_component_find(world: dz_world, name: *const c_char) -> dz_id {
    enter("dz_component_find", world, |w| {
        // SAFETY: the caller's promise.
        let name = unsafe { descriptors::name(name) }?;
        Ok(on!(w, |w| w.find(name)))
    })
}

/// The built-in `Component`, whose value (dz_component) every component's entity has: read it with
/// dz_get(world, component, dz_component_id(world)). DZ_NULL before the first registration.
/// Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_component_id(world: dz_world) -> dz_id {
    enter("dz_component_id", world, |w| Ok(on!(w, |w| w.builtin_component())))
}

/// Lists the components in the order of their pools' numbers. Writes the first `capacity` of them to
/// `ids` (NULL if capacity is 0), and to `count` how many there are.
///
/// Errors: a world's handle; DZ_ERR_NULL_POINTER. Reads. O(components).
///
/// `ids` has room for `capacity` ids, `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_components(
    world: dz_world,
    ids: *mut dz_id,
    capacity: u32,
    count: *mut u32,
) -> dz_status {
    enter("dz_components", world, |w| {
        // SAFETY: the caller's promise.
        let (out, count) = unsafe { (slice_mut(ids, capacity, "ids")?, output(count, "count")?) };
        count.write(on!(w, |w| w.components(out)));
        Ok(dz_status::DZ_OK)
    })
}

/// Writes what is known of a component: name, shape, policy, how many have it, bytes.
///
/// Errors: a component's handle, DZ_ERR_NULL_POINTER. Reads. O(pages of its pool).
///
/// `details` has room for one dz_component_details.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_component_info(
    world: dz_world,
    id: dz_id,
    details: *mut dz_component_details,
) -> dz_status {
    enter("dz_component_info", world, |w| {
        // SAFETY: the caller's promise.
        let details = unsafe { output(details, "details") }?;
        details.write(on!(w, |w| w.details(id))?.into());
        Ok(dz_status::DZ_OK)
    })
}

/// How many entities have the component themselves: what an instance has from its base isn't counted; disabled ones and
/// bases are. 0 on error: a component's handle. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_count(world: dz_world, id: dz_id) -> u32 {
    enter("dz_count", world, |w| on!(w, |w| w.count(id)))
}

/// Takes a component off all entities: DZ_ON_REMOVE for each, from the pool's last element to its first, then
/// the destruct hooks. The pool's memory stays for reuse (see dz_shrink).
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_IN_HOOK. Writes. O(entities that have it).
/// Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_clear_pool(world: dz_world, id: dz_id) -> dz_status {
    enter("dz_clear_pool", world, |w| on!(w, |w| w.clear_pool(id)).map(|()| dz_status::DZ_OK))
}

/// Closes the gaps of a DZ_POLICY_STABLE pool by moving elements from its end into them. The moved
/// elements change their addresses, this one time.
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_POLICY (a swap pool has no gaps), DZ_ERR_IN_HOOK. Writes.
/// O(gaps and elements behind them). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_compact(world: dz_world, id: dz_id) -> dz_status {
    enter("dz_compact", world, |w| on!(w, |w| w.compact(id)).map(|()| dz_status::DZ_OK))
}

/// The entity that an element belongs to: `element` is a pointer that a get call for that component returned (not one of
/// a pair or a singleton), or any element of a span. DZ_NULL on error: DZ_ERR_NOT_ELEMENT (no element of that pool begins
/// there), DZ_ERR_NULL_POINTER, DZ_ERR_TAG, a component's handle. The pointer is not followed. Reads. O(pages of the
/// pool).
#[unsafe(no_mangle)]
pub extern "C" fn dz_entity_of(world: dz_world, id: dz_id, element: *const c_void) -> dz_entity {
    enter("dz_entity_of", world, |w| {
        if element.is_null() {
            return Err(Error::new(Kind::NullPointer).named("element"));
        }
        on!(w, |w| w.entity_of(id, element.cast()))
    })
}

/// Sets the world-wide value of a component: one for the world, not an entity's, not seen by iteration, counts and
/// listeners, but by terms with DZ_WORLD_VALUE ("Gravity(world)"). `size` is the component's; the value is copied.
///
/// Errors: a component's handle, DZ_ERR_TAG, DZ_ERR_SIZE, DZ_ERR_NULL_POINTER, DZ_ERR_HOOK_FAILED,
/// DZ_ERR_BUILTIN, out of memory, DZ_ERR_IN_HOOK. Writes. O(1).
///
/// `value` points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_singleton_set(
    world: dz_world,
    id: dz_id,
    size: u32,
    value: *const c_void,
) -> dz_status {
    enter("dz_singleton_set", world, |w| {
        // SAFETY: the caller's promise.
        let value = unsafe { descriptors::values(value, size, "value") }?;
        on!(w, |w| w.singleton_set(id, value)).map(|()| dz_status::DZ_OK)
    })
}

/// The world-wide value of a component, or NULL if none is set (no error). Good until it is set
/// again or removed, the component unregistered, or the world cleared. Errors: a component's handle, DZ_ERR_TAG. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_singleton_get(world: dz_world, id: dz_id) -> *const c_void {
    enter("dz_singleton_get", world, |w| on!(w, |w| w.singleton(id)).map(|p| p.cast_const().cast()))
}

/// As dz_singleton_get, to write to. Writes. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_singleton_get_mut(world: dz_world, id: dz_id) -> *mut c_void {
    enter("dz_singleton_get_mut", world, |w| on!(w, |w| w.singleton(id)).map(<*mut u8>::cast))
}

/// Ends the world-wide value of a component. DZ_NOT_THERE if there is none. Errors:
/// a component's handle, DZ_ERR_BUILTIN, DZ_ERR_TAG, DZ_ERR_IN_HOOK. Writes. O(1). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_singleton_remove(world: dz_world, id: dz_id) -> dz_status {
    enter("dz_singleton_remove", world, |w| on!(w, |w| w.singleton_remove(id)).map(dz_status::from))
}
