//! Large worlds: what small pools don't get to. Pages of up to 32,768 elements and runs over several of them, the turns in
//! which far pools grow and shrink, destroying by the thousand, pages that are joined, and looking up by eights in them.
//!
//! ```text
//!   slots   the naive world: by index who lives there, and the number that each value was made from; 0: has none
//! ```
//!
//! Fixed seeds: a sequence is the same each time. `large_changes` changes such worlds, `large_iterate` also while it iterates
//! their pools, and `large_check` compares.

use crate::calls::{self, OK, S};
use crate::dice::Dice;
use crate::query::by_text;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, group::*, world::*};
use std::ffi::{CStr, CString, c_void};

pub const LAYOUTS: [dz_layout; 2] = [dz_layout::DZ_LAYOUT_64, dz_layout::DZ_LAYOUT_32];
pub const KINDS: usize = 7;
const NAMES: [&CStr; KINDS] = [c"A", c"B", c"C", c"D", c"E", c"F", c"G"];
/// Bytes of an element, and whether it stays where it is. One is a tag, one too large for the short ways.
pub const SHAPES: [(u32, bool); KINDS] =
    [(4, false), (12, false), (8, true), (0, false), (80, false), (272, true), (4, false)];
/// Its values are counted when they end.
const TOLD: usize = 6;
/// The kinds that a group owns, where there is one.
const OWNED: [usize; 2] = [0, 1];
/// What entities are made with.
pub const SETS: [&[usize]; 8] =
    [&[0, 1], &[0, 1, 2], &[0], &[0, 1, 3], &[0, 4, 5], &[1, 2], &[0, 1, 6], &[1, 3, 5]];

/// Who lives at an index, and what each value was made from.
#[derive(Clone, Copy, Default)]
pub struct Slot {
    pub entity: dz_entity,
    pub values: [u32; KINDS],
}

impl Slot {
    pub fn has(&self, kind: usize) -> bool {
        self.values[kind] != 0
    }
}

/// What an iteration must see.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// It had the component all the time.
    Unseen,
    Seen,
    /// It may not be seen: it came later, or has gone.
    Out,
}

/// The iteration under way.
pub struct Watch {
    pub kind: usize,
    pub sights: Vec<Sight>,
    /// How many were seen.
    pub seen: usize,
    /// Since the last step: how many came, and how many went.
    pub came: usize,
    pub went: usize,
    /// Somebody went who was seen, but for the current one.
    pub seen_went: bool,
    pub current: dz_entity,
}

pub struct Asked {
    pub query: dz_query,
    pub with: &'static [usize],
    pub without: &'static [usize],
    pub perhaps: &'static [usize],
    pub kept: bool,
    pub order: Option<usize>,
}

const QUERIES: [(&[usize], &[usize], &[usize]); 6] = [
    (&[0, 1], &[], &[]),
    (&[0], &[3], &[2]),
    (&[1, 2], &[], &[4]),
    (&[3], &[], &[1]),
    (&[0, 1], &[4, 6], &[5]),
    (&[5, 1], &[2], &[]),
];

unsafe extern "C" fn count_ends(_: *mut c_void, count: u32, ends: *mut c_void) {
    unsafe { *ends.cast::<u64>() += u64::from(count) };
}

/// Appends the value that is made from a number.
fn value(kind: usize, stamp: u32, bytes: &mut Vec<u8>) {
    (0..SHAPES[kind].0 / 4).for_each(|word| bytes.extend((stamp + word).to_ne_bytes()));
}

/// Looks whether an element is the value made from a number.
pub fn check_value(kind: usize, stamp: u32, at: *const c_void) {
    assert_eq!(at.is_null(), SHAPES[kind].0 == 0 || stamp == 0);
    if !at.is_null() {
        let words = unsafe { std::slice::from_raw_parts(at.cast::<u32>(), SHAPES[kind].0 as usize / 4) };
        assert!(words.iter().zip(stamp..).all(|(word, expected)| *word == expected), "{words:?} not {stamp}");
    }
}

pub struct Large {
    pub world: dz_world,
    pub ids: [dz_id; KINDS],
    pub slots: Vec<Slot>,
    pub dice: Dice,
    pub watch: Option<Watch>,
    pub group: Option<dz_group>,
    /// The group excludes a kind; else it stands alone, which is a shorter way.
    pub excludes: bool,
    pub queries: Vec<Asked>,
    /// How many have each kind; and the most since its gaps were closed: so many positions a stable pool takes.
    pub counts: [usize; KINDS],
    pub most: [usize; KINDS],
    stamp: u32,
    /// Some who died.
    pub dead: Vec<dz_entity>,
    /// Values that ended, as the hook counts them, and as it must be.
    pub told: Box<u64>,
    pub ended: u64,
}

impl Drop for Large {
    fn drop(&mut self) {
        dz_world_destroy(self.world);
    }
}

impl Large {
    pub fn new(layout: dz_layout, seed: u64, grouped: bool) -> Self {
        let world = calls::plain_world(layout);
        let mut told = Box::new(0_u64);
        let ids = std::array::from_fn(|kind| {
            let (size, stable) = SHAPES[kind];
            let user = (&raw mut *told).cast();
            let hooks = dz_hooks { destruct: Some(count_ends), user, ..calls::NO_HOOKS };
            let hooks = if kind == TOLD { hooks } else { calls::NO_HOOKS };
            calls::register(world, NAMES[kind], size, if size == 0 { 1 } else { 4 }, stable, hooks)
        });
        let mut large = Self {
            world,
            ids,
            slots: Vec::new(),
            dice: Dice(seed),
            watch: None,
            group: None,
            excludes: seed % 2 == 1,
            queries: Vec::new(),
            counts: [0; KINDS],
            most: [0; KINDS],
            stamp: 0,
            dead: Vec::new(),
            told,
            ended: 0,
        };
        for (number, (with, without, perhaps)) in QUERIES.into_iter().enumerate() {
            large.ask(with, without, perhaps, false, None);
            large.ask(with, without, perhaps, number % 2 == 0, (number % 3 > 0).then_some(with[0]));
        }
        if grouped {
            large.group = Some(large.make_group());
        }
        large
    }

    fn ask(
        &mut self,
        with: &'static [usize],
        without: &'static [usize],
        perhaps: &'static [usize],
        kept: bool,
        order: Option<usize>,
    ) {
        let signs = [(with, ""), (without, "!"), (perhaps, "?")];
        let terms = signs.into_iter().flat_map(|(kinds, sign)| {
            kinds.iter().map(move |kind| format!("{sign}{}", NAMES[*kind].to_str().unwrap()))
        });
        let text = CString::new(terms.collect::<Vec<_>>().join(", ")).unwrap();
        let query = by_text(self.world, &text, kept, order.map_or(0, |kind| self.ids[kind]));
        self.queries.push(Asked { query, with, without, perhaps, kept, order });
    }

    pub fn make_group(&self) -> dz_group {
        let owned = OWNED.map(|kind| self.ids[kind]);
        let (none, size) = (std::ptr::null(), size_of::<dz_group_desc>() as u32);
        let desc = dz_group_desc {
            size,
            owned_count: 2,
            included_count: 0,
            excluded_count: self.excludes.into(),
            owned: owned.as_ptr(),
            included: none,
            excluded: &self.ids[3],
            reserved: 0,
        };
        let group = unsafe { dz_group_create(self.world, &desc) };
        assert_ne!(group.bits, 0, "{}", calls::message());
        group
    }

    pub fn is_stable(kind: usize) -> bool {
        SHAPES[kind].1
    }

    /// Whether a group keeps the pool's order.
    pub fn is_owned(&self, kind: usize) -> bool {
        self.group.is_some() && OWNED.contains(&kind)
    }

    pub fn slot(&self, entity: dz_entity) -> &Slot {
        &self.slots[dz_entity_index(entity) as usize]
    }

    pub fn living(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.entity != 0)
    }

    /// Some of those who live, as they follow one another, backward, every few, or in no order.
    pub fn some(&mut self, most: usize, wanted: impl Fn(&Slot) -> bool) -> Vec<dz_entity> {
        let mut all: Vec<_> = self.living().filter(|slot| wanted(slot)).map(|slot| slot.entity).collect();
        let count = self.dice.size(most).min(all.len());
        let first = self.dice.below(all.len() - count + 1);
        match self.dice.below(4) {
            0 => all = all[first..first + count].to_vec(),
            1 => all = all[first..first + count].iter().rev().copied().collect(),
            2 => all = all.iter().step_by((all.len() / count.max(1)).max(1)).copied().take(count).collect(),
            _ => {
                for at in 0..count {
                    let with = at + self.dice.below(all.len() - at);
                    all.swap(at, with);
                }
                all.truncate(count);
            }
        }
        all
    }

    /// An entity gets a value, or another one: the number it is made from.
    fn put(&mut self, entity: dz_entity, kind: usize) -> u32 {
        self.stamp += 1;
        let index = dz_entity_index(entity) as usize;
        if self.slots.len() <= index {
            self.slots.resize(index + 1, Slot::default());
        }
        let slot = &mut self.slots[index];
        let had = std::mem::replace(&mut slot.values[kind], self.stamp) != 0;
        slot.entity = entity;
        self.counts[kind] += usize::from(!had);
        self.most[kind] = self.most[kind].max(self.counts[kind]);
        self.ended += u64::from(had && kind == TOLD);
        if let Some(watch) = self.watch.as_mut().filter(|watch| watch.kind == kind && !had) {
            watch.came += 1;
        }
        self.stamp
    }

    fn lose(&mut self, entity: dz_entity, kind: usize) {
        let index = dz_entity_index(entity) as usize;
        let had = std::mem::take(&mut self.slots[index].values[kind]) != 0;
        self.counts[kind] -= usize::from(had);
        self.ended += u64::from(had && kind == TOLD);
        if let Some(watch) = self.watch.as_mut().filter(|watch| watch.kind == kind && had) {
            let other = watch.current != entity;
            watch.went += 1;
            let sight = watch.sights.get_mut(index).map(|sight| std::mem::replace(sight, Sight::Out));
            // Who came meanwhile stands behind the end, and others come in its place, which is not seen at all.
            watch.seen_went |= other && sight == Some(Sight::Seen);
        }
    }

    fn die(&mut self, entity: dz_entity) {
        (0..KINDS).for_each(|kind| self.lose(entity, kind));
        self.slots[dz_entity_index(entity) as usize].entity = 0;
        if self.dice.below(64) == 0 {
            self.dead.push(entity);
        }
    }

    pub fn create(&mut self, set: usize, count: usize) {
        let first = self.stamp + 1;
        let kinds = SETS[set];
        // As `put` will number them.
        let columns: Vec<_> = (0..)
            .zip(kinds)
            .map(|(place, kind)| {
                let mut bytes = Vec::new();
                (0..count as u32)
                    .for_each(|at| value(*kind, first + at * kinds.len() as u32 + place, &mut bytes));
                (self.ids[*kind], (SHAPES[*kind].0 > 0).then_some(bytes), SHAPES[*kind].0)
            })
            .collect();
        let (status, made) = calls::create_with(self.world, count as u32, &columns, true);
        assert_eq!(status, OK, "{}", calls::message());
        for entity in made {
            kinds.iter().for_each(|kind| _ = self.put(entity, *kind));
        }
    }

    pub fn set(&mut self, entity: dz_entity, kind: usize) {
        let had = self.slots.get(dz_entity_index(entity) as usize).is_some_and(|slot| slot.has(kind));
        let stamp = self.put(entity, kind);
        if SHAPES[kind].0 == 0 {
            let expected = if had { S::DZ_ALREADY_THERE } else { OK };
            return assert_eq!(dz_add(self.world, entity, self.ids[kind]), expected);
        }
        let mut bytes = Vec::with_capacity(80);
        value(kind, stamp, &mut bytes);
        assert_eq!(calls::set(self.world, entity, self.ids[kind], &bytes), OK, "{}", calls::message());
    }

    pub fn create_one(&mut self, set: usize) {
        let entity = dz_create(self.world);
        SETS[set].iter().for_each(|kind| self.set(entity, *kind));
    }

    pub fn set_n(&mut self, entities: &[dz_entity], kind: usize) {
        let (id, size) = (self.ids[kind], SHAPES[kind].0);
        let mut bytes = Vec::new();
        for entity in entities {
            value(kind, self.put(*entity, kind), &mut bytes);
        }
        let status = match size {
            0 => calls::add_n(self.world, entities, id),
            _ => calls::set_n(self.world, entities, id, size, &bytes),
        };
        assert!(status as i32 >= 0, "{}", calls::message());
    }

    /// Adds it where it isn't, and writes what it is to be.
    pub fn get_or_add_n(&mut self, entities: &[dz_entity], kind: usize) {
        let had: Vec<_> = entities.iter().map(|entity| self.slot(*entity).has(kind)).collect();
        let (status, at) = calls::get_or_add_n(self.world, entities, self.ids[kind]);
        assert!(status as i32 >= 0, "{}", calls::message());
        for ((entity, at), had) in entities.iter().zip(at).zip(had) {
            if had {
                check_value(kind, self.slot(*entity).values[kind], at);
            } else {
                let mut bytes = Vec::new();
                value(kind, self.put(*entity, kind), &mut bytes);
                let there = calls::bytes(at, bytes.len());
                assert!(there.iter().all(|byte| *byte == 0), "what is added is zeros");
                unsafe { at.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            }
        }
    }

    pub fn remove(&mut self, entity: dz_entity, kind: usize) {
        let expected = if self.slot(entity).has(kind) { OK } else { S::DZ_NOT_THERE };
        assert_eq!(dz_remove(self.world, entity, self.ids[kind]), expected);
        self.lose(entity, kind);
    }

    pub fn remove_n(&mut self, entities: &[dz_entity], kind: usize) {
        let status = calls::remove_n(self.world, entities, self.ids[kind]);
        assert!(status as i32 >= 0, "{}", calls::message());
        entities.iter().for_each(|entity| self.lose(*entity, kind));
    }

    pub fn destroy(&mut self, entity: dz_entity) {
        assert_eq!(dz_destroy(self.world, entity), OK);
        self.die(entity);
    }

    pub fn destroy_n(&mut self, entities: &[dz_entity]) {
        let status = calls::destroy_n(self.world, entities);
        assert!(status as i32 >= 0, "{}", calls::message());
        entities.iter().for_each(|entity| self.die(*entity));
    }

    pub fn clear_pool(&mut self, kind: usize) {
        assert_eq!(dz_clear_pool(self.world, self.ids[kind]), OK);
        let all: Vec<_> = self.living().map(|slot| slot.entity).collect();
        all.into_iter().for_each(|entity| self.lose(entity, kind));
        self.most[kind] = 0;
    }

    pub fn compact(&mut self, kind: usize) {
        let expected = if Self::is_stable(kind) { OK } else { S::DZ_ERR_POLICY };
        assert_eq!(dz_compact(self.world, self.ids[kind]), expected);
        assert_eq!(calls::info(self.world, self.ids[kind]).unwrap().gaps, 0);
        self.most[kind] = self.counts[kind];
    }

    /// Makes more, one by one and together, until there are so many.
    pub fn fill(&mut self, least: usize) {
        while let Some(missing) = least.checked_sub(self.living().count()).filter(|more| *more > 0) {
            let set = self.dice.below(SETS.len());
            let count = 1 + self.dice.below(missing.min(1 + least / 5));
            self.create(set, count);
            (0..self.dice.size(1000)).for_each(|_| self.create_one(set));
        }
    }
}
