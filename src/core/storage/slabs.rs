//! Pages of a large world, cut from slabs that the system may back with large pages: a world of a million entities
//! lies on tens of thousands of the system's small ones, and asking where these are takes much of the time.
//!
//! ```text
//!   slab     | header | page | page | freed page | page | ...  | not cut yet            |
//!                                    `-> next of a like size     ^ used
//! ```
//!
//! A page that is given back waits in its slab for the next one of its size, where larger ones have few sizes. A slab goes back when none of its pages is
//! in use. Only what was cut is ever touched, so that the rest of a slab takes no memory but the last large page's.

use super::slice::Array;
use super::system;
use core::alloc::{GlobalAlloc, Layout as Shape};
use core::ptr::NonNull;
use std::alloc::System;

/// Bytes of a slab, and what it is aligned to.
const SHAPE: Shape = match Shape::from_size_align(16 << 20, system::LARGE_PAGE) {
    Ok(shape) => shape,
    Err(_) => panic!(),
};
/// The largest page that is cut from one.
const MOST: usize = SHAPE.size() / 4;
/// Pages that were given back wait with those from one power of two to the next: who looks for one of its size sees few
/// others.
const QUEUES: usize = MOST.ilog2() as usize + 1;

/// Smaller pages are as large as they are asked for: there are most of them.
const SMALL: usize = 2048;

/// What a page of that size takes. Eight sizes from one power of two to the next: components of ever other sizes that come
/// and go find what those before them gave back.
const fn taken(size: usize) -> usize {
    if size < SMALL { size } else { size.next_multiple_of(1 << (size.ilog2() - 3)) }
}

/// A slab's header, at its beginning.
struct Slab {
    next: Option<NonNull<Self>>,
    /// Pages in use.
    live: usize,
    /// Bytes that were cut, with this header.
    used: usize,
    /// Pages that were given back.
    free: Array<Option<NonNull<Free>>, QUEUES>,
}

/// A page that was given back, at its beginning.
struct Free {
    next: Option<NonNull<Self>>,
    size: usize,
}

/// All slabs of a world.
pub struct Slabs {
    first: Option<NonNull<Slab>>,
}

impl Slabs {
    /// None yet.
    pub const NONE: Self = Self { first: None };

    /// A page, if it isn't too small or too large for a slab, and there is memory for one.
    pub fn take(&mut self, size: usize, align: usize) -> Option<NonNull<u8>> {
        if !(size_of::<Free>()..=MOST).contains(&size) || align > SHAPE.align() {
            return None;
        }
        let (size, align) = (taken(size), align.max(align_of::<Free>()));
        let mut at = self.first;
        while let Some(mut first) = at {
            // SAFETY: slabs are this one's own, and their headers made.
            let slab = unsafe { first.as_mut() };
            // SAFETY: what is cut lies within the slab.
            let page = slab
                .reuse(size, align)
                .or_else(|| slab.cut(size, align).map(|at| unsafe { first.cast().add(at) }));
            if page.is_some() {
                slab.live += 1;
                return page;
            }
            at = slab.next;
        }
        self.add()?;
        self.take(size, align)
    }

    fn add(&mut self) -> Option<()> {
        // SAFETY: its size isn't 0.
        let at = NonNull::new(unsafe { System.alloc(SHAPE) })?;
        system::ask_for_large_pages(at, SHAPE.size());
        let slab = at.cast::<Slab>();
        // SAFETY: new memory, larger than a header and aligned to more.
        unsafe {
            slab.write(Slab {
                next: self.first,
                live: 0,
                used: size_of::<Slab>(),
                free: Array([None; QUEUES]),
            })
        };
        self.first = Some(slab);
        Some(())
    }

    /// Takes a page back, if it is of a slab; says whether it was.
    ///
    /// # Safety
    /// It is of that size, and isn't used again.
    pub unsafe fn give(&mut self, page: NonNull<u8>, size: usize) -> bool {
        let mut link = &mut self.first;
        while let Some(mut at) = *link {
            // SAFETY: as above.
            let slab = unsafe { at.as_mut() };
            let offset = page.addr().get().wrapping_sub(at.addr().get());
            if offset >= SHAPE.size() {
                link = &mut slab.next;
                continue;
            }
            slab.live -= 1;
            if slab.live == 0 {
                *link = slab.next;
                // SAFETY: as it was taken; no page of it is in use, and nothing finds it anymore.
                unsafe { System.dealloc(at.cast().as_ptr(), SHAPE) };
                return true;
            }
            let size = taken(size);
            let free = &mut slab.free[queue_of(size)];
            // SAFETY: the page is at least as large as that, aligned for it, and nobody else's.
            unsafe { page.cast::<Free>().write(Free { next: *free, size }) };
            *free = Some(page.cast());
            return true;
        }
        false
    }

    /// Lets the system have the memory of large pages that wait, but for the `Free` at a page's beginning.
    pub fn trim(&mut self) {
        let mut at = self.first;
        while let Some(slab) = at {
            // SAFETY: as above.
            let slab = unsafe { slab.as_ref() };
            for mut free in slab.free.into_iter().skip(system::SMALL_PAGE.ilog2() as usize) {
                while let Some(page) = free {
                    // SAFETY: as in `reuse`; the page is longer than that, and nobody needs what lies behind.
                    let (Free { next, size }, behind) = unsafe { (page.read(), page.add(1)) };
                    system::let_go(behind.cast(), size - size_of::<Free>());
                    free = next;
                }
            }
            at = slab.next;
        }
    }
}

/// The queue of pages of a size: `ilog2`, which would name its line for a size of 0.
const fn queue_of(size: usize) -> usize {
    (usize::BITS - 1).saturating_sub(size.leading_zeros()) as usize
}

impl Slab {
    /// A page that was given back, of just that size.
    fn reuse(&mut self, size: usize, align: usize) -> Option<NonNull<u8>> {
        let mut link = &mut self.free[queue_of(size)];
        while let Some(mut at) = *link {
            // SAFETY: who is in the list was given back, so nobody else has it.
            let free = unsafe { at.as_mut() };
            if free.size == size && at.addr().get() % align == 0 {
                *link = free.next;
                return Some(at.cast());
            }
            link = &mut free.next;
        }
        None
    }

    /// How far from the slab's beginning there is one that nobody had yet.
    fn cut(&mut self, size: usize, align: usize) -> Option<usize> {
        let at = self.used.next_multiple_of(align);
        if at + size > SHAPE.size() {
            return None;
        }
        self.used = at + size;
        Some(at)
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::*;
    use crate::core::storage::dice::Dice;
    use crate::core::storage::memory::{Allocator, Memory};

    /// Who holds a page, what is written all over it, and how large it is.
    type Held = (NonNull<u8>, u8, usize);

    fn fill((at, mark, size): Held) -> Held {
        // SAFETY: it is ours, and so large.
        unsafe { at.as_ptr().write_bytes(mark, size) };
        (at, mark, size)
    }

    fn check((at, mark, size): Held) {
        // SAFETY: as above; it was filled.
        let bytes = unsafe { core::slice::from_raw_parts(at.as_ptr(), size) };
        assert!(bytes.iter().all(|byte| *byte == mark), "a page of {size} bytes was written to");
    }

    #[test]
    fn pages_are_their_owners_alone() {
        let sizes = [16, 2192, 8, 655_360, 100, 2192, 40_000, 16_383, 16_384, 5 << 20];
        let aligns = [1, 8, 4096, 64, 16];
        let (steps, kinds) = if cfg!(miri) { (60, 3) } else { (4000, sizes.len()) };
        let mut memory = Memory::new(Allocator::system(), 0);
        memory.large = 0;
        let mut saw_slabs = false;
        let (mut held, mut dice): (Vec<(Held, usize)>, _) = (Vec::new(), Dice(7));
        for step in 0..steps {
            let die = dice.next(1 << 31) as usize;
            // Waves: it fills, and empties, so that slabs come and go.
            if die % 100 < if step / (steps / 6) % 2 == 0 { 70 } else { 20 } {
                let (size, align) = (sizes[die % kinds], aligns[die / 16 % 5]);
                let at = memory.take_page(size, align).unwrap();
                assert_eq!(at.addr().get() % align, 0);
                held.push((fill((at, die as u8, size)), align));
            } else if !held.is_empty() {
                let (page, align) = held.swap_remove(die % held.len());
                check(page);
                // SAFETY: as it was taken.
                unsafe { memory.give_page(page.0, page.2, align) };
            }
            saw_slabs |= memory.slabs.first.is_some();
            if step % 50 == 0 {
                memory.trim();
            }
            assert_eq!(memory.bytes, held.iter().map(|(page, _)| page.2 as u64).sum::<u64>());
        }
        assert!(saw_slabs);
        for (page, align) in held {
            check(page);
            // SAFETY: as it was taken.
            unsafe { memory.give_page(page.0, page.2, align) };
        }
        assert_eq!((memory.bytes, memory.allocations, memory.slabs.first.is_some()), (0, 0, false));
    }

    #[test]
    fn a_page_that_was_given_back_is_the_next_of_its_size() {
        let mut slabs = Slabs::NONE;
        let mut take = |size| slabs.take(size, 64).unwrap();
        let (a, b, c) = (take(1000), take(2000), take(300_000));
        // SAFETY: as they were taken; `a` stays.
        unsafe { assert!(slabs.give(b, 2000) && slabs.give(c, 300_000)) };
        let mut take = |size| slabs.take(size, 64).unwrap();
        assert!(![b, c].contains(&take(1999)));
        // Of larger pages, one of nearly the same size will do; what it takes is known from what it was asked for.
        assert!(take(327_681) != c);
        let larger = take(327_680);
        assert_eq!((larger, take(2000)), (c, b));
        // SAFETY: as it was taken.
        assert!(unsafe { slabs.give(larger, 327_680) });
        assert_eq!(slabs.take(294_913, 64), Some(c));
        let mut take = |size| slabs.take(size, 64).unwrap();
        assert!(![a, b, c].contains(&take(2000)));
        let mut other = [0_u8; 8];
        // SAFETY: it says so, and doesn't take it.
        assert!(!unsafe { slabs.give(NonNull::from(&mut other).cast(), 8) });
        for (page, size) in [(a, 1000), (b, 2000)] {
            // SAFETY: as they were taken.
            assert!(unsafe { slabs.give(page, size) });
        }
        assert!(slabs.first.is_some(), "some are in use");
        // SAFETY: of what is in use nothing is touched again.
        unsafe { System.dealloc(slabs.first.unwrap().cast().as_ptr(), SHAPE) };
    }

    #[test]
    fn what_is_too_large_or_too_small_is_not_of_a_slab() {
        let mut slabs = Slabs::NONE;
        assert_eq!((slabs.take(MOST + 1, 8), slabs.take(1, 1), slabs.take(64, 4 << 20)), (None, None, None));
        assert!(slabs.first.is_none());
    }

    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn trimmed_pages_take_no_memory() {
        let mut slabs = Slabs::NONE;
        let stays = slabs.take(64, 8).unwrap();
        let page = fill((slabs.take(655_360, 64).unwrap(), 0xAA, 655_360));
        // SAFETY: as it was taken.
        assert!(unsafe { slabs.give(page.0, page.2) });
        slabs.trim();
        assert_eq!(slabs.take(page.2, 64), Some(page.0));
        // The system brings zeros where it had taken the memory.
        // SAFETY: it is ours, and was written.
        let bytes = unsafe { core::slice::from_raw_parts(page.0.as_ptr(), page.2) };
        let taken = bytes.iter().filter(|byte| **byte == 0).count();
        assert!(taken > 500_000, "{taken}");
        for (page, size) in [(stays, 64), (page.0, page.2)] {
            // SAFETY: as they were taken.
            assert!(unsafe { slabs.give(page, size) });
        }
        assert!(slabs.first.is_none());
    }
}
