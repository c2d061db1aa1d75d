//! Iterating a pool that a group owns, by pool and by a query that follows it, while the body makes entities, lets some
//! join and leave the group, and takes out the current one, or another.
//!
//! Nobody is seen twice, nobody who isn't in the pool at that moment, nobody who came to it meanwhile; and unless
//! the iteration says that it can't go on (`DZ_ERR_CHANGED`), or goes forward and others were taken out, nobody is missed who
//! was in it all along.

use crate::calls::{self, OK, S};
use crate::dice::Dice;
use crate::each::{each, entity_at};
use crate::query::by_text;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, entity::*, group::*, query::*, world::*};
use std::collections::BTreeSet;
use std::ptr::null;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Forward,
    Backward,
    Query,
}

struct Stage {
    world: dz_world,
    /// The pool that is iterated, which the group owns, and the others of the group's terms.
    p: dz_id,
    terms: Vec<dz_id>,
    dice: Dice,
    all: Vec<dz_entity>,
    /// Where others are taken out, whoever fills the gap comes from the end: forward it may be missed.
    took_another: bool,
}

impl Drop for Stage {
    fn drop(&mut self) {
        dz_world_destroy(self.world);
    }
}

impl Stage {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let layout = if dice.below(2) == 0 { dz_layout::DZ_LAYOUT_64 } else { dz_layout::DZ_LAYOUT_32 };
        let world = calls::plain_world(layout);
        let id = |name, size| calls::register(world, name, size, 4.min(size.max(1)), false, calls::NO_HOOKS);
        let (p, v, tag) = (id(c"P", 8), id(c"V", 4), id(c"T", 0));
        let owned = [p, v];
        let (owned_count, included) = if dice.below(2) == 0 { (2, null()) } else { (1, &raw const v) };
        let desc = dz_group_desc {
            size: size_of::<dz_group_desc>() as u32,
            owned_count,
            included_count: u32::from(!included.is_null()),
            excluded_count: u32::from(dice.below(2) == 0),
            owned: owned.as_ptr(),
            included,
            excluded: &raw const tag,
            reserved: 0,
        };
        assert_ne!(unsafe { dz_group_create(world, &desc) }.bits, 0, "{}", calls::message());
        let all = calls::create_n(world, 1 + dice.below(80) as u32).1;
        let mut stage = Self { world, p, terms: vec![v, tag], dice, all, took_another: false };
        for entity in stage.all.clone() {
            stage.dress(entity);
        }
        stage
    }

    fn add(&self, entity: dz_entity, id: dz_id) {
        assert!(dz_add(self.world, entity, id) as i32 >= 0, "{}", calls::message());
    }

    fn has(&self, entity: dz_entity, id: dz_id) -> bool {
        dz_is_alive(self.world, entity) && dz_has(self.world, entity, id)
    }

    /// Gives an entity some of the components, in any order.
    fn dress(&mut self, entity: dz_entity) {
        let ids = [self.p, self.terms[0], self.terms[1]];
        let first = self.dice.below(3);
        for number in 0..3 {
            if self.dice.below(4) > 0 {
                self.add(entity, ids[(first + number) % 3]);
            }
        }
    }

    /// One change, which mostly takes nobody but the current entity out of the pool.
    fn change(&mut self, current: dz_entity) {
        let other = self.all[self.dice.below(self.all.len())];
        let term = self.terms[self.dice.below(2)];
        let (lives, other_lives) = (dz_is_alive(self.world, current), dz_is_alive(self.world, other));
        match self.dice.below(11) {
            0 | 1 => {
                let entity = dz_create(self.world);
                self.all.push(entity);
                self.dress(entity);
            }
            2 if lives => self.all.push(dz_clone(self.world, current)),
            3 if other_lives => self.add(other, term),
            4 if other_lives => _ = dz_remove(self.world, other, term),
            5 if other_lives => self.add(other, self.p),
            6 if lives => self.add(current, term),
            7 if lives => _ = dz_remove(self.world, current, term),
            8 if lives => assert_eq!(dz_destroy(self.world, current), OK),
            9 if lives => _ = dz_remove(self.world, current, self.p),
            10 if other_lives => {
                self.took_another = true;
                _ = dz_remove(self.world, other, self.p);
            }
            _ => {}
        }
    }

    /// Whether the iteration went to its end.
    fn iterate(&mut self, way: Way, often: usize) -> bool {
        let query = by_text(self.world, c"P", false, self.p);
        let mut iter = match way {
            Way::Forward => calls::iterate(self.world, self.p, dz_direction::DZ_FORWARD).1,
            Way::Backward => calls::iterate(self.world, self.p, dz_direction::DZ_BACKWARD).1,
            Way::Query => calls::iterate_query(self.world, query),
        };
        let mut all_along: BTreeSet<_> =
            self.all.iter().copied().filter(|entity| self.has(*entity, self.p)).collect();
        let at_first = all_along.clone();
        let mut seen = BTreeSet::new();
        while calls::next(&mut iter) {
            while let Some(i) = each(&mut iter) {
                let entity = entity_at(&iter, i);
                assert!(self.has(entity, self.p), "{entity:#x} isn't in the pool");
                assert!(at_first.contains(&entity), "{entity:#x} came meanwhile");
                assert!(seen.insert(entity), "{entity:#x} is seen twice");
                while self.dice.below(often) == 0 {
                    self.change(entity);
                    all_along.retain(|entity| self.has(*entity, self.p));
                }
            }
        }
        let done = iter.status == OK as i32;
        assert!(done || iter.status == S::DZ_ERR_CHANGED as i32);
        let missed: Vec<_> = all_along.difference(&seen).collect();
        let may_miss = !done || self.took_another && way != Way::Backward;
        assert!(may_miss || missed.is_empty(), "{way:?} misses {missed:x?}");
        assert_eq!(dz_query_destroy(self.world, query), OK);
        done
    }
}

#[test]
fn nobody_is_missed_in_a_pool_that_a_group_owns() {
    let mut ended = [[0; 2]; 3];
    for seed in 0..if cfg!(miri) { 6 } else { 6000 } {
        for way in [Way::Forward, Way::Backward, Way::Query] {
            let mut stage = Stage::new(seed);
            let often = [2, 4, 10, 30][stage.dice.below(4)];
            ended[way as usize][usize::from(stage.iterate(way, often))] += 1;
        }
    }
    // Where it goes to its end often enough, something was looked at.
    assert!(cfg!(miri) || ended.iter().all(|[_, done]| *done > 1500), "{ended:?}");
}
