//! Gathers: of words with matches, the indices of the matches and the addresses of their elements.

use super::batch::{PICKS, SPARE};
use crate::core::ids::Layout;
use crate::core::storage::page::{PAGE, Page, before};
use crate::core::storage::pool::Pool;
use crate::core::storage::prefetch::{prefetch_after, prefetch_all, prefetch_from};
use crate::core::storage::slice::{check, checked, checked_mut};
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
        check(self.len < PICKS);
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
    /// How many bits are set.
    fn count(bits: u64) -> u32;

    /// Writes the indices of the bits of a word, the first of which is `word`; returns the place behind the last.
    ///
    /// # Safety
    /// There is room for all of them, and for eight more.
    unsafe fn indices(word: u32, bits: &u64, at: *mut u32) -> *mut u32;

    /// Writes the addresses of `count` members of a page that lie who knows where. Up to seven rows behind the last may be
    /// spoilt.
    fn scattered<L: Layout>(
        pool: &Pool<L>,
        page: &Page<L>,
        count: usize,
        picks: &[u32],
        rows: &mut [*mut u8],
    );

    /// Those of `count` members who lie as their indices do, of `size` bytes each; that of index 0 would be `origin`. Rows
    /// may be spoilt likewise.
    fn by_index(origin: *mut u8, size: usize, count: usize, picks: &[u32], rows: &mut [*mut u8]);

    /// Those of `count` members side by side, from `first` on. Rows may be spoilt likewise.
    fn side_by_side(first: *mut u8, size: usize, count: usize, rows: &mut [*mut u8]);
}

/// Writes the addresses of all matches in one pool, a stretch of words at a time that lie in it alike. `all`: all of them are
/// in it.
///
/// ```text
///   everybody is a member, in order        origin + index * size
///   the matches lie side by side           first, first + size, ...
///   in order, others in between            first + rank of the bit among the members * size
///   else                                   as the slots say: all matches of a page at once
/// ```
#[inline(always)]
pub fn addresses<L: Layout, M: Means>(
    pool: &Pool<L>,
    all: bool,
    words: &Words,
    picks: &[u32],
    rows: &mut [*mut u8],
) {
    let (packed, pages) = (pool.packed(), pool.sparse().lookup());
    let (elements, size) = (packed.lookup(), packed.size());
    let (mut done, mut asks) = (0, false);
    let mut words = words.all();
    while let [(word, matches), rest @ ..] = words {
        let (word, matches) = (*word, *matches);
        words = rest;
        let page = pages.at(word);
        let mut count = M::count(matches) as usize;
        let (now, at) = (checked(picks, done..), checked_mut(rows, done..));
        let (members, behind) = (page.members(word), page.behind(word));
        if !all && members & matches != matches {
            // One after the other of those who are there: a branch for each match would be guessed wrong at every other.
            checked_mut(at, ..count).fill(core::ptr::null_mut());
            let mut there = members & matches;
            while there != 0 {
                let position = page.position(word + there.trailing_zeros());
                let rank = M::count(matches & (there - 1) & !there) as usize;
                // SAFETY: a member's position is in use.
                *checked_mut(at, rank) = unsafe { elements.element(position) };
                there &= there - 1;
            }
        } else if let Some(behind) = behind
            && let first = behind.wrapping_sub(M::count(members))
            && let end = packed.page_end(first)
            && behind <= end
        {
            // SAFETY: as above; all members of the word lie in one page of the packed half.
            let base = unsafe { elements.element(first) };
            if members == u64::MAX {
                let (ahead, last) = (first.wrapping_sub(word), end - 64);
                while let [(next, more), rest @ ..] = words
                    && let position = ahead.wrapping_add(*next)
                    && pages.at(*next).are_all(*next, u64::MAX, position.wrapping_add(64))
                    && position <= last
                {
                    count += M::count(*more) as usize;
                    words = rest;
                }
                M::by_index(base.wrapping_sub((word as usize).wrapping_mul(size)), size, count, now, at);
            } else if let Some(before) = before(members, matches) {
                let skipped = M::count(before);
                let mut behind = first + skipped + count as u32;
                while let [(next, more), rest @ ..] = words
                    && let some = M::count(*more)
                    && pages.at(*next).are_all(*next, *more, behind + some)
                    && behind + some <= end
                {
                    behind += some;
                    count += some as usize;
                    words = rest;
                }
                M::side_by_side(base.wrapping_add(skipped as usize * size), size, count, at);
            } else {
                for (row, index) in at.iter_mut().zip(now).take(count) {
                    *row = base.wrapping_add(M::count(members & !(u64::MAX << (index % 64))) as usize * size);
                }
            }
        } else {
            while let [(next, more), rest @ ..] = words
                && next / PAGE as u32 == word / PAGE as u32
                && page.behind(*next).is_none()
                && (all || page.members(*next) & more == *more)
            {
                count += M::count(*more) as usize;
                words = rest;
            }
            M::scattered(pool, page, count, now, at);
            asks |= is_far(pool);
            if asks {
                prefetch_all(checked(at, ..count));
            }
        }
        done += count;
    }
    if asks {
        look_ahead(pool, checked(picks, ..done), *checked(rows, done - 1));
    }
}

/// Asks for what the next batch will need, in all likelihood: the slots of as many indices as this one spans, up to a page of
/// them, where they are, as pages that follow one another needn't lie so; and as many elements as it has.
#[inline(never)]
fn look_ahead<L: Layout>(pool: &Pool<L>, picks: &[u32], row: *const u8) {
    let [first, .., last] = picks else { return };
    let (mut left, mut next) = ((last - first + 1).min(PAGE as u32), last.wrapping_add(1));
    while left > 0 {
        let page = pool.sparse().page(next);
        let some = left.min(PAGE as u32 - next % PAGE as u32);
        if next.is_multiple_of(PAGE as u32) {
            prefetch_from(page, Page::<L>::HEAD);
        }
        prefetch_from(page.slot_at(next), some as usize * size_of::<L::Slot>());
        next = next.wrapping_add(some);
        left -= some;
    }
    prefetch_after(row, picks.len() * pool.packed().size());
}

/// Bytes of a pool that the caches nearest to a core hold: what lies in them isn't asked for ahead.
const NEAR: usize = 1 << 19;

/// Whether a pool's elements are asked for ahead.
#[inline(always)]
pub fn is_far<L: Layout>(pool: &Pool<L>) -> bool {
    pool.len() as usize * pool.packed().lookup().size() > NEAR
}
