//! One entity and one component: add, remove, set, get, has. Those called most try the short way first
//! (`core::world::quick`); the careful way is a function of its own, so that the short one stays short.
use super::boundary::enter;
use super::descriptors;
use super::on;
use super::table::{self, peek};
use super::types::*;
use crate::core::ids::{Layout, role_of};
use crate::core::storage::lifecycle::Source;
use crate::core::world::Ecs;
use core::ffi::c_void;
use core::ptr;

/// Adds a component or tag: zero-filled, or by its construct hook. Adding what is there changes
/// nothing and returns DZ_ALREADY_THERE. Listeners: DZ_ON_ADD. Pairs' ids, plain entities, DZ_CHILDOF(parent),
/// DZ_INSTANCEOF(base) and DZ_ROLE(n, entity) can be added too: see dz_pair, dz_set_parent and dz_instantiate.
/// An instance gets a component of its own, zero-filled too, that hides its base's (dz_override copies the base's value).
///
/// Errors: an entity's handle, DZ_ERR_IS_COMPONENT (the entity is a component), a component's handle, DZ_ERR_BUILTIN,
/// DZ_ERR_HOOK_FAILED, out of memory, DZ_ERR_COUNT (some 8,192 kinds of components among 64 neighbouring entities),
/// DZ_ERR_IN_HOOK; of such ids DZ_ERR_NO_PAIR, and those of dz_add_pair and dz_set_parent. Writes. O(1) amortised; of a pair or
/// DZ_CHILDOF as these two, of DZ_INSTANCEOF O(the bases above, and what is below the base).
#[unsafe(no_mangle)]
pub extern "C" fn dz_add(world: dz_world, entity: dz_entity, id: dz_id) -> dz_status {
    match peek(world) {
        Some(w) => on!(w, |w| add_quickly(w, entity, id)),
        None => add(world, entity, id),
    }
}

#[inline(always)]
extern "C" fn add_quickly<L: Layout>(w: &Ecs<L>, entity: dz_entity, id: dz_id) -> dz_status {
    match w.add_quickly(entity, id) {
        Ok(added) => added_or_not(added),
        Err(id) => add_with_room(w, entity, id),
    }
}

#[inline(never)]
extern "C" fn add_with_room<L: Layout>(w: &Ecs<L>, entity: dz_entity, id: dz_id) -> dz_status {
    if w.is_told_of(id) { join(w, entity, id, 0, ptr::null()) } else { add_after_all(w, entity, id) }
}

/// Instead of the size of zeros: nothing is to happen where it isn't quickly done.
const OR_NOT: u32 = 1;

/// Adds to an entity what a group watches: a value, or zeros, if that is NULL.
#[inline(never)]
extern "C" fn join<L: Layout>(
    w: &Ecs<L>,
    entity: dz_entity,
    id: dz_id,
    size: u32,
    value: *const c_void,
) -> dz_status {
    // SAFETY: the promise of dz_set's caller; NULL is looked for.
    let source = unsafe { Source::new(value.cast(), size) };
    match w.join_alone(entity, id, source) {
        Some(()) => dz_status::DZ_OK,
        None if value.is_null() && size == OR_NOT => dz_status::DZ_NOT_THERE,
        None if value.is_null() => add_after_all(w, entity, id),
        None => set_after_all(w, entity, id, size, value),
    }
}

#[inline(never)]
extern "C" fn add_after_all<L: Layout>(w: &Ecs<L>, entity: dz_entity, id: dz_id) -> dz_status {
    match w.add_with_room(entity, id) {
        Some(added) => added_or_not(added),
        None => add(table::of(w), entity, id),
    }
}

#[inline(always)]
const fn added_or_not(added: bool) -> dz_status {
    if added { dz_status::DZ_OK } else { dz_status::DZ_ALREADY_THERE }
}

#[inline(never)]
extern "C" fn add(world: dz_world, entity: dz_entity, id: dz_id) -> dz_status {
    enter("dz_add", world, |w| on!(w, |w| w.add(entity, id)).map(dz_status::from))
}

/// Removes a component or tag. Removing what isn't there changes nothing and returns DZ_NOT_THERE: so it does for what
/// an instance has from its base only. An instance that loses its own has its base's again.
/// Listeners: DZ_ON_REMOVE, before. Hooks: destruct, and relocate for the element that fills the gap.
///
/// Errors: those of dz_add but for memory, which it doesn't need: only DZ_CHILDOF(parent) of somebody with children may.
/// Writes. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_remove(world: dz_world, entity: dz_entity, id: dz_id) -> dz_status {
    match peek(world) {
        Some(w) => on!(w, |w| remove_quickly(w, entity, id)),
        None => remove(world, entity, id),
    }
}

/// What is left when the layout is known: a function of its own, called last, so that nothing of it is in the way of the
/// other layout's.
#[inline(never)]
extern "C" fn remove_quickly<L: Layout>(w: &Ecs<L>, entity: dz_entity, id: dz_id) -> dz_status {
    match w.remove_quickly(entity, id) {
        Ok(()) => dz_status::DZ_OK,
        Err(id) => remove_at_a_closer_look(w, entity, id),
    }
}

/// Calls nothing but last, too.
#[inline(never)]
extern "C" fn remove_at_a_closer_look<L: Layout>(w: &Ecs<L>, entity: dz_entity, id: dz_id) -> dz_status {
    let turned = w.take_turn_back(entity, id);
    if w.is_told_of(id) {
        part(w, entity, id)
    } else if turned {
        remove_quickly(w, entity, id)
    } else {
        remove_after_all(w, entity, id)
    }
}

/// Removes from an entity what a group watches.
#[inline(never)]
extern "C" fn part<L: Layout>(w: &Ecs<L>, entity: dz_entity, id: dz_id) -> dz_status {
    match w.leave_alone(entity, id) {
        Some(()) => dz_status::DZ_OK,
        None => remove_after_all(w, entity, id),
    }
}

#[inline(never)]
extern "C" fn remove_after_all<L: Layout>(w: &Ecs<L>, entity: dz_entity, id: dz_id) -> dz_status {
    match w.remove_after_all(entity, id) {
        Some(removed) => removed.into(),
        None => remove(table::of(w), entity, id),
    }
}

#[inline(never)]
extern "C" fn remove(world: dz_world, entity: dz_entity, id: dz_id) -> dz_status {
    enter("dz_remove", world, |w| on!(w, |w| w.remove(entity, id)).map(dz_status::from))
}

/// Sets a component's value, adding it if it isn't there. `size` must be the component's; the value is copied; it may be
/// another entity's element, or this one's own, e.g. to tell listeners of what was written to it: then it stays where it
/// is, but for what a copy hook does. Listeners: DZ_ON_ADD if it was added, then DZ_ON_SET. May be called from a listener
/// if the component is there; but not for the same one from DZ_ON_SET, which would be called for ever (see dz_listen).
///
/// Errors: those of dz_add, DZ_ERR_SIZE, DZ_ERR_TAG, DZ_ERR_NULL_POINTER. Writes. O(1) amortised.
///
/// `value` points to `size` bytes, which are the value of a component of that size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_set(
    world: dz_world,
    entity: dz_entity,
    id: dz_id,
    size: u32,
    value: *const c_void,
) -> dz_status {
    match peek(world) {
        Some(w) => on!(w, |w| set_quickly(w, entity, id, size, value)),
        None => set(world, entity, id, size, value),
    }
}

/// What is left when the layout is known. It calls nothing but last, so that it needs no stack, and stands beside the other
/// layout's in one function.
#[inline(always)]
extern "C" fn set_quickly<L: Layout>(
    w: &Ecs<L>,
    entity: dz_entity,
    id: dz_id,
    size: u32,
    value: *const c_void,
) -> dz_status {
    // SAFETY: the promise of dz_set's caller; NULL is looked for.
    let source = unsafe { Source::new(value.cast(), size) };
    match w.set_quickly(entity, id, source) {
        Ok(()) => dz_status::DZ_OK,
        Err((id, size)) => set_with_room(w, entity, id, size, value),
    }
}

/// Calls nothing but last, too.
#[inline(never)]
extern "C" fn set_with_room<L: Layout>(
    w: &Ecs<L>,
    entity: dz_entity,
    id: dz_id,
    size: u32,
    value: *const c_void,
) -> dz_status {
    if w.is_told_of(id) && !value.is_null() {
        join(w, entity, id, size, value)
    } else {
        set_after_all(w, entity, id, size, value)
    }
}

#[inline(never)]
extern "C" fn set_after_all<L: Layout>(
    w: &Ecs<L>,
    entity: dz_entity,
    id: dz_id,
    size: u32,
    value: *const c_void,
) -> dz_status {
    // SAFETY: as above.
    let source = unsafe { Source::new(value.cast(), size) };
    // No component has a role.
    if role_of(id) == 0 && w.set_with_room(entity, id, source).is_some() {
        dz_status::DZ_OK
    } else {
        set(table::of(w), entity, id, size, value)
    }
}

#[inline(never)]
extern "C" fn set(
    world: dz_world,
    entity: dz_entity,
    id: dz_id,
    size: u32,
    value: *const c_void,
) -> dz_status {
    enter("dz_set", world, |w| {
        // SAFETY: the promise of dz_set's caller.
        let value = unsafe { descriptors::values(value, size, "value") }?;
        on!(w, |w| w.set(entity, id, value)).map(|()| dz_status::DZ_OK)
    })
}

/// A component's value, to read; of an instance that has none of its own, its base's. NULL if the entity doesn't have it,
/// which is an answer and leaves no error.
///
/// The pointer is good until the element may move: until the component is added to or removed from any entity (creating
/// and destroying counts), or its pool is put in order (dz_sort and its kin, dz_optimize, dz_query_refresh where an order
/// is kept). If a group owns the pool, also until such a group is made or sorted, any component of the group is added or
/// removed, or an entity or such a component is disabled, enabled, made a base or none. With DZ_POLICY_STABLE it is good
/// until the component is removed from its entity, or dz_compact is called.
///
/// Errors (NULL too): an entity's handle, a component's handle, DZ_ERR_NO_PAIR, DZ_ERR_TAG (a tag has no data: use
/// dz_has). Reads. O(1), and O(bases) for an instance that has none of its own.
#[unsafe(no_mangle)]
pub extern "C" fn dz_get(world: dz_world, entity: dz_entity, id: dz_id) -> *const c_void {
    if let Some(w) = peek(world)
        && let Some(element) = on!(w, |w| w.get_quickly(entity, id))
    {
        return element.cast();
    }
    get(world, entity, id)
}

/// What is got at a closer look: null, if there is nothing, and nothing to complain about.
#[inline(never)]
pub(super) fn get_after_all(world: dz_world, entity: dz_entity, id: dz_id) -> Option<*mut u8> {
    on!(peek(world)?, |w| w.get_after_all(entity, id))
}

#[inline(never)]
extern "C" fn get(world: dz_world, entity: dz_entity, id: dz_id) -> *const c_void {
    if let Some(element) = get_after_all(world, entity, id) {
        return element.cast();
    }
    enter("dz_get", world, |w| on!(w, |w| w.get(entity, id)).map(|p| p.cast_const().cast()))
}

/// As dz_get, to write to. Tells no listener; use dz_set where they must know. Errors: those of
/// dz_get, DZ_ERR_BUILTIN, DZ_ERR_INHERITED (it is the base's). Writes. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_get_mut(world: dz_world, entity: dz_entity, id: dz_id) -> *mut c_void {
    if let Some(w) = peek(world)
        && let Some(element) = on!(w, |w| w.get_quickly(entity, id))
    {
        return element.cast();
    }
    get_mut(world, entity, id)
}

#[inline(never)]
extern "C" fn get_mut(world: dz_world, entity: dz_entity, id: dz_id) -> *mut c_void {
    if let Some(element) = get_after_all(world, entity, id) {
        return element.cast();
    }
    enter("dz_get_mut", world, |w| on!(w, |w| w.get_mut(entity, id)).map(<*mut u8>::cast))
}

/// Whether the entity has a component or tag, itself or from its base; or a pair, or another id that can be added.
/// false on error: an entity's handle, a component's handle, DZ_ERR_NO_PAIR, DZ_ERR_DEEP. Reads. O(1), and as dz_get
/// for an instance, as dz_has_pair for a pair.
#[unsafe(no_mangle)]
pub extern "C" fn dz_has(world: dz_world, entity: dz_entity, id: dz_id) -> bool {
    match peek(world) {
        Some(w) => on!(w, |w| match w.has_quickly(entity, id) {
            Some(has) => has,
            None => has_noted(world, entity, id, w),
        }),
        None => has(world, entity, id),
    }
}

#[inline(never)]
extern "C" fn has_noted<L: Layout>(world: dz_world, entity: dz_entity, id: dz_id, w: &Ecs<L>) -> bool {
    match w.has_noted(entity, id) {
        Some(has) => has,
        None => has(world, entity, id),
    }
}

#[inline(never)]
extern "C" fn has(world: dz_world, entity: dz_entity, id: dz_id) -> bool {
    enter("dz_has", world, |w| on!(w, |w| w.has(entity, id)))
}

/// As dz_get_mut, but adds the component first if it isn't there: as dz_add, or as dz_override (a copy of the base's
/// value) if an instance has it from its base. NULL on error only.
/// Errors: those of dz_add, DZ_ERR_TAG. Writes. O(1) amortised, and O(bases) for an instance.
#[unsafe(no_mangle)]
pub extern "C" fn dz_get_or_add(world: dz_world, entity: dz_entity, id: dz_id) -> *mut c_void {
    match peek(world) {
        Some(w) => on!(w, |w| get_or_add_quickly(w, entity, id)),
        None => get_or_add(world, entity, id),
    }
}

/// Calls nothing but last.
#[inline(always)]
extern "C" fn get_or_add_quickly<L: Layout>(w: &Ecs<L>, entity: dz_entity, id: dz_id) -> *mut c_void {
    match w.get_of_plain(entity, id) {
        Some(element) => element.cast(),
        None => get_or_add_after_all(w, entity, id),
    }
}

#[inline(never)]
extern "C" fn get_or_add_after_all<L: Layout>(w: &Ecs<L>, entity: dz_entity, id: dz_id) -> *mut c_void {
    if w.has_or_gets_value(entity, id) {
        if w.is_told_of(id) {
            join(w, entity, id, OR_NOT, ptr::null());
        }
        if let Some(element) = w.get_or_add_quickly(entity, id) {
            return element.cast();
        }
    }
    get_or_add(table::of(w), entity, id)
}

#[inline(never)]
extern "C" fn get_or_add(world: dz_world, entity: dz_entity, id: dz_id) -> *mut c_void {
    enter("dz_get_or_add", world, |w| on!(w, |w| w.get_or_add(entity, id)).map(<*mut u8>::cast))
}
