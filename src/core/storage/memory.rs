//! Where a world's bytes come from: its allocator, a budget, and counts.

use super::slabs::Slabs;
use super::system;
use super::tracts::{self, Tracts};
use crate::core::error::{Error, Kind};
use core::alloc::{GlobalAlloc, Layout as Shape};
use core::ptr::NonNull;
use std::alloc::System;

/// An allocator as the core sees it: Rust functions that get the whole value back, so that the C
/// boundary can keep its own function pointers in `functions`.
#[derive(Clone, Copy)]
pub struct Allocator {
    /// Returns memory of that size and alignment, or null.
    pub allocate: fn(&Self, usize, usize) -> *mut u8,
    /// Takes back what `allocate` returned, with size and alignment.
    pub release: fn(&Self, *mut u8, usize, usize),
    /// From old size to new size, with alignment; null leaves the old memory as it is.
    pub resize: fn(&Self, *mut u8, usize, usize, usize) -> *mut u8,
    /// `resize` holds old and new memory at once.
    pub copies: bool,
    /// The boundary's.
    pub functions: [*const (); 3],
    /// The boundary's.
    pub user: *mut (),
    /// The boundary's: what callers of the library call its world by.
    pub world: u32,
}

impl Allocator {
    /// The system's, asked directly: not Rust's global allocator.
    #[must_use]
    pub const fn system() -> Self {
        Self {
            // SAFETY: neither `take` nor `resize` asks for zero bytes, and what is given back is as it was taken.
            allocate: |_, size, align| unsafe { System.alloc(shape(size, align)) },
            // SAFETY: as above.
            release: |_, at, size, align| unsafe { System.dealloc(at, shape(size, align)) },
            // SAFETY: as above.
            resize: |_, at, old, new, align| unsafe { System.realloc(at, shape(old, align), new) },
            copies: false,
            functions: [core::ptr::null(); 3],
            user: core::ptr::null_mut(),
            world: 0,
        }
    }
}

fn shape(size: usize, align: usize) -> Shape {
    // `take` has checked both.
    Shape::from_size_align(size, align).unwrap_or(Shape::new::<u8>())
}

/// Worlds that hold so many bytes are large. With 9.5 MiB, not 10, a million entities happen to fill the last large page: 83.7 bytes each in
/// the 64-bit layout for 84.3.
const LARGE: u64 = 19 << 19;

/// A world's memory.
pub struct Memory {
    allocator: Allocator,
    /// The most bytes that may be held.
    pub budget: u64,
    /// Bytes held.
    pub bytes: u64,
    /// The most bytes ever held.
    pub peak: u64,
    /// Allocations held.
    pub allocations: u64,
    /// Pages come from slabs once so many bytes are held. `u64::MAX`: neither slabs nor tracts are used, as the memory isn't the
    /// system's, or not Linux'.
    pub large: u64,
    pub(super) slabs: Slabs,
    pub(super) tracts: Tracts,
}

impl Memory {
    /// No bytes yet. A budget of 0 is no budget.
    #[must_use]
    pub const fn new(allocator: Allocator, budget: u64) -> Self {
        let budget = if budget == 0 { u64::MAX } else { budget };
        let large =
            if cfg!(target_os = "linux") && allocator.functions[0].is_null() { LARGE } else { u64::MAX };
        Self {
            allocator,
            budget,
            bytes: 0,
            peak: 0,
            allocations: 0,
            large,
            slabs: Slabs::NONE,
            tracts: Tracts::NONE,
        }
    }

    fn afford(&self, more: usize) -> Result<(), Error> {
        if self.bytes.checked_add(more as u64).is_none_or(|sum| sum > self.budget) {
            return Err(Error::new(Kind::Budget).about(more as u64).with(self.bytes, self.budget));
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        self.peak = self.peak.max(self.bytes);
    }

    /// `size` bytes, at least one, aligned to a power of two.
    pub fn take(&mut self, size: usize, align: usize) -> Result<NonNull<u8>, Error> {
        self.take_by(size, align, Self::find)
    }

    /// The same for what is never resized, of which a large world has many: see `Slabs`.
    pub fn take_page(&mut self, size: usize, align: usize) -> Result<NonNull<u8>, Error> {
        self.take_by(size, align, |memory, size, align| {
            let page = if memory.bytes >= memory.large { memory.slabs.take(size, align) } else { None };
            page.or_else(|| memory.allocate(size, align))
        })
    }

    fn take_by(
        &mut self,
        size: usize,
        align: usize,
        find: fn(&mut Self, usize, usize) -> Option<NonNull<u8>>,
    ) -> Result<NonNull<u8>, Error> {
        let refused = Error::new(Kind::OutOfMemory).about(size as u64);
        debug_assert!(size > 0);
        Shape::from_size_align(size, align).map_err(|_| refused)?;
        self.afford(size)?;
        let at = find(self, size, align).ok_or(refused)?;
        self.count(size);
        self.allocations += 1;
        Ok(at)
    }

    fn allocate(&self, size: usize, align: usize) -> Option<NonNull<u8>> {
        NonNull::new((self.allocator.allocate)(&self.allocator, size, align))
    }

    /// Memory for what may be resized.
    fn find(&mut self, size: usize, align: usize) -> Option<NonNull<u8>> {
        let tract = if self.is_systems() { self.tracts.take(size, align) } else { None };
        tract.or_else(|| self.allocate(size, align))
    }

    /// Whether it is the system's memory, and the system one that is asked for large pages.
    const fn is_systems(&self) -> bool {
        self.large != u64::MAX
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// `at` came from `take` or `resize` of this, with that size and alignment, and is not used again.
    pub unsafe fn give(&mut self, at: NonNull<u8>, size: usize, align: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.release(at, size, align) };
        self.forget(size);
    }

    /// # Safety
    /// As `give`.
    unsafe fn release(&mut self, at: NonNull<u8>, size: usize, align: usize) {
        // SAFETY: the caller's promise.
        if size < tracts::LEAST || !unsafe { self.tracts.give(at) } {
            (self.allocator.release)(&self.allocator, at.as_ptr(), size, align);
        }
    }

    /// Counts an allocation less.
    fn forget(&mut self, bytes: usize) {
        self.bytes -= bytes as u64;
        self.allocations -= 1;
    }

    /// Gives a page back.
    ///
    /// # Safety
    /// As `give`, of `take_page`.
    pub unsafe fn give_page(&mut self, at: NonNull<u8>, size: usize, align: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.slabs.give(at, size) {
                self.forget(size);
            } else {
                self.give(at, size, align);
            }
        }
    }

    /// Lets the system have what pages that were given back still hold.
    pub fn trim(&mut self) {
        self.slabs.trim();
    }

    /// Makes an allocation larger or smaller, but not of zero bytes, keeping what fits. On error it is as it was. What lies in a
    /// tract stays there as long as it fits and is long; else it moves, and old and new are held together for a while.
    ///
    /// # Safety
    /// As `give`, if it succeeds.
    pub unsafe fn resize(
        &mut self,
        at: NonNull<u8>,
        old: usize,
        new: usize,
        align: usize,
    ) -> Result<NonNull<u8>, Error> {
        let refused = Error::new(Kind::OutOfMemory).about(new as u64);
        debug_assert!(new > 0);
        Shape::from_size_align(new, align).map_err(|_| refused)?;
        let grown = new.saturating_sub(old);
        let is_long = self.is_systems() && old.max(new) >= tracts::LEAST;
        let room = if is_long { self.tracts.room(at) } else { None };
        let stays = room.is_some_and(|room| (tracts::LEAST..=room).contains(&new));
        let to = match room {
            _ if stays => None,
            Some(_) => {
                self.afford(new)?;
                Some(self.find(new, align).ok_or(refused)?)
            }
            // Where old and new can't be held together the system may still find a way.
            None if is_long && self.afford(new).is_ok() => self.tracts.take(new, align),
            None => None,
        };
        let both = to.is_some() || self.allocator.copies;
        let more = if both { new } else { grown };
        self.afford(more)?;
        let moved = if let Some(to) = to {
            // SAFETY: both are so long; the old one is as the caller says, and isn't used again.
            unsafe {
                to.copy_from_nonoverlapping(at, old.min(new));
                self.release(at, old, align);
            }
            Some(to)
        } else if stays {
            if new < old {
                // SAFETY: it lies in what was in use, and nobody needs it.
                system::let_go(unsafe { at.add(new) }, old - new);
            }
            Some(at)
        } else {
            NonNull::new((self.allocator.resize)(&self.allocator, at.as_ptr(), old, new, align))
        };
        let moved = moved.ok_or(refused)?;
        self.peak = self.peak.max(self.bytes + more as u64);
        self.bytes = self.bytes - old as u64 + new as u64;
        Ok(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_it_holds_and_keeps_to_the_budget() {
        let mut memory = Memory::new(Allocator::system(), 100);
        let a = memory.take(60, 8).unwrap();
        assert_eq!((memory.bytes, memory.allocations), (60, 1));
        assert_eq!(memory.take(41, 8).unwrap_err().kind, Kind::Budget);
        // SAFETY: as it was taken.
        let a = unsafe { memory.resize(a, 60, 100, 8) }.unwrap();
        // SAFETY: as it was resized.
        assert!(unsafe { memory.resize(a, 100, 101, 8) }.is_err());
        // SAFETY: as it was resized.
        unsafe { memory.give(a, 100, 8) };
        assert_eq!((memory.bytes, memory.peak, memory.allocations), (0, 100, 0));
        let huge = Memory::new(Allocator::system(), 0).take(usize::MAX, 8);
        assert_eq!(huge.unwrap_err().kind, Kind::OutOfMemory);
    }
}
