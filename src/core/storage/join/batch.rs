//! What a walk hands out, and where it stands between two batches.
//!
//! ```text
//!   run       every field an array:         field 0  [p0 p1 p2 p3 ...]     entities [e0 e1 e2 e3 ...]
//!                                           field 1  [v0 v1 v2 v3 ...]
//!   gather    an address for each element:  rows     [&p7 &p2 ... | &v1 &v9 ...]   picks [7 2 ...]
//! ```

use super::TERMS;

/// The most entities of a gather.
pub const PICKS: usize = 128;
/// The most addresses of a gather, all fields together.
pub const MOST_ROWS: usize = 512;
/// Places behind the last of either, for what is written eight at a time.
pub const SPARE: usize = 8;
/// The most entities that a walk looks ahead for a run: those of one region.
pub const LOOK_AHEAD: u32 = 16384;

/// Where an iteration stands. It refers to nothing, so it can be copied and left.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Cursor {
    /// The next index to look at, behind the run under way.
    pub index: u32,
    /// Indices from here on are not this iteration's: a multiple of 64.
    pub end: u32,
    /// Where to begin anew if something has changed: behind the batch's last entity.
    pub resume: u32,
    /// The most entities to look ahead for: little after a change, when much of it may be in vain.
    pub limit: u32,
    /// Not 0: only runs are handed out.
    pub runs_only: u32,
    /// Entities left of the run under way, behind the batch.
    pub left: u32,
    /// The optional ones of the tracked pools that nobody of the run is in, a bit for each.
    pub absent: u64,
    /// Where the run under way goes on, in each tracked pool.
    pub positions: [u32; TERMS + 1],
    /// Its next index, where there is no lead.
    pub next: u32,
    /// The next run of a kept query's memory; `PLAIN` if it isn't used.
    pub run: u32,
}

impl Cursor {
    /// What a query remembers isn't used: matches are looked for.
    pub const PLAIN: u32 = u32::MAX;

    /// One that hasn't begun.
    pub const NONE: Self = Self {
        index: 0,
        end: 0,
        resume: 0,
        limit: 0,
        runs_only: 0,
        left: 0,
        absent: 0,
        positions: [0; TERMS + 1],
        next: 0,
        run: 0,
    };

    /// Stands before the first. Positions are written before they are read.
    pub const fn begin(&mut self, first: u32, end: u32, runs_only: bool) {
        self.index = first;
        self.end = end;
        self.resume = first;
        self.limit = LOOK_AHEAD;
        self.runs_only = runs_only as u32;
        self.left = 0;
        self.absent = 0;
        self.next = 0;
        self.run = Self::PLAIN;
    }

    /// Whether nothing is left to look at.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.left == 0 && self.index >= self.end && self.run == Self::PLAIN
    }

    /// Begins anew at an index, because something has changed; looks ahead less if that may be often.
    pub fn begin_anew(&mut self, index: u32, often: bool) {
        self.index = index;
        self.resume = index;
        self.left = 0;
        self.limit = if often { 4 } else { self.limit };
        self.run = Self::PLAIN;
    }
}

/// A batch, in the caller's memory.
pub struct Fields<'a> {
    /// Of a run: each field's first element; null: nobody has it, or it has no data.
    pub data: &'a mut [*mut u8; TERMS],
    /// Of a gather: each field's addresses, from its offset on.
    pub rows: &'a mut [*mut u8; MOST_ROWS + SPARE],
    /// Of a gather: where each field's addresses begin.
    pub offsets: &'a mut [u16; TERMS],
    /// Of a gather: the entities' indices.
    pub picks: &'a mut [u32; PICKS + SPARE],
    /// Of a run: its first entity. Of a gather: the first of all entities.
    pub entities: *const u8,
    /// How many.
    pub count: u32,
    /// Whether it is a gather.
    pub gather: bool,
}
