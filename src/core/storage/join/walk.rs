//! The walk over the words of a join that builds its batches. Compiled once for each level.
//!
//! A word's matches are a *run* if in every field they lie side by side. That is known without reading
//! a slot, from the page's words alone (`Page::word`): a run begins at the rank of the first match, and
//! must have no other member in between.
//!
//! ```text
//!   members   0110 1100      first at 30     bits 2, 3, 5, 6 are at 30, 31, 32, 33
//!   matches   0110 1000      bits 3, 5, 6    positions 31, 32, 33: a run
//!   matches   0100 1100      bits 2, 3, 6    positions 30, 31, 33: not one, because of bit 5
//! ```

use super::batch::{Cursor, Fields, LOOK_AHEAD, MOST_ROWS, PICKS, SPARE};
use super::{Join, TERMS, Tracked};
use crate::core::ids::{Layout, Word};
use crate::core::storage::packed::{self, Lookup, Packed};
use crate::core::storage::page::{PAGE, Page, WORDS};
use crate::core::storage::pool::Pool;
use crate::core::storage::sparse::PAGES;
use core::mem::MaybeUninit;

/// How many pages ahead heads of pages are asked for.
const AHEAD: usize = 8;

/// Matches of a word that are handed out as a run rather than one by one.
const WORTH: u32 = 16;

/// A page of every pool of a join: those of the same 256 entities.
pub struct View<'a, L: Layout> {
    join: &'a Join<L>,
    pages: [MaybeUninit<*const Page<L>>; TERMS],
}

impl<'a, L: Layout> View<'a, L> {
    /// The pages of an index.
    #[inline(always)]
    pub fn at(join: &'a Join<L>, index: u32) -> Self {
        let mut view = Self { join, pages: [const { MaybeUninit::uninit() }; TERMS] };
        view.turn(index);
        view
    }

    /// Turns to the pages of another index.
    #[inline(always)]
    fn turn(&mut self, index: u32) {
        for (number, page) in self.pages.iter_mut().enumerate().take(self.join.pools.len()) {
            page.write(self.join.pool(number).sparse().page(index));
        }
    }

    #[inline(always)]
    fn page(&self, number: usize) -> &'a Page<L> {
        // SAFETY: `turn` wrote the page of each pool; pages are as good as their pools.
        unsafe { &*self.pages[number].assume_init() }
    }

    #[inline(always)]
    fn page_of(&self, tracked: &Tracked) -> &'a Page<L> {
        self.page(tracked.pool as usize)
    }

    /// The matches among the 64 neighbours of an index.
    #[inline(always)]
    pub fn mask(&self, index: u32) -> u64 {
        let [with, without, any] = self.join.kinds();
        let mut mask = with.fold(u64::MAX, |mask, number| mask & self.page(number).members(index));
        if !any.is_empty() {
            mask &= self.any_of(index);
        }
        without.fold(mask, |mask, number| mask & !self.page(number).members(index))
    }

    /// The matches of each word of the page.
    #[inline(always)]
    fn masks(&self) -> [u64; WORDS] {
        let [with, without, any] = self.join.kinds();
        let mut masks = [u64::MAX; WORDS];
        for number in with {
            masks.iter_mut().zip(self.page(number).words()).for_each(|(mask, members)| *mask &= members);
        }
        for number in without {
            masks.iter_mut().zip(self.page(number).words()).for_each(|(mask, members)| *mask &= !members);
        }
        if !any.is_empty() {
            masks.iter_mut().zip((0..).step_by(64)).for_each(|(mask, index)| *mask &= self.any_of(index));
        }
        masks
    }

    fn any_of(&self, index: u32) -> u64 {
        let [_, _, any] = self.join.kinds();
        let (mut mask, mut some, mut now) = (u64::MAX, 0, self.join.any.first().copied());
        for (number, group) in any.zip(self.join.any.iter().copied()) {
            if Some(group) != now {
                mask &= some;
                (some, now) = (0, Some(group));
            }
            some |= self.page(number).members(index);
        }
        mask & some
    }

    /// Whether the members of each word are in order in every pool that all matches are in.
    #[inline(always)]
    fn orders(&self) -> [bool; WORDS] {
        let mut all = [true; WORDS];
        for tracked in self.join.tracked.iter().filter(|tracked| tracked.required) {
            all.iter_mut().zip(self.page_of(tracked).orders()).for_each(|(all, order)| *all &= order);
        }
        all
    }

    /// Where the matches of a word lie in each tracked pool, if they are a run; returns which pools have
    /// none of them.
    #[inline(always)]
    fn place(&self, index: u32, matches: u64, at: &mut [u32; TERMS + 1]) -> Option<u64> {
        if self.join.with == 0 {
            return None;
        }
        let low = matches.trailing_zeros();
        let span = u64::MAX << low & u64::MAX >> matches.leading_zeros();
        let mut absent = 0;
        for (number, (tracked, at)) in self.join.tracked.iter().zip(at.iter_mut()).enumerate() {
            let (members, first) = self.page_of(tracked).word(index);
            if !tracked.required && members & matches == 0 {
                absent |= 1 << number;
                continue;
            }
            if members & span != matches {
                return None;
            }
            *at = first? + (members & !(u64::MAX << low)).count_ones();
        }
        Some(absent)
    }

    /// How many of the pages from an index on, at most `most`, go on with a run, all their 256 entities:
    /// the usual case, looked at one pool after the other.
    #[inline(always)]
    fn pages_on(&self, index: u32, positions: &[u32; TERMS + 1], count: u32, most: usize) -> usize {
        let [with, without, _] = self.join.kinds();
        let sparse = |number: usize| self.join.pool(number).sparse();
        let mut pages = most;
        for (number, tracked) in self.join.tracked.iter().enumerate() {
            let mut position = positions[number] + count;
            let neighbours = sparse(tracked.pool as usize).neighbours(index);
            let now = &neighbours[..pages];
            pages = 0;
            for page in now {
                // Their heads lie far apart: ask for those that come soon.
                prefetch(
                    neighbours.get(pages + AHEAD).copied().map_or(core::ptr::null(), core::ptr::from_ref),
                );
                if !page.is_full_run(position) {
                    break;
                }
                pages += 1;
                position += PAGE as u32;
            }
        }
        if !self.join.all_tracked {
            for number in with {
                let neighbours = sparse(number).neighbours(index).iter().take(pages);
                pages = neighbours.take_while(|page| page.is_full()).count();
            }
        }
        for number in without {
            let neighbours = sparse(number).neighbours(index).iter().take(pages);
            pages = neighbours.take_while(|page| page.is_vacant()).count();
        }
        pages
    }
}

/// The end of the page of an index.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)]
fn page_end(index: u32) -> u32 {
    (index & !(PAGE as u32 - 1)).saturating_add(PAGE as u32)
}

/// Words with matches, for a gather.
pub struct Words {
    at: MaybeUninit<[(u32, u64); PICKS]>,
    len: usize,
}

impl Words {
    /// None, in a place: made there, because a value that is returned would be written whole.
    #[inline(always)]
    pub const fn none(place: &mut MaybeUninit<Self>) -> &mut Self {
        // SAFETY: the length is written, and the words need no value.
        unsafe {
            (&raw mut (*place.as_mut_ptr()).len).write(0);
            place.assume_init_mut()
        }
    }

    /// There is room: each word has a match, and there are at most `PICKS`.
    #[inline(always)]
    fn push(&mut self, index: u32, matches: u64) {
        assert!(self.len < PICKS);
        // SAFETY: within the array.
        unsafe { self.at.as_mut_ptr().cast::<(u32, u64)>().add(self.len).write((index & !63, matches)) };
        self.len += 1;
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        // SAFETY: the first `len` were written.
        let words = unsafe { core::slice::from_raw_parts(self.at.as_ptr().cast(), self.len) };
        words.iter().copied()
    }
}

/// What `collect` found.
pub enum Found {
    /// A run: the cursor stands before it.
    Run,
    /// So many matches, in the words.
    Picks(u32),
}

/// A lead with so few members is looked through instead of the words.
const FEW: usize = 24;

/// Looks through the members of the with-term that has the fewest, if these are few: a walk that begins is over
/// then. Their indices are sorted, because matches come in the order of indices.
#[inline(always)]
fn collect_few<L: Layout>(join: &Join<L>, cursor: &mut Cursor, words: &mut Words) -> Option<u32> {
    let [with, _, _] = join.kinds();
    let lead = with.map(|number| join.pool(number)).min_by_key(|pool| pool.len())?;
    if lead.len() as usize > FEW {
        return None;
    }
    let mut indices = [0; FEW];
    let mut count = 0;
    for position in (0..lead.len()).filter(|position| !lead.is_gap(*position)) {
        let index = L::index(lead.entity(position));
        if index >= cursor.index && index < cursor.end {
            let mut place = count;
            while place > 0 && indices[place - 1] > index {
                indices[place] = indices[place - 1];
                place -= 1;
            }
            indices[place] = index;
            count += 1;
        }
    }
    let mut picked = 0;
    for index in &indices[..count] {
        if View::at(join, *index).mask(*index) >> (index % 64) & 1 != 0 {
            words.push(*index, 1 << (index % 64));
            picked += 1;
        }
    }
    cursor.index = cursor.end;
    cursor.resume = cursor.end;
    Some(picked)
}

/// Looks for the next run, or for up to `most` matches that are none.
#[inline(always)]
pub fn collect<L: Layout>(join: &Join<L>, cursor: &mut Cursor, most: u32, words: &mut Words) -> Found {
    let mut picked = 0;
    if most as usize >= FEW
        && cursor.index < cursor.end
        && let Some(picked) = collect_few(join, cursor, words)
    {
        return Found::Picks(picked);
    }
    let mut index = join.next_page(cursor.index, cursor.end);
    let mut view = View::at(join, index);
    'walk: while index < cursor.end {
        let end = page_end(index).min(cursor.end);
        let (masks, orders) = (view.masks(), view.orders());
        while index < end {
            let word = index as usize % PAGE / 64;
            let matches = masks[word] & u64::MAX << (index % 64);
            if matches == 0 {
                index = (index | 63) + 1;
                continue;
            }
            let count = matches.count_ones();
            if orders[word]
                && count >= WORTH
                && let Some(absent) = view.place(index, matches, &mut cursor.positions)
            {
                if picked > 0 {
                    break 'walk;
                }
                run(view, cursor, (index, matches, absent));
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
        index = join.next_page(index, cursor.end);
        view.turn(index);
    }
    cursor.limit = (cursor.limit * 2).min(LOOK_AHEAD);
    cursor.index = index;
    cursor.resume = index;
    Found::Picks(picked)
}

/// How many rows each field has in a gather.
#[inline(always)]
pub fn rows_per_field<L: Layout>(join: &Join<L>) -> usize {
    let rows = join.rows();
    if rows <= MOST_ROWS / PICKS { PICKS } else { MOST_ROWS / rows }
}

/// The first index of a word that is left, or the next word's.
#[inline(always)]
fn behind(index: u32, left: u64) -> u32 {
    if left == 0 { (index | 63) + 1 } else { (index & !63) + left.trailing_zeros() }
}

/// The lowest bits of a word, at most `most`.
#[inline(always)]
fn lowest(mut bits: u64, most: u32) -> u64 {
    let mut over = bits.count_ones().saturating_sub(most);
    while over > 0 {
        bits ^= 1 << (63 - bits.leading_zeros());
        over -= 1;
    }
    bits
}

/// The first index below `end` that matches, from `index` on.
pub fn first<L: Layout>(join: &Join<L>, mut index: u32, end: u32) -> Option<u32> {
    loop {
        index = join.next_page(index, end);
        if index >= end {
            return None;
        }
        let matches = View::at(join, index).mask(index) & u64::MAX << (index % 64);
        if matches != 0 {
            return Some((index & !63) + matches.trailing_zeros());
        }
        index = (index | 63) + 1;
    }
}

/// Lets a cursor stand before the next run, which may be a short one; false at the end.
#[inline(always)]
pub fn find_run<L: Layout>(join: &Join<L>, cursor: &mut Cursor) -> bool {
    let mut index = cursor.index;
    loop {
        index = join.next_page(index, cursor.end);
        if index >= cursor.end {
            cursor.index = index;
            cursor.resume = index;
            return false;
        }
        let view = View::at(join, index);
        let matches = view.mask(index) & u64::MAX << (index % 64);
        if matches == 0 {
            index = (index | 63) + 1;
            continue;
        }
        match view.place(index, matches, &mut cursor.positions) {
            Some(absent) => run(view, cursor, (index, matches, absent)),
            None => short_run(&view, cursor, (index, matches)),
        }
        return true;
    }
}

/// Begins a run with the matches of a word, and looks how far it goes.
#[inline(always)]
fn run<L: Layout>(mut view: View<'_, L>, cursor: &mut Cursor, (index, matches, absent): (u32, u64, u64)) {
    let mut count = matches.count_ones();
    let mut index = (index | 63) + 1;
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
                if index >= cursor.end || pages as usize == left {
                    continue;
                }
            }
            view.turn(index);
        }
        let matches = view.mask(index);
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
    cursor.limit = (cursor.limit * 2).min(LOOK_AHEAD);
    cursor.index = index;
    cursor.left = count;
    cursor.absent = absent;
}

/// Hands out as much of the run under way as lies side by side. Nothing here can panic.
#[inline(always)]
pub fn advance<L: Layout>(
    join: &Join<L>,
    cursor: &mut Cursor,
    fields: &mut Fields<'_>,
    registry: *const u8,
) -> u32 {
    let absent = cursor.absent;
    let is_there = |number: usize| absent >> number & 1 == 0;
    let mut count = cursor.left;
    for (number, position) in cursor.positions.iter().enumerate().take(join.tracked.len()) {
        if is_there(number) {
            count = count.min(Packed::<L>::page_end(*position).wrapping_sub(*position));
        }
    }
    for (number, (tracked, at)) in join.tracked.iter().zip(&mut cursor.positions).enumerate() {
        let position = *at;
        *at = position.wrapping_add(count);
        let mut first = core::ptr::null_mut();
        if is_there(number) {
            let place = join.pool(tracked.pool as usize).packed().place(position);
            first = place.element;
            if number == 0 && tracked.required {
                fields.entities = place.entity.cast_const().cast();
                // SAFETY: the run's entities lie side by side, and were written.
                let last = unsafe { place.entity.add(count as usize).sub(1).read() };
                cursor.resume = L::index(last.handle()).wrapping_add(1);
            }
        }
        if let Some(data) = fields.data.get_mut(tracked.field as usize) {
            *data = first;
        }
    }
    if join.with == 0 {
        let size = size_of::<L::Word>();
        fields.entities = registry.wrapping_add(cursor.next as usize * size);
        cursor.next = cursor.next.wrapping_add(count);
        cursor.resume = cursor.next;
    }
    cursor.left = cursor.left.wrapping_sub(count);
    fields.gather = false;
    fields.count = count;
    count
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

/// Writes the indices of all matches; eight at a time, so up to seven behind the last are spoilt. Eight zeros
/// follow, because `scatter::by_eights` reads up to seven behind the last, and an iterator begins uninitialised.
#[inline(always)]
pub fn pick<M: Means>(words: &Words, picks: &mut [u32; PICKS + SPARE]) {
    let mut at = picks.as_mut_ptr();
    for (word, mut matches) in words.iter() {
        if matches.count_ones() <= 8 {
            while matches != 0 {
                // SAFETY: there are at most `PICKS` matches in all, and room for 8 more.
                unsafe {
                    at.write(word + matches.trailing_zeros());
                    at = at.add(1);
                }
                matches &= matches - 1;
            }
            continue;
        }
        // SAFETY: as above.
        at = unsafe { M::indices(word, matches, at) };
    }
    // SAFETY: as above.
    unsafe { at.cast::<[u32; 8]>().write_unaligned([0; 8]) };
}

/// How indices and addresses are worked out: one by one, or by eights.
pub trait Means {
    /// Writes the indices of the bits of a word, the first of which is `word`; returns the place behind the last.
    ///
    /// # Safety
    /// There is room for all of them, and for eight more.
    unsafe fn indices(word: u32, bits: u64, at: *mut u32) -> *mut u32;

    /// Those of members that lie who knows where.
    fn scattered<L: Layout>(members: &Scattered<'_, L>, picks: &[u32], rows: &mut [*mut u8]);

    /// Those of members that lie in order from `base` on, of `size` bytes each.
    fn in_order(base: *mut u8, size: usize, members: u64, matches: u64, picks: &[u32], rows: &mut [*mut u8]);
}

/// Writes the addresses of all matches in one pool.
///
/// ```text
///   in order     first + rank of the bit among the members
///   else         as the slots say: all matches of a page at once
/// ```
#[inline(always)]
pub fn addresses<L: Layout, M: Means>(pool: &Pool<L>, words: &Words, picks: &[u32], rows: &mut [*mut u8]) {
    let lookup = pool.packed().lookup();
    let sparse = pool.sparse();
    let far = pool.len() as usize * lookup.size() > NEAR;
    let mut done = 0;
    let mut words = words.iter().peekable();
    while let Some((word, matches)) = words.next() {
        let page = sparse.page(word);
        let mut count = matches.count_ones() as usize;
        let (members, first) = page.word(word);
        let (now, at) = (&picks[done..], &mut rows[done..]);
        if members & matches != matches {
            for (row, index) in at.iter_mut().zip(now).take(count) {
                let there = members >> (index % 64) & 1 != 0;
                // SAFETY: a member's position is in use.
                let element = || unsafe { lookup.element(page.position(*index)) };
                *row = if there { element() } else { core::ptr::null_mut() };
            }
        } else if let Some(first) = first
            && packed::is_one_page(first, first + members.count_ones() - 1)
        {
            // SAFETY: as above; all members lie in one page.
            let base = unsafe { lookup.element(first) };
            M::in_order(base, lookup.size(), members, matches, now, at);
        } else {
            // The matches of neighbouring words that lie about in the same page go with them.
            while let Some((_, more)) = words.next_if(|(next, more)| {
                let same = next / PAGE as u32 == word / PAGE as u32;
                let (members, first) = page.word(*next);
                same && first.is_none() && members & more == *more
            }) {
                count += more.count_ones() as usize;
            }
            M::scattered(&Scattered { page, lookup, len: pool.len(), count }, now, at);
            if far {
                at[..count].iter().for_each(|row| prefetch(*row));
            }
        }
        done += count;
    }
}

/// Bytes of a pool that the caches nearest to a core hold: what lies in them isn't asked for ahead.
const NEAR: usize = 1 << 19;

/// Members whose elements lie who knows where.
pub struct Scattered<'a, L: Layout> {
    /// Their page.
    pub page: &'a Page<L>,
    /// The elements.
    pub lookup: Lookup<'a, L::Word>,
    /// Positions in use.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub len: u32,
    /// How many of the picks they are.
    pub count: usize,
}

/// Asks for the memory of an element that is read soon, and lies who knows where.
#[inline(always)]
fn prefetch<T>(element: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on the caches, whatever the address.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(element.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}

/// How many match from index `first` on, below `end`.
#[inline(always)]
pub fn count<L: Layout>(join: &Join<L>, first: u32, end: u32) -> u32 {
    let (mut index, mut count) = (first, 0);
    loop {
        index = join.next_page(index, end);
        if index >= end {
            return count;
        }
        let masks = View::at(join, index).masks();
        let stop = page_end(index).min(end);
        while index < stop {
            count += (masks[index as usize % PAGE / 64] & u64::MAX << (index % 64)).count_ones();
            index = (index | 63) + 1;
        }
    }
}
