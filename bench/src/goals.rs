//! The goals, and whether a figure meets them.

use crate::result::Measured;
use crate::row::{Promise, QueryPromise, Sparse, TreePromise};
use crate::way::Way;

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

/// A query's loop over the loop over plain arrays: by runs, through DZ_AT, and kept.
const RUNS: f64 = 1.1;
const AT: f64 = 1.5;
const KEPT: f64 = 1.25;

/// The tree over the one by hand.
const BY_HAND: f64 = 1.2;

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
    /// A query by runs takes over 1.1 of the floor.
    Floor,
    /// A query through DZ_AT takes over 1.5 of the floor.
    At,
    /// A query is slower than the best peer.
    Peer,
    /// A throw-away query is slower than a sparse-set peer, or a change beside a group is.
    Sparse,
    /// It is not as many times as fast as it should be at 1M.
    Ahead,
    /// A kept query takes over 1.25 of the floor.
    Kept,
    /// Not as many times as fast as Flecs as it should be.
    TimesFlecs,
    /// Over 1.2 of the tree by hand.
    ByHand,
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
            Miss::Floor => "floor",
            Miss::At => "at",
            Miss::Peer => "peer",
            Miss::Sparse => "sparse",
            Miss::Ahead => "ahead",
            Miss::Kept => "kept",
            Miss::TimesFlecs => "flecs",
            Miss::ByHand => "hand",
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
        true => ns * WIDE,
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
                goal(flecs / 2.0, Miss::Flecs);
            }
        }
        Promise::Bulk => goal(no_slower(measured.best_inlined()?), Miss::Bulk),
        Promise::AsRow3 => {
            let row_3 = all.iter().find(|other| other.row.name == "3" && other.n == measured.n)?;
            goal(row_3.ours(layout)? * MANY_TYPES, Miss::Row3);
        }
        Promise::Bytes => goal(if layout == 64 { 84.0 } else { 60.0 }, Miss::Bytes),
        Promise::Tree(TreePromise { flecs, by_hand }) => {
            goal(measured.flecs()? / f64::from(flecs), Miss::TimesFlecs);
            if let Some(ns) = measured.inlined("entt_standin").filter(|_| by_hand) {
                goal(ns * BY_HAND, Miss::ByHand);
            }
        }
        Promise::PairBytes => goal(64.0, Miss::Bytes),
        Promise::Query(promise) => return judge_query(promise, measured, layout),
        Promise::Nothing => return None,
    }
    Some(misses)
}

/// The goals of a query. A way that there is no figure for is not judged.
fn judge_query(promise: QueryPromise, measured: &Measured, layout: u32) -> Option<Vec<Miss>> {
    let mut misses = Vec::new();
    let mut judged = false;
    let mut goal = |ours: Option<f64>, limit: Option<f64>, miss: Miss| {
        if let Some((ours, limit)) = ours.zip(limit) {
            judged = true;
            if ours > limit && !misses.contains(&miss) {
                misses.push(miss);
            }
        }
    };
    let floor = measured.floor();
    let of = |ways: &[Way]| measured.ours_of(layout, ways);
    if promise.floor {
        // A throw-away query, or where that is the row, the better of the two best forms.
        let (runs, at): (&[Way], &[Way]) = match measured.row.ways.contains(&Way::At) {
            true => (&[Way::Runs], &[Way::At]),
            false => (&[Way::KeptRuns, Way::GroupRuns], &[Way::KeptAt, Way::GroupAt]),
        };
        goal(of(runs), floor.map(|floor| floor * RUNS), Miss::Floor);
        goal(of(at), floor.map(|floor| floor * AT), Miss::At);
    }
    if promise.peer {
        let best = measured.best_inlined().map(|(_, ns)| ns * NOISE);
        goal(measured.ours(layout), best, Miss::Peer);
    }
    let sparse: &[&str] = match promise.sparse {
        Sparse::None => &[],
        Sparse::StandIn => &["entt_standin"],
        Sparse::Both => &["entt_standin", "sparsey"],
    };
    for peer in sparse {
        // The usual loop, through DZ_AT, in either order: the peers follow the smallest pool's. Beside a group, as the peer's
        // is, where that is the row.
        let throw_away = measured.row.ways.contains(&Way::At);
        let ways: &[Way] = if throw_away { &[Way::At, Way::LedAt] } else { &[Way::GroupAt] };
        let (ours, theirs) = (of(ways), measured.inlined(peer));
        goal(ours, theirs.map(|ns| ns * NOISE), Miss::Sparse);
        if measured.n >= LARGE && promise.ahead > 100 {
            goal(ours, theirs.map(|ns| ns * 100.0 / f64::from(promise.ahead)), Miss::Ahead);
        }
    }
    if let Some(ns_a_query) = promise.kept {
        let a_match = f64::from(ns_a_query) / measured.matches.max(1) as f64;
        let limit = floor.map(|floor| floor * KEPT + a_match);
        goal(of(&[Way::KeptAt, Way::KeptRuns]), limit, Miss::Kept);
    }
    judged.then_some(misses)
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
            Kind::Floor => 1.0,
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
        assert_eq!(misses("1", 10_000, 9.9), []);
        assert_eq!(misses("1", 10_000, 10.1), [Miss::Flecs]);
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

    /// A query of 1,000 matches: the floor takes 1, Flecs 20, the others 10, and so do we but for some
    /// ways.
    fn query(row: &str, n: usize, ways: &[(&str, f64)]) -> Option<Vec<Miss>> {
        let mut figures = measured(row, n, 10.0);
        figures.matches = 1000;
        // In the order of a pool it takes longer, but where that is the way.
        figures.set("denizen64_led_at", 30.0);
        ways.iter().for_each(|(way, ns)| figures.set(&format!("denizen64_{way}"), *ns));
        judge(&figures, &[], 64)
    }

    #[test]
    fn runs_are_held_against_the_floor() {
        let judged = |runs, at| query("8", 10_000, &[("runs", runs), ("at", at)]);
        assert_eq!(judged(1.09, 1.49), Some(vec![]));
        assert_eq!(judged(1.11, 1.51), Some(vec![Miss::Floor, Miss::At]));
        assert_eq!(judged(10.3, 10.3), Some(vec![Miss::Floor, Miss::At, Miss::Peer, Miss::Sparse]));
        let group = query("12b", 10_000, &[("group_runs", 1.0), ("kept_at", 1.4)]);
        assert_eq!(group, Some(vec![]));
    }

    #[test]
    fn throw_away_queries_are_ahead_of_sparse_sets() {
        let judged = |n, at| query("10", n, &[("at", at), ("kept_at", 1.2)]);
        assert_eq!(judged(10_000, 10.1), Some(vec![]));
        assert_eq!(judged(10_000, 10.3), Some(vec![Miss::Sparse]));
        assert_eq!(judged(LARGE, 4.9), Some(vec![]));
        assert_eq!(judged(LARGE, 5.1), Some(vec![Miss::Ahead]));
        assert_eq!(query("8c1", LARGE, &[("at", 7.6)]), Some(vec![]));
        assert_eq!(query("8c1", LARGE, &[("at", 7.8)]), Some(vec![Miss::Ahead]));
        assert_eq!(query("8c1", LARGE, &[("at", 7.8), ("led_at", 7.6)]), Some(vec![]));
        assert_eq!(query("8c50", LARGE, &[("at", 10.1)]), Some(vec![]));
    }

    #[test]
    fn changes_beside_a_group_are_held_against_the_stand_in() {
        for row in ["g2", "g3"] {
            let judged = |ns| query(row, 10_000, &[("group_at", ns), ("kept_at", 1.0)]);
            assert_eq!(judged(10.1), Some(vec![]));
            assert_eq!(judged(10.3), Some(vec![Miss::Sparse]));
        }
        for row in ["g1", "s1", "s2", "s3", "r1", "o1"] {
            assert_eq!(query(row, 10_000, &[]), None);
        }
    }

    #[test]
    fn kept_queries_are_held_against_the_floor() {
        let judged = |row, kept| query(row, 10_000, &[("kept_runs", kept)]);
        assert_eq!(judged("9", 1.24), Some(vec![]));
        assert_eq!(judged("9", 1.26), Some(vec![Miss::Kept]));
        // 60 ns for 1,000 matches.
        assert_eq!(judged("13", 1.30), Some(vec![]));
        assert_eq!(judged("13", 1.32), Some(vec![Miss::Kept]));
    }

    #[test]
    fn trees_are_held_against_flecs_and_the_one_by_hand() {
        assert_eq!(misses("14a", 100_000, 6.6), []);
        assert_eq!(misses("14a", 100_000, 6.9), [Miss::TimesFlecs]);
        assert_eq!(misses("14f", 100_000, 12.1), [Miss::TimesFlecs, Miss::ByHand]);
        assert_eq!(misses("14b2", 100_000, 19.9), []);
        assert_eq!(misses("14am", 100_000, 63.0), []);
        assert_eq!(misses("14am", 100_000, 65.0), [Miss::Bytes]);
    }

    #[test]
    fn rows_without_a_figure_of_ours_are_not_judged() {
        let figures = COLUMNS.iter().map(|column| (column.kind == Kind::Floor).then_some(1.0)).collect();
        let measured = Measured::new(Row::find("8").expect("a row"), 10_000, figures);
        assert_eq!(judge(&measured, &[], 64), None);
    }
}
