//! Instances: entities that have the components of a base until they get their own; and what is made of a base with
//! children.
//!
//! ```text
//!   base      ship   Hull 100, Crew 7          instance   INSTANCEOF ship, Crew 3
//!               child gun  (Aims, ship)                     Hull: the ship's, read only   Crew: its own
//!                                                           child   INSTANCEOF gun, (Aims, instance)
//! ```

use super::pairs::Done;
use super::tree::Among;
use super::{Added, Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout, role, role_of, with_role};
use crate::core::registry::Fresh;
use crate::core::storage::buffer::Buffer;
use crate::core::storage::links::{NONE, Pair};
use crate::core::storage::map::Map;
use crate::core::storage::memory::Memory;
use crate::core::storage::pool::Pool;
use crate::core::storage::relations::Relation;
use crate::core::storage::tree::Order;

/// The id that says whose instance one is.
#[must_use]
pub const fn instance_of(base: Handle) -> Handle {
    with_role(role::INSTANCEOF, base)
}

impl<L: Layout> World<L> {
    /// The nearest base, of an entity that lives, who has a component: the base's index and the element's position.
    #[inline]
    pub(super) fn inherited(&self, index: u32, pool: &Pool<L>) -> Option<(u32, u32)> {
        if self.instances == 0 { None } else { self.found_above(index, pool) }
    }

    #[inline(never)] // Many ask, and few have a base.
    fn found_above(&self, index: u32, pool: &Pool<L>) -> Option<(u32, u32)> {
        let mut base = self.links.base(index);
        while base != NONE {
            if let Some(position) = pool.sparse().page(base).member(base) {
                return Some((base, position));
            }
            base = self.links.base(base);
        }
        None
    }

    /// Before an entity becomes the instance of a base.
    pub(super) fn check_base(&mut self, entity: Handle, base: Handle) -> Result<(), Error> {
        self.check_plain(base)?;
        let mut above = L::index(base);
        while above != NONE {
            if above == L::index(entity) {
                return Err(Error::new(Kind::Cycle).about(entity).with(base, instance_of(base)));
            }
            above = self.links.base(above);
        }
        self.reserve_bases(base, true)
    }

    /// An entity has become an instance, or is none any more.
    pub(super) fn set_base(&mut self, index: u32, base: u32) {
        let before = self.links.set_base(index, base);
        self.heirs.set(index, base != NONE);
        self.instances += u32::from(base != NONE);
        self.instances -= u32::from(before != NONE);
        self.kinds.look_closer(self.instances > 0);
    }

    /// The entities of a cycle of bases that was refused: the base first, up to the entity.
    pub(super) fn cycle_of_bases(&self, error: &Error, out: &mut [Handle]) -> usize {
        let (entity, mut index) = (L::index(error.subject), L::index(error.detail[0]));
        let mut length = 0;
        while index != NONE {
            if let Some(out) = out.get_mut(length) {
                *out = self.registry.at(index).unwrap_or(0);
            }
            length += 1;
            index = if index == entity { NONE } else { self.links.base(index) };
        }
        length
    }

    /// The value, or what stands for a tag's, that an entity has from a base, and the base.
    #[cold]
    pub(super) fn inherited_value(&self, entity: Handle, id: Handle) -> Option<(Handle, *mut u8)> {
        let pool = self.pools.by_id(id).filter(|pool| pool.shape.size > 0)?;
        let (base, position) = self.inherited(L::index(entity), pool)?;
        Some((self.registry.at(base)?, pool.element(position)))
    }

    /// Takes the base off an entity that got another by a record.
    pub(super) fn leave_base(&mut self, index: u32, new: u32) {
        let is_old = |link: &u32| {
            let record = self.links.of(*link).0;
            record != new && role_of(self.links.pair(record).id) == role::INSTANCEOF
        };
        let old = self.links.held(index).find(is_old);
        old.into_iter().for_each(|old| self.take_link(old));
    }

    /// Room to remember that an entity and all below it are bases, or not any more.
    fn reserve_bases(&mut self, base: Handle, is_base: bool) -> Result<(), Error> {
        let top = L::index(base);
        let (mut at, mut more) = (Some(top), 0);
        while let Some(index) = at {
            if self.bases.has(index) != is_base
                && let Some(entity) = self.registry.at(index)
            {
                more += 1;
                self.bases.reserve(&mut self.memory, index)?;
                self.reserve_joining(entity, more)?;
            }
            at = self.tree.behind(top, index, Order::ParentsFirst);
        }
        Ok(())
    }

    /// Lets an entity and all below it be bases, or not; says whether that is new. Room was reserved.
    pub(super) fn mark_bases(&mut self, top: u32, is_base: bool) -> bool {
        let (mut at, mut new) = (Some(top), false);
        while let Some(index) = at {
            if self.bases.has(index) != is_base
                && let Some(entity) = self.registry.at(index)
            {
                self.bases.set(index, is_base);
                self.settle_veils(entity);
                new = true;
            }
            at = self.tree.behind(top, index, Order::ParentsFirst);
        }
        new
    }

    /// Makes new entities the instances of a base and of all below it. `made` gets them; if it fails, those that
    /// were made.
    fn make_instances(&mut self, base: Handle, made: &mut Made) -> Result<(), Error> {
        let top = L::index(base);
        let mut at = Some(top);
        while let Some(index) = at {
            at = self.tree.behind(top, index, Order::ParentsFirst);
            let Some(from) = self.registry.at(index) else { continue };
            made.reserve(&mut self.memory)?;
            let mut new = [0];
            self.create_quietly(&mut new)?;
            made.put(Two { base: index, instance: new[0] });
            let record = self.open_id(instance_of(from))?;
            self.bind_alone(new[0], record, None)?;
            if index != top {
                let above = made.of(self.tree.node(index).parent).unwrap_or(0);
                // Both take part in something already, as instances, and who is new has no name yet.
                if !self.tree.append(L::index(new[0]), L::index(above)) {
                    self.put(new[0], above, Among::Last)?;
                }
                self.copy_name(index, new[0])?;
            }
        }
        // Now that all are there, pairs that stay in the tree can be told from those that lead out of it.
        for two in made.all() {
            self.copy_pairs(two.base, two.instance, Some(made))?;
        }
        Ok(())
    }

    fn copy_name(&mut self, from: u32, to: Handle) -> Result<(), Error> {
        let parent = self.tree.node(L::index(to)).parent;
        self.names.copy(&mut self.memory, from, L::index(to), parent)
    }

    /// Gives a new entity the pairs that another has; if it fails, some of them. They bring no others: those the other has too,
    /// if it has kept them. An instance's that aim into the base's tree aim at their counterparts in `made`, and it isn't one of
    /// its base's bases, as a clone is, of which nothing else is made. A pair that both halves can have only once stays with the
    /// other, unless it leads to who has a counterpart.
    pub(super) fn copy_pairs(&mut self, from: u32, to: Handle, made: Option<&Made>) -> Result<(), Error> {
        // In the order in which they came, so that the latest is the latest again.
        let Some((first, latest)) = self.links.ends_held(from) else { return Ok(()) };
        let mut next = Some(first);
        while let Some(link) = next {
            next = self.links.next_later(link, latest);
            let record = self.links.of(link).0;
            let Pair { id, target, values, .. } = self.links.pair(record);
            let Relation { traits, id: relation, .. } = *self.relation_of(record);
            let inside = made.and_then(|made| made.of(L::index(target)));
            let alone = traits.symmetric && traits.exclusive && inside.is_none();
            if made.is_some() && role_of(id) == role::INSTANCEOF || alone {
                continue;
            }
            let of = self.pools.get(values).and_then(Pool::value_type);
            let value = of.and_then(|of| self.links.source(link, of));
            let mut done = Done::default();
            let record = match inside {
                None => record,
                Some(inside) if role_of(id) == role::PAIR => self.open_pair(relation, inside, &mut done)?,
                Some(inside) => self.open_id(with_role(role_of(id), inside))?,
            };
            self.bind_alone(to, record, value)?;
            // The counterpart gets its own half as any other pair of its: with the value that the half has.
            if traits.symmetric && role_of(id) == role::PAIR && inside.is_none() {
                let back = self.open_pair(relation, to, &mut done)?;
                self.bind_alone(target, back, value)?;
            }
        }
        Ok(())
    }

    /// The record of an id that is no pair; makes it if it isn't there.
    fn open_id(&mut self, id: Handle) -> Result<u32, Error> {
        // A record ends with its target.
        match self.links.find(id) {
            Some(record) => Ok(record),
            None => self.open_record(&self.linkable(id)?, &mut Done::default()),
        }
    }

    /// Ends those that were made since the registry's `fresh` was that, as if they had never been.
    fn unmake(&mut self, made: &Made, fresh: Fresh) {
        for two in made.all().rev() {
            self.untie(two.instance);
            self.registry.undo_create(&[two.instance], fresh);
        }
        self.find_ties();
    }
}

/// An entity of a base's tree, and what is made of it.
#[derive(Clone, Copy)]
struct Two {
    base: u32,
    instance: Handle,
}

/// What was made of a base's tree. Most bases have nothing below them, and take no memory here.
#[derive(Default)]
pub(super) struct Made {
    top: Option<Two>,
    below: Buffer<Two>,
    /// Places in `below`.
    by_base: Map,
}

impl Made {
    /// Room for another one.
    fn reserve(&mut self, memory: &mut Memory) -> Result<(), Error> {
        if self.top.is_some() {
            self.below.reserve(memory, 1)?;
            self.by_base.reserve(memory, 1)?;
        }
        Ok(())
    }

    /// Room was reserved.
    #[allow(clippy::cast_possible_truncation)]
    fn put(&mut self, two: Two) {
        if self.top.is_none() {
            self.top = Some(two);
        } else {
            self.by_base.put(two.base.into(), self.below.len() as u32);
            self.below.push_reserved(two);
        }
    }

    /// Those that are above others come before them.
    fn all(&self) -> impl DoubleEndedIterator<Item = &Two> {
        self.top.iter().chain(self.below.iter())
    }

    /// What was made of an entity.
    fn of(&self, base: u32) -> Option<Handle> {
        match self.top {
            Some(top) if top.base == base => Some(top.instance),
            _ => self.by_base.get(base.into()).map(|number| self.below[number as usize].instance),
        }
    }

    fn free(&mut self, memory: &mut Memory) {
        self.below.free(memory);
        self.by_base.free(memory);
    }
}

impl<L: Layout> Ecs<L> {
    /// Makes a new entity that is the instance of a base, with children that are instances of the base's.
    pub fn instantiate(&self, base: Handle) -> Result<Handle, Error> {
        let mut made = Made::default();
        let done = self.with(|w| {
            w.writable()?;
            w.check_plain(base)?;
            w.reserve_bases(base, true)?;
            let fresh = w.registry.fresh();
            if let Err(error) = w.make_instances(base, &mut made) {
                w.unmake(&made, fresh);
                return Err(error);
            }
            // What needed memory has it: nobody becomes a base for nothing.
            w.mark_bases(L::index(base), true);
            w.touch();
            Ok(())
        });
        let entity = made.top.map_or(0, |two| two.instance);
        if done.is_ok() {
            made.all().for_each(|two| self.tell(EventKind::Create, 0, two.instance));
        }
        self.with(|w| made.free(&mut w.memory));
        done.map(|()| entity)
    }

    /// Gives an instance a component of its own, a copy of what it has from its base.
    pub fn override_component(&self, entity: Handle, id: Handle) -> Result<Added, Error> {
        let value = self.with(|w| {
            w.check_change(entity, id)?;
            let pool = w.parts(id)?.0;
            if pool.holds(entity) {
                return Ok(None);
            }
            let pool = w.pool(id)?;
            let missing = Error::new(Kind::NotHeld).about(entity).with(id, 1);
            let (_, position) = w.inherited(L::index(entity), pool).ok_or(missing)?;
            Ok(Some((pool.shape.size > 0).then(|| pool.value(position))))
        })?;
        match value {
            None => Ok(Added::Already),
            Some(None) => self.add(entity, id),
            // The base's element stays where it is: pages never move, and nobody leaves the pool.
            Some(Some(value)) => self.set(entity, id, value).map(|()| Added::New),
        }
    }

    /// Who has the component that an entity has: itself, a base, or nobody: 0.
    pub fn source(&self, entity: Handle, id: Handle) -> Result<Handle, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            let pool = w.pool(id)?;
            if pool.holds(entity) {
                return Ok(entity);
            }
            let base = w.inherited(L::index(entity), pool).map(|(base, _)| base);
            Ok(base.and_then(|base| w.registry.at(base)).unwrap_or(0))
        })
    }

    /// The base of an entity, or 0.
    pub fn base(&self, entity: Handle) -> Result<Handle, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            Ok(w.registry.at(w.links.base(L::index(entity))).unwrap_or(0))
        })
    }

    /// Says that an entity, and all below it, are there to make instances of, or not; says whether that is new.
    pub fn set_is_base(&self, entity: Handle, is_base: bool) -> Result<bool, Error> {
        self.with(|w| {
            w.writable()?;
            w.check_plain(entity)?;
            w.reserve_bases(entity, is_base)?;
            Ok(w.mark_bases(L::index(entity), is_base))
        })
    }

    /// Whether an entity is there to make instances of.
    pub fn is_base(&self, entity: Handle) -> Result<bool, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            Ok(w.bases.has(L::index(entity)))
        })
    }
}
