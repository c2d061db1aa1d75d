//! The pages of a join's pools: where matches are looked for, 64 entities at a time.
//!
//! A word's matches are a *run* if in every field they lie side by side. That is known without reading
//! a slot, from the page's words alone (`Page::word`): a run begins at the rank of the first match, and
//! must have no other member in between.
//!
//! ```text
//!   members   0110 1100      first at 30     bits 2, 3, 5, 6 are at 30, 31, 32, 33
//!   matches   0110 1000      bits 3, 5, 6    positions 31, 32, 33: a run
//!   matches   0100 1100      bits 2, 3, 6    positions 30, 31, 33: not one, because of bit 5
//! ```

use super::{Join, TERMS, Tracked};
use crate::core::ids::Layout;
use crate::core::storage::page::{Page, WORDS, before, rank};
use crate::core::storage::slice::checked;
use core::mem::MaybeUninit;

/// Something of each word of two pages. Not a loop: compiled for size, it would stay one.
#[inline(always)]
fn each(a: [u64; WORDS], b: [u64; WORDS], of: impl Fn(u64, u64) -> u64) -> [u64; WORDS] {
    [of(a[0], b[0]), of(a[1], b[1]), of(a[2], b[2]), of(a[3], b[3])]
}

/// Room for a page of every pool of a join.
pub type Pages<L> = [MaybeUninit<*const Page<L>>; TERMS];

/// A page of every pool of a join: those of the same 256 entities.
pub struct View<'a, L: Layout> {
    /// The join.
    pub join: &'a Join<L>,
    pages: &'a mut Pages<L>,
}

impl<'a, L: Layout> View<'a, L> {
    /// No pages yet: where a view's own go. Within a view they would be copied when it is handed on.
    pub const ROOM: Pages<L> = [MaybeUninit::uninit(); TERMS];

    /// Of the pages of an index, which are kept in a `ROOM`.
    #[inline(always)]
    pub fn at(join: &'a Join<L>, pages: &'a mut Pages<L>, index: u32) -> Self {
        let mut view = Self { join, pages };
        view.turn(index);
        view
    }

    /// Turns to the pages of another index.
    #[inline(always)]
    pub fn turn(&mut self, index: u32) {
        for (number, page) in self.pages.iter_mut().enumerate().take(self.join.pools.len()) {
            page.write(self.join.pool(number).sparse().page(index));
        }
    }

    #[inline(always)]
    fn page(&self, number: usize) -> &'a Page<L> {
        // SAFETY: `at` wrote the page of each pool; pages are as good as their pools.
        unsafe { &*self.pages[number].assume_init() }
    }

    #[inline(always)]
    pub fn page_of(&self, tracked: &Tracked) -> &'a Page<L> {
        self.page(tracked.pool as usize)
    }

    /// The matches among the 64 neighbours of an index.
    #[inline(always)]
    pub fn mask(&self, index: u32) -> u64 {
        self.join.mask_by(|number| self.page(number).members(index))
    }

    /// Whether somebody may match among the 64 neighbours of an index: a look at one pool, if one says no.
    #[inline(always)]
    pub fn may_match(&self, index: u32) -> bool {
        if self.join.with > 0 { self.page(0).members(index) != 0 } else { self.mask(index) != 0 }
    }

    /// Leaves the matches of each word of the page.
    #[inline(always)]
    pub fn mask_words(&self, masks: &mut [u64; WORDS]) {
        let [with, without, any] = self.join.ranges();
        let words = |number: usize| *self.page(number).words();
        for number in with {
            *masks = each(*masks, words(number), |a, b| a & b);
        }
        for number in without {
            *masks = each(*masks, words(number), |a, b| a & !b);
        }
        if !any.is_empty() {
            for (mask, index) in masks.iter_mut().zip((0..).step_by(64)) {
                *mask &= self.join.any_by(|number| self.page(number).members(index));
            }
        }
    }

    /// Whether the matches of a word lie side by side in the lead: a run begins with a look there.
    #[inline(always)]
    pub fn may_lie_so(&self, index: u32, matches: u64) -> bool {
        let Some(lead) = self.join.tracked.first() else { return false };
        let page = self.page_of(lead);
        page.behind(index).is_some() && before(page.members(index), matches).is_some()
    }

    /// Where the matches of a word lie in each tracked pool, if they are a run; returns which pools have
    /// none of them.
    #[inline(always)]
    pub fn place(&self, index: u32, matches: u64, at: &mut [u32; TERMS + 1]) -> Option<u64> {
        if self.join.with == 0 {
            return None;
        }
        let mut absent = 0;
        for (number, (tracked, at)) in self.join.tracked.iter().zip(at.iter_mut()).enumerate() {
            let (members, first) = self.page_of(tracked).word(index);
            if !tracked.required && members & matches == 0 {
                absent |= 1 << number;
                continue;
            }
            let first = first?;
            let low = matches.trailing_zeros();
            let span = u64::MAX << low & u64::MAX >> matches.leading_zeros();
            if members & span != matches {
                return None;
            }
            *at = first + rank(members, low);
        }
        Some(absent)
    }

    /// Where the members of the page lie in each tracked pool, if it is one of those that `pages_on` counts.
    #[inline(always)]
    pub fn guess(&self, index: u32, at: &mut [u32; TERMS + 1]) -> bool {
        for (tracked, at) in self.join.tracked.iter().zip(at.iter_mut()) {
            match self.page_of(tracked).word(index) {
                (u64::MAX, Some(first)) => *at = first,
                _ => return false,
            }
        }
        true
    }

    /// How many of the pages from an index on, at most `most`, go on with a run, all their 256 entities:
    /// the usual case, looked at one pool after the other.
    #[inline(never)]
    pub fn pages_on(&self, index: u32, positions: &[u32; TERMS + 1], count: u32, most: usize) -> usize {
        let [with, without, _] = self.join.ranges();
        let neighbours = |number: usize, pages: usize| {
            self.join.pool(number).sparse().neighbours(index).map(|neighbours| checked(neighbours, ..pages))
        };
        let mut pages = most;
        for (tracked, at) in self.join.tracked.iter().zip(positions) {
            pages = neighbours(tracked.pool.into(), pages)
                .map_or(0, |pages| Page::full_runs(pages, at.wrapping_add(count)));
        }
        if !self.join.all_tracked {
            for number in with {
                pages = neighbours(number, pages)
                    .map_or(0, |pages| pages.iter().take_while(|page| page.is_full()).count());
            }
        }
        for number in without {
            pages = neighbours(number, pages)
                .map_or(pages, |pages| pages.iter().take_while(|page| page.is_vacant()).count());
        }
        pages
    }
}
