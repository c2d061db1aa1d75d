//! The short way in and out of a pool, for plain elements.

use super::{Pool, Spot};
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::kinds::{Kinds, Mark};
use crate::core::storage::lifecycle::{SMALL, Source, copy_small};
use crate::core::storage::memory::Memory;
use crate::core::storage::page::Page;
use crate::core::storage::prefetch::{prefetch_after, prefetch_before};
use core::ptr::NonNull;
use core::sync::atomic::Ordering::Relaxed;

/// The memory of pools with so many elements is asked for ahead (`prefetch`). In unit tests of fewer, so that some have so many.
const FAR: u32 = if cfg!(test) { 1 << 9 } else { 1 << 16 };
/// It is asked for when so many have come.
const TURN: u32 = 32;
/// And when so many have left: the way out is left for it, which takes longer.
const TURN_BACK: u32 = 64;

/// Room at the end of a pool, for one who is no member. Good until anything changes.
pub struct End<L: Layout> {
    page: NonNull<Page<L>>,
    mark: Mark,
    position: u32,
}

/// How a member gets out quickly: the page of its index, its position, and the last one. Good until anything changes.
pub(super) struct WayOut<L: Layout> {
    page: NonNull<Page<L>>,
    position: u32,
    last: u32,
}

impl<L: Layout> Pool<L> {
    /// Where to look an entity up, if it is quickly found. None says nothing about whether it is a member: its page
    /// may lie far off.
    #[inline(always)]
    #[must_use]
    pub fn page_of(&self, handle: Handle) -> Option<NonNull<Page<L>>> {
        self.sparse.near_page(L::index(handle))
    }

    /// Puts a small plain value in the place of a member's, whose page that is, if its element is found at once.
    #[inline(always)]
    pub fn put_quickly(&mut self, handle: Handle, page: NonNull<Page<L>>, value: Source) -> Option<()> {
        // SAFETY: pages are always initialised, and nothing writes meanwhile.
        let position = unsafe { page.as_ref() }.member(L::index(handle))?;
        let element = self.packed.element_at_once(position)?;
        // SAFETY: a member's element; the value is as `Source` promises, and of that size.
        unsafe { copy_small(element.as_ptr(), value.at(), self.size()) };
        Some(())
    }

    /// Room for an entity at the end, if it takes no memory, no gap, no note in a block, and no new marks
    /// for an iteration.
    #[inline(always)]
    pub fn room_at_end(&mut self, page: NonNull<Page<L>>, mark: Mark) -> Option<End<L>> {
        self.room_up_to(self.limit, page, mark)
    }

    #[inline(always)]
    fn room_up_to(&mut self, limit: u32, page: NonNull<Page<L>>, mark: Mark) -> Option<End<L>> {
        // SAFETY: as above.
        let ready = unsafe { page.as_ref() }.is_ready(*self.latest_start.get_mut());
        let position = self.len;
        (position < limit && ready).then_some(End { page, mark, position })
    }

    /// The same where somebody may be to be told.
    #[inline(always)]
    pub fn room_at_watched_end(&mut self, page: NonNull<Page<L>>, mark: Mark) -> Option<End<L>> {
        self.room_up_to(self.room_to, page, mark)
    }

    /// Adds an entity there, with a copy of a plain value.
    #[inline(always)]
    pub fn append_quickly(&mut self, handle: Handle, end: End<L>, value: Source) {
        let End { mut page, mark, position } = end;
        mark.set();
        // A change, too.
        self.len = position + 1;
        // The value's is the same, but keeping it would take a register that the caller had to save.
        let size = self.size();
        let place = self.tail.place(position, size);
        // SAFETY: a position below the limit has memory, and is nobody's yet; the value is as `Source` promises, and
        // of the size of the elements, which are small where there is a limit; a page that is ready is this pool's
        // own, and nobody else borrows it.
        unsafe {
            place.entity.write(L::Word::from_handle(handle));
            copy_small(place.element, value.at(), size);
            // Last: what it takes need not be kept meanwhile.
            page.as_mut().insert_ready(L::bare(handle), position, self.is_iterated());
        }
    }

    /// Takes back the one who was appended last: nothing can tell afterwards, neither an iteration under way nor a kept query. (A
    /// backward one could, by the word that stood there: who may be taken back is put there only while none ever began.)
    #[cold]
    #[inline(never)]
    pub fn take_back(&mut self, index: u32) {
        self.sparse.member_page(index).take_back(index);
        // No change: the one that it was, the length alone said.
        self.len -= 1;
        // SAFETY: the place of a position that is nobody's from now on.
        unsafe { self.tail.entity(self.len).write(Self::tombstone(L::NO_INDEX)) };
    }

    /// Whether an iteration ever began. Read anew, by a load that isn't merged with others: registers are scarce.
    #[inline(always)]
    pub(super) fn is_iterated(&self) -> bool {
        self.latest_start.load(Relaxed) != 0
    }

    /// Whether its elements are small enough for `copy_small`.
    #[inline]
    pub(super) const fn is_small(&self) -> bool {
        self.shape.size <= SMALL
    }

    /// Finds the page where the elements end, after the length, the gaps, the bit or the memory
    /// changed in any way that doesn't keep it.
    pub(super) fn find_tail(&mut self) {
        self.tail = self.packed.tail(self.len);
        self.set_room(if self.gaps == 0 && self.bit.is_own() && self.is_small() {
            self.turn_end()
        } else {
            0
        });
        self.find_way_out();
    }

    /// Finds down to which position the last ones can go, or move, with nothing else to look at.
    fn find_way_out(&mut self) {
        let simple = self.lifecycle.is_bytes() && self.is_small() && !self.builtin && !self.shape.stable;
        (self.swap_from, self.veiled_from) = match (simple && self.gaps == 0, self.hidden > 0) {
            (true, false) => (self.turn_start(), u32::MAX),
            (true, true) => (u32::MAX, self.tail.start),
            _ => (u32::MAX, u32::MAX),
        };
        let quick = self.bit.is_own() && self.is_untold_of_remove();
        self.quick_from = if quick { self.swap_from } else { u32::MAX };
    }

    /// Whether nobody is to be told of who leaves: neither a group nor a listener.
    fn is_untold_of_remove(&self) -> bool {
        !self.is_watched() && self.is_unheard(EventKind::Remove)
    }

    /// Positions below are free.
    pub(super) const fn set_room(&mut self, to: u32) {
        self.room_to = to;
        self.limit = if self.is_quiet { to } else { 0 };
    }

    /// Where room at the end ends, if there is some: with the page, or with the turn of who comes next.
    #[inline]
    pub(super) const fn turn_end(&self) -> u32 {
        let turn = if self.is_large() { self.len | (TURN - 1) } else { u32::MAX };
        if turn < self.tail.end { turn + 1 } else { self.tail.end }
    }

    /// Where those at the end begin who go in this turn, or with the page.
    #[inline]
    const fn turn_start(&self) -> u32 {
        let turn = if self.is_large() { (self.len - 1) & !(TURN_BACK - 1) } else { 0 };
        if turn > self.tail.start { turn } else { self.tail.start }
    }

    /// Whether its memory is asked for ahead.
    #[inline(always)]
    #[must_use]
    pub const fn is_large(&self) -> bool {
        self.len >= FAR
    }

    /// Begins the next turn, if there is room at the end but for that: says whether that is so.
    #[inline(never)]
    pub fn take_turn(&mut self) -> bool {
        if self.room_to == 0 || self.len < self.room_to || self.len == self.tail.end {
            return false;
        }
        self.set_room(self.turn_end());
        // Who leaves begins here, too.
        self.find_way_out();
        let size = self.size();
        let place = self.tail.place(self.len, size);
        prefetch_after(place.element, TURN as usize * size);
        prefetch_after(place.entity, TURN as usize * size_of::<L::Word>());
        true
    }

    /// The same for one who is no member, with a second look: it may fill a gap, write to a block, go to the next
    /// page, ask for memory. None, and nothing can be told to have happened, if there is none. Nobody is told.
    #[inline(never)]
    pub fn add_quickly(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        handle: Handle,
        spot: &Spot<L>,
        value: Source,
    ) -> Option<()> {
        self.take_turn();
        let position = self.put_in(memory, kinds, handle, spot).ok()?;
        self.put_at(position, value);
        Some(())
    }

    /// What `add_many` is to copy, if it may be used: of these values the first, else zeros; and how far it is from one to the
    /// next, in values.
    pub fn many_values(&self, values: Option<Source>) -> Option<(Source, usize)> {
        // A tag has no values to set.
        let plain =
            values.map_or_else(|| self.zeros(), |values| Some(values).filter(|one| self.takes_small(*one)));
        let takes = self.is_unheard(EventKind::Add) && self.bit.is_own() && self.gaps == 0;
        Some((plain.filter(|_| takes)?, values.is_some().into()))
    }

    /// Takes out a member that has a bit in its signature and a quick way out; `stamp` is the world's, `gone` is called when
    /// that is sure. False, and nothing has happened, if it is none, or has none.
    #[inline(always)]
    pub fn remove_quickly(&mut self, kinds: &Kinds, handle: Handle, stamp: u64, gone: impl FnOnce()) -> bool {
        let Some(way_out) = self.way_out_of(handle, stamp, self.quick_from) else { return false };
        let index = L::index(handle);
        gone();
        kinds.of_living(index).mark(&self.bit).clear();
        self.leave(index, way_out);
        true
    }

    /// The quick way out of a member with that index, if there is one: where the last element isn't below `from`.
    #[inline(always)]
    pub(super) fn way_out(&self, index: u32, from: u32) -> Option<WayOut<L>> {
        let page = self.sparse.near_page(index)?;
        // SAFETY: pages are always initialised, and nothing writes meanwhile.
        let (position, last) = (unsafe { page.as_ref() }.position(index), self.len.wrapping_sub(1));
        // A position behind the last is nobody's.
        if self.len <= from || position > last {
            return None;
        }
        Some(WayOut { page, position, last })
    }

    /// The same of a handle that nobody made sure of, in the world of that stamp: its slot, which isn't vacant,
    /// proves that it lives.
    #[inline(always)]
    fn way_out_of(&self, handle: Handle, stamp: u64, from: u32) -> Option<WayOut<L>> {
        let index = L::index(handle);
        let way_out = self.way_out(index, from)?;
        // SAFETY: as above.
        unsafe { way_out.page.as_ref() }.is_of(index, handle ^ stamp).then_some(way_out)
    }

    /// The position of such a member, if there is a quick way out, but for whom to tell.
    #[inline(always)]
    pub fn leaver(&self, handle: Handle, stamp: u64) -> Option<u32> {
        self.way_out_of(handle, stamp, self.swap_from).map(|way_out| way_out.position)
    }

    /// Takes out such a member, which is at a position now.
    #[inline(always)]
    pub fn leave_from(&mut self, index: u32, position: u32) {
        if let Some(page) = self.sparse.near_page(index) {
            self.leave(index, WayOut { page, position, last: self.len.wrapping_sub(1) });
        }
    }

    /// Takes out a member by its way out.
    #[inline(always)]
    pub(super) fn leave(&mut self, index: u32, way_out: WayOut<L>) {
        let WayOut { page, position, last } = way_out;
        // First: so neither its page nor its index need be kept while another takes its place.
        self.lose(page, index, last);
        if position == last {
            // SAFETY: the place of a position that is nobody's from now on.
            return unsafe { self.tail.entity(last).write(Self::tombstone(L::NO_INDEX)) };
        }
        // SAFETY: a position in use.
        let moved = unsafe { self.tail.entity(last).read() };
        let Some(mut page) = self.page_of(moved.handle()) else { return self.fill_far(position, last) };
        // SAFETY: the page of a member is the pool's own, and nobody else borrows it.
        unsafe { page.as_mut() }.set(L::bare(moved.handle()), position);
        // One after the other, and not before: registers are scarce.
        let size = self.size();
        // SAFETY: two different positions in use, of small elements that are just bytes.
        unsafe {
            self.packed.entity_at(position).write(moved);
            let element = self.packed.place_of(position, size).element;
            copy_small(element, self.tail.place(last, size).element, size);
        }
        // Last, so that nothing need be kept over the call.
        if self.is_iterated() {
            self.note_mover(last);
        }
    }

    /// Moves the last element, of somebody whose page isn't near, to a position.
    #[inline(never)]
    fn fill_far(&mut self, position: u32, last: u32) {
        let now = self.now();
        self.relocate(self.tail.place(last, self.size()), last, position, &now);
    }

    /// Remembers for iterations who moved from a position.
    #[inline(never)]
    fn note_mover(&mut self, from: u32) {
        let left = self.tail.entity(from);
        // SAFETY: it was in use, and nothing came there since.
        unsafe {
            let moved = left.read().handle();
            self.note_move(L::index(moved), from, left);
        }
    }

    /// Whether the next turn is all that the last ones wait for.
    #[inline(always)]
    const fn is_turn_over(&self) -> bool {
        self.swap_from != u32::MAX && self.len <= self.swap_from && self.len > self.tail.start
    }

    /// As `take_turn_back`, for somebody who nobody made sure is a member.
    #[inline(always)]
    pub fn take_turn_back_for(&mut self, handle: Handle) -> bool {
        if !self.is_turn_over() {
            return false;
        }
        let position = self.sparse.page(L::index(handle)).member(L::index(handle));
        position.is_some_and(|position| position < self.len && self.take_turn_back(position))
    }

    /// Begins the next turn of those who leave, if it is all that the last ones wait for: says whether that is so. The next one
    /// to leave is at a position.
    #[inline(never)]
    pub(super) fn take_turn_back(&mut self, position: u32) -> bool {
        if !self.is_turn_over() {
            return false;
        }
        self.find_way_out();
        let size = self.size();
        let (source, target) = (self.tail.place(self.len - 1, size), self.packed.place(position));
        let (elements, entities) = (TURN_BACK as usize * size, TURN_BACK as usize * size_of::<L::Word>());
        // The end goes down whoever leaves; those who leave in order go up.
        prefetch_before(source.element, elements);
        prefetch_before(source.entity, entities);
        prefetch_after(target.element, elements);
        prefetch_after(target.entity, entities);
        true
    }

    /// The end of a membership, when `last` are left.
    #[inline(always)]
    fn lose(&mut self, mut page: NonNull<Page<L>>, index: u32, last: u32) {
        self.len = last;
        // One that `len` says is undone, and one more.
        self.count_changes(2);
        // SAFETY: the page of a member is the pool's own, and nobody else borrows it.
        unsafe { page.as_mut() }.remove(index);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::*;
    use crate::core::ids::{Narrow, Wide};
    use crate::core::storage::memory::Allocator;

    /// Many come and leave in some order: whoever leaves has a quick way out, but for the ends of pages and of turns, and these
    /// begin again. None of it changes who is there.
    fn all_leave_quickly<L: Layout>(step: u32) {
        const MANY: u32 = 2 * FAR + 300;
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut kinds = Kinds::default();
        let mut pool = Pool::<L>::new(1, 1, Shape { size: 8, align: 8, stable: false });
        kinds.cover(&mut memory, MANY.next_multiple_of(64)).unwrap();
        pool.settle_bit(&mut memory, &mut kinds, MANY);
        let zeros = pool.zeros().unwrap();
        for round in 0..2 {
            for index in 0..MANY {
                let entity = L::pack(index, 1);
                let mark = kinds.of_living(index).mark(pool.bit());
                pool.take_turn();
                match pool.page_of(entity).and_then(|page| pool.room_at_end(page, mark)) {
                    Some(room) => pool.append_quickly(entity, room, zeros),
                    None => {
                        pool.add(&mut memory, &mut kinds, entity, &pool.spot(entity), Some(zeros)).unwrap()
                    }
                }
            }
            let (mut turns, mut slow) = (0, 0);
            for left in (0..MANY).rev() {
                let entity = L::pack((MANY - 1 - left) * step % MANY, 1);
                let over = pool.take_turn_back_for(entity);
                turns += u32::from(over);
                assert!(!over || pool.len() > pool.swap_from && !pool.take_turn_back_for(entity));
                let mut gone = 0;
                if !pool.remove_quickly(&kinds, entity, 0, || gone += 1) {
                    assert!(gone == 0 && pool.len() == pool.tail.start, "{left}");
                    slow += 1;
                    let spot = pool.spot(entity);
                    pool.remove(&mut kinds, spot);
                }
                assert_eq!((pool.len(), pool.position(entity)), (left, None));
                assert!(!pool.remove_quickly(&kinds, entity, 0, || unreachable!("it has left")));
            }
            assert!(turns >= (FAR + 300) / TURN_BACK && slow < 8, "{round}: {turns} turns, {slow} slow");
        }
        pool.free(&mut memory);
        kinds.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }

    /// The last one moves to the place of who leaves quickly, though its page lies far off.
    fn one_far_off_moves<L: Layout>(iterated: bool) {
        const FAR_OFF: u32 = 20_000;
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut kinds = Kinds::default();
        let mut pool = Pool::<L>::new(1, 1, Shape { size: 8, align: 8, stable: false });
        kinds.cover(&mut memory, FAR_OFF + 64).unwrap();
        pool.settle_bit(&mut memory, &mut kinds, 0);
        let entities = [5, 6, FAR_OFF].map(|index| L::pack(index, 1));
        for entity in &entities {
            // SAFETY: a value of that size.
            let value = unsafe { Source::new(core::ptr::from_ref(entity).cast(), 8) };
            pool.add(&mut memory, &mut kinds, *entity, &pool.spot(*entity), Some(value)).unwrap();
        }
        let [near, other, far_off] = entities;
        assert!(pool.page_of(near).is_some() && pool.page_of(far_off).is_none());
        if iterated {
            pool.start();
        }
        assert!(pool.remove_quickly(&kinds, near, 0, || ()));
        let positions = entities.map(|entity| pool.position(entity));
        assert_eq!((pool.len(), positions), (2, [None, Some(1), Some(0)]));
        // SAFETY: elements are eight bytes.
        let values = [0, 1].map(|at| unsafe { pool.element(at).cast::<u64>().read() });
        assert_eq!(values, [far_off, other]);
        pool.free(&mut memory);
        kinds.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }

    #[test]
    fn whoever_is_far_off_fills_the_place_of_who_leaves() {
        for iterated in [false, true] {
            one_far_off_moves::<Wide>(iterated);
            one_far_off_moves::<Narrow>(iterated);
        }
    }

    #[test]
    fn whoever_leaves_has_a_quick_way_out() {
        if cfg!(miri) {
            return all_leave_quickly::<Wide>(37);
        }
        for step in [1, 37, 2 * FAR + 299] {
            all_leave_quickly::<Wide>(step);
            all_leave_quickly::<Narrow>(step);
        }
    }
}
