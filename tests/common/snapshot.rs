//! All that can be read of a world, to compare before and after. Bytes, capacity and the peak are left
//! out: a call that fails may have reserved memory.

use super::last;
use denizen::ffi::access::{dz_get, dz_has};
use denizen::ffi::component::{
    dz_component_find, dz_component_id, dz_component_info, dz_components, dz_count, dz_entity_of,
    dz_singleton_get,
};
use denizen::ffi::enable::{dz_is_component_enabled, dz_is_enabled};
use denizen::ffi::entity::{dz_entities, dz_generation, dz_is_alive, dz_type};
use denizen::ffi::group::{dz_group_contains, dz_group_count, dz_group_info, dz_groups};
use denizen::ffi::instance::{dz_base, dz_is_base, dz_source};
use denizen::ffi::iterate::{dz_iterate_pool, dz_next};
use denizen::ffi::name::dz_name;
use denizen::ffi::pair::{dz_pair_halves, dz_pair_holders, dz_pair_targets};
use denizen::ffi::pair_types::{DZ_ROLE_PAIR, dz_pair_parts, dz_relation_desc};
use denizen::ffi::query::{dz_iterate, dz_query_info, dz_query_list, dz_query_terms};
use denizen::ffi::relation::dz_relation_info;
use denizen::ffi::tree::{dz_child_count, dz_children};
use denizen::ffi::types::*;
use denizen::ffi::world::{dz_world_number, dz_world_stats, dz_world_user};
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;

/// Slots whose generations are compared, whether they were ever used or not.
const SLOTS: u32 = 400;

/// A component, its pool in both directions, and its world-wide value.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    pub id: dz_id,
    pub name: String,
    pub shape: (u32, u32, i32),
    pub count: u32,
    pub gaps: u32,
    pub builtin: u32,
    pub singleton: Option<Vec<u8>>,
    pub forward: Vec<(dz_entity, Vec<u8>)>,
    pub backward: Vec<(dz_entity, Vec<u8>)>,
}

/// What an entity has, and the value of it; tags have none.
pub type Has = (dz_id, Option<Vec<u8>>);

/// All that can be read of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    pub numbers: [u32; 5],
    pub number: u32,
    pub user: usize,
    pub builtin: dz_id,
    pub entities: Vec<(dz_entity, Vec<Has>)>,
    pub generations: Vec<(u32, Option<dz_status>)>,
    pub components: Vec<Component>,
    pub queries: Vec<Query>,
    pub groups: Vec<Group>,
    /// Who has what is no component, by id.
    pub holders: Vec<(dz_id, Vec<dz_entity>)>,
    /// What relations promise, those that promise anything.
    pub traits: Vec<(dz_entity, [u64; 8])>,
    /// What is special of entities.
    pub kin: Vec<Kin>,
}

/// What is special of an entity: children in order, a name, that it is disabled or a base; which of its components
/// queries see.
#[derive(Clone, Debug, PartialEq)]
pub struct Kin {
    pub entity: dz_entity,
    pub children: Vec<dz_entity>,
    pub name: Option<CString>,
    pub enabled: bool,
    pub is_base: bool,
    pub seen: Vec<dz_id>,
}

impl Kin {
    fn of(world: dz_world, entity: dz_entity, components: &[Component]) -> Self {
        let mut children = vec![0; dz_child_count(world, entity) as usize];
        let count = unsafe { dz_children(world, entity, 0, children.as_mut_ptr(), children.len() as u32) };
        assert_eq!(count as usize, children.len(), "the children are as many as are counted");
        let name = dz_name(world, entity);
        let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_owned());
        let seen = components.iter().map(|component| component.id);
        let seen = seen.filter(|id| dz_is_component_enabled(world, entity, *id)).collect();
        let (enabled, is_base) = (dz_is_enabled(world, entity), dz_is_base(world, entity));
        Self { entity, children, name, enabled, is_base, seen }
    }
}

/// A query, and who matches; nobody is asked if a component of it is gone.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub bits: u32,
    pub terms: Vec<(dz_id, i32, i32, u32)>,
    pub details: (u32, i32, dz_id),
    pub matches: Option<Vec<dz_entity>>,
    /// It asks for pairs, or for what is another's.
    pub linked: bool,
}

/// A group: its handle, its terms with how many of each part, and its members.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub bits: u32,
    pub ids: Vec<dz_id>,
    pub parts: [u32; 3],
    pub members: Vec<dz_entity>,
}

fn ok(status: dz_status) {
    assert_eq!(status, dz_status::DZ_OK, "reading the world: {}", super::message());
}

fn bytes(at: *const std::ffi::c_void, size: u32) -> Option<Vec<u8>> {
    (!at.is_null() && size > 0)
        .then(|| unsafe { std::slice::from_raw_parts(at.cast::<u8>(), size as usize) }.to_vec())
}

/// The living, asked for in small pieces.
pub fn living(world: dz_world) -> Vec<dz_entity> {
    let (mut all, mut first) = (Vec::new(), 0);
    while first != u32::MAX {
        let (mut piece, mut count) = ([0; 7], 0);
        ok(unsafe { dz_entities(world, first, piece.as_mut_ptr(), 7, &mut count, &mut first) });
        all.extend_from_slice(&piece[..count as usize]);
    }
    all
}

/// What an entity has.
pub fn type_of(world: dz_world, entity: dz_entity) -> Vec<dz_id> {
    let (mut ids, mut count) = ([0; 64], 0);
    ok(unsafe { dz_type(world, entity, ids.as_mut_ptr(), 64, &mut count) });
    ids[..count as usize].to_vec()
}

fn walk(world: dz_world, id: dz_id, direction: dz_direction) -> Vec<(dz_entity, Vec<u8>)> {
    let mut iter = MaybeUninit::<dz_iter>::zeroed();
    ok(unsafe { dz_iterate_pool(world, id, direction as i32, iter.as_mut_ptr()) });
    let mut iter = unsafe { iter.assume_init() };
    let mut seen = Vec::new();
    while unsafe { dz_next(&mut iter) } {
        let mut span: Vec<_> = (0..iter.count as usize)
            .map(|i| unsafe {
                let entity = match iter.entity_size {
                    4 => iter.entities.cast::<u32>().add(i).read().into(),
                    _ => iter.entities.cast::<u64>().add(i).read(),
                };
                let at = iter.data.cast::<u8>().wrapping_add(i * iter.stride as usize);
                let value =
                    bytes(if iter.data.is_null() { std::ptr::null() } else { at.cast() }, iter.stride);
                (entity, value.unwrap_or_default())
            })
            .collect();
        if direction == dz_direction::DZ_BACKWARD {
            span.reverse();
        }
        seen.extend(span);
    }
    assert_eq!(iter.status, dz_status::DZ_OK as i32);
    seen
}

fn component(world: dz_world, id: dz_id) -> Component {
    let mut details = MaybeUninit::uninit();
    ok(unsafe { dz_component_info(world, id, details.as_mut_ptr()) });
    let details: dz_component_details = unsafe { details.assume_init() };
    let name = unsafe { CStr::from_ptr(details.name) };
    assert_eq!(unsafe { dz_component_find(world, name.as_ptr()) }, id, "{name:?} is found by its name");
    assert_eq!(dz_count(world, id), details.count);
    let size = details.element_size;
    let singleton = if size == 0 { None } else { bytes(dz_singleton_get(world, id), size) };
    Component {
        id: details.id,
        name: name.to_str().expect("UTF-8").to_owned(),
        shape: (size, details.element_alignment, details.policy),
        count: details.count,
        gaps: details.gaps,
        builtin: details.builtin,
        singleton,
        forward: walk(world, id, dz_direction::DZ_FORWARD),
        backward: walk(world, id, dz_direction::DZ_BACKWARD),
    }
}

/// Whether an entity that has these components matches, by the terms alone.
pub fn is_match(terms: &[(dz_id, i32, i32, u32)], has: impl Fn(dz_id) -> bool) -> bool {
    terms.iter().all(|(id, ask, _, group)| match ask {
        0 => has(*id),
        1 => !has(*id),
        2 => true,
        _ => terms.iter().any(|(other, ask, _, of)| *ask == 3 && of == group && has(*other)),
    })
}

/// The matches of a query, as its batches hand them out.
pub fn matches(world: dz_world, query: dz_query) -> Result<Vec<dz_entity>, dz_status> {
    let mut iter = Box::<dz_iter>::new_uninit();
    let status = unsafe { dz_iterate(world, query, iter.as_mut_ptr()) };
    if status != dz_status::DZ_OK {
        return Err(status);
    }
    let mut iter = unsafe { iter.assume_init() };
    let mut seen = Vec::new();
    while unsafe { dz_next(&mut *iter) } {
        for i in 0..iter.count as usize {
            let at = if iter.gather == 0 { i } else { iter.picks[i] as usize };
            seen.push(match iter.entity_size {
                4 => unsafe { iter.entities.cast::<u32>().add(at).read() }.into(),
                _ => unsafe { iter.entities.cast::<u64>().add(at).read() },
            });
        }
    }
    assert_eq!(iter.status, dz_status::DZ_OK as i32);
    Ok(seen)
}

fn query(world: dz_world, query: dz_query) -> Query {
    let mut terms = [super::stage::term(0, dz_ask::DZ_WITH); 32];
    let mut count = 0;
    ok(unsafe { dz_query_terms(world, query, terms.as_mut_ptr(), 32, &mut count) });
    let terms = &terms[..count as usize];
    let mut details = MaybeUninit::uninit();
    ok(unsafe { dz_query_info(world, query, details.as_mut_ptr()) });
    let details: dz_query_details = unsafe { details.assume_init() };
    assert_eq!(details.term_count, count);
    let linked = terms.iter().any(|term| term.source != 0 || term.target != 0);
    let mut matches = matches(world, query).ok();
    // In which order its matches come isn't promised: what was taken back may have changed places in its level.
    matches.iter_mut().filter(|_| linked).for_each(|all| all.sort_unstable());
    Query {
        bits: query.bits,
        terms: terms.iter().map(|term| (term.id, term.ask, term.access, term.any_of)).collect(),
        details: (details.kept, details.priority, details.order),
        matches,
        linked,
    }
}

fn queries(world: dz_world) -> Vec<Query> {
    let (mut all, mut count) = ([dz_query { bits: 0 }; 16], 0);
    ok(unsafe { dz_query_list(world, all.as_mut_ptr(), 16, &mut count) });
    all[..count as usize].iter().map(|one| query(world, *one)).collect()
}

/// The relation and the target of an id, if it is a pair's.
fn halves(world: dz_world, id: dz_id) -> Option<dz_pair_parts> {
    let mut parts = dz_pair_parts { relation: 0, target: 0 };
    (id >> 56 == u64::from(DZ_ROLE_PAIR)).then(|| {
        ok(unsafe { dz_pair_halves(world, id, &mut parts) });
        parts
    })
}

fn holders(world: dz_world, id: dz_id) -> Vec<dz_entity> {
    let mut count = 0;
    ok(unsafe { dz_pair_holders(world, id, std::ptr::null_mut(), 0, &mut count) });
    let mut all = vec![0; count as usize];
    ok(unsafe { dz_pair_holders(world, id, all.as_mut_ptr(), count, &mut count) });
    all.sort_unstable();
    all
}

/// What an entity's relation promises; None: nothing.
fn traits(world: dz_world, entity: dz_entity) -> Option<[u64; 8]> {
    let mut desc = MaybeUninit::uninit();
    ok(unsafe { dz_relation_info(world, entity, desc.as_mut_ptr()) });
    let desc: dz_relation_desc = unsafe { desc.assume_init() };
    let flags = [desc.exclusive, desc.symmetric, desc.acyclic, desc.transitive, desc.reflexive];
    let [a, b, c, d, e] = flags.map(u64::from);
    let all = [a, b, c, d, e, desc.on_target as u64, desc.on_relation as u64, desc.with];
    (all != [0; 8]).then_some(all)
}

fn group(world: dz_world, group: dz_group, entities: &[dz_entity]) -> Group {
    let mut details = MaybeUninit::uninit();
    ok(unsafe { dz_group_info(world, group, details.as_mut_ptr()) });
    let details: dz_group_details = unsafe { details.assume_init() };
    let parts = [details.owned_count, details.included_count, details.excluded_count];
    let is_member = |entity: &&dz_entity| dz_group_contains(world, group, **entity);
    let members: Vec<_> = entities.iter().filter(is_member).copied().collect();
    assert_eq!((details.count, dz_group_count(world, group)), (members.len() as u32, details.count));
    let terms = parts.iter().sum::<u32>() as usize;
    Group { bits: details.group.bits, ids: details.ids[..terms].to_vec(), parts, members }
}

impl Snapshot {
    /// Reads everything, and checks that what it reads agrees with itself.
    pub fn of(world: dz_world) -> Self {
        let mut numbers = dz_world_numbers::default();
        ok(unsafe { dz_world_stats(world, &mut numbers) });
        let (mut ids, mut count) = ([0; 64], 0);
        ok(unsafe { dz_components(world, ids.as_mut_ptr(), 64, &mut count) });
        let components: Vec<_> = ids[..count as usize].iter().map(|id| component(world, *id)).collect();
        let sizes = |id| components.iter().find(|c| c.id == id).map_or(0, |c| c.shape.0);
        let value = |entity, id| match (sizes(id), halves(world, id)) {
            (_, Some(parts)) => {
                let room = std::ptr::null_mut();
                let mut count = 0;
                ok(unsafe { dz_pair_targets(world, entity, parts.relation, room, 0, &mut count) });
                assert!(count > 0 && dz_has(world, entity, id), "dz_type, dz_has and dz_pair_targets agree");
                let size = [parts.relation, parts.target].map(sizes).into_iter().find(|size| *size > 0);
                size.and_then(|size| bytes(dz_get(world, entity, id), size))
            }
            (0, None) => None,
            (size, None) => {
                let at = dz_get(world, entity, id);
                assert_eq!(dz_entity_of(world, id, at), entity);
                bytes(at, size)
            }
        };
        let entities = living(world).into_iter().map(|entity| {
            assert!(dz_is_alive(world, entity));
            let has: Vec<_> = type_of(world, entity).iter().map(|id| (*id, value(entity, *id))).collect();
            for component in &components {
                let is_in = has.iter().any(|(id, _)| *id == component.id);
                let own = dz_source(world, entity, component.id) == entity;
                assert_eq!(own, is_in, "dz_source and dz_type agree");
                let has = dz_has(world, entity, component.id);
                assert!(has == is_in || has && dz_base(world, entity) != 0, "dz_has and dz_type agree");
            }
            (entity, has)
        });
        let (mut handles, mut group_count) = ([dz_group::default(); 64], 0);
        ok(unsafe { dz_groups(world, handles.as_mut_ptr(), 64, &mut group_count) });
        let all = living(world);
        let groups = handles[..group_count as usize].iter().map(|handle| group(world, *handle, &all));
        let entities: Vec<_> = entities.collect();
        let mut others: Vec<dz_id> =
            entities.iter().flat_map(|(_, has)| has.iter().map(|(id, _)| *id)).collect();
        others.retain(|id| !components.iter().any(|component| component.id == *id));
        others.sort_unstable();
        others.dedup();
        let generation = |index| match dz_generation(world, index) {
            0 => (0, Some(last())),
            generation => (generation, None),
        };
        let snapshot = Self {
            numbers: [numbers.alive, numbers.dead, numbers.retired, numbers.components, numbers.listeners],
            number: dz_world_number(world),
            user: dz_world_user(world) as usize,
            builtin: dz_component_id(world),
            holders: others.into_iter().map(|id| (id, holders(world, id))).collect(),
            traits: all.iter().filter_map(|entity| Some((*entity, traits(world, *entity)?))).collect(),
            entities,
            kin: all.iter().map(|entity| Kin::of(world, *entity, &components)).collect(),
            generations: (0..SLOTS).map(generation).collect(),
            groups: groups.collect(),
            components,
            queries: queries(world),
        };
        snapshot.check();
        snapshot
    }

    fn check(&self) {
        assert_eq!(self.numbers[0] as usize, self.entities.len(), "the count of the living");
        for component in &self.components {
            let reversed: Vec<_> = component.backward.iter().rev().cloned().collect();
            assert_eq!(reversed, component.forward, "backward is forward reversed");
            let seen = self.kin.iter().filter(|kin| kin.seen.contains(&component.id)).count();
            assert_eq!(seen, component.forward.len(), "an iteration sees what is enabled");
            assert!(component.count as usize >= seen);
        }
        for (id, holders) in &self.holders {
            let has = |all: &[Has]| all.iter().any(|(other, _)| other == id);
            let mut expected: Vec<_> =
                self.entities.iter().filter(|(_, all)| has(all)).map(|(e, _)| *e).collect();
            expected.sort_unstable();
            assert_eq!(*holders, expected, "dz_type and dz_pair_holders agree about {id:#x}");
        }
        for query in self.queries.iter().filter(|query| !query.linked) {
            let Some(matches) = &query.matches else { continue };
            // Components are entities too, which have the built-in component.
            let all = self.kin.iter();
            let expected: Vec<_> = all
                .filter(|kin| is_match(&query.terms, |id| kin.seen.contains(&id)))
                .map(|kin| kin.entity)
                .collect();
            assert_eq!(*matches, expected, "the matches of a query");
        }
    }

    /// How two differ, in a few words.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self == other {
            return None;
        }
        let slots = self.generations.iter().zip(&other.generations).enumerate();
        let slots =
            slots.filter(|(_, (a, b))| a != b).map(|(index, (a, b))| format!("slot {index}: {a:?} -> {b:?}"));
        let mut said: Vec<String> = slots.take(2).collect();
        if self.numbers != other.numbers {
            said.push(format!(
                "alive, dead, retired, components, listeners {:?} -> {:?}",
                self.numbers, other.numbers
            ));
        }
        if self.builtin != other.builtin || self.user != other.user {
            said.push("the built-in component or the user's pointer".into());
        }
        let changed = |entity: &&(u64, _)| !other.entities.contains(entity);
        said.extend(
            self.entities.iter().filter(changed).take(2).map(|e| format!("entity {e:x?} changed or went")),
        );
        for (a, b) in self.components.iter().zip(&other.components).filter(|(a, b)| a != b).take(2) {
            let list =
                |c: &Component| c.forward.iter().map(|(e, _)| super::print_form(*e)).collect::<Vec<_>>();
            let (name, count, gaps) = (&a.name, [a.count, b.count], [a.gaps, b.gaps]);
            said.push(format!("component {name}: count {count:?}, gaps {gaps:?}"));
            if list(a) != list(b) {
                said.push(format!("order {:?} -> {:?}", list(a), list(b)));
            }
        }
        if self.queries != other.queries {
            said.push(format!("queries {:x?} -> {:x?}", self.queries, other.queries));
        }
        if (&self.holders, &self.traits) != (&other.holders, &other.traits) {
            said.push(format!("pairs {:x?} -> {:x?}", self.holders, other.holders));
            said.push(format!("traits {:x?} -> {:x?}", self.traits, other.traits));
        }
        if self.kin != other.kin {
            said.push(format!("kin {:x?} -> {:x?}", self.kin, other.kin));
        }
        if self.groups != other.groups {
            said.push(format!("groups {:x?} -> {:x?}", self.groups, other.groups));
        }
        if said.is_empty() {
            said.push(format!("values or components: {:?} -> {:?}", self.components, other.components));
        }
        Some(said.join("; "))
    }
}
