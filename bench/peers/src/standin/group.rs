//! An owning group of P and V in EnTT's manner: its members stand first in both pools, in one order.
//!
//! ```text
//!   P   [ a c f | b d ]      a group of 3: positions below it are the same in both pools
//!   V   [ a c f | e ]
//! ```
//!
//! EnTT tells its groups by the signals of the pools. Here whoever changes a pool calls the group.

use super::StandIn;
use super::pool::Handle;
use crate::parts::{P, V};

/// How many members it has.
#[derive(Default)]
pub struct Group(usize);

impl Group {
    /// Forms the group of what is there.
    pub fn form<H: Handle>(world: &mut StandIn<H>) -> Self {
        let mut group = Self::default();
        // A member moves to the end of the members before it, so nobody is passed over.
        let mut position = 0;
        while position < world.pool::<P>().0.len() {
            let entity = world.pool::<P>().0.at(position);
            group.join(world, entity);
            position += 1;
        }
        group
    }

    /// The entity has got one of the two. If it has the other too, it comes in.
    #[inline(always)]
    pub fn join<H: Handle>(&mut self, world: &mut StandIn<H>, entity: H) {
        let at_p = world.pool::<P>().0.find(entity);
        let at_v = world.pool::<V>().0.find(entity);
        if let (Some(at_p), Some(at_v)) = (at_p, at_v)
            && at_p >= self.0
        {
            swap(world, at_p, at_v, self.0);
            self.0 += 1;
        }
    }

    /// The entity is about to lose one of the two.
    #[inline(always)]
    pub fn leave<H: Handle>(&mut self, world: &mut StandIn<H>, entity: H) {
        if let Some(position) = world.pool::<P>().0.find(entity)
            && position < self.0
        {
            self.0 -= 1;
            swap(world, position, position, self.0);
        }
    }

    /// P += V, from the last member to the first, each found through its page, as EnTT's iterators do.
    #[inline(always)]
    pub fn advance<H: Handle>(&self, world: &mut StandIn<H>) {
        let p = world.pool::<P>().1;
        let v = world.pool::<V>().1;
        for position in (0..self.0).rev() {
            // SAFETY: both pools have as many elements as the group has members.
            unsafe { (*p.at_unchecked(position)).advance(&*v.at_unchecked(position)) };
        }
    }
}

/// Puts an entity at a position of both pools, and who is there at its own.
#[inline(always)]
fn swap<H: Handle>(world: &mut StandIn<H>, at_p: usize, at_v: usize, to: usize) {
    let (set, column) = world.pool_mut::<P>();
    set.swap(at_p, to);
    column.swap(at_p, to);
    let (set, column) = world.pool_mut::<V>();
    set.swap(at_v, to);
    column.swap(at_v, to);
}
