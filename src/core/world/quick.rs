//! The short way for the calls that a game makes most, where nothing can go wrong and nobody is to be
//! told: a component in the reserved range that is just bytes, a living entity, memory at hand, no
//! listeners. Each function does its work or does nothing and says so; then the caller takes the
//! careful way (`access`, `entities`), which checks everything and knows all cases. Nothing here can
//! panic, so the C boundary calls it without its net.

use super::{Ecs, World};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::lifecycle::Source;

impl<L: Layout> World<L> {
    /// Whether a plain entity lives, and nothing asks for care.
    #[inline(always)]
    fn is_quiet(&self, entity: Handle) -> bool {
        self.care == 0 && L::index(entity) >= self.registry.reserved() && self.registry.is_alive(entity)
    }

    /// Whether a handle is of this world, if its layout says so.
    #[inline(always)]
    pub(super) fn is_ours(&self, handle: Handle) -> bool {
        (handle ^ self.stamp) >> L::BARE_BITS == 0
    }
}

impl<L: Layout> Ecs<L> {
    /// A value, if the entity has it. A slot of that generation in a pool of this world proves that the
    /// entity lives, so the registry is not asked.
    #[inline(always)]
    pub fn get_quickly(&self, entity: Handle, id: Handle) -> Option<*mut u8> {
        self.look(|w| {
            let pool = w.pools.direct(id)?;
            let position = pool.position(entity)?;
            (pool.is_open() && w.is_ours(entity)).then(|| pool.element(position))
        })
    }

    /// Whether an entity that lives has a component. Both are looked up before either answer is used:
    /// that an entity has it is often a coin toss, that it lives is not.
    #[inline(always)]
    pub fn has_quickly(&self, entity: Handle, id: Handle) -> Option<bool> {
        self.look(|w| {
            let pool = w.pools.direct(id)?;
            let has = pool.position(entity).is_some();
            w.registry.is_alive(entity).then_some(has)
        })
    }

    /// Sets a value; adds it if there is room.
    #[inline(always)]
    pub fn set_quickly(&self, entity: Handle, id: Handle, value: Source) -> Option<()> {
        self.with(|w| {
            let pool = w.pools.direct_mut(id)?;
            if pool.plain_size() != value.size() || w.care != 0 || value.is_null() {
                return None;
            }
            if L::index(entity) < w.registry.reserved() || !w.registry.is_alive(entity) {
                return None;
            }
            let spot = pool.spot_of_living(entity);
            if let Some(position) = spot.position {
                pool.put_at(position, value);
                return Some(());
            }
            let room = pool.room(&mut w.blocks, &spot)?;
            let new = pool.insert(entity, room);
            pool.put_new(new, value);
            w.touch();
            Some(())
        })
    }

    /// Removes a component that the entity has.
    #[inline(always)]
    pub fn remove_quickly(&self, entity: Handle, id: Handle) -> Option<()> {
        self.with(|w| {
            let quiet = w.is_quiet(entity);
            let pool = w.pools.direct_mut(id)?;
            let spot = pool.spot_of_living(entity);
            if !quiet || !pool.is_plain() || spot.position.is_none() {
                return None;
            }
            let byte = w.blocks.byte_of(L::index(entity), pool.number, spot.row())?;
            pool.remove_plain(spot, byte);
            w.touch();
            Some(())
        })
    }

    /// Creates an entity.
    #[inline(always)]
    pub fn create_quickly(&self) -> Option<Handle> {
        self.with(|w| if w.care == 0 { w.registry.create_quickly() } else { None })
    }

    /// Destroys an entity. Component hooks may run: they are C's, and must not throw.
    #[inline(always)]
    pub fn destroy_quickly(&self, entity: Handle) -> Option<()> {
        self.with(|w| {
            (w.is_quiet(entity) && w.groups.is_empty()).then(|| {
                w.touch();
                w.erase(entity);
            })
        })
    }
}
