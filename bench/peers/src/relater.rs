//! What every library must be able to do to take part in the rows about relationships and the hierarchy.

use crate::parts::{P, V};

/// A world of one library whose entities have parents, and like each other.
///
/// Each method is what a user of that library would write. What a library cannot do it does not override, and
/// says so by a constant or by returning false.
pub trait Relater: Sized {
    /// The library's own handle.
    type Entity: Copy + PartialEq;

    /// Whether entities can like each other: relationships that anybody can add.
    const LIKES: bool = true;

    /// A fresh world that has P and V, and a relation Likes.
    fn new() -> Self;

    fn to_bits(entity: Self::Entity) -> u64;

    fn create(&mut self) -> Self::Entity;

    /// Makes an entity, the last child of another.
    fn create_child(&mut self, parent: Self::Entity) -> Self::Entity;

    /// Gives an entity P, where it is relative to its parent. Never timed.
    fn put_p(&mut self, entity: Self::Entity, p: P);

    /// Gives an entity V, where it is in the world. Never timed.
    fn put_v(&mut self, entity: Self::Entity, v: V);

    /// Never timed.
    fn p(&self, entity: Self::Entity) -> Option<P>;

    /// Never timed.
    fn v(&self, entity: Self::Entity) -> Option<V>;

    /// Never timed.
    fn is_alive(&self, entity: Self::Entity) -> bool;

    /// Visits the children of an entity in order.
    fn visit(&self, parent: Self::Entity, visit: impl FnMut(Self::Entity));

    /// The tree is there: makes ready what is kept. Never timed.
    fn settle(&mut self) {}

    /// The sum of the handles of all children of these entities.
    #[inline(always)]
    fn sum_children(&self, parents: &[Self::Entity]) -> u64 {
        let mut sum = 0u64;
        for &parent in parents {
            self.visit(parent, |child| sum = sum.wrapping_add(Self::to_bits(child)));
        }
        sum
    }

    /// The tree is there: makes what is kept for `propagate`. False: there is no such way. Never timed.
    fn ready_to_propagate(&mut self) -> bool;

    /// V = V of the parent + P, parents first.
    fn propagate(&mut self);

    /// Destroys an entity and all that are below it.
    fn destroy(&mut self, root: Self::Entity);

    /// Adds (Likes, target) to an entity.
    fn like(&mut self, _entity: Self::Entity, _target: Self::Entity) {
        unreachable!("nobody likes anybody here")
    }

    /// Never timed.
    fn likes(&self, _entity: Self::Entity, _target: Self::Entity) -> bool {
        false
    }

    /// Makes what is kept to query (Likes, target) and P. False: there is no such thing. Never timed.
    fn aim(&mut self, _target: Self::Entity) -> bool {
        false
    }

    /// P: x += 1, of all who like the target.
    fn step_aimed(&mut self) {}
}

impl V {
    /// Where an entity is, whose parent is there, and which is so far from it.
    #[inline(always)]
    pub fn place(&mut self, parent: &V, local: &P) {
        self.x = parent.x + local.x;
        self.y = parent.y + local.y;
        self.z = parent.z + local.z;
    }

    /// Where nobody's child is.
    pub const ORIGIN: V = V { x: 0.0, y: 0.0, z: 0.0 };
}
