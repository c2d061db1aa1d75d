//! The table of docs/iterating.md, cell by cell.
//!
//! Five entities A to E have the component, added in that order. When C is reached the body makes a
//! change; what is written down is who was seen, in order.
//!
//! ```text
//!   backward   E D C | B A          forward   A B C | D E
//!              seen    not yet                seen    not yet
//! ```

use crate::calls::{self, OK, S};
use crate::each::{each, entity_at};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, enable::*, entity::*, instance::*, world::*};
use std::mem::ManuallyDrop;

struct Five {
    world: dz_world,
    id: dz_id,
    /// A to E; F, which has no component yet; and X, which left a gap under the stable policy.
    entities: [dz_entity; 7],
    stable: bool,
    forward: bool,
}

const SWAP: bool = false;
const STABLE: bool = true;
const BACKWARD: bool = false;
const FORWARD: bool = true;
/// The four columns of the table.
const ALL: [(bool, bool); 4] = [(BACKWARD, SWAP), (BACKWARD, STABLE), (FORWARD, SWAP), (FORWARD, STABLE)];

impl Drop for Five {
    fn drop(&mut self) {
        dz_world_destroy(self.world);
    }
}

impl Five {
    fn new(forward: bool, stable: bool, gap: bool) -> Self {
        let world = calls::plain_world(crate::layout_of(module_path!()));
        let id = calls::register(world, c"Seen", 8, 8, stable, calls::NO_HOOKS);
        let entities: [_; 7] = calls::create_n(world, 7).1.try_into().unwrap();
        let five = Self { world, id, entities, stable, forward };
        // X comes first and goes again: a gap in front of everybody.
        for name in if gap { "XABCDE" } else { "ABCDE" }.chars() {
            five.add(name);
        }
        if gap {
            five.remove('X');
        }
        five
    }

    fn at(&self, name: char) -> dz_entity {
        self.entities["ABCDEFX".find(name).unwrap()]
    }

    fn name(&self, entity: dz_entity) -> char {
        let at = self.entities.iter().position(|other| *other == entity);
        at.map_or('?', |at| "ABCDEFX".as_bytes()[at].into())
    }

    fn add(&self, name: char) {
        assert_eq!(dz_add(self.world, self.at(name), self.id), OK);
    }

    fn remove(&self, name: char) {
        assert_eq!(dz_remove(self.world, self.at(name), self.id), OK);
    }

    fn destroy(&self, name: char) {
        assert_eq!(dz_destroy(self.world, self.at(name)), OK);
    }

    /// One that was seen when C is reached, and one that wasn't.
    fn seen(&self) -> char {
        if self.forward { 'A' } else { 'E' }
    }

    fn unseen(&self) -> char {
        if self.forward { 'D' } else { 'A' }
    }

    /// Iterates; calls `body` with each name. Returns the names, and how it ended.
    fn iterate(&self, mut body: impl FnMut(&Self, char)) -> (String, S) {
        let direction = if self.forward { dz_direction::DZ_FORWARD } else { dz_direction::DZ_BACKWARD };
        let (status, mut iter) = calls::iterate(self.world, self.id, direction);
        assert_eq!(status, OK);
        let mut names = String::new();
        while calls::next(&mut iter) {
            while let Some(at) = each(&mut iter) {
                let name = self.name(entity_at(&iter, at));
                names.push(name);
                body(self, name);
            }
        }
        assert!(!calls::next(&mut iter), "an iteration that has ended stays so");
        let ends = [OK, S::DZ_ERR_CHANGED, S::DZ_ERR_DEAD, S::DZ_ERR_WORLD_DEAD, S::DZ_ERR_NOT_COMPONENT];
        let status = ends.into_iter().find(|end| *end as i32 == iter.status).unwrap();
        (names, status)
    }
}

/// Makes a change when C is reached, in a fresh world.
fn change_at_c(forward: bool, stable: bool, change: impl Fn(&Five)) -> (String, S) {
    Five::new(forward, stable, false).iterate(|five, name| {
        if name == 'C' {
            change(five);
        }
    })
}

/// The four cells of a row. Every one ends in order.
fn row(change: impl Fn(&Five) + Copy, expected: [&str; 4]) {
    for ((forward, stable), expected) in ALL.into_iter().zip(expected) {
        let got = change_at_c(forward, stable, change);
        assert_eq!(got, (expected.to_owned(), OK), "forward: {forward}, stable: {stable}");
    }
}

fn sorted(names: &str) -> String {
    let mut names: Vec<_> = names.chars().collect();
    names.sort_unstable();
    names.into_iter().collect()
}

#[test]
fn nothing_or_values_or_another_pool() {
    row(|_| {}, ["EDCBA", "EDCBA", "ABCDE", "ABCDE"]);
    let values = |five: &Five| {
        for name in "ABCDE".chars() {
            assert_eq!(calls::set(five.world, five.at(name), five.id, &[7; 8]), OK);
        }
        let other = calls::register(five.world, c"Other", 4, 4, five.stable, calls::NO_HOOKS);
        "ABC".chars().for_each(|name| assert_eq!(dz_add(five.world, five.at(name), other), OK));
        assert_eq!(dz_remove(five.world, five.at('A'), other), OK);
        assert_eq!(dz_component_unregister(five.world, other), OK);
        dz_create(five.world);
    };
    row(values, ["EDCBA", "EDCBA", "ABCDE", "ABCDE"]);
}

#[test]
fn take_out_the_current_one() {
    // Forward in a swap pool the last one comes in its place, and is seen there.
    row(|five| five.remove('C'), ["EDCBA", "EDCBA", "ABCED", "ABCDE"]);
    row(|five| five.destroy('C'), ["EDCBA", "EDCBA", "ABCED", "ABCDE"]);
}

#[test]
fn take_out_every_current_one() {
    for (forward, stable) in ALL {
        for destroys in [false, true] {
            let (names, status) = Five::new(forward, stable, true).iterate(|five, name| match destroys {
                true => five.destroy(name),
                false => five.remove(name),
            });
            assert_eq!((sorted(&names).as_str(), status), ("ABCDE", OK));
        }
    }
}

#[test]
fn take_out_one_that_was_seen() {
    // Forward in a swap pool the last one comes in its place, where the iteration has passed.
    row(|five| five.remove(five.seen()), ["EDCBA", "EDCBA", "ABCD", "ABCDE"]);
    row(|five| five.destroy(five.seen()), ["EDCBA", "EDCBA", "ABCD", "ABCDE"]);
}

#[test]
fn take_out_one_that_was_not_seen_yet() {
    row(|five| five.remove(five.unseen()), ["EDCB", "EDCB", "ABCE", "ABCE"]);
    row(|five| five.destroy(five.unseen()), ["EDCB", "EDCB", "ABCE", "ABCE"]);
}

/// Backward nobody is missed, whoever goes: also where all who were seen have gone, so that it is one
/// not seen yet who fills a gap.
#[test]
fn take_out_the_current_one_and_others() {
    for (forward, stable) in [ALL[0], ALL[1]] {
        let (names, status) = Five::new(forward, stable, false).iterate(|five, name| {
            if name == 'E' {
                five.destroy('E');
                five.destroy('A');
            }
        });
        assert_eq!((sorted(&names).as_str(), status), ("BCDE", OK), "stable: {stable}");
        let (names, status) = Five::new(forward, stable, false).iterate(|five, name| {
            if name == 'E' {
                five.remove('A');
                five.remove('B');
            }
        });
        assert_eq!((sorted(&names).as_str(), status), ("CDE", OK), "stable: {stable}");
        let (names, status) = Five::new(forward, stable, false).iterate(|five, name| {
            if name == 'E' {
                five.destroy('A');
                five.destroy('B');
                five.add('F');
                five.destroy('E');
            }
        });
        assert_eq!((sorted(&names).as_str(), status), ("CDE", OK), "stable: {stable}");
    }
}

/// One that joined goes again, after the current one's gap was filled.
#[test]
fn take_out_one_that_joined() {
    for (forward, stable) in ALL {
        let mut passes = 0;
        let (names, status) = Five::new(forward, stable, false).iterate(|five, name| {
            passes += 1;
            match passes {
                1 => {
                    five.add('F');
                    five.remove(name);
                }
                2 => five.remove('F'),
                _ => {}
            }
        });
        // Forward in a swap pool F came where A was, and then the last one, where the iteration has passed.
        let expected = if (forward, stable) == (FORWARD, SWAP) { "ABCD" } else { "ABCDE" };
        assert_eq!((sorted(&names).as_str(), status), (expected, OK), "forward: {forward}, stable: {stable}");
    }
}

#[test]
fn add_to_another_entity() {
    row(|five| five.add('F'), ["EDCBA", "EDCBA", "ABCDE", "ABCDE"]);
    let bulk = |five: &Five| {
        let columns = [(five.id, None, 8)];
        assert_eq!(calls::create_with(five.world, 100, &columns, false).0, OK);
    };
    row(bulk, ["EDCBA", "EDCBA", "ABCDE", "ABCDE"]);
    // Also not in the place of one that went.
    let replaced = |five: &Five| {
        five.remove('C');
        five.add('F');
    };
    row(replaced, ["EDCBA", "EDCBA", "ABCED", "ABCDE"]);
}

#[test]
fn remove_and_add_again() {
    let again = |five: &Five, name: char| {
        five.remove(name);
        five.add(name);
    };
    // Who comes back counts as added: the current one is not seen twice, one not seen yet not at all.
    row(|five| again(five, 'C'), ["EDCBA", "EDCBA", "ABCED", "ABCDE"]);
    row(|five| again(five, five.seen()), ["EDCBA", "EDCBA", "ABCD", "ABCDE"]);
    row(|five| again(five, five.unseen()), ["EDCB", "EDCB", "ABCE", "ABCE"]);
}

#[test]
fn compact() {
    let with_gap = |forward, when| {
        Five::new(forward, STABLE, true).iterate(|five, name| {
            if name == when {
                assert_eq!(dz_compact(five.world, five.id), OK);
            }
        })
    };
    // E moves to the front. Forward, that is behind the iteration, which misses it.
    assert_eq!(with_gap(BACKWARD, 'C'), ("EDCBA".to_owned(), OK));
    assert_eq!(with_gap(BACKWARD, 'E'), ("EDCBA".to_owned(), OK));
    assert_eq!(with_gap(FORWARD, 'C'), ("ABCD".to_owned(), OK));
    // With the current one gone, it is D that moves, which was not seen yet.
    let (names, status) = Five::new(BACKWARD, STABLE, true).iterate(|five, name| {
        if name == 'E' {
            five.remove('E');
            assert_eq!(dz_compact(five.world, five.id), OK);
        }
    });
    assert_eq!((sorted(&names).as_str(), status), ("ABCDE", OK));
    // In a swap pool there is nothing to compact, and nothing happens.
    let refused = |five: &Five| assert_eq!(dz_compact(five.world, five.id), S::DZ_ERR_POLICY);
    for forward in [BACKWARD, FORWARD] {
        assert_eq!(change_at_c(forward, SWAP, refused), change_at_c(forward, SWAP, |_| {}));
    }
}

/// The calls after which one is passed over.
type Hide = fn(&Five, dz_entity) -> S;
const HIDES: [Hide; 4] = [
    |five, entity| dz_set_enabled(five.world, entity, false),
    |five, entity| dz_set_component_enabled(five.world, entity, five.id, false),
    |five, entity| dz_set_base(five.world, entity, true),
    |five, entity| if dz_instantiate(five.world, entity) == 0 { calls::last() } else { OK },
];
const SHOWS: [Hide; 3] = [
    |five, entity| dz_set_enabled(five.world, entity, true),
    |five, entity| dz_set_component_enabled(five.world, entity, five.id, true),
    |five, entity| dz_set_base(five.world, entity, false),
];

/// Each column: the change at C is the last that is seen.
fn ends_at_c(before: impl Fn(&Five), change: impl Fn(&Five), what: &str) {
    for (forward, stable) in ALL {
        let five = Five::new(forward, stable, false);
        before(&five);
        let (names, status) = five.iterate(|five, name| {
            if name == 'C' {
                change(five);
            }
        });
        let seen = if forward { "ABC" } else { "EDC" };
        assert_eq!(
            (names.as_str(), status),
            (seen, S::DZ_ERR_CHANGED),
            "{what}, forward: {forward}, stable: {stable}"
        );
    }
}

#[test]
fn hide_one_that_has_it() {
    for (call, hide) in HIDES.into_iter().enumerate() {
        for who in [|_: &Five| 'C', Five::seen, Five::unseen] {
            ends_at_c(|_| {}, |five| assert_eq!(hide(five, five.at(who(five))), OK), &format!("call {call}"));
        }
    }
    // One that doesn't have it is of no interest.
    for hide in [HIDES[0], HIDES[2], HIDES[3]] {
        row(|five| assert_eq!(hide(five, five.at('F')), OK), ["EDCBA", "EDCBA", "ABCDE", "ABCDE"]);
    }
}

#[test]
fn show_one_that_has_it() {
    for (call, (hide, show)) in HIDES.into_iter().zip(SHOWS).enumerate() {
        // One whose turn would come, and one that was added last.
        for who in [Five::unseen, |_: &Five| 'F'] {
            let before = |five: &Five| {
                if who(five) == 'F' {
                    five.add('F');
                }
                assert_eq!(hide(five, five.at(who(five))), OK);
            };
            let change = |five: &Five| assert_eq!(show(five, five.at(who(five))), OK);
            ends_at_c(before, change, &format!("call {call}"));
        }
    }
}

#[test]
fn add_to_one_that_is_hidden() {
    let adds: [Hide; 5] = [
        |five, entity| dz_add(five.world, entity, five.id),
        |five, entity| calls::set(five.world, entity, five.id, &[7; 8]),
        |five, entity| if dz_get_or_add(five.world, entity, five.id).is_null() { calls::last() } else { OK },
        |five, entity| calls::add_n(five.world, &[entity], five.id),
        |five, entity| calls::set_n(five.world, &[entity], five.id, 8, &[7; 8]),
    ];
    for (call, hide) in [HIDES[0], HIDES[2], HIDES[3]].into_iter().enumerate() {
        for (way, add) in adds.into_iter().enumerate() {
            let before = |five: &Five| assert_eq!(hide(five, five.at('F')), OK);
            let change = |five: &Five| assert_eq!(add(five, five.at('F')), OK);
            ends_at_c(before, change, &format!("call {call}, added in way {way}"));
        }
    }
}

#[test]
fn clear_the_pool_or_the_world() {
    let cleared = |five: &Five| assert_eq!(dz_clear_pool(five.world, five.id), OK);
    row(cleared, ["EDC", "EDC", "ABC", "ABC"]);
    let and_added = |five: &Five| {
        cleared(five);
        "FAB".chars().for_each(|name| five.add(name));
    };
    row(and_added, ["EDC", "EDC", "ABC", "ABC"]);
    row(|five| assert_eq!(dz_world_clear(five.world), OK), ["EDC", "EDC", "ABC", "ABC"]);
}

#[test]
fn what_ends_an_iteration() {
    for (forward, stable) in ALL {
        let seen = if forward { "ABC" } else { "EDC" }.to_owned();
        let shrunk = change_at_c(forward, stable, |five| assert_eq!(dz_shrink(five.world), OK));
        assert_eq!(shrunk, (seen.clone(), S::DZ_ERR_CHANGED));
        let gone = |five: &Five| assert_eq!(dz_component_unregister(five.world, five.id), OK);
        assert_eq!(change_at_c(forward, stable, gone), (seen.clone(), S::DZ_ERR_DEAD));
        let ended = |five: &Five| assert_eq!(dz_world_destroy(five.world), OK);
        assert_eq!(change_at_c(forward, stable, ended), (seen, S::DZ_ERR_WORLD_DEAD));
    }
}

/// A component of the same name, in the same place, is another one; so is a world of the same number.
#[test]
fn what_comes_instead_is_not_iterated() {
    for (forward, stable) in ALL {
        let instead = |five: &Five| {
            assert_eq!(dz_component_unregister(five.world, five.id), OK);
            let id = calls::register(five.world, c"Seen", 8, 8, five.stable, calls::NO_HOOKS);
            assert_ne!(id, five.id);
            assert_eq!(dz_add(five.world, five.at('A'), id), OK);
        };
        assert_eq!(change_at_c(forward, stable, instead).1, S::DZ_ERR_DEAD);
    }
}

#[test]
fn another_pool_inside() {
    // Of either policy, in either direction: it sees its own, also while it loses them.
    let inside = |five: &Five| {
        for (forward, stable) in ALL {
            let id = calls::register(five.world, c"Other", 4, 4, stable, calls::NO_HOOKS);
            // The world is that of the five.
            let other = ManuallyDrop::new(Five { id, forward, stable, ..*five });
            "FABCDE".chars().for_each(|name| other.add(name));
            for removes in [false, true] {
                let (names, status) = other.iterate(|other, name| {
                    if removes {
                        other.remove(name);
                    }
                });
                assert_eq!((sorted(&names).as_str(), status), ("ABCDEF", OK));
            }
            assert_eq!(dz_component_unregister(five.world, id), OK);
        }
    };
    row(inside, ["EDCBA", "EDCBA", "ABCDE", "ABCDE"]);
}

#[test]
fn nested_iterations() {
    // Without changes each sees everybody.
    let all = |five: &Five| {
        let (names, status) = five.iterate(|_, _| {});
        assert_eq!((sorted(&names).as_str(), status), ("ABCDE", OK));
    };
    row(all, ["EDCBA", "EDCBA", "ABCDE", "ABCDE"]);
    // Changes inside are seen by both, if there were none before the inner one began.
    let inner = |five: &Five| {
        let (names, status) = five.iterate(|five, name| {
            if name == five.unseen() {
                five.remove(name);
            }
        });
        assert_eq!((sorted(&names).as_str(), status), ("ABCDE", OK));
    };
    row(inner, ["EDCB", "EDCB", "ABCE", "ABCE"]);
    // With changes before and after, the outer one ends early rather than see anybody twice.
    for (forward, stable) in ALL {
        let (names, status) = change_at_c(forward, stable, |five| {
            five.remove(five.seen());
            five.add('F');
            let (names, status) = five.iterate(|five, name| {
                if name == five.unseen() {
                    five.remove(name);
                    five.add(five.seen());
                }
            });
            assert_eq!((names.len(), status), (5, OK));
        });
        assert!(names.starts_with(if forward { "ABC" } else { "EDC" }));
        assert_eq!(status, S::DZ_ERR_CHANGED, "{names}");
    }
}

/// What an inner iteration has not seen yet when it moves, the outer one may have: here D, its current
/// one. The inner one sees D, the outer one doesn't again, or ends early.
#[test]
fn what_moved_inside_is_not_seen_twice_outside() {
    let five = Five::new(BACKWARD, SWAP, false);
    let (names, status) = five.iterate(|five, name| {
        if name == 'D' {
            let (names, status) = five.iterate(|five, name| {
                if name == 'E' {
                    five.remove('A');
                    five.remove('B');
                }
            });
            assert_eq!((sorted(&names).as_str(), status), ("CDE", OK));
        }
    });
    assert!((names.as_str(), status) == ("EDC", OK) || status == S::DZ_ERR_CHANGED, "{names} {status:?}");
    assert_eq!(names.matches('D').count(), 1, "{names}");
}

#[test]
fn leaving_early_needs_no_call() {
    for (forward, stable) in ALL {
        let five = Five::new(forward, stable, true);
        let direction = if forward { dz_direction::DZ_FORWARD } else { dz_direction::DZ_BACKWARD };
        let (_, mut iter) = calls::iterate(five.world, five.id, direction);
        assert!(calls::next(&mut iter) && each(&mut iter).is_some());
        // A copy goes on where the original stands.
        let mut copy = iter;
        assert_eq!(each(&mut copy), each(&mut iter));
        let (names, status) = five.iterate(|_, _| {});
        assert_eq!((sorted(&names).as_str(), status), ("ABCDE", OK));
    }
}
