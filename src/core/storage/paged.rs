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
use core::alloc::Layout as Shape;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

const PAGE: usize = 256;

/// What a page holds.
pub trait Item: Sized {
    /// What is there where nothing was put.
    const EMPTY: Self;
}

type Page<T> = [T; PAGE];

/// Pages of whatever values: making and giving back one is compiled once.
type Pages = Buffer<Option<NonNull<u8>>>;

/// Values by index.
pub struct Paged<T: Item> {
    pages: Pages,
    values: PhantomData<T>,
}

impl<T: Item> Default for Paged<T> {
    fn default() -> Self {
        Self { pages: Buffer::new(), values: PhantomData }
    }
}

/// Makes a page that is full of an empty value, of that shape.
///
/// # Safety
/// The value is a constant.
#[inline(never)]
unsafe fn make(
    pages: &mut Pages,
    memory: &mut Memory,
    number: usize,
    empty: *const u8,
    value: Shape,
) -> Result<(), Error> {
    let more = (number + 1).saturating_sub(pages.len());
    pages.reserve(memory, more)?;
    pages.fill_reserved(more, None);
    let size = value.size();
    let page = memory.take_page(size * PAGE, value.align())?;
    // SAFETY: new memory for so many values, each of them what the first is; a constant may be copied.
    unsafe {
        page.as_ptr().copy_from_nonoverlapping(empty, size);
        let mut made = 1;
        while made < PAGE {
            page.add(made * size).copy_from_nonoverlapping(page, made * size);
            made *= 2;
        }
    }
    pages[number] = Some(page);
    Ok(())
}

/// Gives a page back.
///
/// # Safety
/// It was made for values of that shape, and is not used again.
#[inline(never)]
unsafe fn give(page: NonNull<u8>, memory: &mut Memory, value: Shape) {
    // SAFETY: as it was taken; the caller's promise.
    unsafe { memory.give_page(page, value.size() * PAGE, value.align()) };
}

impl<T: Item> Paged<T> {
    /// The value of an index; None if its page isn't there.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, index: u32) -> Option<&T> {
        let page = (*self.pages.get(index as usize / PAGE)?)?.cast::<Page<T>>();
        // SAFETY: pages are this one's own and made; the place is in it.
        Some(unsafe { &page.as_ref()[index as usize % PAGE] })
    }

    /// The value of an index, to change.
    #[inline(always)]
    pub fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        let mut page = (*self.pages.get(index as usize / PAGE)?)?.cast::<Page<T>>();
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
        let empty = ManuallyDrop::new(T::EMPTY);
        // SAFETY: it is one.
        unsafe { make(&mut self.pages, memory, number, (&raw const empty).cast(), Shape::new::<T>()) }
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
            let is_empty = |page: &mut NonNull<u8>| {
                // SAFETY: pages are this one's own and made.
                let page = unsafe { page.cast::<Page<T>>().as_ref() };
                !(first..).zip(page).any(|(index, value)| is_used(index as u32, value))
            };
            if let Some(page) = place.take_if(is_empty) {
                // SAFETY: as it was taken; it is forgotten.
                unsafe { give(page, memory, Shape::new::<T>()) };
            }
        }
        self.pages.shrink_to_used(memory, Option::is_some);
    }

    /// Gives back everything; what the values hold must have been given back before.
    pub fn free(&mut self, memory: &mut Memory) {
        for page in self.pages.iter().flatten().copied() {
            // SAFETY: as it was taken; the table of pages goes below.
            unsafe { give(page, memory, Shape::new::<T>()) };
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
