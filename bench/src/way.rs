//! The ways in which denizen does a row: it has several for some, and each is measured.

/// A way, and a column in each layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Way {
    /// The only one; of creating with components, dz_create and then dz_set for each.
    Steps,
    /// dz_create_with.
    With,
    /// A throw-away query, whose loop reads each element through DZ_AT. Of sorting, the only one.
    At,
    /// A throw-away query, runs only: a loop over plain arrays for each run.
    Runs,
    /// A throw-away query that follows the order of a pool: the smallest one's.
    LedAt,
    /// A kept query, refreshed and optimised.
    KeptAt,
    KeptRuns,
    /// A group.
    GroupAt,
    GroupRuns,
    /// Of the rows about trees, the only one; of visiting children, dz_children, batch by batch.
    Tree,
    /// dz_first_child and dz_next_sibling.
    Siblings,
    /// dz_subtree, and each value by dz_get.
    Subtree,
}

impl Way {
    pub const ALL: [Way; 12] = [
        Way::Steps,
        Way::With,
        Way::At,
        Way::Runs,
        Way::LedAt,
        Way::KeptAt,
        Way::KeptRuns,
        Way::GroupAt,
        Way::GroupRuns,
        Way::Tree,
        Way::Siblings,
        Way::Subtree,
    ];

    /// The ways of single operations.
    pub const OPERATIONS: [Way; 2] = [Way::Steps, Way::With];

    /// The ways of querying.
    pub const QUERIES: [Way; 7] =
        [Way::At, Way::Runs, Way::LedAt, Way::KeptAt, Way::KeptRuns, Way::GroupAt, Way::GroupRuns];

    /// The ways of the rows about relationships and the hierarchy.
    pub const TREES: [Way; 3] = [Way::Tree, Way::Siblings, Way::Subtree];

    pub const fn name(self) -> &'static str {
        match self {
            Way::Steps => "create_set_set",
            Way::With => "create_with",
            Way::At => "at",
            Way::Runs => "runs",
            Way::LedAt => "led_at",
            Way::KeptAt => "kept_at",
            Way::KeptRuns => "kept_runs",
            Way::GroupAt => "group_at",
            Way::GroupRuns => "group_runs",
            Way::Tree => "tree",
            Way::Siblings => "siblings",
            Way::Subtree => "subtree",
        }
    }
}
