//! Hooks that fail: the call that needed them is undone.

use crate::common::snapshot::Snapshot;
use crate::common::stage::quiet;
use crate::common::{LAYOUTS, component_desc, end, message, plain_world};
use crate::kinds::Expect::Error;
use crate::{Report, judge};
use denizen::ffi::access::*;
use denizen::ffi::bulk::*;
use denizen::ffi::component::*;
use denizen::ffi::entity::*;
use denizen::ffi::listener::dz_listen;
use denizen::ffi::pair::{dz_add_pair, dz_pair, dz_set_pair};
use denizen::ffi::pair_types::dz_relation_desc;
use denizen::ffi::relation::dz_relation_set;
use denizen::ffi::types::dz_status::*;
use denizen::ffi::types::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// What the hooks count: elements that are made and not ended, and calls until one fails.
#[derive(Default)]
struct Hooks {
    made: i64,
    left: Option<u32>,
}

impl Hooks {
    fn fails(&mut self, count: u32) -> i32 {
        match &mut self.left {
            Some(0) => return 1,
            Some(left) => *left -= 1,
            None => {}
        }
        self.made += i64::from(count);
        0
    }
}

fn of<'a>(user: *mut c_void) -> &'a mut Hooks {
    unsafe { &mut *user.cast() }
}

unsafe extern "C" fn construct(at: *mut c_void, count: u32, user: *mut c_void) -> i32 {
    unsafe { at.write_bytes(9, count as usize * 8) };
    of(user).fails(count)
}

unsafe extern "C" fn destruct(_: *mut c_void, count: u32, user: *mut c_void) {
    of(user).made -= i64::from(count);
}

unsafe extern "C" fn copy(to: *mut c_void, from: *const c_void, count: u32, user: *mut c_void) -> i32 {
    unsafe { to.copy_from_nonoverlapping(from, count as usize * 8) };
    of(user).fails(count)
}

struct Scene {
    world: dz_world,
    id: dz_id,
    plain: dz_id,
    entities: [dz_entity; 40],
}

type Act = fn(&Scene) -> (Option<dz_status>, bool);

fn of_status(status: dz_status) -> (Option<dz_status>, bool) {
    (Some(status), (status as i32) < 0)
}

static VALUES: [u64; 40] = [3; 40];

fn values() -> *const c_void {
    VALUES.as_ptr().cast()
}

fn columns(s: &Scene, values: *const c_void) -> [dz_column; 2] {
    let column = |id, values| dz_column { id, values, element_size: 8, reserved: 0 };
    [column(s.plain, null()), column(s.id, values)]
}

/// Function, hook, and the call. Entities 0 to 9 have the component, the others don't.
const ACTS: [(&str, &str, Act); 20] = [
    ("dz_add", "construct", |s| of_status(dz_add(s.world, s.entities[20], s.id))),
    ("dz_get_or_add", "construct", |s| (None, dz_get_or_add(s.world, s.entities[20], s.id).is_null())),
    ("dz_set", "copy", |s| of_status(unsafe { dz_set(s.world, s.entities[20], s.id, 8, values()) })),
    ("dz_set", "copy", |s| of_status(unsafe { dz_set(s.world, s.entities[3], s.id, 8, values()) })),
    ("dz_add_n", "construct", |s| of_status(unsafe { dz_add_n(s.world, s.entities.as_ptr(), 40, s.id) })),
    ("dz_set_n", "copy", |s| {
        of_status(unsafe { dz_set_n(s.world, s.entities.as_ptr(), 40, s.id, 8, values()) })
    }),
    ("dz_get_or_add_n", "construct", |s| {
        let mut out = [null_mut(); 40];
        of_status(unsafe { dz_get_or_add_n(s.world, s.entities.as_ptr(), 40, s.id, out.as_mut_ptr()) })
    }),
    ("dz_create_with", "construct", |s| {
        of_status(unsafe { dz_create_with(s.world, 40, columns(s, null()).as_ptr(), 2, null_mut()) })
    }),
    ("dz_create_with", "copy", |s| {
        of_status(unsafe { dz_create_with(s.world, 40, columns(s, values()).as_ptr(), 2, null_mut()) })
    }),
    ("dz_create_with", "construct", |s| {
        of_status(unsafe { dz_create_with(s.world, 1, columns(s, null()).as_ptr(), 2, null_mut()) })
    }),
    ("dz_create_with", "copy", |s| {
        let [plain, hooked] = columns(s, values());
        of_status(unsafe { dz_create_with(s.world, 3, [hooked, plain].as_ptr(), 2, null_mut()) })
    }),
    ("dz_clone", "copy", |s| (None, dz_clone(s.world, s.entities[3]) == 0)),
    ("dz_singleton_set", "copy", |s| of_status(unsafe { dz_singleton_set(s.world, s.id, 8, values()) })),
    ("dz_set_n", "copy", |s| {
        of_status(unsafe { dz_set_n(s.world, s.entities[20..].as_ptr(), 5, s.id, 8, values()) })
    }),
    ("dz_add_n", "construct", |s| {
        of_status(unsafe { dz_add_n(s.world, s.entities[20..].as_ptr(), 5, s.id) })
    }),
    ("dz_add_pair", "construct", |s| of_status(dz_add_pair(s.world, s.entities[20], s.id, s.entities[21]))),
    ("dz_set_pair", "copy", |s| of_status(set_pair(s, 20, 21))),
    ("dz_set_pair", "copy", |s| of_status(set_pair(s, 3, 4))),
    ("dz_add", "construct", |s| {
        let pair = dz_pair(s.world, s.id, s.entities[4]);
        of_status(dz_add(s.world, s.entities[20], pair))
    }),
    // Who has several, and of each the other half.
    ("dz_clone", "copy", |s| (None, dz_clone(s.world, s.entities[4]) == 0)),
];

fn set_pair(s: &Scene, entity: usize, target: usize) -> dz_status {
    unsafe { dz_set_pair(s.world, s.entities[entity], s.id, s.entities[target], 8, values()) }
}

/// Two pairs each of some, in a relation whose pairs are values with hooks.
fn relate(s: &Scene) {
    let mut traits: dz_relation_desc = unsafe { std::mem::zeroed() };
    (traits.size, traits.symmetric) = (size_of::<dz_relation_desc>() as u32, 1);
    assert_eq!(unsafe { dz_relation_set(s.world, s.id, &traits) }, DZ_OK, "{}", message());
    for (entity, target) in [(3, 4), (4, 5), (5, 3), (6, 6)] {
        assert_eq!(set_pair(s, entity, target), DZ_OK, "{}", message());
    }
}

/// `gaps`: 0 none, 1 in the middle, 2 at the end too.
fn scene(layout: dz_layout, policy: dz_policy, gaps: u32, hooks: &mut Hooks) -> Scene {
    let world = plain_world(layout);
    let mut desc = component_desc(c"Hooked", 8, 8);
    desc.policy = policy as i32;
    desc.hooks = dz_hooks {
        construct: Some(construct),
        destruct: Some(destruct),
        copy: Some(copy),
        relocate: None,
        user: (&raw mut *hooks).cast(),
    };
    let id = unsafe { dz_component_register(world, &desc) };
    let plain = unsafe { dz_component_register(world, &component_desc(c"Plain", 8, 8)) };
    let mut entities = [0; 40];
    assert_eq!(unsafe { dz_create_n(world, 40, entities.as_mut_ptr()) }, DZ_OK, "{}", message());
    assert_eq!(unsafe { dz_add_n(world, entities.as_ptr(), 10, id) }, DZ_OK, "{}", message());
    assert_eq!(unsafe { dz_singleton_set(world, id, 8, values()) }, DZ_OK);
    // A listener: who is told must not be told of what is undone.
    unsafe { dz_listen(world, dz_event_kind::DZ_ON_ADD as i32, plain, Some(quiet), null_mut()) };
    for at in [&[][..], &[5, 6], &[5, 9]][gaps as usize] {
        assert_eq!(dz_remove(world, entities[*at], id), DZ_OK);
    }
    for dead in &entities[36..] {
        assert_eq!(dz_destroy(world, *dead), DZ_OK);
    }
    for place in &mut entities[36..] {
        *place = dz_create(world);
    }
    assert_eq!(dz_destroy(world, dz_create(world)), DZ_OK);
    let scene = Scene { world, id, plain, entities };
    relate(&scene);
    scene
}

#[test]
fn a_hook_that_fails_undoes_the_call() {
    let mut report = Report::default();
    let policies = [dz_policy::DZ_POLICY_SWAP, dz_policy::DZ_POLICY_STABLE];
    for (layout, policy) in LAYOUTS.into_iter().flat_map(|layout| policies.map(|policy| (layout, policy))) {
        for (gaps, (act, (name, hook, run))) in
            (0..3).flat_map(|gaps| ACTS.iter().enumerate().map(move |a| (gaps, a)))
        {
            for nth in 0.. {
                let mut hooks = Hooks::default();
                let scene = scene(layout, policy, gaps, &mut hooks);
                let (before, made) = (Snapshot::of(scene.world), hooks.made);
                hooks.left = Some(nth);
                let culprits = ["\"Hooked\"".to_owned(), hook.to_string()];
                let mut failed = false;
                let result = judge(name, Error(DZ_ERR_HOOK_FAILED), &culprits, || {
                    let came = run(&scene);
                    failed = came.1;
                    came
                });
                if failed {
                    let changed = before.difference(&Snapshot::of(scene.world));
                    let result = result.and(changed.map_or(Ok(()), Err));
                    let left = hooks.made - made;
                    let result =
                        result.and(if left == 0 { Ok(()) } else { Err(format!("{left} elements are left")) });
                    report.row(
                        &format!("{name} ({act}), {layout:?}, {policy:?}, gaps {gaps}, hook call {nth}"),
                        result,
                    );
                }
                // And it works when the hooks do.
                hooks.left = None;
                if failed {
                    let (status, failed) = run(&scene);
                    assert!(!failed, "{name}: {status:?}, {}", message());
                }
                end(scene.world);
                if hooks.made != 0 {
                    report.row(name, Err(format!("{} elements are never ended", hooks.made)));
                }
                if !failed {
                    assert!(nth > 0, "{name} calls no {hook} hook");
                    break;
                }
            }
        }
    }
    report.end();
}

/// What a clone got before a hook failed leaves no gap, though more elements were there before the pool was cleared.
#[test]
fn a_clone_that_fails_leaves_no_gap() {
    for layout in LAYOUTS {
        let (world, hooks) = (plain_world(layout), &mut Hooks::default());
        let mut desc = component_desc(c"Stable", 8, 8);
        desc.policy = dz_policy::DZ_POLICY_STABLE as i32;
        let stable = unsafe { dz_component_register(world, &desc) };
        let mut desc = component_desc(c"Hooked", 8, 8);
        desc.hooks.copy = Some(copy);
        desc.hooks.user = (&raw mut *hooks).cast();
        let hooked = unsafe { dz_component_register(world, &desc) };
        let mut entities = [0; 20];
        assert_eq!(unsafe { dz_create_n(world, 20, entities.as_mut_ptr()) }, DZ_OK);
        for some in entities.chunks(10) {
            assert_eq!(unsafe { dz_add_n(world, some.as_ptr(), 10, stable) }, DZ_OK);
        }
        assert_eq!(dz_clear_pool(world, stable), DZ_OK);
        assert_eq!(dz_add(world, entities[0], stable), DZ_OK);
        assert_eq!(dz_add(world, entities[0], hooked), DZ_OK);
        hooks.left = Some(0);
        assert_eq!(dz_clone(world, entities[0]), 0);
        let mut details: dz_component_details = unsafe { std::mem::zeroed() };
        assert_eq!(unsafe { dz_component_info(world, stable, &raw mut details) }, DZ_OK);
        assert_eq!((details.count, details.gaps), (1, 0));
        hooks.left = None;
        assert_ne!(dz_clone(world, entities[0]), 0, "{}", message());
        end(world);
    }
}
