//! Any change of a large world, again and again, and now and then a look at all of it.

use crate::calls::{self, OK};
use crate::large::{KINDS, LAYOUTS, Large, SETS, SHAPES};
use denizen::ffi::types::*;
use denizen::ffi::{entity::*, group::*, query::*, sort::*, world::*};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ffi::c_void;

unsafe extern "C" fn by_value(
    left: *const c_void,
    right: *const c_void,
    _: dz_entity,
    _: dz_entity,
    _: *mut c_void,
) -> i32 {
    match unsafe { left.cast::<u32>().read().cmp(&right.cast::<u32>().read()) } {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

impl Large {
    /// One by one; in a swap pool the last comes where one went.
    fn remove_in_order(&mut self, kind: usize) {
        let some = self.some(3000, |slot| slot.has(kind));
        let mut order = self.order(kind);
        let mut places: BTreeMap<_, _> = order.iter().copied().zip(0..).collect();
        for entity in &some {
            self.remove(*entity, kind);
            let place: usize = places.remove(entity).unwrap();
            if !Self::is_stable(kind) {
                order.swap_remove(place);
                order.get(place).map(|moved| places.insert(*moved, place));
            }
        }
        if Self::is_stable(kind) {
            order.retain(|entity| places.contains_key(entity));
        }
        assert!(self.is_owned(kind) || self.order(kind) == order, "another order");
    }

    /// One by one over the end of a large page, and back.
    fn cross(&mut self, kind: usize) {
        const PAGE: usize = 32_768;
        let (all, count) = (self.living().count(), self.counts[kind]);
        let missing = count.next_multiple_of(PAGE).saturating_sub(count + 100).max(1);
        if all + missing < 350_000 {
            let set = SETS.iter().position(|set| set.contains(&kind)).unwrap();
            self.create(set, missing);
            (0..150).for_each(|_| self.create_one(set));
        }
        let members: Vec<_> = self.living().filter(|slot| slot.has(kind)).map(|slot| slot.entity).collect();
        for _ in 0..150.min(members.len()) {
            let entity = members[self.dice.below(members.len())];
            if self.slot(entity).has(kind) {
                self.remove(entity, kind);
            }
        }
    }

    fn sort(&mut self, kind: usize) {
        let id = self.ids[kind];
        if Self::is_stable(kind) || SHAPES[kind].0 == 0 || self.is_owned(kind) {
            return;
        }
        if self.dice.below(2) == 0 {
            let status = unsafe { dz_sort(self.world, id, Some(by_value), std::ptr::null_mut(), 0) };
            assert_eq!(status, OK, "{}", calls::message());
            assert!(self.order(kind).is_sorted_by_key(|entity| self.slot(*entity).values[kind]));
        } else {
            let like = self.dice.below(KINDS);
            let (before, model) = (self.order(kind), self.order(like));
            if like != kind {
                assert_eq!(dz_sort_as(self.world, id, self.ids[like], 0), OK, "{}", calls::message());
                let there = model.into_iter().filter(|entity| self.slot(*entity).has(kind));
                let others = before.into_iter().filter(|entity| !self.slot(*entity).has(like));
                assert!(there.chain(others).eq(self.order(kind)));
            }
        }
    }

    fn optimise(&mut self) {
        let moves = [1, 5000, u32::MAX][self.dice.below(3)];
        let mut made = u32::MAX;
        assert_eq!(unsafe { dz_optimize(self.world, moves, &mut made) }, OK);
        assert!(made <= moves);
        if moves == u32::MAX {
            assert_eq!(unsafe { dz_optimize(self.world, moves, &mut made) }, OK);
            assert_eq!(made, 0, "all is in order");
            // No kept query asks for it.
            let others =
                |kind: &usize| !self.queries.iter().any(|asked| asked.kept && asked.with.contains(kind));
            for kind in (0..KINDS).filter(others).filter(|kind| !Self::is_stable(*kind)) {
                let sorted = self.order(kind).is_sorted_by_key(|entity| dz_entity_index(*entity));
                assert!(sorted || self.is_owned(kind));
            }
        }
    }

    /// Any change of the world, of about so many entities.
    pub fn change(&mut self, most: usize) {
        let (kind, set) = (self.dice.below(KINDS), self.dice.below(SETS.len()));
        match self.dice.below(24) {
            0..4 => {
                let count = self.dice.size(most);
                self.create(set, count);
            }
            4 | 5 => (0..self.dice.size(3000)).for_each(|_| self.create_one(set)),
            6 => {
                let some = self.some(most, |_| true);
                self.set_n(&some, kind);
            }
            7 => {
                let some = self.some(most, |slot| !slot.has(kind));
                self.set_n(&some, kind);
            }
            8 if SHAPES[kind].0 > 0 => {
                let some = self.some(most, |_| true);
                self.get_or_add_n(&some, kind);
            }
            8 | 9 => self.some(3000, |_| true).into_iter().for_each(|entity| self.set(entity, kind)),
            10 => {
                let some = self.some(most, |_| true);
                self.remove_n(&some, kind);
            }
            11 => self.some(3000, |_| true).into_iter().for_each(|entity| self.remove(entity, kind)),
            12 => self.remove_in_order(kind),
            13 => {
                let some = self.some(most, |_| true);
                self.destroy_n(&some);
            }
            14 => {
                // Gaps where there were none, and somebody to fill them at once.
                self.compact(2);
                self.create_one(1);
                let some = self.some(most, |slot| slot.has(2));
                self.destroy_n(&some);
                (0..10).for_each(|_| self.create_one(1));
            }
            15 => {
                let some = self.some(most, |slot| slot.has(kind));
                self.destroy_n(&some);
            }
            16 => self.some(3000, |_| true).into_iter().for_each(|entity| self.destroy(entity)),
            17 => self.optimise(),
            18 => self.sort(kind),
            19 => assert_eq!(dz_shrink(self.world), OK),
            20 if self.dice.below(4) == 0 => self.clear_pool(kind),
            20 => self.compact([2, 5][kind % 2]),
            21 | 22 => self.cross(kind),
            _ => {
                if let Some(group) = self.group {
                    assert_eq!(dz_group_destroy(self.world, group), OK);
                    self.group = Some(self.make_group());
                }
            }
        }
    }
}

/// So many changes, with as many entities as that in the end or some more, looked at now and then.
fn run(layout: dz_layout, seed: u64, grouped: bool, least: usize, changes: usize) {
    let mut large = Large::new(layout, seed, grouped);
    (0..100).for_each(|number| large.create_one(number % SETS.len()));
    large.fill(least);
    for number in 0..changes {
        large.change(least / 4);
        if number % 20 == 19 {
            large.check();
            large.fill(least);
        }
    }
    large.check();
}

/// More pages than are looked up in registers, and then fewer again.
#[test]
fn many_pages() {
    for layout in LAYOUTS {
        let mut large = Large::new(layout, 6, false);
        // A few at first, so that the first pages are several.
        (0..30).for_each(|_| large.create_one(0));
        large.create(0, 310_000);
        large.check();
        // In no order.
        for _ in 0..2 {
            let some = large.some(30_000, |_| true);
            large.remove_n(&some, 0);
            large.set_n(&some, 0);
        }
        large.check();
        (0..4).for_each(|_| large.cross(0));
        let most: Vec<_> = large.living().map(|slot| slot.entity).skip(20_000).collect();
        large.destroy_n(&most);
        assert_eq!(dz_shrink(large.world), OK);
        large.create(0, 3000);
        large.check();
        // Nobody, no pages that were joined, and a few again.
        assert_eq!(unsafe { dz_optimize(large.world, u32::MAX, std::ptr::null_mut()) }, OK);
        (0..KINDS).for_each(|kind| large.clear_pool(kind));
        assert_eq!(dz_shrink(large.world), OK);
        (0..300).for_each(|_| large.create_one(0));
        large.check();
    }
}

#[test]
fn wide_handles() {
    run(dz_layout::DZ_LAYOUT_64, 1, false, 120_000, 120);
}

#[test]
fn narrow_handles() {
    run(dz_layout::DZ_LAYOUT_32, 2, false, 120_000, 120);
}

#[test]
fn beside_a_group() {
    run(dz_layout::DZ_LAYOUT_64, 3, true, 80_000, 80);
    run(dz_layout::DZ_LAYOUT_32, 4, true, 30_000, 40);
}
