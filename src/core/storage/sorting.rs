//! A stable sort of positions by a comparison that may not be trusted: a natural merge sort, as Tim Peters
//! described for Python's lists (listsort.txt), in memory that the caller brings.
//!
//! ```text
//!   1 2 5 8 | 7 6 3 | 4 9        runs that go up, or down (turned round); short ones are filled up
//!   1 2 5 8   3 6 7   4 9        by insertion, then neighbours are merged while their lengths are alike
//! ```
//!
//! What is in order already costs one comparison each. A comparison that contradicts itself gives some
//! order, but every position stays there once: values are only copied as counts say that were checked.
//!
//! What there is to compare at a position is looked up once for as long as the position waits while others pass. Merging without
//! a branch on which of two comes first took longer: the processor can't fetch what it doesn't know it will need.

use super::order::{Compared, Comparison};
use super::slice::Slice;

/// Runs shorter than this are filled up.
const SHORT: usize = 16;
/// After so many in a row from one side, a merge looks for the whole block.
const STREAK: usize = 7;
/// Runs that wait to be merged: their lengths grow like Fibonacci numbers, so these are enough for 2^32.
const RUNS: usize = 48;

/// Sorts `order`; `at` has what is compared at a position. `scratch` is as long as `order`.
pub fn sort(order: &mut [u32], scratch: &mut [u32], comparison: &Comparison, at: &dyn Fn(u32) -> Compared) {
    Sort { comparison, at }.sort(Slice::of_mut(order), Slice::of_mut(scratch));
}

struct Sort<'a> {
    comparison: &'a Comparison,
    at: &'a dyn Fn(u32) -> Compared,
}

/// Which run to merge with the next so that lengths fall faster than Fibonacci numbers, if any.
fn to_merge(runs: &Slice<(usize, usize)>) -> Option<usize> {
    let count = runs.len();
    let len = |back: usize| runs[count - back].1;
    let crowded = count >= 3 && len(3) <= len(2) + len(1) || count >= 4 && len(4) <= len(3) + len(2);
    if crowded {
        // The middle one with the shorter of its neighbours.
        return Some(if len(3) < len(1) { count - 3 } else { count - 2 });
    }
    (count >= 2 && len(2) <= len(1)).then(|| count - 2)
}

impl Sort<'_> {
    fn at(&self, position: u32) -> Compared {
        (self.at)(position)
    }

    fn is_before(&self, a: Compared, b: Compared) -> bool {
        self.comparison.is_before(a, b)
    }

    fn sort(&self, order: &mut Slice<u32>, scratch: &mut Slice<u32>) {
        let mut runs = [(0, 0); RUNS];
        let runs = Slice::of_mut(&mut runs);
        let mut count = 0;
        let mut at = 0;
        while at < order.len() {
            let mut len = self.find_run(&mut order[at..]);
            if len < SHORT {
                let most = SHORT.min(order.len() - at);
                self.insert(&mut order[at..at + most], len);
                len = most;
            }
            runs[count] = (at, len);
            count += 1;
            at += len;
            while let Some(left) = to_merge(&runs[..count]) {
                self.merge_runs(order, scratch, runs, left);
                count -= 1;
            }
        }
        while count > 1 {
            // The shorter neighbour of the last but one first.
            let left = if count > 2 && runs[count - 3].1 < runs[count - 1].1 { count - 3 } else { count - 2 };
            self.merge_runs(order, scratch, runs, left);
            count -= 1;
        }
    }

    /// The length of the run at the beginning; one that goes down is turned round.
    fn find_run(&self, order: &mut Slice<u32>) -> usize {
        if order.len() < 2 {
            return order.len();
        }
        let mut last = self.at(order[1]);
        let down = self.is_before(last, self.at(order[0]));
        let mut len = 2;
        while len < order.len() {
            let next = self.at(order[len]);
            if self.is_before(next, last) != down {
                break;
            }
            (last, len) = (next, len + 1);
        }
        if down {
            order[..len].reverse();
        }
        len
    }

    /// Sorts a short slice, of which the first `sorted` are in order.
    fn insert(&self, order: &mut Slice<u32>, sorted: usize) {
        for place in sorted.max(1)..order.len() {
            let value = order[place];
            let compared = self.at(value);
            let to = count_last(&order[..place], &|other| !self.is_before(compared, self.at(other)));
            order.copy_within(to..place, to + 1);
            order[to] = value;
        }
    }

    fn merge_runs(
        &self,
        order: &mut Slice<u32>,
        scratch: &mut Slice<u32>,
        runs: &mut Slice<(usize, usize)>,
        left: usize,
    ) {
        let ((start, len), (middle, right)) = (runs[left], runs[left + 1]);
        self.merge(&mut order[start..middle + right], len, scratch);
        runs[left] = (start, len + right);
        if left + 2 < runs.len() {
            runs[left + 1] = runs[left + 2];
        }
    }

    /// Merges the first `middle` values with the others; both are in order.
    fn merge(&self, order: &mut Slice<u32>, middle: usize, scratch: &mut Slice<u32>) {
        if middle == 0 || middle == order.len() {
            return;
        }
        // What is in its place already at either end stays there.
        let first = self.at(order[middle]);
        let start = count_last(&order[..middle], &|value| !self.is_before(first, self.at(value)));
        if start == middle {
            return;
        }
        let last = self.at(order[middle - 1]);
        let end = middle + count_first(&order[middle..], &|value| self.is_before(self.at(value), last));
        let left = middle - start;
        scratch[..left].copy_from_slice(&order[start..middle]);
        let (mut from, mut right, mut to) = (0, middle, start);
        // What is compared of the next value on either side.
        let (mut l, mut r) = (self.at(scratch[0]), first);
        // Values go to `to`, which is `left - from` before `right`: what is there was copied or has gone.
        'all: while from < left && right < end {
            let (mut lefts, mut rights) = (0, 0);
            while lefts < STREAK && rights < STREAK {
                if self.is_before(r, l) {
                    order[to] = order[right];
                    (right, rights, lefts) = (right + 1, rights + 1, 0);
                    to += 1;
                    if right == end {
                        break 'all;
                    }
                    r = self.at(order[right]);
                } else {
                    order[to] = scratch[from];
                    (from, lefts, rights) = (from + 1, lefts + 1, 0);
                    to += 1;
                    if from == left {
                        break 'all;
                    }
                    l = self.at(scratch[from]);
                }
            }
            loop {
                let lefts = count_first(&scratch[from..left], &|value| !self.is_before(r, self.at(value)));
                order[to..to + lefts].copy_from_slice(&scratch[from..from + lefts]);
                (from, to) = (from + lefts, to + lefts);
                if from == left {
                    break 'all;
                }
                l = self.at(scratch[from]);
                let rights = count_first(&order[right..end], &|value| self.is_before(self.at(value), l));
                order.copy_within(right..right + rights, to);
                (right, to) = (right + rights, to + rights);
                if right == end {
                    break 'all;
                }
                r = self.at(order[right]);
                order[to] = scratch[from];
                (from, to) = (from + 1, to + 1);
                if from == left {
                    break 'all;
                }
                if lefts < STREAK && rights < STREAK {
                    l = self.at(scratch[from]);
                    break;
                }
            }
        }
        order[to..to + left - from].copy_from_slice(&scratch[from..left]);
    }
}

/// How many values at the beginning `holds` for, if it holds for a beginning; looks near it first.
fn count_first(values: &Slice<u32>, holds: &dyn Fn(u32) -> bool) -> usize {
    let (mut low, mut high) = (0, 1);
    while high <= values.len() && holds(values[high - 1]) {
        low = high;
        high = high * 2 + 1;
    }
    search(values, low, (high - 1).min(values.len()), holds)
}

/// As `count_first`; looks near the end first.
fn count_last(values: &Slice<u32>, holds: &dyn Fn(u32) -> bool) -> usize {
    let len = values.len();
    let (mut high, mut step) = (len, 1);
    while step <= len && !holds(values[len - step]) {
        high = len - step;
        step = step * 2 + 1;
    }
    search(values, len.saturating_sub(step), high, holds)
}

fn search(values: &Slice<u32>, mut low: usize, mut high: usize, holds: &dyn Fn(u32) -> bool) -> usize {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(values[middle]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests {
    use super::super::dice::Dice;
    use super::*;
    use crate::core::ids::Handle;
    use core::ptr::null;

    /// The longest input of a test that tries all lengths: Miri is some hundred times slower than the machine.
    const LONG: u32 = if cfg!(miri) { 40 } else { 300 };

    /// A comparison by a closure, of positions.
    fn sort_by(order: &mut [u32], is_before: &mut dyn FnMut(u32, u32) -> bool) {
        fn run(it: &Comparison, _: *const u8, _: *const u8, a: Handle, b: Handle) -> i32 {
            // SAFETY: set below, and nobody else uses it meanwhile.
            let is_before = unsafe { &mut *it.user.cast::<&mut dyn FnMut(u32, u32) -> bool>() };
            -i32::from(is_before(a as u32, b as u32))
        }
        let mut is_before = is_before;
        let comparison = Comparison { run, function: null(), user: (&raw mut is_before).cast() };
        let mut scratch = order.to_vec();
        sort(order, &mut scratch, &comparison, &|position| (null(), position.into()));
    }

    fn sorted(keys: &[u64]) -> (Vec<u32>, usize) {
        let mut order: Vec<u32> = (0..keys.len() as u32).collect();
        let mut comparisons = 0;
        sort_by(&mut order, &mut |a, b| {
            comparisons += 1;
            keys[a as usize] < keys[b as usize]
        });
        let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
        expected.sort_by_key(|at| keys[*at as usize]);
        assert_eq!(order, expected);
        (order, comparisons)
    }

    #[test]
    fn sorts_stably_whatever_comes() {
        let mut dice = Dice(1);
        for len in (0..u64::from(LONG)).chain(if cfg!(miri) { [100, 200] } else { [1000, 5000] }) {
            for sides in [1, 2, 10, 1 << 30] {
                let keys: Vec<u64> = (0..len).map(|_| dice.next(sides)).collect();
                sorted(&keys);
                let saw: Vec<u64> = (0..len).map(|at| at % 37 + dice.next(2)).collect();
                sorted(&saw);
                let organ: Vec<u64> = (0..len).map(|at| at.min(len - at) / 3).collect();
                sorted(&organ);
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "counts the comparisons of ten thousand elements")]
    fn what_is_nearly_in_order_costs_little() {
        let len = 10_000;
        let up: Vec<u64> = (0..len).collect();
        assert_eq!(sorted(&up).1, 9_999);
        let down: Vec<u64> = (0..len).rev().collect();
        assert_eq!(sorted(&down).1, 9_999);
        let mut dice = Dice(2);
        let mut few = up.clone();
        for _ in 0..100 {
            few.swap(dice.next(len) as usize, dice.next(len) as usize);
        }
        let (few, random) = (sorted(&few).1, sorted(&(0..len).map(|_| dice.next(len)).collect::<Vec<_>>()).1);
        assert!(few < 30_000 && random < 145_000, "{few}, {random}");
        let mut near = up;
        for at in 1..len as usize {
            if dice.next(2) == 0 {
                near.swap(at - 1, at);
            }
        }
        assert!(sorted(&near).1 < 60_000, "{}", sorted(&near).1);
    }

    #[test]
    fn a_comparison_that_contradicts_itself_loses_nobody() {
        let mut dice = Dice(3);
        for len in 0..LONG {
            for _ in 0..4 {
                let mut order: Vec<u32> = (0..len).collect();
                sort_by(&mut order, &mut |_, _| dice.next(2) == 0);
                order.sort_unstable();
                assert!(order.into_iter().eq(0..len));
            }
        }
    }
}
