//! Many elements of a pool put into an order at once.
//!
//! ```text
//!   permute(2, [4, 2, 3])      position   0  1  2  3  4        "position 2 gets what is at 4, 3 what is at 2, ..."
//!                              before     A  B  C  D  E
//!                              after      A  B  E  C  D        one cycle: C aside, E to 2, D to 4, C to 3
//! ```
//!
//! A walk along a cycle puts an element aside, and fills the hole that it leaves with the one that belongs there, which leaves the
//! next hole. Each step has to wait until the one before knows where to go. So several walks are under way at once, mostly along one
//! cycle, as of a random order the longest has half of all elements or so. A walk that comes to where one began takes what that put
//! aside, and ends.
//!
//! ```text
//!      . <- d <- e <- . <- f <- g <- h <- ...          the first walk puts a in its hole in the end
//!      c              a                                 aside
//!      first          second
//! ```

use super::Pool;
use crate::core::ids::{Layout, Word};
use crate::core::storage::lifecycle::SMALL;
use crate::core::storage::packed::Place;
use crate::core::storage::prefetch::prefetch;
use crate::core::storage::slice::{Array, checked_mut};
use core::mem::MaybeUninit;
use core::ptr::{NonNull, null_mut};

/// So many walks at once in a large pool, whose elements lie in no near cache, if each walk has a place aside: if they are small and
/// just bytes. Else there is one.
const WALKS: usize = 32;

/// In the order, where a walk began: less which one's place aside has its element. More than any position.
const ASIDE: u32 = u32::MAX;

/// Where a walk is: a position whose element left, where that is, and the position whose element belongs there.
#[derive(Clone, Copy)]
struct Walk<W> {
    hole: u32,
    from: u32,
    place: Place<W>,
}

/// A place for an element aside, and its entity.
#[derive(Clone, Copy)]
struct Aside<W> {
    element: *mut u8,
    entity: W,
}

/// Puts elements in order.
struct Walks<'a, L: Layout> {
    pool: &'a mut Pool<L>,
    /// The first position.
    first: u32,
    order: &'a mut [u32],
    /// What lies before this one has its place, or a walk on its way there.
    next: u32,
    /// Whether there may be several walks, each of which asks for what its next step takes.
    many: bool,
    asides: [Aside<L::Word>; WALKS],
}

impl<L: Layout> Pool<L> {
    /// Puts elements into an order: `order[i]` is the position whose element comes to `first + i`; it
    /// names each of these positions once, and is the identity afterwards. The spare is reserved. There
    /// are no gaps. Running iterations of the pool end.
    pub fn permute(&mut self, first: u32, order: &mut [u32]) {
        #[allow(clippy::cast_possible_truncation)]
        let count = order.len() as u32;
        assert!(self.gaps == 0 && first.checked_add(count).is_some_and(|end| end <= self.len));
        if self.shape.size > 0 && count > 1 {
            assert!(self.spare.is_some(), "a permutation without a spare");
        }
        let mut small = [MaybeUninit::<[u8; SMALL as usize]>::uninit(); WALKS];
        let is_small = self.lifecycle.relocate.is_none() && self.is_small();
        let many = is_small && self.is_large();
        let mut asides = small
            .each_mut()
            .map(|at| Aside { element: at.as_mut_ptr().cast(), entity: L::Word::from_handle(0) });
        if !is_small {
            asides[0].element = self.spare.unwrap_or(NonNull::dangling()).as_ptr();
        }
        let mut walks = Walks { pool: self, first, order, next: first, many, asides };
        if walks.go() {
            self.settle_positions(first, count);
            self.end_iterations();
        }
    }
}

impl<L: Layout> Walks<'_, L> {
    /// Goes along all cycles. Says whether there are any.
    fn go(&mut self) -> bool {
        let most = if self.many { WALKS } else { 1 };
        let place = Place { element: null_mut(), entity: null_mut() };
        let (mut walks, mut live) = (Array([Walk { hole: 0, from: 0, place }; WALKS]), 0);
        while live < most
            && let Some(walk) = self.set_out(live)
        {
            walks[live] = walk;
            live += 1;
        }
        let any = live > 0;
        while live > 0 {
            let mut at = 0;
            while at < live {
                if let Some(aside) = self.step(&mut walks[at]) {
                    let Some(walk) = self.set_out(aside) else {
                        live -= 1;
                        walks[at] = walks[live];
                        continue;
                    };
                    walks[at] = walk;
                }
                at += 1;
            }
        }
        any
    }

    /// A walk from the next position whose element has yet to move, which is put aside there.
    fn set_out(&mut self, aside: usize) -> Option<Walk<L::Word>> {
        loop {
            let (hole, from) = (self.next, *self.order.get((self.next - self.first) as usize)?);
            self.next += 1;
            if from == hole || from > ASIDE - WALKS as u32 {
                continue;
            }
            #[allow(clippy::cast_possible_truncation)]
            let mark = ASIDE - aside as u32;
            self.order[(hole - self.first) as usize] = mark;
            let place = self.pool.packed.place(hole);
            // SAFETY: the place aside is free, and an element is at a position in use.
            unsafe {
                self.pool.lifecycle.relocate(self.asides[aside].element, place.element, self.pool.size())
            };
            // SAFETY: a position in use, whose entity nobody borrows.
            self.asides[aside].entity = unsafe { place.entity.read() };
            return Some(Walk { hole, from, place });
        }
    }

    /// Fills the hole of a walk. Returns the place aside that became free by this, where the walk ends.
    #[inline(always)]
    fn step(&mut self, walk: &mut Walk<L::Word>) -> Option<usize> {
        let Walk { hole, from, place: to } = *walk;
        let next = core::mem::replace(checked_mut(self.order, (from - self.first) as usize), from);
        let source = self.pool.packed.place(from);
        let aside = (ASIDE - next) as usize;
        let came = self.asides.get(aside);
        let (element, entity) = match came {
            Some(aside) => (aside.element, aside.entity),
            // SAFETY: a position in use, where an element is: until now the order said neither that it has its place nor that it is aside.
            None => (source.element, unsafe { source.entity.read() }),
        };
        *walk = Walk { hole: from, from: next, place: source };
        let ended = came.is_some();
        // SAFETY: an element, which moves to where none is any more, and its entity.
        unsafe {
            self.pool.lifecycle.relocate(to.element, element, self.pool.size());
            to.entity.write(entity);
        }
        self.pool.point(entity.handle(), hole);
        if self.many
            && let Some(order) = self.order.get(next.wrapping_sub(self.first) as usize)
        {
            let place = self.pool.packed.place(next);
            prefetch(place.element);
            prefetch(place.entity);
            prefetch(order);
        }
        ended.then_some(aside)
    }
}
