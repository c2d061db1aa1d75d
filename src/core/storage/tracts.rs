//! Arrays that have grown to megabytes, each in a tract that is set aside for a much longer one: growing moves nothing, and
//! the system may back it with large pages.
//!
//! ```text
//!   tract    | header | array           | room: takes no memory until somebody writes there   |
//!            ^ a large page begins                                      64 MiB, or four times the array
//! ```
//!
//! An array that outgrows its tract moves to another one.

use super::system;
use core::alloc::{GlobalAlloc, Layout as Shape};
use core::ptr::NonNull;
use std::alloc::System;

/// In unit tests all is this much smaller, so that they use many.
const SCALE: usize = if cfg!(test) { 64 } else { 1 };
/// The shortest array that is worth one.
pub const LEAST: usize = system::LARGE_PAGE / SCALE;
/// Bytes of the smallest one. Beyond 32 MiB, the longest block that glibc may take from its heap, it comes from the system.
const ROOM: usize = (64 << 20) / SCALE;

/// A tract's header, at its beginning.
struct Tract {
    next: Option<NonNull<Self>>,
    shape: Shape,
}

/// Where an array begins in its tract: a line of the caches.
const BEGIN: usize = 64;
const _: () = assert!(size_of::<Tract>() <= BEGIN);

/// All tracts of a world: no more than it has long arrays.
pub struct Tracts {
    first: Option<NonNull<Tract>>,
}

impl Tracts {
    /// None yet.
    pub const NONE: Self = Self { first: None };

    /// One for an array of that size, if it is long enough and there is room.
    pub fn take(&mut self, size: usize, align: usize) -> Option<NonNull<u8>> {
        if size < LEAST || align > BEGIN {
            return None;
        }
        let room = size.checked_mul(4)?.max(ROOM);
        let shape = Shape::from_size_align(room, system::LARGE_PAGE).ok()?;
        // SAFETY: its size isn't 0.
        let at = NonNull::new(unsafe { System.alloc(shape) })?;
        system::ask_for_large_pages(at, room);
        let tract = at.cast::<Tract>();
        // SAFETY: new memory, larger than a header and aligned to more; the array begins behind it.
        unsafe {
            tract.write(Tract { next: self.first, shape });
            self.first = Some(tract);
            Some(at.add(BEGIN))
        }
    }

    /// How long the array at an address may grow there, if it is in a tract.
    #[must_use]
    pub fn room(&self, array: NonNull<u8>) -> Option<usize> {
        let mut at = self.first;
        while let Some(tract) = at {
            // SAFETY: tracts are this one's own, and their headers made.
            let Tract { next, shape } = unsafe { tract.read() };
            if begin(tract) == array {
                return Some(shape.size() - BEGIN);
            }
            at = next;
        }
        None
    }

    /// Gives back the tract of an array, if it is in one; says whether it was.
    ///
    /// # Safety
    /// The array isn't used again.
    pub unsafe fn give(&mut self, array: NonNull<u8>) -> bool {
        let mut link = &mut self.first;
        while let Some(mut tract) = *link {
            if begin(tract) == array {
                // SAFETY: as above, and as it was taken; nothing finds it any more.
                unsafe {
                    let Tract { next, shape } = tract.read();
                    *link = next;
                    System.dealloc(tract.cast().as_ptr(), shape);
                }
                return true;
            }
            // SAFETY: as above.
            link = unsafe { &mut tract.as_mut().next };
        }
        false
    }
}

fn begin(tract: NonNull<Tract>) -> NonNull<u8> {
    // SAFETY: it is longer than that.
    unsafe { tract.cast::<u8>().add(BEGIN) }
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::*;
    use crate::core::error::Kind;
    use crate::core::storage::dice::Dice;
    use crate::core::storage::memory::{Allocator, Memory};

    /// Arrays are written and read at every so many places; under Miri at few.
    const STEP: usize = if cfg!(miri) { 16_000 } else { 500 };

    fn byte(at: usize, mark: u8) -> u8 {
        (at / STEP % 251) as u8 ^ mark
    }

    fn fill(array: NonNull<u8>, places: core::ops::Range<usize>, mark: u8) {
        for at in (places.start.next_multiple_of(STEP)..places.end).step_by(STEP) {
            // SAFETY: it is ours, and so long.
            unsafe { array.add(at).write(byte(at, mark)) };
        }
    }

    fn check(array: NonNull<u8>, size: usize, mark: u8) {
        for at in (0..size).step_by(STEP) {
            // SAFETY: as above; it was filled.
            assert_eq!(unsafe { array.add(at).read() }, byte(at, mark), "at {at} of {size}");
        }
    }

    #[test]
    fn arrays_keep_their_bytes_through_tracts_and_back() {
        let sizes = [
            1,
            1000,
            LEAST - 1,
            LEAST,
            LEAST + 1,
            5 * LEAST / 2,
            ROOM - BEGIN,
            ROOM - BEGIN + 1,
            ROOM,
            2 * ROOM,
        ];
        let mut memory = Memory::new(Allocator::system(), 0);
        // Everywhere, not on Linux alone.
        memory.large = 0;
        let (mut held, mut dice): (Vec<(NonNull<u8>, usize, u8)>, _) = (Vec::new(), Dice(3));
        let mut most = 0;
        for _ in 0..if cfg!(miri) { 24 } else { 600 } {
            let (die, mark) = (dice.next(1 << 31) as usize, dice.next(256) as u8);
            let size = sizes[die % sizes.len()];
            if held.len() < 4 {
                let at = memory.take(size, 64).unwrap();
                fill(at, 0..size, mark);
                held.push((at, size, mark));
            } else {
                let place = die / 16 % held.len();
                let (at, old, mark) = held[place];
                check(at, old, mark);
                if die / 64 % 4 == 0 {
                    // SAFETY: as it was taken, or resized; it is forgotten.
                    unsafe { memory.give(at, old, 64) };
                    held.swap_remove(place);
                } else {
                    // SAFETY: as above; what is returned takes its place.
                    let at = unsafe { memory.resize(at, old, size, 64) }.unwrap();
                    check(at, old.min(size), mark);
                    fill(at, old.min(size)..size, mark);
                    held[place] = (at, size, mark);
                }
            }
            let mut tracts = 0;
            for (at, size, _) in &held {
                let room = memory.tracts.room(*at);
                assert_eq!(room.is_some(), *size >= LEAST, "{size}");
                assert!(room.is_none_or(|room| room >= *size));
                tracts += usize::from(room.is_some());
            }
            most = most.max(tracts);
            assert_eq!(memory.bytes, held.iter().map(|held| held.1 as u64).sum::<u64>());
            assert_eq!(memory.allocations, held.len() as u64);
        }
        assert!(most > 2, "{most}");
        for (at, size, mark) in held {
            check(at, size, mark);
            // SAFETY: as above.
            unsafe { memory.give(at, size, 64) };
        }
        assert_eq!((memory.bytes, memory.tracts.first.is_some()), (0, false));
    }

    #[test]
    fn growing_in_a_tract_moves_nothing() {
        let mut memory = Memory::new(Allocator::system(), 0);
        memory.large = 0;
        let first = memory.take(LEAST, 8).unwrap();
        let (mut at, mut size) = (first, LEAST);
        while size * 9 / 8 <= ROOM - BEGIN {
            // SAFETY: as it was taken, or resized.
            at = unsafe { memory.resize(at, size, size * 9 / 8, 8) }.unwrap();
            size = size * 9 / 8;
            assert_eq!(at, first);
        }
        // SAFETY: as above.
        unsafe {
            let longer = memory.resize(at, size, ROOM, 8).unwrap();
            assert_ne!(longer, first);
            assert_eq!(memory.tracts.room(longer), Some(4 * ROOM - BEGIN));
            memory.give(longer, ROOM, 8);
        }
        assert!(memory.tracts.first.is_none());
    }

    #[test]
    fn what_is_held_while_an_array_moves_counts() {
        let mut memory = Memory::new(Allocator::system(), 0);
        memory.large = 0;
        let (short, long) = (LEAST / 2, ROOM + LEAST);
        let at = memory.take(short, 8).unwrap();
        // SAFETY: here and below: as it was taken, or last resized.
        let resize = |memory: &mut Memory, at, old, new| unsafe { memory.resize(at, old, new, 8) };
        // Into a tract: both are held. Where they can't be, the system moves it.
        let at = resize(&mut memory, at, short, LEAST).unwrap();
        assert_eq!((memory.bytes, memory.peak), (LEAST as u64, (short + LEAST) as u64));
        memory.budget = (LEAST + short - 1) as u64;
        let at = resize(&mut memory, at, LEAST, LEAST + short - 1).unwrap();
        assert_eq!(memory.peak, (short + LEAST) as u64);
        // Out of a tract it grew too long, or too short, for.
        let size = LEAST + short - 1;
        assert_eq!(resize(&mut memory, at, size, short).unwrap_err().kind, Kind::Budget);
        memory.budget = (size + long - 1) as u64;
        assert_eq!(resize(&mut memory, at, size, long).unwrap_err().kind, Kind::Budget);
        assert_eq!((memory.bytes, memory.tracts.room(at)), (size as u64, Some(ROOM - BEGIN)));
        memory.budget += 1;
        let at = resize(&mut memory, at, size, long).unwrap();
        assert_eq!((memory.bytes, memory.peak), (long as u64, memory.budget));
        memory.budget = (long + short) as u64;
        let at = resize(&mut memory, at, long, short).unwrap();
        assert_eq!((memory.bytes, memory.tracts.first.is_some()), (short as u64, false));
        memory.budget = (short + LEAST - 1) as u64;
        let at = resize(&mut memory, at, short, LEAST).unwrap();
        assert_eq!((memory.bytes, memory.tracts.first.is_some()), (LEAST as u64, false));
        // SAFETY: as it was resized.
        unsafe { memory.give(at, LEAST, 8) };
    }

    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn what_an_array_no_longer_needs_takes_no_memory() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let at = memory.take(16 * LEAST, 8).unwrap();
        // SAFETY: it is ours, and so long; as it was taken, and then resized. The bytes behind it are of its tract.
        let taken = unsafe {
            at.as_ptr().write_bytes(0xAA, 16 * LEAST);
            assert_eq!(memory.resize(at, 16 * LEAST, 6 * LEAST, 8).unwrap(), at);
            let kept = core::slice::from_raw_parts(at.as_ptr(), 6 * LEAST);
            assert!(kept.iter().all(|byte| *byte == 0xAA));
            // The system brings zeros where it had taken the memory.
            let behind = core::slice::from_raw_parts(at.as_ptr().add(6 * LEAST), 10 * LEAST);
            behind.iter().filter(|byte| **byte == 0).count()
        };
        assert!(taken > 7 * LEAST, "{taken}");
        // SAFETY: as it was resized.
        unsafe { memory.give(at, 6 * LEAST, 8) };
    }

    #[test]
    fn an_allocator_of_the_users_own_sees_every_array() {
        let mut memory = Memory::new(Allocator::system(), 0);
        memory.large = u64::MAX;
        let at = memory.take(LEAST, 8).unwrap();
        // SAFETY: as it was taken, and then resized.
        let at = unsafe { memory.resize(at, LEAST, 2 * LEAST, 8) }.unwrap();
        assert!(memory.tracts.first.is_none());
        // SAFETY: as it was resized.
        unsafe { memory.give(at, 2 * LEAST, 8) };
    }
}
