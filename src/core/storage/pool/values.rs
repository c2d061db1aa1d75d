//! The values of a pool's elements: made, copied, put in place; and the world-wide one.

use super::{Pool, Spot};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::kinds::Kinds;
use crate::core::storage::lifecycle::{Source, copy_bytes};
use crate::core::storage::memory::Memory;
use crate::core::storage::pools::Description;
use core::ptr::NonNull;

impl<L: Layout> Pool<L> {
    /// Makes elements at positions `first` to `first + count`, which were just inserted there: from
    /// values, or zeros or constructed. On failure none of them is made.
    pub fn make(&mut self, first: u32, count: u32, values: Option<Source>) -> Result<(), Error> {
        let size = self.size();
        if size == 0 {
            return Ok(());
        }
        let (mut at, end) = (first, first + count);
        while at < end {
            let span = end.min(self.packed.page_end(at)) - at;
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

    /// Adds one entity with its element: made of a value, or of zeros or constructed; or nothing.
    #[inline(never)]
    pub fn add(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        handle: Handle,
        spot: &Spot<L>,
        value: Option<Source>,
    ) -> Result<(), Error> {
        self.keep_len(0);
        if let Some(value) = value.filter(|_| self.lifecycle.copy.is_none()) {
            let position = self.put_in(memory, kinds, handle, spot)?;
            self.put_at(position, value);
            return Ok(());
        }
        let (additions, behind) = (self.additions(), self.word_behind());
        let position = self.put_in(memory, kinds, handle, spot)?;
        self.make(position, 1, value).inspect_err(|_| {
            self.undo(kinds, &[handle]);
            // An iteration under way goes on as if nothing had been.
            self.correct(additions);
            if let Some(word) = behind {
                self.packed.set_entity(self.len, L::Word::from_handle(word));
            }
        })
    }

    /// The same for one who lives and is no member: at once, where the element is plain and there is room at the end.
    #[inline(never)] // Two call it.
    pub fn add_new(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        handle: Handle,
        value: Option<Source>,
    ) -> Result<(), Error> {
        let plain = match value {
            Some(value) => Some(value).filter(|value| self.takes_plain(*value)),
            None => self.zeros(),
        };
        if let (Some(plain), Some(page)) = (plain, self.page_of(handle))
            && let Some(mark) = kinds.mark(L::index(handle), self.bit())
            && let Some(end) = self.room_at_watched_end(page, mark)
        {
            self.keep_len(0);
            self.append_quickly(handle, end, plain);
            return Ok(());
        }
        let spot = self.spot_of_living(handle);
        self.add(memory, kinds, handle, &spot, value)
    }

    /// Ends elements without taking them out.
    pub(super) fn end(&self, first: u32, count: u32) {
        if self.lifecycle.destruct.is_none() {
            return;
        }
        let (mut at, end) = (first, first + count);
        while at < end {
            let span = end.min(self.packed.page_end(at)) - at;
            self.lifecycle.end(self.packed.element(at), span);
            at += span;
        }
    }

    /// Copies values to where the caller can relocate them from: so that what can fail has happened
    /// before anything changes. `unstage` gives the memory back.
    pub fn stage(&self, memory: &mut Memory, values: Source, count: u32) -> Result<NonNull<u8>, Error> {
        let size = self.size();
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
        let bytes = self.size() * count as usize;
        // SAFETY: as it was taken by `stage`.
        unsafe { memory.give(at, bytes, self.shape.align as usize) };
    }

    /// Ends the element at a position, in whose place another is put at once.
    #[inline(always)]
    pub fn end_at(&mut self, position: u32) {
        self.lifecycle.end(self.packed.element(position), 1);
    }

    /// Puts a value, as bytes, at a position without an element. There is no copy hook.
    #[inline(never)]
    pub fn put_at(&mut self, position: u32, value: Source) {
        debug_assert!(self.lifecycle.copy.is_none());
        // SAFETY: room for one element; the value is as `Source` promises.
        unsafe { copy_bytes(self.packed.element(position), value.at(), self.size()) };
    }

    /// Puts staged value number `index` at a position without an element.
    pub fn put_staged(&mut self, position: u32, staged: NonNull<u8>, index: usize) {
        let to = self.packed.element(position);
        let size = self.size();
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
        if value.at() != self.packed.element(position).cast_const() {
            self.end_at(position);
            self.put_at(position, value);
        }
    }

    /// Gives a component's entity its `Component`, in the pool of these.
    pub fn describe(
        &mut self,
        memory: &mut Memory,
        kinds: &mut Kinds,
        component: Handle,
        description: &Description,
    ) -> Result<(), Error> {
        assert!(self.size() == size_of_val(description));
        // SAFETY: one value of that size, whose elements are plain.
        let value = unsafe { Source::new(core::ptr::from_ref(description).cast(), self.shape.size) };
        let spot = self.spot(component);
        self.add(memory, kinds, component, &spot, Some(value))
    }

    /// The world-wide value, if there is one.
    #[must_use]
    pub fn singleton(&self) -> Option<NonNull<u8>> {
        self.singleton
    }

    /// Makes a value the world-wide one. Set from itself it stays what it is, but for what a copy hook does.
    pub fn set_singleton(&mut self, memory: &mut Memory, value: Source) -> Result<(), Error> {
        if let Some(at) = self.singleton {
            if self.lifecycle.is_bytes() {
                // SAFETY: memory for one element; the value is as `Source` promises.
                unsafe { copy_bytes(at.as_ptr(), value.at(), self.size()) };
                return Ok(());
            }
            if at.as_ptr().cast_const() == value.at() && self.lifecycle.copy.is_none() {
                return Ok(());
            }
        }
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
}
