//! What one function alone can be misused in, and what no table of single parameters shows.

use crate::common::snapshot::Snapshot;
use crate::common::stage::{Stage, quiet, register, set};
use crate::common::{LAYOUTS, component_desc, end, last, message, plain_world, print_form, world_desc};
use crate::kinds::Expect::Error;
use crate::{Report, judge, require, still_works};
use denizen::core::query::LinkCursor;
use denizen::ffi::access::*;
use denizen::ffi::bulk::*;
use denizen::ffi::component::*;
use denizen::ffi::entity::*;
use denizen::ffi::iterate::*;
use denizen::ffi::listener::dz_listen;
use denizen::ffi::pair::dz_set_pair;
use denizen::ffi::query::{dz_iterate, dz_query_parse};
use denizen::ffi::query_types::dz_query;
use denizen::ffi::types::dz_status::*;
use denizen::ffi::types::*;
use denizen::ffi::world::*;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_void};
use std::mem::{MaybeUninit, offset_of};
use std::ptr::{null, null_mut};

/// Entity events have no component.
#[test]
fn listeners_on_entities_take_no_id() {
    for layout in LAYOUTS {
        let stage = Stage::new(layout);
        for kind in [dz_event_kind::DZ_ON_CREATE, dz_event_kind::DZ_ON_DESTROY] {
            let culprits = [print_form(stage.position), "is given as id".to_owned()];
            let done = judge("dz_listen", Error(DZ_ERR_RANGE), &culprits, || {
                let bits =
                    unsafe { dz_listen(stage.world, kind as i32, stage.position, Some(quiet), null_mut()) }
                        .bits;
                (None, bits == 0)
            });
            done.unwrap();
        }
    }
}

/// dz_get_n and its like: on error all answers are "no", whatever the error is.
#[test]
fn failed_bulk_reads_answer_no() {
    let mut report = Report::default();
    type Read = unsafe fn(dz_world, *const dz_entity, u32, dz_id, *mut u64) -> dz_status;
    let reads: [(&str, Read); 4] = [
        ("dz_get_n", |w, e, n, id, out| unsafe { dz_get_n(w, e, n, id, out.cast()) }),
        ("dz_get_mut_n", |w, e, n, id, out| unsafe { dz_get_mut_n(w, e, n, id, out.cast()) }),
        ("dz_get_or_add_n", |w, e, n, id, out| unsafe { dz_get_or_add_n(w, e, n, id, out.cast()) }),
        ("dz_has_n", |w, e, n, id, out| unsafe { dz_has_n(w, e, n, id, out.cast()) }),
    ];
    for layout in LAYOUTS {
        let stage = Stage::new(layout);
        let [a, b, _] = stage.abc;
        let (good, bad) = ([a, b, a], [a, b, stage.bad.stale]);
        for (name, read) in reads {
            let rows: [(&str, dz_world, *const dz_entity, dz_id); 4] = [
                ("a stale entry", stage.world, bad.as_ptr(), stage.position),
                ("no component", stage.world, good.as_ptr(), stage.bare),
                ("a dead world", stage.bad.dead_world, good.as_ptr(), stage.position),
                ("no array", stage.world, null(), stage.position),
            ];
            for (label, world, entities, id) in rows {
                let mut out = [u64::MAX; 4];
                let status = unsafe { read(world, entities, 3, id, out.as_mut_ptr()) };
                let bytes = if name == "dz_has_n" { 3 } else { 24 };
                let flat: &[u8] = unsafe { std::slice::from_raw_parts(out.as_ptr().cast(), 32) };
                let clean = flat[..bytes].iter().all(|byte| *byte == 0);
                let kept = flat[bytes..].iter().all(|byte| *byte == 0xFF);
                let result = require((status as i32) < 0, || format!("returned {status:?}"))
                    .and(require(clean, || format!("{status:?}, and the answers are left as they were")))
                    .and(require(kept, || "wrote behind the array".into()));
                report.row(&format!("{name}, {layout:?}: {label}"), result);
            }
        }
    }
    report.end();
}

/// With a report each entry is tried by itself.
#[test]
fn destroy_n_reports_each_entry() {
    for layout in LAYOUTS {
        let stage = Stage::new(layout);
        let [a, b, c] = stage.abc;
        let entities = [a, stage.bad.stale, 0, a, stage.position, stage.builtin, stage.bad.retired, c];
        let mut report = [DZ_ERR_CHANGED; 9];
        let status = unsafe { dz_destroy_n(stage.world, entities.as_ptr(), 8, report.as_mut_ptr()) };
        assert_eq!(status, DZ_OK, "{}", message());
        let wanted = [
            DZ_OK,
            DZ_ERR_DEAD,
            DZ_ERR_NULL_ENTITY,
            DZ_ERR_DEAD,
            DZ_ERR_HELD,
            DZ_ERR_BUILTIN,
            DZ_ERR_RETIRED,
            DZ_OK,
            DZ_ERR_CHANGED,
        ];
        assert_eq!(report, wanted);
        assert!(!dz_is_alive(stage.world, a) && dz_is_alive(stage.world, b) && !dz_is_alive(stage.world, c));
        still_works(&stage).unwrap();
    }
}

/// Answers are no errors.
#[test]
fn answers_leave_no_error() {
    for layout in LAYOUTS {
        let stage = Stage::new(layout);
        let (world, [a, ..]) = (stage.world, stage.abc);
        let all = stage.abc.as_ptr();
        dz_error_clear();
        assert_eq!(dz_add(world, a, stage.position), DZ_ALREADY_THERE);
        assert_eq!(dz_remove(world, a, stage.idle), DZ_NOT_THERE);
        assert_eq!(unsafe { dz_add_n(world, all, 3, stage.position) }, DZ_ALREADY_THERE);
        assert_eq!(unsafe { dz_remove_n(world, all, 3, stage.idle) }, DZ_NOT_THERE);
        assert_eq!(dz_singleton_remove(world, stage.body), DZ_NOT_THERE);
        assert!(dz_get(world, a, stage.idle).is_null() && dz_get_mut(world, a, stage.idle).is_null());
        assert!(dz_singleton_get(world, stage.body).is_null() && !dz_has(world, a, stage.idle));
        assert_eq!((last(), message().as_str()), (DZ_OK, ""));
    }
}

/// An iteration that could not begin or go on says so, and stays so.
#[test]
fn iterators_keep_their_error() {
    for layout in LAYOUTS {
        let mut stage = Stage::new(layout);
        let iter = &raw mut stage.room.iter;
        let stays = |status: dz_status| unsafe {
            for _ in 0..2 {
                assert!(!dz_next(iter));
                assert_eq!(dz_each_slow(iter), u32::MAX);
                assert_eq!(((*iter).status, (*iter).count), (status as i32, 0));
            }
        };
        assert_eq!(unsafe { dz_iterate_pool(stage.world, stage.bare, 0, iter) }, DZ_ERR_NOT_COMPONENT);
        stays(DZ_ERR_NOT_COMPONENT);
        assert_eq!(
            unsafe { dz_iterate_pool(stage.bad.dead_world, stage.position, 0, iter) },
            DZ_ERR_WORLD_DEAD
        );
        stays(DZ_ERR_WORLD_DEAD);
        assert_eq!(unsafe { dz_iterate_pool(stage.world, stage.position, 7, iter) }, DZ_ERR_ENUM);
        stays(DZ_ERR_ENUM);
        // The component goes, with and without a span under way.
        for (name, spans) in [(c"One", 0), (c"Two", 1)] {
            let id = register(stage.world, name, 4, dz_policy::DZ_POLICY_SWAP);
            set(stage.world, stage.abc[0], id, &[1, 1], 4);
            assert_eq!(unsafe { dz_iterate_pool(stage.world, id, 0, iter) }, DZ_OK);
            (0..spans).for_each(|_| assert!(unsafe { dz_next(iter) }));
            assert_eq!(dz_component_unregister(stage.world, id), DZ_OK);
            stays(DZ_ERR_DEAD);
        }
        let other = plain_world(layout);
        let id = register(other, c"Here", 4, dz_policy::DZ_POLICY_SWAP);
        assert_eq!(unsafe { dz_iterate_pool(other, id, 0, iter) }, DZ_OK);
        end(other);
        stays(DZ_ERR_WORLD_DEAD);
    }
}

/// A started iterator whose fields were written over afterwards leads nowhere bad.
#[test]
fn scribbled_iterators_hurt_nobody() {
    for layout in LAYOUTS {
        let mut stage = Stage::new(layout);
        let before = Snapshot::of(stage.world);
        let words = std::mem::offset_of!(dz_iter, magic) / 4;
        let status = std::mem::offset_of!(dz_iter, status) / 4;
        let iter = &raw mut stage.room.iter;
        for direction in [0, 1] {
            for word in (0..words).filter(|word| *word != status) {
                for value in [0, 1, 2, 7, 1000, 100_000] {
                    assert_eq!(unsafe { dz_iterate_pool(stage.world, stage.body, direction, iter) }, DZ_OK);
                    unsafe {
                        dz_next(iter);
                        iter.cast::<u32>().add(word).write(value);
                        for _ in 0..4 {
                            dz_each_slow(iter);
                        }
                        dz_next(iter);
                    }
                    assert_eq!(
                        dz_world_why(stage.world),
                        DZ_OK,
                        "word {word} = {value:#x}, direction {direction}"
                    );
                }
            }
        }
        assert_eq!(before.difference(&Snapshot::of(stage.world)), None);
        still_works(&stage).unwrap();
    }
}

/// Makes the library panic in a world: of a query's iteration it believes where it stands, here how many matches a batch has
/// room for, which is more than there is.
fn break_it(world: dz_world, query: dz_query) -> dz_status {
    let room = offset_of!(dz_iter, walk) + offset_of!(LinkCursor, most);
    let mut iter = MaybeUninit::<dz_iter>::zeroed();
    unsafe {
        assert_eq!(dz_iterate(world, query, iter.as_mut_ptr()), DZ_OK);
        iter.as_mut_ptr().cast::<u8>().add(room).cast::<u32>().write(100_000);
        assert!(!dz_next(iter.as_mut_ptr()));
    }
    dz_error_status()
}

thread_local! {
    static WHOM: Cell<(dz_world, dz_query)> = const { Cell::new((dz_world { bits: 0 }, dz_query { bits: 0 })) };
    static ENDED: Cell<u32> = const { Cell::new(0) };
}

unsafe extern "C" fn count_ended(_: *mut c_void, count: u32, _: *mut c_void) {
    ENDED.set(ENDED.get() + count);
}

unsafe extern "C" fn break_and_end(_: *const dz_event, _: *mut c_void) {
    let (world, query) = WHOM.get();
    assert_eq!(break_it(world, query), DZ_ERR_WORLD_BROKEN);
    assert_eq!(dz_world_destroy(world), DZ_ERR_IN_HOOK);
}

/// A panic stays in the library: the world takes no call any more but the one that ends it, without hooks and listeners. So it
/// is where a listener broke it: the call that told the listener goes on.
#[test]
fn a_bug_breaks_the_world_and_nothing_else() {
    for (layout, told) in LAYOUTS.into_iter().flat_map(|layout| [(layout, false), (layout, true)]) {
        let (world, other) = (plain_world(layout), plain_world(layout));
        let mut desc = component_desc(c"Value", 4, 4);
        desc.hooks.destruct = Some(count_ended);
        let value = unsafe { dz_component_register(world, &raw const desc) };
        let (a, b) = (dz_create(world), dz_create(world));
        assert_eq!(unsafe { dz_set_pair(world, a, value, b, 4, (&raw const value).cast()) }, DZ_OK);
        assert_eq!(dz_add(world, b, value), DZ_OK);
        let query = unsafe { dz_query_parse(world, c"(Value, *)".as_ptr()) };
        assert_ne!(query.bits, 0);
        if told {
            WHOM.set((world, query));
            let kind = dz_event_kind::DZ_ON_CREATE as i32;
            unsafe { dz_listen(world, kind, 0, Some(break_and_end), null_mut()) };
            dz_create(world);
        } else {
            assert_eq!(break_it(world, query), DZ_ERR_WORLD_BROKEN);
        }
        assert_eq!(dz_world_why(world), DZ_ERR_WORLD_BROKEN);
        assert_eq!(dz_create(world), 0);
        assert_eq!(last(), DZ_ERR_WORLD_BROKEN);
        assert_eq!(dz_world_destroy(world), DZ_OK);
        assert_eq!((dz_world_why(world), ENDED.get()), (DZ_ERR_WORLD_DEAD, 0));
        assert_ne!(dz_create(other), 0);
        end(other);
    }
}

unsafe extern "C" fn remove_again(event: *const dz_event, id: *mut c_void) {
    let event = unsafe { event.as_ref() }.unwrap();
    let id = unsafe { id.cast::<dz_id>().read() };
    assert_eq!(dz_remove(event.world, event.entity, id), DZ_ERR_IN_HOOK);
    ENDED.set(ENDED.get() + 1);
}

/// What isn't there is looked for last: who may not be changed, or not now, is told so.
#[test]
fn removing_what_is_not_there_is_refused_as_what_is() {
    for layout in LAYOUTS {
        let stage = Stage::new(layout);
        let (world, mut idle) = (stage.world, stage.idle);
        let (alive, dead) = (dz_create(world), dz_create(world));
        assert_eq!(dz_destroy(world, dead), DZ_OK);
        assert_eq!(dz_remove(world, alive, idle), DZ_NOT_THERE);
        let refused = [
            (dead, idle, DZ_ERR_DEAD),
            (0, idle, DZ_ERR_NULL_ENTITY),
            (stage.position, idle, DZ_ERR_IS_COMPONENT),
            (alive, stage.builtin, DZ_ERR_BUILTIN),
        ];
        for (entity, id, status) in refused {
            assert_eq!(dz_remove(world, entity, id), status, "{}", message());
            assert_eq!(last(), status);
        }
        ENDED.set(0);
        let kind = dz_event_kind::DZ_ON_CREATE as i32;
        let heard = unsafe { dz_listen(world, kind, 0, Some(remove_again), (&raw mut idle).cast()) };
        assert_ne!(heard.bits, 0, "{}", message());
        dz_create(world);
        assert_eq!(ENDED.get(), 1);
        still_works(&stage).unwrap();
    }
}

unsafe extern "C" fn create_in_vain(_: *mut c_void, _: u32, _: *mut c_void) {
    let (world, _) = WHOM.get();
    assert_eq!(dz_create(world), 0);
    assert_eq!(last(), DZ_ERR_IN_HOOK);
    ENDED.set(ENDED.get() + 1);
}

/// Whose elements stay where they are, hooks are kept out of the world too.
#[test]
fn a_stable_pools_hook_is_kept_out() {
    for layout in LAYOUTS {
        let world = plain_world(layout);
        WHOM.set((world, dz_query { bits: 0 }));
        ENDED.set(0);
        let mut desc = component_desc(c"Stable", 4, 4);
        desc.policy = dz_policy::DZ_POLICY_STABLE as i32;
        desc.hooks.destruct = Some(create_in_vain);
        let stable = unsafe { dz_component_register(world, &raw const desc) };
        let all: [dz_entity; 3] = std::array::from_fn(|_| dz_create(world));
        all.iter().for_each(|entity| assert_eq!(dz_add(world, *entity, stable), DZ_OK));
        assert_eq!(dz_remove(world, all[1], stable), DZ_OK);
        assert_eq!(dz_destroy(world, all[0]), DZ_OK);
        assert_eq!(ENDED.get(), 2);
        end(world);
    }
}

thread_local! {
    static LOGGED: RefCell<Vec<(dz_status, String)>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C" fn log(status: dz_status, message: *const c_char, user: *mut c_void) {
    assert_eq!(user as usize, 77);
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    LOGGED.with_borrow_mut(|logged| logged.push((status, text)));
}

/// The log hears each error, in the words of dz_error_message; questions and answers are no errors.
#[test]
fn the_log_hears_each_error() {
    for layout in LAYOUTS {
        let mut desc = world_desc(layout);
        desc.log = Some(log);
        desc.log_user = 77 as *mut c_void;
        let world = unsafe { dz_world_create(&desc) };
        let id = register(world, c"Position", 8, dz_policy::DZ_POLICY_SWAP);
        let (dead, alive) = (dz_create(world), dz_create(world));
        assert_eq!(dz_destroy(world, dead), DZ_OK);
        assert!(!dz_is_alive(world, dead));
        assert_eq!(dz_why(world, dead), DZ_ERR_DEAD);
        assert!(dz_get(world, alive, id).is_null());
        assert_eq!(LOGGED.take(), []);
        assert!(dz_get(world, dead, id).is_null());
        assert_eq!(LOGGED.take(), [(DZ_ERR_DEAD, message())]);
        assert!(message().contains(&print_form(dead)), "{}", message());
        assert_eq!(dz_destroy(world, id), DZ_ERR_IS_COMPONENT);
        assert_eq!(LOGGED.take(), [(DZ_ERR_IS_COMPONENT, message())]);
        end(world);
        assert_eq!(dz_destroy(world, dead), DZ_ERR_WORLD_DEAD);
        assert_eq!(LOGGED.take(), [], "a dead world has no log");
    }
}

/// Each thread has its own last error.
#[test]
fn errors_are_a_threads_own() {
    let world = plain_world(dz_layout::DZ_LAYOUT_64);
    assert_eq!(dz_destroy(world, 0), DZ_ERR_NULL_ENTITY);
    let elsewhere = std::thread::spawn(|| (last(), message())).join().unwrap();
    assert_eq!(elsewhere, (DZ_OK, String::new()));
    assert_eq!(last(), DZ_ERR_NULL_ENTITY);
    end(world);
}

/// A full world says so, and an exhausted one says something else.
#[test]
fn m38_full_and_exhausted() {
    for layout in LAYOUTS {
        let mut desc = world_desc(layout);
        (desc.max_entities, desc.reserved_components) = (3, DZ_RESERVE_NONE);
        let world = unsafe { dz_world_create(&desc) };
        let all = [0; 3].map(|_: i32| dz_create(world));
        let before = Snapshot::of(world);
        let mut out = [9; 4];
        for (name, status) in [
            (
                "dz_create",
                judge("dz_create", Error(DZ_ERR_FULL), &["3".into()], || (None, dz_create(world) == 0)),
            ),
            (
                "dz_create_n",
                judge("dz_create_n", Error(DZ_ERR_FULL), &["3".into()], || {
                    (Some(unsafe { dz_create_n(world, 4, out.as_mut_ptr()) }), true)
                }),
            ),
            (
                "dz_clone",
                judge("dz_clone", Error(DZ_ERR_FULL), &["3".into()], || (None, dz_clone(world, all[0]) == 0)),
            ),
            (
                "register",
                judge("dz_component_register", Error(DZ_ERR_FULL), &["3".into()], || {
                    (None, unsafe { dz_component_register(world, &component_desc(c"New", 4, 4)) } == 0)
                }),
            ),
        ] {
            status.unwrap_or_else(|what| panic!("{name}: {what}"));
            assert_eq!(before.difference(&Snapshot::of(world)), None, "{name}");
        }
        assert_eq!(out, [9; 4]);
        // Use up the generations of all three slots.
        let mut last_one = all;
        loop {
            last_one.iter().for_each(|entity| assert_eq!(dz_destroy(world, *entity), DZ_OK));
            if dz_why(world, last_one[0]) == DZ_ERR_RETIRED {
                break;
            }
            last_one = last_one.map(|_| dz_create(world));
        }
        let exhausted =
            judge("dz_create", Error(DZ_ERR_EXHAUSTED), &["3".into()], || (None, dz_create(world) == 0));
        exhausted.unwrap();
        end(world);
    }
}

/// A failed first registration leaves no trace, not even the built-in component.
#[test]
fn m71_a_failed_first_registration_makes_nothing() {
    for layout in LAYOUTS {
        let world = plain_world(layout);
        let before = Snapshot::of(world);
        let other_shape = component_desc(c"Component", 8, 8);
        assert_eq!(unsafe { dz_component_register(world, &other_shape) }, 0);
        assert_eq!(last(), DZ_ERR_SHAPE, "{}", message());
        assert_eq!(before.difference(&Snapshot::of(world)), None);
        end(world);
    }
}
