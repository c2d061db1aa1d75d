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
use crate::core::storage::slice::checked;

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
        if self.ascend(entities) {
            return Ok(());
        }
        // Of the registry's own words, which a mark would change, none is there twice.
        let marks = !self.registry.has_words(entities);
        let fits = |w: &mut Self, entity| {
            !w.is_component(entity)
                && if marks { w.registry.mark(entity) } else { w.registry.is_alive(entity) }
        };
        let bad = entities.iter().position(|entity| !fits(self, *entity));
        let seen = if marks { &entities[..bad.unwrap_or(entities.len())] } else { &[] };
        seen.iter().for_each(|entity| self.registry.unmark(*entity));
        let Some(at) = bad else { return Ok(()) };
        let entity = *checked(entities, at);
        let error = if entities.iter().position(|other| *other == entity) < Some(at) {
            Error::new(Kind::Duplicate).about(entity).named("entities")
        } else {
            why(self, entity).err().unwrap_or(Error::new(Kind::IsComponent).about(entity))
        };
        Err(error.at(Entries::ENTITIES, at as u32))
    }

    /// Whether these all live and are plain entities, which is sure to be so if they are in the order of their indices: then
    /// nobody is there twice.
    fn ascend(&self, entities: &[Handle]) -> bool {
        let mut least = if self.strays == 0 { self.registry.reserved() } else { u32::MAX };
        entities.iter().all(|entity| {
            let index = L::index(*entity);
            let next = index >= least && self.registry.is_alive(*entity);
            least = index.wrapping_add(1);
            next
        })
    }

    /// The number of the pool whose own array that is, if it is one's.
    #[inline(never)]
    fn pool_of_array(&self, entities: &[Handle]) -> Option<u32> {
        let first = *entities.first()?;
        let begins_here = |pool: &Pool<L>| {
            pool.position(first).is_some_and(|at| pool.entities_at(at) == entities.as_ptr().cast())
        };
        let mut numbers = self.kinds.of(L::index(first));
        numbers.find(|number| self.pools.get(*number).is_some_and(begins_here))
    }

    /// Whether an array that was checked may change while its entities are removed from pools: it is a pool's own, or
    /// listeners, who were `told`, have changed it. It must be read once then, and from its end: what leaves a pool's
    /// makes way for one from behind.
    ///
    /// ```text
    ///   the pool's   [ a b | c d e | f g ]        the array is c d e, and e goes first: c and d stay where they are
    ///                [ a b | c d g | f ]
    /// ```
    #[inline(never)] // Two call it, for many.
    pub(super) fn is_shaky(&mut self, entities: &[Handle], told: bool) -> bool {
        self.pool_of_array(entities).is_some() || told && self.check_all(entities, Self::check_plain).is_err()
    }

    /// Whether such an array must be read from its beginning after all: who loses that component joins a group, and so
    /// changes places with one before it.
    ///
    /// ```text
    ///   the pool's   [ m m | c d e ]              c goes first: whoever joins goes to the end of the members, m
    ///                [ m m c | d e ]
    /// ```
    fn joins_by_losing(&self, entities: &[Handle], number: u32) -> bool {
        self.pool_of_array(entities).is_some_and(|own| self.groups.move_without(own, number))
    }

    /// Ok if one of several lives.
    fn check_entry(&self, at: u32, entity: Handle) -> Result<(), Error> {
        self.registry.check_fast(entity).map_err(|error| error.at(Entries::ENTITIES, at))
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
        pool.reserve_missing(memory, kinds, entities)?;
        match self.watched(id) {
            Some(number) => self.reserve_groups(entities, number),
            None => Ok(()),
        }
    }

    /// Gives many a plain component, zeros or values, or puts the values in the place of what they have, if no listener is to be told;
    /// says to how many it was new. None: it did nothing.
    fn give_many(
        &mut self,
        entities: &[Handle],
        id: Handle,
        values: Option<Source>,
    ) -> Option<Result<u32, Error>> {
        let (pool, kinds, memory) = self.parts(id).ok()?;
        pool.settle_bit(memory, kinds, entities.len() as u32);
        let (value, step) = pool.many_values(values)?;
        let (number, first, watched) = (pool.number, pool.len(), pool.is_watched());
        if watched && let Err(error) = self.reserve_groups(entities, number) {
            return Some(Err(error));
        }
        let (pool, kinds, memory) = self.parts(id).ok()?;
        let given = pool.add_many((memory, kinds), entities, (value, step));
        if let Ok(new) = given {
            if step > 0 && (new as usize) < entities.len() {
                pool.put_many(entities, value);
            }
            if new > 0 {
                if self.veils != 0 {
                    self.hide_new(entities, number);
                }
                // Last: the array may be that of a pool which this puts in order.
                if watched {
                    self.join_from(number, first);
                }
                self.touch();
            }
        }
        Some(given)
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

    /// Adds a component to many, or sets a value of each; tells of those to whom it was new, and of all that were set.
    /// Returns to how many it was new.
    #[inline(never)]
    fn come_n(&self, entities: &[Handle], id: Handle, values: Option<Source>) -> Result<u32, Error> {
        let mut new = Buffer::new();
        let come = self.with(|w| {
            w.check_bulk(entities, id)?;
            if let Some(values) = values {
                check_size(w.parts(id)?.0, values.size())?;
            }
            if entities.is_empty() {
                return Ok(0);
            }
            if let Some(given) = w.give_many(entities, id, values) {
                return given;
            }
            // Who is new is kept: for undo, and to tell.
            new.reserve_exact(&mut w.memory, entities.len())?;
            w.reserve_missing(entities, id)?;
            let (pool, kinds, memory) = w.parts(id)?;
            let staged = match values {
                Some(values) if pool.lifecycle().copy.is_some() => {
                    Some(pool.stage(memory, values, entities.len() as u32)?)
                }
                _ => None,
            };
            pool.keep_len(0);
            for (at, entity) in entities.iter().copied().enumerate() {
                let spot = pool.spot_of_living(entity);
                let position = match spot.position {
                    Some(_) if values.is_none() => continue,
                    Some(position) => {
                        pool.end_at(position);
                        position
                    }
                    None => pool.put_in(memory, kinds, entity, &spot)?,
                };
                match (staged, values) {
                    (Some(staged), _) => pool.put_staged(position, staged, at),
                    (None, Some(values)) => pool.put_at(position, values.skip(at)),
                    (None, None) => {
                        if let Err(error) = pool.make(position, 1, None) {
                            pool.undo(kinds, &[entity]);
                            pool.undo_made(kinds, &new);
                            return Err(error);
                        }
                    }
                }
                if spot.position.is_none() {
                    new.push_reserved(entity);
                }
            }
            if let Some(staged) = staged {
                pool.unstage(memory, staged, entities.len() as u32);
            }
            let (number, watched) = (pool.number, pool.is_watched());
            if w.veils != 0 {
                w.hide_new(&new, number);
            }
            if watched {
                w.join_groups(&new, number);
            }
            w.touch();
            Ok(new.len() as u32)
        });
        if come.is_ok() {
            self.tell_all(EventKind::Add, &new, id);
            if values.is_some() {
                self.tell_all(EventKind::Set, entities, id);
            }
        }
        self.with(|w| new.free(&mut w.memory));
        come
    }

    /// Adds a component to many.
    pub fn add_n(&self, entities: &[Handle], id: Handle) -> Result<Added, Error> {
        let new = self.come_n(entities, id, None)?;
        Ok(match (entities.is_empty(), new) {
            (true, _) => Added::Nothing,
            (false, 0) => Added::Already,
            _ => Added::New,
        })
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
                if self.look(|w| w.pool(id).is_ok_and(|pool| pool.holds(*entity))) {
                    self.tell(EventKind::Remove, number, *entity);
                }
            }
        }
        self.with(|w| {
            let shaky = w.is_shaky(entities, told.is_some());
            w.touch();
            let (pool, kinds, _) = w.parts(id)?;
            let before = pool.count();
            if pool.is_watched() || shaky {
                let number = pool.number;
                let back = shaky && !w.joins_by_losing(entities, number);
                return Ok(w.remove_one_by_one(entities, (id, number), back));
            }
            pool.remove_many(kinds, entities);
            Ok(if pool.count() < before { Removed::Gone } else { Removed::NotThere })
        })
    }

    /// Sets a value of many.
    pub fn set_n(&self, entities: &[Handle], id: Handle, values: Source) -> Result<Bulk, Error> {
        self.come_n(entities, id, Some(values))?;
        Ok(if entities.is_empty() { Bulk::Nothing } else { Bulk::Done })
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
            let mut all = true;
            for (entity, place) in entities.iter().zip(out.iter_mut()) {
                let alive = w.registry.is_alive(*entity);
                *place = u8::from(alive && pool.has_living(&w.kinds, *entity));
                all &= alive;
            }
            if !all {
                for (at, entity) in (0..).zip(entities) {
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
