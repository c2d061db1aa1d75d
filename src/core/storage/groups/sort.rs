//! The order of a group's members: in all its pools alike.
//!
//! ```text
//!   outer   [ b d | a | c e ]      inner's members stay first, so each part is sorted by itself; a
//!           [inner]                part that an inner group keeps in an order of its own is left alone
//! ```

use super::{Group, Groups, MOST};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::buffer::Buffer;
use crate::core::storage::memory::Memory;
use crate::core::storage::order::{Comparison, Order};
use crate::core::storage::pool::Pool;
use crate::core::storage::pools::Pools;
use crate::core::storage::sorting;
use core::ptr::null;

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

    /// Puts first those whom another pool has, in its order, then the others.
    pub fn follow<L: Layout>(
        &mut self,
        first: u32,
        like: &Pool<L>,
        entity: impl Fn(u32) -> Handle,
        position: impl Fn(Handle) -> Option<u32>,
    ) {
        #[allow(clippy::cast_possible_truncation)]
        let end = first + self.order.len() as u32;
        let mut next = 0;
        for other in (0..like.len()).filter(|other| !like.is_gap(*other)) {
            if let Some(here) = position(like.entity(other)).filter(|here| (first..end).contains(here)) {
                self.order[next] = here;
                next += 1;
            }
        }
        for here in (first..end).filter(|here| like.position(entity(*here)).is_none()) {
            self.order[next] = here;
            next += 1;
        }
    }

    /// Gives the memory back.
    pub fn free(&mut self, memory: &mut Memory) {
        self.order.free(memory);
        self.scratch.free(memory);
    }
}

impl Comparison {
    fn is_before(&self, a: (*const u8, Handle), b: (*const u8, Handle)) -> bool {
        (self.run)(self, a.0, b.0, a.1, b.1) < 0
    }

    /// Puts positions into its order; `at` has the element and the entity of a position.
    pub fn sort(&self, desk: &mut Desk, at: impl Fn(u32) -> (*const u8, Handle)) {
        let Desk { order, scratch } = desk;
        sorting::sort(order, scratch, &mut |a, b| self.is_before(at(a), at(b)));
    }
}

impl<L: Layout> Pool<L> {
    /// The element at a position to compare, or null.
    #[must_use]
    pub fn compared(&self, position: u32) -> *const u8 {
        if self.shape.size == 0 { null() } else { self.packed().place(position).element }
    }
}

impl<L: Layout> Group<L> {
    /// The order that it is kept in.
    #[must_use]
    pub const fn kept(&self) -> Option<(Order, Handle)> {
        self.kept
    }

    /// The element and the entity of a position; `by` is the pool to look in.
    fn compared(&self, pools: &Pools<L>, by: Option<u32>, position: u32) -> (*const u8, Handle) {
        let entity = self.entity(pools, position);
        let element = by.and_then(|number| {
            let pool = pools.get(number)?;
            let is_owned = self.owned().contains(&number);
            let position = if is_owned { Some(position) } else { pool.position(entity) };
            position.map(|position| pool.compared(position))
        });
        (element.unwrap_or(null()), entity)
    }
}

impl<L: Layout> Groups<L> {
    /// Ok if a group can be put into that order: `by` is 0 or one of its components.
    pub fn check_order(
        &self,
        pools: &Pools<L>,
        serial: u32,
        order: Order,
        by: Handle,
    ) -> Result<Option<u32>, Error> {
        let group = self.by_serial(serial)?;
        if let Order::As(like) = order {
            let pool = pools.by_id(like).ok_or(Error::new(Kind::NotComponent).about(like))?;
            return Ok(Some(pool.number));
        }
        if by == 0 {
            return Ok(None);
        }
        let pool = pools.by_id(by).ok_or(Error::new(Kind::NotComponent).about(by))?;
        if !group.required().contains(&pool.number) {
            return Err(Error::new(Kind::NotTerm).about(by).with(serial.into(), 0));
        }
        Ok(Some(pool.number))
    }

    /// Keeps an order, or none.
    pub fn keep(&mut self, serial: u32, kept: Option<(Order, Handle)>) -> Result<bool, Error> {
        let place = self.find(serial)?;
        Ok(self.get_mut(place).is_some_and(|group| core::mem::replace(&mut group.kept, kept).is_some()))
    }

    /// Puts a group's members into an order. Memory is asked for before anything moves.
    pub fn sort(
        &mut self,
        pools: &mut Pools<L>,
        memory: &mut Memory,
        serial: u32,
        order: Order,
        by: Handle,
    ) -> Result<(), Error> {
        let by = self.check_order(pools, serial, order, by)?;
        let place = self.find(serial)?;
        let Some(group) = self.get(place) else { return Ok(()) };
        let mut desk = Desk::new(memory, group.count)?;
        // The group and those inside it, the innermost first.
        let mut chain = [place; MOST + 1];
        let mut len = 0;
        let mut inner = self.inner_of(place);
        while let Some(at) = inner.filter(|_| group.owned > 0 && len < MOST) {
            len += 1;
            chain[len] = at;
            inner = self.inner_of(at);
        }
        let mut first = 0;
        for at in chain[..=len].iter().rev() {
            let Some(part) = self.get(*at) else { continue };
            let end = part.count;
            let keeps = *at != place && part.kept.is_some();
            if !keeps && end > first {
                self.sort_part(pools, &mut desk, (place, *at), first..end, (order, by));
            }
            first = if keeps { end } else { first.max(end) };
        }
        desk.free(memory);
        Ok(())
    }

    fn inner_of(&self, place: u32) -> Option<u32> {
        self.iter().find(|group| group.outer == place).and_then(|group| self.find(group.serial).ok())
    }

    /// Sorts a part of a group: what `part`, the group or one inside it, has beyond those inside it.
    fn sort_part(
        &mut self,
        pools: &mut Pools<L>,
        desk: &mut Desk,
        (place, part): (u32, u32),
        positions: core::ops::Range<u32>,
        (order, by): (Order, Option<u32>),
    ) {
        let (first, count) = (positions.start, positions.end - positions.start);
        let Some(group) = self.get(place) else { return };
        desk.lay(first, count);
        match order {
            Order::By(comparison) => {
                comparison.sort(desk, |position| group.compared(pools, by, position));
            }
            Order::As(_) => {
                let Some(like) = by.and_then(|number| pools.get(number)) else { return };
                let entity = |position| group.entity(pools, position);
                desk.follow(first, like, entity, |entity| group.position(pools, entity));
            }
        }
        if desk.is_laid(first) {
            return;
        }
        if group.owned == 0 {
            let Some(group) = self.get_mut(place) else { return };
            desk.scratch.copy_from_slice(&desk.order);
            group.list.permute(first, &mut desk.scratch);
            group.end_iterations();
            return;
        }
        let Some(moves) = self.get(part).map(|part| (part.moves, part.moved)) else { return };
        for number in &moves.0[..moves.1] {
            if let Some(pool) = pools.get_mut(*number) {
                desk.scratch.copy_from_slice(&desk.order);
                pool.permute(first, &mut desk.scratch);
            }
        }
        let family = self.get(place).map(|group| group.family);
        self.for_each(|group| {
            if Some(group.family) == family {
                group.end_iterations();
            }
        });
    }
}
