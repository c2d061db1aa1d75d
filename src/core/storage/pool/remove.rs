//! Removing from a pool, which never needs memory; and closing the gaps that removal left.
//!
//! ```text
//!                  bit in the signature   value                slot       position
//!   remove         taken                  ended                emptied    filled by the last, or a gap in stable pools
//!   remove_taken   was taken              ended                emptied    the same
//!   detach         was taken              ended or not made    emptied    the same
//!   leave_gaps_of  is taken elsewhere     ends by itself       emptied    a gap, until close_gaps
//! ```

use super::{MOVES, Move, Pool, Spot};
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::kinds::Kinds;
use crate::core::storage::packed::Place;
use crate::core::storage::page::Now;
use core::ptr::NonNull;

/// Gaps are looked for where there are more than one among so many positions, and the first two of their list lie further apart.
const LOOK: u32 = 32;

impl<L: Layout> Pool<L> {
    /// Takes out the entity at a position: its element is ended. Never needs memory.
    #[inline(always)]
    pub fn remove(&mut self, kinds: &mut Kinds, spot: Spot<L>) {
        self.forget(kinds, &spot);
        self.remove_taken(spot.index);
    }

    /// Takes out those of many who live that are members.
    pub fn remove_many(&mut self, kinds: &mut Kinds, handles: &[Handle]) {
        for some in handles.chunks(self.at_once(handles.len())) {
            self.ask_ahead(some, Self::ask_for_leavers);
            for handle in some {
                let index = L::index(*handle);
                if self.bit.is_own() {
                    // Asked and taken off by one look.
                    let Some(mark) = kinds.mark(index, &self.bit).filter(|mark| mark.is_set()) else {
                        continue;
                    };
                    mark.clear();
                } else {
                    let spot = self.spot_of_living(*handle);
                    if spot.position.is_none() {
                        continue;
                    }
                    self.forget(kinds, &spot);
                }
                self.remove_taken(index);
            }
        }
    }

    /// Takes the bit of a member off.
    #[inline(never)]
    pub(super) fn forget(&self, kinds: &mut Kinds, spot: &Spot<L>) {
        if !self.bit.is_own() {
            kinds.blocks.clear(spot.index, spot.row());
        } else if let Some(mark) = kinds.mark(spot.index, &self.bit) {
            mark.clear();
        }
    }

    /// Takes out a member whose bit was taken off.
    #[inline(always)]
    pub fn remove_taken(&mut self, index: u32) {
        self.remove_by(index, self.swap_from);
    }

    /// The same where the last one can go, or move, down to a position.
    /// A call of its own: inlined into loops over pools it would spill all that they keep.
    #[inline(never)]
    fn remove_by(&mut self, index: u32, from: u32) {
        match self.way_out(index, from) {
            Some(way_out) => self.leave(index, way_out),
            None => self.remove_slowly(index, from),
        }
    }

    /// The same of one that has no quick way out: for want of one where somebody is hidden, of a turn, or of any.
    #[inline(never)]
    fn remove_slowly(&mut self, index: u32, from: u32) {
        let page = self.sparse.page(index);
        let Some(position) = page.member(index) else { return };
        if from != self.veiled_from && self.veiled_from != u32::MAX && page.is_member(index) {
            self.remove_by(index, self.veiled_from);
        } else if self.take_turn_back(position) {
            self.remove_taken(index);
        } else {
            self.remove_from(index, position);
        }
    }

    /// The same of one whose slot need not say where it is.
    #[inline(never)]
    fn remove_from(&mut self, index: u32, position: u32) {
        let page = NonNull::from(self.sparse.member_page(index));
        if self.lifecycle.destruct.is_some() {
            self.lifecycle.end(self.packed.element(position), 1);
        }
        self.detach(Spot { page, index, position: Some(position) }, position);
    }

    /// Takes out the entity at a position, whose element was ended or never made.
    #[inline(always)]
    pub(super) fn detach(&mut self, mut spot: Spot<L>, position: u32) {
        let now = self.change();
        if self.hides_some() {
            self.unveil(spot.index);
        }
        // SAFETY: the page of a member is the pool's own, and nobody else borrows it.
        unsafe { spot.page.as_mut() }.remove(spot.index);
        if self.shape.stable {
            return self.leave_behind(position);
        }
        let last = self.len - 1;
        self.set_len(last);
        if last < self.tail.start {
            self.find_tail();
        }
        if position != last {
            self.relocate(self.tail.place(last, self.size()), last, position, &now);
        } else if now.is_iterated() {
            self.packed.set_entity(position, Self::tombstone(L::NO_INDEX));
        }
    }

    /// Makes a position a gap.
    #[inline(never)] // Where elements are stable only.
    fn leave_behind(&mut self, position: u32) {
        self.packed.set_entity(position, Self::tombstone(self.gap));
        self.gap = position;
        self.gaps += 1;
        self.set_room(0);
        (self.swap_from, self.veiled_from, self.quick_from) = (u32::MAX, u32::MAX, u32::MAX);
    }

    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn tombstone(link: u32) -> L::Word {
        L::Word::from_handle(L::pack(link, L::TOMBSTONE as u32))
    }

    /// Moves the element at position `from`, whose place is known, to another.
    #[inline(always)]
    pub(super) fn relocate(&mut self, source: Place<L::Word>, from: u32, to: u32, now: &Now) {
        let target = self.packed.place(to);
        // SAFETY: two different positions in use; the element at `to` is ended.
        let moved = unsafe {
            self.lifecycle.relocate(target.element, source.element, self.size());
            let moved = source.entity.read();
            target.entity.write(moved);
            moved.handle()
        };
        let page = self.sparse.member_page(L::index(moved));
        page.set(L::bare(moved), to);
        if now.is_iterated() {
            // SAFETY: the place that `moved` was read from.
            unsafe { self.note_move(L::index(moved), from, source.entity) };
        }
    }

    /// Remembers for iterations that the last change moved the member with that index from position `from`, and lets the place
    /// of its entity there, which is behind the end, say who left it.
    ///
    /// # Safety
    /// `left` is that place, and has memory.
    #[inline(never)]
    pub(super) unsafe fn note_move(&mut self, index: u32, from: u32, left: *mut L::Word) {
        let now = self.now();
        let page = self.sparse.member_page(index);
        if !page.is_ready(now.latest_start) {
            // Last, so that nothing need be kept over the call.
            // SAFETY: the caller's promise, here and below.
            return unsafe { self.note_first_move(index, from, left) };
        }
        let mut note = L::NO_INDEX;
        if page.mark_moved(index, &now) {
            note = index;
            self.moves[self.moved as usize % MOVES] = Move { change: now.change, from, index };
            self.moved = self.moved.wrapping_add(1);
        }
        // SAFETY: as above.
        unsafe { left.write(Self::tombstone(note)) };
    }

    /// The same for the first one of a page since an iteration began.
    ///
    /// # Safety
    /// As `note_move`.
    #[cold]
    #[inline(never)]
    unsafe fn note_first_move(&mut self, index: u32, from: u32, left: *mut L::Word) {
        let now = self.now();
        self.sparse.member_page(index).begin(&now);
        // SAFETY: the caller's promise.
        unsafe { self.note_move(index, from, left) };
    }

    /// Keeps the length there was before so many came at the end, for `undo` to tell whom it put there from whom it put in
    /// a gap.
    #[inline(always)]
    pub fn keep_len(&mut self, come: u32) {
        self.kept_len = self.len.saturating_sub(come);
    }

    /// Undoes the insertion of entities whose elements were not made, the last ones since `keep_len`, in
    /// order.
    pub fn undo(&mut self, kinds: &mut Kinds, handles: &[Handle]) {
        for handle in handles.iter().rev() {
            let spot = self.spot(*handle);
            let Some(position) = spot.position else { continue };
            let index = spot.index;
            self.forget(kinds, &spot);
            self.detach(spot, position);
            if self.shape.stable && position >= self.kept_len {
                self.gap = L::index(self.packed.entity(position));
                self.gaps -= 1;
                self.set_len(self.len - 1);
            }
            self.find_tail();
            // Those who stay in its word are in order again, if they were before.
            self.sparse.member_page(index).settle_order(index);
        }
    }

    /// Undoes the insertion of all plain elements that came at the end of `before`.
    #[cold]
    #[inline(never)]
    pub fn undo_from(&mut self, kinds: &mut Kinds, before: u32) {
        while self.len > before {
            let last = self.entity(self.len - 1);
            self.undo(kinds, &[last]);
        }
    }

    /// Undoes the insertion of entities whose elements were made.
    pub fn undo_made(&mut self, kinds: &mut Kinds, handles: &[Handle]) {
        for handle in handles.iter().rev() {
            if let Some(position) = self.position(*handle) {
                self.lifecycle.end(self.packed.element(position), 1);
                self.undo(kinds, &[*handle]);
            }
        }
    }

    /// Takes everybody out. Keeps the memory.
    pub fn clear(&mut self, kinds: &mut Kinds) {
        let additions = self.additions();
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
                let spot = self.spot_of_living(self.packed.entity(position));
                self.sparse.member_page(spot.index).remove(spot.index);
                self.forget(kinds, &spot);
            }
        }
        self.packed.fill(0..self.len, Self::tombstone(L::NO_INDEX));
        self.set_len(0);
        self.hidden = 0;
        self.disabled.clear();
        self.gap = L::NO_INDEX;
        self.gaps = 0;
        self.find_tail();
        self.count_changes(2);
        self.correct(additions);
    }

    /// Takes out members whose bits were or will be taken off, leaving gaps under either policy, which `close_gaps` follows in a
    /// swap pool, so that nobody moves who goes too. Their values end by themselves, and nobody of them is disabled; the last one
    /// goes first.
    #[inline(always)]
    pub fn leave_gaps_of(&mut self, handles: &[Handle]) {
        let (mut gap, mut gaps, mut len) = (self.gap, self.gaps, self.len);
        for some in handles.rchunks(self.at_once(handles.len())) {
            self.ask_ahead(some, Self::ask_for_slots);
            for handle in some.iter().rev() {
                let index = L::index(*handle);
                let page = self.sparse.member_page(index);
                let position = L::index(page.slot(index));
                page.remove(index);
                if position + 1 == len && !self.shape.stable {
                    self.packed.set_entity(position, Self::tombstone(L::NO_INDEX));
                    len = position;
                    continue;
                }
                self.packed.set_entity(position, Self::tombstone(gap));
                gap = position;
                gaps += 1;
            }
        }
        self.set_len(len);
        self.count_changes(handles.len() as u64);
        (self.gap, self.gaps) = (gap, gaps);
        if gaps == 0 {
            return self.find_tail();
        }
        self.set_room(0);
        (self.swap_from, self.veiled_from, self.quick_from) = (u32::MAX, u32::MAX, u32::MAX);
    }

    /// Whether nothing is to be done when a value ends, and nobody is disabled.
    #[inline(always)]
    pub fn ends_plainly(&self) -> bool {
        !self.hides_some() && self.lifecycle.destruct.is_none()
    }

    /// For a backward iteration that began after change `era`, settled after change `settled`, and has seen the
    /// positions from `seen` on: who moved from below there since is not seen yet, though marked as moved.
    /// That happens when all that was seen is gone, so that the last element is one that wasn't. Of moves before
    /// `settled` it has heard: who made one may have been seen, and moved again, since.
    ///
    /// ```text
    ///   [A B C D | E]   E and A are taken out    [D B C | - -]    position 3 says: D left
    /// ```
    ///
    /// What a position says is lost when somebody is added there, so the last moves are kept too. The
    /// marks are shared: `settler` is the iteration's number, and others are told not to rely on them.
    pub fn settle(&mut self, seen: u32, era: u64, settled: u64, settler: u32) {
        for left in self.len..seen.min(self.packed.capacity()) {
            let word = self.packed.entity(left);
            if Self::is_tombstone(word) {
                self.forget_move(L::index(word), era, settler);
            }
        }
        for Move { change, from, index } in self.moves {
            if change > settled && from < seen {
                self.forget_move(index, era, settler);
            }
        }
    }

    fn forget_move(&mut self, index: u32, era: u64, settler: u32) {
        if self.sparse.page(index).member(index).is_some() {
            self.sparse.member_page(index).forget_move(index, era, settler);
        }
    }

    /// Makes the last element one that isn't a gap, if there is any.
    #[allow(clippy::cast_possible_truncation)]
    fn drop_last_gaps(&mut self) {
        while self.len > 0 {
            let page = self.packed.page_start(self.len - 1);
            let words = self.packed.entities(page..self.len);
            let gaps = words.iter().rev().take_while(|word| Self::is_tombstone(word.handle())).count();
            let all = gaps == words.len();
            self.set_len(self.len - gaps as u32);
            if !all {
                return;
            }
        }
    }

    /// Moves elements from the end into the gaps. Never needs memory.
    pub fn close_gaps(&mut self) {
        if self.gaps == 0 {
            return;
        }
        let (end, additions) = (self.len, self.additions());
        let now = self.change();
        if self.gaps == self.len {
            // Nobody is left: no look for the last one.
            self.set_len(0);
        }
        // Where their list goes anywhere in memory and they are many, a look at everybody finds them sooner.
        let far = self.is_large() && self.gap.abs_diff(L::index(self.packed.entity(self.gap))) > LOOK;
        let looks = far && self.gaps > self.len / LOOK && !now.is_iterated();
        let mut next = 0;
        while self.gaps > 0 {
            if self.len > 0 && self.is_gap(self.len - 1) {
                self.drop_last_gaps();
            }
            if self.len == 0 {
                if now.is_iterated() {
                    self.packed.fill(0..end, Self::tombstone(L::NO_INDEX));
                }
                self.gaps = 0;
                break;
            }
            let Some(gap) = (if looks { self.next_gap(next) } else { Some(self.gap) }) else {
                // All that are left were behind the end.
                self.gaps = 0;
                break;
            };
            next = gap + 1;
            self.gap = L::index(self.packed.entity(gap));
            self.gaps -= 1;
            // Behind the end a link would say that somebody left.
            self.packed.set_entity(gap, Self::tombstone(L::NO_INDEX));
            if gap < self.len {
                self.set_len(self.len - 1);
                self.relocate(self.packed.place(self.len), self.len, gap, &now);
            }
        }
        self.gap = L::NO_INDEX;
        self.find_tail();
        self.correct(additions);
    }

    /// The first gap from a position on.
    fn next_gap(&self, mut from: u32) -> Option<u32> {
        while from < self.len {
            let end = self.packed.page_end(from).min(self.len);
            let words = self.packed.entities(from..end);
            if let Some(gap) = words.iter().position(|word| Self::is_tombstone(word.handle())) {
                return Some(from + gap as u32);
            }
            from = end;
        }
        None
    }
}
