//! Pairs: a relation and a target as one id.
use super::boundary::{enter, output, slice_mut};
use super::descriptors;
use super::on;
use super::table::{Any, peek};
use super::types::*;
use crate::core::error::Error;
use crate::core::ids::Handle;
use core::ffi::c_void;
use core::mem::MaybeUninit;

/// The id of the pair (relation, target), which can be added to entities like a component: any number of
/// one relation, one for each target. Relation and target are any living entities, components included. A pair's values
/// have the type of the relation if it is a component with data, else that of the target if it is one, else it
/// is a tag.
///
/// The id has 8 bits of role, 24 of the relation's index, and 32 of the target (its index; in the 32-bit layout its handle), so
/// the relation's index must be below 2^24. It has no room for generations: it is good until relation or target
/// is destroyed, and an error then (DZ_ERR_NO_PAIR), until somebody makes the pair for who has the index next. Nor does it
/// say which world it is of: in another one it is none, or the pair of those who have these indices there.
/// dz_add_pair and its like take both handles, and are checked like any other call. What the library keeps of a pair that
/// was made stays until then, whether or not anybody has it.
///
/// dz_add, dz_remove, dz_set, dz_get, dz_get_mut, dz_get_or_add and dz_has take such an id; so they do any living
/// entity that is no component, as a tag, and DZ_ROLE(n, entity) with a role of yours. Listeners are told of
/// none of these. Values of pairs stay where they are until they are removed. Arrays (..._n), columns, groups and
/// singletons are for components only.
///
/// DZ_NULL on error: the handles' errors, DZ_ERR_RANGE (the relation's index), out of memory, DZ_ERR_IN_HOOK (the
/// pair is new). Writes. O(1) amortised. Source: S. Mertens, "Doing a lot with a little: ECS identifiers".
#[unsafe(no_mangle)]
pub extern "C" fn dz_pair(world: dz_world, relation: dz_entity, target: dz_entity) -> dz_id {
    enter("dz_pair", world, |w| on!(w, |w| w.pair(relation, target)))
}

/// Writes the relation and the target of a pair's id. Errors: DZ_ERR_NO_PAIR, DZ_ERR_NULL_POINTER. Reads. O(1).
///
/// `parts` has room for one dz_pair_parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_pair_halves(
    world: dz_world,
    pair: dz_id,
    parts: *mut dz_pair_parts,
) -> dz_status {
    enter("dz_pair_halves", world, |w| {
        // SAFETY: the caller's promise.
        let parts = unsafe { output(parts, "parts") }?;
        let (relation, target) = on!(w, |w| w.pair_halves(pair))?;
        parts.write(dz_pair_parts { relation, target });
        Ok(dz_status::DZ_OK)
    })
}

/// Adds (relation, target) to an entity, and what the relation's traits bring. Adding what is there changes
/// nothing and returns DZ_ALREADY_THERE. A value is constructed, or zeros.
///
/// Errors: the handles' errors, DZ_ERR_IS_COMPONENT (the entity, or the target of a symmetric relation, is a
/// component), DZ_ERR_RANGE, DZ_ERR_CYCLE, DZ_ERR_HOOK_FAILED, out of memory, DZ_ERR_IN_HOOK. Writes. O(1)
/// amortised; with an acyclic relation O(links from the target), with an exclusive one O(links of the entity).
#[unsafe(no_mangle)]
pub extern "C" fn dz_add_pair(
    world: dz_world,
    entity: dz_entity,
    relation: dz_entity,
    target: dz_entity,
) -> dz_status {
    if let Some(w) = peek(world)
        && on!(w, |w| w.add_pair_quickly(entity, relation, target)).is_some()
    {
        return dz_status::DZ_OK;
    }
    add_pair(world, entity, relation, target)
}

#[inline(never)]
extern "C" fn add_pair(
    world: dz_world,
    entity: dz_entity,
    relation: dz_entity,
    target: dz_entity,
) -> dz_status {
    enter("dz_add_pair", world, |w| {
        on!(w, |w| w.add_pair(entity, (relation, target), None)).map(dz_status::from)
    })
}

/// Sets the value of (relation, target), adding the pair if it isn't there. Errors: those of dz_add_pair, DZ_ERR_SIZE,
/// DZ_ERR_TAG, DZ_ERR_NULL_POINTER. Writes. Costs as dz_add_pair.
///
/// `value` points to `size` bytes, which are the value of a component of that size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_set_pair(
    world: dz_world,
    entity: dz_entity,
    relation: dz_entity,
    target: dz_entity,
    size: u32,
    value: *const c_void,
) -> dz_status {
    enter("dz_set_pair", world, |w| {
        // SAFETY: the caller's promise.
        let value = unsafe { descriptors::values(value, size, "value") }?;
        on!(w, |w| w.add_pair(entity, (relation, target), Some(value))).map(|_| dz_status::DZ_OK)
    })
}

/// Removes (relation, target) from an entity. Removing what isn't there changes nothing and returns DZ_NOT_THERE.
///
/// Errors: the handles' errors, DZ_ERR_IS_COMPONENT, DZ_ERR_RANGE, DZ_ERR_IN_HOOK. Writes. O(1). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_remove_pair(
    world: dz_world,
    entity: dz_entity,
    relation: dz_entity,
    target: dz_entity,
) -> dz_status {
    enter("dz_remove_pair", world, |w| {
        on!(w, |w| w.remove_pair(entity, (relation, target))).map(dz_status::from)
    })
}

/// The value of (relation, target), to read. NULL if the entity doesn't have it, which is an answer and leaves no
/// error. The pointer is good until the pair is removed from the entity.
///
/// Errors (NULL too): the handles' errors, DZ_ERR_RANGE, DZ_ERR_TAG (such a pair has no data). Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_get_pair(
    world: dz_world,
    entity: dz_entity,
    relation: dz_entity,
    target: dz_entity,
) -> *const c_void {
    enter("dz_get_pair", world, |w| {
        on!(w, |w| w.pair_value(entity, (relation, target))).map(|value| value.cast_const().cast())
    })
}

/// As dz_get_pair, to write to. Writes. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_get_pair_mut(
    world: dz_world,
    entity: dz_entity,
    relation: dz_entity,
    target: dz_entity,
) -> *mut c_void {
    enter("dz_get_pair_mut", world, |w| {
        on!(w, |w| w.pair_value(entity, (relation, target))).map(<*mut u8>::cast)
    })
}

/// Whether an entity has (relation, target): by itself, or because the relation is reflexive or transitive.
/// false on error: the handles' errors, DZ_ERR_RANGE, DZ_ERR_DEEP. Reads. O(1); transitive: O(ways).
#[unsafe(no_mangle)]
pub extern "C" fn dz_has_pair(
    world: dz_world,
    entity: dz_entity,
    relation: dz_entity,
    target: dz_entity,
) -> bool {
    enter("dz_has_pair", world, |w| on!(w, |w| w.has_pair(entity, (relation, target))))
}

/// Lists the targets that an entity has by a relation, the latest first: writes the first `capacity` of them to
/// `targets` (NULL if capacity is 0), and to `count` how many there are.
///
/// Errors: the handles' errors, DZ_ERR_NULL_POINTER. Reads. O(pairs of the entity).
///
/// `targets` has room for `capacity` entities, `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_pair_targets(
    world: dz_world,
    entity: dz_entity,
    relation: dz_entity,
    targets: *mut dz_entity,
    capacity: u32,
    count: *mut u32,
) -> dz_status {
    // SAFETY: the caller's promise.
    let places = unsafe { (slice_mut(targets, capacity, "targets"), output(count, "count")) };
    list("dz_pair_targets", world, places, |w, out| on!(w, |w| w.targets(entity, relation, out)))
}

/// Lists who has an id that is no component's: a pair's, an entity's, one with a role, DZ_CHILDOF(parent). Writes the first
/// `capacity` of them to `holders` (NULL if capacity is 0), and to `count` how many there are.
///
/// Errors: DZ_ERR_NO_PAIR, an entity's handle, DZ_ERR_IS_COMPONENT, DZ_ERR_NULL_POINTER. Reads. O(what is
/// written), and the places that holders left before these; O(1) if capacity is 0.
///
/// `holders` has room for `capacity` entities, `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_pair_holders(
    world: dz_world,
    id: dz_id,
    holders: *mut dz_entity,
    capacity: u32,
    count: *mut u32,
) -> dz_status {
    // SAFETY: the caller's promise.
    let places = unsafe { (slice_mut(holders, capacity, "holders"), output(count, "count")) };
    list("dz_pair_holders", world, places, |w, out| on!(w, |w| w.holders(id, out)))
}

/// Where a list goes, and its length.
type Places<'a> = (Result<&'a mut [Handle], Error>, Result<&'a mut MaybeUninit<u32>, Error>);

fn list(
    function: &'static str,
    world: dz_world,
    (out, count): Places,
    write: impl FnOnce(&Any, &mut [Handle]) -> Result<u32, Error>,
) -> dz_status {
    enter(function, world, |w| {
        let (out, count) = (out?, count?);
        count.write(write(w, out)?);
        Ok(dz_status::DZ_OK)
    })
}
