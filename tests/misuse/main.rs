//! Misuse of every exported function, one parameter at a time, in both layouts: each misuse has its
//! own status and a message that names the culprit, and leaves the world as it was. The functions and
//! their parameters are compared with the header's declarations, so that a new one must get its rows.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, clippy::undocumented_unsafe_blocks)]

#[path = "../common/mod.rs"]
mod common;
mod descriptors;
mod fits;
mod hooks_fail;
mod kinds;
mod nested;
mod pairs;
mod parse;
mod queries;
mod query_descriptors;
mod relations;
mod special;
mod tree;

use common::calls::{CALLS, Call};
use common::snapshot::Snapshot;
use common::stage::Stage;
use common::{LAYOUTS, last, message};
use denizen::ffi::types::{dz_layout, dz_status, dz_world};
use denizen::ffi::world::{dz_error_clear, dz_world_destroy};
use kinds::{Expect, Misuse};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What went wrong in a test of many rows: all of it is reported, not the first.
#[derive(Default)]
pub struct Report {
    rows: usize,
    wrong: Vec<String>,
}

impl Report {
    /// Counts a row.
    pub fn row(&mut self, name: &str, result: Result<(), String>) {
        self.rows += 1;
        if let Err(what) = result {
            self.wrong.push(format!("{name}: {what}"));
        }
    }

    /// Fails if a row was wrong.
    pub fn end(self) {
        let (wrong, rows) = (self.wrong.len(), self.rows);
        let first = &self.wrong[..wrong.min(40)];
        assert!(wrong == 0, "{wrong} of {rows} rows are wrong, the first are:\n{}", first.join("\n"));
        println!("{rows} rows");
    }
}

fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Whether a message begins with the function that was called.
pub fn names_function(message: &str, call: &str) -> Result<(), String> {
    // Programs write the macro.
    let function = if call == "dz_each_slow" { "DZ_EACH" } else { call };
    require(message.starts_with(&format!("{function}: ")), || {
        format!("\"{message}\" doesn't name the function")
    })
}

/// Makes a call and looks at what it says; `run` returns a status, if it does, and whether it failed.
pub fn judge(
    call: &str,
    expect: Expect,
    culprits: &[String],
    run: impl FnOnce() -> (Option<dz_status>, bool),
) -> Result<(), String> {
    dz_error_clear();
    let (status, failed) = run();
    let (error, text) = (last(), message());
    let returned = status.unwrap_or(error);
    match expect {
        Expect::Error(wanted) => {
            require(returned == wanted && failed, || {
                format!("returned {returned:?}, not {wanted:?} ({text})")
            })?;
            require(error == wanted, || format!("dz_error_status is {error:?}, not {wanted:?}"))?;
            names_function(&text, call)?;
            let missing = culprits.iter().find(|culprit| !text.contains(*culprit));
            require(missing.is_none(), || format!("\"{text}\" doesn't name {missing:?}"))
        }
        Expect::Answer(wanted) => {
            require(returned == wanted || status.is_none(), || {
                format!("returned {returned:?}, not {wanted:?} ({text})")
            })?;
            require(error == dz_status::DZ_OK, || format!("an answer left {error:?}"))
        }
        Expect::No => {
            require(failed && error == dz_status::DZ_OK, || format!("failed: {failed}, error {error:?}"))
        }
        Expect::Quiet | Expect::Done => {
            let fine = error == dz_status::DZ_OK && status.is_none_or(|status| status as i32 >= 0);
            require(fine, || format!("is {returned:?}: {text}"))
        }
    }
}

fn run(stage: &Stage, call: &Call, misuse: &Misuse) -> Result<(), String> {
    let mut arguments = stage.arguments(call);
    for (at, value) in &misuse.replace {
        arguments[*at] = *value;
    }
    let places = (stage.room.out, stage.room.out_too);
    let judged = judge(call.name, misuse.expect, &misuse.culprits, || {
        let outcome = (call.run)(&arguments);
        if call.name == "dz_world_create" && outcome.value != 0 {
            common::end(dz_world { bits: outcome.value as u32 });
        }
        let failed = outcome.status.map_or(outcome.value == call.failure(), |status| (status as i32) < 0);
        (outcome.status, failed)
    });
    // Outputs are written on success only; those of the bulk reads say for themselves what a failure is.
    let silent = matches!(misuse.expect, Expect::Error(_))
        && !call.name.contains("get_")
        && !call.name.contains("has_n");
    let written = silent && places != (stage.room.out, stage.room.out_too);
    judged.and(require(!written, || "it failed, and wrote to an output".into()))
}

/// What changed since `before`. A world that can't be read any more has changed too.
fn damage(before: &Snapshot, world: dz_world) -> Option<String> {
    let after = catch_unwind(|| Snapshot::of(world));
    after.map_or_else(|_| Some(format!("it can't be read: {}", message())), |after| before.difference(&after))
}

/// The call with good arguments, and a world that goes on working.
fn run_well(stage: &mut Stage, call: &Call) -> Result<(), String> {
    let worked = catch_unwind(AssertUnwindSafe(|| work_well(stage, call)));
    worked.unwrap_or_else(|_| Err(format!("the world doesn't work: {}", message())))
}

fn work_well(stage: &mut Stage, call: &Call) -> Result<(), String> {
    stage.start();
    let well = Misuse {
        label: String::new(),
        replace: vec![],
        expect: Expect::Quiet,
        culprits: vec![],
        _keep: vec![],
    };
    run(stage, call, &well).map_err(|what| format!("with good arguments: {what}"))?;
    if call.name == "dz_world_destroy" {
        assert_eq!(stage.memory.wrong(), None);
        stage.give_up();
        return Ok(());
    }
    still_works(stage)
}

/// A few calls of each sort.
pub fn still_works(stage: &Stage) -> Result<(), String> {
    use denizen::ffi::{access::*, entity::*};
    let world = stage.world;
    let entity = dz_create(world);
    require(dz_is_alive(world, entity), || format!("the world creates no more: {}", message()))?;
    common::stage::set(world, entity, stage.hooked, &[5, 6], 16);
    common::stage::set(world, entity, stage.idle, &[1, 0], 4);
    let value = unsafe { dz_get(world, entity, stage.hooked).cast::<[u64; 2]>().read() };
    require(value == [5, 6], || "a value is not what was set".into())?;
    require(dz_remove(world, entity, stage.idle) == dz_status::DZ_OK, message)?;
    require(dz_destroy(world, entity) == dz_status::DZ_OK, message)?;
    Snapshot::of(world);
    Ok(())
}

fn misuse_all(layout: dz_layout) {
    let mut report = Report::default();
    for call in CALLS {
        let name = |rest: &str| format!("{}, {layout:?}, {rest}", call.name);
        // On a fresh stage the good arguments are good: else the rows below would prove nothing.
        report.row(&name("at first"), run_well(&mut Stage::new(layout), call));
        let mut stage = Stage::new(layout);
        let mut before = Snapshot::of(stage.world);
        for at in 0..call.params.len() {
            let count = kinds::misuses(&stage, call, at).len();
            assert!(count > 0, "{} has no rows for {}", call.name, call.params[at].0);
            for row in 0..count {
                // Made anew for each, because the stage may be another one by now.
                let misuse = kinds::misuses(&stage, call, at).swap_remove(row);
                let name = name(&format!("{}: {}", call.params[at].0, misuse.label));
                if misuse.expect == Expect::Done {
                    let stage = Stage::new(layout);
                    let misuse = kinds::misuses(&stage, call, at).swap_remove(row);
                    report.row(&name, run(&stage, call, &misuse));
                    continue;
                }
                let result = run(&stage, call, &misuse);
                let damage = damage(&before, stage.world);
                if damage.is_some() {
                    stage.give_up();
                    stage = Stage::new(layout);
                    before = Snapshot::of(stage.world);
                }
                let damage = damage.map_or(Ok(()), |damage| Err(format!("the world changed: {damage}")));
                report.row(&name, result.and(damage));
            }
        }
        report.row(&name("after all misuse"), run_well(&mut stage, call));
    }
    report.end();
}

/// M34, M59 to M64, M67, M70, M74, and every other kind of bad argument.
#[test]
fn m34_m61_m62_m63_m67_m70_misuse_in_the_64_bit_layout() {
    misuse_all(LAYOUTS[0]);
}

/// As above; what needs a world in the handle can't be told here.
#[test]
fn m34_m61_m62_m67_m70_misuse_in_the_32_bit_layout() {
    misuse_all(LAYOUTS[1]);
}

/// Once broken is enough: no misuse above may end in a world that met a bug.
#[test]
fn a_destroyed_world_stays_destroyed() {
    for layout in LAYOUTS {
        let world = common::plain_world(layout);
        assert_eq!(dz_world_destroy(world), dz_status::DZ_OK);
        assert_eq!(dz_world_destroy(world), dz_status::DZ_ERR_WORLD_DEAD);
    }
}
