//! Numbers by key: open addressing with linear probing. A key may be there several times, told apart by
//! the number, so that a hash can be the key.
//!
//! ```text
//!   home of key k    k * odd constant, its highest bits
//!   keys             -  a  b  c  -  d          each at its home, or behind it with no gap between
//!   values           -  7  2  9  -  4
//! ```
//!
//! Taking one out moves those up that aren't at home (Knuth, TAOCP 3, 6.4, algorithm R), so that no marks are
//! left behind, and what is looked for in vain costs what the neighbourhood is long.

use super::buffer::Buffer;
use super::memory::Memory;
use crate::core::error::Error;

/// Nobody's key.
const NONE: u64 = u64::MAX;

/// Numbers by key. Any key but `u64::MAX`.
#[derive(Default)]
pub struct Map {
    keys: Buffer<u64>,
    values: Buffer<u32>,
    len: usize,
    /// How many bits of a hash are too many for a place.
    shift: u32,
}

impl Map {
    /// The home of a key. There are places.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    fn home(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> self.shift) as usize
    }

    /// The first number of a key that is the one.
    #[inline]
    pub fn find(&self, key: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.place(key, is_it).map(|at| self.values[at])
    }

    #[inline]
    fn place(&self, key: u64, is_it: impl Fn(u32) -> bool) -> Option<usize> {
        if self.len == 0 {
            return None;
        }
        let keys = &self.keys[..];
        let mut at = self.home(key);
        // There is an empty place: `reserve` keeps one eighth of them free.
        loop {
            match *keys.get(at)? {
                NONE => return None,
                found if found == key && is_it(self.values[at]) => return Some(at),
                _ => at = (at + 1) & (keys.len() - 1),
            }
        }
    }

    /// The number of a key that is there at most once.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<u32> {
        self.find(key, |_| true)
    }

    /// Makes sure that `more` can be put without memory.
    pub fn reserve(&mut self, memory: &mut Memory, more: usize) -> Result<(), Error> {
        let needed = self.len + more;
        if needed <= self.keys.len() / 8 * 7 {
            return Ok(());
        }
        self.resize(memory, Self::places(needed))
    }

    /// How many places there are for so many.
    const fn places(len: usize) -> usize {
        let places = (len * 8 / 7 + 1).next_power_of_two();
        if places < 8 { 8 } else { places }
    }

    /// Moves to so many places; or stays.
    fn resize(&mut self, memory: &mut Memory, places: usize) -> Result<(), Error> {
        let mut other = Self::default();
        let made = other.keys.reserve_exact(memory, places);
        if let Err(error) = made.and_then(|()| other.values.reserve_exact(memory, places)) {
            other.free(memory);
            return Err(error);
        }
        other.keys.fill_reserved(places, NONE);
        other.values.fill_reserved(places, 0);
        other.shift = 64 - places.trailing_zeros();
        for (key, value) in self.keys.iter().zip(self.values.iter()).filter(|(key, _)| **key != NONE) {
            other.put(*key, *value);
        }
        self.free(memory);
        *self = other;
        Ok(())
    }

    /// Gives back the memory of places that aren't needed, if there is some to move to.
    pub fn shrink(&mut self, memory: &mut Memory) {
        if self.len == 0 {
            self.free(memory);
        } else if Self::places(self.len) < self.keys.len() {
            // What doesn't move stays as it is.
            let _ = self.resize(memory, Self::places(self.len));
        }
    }

    /// Puts a number, for which room was reserved.
    pub fn put(&mut self, key: u64, value: u32) {
        debug_assert!(key != NONE && self.len < self.keys.len());
        let last = self.keys.len() - 1;
        let mut at = self.home(key);
        while self.keys[at] != NONE {
            at = (at + 1) & last;
        }
        self.keys[at] = key;
        self.values[at] = value;
        self.len += 1;
    }

    /// Takes a number out, which is there.
    pub fn take(&mut self, key: u64, value: u32) {
        let Some(mut gap) = self.place(key, |other| other == value) else { return };
        let last = self.keys.len() - 1;
        let mut at = gap;
        loop {
            at = (at + 1) & last;
            if self.keys[at] == NONE {
                break;
            }
            // It may fill the gap if its home isn't behind the gap, going round.
            let distance = at.wrapping_sub(self.home(self.keys[at])) & last;
            if distance >= at.wrapping_sub(gap) & last {
                self.keys[gap] = self.keys[at];
                self.values[gap] = self.values[at];
                gap = at;
            }
        }
        self.keys[gap] = NONE;
        self.len -= 1;
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.keys.iter_mut().for_each(|key| *key = NONE);
        self.len = 0;
    }

    /// Whether nothing is in it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.keys.bytes() + self.values.bytes()
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        self.keys.free(memory);
        self.values.free(memory);
        self.len = 0;
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::super::memory::Allocator;
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn finds_what_was_put_and_not_taken() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let (mut map, mut naive) = (Map::default(), HashMap::new());
        let mut seed = 1_u64;
        for step in 0..if cfg!(miri) { 300 } else { 30_000 } {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = seed >> 33 & 0x3FF | seed >> 20 & 0x300_0000_0000;
            match naive.remove(&key) {
                Some(value) => map.take(key, value),
                None => {
                    map.reserve(&mut memory, 1).unwrap();
                    map.put(key, step);
                    naive.insert(key, step);
                }
            }
            assert_eq!(map.get(key), naive.get(&key).copied());
            let other = key ^ 1;
            assert_eq!(map.get(other), naive.get(&other).copied());
        }
        assert!(naive.iter().all(|(key, value)| map.get(*key) == Some(*value)));
        let (bytes, few) = (memory.bytes, naive.len() / 10);
        naive.extract_if(|_, value| !value.is_multiple_of(10)).for_each(|(key, value)| map.take(key, value));
        map.shrink(&mut memory);
        assert!(memory.bytes < bytes && naive.len() < few * 2);
        assert!(naive.iter().all(|(key, value)| map.get(*key) == Some(*value)));
        map.free(&mut memory);
        assert_eq!((memory.bytes, map.get(1)), (0, None));
    }

    #[test]
    fn a_key_may_be_there_several_times() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut map = Map::default();
        map.reserve(&mut memory, 20).unwrap();
        (0..20).for_each(|value| map.put(7, value));
        assert_eq!(map.find(7, |value| value == 13), Some(13));
        map.take(7, 13);
        assert_eq!(map.find(7, |value| value == 13), None);
        assert!((0..20).filter(|value| *value != 13).all(|value| map.find(7, |v| v == value).is_some()));
        map.free(&mut memory);
    }
}
