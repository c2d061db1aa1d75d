//! Every exported function, as data: its parameters, what kind of thing each is, what it does to a
//! world, and a way to call it with arguments that are all integers. A test compares the list with a
//! parse of the header, so that a new function or parameter must come in here.

use denizen::ffi::types::*;
use std::ffi::c_void;

/// What a parameter is, which says what can be wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A world; a bad one is an error.
    World,
    /// A world that is only asked about: a bad one is no error.
    WorldTested,
    /// A world that is looked at if there is one: everything is fine.
    WorldHint,
    /// A living entity that is not a component.
    Plain,
    /// A living entity, components included.
    Entity,
    /// An entity that is only asked about: a bad one is no error.
    EntityTested,
    /// An entity that is only looked at: everything is fine.
    EntityParts,
    /// A handle that nobody has yet.
    Unborn,
    /// A component or tag, to read; built-in ones too.
    PartRead,
    /// A component or tag, to change.
    Part,
    /// A component with data, to read.
    DataRead,
    /// A component with data, to change.
    Data,
    /// A component with stable addresses.
    Stable,
    /// A component whose pool can be sorted: it keeps no addresses, and no group owns it.
    Sorted,
    /// A component that members of the group have, or DZ_NULL.
    Term,
    /// The component of a listener.
    Listened,
    /// Whatever can be added, to read: a component, a pair, an entity as a tag, one with a role.
    AnyRead,
    /// The same, to change.
    Any,
    /// The same, with data, to read.
    AnyDataRead,
    /// The same, with data, to change.
    AnyData,
    /// A relation.
    Relation,
    /// A relation whose pairs have data.
    RelationData,
    /// A relation that nobody has pairs of.
    RelationIdle,
    /// A pair's target.
    Target,
    /// The id of a pair.
    Pair,
    /// An id that is no component's.
    Held,
    /// `n` entities, all different, none a component.
    Plains,
    /// `n` entities to destroy: as `Plains`, and a component that is held is told apart.
    Doomed,
    /// `n` entities in any order, components and repetitions included.
    Entities,
    /// `n` handles that nobody has yet.
    Unborns,
    /// Columns of values.
    Columns,
    /// How many columns.
    ColumnCount,
    /// A count that says how long the arrays are.
    N,
    /// A count of entities to make, which is checked before an array is touched.
    NMade,
    /// A count of entities that must all be different: more than there are is an error.
    NDifferent,
    /// A count of entities to reserve for.
    Reserve,
    /// Room in an array that may be NULL if there is none.
    Room,
    /// Room where none is nothing to do.
    RoomSome,
    /// A size that must be the component's.
    Size,
    /// A dz_direction.
    Direction,
    /// A dz_event_kind.
    Event,
    /// A dz_sort_mode.
    Mode,
    /// The index of a slot.
    Index,
    /// A number for which every value is fine.
    Number,
    /// A place to write to.
    Out,
    /// An array to write to, as long as `Room` says.
    OutRoom,
    /// An array to write to, or NULL.
    OutOptional,
    /// A value to read.
    Value,
    /// A pointer to an element.
    Element,
    /// A pointer that is never followed.
    User,
    /// A name.
    Name,
    /// A function of the caller's.
    Function,
    /// A comparison of the caller's.
    Compare,
    /// A connected listener.
    Listener,
    /// A group.
    Group,
    /// An iterator that was started.
    Iter,
    /// An iterator of all of a query.
    QueryIter,
    /// A query.
    Query,
    /// A query of which only what it was made of is read: a lost one is fine.
    QueryRead,
    /// A kept query.
    Kept,
    /// A dz_query_desc.
    QueryDesc,
    /// A query as text.
    QueryText,
    /// An accessor.
    Accessor,
    /// A part, below the number of parts.
    PartNumber,
    /// The number of parts.
    Parts,
    /// A function that gets batches.
    BatchFunction,
    /// A dz_world_desc or NULL.
    WorldDesc,
    /// A dz_component_desc.
    ComponentDesc,
    /// A dz_group_desc.
    GroupDesc,
    /// A dz_relation_desc.
    RelationDesc,
    /// An entity that isn't the one before it, nor below it, or DZ_NULL.
    Parent,
    /// Another child of the same parent, or DZ_NULL.
    Sibling,
    /// A child, or one of a subtree, or DZ_NULL.
    After,
    /// An entity above the other, or DZ_NULL.
    Above,
    /// A dz_place.
    Place,
    /// A dz_tree_order.
    TreeOrder,
    /// An entity's name, or NULL.
    EntityName,
    /// A path of names.
    Path,
    /// What stands between names, or NULL.
    Separator,
    /// Yes or no; one of them is how it is.
    Flag,
    /// A component that the entity has.
    Owned,
    /// An iterator of a query that stands on a batch.
    BatchIter,
    /// The number of a term, or of an element of the batch.
    InBatch,
}

/// What a function does to a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing; or the call is not on a world.
    Reads,
    /// Changes values or reserves memory: listeners may.
    Values,
    /// Creates, destroys, adds, removes, connects: listeners may not.
    Changes,
}

/// What a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The answer as bits; a failure is 0 there, unless it is a status.
    pub value: u64,
    /// The status, where the function returns one.
    pub status: Option<dz_status>,
}

/// An exported function.
pub struct Call {
    pub name: &'static str,
    pub effect: Effect,
    pub params: &'static [(&'static str, Kind)],
    pub run: fn(&[u64]) -> Outcome,
}

impl Call {
    /// Whether it is a call on a world.
    pub fn has_world(&self) -> bool {
        self.params.iter().any(|(_, kind)| {
            matches!(kind, Kind::World | Kind::Iter | Kind::QueryIter | Kind::BatchIter | Kind::Accessor)
        })
    }

    /// What it returns when it fails, where that is no status.
    pub fn failure(&self) -> u64 {
        match self.name {
            "dz_each_slow" => u32::MAX.into(),
            "dz_query_is_empty" => 1,
            _ => 0,
        }
    }
}

/// A function by its name.
pub fn call(name: &str) -> &'static Call {
    CALLS.iter().find(|call| call.name == name).unwrap_or_else(|| panic!("{name} has no row in calls.rs"))
}

trait Bits {
    fn of(bits: u64) -> Self;
}

macro_rules! bits {
    ($($type:ty = |$bits:ident| $make:expr;)*) => {
        $(impl Bits for $type {
            fn of($bits: u64) -> Self {
                $make
            }
        })*
    };
}

bits! {
    u64 = |bits| bits;
    u32 = |bits| bits as u32;
    i32 = |bits| bits as i32;
    bool = |bits| bits != 0;
    dz_world = |bits| dz_world { bits: bits as u32 };
    dz_listener = |bits| dz_listener { bits: bits as u32 };
    dz_query = |bits| dz_query { bits: bits as u32 };
    dz_batch_fn = |bits| unsafe { std::mem::transmute::<usize, dz_batch_fn>(bits as usize) };
    dz_group = |bits| dz_group { bits: bits as u32 };
    dz_compare_fn = |bits| unsafe { std::mem::transmute::<usize, dz_compare_fn>(bits as usize) };
    dz_listener_fn = |bits| unsafe { std::mem::transmute::<usize, dz_listener_fn>(bits as usize) };
}

impl<T> Bits for *const T {
    fn of(bits: u64) -> Self {
        std::ptr::with_exposed_provenance(bits as usize)
    }
}

impl<T> Bits for *mut T {
    fn of(bits: u64) -> Self {
        std::ptr::with_exposed_provenance_mut(bits as usize)
    }
}

trait Answer {
    fn outcome(self) -> Outcome;
}

macro_rules! answers {
    ($($type:ty = |$it:ident| $value:expr;)*) => {
        $(impl Answer for $type {
            fn outcome(self) -> Outcome {
                let $it = self;
                Outcome { value: $value, status: None }
            }
        })*
    };
}

answers! {
    () = |_it| 0;
    u64 = |it| it;
    u32 = |it| it.into();
    bool = |it| it.into();
    dz_world = |it| it.bits.into();
    dz_listener = |it| it.bits.into();
    dz_query = |it| it.bits.into();
    dz_group = |it| it.bits.into();
    *mut c_void = |it| it as u64;
    *const c_void = |it| it as u64;
    *const std::ffi::c_char = |it| it as u64;
    *const denizen::ffi::abi::dz_abi = |it| it as u64;
}

impl Answer for dz_status {
    fn outcome(self) -> Outcome {
        Outcome { value: 0, status: Some(self) }
    }
}

macro_rules! calls {
    ($($area:ident { $($effect:ident $name:ident($($param:ident: $kind:ident),*);)* })*) => {
        /// Every exported function, in the order of the header.
        pub static CALLS: &[Call] = &[$($(Call {
            name: stringify!($name),
            effect: Effect::$effect,
            params: &[$((stringify!($param), Kind::$kind)),*],
            #[allow(unused_unsafe, unused_mut, unused_variables)]
            run: |args| {
                let mut args = args.iter().copied();
                $(let $param = Bits::of(args.next().expect(stringify!($param)));)*
                unsafe { denizen::ffi::$area::$name($($param),*) }.outcome()
            },
        },)*)*];
    };
}

calls! {
    world {
        Reads   dz_version();
        Reads   dz_world_create(desc: WorldDesc);
        Changes dz_world_destroy(world: World);
        Changes dz_world_clear(world: World);
        Changes dz_shrink(world: World);
        Values  dz_reserve(world: World, entities: Reserve);
        Reads   dz_world_is_alive(world: WorldTested);
        Reads   dz_world_number(world: World);
        Reads   dz_world_user(world: World);
        Values  dz_world_set_user(world: World, user: User);
        Reads   dz_worlds(worlds: OutRoom, capacity: Room, count: Out);
        Reads   dz_world_stats(world: World, numbers: Out);
        Reads   dz_error_status();
        Reads   dz_error_message();
        Reads   dz_error_clear();
        Reads   dz_status_name(status: Number);
        Reads   dz_entity_text(entity: EntityParts, text: OutRoom, capacity: Room);
    }
    entity {
        Changes dz_create(world: World);
        Changes dz_create_n(world: World, n: NMade, entities: Out);
        Changes dz_create_at(world: World, entity: Unborn);
        Changes dz_create_at_n(world: World, entities: Unborns, n: NDifferent);
        Changes dz_create_with(world: World, n: NMade, columns: Columns, column_count: ColumnCount, entities: OutOptional);
        Changes dz_clone(world: World, entity: Plain);
        Changes dz_destroy(world: World, entity: Plain);
        Changes dz_destroy_n(world: World, entities: Doomed, n: N, report: OutOptional);
        Reads   dz_is_alive(world: WorldTested, entity: EntityTested);
        Reads   dz_why(world: World, entity: Entity);
        Reads   dz_generation(world: World, index: Index);
        Reads   dz_entity_index(entity: EntityParts);
        Reads   dz_entity_generation(entity: EntityParts);
        Reads   dz_entity_world(entity: EntityParts);
        Reads   dz_entities(world: World, first: Number, entities: Out, capacity: RoomSome, count: Out, next: Out);
        Reads   dz_type(world: World, entity: Entity, ids: OutRoom, capacity: Room, count: Out);
        Reads   dz_entity_make(world_number: Number, index: Number, generation: Number);
        Reads   dz_world_why(world: World);
    }
    component {
        Changes dz_component_register(world: World, desc: ComponentDesc);
        Changes dz_component_unregister(world: World, id: Part);
        Reads   dz_component_find(world: World, name: Name);
        Reads   dz_component_id(world: World);
        Reads   dz_components(world: World, ids: OutRoom, capacity: Room, count: Out);
        Reads   dz_component_info(world: World, id: PartRead, details: Out);
        Reads   dz_count(world: World, id: PartRead);
        Changes dz_clear_pool(world: World, id: Part);
        Changes dz_compact(world: World, id: Stable);
        Reads   dz_entity_of(world: World, id: DataRead, element: Element);
        Changes dz_singleton_set(world: World, id: Data, size: Size, value: Value);
        Reads   dz_singleton_get(world: World, id: DataRead);
        Reads   dz_singleton_get_mut(world: World, id: DataRead);
        Changes dz_singleton_remove(world: World, id: Data);
    }
    access {
        Changes dz_add(world: World, entity: Plain, id: Any);
        Changes dz_remove(world: World, entity: Plain, id: Any);
        Values  dz_set(world: World, entity: Plain, id: AnyData, size: Size, value: Value);
        Reads   dz_get(world: World, entity: Entity, id: AnyDataRead);
        Values  dz_get_mut(world: World, entity: Entity, id: AnyData);
        Reads   dz_has(world: World, entity: Entity, id: AnyRead);
        Values  dz_get_or_add(world: World, entity: Plain, id: AnyData);
    }
    enable {
        Changes dz_set_enabled(world: World, entity: Plain, enabled: Flag);
        Reads   dz_is_enabled(world: World, entity: Entity);
        Changes dz_set_component_enabled(world: World, entity: Plain, id: Owned, enabled: Flag);
        Reads   dz_is_component_enabled(world: World, entity: Entity, id: PartRead);
    }
    accessor {
        Reads   dz_accessor_init(world: World, id: PartRead, accessor: Out);
        Reads   dz_accessor_get(accessor: Accessor, entity: Entity);
        Values  dz_accessor_get_mut(accessor: Accessor, entity: Entity);
        Reads   dz_accessor_has(accessor: Accessor, entity: Entity);
    }
    bulk {
        Changes dz_add_n(world: World, entities: Plains, n: NDifferent, id: Part);
        Changes dz_remove_n(world: World, entities: Plains, n: N, id: Part);
        Changes dz_set_n(world: World, entities: Plains, n: NDifferent, id: Data, size: Size, values: Value);
        Reads   dz_get_n(world: World, entities: Entities, n: N, id: DataRead, pointers: Out);
        Values  dz_get_mut_n(world: World, entities: Entities, n: N, id: Data, pointers: Out);
        Reads   dz_has_n(world: World, entities: Entities, n: N, id: PartRead, answers: Out);
        Changes dz_get_or_add_n(world: World, entities: Plains, n: N, id: Data, pointers: Out);
    }
    pair {
        Changes dz_pair(world: World, relation: Relation, target: Target);
        Reads   dz_pair_halves(world: World, pair: Pair, parts: Out);
        Changes dz_add_pair(world: World, entity: Plain, relation: Relation, target: Target);
        Changes dz_set_pair(world: World, entity: Plain, relation: RelationData, target: Target, size: Size, value: Value);
        Changes dz_remove_pair(world: World, entity: Plain, relation: Relation, target: Target);
        Reads   dz_get_pair(world: World, entity: Entity, relation: RelationData, target: Target);
        Values  dz_get_pair_mut(world: World, entity: Entity, relation: RelationData, target: Target);
        Reads   dz_has_pair(world: World, entity: Entity, relation: Relation, target: Target);
        Reads   dz_pair_targets(world: World, entity: Entity, relation: Relation, targets: OutRoom, capacity: Room, count: Out);
        Reads   dz_pair_holders(world: World, id: Held, holders: OutRoom, capacity: Room, count: Out);
    }
    relation {
        Changes dz_relation_set(world: World, relation: RelationIdle, desc: RelationDesc);
        Reads   dz_relation_info(world: World, relation: Relation, desc: Out);
    }
    tree {
        Changes dz_set_parent(world: World, child: Plain, parent: Parent);
        Changes dz_move_child(world: World, child: Plain, place: Place, sibling: Sibling);
        Reads   dz_parent(world: World, entity: Entity);
        Reads   dz_first_child(world: World, entity: Entity);
        Reads   dz_last_child(world: World, entity: Entity);
        Reads   dz_next_sibling(world: World, entity: Entity);
        Reads   dz_previous_sibling(world: World, entity: Entity);
        Reads   dz_child_count(world: World, entity: Entity);
        Reads   dz_depth(world: World, entity: Entity);
        Reads   dz_ancestors(world: World, entity: Entity, ancestors: OutRoom, capacity: Room);
        Reads   dz_children(world: World, parent: Entity, after: After, children: OutRoom, capacity: Room);
        Reads   dz_subtree(world: World, root: Entity, order: TreeOrder, after: After, entities: OutRoom, capacity: Room);
    }
    name {
        Changes dz_set_name(world: World, entity: Plain, name: EntityName);
        Reads   dz_name(world: World, entity: Entity);
        Reads   dz_lookup(world: World, from: Above, path: Path, separator: Separator);
        Reads   dz_path(world: World, entity: Entity, from: Above, separator: Separator, path: OutRoom, capacity: Room);
    }
    describe {
        Reads   dz_describe(world: WorldHint, id: EntityParts, text: OutRoom, capacity: Room);
    }
    instance {
        Changes dz_instantiate(world: World, base: Plain);
        Changes dz_override(world: World, entity: Plain, id: Owned);
        Reads   dz_source(world: World, entity: Entity, id: PartRead);
        Reads   dz_base(world: World, entity: Entity);
        Changes dz_set_base(world: World, entity: Plain, is_base: Flag);
        Reads   dz_is_base(world: World, entity: Entity);
    }
    listener {
        Changes dz_listen(world: World, kind: Event, id: Listened, listener: Function, user: User);
        Changes dz_unlisten(world: World, listener: Listener);
    }
    iterate {
        Reads   dz_iterate_pool(world: World, id: PartRead, direction: Direction, iter: Out);
        Reads   dz_next(iter: Iter);
        Reads   dz_iter_target(iter: BatchIter, term: InBatch, i: InBatch);
        Reads   dz_each_slow(iter: Iter);
        Reads   dz_restart(iter: QueryIter);
    }
    query {
        Changes dz_query_create(world: World, desc: QueryDesc);
        Changes dz_query_parse(world: World, text: QueryText);
        Changes dz_query_destroy(world: World, query: QueryRead);
        Reads   dz_iterate(world: World, query: Query, iter: Out);
        Reads   dz_iterate_runs(world: World, query: Query, iter: Out);
        Reads   dz_iterate_part(world: World, query: Query, part: PartNumber, parts: Parts, iter: Out);
        Reads   dz_query_each(world: World, query: Query, batch: BatchFunction, user: User);
        Reads   dz_query_count(world: World, query: Query);
        Reads   dz_query_first(world: World, query: Query);
        Reads   dz_query_single(world: World, query: Query);
        Reads   dz_query_is_empty(world: World, query: Query);
        Reads   dz_query_matches(world: World, query: Query, entity: Entity);
        Changes dz_query_refresh(world: World, query: Kept);
        Changes dz_optimize(world: World, moves: Number, made: OutOptional);
        Reads   dz_query_info(world: World, query: QueryRead, details: Out);
        Reads   dz_query_terms(world: World, query: QueryRead, terms: OutRoom, capacity: Room, count: Out);
        Reads   dz_query_list(world: World, queries: OutRoom, capacity: Room, count: Out);
    }
    group {
        Changes dz_group_create(world: World, desc: GroupDesc);
        Changes dz_group_destroy(world: World, group: Group);
        Reads   dz_iterate_group(world: World, group: Group, direction: Direction, iter: Out);
        Reads   dz_group_count(world: World, group: Group);
        Reads   dz_group_contains(world: World, group: Group, entity: Entity);
        Reads   dz_groups(world: World, groups: OutRoom, capacity: Room, count: Out);
        Reads   dz_group_info(world: World, group: Group, details: Out);
    }
    sort {
        Changes dz_sort(world: World, id: Sorted, compare: Compare, user: User, mode: Mode);
        Changes dz_sort_as(world: World, id: Sorted, like: PartRead, mode: Mode);
        Changes dz_sort_refresh(world: World, id: Part);
        Changes dz_sort_release(world: World, id: Part);
        Changes dz_group_sort(world: World, group: Group, by: Term, compare: Compare, user: User, mode: Mode);
        Changes dz_group_sort_as(world: World, group: Group, like: PartRead, mode: Mode);
        Changes dz_group_sort_refresh(world: World, group: Group);
        Changes dz_group_sort_release(world: World, group: Group);
    }
    abi { Reads dz_abi_describe(); }
}
