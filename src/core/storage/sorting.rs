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
//! Where nothing is in order, runs would be short, and each step of a merge a guess: there values are divided into those that
//! come before one of them and the others, over and over, as in O. Peters' and L. Bergdoll's driftsort. That decides without a
//! branch, and the next comparison needn't wait for the last. It is tried at most twice as often as halving would take; then what
//! is left is merged after all, so that no comparison can make it quadratic.
//!
//! ```text
//!   7 2 9 4 1 8                  the middle of some: 4
//!   2 1 | 7 9 4 8                before it, and not: in the order in which they were
//! ```
//!
//! What there is to compare at a position is looked up once for as long as the position waits while others pass. Merging without
//! a branch on which of two comes first took longer: the processor can't fetch what it doesn't know it will need.

use super::order::{Compared, Comparison};
use super::slice::{Slice, copy};

/// Runs shorter than this are filled up.
const SHORT: usize = 12;
/// After so many in a row from one side, a merge looks for the whole block.
const STREAK: usize = 7;
/// So many are looked at together to tell disorder: pairs of them, each half as many apart.
const WILD: usize = 128;
/// From one of these pairs to the next.
const STEP: usize = 4;
/// So many pairs there are.
const PAIRS: usize = WILD / 2 / STEP;
/// Of so many the middle one is looked for with care.
const MANY: usize = 64;
/// Runs that wait to be merged: their lengths grow like Fibonacci numbers, so these are enough for 2^32.
const RUNS: usize = 48;

/// Sorts `order`; `at` has what is compared at a position. `scratch` is as long as `order`.
pub fn sort(order: &mut [u32], scratch: &mut [u32], comparison: &Comparison, at: &dyn Fn(u32) -> Compared) {
    let depth = depth_for(order.len());
    Sort { comparison, at }.sort(Slice::of_mut(order), Slice::of_mut(scratch), depth);
}

/// How often so many may be divided.
fn depth_for(len: usize) -> u32 {
    2 * len.checked_ilog2().unwrap_or(0)
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

    /// `depth`: how often what lies in disorder may be divided, and what comes of that.
    fn sort(&self, order: &mut Slice<u32>, scratch: &mut Slice<u32>, depth: u32) {
        let mut runs = [(0, 0); RUNS];
        let runs = Slice::of_mut(&mut runs);
        let mut count = 0;
        let (mut at, mut calm) = (0, 0);
        while at < order.len() {
            let mut len = self.find_run(&mut order[at..]);
            if len < SHORT {
                let wild = if depth > 0 && at >= calm { self.find_wild(&order[at..]) } else { 0 };
                if wild > 0 {
                    self.divide(&mut order[at..at + wild], scratch, depth);
                    len = wild;
                } else {
                    if at >= calm {
                        // For a while that needn't be found out again.
                        calm = at + WILD / 2;
                    }
                    let most = SHORT.min(order.len() - at);
                    self.insert(&mut order[at..at + most], len);
                    len = most;
                }
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

    /// How many at the beginning lie in disorder: by what pairs of them say, neither nearly in order nor all the other way round,
    /// and not all behind those before them.
    fn find_wild(&self, order: &Slice<u32>) -> usize {
        let is_wrong = |near: &usize| self.is_before(self.at(order[near + WILD / 2]), self.at(order[*near]));
        let wrong = |from: usize| (from..from + WILD / 2).step_by(STEP).filter(is_wrong);
        let mut len = 0;
        while order.len() - len >= WILD
            && (2..PAIRS).contains(&wrong(len).count())
            && (len == 0 || wrong(len - WILD / 2).next().is_some())
        {
            len += WILD;
        }
        len
    }

    /// Sorts what lies in disorder: first those that come before one of them, then the others, both in the same way.
    fn divide(&self, mut order: &mut Slice<u32>, scratch: &mut Slice<u32>, mut depth: u32) {
        while order.len() > SHORT && depth > 0 {
            depth -= 1;
            let middle = self.at(self.middle(order));
            let before = part(order, scratch, |value| self.is_before(self.at(value), middle));
            if before == 0 {
                // Who isn't behind it is its equal.
                let equal = part(order, scratch, |value| !self.is_before(middle, self.at(value)));
                order = &mut order[equal..];
                continue;
            }
            self.divide(&mut order[..before], scratch, depth);
            order = &mut order[before..];
        }
        if order.len() > SHORT {
            self.sort(order, scratch, 0);
        } else {
            self.insert(order, 1);
        }
    }

    /// One that is likely to come amid the others: the middle one of three; each of them, if there are many, likewise.
    fn middle(&self, order: &Slice<u32>) -> u32 {
        let (len, eighth) = (order.len(), order.len() / 8);
        let of =
            |from: usize| if len < MANY { order[from] } else { self.middle(&order[from..from + eighth]) };
        self.middle_of(of(0), of(4 * eighth), of(len - eighth))
    }

    fn middle_of(&self, a: u32, b: u32, c: u32) -> u32 {
        let is_before = |a, b| self.is_before(self.at(a), self.at(b));
        let first = is_before(a, b);
        if first != is_before(a, c) {
            a
        } else if first == is_before(b, c) {
            b
        } else {
            c
        }
    }

    /// Sorts a short slice, of which the first `sorted` are in order.
    fn insert(&self, order: &mut Slice<u32>, sorted: usize) {
        for place in sorted..order.len() {
            let value = order[place];
            let compared = self.at(value);
            let mut to = place;
            while to > 0 && self.is_before(compared, self.at(order[to - 1])) {
                order[to] = order[to - 1];
                to -= 1;
            }
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

/// Puts those first for which `is_first` holds, all in their order; returns how many they are. Without a branch on what it says:
/// of who comes next nothing is known before.
#[inline(always)]
fn part(order: &mut Slice<u32>, scratch: &mut Slice<u32>, is_first: impl Fn(u32) -> bool) -> usize {
    let (mut first, mut others) = (0, 0);
    for at in 0..order.len() {
        let value = order[at];
        (order[first], scratch[others]) = (value, value);
        let goes_first = usize::from(is_first(value));
        (first, others) = (first + goes_first, others + 1 - goes_first);
    }
    copy(&mut order[first..], &scratch[..others]);
    first
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

    /// Lets somebody work with a comparison by a closure, of positions.
    fn compare_by(is_before: &mut dyn FnMut(u32, u32) -> bool, work: impl FnOnce(&Comparison)) {
        fn run(it: &Comparison, _: *const u8, _: *const u8, a: Handle, b: Handle) -> i32 {
            // SAFETY: set below, and nobody else uses it meanwhile.
            let is_before = unsafe { &mut *it.user.cast::<&mut dyn FnMut(u32, u32) -> bool>() };
            -i32::from(is_before(a as u32, b as u32))
        }
        let mut is_before = is_before;
        work(&Comparison { run, function: null(), user: (&raw mut is_before).cast() });
    }

    /// A position is all there is to compare.
    fn itself(position: u32) -> Compared {
        (null(), position.into())
    }

    fn sort_by(order: &mut [u32], is_before: &mut dyn FnMut(u32, u32) -> bool) {
        let mut scratch = order.to_vec();
        compare_by(is_before, |comparison| sort(order, &mut scratch, comparison, &itself));
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
        // Disorder in blocks costs what the blocks do.
        let blocks = sorted(&(0..len).map(|at| at / 128 * 128 + dice.next(128)).collect::<Vec<_>>()).1;
        assert!(blocks < 100_000, "{blocks}");
    }

    /// A comparison that makes up its mind as late as it can, so that whoever divides gets next to nothing off (M. D. McIlroy, A
    /// Killer Adversary for Quicksort, 1999).
    #[test]
    #[cfg_attr(miri, ignore = "compares a million times")]
    fn no_comparison_makes_it_quadratic() {
        const UNDECIDED: u32 = u32::MAX;
        let len = 20_000;
        let mut keys = vec![UNDECIDED; len as usize];
        let (mut decided, mut candidate, mut comparisons) = (0, 0, 0_u64);
        let mut is_before = |a: u32, b: u32| {
            comparisons += 1;
            if keys[a as usize] == UNDECIDED && keys[b as usize] == UNDECIDED {
                keys[if a == candidate { a } else { b } as usize] = decided;
                decided += 1;
            }
            let [one, other] = [a, b].map(|at| keys[at as usize]);
            if one == UNDECIDED || other == UNDECIDED {
                candidate = if one == UNDECIDED { a } else { b };
            }
            one < other
        };
        let mut order: Vec<u32> = (0..len).collect();
        let mut scratch = order.clone();
        compare_by(&mut is_before, |comparison| {
            let sort = Sort { comparison, at: &itself };
            sort.divide(Slice::of_mut(&mut order), Slice::of_mut(&mut scratch), depth_for(len as usize));
        });
        assert!(order.windows(2).all(|pair| keys[pair[0] as usize] <= keys[pair[1] as usize]));
        // It costs more than random values (15 each), but not thousands.
        let each = comparisons / u64::from(len);
        assert!((20..60).contains(&each), "{each}");
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
