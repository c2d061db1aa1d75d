//! denizen's queries, through its shared library. The loops are C (`c/ours.c`).

use crate::denizen::{check, failed, members, new_world, register};
use crate::ffi::*;
use crate::way::Way;
use core::ptr::{null, null_mut};
use peers::parts::{P, Scalar, V};
use peers::querier::{self, Part, Plan, Querier, Query};
use std::ffi::CString;

/// `ours` of c/ours.c.
#[repr(C)]
pub struct Ours {
    world: World,
    query: u32,
    group: u32,
    terms: i32,
    parts: [Id; Part::COUNT],
}

#[link(name = "loops", kind = "static")]
unsafe extern "C" {
    fn ours_at(our: *const Ours);
    fn ours_runs(our: *const Ours);
    fn ours_group_at(our: *const Ours);
    fn ours_group_runs(our: *const Ours);
    fn ours_sort(our: *const Ours) -> Status;
}

/// A world of one layout, queried in one way (a `Way` as a number).
pub struct DenizenQueries<const LAYOUT: i32, const WAY: u8> {
    ours: Ours,
    plan: Plan,
    run: unsafe extern "C" fn(*const Ours),
}

const AT: u8 = Way::At as u8;
const RUNS: u8 = Way::Runs as u8;
const LED_AT: u8 = Way::LedAt as u8;
const KEPT_AT: u8 = Way::KeptAt as u8;
const KEPT_RUNS: u8 = Way::KeptRuns as u8;
const GROUP_AT: u8 = Way::GroupAt as u8;
const GROUP_RUNS: u8 = Way::GroupRuns as u8;

/// The loop of a way, if there is one.
fn the_loop(way: u8) -> Option<unsafe extern "C" fn(*const Ours)> {
    match way {
        AT | LED_AT | KEPT_AT => Some(ours_at),
        RUNS | KEPT_RUNS => Some(ours_runs),
        GROUP_AT => Some(ours_group_at),
        GROUP_RUNS => Some(ours_group_runs),
        _ => None,
    }
}

const fn is_kept(way: u8) -> bool {
    way == KEPT_AT || way == KEPT_RUNS
}

const fn is_group(way: u8) -> bool {
    way == GROUP_AT || way == GROUP_RUNS
}

/// The terms of a query, as text, and how many of them the loop reads.
fn text(query: Query) -> (String, i32) {
    match query {
        Query::One => ("P".to_owned(), 1),
        Query::Terms(count) => {
            let more: String = (2..count).map(|k| format!(", [in] C{k}")).collect();
            (format!("P, [in] V{more}"), i32::try_from(count).expect("a few"))
        }
        Query::ThreeNot => ("P, [in] V, [in] C2, !C3".to_owned(), 3),
        Query::Tagged => (format!("P, [none] Tag{}", Part::COUNT - 1), 1),
    }
}

/// The part whose pool is the smallest of a query's.
fn lead(query: Query) -> Part {
    match query {
        Query::One => Part::P,
        Query::Terms(_) | Query::ThreeNot => Part::V,
        Query::Tagged => Part::RARE,
    }
}

/// What a 32-bit layout has handles for, apart from components.
const NARROW_ENTITIES: usize = (1 << 20) - 1 - 256;

impl<const LAYOUT: i32, const WAY: u8> DenizenQueries<LAYOUT, WAY> {
    #[inline(always)]
    fn set<T>(&mut self, entity: Entity, part: Part, value: T) {
        let value: *const T = &value;
        let Ours { world, parts, .. } = &self.ours;
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
        let run = the_loop(WAY)?;
        // The group of these rows is of P and V.
        if is_group(WAY) && plan.query != Query::Terms(2) {
            return None;
        }
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
        let (_, terms) = text(plan.query);
        Some(Self { ours: Ours { world, query: 0, group: 0, terms, parts }, plan, run })
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

    fn settle(&mut self) {
        if is_group(WAY) {
            // Where the row isn't about forming it.
            if self.plan.best {
                self.form_group();
            }
            return;
        }
        let (text, _) = text(self.plan.query);
        let text = CString::new(text).expect("no zero in it");
        let desc = QueryDesc {
            size: size_of::<QueryDesc>() as u32,
            term_count: 0,
            terms: null(),
            text: text.as_ptr(),
            order: if WAY == LED_AT { self.ours.parts[lead(self.plan.query).0] } else { 0 },
            kept: is_kept(WAY).into(),
            priority: 0,
            reserved: [0; 2],
        };
        // SAFETY: a descriptor of that size, and its text ends with a zero.
        self.ours.query = unsafe { dz_query_create(self.ours.world, &desc) };
        if self.ours.query == 0 {
            failed();
        }
    }

    fn optimise(&mut self) -> bool {
        if !is_kept(WAY) {
            return false;
        }
        // SAFETY: NULL is fine.
        check(unsafe { dz_optimize(self.ours.world, u32::MAX, null_mut()) });
        self.refresh()
    }

    fn refresh(&mut self) -> bool {
        if is_kept(WAY) {
            check(dz_query_refresh(self.ours.world, self.ours.query));
        }
        is_kept(WAY)
    }

    #[inline(always)]
    fn run(&mut self) {
        // SAFETY: the world is alive, and its parts are what they are said to be.
        unsafe { (self.run)(&self.ours) };
    }

    fn form_group(&mut self) -> bool {
        if !is_group(WAY) {
            return false;
        }
        let Ours { world, parts, .. } = &self.ours;
        let desc = GroupDesc {
            size: size_of::<GroupDesc>() as u32,
            owned_count: 2,
            included_count: 0,
            excluded_count: 0,
            owned: parts.as_ptr(),
            included: null(),
            excluded: null(),
            reserved: 0,
        };
        // SAFETY: a descriptor of that size; P and V are the first of the parts.
        self.ours.group = unsafe { dz_group_create(*world, &desc) };
        if self.ours.group == 0 {
            failed();
        }
        true
    }

    fn sort(&mut self) -> bool {
        // SAFETY: as above; the comparison keeps to what it is given.
        check(unsafe { ours_sort(&self.ours) });
        true
    }

    fn sort_like(&mut self) -> bool {
        let Ours { world, parts, .. } = &self.ours;
        check(dz_sort_as(*world, parts[Part::V.0], parts[Part::P.0], SORT_ONCE));
        true
    }

    fn pool(&self, part: Part) -> Vec<Entity> {
        members(self.ours.world, self.ours.parts[part.0])
    }
}
