//! The EnTT stand-in: a sparse-set registry in EnTT's manner, because EnTT itself is in no package
//! registry. Written from a description of how it works, not from its source:
//!
//! - 32-bit handles, 12 bits of version over 20 bits of index; where more than a million entities are
//!   wanted, 64-bit ones;
//! - a pool for each component: sparse pages of 4,096 slots, a packed array of handles, component
//!   pages of 1,024 elements, removal by moving the last element into the hole;
//! - the living entities are such a pool too, without components. It never shrinks: destroyed ones
//!   stay behind the living, each with its next version, and are the free list;
//! - the usual API finds a pool by the hash of its type; a pool can also be kept;
//! - each change looks whether somebody listens to it;
//! - destroying an entity asks every pool.
//!
//! It checks no more than EnTT does in release builds: whether a component is there, but not whether
//! an entity is alive.

mod group;
mod pool;
pub mod queries;
mod sort;
pub mod tree;

use crate::contender::Contender;
use crate::parts::{C2, P, Scalar, V};
use pool::{Column, Directory, Handle, Listeners, Members, Payload, SparseSet};

/// A component type that the stand-in knows at compile time.
trait Kind: Copy + 'static {
    const HASH: u32;
}

impl Kind for P {
    const HASH: u32 = 0x9E37_79B9;
}
impl Kind for V {
    const HASH: u32 = 0x85EB_CA6B;
}
impl<const K: usize> Kind for Scalar<K> {
    const HASH: u32 = (K as u32).wrapping_mul(0xC2B2_AE35);
}

/// The hash of the `k`th other component.
fn other_hash(k: usize) -> u32 {
    (k as u32 + 1).wrapping_mul(0x2545_F491)
}

pub struct StandIn<H: Handle = u32> {
    /// All handles: the living ones first, the free list behind them.
    entities: SparseSet<H>,
    alive: usize,
    on_create: Listeners<H>,
    on_destroy: Listeners<H>,
    directory: Directory,
    members: Vec<Members<H>>,
    payloads: Vec<Box<dyn Payload>>,
}

impl<H: Handle> StandIn<H> {
    fn empty() -> Self {
        Self {
            entities: SparseSet::default(),
            alive: 0,
            on_create: Listeners::default(),
            on_destroy: Listeners::default(),
            directory: Directory::default(),
            members: Vec::new(),
            payloads: Vec::new(),
        }
    }

    fn register<T: Copy + 'static>(&mut self, hash: u32) {
        self.directory.insert(hash);
        self.members.push(Members::default());
        self.payloads.push(Box::new(Column::<T>::new()));
    }

    #[inline(always)]
    fn pool<T: Kind>(&self) -> (&SparseSet<H>, &Column<T>) {
        let i = self.directory.find(T::HASH).expect("registered");
        // SAFETY: the pool of this hash was registered with this type.
        let column = unsafe { &*(&raw const *self.payloads[i]).cast::<Column<T>>() };
        (&self.members[i].set, column)
    }

    #[inline(always)]
    fn pool_mut<T: Kind>(&mut self) -> (&mut SparseSet<H>, &mut Column<T>) {
        let i = self.directory.find(T::HASH).expect("registered");
        // SAFETY: the pool of this hash was registered with this type.
        let column = unsafe { &mut *(&raw mut *self.payloads[i]).cast::<Column<T>>() };
        (&mut self.members[i].set, column)
    }

    #[inline(always)]
    fn set<T: Kind>(&mut self, entity: H, value: T) {
        let i = self.directory.find(T::HASH).expect("registered");
        // SAFETY: the pool of this hash was registered with this type.
        unsafe { self.set_at(i, entity, value) };
    }

    /// # Safety
    /// Pool `i` was registered with the type `T`.
    #[inline(always)]
    unsafe fn set_at<T: Copy>(&mut self, i: usize, entity: H, value: T) {
        // SAFETY: see above.
        let column = unsafe { &mut *(&raw mut *self.payloads[i]).cast::<Column<T>>() };
        let members = &mut self.members[i];
        match members.set.find(entity) {
            Some(position) => {
                column.put(position, value);
                members.on_set.tell(entity);
            }
            None => {
                column.put(members.set.push(entity), value);
                members.on_add.tell(entity);
            }
        }
    }

    #[inline(always)]
    fn remove<T: Kind>(&mut self, entity: H) {
        let i = self.directory.find(T::HASH).expect("registered");
        // SAFETY: the pool of this hash was registered with this type.
        let column = unsafe { &mut *(&raw mut *self.payloads[i]).cast::<Column<T>>() };
        take(&mut self.members[i], column, entity);
    }

    /// Puts a handle behind the living, with its next version.
    #[inline(always)]
    fn release(&mut self, entity: H) {
        if let Some(position) = self.entities.find(entity) {
            self.on_destroy.tell(entity);
            self.alive -= 1;
            let last = self.entities.at(self.alive);
            self.entities.place(position, last);
            self.entities.place(self.alive, entity.next_version());
        }
    }
}

/// Takes an entity out of a pool, if it is in it.
#[inline(always)]
fn take<H: Handle>(members: &mut Members<H>, payload: &mut (impl Payload + ?Sized), entity: H) {
    if let Some(position) = members.set.find(entity) {
        members.on_remove.tell(entity);
        members.set.remove_at(position);
        payload.swap_pop(position, members.set.len());
    }
}

impl<H: Handle> Contender for StandIn<H> {
    type Entity = H;
    const OTHERS: usize = 998;
    const KEPT: bool = true;

    fn new(others: usize) -> Self {
        let mut world = Self::empty();
        world.register::<P>(P::HASH);
        world.register::<V>(V::HASH);
        world.register::<C2>(C2::HASH);
        for k in 0..others {
            world.register::<f32>(other_hash(k));
        }
        world
    }

    #[inline(always)]
    fn to_bits(entity: H) -> u64 {
        entity.to_bits()
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> H {
        H::from_bits(bits)
    }

    #[inline(always)]
    fn create(&mut self) -> H {
        if self.alive == self.entities.len() {
            self.entities.push(H::from_bits(self.alive as u64));
        }
        let entity = self.entities.at(self.alive);
        self.alive += 1;
        self.on_create.tell(entity);
        entity
    }

    #[inline(always)]
    fn create_pv(&mut self, p: P, v: V) -> H {
        let entity = self.create();
        self.set(entity, p);
        self.set(entity, v);
        entity
    }

    #[inline(always)]
    fn create_pvc(&mut self, p: P, v: V, c: C2) -> H {
        let entity = self.create_pv(p, v);
        self.set(entity, c);
        entity
    }

    #[inline(always)]
    fn create_n(&mut self, n: usize, out: &mut Vec<H>) {
        out.extend((0..n).map(|_| self.create()));
    }

    #[inline(always)]
    fn create_pv_n(&mut self, p: &[P], v: &[V], out: &mut Vec<H>) {
        self.create_n(p.len(), out);
        // Pool by pool, each filled in one go.
        for (&entity, &p) in out.iter().zip(p) {
            self.set(entity, p);
        }
        for (&entity, &v) in out.iter().zip(v) {
            self.set(entity, v);
        }
    }

    #[inline(always)]
    fn destroy(&mut self, entity: H) {
        for (members, payload) in self.members.iter_mut().zip(&mut self.payloads) {
            take(members, &mut **payload, entity);
        }
        self.release(entity);
    }

    /// Pool by pool, then the handles.
    #[inline(always)]
    fn destroy_n(&mut self, entities: &[H]) {
        for (members, payload) in self.members.iter_mut().zip(&mut self.payloads) {
            for &entity in entities {
                take(members, &mut **payload, entity);
            }
        }
        for &entity in entities {
            self.release(entity);
        }
    }

    #[inline(always)]
    fn add_c2(&mut self, entity: H, c: C2) {
        self.set(entity, c);
    }

    #[inline(always)]
    fn remove_c2(&mut self, entity: H) {
        self.remove::<C2>(entity);
    }

    fn add_other(&mut self, entity: H, k: usize, value: f32) {
        let i = self.directory.find(other_hash(k)).expect("registered");
        // SAFETY: the others are all registered with f32.
        unsafe { self.set_at(i, entity, value) };
    }

    #[inline(always)]
    fn get_p(&self, entity: H) -> *const P {
        let (set, column) = self.pool::<P>();
        set.find(entity).map_or(std::ptr::null(), |position| column.at(position))
    }

    #[inline(always)]
    fn has_p(&self, entity: H) -> bool {
        self.pool::<P>().0.find(entity).is_some()
    }

    #[inline(always)]
    fn has_c2(&self, entity: H) -> bool {
        self.pool::<C2>().0.find(entity).is_some()
    }

    #[inline(always)]
    fn sum_kept(&self, entities: &[H]) -> u64 {
        let (set, column) = self.pool::<P>();
        entities
            .iter()
            .map(|&entity| match set.find(entity) {
                // SAFETY: positions that a set finds were put into its column.
                Some(position) => unsafe { (*column.at(position)).bits() },
                None => 0,
            })
            .sum()
    }

    #[inline(always)]
    fn has_n(&self, entities: &[H]) -> usize {
        let set = self.pool::<P>().0;
        entities.iter().filter(|&&entity| set.find(entity).is_some()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random operations against a map that cannot be wrong.
    #[test]
    fn behaves_like_a_map() {
        let mut world = <StandIn>::new(2);
        let mut model: Vec<(u32, f32, Option<f32>)> = Vec::new();
        let mut dead = Vec::new();
        let mut seed = 1u32;
        for step in 0..20_000u32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let pick = (seed >> 8) as usize % model.len().max(1);
            let x = step as f32;
            match (seed >> 24) % 5 {
                0 | 1 => {
                    let p = P { x, y: 0.0, z: 0.0 };
                    let v = V { x, y: 0.0, z: 0.0 };
                    model.push((world.create_pv(p, v), x, None));
                }
                2 if !model.is_empty() => {
                    let (entity, ..) = model.swap_remove(pick);
                    world.destroy(entity);
                    dead.push(entity);
                }
                3 if !model.is_empty() => {
                    world.add_c2(model[pick].0, C2 { value: x });
                    model[pick].2 = Some(x);
                }
                4 if !model.is_empty() => {
                    world.remove_c2(model[pick].0);
                    model[pick].2 = None;
                }
                _ => {}
            }
        }
        for &(entity, x, c) in &model {
            assert_eq!(unsafe { (*world.get_p(entity)).x }, x);
            assert_eq!(world.has_c2(entity), c.is_some());
        }
        for entity in dead {
            assert!(!world.has_p(entity));
        }
    }
}
