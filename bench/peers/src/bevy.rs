//! bevy_ecs: archetype tables, in Rust.

use crate::contender::Contender;
use crate::parts::{C2, Other, P, STATIC_OTHERS, V};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::QueryState;
use bevy_ecs::world::World;

pub struct Bevy {
    world: World,
    kept: QueryState<&'static P>,
}

type Add = fn(&mut World, Entity, f32);
const ADD_OTHER: [Add; STATIC_OTHERS] = crate::for_each_other!(add);

fn add<const K: usize>(world: &mut World, entity: Entity, value: f32) {
    world.entity_mut(entity).insert(Other::<K>(value));
}

impl Contender for Bevy {
    type Entity = Entity;
    const OTHERS: usize = STATIC_OTHERS;
    const KEPT: bool = true;

    fn new(_others: usize) -> Self {
        let mut world = World::new();
        world.register_component::<P>();
        world.register_component::<V>();
        world.register_component::<C2>();
        let kept = world.query::<&P>();
        Self { world, kept }
    }

    #[inline(always)]
    fn to_bits(entity: Entity) -> u64 {
        entity.to_bits()
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Entity {
        Entity::from_bits(bits)
    }

    #[inline(always)]
    fn create(&mut self) -> Entity {
        self.world.spawn_empty().id()
    }

    #[inline(always)]
    fn create_pv(&mut self, p: P, v: V) -> Entity {
        self.world.spawn((p, v)).id()
    }

    #[inline(always)]
    fn create_pvc(&mut self, p: P, v: V, c: C2) -> Entity {
        self.world.spawn((p, v, c)).id()
    }

    #[inline(always)]
    fn create_n(&mut self, n: usize, out: &mut Vec<Entity>) {
        out.extend(self.world.spawn_batch((0..n).map(|_| ())));
    }

    #[inline(always)]
    fn create_pv_n(&mut self, p: &[P], v: &[V], out: &mut Vec<Entity>) {
        let rows = p.iter().copied().zip(v.iter().copied());
        out.extend(self.world.spawn_batch(rows));
    }

    #[inline(always)]
    fn destroy(&mut self, entity: Entity) {
        self.world.despawn(entity);
    }

    #[inline(always)]
    fn add_c2(&mut self, entity: Entity, c: C2) {
        self.world.entity_mut(entity).insert(c);
    }

    #[inline(always)]
    fn remove_c2(&mut self, entity: Entity) {
        self.world.entity_mut(entity).remove::<C2>();
    }

    #[inline(always)]
    fn add_c2_n(&mut self, entities: &[Entity], values: &[C2]) {
        let rows = entities.iter().copied().zip(values.iter().copied());
        self.world.insert_batch(rows.map(|(entity, value)| (entity, (value,))));
    }

    fn add_other(&mut self, entity: Entity, k: usize, value: f32) {
        ADD_OTHER[k](&mut self.world, entity, value);
    }

    #[inline(always)]
    fn get_p(&self, entity: Entity) -> *const P {
        self.world.get::<P>(entity).map_or(std::ptr::null(), |p| &raw const *p)
    }

    #[inline(always)]
    fn has_p(&self, entity: Entity) -> bool {
        self.world.get_entity(entity).is_ok_and(|entity| entity.contains::<P>())
    }

    #[inline(always)]
    fn has_c2(&self, entity: Entity) -> bool {
        self.world.get_entity(entity).is_ok_and(|entity| entity.contains::<C2>())
    }

    #[inline(always)]
    fn sum_kept(&self, entities: &[Entity]) -> u64 {
        let query = self.kept.query_manual(&self.world);
        entities.iter().map(|&entity| query.get(entity).map_or(0, P::bits)).sum()
    }

    #[inline(always)]
    fn has_n(&self, entities: &[Entity]) -> usize {
        let query = self.kept.query_manual(&self.world);
        entities.iter().filter(|&&entity| query.contains(entity)).count()
    }

    /// bevy_ecs notes each removed component until somebody says that the frame is over.
    #[inline(always)]
    fn tidy(&mut self) {
        self.world.clear_trackers();
        self.kept.update_archetypes(&self.world);
    }
}
