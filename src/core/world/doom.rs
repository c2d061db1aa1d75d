//! Who goes along when an entity is destroyed (M37), and what becomes of the pairs that it takes part in (M36).
//!
//! ```text
//!   destroy a        queue   a -> b -> c        b: it has (Carries, a), cleanup delete
//!                                               c: it is a child of b
//!   first            whoever holds a pair that refuses, and isn't in the queue, is in the way
//!   then             listeners are told, a first; then each is taken out of its pairs, and destroyed
//! ```
//!
//! The queue goes through places that whoever takes part in pairs has anyway, so it needs no memory; and it
//! visits nobody but those who take part.

use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::links::NONE;
use crate::core::storage::relations::{Cleanup, Relation};

/// Who is to end: from the first, who is known to whoever began, to the last.
struct Queue {
    last: u32,
    /// Whether any of their pairs may refuse.
    refusing: bool,
}

impl<L: Layout> World<L> {
    /// Whether the end of an entity, who lives, must look for pairs.
    #[inline]
    pub(super) fn is_tied(&self, entity: Handle) -> bool {
        self.ties != 0 && self.kinds.has_others(L::index(entity)) && self.links.takes_part(L::index(entity))
    }

    /// The records that end with an entity, and what is said for their case.
    fn ending(&self, index: u32) -> impl Iterator<Item = (u32, Cleanup)> + '_ {
        let aimed = self.links.aimed(index).map(|record| (record, self.relation_of(record).traits.on_target));
        let relation = self.relations.find(index).map(|number| self.relations.get(number));
        let related = relation.into_iter().flat_map(|relation| {
            self.links.related(relation.first).map(|record| (record, relation.traits.on_relation))
        });
        aimed.chain(related)
    }

    /// Puts those into the queue whose end follows from an entity's.
    fn follow(&mut self, index: u32, queue: &mut Queue) {
        let mut next = self.links.aimed(index).next();
        while let Some(record) = next {
            self.follow_record(record, self.relation_of(record).traits.on_target, queue);
            next = self.links.aimed_behind(record);
        }
        let mut child = self.tree.node(index).first;
        while child != NONE {
            queue.last = self.links.enqueue(queue.last, child);
            child = self.tree.node(child).next;
        }
        let Some(number) = self.relations.find(index) else { return };
        let Relation { first, traits, .. } = *self.relations.get(number);
        let mut next = self.links.related(first).next();
        while let Some(record) = next {
            self.follow_record(record, traits.on_relation, queue);
            next = self.links.related_behind(record);
        }
    }

    fn follow_record(&mut self, record: u32, cleanup: Cleanup, queue: &mut Queue) {
        queue.refusing |= cleanup == Cleanup::Refuse;
        for place in 0..if cleanup == Cleanup::Delete { self.links.places(record) } else { 0 } {
            if let Some((_, holder)) = self.links.at(record, place) {
                queue.last = self.links.enqueue(queue.last, holder);
            }
        }
    }

    /// What is in the way of an entity's end.
    fn in_the_way(&self, index: u32) -> Option<Error> {
        let refusing = self.ending(index).filter(|(_, cleanup)| *cleanup == Cleanup::Refuse);
        refusing.map(|(record, _)| record).find_map(|record| {
            let holders = (0..self.links.places(record)).filter_map(|place| self.links.at(record, place));
            let others = holders.filter(|(_, holder)| !self.links.is_queued(*holder)).count() as u64;
            let entity = self.registry.at(index).unwrap_or(0);
            let error = Error::new(Kind::PairHeld).about(entity).with(others, self.links.pair(record).id);
            (others > 0).then_some(error)
        })
    }

    /// Queues entities that take part in pairs, and all who go along; returns the first. Or says what is in the way.
    pub(super) fn doom(&mut self, entities: &[Handle]) -> Result<Option<u32>, Error> {
        let (mut first, mut queue) = (None, Queue { last: NONE, refusing: false });
        for entity in entities {
            if self.is_tied(*entity) {
                queue.last = self.links.enqueue(queue.last, L::index(*entity));
                first = first.or(Some(queue.last));
            }
        }
        let mut at = first;
        while let Some(index) = at {
            self.follow(index, &mut queue);
            at = self.links.next_queued(index);
        }
        at = first.filter(|_| queue.refusing);
        while let Some(index) = at {
            if let Some(error) = self.in_the_way(index) {
                while let Some(index) = first {
                    first = self.links.dequeue(index);
                }
                return Err(error);
            }
            at = self.links.next_queued(index);
        }
        Ok(first)
    }

    /// Takes an entity out of all pairs, on both sides. Whether anybody is tied then is for the caller to find.
    #[inline(always)]
    pub(super) fn untie(&mut self, entity: Handle) {
        let index = L::index(entity);
        if self.links.is_linked(index) {
            self.unlink(index);
        }
        if let Some(number) = self.relations.find(index) {
            self.end_relation(entity, number);
        }
        if !self.names.is_empty() {
            self.forget_name(index);
        }
        self.tree.take(index);
    }

    fn end_relation(&mut self, entity: Handle, number: u32) {
        loop {
            let Some(record) = self.links.related(self.relations.get(number).first).next() else { break };
            self.end_record(record);
        }
        self.relations.end(L::index(entity), number, entity);
    }

    /// Takes all pairs off an entity, and off everybody those that aim at it.
    fn unlink(&mut self, index: u32) {
        loop {
            let Some(link) = self.links.held(index).next() else { break };
            self.unbind(link);
        }
        loop {
            let Some(record) = self.links.aimed(index).next() else { break };
            self.end_record(record);
        }
    }

    fn end_record(&mut self, record: u32) {
        for place in 0..self.links.places(record) {
            if let Some((link, _)) = self.links.at(record, place) {
                self.unbind(link);
            }
        }
        self.close_record(record);
    }

    /// Takes all pairs off everybody.
    pub(super) fn untie_all(&mut self) {
        for link in self.links.all() {
            if self.links.is_used(link) {
                self.take_link(link);
            }
        }
    }
}

impl<L: Layout> Ecs<L> {
    /// Destroys those who are queued, but for one, who is only taken out of all pairs (0: nobody).
    pub(super) fn destroy_queued(&self, first: u32, but: Handle) {
        let entity_at = |index| self.look(|w| w.registry.at(index)).filter(|entity| *entity != but);
        if self.look(World::is_told_of_destroy) {
            let mut at = Some(first);
            while let Some(index) = at {
                entity_at(index).into_iter().for_each(|entity| self.tell_destroy(entity));
                at = self.look(|w| w.links.next_queued(index));
            }
        }
        self.with(|w| {
            w.touch();
            let mut at = Some(first);
            while let Some(index) = at {
                at = w.links.dequeue(index);
                let Some(entity) = w.registry.at(index) else { continue };
                w.untie(entity);
                if entity != but {
                    w.erase(entity);
                }
            }
            w.find_ties();
        });
    }
}
