//! Listeners: told of what happens.
use super::boundary::enter;
use super::descriptors;
use super::on;
use super::types::*;
use core::ffi::c_void;

/// Connects a listener. `kind` is a dz_event_kind; `id` is the component for DZ_ON_ADD, DZ_ON_SET and
/// DZ_ON_REMOVE, and DZ_NULL for DZ_ON_CREATE and DZ_ON_DESTROY. Any number may listen to the same;
/// they are called in the order of connection, once for each entity, on the calling thread.
///
/// When an entity is destroyed: its DZ_ON_DESTROY listeners, then DZ_ON_REMOVE for each component, in an order of the
/// library's own, then the destruct hooks in that order. Of many at once (dz_destroy_n without a report, dz_remove_n):
/// the listeners of all of them, in the order of the array, then the hooks, in an order of the library's own. But where any
/// of them has a name, a parent, children, pairs, or is part of one (had one once, is disabled, or has a component that few
/// have: then the library may have to look), dz_destroy_n ends the others first, one after the other, from the array's end,
/// and then those who do, and who goes along, in an order of its own; with a report it ends one after the other in any case.
/// Clearing a pool: DZ_ON_REMOVE for each entity, from the last element to the first, then the destruct hooks, from the
/// first to the last.
/// Clearing or ending a world: as if each entity were destroyed, in the order of indices, with its children; who else would
/// go along with one (DZ_CLEANUP_DELETE) comes when its own turn does. Components' own entities are not told of.
///
/// A tag is never set: of it nobody hears by DZ_ON_SET. A listener of DZ_ON_SET that sets the same component (dz_set) is
/// called again for that, within itself, and so on until the stack ends: let it write through dz_event.data instead.
///
/// Changes that somebody listens to take some 40 ns longer; others do not, but that every entity's end does while there is
/// a listener of DZ_ON_REMOVE, of whichever component.
///
/// Returns {0} on error: DZ_ERR_NULL_POINTER (listener), DZ_ERR_ENUM, a component's handle,
/// DZ_ERR_RANGE (an id where none is meant), out of memory, DZ_ERR_IN_HOOK. Writes. O(1).
///
/// `listener` may be called with `user` until it is disconnected or the world ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_listen(
    world: dz_world,
    kind: i32,
    id: dz_id,
    listener: dz_listener_fn,
    user: *mut c_void,
) -> dz_listener {
    enter("dz_listen", world, |w| {
        // SAFETY: the caller's promise.
        let callback = unsafe { descriptors::listener(world, listener, user) }?;
        let kind = descriptors::event_kind(kind)?;
        let bits = super::table::next_serial(w);
        on!(w, |w| w.listen(kind, id, callback, bits)).map(|()| dz_listener { bits })
    })
}

/// Disconnects a listener. Errors: DZ_ERR_LISTENER (not connected, or no longer), DZ_ERR_IN_HOOK.
/// Writes. O(listeners). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_unlisten(world: dz_world, listener: dz_listener) -> dz_status {
    enter("dz_unlisten", world, |w| on!(w, |w| w.unlisten(listener.bits)).map(|()| dz_status::DZ_OK))
}
