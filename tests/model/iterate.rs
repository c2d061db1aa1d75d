//! Random changes while iterating, against a naive model of what an iteration must see.
//!
//! The model of an iteration is two sets: those who had the component at its start and kept it ever
//! since ("kept"), and those it has seen. Every change takes somebody out of the kept of all
//! iterations that are under way. Whoever is seen must be kept and not seen yet; in the end nobody
//! who is kept may have been missed, where the header promises so.

use crate::calls::{self, OK, S};
use crate::each::{each, entity_at};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, world::*};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
pub enum Change {
    RemoveCurrent,
    DestroyCurrent,
    ReaddCurrent,
    /// Somebody who was seen (or not, false), by number.
    Remove(bool, u16),
    Destroy(bool, u16),
    Readd(bool, u16),
    /// Add to somebody who doesn't have it.
    Add(u16),
    AddMany(u16, u8),
    RemoveMany(u16, u8),
    DestroyMany(u16, u8),
    Create,
    CreateWith(u8),
    Clear,
    Compact,
    SetValue(u16),
    OtherPool(u16),
    /// An iteration inside: of this pool or the other, its direction, what it changes, when it breaks off.
    Nest(bool, bool, Vec<Vec<Change>>, u8),
}

/// One iteration that is under way.
struct Tracker {
    kept: BTreeSet<dz_entity>,
    seen: BTreeSet<dz_entity>,
    /// Somebody other than the current one was taken out or moved.
    others: bool,
    /// Another iteration of the pool has begun inside.
    nested: bool,
}

struct Host {
    world: dz_world,
    stable: bool,
    id: dz_id,
    other: dz_id,
    /// All entities that live and who has it, with its value.
    alive: Vec<dz_entity>,
    members: BTreeMap<dz_entity, u32>,
    trackers: Vec<Tracker>,
    stamp: u32,
    /// Changes that may still be made: nested scripts must not explode.
    left: u32,
}

impl Drop for Host {
    fn drop(&mut self) {
        dz_world_destroy(self.world);
    }
}

fn pick<T: Copy>(all: &[T], number: u16) -> Option<T> {
    (!all.is_empty()).then(|| all[number as usize % all.len()])
}

impl Host {
    fn new(layout: dz_layout, stable: bool, tag: bool, start: &[(u8, u8)]) -> Self {
        let world = calls::plain_world(layout);
        let size = if tag { 0 } else { 4 };
        let id = calls::register(world, c"Iterated", size, size.max(1), stable, calls::NO_HOOKS);
        let other = calls::register(world, c"Other", 8, 8, stable, calls::NO_HOOKS);
        let none = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut host = Self {
            world,
            stable,
            id,
            other,
            alive: none.0,
            members: none.1,
            trackers: none.2,
            stamp: 0,
            left: 400,
        };
        // Blocks of entities with the component, after each of which some are taken out again, so
        // that stable pools begin with gaps.
        for (more, fewer) in start {
            for _ in 0..*more {
                host.create_with(1);
            }
            for number in 0..(*fewer).min(*more / 2) {
                let members: Vec<_> = host.members.keys().copied().collect();
                let entity = members[usize::from(number) * 7 % members.len()];
                host.remove(entity);
            }
        }
        host
    }

    fn has_data(&self) -> bool {
        calls::info(self.world, self.id).unwrap().element_size > 0
    }

    fn value(&mut self) -> u32 {
        self.stamp += 1;
        self.stamp
    }

    fn create_with(&mut self, n: u32) {
        let value = self.value();
        let (size, column) =
            if self.has_data() { (4, Some(value.to_ne_bytes().repeat(n as usize))) } else { (0, None) };
        let (status, made) = calls::create_with(self.world, n, &[(self.id, column, size)], true);
        assert_eq!(status, OK);
        self.alive.extend(&made);
        self.members.extend(made.iter().map(|entity| (*entity, value)));
    }

    fn add(&mut self, entity: dz_entity) {
        let value = self.value();
        let had = self.members.insert(entity, value).is_some();
        if self.has_data() {
            assert_eq!(calls::set(self.world, entity, self.id, &value.to_ne_bytes()), OK);
        } else {
            assert_eq!(dz_add(self.world, entity, self.id), if had { S::DZ_ALREADY_THERE } else { OK });
        }
    }

    /// Forgets a member, as the change of iteration `depth`.
    fn forget(&mut self, entity: dz_entity) {
        self.members.remove(&entity);
        for tracker in &mut self.trackers {
            tracker.kept.remove(&entity);
        }
    }

    fn remove(&mut self, entity: dz_entity) {
        let expected = if self.members.contains_key(&entity) { OK } else { S::DZ_NOT_THERE };
        assert_eq!(dz_remove(self.world, entity, self.id), expected);
        self.forget(entity);
    }

    fn destroy(&mut self, entity: dz_entity) {
        assert_eq!(dz_destroy(self.world, entity), OK);
        self.forget(entity);
        self.alive.retain(|other| *other != entity);
    }

    /// Those that the innermost iteration has seen, or not, and that have the component.
    fn some(&self, seen: bool) -> Vec<dz_entity> {
        let tracker = self.trackers.last().unwrap();
        self.members.keys().copied().filter(|entity| tracker.seen.contains(entity) == seen).collect()
    }

    fn many(&self, number: u16, count: u8, members: bool) -> Vec<dz_entity> {
        let all: Vec<_> =
            self.alive.iter().copied().filter(|e| !members || self.members.contains_key(e)).collect();
        let first = if all.is_empty() { 0 } else { number as usize % all.len() };
        all.iter().copied().skip(first).take(count.into()).collect()
    }

    fn others_changed(&mut self, outer_only: bool) {
        let depth = self.trackers.len();
        for tracker in self.trackers.iter_mut().take(if outer_only { depth - 1 } else { depth }) {
            tracker.others = true;
        }
    }

    fn change(&mut self, current: dz_entity, change: &Change) {
        use Change::*;
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let only_current = matches!(change, RemoveCurrent | DestroyCurrent | ReaddCurrent);
        let adds = matches!(change, Add(_) | Create | CreateWith(_) | SetValue(_) | OtherPool(_) | Nest(..));
        if !adds {
            self.others_changed(only_current);
        }
        let lives = self.alive.contains(&current);
        match change {
            RemoveCurrent if lives => self.remove(current),
            DestroyCurrent if lives => self.destroy(current),
            ReaddCurrent if lives => {
                self.remove(current);
                self.add(current);
            }
            RemoveCurrent | DestroyCurrent | ReaddCurrent => {}
            Remove(seen, number) => {
                pick(&self.some(*seen), *number).into_iter().for_each(|e| self.remove(e));
            }
            Destroy(seen, number) => {
                pick(&self.some(*seen), *number).into_iter().for_each(|e| self.destroy(e));
            }
            Readd(seen, number) => {
                if let Some(entity) = pick(&self.some(*seen), *number) {
                    self.remove(entity);
                    self.add(entity);
                }
            }
            Add(number) => {
                let without: Vec<_> =
                    self.alive.iter().copied().filter(|e| !self.members.contains_key(e)).collect();
                pick(&without, *number).into_iter().for_each(|e| self.add(e));
            }
            AddMany(number, count) => {
                let many = self.many(*number, *count, false);
                let status = calls::add_n(self.world, &many, self.id);
                assert!((status as i32) >= 0, "{}", calls::message());
                for entity in many {
                    self.members.entry(entity).or_insert(0);
                }
            }
            RemoveMany(number, count) => {
                let many = self.many(*number, *count, false);
                assert!((calls::remove_n(self.world, &many, self.id) as i32) >= 0);
                many.into_iter().for_each(|e| self.forget(e));
            }
            DestroyMany(number, count) => {
                let many = self.many(*number, *count, true);
                assert!((calls::destroy_n(self.world, &many) as i32) >= 0);
                for entity in many {
                    self.forget(entity);
                    self.alive.retain(|other| *other != entity);
                }
            }
            Create => self.alive.push(dz_create(self.world)),
            CreateWith(n) => self.create_with(u32::from(*n)),
            Clear => {
                assert_eq!(dz_clear_pool(self.world, self.id), OK);
                let members: Vec<_> = self.members.keys().copied().collect();
                members.into_iter().for_each(|e| self.forget(e));
            }
            Compact => {
                let expected = if self.stable { OK } else { S::DZ_ERR_POLICY };
                assert_eq!(dz_compact(self.world, self.id), expected);
            }
            SetValue(number) => {
                let members: Vec<_> = self.members.keys().copied().collect();
                pick(&members, *number).into_iter().for_each(|e| self.add(e));
            }
            OtherPool(number) => {
                if let Some(entity) = pick(&self.alive, *number) {
                    match dz_has(self.world, entity, self.other) {
                        true => assert_eq!(dz_remove(self.world, entity, self.other), OK),
                        false => assert_eq!(dz_add(self.world, entity, self.other), OK),
                    }
                }
            }
            Nest(same, forward, script, stop) if self.trackers.len() < 3 => {
                if *same {
                    self.iterate(*forward, script, *stop);
                } else {
                    self.iterate_other(current, *forward, script);
                }
            }
            Nest(..) => {}
        }
    }

    /// An iteration of the other pool, whose body changes this one and that one's current entity.
    fn iterate_other(&mut self, current: dz_entity, forward: bool, script: &[Vec<Change>]) {
        let direction = if forward { dz_direction::DZ_FORWARD } else { dz_direction::DZ_BACKWARD };
        let mut kept: BTreeSet<_> =
            self.alive.iter().copied().filter(|e| dz_has(self.world, *e, self.other)).collect();
        let (status, mut iter) = calls::iterate(self.world, self.other, direction);
        assert_eq!(status, OK);
        let mut script = script.iter();
        while calls::next(&mut iter) {
            while let Some(at) = each(&mut iter) {
                let entity = entity_at(&iter, at);
                assert!(kept.remove(&entity), "seen twice, or not there");
                assert!(dz_has(self.world, entity, self.other));
                assert_eq!(dz_remove(self.world, entity, self.other), OK);
                for change in script.next().into_iter().flatten() {
                    // What takes others out of the other pool would need a model of its own.
                    if matches!(change, Change::RemoveCurrent | Change::Add(_) | Change::Remove(..)) {
                        self.change(current, change);
                    }
                }
            }
        }
        assert_eq!((iter.status, kept.len()), (OK as i32, 0));
    }

    fn iterate(&mut self, forward: bool, script: &[Vec<Change>], stop: u8) {
        let direction = if forward { dz_direction::DZ_FORWARD } else { dz_direction::DZ_BACKWARD };
        let kept = self.members.keys().copied().collect();
        for tracker in &mut self.trackers {
            tracker.nested = true;
        }
        let seen = BTreeSet::new();
        self.trackers.push(Tracker { kept, seen, others: false, nested: false });
        let (status, mut iter) = calls::iterate(self.world, self.id, direction);
        assert_eq!(status, OK);
        let mut script = script.iter();
        'all: while calls::next(&mut iter) {
            while let Some(at) = each(&mut iter) {
                let entity = entity_at(&iter, at);
                self.visit(&iter, at, entity);
                for change in script.next().into_iter().flatten() {
                    self.change(entity, change);
                }
                if self.trackers.last().unwrap().seen.len() > usize::from(stop) + 40 {
                    break 'all;
                }
            }
        }
        let tracker = self.trackers.pop().unwrap();
        let missed: Vec<_> = tracker.kept.difference(&tracker.seen).collect();
        if iter.status == S::DZ_ERR_CHANGED as i32 {
            let may = tracker.nested || tracker.others;
            assert!(may, "ended early although nobody but the current one was touched");
        } else {
            assert_eq!(iter.status, OK as i32);
        }
        let whole = iter.status == OK as i32 && tracker.seen.len() <= usize::from(stop) + 40;
        if whole && (!forward || !tracker.others) {
            assert!(missed.is_empty(), "missed {missed:x?}, forward: {forward}");
        }
    }

    fn visit(&mut self, iter: &dz_iter, at: u32, entity: dz_entity) {
        let tracker = self.trackers.last_mut().unwrap();
        assert!(tracker.seen.insert(entity), "{entity:#x} is seen twice");
        assert!(tracker.kept.contains(&entity), "{entity:#x} was added meanwhile, or has gone");
        assert!(dz_is_alive(self.world, entity) && dz_has(self.world, entity, self.id));
        if self.has_data() {
            let data = unsafe { iter.data.cast::<u8>().add(at as usize * iter.stride as usize) };
            assert_eq!(data.cast_const().cast(), dz_get(self.world, entity, self.id));
            assert_eq!(calls::bytes(data.cast(), 4), self.members[&entity].to_ne_bytes());
        } else {
            assert!(iter.data.is_null());
        }
    }
}

/// What takes nobody out but the current one.
fn own_change() -> BoxedStrategy<Change> {
    use Change::*;
    prop_oneof![
        6 => Just(RemoveCurrent),
        6 => Just(DestroyCurrent),
        4 => any::<u16>().prop_map(Add),
        3 => Just(Create),
        2 => (1..20_u8).prop_map(CreateWith),
        2 => any::<u16>().prop_map(SetValue),
        2 => any::<u16>().prop_map(OtherPool),
    ]
    .boxed()
}

fn any_change() -> BoxedStrategy<Change> {
    use Change::*;
    let seen = prop_oneof![2 => Just(false), 1 => Just(true)];
    prop_oneof![
        24 => own_change(),
        2 => Just(ReaddCurrent),
        4 => (seen.clone(), any::<u16>()).prop_map(|(s, n)| Remove(s, n)),
        4 => (seen.clone(), any::<u16>()).prop_map(|(s, n)| Destroy(s, n)),
        2 => (seen, any::<u16>()).prop_map(|(s, n)| Readd(s, n)),
        1 => (any::<u16>(), 0..9_u8).prop_map(|(n, c)| AddMany(n, c)),
        1 => (any::<u16>(), 0..9_u8).prop_map(|(n, c)| RemoveMany(n, c)),
        1 => (any::<u16>(), 0..9_u8).prop_map(|(n, c)| DestroyMany(n, c)),
        1 => Just(Compact),
        1 => prop_oneof![3 => Just(SetValue(0)), 1 => Just(Clear)],
    ]
    .boxed()
}

fn nesting_change() -> BoxedStrategy<Change> {
    let inner = script(any_change(), 12);
    let nest = (any::<bool>(), any::<bool>(), inner, any::<u8>());
    prop_oneof![8 => any_change(), 1 => nest.prop_map(|(s, f, c, b)| Change::Nest(s, f, c, b))].boxed()
}

fn script(change: BoxedStrategy<Change>, len: usize) -> BoxedStrategy<Vec<Vec<Change>>> {
    prop::collection::vec(prop::collection::vec(change, 0..4), 0..crate::steps(len)).boxed()
}

type Case = (bool, bool, bool, bool, Vec<(u8, u8)>, Vec<Vec<Change>>);

fn case(change: BoxedStrategy<Change>) -> impl Strategy<Value = Case> {
    let start = prop::collection::vec((0..50_u8, 0..20_u8), 1..4);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.2));
    (flags, start, script(change, 60)).prop_map(|((a, b, c, d), start, script)| (a, b, c, d, start, script))
}

fn run((wide, stable, forward, tag, start, script): Case) {
    let layout = if wide { dz_layout::DZ_LAYOUT_64 } else { dz_layout::DZ_LAYOUT_32 };
    let mut host = Host::new(layout, stable, tag, &start);
    host.iterate(forward, &script, u8::MAX);
    // And whatever has happened, an iteration that changes nothing sees everybody.
    host.iterate(!forward, &[], u8::MAX);
}

proptest! {
    #![proptest_config(crate::config(400))]

    #[test]
    fn changing_the_current_one_only(case in case(own_change())) {
        run(case);
    }

    #[test]
    fn changing_anything(case in case(any_change())) {
        run(case);
    }

    #[test]
    fn changing_anything_in_nested_iterations(case in case(nesting_change())) {
        run(case);
    }
}
