//! The indices of matches and the addresses of their elements: what most of a join's time goes to where entities
//! come and go. One by one, or by eights with AVX2.
//!
//! ```text
//!   picks      7    9   12   13         slots      -> positions   40  1700  3  1100
//!   positions  -> pages of the packed half         -> addresses   page + position * size
//! ```

use super::gather::Means;
use crate::core::ids::Layout;
use crate::core::storage::packed::{self, Near};
use crate::core::storage::page::{Page, rank};
use crate::core::storage::pool::Pool;

/// The bits of each byte, in order: how a word becomes numbers, eight bits at a time.
static BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(target_arch = "x86_64")]
const LARGE_BITS: i32 = packed::LARGE.ilog2().cast_signed();

/// One by one.
pub struct OneByOne;

impl Means for OneByOne {
    #[inline(always)]
    unsafe fn indices(mut word: u32, bits: &u64, mut at: *mut u32) -> *mut u32 {
        for byte in bits.to_le_bytes() {
            let eight = BITS[byte as usize].map(|bit| word + u32::from(bit));
            // SAFETY: the eight begin where at most the last one is.
            unsafe {
                at.cast::<[u32; 8]>().write_unaligned(eight);
                at = at.add(byte.count_ones() as usize);
            }
            word += 8;
        }
        at
    }

    #[inline(always)]
    fn scattered<L: Layout>(
        pool: &Pool<L>,
        page: &Page<L>,
        count: usize,
        picks: &[u32],
        rows: &mut [*mut u8],
    ) {
        let elements = pool.packed().lookup();
        for (row, index) in rows.iter_mut().zip(picks).take(count) {
            // SAFETY: the position of a member is in use.
            *row = unsafe { elements.element(page.position(*index)) };
        }
    }

    #[inline(always)]
    fn in_order(base: *mut u8, size: usize, members: u64, matches: u64, picks: &[u32], rows: &mut [*mut u8]) {
        let count = matches.count_ones() as usize;
        for (row, index) in rows.iter_mut().zip(picks).take(count) {
            *row = base.wrapping_add(rank(members, *index) as usize * size);
        }
    }
}

/// By eights.
#[cfg(target_arch = "x86_64")]
pub struct ByEights;

#[cfg(target_arch = "x86_64")]
impl Means for ByEights {
    #[inline(always)]
    unsafe fn indices(word: u32, bits: &u64, at: *mut u32) -> *mut u32 {
        // SAFETY: these means are for levels that have AVX2; the room is there.
        unsafe { indices_by_eights(word, bits, at) }
    }

    #[inline(always)]
    fn scattered<L: Layout>(
        pool: &Pool<L>,
        page: &Page<L>,
        count: usize,
        picks: &[u32],
        rows: &mut [*mut u8],
    ) {
        // SAFETY: these means are for levels that have AVX2.
        unsafe { by_eights(pool, page, count, picks, rows) };
    }

    #[inline(always)]
    fn in_order(base: *mut u8, size: usize, members: u64, matches: u64, picks: &[u32], rows: &mut [*mut u8]) {
        // SAFETY: as above, and BMI2.
        unsafe { ranks_by_eights(base, size, members, matches, picks, rows) };
    }
}

/// The indices of the bits of a word, a byte at a time: said in instructions, because a table of bytes added to a number
/// becomes five where one will do.
///
/// # Safety
/// As for `Means::indices`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,avx2")]
#[inline]
unsafe fn indices_by_eights(word: u32, bits: &u64, mut at: *mut u32) -> *mut u32 {
    use core::arch::x86_64::*;
    let (mut first, eight) = (_mm256_set1_epi32(word.cast_signed()), _mm256_set1_epi32(8));
    let mut next = |byte: usize| {
        // SAFETY: the word has eight bytes; the table's row has eight; the eight numbers begin where at most the last one
        // is. Volatile: each byte is loaded, because moved out of the word it takes three instructions.
        unsafe {
            let byte = core::ptr::from_ref(bits).cast::<u8>().add(byte).read_volatile();
            let row = _mm256_cvtepu8_epi32(_mm_loadl_epi64(BITS[byte as usize].as_ptr().cast()));
            _mm256_storeu_si256(at.cast(), _mm256_add_epi32(first, row));
            at = at.add(byte.count_ones() as usize);
        }
        first = _mm256_add_epi32(first, eight);
    };
    next(0);
    next(1);
    next(2);
    next(3);
    next(4);
    next(5);
    next(6);
    next(7);
    at
}

/// The addresses of members in order: those with the ranks of the matches among the members. Rows behind the last
/// are spoilt, as by `by_eights`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
#[inline]
fn ranks_by_eights(
    base: *mut u8,
    size: usize,
    members: u64,
    matches: u64,
    picks: &[u32],
    rows: &mut [*mut u8],
) {
    use core::arch::x86_64::*;
    let count = matches.count_ones() as usize;
    assert!(picks.len() >= count.next_multiple_of(8) && rows.len() >= count.next_multiple_of(8));
    #[allow(clippy::cast_possible_wrap)]
    let (bases, sizes) = (_mm256_set1_epi64x(base as i64), _mm256_set1_epi64x(size as i64));
    // The bits of the matches, moved together as the members are: the bit's number is the rank.
    let ranks = _pext_u64(matches, members);
    if members == u64::MAX {
        let mask = _mm_set1_epi32(63);
        let four = |first: usize, rows: &mut [*mut u8]| {
            // SAFETY: so many picks and rows are there.
            unsafe {
                let rank = _mm_and_si128(_mm_loadu_si128(picks.as_ptr().add(first).cast()), mask);
                let offset = _mm256_mul_epu32(_mm256_cvtepu32_epi64(rank), sizes);
                _mm256_storeu_si256(rows.as_mut_ptr().add(first).cast(), _mm256_add_epi64(bases, offset));
            }
        };
        let mut first = 0;
        while first < count {
            four(first, rows);
            four(first + 4, rows);
            first += 8;
        }
    } else if ranks >> ranks.trailing_zeros() & (ranks >> ranks.trailing_zeros()).wrapping_add(1) == 0 {
        // Side by side.
        let at = base.wrapping_add(ranks.trailing_zeros() as usize * size);
        let four = [at, at.wrapping_add(size), at.wrapping_add(2 * size), at.wrapping_add(3 * size)];
        // SAFETY: four addresses are as large; so many rows are there.
        unsafe {
            let (mut row, end) = (rows.as_mut_ptr(), rows.as_mut_ptr().add(count));
            let (mut at, more) = (_mm256_loadu_si256(four.as_ptr().cast()), _mm256_slli_epi64::<2>(sizes));
            while row < end {
                _mm256_storeu_si256(row.cast(), at);
                at = _mm256_add_epi64(at, more);
                row = row.add(4);
            }
        }
    } else {
        let mut left = ranks;
        let mut next = || {
            let row = base.wrapping_add(left.trailing_zeros() as usize * size);
            left &= left.wrapping_sub(1);
            row
        };
        for four in rows[..count.next_multiple_of(4)].chunks_exact_mut(4) {
            four.copy_from_slice(&[next(), next(), next(), next()]);
        }
    }
}

/// Whether positions below `len` can be compared as signed numbers.
#[cfg(target_arch = "x86_64")]
pub const fn fits_eights(len: u32) -> bool {
    len > 0 && len < i32::MAX as u32
}

/// By eights: up to seven picks behind the last are looked up too, and up to seven rows behind it are spoilt.
/// Whatever those picks are, their slots lie in the page.
///
/// Slots are read one by one, and pages are looked up in registers where they are few: gathering eight numbers that lie
/// about takes some processors longer than all the work with them.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
pub fn by_eights<L: Layout>(
    pool: &Pool<L>,
    page: &Page<L>,
    count: usize,
    picks: &[u32],
    rows: &mut [*mut u8],
) {
    let eights = count + 7 & !7;
    let (picks, rows) = (&picks[..eights], &mut rows[..eights]);
    match pool.packed().near() {
        Some(near) if pool.packed().capacity() <= Near::end(8) => {
            eights_of_few::<L, false>(pool, near, page, picks, rows);
        }
        Some(near) => eights_of_few::<L, true>(pool, near, page, picks, rows),
        None => eights_of_many(pool, page, picks, rows),
    }
}

/// Of a pool that has few pages: sixteen places, or eight.
///
/// ```text
///   lower halves of addresses    | 8 pages | 8 more |     what is looked up is a half of eight addresses at a time;
///   upper halves                 | 8 pages | 8 more |     of picks 0 1 4 5 2 3 6 7, so that halves come together as
///                                                         addresses 0 1 2 3 and 4 5 6 7
/// ```
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn eights_of_few<L: Layout, const SIXTEEN: bool>(
    pool: &Pool<L>,
    near: &Near,
    page: &Page<L>,
    picks: &[u32],
    rows: &mut [*mut u8],
) {
    use core::arch::x86_64::*;
    // SAFETY: eight numbers each; they are aligned.
    let eight = |half: &[u32; Near::PLACES], first: usize| unsafe {
        _mm256_load_si256(half.as_ptr().add(first).cast())
    };
    let (low, high) = (eight(&near.low, 0), eight(&near.high, 0));
    let (low_more, high_more) = (eight(&near.low, 8), eight(&near.high, 8));
    let size = _mm256_set1_epi64x(pool.packed().lookup().size() as u32 as i64);
    let last = _mm256_set1_epi32((pool.len() - 1).cast_signed());
    #[allow(clippy::cast_possible_wrap)]
    let position_bits = _mm256_set1_epi32(L::NO_INDEX as i32);
    let last_small = _mm256_set1_epi32(64 + Near::LAST_SMALL.cast_signed());
    for (picks, rows) in picks.chunks_exact(8).zip(rows.chunks_exact_mut(8)) {
        let at = |number: usize| page.low(picks[number]).cast_signed();
        let position = _mm256_setr_epi32(at(0), at(1), at(4), at(5), at(2), at(3), at(6), at(7));
        let position = _mm256_min_epu32(_mm256_and_si256(position, position_bits), last);
        // The place, and 64. Small pages are four times as large as the one before: half the exponent as a float, which
        // begins at 127, rounded up. Large ones are all alike.
        let exponent = _mm256_castps_si256(_mm256_cvtepi32_ps(position));
        let small = _mm256_srli_epi32::<24>(_mm256_add_epi32(exponent, _mm256_set1_epi32(1 << 23)));
        let small = _mm256_min_epi32(small, last_small);
        let place = _mm256_add_epi32(small, _mm256_srli_epi32::<LARGE_BITS>(position));
        let (mut low, mut high) =
            (_mm256_permutevar8x32_epi32(low, place), _mm256_permutevar8x32_epi32(high, place));
        if SIXTEEN {
            let is_more = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(place));
            let or_more = |eight, more| {
                let more = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(more, place));
                _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(eight), more, is_more))
            };
            (low, high) = (or_more(low, low_more), or_more(high, high_more));
        }
        let front = _mm256_mul_epu32(_mm256_unpacklo_epi32(position, position), size);
        let back = _mm256_mul_epu32(_mm256_unpackhi_epi32(position, position), size);
        // SAFETY: eight rows are there.
        unsafe {
            let at = rows.as_mut_ptr();
            _mm256_storeu_si256(at.cast(), _mm256_add_epi64(_mm256_unpacklo_epi32(low, high), front));
            _mm256_storeu_si256(at.add(4).cast(), _mm256_add_epi64(_mm256_unpackhi_epi32(low, high), back));
        }
    }
}

/// Of any pool. Positions that aren't in use become the last one.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn eights_of_many<L: Layout>(pool: &Pool<L>, page: &Page<L>, picks: &[u32], rows: &mut [*mut u8]) {
    use core::arch::x86_64::*;
    let elements = pool.packed().lookup();
    let entries = elements.entries_at().cast::<i64>();
    let last = _mm256_set1_epi32((pool.len() - 1).cast_signed());
    let size = _mm256_set1_epi64x(elements.size() as u32 as i64);
    let small_pages = _mm256_set1_epi32(packed::SMALL.cast_signed());
    let before_large = _mm256_set1_epi32(packed::LARGE.cast_signed() - 1);
    let four = |position: __m128i, twice: __m128i, rows: *mut *mut u8| {
        let offset = _mm256_mul_epu32(_mm256_cvtepu32_epi64(position), size);
        // SAFETY: addresses of pages by positions below the length; four rows are there.
        unsafe {
            let base = _mm256_i32gather_epi64::<8>(entries, twice);
            _mm256_storeu_si256(rows.cast(), _mm256_add_epi64(base, offset));
        }
    };
    for (picks, rows) in picks.chunks_exact(8).zip(rows.chunks_exact_mut(8)) {
        let at = |number: usize| page.position(picks[number]).cast_signed();
        let position = _mm256_setr_epi32(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
        let position = _mm256_min_epu32(position, last);
        // The number of bits of position / 16, from the exponent of it as a float: see `packed::entry_of`.
        let small = _mm256_cvtepi32_ps(_mm256_srli_epi32::<4>(position));
        let small = _mm256_srli_epi32::<23>(_mm256_castps_si256(small));
        let small = _mm256_sub_epi32(small, _mm256_set1_epi32(126));
        let small = _mm256_max_epi32(small, _mm256_setzero_si256());
        let large = _mm256_add_epi32(_mm256_srli_epi32::<LARGE_BITS>(position), small_pages);
        let is_large = _mm256_cmpgt_epi32(position, before_large);
        let entry = _mm256_blendv_epi8(small, large, is_large);
        let twice = _mm256_add_epi32(entry, entry);
        let rows = rows.as_mut_ptr();
        four(_mm256_castsi256_si128(position), _mm256_castsi256_si128(twice), rows);
        let (position, twice) =
            (_mm256_extracti128_si256::<1>(position), _mm256_extracti128_si256::<1>(twice));
        // SAFETY: as above.
        four(position, twice, unsafe { rows.add(4) });
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::super::Level;
    use super::*;
    use crate::core::ids::{Narrow, Wide};
    use crate::core::storage::kinds::Kinds;
    use crate::core::storage::memory::{Allocator, Memory};
    use crate::core::storage::pool::Shape;

    fn both_find_the_same<L: Layout>(size: u32, range: u32) {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut kinds = Kinds::default();
        let mut pool = Pool::<L>::new(1, 0, Shape { size, align: 1, stable: false });
        let mut index = 0;
        for _ in 0..range / 8 * 5 {
            index = (index * 5 + 1013) % range;
            let entity = L::pack(index, 1);
            let spot = pool.spot(entity);
            pool.add(&mut memory, &mut kinds, entity, &spot, None).unwrap();
        }
        for word in (0..range).step_by(64) {
            let page = pool.sparse().page(word);
            let members: Vec<u32> = (word..word + 64).filter(|index| page.is_member(*index)).collect();
            let mut picks = members.clone();
            picks.resize(72, word + 63);
            let mut rows = [[core::ptr::null_mut(); 72]; 2];
            let count = members.len();
            OneByOne::scattered(&pool, page, count, &picks, &mut rows[0]);
            ByEights::scattered(&pool, page, count, &picks, &mut rows[1]);
            assert_eq!(rows[0][..count], rows[1][..count]);
            let bits = picks[..count].iter().fold(0, |bits: u64, index| bits | 1 << (index % 64));
            for members in [u64::MAX, bits, bits | 0xFF00_FF00, bits | 1 << 63] {
                OneByOne::in_order(rows[0][0], 12, members, bits, &picks, &mut rows[0]);
                let base = rows[1][0];
                // SAFETY: asked for below.
                unsafe { ranks_by_eights(base, 12, members, bits, &picks, &mut rows[1]) };
                let count = bits.count_ones() as usize;
                assert_eq!(rows[0][..count], rows[1][..count]);
                (rows[0][0], rows[1][0]) = (base, base);
            }
        }
        pool.free(&mut memory);
        kinds.free(&mut memory);
    }

    #[test]
    fn by_eights_finds_what_is_found_one_by_one() {
        if Level::V3.is_here() {
            // Eight pages, sixteen, and more.
            for range in [8 << 10, 64 << 10, 128 << 10] {
                for size in [1, 4, 12, 100] {
                    both_find_the_same::<Wide>(size, range);
                    both_find_the_same::<Narrow>(size, range);
                }
            }
        }
    }
}
