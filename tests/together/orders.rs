//! Sorts: what the order must be, of what it was.

use crate::calls::{OK, S};
use crate::groups::Group;
use crate::host::Host;
use crate::read;
use denizen::ffi::sort::*;
use denizen::ffi::types::*;
use std::cmp::Reverse;
use std::ffi::c_void;
use std::rc::Rc;

/// What elements are compared by; handed to the library as the user's pointer.
#[derive(Clone, Copy, Debug)]
pub struct By {
    /// By the first byte of the value, with many equals; else by the entity, downwards.
    pub value: bool,
    /// Bytes of the element before its value.
    serial: usize,
}

#[derive(Clone, Debug)]
pub enum Order {
    By(By),
    /// That of a component's pool.
    As(u64),
}

const KEEP: i32 = dz_sort_mode::DZ_SORT_KEEP as i32;

/// What is compared of a value.
const fn rank(byte: u8) -> u8 {
    byte >> 5
}

unsafe extern "C" fn compare(
    a: *const c_void,
    b: *const c_void,
    entity_a: dz_entity,
    entity_b: dz_entity,
    user: *mut c_void,
) -> i32 {
    let by = unsafe { *user.cast::<By>() };
    let value = |at: *const c_void| unsafe { rank(at.cast::<u8>().add(by.serial).read()) };
    if by.value && !a.is_null() { value(a).cmp(&value(b)) as i32 } else { entity_b.cmp(&entity_a) as i32 }
}

impl Host {
    fn by(&mut self, id: u64) -> (Order, *mut c_void) {
        let serial = self.kin.graph.components.get(&id).map_or(0, |kind| kind.serial());
        let by = By { value: self.once_in(2), serial };
        let shared = Rc::new(by);
        let user = Rc::as_ptr(&shared).cast_mut().cast();
        self.compared.push(shared);
        (Order::By(by), user)
    }

    fn pool_order(&mut self, id: u64) -> Vec<u64> {
        self.disturb_loops();
        read::rest(&mut read::pool(self.world, id, dz_direction::DZ_FORWARD))
    }

    fn group_order(&mut self, group: &Group) -> Vec<u64> {
        self.disturb_loops();
        read::rest(&mut read::group(self.world, group.handle, dz_direction::DZ_FORWARD))
    }

    /// Puts entities into an order, as far as it is known: not in that of a pool in which somebody is hidden.
    fn put(&mut self, all: &mut [u64], order: &Order, value: u64) -> bool {
        match order {
            Order::By(by)
                if by.value && self.kin.graph.components.get(&value).is_some_and(|k| k.size > 0) =>
            {
                all.sort_by_key(|entity| rank(self.kin.values[&(*entity, value)][0]));
            }
            Order::By(_) => all.sort_by_key(|entity| Reverse(*entity)),
            Order::As(like) => {
                let like = *like;
                let pool = self.pool_order(like);
                let held = |entity: &u64| self.kin.graph.has.contains(&(*entity, like));
                if all.iter().any(|entity| held(entity) && !pool.contains(entity)) {
                    return false;
                }
                let place = |entity: &u64| pool.iter().position(|other| other == entity);
                all.sort_by_key(|entity| place(entity).unwrap_or(usize::MAX));
            }
        }
        true
    }

    fn can_sort(&self, id: u64, keep: bool) -> S {
        if self.kind(id).stable {
            return S::DZ_ERR_POLICY;
        }
        if self.is_owned(id) || !keep && self.kept.contains_key(&id) { S::DZ_ERR_OWNED } else { OK }
    }

    pub fn sort(&mut self) {
        let Some((id, _)) = self.component() else { return };
        let keep = self.once_in(3);
        let (before, expected) = (self.pool_order(id), self.can_sort(id, keep));
        let (mode, like) = (i32::from(keep), self.component().map_or(id, |(like, _)| like));
        let (done, order) = if self.once_in(3) {
            (act!(self, dz_sort_as(id, like, mode)), Order::As(like))
        } else {
            let ((order, user), compare): (_, dz_compare_fn) = (self.by(id), Some(compare));
            (act!(self, dz_sort(id, compare, user, mode)), order)
        };
        let Some((came, _)) = done else { return };
        self.expect(came, expected);
        if came != OK {
            return;
        }
        self.check_sorted(id, before, &order);
        if mode == KEEP {
            self.kept.insert(id, order);
        }
    }

    fn check_sorted(&mut self, id: u64, mut before: Vec<u64>, order: &Order) {
        // What a pool that follows itself is like is how it was.
        let itself = matches!(order, Order::As(like) if *like == id);
        let known = itself || self.put(&mut before, order, id);
        let mut after = self.pool_order(id);
        if !known {
            before.sort_unstable();
            after.sort_unstable();
        }
        assert_eq!(after, before, "the pool of {id:x} in the order {order:x?}");
    }

    pub fn restore(&mut self) {
        let Some((id, _)) = self.component() else { return };
        let kept = self.kept.get(&id).cloned();
        if self.once_in(3) {
            let Some((came, _)) = act!(self, dz_sort_release(id)) else { return };
            self.kept.remove(&id);
            return self.expect(came, if kept.is_some() { OK } else { S::DZ_NOT_THERE });
        }
        let before = self.pool_order(id);
        let Some((came, _)) = act!(self, dz_sort_refresh(id)) else { return };
        let Some(order) = kept else { return self.expect(came, S::DZ_NOTHING_TO_DO) };
        self.expect(came, self.is_followed(&order));
        if came == OK {
            self.check_sorted(id, before, &order);
        }
    }

    /// An order is lost if the component is gone whose pool it follows.
    fn is_followed(&self, order: &Order) -> S {
        match order {
            Order::As(like) if !self.kin.graph.components.contains_key(like) => S::DZ_ERR_DEAD,
            _ => OK,
        }
    }

    /// Whether an order that is kept can't be restored.
    pub fn has_lost_orders(&self) -> bool {
        self.kept.values().any(|order| self.is_followed(order) != OK)
    }

    pub fn sort_group(&mut self) {
        let Some(group) = self.one_of(&self.groups.clone()) else { return };
        let required: Vec<_> = group.required().copied().chain([0]).collect();
        let mut by = self.one_of(&required).unwrap();
        if self.once_in(12) {
            by = self.component().map_or(by, |(id, _)| id);
        }
        let keep = self.once_in(3);
        let (before, mode) = (self.group_order(&group), i32::from(keep));
        let mut expected = if !keep && group.kept.is_some() { S::DZ_ERR_OWNED } else { OK };
        let (done, order) = match self.component() {
            Some((like, _)) if self.once_in(3) => {
                by = 0;
                (act!(self, dz_group_sort_as(group.handle, like, mode)), Order::As(like))
            }
            _ => {
                if !required.contains(&by) {
                    expected = S::DZ_ERR_NOT_TERM;
                }
                let ((order, user), compare): (_, dz_compare_fn) = (self.by(by), Some(compare));
                (act!(self, dz_group_sort(group.handle, by, compare, user, mode)), order)
            }
        };
        let Some((came, _)) = done else { return };
        if expected == S::DZ_ERR_NOT_TERM && came == S::DZ_ERR_OWNED {
            return;
        }
        self.expect(came, expected);
        if came != OK {
            return;
        }
        self.check_group_sorted(&group, before, &order, by);
        if keep {
            let known = self.groups.iter_mut().find(|other| other.handle == group.handle);
            known.unwrap().kept = Some((order, by));
        }
    }

    /// Each part of a group is sorted by itself: groups inside stay in front, and in an order of their own.
    fn check_group_sorted(&mut self, group: &Group, mut before: Vec<u64>, order: &Order, by: u64) {
        let mut inner = if group.owned.is_empty() { vec![group.clone()] } else { self.family(group) };
        inner.retain(|other| other.is_inside(group) && other.rank() >= group.rank());
        inner.sort_by_key(|other| Reverse(other.rank()));
        let (mut first, mut known) = (0, true);
        for part in inner {
            let end = self.members(&part).len();
            if part.handle == group.handle || part.kept.is_none() {
                known &= self.put(&mut before[first..end], order, by);
            }
            first = end;
        }
        // A pool that the group owns is put into another order by this.
        known &= !matches!(order, Order::As(like) if group.owned.contains(like) || self.is_owned(*like));
        let mut after = self.group_order(group);
        if !known {
            before.sort_unstable();
            after.sort_unstable();
        }
        assert_eq!(after, before, "{group:x?} in the order {order:x?} of {by:x}");
    }

    pub fn restore_group(&mut self) {
        let Some(group) = self.one_of(&self.groups.clone()) else { return };
        if self.once_in(3) {
            let Some((came, _)) = act!(self, dz_group_sort_release(group.handle)) else { return };
            let known = self.groups.iter_mut().find(|other| other.handle == group.handle);
            let kept = known.unwrap().kept.take();
            return self.expect(came, if kept.is_some() { OK } else { S::DZ_NOT_THERE });
        }
        let before = self.group_order(&group);
        let Some((came, _)) = act!(self, dz_group_sort_refresh(group.handle)) else { return };
        let Some((order, by)) = group.kept.clone() else { return self.expect(came, S::DZ_NOTHING_TO_DO) };
        self.expect(came, self.is_followed(&order));
        if came == OK {
            self.check_group_sorted(&group, before, &order, by);
        }
    }
}
