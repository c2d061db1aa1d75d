//! Mechanisms that no other test shows by itself; see docs/mechanisms.md.

use crate::calls::{self, OK};
use crate::each::{each, entity_at};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, world::*};

/// M22, M29, M21: a type lists each id once, in the order in which it was added here, tags too.
#[test]
fn m21_m22_m29_the_type_is_a_vector_of_ids() {
    let world = calls::plain_world(dz_layout::DZ_LAYOUT_32);
    let tag = calls::register(world, c"Tag", 0, 1, false, calls::NO_HOOKS);
    let number = calls::register(world, c"Number", 4, 4, false, calls::NO_HOOKS);
    let entity = dz_create(world);
    assert_eq!(calls::type_of(world, entity), Ok(vec![]));
    for _ in 0..2 {
        assert!((dz_add(world, entity, number) as i32) >= 0);
        assert!((dz_add(world, entity, tag) as i32) >= 0);
    }
    // In the order of registration, not of addition.
    assert_eq!(calls::type_of(world, entity), Ok(vec![tag, number]));
    assert_eq!(dz_world_destroy(world), OK);
}

/// M55, M58: the same calls answer for both policies, and where there are gaps iteration steps over them.
#[test]
fn m44_m55_m58_gaps_are_never_seen() {
    for stable in [false, true] {
        for direction in [dz_direction::DZ_FORWARD, dz_direction::DZ_BACKWARD] {
            let world = calls::plain_world(dz_layout::DZ_LAYOUT_64);
            let id = calls::register(world, c"Number", 4, 4, stable, calls::NO_HOOKS);
            let (_, entities) = calls::create_with(world, 100, &[(id, None, 4)], true);
            for entity in entities.iter().step_by(3) {
                assert_eq!(dz_remove(world, *entity, id), OK);
            }
            let left: Vec<_> = entities.iter().copied().filter(|entity| dz_has(world, *entity, id)).collect();
            assert_eq!(left.len(), 66);
            assert_eq!(calls::info(world, id).unwrap().gaps, if stable { 34 } else { 0 });
            let (_, mut iter) = calls::iterate(world, id, direction);
            let mut seen = Vec::new();
            while calls::next(&mut iter) {
                while let Some(at) = each(&mut iter) {
                    seen.push(entity_at(&iter, at));
                }
            }
            seen.sort_unstable();
            assert_eq!(seen, left);
            assert_eq!(dz_count(world, id), 66);
            assert_eq!(dz_world_destroy(world), OK);
        }
    }
}
