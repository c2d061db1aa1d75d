//! hecs: `World::query_mut`, and for the best form a prepared query.

use super::{by_terms, for_each_part};
use crate::parts::{C2, P, Scalar, Tag, V};
use crate::querier::{self, Part, Plan, Querier, Query};
use hecs::{Entity, PreparedQuery, With, Without, World};

pub struct HecsQueries {
    world: World,
    plan: Plan,
    kept: PreparedQuery<(&'static mut P, &'static V)>,
}

type Put = fn(&mut World, Entity, usize);
const PUT: [Put; Part::COUNT] = for_each_part!(put_p, put_v, put_scalar, put_tag);

fn put_p(world: &mut World, entity: Entity, i: usize) {
    world.insert_one(entity, querier::p(i)).expect("alive");
}

fn put_v(world: &mut World, entity: Entity, i: usize) {
    world.insert_one(entity, querier::v(i)).expect("alive");
}

fn put_scalar<const K: usize>(world: &mut World, entity: Entity, i: usize) {
    world.insert_one(entity, Scalar::<K> { value: querier::scalar(K, i) }).expect("alive");
}

fn put_tag<const K: usize>(world: &mut World, entity: Entity, _i: usize) {
    world.insert_one(entity, Tag::<K>).expect("alive");
}

impl Querier for HecsQueries {
    type Entity = Entity;

    fn new(plan: Plan) -> Option<Self> {
        Some(Self { world: World::new(), plan, kept: PreparedQuery::new() })
    }

    fn create(&mut self) -> Entity {
        self.world.spawn(())
    }

    fn destroy(&mut self, entity: Entity) {
        self.world.despawn(entity).expect("alive");
    }

    #[inline(always)]
    fn put(&mut self, entity: Entity, part: Part, i: usize) {
        PUT[part.0](&mut self.world, entity, i);
    }

    #[inline(always)]
    fn remove_v(&mut self, entity: Entity) {
        let _ = self.world.remove_one::<V>(entity);
    }

    fn p(&self, entity: Entity) -> Option<P> {
        self.world.get::<&P>(entity).ok().map(|p| *p)
    }

    #[inline(always)]
    fn run(&mut self) {
        let world = &mut self.world;
        macro_rules! several {
            ($($c:ident: $k:literal),*) => {
                world
                    .query_mut::<(&mut P, &V, $(&Scalar<$k>),*)>()
                    .into_iter()
                    .for_each(|(p, v, $($c),*)| p.advance_by(v, -0.0 $(+ $c.value)*))
            };
        }
        match self.plan.query {
            Query::One => world.query_mut::<&mut P>().into_iter().for_each(P::step),
            Query::Tagged => {
                world.query_mut::<With<&mut P, &Tag<10>>>().into_iter().for_each(P::step);
            }
            Query::Terms(2) if self.plan.best => {
                self.kept.query_mut(world).for_each(|(p, v)| p.advance(v));
            }
            Query::Terms(2) => {
                world.query_mut::<(&mut P, &V)>().into_iter().for_each(|(p, v)| p.advance(v));
            }
            Query::ThreeNot => world
                .query_mut::<Without<(&mut P, &V, &C2), &Scalar<3>>>()
                .into_iter()
                .for_each(|(p, v, c)| p.advance_by(v, c.value)),
            Query::Terms(k) => by_terms!(k, several),
        }
    }
}
