//! Adding to a pool: first room, which may need memory, then the insertion, which can't fail.

use super::{Pool, Room, Spot};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::buffer::number;
use crate::core::storage::kinds::{Kinds, MANY, Owner};
use crate::core::storage::lifecycle::Source;
use crate::core::storage::memory::Memory;
use crate::core::storage::page::{Now, PAGE};
use crate::core::storage::slice::checked;
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
    done + checked(handles, done..).iter().zip(next..).take_while(|(a, b)| **a == *b).count()
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

    /// Gets a bit of its own in the signatures, if it is time where so many come, and there is one for it.
    #[inline]
    pub fn settle_bit(&mut self, memory: &mut Memory, kinds: &mut Kinds, come: u32) {
        let members = self.count().saturating_add(come);
        if !self.bit.is_own() && (self.count() == 0 || members >= MANY) {
            self.ask_for_bit(memory, kinds, members);
        }
    }

    #[inline(never)]
    fn ask_for_bit(&mut self, memory: &mut Memory, kinds: &mut Kinds, members: u32) {
        let owner = Owner { number: self.number, at: self.at.map(NonNull::cast) };
        let bit = kinds.give_bit(memory, owner, members);
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
        self.settle_bit(memory, kinds, 0);
        self.sparse.reserve(memory, index)?;
        if !self.bit.is_own() {
            let row = kinds.blocks.reserve(memory, index, self.number)?;
            self.sparse.page_mut(index).set_row(index, row);
        }
        Ok(())
    }

    /// Whether handles follow one another: they lie side by side in the registry.
    #[must_use]
    pub fn are_beside(handles: &[Handle]) -> bool {
        handles.first().is_some_and(|first| neighbours(handles, *first) == handles.len())
    }

    /// Makes sure that all these, who lie side by side or not, can be inserted without memory, if they are before another pool
    /// is asked (`Blocks::reserve`).
    pub fn reserve_many(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        handles: &[Handle],
        beside: bool,
    ) -> Result<(), Error> {
        let (mut block, mut rest) = (u32::MAX, handles);
        self.settle_bit(memory, kinds, number_of(handles));
        while let Some(handle) = rest.first() {
            let index = L::index(*handle);
            // Those who lie side by side are in the next block but for the rest of this one.
            rest = rest.get(if beside { 64 - index as usize % 64 } else { 1 }..).unwrap_or(&[]);
            if index / 64 != block {
                block = index / 64;
                self.reserve_slot(memory, kinds, index)?;
            }
        }
        self.reserve_positions(memory, number_of(handles))
    }

    /// The same of those who live and are no members.
    #[inline(never)]
    pub fn reserve_missing(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        handles: &[Handle],
    ) -> Result<(), Error> {
        let mut missing = 0;
        for handle in handles {
            if !self.has_living(kinds, *handle) {
                missing += 1;
                self.reserve_slot(memory, kinds, L::index(*handle))?;
            }
        }
        self.reserve_positions(memory, missing)
    }

    /// Adds a plain component to those of many who live and haven't got it, or to none: the value that is `step` values behind
    /// that of the one before. The pool has a bit and no gaps, and no listener is to be told. Returns how many they are.
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
                && let Some(end) = self.room_at_watched_end(page, mark)
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
        let first = *checked(handles, 0);
        let index = L::index(first);
        let most = handles.len().min(PAGE - index as usize % PAGE);
        let run = kinds.lacking(index, neighbours(checked(handles, ..most), first) as u32, self.bit);
        self.take_turn();
        self.sparse.reserve(memory, index)?;
        self.reserve_positions(memory, run as u32)?;
        let behind = self.len;
        self.append(kinds, checked(handles, ..run), true);
        self.make(behind, run as u32, (step > 0).then_some(value))?;
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

    /// Inserts an entity that is no member, and returns its position. Its element is not made yet.
    #[inline(never)]
    pub fn put_in(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        handle: Handle,
        spot: &Spot<L>,
    ) -> Result<u32, Error> {
        let room = self.reserve(memory, kinds, spot)?;
        Ok(self.insert(handle, room))
    }

    /// The same in its room.
    #[inline(always)]
    fn insert(&mut self, handle: Handle, room: Room<L>) -> u32 {
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
        position
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
    /// not made yet. Neighbours with following indices go in together; all are such if they lie side by side.
    pub fn append(&mut self, kinds: &mut Kinds, mut handles: &[Handle], beside: bool) {
        assert!(self.gaps == 0);
        while let Some(first) = handles.first() {
            let most = handles.len().min(PAGE - L::index(*first) as usize % PAGE);
            let count = if beside { most } else { neighbours(checked(handles, ..most), *first) };
            #[allow(clippy::cast_possible_truncation)]
            self.append_run(kinds, *first, count as u32);
            handles = checked(handles, count..);
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

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::super::Shape;
    use super::*;
    use crate::core::ids::{Narrow, Wide};
    use crate::core::storage::memory::Allocator;

    /// All members in their order, and their values.
    fn all_of<L: Layout>(pool: &Pool<L>) -> Vec<(Handle, u64)> {
        let value = |at| {
            // SAFETY: elements are eight bytes.
            unsafe { pool.element(at).cast::<u64>().read_unaligned() }
        };
        (0..pool.len()).map(|at| (pool.entity(at), value(at))).collect()
    }

    /// Many come to a pool that has some of them, with ever more memory: none or all are there then, and who was there is where
    /// it was.
    fn many_or_none<L: Layout>(members: &[u32], come: &[u32], zeros: bool) -> (u32, u32) {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut kinds = Kinds::default();
        let mut pool = Pool::<L>::new(1, 1, Shape { size: 8, align: 8, stable: false });
        let most = members.iter().chain(come).max().unwrap() + 1;
        kinds.cover(&mut memory, most.next_multiple_of(64)).unwrap();
        pool.settle_bit(&mut memory, &mut kinds, 0);
        for index in members {
            let value = u64::from(*index);
            // SAFETY: a value of that size.
            let value = unsafe { Source::new((&raw const value).cast(), 8) };
            let entity = L::pack(*index, 1);
            pool.add(&mut memory, &mut kinds, entity, &pool.spot(entity), Some(value)).unwrap();
        }
        let handles: Vec<Handle> = come.iter().map(|index| L::pack(*index, 1)).collect();
        let values: Vec<u64> = come.iter().map(|index| 1_000_000 + u64::from(*index)).collect();
        // SAFETY: as many values of that size.
        let given = unsafe { Source::new(values.as_ptr().cast(), 8) };
        let values_of = if zeros { (pool.zeros().unwrap(), 0) } else { (given, 1) };
        assert!(pool.many_values(Some(values_of.0)).is_some());
        let before = all_of(&pool);
        let (mut failed, mut spare) = (0, 0);
        let new = loop {
            memory.budget = memory.bytes + spare;
            match pool.add_many((&mut memory, &mut kinds), &handles, values_of) {
                Ok(new) => break new,
                Err(error) => assert_eq!(error.kind, Kind::Budget),
            }
            (failed, spare) = (failed + 1, spare + 256);
            assert_eq!(all_of(&pool), before);
            for index in (0..most).filter(|index| !members.contains(index)) {
                assert!(!pool.has_living(&kinds, L::pack(index, 1)), "{index}");
                assert_eq!(pool.position(L::pack(index, 1)), None);
            }
        };
        let mut expected = before;
        let fresh = come.iter().filter(|index| !members.contains(index));
        let value = |index: u32| if zeros { 0 } else { 1_000_000 + u64::from(index) };
        expected.extend(fresh.map(|index| (L::pack(*index, 1), value(*index))));
        assert_eq!((new as usize, all_of(&pool)), (expected.len() - members.len(), expected.clone()));
        if !zeros {
            pool.put_many(&handles, given);
            for (entity, value) in &mut expected {
                let index = L::index(*entity);
                *value = if come.contains(&index) { 1_000_000 + u64::from(index) } else { *value };
            }
            assert_eq!(all_of(&pool), expected);
        }
        // Those who came leave, asked for together with some who aren't there.
        let mut leave = handles;
        leave.extend(
            (0..most).filter(|index| !come.contains(index)).step_by(3).map(|index| L::pack(index, 1)),
        );
        pool.remove_many(&mut kinds, &leave);
        let mut left: Vec<Handle> = all_of(&pool).iter().map(|(entity, _)| *entity).collect();
        left.sort_unstable();
        let mut stay: Vec<Handle> = expected.iter().map(|(entity, _)| *entity).collect();
        stay.retain(|entity| !leave.contains(entity));
        stay.sort_unstable();
        assert_eq!(left, stay);
        pool.free(&mut memory);
        kinds.free(&mut memory);
        assert_eq!(memory.bytes, 0);
        (failed, new)
    }

    #[test]
    fn many_come_or_none() {
        let most = if cfg!(miri) { 80 } else { 3000 };
        let all: Vec<u32> = (0..most).collect();
        let shuffled: Vec<u32> = all.iter().map(|at| at * 1_237 % most).collect();
        // Neighbours, with one missing here and there.
        let nearly: Vec<u32> = all.iter().copied().filter(|at| at % 37 != 5).collect();
        let members = [vec![most], (0..most).step_by(50).collect(), (most / 2..most / 2 + 40).collect()];
        // Miri takes minutes for each: the most mixed one.
        if cfg!(miri) {
            assert!(many_or_none::<Narrow>(&members[1], &nearly, false).0 > 2);
            return;
        }
        for members in &members {
            for come in [&all, &shuffled, &nearly, &vec![most + 1, most + 2]] {
                for zeros in [false, true] {
                    let (failed, new) = many_or_none::<Wide>(members, come, zeros);
                    assert!(new > 0 && (failed > 2 || come.len() == 2), "{failed}");
                    assert_eq!(many_or_none::<Narrow>(members, come, zeros).1, new);
                }
            }
        }
    }
}
