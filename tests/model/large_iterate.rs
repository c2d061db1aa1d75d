//! Changes of large pools while they are iterated: by the table of docs/iterating.md.
//!
//! Changes come close together at first and far apart later, as many before 100 elements are seen as from 10,000 to
//! 100,000: that all which was seen goes is an ordinary case then, and so is that thousands go amid a page.

use crate::calls::{self, OK, S};
use crate::each::{each, entity_at};
use crate::large::{KINDS, Large, Sight, Slot, Watch, check_value};
use denizen::ffi::entity::dz_entity_index;
use denizen::ffi::types::*;

/// A pass of the body.
#[derive(Default)]
struct Pass {
    /// Elements may have moved that the pool can't tell of: the iteration may end.
    lost: bool,
    /// As many moved by being compacted.
    compacted: usize,
}

impl Large {
    fn watch(&mut self, kind: usize) {
        let sight = |slot: &Slot| if slot.has(kind) { Sight::Unseen } else { Sight::Out };
        let sights = self.slots.iter().map(sight).collect();
        self.watch = Some(Watch { kind, sights, seen: 0, came: 0, went: 0, seen_went: false, current: 0 });
    }

    fn sight(&self, entity: dz_entity) -> Sight {
        let sights = &self.watch.as_ref().unwrap().sights;
        sights.get(dz_entity_index(entity) as usize).copied().unwrap_or(Sight::Out)
    }

    /// Members that were seen, or not yet.
    fn members(&mut self, most: usize, wanted: Sight) -> Vec<dz_entity> {
        let watch = self.watch.take().unwrap();
        let is_wanted = |slot: &Slot| {
            let sight = watch.sights.get(dz_entity_index(slot.entity) as usize);
            slot.has(watch.kind) && sight.copied().unwrap_or(Sight::Out) == wanted
        };
        let some = self.some(most, is_wanted);
        self.watch = Some(watch);
        some
    }

    /// All that was seen and is there still, one by one or together.
    fn take_seen(&mut self, kind: usize) {
        let watch = self.watch.as_ref().unwrap();
        let is_seen =
            |slot: &&Slot| watch.sights.get(dz_entity_index(slot.entity) as usize) == Some(&Sight::Seen);
        let seen: Vec<_> = self.living().filter(is_seen).map(|slot| slot.entity).collect();
        match self.dice.below(3) {
            0 => self.destroy_n(&seen),
            1 => self.remove_n(&seen, kind),
            _ => seen.into_iter().for_each(|entity| self.remove(entity, kind)),
        }
    }

    /// All that was seen, or a few, and a few that weren't: about as many as a pool remembers moves. Others come in their places.
    fn few_go_and_come(&mut self, kind: usize) {
        if self.watch.as_ref().unwrap().seen < 50 {
            self.take_seen(kind);
        }
        self.members(24, Sight::Unseen).into_iter().for_each(|entity| self.remove(entity, kind));
        self.some(80, |slot| !slot.has(kind)).into_iter().for_each(|entity| self.set(entity, kind));
    }

    fn body(&mut self, kind: usize, current: dz_entity, pass: &mut Pass) {
        // Who joins a group changes places, and others than the current one may cross from what was seen to what wasn't.
        pass.lost = self.is_owned(kind);
        let (other, set) = (self.dice.below(KINDS), self.dice.below(8));
        let wanted = [Sight::Seen, Sight::Unseen, Sight::Unseen][self.dice.below(3)];
        match self.dice.below(26) {
            0 | 1 => self.remove(current, kind),
            2 | 3 => self.destroy(current),
            4 => {
                self.remove(current, kind);
                self.set(current, kind);
            }
            5..8 => {
                let some = self.members(6000, wanted);
                self.destroy_n(&some);
            }
            8 => {
                let some = self.some(3000, |slot| slot.entity % 3 > 0);
                self.destroy_n(&some);
            }
            9 | 10 => {
                let some = self.members(3000, wanted);
                self.remove_n(&some, kind);
            }
            11..13 => self.members(100, wanted).into_iter().for_each(|entity| self.remove(entity, kind)),
            13 => self.members(100, wanted).into_iter().for_each(|entity| self.destroy(entity)),
            14 => self.take_seen(kind),
            15 => {
                let some = self.some(3000, |slot| !slot.has(kind));
                self.set_n(&some, kind);
            }
            16 => {
                let some = self.some(50, |_| true);
                some.into_iter().for_each(|entity| self.set(entity, kind));
            }
            17 => {
                let some = self.members(2000, wanted);
                self.set_n(&some, kind);
            }
            18 => {
                let some = self.members(2000, wanted);
                self.remove_n(&some, kind);
                self.set_n(&some, kind);
            }
            19 => {
                let count = self.dice.size(3000);
                self.create(set, count);
            }
            20 => (0..self.dice.size(50)).for_each(|_| self.create_one(set)),
            21 if other != kind => {
                let some = self.some(2000, |_| true);
                self.remove_n(&some, other);
            }
            22 if other != kind => {
                let some = self.some(2000, |_| true);
                self.set_n(&some, other);
            }
            23 if Self::is_stable(kind) => {
                pass.compacted += calls::info(self.world, self.ids[kind]).unwrap().gaps as usize;
                self.compact(kind);
            }
            24 | 25 => self.few_go_and_come(kind),
            23 if other != kind => _ = self.order(other),
            _ => {}
        }
    }

    fn visit(&mut self, kind: usize, iter: &dz_iter, at: u32) -> dz_entity {
        let entity = entity_at(iter, at);
        let slot = self.slot(entity);
        assert!(slot.entity == entity && slot.has(kind), "{entity:#x} is not there");
        assert!(self.sight(entity) != Sight::Seen, "{entity:#x} is seen twice");
        assert!(self.sight(entity) == Sight::Unseen, "{entity:#x} came meanwhile");
        let data = iter.data.wrapping_byte_add(at as usize * iter.stride as usize);
        if iter.data.is_null() {
            assert_eq!(iter.stride, 0);
        } else {
            check_value(kind, slot.values[kind], data);
        }
        let watch = self.watch.as_mut().unwrap();
        watch.sights[dz_entity_index(entity) as usize] = Sight::Seen;
        watch.current = entity;
        watch.seen += 1;
        entity
    }

    /// Nobody who was there all the time is missed.
    fn end_watch(&mut self, sees_all: bool) {
        let watch = self.watch.take().unwrap();
        let missed = watch.sights.iter().filter(|sight| **sight == Sight::Unseen).count();
        assert!(missed == 0 || !sees_all, "{missed} are missed");
    }

    /// DZ_EACH, whose body does anything.
    fn iterate(&mut self, kind: usize, forward: bool) {
        self.watch(kind);
        let direction = if forward { dz_direction::DZ_FORWARD } else { dz_direction::DZ_BACKWARD };
        let (status, mut iter) = calls::iterate(self.world, self.ids[kind], direction);
        assert_eq!(status, OK);
        let (mut number, mut pass, mut may_miss) = (0, Pass::default(), false);
        while calls::next(&mut iter) {
            while let Some(at) = each(&mut iter) {
                let entity = self.visit(kind, &iter, at);
                (number, pass) = (number + 1, Pass::default());
                let watch = self.watch.as_mut().unwrap();
                (watch.came, watch.went) = (0, 0);
                if self.dice.below(1 + number / 8) == 0 {
                    self.body(kind, entity, &mut pass);
                    // The table, for one who was seen: the last may be missed.
                    let watch = self.watch.as_ref().unwrap();
                    let again = watch.came > 0 && self.sight(entity) == Sight::Out;
                    may_miss |= forward && (watch.seen_went || again || pass.compacted > 0);
                }
            }
        }
        let watch = self.watch.as_ref().unwrap();
        let moved = if Self::is_stable(kind) { pass.compacted } else { watch.went };
        if iter.status == S::DZ_ERR_CHANGED as i32 {
            let unknown = !forward && watch.came > 0 && moved > 16;
            assert!(unknown || pass.lost, "{} came and {moved} moved", watch.came);
        } else {
            assert_eq!(iter.status, OK as i32);
        }
        self.end_watch(iter.status == OK as i32 && !may_miss);
    }

    /// A plain loop from the end, whose body takes out the current one.
    fn take_current(&mut self, kind: usize) {
        self.watch(kind);
        let (_, mut iter) = calls::iterate(self.world, self.ids[kind], dz_direction::DZ_BACKWARD);
        while calls::next(&mut iter) {
            for at in (0..iter.count).rev() {
                let entity = self.visit(kind, &iter, at);
                match self.dice.below(9) {
                    0 => self.remove(entity, kind),
                    1 => self.destroy(entity),
                    _ => {}
                }
            }
        }
        assert_eq!(iter.status, OK as i32);
        self.end_watch(true);
    }
}

fn run(layout: dz_layout, seed: u64, grouped: bool, least: usize, rounds: usize) {
    let mut large = Large::new(layout, seed, grouped);
    for round in 0..rounds {
        large.fill(least);
        for kind in 0..KINDS {
            match (round + kind) % 5 {
                0 | 1 => large.iterate(kind, true),
                2 | 3 => large.iterate(kind, false),
                _ => large.take_current(kind),
            }
            large.order(kind);
        }
        large.check();
    }
}

const ROUNDS: usize = 5;

#[test]
fn wide_handles() {
    run(dz_layout::DZ_LAYOUT_64, 1, false, 90_000, ROUNDS);
}

#[test]
fn narrow_handles() {
    run(dz_layout::DZ_LAYOUT_32, 2, false, 90_000, ROUNDS);
}

#[test]
fn beside_a_group() {
    run(dz_layout::DZ_LAYOUT_64, 3, true, 40_000, ROUNDS);
    run(dz_layout::DZ_LAYOUT_32, 4, true, 40_000, ROUNDS);
}

/// All go at once, and some come: an iteration that was under way sees nobody, and doesn't end early either because
/// another one looked for who had moved among those that had gone.
#[test]
fn two_iterations_of_a_pool_that_is_emptied() {
    for (layout, kind) in crate::large::LAYOUTS.into_iter().flat_map(|layout| [(layout, 0), (layout, 2)]) {
        let mut large = Large::new(layout, 5, false);
        large.create(1, 3000);
        let start = || {
            let (status, mut iter) = calls::iterate(large.world, large.ids[kind], dz_direction::DZ_BACKWARD);
            assert_eq!((status, calls::next(&mut iter)), (OK, true));
            assert!(each(&mut iter).is_some());
            iter
        };
        let iters = [start(), start()];
        let all: Vec<_> = large.living().map(|slot| slot.entity).collect();
        large.destroy_n(&all);
        if Large::is_stable(kind) {
            large.compact(kind);
        }
        large.create(1, 2000);
        for mut iter in iters {
            assert!(each(&mut iter).is_none() && !calls::next(&mut iter));
            assert_eq!(iter.status, OK as i32);
        }
        large.check();
    }
}
