//! Instruction-set levels: the walks of a join, compiled for several and chosen at run time. All do the
//! same; what a newer level adds is bit counting in hardware, which the x86-64 baseline doesn't have.

use super::Join;
use super::batch::{Cursor, PICKS, SPARE};
use super::gather::{self, Means, Words};
use super::scatter;
use super::view::View;
use super::walk::{self, Begun, Found};
use crate::core::ids::Layout;
#[cfg(target_arch = "x86_64")]
use crate::core::storage::eights;
use crate::core::storage::pool::Pool;

/// An instruction-set level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What every processor of the architecture has.
    Baseline,
    /// x86-64-v3: POPCNT, BMI, LZCNT, AVX2.
    V3,
    /// x86-64-v4: AVX-512 on top. The walks of v3: compiled for this one they measured no better.
    V4,
}

impl Level {
    /// Whether this machine has it.
    #[must_use]
    pub fn is_here(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::V3 => {
                is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("avx2")
            }
            #[cfg(target_arch = "x86_64")]
            Self::V4 => {
                Self::V3.is_here()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The best that this machine has and that pays.
    #[must_use]
    pub fn best() -> Self {
        if Self::V3.is_here() { Self::V3 } else { Self::Baseline }
    }
}

/// A walk at each level: the function at the baseline, and the same compiled for the others. What it calls at its level
/// comes last. Functions of their own: who chooses needn't make room for what the other one keeps.
macro_rules! at_each_level {
    ($at:ident, $name:ident, $base:ident, $v3:ident, <$layout:ident>($($arg:ident: $type:ty),*)
        $(, $calls:ident or $calls_v3:ident)? $(=> $out:ty)?) => {
        #[inline(never)]
        fn $base<$layout: Layout>($($arg: $type),*) $(-> $out)? {
            walk::$name($($arg,)* $($calls)?)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
        fn $v3<$layout: Layout>($($arg: $type),*) $(-> $out)? {
            walk::$name($($arg,)* $(|view, cursor, begun| $calls_v3(view, cursor, begun))?)
        }

        #[inline(always)]
        pub(super) fn $at<$layout: Layout>(level: Level, $($arg: $type),*) $(-> $out)? {
            match level {
                // SAFETY: a join is only made with a level that is here (`Level::is_here`).
                #[cfg(target_arch = "x86_64")]
                Level::V3 | Level::V4 => unsafe { $v3($($arg),*) },
                _ => $base($($arg),*),
            }
        }
    };
}

at_each_level!(collect_at, collect, collect_baseline, collect_v3,
    <L>(join: &Join<L>, cursor: &mut Cursor, most: u32, words: &mut Words), run or run_v3 => Found);
at_each_level!(find_run_at, find_run, find_run_baseline, find_run_v3,
    <L>(join: &Join<L>, cursor: &mut Cursor), run or run_v3 => bool);
at_each_level!(count_at, count, count_baseline, count_v3, <L>(join: &Join<L>, first: u32, end: u32) => u32);

#[inline(never)]
fn run<L: Layout>(view: &mut View<'_, L>, cursor: &mut Cursor, begun: Begun) -> bool {
    walk::run(view, cursor, begun)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
#[inline(never)]
fn run_v3<L: Layout>(view: &mut View<'_, L>, cursor: &mut Cursor, begun: Begun) -> bool {
    walk::run(view, cursor, begun)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
fn addresses_v3<L: Layout>(pool: &Pool<L>, all: bool, words: &Words, picks: &[u32], rows: &mut [*mut u8]) {
    gather::addresses::<L, scatter::ByEights>(pool, all, words, picks, rows);
}

#[inline(never)]
fn addresses_baseline<L: Layout>(
    pool: &Pool<L>,
    all: bool,
    words: &Words,
    picks: &[u32],
    rows: &mut [*mut u8],
) {
    gather::addresses::<L, scatter::OneByOne>(pool, all, words, picks, rows);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
fn pick_v3(words: &Words, picks: &mut [u32; PICKS + SPARE]) {
    gather::pick::<scatter::ByEights>(words, picks);
}

#[inline(never)]
fn pick_baseline(words: &Words, picks: &mut [u32; PICKS + SPARE]) {
    gather::pick::<scatter::OneByOne>(words, picks);
}

/// The indices of all matches.
#[inline(always)]
pub(super) fn pick_at(level: Level, words: &Words, picks: &mut [u32; PICKS + SPARE]) {
    match level {
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 | Level::V4 => unsafe { pick_v3(words, picks) },
        _ => pick_baseline(words, picks),
    }
}

/// The addresses of `count` members side by side, from `first` on. `rows` has room for eight more.
#[inline(always)]
pub(super) fn side_by_side_at(level: Level, first: *mut u8, size: usize, count: usize, rows: &mut [*mut u8]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::V3 | Level::V4 => scatter::ByEights::side_by_side(first, size, count, rows),
        _ => scatter::OneByOne::side_by_side(first, size, count, rows),
    }
}

/// The addresses of all matches in one pool; `all`: all of them are in it. `rows` has room for eight more.
#[inline(always)]
pub(super) fn addresses_at<L: Layout>(
    level: Level,
    (pool, all): (&Pool<L>, bool),
    words: &Words,
    picks: &[u32],
    rows: &mut [*mut u8],
) {
    match level {
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 | Level::V4 if eights::fits(pool.len()) => unsafe {
            addresses_v3(pool, all, words, picks, rows);
        },
        _ => addresses_baseline(pool, all, words, picks, rows),
    }
}
