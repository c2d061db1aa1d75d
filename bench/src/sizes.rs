//! How cost grows: the queries over more and more entities, and of more and more terms. Measured,
//! written as JSON, and drawn.

use crate::args::Options;
use crate::chart::{self, Axis, Line, Panel};
use crate::column::{Column, Kind};
use crate::json;
use crate::result::{self, Measured};
use crate::row::Row;
use crate::way::Way;
use crate::work::Work;

const ROWS: [&str; 8] = ["7", "8", "9", "10", "10x", "11", "11b", "13"];
const SIZES: [usize; 9] = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000];
const QUICK_SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const TERMS: [&str; 8] = ["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"];
/// Where terms are counted: in the cache, and in memory.
const TERMS_SIZES: [usize; 2] = [10_000, 1_000_000];

const LINES: [Line; 6] = [
    line("plain arrays", "#777777", 1.5, true),
    line("sparsey", "#E69F00", 1.5, false),
    line("EnTT stand-in", "#D55E00", 1.5, false),
    line("Flecs", "#009E73", 1.5, false),
    line("denizen, throw-away query", "#0072B2", 2.5, false),
    line("denizen, kept query", "#56B4E9", 2.5, false),
];

const fn line(name: &'static str, colour: &'static str, width: f64, dashed: bool) -> Line {
    Line { name, colour, width, dashed }
}

/// The figure of each line.
fn figures(measured: &Measured) -> [Option<f64>; 6] {
    [
        measured.floor(),
        measured.inlined("sparsey"),
        measured.inlined("entt_standin"),
        measured.flecs(),
        measured.ours_of(64, &[Way::At]),
        measured.ours_of(64, &[Way::KeptAt, Way::KeptRuns]),
    ]
}

fn takes_part(column: &Column, options: &Options) -> bool {
    match column.kind {
        Kind::Ours { layout: 64, way } => {
            options.denizen && matches!(way, Way::At | Way::KeptAt | Way::KeptRuns)
        }
        Kind::Floor => true,
        Kind::C => options.peers,
        Kind::Inlined => options.peers && matches!(column.name, "sparsey" | "entt_standin"),
        _ => false,
    }
}

pub fn run(options: &Options) -> Result<(), String> {
    let find = |name: &&str| Row::find(name).expect("a row");
    let rows = match options.rows.is_empty() {
        true => ROWS.iter().map(find).collect(),
        false => options.rows.clone(),
    };
    if let Some(row) = rows.iter().find(|row| !row.is_query()) {
        return Err(format!("row {} is no query; --sizes is about queries", row.name));
    }
    let sizes = match (options.sizes.is_empty(), options.quick) {
        (false, _) => options.sizes.clone(),
        (true, false) => SIZES.to_vec(),
        (true, true) => QUICK_SIZES.to_vec(),
    };
    let measure = |row, n| {
        let chosen = |column: &Column, _: &Row| takes_part(column, options);
        result::time(&Work::new(row, n), options.quick, chosen)
    };
    let mut results = Vec::new();
    let mut panels = Vec::new();
    for row in rows {
        let some: Vec<_> = sizes.iter().map(|&n| measure(row, n)).collect();
        panels.push(panel(format!("{}: {}", row.name, short(row)), entities(&sizes), &some, |measured| {
            measured.n as f64
        }));
        results.extend(some);
    }
    let largest = sizes.iter().max().copied().unwrap_or(0);
    for n in TERMS_SIZES.into_iter().filter(|&n| n <= largest) {
        let some: Vec<_> = TERMS.iter().map(|name| measure(find(name), n)).collect();
        let ticks = (1..=8).map(|terms| (f64::from(terms), terms.to_string())).collect();
        let axis = Axis { label: "terms", logarithmic: false, ticks };
        panels.push(panel(format!("terms, {} entities", count(n)), axis, &some, |measured| {
            measured.row.name[1..].parse().expect("t and a number")
        }));
        results.extend(some);
    }
    let title = "Queries: nanoseconds per match as work grows";
    let note = "P and V are components of three floats each. Where lines coincide, the one that is named last above hides the others.";
    let svg = chart::render(title, note, "ns", &LINES, &panels);
    std::fs::write(&options.plot, svg).map_err(|error| format!("{}: {error}", options.plot.display()))?;
    json::write(&options.json, &results).map_err(|error| format!("{}: {error}", options.json.display()))?;
    eprintln!("written to {} and {}", options.plot.display(), options.json.display());
    Ok(())
}

fn panel(title: String, x: Axis, results: &[Measured], at: impl Fn(&Measured) -> f64) -> Panel {
    let points = (0..LINES.len())
        .map(|line| {
            let figure = |measured: &Measured| Some((at(measured), figures(measured)[line]?));
            results.iter().filter_map(figure).collect()
        })
        .collect();
    Panel { title, x, points }
}

/// A tick for each power of ten, and for the ends.
fn entities(sizes: &[usize]) -> Axis {
    let ends = [sizes.iter().min(), sizes.iter().max()];
    let power = |n: usize| 10usize.pow(n.ilog10()) == n;
    let mut ticks: Vec<_> = sizes.iter().copied().filter(|&n| power(n) || ends.contains(&Some(&n))).collect();
    ticks.sort_unstable();
    ticks.dedup();
    let ticks = ticks.into_iter().map(|n| (n as f64, count(n))).collect();
    Axis { label: "entities", logarithmic: true, ticks }
}

/// A number as one says it.
fn count(n: usize) -> String {
    match n {
        n if n >= 1_000_000 && n.is_multiple_of(100_000) => format!("{}M", n as f64 / 1e6),
        n if n >= 1_000 && n.is_multiple_of(100) => format!("{}k", n as f64 / 1e3),
        n => n.to_string(),
    }
}

/// What a row is about, for a small panel.
fn short(row: &Row) -> &str {
    match row.name {
        "7" => "P",
        "8" => "P and V, all have both",
        "9" => "every second has V",
        "10" => "random halves",
        "10x" => "1,024 combinations of tags",
        "11" => "5 components",
        "11b" => "3, without a random half",
        "13" => "1 in 1,000 is tagged",
        _ => row.what,
    }
}
