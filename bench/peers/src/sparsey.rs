//! sparsey: sparse sets, in Rust.

use crate::contender::Contender;
use crate::parts::{C2, Other, P, STATIC_OTHERS, V};
use sparsey::World;
use sparsey::entity::{Entity, Version};
use std::num::NonZeroU32;

pub struct Sparsey {
    world: World,
}

type Register = fn(&mut World);
type Add = fn(&mut World, Entity, f32);
const REGISTER_OTHER: [Register; STATIC_OTHERS] = crate::for_each_other!(register);
const ADD_OTHER: [Add; STATIC_OTHERS] = crate::for_each_other!(add);

fn register<const K: usize>(world: &mut World) {
    world.register::<Other<K>>();
}

fn add<const K: usize>(world: &mut World, entity: Entity, value: f32) {
    world.insert(entity, (Other::<K>(value),));
}

impl Contender for Sparsey {
    type Entity = Entity;
    const OTHERS: usize = STATIC_OTHERS;
    const KEPT: bool = true;

    fn new(others: usize) -> Self {
        let mut world = World::builder().register::<P>().register::<V>().register::<C2>().build();
        for register in &REGISTER_OTHER[..others] {
            register(&mut world);
        }
        Self { world }
    }

    #[inline(always)]
    fn to_bits(entity: Entity) -> u64 {
        u64::from(entity.index) | u64::from(entity.version.0.get()) << 32
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Entity {
        let version = NonZeroU32::new((bits >> 32) as u32).unwrap_or(NonZeroU32::MIN);
        Entity::new(bits as u32, Version(version))
    }

    #[inline(always)]
    fn create(&mut self) -> Entity {
        self.world.create(())
    }

    #[inline(always)]
    fn create_pv(&mut self, p: P, v: V) -> Entity {
        self.world.create((p, v))
    }

    #[inline(always)]
    fn create_pvc(&mut self, p: P, v: V, c: C2) -> Entity {
        self.world.create((p, v, c))
    }

    #[inline(always)]
    fn create_n(&mut self, n: usize, out: &mut Vec<Entity>) {
        out.extend_from_slice(self.world.extend((0..n).map(|_| ())));
    }

    #[inline(always)]
    fn create_pv_n(&mut self, p: &[P], v: &[V], out: &mut Vec<Entity>) {
        let rows = p.iter().copied().zip(v.iter().copied());
        out.extend_from_slice(self.world.extend(rows));
    }

    #[inline(always)]
    fn destroy(&mut self, entity: Entity) {
        self.world.destroy(entity);
    }

    #[inline(always)]
    fn add_c2(&mut self, entity: Entity, c: C2) {
        self.world.insert(entity, (c,));
    }

    #[inline(always)]
    fn remove_c2(&mut self, entity: Entity) {
        self.world.delete::<(C2,)>(entity);
    }

    fn add_other(&mut self, entity: Entity, k: usize, value: f32) {
        ADD_OTHER[k](&mut self.world, entity, value);
    }

    #[inline(always)]
    fn get_p(&self, entity: Entity) -> *const P {
        self.world.borrow::<P>().get(entity).map_or(std::ptr::null(), |p| &raw const *p)
    }

    #[inline(always)]
    fn has_p(&self, entity: Entity) -> bool {
        self.world.contains::<&P>(entity)
    }

    #[inline(always)]
    fn has_c2(&self, entity: Entity) -> bool {
        self.world.contains::<&C2>(entity)
    }

    #[inline(always)]
    fn sum_kept(&self, entities: &[Entity]) -> u64 {
        let view = self.world.borrow::<P>();
        entities.iter().map(|&entity| view.get(entity).map_or(0, P::bits)).sum()
    }

    #[inline(always)]
    fn has_n(&self, entities: &[Entity]) -> usize {
        let view = self.world.borrow::<P>();
        entities.iter().filter(|&&entity| view.contains(entity)).count()
    }
}
