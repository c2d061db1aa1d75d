//! Batches in the order of indices: each a part of the run that a cursor stands in, or before, or a gather.

use super::Join;
use super::batch::{Cursor, Fields};
use super::gather::Words;
use super::levels::{addresses_at, collect_at, count_at, find_run_at, pick_at};
use super::walk::{self, Found};
use crate::core::ids::Layout;
use core::mem::MaybeUninit;

impl<L: Layout> Join<L> {
    /// Builds the next batch; returns how many are in it, 0 at the end. `registry` is the first of all
    /// entities.
    #[inline(never)]
    pub fn fill(&self, cursor: &mut Cursor, fields: &mut Fields<'_>, registry: *const u8) -> u32 {
        if cursor.ahead > 0 {
            return cursor.take(fields);
        }
        if cursor.left == 0 {
            if cursor.runs_only == 0 {
                let gathered = self.gather_next(cursor, fields);
                if gathered.is_some_and(|count| count > 0) {
                    cursor.whole = Cursor::APART;
                }
                self.find_whole(cursor);
                if let Some(count) = gathered {
                    return fields.hand_out(registry, count, true);
                }
            } else if !self.find_run(cursor) {
                return 0;
            }
        }
        walk::advance(self, cursor, fields, registry)
    }

    /// Gathers the next matches; None: the cursor stands before a run.
    #[inline(always)]
    fn gather_next(&self, cursor: &mut Cursor, fields: &mut Fields<'_>) -> Option<u32> {
        let per_field = self.rows_per_field();
        #[allow(clippy::cast_possible_truncation)]
        let most = (per_field as u32).min(cursor.limit);
        if let Some(leading) = self.few_in()
            && let Some(count) = self.gather_few(leading, cursor, fields, most)
        {
            return Some(count);
        }
        let mut words = MaybeUninit::uninit();
        let words = Words::none(&mut words);
        let Found::Picks(count) = collect_at(self.level, self, cursor, most, words) else {
            return None;
        };
        pick_at(self.level, words, fields.picks);
        cursor.stand_behind(&fields.picks[..count as usize]);
        let picks = &fields.picks[..];
        for (tracked, offset) in self.places(per_field) {
            #[allow(clippy::cast_possible_truncation)]
            {
                fields.offsets[tracked.field as usize] = offset as u16;
            }
            let rows = &mut fields.rows[offset..];
            let pool = (self.pool(tracked.pool as usize), tracked.required);
            addresses_at(self.level, pool, words, picks, rows);
        }
        Some(count)
    }

    /// Lets a cursor stand before the next run, which may be a short one; false at the end.
    pub fn find_run(&self, cursor: &mut Cursor) -> bool {
        let found = find_run_at(self.level, self, cursor);
        self.find_whole(cursor);
        found
    }

    /// How many match from index `first` on, below `end`.
    #[must_use]
    pub fn count(&self, first: u32, end: u32) -> u32 {
        count_at(self.level, self, first, end)
    }
}
