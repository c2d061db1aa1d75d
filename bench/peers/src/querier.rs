//! What every library must be able to do to take part in the rows about queries, and what the
//! queries are.

use crate::parts::{P, V};

/// A component or tag by number: P, V, C2 to C7, then the tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part(pub usize);

impl Part {
    pub const P: Part = Part(0);
    pub const V: Part = Part(1);
    /// The tag that few entities have.
    pub const RARE: Part = Part::tag(10);
    /// How many parts there are: 8 components, 10 common tags and the rare one.
    pub const COUNT: usize = 19;
    /// How many of them are components.
    pub const COMPONENTS: usize = 8;

    /// C2 to C7.
    pub const fn scalar(k: usize) -> Part {
        Part(k)
    }

    /// One of ten tags.
    pub const fn tag(k: usize) -> Part {
        Part(Part::COMPONENTS + k)
    }
}

/// A set of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parts(pub u32);

impl Parts {
    pub const P: Parts = Parts::of(Part::P);
    pub const V: Parts = Parts::of(Part::V);
    pub const RARE: Parts = Parts::of(Part::RARE);

    pub const fn of(part: Part) -> Parts {
        Parts(1 << part.0)
    }

    /// The first so many parts: P, V, C2, ...
    pub const fn first(k: usize) -> Parts {
        Parts((1 << k) - 1)
    }

    pub const fn and(self, other: Parts) -> Parts {
        Parts(self.0 | other.0)
    }

    pub const fn without(self, other: Parts) -> Parts {
        Parts(self.0 & !other.0)
    }

    /// How many of them are components. A tag is no array.
    pub const fn components(self) -> usize {
        (self.0 & Parts::first(Part::COMPONENTS).0).count_ones() as usize
    }

    pub fn each(self) -> impl Iterator<Item = Part> {
        (0..Part::COUNT).map(Part).filter(move |part| self.0 >> part.0 & 1 == 1)
    }
}

/// A query and what its loop does. Only P is written, so that P shows what was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// P: x += 1.
    One,
    /// P += V; with more terms x += C2 + C3 + ...: 2 to 8 terms, the first so many parts.
    Terms(usize),
    /// P += V, x += C2, where C3 is not there.
    ThreeNot,
    /// P: x += 1, where the rare tag is.
    Tagged,
}

impl Query {
    pub const fn included(self) -> Parts {
        match self {
            Query::One => Parts::P,
            Query::Terms(k) => Parts::first(k),
            Query::ThreeNot => Parts::first(3),
            Query::Tagged => Parts::P.and(Parts::RARE),
        }
    }

    pub const fn excluded(self) -> Parts {
        match self {
            Query::ThreeNot => Parts::of(Part::scalar(3)),
            _ => Parts(0),
        }
    }

    pub fn matches(self, has: Parts) -> bool {
        has.0 & self.included().0 == self.included().0 && has.0 & self.excluded().0 == 0
    }

    /// What P of the `i`th entity is after it was found so many times. Whole numbers below 2^24, so
    /// that it comes out exactly whatever was added first.
    pub fn after(self, i: usize, times: usize) -> P {
        let (mut p, times) = (p(i), times as f32);
        match self {
            Query::One | Query::Tagged => p.x += times,
            Query::Terms(_) | Query::ThreeNot => {
                let v = v(i);
                let scalars = self.included().each().filter(|part| part.0 >= 2);
                p.x += times * (v.x + scalars.map(|part| scalar(part.0, i)).sum::<f32>());
                p.y += times * v.y;
                p.z += times * v.z;
            }
        }
        p
    }
}

/// The values of the `i`th entity.
pub fn p(i: usize) -> P {
    P { x: i as f32, y: 1.0, z: 2.0 }
}

pub fn v(i: usize) -> V {
    V { x: (i % 5) as f32 - 2.0, y: 1.0, z: -1.0 }
}

pub fn scalar(k: usize, i: usize) -> f32 {
    ((i + k) % 3) as f32 - 1.0
}

/// What a world is made for.
#[derive(Clone, Copy)]
pub struct Plan {
    pub query: Query,
    /// Whether to use the best form the library has (a group, a cached query) or the usual one.
    pub best: bool,
    /// How many entities there will be at most, which a library may need to know to choose the width
    /// of its handles. Nothing is to be reserved.
    pub n: usize,
}

/// A world of one library that is made to be queried.
pub trait Querier: Sized {
    /// The library's own handle.
    type Entity: Copy + PartialEq;

    /// Plain arrays, which cannot change while they are iterated.
    const FLOOR: bool = false;

    /// A fresh world that has all parts registered. None: this contender cannot do that.
    fn new(plan: Plan) -> Option<Self>;

    fn create(&mut self) -> Self::Entity;

    fn destroy(&mut self, entity: Self::Entity);

    /// Adds a part, or sets its value anew, with the values of the `i`th entity.
    fn put(&mut self, entity: Self::Entity, part: Part, i: usize);

    /// Takes V from an entity that has it.
    fn remove_v(&mut self, entity: Self::Entity);

    /// P of an entity. Never timed.
    fn p(&self, entity: Self::Entity) -> Option<P>;

    /// The world is filled: makes the query, if the library keeps queries. Never timed.
    fn settle(&mut self) {}

    /// Makes what is kept as good as it gets. False: there is no such thing.
    fn optimise(&mut self) -> bool {
        false
    }

    /// Brings what is kept up to date after changes. False: nothing has to be asked for.
    fn refresh(&mut self) -> bool {
        false
    }

    /// Runs the plan's query and its loop once.
    fn run(&mut self);

    /// Forms the group of P and V in a world that is there. False: there is no such thing.
    fn form_group(&mut self) -> bool {
        false
    }

    /// Brings the pool of P into the order of x. False: there is no such thing.
    fn sort(&mut self) -> bool {
        false
    }

    /// Brings V into the order of P. False: there is no such thing.
    fn sort_like(&mut self) -> bool {
        false
    }

    /// The entities of a pool in the order in which it is iterated, where there is sorting.
    fn pool(&self, _part: Part) -> Vec<Self::Entity> {
        Vec::new()
    }
}

/// The loops' bodies, for the contenders that are written in Rust.
impl P {
    #[inline(always)]
    pub fn step(&mut self) {
        self.x += 1.0;
    }

    #[inline(always)]
    pub fn advance(&mut self, v: &V) {
        self.x += v.x;
        self.y += v.y;
        self.z += v.z;
    }

    /// With the sum of what other terms there are.
    #[inline(always)]
    pub fn advance_by(&mut self, v: &V, more: f32) {
        self.x += v.x + more;
        self.y += v.y;
        self.z += v.z;
    }
}
