//! 256 entities' slots in the sparse half of a pool, and what is known of them beside their positions.
//!
//! ```text
//!   256 bits  occupied
//!   4 x next  where the word's members are, if they are in order
//!   256 bits  added, 256 bits moved   since the latest iteration began
//!   256 slots (position | generation)
//! ```

mod marks;
mod order;

use crate::core::ids::{Layout, Slot, position};
use crate::core::storage::buffer::number;
use crate::core::storage::slice::checked_mut;

pub use marks::Now;

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

    /// Whether nobody is.
    #[inline(always)]
    #[must_use]
    pub fn is_vacant(&self) -> bool {
        self.occupied == [0; WORDS]
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

    /// Whether all but the position in the slot of an index is that of a bare identifier, which nobody made sure to be one. A
    /// vacant slot's is the tombstone's.
    #[inline(always)]
    #[must_use]
    pub fn is_of(&self, index: u32, bare: u64) -> bool {
        self.slots[index as usize % PAGE].is_of(bare)
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

    /// The position of an index, if all else in its slot is that of a bare identifier, which nobody made sure to be one.
    #[inline(always)]
    #[must_use]
    pub fn position_of(&self, index: u32, bare: u64) -> Option<u32> {
        if !L::HAS_WORLD {
            return position::<L>(bare, self.slot(index));
        }
        // Part by part: whoever reads in one piece what was written in two waits until these are in the cache, and who adds a
        // component mostly gets it then.
        let position = self.position(index);
        (self.is_of(index, bare) && position != L::NO_INDEX).then_some(position)
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

    /// Makes members of `count` entities with following indices in this page and one generation, at
    /// following positions.
    pub fn insert_run(&mut self, bare: u64, position: u32, count: u32, now: &Now) {
        let first = L::index(bare) as usize % PAGE;
        let base = bare & !L::NULL | u64::from(position);
        let slots = checked_mut(&mut self.slots, first..first + count as usize);
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

    /// Makes a non-member a member, and remembers that it was added if somebody may want to know.
    #[inline(always)]
    pub fn insert_ready(&mut self, bare: u64, position: u32, iterated: bool) {
        if iterated {
            let (word, bit) = Self::bit(L::index(bare));
            self.added[word] |= bit;
        }
        self.insert(bare, position);
    }

    /// Whether an entity with that index is a member.
    #[inline(always)]
    #[must_use]
    pub fn is_member(&self, index: u32) -> bool {
        let (word, bit) = Self::bit(index);
        self.occupied[word] & bit != 0
    }
}
