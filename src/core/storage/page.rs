//! 256 entities' slots in the sparse half of a pool, and what is known of them beside their positions.
//!
//! ```text
//!   256 bits  occupied
//!   4 x next  where the word's members are, if they are in order
//!   256 bits  added, 256 bits moved   since the latest iteration began
//!   256 slots (position | generation)
//! ```
//!
//! The members of a word (64 neighbours) are *in order* if their elements lie side by side, as their
//! indices do. Then `next` is the position behind the last one, and no slot need be read to find any:
//!
//! ```text
//!   occupied  ...0110 1001      next 34      bit 0 is at 30, bit 3 at 31, bit 5 at 32, bit 6 at 33
//! ```

use crate::core::ids::{Layout, Slot};
use crate::core::storage::buffer::number;

/// Entities of one page.
pub const PAGE: usize = 256;
/// Words of a page: 64 entities each.
pub const WORDS: usize = PAGE / 64;
/// The number of the first change of a pool. A page that was made begins with it.
pub const FIRST: u64 = 1;

/// How many members of a word come before an index of it.
#[inline(always)]
#[must_use]
pub const fn rank(members: u64, index: u32) -> u32 {
    (members & !(u64::MAX << (index % 64))).count_ones()
}

/// The members of a word before those that match, of whom there are some, if no other comes amid these.
#[inline(always)]
#[must_use]
pub const fn before(members: u64, matches: u64) -> Option<u64> {
    debug_assert!(matches != 0);
    let low = matches.trailing_zeros();
    let (others, span) = ((members & !matches) >> low, matches >> low);
    // The lowest of the others behind the first match comes behind the last one, if there is one at all.
    if others & others.wrapping_neg() > span || others == 0 {
        Some(members & !(u64::MAX << low))
    } else {
        None
    }
}

/// 256 entities' slots, and bits beside them. What a change touches lies together, before the slots.
#[repr(C)]
pub struct Page<L: Layout> {
    occupied: [u64; WORDS],
    /// For each word the position behind its last member, if its members are in order: else `NO_ORDER`.
    next: [u32; WORDS],
    /// The pool's change that the bits `added` and `moved` begin with, and the one that the bits before
    /// them began with. 0 in the shared page that is nobody's.
    since: u64,
    before: u64,
    moved: [u64; WORDS],
    added: [u64; WORDS],
    /// The iteration that took marks off `moved`, which others can't rely on then; 0: none did.
    settler: u32,
    /// The numbers of this pool in the four blocks of 64 entities, for a pool without a bit in their
    /// signatures; see `blocks`. A hint.
    rows: [u16; WORDS],
    slots: [L::Slot; PAGE],
}

impl<L: Layout> Page<L> {
    /// The shared one that is nobody's.
    pub(super) const EMPTY: Self = Self {
        occupied: [0; WORDS],
        next: [Self::NO_ORDER; WORDS],
        since: 0,
        before: 0,
        moved: [0; WORDS],
        added: [0; WORDS],
        settler: 0,
        rows: [0; WORDS],
        slots: [L::Slot::EMPTY; PAGE],
    };

    /// One that is a pool's own.
    pub(super) const OWN: Self = Self { since: FIRST, ..Self::EMPTY };

    /// The number of this pool in the block of an entity.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, index: u32) -> u32 {
        self.rows[index as usize % PAGE / 64].into()
    }

    /// Remembers the number of this pool in the block of an entity.
    #[allow(clippy::cast_possible_truncation)]
    pub fn set_row(&mut self, index: u32, row: u32) {
        debug_assert!(row <= u16::MAX.into());
        self.rows[index as usize % PAGE / 64] = row as u16;
    }

    /// Bytes before the slots.
    pub const HEAD: usize = core::mem::offset_of!(Self, slots);

    /// No element is there: the members of a word are not in order.
    const NO_ORDER: u32 = u32::MAX;

    /// The settler of a page that several iterations took marks off: nobody's number.
    const SHARED: u32 = u32::MAX;

    /// The members among 64 neighbours.
    #[inline(always)]
    #[must_use]
    pub fn members(&self, index: u32) -> u64 {
        self.occupied[index as usize % PAGE / 64]
    }

    /// The members, word by word.
    #[inline(always)]
    #[must_use]
    pub const fn words(&self) -> &[u64; WORDS] {
        &self.occupied
    }

    /// The position behind the last member among 64 neighbours, if they are in order.
    #[inline(always)]
    #[must_use]
    pub fn behind(&self, index: u32) -> Option<u32> {
        let next = self.next[index as usize % PAGE / 64];
        (next != Self::NO_ORDER).then_some(next)
    }

    /// Whether everybody is a member.
    #[inline(always)]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.occupied == [u64::MAX; WORDS]
    }

    /// Whether nobody has a slot here: no member, shown or not.
    #[must_use]
    pub fn is_unused(&self) -> bool {
        self.is_vacant() && (0..PAGE).all(|slot| self.slots[slot].low() & L::NO_INDEX == L::NO_INDEX)
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
        let (is_last, is_first) = (bit > others, others & (bit - 1) == 0);
        self.next[word] = match shown {
            true if is_last && position == next => next + 1,
            true if is_first && position.wrapping_add(others.count_ones() + 1) == next => next,
            false if is_last => next - 1,
            false if is_first => next,
            _ => Self::NO_ORDER,
        };
    }

    /// Whether nobody is.
    #[inline(always)]
    #[must_use]
    pub fn is_vacant(&self) -> bool {
        self.occupied == [0; WORDS]
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

    /// The slot of an index.
    #[inline(always)]
    #[must_use]
    pub fn slot(&self, index: u32) -> u64 {
        self.slots[index as usize % PAGE].bare()
    }

    /// Where the slot of an index is.
    #[inline(always)]
    #[must_use]
    pub fn slot_at(&self, index: u32) -> *const L::Slot {
        &raw const self.slots[index as usize % PAGE]
    }

    /// The position in the slot of an index; that of a member.
    #[inline(always)]
    #[must_use]
    pub fn position(&self, index: u32) -> u32 {
        self.low(index) & L::NO_INDEX
    }

    /// The lower bits of the slot of an index: those of the position and maybe more.
    #[inline(always)]
    #[must_use]
    pub fn low(&self, index: u32) -> u32 {
        self.slots[index as usize % PAGE].low()
    }

    /// The slot of an index in the upper 48 of 64 bits, for a layout whose slots are so long: what comes before it in the
    /// page, the slot of the index before or `rows`, is read with it.
    #[inline(always)]
    #[must_use]
    pub fn above(&self, index: u32) -> i64 {
        const {
            assert!(size_of::<L::Slot>() < 8);
            assert!(core::mem::offset_of!(Self, slots) == core::mem::offset_of!(Self, rows) + 8);
        }
        let at = core::mem::offset_of!(Self, slots) + (index as usize % PAGE + 1) * size_of::<L::Slot>();
        // SAFETY: the eight bytes lie in the page, whose fields follow one another without padding from `rows` on.
        unsafe { core::ptr::from_ref(self).cast::<u8>().add(at - 8).cast::<i64>().read_unaligned() }
    }

    /// The slot of an index, read in one piece: faster, but not if it was written just now.
    #[inline(always)]
    #[must_use]
    pub fn slot_at_once(&self, index: u32) -> u64 {
        if L::HAS_WORLD { self.above(index).cast_unsigned() >> 16 } else { self.slot(index) }
    }

    /// The position of an index, whatever its generation: of a member's element.
    #[inline(always)]
    #[must_use]
    pub fn member(&self, index: u32) -> Option<u32> {
        let position = self.position(index);
        (position != L::NO_INDEX).then_some(position)
    }

    #[inline(always)]
    fn bit(index: u32) -> (usize, u64) {
        ((index as usize % PAGE) / 64, 1 << (index % 64))
    }

    /// Lets a member's slot hold another position.
    #[inline(always)]
    pub fn set(&mut self, bare: u64, position: u32) {
        self.next[L::index(bare) as usize % PAGE / 64] = Self::NO_ORDER;
        self.put(bare, position);
    }

    #[inline(always)]
    fn put(&mut self, bare: u64, position: u32) {
        let generation = bare & !L::NULL;
        self.slots[L::index(bare) as usize % PAGE] = L::Slot::from_bare(generation | u64::from(position));
    }

    /// Makes a non-member a member.
    #[inline(always)]
    pub fn insert(&mut self, bare: u64, position: u32) {
        self.put(bare, position);
        let (word, bit) = Self::bit(L::index(bare));
        self.extend_order(word, bit, position, 1);
        self.occupied[word] |= bit;
    }

    /// Keeps `next` for `count` members that come to a word, the lowest at `bit`, at positions from
    /// `position` on: they are in order if they are the first, or follow the last in both respects.
    #[inline(always)]
    fn extend_order(&mut self, word: usize, bit: u64, position: u32, count: u32) {
        let occupied = self.occupied[word];
        let follows = self.next[word] == position && bit > occupied;
        self.next[word] = if follows || occupied == 0 { position + count } else { Self::NO_ORDER };
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
        let slots = &self.slots[word * 64 + low..=word * 64 + high];
        let position = |slot: &L::Slot| slot.low() & L::NO_INDEX;
        let first = position(&slots[0]);
        let behind = first + members.count_ones();
        if position(&slots[high - low]) + 1 != behind {
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

    /// Makes members of `count` entities with following indices in this page and one generation, at
    /// following positions.
    pub fn insert_run(&mut self, bare: u64, position: u32, count: u32, now: &Now) {
        let first = L::index(bare) as usize % PAGE;
        let base = bare & !L::NULL | u64::from(position);
        let slots = &mut self.slots[first..first + count as usize];
        number(slots, base, L::Slot::from_bare);
        if now.is_iterated() {
            self.begin(now);
        }
        for word in 0..PAGE / 64 {
            let low = first.max(word * 64);
            let high = (first + count as usize).min(word * 64 + 64);
            if low < high {
                let bits = u64::MAX >> (64 - (high - low)) << (low % 64);
                #[allow(clippy::cast_possible_truncation)]
                let (before, count) = ((low - first) as u32, (high - low) as u32);
                self.extend_order(word, 1 << (low % 64), position + before, count);
                self.occupied[word] |= bits;
                if now.is_iterated() {
                    self.added[word] |= bits;
                }
            }
        }
    }

    /// Makes a member a non-member.
    #[inline(always)]
    pub fn remove(&mut self, index: u32) {
        self.slots[index as usize % PAGE] = L::Slot::EMPTY;
        let (word, bit) = Self::bit(index);
        self.occupied[word] &= !bit;
        self.next[word] = Self::NO_ORDER;
    }

    /// Forgets the bits if an iteration has begun since they did.
    #[inline]
    fn begin(&mut self, now: &Now) {
        if self.since <= now.latest_start {
            self.begin_anew(now);
        }
    }

    /// A call of its own: it happens once in an iteration.
    #[cold]
    #[inline(never)]
    fn begin_anew(&mut self, now: &Now) {
        self.before = self.since;
        self.since = now.change;
        self.added = [0; WORDS];
        self.moved = [0; WORDS];
        self.settler = 0;
    }

    /// Remembers that an entity got the component.
    #[inline]
    pub fn mark_added(&mut self, index: u32, now: &Now) {
        self.begin(now);
        let (word, bit) = Self::bit(index);
        self.added[word] |= bit;
    }

    /// Whether it is a pool's own, and the bits need not begin anew: `insert_ready` can be used.
    #[inline(always)]
    #[must_use]
    pub const fn is_ready(&self, latest_start: u64) -> bool {
        self.since > latest_start
    }

    /// Makes a non-member a member, and remembers that it was added if somebody may want to know.
    #[inline(always)]
    pub fn insert_ready(&mut self, bare: u64, position: u32, iterated: bool) {
        if iterated {
            let (word, bit) = Self::bit(L::index(bare));
            self.added[word] |= bit;
        }
        self.insert(bare, position);
    }

    /// Remembers that an entity's element changed its position; says whether that is news.
    #[inline]
    pub fn mark_moved(&mut self, index: u32, now: &Now) -> bool {
        self.begin(now);
        let (word, bit) = Self::bit(index);
        let news = self.moved[word] & bit == 0;
        self.moved[word] |= bit;
        news
    }

    /// Whether an entity with that index is a member.
    #[inline(always)]
    #[must_use]
    pub fn is_member(&self, index: u32) -> bool {
        let (word, bit) = Self::bit(index);
        self.occupied[word] & bit != 0
    }

    /// Forgets that an entity's element was moved after change `era`, for one iteration.
    pub fn forget_move(&mut self, index: u32, era: u64, settler: u32) {
        if self.since > era {
            let (word, bit) = Self::bit(index);
            self.moved[word] &= !bit;
            let shared = self.settler != 0 && self.settler != settler;
            self.settler = if shared { Self::SHARED } else { settler };
        }
    }

    /// Whether a member was added, and whether it was moved, after change `era`; None if that can't
    /// be told any longer because of another iteration; `settler` is the number of the one that asks.
    #[must_use]
    pub fn placed_since(&self, index: u32, era: u64, settler: u32) -> Option<(bool, bool)> {
        // A change after `era` has begun the bits anew, if none before it had.
        if self.since <= era {
            return Some((false, false));
        }
        let by_another = self.settler != 0 && self.settler != settler;
        if self.before > era || by_another {
            return None;
        }
        let (word, bit) = Self::bit(index);
        Some((self.added[word] & bit != 0, self.moved[word] & bit != 0))
    }
}

/// The moment of a change: its number in the pool, and the number at which the latest iteration began.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// The number of this change.
    pub change: u64,
    /// The changes there were when the latest iteration began; 0: none ever did.
    pub latest_start: u64,
}

impl Now {
    /// Whether there may be an iteration that needs to know who was added and moved.
    #[inline(always)]
    #[must_use]
    pub const fn is_iterated(&self) -> bool {
        self.latest_start != 0
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::super::dice::Dice;
    use super::*;
    use crate::core::ids::Narrow;

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
    fn who_is_shown_or_hidden_leaves_neighbours_in_order_or_not_as_a_look_at_all_says() {
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
