//! Batches in the order of a pool, instead of that of indices.
//!
//! ```text
//!   the lead      7  2  9  4  1  8      in its own order, e.g. sorted
//!   another       7  2  4  9  -  8
//!   batches      [7  2]                 a run: all follow the first, in each pool
//!                      [9  4  -  8]     else a gather of those of 128 neighbours who match
//! ```

use super::batch::{Cursor, Fields, PICKS, Picked, copy_by_fours};
use super::gather::is_far;
use super::levels::side_by_side_at;
use super::walk::WORTH;
use super::{Join, NO_FIELD, TERMS, Tracked};
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::page::PAGE;
use crate::core::storage::pool::Pool;
use crate::core::storage::prefetch::{prefetch_after, prefetch_from};
use crate::core::storage::slice::{Array, checked, checked_mut};
use core::ops::Range;
use core::ptr::{self, null_mut};

/// Neighbours who are looked at in one pool before it is the next one's turn: few before a run is worth it, then more and
/// more.
const FIRST_CHUNK: usize = WORTH as usize;
const LAST_CHUNK: usize = 1024;

/// Entities that are compared at once.
const BLOCK: usize = 64;

/// Neighbours by whom it is judged whether most match.
const SAMPLE: usize = 4;

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
        let same = match position.filter(|_| wanted) {
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
    /// slot is read for it: the same entity in the packed halves of both is in both, at these positions (`pool`). Who is
    /// hidden there lies nowhere.
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
        let rest = checked(self.words, same..).iter().zip(checked(there, same..));
        let same = same + rest.take_while(|(here, there)| here == there).count();
        #[allow(clippy::cast_possible_truncation)]
        if pool.hides_some() { pool.in_a_row(position..position + same as u32, false) as usize } else { same }
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
            if !is_there || tracked.field == NO_FIELD {
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
    ///
    /// ```text
    ///   most match     the slots say who does, and where: all are looked up, and who doesn't match is taken out
    ///   else           the occupied words say who does, of whom there are fewer to read; then only they are looked up
    /// ```
    #[inline(never)]
    fn gather(&self, some: Neighbours<'_, L>, fields: &mut Fields<'_>) -> Picked {
        let all = some.words.len();
        let mut handles = Array([0; PICKS]);
        copy_by_fours(&mut handles.0, some.words, |word| word.handle());
        let stamp = handles[0] & !L::bare(handles[0]);
        let first = &handles[..all.min(SAMPLE)];
        let by_slots = self.who(some.pool, first, 0).count() as usize == first.len();
        let but = if by_slots { self.looked_up(some.pool) } else { 0 };
        let mut picked = self.who(some.pool, &handles[..all], but);
        let mut count = all;
        if !by_slots {
            count = picked.count() as usize;
            picked.keep(&mut handles[..all]);
        }
        for (tracked, offset) in self.places(self.rows_per_field()) {
            let pool = self.pool(tracked.pool as usize);
            #[allow(clippy::cast_possible_truncation)]
            {
                fields.offsets[tracked.field as usize] = offset as u16;
            }
            let rows = &mut fields.rows[offset..];
            if ptr::eq(pool, some.pool) {
                side_by_side_at(self.level, pool.element(some.first), pool.packed().size(), all, rows);
                if count < all {
                    picked.keep(checked_mut(rows, ..all));
                }
                continue;
            }
            let (handles, rows) = (&handles[..count], checked_mut(rows, ..count));
            let all_there = pool.elements(self.level, handles, stamp, rows);
            if !tracked.required && pool.hides_some() {
                let hidden =
                    rows.iter_mut().zip(handles).filter(|(_, handle)| !is_in(pool, L::index(**handle)));
                hidden.for_each(|(row, _)| *row = null_mut());
            } else if by_slots && tracked.required && !all_there {
                picked = picked.and(each_64(rows, |rows| bits(rows, |row| !row.is_null())));
            }
            if is_far(pool) {
                ask_behind(pool, handles, rows);
            }
        }
        if by_slots && picked.count() as usize != all {
            picked.keep(&mut handles[..all]);
            self.places(self.rows_per_field())
                .for_each(|(_, offset)| picked.keep(&mut fields.rows[offset..offset + all]));
        }
        let matches = &handles[..picked.count() as usize];
        copy_by_fours(&mut fields.picks[..], matches, |handle| L::index(*handle));
        picked
    }

    /// Pools whose slots say who matches, if slots are read: a bit for each.
    fn looked_up(&self, lead: &Pool<L>) -> u64 {
        let says_who = |tracked: &&Tracked| {
            let pool = self.pool(tracked.pool as usize);
            tracked.required && tracked.field != NO_FIELD && !ptr::eq(pool, lead) && !pool.hides_some()
        };
        self.tracked.iter().filter(says_who).fold(0, |bits, tracked| bits | 1 << tracked.pool)
    }

    /// Who of at most `PICKS` in a pool matches, a bit for each; pools of `but` aren't asked.
    #[inline(never)]
    fn who(&self, lead: &Pool<L>, handles: &[Handle], but: u64) -> Picked {
        each_64(handles, |handles| {
            let mut word = u64::MAX >> (64 - handles.len());
            for (number, wanted) in self.asked().filter(|(number, _)| but >> number & 1 == 0) {
                let pool = self.pool(number);
                if !ptr::eq(pool, lead) && (wanted || !pool.is_empty()) {
                    let members = members(pool, handles);
                    word &= if wanted { members } else { !members };
                }
            }
            if self.any.is_empty() {
                word
            } else {
                word & bits(handles, |handle| self.matches(L::index(*handle)))
            }
        })
    }
}

/// Bits of at most `PICKS`, from those of 64 at a time.
#[inline(always)]
fn each_64<T>(all: &[T], of: impl Fn(&[T]) -> u64) -> Picked {
    let mut picked = Picked([0; PICKS / 64]);
    picked.0.iter_mut().zip(all.chunks(64)).for_each(|(word, some)| *word = of(some));
    picked
}

/// Who of at most 64 is in a pool and not hidden, a bit for each.
#[inline(never)]
fn members<L: Layout>(pool: &Pool<L>, handles: &[Handle]) -> u64 {
    let lookup = pool.sparse().lookup();
    bits(handles, |handle| {
        let index = L::index(*handle);
        lookup.at(index).is_member(index)
    })
}

/// For which of at most 64 something is so, a bit for each.
#[inline(always)]
fn bits<T>(all: &[T], so: impl Fn(&T) -> bool) -> u64 {
    all.iter().enumerate().fold(0, |bits, (number, one)| bits | u64::from(so(one)) << number)
}

/// Asks for what the next batch will need if pools lie alike: as many elements behind the last one; and if this one's indices lie
/// near each other, the slots of as many as it spans. To ask for those of who really comes next, page by page as `gather` does, took
/// longer.
#[inline(never)]
fn ask_behind<L: Layout>(pool: &Pool<L>, handles: &[Handle], rows: &[*mut u8]) {
    let ([first, .., last], Some(row)) = (handles, rows.last()) else { return };
    prefetch_after(*row, handles.len() * pool.packed().size());
    let index = L::index(*last);
    let span = index.wrapping_sub(L::index(*first));
    if span <= PAGE as u32 {
        prefetch_from(pool.sparse().page(index).slot_at(index), span as usize * size_of::<L::Slot>());
    }
}
