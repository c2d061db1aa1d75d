//! Which exported functions were called, and what was called last.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};

/// So many calls are told when a case fails.
const TOLD: usize = 40;

thread_local! {
    static CALLED: RefCell<BTreeSet<&'static str>> = RefCell::default();
}

/// Notes that a function is called.
pub fn called(name: &'static str) {
    CALLED.with_borrow_mut(|called| called.insert(name));
}

/// What this thread has called.
pub fn all_called() -> BTreeSet<&'static str> {
    CALLED.with_borrow(Clone::clone)
}

/// Calls an exported function by its contract, and notes that it was called.
#[macro_export]
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        $crate::record::called(stringify!($name));
        #[allow(unused_unsafe, reason = "some take pointers, others don't")]
        unsafe {
            $name($($argument),*)
        }
    }};
}

/// Calls one that changes the world, which it is given as its first argument: see `Host::attempt`.
#[macro_export]
macro_rules! act {
    ($host:ident, $name:ident($($argument:expr),* $(,)?)) => {{
        let arguments: &[String] = &[$(format!("{:x?}", $argument)),*];
        let text = format!("{}({})", stringify!($name), arguments.join(", "));
        $host.attempt(stringify!($name), text, |world| $crate::call!($name(world, $($argument),*)))
    }};
}

/// The last calls, in words.
#[derive(Default)]
pub struct Record(VecDeque<String>);

impl Record {
    pub fn note(&mut self, step: u32, text: &str) {
        if self.0.len() == TOLD {
            self.0.pop_front();
        }
        self.0.push_back(format!("  step {step}: {text}"));
    }

    pub fn tell(&self) -> String {
        self.0.iter().map(|line| format!("{line}\n")).collect()
    }
}
