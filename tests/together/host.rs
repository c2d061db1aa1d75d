//! A world and its model side by side; how one is called so that the other can be compared.

use crate::arena::Arena;
use crate::calls::{OK, S, message, world_desc};
use crate::dice::Dice;
use crate::groups::Group;
use crate::kin::Kin;
use crate::kinds::{KINDS, Kind, Ledger};
use crate::listeners::Desk;
use crate::loops::Loop;
use crate::matching::Query;
use crate::orders::{By, Order};
use crate::picture::Picture;
use crate::record::Record;
use denizen::ffi::accessor::dz_accessor;
use denizen::ffi::entity::dz_world_why;
use denizen::ffi::types::*;
use denizen::ffi::world::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::rc::Rc;

/// What a case is made of. Everything else follows from it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub seed: u64,
    pub layout: dz_layout,
    pub steps: u32,
}

/// Calls of which the header says that they need no memory: they never fail for want of it.
const NEED_NO_MEMORY: [&str; 18] = [
    "dz_destroy",
    "dz_destroy_n",
    "dz_world_clear",
    "dz_shrink",
    "dz_remove",
    "dz_remove_n",
    "dz_remove_pair",
    "dz_clear_pool",
    "dz_compact",
    "dz_component_unregister",
    "dz_singleton_remove",
    "dz_sort_release",
    "dz_group_sort_release",
    "dz_group_destroy",
    "dz_query_destroy",
    "dz_unlisten",
    "dz_move_child",
    "dz_get_mut",
];

/// Subjects that some worlds are without.
#[derive(Clone, Copy, Debug)]
pub struct Has {
    pub groups: bool,
    pub listeners: bool,
    /// Somebody is disabled, or a base.
    pub hidden: bool,
    /// Pools are iterated backward.
    pub backward: bool,
}

pub struct Host {
    pub world: dz_world,
    pub case: Case,
    pub dice: Dice,
    /// Who lives, and has what: components, pairs, children, a name, a base.
    pub kin: Kin,
    /// World-wide values.
    pub singletons: BTreeMap<u64, Vec<u8>>,
    pub groups: Vec<Group>,
    /// Pools that are kept in an order.
    pub kept: BTreeMap<u64, Order>,
    /// What the library compares by may not move.
    pub compared: Vec<Rc<By>>,
    pub queries: Vec<Query>,
    pub loops: Vec<Loop>,
    pub accessors: Vec<dz_accessor>,
    /// Handles of the dead.
    pub gone: Vec<u64>,
    /// Where elements of stable pools were when they were last looked at.
    pub addresses: BTreeMap<(u64, u64), usize>,
    /// The components by their kinds' numbers; 0: unregistered.
    pub ids: [dz_id; KINDS.len()],
    pub ledgers: Vec<Ledger>,
    pub arena: Box<Arena>,
    pub desk: Box<Desk>,
    /// Nobody more is made once so many live.
    pub most: usize,
    /// What happens in this world at all: the library has shorter ways where some of it never does.
    pub has: Has,
    /// One call in so many meets trouble; 0: none does.
    pub trouble: usize,
    /// Indices that are kept for components.
    pub reserved: u32,
    pub budget: u64,
    /// What the pointer of the world's user is.
    pub user: usize,
    /// The current one of a loop, whom much is about; 0: none.
    pub focus: u64,
    /// Nothing is iterated but by the loop that is under way.
    pub undisturbed: bool,
    pub step: u32,
    pub record: Record,
}

/// What a call returns.
pub trait Outcome {
    /// What it came to: of those that return no status, the error that they left.
    fn status(&self) -> S {
        dz_error_status()
    }
}

impl Outcome for S {
    fn status(&self) -> S {
        *self
    }
}

impl Outcome for u64 {}
impl Outcome for *mut c_void {}
impl Outcome for dz_query {}
impl Outcome for dz_group {}
impl Outcome for dz_listener {}

impl Host {
    pub fn new(case: Case) -> Self {
        let mut dice = Dice(case.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let arena = Box::<Arena>::default();
        let reserved = [256, 256, 6, 0][dice.below(4)];
        let budget = if dice.below(6) == 0 { 200_000 + dice.below(800_000) as u64 } else { 0 };
        let user = 1 + dice.below(1000);
        let world = call!(dz_world_create(&dz_world_desc {
            layout: case.layout as i32,
            recycling: dice.below(2) as i32,
            capacity: if dice.below(4) == 0 { dice.below(300) as u32 } else { 0 },
            reserved_components: if reserved == 0 { DZ_RESERVE_NONE } else { reserved },
            instructions: dice.below(2) as i32,
            byte_budget: budget,
            allocator: arena.allocator(dice.below(2) == 0),
            user: user as *mut c_void,
            ..world_desc()
        }));
        assert_ne!(world.bits, 0, "{}", message());
        let most = [30, 80, 80, 250][dice.below(4)];
        let trouble = [0, 25, 6][dice.below(3)];
        let plain = dice.below(4) == 0;
        let mut often = || !plain && dice.below(4) > 0;
        let has = Has { groups: often(), listeners: often(), hidden: often(), backward: often() };
        let mut host = Self {
            world,
            case,
            dice,
            kin: Kin::default(),
            singletons: BTreeMap::new(),
            groups: vec![],
            kept: BTreeMap::new(),
            compared: vec![],
            queries: vec![],
            loops: vec![],
            accessors: vec![],
            gone: vec![],
            addresses: BTreeMap::new(),
            ids: [0; KINDS.len()],
            ledgers: KINDS.iter().map(|_| Ledger::default()).collect(),
            arena,
            desk: Box::default(),
            most: if cfg!(miri) { 12 } else { most },
            has,
            trouble,
            reserved,
            budget,
            user,
            focus: 0,
            undisturbed: false,
            step: 0,
            record: Record::default(),
        };
        for _ in 0..12 {
            host.register();
        }
        host
    }

    /// One in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.dice.below(n) == 0
    }

    /// Makes a call that may meet trouble: an allocation or a hook that fails. None: it failed by that, and all is as it
    /// was. Else what it came to, and what it returned.
    pub fn attempt<R: Outcome>(
        &mut self,
        name: &'static str,
        text: String,
        call: impl FnOnce(dz_world) -> R,
    ) -> Option<(S, R)> {
        self.record.note(self.step, &text);
        let troubled = self.trouble > 0 && self.once_in(self.trouble);
        let pictured = !self.undisturbed && self.once_in(if troubled { 3 } else { 40 });
        let before = pictured.then(|| Picture::of(self));
        self.prepare_desk(troubled);
        if troubled {
            self.ask_for_trouble();
        }
        dz_error_clear();
        let result = call(self.world);
        let status = result.status();
        let (starved, failed) = self.end_of_trouble();
        if status != OK {
            self.record.note(self.step, &format!("-> {status:?}"));
        }
        let is_error = (status as i32) < 0;
        if is_error {
            assert_eq!(dz_error_status(), status, "the call's status is the thread's error");
            crate::record::called("dz_error_message");
            let (said, function) = (message(), name.split(' ').next().unwrap());
            assert!(said.starts_with(&format!("{function}: ")), "{name} says {said:?}");
            if let Some(before) = before {
                before.compare(&Picture::of(self));
            }
        }
        self.stir_loops(name, is_error);
        let lacked = match status {
            S::DZ_ERR_OUT_OF_MEMORY => starved,
            S::DZ_ERR_BUDGET => self.budget > 0,
            S::DZ_ERR_HOOK_FAILED => failed,
            _ => false,
        };
        if lacked {
            let by_hook = status == S::DZ_ERR_HOOK_FAILED;
            assert!(by_hook || !NEED_NO_MEMORY.contains(&name), "{name} needs no memory, it says");
            assert!(self.desk.is_empty(), "a listener was told of a call that failed");
            if self.once_in(3) {
                self.check();
            }
            return None;
        }
        assert!(!failed, "a hook failed, and {name} is {status:?}");
        Some((status, result))
    }

    /// In the next call an allocation fails, or all do from some on, or a hook does.
    fn ask_for_trouble(&mut self) {
        let nth = match self.dice.below(4) {
            0 => self.dice.below(30) as u32,
            _ => self.dice.below(4) as u32,
        };
        match self.dice.below(5) {
            0 | 1 => self.arena.starve.set(Some(nth)),
            2 | 3 => {
                self.arena.starve.set(Some(nth));
                self.arena.for_good.set(true);
            }
            _ => self.ledgers.iter().for_each(|ledger| ledger.fail.set(Some(nth / 2))),
        }
        self.record.note(self.step, &format!("(trouble: {nth})"));
    }

    /// Whether an allocation has failed, and whether a hook has.
    fn end_of_trouble(&self) -> (bool, bool) {
        let failed = self.ledgers.iter().any(|ledger| ledger.failed.get());
        for ledger in &self.ledgers {
            ledger.fail.set(None);
            ledger.failed.set(false);
        }
        self.arena.starve.set(None);
        self.arena.for_good.set(false);
        (self.arena.starved.replace(false), failed)
    }

    /// A call came to what the model says.
    pub fn expect(&mut self, came: S, expected: S) {
        assert_eq!(came, expected, "{}", message());
        if (came as i32) < 0 && self.once_in(10) {
            self.check();
        }
    }

    /// Ends them in the model, if nobody is in the way, and all that named them.
    pub fn end(&mut self, roots: &[u64]) -> S {
        let before: Vec<_> = self.living();
        let came = self.kin.graph.destroy(roots);
        self.forget(&before);
        came
    }

    /// What is left when some have ended.
    pub fn forget(&mut self, before: &[u64]) {
        let Self { kin, singletons, kept, gone, ids, .. } = self;
        kin.forget();
        let lives = |entity: &u64| kin.graph.links.contains_key(entity);
        gone.extend(before.iter().filter(|entity| !lives(entity)));
        singletons.retain(|id, _| lives(id));
        kept.retain(|id, _| lives(id));
        ids.iter_mut().filter(|id| !lives(id)).for_each(|id| *id = 0);
    }

    /// Who has come to be.
    pub fn born(&mut self, entity: u64) {
        let new = !self.kin.graph.links.contains_key(&entity) && !self.gone.contains(&entity);
        assert!(entity != 0 && new, "{entity:#x} is new");
        self.kin.graph.links.insert(entity, vec![]);
    }

    pub fn living(&self) -> Vec<u64> {
        self.kin.graph.links.keys().copied().collect()
    }

    /// The living who are no components.
    pub fn plain(&self) -> Vec<u64> {
        let components = &self.kin.graph.components;
        self.kin.graph.links.keys().copied().filter(|entity| !components.contains_key(entity)).collect()
    }

    /// The components that were registered, and their kinds.
    pub fn components(&self) -> Vec<(dz_id, &'static Kind)> {
        let all = self.ids.iter().enumerate().filter(|(_, id)| **id != 0);
        all.map(|(number, id)| (*id, &KINDS[number])).collect()
    }

    pub fn kind(&self, id: dz_id) -> &'static Kind {
        self.kin.graph.components[&id]
    }

    /// Whether queries and groups see a component of an entity.
    pub fn shows(&self, entity: u64, id: dz_id) -> bool {
        self.kin.shows(entity, id) && self.kin.is_asked_for(entity, false)
    }

    /// Who has a component and isn't hidden.
    pub fn visible(&self, id: dz_id) -> BTreeSet<u64> {
        self.plain().into_iter().filter(|entity| self.shows(*entity, id)).collect()
    }

    /// The end of the world: it gives everything back.
    pub fn finish(mut self) {
        self.check();
        let world = self.world;
        assert_eq!(call!(dz_world_destroy(world)), OK, "{}", message());
        assert_eq!(call!(dz_world_why(world)), S::DZ_ERR_WORLD_DEAD);
        assert!(!call!(dz_world_is_alive(world)));
        self.end_loops();
        self.desk.check_end(&self);
        for (kind, ledger) in KINDS.iter().zip(&self.ledgers) {
            assert!(ledger.living.borrow().is_empty(), "elements of {:?} never end", kind.name);
            assert_eq!(*ledger.wrong.borrow(), Vec::<String>::new());
        }
        assert_eq!((self.arena.bytes(), self.arena.allocations()), (0, 0), "memory that isn't given back");
        assert_eq!(*self.arena.wrong.borrow(), Vec::<String>::new());
    }
}
