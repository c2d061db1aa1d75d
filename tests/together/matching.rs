//! Who matches a query, naively: each candidate with each combination of pairs, term by term.

use crate::graph::is_pair;
use crate::host::Host;
use crate::kin::INSTANCEOF;
use crate::kinds::Kind;
use crate::read::listed;
use denizen::ffi::component::dz_singleton_get;
use denizen::ffi::pair::{dz_get_pair, dz_pair_targets};
use denizen::ffi::types::*;
use std::ffi::c_void;
use std::ptr::null;

pub const WITH: i32 = dz_ask::DZ_WITH as i32;
pub const WITHOUT: i32 = dz_ask::DZ_WITHOUT as i32;
pub const OPTIONAL: i32 = dz_ask::DZ_OPTIONAL as i32;
pub const ANY_OF: i32 = dz_ask::DZ_ANY_OF as i32;
pub const NO_ACCESS: i32 = dz_access::DZ_NO_ACCESS as i32;
/// `DZ_VARIABLE(0)`, the only one that there is here.
pub const VARIABLE: u64 = DZ_ANY | 0x100;

/// What a term is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Component,
    /// A plain entity, or one with a role, or a base: as an id, without a relation.
    Linked,
    /// A child of that one.
    Child(u64),
    /// The pair, whose target may be the variable, or any.
    Pair,
    /// A pair of any relation.
    OfAny,
}

#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub raw: dz_term,
    pub what: What,
    /// The values of its field, if it has one that the test looks at.
    kind: Option<&'static Kind>,
    /// It is the first to find the variable.
    pub finds: bool,
    /// It is a component's, or of a relation that is one: without that the query is lost.
    needs_component: bool,
}

#[derive(Clone, Debug)]
pub struct Query {
    pub handle: dz_query,
    pub terms: Vec<Term>,
    pub kept: bool,
    pub cascade: bool,
    pub bases: bool,
    /// The component whose pool it follows, or none.
    pub order: u64,
}

/// A match: the entity; of each term the target by which it was found, and where its field is.
pub type Match = (u64, Vec<(u64, *const c_void)>);

impl Term {
    /// Whether the query yields once for each pair that fits.
    pub fn yields(&self) -> bool {
        let any = self.raw.target == DZ_ANY || self.finds;
        self.raw.ask == WITH && (self.what == What::OfAny || self.what == What::Pair && any)
    }

    /// The kind of the values that its field has.
    pub fn field(&self) -> Option<&'static Kind> {
        self.kind
    }

    /// Whether it makes a query go from entity to entity.
    fn links(&self) -> bool {
        self.what != What::Component || self.raw.source != 0
    }
}

impl Query {
    /// Whether it goes from entity to entity.
    pub fn is_linked(&self) -> bool {
        self.cascade || self.bases || self.terms.iter().any(Term::links)
    }
}

impl Host {
    pub fn lives(&self, entity: u64) -> bool {
        self.kin.graph.links.contains_key(&entity)
    }

    /// What raw terms ask for.
    pub fn understand(&self, raw: &[dz_term]) -> Vec<Term> {
        let mut found = false;
        let mut understood = |raw: &dz_term| {
            let components = &self.kin.graph.components;
            let role = raw.id >> 56;
            let what = match raw.target {
                0 if components.contains_key(&raw.id) => What::Component,
                0 if role == u64::from(DZ_ROLE_CHILDOF) => What::Child(raw.id & (u64::MAX >> 8)),
                0 => What::Linked,
                _ if raw.id == DZ_ANY => What::OfAny,
                _ => What::Pair,
            };
            let finds = raw.target == VARIABLE && !found;
            found |= finds;
            let data = |id: u64| components.get(&id).copied().filter(|kind| kind.size > 0);
            let kind = match what {
                What::Component => data(raw.id),
                What::Pair if raw.target >> 56 == 0 => self.kin.graph.kind(raw.id, raw.target),
                What::Pair => data(raw.id),
                _ => None,
            };
            let kind = kind.filter(|_| raw.access != NO_ACCESS && raw.ask != WITHOUT);
            let needs_component = components.contains_key(&raw.id);
            Term { raw: *raw, what, kind, finds, needs_component }
        };
        raw.iter().map(&mut understood).collect()
    }

    /// Whether a component of a query is gone: its own, or a relation.
    pub fn is_lost(&self, query: &Query) -> bool {
        query.terms.iter().any(|term| term.needs_component && !self.lives(term.raw.id))
    }

    /// The ways in which somebody has what a term asks for: each with its target and where the value is.
    fn ways(&self, source: u64, term: &Term, variable: u64) -> Vec<(u64, *const c_void)> {
        let (world, kin, raw) = (self.world, &self.kin, &term.raw);
        let once = |is: bool, at| if is { vec![(0, at)] } else { vec![] };
        match term.what {
            What::Component => {
                let is = self.lives(raw.id) && kin.shows(source, raw.id);
                once(is, if is && term.kind.is_some() { self.own(source, raw.id) } else { null() })
            }
            What::Child(parent) => once(self.lives(parent) && kin.parent(source) == parent, null()),
            What::Linked => {
                let (by, target) = (raw.id & !(u64::MAX >> 8), raw.id & (u64::MAX >> 8));
                debug_assert!(by == 0 || by == INSTANCEOF || by >> 56 >= DZ_ROLE_USER.into());
                once(kin.graph.link(source, by, target).is_some(), null())
            }
            What::Pair if raw.target != DZ_ANY && !term.finds => {
                let target = if raw.target == VARIABLE { variable } else { raw.target };
                let is = self.lives(raw.id) && self.lives(target) && kin.graph.has(source, raw.id, target);
                if is { vec![(target, self.value(source, term, target))] } else { vec![] }
            }
            What::Pair => {
                if !self.lives(source) || kin.graph.targets(source, raw.id).is_empty() {
                    return vec![];
                }
                // In the library's order: an optional term shows the first.
                let all: Vec<u64> = listed(|out, room, count| {
                    call!(dz_pair_targets(world, source, raw.id, out, room, count))
                });
                all.into_iter().map(|target| (target, self.value(source, term, target))).collect()
            }
            What::OfAny => {
                let links = kin.graph.links.get(&source).into_iter().flatten();
                let links = links.filter(|link| is_pair(link.by) && link.target == raw.target);
                links.map(|link| (link.target, null())).collect()
            }
        }
    }

    /// Where a pair's value is; it has none that is only promised.
    fn value(&self, source: u64, term: &Term, target: u64) -> *const c_void {
        let is = term.kind.is_some() && self.kin.graph.link(source, term.raw.id, target).is_some();
        if is { call!(dz_get_pair(self.world, source, term.raw.id, target)) } else { null() }
    }

    fn solve(&self, terms: &[Term], at: &mut Match, variable: u64, out: &mut Vec<Match>) {
        let Some((term, rest)) = terms.split_first() else { return out.push(at.clone()) };
        let (entity, kin) = (at.0, &self.kin);
        let has = |source: &u64| !self.ways(*source, term, variable).is_empty();
        let source = match term.raw.source {
            0 => Some(entity),
            DZ_PARENT => Some(kin.parent(entity)).filter(|parent| *parent != 0),
            DZ_UP => kin.above(entity).into_iter().find(has),
            DZ_INHERIT => [vec![entity], kin.bases_of(entity)].concat().into_iter().find(has),
            DZ_WORLD_VALUE => None,
            VARIABLE => Some(variable),
            other => Some(other).filter(|source| self.lives(*source)),
        };
        let mut ways = source.map_or(vec![], |source| self.ways(source, term, variable));
        if term.raw.source == DZ_WORLD_VALUE && self.singletons.contains_key(&term.raw.id) {
            let at = call!(dz_singleton_get(self.world, term.raw.id));
            ways = vec![(0, if term.kind.is_some() { at } else { null() })];
        }
        let ways = match term.raw.ask {
            WITH => ways,
            WITHOUT if ways.is_empty() => vec![(0, null())],
            WITHOUT => vec![],
            _ => vec![ways.first().copied().unwrap_or((0, null()))],
        };
        for (target, at_value) in ways {
            let variable = if term.finds && target != 0 { target } else { variable };
            at.1.push((target, at_value));
            self.solve(rest, at, variable, out);
            at.1.pop();
        }
    }

    /// Whether somebody has one of the components of each any-of group.
    fn has_one_of_each(&self, entity: u64, terms: &[Term]) -> bool {
        let any = || terms.iter().filter(|term| term.raw.ask == ANY_OF);
        let has = |term: &Term| !self.ways(entity, term, 0).is_empty();
        any().all(|term| any().any(|other| other.raw.any_of == term.raw.any_of && has(other)))
    }

    /// The ways in which an entity matches.
    pub fn matches_of(&self, query: &Query, entity: u64) -> Vec<Match> {
        let mut out = vec![];
        if self.kin.is_asked_for(entity, query.bases) && self.has_one_of_each(entity, &query.terms) {
            self.solve(&query.terms, &mut (entity, vec![]), 0, &mut out);
        }
        out
    }

    /// All matches, sorted.
    pub fn matches(&self, query: &Query) -> Vec<Match> {
        let all = self.plain().into_iter();
        let mut out: Vec<_> = all.flat_map(|entity| self.matches_of(query, entity)).collect();
        out.sort();
        out
    }
}
