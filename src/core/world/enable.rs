//! Entities, and single components of theirs, that queries pass over without their being removed.
//!
//! Whoever never disables anything pays nothing: it only takes the short way (`quick`) from those who do.

use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::kinds::Bit;

impl<L: Layout> World<L> {
    /// Whether queries pass over an entity: it is disabled, or a base.
    #[inline]
    pub(super) fn is_veiled(&self, index: u32) -> bool {
        self.disabled.has(index) || self.bases.has(index)
    }

    /// Notes that an entity may be passed over by queries, or some of it: from now on changes are looked at closely.
    pub(super) fn note_veil(&mut self, entity: Handle) {
        if let Some(mark) = self.kinds.mark(L::index(entity), &Bit::OTHERS) {
            mark.set();
        }
        self.veils = 1;
        self.veilings += 1;
        self.find_floor();
    }

    /// Lets queries and groups see a component of an entity, or not, as is right. Joining a group was reserved.
    fn settle_veil(&mut self, entity: Handle, number: u32) {
        let index = L::index(entity);
        let Some(pool) = self.pools.get(number).filter(|pool| pool.holds(entity)) else {
            return;
        };
        let show = !pool.is_disabled(index) && !self.is_veiled(index);
        if show == pool.shows(entity) {
            return;
        }
        let watched = pool.is_watched();
        if watched && !show {
            self.groups.leaving(&mut self.pools, number, entity);
        }
        if let Some(pool) = self.pools.get_mut(number) {
            pool.show(index, show);
        }
        if watched && show {
            self.groups.added(&mut self.pools, number, entity);
        }
    }

    /// The same for all that an entity has.
    pub(super) fn settle_veils(&mut self, entity: Handle) {
        self.note_veil(entity);
        let mut row = 0;
        while let Some((at, number)) = self.kinds.next(L::index(entity), row) {
            row = at + 1;
            self.settle_veil(entity, number);
        }
        self.touch();
    }

    /// Makes sure that an entity can join groups when it is seen again, as one of `more`.
    pub(super) fn reserve_joining(&mut self, entity: Handle, more: u32) -> Result<(), Error> {
        for number in self.kinds.of(L::index(entity)) {
            self.groups.reserve_return(&self.pools, &mut self.memory, number, entity, more)?;
        }
        Ok(())
    }

    /// Hides a component that a disabled entity has got, before groups are told.
    #[cold]
    pub(super) fn hide_new(&mut self, entities: &[Handle], number: u32) {
        for entity in entities {
            let index = L::index(*entity);
            if self.is_veiled(index)
                && let Some(pool) = self.pools.get_mut(number)
            {
                pool.show(index, false);
            }
        }
    }

    /// An entity that ends is not disabled any more.
    pub(super) fn forget_veil(&mut self, index: u32) {
        self.disabled.set(index, false);
        self.bases.set(index, false);
    }

    fn check_veil(&self, entity: Handle) -> Result<(), Error> {
        self.writable()?;
        self.check_plain(entity)
    }
}

impl<L: Layout> Ecs<L> {
    /// Lets queries see an entity, or not; says whether that is new.
    pub fn set_enabled(&self, entity: Handle, enabled: bool) -> Result<bool, Error> {
        self.with(|w| {
            w.check_veil(entity)?;
            let index = L::index(entity);
            if w.disabled.has(index) != enabled {
                return Ok(false);
            }
            if enabled {
                w.reserve_joining(entity, 1)?;
            }
            w.disabled.reserve(&mut w.memory, index)?;
            w.disabled.set(index, !enabled);
            w.settle_veils(entity);
            Ok(true)
        })
    }

    /// Whether queries see an entity.
    pub fn is_enabled(&self, entity: Handle) -> Result<bool, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            Ok(!w.disabled.has(L::index(entity)))
        })
    }

    /// Lets queries see a component of an entity, or not; says whether that is new.
    pub fn set_component_enabled(&self, entity: Handle, id: Handle, enabled: bool) -> Result<bool, Error> {
        self.with(|w| {
            w.check_veil(entity)?;
            let index = L::index(entity);
            let (pool, _, _) = w.parts(id)?;
            let number = pool.number;
            if !pool.holds(entity) {
                return Err(Error::new(Kind::NotHeld).about(entity).with(id, 0));
            }
            if pool.is_disabled(index) != enabled {
                return Ok(false);
            }
            if enabled {
                w.groups.reserve_return(&w.pools, &mut w.memory, number, entity, 1)?;
            }
            let (pool, _, memory) = w.parts(id)?;
            pool.set_disabled(memory, index, !enabled)?;
            w.note_veil(entity);
            w.settle_veil(entity, number);
            w.touch();
            Ok(true)
        })
    }

    /// Whether queries see a component of an entity: the entity has it, and neither is disabled.
    pub fn is_component_enabled(&self, entity: Handle, id: Handle) -> Result<bool, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            let pool = w.pool(id)?;
            Ok(pool.holds(entity) && pool.shows(entity))
        })
    }
}
