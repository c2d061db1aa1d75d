//! Values with handles: each in memory of its own, so that it never moves, found by a number that also
//! says whose it is.
//!
//! ```text
//!   handle    31..12 serial | 11..0 place        serial: counted up, never 0
//!   places    0: -    1: (serial 7, value)    2: (serial 9, value)
//! ```
//!
//! A handle is good if the value at its place has its serial. Serials are counted across worlds, so that a
//! handle of another world is told apart too, until 2^20 - 1 others have been made.

use super::buffer::Buffer;
use super::memory::Memory;
use crate::core::error::Error;
use core::ptr::NonNull;

const PLACE_BITS: u32 = 12;
/// The most values at a time.
pub const MOST: u32 = 1 << PLACE_BITS;
/// Serials begin anew behind this.
const LAST_SERIAL: u32 = (1 << (32 - PLACE_BITS)) - 1;

/// The serial of a value by its number among all that were made.
#[allow(clippy::cast_possible_truncation)]
const fn serial(number: u64) -> u32 {
    (number % LAST_SERIAL as u64) as u32 + 1
}

const _: () = {
    let last = LAST_SERIAL as u64;
    assert!(serial(0) == 1 && serial(1) == 2 && serial(last - 1) == LAST_SERIAL && serial(last) == 1);
};

/// Values with handles.
pub struct Table<T> {
    places: Buffer<Option<(u32, NonNull<T>)>>,
    /// The places before this one are taken.
    taken: usize,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { places: Buffer::new(), taken: 0 }
    }
}

impl<T> Table<T> {
    fn place(&self, handle: u32) -> Option<NonNull<T>> {
        let (bits, at) = (*self.places.get((handle & (MOST - 1)) as usize)?)?;
        (bits == handle).then_some(at)
    }

    /// A value by its handle.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: u32) -> Option<&T> {
        // SAFETY: values in places are this one's own, and made.
        self.place(handle).map(|at| unsafe { at.as_ref() })
    }

    /// A value by its handle, to change.
    #[inline]
    pub fn get_mut(&mut self, handle: u32) -> Option<&mut T> {
        // SAFETY: as above, and borrowed for as long as this is.
        self.place(handle).map(|mut at| unsafe { at.as_mut() })
    }

    /// The lowest place that is nobody's.
    fn vacant(&mut self, memory: &mut Memory) -> Result<usize, Error> {
        let taken = self.places[self.taken..].iter().take_while(|place| place.is_some()).count();
        let number = self.taken + taken;
        if number == MOST as usize {
            return Err(Error::count("the number of queries", u64::from(MOST) + 1, MOST.into()));
        }
        if number == self.places.len() {
            self.places.push(memory, None)?;
        }
        Ok(number)
    }

    /// Puts a value that is made once there is room for it; returns its handle. It is the one of that number among
    /// all that were ever made.
    pub fn put(
        &mut self,
        memory: &mut Memory,
        number: u64,
        make: impl FnOnce(&mut Memory) -> Result<T, Error>,
    ) -> Result<u32, Error> {
        let place = self.vacant(memory)?;
        let (size, align) = (size_of::<T>().max(1), align_of::<T>());
        let room = memory.take(size, align)?;
        let at = room.cast::<T>();
        match make(memory) {
            // SAFETY: new memory of that size and alignment.
            Ok(value) => unsafe { at.write(value) },
            Err(error) => {
                // SAFETY: as it was taken.
                unsafe { memory.give(room, size, align) };
                return Err(error);
            }
        }
        #[allow(clippy::cast_possible_truncation)]
        let handle = serial(number) << PLACE_BITS | place as u32;
        self.places[place] = Some((handle, at));
        self.taken = place + 1;
        Ok(handle)
    }

    /// Takes a value out.
    pub fn take(&mut self, memory: &mut Memory, handle: u32) -> Option<T> {
        let at = self.place(handle)?;
        let number = (handle & (MOST - 1)) as usize;
        self.places[number] = None;
        self.taken = self.taken.min(number);
        // SAFETY: the value is moved out, then its memory given back as it was taken.
        unsafe {
            let value = at.read();
            memory.give(at.cast(), size_of::<T>().max(1), align_of::<T>());
            Some(value)
        }
    }

    /// All values and their handles.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        // SAFETY: as in `get`.
        self.places.iter().flatten().map(|(handle, at)| (*handle, unsafe { at.as_ref() }))
    }

    /// All values, to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        // SAFETY: as in `get_mut`; each is handed out once.
        self.places.iter_mut().flatten().map(|(_, at)| unsafe { at.as_mut() })
    }

    /// Gives back the places behind the last value.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.places.shrink_to_used(memory, Option::is_some);
    }

    /// Gives back everything: `end` ends each value.
    pub fn free(&mut self, memory: &mut Memory, mut end: impl FnMut(&mut Memory, T)) {
        for number in 0..self.places.len() {
            if let Some((handle, _)) = self.places[number]
                && let Some(value) = self.take(memory, handle)
            {
                end(memory, value);
            }
        }
        self.places.free(memory);
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Allocator;
    use super::*;

    #[test]
    fn the_lowest_place_that_is_nobodys_is_taken_next() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut table = Table::default();
        let put =
            |table: &mut Table<u32>, memory: &mut Memory| table.put(memory, 1, |_| Ok(7)).unwrap_or_default();
        let place = |handle| handle & (MOST - 1);
        let handles = [(); 5].map(|()| put(&mut table, &mut memory));
        assert_eq!(handles.map(place), [0, 1, 2, 3, 4]);
        for number in [3, 1, 4] {
            assert_eq!(table.take(&mut memory, handles[number]), Some(7));
        }
        table.shrink(&mut memory);
        assert_eq!([(); 3].map(|()| place(put(&mut table, &mut memory))), [1, 3, 4]);
        table.free(&mut memory, |_, _| {});
        assert_eq!((place(put(&mut table, &mut memory)), memory.allocations), (0, 2));
        table.free(&mut memory, |_, _| {});
        assert_eq!(memory.bytes, 0);
    }

    #[test]
    fn handles_are_good_while_their_value_is_there() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut table = Table::default();
        let first = table.put(&mut memory, 1, |_| Ok(10_u64)).unwrap_or_default();
        let second = table.put(&mut memory, 2, |_| Ok(20_u64)).unwrap_or_default();
        assert_eq!((table.get(first), table.get(second)), (Some(&10), Some(&20)));
        assert_eq!(table.take(&mut memory, first), Some(10));
        assert_eq!(table.get(first), None);
        assert_eq!(table.take(&mut memory, first), None);
        let third = table.put(&mut memory, 3, |_| Ok(30)).unwrap_or_default();
        assert_eq!(third & (MOST - 1), first & (MOST - 1));
        assert_eq!((table.get(first), table.get(third), table.get(0)), (None, Some(&30), None));
        assert_eq!(table.iter().count(), 2);
        let mut sum = 0;
        table.free(&mut memory, |_, value| sum += value);
        assert_eq!((sum, memory.bytes), (50, 0));
    }
}
