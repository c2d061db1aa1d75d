//! What the worlds of the rows about queries hold: the same for everybody.

use crate::input::Random;
use peers::Querier;
use peers::querier::{Part, Parts, Query};

/// Who has what, and how it came about.
pub struct Scene {
    /// What the `i`th entity has in the end.
    has: Vec<Parts>,
    /// What of it is added when all entities are there, one by one, in this order.
    later: Vec<(u32, Part)>,
    /// Who is then destroyed, in this order, and comes back with the same parts, in that order.
    gone: Vec<u32>,
    back: Vec<u32>,
}

impl Scene {
    /// Every entity has what `has` says, from its creation.
    pub fn new(n: usize, has: impl FnMut(usize) -> Parts) -> Self {
        Self { has: (0..n).map(has).collect(), later: Vec::new(), gone: Vec::new(), back: Vec::new() }
    }

    /// A random half has P, another random half has V, each added in a random order.
    pub fn halves(n: usize) -> Self {
        let mut random = Random::seeded(10);
        let mut scene = Self::new(n, |_| Parts::default());
        for part in [Part::P, Part::V] {
            for i in random.order(n).into_iter().take(n / 2) {
                let has = &mut scene.has[i as usize];
                *has = has.and(Parts::of(part));
                scene.later.push((i, part));
            }
        }
        scene
    }

    /// So many percent of the entities, chosen at random, are destroyed and made again with the same
    /// parts in another random order.
    pub fn churned(mut self, percent: usize) -> Self {
        let mut random = Random::seeded(8);
        self.gone = random.order(self.has.len());
        self.gone.truncate(self.has.len() * percent / 100);
        self.back = self.gone.clone();
        random.shuffle(&mut self.back);
        self
    }

    pub fn has(&self) -> &[Parts] {
        &self.has
    }

    pub fn matches(&self, query: Query) -> usize {
        self.has.iter().filter(|&&has| query.matches(has)).count()
    }

    /// Fills a fresh world. The answer is the handle of each entity.
    pub fn build<Q: Querier>(&self, world: &mut Q) -> Vec<Q::Entity> {
        let mut first = self.has.clone();
        for &(i, part) in &self.later {
            first[i as usize] = first[i as usize].without(Parts::of(part));
        }
        let mut handles: Vec<_> =
            first.iter().enumerate().map(|(i, &parts)| create(world, parts, i)).collect();
        for &(i, part) in &self.later {
            world.put(handles[i as usize], part, i as usize);
        }
        for &i in &self.gone {
            world.destroy(handles[i as usize]);
        }
        for &i in &self.back {
            handles[i as usize] = create(world, self.has[i as usize], i as usize);
        }
        handles
    }
}

fn create<Q: Querier>(world: &mut Q, parts: Parts, i: usize) -> Q::Entity {
    let entity = world.create();
    for part in parts.each() {
        world.put(entity, part, i);
    }
    entity
}
