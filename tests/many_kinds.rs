//! Many kinds of components in one world: more than have a bit in the signatures, so that some pools
//! live in blocks and some move from there, more than come first, and more than the reserved range has room for.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, clippy::undocumented_unsafe_blocks)]

mod common;

use common::snapshot::{Snapshot, type_of};
use common::stage::register;
use common::{LAYOUTS, component_desc, end, message, next, plain_world, world_desc};
use denizen::ffi::access::{dz_add, dz_get, dz_has, dz_remove, dz_set};
use denizen::ffi::bulk::dz_add_n;
use denizen::ffi::component::{dz_clear_pool, dz_component_register, dz_component_unregister, dz_count};
use denizen::ffi::entity::{dz_clone, dz_create, dz_create_with, dz_destroy, dz_entity_index, dz_type};
use denizen::ffi::types::*;
use denizen::ffi::world::{dz_shrink, dz_world_create};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CString, c_void};

struct Model {
    world: dz_world,
    ids: Vec<(dz_id, u32)>,
    living: Vec<(dz_entity, BTreeMap<dz_id, u64>)>,
}

impl Model {
    fn name(number: usize) -> CString {
        CString::new(format!("kind {number}")).unwrap()
    }

    fn register(&mut self, number: usize) {
        let policy =
            if number.is_multiple_of(3) { dz_policy::DZ_POLICY_STABLE } else { dz_policy::DZ_POLICY_SWAP };
        let size = [8, 0, 4, 40][number % 4];
        self.ids.push((register(self.world, &Self::name(number), size, policy), size));
    }

    fn step(&mut self, seed: &mut u64, number: usize) {
        let at = next(seed, self.living.len());
        // Low numbers come up more often, so that pools differ in size.
        let kinds = self.ids.len();
        let kind = next(seed, kinds).min(next(seed, kinds)).min(next(seed, kinds));
        let (id, size) = self.ids[kind];
        let (entity, has) = &mut self.living[at];
        match next(seed, 20) {
            0..=9 => {
                let value = next(seed, 256) as u64;
                let status = match size {
                    0 => dz_add(self.world, *entity, id),
                    _ => unsafe { dz_set(self.world, *entity, id, size, [value; 5].as_ptr().cast()) },
                };
                assert!(status as i32 >= 0);
                has.insert(id, if size == 0 { 0 } else { value });
            }
            10..=15 => {
                let there = has.remove(&id).is_some();
                let expected = if there { dz_status::DZ_OK } else { dz_status::DZ_NOT_THERE };
                assert_eq!(dz_remove(self.world, *entity, id), expected);
            }
            16 => {
                assert_eq!(dz_destroy(self.world, *entity), dz_status::DZ_OK);
                self.living[at] = (dz_create(self.world), BTreeMap::new());
            }
            17 if number.is_multiple_of(2) => {
                assert_eq!(dz_destroy(self.world, *entity), dz_status::DZ_OK);
                let value = if size == 0 { 0 } else { next(seed, 256) as u64 };
                let values = [value; 5];
                let column =
                    dz_column { id, values: values.as_ptr().cast(), element_size: size, reserved: 0 };
                assert_eq!(unsafe { dz_create_with(self.world, 1, &column, 1, entity) }, dz_status::DZ_OK);
                *has = BTreeMap::from([(id, value)]);
            }
            17 => {
                let copy = (dz_clone(self.world, *entity), has.clone());
                let other = next(seed, self.living.len());
                assert_eq!(dz_destroy(self.world, self.living[other].0), dz_status::DZ_OK);
                self.living[other] = copy;
            }
            18 if number.is_multiple_of(50) => {
                assert_eq!(dz_clear_pool(self.world, id), dz_status::DZ_OK);
                self.living.iter_mut().for_each(|(_, has)| _ = has.remove(&id));
            }
            19 if number.is_multiple_of(50) => {
                assert_eq!(dz_component_unregister(self.world, id), dz_status::DZ_OK);
                self.living.iter_mut().for_each(|(_, has)| _ = has.remove(&id));
                self.ids.remove(kind);
                self.register(1000 + number);
            }
            _ if number.is_multiple_of(90) => assert_eq!(dz_shrink(self.world), dz_status::DZ_OK),
            _ => {}
        }
    }

    fn check(&self) {
        for (entity, has) in &self.living {
            let (mut ids, mut count) = ([0; 512], 0);
            assert_eq!(
                unsafe { dz_type(self.world, *entity, ids.as_mut_ptr(), 512, &mut count) },
                dz_status::DZ_OK
            );
            let mut ids = ids[..count as usize].to_vec();
            assert!(ids.is_sorted_by_key(|id| dz_entity_index(*id)));
            ids.sort_unstable();
            assert!(ids.iter().eq(has.keys()), "the type is what was added");
            for (id, size) in &self.ids {
                assert_eq!(dz_has(self.world, *entity, *id), has.contains_key(id));
                let at = if *size == 0 { std::ptr::null() } else { dz_get(self.world, *entity, *id) };
                if !at.is_null() {
                    assert_eq!(u64::from(unsafe { at.cast::<u8>().read() }), has[id]);
                }
            }
        }
        for (id, _) in &self.ids {
            let holders = self.living.iter().filter(|(_, has)| has.contains_key(id)).count();
            assert_eq!(dz_count(self.world, *id) as usize, holders);
        }
    }
}

fn run(layout: dz_layout, reserved: u32, kinds: usize, entities: usize, steps: usize) {
    let desc = dz_world_desc { reserved_components: reserved, ..world_desc(layout) };
    let world = unsafe { dz_world_create(&desc) };
    assert_ne!(world.bits, 0, "{}", message());
    let living = (0..entities).map(|_| (dz_create(world), BTreeMap::new())).collect();
    let mut model = Model { world, ids: Vec::new(), living };
    (0..kinds).for_each(|number| model.register(number));
    let mut seed = 7;
    for number in 0..steps {
        model.step(&mut seed, number);
        if number % 2_000 == 0 {
            model.check();
        }
    }
    model.check();
    end(world);
}

#[test]
fn sixty_kinds_are_kept_apart() {
    LAYOUTS.into_iter().for_each(|layout| run(layout, 0, 60, 300, 60_000));
}

#[test]
fn kinds_beyond_the_reserved_range_are_kept_apart() {
    LAYOUTS.into_iter().for_each(|layout| run(layout, 0, 300, 200, 40_000));
}

/// The first 256 are found in a table of their own.
#[test]
fn kinds_of_a_large_reserved_range_are_kept_apart() {
    LAYOUTS.into_iter().for_each(|layout| run(layout, 290, 320, 200, 40_000));
}

unsafe extern "C" fn fails(_: *mut c_void, _: u32, fails: *mut c_void) -> i32 {
    i32::from(unsafe { *fails.cast::<bool>() })
}

/// The pool of a kind that many have moves from the blocks to a bit of its own when somebody else gets it: even if
/// that fails, nobody can tell.
#[test]
fn a_call_that_fails_leaves_types_as_they_were() {
    for layout in LAYOUTS {
        let world = plain_world(layout);
        let fail = Cell::new(false);
        let mut ids: Vec<dz_id> = (0..8)
            .map(|number| register(world, &Model::name(number), 0, dz_policy::DZ_POLICY_SWAP))
            .collect();
        let mut desc = component_desc(c"Failing", 8, 8);
        desc.hooks.construct = Some(fails);
        desc.hooks.user = fail.as_ptr().cast();
        ids.push(unsafe { dz_component_register(world, &desc) });
        let entities: Vec<_> = (0..200).map(|_| dz_create(world)).collect();
        for id in &ids {
            assert_eq!(unsafe { dz_add_n(world, entities.as_ptr(), 40, *id) }, dz_status::DZ_OK);
        }
        assert_eq!(type_of(world, entities[0]), ids);
        let before = Snapshot::of(world);
        fail.set(true);
        assert_eq!(dz_add(world, entities[199], ids[8]), dz_status::DZ_ERR_HOOK_FAILED);
        assert_eq!(before.difference(&Snapshot::of(world)), None);
        assert_eq!(type_of(world, entities[0]), ids);
        end(world);
    }
}
