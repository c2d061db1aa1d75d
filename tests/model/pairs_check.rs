//! Everything that can be read of pairs and relations, compared with the naive graph.

use crate::calls::{self, OK, S};
use crate::graph::{Link, Traits, is_pair};
use crate::kinds::{KINDS, Kind, Needs};
use crate::pairs::Host;
use denizen::ffi::pair_types::*;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, pair::*, relation::*, world::*};
use std::collections::{BTreeMap, BTreeSet};

pub fn desc_of(traits: &Traits) -> dz_relation_desc {
    dz_relation_desc {
        size: size_of::<dz_relation_desc>() as u32,
        exclusive: traits.exclusive.into(),
        symmetric: traits.symmetric.into(),
        acyclic: traits.acyclic.into(),
        transitive: traits.transitive.into(),
        reflexive: traits.reflexive.into(),
        on_target: traits.on_target,
        on_relation: traits.on_relation,
        with: traits.with,
    }
}

fn traits_of(desc: &dz_relation_desc) -> Traits {
    Traits {
        exclusive: desc.exclusive == 1,
        symmetric: desc.symmetric == 1,
        acyclic: desc.acyclic == 1,
        transitive: desc.transitive == 1,
        reflexive: desc.reflexive == 1,
        on_target: desc.on_target,
        on_relation: desc.on_relation,
        with: desc.with,
    }
}

/// What a list call lists, asked for in two ways.
pub fn listed(call: impl Fn(*mut u64, u32, *mut u32) -> S) -> Result<Vec<u64>, S> {
    let (mut out, mut whole, mut count) = (vec![0; 64], 0, 0);
    let status = call(std::ptr::null_mut(), 0, &mut whole);
    assert_eq!(call(out.as_mut_ptr(), 64, &mut count), status);
    if status != OK {
        return Err(status);
    }
    assert_eq!(whole, count);
    out.truncate(count as usize);
    Ok(out)
}

pub fn sorted(mut all: Vec<u64>) -> Vec<u64> {
    all.sort_unstable();
    all
}

/// What a "no" is: an answer, or an error.
fn no(status: S) -> Result<bool, S> {
    if status == OK { Ok(false) } else { Err(status) }
}

impl Host {
    fn check_link(&mut self, holder: u64, link: &Link) -> dz_id {
        let (by, target, world) = (link.by, link.target, self.world);
        let id = if is_pair(by) { self.pair_id(by, target) } else { by | target };
        let at = dz_get(world, holder, id);
        match (&link.value, self.graph.kind(by, target)) {
            (Some(value), Some(kind)) => {
                assert!(!at.is_null(), "{}", calls::message());
                assert_eq!(&kind.read(at), value);
                assert_eq!(at as usize % kind.align as usize, 0);
                assert_eq!(dz_get_mut(world, holder, id).cast_const(), at);
                assert_eq!(dz_get_pair(world, holder, by, target), at);
                assert_eq!(dz_get_pair_mut(world, holder, by, target).cast_const(), at);
                let place = *self.places.entry((holder, by, target)).or_insert(at);
                assert_eq!(place, at, "a value has moved");
            }
            _ => assert_eq!((at, calls::last()), (std::ptr::null(), S::DZ_ERR_TAG)),
        }
        id
    }

    /// Compares everything that can be read.
    pub fn check(&mut self) {
        let (world, living) = (self.world, self.living());
        assert_eq!(sorted(calls::entities(world, 5)), living);
        let all: Vec<(u64, Link)> =
            self.graph.links.iter().flat_map(|(h, links)| links.iter().map(|l| (*h, l.clone()))).collect();
        let held: BTreeSet<_> = all.iter().map(|(holder, link)| (*holder, link.by, link.target)).collect();
        self.places.retain(|key, _| held.contains(key));
        let builtin = dz_component_id(world);
        let mut types: BTreeMap<u64, Vec<dz_id>> = living.iter().map(|entity| (*entity, vec![])).collect();
        for (holder, link) in &all {
            let id = self.check_link(*holder, link);
            types.get_mut(holder).unwrap().push(id);
        }
        let has = self.graph.has.iter().copied().chain(self.graph.components.keys().map(|id| (*id, builtin)));
        has.for_each(|(entity, id)| types.get_mut(&entity).unwrap().push(id));
        for (entity, ids) in types {
            assert_eq!(calls::type_of(world, entity).map(sorted), Ok(sorted(ids)), "the type of {entity:#x}");
        }
        self.check_relations(&living);
        self.check_ids();
        for who in self.gone.iter().rev().take(3) {
            assert_eq!(dz_why(world, *who), S::DZ_ERR_DEAD);
            assert!(!dz_has_pair(world, *who, *who, *who) && calls::last() == S::DZ_ERR_DEAD);
        }
        self.check_elements();
    }

    fn check_relations(&self, living: &[u64]) {
        let (world, graph) = (self.world, &self.graph);
        for by in living {
            let mut desc = desc_of(&Traits::default());
            assert_eq!(unsafe { dz_relation_info(world, *by, &mut desc) }, OK);
            assert_eq!(traits_of(&desc), graph.traits(*by), "the traits of {by:#x}");
            if !graph.traits.contains_key(by) && !graph.made.iter().any(|(relation, _)| relation == by) {
                continue;
            }
            for entity in living {
                let targets = listed(|out, room, count| unsafe {
                    dz_pair_targets(world, *entity, *by, out, room, count)
                });
                assert_eq!(targets.map(sorted), Ok(sorted(graph.targets(*entity, *by))));
                for target in living {
                    let has = dz_has_pair(world, *entity, *by, *target);
                    let expected = graph.has(*entity, *by, *target);
                    assert_eq!(
                        has,
                        expected,
                        "{entity:#x} has ({by:#x}, {target:#x}), {:?}",
                        graph.traits(*by)
                    );
                    let nobody = !has && graph.kind(*by, *target).is_some();
                    assert!(!nobody || dz_get_pair(world, *entity, *by, *target).is_null());
                }
            }
        }
    }

    /// Ids that were ever made, and of each entity as a tag and with a role.
    fn check_ids(&self) {
        let (world, graph) = (self.world, &self.graph);
        let plain = graph.links.keys().filter(|entity| !graph.components.contains_key(entity));
        let roles = graph.links.keys().map(|entity| 200 << 56 | entity);
        for id in self.ids.iter().copied().chain(plain.copied()).chain(roles) {
            let holders = listed(|out, room, count| unsafe { dz_pair_holders(world, id, out, room, count) })
                .map(sorted);
            let parts = self.parts(id);
            assert_eq!(holders, parts.map(|(by, target)| graph.holders(by, target)), "who has {id:#x}");
            let mut halves = dz_pair_parts { relation: 0, target: 0 };
            let status = unsafe { dz_pair_halves(world, id, &mut halves) };
            match parts {
                Ok((by, target)) if is_pair(by) => {
                    assert_eq!((status, halves.relation, halves.target), (OK, by, target));
                }
                _ => assert_eq!(status, S::DZ_ERR_NO_PAIR),
            }
            for entity in graph.links.keys() {
                dz_error_clear();
                let has = dz_has(world, *entity, id);
                let expected = parts.map(|(by, target)| graph.has(*entity, by, target));
                assert_eq!(
                    if has { Ok(true) } else { no(calls::last()) },
                    expected,
                    "{entity:#x} has {id:#x}"
                );
            }
        }
    }

    /// Elements that hooks made and didn't end are those that are had.
    fn check_elements(&self) {
        for (number, kind) in KINDS.iter().enumerate().filter(|(_, kind)| kind.needs == Needs::All) {
            let ledger = &self.ledgers[number];
            assert_eq!(*ledger.wrong.borrow(), Vec::<String>::new());
            let is_it = |known: &'static Kind| known.name == kind.name;
            let values = self.graph.links.values().flatten();
            let values = values.filter(|l| self.graph.kind(l.by, l.target).is_some_and(is_it)).count();
            let elements = self.graph.has.iter().filter(|(_, id)| is_it(self.graph.components[id])).count();
            assert_eq!(ledger.living.borrow().len(), values + elements, "{:?}", kind.name);
        }
        assert_eq!(*self.arena.wrong.borrow(), Vec::<String>::new());
        assert_eq!(calls::stats(self.world).bytes, self.arena.bytes());
    }
}
