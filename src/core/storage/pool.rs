//! A pool: the elements of one component, as a sparse set (002).
//!
//! ```text
//!   sparse   index -> position | generation          packed   position -> element, entity
//!
//!   swap     remove B:  [A B C D]  ->  [A D C]       always dense
//!   stable   remove B:  [A B C D]  ->  [A - C D]     the gap's entity is a tombstone that links to
//!                                                    the next gap (M44); add fills it
//! ```
//!
//! Each change has a number. Pages of the sparse half remember which entities were added or moved
//! since the latest iteration began, so that an iteration can tell whom it must not see (again).

use super::blocks::Blocks;
use super::buffer::Buffer;
use super::lifecycle::{Lifecycle, Source, copy_bytes};
use super::memory::Memory;
use super::packed::Packed;
use super::sparse::{Now, PAGE, Page, Sparse};
use crate::core::error::{Error, Kind};
use crate::core::ids::{self, Handle, Layout, Word};
use crate::core::world::listeners::Listener;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a component is: asked for at registration, and checked against ever after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Bytes of an element; 0 for a tag.
    pub size: u32,
    /// A power of two.
    pub align: u32,
    /// Elements keep their addresses.
    pub stable: bool,
}

/// Where an entity is, or would be, in the sparse half of a pool: looked up once, then used by what
/// follows. Good until the pool changes in any other way.
pub struct Spot<L: Layout> {
    page: NonNull<Page<L>>,
    index: u32,
    /// The position of its element, if it is a member.
    pub position: Option<u32>,
}

impl<L: Layout> Spot<L> {
    /// The number of the pool in the entity's block, as far as it is known.
    #[inline(always)]
    #[must_use]
    pub fn row(&self) -> u32 {
        // SAFETY: pages live until memory is given back, which ends every spot.
        unsafe { self.page.as_ref() }.row(self.index)
    }
}

/// Memory for one more member: what `Pool::insert` takes. Good until anything changes.
pub struct Room<L: Layout> {
    page: NonNull<Page<L>>,
    /// The byte of its word in its block that has the pool's bit.
    byte: NonNull<u8>,
    index: u32,
}

/// A new member.
#[derive(Clone, Copy)]
pub struct Inserted {
    /// The position of its element.
    pub position: u32,
    /// The element, which is not made yet.
    pub element: *mut u8,
}

/// No element is that large.
const NOT_PLAIN: u32 = u32::MAX;

/// The elements of one component.
pub struct Pool<L: Layout> {
    /// The component.
    pub id: Handle,
    /// Its number.
    pub number: u32,
    /// What it is.
    pub shape: Shape,
    /// Made by the library.
    builtin: bool,
    /// The size, if elements are bytes that anybody may change: else `NOT_PLAIN`.
    plain_size: u32,
    /// What elements need beyond bytes.
    lifecycle: Lifecycle,
    /// The component's name, and a zero.
    pub name: Buffer<u8>,
    /// Listeners on add, set and remove.
    pub listeners: [Buffer<Listener>; 3],
    sparse: Sparse<L>,
    packed: Packed<L>,
    /// Positions in use, gaps included.
    len: u32,
    gap: u32,
    gaps: u32,
    singleton: Option<NonNull<u8>>,
    changes: u64,
    latest_start: AtomicU64,
    /// Iterations that began before this change can't go on: memory was given back.
    floor: u64,
}

impl<L: Layout> Pool<L> {
    /// Without elements.
    #[must_use]
    pub fn new(id: Handle, number: u32, shape: Shape) -> Self {
        Self {
            id,
            number,
            shape,
            builtin: false,
            plain_size: if shape.size == 0 { NOT_PLAIN } else { shape.size },
            lifecycle: Lifecycle::TRIVIAL,
            name: Buffer::new(),
            listeners: [Buffer::new(), Buffer::new(), Buffer::new()],
            sparse: Sparse::default(),
            packed: Packed::new(shape.size as usize, shape.align as usize),
            len: 0,
            gap: L::MOST,
            gaps: 0,
            singleton: None,
            changes: 0,
            latest_start: AtomicU64::new(0),
            floor: 0,
        }
    }

    /// What elements need beyond bytes.
    #[inline(always)]
    #[must_use]
    pub const fn lifecycle(&self) -> &Lifecycle {
        &self.lifecycle
    }

    /// Gives elements what they need beyond bytes.
    pub fn set_lifecycle(&mut self, lifecycle: Lifecycle) {
        self.lifecycle = lifecycle;
        self.plain_size = NOT_PLAIN;
    }

    /// Whether it was made by the library.
    #[inline(always)]
    #[must_use]
    pub const fn is_builtin(&self) -> bool {
        self.builtin
    }

    /// Makes it the library's.
    pub fn set_builtin(&mut self) {
        self.builtin = true;
        self.plain_size = NOT_PLAIN;
    }

    /// Whether elements are bytes that anybody may change.
    #[inline(always)]
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.plain_size != NOT_PLAIN
    }

    /// The size of elements that are plain; of others, one that no element has.
    #[inline(always)]
    #[must_use]
    pub const fn plain_size(&self) -> u32 {
        self.plain_size
    }

    /// How many entities have it.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.len - self.gaps
    }

    /// Positions in use, gaps included.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether no position is in use.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Gaps.
    #[must_use]
    pub const fn gaps(&self) -> u32 {
        self.gaps
    }

    /// The number of the last change.
    #[inline]
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// The change before which no iteration may have begun.
    #[must_use]
    pub const fn floor(&self) -> u64 {
        self.floor
    }

    /// Bytes held, the pool itself included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let listeners: usize = self.listeners.iter().map(Buffer::bytes).sum();
        let singleton = if self.singleton.is_some() { self.shape.size as usize } else { 0 };
        let rest = self.name.bytes() + listeners + singleton + size_of::<Self>();
        self.sparse.bytes() + self.packed.bytes() + rest
    }

    /// Looks an entity up.
    #[inline(always)]
    #[must_use]
    pub fn spot(&self, handle: Handle) -> Spot<L> {
        let index = L::index(handle);
        let page = self.sparse.page(index);
        let position = ids::position::<L>(L::bare(handle), page.slot(index));
        Spot { page: page.into(), index, position }
    }

    /// Looks up an entity that lives: a pool only has living ones, so that its slot is its own if it
    /// is anybody's, and the generations need no look.
    #[inline(always)]
    #[must_use]
    pub fn spot_of_living(&self, handle: Handle) -> Spot<L> {
        let index = L::index(handle);
        let page = self.sparse.page(index);
        let position = L::index(page.slot(index));
        let position = (u64::from(position) != L::NULL).then_some(position);
        Spot { page: page.into(), index, position }
    }

    /// The position of an entity's element (M46): None if it has none, or is another generation.
    #[inline(always)]
    #[must_use]
    pub fn position(&self, handle: Handle) -> Option<u32> {
        self.spot(handle).position
    }

    /// The element at a position.
    #[inline(always)]
    #[must_use]
    pub fn element(&self, position: u32) -> *mut u8 {
        self.packed.element(position)
    }

    /// The element at a position, as a value to copy.
    #[must_use]
    pub fn value(&self, position: u32) -> Source {
        // SAFETY: one element, aligned, at a position in use.
        unsafe { Source::new(self.element(position), self.shape.size) }
    }

    /// The entity at a position; a gap's has the tombstone generation.
    #[inline]
    #[must_use]
    pub fn entity(&self, position: u32) -> Handle {
        self.packed.entity(position)
    }

    /// The entities' memory from a position on.
    #[must_use]
    pub fn entities_at(&self, position: u32) -> *const u8 {
        self.packed.entity_at(position).cast_const().cast()
    }

    /// Whether a position is a gap.
    #[inline]
    #[must_use]
    pub fn is_gap(&self, position: u32) -> bool {
        self.gaps > 0 && u64::from(L::generation(self.packed.entity(position))) == L::TOMBSTONE
    }

    /// The entity whose element begins at an address.
    #[must_use]
    pub fn entity_of(&self, element: *const u8) -> Option<Handle> {
        let position = self.packed.position_of(element)?;
        (position < self.len && !self.is_gap(position)).then(|| self.entity(position))
    }

    /// Looks up many: hands each one's element, or null, to `found` with its number. Stops at the
    /// first for which it returns false.
    #[inline(always)]
    pub fn elements(&self, handles: &[Handle], stamp: u64, mut found: impl FnMut(usize, *mut u8) -> bool) {
        for (at, handle) in handles.iter().enumerate() {
            let position = self.position(*handle);
            let here = (*handle ^ stamp) >> L::BARE_BITS == 0;
            let element = match position {
                Some(position) if here => self.packed.element(position),
                _ => core::ptr::null_mut(),
            };
            if !found(at, element) {
                return;
            }
        }
    }

    // ---- adding

    /// Room for an entity that is no member, if it needs no memory.
    #[inline(always)]
    #[must_use]
    pub fn room(&self, blocks: &mut Blocks, spot: &Spot<L>) -> Option<Room<L>> {
        let place = self.len < self.packed.capacity() || self.gaps > 0;
        if !place || !Sparse::is_own(spot.page) {
            return None;
        }
        let byte = blocks.byte_of(spot.index, self.number, spot.row())?;
        Some(Room { page: spot.page, byte, index: spot.index })
    }

    /// Room for an entity that is no member.
    #[inline(always)]
    pub fn reserve(
        &mut self,
        memory: &mut Memory,
        blocks: &mut Blocks,
        spot: &Spot<L>,
    ) -> Result<Room<L>, Error> {
        match self.room(blocks, spot) {
            Some(room) => Ok(room),
            None => self.make_room(memory, blocks, spot.index),
        }
    }

    #[cold]
    fn make_room(&mut self, memory: &mut Memory, blocks: &mut Blocks, index: u32) -> Result<Room<L>, Error> {
        self.reserve_slot(memory, blocks, index)?;
        self.reserve_positions(memory, 1)?;
        let page = NonNull::from(self.sparse.page_mut(index));
        let room = self.room(blocks, &Spot { page, index, position: None });
        room.ok_or(Error::new(Kind::OutOfMemory))
    }

    fn reserve_slot(&mut self, memory: &mut Memory, blocks: &mut Blocks, index: u32) -> Result<(), Error> {
        self.sparse.reserve(memory, index)?;
        let page = self.sparse.page_mut(index);
        page.set_row(index, blocks.reserve(memory, index, self.number)?);
        Ok(())
    }

    /// Makes sure that all these can be inserted without memory.
    pub fn reserve_many(
        &mut self,
        memory: &mut Memory,
        blocks: &mut Blocks,
        handles: impl Iterator<Item = Handle>,
    ) -> Result<(), Error> {
        let (mut block, mut count) = (u32::MAX, 0_u32);
        for handle in handles {
            let index = L::index(handle);
            count += 1;
            if index / 64 != block {
                block = index / 64;
                self.reserve_slot(memory, blocks, index)?;
            }
        }
        self.reserve_positions(memory, count)
    }

    /// Makes sure that `more` elements have places.
    pub fn reserve_positions(&mut self, memory: &mut Memory, more: u32) -> Result<(), Error> {
        self.packed.reserve(memory, self.len + more.saturating_sub(self.gaps))
    }

    #[inline(always)]
    fn change(&mut self) -> Now {
        self.changes += 1;
        Now { change: self.changes, latest_start: *self.latest_start.get_mut() }
    }

    /// Inserts an entity in its room. Its element is not made yet.
    #[inline(always)]
    pub fn insert(&mut self, handle: Handle, room: Room<L>) -> Inserted {
        let position = if self.gaps == 0 {
            self.len += 1;
            self.len - 1
        } else {
            let position = self.gap;
            self.gap = L::index(self.packed.entity(position));
            self.gaps -= 1;
            position
        };
        let now = self.change();
        let place = self.packed.place(position);
        // SAFETY: a room has a page of this pool's own and a byte of the block's, which nobody borrows,
        // and the position has memory.
        unsafe {
            place.entity.write(L::Word::from_handle(handle));
            let Room { mut page, byte, index } = room;
            *byte.as_ptr() |= 1 << (page.as_ref().row(index) % 8);
            page.as_mut().insert(L::bare(handle), position);
            page.as_mut().mark_added(index, &now);
        }
        Inserted { position, element: place.element }
    }

    /// Inserts many at the end, for which room was reserved; the pool has no gaps. Their elements are
    /// not made yet. Neighbours with following indices go in together.
    pub fn append(&mut self, blocks: &mut Blocks, mut handles: &[Handle]) {
        assert!(self.gaps == 0);
        while let Some(first) = handles.first() {
            let index = L::index(*first);
            let most = PAGE - index as usize % PAGE;
            let count = handles.iter().zip(*first..).take(most).take_while(|(a, b)| **a == *b).count();
            #[allow(clippy::cast_possible_truncation)]
            self.append_run(blocks, *first, count as u32);
            handles = &handles[count..];
        }
    }

    fn append_run(&mut self, blocks: &mut Blocks, first: Handle, count: u32) {
        let now = self.change();
        let index = L::index(first);
        let page = self.sparse.page_mut(index);
        page.insert_run(L::bare(first), self.len, count, &now);
        let (mut at, end) = (index, index + count);
        while at < end {
            let next = end.min((at | 63) + 1);
            blocks.set_run(at, next - at, page.row(at));
            at = next;
        }
        let mut handle = first;
        let end = self.len + count;
        while self.len < end {
            let span = end.min(Packed::<L>::page_end(self.len));
            let place = self.packed.entity_at(self.len);
            for step in 0..span - self.len {
                // SAFETY: positions up to `span` lie in the page of `len`, which was reserved.
                unsafe { place.add(step as usize).write(L::Word::from_handle(handle)) };
                handle += 1;
            }
            self.len = span;
        }
    }

    /// Makes elements at positions `first` to `first + count`, which were just inserted there: from
    /// values, or zeros or constructed. On failure none of them is made.
    pub fn make(&mut self, first: u32, count: u32, values: Option<Source>) -> Result<(), Error> {
        let size = self.shape.size as usize;
        if size == 0 {
            return Ok(());
        }
        let (mut at, end) = (first, first + count);
        while at < end {
            let span = end.min(Packed::<L>::page_end(at)) - at;
            let to = self.packed.element(at);
            // SAFETY: `span` elements from `to` on lie in one page, reserved and not made yet; values
            // are as `Source` promises.
            let made = unsafe {
                match values {
                    None => self.lifecycle.make(to, size, span),
                    Some(source) => {
                        let from = source.skip((at - first) as usize).at();
                        self.lifecycle.copy(to, from, size, span)
                    }
                }
            };
            if let Err(error) = made {
                self.end(first, at - first);
                return Err(error.about(self.id));
            }
            at += span;
        }
        Ok(())
    }

    /// Ends elements without taking them out.
    fn end(&self, first: u32, count: u32) {
        if self.lifecycle.destruct.is_none() {
            return;
        }
        let (mut at, end) = (first, first + count);
        while at < end {
            let span = end.min(Packed::<L>::page_end(at)) - at;
            self.lifecycle.end(self.packed.element(at), span);
            at += span;
        }
    }

    /// Copies values to where the caller can relocate them from: so that what can fail has happened
    /// before anything changes. `unstage` gives the memory back.
    pub fn stage(&self, memory: &mut Memory, values: Source, count: u32) -> Result<NonNull<u8>, Error> {
        let size = self.shape.size as usize;
        let bytes = size.checked_mul(count as usize).ok_or(Error::new(Kind::Count))?;
        let at = memory.take(bytes, self.shape.align as usize)?;
        // SAFETY: new memory of that size; values are as `Source` promises.
        let copied = unsafe { self.lifecycle.copy(at.as_ptr(), values.at(), size, count) };
        if let Err(error) = copied {
            self.unstage(memory, at, count);
            return Err(error.about(self.id));
        }
        Ok(at)
    }

    /// Gives staged memory back.
    pub fn unstage(&self, memory: &mut Memory, at: NonNull<u8>, count: u32) {
        let bytes = self.shape.size as usize * count as usize;
        // SAFETY: as it was taken by `stage`.
        unsafe { memory.give(at, bytes, self.shape.align as usize) };
    }

    /// Ends the element at a position, in whose place another is put at once.
    #[inline(always)]
    pub fn end_at(&mut self, position: u32) {
        self.lifecycle.end(self.packed.element(position), 1);
    }

    /// Puts a value, as bytes, at a position without an element. There is no copy hook.
    #[inline(always)]
    pub fn put_at(&mut self, position: u32, value: Source) {
        self.put_new(Inserted { position, element: self.packed.element(position) }, value);
    }

    /// Puts staged value number `index` at a position without an element.
    pub fn put_staged(&mut self, position: u32, staged: NonNull<u8>, index: usize) {
        let to = self.packed.element(position);
        let size = self.shape.size as usize;
        // SAFETY: a staged value that nobody has taken yet, and a place without one.
        unsafe { self.lifecycle.relocate(to, staged.as_ptr().add(index * size), size) };
    }

    /// Puts a copy of a value, by the copy hook, in the place of one that is made.
    pub fn put_copy(&mut self, memory: &mut Memory, position: u32, value: Source) -> Result<(), Error> {
        let staged = self.stage(memory, value, 1)?;
        self.end_at(position);
        self.put_staged(position, staged, 0);
        self.unstage(memory, staged, 1);
        Ok(())
    }

    /// Puts a value, as bytes, at a position, whose element is made. There is no copy hook.
    #[inline(always)]
    pub fn put(&mut self, position: u32, value: Source) {
        self.end_at(position);
        self.put_at(position, value);
    }

    /// Puts a value, as bytes, in the place of a new member. There is no copy hook.
    #[inline(always)]
    pub fn put_new(&mut self, new: Inserted, value: Source) {
        debug_assert!(self.lifecycle.copy.is_none());
        // SAFETY: room for one element; the value is as `Source` promises.
        unsafe { copy_bytes(new.element, value.at(), self.shape.size as usize) };
    }

    // ---- removing

    /// Takes out the entity at a position: its element is ended. Never needs memory.
    #[inline(always)]
    pub fn remove(&mut self, blocks: &mut Blocks, spot: Spot<L>) {
        blocks.clear(spot.index, spot.row());
        self.remove_taken(spot.index);
    }

    /// Takes out a member whose element is plain; `byte` has its bit in its block.
    #[inline(always)]
    pub fn remove_plain(&mut self, spot: Spot<L>, byte: NonNull<u8>) {
        let Some(position) = spot.position else { return };
        // SAFETY: the byte is the block's, as `Blocks::byte_of` found it for this spot.
        unsafe { *byte.as_ptr() &= !(1 << (spot.row() % 8)) };
        self.detach(spot, position);
    }

    /// Takes out a member whose bit in its block was taken off.
    /// A call of its own: inlined into loops over pools it would spill all that they keep.
    #[inline(never)]
    pub fn remove_taken(&mut self, index: u32) {
        let page = NonNull::from(self.sparse.member_page(index));
        // SAFETY: the page of a member.
        let position = L::index(unsafe { page.as_ref() }.slot(index));
        if self.lifecycle.destruct.is_some() {
            self.lifecycle.end(self.packed.element(position), 1);
        }
        self.detach(Spot { page, index, position: Some(position) }, position);
    }

    /// Takes out the entity at a position, whose element was ended or never made.
    #[inline(always)]
    fn detach(&mut self, mut spot: Spot<L>, position: u32) {
        let now = self.change();
        // SAFETY: the page of a member is the pool's own, and nobody else borrows it.
        unsafe { spot.page.as_mut() }.remove(spot.index);
        if self.shape.stable {
            self.packed.set_entity(position, Self::tombstone(self.gap));
            self.gap = position;
            self.gaps += 1;
        } else {
            self.len -= 1;
            if position == self.len {
                self.packed.set_entity(position, Self::tombstone(L::MOST));
            } else {
                self.relocate(self.len, position, &now);
            }
        }
    }

    #[allow(clippy::cast_possible_truncation)]
    fn tombstone(link: u32) -> L::Word {
        L::Word::from_handle(L::pack(link, L::TOMBSTONE as u32))
    }

    #[inline(always)]
    fn relocate(&mut self, from: u32, to: u32, now: &Now) {
        let (target, source) = (self.packed.place(to), self.packed.place(from));
        // SAFETY: two different positions in use; the element at `to` is ended. What is left behind
        // says that it is nobody's.
        let moved = unsafe {
            self.lifecycle.relocate(target.element, source.element, self.shape.size as usize);
            let moved = source.entity.replace(Self::tombstone(L::MOST));
            target.entity.write(moved);
            moved.handle()
        };
        let page = self.sparse.member_page(L::index(moved));
        page.set(L::bare(moved), to);
        page.mark_moved(L::index(moved), now);
    }

    /// Undoes the insertion of entities whose elements were not made: the last ones, or gaps' fillers.
    pub fn undo(&mut self, blocks: &mut Blocks, handles: &[Handle]) {
        for handle in handles.iter().rev() {
            let spot = self.spot(*handle);
            if let Some(position) = spot.position {
                blocks.clear(spot.index, spot.row());
                self.detach(spot, position);
                // A stable pool's last positions become free again, not gaps.
                if self.shape.stable && position + 1 == self.len {
                    self.gap = L::index(self.packed.entity(position));
                    self.gaps -= 1;
                    self.len -= 1;
                }
            }
        }
    }

    /// Undoes the insertion of entities whose elements were made.
    pub fn undo_made(&mut self, blocks: &mut Blocks, handles: &[Handle]) {
        for handle in handles.iter().rev() {
            if let Some(position) = self.position(*handle) {
                self.lifecycle.end(self.packed.element(position), 1);
                self.undo(blocks, &[*handle]);
            }
        }
    }

    /// Writes the value of a component's `Component`.
    pub fn put_description(&mut self, position: u32, description: super::pools::Description) {
        assert!(self.shape.size as usize == size_of_val(&description));
        // SAFETY: the place of one element, which is a description.
        unsafe { self.packed.element(position).cast::<super::pools::Description>().write(description) };
    }

    /// Takes everybody out. Keeps the memory.
    pub fn clear(&mut self, blocks: &mut Blocks) {
        for position in 0..self.len {
            if self.is_gap(position) {
                continue;
            }
            if self.lifecycle.destruct.is_some() {
                self.lifecycle.end(self.packed.element(position), 1);
            }
        }
        for position in 0..self.len {
            if !self.is_gap(position) {
                let index = L::index(self.packed.entity(position));
                let page = self.sparse.page_mut(index);
                page.remove(index);
                blocks.clear(index, page.row(index));
            }
        }
        for position in 0..self.len {
            self.packed.set_entity(position, Self::tombstone(L::MOST));
        }
        self.len = 0;
        self.gap = L::MOST;
        self.gaps = 0;
        self.changes += 2;
    }

    /// Takes out a member whose bit in its block was taken off, leaving a gap under either policy: for
    /// many at once, which `close_gaps` follows in a swap pool, so that nobody moves who goes too.
    #[inline(never)]
    pub fn leave_gap(&mut self, index: u32) {
        self.changes += 1;
        let page = self.sparse.member_page(index);
        let position = L::index(page.slot(index));
        page.remove(index);
        let place = self.packed.place(position);
        self.lifecycle.end(place.element, 1);
        // SAFETY: a position in use.
        unsafe { place.entity.write(Self::tombstone(self.gap)) };
        self.gap = position;
        self.gaps += 1;
    }

    /// Moves elements from the end into the gaps. Never needs memory.
    pub fn close_gaps(&mut self) {
        while self.gaps > 0 {
            // Gaps at the end go first, so that the last element is one.
            while self.len > 0 && self.is_gap(self.len - 1) {
                self.len -= 1;
            }
            if self.len == 0 {
                self.gaps = 0;
                break;
            }
            let gap = self.gap;
            self.gap = L::index(self.packed.entity(gap));
            self.gaps -= 1;
            if gap < self.len {
                let now = self.change();
                self.len -= 1;
                self.relocate(self.len, gap, &now);
            }
        }
        self.gap = L::MOST;
    }

    // ---- the world-wide value

    /// The world-wide value, if there is one.
    #[must_use]
    pub fn singleton(&self) -> Option<NonNull<u8>> {
        self.singleton
    }

    /// Makes a value the world-wide one.
    pub fn set_singleton(&mut self, memory: &mut Memory, value: Source) -> Result<(), Error> {
        let staged = self.stage(memory, value, 1)?;
        self.remove_singleton(memory);
        self.singleton = Some(staged);
        Ok(())
    }

    /// Ends the world-wide value; says whether there was one.
    pub fn remove_singleton(&mut self, memory: &mut Memory) -> bool {
        let Some(at) = self.singleton.take() else { return false };
        self.lifecycle.end(at.as_ptr(), 1);
        self.unstage(memory, at, 1);
        true
    }

    // ---- iterating

    /// Begins an iteration: returns the number of the last change. Many threads may, at once: they
    /// write the same number.
    pub fn start(&self) -> u64 {
        if self.latest_start.load(Relaxed) != self.changes {
            self.latest_start.store(self.changes, Relaxed);
        }
        self.changes
    }

    /// Whether the entity at a position was added, and whether it was moved there, after change `era`.
    pub fn placed_since(&self, position: u32, era: u64) -> Result<(bool, bool), Error> {
        let index = L::index(self.entity(position));
        let lost = Error::new(Kind::Changed).about(self.id);
        self.sparse.page(index).placed_since(index, era).ok_or(lost)
    }

    // ---- memory

    /// Gives back what isn't used.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.sparse.shrink(memory);
        self.packed.shrink(memory, self.len);
        self.changes += 2;
        self.floor = self.changes;
    }

    /// Gives back everything. Nobody is in it any more.
    pub fn free(&mut self, memory: &mut Memory) {
        self.sparse.free(memory);
        self.packed.shrink(memory, 0);
        self.name.free(memory);
        for listeners in &mut self.listeners {
            listeners.free(memory);
        }
    }
}
