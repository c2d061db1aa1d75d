//! hecs: archetypes, in Rust.

use crate::contender::Contender;
use crate::parts::{C2, Other, P, STATIC_OTHERS, V};
use hecs::{ColumnBatchType, Entity, World};

pub struct Hecs {
    world: World,
}

type Add = fn(&mut World, Entity, f32);
const ADD_OTHER: [Add; STATIC_OTHERS] = crate::for_each_other!(add);

fn add<const K: usize>(world: &mut World, entity: Entity, value: f32) {
    world.insert_one(entity, Other::<K>(value)).expect("alive");
}

impl Contender for Hecs {
    type Entity = Entity;
    const OTHERS: usize = STATIC_OTHERS;
    const KEPT: bool = true;

    fn new(_others: usize) -> Self {
        Self { world: World::new() }
    }

    #[inline(always)]
    fn to_bits(entity: Entity) -> u64 {
        entity.to_bits().get()
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Entity {
        Entity::from_bits(bits).unwrap_or(Entity::DANGLING)
    }

    #[inline(always)]
    fn create(&mut self) -> Entity {
        self.world.spawn(())
    }

    #[inline(always)]
    fn create_pv(&mut self, p: P, v: V) -> Entity {
        self.world.spawn((p, v))
    }

    #[inline(always)]
    fn create_pvc(&mut self, p: P, v: V, c: C2) -> Entity {
        self.world.spawn((p, v, c))
    }

    #[inline(always)]
    fn create_n(&mut self, n: usize, out: &mut Vec<Entity>) {
        // Faster than a batch of nothing.
        out.extend(self.world.reserve_entities(n as u32));
        self.world.flush();
    }

    #[inline(always)]
    fn create_pv_n(&mut self, p: &[P], v: &[V], out: &mut Vec<Entity>) {
        let mut columns = ColumnBatchType::new();
        columns.add::<P>().add::<V>();
        let batch = columns.into_batch(p.len() as u32);
        {
            let mut to = batch.writer::<P>().expect("a column");
            p.iter().for_each(|p| assert!(to.push(*p).is_ok()));
        }
        {
            let mut to = batch.writer::<V>().expect("a column");
            v.iter().for_each(|v| assert!(to.push(*v).is_ok()));
        }
        out.extend(self.world.spawn_column_batch(batch.build().expect("full")));
    }

    #[inline(always)]
    fn destroy(&mut self, entity: Entity) {
        let _ = self.world.despawn(entity);
    }

    #[inline(always)]
    fn add_c2(&mut self, entity: Entity, c: C2) {
        let _ = self.world.insert_one(entity, c);
    }

    #[inline(always)]
    fn remove_c2(&mut self, entity: Entity) {
        let _ = self.world.remove_one::<C2>(entity);
    }

    fn add_other(&mut self, entity: Entity, k: usize, value: f32) {
        ADD_OTHER[k](&mut self.world, entity, value);
    }

    #[inline(always)]
    fn get_p(&self, entity: Entity) -> *const P {
        self.world.get::<&P>(entity).map_or(std::ptr::null(), |p| &raw const *p)
    }

    #[inline(always)]
    fn has_p(&self, entity: Entity) -> bool {
        self.world.satisfies::<&P>(entity)
    }

    #[inline(always)]
    fn has_c2(&self, entity: Entity) -> bool {
        self.world.satisfies::<&C2>(entity)
    }

    #[inline(always)]
    fn sum_kept(&self, entities: &[Entity]) -> u64 {
        let view = self.world.view::<&P>();
        entities.iter().map(|&entity| view.get(entity).map_or(0, P::bits)).sum()
    }

    #[inline(always)]
    fn has_n(&self, entities: &[Entity]) -> usize {
        let view = self.world.view::<&P>();
        entities.iter().filter(|&&entity| view.contains(entity)).count()
    }
}
