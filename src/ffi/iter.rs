//! `dz_iter` and the core's cursors: one is the other in the caller's memory.

use super::table;
use super::types::{dz_entity, dz_id, dz_iter, dz_query, dz_status, dz_world};
use crate::core::ids::{Layout, Narrow, Wide};
use crate::core::storage::join::{Cursor as Walk, Fields, MOST_ROWS, PICKS, TERMS};
use crate::core::world::iterate::{Cursor, Span};
use crate::core::world::queries::Start;
use core::mem::{MaybeUninit, offset_of};
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

const FORWARD: u32 = 1;
/// It is a query's.
const QUERY: u32 = 2;
/// It follows the order of a pool.
const ORDERED: u32 = 4;
/// It is of a part.
const PART: u32 = 8;

/// The end of what is written when an iteration begins: what comes behind is written with each batch.
const HEAD: usize = offset_of!(dz_iter, picks);

const _: () = {
    assert!(size_of::<Walk>() <= size_of::<[u64; 32]>() && align_of::<Walk>() <= align_of::<u64>());
    assert!(TERMS == 32 && PICKS == 128 && MOST_ROWS == 512);
};

impl dz_iter {
    /// Says that an iterator was started: "denizen2".
    pub(super) const MAGIC: u64 = u64::from_le_bytes(*b"denizen2");

    const EMPTY: Self = Self {
        data: null_mut(),
        entities: null(),
        count: 0,
        stride: 0,
        entity_size: 8,
        status: dz_status::DZ_OK as i32,
        changes: null(),
        seen: 0,
        current: 0,
        position: 0,
        flags: 0,
        world: dz_world { bits: 0 },
        first: 0,
        id: 0,
        era: 0,
        pool_changes: 0,
        end: 0,
        limit: 0,
        settled: 0,
        log: 0,
        magic: Self::MAGIC,
        settler: 0,
        gather: 0,
        term_count: 0,
        query: 0,
        fields: [null_mut(); 32],
        strides: [0; 32],
        offsets: [0; 32],
        walk: [0; 32],
        picks: [0; 136],
        rows: [null_mut(); 512],
    };

    /// Writes an iteration in which nothing was seen yet to the caller's place.
    fn begin(out: &mut MaybeUninit<Self>) -> &mut Self {
        static EMPTY: [u8; HEAD] = [0; HEAD];
        let at = out.as_mut_ptr();
        // SAFETY: the place is the caller's, of that size; zeros are a value of every field of the head. What
        // lies behind is plain integers and addresses, which C wrote or didn't, and is written before it is read.
        unsafe {
            core::ptr::copy_nonoverlapping(EMPTY.as_ptr(), at.cast::<u8>(), HEAD);
            let iter = &mut *at;
            iter.entity_size = Self::EMPTY.entity_size;
            iter.magic = Self::MAGIC;
            iter
        }
    }

    /// An iteration of a pool begins.
    pub(super) fn start(
        out: &mut MaybeUninit<Self>,
        world: dz_world,
        id: dz_id,
        cursor: &Cursor,
        changes: &'static AtomicU64,
    ) {
        let iter = Self::begin(out);
        iter.world = world;
        iter.id = id;
        iter.flags = if cursor.forward { FORWARD } else { 0 };
        iter.changes = changes.as_ptr();
        iter.term_count = 1;
        iter.era = cursor.era;
        iter.take_cursor(cursor);
        iter.look_again_after_now();
    }

    /// An iteration of a query begins.
    pub(super) fn start_query(
        out: &mut MaybeUninit<Self>,
        world: dz_world,
        query: dz_query,
        start: &Start,
        changes: &'static AtomicU64,
    ) {
        let iter = Self::begin(out);
        iter.world = world;
        iter.query = query.bits;
        iter.flags = QUERY | FORWARD | if start.whole { 0 } else { PART };
        iter.changes = changes.as_ptr();
        iter.term_count = start.terms;
        iter.entity_size = start.word;
        iter.strides = start.strides;
        *iter.parts().0 = start.cursor;
        if let Some((id, cursor)) = &start.order {
            iter.flags |= ORDERED;
            iter.id = *id;
            iter.era = cursor.era;
            iter.take_cursor(cursor);
        }
        iter.look_again_after_now();
    }

    /// An iteration that could not begin.
    pub(super) fn failed(out: &mut MaybeUninit<Self>, status: dz_status) {
        Self::begin(out).status = status as i32;
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
        // SAFETY: `walk` has room for a cursor, is aligned for it, and any bytes are one; addresses to void
        // and to bytes are the same.
        unsafe {
            let walk = &mut *(&raw mut self.walk).cast::<Walk>();
            let fields = Fields {
                data: &mut *(&raw mut self.fields).cast(),
                rows: &mut *(&raw mut self.rows).cast(),
                offsets: &mut self.offsets,
                picks: &mut self.picks,
                entities: null(),
                count: 0,
                gather: false,
            };
            (walk, fields)
        }
    }

    /// The batch it stands on now, which `parts` filled; it was looked for from index `first` on.
    pub(super) fn take_batch(&mut self, first: u32, entities: *const u8, count: u32, gather: bool) {
        self.limit = first;
        self.entities = entities.cast();
        self.count = count;
        self.gather = gather.into();
        self.position = 0;
        self.current = 0;
        self.look_again_after_now();
    }

    /// The entity at a place of the batch.
    pub(super) fn entity(&self, number: u32) -> dz_entity {
        let at = if self.gather == 0 { number } else { self.picks[number as usize] } as usize;
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
            settler: self.settler,
        }
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
        walk.begin_anew(index, behind.is_some());
    }

    /// For an iteration of all of a query: whether of runs only.
    pub(super) fn is_whole_query(&mut self) -> Option<bool> {
        if !self.is_query() || self.flags & PART != 0 {
            return None;
        }
        Some(self.parts().0.runs_only != 0)
    }

    /// Whether something structural has changed in the world since the batch was built.
    pub(super) fn is_stale(&self) -> bool {
        self.seen != table::changes(self.world).load(Relaxed)
    }
}
