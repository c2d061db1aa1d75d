//! Random changes while iterating a query, against the strictest model that there is: in the order of indices,
//! the next to be seen is the one with the lowest index behind the current one that matches now.
//!
//! An iteration in the order of a pool promises less: nobody twice, nobody who doesn't match at that moment.

use crate::calls::{self, OK, S};
use crate::each::{each, entity_at};
use crate::query::{Asked, Host, Made, Step, asked, is_match, step};
use crate::query_walk::{check, check_element, start, start_runs};
use denizen::ffi::types::*;
use denizen::ffi::{entity::*, iterate::*, query::*};
use proptest::prelude::*;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
enum Change {
    /// Takes a component off the current entity, destroys it, or takes one off and adds it again.
    RemoveCurrent(u8),
    DestroyCurrent,
    ReaddCurrent(u8),
    AddToCurrent(u8),
    /// The same with any entity, by number.
    Remove(u8, u16),
    Destroy(u16),
    Readd(u8, u16),
    Add(u8, u16),
    /// Many at once.
    AddMany(u8, u16, u8),
    RemoveMany(u8, u16, u8),
    DestroyMany(u16, u8),
    SetValue(u8, u16),
    /// What changes a whole world.
    World(Step),
    Unregister(u8),
    Refresh(u8),
    /// A query comes and goes.
    Query(Asked),
    /// Goes on with a copy, at the end.
    Copy,
    /// Begins anew.
    Restart,
    /// Leaves the rest of the batch.
    NextBatch,
    /// Iterates a query inside, which breaks off.
    Nest(u8, bool, Vec<Vec<Change>>, u8),
}

struct Stage {
    host: Host,
    made: Vec<Made>,
    /// Changes that may still be made: nested scripts must not explode.
    left: u32,
}

/// What an iteration has seen.
#[derive(Clone, Default)]
struct Seen {
    last: Option<u32>,
    all: BTreeSet<dz_entity>,
    /// Those who matched at the start.
    first: BTreeSet<dz_entity>,
    /// Indices from here on were nobody's at the start: who gets them isn't seen.
    used: usize,
}

fn pick(all: &[dz_entity], number: u16) -> Option<dz_entity> {
    (!all.is_empty()).then(|| all[number as usize % all.len()])
}

impl Stage {
    fn component(&self, number: u8) -> usize {
        usize::from(number) % self.host.ids.len()
    }

    fn is_lost(&self, query: usize) -> bool {
        self.made[query].terms.iter().any(|term| self.host.is_gone(term.component))
    }

    /// Whether a group or a kept sort moves what an iteration follows.
    fn is_moved(&self, query: usize) -> bool {
        self.made[query].order.is_some_and(|component| self.host.is_moved(component))
    }

    fn some(&self, number: u16, count: u8) -> Vec<dz_entity> {
        let all = self.host.living();
        let first = if all.is_empty() { 0 } else { number as usize % all.len() };
        all.into_iter().skip(first).take(count.into()).collect()
    }

    /// Changes something; says what becomes of the iteration.
    fn change(&mut self, current: dz_entity, change: &Change) {
        use Change::*;
        let host = &mut self.host;
        let lives = host.lives(current);
        let living = host.living();
        match change {
            RemoveCurrent(_) | DestroyCurrent | ReaddCurrent(_) | AddToCurrent(_) if !lives => {}
            DestroyCurrent => host.destroy(current),
            RemoveCurrent(number) => self.host.remove(current, self.component(*number)),
            AddToCurrent(number) => self.host.add(current, self.component(*number)),
            ReaddCurrent(number) => self.readd(current, *number),
            Remove(number, who) => {
                let component = self.component(*number);
                pick(&living, *who).into_iter().for_each(|entity| self.host.remove(entity, component));
            }
            Add(number, who) => {
                let component = self.component(*number);
                pick(&living, *who).into_iter().for_each(|entity| self.host.add(entity, component));
            }
            Destroy(who) => pick(&living, *who).into_iter().for_each(|entity| host.destroy(entity)),
            Readd(number, who) => {
                pick(&living, *who).into_iter().for_each(|entity| self.readd(entity, *number));
            }
            AddMany(number, from, count) | RemoveMany(number, from, count) => {
                let (component, many) = (self.component(*number), self.some(*from, *count));
                self.host.change_many(&many, component, matches!(change, AddMany(..)));
            }
            DestroyMany(from, count) => {
                let many = self.some(*from, *count);
                self.host.destroy_many(&many);
            }
            SetValue(number, who) => {
                let component = self.component(*number);
                let size = crate::query::size(component);
                if size > 0
                    && !self.host.is_gone(component)
                    && let Some(entity) = pick(&living, *who)
                {
                    let value = vec![7; size as usize];
                    assert_eq!(calls::set(self.host.world, entity, self.host.ids[component], &value), OK);
                    self.host.note(entity, component);
                }
            }
            World(step) => host.step(step),
            Unregister(number) => {
                let component = self.component(*number);
                self.host.unregister(component);
            }
            Refresh(number) => {
                let number = usize::from(*number) % self.made.len();
                self.host.refresh(&self.made[number]);
            }
            Query(asked) if asked.terms.iter().any(|term| self.host.is_gone(term.component)) => {}
            Query(asked) => {
                let made = self.host.ask(asked);
                assert_eq!(dz_query_destroy(self.host.world, made.query), OK);
            }
            Nest(number, runs_only, script, stop) => {
                self.iterate(usize::from(*number) % self.made.len(), *runs_only, script, (*stop).into());
            }
            Copy | Restart | NextBatch => {}
        }
        self.host.check_groups();
    }

    fn readd(&mut self, entity: dz_entity, number: u8) {
        let component = self.component(number);
        self.host.remove(entity, component);
        self.host.add(entity, component);
    }

    /// Whoever is seen matches now, and was not seen before; in the order of indices it is the next one.
    fn visit(&self, query: usize, iter: &dz_iter, i: u32, seen: &mut Seen) -> dz_entity {
        let made = &self.made[query];
        let entity = entity_at(iter, i);
        assert!(self.host.lives(entity), "{entity:#x} is stale");
        check_element(&self.host, &made.terms, iter, i);
        assert!(seen.all.insert(entity), "{entity:#x} is seen twice");
        let indexed = iter.gather != 0 && made.order.is_none();
        assert_eq!(iter.current, if indexed { dz_entity_index(entity).into() } else { entity });
        if made.order.is_none() {
            let next = self.host.next_match(made, seen.last, seen.used);
            assert_eq!(next, Some(entity), "behind index {:?}", seen.last);
        }
        seen.last = Some(dz_entity_index(entity));
        entity
    }

    /// The end of an iteration: nobody more is there, or the query is lost.
    fn ended(&self, query: usize, iter: &dz_iter, seen: &Seen, touched: bool) {
        let made = &self.made[query];
        assert_eq!(iter.count, 0);
        if self.is_lost(query) {
            assert_eq!(iter.status, S::DZ_ERR_QUERY_LOST as i32);
        } else if iter.status == S::DZ_ERR_CHANGED as i32 {
            assert!(made.order.is_some() && touched, "an iteration ended early");
        } else if made.order.is_none() {
            assert_eq!(iter.status, OK as i32);
            assert_eq!(
                self.host.next_match(made, seen.last, seen.used),
                None,
                "behind index {:?}",
                seen.last
            );
        } else {
            assert_eq!(iter.status, OK as i32);
            let matches = |e: &&dz_entity| self.host.lives(**e) && is_match(&made.terms, self.host.mask(**e));
            let missed = seen.first.difference(&seen.all).filter(matches).count();
            assert!(touched || missed == 0, "{missed} are missed");
        }
    }

    fn iterate(&mut self, query: usize, runs_only: bool, script: &[Vec<Change>], stop: usize) {
        if self.is_lost(query) {
            return;
        }
        let made = &self.made[query];
        let mut iter = if runs_only { start_runs(&self.host, made) } else { start(&self.host, made) };
        let first: BTreeSet<_> = if made.order.is_some() {
            self.host.expected(made).into_iter().collect()
        } else {
            BTreeSet::new()
        };
        let mut seen = Seen { first, used: self.host.used(), ..Seen::default() };
        let mut touched = false;
        let mut copies = Vec::new();
        let mut script = script.iter();
        let mut steps = 0;
        while calls::next(&mut iter) {
            let mut leave = false;
            while let Some(i) = each(&mut iter) {
                assert!(!runs_only || iter.gather == 0, "a run");
                let entity = self.visit(query, &iter, i, &mut seen);
                steps += 1;
                if steps > stop + 20 {
                    return;
                }
                let mut restart = false;
                for change in script.next().into_iter().flatten() {
                    if self.left == 0 {
                        break;
                    }
                    self.left -= 1;
                    leave |= matches!(change, Change::NextBatch);
                    restart |= matches!(change, Change::Restart);
                    touched |= self.is_moved(query);
                    touched |= !matches!(
                        change,
                        Change::RemoveCurrent(_)
                            | Change::DestroyCurrent
                            | Change::SetValue(..)
                            | Change::Refresh(_)
                    );
                    if matches!(change, Change::Copy) {
                        copies.push((iter, seen.clone()));
                    }
                    self.change(entity, change);
                }
                if restart {
                    let lost = self.is_lost(query);
                    let expected = if lost { S::DZ_ERR_QUERY_LOST } else { OK };
                    assert_eq!(unsafe { dz_restart(&mut iter) }, expected);
                    if !lost {
                        seen = Seen { used: self.host.used(), ..Seen::default() };
                    }
                    // Before the first batch nobody is to be seen.
                    break;
                }
                if leave {
                    break;
                }
            }
            if leave {
                // What the batch had behind the current one isn't seen: the model goes on at its end.
                return self.rest_weakly(query, iter, seen);
            }
        }
        self.ended(query, &iter, &seen, touched);
        for (mut copy, mut seen) in copies {
            // It stands in the middle of its batch, of which it knows nothing new.
            loop {
                while let Some(i) = each(&mut copy) {
                    self.visit(query, &copy, i, &mut seen);
                }
                if !calls::next(&mut copy) {
                    break;
                }
            }
            self.ended(query, &copy, &seen, true);
        }
    }

    /// The rest, where some of a batch were left out.
    fn rest_weakly(&self, query: usize, mut iter: dz_iter, mut seen: Seen) {
        while calls::next(&mut iter) {
            while let Some(i) = each(&mut iter) {
                let entity = check_element(&self.host, &self.made[query].terms, &iter, i);
                assert!(seen.all.insert(entity), "{entity:#x} is seen twice");
            }
        }
    }
}

impl Host {
    fn change_many(&mut self, many: &[dz_entity], component: usize, add: bool) {
        if self.is_gone(component) {
            return;
        }
        let id = self.ids[component];
        let status =
            if add { calls::add_n(self.world, many, id) } else { calls::remove_n(self.world, many, id) };
        assert!((status as i32) >= 0, "{}", calls::message());
        many.iter().for_each(|entity| {
            if add { self.note(*entity, component) } else { self.strike(*entity, component) }
        });
    }

    fn destroy_many(&mut self, many: &[dz_entity]) {
        assert!((calls::destroy_n(self.world, many) as i32) >= 0, "{}", calls::message());
        many.iter().for_each(|entity| self.bury(*entity));
    }
}

fn change(components: usize, nests: bool) -> BoxedStrategy<Change> {
    use Change::*;
    let (byte, who) = (any::<u8>(), any::<u16>());
    let plain = prop_oneof![
        6 => byte.prop_map(RemoveCurrent),
        6 => Just(DestroyCurrent),
        2 => byte.prop_map(ReaddCurrent),
        6 => byte.prop_map(AddToCurrent),
        4 => (byte, who).prop_map(|(c, n)| Remove(c, n)),
        4 => who.prop_map(Destroy),
        2 => (byte, who).prop_map(|(c, n)| Readd(c, n)),
        4 => (byte, who).prop_map(|(c, n)| Add(c, n)),
        2 => (byte, who, 0..70_u8).prop_map(|(c, n, count)| AddMany(c, n, count)),
        2 => (byte, who, 0..70_u8).prop_map(|(c, n, count)| RemoveMany(c, n, count)),
        2 => (who, 0..70_u8).prop_map(|(n, count)| DestroyMany(n, count)),
        2 => (byte, who).prop_map(|(c, n)| SetValue(c, n)),
        3 => step().prop_filter("stays in one region", |step| !matches!(step, Step::Far(..))).prop_map(World),
        2 => byte.prop_map(Refresh),
        1 => asked(components, false).prop_map(Query),
        1 => Just(Copy),
        1 => Just(Restart),
        1 => Just(NextBatch),
    ];
    if !nests {
        return plain.boxed();
    }
    let nest = (any::<u8>(), any::<bool>(), script(components, false, 10), any::<u8>());
    prop_oneof![
        30 => plain,
        4 => nest.prop_map(|(query, runs, script, stop)| Nest(query, runs, script, stop)),
        1 => byte.prop_map(Unregister),
    ]
    .boxed()
}

fn script(components: usize, nests: bool, len: usize) -> BoxedStrategy<Vec<Vec<Change>>> {
    let changes = prop::collection::vec(change(components, nests), 0..3);
    prop::collection::vec(changes, 0..crate::steps(len)).boxed()
}

type Case = (bool, usize, usize, Vec<Asked>, Vec<Step>, Vec<Vec<Change>>, bool);

fn case(nests: bool) -> BoxedStrategy<Case> {
    (any::<bool>(), 0..3_usize, 1..7_usize, any::<bool>())
        .prop_flat_map(move |(wide, level, components, runs)| {
            let queries = prop::collection::vec(asked(components, false), 1..4);
            let near = step().prop_filter("stays in one region", |step| !matches!(step, Step::Far(..)));
            let steps = prop::collection::vec(near, 1..crate::steps(9));
            (queries, steps, script(components, nests, 60)).prop_map(move |(queries, steps, script)| {
                (wide, level, components, queries, steps, script, runs)
            })
        })
        .boxed()
}

fn run((wide, level, components, queries, steps, script, runs): Case) {
    let mut host = Host::new(wide, level, components);
    host.step(&Step::Block(150, u64::MAX));
    steps.iter().for_each(|step| host.step(step));
    let made: Vec<_> = queries.iter().map(|asked| host.ask(asked)).collect();
    for made in made.iter().filter(|made| made.kept) {
        assert_eq!(host.refresh(made), OK);
    }
    let mut stage = Stage { host, made, left: 120 };
    stage.iterate(0, runs, &script, 4000);
    // And whatever has happened, who matches is found.
    for (number, made) in stage.made.iter().enumerate() {
        if !stage.is_lost(number) {
            check(&stage.host, made, 2);
        }
    }
}

proptest! {
    #![proptest_config(crate::config(400))]

    #[test]
    fn changing_anything_while_iterating_a_query(case in case(false)) {
        run(case);
    }

    #[test]
    fn changing_anything_in_nested_iterations_of_queries(case in case(true)) {
        run(case);
    }
}
