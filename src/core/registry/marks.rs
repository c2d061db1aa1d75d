//! Marks: how a bulk call notices that an array names an entity twice, without memory. A marked slot
//! holds its index with a tombstone, which no living one does; the array itself knows what to restore.

use super::Registry;
use crate::core::ids::{Handle, Layout, Word};

impl<L: Layout> Registry<L> {
    /// Marks a living slot, so that a second sight of the same entity is noticed; false if it is
    /// marked (or not alive) already. Every mark must be taken off by `unmark`.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    pub fn mark(&mut self, handle: Handle) -> bool {
        // A tombstone's own handle is what a marked slot stores.
        let tombstone = u64::from(L::generation(handle)) == L::TOMBSTONE;
        let alive = self.is_alive(handle) && !tombstone;
        if alive {
            let index = L::index(handle);
            self.set(index, L::pack(index, L::TOMBSTONE as u32));
        }
        alive
    }

    /// Takes a mark off.
    #[inline(always)]
    pub fn unmark(&mut self, handle: Handle) {
        let index = L::index(handle);
        if (index as usize) < self.words.len() {
            self.words[index as usize] = L::Word::from_handle(handle);
        }
    }
}
