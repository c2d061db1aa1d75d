//! A script of all operations that change a world, one after the other. Each can be tried again
//! after it failed: what it remembers it remembers when it has worked.

use crate::common::component_desc;
use crate::common::snapshot::matches;
use crate::common::stage::{group_desc, quiet};
use crate::common::stage::{query_desc, relation_desc, term};
use denizen::ffi::access::*;
use denizen::ffi::bulk::*;
use denizen::ffi::component::*;
use denizen::ffi::enable::*;
use denizen::ffi::entity::*;
use denizen::ffi::group::*;
use denizen::ffi::instance::*;
use denizen::ffi::listener::*;
use denizen::ffi::name::*;
use denizen::ffi::pair::*;
use denizen::ffi::pair_types::*;
use denizen::ffi::query::*;
use denizen::ffi::relation::*;
use denizen::ffi::sort::*;
use denizen::ffi::tree::*;
use denizen::ffi::tree_types::*;
use denizen::ffi::types::*;
use denizen::ffi::world::*;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

/// What an operation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Memory, as the script stands.
    Memory,
    /// Perhaps memory; and it may do without where it gets none.
    MayUse,
    /// Perhaps memory.
    Perhaps,
    /// No memory, ever.
    Nothing,
}

/// A step of the script.
pub struct Operation {
    pub name: &'static str,
    pub needs: Needs,
    pub run: fn(&mut Script) -> Result<(), dz_status>,
}

/// Where the script stands.
pub struct Script {
    pub world: dz_world,
    layout: dz_layout,
    ids: [dz_id; 6],
    entities: Vec<dz_entity>,
    /// Relations, and who has pairs of them.
    people: Vec<dz_entity>,
    pairs: usize,
    listeners: Vec<dz_listener>,
    groups: Vec<dz_group>,
    queries: Vec<dz_query>,
    elements: i64,
}

/// Relations among the people.
const FRIEND: usize = 0;
const RIVAL: usize = 1;
const PART: usize = 2;

const SWAP: usize = 0;
const STABLE: usize = 1;
const TAG: usize = 2;
const HOOKED: usize = 3;
const HOOKED_STABLE: usize = 4;
const LATE: usize = 5;
const SIZES: [u32; 6] = [8, 16, 0, 16, 24, 40];

static VALUES: [u64; 4096] = [5; 4096];

fn values() -> *const c_void {
    VALUES.as_ptr().cast()
}

unsafe extern "C" fn construct(at: *mut c_void, count: u32, user: *mut c_void) -> i32 {
    // Hooks of both sizes write the smaller's bytes.
    unsafe {
        at.write_bytes(3, 16);
        *user.cast::<i64>() += i64::from(count);
    }
    0
}

unsafe extern "C" fn destruct(_: *mut c_void, count: u32, user: *mut c_void) {
    unsafe { *user.cast::<i64>() -= i64::from(count) };
}

unsafe extern "C" fn copy_16(to: *mut c_void, from: *const c_void, count: u32, user: *mut c_void) -> i32 {
    unsafe {
        to.copy_from_nonoverlapping(from, count as usize * 16);
        *user.cast::<i64>() += i64::from(count);
    }
    0
}

unsafe extern "C" fn copy_24(to: *mut c_void, from: *const c_void, count: u32, user: *mut c_void) -> i32 {
    unsafe {
        to.copy_from_nonoverlapping(from, count as usize * 24);
        *user.cast::<i64>() += i64::from(count);
    }
    0
}

unsafe extern "C" fn downwards(
    _: *const c_void,
    _: *const c_void,
    a: dz_entity,
    b: dz_entity,
    _: *mut c_void,
) -> i32 {
    b.cmp(&a) as i32
}

fn status(status: dz_status) -> Result<(), dz_status> {
    if (status as i32) < 0 { Err(status) } else { Ok(()) }
}

fn some(value: u64) -> Result<u64, dz_status> {
    if value == 0 { Err(dz_error_status()) } else { Ok(value) }
}

impl Script {
    /// The beginning.
    pub fn new(world: dz_world, layout: dz_layout) -> Box<Self> {
        let entities = Vec::with_capacity(4096);
        Box::new(Self {
            world,
            layout,
            ids: [0; 6],
            entities,
            people: vec![],
            pairs: 0,
            listeners: vec![],
            groups: vec![],
            queries: vec![],
            elements: 0,
        })
    }

    /// Elements that hooks made and have not ended.
    pub fn elements(&self) -> i64 {
        self.elements
    }

    fn register(&mut self, which: usize, name: &CStr) -> Result<(), dz_status> {
        let size = SIZES[which];
        let mut desc = component_desc(name, size, if size == 0 { 1 } else { 8 });
        desc.policy = i32::from([STABLE, HOOKED_STABLE].contains(&which));
        if [HOOKED, HOOKED_STABLE].contains(&which) {
            desc.hooks = dz_hooks {
                construct: Some(construct),
                destruct: Some(destruct),
                copy: Some(if which == HOOKED { copy_16 } else { copy_24 }),
                relocate: None,
                user: (&raw mut self.elements).cast(),
            };
        }
        self.ids[which] = some(unsafe { dz_component_register(self.world, &desc) })?;
        Ok(())
    }

    fn handle(&self, index: u32, generation: u32) -> dz_entity {
        let wide = self.layout == dz_layout::DZ_LAYOUT_64;
        dz_entity_make(if wide { dz_world_number(self.world) } else { 0 }, index, generation)
    }

    fn create_n(&mut self, n: u32) -> Result<(), dz_status> {
        let mut made = vec![0; n as usize];
        status(unsafe { dz_create_n(self.world, n, made.as_mut_ptr()) })?;
        self.entities.extend(made);
        Ok(())
    }

    /// Those at every 90th index, where slots are.
    fn create_at_n(&mut self, of: impl Iterator<Item = u32>) -> Result<(), dz_status> {
        let wanted: Vec<_> = of.map(|i| self.handle(1000 + i * 90, 3)).collect();
        status(unsafe { dz_create_at_n(self.world, wanted.as_ptr(), 20) })?;
        self.entities.extend(wanted);
        Ok(())
    }

    /// The dead slot that was taken into use last.
    fn create_deep(&mut self) -> Result<(), dz_status> {
        let is_dead = |index: &u32| {
            let next = dz_generation(self.world, *index);
            next > 0 && !dz_is_alive(self.world, self.handle(*index, next))
        };
        let index = (0..1000).rev().find(is_dead).expect("somebody is dead");
        let wanted = self.handle(index, dz_generation(self.world, index));
        status(dz_create_at(self.world, wanted))?;
        self.entities.push(wanted);
        Ok(())
    }

    /// Entities of the script, from number `from`.
    fn some(&self, from: usize, n: usize) -> (*const dz_entity, u32) {
        (self.entities[from..from + n].as_ptr(), n as u32)
    }

    fn create_with(&mut self, n: u32, wanted: bool) -> Result<(), dz_status> {
        let column = |which: usize, values| dz_column {
            id: self.ids[which],
            values,
            element_size: SIZES[which],
            reserved: 0,
        };
        let columns = [
            column(SWAP, values()),
            column(STABLE, null()),
            column(TAG, null()),
            column(HOOKED, values()),
            column(HOOKED_STABLE, null()),
        ];
        let mut made = vec![0; n as usize];
        let place = if wanted { made.as_mut_ptr() } else { null_mut() };
        status(unsafe { dz_create_with(self.world, n, columns.as_ptr(), 5, place) })?;
        if wanted {
            self.entities.extend(made);
        }
        Ok(())
    }

    /// A kept query: of so many first components, or of a text.
    fn query(&mut self, terms: usize, text: Option<&CStr>) -> Result<(), dz_status> {
        let all = self.ids.map(|id| term(id, dz_ask::DZ_WITH));
        let mut desc = query_desc();
        match text {
            Some(text) => desc.text = text.as_ptr(),
            None => (desc.terms, desc.term_count) = (all.as_ptr(), terms as u32),
        }
        desc.kept = 1;
        let made = unsafe { dz_query_create(self.world, &desc) };
        some(made.bits.into())?;
        self.queries.push(made);
        Ok(())
    }

    /// Iterates every query and asks it everything, which needs no memory.
    fn ask(&self) -> Result<(), dz_status> {
        for query in &self.queries {
            let count = dz_query_count(self.world, *query) as usize;
            assert_eq!(matches(self.world, *query)?.len(), count);
            assert_eq!(dz_query_is_empty(self.world, *query), count == 0);
            assert_eq!(dz_query_first(self.world, *query) == 0, count == 0);
        }
        Ok(())
    }

    fn refresh(&self) -> Result<(), dz_status> {
        let mut kept = self.queries.iter().filter(|query| {
            let mut details = std::mem::MaybeUninit::<dz_query_details>::uninit();
            let known = unsafe { dz_query_info(self.world, **query, details.as_mut_ptr()) };
            known == dz_status::DZ_OK && unsafe { details.assume_init() }.kept == 1
        });
        kept.try_for_each(|query| status(dz_query_refresh(self.world, *query)))
    }

    fn optimise(&self, moves: u32) -> Result<(), dz_status> {
        status(unsafe { dz_optimize(self.world, moves, null_mut()) })
    }

    fn listen(&mut self, kind: dz_event_kind, id: dz_id) -> Result<(), dz_status> {
        let made = unsafe { dz_listen(self.world, kind as i32, id, Some(quiet), null_mut()) };
        some(made.bits.into())?;
        self.listeners.push(made);
        Ok(())
    }

    fn set(&self, entity: usize, which: usize) -> Result<(), dz_status> {
        status(unsafe { dz_set(self.world, self.entities[entity], self.ids[which], SIZES[which], values()) })
    }

    fn add(&self, entity: usize, which: usize) -> Result<(), dz_status> {
        status(dz_add(self.world, self.entities[entity], self.ids[which]))
    }

    fn remove(&self, entity: usize, which: usize) -> Result<(), dz_status> {
        status(dz_remove(self.world, self.entities[entity], self.ids[which]))
    }

    fn get_or_add(&self, entity: usize, which: usize) -> Result<(), dz_status> {
        some(dz_get_or_add(self.world, self.entities[entity], self.ids[which]) as u64).map(|_| ())
    }

    fn add_n(&self, from: usize, n: usize, which: usize) -> Result<(), dz_status> {
        let (entities, n) = self.some(from, n);
        status(unsafe { dz_add_n(self.world, entities, n, self.ids[which]) })
    }

    fn set_n(&self, from: usize, n: usize, which: usize) -> Result<(), dz_status> {
        let (entities, n) = self.some(from, n);
        status(unsafe { dz_set_n(self.world, entities, n, self.ids[which], SIZES[which], values()) })
    }

    fn get_or_add_n(&self, from: usize, n: usize, which: usize) -> Result<(), dz_status> {
        let (entities, n) = self.some(from, n);
        let mut out = vec![null_mut(); n as usize];
        status(unsafe { dz_get_or_add_n(self.world, entities, n, self.ids[which], out.as_mut_ptr()) })
    }

    fn remove_n(&self, from: usize, n: usize, which: usize) -> Result<(), dz_status> {
        let (entities, n) = self.some(from, n);
        status(unsafe { dz_remove_n(self.world, entities, n, self.ids[which]) })
    }

    fn group(&mut self, owned: &[usize], included: &[usize], excluded: &[usize]) -> Result<(), dz_status> {
        let ids = |all: &[usize]| all.iter().map(|which| self.ids[*which]).collect::<Vec<_>>();
        let (owned, included, excluded) = (ids(owned), ids(included), ids(excluded));
        let made = unsafe { dz_group_create(self.world, &group_desc(&owned, &included, &excluded)) };
        some(made.bits.into())?;
        self.groups.push(made);
        Ok(())
    }

    fn relate(&self, who: usize, change: impl FnOnce(&mut dz_relation_desc)) -> Result<(), dz_status> {
        let mut desc = relation_desc();
        change(&mut desc);
        status(unsafe { dz_relation_set(self.world, self.people[who], &desc) })
    }

    fn add_pair(&self, who: usize, relation: usize, target: usize) -> Result<(), dz_status> {
        let [who, relation, target] = [who, relation, target].map(|at| self.people[at]);
        status(dz_add_pair(self.world, who, relation, target))
    }

    /// A pair whose relation is a component.
    fn set_pair(&self, who: usize, which: usize, target: usize) -> Result<(), dz_status> {
        let (who, target, size) = (self.people[who], self.people[target], SIZES[which]);
        status(unsafe { dz_set_pair(self.world, who, self.ids[which], target, size, values()) })
    }

    /// The next of many pairs of one, with data.
    fn one_more_pair(&mut self) -> Result<(), dz_status> {
        let (who, target) = (self.people[11], self.entities[self.pairs]);
        status(dz_add_pair(self.world, who, self.ids[HOOKED_STABLE], target))?;
        self.pairs += 1;
        Ok(())
    }

    fn set_parent(&self, child: usize, parent: usize) -> Result<(), dz_status> {
        status(dz_set_parent(self.world, self.entities[child], self.entities[parent]))
    }

    fn set_name(&self, which: usize, name: &CStr) -> Result<(), dz_status> {
        status(unsafe { dz_set_name(self.world, self.entities[which], name.as_ptr()) })
    }

    fn enable(&self, which: usize, enabled: bool) -> Result<(), dz_status> {
        status(dz_set_enabled(self.world, self.entities[which], enabled))
    }

    fn show(&self, entity: usize, which: usize, shown: bool) -> Result<(), dz_status> {
        status(dz_set_component_enabled(self.world, self.entities[entity], self.ids[which], shown))
    }

    /// Makes an instance, with all below it.
    fn instantiate(&mut self, base: usize) -> Result<(), dz_status> {
        some(dz_instantiate(self.world, self.entities[base])).map(|made| self.entities.push(made))
    }

    /// An entity there is made the instance of a base.
    fn add_base(&self, entity: usize, base: usize) -> Result<(), dz_status> {
        status(dz_add(
            self.world,
            self.entities[entity],
            u64::from(DZ_ROLE_INSTANCEOF) << 56 | self.entities[base],
        ))
    }

    fn sort(&self, which: usize, mode: dz_sort_mode) -> Result<(), dz_status> {
        let compare = Some(downwards as _);
        status(unsafe { dz_sort(self.world, self.ids[which], compare, null_mut(), mode as i32) })
    }

    fn group_sort(&self, group: usize, mode: dz_sort_mode) -> Result<(), dz_status> {
        let compare = Some(downwards as _);
        status(unsafe { dz_group_sort(self.world, self.groups[group], 0, compare, null_mut(), mode as i32) })
    }

    fn singleton(&self, which: usize) -> Result<(), dz_status> {
        status(unsafe { dz_singleton_set(self.world, self.ids[which], SIZES[which], values()) })
    }
}

const fn op(name: &'static str, needs: Needs, run: fn(&mut Script) -> Result<(), dz_status>) -> Operation {
    Operation { name, needs, run }
}

use Needs::{MayUse, Memory, Nothing, Perhaps};

/// The script. Entities 0 to 9 are made first; later steps say which they mean by number.
pub const OPERATIONS: &[Operation] = &[
    op("create the first", Memory, |s| some(dz_create(s.world)).map(|e| s.entities.push(e))),
    op("register the first", Memory, |s| s.register(SWAP, c"Swap")),
    op("register a stable one", Memory, |s| s.register(STABLE, c"Stable")),
    op("register a tag", Memory, |s| s.register(TAG, c"Tag")),
    op("register one with hooks", Memory, |s| s.register(HOOKED, c"Hooked")),
    op("register a stable one with hooks", Memory, |s| s.register(HOOKED_STABLE, c"HookedStable")),
    op("register the same again", Perhaps, |s| s.register(HOOKED, c"Hooked")),
    op("add the first of a pool", Memory, |s| s.add(0, SWAP)),
    op("add a tag", Memory, |s| s.add(0, TAG)),
    op("set in a stable pool", Memory, |s| s.set(0, STABLE)),
    op("set with a copy hook", Memory, |s| s.set(0, HOOKED)),
    op("set again with a copy hook", Memory, |s| s.set(0, HOOKED)),
    op("get or add with a construct hook", Memory, |s| s.get_or_add(0, HOOKED_STABLE)),
    op("remove the last of a pool", Nothing, |s| s.remove(0, TAG)),
    op("reserve", Memory, |s| status(dz_reserve(s.world, 200))),
    op("create what was reserved", Nothing, |s| s.create_n(120)),
    op("create many", Memory, |s| s.create_n(380)),
    op("create at a far index", Memory, |s| {
        let entity = s.handle(5000, 9);
        status(dz_create_at(s.world, entity)).map(|()| s.entities.push(entity))
    }),
    op("add to a far index", Memory, |s| s.set(501, SWAP)),
    op("create one who is far down the list of the dead", MayUse, |s| s.create_deep()),
    op("create at many in no order", Memory, |s| s.create_at_n((0..20).rev())),
    op("create at many in order", Nothing, |s| s.create_at_n(20..40)),
    op("add to many", Memory, |s| s.add_n(0, 300, SWAP)),
    op("make a kept query", Memory, |s| s.query(1, None)),
    op("make a query from text", Memory, |s| s.query(0, Some(c"Swap, ?Stable, !Tag"))),
    op("ask queries", Nothing, |s| s.ask()),
    op("refresh", MayUse, |s| s.refresh()),
    op("refresh what is fresh", Nothing, |s| s.refresh()),
    op("make a query of all", Memory, |s| s.query(5, None)),
    op("add to many with a construct hook", Memory, |s| s.add_n(100, 200, HOOKED)),
    op("set many in a stable pool", Memory, |s| s.set_n(0, 300, STABLE)),
    op("set many with a copy hook", Memory, |s| s.set_n(200, 150, HOOKED)),
    op("get or add to many", Memory, |s| s.get_or_add_n(50, 100, HOOKED_STABLE)),
    op("leave gaps", Nothing, |s| s.remove_n(10, 40, STABLE)),
    op("fill a gap", Perhaps, |s| s.set(20, STABLE)),
    op("fill gaps, and more than gaps", Memory, |s| s.add_n(10, 400, STABLE)),
    op("refresh after changes", MayUse, |s| s.refresh()),
    op("put a little into order", Memory, |s| s.optimise(10)),
    op("put all into order", MayUse, |s| s.optimise(u32::MAX)),
    op("put what is in order into order", Nothing, |s| s.optimise(u32::MAX)),
    op("refresh what is in order", MayUse, |s| s.refresh()),
    op("ask what is in order", Nothing, |s| s.ask()),
    op("listen to add", Memory, |s| s.listen(dz_event_kind::DZ_ON_ADD, s.ids[SWAP])),
    op("listen to set", Memory, |s| s.listen(dz_event_kind::DZ_ON_SET, s.ids[SWAP])),
    op("listen to remove", Memory, |s| s.listen(dz_event_kind::DZ_ON_REMOVE, s.ids[SWAP])),
    op("listen to create", Memory, |s| s.listen(dz_event_kind::DZ_ON_CREATE, 0)),
    op("listen to destroy", Memory, |s| s.listen(dz_event_kind::DZ_ON_DESTROY, 0)),
    op("listen to add of another", Memory, |s| s.listen(dz_event_kind::DZ_ON_ADD, s.ids[HOOKED])),
    op("set many that are listened to", Memory, |s| s.set_n(280, 60, SWAP)),
    op("add many that are listened to", Memory, |s| s.add_n(300, 100, SWAP)),
    op("create with components", Memory, |s| s.create_with(150, true)),
    op("create with components, unasked", Memory, |s| s.create_with(150, false)),
    op("create one with components", Perhaps, |s| s.create_with(1, true)),
    op("clone", Perhaps, |s| some(dz_clone(s.world, s.entities[120])).map(|e| s.entities.push(e))),
    op("sort", Memory, |s| s.sort(TAG, dz_sort_mode::DZ_SORT_ONCE)),
    op("sort with hooks, and keep it", Memory, |s| s.sort(HOOKED, dz_sort_mode::DZ_SORT_KEEP)),
    op("sort as another", Memory, |s| status(dz_sort_as(s.world, s.ids[SWAP], s.ids[HOOKED], 0))),
    op("add to a sorted pool", Perhaps, |s| s.add_n(0, 60, HOOKED)),
    op("restore an order", Memory, |s| status(dz_sort_refresh(s.world, s.ids[HOOKED]))),
    op("disturb an order", Nothing, |s| s.remove_n(3, 5, HOOKED)),
    op("refresh what is kept in an order", MayUse, |s| s.refresh()),
    op("release an order", Nothing, |s| status(dz_sort_release(s.world, s.ids[HOOKED]))),
    op("create a group that owns", Memory, |s| s.group(&[SWAP, HOOKED], &[STABLE], &[])),
    op("create a group around it", Memory, |s| s.group(&[SWAP], &[], &[])),
    op("create a group with a list", Memory, |s| s.group(&[], &[SWAP, STABLE], &[TAG])),
    op("create another group with a list", Memory, |s| s.group(&[], &[TAG], &[HOOKED])),
    op("take out of groups", Nothing, |s| s.remove_n(0, 150, SWAP)),
    op("put back into groups", Perhaps, |s| s.set_n(0, 150, SWAP)),
    op("take what a group excludes", Nothing, |s| s.remove_n(200, 200, TAG)),
    op("give what a group excludes", Perhaps, |s| s.add_n(250, 100, TAG)),
    op("create with components for groups", Memory, |s| s.create_with(600, true)),
    op("create one with components for groups", Perhaps, |s| s.create_with(1, true)),
    op("clone for groups", Perhaps, |s| some(dz_clone(s.world, s.entities[130])).map(|e| s.entities.push(e))),
    op("sort a group", Memory, |s| s.group_sort(0, dz_sort_mode::DZ_SORT_ONCE)),
    op("sort a group around it, and keep it", Memory, |s| s.group_sort(1, dz_sort_mode::DZ_SORT_KEEP)),
    op("sort a group with a list", Memory, |s| s.group_sort(2, dz_sort_mode::DZ_SORT_ONCE)),
    op("sort a group as a pool", Memory, |s| {
        status(dz_group_sort_as(s.world, s.groups[0], s.ids[STABLE], 0))
    }),
    op("restore a group's order", Memory, |s| status(dz_group_sort_refresh(s.world, s.groups[1]))),
    op("release a group's order", Nothing, |s| status(dz_group_sort_release(s.world, s.groups[1]))),
    op("destroy a group", Nothing, |s| status(dz_group_destroy(s.world, s.groups[1]))),
    op("set a singleton", Memory, |s| s.singleton(SWAP)),
    op("set a singleton with hooks", Memory, |s| s.singleton(HOOKED)),
    op("set a singleton again", Memory, |s| s.singleton(HOOKED)),
    op("create relations, and who is related", Perhaps, |s| {
        let mut made = [0; 12];
        status(unsafe { dz_create_n(s.world, 12, made.as_mut_ptr()) }).map(|()| s.people = made.into())
    }),
    op("make a relation exclusive", Memory, |s| s.relate(RIVAL, |it| it.exclusive = 1)),
    op("make a symmetric relation that brings it", Perhaps, |s| {
        let with = s.people[RIVAL];
        s.relate(FRIEND, |it| (it.symmetric, it.with) = (1, with))
    }),
    op("make a relation that ends together", Perhaps, |s| {
        s.relate(PART, |it| (it.on_target, it.acyclic) = (1, 1))
    }),
    op("make a pair", Memory, |s| some(dz_pair(s.world, s.people[FRIEND], s.people[10])).map(|_| ())),
    op("add a pair and what comes with it", Memory, |s| s.add_pair(4, FRIEND, 5)),
    op("add a pair that replaces others", Perhaps, |s| s.add_pair(4, FRIEND, 6)),
    op("add a part", Perhaps, |s| s.add_pair(8, PART, 9)),
    op("add a part of a part", Perhaps, |s| s.add_pair(10, PART, 8)),
    op("set a pair with a copy hook", Memory, |s| s.set_pair(8, HOOKED, 5)),
    op("set a pair with a copy hook again", Perhaps, |s| s.set_pair(8, HOOKED, 5)),
    op("set a pair of bytes", Memory, |s| s.set_pair(4, SWAP, 5)),
    op("set a pair by its id", Perhaps, |s| {
        let pair = some(dz_pair(s.world, s.ids[SWAP], s.people[5]))?;
        status(unsafe { dz_set(s.world, s.people[6], pair, SIZES[SWAP], values()) })
    }),
    op("add an entity as a tag", Perhaps, |s| status(dz_add(s.world, s.people[4], s.people[5]))),
    op("add a role", Perhaps, |s| status(dz_add(s.world, s.people[4], 200 << 56 | s.people[5]))),
    op("make a query of levels", Memory, |s| s.query(0, Some(c"[cascade] Swap, ?Swap(parent)"))),
    op("remember levels", MayUse, |s| s.refresh()),
    op("add the first of many pairs", Memory, Script::one_more_pair),
    op("add the second of many pairs", Perhaps, Script::one_more_pair),
    op("add the third of many pairs", Perhaps, Script::one_more_pair),
    op("add the fourth of many pairs", Perhaps, Script::one_more_pair),
    op("add the fifth of many pairs", Perhaps, Script::one_more_pair),
    op("add the sixth of many pairs", Perhaps, Script::one_more_pair),
    op("clone who has many pairs", Memory, |s| {
        some(dz_clone(s.world, s.people[11])).map(|e| s.people.push(e))
    }),
    op("clone who is a friend", Memory, |s| some(dz_clone(s.world, s.people[4])).map(|e| s.people.push(e))),
    op("remove a pair", Nothing, |s| {
        status(dz_remove_pair(s.world, s.people[4], s.people[FRIEND], s.people[5]))
    }),
    op("add a pair in its place", Perhaps, |s| s.add_pair(4, FRIEND, 5)),
    op("destroy a target, and who goes along", Nothing, |s| status(dz_destroy(s.world, s.people[9]))),
    op("destroy a relation", Nothing, |s| status(dz_destroy(s.world, s.people[FRIEND]))),
    op("destroy many who are related", Nothing, |s| {
        let all = [s.people[5], s.people[7], s.people[11]];
        status(unsafe { dz_destroy_n(s.world, all.as_ptr(), 3, null_mut()) })
    }),
    op("destroy one", Nothing, |s| status(dz_destroy(s.world, s.entities[499]))),
    op("destroy many", Nothing, |s| {
        let (entities, n) = s.some(400, 99);
        status(unsafe { dz_destroy_n(s.world, entities, n, null_mut()) })
            .map(|()| drop(s.entities.drain(400..500)))
    }),
    op("recycle", Nothing, |s| s.create_n(60)),
    op("clone into new blocks", Perhaps, |s| {
        let made = some(dz_clone(s.world, s.entities[150]))?;
        s.entities.push(made);
        Ok(())
    }),
    op("remove a singleton", Nothing, |s| status(dz_singleton_remove(s.world, s.ids[SWAP]))),
    op("leave more gaps", Nothing, |s| s.remove_n(60, 60, STABLE)),
    op("compact", Nothing, |s| status(dz_compact(s.world, s.ids[STABLE]))),
    op("clear a pool", Nothing, |s| status(dz_clear_pool(s.world, s.ids[HOOKED]))),
    op("shrink", MayUse, |s| status(dz_shrink(s.world))),
    op("refresh after shrinking", MayUse, |s| s.refresh()),
    op("end a query", Nothing, |s| {
        status(dz_query_destroy(s.world, s.queries[1])).map(|()| _ = s.queries.remove(1))
    }),
    op("make a query of what was shrunk", Memory, |s| s.query(0, Some(c"Swap || Stable || HookedStable"))),
    op("add after shrinking", Memory, |s| s.add_n(0, 200, HOOKED)),
    op("register one more", Memory, |s| s.register(LATE, c"Late")),
    op("add one more", Memory, |s| s.set_n(0, 60, LATE)),
    op("make a query of one more", Memory, |s| s.query(6, None)),
    op("set a pair of one more", Memory, |s| s.set_pair(4, LATE, 6)),
    op("unlisten", Nothing, |s| status(dz_unlisten(s.world, s.listeners[1]))),
    op("unregister", Nothing, |s| status(dz_component_unregister(s.world, s.ids[LATE]))),
    op("end the query that is lost", Nothing, |s| {
        let lost = s.queries[s.queries.len() - 1];
        status(dz_query_destroy(s.world, lost)).map(|()| _ = s.queries.pop())
    }),
    op("register in its place", Memory, |s| s.register(LATE, c"Later")),
    op("add in its place", Memory, |s| s.add_n(0, 60, LATE)),
    op("clear the world", Nothing, |s| status(dz_world_clear(s.world))),
    op("create after clearing", Perhaps, |s| {
        let first = s.entities.len();
        s.create_n(100).inspect(|()| drop(s.entities.drain(..first)))
    }),
    op("add after clearing", Perhaps, |s| s.add_n(0, 100, STABLE)),
    op("refresh after clearing", MayUse, |s| s.refresh()),
    op("ask after clearing", Nothing, |s| s.ask()),
    op("set what a group owns", Perhaps, |s| s.set_n(0, 60, SWAP)),
    op("add what a group owns", Perhaps, |s| s.add_n(0, 60, HOOKED)),
    op("disable an entity", Memory, |s| s.enable(0, false)),
    op("disable a member of groups", Perhaps, |s| s.enable(70, false)),
    op("add what a disabled one's group owns", Perhaps, |s| s.set(70, SWAP)),
    op("enable an entity", Perhaps, |s| s.enable(0, true)),
    op("enable who came into groups", Perhaps, |s| s.enable(70, true)),
    op("disable a component", Memory, |s| s.show(1, SWAP, false)),
    op("disable another", Perhaps, |s| s.show(2, HOOKED, false)),
    op("enable a component", Perhaps, |s| s.show(1, SWAP, true)),
    op("remove a disabled component", Nothing, |s| s.remove(2, HOOKED)),
    op("make a child", Memory, |s| s.set_parent(1, 0)),
    op("make a child of a child", Perhaps, |s| s.set_parent(2, 1)),
    op("make another", Perhaps, |s| s.set_parent(3, 1)),
    op("make one by its id", Perhaps, |s| {
        status(dz_add(s.world, s.entities[4], u64::from(DZ_ROLE_CHILDOF) << 56 | s.entities[1]))
    }),
    op("put a child first", Nothing, |s| {
        status(dz_move_child(s.world, s.entities[4], dz_place::DZ_PLACE_FIRST as i32, 0))
    }),
    op("give a name", Memory, |s| s.set_name(2, c"a name that is longer than others are")),
    op("give another name", Perhaps, |s| s.set_name(3, c"crane")),
    op("give another name in its place", Perhaps, |s| {
        s.set_name(3, c"a crane with a longer name than before")
    }),
    op("move who is named", Perhaps, |s| s.set_parent(3, 0)),
    op("move who has children", Perhaps, |s| s.set_parent(0, 20)),
    op("pairs in a tree", Perhaps, |s| {
        status(dz_add_pair(s.world, s.entities[2], s.entities[50], s.entities[3]))
    }),
    op("pairs with values in a tree", Perhaps, |s| {
        let (holder, target) = (s.entities[3], s.entities[51]);
        status(unsafe { dz_set_pair(s.world, holder, s.ids[HOOKED], target, SIZES[HOOKED], values()) })
    }),
    op("say that it is a base", Perhaps, |s| status(dz_set_base(s.world, s.entities[4], true))),
    op("make an instance of a tree", Memory, |s| s.instantiate(0)),
    op("make another instance", Perhaps, |s| s.instantiate(0)),
    op("override", Perhaps, |s| status(dz_override(s.world, s.entities[s.entities.len() - 1], s.ids[SWAP]))),
    op("override with a copy hook", Perhaps, |s| {
        status(dz_override(s.world, s.entities[s.entities.len() - 1], s.ids[HOOKED]))
    }),
    op("become an instance", Perhaps, |s| s.add_base(30, 31)),
    op("become another's instance", Perhaps, |s| s.add_base(30, 1)),
    op("clone an instance and child", Perhaps, |s| {
        some(dz_clone(s.world, s.entities[30])).map(|made| s.entities.push(made))
    }),
    op("make a query of pairs", Memory, |s| s.query(0, Some(c"(Hooked, $x), ?Swap(up), !Tag($x)"))),
    op("make a query of what is inherited", Memory, |s| {
        s.query(0, Some(c"[cascade] Swap(inherit), ?Stable(parent)"))
    }),
    op("make a query of bases", Memory, |s| s.query(0, Some(c"[bases] Swap, ?(Hooked, *)"))),
    op("ask queries of pairs", Nothing, |s| s.ask()),
    op("say that it is no base", Perhaps, |s| status(dz_set_base(s.world, s.entities[0], false))),
    op("be an instance no more", Nothing, |s| {
        let base = u64::from(DZ_ROLE_INSTANCEOF) << 56 | s.entities[1];
        status(dz_remove(s.world, s.entities[30], base))
    }),
    op("take a name off", Nothing, |s| status(unsafe { dz_set_name(s.world, s.entities[2], null()) })),
    op("be a child no more", Perhaps, |s| status(dz_set_parent(s.world, s.entities[0], 0))),
    op("destroy a tree", Nothing, |s| status(dz_destroy(s.world, s.entities[1]))),
    op("destroy an instance of a tree", Nothing, |s| status(dz_destroy(s.world, s.entities[100]))),
    op("shrink with a hierarchy", MayUse, |s| status(dz_shrink(s.world))),
    op("clear the world again", Nothing, |s| status(dz_world_clear(s.world))),
];
