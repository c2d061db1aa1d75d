//! What every library must be able to do to take part.

use crate::parts::{C2, P, V};

/// A world of one library, with P, V, C2 and some other component types in it.
///
/// Every row of the bench is written once, over this trait. Implementations are small and inlined:
/// each method is what a user of that library would write.
pub trait Contender: Sized {
    /// The library's own handle.
    type Entity: Copy;

    /// How many component types beyond P, V and C2 a world can have here.
    const OTHERS: usize;

    /// Whether there is something that lets one look up P faster when it is kept (row 6f).
    const KEPT: bool;

    /// A fresh world with P, V, C2 and `others` more component types.
    fn new(others: usize) -> Self;

    /// The handle as an integer: what the rows add up, and what goes through the wall.
    fn to_bits(entity: Self::Entity) -> u64;

    /// The opposite of `to_bits`.
    fn from_bits(bits: u64) -> Self::Entity;

    fn create(&mut self) -> Self::Entity;

    /// The usual way to make one entity with P and V.
    fn create_pv(&mut self, p: P, v: V) -> Self::Entity;

    /// The usual way to make one entity with P, V and C2.
    fn create_pvc(&mut self, p: P, v: V, c: C2) -> Self::Entity;

    /// Makes `n` empty entities in the best way there is. `out` is empty and has room for them.
    fn create_n(&mut self, n: usize, out: &mut Vec<Self::Entity>);

    /// Makes entities with P and V in the best way there is. `out` is empty and has room for them.
    fn create_pv_n(&mut self, p: &[P], v: &[V], out: &mut Vec<Self::Entity>);

    fn destroy(&mut self, entity: Self::Entity);

    /// Destroys all these entities, which are all that have P, in the best way there is.
    #[inline(always)]
    fn destroy_n(&mut self, entities: &[Self::Entity]) {
        for &entity in entities {
            self.destroy(entity);
        }
    }

    fn add_c2(&mut self, entity: Self::Entity, c: C2);

    fn remove_c2(&mut self, entity: Self::Entity);

    /// Adds C2 to all these entities, which haven't got it, in the best way there is.
    #[inline(always)]
    fn add_c2_n(&mut self, entities: &[Self::Entity], values: &[C2]) {
        for (&entity, &value) in entities.iter().zip(values) {
            self.add_c2(entity, value);
        }
    }

    /// Removes C2 from all these entities, which have it, in the best way there is.
    #[inline(always)]
    fn remove_c2_n(&mut self, entities: &[Self::Entity]) {
        for &entity in entities {
            self.remove_c2(entity);
        }
    }

    /// Adds the `k`th other component. Never timed.
    fn add_other(&mut self, entity: Self::Entity, k: usize, value: f32);

    /// P of an entity that has it, by the usual API. Null if it does not.
    fn get_p(&self, entity: Self::Entity) -> *const P;

    fn has_p(&self, entity: Self::Entity) -> bool;

    fn has_c2(&self, entity: Self::Entity) -> bool;

    /// The sum of `P::bits` over all these entities, with whatever the library lets one keep.
    fn sum_kept(&self, entities: &[Self::Entity]) -> u64;

    /// The same one by one, where `sum_kept` is a bulk call.
    #[inline(always)]
    fn sum_accessor(&self, entities: &[Self::Entity]) -> u64 {
        self.sum_kept(entities)
    }

    /// How many of these entities have P, by a bulk call or with whatever the library lets one keep.
    fn has_n(&self, entities: &[Self::Entity]) -> usize;

    /// Iterates the pool of C2, where this leaves the library something to note when the pool changes: an
    /// iteration that is under way must be able to follow. Never timed.
    #[inline(always)]
    fn iterate_c2(&mut self) {}

    /// Forgets what the library only notes for somebody who reads it later. Never timed.
    #[inline(always)]
    fn tidy(&mut self) {}
}
