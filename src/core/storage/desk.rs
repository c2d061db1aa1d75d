//! Where positions are sorted before anything moves: in memory that was asked for first.

use super::buffer::Buffer;
use super::memory::Memory;
use super::order::{Compared, Comparison};
use super::pool::{AT_ONCE, Pool};
use super::sorting;
use crate::core::error::Error;
use crate::core::ids::{Handle, Layout, Word};
use core::ptr::null;

/// In `scratch`: a position that has its place already. What is laid is none.
const HAD: u32 = 1;

/// Memory to sort in.
#[derive(Default)]
pub struct Desk {
    /// Positions, as they should be.
    pub order: Buffer<u32>,
    /// As much again.
    pub scratch: Buffer<u32>,
}

impl Desk {
    /// For so many.
    pub fn new(memory: &mut Memory, count: u32) -> Result<Self, Error> {
        let mut desk = Self::default();
        let made = desk.order.reserve_exact(memory, count as usize);
        let made = made.and_then(|()| desk.scratch.reserve_exact(memory, count as usize));
        match made {
            Ok(()) => Ok(desk),
            Err(error) => {
                desk.free(memory);
                Err(error)
            }
        }
    }

    /// The positions from `first` on, as they are.
    pub fn lay(&mut self, first: u32, count: u32) {
        for buffer in [&mut self.order, &mut self.scratch] {
            buffer.truncate(0);
            buffer.extend_reserved((0..count as usize).map(|_| 0));
        }
        self.order.iter_mut().zip(first..).for_each(|(place, position)| *place = position);
    }

    /// Whether the positions from `first` on are as they are.
    #[must_use]
    pub fn is_laid(&self, first: u32) -> bool {
        self.order.iter().zip(first..).all(|(place, position)| *place == position)
    }

    /// Puts first those whom another pool has, in its order, then the others. It was laid; `position` is of a member, and `ask` is for
    /// those from a position of the other on who are looked up next.
    pub fn follow<L: Layout>(
        &mut self,
        first: u32,
        like: &Pool<L>,
        position: impl Fn(Handle) -> Option<u32>,
        ask: impl Fn(u32),
    ) {
        let Self { order, scratch } = self;
        let mut next = 0;
        for other in 0..like.len() {
            if other % AT_ONCE as u32 == 0 {
                ask(other);
            }
            if like.is_gap(other) {
                continue;
            }
            if next == order.len() {
                break;
            }
            let here =
                position(like.entity(other)).map_or(u32::MAX, |here| here.wrapping_sub(first)) as usize;
            // Without a branch: whether one is here, too, is often a coin toss.
            let is_here = here < order.len();
            order[next] = first.wrapping_add(here as u32);
            scratch[if is_here { here } else { 0 }] |= if is_here { HAD } else { 0 };
            next += usize::from(is_here);
        }
        for (here, had) in (first..).zip(scratch.iter()) {
            if next == order.len() {
                break;
            }
            order[next] = here;
            next += usize::from(*had != HAD);
        }
    }

    /// Gives the memory back.
    pub fn free(&mut self, memory: &mut Memory) {
        self.order.free(memory);
        self.scratch.free(memory);
    }
}

impl Comparison {
    /// Puts positions into its order; `at` has what is compared at a position.
    pub fn sort(&self, desk: &mut Desk, at: &dyn Fn(u32) -> Compared) {
        sorting::sort(&mut desk.order, &mut desk.scratch, self, at);
    }
}

impl<L: Layout> Pool<L> {
    /// What there is to compare at a position: no element, if it is nothing.
    #[inline(always)]
    #[must_use]
    pub fn compared(&self, position: u32) -> Compared {
        let place = self.packed().place(position);
        let element = if self.shape.size == 0 { null() } else { place.element.cast_const() };
        // SAFETY: as in `Packed::entity`.
        (element, unsafe { place.entity.read() }.handle())
    }
}
