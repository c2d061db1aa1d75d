//! The operations, and how likely each is. Entities and components are given by number among those
//! there are when the operation runs, so that most hit something.

use proptest::prelude::*;

/// An entity.
#[derive(Clone, Copy, Debug)]
pub enum Who {
    Alive(u16),
    /// One that was destroyed; its slot may live again.
    Gone(u16),
    Component(u8),
    /// A handle that nobody was ever given: which kind of bad, and a number.
    Forged(u8, u16),
}

/// A component.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    Registered(u8),
    Builtin,
    Not(Who),
}

/// Several entities: `count` living ones from number `first` on, each `step` further; and another in
/// front of number `at`, which may be bad or one of them.
#[derive(Clone, Copy, Debug)]
pub struct Many {
    pub first: u16,
    pub step: u8,
    pub count: u8,
    pub extra: Option<(u8, Who)>,
}

/// A handle to create: the slot of somebody gone, or an index behind the end; and how much later a
/// generation (255: the last).
#[derive(Clone, Copy, Debug)]
pub enum Spot {
    Of(Who, u8),
    Behind(u8, u8),
}

/// A value's size: right, or not.
pub type Size = Option<u32>;

/// What a group is made of.
#[derive(Clone, Debug)]
pub struct Terms {
    pub owned: Vec<Which>,
    pub included: Vec<Which>,
    pub excluded: Vec<Which>,
}

/// Operations on groups, and sorts. Groups are given by number; true: kept.
#[derive(Clone, Debug)]
pub enum GroupOp {
    Create(Terms),
    Destroy(u8),
    Sort(Which, u8, bool),
    SortAs(Which, Which, bool),
    Refresh(Which),
    Release(Which),
    GroupSort(u8, Which, u8, bool),
    GroupSortAs(u8, Which, bool),
    GroupRefresh(u8),
    GroupRelease(u8),
}

#[derive(Clone, Debug)]
pub enum Op {
    Create,
    CreateN(u8),
    CreateAt(Spot),
    CreateAtN(Vec<Spot>),
    /// Columns: component, whether with values, size; and whether the handles are wanted.
    CreateWith(u8, Vec<(Which, bool, Size)>, bool),
    Destroy(Who),
    DestroyN(Many),
    DestroyEach(Many),
    Clone(Who),
    WorldClear,
    Shrink,
    Reserve(u16),
    Add(Who, Which),
    Remove(Who, Which),
    Set(Who, Which, Size),
    Get(Who, Which),
    GetMut(Who, Which),
    GetOrAdd(Who, Which),
    AddN(Many, Which),
    RemoveN(Many, Which),
    SetN(Many, Which, Size),
    GetN(Many, Which),
    GetMutN(Many, Which),
    GetOrAddN(Many, Which),
    Register(u8, bool),
    Unregister(Which),
    ClearPool(Which),
    Compact(Which),
    SingletonSet(Which, Size),
    SingletonRemove(Which),
    Group(GroupOp),
    Listen(u8, Which),
    Unlisten(u8),
    /// In the next operation the hooks' call with that number fails.
    FailHook(u8),
    /// In the next operation the allocation with that number fails.
    Starve(u8),
}

fn who() -> BoxedStrategy<Who> {
    prop_oneof![
        40 => any::<u16>().prop_map(Who::Alive),
        4 => any::<u16>().prop_map(Who::Gone),
        1 => any::<u8>().prop_map(Who::Component),
        2 => (0..9_u8, any::<u16>()).prop_map(|(how, number)| Who::Forged(how, number)),
    ]
    .boxed()
}

fn which() -> BoxedStrategy<Which> {
    prop_oneof![
        40 => any::<u8>().prop_map(Which::Registered),
        1 => Just(Which::Builtin),
        1 => who().prop_map(Which::Not),
    ]
    .boxed()
}

fn many() -> BoxedStrategy<Many> {
    let extra = prop::option::weighted(0.15, (any::<u8>(), who()));
    (any::<u16>(), 1..8_u8, 0..40_u8, extra)
        .prop_map(|(first, step, count, extra)| Many { first, step, count, extra })
        .boxed()
}

fn spot() -> BoxedStrategy<Spot> {
    let later = prop_oneof![4 => Just(0), 3 => 1..4_u8, 1 => 250..=255_u8];
    prop_oneof![
        2 => (who(), later.clone()).prop_map(|(who, later)| Spot::Of(who, later)),
        1 => (0..30_u8, later).prop_map(|(behind, later)| Spot::Behind(behind, later)),
    ]
    .boxed()
}

fn size() -> BoxedStrategy<Size> {
    prop_oneof![20 => Just(None), 1 => prop_oneof![Just(0), Just(1), Just(4), Just(5000)].prop_map(Some)]
        .boxed()
}

fn group_op() -> BoxedStrategy<GroupOp> {
    use GroupOp::*;
    let few = |most| prop::collection::vec(which(), 0..most);
    let terms =
        (few(4), few(3), few(3)).prop_map(|(owned, included, excluded)| Terms { owned, included, excluded });
    let keep = || prop::bool::weighted(0.4);
    prop_oneof![
        12 => terms.prop_map(Create),
        2 => any::<u8>().prop_map(Destroy),
        4 => (which(), 0..3_u8, keep()).prop_map(|(c, how, keep)| Sort(c, how, keep)),
        2 => (which(), which(), keep()).prop_map(|(c, like, keep)| SortAs(c, like, keep)),
        2 => which().prop_map(Refresh),
        2 => which().prop_map(Release),
        4 => (any::<u8>(), which(), 0..3_u8, keep()).prop_map(|(g, c, h, k)| GroupSort(g, c, h, k)),
        2 => (any::<u8>(), which(), keep()).prop_map(|(g, c, k)| GroupSortAs(g, c, k)),
        2 => any::<u8>().prop_map(GroupRefresh),
        1 => any::<u8>().prop_map(GroupRelease),
    ]
    .boxed()
}

pub fn op() -> BoxedStrategy<Op> {
    use Op::*;
    let columns = prop::collection::vec((which(), any::<bool>(), size()), 0..5);
    let creating = prop_oneof![
        3 => Just(Create),
        3 => (0..30_u8).prop_map(CreateN),
        2 => spot().prop_map(CreateAt),
        2 => prop::collection::vec(spot(), 0..8).prop_map(CreateAtN),
        6 => (prop_oneof![Just(1), 0..60_u8], columns, any::<bool>()).prop_map(|(n, c, k)| CreateWith(n, c, k)),
        2 => who().prop_map(Clone),
    ];
    let ending = prop_oneof![
        5 => who().prop_map(Destroy),
        3 => many().prop_map(DestroyN),
        1 => many().prop_map(DestroyEach),
        1 => prop_oneof![1 => Just(WorldClear), 3 => Just(Shrink), 1 => any::<u16>().prop_map(Reserve)],
    ];
    let single = prop_oneof![
        4 => (who(), which()).prop_map(|(e, c)| Add(e, c)),
        5 => (who(), which()).prop_map(|(e, c)| Remove(e, c)),
        5 => (who(), which(), size()).prop_map(|(e, c, s)| Set(e, c, s)),
        2 => (who(), which()).prop_map(|(e, c)| Get(e, c)),
        2 => (who(), which()).prop_map(|(e, c)| GetMut(e, c)),
        2 => (who(), which()).prop_map(|(e, c)| GetOrAdd(e, c)),
    ];
    let bulk = prop_oneof![
        3 => (many(), which()).prop_map(|(e, c)| AddN(e, c)),
        4 => (many(), which()).prop_map(|(e, c)| RemoveN(e, c)),
        3 => (many(), which(), size()).prop_map(|(e, c, s)| SetN(e, c, s)),
        1 => (many(), which()).prop_map(|(e, c)| GetN(e, c)),
        1 => (many(), which()).prop_map(|(e, c)| GetMutN(e, c)),
        2 => (many(), which()).prop_map(|(e, c)| GetOrAddN(e, c)),
    ];
    let components = prop_oneof![
        8 => (any::<u8>(), prop::bool::weighted(0.9)).prop_map(|(kind, right)| Register(kind, right)),
        1 => which().prop_map(Unregister),
        1 => which().prop_map(ClearPool),
        2 => which().prop_map(Compact),
        2 => (which(), size()).prop_map(|(c, s)| SingletonSet(c, s)),
        1 => which().prop_map(SingletonRemove),
        2 => (0..6_u8, which()).prop_map(|(kind, c)| Listen(kind, c)),
        1 => any::<u8>().prop_map(Unlisten),
    ];
    let groups = group_op().prop_map(Group);
    let trouble = prop_oneof![(0..6_u8).prop_map(FailHook), (0..6_u8).prop_map(Starve)];
    prop_oneof![12 => creating, 8 => ending, 20 => single, 12 => bulk, 9 => components, 9 => groups, 6 => trouble].boxed()
}
