//! `dz_iter` and the core's cursor: one is the other in the caller's memory.

use super::table;
use super::types::{dz_id, dz_iter, dz_status, dz_world};
use crate::core::world::iterate::{Cursor, Span};
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

const FORWARD: u32 = 1;

impl dz_iter {
    /// Says that an iterator was started: "denizen1".
    pub(super) const MAGIC: u64 = u64::from_le_bytes(*b"denizen1");

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
        settler: 0,
        magic: Self::MAGIC,
        reserved: [0; 31],
    };

    /// An iteration that begins.
    pub(super) fn start(world: dz_world, id: dz_id, cursor: &Cursor, changes: &'static AtomicU64) -> Self {
        let flags = if cursor.forward { FORWARD } else { 0 };
        let mut iter = Self { world, id, flags, changes: changes.as_ptr(), era: cursor.era, ..Self::EMPTY };
        iter.take_cursor(cursor);
        iter.look_again_after_now();
        iter
    }

    /// An iteration that could not begin.
    pub(super) fn failed(status: dz_status) -> Self {
        Self { status: status as i32, ..Self::EMPTY }
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
        self.look_again_after_now();
    }

    /// All that has changed up to now is known: dz_each need only ask after the next change.
    pub(super) fn look_again_after_now(&mut self) {
        self.seen = table::changes(self.world).load(Relaxed);
    }
}
