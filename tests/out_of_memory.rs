//! Memory runs out, at every allocation of a script of all operations: the call says so, the world is
//! as it was and goes on, and nothing leaks.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, clippy::undocumented_unsafe_blocks)]

mod common;
#[path = "out_of_memory/script.rs"]
mod script;

use common::allocator::Counting;
use common::snapshot::Snapshot;
use common::stage::register;
use common::{LAYOUTS, end, last, message, world_desc};
use denizen::ffi::access::{dz_has, dz_remove, dz_set};
use denizen::ffi::entity::{dz_create, dz_destroy};
use denizen::ffi::types::*;
use denizen::ffi::world::{dz_shrink, dz_world_create};
use dz_status::{DZ_ERR_BUDGET, DZ_ERR_OUT_OF_MEMORY};
use script::{Needs, OPERATIONS, Operation, Script};
use std::collections::{BTreeMap, BTreeSet};

/// How a world gets its memory.
#[derive(Clone, Copy, Debug)]
struct Way {
    layout: dz_layout,
    reallocate: bool,
    /// What earlier steps had to spare is given back before memory runs out.
    tight: bool,
}

fn ways() -> impl Iterator<Item = Way> {
    let way = |layout, reallocate| Way { layout, reallocate, tight: false };
    LAYOUTS.into_iter().flat_map(move |layout| [true, false].map(|reallocate| way(layout, reallocate)))
}

fn tight_ways_too() -> impl Iterator<Item = Way> {
    ways().flat_map(|way| [way, Way { tight: true, ..way }])
}

/// Failures of a test, all of which are reported.
#[derive(Default)]
struct Report(BTreeSet<String>);

impl Report {
    fn wrong(&mut self, operation: &Operation, way: Way, what: impl std::fmt::Display) {
        self.0.insert(format!("{}, {way:?}: {what}", operation.name));
    }

    fn end(self) {
        let first: Vec<_> = self.0.iter().take(40).cloned().collect();
        assert!(self.0.is_empty(), "{} are wrong:\n{}", self.0.len(), first.join("\n"));
    }
}

fn start(way: Way, memory: &Counting, budget: u64) -> Option<Box<Script>> {
    let mut desc = world_desc(way.layout);
    desc.allocator = memory.descriptor(way.reallocate);
    desc.byte_budget = budget;
    let world = unsafe { dz_world_create(&desc) };
    (world.bits != 0).then(|| Script::new(world, way.layout))
}

/// The world after the first operations, which all work.
fn play(way: Way, memory: &Counting, operations: &[Operation]) -> Box<Script> {
    let mut script = start(way, memory, 0).expect("a world");
    for operation in operations {
        (operation.run)(&mut script)
            .unwrap_or_else(|status| panic!("{}: {status:?}, {}", operation.name, message()));
    }
    script
}

/// Plays the rest, ends the world, and looks for leaks.
fn finish(mut script: Box<Script>, memory: &Counting, rest: &[Operation]) -> Result<(), String> {
    let failed = rest.iter().find_map(|operation| {
        let came = (operation.run)(&mut script);
        came.err().map(|status| format!("later {}: {status:?}, {}", operation.name, message()))
    });
    end(script.world);
    let elements = script.elements();
    let left = (elements != 0).then(|| format!("{elements} elements were made and never ended"));
    failed.or(left).or_else(|| memory.wrong()).map_or(Ok(()), Err)
}

/// One failure at the `nth` allocation of an operation, and all after it if `on` is set. Says whether
/// it makes so many, and what was wrong.
fn fail_once(way: Way, at: usize, nth: u64, on: bool) -> (bool, Result<(), String>) {
    let operation = &OPERATIONS[at];
    let memory = Counting::new();
    let mut script = play(way, &memory, &OPERATIONS[..at]);
    if way.tight {
        assert_eq!(dz_shrink(script.world), dz_status::DZ_OK);
    }
    let before = Snapshot::of(script.world);
    memory.fail(nth, on);
    let came = (operation.run)(&mut script);
    let (error, text) = (last(), message());
    if memory.heal() == 0 {
        assert_eq!(came, Ok(()), "{}: {}", operation.name, message());
        return (false, finish(script, &memory, &OPERATIONS[at + 1..]));
    }
    let checked = (|| {
        match came {
            // Who wanted room to grow may have made do with less.
            Ok(()) if operation.needs == Needs::MayUse || !on => {}
            Ok(()) => return Err("the allocator failed, and the call says nothing".to_owned()),
            Err(DZ_ERR_OUT_OF_MEMORY) if error == DZ_ERR_OUT_OF_MEMORY && text.contains("out of memory") => {
                let changed = before.difference(&Snapshot::of(script.world));
                changed.map_or(Ok(()), |changed| Err(format!("the world changed: {changed}")))?;
                (operation.run)(&mut script)
                    .map_err(|status| format!("retried: {status:?}, {}", message()))?;
            }
            Err(status) => return Err(format!("{status:?}, {error:?}: {text}")),
        }
        Ok(())
    })();
    let finished = finish(script, &memory, &OPERATIONS[at + 1..]);
    (true, checked.and(finished))
}

fn fail_everywhere(on: bool, ways: impl Iterator<Item = Way>) {
    let mut report = Report::default();
    let mut failures = 0;
    for way in ways {
        for (at, operation) in OPERATIONS.iter().enumerate() {
            let mut nth = 1;
            loop {
                let (failed, came) = fail_once(way, at, nth, on);
                if let Err(what) = came {
                    report.wrong(operation, way, what);
                }
                if !failed {
                    break;
                }
                (nth, failures) = (nth + 1, failures + 1);
                assert!(nth < 10_000, "{} never has enough", operation.name);
            }
            if operation.needs == Needs::Memory && nth == 1 {
                report.wrong(operation, way, "it asked for no memory, so nothing was tried");
            }
        }
    }
    println!("{failures} failures");
    report.end();
}

#[test]
fn each_allocation_fails_once() {
    fail_everywhere(false, tight_ways_too());
}

#[test]
fn each_allocation_fails_and_all_after_it() {
    fail_everywhere(true, ways());
}

/// M10, and all else that takes away: it works without any memory.
#[test]
fn m10_taking_away_needs_no_memory() {
    let mut report = Report::default();
    for way in ways() {
        for (at, operation) in OPERATIONS.iter().enumerate().filter(|(_, it)| it.needs == Needs::Nothing) {
            let memory = Counting::new();
            let mut script = play(way, &memory, &OPERATIONS[..at]);
            let calls = memory.calls();
            memory.fail(1, true);
            if let Err(status) = (operation.run)(&mut script) {
                report.wrong(operation, way, format!("{status:?}: {}", message()));
            }
            let asked = memory.calls() - calls;
            memory.heal();
            if asked > 0 {
                report.wrong(operation, way, format!("it asked for memory {asked} times"));
            }
            if let Err(what) = finish(script, &memory, &OPERATIONS[at + 1..]) {
                report.wrong(operation, way, what);
            }
        }
        // The end of a world too, wherever the script stands.
        for at in 0..=OPERATIONS.len() {
            let memory = Counting::new();
            let script = play(way, &memory, &OPERATIONS[..at]);
            memory.fail(1, true);
            let calls = memory.calls();
            if let Err(what) = finish(script, &memory, &[]) {
                report.wrong(
                    &OPERATIONS[at.min(OPERATIONS.len() - 1)],
                    way,
                    format!("the world's end: {what}"),
                );
            }
            assert_eq!(memory.calls(), calls, "the end of a world asks for no memory");
        }
    }
    report.end();
}

/// Where slots grew, and the signatures that go with them could not, nobody comes to life without one.
#[test]
fn whoever_lives_has_a_signature() {
    for way in ways() {
        let memory = Counting::new();
        let mut desc = world_desc(way.layout);
        desc.allocator = memory.descriptor(way.reallocate);
        let world = unsafe { dz_world_create(&desc) };
        let id = register(world, c"Position", 8, dz_policy::DZ_POLICY_SWAP);
        let mut grown = 0;
        for _ in 0..5_000 {
            memory.fail(2, true);
            if dz_create(world) != DZ_NULL {
                continue;
            }
            grown += 1;
            assert_eq!((dz_create(world), last()), (DZ_NULL, DZ_ERR_OUT_OF_MEMORY), "{way:?}");
            memory.heal();
            let (entity, value) = (dz_create(world), 7_u64);
            assert_eq!(unsafe { dz_set(world, entity, id, 8, (&raw const value).cast()) }, dz_status::DZ_OK);
            assert_eq!((dz_has(world, entity, id), dz_remove(world, entity, id)), (true, dz_status::DZ_OK));
            assert_eq!(dz_destroy(world, entity), dz_status::DZ_OK);
        }
        assert!(grown > 3, "{way:?}: slots grew {grown} times");
        memory.heal();
        end(world);
        assert_eq!(memory.wrong(), None);
    }
}

/// M77: a reserved world needs no memory for what was reserved; and making it fails cleanly.
#[test]
fn m77_making_a_world_fails_cleanly() {
    for way in ways() {
        for nth in 1.. {
            let memory = Counting::new();
            let mut desc = world_desc(way.layout);
            desc.allocator = memory.descriptor(way.reallocate);
            desc.capacity = 500;
            memory.fail(nth, false);
            let world = unsafe { dz_world_create(&desc) };
            if memory.heal() == 0 {
                assert_ne!(world.bits, 0, "{}", message());
                memory.fail(1, true);
                for _ in 0..500 {
                    assert_ne!(denizen::ffi::entity::dz_create(world), 0, "{}", message());
                }
                end(world);
                assert_eq!(memory.wrong(), None);
                assert!(nth > 2, "a world and its registry are two allocations at least");
                break;
            }
            assert_eq!((world.bits, last()), (0, DZ_ERR_OUT_OF_MEMORY), "{}", message());
            assert_eq!(memory.wrong(), None);
        }
    }
}

/// Every budget at which some allocation of the script is the first that is too much.
#[test]
fn each_budget_that_runs_out() {
    let mut report = Report::default();
    let mut exceeded = BTreeMap::new();
    for (number, way) in ways().enumerate() {
        let memory = Counting::new();
        finish(play(way, &memory, OPERATIONS), &memory, &[]).expect("the script works");
        let budgets: BTreeSet<u64> =
            memory.steps().into_iter().map(|bytes| bytes - 1).filter(|it| *it > 0).collect();
        // Each budget plays the whole script. The ways are four, and each takes another quarter of the budgets.
        for budget in budgets.into_iter().skip(number).step_by(4) {
            let memory = Counting::new();
            let Some(mut script) = start(way, &memory, budget) else {
                assert_eq!(last(), DZ_ERR_BUDGET, "{}", message());
                assert_eq!(memory.wrong(), None);
                continue;
            };
            let mut before = Snapshot::of(script.world);
            for operation in OPERATIONS {
                let came = (operation.run)(&mut script);
                let after = Snapshot::of(script.world);
                match came {
                    Ok(()) => before = after,
                    Err(DZ_ERR_BUDGET) => {
                        if let Some(changed) = before.difference(&after) {
                            report.wrong(operation, way, format!("the world changed: {changed}"));
                        }
                        break;
                    }
                    Err(status) => {
                        report.wrong(
                            operation,
                            way,
                            format!("{status:?} and not DZ_ERR_BUDGET: {}", message()),
                        );
                        break;
                    }
                }
            }
            let peak = memory.peak() as u64;
            if peak > budget {
                exceeded.entry(format!("{way:?}")).or_insert_with(|| format!("{peak} of {budget} bytes"));
            }
            // Whatever is there can be taken away.
            let last = OPERATIONS.last().expect("an operation");
            if let Err(status) = (last.run)(&mut script) {
                report.wrong(last, way, format!("with the budget used up: {status:?}"));
            }
            if let Err(what) = finish(script, &memory, &[]) {
                report.wrong(last, way, what);
            }
        }
    }
    report.end();
    assert!(exceeded.is_empty(), "more than the budget was held at once: {exceeded:?}");
}
