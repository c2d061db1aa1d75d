//! Walks where the indices end; what joins find elsewhere is compared with a naive model in tests/model.
#![allow(clippy::disallowed_types)] // tests may use everything

use super::*;
#[cfg(not(miri))]
use crate::core::ids::Wide;
use crate::core::ids::{Narrow, Word};
use crate::core::storage::memory::Allocator;
use crate::core::storage::pool::Shape;
use core::ptr::{null, null_mut};

/// Who is found by batches: the indices, in order.
fn found<L: Layout>(join: &Join<L>, first: u32, end: u32, runs_only: bool) -> Vec<u32> {
    let mut found = Vec::new();
    let (mut data, mut offsets) = ([null_mut(); TERMS], [0; TERMS]);
    let (mut rows, mut picks) = (Box::new([null_mut(); MOST_ROWS + SPARE]), [0; PICKS + SPARE]);
    let mut cursor = Cursor::NONE;
    cursor.begin(first, end, runs_only);
    loop {
        let mut fields = Fields {
            data: &mut data,
            rows: &mut rows,
            offsets: &mut offsets,
            picks: &mut picks,
            entities: null(),
            count: 0,
            gather: false,
        };
        let count = join.fill(&mut cursor, &mut fields, null()) as usize;
        if count == 0 {
            return found;
        }
        if fields.gather {
            found.extend(&fields.picks[..count]);
        } else {
            // SAFETY: the entities of a run lie side by side.
            let words = unsafe { core::slice::from_raw_parts(fields.entities.cast::<L::Word>(), count) };
            found.extend(words.iter().map(|word| L::index(word.handle())));
        }
    }
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
