//! Marks: how a bulk call notices that an array names an entity twice, without memory. A marked slot
//! holds its neighbour's index, so that no handle is its owner's; the array itself knows what to restore.

use super::Registry;
use crate::core::ids::{Handle, Layout, Word};

impl<L: Layout> Registry<L> {
    /// Marks a living slot, so that a second sight of the same entity is noticed; false if it is
    /// marked (or not alive) already. Every mark must be taken off by `unmark`.
    #[inline(always)]
    pub fn mark(&mut self, handle: Handle) -> bool {
        match self.words.get_mut(L::index(handle) as usize) {
            Some(word) if word.handle() == handle => {
                *word = L::Word::from_handle(handle ^ 1);
                true
            }
            _ => false,
        }
    }

    /// Takes a mark off.
    #[inline(always)]
    pub fn unmark(&mut self, handle: Handle) {
        if let Some(word) = self.words.get_mut(L::index(handle) as usize) {
            *word = L::Word::from_handle(handle);
        }
    }

    /// Whether these are words of the registry itself, which an iteration without a with-term hands out.
    pub fn has_words(&self, handles: &[Handle]) -> bool {
        self.words.as_ptr_range().contains(&handles.as_ptr().cast())
    }
}
