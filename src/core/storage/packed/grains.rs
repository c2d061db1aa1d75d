//! Where elements are, for each few neighbours: looking one up is a shift and a load.
//!
//! ```text
//!   up to 32,768 positions     pages     |16|48|  192  | ...
//!                              grains    |16|16 16 16|16 ...        an address for each 16 positions
//!
//!   more                       pages     |16|48|192|        768        |   3072    ...
//!                              grains    |  none  | 256 | 256 | 256   | 256 | 256 ...
//!
//!   up to 256 large elements   pages     |1| 3 |  12  | ...
//!                              grains    |1|111|1...1 | ...          an address for each; of more, as above
//! ```
//!
//! None: they lie in several pages, or there is nothing that anybody may write to. Where they are is found by their
//! page's entry then (`packed`). An address is that of position 0, if the elements reached so far: see there.

use super::pages::{FIRST, LARGE};
use crate::core::error::Error;
use crate::core::storage::buffer::Buffer;
use crate::core::storage::memory::Memory;
use core::ops::Range;
use core::ptr::null_mut;

/// Positions of a fine grain, those of the first page, and of a coarse one: 2 to the power of these.
const FINE: u32 = FIRST.ilog2();
const COARSE: u32 = 8;
/// What makes grains coarser.
const STEP: u32 = 4;
/// The most positions that are found by fine ones.
pub(super) const MOST_FINE: u32 = LARGE;
/// The most that are found one by one, where a few are.
const MOST_SINGLE: u32 = 256;

/// Addresses by grain, for many look-ups: a copy of what they need, so that it isn't read anew after each write elsewhere.
#[derive(Clone, Copy)]
pub struct View<'a> {
    at: &'a [*mut u8],
    bits: u32,
}

impl View<'_> {
    /// As `Grains::find`.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    #[must_use]
    pub unsafe fn find(self, position: u32) -> *mut u8 {
        debug_assert!(((position >> self.bits) as usize) < self.at.len());
        // SAFETY: the caller's promise: there is a grain for it.
        unsafe { *self.at.get_unchecked((position >> self.bits) as usize) }
    }
}

/// Addresses by grain.
pub struct Grains {
    at: Buffer<*mut u8>,
    /// A grain has so many positions; 2 to the power of this.
    bits: u32,
    /// A few are found one by one.
    single: bool,
    /// No address is said.
    hidden: bool,
}

impl Grains {
    /// Of no page yet. `single`: a few elements are found one by one, as their first page is split; `hidden`: they are never to say an address.
    #[must_use]
    pub const fn new(single: bool, hidden: bool) -> Self {
        Self { at: Buffer::new(), bits: fit(0, single), single, hidden }
    }

    /// Says no address from now on.
    pub fn hide(&mut self) {
        self.hidden = true;
        self.at.fill(null_mut());
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.at.bytes()
    }

    /// The address for a position's grain; null: it has several, or none is to be said.
    ///
    /// # Safety
    /// The position must have been set.
    #[inline(always)]
    #[must_use]
    pub unsafe fn find(&self, position: u32) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { self.view().find(position) }
    }

    /// For many look-ups.
    #[inline(always)]
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { at: &self.at, bits: self.bits }
    }

    /// Makes room for positions below `end`.
    #[inline(never)]
    pub fn reserve(&mut self, memory: &mut Memory, end: u32) -> Result<(), Error> {
        while self.bits < fit(end, self.single) {
            self.coarsen(memory);
        }
        let grains = end.div_ceil(1 << self.bits) as usize;
        self.at.reserve(memory, grains.saturating_sub(self.at.len()))
    }

    /// Says where the elements of one page, or of several that were joined, are; room was reserved. What comes before
    /// has been set.
    #[inline(never)]
    pub fn set(&mut self, positions: Range<u32>, elements: *mut u8) {
        let size = 1 << self.bits;
        let (first, end) = (positions.start / size, positions.end.div_ceil(size));
        // Whole grains: one that isn't is one of several pages.
        let whole =
            !self.hidden && positions.start.is_multiple_of(size) && positions.end.is_multiple_of(size);
        let (first, end) = (first as usize, end as usize);
        self.at.fill_reserved(end.saturating_sub(self.at.len()), null_mut());
        self.at[first..end].fill(if whole { elements } else { null_mut() });
    }

    /// Larger grains in place of small ones.
    fn coarsen(&mut self, memory: &mut Memory) {
        const MANY: usize = 1 << STEP;
        let all = self.at.len().div_ceil(MANY);
        for number in 0..all {
            let first = number * MANY;
            let some = &self.at[first..self.at.len().min(first + MANY)];
            let one = some.iter().all(|at| *at == some[0]) && some.len() == MANY;
            self.at[number] = if one { some[0] } else { null_mut() };
        }
        self.at.truncate(all);
        self.at.shrink(memory);
        self.bits += STEP;
    }

    /// Forgets positions from `end` on, where a page ends. `elements` says the address for a grain before it, or null: for what
    /// is small again, if there is memory.
    #[inline(never)]
    pub fn shrink(&mut self, memory: &mut Memory, end: u32, elements: &dyn Fn(Range<u32>) -> *mut u8) {
        self.at.truncate(end.div_ceil(1 << self.bits) as usize);
        let bits = fit(end, self.single);
        let grains = (end >> bits) as usize;
        if bits < self.bits && self.at.reserve_exact(memory, grains).is_ok() {
            self.bits = bits;
            self.at.truncate(0);
            for grain in 0..grains as u32 {
                let positions = grain << bits..(grain + 1) << bits;
                self.at.push_reserved(if self.hidden { null_mut() } else { elements(positions) });
            }
        }
        self.at.shrink(memory);
    }
}

/// How large grains are where there are so many positions: as `Grains::bits`.
const fn fit(end: u32, single: bool) -> u32 {
    match end {
        0..=MOST_SINGLE if single => 0,
        0..=MOST_FINE => FINE,
        _ => COARSE,
    }
}
