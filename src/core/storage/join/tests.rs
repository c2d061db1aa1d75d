//! Walks where the indices end; what joins find elsewhere is compared with a naive model in tests/model.
#![allow(clippy::disallowed_types)] // tests may use everything

use super::*;
use crate::core::ids::{Narrow, Wide, Word};
use crate::core::storage::dice::Dice;
use crate::core::storage::memory::Allocator;
use crate::core::storage::page;
use crate::core::storage::pool::Shape;
use core::ptr::{null, null_mut};

/// A join of these terms.
pub fn join_of<L: Layout>(memory: &mut Memory, terms: &[Term<L>], level: Level) -> Join<L> {
    let (mut join, mut sorted) = (Join::new(level), Terms::none());
    terms.iter().for_each(|term| sorted.add(*term));
    join.take(memory, &sorted).unwrap();
    join
}

/// Who is found by batches: the indices, in order.
fn found<L: Layout>(join: &Join<L>, first: u32, end: u32, runs_only: bool) -> Vec<u32> {
    let mut found = Vec::new();
    let (mut cursor, mut room) = (Cursor::NONE, Room::EMPTY);
    cursor.begin(first, end, runs_only);
    loop {
        let mut fields = room.fields();
        let count = join.fill(&mut cursor, &mut fields, null()) as usize;
        if count == 0 {
            return found;
        }
        let indices = indices_of::<L>(&fields, count);
        if fields.gather {
            check_rows(join, &fields, &indices);
        }
        found.extend(indices);
    }
}

/// The rows of a gather lead to the elements of those who are in it, if they have some.
fn check_rows<L: Layout>(join: &Join<L>, fields: &Fields<'_>, indices: &[u32]) {
    for tracked in join.tracked.iter().filter(|tracked| tracked.field != NO_FIELD) {
        let pool = join.pool(tracked.pool.into());
        let rows = &fields.rows[fields.offsets[usize::from(tracked.field)].into()..];
        for (row, index) in rows.iter().zip(indices) {
            let page = pool.sparse().page(*index);
            let element = page.is_member(*index).then(|| pool.element(page.position(*index)));
            assert_eq!(*row, element.unwrap_or(null_mut()));
        }
    }
}

/// Who is in a batch.
fn indices_of<L: Layout>(fields: &Fields<'_>, count: usize) -> Vec<u32> {
    if fields.gather {
        return fields.picks[..count].to_vec();
    }
    // SAFETY: the entities of a run lie side by side.
    let words = unsafe { core::slice::from_raw_parts(fields.entities.cast::<L::Word>(), count) };
    words.iter().map(|word| L::index(word.handle())).collect()
}

/// Members up to the last index that can be handed out: side by side, apart, and few.
fn at_the_end<L: Layout>(level: Level) {
    let mut memory = Memory::new(Allocator::system(), 0);
    let [last, end] = [L::MOST - 1, L::MOST];
    let ways: [Vec<u32>; 3] =
        [(end - 1000..end).collect(), (end - 999..end).step_by(2).collect(), vec![5, last - 64, last]];
    for indices in ways {
        let mut pool = Pool::<L>::new(1, 0, Shape { size: 8, align: 8, stable: false });
        indices.iter().for_each(|index| pool.add_unlisted(&mut memory, L::pack(*index, 1)));
        let term = Term { pool: NonNull::from(&mut pool), ask: Ask::With, field: Some(0) };
        let mut join = join_of(&mut memory, &[term], level);
        assert_eq!(join.count(0, join.end()) as usize, indices.len());
        assert!(join.matches(last) && join.end() > last && join.end().is_multiple_of(64));
        assert_eq!(join.first(last), Some(last));
        assert_eq!(join.first(last + 1), None);
        for runs_only in [false, true] {
            assert_eq!(found(&join, 0, join.end(), runs_only), indices);
            assert_eq!(found(&join, last & !63, join.end(), runs_only).last(), Some(&last));
        }
        join.free(&mut memory);
        pool.free(&mut memory);
    }
    assert_eq!(memory.bytes, 0);
}

#[test]
fn the_last_index_that_can_be_handed_out_is_found() {
    for level in [Level::Baseline, Level::V3, Level::V4].into_iter().filter(|level| level.is_here()) {
        // Miri takes tens of minutes for the directories that lead to the last index of this layout.
        #[cfg(not(miri))]
        at_the_end::<Wide>(level);
        at_the_end::<Narrow>(level);
    }
}

/// A pool that all matches are in, but for every fifth of them in no order, and one that some of them are in, who came in whatever
/// order: rows lead to their elements, and those of the others to nothing.
fn some_lack_it<L: Layout>(level: Level, lacks: fn(u32) -> bool, step: u32) {
    const ALL: u32 = if cfg!(miri) { 192 } else { 320 };
    let mut memory = Memory::new(Allocator::system(), 0);
    let [mut all, mut some] =
        [8, 24].map(|size| Pool::<L>::new(1, 0, Shape { size, align: 8, stable: false }));
    let shuffled = (0..ALL).map(|number| number * step % ALL);
    let apart = shuffled.clone().filter(|index| index.is_multiple_of(5));
    let rest = (0..ALL).filter(|index| !index.is_multiple_of(5));
    rest.chain(apart).for_each(|index| all.add_unlisted(&mut memory, L::pack(index, 1)));
    for index in shuffled.filter(|index| !lacks(*index)) {
        some.add_unlisted(&mut memory, L::pack(index, 1));
    }
    let terms = [
        Term { pool: NonNull::from(&mut all), ask: Ask::With, field: Some(0) },
        Term { pool: NonNull::from(&mut some), ask: Ask::Optional, field: Some(1) },
    ];
    let mut join = join_of(&mut memory, &terms, level);
    assert_eq!(found(&join, 0, join.end(), false), (0..ALL).collect::<Vec<_>>());
    join.free(&mut memory);
    [all, some].iter_mut().for_each(|pool| pool.free(&mut memory));
    assert_eq!(memory.bytes, 0);
}

#[test]
fn who_lacks_what_is_optional_has_no_address() {
    for level in [Level::Baseline, Level::V3].into_iter().filter(|level| level.is_here()) {
        let ways: [fn(u32) -> bool; 4] = [
            |index| index % 4 != 1,
            |index| index % 4 == 1,
            |index| index % 64 != 63,
            |index| index % 64 == 0 || index / 64 == 2,
        ];
        // By a step of 1 they come in the order of indices.
        for (lacks, step) in ways.into_iter().zip([7, 1, 7, 1]) {
            some_lack_it::<Wide>(level, lacks, step);
            some_lack_it::<Narrow>(level, lacks, step);
            if !cfg!(miri) {
                some_lack_it::<Wide>(level, lacks, 8 - step);
                some_lack_it::<Narrow>(level, lacks, 8 - step);
            }
        }
    }
}

/// A pool whose members lie far apart, and came in no order, or in that of indices, in joins with others of such, and before them
/// with one that has many: they are found in order, as many as fit a batch or more, in parts too. `hidden`: some who aren't
/// members are, but nobody sees them.
fn apart<L: Layout>(members: u32, ordered: bool, hidden: bool) {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut all: Vec<u32> = (0..members).map(|number| number * 53 % 257 * 90).collect();
    if ordered {
        all.sort_unstable();
    }
    let mut pool = |who: &mut dyn Iterator<Item = u32>| {
        let mut pool = Pool::<L>::new(1, 0, Shape { size: 8, align: 8, stable: false });
        who.for_each(|index| pool.add_unlisted(&mut memory, L::pack(index, 1)));
        pool
    };
    let is = |ask: usize, index: u32| {
        let number = index / 90;
        let neighbour = !index.is_multiple_of(90);
        [
            number % 11 > 1 || neighbour,
            true,
            number % 3 > 1,
            number % 5 > 3,
            number % 4 > 1,
            number % 7 > 5,
            !number.is_multiple_of(2),
        ][ask]
    };
    let near = |index: &u32| *index..*index + 8;
    let mut pools: [Pool<L>; 7] = core::array::from_fn(|ask| match ask {
        0 => pool(&mut all.iter().flat_map(near).filter(|index| is(0, *index))),
        _ => pool(&mut all.iter().copied().filter(|index| is(ask, *index))),
    });
    for (ask, pool) in (0..).zip(&mut pools).filter(|_| hidden) {
        let others = all.iter().filter(|index| !is(ask, **index) && *index / 90 % 4 == 1);
        for index in others.chain(&[45, 6500]) {
            pool.add_unlisted(&mut memory, L::pack(*index, 1));
            pool.show(*index, false);
        }
    }
    let asks = [Ask::With, Ask::With, Ask::With, Ask::Without, Ask::AnyOf(0), Ask::AnyOf(0), Ask::Optional];
    // Which fields are handed out, a bit for each: it decides where a walk looks, but not who matches.
    let (ends, fields): (&[usize], &[u32]) = match cfg!(miri) {
        true => (&[3, 7], &[0b111_1111, 0]),
        false => (&[2, 3, 4, 5, 6, 7], &[0b111_1111, 0, 1, 0b10, 0b100, 0b101_0100]),
    };
    let terms_used = (0..2).flat_map(|from| ends.iter().map(move |to| from..*to));
    for (used, wanted) in terms_used.flat_map(|used| fields.iter().map(move |wanted| (used.clone(), *wanted)))
    {
        let terms: Vec<_> = (pools.iter_mut().zip(asks).zip(0..).skip(used.start).take(used.len()))
            .map(|((pool, ask), field)| {
                let field = (wanted >> field & 1 != 0).then_some(field);
                Term { pool: NonNull::from(pool), ask, field }
            })
            .collect();
        let mut join = join_of(&mut memory, &terms, Level::Baseline);
        let matches = |index: &u32| {
            let asks = |ask: usize| used.contains(&ask);
            let is = |ask: usize| is(ask, *index);
            [0, 2].iter().all(|with| !asks(*with) || is(*with))
                && !(asks(3) && is(3))
                && (!asks(4) || is(4) || asks(5) && is(5))
        };
        let mut expected: Vec<u32> = all.iter().copied().filter(matches).collect();
        expected.sort_unstable();
        assert_eq!(found(&join, 0, join.end(), false), expected);
        let part = |index: &u32| (6400..12800).contains(index);
        let expected: Vec<u32> = expected.into_iter().filter(part).collect();
        assert_eq!(found(&join, 6400, 12800, false), expected);
        join.free(&mut memory);
    }
    pools.iter_mut().for_each(|pool| pool.free(&mut memory));
    assert_eq!(memory.bytes, 0);
}

#[test]
fn who_lies_apart_is_found() {
    let members: &[u32] = if cfg!(miri) { &[20, 129] } else { &[20, 100, 128, 129, 250] };
    let ways: &[_] = match cfg!(miri) {
        true => &[(false, true), (true, false)],
        false => &[(false, false), (false, true), (true, false), (true, true)],
    };
    for (members, (ordered, hidden)) in
        members.iter().flat_map(|members| ways.iter().map(|way| (*members, *way)))
    {
        #[cfg(not(miri))]
        apart::<Wide>(members, ordered, hidden);
        apart::<Narrow>(members, ordered, hidden);
    }
}

/// Members who lie far apart are found in order whatever theirs is in the pool, which is looked at anew after each change.
fn reordered<L: Layout>() {
    const MEMBERS: u32 = 300;
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut pool = Pool::<L>::new(1, 0, Shape { size: 8, align: 8, stable: false });
    let mut all: Vec<u32> = (0..MEMBERS).map(|number| 7 + number * 90).collect();
    all.iter().for_each(|index| pool.add_unlisted(&mut memory, L::pack(*index, 1)));
    let at = NonNull::from(&mut pool);
    let term = Term { pool: at, ask: Ask::With, field: Some(0) };
    let mut join = join_of(&mut memory, &[term], Level::Baseline);
    // SAFETY: the pool lives, and nothing else refers to it where these are used.
    let (pool, changed) = (|| unsafe { at.as_ref() }, || unsafe { &mut *at.as_ptr() });
    for (first, second) in [(0, 0), (3, 299), (3, 299), (127, 128), (127, 128), (0, 1)] {
        changed().swap_positions(first, second);
        assert_eq!(found(&join, 0, join.end(), false), all);
        assert_eq!(found(&join, all[140], all[290], false), all[140..290]);
        assert_eq!(found(&join, all[298] + 1, join.end(), false), all[299..]);
        assert_eq!(pool().ascends(), (1..MEMBERS).all(|at| pool().entity(at - 1) < pool().entity(at)));
    }
    // In order again, and then somebody comes at the end who isn't last.
    changed().swap_positions(0, 1);
    assert!(
        pool().ascends()
            && [(0, 0), (8, 1), (all[299], 299), (u32::MAX, 300)]
                .into_iter()
                .all(|(index, position)| pool().first_from(index) == position)
    );
    changed().add_unlisted(&mut memory, L::pack(50, 1));
    all.insert(1, 50);
    assert_eq!(found(&join, 0, join.end(), false), all);
    assert!(!pool().ascends());
    join.free(&mut memory);
    changed().free(&mut memory);
    assert_eq!(memory.bytes, 0);
}

#[test]
fn an_order_is_looked_at_anew_after_each_change() {
    #[cfg(not(miri))]
    reordered::<Wide>();
    reordered::<Narrow>();
}

/// Gaps of few members: what stands in the second says position 5, and index 5 is somebody's.
#[test]
fn gaps_are_nobody() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut pool = Pool::<Narrow>::new(1, 0, Shape { size: 8, align: 8, stable: true });
    for index in [5, 1, 2, 3, 4, 10, 6, 7, 8, 9] {
        pool.add_unlisted(&mut memory, Narrow::pack(index, 1));
    }
    pool.leave_gaps_of(&[Narrow::pack(9, 1), Narrow::pack(10, 1)]);
    let term = Term { pool: NonNull::from(&mut pool), ask: Ask::With, field: Some(0) };
    let mut join = join_of(&mut memory, &[term], Level::Baseline);
    assert_eq!(found(&join, 0, join.end(), false), [1, 2, 3, 4, 5, 6, 7, 8]);
    join.free(&mut memory);
    pool.free(&mut memory);
    assert_eq!(memory.bytes, 0);
}

/// Who is found in the order of a pool, how many of them in runs, and in how many of these.
fn found_in_order<L: Layout>(join: &Join<L>, lead: &Pool<L>, runs_only: bool) -> (Vec<u32>, usize, usize) {
    let (mut found, mut in_runs, mut runs) = (Vec::new(), 0, 0);
    let (mut cursor, mut room, mut position) = (Cursor::NONE, Room::EMPTY, 0);
    cursor.begin(0, join.end(), runs_only);
    while position < lead.len() {
        let mut fields = room.fields();
        let end = lead.len().min(lead.packed().page_end(position));
        let positions = join.fill_in_order(lead, position..end, &mut cursor, &mut fields, null());
        let count = fields.count as usize;
        assert!(positions.end > position && positions.len() >= count);
        if fields.gather {
            assert_eq!(cursor.picked.passed(fields.count), positions.end - positions.start);
        } else {
            in_runs += count;
            runs += 1;
        }
        if count > 0 {
            let indices = indices_of::<L>(&fields, count);
            if fields.gather {
                check_rows(join, &fields, &indices);
            }
            found.extend(indices);
        }
        position = positions.end;
    }
    (found, in_runs, runs)
}

fn in_the_order_of_a_pool<L: Layout>() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut pool = |indices: &[u32]| {
        let mut pool = Pool::<L>::new(1, 0, Shape { size: 8, align: 8, stable: false });
        indices.iter().for_each(|index| pool.add_unlisted(&mut memory, L::pack(*index, 1)));
        pool
    };
    // The first 100 in the same order, who come from many pages; then as they like.
    let all: Vec<u32> = (0..300).map(|number| number * 37 % 1009).collect();
    let mut others = all[..100].to_vec();
    others.extend(all[100..].iter().rev().filter(|index| !index.is_multiple_of(3)));
    let (mut lead, mut other) = (pool(&all), pool(&others));
    let (mut ended, mut empty) = (pool(&all[50..52]), pool(&[]));
    let term = |pool: &mut Pool<L>, ask, field| Term { pool: NonNull::from(pool), ask, field };
    for without in [None, Some(false), Some(true)] {
        let mut terms = vec![term(&mut lead, Ask::With, Some(0)), term(&mut other, Ask::With, Some(1))];
        if let Some(some) = without {
            terms.push(term(if some { &mut ended } else { &mut empty }, Ask::Without, None));
        }
        let mut join = join_of(&mut memory, &terms, Level::Baseline);
        let out = |place: usize| without == Some(true) && (50..52).contains(&place);
        let expected: Vec<u32> = (0..300)
            .filter(|place| !out(*place) && (*place < 100 || !all[*place].is_multiple_of(3)))
            .map(|place| all[place])
            .collect();
        for runs_only in [false, true] {
            let (found, in_runs, _) = found_in_order(&join, &lead, runs_only);
            assert_eq!(found, expected);
            assert!(in_runs >= 80 && (runs_only == (in_runs == found.len())), "{in_runs} of {}", found.len());
        }
        join.free(&mut memory);
    }
    [lead, other, ended, empty].iter_mut().for_each(|pool| pool.free(&mut memory));
    assert_eq!(memory.bytes, 0);
}

#[test]
fn in_the_order_of_a_pool_all_are_found() {
    in_the_order_of_a_pool::<crate::core::ids::Wide>();
    in_the_order_of_a_pool::<Narrow>();
}

/// A pool in no order, and others of which each has most of its members, or few, some hidden: those who match are found in its
/// order, and where they are, whatever is asked and whether most match.
fn any_in_the_order_of_a_pool<L: Layout>(level: Level, dice: &mut Dice) {
    let mut memory = Memory::new(Allocator::system(), 0);
    let members = if cfg!(miri) { 80 } else { 700 };
    let all: Vec<u32> = (0..members).map(|number| number * 37 % 1009).collect();
    let mut pools: [Pool<L>; 4] = core::array::from_fn(|number| {
        let mut pool = Pool::<L>::new(1, 0, Shape { size: 12, align: 4, stable: number % 2 > 0 });
        let sides = [1, 2, 8, 100][dice.next(4) as usize];
        let mut joins: Vec<u32> =
            all.iter().copied().filter(|_| number == 0 || dice.next(sides) > 0).collect();
        let turn = dice.next(1 + joins.len() as u64) as usize;
        joins.rotate_left(if number == 0 { 0 } else { turn });
        joins.iter().for_each(|index| pool.add_unlisted(&mut memory, L::pack(*index, 1 + index % 3)));
        let hidden = if dice.next(3) == 0 { 5 } else { 0 };
        joins.iter().take(hidden).for_each(|index| pool.show(*index, false));
        pool
    });
    let asks = [Ask::With, Ask::Without, Ask::Optional, Ask::AnyOf(0)];
    let terms: Vec<_> = pools
        .iter_mut()
        .zip(0_u8..)
        .map(|(pool, number)| {
            let ask = if number == 0 { Ask::With } else { asks[dice.next(asks.len() as u64) as usize] };
            let with_field = ask != Ask::Without && dice.next(4) > 0;
            Term { pool: NonNull::from(pool), ask, field: with_field.then_some(number) }
        })
        .collect();
    let mut join = join_of(&mut memory, &terms, level);
    let expected: Vec<u32> = all.iter().copied().filter(|index| join.matches(*index)).collect();
    let has = |pool: usize, index: u32| pools[pool].sparse().page(index).is_member(index);
    let any: Vec<usize> = (0..4).filter(|pool| matches!(terms[*pool].ask, Ask::AnyOf(_))).collect();
    assert!(all.iter().all(|index| {
        let others = terms.iter().enumerate().all(|(pool, term)| match term.ask {
            Ask::With => has(pool, *index),
            Ask::Without => !has(pool, *index),
            _ => true,
        });
        let some = any.is_empty() || any.iter().any(|pool| has(*pool, *index));
        expected.contains(index) == (others && some)
    }));
    // Who is hidden in the lead isn't seen: an iteration of the pool passes over it.
    if !pools[0].hides_some() {
        assert_eq!(found_in_order(&join, &pools[0], false).0, expected);
    }
    join.free(&mut memory);
    pools.iter_mut().for_each(|pool| pool.free(&mut memory));
    assert_eq!(memory.bytes, 0);
}

#[test]
fn whatever_is_asked_is_found_in_the_order_of_a_pool() {
    let mut dice = Dice(7);
    for _ in 0..if cfg!(miri) { 3 } else { 300 } {
        for level in [Level::Baseline, Level::V3].into_iter().filter(|level| level.is_here()) {
            any_in_the_order_of_a_pool::<crate::core::ids::Wide>(level, &mut dice);
            any_in_the_order_of_a_pool::<Narrow>(level, &mut dice);
        }
    }
}

/// Five pages of everybody, but for one at whichever word of the page in the middle, who isn't there, came out of turn, or is in
/// the other pool only: found all the same, in batches and by runs, and no run goes over the place.
fn nearly_full_page<L: Layout>(word: u32, what: u32, ask: Ask) {
    const PAGE: u32 = page::PAGE as u32;
    let all = PAGE..6 * PAGE;
    let odd = 3 * PAGE + 64 * word + 17;
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut pools: [Pool<L>; 2] =
        [0, 1].map(|number| Pool::new(1, number, Shape { size: 8, align: 8, stable: false }));
    let odd_pool = if ask == Ask::Without { 1 } else { what as usize % 2 };
    for (number, pool) in pools.iter_mut().enumerate() {
        let is_here = number == 0 || ask != Ask::Without;
        for index in all.clone().filter(|index| is_here && (*index != odd || number != odd_pool)) {
            pool.add_unlisted(&mut memory, L::pack(index, 1));
        }
    }
    let comes = what > 1 || ask == Ask::Without;
    if comes {
        pools[odd_pool].add_unlisted(&mut memory, L::pack(odd, 1));
    }
    let at = pools.each_mut().map(NonNull::from);
    let other = if ask == Ask::Without { None } else { Some(1) };
    let terms =
        [Term { pool: at[0], ask: Ask::With, field: Some(0) }, Term { pool: at[1], ask, field: other }];
    let expected: Vec<u32> = all.filter(|index| *index != odd || comes && ask == Ask::With).collect();
    for level in [Level::Baseline, Level::V3].into_iter().filter(|level| level.is_here()) {
        let mut join = join_of(&mut memory, &terms, level);
        for runs_only in [false, true] {
            assert_eq!(found(&join, 0, join.end(), runs_only), expected, "{odd} {what} {ask:?}");
        }
        assert_eq!(join.count(0, join.end()) as usize, expected.len());
        join.free(&mut memory);
    }
    pools.iter_mut().for_each(|pool| pool.free(&mut memory));
    assert_eq!(memory.bytes, 0);
}

#[test]
fn a_page_with_a_hole_is_no_full_one() {
    let words = if cfg!(miri) { 2..3 } else { 0..4 };
    for (word, what) in words.flat_map(|word| (0..4).map(move |what| (word, what))) {
        nearly_full_page::<Narrow>(word, what, Ask::With);
        #[cfg(not(miri))]
        nearly_full_page::<Wide>(word, what, Ask::With);
    }
    nearly_full_page::<Narrow>(2, 0, Ask::Without);
    #[cfg(not(miri))]
    nearly_full_page::<Wide>(1, 0, Ask::Without);
}

/// Parts of a run that are laid out ahead are those that are handed out one by one, in whatever way they are taken.
fn laid_out<L: Layout>() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let all = if cfg!(miri) { 7..1100 } else { 7..130_000 };
    let mut pools: [Pool<L>; 3] =
        [0, 1, 2].map(|number| Pool::new(1, number, Shape { size: 4 + 4 * number, align: 4, stable: false }));
    for (number, pool) in pools.iter_mut().enumerate() {
        // The second's pages end elsewhere, and the third has but the last few.
        let first = [7, 30, all.end - 200][number];
        for index in all.clone().filter(|index| *index >= first) {
            pool.add_unlisted(&mut memory, L::pack(index, 1));
        }
    }
    let at = pools.each_mut().map(NonNull::from);
    let term = |number: usize, ask, field| Term { pool: at[number], ask, field };
    // A number is left out, and they aren't in order.
    let terms = [term(0, Ask::With, Some(5)), term(1, Ask::With, Some(2)), term(2, Ask::Optional, Some(9))];
    let mut join = join_of(&mut memory, &terms, Level::best());
    let (mut cursor, mut room, mut next, mut taken) = (Cursor::NONE, Room::EMPTY, 30, 0);
    cursor.begin(0, join.end(), true);
    loop {
        let mut fields = room.fields();
        taken += u32::from(cursor.ahead > 0);
        let count = join.fill(&mut cursor, &mut fields, null());
        if count == 0 {
            break;
        }
        let indices = indices_of::<L>(&fields, count as usize);
        assert_eq!(indices, (next..next + count).collect::<Vec<_>>());
        assert_eq!(cursor.resume, next + count);
        for (number, field, first) in [(0, 5, 7), (1, 2, 30), (2, 9, all.end - 200)] {
            let element = if next < first {
                core::ptr::null_mut()
            } else {
                // SAFETY: the pool lives, and nothing refers to it mutably.
                unsafe { at[number].as_ref() }.element(next - first)
            };
            assert_eq!(fields.data[field], element);
        }
        assert!(fields.data[0].is_null() && fields.data[6].is_null());
        next += count;
    }
    assert_eq!(next, all.end);
    assert!(taken > if cfg!(miri) { 3 } else { 16 }, "{taken}");
    join.free(&mut memory);
    pools.iter_mut().for_each(|pool| pool.free(&mut memory));
    assert_eq!(memory.bytes, 0);
}

#[test]
fn parts_laid_out_ahead_are_those_of_the_run() {
    laid_out::<Narrow>();
    laid_out::<crate::core::ids::Wide>();
}

/// A part that ends where full pages go on has nobody behind its end, and stands there.
fn behind_a_part<L: Layout>() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut pool = Pool::<L>::new(1, 0, Shape { size: 8, align: 8, stable: false });
    (0..4 * page::PAGE as u32).for_each(|index| pool.add_unlisted(&mut memory, L::pack(index, 1)));
    let term = Term { pool: NonNull::from(&mut pool), ask: Ask::With, field: Some(0) };
    let mut join = join_of(&mut memory, &[term], Level::best());
    // A page of the packed half begins there too: before its first entity is none.
    let end = page::PAGE as u32;
    for runs_only in [false, true] {
        let (mut cursor, mut room) = (Cursor::NONE, Room::EMPTY);
        cursor.begin(end, end, runs_only);
        assert_eq!(join.fill(&mut cursor, &mut room.fields(), null()), 0);
        assert_eq!((cursor.resume, cursor.is_over()), (end, true));
        assert_eq!(found(&join, 0, end, runs_only).last(), Some(&(end - 1)));
    }
    join.free(&mut memory);
    pool.free(&mut memory);
    assert_eq!(memory.bytes, 0);
}

#[test]
fn nobody_is_behind_a_part() {
    behind_a_part::<Narrow>();
    behind_a_part::<crate::core::ids::Wide>();
}

/// One pool is in the order of another but for one place: who is there isn't in it, or is hidden there, or somebody else
/// stands between.
fn a_place_that_differs<L: Layout>(all: u32, place: u32) {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut pool = |indices: &mut dyn Iterator<Item = u32>| {
        let mut pool = Pool::<L>::new(1, 0, Shape { size: 8, align: 8, stable: false });
        indices.for_each(|index| pool.add_unlisted(&mut memory, L::pack(index, 1)));
        pool
    };
    let index = |number: u32| number * 3 % (3 * all);
    let mut lead = pool(&mut (0..all).map(index));
    let mut less = pool(&mut (0..all).filter(|number| *number != place).map(index));
    let mut more = pool(&mut (0..all).flat_map(|number| {
        (number == place).then_some(index(number) + 1).into_iter().chain([index(number)])
    }));
    let mut veiled = pool(&mut (0..all).map(index));
    veiled.show(index(place), false);
    for (other, lacks_one) in [(&mut less, true), (&mut veiled, true), (&mut more, false)] {
        let term = |pool: &mut Pool<L>, field| Term { pool: NonNull::from(pool), ask: Ask::With, field };
        for field in [Some(1), None] {
            let terms = [term(&mut lead, Some(0)), term(other, field)];
            let mut join = join_of(&mut memory, &terms, Level::Baseline);
            let expected: Vec<u32> =
                (0..all).filter(|number| !lacks_one || *number != place).map(index).collect();
            for runs_only in [false, true] {
                let (found, in_runs, runs) = found_in_order(&join, &lead, runs_only);
                assert_eq!(found, expected, "place {place}");
                assert!(runs <= 10, "place {place}: {runs} runs");
                // Where a run ends a gather may follow, of 128 neighbours: at the place, and at the ends of the other's pages.
                assert!(in_runs + 6 * PICKS >= found.len(), "place {place}: {in_runs} of {}", found.len());
            }
            join.free(&mut memory);
        }
    }
    [lead, less, veiled, more].iter_mut().for_each(|pool| pool.free(&mut memory));
    assert_eq!(memory.bytes, 0);
}

#[test]
fn a_run_in_the_order_of_a_pool_ends_where_another_pool_differs() {
    let (all, places): (u32, &[u32]) = if cfg!(miri) {
        (130, &[0, 64, 79])
    } else {
        (4000, &[0, 1, 15, 16, 17, 63, 64, 65, 79, 80, 81, 127, 143, 144, 145, 1103, 1104, 2000, 3998, 3999])
    };
    for place in places {
        a_place_that_differs::<crate::core::ids::Wide>(all, *place);
        a_place_that_differs::<Narrow>(all, *place);
    }
}
