//! Random changes while iterating queries of pairs: nobody twice, nobody who doesn't match at that moment, and whoever
//! matches all along is seen, but for what the table in docs/relationships.md says.

use crate::calls::{self, OK, S};
use crate::each::each;
use crate::linked::{Asked, Match, Query, asked, steps, world};
use crate::tree::{Step, step};
use crate::tree_run::Host;
use proptest::prelude::*;
use std::collections::BTreeMap;

type Key = (u64, Vec<u64>);

/// How often each match is there: by pairs of several relations that aim at one.
type Counts = BTreeMap<Key, usize>;

/// By whom and by which targets a match is known.
fn key(found: &Match) -> Key {
    (found.0, found.1.iter().map(|(target, _)| *target).collect())
}

fn counts(host: &Host, query: &Query) -> Counts {
    let mut all = Counts::new();
    host.matches(query).iter().for_each(|found| *all.entry(key(found)).or_default() += 1);
    all
}

/// An iteration whose body changes the world.
struct Loop<'a> {
    host: &'a mut Host,
    query: &'a Query,
    seen: Counts,
    /// Who matched at the beginning and ever since.
    all_along: Counts,
    /// How often each was there at most.
    most: Counts,
    changed: bool,
    /// Pairs, and ids that can be added, that ended since the last match.
    lost: usize,
    /// Whether a parent, an order, or the end of one who is in the hierarchy has changed since the beginning.
    moved: bool,
    /// The body refreshes the query after each change.
    refreshes: bool,
}

impl Loop<'_> {
    fn visit(&mut self, found: Match) {
        assert!(self.host.matches(self.query).contains(&found), "{found:x?} doesn't match");
        let (seen, key) = (&mut self.seen, key(&found));
        *seen.entry(key.clone()).or_default() += 1;
        assert!(seen[&key] <= self.most[&key], "{found:x?} is seen twice");
        self.lost = 0;
    }

    fn change(&mut self, step: &Step) {
        let before = self.host.kin.clone();
        let child = match *step {
            Step::SetParent(child, _) | Step::Move(child, ..) | Step::AddParent(child, _) => {
                self.host.who(child)
            }
            _ => 0,
        };
        self.host.step(step, &mut None);
        let now = counts(self.host, self.query);
        // Whoever came to stand where it is since the loop began isn't seen.
        let moves = self.query.asks_children();
        self.all_along.retain(|found, _| now.contains_key(found) && !(moves && found.0 == child));
        self.all_along.iter_mut().for_each(|(found, count)| *count = (*count).min(now[found]));
        for (found, count) in now {
            let most = self.most.entry(found).or_default();
            *most = (*most).max(count);
        }
        let graph = &self.host.kin.graph;
        self.lost += before.graph.made.difference(&graph.made).count();
        let in_order = |kin: &crate::kin::Kin| {
            kin.graph
                .children
                .iter()
                .filter(|(_, all)| !all.is_empty())
                .map(|(p, c)| (*p, c.clone()))
                .collect::<Vec<_>>()
        };
        self.moved |= in_order(&before) != in_order(&self.host.kin) || child != 0;
        self.changed = true;
        if self.refreshes {
            self.query.refresh(self.host.world);
        }
    }

    fn end(&self, status: i32) {
        if status == S::DZ_ERR_CHANGED as i32 {
            let records = self.lost > 1 || self.lost > 0 && self.query.asks_any();
            let order = self.moved && (self.query.is_cascade() || self.query.asks_children());
            let anew = self.changed && self.refreshes;
            assert!(records || order || anew, "it ended early, and nothing says why");
            return;
        }
        assert_eq!(status, OK as i32, "{}", calls::message());
        // Of the current entity, or pair that leads, other combinations are passed over.
        let whole = !self.changed || !self.query.has_combinations();
        let is_missed = |found: &(&Key, &usize)| self.seen.get(found.0).is_none_or(|seen| seen < found.1);
        let missed: Vec<_> = self.all_along.iter().filter(|_| whole).filter(is_missed).collect();
        assert!(missed.is_empty(), "{missed:x?} match all along and aren't seen");
    }
}

fn iterate(host: &mut Host, query: &Query, (runs_only, refreshes): (bool, bool), script: &[Vec<Step>]) {
    query.refresh(host.world);
    let mut iter = query.start(host.world, runs_only);
    let (all_along, seen) = (counts(host, query), Counts::new());
    let most = all_along.clone();
    let (changed, lost, moved) = (false, 0, false);
    let mut all = Loop { host, query, seen, most, all_along, changed, lost, moved, refreshes };
    let mut script = script.iter();
    while calls::next(&mut iter) {
        while let Some(i) = each(&mut iter) {
            assert!(!runs_only || iter.gather == 0, "a run");
            all.visit(query.element(&iter, i));
            for step in script.next().into_iter().flatten() {
                all.change(step);
            }
        }
    }
    all.end(iter.status);
}

fn change() -> impl Strategy<Value = Vec<Step>> {
    let fits = |step: &Step| {
        !matches!(step, Step::Unregister(_) | Step::Clear | Step::FailHook(_) | Step::Starve(_))
    };
    prop_oneof![
        1 => Just(vec![]),
        2 => prop::collection::vec(step().prop_filter("goes on", fits), 0..3),
    ]
}

fn run(
    setup: ((bool, bool, bool), u8),
    before: &[Step],
    queries: &[Asked],
    ways: (bool, bool),
    script: &[Vec<Step>],
) {
    let (handles, values) = setup;
    let mut host = world(handles, values, before);
    for query in queries.iter().filter_map(|asked| host.ask(asked)).collect::<Vec<_>>() {
        iterate(&mut host, &query, ways, script);
        query.check(&host);
    }
    host.end();
}

proptest! {
    #![proptest_config(crate::config(300))]

    /// M40.
    #[test]
    fn changing_anything_while_iterating_pairs(
        setup in any::<((bool, bool, bool), u8)>(),
        before in steps(),
        queries in prop::collection::vec(asked(), 1..6),
        ways in (any::<bool>(), prop::bool::weighted(0.2)),
        script in prop::collection::vec(change(), 0..crate::steps(30)),
    ) {
        run(setup, &before, &queries, ways, &script);
    }
}
