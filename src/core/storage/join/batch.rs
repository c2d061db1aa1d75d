//! What a walk hands out, and where it stands between two batches.
//!
//! ```text
//!   run       every field an array:         field 0  [p0 p1 p2 p3 ...]     entities [e0 e1 e2 e3 ...]
//!                                           field 1  [v0 v1 v2 v3 ...]
//!   gather    an address for each element:  rows     [&p7 &p2 ... | &v1 &v9 ...]   picks [7 2 ...]
//! ```

use super::TERMS;
use crate::core::storage::slice::{Array, checked, checked_mut};
use core::ptr::{null, null_mut};

/// The most entities of a gather.
pub const PICKS: usize = 128;
/// The most addresses of a gather, all fields together.
pub const MOST_ROWS: usize = 512;
/// Places behind the last of either, for what is written eight at a time.
pub const SPARE: usize = 8;
/// The most entities that a walk looks ahead for a run: those of four regions. With one, a loop over a million entities had 97 batches
/// instead of 52, and spent twice as long in the calls; after a change what was found ahead must be looked for again.
pub const LOOK_AHEAD: u32 = 65536;

/// So few matches are looked for one by one: what else it takes to look for many costs more.
pub const LITTLE: u32 = 8;

/// How far to look ahead the next time: twice as far.
#[inline(always)]
#[must_use]
pub fn further(limit: u32) -> u32 {
    (limit * 2).clamp(LITTLE, LOOK_AHEAD)
}

/// Who of at most `PICKS` neighbours in a pool is in a gather: a bit for each.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Picked(pub [u64; PICKS / 64]);

impl Picked {
    /// Those who are in both.
    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(core::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Moves the values of those who are to the front.
    #[inline(never)]
    pub fn keep<T: Copy>(self, values: &mut [T]) {
        let mut next = 0;
        self.each(|number| {
            *checked_mut(values, next) = *checked(values, number);
            next += 1;
        });
    }

    /// How many are.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Calls `of` with the number of each.
    #[inline(always)]
    pub fn each(self, mut of: impl FnMut(usize)) {
        for (word, first) in self.0.into_iter().zip((0..).step_by(64)) {
            let mut left = word;
            while left != 0 {
                of(first + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    /// The number behind that of the last one.
    #[must_use]
    pub const fn end(self) -> u32 {
        let [low, high] = self.0;
        if high == 0 { 64 - low.leading_zeros() } else { 128 - high.leading_zeros() }
    }

    /// How many neighbours were passed when so many of the gather were seen.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn passed(self, seen: u32) -> u32 {
        let (mut left, mut passed) = (self, 0);
        for _ in 0..seen.min(self.count()) {
            let word = usize::from(left.0[0] == 0);
            passed = 64 * word as u32 + left.0[word].trailing_zeros() + 1;
            left.0[word] &= left.0[word].wrapping_sub(1);
        }
        passed
    }
}

/// Where an iteration stands. It refers to nothing, so it can be copied and left.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Cursor {
    /// The next index to look at, behind the run under way.
    pub index: u32,
    /// Indices from here on are not this iteration's.
    pub end: u32,
    /// Where to begin anew if something has changed: behind the batch's last entity.
    pub resume: u32,
    /// The most entities to look ahead for: less after a change, when much of it may be in vain.
    pub limit: u32,
    /// Not 0: only runs are handed out.
    pub runs_only: u32,
    /// Entities left of the run under way, behind the batch and what is laid out ahead.
    pub left: u32,
    /// Parts of the run under way that are laid out ahead: see `ahead`.
    pub ahead: u32,
    /// Where the first of them is in the rows, and how many words each has.
    pub at: u32,
    /// See `at`.
    pub width: u32,
    /// Which fields they have, a bit for each.
    pub handed_out: u32,
    /// The optional ones of the tracked pools that nobody of the run is in, a bit for each.
    pub absent: u64,
    /// Where the run under way goes on, in each tracked pool.
    pub positions: Array<u32, { TERMS + 1 }>,
    /// Its next index, where there is no lead.
    pub next: u32,
    /// The next run of a kept query's memory; `PLAIN` if it isn't used.
    pub run: u32,
    /// Of a gather in the order of a pool: which neighbours it is of, a bit for each.
    pub picked: Picked,
    /// How many matches were found since the beginning, if they are one run up to here (`whole`); `APART` if they aren't.
    pub whole: u32,
    /// Where it ends at the latest, whatever changes: else a body that makes matches would go on for ever, and a part beyond itself.
    pub bound: u32,
}

impl Cursor {
    /// What a query remembers isn't used: matches are looked for.
    pub const PLAIN: u32 = u32::MAX;

    /// What was found so far is no run from the beginning of every pool on.
    pub const APART: u32 = u32::MAX;

    /// The end of whatever there is, where it isn't known yet.
    pub const ALL: u32 = u32::MAX;

    /// One that hasn't begun.
    pub const NONE: Self = Self {
        index: 0,
        end: 0,
        resume: 0,
        limit: 0,
        runs_only: 0,
        left: 0,
        ahead: 0,
        at: 0,
        width: 0,
        handed_out: 0,
        absent: 0,
        positions: Array([0; TERMS + 1]),
        next: 0,
        run: 0,
        picked: Picked([0; 2]),
        whole: Self::APART,
        bound: 0,
    };

    /// Stands before the first; never goes beyond `end` unless it gets another bound. Positions are written before they are
    /// read.
    pub const fn begin(&mut self, first: u32, end: u32, runs_only: bool) {
        self.index = first;
        self.end = end;
        self.bound = end;
        self.resume = first;
        self.limit = LOOK_AHEAD;
        self.runs_only = runs_only as u32;
        self.left = 0;
        self.ahead = 0;
        self.absent = 0;
        self.next = 0;
        self.run = Self::PLAIN;
        self.whole = Self::APART;
    }

    /// Whether it stands in no run.
    #[inline(always)]
    #[must_use]
    pub const fn is_between_runs(&self) -> bool {
        self.left == 0 && self.ahead == 0
    }

    /// Whether it stands in no run, nor before one that is remembered: the next matches must be looked for.
    #[must_use]
    pub const fn is_looking(&self) -> bool {
        self.is_between_runs() && self.run == Self::PLAIN
    }

    /// Whether nothing is left to look at.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.index >= self.end && self.is_looking()
    }

    /// Begins anew at an index, because something has changed. It goes on to the end that there is now, or to its bound.
    pub const fn begin_anew(&mut self, index: u32) {
        self.end = Self::ALL;
        self.index = index;
        self.resume = index;
        self.left = 0;
        self.ahead = 0;
        self.run = Self::PLAIN;
        self.whole = Self::APART;
    }

    /// The batch is a gather of these: who comes to match behind the last of them is seen in its turn.
    #[inline(always)]
    pub fn stand_behind(&mut self, picks: &[u32]) {
        self.resume = picks.last().map_or(self.index, |last| last + 1);
    }

    /// Looks further ahead the next time.
    #[inline(always)]
    pub fn look_further(&mut self) {
        self.limit = further(self.limit);
    }
}

/// Writes what something of each is, as far as there is room: four at a time, as a loop of one by one would stay one.
#[inline(always)]
pub fn copy_by_fours<T, U>(to: &mut [U], from: &[T], of: impl Fn(&T) -> U) {
    let (fours, rest) = from.as_chunks::<4>();
    let (to, to_rest) = to.split_at_mut(to.len().min(4 * fours.len()));
    for (to, [a, b, c, d]) in to.as_chunks_mut::<4>().0.iter_mut().zip(fours) {
        *to = [of(a), of(b), of(c), of(d)];
    }
    to_rest.iter_mut().zip(rest).for_each(|(to, from)| *to = of(from));
}

/// Where a gather's addresses go, and what of a run is laid out ahead.
pub type Rows = Array<*mut u8, { MOST_ROWS + SPARE }>;

/// Memory for a batch, where no caller has any.
pub struct Room {
    data: Array<*mut u8, TERMS>,
    rows: Rows,
    offsets: Array<u16, TERMS>,
    picks: Array<u32, { PICKS + SPARE }>,
}

impl Room {
    /// With nothing in it.
    pub const EMPTY: Self = Self {
        data: Array([null_mut(); TERMS]),
        rows: Array([null_mut(); MOST_ROWS + SPARE]),
        offsets: Array([0; TERMS]),
        picks: Array([0; PICKS + SPARE]),
    };

    /// A batch in it.
    pub const fn fields(&mut self) -> Fields<'_> {
        Fields {
            data: &mut self.data,
            rows: &mut self.rows,
            offsets: &mut self.offsets,
            picks: &mut self.picks,
            entities: null(),
            count: 0,
            gather: false,
        }
    }
}

/// A batch, in the caller's memory.
pub struct Fields<'a> {
    /// Of a run: each field's first element; null: nobody has it, or it has no data.
    pub data: &'a mut Array<*mut u8, TERMS>,
    /// Of a gather: each field's addresses, from its offset on.
    pub rows: &'a mut Rows,
    /// Of a gather: where each field's addresses begin.
    pub offsets: &'a mut Array<u16, TERMS>,
    /// Of a gather: the entities' indices.
    pub picks: &'a mut Array<u32, { PICKS + SPARE }>,
    /// Of a run: its first entity. Of a gather: the first of all entities.
    pub entities: *const u8,
    /// How many.
    pub count: u32,
    /// Whether it is a gather.
    pub gather: bool,
}

impl Fields<'_> {
    /// Hands out a run, whose fields are in `data`, or a gather, of picks and rows; returns how many are in it.
    #[inline(always)]
    pub const fn hand_out(&mut self, entities: *const u8, count: u32, gather: bool) -> u32 {
        self.entities = entities;
        self.gather = gather;
        self.count = count;
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_seen_says_who_was_passed() {
        for words in
            [[0b1011, 0], [1 << 63, 1], [0, 0b110], [u64::MAX, u64::MAX], [0x8000_0000_0000_0001, 1 << 63]]
        {
            let picked = Picked(words);
            let mut numbers = [0; PICKS];
            let mut count = 0;
            picked.each(|number| {
                numbers[count] = number;
                count += 1;
            });
            assert_eq!(count, picked.count() as usize);
            assert_eq!(picked.passed(0), 0);
            for (seen, number) in numbers[..count].iter().enumerate() {
                assert!(words[number / 64] >> (number % 64) & 1 != 0);
                assert_eq!(picked.passed(seen as u32 + 1) as usize, number + 1);
            }
            assert_eq!(picked.end() as usize, numbers[count - 1] + 1);
        }
    }
}
