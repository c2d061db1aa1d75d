//! The short way in and out of a pool, for plain elements.

use super::{Pool, Spot};
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::kinds::{Kinds, Mark};
use crate::core::storage::lifecycle::{Source, copy_bytes, copy_small};
use crate::core::storage::page::Page;
use core::ptr::NonNull;

/// Room at the end of a pool, for one who is no member. Good until anything changes.
pub struct End<L: Layout> {
    page: NonNull<Page<L>>,
    mark: Mark,
}

impl<L: Layout> Pool<L> {
    /// Where to look an entity up, if it is quickly found. None says nothing about whether it is a member: its page
    /// may lie far off.
    #[inline(always)]
    #[must_use]
    pub fn page_of(&self, handle: Handle) -> Option<NonNull<Page<L>>> {
        self.sparse.near_page(L::index(handle))
    }

    /// Puts a plain value in the place of a member's, whose page that is.
    #[inline(always)]
    pub fn put_quickly(&mut self, handle: Handle, page: NonNull<Page<L>>, value: Source) -> Option<()> {
        // SAFETY: pages are always initialised, and nothing writes meanwhile.
        let position = unsafe { page.as_ref() }.member(L::index(handle))?;
        self.put_plain(position, value);
        Some(())
    }

    /// Puts a plain value in the place of the one at a position in use.
    #[inline(always)]
    pub fn put_plain(&mut self, position: u32, value: Source) {
        // SAFETY: a member's element; the value is as `Source` promises, and of that size.
        unsafe { copy_bytes(self.packed.element(position), value.at(), value.size() as usize) };
    }

    /// Room for an entity at the end, if it takes no memory, no gap, no note in a block, and no new marks
    /// for an iteration.
    #[inline(always)]
    pub fn room_at_end(&mut self, page: NonNull<Page<L>>, mark: Mark) -> Option<End<L>> {
        // SAFETY: as above.
        let ready = unsafe { page.as_ref() }.is_ready(*self.latest_start.get_mut());
        (self.len < self.limit && ready).then_some(End { page, mark })
    }

    /// Adds an entity there, with a copy of a plain value.
    #[inline(always)]
    pub fn append_quickly(&mut self, handle: Handle, end: End<L>, value: Source) {
        let End { mut page, mark } = end;
        let position = self.len;
        mark.set();
        self.len = position + 1;
        self.changes += 1;
        let place = self.tail.place(position, value.size());
        // SAFETY: a page that is ready is this pool's own, and nobody else borrows it; a position below
        // the limit has memory, and is nobody's yet; the value is as `Source` promises, and of the size
        // of the elements.
        unsafe {
            page.as_mut().insert_marked(L::bare(handle), position);
            place.entity.write(L::Word::from_handle(handle));
            copy_bytes(place.element, value.at(), value.size() as usize);
        }
    }

    /// The same for one who is no member, with a second look: it may fill a gap, write to a block, go to the next
    /// page. None, and nothing has happened, if it takes memory.
    #[inline(never)]
    pub fn add_quickly(
        &mut self,
        kinds: &mut Kinds,
        handle: Handle,
        spot: &Spot<L>,
        value: Source,
    ) -> Option<()> {
        let room = self.room(kinds, spot)?;
        let new = self.insert(handle, room);
        self.put_new(new, value);
        Some(())
    }

    /// Takes out a member that has a quick way out. None, and nothing has happened, if it is none, or has
    /// none.
    #[inline(always)]
    pub fn remove_quickly(&mut self, kinds: &mut Kinds, handle: Handle) -> Option<()> {
        let (index, page) = (L::index(handle), self.page_of(handle)?);
        // SAFETY: as above.
        let position = unsafe { page.as_ref() }.member(index)?;
        if !self.detach_quickly(page, index, position) {
            return None;
        }
        // Last, so that what it takes need not be kept meanwhile.
        self.forget_quickly(kinds, &Spot { page, index, position: None });
        Some(())
    }

    /// Takes out the member at a position, if that is quick; says whether.
    #[inline(always)]
    pub(super) fn detach_quickly(&mut self, mut page: NonNull<Page<L>>, index: u32, position: u32) -> bool {
        let last = self.len - 1;
        if last < self.quick_from {
            return false;
        }
        self.len = last;
        self.changes += 1;
        let source = self.tail.place(last, self.shape.size);
        // SAFETY: the page of a member is the pool's own, and nobody else borrows it.
        unsafe { page.as_mut() }.remove(index);
        if position == last {
            // SAFETY: the place of a position that is nobody's from now on.
            unsafe { source.entity.write(Self::tombstone(L::NO_INDEX)) };
            return true;
        }
        let target = self.packed.place(position);
        // SAFETY: two different positions in use, of small elements that are just bytes.
        let moved = unsafe {
            let moved = source.entity.read();
            target.entity.write(moved);
            copy_small(target.element, source.element, self.shape.size as usize);
            moved.handle()
        };
        self.sparse.member_page(L::index(moved)).set(L::bare(moved), position);
        // As late, for the same reason.
        if self.now().is_iterated() {
            self.note_move(L::index(moved), last);
        }
        true
    }
}
