//! Relations: entities that pairs were made of, or that were given traits; what they promise of their pairs.

use super::map::Map;
use super::memory::Memory;
use super::paged::Item;
use super::slots::{Slot, Slots};
use crate::core::error::Error;
use crate::core::ids::Handle;

/// No relation, or no record.
pub use super::slots::NONE;

/// What becomes of a pair whose target, or relation, is destroyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleanup {
    /// It is taken off its holder.
    Remove,
    /// Its holder is destroyed too.
    Delete,
    /// It can't be destroyed while anybody holds such a pair.
    Refuse,
}

/// What a relation promises of its pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// An entity has at most one target: another replaces it.
    pub exclusive: bool,
    /// Who has it with a target, of him the target has it too.
    pub symmetric: bool,
    /// Nobody comes back to himself by it.
    pub acyclic: bool,
    /// Who has it with one who has it with a third, has it with the third.
    pub transitive: bool,
    /// Everybody has it with himself.
    pub reflexive: bool,
    /// Another relation that whoever gets a pair of this one gets with the same target; 0: none.
    pub with: Handle,
    /// When a target is destroyed.
    pub on_target: Cleanup,
    /// When the relation is.
    pub on_relation: Cleanup,
}

impl Traits {
    /// Whether a pair is added without a look at others.
    #[inline]
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        !(self.exclusive | self.symmetric | self.acyclic) && self.with == 0
    }

    /// Whether somebody goes along with one who ends, or is in the way.
    const fn is_demanding(&self) -> bool {
        !matches!((self.on_target, self.on_relation), (Cleanup::Remove, Cleanup::Remove))
    }

    /// Those of a relation that was given none.
    pub const NONE: Self = Self {
        exclusive: false,
        symmetric: false,
        acyclic: false,
        transitive: false,
        reflexive: false,
        with: 0,
        on_target: Cleanup::Remove,
        on_relation: Cleanup::Remove,
    };
}

/// A relation.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// The entity; 0: the place isn't used.
    pub id: Handle,
    /// Its traits.
    pub traits: Traits,
    /// The first of its records.
    pub first: u32,
    /// Relations that name it in `with`.
    pub companions: u32,
}

impl Item for Relation {
    const EMPTY: Self = Self { id: 0, traits: Traits::NONE, first: NONE, companions: 0 };
}

impl Slot for Relation {
    fn next_free(&mut self) -> &mut u32 {
        &mut self.first
    }
}

/// The relations of a world, by number.
#[derive(Default)]
pub struct Relations {
    all: Slots<Relation>,
    by_index: Map,
    /// Those with a cleanup that isn't `Remove`.
    demanding: u32,
    /// Whether their cleanup is `Remove` for now, whatever they say.
    lenient: bool,
}

impl Relations {
    /// A relation.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, number: u32) -> &Relation {
        self.all.get(number).unwrap_or(const { &Relation::EMPTY })
    }

    /// The traits of all that are relations.
    pub fn iter(&self) -> impl Iterator<Item = &Traits> {
        self.all.all().map(|number| &self.get(number).traits)
    }

    /// Gives a relation that is there its traits.
    pub fn set_traits(&mut self, number: u32, traits: &Traits) {
        if let Some(relation) = self.all.get_mut(number) {
            self.demanding -= u32::from(relation.traits.is_demanding());
            self.demanding += u32::from(traits.is_demanding());
            relation.traits = *traits;
        }
    }

    /// Whether an entity's end may concern others than its children.
    #[must_use]
    pub const fn are_demanding(&self) -> bool {
        self.demanding > 0 && !self.lenient
    }

    /// Lets pairs just go with who ends, or not any longer: where all end, nobody is in the way.
    pub const fn set_lenient(&mut self, lenient: bool) {
        self.lenient = lenient;
    }

    /// A relation that is there, to change.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Relation> {
        self.all.get_mut(number)
    }

    /// The number of an entity that is a relation.
    #[must_use]
    pub fn find(&self, index: u32) -> Option<u32> {
        self.by_index.get(index.into())
    }

    /// The number of an entity, which is a relation from now on.
    pub fn make(&mut self, memory: &mut Memory, index: u32, id: Handle) -> Result<u32, Error> {
        if let Some(number) = self.find(index) {
            return Ok(number);
        }
        self.by_index.reserve(memory, 1)?;
        self.all.reserve(memory)?;
        let number = self.all.next();
        self.all.put(Relation { id, ..Relation::EMPTY });
        self.by_index.put(index.into(), number);
        Ok(number)
    }

    /// An entity is no relation any more, and none brings it.
    pub fn end(&mut self, index: u32, number: u32, id: Handle) {
        let Relation { companions, traits, .. } = *self.get(number);
        for other in self.all.all().filter(|_| companions > 0 || traits.with != 0) {
            if let Some(other) = self.get_mut(other) {
                other.traits.with = if other.traits.with == id { 0 } else { other.traits.with };
                other.companions -= u32::from(traits.with != 0 && other.id == traits.with);
            }
        }
        self.set_traits(number, &Traits::NONE);
        if let Some(relation) = self.get_mut(number) {
            *relation = Relation::EMPTY;
            self.all.give(number);
            self.by_index.take(index.into(), number);
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.by_index.is_empty()
    }

    /// Gives back what isn't used.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.all.shrink(memory, |relation| relation.id != 0);
        self.by_index.shrink(memory);
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        self.all.free(memory);
        self.by_index.free(memory);
    }
}
