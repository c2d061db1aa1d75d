//! Walks where the indices end; what joins find elsewhere is compared with a naive model in tests/model.
#![allow(clippy::disallowed_types)] // tests may use everything

use super::*;
#[cfg(not(miri))]
use crate::core::ids::Wide;
use crate::core::ids::{Narrow, Word};
use crate::core::storage::memory::Allocator;
use crate::core::storage::packed::Packed;
use crate::core::storage::pool::Shape;
use core::ptr::null;

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
        found.extend(indices_of::<L>(&fields, count));
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
        let mut join = Join::new(&mut memory, [term].iter(), level).unwrap();
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

/// Gaps of few members: what stands in the second says position 5, and index 5 is somebody's.
#[test]
fn gaps_are_nobody() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut pool = Pool::<Narrow>::new(1, 0, Shape { size: 8, align: 8, stable: true });
    for index in [5, 1, 2, 3, 4, 10, 6, 7, 8, 9] {
        pool.add_unlisted(&mut memory, Narrow::pack(index, 1));
    }
    [10, 9].iter().for_each(|index| pool.leave_gap(*index));
    let term = Term { pool: NonNull::from(&mut pool), ask: Ask::With, field: Some(0) };
    let mut join = Join::new(&mut memory, [term].iter(), Level::Baseline).unwrap();
    assert_eq!(found(&join, 0, join.end(), false), [1, 2, 3, 4, 5, 6, 7, 8]);
    join.free(&mut memory);
    pool.free(&mut memory);
    assert_eq!(memory.bytes, 0);
}

/// Who is found in the order of a pool, and how many of them in runs.
fn found_in_order<L: Layout>(join: &Join<L>, lead: &Pool<L>, runs_only: bool) -> (Vec<u32>, usize) {
    let (mut found, mut in_runs) = (Vec::new(), 0);
    let (mut cursor, mut room, mut position) = (Cursor::NONE, Room::EMPTY, 0);
    cursor.begin(0, join.end(), runs_only);
    while position < lead.len() {
        let mut fields = room.fields();
        let end = lead.len().min(Packed::<L>::page_end(position));
        let positions = join.fill_in_order(lead, position..end, &mut cursor, &mut fields, null());
        let count = fields.count as usize;
        assert!(positions.end > position && positions.len() >= count);
        if fields.gather {
            assert_eq!(cursor.picked.passed(fields.count), positions.end - positions.start);
        } else {
            in_runs += count;
        }
        if count > 0 {
            found.extend(indices_of::<L>(&fields, count));
        }
        position = positions.end;
    }
    (found, in_runs)
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
    let mut ended = pool(&all[50..52]);
    let term = |pool: &mut Pool<L>, ask, field| Term { pool: NonNull::from(pool), ask, field };
    for without in [false, true] {
        let mut terms = vec![term(&mut lead, Ask::With, Some(0)), term(&mut other, Ask::With, Some(1))];
        if without {
            terms.push(term(&mut ended, Ask::Without, None));
        }
        let mut join = Join::new(&mut memory, terms.iter(), Level::Baseline).unwrap();
        let out = |place: usize| without && (50..52).contains(&place);
        let expected: Vec<u32> = (0..300)
            .filter(|place| !out(*place) && (*place < 100 || !all[*place].is_multiple_of(3)))
            .map(|place| all[place])
            .collect();
        for runs_only in [false, true] {
            let (found, in_runs) = found_in_order(&join, &lead, runs_only);
            assert_eq!(found, expected);
            assert!(in_runs >= 80 && (runs_only == (in_runs == found.len())), "{in_runs} of {}", found.len());
        }
        join.free(&mut memory);
    }
    [lead, other, ended].iter_mut().for_each(|pool| pool.free(&mut memory));
    assert_eq!(memory.bytes, 0);
}

#[test]
fn in_the_order_of_a_pool_all_are_found() {
    in_the_order_of_a_pool::<crate::core::ids::Wide>();
    in_the_order_of_a_pool::<Narrow>();
}
