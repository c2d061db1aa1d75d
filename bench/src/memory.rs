//! Bytes per entity. Each contender is measured in a process of its own, so that nobody inherits
//! somebody's freed memory: the bench calls itself with `--child-bytes`.

use crate::column::Column;
use crate::input;
use crate::row::Row;
use peers::Contender;
use std::process::Command;

/// Bytes for a world and n entities with P, V and C2, made one by one.
#[derive(Clone, Copy)]
pub struct Bytes {
    /// What the process grew by: pages that were touched, but for those of files, which are the code that ran for the first
    /// time. The goal is about these.
    pub resident: f64,
    /// Asked of the allocator, its rounding and headers included, touched or not.
    pub allocated: f64,
}

/// Measures in this process.
pub fn measure<C: Contender>(n: usize) -> Bytes {
    // Whatever a library sets up once in a process happens here.
    drop(C::new(0));
    let mut world = None;
    growth(|| {
        let world = world.insert(C::new(0));
        for i in 0..n {
            world.create_pvc(input::p(i), input::v(i), input::c2(i));
        }
    })
}

/// What this process grows by while something is done.
pub fn growth(work: impl FnOnce()) -> Bytes {
    let before = now();
    work();
    let after = now();
    Bytes { allocated: after.allocated - before.allocated, resident: after.resident - before.resident }
}

fn now() -> Bytes {
    // SAFETY: mallinfo2 and sysconf only report.
    let (info, page) = unsafe { (libc::mallinfo2(), libc::sysconf(libc::_SC_PAGESIZE)) };
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let field = |nth| statm.split(' ').nth(nth).and_then(|pages| pages.parse().ok()).unwrap_or(f64::NAN);
    let pages: f64 = field(1) - field(2);
    Bytes { allocated: (info.uordblks + info.hblkhd) as f64, resident: pages * page as f64 }
}

/// Measures in a new process. The answer is per entity; None: that column can't do the row.
pub fn measure_apart(row: &Row, n: usize, column: usize) -> Result<Option<Bytes>, String> {
    let bench = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(bench)
        .args(["--child-bytes", row.name, &n.to_string(), &column.to_string()])
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().map(str::parse::<f64>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(allocated)), Some(Ok(resident))) if output.status.success() => {
            Ok(Some(Bytes { allocated: allocated / n as f64, resident: resident / n as f64 }))
        }
        (None, None) if output.status.success() => Ok(None),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The child's side of `measure_apart`.
pub fn report(row: &Row, n: usize, column: &Column) {
    if let Some(bytes) = column.bytes(row, n) {
        println!("{} {}", bytes.allocated, bytes.resident);
    }
}
