//! All subjects at once in one world: random calls of every exported function, with allocations and hooks that fail,
//! beside one naive model. `tests/model` has each subject by itself, and closer.
//!
//! ```text
//!   host        the world and its model side by side     picks       whom the next call is about
//!   entities    making, ending, the world as a whole     components  those of one entity, their types
//!   bulk        calls for many, with the world's arrays  groups      who is a member
//!   orders      sorts                                    queries     made, parsed, kept, compared
//!   matching    who matches, naively                     links       pairs, tags, what relations promise
//!   family      children, names, bases, the disabled     listeners   what they are told, and what they do
//!   loops       iterations that stay open meanwhile      check       compares all that can be read
//!   walks       loops whose bodies change things         picture     what the model leaves to the library
//!   record      which functions were called              read        lists that are read
//!   arena, calls, dice, each, graph, kin, kinds          those of tests/model
//! ```
//!
//! A case is a seed and a layout, and is the same each time. To run others, and longer ones:
//!
//! ```text
//!   TOGETHER_SEEDS=100..200 TOGETHER_STEPS=5000 cargo test --release --test together
//! ```
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "every block here calls an exported function by its contract"
)]
#![allow(clippy::macro_metavars_in_unsafe, reason = "the macro is what calls exported functions")]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, clippy::type_complexity, missing_docs)]

#[macro_use]
mod record;

#[path = "../model/arena.rs"]
mod arena;
mod bulk;
#[path = "../model/calls.rs"]
#[allow(dead_code, reason = "the programs that it is for use the rest")]
mod calls;
mod check;
mod components;
#[path = "../model/dice.rs"]
mod dice;
#[path = "../model/each.rs"]
mod each;
mod entities;
mod family;
#[path = "../model/graph.rs"]
mod graph;
mod groups;
mod host;
#[path = "../model/kin.rs"]
mod kin;
#[path = "../model/kinds.rs"]
mod kinds;
mod links;
mod listeners;
mod loops;
mod matching;
mod orders;
mod picks;
mod picture;
mod queries;
mod read;
mod walks;

use denizen::ffi::types::dz_layout;
use host::{Case, Host};
use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The seeds of a run.
const SEEDS: Range<u64> = 0..if cfg!(miri) { 1 } else { 50 };
/// How long a case is.
const STEPS: u32 = if cfg!(miri) { 20 } else { 1200 };

/// Exported functions that the program doesn't call: what they say is the same in every world.
const NOT_CALLED: [&str; 3] = ["dz_version", "dz_abi_describe", "dz_status_name"];

/// What a step may be, and how often it is.
const STEP: &[(u32, fn(&mut Host))] = &[
    (5, Host::create),
    (2, Host::create_n),
    (6, Host::create_with),
    (2, Host::create_at),
    (1, Host::create_at_n),
    (3, Host::clone),
    (5, Host::destroy),
    (3, Host::destroy_n),
    (1, Host::destroy_each),
    (1, Host::clear),
    (1, Host::shrink),
    (2, Host::reserve),
    (1, Host::strangers),
    (12, Host::add),
    (8, Host::remove),
    (8, Host::set),
    (3, Host::write),
    (3, Host::get_or_add),
    (2, Host::register),
    (1, Host::unregister),
    (1, Host::clear_pool),
    (1, Host::compact),
    (2, Host::singleton),
    (2, Host::access),
    (4, Host::add_n),
    (5, Host::remove_n),
    (3, Host::set_n),
    (2, Host::get_n),
    (2, Host::get_or_add_n),
    (4, Host::make_group),
    (2, Host::end_group),
    (2, Host::sort),
    (2, Host::restore),
    (2, Host::sort_group),
    (2, Host::restore_group),
    (4, Host::make_query),
    (2, Host::parse_query),
    (2, Host::end_query),
    (3, Host::refresh_query),
    (2, Host::optimize),
    (14, Host::add_pair),
    (6, Host::set_pair),
    (4, Host::remove_pair),
    (2, Host::write_pair),
    (4, Host::tag),
    (3, Host::relate),
    (9, Host::set_parent),
    (3, Host::move_child),
    (4, Host::name),
    (3, Host::instantiate),
    (2, Host::instance_of),
    (2, Host::override_it),
    (2, Host::set_base),
    (4, Host::enable),
    (4, Host::enable_component),
    (2, Host::listen),
    (1, Host::unlisten),
    (6, Host::begin_loop),
    (20, Host::go_on),
];

impl Host {
    fn take_step(&mut self) {
        match self.dice.below(40) {
            0 => self.walk(),
            1 => self.walk_plainly(),
            _ => self.step_of(STEP),
        }
        if self.once_in(60) {
            self.check();
        }
    }

    /// One of these, by the dice.
    fn step_of(&mut self, steps: &[(u32, fn(&mut Self))]) {
        let total: u32 = steps.iter().map(|(often, _)| often).sum();
        let mut at = self.dice.below(total as usize) as u32;
        let step = steps.iter().find(|(often, _)| {
            let is_it = at < *often;
            at = at.wrapping_sub(*often);
            is_it
        });
        // Calls are about somebody.
        let step = if self.plain().is_empty() { Self::create } else { step.unwrap().1 };
        self.step_by(step);
    }

    fn step_by(&mut self, step: impl FnOnce(&mut Self)) {
        let before = self.before_step();
        step(self);
        self.after_step(before);
        self.forget_addresses();
        self.follow_loops();
    }
}

/// Runs a case. If it fails, its last calls are told.
fn run(case: Case) {
    let mut host = Host::new(case);
    let done = catch_unwind(AssertUnwindSafe(|| {
        for step in 1..=case.steps {
            host.step = step;
            host.take_step();
        }
    }));
    if let Err(cause) = done {
        eprintln!("{case:?} fails at step {}. The last calls:\n{}", host.step, host.record.tell());
        resume_unwind(cause);
    }
    host.finish();
}

fn set_by<T>(name: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(parse(&text).unwrap_or_else(|| panic!("{name} isn't {text:?}")))
}

fn range(text: &str) -> Option<Range<u64>> {
    let (first, end) = text.split_once("..")?;
    Some(first.parse().ok()?..end.parse().ok()?)
}

/// The functions that the header declares.
fn exported() -> BTreeSet<&'static str> {
    let header = include_str!("../../include/denizen/denizen.h");
    let after = header.split("\nDZ_API").skip(1);
    let names = after.map(|text| text.split('(').next().unwrap().rsplit([' ', '*', '\n']).next().unwrap());
    names.filter(|name| name.starts_with("dz_")).collect()
}

#[test]
fn all_subjects_together() {
    let chosen = set_by("TOGETHER_SEEDS", range);
    let steps = set_by("TOGETHER_STEPS", |text| text.parse().ok()).unwrap_or(STEPS);
    let seeds = chosen.clone().unwrap_or(SEEDS);
    let of_layout = |layout| {
        let seeds = seeds.clone();
        move || {
            seeds.for_each(|seed| run(Case { seed, layout, steps }));
            record::all_called()
        }
    };
    let called = std::thread::scope(|scope| {
        let layouts = [dz_layout::DZ_LAYOUT_64, dz_layout::DZ_LAYOUT_32];
        let threads = layouts.map(|layout| scope.spawn(of_layout(layout)));
        let called = threads.map(|thread| thread.join().unwrap_or_else(|cause| resume_unwind(cause)));
        called.into_iter().flatten().collect::<BTreeSet<_>>()
    });
    if chosen.is_none() && !cfg!(miri) {
        let not_called: Vec<_> = exported().into_iter().filter(|name| !called.contains(name)).collect();
        let expected = BTreeSet::from(NOT_CALLED);
        assert!(not_called.iter().all(|name| expected.contains(name)), "not called: {not_called:?}");
        assert!(expected.iter().all(|name| !called.contains(name)), "called: {expected:?}");
    }
}
