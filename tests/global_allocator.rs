//! Rust's global allocator is not touched by any call, errors and messages included: memory comes from
//! the world's allocator, or the system's.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, clippy::undocumented_unsafe_blocks)]

mod common;
#[path = "misuse/kinds.rs"]
mod kinds;
#[path = "misuse/pairs.rs"]
mod pairs;
#[path = "misuse/queries.rs"]
mod queries;
#[path = "misuse/tree.rs"]
mod tree;

use common::allocator::{Counting, HUGE};
use common::calls::{CALLS, Call};
use common::stage::Stage;
use common::{LAYOUTS, world_desc};
use denizen::ffi::types::*;
use denizen::ffi::world::{dz_error_message, dz_world_destroy};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::c_void;

thread_local! {
    /// Whether this thread is inside a call of the library.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static TOUCHED: Cell<u64> = const { Cell::new(0) };
}

struct Watched;

fn touch() {
    if INSIDE.get() {
        TOUCHED.set(TOUCHED.get() + 1);
    }
}

unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        touch();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        touch();
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static GLOBAL: Watched = Watched;

/// How often a call touched the global allocator.
fn touched(call: impl FnOnce()) -> u64 {
    TOUCHED.set(0);
    INSIDE.set(true);
    call();
    INSIDE.set(false);
    TOUCHED.get()
}

/// A check that can't fail would prove nothing.
#[test]
fn the_watch_is_on() {
    assert!(touched(|| drop(std::hint::black_box(Box::new(1)))) > 0);
    assert_eq!(touched(|| ()), 0);
}

// The system's memory, asked directly; but nothing huge, which the machine might not have.
unsafe extern "C" fn allocate(size: usize, align: usize, _: *mut c_void) -> *mut c_void {
    let Ok(layout) = Layout::from_size_align(size, align) else { return std::ptr::null_mut() };
    if size > HUGE { std::ptr::null_mut() } else { unsafe { System.alloc(layout).cast() } }
}

unsafe extern "C" fn release(at: *mut c_void, size: usize, align: usize, _: *mut c_void) {
    unsafe { System.dealloc(at.cast(), Layout::from_size_align_unchecked(size, align)) }
}

fn stage(layout: dz_layout) -> Box<Stage> {
    let allocator = dz_allocator {
        allocate: Some(allocate),
        free: Some(release),
        reallocate: None,
        user: std::ptr::null_mut(),
    };
    Stage::with(layout, Counting::new(), allocator, true)
}

fn watch(call: &Call, arguments: &[u64]) -> u64 {
    touched(|| {
        let outcome = (call.run)(arguments);
        std::hint::black_box(dz_error_message());
        if call.name == "dz_world_create" && outcome.value != 0 {
            dz_world_destroy(dz_world { bits: outcome.value as u32 });
        }
    })
}

/// Every function, with good arguments and with every misuse that the table knows.
#[test]
fn no_call_touches_the_global_allocator() {
    let mut guilty = Vec::new();
    for layout in LAYOUTS {
        for call in CALLS {
            let mut good = stage(layout);
            good.start();
            if watch(call, &good.arguments(call)) > 0 {
                guilty.push(format!("{}, {layout:?}", call.name));
            }
            if call.name == "dz_world_destroy" {
                good.give_up();
            }
            drop(good);
            let mut stage = self::stage(layout);
            stage.start();
            for (at, misuse) in (0..call.params.len())
                .flat_map(|at| kinds::misuses(&stage, call, at).into_iter().map(move |m| (at, m)))
            {
                let mut arguments = stage.arguments(call);
                for (place, value) in &misuse.replace {
                    arguments[*place] = *value;
                }
                if watch(call, &arguments) > 0 {
                    guilty
                        .push(format!("{}, {layout:?}, {}: {}", call.name, call.params[at].0, misuse.label));
                }
            }
            stage.give_up();
        }
    }
    assert_eq!(guilty, Vec::<String>::new());
}

/// A world that takes its memory from the system, from the first call to the last.
#[test]
fn a_world_with_the_systems_memory_neither() {
    use common::stage::{quiet, register, set};
    use denizen::ffi::{bulk::*, component::*, entity::*, listener::*, world::*};
    for layout in LAYOUTS {
        let count = touched(|| {
            let world = unsafe { dz_world_create(&world_desc(layout)) };
            let position = register(world, c"Position", 8, dz_policy::DZ_POLICY_SWAP);
            let body = register(world, c"Body", 16, dz_policy::DZ_POLICY_STABLE);
            unsafe {
                dz_listen(world, dz_event_kind::DZ_ON_ADD as i32, body, Some(quiet), std::ptr::null_mut())
            };
            let mut entities = [0; 300];
            unsafe { dz_create_n(world, 300, entities.as_mut_ptr()) };
            for entity in &entities {
                set(world, *entity, position, &[1, 2], 8);
            }
            unsafe { dz_add_n(world, entities.as_ptr(), 300, body) };
            dz_clone(world, entities[0]);
            dz_clear_pool(world, body);
            dz_shrink(world);
            dz_world_clear(world);
            dz_component_unregister(world, position);
            dz_world_destroy(world);
            dz_create(world);
            std::hint::black_box(dz_error_message());
        });
        assert_eq!(count, 0, "{layout:?}");
    }
}
