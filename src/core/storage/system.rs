//! What the system is told about memory, beside asking for it and giving it back: nothing, but on Linux.

use core::ptr::NonNull;

/// What begins at a multiple of this may be backed by large pages: one of x86-64, and of most other processors.
pub const LARGE_PAGE: usize = 2 << 20;

/// What it lets go begins and ends at multiples of this: the largest of its smallest pages.
pub const SMALL_PAGE: usize = 64 << 10;

// From Linux' mman.h; the same on all processors.
const LARGE_PAGES: i32 = 14;
const NOT_NEEDED: i32 = 4;

/// Asks for large pages behind memory that nobody has written to yet. If the system won't, nothing is lost.
pub fn ask_for_large_pages(at: NonNull<u8>, size: usize) {
    advise(at, size, LARGE_PAGES);
}

/// Lets the system have memory whose bytes nobody needs, as far as whole pages of it are there, until somebody writes to it.
pub fn let_go(at: NonNull<u8>, size: usize) {
    let first = at.addr().get();
    let skip = first.next_multiple_of(SMALL_PAGE) - first;
    let whole = size.saturating_sub(skip) / SMALL_PAGE * SMALL_PAGE;
    if whole > 0 {
        // SAFETY: it lies within the memory.
        advise(unsafe { at.add(skip) }, whole, NOT_NEEDED);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn advise(at: NonNull<u8>, size: usize, advice: i32) {
    unsafe extern "C" {
        fn madvise(at: *mut u8, size: usize, advice: i32) -> i32;
    }
    // SAFETY: the memory is ours; the first advice changes only how it is backed, the second takes bytes that nobody needs.
    unsafe { madvise(at.as_ptr(), size, advice) };
}

#[cfg(any(not(target_os = "linux"), miri))]
const fn advise(_: NonNull<u8>, _: usize, _: i32) {}
