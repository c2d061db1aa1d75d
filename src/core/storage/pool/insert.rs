//! Adding to a pool: first room, which may need memory, then the insertion, which can't fail.

use super::{Inserted, Pool, Room, Spot};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::buffer::number;
use crate::core::storage::kinds::{Kinds, MANY, Owner};
use crate::core::storage::lifecycle::Source;
use crate::core::storage::memory::Memory;
use crate::core::storage::page::{Now, PAGE};
use crate::core::storage::sparse::Sparse;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// Where the next so many follow one another, they are looked at as neighbours.
const FEW: usize = 7;

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

/// How many they are: no more than there are indices.
#[allow(clippy::cast_possible_truncation)]
const fn number_of(handles: &[Handle]) -> u32 {
    handles.len() as u32
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

    /// Gets a bit of its own in the signatures, if it is time, and there is one for it.
    #[inline]
    pub fn settle_bit(&mut self, memory: &mut Memory, kinds: &mut Kinds) {
        if !self.bit.is_own() && (self.count() == 0 || self.count() >= MANY) {
            self.ask_for_bit(memory, kinds);
        }
    }

    #[inline(never)]
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
        self.settle_bit(memory, kinds);
        self.sparse.reserve(memory, index)?;
        if !self.bit.is_own() {
            let row = kinds.blocks.reserve(memory, index, self.number)?;
            self.sparse.page_mut(index).set_row(index, row);
        }
        Ok(())
    }

    /// Makes sure that all these, who live, can be inserted without memory, but for those who are members; if they are before
    /// another pool is asked (`Blocks::reserve`).
    #[inline(never)]
    pub fn reserve_many(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        handles: &[Handle],
    ) -> Result<(), Error> {
        let (mut block, mut count) = (u32::MAX, 0_u32);
        if self.len == 0 {
            self.reserve_positions(memory, number_of(handles))?;
        }
        for handle in handles {
            let index = L::index(*handle);
            if self.has_living(kinds, *handle) {
                continue;
            }
            count += 1;
            if index / 64 != block {
                block = index / 64;
                self.reserve_slot(memory, kinds, index)?;
            }
        }
        self.reserve_positions(memory, count)
    }

    /// Adds a plain component to those of many who live and haven't got it, or to none: the value that is `step` values behind
    /// that of the one before. The pool has a bit and no gaps, and nobody is to be told. Returns how many they are.
    #[inline(never)]
    pub fn add_many(
        &mut self,
        (memory, kinds): (&mut Memory, &mut Kinds),
        handles: &[Handle],
        (value, step): (Source, usize),
    ) -> Result<u32, Error> {
        let before = self.len;
        self.keep_len(0);
        if before == 0 {
            // All at once, so that its first pages are one.
            self.reserve_positions(memory, number_of(handles))?;
        }
        let mut done = 0;
        while let Some(handle) = handles.get(done) {
            let mark = kinds.of_living(L::index(*handle)).mark(&self.bit);
            if mark.is_set() {
                done += 1;
                continue;
            }
            let (page, value) = (self.page_of(*handle), value.skip(step * done));
            let neighbours = handles.get(done + FEW).is_some_and(|other| *other == handle + FEW as u64);
            let added = if let (false, Some(page)) = (neighbours, page)
                && let Some(end) = self.room_at_end(page, mark)
            {
                self.append_quickly(*handle, end, value);
                Ok(1)
            } else {
                self.add_some((memory, kinds), &handles[done..], (value, step))
            };
            match added {
                Ok(more) => done += more,
                Err(error) => {
                    self.undo_from(kinds, before);
                    return Err(error);
                }
            }
        }
        Ok(self.len - before)
    }

    /// The same for the first of those who are left, who hasn't got it, and for those who follow it likewise.
    #[inline(never)]
    fn add_some(
        &mut self,
        (memory, kinds): (&mut Memory, &mut Kinds),
        handles: &[Handle],
        (value, step): (Source, usize),
    ) -> Result<usize, Error> {
        let index = L::index(handles[0]);
        let most = handles.len().min(PAGE - index as usize % PAGE);
        let run = neighbours(&handles[..kinds.lacking(index, most, self.bit)], handles[0]);
        self.take_turn();
        self.sparse.reserve(memory, index)?;
        self.reserve_positions(memory, run as u32)?;
        let first = self.len;
        self.append(kinds, &handles[..run]);
        self.make(first, run as u32, (step > 0).then_some(value))?;
        Ok(run)
    }

    /// Puts plain values in the place of what many have.
    #[inline(never)]
    pub fn put_many(&mut self, handles: &[Handle], values: Source) {
        for (at, handle) in handles.iter().enumerate() {
            let (spot, value) = (self.spot_of_living(*handle), values.skip(at));
            if self.put_quickly(*handle, spot.page, value).is_none()
                && let Some(position) = spot.position
            {
                self.put_at(position, value);
            }
        }
    }

    /// Whether one who lives is a member.
    #[inline(always)]
    pub fn has_living(&self, kinds: &Kinds, handle: Handle) -> bool {
        match kinds.mark(L::index(handle), &self.bit) {
            Some(mark) if self.bit.is_own() => mark.is_set(),
            _ => self.spot_of_living(handle).position.is_some(),
        }
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

    /// The same for one who has no room yet; returns the position.
    #[inline(never)]
    pub fn put_in(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        handle: Handle,
        spot: &Spot<L>,
    ) -> Result<u32, Error> {
        let room = self.reserve(memory, kinds, spot)?;
        Ok(self.insert(handle, room).position)
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
