//! Creating exactly the handle that is asked for: for saves and netcode.

use super::{Overflow, Recycling, Registry};
use crate::core::error::{Error, Kind};
use crate::core::ids::{self, Handle, Layout, Word};
use crate::core::storage::memory::Memory;

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
        self.reserve_slots(memory, Self::top(handles) as usize)
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

    /// Takes the dead slots of these handles, those below `fresh`, out of the list, wherever they are
    /// in it. A slot that goes is marked by a tombstone, which no other slot of the list has.
    fn unlink(&mut self, handles: &[Handle], fresh: u32) {
        let mut wanted = 0_u32;
        for index in handles.iter().map(|handle| L::index(*handle)).filter(|index| *index < fresh) {
            let link = L::index(self.words[index as usize].handle());
            #[allow(clippy::cast_possible_truncation)]
            self.set(index, L::pack(link, L::TOMBSTONE as u32));
            wanted += 1;
        }
        let (mut kept, mut at) = (None, self.entities.head);
        let mut left = self.entities.count;
        self.entities.count -= wanted;
        while wanted > 0 && left > 0 {
            let word = self.words[at as usize].handle();
            let goes = u64::from(L::generation(word)) == L::TOMBSTONE;
            let next = L::index(word);
            left -= 1;
            if goes {
                wanted -= 1;
                self.relink(kept, next);
                if left == 0 {
                    self.entities.tail = kept.unwrap_or_default();
                }
            } else {
                kept = Some(at);
            }
            at = next;
        }
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
