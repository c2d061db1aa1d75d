//! Removing from a pool, which never needs memory; and closing the gaps that removal left.

use super::{MOVES, Move, Pool, Spot};
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::blocks::Blocks;
use crate::core::storage::sparse::Now;
use core::ptr::NonNull;

impl<L: Layout> Pool<L> {
    /// Takes out the entity at a position: its element is ended. Never needs memory.
    #[inline(always)]
    pub fn remove(&mut self, blocks: &mut Blocks, spot: Spot<L>) {
        blocks.clear(spot.index, spot.row());
        self.remove_taken(spot.index);
    }

    /// Takes out a member whose element is plain; `byte` has its bit in its block.
    #[inline(always)]
    pub fn remove_plain(&mut self, spot: Spot<L>, byte: NonNull<u8>) {
        let Some(position) = spot.position else { return };
        // SAFETY: the byte is the block's, as `Blocks::byte_of` found it for this spot.
        unsafe { *byte.as_ptr() &= !(1 << (spot.row() % 8)) };
        self.detach(spot, position);
    }

    /// Takes out a member whose bit in its block was taken off.
    /// A call of its own: inlined into loops over pools it would spill all that they keep.
    #[inline(never)]
    pub fn remove_taken(&mut self, index: u32) {
        let page = NonNull::from(self.sparse.member_page(index));
        // SAFETY: the page of a member.
        let position = L::index(unsafe { page.as_ref() }.slot(index));
        if self.lifecycle.destruct.is_some() {
            self.lifecycle.end(self.packed.element(position), 1);
        }
        self.detach(Spot { page, index, position: Some(position) }, position);
    }

    /// Takes out the entity at a position, whose element was ended or never made.
    #[inline(always)]
    pub(super) fn detach(&mut self, mut spot: Spot<L>, position: u32) {
        let now = self.change();
        // SAFETY: the page of a member is the pool's own, and nobody else borrows it.
        unsafe { spot.page.as_mut() }.remove(spot.index);
        if self.shape.stable {
            self.packed.set_entity(position, Self::tombstone(self.gap));
            self.gap = position;
            self.gaps += 1;
        } else {
            self.len -= 1;
            if position == self.len {
                self.packed.set_entity(position, Self::tombstone(L::MOST));
            } else {
                self.relocate(self.len, position, &now);
            }
        }
    }

    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn tombstone(link: u32) -> L::Word {
        L::Word::from_handle(L::pack(link, L::TOMBSTONE as u32))
    }

    #[inline(always)]
    pub(super) fn relocate(&mut self, from: u32, to: u32, now: &Now) {
        let (target, source) = (self.packed.place(to), self.packed.place(from));
        // SAFETY: two different positions in use; the element at `to` is ended.
        let moved = unsafe {
            self.lifecycle.relocate(target.element, source.element, self.shape.size as usize);
            let moved = source.entity.read();
            target.entity.write(moved);
            moved.handle()
        };
        let index = L::index(moved);
        let page = self.sparse.member_page(index);
        page.set(L::bare(moved), to);
        let mut note = L::MOST;
        if page.mark_moved(index, now) {
            note = index;
            self.moves[self.moved as usize % MOVES] = Move { change: now.change, from, index };
            self.moved = self.moved.wrapping_add(1);
        }
        // SAFETY: a position that is nobody's from now on; it says who left, for `settle`.
        unsafe { source.entity.write(Self::tombstone(note)) };
    }

    /// Keeps the length, for `undo` to tell whom it put at the end from whom it put in a gap.
    #[inline(always)]
    pub fn keep_len(&mut self) {
        self.kept_len = self.len;
    }

    /// Undoes the insertion of entities whose elements were not made, the last ones since `keep_len`, in
    /// order.
    pub fn undo(&mut self, blocks: &mut Blocks, handles: &[Handle]) {
        for handle in handles.iter().rev() {
            let spot = self.spot(*handle);
            let Some(position) = spot.position else { continue };
            blocks.clear(spot.index, spot.row());
            self.detach(spot, position);
            if self.shape.stable && position >= self.kept_len {
                self.gap = L::index(self.packed.entity(position));
                self.gaps -= 1;
                self.len -= 1;
            }
        }
    }

    /// Undoes the insertion of entities whose elements were made.
    pub fn undo_made(&mut self, blocks: &mut Blocks, handles: &[Handle]) {
        for handle in handles.iter().rev() {
            if let Some(position) = self.position(*handle) {
                self.lifecycle.end(self.packed.element(position), 1);
                self.undo(blocks, &[*handle]);
            }
        }
    }

    /// Takes everybody out. Keeps the memory.
    pub fn clear(&mut self, blocks: &mut Blocks) {
        for position in 0..self.len {
            if self.is_gap(position) {
                continue;
            }
            if self.lifecycle.destruct.is_some() {
                self.lifecycle.end(self.packed.element(position), 1);
            }
        }
        for position in 0..self.len {
            if !self.is_gap(position) {
                let index = L::index(self.packed.entity(position));
                let page = self.sparse.page_mut(index);
                page.remove(index);
                blocks.clear(index, page.row(index));
            }
        }
        for position in 0..self.len {
            self.packed.set_entity(position, Self::tombstone(L::MOST));
        }
        self.len = 0;
        self.gap = L::MOST;
        self.gaps = 0;
        self.changes += 2;
    }

    /// Takes out a member whose bit in its block was taken off, leaving a gap under either policy: for
    /// many at once, which `close_gaps` follows in a swap pool, so that nobody moves who goes too.
    #[inline(never)]
    pub fn leave_gap(&mut self, index: u32) {
        self.changes += 1;
        let page = self.sparse.member_page(index);
        let position = L::index(page.slot(index));
        page.remove(index);
        let place = self.packed.place(position);
        self.lifecycle.end(place.element, 1);
        // SAFETY: a position in use.
        unsafe { place.entity.write(Self::tombstone(self.gap)) };
        self.gap = position;
        self.gaps += 1;
    }

    /// For a backward iteration that began after change `era`, knew of change `known`, and has seen the
    /// positions from `seen` on: who moved from below there since is not seen yet, though marked as moved.
    /// That happens when all that was seen is gone, so that the last element is one that wasn't.
    ///
    /// ```text
    ///   [A B C D | E]   E and A are taken out    [D B C | - -]    position 3 says: D left
    /// ```
    ///
    /// What a position says is lost when somebody is added there, so the last moves are kept too. The
    /// marks are shared: `settler` is the iteration's number, and others are told not to rely on them.
    pub fn settle(&mut self, seen: u32, era: u64, known: u64, settler: u32) {
        for left in self.len..seen.min(self.packed.capacity()) {
            let word = self.packed.entity(left);
            if u64::from(L::generation(word)) == L::TOMBSTONE {
                self.forget_move(L::index(word), era, settler);
            }
        }
        for Move { change, from, index } in self.moves {
            if change > known && from < seen {
                self.forget_move(index, era, settler);
            }
        }
    }

    fn forget_move(&mut self, index: u32, era: u64, settler: u32) {
        if self.sparse.page(index).is_member(index) {
            self.sparse.member_page(index).forget_move(index, era, settler);
        }
    }

    /// Moves elements from the end into the gaps. Never needs memory.
    pub fn close_gaps(&mut self) {
        let end = self.len;
        let now = self.change();
        while self.gaps > 0 {
            // Gaps at the end go first, so that the last element is one.
            while self.len > 0 && self.is_gap(self.len - 1) {
                self.len -= 1;
            }
            if self.len == 0 {
                (0..end).for_each(|position| self.packed.set_entity(position, Self::tombstone(L::MOST)));
                self.gaps = 0;
                break;
            }
            let gap = self.gap;
            self.gap = L::index(self.packed.entity(gap));
            self.gaps -= 1;
            // Behind the end a link would say that somebody left.
            self.packed.set_entity(gap, Self::tombstone(L::MOST));
            if gap < self.len {
                self.len -= 1;
                self.relocate(self.len, gap, &now);
            }
        }
        self.gap = L::MOST;
    }
}
