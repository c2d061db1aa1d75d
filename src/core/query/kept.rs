//! What a kept query remembers: its matches as runs, so that iterating need not look for them.
//!
//! ```text
//!   run   entities  first..=last, `count` of them       at   Position 0, Velocity 0
//!   run   entities  ...                                 at   Position 700, Velocity 512
//! ```
//!
//! Runs are in the order of indices, like every iteration: when something has changed, an iteration under way
//! goes on from the next index without them. Nothing is remembered where runs would be short.

use super::matches::Matches;
use crate::core::error::Error;
use crate::core::ids::Layout;
use crate::core::storage::buffer::Buffer;
use crate::core::storage::join::{Cursor, Join};
use crate::core::storage::memory::Memory;
use crate::core::storage::slice::{checked, checked_mut};

/// Matches that lie side by side in every field.
#[derive(Clone, Copy)]
struct Run {
    /// The index behind the last match.
    end: u32,
    /// The index of the first one, where there is no lead.
    first: u32,
    count: u32,
    absent: u64,
}

/// Runs shorter than this on average aren't worth remembering.
const WORTH: u32 = 8;

/// What a kept query remembers.
pub struct Kept {
    /// Where two kept queries want different orders, the higher priority decides.
    pub priority: i32,
    /// Its query's number: of equal priorities the lowest decides.
    pub number: u64,
    runs: Buffer<Run>,
    /// For each run the position in each tracked pool.
    positions: Buffer<u32>,
    tracked: usize,
    /// Whether entities are read from a pool.
    has_lead: bool,
    /// `Join::stamp` when it was brought up to date.
    stamp: Option<u64>,
    /// `Join::stamp` when it wasn't worth it.
    in_vain: Option<u64>,
    matched: u32,
    /// Of a query that goes from entity to entity.
    pub matches: Matches,
}

impl Kept {
    /// Nothing is remembered yet.
    #[must_use]
    pub const fn new(priority: i32, number: u64) -> Self {
        Self {
            priority,
            number,
            runs: Buffer::new(),
            positions: Buffer::new(),
            tracked: 0,
            has_lead: false,
            stamp: None,
            in_vain: None,
            matched: 0,
            matches: Matches::NONE,
        }
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.runs.bytes() + self.positions.bytes() + self.matches.bytes()
    }

    /// Runs, or batches, remembered.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn runs(&self) -> u32 {
        self.runs.len() as u32 + self.matches.batches()
    }

    /// Whether what it remembers is how it is.
    #[must_use]
    pub fn is_fresh<L: Layout>(&self, join: &Join<L>) -> bool {
        self.stamp == Some(join.stamp())
    }

    /// How many match, if it remembers that.
    #[must_use]
    pub fn count<L: Layout>(&self, join: &Join<L>) -> Option<u32> {
        self.is_fresh(join).then_some(self.matched)
    }

    /// Gives back the memory that is left over since there was more to remember.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.runs.shrink(memory);
        self.positions.shrink(memory);
        self.matches.shrink(memory);
    }

    /// Forgets everything, and gives back the memory.
    #[inline(never)]
    pub fn free(&mut self, memory: &mut Memory) {
        self.runs.truncate(0);
        self.positions.truncate(0);
        self.matches.clear();
        self.stamp = None;
        self.shrink(memory);
    }

    /// Remembers how it is; or nothing, where runs would be short or there is no memory for them.
    pub fn refresh<L: Layout>(&mut self, memory: &mut Memory, join: &Join<L>) {
        let stamp = Some(join.stamp());
        if self.stamp != stamp && self.in_vain != stamp {
            let worth = self.remember(memory, join);
            self.stamp = stamp.filter(|_| worth == Ok(true));
            self.in_vain = stamp.filter(|_| worth == Ok(false));
            if self.stamp.is_none() {
                self.runs.truncate(0);
                self.positions.truncate(0);
            }
        }
    }

    /// Remembers all runs; says whether they are worth it.
    fn remember<L: Layout>(&mut self, memory: &mut Memory, join: &Join<L>) -> Result<bool, Error> {
        self.runs.truncate(0);
        self.positions.truncate(0);
        self.tracked = join.tracked();
        self.has_lead = join.has_lead();
        self.matched = 0;
        let mut cursor = Cursor::NONE;
        cursor.begin(0, join.end(), true);
        cursor.whole = 0;
        while join.find_run(&mut cursor) {
            self.matched += cursor.left;
            self.add(memory, &cursor)?;
            cursor.left = 0;
            if self.runs() > 1024 && self.matched / self.runs() < WORTH {
                break;
            }
        }
        Ok(self.runs() <= 16 || self.matched / self.runs() >= WORTH)
    }

    fn add(&mut self, memory: &mut Memory, cursor: &Cursor) -> Result<(), Error> {
        let at = checked(&*cursor.positions, ..self.tracked);
        if let Some(last) = self.runs.last_mut() {
            let before = &self.positions[self.positions.len() - self.tracked..];
            let is_there = |number: usize| last.absent >> number & 1 == 0;
            let mut pairs = before.iter().zip(at).enumerate();
            let follows = pairs.all(|(number, (before, at))| !is_there(number) || before + last.count == *at);
            // Without a lead the entities are read from the registry, side by side.
            let beside = self.has_lead || last.first + last.count == cursor.next;
            if follows && beside && last.absent == cursor.absent {
                last.count += cursor.left;
                last.end = cursor.index;
                return Ok(());
            }
        }
        self.runs.reserve(memory, 1)?;
        self.positions.reserve(memory, self.tracked)?;
        let (end, first, count, absent) = (cursor.index, cursor.next, cursor.left, cursor.absent);
        self.runs.push_reserved(Run { end, first, count, absent });
        self.positions.extend_reserved(at.iter().copied());
        Ok(())
    }

    /// Lets a cursor that is at the beginning of a part of all indices stand before the first match there. What is remembered
    /// is fresh.
    ///
    /// ```text
    ///   runs    [ . . . . ] [ . . . . . . . ] [ . . ]
    ///   part              |          |                of the run at either end a piece
    /// ```
    #[allow(clippy::cast_possible_truncation)]
    pub fn begin_part<L: Layout>(&self, join: &Join<L>, cursor: &mut Cursor) {
        let first = cursor.index;
        let number = self.runs.partition_point(|run| run.end <= first);
        cursor.run = number as u32;
        if self.next(join, cursor) {
            let passed = self.before(join, number, first).min(cursor.left);
            cursor.left -= passed;
            // What nobody of the run is in has no position, nor has one with a lead an index to go on at.
            cursor.next = cursor.next.wrapping_add(passed);
            let positions = checked_mut(&mut *cursor.positions, ..self.tracked).iter_mut();
            positions.for_each(|position| *position = position.wrapping_add(passed));
        }
    }

    /// How many matches of a run come before an index.
    #[inline(never)] // It is seldom called.
    fn before<L: Layout>(&self, join: &Join<L>, number: usize, index: u32) -> u32 {
        let run = self.runs[number];
        let position = self.positions.get(number * self.tracked).copied().unwrap_or(0);
        let (mut low, mut high) = (0, run.count);
        while low < high {
            let middle = low.midpoint(high);
            let at = if self.has_lead { join.lead_index(position + middle) } else { run.first + middle };
            if at < index { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Lets a cursor stand before the next run, or what of it comes before the cursor's end; false if there is none. What is
    /// remembered is fresh.
    pub fn next<L: Layout>(&self, join: &Join<L>, cursor: &mut Cursor) -> bool {
        let number = cursor.run as usize;
        cursor.left = 0;
        if let Some(run) = self.runs.get(number) {
            cursor.left =
                if run.end <= cursor.end { run.count } else { self.before(join, number, cursor.end) };
            cursor.next = run.first;
            cursor.absent = run.absent;
            let at = checked(&self.positions[number * self.tracked..], ..self.tracked);
            checked_mut(&mut *cursor.positions, ..self.tracked).copy_from_slice(at);
            if number + 1 < self.runs.len() && run.end < cursor.end {
                cursor.run += 1;
                cursor.index = run.end;
                return true;
            }
        }
        cursor.index = cursor.end;
        cursor.resume = cursor.end;
        cursor.run = Cursor::PLAIN;
        cursor.left > 0
    }
}
