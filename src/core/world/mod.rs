//! A world: entities and components together.
//!
//! `World` holds the data; the operations are on `Ecs`, a world that is borrowed for a moment at a
//! time (`storage::shared`), because listeners call back. Each operation checks, reserves, acts, and
//! only then tells listeners (before, where something is about to go).

pub mod access;
pub mod bulk;
pub mod columns;
pub mod components;
pub mod destroy;
pub mod doom;
pub mod enable;
pub mod entities;
pub mod group_iterate;
pub mod groups;
pub mod instances;
pub mod iterate;
pub mod linked;
pub mod listeners;
pub mod names;
pub mod optimise;
pub mod pairs;
pub mod queries;
pub mod quick;
pub mod relations;
pub mod sort;
pub mod tree;
pub mod ways;

use super::error::{Error, Kind};
use super::events::EventKind;
use super::ids::{Handle, Layout, Wide};
use super::query::Query;
use super::registry::{Registry, Rules};
use super::storage::bits::Bits;
use super::storage::groups::Groups;
use super::storage::join::Level;
use super::storage::kinds::Kinds;
use super::storage::links::Links;
use super::storage::memory::Memory;
use super::storage::names::Names;
use super::storage::pool::Pool;
use super::storage::pools::{BUILTIN, First, Pools};
use super::storage::relations::Relations;
use super::storage::shared::Shared;
use super::storage::table::Table;
use super::storage::tree::Tree;
use core::mem::offset_of;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use listeners::Listeners;

/// Creating takes the careful way: a listener is being told, or wants to be.
const BIRTH_TOLD: u8 = 1;
/// A backward iteration of a pool began, ever.
const LOOKED_BACK: u8 = 2;
/// There is a group.
const GROUPED: u8 = 4;

/// A world. In this order: what the short ways read comes first, as in a pool.
#[repr(C)]
pub struct World<L: Layout> {
    pools: Pools<L>,
    /// Counts structural changes, where iterators of the world can see it for ever.
    changes: &'static AtomicU64,
    stamp: u64,
    /// Indices below take a closer look: the reserved range, or all if a listener is being told, something was disabled,
    /// or there is a component outside that range. 64 bits, as the registry's length, which indices are compared with next: so
    /// one is taken out of a handle once.
    floor: u64,
    /// The same for destroying: all if a listener is being told, or may want to be, or there is a group.
    lone_floor: u32,
    /// Not 0: creating looks closer (`BIRTH_TOLD`, `LOOKED_BACK`, `GROUPED`).
    births: AtomicU8,
    registry: Registry<L>,
    kinds: Kinds,
    /// Not 0: something was disabled, so that changes are looked at closely.
    veils: u32,
    /// Not 0: entities take part in pairs or the hierarchy, or have names, which their end must look for.
    ties: u32,
    /// Components outside the reserved range.
    strays: u32,
    /// Listeners that are being told something: until they return, nothing structural may happen.
    telling: u32,
    /// What callers of the library call it by.
    handle: u32,
    memory: Memory,
    groups: Groups<L>,
    links: Links<L>,
    relations: Relations,
    tree: Tree,
    names: Names,
    listeners: Listeners,
    /// Counts what was hidden from queries, or shown again.
    veilings: u64,
    disabled: Bits,
    /// Entities that are there to make instances of.
    bases: Bits,
    /// Who has a base.
    heirs: Bits,
    /// Entities that have a base.
    instances: u32,
    user: *mut (),
    queries: Table<Query<L>>,
    /// The instructions that joins use.
    level: Level,
    /// The number of the pool that is put into order first; see `optimise`.
    turn: u32,
    /// Of `pools`; last: it is large.
    first: First<L>,
}

// The registry's words.
const _: () = assert!(offset_of!(World<Wide>, registry) + 24 <= 128);

/// A world that is borrowed for a moment at a time.
pub type Ecs<L> = Shared<World<L>>;

/// What adding came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It was added.
    New,
    /// It was there.
    Already,
    /// There was nothing to add to.
    Nothing,
}

/// What removing came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removed {
    /// It was removed.
    Gone,
    /// It wasn't there.
    NotThere,
    /// There was nothing to remove from.
    Nothing,
}

/// What a bulk call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk {
    /// Done.
    Done,
    /// The count was 0.
    Nothing,
}

/// Numbers of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Numbers {
    pub alive: u32,
    pub dead: u32,
    pub retired: u32,
    pub components: u32,
    pub listeners: u32,
    pub capacity: u32,
    pub bytes: u64,
    pub peak: u64,
    pub allocations: u64,
    pub budget: u64,
}

/// Counts a structural change. There is one writer, so that nothing gets lost.
#[inline(always)]
fn touch(changes: &AtomicU64) {
    changes.store(changes.load(Relaxed) + 1, Relaxed);
}

impl<L: Layout> World<L> {
    /// An empty world.
    #[must_use]
    pub fn new(
        memory: Memory,
        rules: Rules,
        level: Level,
        changes: &'static AtomicU64,
        handle: u32,
        user: *mut (),
    ) -> Self {
        Self {
            memory,
            registry: Registry::new(rules),
            kinds: Kinds::default(),
            pools: Pools::default(),
            first: First::default(),
            groups: Groups::default(),
            links: Links::default(),
            relations: Relations::default(),
            tree: Tree::default(),
            names: Names::default(),
            listeners: Listeners::default(),
            telling: 0,
            floor: rules.reserved.into(),
            lone_floor: rules.reserved,
            births: AtomicU8::new(0),
            strays: 0,
            ties: 0,
            veils: 0,
            veilings: 0,
            disabled: Bits::default(),
            bases: Bits::default(),
            heirs: Bits::default(),
            instances: 0,
            stamp: rules.stamp,
            changes,
            handle,
            user,
            queries: Table::default(),
            level,
            turn: 0,
        }
    }

    /// There are more or fewer components outside the reserved range.
    fn stray(&mut self, more: u32, fewer: u32) {
        self.strays = self.strays + more - fewer;
        self.find_floor();
    }

    /// Finds out from where on entities need no closer look. A component's listeners are its pool's reason to be careful.
    #[inline(never)]
    fn find_floor(&mut self) {
        if self.telling > 0 {
            // Everything takes it.
            (self.floor, self.lone_floor) = (L::NO_INDEX.into(), L::NO_INDEX);
            *self.births.get_mut() |= BIRTH_TOLD;
            return;
        }
        let from = |quiet: bool| if quiet { self.registry.reserved() } else { L::NO_INDEX };
        let (floor, lone_floor) =
            (from(self.strays == 0), from(self.groups.is_empty() && !self.is_told_of_destroy()));
        (self.floor, self.lone_floor) = (floor.into(), lone_floor);
        let told = if self.is_told(EventKind::Create, 0) { BIRTH_TOLD } else { 0 };
        let grouped = if self.groups.is_empty() { 0 } else { GROUPED };
        *self.births.get_mut() = *self.births.get_mut() & LOOKED_BACK | told | grouped;
    }

    /// Whether creating takes the careful way.
    fn is_birth_told(&self) -> bool {
        self.births.load(Relaxed) & BIRTH_TOLD != 0
    }

    /// Gives all slots that have memory a signature.
    #[inline]
    fn cover(&mut self) -> Result<(), Error> {
        self.kinds.cover(&mut self.memory, self.registry.slots())
    }

    /// Room for `more` entities: after that their creation can't fail.
    fn reserve_entities(&mut self, more: u32) -> Result<(), Error> {
        self.growing(|w| {
            w.registry.reserve(&mut w.memory, more)?;
            // Where there is no memory for all slots, those will do that are needed: a call that failed may have asked for many.
            w.cover().or_else(|_| w.kinds.cover(&mut w.memory, w.registry.end_after(more)))
        })
    }

    /// Structure changes: iterators look again.
    #[inline(always)]
    fn touch(&self) {
        touch(self.changes);
    }

    /// Does what may let the registry grow. If its words move, iterators look again, whatever came of it:
    /// batches of queries read entities there.
    fn growing<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.registry.words_at();
        let done = f(self);
        if self.registry.words_at() != before {
            self.touch();
        }
        done
    }

    #[inline(always)]
    fn writable(&self) -> Result<(), Error> {
        if self.telling == 0 { Ok(()) } else { Err(Error::new(Kind::InHook)) }
    }

    /// Whether an entity that lives is a component's.
    #[inline(always)]
    fn is_component(&self, entity: Handle) -> bool {
        L::index(entity) < self.registry.reserved() || self.strays > 0 && self.is_stray(entity)
    }

    #[cold]
    fn is_stray(&self, entity: Handle) -> bool {
        self.pools.get(BUILTIN).is_some_and(|pool| pool.holds(entity))
    }

    /// Ok if the handle is of a living entity that is not a component's.
    #[inline(always)]
    fn check_plain(&self, entity: Handle) -> Result<(), Error> {
        self.registry.check_fast(entity)?;
        if self.is_component(entity) {
            return Err(Error::new(Kind::IsComponent).about(entity));
        }
        Ok(())
    }

    /// The pool of a component.
    #[inline(always)]
    fn pool(&self, id: Handle) -> Result<&Pool<L>, Error> {
        self.pools.by_id(id).ok_or_else(|| self.no_component(id))
    }

    /// The pool of a component that may be changed, and what a change needs beside it.
    #[inline(never)]
    fn parts(&mut self, id: Handle) -> Result<(&mut Pool<L>, &mut Kinds, &mut Memory), Error> {
        let found = self.pools.by_id(id).filter(|pool| !pool.is_builtin());
        let number = found.map(|pool| pool.number).ok_or_else(|| self.no_component(id))?;
        let pool = self.pools.get_mut(number).ok_or(Error::new(Kind::NotComponent).about(id))?;
        Ok((pool, &mut self.kinds, &mut self.memory))
    }

    #[cold]
    fn no_component(&self, id: Handle) -> Error {
        if let Err(error) = self.registry.check_as("component", id) {
            return error;
        }
        let kind = if self.pools.by_id(id).is_some() { Kind::Builtin } else { Kind::NotComponent };
        Error::new(kind).about(id)
    }

    /// The name of a component, with its zero; for messages.
    #[must_use]
    pub fn name(&self, id: Handle) -> Option<&[u8]> {
        self.pools.by_id(id).map(|pool| &pool.name[..])
    }

    /// Gives all memory back, and the world's own account of it, which is then empty.
    pub fn free(mut self) -> Memory {
        self.queries.free(&mut self.memory, |memory, query| query.free(memory));
        self.groups.free(&mut self.memory);
        self.links.free(&mut self.memory);
        self.relations.free(&mut self.memory);
        self.tree.free(&mut self.memory);
        self.names.free(&mut self.memory);
        self.disabled.free(&mut self.memory);
        self.bases.free(&mut self.memory);
        self.heirs.free(&mut self.memory);
        self.pools.free(&mut self.first, &mut self.memory);
        self.kinds.free(&mut self.memory);
        self.registry.free(&mut self.memory);
        self.listeners.free(&mut self.memory);
        self.memory
    }

    /// Gives back what isn't used for pairs, the hierarchy, and names.
    fn shrink_ties(&mut self) {
        let Self { memory, links, relations, tree, names, .. } = self;
        relations.shrink(memory);
        tree.shrink(memory);
        names.shrink(memory);
        // Who is in any of these has a place among the ends: that is how its own end finds them.
        links.shrink(memory, &|index| {
            tree.is_in(index) || relations.find(index).is_some() || !names.get(index).is_empty()
        });
    }
}

impl<L: Layout> Ecs<L> {
    /// Errors inside listeners.
    pub fn check_writable(&self) -> Result<(), Error> {
        self.look(World::writable)
    }

    /// The user's pointer.
    pub fn user(&self) -> *mut () {
        self.look(|w| w.user)
    }

    /// Keeps the user's pointer.
    pub fn set_user(&self, user: *mut ()) {
        self.with(|w| w.user = user);
    }

    /// Room for entities.
    /// `name` is the parameter that says how many.
    pub fn reserve(&self, entities: u32, name: &'static str) -> Result<(), Error> {
        self.with(|w| {
            w.growing(|w| {
                w.registry.reserve_total(&mut w.memory, entities, name)?;
                w.cover()
            })
        })
    }

    /// Gives back what isn't used.
    pub fn shrink(&self) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            w.touch();
            w.pools.shrink(&mut w.memory);
            w.groups.shrink(&mut w.memory);
            w.shrink_ties();
            w.disabled.shrink(&mut w.memory);
            w.bases.shrink(&mut w.memory);
            w.heirs.shrink(&mut w.memory);
            w.registry.shrink(&mut w.memory);
            w.kinds.shrink(&mut w.memory, w.registry.slots());
            w.listeners.shrink(&mut w.memory);
            w.queries.shrink(&mut w.memory);
            let kept = w.queries.iter_mut().filter_map(|query| query.kept.as_mut());
            kept.for_each(|kept| kept.shrink(&mut w.memory));
            w.memory.trim();
            Ok(())
        })
    }

    /// The world's numbers.
    pub fn numbers(&self) -> Numbers {
        self.look(|w| Numbers {
            alive: w.registry.alive(),
            dead: w.registry.dead(),
            retired: w.registry.retired(),
            components: u32::try_from(w.pools.iter().count()).unwrap_or(u32::MAX),
            listeners: w.listeners.count(),
            capacity: w.registry.capacity().min(w.kinds.covered().saturating_sub(w.registry.reserved())),
            bytes: w.memory.bytes,
            peak: w.memory.peak,
            allocations: w.memory.allocations,
            budget: if w.memory.budget == u64::MAX { 0 } else { w.memory.budget },
        })
    }
}
