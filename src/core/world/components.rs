//! Components: entities that carry a `Component` (M20 to M24), and what concerns a whole pool.

use super::{Ecs, Removed, World};
use crate::core::error::{Error, Kind};
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout};
use crate::core::registry::Fresh;
use crate::core::storage::lifecycle::{Lifecycle, Source};
use crate::core::storage::pool::{Pool, Shape};
use crate::core::storage::pools::{BUILTIN, Description};

/// What a component is registered as.
pub struct Registration<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// What it is.
    pub shape: Shape,
    /// What its elements need beyond bytes.
    pub lifecycle: Lifecycle,
}

/// What is known of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Details {
    pub id: Handle,
    pub name: *const u8,
    pub shape: Shape,
    pub count: u32,
    pub gaps: u32,
    pub builtin: bool,
    pub bytes: u64,
}

/// What the built-in component is.
const COMPONENT: Shape =
    Shape { size: size_of::<Description>() as u32, align: align_of::<Description>() as u32, stable: false };

impl<L: Layout> World<L> {
    /// Makes the built-in `Component`, with the first registration (M71: not before).
    fn make_builtin(&mut self) -> Result<(), Error> {
        if self.pools.get(BUILTIN).is_some() {
            return Ok(());
        }
        self.make_component(b"Component", COMPONENT)?;
        if let Some(pool) = self.pools.get_mut(BUILTIN) {
            pool.set_builtin();
        }
        Ok(())
    }

    /// Makes a component whose name is new, and `Component` before the first; or neither.
    fn make_first(&mut self, wanted: &Registration) -> Result<Handle, Error> {
        let (first, fresh) = (self.pools.get(BUILTIN).is_none(), self.registry.fresh());
        self.make_builtin()?;
        let made = match self.find_same(wanted) {
            Ok(Some(id)) => Ok(id),
            Ok(None) => self.make_component(wanted.name, wanted.shape),
            Err(error) => Err(error),
        };
        if first && made.is_err() {
            self.unmake_builtin(fresh);
        }
        made
    }

    fn unmake_builtin(&mut self, fresh: Fresh) {
        let Some(id) = self.pools.get(BUILTIN).map(|pool| pool.id) else { return };
        let stray = u32::from(L::index(id) >= self.registry.reserved());
        if let Some(pool) = self.pools.get_mut(BUILTIN) {
            pool.undo_made(&mut self.kinds, &[id]);
        }
        self.pools.destroy(&mut self.first, &mut self.memory, BUILTIN);
        self.stray(0, stray);
        self.registry.undo_create_component(id, fresh);
        self.touch();
    }

    /// Makes a component's entity, its pool, and its `Component`; or nothing.
    fn make_component(&mut self, name: &[u8], shape: Shape) -> Result<Handle, Error> {
        self.growing(|w| {
            w.registry.reserve_component(&mut w.memory)?;
            w.cover()
        })?;
        let fresh = self.registry.fresh();
        let id = self.registry.create_component(&mut self.memory)?;
        let direct = L::index(id) < self.registry.reserved();
        let made = self.pools.create(&mut self.first, &mut self.memory, id, name, shape, direct);
        let described = made.map(|pool| pool.number).and_then(|number| {
            self.describe(id, number, shape)
                .inspect_err(|_| self.pools.destroy(&mut self.first, &mut self.memory, number))
        });
        if let Err(error) = described {
            self.registry.undo_create_component(id, fresh);
            return Err(error);
        }
        self.stray(u32::from(!direct), 0);
        self.touch();
        Ok(id)
    }

    /// Gives a component's entity its `Component`.
    fn describe(&mut self, id: Handle, number: u32, shape: Shape) -> Result<(), Error> {
        let Shape { size, align, stable } = shape;
        let description = Description { size, align, policy: stable.into(), number };
        let Some(pool) = self.pools.get_mut(BUILTIN) else { return Ok(()) };
        pool.describe(&mut self.memory, &mut self.kinds, id, &description)
    }

    /// A component of that name, if its shape is the same.
    fn find_same(&self, wanted: &Registration) -> Result<Option<Handle>, Error> {
        let Some(pool) = self.pools.by_name(wanted.name) else { return Ok(None) };
        if pool.shape == wanted.shape {
            return Ok(Some(pool.id));
        }
        let pack = |s: Shape| u64::from(s.size) | u64::from(s.align) << 32 | u64::from(s.stable) << 63;
        let both = Error::new(Kind::Shape).about(pool.id);
        Err(both.with(pack(pool.shape), pack(wanted.shape)))
    }
}

impl<L: Layout> Ecs<L> {
    /// Registers a component, or finds the same.
    pub fn register(&self, wanted: &Registration) -> Result<Handle, Error> {
        self.with(|w| {
            w.writable()?;
            let id = match w.find_same(wanted)? {
                Some(id) => id,
                None => w.make_first(wanted)?,
            };
            if let Some(pool) = w.pools.by_id_mut(id)
                && !wanted.lifecycle.is_trivial()
                && !pool.is_builtin()
                && pool.shape.size > 0
            {
                pool.set_lifecycle(wanted.lifecycle);
            }
            Ok(id)
        })
    }

    /// Unregisters a component: takes it off everybody first.
    pub fn unregister(&self, id: Handle) -> Result<(), Error> {
        let queued = self.with(|w| {
            w.writable()?;
            w.parts(id)?;
            w.groups.check_unused(&w.pools, id)?;
            if w.is_tied(id) { w.doom(&[id]) } else { Ok(None) }
        })?;
        if let Some(first) = queued {
            self.destroy_queued(first, id);
        }
        self.clear_pool(id)?;
        self.with(|w| {
            let (pool, _, memory) = w.parts(id)?;
            pool.remove_singleton(memory);
            let number = pool.number;
            w.links.forget_values(&mut w.memory, number);
            if let Some(pool) = w.pools.get(number) {
                w.queries.iter_mut().for_each(|query| query.forget(&mut w.memory, pool));
                w.kinds.take_bit(*pool.bit());
                w.listeners.forget(pool);
                w.find_floor();
            }
            w.pools.destroy(&mut w.first, &mut w.memory, number);
            let stray = u32::from(L::index(id) >= w.registry.reserved());
            w.stray(0, stray);
            w.erase_alone(id);
            Ok(())
        })
    }

    /// Where a component's pool is, and what the world's handles are stamped with. Good until a component is
    /// unregistered.
    pub fn locate<T>(&self, id: Handle) -> Result<(*const T, u64), Error> {
        self.look(|w| {
            let (_, at) = w.pools.locate(id).ok_or_else(|| w.no_component(id))?;
            Ok((at.as_ptr().cast_const().cast(), w.stamp))
        })
    }

    /// A component by name, or 0.
    pub fn find(&self, name: &[u8]) -> Handle {
        self.look(|w| w.pools.by_name(name).map_or(0, |pool| pool.id))
    }

    /// The built-in `Component`, or 0.
    pub fn builtin_component(&self) -> Handle {
        self.look(|w| w.pools.get(BUILTIN).map_or(0, |pool| pool.id))
    }

    /// Lists components: writes as many as fit, returns how many there are.
    pub fn components(&self, out: &mut [Handle]) -> u32 {
        self.look(|w| {
            let mut count = 0;
            for pool in w.pools.iter() {
                if let Some(place) = out.get_mut(count as usize) {
                    *place = pool.id;
                }
                count += 1;
            }
            count
        })
    }

    /// What is known of a component.
    pub fn details(&self, id: Handle) -> Result<Details, Error> {
        self.look(|w| {
            let pool = w.pool(id)?;
            Ok(Details {
                id,
                name: pool.name.as_ptr(),
                shape: pool.shape,
                count: pool.count(),
                gaps: pool.gaps(),
                builtin: pool.is_builtin(),
                bytes: pool.bytes() as u64,
            })
        })
    }

    /// How many have it.
    pub fn count(&self, id: Handle) -> Result<u32, Error> {
        self.look(|w| w.pool(id).map(Pool::count))
    }

    /// Takes a component off everybody.
    pub fn clear_pool(&self, id: Handle) -> Result<(), Error> {
        let (number, told) = self.with(|w| {
            w.writable()?;
            let number = w.parts(id)?.0.number;
            Ok((number, w.is_told(EventKind::Remove, number)))
        })?;
        if told {
            let entity_at = |position| {
                self.look(|w| {
                    let pool = w.pools.get(number)?;
                    (!pool.is_gap(position)).then(|| pool.entity(position))
                })
            };
            let len = self.look(|w| w.pools.get(number).map_or(0, Pool::len));
            for position in (0..len).rev() {
                if let Some(entity) = entity_at(position) {
                    self.tell(EventKind::Remove, number, entity);
                }
            }
        }
        self.with(|w| {
            w.touch();
            if let Some(number) = w.watched(id) {
                w.groups.emptying(&mut w.pools, number);
            }
            let (pool, kinds, _) = w.parts(id)?;
            pool.clear(kinds);
            Ok(())
        })
    }

    /// Closes gaps.
    pub fn compact(&self, id: Handle) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let (pool, _, _) = w.parts(id)?;
            if !pool.shape.stable {
                return Err(Error::new(Kind::Policy).about(id));
            }
            pool.close_gaps();
            w.touch();
            Ok(())
        })
    }

    /// The entity that an element belongs to.
    pub fn entity_of(&self, id: Handle, element: *const u8) -> Result<Handle, Error> {
        self.look(|w| {
            let pool = w.pool(id)?;
            if pool.shape.size == 0 {
                return Err(Error::new(Kind::Tag).about(id));
            }
            let none = Error::new(Kind::NotElement).about(id).with(element as u64, 0);
            pool.entity_of(element).ok_or(none)
        })
    }

    /// Sets the world-wide value.
    pub fn singleton_set(&self, id: Handle, value: Source) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let (pool, _, memory) = w.parts(id)?;
            super::access::check_size(pool, value.size())?;
            pool.set_singleton(memory, value)?;
            // Batches of queries may refer to the one before.
            w.touch();
            Ok(())
        })
    }

    /// The world-wide value, or null.
    pub fn singleton(&self, id: Handle) -> Result<*mut u8, Error> {
        self.look(|w| {
            let pool = w.pool(id)?;
            if pool.shape.size == 0 {
                return Err(Error::new(Kind::Tag).about(id));
            }
            Ok(pool.singleton().map_or(core::ptr::null_mut(), core::ptr::NonNull::as_ptr))
        })
    }

    /// Ends the world-wide value.
    pub fn singleton_remove(&self, id: Handle) -> Result<Removed, Error> {
        self.with(|w| {
            w.writable()?;
            let (pool, _, memory) = w.parts(id)?;
            if pool.shape.size == 0 {
                return Err(Error::new(Kind::Tag).about(id));
            }
            let gone = pool.remove_singleton(memory);
            w.touch();
            Ok(if gone { Removed::Gone } else { Removed::NotThere })
        })
    }
}
