//! Flecs: archetypes, through its C API.

use flecs_ecs_sys::{
    ecs_bulk_desc_t, ecs_bulk_init, ecs_component_desc_t, ecs_component_init, ecs_delete, ecs_delete_with,
    ecs_entity_t, ecs_fini, ecs_get_id, ecs_has_id, ecs_mini, ecs_new, ecs_new_w_table, ecs_remove_id,
    ecs_set_id, ecs_table_find, ecs_table_t, ecs_world_t,
};
use peers::{C2, Contender, P, V};
use std::ffi::c_void;
use std::mem::zeroed;

pub struct Flecs {
    world: *mut ecs_world_t,
    p: ecs_entity_t,
    v: ecs_entity_t,
    c2: ecs_entity_t,
    /// The table of those who have P and V.
    pv: *mut ecs_table_t,
    others: Vec<ecs_entity_t>,
}

impl Drop for Flecs {
    fn drop(&mut self) {
        // SAFETY: made by ecs_mini, and ended once.
        unsafe { ecs_fini(self.world) };
    }
}

/// Registers a component of that type.
///
/// # Safety
/// The world is alive.
pub unsafe fn register<T>(world: *mut ecs_world_t) -> ecs_entity_t {
    // SAFETY: all zero is the default of this descriptor.
    unsafe {
        let mut desc: ecs_component_desc_t = zeroed();
        desc.type_.size = size_of::<T>() as i32;
        desc.type_.alignment = align_of::<T>() as i32;
        ecs_component_init(world, &desc)
    }
}

// In all calls below the world is alive and the components are registered with the types that are
// passed.
impl Flecs {
    #[inline(always)]
    fn set<T>(&mut self, entity: ecs_entity_t, id: ecs_entity_t, value: &T) {
        let value: *const T = value;
        unsafe { ecs_set_id(self.world, entity, id, size_of::<T>(), value.cast()) }
    }

    /// Makes n entities, with what the descriptor says.
    #[inline(always)]
    fn bulk(&mut self, n: usize, mut desc: ecs_bulk_desc_t, out: &mut Vec<ecs_entity_t>) {
        desc.count = n as i32;
        // The array that Flecs answers with is its own and changes with the next call; the caller
        // wants one to keep, as from everybody else.
        unsafe {
            let made = ecs_bulk_init(self.world, &desc);
            out.extend_from_slice(std::slice::from_raw_parts(made, n));
        }
    }
}

impl Contender for Flecs {
    type Entity = ecs_entity_t;
    const OTHERS: usize = 998;
    const KEPT: bool = false;

    fn new(others: usize) -> Self {
        unsafe {
            let world = ecs_mini();
            let (p, v) = (register::<P>(world), register::<V>(world));
            Self {
                world,
                p,
                v,
                pv: ecs_table_find(world, [p, v].as_ptr(), 2),
                c2: register::<C2>(world),
                others: (0..others).map(|_| register::<f32>(world)).collect(),
            }
        }
    }

    #[inline(always)]
    fn to_bits(entity: ecs_entity_t) -> u64 {
        entity
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> ecs_entity_t {
        bits
    }

    #[inline(always)]
    fn create(&mut self) -> ecs_entity_t {
        unsafe { ecs_new(self.world) }
    }

    #[inline(always)]
    fn create_pv(&mut self, p: P, v: V) -> ecs_entity_t {
        // Made where it belongs: half the time of one that moves twice.
        let entity = unsafe { ecs_new_w_table(self.world, self.pv) };
        self.set(entity, self.p, &p);
        self.set(entity, self.v, &v);
        entity
    }

    #[inline(always)]
    fn create_pvc(&mut self, p: P, v: V, c: C2) -> ecs_entity_t {
        let entity = self.create_pv(p, v);
        self.set(entity, self.c2, &c);
        entity
    }

    #[inline(always)]
    fn create_n(&mut self, n: usize, out: &mut Vec<ecs_entity_t>) {
        self.bulk(n, unsafe { zeroed() }, out);
    }

    #[inline(always)]
    fn create_pv_n(&mut self, p: &[P], v: &[V], out: &mut Vec<ecs_entity_t>) {
        let mut data: [*mut c_void; 2] = [p.as_ptr() as *mut c_void, v.as_ptr() as *mut c_void];
        let mut desc: ecs_bulk_desc_t = unsafe { zeroed() };
        desc.ids[0] = self.p;
        desc.ids[1] = self.v;
        desc.data = data.as_mut_ptr();
        self.bulk(p.len(), desc, out);
    }

    #[inline(always)]
    fn destroy(&mut self, entity: ecs_entity_t) {
        unsafe { ecs_delete(self.world, entity) }
    }

    /// Flecs has no call that takes an array; this one deletes all that have P.
    #[inline(always)]
    fn destroy_n(&mut self, _entities: &[ecs_entity_t]) {
        unsafe { ecs_delete_with(self.world, self.p) }
    }

    #[inline(always)]
    fn add_c2(&mut self, entity: ecs_entity_t, c: C2) {
        self.set(entity, self.c2, &c);
    }

    #[inline(always)]
    fn remove_c2(&mut self, entity: ecs_entity_t) {
        unsafe { ecs_remove_id(self.world, entity, self.c2) }
    }

    fn add_other(&mut self, entity: ecs_entity_t, k: usize, value: f32) {
        self.set(entity, self.others[k], &value);
    }

    #[inline(always)]
    fn get_p(&self, entity: ecs_entity_t) -> *const P {
        unsafe { ecs_get_id(self.world, entity, self.p).cast() }
    }

    #[inline(always)]
    fn has_p(&self, entity: ecs_entity_t) -> bool {
        unsafe { ecs_has_id(self.world, entity, self.p) }
    }

    #[inline(always)]
    fn has_c2(&self, entity: ecs_entity_t) -> bool {
        unsafe { ecs_has_id(self.world, entity, self.c2) }
    }

    fn sum_kept(&self, _entities: &[ecs_entity_t]) -> u64 {
        unreachable!("a reference of Flecs is for one entity")
    }

    fn has_n(&self, _entities: &[ecs_entity_t]) -> usize {
        unreachable!("a reference of Flecs is for one entity")
    }
}
