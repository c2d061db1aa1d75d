//! The rows: their names, and what is promised for each.

/// What a row is held against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// One call per operation: the best peer behind the wall, the best inlined one, and Flecs.
    OneCall,
    /// A bulk call: the best inlined peer.
    Bulk,
    /// Row 3, but for a tenth.
    AsRow3,
    /// Bytes per entity: a limit for each layout.
    Bytes,
    /// Printed for information.
    Nothing,
}

pub struct Row {
    pub name: &'static str,
    pub what: &'static str,
    pub promise: Promise,
    /// Jumps about in memory, so that at large n bytes count more than instructions.
    pub random: bool,
    /// Creates entities with components one at a time, for which denizen has two ways.
    pub two_ways: bool,
}

const fn row(name: &'static str, promise: Promise, what: &'static str) -> Row {
    Row { name, what, promise, random: false, two_ways: false }
}

impl Row {
    const fn random(mut self) -> Self {
        self.random = true;
        self
    }

    const fn two_ways(mut self) -> Self {
        self.two_ways = true;
        self
    }

    pub fn find(name: &str) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.name == name)
    }

    /// Whether the row is measured at one size of its own instead of each n.
    pub fn own_size(&self) -> Option<usize> {
        match self.name {
            "0" => Some(10_000),
            _ if self.is_memory() => Some(1_000_000),
            _ => None,
        }
    }

    /// Whether the row counts bytes instead of time.
    pub fn is_memory(&self) -> bool {
        matches!(self.name, "mem" | "alloc")
    }
}

use Promise::{AsRow3, Bulk, Bytes, Nothing, OneCall};

pub static ROWS: [Row; 26] = [
    row("0", Nothing, "an empty call through the shared library"),
    row("1", OneCall, "create empty entities, one by one"),
    row("1b", Bulk, "create empty entities, bulk"),
    row("2", OneCall, "create with P and V, one by one").two_ways(),
    row("2w", OneCall, "the same in a world that held as many before").two_ways(),
    row("2b", Bulk, "create with P and V, bulk"),
    row("3", OneCall, "destroy in creation order, 32 component types"),
    row("3b", OneCall, "destroy in random order, 32 types").random(),
    row("3c", Bulk, "destroy, bulk, 32 types"),
    row("3k", AsRow3, "row 3 with 1,000 component types"),
    row("3m", Nothing, "row 3 where each entity also has one of 30 other types"),
    row("3mk", Nothing, "the same with 998 other types"),
    row("4", OneCall, "churn: destroy a random one, create one with P and V").random().two_ways(),
    row("4r", OneCall, "churn with 32 types in use").random().two_ways(),
    row("5", OneCall, "add C2, first time"),
    row("5w", OneCall, "add C2, warm"),
    row("5b", OneCall, "remove C2, creation order"),
    row("5r", OneCall, "add C2, first time, random order").random(),
    row("5br", OneCall, "remove C2, random order").random(),
    row("6", OneCall, "get P, random order").random(),
    row("6f", Bulk, "get P, random order: bulk get, or what a peer lets one keep").random(),
    row("6b", OneCall, "has P, random order, all hit").random(),
    row("6b2", OneCall, "has C2, random order, half hit").random(),
    row("6c", OneCall, "get P, creation order"),
    row("mem", Bytes, "bytes of memory in use per entity with P, V and C2"),
    row("alloc", Nothing, "bytes asked for per entity with P, V and C2"),
];
