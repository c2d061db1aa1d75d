//! Asking for memory before it is needed.
//!
//! Processors see by themselves that a loop goes through memory in order, but not beyond the page of 4 KB that they
//! are in: there each stream begins with misses, and adding or removing two components has more than ten streams. What
//! is asked for a little ahead is there in time. At a million entities that takes a fifth off making them and off
//! destroying them; where they fit into the caches there is nothing to gain, and nothing is asked for.
//!
//! ```text
//!   |..... written ..... here |- AHEAD -|*** asked for ***|       from time to time, for as many as come until the next time
//! ```

/// So many bytes ahead.
const AHEAD: usize = 256;
/// At most so many at once, where it is so far ahead.
const MOST: usize = 1024;
/// Bytes of a line of the caches.
const LINE: usize = 64;

/// Asks for the memory at an address, which need not be anybody's.
#[inline(always)]
pub fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on the caches, whatever the address.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Asks for all of these.
#[inline(never)]
pub fn prefetch_all(rows: &[*mut u8]) {
    rows.iter().for_each(|row| prefetch(*row));
}

/// Asks for some bytes after a place, for who goes upwards.
#[inline(always)]
pub fn prefetch_after<T>(at: *const T, bytes: usize) {
    prefetch_lines(at.cast::<u8>().wrapping_add(AHEAD), bytes.min(MOST), LINE as isize);
}

/// Asks for all of some bytes from a place on.
#[inline(always)]
pub fn prefetch_from<T>(at: *const T, bytes: usize) {
    prefetch_lines(at.cast(), bytes, LINE as isize);
}

/// Asks for some bytes before a place, for who goes downwards.
#[inline(always)]
pub fn prefetch_before<T>(at: *const T, bytes: usize) {
    prefetch_lines(at.cast::<u8>().wrapping_sub(AHEAD), bytes.min(MOST), -(LINE as isize));
}

/// Asks for lines from one on, until there are so many bytes.
#[inline(never)]
fn prefetch_lines(mut at: *const u8, bytes: usize, step: isize) {
    for _ in 0..bytes.div_ceil(LINE) {
        prefetch(at);
        at = at.wrapping_offset(step);
    }
}
