//! Whether the members of a word lie in order, kept with whatever changes.
//!
//! The members of a word (64 neighbours) are *in order* if their elements lie side by side, as their
//! indices do. Then `next` is the position behind the last one, and no slot need be read to find any:
//!
//! ```text
//!   occupied  ...0110 1001      next 34      bit 0 is at 30, bit 3 at 31, bit 5 at 32, bit 6 at 33
//! ```

use super::{PAGE, Page};
use crate::core::ids::{Layout, Slot};
use crate::core::storage::slice::checked;

impl<L: Layout> Page<L> {
    /// No element is there: the members of a word are not in order.
    pub(super) const NO_ORDER: u32 = u32::MAX;

    /// The position behind the last member among 64 neighbours, if they are in order.
    #[inline(always)]
    #[must_use]
    pub fn behind(&self, index: u32) -> Option<u32> {
        let next = self.next[index as usize % PAGE / 64];
        (next != Self::NO_ORDER).then_some(next)
    }

    /// How many of some pages, from the first on, have everybody as a member, in order from a position on over all of them.
    #[inline(always)]
    #[must_use]
    pub fn full_runs(pages: &[&Self], position: u32) -> usize {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{
                __m128i, _mm_add_epi32, _mm_and_si128, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8,
                _mm_set1_epi32, _mm_setr_epi32,
            };
            // SAFETY: every x86-64 has SSE2; each load is of 16 bytes of its field.
            unsafe {
                let (all, page) = (_mm_set1_epi32(-1), _mm_set1_epi32(PAGE as i32));
                let mut next =
                    _mm_add_epi32(_mm_set1_epi32(position.cast_signed()), _mm_setr_epi32(64, 128, 192, 256));
                for (number, at) in pages.iter().enumerate() {
                    let words = (&raw const at.occupied).cast::<__m128i>();
                    let members = _mm_and_si128(_mm_loadu_si128(words), _mm_loadu_si128(words.add(1)));
                    let follows = _mm_cmpeq_epi32(_mm_loadu_si128((&raw const at.next).cast()), next);
                    let whole = _mm_cmpeq_epi32(_mm_and_si128(members, follows), all);
                    if _mm_movemask_epi8(whole) != 0xffff {
                        return number;
                    }
                    next = _mm_add_epi32(next, page);
                }
            }
            pages.len()
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let is_full_run = |(number, page): &(usize, &&Self)| {
                let next = |word: u32| position.wrapping_add((*number * PAGE) as u32 + 64 * (word + 1));
                page.is_full() && page.next == [next(0), next(1), next(2), next(3)]
            };
            pages.iter().enumerate().take_while(is_full_run).count()
        }
    }

    /// The members among 64 neighbours, and the position of the first if they are in order.
    #[inline(always)]
    #[must_use]
    pub fn word(&self, index: u32) -> (u64, Option<u32>) {
        let word = index as usize % PAGE / 64;
        let (occupied, next) = (self.occupied[word], self.next[word]);
        (occupied, (next != Self::NO_ORDER).then(|| next.wrapping_sub(occupied.count_ones())))
    }

    /// Whether these are all members among 64 neighbours, in order and the last one before a position.
    #[inline(always)]
    #[must_use]
    pub fn are_all(&self, index: u32, members: u64, behind: u32) -> bool {
        let word = index as usize % PAGE / 64;
        self.occupied[word] == members && self.next[word] == behind
    }

    /// Whether no member of its word comes before an index.
    #[inline]
    #[must_use]
    pub fn is_lowest(&self, index: u32) -> bool {
        let (word, bit) = Self::bit(index);
        self.occupied[word] & (bit - 1) == 0
    }

    /// Looks again at all its words.
    pub fn settle_orders(&mut self) {
        (0..PAGE as u32).step_by(64).for_each(|index| self.settle_order(index));
    }

    /// Looks again whether the members of a word are in order: the last one first, which mostly tells if they aren't, then
    /// all, without a branch on who is a member.
    pub fn settle_order(&mut self, index: u32) {
        let word = Self::bit(index).0;
        let members = self.occupied[word];
        self.next[word] = Self::NO_ORDER;
        if members == 0 {
            return;
        }
        let (low, high) = (members.trailing_zeros() as usize, members.ilog2() as usize);
        let slots = checked(&self.slots, word * 64 + low..=word * 64 + high);
        let position = |slot: &L::Slot| slot.low() & L::NO_INDEX;
        let first = position(checked(slots, 0));
        let behind = first + members.count_ones();
        if position(checked(slots, high - low)) + 1 != behind {
            return;
        }
        let (mut rest, mut next, mut wrong) = (members >> low, first, 0);
        for slot in slots {
            let member = (rest & 1) as u32;
            wrong |= (position(slot) ^ next) & member.wrapping_neg();
            next += member;
            rest >>= 1;
        }
        if wrong == 0 {
            self.next[word] = behind;
        }
    }

    /// Keeps `next` for `count` members that come to a word, the lowest at `bit`, at positions from
    /// `position` on: they are in order if they are the first, or follow the last in both respects.
    #[inline(always)]
    pub(super) fn extend_order(&mut self, word: usize, bit: u64, position: u32, count: u32) {
        let occupied = self.occupied[word];
        let follows = self.next[word] == position && bit > occupied;
        self.next[word] = if follows || occupied == 0 { position + count } else { Self::NO_ORDER };
    }

    /// Takes out who came last: those who stay in its word are in order again, if they were before.
    pub fn take_back(&mut self, index: u32) {
        let next = self.behind(index);
        self.remove(index);
        match next {
            // It was their last, or it would have disturbed them.
            Some(next) if self.occupied[Self::bit(index).0] != 0 => self.next[Self::bit(index).0] = next - 1,
            _ => self.settle_order(index),
        }
    }

    /// Lets a member be seen among its neighbours, or not; now it is the other way round.
    pub fn show(&mut self, index: u32, shown: bool) {
        let (word, bit) = Self::bit(index);
        let (members, next, position) = (self.occupied[word], self.next[word], self.position(index));
        let others = members & !bit;
        debug_assert!((others == members) == shown);
        self.occupied[word] = if shown { others | bit } else { others };
        if others == 0 || next == Self::NO_ORDER {
            return self.settle_order(index);
        }
        // Who comes to or leaves those who are in order is their last, their first, or disturbs them.
        let (is_last, is_first) = (bit > others, self.is_lowest(index));
        self.next[word] = match shown {
            true if is_last && position == next => next + 1,
            true if is_first && position.wrapping_add(others.count_ones() + 1) == next => next,
            false if is_last => next - 1,
            false if is_first => next,
            _ => Self::NO_ORDER,
        };
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::super::Now;
    use super::*;
    use crate::core::ids::Narrow;
    use crate::core::storage::dice::Dice;

    fn page() -> Page<Narrow> {
        Page::EMPTY
    }

    #[test]
    fn words_know_whether_their_members_are_in_order() {
        let mut page = page();
        assert_eq!(page.word(0).0, 0);
        for (step, index) in (0..).zip([64, 67, 69, 127]) {
            page.insert(Narrow::pack(index, 1), 30 + step);
        }
        assert_eq!(page.word(64), (1 | 8 | 32 | 1 << 63, Some(30)));
        page.insert(Narrow::pack(66, 1), 34);
        assert_eq!(page.word(64).1, None);
        // A word that has become empty begins anew.
        for index in [64, 66, 67, 69, 127] {
            page.remove(index);
        }
        page.insert(Narrow::pack(70, 1), 5);
        assert_eq!(page.word(64), (64, Some(5)));
        page.set(Narrow::pack(70, 1), 9);
        assert_eq!(page.word(64).1, None);
        // A lower index at the following position is out of order, and so is a higher one elsewhere.
        page.insert(Narrow::pack(10, 1), 0);
        page.insert(Narrow::pack(9, 1), 1);
        assert_eq!(page.word(0).1, None);
        page.insert(Narrow::pack(130, 1), 7);
        page.insert(Narrow::pack(131, 1), 9);
        assert_eq!(page.word(128).1, None);
    }

    #[test]
    fn who_is_shown_or_hidden_leaves_neighbours_in_order_or_not() {
        let mut dice = Dice(5);
        for _ in 0..if cfg!(miri) { 20 } else { 1000 } {
            let mut page = page();
            let members: Vec<u32> = (64..128).filter(|_| dice.next(3) > 0).collect();
            for (index, position) in members.iter().zip(7..) {
                // Sometimes one comes from elsewhere.
                page.insert(Narrow::pack(*index, 1), if dice.next(200) == 0 { 1000 } else { position });
            }
            // At the ends, where order can be kept, or anywhere.
            let ends = dice.next(2) == 0;
            for _ in 0..members.len() {
                let shown: Vec<u32> =
                    members.iter().copied().filter(|index| page.is_member(*index)).collect();
                let place = dice.next(shown.len() as u64 + 1) as usize;
                let index = match shown.get(place) {
                    Some(_) if ends && dice.next(2) == 0 => shown[0],
                    Some(_) if ends => shown[shown.len() - 1],
                    Some(index) => *index,
                    None => members[dice.next(members.len() as u64) as usize],
                };
                page.show(index, !page.is_member(index));
                let found = page.word(index);
                let at: Vec<u32> = (64..128)
                    .filter(|index| page.is_member(*index))
                    .map(|index| page.position(index))
                    .collect();
                let in_order = !at.is_empty() && at.windows(2).all(|pair| pair[0] + 1 == pair[1]);
                assert_eq!(found.1, in_order.then(|| at[0]));
                page.settle_order(index);
                assert_eq!(found, page.word(index));
            }
        }
    }

    #[test]
    fn runs_keep_the_same_order_as_single_insertions() {
        let now = Now { change: 1, latest_start: 0 };
        let (mut one, mut run) = (page(), page());
        for index in 50..200 {
            one.insert(Narrow::pack(index, 1), 7 + index);
        }
        run.insert_run(Narrow::pack(50, 1), 57, 150, &now);
        for index in [0, 64, 128, 192] {
            assert_eq!(one.word(index), run.word(index));
        }
        run.insert_run(Narrow::pack(201, 1), 207, 2, &now);
        assert_eq!(run.word(192).1, Some(57 + 142));
        run.insert_run(Narrow::pack(220, 1), 300, 2, &now);
        assert_eq!(run.word(192).1, None);
    }
}
