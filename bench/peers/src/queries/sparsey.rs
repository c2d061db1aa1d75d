//! sparsey: `World::query_all`, and for the best form a group and its slices.

use super::{by_terms, for_each_part};
use crate::parts::{C2, P, Scalar, Tag, V};
use crate::querier::{self, Part, Plan, Querier, Query};
use sparsey::World;
use sparsey::component::GroupLayout;
use sparsey::entity::Entity;

pub struct SparseyQueries {
    world: World,
    plan: Plan,
}

type Put = fn(&mut World, Entity, usize);
const PUT: [Put; Part::COUNT] = for_each_part!(put_p, put_v, put_scalar, put_tag);
const REGISTER: [fn(&mut World); Part::COUNT] =
    for_each_part!(register_p, register_v, register_scalar, register_tag);

fn register_p(world: &mut World) {
    world.register::<P>();
}

fn register_v(world: &mut World) {
    world.register::<V>();
}

fn register_scalar<const K: usize>(world: &mut World) {
    world.register::<Scalar<K>>();
}

fn register_tag<const K: usize>(world: &mut World) {
    world.register::<Tag<K>>();
}

fn put_p(world: &mut World, entity: Entity, i: usize) {
    world.insert(entity, (querier::p(i),));
}

fn put_v(world: &mut World, entity: Entity, i: usize) {
    world.insert(entity, (querier::v(i),));
}

fn put_scalar<const K: usize>(world: &mut World, entity: Entity, i: usize) {
    world.insert(entity, (Scalar::<K> { value: querier::scalar(K, i) },));
}

fn put_tag<const K: usize>(world: &mut World, entity: Entity, _i: usize) {
    world.insert(entity, (Tag::<K>,));
}

fn grouped() -> GroupLayout {
    let mut layout = GroupLayout::default();
    layout.add_group::<(P, V)>();
    layout
}

impl Querier for SparseyQueries {
    type Entity = Entity;

    fn new(plan: Plan) -> Option<Self> {
        let layout = if plan.best { grouped() } else { GroupLayout::default() };
        let mut world = World::new(&layout);
        for register in REGISTER {
            register(&mut world);
        }
        Some(Self { world, plan })
    }

    fn create(&mut self) -> Entity {
        self.world.create(())
    }

    fn destroy(&mut self, entity: Entity) {
        self.world.destroy(entity);
    }

    #[inline(always)]
    fn put(&mut self, entity: Entity, part: Part, i: usize) {
        PUT[part.0](&mut self.world, entity, i);
    }

    #[inline(always)]
    fn remove_v(&mut self, entity: Entity) {
        self.world.delete::<(V,)>(entity);
    }

    fn p(&self, entity: Entity) -> Option<P> {
        self.world.borrow::<P>().get(entity).copied()
    }

    fn form_group(&mut self) -> bool {
        self.world.set_layout(&grouped());
        true
    }

    #[inline(always)]
    fn run(&mut self) {
        let world = &self.world;
        macro_rules! several {
            ($($c:ident: $k:literal),*) => {
                world.for_each::<(&mut P, &V, $(&Scalar<$k>),*)>(
                    |(p, v, $($c),*)| p.advance_by(v, -0.0 $(+ $c.value)*),
                )
            };
        }
        match self.plan.query {
            Query::One => world.for_each::<&mut P>(P::step),
            Query::Tagged => world.query_all::<&mut P>().include::<&Tag<10>>().for_each(P::step),
            Query::Terms(2) if self.plan.best => {
                let mut query = world.query_all::<(&mut P, &V)>();
                let (p, v) = query.slice().expect("a group");
                p.iter_mut().zip(v).for_each(|(p, v)| p.advance(v));
            }
            Query::Terms(2) => world.for_each::<(&mut P, &V)>(|(p, v)| p.advance(v)),
            Query::ThreeNot => world
                .query_all::<(&mut P, &V, &C2)>()
                .exclude::<&Scalar<3>>()
                .for_each(|(p, v, c)| p.advance_by(v, c.value)),
            Query::Terms(k) => by_terms!(k, several),
        }
    }
}
