//! Groups: made, asked, ended; and what changes of components do for them.

use super::{Ecs, Removed, World, touch};
use crate::core::error::Error;
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout};
use crate::core::storage::groups::{Details, Terms};
use crate::core::storage::lifecycle::{Column, Source};
use crate::core::storage::pool::claims::Lone;
use crate::core::storage::pool::{Pool, Spot};
use crate::core::storage::slice::checked;

impl<L: Layout> World<L> {
    /// Adds a component that groups watch to an entity that doesn't have it; or nothing.
    pub(super) fn add_watched(
        &mut self,
        number: u32,
        entity: Handle,
        value: Option<Source>,
    ) -> Result<(), Error> {
        self.groups.reserve(&self.pools, &mut self.memory, number, entity, 1)?;
        if let Some(pool) = self.pools.get_mut(number) {
            let spot = pool.spot(entity);
            pool.add(&mut self.memory, &mut self.kinds, entity, &spot, value)?;
        }
        if self.veils != 0 {
            self.hide_new(&[entity], number);
        }
        self.groups.added(&mut self.pools, number, entity);
        Ok(())
    }

    /// The same with a plain value. None, and nothing has happened, if there is no memory.
    #[inline(never)]
    pub(super) fn join_quickly(
        &mut self,
        number: u32,
        entity: Handle,
        spot: &Spot<L>,
        value: Source,
    ) -> Option<()> {
        if self.groups.are_listed() {
            self.groups.reserve(&self.pools, &mut self.memory, number, entity, 1).ok()?;
        }
        let pool = self.pools.get_mut(number)?;
        pool.add_quickly(&mut self.memory, &mut self.kinds, entity, spot, value)?;
        self.groups.added(&mut self.pools, number, entity);
        Some(())
    }

    /// Removes a component from an entity that has it. Who is to be told has been.
    pub(super) fn take_off(&mut self, number: u32, entity: Handle) {
        if self.pools.get(number).is_some_and(Pool::is_watched) {
            self.groups.leaving(&mut self.pools, number, entity);
        }
        if let Some(pool) = self.pools.get_mut(number) {
            let spot = pool.spot_of_living(entity);
            pool.remove(&mut self.kinds, spot);
        }
        self.touch();
    }

    /// Removes a component from a plain entity, where a lone group watches, and nobody listens. None: nothing has happened, as the
    /// entity doesn't have it, its elements are large, or it isn't so.
    #[inline(always)]
    fn leave_lone(&mut self, entity: Handle, id: Handle) -> Option<()> {
        let plain = self.is_plain(entity) && self.veils == 0;
        let pool = self.pools.first_mut(&self.first, id).filter(|_| plain)?;
        if !pool.is_unheard(EventKind::Remove) || !pool.bit().is_own() {
            return None;
        }
        let Lone { group, partner } = pool.lone();
        let group = self.groups.get_mut(group)?;
        let (number, len, position) = (pool.number, pool.len(), pool.leaver(entity, self.stamp)?);
        touch(self.changes);
        let index = L::index(entity);
        self.kinds.of_living(index).mark(pool.bit()).clear();
        let position = group.dismiss(&mut self.pools, (number, len), partner, position);
        self.pools.get_mut(number)?.leave_from(index, position);
        Some(())
    }

    /// Removes a component that groups may watch from those that have it, the first one first or last.
    pub(super) fn remove_one_by_one(
        &mut self,
        entities: &[Handle],
        (id, number): (Handle, u32),
        back: bool,
    ) -> Removed {
        let mut removed = Removed::NotThere;
        let lone = self.pools.get(number).is_some_and(|pool| self.groups.get(pool.lone().group).is_some());
        for at in 0..entities.len() {
            let entity = *checked(entities, if back { entities.len() - 1 - at } else { at });
            if lone && self.leave_lone(entity, id).is_some() {
                removed = Removed::Gone;
            } else if self.pools.get(number).is_some_and(|pool| pool.holds(entity)) {
                self.take_off(number, entity);
                removed = Removed::Gone;
            }
        }
        removed
    }

    /// The number of a component's pool, if groups watch it.
    pub(super) fn watched(&self, id: Handle) -> Option<u32> {
        self.pools.by_id(id).filter(|pool| pool.is_watched()).map(|pool| pool.number)
    }

    /// Makes sure that entities which get a component can join groups.
    #[inline(never)]
    pub(super) fn reserve_groups(&mut self, entities: &[Handle], number: u32) -> Result<(), Error> {
        if !self.groups.are_listed() {
            return Ok(());
        }
        let more = u32::try_from(entities.len()).unwrap_or(u32::MAX);
        for entity in entities {
            self.groups.reserve(&self.pools, &mut self.memory, number, *entity, more)?;
        }
        Ok(())
    }

    /// Lets entities that got a component join and leave groups, for which memory was reserved.
    pub(super) fn join_groups(&mut self, entities: &[Handle], number: u32) {
        for entity in entities {
            self.groups.added(&mut self.pools, number, *entity);
        }
    }

    /// Lets entities join groups that came to a pool, to its end: from a position on. Whoever changes places with one of them comes
    /// from before it.
    #[inline(never)]
    pub(super) fn join_from(&mut self, number: u32, first: u32) {
        let Some(pool) = self.pools.get(number) else { return };
        let (Lone { group, partner }, len) = (pool.lone(), pool.len());
        let lone = if self.veils == 0 { group } else { Lone::NONE.group };
        for position in first..len {
            let entity = self.pools.get(number).map_or(0, |pool| pool.entity(position));
            match self.groups.get_mut(lone) {
                Some(group) => group.welcome(&mut self.pools, (number, position), partner, entity),
                None => self.groups.added(&mut self.pools, number, entity),
            }
        }
    }

    /// Lets entities that were made with these components join groups; or reserves nothing that matters.
    #[inline(never)]
    pub(super) fn join_with(&mut self, entities: &[Handle], columns: &[Column]) -> Result<(), Error> {
        if self.groups.are_listed() {
            for column in columns {
                if let Some(number) = self.watched(column.id) {
                    self.reserve_groups(entities, number)?;
                }
            }
        }
        for column in columns {
            let Some(pool) = self.pools.by_id(column.id).filter(|pool| pool.is_watched()) else { continue };
            let told = (pool.first_told(), pool.lone().group);
            entities.iter().for_each(|entity| self.groups.made(&mut self.pools, told, *entity));
        }
        Ok(())
    }

    /// Lets a new entity join groups by all that it has.
    pub(super) fn join_all(&mut self, entity: Handle) -> Result<(), Error> {
        for number in self.kinds.of(L::index(entity)) {
            self.groups.reserve(&self.pools, &mut self.memory, number, entity, 1)?;
        }
        for number in self.kinds.of(L::index(entity)) {
            let Some(pool) = self.pools.get(number) else { continue };
            let told = (pool.first_told(), pool.lone().group);
            self.groups.made(&mut self.pools, told, entity);
        }
        Ok(())
    }

    /// Lets an entity that is about to be destroyed, at once or soon (`ALL`, `ALL_SOON`), leave all groups. Over its pools it goes as
    /// `leave_all` does, by their bits first: asking for one after the other took an eighth longer.
    #[cold]
    pub(super) fn leave_groups(&mut self, entity: Handle, lost: u32) {
        let signature = self.kinds.signature(L::index(entity));
        let (mut bits, mut row) = (signature & !1, 0);
        loop {
            let pool = if bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                self.pools.owner_mut(&self.kinds, bit)
            } else if signature & 1 != 0
                && let Some((at, number)) = self.kinds.blocks.next(L::index(entity), row)
            {
                row = at + 1;
                self.pools.get_mut(number)
            } else {
                return;
            };
            if let Some(first) = pool.map(|pool| pool.first_told()) {
                self.groups.ending(&mut self.pools, first, entity, lost);
            }
        }
    }
}

/// The short way (`quick`) where a lone group watches: of what groups have to do it is what most programs do most.
impl<L: Layout> Ecs<L> {
    /// Whether a group watches who gets a component, or somebody listens, as far as is quickly told.
    #[inline(always)]
    pub fn is_told_of(&self, id: Handle) -> bool {
        self.look(|w| w.pools.first(&w.first, id).is_some_and(|pool| !pool.is_quiet()))
    }

    /// Gives a plain entity a component that it hasn't got, with a plain value, or zeros if that is null, if there is room at the
    /// end, and nobody listens. None: nothing has happened.
    #[inline(always)]
    pub fn join_alone(&self, entity: Handle, id: Handle, value: Source) -> Option<()> {
        self.with(|w| {
            let quiet = w.is_plain(entity) && w.registry.is_alive(entity) && w.veils == 0;
            let pool = w.pools.first_mut(&w.first, id).filter(|_| quiet)?;
            let fits = |value: &Source| pool.takes_plain(*value);
            let value = if value.is_null() { pool.zeros() } else { Some(value).filter(fits) }?;
            if !pool.is_unheard(EventKind::Add) || !pool.bit().is_own() {
                return None;
            }
            let Lone { group, partner } = pool.lone();
            let group = w.groups.get_mut(group)?;
            let mark = w.kinds.of_living(L::index(entity)).mark(pool.bit());
            if mark.is_set() {
                return None;
            }
            let room = pool.room_at_watched_end(pool.page_of(entity)?, mark)?;
            let (number, position) = (pool.number, pool.len());
            touch(w.changes);
            pool.append_quickly(entity, room, value);
            group.welcome(&mut w.pools, (number, position), partner, entity);
            Some(())
        })
    }

    /// Removes a component from a plain entity, where nobody listens. None: nothing has happened, as the entity doesn't have
    /// it, its elements are large, or it isn't so.
    #[inline(always)]
    pub fn leave_alone(&self, entity: Handle, id: Handle) -> Option<()> {
        self.with(|w| w.leave_lone(entity, id))
    }
}

impl<L: Layout> Ecs<L> {
    /// Makes a group under a number that no other has.
    pub fn group_create(&self, terms: &Terms, serial: u32) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            for (ids, of) in terms.parts() {
                for (at, id) in (0..).zip(ids) {
                    w.pool(*id).map_err(|error| error.at(of, at))?;
                }
            }
            w.groups.create(&mut w.pools, &mut w.memory, serial, terms)?;
            w.find_floor();
            w.touch();
            Ok(())
        })
    }

    /// Ends a group.
    pub fn group_destroy(&self, serial: u32) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            w.groups.destroy(&mut w.pools, &mut w.memory, serial)?;
            w.find_floor();
            w.touch();
            Ok(())
        })
    }

    /// How many members a group has.
    pub fn group_count(&self, serial: u32) -> Result<u32, Error> {
        self.look(|w| Ok(w.groups.by_serial(serial)?.count()))
    }

    /// Whether an entity that lives is a member.
    pub fn group_contains(&self, serial: u32, entity: Handle) -> Result<bool, Error> {
        self.look(|w| {
            let group = w.groups.by_serial(serial)?;
            w.registry.check(entity)?;
            Ok(group.position(&w.pools, entity).is_some())
        })
    }

    /// What is known of a group.
    pub fn group_details(&self, serial: u32) -> Result<Details, Error> {
        self.look(|w| w.groups.details(&w.pools, serial))
    }

    /// The member at a position; None behind the last.
    pub fn group_entity(&self, serial: u32, position: u32) -> Result<Option<Handle>, Error> {
        self.look(|w| {
            let group = w.groups.by_serial(serial)?;
            Ok((position < group.count()).then(|| group.entity(&w.pools, position)))
        })
    }

    /// Lists the groups: writes as many numbers as fit, returns how many there are.
    pub fn groups(&self, out: &mut [u32]) -> u32 {
        self.look(|w| {
            for (place, group) in out.iter_mut().zip(w.groups.iter()) {
                *place = group.serial;
            }
            w.groups.len()
        })
    }
}
