//! What a kept query that goes from entity to entity remembers: its batches, ready to be handed out.
//!
//! ```text
//!   watched   the join 17, the hierarchy 4, (Likes, Bob) 9   what it depends on, and the number of its changes then
//!   batches   [ 85 matches, the walk then at ... ]  [ 60 matches, over ]
//!   picks     7 9 12 ...                     | 300 ...     the entities, by index
//!   rows      P of 7, 9, 12 ...  V of 7 ...  | P of 300    column by column in each batch
//!   marks     place of 7, 9, 12 ...          | ...         where the walk stood: to go on from there
//! ```
//!
//! An iteration that finds one of these numbers changed goes on by walking, from where the last batch ended.

use super::cursor::LinkCursor;
use crate::core::error::Error;
use crate::core::storage::buffer::Buffer;
use crate::core::storage::join::{Fields, TERMS};
use crate::core::storage::memory::Memory;
use crate::core::storage::slice::checked;

/// What matches depend on, as something that counts its changes.
#[derive(Clone, Copy, Debug)]
pub enum Watch {
    /// The pools of the entities' own components.
    Join,
    /// Who is disabled, or a base.
    Veils,
    /// The hierarchy.
    Tree,
    /// All pairs.
    Links,
    /// The holders of a record, of which there are some.
    Record(u32),
    /// A pool.
    Pool(u32),
    /// The world-wide value of a component.
    Value(u32),
    /// Anything: what nothing else counts.
    All,
}

/// A batch, and how a walk stands behind it.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// The first of its picks, and where its rows begin.
    pub pick: u32,
    /// The matches.
    pub count: u32,
    /// The next candidate.
    pub at: [u32; 2],
    /// Matches of the next candidate that were handed out.
    pub skip: u32,
    /// Matches that were handed out before of the candidate that the batch begins with.
    pub began: u32,
    /// Not 0: all was seen.
    pub over: u32,
    /// The serial of the next candidate's record.
    pub serial: u32,
    /// The record behind that, and its serial.
    pub next: [u32; 2],
}

/// The batches of a query.
pub struct Matches {
    watched: Buffer<(Watch, u64)>,
    first: LinkCursor,
    /// Where the rows of each term begin.
    offsets: [u16; TERMS],
    batches: Buffer<Batch>,
    picks: Buffer<u32>,
    rows: Buffer<*mut u8>,
    marks: Buffer<[u32; 3]>,
    /// Rows of each match.
    columns: u32,
    /// Counts how often it was made anew.
    serial: u32,
    is_there: bool,
    /// The world's changes when a refresh found it to be how it is.
    confirmed: u64,
}

impl Matches {
    /// Nothing.
    pub const NONE: Self = Self {
        watched: Buffer::new(),
        first: LinkCursor::NOWHERE,
        offsets: [0; TERMS],
        batches: Buffer::new(),
        picks: Buffer::new(),
        rows: Buffer::new(),
        marks: Buffer::new(),
        columns: 0,
        serial: 0,
        is_there: false,
        confirmed: 0,
    };

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.watched.bytes()
            + self.batches.bytes()
            + self.picks.bytes()
            + self.rows.bytes()
            + self.marks.bytes()
    }

    /// How many batches there are.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn batches(&self) -> u32 {
        self.batches.len() as u32
    }

    /// How many matches there are.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn count(&self) -> u32 {
        self.picks.len() as u32
    }

    /// Tells what is remembered now from what was before.
    #[must_use]
    pub const fn serial(&self) -> u32 {
        self.serial
    }

    /// Whether something is remembered.
    #[inline(always)]
    #[must_use]
    pub const fn is_there(&self) -> bool {
        self.is_there
    }

    /// What it depends on, and the number of its changes then.
    #[must_use]
    pub fn watched(&self) -> &[(Watch, u64)] {
        &self.watched
    }

    /// It is how it is now, when the world counts so many changes: until it counts more there is no need to look.
    pub fn confirm(&mut self, changes: u64) {
        self.confirmed = changes;
    }

    /// Whether that was when the world counted so many changes.
    #[inline(always)]
    #[must_use]
    pub const fn is_confirmed(&self, changes: u64) -> bool {
        self.confirmed == changes
    }

    /// Where an iteration of what is remembered begins, and where the rows of its terms do.
    #[must_use]
    pub const fn first(&self) -> (&LinkCursor, &[u16; TERMS]) {
        (&self.first, &self.offsets)
    }

    /// Forgets what there is.
    pub fn clear(&mut self) {
        self.watched.truncate(0);
        self.batches.truncate(0);
        self.picks.truncate(0);
        self.rows.truncate(0);
        self.marks.truncate(0);
        self.is_there = false;
        self.serial = self.serial.wrapping_add(1);
    }

    /// Begins to remember the walk that begins so, where nothing is remembered.
    pub fn begin(&mut self, walk: &LinkCursor) {
        walk.place_rows(&mut self.offsets);
        self.columns = walk.marks;
        self.first = LinkCursor { next_batch: 0, remembered: self.serial, ..*walk };
    }

    /// Remembers one more thing that the matches depend on, and the number of its changes.
    pub fn watch(&mut self, memory: &mut Memory, watch: Watch, now: u64) -> Result<(), Error> {
        self.watched.push(memory, (watch, now))
    }

    /// Remembers one more batch, whose columns are so far apart; behind them are the marks.
    #[allow(clippy::cast_possible_truncation)]
    pub fn add(
        &mut self,
        memory: &mut Memory,
        batch: Batch,
        fields: &Fields,
        apart: u32,
    ) -> Result<(), Error> {
        let (count, columns, apart) = (batch.count as usize, self.columns as usize, apart as usize);
        self.batches.reserve(memory, 1)?;
        self.picks.reserve(memory, count)?;
        self.marks.reserve(memory, count)?;
        self.rows.reserve(memory, count * columns)?;
        let pick = self.picks.len() as u32;
        self.batches.push_reserved(Batch { pick, ..batch });
        self.picks.extend_reserved(fields.picks[..count].iter().copied());
        for column in 0..columns {
            self.rows.extend_reserved(checked(&fields.rows[column * apart..], ..count).iter().copied());
        }
        let mark = |number: usize, row: usize| fields.rows[(columns + number) * apart + row].addr() as u32;
        self.marks.extend_reserved((0..count).map(|row| [mark(0, row), mark(1, row), mark(2, row)]));
        Ok(())
    }

    /// All is remembered.
    pub fn end(&mut self) {
        self.is_there = true;
    }

    /// Hands out a batch; None: there is none of that number.
    #[inline]
    pub fn hand_out(&self, number: u32, fields: &mut Fields, apart: u32) -> Option<&Batch> {
        let batch = self.batches.get(number as usize)?;
        let (pick, count, columns) = (batch.pick as usize, batch.count as usize, self.columns as usize);
        let rows = self.rows.get(pick * columns..)?;
        fields.picks.get_mut(..count)?.copy_from_slice(self.picks.get(pick..pick + count)?);
        for column in 0..columns {
            let to = fields.rows.get_mut(column * apart as usize..)?.get_mut(..count)?;
            to.copy_from_slice(rows.get(column * count..)?.get(..count)?);
        }
        Some(batch)
    }

    /// Where the walk stood at a match of a batch.
    #[must_use]
    pub fn mark(&self, number: u32, row: u32) -> Option<[u32; 3]> {
        let batch = self.batches.get(number as usize)?;
        self.marks.get(batch.pick as usize + row as usize).copied()
    }

    /// Gives back the memory that is left over since there were more.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.watched.shrink(memory);
        self.batches.shrink(memory);
        self.picks.shrink(memory);
        self.rows.shrink(memory);
        self.marks.shrink(memory);
    }

    /// Gives back all memory.
    #[inline(never)]
    pub fn free(&mut self, memory: &mut Memory) {
        self.clear();
        self.shrink(memory);
    }
}
