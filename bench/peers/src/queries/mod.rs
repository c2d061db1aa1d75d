//! The Rust peers as queriers. Entities are made empty and get their parts one by one, because none
//! of it is timed and where things lie in the end is the same.

pub mod bevy;
pub mod hecs;
pub mod sparsey;

/// An array of functions by the part's number, from the names of generic functions for P and V, for
/// the scalars and for the tags.
macro_rules! for_each_part {
    ($p:ident, $v:ident, $scalar:ident, $tag:ident) => {
        [
            $p,
            $v,
            $scalar::<2>,
            $scalar::<3>,
            $scalar::<4>,
            $scalar::<5>,
            $scalar::<6>,
            $scalar::<7>,
            $tag::<0>,
            $tag::<1>,
            $tag::<2>,
            $tag::<3>,
            $tag::<4>,
            $tag::<5>,
            $tag::<6>,
            $tag::<7>,
            $tag::<8>,
            $tag::<9>,
            $tag::<10>,
        ]
    };
}

/// Expands to `$run!(c2: 2)`, `$run!(c2: 2, c3: 3)`, ... by the number of terms, 3 to 8.
macro_rules! by_terms {
    ($terms:expr, $run:ident) => {
        match $terms {
            3 => $run!(c2: 2),
            4 => $run!(c2: 2, c3: 3),
            5 => $run!(c2: 2, c3: 3, c4: 4),
            6 => $run!(c2: 2, c3: 3, c4: 4, c5: 5),
            7 => $run!(c2: 2, c3: 3, c4: 4, c5: 5, c6: 6),
            8 => $run!(c2: 2, c3: 3, c4: 4, c5: 5, c6: 6, c7: 7),
            terms => unreachable!("{terms} terms"),
        }
    };
}

pub(crate) use {by_terms, for_each_part};
