//! The rows: their names, and what is promised for each.

use crate::way::Way;

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
    /// A query, held against the floor and the peers.
    Query(QueryPromise),
    /// Relationships and the hierarchy, held against Flecs and the tree by hand.
    Tree(TreePromise),
    /// Bytes per pair that somebody has.
    PairBytes,
    /// Printed for information.
    Nothing,
}

/// What is promised for relationships and the hierarchy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TreePromise {
    /// So many times as fast as Flecs.
    pub flecs: u32,
    /// Within 1.2 of the tree by hand.
    pub by_hand: bool,
}

/// What is promised for a query, each where it is set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct QueryPromise {
    /// Within 1.1 of the floor by the runs-only loop, 1.5 by the DZ_AT loop.
    pub floor: bool,
    /// The best way is no slower than the best peer.
    pub peer: bool,
    /// A throw-away query is no slower than the sparse-set peers, nor a change beside a group,
    pub sparse: Sparse,
    /// and at 1M it is so many times as fast, in percent.
    pub ahead: u32,
    /// A kept query is within 1.25 of the floor, and so many ns a query.
    pub kept: Option<u32>,
}

/// The peers that are sparse sets too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sparse {
    None,
    StandIn,
    /// And sparsey.
    Both,
}

pub struct Row {
    pub name: &'static str,
    pub what: &'static str,
    pub promise: Promise,
    /// Jumps about in memory, so that at large n bytes count more than instructions.
    pub random: bool,
    /// denizen's ways of doing it.
    pub ways: &'static [Way],
    /// Measured only where somebody asks for it.
    pub extra: bool,
}

const ONE_WAY: &[Way] = &[Way::Steps];
const TWO_WAYS: &[Way] = &[Way::Steps, Way::With];
const QUERY: &[Way] = &[Way::At, Way::Runs, Way::LedAt, Way::KeptAt, Way::KeptRuns];
const FOLLOWED: &[Way] = &[Way::KeptAt, Way::GroupAt];
const TREE: &[Way] = &[Way::Tree];
const BEST_FORM: &[Way] = &[Way::KeptAt, Way::KeptRuns, Way::GroupAt, Way::GroupRuns];

const fn row(name: &'static str, promise: Promise, what: &'static str) -> Row {
    Row { name, what, promise, random: false, ways: ONE_WAY, extra: false }
}

/// A row about a query.
const fn query(name: &'static str, promise: QueryPromise, what: &'static str) -> Row {
    Row { name, what, promise: Promise::Query(promise), random: false, ways: QUERY, extra: false }
}

/// A row about relationships or the hierarchy.
const fn tree(name: &'static str, promise: Promise, what: &'static str) -> Row {
    Row { name, what, promise, random: false, ways: TREE, extra: false }
}

/// So many times as fast as Flecs, and about as fast as the tree by hand.
const fn as_by_hand(flecs: u32) -> Promise {
    Promise::Tree(TreePromise { flecs, by_hand: true })
}

/// So many times as fast as Flecs.
const fn times_flecs(flecs: u32) -> Promise {
    Promise::Tree(TreePromise { flecs, by_hand: false })
}

/// No promise, and what each of them begins with.
const NONE: QueryPromise =
    QueryPromise { floor: false, peer: false, sparse: Sparse::None, ahead: 100, kept: None };
/// A throw-away query.
const THROW_AWAY: QueryPromise = QueryPromise { sparse: Sparse::Both, ..NONE };
/// A throw-away query over what lies in runs.
const PLAIN: QueryPromise = QueryPromise { floor: true, peer: true, ..THROW_AWAY };
/// A group or a kept query of that kind.
const BEST: QueryPromise = QueryPromise { floor: true, peer: true, ..NONE };
/// After a churn.
const CHURNED: QueryPromise = QueryPromise { sparse: Sparse::StandIn, ..NONE };
/// A change beside a group.
const BESIDE: QueryPromise = QueryPromise { sparse: Sparse::StandIn, ..NONE };
const CHURNED_1: QueryPromise = QueryPromise { ahead: 130, ..CHURNED };

/// Scattered matches, which at 1M are found so much faster.
const fn scattered(ahead: u32) -> QueryPromise {
    QueryPromise { ahead, kept: Some(0), ..THROW_AWAY }
}

impl Row {
    const fn random(mut self) -> Self {
        self.random = true;
        self
    }

    const fn two_ways(self) -> Self {
        self.by(TWO_WAYS)
    }

    const fn by(mut self, ways: &'static [Way]) -> Self {
        self.ways = ways;
        self
    }

    const fn extra(mut self) -> Self {
        self.extra = true;
        self
    }

    /// Whether it is about queries and what belongs to them.
    pub fn is_query(&self) -> bool {
        self.ways.iter().all(|way| Way::QUERIES.contains(way))
    }

    /// Whether it is about relationships and the hierarchy.
    pub fn is_tree(&self) -> bool {
        self.ways.iter().all(|way| Way::TREES.contains(way))
    }

    /// Whether it is about anything else.
    pub fn is_operation(&self) -> bool {
        !self.is_query() && !self.is_tree()
    }

    pub fn find(name: &str) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.name == name)
    }

    /// Whether the row is measured at one size of its own instead of each n.
    pub fn own_size(&self) -> Option<usize> {
        match self.name {
            "0" => Some(10_000),
            _ if self.is_tree() => Some(100_000),
            _ if self.is_memory() => Some(1_000_000),
            _ => None,
        }
    }

    /// Whether the row counts bytes instead of time.
    pub fn is_memory(&self) -> bool {
        matches!(self.name, "mem" | "alloc" | "14am" | "14tm")
    }
}

use Promise::{AsRow3, Bulk, Bytes, Nothing, OneCall, PairBytes};

pub static ROWS: &[Row] = &[
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
    row("5i", OneCall, "add C2 to all, then remove it, in a pool that was iterated since its last change"),
    row("5b", OneCall, "remove C2, creation order"),
    row("5r", OneCall, "add C2, first time, random order").random(),
    row("5br", OneCall, "remove C2, random order").random(),
    row("5n", Nothing, "add C2 to all in one call, warm"),
    row("5nr", Nothing, "add C2 to all in one call, warm, random order").random(),
    row("5bn", Nothing, "remove C2 from all in one call"),
    row("6", OneCall, "get P, random order").random(),
    row("6f", Bulk, "get P, random order: bulk get, or what a peer lets one keep").random(),
    row("6a", Nothing, "get P, random order, one by one with a kept accessor").random(),
    row("6h", Nothing, "has P, random order: bulk has, or what a peer lets one keep").random(),
    row("6b", OneCall, "has P, random order, all hit").random(),
    row("6b2", OneCall, "has C2, random order, half hit").random(),
    row("6c", OneCall, "get P, creation order"),
    query("7", PLAIN, "iterate P: x += 1"),
    query("8", PLAIN, "P += V, all have both, created together"),
    query("8c1", CHURNED_1, "row 8 after 1% were destroyed and created again"),
    query("8c10", CHURNED, "row 8 after 10%"),
    query("8c50", CHURNED, "row 8 after 50%"),
    query("12a", BEST, "row 8 in the best form").by(BEST_FORM),
    query("9", scattered(120), "P += V, every second has V"),
    query("9c1", CHURNED_1, "row 9 after 1% were destroyed and created again"),
    query("9c10", CHURNED, "row 9 after 10%"),
    query("9c50", CHURNED, "row 9 after 50%"),
    query("10", scattered(200), "P += V, random halves added in random order"),
    query("12b", BEST, "row 10 in the best form").by(BEST_FORM),
    query("12s", NONE, "P += V, half have V; 0.1% change before each query, best form").by(BEST_FORM),
    query("10x", QueryPromise { peer: true, ..THROW_AWAY }, "P += V over 1,024 combinations of 10 tags"),
    query("11", PLAIN, "5 components, all have all"),
    query("11c1", CHURNED_1, "row 11 after 1% were destroyed and created again"),
    query("11c10", CHURNED, "row 11 after 10%"),
    query("11c50", CHURNED, "row 11 after 50%"),
    query("11b", scattered(150), "3 components, without a 4th that a random half has"),
    query("13", QueryPromise { kept: Some(60), ..THROW_AWAY }, "a tag that 1 in 1,000 has, and P"),
    query("13q", NONE, "the same where 1 has the tag: a query"),
    query("g1", NONE, "form a group of P and V, per entity (row 10's)").by(&[Way::GroupAt]),
    query("g2", BESIDE, "add V, random order, warm, beside a group or kept query").by(FOLLOWED),
    query("g3", BESIDE, "remove V, random order, beside a group or kept query").by(FOLLOWED),
    query("s1", NONE, "sort P by x, from a random order").by(&[Way::At]),
    query("s2", NONE, "sort P again after 1% have changed").by(&[Way::At]),
    query("s3", NONE, "bring V into the order of P (row 10's), per entity").by(&[Way::At]),
    query("r1", NONE, "refresh a kept query after 0.1% have changed, per change").by(&[Way::KeptAt]),
    query("o1", NONE, "optimise for a kept query (row 10's), per entity").by(&[Way::KeptAt]),
    query("t1", NONE, "8 components, query of 1").extra(),
    query("t2", NONE, "8 components, query of 2").extra(),
    query("t3", NONE, "8 components, query of 3").extra(),
    query("t4", NONE, "8 components, query of 4").extra(),
    query("t5", NONE, "8 components, query of 5").extra(),
    query("t6", NONE, "8 components, query of 6").extra(),
    query("t7", NONE, "8 components, query of 7").extra(),
    query("t8", NONE, "8 components, query of 8").extra(),
    tree("14a", times_flecs(3), "add (Likes, target), 1,000 targets"),
    tree("14am", PairBytes, "bytes of memory in use per such pair"),
    tree("14t", Nothing, "add (Likes, target), as many targets as entities"),
    tree("14tm", Nothing, "bytes asked for per such pair"),
    tree("14b2", times_flecs(1), "(Likes, X) and P: x += 1, 100 matches, cached; per query"),
    tree("14c", as_by_hand(3), "build a tree, 8 children each"),
    tree("14d", as_by_hand(3), "visit the children of each node, per child").by(&[Way::Tree, Way::Siblings]),
    tree("14e", as_by_hand(3), "V = V of the parent + P, top-down").by(&[Way::Tree, Way::Subtree]),
    tree("14f", as_by_hand(2), "destroy the root, per node"),
    row("mem", Bytes, "bytes of memory in use per entity with P, V and C2"),
    row("alloc", Nothing, "bytes asked for per entity with P, V and C2"),
];
