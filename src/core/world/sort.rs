//! Sorting: a pool or a group, once or kept.

use super::{Bulk, Ecs, Removed, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::desk::Desk;
use crate::core::storage::join::TERMS;
use crate::core::storage::order::Order;

impl<L: Layout> World<L> {
    /// Ok if a pool's order is anybody's: see `storage::pool::claims`.
    fn check_sortable(&mut self, id: Handle) -> Result<u32, Error> {
        let pool = self.parts(id)?.0;
        if pool.shape.stable {
            return Err(Error::new(Kind::Policy).about(id).named("order"));
        }
        let number = pool.number;
        self.groups.owned(&self.pools, id).map_or(Ok(number), Err)
    }

    /// Puts a pool into an order. Memory is asked for before anything moves.
    fn sort_pool(&mut self, id: Handle, order: Order) -> Result<(), Error> {
        self.check_order(order)?;
        let Some(pool) = self.pools.by_id_mut(id) else { return Ok(()) };
        pool.reserve_spare(&mut self.memory)?;
        let desk = Desk::new(&mut self.memory, pool.len());
        let sorted = desk.map(|mut desk| {
            self.arrange_as(id, order, &mut desk);
            desk.free(&mut self.memory);
            self.touch();
        });
        if let Some(pool) = self.pools.by_id_mut(id) {
            pool.release_spare(&mut self.memory);
        }
        sorted
    }

    /// Ok if what an order follows is there.
    fn check_order(&self, order: Order) -> Result<(), Error> {
        match order {
            Order::As(like) => self.pool(like).map(|_| ()),
            Order::By(_) => Ok(()),
        }
    }

    /// Puts a pool into an order that was checked. Its spare is reserved, and the desk is large enough.
    fn arrange_as(&mut self, id: Handle, order: Order, desk: &mut Desk) {
        let Some(pool) = self.pools.by_id(id) else { return };
        desk.lay(0, pool.len());
        match order {
            Order::By(comparison) => {
                comparison.sort(desk, &|position| pool.compared(position));
            }
            Order::As(like) => {
                let Some(like) = self.pools.by_id(like) else { return };
                desk.follow(
                    0,
                    like,
                    |entity| pool.position(entity),
                    |other| pool.ask_for_members_of(like, other),
                );
            }
        }
        if let Some(pool) = self.pools.by_id_mut(id) {
            pool.permute(0, &mut desk.order);
        }
    }

    /// Restores the orders that the pools of these components are kept in; 0 is none. What can go wrong does so
    /// before anything moves.
    pub(super) fn restore_orders(&mut self, ids: [Handle; TERMS]) -> Result<(), Error> {
        let mut left = ids.map(|id| if id == 0 { None } else { Some((id, self.pools.by_id(id)?.kept()?)) });
        let mut most = 0;
        for (id, order) in left.iter().flatten() {
            self.check_order(*order)?;
            most = self.pool(*id)?.len().max(most);
        }
        if left.iter().flatten().next().is_none() {
            return Ok(());
        }
        // Whoever keeps an order has a spare.
        let mut desk = Desk::new(&mut self.memory, most)?;
        while let Some((id, order)) = first_of(&left).and_then(|place| left[place].take()) {
            self.arrange_as(id, order, &mut desk);
        }
        desk.free(&mut self.memory);
        self.touch();
        Ok(())
    }
}

/// The first that doesn't follow another one which is still to come; in a ring the first.
fn first_of(left: &[Option<(Handle, Order)>]) -> Option<usize> {
    let is_left = |id| left.iter().flatten().any(|(other, _)| *other == id);
    let waits = |order| matches!(order, Order::As(like) if is_left(like));
    let first =
        |may_wait| left.iter().position(|entry| entry.is_some_and(|(_, order)| may_wait || !waits(order)));
    first(false).or_else(|| first(true))
}

impl<L: Layout> Ecs<L> {
    /// Sorts a pool; and keeps the order, if asked to.
    pub fn sort(&self, id: Handle, order: Order, keep: bool) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let number = w.check_sortable(id)?;
            if let Order::As(like) = order {
                w.pool(like)?;
            }
            let Some(pool) = w.pools.get_mut(number) else { return Ok(()) };
            if keep {
                pool.reserve_claims(&mut w.memory)?;
            } else if pool.kept().is_some() {
                return Err(Error::new(Kind::Owned).about(id));
            }
            let sorted = w.sort_pool(id, order);
            if let Some(pool) = w.pools.get_mut(number).filter(|_| keep) {
                if sorted.is_ok() {
                    pool.keep(Some(order));
                }
                pool.release_claims(&mut w.memory);
            }
            sorted
        })
    }

    /// Restores the order that a pool is kept in.
    pub fn sort_refresh(&self, id: Handle) -> Result<Bulk, Error> {
        self.with(|w| {
            w.writable()?;
            let Some(order) = w.parts(id)?.0.kept() else { return Ok(Bulk::Nothing) };
            w.sort_pool(id, order)?;
            Ok(Bulk::Done)
        })
    }

    /// Keeps a pool in no order any longer.
    pub fn sort_release(&self, id: Handle) -> Result<Removed, Error> {
        self.with(|w| {
            w.writable()?;
            let (pool, _, memory) = w.parts(id)?;
            let kept = pool.kept().is_some();
            pool.keep(None);
            pool.release_claims(memory);
            Ok(if kept { Removed::Gone } else { Removed::NotThere })
        })
    }

    /// Sorts a group; and keeps the order, if asked to.
    pub fn group_sort(&self, serial: u32, order: Order, by: Handle, keep: bool) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let group = w.groups.by_serial(serial)?;
            if !keep && group.kept().is_some() {
                return Err(Error::new(Kind::Owned).with(serial.into(), 2));
            }
            match order {
                Order::As(like) => _ = w.pool(like)?,
                Order::By(_) if by != 0 => _ = w.pool(by)?,
                Order::By(_) => {}
            }
            w.groups.sort(&mut w.pools, &mut w.memory, serial, order, by)?;
            w.touch();
            if keep {
                w.groups.keep(serial, Some((order, by)))?;
            }
            Ok(())
        })
    }

    /// Restores the order that a group is kept in.
    pub fn group_sort_refresh(&self, serial: u32) -> Result<Bulk, Error> {
        self.with(|w| {
            w.writable()?;
            let Some((order, by)) = w.groups.by_serial(serial)?.kept() else { return Ok(Bulk::Nothing) };
            if let Order::As(like) = order {
                w.pool(like)?;
            }
            w.groups.sort(&mut w.pools, &mut w.memory, serial, order, by)?;
            w.touch();
            Ok(Bulk::Done)
        })
    }

    /// Keeps a group in no order any longer.
    pub fn group_sort_release(&self, serial: u32) -> Result<Removed, Error> {
        self.with(|w| {
            w.writable()?;
            Ok(if w.groups.keep(serial, None)? { Removed::Gone } else { Removed::NotThere })
        })
    }
}
