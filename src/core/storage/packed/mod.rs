//! The packed half of a pool: elements and their entities, side by side in pages that never move, so
//! that growing copies nothing (M44, M45). Where they begin and end is said in `pages`.
//!
//! ```text
//!   one page, one allocation:   | element 0 | element 1 | ... | entity 0 | entity 1 | ... |
//! ```
//!
//! The first pages, none of them a large one, can be joined to one (`join`), or are one from the beginning where many
//! elements come at once, so that a run over them is one:
//!
//! ```text
//!   page         0 to 6             7       8 ...
//!   elements     32768           32768   32768
//!   entries     0 to 15, alike     16      17 ...
//! ```
//!
//! An entry keeps its page's address less that of the elements before it, so that `address + position * size` needs no
//! look at where the page begins.

mod grains;
mod pages;

use self::grains::{Grains, View};
use self::pages::{FIRST, SMALL_PAGES, WHOLE, end_of, entry_of, page_of, split_end, split_start, start_of};
use super::buffer::Buffer;
use super::memory::Memory;
use crate::core::error::Error;
use crate::core::ids::{Handle, Layout, Word};
use core::ops::Range;
use core::ptr::NonNull;

pub use self::pages::{LARGE, SMALL, after};

/// Pages of so many bytes begin where a line of the caches does.
const LONG: usize = 4096;
/// Bytes of a line of the caches.
const LINE: usize = 64;

/// Finds a page: both pointers are those of position 0, if the page reached so far.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry<W> {
    elements: *mut u8,
    entities: *mut W,
}

/// Where an element and its entity are.
#[derive(Clone, Copy)]
pub struct Place<W> {
    /// The element.
    pub element: *mut u8,
    /// Its entity.
    pub entity: *mut W,
}

/// The page at the end of what is in use: where adding and removing work, without looking for it.
/// Both pointers are those of position 0, as a page's are.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Tail<W> {
    elements: *mut u8,
    entities: *mut W,
    /// Its first position, and the one behind its last; equal if there is no page at all.
    pub start: u32,
    /// See `start`.
    pub end: u32,
}

impl<W> Tail<W> {
    /// Of nothing.
    pub const NONE: Self =
        Self { elements: core::ptr::null_mut(), entities: core::ptr::null_mut(), start: 0, end: 0 };

    /// The places of a position in it, for elements of that size.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, position: u32, size: usize) -> Place<W> {
        let element = self.elements.wrapping_add(position as usize * size);
        Place { element, entity: self.entity(position) }
    }

    /// Where the entity of a position in it is.
    #[inline(always)]
    #[must_use]
    pub fn entity(&self, position: u32) -> *mut W {
        debug_assert!(self.start <= position && position < self.end);
        self.entities.wrapping_add(position as usize)
    }
}

/// Where elements of the first pages are, as in their entries, for who looks up many positions in registers: lower
/// halves of the addresses, and upper halves.
///
/// ```text
///   places     0   1    2    3     4      5      6       7       8   ...  15
///   pages      0   0    1    2     3      4      5       6       7   ...  14
///   positions  0 - 15   16   64   256   1024   4096   16384   32768 ...         the first is there twice: so that the place is half an exponent
/// ```
#[derive(Clone, Copy)]
pub struct Near {
    /// Lower halves, by place.
    pub low: [u32; Self::PLACES],
    /// Upper halves.
    pub high: [u32; Self::PLACES],
}

impl Near {
    /// How many places.
    pub const PLACES: usize = 16;
    /// The place before those of large pages.
    pub const LAST_SMALL: u32 = SMALL_PAGES + 1;

    /// The end of the positions in the first so many places.
    const fn end(places: u32) -> u32 {
        (places - Self::LAST_SMALL) * LARGE
    }

    #[allow(clippy::cast_possible_truncation)]
    #[inline(never)]
    fn set(&mut self, page: u32, elements: *mut u8) {
        let address = elements as u64;
        let first = page as usize + usize::from(page > 0);
        for place in (first..page as usize + 2).filter(|place| *place < Self::PLACES) {
            self.low[place] = address as u32;
            self.high[place] = (address >> 32) as u32;
        }
    }
}

/// Pages to look positions up in.
#[derive(Clone, Copy)]
pub struct Lookup<'a, W> {
    entries: &'a [Entry<W>],
    grains: View<'a>,
    size: usize,
}

impl<W> Lookup<'_, W> {
    /// The table: pairs of addresses, of which the first is that of elements.
    #[inline(always)]
    #[must_use]
    pub const fn entries_at(&self) -> *const u8 {
        self.entries.as_ptr().cast()
    }

    /// Bytes of an element.
    #[inline(always)]
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The element at a position that has memory.
    ///
    /// # Safety
    /// The position must be below the capacity.
    #[inline(always)]
    #[must_use]
    pub unsafe fn element(&self, position: u32) -> *mut u8 {
        // SAFETY: the caller's promise.
        let first = unsafe { self.grains.find(position) };
        let first = if first.is_null() { first_of(self.entries, position) } else { first };
        first.wrapping_add(position as usize * self.size)
    }
}

/// Where the elements of a position's page would begin if it held all before: for grains that don't know.
#[cold]
#[inline(never)]
fn first_of<W>(entries: &[Entry<W>], position: u32) -> *mut u8 {
    entries.get(entry_of(position)).map_or(core::ptr::null_mut(), |entry| entry.elements)
}

/// Elements and entities by position.
#[repr(C)]
pub struct Packed<L: Layout> {
    size: usize,
    entries: Buffer<Entry<L::Word>>,
    grains: Grains,
    near: Near,
    align: usize,
    bytes: usize,
    capacity: u32,
    /// Positions below are in pages that were joined, or in a first one that is split; where a page begins.
    uneven: u32,
    /// The first page is split.
    split: bool,
}

impl<L: Layout> Packed<L> {
    /// For elements of that size and alignment.
    #[must_use]
    pub const fn new(size: usize, align: usize) -> Self {
        let near = Near { low: [0; Near::PLACES], high: [0; Near::PLACES] };
        let split = size > WHOLE;
        Self {
            entries: Buffer::new(),
            grains: Grains::new(split, size == 0),
            near,
            size,
            align,
            bytes: 0,
            capacity: 0,
            uneven: Self::uneven(split),
            split,
        }
    }

    /// Lets no element be found at once, from now on: not everybody may write to them.
    pub fn hide(&mut self) {
        self.grains.hide();
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes + self.entries.bytes() + self.grains.bytes()
    }

    /// Bytes of an element.
    #[inline(always)]
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Positions that have memory.
    #[inline(always)]
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Where the span around a position ends: the start of the next page.
    #[inline]
    #[must_use]
    pub const fn page_end(&self, position: u32) -> u32 {
        if position < self.uneven { self.uneven_end(position) } else { end_of(position) }
    }

    #[inline(always)]
    const fn uneven_end(&self, position: u32) -> u32 {
        if self.split { split_end(position) } else { self.uneven }
    }

    /// `uneven` before pages are joined.
    const fn uneven(split: bool) -> u32 {
        if split { FIRST } else { 0 }
    }

    /// Where the page of a position begins.
    #[must_use]
    pub const fn page_start(&self, position: u32) -> u32 {
        if position >= self.uneven {
            start_of(position)
        } else if self.split {
            split_start(position)
        } else {
            0
        }
    }

    /// The positions of its page.
    #[must_use]
    pub const fn page(&self, position: u32) -> Range<u32> {
        self.page_start(position)..self.page_end(position)
    }

    /// Size of the memory for so many elements, where their entities begin in it, and its alignment.
    #[inline(always)]
    fn shape(&self, count: u32) -> (usize, usize, usize) {
        // Where addresses have 32 bits it may be more than there is, which nobody gives.
        let elements = self.size.saturating_mul(count as usize);
        let entities = elements.checked_next_multiple_of(align_of::<L::Word>()).unwrap_or(usize::MAX);
        let bytes = entities.saturating_add(count as usize * size_of::<L::Word>());
        // A loop over an array that begins amid a line of the caches reads every other vector from two lines.
        let least = if bytes >= LONG { LINE } else { 16 };
        (bytes, entities, self.align.max(least))
    }

    /// Makes sure that positions below `count` have memory.
    #[inline]
    pub fn reserve(&mut self, memory: &mut Memory, count: u32) -> Result<(), Error> {
        while self.capacity() < count {
            self.add_page(memory, count)?;
        }
        Ok(())
    }

    /// Adds the next page. If it is the first, and it is known ahead that there will be more positions than it has, the first
    /// ones are joined from the beginning.
    #[cold]
    fn add_page(&mut self, memory: &mut Memory, count: u32) -> Result<(), Error> {
        let joins = self.capacity == 0 && count > self.page_end(1);
        let end = if joins { end_of(count.min(LARGE) - 1) } else { self.page_end(self.capacity) };
        let more = entry_of(end - 1) + 1 - self.entries.len();
        self.entries.reserve(memory, more)?;
        self.grains.reserve(memory, end)?;
        let entry = self.take(memory, self.capacity..end)?;
        self.entries.fill_reserved(more, entry);
        self.say(self.capacity..end, entry.elements);
        self.capacity = end;
        if joins {
            self.lie_joined(end);
        }
        Ok(())
    }

    /// Positions up to an end are in one page from now on.
    const fn lie_joined(&mut self, end: u32) {
        (self.uneven, self.split) = (end, false);
    }

    /// Says where the elements of a page are.
    fn say(&mut self, positions: Range<u32>, elements: *mut u8) {
        for page in page_of(positions.start)..=page_of(positions.end - 1) {
            self.near.set(page, elements);
        }
        self.grains.set(positions, elements);
    }

    /// Takes memory for positions; returns their entry.
    #[inline(never)]
    fn take(&mut self, memory: &mut Memory, positions: Range<u32>) -> Result<Entry<L::Word>, Error> {
        let (bytes, entities, align) = self.shape(positions.end - positions.start);
        let at = memory.take_page(bytes, align)?.as_ptr();
        self.bytes += bytes;
        let before = positions.start as usize;
        // The addresses may lie outside the allocation: they are only used with a position in it.
        Ok(Entry {
            elements: at.wrapping_sub(before * self.size),
            entities: at.wrapping_add(entities).cast::<L::Word>().wrapping_sub(before),
        })
    }

    /// Gives back the memory of positions that was taken for them.
    #[inline(never)]
    fn give(&mut self, memory: &mut Memory, positions: Range<u32>) {
        let (bytes, _, align) = self.shape(positions.end - positions.start);
        let at = self.element(positions.start);
        self.bytes -= bytes;
        // SAFETY: as it was taken in `take`, where it was not null; whoever calls this forgets it.
        unsafe { memory.give_page(NonNull::new_unchecked(at), bytes, align) };
    }

    /// Where the first pages would end if they were joined; None: there are no two, or they are joined.
    #[must_use]
    pub fn joins_to(&self) -> Option<u32> {
        let end = self.capacity.min(LARGE);
        // Of fewer large ones there isn't room for all of a first page.
        (end >= FIRST && end > self.page_end(0)).then_some(end)
    }

    /// Joins the first pages, of which `len` positions are in use; `relocate` moves elements, from an address to another, so
    /// many. Without memory all stays as it is.
    pub fn join(
        &mut self,
        memory: &mut Memory,
        len: u32,
        mut relocate: impl FnMut(*mut u8, *mut u8, u32),
    ) -> Result<(), Error> {
        let Some(end) = self.joins_to() else { return Ok(()) };
        let new = self.take(memory, 0..end)?;
        let mut first = 0;
        while first < end {
            let behind = self.page_end(first);
            let used = len.max(first).min(behind) - first;
            let (at, place) = (first as usize, self.place(first));
            relocate(new.elements.wrapping_add(at * self.size), place.element, used);
            // SAFETY: the entities of a page lie side by side and those in use were written; the new memory has room for them.
            unsafe { new.entities.add(at).copy_from_nonoverlapping(place.entity, used as usize) };
            self.give(memory, first..behind);
            first = behind;
        }
        self.entries[..=entry_of(end - 1)].fill(new);
        self.say(0..end, new.elements);
        self.lie_joined(end);
        Ok(())
    }

    /// The places of a position that has memory.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, position: u32) -> Place<L::Word> {
        self.place_of(position, self.size)
    }

    /// The same for who has the size of an element at hand.
    #[inline(always)]
    #[must_use]
    pub fn place_of(&self, position: u32, size: usize) -> Place<L::Word> {
        debug_assert!(position < self.capacity && size == self.size);
        // SAFETY: the pool passes positions below its length, which are below the capacity.
        let entry = unsafe { *self.entries.get_unchecked(entry_of(position)) };
        Place {
            element: entry.elements.wrapping_add(position as usize * size),
            entity: entry.entities.wrapping_add(position as usize),
        }
    }

    /// The page at the end of the first `len` positions: that of the next one, if it has memory.
    #[must_use]
    pub fn tail(&self, len: u32) -> Tail<L::Word> {
        let Some(last) = self.capacity.checked_sub(1) else { return Tail::NONE };
        let position = len.min(last);
        let Entry { elements, entities } = self.entries[entry_of(position)];
        Tail { elements, entities, start: self.page_start(position), end: self.page_end(position) }
    }

    /// Where the first pages are.
    #[inline(always)]
    #[must_use]
    pub const fn near(&self) -> &Near {
        &self.near
    }

    /// How many places hold all pages that there are: 8 or 16. 0: they have more, or the first one may be split.
    #[inline(always)]
    #[must_use]
    pub const fn places(&self) -> usize {
        if self.size > WHOLE {
            0
        } else if self.capacity <= Near::end(8) {
            8
        } else if self.capacity <= Near::end(16) {
            16
        } else {
            0
        }
    }

    /// For many lookups while nothing changes: what a loop needs, in a value of its own.
    #[inline(always)]
    #[must_use]
    pub fn lookup(&self) -> Lookup<'_, L::Word> {
        Lookup { entries: &self.entries, grains: self.grains.view(), size: self.size }
    }

    /// The element at a position that has memory.
    #[inline(never)]
    #[must_use]
    pub fn element(&self, position: u32) -> *mut u8 {
        self.place(position).element
    }

    /// The same, if its grain says where it is. Nothing has no place.
    #[inline(always)]
    #[must_use]
    pub fn element_at_once(&self, position: u32) -> Option<NonNull<u8>> {
        debug_assert!(position < self.capacity);
        // SAFETY: the pool passes positions below its length, which are below the capacity; elements that are there are
        // nowhere else than at an address.
        unsafe {
            let first = self.grains.find(position);
            (!first.is_null())
                .then(|| NonNull::new_unchecked(first.wrapping_add(position as usize * self.size)))
        }
    }

    /// The entity's place at a position that has memory.
    #[inline(always)]
    #[must_use]
    pub fn entity_at(&self, position: u32) -> *mut L::Word {
        self.place(position).entity
    }

    /// The entity at a position that was written.
    #[inline(always)]
    #[must_use]
    pub fn entity(&self, position: u32) -> Handle {
        // SAFETY: every position below the pool's length was written, and the pool passes no other.
        unsafe { self.entity_at(position).read() }.handle()
    }

    /// Writes the entity at a position that has memory.
    #[inline(always)]
    pub fn set_entity(&mut self, position: u32, word: L::Word) {
        // SAFETY: the pool passes positions below its length, which have memory; it is this one's own.
        unsafe { self.entity_at(position).write(word) };
    }

    /// The entities at positions that were written, as far as they lie in the page of the first.
    #[inline(never)]
    #[must_use]
    pub fn entities(&self, positions: Range<u32>) -> &[L::Word] {
        let end = positions.end.min(self.page_end(positions.start));
        if positions.start >= end {
            return &[];
        }
        // SAFETY: those of a page lie side by side, and were written.
        unsafe {
            core::slice::from_raw_parts(self.entity_at(positions.start), (end - positions.start) as usize)
        }
    }

    /// Writes the same at positions that have memory.
    pub fn fill(&mut self, positions: Range<u32>, word: L::Word) {
        let mut first = positions.start;
        while first < positions.end {
            let end = positions.end.min(self.page_end(first));
            let at = self.entity_at(first);
            for offset in 0..(end - first) as usize {
                // SAFETY: the entities of a page lie side by side; they are this one's own.
                unsafe { at.add(offset).write(word) };
            }
            first = end;
        }
    }

    /// The position whose element begins at an address, if one does.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn position_of(&self, element: *const u8) -> Option<u32> {
        let mut start = 0;
        while start < self.capacity {
            let end = self.page_end(start);
            let offset = (element as usize).wrapping_sub(self.element(start) as usize);
            let index = offset / self.size.max(1);
            if index < (end - start) as usize {
                let begins = offset.is_multiple_of(self.size.max(1));
                return begins.then(|| start + index as u32);
            }
            start = end;
        }
        None
    }

    /// Gives back the pages behind the first `count` positions.
    pub fn shrink(&mut self, memory: &mut Memory, count: u32) {
        while let Some(last) = self.capacity.checked_sub(1) {
            let first = self.page_start(last);
            if first < count {
                break;
            }
            self.give(memory, first..self.capacity);
            let entries = if first == 0 { 0 } else { entry_of(first) };
            self.entries.truncate(entries);
            self.capacity = first;
            if first == 0 {
                self.split = self.size > WHOLE;
                self.uneven = Self::uneven(self.split);
            }
        }
        self.entries.shrink(memory);
        let (entries, split) = (&self.entries, self.split);
        self.grains.shrink(memory, self.capacity, &|grain| {
            // Addresses don't tell: what lies in several pages may begin and end alike by chance.
            let several = split && grain.start < FIRST && grain.len() > 1;
            if several { core::ptr::null_mut() } else { first_of(entries, grain.start) }
        });
    }
}

#[cfg(test)]
mod tests;
