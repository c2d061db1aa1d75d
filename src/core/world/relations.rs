//! Relations: what they promise of their pairs.

use super::pairs::MOST_WITH;
use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::relations::{Relation, Traits};

impl<L: Layout> World<L> {
    fn traits_of(&self, id: Handle) -> &Traits {
        let number = self.relations.find(L::index(id));
        number.map_or(&Traits::NONE, |number| &self.relations.get(number).traits)
    }

    /// Ok if a relation may bring another, and be brought as it is: not itself in the end, not too many, and from a symmetric
    /// one nothing that is acyclic, as both sides get it.
    fn check_with(&self, id: Handle, traits: &Traits) -> Result<(), Error> {
        let wrong = |what| Err(Error::new(Kind::Traits).about(id).named(what));
        let (mut at, mut length) = (traits.with, 1);
        while at != 0 {
            self.registry.check_as("with", at)?;
            if at == id {
                return wrong("with comes back to it");
            }
            if length > MOST_WITH {
                return wrong("with brings over 8 others");
            }
            let brought = self.traits_of(at);
            if traits.symmetric && brought.acyclic {
                return wrong("it is symmetric, and with brings one that is acyclic");
            }
            (at, length) = (brought.with, length + 1);
        }
        let is_brought = |n| self.relations.get(n).companions > 0;
        if !self.relations.find(L::index(id)).is_some_and(is_brought) {
            return Ok(());
        }
        // Who brings it brings what it brings.
        if traits.with != 0 {
            return wrong("it is brought by another");
        }
        let reaches_it = |first: &Traits| {
            let mut at = first.with;
            while at != 0 && at != id {
                at = self.traits_of(at).with;
            }
            at == id
        };
        let mut symmetric = self.relations.iter().filter(|traits| traits.symmetric);
        if traits.acyclic && symmetric.any(reaches_it) {
            return wrong("it is acyclic, and brought by one that is symmetric");
        }
        Ok(())
    }

    /// Ok if the traits go together.
    fn check_traits(&self, id: Handle, traits: &Traits) -> Result<(), Error> {
        let wrong = if traits.transitive && !traits.acyclic {
            "transitive asks for acyclic"
        } else if traits.symmetric && traits.acyclic {
            "symmetric and acyclic exclude each other"
        } else {
            return self.check_with(id, traits);
        };
        Err(Error::new(Kind::Traits).about(id).named(wrong))
    }
}

impl<L: Layout> Ecs<L> {
    /// Gives a relation its traits: while nobody has a pair of it, or the same but for what it brings.
    pub fn set_traits(&self, id: Handle, traits: &Traits) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            w.registry.check(id)?;
            w.check_traits(id, traits)?;
            let number = w.relation(id)?;
            let Relation { first, traits: before, .. } = *w.relations.get(number);
            let is_promise = *traits != Traits { with: traits.with, ..before };
            if is_promise && w.links.related(first).any(|record| w.links.holders(record) > 0) {
                return Err(Error::new(Kind::Traits).about(id).named("there are pairs of it"));
            }
            let with = if traits.with == 0 { None } else { Some(w.relation(traits.with)?) };
            let before = w.relations.find(L::index(before.with)).filter(|_| before.with != 0);
            for (relation, more) in [(before, u32::MAX), (with, 1)] {
                if let Some(relation) = relation.and_then(|number| w.relations.get_mut(number)) {
                    relation.companions = relation.companions.wrapping_add(more);
                }
            }
            w.relations.set_traits(number, traits);
            w.links.promise(first, traits);
            w.touch();
            Ok(())
        })
    }

    /// The traits of a relation.
    pub fn traits(&self, id: Handle) -> Result<Traits, Error> {
        self.look(|w| {
            w.registry.check(id)?;
            Ok(*w.traits_of(id))
        })
    }
}
