//! Worlds: create, destroy, clear, shrink, list, count; and what needs none: errors, statuses, the version.
use super::boundary::{enter, enter_alone, guard, output, slice_mut};
use super::descriptors;
use super::on;
use super::table;
use super::text::Text;
use super::types::*;
use core::ffi::{c_char, c_void};

/// The version of the library that is loaded: major << 16 | minor << 8 | patch. Compare with
/// DZ_VERSION, the version of the header. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_version() -> u32 {
    super::VERSION
}

/// Makes a world. `desc` may be NULL for every default, and is not kept.
///
/// Returns {0} on error: descriptor errors, DZ_ERR_ALLOCATOR, DZ_ERR_ENUM, DZ_ERR_RANGE, DZ_ERR_COUNT (`capacity`),
/// DZ_ERR_INSTRUCTIONS, out of memory, DZ_ERR_TOO_MANY_WORLDS (255 of the 64-bit layout, 3,840 of the 32-bit one). The numbers
/// of 64-bit worlds are handed out round-robin, so an entity handle of a destroyed world can be taken for one of a living
/// world only after 254 others were made in between, less one for each world that lives all the while.
/// Any thread, at any time. O(1), apart from what `capacity` reserves.
///
/// `desc` is NULL or points to a descriptor whose first field is its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_world_create(desc: *const dz_world_desc) -> dz_world {
    enter_alone("dz_world_create", || {
        // SAFETY: the caller's promise.
        let options = unsafe { descriptors::world(desc) }?;
        table::create(options)
    })
}

/// Ends a world: DZ_ON_DESTROY and DZ_ON_REMOVE listeners run for every entity as if each were destroyed in the order of
/// indices, with its children (who else would go along with one comes in its own turn), then destruct hooks run for what is
/// left (singletons), then the memory goes back. Every handle and pointer of it is bad from then on. A broken world is
/// destroyed without calling listeners and hooks.
///
/// Errors: a world's handle; DZ_ERR_IN_HOOK (also of a broken one, from its listener). Writes, and no other call may use the world meanwhile.
/// O(entities and what they have). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_world_destroy(world: dz_world) -> dz_status {
    guard("dz_world_destroy", world, || table::destroy(world))
}

/// Destroys every entity that is not a component, and removes the singletons. Listeners and hooks
/// run as in dz_world_destroy. Component types, listeners, kept orders and reserved memory stay; so do groups, which are
/// empty then, and queries, but those that name an entity match nobody any more (see dz_query_create). All handles of
/// the destroyed entities are stale. Pairs go too, those that refuse it (DZ_CLEANUP_REFUSE) among them;
/// what relations that are components promise stays, and so do ids of pairs of two components. Who is created next gets
/// indices in ascending order, as at first (with DZ_RECYCLE_FIFO, the slot that is dead for the longest time first).
///
/// Errors: a world's handle; DZ_ERR_IN_HOOK. Writes. O(slots, and what entities have). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_world_clear(world: dz_world) -> dz_status {
    enter("dz_world_clear", world, |w| on!(w, |w| w.clear()).map(|()| dz_status::DZ_OK))
}

/// Gives back the memory that nothing uses: empty pages of pools, of the hierarchy, names and pairs; spare capacity,
/// also where a kept query remembers fewer matches than it once did (since its last dz_query_refresh). A stable pool's gaps
/// are in use until dz_compact closes them.
/// On Linux the system gets it back in whole pages of its own: what shares one with something in use goes back with that.
/// Not the slots of the dead, which keep their generations. Changes no handle, moves no component; ends
/// iterations under way of pools and groups, and of queries that follow a pool's order, with DZ_ERR_CHANGED. All that is listed
/// keeps its order; but a new holder of a pair takes another of the places that former holders left than it would have taken
/// without this call (dz_pair_holders tells). So machines that are to stay in step all call it.
///
/// Errors: a world's handle; DZ_ERR_IN_HOOK. Writes. O(slots, pages, names and pairs).
#[unsafe(no_mangle)]
pub extern "C" fn dz_shrink(world: dz_world) -> dz_status {
    enter("dz_shrink", world, |w| on!(w, |w| w.shrink()).map(|()| dz_status::DZ_OK))
}

/// Reserves memory so that `entities` may live at once without another allocation of the registry.
/// Slots that are retired count among them, and components for which the reserved range has no room; those of that range
/// don't, but they count among the most that the world allows. Pools are not reserved. Never makes anything smaller.
///
/// Errors: a world's handle; DZ_ERR_COUNT (more than the world allows); out of memory. Writes. O(slots) if the memory moves.
#[unsafe(no_mangle)]
pub extern "C" fn dz_reserve(world: dz_world, entities: u32) -> dz_status {
    enter("dz_reserve", world, |w| on!(w, |w| w.reserve(entities, "entities")).map(|()| dz_status::DZ_OK))
}

/// Whether the handle is of a living world that takes calls; false, to any thread, while a hook of one of its components,
/// a comparison of a sort, or its allocator runs. Never an error. Any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_world_is_alive(world: dz_world) -> bool {
    table::find(world).is_ok()
}

/// The world's number, which its 64-bit entity handles carry: 1 to 255, or 256 to 4095 for a
/// world of the 32-bit layout. 0 on error. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_world_number(world: dz_world) -> u32 {
    enter("dz_world_number", world, |_| Ok(table::number(world)))
}

/// The pointer given in dz_world_desc.user or last set. NULL on error. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_world_user(world: dz_world) -> *mut c_void {
    enter("dz_world_user", world, |w| Ok(on!(w, |w| w.user()).cast()))
}

/// Keeps a pointer of yours with the world. The library never follows it. Writes. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_world_set_user(world: dz_world, user: *mut c_void) -> dz_status {
    enter("dz_world_set_user", world, |w| {
        on!(w, |w| w.set_user(user.cast()));
        Ok(dz_status::DZ_OK)
    })
}

/// Lists the living worlds, in the order of their numbers, e.g. to report leaks at the end of a
/// program. Writes the first `capacity` of them to `worlds` (NULL if capacity is 0), and to
/// `count` how many there are.
///
/// Errors: DZ_ERR_NULL_POINTER. Any thread. O(4095).
///
/// `worlds` has room for `capacity` handles; `count` for one number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_worlds(worlds: *mut dz_world, capacity: u32, count: *mut u32) -> dz_status {
    enter_alone("dz_worlds", || {
        // SAFETY: the caller's promise.
        let (out, count) = unsafe { (slice_mut(worlds, capacity, "worlds")?, output(count, "count")?) };
        count.write(table::list(out));
        Ok(dz_status::DZ_OK)
    })
}

/// Writes the world's numbers: counts of alive, dead and retired slots, components, bytes.
///
/// Errors: a world's handle; DZ_ERR_NULL_POINTER. Reads. O(components).
///
/// `numbers` has room for one dz_world_numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_world_stats(world: dz_world, numbers: *mut dz_world_numbers) -> dz_status {
    enter("dz_world_stats", world, |w| {
        // SAFETY: the caller's promise.
        let numbers = unsafe { output(numbers, "numbers") }?;
        numbers.write(on!(w, |w| w.numbers()).into());
        Ok(dz_status::DZ_OK)
    })
}

/// The last error of this thread, as a status; DZ_OK if there was none since dz_error_clear.
/// Answers (positive statuses, and a 0, NULL or false that is no error) leave it alone. Any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_error_status() -> dz_status {
    super::record::last().status
}

/// The last error of this thread as a sentence that names what was wrong, e.g.
/// "dz_get: entity E:1-256[1] is dead: its slot is now at generation 2"; "" if there was none. The
/// text is UTF-8, ends with a zero, and is good until the thread's next call of this function.
/// Any thread. Makes the text when asked: O(its length).
#[unsafe(no_mangle)]
pub extern "C" fn dz_error_message() -> *const c_char {
    super::message::last_message()
}

/// Forgets this thread's last error. Any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_error_clear() {
    super::record::clear();
}

/// The name of a status, e.g. "DZ_ERR_DEAD"; "DZ_UNKNOWN_STATUS" for a value that is none. A
/// constant. Any thread. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_status_name(status: i32) -> *const c_char {
    super::status::name(status).as_ptr()
}

/// Writes an entity's handle in its print form, "E:1-256[1]" (world, index, generation) or
/// "E:256[1]" for the 32-bit layout, which has no world; "E:null" for DZ_NULL. Of an id with a role "DZ_CHILDOF(E:1-256[1])",
/// "DZ_INSTANCEOF(...)", "DZ_ROLE(128, ...)" for one of yours, or "pair 0x300010000000101". Looks at nothing
/// but the handle. Writes at most `capacity` bytes, the ending zero included, and returns the
/// length of the whole text without it, like snprintf. `text` may be NULL if capacity is 0.
///
/// Errors: DZ_ERR_NULL_POINTER (returns 0). Any thread. O(1).
///
/// `text` has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_entity_text(entity: dz_entity, text: *mut c_char, capacity: u32) -> u32 {
    enter_alone("dz_entity_text", || {
        // SAFETY: the caller's promise.
        let out = unsafe { slice_mut(text.cast::<u8>(), capacity, "text") }?;
        let mut line = Text::new();
        line.entity(entity);
        Ok(line.copy_to(out))
    })
}
