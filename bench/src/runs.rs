//! Timing: how often a row is repeated, and the shortest run.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How much to measure.
#[derive(Clone, Copy)]
pub struct Effort {
    /// How often to go round all contenders. They take turns, so that a slow minute of the machine
    /// hits all of them.
    pub passes: usize,
    /// Runs in one turn: at least so many,
    pub least: usize,
    /// and more until so much time has gone by.
    pub budget: Duration,
    /// Give freed memory back to the system before each fresh world, so that "first time" at large n
    /// pays for touching memory whoever ran before. (Small worlds live in recycled memory anyway.)
    pub cold: bool,
}

impl Effort {
    /// The effort for worlds of `n` entities.
    pub fn of(n: usize, quick: bool) -> Self {
        let large = n > 100_000;
        let millis = match (large, quick) {
            (true, false) => 100,
            (true, true) => 0,
            (false, false) => 30,
            (false, true) => 6,
        };
        Self {
            passes: if quick { 3 } else { 7 },
            least: if large { 1 } else { 3 },
            budget: Duration::from_millis(millis),
            cold: large,
        }
    }

    /// The effort for queries. They allocate nothing, and large worlds take long to fill.
    pub fn of_query(n: usize, quick: bool) -> Self {
        let large = n > 100_000;
        Self {
            passes: match (quick, n > 1_000_000) {
                (true, _) | (false, true) => 2,
                (false, false) => 5,
            },
            least: 3,
            cold: false,
            ..Self::of(n, quick && !large)
        }
    }

    /// One run: for counting instructions.
    pub fn once() -> Self {
        Self { passes: 1, least: 1, budget: Duration::ZERO, cold: false }
    }
}

/// Fixes two thresholds of glibc's allocator that otherwise move while it runs, and with them the
/// cost of fresh memory from one run to the next. Small worlds always live in recycled memory; the
/// large arrays of large worlds are mapped anew each time, as in a program that has just started.
pub fn settle_allocator() {
    // SAFETY: mallopt sets parameters only.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 4 << 20);
    }
}

/// The runs of one row by one contender.
pub struct Runs {
    effort: Effort,
    turn: Instant,
    runs_in_turn: usize,
    operations: usize,
    best: Option<f64>,
}

impl Runs {
    pub fn new(effort: Effort) -> Self {
        Self { effort, turn: Instant::now(), runs_in_turn: 0, operations: 0, best: None }
    }

    /// The contender's turn begins.
    pub fn start_turn(&mut self) {
        self.turn = Instant::now();
        self.runs_in_turn = 0;
    }

    /// Whether there is another run in this turn. Ask before making the run's world.
    pub fn more(&mut self) -> bool {
        let more = self.runs_in_turn < self.effort.least || self.turn.elapsed() < self.effort.budget;
        if more && self.effort.cold {
            // SAFETY: malloc_trim only gives back memory that nobody holds.
            unsafe { libc::malloc_trim(0) };
        }
        self.runs_in_turn += 1;
        more
    }

    /// Runs `work`, which does so many operations, on the clock.
    #[inline(always)]
    pub fn time<R>(&mut self, operations: usize, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = timed_section(work);
        self.operations += operations;
        let ns = start.elapsed().as_nanos() as f64 / operations as f64;
        self.best = Some(self.best.map_or(ns, |best| best.min(ns)));
        black_box(result)
    }

    /// How many operations all runs together did.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// Nanoseconds per operation in the shortest run, if there was one.
    pub fn best(&self) -> Option<f64> {
        self.best
    }
}

/// The section on the clock. A function with a name of its own, so that callgrind can count exactly
/// what happens in it.
#[inline(never)]
fn timed_section<R>(work: impl FnOnce() -> R) -> R {
    black_box(work())
}
