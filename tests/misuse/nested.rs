//! Calls from inside listeners and hooks. A listener may read and change values; a structural call is
//! an error there. Inside a component's hooks every call on the world is one.

use crate::common::calls::{CALLS, Call, Effect, Outcome};
use crate::common::snapshot::Snapshot;
use crate::common::stage::Stage;
use crate::common::{LAYOUTS, component_desc, last, message};
use crate::{Report, names_function, require, still_works};
use denizen::ffi::access::{dz_add, dz_remove, dz_set};
use denizen::ffi::component::dz_component_register;
use denizen::ffi::entity::{dz_create, dz_destroy};
use denizen::ffi::listener::dz_listen;
use denizen::ffi::types::dz_status::*;
use denizen::ffi::types::*;
use denizen::ffi::world::dz_error_clear;
use std::ffi::c_void;

/// A call to make from inside, and what came of it.
struct Inside {
    call: &'static Call,
    arguments: Vec<u64>,
    world: dz_world,
    /// The hook that makes the call.
    from: &'static str,
    came: Option<(Outcome, dz_status, String)>,
    /// Read before and after the call, where a listener may.
    seen: Option<[Snapshot; 2]>,
}

impl Inside {
    fn new(stage: &Stage, call: &'static Call, from: &'static str) -> Self {
        let arguments = stage.arguments(call);
        Self { call, arguments, world: stage.world, from, came: None, seen: None }
    }

    fn make(&mut self) {
        dz_error_clear();
        let outcome = (self.call.run)(&self.arguments);
        self.came = Some((outcome, last(), message()));
    }
}

unsafe extern "C" fn listen(_: *const dz_event, user: *mut c_void) {
    let inside = unsafe { &mut *user.cast::<Inside>() };
    if inside.came.is_none() {
        let before = Snapshot::of(inside.world);
        inside.make();
        inside.seen = Some([before, Snapshot::of(inside.world)]);
    }
}

fn is_refused(call: &Call, came: &Option<(Outcome, dz_status, String)>) -> Result<(), String> {
    let Some((outcome, error, message)) = came else { return Err("nothing was called".into()) };
    let returned = outcome.status.unwrap_or(*error);
    require(returned == DZ_ERR_IN_HOOK && *error == DZ_ERR_IN_HOOK, || {
        format!("returned {returned:?}: {message}")
    })?;
    require(outcome.status.is_some() || outcome.value == call.failure(), || format!("answered {outcome:?}"))?;
    names_function(message, call.name)
}

const KINDS: [dz_event_kind; 5] = [
    dz_event_kind::DZ_ON_ADD,
    dz_event_kind::DZ_ON_SET,
    dz_event_kind::DZ_ON_REMOVE,
    dz_event_kind::DZ_ON_CREATE,
    dz_event_kind::DZ_ON_DESTROY,
];

#[test]
fn from_listeners_structural_calls_are_refused() {
    let mut report = Report::default();
    for (layout, kind) in LAYOUTS.into_iter().flat_map(|layout| KINDS.map(|kind| (layout, kind))) {
        for call in CALLS.iter().filter(|call| call.has_world()) {
            let stage = Stage::quick(layout);
            let world = stage.world;
            let mut inside = Inside::new(&stage, call, "");
            let id = if (kind as i32) < dz_event_kind::DZ_ON_CREATE as i32 { stage.idle } else { 0 };
            let user = (&raw mut inside).cast();
            let connected = unsafe { dz_listen(world, kind as i32, id, Some(listen), user) };
            assert_ne!(connected.bits, 0, "{}", message());
            // Every event once.
            let entity = dz_create(world);
            assert_eq!(unsafe { dz_set(world, entity, stage.idle, 4, [1_u32].as_ptr().cast()) }, DZ_OK);
            assert_eq!(dz_remove(world, entity, stage.idle), DZ_OK);
            assert_eq!(dz_destroy(world, entity), DZ_OK);
            let result = match call.effect {
                Effect::Changes => is_refused(call, &inside.came).and_then(|()| {
                    let [before, after] = inside.seen.as_ref().ok_or("nothing was called")?;
                    before.difference(after).map_or(Ok(()), Err)
                }),
                _ => match &inside.came {
                    Some((_, DZ_OK, _)) => Ok(()),
                    came => Err(format!("a read or a change of values came to {came:?}")),
                },
            };
            let result = result.and_then(|()| still_works(&stage));
            report.row(&format!("{}, {layout:?}, from {kind:?}", call.name), result);
        }
    }
    report.end();
}

fn hook(user: *mut c_void, name: &str) {
    let inside = unsafe { &mut *user.cast::<Inside>() };
    if inside.from == name && inside.came.is_none() {
        inside.make();
    }
}

unsafe extern "C" fn construct(at: *mut c_void, count: u32, user: *mut c_void) -> i32 {
    unsafe { at.write_bytes(1, count as usize * 8) };
    hook(user, "construct");
    0
}

unsafe extern "C" fn destruct(_: *mut c_void, _: u32, user: *mut c_void) {
    hook(user, "destruct");
}

unsafe extern "C" fn copy(to: *mut c_void, from: *const c_void, count: u32, user: *mut c_void) -> i32 {
    unsafe { to.copy_from_nonoverlapping(from, count as usize * 8) };
    hook(user, "copy");
    0
}

unsafe extern "C" fn relocate(to: *mut c_void, from: *mut c_void, count: u32, user: *mut c_void) {
    unsafe { to.copy_from_nonoverlapping(from, count as usize * 8) };
    hook(user, "relocate");
}

/// Every hook once; afterwards the world is as it was.
fn cycle(stage: &Stage, id: dz_id) {
    let [a, b, _] = stage.abc;
    assert_eq!(dz_add(stage.world, a, id), DZ_OK);
    assert_eq!(unsafe { dz_set(stage.world, b, id, 8, [2_u64].as_ptr().cast()) }, DZ_OK);
    assert_eq!(dz_remove(stage.world, a, id), DZ_OK);
    assert_eq!(dz_remove(stage.world, b, id), DZ_OK);
}

#[test]
fn from_hooks_every_call_on_the_world_is_refused() {
    let mut report = Report::default();
    for layout in LAYOUTS {
        for from in ["construct", "destruct", "copy", "relocate"] {
            for call in CALLS.iter().filter(|call| call.has_world()) {
                let mut stage = Stage::quick(layout);
                let mut inside = Inside::new(&stage, call, from);
                let mut desc = component_desc(c"Probe", 8, 8);
                desc.hooks = dz_hooks {
                    construct: Some(construct),
                    destruct: Some(destruct),
                    copy: Some(copy),
                    relocate: Some(relocate),
                    user: (&raw mut inside).cast(),
                };
                let id = unsafe { dz_component_register(stage.world, &desc) };
                assert_ne!(id, 0, "{}", message());
                let before = Snapshot::of(stage.world);
                stage.start();
                cycle(&stage, id);
                let changed = before.difference(&Snapshot::of(stage.world));
                let mut result = is_refused(call, &inside.came);
                if call.name == "dz_next" || call.name == "dz_each_slow" {
                    let status = stage.room.iter.status;
                    result = result.and(require(status == DZ_ERR_IN_HOOK as i32, || {
                        format!("iter.status is {status:?}")
                    }));
                }
                let result = result.and(changed.map_or(Ok(()), Err)).and_then(|()| still_works(&stage));
                report.row(&format!("{}, {layout:?}, from {from}", call.name), result);
            }
        }
    }
    report.end();
}
