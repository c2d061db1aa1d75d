//! Joins: who has these components and not those, 64 entities at a time.
//!
//! ```text
//!   Position   1111 0110 1011 ...      one bit for each of 64 neighbours (`sparse`)
//!   Velocity   1101 0111 0011 ...
//!   Frozen     0100 0000 0001 ...
//!   P & V & !F 1001 0110 0010 ...      the matches
//! ```
//!
//! Whoever matches is handed out in the order of indices, so that an iteration is nothing but the next
//! index to look at: whatever changes meanwhile, nobody is seen twice, and nobody who doesn't match.
//! Why: docs/design.md, "Queries". Hierarchical bit sets of joins are known from hibitset.

mod ahead;
mod batch;
mod few;
mod fill;
mod gather;
mod levels;
mod ordered;
mod scatter;
mod single;
#[cfg(test)]
mod tests;
mod view;
mod walk;
mod whole;

use super::buffer::Buffer;
use super::memory::Memory;
use super::pool::Pool;
use super::slice::{Array, insert};
use super::sparse;
use crate::core::error::Error;
use crate::core::ids::Layout;
use core::ptr::NonNull;

pub use batch::{Cursor, Fields, LITTLE, LOOK_AHEAD, MOST_ROWS, PICKS, Room, Rows, SPARE, further};
pub use few::{Left, NOBODY, place_any};
pub use levels::Level;
use whole::Whole;

/// The most terms of a join.
pub const TERMS: usize = 32;

/// What a term asks of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// It has the component.
    With,
    /// It doesn't.
    Without,
    /// Either; the element is handed out if it has.
    Optional,
    /// It has one of those with the same number.
    AnyOf(u8),
}

impl Ask {
    /// Where pools of such terms stand: with, without, any-of by group, optional.
    const fn place(self) -> u16 {
        match self {
            Self::With => 0,
            Self::Without => 1,
            Self::AnyOf(group) => 2 + group as u16,
            Self::Optional => 2 + 1 + u8::MAX as u16,
        }
    }

    /// Whether somebody may match who has what a term asks for, or hasn't.
    #[inline(always)]
    #[must_use]
    pub const fn allows(self, there: bool) -> bool {
        match self {
            Self::Without => !there,
            Self::Optional => true,
            Self::With | Self::AnyOf(_) => there,
        }
    }

    const fn group(self) -> Option<u8> {
        if let Self::AnyOf(group) = self { Some(group) } else { None }
    }
}

/// A term: a pool, what is asked, and whether elements are wanted.
#[derive(Clone, Copy)]
pub struct Term<L: Layout> {
    /// Where the pool is.
    pub pool: NonNull<Pool<L>>,
    /// What is asked.
    pub ask: Ask,
    /// Whether elements are handed out, as the field of this number.
    pub field: Option<u8>,
}

/// The terms of a join that is being made, sorted by what they ask.
pub struct Terms<L: Layout> {
    terms: Array<Term<L>, TERMS>,
    count: usize,
}

impl<L: Layout> Terms<L> {
    /// None yet.
    #[must_use]
    pub const fn none() -> Self {
        let none = Term { pool: NonNull::dangling(), ask: Ask::With, field: None };
        Self { terms: Array([none; TERMS]), count: 0 }
    }

    /// Adds one, of `TERMS` at most: behind those that ask the same.
    pub fn add(&mut self, term: Term<L>) {
        let goes_behind = |other: &Term<L>| other.ask.place() > term.ask.place();
        let at = self.iter().position(goes_behind).unwrap_or(self.count);
        self.count += 1;
        insert(&mut self.terms[..self.count], at, term);
    }

    fn iter(&self) -> core::slice::Iter<'_, Term<L>> {
        self.terms[..self.count].iter()
    }
}

/// A pool whose elements are handed out, or whose entities are.
#[derive(Clone, Copy)]
struct Tracked {
    /// Its place among the pools.
    pool: u8,
    /// Its field; `NO_FIELD` if only entities are wanted of it.
    field: u8,
    /// Everybody who matches has it.
    required: bool,
}

const NO_FIELD: u8 = u8::MAX;

/// Terms, sorted by what they ask. It refers to pools, which must outlive it: the world ends the
/// joins of a component before its pool.
///
/// ```text
///   pools    [ with ... | without ... | any-of, by group ... | optional ... ]
/// ```
pub struct Join<L: Layout> {
    pools: Buffer<NonNull<Pool<L>>>,
    with: u8,
    without: u8,
    /// The groups of the any-of terms, in order.
    any: Buffer<u8>,
    /// The first is the lead, from which entities are read, if there is a with-term.
    tracked: Buffer<Tracked>,
    /// Which fields are handed out, a bit for each.
    handed_out: u32,
    /// What is asked beyond the pools whose elements are handed out: to be in one of those of the with-terms, a bit for each; all
    /// bits, if any other term asks for something.
    asked: u64,
    /// How many rows each field has in a gather.
    rows: u16,
    /// Whether every with-term is tracked, so that a look at the tracked ones is a look at all.
    all_tracked: bool,
    level: Level,
    whole: Whole,
}

impl<L: Layout> Join<L> {
    /// A join without terms.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        Self {
            pools: Buffer::new(),
            with: 0,
            without: 0,
            any: Buffer::new(),
            tracked: Buffer::new(),
            handed_out: 0,
            asked: 0,
            rows: 0,
            all_tracked: false,
            level,
            whole: Whole::unknown(),
        }
    }

    /// Takes its terms; or fails, and is good for nothing but to be freed.
    pub fn take(&mut self, memory: &mut Memory, terms: &Terms<L>) -> Result<(), Error> {
        let with = |term: &&Term<L>| term.ask == Ask::With;
        let groups = || terms.iter().filter_map(|term| term.ask.group());
        self.pools.reserve_exact(memory, terms.count)?;
        self.tracked.reserve_exact(memory, terms.count + 1)?;
        self.any.reserve_exact(memory, groups().count())?;
        // The lead is a pool whose elements are wanted anyway, so that nothing else is read for entities, if there is one.
        let is_wanted = |term: &Term<L>| term.field.is_some();
        if terms.iter().next().is_some_and(|first| with(&first)) && !terms.iter().filter(with).any(is_wanted)
        {
            self.tracked.push_reserved(Tracked { pool: 0, field: NO_FIELD, required: true });
        }
        for (pool, term) in (0..).zip(terms.iter()) {
            let required = with(&term);
            self.pools.push_reserved(term.pool);
            self.with += u8::from(required);
            self.without += u8::from(term.ask == Ask::Without);
            if let Some(field) = term.field {
                self.tracked.push_reserved(Tracked { pool, field, required });
                self.handed_out |= 1 << field;
            } else if required {
                self.asked |= 1 << pool;
            }
        }
        groups().for_each(|group| self.any.push_reserved(group));
        if self.without > 0 || !self.any.is_empty() {
            self.asked = u64::MAX;
        }
        let required = self.tracked.iter().filter(|tracked| tracked.required).count();
        self.all_tracked = required == self.with.into();
        let lead_only = self.tracked.first().is_some_and(|lead| lead.field == NO_FIELD);
        let fields = self.tracked.len() - usize::from(lead_only);
        #[allow(clippy::cast_possible_truncation)]
        {
            self.rows = if fields <= MOST_ROWS / PICKS { PICKS } else { MOST_ROWS / fields } as u16;
        }
        Ok(())
    }

    /// Gives back its memory.
    pub fn free(&mut self, memory: &mut Memory) {
        (self.with, self.without) = (0, 0);
        self.pools.free(memory);
        self.any.free(memory);
        self.tracked.free(memory);
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.pools.bytes() + self.any.bytes() + self.tracked.bytes()
    }

    /// The pool of this number, of those that there are.
    #[inline(always)]
    fn pool(&self, number: usize) -> &Pool<L> {
        debug_assert!(number < self.pools.len());
        // SAFETY: the numbers that a join keeps and counts are those of its pools. The world ends joins before the pools they refer to, and nobody
        // writes to a pool while a join reads.
        unsafe { self.pools.get_unchecked(number).as_ref() }
    }

    /// The pools of the with-terms, those of the without-terms, and those of the any-of terms.
    fn ranges(&self) -> [core::ops::Range<usize>; 3] {
        let with = self.with as usize;
        let without = with + self.without as usize;
        [0..with, with..without, without..without + self.any.len()]
    }

    /// Whether more is asked of members of the pool `but` than to be in all pools whose elements are handed out.
    #[inline(always)]
    fn asks_more(&self, but: usize) -> bool {
        self.asked & !(1 << but) != 0
    }

    /// Whether entities are read from a pool: there is a with-term.
    #[must_use]
    pub const fn has_lead(&self) -> bool {
        self.with > 0
    }

    /// The index of who is at a position of the pool that entities are read from.
    #[must_use]
    pub fn lead_index(&self, position: u32) -> u32 {
        self.tracked.first().map_or(0, |lead| L::index(self.pool(lead.pool.into()).entity(position)))
    }

    /// Pools that a run's positions are known of.
    #[must_use]
    pub fn tracked(&self) -> usize {
        self.tracked.len()
    }

    /// A number that changes when a pool of the terms does.
    #[must_use]
    pub fn stamp(&self) -> u64 {
        (0..self.pools.len()).map(|number| self.pool(number).changes()).sum()
    }

    /// A number that changes when somebody joins or leaves a pool of the terms.
    #[must_use]
    pub fn member_stamp(&self) -> u64 {
        (0..self.pools.len()).map(|number| self.pool(number).member_changes()).sum()
    }

    /// Whether runs of the matches are runs of a pool, too.
    #[must_use]
    pub fn runs_along(&self, pool: u32) -> bool {
        self.tracked.iter().any(|it| it.required && self.pool(it.pool.into()).number == pool)
    }

    /// How many rows each field has in a gather.
    #[inline(always)]
    fn rows_per_field(&self) -> usize {
        self.rows.into()
    }

    /// The fields that are handed out, and where each one's addresses begin in a gather that has `rows` for each.
    #[inline(always)]
    fn places(&self, rows: usize) -> impl Iterator<Item = (&Tracked, usize)> {
        let handed_out = self.tracked.iter().filter(|tracked| tracked.field != NO_FIELD);
        handed_out.zip((0..).step_by(rows))
    }

    /// The first index that can't match, nor any behind it: a multiple of 64.
    #[inline(never)]
    #[must_use]
    pub fn end(&self) -> u32 {
        let [with, _, any] = self.ranges();
        let of = |number| self.pool(number).sparse().end();
        if with.is_empty() {
            any.fold(0, |end, number| end.max(of(number)))
        } else {
            with.fold(u32::MAX, |end, number| end.min(of(number)))
        }
    }

    /// The pages in the region of an index that may hold matches.
    #[inline(always)]
    fn real_pages(&self, index: u32) -> u64 {
        let [with, _, any] = self.ranges();
        let of = |number| self.pool(number).sparse().real_pages(index);
        if with.is_empty() {
            any.map(of).fold(0, |all, pages| all | pages)
        } else {
            with.map(of).fold(u64::MAX, |all, pages| all & pages)
        }
    }

    /// The first index from `index` on whose page may hold matches; `end` if there is none before it.
    #[inline(never)]
    fn next_page(&self, index: u32, end: u32) -> u32 {
        sparse::next_page(index, end, |index| self.real_pages(index))
    }

    /// Whether a with-term's pool is empty, so that nobody can match.
    #[must_use]
    pub fn is_vacant(&self) -> bool {
        let [mut with, ..] = self.ranges();
        with.any(|number| self.pool(number).is_empty())
    }

    /// The first index that matches, from `index` on.
    #[must_use]
    pub fn first(&self, index: u32) -> Option<u32> {
        if self.is_vacant() { None } else { walk::first(self, index, self.end()) }
    }

    /// How many match. Only if more than one pool has a say in it, somebody needs to be looked at.
    #[must_use]
    pub fn count_all(&self) -> u32 {
        let [with, without, any] = self.ranges();
        let alone = with.len() == 1 && without.is_empty() && any.is_empty();
        match self.is_vacant() {
            true => 0,
            false if alone => self.pool(0).shown_count(),
            false => self.count(0, self.end()),
        }
    }

    /// The matches among 64 neighbours; `members` says who of them is in which pool.
    #[inline(always)]
    fn mask_by(&self, members: impl Fn(usize) -> u64) -> u64 {
        let [with, without, any] = self.ranges();
        let mut mask = with.fold(u64::MAX, |mask, number| mask & members(number));
        if !any.is_empty() {
            mask &= self.any_by(&members);
        }
        without.fold(mask, |mask, number| mask & !members(number))
    }

    /// Who of them is in a pool of each any-of group.
    fn any_by(&self, members: impl Fn(usize) -> u64) -> u64 {
        let [_, _, any] = self.ranges();
        let (mut mask, mut some, mut now) = (u64::MAX, 0, self.any.first().copied());
        for (number, group) in any.zip(self.any.iter().copied()) {
            if Some(group) != now {
                mask &= some;
                (some, now) = (0, Some(group));
            }
            some |= members(number);
        }
        mask & some
    }

    /// The matches among the 64 neighbours of an index.
    #[inline(always)]
    fn mask(&self, index: u32) -> u64 {
        self.mask_by(|number| self.pool(number).sparse().page(index).members(index))
    }

    /// The same of any index.
    #[must_use]
    pub fn matches_around(&self, index: u32) -> u64 {
        if index < self.end() { self.mask(index) } else { 0 }
    }

    /// Whether an entity matches, who lives.
    #[must_use]
    pub fn matches(&self, index: u32) -> bool {
        self.matches_around(index) >> (index % 64) & 1 != 0
    }

    /// The same where the join may ask for nobody to be in any pool: then all match.
    #[inline(never)]
    #[must_use]
    pub fn fits(&self, index: u32) -> bool {
        self.mask(index) >> (index % 64) & 1 != 0
    }
}
