//! Members that joins and groups don't see: disabled ones. Their bit among the occupied is off; the slot is as it was,
//! so that get and has find them.
//!
//! ```text
//!   occupied   1 1 0 1      queries and groups go by it
//!   slots      3 4 5 6      get and has go by these: the third is there, but disabled, and so kept in `disabled`, by its index
//! ```

use super::Pool;
use crate::core::error::Error;
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::memory::Memory;
use core::ops::Range;

impl<L: Layout> Pool<L> {
    /// Whether an entity that lives is a member whom queries see.
    #[inline(always)]
    #[must_use]
    pub fn shows(&self, handle: Handle) -> bool {
        self.sparse.page(L::index(handle)).is_member(L::index(handle))
    }

    /// Whether a member was disabled here, whatever the entity itself is.
    #[must_use]
    pub fn is_disabled(&self, index: u32) -> bool {
        self.disabled.get(index.into()).is_some()
    }

    /// The position of a member whom queries see.
    #[inline(always)]
    #[must_use]
    pub fn shown(&self, index: u32) -> Option<u32> {
        let page = self.sparse.page(index);
        page.is_member(index).then(|| page.position(index))
    }

    /// The position of a member that wasn't disabled here, whatever the entity itself is.
    #[inline]
    #[must_use]
    pub fn enabled(&self, index: u32) -> Option<u32> {
        let page = self.sparse.page(index);
        // Whom queries see isn't disabled, which spares most the look.
        page.member(index).filter(|_| page.is_member(index) || !self.is_disabled(index))
    }

    /// Remembers that a member is disabled here, or not; it must be shown or hidden accordingly.
    pub fn set_disabled(&mut self, memory: &mut Memory, index: u32, disabled: bool) -> Result<(), Error> {
        if disabled == self.is_disabled(index) {
            return Ok(());
        }
        if disabled {
            self.disabled.reserve(memory, 1)?;
            self.disabled.put(index.into(), 0);
        } else {
            self.disabled.take(index.into(), 0);
        }
        Ok(())
    }

    /// Lets queries see a member, or not. Running iterations of the pool end.
    pub fn show(&mut self, index: u32, shown: bool) {
        let page = self.sparse.member_page(index);
        let Some(position) = page.member(index).filter(|_| page.is_member(index) != shown) else { return };
        page.show(index, shown);
        // Nothing new of one who was hidden.
        let others = if self.hides_some() { self.veiled_words } else { 0 };
        self.veiled_words = others | Self::word_bit(index);
        (self.hidden_end, self.hidden_order) = (self.hidden_end().max(position + 1), self.order_changes);
        self.hidden = if shown { self.hidden - 1 } else { self.hidden + 1 };
        // It comes or goes for queries: that is not just another order.
        self.count_changes(1);
        self.end_iterations_in_order();
        self.find_tail();
    }

    /// Whether an element isn't for iterations.
    #[inline(always)]
    #[must_use]
    pub fn is_hidden(&self, position: u32) -> bool {
        self.hidden > 0 && !self.shows(self.entity(position))
    }

    /// How many members queries see.
    #[must_use]
    pub const fn shown_count(&self) -> u32 {
        self.count() - self.hidden
    }

    /// The bit of an index's word in `veiled_words`.
    #[inline(always)]
    const fn word_bit(index: u32) -> u64 {
        1 << (index / 64 % 64)
    }

    /// From this position on nobody is hidden. Who leaves lets somebody move down: only a change of the order brings anybody
    /// up.
    #[inline(never)]
    const fn hidden_end(&self) -> u32 {
        match self.hidden {
            0 => 0,
            _ if self.hidden_order == self.order_changes => self.hidden_end,
            _ => u32::MAX,
        }
    }

    /// From this position on nobody is hidden, and there is no gap.
    #[inline(always)]
    #[must_use]
    pub const fn shown_from(&self) -> u32 {
        match (self.gaps, self.hidden) {
            (0, 0) => 0,
            (0, _) => self.hidden_end(),
            _ => u32::MAX,
        }
    }

    /// How many come before a gap, or before somebody who is hidden: at positions in use in one page of the packed half, from
    /// the first one up, or from the last one down.
    #[inline(never)]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn in_a_row(&self, positions: Range<u32>, down: bool) -> u32 {
        let (all, shown_from) = (positions.len(), self.shown_from());
        let words = self.entities(positions.start..positions.end.min(shown_from));
        let (gaps, veiled) = (self.gaps > 0, self.veiled_words);
        let count = if self.hides_some() {
            // Nobody is hidden in whose word nobody is: for most that spares the look at a page.
            let may_be_hidden = |handle| veiled & Self::word_bit(L::index(handle)) != 0;
            prefix(words, down, |handle| {
                !(gaps && Self::is_tombstone(handle)) && (!may_be_hidden(handle) || self.shows(handle))
            })
        } else {
            prefix(words, down, |handle| !Self::is_tombstone(handle))
        };
        (if down || count == words.len() { count + all - words.len() } else { count }) as u32
    }

    /// Whether there are members whom queries don't see.
    #[inline(always)]
    #[must_use]
    pub const fn hides_some(&self) -> bool {
        self.hidden > 0
    }

    /// A member is taken out, of a pool that hides some: nothing is to be remembered of it.
    #[cold]
    pub(super) fn unveil(&mut self, index: u32) {
        if !self.sparse.page(index).is_member(index) {
            self.hidden -= 1;
        }
        self.disabled.take(index.into(), 0);
    }
}

/// How many words come before one for which something isn't so, from the first one up or the last one down. Both ways in one loop:
/// it is there for each layout.
#[inline(always)]
fn prefix<W: Word>(words: &[W], down: bool, so: impl Fn(Handle) -> bool) -> usize {
    let (first, step) = if down { (words.len().wrapping_sub(1), usize::MAX) } else { (0, 1) };
    let mut at = first;
    while let Some(word) = words.get(at)
        && so(word.handle())
    {
        at = at.wrapping_add(step);
    }
    if down { first.wrapping_sub(at) } else { at }
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::super::Shape;
    use super::*;
    use crate::core::ids::{Narrow, Wide};
    use crate::core::storage::dice::Dice;
    use crate::core::storage::kinds::Kinds;
    use crate::core::storage::memory::Allocator;

    /// What is found at positions is what a look at each one finds, up and down.
    fn check<L: Layout>(pool: &Pool<L>, dice: &mut Dice) {
        let is_shown: Vec<bool> = (0..pool.len())
            .map(|position| !pool.is_gap(position) && pool.shows(pool.entity(position)))
            .collect();
        assert_eq!(pool.shown_count() as usize, is_shown.iter().filter(|shown| **shown).count());
        let mut start = 0;
        while start < pool.len() {
            let end = pool.len().min(pool.packed().page_end(start));
            let count = u64::from(end - start);
            let some = start + dice.next(count) as u32..end - dice.next(count) as u32;
            for positions in [start..end, some] {
                let shown =
                    &is_shown[positions.start as usize..(positions.end.max(positions.start)) as usize];
                let up = shown.iter().take_while(|shown| **shown).count();
                let down = shown.iter().rev().take_while(|shown| **shown).count();
                assert_eq!(pool.in_a_row(positions.clone(), false) as usize, up, "{positions:?} up");
                assert_eq!(pool.in_a_row(positions.clone(), true) as usize, down, "{positions:?} down");
            }
            start = end;
        }
    }

    /// Whoever comes, leaves, moves, is hidden or shown: few are at first, in words that others share or not, and then many.
    fn whoever_is_hidden_is_passed_over<L: Layout>(stable: bool, many: u32, steps: u32, dice: &mut Dice) {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut kinds = Kinds::default();
        let mut pool = Pool::<L>::new(1, 0, Shape { size: 8, align: 8, stable });
        pool.reserve_spare(&mut memory).unwrap();
        kinds.cover(&mut memory, many.next_multiple_of(64)).unwrap();
        pool.settle_bit(&mut memory, &mut kinds, many);
        let zeros = pool.zeros();
        for step in 0..steps {
            let index = dice.next(many.into()) as u32;
            let entity = L::pack(index, 1);
            let there = pool.position(entity);
            let place = |dice: &mut Dice, pool: &Pool<L>| dice.next(pool.len().into()) as u32;
            // All come, and one of the first, of the last, or of all is hidden.
            if step % 40 == 0 {
                for index in 0..many {
                    let entity = L::pack(index, 1);
                    if pool.position(entity).is_none() {
                        pool.add(&mut memory, &mut kinds, entity, &pool.spot(entity), zeros).unwrap();
                    }
                }
                let at = [0, pool.len() - 1, place(dice, &pool)][dice.next(3) as usize];
                pool.show(L::index(pool.entity(at)), false);
            } else {
                match dice.next(if step % 400 < 200 { 8 } else { 12 }) {
                    0..=2 if there.is_some() => pool.remove(&mut kinds, pool.spot(entity)),
                    0..=2 => pool.add(&mut memory, &mut kinds, entity, &pool.spot(entity), zeros).unwrap(),
                    3 if pool.gaps() == 0 && !pool.is_empty() => {
                        let (a, b) = (place(dice, &pool), place(dice, &pool));
                        pool.swap_positions(a, b);
                    }
                    4 if pool.gaps() == 0 && dice.next(8) == 0 => {
                        let mut order: Vec<u32> = (0..pool.len()).rev().collect();
                        pool.permute(0, &mut order);
                    }
                    5 => pool.close_gaps(),
                    6 if dice.next(8) == 0 => pool.clear(&mut kinds),
                    7 => drop(pool.join_pages(&mut memory, u32::MAX).unwrap()),
                    6 | 8 => pool.show(index, true),
                    9.. => pool.show(index, false),
                    _ => {}
                }
            }
            // So that few are left sometimes.
            if step % 100 == 99 {
                (0..many).filter(|_| dice.next(3) > 0).for_each(|index| pool.show(index, true));
            }
            check(&pool, dice);
        }
        pool.clear(&mut kinds);
        pool.free(&mut memory);
        kinds.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }

    #[test]
    fn a_row_ends_where_a_look_at_each_says() {
        let mut dice = Dice(11);
        let (sizes, steps): (&[u32], _) = if cfg!(miri) { (&[70], 45) } else { (&[70, 700, 6000], 1200) };
        for many in sizes {
            for stable in [false, true] {
                whoever_is_hidden_is_passed_over::<Wide>(stable, *many, steps, &mut dice);
                whoever_is_hidden_is_passed_over::<Narrow>(stable, *many, steps, &mut dice);
            }
        }
    }

    /// Where somebody is hidden who came first, nobody is looked at who came later; until the order changes.
    #[test]
    fn who_is_hidden_first_hides_nobody_behind() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut pool = Pool::<Wide>::new(1, 0, Shape { size: 8, align: 8, stable: false });
        (0..300).for_each(|index| pool.add_unlisted(&mut memory, Wide::pack(index, 1)));
        let hide = |pool: &mut Pool<Wide>, index, hidden: bool| {
            pool.show(index, !hidden);
            pool.shown_from()
        };
        assert_eq!(pool.shown_from(), 0);
        assert_eq!(hide(&mut pool, 3, true), 4);
        assert_eq!(hide(&mut pool, 1, true), 4);
        pool.remove_taken(40);
        pool.remove_taken(0);
        assert_eq!((pool.shown_from(), pool.entity(0)), (4, Wide::pack(298, 1)));
        assert!(pool.join_pages(&mut memory, u32::MAX).unwrap() > 0);
        pool.shrink(&mut memory);
        assert_eq!(hide(&mut pool, 1, false), 4);
        assert_eq!(hide(&mut pool, 2, true), 4);
        pool.swap_positions(5, 6);
        assert_eq!(pool.shown_from(), u32::MAX);
        assert_eq!(hide(&mut pool, 3, false), u32::MAX);
        // When nobody is, it begins anew.
        assert_eq!(hide(&mut pool, 2, false), 0);
        assert_eq!(hide(&mut pool, 1, true), 2);
        pool.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }
}
