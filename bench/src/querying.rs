//! What the rows about queries do, written once for all contenders. Filling a world, making a query
//! and checking the outcome are off the clock.

use crate::input::Random;
use crate::runs::Runs;
use crate::scene::Scene;
use peers::Querier;
use peers::querier::{Part, Parts, Plan, Query};
use std::hint::black_box;

/// A loop over few matches is repeated within one reading of the clock, until it has made so many
/// steps.
const STEPS: usize = 20_000;

/// How often a loop may run in one world, so that all sums stay whole numbers below 2^24.
const ROUNDS: usize = 500_000;

/// One row at one size.
pub struct Querying {
    plan: Plan,
    scene: Scene,
    task: Task,
}

/// What is on the clock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    /// The query and its loop.
    Iterate,
    /// The same, and changes before it.
    Change,
    FormGroup,
    AddV,
    RemoveV,
    /// From a random order, or after a hundredth of it has changed.
    Sort {
        nearly: bool,
    },
    SortLike,
    Refresh,
    Optimise,
}

impl Querying {
    /// None: there is no such row.
    pub fn new(row: &str, n: usize) -> Option<Self> {
        let both = Parts::P.and(Parts::V);
        let everybody = |parts| Scene::new(n, move |_| parts);
        let every_second = || Scene::new(n, |i| if i % 2 == 0 { both } else { Parts::P });
        let mut random = Random::seeded(11);
        let terms = Query::Terms(2);
        let mut best = false;
        let mut task = Task::Iterate;
        // "8c10" is row 8 after a churn of 10%.
        let (base, churn) = match row.split_once('c') {
            Some((base, percent)) => (base, Some(percent.parse().ok()?)),
            None => (row, None),
        };
        let (query, scene) = match base {
            "7" => (Query::One, everybody(Parts::P)),
            "8" => (terms, everybody(both)),
            "9" => (terms, every_second()),
            "10" => (terms, Scene::halves(n)),
            "10x" => {
                // Ten bits are one of 1,024 sets of tags.
                let tags = |random: &mut Random| Parts((random.below(1024) as u32) << Part::tag(0).0);
                (terms, Scene::new(n, |_| both.and(tags(&mut random))))
            }
            "11" => (Query::Terms(5), everybody(Parts::first(5))),
            "11b" => {
                let three = Parts::first(3);
                let has = |_| three.and(Parts((random.below(2) as u32) << Part::scalar(3).0));
                (Query::ThreeNot, Scene::new(n, has))
            }
            "13" | "13q" => {
                let mut rare = vec![false; n];
                let count = if base == "13" { (n / 1000).max(1) } else { 1 };
                random.order(n).into_iter().take(count).for_each(|i| rare[i as usize] = true);
                let has = |i: usize| if rare[i] { Parts::P.and(Parts::RARE) } else { Parts::P };
                (Query::Tagged, Scene::new(n, has))
            }
            "12a" | "12b" | "12s" => {
                best = true;
                match base {
                    "12a" => (terms, everybody(both)),
                    "12b" => (terms, Scene::halves(n)),
                    _ => {
                        task = Task::Change;
                        let has = |_| if random.below(2) == 0 { both } else { Parts::P };
                        (terms, Scene::new(n, has))
                    }
                }
            }
            "g1" => {
                task = Task::FormGroup;
                (terms, Scene::halves(n))
            }
            "g2" | "g3" => {
                best = true;
                task = if base == "g2" { Task::AddV } else { Task::RemoveV };
                (terms, everybody(Parts::P))
            }
            "s1" | "s2" => {
                task = Task::Sort { nearly: base == "s2" };
                (Query::One, everybody(Parts::default()))
            }
            "s3" => {
                task = Task::SortLike;
                (terms, Scene::halves(n))
            }
            "r1" => {
                task = Task::Refresh;
                (terms, Scene::new(n, |_| if random.below(2) == 0 { both } else { Parts::P }))
            }
            "o1" => {
                task = Task::Optimise;
                (terms, Scene::halves(n))
            }
            "t1" => (Query::One, everybody(Parts::first(8))),
            _ => {
                let k = base.strip_prefix('t')?.parse().ok().filter(|k| (2..=8).contains(k))?;
                (Query::Terms(k), everybody(Parts::first(8)))
            }
        };
        let scene = match churn {
            Some(percent) => scene.churned(percent),
            None => scene,
        };
        Some(Self { plan: Plan { query, best, n }, scene, task })
    }

    pub fn entities(&self) -> usize {
        self.plan.n
    }

    /// How many entities the query finds.
    pub fn matches(&self) -> usize {
        self.scene.matches(self.plan.query)
    }

    /// Takes a turn. False: this contender cannot do that.
    pub fn run<Q: Querier>(&self, runs: &mut Runs) -> bool {
        match self.task {
            Task::Iterate => self.iterate::<Q>(runs),
            // The floor of a query that changes is the loop alone.
            Task::Change if Q::FLOOR => self.iterate::<Q>(runs),
            _ if Q::FLOOR => false,
            Task::Change => self.change::<Q>(true, runs),
            Task::Refresh => self.change::<Q>(false, runs),
            Task::FormGroup => self.whole_world::<Q>(Q::form_group, runs),
            Task::Optimise => self.whole_world::<Q>(Q::optimise, runs),
            Task::AddV => self.add_or_remove::<Q>(true, runs),
            Task::RemoveV => self.add_or_remove::<Q>(false, runs),
            Task::Sort { nearly } => self.sort::<Q>(nearly, runs),
            Task::SortLike => self.sort_like::<Q>(runs),
        }
    }

    fn iterate<Q: Querier>(&self, runs: &mut Runs) -> bool {
        let Some(mut world) = Q::new(self.plan) else {
            return false;
        };
        let handles = self.scene.build(&mut world);
        world.settle();
        world.optimise();
        let matches = self.matches();
        let rounds = (STEPS / matches.max(1)).max(1);
        let mut times = 0;
        while times + rounds <= ROUNDS && runs.more() {
            runs.time(matches * rounds, || {
                for _ in 0..rounds {
                    black_box(&mut world).run();
                }
            });
            times += rounds;
        }
        self.check(&world, &handles, |_| times);
        true
    }

    /// Whether P of each entity is as it must be after the query found it so many times.
    fn check<Q: Querier>(&self, world: &Q, handles: &[Q::Entity], times: impl Fn(usize) -> usize) {
        let query = self.plan.query;
        let mut sums = [0.0f64; 2];
        for (i, (&entity, &has)) in handles.iter().zip(self.scene.has()).enumerate() {
            let there = world.p(entity);
            // Plain arrays know the matches only.
            if Q::FLOOR && there.is_none() {
                assert!(!query.matches(has));
                continue;
            }
            assert_eq!(there.is_some(), has.0 & Parts::P.0 != 0, "P of entity {i}");
            let Some(p) = there else { continue };
            let found = if query.matches(has) { times(i) } else { 0 };
            let right = query.after(i, found);
            assert_eq!((p.x, p.y, p.z), (right.x, right.y, right.z), "entity {i}, found {found} times");
            sums[0] += f64::from(p.x);
            sums[1] += f64::from(right.x);
        }
        assert_eq!(sums[0], sums[1], "the sums differ");
    }

    /// A thousandth of the entities change between iterations: half of them lose V, as many get it.
    /// On the clock is all of it, or only the refresh.
    fn change<Q: Querier>(&self, all: bool, runs: &mut Runs) -> bool {
        let Some(mut world) = Q::new(self.plan) else {
            return false;
        };
        let handles = self.scene.build(&mut world);
        world.settle();
        world.optimise();
        let n = handles.len();
        let half = (n / 2000).max(1);
        let matches = self.matches();
        let mut times = vec![0; n];
        let (mut with, mut without): (Vec<usize>, Vec<usize>) =
            (0..n).partition(|&i| self.plan.query.matches(self.scene.has()[i]));
        let mut random = Random::seeded(12);
        while runs.more() {
            let mut leaving = random.draw(&mut with, half);
            let mut coming = random.draw(&mut without, half);
            let leave: Vec<_> = leaving.iter().map(|&i| handles[i]).collect();
            let come: Vec<_> = coming.iter().map(|&i| (handles[i], i)).collect();
            let change = |world: &mut Q| {
                leave.iter().for_each(|&entity| world.remove_v(entity));
                come.iter().for_each(|&(entity, i)| world.put(entity, Part::V, i));
            };
            if all {
                runs.time(matches, || {
                    change(&mut world);
                    world.refresh();
                    black_box(&mut world).run();
                });
            } else {
                change(&mut world);
                let refreshed = runs.time(2 * half, || world.refresh());
                if !refreshed {
                    return false;
                }
                world.run();
            }
            with.append(&mut coming);
            without.append(&mut leaving);
            with.iter().for_each(|&i| times[i] += 1);
        }
        for (i, &entity) in handles.iter().enumerate() {
            let right = self.plan.query.after(i, times[i]);
            let p = world.p(entity).expect("all have P");
            assert_eq!((p.x, p.y), (right.x, right.y), "entity {i}, found {} times", times[i]);
        }
        true
    }

    /// Something that is done to a whole world, per entity.
    fn whole_world<Q: Querier>(&self, act: impl Fn(&mut Q) -> bool, runs: &mut Runs) -> bool {
        while runs.more() {
            let Some(mut world) = Q::new(self.plan) else {
                return false;
            };
            let handles = self.scene.build(&mut world);
            world.settle();
            if !runs.time(handles.len(), || act(&mut world)) {
                return false;
            }
            world.run();
            self.check(&world, &handles, |_| 1);
        }
        true
    }

    /// Adds V to all, or removes it from all, in random order, in the world of the best form.
    fn add_or_remove<Q: Querier>(&self, add: bool, runs: &mut Runs) -> bool {
        let order = Random::seeded(13).order(self.plan.n);
        let Some(mut world) = Q::new(self.plan) else {
            return false;
        };
        let handles = self.scene.build(&mut world);
        world.settle();
        let handles: Vec<_> = order.iter().map(|&i| (handles[i as usize], i as usize)).collect();
        let put = |world: &mut Q| handles.iter().for_each(|&(entity, i)| world.put(entity, Part::V, i));
        let remove = |world: &mut Q| handles.iter().for_each(|&(entity, _)| world.remove_v(entity));
        let mut times = 0;
        while runs.more() {
            match add {
                true => runs.time(handles.len(), || put(&mut world)),
                false => put(&mut world),
            }
            world.refresh();
            world.run();
            times += 1;
            match add {
                true => remove(&mut world),
                false => runs.time(handles.len(), || remove(&mut world)),
            }
            world.refresh();
            world.run();
        }
        for &(entity, i) in &handles {
            let right = self.plan.query.after(i, times);
            assert_eq!(world.p(entity).map(|p| p.x), Some(right.x), "entity {i}");
        }
        true
    }

    /// Sorts the pool of P by x, whose values were set in a random order.
    fn sort<Q: Querier>(&self, nearly: bool, runs: &mut Runs) -> bool {
        let n = self.plan.n;
        let mut random = Random::seeded(14);
        let mut order = random.order(n);
        while runs.more() {
            let Some(mut world) = Q::new(self.plan) else {
                return false;
            };
            let handles = self.scene.build(&mut world);
            for (&entity, &i) in handles.iter().zip(&order) {
                world.put(entity, Part::P, i as usize);
            }
            if nearly {
                if !world.sort() {
                    return false;
                }
                for _ in 0..n / 200 {
                    let (one, other) = (random.below(n), random.below(n));
                    order.swap(one, other);
                    world.put(handles[one], Part::P, order[one] as usize);
                    world.put(handles[other], Part::P, order[other] as usize);
                }
            }
            if !runs.time(n, || world.sort()) {
                return false;
            }
            let x: Vec<_> = world.pool(Part::P).into_iter().map(|entity| world.p(entity)).collect();
            assert_eq!(x.len(), n);
            let sorted = x.iter().enumerate().all(|(i, p)| p.is_some_and(|p| p.x == i as f32));
            assert!(sorted, "not sorted");
        }
        true
    }

    fn sort_like<Q: Querier>(&self, runs: &mut Runs) -> bool {
        while runs.more() {
            let Some(mut world) = Q::new(self.plan) else {
                return false;
            };
            let handles = self.scene.build(&mut world);
            if !runs.time(handles.len(), || world.sort_like()) {
                return false;
            }
            // Both pools without those that are not in the other one. P tells entities apart.
            let x = |entity| world.p(entity).map(|p| p.x as usize);
            let has_v = |i: usize| self.scene.has()[i].0 & Parts::V.0 != 0;
            let by_p = world.pool(Part::P).into_iter().filter_map(x).filter(|&i| has_v(i));
            let by_v = world.pool(Part::V).into_iter().filter_map(x);
            assert!(by_p.eq(by_v), "V is not in the order of P");
        }
        true
    }
}
