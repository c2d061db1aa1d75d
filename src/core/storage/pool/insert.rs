//! Adding to a pool: first room, which may need memory, then the insertion, which can't fail.

use super::{Inserted, Pool, Room, Spot};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::blocks::Blocks;
use crate::core::storage::memory::Memory;
use crate::core::storage::packed::Packed;
use crate::core::storage::sparse::{Now, PAGE, Sparse};
use core::ptr::NonNull;

impl<L: Layout> Pool<L> {
    /// Room for an entity that is no member, if it needs no memory.
    #[inline(always)]
    #[must_use]
    pub fn room(&self, blocks: &mut Blocks, spot: &Spot<L>) -> Option<Room<L>> {
        let place = self.len < self.packed.capacity() || self.gaps > 0;
        if !place || !Sparse::is_own(spot.page) {
            return None;
        }
        let byte = blocks.byte_of(spot.index, self.number, spot.row())?;
        Some(Room { page: spot.page, byte, index: spot.index })
    }

    /// Room for an entity that is no member.
    #[inline(always)]
    pub fn reserve(
        &mut self,
        memory: &mut Memory,
        blocks: &mut Blocks,
        spot: &Spot<L>,
    ) -> Result<Room<L>, Error> {
        match self.room(blocks, spot) {
            Some(room) => Ok(room),
            None => self.make_room(memory, blocks, spot.index),
        }
    }

    #[cold]
    fn make_room(&mut self, memory: &mut Memory, blocks: &mut Blocks, index: u32) -> Result<Room<L>, Error> {
        self.reserve_slot(memory, blocks, index)?;
        self.reserve_positions(memory, 1)?;
        let page = NonNull::from(self.sparse.page_mut(index));
        let room = self.room(blocks, &Spot { page, index, position: None });
        room.ok_or(Error::new(Kind::OutOfMemory))
    }

    fn reserve_slot(&mut self, memory: &mut Memory, blocks: &mut Blocks, index: u32) -> Result<(), Error> {
        self.sparse.reserve(memory, index)?;
        let page = self.sparse.page_mut(index);
        page.set_row(index, blocks.reserve(memory, index, self.number)?);
        Ok(())
    }

    /// Makes sure that all these can be inserted without memory.
    pub fn reserve_many(
        &mut self,
        memory: &mut Memory,
        blocks: &mut Blocks,
        handles: impl Iterator<Item = Handle>,
    ) -> Result<(), Error> {
        let (mut block, mut count) = (u32::MAX, 0_u32);
        for handle in handles {
            let index = L::index(handle);
            count += 1;
            if index / 64 != block {
                block = index / 64;
                self.reserve_slot(memory, blocks, index)?;
            }
        }
        self.reserve_positions(memory, count)
    }

    /// Makes sure that `more` elements have places.
    pub fn reserve_positions(&mut self, memory: &mut Memory, more: u32) -> Result<(), Error> {
        self.packed.reserve(memory, self.len + more.saturating_sub(self.gaps))
    }

    #[inline(always)]
    pub(super) fn change(&mut self) -> Now {
        self.changes += 1;
        Now { change: self.changes, latest_start: *self.latest_start.get_mut() }
    }

    /// Inserts an entity in its room. Its element is not made yet.
    #[inline(always)]
    pub fn insert(&mut self, handle: Handle, room: Room<L>) -> Inserted {
        let position = if self.gaps == 0 {
            self.len += 1;
            self.len - 1
        } else {
            let position = self.gap;
            self.gap = L::index(self.packed.entity(position));
            self.gaps -= 1;
            position
        };
        let now = self.change();
        self.added = self.added.wrapping_add(1);
        let place = self.packed.place(position);
        // SAFETY: a room has a page of this pool's own and a byte of the block's, which nobody borrows,
        // and the position has memory.
        unsafe {
            place.entity.write(L::Word::from_handle(handle));
            let Room { mut page, byte, index } = room;
            *byte.as_ptr() |= 1 << (page.as_ref().row(index) % 8);
            page.as_mut().insert(L::bare(handle), position);
            page.as_mut().mark_added(index, &now);
        }
        Inserted { position, element: place.element }
    }

    /// Inserts many at the end, for which room was reserved; the pool has no gaps. Their elements are
    /// not made yet. Neighbours with following indices go in together.
    pub fn append(&mut self, blocks: &mut Blocks, mut handles: &[Handle]) {
        assert!(self.gaps == 0);
        while let Some(first) = handles.first() {
            let index = L::index(*first);
            let most = PAGE - index as usize % PAGE;
            let count = handles.iter().zip(*first..).take(most).take_while(|(a, b)| **a == *b).count();
            #[allow(clippy::cast_possible_truncation)]
            self.append_run(blocks, *first, count as u32);
            handles = &handles[count..];
        }
    }

    fn append_run(&mut self, blocks: &mut Blocks, first: Handle, count: u32) {
        let now = self.change();
        self.added = self.added.wrapping_add(count);
        let index = L::index(first);
        let page = self.sparse.page_mut(index);
        page.insert_run(L::bare(first), self.len, count, &now);
        let (mut at, end) = (index, index + count);
        while at < end {
            let next = end.min((at | 63) + 1);
            blocks.set_run(at, next - at, page.row(at));
            at = next;
        }
        let mut handle = first;
        let end = self.len + count;
        while self.len < end {
            let span = end.min(Packed::<L>::page_end(self.len));
            let place = self.packed.entity_at(self.len);
            for step in 0..span - self.len {
                // SAFETY: positions up to `span` lie in the page of `len`, which was reserved.
                unsafe { place.add(step as usize).write(L::Word::from_handle(handle)) };
                handle += 1;
            }
            self.len = span;
        }
    }
}
