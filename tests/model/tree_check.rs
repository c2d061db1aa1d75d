//! Everything that can be read of a hierarchy, of names, bases and disabled entities, compared with the naive one.

use crate::calls::{self, OK, S};
use crate::each::entity_at;
use crate::graph::is_pair;
use crate::kinds::{KINDS, Needs};
use crate::pairs_check::{listed, sorted};
use crate::tree_run::{Host, NAMES, SOME, child_of};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, enable::*, entity::*, group::*, instance::*};
use denizen::ffi::{name::*, pair::*, query::*, tree::*, world::*};
use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;
use std::ptr::null;

/// A list that is written piece by piece.
fn pieces(size: usize, call: impl Fn(u64, *mut u64, u32) -> u32) -> Vec<u64> {
    let (mut all, mut piece) = (vec![], vec![0; size]);
    loop {
        let count = call(all.last().copied().unwrap_or(0), piece.as_mut_ptr(), size as u32) as usize;
        all.extend(&piece[..count]);
        if count == 0 {
            return all;
        }
    }
}

/// A value or NULL, which must be an answer and no error.
fn quietly<T>(call: impl FnOnce() -> T) -> T {
    dz_error_clear();
    let value = call();
    assert_eq!(calls::last(), OK, "{}", calls::message());
    value
}

pub fn text_of(entity: u64) -> String {
    let mut text = [0; 64];
    let length = unsafe { dz_entity_text(entity, text.as_mut_ptr().cast(), 64) } as usize;
    String::from_utf8(text[..length].to_vec()).unwrap()
}

impl Host {
    /// Compares everything that can be read; lists are read in pieces of a size.
    pub fn check(&self, size: usize) {
        let (world, living) = (self.world, self.living());
        assert_eq!(sorted(calls::entities(world, 5)), living);
        for entity in &living {
            self.check_place(*entity, size);
            self.check_name(*entity);
            self.check_type(*entity);
            self.check_instance(*entity);
        }
        self.check_lookup();
        self.check_pairs();
        self.check_queries();
        for who in self.gone.iter().rev().take(3) {
            assert_eq!(dz_why(world, *who), S::DZ_ERR_DEAD);
            assert_eq!((dz_parent(world, *who), calls::last()), (0, S::DZ_ERR_DEAD));
            assert!(dz_name(world, *who).is_null() && calls::last() == S::DZ_ERR_DEAD);
        }
        for (number, kind) in KINDS.iter().enumerate().filter(|(_, kind)| kind.needs == Needs::All) {
            let ledger = &self.ledgers[number];
            assert_eq!(*ledger.wrong.borrow(), Vec::<String>::new());
            let graph = &self.kin.graph;
            let values = graph.links.values().flatten();
            let is_it = |by, target| graph.kind(by, target).is_some_and(|known| known.name == kind.name);
            let values = values.filter(|link| is_it(link.by, link.target)).count();
            let elements = graph.has.iter().filter(|(_, id)| graph.components[id].name == kind.name).count();
            assert_eq!(ledger.living.borrow().len(), values + elements, "{:?}", kind.name);
        }
        assert_eq!(*self.arena.wrong.borrow(), Vec::<String>::new());
        assert_eq!(calls::stats(world).bytes, self.arena.bytes());
    }

    fn check_place(&self, entity: u64, size: usize) {
        let (world, kin) = (self.world, &self.kin);
        let (parent, children, above) = (kin.parent(entity), kin.children(entity), kin.above(entity));
        assert_eq!(quietly(|| dz_parent(world, entity)), parent);
        assert_eq!(quietly(|| dz_child_count(world, entity)) as usize, children.len());
        assert_eq!(quietly(|| dz_first_child(world, entity)), children.first().copied().unwrap_or(0));
        assert_eq!(quietly(|| dz_last_child(world, entity)), children.last().copied().unwrap_or(0));
        let siblings = kin.children(parent);
        let at = siblings.iter().position(|other| *other == entity);
        let beside = |step: usize| at.and_then(|at| siblings.get((at + step).wrapping_sub(1)));
        assert_eq!(quietly(|| dz_previous_sibling(world, entity)), beside(0).copied().unwrap_or(0));
        assert_eq!(quietly(|| dz_next_sibling(world, entity)), beside(2).copied().unwrap_or(0));
        let by = |after, out, room| quietly(|| unsafe { dz_children(world, entity, after, out, room) });
        assert_eq!(pieces(size, by), children, "children of {entity:#x}");
        for order in [0, 1] {
            let by =
                |after, out, room| quietly(|| unsafe { dz_subtree(world, entity, order, after, out, room) });
            assert_eq!(pieces(size, by), kin.subtree(entity, order == 0), "below {entity:#x}");
        }
        assert_eq!(quietly(|| dz_depth(world, entity)) as usize, above.len());
        let mut out = vec![0; size];
        let count = quietly(|| unsafe { dz_ancestors(world, entity, out.as_mut_ptr(), size as u32) });
        assert_eq!(count as usize, above.len());
        let written = above.len().min(size);
        assert_eq!(out[..written], above[..written]);
        let holders =
            listed(|out, room, count| unsafe { dz_pair_holders(world, child_of(entity), out, room, count) });
        assert_eq!(holders.map(sorted), Ok(sorted(children)), "children of {entity:#x}");
    }

    fn check_name(&self, entity: u64) {
        let (world, kin) = (self.world, &self.kin);
        let name = quietly(|| dz_name(world, entity));
        let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) });
        match kin.graph.components.get(&entity) {
            Some(kind) => assert_eq!(name, Some(kind.name)),
            None => assert_eq!(
                name.map(|name| name.to_str().unwrap()),
                kin.names.get(&entity).map(String::as_str)
            ),
        }
        // From everybody above, and from the root.
        for from in kin.above(entity).into_iter().chain([0]) {
            let part = |at: &u64| kin.names.get(at).cloned().unwrap_or_else(|| text_of(*at));
            let way = [vec![entity], kin.above(entity)].concat();
            let mut way: Vec<_> = way.iter().take_while(|at| **at != from).map(part).collect();
            way.reverse();
            let expected = way.join("/");
            let mut text = [0x55_u8; 256];
            let room = text.as_mut_ptr().cast();
            let length = quietly(|| unsafe { dz_path(world, entity, from, c"/".as_ptr(), room, 256) });
            assert_eq!(std::str::from_utf8(&text[..length as usize]), Ok(&*expected));
            assert_eq!(text[length as usize], 0);
            let all_named = way.len() == 1 + kin.above(entity).iter().take_while(|at| **at != from).count()
                && way.iter().all(|name| !name.contains("E:"));
            if all_named {
                let path = CString::new(expected).unwrap();
                let found = quietly(|| unsafe { dz_lookup(world, from, path.as_ptr(), c"/".as_ptr()) });
                assert_eq!(found, entity, "{path:?}");
            }
        }
    }

    /// Paths of every name, whether they lead anywhere or not.
    fn check_lookup(&self) {
        let names: Vec<_> = NAMES.iter().map(|name| name.to_str().unwrap()).collect();
        let froms: Vec<_> = self.living().into_iter().chain([0]).collect();
        for (first, second) in names.iter().flat_map(|a| names.iter().map(move |b| (*a, *b))) {
            let path = format!("{first}.{second}");
            let parts: Vec<_> = path.split('.').collect();
            let text = CString::new(path.as_str()).unwrap();
            for from in &froms {
                let found = quietly(|| unsafe { dz_lookup(self.world, *from, text.as_ptr(), null()) });
                assert_eq!(found, self.kin.lookup(*from, &parts), "{path} from {from:#x}");
            }
        }
    }

    fn link_id(&self, by: u64, target: u64) -> dz_id {
        if !is_pair(by) {
            return by | target;
        }
        let id = dz_pair(self.world, by, target);
        assert_ne!(id, 0, "{}", calls::message());
        id
    }

    fn check_type(&self, entity: u64) {
        let (world, kin) = (self.world, &self.kin);
        let links = kin.graph.links[&entity].iter().map(|link| self.link_id(link.by, link.target));
        let own = kin.graph.has.iter().filter(|(of, _)| *of == entity).map(|(_, id)| *id);
        let builtin = kin.graph.components.contains_key(&entity).then(|| dz_component_id(world));
        let parent = Some(kin.parent(entity)).filter(|parent| *parent != 0).map(child_of);
        let expected = sorted(links.chain(own).chain(builtin).chain(parent).collect());
        assert_eq!(calls::type_of(world, entity).map(sorted), Ok(expected), "the type of {entity:#x}");
        for other in self.living() {
            let is = quietly(|| dz_has(world, entity, child_of(other)));
            assert_eq!(is, kin.parent(entity) == other);
        }
    }

    fn check_instance(&self, entity: u64) {
        let (world, kin) = (self.world, &self.kin);
        assert_eq!(quietly(|| dz_base(world, entity)), kin.base(entity));
        assert_eq!(quietly(|| dz_is_base(world, entity)), kin.bases.contains(&entity), "{entity:#x}");
        assert_eq!(quietly(|| dz_is_enabled(world, entity)), !kin.disabled.contains(&entity));
        for number in 0..SOME.len() {
            let (id, kind) = (self.ids[number], &KINDS[SOME[number]]);
            if id == 0 {
                continue;
            }
            let source = kin.source(entity, id);
            assert_eq!(quietly(|| dz_source(world, entity, id)), source.unwrap_or(0));
            assert_eq!(quietly(|| dz_has(world, entity, id)), source.is_some());
            let seen =
                kin.shows(entity, id) && !kin.disabled.contains(&entity) && !kin.bases.contains(&entity);
            assert_eq!(quietly(|| dz_is_component_enabled(world, entity, id)), seen, "{entity:#x}");
            if kind.size == 0 {
                assert!(dz_get(world, entity, id).is_null() && calls::last() == S::DZ_ERR_TAG);
                continue;
            }
            let at = quietly(|| dz_get(world, entity, id));
            assert_eq!(at.is_null(), source.is_none());
            let Some(source) = source else {
                assert!(quietly(|| dz_get_mut(world, entity, id)).is_null());
                continue;
            };
            assert_eq!(at, dz_get(world, source, id), "the value is the base's");
            assert_eq!(kind.read(at), kin.values[&(source, id)]);
            let to_write = dz_get_mut(world, entity, id).cast_const();
            if source == entity {
                assert_eq!(to_write, at);
            } else {
                assert_eq!((to_write, calls::last()), (null(), S::DZ_ERR_INHERITED));
            }
        }
    }

    fn check_pairs(&self) {
        let (world, graph) = (self.world, &self.kin.graph);
        for by in graph.traits.keys().chain(graph.made.iter().map(|(by, _)| by)) {
            for entity in graph.links.keys() {
                assert_eq!(self.targets(*entity, *by), Ok(sorted(graph.targets(*entity, *by))));
            }
        }
        for (entity, link) in graph.links.iter().flat_map(|(e, links)| links.iter().map(move |l| (*e, l))) {
            if let Some(value) = &link.value {
                let at = quietly(|| dz_get_pair(world, entity, link.by, link.target));
                assert_eq!(&graph.kind(link.by, link.target).unwrap().read(at), value);
            }
        }
    }

    /// Who matches a standing query, and where the value is that it gets.
    fn expected(&self, number: usize) -> Vec<(u64, *const c_void)> {
        let ([tag, four, ..], kin) = (self.ids, &self.kin);
        let (bases, inherits, without) = ([2, 3, 5].contains(&number), number >= 4, [1, 3].contains(&number));
        let of = |entity: u64| {
            let own = kin.shows(entity, four).then_some(entity);
            let from = || kin.bases_of(entity).into_iter().find(|base| kin.shows(*base, four));
            own.or_else(|| inherits.then(from)?)
        };
        let asked = self.plain().into_iter().filter(|entity| kin.is_asked_for(*entity, bases));
        let fits = asked.filter(|entity| !without || !kin.shows(*entity, tag));
        fits.filter_map(|entity| Some((entity, dz_get(self.world, of(entity)?, four)))).collect()
    }

    fn check_queries(&self) {
        let world = self.world;
        for (number, query) in self.queries.iter().enumerate() {
            let mut iter = MaybeUninit::uninit();
            assert_eq!(unsafe { dz_iterate(world, *query, iter.as_mut_ptr()) }, OK);
            let mut iter = unsafe { iter.assume_init() };
            let mut seen = vec![];
            while calls::next(&mut iter) {
                let at = |i| crate::query_walk::at_if(&iter, 0, i, 4);
                seen.extend((0..iter.count).map(|i| (entity_at(&iter, i), at(i))));
            }
            assert_eq!(iter.status, OK as i32);
            seen.sort_unstable();
            let expected = self.expected(number);
            assert_eq!(seen, expected, "query {number}");
            assert_eq!(dz_query_count(world, *query) as usize, expected.len());
            for entity in self.plain() {
                let matches = expected.iter().any(|(other, _)| *other == entity);
                assert_eq!(quietly(|| dz_query_matches(world, *query, entity)), matches, "query {number}");
            }
        }
        let (members, four) = (self.expected(1), self.expected(0));
        assert_eq!(quietly(|| dz_group_count(world, self.group)) as usize, members.len());
        for entity in self.plain() {
            let is_member = members.iter().any(|(other, _)| *other == entity);
            assert_eq!(dz_group_contains(world, self.group, entity), is_member);
        }
        for direction in [dz_direction::DZ_FORWARD, dz_direction::DZ_BACKWARD] {
            let (status, mut iter) = calls::iterate(world, self.ids[1], direction);
            let mut seen = vec![];
            while calls::next(&mut iter) {
                seen.extend((0..iter.count).map(|i| entity_at(&iter, i)));
            }
            assert_eq!((status, iter.status), (OK, OK as i32));
            assert_eq!(sorted(seen), four.iter().map(|(entity, _)| *entity).collect::<Vec<_>>());
        }
    }
}
