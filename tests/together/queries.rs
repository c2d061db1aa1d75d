//! Queries of every sort: made, parsed, kept, refreshed; pools put into order for them; compared with the naive answer.

use crate::calls::{OK, S, message};
use crate::each::entity_at;
use crate::host::Host;
use crate::matching::*;
use crate::read::{self, at_if, listed, start};
use denizen::ffi::entity::dz_entity_index;
use denizen::ffi::iterate::*;
use denizen::ffi::query::*;
use denizen::ffi::types::*;
use denizen::ffi::world::dz_error_clear;
use std::collections::BTreeSet;
use std::ffi::{CString, c_void};
use std::mem::MaybeUninit;

const fn term(id: u64) -> dz_term {
    dz_term { id, target: 0, source: 0, ask: WITH, access: 0, any_of: 0, reserved: 0 }
}

/// Notes who is handed out.
unsafe extern "C" fn collect(batch: *mut dz_iter, user: *mut c_void) {
    let (batch, all) = unsafe { (&*batch, &mut *user.cast::<Vec<u64>>()) };
    all.extend((0..batch.count).map(|i| entity_at(batch, i)));
}

impl Host {
    /// A term beside others; the first asks for something of the entity itself.
    fn term(&mut self, others: &[dz_term]) -> Option<dz_term> {
        let first = others.is_empty();
        let found = others.iter().any(|other| other.target == VARIABLE && other.ask == WITH);
        let mut new = term(self.component()?.0);
        new.access = self.dice.below(4) as i32;
        new.ask = [WITH, WITH, WITHOUT, OPTIONAL, ANY_OF][self.dice.below(5)];
        if new.ask == ANY_OF {
            new.any_of = self.dice.below(2) as u32;
        } else if first {
            new.ask = WITH;
        }
        if new.ask == ANY_OF || self.once_in(2) {
            return Some(new);
        }
        let own = [DZ_INHERIT, DZ_INHERIT, DZ_PARENT, DZ_UP, DZ_WORLD_VALUE, VARIABLE, self.hub()];
        new.source = if self.once_in(2) { 0 } else { own[self.dice.below(own.len())] };
        if new.source == VARIABLE && !found {
            new.source = 0;
        }
        let of_components = matches!(new.source, DZ_INHERIT | DZ_WORLD_VALUE);
        if !of_components && self.once_in(2) {
            self.link(&mut new, found);
        }
        if first {
            new.source = 0;
        }
        if new.source == DZ_INHERIT {
            new.access = new.access.min(1);
        }
        Some(new)
    }

    /// Lets a term ask for a pair or its like.
    fn link(&mut self, new: &mut dz_term, found: bool) {
        let (hub, role) = (self.hub(), u64::from(DZ_ROLE_USER) << 56);
        let plain = self.kin.graph.check_plain(hub).is_ok();
        match self.dice.below(8) {
            0 if plain => new.id = hub,
            1 => new.id = role | hub,
            2 => new.id = u64::from(DZ_ROLE_CHILDOF) << 56 | hub,
            3 => (new.id, new.target) = (DZ_ANY, hub),
            _ => {
                let target = if new.ask == WITH || found { VARIABLE } else { DZ_ANY };
                (new.id, new.target) = (self.hub(), [hub, DZ_ANY, target][self.dice.below(3)]);
            }
        }
    }

    pub fn make_query(&mut self) {
        if self.queries.len() > 8 {
            return;
        }
        let mut raw: Vec<dz_term> = vec![];
        if self.once_in(8) {
            // Of that alone iterations promise the most.
            let (relation, target) = (self.hub(), if self.once_in(3) { self.hub() } else { DZ_ANY });
            if [relation, target].into_iter().all(|id| id == DZ_ANY || self.lives(id)) {
                raw.push(dz_term { target, ..term(relation) });
            }
        }
        let more = if raw.is_empty() { 1 + self.dice.below(4) } else { self.dice.below(2) };
        for _ in 0..more {
            let Some(new) = self.term(&raw) else { return };
            let special = DZ_ANY >> 56;
            let named = |id: u64| id >> 56 == special || self.lives(id & (u64::MAX >> 8));
            let good = named(new.id) && [new.target, new.source].into_iter().all(|id| id == 0 || named(id));
            let key = |term: &dz_term| (term.id, term.target, term.source);
            if good && raw.iter().all(|other| key(other) != key(&new)) {
                raw.push(new);
            }
        }
        if raw.is_empty() {
            return;
        }
        let mut query = Query {
            handle: dz_query { bits: 0 },
            terms: self.understand(&raw),
            kept: self.once_in(2),
            cascade: self.once_in(8),
            bases: self.once_in(10),
            order: 0,
        };
        let own = |term: &&Term| term.raw.ask == WITH && term.what == What::Component;
        if !query.is_linked() && self.once_in(3) {
            query.order = query.terms.iter().find(own).map_or(0, |term| term.raw.id);
        }
        let mut desc: dz_query_desc = unsafe { std::mem::zeroed() };
        desc.size = size_of::<dz_query_desc>() as u32;
        (desc.terms, desc.term_count, desc.order) = (raw.as_ptr(), raw.len() as u32, query.order);
        (desc.kept, desc.cascade, desc.bases) = (query.kept.into(), query.cascade.into(), query.bases.into());
        desc.priority = if query.kept { self.dice.below(4) as i32 } else { 0 };
        self.record.note(self.step, &format!("{query:x?}"));
        let Some((came, handle)) = act!(self, dz_query_create(&raw const desc)) else { return };
        self.expect(came, OK);
        query.handle = handle;
        self.queries.push(query);
    }

    /// From text.
    pub fn parse_query(&mut self) {
        let (Some((a, first)), Some((b, second))) = (self.component(), self.component()) else { return };
        if self.queries.len() > 8 {
            return;
        }
        let [a_name, b_name] = [first.name, second.name].map(|name| name.to_str().unwrap());
        let form = self.dice.below(8);
        let text = match form {
            0 => format!("{a_name}, ?{b_name}"),
            1 => format!("{a_name}, !{b_name}"),
            2 => format!("{a_name} || {b_name}"),
            3 => format!("[cascade] {a_name}, ?{b_name}(parent)"),
            4 => format!("({a_name}, *), {b_name}"),
            5 => format!("({a_name}, $x), ?{b_name}($x)"),
            6 => format!("{a_name}, {b_name}(up)"),
            _ => format!("{a_name}, ({b_name}"),
        };
        let text = CString::new(text).unwrap();
        self.record.note(self.step, &format!("{text:?}"));
        let Some((came, handle)) = act!(self, dz_query_parse(text.as_ptr())) else { return };
        let twice = a == b && form < 3;
        let expected = if form == 7 { S::DZ_ERR_SYNTAX } else { OK };
        self.expect(came, if twice { S::DZ_ERR_DUPLICATE } else { expected });
        if came == OK {
            let mut terms = [term(0); 32];
            let mut count = 0;
            assert_eq!(call!(dz_query_terms(self.world, handle, terms.as_mut_ptr(), 32, &mut count)), OK);
            let terms = self.understand(&terms[..count as usize]);
            self.queries.push(Query {
                handle,
                terms,
                kept: false,
                cascade: form == 3,
                bases: false,
                order: 0,
            });
        }
    }

    pub fn end_query(&mut self) {
        let lost = self.queries.iter().position(|query| self.is_lost(query));
        if lost.is_none() && self.queries.len() < 6 {
            return;
        }
        let at = lost.unwrap_or_else(|| self.dice.below(self.queries.len()));
        let handle = self.queries[at].handle;
        let Some((came, _)) = act!(self, dz_query_destroy(handle)) else { return };
        self.expect(came, OK);
        self.queries.remove(at);
        assert_eq!(call!(dz_query_destroy(self.world, handle)), S::DZ_ERR_QUERY);
    }

    pub fn refresh_query(&mut self) {
        let Some(query) = self.one_of(&self.queries.clone()) else { return };
        let Some((came, _)) = act!(self, dz_query_refresh(query.handle)) else { return };
        if self.is_lost(&query) {
            return self.expect(came, S::DZ_ERR_QUERY_LOST);
        }
        if came == S::DZ_ERR_DEAD {
            // A pool follows another that is gone.
            return assert!(query.kept && self.has_lost_orders());
        }
        self.expect(came, if query.kept { OK } else { S::DZ_ERR_NOT_KEPT });
        if self.once_in(3) {
            self.check_query(&query);
        }
    }

    pub fn optimize(&mut self) {
        let moves = if self.once_in(3) { u32::MAX } else { self.dice.below(20) as u32 };
        let mut made = 0;
        let Some((came, _)) = act!(self, dz_optimize(moves, &raw mut made)) else { return };
        self.expect(came, OK);
        assert!(made <= moves);
        if moves == u32::MAX && self.budget == 0 {
            assert_eq!(call!(dz_optimize(self.world, moves, &mut made)), OK, "{}", message());
            assert_eq!(made, 0, "all was in order");
        }
    }

    /// Every query finds who matches, by every way to ask.
    pub fn check_queries(&self) {
        let known: Vec<_> = listed(|out, room, count| call!(dz_query_list(self.world, out, room, count)));
        let known: BTreeSet<u32> = known.iter().map(|handle: &dz_query| handle.bits).collect();
        assert_eq!(known, self.queries.iter().map(|query| query.handle.bits).collect());
        self.queries.iter().for_each(|query| self.check_query(query));
    }

    fn check_query(&self, query: &Query) {
        let (world, handle) = (self.world, query.handle);
        let mut details = MaybeUninit::uninit();
        assert_eq!(call!(dz_query_info(world, handle, details.as_mut_ptr())), OK);
        let details: dz_query_details = unsafe { details.assume_init() };
        assert_eq!((details.term_count as usize, details.kept == 1), (query.terms.len(), query.kept));
        if self.is_lost(query) {
            let mut iter = MaybeUninit::uninit();
            assert_eq!(call!(dz_iterate(world, handle, iter.as_mut_ptr())), S::DZ_ERR_QUERY_LOST);
            return;
        }
        assert_eq!(details.order, query.order);
        let expected = self.matches(query);
        let mut found = self.find(query, &mut read::query(world, handle));
        let mut first = found.first().map_or(0, |found| found.0);
        if query.order != 0 {
            first = found.iter().map(|found| found.0).min_by_key(|e| call!(dz_entity_index(*e))).unwrap_or(0);
        } else if !query.is_linked() {
            let ascend =
                |pair: &[Match]| call!(dz_entity_index(pair[0].0)) < call!(dz_entity_index(pair[1].0));
            assert!(found.windows(2).all(ascend), "the order of indices");
        }
        if query.cascade {
            let place = |entity| found.iter().position(|found| found.0 == entity);
            let after_its_parent = |(at, found): (usize, &Match)| {
                place(self.kin.parent(found.0)).is_none_or(|parent| parent < at)
            };
            assert!(found.iter().enumerate().all(after_its_parent), "a child before its parent");
        }
        found.sort();
        assert_eq!(found, expected, "{query:x?}, fresh {}", details.fresh);
        let mut runs = start(|out| call!(dz_iterate_runs(world, handle, out)));
        let mut found = self.find(query, &mut runs);
        found.sort();
        assert_eq!(found, expected, "runs of {query:x?}");
        self.check_answers(query, &expected, first);
    }

    /// All that is left of an iteration of a query.
    fn find(&self, query: &Query, iter: &mut dz_iter) -> Vec<Match> {
        let mut found = vec![];
        while call!(dz_next(iter)) {
            assert!(iter.count > 0 && iter.term_count as usize == query.terms.len());
            found.extend((0..iter.count).map(|i| self.element(query, iter, i)));
        }
        assert_eq!(iter.status, OK as i32, "{}", message());
        found
    }

    /// An element of a batch.
    pub fn element(&self, query: &Query, iter: &dz_iter, i: u32) -> Match {
        let of = |(number, term): (usize, &Term)| {
            let asks = matches!(term.what, What::Pair | What::OfAny);
            let target = if asks { call!(dz_iter_target(iter, number as u32, i)) } else { 0 };
            let size = term.field().map_or(0, |kind| kind.size);
            (target, if size > 0 { at_if(iter, number, i, size) } else { std::ptr::null() })
        };
        (entity_at(iter, i), query.terms.iter().enumerate().map(of).collect())
    }

    fn check_answers(&self, query: &Query, expected: &[Match], first: u64) {
        let (world, handle) = (self.world, query.handle);
        assert_eq!(call!(dz_query_count(world, handle)) as usize, expected.len());
        assert_eq!(call!(dz_query_is_empty(world, handle)), expected.is_empty());
        assert_eq!(call!(dz_query_first(world, handle)), first);
        call!(dz_error_clear());
        let single = call!(dz_query_single(world, handle));
        match expected {
            [one] => assert_eq!(single, one.0),
            _ => assert_eq!((single, crate::calls::last()), (0, S::DZ_ERR_NOT_SINGLE)),
        }
        for entity in self.plain() {
            let is = expected.iter().any(|found| found.0 == entity);
            assert_eq!(call!(dz_query_matches(world, handle, entity)), is, "{entity:x} {query:x?}");
        }
        let sorted = |mut all: Vec<u64>| {
            all.sort_unstable();
            all
        };
        let expected: Vec<u64> = expected.iter().map(|found| found.0).collect();
        let mut all: Vec<u64> = vec![];
        let user: *mut c_void = (&raw mut all).cast();
        assert_eq!(call!(dz_query_each(world, handle, Some(collect), user)), OK);
        assert_eq!(sorted(all), expected, "each batch");
        let parts = if query.is_linked() || query.order != 0 { 1 } else { 3 };
        let part = |part| {
            let mut iter = start(|out| call!(dz_iterate_part(world, handle, part, parts, out)));
            read::rest(&mut iter)
        };
        assert_eq!(sorted((0..parts).flat_map(part).collect()), expected, "parts");
    }
}
