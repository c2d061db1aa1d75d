//! Entities: create, clone, list.

use super::tree::child_of;
use super::{Bulk, Ecs, World};
use crate::core::error::{Entries, Error, Kind};
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout};
use crate::core::registry::Fresh;
use crate::core::storage::buffer::Buffer;
use crate::core::storage::lifecycle::Column;
use crate::core::storage::order::Comparison;
use crate::core::storage::pool::Pool;
use crate::core::storage::slice::checked;
use crate::core::storage::sorting;
use core::ptr::null;

impl<L: Layout> World<L> {
    /// Creates entities, with undo; tells nobody.
    pub(super) fn create_quietly(&mut self, out: &mut [Handle]) -> Result<(), Error> {
        self.writable()?;
        let n = u32::try_from(out.len()).map_err(|_| Error::new(Kind::Count).named("n"))?;
        self.reserve_entities(n)?;
        self.registry.create_reserved(out);
        Ok(())
    }

    /// The first entity whose index another of them has too, by that index.
    #[cold]
    fn find_twice(&mut self, entities: &[Handle]) -> Result<Option<Handle>, Error> {
        let mut both = Buffer::new();
        both.reserve_exact(&mut self.memory, 2 * entities.len())?;
        both.extend_reserved(entities.iter().map(|entity| L::index(*entity)));
        both.extend_reserved(entities.iter().map(|_| 0));
        let (sorted, scratch) = both.split_at_mut(entities.len());
        sorting::sort(sorted, scratch, &Comparison::BY_ENTITY, &|index| (null(), index.into()));
        let twice = sorted.windows(2).find(|two| two[0] == two[1]).map(|two| two[0]);
        both.free(&mut self.memory);
        Ok(twice.and_then(|index| entities.iter().copied().find(|entity| L::index(*entity) == index)))
    }

    /// Creates exactly these, which are free and all different.
    fn create_at(&mut self, entities: &[Handle]) -> Result<(), Error> {
        self.growing(|w| {
            w.registry.reserve_at(&mut w.memory, entities)?;
            w.cover()
        })?;
        self.registry.create_at(entities);
        Ok(())
    }

    /// Gives just created entities, which have nothing yet, and lie side by side or not, one component; all or none.
    fn give(&mut self, entities: &[Handle], beside: bool, column: &Column) -> Result<(), Error> {
        let (pool, kinds, memory) = self.parts(column.id)?;
        if let [entity] = *entities {
            return pool.add(memory, kinds, entity, &pool.spot(entity), column.values());
        }
        if !beside {
            // `append` would pay for each what it pays for a run.
            pool.settle_bit(memory, kinds, entities.len() as u32);
            if let Some(values) = pool.many_values(column.values()) {
                return pool.add_many((memory, kinds), entities, values).map(|_| ());
            }
        }
        pool.keep_len(0);
        pool.reserve_many(memory, kinds, entities, beside)?;
        if pool.gaps() == 0 {
            let first = pool.len();
            pool.append(kinds, entities, beside);
            let made = pool.make(first, pool.len() - first, column.values());
            return made.inspect_err(|_| pool.undo(kinds, entities));
        }
        let (before, mut done) = (pool.len(), 0);
        let given = entities.iter().try_for_each(|entity| {
            let value = column.values().map(|values| values.skip(done));
            pool.add(memory, kinds, *entity, &pool.spot(*entity), value)?;
            done += 1;
            Ok(())
        });
        // Each kept the length before itself.
        pool.keep_len(pool.len() - before);
        given.inspect_err(|_| pool.undo_made(kinds, checked(entities, ..done)))
    }

    pub(super) fn take_away(&mut self, entities: &[Handle], id: Handle) {
        if let Ok((pool, kinds, _)) = self.parts(id) {
            pool.undo_made(kinds, entities);
        }
    }

    fn check_columns(&mut self, columns: &[Column]) -> Result<(), Error> {
        for (at, column) in columns.iter().enumerate() {
            let before = checked(columns, ..at);
            self.check_column(column, before).map_err(|error| error.at(Entries::COLUMNS, at as u32))?;
        }
        Ok(())
    }

    #[inline(always)]
    fn check_column(&mut self, column: &Column, before: &[Column]) -> Result<(), Error> {
        let (pool, _, _) = self.parts(column.id)?;
        if column.reserved != 0 {
            return Err(Error::range("reserved", column.reserved.into(), 0, 0));
        }
        if pool.shape.size != column.size {
            let wrong = Error::new(Kind::Size).about(column.id);
            return Err(wrong.with(column.size.into(), pool.shape.size.into()));
        }
        if before.iter().any(|other| other.id == column.id) {
            return Err(Error::new(Kind::Duplicate).about(column.id).named("columns"));
        }
        Ok(())
    }

    /// Undoes the creation of entities that have got these components and joined no group. `fresh`: what the registry said of
    /// itself before they were created.
    #[cold]
    pub(super) fn uncreate(&mut self, columns: &[Column], out: &mut [Handle], fresh: Fresh) {
        for column in columns.iter().rev() {
            self.take_away(out, column.id);
        }
        self.registry.undo_create(out, fresh);
        out.fill(0);
    }

    /// Creates entities with components, or nothing.
    fn create_full(&mut self, columns: &[Column], out: &mut [Handle]) -> Result<(), Error> {
        self.writable()?;
        self.check_columns(columns)?;
        let fresh = self.registry.fresh();
        self.create_quietly(out)?;
        let beside = Pool::<L>::are_beside(out);
        for (done, column) in columns.iter().enumerate() {
            if let Err(error) = self.give(out, beside, column) {
                self.uncreate(checked(columns, ..done), out, fresh);
                return Err(error);
            }
        }
        if !self.groups.is_empty()
            && let Err(error) = self.join_with(out, columns)
        {
            self.uncreate(columns, out, fresh);
            return Err(error);
        }
        self.touch();
        Ok(())
    }

    /// Gives a just created entity copies of all that another has.
    fn copy_all(&mut self, from: Handle, to: Handle) -> Result<(), Error> {
        let mut row = 0;
        while let Some((at, number)) = self.kinds.next(L::index(from), row) {
            row = at + 1;
            let Some(pool) = self.pools.get_mut(number) else { continue };
            let Some(position) = pool.spot_of_living(from).position else { continue };
            // The copy is made from where the element is: pages never move, and nothing is removed.
            let value = (pool.shape.size > 0).then(|| pool.value(position));
            pool.add_new(&mut self.memory, &mut self.kinds, to, value)?;
        }
        if self.ties != 0 {
            self.copy_pairs(L::index(from), to, None)?;
            match self.parent_of(L::index(from)) {
                0 => {}
                parent => self.add_parent(to, parent).map(|_| ())?,
            }
        }
        if self.groups.is_empty() { Ok(()) } else { self.join_all(to) }
    }
}

impl<L: Layout> Ecs<L> {
    /// Whether the handle is of one who lives here.
    #[inline]
    pub fn is_alive(&self, entity: Handle) -> bool {
        self.look(|w| w.registry.is_alive(entity))
    }

    /// Why it is not.
    pub fn check_alive(&self, entity: Handle) -> Result<(), Error> {
        self.look(|w| w.registry.check(entity))
    }

    /// The generation of a slot.
    pub fn generation(&self, index: u32) -> Result<u32, Error> {
        self.look(|w| w.registry.generation(index))
    }

    /// The living.
    pub fn entities(&self, first: u32, out: &mut [Handle]) -> (u32, u32) {
        self.look(|w| w.registry.living(first, out))
    }

    /// Creates an entity.
    #[inline]
    pub fn create(&self) -> Result<Handle, Error> {
        let (entity, told) = self.with(|w| {
            w.writable()?;
            w.reserve_entities(1)?;
            let entity = w.registry.create(&mut w.memory)?;
            Ok((entity, w.is_told(EventKind::Create, 0)))
        })?;
        if told {
            self.tell(EventKind::Create, 0, entity);
        }
        Ok(entity)
    }

    /// Creates as many as `out` holds.
    pub fn create_n(&self, out: &mut [Handle]) -> Result<Bulk, Error> {
        if out.is_empty() {
            return self.check_writable().map(|()| Bulk::Nothing);
        }
        let told = self.with(|w| {
            w.writable()?;
            let n = u32::try_from(out.len()).map_err(|_| Error::new(Kind::Count).named("n"))?;
            w.reserve_entities(n)?;
            w.registry.create_reserved(out);
            Ok(w.is_told(EventKind::Create, 0))
        })?;
        if told {
            for entity in out {
                self.tell(EventKind::Create, 0, *entity);
            }
        }
        Ok(Bulk::Done)
    }

    /// Creates exactly this one.
    pub fn create_at(&self, entity: Handle) -> Result<(), Error> {
        let told = self.with(|w| {
            w.writable()?;
            w.registry.check_free(entity)?;
            w.create_at(&[entity])?;
            Ok(w.is_told(EventKind::Create, 0))
        })?;
        if told {
            self.tell(EventKind::Create, 0, entity);
        }
        Ok(())
    }

    /// Creates exactly these.
    pub fn create_at_n(&self, entities: &[Handle]) -> Result<Bulk, Error> {
        if entities.is_empty() {
            return self.check_writable().map(|()| Bulk::Nothing);
        }
        let told = self.with(|w| {
            w.writable()?;
            w.check_count(entities)?;
            // As they are saved they are in order, mostly, and need no memory to be told apart.
            let twice = match entities.is_sorted_by(|a, b| L::index(*a) < L::index(*b)) {
                true => None,
                false => w.find_twice(entities)?,
            };
            for (at, entity) in (0..).zip(entities) {
                w.registry.check_free(*entity).map_err(|error| error.at(Entries::ENTITIES, at))?;
            }
            if let Some(twice) = twice {
                return Err(Error::new(Kind::Duplicate).about(twice).named("entities, by its index"));
            }
            w.create_at(entities)?;
            Ok(w.is_told(EventKind::Create, 0))
        })?;
        if told {
            entities.iter().for_each(|entity| self.tell(EventKind::Create, 0, *entity));
        }
        Ok(Bulk::Done)
    }

    /// Creates entities with components from columns of values.
    pub fn create_with(&self, n: u32, columns: &[Column], out: Option<&mut [Handle]>) -> Result<Bulk, Error> {
        if n == 0 {
            self.with(|w| w.writable().and_then(|()| w.check_columns(columns)))?;
            return Ok(Bulk::Nothing);
        }
        if n == 1 {
            let mut one = [0];
            let out = out.unwrap_or(&mut one);
            self.with(|w| {
                w.writable()?;
                let mut failed = None;
                match (w.create_closely(columns, true, &mut failed), failed) {
                    (Some(entity), _) => out[0] = entity,
                    (None, Some(error)) => return Err(error),
                    (None, None) => w.create_full(columns, out)?,
                }
                Ok(())
            })?;
            return Ok(self.tell_created(out, columns));
        }
        if let Some(entities) = out {
            let made = self.with(|w| w.create_full(columns, entities));
            return made.map(|()| self.tell_created(entities, columns));
        }
        let mut entities = self.with(|w| {
            w.writable()?;
            w.check_columns(columns)?;
            w.registry.check_room(n)?;
            let mut buffer = Buffer::new();
            buffer.reserve_exact(&mut w.memory, n as usize)?;
            buffer.extend_reserved((0..n as usize).map(|_| 0));
            Ok(buffer)
        })?;
        let made = self.with(|w| w.create_full(columns, &mut entities));
        let made = made.map(|()| self.tell_created(&entities, columns));
        self.with(|w| entities.free(&mut w.memory));
        made
    }

    fn tell_created(&self, entities: &[Handle], columns: &[Column]) -> Bulk {
        let tells = |kind, id| {
            self.look(|w| {
                let number = w.pools.by_id(id).map_or(0, |pool| pool.number);
                w.is_told(kind, number).then_some(number)
            })
        };
        let is_told = || {
            let mut columns = columns.iter();
            tells(EventKind::Create, 0).is_some()
                || columns.any(|column| tells(EventKind::Add, column.id).is_some())
        };
        if self.look(|w| w.listeners.count() == 0) || !is_told() {
            return Bulk::Done;
        }
        for entity in entities {
            if tells(EventKind::Create, 0).is_some() {
                self.tell(EventKind::Create, 0, *entity);
            }
            for column in columns {
                if let Some(number) = tells(EventKind::Add, column.id) {
                    self.tell(EventKind::Add, number, *entity);
                }
            }
        }
        Bulk::Done
    }

    /// Makes an entity with copies of all that another has.
    pub fn clone_entity(&self, entity: Handle) -> Result<Handle, Error> {
        let copy = self.with(|w| {
            w.writable()?;
            w.check_plain(entity)?;
            let (fresh, mut copy) = (w.registry.fresh(), [0]);
            w.create_quietly(&mut copy)?;
            if let Err(error) = w.copy_all(entity, copy[0]) {
                w.untie(copy[0]);
                w.find_ties();
                let mut row = 0;
                while let Some((at, number)) = w.kinds.next(L::index(copy[0]), row) {
                    row = at + 1;
                    if let Some(id) = w.pools.get(number).map(|pool| pool.id) {
                        w.take_away(&copy, id);
                    }
                }
                w.registry.undo_create(&copy, fresh);
                return Err(error);
            }
            w.touch();
            Ok(copy[0])
        })?;
        if self.look(|w| w.listeners.count() > 0) {
            self.tell(EventKind::Create, 0, copy);
            self.tell_each(EventKind::Add, copy);
        }
        Ok(copy)
    }

    /// Tells of each component of an entity, in the order of its signature.
    fn tell_each(&self, kind: EventKind, entity: Handle) {
        let mut row = 0;
        while let Some((at, number)) = self.look(|w| w.kinds.next(L::index(entity), row)) {
            row = at + 1;
            self.tell(kind, number, entity);
        }
    }

    pub(super) fn tell_destroy(&self, entity: Handle) {
        self.tell(EventKind::Destroy, 0, entity);
        self.tell_each(EventKind::Remove, entity);
    }

    /// The ids of all that an entity has, in the order of their indices, which nothing but it decides: writes
    /// as many as fit, returns how many there are.
    pub fn type_of(&self, entity: Handle, out: &mut [Handle]) -> Result<u32, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            let ids = w.kinds.of(L::index(entity)).filter_map(|n| w.pools.get(n)).map(|p| p.id);
            let (mut count, mut written) = (0, 0);
            for id in ids {
                count += 1;
                // From the end: most come in that order.
                let mut place = written;
                written += usize::from(written < out.len());
                while place > 0 && L::index(out[place - 1]) > L::index(id) {
                    place -= 1;
                    if place + 1 < out.len() {
                        out[place + 1] = out[place];
                    }
                }
                if let Some(at) = out.get_mut(place) {
                    *at = id;
                }
            }
            // Behind them the parent, and what else is no component's.
            let parent = Some(w.parent_of(L::index(entity))).filter(|parent| *parent != 0).map(child_of);
            let pairs = w.links.held(L::index(entity)).map(|link| w.links.pair(w.links.of(link).0).id);
            for id in parent.into_iter().chain(pairs) {
                if let Some(place) = out.get_mut(count as usize) {
                    *place = id;
                }
                count += 1;
            }
            Ok(count)
        })
    }

    /// Destroys everybody but components, and removes the world-wide values.
    pub fn clear(&self) -> Result<(), Error> {
        self.check_writable()?;
        self.with(|w| w.relations.set_lenient(true));
        let mut first = 0;
        while let Some(entity) = self.look(|w| w.registry.next_living(first)) {
            first = L::index(entity) + 1;
            if self.look(|w| w.check_plain(entity).is_ok()) {
                self.destroy(entity)?;
            }
        }
        self.with(|w| {
            w.relations.set_lenient(false);
            w.touch();
            // Who comes next comes in the order of indices, as at first: that is what queries are fastest in.
            w.registry.sort_dead();
            w.veils = 0;
            w.find_floor();
            for number in 0..w.pools.numbers() {
                if let Some(pool) = w.pools.get_mut(number) {
                    pool.remove_singleton(&mut w.memory);
                }
            }
        });
        Ok(())
    }

    /// Whether ending the world has anybody to tell, or anything to destruct.
    pub fn ends_quietly(&self) -> bool {
        self.look(|w| {
            w.listeners.count() == 0 && w.pools.iter().all(|pool| pool.lifecycle().destruct.is_none())
        })
    }
}
