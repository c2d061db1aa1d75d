//! Where pages begin and end, and which entry a position has.
//!
//! ```text
//!   page        |        0         |  1    |   2     |    3      |     4       |      5        |   6   |   7       8 ...
//!   elements    |        16        |  48   |  192    |   768     |   3072      |    12288      | 16384 | 32768   32768
//!   entry       |  0  1  2  3  4   | 5  6  | 7   8   |  9   10   |  11    12   |   13    14    |  15   |  16      17 ...
//!   elements    |  1  1  2  4  8   |16 32  |64 128   | 256  512  | 1024  2048  |  4096   8192  | 16384 | 32768   32768
//!   split page  |  1  | 3  |  12   |
//! ```
//!
//! Pages grow fast, because a run of matches ends where a page does. There is an entry for each power of two, which is two
//! for most of the smaller pages, so that a position's is found without a branch. Where elements are large the first page
//! is split into three: then the first element takes no memory for fifteen others.

use core::hint::select_unpredictable;

/// Elements of the largest pages.
pub const LARGE: u32 = 32768;
/// Elements of the first page, if it isn't split.
pub const FIRST: u32 = 16;
/// Elements of more bytes are large: the first page is split.
pub const WHOLE: usize = 64;
/// Entries of smaller pages than the largest, but for the first.
pub const SMALL: u32 = LARGE.ilog2();
/// Smaller pages, but for the first.
pub const SMALL_PAGES: u32 = 6;
const _: () = assert!(end_of(start_of(LARGE - 1)) == LARGE && page_of(LARGE - 1) == SMALL_PAGES);

/// 0 for the first position; for others the number of bits.
#[inline(always)]
const fn bits(position: u32) -> u32 {
    (position << 1 | 1).ilog2()
}

/// The entry of a position. No branch: which one it is can't be foretold where positions come in any order.
#[inline(always)]
pub fn entry_of(position: u32) -> usize {
    let (large, small) = (position / LARGE + SMALL, bits(position));
    select_unpredictable(position >= LARGE, large, small) as usize
}

/// The exponent of a position's page, an even number: it begins at 2 to the power of this, if it is neither the first nor large.
#[inline(always)]
const fn exponent(position: u32) -> u32 {
    (position | (FIRST - 1)).ilog2() & !1
}

/// The page of a position, if none is split.
pub const fn page_of(position: u32) -> u32 {
    if position >= LARGE { position / LARGE + SMALL_PAGES } else { exponent(position) / 2 - 1 }
}

/// Where the page of a position ends, if it isn't split: the start of the next one.
#[inline(always)]
pub const fn end_of(position: u32) -> u32 {
    if position >= LARGE {
        return (position | (LARGE - 1)).saturating_add(1);
    }
    let end = 4 << exponent(position);
    // The last one before the large ones ends where they begin.
    if end < LARGE { end } else { LARGE }
}

/// Where the page of a position begins, if it isn't split.
pub const fn start_of(position: u32) -> u32 {
    match position {
        0..FIRST => 0,
        FIRST..LARGE => 1 << exponent(position),
        _ => position & !(LARGE - 1),
    }
}

/// Where the page of a position in a split one begins.
pub const fn split_start(position: u32) -> u32 {
    if position == 0 { 0 } else { 1 << (position.ilog2() & !1) }
}

/// Where it ends.
pub const fn split_end(position: u32) -> u32 {
    if position == 0 { 1 } else { 4 * split_start(position) }
}

/// Where the page ends that comes after one's end, or the part of a split one: for who goes from page to page.
#[inline(always)]
#[must_use]
pub const fn after(end: u32) -> u32 {
    if end >= LARGE {
        end.saturating_add(LARGE)
    } else if 4 * end < LARGE {
        4 * end
    } else {
        LARGE
    }
}
