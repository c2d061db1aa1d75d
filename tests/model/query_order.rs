//! Groups and sorts in the worlds of the tests of queries, naively: who is a member, what order a pool is in, what moves.
//! They change nothing of who matches.

use crate::calls::{self, OK, S};
use crate::each::entity_at;
use crate::query::{Host, MOST, Made, is_stable};
use denizen::ffi::types::*;
use denizen::ffi::{group::*, query::*, sort::*};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::mem::MaybeUninit;

/// An order: by entity, in one of many ways, or as a component's pool.
#[derive(Clone, Copy, Debug)]
pub enum By {
    Seed(u32),
    Like(usize),
}

/// What is done with groups and orders: of a pool or a group, by number.
#[derive(Clone, Debug)]
pub enum Order {
    /// Makes a group that owns, includes and excludes these components.
    Group([u64; 3]),
    Ungroup(u8),
    /// Sorts; whether the order is kept.
    Sort(u8, By, bool),
    Refresh(u8),
    Release(u8),
    /// With the component that is compared, if one is.
    SortGroup(u8, Option<u8>, By, bool),
    RefreshGroup(u8),
    ReleaseGroup(u8),
}

#[derive(Clone, Copy, Debug)]
pub struct Group {
    handle: dz_group,
    /// Components, as bits.
    owned: u64,
    included: u64,
    excluded: u64,
    kept: Option<By>,
}

impl Group {
    const fn required(&self) -> u64 {
        self.owned | self.included
    }

    const fn is_member(&self, mask: u64) -> bool {
        mask & (self.required() | self.excluded) == self.required()
    }

    const fn contains(&self, other: &Self) -> bool {
        other.required() & !self.required() == 0 && other.excluded & !self.excluded == 0
    }

    const fn rank(&self) -> (u32, u32) {
        ((self.required() | self.excluded).count_ones(), self.handle.bits)
    }
}

fn bits(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |bit| mask >> bit & 1 != 0)
}

/// Odd seeds make many equals: sorts are stable.
fn key(entity: dz_entity, seed: u32) -> u64 {
    let key = (entity ^ u64::from(seed)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    if seed.is_multiple_of(2) { key } else { key >> 61 }
}

unsafe extern "C" fn compare(
    _: *const c_void,
    _: *const c_void,
    a: dz_entity,
    b: dz_entity,
    user: *mut c_void,
) -> i32 {
    let seed = user.addr() as u32;
    key(a, seed).cmp(&key(b, seed)) as i32
}

impl Host {
    /// The entities of a pool, in its order.
    pub fn pool(&self, component: usize) -> Vec<dz_entity> {
        if self.is_gone(component) {
            return Vec::new();
        }
        let (status, iter) = calls::iterate(self.world, self.ids[component], dz_direction::DZ_FORWARD);
        assert_eq!(status, OK);
        all_of(iter)
    }

    fn pools(&self) -> Vec<Vec<dz_entity>> {
        (0..self.ids.len()).map(|component| self.pool(component)).collect()
    }

    /// All pools but these are in the order that they were in.
    fn check_unmoved(&self, before: &[Vec<dz_entity>], moved: u64) {
        for (component, before) in before.iter().enumerate().filter(|(at, _)| moved >> at & 1 == 0) {
            assert!(self.pool(component) == *before, "the order of {component} changed");
        }
    }

    fn members(&self, group: &Group) -> Vec<dz_entity> {
        let mut iter = MaybeUninit::uninit();
        let forward = dz_direction::DZ_FORWARD as i32;
        let status = unsafe { dz_iterate_group(self.world, group.handle, forward, iter.as_mut_ptr()) };
        assert_eq!(status, OK);
        all_of(unsafe { iter.assume_init() })
    }

    /// Whether a group has a component as a term.
    pub fn is_grouped(&self, component: usize) -> bool {
        self.groups.iter().any(|group| (group.required() | group.excluded) >> component & 1 != 0)
    }

    /// The components that groups own.
    fn owned(&self) -> u64 {
        self.groups.iter().fold(0, |all, group| all | group.owned)
    }

    /// Whether other changes than its own may move the elements of a pool, or a refresh may.
    pub fn is_moved(&self, component: usize) -> bool {
        self.owned() >> component & 1 != 0 || self.kept[component].is_some()
    }

    /// The groups that own the same as one, directly or through others.
    fn family(&self, group: &Group) -> Vec<Group> {
        let mut owned = group.owned;
        loop {
            let family: Vec<_> = self.groups.iter().copied().filter(|it| it.owned & owned != 0).collect();
            let all = family.iter().fold(owned, |all, it| all | it.owned);
            if all == owned {
                return family;
            }
            owned = all;
        }
    }

    fn can_group(&self, group: &Group) -> S {
        let terms = [group.owned, group.included, group.excluded];
        if terms.iter().map(|mask| mask.count_ones()).sum::<u32>() > 32 {
            return S::DZ_ERR_COUNT;
        }
        if terms.iter().any(|mask| bits(*mask).any(|component| self.is_gone(component))) {
            return S::DZ_ERR_DEAD;
        }
        if group.required() == 0 {
            return S::DZ_ERR_RANGE;
        }
        if bits(group.owned).any(is_stable) {
            return S::DZ_ERR_POLICY;
        }
        if group.owned & group.included | group.required() & group.excluded != 0 {
            return S::DZ_ERR_DUPLICATE;
        }
        let mut family = self.family(group);
        family.push(*group);
        let nested = family.iter().all(|a| family.iter().all(|b| a.contains(b) || b.contains(a)));
        let kept = bits(group.owned).any(|component| self.kept[component].is_some());
        if nested && !kept { OK } else { S::DZ_ERR_OWNED }
    }

    fn can_sort(&self, component: usize, by: By, keep: bool) -> S {
        if self.is_gone(component) {
            S::DZ_ERR_DEAD
        } else if is_stable(component) {
            S::DZ_ERR_POLICY
        } else if self.owned() >> component & 1 != 0 {
            S::DZ_ERR_OWNED
        } else if self.is_lost_order(by) {
            S::DZ_ERR_DEAD
        } else if !keep && self.kept[component].is_some() {
            S::DZ_ERR_OWNED
        } else {
            OK
        }
    }

    fn is_lost_order(&self, by: By) -> bool {
        matches!(by, By::Like(like) if self.is_gone(like))
    }

    fn sorted(&self, mut all: Vec<dz_entity>, by: By) -> Vec<dz_entity> {
        match by {
            By::Seed(seed) => all.sort_by_key(|entity| key(*entity, seed)),
            By::Like(like) => {
                let places: BTreeMap<_, _> = self.pool(like).into_iter().zip(0..).collect();
                all.sort_by_key(|entity| places.get(entity).copied().unwrap_or(usize::MAX));
            }
        }
        all
    }

    /// The members of a group when it is sorted: those of groups inside stay first, each part is sorted by itself.
    fn sorted_members(&self, group: &Group, by: By) -> Vec<dz_entity> {
        let mut inner = if group.owned == 0 { vec![*group] } else { self.family(group) };
        inner.retain(|part| part.contains(group) && part.rank() >= group.rank());
        inner.sort_by_key(|part| Reverse(part.rank()));
        let (mut all, mut first) = (self.members(group), 0);
        for part in inner {
            let end = dz_group_count(self.world, part.handle) as usize;
            if part.handle == group.handle || part.kept.is_none() {
                let sorted = self.sorted(all[first..end].to_vec(), by);
                all[first..end].copy_from_slice(&sorted);
            }
            first = end;
        }
        all
    }

    fn make_group(&mut self, terms: [u64; 3]) -> (S, S, u64) {
        let [owned, included, excluded] = terms.map(|mask| mask & ((1 << self.ids.len()) - 1));
        let mut group = Group { handle: dz_group::default(), owned, included, excluded, kept: None };
        let ids =
            [owned, included, excluded].map(|mask| bits(mask).map(|at| self.ids[at]).collect::<Vec<_>>());
        let desc = dz_group_desc {
            size: size_of::<dz_group_desc>() as u32,
            owned_count: ids[0].len() as u32,
            included_count: ids[1].len() as u32,
            excluded_count: ids[2].len() as u32,
            owned: ids[0].as_ptr(),
            included: ids[1].as_ptr(),
            excluded: ids[2].as_ptr(),
            reserved: 0,
        };
        let expected = self.can_group(&group);
        group.handle = unsafe { dz_group_create(self.world, &desc) };
        let got = if group.handle.bits == 0 { calls::last() } else { OK };
        if expected == OK {
            self.groups.push(group);
        }
        (expected, got, self.family(&group).iter().fold(0, |all, it| all | it.owned))
    }

    fn sort(&mut self, component: usize, by: By, keep: bool) -> (S, S, u64) {
        let (world, id, mode) = (self.world, self.ids[component], keep.into());
        let expected = self.can_sort(component, by, keep);
        let sorted = (expected == OK).then(|| self.sorted(self.pool(component), by));
        let got = match by {
            By::Seed(seed) => {
                let user = std::ptr::without_provenance_mut(seed as usize);
                unsafe { dz_sort(world, id, Some(compare), user, mode) }
            }
            By::Like(like) => dz_sort_as(world, id, self.ids[like], mode),
        };
        if let Some(sorted) = sorted {
            assert!(self.pool(component) == sorted, "{component} isn't sorted");
            self.kept[component] = if keep { Some(by) } else { None };
        }
        (expected, got, 1 << component)
    }

    fn sort_group(&mut self, at: usize, term: Option<usize>, by: By, keep: bool) -> (S, S, u64) {
        let (group, world, mode) = (self.groups[at], self.world, keep.into());
        let expected = if !keep && group.kept.is_some() {
            S::DZ_ERR_OWNED
        } else if self.is_lost_order(by) {
            S::DZ_ERR_DEAD
        } else {
            match (by, term) {
                (By::Seed(_), Some(term)) if self.is_gone(term) => S::DZ_ERR_DEAD,
                (By::Seed(_), Some(term)) if group.required() >> term & 1 == 0 => S::DZ_ERR_NOT_TERM,
                _ => OK,
            }
        };
        let sorted = (expected == OK).then(|| self.sorted_members(&group, by));
        let got = match by {
            By::Seed(seed) => {
                let user = std::ptr::without_provenance_mut(seed as usize);
                let term = term.map_or(0, |term| self.ids[term]);
                unsafe { dz_group_sort(world, group.handle, term, Some(compare), user, mode) }
            }
            By::Like(like) => dz_group_sort_as(world, group.handle, self.ids[like], mode),
        };
        if let Some(sorted) = sorted {
            assert!(self.members(&group) == sorted, "{group:?} isn't sorted");
            self.groups[at].kept = if keep { Some(by) } else { None };
        }
        (expected, got, self.family(&group).iter().fold(0, |all, it| all | it.owned))
    }

    /// Does a step. Whatever it isn't about stays in its order, and everything if it is refused.
    pub fn order(&mut self, step: &Order) {
        let (world, count) = (self.world, self.ids.len());
        let number = |component: u8| usize::from(component) % count;
        // Mostly a pool that is kept in an order, if there is one.
        let kept = |number: u8| {
            let all: Vec<_> = (0..count).filter(|it| self.kept[*it].is_some() || number > 200).collect();
            all.get(usize::from(number) % all.len().max(1)).copied().unwrap_or(usize::from(number) % count)
        };
        let like = |by: By| if let By::Like(like) = by { By::Like(like % count) } else { by };
        let before = self.pools();
        let at = match *step {
            Order::Ungroup(at) | Order::RefreshGroup(at) | Order::ReleaseGroup(at) => at,
            Order::SortGroup(at, ..) => at,
            _ => 0,
        };
        let at = usize::from(at) % self.groups.len().max(1);
        let group = self.groups.get(at).copied();
        let (expected, got, moved) = match (step.clone(), group) {
            (Order::Group(terms), _) => self.make_group(terms),
            (Order::Sort(component, by, keep), _) => self.sort(number(component), like(by), keep),
            (Order::Refresh(component), _) => {
                let component = kept(component);
                let expected = match self.kept[component] {
                    _ if self.is_gone(component) => S::DZ_ERR_DEAD,
                    None => S::DZ_NOTHING_TO_DO,
                    Some(by) => self.can_sort(component, by, true),
                };
                let sorted = self.kept[component].filter(|_| expected == OK);
                let sorted = sorted.map(|by| self.sorted(self.pool(component), by));
                let got = dz_sort_refresh(world, self.ids[component]);
                assert!(
                    sorted.is_none_or(|sorted| self.pool(component) == sorted),
                    "{component} isn't sorted"
                );
                (expected, got, 1 << component)
            }
            (Order::Release(component), _) => {
                let component = kept(component);
                let expected = match self.kept[component].take() {
                    _ if self.is_gone(component) => S::DZ_ERR_DEAD,
                    None => S::DZ_NOT_THERE,
                    Some(_) => OK,
                };
                (expected, dz_sort_release(world, self.ids[component]), 0)
            }
            (_, None) => return,
            (Order::Ungroup(_), Some(group)) => {
                self.groups.remove(at);
                (OK, dz_group_destroy(world, group.handle), 0)
            }
            (Order::SortGroup(_, term, by, keep), _) => self.sort_group(at, term.map(number), like(by), keep),
            (Order::RefreshGroup(_), Some(group)) => {
                let expected = match group.kept {
                    None => S::DZ_NOTHING_TO_DO,
                    Some(by) if self.is_lost_order(by) => S::DZ_ERR_DEAD,
                    Some(_) => OK,
                };
                let sorted = group.kept.filter(|_| expected == OK).map(|by| self.sorted_members(&group, by));
                let got = dz_group_sort_refresh(world, group.handle);
                assert!(sorted.is_none_or(|sorted| self.members(&group) == sorted), "{group:?} isn't sorted");
                (expected, got, self.family(&group).iter().fold(0, |all, it| all | it.owned))
            }
            (Order::ReleaseGroup(_), Some(group)) => {
                let expected = if self.groups[at].kept.take().is_some() { OK } else { S::DZ_NOT_THERE };
                (expected, dz_group_sort_release(world, group.handle), 0)
            }
        };
        assert_eq!(got, expected, "{}", calls::message());
        self.check_unmoved(&before, if got == OK { moved } else { 0 });
    }

    /// Optimises: pools whose order is somebody's are left alone.
    pub fn optimise(&self, moves: u32) {
        let before = self.pools();
        let mut made = u32::MAX;
        assert_eq!(unsafe { dz_optimize(self.world, moves, &mut made) }, OK);
        assert!(made <= moves);
        let free = (0..self.ids.len()).filter(|it| !is_stable(*it) && !self.is_moved(*it));
        self.check_unmoved(&before, free.fold(0, |all, it| all | 1 << it));
    }

    /// Refreshes a query: then the pools that it reads are in the order that they are kept in, and no other has moved.
    pub fn refresh(&self, made: &Made) -> S {
        let before = self.pools();
        let read = made.terms.iter().filter(|term| term.ask != 1 && term.access != 3);
        let read = read.map(|term| term.component).chain(made.order);
        let kept = read.filter(|component| self.kept[*component].is_some()).fold(0, |all, it| all | 1 << it);
        let expected = if made.terms.iter().any(|term| self.is_gone(term.component)) {
            S::DZ_ERR_QUERY_LOST
        } else if !made.kept {
            S::DZ_ERR_NOT_KEPT
        } else if bits(kept).any(|it| self.kept[it].is_some_and(|by| self.is_lost_order(by))) {
            S::DZ_ERR_DEAD
        } else {
            OK
        };
        assert_eq!(dz_query_refresh(self.world, made.query), expected, "{}", calls::message());
        self.check_unmoved(&before, if expected == OK { kept } else { 0 });
        for component in bits(kept).filter(|it| expected == OK && !self.is_circular(*it)) {
            let pool = self.pool(component);
            assert!(
                pool == self.sorted(pool.clone(), self.kept[component].unwrap()),
                "{component} isn't sorted"
            );
        }
        expected
    }

    /// Whether a pool follows pools that follow each other: those may never come to rest.
    pub fn is_circular(&self, component: usize) -> bool {
        let mut last = component;
        for _ in 0..self.ids.len() {
            let Some(By::Like(like)) = self.kept[last] else { return false };
            last = like;
        }
        true
    }

    /// Groups have the members that they must have, first in the pools that they own, in one order.
    pub fn check_groups(&self) {
        for group in &self.groups {
            let count = self.entities().filter(|(_, mask)| group.is_member(*mask)).count();
            assert_eq!(dz_group_count(self.world, group.handle) as usize, count, "{group:?}");
            let mut members = self.members(group);
            assert!(members.iter().all(|entity| group.is_member(self.mask(*entity))), "{group:?}");
            for component in bits(group.owned) {
                assert!(self.pool(component)[..count] == members, "{component} of {group:?}");
            }
            members.sort_unstable();
            members.dedup();
            assert_eq!(members.len(), count, "{group:?}");
            for (entity, mask) in self.entities().step_by(17) {
                let is_member = dz_group_contains(self.world, group.handle, entity);
                assert_eq!(is_member, group.is_member(mask), "{entity:#x} in {group:?}");
            }
        }
    }
}

fn all_of(mut iter: dz_iter) -> Vec<dz_entity> {
    let mut all = Vec::new();
    while calls::next(&mut iter) {
        all.extend((0..iter.count).map(|i| entity_at(&iter, i)));
    }
    all
}

pub fn order() -> BoxedStrategy<Order> {
    use Order::*;
    let (byte, keep) = (any::<u8>(), prop::bool::weighted(0.5));
    let by = prop_oneof![2 => any::<u32>().prop_map(By::Seed), 1 => (0..MOST).prop_map(By::Like)];
    let stable = (0..MOST).filter(|it| is_stable(*it)).fold(0, |all, it| all | 1 << it);
    // Groups of the first ones are mostly nested; of any they are mostly in each other's way.
    let excluded = prop_oneof![3 => Just(0), 1 => any::<u64>(), 2 => Just(0b1100_0000)];
    let chain = (1..6_u32, any::<u64>(), excluded).prop_map(move |(len, owned, excluded)| {
        let required = (1 << len) - 1;
        let owned = owned & required & !stable;
        Group([owned, required & !owned, excluded & !required])
    });
    let some = any::<[u64; 3]>().prop_map(|[a, b, c]| Group([a & b, b & c & !a, a & c & !b]));
    prop_oneof![
        8 => chain,
        2 => some,
        1 => byte.prop_map(Ungroup),
        8 => (byte, by.clone(), keep).prop_map(|(c, by, keep)| Sort(c, by, keep)),
        3 => byte.prop_map(Refresh),
        1 => byte.prop_map(Release),
        5 => (byte, prop::option::of(0..4_u8), by, prop::bool::weighted(0.8)).prop_map(|(g, c, by, keep)| SortGroup(g, c, by, keep)),
        3 => byte.prop_map(RefreshGroup),
        1 => byte.prop_map(ReleaseGroup),
    ]
    .boxed()
}
