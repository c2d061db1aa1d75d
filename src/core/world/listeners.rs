//! Listeners: any number on add, set and remove of a component, and on create and destroy of
//! entities; told in the order of connection.

use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::events::{Callback, Event, EventKind, Listener};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::buffer::Buffer;
use crate::core::storage::links::NONE;
use crate::core::storage::memory::Memory;
use crate::core::storage::pool::{Pool, cut, has};

/// The listeners on entities, and what all listeners share.
#[derive(Default)]
pub struct Listeners {
    entities: [Buffer<Listener>; 2],

    count: u32,
    /// Those on removal, of all components: where there are none, destroying needs no look at pools.
    removals: u32,
}

impl Listeners {
    /// Connected listeners.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Gives back spare capacity.
    pub fn shrink(&mut self, memory: &mut Memory) {
        for list in &mut self.entities {
            list.shrink(memory);
        }
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        for list in &mut self.entities {
            list.free(memory);
        }
    }

    /// Forgets those of a component that goes.
    #[allow(clippy::cast_possible_truncation)] // `count` counts them too
    pub fn forget<L: Layout>(&mut self, pool: &Pool<L>) {
        self.count -= pool.heard_by() as u32;
        self.removals -= pool.listeners(EventKind::Remove).len() as u32;
    }
}

impl<L: Layout> World<L> {
    /// The listeners of a kind; `pool` is the number of the component's pool.
    fn list(&self, kind: EventKind, pool: u32) -> &[Listener] {
        if kind.of_entity() {
            return &self.listeners.entities[kind.list()];
        }
        self.pools.get(pool).map_or(&[], |pool| pool.listeners(kind))
    }

    /// Whether somebody wants to know.
    #[inline]
    pub(super) fn is_told(&self, kind: EventKind, pool: u32) -> bool {
        self.listeners.count > 0 && !self.list(kind, pool).is_empty()
    }

    /// Whether somebody may want to know of a destroyed entity.
    #[inline]
    pub(super) fn is_told_of_destroy(&self) -> bool {
        self.listeners.count > 0 && (self.listeners.removals > 0 || self.is_told(EventKind::Destroy, 0))
    }

    /// What a listener listens to: the number of a component's pool, or `NONE`: entities.
    #[inline(never)]
    fn heard(&self, serial: u32) -> Option<u32> {
        if has(&self.listeners.entities, serial) {
            return Some(NONE);
        }
        (0..self.pools.numbers())
            .find(|number| self.pools.get(*number).is_some_and(|pool| pool.hears(serial)))
    }

    fn event(&self, kind: EventKind, pool: u32, entity: Handle) -> Event {
        let none = Event { kind, entity, id: 0, data: core::ptr::null_mut() };
        if kind.of_entity() {
            return none;
        }
        self.pools.get(pool).map_or(none, |pool| {
            let at = pool.position(entity).filter(|_| pool.shape.size > 0);
            let data = at.map_or(none.data, |position| pool.element(position));
            Event { id: pool.id, data, ..none }
        })
    }
}

impl<L: Layout> Ecs<L> {
    /// Tells the listeners of a kind, in the order of connection. While they run nothing structural
    /// happens, so the list stays as it is.
    pub(super) fn tell(&self, kind: EventKind, pool: u32, entity: Handle) {
        let told = self.with(|w| {
            let first = w.list(kind, pool).first()?.callback;
            w.telling += 1;
            w.find_floor();
            Some((first, w.event(kind, pool, entity)))
        });
        let Some((mut callback, event)) = told else { return };
        for next in 1.. {
            (callback.run)(&callback, &event);
            let Some(other) = self.look(|w| Some(w.list(kind, pool).get(next)?.callback)) else { break };
            callback = other;
        }
        self.with(|w| {
            w.telling -= 1;
            w.find_floor();
        });
    }

    /// Connects a listener under a number that no other has, in this world or another.
    pub fn listen(&self, kind: EventKind, id: Handle, callback: Callback, serial: u32) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let listener = Listener { serial, callback };
            if kind.of_entity() {
                if id != 0 {
                    let none = "is given as id, but DZ_ON_CREATE and DZ_ON_DESTROY take none";
                    return Err(Error::unfit(none).about(id));
                }
                w.listeners.entities[kind.list()].push(&mut w.memory, listener)?;
            } else {
                w.pool(id)?;
                let pool = w.pools.by_id_mut(id).ok_or(Error::new(Kind::NotComponent).about(id))?;
                pool.listen(&mut w.memory, kind, listener)?;
            }
            w.listeners.count += 1;
            w.listeners.removals += u32::from(kind == EventKind::Remove);
            w.find_floor();
            Ok(())
        })
    }

    /// Whether a number is neither a listener's nor a group's.
    pub fn is_free(&self, serial: u32) -> bool {
        self.look(|w| w.heard(serial).is_none() && w.groups.by_serial(serial).is_err())
    }

    /// Disconnects a listener.
    pub fn unlisten(&self, serial: u32) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let number = w.heard(serial).ok_or(Error::new(Kind::Listener).about(serial.into()))?;
            let list = match w.pools.get_mut(number) {
                Some(pool) => pool.unlisten(serial),
                None => cut(&mut w.listeners.entities, serial),
            };
            w.listeners.removals -= u32::from(number != NONE && list == Some(EventKind::Remove.list()));
            w.listeners.count -= 1;
            w.find_floor();
            Ok(())
        })
    }
}
