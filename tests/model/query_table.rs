//! The table of docs/queries.md, cell by cell.
//!
//! The query is `P, !N`. Entities A to E have P, in the order of indices; Z before them and F behind them don't,
//! and H between D and E has P and N. When C is reached the body makes a change; what is written down is who
//! was seen, in order.

use crate::calls::{self, OK, S};
use crate::each::{each, entity_at};
use crate::query::by_text;
use denizen::ffi::types::*;
use denizen::ffi::{
    access::*, component::*, enable::*, entity::*, instance::*, iterate::*, query::*, sort::*, world::*,
};
use std::ffi::c_void;

/// What the query follows: the columns of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Indices,
    Swap,
    Stable,
}

const ALL: [Order; 3] = [Order::Indices, Order::Swap, Order::Stable];
const NAMES: &str = "ZABCDHEF";

struct Stage {
    world: dz_world,
    p: dz_id,
    n: dz_id,
    query: dz_query,
    entities: Vec<dz_entity>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        dz_world_destroy(self.world);
    }
}

impl Stage {
    fn new(order: Order) -> Self {
        let world = calls::plain_world(crate::layout_of(module_path!()));
        let p = calls::register(world, c"P", 8, 8, order == Order::Stable, calls::NO_HOOKS);
        let n = calls::register(world, c"N", 0, 1, false, calls::NO_HOOKS);
        let entities = calls::create_n(world, 8).1;
        let query = by_text(world, c"P, !N", false, if order == Order::Indices { 0 } else { p });
        let stage = Self { world, p, n, query, entities };
        "ABCDHE".chars().for_each(|name| stage.add(name));
        assert_eq!(dz_add(world, stage.at('H'), n), OK);
        stage
    }

    fn at(&self, name: char) -> dz_entity {
        self.entities[NAMES.find(name).unwrap()]
    }

    fn name(&self, entity: dz_entity) -> char {
        let at = self.entities.iter().position(|other| *other == entity);
        at.map_or('?', |at| NAMES.as_bytes()[at].into())
    }

    fn add(&self, name: char) {
        assert_eq!(dz_add(self.world, self.at(name), self.p), OK);
    }

    fn remove(&self, name: char) {
        assert_eq!(dz_remove(self.world, self.at(name), self.p), OK);
    }

    fn readd(&self, name: char) {
        self.remove(name);
        self.add(name);
    }

    fn destroy(&self, name: char) {
        assert_eq!(dz_destroy(self.world, self.at(name)), OK);
    }

    fn start(&self) -> dz_iter {
        calls::iterate_query(self.world, self.query)
    }

    /// Goes through the rest of an iteration; calls `body` with each name, and adds it.
    fn go_on(&self, iter: &mut dz_iter, names: &mut String, mut body: impl FnMut(&Self, char)) {
        while calls::next(iter) {
            while let Some(i) = each(iter) {
                let name = self.name(entity_at(iter, i));
                names.push(name);
                body(self, name);
            }
        }
    }

    /// Iterates; calls `body` with each name. Returns the names, and how it ended.
    fn iterate(&self, mut body: impl FnMut(&Self, char)) -> (String, S) {
        let (mut iter, mut names) = (self.start(), String::new());
        self.go_on(&mut iter, &mut names, &mut body);
        assert!(!calls::next(&mut iter), "an iteration that has ended stays so");
        let ends = [OK, S::DZ_ERR_CHANGED, S::DZ_ERR_QUERY, S::DZ_ERR_QUERY_LOST, S::DZ_ERR_WORLD_DEAD];
        (names, ends.into_iter().find(|end| *end as i32 == iter.status).unwrap())
    }
}

fn change_at_c(order: Order, change: impl Fn(&Stage)) -> (String, S) {
    Stage::new(order).iterate(|stage, name| {
        if name == 'C' {
            change(stage);
        }
    })
}

/// The three cells of a row.
fn row(change: impl Fn(&Stage) + Copy, expected: [(&str, S); 3]) {
    for (order, (names, status)) in ALL.into_iter().zip(expected) {
        assert_eq!(change_at_c(order, change), (names.to_owned(), status), "{order:?}");
    }
}

/// A row in which every iteration ends in order.
fn fine(change: impl Fn(&Stage) + Copy, expected: [&str; 3]) {
    row(change, expected.map(|names| (names, OK)));
}

/// Parts are of the indices that are in use, however few these are.
#[test]
fn parts_are_alike() {
    let stage = Stage::new(Order::Indices);
    let many = calls::create_n(stage.world, 1000).1;
    many.iter().for_each(|entity| assert_eq!(dz_add(stage.world, *entity, stage.p), OK));
    let count = |part| {
        let (mut iter, mut count) = (calls::iterate_part(stage.world, stage.query, part, 8), 0);
        while calls::next(&mut iter) {
            count += iter.count;
        }
        count
    };
    let counts: Vec<_> = (0..8).map(count).collect();
    assert_eq!(counts.iter().sum::<u32>(), 1005);
    // The first has the indices of components.
    assert!(counts[2..].iter().all(|count| (100..=192).contains(count)), "{counts:?}");
}

/// Who is made in the body and matches: an index that nobody had yet isn't gone to, so the loop ends.
#[test]
fn a_body_that_makes_matches_comes_to_an_end() {
    let make = |stage: &Stage| {
        let entity = dz_create(stage.world);
        assert_eq!(dz_add(stage.world, entity, stage.p), OK);
    };
    fine(make, ["ABCDE"; 3]);
    for order in ALL {
        assert_eq!(Stage::new(order).iterate(|stage, _| make(stage)), ("ABCDE".to_owned(), OK), "{order:?}");
    }
    // An index that F had lies behind, that of Z before.
    let instead = |name: char| {
        move |stage: &Stage| {
            stage.destroy(name);
            make(stage);
        }
    };
    fine(instead('F'), ["ABCDE?", "ABCDE", "ABCDE"]);
    fine(instead('Z'), ["ABCDE"; 3]);
    // In parts too.
    let mut names = String::new();
    for part in 0..3 {
        let stage = Stage::new(Order::Indices);
        stage.go_on(&mut calls::iterate_part(stage.world, stage.query, part, 3), &mut names, |stage, _| {
            make(stage)
        });
    }
    assert_eq!(names, "ABCDE");
    // Queries that go from entity to entity.
    for text in [c"P, ?P(parent)", c"[cascade] P, ?P(parent)", c"[bases] P, !N"] {
        let mut stage = Stage::new(Order::Indices);
        if text.to_bytes().starts_with(b"[bases]") {
            "ABCDHE".chars().for_each(|name| assert_eq!(dz_set_base(stage.world, stage.at(name), true), OK));
        }
        assert_eq!(dz_remove(stage.world, stage.at('H'), stage.p), OK);
        assert_eq!(dz_query_destroy(stage.world, stage.query), OK);
        stage.query = by_text(stage.world, text, false, 0);
        let made = stage.iterate(|stage, _| {
            make(stage);
            let last = calls::create_n(stage.world, 1).1[0];
            assert_eq!(dz_add(stage.world, last, stage.p), OK);
            if text.to_bytes().starts_with(b"[bases]") {
                assert_eq!(dz_set_base(stage.world, last, true), OK);
            }
        });
        assert_eq!(made, ("ABCDE".to_owned(), OK), "{text:?}");
    }
}

#[test]
fn what_is_no_term_is_of_no_interest() {
    fine(|_| {}, ["ABCDE"; 3]);
    let other = |stage: &Stage| {
        let other = calls::register(stage.world, c"Other", 4, 4, false, calls::NO_HOOKS);
        "ABCDEF".chars().for_each(|name| assert_eq!(dz_add(stage.world, stage.at(name), other), OK));
        assert_eq!(dz_remove(stage.world, stage.at('A'), other), OK);
        assert_eq!(dz_clear_pool(stage.world, other), OK);
        assert_eq!(dz_component_unregister(stage.world, other), OK);
        assert_eq!(calls::set(stage.world, stage.at('D'), stage.p, &[7; 8]), OK);
        assert_eq!(calls::create_n(stage.world, 5000).0, OK);
    };
    fine(other, ["ABCDE"; 3]);
}

#[test]
fn the_current_one() {
    // In a swap pool's order E fills the gap, and comes next.
    fine(|stage| stage.remove('C'), ["ABCDE", "ABCED", "ABCDE"]);
    fine(|stage| stage.destroy('C'), ["ABCDE", "ABCED", "ABCDE"]);
    fine(|stage| assert_eq!(dz_add(stage.world, stage.at('C'), stage.n), OK), ["ABCDE"; 3]);
}

#[test]
fn one_that_was_seen() {
    for change in [Stage::remove, Stage::destroy] {
        fine(|stage| change(stage, 'A'), ["ABCDE", "ABCD", "ABCDE"]);
    }
}

#[test]
fn one_that_was_not_seen_yet() {
    for change in [Stage::remove, Stage::destroy] {
        fine(|stage| change(stage, 'D'), ["ABCE"; 3]);
    }
    fine(|stage| assert_eq!(dz_add(stage.world, stage.at('D'), stage.n), OK), ["ABCE"; 3]);
}

#[test]
fn one_that_matches_now() {
    fine(|stage| stage.add('F'), ["ABCDEF", "ABCDE", "ABCDE"]);
    fine(|stage| stage.add('Z'), ["ABCDE"; 3]);
    fine(|stage| assert_eq!(dz_remove(stage.world, stage.at('H'), stage.n), OK), ["ABCDHE"; 3]);
}

#[test]
fn removed_and_added_again() {
    fine(|stage| stage.readd('C'), ["ABCDE", "ABCED", "ABCDE"]);
    fine(|stage| stage.readd('A'), ["ABCDE", "ABCD", "ABCDE"]);
    fine(|stage| stage.readd('D'), ["ABCDE", "ABCE", "ABCE"]);
}

#[test]
fn compacted() {
    for order in [Order::Indices, Order::Stable] {
        let stage = Stage::new(Order::Stable);
        stage.remove('A');
        let query =
            if order == Order::Indices { by_text(stage.world, c"P, !N", false, 0) } else { stage.query };
        let old = stage.query;
        let mut stage = stage;
        stage.query = query;
        let seen = stage.iterate(|stage, name| {
            if name == 'C' {
                assert_eq!(dz_compact(stage.world, stage.p), OK);
            }
        });
        // E, the last one, moves into the place that A has left.
        let expected = if order == Order::Indices { "BCDE" } else { "BCD" };
        assert_eq!(seen, (expected.to_owned(), OK), "{order:?}");
        stage.query = old;
    }
    // In a swap pool there is nothing to compact, and nothing happens.
    let refused = change_at_c(Order::Swap, |stage| {
        assert_eq!(dz_compact(stage.world, stage.p), S::DZ_ERR_POLICY);
    });
    assert_eq!(refused, ("ABCDE".to_owned(), OK));
    // Another term's pool, whose elements move into gaps.
    for order in ALL {
        let mut stage = Stage::new(order);
        let other = calls::register(stage.world, c"Other", 4, 4, true, calls::NO_HOOKS);
        "ZABCDE".chars().for_each(|name| assert_eq!(dz_add(stage.world, stage.at(name), other), OK));
        assert_eq!(dz_remove(stage.world, stage.at('Z'), other), OK);
        let follows = if order == Order::Indices { 0 } else { stage.p };
        stage.query = by_text(stage.world, c"P, !N, Other", false, follows);
        let (names, status) = stage.iterate(|stage, name| {
            if name == 'C' {
                assert_eq!(dz_compact(stage.world, other), OK);
            }
        });
        assert_eq!((names.as_str(), status), ("ABCDE", OK), "{order:?}");
    }
}

/// The calls after which one is passed over.
type Hide = fn(&Stage, char) -> S;
const HIDES: [Hide; 4] = [
    |stage, name| dz_set_enabled(stage.world, stage.at(name), false),
    |stage, name| dz_set_component_enabled(stage.world, stage.at(name), stage.p, false),
    |stage, name| dz_set_base(stage.world, stage.at(name), true),
    |stage, name| if dz_instantiate(stage.world, stage.at(name)) == 0 { calls::last() } else { OK },
];
const SHOWS: [Hide; 3] = [
    |stage, name| dz_set_enabled(stage.world, stage.at(name), true),
    |stage, name| dz_set_component_enabled(stage.world, stage.at(name), stage.p, true),
    |stage, name| dz_set_base(stage.world, stage.at(name), false),
];

/// In the order of indices `all` are seen; in that of a pool nobody after the change at C.
fn ends_at_c_along_a_pool(before: impl Fn(&Stage), change: impl Fn(&Stage), all: &str, what: &str) {
    for order in ALL {
        let stage = Stage::new(order);
        before(&stage);
        let (names, status) = stage.iterate(|stage, name| {
            if name == 'C' {
                change(stage);
            }
        });
        let expected = if order == Order::Indices { (all, OK) } else { ("ABC", S::DZ_ERR_CHANGED) };
        assert_eq!((names.as_str(), status), expected, "{what}, {order:?}");
    }
}

#[test]
fn hidden() {
    for (call, hide) in HIDES.into_iter().enumerate() {
        // H doesn't match, but is in the pool.
        for (name, all) in [('A', "ABCDE"), ('C', "ABCDE"), ('D', "ABCE"), ('H', "ABCDE")] {
            let change = |stage: &Stage| assert_eq!(hide(stage, name), OK);
            ends_at_c_along_a_pool(|_| {}, change, all, &format!("call {call} for {name}"));
        }
    }
    // One that isn't in the pool is of no interest, and another term's component lets one match.
    for hide in [HIDES[0], HIDES[2], HIDES[3]] {
        fine(|stage| assert_eq!(hide(stage, 'F'), OK), ["ABCDE"; 3]);
    }
    let other = |stage: &Stage| dz_set_component_enabled(stage.world, stage.at('H'), stage.n, false);
    fine(|stage| assert_eq!(other(stage), OK), ["ABCDHE"; 3]);
}

#[test]
fn shown_again() {
    for (call, (hide, show)) in HIDES.into_iter().zip(SHOWS).enumerate() {
        for (name, all) in [('Z', "ABCDE"), ('D', "ABCDE"), ('H', "ABCDE"), ('F', "ABCDEF")] {
            let before = |stage: &Stage| {
                if "ZF".contains(name) {
                    stage.add(name);
                }
                assert_eq!(hide(stage, name), OK);
            };
            let change = |stage: &Stage| assert_eq!(show(stage, name), OK);
            ends_at_c_along_a_pool(before, change, all, &format!("call {call} for {name}"));
        }
    }
}

#[test]
fn added_to_one_that_is_hidden() {
    for (call, hide) in [HIDES[0], HIDES[2], HIDES[3]].into_iter().enumerate() {
        for name in "ZF".chars() {
            let before = |stage: &Stage| assert_eq!(hide(stage, name), OK);
            let change = |stage: &Stage| stage.add(name);
            ends_at_c_along_a_pool(before, change, "ABCDE", &format!("call {call} for {name}"));
        }
    }
}

#[test]
fn everybody_at_once() {
    fine(|stage| assert_eq!(dz_clear_pool(stage.world, stage.p), OK), ["ABC"; 3]);
    fine(|stage| assert_eq!(dz_world_clear(stage.world), OK), ["ABC"; 3]);
    fine(|stage| assert_eq!(dz_clear_pool(stage.world, stage.n), OK), ["ABCDHE"; 3]);
}

#[test]
fn shrunk() {
    let changed = S::DZ_ERR_CHANGED;
    row(|stage| assert_eq!(dz_shrink(stage.world), OK), [("ABCDE", OK), ("ABC", changed), ("ABC", changed)]);
}

#[test]
fn put_into_order() {
    for (order, expected) in [(Order::Indices, ("ABCDE", OK)), (Order::Swap, ("CEBAD", S::DZ_ERR_CHANGED))] {
        let stage = Stage::new(order);
        "ABCDHE".chars().for_each(|name| stage.remove(name));
        "HCEBAD".chars().for_each(|name| stage.add(name));
        let last = if order == Order::Swap { 'D' } else { 'C' };
        let (names, status) = stage.iterate(|stage, name| {
            if name == last {
                let mut made = 0;
                assert_eq!(unsafe { dz_optimize(stage.world, u32::MAX, &mut made) }, OK);
                assert!(made > 0);
            }
        });
        assert_eq!((names.as_str(), status), expected);
    }
    // A stable pool's order is left alone.
    let nothing =
        |stage: &Stage| assert_eq!(unsafe { dz_optimize(stage.world, 100, std::ptr::null_mut()) }, OK);
    fine(nothing, ["ABCDE"; 3]);
}

#[test]
fn gone() {
    let lost = S::DZ_ERR_QUERY_LOST;
    row(|stage| assert_eq!(dz_component_unregister(stage.world, stage.p), OK), [("ABC", lost); 3]);
    row(|stage| assert_eq!(dz_component_unregister(stage.world, stage.n), OK), [("ABC", lost); 3]);
    row(|stage| assert_eq!(dz_world_destroy(stage.world), OK), [("ABC", S::DZ_ERR_WORLD_DEAD); 3]);
    // No entity has changed: the batch is seen to its end, and if it was the last one nothing is missing.
    let end = |stage: &Stage| assert_eq!(dz_query_destroy(stage.world, stage.query), OK);
    let gone = S::DZ_ERR_QUERY;
    fine(end, ["ABCDE"; 3]);
    for order in ALL {
        let stage = Stage::new(order);
        let more = calls::create_n(stage.world, 100).1;
        more.iter().for_each(|entity| assert_eq!(dz_add(stage.world, *entity, stage.p), OK));
        let (names, status) = stage.iterate(|stage, name| {
            if name == 'C' {
                end(stage);
            }
        });
        assert!(
            names.starts_with("ABCDE") && names.len() < 105 && status == gone,
            "{order:?}: {names} {status:?}"
        );
    }
    let both = |stage: &Stage| {
        end(stage);
        stage.remove('H');
    };
    row(both, [("ABC", gone); 3]);
}

#[test]
fn started_over_when_it_is_lost() {
    for order in ALL {
        let stage = Stage::new(order);
        let mut iter = stage.start();
        assert!(calls::next(&mut iter));
        while each(&mut iter).is_some() {}
        assert_eq!(dz_component_unregister(stage.world, stage.n), OK);
        assert_eq!(unsafe { dz_restart(&mut iter) }, S::DZ_ERR_QUERY_LOST, "{order:?}");
        assert!(!calls::next(&mut iter));
        assert_eq!(iter.status, S::DZ_ERR_QUERY_LOST as i32, "{order:?}");
    }
}

#[test]
fn refreshed() {
    for order in ALL {
        let stage = Stage::new(order);
        let follows = if order == Order::Indices { 0 } else { stage.p };
        let kept = by_text(stage.world, c"P, !N", true, follows);
        let mut stage = stage;
        stage.query = kept;
        for before in [false, true] {
            if before {
                assert_eq!(dz_query_refresh(stage.world, kept), OK);
            }
            let (names, status) = stage.iterate(|stage, name| {
                if name == 'B' {
                    assert_eq!(dz_add(stage.world, stage.at('F'), stage.n), OK);
                    assert_eq!(dz_query_refresh(stage.world, kept), OK);
                }
            });
            assert_eq!((names.as_str(), status), ("ABCDE", OK));
            assert_eq!(dz_remove(stage.world, stage.at('F'), stage.n), OK);
        }
    }
}

unsafe extern "C" fn downwards(
    _: *const c_void,
    _: *const c_void,
    a: dz_entity,
    b: dz_entity,
    _: *mut c_void,
) -> i32 {
    b.cmp(&a) as i32
}

#[test]
fn refreshed_with_a_kept_sort() {
    for (order, expected) in [(Order::Indices, ("ABCDEF", OK)), (Order::Swap, ("EDCBA", S::DZ_ERR_CHANGED))] {
        let mut stage = Stage::new(order);
        let by = Some(downwards as _);
        let mode = dz_sort_mode::DZ_SORT_KEEP as i32;
        assert_eq!(unsafe { dz_sort(stage.world, stage.p, by, std::ptr::null_mut(), mode) }, OK);
        stage.query = by_text(stage.world, c"P, !N", true, if order == Order::Indices { 0 } else { stage.p });
        let last = if order == Order::Indices { 'C' } else { 'A' };
        let (names, status) = stage.iterate(|stage, name| {
            if name == last {
                stage.add('F');
                assert_eq!(dz_query_refresh(stage.world, stage.query), OK);
            }
        });
        assert_eq!((names.as_str(), status), expected);
        // Nobody moves: it goes on.
        let names = stage.iterate(|stage, _| assert_eq!(dz_query_refresh(stage.world, stage.query), OK));
        assert_eq!(names, (if order == Order::Indices { "ABCDEF" } else { "FEDCBA" }.to_owned(), OK));
    }
}

#[test]
fn iterated_inside() {
    fine(|stage| assert_eq!(stage.iterate(|_, _| {}).0, "ABCDE"), ["ABCDE"; 3]);
    // The inner one takes out what it sees: the outer one sees nobody more, whose turn would have come.
    let all = |stage: &Stage| {
        let mut seen: Vec<_> = stage.iterate(|stage, name| stage.remove(name)).0.chars().collect();
        seen.sort_unstable();
        assert_eq!(seen, ['A', 'B', 'C', 'D', 'E']);
    };
    fine(all, ["ABC"; 3]);
}
