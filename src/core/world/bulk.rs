//! The same for many entities at once. What changes something is all or nothing: check every entry,
//! reserve all memory, act, and only then tell; of removals tell before.

use super::access::check_size;
use super::{Added, Bulk, Ecs, Removed, World};
use crate::core::error::{Entries, Error, Kind};
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout};
use crate::core::storage::buffer::Buffer;
use crate::core::storage::lifecycle::Source;
use crate::core::storage::pool::Pool;

impl<L: Layout> World<L> {
    /// Ok if these all live, are plain entities, and are all different. Needs no memory: those seen
    /// are marked in the registry until all are.
    #[inline(never)] // Two call it, for many.
    pub(super) fn check_all(
        &mut self,
        entities: &[Handle],
        why: fn(&Self, Handle) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.check_count(entities)?;
        let bad = entities.iter().position(|entity| {
            let component = self.is_component(*entity) && self.registry.is_alive(*entity);
            component || !self.registry.mark(*entity)
        });
        let seen = bad.unwrap_or(entities.len());
        let error = bad.map(|at| {
            let entity = entities[at];
            let why = if entities[..at].contains(&entity) {
                Error::new(Kind::Duplicate).about(entity).named("entities")
            } else {
                // An entity whose slot is marked by another handle would be judged by the mark.
                entities[..seen].iter().for_each(|entity| self.registry.unmark(*entity));
                let fallback = Error::new(Kind::IsComponent).about(entity);
                let why = why(self, entity).err().unwrap_or(fallback);
                entities[..seen].iter().for_each(|entity| _ = self.registry.mark(*entity));
                why
            };
            why.at(Entries::ENTITIES, at as u32)
        });
        entities[..seen].iter().for_each(|entity| self.registry.unmark(*entity));
        error.map_or(Ok(()), Err)
    }

    /// Ok if one of several lives.
    fn check_entry(&self, at: u32, entity: Handle) -> Result<(), Error> {
        self.registry.check(entity).map_err(|error| error.at(Entries::ENTITIES, at))
    }

    /// Ok if so many entities can exist.
    pub(super) fn check_count(&self, entities: &[Handle]) -> Result<(), Error> {
        if entities.len() > self.registry.most() as usize {
            return Err(Error::count("n", entities.len() as u64, self.registry.most().into()));
        }
        Ok(())
    }

    /// Checks a bulk change: the component, and all entities.
    fn check_bulk(&mut self, entities: &[Handle], id: Handle) -> Result<(), Error> {
        self.writable()?;
        self.parts(id)?;
        self.check_all(entities, Self::check_plain)
    }

    /// Makes room for those that don't have it yet.
    fn reserve_missing(&mut self, entities: &[Handle], id: Handle) -> Result<(), Error> {
        let (pool, kinds, memory) = self.parts(id)?;
        let mut missing = 0;
        if pool.is_empty() {
            // All at once, so that its first pages are one.
            #[allow(clippy::cast_possible_truncation)]
            pool.reserve_positions(memory, entities.len() as u32)?;
        }
        for entity in entities {
            let spot = pool.spot(*entity);
            if spot.position.is_none() {
                pool.reserve(memory, kinds, &spot)?;
                missing += 1;
            }
        }
        pool.reserve_positions(memory, missing)?;
        match self.watched(id) {
            Some(number) => self.reserve_groups(entities, number),
            None => Ok(()),
        }
    }

    /// Finds the elements of many entities; those that don't have it get null. `refuse` says what is
    /// wrong with the pool.
    fn get_all(
        &self,
        entities: &[Handle],
        id: Handle,
        out: &mut [*mut u8],
        refuse: impl Fn(&Pool<L>) -> Result<(), Error>,
    ) -> Result<Bulk, Error> {
        self.pool(id).and_then(|pool| {
            refuse(pool)?;
            if pool.shape.size == 0 {
                return Err(Error::new(Kind::Tag).about(id));
            }
            if !pool.elements(self.level, entities, self.stamp, out) {
                for (at, (entity, _)) in
                    (0..).zip(entities.iter().zip(out)).filter(|(_, one)| one.1.is_null())
                {
                    self.check_entry(at, *entity)?;
                }
            }
            Ok(if entities.is_empty() { Bulk::Nothing } else { Bulk::Done })
        })
    }
}

impl<L: Layout> Ecs<L> {
    fn tell_all(&self, kind: EventKind, entities: &[Handle], id: Handle) {
        let pool = self.look(|w| {
            let number = w.pools.by_id(id)?.number;
            w.is_told(kind, number).then_some(number)
        });
        if let Some(number) = pool {
            entities.iter().for_each(|entity| self.tell(kind, number, *entity));
        }
    }

    /// Adds a component to many; tells of those for whom it was new, if there is anybody to be told.
    pub fn add_n(&self, entities: &[Handle], id: Handle) -> Result<Added, Error> {
        if entities.is_empty() {
            self.with(|w| w.check_bulk(entities, id))?;
            return Ok(Added::Nothing);
        }
        let mut new = Buffer::new();
        let added = self.with(|w| {
            w.check_bulk(entities, id)?;
            // Who is new is kept: for undo, and to tell.
            new.reserve_exact(&mut w.memory, entities.len())?;
            w.reserve_missing(entities, id)?;
            let (pool, kinds, memory) = w.parts(id)?;
            pool.keep_len(0);
            for entity in entities {
                let spot = pool.spot(*entity);
                if spot.position.is_some() {
                    continue;
                }
                let room = pool.reserve(memory, kinds, &spot)?;
                let position = pool.insert(*entity, room).position;
                if let Err(error) = pool.make(position, 1, None) {
                    pool.undo(kinds, &[*entity]);
                    pool.undo_made(kinds, &new);
                    return Err(error);
                }
                new.push_reserved(*entity);
            }
            if w.veils != 0 {
                let number = w.parts(id)?.0.number;
                w.hide_new(&new, number);
            }
            if let Some(number) = w.watched(id) {
                w.join_groups(&new, number);
            }
            w.touch();
            Ok(if new.is_empty() { Added::Already } else { Added::New })
        });
        if added.is_ok() {
            self.tell_all(EventKind::Add, &new, id);
        }
        self.with(|w| new.free(&mut w.memory));
        added
    }

    /// Removes a component from many.
    pub fn remove_n(&self, entities: &[Handle], id: Handle) -> Result<Removed, Error> {
        let told = self.with(|w| {
            w.check_bulk(entities, id)?;
            let number = w.parts(id)?.0.number;
            Ok(w.is_told(EventKind::Remove, number).then_some(number))
        })?;
        if entities.is_empty() {
            return Ok(Removed::Nothing);
        }
        if let Some(number) = told {
            for entity in entities {
                // What it has from its base stays.
                if self.look(|w| w.pool(id).is_ok_and(|pool| pool.position(*entity).is_some())) {
                    self.tell(EventKind::Remove, number, *entity);
                }
            }
        }
        self.with(|w| {
            w.touch();
            let (pool, kinds, _) = w.parts(id)?;
            let before = pool.count();
            if pool.is_watched() {
                let number = pool.number;
                return Ok(w.remove_all_watched(entities, number));
            }
            for entity in entities {
                let spot = pool.spot(*entity);
                if spot.position.is_some() {
                    pool.remove(kinds, spot);
                }
            }
            Ok(if pool.count() < before { Removed::Gone } else { Removed::NotThere })
        })
    }

    /// Sets a value of many.
    pub fn set_n(&self, entities: &[Handle], id: Handle, values: Source) -> Result<Bulk, Error> {
        let mut new = Buffer::new();
        let set = self.with(|w| {
            w.check_bulk(entities, id)?;
            let (pool, _, _) = w.parts(id)?;
            check_size(pool, values.size())?;
            if entities.is_empty() {
                return Ok(Bulk::Nothing);
            }
            let count = u32::try_from(entities.len()).map_err(|_| Error::new(Kind::Count))?;
            // Who is to be told who is new.
            if !pool.is_unheard(EventKind::Add) {
                new.reserve_exact(&mut w.memory, entities.len())?;
            }
            w.reserve_missing(entities, id)?;
            let (pool, kinds, memory) = w.parts(id)?;
            let staged = match pool.lifecycle().copy {
                None => None,
                Some(_) => Some(pool.stage(memory, values, count)?),
            };
            for (at, entity) in entities.iter().enumerate() {
                let spot = pool.spot(*entity);
                let there = spot.position;
                let position = if let Some(position) = there {
                    pool.end_at(position);
                    position
                } else {
                    let room = pool.reserve(memory, kinds, &spot)?;
                    pool.insert(*entity, room).position
                };
                match staged {
                    None => pool.put_at(position, values.skip(at)),
                    Some(staged) => pool.put_staged(position, staged, at),
                }
                if there.is_none() && new.capacity() > 0 {
                    new.push_reserved(*entity);
                }
            }
            if let Some(staged) = staged {
                pool.unstage(memory, staged, count);
            }
            if w.veils != 0 {
                let number = w.parts(id)?.0.number;
                w.hide_new(entities, number);
            }
            if let Some(number) = w.watched(id) {
                // Who had it is where it belongs already.
                w.join_groups(entities, number);
            }
            w.touch();
            Ok(Bulk::Done)
        });
        if set.is_ok() {
            self.tell_all(EventKind::Add, &new, id);
            self.tell_all(EventKind::Set, entities, id);
        }
        self.with(|w| new.free(&mut w.memory));
        set
    }

    /// Values of many.
    pub fn get_n(&self, entities: &[Handle], id: Handle, out: &mut [*mut u8]) -> Result<Bulk, Error> {
        self.look(|w| w.get_all(entities, id, out, |_| Ok(())))
    }

    /// Values of many, to change.
    pub fn get_mut_n(&self, entities: &[Handle], id: Handle, out: &mut [*mut u8]) -> Result<Bulk, Error> {
        let builtin = Error::new(Kind::Builtin).about(id);
        self.look(|w| {
            w.get_all(entities, id, out, |pool| if pool.is_builtin() { Err(builtin) } else { Ok(()) })
        })
    }

    /// Whether each of many has a component.
    pub fn has_n(&self, entities: &[Handle], id: Handle, out: &mut [u8]) -> Result<Bulk, Error> {
        self.look(|w| {
            let pool = w.pool(id)?;
            for (at, (entity, place)) in (0..).zip(entities.iter().zip(out.iter_mut())) {
                let here = (*entity ^ w.stamp) >> L::BARE_BITS == 0;
                *place = u8::from(here && pool.position(*entity).is_some());
                if *place == 0 {
                    w.check_entry(at, *entity)?;
                }
            }
            Ok(if entities.is_empty() { Bulk::Nothing } else { Bulk::Done })
        })
    }

    /// Values of many, added first where they aren't there.
    pub fn get_or_add_n(&self, entities: &[Handle], id: Handle, out: &mut [*mut u8]) -> Result<Bulk, Error> {
        self.look(|w| match w.pool(id)?.shape.size {
            0 => Err(Error::new(Kind::Tag).about(id)),
            _ => Ok(()),
        })
        .and_then(|()| self.add_n(entities, id))?;
        self.get_n(entities, id, out)
    }
}
