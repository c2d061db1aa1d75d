//! Pairs, plain entities and roles as ids, and what relations promise, against the naive graph; with hooks and
//! allocations that fail.

use crate::arena::Arena;
use crate::calls::{self, OK, S};
use crate::graph::{BUILTIN, Graph, Traits};
use crate::kinds::{KINDS, Ledger};
use crate::pairs_check::{desc_of, sorted};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, listener::*, pair::*, relation::*, world::*};
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;

/// The kinds of components that are registered: a tag, data, data with hooks.
const SOME: [usize; 5] = [0, 3, 4, 6, 10];

/// So few entities that slots are used again and again.
const MOST: usize = 12;

/// An entity: one of the living, components included, or the last one that died.
type Who = u16;

#[derive(Clone, Copy, Debug)]
enum Id {
    /// As a tag; or a component.
    Plain(Who),
    Role(u8, Who),
    Pair(Who, Who),
    /// An id that was made once.
    Known(u16),
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Create,
    Destroy(Who),
    DestroyN(Who, Who, Who),
    Clone(Who),
    Clear,
    Register(u8),
    Unregister(Who),
    Traits(Who, Traits, Option<Who>),
    Make(Who, Who),
    AddPair(Who, Who, Who),
    SetPair(Who, Who, Who, u32),
    RemovePair(Who, Who, Who),
    Add(Who, Id),
    Set(Who, Id, u32),
    Remove(Who, Id),
    GetOrAdd(Who, Id),
    /// In the next step this call of a hook fails.
    FailHook(u8),
    /// In the next step this allocation fails.
    Starve(u8),
}

#[derive(Clone, Copy, Debug)]
struct Setup {
    wide: bool,
    fifo: bool,
    /// For components: `DZ_RESERVE_NONE`, 0 or `FAR`.
    reserved: u32,
    /// Whether somebody listens who dies.
    listens: bool,
}

pub struct Host {
    pub world: dz_world,
    pub wide: bool,
    pub graph: Graph,
    pub gone: Vec<u64>,
    pub ids: Vec<dz_id>,
    /// Where values are: they stay there.
    pub places: BTreeMap<(u64, u64, u64), *const c_void>,
    pub ledgers: Vec<Ledger>,
    pub arena: Box<Arena>,
    /// Whose end a listener was told of, since the last look.
    pub told: Option<Box<RefCell<Vec<u64>>>>,
}

unsafe extern "C" fn tell(event: *const dz_event, user: *mut c_void) {
    let told = unsafe { &*user.cast::<RefCell<Vec<u64>>>() };
    told.borrow_mut().push(unsafe { (*event).entity });
}

/// What a call that returns no status came to.
fn came(failed: bool) -> S {
    if failed { calls::last() } else { OK }
}

impl Host {
    fn new(setup: Setup) -> Self {
        let arena = Box::<Arena>::default();
        let layout = if setup.wide { dz_layout::DZ_LAYOUT_64 } else { dz_layout::DZ_LAYOUT_32 };
        let world = calls::world(&dz_world_desc {
            layout: layout as i32,
            recycling: setup.fifo.into(),
            reserved_components: setup.reserved,
            allocator: arena.allocator(setup.fifo),
            ..calls::world_desc()
        });
        let ledgers = KINDS.iter().map(|_| Ledger::default()).collect();
        let told = setup.listens.then(Box::<RefCell<Vec<u64>>>::default);
        if let Some(told) = &told {
            let (kind, user) = (dz_event_kind::DZ_ON_DESTROY, (&raw const **told).cast_mut().cast());
            assert_ne!(unsafe { dz_listen(world, kind as i32, 0, Some(tell), user) }.bits, 0);
        }
        let (graph, gone, ids, places) = Default::default();
        Self { world, wide: setup.wide, graph, gone, ids, places, ledgers, arena, told }
    }

    pub fn living(&self) -> Vec<u64> {
        self.graph.links.keys().copied().collect()
    }

    fn who(&self, who: Who) -> u64 {
        // The built-in component lives from the beginning.
        let all: Vec<_> = self.graph.links.keys().chain(self.gone.last()).collect();
        *all[usize::from(who) % all.len()]
    }

    /// The id that a pair must have.
    pub fn pair_id(&self, relation: u64, target: u64) -> u64 {
        let target = if self.wide { u64::from(target as u32) } else { target };
        u64::from(DZ_ROLE_PAIR) << 56 | u64::from(dz_entity_index(relation)) << 32 | target
    }

    /// By what and to whom an id leads.
    pub fn parts(&self, id: dz_id) -> Result<(u64, u64), S> {
        if id >> 56 != u64::from(DZ_ROLE_PAIR) {
            return Ok((id >> 56 << 56, id & (u64::MAX >> 8)));
        }
        let made = self.graph.made.iter().find(|(relation, target)| self.pair_id(*relation, *target) == id);
        made.copied().ok_or(S::DZ_ERR_NO_PAIR)
    }

    fn id(&self, id: Id) -> dz_id {
        match id {
            Id::Plain(who) => self.who(who),
            Id::Role(role, who) => u64::from(role) << 56 | self.who(who),
            Id::Pair(relation, target) => self.pair_id(self.who(relation), self.who(target)),
            Id::Known(_) if self.ids.is_empty() => self.who(0),
            Id::Known(number) => self.ids[usize::from(number) % self.ids.len()],
        }
    }

    /// A value as it is passed; of who has none, some bytes.
    fn value(&self, by: u64, target: u64, seed: u32) -> (Vec<u8>, Vec<u8>) {
        match self.graph.kind(by, target) {
            None => (vec![], vec![7; 8]),
            Some(kind) => (kind.payload(seed), kind.value(&kind.payload(seed))),
        }
    }

    fn forget(&mut self, before: &[u64]) {
        self.gone.extend(before.iter().filter(|entity| !self.graph.links.contains_key(entity)));
    }

    fn born(&mut self, entity: u64) {
        assert_ne!(entity, 0, "{}", calls::message());
        assert!(
            !self.graph.links.contains_key(&entity) && !self.gone.contains(&entity),
            "{entity:#x} is new"
        );
    }

    /// Does a step on both sides. Returns what the library said and what the graph says.
    fn both(&mut self, step: &Step) -> (S, S) {
        let (world, living) = (self.world, self.living());
        let plain = living.len() - self.graph.components.len();
        match *step {
            Step::Create if plain < MOST => {
                let made = dz_create(world);
                if made != 0 {
                    self.born(made);
                    self.graph.links.insert(made, vec![]);
                }
                (came(made == 0), OK)
            }
            Step::Destroy(who) => {
                let who = self.who(who);
                let mut expected = self.graph.check_plain(who).err();
                if expected == Some(S::DZ_ERR_IS_COMPONENT) {
                    let held = self.graph.has.iter().any(|(_, id)| *id == who);
                    let builtin = self.graph.components[&who].name == BUILTIN.name;
                    expected = Some(if builtin {
                        S::DZ_ERR_BUILTIN
                    } else if held {
                        S::DZ_ERR_HELD
                    } else {
                        S::DZ_ERR_IS_COMPONENT
                    });
                }
                let came = dz_destroy(world, who);
                let expected = expected.unwrap_or_else(|| self.graph.destroy(&[who]));
                self.forget(&living);
                (came, expected)
            }
            Step::DestroyN(a, b, c) => {
                let all: BTreeSet<_> = [a, b, c].map(|who| self.who(who)).into();
                let all: Vec<_> =
                    all.into_iter().filter(|who| self.graph.check_plain(*who).is_ok()).collect();
                let came = calls::destroy_n(world, &all);
                let expected = if all.is_empty() { S::DZ_NOTHING_TO_DO } else { self.graph.destroy(&all) };
                self.forget(&living);
                (came, expected)
            }
            Step::Clone(who) => {
                let who = self.who(who);
                let expected = match self.graph.check_plain(who) {
                    Ok(()) if plain >= MOST => return (OK, OK),
                    Ok(()) => OK,
                    Err(error) => error,
                };
                let copy = dz_clone(world, who);
                if copy != 0 {
                    self.born(copy);
                    self.graph.clone_as(who, copy);
                }
                (came(copy == 0), expected)
            }
            Step::Clear => {
                let came = dz_world_clear(world);
                self.graph.clear();
                self.forget(&living);
                (came, OK)
            }
            Step::Register(number) => {
                let number = SOME[usize::from(number) % SOME.len()];
                let kind = &KINDS[number];
                if self.graph.components.values().any(|known| known.name == kind.name) {
                    return (OK, OK);
                }
                let hooks = self.ledgers[number].hooks(kind);
                let id = calls::register(world, kind.name, kind.size, kind.align, kind.stable, hooks);
                if id != 0 {
                    self.born(id);
                    self.graph.links.insert(id, vec![]);
                    self.graph.components.insert(id, kind);
                    let builtin = dz_component_id(world);
                    self.graph.links.entry(builtin).or_default();
                    self.graph.components.insert(builtin, &BUILTIN);
                }
                (came(id == 0), OK)
            }
            Step::Unregister(who) => {
                let who = self.who(who);
                let expected = match self.graph.components.get(&who) {
                    None => self.graph.check(who).err().unwrap_or(S::DZ_ERR_NOT_COMPONENT),
                    Some(kind) if kind.name == BUILTIN.name => S::DZ_ERR_BUILTIN,
                    Some(_) => self.graph.destroy(&[who]),
                };
                let came = dz_component_unregister(world, who);
                self.forget(&living);
                (came, expected)
            }
            Step::Traits(who, traits, with) => {
                let traits = Traits { with: with.map_or(0, |with| self.who(with)), ..traits };
                let who = self.who(who);
                let came = unsafe { dz_relation_set(world, who, &desc_of(&traits)) };
                (came, self.graph.set_traits(who, &traits))
            }
            Step::Make(relation, target) => {
                let (relation, target) = (self.who(relation), self.who(target));
                let checked = self.graph.check(relation).and_then(|()| self.graph.check(target));
                let id = dz_pair(world, relation, target);
                if checked.is_ok() {
                    self.graph.made.insert((relation, target));
                    assert!(id == 0 || id == self.pair_id(relation, target));
                }
                (came(id == 0), checked.err().unwrap_or(OK))
            }
            Step::AddPair(entity, relation, target) => {
                let [entity, relation, target] = [entity, relation, target].map(|who| self.who(who));
                let came = dz_add_pair(world, entity, relation, target);
                (came, self.graph.add(entity, relation, target, None))
            }
            Step::SetPair(entity, relation, target, seed) => {
                let [entity, relation, target] = [entity, relation, target].map(|who| self.who(who));
                let (payload, value) = self.value(relation, target, seed);
                let size = value.len() as u32;
                let came =
                    unsafe { dz_set_pair(world, entity, relation, target, size, value.as_ptr().cast()) };
                let expected = self.graph.add(entity, relation, target, Some(&payload));
                (came, if expected == S::DZ_ALREADY_THERE { OK } else { expected })
            }
            Step::RemovePair(entity, relation, target) => {
                let [entity, relation, target] = [entity, relation, target].map(|who| self.who(who));
                let came = dz_remove_pair(world, entity, relation, target);
                (came, self.graph.remove(entity, relation, target))
            }
            Step::Add(entity, id) => self.by_id(entity, id, |graph, entity, by, target| {
                (dz_add(world, entity.0, entity.1), graph.add(entity.0, by, target, None))
            }),
            Step::Set(entity, id, seed) => {
                let parts = self.parts(self.id(id));
                let (payload, value) =
                    parts.map_or_else(|_| (vec![], vec![7; 8]), |(by, target)| self.value(by, target, seed));
                self.by_id(entity, id, |graph, entity, by, target| {
                    let expected = graph.add(entity.0, by, target, Some(&payload));
                    (
                        calls::set(world, entity.0, entity.1, &value),
                        if expected == S::DZ_ALREADY_THERE { OK } else { expected },
                    )
                })
            }
            Step::Remove(entity, id) => self.by_id(entity, id, |graph, entity, by, target| {
                (dz_remove(world, entity.0, entity.1), graph.remove(entity.0, by, target))
            }),
            Step::GetOrAdd(entity, id) => self.by_id(entity, id, |graph, entity, by, target| {
                let at = dz_get_or_add(world, entity.0, entity.1);
                let checked = graph.check(entity.0).and_then(|()| graph.check(target));
                let expected = match (checked, graph.kind(by, target)) {
                    (Err(error), _) => error,
                    (Ok(()), None) => S::DZ_ERR_TAG,
                    (Ok(()), Some(_)) => graph.add(entity.0, by, target, None),
                };
                (came(at.is_null()), if expected == S::DZ_ALREADY_THERE { OK } else { expected })
            }),
            _ => (OK, OK),
        }
    }

    /// A call with an id: components are another matter, but for whether they are had.
    fn by_id(
        &mut self,
        entity: Who,
        id: Id,
        run: impl FnOnce(&mut Graph, (u64, dz_id), u64, u64) -> (S, S),
    ) -> (S, S) {
        let (entity, id) = (self.who(entity), self.id(id));
        if self.graph.components.contains_key(&id) {
            return self.component(entity, id);
        }
        match self.parts(id) {
            Ok((by, target)) => run(&mut self.graph, (entity, id), by, target),
            Err(error) => {
                let expected = self.graph.check_plain(entity).err().unwrap_or(error);
                (dz_add(self.world, entity, id), expected)
            }
        }
    }

    /// Adds or removes a component.
    fn component(&mut self, entity: u64, id: u64) -> (S, S) {
        if let Err(error) = self.graph.check_plain(entity) {
            return (dz_add(self.world, entity, id), error);
        }
        if self.graph.components[&id].name == BUILTIN.name {
            return (dz_add(self.world, entity, id), S::DZ_ERR_BUILTIN);
        }
        if self.graph.has.remove(&(entity, id)) {
            return (dz_remove(self.world, entity, id), OK);
        }
        self.graph.has.insert((entity, id));
        (dz_add(self.world, entity, id), OK)
    }

    fn step(&mut self, step: &Step, fails: &mut Option<Step>) {
        if matches!(step, Step::FailHook(_) | Step::Starve(_)) {
            *fails = Some(*step);
            return;
        }
        match fails.take() {
            Some(Step::FailHook(nth)) => self.ledgers.iter().for_each(|l| l.fail.set(Some(nth.into()))),
            Some(Step::Starve(nth)) => self.arena.starve.set(Some(nth.into())),
            _ => {}
        }
        let before = (self.graph.clone(), self.gone.clone());
        let (came, expected) = self.both(step);
        if let Some(told) = &self.told {
            let plain = |entity: &&u64| !before.0.components.contains_key(entity);
            let gone = self.gone[before.1.len()..].iter().filter(plain).copied().collect();
            assert_eq!(sorted(told.take()), sorted(gone), "{step:?}: each is told of once");
        }
        let failed = self.ledgers.iter().any(|ledger| ledger.failed.get());
        let starved = self.arena.starved.get();
        let refused = failed && came == S::DZ_ERR_HOOK_FAILED || starved && came == S::DZ_ERR_OUT_OF_MEMORY;
        if refused {
            (self.graph, self.gone) = before;
        } else {
            assert_eq!(came, expected, "{step:?}: {}", calls::message());
            assert!(!failed, "a hook failed, and nobody says so");
        }
        for ledger in &self.ledgers {
            ledger.fail.set(None);
            ledger.failed.set(false);
        }
        self.arena.starve.set(None);
        self.arena.starved.set(false);
        for (relation, target) in &self.graph.made {
            let id = self.pair_id(*relation, *target);
            if !self.ids.contains(&id) {
                self.ids.push(id);
            }
        }
    }

    fn end(self) {
        assert_eq!(dz_world_destroy(self.world), OK);
        assert!(self.ledgers.iter().all(|ledger| ledger.living.borrow().is_empty()), "an element never ends");
        assert_eq!(self.arena.bytes(), 0);
        assert_eq!(*self.arena.wrong.borrow(), Vec::<String>::new());
    }
}

pub fn traits() -> impl Strategy<Value = Traits> {
    let cleanup = || prop_oneof![3 => Just(0), 2 => Just(1), 1 => Just(2)];
    (any::<[bool; 5]>(), any::<bool>(), cleanup(), cleanup()).prop_map(
        |(flags, plain, on_target, on_relation)| {
            let [exclusive, symmetric, acyclic, transitive, reflexive] = flags;
            // Half of those that don't go together are mended.
            let (acyclic, transitive) = if plain {
                (acyclic && !symmetric, transitive && acyclic && !symmetric)
            } else {
                (acyclic, transitive)
            };
            Traits { exclusive, symmetric, acyclic, transitive, reflexive, on_target, on_relation, with: 0 }
        },
    )
}

fn id() -> impl Strategy<Value = Id> {
    prop_oneof![
        2 => any::<Who>().prop_map(Id::Plain),
        1 => (prop_oneof![Just(128_u8), Just(200), Just(255)], any::<Who>()).prop_map(|(r, w)| Id::Role(r, w)),
        1 => any::<(Who, Who)>().prop_map(|(relation, target)| Id::Pair(relation, target)),
        4 => any::<u16>().prop_map(Id::Known),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    use Step::*;
    let who = any::<Who>;
    // Few relations, so that pairs of one meet.
    let by = || prop_oneof![4 => 0..6_u16, 1 => any::<Who>()];
    prop_oneof![
        6 => Just(Create),
        3 => who().prop_map(Destroy),
        1 => any::<(Who, Who, Who)>().prop_map(|(a, b, c)| DestroyN(a, b, c)),
        2 => who().prop_map(Clone),
        1 => prop::bool::weighted(0.2).prop_map(|clear| if clear { Clear } else { Create }),
        1 => any::<u8>().prop_map(Register),
        1 => who().prop_map(Unregister),
        5 => (by(), traits(), prop::option::of(by())).prop_map(|(who, traits, with)| Traits(who, traits, with)),
        1 => (by(), who()).prop_map(|(relation, target)| Make(relation, target)),
        14 => (who(), by(), who()).prop_map(|(e, r, t)| AddPair(e, r, t)),
        8 => (who(), by(), who(), any::<u32>()).prop_map(|(e, r, t, seed)| SetPair(e, r, t, seed)),
        2 => (who(), by(), who()).prop_map(|(e, r, t)| RemovePair(e, r, t)),
        6 => (who(), id()).prop_map(|(entity, id)| Add(entity, id)),
        4 => (who(), id(), any::<u32>()).prop_map(|(entity, id, seed)| Set(entity, id, seed)),
        3 => (who(), id()).prop_map(|(entity, id)| Remove(entity, id)),
        2 => (who(), id()).prop_map(|(entity, id)| GetOrAdd(entity, id)),
        1 => (0..4_u8).prop_map(FailHook),
        1 => (0..6_u8).prop_map(Starve),
    ]
}

fn run(setup: Setup, steps: &[Step]) {
    let mut host = Host::new(setup);
    let mut fails = None;
    [Step::Register(1), Step::Register(3)].iter().for_each(|step| host.step(step, &mut None));
    for step in steps {
        host.step(step, &mut fails);
        host.check();
    }
    host.end();
}

proptest! {
    #![proptest_config(crate::config(100))]

    /// M25 to M28, M30, M31, M33, M35, M36.
    #[test]
    fn pairs_do_what_the_graph_says(
        (wide, fifo, listens) in any::<(bool, bool, bool)>(),
        reserved in prop_oneof![Just(DZ_RESERVE_NONE), Just(0), Just(calls::FAR)],
        steps in prop::collection::vec(step(), 0..crate::steps(120)),
    ) {
        run(Setup { wide, fifo, reserved, listens }, &steps);
    }
}

/// Who was created after memory ran out may have no signature yet, which says that there are pairs to look for.
#[test]
fn pairs_end_with_who_had_no_signature() {
    for wide in [false, true] {
        let setup = Setup { wide, fifo: false, reserved: 0, listens: false };
        // The built-in component is number 0, two others follow.
        let pair = Step::AddPair(3, 2, 0);
        run(
            setup,
            &[
                Step::Starve(1),
                Step::Create,
                Step::Create,
                pair,
                Step::Add(3, Id::Plain(1)),
                Step::Destroy(3),
            ],
        );
    }
}

/// What has no relation is not what the first index, which may be a relation, promises.
#[test]
fn roles_are_promised_nothing() {
    let traits = Traits { reflexive: true, transitive: true, acyclic: true, ..Traits::default() };
    let steps = [
        Step::Create,
        Step::Create,
        Step::Create,
        Step::Traits(0, traits, None),
        Step::AddPair(3, 0, 4),
        Step::Add(5, Id::Plain(4)),
        Step::Add(5, Id::Role(200, 4)),
    ];
    for wide in [false, true] {
        run(Setup { wide, fifo: false, reserved: 0, listens: false }, &steps);
    }
}

/// A relation brings up to eight others, of each of which there may be two pairs.
#[test]
fn chains_of_relations_have_an_end() {
    let symmetric = Traits { symmetric: true, ..Traits::default() };
    let both = Traits { exclusive: true, ..symmetric };
    for traits in [Traits::default(), symmetric, both] {
        // Entities are numbers 3 to 14: 4 brings 3, 5 brings 4, and so on; 11 brings eight, and 12 would bring nine.
        let chain = (3..11).map(|at| Step::Traits(at + 1, traits, Some(at)));
        let pairs = (3..14).map(|relation| Step::AddPair(13, relation, 14));
        let steps = std::iter::repeat_n(Step::Create, 12).chain([Step::Traits(3, traits, None)]).chain(chain);
        let steps = steps.chain([Step::Traits(12, traits, Some(11)), Step::AddPair(13, 11, 14)]);
        let steps: Vec<_> = steps.chain([Step::AddPair(13, 11, 12), Step::Clone(13)]).chain(pairs).collect();
        for wide in [false, true] {
            run(Setup { wide, fifo: true, reserved: 0, listens: true }, &steps);
        }
    }
}
