//! A world and its model: does one operation on both and compares what it says.

use crate::arena::Arena;
use crate::calls::{self, OK, S};
use crate::events::{Diary, Ear, Told};
use crate::groups::By;
use crate::kinds::{KINDS, Ledger};
use crate::naive::Naive;
use crate::ops::{Op, Which, op};
use crate::slots::Rules;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, entity::*, world::*};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How a world is made.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    pub wide: bool,
    pub fifo: bool,
    pub wrap: bool,
    /// Of the component range: 256, 3, none or `FAR`.
    pub reserved: u32,
    /// Entities beside that range, or 0: any number.
    pub room: u32,
    pub capacity: u32,
    pub reallocates: bool,
    /// Components to begin with.
    pub kinds: u8,
}

/// What callbacks point to is counted, not boxed: a box that moves would take its pointers back.
pub struct Host {
    pub world: dz_world,
    pub naive: Naive,
    pub arena: Rc<Arena>,
    pub ledgers: Vec<Rc<Ledger>>,
    pub diary: Rc<Diary>,
    pub ears: Vec<(dz_listener, Rc<Ear>, u64)>,
    pub gone: Vec<u64>,
    /// Where the elements of stable components were seen.
    pub addresses: BTreeMap<(u64, u64), usize>,
    pub elsewhere: dz_world,
    pub foreign: u64,
    pub setup: Setup,
    pub seed: u32,
    pub ear_numbers: u32,
    pub compared: Vec<Rc<By>>,
}

/// Also where an assertion failed: the smaller cases that are tried then need the worlds' numbers.
impl Drop for Host {
    fn drop(&mut self) {
        self.disarm();
        dz_world_destroy(self.world);
        dz_world_destroy(self.elsewhere);
    }
}

/// What the model says an operation comes to.
pub type Said = Result<S, S>;

impl Host {
    pub fn new(setup: Setup) -> Self {
        let arena = Rc::new(Arena::default());
        let desc = dz_world_desc {
            layout: i32::from(!setup.wide),
            recycling: setup.fifo.into(),
            overflow: setup.wrap.into(),
            capacity: setup.capacity,
            max_entities: if setup.room == 0 { 0 } else { setup.reserved + setup.room },
            reserved_components: [setup.reserved, DZ_RESERVE_NONE][usize::from(setup.reserved == 0)],
            allocator: arena.allocator(setup.reallocates),
            ..calls::world_desc()
        };
        let world = calls::world(&desc);
        let elsewhere = calls::plain_world(dz_layout::DZ_LAYOUT_64);
        let mut rules = Rules {
            wide: setup.wide,
            fifo: setup.fifo,
            wrap: setup.wrap,
            reserved: setup.reserved,
            most: desc.max_entities,
            number: dz_world_number(world),
        };
        rules.most = if rules.most == 0 { rules.ends().0 } else { rules.most };
        Self {
            world,
            naive: Naive::new(rules),
            arena,
            ledgers: KINDS.iter().map(|_| Rc::default()).collect(),
            diary: Rc::default(),
            ears: Vec::new(),
            gone: Vec::new(),
            addresses: BTreeMap::new(),
            elsewhere,
            foreign: dz_create(elsewhere),
            setup,
            seed: 0,
            ear_numbers: 0,
            compared: Vec::new(),
        }
    }

    // ---- one operation

    pub fn step(&mut self, op: &Op) {
        match op {
            Op::FailHook(number) => {
                return self.ledgers.iter().for_each(|l| l.fail.set(Some((*number).into())));
            }
            Op::Starve(number) => return self.arena.starve.set(Some((*number).into())),
            _ => {}
        }
        dz_error_clear();
        let alive = self.plain();
        let expected = self.run(op);
        self.disarm();
        if let Some((said, got)) = expected {
            let status = said.unwrap_or_else(|error| error);
            assert_eq!(got, status, "{op:?}: {}", calls::message());
            if !matches!(op, Op::DestroyEach(_)) {
                assert_eq!(calls::last(), if said.is_err() { status } else { OK });
            }
        }
        self.gone.extend(alive.into_iter().filter(|entity| self.naive.slots.check(*entity).is_err()));
        // Whatever tells of all that an entity has does so in an order of the library's own.
        let (told, expected) = (self.diary.told.borrow().clone(), self.naive.told.clone());
        match op {
            Op::Destroy(_) | Op::DestroyN(_) | Op::DestroyEach(_) | Op::Clone(_) | Op::WorldClear => {
                assert_eq!(in_order(&told), in_order(&expected), "{op:?}");
            }
            _ => assert_eq!(told, expected, "{op:?}"),
        }
        self.diary.told.borrow_mut().clear();
        self.naive.told.clear();
    }

    /// Runs a call of the library. None if trouble that was asked for came over it: then it said so,
    /// and nothing may have changed.
    pub fn call(&mut self, call: impl FnOnce(&mut Self) -> S) -> Option<S> {
        let got = call(self);
        let hook = self.ledgers.iter().any(|ledger| ledger.failed.get());
        assert_eq!(hook, got == S::DZ_ERR_HOOK_FAILED, "{got:?}");
        assert!(got != S::DZ_ERR_OUT_OF_MEMORY || self.arena.starved.get());
        let done = !hook && got != S::DZ_ERR_OUT_OF_MEMORY;
        if !done {
            self.forgive();
        }
        done.then_some(got)
    }

    /// What a failed call made it has ended again: kinds that only count what ends can't tell.
    fn forgive(&mut self) {
        for (kind, ledger) in KINDS.iter().zip(&self.ledgers) {
            self.naive.ended.insert(kind.name, ledger.ended.get());
        }
    }

    fn disarm(&self) {
        for ledger in &self.ledgers {
            ledger.fail.set(None);
            ledger.failed.set(false);
        }
        self.arena.starve.set(None);
        self.arena.starved.set(false);
    }

    /// Calls that need no memory must not be told that there is none.
    pub fn call_without_memory(&mut self, call: impl FnOnce(&mut Self) -> S) -> S {
        self.call(call).expect("a call that can't fail for want of memory or by a hook")
    }

    #[allow(clippy::too_many_lines)]
    fn run(&mut self, op: &Op) -> Option<(Said, S)> {
        let world = self.world;
        Some(match op {
            Op::FailHook(_) | Op::Starve(_) => unreachable!("done before"),
            Op::Create => {
                let mut made = 0;
                let got = self.call(|_| {
                    made = dz_create(world);
                    calls::last()
                })?;
                let said = self.naive.create_n(1).map(|all| assert_eq!(all, [made]));
                (said.map(|()| OK), got)
            }
            Op::CreateN(n) => {
                let mut made = Vec::new();
                let got = self.call(|_| {
                    let (status, all) = calls::create_n(world, (*n).into());
                    made = all;
                    status
                })?;
                let nothing = if *n == 0 { S::DZ_NOTHING_TO_DO } else { OK };
                (self.naive.create_n((*n).into()).map(|all| assert_eq!(all, made)).map(|()| nothing), got)
            }
            Op::CreateAt(spot) => {
                let entity = self.spot(*spot);
                let got = self.call(|_| dz_create_at(world, entity))?;
                (self.naive.create_at(&[entity]).map(|()| OK), got)
            }
            Op::CreateAtN(spots) => {
                let entities: Vec<_> = spots.iter().map(|spot| self.spot(*spot)).collect();
                let got = self.call(|_| calls::create_at_n(world, &entities))?;
                let nothing = if entities.is_empty() { S::DZ_NOTHING_TO_DO } else { OK };
                (self.naive.create_at(&entities).map(|()| nothing), got)
            }
            Op::CreateWith(n, columns, keep) => return self.create_with((*n).into(), columns, *keep),
            Op::Destroy(who) => {
                let entity = self.who(*who);
                let got = self.call_without_memory(|_| dz_destroy(world, entity));
                (self.naive.destroy(entity).map(|()| OK), got)
            }
            Op::DestroyN(many) => {
                let entities = self.many(many);
                let got = self.call_without_memory(|_| calls::destroy_n(world, &entities));
                let nothing = if entities.is_empty() { S::DZ_NOTHING_TO_DO } else { OK };
                (self.naive.destroy_n(&entities).map(|()| nothing), got)
            }
            Op::DestroyEach(many) => {
                let entities = self.many(many);
                let (got, report) = calls::destroy_each(world, &entities);
                for (entity, status) in entities.iter().zip(report) {
                    assert_eq!(self.naive.destroy(*entity).err().unwrap_or(OK), status);
                }
                (Ok(if entities.is_empty() { S::DZ_NOTHING_TO_DO } else { OK }), got)
            }
            Op::Clone(who) => {
                let entity = self.who(*who);
                let mut copy = 0;
                let got = self.call(|_| {
                    copy = dz_clone(world, entity);
                    calls::last()
                })?;
                (self.naive.clone_entity(entity).map(|made| assert_eq!(made, copy)).map(|()| OK), got)
            }
            Op::WorldClear => {
                let got = self.call_without_memory(|_| dz_world_clear(world));
                self.naive.clear();
                (Ok(OK), got)
            }
            Op::Shrink => (Ok(OK), self.call_without_memory(|_| dz_shrink(world))),
            Op::Reserve(n) => {
                let n = u32::from(*n) % 2000;
                let got = self.call(|_| dz_reserve(world, n))?;
                let rules = &self.naive.slots.rules;
                let fits = n + rules.reserved <= rules.most;
                assert!(!fits || calls::stats(world).capacity >= n);
                (if fits { Ok(OK) } else { Err(S::DZ_ERR_COUNT) }, got)
            }
            _ => return self.run_access(op),
        })
    }

    fn create_with(
        &mut self,
        n: u32,
        columns: &[(Which, bool, Option<u32>)],
        keep: bool,
    ) -> Option<(Said, S)> {
        let (mut passed, mut modelled) = (Vec::new(), Vec::new());
        for (which, filled, size) in columns {
            let id = self.which(*which);
            let kind = self.kind(id);
            let size = size.unwrap_or(kind.size);
            let payloads: Vec<_> = (0..n).map(|_| self.payload(&kind)).collect();
            let values: Vec<u8> = match size == kind.size {
                true => payloads.iter().flat_map(|payload| kind.value(payload)).collect(),
                false => vec![0; (size * n) as usize],
            };
            // An empty array has no address that C would have.
            let filled = *filled && !values.is_empty();
            passed.push((id, filled.then_some(values), size));
            modelled.push((id, filled.then_some(payloads), size));
        }
        let mut made = Vec::new();
        let got = self.call(|host| {
            let (status, all) = calls::create_with(host.world, n, &passed, keep);
            made = all;
            status
        })?;
        let nothing = if n == 0 { S::DZ_NOTHING_TO_DO } else { OK };
        let said = self.naive.create_with(n, &modelled);
        if let (Ok(all), true) = (&said, keep) {
            assert_eq!(*all, made);
        }
        Some((said.map(|_| nothing), got))
    }

    /// Whether an id is added without being a component: an entity's, perhaps with a role. See `pairs`.
    fn is_other(&self, id: u64) -> bool {
        let entity = id & (u64::MAX >> 8);
        let lives = self.naive.slots.check(entity).is_ok();
        lives && (id >> 56 >= 128 || id == entity && self.naive.component(id).is_err())
    }

    fn run_access(&mut self, op: &Op) -> Option<(Said, S)> {
        let world = self.world;
        if let Op::Add(_, which)
        | Op::Remove(_, which)
        | Op::Set(_, which, _)
        | Op::Get(_, which)
        | Op::GetMut(_, which)
        | Op::GetOrAdd(_, which) = op
            && self.is_other(self.which(*which))
        {
            return None;
        }
        Some(match op {
            Op::Add(who, which) => {
                let (entity, id) = (self.who(*who), self.which(*which));
                let got = self.call(|_| dz_add(world, entity, id))?;
                (self.naive.plain(entity).and_then(|()| self.naive.add_n(&[entity], id)), got)
            }
            Op::Remove(who, which) => {
                let (entity, id) = (self.who(*who), self.which(*which));
                let got = self.call_without_memory(|_| dz_remove(world, entity, id));
                (self.naive.plain(entity).and_then(|()| self.naive.remove_n(&[entity], id)), got)
            }
            Op::Set(who, which, size) => {
                let (entity, id) = (self.who(*who), self.which(*which));
                let (payload, value) = self.value(id, *size);
                let got = self.call(|_| calls::set(world, entity, id, &value))?;
                let said = self.naive.plain(entity);
                let said =
                    said.and_then(|()| self.naive.set_n(&[entity], id, value.len() as u32, &[payload]));
                (said.map(|()| OK), got)
            }
            Op::Get(who, which) => {
                let (entity, id) = (self.who(*who), self.which(*which));
                let at = dz_get(world, entity, id);
                let said = self.naive.slots.check(entity).and_then(|()| self.naive.with_data(id));
                let there = said.is_ok() && self.naive.has(entity, id);
                assert_eq!(!at.is_null(), there);
                (said.map(|_| OK), calls::last())
            }
            Op::GetMut(who, which) => {
                let (entity, id) = (self.who(*who), self.which(*which));
                let at = dz_get_mut(world, entity, id);
                let got = calls::last();
                let said = self.naive.slots.check(entity).and_then(|()| self.naive.open(id).map(|_| ()));
                let said = said.and_then(|()| self.naive.with_data(id).map(|_| ()));
                assert_eq!(!at.is_null(), said.is_ok() && self.naive.has(entity, id));
                if !at.is_null() {
                    self.overwrite(entity, id, at.cast());
                }
                (said.map(|()| OK), got)
            }
            Op::GetOrAdd(who, which) => {
                let (entity, id) = (self.who(*who), self.which(*which));
                let mut at = std::ptr::null_mut();
                let got = self.call(|_| {
                    at = dz_get_or_add(world, entity, id);
                    calls::last()
                })?;
                let said = self.naive.slots.check(entity).and_then(|()| self.naive.open(id).map(|_| ()));
                let said = said.and_then(|()| self.naive.with_data(id).map(|_| ()));
                let said = said.and_then(|()| self.naive.plain(entity));
                let said = said.and_then(|()| self.naive.add_n(&[entity], id));
                assert_eq!(!at.is_null(), said.is_ok());
                if !at.is_null() {
                    self.overwrite(entity, id, at.cast());
                }
                (said.map(|_| OK), got)
            }
            Op::AddN(..) | Op::RemoveN(..) | Op::SetN(..) => return self.run_bulk(op),
            Op::GetN(..) | Op::GetMutN(..) | Op::GetOrAddN(..) => return self.run_bulk(op),
            _ => return self.run_component(op),
        })
    }

    /// Writes another value through a pointer that the library returned.
    fn overwrite(&mut self, entity: u64, id: u64, at: *mut u8) {
        let kind = self.kind(id);
        assert_eq!(kind.read(at.cast_const().cast()), self.naive.components[&id].values[&entity]);
        let payload = self.payload(&kind);
        let to = at.wrapping_add(kind.serial());
        unsafe { to.copy_from_nonoverlapping(payload.as_ptr(), payload.len()) };
        self.naive.write(entity, id, payload);
    }

    fn run_bulk(&mut self, op: &Op) -> Option<(Said, S)> {
        let world = self.world;
        let (Op::AddN(many, which)
        | Op::RemoveN(many, which)
        | Op::SetN(many, which, _)
        | Op::GetN(many, which)
        | Op::GetMutN(many, which)
        | Op::GetOrAddN(many, which)) = op
        else {
            unreachable!("other operations")
        };
        let (entities, id) = (self.many(many), self.which(*which));
        let or_nothing = |status: S| if entities.is_empty() { S::DZ_NOTHING_TO_DO } else { status };
        let (said, got) = match op {
            Op::AddN(..) => {
                let got = self.call(|_| calls::add_n(world, &entities, id))?;
                (self.naive.add_n(&entities, id), got)
            }
            Op::RemoveN(..) => {
                let got = self.call_without_memory(|_| calls::remove_n(world, &entities, id));
                (self.naive.remove_n(&entities, id), got)
            }
            Op::SetN(_, _, size) => {
                let pairs: Vec<_> = entities.iter().map(|_| self.value(id, *size)).collect();
                let size = size.unwrap_or(self.kind(id).size);
                let (payloads, values): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
                let values = values.concat();
                let got = self.call(|_| calls::set_n(world, &entities, id, size, &values))?;
                (self.naive.set_n(&entities, id, size, &payloads).map(|()| OK), got)
            }
            Op::GetN(..) => {
                let (got, at) = calls::get_n(world, &entities, id);
                let said = self.naive.with_data(id).map(|_| ());
                let said = said.and_then(|()| entities.iter().try_for_each(|e| self.naive.slots.check(*e)));
                for (entity, at) in entities.iter().zip(at) {
                    assert_eq!(!at.is_null(), said.is_ok() && self.naive.has(*entity, id));
                }
                (said.map(|()| OK), got)
            }
            Op::GetMutN(..) => {
                let (got, at) = calls::get_mut_n(world, &entities, id);
                let said = self.naive.open(id).and_then(|_| self.naive.with_data(id)).map(|_| ());
                let said = said.and_then(|()| entities.iter().try_for_each(|e| self.naive.slots.check(*e)));
                for (entity, at) in entities.iter().zip(at) {
                    assert_eq!(!at.is_null(), said.is_ok() && self.naive.has(*entity, id));
                    if !at.is_null() {
                        self.overwrite(*entity, id, at.cast());
                    }
                }
                (said.map(|()| OK), got)
            }
            _ => {
                let mut at = Vec::new();
                let got = self.call(|_| {
                    let (status, pointers) = calls::get_or_add_n(world, &entities, id);
                    at = pointers;
                    status
                })?;
                let said = self.naive.with_data(id).map(|_| ());
                let said = said.and_then(|()| self.naive.add_n(&entities, id));
                for (entity, at) in entities.iter().zip(at) {
                    assert_eq!(!at.is_null(), said.is_ok());
                    if !at.is_null() {
                        self.overwrite(*entity, id, at.cast());
                    }
                }
                (said.map(|_| OK), got)
            }
        };
        Some((said.map(or_nothing), got))
    }

    /// Ends the world: everybody is told as if each were destroyed, every element is ended, and all
    /// memory is given back.
    pub fn end(mut self) {
        self.disarm();
        assert_eq!(dz_world_destroy(self.world), OK);
        self.naive.clear();
        assert_eq!(in_order(&self.diary.told.borrow()), in_order(&self.naive.told));
        self.check_hooks();
        assert!(self.ledgers.iter().all(|ledger| ledger.living.borrow().is_empty()));
        assert_eq!((self.arena.bytes(), self.arena.allocations()), (0, 0), "leaked");
        assert_eq!(dz_world_why(self.world), S::DZ_ERR_WORLD_DEAD);
        assert_eq!(dz_world_destroy(self.world), S::DZ_ERR_WORLD_DEAD);
    }
}

/// What was told, with all that one entity has in the order of ids.
fn in_order(told: &[Told]) -> Vec<Told> {
    let mut told = told.to_vec();
    let of_one = |a: &Told, b: &Told| (a.kind, a.entity) == (b.kind, b.entity);
    told.chunk_by_mut(of_one).for_each(|all| all.sort_by_key(|one| one.id));
    told
}

fn setup() -> impl Strategy<Value = Setup> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let room = prop_oneof![2 => Just(0), 1 => 256..400_u32];
    let kinds = prop_oneof![1 => Just(0), 3 => 1..9_u8];
    let reserved = prop_oneof![4 => Just(256), 2 => Just(3), 2 => Just(0), 1 => Just(calls::FAR)];
    let sizes = (reserved, room, 0..300_u32, kinds);
    (flags, sizes).prop_map(|((wide, fifo, wrap, reallocates), (reserved, room, capacity, kinds))| {
        // A reservation may not be larger than the world.
        let capacity = if room == 0 { capacity } else { capacity.min(room) };
        Setup { wide, fifo, wrap, reserved, room, capacity, reallocates, kinds }
    })
}

proptest! {
    #![proptest_config(crate::config(96))]

    /// M4 to M7, M12, M15, M22, M29, M34, M38, M39, M44 to M55, M57, M61, M67, M68, M70, M73, M74,
    /// M76, M78, M79, M80.
    #[test]
    fn every_operation_does_what_the_model_says(
        setup in setup(),
        ops in prop::collection::vec(op(), 0..crate::steps(250)),
    ) {
        let mut host = Host::new(setup);
        // Enough kinds to begin with that most operations find one.
        for number in 0..setup.kinds {
            host.step(&Op::Register(number * 7 + setup.capacity as u8 % 15, true));
        }
        host.check();
        for op in &ops {
            host.step(op);
            host.check();
        }
        host.end();
    }
}
