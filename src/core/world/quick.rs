//! The short way for the calls that a game makes most, where nothing can go wrong and nobody is to be
//! told: a component in the reserved range that is just bytes, a living entity, memory at hand, nobody
//! who listens (at a closer look, somebody may). Each function does its work or does nothing and says so;
//! then the caller takes the careful way (`access`, `entities`), which checks everything and knows all
//! cases. Nothing here can panic, so the C boundary calls it without its net.

use super::access::Told;
use super::tree::Near;
use super::{Ecs, Removed, World, touch};
use crate::core::ids::{self, Handle, Layout, role, role_of};
use crate::core::storage::bits::Bits;
use crate::core::storage::kinds::{Bit, Kinds};
use crate::core::storage::lifecycle::Source;
use crate::core::storage::pool::Spot;

/// Whether what somebody who lives gets may be to be hidden, as of the disabled and of bases.
#[inline(always)]
fn may_be_hidden(veils: u32, kinds: &Kinds, (disabled, bases): (&Bits, &Bits), index: u32) -> bool {
    veils != 0 && kinds.has_others(index) && (disabled.has(index) || bases.has(index))
}

impl<L: Layout> World<L> {
    /// Whether an entity, if it lives, is a plain one: nothing asks for care in taking something off it.
    #[inline(always)]
    pub(super) fn is_plain(&self, entity: Handle) -> bool {
        u64::from(L::index(entity)) >= self.floor
    }

    /// Whether a plain entity lives, and nothing asks for care in tying it to others: it isn't disabled, nor a base.
    #[inline(always)]
    fn is_quiet(&self, entity: Handle) -> bool {
        let plain = self.is_plain(entity) && self.registry.is_alive(entity);
        plain && (self.veils == 0 || !self.is_veiled(L::index(entity)))
    }

    /// The same at a closer look: there may be components outside the reserved range, and something that is disabled,
    /// or a base. What an entity is tied to has no say in what components it has.
    #[inline(always)]
    fn is_quiet_after_all(&self, entity: Handle) -> bool {
        let index = L::index(entity);
        let plain = index >= self.registry.reserved() && self.registry.is_alive(entity);
        plain && self.telling == 0 && (!self.kinds.has_others(index) || self.is_ordinary(entity))
    }

    /// Whether a living entity is no component, and queries see it.
    #[inline(never)]
    fn is_ordinary(&self, entity: Handle) -> bool {
        !self.is_component(entity) && (self.veils == 0 || !self.is_veiled(L::index(entity)))
    }

    /// Whether an entity is no component, and nothing is known of it but what it has: it takes part in nothing, and nothing
    /// of it is disabled.
    #[inline(always)]
    fn is_only_itself(&self, index: u32) -> bool {
        !self.kinds.of_living(index).mark(&Bit::OTHERS).is_set() || self.strays | self.ties | self.veils == 0
    }

    /// As `Ecs::add_quickly`. It is here so that each caller has it in its own closure: one that several call isn't inlined.
    #[inline(always)]
    fn add_at_end(&mut self, entity: Handle, id: Handle) -> Result<bool, Handle> {
        let pool = self.pools.direct_mut(&self.first, id).ok_or(id)?;
        // A block, as in `set_quickly`.
        let added = 'add: {
            let Some(zeros) = pool.zeros() else { break 'add None };
            let plain = u64::from(L::index(entity)) >= self.floor;
            if !plain || !self.registry.is_alive(entity) || !pool.bit().is_own() {
                break 'add None;
            }
            let mark = self.kinds.of_living(L::index(entity)).mark(pool.bit());
            if mark.is_set() {
                break 'add Some(false);
            }
            if may_be_hidden(self.veils, &self.kinds, (&self.disabled, &self.bases), L::index(entity)) {
                break 'add None;
            }
            let Some(page) = pool.page_of(entity) else { break 'add None };
            let Some(room) = pool.room_at_end(page, mark) else { break 'add None };
            touch(self.changes);
            pool.append_quickly(entity, room, zeros);
            Some(true)
        };
        added.ok_or(pool.id)
    }

    /// Gives an entity what somebody has or had, which is no component: it brings nothing with it, and has no value. Its target
    /// lives if there is a record with its handle.
    #[inline(always)]
    fn link_to_quickly(&mut self, entity: Handle, id: Handle, target: Handle) -> bool {
        let Some(mark) = self.kinds.mark(L::index(entity), &Bit::OTHERS).filter(|_| self.is_quiet(entity))
        else {
            return false;
        };
        let added = self.links.add_quickly(&mut self.memory, (id, target), L::index(entity));
        if added {
            mark.set();
            touch(self.changes);
        }
        added
    }

    /// The same by its id alone. An instance would have to be known as one.
    #[inline(never)]
    fn add_other_quickly(&mut self, entity: Handle, id: Handle) -> bool {
        let Some(record) = self.links.find(id).filter(|_| role_of(id) != role::INSTANCEOF) else {
            return false;
        };
        self.link_to_quickly(entity, id, self.links.pair(record).target)
    }

    /// The link of an entity that lives by what is no component.
    #[inline(never)]
    fn link_quickly(&self, entity: Handle, id: Handle) -> Option<u32> {
        let record = self.links.find(id).filter(|_| self.registry.is_alive(entity))?;
        self.links.link(record, L::index(entity))
    }
}

impl<L: Layout> World<L> {
    /// Adds a component to an entity that hasn't got it, with a value of its size, if there is memory; and lets it join the
    /// group that watches.
    #[inline(always)]
    fn come_with_room(&mut self, number: u32, entity: Handle, spot: &Spot<L>, value: Source) -> Option<()> {
        let pool = self.pools.get_mut(number)?;
        if !pool.is_watched() {
            pool.add_quickly(&mut self.memory, &mut self.kinds, entity, spot, value)?;
        } else {
            self.join_quickly(number, entity, spot, value)?;
        }
        touch(self.changes);
        Some(())
    }
}

impl<L: Layout> Ecs<L> {
    /// What callers of the library call this world by: for those on the short way, who need it if they get no further.
    #[inline(always)]
    pub fn handle(&self) -> u32 {
        self.look(|w| w.handle)
    }

    /// A value, if the entity has it, and it is of one of the first components. A slot of that generation in a pool of this
    /// world proves that the entity lives, so the registry is not asked. (A look at the other components, too, took a
    /// sixteenth more.)
    #[inline(always)]
    pub fn get_quickly(&self, entity: Handle, id: Handle) -> Option<*mut u8> {
        self.look(|w| {
            let pool = w.pools.first(&w.first, id)?;
            let position = pool.position_nearby(entity, w.stamp)?;
            pool.open_element(position)
        })
    }

    /// The same at a closer look: null, if it is known that there is none.
    #[inline(always)]
    pub fn get_after_all(&self, entity: Handle, id: Handle) -> Option<*mut u8> {
        self.look(|w| {
            let Some(pool) = w.pools.direct(&w.first, id) else {
                return w.link_quickly(entity, id).and_then(|link| w.links.value(link));
            };
            // A tag has no value to lack.
            if !pool.is_open() {
                return None;
            }
            match pool.position_here(entity, w.stamp) {
                Some(position) => Some(pool.element(position)),
                // An instance may have its base's.
                None => (w.kinds.says_all(L::index(entity)) && w.registry.is_alive(entity))
                    .then_some(core::ptr::null_mut()),
            }
        })
    }

    /// Whether an entity that lives has one of the first components, with a bit in signatures. Both are looked up before
    /// either answer is used: that an entity has it is often a coin toss, that it lives is not. (A look at the other
    /// components, too, took a ninth more.)
    #[inline(always)]
    pub fn has_quickly(&self, entity: Handle, id: Handle) -> Option<bool> {
        self.look(|w| {
            let bit = w.pools.first(&w.first, id)?.bit();
            if !bit.is_own() {
                return None;
            }
            let has = w.kinds.plain_mark(L::index(entity), bit)?.is_set();
            w.registry.is_alive(entity).then_some(has)
        })
    }

    /// The same for any.
    #[inline(always)]
    pub fn has_noted(&self, entity: Handle, id: Handle) -> Option<bool> {
        self.look(|w| {
            let Some(pool) = w.pools.direct(&w.first, id) else {
                return w.link_quickly(entity, id).map(|_| true);
            };
            (w.kinds.says_all(L::index(entity)) && w.registry.is_alive(entity))
                .then(|| pool.has_living(&w.kinds, entity))
        })
    }

    /// Sets a value, if it is there, or goes to the end of its pool. Err: it did nothing; the id and the size that came in,
    /// as the pool has them if they are its own: registers are scarce, and so they need not be kept meanwhile.
    #[inline(always)]
    pub fn set_quickly(&self, entity: Handle, id: Handle, value: Source) -> Result<(), (Handle, u32)> {
        self.with(|w| {
            let pool = w.pools.direct_mut(&w.first, id).ok_or((id, value.size()))?;
            if !pool.takes_small(value) {
                return Err((pool.id, value.size()));
            }
            // A block, not a closure: that fetches what it needs of the world first, and a register is saved for it.
            let done = 'set: {
                if value.is_null() || u64::from(L::index(entity)) < w.floor || !w.registry.is_alive(entity) {
                    break 'set None;
                }
                let mark = w.kinds.of_living(L::index(entity)).mark(pool.bit());
                let Some(page) = pool.page_of(entity) else { break 'set None };
                if mark.is_set() {
                    break 'set pool.put_quickly(entity, page, value);
                }
                if may_be_hidden(w.veils, &w.kinds, (&w.disabled, &w.bases), L::index(entity)) {
                    break 'set None;
                }
                let Some(room) = pool.room_at_end(page, mark) else { break 'set None };
                touch(w.changes);
                pool.append_quickly(entity, room, value);
                Some(())
            };
            done.ok_or((pool.id, pool.shape.size))
        })
    }

    /// Sets a value, adding it wherever there is room, and tells who listens.
    #[inline(always)]
    pub fn set_with_room(&self, entity: Handle, id: Handle, value: Source) -> Option<()> {
        let told = self.with(|w| {
            let quiet = w.is_quiet_after_all(entity) && !value.is_null();
            let pool = w.pools.direct_mut(&w.first, id).filter(|pool| quiet && pool.takes_bytes(value))?;
            let spot = pool.spot_of_living(entity);
            let told = Told::of(pool, w.listeners.count() > 0, spot.position.is_none());
            match spot.position {
                Some(position) => pool.put_at(position, value),
                None => w.come_with_room(told.pool, entity, &spot, value)?,
            }
            Some(told)
        })?;
        self.tell_changed(entity, &told);
        Some(())
    }

    /// Adds a component or tag of zeros at the end of its pool. False: it was there. Err: it did nothing; the id, as in
    /// `set_quickly`.
    #[inline(always)]
    pub fn add_quickly(&self, entity: Handle, id: Handle) -> Result<bool, Handle> {
        self.with(|w| w.add_at_end(entity, id))
    }

    /// The same wherever there is room, telling who listens.
    #[inline(always)]
    pub fn add_with_room(&self, entity: Handle, id: Handle) -> Option<bool> {
        let told = self.with(|w| {
            let quiet = w.is_quiet_after_all(entity);
            let Some(pool) = w.pools.direct_mut(&w.first, id) else {
                return w.add_other_quickly(entity, id).then_some(Some(Told::NOBODY));
            };
            let zeros = pool.zeros().filter(|_| quiet)?;
            let spot = pool.spot_of_living(entity);
            if spot.position.is_some() {
                return Some(None);
            }
            let told = Told { set: false, ..Told::of(pool, w.listeners.count() > 0, true) };
            w.come_with_room(told.pool, entity, &spot, zeros)?;
            Some(Some(told))
        })?;
        told.as_ref().inspect(|told| self.tell_changed(entity, told));
        Some(told.is_some())
    }

    /// A value that an entity has, as `get_quickly`, if it is a plain one.
    #[inline(always)]
    pub fn get_of_plain(&self, entity: Handle, id: Handle) -> Option<*mut u8> {
        if self.look(|w| w.is_plain(entity)) { self.get_quickly(entity, id) } else { None }
    }

    /// Whether `get_or_add_quickly` may do so.
    #[inline(always)]
    pub fn has_or_gets_value(&self, entity: Handle, id: Handle) -> bool {
        // A tag has none. An instance gets its base's.
        self.look(|w| {
            w.is_plain(entity)
                && (w.veils == 0 || !w.kinds.has_others(L::index(entity)))
                && w.pools.direct(&w.first, id).is_some_and(|pool| pool.is_open())
        })
    }

    /// A value, which is zeros now if the entity had none.
    #[inline(always)]
    pub fn get_or_add_quickly(&self, entity: Handle, id: Handle) -> Option<*mut u8> {
        if self.with(|w| w.add_at_end(entity, id)).is_err() {
            self.add_with_room(entity, id)?;
        }
        self.get_quickly(entity, id)
    }

    /// Removes a component that the entity has: as in `get_quickly`, its slot proves that it lives. (At random in a
    /// million, asking the registry too was one line more that wasn't in the cache.)
    #[inline(always)]
    pub fn remove_quickly(&self, entity: Handle, id: Handle) -> Result<(), Handle> {
        self.with(|w| {
            if !w.is_plain(entity) {
                return Err(id);
            }
            let pool = w.pools.direct_mut(&w.first, id).ok_or(id)?;
            let gone = pool.remove_quickly(&w.kinds, entity, w.stamp, || touch(w.changes));
            if gone { Ok(()) } else { Err(pool.id) }
        })
    }

    /// Whether it only took the next turn of those who leave for a component to be removed quickly: it has begun.
    #[inline(always)]
    pub fn take_turn_back(&self, entity: Handle, id: Handle) -> bool {
        self.with(|w| w.pools.direct_mut(&w.first, id).is_some_and(|pool| pool.take_turn_back_for(entity)))
    }

    /// The same of any element that is just bytes, if it is there. (What an instance has from its base isn't its own.)
    #[inline(always)]
    pub fn remove_after_all(&self, entity: Handle, id: Handle) -> Option<Removed> {
        let removed = self.with(|w| {
            let quiet = w.is_quiet_after_all(entity);
            let pool = w.pools.direct(&w.first, id).filter(|pool| quiet && !pool.is_builtin())?;
            let number = pool.lifecycle().is_bytes().then_some(pool.number)?;
            Some(w.take_unheard(number, entity))
        })?;
        Some(removed.unwrap_or_else(|number| self.take_heard(number, entity)))
    }

    /// Creates an entity.
    #[inline(always)]
    pub fn create_quickly(&self) -> Option<Handle> {
        self.with(|w| if w.is_birth_told() { None } else { w.registry.create_quickly(w.kinds.covered()) })
    }

    /// Adds a pair that somebody has or had, of a relation that brings nothing with it, and without a value.
    #[inline(always)]
    pub fn add_pair_quickly(&self, entity: Handle, relation: Handle, target: Handle) -> Option<()> {
        self.with(|w| {
            let id = ids::pair::<L>(relation, target).filter(|_| w.registry.is_alive(relation))?;
            w.link_to_quickly(entity, id, target).then_some(())
        })
    }

    /// Makes an entity without parent, children and name the last child of one that has any.
    #[inline(always)]
    pub fn set_parent_quickly(&self, child: Handle, parent: Handle) -> Option<()> {
        self.with(|w| {
            let (index, above) = (L::index(child), L::index(parent));
            let ready = w.is_quiet(child) && w.registry.is_alive(parent) && w.names.get(index).is_empty();
            // The parent took part before.
            if !ready || !w.links.takes_part(index) {
                return None;
            }
            let mark = w.kinds.mark(index, &Bit::OTHERS)?;
            w.tree.append(index, above).then(|| {
                mark.set();
                touch(w.changes);
            })
        })
    }

    /// One that is near an entity that lives, or 0.
    #[inline(always)]
    pub fn near_quickly(&self, entity: Handle, near: Near) -> Option<Handle> {
        self.look(|w| w.registry.is_alive(entity).then(|| w.near(L::index(entity), near)))
    }

    /// The index of the first child of an entity that lives, or `NONE`.
    #[inline(always)]
    pub fn first_child_quickly(&self, parent: Handle) -> Option<u32> {
        self.look(|w| w.registry.is_alive(parent).then(|| w.tree.first(L::index(parent))))
    }

    /// Writes a child and the siblings behind it, as many as fit; returns how many.
    #[inline(always)]
    pub fn siblings(&self, first: u32, out: &mut [Handle]) -> u32 {
        self.look(|w| w.write_siblings(first, out))
    }

    /// Destroys an entity. Component hooks may run: they are C's, and must not throw.
    #[inline(always)]
    pub fn destroy_quickly(&self, entity: Handle) -> Option<()> {
        self.with(|w| {
            let index = L::index(entity);
            if index < w.lone_floor || !w.registry.is_alive(entity) || !w.is_only_itself(index) {
                return None;
            }
            w.touch();
            w.erase_lone(entity);
            Some(())
        })
    }
}
