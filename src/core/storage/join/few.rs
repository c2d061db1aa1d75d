//! Joins that few can match: the members of the first pool that has few are looked at one by one, instead of words.
//!
//! ```text
//!   its packed half           40  7  900  12        few, in any order; of more the next ones in that of indices
//!   sorted                    7  12  40  900        because matches come in the order of indices
//!   addresses                 &a  -  &b  &c         field by field: 12 isn't there
//!   who matches               7  40  900
//! ```

use super::Join;
use super::batch::{Cursor, Fields, PICKS, copy_by_fours};
use crate::core::ids::{Layout, Word};
use crate::core::storage::pool::Pool;
use crate::core::storage::slice::{Array, Slice, checked, checked_mut};
use core::ops::Range;
use core::ptr::null_mut;

/// A pool with so few members is looked through instead of the words, however they lie.
const FEW: u32 = 24;
/// One with more, if no more than so many share a page: they are no runs, and words are mostly empty.
const SCARCE: usize = 4;

/// Steps of a sort by insertion: the first let the last find nearly everybody at their place (Shell 1959).
const STEPS: [usize; 4] = [40, 13, 4, 1];

/// Sorts what is mostly sorted, and few.
fn sort(picks: &mut Slice<u32>) {
    for step in STEPS {
        for end in step..picks.len() {
            let (index, mut place) = (picks[end], end);
            while place >= step && picks[place - step] > index {
                picks[place] = picks[place - step];
                place -= step;
            }
            picks[place] = index;
        }
    }
}

/// Instead of an index that doesn't match.
pub const NOBODY: u32 = u32::MAX;

/// Keeps those values that fit, in their order, at the beginning; returns how many.
#[inline(always)]
fn retain<T: Copy>(values: &mut Slice<T>, fits: impl Fn(T) -> bool) -> usize {
    let mut kept = 0;
    for at in 0..values.len() {
        let value = values[at];
        values[kept] = value;
        kept += usize::from(fits(value));
    }
    kept
}

/// Which rows of a gather somebody is left in.
pub struct Left {
    rows: Array<u8, PICKS>,
    count: usize,
}

impl Left {
    /// Those whose pick is somebody.
    #[must_use]
    pub fn of(picks: &[u32]) -> Self {
        let mut left = Self { rows: Array([0; PICKS]), count: 0 };
        for (row, pick) in (0..).zip(picks) {
            left.rows[left.count] = row;
            left.count += usize::from(*pick != NOBODY);
        }
        left
    }

    /// Moves what is in these rows to the beginning, in its order; returns how many they are.
    pub fn close_up<T: Copy>(&self, values: &mut [T]) -> usize {
        for (to, from) in self.rows[..self.count].iter().enumerate() {
            *checked_mut(values, to) = *checked(values, usize::from(*from));
        }
        self.count
    }
}

/// The indices of a pool's members, those in a part of all; from its packed half, which is sorted or in order. Returns how many,
/// and where the others are, if there are more than `most`.
#[inline(always)]
fn packed<L: Layout>(lead: &Pool<L>, part: &Range<u32>, picks: &mut Slice<u32>, most: u32) -> (usize, u32) {
    let mut position = if lead.len() <= most { 0 } else { lead.first_from(part.start) };
    let (mut count, mut next) = (0, part.end);
    let end = lead.len().min(position + most);
    while position < end {
        let entities = lead.entities(position..end);
        copy_by_fours(&mut picks[count..], entities, |entity| L::index(entity.handle()));
        count += entities.len();
        position += entities.len() as u32;
    }
    if !lead.ascends() {
        sort(&mut picks[..count]);
    }
    if end < lead.len() {
        next = next.min(L::index(lead.entity(end)));
    }
    if count > 0 && (picks[0] < part.start || picks[count - 1] >= next) {
        let part = part.start..next;
        count = retain(&mut picks[..count], |index| part.contains(&index));
    }
    (count, next)
}

/// The same from its sparse half: the next `most` at most, whatever order they lie in.
#[inline(never)]
fn by_pages<L: Layout>(
    lead: &Pool<L>,
    part: &Range<u32>,
    picks: &mut Slice<u32>,
    most: usize,
) -> (usize, u32) {
    let (mut count, mut next) = (0, part.start);
    while let Some((index, members)) = lead.next_word(next).filter(|(index, _)| *index < part.end) {
        let mut left = members & u64::MAX << (index % 64);
        while left != 0 {
            let member = (index & !63) + left.trailing_zeros();
            if member >= part.end {
                return (count, part.end);
            }
            if count == most {
                return (count, member);
            }
            picks[count] = member;
            count += 1;
            left &= left - 1;
        }
        next = (index | 63) + 1;
    }
    (count, part.end)
}

/// Writes where the elements of all picks are in a pool; null: it has none. Whether all have one, if it is `required`: who
/// hasn't is nobody then.
#[inline(never)]
fn place<L: Layout>(pool: &Pool<L>, required: bool, picks: &mut [u32], rows: &mut [*mut u8]) -> bool {
    let pages = pool.sparse().lookup();
    if pool.hides_some() || picks.last().is_none_or(|last| *last >= pages.flat_end()) {
        return place_far(pool, required, picks, rows);
    }
    // SAFETY: they are sorted, so that all are below.
    place_by(pool, required, picks, rows, |index| unsafe { pages.flat_at(index) }.member(index))
}

/// The same where the pages of some may be looked for, or somebody may be hidden.
#[inline(never)]
fn place_far<L: Layout>(pool: &Pool<L>, required: bool, picks: &mut [u32], rows: &mut [*mut u8]) -> bool {
    place_by(pool, required, picks, rows, |index| pool.shown(index))
}

/// Writes where anybody's elements are, in any order, be they hidden as a whole; `NOBODY` has none.
#[inline(never)]
pub fn place_any<L: Layout>(pool: &Pool<L>, whose: &[u32], rows: &mut [*mut u8]) {
    let elements = pool.packed().lookup();
    for (index, row) in whose.iter().zip(rows) {
        let position = if *index == NOBODY { None } else { pool.enabled(*index) };
        // SAFETY: the position of a member is in use.
        *row = position.map_or(null_mut(), |at| unsafe { elements.element(at) });
    }
}

/// `position_of` an index in the pool; None: it isn't there.
#[inline(always)]
fn place_by<L: Layout>(
    pool: &Pool<L>,
    required: bool,
    picks: &mut [u32],
    rows: &mut [*mut u8],
    position_of: impl Fn(u32) -> Option<u32>,
) -> bool {
    let elements = pool.packed().lookup();
    let mut all = true;
    for (pick, row) in picks.iter_mut().zip(rows) {
        if let Some(position) = position_of(*pick) {
            // SAFETY: the position of a member is in use.
            *row = unsafe { elements.element(position) };
            continue;
        }
        *row = null_mut();
        if required {
            (*pick, all) = (NOBODY, false);
        }
    }
    all
}

impl<L: Layout> Join<L> {
    /// The first with-term's pool that has few members, or few in each page, and no gaps.
    #[inline(always)]
    pub(super) fn few_in(&self) -> Option<usize> {
        let all_few = |pool: &Pool<L>| {
            let few = pool.len() <= FEW || pool.len() as usize <= SCARCE * pool.sparse().pages();
            few && pool.gaps() == 0
        };
        let [mut with, ..] = self.ranges();
        with.find(|number| all_few(self.pool(*number)))
    }

    /// Hands out what comes next of a walk as one gather of at most `most`, from the few in the pool `leading`: how many that are.
    /// None if nothing is left to look at.
    #[inline(always)]
    pub(super) fn gather_few(
        &self,
        leading: usize,
        cursor: &mut Cursor,
        fields: &mut Fields<'_>,
        most: u32,
    ) -> Option<u32> {
        while cursor.index < cursor.end {
            let count = self.gather_some(leading, cursor, fields, most);
            if count > 0 {
                return Some(count);
            }
        }
        None
    }

    /// The same of the next few, or of all; none of them may match.
    #[inline(never)]
    fn gather_some(&self, leading: usize, cursor: &mut Cursor, fields: &mut Fields<'_>, most: u32) -> u32 {
        let lead = self.pool(leading);
        let (picks, rows) = (Slice::of_mut(&mut fields.picks[..]), Slice::of_mut(&mut fields.rows[..]));
        let part = cursor.index..cursor.end;
        // Where a body changes much, what is found out about an order would be so again and again.
        let (mut count, next) = if lead.len() <= most || u32::from(self.rows) == most && lead.ascends() {
            packed(lead, &part, picks, most)
        } else {
            by_pages(lead, &part, picks, most as usize)
        };
        cursor.look_further();
        cursor.index = next;
        if self.asks_more(leading) || lead.hides_some() {
            count = retain(&mut picks[..count], |index| self.mask(index) >> (index % 64) & 1 != 0);
        }
        for ((tracked, offset), more) in self.places(most as usize).zip(1..) {
            fields.offsets[usize::from(tracked.field)] = offset as u16;
            let row = &mut rows[offset..][..count];
            if !place(self.pool(tracked.pool.into()), tracked.required, &mut picks[..count], row) {
                let left = Left::of(&picks[..count]);
                for (_, offset) in self.places(most as usize).take(more) {
                    left.close_up(&mut rows[offset..][..count]);
                }
                count = left.close_up(&mut picks[..count]);
            }
        }
        cursor.stand_behind(&picks[..count]);
        count as u32
    }
}
