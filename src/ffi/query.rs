//! Queries: who has these components and not those.
use super::boundary::{enter, output, slice_mut};
use super::descriptors::{self, Asked};
use super::on;
use super::table::{Any, Busy};
use super::types::*;
use crate::core::error::{Error, Kind};
use crate::core::query::linked::{Target, Whose};
use crate::core::query::{Access, Options, Spec};
use crate::core::storage::join::{Ask, TERMS};
use crate::core::storage::slice::Array;
use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;

fn create(w: &Any, asked: &Asked, options: &Options) -> Result<dz_query, Error> {
    let number = super::table::next_query();
    let bits = match asked {
        Asked::Terms(specs) => on!(w, |w| w.create_query(specs, options, number)),
        Asked::Text(text) => on!(w, |w| w.parse_query(text, options, number)),
    }?;
    Ok(dz_query { bits })
}

/// Makes a query from terms, or from text. The handle is good until dz_query_destroy or the world's end;
/// dz_world_clear keeps it. A component that nobody holds yet is fine: nobody matches until somebody does.
///
/// Each term is a field of the iterator, by its place among the terms. The same thing (a component, a pair with the same
/// target, ...) of the same source (the entity itself, its parent, ...) can be in one term only. At least one term must be
/// DZ_WITH or DZ_ANY_OF and ask for something of the entity itself. A query with anything but components (pairs, plain
/// entities, ids with a role), with components of others, for bases or in the order of the hierarchy goes from
/// entity to entity: docs/relationships.md tells how, and what it costs. If a component of the terms is unregistered the
/// query is lost: it can then only be destroyed and described, all else is DZ_ERR_QUERY_LOST.
///
/// If another entity that a term names dies (a target, a source, a parent, an entity as relation or tag), nobody has what
/// the term asks for any more: the query then matches nobody for ever, or with DZ_WITHOUT and
/// DZ_OPTIONAL as if there were no such term, whose field is empty.
/// Who gets the slot next is not meant. Make the query anew.
///
/// Returns {0} on error: DZ_ERR_NULL_POINTER, descriptor errors, DZ_ERR_COUNT (over DZ_MAX_TERMS terms, 4 that match any
/// pair, or 4,096 queries), a component's handle, an entity's handle, DZ_ERR_NO_PAIR, DZ_ERR_ENUM, DZ_ERR_RANGE,
/// DZ_ERR_DUPLICATE, DZ_ERR_NO_TERM, DZ_ERR_ORDER, DZ_ERR_BUILTIN (data of a built-in component is only for DZ_IN),
/// DZ_ERR_SYNTAX, out of memory, DZ_ERR_IN_HOOK. Writes. O(terms * terms).
///
/// `desc` points to a descriptor whose first field is its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_query_create(world: dz_world, desc: *const dz_query_desc) -> dz_query {
    enter("dz_query_create", world, |w| {
        let mut specs = [Spec::NONE; TERMS];
        // SAFETY: the caller's promise.
        let (asked, options) = unsafe { descriptors::query(desc, &mut specs) }?;
        create(w, &asked, &options)
    })
}

/// Makes a query from text:
///
///     Position, [in] Velocity, ?Mass, !Frozen, Red || Blue
///
/// Terms are separated by commas. `?` is optional, `!` without, `||` any-of. `[in]`, `[out]`, `[inout]` and
/// `[none]` before a name state the access. Quoted, as "My, own", are names with a comma, one of | ! ? [ ] ( ), or a
/// blank at an end, and in a pair or as a source those that begin with $ or *. There is no escape: a name with a quote
/// can't be written, use dz_query_create.
///
///     (Likes, Bob), (Likes, *), (*, Bob)              pairs: of a target, of any, of any relation
///     (DockedAt, $port), (In, sol)($port)             who is docked at a port that is in sol
///     Position, Position(parent), Mass(up)            of the parent; of the nearest above that has it
///     Hull(inherit), Gravity(world), Position(sol)    its own or a base's, to read; the world's; that of one entity
///     (ChildOf, sol), !(InstanceOf, ship)             the children of one; who is no instance of a base
///     [cascade] Position, [in] ?Position(parent)      parents before their children; [bases]: bases only
///
/// A name is a component's, or else an entity's path from the root ("sol.earth"), where every dot parts two names,
/// quoted or not. As a source, parent, up, inherit and world are words unless quoted. Names are looked up once, by this
/// call; what becomes of the query when an entity dies that it names is said at dz_query_create.
///
/// Returns {0} on error: DZ_ERR_SYNTAX, also for a name that neither a component nor an entity has and for too many
/// terms; else as dz_query_create. The message has the column (in characters, from 1), if one term is at fault. Writes.
/// O(terms * log components).
///
/// `text` ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_query_parse(world: dz_world, text: *const c_char) -> dz_query {
    enter("dz_query_parse", world, |w| {
        // SAFETY: the caller's promise.
        let asked = Asked::Text(unsafe { descriptors::text(text) }?);
        create(w, &asked, &Options { kept: None, order: None, cascade: false, bases: false })
    })
}

/// Ends a query. Errors: DZ_ERR_QUERY, DZ_ERR_IN_HOOK. Writes. O(1). Needs no memory.
#[unsafe(no_mangle)]
pub extern "C" fn dz_query_destroy(world: dz_world, query: dz_query) -> dz_status {
    enter("dz_query_destroy", world, |w| {
        on!(w, |w| w.destroy_query(query.bits))?;
        super::table::end_query(world);
        Ok(dz_status::DZ_OK)
    })
}

/// Lets an iteration of `part` of `parts` begin, runs only or not.
#[inline(always)]
fn start(
    w: &Any,
    out: &mut MaybeUninit<dz_iter>,
    world: dz_world,
    query: dz_query,
    (part, parts, runs_only): (u32, u32, bool),
) -> Result<(), Error> {
    let whole = (part, parts, runs_only) == (0, 1, false);
    if whole && on!(w, |w| dz_iter::start_recall(out, world, query, w)) {
        return Ok(());
    }
    let iter = dz_iter::start_query(out, world, query, parts > 1, |walk, rows, strides| {
        on!(w, |w| w.start_query(query.bits, (part, parts, runs_only), walk, rows, strides))
    })?;
    if !iter.is_linked() {
        return Ok(());
    }
    let (cursor, fields) = iter.links();
    on!(w, |w| w.start_linked(query.bits, cursor, fields.offsets, runs_only))
}

/// Begins an iteration of `part` of `parts`, runs only or not.
///
/// # Safety
/// `iter` is NULL or has room for a dz_iter.
pub(super) unsafe fn begin(
    function: &'static str,
    world: dz_world,
    query: dz_query,
    (part, parts, runs_only): (u32, u32, bool),
    iter: *mut dz_iter,
) -> dz_status {
    // SAFETY: the caller's promise.
    unsafe {
        super::iterate::begin(function, world, iter, |w, out| {
            start(w, out, world, query, (part, parts, runs_only))
        })
    }
}

/// Starts an iteration of a query's matches, batch by batch, in the order of indices (or of a pool, see
/// dz_query_desc.order):
///
///     dz_iter it;
///     for (dz_iterate(world, movers, &it); dz_next(&it);) {
///         for (uint32_t i = 0; i < it.count; i++) {                    // changes values only
///             Position *p = DZ_AT(it, Position, 0, i);                 // 0: the first term
///             const Velocity *v = DZ_AT(it, Velocity, 1, i);
///             p->x += v->x;
///         }
///     }
///     for (dz_iterate(world, movers, &it); dz_next(&it);) {
///         DZ_EACH(it, i) dz_destroy(world, dz_iter_entity(&it, i));    // changes what it iterates
///     }
///
/// A batch is a run (it.gather is 0, every field an array) or a gather (an address for each element); DZ_AT
/// reads both. The plain loop is for bodies that only change values. DZ_EACH is for bodies that create, destroy,
/// add or remove: whatever they do, each entity is seen at most once, and only if it matches at that moment; in
/// the order of indices nobody is missed who matches all along. Every loop ends: an entity made meanwhile, with an index
/// above all that were used when the loop began, isn't seen. docs/queries.md has the table. A query that goes from entity to
/// entity (see dz_query_create) follows an order of its own, and each of its matches is seen at most once: docs/relationships.md.
///
/// Errors, also in it.status: DZ_ERR_QUERY, DZ_ERR_QUERY_LOST, DZ_ERR_NULL_POINTER, a world's handle; later those of
/// dz_next. After an error dz_next returns false. Reads; many threads may iterate at once. O(terms), and dz_next costs
/// O(batch) and what it passes over: 64 entities at a time.
///
/// `iter` has room for one dz_iter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_iterate(world: dz_world, query: dz_query, iter: *mut dz_iter) -> dz_status {
    // SAFETY: the caller's promise.
    unsafe { begin("dz_iterate", world, query, (0, 1, false), iter) }
}

/// As dz_iterate, but hands out runs only: every field is an array, with it.count elements side by side, so
/// that the loop can use SIMD instructions. Where elements lie apart runs are short, down to one.
///
/// `iter` has room for one dz_iter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_iterate_runs(world: dz_world, query: dz_query, iter: *mut dz_iter) -> dz_status {
    // SAFETY: the caller's promise.
    unsafe { begin("dz_iterate_runs", world, query, (0, 1, true), iter) }
}

/// As dz_iterate, for one of `parts` parts of the matches: the parts are disjoint, and together they are
/// all, if nothing structural happens in between. For threads of your own: parts may be iterated at once, and
/// a part's components be written by the thread that has it.
///
/// Errors: as dz_iterate, and DZ_ERR_RANGE (`part` not below `parts`; `parts` over 1 for a query that follows a pool's
/// order or goes from entity to entity, see dz_query_create).
///
/// `iter` has room for one dz_iter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_iterate_part(
    world: dz_world,
    query: dz_query,
    part: u32,
    parts: u32,
    iter: *mut dz_iter,
) -> dz_status {
    // SAFETY: the caller's promise.
    unsafe { begin("dz_iterate_part", world, query, (part, parts, false), iter) }
}

/// Iterates with a callback: calls `batch` with each batch. It may do what the body of a loop may: with a plain loop
/// over the batch change values, with DZ_EACH anything (which then goes through all that is left: see there).
///
/// Errors: as dz_iterate and dz_next: why an iteration ended early. Reads, or what the callback does.
///
/// `batch` is called during the call only; its dz_iter is good during its call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_query_each(
    world: dz_world,
    query: dz_query,
    batch: dz_batch_fn,
    user: *mut c_void,
) -> dz_status {
    let Some(batch) = batch else {
        return enter("dz_query_each", world, |_| Err(Error::new(Kind::NullPointer).named("batch")));
    };
    let mut iter = MaybeUninit::<dz_iter>::uninit();
    // SAFETY: room for one, on the stack.
    let started = unsafe { begin("dz_query_each", world, query, (0, 1, false), iter.as_mut_ptr()) };
    if started != dz_status::DZ_OK {
        return started;
    }
    // SAFETY: `begin` has started it; the callback is the caller's.
    unsafe {
        while super::iterate::dz_next(iter.as_mut_ptr()) {
            batch(iter.as_mut_ptr(), user);
        }
        let ended = super::status::of((*iter.as_ptr()).status);
        if ended != dz_status::DZ_OK {
            super::record::rename("dz_next", "dz_query_each");
        }
        ended
    }
}

/// How many matches there are: entities, or one for each pair where terms match any. 0 on error: DZ_ERR_QUERY,
/// DZ_ERR_QUERY_LOST, DZ_ERR_DEEP. Reads. O(indices / 64), and of a query that goes from entity to entity O(entities) at most.
/// O(terms) if a kept one remembers its matches, if nobody has a component that is asked for, or if only one is asked for,
/// nothing is excluded, and nobody who has it is disabled or a base.
#[unsafe(no_mangle)]
pub extern "C" fn dz_query_count(world: dz_world, query: dz_query) -> u32 {
    enter("dz_query_count", world, |w| on!(w, |w| w.count_matches(query.bits)))
}

/// The match with the lowest index, also of a query that follows a pool's order (of one with pairs, of the hierarchy or
/// for bases the first one that it finds), or DZ_NULL if nobody matches (no error). Errors: DZ_ERR_QUERY,
/// DZ_ERR_QUERY_LOST, DZ_ERR_DEEP. Reads. O(indices / 64) at most; of a query that goes from entity to entity O(entities).
#[unsafe(no_mangle)]
pub extern "C" fn dz_query_first(world: dz_world, query: dz_query) -> dz_entity {
    enter("dz_query_first", world, |w| first(w, query))
}

fn first(w: &Any, query: dz_query) -> Result<dz_entity, Error> {
    on!(w, |w| w.first_match(query.bits, false)).map(|first| first.map_or(DZ_NULL, |(entity, _)| entity))
}

/// The single match. DZ_NULL on error: DZ_ERR_NOT_SINGLE if nobody or more than one matches, DZ_ERR_QUERY,
/// DZ_ERR_QUERY_LOST, DZ_ERR_DEEP. Reads. As dz_query_first, and as dz_query_count where several match.
#[unsafe(no_mangle)]
pub extern "C" fn dz_query_single(world: dz_world, query: dz_query) -> dz_entity {
    enter("dz_query_single", world, |w| match on!(w, |w| w.first_match(query.bits, true))? {
        Some((entity, false)) => Ok(entity),
        None => Err(Error::new(Kind::NotSingle)),
        Some(_) => {
            let count = on!(w, |w| w.count_matches(query.bits))?;
            Err(Error::new(Kind::NotSingle).about(count.into()))
        }
    })
}

/// Whether nobody matches. true on error, as dz_query_first. Reads. As dz_query_first.
#[unsafe(no_mangle)]
pub extern "C" fn dz_query_is_empty(world: dz_world, query: dz_query) -> bool {
    let found: dz_entity = enter("dz_query_is_empty", world, |w| first(w, query));
    found == DZ_NULL
}

/// Whether an entity matches. false on error: an entity's handle, DZ_ERR_QUERY, DZ_ERR_QUERY_LOST, DZ_ERR_DEEP. Reads.
/// O(terms), and of terms with pairs or `(up)` O(what they go through).
#[unsafe(no_mangle)]
pub extern "C" fn dz_query_matches(world: dz_world, query: dz_query, entity: dz_entity) -> bool {
    enter("dz_query_matches", world, |w| on!(w, |w| w.matches(query.bits, entity)))
}

/// Brings a kept query up to date. It does two things:
///
/// Pools that are kept in an order (DZ_SORT_KEEP) are put into it again, as by dz_sort_refresh: those of its terms
/// but for DZ_WITHOUT and DZ_NO_ACCESS, and the one whose order it follows; a pool that is kept in the order of another
/// of them comes after that one. Whose order is not a kept sort's stays as it is: for groups see
/// dz_group_sort_refresh.
///
/// Then it remembers its matches, so that iterating need not look for them: as runs, or, with pairs or in the order of
/// the hierarchy, where each element is. While nothing structural happens in the pools of its terms (and to the pairs
/// and the hierarchy that it follows), iterating uses what it remembers; else it looks. Where runs would be short
/// (see dz_optimize), there is no memory for them, or a match is DZ_ERR_DEEP, nothing is remembered: dz_query_details.fresh is 0
/// then, and the query is only slower.
///
/// Errors: DZ_ERR_QUERY, DZ_ERR_QUERY_LOST, DZ_ERR_NOT_KEPT, DZ_ERR_DEAD (the component whose order a pool
/// follows was unregistered), out of memory (for sorting: 8 bytes an element of the longest such pool, for the
/// time of the call), DZ_ERR_IN_HOOK. Writes. O(matches + indices / 64), O(terms) if nothing has changed; and for each pool
/// that is kept in an order, what dz_sort_refresh costs: a comparison an element if all is in order. If an
/// element moved, iterations of that pool end with DZ_ERR_CHANGED (those of queries go on, but for those that
/// follow its order).
#[unsafe(no_mangle)]
pub extern "C" fn dz_query_refresh(world: dz_world, query: dz_query) -> dz_status {
    enter("dz_query_refresh", world, |w| {
        // A kept sort calls its comparison.
        let _busy = Busy::new(world.bits);
        on!(w, |w| w.refresh_query(query.bits)).map(|()| dz_status::DZ_OK)
    })
}

/// Puts pools into the order that makes runs long, with at most `moves` swaps of two elements; writes how
/// many were made to `made` (or NULL): fewer than `moves` when all is in order. Call it with UINT32_MAX
/// once after loading, or, where matches seldom change, with a small number in each frame; then dz_query_refresh lets kept
/// queries remember the runs.
///
/// The matches of kept queries come first in the pools of their with-terms, in the order of indices: those of the query
/// with the highest priority, which become one run; then of the next one those that are left, and so on: that one's runs end
/// where a match of the first lies between its own. Of equal priorities the query that was made first comes first. A pool
/// that no kept query asks for is put into the order of indices. Queries that never have runs don't count: those with an
/// order, with pairs or what others have, of the hierarchy or of bases; nor does a term with DZ_NO_ACCESS beside others whose
/// elements are handed out. The first 16 kept queries of a pool are heeded. Whoever joins or leaves moves all behind it by
/// one place; where that happens all the time, a group or an order of the pool is faster.
///
/// No clock is looked at: the same calls have the same result on every machine. Pools take turns: where the moves run out,
/// the next call begins with the pool behind, so that small numbers get through all pools, whatever changes in between. Pools
/// whose order is somebody's are left alone: stable ones, those that a group owns, and those with a kept sort.
///
/// It also lays the first elements of each pool but stable ones, up to 32,768, side by side, in the order in which they are,
/// whosever it is, if they aren't yet: a pool grows page by page, and runs end where a page does. (Not the first four of more
/// than 64 bytes, while there are no more.) That counts as no move, but a call does it for no more elements than `moves` in
/// all; it copies them once, and again when the pool has grown to four times as many. dz_shrink gives them back together.
///
/// Iterations under way of a pool whose elements it moves, and of groups that own it, end with DZ_ERR_CHANGED (those of
/// queries go on, but for those that follow its order).
///
/// Errors: out of memory (it needs room for one element of each pool that is not in order, and gives it back; where there
/// is none for laying elements side by side, they stay where they are), DZ_ERR_IN_HOOK. Writes. O(indices / 64 + entities
/// of the pools that changed + pools * kept queries), and the swaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_optimize(world: dz_world, moves: u32, made: *mut u32) -> dz_status {
    enter("dz_optimize", world, |w| {
        let count = on!(w, |w| w.optimise(moves))?;
        // SAFETY: NULL, or room for a number.
        if let Some(made) = unsafe { made.as_mut() } {
            *made = count;
        }
        Ok(dz_status::DZ_OK)
    })
}

/// What is known of a query. Errors: DZ_ERR_QUERY, DZ_ERR_NULL_POINTER. Reads. O(terms).
///
/// `details` has room for one dz_query_details.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_query_info(
    world: dz_world,
    query: dz_query,
    details: *mut dz_query_details,
) -> dz_status {
    enter("dz_query_info", world, |w| {
        // SAFETY: the caller's promise.
        let out = unsafe { output(details, "details") }?;
        let known = on!(w, |w| w.query_details(query.bits))?;
        out.write(dz_query_details {
            term_count: known.terms,
            kept: known.kept.is_some().into(),
            priority: known.kept.unwrap_or(0),
            runs: known.runs,
            fresh: known.fresh.into(),
            reserved: 0,
            order: known.order,
            bytes: known.bytes,
        });
        Ok(dz_status::DZ_OK)
    })
}

fn as_term(spec: &Spec) -> dz_term {
    let (ask, any_of) = match spec.ask {
        Ask::With => (dz_ask::DZ_WITH, 0),
        Ask::Without => (dz_ask::DZ_WITHOUT, 0),
        Ask::Optional => (dz_ask::DZ_OPTIONAL, 0),
        Ask::AnyOf(group) => (dz_ask::DZ_ANY_OF, group),
    };
    let access = match spec.access {
        Access::InOut => dz_access::DZ_INOUT,
        Access::In => dz_access::DZ_IN,
        Access::Out => dz_access::DZ_OUT,
        Access::None => dz_access::DZ_NO_ACCESS,
    };
    let variable = |number: u8| DZ_ANY | 0x100 | u64::from(number);
    let target = match spec.target {
        Target::None => 0,
        Target::Of(target) => target,
        Target::Any => DZ_ANY,
        Target::Variable(number) => variable(number),
    };
    let source = match spec.source {
        Whose::This => 0,
        Whose::Parent => DZ_PARENT,
        Whose::Up => DZ_UP,
        Whose::Inherit => DZ_INHERIT,
        Whose::Of(entity) => entity,
        Whose::World => DZ_WORLD_VALUE,
        Whose::Variable(number) => variable(number),
    };
    let id = if spec.id == 0 { DZ_ANY } else { spec.id };
    let (ask, access) = (ask as i32, access as i32);
    dz_term { id, target, source, ask, access, any_of: any_of.into(), reserved: 0 }
}

/// The terms of a query. Writes the first `capacity` of them to `terms` (NULL if capacity is 0), and to `count`
/// how many there are. Errors: DZ_ERR_QUERY, DZ_ERR_NULL_POINTER. Reads. O(terms).
///
/// `terms` has room for `capacity` terms, `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_query_terms(
    world: dz_world,
    query: dz_query,
    terms: *mut dz_term,
    capacity: u32,
    count: *mut u32,
) -> dz_status {
    enter("dz_query_terms", world, |w| {
        // SAFETY: the caller's promise.
        let (terms, count) = unsafe { (slice_mut(terms, capacity, "terms")?, output(count, "count")?) };
        let mut specs = Array([Spec::NONE; DZ_MAX_TERMS as usize]);
        let there = on!(w, |w| w.query_terms(query.bits, &mut *specs))?;
        terms.iter_mut().zip(&specs[..there as usize]).for_each(|(out, spec)| *out = as_term(spec));
        count.write(there);
        Ok(dz_status::DZ_OK)
    })
}

/// Lists the world's queries. Writes the first `capacity` of them to `queries` (NULL if capacity is 0), and to
/// `count` how many there are. Errors: DZ_ERR_NULL_POINTER. Reads. O(queries).
///
/// `queries` has room for `capacity` handles, `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_query_list(
    world: dz_world,
    queries: *mut dz_query,
    capacity: u32,
    count: *mut u32,
) -> dz_status {
    enter("dz_query_list", world, |w| {
        // SAFETY: the caller's promise; a handle is its bits.
        let (out, count) =
            unsafe { (slice_mut(queries.cast::<u32>(), capacity, "queries")?, output(count, "count")?) };
        count.write(on!(w, |w| w.queries(out)));
        Ok(dz_status::DZ_OK)
    })
}
