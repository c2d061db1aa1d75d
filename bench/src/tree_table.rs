//! The table for people, of the rows about relationships and the hierarchy.

use crate::result::{LAYOUTS, Measured};
use crate::table::{self, cell};
use crate::way::Way;
use std::fmt::Write;

const LEGEND: &str = "\
ns per entity, node or child; 14b2: per query; 14am, 14tm: bytes. siblings: by dz_first_child and dz_next_sibling,
not dz_children; subtree: by dz_subtree and dz_get. by hand: a list in a component of the EnTT stand-in. x: Flecs by
denizen's best figure, and that by the one by hand. MISS names each goal that was missed:
  flecs    not 3 (14f: 2, 14b2: 1) times as fast as Flecs
  hand     over 1.2 of the tree by hand
  bytes    64 bytes or more per pair
";

/// Nothing if there is no such row.
pub fn render(all: &[Measured]) -> String {
    let results: Vec<_> = all.iter().filter(|measured| measured.row.is_tree()).collect();
    let mut text = String::new();
    if results.is_empty() {
        return text;
    }
    write(&mut text, &results, all).expect("a String takes all");
    text
}

fn write(text: &mut String, results: &[&Measured], all: &[Measured]) -> std::fmt::Result {
    writeln!(text, "\n{:13}|{:^33}|{:^27}|", "", "denizen", "peers, inlined")?;
    writeln!(
        text,
        "row         n|      {:>9}{:>9}{:>9}|{:>9}{:>9}{:>9}| x Flecs  x hand  goals",
        "", "siblings", "subtree", "Flecs", "bevy", "by hand"
    )?;
    for measured in results {
        for layout in LAYOUTS {
            line(text, measured, all, layout)?;
        }
    }
    text.push_str(LEGEND);
    let (met, missed) = table::count(results, all);
    writeln!(text, "goals of trees met in {met} of {} figures", met + missed)
}

fn line(text: &mut String, measured: &Measured, all: &[Measured], layout: u32) -> std::fmt::Result {
    // The peers have no layout.
    let first = layout == LAYOUTS[0];
    match first {
        true => write!(text, "{:5}{:>8}", measured.row.name, measured.n)?,
        false => write!(text, "{:13}", "")?,
    }
    write!(text, "|{layout:>3}bit")?;
    for way in Way::TREES {
        match measured.row.ways.contains(&way) {
            true => write!(text, "{:>9}", cell(measured.ours_by(layout, way)))?,
            false => write!(text, "{:9}", "")?,
        }
    }
    write!(text, "|")?;
    let (flecs, by_hand) = (measured.flecs(), measured.inlined("entt_standin"));
    for peer in [flecs, measured.inlined("bevy_ecs"), by_hand] {
        match first {
            true => write!(text, "{:>9}", cell(peer))?,
            false => write!(text, "{:9}", "")?,
        }
    }
    let ours = measured.ours(layout);
    let by_flecs = flecs.zip(ours).map(|(flecs, ours)| flecs / ours);
    let by_hand = by_hand.zip(ours).map(|(by_hand, ours)| ours / by_hand);
    write!(text, "|{:>8}{:>8}  {}", cell(by_flecs), cell(by_hand), table::mark(measured, all, layout))?;
    let kept = text.trim_end().len();
    text.truncate(kept);
    text.push('\n');
    Ok(())
}
