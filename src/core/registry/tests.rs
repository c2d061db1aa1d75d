//! The registry's contract, line by line, in both layouts; random sequences are in tests/model.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]
use super::super::ids::{Narrow, Slot48, Wide, compose};
use super::super::storage::memory::Allocator;
use super::*;
use core::cell::Cell;

fn rules<L: Layout>() -> Rules {
    let stamp = if L::HAS_WORLD { 9 << 48 } else { 0 };
    let (recycling, overflow) = (Recycling::Lifo, Overflow::Retire);
    Rules { recycling, overflow, reserved: 0, most: L::MOST, stamp }
}

fn memory() -> Memory {
    Memory::new(Allocator::system(), 0)
}

fn contract<L: Layout>() {
    let mut memory = memory();
    let mut registry = Registry::<L>::new(rules::<L>());
    // M3, M71, M72: the first is {0, 1}, so that zero is nobody.
    let first = registry.create(&mut memory).unwrap();
    assert_eq!((L::index(first), L::generation(first)), (0, 1));
    assert_ne!(first, 0);
    // M60: nor is the all-zero handle ever alive.
    assert!(!registry.is_alive(0));
    let [a, b, c] = [(); 3].map(|()| registry.create(&mut memory).unwrap());
    // M14, M9: a living slot stores its own identifier.
    assert_eq!(registry.words[L::index(a) as usize].handle(), a);
    // M5, M76: destroying raises the slot's generation, which can be asked for while it is dead.
    registry.destroy(b);
    assert_eq!(registry.generation(L::index(b)), Ok(2));
    // M6, M15, M34: the old identifier is stale.
    assert!(!registry.is_alive(b) && registry.is_alive(a) && registry.is_alive(c));
    // M12, M79: last out, first in; M80: before any new index; M4.
    registry.destroy(a);
    let bytes = memory.bytes;
    let again = [(); 2].map(|()| registry.create(&mut memory).unwrap());
    assert_eq!(again.map(L::index), [L::index(a), L::index(b)]);
    assert_eq!(again.map(L::generation), [2, 2]);
    // M78: the old ones stay stale although their slots live again.
    assert_eq!(registry.check(a).unwrap_err().kind, Kind::Dead);
    // M8, M10: nothing beside the array, and destroying needs no memory.
    for handle in [first, c, again[0], again[1]] {
        registry.destroy(handle);
    }
    assert_eq!(memory.bytes, bytes);
    // M11: as many available as there are slots: nobody lives.
    assert_eq!((registry.dead() as usize, registry.alive()), (registry.words.len(), 0));
    // M13, M16: each dead slot keeps its own generation; the list has as many links as it says.
    let mut at = registry.entities.head;
    for _ in 0..registry.dead() {
        let word = registry.words[at as usize].handle();
        assert_eq!(L::generation(word), registry.generation(at).unwrap());
        assert_ne!(L::index(word), at, "a dead slot never looks alive");
        at = L::index(word);
    }
    registry.free(&mut memory);
    assert_eq!(memory.bytes, 0);
}

/// M3 to M6, M8 to M16, M34, M60, M71, M72, M76, M78 to M80.
#[test]
fn m3_to_m16_m71_to_m80_contract() {
    contract::<Wide>();
    contract::<Narrow>();
}

fn exhaust<L: Layout>(overflow: Overflow) {
    let mut memory = memory();
    let mut registry = Registry::<L>::new(Rules { overflow, most: 1, ..rules::<L>() });
    let mut old = 0;
    for generation in 1..L::TOMBSTONE {
        let handle = registry.create(&mut memory).unwrap();
        assert_eq!(u64::from(L::generation(handle)), generation);
        assert!(!registry.is_alive(old));
        registry.destroy(handle);
        old = handle;
    }
    match overflow {
        // M38: the slot is used up; no old handle ever comes back; running out says so.
        Overflow::Retire => {
            assert_eq!((registry.retired(), registry.dead()), (1, 0));
            assert_eq!(registry.create(&mut memory).unwrap_err().kind, Kind::Exhausted);
            assert_eq!(registry.check(old).unwrap_err().kind, Kind::Retired);
            assert_eq!(registry.generation(0).unwrap_err().kind, Kind::Retired);
        }
        // M38, M65: the generation starts again and never traps.
        Overflow::Wrap => {
            let handle = registry.create(&mut memory).unwrap();
            assert_eq!((L::index(handle), L::generation(handle)), (0, 1));
        }
    }
    registry.free(&mut memory);
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn m38_m65_the_last_generation() {
    exhaust::<Wide>(Overflow::Retire);
    exhaust::<Wide>(Overflow::Wrap);
    exhaust::<Narrow>(Overflow::Retire);
    exhaust::<Narrow>(Overflow::Wrap);
}

#[test]
fn m68_fifo() {
    let mut memory = memory();
    let mut registry = Registry::<Wide>::new(Rules { recycling: Recycling::Fifo, ..rules::<Wide>() });
    let all = [(); 4].map(|()| registry.create(&mut memory).unwrap());
    for handle in all {
        registry.destroy(handle);
    }
    let again = [(); 4].map(|()| Wide::index(registry.create(&mut memory).unwrap()));
    assert_eq!(again, [0, 1, 2, 3]);
    registry.free(&mut memory);
}

/// Whoever comes after many that ended at once lies in memory as they did, whichever slot is taken first.
#[test]
fn what_ended_together_is_replaced_in_its_order() {
    for recycling in [Recycling::Lifo, Recycling::Fifo] {
        let mut memory = memory();
        let mut registry = Registry::<Wide>::new(Rules { recycling, ..rules::<Wide>() });
        let all = [(); 5].map(|()| registry.create(&mut memory).unwrap());
        let ended = [all[1], all[4], all[2]];
        registry.destroy_all(&ended);
        let again = [(); 3].map(|()| Wide::index(registry.create(&mut memory).unwrap()));
        assert_eq!(again, ended.map(Wide::index), "{recycling:?}");
        registry.free(&mut memory);
    }
}

#[test]
fn m39_components_have_a_range_of_their_own() {
    let mut memory = memory();
    let mut registry = Registry::<Wide>::new(Rules { reserved: 2, ..rules::<Wide>() });
    let entity = registry.create(&mut memory).unwrap();
    assert_eq!(Wide::index(entity), 2);
    let components = [(); 3].map(|()| registry.create_component(&mut memory).unwrap());
    assert_eq!(components.map(Wide::index), [0, 1, 3]);
    registry.destroy(components[1]);
    assert_eq!(Wide::index(registry.create(&mut memory).unwrap()), 4);
    assert_eq!(Wide::index(registry.create_component(&mut memory).unwrap()), 1);
    assert_eq!(registry.check(components[1]).unwrap_err().kind, Kind::Dead);
    registry.free(&mut memory);
}

#[test]
fn m67_what_was_never_created_is_told_from_what_died() {
    let mut memory = memory();
    let mut registry = Registry::<Wide>::new(rules::<Wide>());
    let a = registry.create(&mut memory).unwrap();
    let kind = |registry: &Registry<Wide>, handle| registry.check(handle).unwrap_err().kind;
    assert_eq!(kind(&registry, compose(9, 0, 2)), Kind::NeverCreated);
    assert_eq!(kind(&registry, compose(9, 0, 0)), Kind::NeverCreated);
    assert_eq!(kind(&registry, compose(9, 1, 1)), Kind::NeverCreated);
    assert_eq!(kind(&registry, compose(8, 0, 1)), Kind::WrongWorld);
    assert_eq!(kind(&registry, a | 1 << 56), Kind::Role);
    assert_eq!(kind(&registry, compose(9, u32::MAX, 1)), Kind::NullEntity);
    assert_eq!(kind(&registry, compose(9, 0, 0xFFFF)), Kind::Tombstone);
    assert_eq!(kind(&registry, compose(0, 5, 1)), Kind::WrongWorld);
    registry.destroy(a);
    assert_eq!(kind(&registry, a), Kind::Dead);
    assert_eq!(kind(&registry, compose(9, 0, 2)), Kind::NeverCreated);
    registry.free(&mut memory);
}

#[test]
fn create_at_takes_slots_from_anywhere_in_the_list() {
    for recycling in [Recycling::Lifo, Recycling::Fifo] {
        let mut memory = memory();
        let mut registry = Registry::<Wide>::new(Rules { recycling, ..rules::<Wide>() });
        let at = |index, generation| compose(9, index, generation);
        registry.reserve_at(&mut memory, &[at(5, 7)]).unwrap();
        registry.create_at(&[at(5, 7)]);
        assert_eq!((registry.alive(), registry.dead()), (1, 5));
        registry.reserve_at(&mut memory, &[at(2, 1), at(4, 3), at(8, 1)]).unwrap();
        registry.create_at(&[at(2, 1), at(4, 3), at(8, 1)]);
        assert_eq!(registry.dead(), 5);
        assert_eq!(registry.check_free(at(5, 8)).unwrap_err().kind, Kind::Occupied);
        registry.destroy(at(5, 7));
        assert_eq!(registry.check_free(at(5, 7)).unwrap_err().kind, Kind::Dead);
        let mut rest = [(); 6].map(|()| registry.create(&mut memory).unwrap());
        rest.sort_unstable_by_key(|handle| Wide::index(*handle));
        assert_eq!(rest.map(Wide::index), [0, 1, 3, 5, 6, 7]);
        assert_eq!(Wide::index(registry.create(&mut memory).unwrap()), 9);
        registry.free(&mut memory);
    }
}

/// What was noted of who leads to whom is old after others came and went: beside a plain list of the dead, with and without
/// memory for the notes.
#[test]
fn create_at_finds_slots_whatever_has_changed_since() {
    const SLOTS: u32 = if cfg!(miri) { 100 } else { 400 };
    for (recycling, notes) in
        [Recycling::Lifo, Recycling::Fifo].into_iter().flat_map(|it| [(it, true), (it, false)])
    {
        let mut memory = memory();
        let mut registry = Registry::<Wide>::new(Rules { recycling, ..rules::<Wide>() });
        registry.reserve(&mut memory, SLOTS).unwrap();
        let mut living: Vec<_> = (0..SLOTS).map(|_| registry.create(&mut memory).unwrap()).collect();
        let mut dead = std::collections::VecDeque::new();
        let mut seed = 1_u32;
        let mut below = |most: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % most.max(1)
        };
        for step in 0..if cfg!(miri) { 200 } else { 20_000 } {
            match below(5) {
                0 if step % 400 < 200 => {
                    for _ in 0..below(SLOTS as usize / 2).min(living.len()) {
                        let gone = living.swap_remove(below(living.len()));
                        registry.destroy(gone);
                        match recycling {
                            Recycling::Lifo => dead.push_front(Wide::index(gone)),
                            Recycling::Fifo => dead.push_back(Wide::index(gone)),
                        }
                    }
                }
                1 => {
                    let next = dead.pop_front();
                    if let Some(next) = next {
                        living.push(registry.create(&mut memory).unwrap());
                        assert_eq!(
                            living.last().map(|made| Wide::index(*made)),
                            Some(next),
                            "{recycling:?} {notes} {step}"
                        );
                    }
                }
                _ => {
                    let count = (1 + below(3)).min(dead.len());
                    let some: Vec<_> = (0..count)
                        .map(|_| dead.remove(below(dead.len())).unwrap())
                        .map(|index| compose(9, index, registry.generation(index).unwrap()))
                        .collect();
                    if notes {
                        registry.reserve_at(&mut memory, &some).unwrap();
                    }
                    registry.create_at(&some);
                    living.extend(some);
                }
            }
            assert_eq!(registry.dead() as usize, dead.len());
        }
        assert_eq!(registry.before.is_empty(), !notes, "notes were in use, or not");
        if notes && recycling == Recycling::Fifo {
            // Whoever ends last is known, too.
            let last = living.swap_remove(0);
            registry.destroy(last);
            let index = Wide::index(last);
            assert_eq!(registry.known_before(index), dead.back().copied());
            dead.push_back(index);
        }
        for next in dead {
            assert_eq!(Wide::index(registry.create(&mut memory).unwrap()), next);
        }
        registry.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }
}

#[test]
fn undo_leaves_no_trace() {
    let mut memory = memory();
    let mut registry = Registry::<Wide>::new(rules::<Wide>());
    let all = [(); 3].map(|()| registry.create(&mut memory).unwrap());
    registry.destroy(all[0]);
    registry.destroy(all[1]);
    let (fresh, mut out) = (registry.fresh(), [0; 4]);
    registry.reserve(&mut memory, 4).unwrap();
    registry.create_reserved(&mut out);
    assert_eq!(out.map(Wide::index), [1, 0, 3, 4]);
    registry.undo_create(&out, fresh);
    assert_eq!((registry.alive(), registry.dead(), registry.words.len()), (1, 2, 3));
    let again = [(); 4].map(|()| registry.create(&mut memory).unwrap());
    assert_eq!(again, out);
    registry.free(&mut memory);
}

/// A slot whose generations have all been used begins anew: it is none that was never used.
#[test]
fn undo_leaves_no_trace_where_generations_wrap() {
    let mut memory = memory();
    let rules = Rules { overflow: Overflow::Wrap, ..rules::<Narrow>() };
    let mut registry = Registry::<Narrow>::new(rules);
    let mut entity = registry.create(&mut memory).unwrap();
    for _ in 0..(1 << 12) - 2 {
        registry.destroy(entity);
        entity = registry.create(&mut memory).unwrap();
    }
    assert_eq!(Narrow::generation(entity), 1);
    let (fresh, mut out) = (registry.fresh(), [0; 2]);
    registry.destroy(entity);
    for _ in 0..(1 << 12) - 3 {
        entity = registry.create(&mut memory).unwrap();
        registry.destroy(entity);
    }
    registry.reserve(&mut memory, 2).unwrap();
    registry.create_reserved(&mut out);
    assert_eq!(out.map(|entity| (Narrow::index(entity), Narrow::generation(entity))), [(0, 1), (1, 1)]);
    registry.undo_create(&out, fresh);
    assert_eq!((registry.alive(), registry.dead(), registry.fresh()), (0, 1, fresh));
    registry.free(&mut memory);
}

/// The same of components, in their range and above it, and of what is told of who has gone.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn undoing_a_component_leaves_no_trace_where_generations_wrap() {
    for reserved in [0, 1] {
        let mut memory = memory();
        let rules = Rules { overflow: Overflow::Wrap, reserved, ..rules::<Narrow>() };
        let mut registry = Registry::<Narrow>::new(rules);
        let mut last = 0;
        for generation in 1..(1 << 12) - 1 {
            last = registry.create_component(&mut memory).unwrap();
            assert_eq!((Narrow::index(last), Narrow::generation(last)), (0, generation));
            registry.destroy(last);
        }
        let fresh = registry.fresh();
        let first = registry.create_component(&mut memory).unwrap();
        assert_eq!((Narrow::index(first), Narrow::generation(first)), (0, 1));
        registry.undo_create_component(first, fresh);
        assert_eq!((registry.alive(), registry.dead(), registry.fresh()), (0, 1, fresh));
        assert_eq!(registry.generation(0).unwrap(), 1);
        assert_eq!(registry.check(last).unwrap_err().kind, Kind::Dead);
        assert_eq!(registry.check(first).unwrap_err().kind, Kind::NeverCreated);
        assert_eq!(registry.create_component(&mut memory).unwrap(), first);
        registry.free(&mut memory);
    }
}

#[test]
fn a_range_that_nobody_is_in_yet_is_no_slots() {
    let mut memory = memory();
    let mut registry = Registry::<Wide>::new(Rules { reserved: 64, ..rules::<Wide>() });
    assert_eq!(registry.living(0, &mut []), (0, u32::MAX));
    // What a creation does first, and may be all that it gets to.
    registry.reserve(&mut memory, 1).unwrap();
    assert_eq!((registry.used(), registry.living(0, &mut [])), (64, (0, u32::MAX)));
    let component = registry.create_component(&mut memory).unwrap();
    assert_eq!(registry.living(0, &mut []), (0, 0));
    assert_eq!(registry.living(1, &mut []), (0, u32::MAX));
    let mut out = [0; 2];
    assert_eq!((registry.living(0, &mut out), out), ((1, u32::MAX), [component, 0]));
    let entity = registry.create(&mut memory).unwrap();
    assert_eq!((registry.living(0, &mut out), out), ((2, u32::MAX), [component, entity]));
    registry.free(&mut memory);
}

#[test]
fn m77_reserved_capacity_means_no_allocation() {
    let mut memory = memory();
    let mut registry = Registry::<Narrow>::new(rules::<Narrow>());
    registry.reserve_total(&mut memory, 1000, "n").unwrap();
    let (bytes, at) = (memory.bytes, registry.words.as_ptr());
    for _ in 0..1000 {
        registry.create(&mut memory).unwrap();
    }
    assert_eq!((memory.bytes, registry.words.as_ptr()), (bytes, at));
    let huge = registry.reserve_total(&mut memory, u32::MAX, "n");
    assert_eq!(huge.unwrap_err().kind, Kind::Count);
    registry.free(&mut memory);
}

std::thread_local! {
    static TOUCHED: Cell<u32> = const { Cell::new(0) };
}

/// A word that counts how often one is read or written.
#[derive(Clone, Copy, PartialEq, Eq)]
struct CountedWord(u64);

impl Word for CountedWord {
    fn from_handle(handle: Handle) -> Self {
        TOUCHED.set(TOUCHED.get() + 1);
        Self(handle)
    }
    fn handle(self) -> Handle {
        TOUCHED.set(TOUCHED.get() + 1);
        self.0
    }
}

#[derive(Clone, Copy)]
struct Counted;

impl Layout for Counted {
    type Word = CountedWord;
    type Slot = Slot48;
    const INDEX_BITS: u32 = 32;
    const GENERATION_BITS: u32 = 16;
    const HAS_WORLD: bool = true;
}

/// M17, M82: create, destroy, is-alive and generation look at a few words, however many there are.
#[test]
fn m17_m82_every_operation_touches_a_few_words() {
    for n in [10, 10_000] {
        let mut memory = memory();
        let mut registry = Registry::<Counted>::new(rules::<Wide>());
        registry.reserve_total(&mut memory, 3 * n, "n").unwrap();
        let mut all = std::vec![0; n as usize];
        registry.create_reserved(&mut all);
        for handle in &all[..n as usize / 2] {
            registry.destroy(*handle);
        }
        let living = all[n as usize - 1];
        let dead = all[0];
        let mut count = |work: &mut dyn FnMut(&mut Registry<Counted>)| {
            TOUCHED.set(0);
            work(&mut registry);
            assert!(TOUCHED.get() <= 6, "{} words touched among {n}", TOUCHED.get());
        };
        count(&mut |registry| assert!(registry.is_alive(living)));
        count(&mut |registry| assert!(registry.check(dead).is_err()));
        count(&mut |registry| assert_eq!(registry.generation(0), Ok(2)));
        count(&mut |registry| registry.destroy(living));
        count(&mut |registry| assert_ne!(registry.create_quickly(u32::MAX), None));
        count(&mut |registry| assert!(registry.create(&mut Memory::new(Allocator::system(), 1)).is_ok()));
        registry.free(&mut memory);
    }
}

/// Queries reach the last index that can be handed out, and no other is: told without memory for so many.
#[test]
fn the_last_index() {
    let registry = Registry::<Wide>::new(rules::<Wide>());
    let at = |index| registry.check_free(compose(9, index, 1)).map_err(|error| error.kind);
    assert_eq!(Wide::MOST, 0xFFFF_FFC0);
    assert_eq!((at(Wide::MOST - 1), at(Wide::MOST)), (Ok(()), Err(Kind::Full)));
    assert_eq!(at(u32::MAX - 1), Err(Kind::Full));
    assert!(registry.check_room(Wide::MOST).is_ok());
    assert_eq!(registry.check_room(u32::MAX - 1).unwrap_err().kind, Kind::Full);
    let registry = Registry::<Narrow>::new(rules::<Narrow>());
    let at = |index| registry.check_free(compose(0, index, 1)).map_err(|error| error.kind);
    assert_eq!(
        (Narrow::MOST, at(Narrow::MOST - 1), at(Narrow::MOST)),
        (0xF_FFFF, Ok(()), Err(Kind::NullEntity))
    );
}
