//! Where an iteration stands that goes from entity to entity.

use crate::core::storage::join::{LOOK_AHEAD, TERMS};
use crate::core::storage::links::NONE;
use crate::core::storage::slice::{Array, checked_mut};

/// No column of rows.
pub const NO_COLUMN: u8 = u8::MAX;

/// Where the rows begin of a term that has none: batches leave it alone, and DZ_AT_IF looks at it.
pub const NO_ROWS: u16 = u16::MAX;

/// What finds the entities that may match.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
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
    /// The join, once for each level: they are few among many in the hierarchy.
    Few,
}

/// Where such an iteration stands. It refers to nothing, so it can be copied and left.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LinkCursor {
    /// A `Lead`, as a number: it is kept in the caller's memory.
    pub lead: u32,
    /// The link term that leads.
    pub term: u32,
    /// The two numbers of the next candidate: record and place, depth and place (or index, of few), index, or of children
    /// the child and the sibling behind it, so that the child may get another parent.
    pub at: [u32; 2],
    /// Matches of the next candidate that were handed out.
    pub skip: u32,
    /// The most matches of a batch, and the rows of each field.
    pub most: u32,
    /// The most matches that are looked for: few after a change.
    pub limit: u32,
    /// Not 0: only runs are handed out.
    pub runs_only: u32,
    /// Not 0: all was seen.
    pub over: u32,
    /// The number that counts what its lead depends on, as it was at the beginning.
    pub stamp: u64,
    /// The columns of rows that hold terms' targets.
    pub targets: Array<u8, TERMS>,
    /// The columns of rows that hold terms' elements.
    pub elements: Array<u8, TERMS>,
    /// The first of the columns that say where candidates are.
    pub marks: u32,
    /// Matches that were handed out before of the candidate that the batch begins with.
    pub began: u32,
    /// Pairs that were made, children who came, or entities who got new indices since this number aren't seen: by the lead.
    pub made: u32,
    /// The serial of the candidate's record: another one's is another.
    pub serial: u32,
    /// The record behind it, and its serial: where to go on if the candidate's is gone.
    pub next: [u32; 2],
    /// The remembered batch that it stands on; `NONE`: none.
    pub batch: u32,
    /// The one behind it; `NONE`: it walks.
    pub next_batch: u32,
    /// `Matches::serial` of what is remembered.
    pub remembered: u32,
}

impl LinkCursor {
    /// Of no iteration.
    pub const NOWHERE: Self = Self {
        lead: Lead::Join as u32,
        term: NONE,
        at: [0; 2],
        skip: 0,
        most: 0,
        limit: LOOK_AHEAD,
        runs_only: 0,
        over: 0,
        stamp: 0,
        targets: Array([NO_COLUMN; TERMS]),
        elements: Array([NO_COLUMN; TERMS]),
        marks: 0,
        began: 0,
        made: 0,
        serial: 0,
        next: [NONE, 0],
        batch: NONE,
        next_batch: NONE,
        remembered: 0,
    };

    /// What finds the entities.
    #[must_use]
    pub const fn lead(&self) -> Lead {
        const ALL: [Lead; 8] = [
            Lead::Join,
            Lead::Record,
            Lead::Related,
            Lead::Aimed,
            Lead::Children,
            Lead::Levels,
            Lead::Living,
            Lead::Few,
        ];
        ALL[self.lead as usize % ALL.len()]
    }

    /// Whether all was seen.
    #[inline(always)]
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.over != 0
    }

    /// Says where the rows of each term begin.
    #[allow(clippy::cast_possible_truncation)]
    pub fn place_rows(&self, offsets: &mut [u16; TERMS]) {
        *offsets = [NO_ROWS; TERMS];
        for (offset, column) in
            offsets.iter_mut().zip(*self.elements).filter(|(_, column)| *column != NO_COLUMN)
        {
            *offset = u16::from(column) * self.most as u16;
        }
    }

    /// The columns that hold something, by term.
    pub fn columns(of: &[u8; TERMS], out: &mut [(u8, u8); TERMS]) -> usize {
        let mut count = 0;
        for (term, column) in (0..).zip(of).filter(|(_, column)| **column != NO_COLUMN) {
            *checked_mut(out, count) = (term, *column);
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
    /// no more pairs are looked for. `mark` tells where the walk stood at a row.
    pub fn stand_behind(&mut self, mark: impl Fn(u32) -> [u32; 3], count: u32, row: Option<u32>) {
        let (behind, row) = (row.is_some(), row.unwrap_or(0));
        let (next, over) = ((self.at[0], self.serial), self.over != 0);
        let [record, place, serial] = mark(row);
        self.at = [record, place];
        self.serial = serial;
        // Another record's match behind it in the batch, or where the batch ended.
        let other = (row + 1..count).map(mark).find(|other| other[0] != record);
        self.next = match other {
            Some([record, _, serial]) => [record, serial],
            None if over => [NONE, 0],
            None if next.0 != self.at[0] => [next.0, next.1],
            None => self.next,
        };
        self.skip = if behind { NONE } else { self.began };
        self.over = 0;
        (self.batch, self.next_batch) = (NONE, NONE);
    }

    /// Where the walk stood at a row of its batch, which it found itself.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn mark(&self, rows: &[*mut u8], row: u32) -> [u32; 3] {
        [0, 1, 2].map(|number| {
            let at = ((self.marks + number) * self.most + row) as usize;
            rows.get(at).map_or(NONE, |mark| mark.addr() as u32)
        })
    }
}
