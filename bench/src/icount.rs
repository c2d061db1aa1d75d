//! denizen's instructions per operation, counted by valgrind's callgrind. Exact and the same on every
//! quiet or busy machine, so this is what tells a small change from noise.
//!
//! Callgrind counts only inside the section that is otherwise on the clock (`runs.rs`), so starting
//! up and preparing worlds do not count; the caller's loop and the call itself do. A repeated string
//! instruction counts once for each repetition, so clearing a buffer shows.

use crate::args::Options;
use crate::column::{COLUMNS, Kind};
use crate::result::live;
use crate::row::Row;
use crate::way::Way;
use std::process::Command;

pub fn count(options: &Options) -> Result<(), String> {
    println!("instructions per operation (callgrind)");
    println!("row       n    64-bit  64-bit with    32-bit  32-bit with");
    let operations = |row: &&Row| !row.is_memory() && row.is_operation();
    for &n in &options.sizes {
        for row in options.rows.iter().copied().filter(operations) {
            let mut line = format!("{:4}{n:>8}", row.name);
            each(row, n, |_, way, cell| {
                let width = if way == Way::With { 13 } else { 10 };
                line.push_str(&format!("{cell:>width$}"));
            })?;
            println!("{line}");
        }
    }
    // The others have other ways.
    for &n in &options.sizes {
        for row in options.rows.iter().copied().filter(|row| !row.is_operation() && !row.is_memory()) {
            let mut line = format!("{:5}{n:>8}", row.name);
            let mut before = None;
            each(row, n, |layout, way, cell| {
                if before.replace(layout) != Some(layout) {
                    line.push_str(&format!("  {layout}-bit:"));
                }
                line.push_str(&format!(" {} {cell}", way.name()));
            })?;
            println!("{line}");
        }
    }
    Ok(())
}

/// Counts each of denizen's columns that the row's kind knows, and hands over what to print.
fn each(row: &Row, n: usize, mut print: impl FnMut(u32, Way, String)) -> Result<(), String> {
    live(&format!("row {} n {n}", row.name));
    for (number, column) in COLUMNS.iter().enumerate() {
        let Kind::Ours { layout, way } = column.kind else {
            continue;
        };
        let counted = match row.ways.contains(&way) {
            true => one(row, n, number)?,
            false if !row.is_operation() || !Way::OPERATIONS.contains(&way) => continue,
            false => None,
        };
        print(layout, way, counted.map_or("-".into(), |count| format!("{count:.1}")));
    }
    live("");
    Ok(())
}

/// One run of one row in a valgrind of its own. None: the row cannot be done.
fn one(row: &Row, n: usize, column: usize) -> Result<Option<f64>, String> {
    let bench = std::env::current_exe().map_err(|error| error.to_string())?;
    let file = std::env::temp_dir().join(format!("denizen-icount-{}", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .arg("--toggle-collect=*timed_section*")
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(bench)
        .args(["--child-run", row.name, &n.to_string(), &column.to_string()])
        // Resolving symbols is not part of any operation.
        .env("LD_BIND_NOW", "1")
        .output()
        .map_err(|error| format!("valgrind: {error}; install it, it counts the instructions"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let report = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let _ = std::fs::remove_file(&file);
    // The child says how many operations it did.
    let operations: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(0.0);
    if operations == 0.0 {
        return Ok(None);
    }
    report
        .lines()
        .find_map(|line| line.strip_prefix("totals:"))
        .and_then(|total| total.trim().parse::<f64>().ok())
        .filter(|&total| total > 0.0)
        .map(|total| Some(total / operations))
        .ok_or_else(|| format!("row {}: callgrind counted nothing", row.name))
}
