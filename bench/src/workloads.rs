//! What each row does, written once for all contenders.
//!
//! "First time" rows make a fresh world for every run; warm ones keep theirs. What is not part of
//! the row (worlds, other components, arrays of handles) happens off the clock. Every result is
//! added up on the clock and checked off it.

use crate::input::{self, Input};
use crate::runs::Runs;
use peers::Contender;
use peers::parts::{C2, STATIC_OTHERS};

/// The other types of rows 3k and 3mk: 1,000 with P and V.
const MANY_OTHERS: usize = 998;

/// How many entities that take no part in the row hold each of the other types in rows 3 to 3k and 4r.
const BYSTANDERS: usize = 16;

/// Runs one row. False: this contender cannot do that.
pub fn run<C: Contender>(row: &str, input: &Input, runs: &mut Runs) -> bool {
    let n = input.n;
    match row {
        "1" => create::<C>(n, runs),
        "1b" => create_n::<C>(n, runs),
        "2" => create_pv::<C>(n, runs),
        "2w" => create_pv_warm::<C>(n, runs),
        "2b" => create_pv_n::<C>(input, runs),
        "3" => destroy(|| world_in_use::<C>(n, STATIC_OTHERS), None, runs),
        "3b" => destroy(|| world_in_use::<C>(n, STATIC_OTHERS), Some(&input.order), runs),
        "3c" => destroy_n::<C>(n, runs),
        "3k" if C::OTHERS >= MANY_OTHERS => destroy(|| world_in_use::<C>(n, MANY_OTHERS), None, runs),
        "3m" => destroy(|| world_mixed::<C>(n, STATIC_OTHERS), None, runs),
        "3mk" if C::OTHERS >= MANY_OTHERS => destroy(|| world_mixed::<C>(n, MANY_OTHERS), None, runs),
        "4" => churn::<C>(input, 0, runs),
        "4r" => churn::<C>(input, STATIC_OTHERS, runs),
        "5" => add_first::<C>(n, None, runs),
        "5w" => add_warm::<C>(n, runs),
        "5i" => add_and_remove::<C>(n, runs),
        "5b" => remove::<C>(n, None, runs),
        "5r" => add_first::<C>(n, Some(&input.order), runs),
        "5br" => remove::<C>(n, Some(&input.order), runs),
        "5n" => add_many::<C>(n, None, runs),
        "5nr" => add_many::<C>(n, Some(&input.order), runs),
        "5bn" => remove_many::<C>(n, runs),
        "6" => get::<C>(input, Some(&input.order), runs),
        "6f" if C::KEPT => get_kept(input, C::sum_kept, runs),
        "6a" if C::KEPT => get_kept(input, C::sum_accessor, runs),
        "6h" if C::KEPT => has_n::<C>(input, runs),
        "6b" => has_p::<C>(input, runs),
        "6b2" => has_c2::<C>(input, runs),
        "6c" => get::<C>(input, None, runs),
        _ => return false,
    }
    true
}

/// A world of n entities with P and V, and their handles in creation order.
fn world_of_pv<C: Contender>(n: usize, others: usize) -> (C, Vec<C::Entity>) {
    let mut world = C::new(others);
    let handles = (0..n).map(|i| world.create_pv(input::p(i), input::v(i))).collect();
    (world, handles)
}

/// Handles in the given order, so that reading the order is not part of any row.
fn in_order<E: Copy>(handles: Vec<E>, order: Option<&[u32]>) -> Vec<E> {
    match order {
        Some(order) => order.iter().map(|&i| handles[i as usize]).collect(),
        None => handles,
    }
}

fn create<C: Contender>(n: usize, runs: &mut Runs) {
    while runs.more() {
        let mut world = C::new(0);
        runs.time(n, || (0..n).fold(0, |sum, _| sum ^ C::to_bits(world.create())));
    }
}

fn create_n<C: Contender>(n: usize, runs: &mut Runs) {
    let mut out = touched(n);
    while runs.more() {
        let mut world = C::new(0);
        out.clear();
        runs.time(n, || world.create_n(n, &mut out));
        assert_eq!(out.len(), n);
        world.add_c2(out[n - 1], input::c2(n));
        assert!(world.has_c2(out[n - 1]) && !world.has_c2(out[0]));
    }
}

fn create_pv<C: Contender>(n: usize, runs: &mut Runs) {
    while runs.more() {
        let mut world = C::new(0);
        runs.time(n, || (0..n).fold(0, |sum, i| sum ^ C::to_bits(world.create_pv(input::p(i), input::v(i)))));
    }
}

fn create_pv_warm<C: Contender>(n: usize, runs: &mut Runs) {
    let (mut world, mut handles) = world_of_pv::<C>(n, 0);
    while runs.more() {
        for &entity in &handles {
            world.destroy(entity);
        }
        world.tidy();
        // Handles are stored here, because the next run destroys them.
        runs.time(n, || {
            for (i, handle) in handles.iter_mut().enumerate() {
                *handle = world.create_pv(input::p(i), input::v(i));
            }
        });
    }
}

fn create_pv_n<C: Contender>(input: &Input, runs: &mut Runs) {
    let n = input.n;
    let mut out = touched(n);
    while runs.more() {
        let mut world = C::new(0);
        out.clear();
        runs.time(n, || world.create_pv_n(&input.p, &input.v, &mut out));
        assert_eq!(out.len(), n);
        // SAFETY: nothing was destroyed since.
        let last = unsafe { world.get_p(out[n - 1]).as_ref() };
        assert_eq!(last.map(|p| p.x), Some(input.p[n - 1].x));
    }
}

/// Room for n elements that the system has really provided.
fn touched<T>(n: usize) -> Vec<T> {
    let mut room = Vec::<T>::with_capacity(n);
    // SAFETY: the bytes are the vector's own, and stay uninitialised elements.
    unsafe { std::ptr::write_bytes(room.as_mut_ptr(), 1, n) };
    std::hint::black_box(room)
}

/// A world where other types are in use too, by entities that take no part in the row.
fn world_in_use<C: Contender>(n: usize, others: usize) -> (C, Vec<C::Entity>) {
    let mut world = C::new(others);
    for i in 0..others * BYSTANDERS {
        let bystander = world.create();
        world.add_other(bystander, i % others, i as f32);
    }
    // Last, so that they are as warm in the cache with many other types as with few.
    let handles = (0..n).map(|i| world.create_pv(input::p(i), input::v(i))).collect();
    (world, handles)
}

/// A world where each entity has one of the other types too.
fn world_mixed<C: Contender>(n: usize, others: usize) -> (C, Vec<C::Entity>) {
    let (mut world, handles) = world_of_pv::<C>(n, others);
    for (i, &entity) in handles.iter().enumerate() {
        world.add_other(entity, i % others, i as f32);
    }
    (world, handles)
}

fn destroy<C: Contender>(
    mut prepare: impl FnMut() -> (C, Vec<C::Entity>),
    order: Option<&[u32]>,
    runs: &mut Runs,
) {
    while runs.more() {
        let (mut world, handles) = prepare();
        let handles = in_order(handles, order);
        runs.time(handles.len(), || {
            for &entity in &handles {
                world.destroy(entity);
            }
        });
    }
}

fn destroy_n<C: Contender>(n: usize, runs: &mut Runs) {
    while runs.more() {
        let (mut world, handles) = world_in_use::<C>(n, STATIC_OTHERS);
        runs.time(n, || world.destroy_n(&handles));
    }
}

fn churn<C: Contender>(input: &Input, others: usize, runs: &mut Runs) {
    let (mut world, mut handles) = world_in_use::<C>(input.n, others);
    while runs.more() {
        world.tidy();
        runs.time(input.n, || {
            for (i, &victim) in input.victims.iter().enumerate() {
                let handle = &mut handles[victim as usize];
                world.destroy(*handle);
                *handle = world.create_pv(input::p(i), input::v(i));
            }
        });
    }
}

fn add_all<C: Contender>(world: &mut C, handles: &[C::Entity]) {
    for (i, &entity) in handles.iter().enumerate() {
        world.add_c2(entity, input::c2(i));
    }
}

fn remove_all<C: Contender>(world: &mut C, handles: &[C::Entity]) {
    for &entity in handles {
        world.remove_c2(entity);
    }
}

fn add_first<C: Contender>(n: usize, order: Option<&[u32]>, runs: &mut Runs) {
    while runs.more() {
        let (mut world, handles) = world_of_pv::<C>(n, 0);
        let handles = in_order(handles, order);
        runs.time(n, || add_all(&mut world, &handles));
        assert!(world.has_c2(handles[n / 2]));
    }
}

fn add_warm<C: Contender>(n: usize, runs: &mut Runs) {
    let (mut world, handles) = world_of_pv::<C>(n, 0);
    add_all(&mut world, &handles);
    while runs.more() {
        remove_all(&mut world, &handles);
        world.tidy();
        runs.time(n, || add_all(&mut world, &handles));
    }
}

fn add_many<C: Contender>(n: usize, order: Option<&[u32]>, runs: &mut Runs) {
    let (mut world, created) = world_of_pv::<C>(n, 0);
    let handles = in_order(created, order);
    let values: Vec<C2> = (0..n).map(input::c2).collect();
    add_all(&mut world, &handles);
    while runs.more() {
        remove_all(&mut world, &handles);
        world.tidy();
        runs.time(n, || world.add_c2_n(&handles, &values));
        assert!(world.has_c2(handles[n / 2]));
    }
}

fn remove_many<C: Contender>(n: usize, runs: &mut Runs) {
    let (mut world, handles) = world_of_pv::<C>(n, 0);
    while runs.more() {
        add_all(&mut world, &handles);
        world.tidy();
        runs.time(n, || world.remove_c2_n(&handles));
        assert!(!world.has_c2(handles[n / 2]));
    }
}

/// Each run changes a pool that was iterated since its last change.
fn add_and_remove<C: Contender>(n: usize, runs: &mut Runs) {
    let (mut world, handles) = world_of_pv::<C>(n, 0);
    add_all(&mut world, &handles);
    remove_all(&mut world, &handles);
    while runs.more() {
        world.tidy();
        world.iterate_c2();
        runs.time(2 * n, || {
            add_all(&mut world, &handles);
            remove_all(&mut world, &handles);
        });
        assert!(!world.has_c2(handles[n / 2]));
    }
}

fn remove<C: Contender>(n: usize, order: Option<&[u32]>, runs: &mut Runs) {
    let (mut world, created) = world_of_pv::<C>(n, 0);
    let handles = in_order(created.clone(), order);
    while runs.more() {
        add_all(&mut world, &created);
        world.tidy();
        runs.time(n, || remove_all(&mut world, &handles));
        assert!(!world.has_c2(handles[n / 2]));
    }
}

fn get<C: Contender>(input: &Input, order: Option<&[u32]>, runs: &mut Runs) {
    let (mut world, handles) = world_of_pv::<C>(input.n, 0);
    world.tidy();
    let handles = in_order(handles, order);
    while runs.more() {
        let sum = runs.time(input.n, || {
            handles.iter().fold(0, |sum: u64, &entity| {
                // SAFETY: what get_p finds is good until the world changes.
                sum + unsafe { world.get_p(entity).as_ref() }.map_or(0, |p| p.bits())
            })
        });
        assert_eq!(sum, input.sum(), "not all were read");
    }
}

fn get_kept<C: Contender>(input: &Input, sum_all: impl Fn(&C, &[C::Entity]) -> u64, runs: &mut Runs) {
    let (mut world, handles) = world_of_pv::<C>(input.n, 0);
    world.tidy();
    let handles = in_order(handles, Some(&input.order));
    while runs.more() {
        let sum = runs.time(input.n, || sum_all(&world, &handles));
        assert_eq!(sum, input.sum(), "not all were read");
    }
}

fn has_n<C: Contender>(input: &Input, runs: &mut Runs) {
    let (mut world, handles) = world_of_pv::<C>(input.n, 0);
    world.tidy();
    let handles = in_order(handles, Some(&input.order));
    while runs.more() {
        let hits = runs.time(input.n, || world.has_n(&handles));
        assert_eq!(hits, input.n);
    }
}

fn has_p<C: Contender>(input: &Input, runs: &mut Runs) {
    let (world, handles) = world_of_pv::<C>(input.n, 0);
    let handles = in_order(handles, Some(&input.order));
    while runs.more() {
        let hits = runs.time(input.n, || {
            handles.iter().fold(0, |hits, &entity| hits + usize::from(world.has_p(entity)))
        });
        assert_eq!(hits, input.n);
    }
}

fn has_c2<C: Contender>(input: &Input, runs: &mut Runs) {
    let (mut world, handles) = world_of_pv::<C>(input.n, 0);
    for (i, &entity) in handles.iter().enumerate() {
        if input.half[i] {
            world.add_c2(entity, input::c2(i));
        }
    }
    let handles = in_order(handles, Some(&input.order));
    while runs.more() {
        let hits = runs.time(input.n, || {
            handles.iter().fold(0, |hits, &entity| hits + usize::from(world.has_c2(entity)))
        });
        let expected = input.half.iter().filter(|&&has| has).count();
        assert_eq!(hits, expected);
    }
}
