//! bevy_ecs: a query state that is kept, as its systems keep theirs, and for the best form contiguous
//! iteration.

use super::for_each_part;
use crate::parts::{C2, P, Scalar, Tag, V};
use crate::querier::{self, Part, Plan, Querier, Query};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::{QueryState, With, Without};
use bevy_ecs::world::World;

pub struct BevyQueries {
    world: World,
    plan: Plan,
    kept: Kept,
}

type S<const K: usize> = &'static Scalar<K>;
type Mut = &'static mut P;
type Ref = &'static V;
type Eight = (Mut, Ref, S<2>, S<3>, S<4>, S<5>, S<6>, S<7>);

/// The state of the query that the world was made for.
enum Kept {
    One(QueryState<Mut>),
    Tagged(QueryState<Mut, With<Tag<10>>>),
    ThreeNot(QueryState<(Mut, Ref, &'static C2), Without<Scalar<3>>>),
    Terms2(QueryState<(Mut, Ref)>),
    Terms3(QueryState<(Mut, Ref, S<2>)>),
    Terms4(QueryState<(Mut, Ref, S<2>, S<3>)>),
    Terms5(QueryState<(Mut, Ref, S<2>, S<3>, S<4>)>),
    Terms6(QueryState<(Mut, Ref, S<2>, S<3>, S<4>, S<5>)>),
    Terms7(QueryState<(Mut, Ref, S<2>, S<3>, S<4>, S<5>, S<6>)>),
    Terms8(QueryState<Eight>),
}

impl Kept {
    fn new(world: &mut World, query: Query) -> Self {
        match query {
            Query::One => Kept::One(world.query()),
            Query::Tagged => Kept::Tagged(world.query_filtered()),
            Query::ThreeNot => Kept::ThreeNot(world.query_filtered()),
            Query::Terms(2) => Kept::Terms2(world.query()),
            Query::Terms(3) => Kept::Terms3(world.query()),
            Query::Terms(4) => Kept::Terms4(world.query()),
            Query::Terms(5) => Kept::Terms5(world.query()),
            Query::Terms(6) => Kept::Terms6(world.query()),
            Query::Terms(7) => Kept::Terms7(world.query()),
            Query::Terms(_) => Kept::Terms8(world.query()),
        }
    }
}

type Put = fn(&mut World, Entity, usize);
const PUT: [Put; Part::COUNT] = for_each_part!(put_p, put_v, put_scalar, put_tag);

fn put_p(world: &mut World, entity: Entity, i: usize) {
    world.entity_mut(entity).insert(querier::p(i));
}

fn put_v(world: &mut World, entity: Entity, i: usize) {
    world.entity_mut(entity).insert(querier::v(i));
}

fn put_scalar<const K: usize>(world: &mut World, entity: Entity, i: usize) {
    world.entity_mut(entity).insert(Scalar::<K> { value: querier::scalar(K, i) });
}

fn put_tag<const K: usize>(world: &mut World, entity: Entity, _i: usize) {
    world.entity_mut(entity).insert(Tag::<K>);
}

impl Querier for BevyQueries {
    type Entity = Entity;

    fn new(plan: Plan) -> Option<Self> {
        let mut world = World::new();
        let kept = Kept::new(&mut world, plan.query);
        Some(Self { world, plan, kept })
    }

    fn create(&mut self) -> Entity {
        self.world.spawn_empty().id()
    }

    fn destroy(&mut self, entity: Entity) {
        self.world.despawn(entity);
    }

    #[inline(always)]
    fn put(&mut self, entity: Entity, part: Part, i: usize) {
        PUT[part.0](&mut self.world, entity, i);
    }

    #[inline(always)]
    fn remove_v(&mut self, entity: Entity) {
        self.world.entity_mut(entity).remove::<V>();
    }

    fn p(&self, entity: Entity) -> Option<P> {
        self.world.get::<P>(entity).copied()
    }

    fn settle(&mut self) {
        self.world.clear_trackers();
    }

    /// bevy_ecs notes each removed component until somebody says that the frame is over.
    #[inline(always)]
    fn refresh(&mut self) -> bool {
        self.world.clear_trackers();
        false
    }

    #[inline(always)]
    fn run(&mut self) {
        let world = &mut self.world;
        macro_rules! several {
            ($query:ident, $($c:ident),*) => {
                $query
                    .iter_mut(world)
                    .for_each(|(mut p, v, $($c),*)| p.advance_by(v, -0.0 $(+ $c.value)*))
            };
        }
        match &mut self.kept {
            Kept::One(query) => query.iter_mut(world).for_each(|mut p| p.step()),
            Kept::Tagged(query) => query.iter_mut(world).for_each(|mut p| p.step()),
            Kept::Terms2(query) if self.plan.best => {
                let tables = query.contiguous_iter_mut(world).expect("all is in tables");
                for (mut p, v) in tables {
                    p.iter_mut().zip(v).for_each(|(p, v)| p.advance(v));
                }
            }
            Kept::Terms2(query) => query.iter_mut(world).for_each(|(mut p, v)| p.advance(v)),
            Kept::ThreeNot(query) => several!(query, c2),
            Kept::Terms3(query) => several!(query, c2),
            Kept::Terms4(query) => several!(query, c2, c3),
            Kept::Terms5(query) => several!(query, c2, c3, c4),
            Kept::Terms6(query) => several!(query, c2, c3, c4, c5),
            Kept::Terms7(query) => several!(query, c2, c3, c4, c5, c6),
            Kept::Terms8(query) => several!(query, c2, c3, c4, c5, c6, c7),
        }
    }
}
