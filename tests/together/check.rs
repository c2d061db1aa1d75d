//! Compares everything that can be read of a world with its model.

use crate::calls::{self, OK, S};
use crate::family::child_of;
use crate::graph::is_pair;
use crate::host::Host;
use crate::kinds::{KINDS, Kind, Needs};
use crate::read::{self, listed, pieces, quietly};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, describe::*, enable::*, entity::*, instance::*};
use denizen::ffi::{name::*, pair::*, tree::*, world::*};
use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::ptr::null;

/// All who live, asked for in pieces, in the order of indices.
pub fn everybody(world: dz_world) -> Vec<u64> {
    let (mut all, mut first) = (Vec::new(), 0);
    while first != u32::MAX {
        let (mut piece, mut count) = ([0; 13], 0);
        assert_eq!(call!(dz_entities(world, first, piece.as_mut_ptr(), 13, &mut count, &mut first)), OK);
        all.extend_from_slice(&piece[..count as usize]);
    }
    all
}

/// What a call writes to a buffer.
fn text(call: impl Fn(*mut std::ffi::c_char, u32) -> u32) -> String {
    let mut buffer = vec![0x55_u8; 1 + call(std::ptr::null_mut(), 0) as usize];
    let length = call(buffer.as_mut_ptr().cast(), buffer.len() as u32) as usize;
    assert_eq!((length + 1, buffer.pop()), (buffer.len() + 1, Some(0)));
    String::from_utf8(buffer).unwrap()
}

impl Host {
    pub fn check(&mut self) {
        self.disturb_loops();
        self.record.note(self.step, "(everything is compared)");
        self.check_world();
        for entity in self.living() {
            self.check_type(entity);
            self.check_components(entity);
            self.check_place(entity);
            self.check_links(entity);
        }
        self.check_path();
        self.check_holders();
        for (id, kind) in self.components() {
            self.check_pool(id, kind);
        }
        self.check_groups();
        self.check_queries();
        self.check_hooks();
    }

    fn check_world(&self) {
        let (world, numbers) = (self.world, calls::stats(self.world));
        let mut living = everybody(world);
        let ascend = |pair: &[u64]| call!(dz_entity_index(pair[0])) < call!(dz_entity_index(pair[1]));
        assert!(living.windows(2).all(ascend), "the order of indices");
        let number = match self.case.layout {
            dz_layout::DZ_LAYOUT_64 => call!(dz_world_number(world)),
            dz_layout::DZ_LAYOUT_32 => 0,
        };
        assert!(living.iter().all(|entity| call!(dz_entity_world(*entity)) == number));
        living.sort_unstable();
        assert_eq!(living, self.living());
        assert_eq!(call!(dz_world_stats(world, &mut dz_world_numbers::default())), OK);
        assert_eq!(numbers.alive as usize, living.len());
        assert_eq!(numbers.components as usize, self.kin.graph.components.len());
        assert_eq!(numbers.byte_budget, self.budget);
        assert_eq!((numbers.bytes, numbers.allocations), (self.arena.bytes(), self.arena.allocations()));
        assert!(numbers.peak_bytes >= numbers.bytes && (self.budget == 0 || numbers.bytes <= self.budget));
        assert_eq!(call!(dz_world_user(world)) as usize, self.user);
        assert!(call!(dz_world_is_alive(world)));
        let worlds: Vec<dz_world> = listed_worlds();
        assert!(worlds.contains(&world));
        let builtin = call!(dz_component_id(world));
        let mut known: Vec<u64> = listed(|out, room, count| call!(dz_components(world, out, room, count)));
        known.sort_unstable();
        assert!(known.iter().eq(self.kin.graph.components.keys()));
        for (number, kind) in KINDS.iter().enumerate() {
            assert_eq!(call!(dz_component_find(world, kind.name.as_ptr())), self.ids[number]);
        }
        assert!(builtin == 0 || call!(dz_is_alive(world, builtin)));
        for gone in self.gone.iter().rev().take(5) {
            assert_eq!(call!(dz_why(world, *gone)), S::DZ_ERR_DEAD, "{gone:x}");
        }
    }

    /// The type: components by their indices, the parent, then what else was added, the latest first.
    fn check_type(&self, entity: u64) {
        let (world, graph) = (self.world, &self.kin.graph);
        let has = graph.has.range((entity, 0)..=(entity, u64::MAX)).map(|(_, id)| *id);
        let builtin = graph.components.contains_key(&entity).then(|| call!(dz_component_id(world)));
        let mut expected: Vec<u64> = has.chain(builtin).collect();
        expected.sort_by_key(|id| call!(dz_entity_index(*id)));
        expected.extend(Some(self.kin.parent(entity)).filter(|parent| *parent != 0).map(child_of));
        expected.extend(graph.links[&entity].iter().rev().map(|link| {
            let pair = || call!(dz_pair(world, link.by, link.target));
            if is_pair(link.by) { pair() } else { link.by | link.target }
        }));
        let ids: Vec<u64> = listed(|out, room, count| call!(dz_type(world, entity, out, room, count)));
        assert_eq!(ids, expected, "the type of {entity:x}: {ids:x?}, not {expected:x?}");
    }

    fn check_components(&mut self, entity: u64) {
        let world = self.world;
        assert_eq!(quietly(|| call!(dz_base(world, entity))), self.kin.base(entity));
        assert_eq!(quietly(|| call!(dz_is_base(world, entity))), self.kin.bases.contains(&entity));
        assert_eq!(quietly(|| call!(dz_is_enabled(world, entity))), !self.kin.disabled.contains(&entity));
        for (id, kind) in self.components() {
            let source = self.kin.source(entity, id);
            assert_eq!(quietly(|| call!(dz_source(world, entity, id))), source.unwrap_or(0));
            assert_eq!(quietly(|| call!(dz_has(world, entity, id))), source.is_some());
            let seen = quietly(|| call!(dz_is_component_enabled(world, entity, id)));
            assert_eq!(seen, self.shows(entity, id), "{entity:x}");
            if kind.size == 0 {
                continue;
            }
            let at = quietly(|| call!(dz_get(world, entity, id)));
            assert_eq!(at.is_null(), source.is_none());
            let Some(source) = source else { continue };
            assert_eq!(kind.read(at), self.kin.values[&(source, id)], "{entity:x} of {:?}", kind.name);
            assert_eq!(at as usize % kind.align as usize, 0);
            assert_eq!(call!(dz_entity_of(world, id, at)), source);
            if kind.stable {
                let first = *self.addresses.entry((id, source)).or_insert(at as usize);
                assert_eq!(first, at as usize, "a stable element has moved");
            }
        }
    }

    /// Elements that were removed have no address: called whenever somebody may have lost some.
    pub fn forget_addresses(&mut self) {
        let has = &self.kin.graph.has;
        self.addresses.retain(|(id, entity), _| has.contains(&(*entity, *id)));
    }

    fn check_place(&self, entity: u64) {
        let (world, kin) = (self.world, &self.kin);
        let (parent, children, above) = (kin.parent(entity), kin.children(entity), kin.above(entity));
        assert_eq!(quietly(|| call!(dz_parent(world, entity))), parent);
        assert_eq!(quietly(|| call!(dz_child_count(world, entity))) as usize, children.len());
        assert_eq!(quietly(|| call!(dz_first_child(world, entity))), children.first().copied().unwrap_or(0));
        assert_eq!(quietly(|| call!(dz_last_child(world, entity))), children.last().copied().unwrap_or(0));
        let siblings = kin.children(parent);
        let at = siblings.iter().position(|other| *other == entity);
        let beside = |step: usize| at.and_then(|at| siblings.get((at + step).wrapping_sub(1)));
        let previous = quietly(|| call!(dz_previous_sibling(world, entity)));
        assert_eq!(previous, beside(0).copied().unwrap_or(0));
        assert_eq!(quietly(|| call!(dz_next_sibling(world, entity))), beside(2).copied().unwrap_or(0));
        let by = |after, out, room| quietly(|| call!(dz_children(world, entity, after, out, room)));
        assert_eq!(pieces(5, by), children, "children of {entity:x}");
        assert_eq!(quietly(|| call!(dz_depth(world, entity))) as usize, above.len());
        let mut out = vec![0; above.len()];
        let count = call!(dz_ancestors(world, entity, out.as_mut_ptr(), above.len() as u32));
        assert_eq!((count as usize, out), (above.len(), above));
        for order in [dz_tree_order::DZ_PARENTS_FIRST as i32, dz_tree_order::DZ_CHILDREN_FIRST as i32] {
            if children.is_empty() {
                break;
            }
            let by = |after, out, room| quietly(|| call!(dz_subtree(world, entity, order, after, out, room)));
            assert_eq!(pieces(7, by), kin.subtree(entity, order == 0), "below {entity:x}");
        }
        let name = quietly(|| call!(dz_name(world, entity)));
        let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_str().unwrap());
        match kin.graph.components.get(&entity) {
            Some(kind) => assert_eq!(name, kind.name.to_str().ok()),
            None => assert_eq!(name, kin.names.get(&entity).map(String::as_str)),
        }
    }

    /// The path of somebody, and the way back.
    fn check_path(&mut self) {
        let (world, who) = (self.world, self.someone());
        if who == 0 {
            return;
        }
        let print = |who| text(|out, room| call!(dz_entity_text(who, out, room)));
        let way: Vec<u64> = self.kin.above(who).into_iter().rev().chain([who]).collect();
        let part = |at: &u64| self.kin.names.get(at).cloned().unwrap_or_else(|| print(*at));
        let expected = way.iter().map(part).collect::<Vec<_>>().join("/");
        let path = text(|out, room| call!(dz_path(world, who, 0, c"/".as_ptr(), out, room)));
        assert_eq!(path, expected);
        let described = text(|out, room| call!(dz_describe(world, who, out, room)));
        assert!(described.starts_with(&format!("{} alive", print(who))), "{described}");
        let (names, path) = (path.split('/').collect::<Vec<_>>(), CString::new(path.clone()).unwrap());
        let found = quietly(|| call!(dz_lookup(world, 0, path.as_ptr(), c"/".as_ptr())));
        assert_eq!(found, self.kin.lookup(0, &names), "{path:?}");
        let found = quietly(|| call!(dz_lookup(world, way[0], c"a.b".as_ptr(), null())));
        assert_eq!(found, self.kin.lookup(way[0], &["a", "b"]));
    }

    /// A pool has those who have the component and aren't hidden, in one order, in both directions.
    fn check_pool(&self, id: dz_id, kind: &Kind) {
        let (world, visible) = (self.world, self.visible(id));
        let held = self.kin.graph.has.iter().filter(|(_, other)| *other == id).count();
        assert_eq!(call!(dz_count(world, id)) as usize, held);
        let info = calls::info(world, id).unwrap();
        assert_eq!(call!(dz_component_info(world, id, &mut info.clone())), OK);
        assert_eq!((info.id, info.count as usize, info.element_size), (id, held, kind.size));
        assert_eq!(unsafe { CStr::from_ptr(info.name) }, kind.name);
        assert!(kind.stable || info.gaps == 0, "a gap in a pool without gaps");
        if kind.size > 0 {
            let at = quietly(|| call!(dz_singleton_get(world, id)));
            let value = (!at.is_null()).then(|| kind.read(at));
            assert_eq!(value.as_ref(), self.singletons.get(&id), "the world's {:?}", kind.name);
        }
        let forward = read::rest(&mut read::pool(world, id, dz_direction::DZ_FORWARD));
        if self.has.backward {
            let mut backward = read::rest(&mut read::pool(world, id, dz_direction::DZ_BACKWARD));
            backward.reverse();
            assert_eq!(forward, backward, "both directions of {:?}", kind.name);
        }
        assert_eq!(forward.len(), visible.len(), "the pool of {:?}", kind.name);
        assert_eq!(BTreeSet::from_iter(forward), visible);
    }

    /// As many elements live as there are, and neither hooks nor the allocator have seen anything wrong.
    fn check_hooks(&self) {
        let graph = &self.kin.graph;
        for (number, kind) in KINDS.iter().enumerate() {
            let ledger = &self.ledgers[number];
            assert_eq!(*ledger.wrong.borrow(), Vec::<String>::new(), "{:?}", kind.name);
            if kind.needs != Needs::All || kind.size == 0 {
                continue;
            }
            let is_it = |known: Option<&Kind>| known.is_some_and(|known| known.name == kind.name);
            let links = graph.links.values().flatten();
            let values = links.filter(|link| is_it(graph.kind(link.by, link.target))).count();
            let own = graph.has.iter().filter(|(_, id)| *id == self.ids[number]).count();
            let of_world = usize::from(self.singletons.contains_key(&self.ids[number]));
            assert_eq!(ledger.living.borrow().len(), values + own + of_world, "{:?}", kind.name);
        }
        assert_eq!(*self.arena.wrong.borrow(), Vec::<String>::new());
    }
}

/// Other threads have worlds too, which come and go.
fn listed_worlds() -> Vec<dz_world> {
    let (mut all, mut count) = (vec![dz_world { bits: 0 }; 64], 0);
    assert_eq!(call!(dz_worlds(all.as_mut_ptr(), 64, &mut count)), OK);
    all.truncate(count as usize);
    all
}
