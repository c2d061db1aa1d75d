//! Queries of pairs and of what others have, against their naive evaluation: term by term, each candidate with each
//! combination of pairs.

use crate::calls::{self, OK};
use crate::each::entity_at;
use crate::kinds::{KINDS, Kind};
use crate::pairs_check::listed;
use crate::query_walk::at_if;
use crate::tree::{Step, Who, step};
use crate::tree_run::{Host, SOME, child_of};
use denizen::ffi::query_types::*;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, iterate::*, pair::*, query::*};
use proptest::prelude::*;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null;

const WITH: i32 = 0;
const WITHOUT: i32 = 1;
const ANY_OF: i32 = 3;

/// Whom a term names, by number.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    Of(Who),
    Any,
    Variable(u8),
}

#[derive(Clone, Copy, Debug)]
pub enum What {
    Component(u8),
    Tag(Who),
    Child(Who),
    /// Of any relation: no number.
    Pair(Option<Who>, Target),
}

#[derive(Clone, Copy, Debug)]
pub enum Source {
    This,
    Parent,
    Up,
    Inherit,
    World,
    Of(Who),
    Variable(u8),
}

#[derive(Clone, Copy, Debug)]
pub struct AskedTerm {
    what: What,
    source: Source,
    ask: i32,
    any_of: u8,
    field: bool,
}

#[derive(Clone, Debug)]
pub struct Asked {
    terms: Vec<AskedTerm>,
    cascade: bool,
    bases: bool,
    kept: bool,
}

/// A term as it is asked.
#[derive(Clone, Copy, Debug)]
struct Term {
    raw: dz_term,
    /// Who it is about: handles. Of a pair the relation.
    id: u64,
    what: What,
    source: Source,
    kind: Option<&'static Kind>,
    /// It finds its variable.
    binds: bool,
}

pub struct Query {
    pub query: dz_query,
    terms: Vec<Term>,
    cascade: bool,
    bases: bool,
    kept: bool,
}

/// A match: the entity, and for each term the target and where the value is.
pub type Match = (u64, Vec<(u64, usize)>);

const fn variable(number: u8) -> u64 {
    DZ_ANY | 0x100 | number as u64
}

impl Host {
    /// What a term can mean in a query whose earlier terms are known; None: nothing.
    fn term(&self, asked: &AskedTerm, first: bool, earlier: &[Term]) -> Option<Term> {
        let (graph, mut asked) = (&self.kin.graph, *asked);
        let named = |who: Who| {
            let all: Vec<_> = graph.links.keys().copied().collect();
            all[usize::from(who) % all.len()]
        };
        let bound = |number: u8| {
            earlier.iter().any(|term| {
                term.binds && matches!(term.what, What::Pair(_, Target::Variable(n)) if n == number)
            })
        };
        if let Source::Variable(number) = asked.source
            && !bound(number)
        {
            asked.source = Source::This;
        }
        asked.source = if first { Source::This } else { asked.source };
        let own = matches!((asked.what, asked.source), (What::Component(_), Source::This));
        if asked.ask == ANY_OF && !own || asked.ask != ANY_OF && first {
            asked.ask = WITH;
        }
        if let What::Pair(relation, Target::Variable(number)) = asked.what
            && (asked.ask != WITH && !bound(number) || relation.is_none())
        {
            asked.what = What::Pair(relation, Target::Any);
        }
        if let What::Pair(None, Target::Any) = asked.what {
            asked.what = What::Pair(None, Target::Of(u16::from(asked.field)));
        }
        let is_component = matches!(asked.what, What::Component(_));
        if matches!(asked.source, Source::World | Source::Inherit) && !is_component {
            asked.source = Source::This;
        }
        let mut raw: dz_term = unsafe { std::mem::zeroed() };
        (raw.ask, raw.access) = (asked.ask, if asked.field { 1 } else { 3 });
        raw.any_of = if asked.ask == ANY_OF { asked.any_of.into() } else { 0 };
        let (mut binds, mut kind, mut id) = (false, None, 0);
        match asked.what {
            What::Component(number) => {
                (raw.id, kind) = (self.component(number).0, Some(self.component(number).1));
            }
            What::Tag(who) => raw.id = named(who),
            What::Child(who) => (raw.id, id) = (child_of(named(who)), named(who)),
            What::Pair(relation, target) => {
                id = relation.map_or(0, named);
                raw.id = if id == 0 { DZ_ANY } else { id };
                raw.target = match target {
                    Target::Of(who) => named(who),
                    Target::Any => DZ_ANY,
                    Target::Variable(number) => {
                        binds = !bound(number);
                        variable(number)
                    }
                };
                kind = match target {
                    _ if id == 0 => None,
                    Target::Of(_) => graph.kind(id, raw.target),
                    _ => graph.components.get(&id).copied().filter(|kind| kind.size > 0),
                };
            }
        }
        id = if id == 0 && !matches!(asked.what, What::Pair(..)) { raw.id } else { id };
        let component = graph.components.contains_key(&id);
        if matches!(asked.what, What::Tag(_)) && component || id == dz_component_id(self.world) {
            return None;
        }
        raw.source = match asked.source {
            Source::This => 0,
            Source::Parent => DZ_PARENT,
            Source::Up => DZ_UP,
            Source::Inherit => DZ_INHERIT,
            Source::World => DZ_WORLD_VALUE,
            Source::Of(who) => named(who),
            Source::Variable(number) => variable(number),
        };
        let same = |term: &&Term| {
            (term.raw.id, term.raw.target, term.raw.source) == (raw.id, raw.target, raw.source)
        };
        let yields = |term: &&Term| matches!(term.what, What::Pair(..)) && term.raw.ask == WITH;
        if earlier.iter().find(same).is_some() || earlier.iter().filter(yields).count() > 3 {
            return None;
        }
        let kind = kind.filter(|_| asked.field && asked.ask != WITHOUT);
        Some(Term { raw, id, what: asked.what, source: asked.source, kind, binds })
    }

    /// Makes a query; None: it asks for nothing that there is.
    pub fn ask(&self, asked: &Asked) -> Option<Query> {
        let mut terms: Vec<Term> = vec![];
        for term in &asked.terms {
            let term = self.term(term, terms.is_empty(), &terms);
            terms.extend(term);
        }
        if terms.is_empty() {
            return None;
        }
        let raw: Vec<_> = terms.iter().map(|term| term.raw).collect();
        let mut desc: dz_query_desc = unsafe { std::mem::zeroed() };
        desc.size = size_of::<dz_query_desc>() as u32;
        (desc.terms, desc.term_count) = (raw.as_ptr(), raw.len() as u32);
        (desc.cascade, desc.bases) = (asked.cascade.into(), asked.bases.into());
        desc.kept = asked.kept.into();
        let query = unsafe { dz_query_create(self.world, &desc) };
        assert_ne!(query.bits, 0, "{terms:?}: {}", calls::message());
        Some(Query { query, terms, cascade: asked.cascade, bases: asked.bases, kept: asked.kept })
    }

    fn lives(&self, entity: u64) -> bool {
        self.kin.graph.links.contains_key(&entity)
    }

    /// The ways in which somebody has what a term asks for: each with its target and where the value is.
    fn ways(&self, source: u64, term: &Term, variables: &[u64; 2]) -> Vec<(u64, usize)> {
        let (world, kin) = (self.world, &self.kin);
        let graph = &kin.graph;
        let once = |is: bool, at: *const c_void| if is { vec![(0, at as usize)] } else { vec![] };
        let value = |by: u64, target: u64| match term.kind {
            Some(_) if graph.link(source, by, target).is_some() => {
                dz_get_pair(world, source, by, target) as usize
            }
            _ => 0,
        };
        match term.what {
            What::Component(_) => {
                let is = self.lives(term.id) && kin.shows(source, term.id);
                let field = is && term.kind.is_some_and(|kind| kind.size > 0);
                once(is, if field { dz_get(world, source, term.id) } else { null() })
            }
            What::Tag(_) => once(graph.link(source, 0, term.id).is_some(), null()),
            What::Child(_) => once(self.lives(term.id) && kin.parent(source) == term.id, null()),
            What::Pair(Some(_), target) if !matches!(target, Target::Any) && !term.binds => {
                let target = match target {
                    Target::Variable(number) => variables[usize::from(number)],
                    _ => term.raw.target,
                };
                let is = self.lives(term.id) && self.lives(target) && graph.has(source, term.id, target);
                if is { vec![(target, value(term.id, target))] } else { vec![] }
            }
            What::Pair(Some(_), _) => {
                if graph.targets(source, term.id).is_empty() {
                    return vec![];
                }
                // In the library's order: an optional term shows the first.
                let all = listed(|out, room, count| unsafe {
                    dz_pair_targets(world, source, term.id, out, room, count)
                });
                all.unwrap().into_iter().map(|target| (target, value(term.id, target))).collect()
            }
            What::Pair(None, _) => {
                let links = graph.links.get(&source).into_iter().flatten();
                let links = links.filter(|l| crate::graph::is_pair(l.by) && l.target == term.raw.target);
                links.map(|link| (link.target, 0)).collect()
            }
        }
    }

    fn solve(&self, terms: &[Term], at: &mut Match, variables: [u64; 2], out: &mut Vec<Match>) {
        let Some((term, rest)) = terms.split_first() else { return out.push(at.clone()) };
        let (entity, kin) = (at.0, &self.kin);
        let has = |source: &u64| !self.ways(*source, term, &variables).is_empty();
        let source = match term.source {
            Source::This => Some(entity),
            Source::Parent => Some(kin.parent(entity)).filter(|parent| *parent != 0),
            Source::Up => kin.above(entity).into_iter().find(has),
            Source::Inherit => [vec![entity], kin.bases_of(entity)].concat().into_iter().find(has),
            Source::Of(_) => Some(term.raw.source).filter(|source| self.lives(*source)),
            Source::World => None,
            Source::Variable(number) => Some(variables[usize::from(number)]),
        };
        let mut ways = source.map_or(vec![], |source| self.ways(source, term, &variables));
        if matches!(term.source, Source::World) && !dz_singleton_get(self.world, term.id).is_null() {
            let field = term.kind.is_some_and(|kind| kind.size > 0);
            ways = vec![(0, if field { dz_singleton_get(self.world, term.id) as usize } else { 0 })];
        }
        let ways = match term.raw.ask {
            WITH => ways,
            WITHOUT if ways.is_empty() => vec![(0, 0)],
            WITHOUT => vec![],
            _ => vec![ways.first().copied().unwrap_or_default()],
        };
        for (target, value) in ways {
            let mut variables = variables;
            if let What::Pair(_, Target::Variable(number)) = term.what
                && target != 0
            {
                variables[usize::from(number)] = target;
            }
            at.1.push((target, value));
            self.solve(rest, at, variables, out);
            at.1.pop();
        }
    }

    /// Whether somebody has one of the components of each any-of group.
    fn has_one_of_each(&self, entity: u64, terms: &[Term]) -> bool {
        let any = || terms.iter().filter(|term| term.raw.ask == ANY_OF);
        let has = |term: &Term| !self.ways(entity, term, &[0; 2]).is_empty();
        any().all(|term| any().any(|other| other.raw.any_of == term.raw.any_of && has(other)))
    }

    /// Who matches, sorted.
    pub fn matches(&self, query: &Query) -> Vec<Match> {
        let mut out = vec![];
        for entity in self.plain().into_iter().filter(|entity| self.kin.is_asked_for(*entity, query.bases)) {
            if self.has_one_of_each(entity, &query.terms) {
                self.solve(&query.terms, &mut (entity, vec![]), [0; 2], &mut out);
            }
        }
        out.sort();
        out
    }
}

impl Query {
    /// An element of a batch.
    pub fn element(&self, iter: &dz_iter, i: u32) -> Match {
        let of = |(number, term): (usize, &Term)| {
            let size = term.kind.map_or(0, |kind| kind.size);
            let asks = matches!(term.what, What::Pair(..));
            let target = if asks { unsafe { dz_iter_target(iter, number as u32, i) } } else { 0 };
            let at = if size > 0 { at_if(iter, number, i, size) as usize } else { 0 };
            (target, at)
        };
        (entity_at(iter, i), self.terms.iter().enumerate().map(of).collect())
    }

    pub fn start(&self, world: dz_world, runs_only: bool) -> dz_iter {
        let mut iter = MaybeUninit::uninit();
        let start = if runs_only { dz_iterate_runs } else { dz_iterate };
        assert_eq!(unsafe { start(world, self.query, iter.as_mut_ptr()) }, OK, "{}", calls::message());
        unsafe { iter.assume_init() }
    }

    /// Lets it remember how it is, if it is kept.
    pub fn refresh(&self, world: dz_world) {
        if self.kept {
            assert_eq!(dz_query_refresh(world, self.query), OK, "{}", calls::message());
        }
    }

    /// Whether it remembers how it is.
    fn is_fresh(&self, world: dz_world) -> bool {
        let mut details = MaybeUninit::uninit();
        assert_eq!(unsafe { dz_query_info(world, self.query, details.as_mut_ptr()) }, OK);
        let details: dz_query_details = unsafe { details.assume_init() };
        details.fresh != 0
    }

    pub fn is_cascade(&self) -> bool {
        self.cascade
    }

    /// Pairs of any relation are asked for.
    pub fn asks_any(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.what, What::Pair(None, _)))
    }

    pub fn asks_children(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.what, What::Child(_)))
    }

    /// Whether there may be several matches of one entity by pairs that don't lead.
    pub fn has_combinations(&self) -> bool {
        let many = |term: &&Term| {
            let any = matches!(term.what, What::Pair(None, _) | What::Pair(_, Target::Any)) || term.binds;
            any && term.raw.ask == WITH
        };
        let mut yielding = self.terms.iter().filter(many);
        let leads = |term: &Term| term.raw.source == 0 && !self.bases && !self.cascade;
        yielding.next().is_some_and(|first| !leads(first) || yielding.next().is_some())
    }

    /// Compares every way to ask with the naive evaluation: by what it remembers of earlier, and anew.
    pub fn check(&self, host: &Host) {
        self.compare(host);
        if self.kept {
            self.refresh(host.world);
            assert!(self.is_fresh(host.world) || self.cascade || self.bases || !self.has_own());
            self.compare(host);
        }
    }

    /// Whether something is asked of the entity itself that somebody must have got.
    fn has_own(&self) -> bool {
        self.terms.iter().any(|term| {
            matches!((term.what, term.source), (What::Component(_), Source::This))
                && matches!(term.raw.ask, WITH | ANY_OF)
        })
    }

    fn compare(&self, host: &Host) {
        let (world, expected) = (host.world, host.matches(self));
        let mut first = None;
        for runs_only in [false, true] {
            let mut iter = self.start(world, runs_only);
            let walk = |iter: &mut dz_iter| {
                let mut seen = vec![];
                while calls::next(iter) {
                    assert!(iter.count > 0 && (!runs_only || iter.gather == 0));
                    seen.extend((0..iter.count).map(|i| self.element(iter, i)));
                }
                assert_eq!((iter.status, iter.count), (OK as i32, 0), "{}", calls::message());
                seen
            };
            let mut seen = walk(&mut iter);
            assert_eq!(unsafe { dz_restart(&mut iter) }, OK);
            assert_eq!(walk(&mut iter), seen, "once more");
            if self.cascade {
                let place = |entity| seen.iter().position(|found| found.0 == entity);
                for (at, found) in seen.iter().enumerate() {
                    let parent = place(host.kin.parent(found.0));
                    assert!(parent.is_none_or(|parent| parent < at), "a child before its parent");
                }
            }
            first = first.or(seen.first().map(|found| found.0));
            seen.sort();
            assert_eq!(seen, expected, "{:?}", self.terms);
        }
        assert_eq!(dz_query_count(world, self.query) as usize, expected.len());
        assert_eq!(dz_query_is_empty(world, self.query), expected.is_empty());
        assert_eq!(dz_query_first(world, self.query), first.unwrap_or(0));
        for entity in host.living() {
            let matches = expected.iter().any(|found| found.0 == entity);
            assert_eq!(dz_query_matches(world, self.query, entity), matches, "{entity:#x} {:?}", self.terms);
        }
    }
}

fn term() -> impl Strategy<Value = AskedTerm> {
    let who = any::<Who>;
    // Those who come first are relations often.
    let by = || prop_oneof![4 => 0..7_u16, 1 => any::<Who>()];
    let target = prop_oneof![
        3 => who().prop_map(Target::Of),
        2 => Just(Target::Any),
        3 => (0..2_u8).prop_map(Target::Variable)
    ];
    let what = prop_oneof![
        4 => any::<u8>().prop_map(What::Component),
        1 => who().prop_map(What::Tag),
        1 => who().prop_map(What::Child),
        8 => (prop::option::weighted(0.8, by()), target).prop_map(|(by, target)| What::Pair(by, target)),
    ];
    let source = prop_oneof![
        8 => Just(Source::This),
        2 => Just(Source::Parent),
        2 => Just(Source::Up),
        2 => Just(Source::Inherit),
        1 => Just(Source::World),
        1 => who().prop_map(Source::Of),
        2 => (0..2_u8).prop_map(Source::Variable),
    ];
    let ask = prop_oneof![4 => Just(WITH), 1 => Just(WITHOUT), 1 => Just(2), 2 => Just(ANY_OF)];
    (what, source, (ask, 0..2_u8), any::<bool>()).prop_map(|(what, source, (ask, any_of), field)| AskedTerm {
        what,
        source,
        ask,
        any_of,
        field,
    })
}

pub fn asked() -> impl Strategy<Value = Asked> {
    let terms = prop::collection::vec(term(), 1..6);
    let flags = (prop::bool::weighted(0.2), prop::bool::weighted(0.15), any::<bool>());
    (terms, flags).prop_map(|(terms, (cascade, bases, kept))| Asked { terms, cascade, bases, kept })
}

/// A world that is full of pairs. In every second one nobody is ever passed over: such worlds are walked in a way of
/// their own.
pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let by = || 0..7_u16;
    let passes_over = |step: &Step| {
        use Step::*;
        matches!(step, Instantiate(_) | InstanceOf(..) | SetBase(..) | Enable(..) | Show(..))
    };
    let pairs = (any::<Who>(), by(), any::<Who>()).prop_map(|(e, r, t)| Step::AddPair(e, r, t));
    let values = (any::<Who>(), by(), any::<Who>()).prop_map(|(e, r, t)| Step::SetPair(e, r, t, 7));
    let tags = any::<(Who, Who)>().prop_map(|(e, t)| Step::AddTag(e, t));
    let steps = prop::collection::vec(prop_oneof![6 => step(), 4 => pairs, 2 => values, 1 => tags], 20..80);
    (any::<bool>(), steps).prop_map(move |(plain, mut steps)| {
        steps.retain(|step| !plain || !passes_over(step));
        steps
    })
}

/// A world as it stands after these steps.
pub fn world(handles: (bool, bool, bool), world_values: u8, steps: &[Step]) -> Host {
    let mut host = Host::new(handles);
    (0..6).for_each(|_| host.step(&Step::Create, &mut None));
    let mut fails = None;
    steps.iter().for_each(|step| host.step(step, &mut fails));
    for number in (0..SOME.len()).filter(|number| world_values >> number & 1 != 0 && host.ids[*number] != 0) {
        let kind = &KINDS[SOME[number]];
        if kind.size > 0 {
            let value = kind.value(&kind.payload(1));
            assert_eq!(calls::singleton_set(host.world, host.ids[number], &value), OK);
        }
    }
    host
}

proptest! {
    #![proptest_config(crate::config(300))]

    /// M32.
    #[test]
    fn queries_of_pairs_find_what_the_model_finds(
        (handles, values) in any::<((bool, bool, bool), u8)>(),
        before in steps(),
        queries in prop::collection::vec(asked(), 1..6),
        after in prop::collection::vec(step(), 0..crate::steps(20)),
    ) {
        let mut host = world(handles, values, &before);
        let queries: Vec<_> = queries.iter().filter_map(|asked| host.ask(asked)).collect();
        queries.iter().for_each(|query| query.check(&host));
        // Whoever they name may end, and others get the slots.
        for step in after.iter().filter(|step| !matches!(step, Step::Unregister(_))) {
            host.step(step, &mut None);
            queries.iter().for_each(|query| query.check(&host));
        }
        host.end();
    }
}
