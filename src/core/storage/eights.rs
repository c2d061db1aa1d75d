//! Eight positions at a time: where their elements are, worked out in registers with AVX2.
//!
//! ```text
//!   lower halves of pages' addresses   | 8 places | 8 more |     half of each of eight addresses is looked up at once, of
//!   upper halves                       | 8 places | 8 more |     positions 0 1 4 5 2 3 6 7: unpacked, the halves are the
//!                                                                addresses 0 1 2 3 and 4 5 6 7
//! ```
//!
//! Where the pages are few they are looked up so, because gathering eight numbers that lie about takes some processors
//! longer than all the work with them.

use super::packed::{self, Near, Packed};
use crate::core::ids::Layout;
use core::arch::x86_64::*;
use core::marker::PhantomData;

/// Whether a pool with so many elements can be looked up so: there are some, and their positions are signed numbers.
pub const fn fits(len: u32) -> bool {
    len > 0 && len < i32::MAX as u32
}

/// Finds the elements of a pool whose pages have so many places in `Near`; 0: there may be more.
pub struct Finder<'a, const PLACES: usize> {
    low: [__m256i; 2],
    high: [__m256i; 2],
    entries: *const i64,
    size: __m256i,
    last: __m256i,
    packed: PhantomData<&'a ()>,
}

impl<'a, const PLACES: usize> Finder<'a, PLACES> {
    /// Of a pool with so many elements, which fit. There must be no more pages than said.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::core::storage) fn of<L: Layout>(packed: &'a Packed<L>, len: u32) -> Self {
        debug_assert!(PLACES == 0 || packed.places() <= PLACES && packed.places() > 0);
        let lookup = packed.lookup();
        // SAFETY: eight numbers each.
        let both = |halves: &[u32; Near::PLACES]| unsafe {
            let at = halves.as_ptr().cast::<__m256i>();
            [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))]
        };
        Self {
            low: both(&packed.near().low),
            high: both(&packed.near().high),
            entries: lookup.entries_at().cast(),
            size: _mm256_set1_epi64x((lookup.size() as u32).into()),
            last: _mm256_set1_epi32((len - 1).cast_signed()),
            packed: PhantomData,
        }
    }

    /// Which of eight numbers are positions in use; the others become the last one.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::core::storage) fn in_use(&self, positions: __m256i) -> (__m256i, __m256i) {
        let positions_in_use = _mm256_min_epu32(positions, self.last);
        (positions_in_use, _mm256_cmpeq_epi32(positions_in_use, positions))
    }

    /// The elements of positions 0 1 4 5 2 3 6 7, all in use: those of 0 1 2 3, and of 4 5 6 7.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::core::storage) fn find(&self, position: __m256i) -> [__m256i; 2] {
        const LARGE_BITS: i32 = packed::LARGE.ilog2().cast_signed();
        let large = _mm256_srli_epi32::<LARGE_BITS>(position);
        let exponent = _mm256_castps_si256(_mm256_cvtepi32_ps(position));
        let front = _mm256_mul_epu32(_mm256_unpacklo_epi32(position, position), self.size);
        let back = _mm256_mul_epu32(_mm256_unpackhi_epi32(position, position), self.size);
        if PLACES == 0 {
            // Its number of bits, from its exponent as a float, which begins at 127: see `pages::entry_of`.
            let small = _mm256_sub_epi32(_mm256_srli_epi32::<23>(exponent), _mm256_set1_epi32(126));
            let small = _mm256_max_epi32(small, _mm256_setzero_si256());
            let small = _mm256_min_epi32(small, _mm256_set1_epi32(packed::SMALL.cast_signed()));
            let entry = _mm256_add_epi32(small, large);
            // In order again, and twice, because an entry is two addresses.
            let entry = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_add_epi32(entry, entry));
            // SAFETY: entries of positions in use.
            let page = |entry: __m128i| unsafe { _mm256_i32gather_epi64::<8>(self.entries, entry) };
            let (four, more) = (_mm256_castsi256_si128(entry), _mm256_extracti128_si256::<1>(entry));
            return [_mm256_add_epi64(page(four), front), _mm256_add_epi64(page(more), back)];
        }
        // The place, and 64. Small pages are four times as large as the one before: half the exponent, rounded up.
        let small = _mm256_srli_epi32::<24>(_mm256_add_epi32(exponent, _mm256_set1_epi32(1 << 23)));
        let small = _mm256_min_epi32(small, _mm256_set1_epi32(64 + Near::LAST_SMALL.cast_signed()));
        let place = _mm256_add_epi32(small, large);
        let is_more = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(place));
        let half = |halves: [__m256i; 2]| {
            let eight = _mm256_permutevar8x32_epi32(halves[0], place);
            let more = _mm256_permutevar8x32_epi32(halves[1], place);
            let both = _mm256_blendv_ps(_mm256_castsi256_ps(eight), _mm256_castsi256_ps(more), is_more);
            if PLACES == 8 { eight } else { _mm256_castps_si256(both) }
        };
        let (low, high) = (half(self.low), half(self.high));
        [
            _mm256_add_epi64(_mm256_unpacklo_epi32(low, high), front),
            _mm256_add_epi64(_mm256_unpackhi_epi32(low, high), back),
        ]
    }
}
