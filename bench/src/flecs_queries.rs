//! Flecs: a query object, uncached, and for the best form cached. Its loops run over the arrays of
//! each table.

use crate::flecs::register;
use crate::floor::floor_run;
use flecs_ecs_sys::{
    ecs_add_id, ecs_delete, ecs_entity_t, ecs_field_w_size, ecs_fini, ecs_get_id, ecs_inout_kind_t_EcsIn,
    ecs_iter_t, ecs_mini, ecs_new, ecs_oper_kind_t_EcsNot, ecs_query_cache_kind_t_EcsQueryCacheAll,
    ecs_query_cache_kind_t_EcsQueryCacheNone, ecs_query_desc_t, ecs_query_init, ecs_query_iter,
    ecs_query_next, ecs_query_t, ecs_remove_id, ecs_set_id, ecs_world_t,
};
use peers::parts::{P, Scalar, V};
use peers::querier::{self, Part, Parts, Plan, Querier};
use std::mem::zeroed;
use std::ptr;

pub struct FlecsQueries {
    world: *mut ecs_world_t,
    plan: Plan,
    parts: [ecs_entity_t; Part::COUNT],
    query: *mut ecs_query_t,
}

impl Drop for FlecsQueries {
    fn drop(&mut self) {
        // SAFETY: made by ecs_mini, and ended once; its queries end with it.
        unsafe { ecs_fini(self.world) };
    }
}

/// The array of a term in the current table, or NULL where the query has no such term.
///
/// # Safety
/// The term's component is a `T`.
#[inline(always)]
unsafe fn field<T>(iter: &ecs_iter_t, components: usize, term: usize) -> *mut T {
    match term < components {
        // SAFETY: see above.
        true => unsafe { ecs_field_w_size(iter, size_of::<T>(), term as i8).cast() },
        false => ptr::null_mut(),
    }
}

// In all calls below the world is alive and the components are registered with the types that are
// passed.
impl FlecsQueries {
    fn set<T>(&mut self, entity: ecs_entity_t, part: Part, value: T) {
        let value: *const T = &value;
        unsafe { ecs_set_id(self.world, entity, self.parts[part.0], size_of::<T>(), value.cast()) }
    }
}

impl Querier for FlecsQueries {
    type Entity = ecs_entity_t;

    fn new(plan: Plan) -> Option<Self> {
        unsafe {
            let world = ecs_mini();
            let parts = std::array::from_fn(|part| match part {
                0 => register::<P>(world),
                1 => register::<V>(world),
                2..Part::COMPONENTS => register::<Scalar<0>>(world),
                _ => ecs_new(world),
            });
            Some(Self { world, plan, parts, query: ptr::null_mut() })
        }
    }

    fn create(&mut self) -> ecs_entity_t {
        unsafe { ecs_new(self.world) }
    }

    fn destroy(&mut self, entity: ecs_entity_t) {
        unsafe { ecs_delete(self.world, entity) }
    }

    #[inline(always)]
    fn put(&mut self, entity: ecs_entity_t, part: Part, i: usize) {
        match part.0 {
            0 => self.set(entity, part, querier::p(i)),
            1 => self.set(entity, part, querier::v(i)),
            k @ 2..Part::COMPONENTS => {
                self.set(entity, part, Scalar::<0> { value: querier::scalar(k, i) });
            }
            _ => unsafe { ecs_add_id(self.world, entity, self.parts[part.0]) },
        }
    }

    #[inline(always)]
    fn remove_v(&mut self, entity: ecs_entity_t) {
        unsafe { ecs_remove_id(self.world, entity, self.parts[1]) }
    }

    fn p(&self, entity: ecs_entity_t) -> Option<P> {
        unsafe { ecs_get_id(self.world, entity, self.parts[0]).cast::<P>().as_ref().copied() }
    }

    fn settle(&mut self) {
        let included = self.plan.query.included();
        let tags = Parts(!Parts::first(Part::COMPONENTS).0);
        unsafe {
            let mut desc: ecs_query_desc_t = zeroed();
            // Components first, so that the fields are numbered by them.
            let parts = included.without(tags).each().chain(included.without(Parts(!tags.0)).each());
            let mut count = 0;
            for part in parts {
                desc.terms[count].id = self.parts[part.0];
                if part != Part::P {
                    desc.terms[count].inout = ecs_inout_kind_t_EcsIn as i16;
                }
                count += 1;
            }
            for part in self.plan.query.excluded().each() {
                desc.terms[count].id = self.parts[part.0];
                desc.terms[count].oper = ecs_oper_kind_t_EcsNot as i16;
                count += 1;
            }
            desc.cache_kind = match self.plan.best {
                true => ecs_query_cache_kind_t_EcsQueryCacheAll,
                false => ecs_query_cache_kind_t_EcsQueryCacheNone,
            };
            self.query = ecs_query_init(self.world, &desc);
        }
        assert!(!self.query.is_null(), "no query");
    }

    /// Who uses Flecs writes C, so its loops are the floor's, table by table.
    #[inline(always)]
    fn run(&mut self) {
        let components = self.plan.query.included().components();
        unsafe {
            let mut iter = ecs_query_iter(self.world, self.query);
            while ecs_query_next(&mut iter) {
                let p = field::<P>(&iter, components, 0);
                let v = field::<V>(&iter, components, 1);
                let scalars: [*const Scalar<0>; Part::COMPONENTS] = std::array::from_fn(|term| match term {
                    0 | 1 => ptr::null(),
                    _ => field::<Scalar<0>>(&iter, components, term).cast_const(),
                });
                floor_run(components as i32, iter.count as usize, p, v, scalars.as_ptr());
            }
        }
    }
}
