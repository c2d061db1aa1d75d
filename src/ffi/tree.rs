//! The hierarchy: parents, children in order, subtrees.
use super::boundary::{enter, slice_mut};
use super::descriptors::one_of;
use super::on;
use super::table::peek;
use super::types::*;
use crate::core::error::Error;
use crate::core::ids::Layout;
use crate::core::storage::tree::{NONE, Order};
use crate::core::world::Ecs;
use crate::core::world::tree::{Among, Near};

/// Makes an entity the last child of another, or (DZ_NULL) a root; what is below it comes along. Any entity can be a
/// parent. When it is destroyed, so are its children, and theirs. dz_add with DZ_CHILDOF(parent) does the same,
/// but leaves a child of that parent at its place; dz_remove makes a root, dz_has asks, and dz_type tells.
///
/// Errors: the handles' errors, DZ_ERR_IS_COMPONENT (the child), DZ_ERR_CYCLE (the parent is the child, or below
/// it), DZ_ERR_NAME_TAKEN (a child of the parent has the child's name), out of memory, DZ_ERR_IN_HOOK. Writes. O(1)
/// for a child with nothing below it; else O(depth), and O(what is below) if it comes to another depth.
#[unsafe(no_mangle)]
pub extern "C" fn dz_set_parent(world: dz_world, child: dz_entity, parent: dz_entity) -> dz_status {
    if let Some(w) = peek(world)
        && on!(w, |w| w.set_parent_quickly(child, parent)).is_some()
    {
        return dz_status::DZ_OK;
    }
    set_parent(world, child, parent)
}

#[inline(never)]
extern "C" fn set_parent(world: dz_world, child: dz_entity, parent: dz_entity) -> dz_status {
    enter("dz_set_parent", world, |w| {
        on!(w, |w| w.set_parent(child, parent, Among::Last)).map(|()| dz_status::DZ_OK)
    })
}

/// One that is near an entity: the short way, or the careful one.
#[inline(always)]
fn near(function: &'static str, world: dz_world, entity: dz_entity, near: Near) -> dz_entity {
    if let Some(w) = peek(world)
        && let Some(found) = on!(w, |w| w.near_quickly(entity, near))
    {
        return found;
    }
    near_carefully(function, world, entity, near)
}

/// The same for those who go backward, which is rarer: not a copy of it in each.
#[inline(never)]
fn near_backward(function: &'static str, world: dz_world, entity: dz_entity, which: Near) -> dz_entity {
    near(function, world, entity, which)
}

#[inline(never)]
fn near_carefully(function: &'static str, world: dz_world, entity: dz_entity, near: Near) -> dz_entity {
    enter(function, world, |w| on!(w, |w| w.near(entity, near)))
}

/// Puts a child at another place among its siblings. `place` is a dz_place; `sibling` is another child of the same
/// parent for DZ_PLACE_BEFORE and DZ_PLACE_AFTER, else DZ_NULL.
///
/// Errors: the handles' errors, DZ_ERR_IS_COMPONENT, DZ_ERR_ENUM, DZ_ERR_NO_PARENT, DZ_ERR_SIBLING, DZ_ERR_RANGE (a
/// sibling where none is meant), DZ_ERR_IN_HOOK. Writes. O(depth), however many siblings there are.
#[unsafe(no_mangle)]
pub extern "C" fn dz_move_child(
    world: dz_world,
    child: dz_entity,
    place: i32,
    sibling: dz_entity,
) -> dz_status {
    enter("dz_move_child", world, |w| {
        use dz_place::*;
        let all = &[DZ_PLACE_LAST, DZ_PLACE_FIRST, DZ_PLACE_BEFORE, DZ_PLACE_AFTER];
        let among = match one_of(place, "place", all)? {
            DZ_PLACE_BEFORE => Among::Before(sibling),
            DZ_PLACE_AFTER => Among::After(sibling),
            _ if sibling != 0 => {
                let none = "is given as sibling, but DZ_PLACE_LAST and DZ_PLACE_FIRST take none";
                return Err(Error::unfit(none).about(sibling));
            }
            DZ_PLACE_FIRST => Among::First,
            DZ_PLACE_LAST => Among::Last,
        };
        on!(w, |w| w.reorder(child, among)).map(|()| dz_status::DZ_OK)
    })
}

/// The parent of an entity; DZ_NULL if it has none, which leaves no error. Errors (DZ_NULL too): an entity's handle.
/// Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_parent(world: dz_world, entity: dz_entity) -> dz_entity {
    near("dz_parent", world, entity, Near::Parent)
}

/// The first child of an entity; DZ_NULL if it has none. Errors as dz_parent. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_first_child(world: dz_world, entity: dz_entity) -> dz_entity {
    near("dz_first_child", world, entity, Near::FirstChild)
}

/// The last child of an entity; DZ_NULL if it has none. Errors as dz_parent. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_last_child(world: dz_world, entity: dz_entity) -> dz_entity {
    near_backward("dz_last_child", world, entity, Near::LastChild)
}

/// The next child of the same parent; DZ_NULL behind the last. Errors as dz_parent. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_next_sibling(world: dz_world, entity: dz_entity) -> dz_entity {
    near("dz_next_sibling", world, entity, Near::Next)
}

/// The previous child of the same parent; DZ_NULL before the first. Errors as dz_parent. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_previous_sibling(world: dz_world, entity: dz_entity) -> dz_entity {
    near_backward("dz_previous_sibling", world, entity, Near::Previous)
}

/// How many children an entity has. 0 on error: an entity's handle. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_child_count(world: dz_world, entity: dz_entity) -> u32 {
    enter("dz_child_count", world, |w| on!(w, |w| w.child_count_and_depth(entity)).map(|(count, _)| count))
}

/// How many entities are above one: 0 for a root. 0 on error: an entity's handle. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_depth(world: dz_world, entity: dz_entity) -> u32 {
    enter("dz_depth", world, |w| on!(w, |w| w.child_count_and_depth(entity)).map(|(_, depth)| depth))
}

/// Writes those above an entity, its parent first, the first `capacity` of them; returns how many there are.
/// 0 on error: an entity's handle, DZ_ERR_NULL_POINTER. Reads. O(depth).
///
/// `ancestors` has room for `capacity` entities, or is NULL if that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_ancestors(
    world: dz_world,
    entity: dz_entity,
    ancestors: *mut dz_entity,
    capacity: u32,
) -> u32 {
    enter("dz_ancestors", world, |w| {
        // SAFETY: the caller's promise.
        let out = unsafe { slice_mut(ancestors, capacity, "ancestors") }?;
        on!(w, |w| w.ancestors(entity, out))
    })
}

/// Writes children of an entity in order, `capacity` at most: those behind `after`, or (DZ_NULL) from the first.
/// Returns how many were written, 0 behind the last:
///
///     dz_entity batch[256];
///     uint32_t n;
///     for (dz_entity after = DZ_NULL; (n = dz_children(world, parent, after, batch, 256)); after = batch[n - 1])
///         for (uint32_t i = 0; i < n; i++) visit(batch[i]);
///
/// 0 on error: the handles' errors, DZ_ERR_SIBLING (`after` is no child of it), DZ_ERR_NULL_POINTER. Reads. O(1)
/// for each.
///
/// `children` has room for `capacity` entities, or is NULL if that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_children(
    world: dz_world,
    parent: dz_entity,
    after: dz_entity,
    children: *mut dz_entity,
    capacity: u32,
) -> u32 {
    // SAFETY: the caller's promise.
    unsafe {
        match peek(world) {
            Some(w) if after == DZ_NULL => {
                on!(w, |w| match w.first_child_quickly(parent) {
                    Some(NONE) if !children.is_null() => 0,
                    Some(first) if !children.is_null() => write_children(first, children, capacity, w),
                    _ => children_behind(world, parent, after, children, capacity),
                })
            }
            _ => children_behind(world, parent, after, children, capacity),
        }
    }
}

/// # Safety
/// `children` has room for `capacity` entities.
#[inline(never)]
unsafe extern "C" fn write_children<L: Layout>(
    first: u32,
    children: *mut dz_entity,
    capacity: u32,
    w: &Ecs<L>,
) -> u32 {
    // SAFETY: the caller's promise.
    let out = unsafe { slice_mut(children, capacity, "children") };
    out.map_or(0, |out| w.siblings(first, out))
}

/// # Safety
/// As dz_children.
#[inline(never)]
unsafe extern "C" fn children_behind(
    world: dz_world,
    parent: dz_entity,
    after: dz_entity,
    children: *mut dz_entity,
    capacity: u32,
) -> u32 {
    enter("dz_children", world, |w| {
        // SAFETY: the caller's promise.
        let out = unsafe { slice_mut(children, capacity, "children") }?;
        on!(w, |w| w.children(parent, after, out))
    })
}

/// Writes the entities of a subtree, its root included, `capacity` at most: those behind `after` in that order (a
/// dz_tree_order), or (DZ_NULL) from the beginning. Returns how many were written, 0 behind the last: as dz_children.
///
/// 0 on error: the handles' errors, DZ_ERR_ENUM, DZ_ERR_SIBLING (`after` is not in the subtree),
/// DZ_ERR_NULL_POINTER. Reads. O(1) for each, amortised, and O(depth) once.
///
/// `entities` has room for `capacity` entities, or is NULL if that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_subtree(
    world: dz_world,
    root: dz_entity,
    order: i32,
    after: dz_entity,
    entities: *mut dz_entity,
    capacity: u32,
) -> u32 {
    enter("dz_subtree", world, |w| {
        // SAFETY: the caller's promise.
        let out = unsafe { slice_mut(entities, capacity, "entities") }?;
        let order = one_of(order, "order", &[Order::ParentsFirst, Order::ChildrenFirst])?;
        on!(w, |w| w.subtree(root, order, after, out))
    })
}
