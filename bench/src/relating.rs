//! What the rows about relationships and the hierarchy do, written once for all contenders. As elsewhere, what is
//! not part of the row is off the clock, and every result is checked there.

use crate::memory::{self, Bytes};
use crate::runs::Runs;
use peers::parts::{P, V};
use peers::{Relater, querier};
use std::hint::black_box;

/// How many children each has, but for the last ones.
const CHILDREN: usize = 8;

/// How many are liked.
const TARGETS: usize = 1000;

/// A query of few matches is repeated so often within one reading of the clock, in row 14b2.
const QUERIES: usize = 200;

/// Whom the `i`th of n entities likes, of how many.
#[derive(Clone, Copy)]
struct Liking {
    targets: usize,
}

impl Liking {
    /// None: the row isn't about that.
    fn of(row: &str, n: usize) -> Option<Self> {
        match row {
            "14a" | "14am" | "14b2" => Some(Self { targets: TARGETS.min(n) }),
            "14t" | "14tm" => Some(Self { targets: n }),
            _ => None,
        }
    }
}

/// Runs one row. False: this contender cannot do that.
pub fn run<R: Relater>(row: &str, n: usize, runs: &mut Runs) -> bool {
    match (row, Liking::of(row, n)) {
        ("14c", _) => build::<R>(n, runs),
        ("14d", _) => visit::<R>(n, runs),
        ("14e", _) => return propagate::<R>(n, runs),
        ("14f", _) => destroy::<R>(n, runs),
        ("14b2", Some(liking)) => return R::LIKES && query::<R>(n, liking, runs),
        (_, Some(liking)) if R::LIKES => like::<R>(n, liking, runs),
        _ => return false,
    }
    true
}

/// What it takes that n entities like somebody; they and whom they like are there before.
pub fn bytes<R: Relater>(row: &str, n: usize) -> Option<Bytes> {
    let liking = Liking::of(row, n).filter(|_| R::LIKES)?;
    // Whatever a library sets up once in a process happens here.
    drop(R::new());
    let mut world = R::new();
    let (entities, targets) = strangers(&mut world, n, liking);
    Some(memory::growth(|| like_all(&mut world, &entities, &targets)))
}

/// A tree of n entities, the root first, each level behind the one above.
fn tree<R: Relater>(world: &mut R, n: usize) -> Vec<R::Entity> {
    let mut nodes = Vec::with_capacity(n);
    nodes.push(world.create());
    for i in 1..n {
        nodes.push(world.create_child(nodes[parent(i)]));
    }
    nodes
}

/// The parent of the `i`th, which isn't the root.
fn parent(i: usize) -> usize {
    (i - 1) / CHILDREN
}

fn sum<R: Relater>(entities: &[R::Entity]) -> u64 {
    entities.iter().fold(0, |sum, &entity| sum.wrapping_add(R::to_bits(entity)))
}

/// Each has the children that it was given, in that order.
fn check_tree<R: Relater>(world: &R, nodes: &[R::Entity]) {
    for (i, &node) in nodes.iter().enumerate() {
        let first = (i * CHILDREN + 1).min(nodes.len());
        let right = &nodes[first..(first + CHILDREN).min(nodes.len())];
        let mut children = Vec::new();
        world.visit(node, |child| children.push(child));
        assert!(children == right, "the children of node {i}");
    }
}

fn build<R: Relater>(n: usize, runs: &mut Runs) {
    while runs.more() {
        let mut world = R::new();
        let nodes = runs.time(n, || tree(&mut world, n));
        check_tree(&world, &nodes);
    }
}

fn visit<R: Relater>(n: usize, runs: &mut Runs) {
    let mut world = R::new();
    let nodes = tree(&mut world, n);
    let right = sum::<R>(&nodes[1..]);
    check_tree(&world, &nodes);
    world.settle();
    while runs.more() {
        let found = runs.time(n - 1, || black_box(&world).sum_children(&nodes));
        assert_eq!(found, right, "not all children were visited");
    }
}

fn destroy<R: Relater>(n: usize, runs: &mut Runs) {
    while runs.more() {
        let mut world = R::new();
        let bystander = world.create();
        let nodes = tree(&mut world, n);
        runs.time(n, || world.destroy(nodes[0]));
        assert!(nodes.iter().all(|&node| !world.is_alive(node)), "somebody is left");
        assert!(world.is_alive(bystander));
    }
}

/// How far the `i`th is from its parent.
fn local(i: usize) -> P {
    P { x: (i % 7) as f32, y: 1.0, z: -((i % 3) as f32) }
}

fn propagate<R: Relater>(n: usize, runs: &mut Runs) -> bool {
    let mut world = R::new();
    let nodes = tree(&mut world, n);
    for (i, &node) in nodes.iter().enumerate() {
        world.put_p(node, local(i));
        world.put_v(node, V::ORIGIN);
    }
    if !world.ready_to_propagate() {
        return false;
    }
    let mut right = vec![V::ORIGIN; n];
    let mut times = 0.0;
    while runs.more() {
        // The root moves, and with it everybody.
        times += 1.0;
        world.put_p(nodes[0], P { x: times, y: 0.0, z: 0.0 });
        runs.time(n, || black_box(&mut world).propagate());
        for (i, &node) in nodes.iter().enumerate() {
            right[i] = match i {
                0 => V { x: times, y: 0.0, z: 0.0 },
                _ => {
                    let (above, local) = (right[parent(i)], local(i));
                    V { x: above.x + local.x, y: above.y + local.y, z: above.z + local.z }
                }
            };
            let v = world.v(node).expect("all have V");
            assert_eq!((v.x, v.y, v.z), (right[i].x, right[i].y, right[i].z), "node {i}");
        }
    }
    true
}

/// n entities, and those whom they will like.
fn strangers<R: Relater>(world: &mut R, n: usize, liking: Liking) -> (Vec<R::Entity>, Vec<R::Entity>) {
    let targets = (0..liking.targets).map(|_| world.create()).collect();
    ((0..n).map(|_| world.create()).collect(), targets)
}

#[inline(always)]
fn like_all<R: Relater>(world: &mut R, entities: &[R::Entity], targets: &[R::Entity]) {
    let mut target = targets.iter().cycle();
    for &entity in entities {
        world.like(entity, *target.next().expect("round and round"));
    }
}

fn like<R: Relater>(n: usize, liking: Liking, runs: &mut Runs) {
    while runs.more() {
        let mut world = R::new();
        let (entities, targets) = strangers(&mut world, n, liking);
        runs.time(n, || like_all(&mut world, &entities, &targets));
        for (i, &entity) in entities.iter().enumerate() {
            assert!(world.likes(entity, targets[i % liking.targets]), "entity {i} likes nobody");
            let other = (i + 1) % liking.targets;
            assert!(liking.targets == 1 || !world.likes(entity, targets[other]), "entity {i} likes {other}");
        }
    }
}

fn query<R: Relater>(n: usize, liking: Liking, runs: &mut Runs) -> bool {
    let mut world = R::new();
    let (entities, targets) = strangers(&mut world, n, liking);
    for (i, &entity) in entities.iter().enumerate() {
        world.put_p(entity, querier::p(i));
    }
    like_all(&mut world, &entities, &targets);
    let aim = liking.targets / 2;
    if !world.aim(targets[aim]) {
        return false;
    }
    let mut times = 0;
    // As long as all sums stay whole numbers.
    while times < 1 << 23 && runs.more() {
        runs.time(QUERIES, || {
            for _ in 0..QUERIES {
                black_box(&mut world).step_aimed();
            }
        });
        times += QUERIES;
    }
    for (i, &entity) in entities.iter().enumerate() {
        let found = if i % liking.targets == aim { times } else { 0 };
        let right = querier::p(i).x + found as f32;
        assert_eq!(world.p(entity).map(|p| p.x), Some(right), "entity {i}, found {found} times");
    }
    true
}
