//! One entity and one component: add, remove, set, get, has.

use super::listeners::EventKind;
use super::{Added, Ecs, Removed, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::lifecycle::Source;
use crate::core::storage::pool::Pool;
use core::ptr::null_mut;

/// Whom to tell after a change of a component.
struct Told {
    pool: u32,
    add: bool,
    set: bool,
}

/// Ok if values of that size are the component's.
pub(super) fn check_size<L: Layout>(pool: &Pool<L>, size: u32) -> Result<(), Error> {
    if pool.shape.size == 0 {
        return Err(Error::new(Kind::Tag).about(pool.id));
    }
    if pool.shape.size == size {
        return Ok(());
    }
    Err(Error::new(Kind::Size).about(pool.id).with(size.into(), pool.shape.size.into()))
}

impl<L: Layout> World<L> {
    /// The entity's place in a component's pool, if it has it. A slot of that generation in a pool of
    /// this world proves that the entity lives, so the registry is only asked on a miss.
    #[inline]
    fn find(&self, entity: Handle, id: Handle) -> Result<Option<(&Pool<L>, u32)>, Error> {
        let Some(pool) = self.pools.by_id(id) else { return Err(self.refuse(entity, id)) };
        if (entity ^ self.stamp) >> L::BARE_BITS == 0
            && let Some(position) = pool.position(entity)
        {
            return Ok(Some((pool, position)));
        }
        if self.registry.is_alive(entity) { Ok(None) } else { Err(self.refuse(entity, id)) }
    }

    /// What is wrong with an entity or a component, the entity first.
    #[cold]
    pub(super) fn refuse(&self, entity: Handle, id: Handle) -> Error {
        match self.registry.check(entity) {
            Err(error) => error,
            Ok(()) => self.no_component(id),
        }
    }

    /// Ok if the entity is one that may be changed.
    #[inline]
    pub(super) fn check_change(&self, entity: Handle, id: Handle) -> Result<(), Error> {
        self.writable()?;
        if !self.registry.is_alive(entity) {
            return Err(self.refuse(entity, id));
        }
        if self.is_component(entity) {
            return Err(Error::new(Kind::IsComponent).about(entity));
        }
        Ok(())
    }

    #[inline]
    fn set_one(&mut self, entity: Handle, id: Handle, value: Source) -> Result<Told, Error> {
        let listens = self.listeners.count() > 0;
        let told = |pool: &Pool<L>, added: bool| Told {
            pool: pool.number,
            add: added && listens && !pool.listeners[0].is_empty(),
            set: listens && !pool.listeners[1].is_empty(),
        };
        if let Some(pool) = self.pools.by_id_mut(id)
            && pool.shape.size == value.size()
            && !pool.builtin
            && value.size() > 0
            && (entity ^ self.stamp) >> L::BARE_BITS == 0
            && let Some(position) = pool.position(entity)
        {
            if pool.lifecycle.copy.is_none() {
                pool.put(position, true, value);
            } else {
                let staged = pool.stage(&mut self.memory, value, 1)?;
                pool.put_staged(position, true, staged, 0);
                pool.unstage(&mut self.memory, staged, 1);
            }
            return Ok(told(pool, false));
        }
        self.check_change(entity, id)?;
        let (pool, blocks, memory) = self.parts(id)?;
        check_size(pool, value.size())?;
        pool.reserve(memory, blocks, L::index(entity))?;
        let position = pool.insert(blocks, entity);
        if pool.lifecycle.copy.is_none() {
            pool.put(position, false, value);
        } else if let Err(error) = pool.make(position, 1, Some(value)) {
            pool.undo(blocks, &[entity]);
            return Err(error);
        }
        let told = told(pool, true);
        self.touch();
        Ok(told)
    }

    #[inline]
    fn add_one(&mut self, entity: Handle, id: Handle) -> Result<Option<Told>, Error> {
        self.check_change(entity, id)?;
        let listens = self.listeners.count() > 0;
        let (pool, blocks, memory) = self.parts(id)?;
        if pool.position(entity).is_some() {
            return Ok(None);
        }
        pool.reserve(memory, blocks, L::index(entity))?;
        let position = pool.insert(blocks, entity);
        if let Err(error) = pool.make(position, 1, None) {
            pool.undo(blocks, &[entity]);
            return Err(error);
        }
        let add = listens && !pool.listeners[0].is_empty();
        let told = Told { pool: pool.number, add, set: false };
        self.touch();
        Ok(Some(told))
    }
}

impl<L: Layout> Ecs<L> {
    #[inline]
    fn tell_changed(&self, entity: Handle, told: &Told) {
        if told.add {
            self.tell(EventKind::Add, told.pool, entity);
        }
        if told.set {
            self.tell(EventKind::Set, told.pool, entity);
        }
    }

    /// Adds a component.
    #[inline]
    pub fn add(&self, entity: Handle, id: Handle) -> Result<Added, Error> {
        let Some(told) = self.with(|w| w.add_one(entity, id))? else { return Ok(Added::Already) };
        self.tell_changed(entity, &told);
        Ok(Added::New)
    }

    /// Sets a value, adding the component if it isn't there.
    #[inline]
    pub fn set(&self, entity: Handle, id: Handle, value: Source) -> Result<(), Error> {
        let told = self.with(|w| w.set_one(entity, id, value))?;
        self.tell_changed(entity, &told);
        Ok(())
    }

    /// Removes a component.
    #[inline]
    pub fn remove(&self, entity: Handle, id: Handle) -> Result<Removed, Error> {
        let told = self.with(|w| {
            w.check_change(entity, id)?;
            let listens = w.listeners.count() > 0;
            let (pool, blocks, _) = w.parts(id)?;
            let Some(position) = pool.position(entity) else { return Ok(None) };
            if listens && !pool.listeners[2].is_empty() {
                return Ok(Some((pool.number, position)));
            }
            pool.remove(blocks, entity, position);
            w.touch();
            Ok(Some((u32::MAX, position)))
        })?;
        let Some((number, position)) = told else { return Ok(Removed::NotThere) };
        if number != u32::MAX {
            self.tell(EventKind::Remove, number, entity);
            self.with(|w| {
                let (pool, blocks, _) = w.parts(id)?;
                pool.remove(blocks, entity, position);
                w.touch();
                Ok(())
            })?;
        }
        Ok(Removed::Gone)
    }

    /// A value, or null.
    #[inline]
    pub fn get(&self, entity: Handle, id: Handle) -> Result<*mut u8, Error> {
        self.look(|w| match w.find(entity, id)? {
            Some((pool, position)) if pool.shape.size > 0 => Ok(pool.element(position)),
            _ => w.pool(id).and_then(|pool| match pool.shape.size {
                0 => Err(Error::new(Kind::Tag).about(id)),
                _ => Ok(null_mut()),
            }),
        })
    }

    /// A value that may be changed, or null.
    #[inline]
    pub fn get_mut(&self, entity: Handle, id: Handle) -> Result<*mut u8, Error> {
        self.look(|w| match w.find(entity, id)? {
            Some((pool, position)) if pool.shape.size > 0 && !pool.builtin => Ok(pool.element(position)),
            _ => w.pool(id).and_then(|pool| match (pool.shape.size, pool.builtin) {
                (_, true) => Err(Error::new(Kind::Builtin).about(id)),
                (0, _) => Err(Error::new(Kind::Tag).about(id)),
                _ => Ok(null_mut()),
            }),
        })
    }

    /// Whether an entity has a component.
    #[inline]
    pub fn has(&self, entity: Handle, id: Handle) -> Result<bool, Error> {
        self.look(|w| w.find(entity, id).map(|found| found.is_some()))
    }

    /// A value that may be changed, added first if it isn't there.
    pub fn get_or_add(&self, entity: Handle, id: Handle) -> Result<*mut u8, Error> {
        let there = self.get_mut(entity, id)?;
        if !there.is_null() {
            return Ok(there);
        }
        self.add(entity, id)?;
        self.get_mut(entity, id)
    }
}
