//! Measuring all rows: who ran how fast.

use crate::args::Options;
use crate::column::{COLUMNS, Column, Kind};
use crate::memory;
use crate::row::{Promise, Row};
use crate::runs::{Effort, Runs};
use crate::way::Way;
use crate::work::{self, Work};
use std::io::IsTerminal;

/// One row at one n: a figure for each of `COLUMNS`, where there is one. Nanoseconds per operation,
/// or bytes per entity.
pub struct Measured {
    pub row: &'static Row,
    pub n: usize,
    /// How many entities a query finds; n of other rows.
    pub matches: usize,
    figures: Vec<Option<f64>>,
}

/// One of denizen's layouts.
pub const LAYOUTS: [u32; 2] = [64, 32];

impl Measured {
    pub fn new(row: &'static Row, n: usize, figures: Vec<Option<f64>>) -> Self {
        Self { row, n, matches: n, figures }
    }

    /// Changes the figures of all columns of that name.
    #[cfg(test)]
    pub fn set(&mut self, name: &str, figure: f64) {
        for (column, slot) in COLUMNS.iter().zip(&mut self.figures) {
            if column.name == name {
                *slot = Some(figure);
            }
        }
    }

    /// The figures of the columns of some kind, with their names.
    pub fn of(&self, kind: impl Fn(Kind) -> bool) -> impl Iterator<Item = (&'static str, f64)> {
        COLUMNS
            .iter()
            .zip(&self.figures)
            .filter(move |(column, _)| kind(column.kind))
            .filter_map(|(column, figure)| Some((column.name, (*figure)?)))
    }

    /// denizen in one layout, in one way.
    pub fn ours_by(&self, layout: u32, way: Way) -> Option<f64> {
        let kind = Kind::Ours { layout, way };
        self.of(|other| other == kind).next().map(|(_, figure)| figure)
    }

    /// denizen in one layout, the fastest of some ways.
    pub fn ours_of(&self, layout: u32, ways: &[Way]) -> Option<f64> {
        ways.iter().filter_map(|&way| self.ours_by(layout, way)).min_by(f64::total_cmp)
    }

    /// denizen in one layout, in the way that is compared with peers: the faster one, but a kept query
    /// only where theirs are kept too.
    pub fn ours(&self, layout: u32) -> Option<f64> {
        let throw_away = [Way::At, Way::Runs, Way::LedAt];
        match self.row.ways.contains(&Way::At) {
            true => self.ours_of(layout, &throw_away),
            false => self.ours_of(layout, self.row.ways),
        }
    }

    pub fn floor(&self) -> Option<f64> {
        self.of(|kind| kind == Kind::Floor).next().map(|(_, figure)| figure)
    }

    /// An inlined peer.
    pub fn inlined(&self, name: &str) -> Option<f64> {
        self.of(|kind| kind == Kind::Inlined).find(|(other, _)| *other == name).map(|(_, figure)| figure)
    }

    pub fn flecs(&self) -> Option<f64> {
        self.of(|kind| kind == Kind::C).next().map(|(_, figure)| figure)
    }

    /// The best peer, the Rust ones inlined. Flecs is what it is.
    pub fn best_inlined(&self) -> Option<(&'static str, f64)> {
        best(self.of(|kind| matches!(kind, Kind::Inlined | Kind::C)))
    }

    /// The best peer, the Rust ones behind the wall. Flecs is behind one by itself.
    pub fn best_wall(&self) -> Option<(&'static str, f64)> {
        best(self.of(|kind| matches!(kind, Kind::Wall | Kind::C)))
    }
}

fn best(peers: impl Iterator<Item = (&'static str, f64)>) -> Option<(&'static str, f64)> {
    peers.min_by(|one, other| one.1.total_cmp(&other.1))
}

/// Measures what the options ask for, with a line of progress for each row.
pub fn measure(options: &Options) -> Result<Vec<Measured>, String> {
    let mut results = Vec::new();
    let chosen = |column: &Column, row: &Row| takes_part(column, row, options);
    for &n in &options.sizes {
        for &row in options.rows.iter().filter(|row| row.own_size().is_none()) {
            results.push(time(&Work::new(row, n), options.quick, chosen));
        }
    }
    for &row in &options.rows {
        match (row.own_size(), row.name) {
            (Some(n), _) if !row.is_memory() => results.push(time(&Work::new(row, n), options.quick, chosen)),
            (Some(n), _) if row.is_tree() || wants_memory(options, n) => {
                results.push(progress(bytes(row, n, options)?));
            }
            _ => {}
        }
    }
    Ok(results)
}

/// Memory is a matter of large worlds: in a run of small ones it must be asked for.
fn wants_memory(options: &Options, n: usize) -> bool {
    options.sizes.contains(&n) || options.rows.iter().all(|row| row.own_size().is_some())
}

fn takes_part(column: &Column, row: &Row, options: &Options) -> bool {
    match column.kind {
        Kind::Ours { way, .. } => options.denizen && row.ways.contains(&way),
        // A loop over a query is the caller's, on his side of any wall.
        Kind::Wall if row.is_query() || row.is_tree() => false,
        Kind::Floor => row.is_query(),
        // A peer holds the same bytes on either side of the wall.
        Kind::Wall if row.is_memory() => false,
        _ => options.peers,
    }
}

/// Measures one row by the chosen columns.
pub fn time(work: &Work, quick: bool, chosen: impl Fn(&Column, &Row) -> bool) -> Measured {
    let (matches, effort) = match &work.kind {
        work::Kind::Query(query) => (query.matches(), Effort::of_query(work.n, quick)),
        work::Kind::Operations(_) | work::Kind::Relating => (work.n, Effort::of(work.n, quick)),
    };
    let mut runs: Vec<Option<Runs>> =
        COLUMNS.iter().map(|column| chosen(column, work.row).then(|| Runs::new(effort))).collect();
    for pass in 0..effort.passes {
        for (column, slot) in COLUMNS.iter().zip(&mut runs) {
            if let Some(runs) = slot {
                live(&format!(
                    "row {} n {} pass {}/{} {}",
                    work.row.name,
                    work.n,
                    pass + 1,
                    effort.passes,
                    column.name
                ));
                runs.start_turn();
                if !column.run(work, runs) {
                    *slot = None;
                }
            }
        }
    }
    let figures = runs.iter().map(|runs| runs.as_ref()?.best()).collect();
    progress(Measured { matches, ..Measured::new(work.row, work.n, figures) })
}

fn bytes(row: &'static Row, n: usize, options: &Options) -> Result<Measured, String> {
    let mut figures = Vec::new();
    for (number, column) in COLUMNS.iter().enumerate() {
        figures.push(match takes_part(column, row, options) {
            true => {
                live(&format!("row {} n {n} {}", row.name, column.name));
                memory::measure_apart(row, n, number)?.map(|bytes| match row.promise {
                    Promise::Bytes | Promise::PairBytes => bytes.resident,
                    _ => bytes.allocated,
                })
            }
            false => None,
        });
    }
    Ok(Measured::new(row, n, figures))
}

/// Says what is going on, on a terminal's last line.
pub fn live(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{text}");
    }
}

/// Says what came out, on the line that said what was going on.
fn progress(measured: Measured) -> Measured {
    let show = |figure: Option<f64>| figure.map_or("-".into(), |figure| format!("{figure:.2}"));
    let (name, best) = measured.best_inlined().unzip();
    live("");
    eprintln!(
        "row {:5} n {:8}  64-bit {:>7}  32-bit {:>7}  {}best peer {:>7} {}",
        measured.row.name,
        measured.n,
        show(measured.ours(64)),
        show(measured.ours(32)),
        measured.floor().map(|floor| format!("floor {floor:>7.2}  ")).unwrap_or_default(),
        show(best),
        name.unwrap_or_default()
    );
    measured
}
