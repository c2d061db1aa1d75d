//! One entity and one component: add, remove, set, get, has.

use super::{Added, Ecs, Removed, World};
use crate::core::error::{Error, Kind};
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout};
use crate::core::storage::lifecycle::Source;
use crate::core::storage::pool::Pool;
use core::ptr::null_mut;

/// Whom to tell after a change of a component.
pub(super) struct Told {
    pub(super) pool: u32,
    pub(super) add: bool,
    pub(super) set: bool,
}

impl Told {
    pub(super) const NOBODY: Self = Self { pool: 0, add: false, set: false };

    #[inline(always)]
    pub(super) fn of<L: Layout>(pool: &Pool<L>, listens: bool, added: bool) -> Self {
        Self {
            pool: pool.number,
            add: added && listens && !pool.is_unheard(EventKind::Add),
            set: listens && !pool.is_unheard(EventKind::Set),
        }
    }
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
    /// What is wrong with an entity or a component, the entity first.
    #[cold]
    pub(super) fn refuse(&self, entity: Handle, id: Handle) -> Error {
        match self.registry.check(entity) {
            Err(error) => error,
            Ok(()) => self.no_component(id),
        }
    }

    /// Ok if the entity is one that may be changed.
    #[inline(always)]
    pub(super) fn check_change(&self, entity: Handle, id: Handle) -> Result<(), Error> {
        let may = self.writable().is_ok() && self.registry.is_alive(entity) && !self.is_component(entity);
        if may { Ok(()) } else { Err(self.why_not_change(entity, id)) }
    }

    /// Why it may not.
    #[cold]
    #[inline(never)]
    fn why_not_change(&self, entity: Handle, id: Handle) -> Error {
        if let Err(error) = self.writable() {
            return error;
        }
        if self.registry.is_alive(entity) {
            return Error::new(Kind::IsComponent).about(entity);
        }
        self.refuse(entity, id)
    }

    /// Sets a value: every check, all memory, then the change.
    fn set_one(&mut self, entity: Handle, id: Handle, value: Source) -> Result<Told, Error> {
        let listens = self.listeners.count() > 0;
        let pool = self.pools.by_id(id);
        if self.telling == 0 || pool.is_none_or(|p| !p.holds(entity)) {
            self.check_change(entity, id)?;
        }
        if pool.is_none() {
            return self.add_other(entity, id, Some(value)).map(|_| Told::NOBODY);
        }
        self.check_plain(entity)?;
        let (pool, kinds, memory) = self.parts(id)?;
        check_size(pool, value.size())?;
        let spot = pool.spot(entity);
        if let Some(position) = spot.position {
            if pool.lifecycle().copy.is_none() {
                pool.put(position, value);
            } else {
                pool.put_copy(memory, position, value)?;
            }
            return Ok(Told::of(pool, listens, false));
        }
        let told = Told::of(pool, listens, true);
        if pool.is_watched() {
            self.add_watched(told.pool, entity, Some(value))?;
        } else {
            pool.add(memory, kinds, entity, &spot, Some(value))?;
            if self.veils != 0 {
                self.hide_new(&[entity], told.pool);
            }
        }
        self.touch();
        Ok(told)
    }

    #[inline(always)]
    fn add_one(&mut self, entity: Handle, id: Handle) -> Result<Option<Told>, Error> {
        self.check_change(entity, id)?;
        let listens = self.listeners.count() > 0;
        let Some(pool) = self.pools.by_id_mut(id) else {
            let added = self.add_other(entity, id, None)?;
            return Ok((added == Added::New).then_some(Told::NOBODY));
        };
        if pool.is_builtin() {
            return Err(Error::new(Kind::Builtin).about(id));
        }
        let spot = pool.spot(entity);
        if spot.position.is_some() {
            return Ok(None);
        }
        let told = Told { set: false, ..Told::of(pool, listens, true) };
        if pool.is_watched() {
            self.add_watched(told.pool, entity, None)?;
        } else {
            pool.add(&mut self.memory, &mut self.kinds, entity, &spot, None)?;
            if self.veils != 0 {
                self.hide_new(&[entity], told.pool);
            }
        }
        self.touch();
        Ok(Some(told))
    }

    /// Removes, unless somebody is to be told first: then the inner error is whose listeners.
    #[inline(always)]
    fn remove_one(&mut self, entity: Handle, id: Handle) -> Result<Result<Removed, u32>, Error> {
        self.check_change(entity, id)?;
        let Some(pool) = self.pools.by_id(id) else {
            return self.remove_other(entity, id).map(Ok);
        };
        if pool.is_builtin() {
            return Err(Error::new(Kind::Builtin).about(id));
        }
        let number = pool.number;
        Ok(self.take_unheard(number, entity))
    }

    /// Takes what an entity may have, and may lose, off it. Err: it has it, and the pool's listeners are to be told first.
    #[inline(always)]
    pub(super) fn take_unheard(&mut self, number: u32, entity: Handle) -> Result<Removed, u32> {
        let listens = self.listeners.count() > 0;
        let Some(pool) = self.pools.get_mut(number) else { return Ok(Removed::NotThere) };
        let spot = pool.spot_of_living(entity);
        if spot.position.is_none() {
            return Ok(Removed::NotThere);
        }
        if listens && !pool.is_unheard(EventKind::Remove) {
            return Err(number);
        }
        // As `take_off` does, which would look for it all anew.
        if pool.is_watched() {
            self.take_off(number, entity);
        } else {
            pool.remove(&mut self.kinds, spot);
            self.touch();
        }
        Ok(Removed::Gone)
    }

    /// The slow side of get and get_mut: null, what is wrong, or the value of what is no component.
    fn other_value(&self, entity: Handle, id: Handle, change: bool) -> Result<*mut u8, Error> {
        let Some(pool) = self.pools.by_id(id) else { return self.get_other(entity, id) };
        match pool.shape.size {
            _ if change && pool.is_builtin() => Err(Error::new(Kind::Builtin).about(id)),
            0 => Err(Error::new(Kind::Tag).about(id)),
            _ => Ok(null_mut()),
        }
    }

    /// The element of an entity that has it, and the pool it is in.
    #[inline(always)]
    fn element(&self, entity: Handle, id: Handle) -> Option<(&Pool<L>, *mut u8)> {
        let pool = self.pools.by_id(id)?;
        let here = (entity ^ self.stamp) >> L::BARE_BITS == 0;
        let position = pool.position(entity).filter(|_| here && pool.shape.size > 0)?;
        Some((pool, pool.element(position)))
    }
}

impl<L: Layout> Ecs<L> {
    #[inline(always)]
    pub(super) fn tell_changed(&self, entity: Handle, told: &Told) {
        if told.add | told.set {
            self.tell_of(entity, told);
        }
    }

    #[inline(never)] // Four call it.
    fn tell_of(&self, entity: Handle, told: &Told) {
        if told.add {
            self.tell(EventKind::Add, told.pool, entity);
        }
        if told.set {
            self.tell(EventKind::Set, told.pool, entity);
        }
    }

    /// Adds a component.
    #[inline(always)]
    pub fn add(&self, entity: Handle, id: Handle) -> Result<Added, Error> {
        let Some(told) = self.with(|w| w.add_one(entity, id))? else { return Ok(Added::Already) };
        self.tell_changed(entity, &told);
        Ok(Added::New)
    }

    /// Sets a value, adding the component if it isn't there.
    #[inline(always)]
    pub fn set(&self, entity: Handle, id: Handle, value: Source) -> Result<(), Error> {
        let told = self.with(|w| w.set_one(entity, id, value))?;
        self.tell_changed(entity, &told);
        Ok(())
    }

    /// Removes a component.
    #[inline(always)]
    pub fn remove(&self, entity: Handle, id: Handle) -> Result<Removed, Error> {
        let removed = self.with(|w| w.remove_one(entity, id))?;
        Ok(removed.unwrap_or_else(|number| self.take_heard(number, entity)))
    }

    /// Tells the listeners of a pool, and takes what an entity has there off it.
    pub(super) fn take_heard(&self, number: u32, entity: Handle) -> Removed {
        self.tell(EventKind::Remove, number, entity);
        self.with(|w| w.take_off(number, entity));
        Removed::Gone
    }

    /// A value, or null.
    #[inline(always)]
    pub fn get(&self, entity: Handle, id: Handle) -> Result<*mut u8, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            match w.element(entity, id) {
                Some((_, element)) => Ok(element),
                None => match w.inherited_value(entity, id) {
                    Some((_, element)) => Ok(element),
                    None => w.other_value(entity, id, false),
                },
            }
        })
    }

    /// A value that may be changed, or null.
    #[inline(always)]
    pub fn get_mut(&self, entity: Handle, id: Handle) -> Result<*mut u8, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            match w.element(entity, id) {
                Some((pool, element)) if !pool.is_builtin() => Ok(element),
                _ => match w.inherited_value(entity, id) {
                    Some((base, _)) => Err(Error::new(Kind::Inherited).about(entity).with(id, base)),
                    None => w.other_value(entity, id, true),
                },
            }
        })
    }

    /// Whether an entity has a component. A slot of that generation in a pool of this world proves that
    /// the entity lives, so the registry is only asked on a miss.
    #[inline(always)]
    pub fn has(&self, entity: Handle, id: Handle) -> Result<bool, Error> {
        self.look(|w| {
            let pool = w.pools.by_id(id);
            if pool.is_some_and(|pool| pool.holds(entity)) && (entity ^ w.stamp) >> L::BARE_BITS == 0 {
                return Ok(true);
            }
            w.registry.check(entity)?;
            match pool {
                Some(pool) => Ok(w.inherited(L::index(entity), pool).is_some()),
                None => w.has_other(entity, id),
            }
        })
    }

    /// A value that may be changed, added first if it isn't there.
    pub fn get_or_add(&self, entity: Handle, id: Handle) -> Result<*mut u8, Error> {
        match self.get_mut(entity, id) {
            Err(Error { kind: Kind::Inherited, .. }) => {
                self.override_component(entity, id)?;
            }
            Ok(there) if there.is_null() => {
                self.add(entity, id)?;
            }
            there => return there,
        }
        self.get_mut(entity, id)
    }
}
