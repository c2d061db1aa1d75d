//! Random numbers for unit tests: the same on every machine.

/// A small generator.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub const fn next(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}
