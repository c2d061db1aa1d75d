//! What many changes of a large pool take, asked for before the first of them: each would wait for memory after the one before, and so
//! they wait together.

use super::Pool;
use crate::core::ids::{Handle, Layout};
use crate::core::storage::prefetch::prefetch;

/// So many changes are asked for at once: as many lines of memory as a processor waits for together, and some.
pub const AT_ONCE: usize = 32;

/// Whether some lie apart, as the first and the last of them tell.
fn lie_apart(handles: &[Handle], place: impl Fn(Handle) -> u32) -> bool {
    let [first, .., last] = handles else { return false };
    place(*first).abs_diff(place(*last)) as usize > 8 * AT_ONCE
}

impl<L: Layout> Pool<L> {
    /// Of so many to whom something is done, how many are taken at once: all, unless what they take is asked for ahead.
    pub(super) fn at_once(&self, many: usize) -> usize {
        if self.is_large() { AT_ONCE } else { many.max(1) }
    }

    /// Asks for what it takes to do something to some who live, if the pool is large, and they lie apart.
    #[inline(never)]
    pub(super) fn ask_ahead(&self, some: &[Handle], ask: fn(&Self, &[Handle])) {
        if self.is_large() && lie_apart(some, |handle| L::index(handle)) {
            ask(self, some);
        }
    }

    /// Whatever stands for an entity will do, a gap's tombstone too: where no page is, there is the shared one.
    #[inline(never)]
    fn ask_for_slot(&self, entity: Handle) {
        prefetch(self.sparse.page(L::index(entity)).slot_at(L::index(entity)));
    }

    #[inline(never)]
    fn ask_for_place(&self, position: u32) {
        let place = self.packed.place(position);
        prefetch(place.element);
        prefetch(place.entity);
    }

    /// Asks for the slots of the next few members of another pool, from a position on, if this one is large.
    #[inline(never)]
    pub fn ask_for_members_of(&self, other: &Self, position: u32) {
        if self.is_large() {
            let end = other.len.min(position + AT_ONCE as u32);
            (position..end).for_each(|position| self.ask_for_slot(other.entity(position)));
        }
    }

    /// Asks for what it takes to swap some members of a word with those who are at the positions from `to` on, where the
    /// pool is large: their elements and the others' slots lie anywhere.
    #[inline(never)]
    pub fn ask_for_swaps(&self, index: u32, who: u64, to: u32) {
        if !self.is_large() {
            return;
        }
        let mut left = who;
        for to in to..self.len {
            if left == 0 {
                break;
            }
            self.ask_for_place(self.position_at((index & !63) + left.trailing_zeros()));
            self.ask_for_slot(self.packed.entity(to));
            left &= left - 1;
        }
    }

    /// Asks for the slots of some who live.
    pub(super) fn ask_for_slots(&self, handles: &[Handle]) {
        handles.iter().for_each(|handle| self.ask_for_slot(*handle));
    }

    /// Asks for what it takes to remove some who live: their slots, where their elements lie apart these too, and the slots of the
    /// last members, who will be in their places.
    pub(super) fn ask_for_leavers(&self, handles: &[Handle]) {
        self.ask_for_slots(handles);
        let position = |handle| self.position_at(L::index(handle));
        if lie_apart(handles, position) {
            let positions = handles.iter().map(|handle| position(*handle));
            positions
                .filter(|position| *position < self.len)
                .for_each(|position| self.ask_for_place(position));
        }
        for last in (0..self.len).rev().take(handles.len()) {
            self.ask_for_slot(self.packed.entity(last));
        }
    }
}
