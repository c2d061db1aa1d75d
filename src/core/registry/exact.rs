//! Creating exactly the handle that is asked for: for saves and netcode.
//!
//! A dead slot knows the next one, not the one before, which must lead past it when it goes. Who is far from the head is
//! looked for along the list; on the way it is noted for each slot which one leads to it. What was noted may be old, but a look at
//! the slot it names tells: so it need not be kept up by those who create and destroy.
//!
//! ```text
//!   head -> 7 -> 2 -> 9 -> 4        before[2] = 7   before[9] = 2   before[4] = 9
//!
//!   create_at(9):   2 leads to 9: so it goes     head -> 7 -> 2 -> 4    before[4] = 2
//! ```

use super::{Overflow, Recycling, Registry};
use crate::core::error::{Error, Kind};
use crate::core::ids::{self, Handle, Layout, Word};
use crate::core::storage::memory::Memory;

/// So many dead slots are looked through as fast as what was noted of them is remembered.
const NEAR: u32 = 64;

impl<L: Layout> Registry<L> {
    /// Whether exactly this handle can be created.
    pub fn check_free(&self, handle: Handle) -> Result<(), Error> {
        if let Some(error) = ids::classify::<L>(handle, self.rules.stamp) {
            return Err(error);
        }
        let (index, generation) = (L::index(handle), L::generation(handle));
        if index < self.rules.reserved {
            return Err(Error::new(Kind::Reserved).about(handle).with(self.rules.reserved.into(), 0));
        }
        if generation == 0 {
            return Err(Error::new(Kind::NeverCreated).about(handle));
        }
        if index >= self.rules.most {
            return Err(Error::new(Kind::Full).about(self.rules.most.into()).with(1, handle));
        }
        let Some(word) = self.words.get(index as usize) else { return Ok(()) };
        let now = L::generation(word.handle());
        if u64::from(now) == L::TOMBSTONE {
            Err(Error::new(Kind::Retired).about(handle))
        } else if self.lives_at(index) {
            Err(Error::new(Kind::Occupied).about(handle).with(word.handle(), 0))
        } else if generation < now && self.rules.overflow == Overflow::Retire {
            Err(Error::new(Kind::Dead).about(handle).with(now.into(), 0))
        } else {
            Ok(())
        }
    }

    /// How many slots there must be for these.
    fn top(handles: &[Handle]) -> u32 {
        handles.iter().map(|h| L::index(*h)).max().map_or(0, |top| top + 1)
    }

    /// Makes room for exactly these.
    pub fn reserve_at(&mut self, memory: &mut Memory, handles: &[Handle]) -> Result<(), Error> {
        self.reserve_slots(memory, Self::top(handles) as usize)?;
        // For many at once it would not be worth it.
        if self.entities.count > NEAR && handles.len() <= NEAR as usize {
            let more = self.words.len().saturating_sub(self.before.len());
            // Without memory for it nothing is noted.
            if self.before.reserve(memory, more).is_ok() {
                self.before.fill_reserved(more, L::NO_INDEX);
            }
        }
        Ok(())
    }

    /// Creates exactly these, for which `check_free` holds, which are all different, and for which
    /// there is room. Slots that are skipped become free ones, the lowest first.
    pub fn create_at(&mut self, handles: &[Handle]) {
        #[allow(clippy::cast_possible_truncation)]
        let (top, fresh) = (Self::top(handles), self.words.len() as u32);
        self.extend(top);
        self.unlink(handles, fresh);
        for handle in handles {
            self.words[L::index(*handle) as usize] = L::Word::from_handle(*handle);
        }
        // Gaps become free slots, the lowest to be used first.
        for step in fresh..top {
            let index = match self.rules.recycling {
                Recycling::Fifo => step,
                Recycling::Lifo => top - 1 - (step - fresh),
            };
            if !self.lives_at(index) {
                self.link(index, 1);
            }
        }
    }

    /// Takes the dead slots of these handles, those below `fresh`, out of the list, wherever they are in it. A slot that goes
    /// when it is met is marked by a tombstone, which no other slot of the list has.
    fn unlink(&mut self, handles: &[Handle], fresh: u32) {
        let mut wanted = 0_u32;
        for index in handles.iter().map(|handle| L::index(*handle)).filter(|index| *index < fresh) {
            // Who was the head before it still leads to it, until it gets its handle.
            let is_head = index == self.entities.head;
            let before = if is_head { None } else { self.known_before(index) };
            if is_head || before.is_some() {
                self.take_out(before, index);
                continue;
            }
            let link = L::index(self.words[index as usize].handle());
            #[allow(clippy::cast_possible_truncation)]
            self.set(index, L::pack(link, L::TOMBSTONE as u32));
            wanted += 1;
        }
        let (mut kept, mut at, mut steps) = (None, self.entities.head, 0);
        let end = self.entities.count;
        // Who had to go far goes on to the end: then all is noted.
        while steps < end && (wanted > 0 || steps > NEAR && !self.before.is_empty()) {
            let word = self.words[at as usize].handle();
            if u64::from(L::generation(word)) == L::TOMBSTONE {
                wanted -= 1;
                self.take_out(kept, at);
            } else {
                self.note_before(L::index(word), at);
                kept = Some(at);
            }
            (at, steps) = (L::index(word), steps + 1);
        }
    }

    /// The dead slot that leads to another one, if what was noted is so still.
    pub(super) fn known_before(&self, index: u32) -> Option<u32> {
        let before = *self.before.get(index as usize)?;
        let word = self.words.get(before as usize)?.handle();
        (L::index(word) == index && before != index).then_some(before)
    }

    pub(super) fn note_before(&mut self, index: u32, before: u32) {
        if let Some(place) = self.before.get_mut(index as usize) {
            *place = before;
        }
    }

    /// Takes a slot out of the list, to which another one leads, or the list's head.
    #[inline(never)]
    fn take_out(&mut self, before: Option<u32>, index: u32) {
        let next = L::index(self.words[index as usize].handle());
        self.relink(before, next);
        if self.entities.tail == index {
            self.entities.tail = before.unwrap_or_default();
        }
        self.entities.count -= 1;
        before.into_iter().for_each(|before| self.note_before(next, before));
    }

    /// Lets the slot `from`, or the list's head, lead to `to`.
    pub(super) fn relink(&mut self, from: Option<u32>, to: u32) {
        match from {
            None => self.entities.head = to,
            Some(index) => {
                let generation = L::generation(self.words[index as usize].handle());
                self.set(index, L::pack(to, generation));
            }
        }
    }
}
