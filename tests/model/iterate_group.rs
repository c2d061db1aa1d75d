//! Random changes while iterating a group, or a pool that groups own, against a naive model: each matching
//! entity at most once, never one that doesn't match any longer; and whoever matched all the time is seen,
//! unless the iteration says that it can't tell.

use crate::calls::{self, OK, S};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, entity::*, group::*, iterate::*, query::dz_optimize, world::*};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::mem::MaybeUninit;

/// A change, to the current entity or to another one by number; components are numbered as `COMPONENTS`.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Give(Option<u16>, usize),
    Take(Option<u16>, usize),
    Destroy(Option<u16>),
    /// With how many of the components.
    Create(usize),
}

const COMPONENTS: usize = 5;
/// Bytes of each; the last is no group's term, the one before is a tag that some groups exclude.
const SIZES: [u32; COMPONENTS] = [4, 128, 512, 0, 8];

/// Owned, included and excluded components.
type Terms = (&'static [usize], &'static [usize], &'static [usize]);

/// What is iterated (the first), and other groups beside it.
const SETS: [&[Terms]; 8] = [
    &[(&[0, 1], &[], &[])],
    &[(&[0], &[1], &[])],
    &[(&[], &[0, 1], &[])],
    &[(&[], &[0], &[3])],
    &[(&[0, 1], &[], &[3])],
    &[(&[0, 1], &[], &[]), (&[0, 1, 2], &[], &[])],
    &[(&[0, 1, 2], &[], &[]), (&[0], &[], &[])],
    &[(&[0], &[1], &[]), (&[0, 1], &[2], &[3]), (&[0], &[], &[])],
];

struct Host {
    world: dz_world,
    ids: [dz_id; COMPONENTS],
    alive: Vec<dz_entity>,
    terms: Terms,
    /// Iterates a pool, not a group: only its component counts.
    pool: bool,
    kept: BTreeSet<dz_entity>,
    seen: BTreeSet<dz_entity>,
}

impl Drop for Host {
    fn drop(&mut self) {
        dz_world_destroy(self.world);
    }
}

fn entity_at(iter: &dz_iter, i: u32) -> dz_entity {
    assert!(i < iter.count, "element {i} of a batch of {}", iter.count);
    let i = if iter.gather == 0 { i } else { iter.picks[i as usize] };
    let at = unsafe { iter.entities.cast::<u8>().add(i as usize * iter.entity_size as usize) };
    match iter.entity_size {
        4 => unsafe { at.cast::<u32>().read_unaligned() }.into(),
        _ => unsafe { at.cast::<u64>().read_unaligned() },
    }
}

/// dz_each of denizen_inline.h.
fn each(iter: &mut dz_iter) -> Option<u32> {
    if iter.changes.is_null() || unsafe { iter.changes.read() } != iter.seen {
        let slow = unsafe { dz_each_slow(iter) };
        return (slow != u32::MAX).then_some(slow);
    }
    let mut offset = iter.position - iter.first;
    if iter.flags & 1 != 0 {
        if offset >= iter.count {
            return None;
        }
        iter.position += 1;
    } else {
        if offset == 0 {
            return None;
        }
        iter.position -= 1;
        offset -= 1;
    }
    iter.current = entity_at(iter, offset);
    Some(offset)
}

/// dz_at of denizen_inline.h.
fn at(iter: &dz_iter, term: usize, i: u32) -> *const std::ffi::c_void {
    if iter.gather != 0 {
        return iter.rows[iter.offsets[term] as usize + i as usize].cast_const();
    }
    iter.fields[term].wrapping_byte_add(i as usize * iter.strides[term] as usize).cast_const()
}

impl Host {
    fn new(layout: dz_layout, set: &[Terms], pool: bool, start: &[u8]) -> (Self, dz_group) {
        let world = calls::plain_world(layout);
        let names = [c"A", c"B", c"C", c"Tag", c"Other"];
        let mut ids = [0; COMPONENTS];
        for (at, id) in ids.iter_mut().enumerate() {
            let size = SIZES[at];
            *id = calls::register(world, names[at], size, size.max(1), false, calls::NO_HOOKS);
        }
        let none = (BTreeSet::new(), BTreeSet::new());
        let mut host = Self { world, ids, alive: vec![], terms: set[0], pool, kept: none.0, seen: none.1 };
        let create = |host: &mut Self| {
            start.iter().for_each(|bits| host.create((0..COMPONENTS).filter(|at| bits >> at & 1 == 1)));
        };
        // Half of the groups are made of pools whose pages were joined.
        let joined = start.len().is_multiple_of(2);
        if joined {
            create(&mut host);
            assert_eq!(unsafe { dz_optimize(world, u32::MAX, std::ptr::null_mut()) }, OK);
        }
        let mut group = dz_group::default();
        for (number, terms) in set.iter().enumerate().rev() {
            let list = |all: &[usize]| all.iter().map(|at| ids[*at]).collect::<Vec<_>>();
            let (owned, included, excluded) = (list(terms.0), list(terms.1), list(terms.2));
            let desc = dz_group_desc {
                size: size_of::<dz_group_desc>() as u32,
                owned_count: owned.len() as u32,
                included_count: included.len() as u32,
                excluded_count: excluded.len() as u32,
                owned: owned.as_ptr(),
                included: included.as_ptr(),
                excluded: excluded.as_ptr(),
                reserved: 0,
            };
            let made = unsafe { dz_group_create(world, &desc) };
            assert_ne!(made.bits, 0, "{}", calls::message());
            if number == 0 {
                group = made;
            }
        }
        if !joined {
            create(&mut host);
        }
        host.kept = host.members();
        (host, group)
    }

    fn create(&mut self, components: impl Iterator<Item = usize>) {
        let entity = dz_create(self.world);
        self.alive.push(entity);
        for at in components {
            assert_eq!(dz_add(self.world, entity, self.ids[at]), OK);
        }
    }

    fn matches(&self, entity: dz_entity) -> bool {
        let has = |at: &usize| dz_has(self.world, entity, self.ids[*at]);
        if self.pool {
            return has(&0);
        }
        let (owned, included, excluded) = self.terms;
        owned.iter().all(has) && included.iter().all(has) && !excluded.iter().any(has)
    }

    fn members(&self) -> BTreeSet<dz_entity> {
        self.alive.iter().copied().filter(|entity| self.matches(*entity)).collect()
    }

    fn change(&mut self, current: dz_entity, change: Change) {
        let pick = |who: Option<u16>| match who {
            None => Some(current).filter(|current| self.alive.contains(current)),
            Some(_) if self.alive.is_empty() => None,
            Some(number) => Some(self.alive[number as usize % self.alive.len()]),
        };
        match change {
            Change::Create(count) => self.create(0..count),
            Change::Give(who, at) => {
                if let Some(entity) = pick(who) {
                    assert!(dz_add(self.world, entity, self.ids[at]) as i32 >= 0);
                }
            }
            Change::Take(who, at) => {
                if let Some(entity) = pick(who) {
                    assert!(dz_remove(self.world, entity, self.ids[at]) as i32 >= 0);
                }
            }
            Change::Destroy(who) => {
                if let Some(entity) = pick(who) {
                    assert_eq!(dz_destroy(self.world, entity), OK);
                    self.alive.retain(|other| *other != entity);
                }
            }
        }
        let members = self.members();
        self.kept.retain(|entity| members.contains(entity));
    }

    /// Whoever is seen must match now, have matched all the time, and not have been seen.
    fn see(&mut self, iter: &dz_iter, i: u32) -> dz_entity {
        let entity = entity_at(iter, i);
        assert!(self.alive.contains(&entity) && self.matches(entity), "{entity:#x} doesn't match");
        assert!(self.kept.contains(&entity), "{entity:#x} came meanwhile");
        assert!(self.seen.insert(entity), "{entity:#x} is seen twice");
        let fields = if self.pool { vec![&0] } else { self.terms.0.iter().chain(self.terms.1).collect() };
        for (term, component) in fields.into_iter().enumerate().filter(|(_, at)| SIZES[**at] > 0) {
            assert_eq!(at(iter, term, i), dz_get(self.world, entity, self.ids[*component]));
        }
        entity
    }

    /// Iterates with DZ_EACH; each step makes the next changes of the script.
    fn run(&mut self, group: dz_group, direction: dz_direction, script: &[Vec<Change>]) -> S {
        let mut iter = MaybeUninit::uninit();
        let started = unsafe {
            if self.pool {
                dz_iterate_pool(self.world, self.ids[0], direction as i32, iter.as_mut_ptr())
            } else {
                dz_iterate_group(self.world, group, direction as i32, iter.as_mut_ptr())
            }
        };
        assert_eq!(started, OK);
        let mut iter: dz_iter = unsafe { iter.assume_init() };
        let mut steps = script.iter();
        while calls::next(&mut iter) {
            while let Some(i) = each(&mut iter) {
                let entity = self.see(&iter, i);
                for change in steps.next().into_iter().flatten() {
                    self.change(entity, *change);
                }
            }
        }
        if iter.status == OK as i32 {
            if !self.pool || direction == dz_direction::DZ_BACKWARD {
                let missed: Vec<_> = self.kept.difference(&self.seen).collect();
                assert!(missed.is_empty(), "{missed:x?} were missed");
            }
            return OK;
        }
        assert_eq!(iter.status, S::DZ_ERR_CHANGED as i32);
        S::DZ_ERR_CHANGED
    }
}

fn who() -> impl Strategy<Value = Option<u16>> {
    prop_oneof![2 => Just(None), 3 => any::<u16>().prop_map(Some)]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (who(), 0..COMPONENTS).prop_map(|(who, at)| Change::Give(who, at)),
        4 => (who(), 0..COMPONENTS).prop_map(|(who, at)| Change::Take(who, at)),
        2 => who().prop_map(Change::Destroy),
        1 => (0..COMPONENTS).prop_map(Change::Create),
    ]
}

fn layout(wide: bool) -> dz_layout {
    if wide { dz_layout::DZ_LAYOUT_64 } else { dz_layout::DZ_LAYOUT_32 }
}

fn direction(forward: bool) -> dz_direction {
    if forward { dz_direction::DZ_FORWARD } else { dz_direction::DZ_BACKWARD }
}

/// Backward over a pool that nested groups own: who came to the boundary, and moves on.
#[test]
fn who_is_swapped_to_the_boundary_is_seen_once() {
    // It moved before it came to be seen, and again after: to settle the first move is done once.
    let again = [
        vec![Change::Destroy(Some(39208)), Change::Give(None, 1)],
        vec![Change::Give(None, 1)],
        vec![Change::Take(Some(29844), 0)],
    ];
    // It came over the boundary to be seen next, and leaves it: that it was seen can't be told any longer.
    let farther = [vec![], vec![], vec![Change::Create(3), Change::Take(Some(6593), 1)]];
    for wide in [false, true] {
        let (mut host, group) = Host::new(layout(wide), SETS[5], true, &[11, 6, 27, 2, 5, 14, 29, 14]);
        assert_eq!(host.run(group, dz_direction::DZ_BACKWARD, &again), OK);
        let start = [21, 2, 2, 2, 2, 0, 0, 3, 5, 10, 21, 2, 2];
        let (mut host, group) = Host::new(layout(wide), SETS[5], true, &start);
        host.run(group, dz_direction::DZ_BACKWARD, &farther);
    }
}

proptest! {
    #![proptest_config(crate::config(1500))]

    #[test]
    fn changing_anything_while_iterating_a_group(
        wide in any::<bool>(),
        set in 0..SETS.len(),
        pool in prop::bool::weighted(0.3),
        forward in any::<bool>(),
        start in prop::collection::vec(0..32_u8, 0..60),
        script in prop::collection::vec(prop::collection::vec(change(), 0..4), 0..60),
    ) {
        let (mut host, group) = Host::new(layout(wide), SETS[set], pool, &start);
        host.run(group, direction(forward), &script);
    }

    /// What must never end an iteration: backward, taking out the current one or others, a few at a time, and
    /// adding and removing what is no term.
    #[test]
    fn taking_out_while_iterating_a_group_backward(
        wide in any::<bool>(),
        set in 0..SETS.len(),
        start in prop::collection::vec(0..32_u8, 0..60),
        script in prop::collection::vec(
            prop::collection::vec(
                prop_oneof![
                    3 => prop_oneof![Just(Change::Take(None, 0)), Just(Change::Destroy(None))],
                    1 => any::<u16>().prop_map(|who| Change::Destroy(Some(who))),
                    2 => who().prop_map(|who| Change::Give(who, 4)),
                    2 => who().prop_map(|who| Change::Take(who, 4)),
                    1 => (0..COMPONENTS).prop_map(Change::Create),
                ],
                0..3,
            ),
            0..60,
        ),
    ) {
        let (mut host, group) = Host::new(layout(wide), SETS[set], false, &start);
        prop_assert_eq!(host.run(group, dz_direction::DZ_BACKWARD, &script), OK);
    }

    /// The current one may become a member of, or leave, a group inside: nobody is lost.
    #[test]
    fn the_current_one_may_move_within_the_group(
        wide in any::<bool>(),
        pool in any::<bool>(),
        forward in any::<bool>(),
        start in prop::collection::vec(prop_oneof![Just(3_u8), Just(7)], 0..60),
        gives in prop::collection::vec(any::<bool>(), 60),
    ) {
        // Backward it joins, forward it leaves; and the other way round for what is not followed in a pool.
        let (mut host, group) = Host::new(layout(wide), SETS[5], pool, &start);
        let change = if forward { Change::Take(None, 2) } else { Change::Give(None, 2) };
        let script: Vec<_> = gives.iter().map(|give| if *give { vec![change] } else { vec![] }).collect();
        let came = host.run(group, direction(forward), &script);
        if !(pool && forward) {
            prop_assert_eq!(came, OK);
        }
    }
}
