//! Who has a say in a pool: groups that watch its members, and who owns its order.
//!
//! ```text
//!   stable addresses   before   an owning group   before   a kept sort   before   optimising
//! ```
//!
//! A pool without claims has no memory for them, and one that no group watches takes the short way as
//! ever. In a watched pool `is_quiet` is false and `limit` 0, so that who comes takes the careful
//! way, which tells the groups; and so it is where somebody listens (`listening`).

use super::{MOVES, Move, NOT_PLAIN, Pool, if_small};
use crate::core::error::Error;
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout};
use crate::core::storage::buffer::Buffer;
use crate::core::storage::memory::Memory;
use crate::core::storage::order::Order;
use crate::core::storage::page::Page;
use core::ptr::NonNull;

/// What a pool is to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Members have it, and come first in it.
    Owned,
    /// Members have it.
    Included,
    /// Members don't have it.
    Excluded,
}

/// A group that has the pool as a term.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// Its place among the groups.
    pub group: u32,
    /// What the pool is to it.
    pub part: Part,
    /// Less for groups that ask for less: those come first.
    pub rank: u64,
}

/// The group that owns a pool, if no other watches it, and it neither lies in another one nor excludes anybody: it alone
/// decides who joins.
#[derive(Clone, Copy)]
pub struct Lone {
    /// Its place among the groups, where nothing is if there is no such group.
    pub group: u32,
    /// The other pool, if it owns two and asks for no more, as most do: else no pool has that number.
    pub partner: u32,
}

impl Lone {
    /// There is none.
    pub const NONE: Self = Self { group: u32::MAX, partner: u32::MAX };
}

/// Two elements that a group swapped; or several such pairs, of each of which the lower one left the pool next.
#[derive(Clone, Copy, Debug)]
pub struct Swap {
    /// The number of the change; of several the last.
    pub change: u64,
    /// The lower position; of several the lowest.
    pub low: u32,
    /// The higher position; of several the last one's.
    pub high: u32,
    /// The ones that were at the lower positions left the pool.
    pub leaves: bool,
}

/// How many swaps are kept.
const SWAPS: usize = 16;

/// Groups that watch, the last swaps, and a kept sort.
pub struct Claims {
    watches: Buffer<Watch>,
    /// A ring; `swapped` counts all there ever were.
    swaps: [Swap; SWAPS],
    swapped: u64,
    /// The change of the last swap that is not kept any longer.
    lost: u64,
    kept: Option<Order>,
}

impl Claims {
    /// Keeps a swap. Of those in a row that only made way for a removal, since the latest iteration began, one
    /// is kept: a loop that takes out what it visits makes many.
    #[allow(clippy::cast_possible_truncation)]
    fn note(&mut self, swap: Swap, latest_start: u64) {
        let last = (self.swapped.wrapping_sub(1) % SWAPS as u64) as usize;
        let last = &mut self.swaps[last];
        if swap.leaves && last.leaves && last.change > latest_start {
            *last = Swap { low: last.low.min(swap.low), ..swap };
            return;
        }
        let place = (self.swapped % SWAPS as u64) as usize;
        self.lost = self.swaps[place].change;
        self.swaps[place] = swap;
        self.swapped += 1;
    }
}

impl<L: Layout> Pool<L> {
    fn claims(&self) -> Option<&Claims> {
        // SAFETY: made by `reserve_claims`, owned by this, and forgotten when given back.
        self.claims.map(|at| unsafe { at.as_ref() })
    }

    fn claims_mut(&mut self) -> Option<&mut Claims> {
        // SAFETY: as above, and borrowed for as long as this is.
        self.claims.map(|mut at| unsafe { at.as_mut() })
    }

    /// Makes room for one more claim, and for the element aside that changing the order takes.
    pub fn reserve_claims(&mut self, memory: &mut Memory) -> Result<(), Error> {
        self.reserve_spare(memory)?;
        if self.claims.is_none() {
            let at = memory.take(size_of::<Claims>(), align_of::<Claims>())?.cast();
            let none = Swap { change: 0, low: 0, high: 0, leaves: false };
            let claims =
                Claims { watches: Buffer::new(), swaps: [none; SWAPS], swapped: 0, lost: 0, kept: None };
            // SAFETY: new memory of that size and alignment.
            unsafe { at.write(claims) };
            self.claims = Some(at);
        }
        match self.claims_mut() {
            Some(claims) => claims.watches.reserve(memory, 1),
            None => Ok(()),
        }
    }

    /// Gives the memory of claims back if there are none.
    pub fn release_claims(&mut self, memory: &mut Memory) {
        if self.claims().is_some_and(|claims| claims.watches.is_empty() && claims.kept.is_none()) {
            self.free_claims(memory);
            self.free_spare(memory);
        }
    }

    /// Gives the memory of claims back.
    pub(super) fn free_claims(&mut self, memory: &mut Memory) {
        if let Some(mut at) = self.claims.take() {
            // SAFETY: as it was made; it is forgotten.
            unsafe {
                at.as_mut().watches.free(memory);
                memory.give(at.cast(), size_of::<Claims>(), align_of::<Claims>());
            }
        }
    }

    /// Bytes that claims hold.
    pub(super) fn claims_bytes(&self) -> usize {
        self.claims().map_or(0, |claims| claims.watches.bytes() + size_of::<Claims>())
    }

    /// Whether a group has it as a term.
    #[inline(always)]
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.claims.is_some() && !self.watches().is_empty()
    }

    /// Whether no group watches who comes, and nobody listens.
    #[inline(always)]
    #[must_use]
    pub const fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// The groups that have it as a term, those that ask for less first.
    #[inline]
    #[must_use]
    pub fn watches(&self) -> &[Watch] {
        self.claims().map_or(&[], |claims| &claims.watches)
    }

    /// The group that alone decides who joins.
    #[inline(always)]
    #[must_use]
    pub const fn lone(&self) -> Lone {
        self.lone
    }

    /// The first of the groups that hear by this pool of who is destroyed, or none: what they require, they hear by one pool.
    #[inline(always)]
    #[must_use]
    pub const fn first_told(&self) -> u32 {
        self.first_told
    }

    /// Says which those are, until another one watches, or one ends.
    pub const fn set_groups(&mut self, lone: Lone, first_told: u32) {
        (self.lone, self.first_told) = (lone, first_told);
    }

    /// A group that owns it.
    #[must_use]
    pub fn owner(&self) -> Option<u32> {
        self.watches().iter().find(|watch| watch.part == Part::Owned).map(|watch| watch.group)
    }

    /// Lets a group watch. Room was reserved.
    pub fn watch(&mut self, watch: Watch) {
        let place = self.watches().partition_point(|other| other.rank < watch.rank);
        if let Some(claims) = self.claims_mut() {
            claims.watches.insert_reserved(place, watch);
        }
        self.set_groups(Lone::NONE, u32::MAX);
        self.settle_plain();
    }

    /// Lets a group watch no longer.
    pub fn unwatch(&mut self, memory: &mut Memory, group: u32) {
        if let Some(claims) = self.claims_mut() {
            let at = claims.watches.iter().position(|watch| watch.group == group);
            at.map(|at| claims.watches.remove(at));
        }
        self.set_groups(Lone::NONE, u32::MAX);
        self.release_claims(memory);
        self.settle_plain();
    }

    /// Whether its elements are bytes that anybody may change follows from what it is.
    #[inline(never)]
    pub(super) fn settle_plain(&mut self) {
        self.is_quiet = !self.is_watched() && self.is_unheard(EventKind::Add);
        let plain = self.is_open() && self.lifecycle.is_bytes() && self.is_unheard(EventKind::Set);
        self.plain_size = if plain { self.shape.size } else { NOT_PLAIN };
        self.small_size = if_small(self.plain_size);
        let zeros = !self.is_builtin() && self.lifecycle.is_trivial();
        self.zero_size = if zeros { self.shape.size } else { NOT_PLAIN };
        self.find_tail();
    }

    /// The order that it is kept in.
    #[must_use]
    pub fn kept(&self) -> Option<Order> {
        self.claims().and_then(|claims| claims.kept)
    }

    /// Keeps an order, or none. Room was reserved.
    pub fn keep(&mut self, kept: Option<Order>) {
        if let Some(claims) = self.claims_mut() {
            claims.kept = kept;
        }
    }

    /// Lets a member change places with who is at position `to`, for a group; returns where it was, which isn't before that. None:
    /// it is no member.
    #[inline(always)]
    pub fn bring(&mut self, entity: Handle, to: u32) -> Option<u32> {
        let spot = self.spot_of_living(entity);
        let from = spot.position?;
        if from != to {
            self.bring_from(spot.page, entity, from, to);
        }
        Some(from)
    }

    /// The same for one whose page that is, at another position.
    #[inline(always)]
    fn bring_from(&mut self, mut page: NonNull<Page<L>>, entity: Handle, from: u32, to: u32) {
        let (_, up) = self.swap_places(to, from);
        // SAFETY: the page of a member is the pool's own, and nobody else borrows it.
        unsafe { page.as_mut() }.set(L::bare(entity), to);
        self.point(up, from);
        self.swapped(entity, to, from, false);
    }

    /// The same, if it is a member that isn't hidden; says whether it is.
    #[inline(always)]
    pub fn bring_shown(&mut self, entity: Handle, to: u32) -> bool {
        let spot = self.spot_of_living(entity);
        // SAFETY: pages are always initialised, and nothing writes meanwhile.
        let shown = unsafe { spot.page.as_ref() }.is_member(spot.index);
        if let Some(from) = spot.position.filter(|from| shown && *from != to) {
            self.bring_from(spot.page, entity, from, to);
        }
        shown
    }

    /// Swaps two elements for a group. `leaves`: the one at `low` leaves the pool next.
    #[inline(always)]
    pub fn exchange(&mut self, low: u32, high: u32, leaves: bool) {
        if low == high {
            return;
        }
        let down = self.swap_positions(low, high);
        self.swapped(down, low, high, leaves);
    }

    /// What is left to do when a group has swapped two elements, and that of an entity came down.
    #[inline(always)]
    fn swapped(&mut self, down: Handle, low: u32, high: u32, leaves: bool) {
        if self.is_iterated() {
            self.note_exchange(L::index(down), low, high, leaves);
        }
    }

    /// Remembers for iterations that the last change was such a swap, and whose element came down.
    #[inline(never)]
    fn note_exchange(&mut self, index: u32, low: u32, high: u32, leaves: bool) {
        let now = self.now();
        let change = now.change;
        // Who comes down is marked as who fills a gap is; who goes up is known by the swap.
        if self.sparse.member_page(index).mark_moved(index, &now) {
            self.moves[self.moved as usize % MOVES] = Move { change, from: high, index };
            self.moved = self.moved.wrapping_add(1);
        }
        if let Some(claims) = self.claims_mut() {
            claims.note(Swap { change, low, high, leaves }, now.latest_start);
        }
    }

    /// What groups swapped after a change, in order; None if that isn't known any longer.
    pub fn swaps_since(&self, change: u64) -> Option<impl Iterator<Item = Swap> + '_> {
        let claims = self.claims();
        if claims.is_some_and(|claims| claims.lost > change) {
            return None;
        }
        let total = claims.map_or(0, |claims| claims.swapped);
        #[allow(clippy::cast_possible_truncation)]
        let at = move |number: u64| claims.map(|claims| claims.swaps[(number % SWAPS as u64) as usize]);
        let kept = (total.saturating_sub(SWAPS as u64)..total).filter_map(at);
        Some(kept.filter(move |swap| swap.change > change))
    }
}
