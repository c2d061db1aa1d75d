//! Gathers: of words with matches, the indices of the matches and the addresses of their elements.

use super::batch::{PICKS, SPARE};
use crate::core::ids::Layout;
use crate::core::storage::packed;
use crate::core::storage::page::{PAGE, Page, rank};
use crate::core::storage::pool::Pool;
use crate::core::storage::prefetch::prefetch_all;
use core::mem::MaybeUninit;

/// Words with matches, for a gather.
pub struct Words {
    at: MaybeUninit<[(u32, u64); PICKS]>,
    len: usize,
}

impl Words {
    /// None, in a place: made there, because a value that is returned would be written whole.
    #[inline(always)]
    pub const fn none(place: &mut MaybeUninit<Self>) -> &mut Self {
        // SAFETY: the length is written, and the words need no value.
        unsafe {
            (&raw mut (*place.as_mut_ptr()).len).write(0);
            place.assume_init_mut()
        }
    }

    /// There is room: each word has a match, and there are at most `PICKS`.
    #[inline(always)]
    pub fn push(&mut self, index: u32, matches: u64) {
        assert!(self.len < PICKS);
        // SAFETY: within the array.
        unsafe { self.at.as_mut_ptr().cast::<(u32, u64)>().add(self.len).write((index & !63, matches)) };
        self.len += 1;
    }

    #[inline(always)]
    fn all(&self) -> &[(u32, u64)] {
        // SAFETY: the first `len` were written.
        unsafe { core::slice::from_raw_parts(self.at.as_ptr().cast(), self.len) }
    }
}

/// Writes the indices of all matches; eight at a time, so up to seven behind the last are spoilt. Eight zeros
/// follow, because `scatter::by_eights` reads up to seven behind the last, and an iterator begins uninitialised.
#[inline(always)]
pub fn pick<M: Means>(words: &Words, picks: &mut [u32; PICKS + SPARE]) {
    let mut at = picks.as_mut_ptr();
    for (word, bits) in words.all() {
        if bits.count_ones() <= 8 {
            let mut matches = *bits;
            while matches != 0 {
                // SAFETY: there are at most `PICKS` matches in all, and room for 8 more.
                unsafe {
                    at.write(word + matches.trailing_zeros());
                    at = at.add(1);
                }
                matches &= matches - 1;
            }
            continue;
        }
        // SAFETY: as above.
        at = unsafe { M::indices(*word, bits, at) };
    }
    // SAFETY: as above.
    unsafe { at.cast::<[u32; 8]>().write_unaligned([0; 8]) };
}

/// How indices and addresses are worked out: one by one, or by eights.
pub trait Means {
    /// Writes the indices of the bits of a word, the first of which is `word`; returns the place behind the last.
    ///
    /// # Safety
    /// There is room for all of them, and for eight more.
    unsafe fn indices(word: u32, bits: &u64, at: *mut u32) -> *mut u32;

    /// Those of `count` members of a page that lie who knows where. Up to seven rows behind the last may be spoilt.
    fn scattered<L: Layout>(
        pool: &Pool<L>,
        page: &Page<L>,
        count: usize,
        picks: &[u32],
        rows: &mut [*mut u8],
    );

    /// Those of members that lie in order from `base` on, of `size` bytes each.
    fn in_order(base: *mut u8, size: usize, members: u64, matches: u64, picks: &[u32], rows: &mut [*mut u8]);
}

/// Writes the addresses of all matches in one pool.
///
/// ```text
///   in order     first + rank of the bit among the members
///   else         as the slots say: all matches of a page at once
/// ```
#[inline(always)]
pub fn addresses<L: Layout, M: Means>(pool: &Pool<L>, words: &Words, picks: &[u32], rows: &mut [*mut u8]) {
    let lookup = pool.packed().lookup();
    let sparse = pool.sparse();
    let far = is_far(pool);
    let mut done = 0;
    let mut words = words.all();
    while let [(word, matches), rest @ ..] = words {
        let (word, matches) = (*word, *matches);
        words = rest;
        let page = sparse.page(word);
        let mut count = matches.count_ones() as usize;
        let (members, first) = page.word(word);
        let (now, at) = (&picks[done..], &mut rows[done..]);
        if members & matches != matches {
            for (row, index) in at.iter_mut().zip(now).take(count) {
                let there = members >> (index % 64) & 1 != 0;
                // SAFETY: a member's position is in use.
                let element = || unsafe { lookup.element(page.position(*index)) };
                *row = if there { element() } else { core::ptr::null_mut() };
            }
        } else if let Some(first) = first
            && count < FEW
        {
            for (row, index) in at.iter_mut().zip(now).take(count) {
                // SAFETY: as above.
                *row = unsafe { lookup.element(first + rank(members, *index)) };
            }
        } else if let Some(first) = first
            && packed::is_one_page(first, first + members.count_ones() - 1)
        {
            // SAFETY: as above; all members lie in one page.
            let base = unsafe { lookup.element(first) };
            M::in_order(base, lookup.size(), members, matches, now, at);
        } else {
            // The matches of neighbouring words that lie about in the same page go with them.
            while let [(next, more), rest @ ..] = words
                && next / PAGE as u32 == word / PAGE as u32
                && let (members, None) = page.word(*next)
                && members & more == *more
            {
                count += more.count_ones() as usize;
                words = rest;
            }
            M::scattered(pool, page, count, now, at);
            if far {
                prefetch_all(&at[..count]);
            }
        }
        done += count;
    }
}

/// Fewer are ranked one by one.
const FEW: usize = 3;

/// Bytes of a pool that the caches nearest to a core hold: what lies in them isn't asked for ahead.
const NEAR: usize = 1 << 19;

/// Whether a pool's elements are asked for ahead.
#[inline(always)]
pub fn is_far<L: Layout>(pool: &Pool<L>) -> bool {
    pool.len() as usize * pool.packed().lookup().size() > NEAR
}
