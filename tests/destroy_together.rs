//! dz_destroy_n, which takes many out pool by pool where they have the same, beside dz_destroy, which does it one by one:
//! two worlds that must stay alike, in what is left, in what queries remember, and in the order of hooks.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, clippy::undocumented_unsafe_blocks)]

mod common;

use common::snapshot::{matches, type_of};
use common::stage::{query_desc, set};
use common::{LAYOUTS, component_desc, end, message, next, world_desc};
use denizen::ffi::access::{dz_add, dz_get};
use denizen::ffi::component::{dz_component_info, dz_component_register, dz_count};
use denizen::ffi::enable::dz_set_component_enabled;
use denizen::ffi::entity::{dz_create, dz_destroy, dz_destroy_n, dz_entity_index, dz_is_alive};
use denizen::ffi::query::{dz_query_count, dz_query_create, dz_query_refresh};
use denizen::ffi::types::*;
use denizen::ffi::world::dz_world_create;
use std::collections::BTreeMap;
use std::ffi::{CString, c_void};

/// What kinds an entity has, of those below. The last two have so few members that their pools get no bit of their own.
const SETS: [&[usize]; 8] =
    [&[0, 1], &[0, 1, 2], &[3], &[0, 3, 4], &[0, 1, 5], &[1, 6, 7, 8, 9], &[1, 10, 12], &[2, 11, 13]];
const KINDS: usize = 14;
/// Its values are told to the log when they end.
const TOLD: usize = 4;
/// Some of its holders are disabled.
const VEILED: usize = 5;
/// So few at a time have the last two sets.
const FEW: usize = 12;

unsafe extern "C" fn tell(values: *mut c_void, count: u32, log: *mut c_void) {
    let log = unsafe { &mut *log.cast::<Vec<u32>>() };
    log.extend(unsafe { std::slice::from_raw_parts(values.cast::<u32>(), count as usize) });
}

struct Side {
    world: dz_world,
    ids: Vec<dz_id>,
    kept: Vec<dz_query>,
    #[allow(clippy::box_collection)] // hooks have its address
    log: Box<Vec<u32>>,
    /// Who lives, with the set and the value.
    living: Vec<(dz_entity, usize, u32)>,
}

impl Side {
    fn new(layout: dz_layout, recycling: dz_recycling) -> Self {
        let mut desc = world_desc(layout);
        desc.recycling = recycling as i32;
        let world = unsafe { dz_world_create(&desc) };
        assert_ne!(world.bits, 0, "{}", message());
        let mut log = Box::new(Vec::new());
        let ids: Vec<_> = (0..KINDS)
            .map(|kind| {
                let name = CString::new(format!("kind {kind}")).unwrap();
                let mut desc =
                    component_desc(&name, if kind == 2 { 0 } else { 4 }, if kind == 2 { 1 } else { 4 });
                desc.policy = i32::from(kind % 4 == 1); // DZ_POLICY_STABLE
                if kind == TOLD {
                    desc.hooks.destruct = Some(tell);
                    desc.hooks.user = (&raw mut *log).cast();
                }
                unsafe { dz_component_register(world, &desc) }
            })
            .collect();
        let kept = (0..KINDS)
            .map(|kind| {
                let text = CString::new(format!("kind {kind}")).unwrap();
                let mut desc = query_desc();
                (desc.text, desc.kept) = (text.as_ptr(), 1);
                let query = unsafe { dz_query_create(world, &desc) };
                assert_ne!(query.bits, 0, "{}", message());
                query
            })
            .collect();
        Self { world, ids, kept, log, living: Vec::new() }
    }

    fn create(&mut self, set_of: usize, value: u32, veils: bool) {
        let entity = dz_create(self.world);
        for kind in SETS[set_of] {
            match kind {
                2 => assert_eq!(dz_add(self.world, entity, self.ids[2]), dz_status::DZ_OK),
                _ => set(self.world, entity, self.ids[*kind], &[value.into(), 0], 4),
            }
        }
        if veils && SETS[set_of].contains(&VEILED) && value.is_multiple_of(3) {
            let done = dz_set_component_enabled(self.world, entity, self.ids[VEILED], false);
            assert_eq!(done, dz_status::DZ_OK);
        }
        self.living.push((entity, set_of, value));
    }

    fn refresh(&self) {
        for query in &self.kept {
            assert_eq!(dz_query_refresh(self.world, *query), dz_status::DZ_OK);
            let found = matches(self.world, *query).unwrap();
            assert_eq!(dz_query_count(self.world, *query) as usize, found.len(), "what is remembered");
        }
    }

    /// How many gaps each kind's pool has.
    fn gaps(&self) -> Vec<u32> {
        let gaps = |id: &dz_id| {
            let mut info = std::mem::MaybeUninit::<dz_component_details>::uninit();
            assert_eq!(unsafe { dz_component_info(self.world, *id, info.as_mut_ptr()) }, dz_status::DZ_OK);
            unsafe { info.assume_init() }.gaps
        };
        self.ids.iter().map(gaps).collect()
    }

    /// All that can be seen: of each kind its holders' values, by queries; and of each entity.
    fn seen(&self) -> Vec<BTreeMap<u32, u32>> {
        let value = |entity: dz_entity, kind: usize| {
            let at = dz_get(self.world, entity, self.ids[kind]);
            if at.is_null() { 0 } else { unsafe { at.cast::<u32>().read() } }
        };
        (0..KINDS)
            .map(|kind| {
                let found = matches(self.world, self.kept[kind]).unwrap();
                let all: BTreeMap<_, _> =
                    found.iter().map(|entity| (dz_entity_index(*entity), value(*entity, kind))).collect();
                assert_eq!(all.len(), found.len());
                assert!(found.iter().all(|entity| dz_is_alive(self.world, *entity)));
                all
            })
            .collect()
    }

    /// Compares it with what must be there.
    fn check(&self) {
        for (entity, set_of, value) in &self.living {
            let has: Vec<_> = SETS[*set_of].iter().map(|kind| self.ids[*kind]).collect();
            assert_eq!(type_of(self.world, *entity), has);
            for kind in SETS[*set_of].iter().filter(|kind| **kind != 2) {
                let at: *const u32 = dz_get(self.world, *entity, self.ids[*kind]).cast();
                assert_eq!(unsafe { at.read() }, *value);
            }
        }
        for (kind, id) in self.ids.iter().enumerate() {
            let holders = self.living.iter().filter(|(_, set_of, _)| SETS[*set_of].contains(&kind)).count();
            assert_eq!(dz_count(self.world, *id) as usize, holders);
        }
    }
}

fn run(layout: dz_layout, recycling: dz_recycling, veils: bool, rounds: usize) {
    let mut sides = [Side::new(layout, recycling), Side::new(layout, recycling)];
    let backward = recycling == dz_recycling::DZ_RECYCLE_LIFO;
    let (mut seed, mut value) = (11, 0);
    for round in 0..rounds {
        while sides[0].living.len() < 500 {
            let set_of = next(&mut seed, SETS.len());
            let few = set_of >= SETS.len() - 2;
            let there = sides[0].living.iter().filter(|(_, other, _)| *other == set_of).count();
            let most = if few { FEW.saturating_sub(there) } else { 60 };
            for _ in 0..next(&mut seed, most + 1) {
                value += 1;
                sides.iter_mut().for_each(|side| side.create(set_of, value, veils));
            }
        }
        assert_eq!(sides[0].gaps(), sides[1].gaps(), "who comes fills gaps");
        sides.iter().for_each(Side::refresh);
        // A stretch of them as they were made, backward too, or some in no order.
        let count = 60 + next(&mut seed, 300);
        let mut gone: Vec<usize> = (0..500).collect();
        match round % 3 {
            0 => gone.drain(..next(&mut seed, 500 - count)).for_each(drop),
            1 => gone.reverse(),
            _ => (1..500).for_each(|at| gone.swap(at, next(&mut seed, at + 1))),
        }
        gone.truncate(count);
        let entities = |side: &Side| gone.iter().map(|at| side.living[*at].0).collect::<Vec<_>>();
        let [together, one_by_one] = &sides;
        let all = entities(together);
        let done =
            unsafe { dz_destroy_n(together.world, all.as_ptr(), all.len() as u32, std::ptr::null_mut()) };
        assert_eq!(done, dz_status::DZ_OK, "{}", message());
        // So that the slots are used again in the order of the array.
        let mut in_order = entities(one_by_one);
        if backward {
            in_order.reverse();
        }
        for entity in in_order {
            assert_eq!(dz_destroy(one_by_one.world, entity), dz_status::DZ_OK);
        }
        for side in &mut sides {
            for at in &gone {
                assert!(!dz_is_alive(side.world, side.living[*at].0));
            }
            let mut number = 0..;
            let all = std::collections::BTreeSet::from_iter(&gone);
            side.living.retain(|_| !all.contains(&number.next().unwrap()));
            side.check();
        }
        assert_eq!(sides[0].log, sides[1].log, "hooks run in the same order");
        assert_eq!(sides[0].seen(), sides[1].seen());
    }
    assert!(sides[0].log.len() > rounds, "hooks ran");
    sides.iter().for_each(|side| end(side.world));
}

fn run_all(veils: bool) {
    for layout in LAYOUTS {
        run(layout, dz_recycling::DZ_RECYCLE_LIFO, veils, 60);
        run(layout, dz_recycling::DZ_RECYCLE_FIFO, veils, 60);
    }
}

#[test]
fn together_as_one_by_one() {
    run_all(false);
}

/// Where somebody is disabled, all go one by one.
#[test]
fn together_as_one_by_one_where_some_are_disabled() {
    run_all(true);
}
