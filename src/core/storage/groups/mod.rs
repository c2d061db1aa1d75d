//! Groups: entities that have some components and don't have others, kept up to date by every change.
//!
//! ```text
//!   a group that owns P and V, and looks at M        members come first in P and V, in one order
//!
//!     P   [ b d a | c e ]        b, d, a have P, V and M
//!     V   [ b d a | f ]          what is behind them has no order
//!     M   [ a x d b y ]          not owned: looked up
//!
//!   a group that owns nothing has a list of its own
//!
//!     list [ b d a | g ]         g has all components that it asks for, but also one that it excludes: it
//!                                needs no memory to become a member
//! ```
//!
//! **Families.** Groups that own the same pools must be nested: the terms of one contain those of the
//! other, so that its members are members of the other too. It is the *inner* one. Groups that are so
//! connected, directly or through others, are a family, which is a chain. Each keeps this:
//!
//! ```text
//!   inner owns P, V, M     outer owns P, V
//!
//!     P   [ b d | a | c e ]         inner's members come first in each pool that it or an outer one
//!     V   [ b d | a | f ]           owns, in one order; then those of the next, and so on
//!     M   [ b d | x y ]
//! ```
//!
//! So who joins a group is put behind its last member, in all these pools alike; who leaves is put in the
//! last one's place. To join, go from the outermost inwards; to leave, from the innermost outwards.

mod family;
mod members;
mod sort;

use super::buffer::Buffer;
use super::list::List;
use super::memory::Memory;
use super::order::Order;
use super::pool::claims::Part;
use super::pools::Pools;
use super::slice::Array;
use crate::core::error::{Entries, Error, Kind};
use crate::core::ids::{Handle, Layout};
use core::ops::Range;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most terms of a group.
pub const MOST: usize = 32;

/// No group.
const NONE: u32 = u32::MAX;

/// All pools, where a pool's number is meant that somebody loses at once.
pub const ALL: u32 = u32::MAX - 1;
/// The same, but others leave groups before.
pub const ALL_SOON: u32 = u32::MAX - 2;

/// What moved in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Somebody became its last member.
    Join,
    /// The member at a position left: the last one, at the other, took its place.
    Leave(u32, u32),
    /// Two members changed places, the lower position first.
    Swap(u32, u32),
    /// All left.
    Empty,
}

/// How many steps are kept.
const STEPS: usize = 16;

/// A group.
pub struct Group<L: Layout> {
    /// Its number, which no other has.
    pub serial: u32,
    /// The numbers of its pools: owned, included, excluded.
    pools: Array<u32, MOST>,
    owned: usize,
    /// Owned and included.
    required: usize,
    terms: usize,
    /// Members.
    count: u32,
    /// Who has all that is required, members first; if it owns nothing.
    list: List<L>,
    /// The pools whose order it makes: its own, and those of outer groups of its family.
    moves: Array<u32, MOST>,
    moved: usize,
    /// The next group that hears of who is destroyed by the same pool: see `Pool::first_told`.
    next_told: u32,
    /// The next outer group of its family.
    outer: u32,
    family: u32,
    /// Where groups are made and ended: whether it is of a family that this is about.
    is_concerned: bool,
    /// The number of the last step when the latest iteration began.
    latest_start: AtomicU64,
    /// Of who left or changed places after this step, the lowest position.
    streak_from: u64,
    streak_low: u32,
    /// The last step that was `Empty`.
    last_empty: u64,
    /// A ring of the last steps; `changes` counts all there ever were.
    steps: [Step; STEPS],
    changes: u64,
    /// Iterations that began before this change can't go on.
    floor: u64,
    /// The order that it is kept in, and the component that is compared.
    kept: Option<(Order, Handle)>,
}

/// What a group is made of.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// Members have these, and come first in them.
    pub owned: &'a [Handle],
    /// Members have these.
    pub included: &'a [Handle],
    /// Members don't have these.
    pub excluded: &'a [Handle],
}

impl<'a> Terms<'a> {
    /// All of them.
    #[must_use]
    pub const fn parts(&self) -> [(&'a [Handle], Entries); 3] {
        [(self.owned, Entries::OWNED), (self.included, Entries::INCLUDED), (self.excluded, Entries::EXCLUDED)]
    }
}

/// Whether a number is among others: a call, as `contains` is a loop by eights wherever it stands.
#[inline(never)]
fn is_among(numbers: &[u32], number: u32) -> bool {
    numbers.contains(&number)
}

/// What is known of a group.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Details {
    pub serial: u32,
    pub count: u32,
    pub owned: u32,
    pub included: u32,
    pub excluded: u32,
    pub bytes: u64,
    pub ids: [Handle; MOST],
}

impl<L: Layout> Group<L> {
    /// How many members it has.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The numbers of the pools it owns.
    #[must_use]
    pub fn owned(&self) -> &[u32] {
        &self.pools[..self.owned]
    }

    fn required(&self) -> &[u32] {
        &self.pools[..self.required]
    }

    fn excluded(&self) -> &[u32] {
        &self.pools[self.required..self.terms]
    }

    fn moves(&self) -> &[u32] {
        &self.moves[..self.moved]
    }

    /// Those that ask for less come first.
    const fn rank(&self) -> u64 {
        (self.terms as u64) << 32 | self.serial as u64
    }

    /// The number of its last step.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// The change before which no iteration may have begun.
    #[must_use]
    pub const fn floor(&self) -> u64 {
        self.floor
    }

    /// Inlined, so that a step isn't passed by its address: reading it there in one piece right after it was written in
    /// several lets the processor wait for all that was written before.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    fn note(&mut self, step: Step) {
        self.steps[(self.changes % STEPS as u64) as usize] = step;
        self.changes += 1;
        match step {
            Step::Join => {}
            Step::Leave(low, _) | Step::Swap(low, _) => {
                let latest_start = *self.latest_start.get_mut();
                if self.streak_from < latest_start {
                    (self.streak_from, self.streak_low) = (latest_start, u32::MAX);
                }
                self.streak_low = self.streak_low.min(low);
            }
            Step::Empty => self.last_empty = self.changes,
        }
    }

    /// Begins an iteration: returns the number of the last step. Many threads may, at once: they write the
    /// same number.
    pub fn start(&self) -> u64 {
        if self.latest_start.load(Relaxed) != self.changes {
            self.latest_start.store(self.changes, Relaxed);
        }
        self.changes
    }

    /// Whether all that happened after a step is that some joined, and some left or changed places, as a group inside had them
    /// do, whose positions were not below `position`: however many they were.
    #[must_use]
    pub const fn only_left_above(&self, step: u64, position: u32) -> bool {
        let whole = step >= self.floor && step >= self.streak_from && step >= self.last_empty;
        whole && self.streak_low >= position
    }

    /// Ends running iterations.
    fn end_iterations(&mut self) {
        self.changes += 1;
        self.floor = self.changes;
    }

    /// The steps after a change; None if they aren't known any longer.
    #[allow(clippy::cast_possible_truncation)]
    pub fn steps_since(&self, change: u64) -> Option<impl Iterator<Item = Step> + '_> {
        let known = change >= self.floor && change <= self.changes && self.changes - change <= STEPS as u64;
        known.then(|| (change..self.changes).map(|number| self.steps[(number % STEPS as u64) as usize]))
    }

    /// Where an entity is in it, if it is a member.
    #[must_use]
    pub fn position(&self, pools: &Pools<L>, entity: Handle) -> Option<u32> {
        let position = match self.owned().first() {
            Some(lead) => pools.get(*lead).and_then(|pool| pool.position(entity)),
            None => self.list.position(entity),
        };
        position.filter(|position| *position < self.count)
    }

    /// The member at a position.
    #[must_use]
    pub fn entity(&self, pools: &Pools<L>, position: u32) -> Handle {
        match self.owned().first() {
            Some(lead) => pools.get(*lead).map_or(0, |pool| pool.entity(position)),
            None => self.list.entity(position),
        }
    }

    /// The member at a position of a group that owns nothing.
    #[inline]
    #[must_use]
    pub fn list_entity(&self, position: u32) -> Handle {
        self.list.entity(position)
    }

    /// The members' memory from a position on.
    #[must_use]
    pub fn entities_at(&self, pools: &Pools<L>, position: u32) -> *const u8 {
        match self.owned().first() {
            Some(lead) => pools.get(*lead).map_or(core::ptr::null(), |pool| pool.entities_at(position)),
            None => self.list.entities_at(position),
        }
    }

    /// The positions around one whose members lie side by side, in each pool that it owns.
    #[must_use]
    pub fn page(&self, pools: &Pools<L>, position: u32) -> Range<u32> {
        let pages =
            self.owned().iter().filter_map(|number| Some(pools.get(*number)?.packed().page(position)));
        let common = |a: Range<u32>, b: Range<u32>| a.start.max(b.start)..a.end.min(b.end);
        pages.reduce(common).unwrap_or_else(|| self.list.page(position))
    }

    /// The pools of its owned and included components, in the order of its terms.
    pub fn fields(&self) -> &[u32] {
        self.required()
    }
}

/// The groups of a world.
pub struct Groups<L: Layout> {
    all: Buffer<Option<NonNull<Group<L>>>>,
    /// The numbers of the groups in `all`; 0 where there is none.
    serials: Buffer<u32>,
    count: u32,
    /// How many of them have a list.
    lists: u32,
}

impl<L: Layout> Default for Groups<L> {
    fn default() -> Self {
        Self { all: Buffer::new(), serials: Buffer::new(), count: 0, lists: 0 }
    }
}

impl<L: Layout> Groups<L> {
    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.count
    }

    /// Whether one of them has a list: who comes to it may take memory.
    #[inline(always)]
    #[must_use]
    pub const fn are_listed(&self) -> bool {
        self.lists > 0
    }

    /// A group by its place.
    #[inline]
    #[must_use]
    pub fn get(&self, place: u32) -> Option<&Group<L>> {
        let at = self.all.get(place as usize).copied().flatten()?;
        // SAFETY: places hold living groups, owned by this.
        Some(unsafe { at.as_ref() })
    }

    /// A group by its place.
    #[inline]
    pub fn get_mut(&mut self, place: u32) -> Option<&mut Group<L>> {
        let mut at = self.all.get(place as usize).copied().flatten()?;
        // SAFETY: as above, and borrowed for as long as this is.
        Some(unsafe { at.as_mut() })
    }

    /// All groups.
    pub fn iter(&self) -> impl Iterator<Item = &Group<L>> {
        // SAFETY: as above.
        self.all.iter().flatten().map(|at| unsafe { at.as_ref() })
    }

    #[allow(clippy::cast_possible_truncation)]
    fn places(&self) -> u32 {
        self.all.len() as u32
    }

    /// The place of a group by its number.
    #[allow(clippy::cast_possible_truncation)]
    pub fn find(&self, serial: u32) -> Result<u32, Error> {
        let found = self.serials.iter().position(|other| *other == serial && serial != 0);
        found.map(|place| place as u32).ok_or(Error::new(Kind::Group).about(serial.into()))
    }

    /// A group by its number.
    pub fn by_serial(&self, serial: u32) -> Result<&Group<L>, Error> {
        let missing = Error::new(Kind::Group).about(serial.into());
        self.get(self.find(serial)?).ok_or(missing)
    }

    /// What is known of a group.
    #[allow(clippy::cast_possible_truncation)]
    pub fn details(&self, pools: &Pools<L>, serial: u32) -> Result<Details, Error> {
        let group = self.by_serial(serial)?;
        let mut ids = [0; MOST];
        for (id, number) in ids.iter_mut().zip(&group.pools[..group.terms]) {
            *id = pools.get(*number).map_or(0, |pool| pool.id);
        }
        Ok(Details {
            serial,
            count: group.count,
            owned: group.owned as u32,
            included: (group.required - group.owned) as u32,
            excluded: (group.terms - group.required) as u32,
            bytes: (size_of::<Group<L>>() + group.list.bytes()) as u64,
            ids,
        })
    }

    /// The error that a component's pool is owned by a group.
    #[must_use]
    pub fn owned(&self, pools: &Pools<L>, id: Handle) -> Option<Error> {
        let owner = pools.by_id(id)?.owner()?;
        let serial = self.get(owner).map_or(0, |group| group.serial);
        Some(Error::new(Kind::Owned).about(id).with(serial.into(), 0))
    }

    /// Ok if no group has a component as a term.
    pub fn check_unused(&self, pools: &Pools<L>, id: Handle) -> Result<(), Error> {
        let watch = pools.by_id(id).and_then(|pool| pool.watches().first());
        watch.map_or(Ok(()), |watch| {
            let serial = self.get(watch.group).map_or(0, |group| group.serial);
            Err(Error::new(Kind::Grouped).about(id).with(serial.into(), 0))
        })
    }

    /// Whether a group that changes the order of the one pool excludes the other.
    #[inline(never)] // The same code for both layouts.
    #[must_use]
    pub fn move_without(&self, moved: u32, excluded: u32) -> bool {
        self.iter().any(|group| is_among(group.moves(), moved) && is_among(group.excluded(), excluded))
    }

    /// Gives back spare capacity.
    pub fn shrink(&mut self, memory: &mut Memory) {
        for place in 0..self.places() {
            if let Some(group) = self.get_mut(place) {
                group.list.shrink(memory);
                group.end_iterations();
            }
        }
    }

    /// Ends running iterations of groups that own a pool: its elements were moved elsewhere.
    pub fn end_iterations(&mut self, number: u32) {
        self.for_each(|group| {
            if is_among(group.owned(), number) {
                group.end_iterations();
            }
        });
    }

    /// Ends all groups.
    pub fn free(&mut self, memory: &mut Memory) {
        for place in 0..self.places() {
            self.drop_group(memory, place);
        }
        self.all.free(memory);
        self.serials.free(memory);
    }

    /// Takes memory for one more group.
    fn take_place(&mut self, memory: &mut Memory) -> Result<NonNull<Group<L>>, Error> {
        self.all.reserve(memory, 1)?;
        self.serials.reserve(memory, 1)?;
        Ok(memory.take(size_of::<Group<L>>(), align_of::<Group<L>>())?.cast())
    }

    /// Puts a group in its memory and in a place of its own.
    fn put_group(&mut self, at: NonNull<Group<L>>, group: Group<L>) -> u32 {
        let place = self.all.iter().position(Option::is_none).unwrap_or(self.all.len());
        if place == self.all.len() {
            self.all.push_reserved(None);
            self.serials.push_reserved(0);
        }
        self.serials[place] = group.serial;
        self.lists += u32::from(group.owned == 0);
        // SAFETY: memory from `take_place`, which nobody else uses.
        unsafe { at.write(group) };
        self.all[place] = Some(at);
        self.count += 1;
        #[allow(clippy::cast_possible_truncation)]
        {
            place as u32
        }
    }

    fn drop_group(&mut self, memory: &mut Memory, place: u32) {
        let Some(mut at) = self.all[place as usize].take() else { return };
        self.serials[place as usize] = 0;
        self.count -= 1;
        // SAFETY: made by `put_group`; it is forgotten.
        unsafe {
            self.lists -= u32::from(at.as_ref().owned == 0);
            at.as_mut().list.free(memory);
            memory.give(at.cast(), size_of::<Group<L>>(), align_of::<Group<L>>());
        }
    }

    /// Whether somebody has what a part of a group's terms asks for: `number` counts as asked for is.
    fn is_filled(pools: &Pools<L>, required: &[u32], entity: Handle, but: u32) -> bool {
        required.iter().all(|number| *number == but || Self::sees(pools, *number, entity))
    }

    fn is_free(pools: &Pools<L>, excluded: &[u32], entity: Handle, but: u32) -> bool {
        excluded.iter().all(|number| *number == but || !Self::sees(pools, *number, entity))
    }

    /// Whether an entity has a component, and it is enabled.
    #[inline(never)]
    fn sees(pools: &Pools<L>, number: u32, entity: Handle) -> bool {
        pools.get(number).is_some_and(|pool| pool.shows(entity))
    }

    /// How a group is made: the part of each term.
    const fn part(group: &Group<L>, term: usize) -> Part {
        if term < group.owned {
            Part::Owned
        } else if term < group.required {
            Part::Included
        } else {
            Part::Excluded
        }
    }
}
