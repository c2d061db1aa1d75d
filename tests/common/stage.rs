//! A world with something of everything in it, other worlds beside it, and every kind of bad handle.

use super::allocator::Counting;
use super::calls::{Call, Kind};
use super::{component_desc, message, plain_world, world_desc};
use denizen::ffi::access::{dz_add, dz_remove, dz_set};
use denizen::ffi::accessor::{dz_accessor, dz_accessor_init};
use denizen::ffi::component::{
    dz_component_id, dz_component_register, dz_component_unregister, dz_singleton_set,
};
use denizen::ffi::entity::{dz_create, dz_create_n, dz_destroy, dz_entity_make, dz_why, dz_world_why};
use denizen::ffi::group::{dz_group_create, dz_group_destroy};
use denizen::ffi::iterate::{dz_iterate_pool, dz_next};
use denizen::ffi::listener::{dz_listen, dz_unlisten};
use denizen::ffi::name::dz_set_name;
use denizen::ffi::pair::{dz_add_pair, dz_pair, dz_set_pair};
use denizen::ffi::pair_types::dz_relation_desc;
use denizen::ffi::query::{dz_iterate, dz_query_create, dz_query_destroy, dz_query_parse};
use denizen::ffi::relation::dz_relation_set;
use denizen::ffi::tree::dz_set_parent;
use denizen::ffi::types::*;
use denizen::ffi::world::{dz_world_create, dz_world_destroy, dz_world_number};
use std::ffi::{CStr, c_void};
use std::mem::zeroed;

/// The largest number of slots of the world on the stage.
pub const MOST: u32 = 4096;

/// Handles that are good for nothing.
pub struct Bad {
    pub stale: dz_entity,
    pub recycled: dz_entity,
    pub retired: dz_entity,
    pub foreign: dz_entity,
    pub other_layout: dz_entity,
    pub unregistered: dz_id,
    pub dead_world: dz_world,
    pub gone_listener: dz_listener,
    pub gone_query: dz_query,
    pub foreign_query: dz_query,
    /// One of whose components was unregistered.
    pub lost_query: dz_query,
    pub foreign_listener: dz_listener,
    pub gone_group: dz_group,
    pub foreign_group: dz_group,
}

/// What pointers point to.
pub struct Room {
    pub entities: [dz_entity; 4],
    pub unborn: [dz_entity; 4],
    pub columns: [dz_column; 2],
    pub values: [u64; 16],
    pub out: [u64; 64],
    pub out_too: [u64; 64],
    pub iter: dz_iter,
    pub query_iter: dz_iter,
    /// Of the kept query too, on its first batch.
    pub batch: dz_iter,
    pub accessor: dz_accessor,
    pub terms: [dz_term; 2],
    pub query: dz_query_desc,
    pub component: dz_component_desc,
    pub group: dz_group_desc,
    pub relation: dz_relation_desc,
    pub owned: [dz_id; 2],
    pub world: dz_world_desc,
}

/// The stage.
pub struct Stage {
    pub layout: dz_layout,
    pub world: dz_world,
    pub other: dz_world,
    pub opposite: dz_world,
    pub position: dz_id,
    pub body: dz_id,
    pub tag: dz_id,
    pub hooked: dz_id,
    /// A component that nobody has, and that nothing else uses.
    pub idle: dz_id,
    pub builtin: dz_id,
    /// a, b, c have a Position; a and c a Body, with a gap between them.
    pub abc: [dz_entity; 3],
    /// Has nothing.
    pub bare: dz_entity,
    pub listener: dz_listener,
    /// Kept: has a Position, perhaps a Body. a, b and c match.
    pub kept: dz_query,
    /// Has a Position and is Frozen: b matches, alone.
    pub single: dz_query,
    /// Owns the tag, includes the hooked one, excludes the idle one: b is a member.
    pub group: dz_group,
    /// A relation: acyclic, transitive, reflexive, exclusive. a and b have it with the target.
    pub likes: dz_entity,
    /// A relation that nobody has pairs of.
    pub knows: dz_entity,
    pub target: dz_entity,
    /// A parent and its children "first" and "second".
    pub family: [dz_entity; 3],
    /// (likes, target): a tag.
    pub tag_pair: dz_id,
    /// (position, target), which a has: data.
    pub data_pair: dz_id,
    pub bad: Bad,
    pub room: Box<Room>,
    pub memory: Box<Counting>,
    given_up: bool,
}

fn ok(status: dz_status) {
    assert_eq!(status, dz_status::DZ_OK, "{}", message());
}

fn some(handle: u64) -> u64 {
    assert_ne!(handle, 0, "{}", message());
    handle
}

pub unsafe extern "C" fn quiet(_: *const dz_event, _: *mut c_void) {}

pub unsafe extern "C" fn quiet_batch(_: *mut dz_iter, _: *mut c_void) {}

pub unsafe extern "C" fn alike(
    _: *const c_void,
    _: *const c_void,
    _: dz_entity,
    _: dz_entity,
    _: *mut c_void,
) -> i32 {
    0
}

/// A descriptor of a group.
pub fn group_desc(owned: &[dz_id], included: &[dz_id], excluded: &[dz_id]) -> dz_group_desc {
    dz_group_desc {
        size: size_of::<dz_group_desc>() as u32,
        owned_count: owned.len() as u32,
        included_count: included.len() as u32,
        excluded_count: excluded.len() as u32,
        owned: owned.as_ptr(),
        included: included.as_ptr(),
        excluded: excluded.as_ptr(),
        reserved: 0,
    }
}

unsafe extern "C" fn fill(at: *mut c_void, count: u32, _: *mut c_void) -> i32 {
    unsafe { at.write_bytes(7, count as usize * 16) };
    0
}

unsafe extern "C" fn drop_none(_: *mut c_void, _: u32, _: *mut c_void) {}

/// Registers a component.
pub fn register(world: dz_world, name: &CStr, size: u32, policy: dz_policy) -> dz_id {
    let mut desc = component_desc(name, size, if size == 0 { 1 } else { 4 });
    desc.policy = policy as i32;
    some(unsafe { dz_component_register(world, &desc) })
}

/// Makes a query.
pub fn parse(world: dz_world, text: &CStr) -> dz_query {
    let query = unsafe { dz_query_parse(world, text.as_ptr()) };
    assert_ne!(query.bits, 0, "{}", message());
    query
}

/// A query's descriptor with every default.
pub fn query_desc() -> dz_query_desc {
    let mut desc: dz_query_desc = unsafe { zeroed() };
    desc.size = size_of::<dz_query_desc>() as u32;
    desc
}

/// A term.
pub fn term(id: dz_id, ask: dz_ask) -> dz_term {
    dz_term { id, target: 0, source: 0, ask: ask as i32, access: 0, any_of: 0, reserved: 0 }
}

/// A relation's descriptor with every default.
pub fn relation_desc() -> dz_relation_desc {
    let mut desc: dz_relation_desc = unsafe { zeroed() };
    desc.size = size_of::<dz_relation_desc>() as u32;
    desc
}

/// Sets a component to `size` bytes of a value.
pub fn set(world: dz_world, entity: dz_entity, id: dz_id, value: &[u64; 2], size: u32) {
    ok(unsafe { dz_set(world, entity, id, size, value.as_ptr().cast()) });
}

/// An entity whose slot's generations are used up: its last handle (M38).
fn retire(world: dz_world, layout: dz_layout) -> dz_entity {
    let generations = if layout == dz_layout::DZ_LAYOUT_64 { 65_534 } else { 4_094 };
    let mut entity = 0;
    for _ in 0..generations {
        entity = some(dz_create(world));
        ok(dz_destroy(world, entity));
    }
    assert_eq!(dz_why(world, entity), dz_status::DZ_ERR_RETIRED);
    entity
}

impl Stage {
    /// A new stage.
    pub fn new(layout: dz_layout) -> Box<Self> {
        let memory = Counting::new();
        let allocator = memory.descriptor(true);
        Self::with(layout, memory, allocator, true)
    }

    /// A new stage in less time: `bad.retired` is null.
    pub fn quick(layout: dz_layout) -> Box<Self> {
        let memory = Counting::new();
        let allocator = memory.descriptor(true);
        Self::with(layout, memory, allocator, false)
    }

    /// A new stage whose memory comes from elsewhere.
    pub fn with(
        layout: dz_layout,
        memory: Box<Counting>,
        allocator: dz_allocator,
        retires: bool,
    ) -> Box<Self> {
        let mut desc = world_desc(layout);
        desc.max_entities = MOST;
        desc.allocator = allocator;
        desc.user = 0xBEEF as *mut c_void;
        let world = unsafe { dz_world_create(&desc) };
        assert_ne!(world.bits, 0, "{}", message());
        let opposite = match layout {
            dz_layout::DZ_LAYOUT_64 => dz_layout::DZ_LAYOUT_32,
            dz_layout::DZ_LAYOUT_32 => dz_layout::DZ_LAYOUT_64,
        };
        let (other, opposite) = (plain_world(layout), plain_world(opposite));
        let dead_world = plain_world(layout);
        super::end(dead_world);

        let position = register(world, c"Position", 8, dz_policy::DZ_POLICY_SWAP);
        let body = register(world, c"Body", 16, dz_policy::DZ_POLICY_STABLE);
        let tag = register(world, c"Frozen", 0, dz_policy::DZ_POLICY_SWAP);
        let mut hooks = component_desc(c"Hooked", 16, 8);
        hooks.hooks.construct = Some(fill);
        hooks.hooks.destruct = Some(drop_none);
        let hooked = some(unsafe { dz_component_register(world, &hooks) });
        let idle = register(world, c"Idle", 4, dz_policy::DZ_POLICY_SWAP);
        let unregistered = register(world, c"Gone", 4, dz_policy::DZ_POLICY_SWAP);
        let lost_query = parse(world, c"Position, Gone");
        ok(dz_component_unregister(world, unregistered));

        let retired = if retires { retire(world, layout) } else { 0 };
        let mut abc = [0; 3];
        ok(unsafe { dz_create_n(world, 3, abc.as_mut_ptr()) });
        for (at, entity) in abc.into_iter().enumerate() {
            set(world, entity, position, &[at as u64 + 1, 0], 8);
            set(world, entity, body, &[at as u64 + 10, 20], 16);
        }
        ok(dz_remove(world, abc[1], body));
        ok(dz_add(world, abc[1], tag));
        ok(dz_add(world, abc[1], hooked));
        ok(unsafe { dz_singleton_set(world, position, 8, [99_u64].as_ptr().cast()) });

        let family = [0; 3].map(|_| some(dz_create(world)));
        for (child, name) in family[1..].iter().zip([c"first", c"second"]) {
            ok(dz_set_parent(world, *child, family[0]));
            ok(unsafe { dz_set_name(world, *child, name.as_ptr()) });
        }
        let [likes, knows, target] = [0; 3].map(|_| some(dz_create(world)));
        let mut traits = relation_desc();
        (traits.acyclic, traits.transitive, traits.reflexive, traits.exclusive) = (1, 1, 1, 1);
        traits.with = knows;
        ok(unsafe { dz_relation_set(world, likes, &traits) });
        traits.with = 0;
        ok(unsafe { dz_relation_set(world, likes, &traits) });
        ok(dz_add_pair(world, abc[0], likes, target));
        ok(dz_add_pair(world, abc[1], likes, target));
        ok(unsafe { dz_set_pair(world, abc[0], position, target, 8, [77_u64].as_ptr().cast()) });
        let [tag_pair, data_pair] = [likes, position].map(|relation| some(dz_pair(world, relation, target)));

        let recycled = some(dz_create(world));
        ok(dz_destroy(world, recycled));
        let bare = some(dz_create(world));
        let stale = [some(dz_create(world)), some(dz_create(world))];
        stale.iter().for_each(|entity| ok(dz_destroy(world, *entity)));

        let listen = |world, id| unsafe {
            dz_listen(world, dz_event_kind::DZ_ON_SET as i32, id, Some(quiet), std::ptr::null_mut())
        };
        let gone_listener = listen(world, position);
        let listener = listen(world, position);
        ok(dz_unlisten(world, gone_listener));
        let theirs = register(other, c"Position", 8, dz_policy::DZ_POLICY_SWAP);
        let foreign_listener = [listen(other, theirs), listen(other, theirs)][1];

        let gone_query = parse(world, c"Position");
        ok(dz_query_destroy(world, gone_query));
        let mut desc = query_desc();
        (desc.text, desc.kept, desc.priority) = (c"Position, ?Body".as_ptr(), 1, -3);
        let kept = unsafe { dz_query_create(world, &desc) };
        assert_ne!(kept.bits, 0, "{}", message());
        let single = parse(world, c"[in] Position, Frozen");
        let foreign_query = [parse(other, c"Position"), parse(other, c"Position")][1];
        let form = |world, owned: &[dz_id], included: &[dz_id], excluded: &[dz_id]| {
            let made = unsafe { dz_group_create(world, &group_desc(owned, included, excluded)) };
            some(made.bits.into());
            made
        };
        let gone_group = form(world, &[], &[tag], &[]);
        let group = form(world, &[tag], &[hooked], &[idle]);
        ok(dz_group_destroy(world, gone_group));
        let foreign_group = form(other, &[theirs], &[], &[]);

        let number = if layout == dz_layout::DZ_LAYOUT_64 { dz_world_number(world) } else { 0 };
        let unborn = [1, 2, 3, 4].map(|step| dz_entity_make(number, 300 + step, 5));
        let mut foreign = [0; 8];
        ok(unsafe { dz_create_n(other, 8, foreign.as_mut_ptr()) });
        let mut stage = Box::new(Self {
            layout,
            world,
            other,
            opposite,
            position,
            body,
            tag,
            hooked,
            idle,
            builtin: dz_component_id(world),
            abc,
            bare,
            listener,
            kept,
            single,
            group,
            likes,
            knows,
            target,
            family,
            tag_pair,
            data_pair,
            bad: Bad {
                stale: stale[0],
                recycled,
                retired,
                foreign: foreign[0],
                other_layout: some(dz_create(opposite)),
                unregistered,
                dead_world,
                gone_listener,
                gone_query,
                foreign_query,
                lost_query,
                foreign_listener,
                gone_group,
                foreign_group,
            },
            room: Box::new(Room {
                entities: [abc[0], abc[1], abc[2], 0],
                unborn,
                columns: [dz_column { id: position, values: std::ptr::null(), element_size: 8, reserved: 0 };
                    2],
                values: [0x0101; 16],
                out: [0; 64],
                out_too: [0; 64],
                iter: unsafe { zeroed() },
                query_iter: unsafe { zeroed() },
                batch: unsafe { zeroed() },
                accessor: unsafe { zeroed() },
                terms: [term(position, dz_ask::DZ_WITH), term(tag, dz_ask::DZ_WITHOUT)],
                query: query_desc(),
                component: component_desc(c"New", 12, 4),
                group: group_desc(&[], &[], &[]),
                relation: relation_desc(),
                owned: [position, idle],
                world: world_desc(layout),
            }),
            memory,
            given_up: false,
        });
        let values = stage.room.values.as_ptr().cast();
        stage.room.columns[0].values = values;
        stage.room.group = group_desc(&stage.room.owned, &[], &[]);
        stage.room.columns[1] = dz_column { id: tag, values: std::ptr::null(), element_size: 0, reserved: 0 };
        stage.room.query.terms = stage.room.terms.as_ptr();
        stage.room.query.term_count = 2;
        stage.start();
        stage
    }

    /// Starts the stage's iterators.
    pub fn start(&mut self) {
        ok(unsafe { dz_iterate_pool(self.world, self.position, 0, &mut self.room.iter) });
        ok(unsafe { dz_iterate(self.world, self.kept, &mut self.room.query_iter) });
        ok(unsafe { dz_iterate(self.world, self.kept, &mut self.room.batch) });
        assert!(unsafe { dz_next(&mut self.room.batch) });
        ok(unsafe { dz_accessor_init(self.world, self.position, &mut self.room.accessor) });
    }

    /// The good argument for a parameter.
    pub fn argument(&self, call: &Call, name: &str, kind: Kind) -> u64 {
        let room = &*self.room;
        let at = |place: *const u64| place.expose_provenance() as u64;
        match kind {
            Kind::World | Kind::WorldTested | Kind::WorldHint => self.world.bits.into(),
            Kind::Plain if call.name == "dz_add" => self.bare,
            // A pair that nobody made yet.
            Kind::Target if call.name == "dz_pair" => self.bare,
            Kind::Target => self.target,
            Kind::Relation => self.likes,
            Kind::RelationData => self.position,
            Kind::RelationIdle => self.knows,
            Kind::Pair => self.tag_pair,
            Kind::Held => self.data_pair,
            Kind::Any | Kind::AnyRead | Kind::AnyData | Kind::AnyDataRead => self.position,
            Kind::RelationDesc => at((&raw const room.relation).cast()),
            Kind::Parent | Kind::Above => self.family[0],
            Kind::Sibling | Kind::After => 0,
            Kind::Place | Kind::TreeOrder => 0,
            Kind::EntityName => at(c"renamed".as_ptr().cast()),
            Kind::Path => at(c"first".as_ptr().cast()),
            Kind::Separator => at(c".".as_ptr().cast()),
            Kind::Flag => u64::from(call.name == "dz_set_base"),
            Kind::Owned => self.position,
            Kind::BatchIter => at((&raw const room.batch).cast()),
            Kind::InBatch => 0,
            Kind::Plain if matches!(call.name, "dz_set_parent" | "dz_move_child" | "dz_set_name") => {
                self.family[1]
            }
            Kind::Entity if matches!(call.name, "dz_path" | "dz_ancestors") => self.family[1],
            Kind::Entity if matches!(call.name, "dz_children" | "dz_subtree") => self.family[0],
            Kind::Plain | Kind::Entity | Kind::EntityTested | Kind::EntityParts => self.abc[0],
            Kind::Unborn => room.unborn[0],
            Kind::Stable => self.body,
            Kind::Term => self.hooked,
            Kind::Sorted => self.position,
            Kind::PartRead | Kind::Part | Kind::DataRead | Kind::Data | Kind::Listened => self.position,
            Kind::Plains | Kind::Doomed | Kind::Entities => at(room.entities.as_ptr()),
            Kind::Unborns => at(room.unborn.as_ptr()),
            Kind::Columns => at(room.columns.as_ptr().cast()),
            Kind::ColumnCount => 2,
            Kind::N | Kind::NMade | Kind::NDifferent | Kind::Room | Kind::RoomSome => 3,
            Kind::Reserve => 100,
            Kind::Size => 8,
            Kind::Direction | Kind::Event | Kind::Mode | Kind::Number => 0,
            Kind::Index => {
                self.abc[0] & if self.layout == dz_layout::DZ_LAYOUT_64 { 0xFFFF_FFFF } else { 0xF_FFFF }
            }
            Kind::OutOptional if call.name == "dz_destroy_n" => 0,
            Kind::Out if name == "iter" => at((&raw const room.iter).cast()),
            Kind::Out if name == "next" => at(room.out_too.as_ptr()),
            Kind::Out if name == "count" => at(room.out_too[8..].as_ptr()),
            Kind::Out | Kind::OutRoom | Kind::OutOptional => at(room.out.as_ptr()),
            Kind::Value => at(room.values.as_ptr()),
            Kind::Element => denizen::ffi::access::dz_get(self.world, self.abc[0], self.position) as u64,
            Kind::User => 0xBEEF,
            Kind::Name => at(c"Position".as_ptr().cast()),
            Kind::Function => quiet as *const () as u64,
            Kind::Compare => alike as *const () as u64,
            Kind::Listener => self.listener.bits.into(),
            Kind::Group => self.group.bits.into(),
            Kind::GroupDesc => at((&raw const room.group).cast()),
            Kind::Iter => at((&raw const room.iter).cast()),
            Kind::Accessor => at((&raw const room.accessor).cast()),
            Kind::QueryIter => at((&raw const room.query_iter).cast()),
            Kind::Query if call.name == "dz_query_single" => self.single.bits.into(),
            Kind::Query | Kind::QueryRead | Kind::Kept => self.kept.bits.into(),
            Kind::QueryDesc => at((&raw const room.query).cast()),
            Kind::QueryText => at(c"Position, !Frozen".as_ptr().cast()),
            Kind::PartNumber => 1,
            Kind::Parts => 3,
            Kind::BatchFunction => quiet_batch as *const () as u64,
            Kind::WorldDesc => at((&raw const room.world).cast()),
            Kind::ComponentDesc => at((&raw const room.component).cast()),
        }
    }

    /// Good arguments for a call.
    pub fn arguments(&self, call: &Call) -> Vec<u64> {
        call.params.iter().map(|(name, kind)| self.argument(call, name, *kind)).collect()
    }

    /// The world was ended by a call, or was damaged: it is not looked at again.
    pub fn give_up(&mut self) {
        self.given_up = true;
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        for world in [self.other, self.opposite] {
            dz_world_destroy(world);
        }
        // A world that met a bug is reported by whoever noticed.
        if self.given_up || dz_world_why(self.world) == dz_status::DZ_ERR_WORLD_BROKEN {
            return;
        }
        let done = dz_world_destroy(self.world);
        if !std::thread::panicking() {
            assert_eq!(done, dz_status::DZ_OK, "ending the stage: {}", message());
            assert_eq!(self.memory.wrong(), None);
        }
    }
}
