//! denizen's queries, through its shared library. The loops are C (`c/ours.c`).

use crate::denizen::{check, failed, new_world, register};
use crate::ffi::*;
use crate::way::Way;
use peers::parts::{P, Scalar, V};
use peers::querier::{self, Part, Plan, Querier, Query};

/// `ours` of c/ours.c.
#[repr(C)]
pub struct Ours {
    world: World,
    parts: [Id; Part::COUNT],
}

#[link(name = "loops", kind = "static")]
unsafe extern "C" {
    fn ours_step_at(our: *const Ours);
    fn ours_step_runs(our: *const Ours);
}

/// A world of one layout, queried in one way (a `Way` as a number).
pub struct DenizenQueries<const LAYOUT: i32, const WAY: u8> {
    ours: Ours,
    run: unsafe extern "C" fn(*const Ours),
}

/// The loop of a query in a way, if there is one.
fn the_loop(plan: Plan, way: u8) -> Option<unsafe extern "C" fn(*const Ours)> {
    const AT: u8 = Way::At as u8;
    const RUNS: u8 = Way::Runs as u8;
    match (plan.query, way) {
        (Query::One, AT) => Some(ours_step_at),
        (Query::One, RUNS) => Some(ours_step_runs),
        _ => None,
    }
}

/// What a 32-bit layout has handles for, apart from components.
const NARROW_ENTITIES: usize = (1 << 20) - 1 - 256;

impl<const LAYOUT: i32, const WAY: u8> DenizenQueries<LAYOUT, WAY> {
    #[inline(always)]
    fn set<T>(&mut self, entity: Entity, part: Part, value: T) {
        let value: *const T = &value;
        let Ours { world, parts } = &self.ours;
        // SAFETY: the value is as large as is said.
        let status = unsafe { dz_set(*world, entity, parts[part.0], size_of::<T>() as u32, value.cast()) };
        check(status);
    }
}

impl<const LAYOUT: i32, const WAY: u8> Drop for DenizenQueries<LAYOUT, WAY> {
    fn drop(&mut self) {
        check(dz_world_destroy(self.ours.world));
    }
}

impl<const LAYOUT: i32, const WAY: u8> Querier for DenizenQueries<LAYOUT, WAY> {
    type Entity = Entity;

    fn new(plan: Plan) -> Option<Self> {
        let run = the_loop(plan, WAY)?;
        if LAYOUT == LAYOUT_32 && plan.n > NARROW_ENTITIES {
            return None;
        }
        let world = new_world(LAYOUT);
        let parts = std::array::from_fn(|part| match part {
            0 => register::<P>(world, "P"),
            1 => register::<V>(world, "V"),
            k @ 2..Part::COMPONENTS => register::<Scalar<0>>(world, &format!("C{k}")),
            tag => register::<()>(world, &format!("Tag{tag}")),
        });
        Some(Self { ours: Ours { world, parts }, run })
    }

    #[inline(always)]
    fn create(&mut self) -> Entity {
        let entity = dz_create(self.ours.world);
        if entity == 0 {
            failed();
        }
        entity
    }

    #[inline(always)]
    fn destroy(&mut self, entity: Entity) {
        check(dz_destroy(self.ours.world, entity));
    }

    #[inline(always)]
    fn put(&mut self, entity: Entity, part: Part, i: usize) {
        match part.0 {
            0 => self.set(entity, part, querier::p(i)),
            1 => self.set(entity, part, querier::v(i)),
            k @ 2..Part::COMPONENTS => {
                self.set(entity, part, Scalar::<0> { value: querier::scalar(k, i) });
            }
            tag => check(dz_add(self.ours.world, entity, self.ours.parts[tag])),
        }
    }

    #[inline(always)]
    fn remove_v(&mut self, entity: Entity) {
        check(dz_remove(self.ours.world, entity, self.ours.parts[Part::V.0]));
    }

    fn p(&self, entity: Entity) -> Option<P> {
        let p: *const P = dz_get(self.ours.world, entity, self.ours.parts[0]).cast();
        // SAFETY: NULL, or good until the world changes.
        unsafe { p.as_ref().copied() }
    }

    #[inline(always)]
    fn run(&mut self) {
        // SAFETY: the world is alive, and its parts are what they are said to be.
        unsafe { (self.run)(&self.ours) };
    }
}
