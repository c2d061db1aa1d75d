//! The walk over the words of a join that builds its batches. Compiled once for each level.

use super::ahead::{Part, lay_out};
use super::batch::{Cursor, Fields};
use super::gather::Words;
use super::view::View;
use super::{Join, TERMS, Tracked};
use crate::core::ids::{Layout, Word};
use crate::core::storage::page::{PAGE, WORDS};
use crate::core::storage::sparse::PAGES;

/// Matches that are handed out as a run rather than one by one.
pub const WORTH: u32 = 16;

/// Fewer matches than this in a page: the next one may well have none.
const SPARSE: u32 = 8;

/// The end of the page of an index.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)]
fn page_end(index: u32) -> u32 {
    (index & !(PAGE as u32 - 1)).saturating_add(PAGE as u32)
}

/// Which of the 64 neighbours of an index come before an end, which isn't before the first of them.
#[inline(always)]
fn up_to(index: u32, end: u32) -> u64 {
    let left = end - (index & !63);
    if left < 64 { !(u64::MAX << left) } else { u64::MAX }
}

/// What `collect` found.
pub enum Found {
    /// A run: the cursor stands before it.
    Run,
    /// So many matches, in the words.
    Picks(u32),
}

/// Looks for the next run, or for up to `most` matches that are none.
#[inline(always)]
pub fn collect<L: Layout>(
    join: &Join<L>,
    cursor: &mut Cursor,
    most: u32,
    words: &mut Words,
    run: Run<L>,
) -> Found {
    let mut picked = 0;
    // Who is made by the program has no place in the very first page.
    let first = cursor.index == 0;
    let mut index = if first { join.next_page(0, cursor.end) } else { cursor.index };
    let mut pages = View::ROOM;
    let mut view = View::at(join, &mut pages, index);
    'walk: while index < cursor.end {
        let (end, before) = (page_end(index).min(cursor.end), picked);
        let mut masks = [u64::MAX; WORDS];
        view.mask_words(&mut masks);
        if !end.is_multiple_of(64) {
            masks[end as usize % PAGE / 64] &= up_to(end, end);
        }
        if picked == 0 && masks[0] == u64::MAX && run_of_pages(&mut view, cursor, index, run) {
            return Found::Run;
        }
        masks[index as usize % PAGE / 64] &= u64::MAX << (index % 64);
        while index < end {
            let word = index as usize % PAGE / 64;
            let matches = masks[word];
            if matches == 0 {
                index = (index | 63) + 1;
                continue;
            }
            let count = matches.count_ones();
            if count >= WORTH
                && view.may_lie_so(index, matches)
                && let Some(absent) = view.place(index, matches, &mut cursor.positions)
            {
                if picked > 0 {
                    break 'walk;
                }
                run(&mut view, cursor, Begun::with_word(index, matches, absent));
                return Found::Run;
            }
            if count >= most - picked {
                let taken = lowest(matches, most - picked);
                words.push(index, taken);
                picked = most;
                index = behind(index, matches & !taken);
                break 'walk;
            }
            words.push(index, matches);
            picked += count;
            index = (index | 63) + 1;
        }
        // Where many match, somebody of the next page mostly does.
        if picked - before < SPARSE {
            index = join.next_page(index, cursor.end);
        }
        view.turn(index);
    }
    cursor.look_further();
    cursor.index = index;
    Found::Picks(picked)
}

/// The first index of a word that is left, or the next word's.
#[inline(always)]
fn behind(index: u32, left: u64) -> u32 {
    if left == 0 { (index | 63) + 1 } else { (index & !63) + left.trailing_zeros() }
}

/// The lowest bits of a word, at most `most`: the lower half of what is left is taken whole, or looked into.
#[inline(always)]
fn lowest(bits: u64, mut most: u32) -> u64 {
    if bits.count_ones() <= most {
        return bits;
    }
    let (mut taken, mut width) = (0, 32);
    while width > 0 {
        let half = (bits >> taken & !(u64::MAX << width)).count_ones();
        if half <= most {
            most -= half;
            taken += width;
        }
        width /= 2;
    }
    bits & !(u64::MAX << taken)
}

/// The matches of the first word that has some, from `index` on, and an index in it; none: there is none below `end`.
#[inline(never)]
pub fn first_word<L: Layout>(join: &Join<L>, mut index: u32, end: u32) -> (u32, u64) {
    loop {
        if (index as usize).is_multiple_of(PAGE) {
            index = join.next_page(index, end);
        }
        if index >= end {
            return (end, 0);
        }
        let matches = join.mask(index) & u64::MAX << (index % 64) & up_to(index, end);
        if matches != 0 {
            return (index, matches);
        }
        index = (index | 63) + 1;
    }
}

/// The first index below `end` that matches, from `index` on.
pub fn first<L: Layout>(join: &Join<L>, index: u32, end: u32) -> Option<u32> {
    let (index, matches) = first_word(join, index, end);
    (matches != 0).then(|| (index & !63) + matches.trailing_zeros())
}

/// Lets a cursor stand before the next run, which may be a short one; false at the end.
#[inline(always)]
pub fn find_run<L: Layout>(join: &Join<L>, cursor: &mut Cursor, run: Run<L>) -> bool {
    let mut index = cursor.index;
    loop {
        index = join.next_page(index, cursor.end);
        if index >= cursor.end {
            cursor.index = index;
            cursor.resume = index;
            return false;
        }
        let matches = join.mask(index) & u64::MAX << (index % 64) & up_to(index, cursor.end);
        if matches == 0 {
            index = (index | 63) + 1;
            continue;
        }
        let mut pages = View::ROOM;
        let mut view = View::at(join, &mut pages, index);
        if matches == u64::MAX && run_of_pages(&mut view, cursor, index, run) {
            return true;
        }
        if let Some(absent) = view.place(index, matches, &mut cursor.positions) {
            run(&mut view, cursor, Begun::with_word(index, matches, absent));
        } else {
            short_run(&view, cursor, (index, matches));
        }
        return true;
    }
}

/// `run` at the level of whoever calls it. Not inlined: there are two who do.
pub type Run<L> = fn(&mut View<'_, L>, &mut Cursor, Begun) -> bool;

/// How a run begins: its matches so far, who has none of them, and where it goes on. The cursor has the positions.
#[derive(Clone, Copy)]
pub struct Begun {
    index: u32,
    count: u32,
    absent: u64,
}

impl Begun {
    /// With the matches of a word.
    #[inline(always)]
    const fn with_word(index: u32, matches: u64, absent: u64) -> Self {
        Self { index: (index | 63) + 1, count: matches.count_ones(), absent }
    }
}

/// Begins a run with whole pages from an index on, to whose page the view has turned, if it is that one's first: says
/// whether there are such.
#[inline(always)]
fn run_of_pages<L: Layout>(view: &mut View<'_, L>, cursor: &mut Cursor, index: u32, run: Run<L>) -> bool {
    (index as usize).is_multiple_of(PAGE)
        && view.join.any.is_empty()
        && view.guess(index, &mut cursor.positions)
        && run(view, cursor, Begun { index, count: 0, absent: 0 })
}

/// Lets a cursor stand before a run that has begun, as far as that goes. One that hasn't begins with whole pages, if there
/// are such: else false.
#[inline(always)]
pub fn run<L: Layout>(view: &mut View<'_, L>, cursor: &mut Cursor, begun: Begun) -> bool {
    let Begun { mut index, mut count, absent } = begun;
    let mut next = [0; TERMS + 1];
    let by_page = view.join.any.is_empty() && absent == 0;
    while index < cursor.end && count < cursor.limit {
        if (index as usize).is_multiple_of(PAGE) {
            if by_page {
                let most = (cursor.end - index) / PAGE as u32;
                let left = PAGES - index as usize / PAGE % PAGES;
                #[allow(clippy::cast_possible_truncation)]
                let pages = view.pages_on(index, &cursor.positions, count, left.min(most as usize)) as u32;
                index += pages * PAGE as u32;
                count += pages * PAGE as u32;
                if count == 0 {
                    break;
                }
                if index >= cursor.end || pages as usize == left {
                    continue;
                }
            }
            view.turn(index);
        }
        let matches = view.mask(index) & up_to(index, cursor.end);
        if matches == 0 || view.place(index, matches, &mut next) != Some(absent) {
            break;
        }
        let follows = |number: usize| next[number] == cursor.positions[number] + count;
        if !(0..view.join.tracked.len()).all(|number| absent >> number & 1 != 0 || follows(number)) {
            break;
        }
        count += matches.count_ones();
        index = (index | 63) + 1;
    }
    if count == 0 {
        return false;
    }
    cursor.look_further();
    cursor.index = behind_gap(view, index, cursor.end);
    cursor.left = count;
    cursor.absent = absent;
    true
}

/// The first index from the one behind a run on that may match: if there is none, the walk is over without another look.
#[inline(never)]
fn behind_gap<L: Layout>(view: &View<'_, L>, mut index: u32, end: u32) -> u32 {
    while index < end && !(index as usize).is_multiple_of(PAGE) {
        if view.may_match(index) {
            return index;
        }
        index += 64;
    }
    view.join.next_page(index, end)
}

/// Hands out as much of the run under way as lies side by side, and lays out what comes next. Nothing here can panic.
#[inline(always)]
pub fn advance<L: Layout>(
    join: &Join<L>,
    cursor: &mut Cursor,
    fields: &mut Fields<'_>,
    registry: *const u8,
) -> u32 {
    let part = part(join, cursor, &mut fields.data[..], registry);
    if cursor.left > 0 {
        lay_out(join, cursor, fields.rows, registry);
    }
    cursor.resume = part.behind;
    fields.hand_out(part.entities, part.count, false)
}

/// The index behind the last of some entities that lie side by side.
///
/// # Safety
/// There are `count` from `first` on, one at least.
#[inline(always)]
pub unsafe fn behind_run<L: Layout>(first: *const L::Word, count: u32) -> u32 {
    // SAFETY: the caller's promise.
    let last = unsafe { first.add(count as usize).sub(1).read() };
    L::index(last.handle()).wrapping_add(1)
}

/// Takes as much of the run under way as lies side by side; `data` gets where its fields begin. Nothing here can panic.
#[inline(always)]
pub fn part<L: Layout>(
    join: &Join<L>,
    cursor: &mut Cursor,
    data: &mut [*mut u8],
    registry: *const u8,
) -> Part {
    let (mut count, mut lead) = (cursor.left, core::ptr::null_mut::<L::Word>());
    for (number, (tracked, position)) in join.tracked.iter().zip(cursor.positions.iter()).enumerate() {
        let mut first = core::ptr::null_mut();
        if cursor.absent >> number & 1 == 0 {
            let (packed, position) = (join.pool(tracked.pool as usize).packed(), *position);
            let place = packed.place(position);
            count = count.min(packed.page_end(position).wrapping_sub(position));
            first = place.element;
            if number == 0 && tracked.required {
                lead = place.entity;
            }
        }
        if let Some(data) = data.get_mut(tracked.field as usize) {
            *data = first;
        }
    }
    cursor.left = cursor.left.wrapping_sub(count);
    for position in cursor.positions.iter_mut().take(join.tracked.len()) {
        *position = position.wrapping_add(count);
    }
    let (mut entities, mut behind) = (lead.cast_const().cast(), 0);
    if !lead.is_null() {
        // SAFETY: the run's entities lie side by side, and were written.
        behind = unsafe { behind_run::<L>(lead, count) };
    }
    if join.with == 0 {
        let size = size_of::<L::Word>();
        entities = registry.wrapping_add(cursor.next as usize * size);
        cursor.next = cursor.next.wrapping_add(count);
        behind = cursor.next;
    }
    Part { entities, count, behind }
}

/// Lets a cursor stand before the longest run that begins with the first match of a word, looking at slots.
#[inline(always)]
fn short_run<L: Layout>(view: &View<'_, L>, cursor: &mut Cursor, (index, matches): (u32, u64)) {
    let (join, word) = (view.join, index & !63);
    let position = |tracked: &Tracked, bit: u32| {
        let page = view.page_of(tracked);
        let there = page.members(word) >> bit & 1 != 0;
        there.then(|| L::index(page.slot(word + bit)))
    };
    let low = matches.trailing_zeros();
    cursor.absent = 0;
    for (number, tracked) in join.tracked.iter().enumerate() {
        match position(tracked, low) {
            Some(at) => cursor.positions[number] = at,
            None => cursor.absent |= 1 << number,
        }
    }
    let mut count = 1;
    let mut last = low;
    let mut rest = matches & (matches - 1);
    while rest != 0 {
        let bit = rest.trailing_zeros();
        let follows = join.tracked.iter().enumerate().all(|(number, tracked)| {
            let expected = (cursor.absent >> number & 1 == 0).then(|| cursor.positions[number] + count);
            position(tracked, bit) == expected
        });
        if !follows || join.with == 0 && bit != last + 1 {
            break;
        }
        count += 1;
        last = bit;
        rest &= rest - 1;
    }
    cursor.left = count;
    cursor.next = word + low;
    cursor.index = word + last + 1;
}

/// How many match from index `first` on, below `end`, which is a multiple of 64.
#[inline(always)]
pub fn count<L: Layout>(join: &Join<L>, first: u32, end: u32) -> u32 {
    let (mut index, mut count) = (first, 0);
    let mut pages = View::ROOM;
    loop {
        index = join.next_page(index, end);
        if index >= end {
            return count;
        }
        let view = View::at(join, &mut pages, index);
        let mut masks = [u64::MAX; WORDS];
        view.mask_words(&mut masks);
        let stop = page_end(index).min(end);
        while index < stop {
            count += (masks[index as usize % PAGE / 64] & u64::MAX << (index % 64)).count_ones();
            index = (index | 63) + 1;
        }
    }
}
