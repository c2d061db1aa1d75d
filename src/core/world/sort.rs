//! Sorting: a pool or a group, once or kept.

use super::{Bulk, Ecs, Removed, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::groups::Desk;
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
    fn sort_pool(&mut self, number: u32, order: Order) -> Result<(), Error> {
        let like = match order {
            Order::As(like) => Some(self.pool(like)?.number),
            Order::By(_) => None,
        };
        let Some(pool) = self.pools.get_mut(number) else { return Ok(()) };
        let len = pool.len();
        pool.reserve_spare(&mut self.memory)?;
        let mut desk = match Desk::new(&mut self.memory, len) {
            Ok(desk) => desk,
            Err(error) => {
                pool.release_spare(&mut self.memory);
                return Err(error);
            }
        };
        desk.lay(0, len);
        if let Some(pool) = self.pools.get(number) {
            match (order, like.and_then(|like| self.pools.get(like))) {
                (Order::By(comparison), _) => {
                    comparison.sort(&mut desk, |position| (pool.compared(position), pool.entity(position)));
                }
                (Order::As(_), Some(like)) => {
                    desk.follow(0, like, |position| pool.entity(position), |entity| pool.position(entity));
                }
                (Order::As(_), None) => {}
            }
        }
        if let Some(pool) = self.pools.get_mut(number) {
            pool.permute(0, &mut desk.order);
            pool.release_spare(&mut self.memory);
        }
        desk.free(&mut self.memory);
        self.touch();
        Ok(())
    }
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
            let sorted = w.sort_pool(number, order);
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
            let (number, kept) = {
                let pool = w.parts(id)?.0;
                (pool.number, pool.kept())
            };
            let Some(order) = kept else { return Ok(Bulk::Nothing) };
            w.sort_pool(number, order)?;
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
