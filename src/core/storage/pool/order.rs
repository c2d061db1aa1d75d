//! The order of a pool's elements, changed: two swapped, or many put into a given order (`permute`).
//!
//! What is moved by a hook needs a place aside, the *spare*: whoever wants to change the order reserves
//! it first, so that the change itself can't fail.

use super::Pool;
use crate::core::error::Error;
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::lifecycle::swap_few;
use crate::core::storage::memory::Memory;
use crate::core::storage::slice::check;
use core::mem::MaybeUninit;
use core::ptr;

impl<L: Layout> Pool<L> {
    /// Makes sure that there is a place for one element aside. Kept until `free_spare`.
    pub fn reserve_spare(&mut self, memory: &mut Memory) -> Result<(), Error> {
        if self.shape.size > 0 && self.spare.is_none() {
            self.spare = Some(memory.take(self.size(), self.shape.align as usize)?);
        }
        Ok(())
    }

    /// Gives the place aside back.
    pub fn free_spare(&mut self, memory: &mut Memory) {
        if let Some(at) = self.spare.take() {
            // SAFETY: as it was taken; no element is in it between two calls.
            unsafe { memory.give(at, self.size(), self.shape.align as usize) };
        }
    }

    /// Gives the place aside back if no claim needs it.
    pub fn release_spare(&mut self, memory: &mut Memory) {
        if self.claims.is_none() {
            self.free_spare(memory);
        }
    }

    /// Lets a member's slot say that its element is at a position.
    #[inline(always)]
    pub(super) fn point(&mut self, entity: Handle, position: u32) {
        self.sparse.member_page(L::index(entity)).set(L::bare(entity), position);
    }

    /// Swaps the elements at two positions in use, with their entities. The spare is reserved. Words of
    /// the sparse half that held them count as out of order until `settle_order`. Returns who is at `a` then.
    #[inline(never)]
    pub fn swap_positions(&mut self, a: u32, b: u32) -> Handle {
        if a == b {
            return self.packed.entity(a);
        }
        let (first, second) = self.swap_places(a, b);
        self.point(first, a);
        self.point(second, b);
        first
    }

    /// The same for two different positions, whose entities it returns as they lie then; their slots are left to the caller.
    #[inline(always)]
    pub(super) fn swap_places(&mut self, a: u32, b: u32) -> (Handle, Handle) {
        check(a != b && a < self.len && b < self.len);
        debug_assert!(!self.is_gap(a) && !self.is_gap(b));
        self.count_changes(1);
        self.order_changes += 1;
        let size = self.size();
        let (left, right) = (self.packed.place_of(a, size), self.packed.place_of(b, size));
        // SAFETY: two different positions in use, each with an element and an entity.
        unsafe {
            if self.lifecycle.relocate.is_some() || !swap_few(left.element, right.element, size) {
                self.swap_elements(left.element, right.element);
            }
            let (down, up) = (right.entity.read(), left.entity.read());
            left.entity.write(down);
            right.entity.write(up);
            (down.handle(), up.handle())
        }
    }

    /// Swaps two elements that may be large, or have a hook.
    ///
    /// # Safety
    /// They are two elements of the pool.
    #[inline(never)]
    unsafe fn swap_elements(&self, left: *mut u8, right: *mut u8) {
        let size = self.size();
        // SAFETY: the caller's promise; the spare is room for one element and holds none. Elements may have padding: bytes that hold
        // nothing, which only `MaybeUninit` may carry.
        unsafe {
            match (self.lifecycle.relocate, self.spare) {
                (Some(_), Some(spare)) => {
                    self.lifecycle.relocate(spare.as_ptr(), left, size);
                    self.lifecycle.relocate(left, right, size);
                    self.lifecycle.relocate(right, spare.as_ptr(), size);
                }
                (Some(_), None) if size > 0 => unreachable!("a swap without a spare"),
                _ => ptr::swap_nonoverlapping(left.cast::<MaybeUninit<u8>>(), right.cast(), size),
            }
        }
    }

    /// Looks again whether the words of the entities at these positions are in order. Where they are most of the pool, and it has
    /// not many more pages than they need, all words are looked at, one after the other.
    pub fn settle_positions(&mut self, first: u32, count: u32) {
        if count > self.len / 2 && count as usize / 8 >= self.sparse.pages() {
            return self.sparse.settle_orders();
        }
        for position in first..first + count {
            let index = L::index(self.packed.entity(position));
            // One look for each word is enough: that of its lowest member.
            if self.sparse.page(index).is_lowest(index) {
                self.settle_order(index);
            }
        }
    }

    /// Looks again whether the word of an index is in order.
    pub fn settle_order(&mut self, index: u32) {
        self.sparse.member_page(index).settle_order(index);
    }

    /// Whether its order is nobody's business: not one of stable addresses, nor the library's own, a group's or
    /// a kept sort's.
    #[must_use]
    pub fn may_be_arranged(&self) -> bool {
        self.owner().is_none() && self.kept().is_none() && self.may_be_moved()
    }

    /// Whether its elements may move, whosever their order, and there are some.
    fn may_be_moved(&self) -> bool {
        !self.shape.stable && !self.builtin && self.len > 1
    }

    /// Joins the first pages of its packed half, if they aren't yet, elements may move, and at most `most` do: returns
    /// how many did. That changes nobody's order. Running iterations of the pool end.
    pub fn join_pages(&mut self, memory: &mut Memory, most: u32) -> Result<u32, Error> {
        let moves = self.packed.joins_to().map_or(0, |end| self.len.min(end));
        if moves == 0 || moves > most || !self.may_be_moved() {
            return Ok(0);
        }
        let (lifecycle, size) = (&self.lifecycle, self.size());
        self.packed.join(memory, self.len, |to, from, count| {
            // SAFETY: `count` elements, which lie side by side, move to new memory with room for them.
            unsafe { lifecycle.relocate_many(to, from, size, count) }
        })?;
        self.find_tail();
        self.end_iterations_in_order();
        Ok(moves)
    }

    /// The first word from that of `index` on that has members: the index looked for or its first, and its
    /// members.
    #[must_use]
    pub fn next_word(&self, mut index: u32) -> Option<(u32, u64)> {
        loop {
            index = self.sparse.next_real(index)?;
            let members = self.sparse.page(index).members(index);
            if members != 0 {
                return Some((index, members));
            }
            index = (index | 63).checked_add(1)?;
        }
    }

    /// Whether the members of a word are in order, from a position on.
    #[must_use]
    pub fn lies_in_order_from(&self, index: u32, position: u32) -> bool {
        self.sparse.page(index).word(index).1 == Some(position)
    }

    /// The position of a member.
    #[must_use]
    pub fn position_at(&self, index: u32) -> u32 {
        self.sparse.page(index).position(index)
    }

    /// Ends running iterations with `Kind::Changed`: they can't know any longer whom they saw.
    pub fn end_iterations(&mut self) {
        self.count_changes(2);
        self.order_changes += 2;
        self.floor = self.changes();
    }

    /// The same where everybody stays at their positions.
    pub(super) fn end_iterations_in_order(&mut self) {
        let before = self.order_changes;
        self.end_iterations();
        self.hidden_order += self.order_changes - before;
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::super::Shape;
    use super::*;
    use crate::core::ids::Narrow;
    use crate::core::storage::dice::Dice;
    use crate::core::storage::kinds::Kinds;
    use crate::core::storage::lifecycle::{Lifecycle, Source};
    use crate::core::storage::memory::Allocator;

    struct Room {
        memory: Memory,
        kinds: Kinds,
        pool: Pool<Narrow>,
    }

    impl Room {
        fn new(indices: impl Iterator<Item = u32>, lifecycle: Lifecycle) -> Self {
            let mut memory = Memory::new(Allocator::system(), 0);
            let mut kinds = Kinds::default();
            let mut pool = Pool::new(1, 0, Shape { size: 12, align: 4, stable: false });
            pool.set_lifecycle(lifecycle);
            for index in indices {
                let value = [index; 3];
                // SAFETY: 12 bytes that live as long as the call.
                let value = unsafe { Source::new(value.as_ptr().cast(), 12) };
                let entity = Narrow::pack(index, 1);
                let spot = pool.spot(entity);
                pool.add(&mut memory, &mut kinds, entity, &spot, Some(value)).unwrap();
            }
            pool.reserve_spare(&mut memory).unwrap();
            Self { memory, kinds, pool }
        }

        /// The indices in order; each entity is found, and has its own element.
        fn order(&self) -> Vec<u32> {
            let pool = &self.pool;
            let order = (0..pool.len()).map(|position| {
                let entity = pool.entity(position);
                assert_eq!(pool.position(entity), Some(position));
                // SAFETY: an element of three words.
                let value = unsafe { pool.element(position).cast::<[u32; 3]>().read_unaligned() };
                assert_eq!(value, [Narrow::index(entity); 3]);
                Narrow::index(entity)
            });
            order.collect()
        }

        fn word(&self, index: u32) -> (u64, Option<u32>) {
            self.pool.sparse.page(index).word(index)
        }

        fn end(mut self) {
            self.pool.free(&mut self.memory);
            self.kinds.free(&mut self.memory);
            assert_eq!(self.memory.bytes, 0);
        }
    }

    thread_local! {
        /// Elements that the hook has moved.
        static MOVED: core::cell::Cell<u32> = const { core::cell::Cell::new(0) };
    }

    fn hooked() -> Lifecycle {
        let relocate = |_: &Lifecycle, to: *mut u8, from: *mut u8, count: u32| {
            MOVED.set(MOVED.get() + count);
            for number in 0..count as usize {
                // SAFETY: as the hook is called: elements that are moved to where none are.
                unsafe {
                    let (to, from) = (to.add(12 * number), from.add(12 * number));
                    assert_ne!(
                        from.cast::<u32>().read_unaligned(),
                        0xEEEE_EEEE,
                        "an element that isn't there is moved"
                    );
                    to.copy_from_nonoverlapping(from, 12);
                    from.write_bytes(0xEE, 12);
                }
            }
        };
        Lifecycle { relocate: Some(relocate), ..Lifecycle::TRIVIAL }
    }

    #[test]
    fn a_swap_takes_elements_entities_and_slots_along() {
        for lifecycle in [Lifecycle::TRIVIAL, hooked()] {
            let mut room = Room::new(0..100, lifecycle);
            let changes = room.pool.changes();
            room.pool.swap_positions(3, 97);
            room.pool.swap_positions(5, 5);
            assert_eq!(room.pool.changes(), changes + 1);
            let order = room.order();
            assert_eq!((order[3], order[97]), (97, 3));
            assert_eq!((room.word(0).1, room.word(64).1), (None, None));
            room.pool.swap_positions(97, 3);
            room.pool.settle_order(3);
            room.pool.settle_order(97);
            assert_eq!((room.word(0).1, room.word(64).1), (Some(0), Some(64)));
            assert!(room.order().into_iter().eq(0..100));
            room.end();
        }
    }

    #[test]
    fn joined_pages_have_the_order_that_they_had() {
        for lifecycle in [Lifecycle::TRIVIAL, hooked()] {
            let mut room = Room::new((0..100).rev(), lifecycle);
            let (changes, moved, has_hook) = (room.pool.changes(), MOVED.get(), lifecycle.relocate.is_some());
            assert_eq!(room.pool.join_pages(&mut room.memory, 99), Ok(0), "more would move");
            assert_eq!(room.pool.join_pages(&mut room.memory, 100), Ok(100));
            assert_eq!(MOVED.get() - moved, if has_hook { 100 } else { 0 }, "no more than there are");
            assert!(room.pool.floor() > changes, "iterations end");
            assert!(room.order().into_iter().eq((0..100).rev()));
            assert_eq!(room.pool.packed().page(70), 0..256);
            let changes = room.pool.changes();
            assert_eq!(room.pool.join_pages(&mut room.memory, u32::MAX), Ok(0));
            assert_eq!(room.pool.changes(), changes);
            room.end();
        }
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut stable = Pool::<Narrow>::new(1, 0, Shape { size: 4, align: 4, stable: true });
        (0..100).for_each(|index| stable.add_unlisted(&mut memory, Narrow::pack(index, 1)));
        assert_eq!(stable.join_pages(&mut memory, u32::MAX), Ok(0));
        stable.free(&mut memory);
    }

    #[test]
    fn a_permutation_leaves_words_in_order_where_they_are() {
        // Miri is some hundred times slower than the machine.
        const MANY: u32 = if cfg!(miri) { 300 } else { 3000 };
        for lifecycle in [Lifecycle::TRIVIAL, hooked()] {
            let mut room = Room::new((0..MANY).rev(), lifecycle);
            assert_eq!(room.word(64).1, None);
            let mut order: Vec<u32> = (0..MANY).rev().collect();
            room.pool.permute(0, &mut order);
            assert!(order.into_iter().eq(0..MANY));
            assert!(room.order().into_iter().eq(0..MANY));
            for word in 0..MANY / 64 {
                assert_eq!(room.word(word * 64).1, Some(word * 64));
            }
            assert_eq!(room.pool.floor(), room.pool.changes());
            // A part, in cycles of several lengths: the rest stays where it is.
            let mut part = [12, 10, 11, 14, 13, 15];
            room.pool.permute(10, &mut part);
            assert_eq!(room.order()[8..18], [8, 9, 12, 10, 11, 14, 13, 15, 16, 17]);
            assert_eq!((room.word(0).1, room.word(64).1), (None, Some(64)));
            let floor = room.pool.floor();
            room.pool.permute(100, &mut [100, 101]);
            assert_eq!(room.pool.floor(), floor);
            room.end();
        }
    }

    /// The longest cycle has half of all elements or so: several walks share it, where the pool is large and its elements are
    /// small and plain.
    #[test]
    fn any_permutation_puts_everybody_where_it_says() {
        let mut dice = Dice(7);
        let lengths: &[u32] = if cfg!(miri) { &[3, 520] } else { &[2, 3, 40, 500, 600, 2000] };
        for lifecycle in [Lifecycle::TRIVIAL, hooked()] {
            for (many, round) in lengths.iter().flat_map(|many| (0..3).map(|round| (*many, round))) {
                let mut room = Room::new(0..many, lifecycle);
                assert_eq!(room.pool.is_large(), many >= 512);
                // All, or some in the middle; at random, or in cycles of two.
                let first = if round == 1 { many / 3 } else { 0 };
                let mut order: Vec<u32> = (first..many).collect();
                for at in (1..order.len()).rev().filter(|at| round < 2 || at % 3 == 1) {
                    let other = if round < 2 { dice.next(at as u64 + 1) as usize } else { at - 1 };
                    order.swap(at, other);
                }
                let right: Vec<u32> = (0..first).chain(order.iter().copied()).collect();
                room.pool.permute(first, &mut order);
                assert!(order.into_iter().eq(first..many));
                assert_eq!(room.order(), right);
                for word in 0..many / 64 {
                    let (start, at) = (word * 64, right.iter().position(|index| *index == word * 64));
                    let at = at.map_or(0, |at| at as u32);
                    let in_order =
                        (0..64).all(|next| right.get((at + next) as usize) == Some(&(start + next)));
                    assert_eq!(room.word(start).1, in_order.then_some(at));
                }
                room.end();
            }
        }
    }
}
