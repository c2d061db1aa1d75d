//! The table for people.

use crate::column::Kind;
use crate::goals;
use crate::result::{LAYOUTS, Measured};
use crate::way::Way;
use std::fmt::Write;

const INLINED: [&str; 4] = ["hecs", "bevy_ecs", "sparsey", "entt_standin"];

const LEGEND: &str = "\
ns per operation; mem and alloc: bytes per entity. *EnTT: EnTT stand-in, not EnTT itself.
Row 0 is an empty call: denizen's library, and the peers' (printed under hecs).
best: the best peer, Flecs included (a C library is behind a call anyway). /wall: ours by the best
peer behind a C ABI. -inlined: ours less the best inlined peer. MISS names each goal that was missed:
  wall     a row of one call per operation is slower than the best peer behind a C ABI
  inlined  such a row takes over 3 ns more than the best inlined peer at 10k
  flecs    such a row takes over half of Flecs, where Flecs takes over 6 ns
  bulk     rows 1b, 2b, 3c, 6f: slower than the best inlined peer
  row3     3k takes over 1.1 of row 3
  bytes    over 84 bytes (64-bit layout) or 60 (32-bit layout) per entity
";

/// The rows about single operations; nothing if there is none.
pub fn render(all: &[Measured]) -> String {
    let results: Vec<_> = all.iter().filter(|measured| measured.row.is_operation()).collect();
    let mut text = String::new();
    if results.is_empty() {
        return text;
    }
    header(&mut text).expect("a String takes all");
    for measured in &results {
        line(&mut text, measured, all).expect("a String takes all");
    }
    text.push_str(LEGEND);
    writeln!(
        text,
        "\"Slower\" is by more than {:.0}%, the noise; in random rows at 1M the 64-bit layout may take \
         1.3 of the EnTT stand-in.",
        (goals::NOISE - 1.0) * 100.0
    )
    .expect("a String takes all");
    for measured in results.iter().filter(|measured| measured.row.ways.len() > 1) {
        ways(&mut text, measured).expect("a String takes all");
    }
    let (met, missed) = count(&results, all);
    writeln!(text, "goals met in {met} of {} figures", met + missed).expect("a String takes all");
    text
}

fn header(text: &mut String) -> std::fmt::Result {
    write!(text, "{:12}|{:^17}|{:^7}|", "", "denizen", "")?;
    write!(text, "{:^32}|{:^32}|", "peers, inlined", "the same behind a C ABI")?;
    write!(text, "{:^15}", "best peer")?;
    for title in ["64-bit layout", "32-bit layout"] {
        write!(text, "|{title:^15}{:18}", "")?;
    }
    write!(text, "\nrow        n|  64-bit   32-bit|  Flecs|")?;
    for _ in 0..2 {
        write!(text, "{:>8}{:>8}{:>8}{:>8}|", "hecs", "bevy", "sparsey", "*EnTT")?;
    }
    write!(text, "{:>8}{:>7}", "inlined", "wall")?;
    for _ in LAYOUTS {
        write!(text, "|{:>6}{:>9}  {:16}", "/wall", "-inlined", "goals")?;
    }
    writeln!(text)
}

fn line(text: &mut String, measured: &Measured, all: &[Measured]) -> std::fmt::Result {
    write!(text, "{:4}{:>8}", measured.row.name, measured.n)?;
    let [wide, narrow] = LAYOUTS.map(|layout| cell(measured.ours(layout)));
    write!(text, "|{wide:>8} {narrow:>8}|{:>7}|", cell(measured.flecs()))?;
    for kind in [Kind::Inlined, Kind::Wall] {
        for name in INLINED {
            let figure = measured.of(|other| other == kind).find(|(other, _)| *other == name);
            write!(text, "{:>8}", cell(figure.map(|(_, figure)| figure)))?;
        }
        text.push('|');
    }
    let inlined = measured.best_inlined().map(|(_, figure)| figure);
    let wall = measured.best_wall().map(|(_, figure)| figure);
    write!(text, "{:>8}{:>7}", cell(inlined), cell(wall))?;
    for layout in LAYOUTS {
        let ours = measured.ours(layout);
        let ratio = ours.zip(wall).map(|(ours, wall)| ours / wall);
        let over = ours.zip(inlined).map(|(ours, inlined)| ours - inlined);
        let mark = mark(measured, all, layout);
        write!(text, "|{:>6}{:>9}  {mark:<16}", cell(ratio), cell(over))?;
    }
    let kept = text.trim_end().len();
    text.truncate(kept);
    text.push('\n');
    Ok(())
}

/// A figure in at most six characters.
pub fn cell(figure: Option<f64>) -> String {
    match figure {
        None => "-".into(),
        Some(figure) if figure.abs() >= 100.0 => format!("{figure:.0}"),
        Some(figure) if figure.abs() >= 10.0 => format!("{figure:.1}"),
        Some(figure) => format!("{figure:.2}"),
    }
}

/// OK, or MISS and what.
pub fn mark(measured: &Measured, all: &[Measured], layout: u32) -> String {
    match goals::judge(measured, all, layout) {
        None => String::new(),
        Some(misses) if misses.is_empty() => "OK".into(),
        Some(misses) => {
            let names: Vec<_> = misses.iter().map(|miss| miss.name()).collect();
            format!("MISS {}", names.join("+"))
        }
    }
}

/// The two ways of creating with components, one at a time.
fn ways(text: &mut String, measured: &Measured) -> std::fmt::Result {
    for layout in LAYOUTS {
        let steps = measured.ours_by(layout, Way::Steps);
        let with = measured.ours_by(layout, Way::With);
        if let Some((steps, with)) = steps.zip(with) {
            let faster = match steps <= with {
                true => "create+set+set",
                false => "dz_create_with",
            };
            writeln!(
                text,
                "row {} n {} {layout}-bit: create+set+set {steps:.2}, dz_create_with {with:.2}; \
                 the table has {faster}",
                measured.row.name, measured.n
            )?;
        }
    }
    Ok(())
}

/// How many figures of these rows meet their goals, and how many do not.
pub fn count(results: &[&Measured], all: &[Measured]) -> (usize, usize) {
    let (mut met, mut missed) = (0, 0);
    for measured in results {
        for layout in LAYOUTS {
            match goals::judge(measured, all, layout) {
                Some(misses) if misses.is_empty() => met += 1,
                Some(_) => missed += 1,
                None => {}
            }
        }
    }
    (met, missed)
}
