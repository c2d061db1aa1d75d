//! A small set of numbers, as ranges, in memory of its own: what an iteration keeps of what is out of the
//! ordinary. What was written over by somebody else does no harm but to what it says.

/// How many ranges fit.
const MOST: usize = 24;

/// A set of numbers: ascending ranges that don't touch, each with its first number and the one behind its last.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Ranges {
    count: u32,
    ranges: [[u32; 2]; MOST],
}

impl Ranges {
    /// None.
    pub const EMPTY: Self = Self { count: 0, ranges: [[0; 2]; MOST] };

    /// The ranges.
    #[must_use]
    pub fn all(&self) -> &[[u32; 2]] {
        &self.ranges[..(self.count as usize).min(MOST)]
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The range that a number is in.
    #[must_use]
    pub fn around(&self, number: u32) -> Option<[u32; 2]> {
        self.all().iter().copied().find(|[first, end]| (*first..*end).contains(&number))
    }

    /// Whether a number is in it.
    #[must_use]
    pub fn contains(&self, number: u32) -> bool {
        self.around(number).is_some()
    }

    fn push(&mut self, first: u32, end: u32) -> Option<()> {
        if first < end {
            let count = self.all().len();
            *self.ranges.get_mut(count)? = [first, end];
            #[allow(clippy::cast_possible_truncation)]
            {
                self.count = count as u32 + 1;
            }
        }
        Some(())
    }

    /// Adds a number; None, and it may be another set, if it doesn't fit.
    pub fn add(&mut self, number: u32) -> Option<()> {
        let old = *self;
        let (mut first, mut end) = (number, number.checked_add(1)?);
        self.count = 0;
        let mut placed = false;
        for [from, to] in old.all().iter().copied() {
            if to < first {
                self.push(from, to)?;
            } else if from > end {
                if !placed {
                    self.push(first, end)?;
                    placed = true;
                }
                self.push(from, to)?;
            } else {
                (first, end) = (first.min(from), end.max(to));
            }
        }
        if placed { Some(()) } else { self.push(first, end) }
    }

    /// Takes numbers out; None, and it may be another set, if the rest doesn't fit.
    #[inline(always)]
    pub fn remove(&mut self, first: u32, end: u32) -> Option<()> {
        if first >= end || self.is_empty() { Some(()) } else { self.take_out(first, end) }
    }

    #[inline(never)]
    fn take_out(&mut self, first: u32, end: u32) -> Option<()> {
        let old = *self;
        self.count = 0;
        for [from, to] in old.all().iter().copied() {
            self.push(from, to.min(first).max(from))?;
            self.push(from.max(end).min(to), to)?;
        }
        Some(())
    }

    /// Becomes the set of those numbers up to its last that were not in it, from `first` on.
    pub fn invert(&mut self, mut first: u32) -> Option<()> {
        let old = *self;
        self.count = 0;
        for [from, to] in old.all().iter().copied() {
            self.push(first, from)?;
            first = to;
        }
        Some(())
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::*;

    #[test]
    fn ranges_are_a_set() {
        let (mut ranges, mut naive) = (Ranges::EMPTY, [false; 64]);
        let mut seed = 1_u32;
        // Miri is some hundred times slower than the machine.
        for _ in 0..if cfg!(miri) { 50 } else { 5000 } {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (number, len) = (seed >> 26, seed >> 20 & 7);
            let kept = ranges;
            let fits = match seed >> 10 & 3 {
                0 => {
                    (number..(number + len).min(64)).for_each(|at| naive[at as usize] = false);
                    ranges.remove(number, number + len)
                }
                _ if ranges.all().len() < 20 => {
                    naive[number as usize] = true;
                    ranges.add(number)
                }
                _ => {
                    let end = ranges.all().last().map_or(0, |last| last[1]);
                    (0..end).for_each(|at| naive[at as usize] = !naive[at as usize]);
                    ranges.invert(0)
                }
            };
            assert!(fits.is_some(), "{kept:?}");
            for at in 0..64 {
                assert_eq!(ranges.contains(at), naive[at as usize], "{kept:?} -> {ranges:?}");
            }
            assert!(ranges.all().windows(2).all(|two| two[0][1] < two[1][0]), "{ranges:?}");
        }
    }

    #[test]
    fn too_many_are_told() {
        let mut ranges = Ranges::EMPTY;
        for at in 0..MOST as u32 {
            assert!(ranges.add(at * 2).is_some());
        }
        assert!(ranges.add(1000).is_none());
    }
}
