//! Flecs: pairs, and the tree by its pair ChildOf. Propagating is a cached query with a term that goes up, parents
//! first, as its documentation does it.

use flecs_ecs_sys::{
    EcsCascade, EcsChildOf, ecs_add_id, ecs_children, ecs_children_next, ecs_delete, ecs_entity_t,
    ecs_field_is_set, ecs_field_w_size, ecs_fini, ecs_get_id, ecs_has_id, ecs_inout_kind_t_EcsIn,
    ecs_is_alive, ecs_mini, ecs_new, ecs_new_w_id, ecs_oper_kind_t_EcsOptional,
    ecs_query_cache_kind_t_EcsQueryCacheAll, ecs_query_cache_kind_t_EcsQueryCacheAuto, ecs_query_desc_t,
    ecs_query_init, ecs_query_iter, ecs_query_next, ecs_query_t, ecs_set_id, ecs_world_t,
};
use peers::Relater;
use peers::parts::{P, V};
use std::ptr;
use std::slice;

use crate::flecs::register;

pub struct FlecsRelater {
    world: *mut ecs_world_t,
    p: ecs_entity_t,
    v: ecs_entity_t,
    likes: ecs_entity_t,
    query: *mut ecs_query_t,
}

impl Drop for FlecsRelater {
    fn drop(&mut self) {
        // SAFETY: made by ecs_mini, and ended once; its queries end with it.
        unsafe { ecs_fini(self.world) };
    }
}

/// ECS_PAIR, which the crate doesn't have.
const PAIR: ecs_entity_t = 1 << 63;

/// ecs_pair, which is a macro in C.
#[inline(always)]
fn pair(first: ecs_entity_t, second: ecs_entity_t) -> ecs_entity_t {
    PAIR | first << 32 | u64::from(second as u32)
}

// In all calls below the world is alive and the components are registered with the types that are
// passed.
impl FlecsRelater {
    fn set<T>(&mut self, entity: ecs_entity_t, id: ecs_entity_t, value: T) {
        let value: *const T = &value;
        unsafe { ecs_set_id(self.world, entity, id, size_of::<T>(), value.cast()) }
    }

    fn get<T: Copy>(&self, entity: ecs_entity_t, id: ecs_entity_t) -> Option<T> {
        unsafe { ecs_get_id(self.world, entity, id).cast::<T>().as_ref().copied() }
    }
}

impl Relater for FlecsRelater {
    type Entity = ecs_entity_t;

    fn new() -> Self {
        unsafe {
            let world = ecs_mini();
            let (p, v) = (register::<P>(world), register::<V>(world));
            Self { world, p, v, likes: ecs_new(world), query: ptr::null_mut() }
        }
    }

    #[inline(always)]
    fn to_bits(entity: ecs_entity_t) -> u64 {
        entity
    }

    #[inline(always)]
    fn create(&mut self) -> ecs_entity_t {
        unsafe { ecs_new(self.world) }
    }

    #[inline(always)]
    fn create_child(&mut self, parent: ecs_entity_t) -> ecs_entity_t {
        unsafe { ecs_new_w_id(self.world, pair(EcsChildOf, parent)) }
    }

    fn put_p(&mut self, entity: ecs_entity_t, p: P) {
        self.set(entity, self.p, p);
    }

    fn put_v(&mut self, entity: ecs_entity_t, v: V) {
        self.set(entity, self.v, v);
    }

    fn p(&self, entity: ecs_entity_t) -> Option<P> {
        self.get(entity, self.p)
    }

    fn v(&self, entity: ecs_entity_t) -> Option<V> {
        self.get(entity, self.v)
    }

    fn is_alive(&self, entity: ecs_entity_t) -> bool {
        unsafe { ecs_is_alive(self.world, entity) }
    }

    #[inline(always)]
    fn visit(&self, parent: ecs_entity_t, mut visit: impl FnMut(ecs_entity_t)) {
        unsafe {
            let mut iter = ecs_children(self.world, parent);
            while ecs_children_next(&mut iter) {
                let children = slice::from_raw_parts(iter.entities, iter.count as usize);
                children.iter().for_each(|child| visit(*child));
            }
        }
    }

    fn ready_to_propagate(&mut self) -> bool {
        unsafe {
            let mut desc: ecs_query_desc_t = std::mem::zeroed();
            desc.terms[0].id = self.p;
            desc.terms[0].inout = ecs_inout_kind_t_EcsIn as i16;
            desc.terms[1].id = self.v;
            desc.terms[2].id = self.v;
            desc.terms[2].inout = ecs_inout_kind_t_EcsIn as i16;
            desc.terms[2].src.id = EcsCascade;
            desc.terms[2].trav = EcsChildOf;
            desc.terms[2].oper = ecs_oper_kind_t_EcsOptional as i16;
            desc.cache_kind = ecs_query_cache_kind_t_EcsQueryCacheAuto;
            self.query = ecs_query_init(self.world, &desc);
        }
        assert!(!self.query.is_null(), "no query");
        true
    }

    #[inline(always)]
    fn propagate(&mut self) {
        unsafe {
            let mut iter = ecs_query_iter(self.world, self.query);
            while ecs_query_next(&mut iter) {
                let p: *const P = ecs_field_w_size(&iter, size_of::<P>(), 0).cast();
                let v: *mut V = ecs_field_w_size(&iter, size_of::<V>(), 1).cast();
                let above = match ecs_field_is_set(&iter, 2) {
                    true => *ecs_field_w_size(&iter, size_of::<V>(), 2).cast(),
                    false => V::ORIGIN,
                };
                for i in 0..iter.count as usize {
                    (*v.add(i)).place(&above, &*p.add(i));
                }
            }
        }
    }

    #[inline(always)]
    fn destroy(&mut self, root: ecs_entity_t) {
        unsafe { ecs_delete(self.world, root) }
    }

    #[inline(always)]
    fn like(&mut self, entity: ecs_entity_t, target: ecs_entity_t) {
        unsafe { ecs_add_id(self.world, entity, pair(self.likes, target)) }
    }

    fn likes(&self, entity: ecs_entity_t, target: ecs_entity_t) -> bool {
        unsafe { ecs_has_id(self.world, entity, pair(self.likes, target)) }
    }

    fn aim(&mut self, target: ecs_entity_t) -> bool {
        unsafe {
            let mut desc: ecs_query_desc_t = std::mem::zeroed();
            desc.terms[0].id = self.p;
            desc.terms[1].id = pair(self.likes, target);
            desc.cache_kind = ecs_query_cache_kind_t_EcsQueryCacheAll;
            self.query = ecs_query_init(self.world, &desc);
        }
        assert!(!self.query.is_null(), "no query");
        true
    }

    #[inline(always)]
    fn step_aimed(&mut self) {
        unsafe {
            let mut iter = ecs_query_iter(self.world, self.query);
            while ecs_query_next(&mut iter) {
                let p: *mut P = ecs_field_w_size(&iter, size_of::<P>(), 0).cast();
                slice::from_raw_parts_mut(p, iter.count as usize).iter_mut().for_each(P::step);
            }
        }
    }
}
