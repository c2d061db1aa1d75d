//! Row l: the same loop over a query in C, C++ and Zig. The loops are `c/languages.c`, `c/languages.cpp` and
//! `zig/loop.zig`, each as a program in that language writes it.

use crate::runs::{Effort, Runs, settle_allocator};
use core::ffi::c_void;

/// `languages` of c/languages.h.
#[repr(C)]
struct Languages {
    world: u32,
    query: u32,
    p: u64,
}

#[link(name = "loops", kind = "static")]
unsafe extern "C" {
    fn languages_begin(n: u32, apart: bool, it: *mut Languages) -> bool;
    fn languages_end(it: *mut Languages) -> f64;
    fn c_at(world: u32, query: u32) -> bool;
    fn c_runs(world: u32, query: u32) -> bool;
}

#[link(name = "loops_cpp", kind = "static")]
unsafe extern "C" {
    fn cpp_begin(world: u32) -> *mut c_void;
    fn cpp_end(movers: *mut c_void);
    fn cpp_each(movers: *const c_void) -> bool;
    fn cpp_runs(movers: *const c_void) -> bool;
}

#[cfg(zig)]
unsafe extern "C" {
    fn zig_at(world: u32, query: u32) -> bool;
    fn zig_run(world: u32, query: u32) -> bool;
}

/// A language's loop over that world. Queries in C++ are objects.
type Loop = fn(&Languages, *const c_void) -> bool;

/// A form of the loop, and who has it. SAFETY of all: the world and the query live, and are of P and V.
struct Form {
    name: &'static str,
    loops: &'static [(&'static str, Loop)],
}

const FORMS: &[Form] = &[
    Form {
        name: "element by element",
        loops: &[
            ("C", |it, _| unsafe { c_at(it.world, it.query) }),
            ("C++", |_, movers| unsafe { cpp_each(movers) }),
            #[cfg(zig)]
            ("Zig", |it, _| unsafe { zig_at(it.world, it.query) }),
        ],
    },
    Form {
        name: "by runs",
        loops: &[
            ("C", |it, _| unsafe { c_runs(it.world, it.query) }),
            ("C++", |_, movers| unsafe { cpp_runs(movers) }),
            #[cfg(zig)]
            ("Zig", |it, _| unsafe { zig_run(it.world, it.query) }),
        ],
    },
];

/// How far from the fastest one a language may be.
const NEAR: f64 = 1.05;

/// Measures and prints. `quick`: a first look.
pub fn run(n: usize, quick: bool) -> Result<(), String> {
    settle_allocator();
    println!("row l: P += V, {n} entities, ns per match; x: times the fastest. MISS: over {NEAR} of it");
    for (world, apart) in [("all have both", false), ("every second has V", true)] {
        for form in FORMS {
            // Runs-only loops over what lies apart are about the library, not about languages.
            if apart && form.name == "by runs" {
                continue;
            }
            let figures = measure(form, n, apart, quick)?;
            let fastest = figures.iter().copied().fold(f64::INFINITY, f64::min);
            print!("{world:20} {:20}", form.name);
            for ((language, _), ns) in form.loops.iter().zip(figures) {
                let miss = if ns > fastest * NEAR { " MISS" } else { "" };
                print!(" | {language} {ns:.3} ({:.2}x{miss})", ns / fastest);
            }
            println!();
        }
    }
    if !cfg!(zig) {
        println!("NOT MEASURED: Zig, whose compiler (python3 -m ziglang) is not there");
    }
    Ok(())
}

fn measure(form: &Form, n: usize, apart: bool, quick: bool) -> Result<Vec<f64>, String> {
    let failed = |what: &str| Err(format!("row l, {}: {what}", form.name));
    let mut it = Languages { world: 0, query: 0, p: 0 };
    // SAFETY: there is room for what is written.
    if !unsafe { languages_begin(n as u32, apart, &mut it) } {
        return failed("the world can't be made");
    }
    // SAFETY: the world was just made.
    let movers = unsafe { cpp_begin(it.world) };
    let effort = Effort::of(n, quick);
    let mut runs: Vec<Runs> = form.loops.iter().map(|_| Runs::new(effort)).collect();
    let matches = if apart { n.div_ceil(2) } else { n };
    let mut good = !movers.is_null();
    let mut rounds = 0.0;
    for _ in 0..effort.passes {
        for ((_, body), runs) in form.loops.iter().zip(&mut runs) {
            runs.start_turn();
            while runs.more() {
                // 20 loops a reading of the clock; the numbers stay whole below 2^24.
                good &= runs.time(matches * 20, || (0..20).all(|_| body(&it, movers)));
                rounds += 20.0;
            }
        }
    }
    // SAFETY: both were made above, and nobody uses them any longer.
    let seen = unsafe {
        cpp_end(movers);
        languages_end(&mut it)
    };
    if !good || seen != rounds {
        return failed("a loop did not do what it was to do");
    }
    Ok(runs.iter().filter_map(Runs::best).collect())
}
