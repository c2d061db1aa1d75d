//! All that can be seen of a large world, compared with the naive one.

use crate::calls::{self, OK, S};
use crate::each::entity_at;
use crate::large::{Asked, KINDS, Large, SHAPES, Slot, check_value};
use crate::query_walk::at_if;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, group::*, query::*};
use std::mem::MaybeUninit;

impl Large {
    /// A pool's entities in its order, forward as backward, each with its value.
    pub fn order(&self, kind: usize) -> Vec<dz_entity> {
        let walk = |direction| {
            let (status, mut iter) = calls::iterate(self.world, self.ids[kind], direction);
            assert_eq!(status, OK);
            let mut spans = Vec::new();
            while calls::next(&mut iter) {
                let span: Vec<_> = (0..iter.count).map(|i| entity_at(&iter, i)).collect();
                for (entity, place) in span.iter().zip(0..) {
                    let at = iter.data.wrapping_byte_add(place * iter.stride as usize);
                    let slot = self.slot(*entity);
                    assert_eq!(slot.entity, *entity, "who is in the pool lives");
                    assert!(slot.has(kind));
                    if SHAPES[kind].0 > 0 {
                        check_value(kind, slot.values[kind], at);
                    }
                }
                spans.push(span);
            }
            assert_eq!(iter.status, OK as i32);
            spans
        };
        let forward = walk(dz_direction::DZ_FORWARD);
        let mut backward = walk(dz_direction::DZ_BACKWARD);
        backward.reverse();
        assert!(forward == backward, "both directions have the same spans");
        forward.concat()
    }

    fn check_query(&mut self, asked: &Asked) {
        let is_match = |slot: &Slot| {
            asked.with.iter().all(|kind| slot.has(*kind)) && !asked.without.iter().any(|kind| slot.has(*kind))
        };
        let expected: Vec<_> = match asked.order {
            None => self.living().filter(|slot| is_match(slot)).map(|slot| slot.entity).collect(),
            Some(kind) => {
                self.order(kind).into_iter().filter(|entity| is_match(self.slot(*entity))).collect()
            }
        };
        // Before it is refreshed and after; runs only, and in parts.
        let parts = if asked.order.is_none() { 1 + self.dice.below(3) as u32 } else { 1 };
        for way in 0..3 {
            if way == 1 && asked.kept {
                assert_eq!(dz_query_refresh(self.world, asked.query), OK);
            }
            let mut seen = Vec::new();
            for part in 0..if way == 2 { parts } else { 1 } {
                let mut iter = MaybeUninit::uninit();
                let status = unsafe {
                    match way {
                        0 => dz_iterate(self.world, asked.query, iter.as_mut_ptr()),
                        1 => dz_iterate_runs(self.world, asked.query, iter.as_mut_ptr()),
                        _ => dz_iterate_part(self.world, asked.query, part, parts, iter.as_mut_ptr()),
                    }
                };
                assert_eq!(status, OK, "{}", calls::message());
                let mut iter = unsafe { iter.assume_init() };
                while calls::next(&mut iter) {
                    assert!(iter.gather == 0 || way != 1);
                    self.check_batch(asked, &iter, &mut seen);
                }
                assert_eq!(iter.status, OK as i32);
            }
            assert!(seen == expected, "{} matches for {}", seen.len(), expected.len());
        }
        assert_eq!(dz_query_count(self.world, asked.query) as usize, expected.len());
    }

    fn check_batch(&self, asked: &Asked, iter: &dz_iter, seen: &mut Vec<dz_entity>) {
        let terms = [asked.with, asked.without, asked.perhaps].concat();
        for i in 0..iter.count {
            let entity = entity_at(iter, i);
            for (term, kind) in terms.iter().enumerate() {
                let stamp = self.slot(entity).values[*kind];
                if SHAPES[*kind].0 > 0 {
                    check_value(*kind, stamp, at_if(iter, term, i, SHAPES[*kind].0));
                }
            }
            seen.push(entity);
        }
    }

    /// Compares all that can be seen.
    pub fn check(&mut self) {
        let mut living: Vec<_> = self.living().map(|slot| slot.entity).collect();
        let components = calls::components(self.world);
        let all = calls::entities(self.world, 4096);
        assert!(all.iter().filter(|entity| !components.contains(entity)).eq(&living));
        assert_eq!(*self.told, self.ended, "values that ended");
        for kind in 0..KINDS {
            let id = self.ids[kind];
            let order = self.order(kind);
            let info = calls::info(self.world, id).unwrap();
            assert_eq!((info.count as usize, dz_count(self.world, id) as usize), (order.len(), order.len()));
            assert!(order.len() == self.counts[kind], "all of its own are in it");
            let gaps = if Self::is_stable(kind) { self.most[kind] - self.counts[kind] } else { 0 };
            assert_eq!(info.gaps as usize, gaps);
            self.check_lookup(kind, &order);
            self.check_lookup(kind, &living);
        }
        // Now in no order.
        (1..living.len()).for_each(|at| living.swap(at, self.dice.below(at + 1)));
        (0..KINDS).for_each(|kind| self.check_lookup(kind, &living));
        for entity in living.iter().step_by(11) {
            self.check_one(*entity);
        }
        for entity in &self.dead {
            assert!(!dz_is_alive(self.world, *entity) && dz_get(self.world, *entity, self.ids[0]).is_null());
        }
        for asked in std::mem::take(&mut self.queries) {
            self.check_query(&asked);
            self.queries.push(asked);
        }
        if let Some(group) = self.group {
            let is_member = |slot: &&Slot| slot.has(0) && slot.has(1) && !(self.excludes && slot.has(3));
            assert_eq!(dz_group_count(self.world, group) as usize, self.living().filter(is_member).count());
        }
    }

    /// Values of many at once, and who has one.
    fn check_lookup(&self, kind: usize, entities: &[dz_entity]) {
        let has = calls::has_n(self.world, entities, self.ids[kind]).1;
        assert!(entities.iter().zip(has).all(|(entity, has)| self.slot(*entity).has(kind) == (has == 1)));
        if SHAPES[kind].0 > 0 {
            let (status, at) = calls::get_n(self.world, entities, self.ids[kind]);
            assert!(status as i32 >= 0, "{}", calls::message());
            for (entity, at) in entities.iter().zip(at) {
                check_value(kind, self.slot(*entity).values[kind], at);
            }
            if let (Some(dead), [first, ..]) = (self.dead.last(), entities) {
                let mut some = [*first; 8];
                some[5] = *dead;
                assert_eq!(calls::get_n(self.world, &some, self.ids[kind]).0, S::DZ_ERR_DEAD);
            }
        }
    }

    fn check_one(&self, entity: dz_entity) {
        let slot = self.slot(entity);
        let kinds: Vec<_> = (0..KINDS).filter(|kind| slot.has(*kind)).collect();
        let ids: Vec<_> = kinds.iter().map(|kind| self.ids[*kind]).collect();
        assert_eq!(calls::type_of(self.world, entity).unwrap(), ids);
        for (kind, (size, _)) in SHAPES.into_iter().enumerate() {
            let id = self.ids[kind];
            assert_eq!(dz_has(self.world, entity, id), slot.has(kind));
            if size > 0 {
                let at = dz_get(self.world, entity, id);
                check_value(kind, slot.values[kind], at);
                assert!(at.is_null() || dz_entity_of(self.world, id, at) == entity);
            }
        }
    }
}
