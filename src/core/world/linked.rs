//! Queries with terms beyond the components of the entity itself: walked entity by entity (M32, M40).
//!
//! ```text
//!   lead         whoever may match: the holders of a pair, the pairs of a relation or a target, the children of
//!                an entity, the hierarchy level by level, or else the join's matches
//!     join       has it all components?               their elements
//!     terms      each pair, each other's component    one match for each combination of pairs
//! ```
//!
//! The lead is what has the fewest. Places of holders don't move, so that whatever changes meanwhile, the walk
//! goes on behind the place it stands at.

use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::query::Query;
use crate::core::query::linked::{LinkTerm, Target, VARIABLES, What, Whose};
use crate::core::storage::join::{Ask, Fields, MOST_ROWS, PICKS, TERMS};
use crate::core::storage::links::NONE;
use crate::core::storage::tree;
use core::ptr::{null_mut, without_provenance_mut};

/// Columns of rows that say where a match was found: its candidate's place, and the record's serial.
const MARKS: usize = 3;

/// No column of rows.
const NO_COLUMN: u8 = u8::MAX;

/// What finds the entities that may match.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    /// The join, in the order of indices.
    Join,
    /// The holders of one pair, or id.
    Record,
    /// The pairs of one relation.
    Related,
    /// The pairs that aim at one target.
    Aimed,
    /// The children of one entity.
    Children,
    /// The hierarchy, level by level; before it those who are not in it.
    Levels,
    /// Everybody.
    Living,
}

/// Where such an iteration stands. It refers to nothing, so it can be copied and left.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LinkCursor {
    /// A `Lead`, as a number: it is kept in the caller's memory.
    lead: u32,
    /// The link term that leads.
    term: u32,
    /// The two numbers of the next candidate: record and place, depth and place, or index.
    at: [u32; 2],
    /// Matches of the next candidate that were handed out.
    skip: u32,
    /// The most matches of a batch, and the rows of each field.
    most: u32,
    /// Not 0: only runs are handed out.
    runs_only: u32,
    /// Not 0: all was seen.
    over: u32,
    /// `changes` of what mustn't change.
    stamp: u64,
    /// The columns of rows that hold terms' targets.
    targets: [u8; TERMS],
    /// The columns of rows that hold terms' elements.
    elements: [u8; TERMS],
    /// The first of the columns that say where candidates are.
    marks: u32,
    /// Matches that were handed out before of the candidate that the batch begins with.
    began: u32,
    /// Pairs that were made, and children who came, since this number aren't seen.
    made: u32,
    /// The serial of the candidate's record: another one's is another.
    serial: u32,
    /// The record behind it, and its serial: where to go on if the candidate's is gone.
    next: [u32; 2],
}

/// A match that is being put together.
struct Match {
    elements: [*mut u8; TERMS],
    targets: [u32; TERMS],
    variables: [u32; VARIABLES],
}

/// Where matches go. It says whether it takes more.
trait Sink {
    fn take(&mut self, index: u32, found: &Match) -> bool;
}

/// A batch in the caller's memory.
struct Batch<'a, 'f> {
    cursor: &'a LinkCursor,
    fields: &'a mut Fields<'f>,
    /// Fields, and terms with targets.
    columns: &'a [(u8, u8)],
    targets: &'a [(u8, u8)],
    count: u32,
    skip: u32,
    /// Matches of the candidate that were handed out.
    taken: u32,
    began: u32,
    at: [u32; 2],
    serial: u32,
}

impl Sink for Batch<'_, '_> {
    #[inline]
    fn take(&mut self, index: u32, found: &Match) -> bool {
        if self.skip > 0 {
            self.skip -= 1;
            self.taken += 1;
            return true;
        }
        if self.count == self.cursor.most {
            return false;
        }
        if self.count == 0 {
            self.began = self.taken;
        }
        let (row, per_field) = (self.count as usize, self.cursor.most as usize);
        self.fields.picks[row] = index;
        for (term, column) in self.columns {
            self.fields.rows[*column as usize * per_field + row] = found.elements[*term as usize];
        }
        for (term, column) in self.targets {
            let target = without_provenance_mut(found.targets[*term as usize] as usize);
            self.fields.rows[*column as usize * per_field + row] = target;
        }
        for (number, at) in [self.at[0], self.at[1], self.serial].into_iter().enumerate() {
            let mark = without_provenance_mut(at as usize);
            self.fields.rows[(self.cursor.marks as usize + number) * per_field + row] = mark;
        }
        self.count += 1;
        self.taken += 1;
        true
    }
}

/// Counts matches, up to a limit, and remembers the first.
struct Counter {
    count: u32,
    most: u32,
    first: u32,
}

impl Sink for Counter {
    fn take(&mut self, index: u32, _: &Match) -> bool {
        if self.count == 0 {
            self.first = index;
        }
        self.count += 1;
        self.count < self.most
    }
}

impl<L: Layout> World<L> {
    /// The record of a fixed pair or id, if there is one that is still of the entities which the term names.
    fn record_for(&self, what: What) -> Option<u32> {
        match what {
            What::Id(id) => self.links.find(id),
            What::Pair(relation, Target::Of(target)) if relation != 0 => {
                let id = crate::core::ids::pair::<L>(relation, target)?;
                let record = self.links.find(id)?;
                let pair = self.links.pair(record);
                (pair.target == target && self.relation_of(record).id == relation).then_some(record)
            }
            _ => None,
        }
    }

    /// The number of a relation that still lives.
    fn number_of(&self, relation: Handle) -> Option<u32> {
        let number = self.relations.find(L::index(relation))?;
        (self.relations.get(number).id == relation).then_some(number)
    }

    /// What leads a query: whatever has the fewest.
    fn lead(&self, query: &Query<L>) -> Result<(Lead, u32), Error> {
        if query.cascade {
            return Ok((Lead::Levels, NONE));
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
        let mut best = (query.join()?.most_matches().map_or(u64::MAX, u64::from), Lead::Join, NONE);
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
        Ok(if best.0 == u64::MAX || query.bases { (Lead::Living, NONE) } else { (best.1, best.2) })
    }

    /// Whether a pair may be had without being held.
    fn is_transitive(&self, what: What) -> bool {
        let What::Pair(relation, Target::Of(_)) = what else { return false };
        let traits = self.number_of(relation).map(|number| self.relations.get(number).traits);
        traits.is_some_and(|traits| traits.transitive || traits.reflexive)
    }

    /// The number that mustn't change while a lead is followed.
    fn stamp_of(&self, lead: Lead) -> u64 {
        match lead {
            Lead::Levels => self.tree.changes(),
            _ => 0,
        }
    }

    /// What is made from now on isn't seen.
    #[allow(clippy::cast_possible_truncation)]
    fn made(&self, lead: Lead) -> u32 {
        if lead == Lead::Children { self.tree.changes() as u32 } else { self.links.made() }
    }

    /// The record behind another in a chain that is followed.
    fn record_behind(&self, lead: Lead, record: u32) -> u32 {
        let next = match lead {
            _ if record == NONE => None,
            Lead::Related => self.links.related_behind(record),
            Lead::Aimed => self.links.aimed_behind(record),
            _ => None,
        };
        next.unwrap_or(NONE)
    }

    /// Whether a lead goes along records.
    const fn has_records(lead: Lead) -> bool {
        matches!(lead, Lead::Record | Lead::Related | Lead::Aimed)
    }

    /// Remembers whose records a cursor stands at, and behind.
    fn note_records(&self, cursor: &mut LinkCursor) {
        if Self::has_records(cursor.lead()) {
            let next = self.record_behind(cursor.lead(), cursor.at[0]);
            cursor.serial = self.links.serial(cursor.at[0]);
            cursor.next = [next, self.links.serial(next)];
        }
    }

    /// Lets a cursor whose record is gone go on with the one behind it.
    fn follow_records(&self, cursor: &mut LinkCursor) -> Result<(), Error> {
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
    fn candidate(
        &self,
        query: &Query<L>,
        (lead, made): (Lead, u32),
        mut at: [u32; 2],
    ) -> Option<([u32; 2], u32, u32)> {
        loop {
            match lead {
                Lead::Join => {
                    let index = query.join().ok()?.first(at[0])?;
                    return Some(([index, 0], index, NONE));
                }
                Lead::Record | Lead::Related | Lead::Aimed => {
                    if at[0] == NONE {
                        return None;
                    }
                    match self.links.at(at[0], at[1]) {
                        Some((link, index)) if !self.links.is_new(link, made) => {
                            return Some((at, index, link));
                        }
                        _ => at[1] += 1,
                    }
                    if at[1] >= self.links.places(at[0]) {
                        at = [self.record_behind(lead, at[0]), 0];
                    }
                }
                Lead::Living => {
                    let entity = self.registry.next_living(at[0])?;
                    at[0] = L::index(entity);
                    if !self.is_component(entity) {
                        return Some((at, at[0], NONE));
                    }
                    at[0] += 1;
                }
                Lead::Children if at[0] == NONE => return None,
                Lead::Children => {
                    // The next one is remembered too: the candidate may be taken out.
                    let next = self.tree.node(at[0]).next;
                    if !self.tree.is_new(at[0], made.into()) {
                        return Some(([at[0], next], at[0], NONE));
                    }
                    at[0] = next;
                }
                Lead::Levels if at[0] == 0 => {
                    // Those outside of the hierarchy first.
                    match self.first_outside(query, at[1]) {
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
            }
        }
    }

    /// Components match what asks for components only: not because a relation is reflexive.
    fn may_match(&self, query: &Query<L>, index: u32) -> bool {
        let asks = query.join().is_ok_and(|join| join.asks_for_some());
        asks || self.registry.at(index).is_some_and(|entity| !self.is_component(entity))
    }

    /// The first match of the join from an index on that isn't in the hierarchy.
    fn first_outside(&self, query: &Query<L>, mut index: u32) -> Option<u32> {
        let join = query.join().ok()?;
        loop {
            // Pools don't show bases.
            index = if join.asks_for_some() && !query.bases {
                join.first(index)?
            } else {
                let asks = !query.links().is_empty() || query.bases;
                L::index(self.registry.next_living(index).filter(|_| asks)?)
            };
            if self.may_match(query, index) && !self.tree.is_in(index) {
                return Some(index);
            }
            index += 1;
        }
    }

    /// Behind a candidate.
    #[inline]
    fn behind(&self, lead: Lead, at: [u32; 2]) -> [u32; 2] {
        match lead {
            Lead::Join | Lead::Living => [at[0] + 1, 0],
            Lead::Children => [at[1], 0],
            _ => [at[0], at[1] + 1],
        }
    }

    /// Walks candidates from a place on, until a sink takes no more; returns where the next one is.
    #[inline]
    fn walk_links<S: Sink>(
        &self,
        query: &Query<L>,
        (lead, term, made): (Lead, u32, u32),
        mut at: [u32; 2],
        sink: &mut S,
        mut enter: impl FnMut(&mut S, [u32; 2]),
    ) -> Result<Option<[u32; 2]>, Error> {
        let join = query.join()?;
        let mut found =
            Match { elements: [null_mut(); TERMS], targets: [NONE; TERMS], variables: [NONE; VARIABLES] };
        while let Some((place, index, link)) = self.candidate(query, (lead, made), at) {
            at = place;
            enter(sink, at);
            if (self.veils != 0 || query.bases) && !self.is_asked_for(query, index) {
                at = self.behind(lead, at);
                continue;
            }
            let put = |field: u8, element| found.elements[field as usize] = element;
            let own = if query.bases { join.place_any(index, put) } else { join.place_one(index, put) };
            if own && !self.solve(query.links(), index, (term, link), &mut found, sink)? {
                return Ok(Some(at));
            }
            at = self.behind(lead, at);
        }
        Ok(None)
    }

    /// Finds all combinations of pairs by which a candidate matches the terms; false: the sink takes no more. `lead`:
    /// of one term only that link is meant.
    fn solve<S: Sink>(
        &self,
        terms: &[LinkTerm],
        index: u32,
        lead: (u32, u32),
        found: &mut Match,
        sink: &mut S,
    ) -> Result<bool, Error> {
        let Some((term, rest)) = terms.split_first() else { return Ok(sink.take(index, found)) };
        let next = (lead.0.wrapping_sub(1), lead.1);
        let number = term.number as usize;
        found.elements[number] = null_mut();
        found.targets[number] = NONE;
        let source = match term.source {
            Whose::This => Some(index),
            Whose::Parent => Some(self.tree.node(index).parent).filter(|parent| *parent != tree::NONE),
            Whose::Up => self.nearest_above(index, term, found)?,
            Whose::Inherit => self.nearest_base(index, term.what),
            Whose::Of(entity) => self.registry.is_alive(entity).then(|| L::index(entity)),
            Whose::World => None,
            Whose::Variable(variable) => Some(found.variables[variable as usize]),
        };
        if term.yields
            && let Some(source) = source
        {
            let mut link =
                if lead.0 == 0 && lead.1 != NONE { Some(lead.1) } else { self.links.held(source).next() };
            while let Some(at) = link {
                link = if lead.0 == 0 && lead.1 != NONE { None } else { self.links.next_held(at) };
                if let Some(target) = self.matches_pair(at, term.what) {
                    self.take_pair(term, at, target, found);
                    if !self.solve(rest, index, next, found, sink)? {
                        return Ok(false);
                    }
                }
            }
            return Ok(true);
        }
        if lead.0 == 0 && lead.1 != NONE {
            self.take_pair(term, lead.1, L::index(self.links.pair(self.links.of(lead.1).0).target), found);
            return self.solve(rest, index, next, found, sink);
        }
        let there = match source {
            None if term.source == Whose::World => self.world_value(term, found),
            None => false,
            Some(source) => self.holds(term, source, found)?,
        };
        let fits = match term.ask {
            Ask::Without => !there,
            Ask::Optional => true,
            _ => there,
        };
        if fits { self.solve(rest, index, next, found, sink) } else { Ok(true) }
    }

    /// The target of a link, if it is of such a pair.
    fn matches_pair(&self, link: u32, what: What) -> Option<u32> {
        let What::Pair(relation, target) = what else { return None };
        let pair = self.links.pair(self.links.of(link).0);
        let known = self.relations.get(pair.relation).id;
        let same = if relation == 0 { known != 0 } else { known == relation };
        let aimed = match target {
            Target::Of(target) => pair.target == target,
            _ => true,
        };
        (same && aimed).then(|| L::index(pair.target))
    }

    fn take_pair(&self, term: &LinkTerm, link: u32, target: u32, found: &mut Match) {
        let number = term.number as usize;
        if term.field {
            found.elements[number] = self.links.value(link).unwrap_or(null_mut());
        }
        found.targets[number] = target;
        if let What::Pair(_, Target::Variable(variable)) = term.what {
            found.variables[variable as usize] = target;
        }
    }

    /// The nearest above an entity who has what a term asks for.
    fn nearest_above(&self, index: u32, term: &LinkTerm, found: &mut Match) -> Result<Option<u32>, Error> {
        let mut above = self.tree.node(index).parent;
        while above != tree::NONE {
            let has = if term.yields {
                self.links.held(above).any(|link| self.matches_pair(link, term.what).is_some())
            } else {
                self.holds(term, above, found)?
            };
            if has {
                return Ok(Some(above));
            }
            above = self.tree.node(above).parent;
        }
        Ok(None)
    }

    /// The entity itself, or the nearest base, who has a component.
    fn nearest_base(&self, index: u32, what: What) -> Option<u32> {
        let What::Pool(number) = what else { return Some(index) };
        let pool = self.pools.get(number)?;
        let mut at = index;
        while at != NONE && pool.enabled(at).is_none() {
            at = self.links.base(at);
        }
        (at != NONE).then_some(at)
    }

    fn world_value(&self, term: &LinkTerm, found: &mut Match) -> bool {
        let What::Pool(number) = term.what else { return false };
        let value = self.pools.get(number).and_then(|pool| pool.singleton());
        if term.field {
            found.elements[term.number as usize] = value.map_or(null_mut(), core::ptr::NonNull::as_ptr);
        }
        value.is_some()
    }

    /// Whether an entity has what a term asks for, which yields once at most; where its element is.
    fn holds(&self, term: &LinkTerm, source: u32, found: &mut Match) -> Result<bool, Error> {
        let number = term.number as usize;
        let fixed = |target: u32| self.registry.at(target).map_or(Target::None, Target::Of);
        let what = match term.what {
            What::Pair(relation, Target::Variable(variable)) => {
                What::Pair(relation, fixed(found.variables[variable as usize]))
            }
            what => what,
        };
        match what {
            What::Pool(pool) => {
                let Some(pool) = self.pools.get(pool) else { return Ok(false) };
                let position = pool.enabled(source);
                if let Some(position) = position.filter(|_| term.field) {
                    found.elements[number] = pool.element(position);
                }
                Ok(position.is_some())
            }
            What::ChildOf(parent) => Ok(self.parent_of(source) == parent && parent != 0),
            What::Pair(0, _) | What::Pair(_, Target::Any) => {
                let mut pairs =
                    self.links.held(source).filter_map(|link| Some((link, self.matches_pair(link, what)?)));
                let pair = pairs.next();
                pair.into_iter().for_each(|(link, target)| self.take_pair(term, link, target, found));
                Ok(pair.is_some())
            }
            What::Id(_) | What::Pair(..) => {
                let record = self.record_for(what);
                if let Some(link) = record.and_then(|record| self.links.link(record, source)) {
                    self.take_pair(
                        term,
                        link,
                        L::index(self.links.pair(self.links.of(link).0).target),
                        found,
                    );
                    return Ok(true);
                }
                let What::Pair(relation, Target::Of(target)) = what else { return Ok(false) };
                match self.registry.at(source) {
                    // The slots of the dead may be another relation's, and another target's.
                    Some(entity) if self.number_of(relation).is_some() && self.registry.is_alive(target) => {
                        let promised = self.is_promised(entity, relation, target)?;
                        if promised {
                            found.targets[number] = L::index(target);
                        }
                        Ok(promised)
                    }
                    _ => Ok(false),
                }
            }
        }
    }

    /// Whether a query doesn't pass over an entity: nobody's disabled, and a base only if bases are meant.
    fn is_asked_for(&self, query: &Query<L>, index: u32) -> bool {
        !self.disabled.has(index) && self.bases.has(index) == query.bases
    }

    fn solve_one(&self, query: &Query<L>, index: u32) -> Result<bool, Error> {
        let mut counter = Counter { count: 0, most: 1, first: NONE };
        let mut found =
            Match { elements: [null_mut(); TERMS], targets: [NONE; TERMS], variables: [NONE; VARIABLES] };
        let join = query.join()?;
        let own =
            if query.bases { join.place_any(index, |_, _| {}) } else { join.place_one(index, |_, _| {}) };
        let own = own && self.is_asked_for(query, index) && self.may_match(query, index);
        Ok(own && !self.solve(query.links(), index, (NONE, NONE), &mut found, &mut counter)?)
    }

    fn count_links(&self, query: &Query<L>, most: u32) -> Result<Counter, Error> {
        let mut counter = Counter { count: 0, most, first: NONE };
        let (lead, term) = self.lead(query)?;
        let first = self.first_candidate(query, lead, term);
        self.walk_links(query, (lead, term, self.made(lead)), first, &mut counter, |_, _| {})?;
        Ok(counter)
    }
}

impl LinkCursor {
    const fn lead(&self) -> Lead {
        const ALL: [Lead; 7] = [
            Lead::Join,
            Lead::Record,
            Lead::Related,
            Lead::Aimed,
            Lead::Children,
            Lead::Levels,
            Lead::Living,
        ];
        ALL[self.lead as usize % ALL.len()]
    }

    /// Where an iteration of a query begins.
    fn new<L: Layout>(w: &World<L>, query: &Query<L>, runs_only: bool) -> Result<Self, Error> {
        let (lead, term) = w.lead(query)?;
        let mut cursor = Self {
            lead: lead as u32,
            term,
            at: w.first_candidate(query, lead, term),
            skip: 0,
            most: 0,
            runs_only: runs_only.into(),
            over: 0,
            stamp: w.stamp_of(lead),
            targets: [NO_COLUMN; TERMS],
            elements: [NO_COLUMN; TERMS],
            marks: 0,
            began: 0,
            made: w.made(lead),
            serial: 0,
            next: [NONE, 0],
        };
        w.note_records(&mut cursor);
        let mut columns = 0;
        let fields = query.links().iter().filter(|term| term.field).map(|term| term.number);
        for field in query.join()?.fields().chain(fields) {
            cursor.elements[field as usize] = columns;
            columns += 1;
        }
        let any = |term: &&LinkTerm| matches!(term.what, What::Pair(..)) && term.ask != Ask::Without;
        for term in query.links().iter().filter(any) {
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

    /// The columns that hold something, by term.
    fn columns(of: &[u8; TERMS], out: &mut [(u8, u8); TERMS]) -> usize {
        let mut count = 0;
        for (term, column) in (0..).zip(of).filter(|(_, column)| **column != NO_COLUMN) {
            out[count] = (term, *column);
            count += 1;
        }
        count
    }

    /// The index of the target of a term, in a row of a batch; None: it has none.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn target(&self, rows: &[*mut u8], term: u32, row: u32) -> Option<u32> {
        let column = *self.targets.get(term as usize).filter(|column| **column != NO_COLUMN)?;
        rows.get(usize::from(column) * self.most as usize + row as usize).map(|target| target.addr() as u32)
    }

    /// Stands behind a row of the batch, or before the first: what is left is looked for anew. Of the row's candidate
    /// no more pairs are looked for.
    #[allow(clippy::cast_possible_truncation)]
    pub fn stand_behind(&mut self, rows: &[*mut u8], count: u32, row: Option<u32>) {
        let (behind, row) = (row.is_some(), row.unwrap_or(0));
        let (marks, most) = (self.marks, self.most);
        let mark_of = |number: u32, row: u32| {
            rows.get(((marks + number) * most + row) as usize).map_or(NONE, |at| at.addr() as u32)
        };
        let mark = |number: u32| mark_of(number, row);
        let (next, over) = ((self.at[0], self.serial), self.over != 0);
        self.at = [mark(0), mark(1)];
        self.serial = mark(2);
        // Another record's match behind it in the batch, or where the batch ended.
        let other =
            (row + 1..count).map(|row| (mark_of(0, row), mark_of(2, row))).find(|at| at.0 != self.at[0]);
        self.next = match other {
            Some((record, serial)) => [record, serial],
            None if over => [NONE, 0],
            None if next.0 != self.at[0] => [next.0, next.1],
            None => self.next,
        };
        self.skip = if behind { NONE } else { self.began };
        self.over = 0;
    }
}

impl<L: Layout> Ecs<L> {
    /// Where the iteration of a query begins that is walked entity by entity.
    pub fn start_linked(&self, handle: u32, cursor: &mut LinkCursor, runs_only: bool) -> Result<(), Error> {
        self.look(|w| {
            *cursor = LinkCursor::new(w, w.query(handle)?, runs_only)?;
            Ok(())
        })
    }

    /// Builds the next batch; returns how many matches are in it.
    pub fn next_linked(
        &self,
        handle: u32,
        cursor: &mut LinkCursor,
        fields: &mut Fields,
    ) -> Result<u32, Error> {
        self.look(|w| {
            let query = w.query(handle)?;
            query.join()?;
            fields.count = 0;
            if cursor.over != 0 {
                return Ok(0);
            }
            w.follow_records(cursor)?;
            if cursor.stamp != w.stamp_of(cursor.lead()) {
                return Err(Error::new(Kind::Changed).with(0, 2));
            }
            if cursor.skip == NONE {
                cursor.at = w.behind(cursor.lead(), cursor.at);
                cursor.skip = 0;
            }
            if cursor.lead() == Lead::Children
                && let Some(What::ChildOf(parent)) =
                    query.links().get(cursor.term as usize).map(|term| term.what)
                && cursor.at[0] != NONE
                && w.parent_of(cursor.at[0]) != parent
            {
                return Err(Error::new(Kind::Changed).with(0, 2));
            }
            let (mut columns, mut targets) = ([(0, 0); TERMS], [(0, 0); TERMS]);
            let columns_count = LinkCursor::columns(&cursor.elements, &mut columns);
            let targets_count = LinkCursor::columns(&cursor.targets, &mut targets);
            let known = *cursor;
            let mut batch = Batch {
                cursor: &known,
                fields,
                columns: &columns[..columns_count],
                targets: &targets[..targets_count],
                count: 0,
                skip: cursor.skip,
                taken: 0,
                began: 0,
                at: cursor.at,
                serial: 0,
            };
            let mut entered = 0;
            let enter = |batch: &mut Batch, at| {
                // Only of the first candidate some matches were handed out before.
                batch.skip = if entered == 0 { batch.skip } else { 0 };
                entered = 1;
                (batch.at, batch.taken) = (at, 0);
                batch.serial = if World::<L>::has_records(known.lead()) { w.links.serial(at[0]) } else { 0 };
            };
            let next =
                w.walk_links(query, (known.lead(), known.term, known.made), known.at, &mut batch, enter)?;
            let (count, taken) = (batch.count, batch.taken);
            cursor.began = batch.began;
            cursor.over = next.is_none().into();
            if let Some(next) = next {
                (cursor.at, cursor.skip) = (next, taken);
                w.note_records(cursor);
            }
            fields.count = count;
            fields.gather = cursor.runs_only == 0;
            fields.entities = w.registry.words_at();
            for (term, column) in &columns[..columns_count] {
                let offset = usize::from(*column) * cursor.most as usize;
                #[allow(clippy::cast_possible_truncation)]
                {
                    fields.offsets[*term as usize] = offset as u16;
                }
                fields.data[*term as usize] = if count > 0 { fields.rows[offset] } else { null_mut() };
            }
            if !fields.gather && count > 0 {
                fields.entities = w.registry.word_at(fields.picks[0]);
            }
            Ok(count)
        })
    }

    /// How many matches such a query has, at most `most`, and the first one; None if it is another kind of query.
    pub fn count_linked(&self, handle: u32, most: u32) -> Result<Option<(u32, Handle)>, Error> {
        self.look(|w| {
            let query = w.query(handle)?;
            query.join()?;
            if !query.is_linked() {
                return Ok(None);
            }
            let counter = w.count_links(query, most)?;
            Ok(Some((counter.count, w.registry.at(counter.first).unwrap_or(0))))
        })
    }

    /// Whether an entity, who lives, matches such a query.
    pub(super) fn matches_linked(&self, handle: u32, entity: Handle) -> Result<bool, Error> {
        self.look(|w| w.solve_one(w.query(handle)?, L::index(entity)))
    }

    /// The target of a fixed pair's term.
    pub fn target_of_term(&self, handle: u32, term: u32) -> Result<Handle, Error> {
        self.look(|w| match w.query(handle)?.specs().get(term as usize).map(|spec| spec.target) {
            Some(Target::Of(target)) => Ok(target),
            Some(_) => Ok(0),
            None => Err(Error::new(Kind::Range).about(term.into()).named("term")),
        })
    }

    /// The entity of an index, or 0.
    pub fn entity_at(&self, index: u32) -> Handle {
        self.look(|w| w.registry.at(index).unwrap_or(0))
    }
}
