//! Small is small: bytes of worlds, pools and entities, as the library counts them and as its
//! allocator does.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, clippy::undocumented_unsafe_blocks)]

mod common;

use common::allocator::Counting;
use common::stage::{register, set};
use common::{LAYOUTS, end, message, world_desc};
use denizen::ffi::access::dz_set;
use denizen::ffi::component::dz_component_info;
use denizen::ffi::entity::{dz_create, dz_create_at, dz_create_n, dz_create_with, dz_entity_make};
use denizen::ffi::types::*;
use denizen::ffi::world::{dz_world_create, dz_world_number, dz_world_stats};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

const KIB: u64 = 1024;
const POLICIES: [dz_policy; 2] = [dz_policy::DZ_POLICY_SWAP, dz_policy::DZ_POLICY_STABLE];

struct World {
    world: dz_world,
    memory: Box<Counting>,
    layout: dz_layout,
}

impl World {
    fn new(layout: dz_layout) -> Self {
        let memory = Counting::new();
        let mut desc = world_desc(layout);
        desc.allocator = memory.descriptor(true);
        let world = unsafe { dz_world_create(&desc) };
        assert_ne!(world.bits, 0, "{}", message());
        Self { world, memory, layout }
    }

    /// Bytes of the world, on which library and allocator must agree.
    fn bytes(&self) -> u64 {
        let mut numbers = dz_world_numbers::default();
        assert_eq!(unsafe { dz_world_stats(self.world, &mut numbers) }, dz_status::DZ_OK);
        assert_eq!(numbers.bytes, self.memory.bytes() as u64, "the library counts what the allocator gave");
        numbers.bytes
    }

    /// Bytes of a pool.
    fn pool(&self, id: dz_id) -> u64 {
        let mut details = MaybeUninit::<dz_component_details>::uninit();
        assert_eq!(unsafe { dz_component_info(self.world, id, details.as_mut_ptr()) }, dz_status::DZ_OK);
        unsafe { details.assume_init() }.bytes
    }

    fn at(&self, index: u32) -> dz_entity {
        let wide = self.layout == dz_layout::DZ_LAYOUT_64;
        let entity = dz_entity_make(if wide { dz_world_number(self.world) } else { 0 }, index, 1);
        assert_eq!(dz_create_at(self.world, entity), dz_status::DZ_OK, "{}", message());
        entity
    }

    fn end(self) {
        end(self.world);
        assert_eq!(self.memory.wrong(), None);
    }
}

#[test]
fn an_empty_world_is_under_16_kib() {
    for layout in LAYOUTS {
        let world = World::new(layout);
        let bytes = world.bytes();
        assert!(bytes < 16 * KIB, "{layout:?}: {bytes} bytes");
        dz_create(world.world);
        register(world.world, c"Position", 8, dz_policy::DZ_POLICY_SWAP);
        let bytes = (bytes, world.bytes());
        assert!(bytes.1 < 16 * KIB, "{layout:?}: {bytes:?} bytes with an entity and a component");
        println!("{layout:?}: an empty world {} bytes, with an entity and a component {}", bytes.0, bytes.1);
        world.end();
    }
}

#[test]
fn the_first_component_of_a_pool_is_at_most_4_kib() {
    let pools = LAYOUTS.into_iter().flat_map(|layout| POLICIES.map(|policy| (layout, policy)));
    for (layout, policy, size) in pools
        .flat_map(|(layout, policy)| [8, 64, 68, 256, 260, 1600, 65_536].map(|size| (layout, policy, size)))
    {
        let world = World::new(layout);
        let entity = dz_create(world.world);
        let id = register(world.world, c"Position", size, policy);
        let before = (world.bytes(), world.pool(id));
        let value = vec![1_u8; 65_536];
        let status = unsafe { dz_set(world.world, entity, id, size, value.as_ptr().cast()) };
        assert_eq!(status, dz_status::DZ_OK, "{}", message());
        let (grown, pool) = (world.bytes() - before.0, world.pool(id));
        println!(
            "{layout:?}, {policy:?}, {size} bytes: the first component takes {grown}, the pool has {pool}"
        );
        // What it has from the beginning counts too where elements are small.
        let most = if size == 8 { pool } else { pool - before.1 };
        // Of elements that are larger there is only one.
        let limit = if size <= 1600 { 4 * KIB } else { u64::from(size) + 2500 };
        assert!(most <= limit, "{layout:?}, {policy:?}: the pool has {pool} bytes, {} before", before.1);
        assert!(grown <= limit, "{layout:?}, {policy:?}: {grown} bytes");
        world.end();
    }
}

/// M19: a high index does not waste memory.
#[test]
fn m19_a_pool_with_one_member_of_index_1_000_000_is_at_most_8_kib() {
    let pools = LAYOUTS.into_iter().flat_map(|layout| POLICIES.map(|policy| (layout, policy)));
    for (layout, policy, size) in
        pools.flat_map(|(layout, policy)| [8, 4096].map(|size| (layout, policy, size)))
    {
        let world = World::new(layout);
        let entity = world.at(1_000_000);
        let id = register(world.world, c"Position", size, policy);
        let before = world.bytes();
        let value = vec![1_u8; size as usize];
        let set = |id| unsafe { dz_set(world.world, entity, id, size, value.as_ptr().cast()) };
        assert_eq!(set(id), dz_status::DZ_OK, "{}", message());
        let (grown, pool) = (world.bytes() - before, world.pool(id));
        // The second component of that entity shares what the world keeps of it.
        let other = register(world.world, c"Other", size, policy);
        let before = world.bytes();
        assert_eq!(set(other), dz_status::DZ_OK, "{}", message());
        let again = world.bytes() - before;
        println!(
            "{layout:?}, {policy:?}, {size} bytes: pool {pool} bytes, the world grew by {grown}, then by {again}"
        );
        assert!(pool <= 8 * KIB, "{layout:?}, {policy:?}: the pool has {pool} bytes");
        assert!(again <= 8 * KIB, "{layout:?}, {policy:?}: the world grew by {again} bytes for another pool");
        // What each entity has is kept for all indices up to the highest: a quarter of a byte for each,
        // once for all pools.
        let shared = 1_000_000 / 64 * 16 + 8 * KIB;
        assert!(grown <= shared, "{layout:?}, {policy:?}: the world grew by {grown} bytes");
        world.end();
    }
}

const MILLION: u32 = 1_000_000;

fn most_per_entity(layout: dz_layout) -> f64 {
    if layout == dz_layout::DZ_LAYOUT_64 { 84.0 } else { 60.0 }
}

fn components(world: dz_world) -> [dz_id; 3] {
    [(c"P", 12), (c"V", 12), (c"C", 4)]
        .map(|(name, size)| register(world, name, size, dz_policy::DZ_POLICY_SWAP))
}

fn check(world: &World, how: &str) {
    let each = world.bytes() as f64 / f64::from(MILLION);
    println!("{:?}, {how}: {each:.2} bytes per entity", world.layout);
    assert!(each <= most_per_entity(world.layout), "{:?}, {how}: {each:.2} bytes per entity", world.layout);
}

/// P(12), V(12), C(4) on a million entities, made in one call, and in a thousand.
#[test]
fn a_million_entities_made_with_components() {
    for (layout, calls) in LAYOUTS.into_iter().flat_map(|layout| [(layout, 1), (layout, 1000)]) {
        let world = World::new(layout);
        let column = |(id, size)| dz_column { id, values: std::ptr::null(), element_size: size, reserved: 0 };
        let [p, v, c] = components(world.world);
        let columns = [(p, 12), (v, 12), (c, 4)].map(column);
        for _ in 0..calls {
            let n = MILLION / calls;
            let status = unsafe { dz_create_with(world.world, n, columns.as_ptr(), 3, null_mut()) };
            assert_eq!(status, dz_status::DZ_OK, "{}", message());
        }
        check(&world, &format!("dz_create_with, {calls} calls"));
        world.end();
    }
}

/// The same, one call for each entity and component.
#[test]
fn a_million_entities_made_one_by_one() {
    for layout in LAYOUTS {
        let world = World::new(layout);
        let ids = components(world.world);
        for _ in 0..MILLION {
            let entity = dz_create(world.world);
            for (id, size) in ids.into_iter().zip([12, 12, 4]) {
                set(world.world, entity, id, &[1, 2], size);
            }
        }
        check(&world, "one by one");
        world.end();
    }
}

/// The same, all entities first, then one component after the other.
#[test]
fn a_million_entities_made_component_by_component() {
    for layout in LAYOUTS {
        let world = World::new(layout);
        let mut entities = vec![0; MILLION as usize];
        assert_eq!(unsafe { dz_create_n(world.world, MILLION, entities.as_mut_ptr()) }, dz_status::DZ_OK);
        for (id, size) in components(world.world).into_iter().zip([12, 12, 4]) {
            entities.iter().for_each(|entity| set(world.world, *entity, id, &[1, 2], size));
        }
        check(&world, "component by component");
        world.end();
    }
}
