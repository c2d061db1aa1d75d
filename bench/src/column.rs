//! The columns of the table: who takes part, and how.

use crate::denizen::{self, Denizen};
use crate::ffi::{LAYOUT_32, LAYOUT_64};
use crate::flecs::Flecs;
use crate::input::Input;
use crate::memory::{self, Bytes};
use crate::runs::Runs;
use crate::walls::{self, Wall};
use crate::workloads;
use peers::Contender;
use peers::bevy::Bevy;
use peers::hecs::Hecs;
use peers::sparsey::Sparsey;
use peers::standin::StandIn;
use std::hint::black_box;

/// What kind of column it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// denizen, in a layout of so many bits. `with`: creating by dz_create_with.
    Ours { layout: u32, with: bool },
    /// A C library: behind a call by itself.
    C,
    /// Compiled into the bench.
    Inlined,
    /// The same in a shared library.
    Wall,
}

pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    run: fn(&str, &Input, &mut Runs) -> bool,
    bytes: fn(usize) -> Bytes,
}

const fn column<C: Contender>(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, run: workloads::run::<C>, bytes: memory::measure::<C> }
}

const fn ours(layout: u32, with: bool) -> Kind {
    Kind::Ours { layout, with }
}

pub static COLUMNS: [Column; 13] = [
    column::<Denizen<LAYOUT_64, false>>("denizen64", ours(64, false)),
    column::<Denizen<LAYOUT_64, true>>("denizen64_with", ours(64, true)),
    column::<Denizen<LAYOUT_32, false>>("denizen32", ours(32, false)),
    column::<Denizen<LAYOUT_32, true>>("denizen32_with", ours(32, true)),
    column::<Flecs>("flecs", Kind::C),
    column::<Hecs>("hecs", Kind::Inlined),
    column::<Bevy>("bevy_ecs", Kind::Inlined),
    column::<Sparsey>("sparsey", Kind::Inlined),
    column::<StandIn>("entt_standin", Kind::Inlined),
    column::<Wall<{ walls::HECS }>>("hecs", Kind::Wall),
    column::<Wall<{ walls::BEVY }>>("bevy_ecs", Kind::Wall),
    column::<Wall<{ walls::SPARSEY }>>("sparsey", Kind::Wall),
    column::<Wall<{ walls::STANDIN }>>("entt_standin", Kind::Wall),
];

impl Column {
    /// Takes a turn at a row of the clock. False: cannot do it.
    pub fn run(&self, row: &str, input: &Input, runs: &mut Runs) -> bool {
        if row != "0" {
            return (self.run)(row, input, runs);
        }
        match self.kind {
            Kind::Ours { .. } => empty_calls(input.n, runs, |_| denizen::nothing()),
            // The wall is one library, so one of its columns stands for all.
            Kind::Wall if self.name == "hecs" => empty_calls(input.n, runs, walls::nothing),
            _ => return false,
        }
        true
    }

    /// What n entities with P, V and C2 cost in this process, which is to do nothing else.
    pub fn bytes(&self, n: usize) -> Bytes {
        (self.bytes)(n)
    }
}

fn empty_calls(n: usize, runs: &mut Runs, call: impl Fn(u64) -> u64) {
    while runs.more() {
        runs.time(n, || (0..n as u64).fold(0, |sum, i| sum ^ call(black_box(i))));
    }
}
