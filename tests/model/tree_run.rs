//! A world with a hierarchy, names, pairs, bases and disabled entities beside the naive one: does a step on both sides.

use crate::arena::Arena;
use crate::calls::{self, OK, S};
use crate::graph::{BUILTIN, Traits};
use crate::kin::{self, INSTANCEOF, Kin};
use crate::kinds::{KINDS, Kind, Ledger};
use crate::pairs_check::{desc_of, listed, sorted};
use crate::tree::{Step, Who};
use denizen::ffi::group::dz_group_create;
use denizen::ffi::query::dz_query_parse;
use denizen::ffi::tree_types::DZ_ROLE_CHILDOF;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, enable::*, entity::*, instance::*, name::*};
use denizen::ffi::{pair::*, relation::*, tree::*, world::*};
use std::collections::BTreeSet;
use std::ffi::CStr;

/// The kinds of components: a tag, data, data that stays where it is, data with hooks. The last two come and go.
pub const SOME: [usize; 4] = [0, 3, 4, 6];

/// Names that there are: few, so that they are often taken. No name, too.
pub const NAMES: [&CStr; 5] = [c"", c"a", c"b", c"c", c"a.b"];

/// So few entities that slots are used again and again.
pub const MOST: usize = 14;

pub struct Host {
    pub world: dz_world,
    pub kin: Kin,
    pub gone: Vec<u64>,
    /// Components by number; 0: unregistered.
    pub ids: [dz_id; SOME.len()],
    pub ledgers: Vec<Ledger>,
    pub arena: Box<Arena>,
    /// Four without Tag.
    pub group: dz_group,
    pub queries: Vec<dz_query>,
}

/// What a call that returns no status came to.
fn came(failed: bool) -> S {
    if failed { calls::last() } else { OK }
}

fn status(result: Result<(), S>) -> S {
    result.err().unwrap_or(OK)
}

pub const fn child_of(parent: u64) -> dz_id {
    (DZ_ROLE_CHILDOF as u64) << 56 | parent
}

/// Texts of the queries that are always there, and what the model calls them.
pub const TEXTS: [&CStr; 6] = [
    c"[in] Four",
    c"[in] Four, !Tag",
    c"[bases] [in] Four",
    c"[bases] [in] Four, !Tag",
    c"[in] Four(inherit)",
    c"[bases] [in] Four(inherit)",
];

impl Host {
    /// Whether handles are wide, come first in first out, and are far from the first.
    pub fn new((wide, fifo, far): (bool, bool, bool)) -> Self {
        let arena = Box::<Arena>::default();
        let layout = if wide { dz_layout::DZ_LAYOUT_64 } else { dz_layout::DZ_LAYOUT_32 };
        let world = calls::world(&dz_world_desc {
            layout: layout as i32,
            recycling: fifo.into(),
            reserved_components: if far { calls::FAR } else { DZ_RESERVE_NONE },
            allocator: arena.allocator(fifo),
            ..calls::world_desc()
        });
        let ledgers = KINDS.iter().map(|_| Ledger::default()).collect();
        let group = dz_group { bits: 0 };
        let (kin, gone, ids, queries) = Default::default();
        let mut host = Self { world, kin, gone, ids, ledgers, arena, group, queries };
        for number in 0..SOME.len() {
            assert_eq!(host.register(number), (OK, OK));
        }
        let (owned, excluded) = ([host.ids[1]], [host.ids[0]]);
        let mut desc: dz_group_desc = unsafe { std::mem::zeroed() };
        desc.size = size_of::<dz_group_desc>() as u32;
        (desc.owned_count, desc.owned, desc.excluded_count, desc.excluded) =
            (1, owned.as_ptr(), 1, excluded.as_ptr());
        host.group = unsafe { dz_group_create(world, &desc) };
        assert_ne!(host.group.bits, 0, "{}", calls::message());
        host.queries = TEXTS.iter().map(|text| unsafe { dz_query_parse(world, text.as_ptr()) }).collect();
        assert!(host.queries.iter().all(|query| query.bits != 0), "{}", calls::message());
        host
    }

    pub fn living(&self) -> Vec<u64> {
        self.kin.graph.links.keys().copied().collect()
    }

    pub fn plain(&self) -> Vec<u64> {
        self.living().into_iter().filter(|entity| !self.kin.graph.components.contains_key(entity)).collect()
    }

    /// One of the living, components included, or the last one that died.
    pub fn who(&self, who: Who) -> u64 {
        let all: Vec<_> = self.kin.graph.links.keys().chain(self.gone.last()).collect();
        *all[usize::from(who) % all.len()]
    }

    fn born(&self, entity: u64) {
        let known = self.kin.graph.links.contains_key(&entity) || self.gone.contains(&entity);
        assert!(entity != 0 && !known, "{entity:#x} is new");
    }

    fn register(&mut self, number: usize) -> (S, S) {
        let kind = &KINDS[SOME[number]];
        if self.ids[number] != 0 {
            return (OK, OK);
        }
        let hooks = self.ledgers[SOME[number]].hooks(kind);
        let id = calls::register(self.world, kind.name, kind.size, kind.align, kind.stable, hooks);
        if id != 0 {
            self.born(id);
            let builtin = dz_component_id(self.world);
            for (id, kind) in [(id, kind), (builtin, &BUILTIN)] {
                self.kin.graph.links.entry(id).or_default();
                self.kin.graph.components.insert(id, kind);
            }
            self.ids[number] = id;
        }
        (came(id == 0), OK)
    }

    /// A component that is registered: its id and kind.
    pub fn component(&self, number: u8) -> (dz_id, &'static Kind) {
        let number = usize::from(number) % SOME.len();
        let number = if self.ids[number] == 0 { 1 } else { number };
        (self.ids[number], &KINDS[SOME[number]])
    }

    fn pair_value(&self, relation: u64, target: u64, seed: u32) -> (Vec<u8>, Vec<u8>) {
        match self.kin.graph.kind(relation, target) {
            None => (vec![], vec![7; 8]),
            Some(kind) => (kind.payload(seed), kind.value(&kind.payload(seed))),
        }
    }

    fn destroy(&mut self, all: &[u64]) -> S {
        let status = self.kin.graph.destroy(all);
        self.kin.forget();
        status
    }

    fn both(&mut self, step: &Step) -> (S, S) {
        use Step::*;
        let world = self.world;
        match *step {
            Create | Clone(_) | Instantiate(_) => self.new_ones(step),
            Destroy(who) => {
                let who = self.who(who);
                if self.kin.graph.components.contains_key(&who) {
                    return (OK, OK);
                }
                (dz_destroy(world, who), self.destroy(&[who]))
            }
            DestroyN(a, b, c) => {
                let all: BTreeSet<_> = [a, b, c].map(|who| self.who(who)).into();
                let all: Vec<_> =
                    all.into_iter().filter(|who| self.kin.graph.check_plain(*who).is_ok()).collect();
                let came = calls::destroy_n(world, &all);
                (came, if all.is_empty() { S::DZ_NOTHING_TO_DO } else { self.destroy(&all) })
            }
            Clear => {
                self.kin.graph.clear();
                self.kin.forget();
                (dz_world_clear(world), OK)
            }
            Register(number) => self.register(usize::from(number) % SOME.len()),
            Unregister(number) => {
                let number = 2 + usize::from(number) % 2;
                if self.ids[number] == 0 {
                    return (OK, OK);
                }
                let came = dz_component_unregister(world, self.ids[number]);
                let expected = self.destroy(&[self.ids[number]]);
                self.ids[number] = if expected == OK { 0 } else { self.ids[number] };
                (came, expected)
            }
            SetParent(child, parent) => {
                let (child, parent) = (self.who(child), parent.map_or(0, |parent| self.who(parent)));
                (dz_set_parent(world, child, parent), status(self.kin.put(child, parent, kin::LAST, 0)))
            }
            Move(child, place, sibling) => {
                let (child, place) = (self.who(child), i32::from(place % 4));
                // Mostly one who is a sibling.
                let siblings = self.kin.children(self.kin.parent(child));
                let any = siblings.is_empty() || sibling % 8 == 0;
                let one = if any { self.who(sibling) } else { siblings[sibling as usize % siblings.len()] };
                let sibling = if place >= kin::BEFORE { one } else { 0 };
                let came = dz_move_child(world, child, place, sibling);
                (came, status(self.kin.reorder(child, place, sibling)))
            }
            AddParent(child, parent) => {
                let (child, parent) = (self.who(child), self.who(parent));
                let came = dz_add(world, child, child_of(parent));
                let lives = self.kin.graph.check_plain(child).and_then(|()| self.kin.graph.check(parent));
                let expected = match lives {
                    Ok(()) if self.kin.parent(child) == parent => S::DZ_ALREADY_THERE,
                    _ => status(lives.and_then(|()| self.kin.put(child, parent, kin::LAST, 0))),
                };
                (came, expected)
            }
            RemoveParent(child, parent) => {
                let (child, parent) = (self.who(child), self.who(parent));
                let came = dz_remove(world, child, child_of(parent));
                let lives = self.kin.graph.check_plain(child).and_then(|()| self.kin.graph.check(parent));
                let expected = match lives {
                    Ok(()) if self.kin.parent(child) != parent => S::DZ_NOT_THERE,
                    _ => status(lives.and_then(|()| self.kin.put(child, 0, kin::LAST, 0))),
                };
                (came, expected)
            }
            Name(who, name) => {
                let (who, name) = (self.who(who), NAMES[usize::from(name) % NAMES.len()]);
                let place = if name.is_empty() { std::ptr::null() } else { name.as_ptr() };
                let came = unsafe { dz_set_name(world, who, place) };
                (came, self.kin.set_name(who, name.to_str().unwrap()))
            }
            Relate(..) | AddPair(..) | SetPair(..) | RemovePair(..) | AddTag(..) => self.pair(step),
            InstanceOf(who, base) => {
                let (who, base) = (self.who(who), self.who(base));
                (dz_add(world, who, INSTANCEOF | base), self.kin.instance_of(who, base))
            }
            NoInstance(who, base) => {
                let (who, base) = (self.who(who), self.who(base));
                (dz_remove(world, who, INSTANCEOF | base), self.kin.graph.remove(who, INSTANCEOF, base))
            }
            SetBase(who, is_base) => {
                let who = self.who(who);
                let came = dz_set_base(world, who, is_base);
                let expected = match self.kin.graph.check_plain(who) {
                    Err(error) => error,
                    Ok(()) if self.kin.mark(who, is_base) => OK,
                    Ok(()) => S::DZ_NOTHING_TO_DO,
                };
                (came, expected)
            }
            Enable(who, enabled) => {
                let who = self.who(who);
                let came = dz_set_enabled(world, who, enabled);
                let all = &mut self.kin.disabled;
                let expected = match self.kin.graph.check_plain(who) {
                    Err(error) => error,
                    Ok(()) if if enabled { all.remove(&who) } else { all.insert(who) } => OK,
                    Ok(()) => S::DZ_NOTHING_TO_DO,
                };
                (came, expected)
            }
            Show(who, number, shown) => {
                let (who, (id, _)) = (self.who(who), self.component(number));
                let came = dz_set_component_enabled(world, who, id, shown);
                let (all, key) = (&mut self.kin.hidden, (who, id));
                let expected = match self.kin.graph.check_plain(who) {
                    Err(error) => error,
                    Ok(()) if !self.kin.graph.has.contains(&key) => S::DZ_ERR_NOT_HELD,
                    Ok(()) if if shown { all.remove(&key) } else { all.insert(key) } => OK,
                    Ok(()) => S::DZ_NOTHING_TO_DO,
                };
                (came, expected)
            }
            Shrink => (dz_shrink(world), OK),
            Add(..) | Set(..) | Remove(..) | GetOrAdd(..) | Override(..) => self.change_component(step),
            FailHook(_) | Starve(_) => unreachable!("asked for before"),
        }
    }

    fn new_ones(&mut self, step: &Step) -> (S, S) {
        let (world, count) = (self.world, self.plain().len());
        match *step {
            Step::Clone(who) if count < MOST => {
                let who = self.who(who);
                let checked = self.kin.graph.check_plain(who);
                let copy = dz_clone(world, who);
                if copy != 0 {
                    self.born(copy);
                    self.kin.clone_as(who, copy);
                }
                (came(copy == 0), status(checked))
            }
            Step::Instantiate(who) => {
                let who = self.who(who);
                let bases = self.kin.subtree(who, true);
                if count + bases.len() > MOST + 4 {
                    return (OK, OK);
                }
                let checked = self.kin.graph.check_plain(who);
                let root = dz_instantiate(world, who);
                if root != 0 {
                    let mut new = vec![0; MOST * 2];
                    let room = new.len() as u32;
                    let made = unsafe { dz_subtree(world, root, 0, 0, new.as_mut_ptr(), room) };
                    new.truncate(made as usize);
                    new.iter().for_each(|new| self.born(*new));
                    assert_eq!(new.len(), bases.len(), "an instance of each");
                    let pairs: Vec<_> = bases.into_iter().zip(new).collect();
                    self.kin.instantiate(&pairs);
                }
                (came(root == 0), status(checked))
            }
            Step::Create if count < MOST => {
                let made = dz_create(world);
                if made != 0 {
                    self.born(made);
                    self.kin.graph.links.insert(made, vec![]);
                }
                (came(made == 0), OK)
            }
            _ => (OK, OK),
        }
    }

    fn pair(&mut self, step: &Step) -> (S, S) {
        let world = self.world;
        match *step {
            Step::Relate(who, traits, with) => {
                let traits = Traits { with: with.map_or(0, |with| self.who(with)), ..traits };
                let who = self.who(who);
                let came = unsafe { dz_relation_set(world, who, &desc_of(&traits)) };
                (came, self.kin.graph.set_traits(who, &traits))
            }
            Step::AddPair(entity, relation, target) => {
                let [entity, relation, target] = [entity, relation, target].map(|who| self.who(who));
                let came = dz_add_pair(world, entity, relation, target);
                (came, self.kin.graph.add(entity, relation, target, None))
            }
            Step::SetPair(entity, relation, target, seed) => {
                let [entity, relation, target] = [entity, relation, target].map(|who| self.who(who));
                let (payload, value) = self.pair_value(relation, target, seed);
                let size = value.len() as u32;
                let came =
                    unsafe { dz_set_pair(world, entity, relation, target, size, value.as_ptr().cast()) };
                let expected = self.kin.graph.add(entity, relation, target, Some(&payload));
                (came, if expected == S::DZ_ALREADY_THERE { OK } else { expected })
            }
            Step::RemovePair(entity, relation, target) => {
                let [entity, relation, target] = [entity, relation, target].map(|who| self.who(who));
                let came = dz_remove_pair(world, entity, relation, target);
                (came, self.kin.graph.remove(entity, relation, target))
            }
            Step::AddTag(entity, tag) => {
                let (entity, tag) = (self.who(entity), self.who(tag));
                if self.kin.graph.components.contains_key(&tag) {
                    return (OK, OK);
                }
                (dz_add(world, entity, tag), self.kin.graph.add(entity, 0, tag, None))
            }
            _ => unreachable!("no pair"),
        }
    }

    fn change_component(&mut self, step: &Step) -> (S, S) {
        let world = self.world;
        let (Step::Add(who, number)
        | Step::Set(who, number, _)
        | Step::Remove(who, number)
        | Step::GetOrAdd(who, number)
        | Step::Override(who, number)) = *step
        else {
            unreachable!("no component")
        };
        let (who, (id, kind)) = (self.who(who), self.component(number));
        let checked = self.kin.graph.check_plain(who);
        let has = self.kin.graph.has.contains(&(who, id));
        let add = |kin: &mut Kin| {
            kin.set_value(who, id, kind.initial());
            OK
        };
        match *step {
            Step::Set(_, _, seed) => {
                let value = kind.value(&kind.payload(seed));
                let came = calls::set(world, who, id, &value);
                if kind.size == 0 {
                    return (came, checked.err().unwrap_or(S::DZ_ERR_TAG));
                }
                if checked.is_ok() {
                    self.kin.set_value(who, id, kind.payload(seed));
                }
                (came, status(checked))
            }
            _ if checked.is_err() => {
                let came = match step {
                    Step::Add(..) => dz_add(world, who, id),
                    Step::Remove(..) => dz_remove(world, who, id),
                    Step::Override(..) => dz_override(world, who, id),
                    _ => came(dz_get_or_add(world, who, id).is_null()),
                };
                let tag = matches!(step, Step::GetOrAdd(..)) && kind.size == 0;
                let checked = if tag && came == S::DZ_ERR_TAG { Err(came) } else { checked };
                (came, status(checked))
            }
            Step::Add(..) => {
                let expected = if has { S::DZ_ALREADY_THERE } else { add(&mut self.kin) };
                (dz_add(world, who, id), expected)
            }
            Step::Remove(..) => {
                let expected = if self.kin.remove(who, id) { OK } else { S::DZ_NOT_THERE };
                (dz_remove(world, who, id), expected)
            }
            Step::Override(..) => (dz_override(world, who, id), self.kin.override_component(who, id)),
            _ => {
                let at = dz_get_or_add(world, who, id);
                let expected = match self.kin.source(who, id) {
                    _ if kind.size == 0 => S::DZ_ERR_TAG,
                    Some(base) if base != who => self.kin.override_component(who, id),
                    Some(_) => OK,
                    None => add(&mut self.kin),
                };
                (came(at.is_null()), expected)
            }
        }
    }

    /// Does a step on both sides, in which a hook or an allocation may fail: then nothing has changed.
    pub fn step(&mut self, step: &Step, fails: &mut Option<Step>) {
        if matches!(step, Step::FailHook(_) | Step::Starve(_)) {
            *fails = Some(*step);
            return;
        }
        match fails.take() {
            Some(Step::FailHook(nth)) => self.ledgers.iter().for_each(|l| l.fail.set(Some(nth.into()))),
            Some(Step::Starve(nth)) => self.arena.starve.set(Some(nth.into())),
            _ => {}
        }
        let (before, ids) = (self.kin.clone(), self.ids);
        let (came, expected) = self.both(step);
        let failed = self.ledgers.iter().any(|ledger| ledger.failed.get());
        let starved = self.arena.starved.get();
        if failed && came == S::DZ_ERR_HOOK_FAILED || starved && came == S::DZ_ERR_OUT_OF_MEMORY {
            (self.kin, self.ids) = (before, ids);
        } else {
            assert_eq!(came, expected, "{step:?}: {}", calls::message());
            assert!(!failed, "a hook failed, and nobody says so");
            let lives = |entity: &&u64| !self.kin.graph.links.contains_key(entity);
            let gone: Vec<_> = before.graph.links.keys().filter(lives).copied().collect();
            self.gone.extend(gone);
        }
        for ledger in &self.ledgers {
            ledger.fail.set(None);
            ledger.failed.set(false);
        }
        self.arena.starve.set(None);
        self.arena.starved.set(false);
    }

    pub fn end(self) {
        assert_eq!(dz_world_destroy(self.world), OK);
        assert!(self.ledgers.iter().all(|ledger| ledger.living.borrow().is_empty()), "an element never ends");
        assert_eq!(self.arena.bytes(), 0);
        assert_eq!(*self.arena.wrong.borrow(), Vec::<String>::new());
    }

    /// The targets by a relation, sorted.
    pub fn targets(&self, entity: u64, by: u64) -> Result<Vec<u64>, S> {
        let call = |out, room, count| unsafe { dz_pair_targets(self.world, entity, by, out, room, count) };
        listed(call).map(sorted)
    }
}
