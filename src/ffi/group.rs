//! Groups: entities that have some components and don't have others, kept up to date.
use super::boundary::{enter, output, slice_mut};
use super::descriptors;
use super::on;
use super::table::Any;
use super::types::*;
use core::mem::MaybeUninit;

/// Makes a group: the entities that have all components of `owned` and `included` and none of
/// `excluded`. It is up to date after every call that changes something. Up to 32 components in all; data
/// and tags alike. docs/groups.md tells more.
///
/// The pools of `owned` components hold the group's members first, in one order common to them all, so that
/// iterating is one run over plain arrays: cut where pools have grown, until dz_optimize lays them side by side.
/// `included` ones are looked up. A group that owns nothing keeps a list of its members. Each structural change of one of
/// its components costs some more; of others not.
///
/// In a new group members are in the order of their indices, but that those of a group nested in it come first, in
/// that one's order. Who joins later comes last. Members of older groups around it change places with those of the
/// new one, and else stay as they are.
///
/// Several groups may own a component if they are nested: of any two that own the same, directly or through
/// others that do, one has all components of the other (its `owned` and `included` contain the other's, and
/// its `excluded` the other's). Else it is a conflict, and the message names the group in the way. The order
/// of a pool belongs to: stable addresses, before a group, before a kept sort, before optimising.
///
/// Returns {0} on error: DZ_ERR_NULL_POINTER, descriptor errors, DZ_ERR_COUNT (over 32), DZ_ERR_RANGE (nothing
/// owned and nothing included; `reserved`), DZ_ERR_DUPLICATE, a component's handle, DZ_ERR_BUILTIN,
/// DZ_ERR_POLICY (owned, and DZ_POLICY_STABLE), DZ_ERR_OWNED (a conflict), out of memory, DZ_ERR_IN_HOOK.
/// Writes. Iterations of owned pools end with DZ_ERR_CHANGED. O(entities that have the rarest component, its pages
/// of 256 indices, and the members of groups that own the same).
///
/// `desc` points to a descriptor whose first field is its size; its arrays hold as many ids as it says.
/// Source of the algorithm: EnTT's groups (M. Caini, "ECS back and forth", parts 5 and 6).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_group_create(world: dz_world, desc: *const dz_group_desc) -> dz_group {
    enter("dz_group_create", world, |w| {
        // SAFETY: the caller's promise.
        let terms = unsafe { descriptors::group(desc) }?;
        let bits = super::table::next_serial(w);
        on!(w, |w| w.group_create(&terms, bits)).map(|()| dz_group { bits })
    })
}

/// Ends a group. Its members stay as they are; the pools that it owned are free for others. Errors:
/// DZ_ERR_GROUP, DZ_ERR_IN_HOOK. Writes. Iterations of the group and of the pools that it owned end with
/// DZ_ERR_GROUP and DZ_ERR_CHANGED. O(groups). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_group_destroy(world: dz_world, group: dz_group) -> dz_status {
    enter("dz_group_destroy", world, |w| on!(w, |w| w.group_destroy(group.bits)).map(|()| dz_status::DZ_OK))
}

/// How many members a group has. 0 on error: DZ_ERR_GROUP. Reads. O(groups).
#[unsafe(no_mangle)]
pub extern "C" fn dz_group_count(world: dz_world, group: dz_group) -> u32 {
    enter("dz_group_count", world, |w| on!(w, |w| w.group_count(group.bits)))
}

/// Whether an entity is a member of a group. false on error: DZ_ERR_GROUP, an entity's handle. Reads.
/// O(groups).
#[unsafe(no_mangle)]
pub extern "C" fn dz_group_contains(world: dz_world, group: dz_group, entity: dz_entity) -> bool {
    enter("dz_group_contains", world, |w| on!(w, |w| w.group_contains(group.bits, entity)))
}

/// Starts an iteration of a group's members, batch by batch:
///
///     dz_iter it;
///     for (dz_iterate_group(world, movers, DZ_BACKWARD, &it); dz_next(&it);) {
///         Position *p = DZ_RUN(it, Position, 0);                     // owned: an array
///         Velocity *v = DZ_RUN(it, Velocity, 1);
///         for (uint32_t i = 0; i < it.count; i++) {
///             const Mass *m = DZ_AT(it, Mass, 2, i);                 // included: looked up
///             p[i].x += v[i].x / m->kg;
///         }
///     }
///     for (dz_iterate_group(world, movers, DZ_BACKWARD, &it); dz_next(&it);) {
///         DZ_EACH(it, i) dz_destroy(world, dz_iter_entity(&it, i));    // changes what it iterates
///     }
///
/// Fields are numbered as the group's components: the owned ones, then the included ones. Owned ones are arrays
/// (DZ_RUN, or DZ_AT) in every batch, of up to 32,768 members. If components that aren't owned have data, their
/// elements are looked up, DZ_AT reads them, and a batch has up to 128 members.
///
/// `direction` is a dz_direction; DZ_FORWARD is the order of a sorted group. The plain loop is for bodies that change
/// values only; one that goes down from i = it.count in a DZ_BACKWARD iteration may destroy its current entity, if no
/// other member goes with it (as children do). DZ_EACH is for all others: each member is seen at most once, and only if
/// it is one at that moment. Backward, who is a member all the time is seen, and who joins meanwhile isn't, whatever is
/// removed, added or destroyed. Where that can't be kept the iteration ends with DZ_ERR_CHANGED: docs/groups.md has the
/// table.
///
/// Errors, also in it.status: DZ_ERR_GROUP, DZ_ERR_ENUM, DZ_ERR_NULL_POINTER, a world's handle. After an error
/// dz_next returns false. Reads; many threads may iterate at once. O(groups), and dz_next O(groups + fields), or
/// O(batch) with lookups.
///
/// `iter` has room for one dz_iter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_iterate_group(
    world: dz_world,
    group: dz_group,
    direction: i32,
    iter: *mut dz_iter,
) -> dz_status {
    let start = |w: &Any, out: &mut MaybeUninit<dz_iter>| {
        let forward = descriptors::direction(direction)?;
        let start = on!(w, |w| w.start_group(group.bits, forward))?;
        dz_iter::start_group(out, world, group, &start, super::table::changes(world));
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { super::iterate::begin("dz_iterate_group", world, iter, start) }
}

/// Lists the groups. Writes the first `capacity` of them to `groups` (NULL if capacity is 0), and to `count`
/// how many there are.
///
/// Errors: a world's handle; DZ_ERR_NULL_POINTER. Reads. O(groups).
///
/// `groups` has room for `capacity` groups, `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_groups(
    world: dz_world,
    groups: *mut dz_group,
    capacity: u32,
    count: *mut u32,
) -> dz_status {
    enter("dz_groups", world, |w| {
        // SAFETY: the caller's promise; a dz_group is its bits.
        let (out, count) =
            unsafe { (slice_mut(groups.cast::<u32>(), capacity, "groups")?, output(count, "count")?) };
        count.write(on!(w, |w| w.groups(out)));
        Ok(dz_status::DZ_OK)
    })
}

/// Writes what is known of a group: members, bytes, and its components.
///
/// Errors: DZ_ERR_GROUP, DZ_ERR_NULL_POINTER. Reads. O(groups).
///
/// `details` has room for one dz_group_details.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_group_info(
    world: dz_world,
    group: dz_group,
    details: *mut dz_group_details,
) -> dz_status {
    enter("dz_group_info", world, |w| {
        // SAFETY: the caller's promise.
        let details = unsafe { output(details, "details") }?;
        details.write(on!(w, |w| w.group_details(group.bits))?.into());
        Ok(dz_status::DZ_OK)
    })
}
