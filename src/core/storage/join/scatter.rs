//! The indices of matches and the addresses of their elements: what most of a join's time goes to where entities
//! come and go. One by one, or by eights with AVX2.
//!
//! ```text
//!   picks      7    9   12   13         slots      -> positions   40  1700  3  1100
//!   positions  -> pages of the packed half         -> addresses   page + position * size
//! ```

use super::gather::Means;
use crate::core::ids::Layout;
#[cfg(target_arch = "x86_64")]
use crate::core::storage::eights::Finder;
use crate::core::storage::page::Page;
use crate::core::storage::pool::Pool;
#[cfg(target_arch = "x86_64")]
use crate::core::storage::slice::checked;
use crate::core::storage::slice::checked_mut;

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

/// One by one.
pub struct OneByOne;

impl Means for OneByOne {
    #[inline(never)] // Where it is no instruction, it is twenty.
    fn count(bits: u64) -> u32 {
        bits.count_ones()
    }

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

    #[inline(never)] // One for both layouts.
    fn by_index(origin: *mut u8, size: usize, count: usize, picks: &[u32], rows: &mut [*mut u8]) {
        for (row, index) in rows.iter_mut().zip(picks).take(count) {
            *row = origin.wrapping_add((*index as usize).wrapping_mul(size));
        }
    }

    #[inline(never)] // As above.
    fn side_by_side(first: *mut u8, size: usize, count: usize, rows: &mut [*mut u8]) {
        let (fours, rest) = checked_mut(rows, ..count).as_chunks_mut::<4>();
        let mut at = first;
        for four in fours {
            *four = [at, at.wrapping_add(size), at.wrapping_add(2 * size), at.wrapping_add(3 * size)];
            at = at.wrapping_add(4 * size);
        }
        for row in rest {
            *row = at;
            at = at.wrapping_add(size);
        }
    }
}

/// By eights.
#[cfg(target_arch = "x86_64")]
pub struct ByEights;

#[cfg(target_arch = "x86_64")]
impl Means for ByEights {
    #[inline(always)]
    fn count(bits: u64) -> u32 {
        bits.count_ones()
    }

    #[inline(always)]
    unsafe fn indices(word: u32, bits: &u64, at: *mut u32) -> *mut u32 {
        // SAFETY: these means are for V3 and what has more (`Level::is_here`); the room is there.
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
        // SAFETY: these means are for V3 and what has more.
        unsafe { by_eights(pool, page, count, picks, rows) };
    }

    #[inline(always)]
    fn by_index(origin: *mut u8, size: usize, count: usize, picks: &[u32], rows: &mut [*mut u8]) {
        // SAFETY: as above.
        unsafe { index_by_eights(origin, size, count, picks, rows) };
    }

    #[inline(always)]
    fn side_by_side(first: *mut u8, size: usize, count: usize, rows: &mut [*mut u8]) {
        // SAFETY: as above.
        unsafe { side_by_eights(first, size, count, rows) };
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

/// The addresses of members who lie as their indices do. Up to seven picks behind the last are read.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
#[inline]
fn index_by_eights(origin: *mut u8, size: usize, count: usize, picks: &[u32], rows: &mut [*mut u8]) {
    use core::arch::x86_64::*;
    let eights = (count + 7) & !7;
    let (picks, rows) = (checked(picks, ..eights), checked_mut(rows, ..eights));
    // An index and a size have 32 bits: known, it takes one multiplication.
    #[allow(clippy::cast_possible_wrap, clippy::cast_possible_truncation)]
    let (origins, sizes) = (_mm256_set1_epi64x(origin as i64), _mm256_set1_epi64x((size as u32).into()));
    let mut number = 0;
    while number < eights {
        // SAFETY: eight picks and eight rows are there.
        unsafe {
            let at = picks.as_ptr().add(number);
            let four = |at: *const u32| _mm256_cvtepu32_epi64(_mm_loadu_si128(at.cast()));
            let address = |four| _mm256_add_epi64(origins, _mm256_mul_epu32(four, sizes));
            let row = rows.as_mut_ptr().add(number);
            _mm256_storeu_si256(row.cast(), address(four(at)));
            _mm256_storeu_si256(row.add(4).cast(), address(four(at.add(4))));
        }
        number += 8;
    }
}

/// The addresses of members side by side.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
#[inline]
fn side_by_eights(first: *mut u8, size: usize, count: usize, rows: &mut [*mut u8]) {
    use core::arch::x86_64::*;
    let rows = checked_mut(rows, ..(count + 7) & !7);
    #[allow(clippy::cast_possible_wrap)]
    let bytes = |count: usize| (count * size) as i64;
    #[allow(clippy::cast_possible_wrap)]
    let (first, four) = (_mm256_set1_epi64x(first as i64), _mm256_set1_epi64x(bytes(4)));
    let mut at = _mm256_add_epi64(first, _mm256_setr_epi64x(0, bytes(1), bytes(2), bytes(3)));
    for rows in rows.chunks_exact_mut(8) {
        // SAFETY: eight rows are there.
        unsafe {
            _mm256_storeu_si256(rows.as_mut_ptr().cast(), at);
            at = _mm256_add_epi64(at, four);
            _mm256_storeu_si256(rows.as_mut_ptr().add(4).cast(), at);
            at = _mm256_add_epi64(at, four);
        }
    }
}

/// By eights: up to seven picks behind the last are looked up too, and up to seven rows behind it are spoilt. Whatever
/// those picks are, their slots lie in the page. Slots are read one by one: see `eights`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn by_eights<L: Layout>(pool: &Pool<L>, page: &Page<L>, count: usize, picks: &[u32], rows: &mut [*mut u8]) {
    let eights = (count + 7) & !7;
    let (picks, rows) = (checked(picks, ..eights), checked_mut(rows, ..eights));
    match pool.packed().places() {
        8 => eights_of::<L, 8>(pool, page, picks, rows),
        16 => eights_of::<L, 16>(pool, page, picks, rows),
        _ => eights_of::<L, 0>(pool, page, picks, rows),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline(never)] // What it keeps in registers the other ways of `gather::addresses` needn't load.
fn eights_of<L: Layout, const PLACES: usize>(
    pool: &Pool<L>,
    page: &Page<L>,
    picks: &[u32],
    rows: &mut [*mut u8],
) {
    use core::arch::x86_64::*;
    let finder = Finder::<PLACES>::of(pool.packed(), pool.len());
    #[allow(clippy::cast_possible_wrap)]
    let position_bits = _mm256_set1_epi32(L::NO_INDEX as i32);
    for (picks, rows) in picks.chunks_exact(8).zip(rows.chunks_exact_mut(8)) {
        let at = |number: usize| page.low(picks[number]).cast_signed();
        let position = _mm256_setr_epi32(at(0), at(1), at(4), at(5), at(2), at(3), at(6), at(7));
        let (position, _) = finder.in_use(_mm256_and_si256(position, position_bits));
        let [front, back] = finder.find(position);
        // SAFETY: eight rows are there.
        unsafe {
            _mm256_storeu_si256(rows.as_mut_ptr().cast(), front);
            _mm256_storeu_si256(rows.as_mut_ptr().add(4).cast(), back);
        }
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
            let (origin, first) = (rows[0][0].wrapping_sub(7), rows[0][0]);
            OneByOne::by_index(origin, size as usize, count, &picks, &mut rows[0]);
            ByEights::by_index(origin, size as usize, count, &picks, &mut rows[1]);
            assert_eq!(rows[0][..count], rows[1][..count]);
            OneByOne::side_by_side(first, size as usize, count, &mut rows[0]);
            ByEights::side_by_side(first, size as usize, count, &mut rows[1]);
            assert_eq!(rows[0][..count], rows[1][..count]);
        }
        pool.free(&mut memory);
        kinds.free(&mut memory);
    }

    #[test]
    fn by_eights_finds_what_is_found_one_by_one() {
        if Level::V3.is_here() {
            // Eight pages, sixteen, and more.
            for range in [8 << 10, 64 << 10, 512 << 10] {
                for size in [1, 4, 12, 100] {
                    both_find_the_same::<Wide>(size, range);
                    both_find_the_same::<Narrow>(size, range);
                }
            }
        }
    }
}
