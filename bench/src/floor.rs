//! The floor: plain arrays that hold just the matches, and the loop over them, in C.

use peers::parts::{P, Scalar, V};
use peers::querier::{self, Part, Parts, Plan, Querier};
use std::ptr;

#[link(name = "loops", kind = "static")]
unsafe extern "C" {
    /// The loop over so many components.
    pub fn floor_run(terms: i32, n: usize, p: *mut P, v: *const V, scalars: *const *const Scalar<0>);
}

/// Entities are numbers here. What they have is noted, and goes into arrays when all is there.
pub struct Floor {
    plan: Plan,
    has: Vec<Parts>,
    /// Whose values it has.
    like: Vec<usize>,
    /// Where in the arrays it is.
    at: Vec<Option<usize>>,
    p: Vec<P>,
    v: Vec<V>,
    scalars: [Vec<Scalar<0>>; Part::COMPONENTS],
}

impl Querier for Floor {
    type Entity = usize;
    const FLOOR: bool = true;

    fn new(plan: Plan) -> Option<Self> {
        Some(Self {
            plan,
            has: Vec::new(),
            like: Vec::new(),
            at: Vec::new(),
            p: Vec::new(),
            v: Vec::new(),
            scalars: Default::default(),
        })
    }

    fn create(&mut self) -> usize {
        self.has.push(Parts::default());
        self.like.push(0);
        self.has.len() - 1
    }

    fn destroy(&mut self, entity: usize) {
        self.has[entity] = Parts::default();
    }

    fn put(&mut self, entity: usize, part: Part, i: usize) {
        self.has[entity] = self.has[entity].and(Parts::of(part));
        self.like[entity] = i;
    }

    fn remove_v(&mut self, entity: usize) {
        self.has[entity] = self.has[entity].without(Parts::V);
    }

    fn p(&self, entity: usize) -> Option<P> {
        self.at[entity].map(|at| self.p[at])
    }

    fn settle(&mut self) {
        let included = self.plan.query.included();
        for (&has, &i) in self.has.iter().zip(&self.like) {
            let found = self.plan.query.matches(has);
            self.at.push(found.then_some(self.p.len()));
            if !found {
                continue;
            }
            self.p.push(querier::p(i));
            if included.0 & Parts::V.0 != 0 {
                self.v.push(querier::v(i));
            }
            for part in included.each().filter(|part| (2..Part::COMPONENTS).contains(&part.0)) {
                self.scalars[part.0].push(Scalar { value: querier::scalar(part.0, i) });
            }
        }
    }

    fn run(&mut self) {
        let mut scalars = [ptr::null(); Part::COMPONENTS];
        for (pointer, array) in scalars.iter_mut().zip(&self.scalars) {
            *pointer = array.as_ptr();
        }
        // SAFETY: each array that the loop of so many terms reads has an element for each of P.
        unsafe {
            let p = self.p.as_mut_ptr();
            let terms = self.plan.query.included().components() as i32;
            floor_run(terms, self.p.len(), p, self.v.as_ptr(), scalars.as_ptr());
        }
    }
}
