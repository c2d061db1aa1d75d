//! Who goes along when an entity is destroyed (M37), and what becomes of the pairs that it takes part in (M36).
//!
//! ```text
//!   destroy a        queue   a -> b -> d -> c   b: it has (Carries, a), cleanup delete
//!                                               c, d: its children; who follows comes next, the latest first
//!   first            whoever holds a pair that refuses, and isn't in the queue, is in the way
//!   then             listeners are told, a first; then each is taken out of its pairs, and destroyed
//! ```
//!
//! Where no relation says delete or refuse, and nobody is told, each is destroyed as soon as its children are queued.
//!
//! The queue goes through places that whoever takes part in pairs has anyway, so it needs no memory; and it
//! visits nobody but those who take part.

use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::links::NONE;
use crate::core::storage::relations::{Cleanup, Relation, Traits};

/// Those who are to end.
#[derive(Clone, Copy)]
pub(super) struct Doomed {
    /// The first in the queue.
    first: u32,
    /// Whether all who go along are in it. Else only children go along, and theirs, and nobody is told: these are queued while the
    /// queue is worked off, which spares them a second visit.
    all: bool,
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

    /// Puts those into the queue whose end follows from that of one in it; returns the next in it.
    #[inline(always)]
    fn follow(&mut self, index: u32, refusing: &mut bool) -> Option<u32> {
        self.follow_children(index);
        let (next, aimed) = self.links.next_queued(index);
        let relation = self.relations.find(index);
        if !self.relations.are_demanding() || aimed == NONE && relation.is_none() {
            return next;
        }
        *refusing |= self.follow_pairs(index, aimed, relation);
        self.links.next_queued(index).0
    }

    #[inline(always)]
    fn follow_children(&mut self, index: u32) {
        // The last child comes first: it is the last of its level too, so that nobody moves there.
        let child = self.tree.first(index);
        if child != NONE {
            self.links.enqueue(index, self.tree.siblings(child));
        }
    }

    /// The same for those that hold pairs which end with it. Whether any of these may refuse.
    #[inline(never)]
    fn follow_pairs(&mut self, index: u32, aimed: u32, relation: Option<u32>) -> bool {
        let (mut refusing, mut next) = (false, Some(aimed).filter(|record| *record != NONE));
        while let Some(record) = next {
            refusing |= self.follow_record(index, record, self.relation_of(record).traits.on_target);
            next = self.links.aimed_behind(record);
        }
        let Some(number) = relation else { return refusing };
        let Relation { first, traits, .. } = *self.relations.get(number);
        let mut next = self.links.related(first).next();
        while let Some(record) = next {
            refusing |= self.follow_record(index, record, traits.on_relation);
            next = self.links.related_behind(record);
        }
        refusing
    }

    fn follow_record(&mut self, index: u32, record: u32, cleanup: Cleanup) -> bool {
        for place in 0..if cleanup == Cleanup::Delete { self.links.places(record) } else { 0 } {
            if let Some((_, holder)) = self.links.at(record, place) {
                self.links.enqueue(index, core::iter::once(holder));
            }
        }
        cleanup == Cleanup::Refuse
    }

    /// What is in the way of an entity's end.
    fn in_the_way(&self, index: u32) -> Option<Error> {
        let refusing = self.ending(index).filter(|(_, cleanup)| *cleanup == Cleanup::Refuse);
        refusing.map(|(record, _)| record).find_map(|record| {
            let holders = (0..self.links.places(record)).filter_map(|place| self.links.at(record, place));
            let others = holders.filter(|(_, holder)| !self.links.is_queued(*holder)).count() as u64;
            let entity = self.registry.at(index).unwrap_or(0);
            let error = Error::new(Kind::PairHeld).about(entity).with(others, self.relation_of(record).id);
            (others > 0).then_some(error)
        })
    }

    /// Queues entities that take part in pairs or have parents or children, and all who go along. Or says what is in
    /// the way.
    pub(super) fn doom(&mut self, entities: &[Handle]) -> Result<Option<Doomed>, Error> {
        let (mut first, mut last) = (None, NONE);
        for entity in entities {
            let index = L::index(*entity);
            if !self.is_tied(*entity) || self.links.is_queued(index) {
                continue;
            }
            match first {
                None => self.links.begin_queue(index),
                Some(_) => self.links.enqueue(last, core::iter::once(index)),
            }
            (first, last) = (first.or(Some(index)), index);
        }
        let Some(doomed) = first.map(|first| Doomed { first, all: true }) else { return Ok(None) };
        if !self.relations.are_demanding() && !self.is_told_of_destroy() {
            return Ok(Some(Doomed { all: false, ..doomed }));
        }
        let (mut at, mut refusing) = (first, false);
        while let Some(index) = at {
            at = self.follow(index, &mut refusing);
        }
        at = first.filter(|_| refusing);
        while let Some(index) = at {
            if let Some(error) = self.in_the_way(index) {
                self.links.empty_queue(first);
                return Err(error);
            }
            (at, _) = self.links.next_queued(index);
        }
        Ok(Some(doomed))
    }

    /// Takes an entity out of all pairs, on both sides. Whether anybody is tied then is for the caller to find.
    pub(super) fn untie(&mut self, entity: Handle) {
        self.untie_from(entity, self.links.is_linked(L::index(entity)));
    }

    /// The same, where it is known whether it has pairs, or is a target.
    #[inline(always)]
    fn untie_from(&mut self, entity: Handle, is_linked: bool) {
        let index = L::index(entity);
        if is_linked {
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
        // It promises nothing any more, which queries have to hear also where nobody held a pair of it.
        self.links.promise(NONE, &Traits::NONE);
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
        let of = self.links.pair(record);
        for place in 0..self.links.places(record) {
            if let Some((link, holder)) = self.links.at(record, place) {
                self.unbind_held(link, holder, &of);
            }
        }
        self.close_record(record);
    }
}

impl<L: Layout> Ecs<L> {
    /// Destroys those who are queued, but for one, who is only taken out of all pairs (0: nobody).
    pub(super) fn destroy_queued(&self, doomed: Doomed, but: Handle) {
        let entity_at = |index| self.look(|w| w.registry.at(index)).filter(|entity| *entity != but);
        if self.look(World::is_told_of_destroy) {
            let mut at = Some(doomed.first);
            while let Some(index) = at {
                entity_at(index).into_iter().for_each(|entity| self.tell_destroy(entity));
                (at, _) = self.look(|w| w.links.next_queued(index));
            }
        }
        self.with(|w| {
            w.touch();
            let mut at = Some(doomed.first);
            while let Some(index) = at {
                if !doomed.all {
                    w.follow_children(index);
                }
                let (next, is_linked) = w.links.dequeue(index);
                at = next;
                let Some(entity) = w.registry.at(index) else { continue };
                w.untie_from(entity, is_linked);
                if entity != but {
                    w.erase(entity);
                }
            }
            w.find_ties();
        });
    }
}
