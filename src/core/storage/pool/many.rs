//! Many entities of a pool looked up at once: one by one, or by eights with AVX2.
//!
//! ```text
//!   handles 0 ... 7   lower halves   indices   -> pages, read one by one -> slots' lower halves   -> elements
//!                     upper halves   generations and worlds            ==  slots' upper halves?   -> or nothing
//! ```

use super::Pool;
use crate::core::ids::{self, Handle, Layout};
use crate::core::storage::join::Level;
use crate::core::storage::slice::checked_mut;
#[cfg(target_arch = "x86_64")]
use crate::core::storage::{
    eights::{self, Finder},
    prefetch::prefetch_all,
    sparse::Lookup,
};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

impl<L: Layout> Pool<L> {
    /// Looks up many: writes each one's element, or null, to `out`, which has room for all. Whether all have one.
    pub fn elements(&self, level: Level, handles: &[Handle], stamp: u64, out: &mut [*mut u8]) -> bool {
        let out = checked_mut(out, ..handles.len());
        match level {
            // SAFETY: a level that is here (`Level::is_here`).
            #[cfg(target_arch = "x86_64")]
            Level::V3 | Level::V4 if eights::fits(self.len) => unsafe {
                by_eights(self, handles, stamp, out)
            },
            _ => one_by_one(self, handles, stamp, out),
        }
    }
}

#[inline(never)]
fn one_by_one<L: Layout>(pool: &Pool<L>, handles: &[Handle], stamp: u64, out: &mut [*mut u8]) -> bool {
    let (sparse, packed) = (pool.sparse.lookup(), pool.packed.lookup());
    let mut all = true;
    for (handle, out) in handles.iter().zip(out) {
        let slot = sparse.slot(L::index(*handle));
        *out = match ids::position::<L>(*handle ^ stamp, slot) {
            // SAFETY: positions in slots are in use.
            Some(position) => unsafe { packed.element(position) },
            None => core::ptr::null_mut(),
        };
        all &= !out.is_null();
    }
    all
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_eights<L: Layout>(pool: &Pool<L>, handles: &[Handle], stamp: u64, out: &mut [*mut u8]) -> bool {
    let (eights, out_eights) = (handles.len() & !7, out.len() & !7);
    let (handles, last) = handles.split_at(eights);
    let (out, out_last) = out.split_at_mut(out_eights);
    let all = match pool.packed.places() {
        8 => eights_of::<L, 8>(pool, handles, stamp, out),
        16 => eights_of::<L, 16>(pool, handles, stamp, out),
        _ => eights_of::<L, 0>(pool, handles, stamp, out),
    };
    one_by_one(pool, last, stamp, out_last) && all
}

/// Of eight numbers of 64 bits in two registers, the halves.
#[cfg(target_arch = "x86_64")]
const LOW: i32 = 0b10_00_10_00;
#[cfg(target_arch = "x86_64")]
const HIGH: i32 = 0b11_01_11_01;

/// Four handles, wherever they begin.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Unaligned(__m256i);

/// The slots of four handles; with 16 bits that aren't theirs below, if they have 48.
///
/// # Safety
/// Their indices are below `flat_end`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn four_slots<L: Layout>(sparse: &Lookup<'_, L>, handles: &[Handle; 4]) -> [i64; 4] {
    #[inline(always)]
    unsafe fn slot<L: Layout>(sparse: &Lookup<'_, L>, handle: &Handle) -> i64 {
        let index = L::index(*handle);
        // SAFETY: the caller's promise.
        let page = unsafe { sparse.flat_at(index) };
        if L::HAS_WORLD { page.above(index) } else { page.low(index).into() }
    }
    let [a, b, c, d] = handles;
    // SAFETY: the caller's promise.
    unsafe { [slot(sparse, a), slot(sparse, b), slot(sparse, c), slot(sparse, d)] }
}

/// A call for each number of places: together they have too few registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline(never)]
fn eights_of<L: Layout, const PLACES: usize>(
    pool: &Pool<L>,
    handles: &[Handle],
    stamp: u64,
    out: &mut [*mut u8],
) -> bool {
    let finder = Finder::<PLACES>::of(&pool.packed, pool.len);
    let sparse = pool.sparse.lookup();
    #[allow(clippy::cast_possible_wrap, clippy::cast_possible_truncation)]
    let (index_bits, stamp_high, last_index) = (
        _mm256_set1_epi32(L::NO_INDEX as i32),
        _mm256_set1_epi32((stamp >> 32) as i32),
        _mm256_set1_epi32(sparse.flat_end().wrapping_sub(1) as i32),
    );
    let mut all = _mm256_set1_epi32(-1);
    if sparse.flat_end() == 0 {
        return one_by_one(pool, handles, stamp, out);
    }
    for (handles, out) in handles.chunks_exact(8).zip(out.chunks_exact_mut(8)) {
        // Volatile, because a part that is asked for alone would be taken out of the register, and loading it again is
        // faster.
        // SAFETY: eight handles are there.
        let four =
            |first: usize| unsafe { handles.as_ptr().add(first).cast::<Unaligned>().read_volatile().0 };
        let (front, back) = (_mm256_castsi256_ps(four(0)), _mm256_castsi256_ps(four(4)));
        // The order is 0 1 4 5 2 3 6 7: see `eights`.
        let low = _mm256_castps_si256(_mm256_shuffle_ps::<LOW>(front, back));
        let high = _mm256_castps_si256(_mm256_shuffle_ps::<HIGH>(front, back));
        let index = _mm256_and_si256(low, index_bits);
        let is_flat = _mm256_cmpeq_epi32(_mm256_min_epu32(index, last_index), index);
        if _mm256_movemask_epi8(is_flat) != -1 {
            if !one_by_one(pool, handles, stamp, out) {
                all = _mm256_setzero_si256();
            }
            continue;
        }
        let (first, more) = handles.split_at(4);
        let (Ok(first), Ok(more)) = (first.try_into(), more.try_into()) else { continue };
        // SAFETY: all are below the end: seen above.
        let ([a, b, c, d], [e, f, g, h]) = unsafe { (four_slots(&sparse, first), four_slots(&sparse, more)) };
        let (mut front, mut back) = (_mm256_setr_epi64x(a, b, c, d), _mm256_setr_epi64x(e, f, g, h));
        if L::HAS_WORLD {
            (front, back) = (_mm256_srli_epi64::<16>(front), _mm256_srli_epi64::<16>(back));
        }
        let (front, back) = (_mm256_castsi256_ps(front), _mm256_castsi256_ps(back));
        let slot_low = _mm256_castps_si256(_mm256_shuffle_ps::<LOW>(front, back));
        let slot_high = _mm256_castps_si256(_mm256_shuffle_ps::<HIGH>(front, back));
        let (position, in_use) = finder.in_use(_mm256_and_si256(slot_low, index_bits));
        // Generations, of which a narrow slot has a part in its lower half, and worlds.
        let other = _mm256_xor_si256(_mm256_xor_si256(high, stamp_high), slot_high);
        let other = _mm256_or_si256(other, _mm256_andnot_si256(index_bits, _mm256_xor_si256(low, slot_low)));
        let found = _mm256_and_si256(_mm256_cmpeq_epi32(other, _mm256_setzero_si256()), in_use);
        all = _mm256_and_si256(all, found);
        let [front, back] = finder.find(position);
        let front = _mm256_and_si256(front, _mm256_unpacklo_epi32(found, found));
        let back = _mm256_and_si256(back, _mm256_unpackhi_epi32(found, found));
        // SAFETY: there is room for eight.
        unsafe {
            _mm256_storeu_si256(out.as_mut_ptr().cast(), front);
            _mm256_storeu_si256(out.as_mut_ptr().add(4).cast(), back);
        }
        if PLACES == 0 {
            prefetch_all(out);
        }
    }
    _mm256_movemask_epi8(all) == -1
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::Shape;
    use super::*;
    use crate::core::ids::{Narrow, Wide};
    use crate::core::storage::buffer::Buffer;
    use crate::core::storage::kinds::Kinds;
    use crate::core::storage::memory::{Allocator, Memory};

    /// Who is in a pool is asked for, and beside them others: dead, of another world, without it, never there.
    fn both_find_the_same<L: Layout>(size: u32, members: u32, stamp: u64) {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut kinds = Kinds::default();
        let mut pool = Pool::<L>::new(1, 0, Shape { size, align: 1, stable: false });
        for number in 0..members {
            // Every fourth is missing, and one is far away, which is not found in one step.
            let index = if number == 100 { 1 << 19 } else { number * 5 % members };
            if index % 4 == 3 {
                continue;
            }
            let entity = L::pack(index, 1 + number % 3);
            let spot = pool.spot(entity);
            if spot.position.is_none() {
                pool.add(&mut memory, &mut kinds, entity, &spot, None).unwrap();
            }
        }
        let mut all = Buffer::new();
        all.reserve_exact(&mut memory, pool.len() as usize).unwrap();
        for position in 0..pool.len() {
            let bare = L::bare(pool.entity(position));
            let (index, generation) = (L::index(bare), L::generation(bare));
            // Now and then one who isn't there, so that most eights have one, or none.
            all.push_reserved(match position % 53 {
                0 => bare ^ 1 << 50 ^ stamp,
                8 => L::pack(index, generation + 1) | stamp,
                17 => L::pack(index | 3, generation) | stamp,
                27 => L::pack(L::NO_INDEX, generation) | stamp,
                38 => L::pack(index | 3, L::TOMBSTONE.try_into().unwrap()) | stamp,
                _ => bare | stamp,
            });
        }
        let mut out = [[core::ptr::dangling_mut(); 40]; 2];
        for (from, len) in (0..all.len().saturating_sub(40)).step_by(7).zip((0..=40).cycle()) {
            let handles = &all[from..from + len];
            let levels = [Level::Baseline, Level::V3].into_iter().zip(&mut out);
            let found = levels.map(|(level, out)| pool.elements(level, handles, stamp, out));
            assert!(found.eq([handles.iter().all(|handle| pool.position_here(*handle, stamp).is_some()); 2]));
            assert_eq!(out[0][..len], out[1][..len]);
            for (handle, element) in handles.iter().zip(out[0]) {
                let position = pool.position_here(*handle, stamp);
                assert_eq!(position.map_or(core::ptr::null_mut(), |at| pool.element(at)), element);
            }
        }
        all.free(&mut memory);
        pool.free(&mut memory);
        kinds.free(&mut memory);
    }

    #[test]
    fn by_eights_finds_what_is_found_one_by_one() {
        if Level::V3.is_here() {
            // Places for eight pages, for sixteen, and more. No multiples of five, of which only a fifth would be members.
            for members in [1001, 90_001, 450_001] {
                for size in [1, 12, 100] {
                    both_find_the_same::<Wide>(size, members, 9 << 48);
                    both_find_the_same::<Narrow>(size, members, 0);
                }
            }
        }
    }
}
