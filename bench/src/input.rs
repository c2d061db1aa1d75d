//! What the rows work on: the same numbers for everybody.

use peers::{C2, P, V};

pub struct Input {
    pub n: usize,
    /// A permutation of 0..n.
    pub order: Vec<u32>,
    /// n numbers below n, with repetitions: whom churn destroys.
    pub victims: Vec<u32>,
    /// Which half of the entities has C2 in row 6b2.
    pub half: Vec<bool>,
    pub p: Vec<P>,
    pub v: Vec<V>,
}

impl Input {
    pub fn new(n: usize) -> Self {
        let mut random = Random::seeded(0);
        let order = random.order(n);
        Self {
            n,
            order,
            victims: (0..n).map(|_| random.below(n) as u32).collect(),
            half: (0..n).map(|_| random.below(2) == 0).collect(),
            p: (0..n).map(p).collect(),
            v: (0..n).map(v).collect(),
        }
    }

    /// What `P::bits` of all n entities add up to.
    pub fn sum(&self) -> u64 {
        self.p.iter().map(P::bits).sum()
    }
}

/// The values of the `i`th entity.
#[inline(always)]
pub fn p(i: usize) -> P {
    let x = i as f32;
    P { x, y: 1.0, z: 2.0 }
}

#[inline(always)]
pub fn v(i: usize) -> V {
    let x = i as f32;
    V { x, y: 3.0, z: 4.0 }
}

#[inline(always)]
pub fn c2(i: usize) -> C2 {
    C2 { value: i as f32 }
}

/// xorshift64*: small, and the same on every machine.
pub struct Random(u64);

impl Random {
    /// A sequence for each seed.
    pub fn seeded(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((high * end as u64) >> 32) as usize
    }

    pub fn shuffle(&mut self, items: &mut [u32]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// A permutation of 0..n.
    pub fn order(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        self.shuffle(&mut order);
        order
    }

    /// Takes so many items out, chosen at random, or all if there are not so many.
    pub fn draw(&mut self, items: &mut Vec<usize>, count: usize) -> Vec<usize> {
        let count = count.min(items.len());
        (0..count).map(|_| items.swap_remove(self.below(items.len()))).collect()
    }
}
