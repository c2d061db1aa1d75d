//! One entity at a time, for whoever finds entities in another way.

use super::batch::{Cursor, Fields, LITTLE};
use super::{Join, NO_FIELD, walk};
use crate::core::ids::Layout;
use crate::core::storage::pool::Pool;
use core::ptr::null_mut;

impl<L: Layout> Join<L> {
    /// Whether an entity matches; if so, `put` gets each field and where its element is: null if it hasn't got it. `any`: it may be
    /// one that queries pass over, which has what isn't disabled by itself.
    #[inline]
    pub fn place_one(&self, index: u32, any: bool, mut put: impl FnMut(u8, *mut u8)) -> bool {
        let plain = self.all_tracked && self.without == 0 && self.any.is_empty();
        let fits = if any { self.matches_any(index) } else { plain || self.fits(index) };
        if !fits {
            return false;
        }
        for tracked in self.tracked.iter() {
            let pool = self.pool(tracked.pool as usize);
            let position = if any { pool.enabled(index) } else { pool.shown(index) };
            if position.is_none() && tracked.required {
                return false;
            }
            if tracked.field != NO_FIELD {
                put(tracked.field, position.map_or(null_mut(), |at| pool.element(at)));
            }
        }
        true
    }

    /// Gathers the next matches one by one, as few are looked for; returns how many.
    #[inline(always)]
    pub fn gather_little(&self, cursor: &mut Cursor, fields: &mut Fields<'_>, registry: *const u8) -> u32 {
        let (mut index, mut matches, mut count) = (cursor.index, 0, 0);
        while count < cursor.limit.min(LITTLE) {
            if matches == 0 {
                (index, matches) = walk::first_word(self, index, cursor.end);
                if matches == 0 {
                    break;
                }
            }
            index = (index & !63) + matches.trailing_zeros();
            for (tracked, offset) in self.places(LITTLE as usize) {
                let pool = self.pool(tracked.pool as usize);
                #[allow(clippy::cast_possible_truncation)]
                {
                    fields.offsets[tracked.field as usize] = offset as u16;
                }
                fields.rows[offset + count as usize] =
                    pool.shown(index).map_or(null_mut(), |at| pool.element(at));
            }
            fields.picks[count as usize] = index;
            (index, matches, count) = (index + 1, matches & (matches - 1), count + 1);
        }
        (cursor.index, cursor.resume) = (index, index);
        cursor.look_further();
        fields.hand_out(registry, count, true)
    }

    /// Whether an entity that queries pass over matches.
    #[inline(never)]
    #[must_use]
    pub fn matches_any(&self, index: u32) -> bool {
        let has = |number: usize| self.pool(number).enabled(index).is_some();
        let [mut with, mut without, any] = self.ranges();
        let groups = any.zip(self.any.iter());
        let filled = |group: u8| groups.clone().any(|(pool, other)| *other == group && has(pool));
        with.all(has) && !without.any(has) && self.any.iter().all(|group| filled(*group))
    }

    /// Whether there is more to ask than whether elements are there that are handed out.
    #[must_use]
    pub fn asks_otherwise(&self) -> bool {
        self.asked != 0
    }

    /// Each field with its pool, and whether all matches have it.
    pub fn handed_out(&self) -> impl Iterator<Item = (u8, &Pool<L>, bool)> {
        let tracked = self.tracked.iter().filter(|tracked| tracked.field != NO_FIELD);
        tracked.map(|tracked| (tracked.field, self.pool(tracked.pool as usize), tracked.required))
    }

    /// So many match at most: the members of the smallest pool that all matches are in; None: there is no such pool.
    #[must_use]
    pub fn most_matches(&self) -> Option<u32> {
        let [with, _, _] = self.ranges();
        with.map(|number| self.pool(number).count()).min()
    }

    /// Whether somebody must be in one of its pools.
    #[must_use]
    pub fn asks_for_some(&self) -> bool {
        self.with > 0 || !self.any.is_empty()
    }

    /// The fields that it hands out, in the order of their rows.
    pub fn fields(&self) -> impl Iterator<Item = u8> + '_ {
        self.tracked.iter().map(|tracked| tracked.field).filter(|field| *field != NO_FIELD)
    }
}
