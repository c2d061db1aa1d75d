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
use crate::core::ids::{LAST_WORD, Layout, Narrow, Wide};
use core::ptr::NonNull;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Pages of one directory.
pub const PAGES: usize = 64;
/// Entities of one directory.
pub const REGION: usize = PAGE * PAGES;

/// 64 pages.
struct Directory<L: Layout> {
    pages: [*const Page<L>; PAGES],
    /// Which of them are real.
    real: u64,
    /// What readers found out: pages that are known after a change of the pool, and that change. Not atomics by themselves,
    /// because the shared directories are constants.
    known: Aligned,
}

/// Two numbers where `AtomicU64` may look at them: they are aligned to their size, which not every target does by itself.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Aligned([u64; 2]);

/// What readers found out about a directory's pages, good until the pool's next change: from one page to another all their
/// entities are members, whose elements lie in order over all of them. The pages are written before the change that they
/// were found after, so that who reads that change reads what was found since; which of several that is, is all one.
struct Known<'a> {
    /// The first page, and the one behind the last: 32 bits each.
    pages: &'a AtomicU64,
    change: &'a AtomicU64,
}

impl Known<'_> {
    /// The pages that are known after a change.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    fn after(&self, change: u64) -> (usize, usize) {
        let is_good = self.change.load(Acquire) == change;
        let pages = if is_good { self.pages.load(Relaxed) } else { 0 };
        (pages as u32 as usize, (pages >> 32) as usize)
    }

    fn learn(&self, change: u64, (first, end): (usize, usize)) {
        self.pages.store(first as u64 | (end as u64) << 32, Relaxed);
        self.change.store(change, Release);
    }
}

// SAFETY: it is only changed by its pool's one writer, but for what readers found out, which is only touched as atomics while
// they read; the shared ones below never are.
unsafe impl<L: Layout> Sync for Directory<L> {}

impl<L: Layout> Directory<L> {
    const fn empty() -> Self {
        Self { pages: [no_page(); PAGES], real: 0, known: Aligned([0; 2]) }
    }
}

/// What is there where nothing is: everybody's slot is empty. One for each layout.
static NO_PAGE: (Page<Wide>, Page<Narrow>) = (Page::EMPTY, Page::EMPTY);
static NO_PAGES: (Directory<Wide>, Directory<Narrow>) = (Directory::empty(), Directory::empty());

const fn no_page<L: Layout>() -> *const Page<L> {
    if L::HAS_WORLD { (&raw const NO_PAGE.0).cast() } else { (&raw const NO_PAGE.1).cast() }
}

const fn no_pages<L: Layout>() -> *const Directory<L> {
    if L::HAS_WORLD { (&raw const NO_PAGES.0).cast() } else { (&raw const NO_PAGES.1).cast() }
}

/// From index to position. Owns its directories and pages.
#[repr(C)]
pub struct Sparse<L: Layout> {
    flat: Buffer<*const Page<L>>,
    top: Buffer<*const Directory<L>>,
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
    top: &'a [*const Directory<L>],
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
        let (top, page) = split(index);
        let directory = self.top.get(top).map_or(no_pages(), |directory| *directory);
        // SAFETY: directories are owned by the `Sparse` or static, always initialised, never null.
        unsafe { (*directory).pages[page] }
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
        // SAFETY: directories are owned by this or static, always initialised, never null.
        unsafe { (*self.directory(index)).real }
    }

    /// The first index from `index` on whose page is real.
    #[must_use]
    pub fn next_real(&self, index: u32) -> Option<u32> {
        let index = next_page(index, self.end(), |index| self.real_pages(index));
        (index < self.end()).then_some(index)
    }

    /// The page of an index, and those behind it under its directory.
    #[inline(always)]
    #[must_use]
    pub fn neighbours(&self, index: u32) -> &[&Page<L>] {
        let page = split(index).1;
        // SAFETY: directories are owned by this or static, always initialised; none of their pages is null,
        // and all live as long as this is borrowed.
        unsafe {
            let first = (&raw const (*self.directory(index)).pages).cast::<&Page<L>>().add(page);
            core::slice::from_raw_parts(first, PAGES - page)
        }
    }

    #[inline(always)]
    fn directory(&self, index: u32) -> *const Directory<L> {
        self.top.get(split(index).0).map_or(no_pages(), |directory| *directory)
    }

    /// What readers found out about the region of an index, if it has pages.
    #[inline(always)]
    fn known(&self, index: u32) -> Option<Known<'_>> {
        let directory = self.directory(index).cast_mut();
        // SAFETY: one that isn't static is owned by this, made to be written to, and lives as long as this is borrowed, during
        // which nobody touches these two but as here.
        (directory.cast_const() != no_pages()).then(|| unsafe {
            let pages = (&raw mut (*directory).known).cast::<u64>();
            Known { pages: AtomicU64::from_ptr(pages), change: AtomicU64::from_ptr(pages.add(1)) }
        })
    }

    /// How many pages from that of an index on, at most `most` of its directory's, have all their entities as members, in order
    /// from a position on over all of them. `change` is the pool's last one, whose number is never 0.
    #[inline(never)]
    #[must_use]
    pub fn full_pages(&self, index: u32, position: u32, most: usize, change: u64) -> usize {
        let (page, pages) = (split(index).1, self.neighbours(index));
        let Some(known) = self.known(index) else { return 0 };
        let (first, end) = known.after(change);
        let sure = if first <= page && page < end && pages[0].are_all(0, u64::MAX, position.wrapping_add(64))
        {
            most.min(end - page)
        } else {
            0
        };
        #[allow(clippy::cast_possible_truncation)]
        let next = position.wrapping_add((sure * PAGE) as u32);
        let found = sure + Page::full_runs(&pages[sure..most], next);
        if found > 1 && page + found > end {
            known.learn(change, (if sure > 0 { first } else { page }, page + found));
        }
        found
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
            self.top.extend_reserved((0..more).map(|_| no_pages()));
        }
        // It only spares a look: where there is no memory for it, the directories do.
        let _ = self.lengthen_flat(memory, index as usize / PAGE);
        let made = make(memory, Page::<L>::OWN, &mut self.bytes)?;
        if self.top[top] == no_pages() {
            match make(memory, Directory::<L>::empty(), &mut self.bytes) {
                Ok(directory) => self.top[top] = directory.as_ptr(),
                Err(error) => {
                    // SAFETY: made above, and nobody else knows it.
                    unsafe { drop_from(memory, made.as_ptr(), &mut self.bytes) };
                    return Err(error);
                }
            }
        }
        // SAFETY: the directory is this one's own now.
        let directory = unsafe { &mut *self.top[top].cast_mut() };
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
        self.flat.extend_reserved((old..page + 1).map(|page| {
            let directory = top.get(page / PAGES).map_or(no_pages(), |directory| *directory);
            // SAFETY: directories are owned by this or static, always initialised, never null.
            unsafe { (*directory).pages[page % PAGES] }
        }));
        Ok(())
    }

    /// Gives back the pages without members, and the directories without pages.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.release(memory, false);
        self.top.shrink_to_used(memory, |directory| *directory != no_pages());
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
        for (region, place) in regions.filter(|(_, place)| **place != no_pages()) {
            // SAFETY: what isn't shared is this one's own; it is forgotten as it is given back.
            unsafe {
                let directory = &mut *place.cast_mut();
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
                    drop_from(memory, place.cast_mut(), &mut self.bytes);
                    *place = no_pages();
                }
            }
        }
    }
}

fn make<T>(memory: &mut Memory, value: T, bytes: &mut usize) -> Result<NonNull<T>, Error> {
    let at = memory.take(size_of::<T>(), align_of::<T>())?.cast::<T>();
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
    unsafe { memory.give(NonNull::new_unchecked(at).cast(), size_of::<T>(), align_of::<T>()) };
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::*;
    use crate::core::storage::kinds::Kinds;
    use crate::core::storage::memory::Allocator;
    use crate::core::storage::pool::{Pool, Shape};

    /// Whatever was asked before, and changed since: what is known of a region says no more and no less than its pages.
    fn what_is_known_is_so<L: Layout>(steps: u32) {
        const LAST: u32 = if cfg!(miri) { 4 * PAGE as u32 } else { 2 * REGION as u32 };
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut kinds = Kinds::default();
        let mut pool = Pool::<L>::new(1, 0, Shape { size: 4, align: 4, stable: false });
        let mut seed = 1;
        let mut random = |most: u32| {
            seed = (seed ^ seed << 13_u32) & u32::MAX as u64;
            seed ^= seed >> 17;
            seed = (seed ^ seed << 5) & u32::MAX as u64;
            seed as u32 % most
        };
        let put = |pool: &mut Pool<L>, memory: &mut Memory, kinds: &mut Kinds, index: u32| {
            let entity = L::pack(index, 1);
            let spot = pool.spot(entity);
            if spot.position.is_none() {
                pool.add(memory, kinds, entity, &spot, None).unwrap();
            }
        };
        (PAGE as u32..LAST).for_each(|index| put(&mut pool, &mut memory, &mut kinds, index));
        let mut known = 0;
        for step in 0..steps {
            for _ in 0..random(4) {
                let first = random(LAST / PAGE as u32) * PAGE as u32;
                let most = 1 + random((PAGES - split(first).1) as u32) as usize;
                let pages = &pool.sparse().neighbours(first)[..most];
                let position = pool.position(L::pack(first, 1)).unwrap_or(0) + random(20) / 19;
                let found = pool.sparse().full_pages(first, position, most, pool.changes());
                assert_eq!(found, Page::full_runs(pages, position), "step {step}, {first}, {most} pages");
                known += usize::from(found > 1);
            }
            let index = random(LAST);
            match random(8) {
                // The last one fills a gap, so two are out of order: or all of them come anew.
                0 => pool.remove(&mut kinds, pool.spot(L::pack(index, 1))),
                1 => put(&mut pool, &mut memory, &mut kinds, index),
                2 => {
                    for index in PAGE as u32..LAST {
                        let spot = pool.spot(L::pack(index, 1));
                        if spot.position.is_some() {
                            pool.remove(&mut kinds, spot);
                        }
                    }
                    let from = random(1000);
                    (from..LAST).for_each(|index| put(&mut pool, &mut memory, &mut kinds, index));
                }
                _ => {}
            }
        }
        let least = if cfg!(miri) { 0 } else { steps as usize / 4 };
        assert!(known > least, "{known} runs of several pages");
        pool.free(&mut memory);
        kinds.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }

    #[test]
    fn what_is_known_of_a_region_is_so() {
        let steps = if cfg!(miri) { 20 } else { 200 };
        what_is_known_is_so::<Wide>(steps);
        what_is_known_is_so::<Narrow>(steps);
    }
}
