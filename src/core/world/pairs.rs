//! Pairs, and whatever else than components is added to entities: who has which, what relations promise.

use super::{Added, Ecs, Removed, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{self, Handle, Layout, role, role_of, without_role};
use crate::core::storage::lifecycle::Source;
use crate::core::storage::links::{NONE, Pair};
use crate::core::storage::pool::Pool;
use crate::core::storage::relations::Relation;
use crate::core::storage::slice::Array;
use core::ptr::null_mut;

/// The longest chain of relations that bring one another (`Traits::with`).
pub const MOST_WITH: usize = 8;

/// What one call has done, to be undone if it fails half-way: each relation of a chain gives two pairs at most.
#[derive(Default)]
pub(super) struct Done {
    links: Array<u32, { 2 * MOST_WITH + 2 }>,
    bound: usize,
    records: Array<u32, { 2 * MOST_WITH + 2 }>,
    opened: usize,
}

impl<L: Layout> World<L> {
    /// What an id that is no component's would add.
    pub(super) fn linkable(&self, id: Handle) -> Result<Pair, Error> {
        let rest = without_role(id);
        match role_of(id) {
            role::PAIR => match self.links.find(id) {
                Some(record) => Ok(self.links.pair(record)),
                None => Err(Error::new(Kind::NoPair).about(id)),
            },
            0 | role::INSTANCEOF | role::USER.. => {
                self.registry.check_as("id", rest).map_err(|error| Error { subject: id, ..error })?;
                Ok(Pair { id, relation: NONE, target: rest, values: NONE })
            }
            _ => Err(Error::new(Kind::Role).about(id).named("id")),
        }
    }

    /// The record of an id that is no component's, if anybody ever had it.
    pub(super) fn record_of(&self, id: Handle) -> Result<Option<u32>, Error> {
        match self.links.find(id) {
            Some(record) => Ok(Some(record)),
            None => self.linkable(id).map(|_| None),
        }
    }

    /// The number of the component whose type the values of such pairs have (M33).
    fn type_of_pair(&self, relation: Handle, target: Handle) -> u32 {
        let with_data = |id| self.pools.by_id(id).filter(|pool| pool.shape.size > 0);
        with_data(relation).or_else(|| with_data(target)).map_or(NONE, |pool| pool.number)
    }

    /// Ok if both halves of a pair live.
    fn check_halves(&self, relation: Handle, target: Handle) -> Result<(), Error> {
        self.registry.check_as("relation", relation)?;
        self.registry.check_as("target", target)
    }

    /// The id of a pair, without the check that its halves live.
    fn pair_id(relation: Handle, target: Handle) -> Result<Handle, Error> {
        let wide = Error::range("the relation's index", L::index(relation).into(), 0, (1 << 24) - 1);
        ids::pair::<L>(relation, target).ok_or(wide)
    }

    /// The number of a relation, which it is from now on.
    pub(super) fn relation(&mut self, id: Handle) -> Result<u32, Error> {
        self.registry.check_as("relation", id)?;
        if let Some(number) = self.relations.find(L::index(id)) {
            return Ok(number);
        }
        Self::pair_id(id, id)?;
        self.cover()?;
        self.links.reserve_end(&mut self.memory, L::index(id))?;
        let number = self.relations.make(&mut self.memory, L::index(id), id)?;
        self.tie(id);
        Ok(number)
    }

    /// The record of a pair; makes it if it isn't there.
    pub(super) fn open_pair(
        &mut self,
        relation: Handle,
        target: Handle,
        done: &mut Done,
    ) -> Result<u32, Error> {
        self.check_halves(relation, target)?;
        let id = Self::pair_id(relation, target)?;
        match self.links.find(id) {
            Some(record) => Ok(record),
            None => self.open_new(relation, target, self.type_of_pair(relation, target), done),
        }
    }

    /// Makes the record of a pair of two that live, which isn't there.
    fn open_new(
        &mut self,
        relation: Handle,
        target: Handle,
        values: u32,
        done: &mut Done,
    ) -> Result<u32, Error> {
        let id = Self::pair_id(relation, target)?;
        let number = self.relation(relation)?;
        self.open_record(&Pair { id, relation: number, target, values }, done)
    }

    pub(super) fn open_record(&mut self, pair: &Pair, done: &mut Done) -> Result<u32, Error> {
        self.cover()?;
        let record = self.links.open(&mut self.memory, pair, self.relations.get(pair.relation))?;
        if let Some(relation) = self.relations.get_mut(pair.relation) {
            relation.first = record;
        }
        self.tie(pair.target);
        done.records[done.opened] = record;
        done.opened += 1;
        Ok(record)
    }

    pub(super) fn close_record(&mut self, record: u32) {
        let relation = self.links.pair(record).relation;
        let first = self.links.close(&mut self.memory, record);
        if let (Some(first), Some(relation)) = (first, self.relations.get_mut(relation)) {
            relation.first = first;
        }
    }

    /// An entity takes part in something that its end must look for. All have a signature that says so: see `cover`.
    pub(super) fn tie(&mut self, entity: Handle) {
        use crate::core::storage::kinds::Bit;
        if let Some(mark) = self.kinds.mark(L::index(entity), &Bit::OTHERS) {
            mark.set();
        }
        self.find_ties();
    }

    /// Whether anybody is tied at all.
    pub(super) fn find_ties(&mut self) {
        let pairs = !self.links.is_empty() || !self.relations.is_empty();
        self.ties = u32::from(pairs || !self.tree.is_empty() || !self.names.is_empty());
    }

    /// The relation of a record.
    pub(super) fn relation_of(&self, record: u32) -> &Relation {
        self.relations.get(self.links.pair(record).relation)
    }

    /// Gives an entity the pair of a record, which it doesn't have, and what its relation brings with it.
    fn bind(
        &mut self,
        holder: Handle,
        record: u32,
        value: Option<Source>,
        done: &mut Done,
    ) -> Result<(), Error> {
        let index = L::index(holder);
        let Pair { relation, target, .. } = self.links.pair(record);
        let Relation { traits, id, .. } = *self.relations.get(relation);
        if traits.acyclic && self.reaches(relation, L::index(target), index) {
            return Err(Error::new(Kind::Cycle).about(holder).with(target, id));
        }
        done.links[done.bound] = self.bind_alone(holder, record, value)?;
        done.bound += 1;
        if traits.symmetric {
            self.check_plain(target)?;
            let back = self.open_pair(id, holder, done)?;
            if self.links.link(back, L::index(target)).is_none() {
                self.bind(target, back, value, done)?;
            }
        }
        if traits.with != 0 {
            let along = self.open_pair(traits.with, target, done)?;
            if self.links.link(along, index).is_none() {
                self.bind(holder, along, None, done)?;
            }
        }
        Ok(())
    }

    /// Gives an entity the pair of a record, which it doesn't have, and nothing with it.
    pub(super) fn bind_alone(
        &mut self,
        holder: Handle,
        record: u32,
        value: Option<Source>,
    ) -> Result<u32, Error> {
        self.cover()?;
        let Pair { id, target, values, .. } = self.links.pair(record);
        let of = self.pools.get(values).and_then(Pool::value_type);
        if role_of(id) == role::INSTANCEOF {
            self.heirs.reserve(&mut self.memory, L::index(holder))?;
        }
        let link = self.links.add(&mut self.memory, (record, L::index(holder)), of, value);
        let link = link.map_err(|error| self.about_type(error, values))?;
        if role_of(id) == role::INSTANCEOF {
            self.set_base(L::index(holder), L::index(target));
        }
        self.tie(holder);
        Ok(link)
    }

    fn undo(&mut self, done: &Done) {
        for link in done.links[..done.bound].iter().rev() {
            self.take_link(*link);
        }
        for record in done.records[..done.opened].iter().rev() {
            self.close_record(*record);
        }
        self.find_ties();
    }

    fn put_link_value(&mut self, link: u32, value: Option<Source>) -> Result<(), Error> {
        let values = self.links.pair(self.links.of(link).0).values;
        match (self.pools.get(values).and_then(Pool::value_type), value) {
            (Some(of), Some(value)) => {
                let put = self.links.put(&mut self.memory, link, of, value);
                put.map_err(|error| self.about_type(error, values))
            }
            _ => Ok(()),
        }
    }

    /// Names the component whose hook failed.
    fn about_type(&self, error: Error, values: u32) -> Error {
        match self.pools.get(values) {
            Some(pool) if error.kind == Kind::HookFailed => error.about(pool.id),
            _ => error,
        }
    }

    /// Takes one pair off its holder, and nothing else.
    pub(super) fn take_link(&mut self, link: u32) {
        let (record, holder) = self.links.of(link);
        self.take_held(link, holder, &self.links.pair(record));
    }

    /// The same, where it is known whose it is, and what it is made of.
    #[inline(always)]
    fn take_held(&mut self, link: u32, holder: u32, of: &Pair) {
        self.links.remove(link, self.pools.get(of.values).and_then(Pool::value_type));
        if role_of(of.id) == role::INSTANCEOF && self.links.base(holder) == L::index(of.target) {
            self.set_base(holder, NONE);
        }
    }

    /// Takes one pair off its holder, and of a symmetric relation its twin.
    pub(super) fn unbind(&mut self, link: u32) {
        let (record, holder) = self.links.of(link);
        self.unbind_held(link, holder, &self.links.pair(record));
    }

    /// The same, where it is known whose it is, and what it is made of.
    #[inline(never)]
    pub(super) fn unbind_held(&mut self, link: u32, holder: u32, of: &Pair) {
        let Relation { traits, id, .. } = self.relations.get(of.relation);
        let twin = traits.symmetric.then(|| self.twin(*id, holder, L::index(of.target)));
        self.take_held(link, holder, of);
        if let Some(twin) = twin.flatten().filter(|twin| *twin != link) {
            self.take_link(twin);
        }
    }

    /// The pair that goes the other way.
    fn twin(&self, relation: Handle, holder: u32, target: u32) -> Option<u32> {
        let back = ids::pair::<L>(relation, self.registry.at(holder)?)?;
        self.links.link(self.links.find(back)?, target)
    }

    /// Of exclusive relations that were just bound, takes off what they replace.
    fn replace_exclusive(&mut self, done: &Done) {
        for new in &done.links[..done.bound] {
            let (record, holder) = self.links.of(*new);
            let Pair { relation, .. } = self.links.pair(record);
            if !self.relations.get(relation).traits.exclusive {
                continue;
            }
            // One at most: who has pairs of a relation keeps its traits.
            let same = |link: &u32| self.links.pair(self.links.of(*link).0).relation == relation;
            let old = self.links.held(holder).find(|link| link != new && same(link));
            if let Some(old) = old {
                self.unbind(old);
            }
        }
    }

    /// Gives an entity a pair that it doesn't have; or nothing.
    fn add_record(
        &mut self,
        entity: Handle,
        record: u32,
        value: Option<Source>,
        done: &mut Done,
    ) -> Result<(), Error> {
        if let Err(error) = self.bind(entity, record, value, done) {
            self.undo(done);
            return Err(error);
        }
        self.replace_exclusive(done);
        self.touch();
        Ok(())
    }

    /// Ok if a value has the size that it must have, that of the component with that number; `tag`: there is none.
    #[inline(always)]
    fn check_value(
        &self,
        values: u32,
        value: Option<Source>,
        tag: impl FnOnce() -> Error,
    ) -> Result<(), Error> {
        let Some(value) = value else { return Ok(()) };
        match self.pools.get(values) {
            Some(pool) => super::access::check_size(pool, value.size()),
            None => Err(tag()),
        }
    }

    /// Adds what is no component to an entity that may be changed.
    #[cold]
    #[inline(never)]
    pub(super) fn add_other(
        &mut self,
        entity: Handle,
        id: Handle,
        value: Option<Source>,
    ) -> Result<Added, Error> {
        match self.parent_in(id) {
            Some(parent) if value.is_some() => parent.and(Err(Error::new(Kind::Tag).about(id))),
            Some(parent) => self.add_parent(entity, parent?),
            None => self.add_link(entity, id, value),
        }
    }

    /// Removes what is no component from an entity that may be changed.
    #[cold]
    #[inline(never)]
    pub(super) fn remove_other(&mut self, entity: Handle, id: Handle) -> Result<Removed, Error> {
        if let Some(parent) = self.parent_in(id) {
            return self.remove_parent(entity, parent?);
        }
        let link = self.record_of(id)?.and_then(|record| self.links.link(record, L::index(entity)));
        Ok(self.unbind_found(link))
    }

    /// The value that an entity, who lives, has of what is no component.
    #[cold]
    #[inline(never)]
    pub(super) fn get_other(&self, entity: Handle, id: Handle) -> Result<*mut u8, Error> {
        if let Some(parent) = self.parent_in(id) {
            return parent.and(Err(Error::new(Kind::Tag).about(id)));
        }
        match self.record_of(id)? {
            Some(record) if self.links.pair(record).values != NONE => {
                let link = self.links.link(record, L::index(entity));
                Ok(link.and_then(|link| self.links.value(link)).unwrap_or(null_mut()))
            }
            _ => Err(Error::new(Kind::Tag).about(id)),
        }
    }

    /// Whether an entity, who lives, has what is no component.
    #[cold]
    #[inline(never)]
    pub(super) fn has_other(&self, entity: Handle, id: Handle) -> Result<bool, Error> {
        if let Some(parent) = self.parent_in(id) {
            return parent.map(|parent| self.parent_of(L::index(entity)) == parent);
        }
        self.record_of(id)?.map_or(Ok(false), |record| self.has_record(entity, record))
    }

    /// Adds what is neither a component nor a parent.
    fn add_link(&mut self, entity: Handle, id: Handle, value: Option<Source>) -> Result<Added, Error> {
        let found = self.links.find(id);
        let pair = match found {
            Some(record) => self.links.pair(record),
            None => self.linkable(id)?,
        };
        self.check_value(pair.values, value, || Error::new(Kind::Tag).about(id))?;
        if self.set_held(entity, found, value)? {
            return Ok(Added::Already);
        }
        if role_of(id) == role::INSTANCEOF {
            self.check_base(entity, pair.target)?;
        }
        let mut done = Done::default();
        let record = match found {
            Some(record) => record,
            None => self.open_record(&pair, &mut done)?,
        };
        self.add_record(entity, record, value, &mut done)?;
        if role_of(id) == role::INSTANCEOF {
            self.mark_bases(L::index(pair.target), true);
            self.leave_base(L::index(entity), record);
        }
        Ok(Added::New)
    }

    /// Sets the value of a pair that an entity has; says whether it has.
    #[inline(never)]
    fn set_held(
        &mut self,
        entity: Handle,
        record: Option<u32>,
        value: Option<Source>,
    ) -> Result<bool, Error> {
        match record.and_then(|record| self.links.link(record, L::index(entity))) {
            Some(link) => self.put_link_value(link, value).map(|()| true),
            None => Ok(false),
        }
    }

    /// Whether an entity, who lives, has what a record says, by itself or by what its relation promises.
    fn has_record(&self, entity: Handle, record: u32) -> Result<bool, Error> {
        let index = L::index(entity);
        if self.links.link(record, index).is_some() {
            return Ok(true);
        }
        let Pair { relation, target, .. } = self.links.pair(record);
        if relation == NONE {
            // Nothing is promised of what has no relation.
            return Ok(false);
        }
        self.is_promised(entity, self.relations.get(relation).id, target)
    }

    /// The record of a pair of two that live, if anybody made it.
    fn find_pair(&self, relation: Handle, target: Handle) -> Result<Option<u32>, Error> {
        self.check_halves(relation, target)?;
        Ok(self.links.find(Self::pair_id(relation, target)?))
    }

    /// Removes a pair, if it was found.
    fn unbind_found(&mut self, link: Option<u32>) -> Removed {
        let Some(link) = link else { return Removed::NotThere };
        self.unbind(link);
        self.touch();
        Removed::Gone
    }
}

/// Pairs of an entity, or entities that have a pair: how many there are, and as many as fit.
struct Fill<'a> {
    out: &'a mut [Handle],
    count: u32,
}

impl Fill<'_> {
    const fn has_room(&self) -> bool {
        (self.count as usize) < self.out.len()
    }

    fn add(&mut self, handle: Handle) {
        if let Some(place) = self.out.get_mut(self.count as usize) {
            *place = handle;
        }
        self.count += 1;
    }
}

impl<L: Layout> Ecs<L> {
    /// A pair of that relation has no value, whatever its target.
    fn pair_tag(relation: Handle) -> Error {
        Error::new(Kind::Tag).about(relation).named("relation")
    }

    /// The id of a pair, whose halves live.
    pub fn pair(&self, relation: Handle, target: Handle) -> Result<Handle, Error> {
        self.with(|w| {
            w.check_halves(relation, target)?;
            let id = World::<L>::pair_id(relation, target)?;
            if w.links.find(id).is_none() {
                w.writable()?;
                w.open_pair(relation, target, &mut Done::default())?;
            }
            Ok(id)
        })
    }

    /// Gives an entity a pair of two that live.
    pub fn add_pair(
        &self,
        entity: Handle,
        (relation, target): (Handle, Handle),
        value: Option<Source>,
    ) -> Result<Added, Error> {
        self.with(|w| {
            w.check_change(entity, relation)?;
            let found = w.find_pair(relation, target)?;
            let values = match found {
                Some(record) => w.links.pair(record).values,
                None => w.type_of_pair(relation, target),
            };
            w.check_value(values, value, || Self::pair_tag(relation))?;
            if w.set_held(entity, found, value)? {
                return Ok(Added::Already);
            }
            let mut done = Done::default();
            let record = match found {
                Some(record) => record,
                None => w.open_new(relation, target, values, &mut done)?,
            };
            w.add_record(entity, record, value, &mut done).map(|()| Added::New)
        })
    }

    /// Removes a pair of two that live from an entity.
    pub fn remove_pair(
        &self,
        entity: Handle,
        (relation, target): (Handle, Handle),
    ) -> Result<Removed, Error> {
        self.with(|w| {
            w.check_change(entity, relation)?;
            let record = w.find_pair(relation, target)?;
            let link = record.and_then(|record| w.links.link(record, L::index(entity)));
            Ok(w.unbind_found(link))
        })
    }

    /// The value of a pair of two that live, or null.
    pub fn pair_value(&self, entity: Handle, (relation, target): (Handle, Handle)) -> Result<*mut u8, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            let record = w.find_pair(relation, target)?;
            if w.type_of_pair(relation, target) == NONE {
                return Err(Self::pair_tag(relation));
            }
            let link = record.and_then(|record| w.links.link(record, L::index(entity)));
            Ok(link.and_then(|link| w.links.value(link)).unwrap_or(null_mut()))
        })
    }

    /// Whether an entity has a pair of two that live.
    pub fn has_pair(&self, entity: Handle, (relation, target): (Handle, Handle)) -> Result<bool, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            match w.find_pair(relation, target)? {
                Some(record) => w.has_record(entity, record),
                // Nobody has it; but what the relation promises needs no record.
                None => w.is_promised(entity, relation, target),
            }
        })
    }

    /// The halves of a pair's id.
    pub fn pair_halves(&self, id: Handle) -> Result<(Handle, Handle), Error> {
        self.look(|w| {
            let missing = Error::new(Kind::NoPair).about(id);
            let record = w.links.find(id).filter(|_| role_of(id) == role::PAIR).ok_or(missing)?;
            Ok((w.relation_of(record).id, w.links.pair(record).target))
        })
    }

    /// The targets of an entity by a relation: writes as many as fit, returns how many there are.
    pub fn targets(&self, entity: Handle, relation: Handle, out: &mut [Handle]) -> Result<u32, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            w.registry.check_as("relation", relation)?;
            let mut fill = Fill { out, count: 0 };
            if let Some(number) = w.relations.find(L::index(relation)) {
                let pairs = w.links.held(L::index(entity)).map(|link| w.links.pair(w.links.of(link).0));
                pairs.filter(|pair| pair.relation == number).for_each(|pair| fill.add(pair.target));
            }
            Ok(fill.count)
        })
    }

    /// Who has an id that is no component's: writes as many as fit, returns how many there are.
    pub fn holders(&self, id: Handle, out: &mut [Handle]) -> Result<u32, Error> {
        self.look(|w| {
            let mut fill = Fill { out, count: 0 };
            if w.pools.by_id(id).is_some() {
                return Err(Error::new(Kind::IsComponent).about(id));
            }
            if let Some(parent) = w.parent_in(id) {
                let node = w.tree.node(L::index(parent?));
                let mut child = node.first;
                while fill.has_room()
                    && let Some(entity) = w.registry.at(child)
                {
                    fill.add(entity);
                    child = w.tree.node(child).next;
                }
                return Ok(node.children);
            }
            let Some(record) = w.record_of(id)? else { return Ok(0) };
            let mut holders = (0..w.links.places(record)).filter_map(|place| w.links.at(record, place));
            while fill.has_room()
                && let Some((_, index)) = holders.next()
            {
                w.registry.at(index).into_iter().for_each(|holder| fill.add(holder));
            }
            Ok(w.links.holders(record))
        })
    }
}
