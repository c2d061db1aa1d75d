//! The order of a group's members: in all its pools alike.
//!
//! ```text
//!   outer   [ b d | a | c e ]      inner's members stay first, so each part is sorted by itself; a
//!           [inner]                part that an inner group keeps in an order of its own is left alone
//! ```

use super::{Group, Groups, NONE, is_among};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::desk::Desk;
use crate::core::storage::memory::Memory;
use crate::core::storage::order::{Compared, Order};
use crate::core::storage::pools::Pools;
use crate::core::storage::slice::copy;
use core::ptr::null;

impl<L: Layout> Group<L> {
    /// The order that it is kept in.
    #[must_use]
    pub const fn kept(&self) -> Option<(Order, Handle)> {
        self.kept
    }

    /// The element and the entity of a position; `by` is the pool to look in.
    fn compared(&self, pools: &Pools<L>, by: Option<u32>, position: u32) -> Compared {
        let entity = self.entity(pools, position);
        let element = by.and_then(|number| {
            let pool = pools.get(number)?;
            let is_owned = is_among(self.owned(), number);
            let position = if is_owned { Some(position) } else { pool.position(entity) };
            position.map(|position| pool.compared(position).0)
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
        if !is_among(group.required(), pool.number) {
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
        let mut at = self.innermost(place);
        let mut first = 0;
        while let Some(part) = self.get(at) {
            let (end, outer) = (part.count, part.outer);
            let keeps = at != place && part.kept.is_some();
            if !keeps && end > first {
                self.sort_part(pools, &mut desk, (place, at), first..end, (order, by));
            }
            first = if keeps { end } else { first.max(end) };
            at = if at == place { NONE } else { outer };
        }
        desk.free(memory);
        Ok(())
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
                comparison.sort(desk, &|position| group.compared(pools, by, position));
            }
            Order::As(_) => {
                let Some(like) = by.and_then(|number| pools.get(number)) else { return };
                let lead = group.owned().first().and_then(|number| pools.get(*number));
                let ask = |other| _ = lead.inspect(|pool| pool.ask_for_members_of(like, other));
                desk.follow(first, like, |entity| group.position(pools, entity), ask);
            }
        }
        if desk.is_laid(first) {
            return;
        }
        if group.owned == 0 {
            let Some(group) = self.get_mut(place) else { return };
            copy(&mut desk.scratch, &desk.order);
            group.list.permute(first, &mut desk.scratch);
            group.end_iterations();
            return;
        }
        let Some(moves) = self.get(part).map(|part| (part.moves, part.moved)) else { return };
        for number in &moves.0[..moves.1] {
            if let Some(pool) = pools.get_mut(*number) {
                copy(&mut desk.scratch, &desk.order);
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
