//! What finds the entities that may match, one by one: whatever has the fewest.

use crate::core::error::{Error, Kind};
use crate::core::ids::{self, Handle, Layout};
use crate::core::query::Query;
use crate::core::query::linked::{LinkTerm, Target, What, Whose};
use crate::core::query::{Lead, LinkCursor};
use crate::core::storage::join::{Ask, MOST_ROWS, PICKS};
use crate::core::storage::links::NONE;
use crate::core::storage::moment;
use crate::core::world::World;

/// Columns of rows that say where a match was found: its candidate's place, and the record's serial.
pub(super) const MARKS: usize = 3;

/// The matches of a join among 64 neighbours, while a walk goes along them; nothing changes meanwhile.
#[derive(Default)]
pub(super) struct Scan {
    /// The first of the neighbours, and those who match; 0: unknown.
    word: u32,
    mask: u64,
}

impl Scan {
    /// The first match from an index on.
    #[inline]
    pub(super) fn next<L: Layout>(&mut self, w: &World<L>, query: &Query<L>, index: u32) -> Option<u32> {
        if self.word != index & !63 || self.mask >> (index % 64) == 0 {
            (self.word, self.mask) = w.next_matches(query, index)?;
        }
        let least = if self.word == index & !63 { index % 64 } else { 0 };
        Some(self.word + least + (self.mask >> least).trailing_zeros())
    }
}

impl<L: Layout> World<L> {
    /// The record of a fixed pair or id, if there is one that is still of the entities which the term names.
    pub(super) fn record_for(&self, what: What) -> Option<u32> {
        match what {
            What::Id(id) => self.links.find(id),
            What::Pair(relation, Target::Of(target)) if relation != 0 => {
                let id = ids::pair::<L>(relation, target)?;
                let record = self.links.find(id)?;
                let pair = self.links.pair(record);
                (pair.target == target && self.relation_of(record).id == relation).then_some(record)
            }
            _ => None,
        }
    }

    /// The number of a relation that still lives.
    pub(super) fn number_of(&self, relation: Handle) -> Option<u32> {
        let number = self.relations.find(L::index(relation))?;
        (self.relations.get(number).id == relation).then_some(number)
    }

    /// What leads a query: whatever has the fewest.
    fn lead(&self, query: &Query<L>) -> Result<(Lead, u32), Error> {
        let join = query.join()?;
        if query.cascade {
            // To find the few again for each level, pages are passed over that have none of them.
            let look = |most: u32| most.saturating_add(self.registry.used() / 1024);
            let few = join.most_matches().is_some_and(|most| self.tree.is_large_for(look(most)));
            return Ok((if few && !query.bases { Lead::Few } else { Lead::Levels }, NONE));
        }
        // Who yields once for each pair goes along the pairs: so that whatever changes, none is lost or seen twice.
        for (number, term) in (0..).zip(query.links()) {
            let lead = match term.what {
                What::Pair(0, _) => Lead::Aimed,
                _ => Lead::Related,
            };
            if term.yields && term.source == Whose::This && !query.bases {
                return Ok((lead, number));
            }
        }
        let first = if query.asks_for_some() { Lead::Join } else { Lead::Living };
        let mut best = (join.most_matches().map_or(u64::MAX, u64::from), first, NONE);
        for (number, term) in (0..).zip(query.links()) {
            let own = term.ask == Ask::With && term.source == Whose::This;
            if !own || self.is_transitive(term.what) {
                continue;
            }
            let holders = |record| u64::from(self.links.holders(record));
            let (count, lead) = match term.what {
                What::Pool(_) => continue,
                What::ChildOf(parent) => {
                    let lives = self.registry.is_alive(parent);
                    let children = self.tree.node(L::index(parent)).children;
                    (if lives { children.into() } else { 0 }, Lead::Children)
                }
                What::Pair(0, _) | What::Pair(_, Target::Any | Target::Variable(_)) => continue,
                _ => (self.record_for(term.what).map_or(0, holders), Lead::Record),
            };
            if count < best.0 {
                best = (count, lead, number);
            }
        }
        // What is had from a base is in no pool of the entity's own; and pools don't show bases.
        Ok(if query.bases { (Lead::Living, NONE) } else { (best.1, best.2) })
    }

    /// Whether a pair may be had without being held.
    pub(super) fn is_transitive(&self, what: What) -> bool {
        let What::Pair(relation, Target::Of(_)) = what else { return false };
        let traits = self.number_of(relation).map(|number| self.relations.get(number).traits);
        traits.is_some_and(|traits| traits.transitive || traits.reflexive)
    }

    /// The number that counts what a lead depends on, and how far it may go on while the lead is followed. Behind `moment::OLD` who
    /// was there all along seems to be new.
    fn stamp_of(&self, lead: Lead) -> (u64, u64) {
        const FAR: u64 = moment::OLD as u64 - 1;
        match lead {
            Lead::Join | Lead::Living => (0, 0),
            Lead::Levels | Lead::Few => (self.tree.changes(), 0),
            Lead::Children => (self.tree.changes(), FAR),
            Lead::Record | Lead::Related | Lead::Aimed => (self.links.made(), FAR),
        }
    }

    /// A cursor begins now. What is made from now on isn't seen: children who come, entities with indices that were nobody's
    /// yet, or pairs.
    #[inline(never)]
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn note_time(&self, cursor: &mut LinkCursor) {
        (cursor.stamp, _) = self.stamp_of(cursor.lead());
        cursor.made = match cursor.lead() {
            Lead::Join | Lead::Living | Lead::Levels | Lead::Few => self.registry.used(),
            Lead::Children | Lead::Record | Lead::Related | Lead::Aimed => cursor.stamp as u32,
        };
    }

    /// Whether a cursor can't be followed any longer.
    pub(super) fn is_overtaken(&self, cursor: &LinkCursor) -> bool {
        let (now, most) = self.stamp_of(cursor.lead());
        now.wrapping_sub(cursor.stamp) > most
    }

    /// The record behind another in a chain that is followed.
    pub(super) fn record_behind(&self, lead: Lead, record: u32) -> u32 {
        let next = match lead {
            _ if record == NONE => None,
            Lead::Related => self.links.related_behind(record),
            Lead::Aimed => self.links.aimed_behind(record),
            _ => None,
        };
        next.unwrap_or(NONE)
    }

    /// Whether a lead goes along records.
    pub(super) const fn has_records(lead: Lead) -> bool {
        matches!(lead, Lead::Record | Lead::Related | Lead::Aimed)
    }

    /// Remembers whose records a cursor stands at, and behind.
    pub(super) fn note_records(&self, cursor: &mut LinkCursor) {
        if Self::has_records(cursor.lead()) {
            let next = self.record_behind(cursor.lead(), cursor.at[0]);
            cursor.serial = self.links.serial(cursor.at[0]);
            cursor.next = [next, self.links.serial(next)];
        }
    }

    /// Lets a cursor whose record is gone go on with the one behind it.
    pub(super) fn follow_records(&self, cursor: &mut LinkCursor) -> Result<(), Error> {
        let lead = cursor.lead();
        let gone = |[record, serial]: [u32; 2]| record != NONE && self.links.serial(record) != serial;
        if !Self::has_records(lead) || !gone([cursor.at[0], cursor.serial]) {
            return Ok(());
        }
        if gone(cursor.next) {
            return Err(Error::new(Kind::Changed).with(0, 2));
        }
        (cursor.at, cursor.skip) = ([cursor.next[0], 0], 0);
        Ok(())
    }

    /// Where an iteration of a query begins.
    pub(super) fn begin(&self, query: &Query<L>, runs_only: bool) -> Result<LinkCursor, Error> {
        let (lead, term) = self.lead(query)?;
        let mut cursor = LinkCursor {
            lead: lead as u32,
            term,
            at: self.first_candidate(query, lead, term),
            runs_only: runs_only.into(),
            ..LinkCursor::NOWHERE
        };
        self.note_time(&mut cursor);
        self.note_records(&mut cursor);
        let mut columns = 0;
        let fields = query.links().iter().filter(|term| term.field).map(|term| term.number);
        for field in query.join()?.fields().chain(fields) {
            cursor.elements[field as usize] = columns;
            columns += 1;
        }
        // Of those that are known ahead there is none to remember, but whether an optional one is there.
        let aims = |term: &&LinkTerm| match (term.what, term.ask) {
            (_, Ask::Without) | (What::Pool(_), _) => false,
            (What::Pair(_, Target::Of(_)) | What::Id(_) | What::ChildOf(_), ask) => ask != Ask::With,
            (What::Pair(..), _) => true,
        };
        for term in query.links().iter().filter(aims) {
            cursor.targets[term.number as usize] = columns;
            columns += 1;
        }
        cursor.marks = columns.into();
        let most = (MOST_ROWS / (columns as usize + MARKS)).min(PICKS);
        #[allow(clippy::cast_possible_truncation)]
        let most = most as u32;
        cursor.most = if runs_only { 1 } else { most };
        Ok(cursor)
    }

    /// The first candidate.
    fn first_candidate(&self, query: &Query<L>, lead: Lead, term: u32) -> [u32; 2] {
        let what = query.links().get(term as usize).map(|term| term.what);
        match (lead, what) {
            (Lead::Record, Some(what)) => [self.record_for(what).unwrap_or(NONE), 0],
            (Lead::Related, Some(What::Pair(relation, _))) => {
                [self.number_of(relation).map_or(NONE, |number| self.relations.get(number).first), 0]
            }
            (Lead::Aimed, Some(What::Pair(_, Target::Of(target)))) => {
                let lives = self.registry.is_alive(target);
                [lives.then(|| self.links.aimed(L::index(target)).next()).flatten().unwrap_or(NONE), 0]
            }
            (Lead::Children, Some(What::ChildOf(parent))) => [
                if self.registry.is_alive(parent) { self.tree.node(L::index(parent)).first } else { NONE },
                0,
            ],
            // Level 0 stands for those outside of the hierarchy, so that depths begin with 1.
            _ => [0, 0],
        }
    }

    /// The candidate at a place, or behind it: its place, its index, and the link it was found by.
    #[inline]
    pub(super) fn candidate(
        &self,
        query: &Query<L>,
        (lead, made): (Lead, u32),
        scan: &mut Scan,
        mut at: [u32; 2],
    ) -> Option<([u32; 2], u32, u32)> {
        loop {
            match lead {
                Lead::Join => {
                    let index = scan.next(self, query, at[0]).filter(|index| *index < made)?;
                    return Some(([index, 0], index, NONE));
                }
                Lead::Record | Lead::Related | Lead::Aimed => {
                    if at[0] == NONE {
                        return None;
                    }
                    if let Some((place, link, index)) = self.links.next_holder(at[0], at[1], made) {
                        return Some(([at[0], place], index, link));
                    }
                    at = [self.record_behind(lead, at[0]), 0];
                }
                Lead::Living => {
                    let entity = self.registry.next_living(at[0])?;
                    at[0] = Some(L::index(entity)).filter(|index| *index < made)?;
                    if self.may_match(query, at[0]) {
                        return Some((at, at[0], NONE));
                    }
                    at[0] += 1;
                }
                Lead::Children => {
                    let child = self.tree.old_sibling(at[0], made)?;
                    // The next one is remembered too: the candidate may be taken out. It is one that was there before.
                    let next = self.tree.old_sibling(self.tree.node(child).next, made).unwrap_or(NONE);
                    return Some(([child, next], child, NONE));
                }
                Lead::Levels if at[0] == 0 => {
                    // Those outside of the hierarchy first.
                    match self.first_outside(query, scan, at[1]).filter(|index| *index < made) {
                        Some(index) => return Some(([0, index], index, NONE)),
                        None => at = [1, 0],
                    }
                }
                Lead::Levels => {
                    if at[0] > self.tree.depth() {
                        return None;
                    }
                    match self.tree.level(at[0] - 1).get(at[1] as usize) {
                        Some(index) if self.may_match(query, *index) => return Some((at, *index, NONE)),
                        Some(_) => at[1] += 1,
                        None => at = [at[0] + 1, 0],
                    }
                }
                Lead::Few => match scan.next(self, query, at[1]).filter(|index| *index < made) {
                    Some(index) if self.tree.level_of(index) == at[0] => {
                        return Some(([at[0], index], index, NONE));
                    }
                    Some(index) => at[1] = index + 1,
                    None if at[0] == self.tree.depth() => return None,
                    None => at = [at[0] + 1, 0],
                },
            }
        }
    }

    /// The first 64 neighbours from an index on of whom some match what components are asked for, and who does: at the index, or
    /// behind it, is one.
    #[inline(never)]
    pub(super) fn next_matches(&self, query: &Query<L>, mut index: u32) -> Option<(u32, u64)> {
        let join = query.join().ok()?;
        loop {
            let (first, matches) = if join.asks_for_some() {
                let first = join.first(index)?;
                (first, join.matches_around(first))
            } else {
                (index, u64::MAX)
            };
            let matches = self.who_may_inherit(query, first & !63, matches);
            if matches >> (first % 64) != 0 {
                return Some((first & !63, matches));
            }
            index = Some(first | 63).filter(|last| *last < self.registry.used())? + 1;
        }
    }

    /// Components match what asks for components only: not because a relation is reflexive.
    pub(super) fn may_match(&self, query: &Query<L>, index: u32) -> bool {
        self.registry.at(index).is_some_and(|entity| !self.is_component(entity)) || query.asks_for_some()
    }

    /// The first match of the join from an index on that isn't in the hierarchy.
    pub(super) fn first_outside(&self, query: &Query<L>, scan: &mut Scan, mut index: u32) -> Option<u32> {
        loop {
            // Pools don't show bases.
            index = if query.asks_for_some() && !query.bases {
                scan.next(self, query, index)?
            } else {
                let asks = !query.links().is_empty() || query.bases;
                L::index(self.registry.next_living(index).filter(|_| asks)?)
            };
            if !self.tree.is_in(index) && self.may_match(query, index) {
                return Some(index);
            }
            index += 1;
        }
    }

    /// Behind a candidate.
    #[inline]
    pub(super) fn behind(&self, lead: Lead, at: [u32; 2]) -> [u32; 2] {
        match lead {
            Lead::Join | Lead::Living => [at[0] + 1, 0],
            Lead::Children => [at[1], 0],
            _ => [at[0], at[1] + 1],
        }
    }
}
