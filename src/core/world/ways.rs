//! Ways from one entity to another by a relation: what transitive and reflexive relations promise, and cycles.

use super::World;
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout, role, role_of};
use crate::core::storage::links::NONE;
use crate::core::storage::slice::{checked, checked_mut};

/// The longest way that a transitive relation is followed.
const DEEPEST: usize = 128;

/// The most links that are looked at on the way.
const MOST_STEPS: u32 = 1 << 20;

impl<L: Layout> World<L> {
    /// Whether one gets from an entity to another by a relation. It marks its way by the queue of those who end, so it writes.
    pub(super) fn reaches(&mut self, relation: u32, from: u32, to: u32) -> bool {
        if from == to {
            return true;
        }
        if self.links.held(from).next().is_none() {
            return false;
        }
        self.links.begin_queue(from);
        let (mut at, mut found) = (Some(from), false);
        while let Some(index) = at {
            let mut next = self.links.held(index).next();
            while let Some(link) = next {
                next = self.links.next_held(link);
                let pair = self.links.pair(self.links.of(link).0);
                if pair.relation == relation {
                    found |= L::index(pair.target) == to;
                    self.links.enqueue(index, core::iter::once(L::index(pair.target)));
                }
            }
            at = if found { None } else { self.links.next_queued(index).0 };
        }
        self.links.empty_queue(Some(from));
        found
    }

    /// The way from an entity to another by a relation that has no cycles: writes its links, returns how many.
    /// It reads only, so it can't mark where it has been: it gives up where there are too many ways.
    pub(super) fn way(
        &self,
        relation: u32,
        from: u32,
        to: u32,
        way: &mut [u32; DEEPEST],
    ) -> Result<usize, Error> {
        let mut depth = 0;
        let mut next = self.links.held(from).next();
        for _ in 0..MOST_STEPS {
            let Some(link) = next else {
                if depth == 0 {
                    return Ok(0);
                }
                depth -= 1;
                next = self.links.next_held(*checked(way, depth));
                continue;
            };
            next = self.links.next_held(link);
            let pair = self.links.pair(self.links.of(link).0);
            if pair.relation != relation {
                continue;
            }
            if depth == DEEPEST {
                break;
            }
            *checked_mut(way, depth) = link;
            depth += 1;
            if L::index(pair.target) == to {
                return Ok(depth);
            }
            next = self.links.held(L::index(pair.target)).next();
        }
        Err(Error::new(Kind::Deep).about(self.relations.get(relation).id))
    }

    /// The entities of the cycle that a pair would close, which was refused: the target first, and on to the
    /// holder. Writes as many as fit, returns how many there are; 0: it can't be told.
    #[must_use]
    pub fn cycle(&self, error: &Error, out: &mut [Handle]) -> usize {
        let (holder, [target, relation]) = (error.subject, error.detail);
        if relation == 0 {
            return self.cycle_above(error, out);
        }
        if role_of(relation) == role::INSTANCEOF {
            return self.cycle_of_bases(error, out);
        }
        let mut way = [NONE; DEEPEST];
        let number = self.relations.find(L::index(relation)).unwrap_or(NONE);
        let found = self.way(number, L::index(target), L::index(holder), &mut way);
        let length = if target == holder { 0 } else { found.unwrap_or(0) };
        let targets =
            checked(&way, ..length).iter().map(|link| self.links.pair(self.links.of(*link).0).target);
        out.iter_mut().zip(core::iter::once(target).chain(targets)).for_each(|(out, at)| *out = at);
        if length > 0 || target == holder { length + 1 } else { 0 }
    }

    /// Whether an entity has a pair because its relation promises it.
    pub(super) fn is_promised(
        &self,
        entity: Handle,
        relation: Handle,
        target: Handle,
    ) -> Result<bool, Error> {
        let Some(number) = self.relations.find(L::index(relation)) else { return Ok(false) };
        let (traits, target) = (self.relations.get(number).traits, L::index(target));
        let itself = traits.reflexive && L::index(entity) == target;
        Ok(itself
            || traits.transitive && self.way(number, L::index(entity), target, &mut [NONE; DEEPEST])? > 0)
    }
}
