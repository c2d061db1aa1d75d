//! The table for people, of the rows about queries: a line for each layout, and below each figure how
//! many times the floor it is.

use crate::result::{LAYOUTS, Measured};
use crate::table::{self, cell};
use crate::way::Way;
use std::fmt::Write;

const PEERS: [&str; 4] = ["hecs", "bevy_ecs", "sparsey", "entt_standin"];

const LEGEND: &str = "\
ns per match; g, s and o rows: per entity, r1: per change, 13q: per query. x: times the floor, which is the
loop over plain arrays that hold just the matches, in C. at: through DZ_AT; runs: runs only; led: the query
follows the order of its smallest pool, as sparse-set peers do; kept: a kept query, refreshed and optimised;
group: a group. *EnTT: EnTT stand-in, not EnTT itself. MISS names each goal that was missed:
  floor    rows 7, 8, 11, 12a, 12b: over 1.1 of the floor by runs
  at       these rows: over 1.5 of the floor through DZ_AT
  peer     these rows and 10x: slower than the best peer
  sparse   a throw-away query, in either order, is slower than sparsey or the EnTT stand-in (rows c: than the
           stand-in); g2, g3: beside a group, than the stand-in
  ahead    at 1M it is not 1.2 (row 9), 2 (row 10), 1.5 (row 11b) or 1.3 (rows c1) times as fast
  kept     rows 9, 10, 11b, 13: a kept query takes over 1.25 of the floor (row 13: and 60 ns a query)
";

/// Nothing if there is no such row.
pub fn render(all: &[Measured]) -> String {
    let results: Vec<_> = all.iter().filter(|measured| measured.row.is_query()).collect();
    let mut text = String::new();
    if results.is_empty() {
        return text;
    }
    write(&mut text, &results, all).expect("a String takes all");
    text
}

fn write(text: &mut String, results: &[&Measured], all: &[Measured]) -> std::fmt::Result {
    writeln!(text, "\n{:13}|{:^7}|{:^90}|{:^65}|", "", "", "denizen", "peers, inlined")?;
    write!(text, "row         n|  floor|      ")?;
    for way in ["at", "runs", "led at", "kept at", "kept runs", "group at", "group runs"] {
        write!(text, "{way:>12}")?;
    }
    write!(text, "|")?;
    for peer in ["Flecs", "hecs", "bevy", "sparsey", "*EnTT"] {
        write!(text, "{peer:>13}")?;
    }
    writeln!(text, "| goals")?;
    for measured in results {
        for layout in LAYOUTS {
            line(text, measured, all, layout)?;
        }
    }
    text.push_str(LEGEND);
    let (met, missed) = table::count(results, all);
    writeln!(text, "goals of queries met in {met} of {} figures", met + missed)
}

fn line(text: &mut String, measured: &Measured, all: &[Measured], layout: u32) -> std::fmt::Result {
    let floor = measured.floor();
    // The floor and the peers have no layout.
    let first = layout == LAYOUTS[0];
    match first {
        true => write!(text, "{:5}{:>8}|{:>7}", measured.row.name, measured.n, cell(floor))?,
        false => write!(text, "{:13}|{:7}", "", "")?,
    }
    write!(text, "|{layout:>3}bit")?;
    for way in Way::QUERIES {
        let figure = measured.ours_by(layout, way);
        match measured.row.ways.contains(&way) {
            true => write!(text, "{:>12}", times(figure, floor))?,
            false => write!(text, "{:12}", "")?,
        }
    }
    write!(text, "|")?;
    if first {
        write!(text, "{:>13}", times(measured.flecs(), floor))?;
        for peer in PEERS {
            write!(text, "{:>13}", times(measured.inlined(peer), floor))?;
        }
    } else {
        write!(text, "{:65}", "")?;
    }
    write!(text, "| {}", table::mark(measured, all, layout))?;
    let kept = text.trim_end().len();
    text.truncate(kept);
    text.push('\n');
    Ok(())
}

/// A figure, and how many times the floor it is.
fn times(figure: Option<f64>, floor: Option<f64>) -> String {
    match figure.zip(floor) {
        Some((figure, floor)) => format!("{} x{}", cell(Some(figure)), cell(Some(figure / floor))),
        None => cell(figure),
    }
}
