//! Iterating: one pool from its beginning or end; the next batch of whatever is iterated, pool, query or group.
use super::boundary::{enter, enter_alone, output};
use super::descriptors;
use super::on;
use super::table::{self, Any};
use super::types::*;
use crate::core::error::{Error, Kind};
use crate::core::world::iterate::Visit;
use core::mem::MaybeUninit;

/// Starts an iteration of the entities that have one component, span by span:
///
///     dz_iter it;
///     for (dz_iterate_pool(world, position, DZ_BACKWARD, &it); dz_next(&it);) {
///         Position *p = it.data;
///         for (uint32_t i = 0; i < it.count; i++) p[i].x += 1;         // changes values only
///     }
///     for (dz_iterate_pool(world, position, DZ_BACKWARD, &it); dz_next(&it);) {
///         DZ_EACH(it, i) dz_destroy(world, dz_iter_entity(&it, i));    // changes what it iterates
///     }
///
/// `direction` is a dz_direction. The plain loop is for bodies that neither add this component to anybody nor take it off
/// anybody, nor enable or disable anybody or make a base (if a group owns the pool: any component of the group); DZ_EACH
/// is for all others. What an iteration sees (docs/iterating.md has the table): backward, each entity that had the
/// component at the start and still has it when its turn comes is seen exactly once, and what is added meanwhile isn't
/// seen. Where that can't be kept, the iteration ends with DZ_ERR_CHANGED: one around another iteration of the same pool
/// that changed it too, one whose body both adds elements and lets more than 16 move, and any if somebody in the pool is
/// disabled, enabled or made a base, or the pool is put into another order, or shrunk. Nothing is ever seen twice or
/// stale.
///
/// Errors, also in it.status: a component's handle, DZ_ERR_ENUM, DZ_ERR_NULL_POINTER, a world's
/// handle. After an error dz_next returns false. Reads; many threads may iterate at once. An iteration
/// that goes on after its pool was changed writes. O(1).
///
/// `iter` has room for one dz_iter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_iterate_pool(
    world: dz_world,
    id: dz_id,
    direction: i32,
    iter: *mut dz_iter,
) -> dz_status {
    let start = |w: &Any, out: &mut MaybeUninit<dz_iter>| {
        let direction = descriptors::direction(direction)?;
        let cursor = on!(w, |w| w.iterate(id, direction))?;
        dz_iter::start(out, world, id, &cursor, super::table::changes(world));
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { begin("dz_iterate_pool", world, iter, start) }
}

/// Begins an iteration by `start`, if there is room for it; what couldn't begin says why.
///
/// # Safety
/// `iter` is NULL or has room for a dz_iter.
pub(super) unsafe fn begin(
    function: &'static str,
    world: dz_world,
    iter: *mut dz_iter,
    start: impl FnOnce(&Any, &mut MaybeUninit<dz_iter>) -> Result<(), Error>,
) -> dz_status {
    // SAFETY: the caller's promise; the two are not used at once.
    let place = || unsafe { output(iter, "iter") };
    let started = enter(function, world, |w| start(w, place()?).map(|()| dz_status::DZ_OK));
    if let (Ok(out), true) = (place(), started != dz_status::DZ_OK) {
        dz_iter::failed(out, started);
    }
    started
}

/// Goes to the next span or batch: fills `iter`, or returns false at the end, or on an error, which is then in
/// iter->status: the world, the component, the query or the group is gone, DZ_ERR_CHANGED, DZ_ERR_ITER (it was never
/// started), or DZ_ERR_DEEP: a transitive relation that a term asks for leads too far from an entity, and who wasn't
/// handed out yet isn't. DZ_ERR_NULL_POINTER is the thread's last error alone. Reads; writes if it goes backward
/// through a pool that has changed since the iteration began. For a pool O(1), O(span) where there are gaps, somebody is
/// disabled or a base, or something changed; for a query O(batch) and what is passed over.
///
/// `iter` was started by one of the dz_iterate functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_next(iter: *mut dz_iter) -> bool {
    // SAFETY: the caller's promise.
    if let Some(iter) = unsafe { iter.as_mut() }
        && let Some(more) = iter.take_ahead()
    {
        return more;
    }
    // SAFETY: as above.
    unsafe { next(iter) }
}

/// As `dz_next`, where nothing is laid out ahead. A function of its own, which the other jumps to: what it needs on the
/// stack, the quick way doesn't pay for.
#[inline(never)]
unsafe extern "C" fn next(iter: *mut dz_iter) -> bool {
    // SAFETY: the caller's promise.
    let Some(iter) = (unsafe { iter.as_mut() }) else {
        return enter_alone("dz_next", || Err(Error::new(Kind::NullPointer).named("iter")));
    };
    if iter.is_query() {
        if iter.is_linked()
            && let Some(more) = recall_quickly(iter)
        {
            return more;
        }
        // Not in one step with the others below: there a short run takes a sixth longer.
        return step(iter, "dz_next", |iter, w| {
            if iter.is_linked() {
                return next_linked(iter, w);
            }
            if iter.is_ordered() {
                return next_ordered(iter, w, false);
            }
            if iter.is_stale() {
                iter.begin_anew(None);
            }
            next_batch(iter, w)
        });
    }
    step(iter, "dz_next", |iter, w| {
        if iter.is_group() {
            let serial = iter.query;
            let (cursor, mut fields) = iter.group_parts();
            let count = on!(w, |w| w.next_group_batch(serial, cursor, &mut fields))?;
            let (entities, gather) = (fields.entities, fields.gather);
            iter.take_group_batch(entities, gather);
            return Ok(count > 0);
        }
        let mut cursor = iter.cursor();
        let span = on!(w, |w| w.next_span(iter.id, &mut cursor))?;
        iter.take_span(&cursor, span);
        Ok(iter.count > 0)
    })
}

/// Hands out the next batch that a query remembers, where nothing has changed; None if that takes more than a look.
#[inline(always)]
fn recall_quickly(iter: &mut dz_iter) -> Option<bool> {
    if iter.magic != dz_iter::MAGIC || iter.status != dz_status::DZ_OK as i32 {
        return None;
    }
    let world = table::peek(iter.world)?;
    if iter.is_stale() {
        return None;
    }
    let query = iter.query;
    let (cursor, mut fields) = iter.links();
    if cursor.is_over() {
        iter.count = 0;
        return on!(world, |w| w.has_query(query)).then_some(false);
    }
    let count = on!(world, |w| w.recall_quickly(query, cursor, &mut fields))?;
    let entities = fields.entities;
    iter.take_batch(0, entities, count, true);
    Some(count > 0)
}

/// Builds the next batch of a query.
#[inline(always)]
fn next_batch(iter: &mut dz_iter, w: &Any) -> Result<bool, Error> {
    let query = iter.query;
    let (walk, mut fields) = iter.parts();
    let first = walk.resume;
    let count = on!(w, |w| w.next_batch(query, walk, &mut fields))?;
    let (entities, gather) = (fields.entities, fields.gather);
    iter.take_batch(first, entities, count, gather);
    iter.trust_ahead();
    Ok(count > 0)
}

/// The same for those who call it once in a while: not a copy of it in each.
#[inline(never)]
fn next_batch_apart(iter: &mut dz_iter, w: &Any) -> Result<bool, Error> {
    next_batch(iter, w)
}

/// Builds a batch of a query's next few matches.
#[inline(always)]
fn next_little(iter: &mut dz_iter, w: &Any) -> Result<bool, Error> {
    let query = iter.query;
    let (walk, mut fields) = iter.parts();
    let first = walk.resume;
    let count = on!(w, |w| w.next_little(query, walk, &mut fields))?;
    let entities = fields.entities;
    iter.take_batch(first, entities, count, true);
    Ok(count > 0)
}

/// Builds the next batch of a query that is walked entity by entity.
#[inline(never)] // Two functions call it, for a whole batch.
fn next_linked(iter: &mut dz_iter, w: &Any) -> Result<bool, Error> {
    let query = iter.query;
    let (cursor, mut fields) = iter.links();
    let count = on!(w, |w| w.next_linked(query, cursor, &mut fields))?;
    let (entities, gather) = (fields.entities, fields.gather);
    iter.take_batch(0, entities, count, gather);
    Ok(count > 0)
}

/// Lets a walk from entity to entity go on behind the element that was seen last; the rest of the batch is looked for
/// anew.
fn links_behind(iter: &mut dz_iter, w: &Any) -> Result<(), Error> {
    let (query, count, row) = (iter.query, iter.count, iter.position.wrapping_sub(iter.first).checked_sub(1));
    if count == 0 {
        return Ok(());
    }
    let (cursor, fields) = iter.links();
    on!(w, |w| w.stand_behind(query, cursor, &fields.rows[..], count, row))
}

/// The target of the pair by which a match of a query was found: of element i of the batch, by a term that asks for a
/// pair. Of a term with a fixed target that one, of an optional one for any the latest; DZ_NULL if it is not there, or the
/// term asks for none, or that there be none. Of an optional term for a plain entity, DZ_CHILDOF and its like, or DZ_ROLE,
/// that entity if it is there.
/// Ask before the loop's body ends the target: the batch knows its slot alone, whose owner this is.
///
/// Errors (DZ_NULL too): DZ_ERR_NULL_POINTER, DZ_ERR_ITER (not one of a query), DZ_ERR_RANGE (`term`, `i`),
/// DZ_ERR_QUERY (it was destroyed), a world's handle. Reads. O(1).
///
/// `iter` was started by dz_iterate or dz_iterate_runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_iter_target(iter: *const dz_iter, term: u32, i: u32) -> dz_entity {
    // SAFETY: the caller's promise.
    let Some(iter) = (unsafe { iter.as_ref() }) else {
        return enter_alone("dz_iter_target", || Err(Error::new(Kind::NullPointer).named("iter")));
    };
    if iter.magic != dz_iter::MAGIC || !iter.is_query() {
        let of_pool = iter.magic == dz_iter::MAGIC && iter.world.bits != 0;
        let what = if of_pool { "is of a pool or of a group, not of a query" } else { "" };
        return enter_alone("dz_iter_target", || Err(Error::new(Kind::Iter).named(what)));
    }
    // What most ask for: of a good batch the target that it was found by, where there is nothing to refuse.
    if term < iter.term_count
        && i < iter.count
        && let Some(index) = iter.target(term, i)
        && let Some(w) = table::peek(iter.world)
    {
        return on!(w, |w| w.entity_at(index));
    }
    enter("dz_iter_target", iter.world, |w| {
        for (value, end, name) in [(term, iter.term_count, "term"), (i, iter.count, "i")] {
            if end == 0 {
                return Err(Error::unfit("the dz_iter is at no batch"));
            }
            if value >= end {
                return Err(Error::range(name, value.into(), 0, u64::from(end) - 1));
            }
        }
        match iter.target(term, i) {
            Some(index) => Ok(on!(w, |w| w.entity_at(index))),
            None => on!(w, |w| w.target_of_term(iter.query, term)),
        }
    })
}

/// Builds the next batch of a query that follows the order of a pool.
fn next_ordered(iter: &mut dz_iter, w: &Any, anew: bool) -> Result<bool, Error> {
    let (query, id, mut order) = (iter.query, iter.id, iter.ordered_cursor());
    if !anew && order.is_over() && !iter.is_stale() {
        iter.count = 0;
        return Ok(false);
    }
    let (walk, mut fields) = iter.parts();
    let count = on!(w, |w| w.next_ordered(query, (id, &mut order), anew, walk, &mut fields))?;
    let (entities, gather) = (fields.entities, fields.gather);
    iter.take_batch(0, entities, count, gather);
    iter.take_cursor(&order);
    // Where neighbours of the pool don't match, there are fewer than it has passed.
    iter.count = count;
    Ok(count > 0)
}

/// Starts an iteration over again, from the beginning, with what matches now. Errors: DZ_ERR_NULL_POINTER,
/// DZ_ERR_ITER (it was never started, or couldn't be), DZ_ERR_RANGE (one of several parts, of a pool or of a group: start
/// it again; it goes on), and as dz_iterate: then it has ended, and iter->status says why. Reads. O(1).
///
/// `iter` was started by dz_iterate or dz_iterate_runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_restart(iter: *mut dz_iter) -> dz_status {
    // SAFETY: the caller's promise.
    let Some(iter) = (unsafe { iter.as_mut() }) else {
        return enter_alone("dz_restart", || Err(Error::new(Kind::NullPointer).named("iter")));
    };
    if iter.magic != dz_iter::MAGIC || iter.world.bits == 0 {
        return enter_alone("dz_restart", || Err(Error::new(Kind::Iter)));
    }
    let Some(runs_only) = iter.is_whole_query() else {
        return enter("dz_restart", iter.world, |_| {
            Err(Error::unfit(
                "iter is of a pool, of a group or of a part, which can't be started over: start it anew",
            ))
        });
    };
    let (world, query) = (iter.world, dz_query { bits: iter.query });
    // SAFETY: it is the caller's.
    unsafe { super::query::begin("dz_restart", world, query, (0, 1, runs_only), iter) }
}

/// What errors of `dz_each_slow` name: what the program has written.
const EACH: &str = "DZ_EACH";

/// For dz_each (the inline helper behind DZ_EACH), which calls it when something structural changed in the world: finds
/// the next element that is to be seen. Returns its number in the span, or UINT32_MAX at the span's end; of a query it makes
/// `iter` a new batch, of who matches behind the one that was seen last, returns 0, and UINT32_MAX where nobody does.
/// Not meant to be called by hand, but safe if it is. Errors (UINT32_MAX too): as dz_next's. Reads, or writes, as dz_next.
/// O(what it passes over).
///
/// `iter` was started by one of the dz_iterate functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_each_slow(iter: *mut dz_iter) -> u32 {
    // SAFETY: the caller's promise.
    let Some(iter) = (unsafe { iter.as_mut() }) else {
        let _: bool = enter_alone(EACH, || Err(Error::new(Kind::NullPointer).named("iter")));
        return u32::MAX;
    };
    let behind: u32 = step(iter, EACH, |iter, w| {
        if iter.is_query() {
            return first_behind(iter, w).map(u32::from);
        }
        if iter.is_group() {
            let serial = iter.query;
            let (cursor, mut fields) = iter.group_parts();
            let (next, quiet) = on!(w, |w| w.next_group_member(serial, cursor, &mut fields))?;
            iter.take_group_cursor();
            // At the end its place may lie before the batch: a loop that goes on there all the same is answered here again.
            if quiet && next.is_some() {
                iter.look_again_after_now();
            }
            return Ok(match next {
                Some((number, entity)) => {
                    iter.current = entity;
                    number + 1
                }
                None => 0,
            });
        }
        let mut cursor = iter.cursor();
        let visit = on!(w, |w| w.next_element(iter.id, &mut cursor))?;
        let followed = on!(w, |w| w.is_followed(iter.id, &cursor));
        iter.take_cursor(&cursor);
        if followed {
            iter.look_again_after_now();
        }
        Ok(match visit {
            Visit::Element { position, entity } => {
                iter.current = entity;
                position.wrapping_sub(iter.first).wrapping_add(1)
            }
            Visit::EndOfSpan => 0,
        })
    });
    behind.wrapping_sub(1)
}

/// Builds the batch of a query that begins behind the entity that was seen last, because what is left of its batch may be
/// stale; whether there is anybody in it.
fn first_behind(iter: &mut dz_iter, w: &Any) -> Result<bool, Error> {
    if iter.is_linked() {
        links_behind(iter, w)?;
    }
    iter.look_less();
    let built = if iter.is_linked() {
        next_linked(iter, w)?
    } else if iter.is_ordered() {
        next_ordered(iter, w, true)?
    } else {
        iter.begin_anew(Some(iter.current));
        if iter.looks_for_few() { next_little(iter, w)? } else { next_batch_apart(iter, w)? }
    };
    if built {
        iter.current = iter.whom(0);
        iter.position += 1;
    }
    Ok(built)
}

/// What dz_next and dz_each_slow share: an iteration that ended or failed stays so, and an error is
/// kept in the iterator too.
fn step<T: super::boundary::Failed>(
    iter: &mut dz_iter,
    function: &'static str,
    f: impl FnOnce(&mut dz_iter, &Any) -> Result<T, Error>,
) -> T {
    if iter.magic != dz_iter::MAGIC {
        (iter.count, iter.status) = (0, dz_status::DZ_ERR_ITER as i32);
        return enter_alone(function, || Err(Error::new(Kind::Iter)));
    }
    if iter.status != dz_status::DZ_OK as i32 {
        iter.count = 0;
        return T::failed(dz_status::DZ_ERR_ITER);
    }
    let world = iter.world;
    let mut failed = None;
    let done = enter(function, world, |w| f(iter, w).inspect_err(|error| failed = Some(error.kind)));
    if failed.is_none()
        && let Err(error) = super::table::find(world)
    {
        failed = Some(error.kind);
    }
    if let Some(kind) = failed {
        iter.count = 0;
        iter.status = dz_status::from(kind) as i32;
    }
    done
}
