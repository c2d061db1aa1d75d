//! Putting pools into the order that makes runs long: a bounded number of moves at a time.
//!
//! ```text
//!   kept query A (priority 2), kept query B (priority 1), both with Position:
//!
//!   Position   [ in A | in B, not in A | in neither ]      each part in the order of indices
//! ```
//!
//! Iterations go in the order of indices, so a query's matches are one run where they lie in that order, with nobody
//! between them, in each of its pools: a part that another query's matches were set apart in would be torn for A. What B is
//! left with is what priority means. A pool that no kept query asks for is put into the order of indices. The parts are
//! filled from the left, each element by a swap with what is in its place: every state in between is as good as any other.
//!
//! Who allows many moves also gets the first pages of pools joined, which is as much work as a page has elements, once for
//! each pool as it grows.
//!
//! Pools take turns: where the moves run out, the next call begins with the pool behind. So a pool that
//! changes all the time doesn't keep the others from ever getting any.

use super::{Ecs, World};
use crate::core::error::Error;
use crate::core::ids::Layout;
use crate::core::query::Kept;
use crate::core::storage::pool::Arranging;
use crate::core::storage::slice::{Array, insert};

/// The most kept queries that a pool's order heeds: each looks at all its members once more.
const HEEDED: usize = 16;

/// The kept queries that want a pool in order, the most important first; of equal ones, that which was made first.
#[derive(Clone, Copy, Default)]
struct Wishes {
    queries: Array<(i32, u64, u32), HEEDED>,
    count: usize,
}

impl Wishes {
    fn add(&mut self, kept: &Kept, query: u32) {
        let comes_later = |other: &(i32, u64, u32)| (other.0, kept.number) < (kept.priority, other.1);
        let place = self.queries[..self.count].iter().position(comes_later).unwrap_or(self.count);
        if place < HEEDED {
            self.count = (self.count + 1).min(HEEDED);
            insert(&mut self.queries[..self.count], place, (kept.priority, kept.number, query));
        }
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.queries[..self.count].iter().map(|(.., query)| *query)
    }
}

impl<L: Layout> World<L> {
    fn wishes(&self, number: u32) -> Wishes {
        let mut wishes = Wishes::default();
        for (handle, query) in self.queries.iter() {
            if let (Some(kept), Ok(join)) = (&query.kept, query.join())
                && query.has_runs()
                && join.runs_along(number)
            {
                wishes.add(kept, handle);
            }
        }
        wishes
    }

    /// What the order of a pool depends on: never 0. Each bit of it depends on each number, so that no two small differences make
    /// up for each other (splitmix64: Steele, Lea, Flood 2014).
    fn wish_stamp(&self, number: u32, wishes: &Wishes) -> u64 {
        let joins = wishes.iter().filter_map(|query| Some((query, self.queries.get(query)?.join().ok()?)));
        let wanted = joins.flat_map(|(query, join)| [u64::from(query), join.member_stamp()]);
        let own = self.pools.get(number).map_or(0, |pool| pool.changes());
        wanted.chain([own]).fold(0, |stamp, number| {
            let mut mixed = (stamp ^ number).wrapping_add(0x9E37_79B9_7F4A_7C15);
            mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ mixed >> 31
        }) | 1 << 63
    }

    /// Those of a word's members that belong to a part of the order: the matches of the wish of that number that are in no
    /// part before, or behind the last wish's, all who are left.
    fn in_part(&self, wishes: &Wishes, part: u32, index: u32, members: u64) -> u64 {
        let mut left = members;
        for (query, number) in wishes.iter().zip(0..) {
            let join = self.queries.get(query).and_then(|query| query.join().ok());
            let matches = join.map_or(0, |join| join.matches_around(index));
            if number == part {
                return left & matches;
            }
            left &= !matches;
        }
        left
    }

    /// Which order a pool is to be put into, and where that stands; none if its order is somebody's, or all is in
    /// order.
    fn arranging(&self, number: u32) -> Option<(Wishes, Arranging)> {
        let pool = self.pools.get(number).filter(|pool| pool.may_be_arranged())?;
        let wishes = self.wishes(number);
        let stamp = self.wish_stamp(number, &wishes);
        if pool.arranging.stamp != stamp {
            return Some((wishes, Arranging { stamp, ..Arranging::default() }));
        }
        (!pool.arranging.done).then_some((wishes, pool.arranging))
    }

    /// Reserves what all pools need that are to be put into order; says whether there are any.
    fn reserve_spares(&mut self) -> Result<bool, Error> {
        let mut any = false;
        for number in 0..self.pools.numbers() {
            if self.arranging(number).is_some()
                && let Some(pool) = self.pools.get_mut(number)
            {
                pool.reserve_spare(&mut self.memory)?;
                any = true;
            }
        }
        Ok(any)
    }

    fn free_spares(&mut self) {
        for number in 0..self.pools.numbers() {
            if let Some(pool) = self.pools.get_mut(number) {
                pool.release_spare(&mut self.memory);
            }
        }
    }

    /// Joins the first pages of pools, so that runs don't end there: as long as no more than `most` elements move in all, and
    /// there is memory. Who is left out gets its turn in a later call, which has nothing to do for the others.
    fn join_pages(&mut self, mut most: u32) {
        for number in 0..self.pools.numbers() {
            if let Some(pool) = self.pools.get_mut(number)
                && let Ok(moved @ 1..) = pool.join_pages(&mut self.memory, most)
            {
                most -= moved;
                self.groups.end_iterations(number);
                self.touch();
            }
        }
    }

    /// Puts a pool into order, with at most `budget` swaps; returns how many were made.
    fn arrange(&mut self, number: u32, budget: u32) -> u32 {
        let Some((wishes, mut at)) = self.arranging(number) else { return 0 };
        let made = self.fill_parts(number, &wishes, &mut at, budget);
        if let Some(pool) = self.pools.get_mut(number)
            && made > 0
        {
            pool.end_iterations();
        }
        at.stamp = self.wish_stamp(number, &wishes);
        if let Some(pool) = self.pools.get_mut(number) {
            pool.arranging = at;
        }
        made
    }

    fn fill_parts(&mut self, number: u32, wishes: &Wishes, at: &mut Arranging, budget: u32) -> u32 {
        let mut made = 0;
        while at.part as usize <= wishes.count {
            let word = self.pools.get(number).and_then(|pool| pool.next_word(at.index));
            let Some((index, members)) = word else {
                at.part += 1;
                at.index = 0;
                continue;
            };
            let mut left = self.in_part(wishes, at.part, index, members) & u64::MAX << (index % 64);
            let Some(pool) = self.pools.get_mut(number) else { return made };
            let there = left == members && pool.lies_in_order_from(index, at.next);
            if there {
                at.next += members.count_ones();
            }
            if there || left == 0 {
                at.index = (index | 63) + 1; // or none of it belongs to this part
                continue;
            }
            pool.ask_for_swaps(index, left, at.next);
            while left != 0 {
                let next = (index & !63) + left.trailing_zeros();
                let position = pool.position_at(next);
                if position != at.next {
                    if made == budget {
                        at.index = next;
                        return made;
                    }
                    pool.swap_positions(position, at.next);
                    made += 1;
                }
                at.next += 1;
                left &= left - 1;
            }
            pool.settle_order(index);
            at.index = (index | 63) + 1;
        }
        at.done = true;
        made
    }
}

impl<L: Layout> Ecs<L> {
    /// Puts pools into the order that makes runs long, with at most `moves` swaps of two elements;
    /// returns how many were made: fewer when all is in order. First pages are joined too, as long as no
    /// more elements move by that.
    pub fn optimise(&self, moves: u32) -> Result<u32, Error> {
        self.with(|w| {
            w.writable()?;
            if moves == 0 {
                // Whose turn comes next stays so.
                return Ok(0);
            }
            let mut made = 0;
            let reserved = w.reserve_spares();
            if reserved.is_ok() {
                w.join_pages(moves);
            }
            if reserved == Ok(true) {
                let (numbers, first) = (w.pools.numbers(), w.turn);
                for number in (first..numbers).chain(0..first.min(numbers)) {
                    made += w.arrange(number, moves - made);
                    if made == moves {
                        w.turn = number + 1;
                        break;
                    }
                }
            }
            w.free_spares();
            reserved?;
            if made > 0 {
                w.touch();
            }
            Ok(made)
        })
    }
}
