//! Adding to a pool: first room, which may need memory, then the insertion, which can't fail.

use super::{Inserted, Pool, Room, Spot};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::buffer::number;
use crate::core::storage::kinds::{Kinds, MANY, Owner};
use crate::core::storage::memory::Memory;
use crate::core::storage::page::{Now, PAGE};
use crate::core::storage::sparse::Sparse;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// How many handles follow one another, from the first on. By eights, as in `number`.
fn neighbours(handles: &[Handle], first: Handle) -> usize {
    let mut next = first;
    for eight in handles.as_chunks::<8>().0 {
        let wrong = |at: usize| eight[at] ^ (next + at as u64);
        if wrong(0) | wrong(1) | wrong(2) | wrong(3) | wrong(4) | wrong(5) | wrong(6) | wrong(7) != 0 {
            break;
        }
        next += 8;
    }
    #[allow(clippy::cast_possible_truncation)]
    let done = (next - first) as usize;
    done + handles[done..].iter().zip(next..).take_while(|(a, b)| **a == *b).count()
}

impl<L: Layout> Pool<L> {
    /// Room for an entity that is no member, if it needs no memory.
    #[inline(always)]
    #[must_use]
    pub fn room(&self, kinds: &mut Kinds, spot: &Spot<L>) -> Option<Room<L>> {
        let place = self.len < self.packed.capacity() || self.gaps > 0;
        if !place || !Sparse::is_own(spot.page) {
            return None;
        }
        let mark = kinds.mark(spot.index, &self.bit)?;
        let byte = if self.bit.is_own() {
            None
        } else {
            Some(kinds.blocks.byte_of(spot.index, self.number, spot.row())?)
        };
        Some(Room { page: spot.page, index: spot.index, mark, byte })
    }

    /// Room for an entity that is no member.
    #[inline(always)]
    pub fn reserve(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        spot: &Spot<L>,
    ) -> Result<Room<L>, Error> {
        match self.room(kinds, spot) {
            Some(room) => Ok(room),
            None => self.make_room(memory, kinds, spot.index),
        }
    }

    #[cold]
    fn make_room(&mut self, memory: &mut Memory, kinds: &mut Kinds, index: u32) -> Result<Room<L>, Error> {
        self.reserve_slot(memory, kinds, index)?;
        self.reserve_positions(memory, 1)?;
        let page = NonNull::from(self.sparse.page_mut(index));
        let room = self.room(kinds, &Spot { page, index, position: None });
        room.ok_or(Error::new(Kind::OutOfMemory))
    }

    /// Gets a bit of its own in the signatures, if there is one for it.
    fn ask_for_bit(&mut self, memory: &mut Memory, kinds: &mut Kinds) {
        let owner = Owner { number: self.number, at: self.at.map(NonNull::cast) };
        let bit = kinds.give_bit(memory, owner, self.count());
        if !bit.is_own() {
            return;
        }
        for position in 0..self.len {
            if !self.is_gap(position) {
                let spot = self.spot_of_living(self.packed.entity(position));
                self.forget(kinds, &spot);
                kinds.mark(spot.index, &bit).inspect(|mark| mark.set());
            }
        }
        self.bit = bit;
        self.find_tail();
    }

    fn reserve_slot(&mut self, memory: &mut Memory, kinds: &mut Kinds, index: u32) -> Result<(), Error> {
        kinds.cover(memory, (index | 63).saturating_add(1))?;
        if !self.bit.is_own() && (self.count() == 0 || self.count() >= MANY) {
            self.ask_for_bit(memory, kinds);
        }
        self.sparse.reserve(memory, index)?;
        if !self.bit.is_own() {
            let row = kinds.blocks.reserve(memory, index, self.number)?;
            self.sparse.page_mut(index).set_row(index, row);
        }
        Ok(())
    }

    /// Makes sure that all these can be inserted without memory, if they are before another pool is asked (`Blocks::reserve`).
    pub fn reserve_many(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        handles: impl Iterator<Item = Handle>,
    ) -> Result<(), Error> {
        let (mut block, mut count) = (u32::MAX, 0_u32);
        for handle in handles {
            let index = L::index(handle);
            count += 1;
            if index / 64 != block {
                block = index / 64;
                self.reserve_slot(memory, kinds, index)?;
            }
        }
        self.reserve_positions(memory, count)
    }

    /// Makes sure that `more` elements have places.
    pub fn reserve_positions(&mut self, memory: &mut Memory, more: u32) -> Result<(), Error> {
        let reserved = self.packed.reserve(memory, self.len + more.saturating_sub(self.gaps));
        self.find_tail();
        reserved
    }

    #[inline(always)]
    pub(super) fn change(&mut self) -> Now {
        self.count_changes(1);
        self.now()
    }

    /// The moment of the latest change.
    #[inline(always)]
    pub(super) fn now(&mut self) -> Now {
        Now { change: self.changes(), latest_start: *self.latest_start.get_mut() }
    }

    /// Inserts an entity in its room. Its element is not made yet.
    #[inline(always)]
    pub fn insert(&mut self, handle: Handle, room: Room<L>) -> Inserted {
        let position = if self.gaps == 0 {
            // A change, too.
            self.len += 1;
            if self.len > self.tail.end {
                self.find_tail();
            }
            self.len - 1
        } else {
            self.fill_gap()
        };
        let now = self.now();
        let place = self.packed.place(position);
        let Room { mut page, index, mark, byte } = room;
        mark.set();
        // SAFETY: a room has a page of this pool's own and a byte of the block's, which nobody borrows,
        // and the position has memory.
        unsafe {
            place.entity.write(L::Word::from_handle(handle));
            if let Some(byte) = byte {
                *byte.as_ptr() |= 1 << (page.as_ref().row(index) % 8);
            }
            page.as_mut().insert(L::bare(handle), position);
            if now.is_iterated() {
                page.as_mut().mark_added(index, &now);
            }
        }
        Inserted { position, element: place.element }
    }

    /// Takes a gap off the list.
    #[cold]
    fn fill_gap(&mut self) -> u32 {
        let position = self.gap;
        self.gap = L::index(self.packed.entity(position));
        self.gaps -= 1;
        self.count_changes(1);
        if self.gaps == 0 {
            self.find_tail();
        }
        position
    }

    /// Inserts many at the end, for which room was reserved; the pool has no gaps. Their elements are
    /// not made yet. Neighbours with following indices go in together.
    pub fn append(&mut self, kinds: &mut Kinds, mut handles: &[Handle]) {
        assert!(self.gaps == 0);
        while let Some(first) = handles.first() {
            let most = PAGE - L::index(*first) as usize % PAGE;
            let count = neighbours(&handles[..handles.len().min(most)], *first);
            #[allow(clippy::cast_possible_truncation)]
            self.append_run(kinds, *first, count as u32);
            handles = &handles[count..];
        }
        self.find_tail();
    }

    fn append_run(&mut self, kinds: &mut Kinds, first: Handle, count: u32) {
        let now = self.change();
        let index = L::index(first);
        let page = self.sparse.page_mut(index);
        page.insert_run(L::bare(first), self.len, count, &now);
        kinds.set_run(index, count, self.bit);
        let (mut at, end) = (index, index + count);
        while at < end && !self.bit.is_own() {
            let next = end.min((at | 63) + 1);
            kinds.blocks.set_run(at, next - at, page.row(at));
            at = next;
        }
        let mut handle = first;
        let end = self.len + count;
        while self.len < end {
            let span = end.min(self.packed.page_end(self.len));
            let count = span - self.len;
            let places = self.packed.entity_at(self.len).cast::<MaybeUninit<L::Word>>();
            // SAFETY: positions up to `span` lie in the page of `len`, which was reserved.
            let places = unsafe { core::slice::from_raw_parts_mut(places, count as usize) };
            number(places, handle, |next| MaybeUninit::new(L::Word::from_handle(next)));
            handle += u64::from(count);
            self.set_len(span);
        }
    }

    /// Adds an entity that has no signature: those of high indices would take gigabytes.
    #[cfg(test)]
    pub fn add_unlisted(&mut self, memory: &mut Memory, handle: Handle) {
        self.sparse.reserve(memory, L::index(handle)).unwrap();
        self.reserve_positions(memory, 1).unwrap();
        self.sparse.page_mut(L::index(handle)).insert(L::bare(handle), self.len);
        self.packed.set_entity(self.len, L::Word::from_handle(handle));
        self.len += 1;
        self.find_tail();
    }
}
