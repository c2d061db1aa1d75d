//! Sorting: pools and groups, once or kept.
use super::boundary::enter;
use super::descriptors;
use super::on;
use super::table::Busy;
use super::types::*;
use crate::core::storage::order::Order;
use core::ffi::c_void;

/// Sorts the elements of a component's pool by a comparison. Stable: equals stay in their order. What is
/// in order already costs one comparison an element, and what is nearly in order little more.
///
/// `mode` is a dz_sort_mode. With DZ_SORT_KEEP the order is kept in mind: adding and removing disturb it, dz_sort_refresh
/// restores it, and so does dz_query_refresh of a query that reads the pool. Until dz_sort_release no group can own the
/// pool, and nothing else sorts it but another DZ_SORT_KEEP, which takes its place.
///
/// `compare` must not call the library: every call on this world from inside it is DZ_ERR_IN_HOOK. It must not
/// throw. If it contradicts itself the order is some order, and nothing is lost. Hooks: relocate.
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_NULL_POINTER (compare), DZ_ERR_ENUM, DZ_ERR_POLICY
/// (DZ_POLICY_STABLE), DZ_ERR_OWNED (a group owns the pool, or a kept sort and this one isn't kept), out of
/// memory, DZ_ERR_IN_HOOK. Writes. If an element moved, iterations of the pool end with DZ_ERR_CHANGED.
/// O(n log n), O(n) if nearly in order; needs 8 bytes an element for the time of the call.
///
/// `compare` may be called with `user` during the call; if the order is kept, until it no longer is.
/// Sources of the algorithm: T. Peters, listsort.txt (CPython), for what is nearly in order; O. R. L. Peters and L. Bergdoll,
/// driftsort (2024), for what isn't.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_sort(
    world: dz_world,
    id: dz_id,
    compare: dz_compare_fn,
    user: *mut c_void,
    mode: i32,
) -> dz_status {
    enter("dz_sort", world, |w| {
        // SAFETY: the caller's promise.
        let order = Order::By(unsafe { descriptors::comparison(compare, user) }?);
        let keep = descriptors::sort_mode(mode)?;
        let _busy = Busy::new(world.bits);
        on!(w, |w| w.sort(id, order, keep)).map(|()| dz_status::DZ_OK)
    })
}

/// Puts the elements of a component's pool into the order of another's: first those whose entities have
/// `like` too, as they are there, then the others, as they were. `mode` as in dz_sort. A pool may follow itself, which moves
/// nothing, and two may follow each other: a refresh of one brings it into the order that the other has then.
///
/// Errors: those of dz_sort; of `like` only a component's handle, it may be of any policy, and anybody's. Writes.
/// Iterations as in dz_sort. O(n + those that have `like`); needs 8 bytes an element for the time of the call.
#[unsafe(no_mangle)]
pub extern "C" fn dz_sort_as(world: dz_world, id: dz_id, like: dz_id, mode: i32) -> dz_status {
    enter("dz_sort_as", world, |w| {
        let keep = descriptors::sort_mode(mode)?;
        on!(w, |w| w.sort(id, Order::As(like), keep)).map(|()| dz_status::DZ_OK)
    })
}

/// Restores the order that a pool is kept in. DZ_NOTHING_TO_DO if it is kept in none.
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_DEAD (also if the component whose order it follows was
/// unregistered), out of memory, DZ_ERR_IN_HOOK. Writes. Cost and iterations as in dz_sort.
#[unsafe(no_mangle)]
pub extern "C" fn dz_sort_refresh(world: dz_world, id: dz_id) -> dz_status {
    enter("dz_sort_refresh", world, |w| {
        let _busy = Busy::new(world.bits);
        on!(w, |w| w.sort_refresh(id)).map(dz_status::from)
    })
}

/// Keeps a pool in no order any longer; nothing moves. DZ_NOT_THERE if it was kept in none.
///
/// Errors: a component's handle, DZ_ERR_BUILTIN, DZ_ERR_IN_HOOK. Writes. O(1). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_sort_release(world: dz_world, id: dz_id) -> dz_status {
    enter("dz_sort_release", world, |w| on!(w, |w| w.sort_release(id)).map(dz_status::from))
}

/// Sorts the members of a group by a comparison: in all pools that it owns alike, or its list. `by` is one
/// of the components that members have: `compare` gets its elements. With DZ_NULL, and for tags, it gets NULL
/// and the entities. Stable. `mode`, `compare` and `user` as in dz_sort.
///
/// Members of a nested group that is inside this one stay first: each part is sorted by itself, and a part
/// whose group keeps an order of its own stays as it is.
///
/// Errors: DZ_ERR_GROUP, a component's handle (`by`), DZ_ERR_NOT_TERM (`by` isn't a component that members have),
/// DZ_ERR_NULL_POINTER, DZ_ERR_ENUM, DZ_ERR_OWNED (a sort of the group is kept and this one isn't to be), out of memory,
/// DZ_ERR_IN_HOOK. Writes. If a member moved, iterations of the group, of those nested with it and of its
/// pools end with DZ_ERR_CHANGED. Cost as in dz_sort, and the moves for each owned pool.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_group_sort(
    world: dz_world,
    group: dz_group,
    by: dz_id,
    compare: dz_compare_fn,
    user: *mut c_void,
    mode: i32,
) -> dz_status {
    enter("dz_group_sort", world, |w| {
        // SAFETY: the caller's promise.
        let order = Order::By(unsafe { descriptors::comparison(compare, user) }?);
        let keep = descriptors::sort_mode(mode)?;
        let _busy = Busy::new(world.bits);
        on!(w, |w| w.group_sort(group.bits, order, by, keep)).map(|()| dz_status::DZ_OK)
    })
}

/// Puts the members of a group into the order of a component's pool: as dz_sort_as, parts as in
/// dz_group_sort.
///
/// Errors: those of dz_group_sort but DZ_ERR_NOT_TERM and DZ_ERR_NULL_POINTER: `like` is any component. Writes. Iterations as in
/// dz_group_sort. O(members + those that have `like`).
#[unsafe(no_mangle)]
pub extern "C" fn dz_group_sort_as(world: dz_world, group: dz_group, like: dz_id, mode: i32) -> dz_status {
    enter("dz_group_sort_as", world, |w| {
        let keep = descriptors::sort_mode(mode)?;
        on!(w, |w| w.group_sort(group.bits, Order::As(like), 0, keep)).map(|()| dz_status::DZ_OK)
    })
}

/// Restores the order that a group is kept in. DZ_NOTHING_TO_DO if it is kept in none.
///
/// Errors: DZ_ERR_GROUP, DZ_ERR_DEAD (the component whose order it follows was unregistered), out of memory,
/// DZ_ERR_IN_HOOK. Writes. Cost and iterations as in dz_group_sort.
#[unsafe(no_mangle)]
pub extern "C" fn dz_group_sort_refresh(world: dz_world, group: dz_group) -> dz_status {
    enter("dz_group_sort_refresh", world, |w| {
        let _busy = Busy::new(world.bits);
        on!(w, |w| w.group_sort_refresh(group.bits)).map(dz_status::from)
    })
}

/// Keeps a group in no order any longer; nothing moves. DZ_NOT_THERE if it was kept in none.
///
/// Errors: DZ_ERR_GROUP, DZ_ERR_IN_HOOK. Writes. O(groups). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_group_sort_release(world: dz_world, group: dz_group) -> dz_status {
    enter("dz_group_sort_release", world, |w| {
        on!(w, |w| w.group_sort_release(group.bits)).map(dz_status::from)
    })
}
