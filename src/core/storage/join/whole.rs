//! What iterating found out of a join: that all its matches are one run, which begins where every pool does.
//!
//! ```text
//!   Position   [ p0 p1 p2 ... p999 ]        matches 0 to 999, each pool from its first element on:
//!   Velocity   [ v0 v1 v2 ... v999 | ... ]  as long as no pool of the terms changes, nobody need look for them
//! ```
//!
//! A kept query is told to remember; this every query does by itself, as it takes no more than two numbers. Iterations only
//! read, and many threads may iterate at once: so the numbers are atomics, of which the length is written first, and who reads
//! a stamp that fits reads a length that was found since. Which of several iterations found it is all one.

use super::ahead::{HEAD, PARTS, Part, width};
use super::batch::{Cursor, Rows};
use super::{Join, walk};
use crate::core::ids::Layout;
use crate::core::storage::packed::after;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU32, AtomicU64};

/// How many matches there are, if they are one such run.
pub struct Whole {
    count: AtomicU32,
    /// `Join::stamp` when it was found out.
    stamp: AtomicU64,
}

impl Whole {
    /// Nothing was found out yet.
    pub const fn unknown() -> Self {
        Self { count: AtomicU32::new(0), stamp: AtomicU64::new(0) }
    }
}

impl<L: Layout> Join<L> {
    /// Lets a cursor that has just begun stand before all matches, if they are known to be one run, whose first parts are laid
    /// out then. Nothing here can panic.
    #[inline(always)]
    pub fn begin_whole(&self, cursor: &mut Cursor, rows: &mut Rows) -> bool {
        // Most that are no one run never were.
        let stamp = self.whole.stamp.load(Acquire);
        let known = stamp != 0 && stamp == self.stamp();
        let count = if known { self.whole.count.load(Relaxed) } else { 0 };
        if count > 0 {
            cursor.index = cursor.end;
            self.lay_out_whole(cursor, count, rows);
        }
        count > 0
    }

    /// As `ahead::lay_out` for such a run. All pools are at the same position, and pages end alike: so where parts end is found
    /// once, by the pool whose first page is the shortest, and not anew for each part and field.
    #[inline(never)]
    fn lay_out_whole(&self, cursor: &mut Cursor, count: u32, rows: &mut Rows) {
        let width = width(self);
        let mut ends = [0; PARTS];
        let first = self.tracked.iter().map(|of| self.pool(of.pool.into()).packed().page_end(0));
        let (mut end, mut parts) = (first.min().unwrap_or(count), 0);
        for place in &mut ends {
            *place = end.min(count);
            parts += 1;
            if end >= count {
                break;
            }
            end = after(end);
        }
        for (number, (tracked, position)) in self.tracked.iter().zip(cursor.positions.iter_mut()).enumerate()
        {
            let packed = self.pool(tracked.pool.into()).packed();
            let (mut start, mut at) = (0, 0);
            for end in ends.iter().take(parts) {
                let Some(part) = rows.get_mut(at..at + width) else { break };
                let place = packed.place(start);
                if let Some(data) = part.get_mut(HEAD + tracked.field as usize) {
                    *data = place.element;
                }
                if number == 0
                    && let [entities, count, behind, ..] = part
                {
                    let many = end.wrapping_sub(start);
                    // SAFETY: the run's entities lie side by side, and were written.
                    let last = unsafe { walk::behind_run::<L>(place.entity, many) };
                    let part = Part { entities: place.entity.cast(), count: many, behind: last };
                    part.put([entities, count, behind]);
                }
                start = *end;
                at += width;
            }
            *position = start;
            cursor.left = count.wrapping_sub(start);
        }
        cursor.stand_before(self, parts);
    }

    /// A cursor has looked for matches: it stands before a run, or found nobody. Does the run go on where all that was found
    /// before ends, and is it the last one?
    #[inline(always)]
    pub(super) fn find_whole(&self, cursor: &mut Cursor) {
        if cursor.whole != Cursor::APART {
            self.find_more(cursor);
        }
    }

    #[inline(never)]
    fn find_more(&self, cursor: &mut Cursor) {
        if cursor.left > 0 {
            // Who is absent has no position: that is asked first.
            let everywhere = cursor.absent == 0 && self.has_lead();
            let follows = |at: &u32| *at == cursor.whole;
            if !everywhere || !cursor.positions.iter().take(self.tracked.len()).all(follows) {
                cursor.whole = Cursor::APART;
                return;
            }
            cursor.whole += cursor.left;
        }
        if cursor.whole > 0 && cursor.index >= cursor.end {
            self.whole.count.store(cursor.whole, Relaxed);
            self.whole.stamp.store(self.stamp(), Release);
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::super::{Ask, Level, Room, Term};
    use super::*;
    use crate::core::ids::{Narrow, Wide, Word};
    use crate::core::storage::dice::Dice;
    use crate::core::storage::memory::{Allocator, Memory};
    use crate::core::storage::page::PAGE;
    use crate::core::storage::pool::{Pool, Shape};
    use core::ptr::{NonNull, null};

    const FIRST: u32 = PAGE as u32;

    /// Everybody that a cursor hands out, with both fields' elements, and in how many batches.
    fn drain<L: Layout>(
        join: &Join<L>,
        cursor: &mut Cursor,
        room: &mut Room,
    ) -> (Vec<(u32, [*mut u8; 2])>, usize) {
        let (mut all, mut batches) = (Vec::new(), 0);
        loop {
            let mut fields = room.fields();
            let count = join.fill(cursor, &mut fields, null());
            if count == 0 {
                assert!(cursor.left == 0 && cursor.ahead == 0);
                return (all, batches);
            }
            batches += 1;
            for row in 0..count as usize {
                let at = |field: usize| match (join.handed_out >> field & 1 != 0, fields.gather) {
                    (false, _) => core::ptr::null_mut(),
                    (true, true) => fields.rows[usize::from(fields.offsets[field]) + row],
                    (true, false) if fields.data[field].is_null() => core::ptr::null_mut(),
                    (true, false) => fields.data[field].wrapping_add(row * 8),
                };
                let index = match fields.gather {
                    true => fields.picks[row],
                    // SAFETY: the entities of a run lie side by side.
                    false => unsafe { L::index(fields.entities.cast::<L::Word>().add(row).read().handle()) },
                };
                all.push((index, [at(0), at(1)]));
            }
        }
    }

    /// Pools that are joined, changed, and asked again: what is known is what a walk finds, as long as nothing changes.
    fn what_is_known_is_so<L: Layout>(second: Ask, fields: [Option<u8>; 2], steps: u32, most: u32) {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut pools: [Pool<L>; 2] =
            core::array::from_fn(|_| Pool::new(1, 0, Shape { size: 8, align: 8, stable: false }));
        let fill = |pool: &mut Pool<L>, memory: &mut Memory, from: u32, end: u32| {
            (from..end).for_each(|index| pool.add_unlisted(memory, L::pack(index, 1)));
        };
        // The join looks at them again and again: so they are changed by way of the same addresses.
        let at = pools.each_mut().map(NonNull::from);
        // SAFETY: they live, and of nobody there is another reference meanwhile.
        let pool = |number: usize| unsafe { &mut *at[number].as_ptr() };
        let term = |(ask, number): (Ask, usize)| Term { pool: at[number], ask, field: fields[number] };
        let terms = [(Ask::With, 0), (second, 1)].map(term);
        let mut join = super::super::tests::join_of(&mut memory, &terms, Level::best());
        let mut dice = Dice(1);
        let mut random = |most: u32| dice.next(most.into()) as u32;
        let (mut known, mut room) = (0, Room::EMPTY);
        for step in 0..steps {
            match random(6) {
                // All anew: both pools alike, or the second without some, or with more.
                0..=2 => {
                    let end = FIRST + random(most);
                    for pool in [0, 1].map(pool) {
                        let gone: Vec<u32> = (0..FIRST + most)
                            .filter(|index| pool.position(L::pack(*index, 1)).is_some())
                            .collect();
                        gone.into_iter().for_each(|index| pool.remove_taken(index));
                    }
                    let (from, odd) = (FIRST + random(3) / 2 * random(most), random(4) / 3 * 70);
                    fill(pool(0), &mut memory, FIRST, end);
                    fill(pool(1), &mut memory, from.min(end), end + odd);
                }
                // One goes, one is hidden or shown, or the first pages are joined.
                3 | 4 => {
                    let (pool, index) = (pool(random(2) as usize), FIRST + random(most));
                    if pool.position(L::pack(index, 1)).is_some() && !pool.hides_some() {
                        if random(2) == 0 { pool.remove_taken(index) } else { pool.show(index, false) }
                    }
                }
                _ => drop(pool(random(2) as usize).join_pages(&mut memory, u32::MAX).unwrap()),
            }
            let begun = |runs_only: bool| {
                let mut cursor = Cursor::NONE;
                cursor.begin(0, join.end(), runs_only);
                cursor.whole = 0;
                cursor
            };
            for runs_only in [false, true, false] {
                let mut plain = Cursor { whole: Cursor::APART, ..begun(runs_only) };
                let (expected, batches) = drain(&join, &mut plain, &mut room);
                let mut cursor = begun(runs_only);
                let rows = room.fields().rows;
                if join.begin_whole(&mut cursor, rows) {
                    let (found, runs) = drain(&join, &mut cursor, &mut room);
                    assert_eq!(found, expected, "step {step}");
                    assert!(
                        !found.is_empty() && runs <= batches,
                        "step {step}: {runs} for {batches} batches"
                    );
                    known += 1;
                } else {
                    assert_eq!(drain(&join, &mut cursor, &mut room).0, expected, "step {step}");
                }
            }
        }
        assert!(known >= steps / 8, "{known} of {steps} steps");
        join.free(&mut memory);
        [0, 1].map(pool).into_iter().for_each(|pool| pool.free(&mut memory));
        assert_eq!(memory.bytes, 0);
    }

    #[test]
    fn what_is_known_of_all_matches_is_so() {
        let (steps, most) = if cfg!(miri) { (4, 70) } else { (200, 40_000) };
        for (second, fields) in [
            (Ask::With, [Some(0), Some(1)]),
            (Ask::With, [None, Some(1)]),
            (Ask::With, [None, None]),
            (Ask::Optional, [Some(0), Some(1)]),
            (Ask::Without, [Some(0), None]),
        ] {
            what_is_known_is_so::<Wide>(second, fields, steps, most);
            what_is_known_is_so::<Narrow>(second, fields, steps, most);
        }
    }
}
