//! Where an iteration stands that goes from entity to entity.

use crate::core::error::Error;
use crate::core::ids::Layout;
use crate::core::query::Query;
use crate::core::query::linked::{LinkTerm, What};
use crate::core::storage::join::{Ask, MOST_ROWS, PICKS, TERMS};
use crate::core::storage::links::NONE;
use crate::core::world::World;

/// Columns of rows that say where a match was found: its candidate's place, and the record's serial.
const MARKS: usize = 3;

/// No column of rows.
pub(super) const NO_COLUMN: u8 = u8::MAX;

/// What finds the entities that may match.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
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
    pub(super) lead: u32,
    /// The link term that leads.
    pub(super) term: u32,
    /// The two numbers of the next candidate: record and place, depth and place, or index.
    pub(super) at: [u32; 2],
    /// Matches of the next candidate that were handed out.
    pub(super) skip: u32,
    /// The most matches of a batch, and the rows of each field.
    pub(super) most: u32,
    /// Not 0: only runs are handed out.
    pub(super) runs_only: u32,
    /// Not 0: all was seen.
    pub(super) over: u32,
    /// `changes` of what mustn't change.
    pub(super) stamp: u64,
    /// The columns of rows that hold terms' targets.
    pub(super) targets: [u8; TERMS],
    /// The columns of rows that hold terms' elements.
    pub(super) elements: [u8; TERMS],
    /// The first of the columns that say where candidates are.
    pub(super) marks: u32,
    /// Matches that were handed out before of the candidate that the batch begins with.
    pub(super) began: u32,
    /// Pairs that were made, and children who came, since this number aren't seen.
    pub(super) made: u32,
    /// The serial of the candidate's record: another one's is another.
    pub(super) serial: u32,
    /// The record behind it, and its serial: where to go on if the candidate's is gone.
    pub(super) next: [u32; 2],
}

impl LinkCursor {
    pub(super) const fn lead(&self) -> Lead {
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
    pub(super) fn new<L: Layout>(w: &World<L>, query: &Query<L>, runs_only: bool) -> Result<Self, Error> {
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
    pub(super) fn columns(of: &[u8; TERMS], out: &mut [(u8, u8); TERMS]) -> usize {
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
