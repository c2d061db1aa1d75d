//! The goals, and whether a figure meets them.

use crate::result::Measured;
use crate::row::Promise;

/// Two runs of the same program differ by this much; "no slower" allows for it.
pub const NOISE: f64 = 1.02;

/// What a call through a shared library may cost over the inlined peer, in small worlds.
const CALL_NS: f64 = 3.0;
const SMALL: usize = 10_000;

/// Flecs' time above which we must take half of it.
const FLECS_NS: f64 = 6.0;

/// The 64-bit layout moves twice the bytes of a 32-bit sparse set, which shows where memory is
/// jumped about in: there it may take this much, if such a sparse set is the best peer.
const WIDE: f64 = 1.3;
const LARGE: usize = 1_000_000;
const NARROW_PEER: &str = "entt_standin";

/// Row 3k over row 3.
const MANY_TYPES: f64 = 1.1;

/// A goal that was missed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Miss {
    /// Slower than the best peer behind the wall.
    Wall,
    /// More than 3 ns over the best inlined peer at 10k.
    Inlined,
    /// More than half of Flecs.
    Flecs,
    /// A bulk row: slower than the best inlined peer.
    Bulk,
    /// More than 1.1 of row 3.
    Row3,
    /// Too many bytes.
    Bytes,
}

impl Miss {
    pub fn name(self) -> &'static str {
        match self {
            Miss::Wall => "wall",
            Miss::Inlined => "inlined",
            Miss::Flecs => "flecs",
            Miss::Bulk => "bulk",
            Miss::Row3 => "row3",
            Miss::Bytes => "bytes",
        }
    }
}

/// The goals that one layout missed in a row. None: there is nothing to hold it against.
pub fn judge(measured: &Measured, all: &[Measured], layout: u32) -> Option<Vec<Miss>> {
    let ours = measured.ours(layout)?;
    let mut misses = Vec::new();
    let mut goal = |limit: f64, miss: Miss| {
        if ours > limit {
            misses.push(miss);
        }
    };
    // "No slower than" a peer of that name and time.
    let wide = layout == 64 && measured.row.random && measured.n >= LARGE;
    let no_slower = |(name, ns): (&str, f64)| match wide && name == NARROW_PEER {
        true => ns * WIDE * NOISE,
        false => ns * NOISE,
    };
    match measured.row.promise {
        Promise::OneCall => {
            goal(no_slower(measured.best_wall()?), Miss::Wall);
            if measured.n <= SMALL {
                let (_, inlined) = measured.best_inlined()?;
                goal(inlined + CALL_NS, Miss::Inlined);
            }
            if let Some(flecs) = measured.flecs().filter(|&ns| ns > FLECS_NS) {
                goal(flecs / 2.0 * NOISE, Miss::Flecs);
            }
        }
        Promise::Bulk => goal(no_slower(measured.best_inlined()?), Miss::Bulk),
        Promise::AsRow3 => {
            let row_3 = all.iter().find(|other| other.row.name == "3" && other.n == measured.n)?;
            goal(row_3.ours(layout)? * MANY_TYPES, Miss::Row3);
        }
        Promise::Bytes => goal(if layout == 64 { 84.0 } else { 60.0 }, Miss::Bytes),
        Promise::Nothing => return None,
    }
    Some(misses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::{COLUMNS, Kind};
    use crate::row::Row;

    /// A row where we take `ours` in both layouts, Flecs 20, and all others 10: behind the wall 12.
    fn measured(row: &str, n: usize, ours: f64) -> Measured {
        let figures = COLUMNS.iter().map(|column| match column.kind {
            Kind::Ours { .. } => ours,
            Kind::C => 20.0,
            Kind::Inlined => 10.0,
            Kind::Wall => 12.0,
        });
        let row = Row::find(row).expect("a row");
        Measured::new(row, n, figures.map(Some).collect())
    }

    fn misses(row: &str, n: usize, ours: f64) -> Vec<Miss> {
        judge(&measured(row, n, ours), &[], 32).expect("there are peers")
    }

    #[test]
    fn a_call_is_held_against_three() {
        assert_eq!(misses("1", 10_000, 10.1), []);
        assert_eq!(misses("1", 10_000, 10.3), [Miss::Flecs]);
        assert_eq!(misses("1", 10_000, 12.5), [Miss::Wall, Miss::Flecs]);
        assert_eq!(misses("1", 10_000, 13.1), [Miss::Wall, Miss::Inlined, Miss::Flecs]);
        assert_eq!(misses("1", 1_000_000, 13.1), [Miss::Wall, Miss::Flecs]);
    }

    #[test]
    fn a_bulk_call_is_held_against_the_inlined_peer() {
        assert_eq!(misses("2b", 10_000, 10.1), []);
        assert_eq!(misses("2b", 10_000, 10.3), [Miss::Bulk]);
    }

    #[test]
    fn many_types_are_held_against_few() {
        let row_3 = [measured("3", 10_000, 10.0)];
        let judged = |ours| judge(&measured("3k", 10_000, ours), &row_3, 64);
        assert_eq!(judged(10.9), Some(vec![]));
        assert_eq!(judged(11.1), Some(vec![Miss::Row3]));
    }

    #[test]
    fn bytes_have_a_limit_for_each_layout() {
        let bytes = measured("mem", 1_000_000, 70.0);
        assert_eq!(judge(&bytes, &[], 64), Some(vec![]));
        assert_eq!(judge(&bytes, &[], 32), Some(vec![Miss::Bytes]));
    }

    #[test]
    fn the_wide_layout_may_take_more_of_a_narrow_peer_in_random_rows() {
        let mut figures = measured("6", LARGE, 15.0);
        figures.set("entt_standin", 11.9);
        assert_eq!(judge(&figures, &[], 64), Some(vec![Miss::Flecs]));
        assert_eq!(judge(&figures, &[], 32), Some(vec![Miss::Wall, Miss::Flecs]));
    }
}
