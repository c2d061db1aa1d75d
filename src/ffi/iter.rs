//! `dz_iter` and the core's cursors: one is the other in the caller's memory.

use super::table;
use super::types::{dz_entity, dz_group, dz_id, dz_iter, dz_query, dz_status, dz_world};
use crate::core::error::Error;
use crate::core::ids::{Layout, Narrow, Wide};
use crate::core::query::{LinkCursor, NO_ROWS};
use crate::core::storage::join::{
    Cursor as Walk, Fields, LITTLE, LOOK_AHEAD, MOST_ROWS, PICKS, Rows, SPARE, TERMS,
};
use crate::core::world::Ecs;
use crate::core::world::group_iterate::{GroupCursor, GroupStart};
use crate::core::world::iterate::{Cursor, Span};
use crate::core::world::queries::Start;
use core::mem::MaybeUninit;
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

const FORWARD: u32 = 1;
/// It is a query's.
const QUERY: u32 = 2;
/// It follows the order of a pool. (This one, FORWARD and GROUP the inline header and the bindings know by their numbers.)
const ORDERED: u32 = 4;
/// It is of a part.
const PART: u32 = 8;
/// It is a group's.
const GROUP: u32 = 16;
/// It is a query's that is walked entity by entity.
const LINKED: u32 = 32;

/// Which of `dz_iter.walk` says where an iteration of a pool, or in a pool's order, was when it looked last: the walks of these
/// leave it alone.
const PLACE: usize = 31;

const _: () = {
    assert!(size_of::<Walk>() <= size_of::<[u64; PLACE]>() && align_of::<Walk>() <= align_of::<u64>());
    assert!(size_of::<LinkCursor>() <= size_of::<[u64; 32]>() && align_of::<LinkCursor>() <= 8);
    assert!(size_of::<GroupCursor>() <= size_of::<[u64; 32]>() && align_of::<GroupCursor>() <= 8);
    assert!(TERMS == 32 && PICKS == 128 && MOST_ROWS == 512);
};

impl dz_iter {
    /// Says that an iterator was started: "denizen2".
    pub(super) const MAGIC: u64 = u64::from_le_bytes(*b"denizen2");

    /// An iteration in which nothing was seen yet, in the caller's place. What a batch writes before it is
    /// read is left alone: it would cost more than all else.
    fn begin(out: &mut MaybeUninit<Self>, world: dz_world, flags: u32) -> &mut Self {
        // SAFETY: the place is the caller's, of that size. Its fields are integers and addresses that nobody follows; what C
        // didn't write is written, here and by the first batch, before it is read.
        let iter = unsafe { &mut *out.as_mut_ptr() };
        iter.data = null_mut();
        iter.entities = null();
        iter.count = 0;
        iter.stride = 0;
        iter.entity_size = 8;
        iter.status = dz_status::DZ_OK as i32;
        iter.changes = null();
        iter.seen = 0;
        iter.current = 0;
        iter.position = 0;
        iter.flags = flags;
        iter.world = world;
        iter.first = 0;
        iter.id = 0;
        iter.limit = 0;
        iter.magic = Self::MAGIC;
        iter.settler = 0;
        iter.gather = 0;
        iter.term_count = 1;
        iter.query = 0;
        iter
    }

    /// An iteration of a pool begins.
    pub(super) fn start(
        out: &mut MaybeUninit<Self>,
        world: dz_world,
        id: dz_id,
        cursor: &Cursor,
        changes: &'static AtomicU64,
    ) {
        let iter = Self::begin(out, world, if cursor.forward { FORWARD } else { 0 });
        iter.id = id;
        iter.changes = changes.as_ptr();
        iter.era = cursor.era;
        iter.take_cursor(cursor);
        iter.look_again_after_now();
    }

    /// An iteration of a query begins, one of a part if `part`: `start` lets its walk begin.
    #[inline(always)]
    pub(super) fn start_query(
        out: &mut MaybeUninit<Self>,
        world: dz_world,
        query: dz_query,
        part: bool,
        start: impl FnOnce(&mut Walk, &mut Rows, &mut [u32; TERMS]) -> Result<Start, Error>,
    ) -> Result<&mut Self, Error> {
        let iter = Self::begin(out, world, QUERY | FORWARD | if part { PART } else { 0 });
        iter.query = query.bits;
        iter.trust_ahead();
        // SAFETY: as in `parts`.
        let (walk, rows) =
            unsafe { (&mut *(&raw mut iter.walk).cast::<Walk>(), &mut *(&raw mut iter.rows).cast::<Rows>()) };
        let start = start(walk, rows, &mut iter.strides)?;
        iter.offsets = [NO_ROWS; TERMS];
        if let Some((id, cursor)) = &start.order {
            iter.flags |= ORDERED;
            iter.id = *id;
            iter.era = cursor.era;
            iter.take_cursor(cursor);
        }
        iter.take_start(world, &start);
        Ok(iter)
    }

    /// An iteration of a query begins that hands out what the query remembers, if it does.
    #[inline(always)]
    pub(super) fn start_recall<L: Layout>(
        out: &mut MaybeUninit<Self>,
        world: dz_world,
        query: dz_query,
        w: &Ecs<L>,
    ) -> bool {
        // SAFETY: as in `begin`, and in `parts`.
        let started = unsafe {
            let iter = &mut *out.as_mut_ptr();
            let cursor = &mut *(&raw mut iter.walk).cast();
            w.start_recall(query.bits, cursor, &mut iter.offsets, &mut iter.strides)
        };
        let Some(start) = started else { return false };
        let iter = Self::begin(out, world, QUERY | FORWARD);
        iter.query = query.bits;
        iter.take_start(world, &start);
        true
    }

    /// What all iterations of queries begin with.
    #[inline(always)]
    fn take_start(&mut self, world: dz_world, start: &Start) {
        self.changes = table::changes(world).as_ptr();
        self.term_count = start.terms;
        self.entity_size = start.word;
        // Most have no more, and to have as many written as there are would be a call.
        let (few, rest) = self.fields.split_at_mut(4);
        few.fill(null_mut());
        rest.iter_mut().take((start.terms as usize).saturating_sub(4)).for_each(|field| *field = null_mut());
        if start.linked {
            self.flags |= LINKED;
        }
        self.look_again_after_now();
    }

    /// An iteration of a group begins.
    pub(super) fn start_group(
        out: &mut MaybeUninit<Self>,
        world: dz_world,
        group: dz_group,
        start: &GroupStart,
        changes: &'static AtomicU64,
    ) {
        let iter = Self::begin(out, world, GROUP | if start.cursor.forward == 0 { 0 } else { FORWARD });
        iter.query = group.bits;
        iter.changes = changes.as_ptr();
        iter.term_count = start.terms;
        iter.entity_size = start.word;
        iter.strides = start.strides;
        *iter.group_parts().0 = start.cursor;
        iter.take_group_cursor();
        iter.look_again_after_now();
    }

    /// Whether it is walked entity by entity.
    pub(super) fn is_linked(&self) -> bool {
        self.flags & LINKED != 0
    }

    /// The target of a term's pair, by its column: its index.
    pub(super) fn target(&self, term: u32, i: u32) -> Option<u32> {
        if !self.is_linked() {
            return None;
        }
        // SAFETY: `walk` has room for the cursor, is aligned for it, and any bytes are one.
        let cursor = unsafe { &*(&raw const self.walk).cast::<LinkCursor>() };
        cursor.target(self.addresses(), term, i)
    }

    fn addresses(&self) -> &[*mut u8] {
        // SAFETY: addresses to void and to bytes are the same.
        unsafe { &*(&raw const self.rows).cast::<[*mut u8; MOST_ROWS + SPARE]>() }
    }

    /// The cursor of such a walk, and the batch that it fills.
    pub(super) fn links(&mut self) -> (&mut LinkCursor, Fields<'_>) {
        // SAFETY: `walk` has room for the cursor, is aligned for it, and any bytes are one.
        unsafe { self.cursor_and_fields() }
    }

    /// Whether it is a group's.
    pub(super) fn is_group(&self) -> bool {
        self.flags & GROUP != 0
    }

    /// The cursor of a group's iteration, and the batch that it fills.
    pub(super) fn group_parts(&mut self) -> (&mut GroupCursor, Fields<'_>) {
        let position = self.position;
        // SAFETY: `walk` has room for the cursor, is aligned for it, and any bytes are one.
        let (cursor, fields) = unsafe { self.cursor_and_fields::<GroupCursor>() };
        cursor.position = position;
        (cursor, fields)
    }

    /// Where a group's iteration stands now.
    pub(super) fn take_group_cursor(&mut self) {
        // SAFETY: as above.
        let cursor = unsafe { *(&raw const self.walk).cast::<GroupCursor>() };
        self.position = cursor.position;
        self.first = cursor.first;
        self.end = cursor.end;
        self.count = cursor.end.saturating_sub(cursor.first);
    }

    /// The batch of a group that it stands on now, which `group_parts` filled.
    pub(super) fn take_group_batch(&mut self, entities: *const u8, gather: bool) {
        self.take_group_cursor();
        self.entities = entities.cast();
        self.gather = gather.into();
        self.current = 0;
        self.look_again_after_now();
    }

    /// An iteration that could not begin.
    pub(super) fn failed(out: &mut MaybeUninit<Self>, status: dz_status) {
        Self::begin(out, dz_world { bits: 0 }, 0).status = status as i32;
    }

    /// Whether it is a query's.
    pub(super) fn is_query(&self) -> bool {
        self.flags & QUERY != 0
    }

    /// Whether it follows a pool's order.
    pub(super) fn is_ordered(&self) -> bool {
        self.flags & ORDERED != 0
    }

    /// The cursor of a query's walk, and the batch that it fills.
    pub(super) fn parts(&mut self) -> (&mut Walk, Fields<'_>) {
        // SAFETY: `walk` has room for a cursor, is aligned for it, and any bytes are one.
        unsafe { self.cursor_and_fields() }
    }

    /// Remembers that the query is there: what is laid out ahead of it is good until one is destroyed.
    #[inline(always)]
    pub(super) fn trust_ahead(&mut self) {
        self.settler = table::ended(self.world);
    }

    /// Hands out the next part of a run that was laid out ahead, if there is one and all is as it was then.
    #[inline(always)]
    pub(super) fn take_ahead(&mut self) -> Option<bool> {
        let by_index = self.flags & (QUERY | ORDERED | LINKED) == QUERY;
        let walk = self.parts().0;
        let over = walk.ahead == 0;
        if !by_index || over && !walk.is_over() {
            return None;
        }
        if self.magic != Self::MAGIC || self.status != dz_status::DZ_OK as i32 || !table::lives(self.world) {
            return None;
        }
        if self.is_stale() {
            return None; // somebody may have come to match behind the last batch
        }
        if over {
            self.count = 0;
            return Some(false);
        }
        if self.settler != table::ended(self.world) {
            return None;
        }
        let (walk, mut fields) = self.parts();
        let first = walk.resume;
        let count = walk.take(&mut fields);
        let entities = fields.entities;
        self.stand_on(first, entities, count, false);
        (count > 0).then_some(true)
    }

    /// What is walked with, as the cursor of its kind, and the batch that it fills.
    ///
    /// # Safety
    /// `walk` has room for a `C`, is aligned for it, and any bytes are one.
    #[inline(always)]
    unsafe fn cursor_and_fields<C>(&mut self) -> (&mut C, Fields<'_>) {
        // SAFETY: the caller's word for the cursor; addresses to void and to bytes are the same.
        unsafe {
            let fields = Fields {
                data: &mut *(&raw mut self.fields).cast(),
                rows: &mut *(&raw mut self.rows).cast(),
                offsets: &mut *(&raw mut self.offsets).cast(),
                picks: &mut *(&raw mut self.picks).cast(),
                entities: null(),
                count: 0,
                gather: false,
            };
            (&mut *(&raw mut self.walk).cast::<C>(), fields)
        }
    }

    /// The batch it stands on now, which `parts` filled; it was looked for from index `first` on.
    pub(super) fn take_batch(&mut self, first: u32, entities: *const u8, count: u32, gather: bool) {
        self.stand_on(first, entities, count, gather);
        self.look_again_after_now();
    }

    /// The same where it is known that nothing has changed.
    fn stand_on(&mut self, first: u32, entities: *const u8, count: u32, gather: bool) {
        self.limit = first;
        // What was seen since the last change; see `look_less`.
        self.first = self.first.wrapping_add(self.count).min(LOOK_AHEAD);
        self.position = self.first;
        self.entities = entities.cast();
        self.count = count;
        self.gather = gather.into();
        self.current = 0;
    }

    /// Whom it is at, at a place of the batch, as dz_each keeps it: the entity, or its index, of a gather in the order of
    /// indices.
    pub(super) fn whom(&self, number: u32) -> dz_entity {
        let at = if self.gather == 0 { number } else { self.picks[number as usize] } as usize;
        if self.gather != 0 && !self.is_ordered() {
            return at as u64;
        }
        // SAFETY: a batch has `count` entities, or picks of all entities.
        unsafe {
            if self.entity_size == 4 {
                self.entities.cast::<u32>().add(at).read().into()
            } else {
                self.entities.cast::<u64>().add(at).read()
            }
        }
    }

    /// Where it stands.
    pub(super) fn cursor(&self) -> Cursor {
        Cursor {
            forward: self.flags & FORWARD != 0,
            position: self.position,
            first: self.first,
            end: self.end,
            limit: self.limit,
            current: self.current,
            era: self.era,
            known: self.pool_changes,
            settled: self.settled,
            log: self.log,
            // What one of two forgets of the others, the other may need: a copy is an iteration of its own.
            settler: if self.walk[PLACE] == self.place() { self.settler } else { 0 },
        }
    }

    /// Where it is.
    fn place(&self) -> u64 {
        core::ptr::from_ref(self).addr() as u64
    }

    /// Where it stands in the order of a pool. Not all neighbours need be in a gather: how many of it were seen isn't how
    /// many were passed.
    pub(super) fn ordered_cursor(&mut self) -> Cursor {
        let mut cursor = self.cursor();
        if self.gather != 0 {
            let seen = cursor.position.wrapping_sub(cursor.first);
            cursor.position = cursor.first.wrapping_add(self.parts().0.picked.passed(seen));
        }
        cursor
    }

    /// Where it stands now.
    pub(super) fn take_cursor(&mut self, cursor: &Cursor) {
        self.position = cursor.position;
        self.first = cursor.first;
        self.end = cursor.end;
        self.limit = cursor.limit;
        self.current = cursor.current;
        self.pool_changes = cursor.known;
        self.settled = cursor.settled;
        self.log = cursor.log;
        self.settler = cursor.settler;
        self.walk[PLACE] = self.place();
        self.count = cursor.end.saturating_sub(cursor.first);
    }

    /// The span it stands on now.
    pub(super) fn take_span(&mut self, cursor: &Cursor, span: Span) {
        self.take_cursor(cursor);
        self.data = span.data.cast();
        self.entities = span.entities.cast();
        self.count = span.count;
        self.stride = span.size;
        self.entity_size = span.word;
        self.fields[0] = self.data;
        self.strides[0] = span.size;
        self.look_again_after_now();
    }

    /// All that has changed up to now is known: dz_each need only ask after the next change.
    pub(super) fn look_again_after_now(&mut self) {
        self.seen = table::changes(self.world).load(Relaxed);
    }

    /// Lets a query's walk begin anew, because something has changed: behind an entity that was seen, or
    /// behind the batch.
    pub(super) fn begin_anew(&mut self, behind: Option<dz_entity>) {
        let (first, narrow) = (self.limit, self.entity_size == 4);
        let (walk, _) = self.parts();
        let index = match behind {
            None => walk.resume,
            Some(0) => first,
            Some(entity) if narrow => Narrow::index(entity) + 1,
            Some(entity) => Wide::index(entity) + 1,
        };
        walk.begin_anew(index);
    }

    /// Lets a query's walk look as far ahead as it got since the change before this one: mostly it gets as far again, and
    /// what is looked for in vain is no more than what was seen.
    pub(super) fn look_less(&mut self) {
        if self.is_ordered() {
            // What was seen before this batch isn't known.
            let seen = self.position.wrapping_sub(self.first);
            let limit = &mut self.parts().0.limit;
            *limit = if seen <= 1 && *limit <= LITTLE { 1 } else { seen.max(LITTLE / 2) };
            return;
        }
        let seen = self.position.clamp(1, LOOK_AHEAD);
        (self.first, self.count) = (0, 0);
        *if self.is_linked() { &mut self.links().0.limit } else { &mut self.parts().0.limit } = seen;
    }

    /// Whether a query's walk looks for few matches, which needn't be runs.
    pub(super) fn looks_for_few(&mut self) -> bool {
        let walk = self.parts().0;
        walk.limit <= LITTLE && walk.runs_only == 0
    }

    /// For an iteration of all of a query: whether of runs only.
    pub(super) fn is_whole_query(&mut self) -> Option<bool> {
        if !self.is_query() || self.flags & PART != 0 {
            return None;
        }
        let runs_only = if self.is_linked() { self.links().0.runs_only } else { self.parts().0.runs_only };
        Some(runs_only != 0)
    }

    /// Whether something structural has changed in the world since the batch was built.
    pub(super) fn is_stale(&self) -> bool {
        self.seen != table::changes(self.world).load(Relaxed)
    }
}
