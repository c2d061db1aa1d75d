//! Who was added to a page, and who moved, since the latest iteration of its pool began.

use super::{Page, WORDS};
use crate::core::ids::Layout;

impl<L: Layout> Page<L> {
    /// The settler of a page that several iterations took marks off: nobody's number.
    const SHARED: u32 = u32::MAX;

    /// Forgets the bits if an iteration has begun since they did.
    #[inline]
    pub fn begin(&mut self, now: &Now) {
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

    /// Remembers that an entity's element changed its position; says whether that is news.
    #[inline]
    pub fn mark_moved(&mut self, index: u32, now: &Now) -> bool {
        self.begin(now);
        let (word, bit) = Self::bit(index);
        let news = self.moved[word] & bit == 0;
        self.moved[word] |= bit;
        news
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
