//! One value for each index, in pages that are made where somebody needs one. Who wasn't given a value has
//! the empty one.
//!
//! ```text
//!   pages   [ * | - | - | * | ... ]        index / 256
//!             |           |
//!             256 values  256 values       index % 256
//! ```

use super::buffer::Buffer;
use super::memory::Memory;
use crate::core::error::Error;
use core::ptr::NonNull;

const PAGE: usize = 256;

/// What a page holds.
pub trait Item: Sized {
    /// What is there where nothing was put.
    const EMPTY: Self;
}

type Page<T> = [T; PAGE];

/// Values by index.
pub struct Paged<T: Item> {
    pages: Buffer<Option<NonNull<Page<T>>>>,
}

impl<T: Item> Default for Paged<T> {
    fn default() -> Self {
        Self { pages: Buffer::new() }
    }
}

impl<T: Item> Paged<T> {
    /// The value of an index; None if its page isn't there.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, index: u32) -> Option<&T> {
        let page = (*self.pages.get(index as usize / PAGE)?)?;
        // SAFETY: pages are this one's own and made; the place is in it.
        Some(unsafe { &page.as_ref()[index as usize % PAGE] })
    }

    /// The value of an index, to change.
    #[inline(always)]
    pub fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        let mut page = (*self.pages.get(index as usize / PAGE)?)?;
        // SAFETY: as above, and borrowed for as long as this is.
        Some(unsafe { &mut page.as_mut()[index as usize % PAGE] })
    }

    /// Makes sure that an index has a value of its own.
    #[inline]
    pub fn reserve(&mut self, memory: &mut Memory, index: u32) -> Result<(), Error> {
        if self.get(index).is_some() { Ok(()) } else { self.make(memory, index as usize / PAGE) }
    }

    #[cold]
    fn make(&mut self, memory: &mut Memory, number: usize) -> Result<(), Error> {
        let more = (number + 1).saturating_sub(self.pages.len());
        self.pages.reserve(memory, more)?;
        self.pages.fill_reserved(more, None);
        let page = memory.take_page(size_of::<Page<T>>(), align_of::<Page<T>>())?.cast::<T>();
        // SAFETY: new memory of that size; a constant may be copied.
        unsafe {
            page.write(T::EMPTY);
            let mut made = 1;
            while made < PAGE {
                page.add(made).copy_from_nonoverlapping(page, made);
                made *= 2;
            }
        }
        self.pages[number] = Some(page.cast());
        Ok(())
    }

    /// All indices before the end of the last page: the last of all may be among them.
    #[allow(clippy::cast_possible_truncation)]
    pub fn indices(&self) -> impl Iterator<Item = u32> + use<T> {
        (0..self.pages.len() as u64 * PAGE as u64).map(|index| index as u32)
    }

    /// Gives back the pages in which nothing is used.
    #[allow(clippy::cast_possible_truncation)]
    pub fn shrink(&mut self, memory: &mut Memory, is_used: impl Fn(u32, &T) -> bool) {
        for (first, place) in (0_u64..).step_by(PAGE).zip(self.pages.iter_mut()) {
            let is_empty = |page: &mut NonNull<Page<T>>| {
                // SAFETY: pages are this one's own and made.
                let page = unsafe { page.as_ref() };
                !(first..).zip(page).any(|(index, value)| is_used(index as u32, value))
            };
            if let Some(page) = place.take_if(is_empty) {
                // SAFETY: as it was taken; it is forgotten.
                unsafe { memory.give_page(page.cast(), size_of::<Page<T>>(), align_of::<Page<T>>()) };
            }
        }
        self.pages.shrink_to_used(memory, Option::is_some);
    }

    /// Gives back everything; what the values hold must have been given back before.
    pub fn free(&mut self, memory: &mut Memory) {
        for page in self.pages.iter().flatten() {
            // SAFETY: as it was taken; the table of pages goes below.
            unsafe { memory.give_page(page.cast(), size_of::<Page<T>>(), align_of::<Page<T>>()) };
        }
        self.pages.free(memory);
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Allocator;
    use super::*;

    impl Item for u32 {
        const EMPTY: Self = Self::MAX;
    }

    #[test]
    fn values_are_there_where_they_were_put() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut paged = Paged::<u32>::default();
        assert_eq!(paged.get(5), None);
        for index in [5, 70_000] {
            paged.reserve(&mut memory, index).unwrap();
            *paged.get_mut(index).unwrap() = index;
        }
        assert_eq!(
            (paged.get(5), paged.get(6), paged.get(70_000)),
            (Some(&5), Some(&u32::MAX), Some(&70_000))
        );
        assert_eq!((paged.get(1000), paged.get(80_000)), (None, None));
        let bytes = memory.bytes;
        paged.shrink(&mut memory, |_, value| *value == 5);
        assert_eq!((paged.get(5), paged.get(6), paged.get(70_000)), (Some(&5), Some(&u32::MAX), None));
        assert!(memory.bytes > 0 && memory.bytes < bytes / 2);
        paged.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }
}
