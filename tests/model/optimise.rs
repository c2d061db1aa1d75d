//! `dz_optimize` with small numbers of moves, call by call.

use crate::calls::{self, OK};
use crate::dice::Dice;
use crate::each::entity_at;
use crate::query::{by_text, make};
use denizen::ffi::types::*;
use denizen::ffi::{entity::*, query::*, world::*};
use std::ffi::CStr;
use std::mem::MaybeUninit;

const ENTITIES: u32 = 120;

/// Three pools; `new`: each with its entities in another disorder, and a kept query of two of them.
struct Stage {
    world: dz_world,
    ids: [dz_id; 3],
    entities: Vec<dz_entity>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        dz_world_destroy(self.world);
    }
}

impl Stage {
    fn empty(layout: dz_layout, entities: u32) -> Self {
        let world = calls::plain_world(layout);
        let ids = [c"A", c"B", c"C"].map(|name| calls::register(world, name, 8, 8, false, calls::NO_HOOKS));
        Self { world, ids, entities: calls::create_n(world, entities).1 }
    }

    fn new(layout: dz_layout) -> Self {
        let stage = Self::empty(layout, ENTITIES);
        by_text(stage.world, c"B, C", true, 0);
        for (pool, step) in [47, 13, 77].into_iter().enumerate() {
            stage.add(
                pool,
                (0..ENTITIES).map(|number| number * step % ENTITIES).filter(|it| it % 5 != pool as u32),
            );
        }
        stage
    }

    fn some(&self, numbers: impl Iterator<Item = u32>) -> Vec<dz_entity> {
        numbers.map(|number| self.entities[number as usize]).collect()
    }

    fn add(&self, pool: usize, numbers: impl Iterator<Item = u32>) {
        assert_eq!(calls::add_n(self.world, &self.some(numbers), self.ids[pool]), OK);
    }

    /// Takes some of a pool out, and puts them back at its end.
    fn disturb(&self, pool: usize, frame: u32) {
        let some = self.some((0..20).map(|number| (number * 6 + frame) % ENTITIES));
        calls::remove_n(self.world, &some, self.ids[pool]);
        assert_eq!(calls::add_n(self.world, &some, self.ids[pool]), OK);
    }

    fn optimise(&self, moves: u32) -> u32 {
        let mut made = u32::MAX;
        assert_eq!(unsafe { dz_optimize(self.world, moves, &mut made) }, OK);
        assert!(made <= moves);
        made
    }

    /// The indices in a pool's order.
    fn order(&self, pool: usize) -> Vec<u32> {
        let (status, mut iter) = calls::iterate(self.world, self.ids[pool], dz_direction::DZ_FORWARD);
        assert_eq!(status, OK);
        let mut order = Vec::new();
        while calls::next(&mut iter) {
            order.extend((0..iter.count).map(|i| dz_entity_index(entity_at(&iter, i))));
        }
        order
    }

    /// How many runs a query remembers.
    fn runs(&self, query: dz_query) -> u32 {
        assert_eq!(dz_query_refresh(self.world, query), OK);
        let mut details = MaybeUninit::uninit();
        assert_eq!(unsafe { dz_query_info(self.world, query, details.as_mut_ptr()) }, OK);
        unsafe { details.assume_init() }.runs
    }

    fn orders(&self) -> [Vec<u32>; 3] {
        [0, 1, 2].map(|pool| self.order(pool))
    }
}

const LAYOUTS: [dz_layout; 2] = [dz_layout::DZ_LAYOUT_64, dz_layout::DZ_LAYOUT_32];

#[test]
fn small_numbers_come_to_the_same_as_a_large_one() {
    for layout in LAYOUTS {
        let whole = Stage::new(layout);
        let total = whole.optimise(u32::MAX);
        assert!(total > ENTITIES && whole.order(0).is_sorted());
        assert_eq!(whole.optimise(u32::MAX), 0);
        for moves in [1, 10] {
            let stage = Stage::new(layout);
            let made: Vec<u32> =
                std::iter::repeat_with(|| stage.optimise(moves)).take_while(|made| *made > 0).collect();
            assert_eq!(made.iter().sum::<u32>(), total);
            assert!(
                made[..made.len() - 1].iter().all(|made| *made == moves),
                "fewer only when all is in order"
            );
            assert_eq!(stage.orders(), whole.orders());
        }
    }
}

/// However often a pool changes, the others get their turn.
#[test]
fn a_pool_that_changes_all_the_time_starves_nobody() {
    for (layout, moves) in LAYOUTS.into_iter().flat_map(|layout| [(layout, 1), (layout, 10)]) {
        let whole = Stage::new(layout);
        whole.optimise(u32::MAX);
        for changing in 0..3 {
            let stage = Stage::new(layout);
            let twin = Stage::new(layout);
            for frame in 0..3 * ENTITIES {
                stage.disturb(changing, frame);
                twin.disturb(changing, frame);
                assert_eq!(stage.optimise(moves), moves, "there is always more to do");
                assert_eq!(twin.optimise(moves), moves);
            }
            assert_eq!(stage.orders(), twin.orders(), "the same calls, the same result");
            // Whose members never changed, nor who matches with them, is in order.
            let settled = (0..3).filter(|pool| *pool != changing && (changing == 0 || *pool == 0));
            for pool in settled {
                assert_eq!(stage.order(pool), whole.order(pool), "{pool} beside {changing}");
            }
        }
    }
}

/// Who hands out no runs of a pool has no say in its order: the query that does has one, though it comes last.
#[test]
fn only_those_with_runs_are_heeded() {
    for layout in LAYOUTS {
        let stage = Stage::empty(layout, ENTITIES);
        let [a, b, c] = [2, 3, 5].map(|step| move |number: &u32| !number.is_multiple_of(step));
        stage.add(0, (0..ENTITIES).filter(a));
        stage.add(1, (0..ENTITIES).rev().filter(b));
        stage.add(2, (0..ENTITIES).filter(c));
        make(stage.world, c"A, C", Some(9), stage.ids[2]);
        make(stage.world, c"[none] A, [in] C", Some(9), 0);
        make(stage.world, c"A, C, ?A(parent)", Some(9), 0);
        make(stage.world, c"[cascade] A, C", Some(9), 0);
        make(stage.world, c"[bases] A, C", Some(9), 0);
        let last = make(stage.world, c"A, B", Some(0), 0);
        stage.optimise(u32::MAX);
        assert_eq!(stage.runs(last), 1);
        let first = stage.some((0..ENTITIES).filter(a).filter(b));
        let first: Vec<u32> = first.into_iter().map(|it| dz_entity_index(it)).collect();
        assert!(stage.order(0).starts_with(&first), "those of the last query");
    }
}

/// Who has which components is chance, and so is the disorder of each pool, in a world of four kept queries of two priorities.
/// In each pool the matches of the one that comes first come first, then what is left of the next one's. So the first one's
/// are a run.
#[test]
fn priority_decides() {
    const QUERIES: [(&CStr, &[usize]); 4] =
        [(c"A, C", &[0, 2]), (c"A, B", &[0, 1]), (c"A, B, C", &[0, 1, 2]), (c"[none] A", &[0])];
    for (layout, seed) in LAYOUTS.into_iter().flat_map(|layout| (1..40).map(move |seed| (layout, seed))) {
        let mut dice = Dice(seed);
        let stage = Stage::empty(layout, 20 * ENTITIES);
        let components: Vec<usize> = (0..20 * ENTITIES).map(|_| dice.below(8)).collect();
        let has = |number: u32, pools: &[usize]| {
            pools.iter().all(|pool| components[number as usize] >> pool & 1 != 0)
        };
        for pool in 0..3 {
            let mut order: Vec<u32> = (0..20 * ENTITIES).filter(|number| has(*number, &[pool])).collect();
            (1..order.len()).for_each(|at| order.swap(at, dice.below(at + 1)));
            stage.add(pool, order.into_iter());
        }
        let made = QUERIES.map(|(text, pools)| {
            let priority = dice.below(2) as i32;
            (priority, make(stage.world, text, Some(priority), 0), pools)
        });
        // The sort is stable: of equal ones the one that was made first comes first.
        let mut ranked = made;
        ranked.sort_by_key(|(priority, ..)| -priority);
        stage.optimise(u32::MAX);
        for pool in 0..3 {
            let mut left: Vec<u32> = (0..20 * ENTITIES).filter(|number| has(*number, &[pool])).collect();
            let mut expected = Vec::new();
            for (.., pools) in ranked.iter().filter(|(.., pools)| pools.contains(&pool)) {
                expected.extend(left.extract_if(.., |number| has(*number, pools)));
            }
            expected.extend(left);
            let expected: Vec<u32> =
                stage.some(expected.into_iter()).into_iter().map(|it| dz_entity_index(it)).collect();
            assert!(stage.order(pool) == expected, "pool {pool}, seed {seed}");
        }
        let first = ranked[0].1;
        assert_eq!(stage.runs(first), 1, "seed {seed}");
    }
}
