//! Entities: create, destroy, ask.
use super::boundary::{ask, end, enter, output, slice, slice_mut};
use super::descriptors;
use super::on;
use super::table::{self, peek};
use super::types::*;
use crate::core::ids::{self, Layout};
use crate::core::world::Ecs;

/// Creates an entity without components. Its index is one that a destroyed entity has left, or the
/// next new one. Returns DZ_NULL on error: DZ_ERR_FULL, DZ_ERR_EXHAUSTED, out of memory,
/// DZ_ERR_IN_HOOK, a world's handle. Writes. O(1) amortised.
#[unsafe(no_mangle)]
pub extern "C" fn dz_create(world: dz_world) -> dz_entity {
    if let Some(w) = peek(world)
        && let Some(entity) = on!(w, |w| w.create_quickly())
    {
        return entity;
    }
    create(world)
}

#[inline(never)]
extern "C" fn create(world: dz_world) -> dz_entity {
    enter("dz_create", world, |w| on!(w, |w| w.create()))
}

/// Creates `n` entities, as n calls of dz_create would, or none. Writes their handles to `entities`.
///
/// Errors: those of dz_create, DZ_ERR_NULL_POINTER. Writes. O(n).
///
/// `entities` has room for `n` handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_create_n(world: dz_world, n: u32, entities: *mut dz_entity) -> dz_status {
    enter("dz_create_n", world, |w| {
        // SAFETY: the caller's promise.
        let out = unsafe { slice_mut(entities, n, "entities") }?;
        on!(w, |w| w.create_n(out)).map(dz_status::from)
    })
}

/// Creates the entity with exactly this handle, e.g. one from a save file or another machine. Its
/// index must be free and its generation not older than the slot's, so that no stale handle comes
/// back to life (with DZ_OVERFLOW_WRAP old and new can't be told apart: any will do). Indices that are skipped this
/// way are free for dz_create; there must be memory for all slots up to the index.
///
/// Errors: DZ_ERR_OCCUPIED, DZ_ERR_DEAD (an older generation), DZ_ERR_NEVER_CREATED (generation 0),
/// DZ_ERR_RETIRED, DZ_ERR_RESERVED, DZ_ERR_WRONG_WORLD, DZ_ERR_NULL_ENTITY, DZ_ERR_TOMBSTONE, DZ_ERR_ROLE, DZ_ERR_FULL, out
/// of memory, DZ_ERR_IN_HOOK. Writes. O(1) at the end or for one of the next 64 free slots; of others the first, and the first
/// after many were destroyed, takes O(dead), those behind it O(1): 4 bytes for each slot are remembered until dz_shrink.
/// (Where there is no memory for that, each takes O(dead).)
#[unsafe(no_mangle)]
pub extern "C" fn dz_create_at(world: dz_world, entity: dz_entity) -> dz_status {
    enter("dz_create_at", world, |w| on!(w, |w| w.create_at(entity)).map(|()| dz_status::DZ_OK))
}

/// Creates the entities with exactly these handles, or none. Errors: those of dz_create_at,
/// DZ_ERR_DUPLICATE, DZ_ERR_NULL_POINTER, DZ_ERR_COUNT. Writes. O(n + dead) if their indices ascend, as dz_entities
/// lists them; else O(n log n + dead), and memory for 2 n indices meanwhile.
///
/// `entities` holds `n` handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_create_at_n(world: dz_world, entities: *const dz_entity, n: u32) -> dz_status {
    enter("dz_create_at_n", world, |w| {
        // SAFETY: the caller's promise.
        let entities = unsafe { slice(entities, n, "entities") }?;
        on!(w, |w| w.create_at_n(entities)).map(dz_status::from)
    })
}

/// Creates `n` entities that have the given components, from columns of values, or none. This is
/// the fastest way to make many, and a good way to make one. The columns are set in their order;
/// then the listeners run entity by entity: DZ_ON_CREATE, then DZ_ON_ADD for each column.
/// `entities` may be NULL if you don't need the handles; after an error nothing in it is
/// a handle. Values are copied (by the copy hook).
///
/// Errors: those of dz_create_n, DZ_ERR_COUNT (see dz_add); for a column a component's handle, DZ_ERR_BUILTIN, DZ_ERR_SIZE,
/// DZ_ERR_DUPLICATE, DZ_ERR_RANGE (its reserved field), DZ_ERR_HOOK_FAILED. Writes. O(n * column_count).
///
/// `columns` holds `column_count` columns whose values are as described; `entities` is NULL or has
/// room for `n` handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_create_with(
    world: dz_world,
    n: u32,
    columns: *const dz_column,
    column_count: u32,
    entities: *mut dz_entity,
) -> dz_status {
    match peek(world) {
        Some(w) if n == 1 => on!(w, |w| create_with_quickly(w, columns, column_count, entities)),
        _ => create_with(world, n, columns, column_count, entities),
    }
}

/// More columns are left to the careful way, which knows whether so many can be.
const QUICK_COLUMNS: u32 = 32;

/// Creates one.
#[inline(never)]
extern "C" fn create_with_quickly<L: Layout>(
    w: &Ecs<L>,
    columns: *const dz_column,
    column_count: u32,
    entities: *mut dz_entity,
) -> dz_status {
    if column_count <= QUICK_COLUMNS && !columns.is_null() && !entities.is_null() {
        // SAFETY: the promise of dz_create_with's caller; neither is NULL.
        let columns = unsafe { core::slice::from_raw_parts(columns, column_count as usize) };
        let mut failed = None;
        if let Some(entity) = w.create_with_quickly(descriptors::columns(columns), &mut failed) {
            // SAFETY: as above.
            unsafe { entities.write(entity) };
            return dz_status::DZ_OK;
        }
        if let Some(error) = failed {
            return end("dz_create_with", table::of(w), error);
        }
    }
    create_with(table::of(w), 1, columns, column_count, entities)
}

#[inline(never)]
extern "C" fn create_with(
    world: dz_world,
    n: u32,
    columns: *const dz_column,
    column_count: u32,
    entities: *mut dz_entity,
) -> dz_status {
    enter("dz_create_with", world, |w| {
        // SAFETY: the caller's promise.
        let (columns, out) = unsafe {
            let columns = slice(columns, column_count, "columns")?;
            let out = if entities.is_null() { None } else { Some(slice_mut(entities, n, "entities")?) };
            (descriptors::columns(columns), out)
        };
        on!(w, |w| w.create_with(n, columns, out)).map(dz_status::from)
    })
}

/// Makes a new entity with copies of all components of `entity` (by the copy hooks), and of its pairs, plain entities and
/// ids with a role, which bring no others with them; but of a symmetric pair the other gets its half, and it gets none of
/// a relation that is both symmetric and exclusive. Its pairs are in the same order as those of `entity`: the latest is
/// the latest. It gets the same parent, as the last child, and the same base; not the name, and no copies of the
/// children. It is no base; it and all its components are enabled. Listeners: DZ_ON_CREATE, then DZ_ON_ADD for each
/// component.
///
/// Returns DZ_NULL on error: an entity's handle, those of dz_create, DZ_ERR_IS_COMPONENT, DZ_ERR_HOOK_FAILED, DZ_ERR_COUNT (see
/// dz_add). Writes.
/// O(what the entity has, and its depth), and a look at neighbours as in dz_destroy.
#[unsafe(no_mangle)]
pub extern "C" fn dz_clone(world: dz_world, entity: dz_entity) -> dz_entity {
    enter("dz_clone", world, |w| on!(w, |w| w.clone_entity(entity)))
}

/// Destroys an entity: DZ_ON_DESTROY listeners, then DZ_ON_REMOVE listeners of each of its
/// components, then the destruct hooks, both in the same order, which is the library's own. From then on its handle is
/// stale. A second call is DZ_ERR_DEAD and changes nothing. Its children are destroyed too, and theirs, and who goes
/// along by a pair (DZ_CLEANUP_DELETE).
///
/// Errors: an entity's handle; for a component's entity DZ_ERR_HELD if entities have it, else
/// DZ_ERR_IS_COMPONENT (use dz_component_unregister), DZ_ERR_BUILTIN; DZ_ERR_PAIR_HELD; DZ_ERR_IN_HOOK.
/// Writes. O(what it and who goes along have, and the pairs that aim at it or of which it is the relation, its instances,
/// and who has it as a tag), a refused call too, and for each of them a bit test for every component that one of its
/// neighbours has: those whose indices are in the same block of 64. Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_destroy(world: dz_world, entity: dz_entity) -> dz_status {
    match peek(world) {
        Some(w) => on!(w, |w| destroy_quickly(world, entity, w)),
        None => destroy(world, entity),
    }
}

#[inline(never)]
extern "C" fn destroy_quickly<L: Layout>(world: dz_world, entity: dz_entity, w: &Ecs<L>) -> dz_status {
    match w.destroy_quickly(entity) {
        Some(()) => dz_status::DZ_OK,
        None => destroy(world, entity),
    }
}

#[inline(never)]
extern "C" fn destroy(world: dz_world, entity: dz_entity) -> dz_status {
    enter("dz_destroy", world, |w| on!(w, |w| w.destroy(entity)).map(|()| dz_status::DZ_OK))
}

/// Destroys `n` entities. With `report` NULL, all or none: the first bad entry is the error. With `report`, an array of
/// `n` statuses, each entry is tried, its status written, and the call returns DZ_OK; entries are tried in their order,
/// and a duplicate is DZ_ERR_DEAD there (DZ_ERR_RETIRED, if that was its slot's last generation), as is one that went
/// along with an earlier one (a child with its parent). In which order they end, and thus which handles dz_create gives
/// out next, is not promised; the same calls come to the same on every machine. Without `report` the slots are used again
/// in the order of the array, but for those who end in an order of their own (see dz_listen), and unless it is a pool's own:
/// if that is the order of indices, a query finds who comes next as runs.
///
/// Errors: those of dz_destroy, DZ_ERR_DUPLICATE, DZ_ERR_NULL_POINTER, DZ_ERR_COUNT (more than can live). Writes. O(n). Needs no
/// memory.
///
/// `entities` holds `n` handles; `report` is NULL or has room for `n` statuses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_destroy_n(
    world: dz_world,
    entities: *const dz_entity,
    n: u32,
    report: *mut dz_status,
) -> dz_status {
    enter("dz_destroy_n", world, |w| {
        // SAFETY: the caller's promise.
        let entities = unsafe { slice(entities, n, "entities") }?;
        if report.is_null() {
            return on!(w, |w| w.destroy_n(entities)).map(dz_status::from);
        }
        // SAFETY: the caller's promise.
        let report = unsafe { slice_mut(report.cast::<i32>(), n, "report") }?;
        on!(w, |w| w.check_writable())?;
        for (entity, status) in entities.iter().zip(report) {
            let done = on!(w, |w| w.destroy(*entity));
            *status = done.map_or_else(|error| error.kind.into(), |()| dz_status::DZ_OK) as i32;
        }
        Ok(if n == 0 { dz_status::DZ_NOTHING_TO_DO } else { dz_status::DZ_OK })
    })
}

/// Whether the entity lives in this world. Components live too. Never an error: any bad handle is
/// just not alive, and where dz_world_is_alive is false nobody is. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_is_alive(world: dz_world, entity: dz_entity) -> bool {
    peek(world).is_some_and(|w| on!(w, |w| w.is_alive(entity)))
}

/// Why an entity is not alive: DZ_OK if it is, else DZ_ERR_NULL_ENTITY, DZ_ERR_TOMBSTONE,
/// DZ_ERR_DEAD, DZ_ERR_NEVER_CREATED, DZ_ERR_WRONG_WORLD, DZ_ERR_RETIRED, DZ_ERR_ROLE, or the
/// world's own error. Also leaves the sentence for dz_error_message(). Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_why(world: dz_world, entity: dz_entity) -> dz_status {
    ask("dz_why", world, |w| on!(w, |w| w.check_alive(entity)))
}

/// The generation that the slot `index` is at: of the entity that lives there, or, for a dead slot,
/// the one that its next entity will get. 0 if there is no such slot, or it is retired (DZ_ERR_RANGE,
/// DZ_ERR_RETIRED). Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_generation(world: dz_world, index: u32) -> u32 {
    enter("dz_generation", world, |w| on!(w, |w| w.generation(index)))
}

/// The index in a handle. A handle's layout can be read from its value, so no world is asked; of an id with a role
/// it can't, so ask for dz_without_role. Never an error; any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_entity_index(entity: dz_entity) -> u32 {
    ids::describe(entity).index
}

/// The generation in a handle. Never an error; any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_entity_generation(entity: dz_entity) -> u32 {
    ids::describe(entity).generation
}

/// The number of the world in a handle; 0 for the 32-bit layout. Never an error; any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_entity_world(entity: dz_entity) -> u32 {
    ids::describe(entity).world
}

/// The living entities, components included, in the order of indices. Writes to `entities` the first
/// `capacity` of those with an index of `first` or more, to `count` how many were written, and to
/// `next` the `first` to go on with, or UINT32_MAX at the end. Changes between the calls are fine.
///
/// Returns DZ_NOTHING_TO_DO for a capacity of 0: `count` is 0 then, and `next` is `first`, or UINT32_MAX if there is
/// no slot from there on. Errors: a world's handle; DZ_ERR_NULL_POINTER. Reads. O(slots looked at).
///
/// `entities` has room for `capacity` handles, `count` and `next` for a number each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_entities(
    world: dz_world,
    first: u32,
    entities: *mut dz_entity,
    capacity: u32,
    count: *mut u32,
    next: *mut u32,
) -> dz_status {
    enter("dz_entities", world, |w| {
        // SAFETY: the caller's promise.
        let (out, count, next) = unsafe {
            (slice_mut(entities, capacity, "entities")?, output(count, "count")?, output(next, "next")?)
        };
        let (written, go_on) = on!(w, |w| w.entities(first, out));
        count.write(written);
        next.write(go_on);
        Ok(if capacity == 0 { dz_status::DZ_NOTHING_TO_DO } else { dz_status::DZ_OK })
    })
}

/// The type of an entity: the ids of all that it has itself; what an instance has from its base isn't listed. Writes the
/// first `capacity` of them to `ids` (NULL if capacity is 0), and to `count` how many there are. Components come in the
/// order of their indices: that of registration, unless components were unregistered or outnumber the reserved range; then
/// DZ_CHILDOF(parent); then pairs and what else was added, DZ_INSTANCEOF(base) too, the latest first.
///
/// Errors: an entity's handle; DZ_ERR_NULL_POINTER. Reads. O(what it has), a look at neighbours as in dz_destroy, and
/// putting it in order.
///
/// `ids` has room for `capacity` ids, `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_type(
    world: dz_world,
    entity: dz_entity,
    ids: *mut dz_id,
    capacity: u32,
    count: *mut u32,
) -> dz_status {
    enter("dz_type", world, |w| {
        // SAFETY: the caller's promise.
        let (out, count) = unsafe { (slice_mut(ids, capacity, "ids")?, output(count, "count")?) };
        count.write(on!(w, |w| w.type_of(entity, out))?);
        Ok(dz_status::DZ_OK)
    })
}

/// An entity's handle from its parts: for saves, and tests. Never an error: parts that don't fit are
/// cut off, and nothing says that the entity lives. `world_number` 0 makes a handle of the 32-bit
/// layout, which has no world: pass 0 for such a world, not its own number. Any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_entity_make(world_number: u32, index: u32, generation: u32) -> dz_entity {
    ids::compose(world_number, index, generation)
}

/// Checks that a world's handle is good, and says what is wrong with it: DZ_OK, DZ_ERR_WORLD_NULL,
/// DZ_ERR_WORLD_DEAD, DZ_ERR_WORLD_UNKNOWN, DZ_ERR_WORLD_BROKEN, or DZ_ERR_IN_HOOK where dz_world_is_alive is false for one that
/// lives. Any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_world_why(world: dz_world) -> dz_status {
    ask("dz_world_why", world, |_| Ok(()))
}
