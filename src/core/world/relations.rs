//! Relations: what they promise of their pairs.

use super::pairs::MOST_WITH;
use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::relations::Traits;

impl<L: Layout> World<L> {
    /// Ok if a relation may bring another: not itself in the end, and not too many.
    fn check_with(&self, id: Handle, with: Handle) -> Result<(), Error> {
        let next = |id: Handle| {
            let number = self.relations.find(L::index(id));
            number.map_or(0, |number| self.relations.get(number).traits.with)
        };
        let (mut at, mut length) = (with, 1);
        while at != 0 {
            self.registry.check_as("with", at)?;
            if at == id || length > MOST_WITH {
                let wrong = if at == id { "with comes back to it" } else { "with brings over 8 others" };
                return Err(Error::new(Kind::Traits).about(id).named(wrong));
            }
            (at, length) = (next(at), length + 1);
        }
        // Who brings it brings what it brings.
        let brings_others =
            self.relations.find(L::index(id)).is_some_and(|n| self.relations.get(n).companions > 0);
        if brings_others && with != 0 {
            return Err(Error::new(Kind::Traits).about(id).named("it is brought by another"));
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
            return self.check_with(id, traits.with);
        };
        Err(Error::new(Kind::Traits).about(id).named(wrong))
    }
}

impl<L: Layout> Ecs<L> {
    /// Gives a relation its traits, while nobody has a pair of it.
    pub fn set_traits(&self, id: Handle, traits: &Traits) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            w.registry.check(id)?;
            w.check_traits(id, traits)?;
            let number = w.relation(id)?;
            if w.links.related(w.relations.get(number).first).any(|record| w.links.holders(record) > 0) {
                return Err(Error::new(Kind::Traits).about(id).named("there are pairs of it"));
            }
            let with = if traits.with == 0 { None } else { Some(w.relation(traits.with)?) };
            let before = w.relations.get(number).traits.with;
            let before = w.relations.find(L::index(before)).filter(|_| before != 0);
            for (relation, more) in [(before, u32::MAX), (with, 1)] {
                if let Some(relation) = relation.and_then(|number| w.relations.get_mut(number)) {
                    relation.companions = relation.companions.wrapping_add(more);
                }
            }
            w.relations.set_traits(number, traits);
            w.links.promise(w.relations.get(number).first, traits);
            w.touch();
            Ok(())
        })
    }

    /// The traits of a relation.
    pub fn traits(&self, id: Handle) -> Result<Traits, Error> {
        self.look(|w| {
            w.registry.check(id)?;
            let number = w.relations.find(L::index(id));
            Ok(number.map_or(Traits::NONE, |number| w.relations.get(number).traits))
        })
    }
}
