//! The same for programs: an array of objects, one for each row, n and layout.

use crate::column::Kind;
use crate::goals;
use crate::result::{LAYOUTS, Measured};
use std::path::Path;

pub fn write(path: &Path, results: &[Measured]) -> std::io::Result<()> {
    let objects: Vec<String> = results
        .iter()
        .flat_map(|measured| LAYOUTS.map(|layout| object(measured, results, layout)))
        .flatten()
        .collect();
    std::fs::write(path, format!("[\n{}\n]\n", objects.join(",\n")))
}

/// One object on one line. Names and numbers only, so nothing needs to be escaped.
fn object(measured: &Measured, all: &[Measured], layout: u32) -> Option<String> {
    let ours = measured.ours(layout);
    // Without a figure of ours, what single operations cost others is not worth an object.
    if ours.is_none() && (layout != LAYOUTS[0] || !measured.row.is_operation()) {
        return None;
    }
    // Flecs stands among the peers; it has no other side of the wall.
    let peers = figures(measured, |kind| matches!(kind, Kind::Inlined | Kind::C));
    let walls = figures(measured, |kind| kind == Kind::Wall);
    let unit = if measured.row.is_memory() { "bytes" } else { "ns" };
    let mut fields = vec![
        format!("\"row\":\"{}\"", measured.row.name),
        format!("\"what\":\"{}\"", measured.row.what),
        format!("\"n\":{}", measured.n),
        format!("\"layout\":{layout}"),
    ];
    fields.extend(ours.map(|ours| format!("\"{unit}\":{ours:.3}")));
    let ways: Vec<_> = measured
        .row
        .ways
        .iter()
        .filter_map(|&way| Some((way.name(), measured.ours_by(layout, way)?)))
        .collect();
    if measured.row.ways.len() > 1 {
        fields.push(format!("\"ways\":{}", map(ways.into_iter())));
    }
    if measured.row.is_query() {
        fields.push(format!("\"matches\":{}", measured.matches));
    }
    if let Some(floor) = measured.floor() {
        fields.push(format!("\"floor\":{floor:.3}"));
    }
    fields.push(format!("\"peers\":{peers}"));
    let mut best = vec![("best_inlined", measured.best_inlined())];
    // Only single operations have another side of the wall.
    if measured.row.is_operation() {
        fields.push(format!("\"walls\":{walls}"));
        best.push(("best_wall", measured.best_wall()));
    }
    for (name, best) in best {
        if let Some((peer, figure)) = best {
            fields.push(format!("\"{name}\":{{\"peer\":\"{peer}\",\"{unit}\":{figure:.3}}}"));
        }
    }
    if let Some(misses) = goals::judge(measured, all, layout) {
        let names: Vec<_> = misses.iter().map(|miss| format!("\"{}\"", miss.name())).collect();
        fields.push(format!("\"misses\":[{}]", names.join(",")));
    }
    Some(format!("{{{}}}", fields.join(",")))
}

fn figures(measured: &Measured, kind: impl Fn(Kind) -> bool) -> String {
    map(measured.of(kind))
}

fn map<'a>(figures: impl Iterator<Item = (&'a str, f64)>) -> String {
    let entries: Vec<_> = figures.map(|(name, figure)| format!("\"{name}\":{figure:.3}")).collect();
    format!("{{{}}}", entries.join(","))
}
