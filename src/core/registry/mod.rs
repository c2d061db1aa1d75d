//! The registry: the only authority on who lives (M83).
//!
//! One array of identifiers holds the living and the dead (M8, M9). A living slot stores its own
//! full identifier; a dead one stores the next dead index and its own generation, already raised, so
//! that the dead form a list without any memory of their own (000, M10 to M16).
//!
//! ```text
//!   index     0       1       2       3       4
//!   word    [0|1]   [4|2]   [2|1]   [N|T]   [N|3]        head = 1, count = 2
//!            lives    |      lives  retired    ^  the last one's link is unspecified (null here)
//!                     +------------------------+
//! ```
//!
//! The first `reserved` indices are for components (M39), which have a list of their own, so that
//! neither kind shifts the other's ids.

mod exact;
mod marks;

use super::error::{Error, Kind};
use super::ids::{self, Handle, Layout, Word};
use super::storage::buffer::{Buffer, number};
use super::storage::memory::Memory;
use core::iter::from_fn;

/// Which dead slot is used next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recycling {
    /// The last one.
    Lifo,
    /// The first one.
    Fifo,
}

/// What happens to a slot whose generations are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Never used again.
    Retire,
    /// Back to generation 1.
    Wrap,
}

/// How a registry is made.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Which dead slot is used next.
    pub recycling: Recycling,
    /// What happens at the last generation.
    pub overflow: Overflow,
    /// Indices for components.
    pub reserved: u32,
    /// The largest number of slots.
    pub most: u32,
    /// What the world's number adds to each handle.
    pub stamp: u64,
}

/// A list of dead slots inside the array.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Dead {
    /// The first one; null if there is none, as the last one's link is.
    head: u32,
    tail: u32,
    count: u32,
}

/// What was never used at some moment: indices from these on. A generation of 1 doesn't tell where generations wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fresh {
    slots: u32,
    components: u32,
}

/// Who lives.
#[repr(C)]
pub struct Registry<L: Layout> {
    words: Buffer<L::Word>,
    entities: Dead,
    /// Indices from here on are put on their list in front: all but the reserved ones, or none.
    lifo_from: u32,
    retired: u32,
    /// The next component index that was never used.
    next_component: u32,
    components: Dead,
    rules: Rules,
    /// For each slot, one that led to it when the dead were looked through: see `exact`.
    before: Buffer<u32>,
}

impl<L: Layout> Registry<L> {
    /// Nobody yet.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        let none = Dead { head: L::NO_INDEX, tail: L::NO_INDEX, count: 0 };
        Self {
            words: Buffer::new(),
            rules,
            entities: none,
            components: none,
            lifo_from: if rules.recycling == Recycling::Lifo { rules.reserved } else { u32::MAX },
            next_component: 0,
            retired: 0,
            before: Buffer::new(),
        }
    }

    /// The living: slots that somebody had, and that are neither dead nor used up.
    #[must_use]
    pub fn alive(&self) -> u32 {
        self.used().saturating_sub(self.rules.reserved) + self.next_component - self.dead() - self.retired
    }

    /// Slots that wait to be used again.
    #[must_use]
    pub const fn dead(&self) -> u32 {
        self.entities.count + self.components.count
    }

    /// Slots that are used up.
    #[must_use]
    pub const fn retired(&self) -> u32 {
        self.retired
    }

    /// Entities that fit without asking for memory.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn capacity(&self) -> u32 {
        self.words.capacity().saturating_sub(self.rules.reserved as usize) as u32
    }

    /// Indices from here on were nobody's yet.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn used(&self) -> u32 {
        self.words.len() as u32
    }

    /// The same when so many more were created.
    #[must_use]
    pub fn end_after(&self, more: u32) -> u32 {
        self.used().saturating_add(more.saturating_sub(self.entities.count))
    }

    /// Slots that fit without asking for memory.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub const fn slots(&self) -> u32 {
        self.words.capacity() as u32
    }

    /// Indices below are for components.
    #[must_use]
    pub const fn reserved(&self) -> u32 {
        self.rules.reserved
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.words.bytes() + self.before.bytes()
    }

    #[inline(always)]
    fn set(&mut self, index: u32, bare: u64) {
        self.words[index as usize] = L::Word::from_handle(bare | self.rules.stamp);
    }

    #[inline(always)]
    fn lives_at(&self, index: u32) -> bool {
        L::index(self.words[index as usize].handle()) == index
    }

    /// Whether a handle is of one who lives: its slot stores exactly it (M15, M75).
    #[inline(always)]
    #[must_use]
    pub fn is_alive(&self, handle: Handle) -> bool {
        self.words.get(L::index(handle) as usize).is_some_and(|word| word.handle() == handle)
    }

    /// Ok if the handle's owner lives, else why not (M61, M62, M67). A call.
    #[inline(never)]
    pub fn check(&self, handle: Handle) -> Result<(), Error> {
        if self.is_alive(handle) { Ok(()) } else { Err(self.why(handle)) }
    }

    /// The same where it is asked often: no call for who lives.
    #[inline(always)]
    pub fn check_fast(&self, handle: Handle) -> Result<(), Error> {
        if self.is_alive(handle) { Ok(()) } else { self.check(handle) }
    }

    /// The same of one who is meant as something else than the entity of a call: a relation, a target, a parent.
    #[inline]
    pub fn check_as(&self, noun: &'static str, handle: Handle) -> Result<(), Error> {
        self.check_fast(handle).map_err(|error| error.named(noun))
    }

    #[cold]
    fn why(&self, handle: Handle) -> Error {
        if let Some(error) = ids::classify::<L>(handle, self.rules.stamp) {
            return error;
        }
        let (index, generation) = (L::index(handle), L::generation(handle));
        let never = Error::new(Kind::NeverCreated).about(handle);
        let Some(word) = self.words.get(index as usize).filter(|_| !self.is_kept(index)) else {
            return never;
        };
        let now = L::generation(word.handle());
        let dead = Error::new(Kind::Dead).about(handle).with(now.into(), self.lives_at(index).into());
        if u64::from(now) == L::TOMBSTONE {
            return Error::new(Kind::Retired).about(handle);
        }
        match self.rules.overflow {
            Overflow::Retire if generation == 0 || generation >= now => never,
            // Of generations that wrap, only the one that comes next is surely still to come.
            Overflow::Wrap if generation == 0 || generation == now => never,
            _ => dead,
        }
    }

    /// Whether an index is kept for a component that is to come.
    fn is_kept(&self, index: u32) -> bool {
        (self.next_component..self.rules.reserved).contains(&index)
    }

    /// The generation a slot is at; a dead one's is the next entity's (M76).
    pub fn generation(&self, index: u32) -> Result<u32, Error> {
        if self.is_kept(index) {
            return Err(Error::unfit("index is one that is kept for a component, and that none had yet"));
        }
        // Components have the first, then entities.
        let first = if self.next_component > 0 { 0 } else { self.rules.reserved };
        let last = self.words.len().saturating_sub(1).max(first as usize) as u64;
        let none = Error::range("index, of a slot that was used,", index.into(), first.into(), last);
        let word = self.words.get(index as usize).ok_or(none)?;
        let generation = L::generation(word.handle());
        if u64::from(generation) == L::TOMBSTONE {
            return Err(Error::new(Kind::Retired).about(self.rules.stamp | L::pack(index, generation)));
        }
        Ok(generation)
    }

    /// Makes sure that `more` entities can be created without memory, and that so many may exist.
    pub fn reserve(&mut self, memory: &mut Memory, more: u32) -> Result<(), Error> {
        let fresh = more.saturating_sub(self.entities.count);
        if fresh == 0 { Ok(()) } else { self.reserve_fresh(memory, fresh) }
    }

    /// Whether so many more may exist. Asks for no memory.
    pub fn check_room(&self, more: u32) -> Result<(), Error> {
        let fresh = more.saturating_sub(self.entities.count) as usize;
        let len = self.words.len().max(self.rules.reserved as usize);
        let left = self.rules.most as usize - len;
        if fresh <= left {
            return Ok(());
        }
        // Had nothing been retired, would there be room?
        let kind = if fresh <= left + self.retired as usize { Kind::Exhausted } else { Kind::Full };
        Err(Error::new(kind).about(self.rules.most.into()).with(more.into(), 0))
    }

    /// The largest number of slots.
    #[must_use]
    pub const fn most(&self) -> u32 {
        self.rules.most
    }

    fn reserve_fresh(&mut self, memory: &mut Memory, fresh: u32) -> Result<(), Error> {
        self.check_room(self.entities.count.saturating_add(fresh))?;
        let len = self.words.len().max(self.rules.reserved as usize);
        self.reserve_slots(memory, len + fresh as usize)
    }

    /// Memory for so many slots, and never for more than there can be. With the first memory all slots of the reserved
    /// range are made: where there is room for one more, it is an entity's.
    fn reserve_slots(&mut self, memory: &mut Memory, slots: usize) -> Result<(), Error> {
        let more = slots.max(self.rules.reserved as usize).saturating_sub(self.words.len());
        self.words.reserve_within(memory, more, self.rules.most as usize)?;
        self.extend(self.rules.reserved);
        Ok(())
    }

    /// Room for exactly `entities` living at once, the reserved range on top.
    pub fn reserve_total(
        &mut self,
        memory: &mut Memory,
        entities: u32,
        name: &'static str,
    ) -> Result<(), Error> {
        let total = u64::from(entities) + u64::from(self.rules.reserved);
        if total > self.rules.most.into() {
            let most = self.rules.most - self.rules.reserved;
            return Err(Error::count(name, entities.into(), most.into()));
        }
        #[allow(clippy::cast_possible_truncation)]
        self.words.reserve_exact(memory, total as usize)?;
        self.extend(self.rules.reserved);
        Ok(())
    }

    /// Slots up to `len` that nobody ever had. Room was reserved.
    fn extend(&mut self, len: u32) {
        let more = (len as usize).saturating_sub(self.words.len());
        let never = L::Word::from_handle(self.rules.stamp | L::pack(L::NO_INDEX, 1));
        self.words.extend_reserved((0..more).map(|_| never));
    }

    /// Creates an entity (M3, M4, M71).
    #[inline(always)]
    pub fn create(&mut self, memory: &mut Memory) -> Result<Handle, Error> {
        if self.entities.count == 0 {
            return self.create_fresh(memory);
        }
        Ok(self.revive())
    }

    /// Creates an entity if that needs no memory. Indices that nobody had yet are below `end`.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    pub fn create_quickly(&mut self, end: u32) -> Option<Handle> {
        let head = self.entities.head;
        // Null, where nobody is dead, is the index of no word.
        if let Some(word) = self.words.get_mut(head as usize) {
            let dead = word.handle();
            let handle = dead & !L::NULL | u64::from(head);
            self.entities.head = L::index(dead);
            *word = L::Word::from_handle(handle);
            self.entities.count -= 1;
            return Some(handle);
        }
        let index = self.words.len() as u32;
        if index >= end {
            return None;
        }
        let handle = self.rules.stamp | L::pack(index, 1);
        self.words.push_if_room(L::Word::from_handle(handle)).then_some(handle)
    }

    /// Takes the head of the list (M12, M13).
    #[inline(always)]
    fn revive(&mut self) -> Handle {
        let index = self.entities.head;
        let word = self.words[index as usize].handle();
        self.entities.head = L::index(word);
        self.entities.count -= 1;
        let bare = L::pack(index, L::generation(word));
        self.set(index, bare);
        bare | self.rules.stamp
    }

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    fn create_fresh(&mut self, memory: &mut Memory) -> Result<Handle, Error> {
        if self.words.capacity() == self.words.len() {
            self.reserve_fresh(memory, 1)?;
        }
        let index = self.words.len() as u32;
        let handle = self.rules.stamp | L::pack(index, 1);
        self.words.push_reserved(L::Word::from_handle(handle));
        Ok(handle)
    }

    /// Creates as many as `out` holds; room was reserved.
    #[allow(clippy::cast_possible_truncation)]
    pub fn create_reserved(&mut self, out: &mut [Handle]) {
        let (old, fresh) = out.split_at_mut(out.len().min(self.entities.count as usize));
        for handle in old {
            *handle = self.revive();
        }
        if fresh.is_empty() {
            return;
        }
        let first = self.rules.stamp | L::pack(self.words.len() as u32, 1);
        number(fresh, first, |next| next);
        self.words.number_reserved(fresh.len(), first, L::Word::from_handle);
    }

    /// What was never used until now: an undoing asks for it.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn fresh(&self) -> Fresh {
        Fresh { slots: self.words.len() as u32, components: self.next_component }
    }

    /// Undoes the creation of these, which were created last, in order, when `fresh` was that: nothing can tell
    /// afterwards.
    pub fn undo_create(&mut self, created: &[Handle], fresh: Fresh) {
        for handle in created.iter().rev() {
            let (index, generation) = (L::index(*handle), L::generation(*handle));
            if index >= fresh.slots {
                self.words.truncate(index as usize);
                continue;
            }
            let link = self.entities.head;
            if self.entities.count == 0 {
                self.entities.tail = index;
            }
            self.set(index, L::pack(link, generation));
            self.entities.head = index;
            self.entities.count += 1;
        }
    }

    /// Makes sure that a component's entity can be created without memory.
    pub fn reserve_component(&mut self, memory: &mut Memory) -> Result<(), Error> {
        if self.components.count > 0 {
            Ok(())
        } else if self.next_component == self.rules.reserved {
            self.reserve(memory, 1)
        } else {
            self.reserve_slots(memory, 0)
        }
    }

    /// Creates a component's entity: in the reserved range while it has room.
    pub fn create_component(&mut self, memory: &mut Memory) -> Result<Handle, Error> {
        if self.components.count > 0 {
            core::mem::swap(&mut self.entities, &mut self.components);
            let handle = self.revive();
            core::mem::swap(&mut self.entities, &mut self.components);
            return Ok(handle);
        }
        if self.next_component == self.rules.reserved {
            return self.create(memory);
        }
        let index = self.next_component;
        if self.words.len() <= index as usize {
            self.reserve_slots(memory, 0)?;
        }
        self.next_component += 1;
        let bare = L::pack(index, 1);
        self.set(index, bare);
        Ok(bare | self.rules.stamp)
    }

    /// Undoes the creation of a component's entity, which was the last change, when `fresh` was that.
    pub fn undo_create_component(&mut self, handle: Handle, fresh: Fresh) {
        let index = L::index(handle);
        if index >= self.rules.reserved {
            return self.undo_create(&[handle], fresh);
        }
        if index >= fresh.components {
            self.next_component = index;
            return self.set(index, L::pack(L::NO_INDEX, 1));
        }
        core::mem::swap(&mut self.entities, &mut self.components);
        self.undo_create(&[handle], Fresh { slots: self.rules.reserved, ..fresh });
        core::mem::swap(&mut self.entities, &mut self.components);
    }

    /// Destroys one who lives: raises the generation, links the slot into its list (M5, M12, M65).
    #[inline(always)]
    pub fn destroy(&mut self, handle: Handle) {
        debug_assert!(self.is_alive(handle));
        let index = L::index(handle);
        let next = (handle | L::NULL) + 1;
        let retires = u64::from(L::generation(handle)) == L::TOMBSTONE - 1;
        if retires || index < self.lifo_from {
            return self.destroy_specially(handle);
        }
        if let Some(word) = self.words.get_mut(index as usize) {
            *word = L::Word::from_handle(next | u64::from(self.entities.head));
        }
        self.entities.head = index;
        self.entities.count += 1;
    }

    /// Whether several end from the last to the first, so that their slots are used again in the order of the array: what is
    /// made next lies in memory as these did.
    pub fn ends_backward(&self) -> bool {
        self.rules.recycling == Recycling::Lifo
    }

    /// Several, in the order in which they are to end.
    pub fn in_ending_order<'a>(&self, handles: &'a [Handle]) -> impl Iterator<Item = Handle> + use<'a, L> {
        let (backward, mut left) = (self.ends_backward(), handles.iter());
        from_fn(move || if backward { left.next_back() } else { left.next() }.copied())
    }

    /// Destroys many who live.
    #[inline(never)] // Where more is done in the same function it takes an eighth longer.
    pub fn destroy_all(&mut self, handles: &[Handle]) {
        // In that order, too: a loop each, as one for both takes an eighth longer again.
        if self.ends_backward() {
            handles.iter().rev().for_each(|handle| self.destroy(*handle));
        } else {
            handles.iter().for_each(|handle| self.destroy_specially(*handle));
        }
    }

    #[cold]
    #[inline(never)]
    fn destroy_specially(&mut self, handle: Handle) {
        let index = L::index(handle);
        let mut next = u64::from(L::generation(handle)) + 1;
        if next == L::TOMBSTONE {
            match self.rules.overflow {
                // M38: a slot that can't tell its entities apart any longer is not used again.
                Overflow::Retire => {
                    self.retired += 1;
                    #[allow(clippy::cast_possible_truncation)]
                    return self.set(index, L::pack(L::NO_INDEX, L::TOMBSTONE as u32));
                }
                Overflow::Wrap => next = 1,
            }
        }
        #[allow(clippy::cast_possible_truncation)]
        self.link(index, next as u32);
    }

    fn link(&mut self, index: u32, generation: u32) {
        let lifo = self.rules.recycling == Recycling::Lifo;
        let component = index < self.rules.reserved;
        let dead = if component { &mut self.components } else { &mut self.entities };
        let mut link = L::NO_INDEX;
        let mut last = None;
        if dead.count == 0 {
            dead.head = index;
            dead.tail = index;
        } else if lifo {
            link = core::mem::replace(&mut dead.head, index);
        } else {
            last = Some(core::mem::replace(&mut dead.tail, index));
        }
        dead.count += 1;
        self.set(index, L::pack(link, generation));
        if let Some(last) = last {
            self.relink(Some(last), index);
            self.note_before(index, last);
        }
    }

    /// Lets the dead be used again in the order of their indices, where else the last one would come first.
    pub fn sort_dead(&mut self) {
        if self.rules.recycling == Recycling::Fifo {
            return;
        }
        let mut next = L::NO_INDEX;
        for index in (self.rules.reserved..self.used()).rev() {
            let generation = L::generation(self.words[index as usize].handle());
            if !self.lives_at(index) && u64::from(generation) != L::TOMBSTONE {
                self.set(index, L::pack(next, generation));
                next = index;
            }
        }
        self.entities.head = next;
    }

    /// Writes the living from index `first` on, as many as fit. Returns how many, and where to go on.
    #[allow(clippy::cast_possible_truncation)]
    pub fn living(&self, first: u32, out: &mut [Handle]) -> (u32, u32) {
        let mut written = 0;
        // The reserved range is made whole, maybe before anybody is: a failed creation may have done that.
        let reserved = self.rules.reserved as usize;
        let end = if self.words.len() == reserved { self.next_component as usize } else { self.words.len() };
        let words = self.words.get(first as usize..end).unwrap_or(&[]);
        for (index, word) in (first..u32::MAX).zip(words) {
            let Some(place) = out.get_mut(written) else { return (written as u32, index) };
            if L::index(word.handle()) == index {
                *place = word.handle();
                written += 1;
            }
        }
        (written as u32, u32::MAX)
    }

    /// Who lives at an index.
    #[must_use]
    pub fn at(&self, index: u32) -> Option<Handle> {
        let word = self.words.get(index as usize)?.handle();
        (L::index(word) == index).then_some(word)
    }

    /// The word of an index: the entity there, if one lives.
    #[inline(always)]
    #[must_use]
    pub fn word(&self, index: u32) -> Option<Handle> {
        self.words.get(index as usize).map(|word| word.handle())
    }

    /// All words: where index 0 is.
    #[inline(always)]
    #[must_use]
    pub fn words_at(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    /// Where the word of an index is that has one.
    #[must_use]
    pub fn word_at(&self, index: u32) -> *const u8 {
        self.words.get(index as usize).map_or(core::ptr::null(), |word| core::ptr::from_ref(word).cast())
    }

    /// The first who lives at index `first` or above.
    #[allow(clippy::cast_possible_truncation)]
    #[must_use]
    pub fn next_living(&self, first: u32) -> Option<Handle> {
        (first as usize..self.words.len())
            .find(|index| self.lives_at(*index as u32))
            .map(|index| self.words[index].handle())
    }

    /// Gives back spare capacity.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.words.shrink(memory);
        self.before.free(memory);
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        self.words.free(memory);
        self.before.free(memory);
    }
}

#[cfg(test)]
mod tests;
