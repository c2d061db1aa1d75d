//! Calls for many entities at once, with the world's own arrays too.

use crate::calls::{OK, S};
use crate::host::Host;
use crate::read;
use denizen::ffi::bulk::*;
use denizen::ffi::iterate::*;
use denizen::ffi::query::*;
use denizen::ffi::types::*;
use std::ffi::c_void;

impl Host {
    /// The entities of a pool's span, or of a query's run, where they lie; and who they are.
    pub fn own_array(&mut self, pool: Option<dz_id>) -> Option<(*const u64, Vec<u64>)> {
        if self.case.layout == dz_layout::DZ_LAYOUT_32 {
            return None;
        }
        let plain: Vec<_> = self.queries.iter().filter(|query| !query.is_linked()).cloned().collect();
        let queries: Vec<_> = plain.into_iter().filter(|query| !self.is_lost(query)).collect();
        let mut iter = match self.one_of(&queries) {
            Some(query) if pool.is_none() && self.once_in(2) => {
                read::start(|out| call!(dz_iterate_runs(self.world, query.handle, out)))
            }
            _ => {
                let id = pool.or(self.component().map(|(id, _)| id))?;
                read::pool(self.world, id, dz_direction::DZ_FORWARD)
            }
        };
        self.disturb_loops();
        let mut skipped = usize::from(self.once_in(3));
        while call!(dz_next(&mut iter)) {
            if skipped == 0 {
                let first = self.dice.below(iter.count as usize);
                let count = 1 + self.dice.below(iter.count as usize - first);
                let at = unsafe { iter.entities.cast::<u64>().add(first) };
                return Some((at, unsafe { std::slice::from_raw_parts(at, count) }.to_vec()));
            }
            skipped -= 1;
        }
        None
    }

    /// Whom a call is for, and whether it must be refused.
    fn many(&mut self) -> (Vec<u64>, Option<S>) {
        let mut all = self.several(40);
        if self.once_in(20) {
            all.clear();
        }
        if all.is_empty() || !self.once_in(10) {
            return (all, None);
        }
        let at = self.dice.below(all.len());
        match (self.dice.below(3), self.gone.last().copied(), self.component()) {
            (0, Some(gone), _) => {
                all[at] = gone;
                (all, Some(S::DZ_ERR_DEAD))
            }
            (1, _, Some((id, _))) => {
                all[at] = id;
                (all, Some(S::DZ_ERR_IS_COMPONENT))
            }
            _ => {
                all.push(all[at]);
                (all, Some(S::DZ_ERR_DUPLICATE))
            }
        }
    }

    /// Of those who are read somebody may be named twice.
    fn many_to_read(&mut self) -> (Vec<u64>, Option<S>) {
        let (all, error) = self.many();
        (all, error.filter(|error| *error == S::DZ_ERR_DEAD))
    }

    fn expect_many(&mut self, came: S, all: &[u64], expected: Option<S>, done: S) -> bool {
        let expected = expected.unwrap_or(if all.is_empty() { S::DZ_NOTHING_TO_DO } else { done });
        self.expect(came, expected);
        came == OK
    }

    fn held_by(&self, all: &[u64], id: u64) -> usize {
        all.iter().filter(|entity| self.kin.graph.has.contains(&(**entity, id))).count()
    }

    pub fn add_n(&mut self) {
        let ((all, error), Some((id, kind))) = (self.many(), self.component()) else { return };
        self.record.note(self.step, &format!("of {all:x?}"));
        let Some((came, _)) = act!(self, dz_add_n(all.as_ptr(), all.len() as u32, id)) else { return };
        let done = if self.held_by(&all, id) == all.len() { S::DZ_ALREADY_THERE } else { OK };
        if self.expect_many(came, &all, error, done) {
            for entity in all {
                if !self.kin.graph.has.contains(&(entity, id)) {
                    self.kin.set_value(entity, id, kind.initial());
                }
            }
        }
    }

    pub fn remove_n(&mut self) {
        let Some((mut id, _)) = self.component() else { return };
        let mut own = if self.once_in(2) { self.own_array(None) } else { None };
        let group = self.one_of(&self.groups.clone());
        if let Some((owned, excluded)) =
            group.and_then(|group| group.owned.first().copied().zip(group.excluded.first().copied()))
        {
            // Who loses that joins the group, and so changes places in the array.
            id = excluded;
            own = self.own_array(Some(owned));
        }
        let (all, error) = own.as_ref().map_or_else(|| self.many(), |(_, all)| (all.clone(), None));
        self.record.note(self.step, &format!("of {all:x?}, own {}", own.is_some()));
        let at = own.map_or(all.as_ptr(), |(at, _)| at);
        let Some((came, _)) = act!(self, dz_remove_n(at, all.len() as u32, id)) else { return };
        let done = if self.held_by(&all, id) == 0 { S::DZ_NOT_THERE } else { OK };
        if self.expect_many(came, &all, error, done) {
            for entity in all {
                self.kin.remove(entity, id);
            }
        }
    }

    pub fn set_n(&mut self) {
        let ((all, error), Some((id, kind))) = (self.many(), self.data()) else { return };
        let payloads: Vec<_> = all.iter().map(|_| self.payload(kind)).collect();
        let values: Vec<u8> = payloads.iter().flat_map(|payload| kind.value(payload)).collect();
        self.record.note(self.step, &format!("of {all:x?}"));
        let at: *const c_void = values.as_ptr().cast();
        let done = act!(self, dz_set_n(all.as_ptr(), all.len() as u32, id, kind.size, at));
        let Some((came, _)) = done else { return };
        if self.expect_many(came, &all, error, OK) {
            for (entity, payload) in all.into_iter().zip(payloads) {
                self.kin.set_value(entity, id, payload);
            }
        }
    }

    pub fn get_or_add_n(&mut self) {
        let ((all, error), Some((id, kind))) = (self.many(), self.data()) else { return };
        let mut places = vec![std::ptr::dangling_mut::<c_void>(); all.len()];
        self.record.note(self.step, &format!("of {all:x?}"));
        let done = act!(self, dz_get_or_add_n(all.as_ptr(), all.len() as u32, id, places.as_mut_ptr()));
        let Some((came, _)) = done else {
            return assert!(places.iter().all(|at| at.is_null()), "places after an error");
        };
        if !self.expect_many(came, &all, error, OK) {
            return assert!(places.iter().all(|at| at.is_null()), "places after an error");
        }
        for (entity, at) in all.into_iter().zip(places) {
            if !self.kin.graph.has.contains(&(entity, id)) {
                self.kin.set_value(entity, id, kind.initial());
            }
            assert_eq!(kind.read(at), self.kin.values[&(entity, id)]);
        }
    }

    pub fn get_n(&mut self) {
        let ((all, error), Some((id, kind))) = (self.many_to_read(), self.data()) else { return };
        let (world, n) = (self.world, all.len() as u32);
        let (mut to_read, mut to_write) = (vec![std::ptr::dangling(); all.len()], vec![]);
        to_write.resize(all.len(), std::ptr::dangling_mut());
        let came = call!(dz_get_n(world, all.as_ptr(), n, id, to_read.as_mut_ptr()));
        let came_too = call!(dz_get_mut_n(world, all.as_ptr(), n, id, to_write.as_mut_ptr()));
        let mut has = vec![7; all.len()];
        let came_three = call!(dz_has_n(world, all.as_ptr(), n, id, has.as_mut_ptr()));
        assert_eq!((came, came), (came_too, came_three));
        let done = self.expect_many(came, &all, error, OK);
        for (at, entity) in all.iter().enumerate() {
            let value = self.kin.values.get(&(*entity, id)).filter(|_| done);
            assert_eq!(to_read[at], to_write[at].cast_const());
            assert_eq!((to_read[at].is_null(), has[at] == 0), (value.is_none(), value.is_none()));
            if let Some(value) = value {
                assert_eq!(kind.read(to_read[at]), *value);
            }
        }
    }
}
