//! Queries with terms beyond the components of the entity itself: walked entity by entity (M32, M40).
//!
//! ```text
//!   lead         whoever may match: the holders of a pair, the pairs of a relation or a target, the children of
//!                an entity, the hierarchy level by level, or else the join's matches
//!     join       has it all components?               their elements
//!     terms      each pair, each other's component    one match for each combination of pairs
//! ```
//!
//! The lead is what has the fewest; but what yields, the order of the hierarchy or of bases, where one is asked for, leads
//! always. Places of holders don't move, so that whatever changes meanwhile, the walk
//! goes on behind the place it stands at. Where no term but the lead yields more than once, batches are filled field by
//! field instead (`plain`).

mod lead;
mod plain;
mod recall;
mod terms;
#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests;

use super::queries::Start;
use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::query::linked::{LinkTerm, Target, VARIABLES, What};
use crate::core::query::{Lead, LinkCursor, Query};
use crate::core::storage::join::{Ask, Fields, Room, TERMS, further};
use crate::core::storage::links::NONE;
use crate::core::storage::slice::{Array, checked};
use core::ptr::{null_mut, without_provenance_mut};
use lead::Scan;

/// A match that is being put together.
struct Match {
    elements: Array<*mut u8, TERMS>,
    targets: Array<u32, TERMS>,
    variables: Array<u32, VARIABLES>,
}

impl Match {
    /// Of nothing yet.
    const NONE: Self = Self {
        elements: Array([null_mut(); TERMS]),
        targets: Array([NONE; TERMS]),
        variables: Array([NONE; VARIABLES]),
    };
}

/// Where matches go. It says whether it takes more.
trait Sink {
    /// The next candidate: its place, and its record's serial.
    fn enter(&mut self, at: [u32; 2], serial: u32);

    fn take(&mut self, index: u32, found: &Match) -> bool;
}

/// A batch in the caller's memory.
struct Batch<'a, 'f> {
    cursor: &'a LinkCursor,
    fields: &'a mut Fields<'f>,
    /// Fields, and terms with targets.
    columns: &'a [(u8, u8)],
    targets: &'a [(u8, u8)],
    /// How many there may be.
    most: u32,
    count: u32,
    /// Matches to pass over of the first candidate, and of this one.
    first_skip: u32,
    skip: u32,
    /// Matches of the candidate that were handed out.
    taken: u32,
    began: u32,
    at: [u32; 2],
    serial: u32,
}

impl Sink for Batch<'_, '_> {
    fn enter(&mut self, at: [u32; 2], serial: u32) {
        // Only of the first candidate some matches were handed out before.
        self.skip = core::mem::take(&mut self.first_skip);
        (self.at, self.serial, self.taken) = (at, serial, 0);
    }

    #[inline]
    fn take(&mut self, index: u32, found: &Match) -> bool {
        if self.skip > 0 {
            self.skip -= 1;
            self.taken += 1;
            return true;
        }
        if self.count == self.most {
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
    fn enter(&mut self, _: [u32; 2], _: u32) {}

    fn take(&mut self, index: u32, _: &Match) -> bool {
        if self.count == 0 {
            self.first = index;
        }
        self.count += 1;
        self.count < self.most
    }
}

impl<L: Layout> World<L> {
    /// Walks candidates from a place on, until a sink takes no more; returns where the next one is.
    fn walk_links(
        &self,
        query: &Query<L>,
        from: &LinkCursor,
        sink: &mut dyn Sink,
    ) -> Result<Option<[u32; 2]>, Error> {
        let join = query.join()?;
        if join.is_vacant() {
            return Ok(None);
        }
        let mut found = Match::NONE;
        let mut scan = Scan::default();
        let (lead, term, made, mut at) = (from.lead(), from.term, from.made, from.at);
        while let Some((place, index, link)) = self.candidate(query, (lead, made), &mut scan, at) {
            at = place;
            sink.enter(at, if Self::has_records(lead) { self.links.serial(at[0]) } else { 0 });
            if (self.veils != 0 || query.bases) && !self.is_asked_for(query, index) {
                at = self.behind(lead, at);
                continue;
            }
            let put = |field: u8, element| found.elements[field as usize] = element;
            let own = join.place_one(index, query.bases, put);
            if own && !self.solve(query.links(), index, (term, link), &mut found, sink)? {
                return Ok(Some(at));
            }
            at = self.behind(lead, at);
        }
        Ok(None)
    }

    /// Whether a query doesn't pass over an entity: nobody's disabled, and a base only if bases are meant.
    fn is_asked_for(&self, query: &Query<L>, index: u32) -> bool {
        !self.disabled.has(index) && self.bases.has(index) == query.bases
    }

    /// Builds the next batch from where a cursor stands; returns how many matches are in it.
    fn walk_on(&self, query: &Query<L>, cursor: &mut LinkCursor, fields: &mut Fields) -> Result<u32, Error> {
        fields.count = 0;
        if cursor.over != 0 {
            return Ok(0);
        }
        self.follow_records(cursor)?;
        if self.is_overtaken(cursor) {
            return Err(Error::new(Kind::Changed).with(0, 2));
        }
        if cursor.skip == NONE {
            cursor.at = self.behind(cursor.lead(), cursor.at);
            cursor.skip = 0;
        }
        if cursor.lead() == Lead::Children
            && let Some(What::ChildOf(parent)) = query.links().get(cursor.term as usize).map(|term| term.what)
            && cursor.at[0] != NONE
            && (self.parent_of(cursor.at[0]) != parent || !self.tree.is_old(cursor.at[0], cursor.made))
        {
            // It was taken out, or is at another place, whose neighbours may have been seen.
            return Err(Error::new(Kind::Changed).with(0, 2));
        }
        if query.join()?.is_vacant() {
            cursor.over = 1;
            return Ok(0);
        }
        fields.gather = cursor.runs_only == 0;
        fields.entities = self.registry.words_at();
        let most = cursor.limit.min(cursor.most);
        cursor.limit = further(cursor.limit);
        if let Some(count) = self.fill_plainly(query, cursor, fields, most) {
            cursor.began = 0;
            self.note_records(cursor);
            fields.count = count;
            return Ok(count);
        }
        let (mut columns, mut targets) = ([(0, 0); TERMS], [(0, 0); TERMS]);
        let columns_count = LinkCursor::columns(&cursor.elements, &mut columns);
        let targets_count = LinkCursor::columns(&cursor.targets, &mut targets);
        let known = *cursor;
        let mut batch = Batch {
            cursor: &known,
            fields,
            columns: checked(&columns, ..columns_count),
            targets: checked(&targets, ..targets_count),
            most,
            count: 0,
            first_skip: cursor.skip,
            skip: 0,
            taken: 0,
            began: 0,
            at: cursor.at,
            serial: 0,
        };
        let next = self.walk_links(query, &known, &mut batch)?;
        let (count, taken) = (batch.count, batch.taken);
        cursor.began = batch.began;
        cursor.over = next.is_none().into();
        if let Some(next) = next {
            (cursor.at, cursor.skip) = (next, taken);
            self.note_records(cursor);
        }
        fields.count = count;
        if !fields.gather {
            for (term, column) in &columns[..columns_count] {
                let at = usize::from(*column) * cursor.most as usize;
                fields.data[*term as usize] = if count > 0 { fields.rows[at] } else { null_mut() };
            }
            if count > 0 {
                fields.entities = self.registry.word_at(fields.picks[0]);
            }
        }
        Ok(count)
    }

    fn solve_one(&self, query: &Query<L>, index: u32) -> Result<bool, Error> {
        let mut counter = Counter { count: 0, most: 1, first: NONE };
        let mut found = Match::NONE;
        let join = query.join()?;
        let own = if query.bases { join.matches_any(index) } else { join.fits(index) };
        let own = own && self.is_asked_for(query, index) && self.may_match(query, index);
        Ok(own && !self.solve(query.links(), index, (NONE, NONE), &mut found, &mut counter)?)
    }

    /// Counts matches: batch by batch, if they are found plainly; else one by one, because each batch would go through all of
    /// the combinations of an entity that were in those before.
    fn count_links(&self, query: &Query<L>) -> Result<u32, Error> {
        if let Some(matches) = self.remembered(query) {
            return Ok(matches.count());
        }
        let mut cursor = self.begin(query, false)?;
        if !self.fills_plainly(query, &cursor) {
            let mut counter = Counter { count: 0, most: u32::MAX, first: NONE };
            self.walk_links(query, &cursor, &mut counter)?;
            return Ok(counter.count);
        }
        let mut room = Room::EMPTY;
        let (mut fields, mut count) = (room.fields(), 0_u32);
        loop {
            match self.walk_on(query, &mut cursor, &mut fields)? {
                0 => return Ok(count),
                more => count = count.saturating_add(more),
            }
        }
    }

    /// Finds matches one by one, up to some.
    fn first_links(&self, query: &Query<L>, most: u32) -> Result<Counter, Error> {
        let mut counter = Counter { count: 0, most, first: NONE };
        let cursor = self.begin(query, false)?;
        self.walk_links(query, &cursor, &mut counter)?;
        Ok(counter)
    }
}

impl<L: Layout> Ecs<L> {
    /// Where the iteration of a query begins that goes from entity to entity, and where the rows of its fields do.
    pub fn start_linked(
        &self,
        handle: u32,
        cursor: &mut LinkCursor,
        offsets: &mut [u16; TERMS],
        runs_only: bool,
    ) -> Result<(), Error> {
        self.look(|w| {
            *cursor = w.begin(w.query(handle)?, runs_only)?;
            cursor.place_rows(offsets);
            Ok(())
        })
    }

    /// The same where a query remembers its matches, and how they are handed out; None: `start_query` is to be called.
    #[inline(always)]
    pub fn start_recall(
        &self,
        handle: u32,
        cursor: &mut LinkCursor,
        offsets: &mut [u16; TERMS],
        strides: &mut [u32; TERMS],
    ) -> Option<Start> {
        self.look(|w| {
            let query = w.queries.get(handle)?;
            let matches = w.remembered(query)?;
            (*cursor, *offsets) = (*matches.first().0, *matches.first().1);
            w.note_time(cursor);
            query.put_strides(strides);
            Some(Start::of(query, None))
        })
    }

    /// Hands out the next batch that is remembered; None: `next_linked` is to be called. Nothing has changed since the
    /// last one, and not all was seen. Nothing here can panic, so the C boundary calls it without its net.
    #[inline(always)]
    pub fn recall_quickly(&self, handle: u32, cursor: &mut LinkCursor, fields: &mut Fields) -> Option<u32> {
        self.look(|w| w.recall(w.queries.get(handle)?, cursor, fields, false))
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
            match w.recall(query, cursor, fields, true) {
                Some(count) => Ok(count),
                None => w.walk_on(query, cursor, fields),
            }
        })
    }

    /// Lets a walk go on behind a row of its batch, or before the first: what is left is looked for anew.
    pub fn stand_behind(
        &self,
        handle: u32,
        cursor: &mut LinkCursor,
        rows: &[*mut u8],
        count: u32,
        row: Option<u32>,
    ) -> Result<(), Error> {
        self.look(|w| {
            if cursor.batch == NONE {
                let walk = *cursor;
                cursor.stand_behind(|row| walk.mark(rows, row), count, row);
                return Ok(());
            }
            let kept = w.query(handle)?.kept.as_ref();
            let matches = kept.map(|kept| &kept.matches);
            // Another refresh has made what is remembered anew.
            let matches = matches.filter(|matches| matches.serial() == cursor.remembered);
            let matches = matches.ok_or(Error::new(Kind::Changed).with(0, 2))?;
            let batch = cursor.batch;
            cursor.stand_behind(|row| matches.mark(batch, row).unwrap_or([NONE; 3]), count, row);
            Ok(())
        })
    }

    /// How many matches such a query has; None if it is another kind of query.
    pub fn count_linked(&self, handle: u32) -> Result<Option<u32>, Error> {
        self.look(|w| {
            let query = w.query(handle)?;
            query.join()?;
            query.is_linked().then(|| w.count_links(query)).transpose()
        })
    }

    /// How many matches such a query has, at most `most`, and the first one; None if it is another kind of query.
    pub fn first_linked(&self, handle: u32, most: u32) -> Result<Option<(u32, Handle)>, Error> {
        self.look(|w| {
            let query = w.query(handle)?;
            query.join()?;
            if !query.is_linked() {
                return Ok(None);
            }
            let counter = w.first_links(query, most)?;
            Ok(Some((counter.count, w.registry.at(counter.first).unwrap_or(0))))
        })
    }

    /// Whether an entity, who lives, matches such a query.
    pub(super) fn matches_linked(&self, handle: u32, entity: Handle) -> Result<bool, Error> {
        self.look(|w| w.solve_one(w.query(handle)?, L::index(entity)))
    }

    /// The target of a term that asks for a fixed pair, which is there.
    pub fn target_of_term(&self, handle: u32, term: u32) -> Result<Handle, Error> {
        self.look(|w| {
            let asks = |link: &&LinkTerm| u32::from(link.number) == term && link.ask == Ask::With;
            match w.query(handle)?.links().iter().find(asks).map(|link| link.what) {
                Some(What::Pair(_, Target::Of(target))) => Ok(target),
                _ => Ok(0),
            }
        })
    }

    /// The entity of an index, or 0.
    pub fn entity_at(&self, index: u32) -> Handle {
        self.look(|w| w.registry.at(index).unwrap_or(0))
    }
}
