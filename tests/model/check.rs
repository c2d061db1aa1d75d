//! Compares everything that can be read of a world with its model.

use crate::calls::{self, OK, S};
use crate::each::entity_at;
use crate::kinds::{KINDS, Needs};
use crate::naive::Component;
use crate::run::Host;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, world::*};
use std::collections::BTreeSet;
use std::ffi::CStr;

impl Host {
    pub fn check(&mut self) {
        self.check_registry();
        self.check_types();
        self.loosen_groups();
        let components: Vec<_> = self.naive.components.iter().map(|(id, c)| (*id, c.clone())).collect();
        for (id, component) in &components {
            self.check_component(*id, component);
            self.check_values(*id, component);
            self.check_order(*id, component);
        }
        self.check_groups();
        self.check_hooks();
        let naive = &self.naive;
        self.addresses.retain(|(id, entity), _| {
            naive.components.get(id).is_some_and(|c| c.values.contains_key(entity))
        });
    }

    fn check_registry(&self) {
        let (world, slots) = (self.world, &self.naive.slots);
        let alive = slots.alive();
        let chunk = 1 + (alive.len() as u32 * 7) % 61;
        assert_eq!(calls::entities(world, chunk), alive);
        // Of what is kept for components and was never used, only the edges.
        let kept = slots.next_component + 2..slots.rules.reserved.saturating_sub(2);
        for index in (0..slots.len() + 2).filter(|index| !kept.contains(index)) {
            dz_error_clear();
            let now = slots.generation(index);
            assert_eq!(dz_generation(world, index), now.unwrap_or(0));
            assert_eq!(calls::last(), now.err().unwrap_or(OK));
            // Each slot's handles of now, before and after.
            let now = now.unwrap_or(slots.rules.ends().1 - 1);
            for generation in [now.saturating_sub(1), now, now + 1] {
                let handle = slots.rules.handle(index, generation);
                let why = slots.check(handle);
                assert_eq!(dz_why(world, handle), why.err().unwrap_or(OK), "{handle:#x}");
                assert_eq!(dz_is_alive(world, handle), why.is_ok());
            }
        }
        let numbers = calls::stats(world);
        assert_eq!(numbers.alive as usize, alive.len());
        assert_eq!((numbers.dead, numbers.retired), (slots.dead(), slots.retired()));
        assert_eq!(numbers.components as usize, self.naive.components.len());
        let lists = self.naive.components.values().flat_map(|c| &c.listeners).chain(&self.naive.listeners);
        assert_eq!(numbers.listeners as usize, lists.map(Vec::len).sum::<usize>());
        assert_eq!((numbers.bytes, numbers.allocations), (self.arena.bytes(), self.arena.allocations()));
        assert!(numbers.peak_bytes >= numbers.bytes);
        let fits = numbers.capacity as usize + self.setup.reserved as usize;
        assert!(fits >= slots.len() as usize);
        for wrong in [&self.arena.wrong, &self.diary.wrong] {
            assert!(wrong.borrow().is_empty(), "{:?}", wrong.borrow());
        }
    }

    fn check_types(&self) {
        for entity in self.naive.slots.alive() {
            let ids = calls::type_of(self.world, entity).unwrap();
            let set: BTreeSet<_> = ids.iter().copied().collect();
            assert_eq!(set.len(), ids.len(), "twice in a type");
            assert!(set.into_iter().eq(self.naive.type_of(entity)));
        }
        let mut by_number: Vec<_> = self.naive.components.iter().map(|(id, c)| (c.number, *id)).collect();
        by_number.sort_unstable();
        assert!(calls::components(self.world).into_iter().eq(by_number.iter().map(|(_, id)| *id)));
        assert_eq!(dz_component_id(self.world), self.naive.builtin);
        for kind in &KINDS {
            let known = self.naive.components.iter().find(|(_, c)| c.kind.name == kind.name);
            let found = unsafe { dz_component_find(self.world, kind.name.as_ptr()) };
            assert_eq!(found, known.map_or(0, |(id, _)| *id));
        }
    }

    fn check_component(&self, id: dz_id, component: &Component) {
        let info = calls::info(self.world, id).unwrap();
        let kind = &component.kind;
        assert_eq!(info.id, id);
        assert_eq!(unsafe { CStr::from_ptr(info.name) }, kind.name);
        assert_eq!((info.element_size, info.element_alignment), (kind.size, kind.align));
        assert_eq!((info.policy, info.builtin), (kind.stable.into(), (id == self.naive.builtin).into()));
        assert_eq!(info.count as usize, component.values.len());
        assert_eq!(info.gaps as usize, component.gaps);
        assert_eq!(dz_count(self.world, id), info.count);
        let singleton = dz_singleton_get(self.world, id);
        match &component.singleton {
            Some(payload) => assert_eq!(kind.read(singleton), *payload),
            None => assert!(singleton.is_null()),
        }
    }

    fn check_values(&mut self, id: dz_id, component: &Component) {
        let (world, kind) = (self.world, &component.kind);
        let alive = self.naive.slots.alive();
        let (status, has) = calls::has_n(world, &alive, id);
        assert!((status as i32) >= 0);
        let (_, at) = calls::get_n(world, &alive, id);
        for (entity, (has, at)) in alive.iter().zip(has.into_iter().zip(at)) {
            let Some(payload) = component.values.get(entity) else {
                assert!(has == 0 && at.is_null());
                continue;
            };
            assert_eq!(has, 1);
            if kind.size == 0 {
                assert!(at.is_null());
                continue;
            }
            assert_eq!(at as usize % kind.align as usize, 0);
            assert_eq!(kind.read(at), *payload, "{entity:#x} of {:?}", kind.name);
            assert_eq!(dz_entity_of(world, id, at), *entity);
            if kind.stable {
                let first = *self.addresses.entry((id, *entity)).or_insert(at as usize);
                assert_eq!(first, at as usize, "a stable element has moved");
            }
        }
        // One of them by the single calls too.
        if let Some(entity) = alive.get(component.packed.len() % alive.len().max(1)) {
            dz_error_clear();
            let there = component.values.contains_key(entity);
            assert_eq!(dz_has(world, *entity, id), there);
            let at = dz_get(world, *entity, id);
            assert_eq!(!at.is_null(), there && kind.size > 0);
            if kind.size > 1 && there {
                assert_eq!(dz_entity_of(world, id, at.wrapping_byte_add(1)), 0);
                assert_eq!(calls::last(), S::DZ_ERR_NOT_ELEMENT);
            }
        }
    }

    /// Both directions see the pool in its order, in spans that lie contiguous.
    fn check_order(&mut self, id: dz_id, component: &Component) {
        let mut entities = component.packed.clone();
        for direction in [dz_direction::DZ_FORWARD, dz_direction::DZ_BACKWARD] {
            let (status, mut iter) = calls::iterate(self.world, id, direction);
            assert_eq!(status, OK);
            let mut seen = Vec::new();
            while calls::next(&mut iter) {
                let span: Vec<_> = (0..iter.count).map(|i| entity_at(&iter, i)).collect();
                assert_eq!(iter.data.is_null(), component.kind.size == 0);
                if component.kind.size > 0 {
                    let last = iter.data.wrapping_byte_add((iter.count - 1) as usize * iter.stride as usize);
                    assert_eq!(iter.data.cast_const(), dz_get(self.world, span[0], id));
                    assert_eq!(last.cast_const(), dz_get(self.world, span[span.len() - 1], id));
                }
                match direction {
                    dz_direction::DZ_FORWARD => seen.extend(span),
                    dz_direction::DZ_BACKWARD => seen.extend(span.into_iter().rev()),
                }
            }
            assert_eq!(iter.status, OK as i32);
            if direction == dz_direction::DZ_BACKWARD {
                seen.reverse();
            }
            if component.loose && direction == dz_direction::DZ_FORWARD {
                let sorted = |all: &[u64]| BTreeSet::from_iter(all.iter().copied());
                assert_eq!(sorted(&seen), sorted(&entities));
                entities.clone_from(&seen);
                let known = self.naive.components.get_mut(&id).unwrap();
                (known.packed, known.loose) = (seen.clone(), false);
            }
            assert_eq!(seen, entities);
        }
    }

    /// As many elements live as there are, and the hooks have seen nothing wrong.
    pub fn check_hooks(&self) {
        for (kind, ledger) in KINDS.iter().zip(&self.ledgers) {
            assert!(ledger.wrong.borrow().is_empty(), "{:?}: {:?}", kind.name, ledger.wrong.borrow());
            let component = self.naive.components.values().find(|c| c.kind.name == kind.name);
            let alive_world = dz_world_is_alive(self.world);
            let elements = component
                .filter(|_| alive_world)
                .map_or(0, |c| c.values.len() + usize::from(c.singleton.is_some()));
            match kind.needs {
                Needs::All if kind.size > 0 => {
                    assert_eq!(ledger.living.borrow().len(), elements, "{:?}", kind.name)
                }
                Needs::Destruct => {
                    let ended = self.naive.ended.get(kind.name).copied().unwrap_or_default();
                    assert_eq!(ledger.ended.get(), ended, "{:?}", kind.name);
                }
                _ => {}
            }
        }
    }
}
