//! Random numbers, the same on every machine.

/// Numbers in no order, the same each time.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }

    /// From 1 on, as often below 10 as from 100 to 1000.
    pub fn size(&mut self, most: usize) -> usize {
        let bits = self.below(most.ilog2() as usize + 1);
        (1 + self.below(2 << bits)).min(most)
    }
}
