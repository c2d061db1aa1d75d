//! The sparse half of a pool: from an entity's index to the position of its element (M19, M46, M48).
//!
//! Two levels of directory, so that one member with a high index costs little. What isn't there is a
//! shared page where everybody is empty, so a lookup has no case for it (M57). In front of them is a
//! flat table of the first pages, as long as there are enough of them to be worth it.
//!
//! ```text
//!   index   | ... | 13..8 | 7..0 |
//!             top    page   slot
//!   top[...] --> 64 pages --> 256 slots (position | generation), and bits beside them: see `page`
//!   flat[ ... top, page ] -->
//! ```

use super::buffer::Buffer;
use super::memory::Memory;
use super::page::{PAGE, Page};
use crate::core::error::Error;
use crate::core::ids::{LAST_WORD, Layout, Slot48, Wide};
use core::ptr::NonNull;

/// Pages of one directory.
pub const PAGES: usize = 64;
/// Entities of one directory.
pub const REGION: usize = PAGE * PAGES;

/// 64 pages.
struct Directory<L: Layout> {
    pages: [*const Page<L>; PAGES],
    /// Which of them are real.
    real: u64,
}

/// Where a directory is, if there is one.
type Place<L> = Option<NonNull<Directory<L>>>;

impl<L: Layout> Directory<L> {
    const fn empty() -> Self {
        Self { pages: [no_page(); PAGES], real: 0 }
    }
}

/// What is there where nothing is: everybody's slot is empty. Of either layout, as slots follow the same fields, and all bits of
/// empty ones are set.
static NO_PAGE: Page<Wide> = Page::EMPTY;

const fn no_page<L: Layout>() -> *const Page<L> {
    const {
        assert!(Page::<L>::HEAD == Page::<Wide>::HEAD && size_of::<Page<L>>() <= size_of::<Page<Wide>>());
        assert!(align_of::<Page<L>>() == align_of::<Page<Wide>>());
        assert!(8 * size_of::<L::Slot>() == L::BARE_BITS as usize && 8 * size_of::<Slot48>() == 48);
    }
    (&raw const NO_PAGE).cast()
}

/// A page of a region; the shared one, where there is no directory.
#[inline(always)]
fn page_of<L: Layout>(top: &[Place<L>], (region, page): (usize, usize)) -> *const Page<L> {
    // SAFETY: directories are owned by the `Sparse`, and always initialised.
    top.get(region)
        .copied()
        .flatten()
        .map_or(no_page(), |directory| unsafe { directory.as_ref() }.pages[page])
}

/// From index to position. Owns its directories and pages.
#[repr(C)]
pub struct Sparse<L: Layout> {
    flat: Buffer<*const Page<L>>,
    top: Buffer<Place<L>>,
    bytes: usize,
    /// Real pages.
    pages: usize,
}

impl<L: Layout> Default for Sparse<L> {
    fn default() -> Self {
        Self { flat: Buffer::new(), top: Buffer::new(), bytes: 0, pages: 0 }
    }
}

/// Pages to look indices up in.
#[derive(Clone, Copy)]
pub struct Lookup<'a, L: Layout> {
    flat: &'a [*const Page<L>],
    top: &'a [Place<L>],
}

impl<'a, L: Layout> Lookup<'a, L> {
    /// The page of an index, to read.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, index: u32) -> &'a Page<L> {
        // SAFETY: pages are owned by the `Sparse` or static, always initialised, never null.
        unsafe { &*self.page(index) }
    }

    /// The page of an index; the shared empty one if there is none.
    #[inline(always)]
    #[must_use]
    fn page(&self, index: u32) -> *const Page<L> {
        if let Some(page) = self.flat.get(index as usize / PAGE) {
            return *page;
        }
        page_of(self.top, split(index))
    }

    /// The slot of an index.
    #[inline(always)]
    #[must_use]
    pub fn slot(&self, index: u32) -> u64 {
        self.at(index).slot(index)
    }

    /// Indices below this are found in one step.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn flat_end(&self) -> u32 {
        (self.flat.len() * PAGE).min(LAST_WORD as usize) as u32
    }

    /// The page of such an index.
    ///
    /// # Safety
    /// It is below `flat_end`.
    #[inline(always)]
    #[must_use]
    pub unsafe fn flat_at(&self, index: u32) -> &'a Page<L> {
        // SAFETY: the caller's promise; pages are as in `at`.
        unsafe { &**self.flat.get_unchecked(index as usize / PAGE) }
    }
}

const fn split(index: u32) -> (usize, usize) {
    (index as usize / PAGE / PAGES, index as usize / PAGE % PAGES)
}

/// The first index from `index` on, below `end`, whose page is a real one; else `end`. `real_pages` says which of
/// the region of an index are.
#[inline(always)]
pub fn next_page(mut index: u32, end: u32, real_pages: impl Fn(u32) -> u64) -> u32 {
    while index < end {
        let page = index as usize % REGION / PAGE;
        let pages = real_pages(index) >> page;
        if pages & 1 != 0 {
            return index;
        }
        index = if pages == 0 {
            (index | (REGION as u32 - 1)).saturating_add(1)
        } else {
            (index & !(PAGE as u32 - 1)) + PAGE as u32 * pages.trailing_zeros()
        };
    }
    end
}

impl<L: Layout> Sparse<L> {
    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes + self.top.bytes() + self.flat.bytes()
    }

    /// Real pages.
    #[inline(always)]
    #[must_use]
    pub const fn pages(&self) -> usize {
        self.pages
    }

    /// For many lookups while nothing changes: what a loop needs, in a value of its own.
    #[inline(always)]
    #[must_use]
    pub fn lookup(&self) -> Lookup<'_, L> {
        Lookup { flat: &self.flat, top: &self.top }
    }

    /// The first index that has no directory, nor any behind it: a multiple of 64. In the last directory that
    /// there can be it is the first one that is never handed out (`Layout::MOST`).
    #[inline(always)]
    #[must_use]
    pub fn end(&self) -> u32 {
        u32::try_from(self.top.len() as u64 * REGION as u64).unwrap_or(LAST_WORD)
    }

    /// Which pages are real in the region of an index: 64 neighbours under one directory.
    #[inline(always)]
    #[must_use]
    pub fn real_pages(&self, index: u32) -> u64 {
        self.directory(index).map_or(0, |directory| directory.real)
    }

    /// The first index from `index` on whose page is real.
    #[must_use]
    pub fn next_real(&self, index: u32) -> Option<u32> {
        let index = next_page(index, self.end(), |index| self.real_pages(index));
        (index < self.end()).then_some(index)
    }

    /// The page of an index, and those behind it under its directory, if there is one.
    #[inline(always)]
    #[must_use]
    pub fn neighbours(&self, index: u32) -> Option<&[&Page<L>]> {
        let pages = &self.directory(index)?.pages[split(index).1..];
        // SAFETY: none of the pages is null, and all live as long as this is borrowed.
        Some(unsafe { core::slice::from_raw_parts(pages.as_ptr().cast(), pages.len()) })
    }

    #[inline(always)]
    fn directory(&self, index: u32) -> Option<&Directory<L>> {
        // SAFETY: as in `page_of`.
        self.top.get(split(index).0)?.map(|directory| unsafe { directory.as_ref() })
    }

    /// The page of an index; the shared empty one if there is none.
    #[inline(always)]
    #[must_use]
    pub fn page_at(&self, index: u32) -> NonNull<Page<L>> {
        // SAFETY: pages are owned by this or static, never null.
        unsafe { NonNull::new_unchecked(self.lookup().page(index).cast_mut()) }
    }

    /// The page of an index, if the flat table reaches it.
    #[inline(always)]
    #[must_use]
    pub fn near_page(&self, index: u32) -> Option<NonNull<Page<L>>> {
        // SAFETY: as above.
        self.flat.get(index as usize / PAGE).map(|page| unsafe { NonNull::new_unchecked(page.cast_mut()) })
    }

    /// The page of an index, to read.
    #[inline(always)]
    #[must_use]
    pub fn page(&self, index: u32) -> &Page<L> {
        self.lookup().at(index)
    }

    /// Whether a page is a pool's own, not the shared empty one.
    #[inline(always)]
    #[must_use]
    pub fn is_own(page: NonNull<Page<L>>) -> bool {
        page.as_ptr().cast_const() != no_page()
    }

    /// The page of an index, which must be real: that of a member, or one that was reserved.
    #[inline(always)]
    pub fn page_mut(&mut self, index: u32) -> &mut Page<L> {
        let mut page = self.page_at(index);
        assert!(Self::is_own(page), "a page that was not reserved");
        // SAFETY: pages that aren't the shared one are this one's own.
        unsafe { page.as_mut() }
    }

    /// The page of a member's index.
    #[inline(always)]
    pub fn member_page(&mut self, index: u32) -> &mut Page<L> {
        let mut page = self.page_at(index);
        debug_assert!(Self::is_own(page));
        // SAFETY: a member has a page, which is this one's own.
        unsafe { page.as_mut() }
    }

    /// Looks again whether words are in order, in all pages.
    pub fn settle_orders(&mut self) {
        let mut next = self.next_real(0);
        while let Some(index) = next {
            self.page_mut(index).settle_orders();
            next = (index | (PAGE as u32 - 1)).checked_add(1).and_then(|index| self.next_real(index));
        }
    }

    /// Makes sure that an index has a page.
    #[inline]
    pub fn reserve(&mut self, memory: &mut Memory, index: u32) -> Result<(), Error> {
        if Self::is_own(self.page_at(index)) { Ok(()) } else { self.make_page(memory, index) }
    }

    #[cold]
    fn make_page(&mut self, memory: &mut Memory, index: u32) -> Result<(), Error> {
        let (top, page) = split(index);
        if self.top.len() <= top {
            let more = top + 1 - self.top.len();
            self.top.reserve(memory, more)?;
            self.top.extend_reserved((0..more).map(|_| None));
        }
        // It only spares a look: where there is no memory for it, the directories do.
        let _ = self.lengthen_flat(memory, index as usize / PAGE);
        let made = make(memory, Page::<L>::OWN, &mut self.bytes)?;
        let mut directory = match self.top[top] {
            Some(directory) => directory,
            None => make(memory, Directory::<L>::empty(), &mut self.bytes).inspect_err(|_| {
                // SAFETY: made above, and nobody else knows it.
                unsafe { drop_from(memory, made.as_ptr(), &mut self.bytes) };
            })?,
        };
        self.top[top] = Some(directory);
        // SAFETY: the directory is this one's own.
        let directory = unsafe { directory.as_mut() };
        directory.pages[page] = made.as_ptr();
        directory.real |= 1 << page;
        self.pages += 1;
        if let Some(place) = self.flat.get_mut(index as usize / PAGE) {
            *place = made.as_ptr();
        }
        Ok(())
    }

    /// Makes the flat table reach a page that is to be made, if there are enough pages to be worth it.
    fn lengthen_flat(&mut self, memory: &mut Memory, page: usize) -> Result<(), Error> {
        if page < self.flat.len() || page >= 8 * (self.pages + 4) {
            return Ok(());
        }
        let old = self.flat.len();
        self.flat.reserve(memory, page + 1 - old)?;
        let top = &self.top;
        self.flat.extend_reserved((old..page + 1).map(|page| page_of(top, (page / PAGES, page % PAGES))));
        Ok(())
    }

    /// Gives back the pages without members, and the directories without pages.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.release(memory, false);
        self.top.shrink_to_used(memory, Option::is_some);
        self.flat.shrink_to_used(memory, |page| *page != no_page());
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        self.release(memory, true);
        self.top.free(memory);
        self.flat.free(memory);
    }

    /// Gives back the pages without members, or all.
    #[inline(never)]
    fn release(&mut self, memory: &mut Memory, all: bool) {
        let regions = self.top.iter_mut().enumerate();
        for (region, place) in regions {
            let Some(mut at) = *place else { continue };
            // SAFETY: directories, and pages but for the shared one, are this one's own; they are forgotten as they are given back.
            unsafe {
                let directory = at.as_mut();
                for (number, page) in directory.pages.iter_mut().enumerate() {
                    if *page != no_page() && (all || (**page).is_unused()) {
                        drop_from(memory, page.cast_mut(), &mut self.bytes);
                        *page = no_page();
                        directory.real &= !(1 << number);
                        self.pages -= 1;
                        if let Some(place) = self.flat.get_mut(region * PAGES + number) {
                            *place = no_page();
                        }
                    }
                }
                if directory.real == 0 {
                    drop_from(memory, at.as_ptr(), &mut self.bytes);
                    *place = None;
                }
            }
        }
    }
}

fn make<T>(memory: &mut Memory, value: T, bytes: &mut usize) -> Result<NonNull<T>, Error> {
    let at = memory.take_page(size_of::<T>(), align_of::<T>())?.cast::<T>();
    // SAFETY: the memory is new, of that size and alignment.
    unsafe { at.write(value) };
    *bytes += size_of::<T>();
    Ok(at)
}

/// # Safety
/// `at` came from `make` and is not used again.
unsafe fn drop_from<T>(memory: &mut Memory, at: *mut T, bytes: &mut usize) {
    *bytes -= size_of::<T>();
    // SAFETY: the caller's promise.
    unsafe { memory.give_page(NonNull::new_unchecked(at).cast(), size_of::<T>(), align_of::<T>()) };
}
