//! Mechanisms that no other test shows by itself; see docs/mechanisms.md.

use crate::calls::{self, OK};
use crate::each::{each, entity_at};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, world::*};
use std::time::{Duration, Instant};

/// The fastest of several runs of `work`, for one of the `n` entities that each has.
fn fastest(n: u32, work: impl Fn(dz_world, &[dz_entity]) -> usize) -> Duration {
    let run = |_| {
        let world = calls::plain_world(dz_layout::DZ_LAYOUT_64);
        let entities = calls::create_n(world, n).1;
        // Half of them are dead, so that there is a list to go through for whoever would.
        assert_eq!(calls::destroy_n(world, &entities[..n as usize / 2]), OK);
        let begin = Instant::now();
        let done = work(world, &entities[n as usize / 2..]);
        let each = begin.elapsed() / done as u32;
        assert_eq!(dz_world_destroy(world), OK);
        each
    };
    (0..5).map(run).min().unwrap()
}

/// M17, M82: what one call costs doesn't depend on how many entities live or are dead. With 400 times as
/// many, a call that looked at each would take hundreds of times as long; memory that is not in the
/// cache, and a busy machine, don't come near that.
#[test]
#[cfg_attr(miri, ignore = "measures time")]
fn m17_m82_create_destroy_and_asking_are_constant() {
    const STEPS: usize = 256;
    let create = |world, _: &[dz_entity]| (0..STEPS).filter(|_| dz_create(world) != 0).count();
    let destroy = |world, living: &[dz_entity]| {
        living.iter().take(STEPS).filter(|e| dz_destroy(world, **e) == OK).count()
    };
    let alive =
        |world, living: &[dz_entity]| living.iter().take(STEPS).filter(|e| dz_is_alive(world, **e)).count();
    let generation = |world, living: &[dz_entity]| {
        living.iter().take(STEPS).filter(|e| dz_generation(world, dz_entity_index(**e)) == 1).count()
    };
    let works: [(&str, &dyn Fn(dz_world, &[dz_entity]) -> usize); 4] =
        [("create", &create), ("destroy", &destroy), ("is_alive", &alive), ("generation", &generation)];
    for (name, work) in works {
        let (few, many) = (fastest(1_000, work), fastest(400_000, work));
        let limit = few.max(Duration::from_nanos(50)) * 40;
        assert!(many < limit, "{name}: {few:?} with a thousand, {many:?} with 400 thousand");
    }
}

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
    assert_eq!(calls::type_of(world, entity), Ok(vec![number, tag]));
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
