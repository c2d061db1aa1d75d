//! Entities in an order: a sparse set without elements, for groups that own no pool.

use super::memory::Memory;
use super::packed::Packed;
use super::slice::{check, checked_mut};
use super::sparse::Sparse;
use crate::core::error::Error;
use crate::core::ids::{self, Handle, Layout, Word};
use core::ops::Range;

/// Entities in an order.
pub struct List<L: Layout> {
    sparse: Sparse<L>,
    packed: Packed<L>,
    len: u32,
}

impl<L: Layout> Default for List<L> {
    fn default() -> Self {
        Self { sparse: Sparse::default(), packed: Packed::new(0, 1), len: 0 }
    }
}

impl<L: Layout> List<L> {
    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether there is nobody.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.sparse.bytes() + self.packed.bytes()
    }

    /// Makes sure that an entity can come, as one of `more`, without memory.
    pub fn reserve(&mut self, memory: &mut Memory, entity: Handle, more: u32) -> Result<(), Error> {
        self.sparse.reserve(memory, L::index(entity))?;
        self.packed.reserve(memory, self.len.saturating_add(more))
    }

    /// Where an entity is, if it is there.
    #[inline]
    #[must_use]
    pub fn position(&self, entity: Handle) -> Option<u32> {
        ids::position::<L>(L::bare(entity), self.sparse.page(L::index(entity)).slot(L::index(entity)))
    }

    /// The entity at a position.
    #[inline]
    #[must_use]
    pub fn entity(&self, position: u32) -> Handle {
        check(position < self.len);
        self.packed.entity(position)
    }

    /// The entities' memory from a position on.
    #[must_use]
    pub fn entities_at(&self, position: u32) -> *const u8 {
        self.packed.entity_at(position).cast_const().cast()
    }

    /// The positions around one whose entities lie side by side.
    #[must_use]
    pub const fn page(&self, position: u32) -> Range<u32> {
        self.packed.page(position)
    }

    /// Appends an entity that isn't there, for which room was reserved.
    pub fn push(&mut self, entity: Handle) {
        check(self.len < self.packed.capacity());
        self.packed.set_entity(self.len, L::Word::from_handle(entity));
        self.sparse.page_mut(L::index(entity)).insert(L::bare(entity), self.len);
        self.len += 1;
    }

    /// Takes out the entity at a position; the last one comes in its place. Never needs memory.
    pub fn remove(&mut self, position: u32) {
        let entity = self.entity(position);
        self.sparse.page_mut(L::index(entity)).remove(L::index(entity));
        self.len -= 1;
        if position < self.len {
            self.put(position, self.packed.entity(self.len));
        }
    }

    /// Puts a member at a position.
    pub fn put(&mut self, position: u32, entity: Handle) {
        self.packed.set_entity(position, L::Word::from_handle(entity));
        self.sparse.page_mut(L::index(entity)).set(L::bare(entity), position);
    }

    /// Swaps the entities at two positions.
    pub fn swap(&mut self, a: u32, b: u32) {
        if a != b {
            let (left, right) = (self.entity(a), self.entity(b));
            self.put(a, right);
            self.put(b, left);
        }
    }

    /// Puts entities into an order: `order[i]` is the position of who comes to `first + i`.
    pub fn permute(&mut self, first: u32, order: &mut [u32]) {
        for start in (first..).take(order.len()) {
            let aside = self.entity(start);
            let mut to = start;
            loop {
                let from = core::mem::replace(checked_mut(order, (to - first) as usize), to);
                if from == start || from == to {
                    break;
                }
                self.put(to, self.entity(from));
                to = from;
            }
            if to != start {
                self.put(to, aside);
            }
        }
    }

    /// Takes everybody out. Never needs memory.
    pub fn clear(&mut self) {
        while self.len > 0 {
            self.remove(self.len - 1);
        }
    }

    /// Gives back what isn't used.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.sparse.shrink(memory);
        self.packed.shrink(memory, self.len);
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        self.sparse.free(memory);
        self.packed.shrink(memory, 0);
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Allocator;
    use super::*;
    use crate::core::ids::Narrow;

    #[test]
    fn keeps_an_order_and_finds_everybody() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut list = List::<Narrow>::default();
        for index in 0..100 {
            let entity = Narrow::pack(index * 7, 1);
            list.reserve(&mut memory, entity, 1).unwrap();
            list.push(entity);
        }
        list.swap(0, 99);
        list.remove(50);
        assert_eq!(list.len(), 99);
        assert_eq!(list.position(Narrow::pack(350, 1)), None);
        assert_eq!(list.position(Narrow::pack(0, 1)), Some(50));
        assert_eq!(list.position(Narrow::pack(0, 2)), None);
        for position in 0..list.len() {
            assert_eq!(list.position(list.entity(position)), Some(position));
        }
        list.clear();
        assert_eq!(list.position(Narrow::pack(7, 1)), None);
        list.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }
}
