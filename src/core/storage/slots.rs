//! Values by numbers that are given out, given back, and given out again: in pages, so that making one copies none.
//!
//! ```text
//!   number    0   1   2   3   4   5
//!   value     a   -   c   -   e            len 5: 5 was never given out
//!                 |       |
//!   free: 3 ------------> |                an unused one keeps the number of the next such
//!                 ^-------+
//! ```

use super::memory::Memory;
use super::paged::{Item, Paged};
use crate::core::error::Error;

/// No number.
pub const NONE: u32 = u32::MAX;

/// What has a number.
pub trait Slot: Item {
    /// Where an unused one keeps the next.
    fn next_free(&mut self) -> &mut u32;
}

/// Values by number.
pub struct Slots<T: Slot> {
    values: Paged<T>,
    /// Numbers that were ever given out.
    len: u32,
    free: u32,
}

impl<T: Slot> Default for Slots<T> {
    fn default() -> Self {
        Self { values: Paged::default(), len: 0, free: NONE }
    }
}

impl<T: Slot> Slots<T> {
    /// All numbers that were ever given out, used or not.
    #[must_use]
    pub const fn all(&self) -> core::ops::Range<u32> {
        0..self.len
    }

    /// The value of a number.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&T> {
        self.values.get(number)
    }

    /// The value of a number, to change.
    #[inline(always)]
    #[must_use]
    pub fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.values.get_mut(number)
    }

    /// The number that is given out next.
    #[inline(always)]
    #[must_use]
    pub const fn next(&self) -> u32 {
        if self.free == NONE { self.len } else { self.free }
    }

    /// Makes sure that one can be put.
    #[inline]
    pub fn reserve(&mut self, memory: &mut Memory) -> Result<(), Error> {
        self.values.reserve(memory, self.next())
    }

    /// Puts a value where there is memory; returns its number.
    #[inline(always)]
    pub fn put(&mut self, value: T) -> Option<u32> {
        let (number, place) = self.take()?;
        *place = value;
        Some(number)
    }

    /// Gives out a number where there is memory, and the place for its value.
    #[inline(always)]
    pub fn take(&mut self) -> Option<(u32, &mut T)> {
        let number = self.next();
        let place = self.values.get_mut(number)?;
        if self.free == NONE {
            self.len += 1;
        } else {
            self.free = *place.next_free();
        }
        Some((number, place))
    }

    /// Takes a number back, which was given out; returns its place. What is left of its value stays.
    #[inline]
    pub fn give(&mut self, number: u32) -> Option<&mut T> {
        let place = self.values.get_mut(number)?;
        *place.next_free() = core::mem::replace(&mut self.free, number);
        Some(place)
    }

    /// Gives back the memory behind the last number in use, which may be given out again; the lowest first then.
    pub fn shrink(&mut self, memory: &mut Memory, is_used: impl Fn(&T) -> bool) {
        let used = |slots: &Self, number| slots.get(number).is_some_and(&is_used);
        self.len = self.all().rfind(|number| used(self, *number)).map_or(0, |last| last + 1);
        self.free = NONE;
        for number in self.all().rev() {
            if !used(self, number) {
                self.give(number);
            }
        }
        self.values.shrink(memory, |number, _| number < self.len);
    }

    /// Gives back everything; what the values hold must have been given back before.
    pub fn free(&mut self, memory: &mut Memory) {
        self.values.free(memory);
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Allocator;
    use super::*;

    struct Pearl(u32);

    impl Item for Pearl {
        const EMPTY: Self = Self(NONE);
    }

    impl Slot for Pearl {
        fn next_free(&mut self) -> &mut u32 {
            &mut self.0
        }
    }

    #[test]
    fn numbers_come_back_the_latest_first() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut slots = Slots::<Pearl>::default();
        assert_eq!(slots.put(Pearl(7)), None, "nothing was reserved");
        for number in 0..300 {
            slots.reserve(&mut memory).unwrap();
            assert_eq!(slots.put(Pearl(number * 2)), Some(number));
        }
        slots.give(5);
        slots.give(280);
        assert_eq!((slots.next(), slots.all()), (280, 0..300));
        assert_eq!(
            (slots.put(Pearl(1)), slots.put(Pearl(2)), slots.put(Pearl(3))),
            (Some(280), Some(5), Some(300))
        );
        let values = [5, 6, 280, 300].map(|number| slots.get(number).map(|pearl| pearl.0));
        assert_eq!(values, [Some(2), Some(12), Some(1), Some(3)]);
        let bytes = memory.bytes;
        slots.shrink(&mut memory, |pearl| pearl.0 < 30);
        assert_eq!((slots.all(), slots.next(), slots.get(5).map(|pearl| pearl.0)), (0..301, 15, Some(2)));
        slots.shrink(&mut memory, |pearl| pearl.0 == 12);
        assert_eq!((slots.all(), slots.next(), slots.get(6).map(|pearl| pearl.0)), (0..7, 0, Some(12)));
        assert!(memory.bytes < bytes);
        slots.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }
}
