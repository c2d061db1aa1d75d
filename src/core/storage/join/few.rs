//! Joins that few can match: the members of the smallest pool are looked at one by one, instead of words.
//!
//! ```text
//!   smallest pool, packed     40  7  900  12        few, in any order
//!   sorted                    7  12  40  900        because matches come in the order of indices
//!   addresses                 &a  -  &b  &c         field by field: 12 isn't there
//!   who matches               7  40  900
//! ```

use super::batch::{Cursor, Fields};
use super::{Join, NO_FIELD};
use crate::core::ids::{Layout, Word};
use crate::core::storage::pool::Pool;
use core::ptr::null_mut;

/// A pool with so few members is looked through instead of the words, however they lie.
const FEW: u32 = 24;
/// One with more, up to a batch, if no more than so many share a page: they are no runs, and words are mostly empty.
const APART: usize = 4;

/// Steps of a sort by insertion: the first let the last find nearly everybody at their place (Shell 1959).
const STEPS: [usize; 4] = [40, 13, 4, 1];

/// Sorts what is mostly sorted, and few.
fn sort(picks: &mut [u32]) {
    if picks.is_sorted() {
        return;
    }
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
const NOBODY: u32 = u32::MAX;

/// Keeps those values that fit, asked by number and value, in their order, at the beginning; returns how many.
#[inline(always)]
fn retain<T: Copy>(values: &mut [T], fits: impl Fn(usize, T) -> bool) -> usize {
    let mut kept = 0;
    for at in 0..values.len() {
        let value = values[at];
        values[kept] = value;
        kept += usize::from(fits(at, value));
    }
    kept
}

impl<L: Layout> Join<L> {
    /// The first with-term's pool that has few members, at most `most`, none of them hidden, and no gaps.
    #[inline(always)]
    pub(super) fn few_in(&self, most: u32) -> Option<usize> {
        let all_few = |pool: &Pool<L>| {
            let few = pool.len() <= FEW || pool.len() as usize <= APART * pool.sparse().pages();
            few && pool.gaps() == 0 && !pool.hides_some()
        };
        let [mut with, ..] = self.kinds();
        with.find(|number| self.pool(*number).len() <= most && all_few(self.pool(*number)))
    }

    /// Hands out all that is left of a walk as one gather of at most `most`, from the few in the pool `leading`: how many
    /// that are. None if nothing is left.
    #[inline(never)]
    pub(super) fn gather_few(
        &self,
        leading: usize,
        cursor: &mut Cursor,
        fields: &mut Fields<'_>,
        most: u32,
    ) -> Option<u32> {
        let [with, without, any] = self.kinds();
        let (lead, first) = (leading as u8, self.pool(leading));
        if cursor.index >= cursor.end {
            return None;
        }
        let (mut count, mut position) = (0, 0);
        while position < first.len() {
            let entities = first.entities(position..first.len());
            for entity in entities {
                let index = L::index(entity.handle());
                fields.picks[count] = index;
                count += usize::from(index >= cursor.index && index < cursor.end);
            }
            position += entities.len() as u32;
        }
        sort(&mut fields.picks[..count]);
        let handed_out = || {
            let tracked = self.tracked.iter().filter(|tracked| tracked.field != NO_FIELD);
            tracked.zip((0..).step_by(most as usize))
        };
        // Whether more is asked than to be in those pools, whose elements are looked for below.
        let mut required = handed_out().map(|(tracked, _)| tracked).filter(|tracked| tracked.required);
        let asked = required.clone().count() + usize::from(required.all(|tracked| tracked.pool != lead));
        if asked < with.len() || !without.is_empty() || !any.is_empty() {
            count = retain(&mut fields.picks[..count], |_, index| self.mask(index) >> (index % 64) & 1 != 0);
        }
        let picks = &mut fields.picks[..count];
        let mut all = true;
        for (tracked, offset) in handed_out() {
            fields.offsets[usize::from(tracked.field)] = offset;
            let pool = self.pool(tracked.pool.into());
            let (pages, elements) = (pool.sparse().lookup(), pool.packed().lookup());
            for (row, pick) in fields.rows[usize::from(offset)..].iter_mut().zip(&mut *picks) {
                let page = pages.at(*pick);
                // SAFETY: the position of a member is in use.
                let element = || unsafe { elements.element(page.position(*pick)) };
                let is_there = page.is_member(*pick);
                *row = if is_there { element() } else { null_mut() };
                if tracked.required && !is_there {
                    (*pick, all) = (NOBODY, false);
                }
            }
        }
        if !all {
            for (_, offset) in handed_out() {
                retain(&mut fields.rows[usize::from(offset)..][..picks.len()], |at, _| picks[at] != NOBODY);
            }
            count = retain(picks, |_, index| index != NOBODY);
        }
        cursor.index = cursor.end;
        cursor.resume = cursor.end;
        Some(count as u32)
    }
}
