//! The columns of the table: who takes part, and how.

use crate::denizen::{self, Denizen};
use crate::denizen_queries::DenizenQueries;
use crate::denizen_tree::DenizenTree;
use crate::ffi::{LAYOUT_32, LAYOUT_64};
use crate::flecs::Flecs;
use crate::flecs_queries::FlecsQueries;
use crate::flecs_tree::FlecsRelater;
use crate::floor::Floor;
use crate::input::Input;
use crate::memory::{self, Bytes};
use crate::querying::Querying;
use crate::relating;
use crate::row::Row;
use crate::runs::Runs;
use crate::walls::{self, Wall};
use crate::way::Way;
use crate::work::{self, Work};
use crate::workloads;
use peers::bevy::Bevy;
use peers::hecs::Hecs;
use peers::queries::bevy::BevyQueries;
use peers::queries::hecs::HecsQueries;
use peers::queries::sparsey::SparseyQueries;
use peers::relaters::bevy::BevyRelater;
use peers::sparsey::Sparsey;
use peers::standin::StandIn;
use peers::standin::queries::{NARROW_ENTITIES, Narrow, Wide};
use peers::standin::tree::StandInTree;
use peers::{Contender, Querier, Relater};
use std::hint::black_box;

/// What kind of column it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// denizen, in a layout of so many bits.
    Ours { layout: u32, way: Way },
    /// The loop over plain arrays.
    Floor,
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
    operations: Option<fn(&str, &Input, &mut Runs) -> bool>,
    bytes: Option<fn(usize) -> Bytes>,
    query: Option<fn(&Querying, &mut Runs) -> bool>,
    relations: Option<fn(&str, usize, &mut Runs) -> bool>,
    relation_bytes: Option<fn(&str, usize) -> Option<Bytes>>,
}

const fn column(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, operations: None, bytes: None, query: None, relations: None, relation_bytes: None }
}

/// A column that takes part in the rows about single operations.
const fn single<C: Contender>(name: &'static str, kind: Kind) -> Column {
    Column { operations: Some(workloads::run::<C>), bytes: Some(memory::measure::<C>), ..column(name, kind) }
}

impl Column {
    /// Takes part in the rows about queries too.
    const fn querying<Q: Querier>(mut self) -> Self {
        self.query = Some(Querying::run::<Q>);
        self
    }

    /// Takes part in the rows about relationships and the hierarchy too.
    const fn relating<R: Relater>(mut self) -> Self {
        self.relations = Some(relating::run::<R>);
        self.relation_bytes = Some(relating::bytes::<R>);
        self
    }
}

const fn with<const LAYOUT: i32, const WITH: bool>(name: &'static str, layout: u32) -> Column {
    let way = if WITH { Way::With } else { Way::Steps };
    single::<Denizen<LAYOUT, WITH>>(name, Kind::Ours { layout, way })
}

/// denizen in one layout, querying in one way.
const fn query<const LAYOUT: i32, const WAY: u8>(name: &'static str) -> Column {
    let layout = if LAYOUT == LAYOUT_64 { 64 } else { 32 };
    let way = Way::ALL[WAY as usize];
    column(name, Kind::Ours { layout, way }).querying::<DenizenQueries<LAYOUT, WAY>>()
}

/// denizen in one layout, with pairs and a hierarchy.
const fn tree<const LAYOUT: i32, const WAY: u8>(name: &'static str) -> Column {
    let layout = if LAYOUT == LAYOUT_64 { 64 } else { 32 };
    let way = Way::ALL[WAY as usize];
    column(name, Kind::Ours { layout, way }).relating::<DenizenTree<LAYOUT, WAY>>()
}

pub static COLUMNS: &[Column] = &[
    with::<LAYOUT_64, false>("denizen64", 64),
    with::<LAYOUT_64, true>("denizen64_with", 64),
    with::<LAYOUT_32, false>("denizen32", 32),
    with::<LAYOUT_32, true>("denizen32_with", 32),
    column("floor", Kind::Floor).querying::<Floor>(),
    query::<LAYOUT_64, { Way::At as u8 }>("denizen64_at"),
    query::<LAYOUT_64, { Way::Runs as u8 }>("denizen64_runs"),
    query::<LAYOUT_64, { Way::LedAt as u8 }>("denizen64_led_at"),
    query::<LAYOUT_64, { Way::KeptAt as u8 }>("denizen64_kept_at"),
    query::<LAYOUT_64, { Way::KeptRuns as u8 }>("denizen64_kept_runs"),
    query::<LAYOUT_64, { Way::GroupAt as u8 }>("denizen64_group_at"),
    query::<LAYOUT_64, { Way::GroupRuns as u8 }>("denizen64_group_runs"),
    query::<LAYOUT_32, { Way::At as u8 }>("denizen32_at"),
    query::<LAYOUT_32, { Way::Runs as u8 }>("denizen32_runs"),
    query::<LAYOUT_32, { Way::LedAt as u8 }>("denizen32_led_at"),
    query::<LAYOUT_32, { Way::KeptAt as u8 }>("denizen32_kept_at"),
    query::<LAYOUT_32, { Way::KeptRuns as u8 }>("denizen32_kept_runs"),
    query::<LAYOUT_32, { Way::GroupAt as u8 }>("denizen32_group_at"),
    query::<LAYOUT_32, { Way::GroupRuns as u8 }>("denizen32_group_runs"),
    tree::<LAYOUT_64, { Way::Tree as u8 }>("denizen64_tree"),
    tree::<LAYOUT_64, { Way::Siblings as u8 }>("denizen64_siblings"),
    tree::<LAYOUT_64, { Way::Subtree as u8 }>("denizen64_subtree"),
    tree::<LAYOUT_32, { Way::Tree as u8 }>("denizen32_tree"),
    tree::<LAYOUT_32, { Way::Siblings as u8 }>("denizen32_siblings"),
    tree::<LAYOUT_32, { Way::Subtree as u8 }>("denizen32_subtree"),
    single::<Flecs>("flecs", Kind::C).querying::<FlecsQueries>().relating::<FlecsRelater>(),
    single::<Hecs>("hecs", Kind::Inlined).querying::<HecsQueries>(),
    single::<Bevy>("bevy_ecs", Kind::Inlined).querying::<BevyQueries>().relating::<BevyRelater>(),
    single::<Sparsey>("sparsey", Kind::Inlined).querying::<SparseyQueries>(),
    Column { query: Some(standin), ..single::<StandIn>("entt_standin", Kind::Inlined) }
        .relating::<StandInTree>(),
    single::<Wall<{ walls::HECS }>>("hecs", Kind::Wall),
    single::<Wall<{ walls::BEVY }>>("bevy_ecs", Kind::Wall),
    single::<Wall<{ walls::SPARSEY }>>("sparsey", Kind::Wall),
    single::<Wall<{ walls::STANDIN }>>("entt_standin", Kind::Wall),
];

/// Its handles are as wide as the world needs, as in EnTT.
fn standin(work: &Querying, runs: &mut Runs) -> bool {
    match work.entities() < NARROW_ENTITIES {
        true => work.run::<Narrow>(runs),
        false => work.run::<Wide>(runs),
    }
}

impl Column {
    /// Takes a turn at a row of the clock. False: cannot do it.
    pub fn run(&self, work: &Work, runs: &mut Runs) -> bool {
        match &work.kind {
            work::Kind::Query(querying) => self.query.is_some_and(|run| run(querying, runs)),
            work::Kind::Relating => self.relations.is_some_and(|run| run(work.row.name, work.n, runs)),
            work::Kind::Operations(input) if work.row.name == "0" => self.nothing(input.n, runs),
            work::Kind::Operations(input) => {
                self.operations.is_some_and(|run| run(work.row.name, input, runs))
            }
        }
    }

    /// Row 0.
    fn nothing(&self, n: usize, runs: &mut Runs) -> bool {
        match self.kind {
            Kind::Ours { .. } => empty_calls(n, runs, |_| denizen::nothing()),
            // The wall is one library, so one of its columns stands for all.
            Kind::Wall if self.name == "hecs" => empty_calls(n, runs, walls::nothing),
            _ => return false,
        }
        true
    }

    /// What a row about memory costs in this process, which is to do nothing else.
    pub fn bytes(&self, row: &Row, n: usize) -> Option<Bytes> {
        match row.is_tree() {
            true => self.relation_bytes.and_then(|bytes| bytes(row.name, n)),
            false => self.bytes.map(|bytes| bytes(n)),
        }
    }
}

fn empty_calls(n: usize, runs: &mut Runs, call: impl Fn(u64) -> u64) {
    while runs.more() {
        runs.time(n, || (0..n as u64).fold(0, |sum, i| sum ^ call(black_box(i))));
    }
}
