//! Listeners: any number on add, set and remove of a component, and on create and destroy of
//! entities; told in the order of connection.

use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::events::{Callback, Event, EventKind, Listener};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::buffer::Buffer;
use crate::core::storage::memory::Memory;

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

    /// Forgets those of a component that goes; returns how many.
    pub fn forget(&mut self, lists: &[Buffer<Listener>; 3]) -> u32 {
        let lens = lists.each_ref().map(|list| u32::try_from(list.len()).unwrap_or(u32::MAX));
        let forgotten = lens.iter().sum();
        self.count -= forgotten;
        self.removals -= lens[EventKind::Remove.list()];
        forgotten
    }
}

impl<L: Layout> World<L> {
    /// The listeners of a kind; `pool` is the number of the component's pool.
    fn list(&self, kind: EventKind, pool: u32) -> &[Listener] {
        if kind.of_entity() {
            return &self.listeners.entities[kind.list()];
        }
        self.pools.get(pool).map_or(&[], |pool| &pool.listeners[kind.list()])
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
        for index in 0.. {
            let next = self.with(|w| {
                let listener = *w.list(kind, pool).get(index)?;
                w.telling += 1;
                w.mind(1, 0);
                Some((listener.callback, w.event(kind, pool, entity)))
            });
            let Some((callback, event)) = next else { break };
            (callback.run)(&callback, &event);
            self.with(|w| {
                w.telling -= 1;
                w.mind(0, 1);
            });
        }
    }

    /// Connects a listener under a number that no other has, in this world or another.
    pub fn listen(&self, kind: EventKind, id: Handle, callback: Callback, serial: u32) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let list = if kind.of_entity() {
                if id != 0 {
                    let none = "is given as id, but DZ_ON_CREATE and DZ_ON_DESTROY take none";
                    return Err(Error::unfit(none).about(id));
                }
                &mut w.listeners.entities[kind.list()]
            } else {
                w.pool(id)?;
                match w.pools.by_id_mut(id) {
                    Some(pool) => &mut pool.listeners[kind.list()],
                    None => return Err(Error::new(Kind::NotComponent).about(id)),
                }
            };
            list.push(&mut w.memory, Listener { serial, callback })?;

            w.listeners.count += 1;
            w.mind(1, 0);
            w.listeners.removals += u32::from(kind == EventKind::Remove);
            Ok(())
        })
    }

    /// Disconnects a listener.
    pub fn unlisten(&self, serial: u32) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let cut = |list: &mut Buffer<Listener>| {
                let at = list.iter().position(|listener| listener.serial == serial);
                at.map(|at| list.remove(at)).is_some()
            };
            let mut found = w.listeners.entities.iter_mut().any(cut);
            for number in 0..w.pools.numbers() {
                let Some(pool) = w.pools.get_mut(number).filter(|_| !found) else { continue };
                let kind = pool.listeners.iter_mut().position(cut);
                found = kind.is_some();
                w.listeners.removals -= u32::from(kind == Some(EventKind::Remove.list()));
            }
            if !found {
                return Err(Error::new(Kind::Listener).about(serial.into()));
            }
            w.listeners.count -= 1;
            w.mind(0, 1);
            Ok(())
        })
    }
}
