//! Batches in the order of a pool, instead of that of indices.
//!
//! ```text
//!   the pool      7  2  9  4  1  8      in its own order, e.g. sorted
//!   who matches   7  2  -  4  1  -      batches: [7 2] [4 1]
//! ```

use super::batch::{Fields, PICKS};
use super::walk::rows_per_field;
use super::{Join, NO_FIELD};
use crate::core::ids::Layout;
use crate::core::storage::pool::Pool;
use core::ptr::null_mut;

impl<L: Layout> Join<L> {
    /// The first positions of a pool between two, neighbours, whose entities all match, at most a batch;
    /// `first` and `end` are the same if there are none.
    #[must_use]
    pub fn first_matches(&self, pool: &Pool<L>, first: u32, end: u32) -> (u32, u32) {
        let matches = |position: u32| self.matches(L::index(pool.entity(position)));
        let first = (first..end).find(|position| matches(*position)).unwrap_or(end);
        #[allow(clippy::cast_possible_truncation)]
        let most = end.min(first.saturating_add(rows_per_field(self) as u32));
        let end = (first..most).find(|position| !matches(*position)).unwrap_or(most);
        (first, end)
    }

    /// Builds a batch of the entities at neighbouring positions of a pool, who all match: a run where
    /// everything lies side by side, which it is made to do if only runs are wanted. Returns how many are in it.
    pub fn gather(
        &self,
        pool: &Pool<L>,
        positions: core::ops::Range<u32>,
        runs_only: bool,
        fields: &mut Fields<'_>,
        registry: *const u8,
    ) -> u32 {
        let first = positions.start;
        let mut count = positions.len().min(PICKS);
        for (pick, position) in fields.picks.iter_mut().zip(positions) {
            *pick = L::index(pool.entity(position));
        }
        let per_field = rows_per_field(self);
        let mut run = count;
        let mut offset = 0;
        for tracked in self.tracked.iter().filter(|tracked| tracked.field != NO_FIELD) {
            let of = self.pool(tracked.pool as usize);
            let rows = &mut fields.rows[offset..offset + count];
            for (row, index) in rows.iter_mut().zip(fields.picks.iter()) {
                let page = of.sparse().page(*index);
                let there = page.members(*index) >> (index % 64) & 1 != 0;
                *row = if there { of.element(page.position(*index)) } else { null_mut() };
            }
            #[allow(clippy::cast_possible_truncation)]
            {
                fields.offsets[tracked.field as usize] = offset as u16;
            }
            fields.data[tracked.field as usize] = rows[0];
            offset += per_field;
            let step = if rows[0].is_null() { 0 } else { of.shape.size as usize };
            let follows = |(number, row): (usize, &*mut u8)| *row == rows[0].wrapping_add(number * step);
            run = run.min(rows.iter().enumerate().take_while(|pair| follows(*pair)).count());
        }
        if runs_only {
            count = run;
        }
        fields.gather = run < count;
        fields.entities = if fields.gather { registry } else { pool.entities_at(first) };
        #[allow(clippy::cast_possible_truncation)]
        {
            fields.count = count as u32;
        }
        fields.count
    }
}
