//! Worlds and queries for the tests of queries: random ones, beside a naive model that evaluates the same
//! terms entity by entity.

use crate::arena::Arena;
use crate::calls::{self, OK};
use crate::query_order::{By, Group, Order, order};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, query::*, world::*};
use proptest::prelude::*;

/// The most components of a world.
pub const MOST: usize = 34;
const SIZES: [u32; 9] = [4, 12, 0, 8, 300, 0, 1, 80, 64];

/// A change of the world.
#[derive(Clone, Debug)]
pub enum Step {
    /// So many entities that have these components, made together.
    Block(u16, u64),
    /// Adds a component to (or removes it from) every n-th entity, from one on.
    Add(u8, u8, u8),
    Remove(u8, u8, u8),
    /// Destroys every n-th entity, from one on.
    Destroy(u8, u8),
    /// Makes as many with these components, in the slots that are free.
    Create(u8, u64),
    /// So many with nothing, one by one or together, or room for them.
    Bare(u8, u8),
    /// A copy of somebody.
    Clone(u16),
    /// One with these components at a far index.
    Far(u16, u64),
    /// Removes a component from those that have it and adds it again, in another order.
    Shuffle(u8, u16),
    ClearPool(u8),
    Compact(u8),
    Shrink,
    Optimise(u16),
    /// Groups and sorts.
    Order(Order),
}

/// A term: a component by its number, a dz_ask, a dz_access, a group.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub component: usize,
    pub ask: i32,
    pub access: i32,
    pub any_of: u32,
}

/// A query as it is to be made.
#[derive(Clone, Debug)]
pub struct Asked {
    pub terms: Vec<Term>,
    pub kept: bool,
    /// It follows the pool of one of its with-terms, if it has any.
    pub ordered: bool,
}

/// A query of a world.
pub struct Made {
    pub query: dz_query,
    pub terms: Vec<Term>,
    pub kept: bool,
    /// The component whose pool's order it follows.
    pub order: Option<usize>,
}

/// A world and what it must be.
pub struct Host {
    pub world: dz_world,
    pub ids: Vec<dz_id>,
    /// By index: the entity that lives there, and its components as bits.
    slots: Vec<Option<(dz_entity, u64)>>,
    /// Components that were unregistered, as bits.
    gone: u64,
    pub groups: Vec<Group>,
    /// The orders that pools are kept in.
    pub kept: Vec<Option<By>>,
    /// Where memory comes from: it spoils what is given back.
    arena: Box<Arena>,
    wide: bool,
}

impl Drop for Host {
    fn drop(&mut self) {
        dz_world_destroy(self.world);
        if !std::thread::panicking() {
            assert_eq!((self.arena.allocations(), self.arena.wrong.take()), (0, vec![]));
        }
    }
}

/// The instruction levels that this machine has.
pub fn levels() -> Vec<i32> {
    let here = |level: &i32| {
        let world =
            unsafe { dz_world_create(&dz_world_desc { instructions: *level, ..calls::world_desc() }) };
        assert!(world.bits != 0 || calls::last() == dz_status::DZ_ERR_INSTRUCTIONS);
        world.bits != 0 && dz_world_destroy(world) == OK
    };
    (dz_instructions::DZ_INSTRUCTIONS_BASELINE as i32..=dz_instructions::DZ_INSTRUCTIONS_V4 as i32)
        .filter(here)
        .collect()
}

/// Bytes of a component.
pub const fn size(component: usize) -> u32 {
    SIZES[component % SIZES.len()]
}

/// Whether a component's addresses are stable.
pub const fn is_stable(component: usize) -> bool {
    component % 5 == 3 || component % 5 == 4 && size(component) == 0
}

impl Host {
    /// An empty world with so many components. `level` is one of the machine's, by number.
    pub fn new(wide: bool, level: usize, components: usize) -> Self {
        let arena = Box::<Arena>::default();
        let levels = levels();
        let layout = if wide { dz_layout::DZ_LAYOUT_64 } else { dz_layout::DZ_LAYOUT_32 };
        let instructions = levels[level % levels.len()];
        let world = calls::world(&dz_world_desc {
            layout: layout as i32,
            instructions,
            allocator: arena.allocator(wide),
            ..calls::world_desc()
        });
        let id = |number: usize| {
            let name = std::ffi::CString::new(format!("C{number}")).unwrap();
            let size = size(number);
            let align = if size.is_multiple_of(4) { size.clamp(1, 4) } else { 1 };
            calls::register(world, &name, size, align, is_stable(number), calls::NO_HOOKS)
        };
        let (ids, kept) = ((0..components).map(id).collect(), vec![None; components]);
        Self { world, ids, slots: Vec::new(), gone: 0, groups: Vec::new(), kept, arena, wide }
    }

    /// All who live, in the order of indices.
    pub fn living(&self) -> Vec<dz_entity> {
        self.entities().map(|(entity, _)| entity).collect()
    }

    /// All who live, and their components as bits.
    pub fn entities(&self) -> impl Iterator<Item = (dz_entity, u64)> + '_ {
        self.slots.iter().copied().flatten()
    }

    fn slot(&self, index: u32) -> Option<(dz_entity, u64)> {
        self.slots.get(index as usize).copied().flatten()
    }

    fn insert(&mut self, entity: dz_entity, mask: u64) {
        let index = dz_entity_index(entity) as usize;
        self.slots.resize(self.slots.len().max(index + 1), None);
        assert_eq!(self.slots[index].replace((entity, mask)), None);
    }

    /// The components of an entity that lives.
    pub fn mask(&self, entity: dz_entity) -> u64 {
        let Some((other, mask)) = self.slot(dz_entity_index(entity)) else { panic!("{entity:#x} is dead") };
        assert_eq!(entity, other, "a stale entity");
        mask
    }

    /// Whether it lives.
    pub fn lives(&self, entity: dz_entity) -> bool {
        self.slot(dz_entity_index(entity)).is_some_and(|(other, _)| other == entity)
    }

    pub fn has(&self, entity: dz_entity, component: usize) -> bool {
        self.mask(entity) >> component & 1 != 0
    }

    pub const fn is_gone(&self, component: usize) -> bool {
        self.gone >> component & 1 != 0
    }

    /// Unregisters a component.
    pub fn unregister(&mut self, component: usize) {
        let expected = match (self.is_gone(component), self.is_grouped(component)) {
            (true, _) => dz_status::DZ_ERR_DEAD,
            (_, true) => dz_status::DZ_ERR_GROUPED,
            _ => OK,
        };
        assert_eq!(dz_component_unregister(self.world, self.ids[component]), expected);
        if expected == OK {
            self.gone |= 1 << component;
            self.kept[component] = None;
            self.forget(component);
        }
    }

    /// Somebody has a component now, or hasn't any more, or died.
    pub fn note(&mut self, entity: dz_entity, component: usize) {
        *self.at(entity) |= 1 << component;
    }

    pub fn strike(&mut self, entity: dz_entity, component: usize) {
        *self.at(entity) &= !(1 << component);
    }

    pub fn bury(&mut self, entity: dz_entity) {
        self.slots[dz_entity_index(entity) as usize] = None;
    }

    /// Nobody has a component any more.
    fn forget(&mut self, component: usize) {
        self.slots.iter_mut().flatten().for_each(|(_, mask)| *mask &= !(1 << component));
    }

    fn at(&mut self, entity: dz_entity) -> &mut u64 {
        &mut self.slots[dz_entity_index(entity) as usize].as_mut().unwrap().1
    }

    pub fn add(&mut self, entity: dz_entity, component: usize) {
        if self.is_gone(component) {
            assert_eq!(dz_add(self.world, entity, self.ids[component]), dz_status::DZ_ERR_DEAD);
            return;
        }
        let had = self.has(entity, component);
        let expected = if had { dz_status::DZ_ALREADY_THERE } else { OK };
        assert_eq!(dz_add(self.world, entity, self.ids[component]), expected);
        self.note(entity, component);
    }

    pub fn remove(&mut self, entity: dz_entity, component: usize) {
        if self.is_gone(component) {
            assert_eq!(dz_remove(self.world, entity, self.ids[component]), dz_status::DZ_ERR_DEAD);
            return;
        }
        let expected = if self.has(entity, component) { OK } else { dz_status::DZ_NOT_THERE };
        assert_eq!(dz_remove(self.world, entity, self.ids[component]), expected);
        self.strike(entity, component);
    }

    pub fn destroy(&mut self, entity: dz_entity) {
        assert_eq!(dz_destroy(self.world, entity), OK);
        self.bury(entity);
    }

    /// The components of a mask that there are.
    fn components(&self, mask: u64) -> Vec<usize> {
        (0..self.ids.len()).filter(|number| (mask & !self.gone) >> number & 1 != 0).collect()
    }

    /// Entities with these components, made together.
    pub fn create_with(&mut self, n: u32, mask: u64) -> Vec<dz_entity> {
        let components = self.components(mask);
        let columns: Vec<_> = components.iter().map(|c| (self.ids[*c], None, size(*c))).collect();
        let (status, made) = calls::create_with(self.world, n, &columns, true);
        assert!(status == OK || n == 0, "{}", calls::message());
        let mask = components.iter().fold(0, |mask, number| mask | 1 << number);
        made.iter().for_each(|entity| self.insert(*entity, mask));
        made
    }

    fn far(&mut self, index: u32, mask: u64) {
        if self.slot(index).is_some() {
            return;
        }
        let number = if self.wide { dz_world_number(self.world) } else { 0 };
        // What lives at an index may have any generation, but not one from the past.
        let generation = dz_generation(self.world, index).max(1);
        let entity = dz_entity_make(number, index, generation);
        assert_eq!(dz_create_at(self.world, entity), OK, "{}", calls::message());
        self.insert(entity, 0);
        self.components(mask).into_iter().for_each(|component| self.add(entity, component));
    }

    /// Every n-th entity, from one on.
    fn some(&self, step: u8, from: u8) -> Vec<dz_entity> {
        let step = usize::from(step).max(1);
        self.living().into_iter().skip(from.into()).step_by(step).collect()
    }

    /// Does a step.
    pub fn step(&mut self, step: &Step) {
        let number = |component: &u8| usize::from(*component) % self.ids.len();
        match step {
            Step::Block(n, mask) => drop(self.create_with(u32::from(*n), *mask)),
            Step::Create(n, mask) => {
                for _ in 0..*n {
                    let made = self.create_with(1, 0)[0];
                    self.components(*mask).into_iter().for_each(|component| self.add(made, component));
                }
            }
            Step::Bare(n, 0) => (0..*n).for_each(|_| self.insert(dz_create(self.world), 0)),
            Step::Bare(n, 1) => {
                let (_, made) = calls::create_n(self.world, (*n).into());
                made.into_iter().for_each(|entity| self.insert(entity, 0));
            }
            Step::Bare(n, _) => {
                let more = calls::stats(self.world).capacity + u32::from(*n);
                assert_eq!(dz_reserve(self.world, more), OK);
            }
            Step::Clone(number) => {
                let living = self.living();
                if let Some(entity) = living.get(usize::from(*number) % living.len().max(1)) {
                    self.insert(dz_clone(self.world, *entity), self.mask(*entity));
                }
            }
            Step::Add(component, every, from) => {
                let component = number(component);
                self.some(*every, *from).into_iter().for_each(|entity| self.add(entity, component));
            }
            Step::Remove(component, every, from) => {
                let component = number(component);
                self.some(*every, *from).into_iter().for_each(|entity| self.remove(entity, component));
            }
            Step::Destroy(every, from) => {
                self.some(*every, *from).into_iter().for_each(|entity| self.destroy(entity));
            }
            Step::Far(index, mask) => self.far(300 + u32::from(*index), *mask),
            Step::Shuffle(component, seed) => {
                let component = number(component);
                let mut all: Vec<_> =
                    self.living().into_iter().filter(|entity| self.has(*entity, component)).collect();
                let key =
                    |entity: &dz_entity| (entity ^ u64::from(*seed)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                all.sort_by_key(key);
                all.iter().for_each(|entity| self.remove(*entity, component));
                all.iter().for_each(|entity| self.add(*entity, component));
            }
            Step::ClearPool(component) => {
                let component = number(component);
                let expected = if self.is_gone(component) { dz_status::DZ_ERR_DEAD } else { OK };
                assert_eq!(dz_clear_pool(self.world, self.ids[component]), expected);
                self.forget(component);
            }
            Step::Compact(component) if self.is_gone(number(component)) => {}
            Step::Compact(component) => {
                let component = number(component);
                let expected = if is_stable(component) { OK } else { dz_status::DZ_ERR_POLICY };
                assert_eq!(dz_compact(self.world, self.ids[component]), expected);
            }
            Step::Shrink => assert_eq!(dz_shrink(self.world), OK),
            Step::Optimise(moves) => self.optimise((*moves).into()),
            Step::Order(step) => self.order(step),
        }
        self.check_groups();
    }

    /// Makes a query.
    pub fn ask(&self, asked: &Asked) -> Made {
        let terms: Vec<_> = asked
            .terms
            .iter()
            .map(|term| dz_term {
                id: self.ids[term.component],
                target: 0,
                source: 0,
                ask: term.ask,
                access: term.access,
                any_of: term.any_of,
                reserved: 0,
            })
            .collect();
        let with = asked.terms.iter().find(|term| term.ask == 0).map(|term| term.component);
        let order = with.filter(|_| asked.ordered);
        let desc = dz_query_desc {
            size: size_of::<dz_query_desc>() as u32,
            term_count: terms.len() as u32,
            terms: terms.as_ptr(),
            text: std::ptr::null(),
            order: order.map_or(0, |component| self.ids[component]),
            kept: asked.kept.into(),
            priority: 0,
            cascade: 0,
            bases: 0,
        };
        let query = unsafe { dz_query_create(self.world, &desc) };
        assert_ne!(query.bits, 0, "{}", calls::message());
        Made { query, terms: asked.terms.clone(), kept: asked.kept, order }
    }

    /// Indices from here on were nobody's yet.
    pub fn used(&self) -> usize {
        self.slots.len()
    }

    /// The entity with the lowest index behind `last`, below `end`, that matches.
    pub fn next_match(&self, made: &Made, last: Option<u32>, end: usize) -> Option<dz_entity> {
        let first = last.map_or(0, |last| last as usize + 1);
        let behind = self.slots.get(first..end)?.iter().flatten();
        behind.copied().find(|(_, mask)| is_match(&made.terms, *mask)).map(|(entity, _)| entity)
    }

    /// Who must match, in the order in which they must come.
    pub fn expected(&self, made: &Made) -> Vec<dz_entity> {
        let matches = |entity: &dz_entity| is_match(&made.terms, self.mask(*entity));
        let Some(order) = made.order else {
            return self.living().into_iter().filter(matches).collect();
        };
        self.pool(order).into_iter().filter(matches).collect()
    }
}

/// A query from text.
pub fn by_text(world: dz_world, text: &std::ffi::CStr, kept: bool, order: dz_id) -> dz_query {
    make(world, text, kept.then_some(0), order)
}

/// Makes a query, a kept one if it has a priority.
pub fn make(world: dz_world, text: &std::ffi::CStr, priority: Option<i32>, order: dz_id) -> dz_query {
    let desc = dz_query_desc {
        size: size_of::<dz_query_desc>() as u32,
        term_count: 0,
        terms: std::ptr::null(),
        text: text.as_ptr(),
        order,
        kept: priority.is_some().into(),
        priority: priority.unwrap_or(0),
        cascade: 0,
        bases: 0,
    };
    let query = unsafe { dz_query_create(world, &desc) };
    assert_ne!(query.bits, 0, "{}", calls::message());
    query
}

/// Whether somebody with these components matches.
pub fn is_match(terms: &[Term], mask: u64) -> bool {
    let has = |term: &Term| mask >> term.component & 1 != 0;
    terms.iter().all(|term| match term.ask {
        0 => has(term),
        1 => !has(term),
        2 => true,
        _ => terms.iter().any(|other| other.ask == 3 && other.any_of == term.any_of && has(other)),
    })
}

fn mask() -> BoxedStrategy<u64> {
    // Mostly many components, so that many match.
    prop_oneof![Just(u64::MAX), any::<u64>(), (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a | b)].boxed()
}

pub fn step() -> BoxedStrategy<Step> {
    use Step::*;
    let (byte, every) = (any::<u8>(), 1..9_u8);
    prop_oneof![
        6 => (0..700_u16, mask()).prop_map(|(n, mask)| Block(n, mask)),
        4 => (byte, every.clone(), 0..70_u8).prop_map(|(c, n, from)| Add(c, n, from)),
        4 => (byte, every.clone(), 0..70_u8).prop_map(|(c, n, from)| Remove(c, n, from)),
        2 => (2..99_u8, 0..70_u8).prop_map(|(n, from)| Destroy(n, from)),
        2 => (0..40_u8, mask()).prop_map(|(n, mask)| Create(n, mask)),
        2 => (any::<u8>(), 0..3_u8).prop_map(|(n, how)| Bare(n, how)),
        1 => any::<u16>().prop_map(Clone),
        2 => (any::<u16>(), mask()).prop_map(|(index, mask)| Far(index, mask)),
        2 => (byte, any::<u16>()).prop_map(|(c, seed)| Shuffle(c, seed)),
        1 => byte.prop_map(ClearPool),
        1 => byte.prop_map(Compact),
        1 => Just(Shrink),
        2 => (0..2000_u16).prop_map(Optimise),
        1 => Just(Optimise(u16::MAX)), // joins pages
        16 => order().prop_map(Order),
    ]
    .boxed()
}

fn term(components: usize, asks: BoxedStrategy<i32>) -> impl Strategy<Value = Term> {
    let access = prop_oneof![4 => Just(0), 2 => Just(1), 1 => Just(2), 2 => Just(3)];
    (0..components, asks, access, prop_oneof![0..3_u32, 253..256_u32]).prop_map(
        |(component, ask, access, any_of)| Term {
            component,
            ask,
            access,
            any_of: if ask == 3 { any_of } else { 0 },
        },
    )
}

/// Terms of so many components, which make a query.
pub fn asked(components: usize, many: bool) -> BoxedStrategy<Asked> {
    let (asks, count) = if many {
        (prop_oneof![2 => Just(0), 1 => Just(1), 6 => Just(2), 9 => Just(3)].boxed(), 20..60_usize)
    } else {
        (prop_oneof![5 => Just(0), 2 => Just(1), 2 => Just(2), 3 => Just(3)].boxed(), 1..7_usize)
    };
    let terms = prop::collection::vec(term(components, asks), count);
    (terms, any::<bool>(), prop::bool::weighted(0.2))
        .prop_map(|(all, kept, ordered)| {
            let mut terms: Vec<Term> = Vec::new();
            for term in all {
                if terms.len() < 32 && !terms.iter().any(|other| other.component == term.component) {
                    terms.push(term);
                }
            }
            if !terms.iter().any(|term| term.ask == 0 || term.ask == 3) {
                terms[0].ask = 0;
            }
            Asked { terms, kept, ordered }
        })
        .boxed()
}
