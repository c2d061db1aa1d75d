//! Groups: who must be a member, and which may be made.

use crate::calls::{OK, S, message};
use crate::host::Host;
use crate::orders::Order;
use crate::read::{self, at_if, listed, start};
use denizen::ffi::bulk::dz_get_n;
use denizen::ffi::group::*;
use denizen::ffi::iterate::dz_next;
use denizen::ffi::types::*;
use std::collections::BTreeSet;
use std::mem::MaybeUninit;

#[derive(Clone, Debug)]
pub struct Group {
    pub handle: dz_group,
    pub owned: Vec<u64>,
    pub included: Vec<u64>,
    pub excluded: Vec<u64>,
    /// The order in which it is kept, and the component whose values are compared.
    pub kept: Option<(Order, u64)>,
}

impl Group {
    pub fn required(&self) -> impl Iterator<Item = &u64> {
        self.owned.iter().chain(&self.included)
    }

    pub fn ids(&self) -> impl Iterator<Item = &u64> {
        self.required().chain(&self.excluded)
    }

    /// Whether its terms contain the other's: its members are members of the other, too.
    pub fn is_inside(&self, other: &Self) -> bool {
        other.required().all(|id| self.required().any(|mine| mine == id))
            && other.excluded.iter().all(|id| self.excluded.contains(id))
    }

    fn shares(&self, other: &Self) -> bool {
        self.owned.iter().any(|id| other.owned.contains(id))
    }

    /// Inner ones come later.
    pub fn rank(&self) -> (usize, u32) {
        (self.ids().count(), self.handle.bits)
    }
}

impl Host {
    pub fn is_member(&self, group: &Group, entity: u64) -> bool {
        self.kin.is_asked_for(entity, false)
            && group.required().all(|id| self.kin.shows(entity, *id))
            && !group.excluded.iter().any(|id| self.kin.shows(entity, *id))
    }

    pub fn members(&self, group: &Group) -> BTreeSet<u64> {
        self.plain().into_iter().filter(|entity| self.is_member(group, *entity)).collect()
    }

    /// The groups that own the same as one, directly or through others; itself, if it is there.
    pub fn family(&self, group: &Group) -> Vec<Group> {
        let mut family: Vec<Group> = vec![group.clone()];
        loop {
            let near = |other: &&Group| family.iter().any(|member| member.shares(other));
            let is_new = |other: &&Group| !family.iter().any(|member| member.handle == other.handle);
            let more: Vec<Group> = self.groups.iter().filter(|g| near(g) && is_new(g)).cloned().collect();
            if more.is_empty() {
                return family;
            }
            family.extend(more);
        }
    }

    fn can_be_made(&self, group: &Group) -> S {
        let stable = |id: &u64| self.kind(*id).stable;
        if group.owned.iter().any(stable) {
            return S::DZ_ERR_POLICY;
        }
        if group.owned.iter().any(|id| self.kept.contains_key(id)) {
            return S::DZ_ERR_OWNED;
        }
        let family = self.family(group);
        let nested = |a: &Group| family.iter().all(|b| a.is_inside(b) || b.is_inside(a));
        if family.iter().all(nested) { OK } else { S::DZ_ERR_OWNED }
    }

    /// Who owns or has a say in a pool's order.
    pub fn is_owned(&self, id: u64) -> bool {
        self.groups.iter().any(|group| group.owned.contains(&id))
    }

    pub fn make_group(&mut self) {
        if !self.has.groups || self.groups.len() > 6 {
            return;
        }
        let mut group = Group {
            handle: dz_group { bits: 0 },
            owned: vec![],
            included: vec![],
            excluded: vec![],
            kept: None,
        };
        // Often inside another one, or around it.
        if self.once_in(2)
            && let Some(other) = self.one_of(&self.groups.clone())
        {
            (group.owned, group.included, group.excluded) = (other.owned, other.included, other.excluded);
        }
        for _ in 0..1 + self.dice.below(3) {
            let Some((id, kind)) = self.component() else { return };
            if group.ids().any(|other| *other == id) {
                continue;
            }
            let stable = kind.stable && !self.once_in(8);
            match self.dice.below(6) {
                0..3 if !stable => group.owned.push(id),
                0..4 => group.included.push(id),
                _ => group.excluded.push(id),
            }
        }
        if group.required().count() == 0 {
            return;
        }
        let count = |all: &[u64]| all.len() as u32;
        let desc = dz_group_desc {
            size: size_of::<dz_group_desc>() as u32,
            owned_count: count(&group.owned),
            included_count: count(&group.included),
            excluded_count: count(&group.excluded),
            owned: group.owned.as_ptr(),
            included: group.included.as_ptr(),
            excluded: group.excluded.as_ptr(),
            reserved: 0,
        };
        self.record.note(
            self.step,
            &format!(
                "owned {:x?}, included {:x?}, excluded {:x?}",
                group.owned, group.included, group.excluded
            ),
        );
        let Some((came, handle)) = act!(self, dz_group_create(&raw const desc)) else { return };
        self.expect(came, self.can_be_made(&group));
        if came == OK {
            group.handle = handle;
            self.groups.push(group);
        }
    }

    pub fn end_group(&mut self) {
        if self.groups.is_empty() || !self.once_in(2) {
            return;
        }
        let at = self.dice.below(self.groups.len());
        let handle = self.groups[at].handle;
        let Some((came, _)) = act!(self, dz_group_destroy(handle)) else { return };
        self.expect(came, OK);
        self.groups.remove(at);
        assert_eq!(call!(dz_group_destroy(self.world, handle)), S::DZ_ERR_GROUP);
    }

    /// Every group has the members that it must have, in one order in all that it owns, where they come first.
    pub fn check_groups(&self) {
        let world = self.world;
        let known: Vec<_> = listed(|out, room, count| call!(dz_groups(world, out, room, count)));
        let known: BTreeSet<u32> = known.iter().map(|handle: &dz_group| handle.bits).collect();
        assert_eq!(known, self.groups.iter().map(|group| group.handle.bits).collect());
        for group in &self.groups {
            let members = self.members(group);
            assert_eq!(call!(dz_group_count(world, group.handle)) as usize, members.len(), "{group:x?}");
            for entity in self.plain() {
                let is_member = call!(dz_group_contains(world, group.handle, entity));
                assert_eq!(is_member, members.contains(&entity), "{entity:x} in {group:x?}");
            }
            let mut details = MaybeUninit::uninit();
            assert_eq!(call!(dz_group_info(world, group.handle, details.as_mut_ptr())), OK);
            let details: dz_group_details = unsafe { details.assume_init() };
            let counts = [details.count, details.owned_count, details.included_count, details.excluded_count];
            let lens = [members.len(), group.owned.len(), group.included.len(), group.excluded.len()];
            assert_eq!(counts.map(|count| count as usize), lens);
            assert!(group.ids().eq(&details.ids[..lens[1..].iter().sum()]));
            let mut forward = read::group(world, group.handle, dz_direction::DZ_FORWARD);
            let order = read::rest(&mut forward);
            let mut backward = read::rest(&mut read::group(world, group.handle, dz_direction::DZ_BACKWARD));
            backward.reverse();
            assert_eq!(order, backward, "both directions");
            assert_eq!(BTreeSet::from_iter(order.iter().copied()), members, "{group:x?}");
            assert_eq!(order.len(), members.len(), "nobody twice");
            for id in &group.owned {
                let pool = read::rest(&mut read::pool(world, *id, dz_direction::DZ_FORWARD));
                assert_eq!(pool[..order.len()], order, "the pool of {id:x} begins with {group:x?}");
            }
            self.check_group_fields(group);
        }
    }

    fn check_group_fields(&self, group: &Group) {
        let mut iter = start(|out| call!(dz_iterate_group(self.world, group.handle, 1, out)));
        while call!(dz_next(&mut iter)) {
            for i in 0..iter.count {
                self.check_member(group, &iter, i);
            }
        }
        assert_eq!(iter.status, OK as i32, "{}", message());
    }

    /// The fields of a member in a batch are where they are.
    pub fn check_member(&self, group: &Group, iter: &dz_iter, i: u32) {
        let entity = crate::each::entity_at(iter, i);
        for (number, id) in group.required().enumerate() {
            let size = self.kind(*id).size;
            if size > 0 {
                assert_eq!(
                    at_if(iter, number, i, size),
                    self.own(entity, *id),
                    "field {number} of {group:x?}"
                );
            }
        }
    }

    /// Where an entity's own component is.
    pub fn own(&self, entity: u64, id: u64) -> *const std::ffi::c_void {
        let mut at = std::ptr::null();
        assert_eq!(call!(dz_get_n(self.world, &entity, 1, id, &mut at)), OK);
        at
    }
}
