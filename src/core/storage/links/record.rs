//! Records: all that have one pair.

use super::NONE;
use crate::core::ids::Handle;
use crate::core::storage::buffer::Buffer;
use crate::core::storage::memory::Memory;
use crate::core::storage::paged::Item;
use crate::core::storage::slice::check;
use crate::core::storage::slots::Slot;

/// One who has a pair, in the pair's record.
#[derive(Clone, Copy)]
pub(super) struct Holder {
    /// `NONE`: a gap.
    pub(super) link: u32,
    /// The entity's index; of a gap, the next gap.
    pub(super) index: u32,
    /// Its link's number among all that were ever made.
    pub(super) born: u32,
}

/// All that have one pair.
pub(super) struct Record {
    pub(super) id: Handle,
    /// The relation's number, or `NONE` for what is added without one.
    pub(super) relation: u32,
    pub(super) target: Handle,
    /// The number of the component whose type the values have, or `NONE`.
    pub(super) values: u32,
    /// It has no values, and its relation brings nothing with it: who gets it gets a link, and that is all.
    pub(super) plain: bool,
    pub(super) holders: Buffer<Holder>,
    pub(super) count: u32,
    pub(super) gap: u32,
    /// Its number among all that were ever made.
    pub(super) serial: u32,
    /// `Links::changes` when somebody got it or lost it last.
    pub(super) changed: u64,
    /// The others that aim at the target.
    pub(super) next: u32,
    pub(super) previous: u32,
    /// The others of the relation.
    pub(super) next_related: u32,
    pub(super) previous_related: u32,
}

impl Item for Record {
    const EMPTY: Self = Self {
        id: 0,
        relation: NONE,
        target: 0,
        values: NONE,
        plain: false,
        holders: Buffer::new(),
        count: 0,
        gap: NONE,
        serial: 0,
        changed: 0,
        next: NONE,
        previous: NONE,
        next_related: NONE,
        previous_related: NONE,
    };
}

impl Slot for Record {
    fn next_free(&mut self) -> &mut u32 {
        &mut self.next
    }
}

impl Record {
    /// Puts a holder where there is room: into a gap, or at the end. Returns where.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn put(&mut self, holder: Holder) -> u32 {
        self.count += 1;
        if self.gap == NONE {
            let place = self.holders.len() as u32;
            // Inlined, unlike `push_reserved`: a call would read these twelve bytes before they are all written.
            check(self.holders.push_if_room(holder));
            place
        } else {
            let place = self.gap;
            self.gap = core::mem::replace(&mut self.holders[place as usize], holder).index;
            place
        }
    }

    /// Takes out the holder at a place, which becomes a gap. When nobody is left all gaps are forgotten, which whoever looks for
    /// holders passes over; who comes then is new to all iterations, at whatever place.
    #[inline(always)]
    pub(super) fn leave(&mut self, place: u32) {
        self.holders[place as usize] = Holder { link: NONE, index: self.gap, born: 0 };
        self.gap = place;
        self.count -= 1;
        if self.count == 0 {
            self.holders.truncate(0);
            self.gap = NONE;
        }
    }

    /// Gives back the gaps at the end; of those that are left, the first is filled first.
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn shrink(&mut self, memory: &mut Memory) {
        self.holders.shrink_to_used(memory, |holder| holder.link != NONE);
        self.gap = NONE;
        for (place, holder) in self.holders.iter_mut().enumerate().rev() {
            if holder.link == NONE {
                holder.index = core::mem::replace(&mut self.gap, place as u32);
            }
        }
    }
}
