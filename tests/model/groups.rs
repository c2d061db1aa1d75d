//! Groups and sorts: the naive side (who must be a member, what the order must be) and the operations.

use crate::calls::{self, OK, S};
use crate::naive::Naive;
use crate::ops::{GroupOp, Many, Op, Terms, Which, Who};
use crate::run::{Host, Said, Setup};
use denizen::ffi::types::*;
use denizen::ffi::{group::*, sort::*};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::rc::Rc;

/// What elements are compared by; handed to the library as the user's pointer.
#[derive(Clone, Copy, Debug)]
pub struct By {
    /// 0: a part of the value, with many equals; 1: the entity, downwards; 2: all are equal.
    pub how: u8,
    /// Bytes of the element before its value, and of its value.
    pub serial: usize,
    pub size: usize,
}

/// An order, as the model keeps it.
#[derive(Clone, Debug)]
pub enum Order {
    By(By),
    As(u64),
}

#[derive(Clone, Debug)]
pub struct Group {
    pub handle: dz_group,
    pub owned: Vec<u64>,
    pub included: Vec<u64>,
    pub excluded: Vec<u64>,
    pub kept: Option<(Order, u64)>,
}

impl Group {
    fn required(&self) -> impl Iterator<Item = &u64> {
        self.owned.iter().chain(&self.included)
    }

    fn contains(&self, other: &Self) -> bool {
        other.required().all(|id| self.required().any(|mine| mine == id))
            && other.excluded.iter().all(|id| self.excluded.contains(id))
    }

    fn is_nested_with(&self, other: &Self) -> bool {
        self.contains(other) || other.contains(self)
    }

    fn shares(&self, other: &Self) -> bool {
        self.owned.iter().any(|id| other.owned.contains(id))
    }

    fn ids(&self) -> impl Iterator<Item = &u64> {
        self.required().chain(&self.excluded)
    }

    fn rank(&self) -> (usize, u32) {
        (self.ids().count(), self.handle.bits)
    }
}

impl Naive {
    /// Who must be a member.
    pub fn members(&self, group: &Group) -> BTreeSet<u64> {
        let entities = self.slots.alive().into_iter();
        entities
            .filter(|entity| {
                group.required().all(|id| self.has(*entity, *id))
                    && !group.excluded.iter().any(|id| self.has(*entity, *id))
            })
            .collect()
    }

    /// The groups that own the same as one, directly or through others.
    fn family(&self, group: &Group) -> Vec<&Group> {
        let mut family: Vec<&Group> = self.groups.iter().filter(|other| other.shares(group)).collect();
        loop {
            let near = |other: &&Group| family.iter().any(|member| member.shares(other));
            let is_new = |other: &&Group| !family.iter().any(|member| member.handle == other.handle);
            let more: Vec<&Group> = self.groups.iter().filter(|g| near(g) && is_new(g)).collect();
            if more.is_empty() {
                return family;
            }
            family.extend(more);
        }
    }

    fn can_create(&self, group: &Group) -> Result<(), S> {
        if group.ids().count() > 32 {
            return Err(S::DZ_ERR_COUNT);
        }
        group.ids().try_for_each(|id| self.component(*id).map(|_| ()))?;
        if group.required().count() == 0 {
            return Err(S::DZ_ERR_RANGE);
        }
        let all: Vec<u64> = group.ids().copied().collect();
        for (at, id) in all.iter().enumerate() {
            self.open(*id)?;
            if group.owned.contains(id) && at < group.owned.len() && self.components[id].kind.stable {
                return Err(S::DZ_ERR_POLICY);
            }
            if all[..at].contains(id) {
                return Err(S::DZ_ERR_DUPLICATE);
            }
        }
        if group.owned.iter().any(|id| self.components[id].kept.is_some()) {
            return Err(S::DZ_ERR_OWNED);
        }
        let mut family = self.family(group);
        family.push(group);
        let nested = family.iter().all(|a| family.iter().all(|b| a.is_nested_with(b)));
        if nested { Ok(()) } else { Err(S::DZ_ERR_OWNED) }
    }

    /// Whether a component may go; and what may not be done to the order of its pool.
    pub fn check_unused(&self, id: u64) -> Result<(), S> {
        let used = self.groups.iter().any(|group| group.ids().any(|other| *other == id));
        if used { Err(S::DZ_ERR_GROUPED) } else { Ok(()) }
    }

    fn can_sort(&self, id: u64) -> Result<(), S> {
        if self.open(id)?.kind.stable {
            return Err(S::DZ_ERR_POLICY);
        }
        let owned = self.groups.iter().any(|group| group.owned.contains(&id));
        if owned { Err(S::DZ_ERR_OWNED) } else { Ok(()) }
    }

    /// Puts entities into an order; `value` is the component that is compared.
    fn put(&self, entities: &mut [u64], order: &Order, value: u64) {
        match order {
            Order::By(By { how: 0, .. }) => entities.sort_by_key(|entity| {
                let values = self.components.get(&value).map(|component| &component.values[entity]);
                values.and_then(|value| value.first().map(|byte| byte >> 5))
            }),
            Order::By(By { how: 1, .. }) => {
                entities.sort_by_key(|entity| std::cmp::Reverse(self.slots.rules.index(*entity)));
            }
            Order::By(_) => {}
            Order::As(like) => {
                let like = &self.components[like].packed;
                let place = |entity: &u64| like.iter().position(|other| other == entity);
                entities.sort_by_key(|entity| place(entity).unwrap_or(usize::MAX));
            }
        }
    }

    /// Puts a group's members into an order: each part by itself.
    fn put_group(&mut self, at: usize, order: &Order, by: u64) {
        let group = self.groups[at].clone();
        let Some(lead) = group.owned.first() else { return };
        let mut inner: Vec<Group> = self.family(&group).into_iter().cloned().collect();
        inner.retain(|other| other.contains(&group) && other.rank() >= group.rank());
        inner.sort_by_key(|other| std::cmp::Reverse(other.rank()));
        let mut expected = self.components[lead].packed[..self.members(&group).len()].to_vec();
        let mut first = 0;
        for part in inner {
            let end = self.members(&part).len();
            if part.handle == group.handle || part.kept.is_none() {
                self.put(&mut expected[first..end], order, by);
            }
            first = end;
        }
        self.expected.push((group.owned.clone(), expected));
    }
}

unsafe extern "C" fn compare(
    a: *const c_void,
    b: *const c_void,
    entity_a: dz_entity,
    entity_b: dz_entity,
    user: *mut c_void,
) -> i32 {
    let by = unsafe { *user.cast::<By>() };
    let value = |at: *const c_void| -> i32 {
        if at.is_null() || by.size == 0 {
            return 0;
        }
        i32::from(unsafe { at.cast::<u8>().add(by.serial).read() } >> 5)
    };
    let index = |entity: dz_entity| if entity >> 32 == 0 { entity & 0xF_FFFF } else { entity & 0xFFFF_FFFF };
    match by.how {
        0 => value(a) - value(b),
        1 => index(entity_b).cmp(&index(entity_a)) as i32,
        _ => 0,
    }
}

impl Host {
    fn group(&self, number: u8) -> (dz_group, Option<usize>) {
        let at = usize::from(number) % (self.naive.groups.len() + 1);
        match self.naive.groups.get(at) {
            Some(group) => (group.handle, Some(at)),
            // A listener's handle is no group's, nor is one of those that are gone.
            None => (dz_group { bits: self.ears.first().map_or(0x4000_0000, |ear| ear.0.bits) }, None),
        }
    }

    fn by(&mut self, how: u8, id: u64) -> (Order, *mut c_void) {
        let (serial, size) = self.naive.components.get(&id).map_or((0, 0), |component| {
            (component.kind.serial(), component.kind.size as usize - component.kind.serial())
        });
        let by = Rc::new(By { how, serial, size });
        let user = (&raw const *by).cast_mut().cast();
        self.compared.push(by.clone());
        (Order::By(*by), user)
    }

    pub fn run_group(&mut self, op: &GroupOp) -> Option<(Said, S)> {
        let world = self.world;
        Some(match op {
            GroupOp::Create(terms) => return self.create_group(terms),
            GroupOp::Destroy(number) => {
                let (handle, at) = self.group(*number);
                let got = self.call_without_memory(|_| dz_group_destroy(world, handle));
                let said = at.map(|at| drop(self.naive.groups.remove(at))).ok_or(S::DZ_ERR_GROUP);
                (said.map(|()| OK), got)
            }
            GroupOp::Sort(which, how, keep) => {
                let id = self.which(*which);
                let (order, user) = self.by(*how, id);
                let got =
                    self.call(|_| unsafe { dz_sort(world, id, Some(compare), user, (*keep).into()) })?;
                (self.sorted(id, order, *keep).map(|()| OK), got)
            }
            GroupOp::SortAs(which, like, keep) => {
                let (id, like) = (self.which(*which), self.which(*like));
                let got = self.call(|_| dz_sort_as(world, id, like, (*keep).into()))?;
                (self.sorted(id, Order::As(like), *keep).map(|()| OK), got)
            }
            GroupOp::Refresh(which) => {
                let id = self.which(*which);
                let got = self.call(|_| dz_sort_refresh(world, id))?;
                let kept = self.naive.open(id).map(|component| component.kept.clone());
                (kept.and_then(|kept| self.refreshed(id, kept)), got)
            }
            GroupOp::Release(which) => {
                let id = self.which(*which);
                let got = self.call_without_memory(|_| dz_sort_release(world, id));
                let said = self.naive.open(id).map(|_| ());
                let kept = said.map(|()| self.naive.components.get_mut(&id).unwrap().kept.take());
                (kept.map(|kept| if kept.is_some() { OK } else { S::DZ_NOT_THERE }), got)
            }
            GroupOp::GroupSort(number, term, how, keep) => {
                let (handle, at) = self.group(*number);
                let by = self.term(at, *term);
                let (order, user) = self.by(if by == 0 && *how == 0 { 2 } else { *how }, by);
                let got = self.call(|_| unsafe {
                    dz_group_sort(world, handle, by, Some(compare), user, (*keep).into())
                })?;
                (self.group_sorted(at, order, by, *keep).map(|()| OK), got)
            }
            GroupOp::GroupSortAs(number, like, keep) => {
                let ((handle, at), like) = (self.group(*number), self.which(*like));
                let got = self.call(|_| dz_group_sort_as(world, handle, like, (*keep).into()))?;
                (self.group_sorted(at, Order::As(like), 0, *keep).map(|()| OK), got)
            }
            GroupOp::GroupRefresh(number) => {
                let (handle, at) = self.group(*number);
                let got = self.call(|_| dz_group_sort_refresh(world, handle))?;
                (self.group_refreshed(at), got)
            }
            GroupOp::GroupRelease(number) => {
                let (handle, at) = self.group(*number);
                let got = self.call_without_memory(|_| dz_group_sort_release(world, handle));
                let kept = at.map(|at| self.naive.groups[at].kept.take()).ok_or(S::DZ_ERR_GROUP);
                (kept.map(|kept| if kept.is_some() { OK } else { S::DZ_NOT_THERE }), got)
            }
        })
    }

    /// One of a group's components, or none, or any.
    fn term(&self, at: Option<usize>, term: Which) -> u64 {
        let any = self.which(term);
        let Some(group) = at.map(|at| &self.naive.groups[at]) else { return any };
        match term {
            Which::Registered(number) if number < 240 => {
                let ids: Vec<u64> = group.required().copied().chain([0]).collect();
                ids[usize::from(number) % ids.len()]
            }
            _ => any,
        }
    }

    fn create_group(&mut self, terms: &Terms) -> Option<(Said, S)> {
        let ids = |all: &[Which]| all.iter().map(|which| self.which(*which)).collect::<Vec<_>>();
        let (owned, included, excluded) = (ids(&terms.owned), ids(&terms.included), ids(&terms.excluded));
        let desc = dz_group_desc {
            size: size_of::<dz_group_desc>() as u32,
            owned_count: owned.len() as u32,
            included_count: included.len() as u32,
            excluded_count: excluded.len() as u32,
            owned: owned.as_ptr(),
            included: included.as_ptr(),
            excluded: excluded.as_ptr(),
            reserved: 0,
        };
        let mut handle = dz_group::default();
        let got = self.call(|host| {
            handle = unsafe { dz_group_create(host.world, &desc) };
            calls::last()
        })?;
        let group = Group { handle, owned, included, excluded, kept: None };
        let said = self.naive.can_create(&group);
        assert_eq!(handle.bits != 0, said.is_ok(), "{}", calls::message());
        if said.is_ok() {
            self.naive.groups.push(group);
        }
        Some((said.map(|()| OK), got))
    }

    fn sorted(&mut self, id: u64, order: Order, keep: bool) -> Result<(), S> {
        self.naive.can_sort(id)?;
        if let Order::As(like) = order {
            self.naive.component(like)?;
        }
        if !keep && self.naive.components[&id].kept.is_some() {
            return Err(S::DZ_ERR_OWNED);
        }
        let mut packed = self.naive.components[&id].packed.clone();
        self.naive.put(&mut packed, &order, id);
        let component = self.naive.components.get_mut(&id).unwrap();
        component.packed = packed;
        if keep {
            component.kept = Some(order);
        }
        Ok(())
    }

    fn refreshed(&mut self, id: u64, kept: Option<Order>) -> Said {
        let Some(order) = kept else { return Ok(S::DZ_NOTHING_TO_DO) };
        self.sorted(id, order, true).map(|()| OK)
    }

    fn group_sorted(&mut self, at: Option<usize>, order: Order, by: u64, keep: bool) -> Result<(), S> {
        let at = at.ok_or(S::DZ_ERR_GROUP)?;
        if !keep && self.naive.groups[at].kept.is_some() {
            return Err(S::DZ_ERR_OWNED);
        }
        match order {
            Order::As(like) => drop(self.naive.component(like)?),
            Order::By(_) if by != 0 => {
                self.naive.component(by)?;
                if !self.naive.groups[at].required().any(|id| *id == by) {
                    return Err(S::DZ_ERR_NOT_TERM);
                }
            }
            Order::By(_) => {}
        }
        self.naive.put_group(at, &order, by);
        if keep {
            self.naive.groups[at].kept = Some((order, by));
        }
        Ok(())
    }

    fn group_refreshed(&mut self, at: Option<usize>) -> Said {
        let at = at.ok_or(S::DZ_ERR_GROUP)?;
        let Some((order, by)) = self.naive.groups[at].kept.clone() else { return Ok(S::DZ_NOTHING_TO_DO) };
        self.group_sorted(Some(at), order, by, true).map(|()| OK)
    }

    /// The order of pools that a group owns is the library's, as far as the groups leave it open.
    pub fn loosen_groups(&mut self) {
        let owned: Vec<u64> = self.naive.groups.iter().flat_map(|group| group.owned.clone()).collect();
        for id in owned {
            self.naive.components.get_mut(&id).unwrap().loose = true;
        }
    }

    /// Every group has the members that it must have; they come first in the pools that it owns.
    pub fn check_groups(&mut self) {
        let world = self.world;
        let alive = self.plain();
        let (mut listed, mut count) = ([dz_group::default(); 32], 0);
        assert_eq!(unsafe { dz_groups(world, listed.as_mut_ptr(), 32, &mut count) }, OK);
        assert_eq!(count as usize, self.naive.groups.len());
        for group in &self.naive.groups {
            assert!(listed.contains(&group.handle));
            let members = self.naive.members(group);
            assert_eq!(dz_group_count(world, group.handle) as usize, members.len(), "{group:?}");
            for entity in &alive {
                let is_member = members.contains(entity);
                assert_eq!(dz_group_contains(world, group.handle, *entity), is_member, "{entity:#x}");
            }
            let order = |id: &u64| &self.naive.components[id].packed[..members.len()];
            if let Some(lead) = group.owned.first() {
                assert_eq!(BTreeSet::from_iter(order(lead).iter().copied()), members, "{group:?}");
                assert!(group.owned.iter().all(|id| order(id) == order(lead)), "{group:?}");
            }
            let mut details = MaybeUninit::uninit();
            assert_eq!(unsafe { dz_group_info(world, group.handle, details.as_mut_ptr()) }, OK);
            let details: dz_group_details = unsafe { details.assume_init() };
            assert_eq!((details.group, details.count as usize), (group.handle, members.len()));
            let counts = [details.owned_count, details.included_count, details.excluded_count];
            let lens = [group.owned.len(), group.included.len(), group.excluded.len()];
            assert_eq!(counts.map(|count| count as usize), lens);
            assert!(group.ids().eq(&details.ids[..lens.iter().sum()]));
        }
        for (owned, order) in std::mem::take(&mut self.naive.expected) {
            for id in owned {
                assert_eq!(self.naive.components[&id].packed[..order.len()], order[..]);
            }
        }
    }
}

/// Operations on few components, which many entities have: so that groups have members, and are nested.
fn busy_op() -> BoxedStrategy<Op> {
    let which = || (0..7_u8).prop_map(Which::Registered);
    let who = || any::<u16>().prop_map(Who::Alive);
    let many = || {
        let parts = (any::<u16>(), 1..5_u8, 0..30_u8);
        parts.prop_map(|(first, step, count)| Many { first, step, count, extra: None })
    };
    let columns = prop::collection::vec((which(), any::<bool>(), Just(None)), 0..6);
    // The components of a chain: each group requires those up to a number, and owns some of them.
    let chain = (1..5_u8, 0..16_u8, 0..4_u8).prop_map(|(len, owned, excluded)| {
        let pick = |owns: bool| (0..len).filter(move |at| (owned >> at & 1 == 1) == owns);
        let list = |all: Vec<u8>| all.into_iter().map(Which::Registered).collect();
        let excluded = (0..2).filter(|at| excluded >> at & 1 == 1).map(|at| at + 4);
        let (owned, included) = (list(pick(true).collect()), list(pick(false).collect()));
        GroupOp::Create(Terms { owned, included, excluded: list(excluded.collect()) })
    });
    let keep = || prop::bool::weighted(0.3);
    let groups = prop_oneof![
        8 => chain,
        2 => any::<u8>().prop_map(GroupOp::Destroy),
        1 => (which(), 0..3_u8, keep()).prop_map(|(c, how, keep)| GroupOp::Sort(c, how, keep)),
        1 => which().prop_map(GroupOp::Release),
        4 => (any::<u8>(), which(), 0..3_u8, keep()).prop_map(|(g, c, h, k)| GroupOp::GroupSort(g, c, h, k)),
        2 => (any::<u8>(), which(), keep()).prop_map(|(g, c, k)| GroupOp::GroupSortAs(g, c, k)),
        2 => any::<u8>().prop_map(GroupOp::GroupRefresh),
        2 => any::<u8>().prop_map(GroupOp::GroupRelease),
    ];
    prop_oneof![
        8 => groups.prop_map(Op::Group),
        8 => (who(), which()).prop_map(|(e, c)| Op::Add(e, c)),
        8 => (who(), which()).prop_map(|(e, c)| Op::Remove(e, c)),
        6 => (who(), which()).prop_map(|(e, c)| Op::Set(e, c, None)),
        2 => (who(), which()).prop_map(|(e, c)| Op::GetOrAdd(e, c)),
        3 => (many(), which()).prop_map(|(e, c)| Op::AddN(e, c)),
        3 => (many(), which()).prop_map(|(e, c)| Op::RemoveN(e, c)),
        3 => (many(), which()).prop_map(|(e, c)| Op::SetN(e, c, None)),
        4 => (0..9_u8, columns, any::<bool>()).prop_map(|(n, c, k)| Op::CreateWith(n, c, k)),
        3 => who().prop_map(Op::Clone),
        4 => who().prop_map(Op::Destroy),
        2 => many().prop_map(Op::DestroyN),
        1 => which().prop_map(Op::ClearPool),
        1 => which().prop_map(Op::Compact),
        1 => prop_oneof![5 => Just(Op::Shrink), 1 => Just(Op::WorldClear)],
        2 => prop_oneof![(0..6_u8).prop_map(Op::FailHook), (0..6_u8).prop_map(Op::Starve)],
    ]
    .boxed()
}

proptest! {
    #![proptest_config(crate::config(128))]

    #[test]
    fn groups_of_few_components_are_what_they_must_be(
        wide in any::<bool>(),
        reallocates in any::<bool>(),
        reserved in prop_oneof![3 => Just(256), 1 => Just(calls::FAR)],
        ops in prop::collection::vec(busy_op(), 0..crate::steps(200)),
    ) {
        let setup = Setup {
            wide,
            fifo: false,
            wrap: false,
            reserved,
            room: 0,
            capacity: 0,
            reallocates,
            kinds: 0,
        };
        let mut host = Host::new(setup);
        // Four, Counted, Tag and Sixteen are the chain's; Ended and StableTwelve may be excluded.
        for number in [3, 6, 0, 5, 12, 4, 7] {
            host.step(&Op::Register(number, true));
        }
        let columns = |all: &[u8]| all.iter().map(|at| (Which::Registered(*at), true, None)).collect();
        host.step(&Op::CreateWith(25, columns(&[0, 1, 2, 3]), true));
        host.step(&Op::CreateWith(10, columns(&[3, 1, 0, 5]), true));
        host.step(&Op::CreateWith(10, columns(&[0, 2, 4, 6]), true));
        for op in &ops {
            host.step(op);
            host.check();
        }
        host.end();
    }
}
