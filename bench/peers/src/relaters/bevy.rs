//! bevy_ecs: `ChildOf` and `Children`, and a relationship of the same kind. Queries are kept, as systems keep
//! theirs.

use crate::parts::{P, V};
use crate::relater::Relater;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::{ChildOf, Children};
use bevy_ecs::query::QueryState;
use bevy_ecs::system::{Query, SystemState};
use bevy_ecs::world::World;

/// An entity likes one here at a time; bevy_ecs has no other relationships.
#[derive(Component)]
#[relationship(relationship_target = LikedBy)]
struct Likes(Entity);

#[derive(Component)]
#[relationship_target(relationship = Likes)]
struct LikedBy(Vec<Entity>);

type Places = (&'static P, &'static mut V, Option<&'static Children>);

pub struct BevyRelater {
    world: World,
    children: QueryState<&'static Children>,
    places: QueryState<Places>,
    roots: Vec<Entity>,
    /// Who is to be placed, and where its parent is.
    stack: Vec<(Entity, V)>,
    liked: SystemState<(Query<'static, 'static, &'static LikedBy>, Query<'static, 'static, &'static mut P>)>,
    target: Entity,
}

impl Relater for BevyRelater {
    type Entity = Entity;

    fn new() -> Self {
        let mut world = World::new();
        Self {
            children: world.query(),
            places: world.query(),
            liked: SystemState::new(&mut world),
            roots: Vec::new(),
            stack: Vec::new(),
            target: Entity::PLACEHOLDER,
            world,
        }
    }

    #[inline(always)]
    fn to_bits(entity: Entity) -> u64 {
        entity.to_bits()
    }

    #[inline(always)]
    fn create(&mut self) -> Entity {
        self.world.spawn_empty().id()
    }

    #[inline(always)]
    fn create_child(&mut self, parent: Entity) -> Entity {
        self.world.spawn(ChildOf(parent)).id()
    }

    fn put_p(&mut self, entity: Entity, p: P) {
        self.world.entity_mut(entity).insert(p);
    }

    fn put_v(&mut self, entity: Entity, v: V) {
        self.world.entity_mut(entity).insert(v);
    }

    fn p(&self, entity: Entity) -> Option<P> {
        self.world.get::<P>(entity).copied()
    }

    fn v(&self, entity: Entity) -> Option<V> {
        self.world.get::<V>(entity).copied()
    }

    fn is_alive(&self, entity: Entity) -> bool {
        self.world.get_entity(entity).is_ok()
    }

    #[inline(always)]
    fn visit(&self, parent: Entity, mut visit: impl FnMut(Entity)) {
        if let Some(children) = self.world.get::<Children>(parent) {
            children.iter().for_each(|child| visit(*child));
        }
    }

    fn settle(&mut self) {
        self.children.update_archetypes(&self.world);
    }

    #[inline(always)]
    fn sum_children(&self, parents: &[Entity]) -> u64 {
        let query = self.children.query_manual(&self.world);
        let children = parents.iter().filter_map(|&parent| query.get(parent).ok()).flatten();
        children.fold(0, |sum, child| sum.wrapping_add(child.to_bits()))
    }

    fn ready_to_propagate(&mut self) -> bool {
        self.world.clear_trackers();
        let mut roots = self.world.query_filtered::<Entity, bevy_ecs::query::Without<ChildOf>>();
        self.roots = roots.iter(&self.world).collect();
        true
    }

    #[inline(always)]
    fn propagate(&mut self) {
        let mut places = self.places.query_mut(&mut self.world);
        self.stack.extend(self.roots.iter().map(|&root| (root, V::ORIGIN)));
        while let Some((entity, parent)) = self.stack.pop() {
            if let Ok((local, mut v, children)) = places.get_mut(entity) {
                v.place(&parent, local);
                self.stack.extend(children.into_iter().flatten().map(|&child| (child, *v)));
            }
        }
    }

    #[inline(always)]
    fn destroy(&mut self, root: Entity) {
        self.world.despawn(root);
    }

    #[inline(always)]
    fn like(&mut self, entity: Entity, target: Entity) {
        self.world.entity_mut(entity).insert(Likes(target));
    }

    fn likes(&self, entity: Entity, target: Entity) -> bool {
        self.world.get::<Likes>(entity).is_some_and(|likes| likes.0 == target)
    }

    fn aim(&mut self, target: Entity) -> bool {
        self.world.clear_trackers();
        self.target = target;
        true
    }

    #[inline(always)]
    fn step_aimed(&mut self) {
        let (liked, mut p) = self.liked.get_mut(&mut self.world).expect("queries are always there");
        if let Ok(liked) = liked.get(self.target) {
            let mut found = p.iter_many_mut(&liked.0);
            while let Some(Ok(mut p)) = found.fetch_next() {
                p.step();
            }
        }
    }
}
