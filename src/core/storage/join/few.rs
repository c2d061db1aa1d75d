//! Joins that few can match: the members of the smallest pool are looked at one by one, instead of words.
//!
//! ```text
//!   smallest pool, packed     40  7  900  12        few, in any order
//!   who matches               40  7  900            pool by pool
//!   sorted                    7  40  900            because matches come in the order of indices
//!   addresses                 field by field
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

/// Keeps those picks that fit, in their order, at the beginning; returns how many.
#[inline(always)]
fn retain(picks: &mut [u32], fits: impl Fn(u32) -> bool) -> usize {
    let mut kept = 0;
    for at in 0..picks.len() {
        let index = picks[at];
        picks[kept] = index;
        kept += usize::from(fits(index));
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
        let lead = self.pool(leading);
        if cursor.index >= cursor.end {
            return None;
        }
        let (mut count, mut position) = (0, 0);
        while position < lead.len() {
            let entities = lead.entities(position..lead.len());
            for entity in entities {
                let index = L::index(entity.handle());
                fields.picks[count] = index;
                count += usize::from(index >= cursor.index && index < cursor.end);
            }
            position += entities.len() as u32;
        }
        for number in with.filter(|number| *number != leading).chain(without.clone()) {
            let (pages, flip) = (self.pool(number).sparse().lookup(), u64::from(without.contains(&number)));
            count = retain(&mut fields.picks[..count], |index| {
                (pages.at(index).members(index) >> (index % 64) ^ flip) & 1 != 0
            });
        }
        if !any.is_empty() {
            count = retain(&mut fields.picks[..count], |index| self.mask(index) >> (index % 64) & 1 != 0);
        }
        let picks = &mut fields.picks[..count];
        sort(picks);
        let handed_out = self.tracked.iter().filter(|tracked| tracked.field != NO_FIELD);
        for (tracked, offset) in handed_out.zip((0..).step_by(most as usize)) {
            fields.offsets[usize::from(tracked.field)] = offset;
            let pool = self.pool(tracked.pool.into());
            let (pages, elements) = (pool.sparse().lookup(), pool.packed().lookup());
            for (row, index) in fields.rows[usize::from(offset)..].iter_mut().zip(&*picks) {
                let page = pages.at(*index);
                // SAFETY: the position of a member is in use.
                let element = || unsafe { elements.element(page.position(*index)) };
                *row = if page.is_member(*index) { element() } else { null_mut() };
            }
        }
        cursor.index = cursor.end;
        cursor.resume = cursor.end;
        Some(count as u32)
    }
}
