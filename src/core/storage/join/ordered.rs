//! Batches in the order of a pool, instead of that of indices.
//!
//! ```text
//!   the lead      7  2  9  4  1  8      in its own order, e.g. sorted
//!   another       7  2  4  9  -  8
//!   batches      [7  2]                 a run: all follow the first, in each pool
//!                      [9  4  -  8]     else a gather of those of 128 neighbours who match
//! ```

use super::batch::{Cursor, Fields, PICKS, Picked};
use super::gather::{is_far, look_ahead};
use super::walk::WORTH;
use super::{Join, NO_FIELD, TERMS};
use crate::core::ids::{Layout, Word};
use crate::core::storage::pool::Pool;
use crate::core::storage::prefetch::prefetch_all;
use core::ops::Range;
use core::ptr::{self, null_mut};

/// Neighbours who are looked at in one pool before it is the next one's turn: few before a run is worth it, then more and
/// more.
const FIRST_CHUNK: usize = WORTH as usize;
const LAST_CHUNK: usize = 1024;

/// Entities that are compared at once.
const BLOCK: usize = 64;

/// Neighbours in the lead.
#[derive(Clone, Copy)]
struct Neighbours<'a, L: Layout> {
    pool: &'a Pool<L>,
    /// The position of the first.
    first: u32,
    words: &'a [L::Word],
}

impl<'a, L: Layout> Neighbours<'a, L> {
    /// Those at positions of a pool, as far as they are in use and lie in one page of its packed half.
    fn at(pool: &'a Pool<L>, positions: Range<u32>) -> Self {
        Self { pool, first: positions.start, words: pool.entities(positions) }
    }

    /// At most so many of them, from one on.
    #[allow(clippy::cast_possible_truncation)]
    fn some(self, from: usize, most: usize) -> Self {
        let words = &self.words[from.min(self.words.len())..];
        Self { first: self.first + from as u32, words: &words[..most.min(words.len())], ..self }
    }

    /// How many come before the first who is in a pool, or isn't, against what is wanted.
    #[inline(never)]
    fn as_first(self, pool: &Pool<L>, wanted: bool) -> usize {
        // Often so of without-terms.
        if pool.is_empty() {
            return if wanted { 0 } else { self.words.len() };
        }
        let position = self.words.first().and_then(|word| pool.position(word.handle()));
        let same = match position.filter(|_| wanted && !pool.hides_some()) {
            Some(position) => self.side_by_side(pool, position),
            None => 0,
        };
        same + self.some(same, self.words.len()).prefix(|index| is_in(pool, index) == wanted)
    }

    /// How many come before the first for whom something isn't so.
    #[inline(always)]
    fn prefix(self, so: impl Fn(u32) -> bool) -> usize {
        self.words.iter().take_while(|word| so(L::index(word.handle()))).count()
    }

    /// How many come before the first who doesn't lie in a pool as here, if the first of them were at a position there. No
    /// slot is read for it: the same entity in the packed halves of both is in both, at these positions (`pool`).
    ///
    /// ```text
    ///   here         7  2  9  4  1
    ///   there        7  2  9  5  1       three
    /// ```
    #[inline(never)]
    fn side_by_side(self, pool: &Pool<L>, position: u32) -> usize {
        #[allow(clippy::cast_possible_truncation)]
        let there = pool.entities(position..position.saturating_add(self.words.len() as u32));
        let blocks = self.words.chunks_exact(BLOCK).zip(there.chunks_exact(BLOCK));
        let same = blocks.take_while(|(here, there)| here == there).count() * BLOCK;
        let rest = self.words[same..].iter().zip(&there[same..]);
        same + rest.take_while(|(here, there)| here == there).count()
    }
}

/// Whether the entity of an index is in a pool, and not hidden.
#[inline(always)]
fn is_in<L: Layout>(pool: &Pool<L>, index: u32) -> bool {
    pool.sparse().page(index).is_member(index)
}

impl<L: Layout> Join<L> {
    /// Builds a batch of the first that match at positions of a pool, which lie in one page of its packed half; who is
    /// at any of them is to be seen. Returns from where to where they are; if nobody matches the batch has a count of 0.
    pub fn fill_in_order(
        &self,
        lead: &Pool<L>,
        positions: Range<u32>,
        cursor: &mut Cursor,
        fields: &mut Fields<'_>,
        registry: *const u8,
    ) -> Range<u32> {
        let mut left = Neighbours::at(lead, positions.clone());
        let limit = cursor.limit as usize;
        cursor.look_further();
        fields.count = 0;
        while let Some(word) = left.words.first() {
            if self.matches(L::index(word.handle())) {
                let count = self.begin_run(left.some(0, limit), cursor, fields);
                if cursor.runs_only != 0 || count >= FIRST_CHUNK.min(left.words.len()).min(limit) {
                    fields.gather = false;
                    fields.entities = lead.entities_at(left.first);
                    #[allow(clippy::cast_possible_truncation)]
                    {
                        fields.count = count as u32;
                    }
                    return left.first..left.first + fields.count;
                }
            } else if cursor.runs_only != 0 {
                left = left.some(left.prefix(|index| !self.matches(index)), left.words.len());
                continue;
            }
            let some = left.some(0, self.rows_per_field().min(limit));
            let picked = self.gather(some, fields);
            if picked.count() > 0 {
                cursor.picked = picked;
                fields.gather = true;
                fields.entities = registry;
                fields.count = picked.count();
                return left.first..left.first + picked.end();
            }
            left = left.some(some.words.len(), left.words.len());
        }
        positions.end..positions.end
    }

    /// How many neighbours, the first of whom matches, match and lie side by side in every field; lets the fields begin
    /// where the first one is.
    #[inline(never)]
    fn begin_run(&self, run: Neighbours<'_, L>, cursor: &mut Cursor, fields: &mut Fields<'_>) -> usize {
        let mut most = run.words.len();
        let index = run.words.first().map_or(0, |word| L::index(word.handle()));
        cursor.absent = 0;
        for (number, tracked) in self.tracked.iter().enumerate() {
            let pool = self.pool(tracked.pool as usize);
            let mut first = null_mut();
            if is_in(pool, index) {
                let position = pool.sparse().page(index).position(index);
                cursor.positions[number] = position;
                first = pool.element(position);
                if tracked.field != NO_FIELD {
                    most = most.min((pool.packed().page_end(position) - position) as usize);
                }
            } else {
                cursor.absent |= 1 << number;
            }
            if let Some(data) = fields.data.get_mut(tracked.field as usize) {
                *data = first;
            }
        }
        let (mut chunk, mut count) = (FIRST_CHUNK, 0);
        while count < most {
            let some = run.some(count, chunk.min(most - count));
            let on = self.goes_on(some, &cursor.positions, cursor.absent, count);
            count += on;
            if on < some.words.len() {
                break;
            }
            chunk = (chunk * 4).min(LAST_CHUNK);
        }
        count
    }

    /// How many neighbours go on with a run that has `done` before them.
    #[allow(clippy::cast_possible_truncation)]
    fn goes_on(
        &self,
        mut some: Neighbours<'_, L>,
        positions: &[u32; TERMS + 1],
        absent: u64,
        done: usize,
    ) -> usize {
        // The pools that all of them are in, a bit for each.
        let mut known = 0_u64;
        for (number, tracked) in self.tracked.iter().enumerate() {
            let pool = self.pool(tracked.pool as usize);
            known |= 1 << tracked.pool;
            if ptr::eq(pool, some.pool) {
                continue;
            }
            let is_there = absent >> number & 1 == 0;
            if !is_there || tracked.field == NO_FIELD || pool.hides_some() {
                some = some.some(0, some.as_first(pool, is_there));
            }
            if is_there && tracked.field != NO_FIELD {
                some = some.some(0, some.side_by_side(pool, positions[number] + done as u32));
            }
        }
        for (number, wanted) in self.asked().filter(|(number, _)| known >> number & 1 == 0) {
            some = some.some(0, some.as_first(self.pool(number), wanted));
        }
        if self.any.is_empty() { some.words.len() } else { some.prefix(|index| self.matches(index)) }
    }

    /// The pools of the with-terms and those of the without-terms, and whether it is wanted that somebody is in them.
    fn asked(&self) -> impl Iterator<Item = (usize, bool)> {
        let [with, without, _] = self.ranges();
        with.map(|number| (number, true)).chain(without.map(|number| (number, false)))
    }

    /// Gathers those among at most `PICKS` neighbours who match; returns who they are, a bit for each.
    #[inline(never)]
    fn gather(&self, some: Neighbours<'_, L>, fields: &mut Fields<'_>) -> Picked {
        let picked = self.pick(some, &mut fields.picks[..]);
        let count = picked.count() as usize;
        let per_field = self.rows_per_field();
        let handed_out = self.tracked.iter().filter(|tracked| tracked.field != NO_FIELD);
        for (tracked, offset) in handed_out.zip((0..).step_by(per_field)) {
            let pool = self.pool(tracked.pool as usize);
            let (slots, elements) = (pool.sparse().lookup(), pool.packed().lookup());
            #[allow(clippy::cast_possible_truncation)]
            {
                fields.offsets[tracked.field as usize] = offset as u16;
            }
            let rows = &mut fields.rows[offset..offset + count];
            if ptr::eq(pool, some.pool) {
                let (first, size) = (pool.element(some.first), elements.size());
                if picked.end() as usize == count {
                    rows.iter_mut()
                        .enumerate()
                        .for_each(|(number, row)| *row = first.wrapping_add(number * size));
                } else {
                    let mut rows = rows.iter_mut();
                    picked.each(|number| {
                        if let Some(row) = rows.next() {
                            *row = first.wrapping_add(number * size);
                        }
                    });
                }
                continue;
            }
            // SAFETY: the position of a member is in use.
            let element = |index: u32| unsafe { elements.element(slots.at(index).position(index)) };
            let picks = rows.iter_mut().zip(fields.picks.iter());
            if tracked.required {
                picks.for_each(|(row, index)| *row = element(*index));
            } else {
                let or_null = |index| if is_in(pool, index) { element(index) } else { null_mut() };
                picks.for_each(|(row, index)| *row = or_null(*index));
            }
            if is_far(pool) {
                prefetch_all(rows);
                look_ahead(pool, count, &fields.picks[..], rows);
            }
        }
        picked
    }

    /// Writes the indices of those among at most `PICKS` neighbours who match; returns who they are, a bit for each.
    #[inline(never)]
    fn pick(&self, some: Neighbours<'_, L>, picks: &mut [u32]) -> Picked {
        let picks = &mut picks[..some.words.len()];
        picks.iter_mut().zip(some.words).for_each(|(pick, word)| *pick = L::index(word.handle()));
        let mut picked = Picked([0; PICKS / 64]);
        for (word, picks) in picked.0.iter_mut().zip(picks.chunks(64)) {
            *word = u64::MAX >> (64 - picks.len());
            for (number, wanted) in self.asked() {
                let pool = self.pool(number);
                if !ptr::eq(pool, some.pool) {
                    let members = members(pool, picks);
                    *word &= if wanted { members } else { !members };
                }
            }
            if !self.any.is_empty() {
                *word &= bits(picks, |index| self.matches(index));
            }
        }
        if picked.count() as usize != picks.len() {
            let mut next = 0;
            picked.each(|number| {
                picks[next] = picks[number];
                next += 1;
            });
        }
        picked
    }
}

/// Who of at most 64 is in a pool and not hidden, a bit for each.
#[inline(never)]
fn members<L: Layout>(pool: &Pool<L>, picks: &[u32]) -> u64 {
    let lookup = pool.sparse().lookup();
    bits(picks, |index| lookup.at(index).is_member(index))
}

/// For whom of at most 64 something is so, a bit for each.
#[inline(always)]
fn bits(picks: &[u32], so: impl Fn(u32) -> bool) -> u64 {
    picks.iter().enumerate().fold(0, |bits, (number, index)| bits | u64::from(so(*index)) << number)
}
