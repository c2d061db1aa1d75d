//! Plain loops over spans: every element once, contiguous, page by page, in the order of the pool.

use crate::calls::{self, OK};
use crate::each::entity_at;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, world::*};
use proptest::prelude::*;

struct Filled {
    world: dz_world,
    id: dz_id,
    members: Vec<dz_entity>,
}

impl Drop for Filled {
    fn drop(&mut self) {
        dz_world_destroy(self.world);
    }
}

/// A pool of `count` elements, from which every one in `holes` is taken out again.
fn filled(layout: dz_layout, stable: bool, count: u32, holes: &[u16]) -> Filled {
    let world = calls::plain_world(layout);
    let id = calls::register(world, c"Number", 4, 4, stable, calls::NO_HOOKS);
    let values: Vec<u8> = (0..count).flat_map(u32::to_ne_bytes).collect();
    let (status, mut members) = calls::create_with(world, count, &[(id, Some(values), 4)], true);
    assert!(count == 0 || status == OK);
    for hole in holes.iter().filter(|_| count > 0) {
        let at = *hole as usize % count as usize;
        if at < members.len() {
            let entity = if stable { members.remove(at) } else { members.swap_remove(at) };
            assert_eq!(dz_remove(world, entity, id), OK);
        }
    }
    Filled { world, id, members }
}

/// The spans of a plain loop: their entities, first address and length.
fn spans(filled: &Filled, direction: dz_direction) -> Vec<(Vec<dz_entity>, *mut u32)> {
    let (status, mut iter) = calls::iterate(filled.world, filled.id, direction);
    assert_eq!(status, OK);
    let mut all = Vec::new();
    while calls::next(&mut iter) {
        assert!(iter.count > 0 && iter.stride == 4);
        let first: *mut u32 = iter.data.cast();
        for i in 0..iter.count {
            let at = first.wrapping_add(i as usize);
            assert_eq!(at.cast_const().cast(), dz_get(filled.world, entity_at(&iter, i), filled.id));
            // Changes values only.
            unsafe { *at += 1 };
        }
        all.push(((0..iter.count).map(|i| entity_at(&iter, i)).collect(), first));
    }
    assert_eq!(iter.status, OK as i32);
    all
}

proptest! {
    #![proptest_config(crate::config(64))]

    #[test]
    fn plain_loops_see_every_element_once_and_in_order(
        wide in any::<bool>(),
        stable in any::<bool>(),
        count in prop_oneof![0..70_u32, 900..if cfg!(miri) { 910 } else { 5000_u32 }],
        holes in prop::collection::vec(any::<u16>(), 0..20),
    ) {
        let layout = if wide { dz_layout::DZ_LAYOUT_64 } else { dz_layout::DZ_LAYOUT_32 };
        let filled = filled(layout, stable, count, &holes);
        let forward = spans(&filled, dz_direction::DZ_FORWARD);
        let seen: Vec<_> = forward.iter().flat_map(|(entities, _)| entities.clone()).collect();
        prop_assert_eq!(&seen, &filled.members);
        let mut backward = spans(&filled, dz_direction::DZ_BACKWARD);
        backward.reverse();
        prop_assert_eq!(&forward, &backward);
        // Without gaps a span is a whole page: no two spans lie side by side in memory that is one.
        if !stable || filled.members.len() == count as usize {
            let pages = forward.len() as u32;
            prop_assert!(pages <= 8 + count / 1024, "{} spans for {} elements", pages, count);
        }
        // Each value was raised by both loops.
        let sum: u64 = forward.iter().flat_map(|(entities, first)| {
            (0..entities.len()).map(|i| u64::from(unsafe { *first.add(i) }))
        }).sum();
        prop_assert!(sum >= 2 * filled.members.len() as u64);
    }

    /// Walking a span backward and taking out the current element needs no DZ_EACH.
    #[test]
    fn the_current_one_may_go_in_a_plain_loop_from_the_end(
        wide in any::<bool>(),
        stable in any::<bool>(),
        count in 0..200_u32,
        goes in prop::collection::vec(any::<bool>(), 200),
    ) {
        let layout = if wide { dz_layout::DZ_LAYOUT_64 } else { dz_layout::DZ_LAYOUT_32 };
        let filled = filled(layout, stable, count, &[]);
        let mut seen = Vec::new();
        let (_, mut iter) = calls::iterate(filled.world, filled.id, dz_direction::DZ_BACKWARD);
        while calls::next(&mut iter) {
            for i in (0..iter.count).rev() {
                let entity = entity_at(&iter, i);
                if goes[seen.len() % goes.len()] {
                    prop_assert_eq!(dz_remove(filled.world, entity, filled.id), OK);
                }
                seen.push(entity);
            }
        }
        seen.reverse();
        prop_assert_eq!((iter.status, &seen), (OK as i32, &filled.members));
    }
}
