//! Pages and what is found in them, joined, given back, and found at once.

#![allow(clippy::disallowed_types)] // tests may use everything

use super::grains::MOST_FINE;
use super::*;
use crate::core::ids::Narrow;
use crate::core::storage::memory::Allocator;

/// Where pages of elements of that size end, one after the other.
fn ends(size: usize) -> impl Iterator<Item = u32> {
    let first: &[u32] = if size > WHOLE { &[1, 4, 16] } else { &[16] };
    let large = (1..).map(|number| number * LARGE);
    first.iter().copied().chain([64, 256, 1024, 4096, 16384]).chain(large)
}

#[test]
fn pages_follow_one_another() {
    for size in [0, 1, 64, 65, 4096] {
        let packed = Packed::<Narrow>::new(size, 1);
        let mut start = 0;
        let mut entry = None;
        for end in ends(size).take(100) {
            for position in [start, (start + end) / 2, end - 1] {
                assert_eq!(packed.page(position), start..end, "{size}: {position}");
                assert!(position < 16 || page_of(position) == page_of(start));
            }
            // No two pages share an entry, and none is nobody's.
            assert_eq!(entry.map_or(0, |entry| entry + 1), entry_of(start), "{size}: {start}");
            entry = Some(entry_of(end - 1));
            assert_eq!(after(end), packed.page_end(end));
            start = end;
        }
        let last = u32::MAX - (LARGE - 1);
        assert_eq!(packed.page(u32::MAX), last..u32::MAX);
    }
}

#[test]
fn large_elements_are_found_as_small_ones_are() {
    for (size, count) in [(1, 70_000), (65, 70_000), (256, 300), (257, 40_000), (300, 12), (5000, 20)] {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut packed = Packed::<Narrow>::new(size, 1);
        let count = if cfg!(miri) { count.min(20) } else { count };
        for step in 0..3 {
            match step {
                0 => grow(&mut packed, &mut memory, count),
                1 => packed
                    .join(&mut memory, count, |to, from, many| {
                        // SAFETY: as it is called.
                        unsafe { to.copy_from_nonoverlapping(from, size * many as usize) };
                    })
                    .unwrap(),
                _ => packed.reserve(&mut memory, count).unwrap(),
            }
            if step != 1 {
                for position in 0..count {
                    packed.set_entity(position, position);
                    // SAFETY: an element that has memory, and that many bytes.
                    unsafe { packed.element(position).write_bytes(mark(position), size) };
                }
            }
            check_marks(&packed, size, count);
            if step > 0 {
                // Less and less of it, down to nothing.
                for fewer in [300, 200, 17, 5, 2, 1, 0].into_iter().filter(|fewer| *fewer < count) {
                    packed.shrink(&mut memory, fewer);
                    check_marks(&packed, size, fewer);
                }
                assert_eq!((memory.bytes, packed.bytes()), (0, 0));
            }
        }
    }
}

fn check_marks(packed: &Packed<Narrow>, size: usize, count: u32) {
    for position in 0..count {
        let element = packed.element(position);
        // SAFETY: it was written.
        let bytes = unsafe { core::slice::from_raw_parts(element, size) };
        assert!(bytes == vec![mark(position); size], "{size}: {position} of {count}");
        assert_eq!(packed.entity(position), u64::from(position));
        assert!(packed.element_at_once(position).is_none_or(|at| at.as_ptr() == element));
        // SAFETY: a position that has memory.
        assert_eq!(unsafe { packed.lookup().element(position) }, element);
        if position % 61 < 5 {
            assert_eq!(packed.position_of(element), Some(position));
            assert!(size == 1 || packed.position_of(element.wrapping_add(1)).is_none());
        }
    }
}

/// What is written all over a position's element.
const fn mark(position: u32) -> u8 {
    (position % 251) as u8
}

#[test]
fn large_elements_take_no_memory_for_many_others() {
    let mut memory = Memory::new(Allocator::system(), 0);
    for size in [65, 256, 5000, 1 << 20].into_iter().take(if cfg!(miri) { 3 } else { 4 }) {
        let mut packed = Packed::<Narrow>::new(size, 1);
        for (count, room) in [(1, 1), (2, 4), (5, 16)] {
            packed.reserve(&mut memory, count).unwrap();
            let bytes = packed.bytes();
            assert!((room * size..room * (size + 12) + 200).contains(&bytes), "{size}, {count}: {bytes}");
            // All of them are found at once.
            assert!((0..count).all(|position| packed.element_at_once(position).is_some()));
        }
        packed.shrink(&mut memory, 0);
        // More than four lie side by side where they come at once.
        packed.reserve(&mut memory, 5).unwrap();
        assert_eq!((packed.page(0), packed.joins_to()), (0..16, None));
        packed.shrink(&mut memory, 0);
        grow(&mut packed, &mut memory, 4);
        assert_eq!((packed.page(3), packed.joins_to()), (1..4, None));
        grow(&mut packed, &mut memory, 5);
        assert_eq!((packed.page(5), packed.joins_to()), (4..16, Some(16)));
        packed.shrink(&mut memory, 0);
    }
    assert_eq!(memory.bytes, 0);
}

/// Memory for the first and the third page of elements of 68 bytes, so that they look as one: both begin where positions 0 and 4
/// of an array would. Everything else comes from the system.
fn placing(arena: *mut u8) -> Allocator {
    Allocator {
        allocate: |own, size, align| match size {
            72 => own.user.cast(),
            864 => own.user.cast::<u8>().wrapping_add(4 * 68),
            _ => (Allocator::system().allocate)(own, size, align),
        },
        release: |own, at, size, align| {
            if size != 72 && size != 864 {
                (Allocator::system().release)(own, at, size, align);
            }
        },
        functions: [arena.cast_const().cast(); 3],
        user: arena.cast(),
        ..Allocator::system()
    }
}

#[test]
fn pages_that_look_as_one_by_chance_are_several() {
    let mut arena = Buffer::<u64>::new();
    let mut from = Memory::new(Allocator::system(), 0);
    arena.reserve_exact(&mut from, 200).unwrap();
    arena.fill_reserved(200, 0);
    let mut memory = Memory::new(placing(arena.as_mut_ptr().cast()), 0);
    let mut packed = Packed::<Narrow>::new(68, 4);
    let count = if cfg!(miri) { 300 } else { MOST_FINE + 1 };
    grow(&mut packed, &mut memory, count);
    assert_eq!(packed.element(4), packed.element(0).wrapping_add(4 * 68));
    for fewer in [count, 500, 256, 17].into_iter().filter(|fewer| *fewer <= count) {
        packed.shrink(&mut memory, fewer);
        unsaid(&packed, packed.capacity());
    }
    packed.shrink(&mut memory, 0);
    assert_eq!(memory.bytes, 0);
    arena.free(&mut from);
}

#[test]
fn m45_elements_stay_where_they_are() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut packed = Packed::<Narrow>::new(12, 4);
    packed.reserve(&mut memory, 1).unwrap();
    let first = packed.element(0);
    packed.reserve(&mut memory, 5000).unwrap();
    assert_eq!(packed.element(0), first);
    for position in 0..5000 {
        packed.set_entity(position, position);
    }
    for position in (0..5000).rev() {
        assert_eq!(packed.entity(position), u64::from(position));
        assert_eq!(packed.position_of(packed.element(position)), Some(position));
    }
    assert_eq!(packed.position_of(packed.element(7).wrapping_add(1)), None);
    // From the second page on this is more elements than there are numbers.
    assert_eq!(packed.position_of(packed.element(16).wrapping_add(u32::MAX as usize * packed.size())), None);
    packed.shrink(&mut memory, 17);
    assert_eq!(packed.capacity(), 64);
    packed.shrink(&mut memory, 0);
    assert_eq!((memory.bytes, packed.bytes()), (0, 0));
}

#[test]
fn what_comes_at_once_is_one_page() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let all = [(1, 16), (16, 16), (17, 64), (300, 1024), (4097, 16384), (LARGE, LARGE), (70_000, LARGE)];
    for (count, end) in all.into_iter().take(if cfg!(miri) { 4 } else { 7 }) {
        let mut packed = Packed::<Narrow>::new(12, 4);
        packed.reserve(&mut memory, count).unwrap();
        assert_eq!(packed.page(0), 0..end);
        let capacity = packed.capacity();
        assert!(capacity >= count && start_of(capacity - 1) < count);
        write(&mut packed, 0..count);
        check(&packed, count, end);
        // What comes later has pages of its own, and all is given back.
        packed.reserve(&mut memory, capacity + 1).unwrap();
        check(&packed, count, end);
        packed.shrink(&mut memory, capacity);
        assert_eq!((packed.capacity(), packed.page(0)), (capacity, 0..end));
        packed.shrink(&mut memory, 0);
        assert_eq!((memory.bytes, packed.bytes()), (0, 0));
    }
}

fn join(packed: &mut Packed<Narrow>, memory: &mut Memory, len: u32) -> Result<(), Error> {
    packed.join(memory, len, |to, from, count| {
        // SAFETY: as it is called: elements of 12 bytes, and room for as many.
        unsafe { to.copy_from_nonoverlapping(from, 12 * count as usize) };
    })
}

/// Makes room one by one, so that no page is joined.
fn grow(packed: &mut Packed<Narrow>, memory: &mut Memory, count: u32) {
    (1..=count).for_each(|count| packed.reserve(memory, count).unwrap());
}

fn write(packed: &mut Packed<Narrow>, positions: Range<u32>) {
    for position in positions {
        packed.set_entity(position, position);
        // SAFETY: elements of 12 bytes that have memory.
        unsafe { packed.element(position).cast::<[u32; 3]>().write([position; 3]) };
    }
}

/// Whether elements and entities are those of their positions, and the first `joined` elements lie side by side.
fn check(packed: &Packed<Narrow>, len: u32, joined: u32) {
    for position in 0..len {
        let element = packed.element(position);
        // SAFETY: an element that was written below.
        assert_eq!(unsafe { element.cast::<[u32; 3]>().read() }, [position; 3]);
        assert_eq!(packed.entity(position), u64::from(position));
        assert_eq!(packed.position_of(element), Some(position));
        let page = packed.page(position);
        assert!(page.contains(&position) && page.end <= packed.capacity());
        assert_eq!(page == (0..joined), position < joined);
        assert_eq!(element, packed.element(page.start).wrapping_add(12 * (position - page.start) as usize));
        let near = position.checked_ilog2().map_or(0, |bits| bits as usize / 2);
        if position < LARGE {
            let base = packed.near().low[near] as usize | (packed.near().high[near] as usize) << 32;
            assert_eq!(element as usize, base.wrapping_add(12 * position as usize));
        }
    }
    assert_eq!(packed.entities(0..len).len() as u32, len.min(packed.page_end(0)));
}

#[test]
fn joined_pages_hold_what_they_held() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut packed = Packed::<Narrow>::new(12, 4);
    assert_eq!(packed.joins_to(), None);
    // Pages are joined again as there come more of them; a page that isn't full is joined too.
    let all = [(10, 0), (60, 64), (900, 1024), (4096, 4096), (LARGE, LARGE), (2 * LARGE + 9, LARGE)];
    for (len, joined) in all.into_iter().take(if cfg!(miri) { 3 } else { 6 }) {
        grow(&mut packed, &mut memory, len);
        write(&mut packed, 0..len);
        let bytes = memory.bytes;
        join(&mut packed, &mut memory, len).unwrap();
        check(&packed, len, joined);
        assert_eq!((memory.bytes, packed.joins_to()), (bytes, None));
    }
    if !cfg!(miri) {
        packed.shrink(&mut memory, LARGE + 1);
        assert_eq!(packed.capacity(), 2 * LARGE);
        packed.shrink(&mut memory, 1);
        assert_eq!(packed.capacity(), LARGE);
        check(&packed, LARGE, LARGE);
    }
    packed.shrink(&mut memory, 0);
    assert_eq!((memory.bytes, packed.bytes(), packed.capacity()), (0, 0, 0));
    grow(&mut packed, &mut memory, 17);
    assert_eq!((packed.page(0), packed.page(16)), (0..16, 16..64));
    packed.shrink(&mut memory, 0);
}

/// Which positions below `len` grains say nothing of; what they say is right.
fn unsaid(packed: &Packed<Narrow>, len: u32) -> Vec<u32> {
    let said = |position: &u32| {
        let element = packed.element_at_once(*position);
        // SAFETY: a position that was reserved.
        let looked_up = unsafe { packed.lookup().element(*position) };
        assert_eq!(looked_up, packed.place(*position).element);
        assert!(element.is_none_or(|element| element.as_ptr() == looked_up));
        element.is_some()
    };
    (0..len).filter(|position| !said(position)).collect()
}

#[test]
fn grains_say_where_elements_are() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut packed = Packed::<Narrow>::new(12, 4);
    let all = [1, 16, 17, 64, 65, 1025, 4096, 4097, 20_000, MOST_FINE];
    for len in all.into_iter().take(if cfg!(miri) { 6 } else { 10 }) {
        grow(&mut packed, &mut memory, len);
        assert_eq!(unsaid(&packed, packed.capacity()), []);
    }
    if cfg!(miri) {
        return packed.shrink(&mut memory, 0);
    }
    // More elements than are found by fine grains: the first pages have several addresses.
    grow(&mut packed, &mut memory, MOST_FINE + 1);
    assert_eq!(packed.capacity(), MOST_FINE + LARGE);
    assert!(unsaid(&packed, packed.capacity()).into_iter().eq(0..256));
    assert!(packed.grains.bytes() <= 384 * size_of::<usize>());
    // Joined, they have one.
    join(&mut packed, &mut memory, 0).unwrap();
    assert_eq!(unsaid(&packed, packed.capacity()), []);
    // Few again, and many again: joined pages stay so.
    for (len, capacity) in [(20_000, LARGE), (MOST_FINE + 1, MOST_FINE + LARGE)] {
        packed.shrink(&mut memory, len);
        grow(&mut packed, &mut memory, len);
        assert_eq!((packed.capacity(), unsaid(&packed, capacity)), (capacity, vec![]));
    }
    packed.shrink(&mut memory, 0);
    assert_eq!(memory.bytes, 0);
}

#[test]
#[cfg_attr(miri, ignore = "many elements")]
fn grains_of_pages_that_were_joined_apart() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut packed = Packed::<Narrow>::new(12, 4);
    grow(&mut packed, &mut memory, 60);
    join(&mut packed, &mut memory, 0).unwrap();
    grow(&mut packed, &mut memory, MOST_FINE + LARGE);
    assert!(unsaid(&packed, MOST_FINE + LARGE).into_iter().eq(0..256));
    packed.shrink(&mut memory, 60);
    assert_eq!(unsaid(&packed, 64), []);
    packed.shrink(&mut memory, 0);
}

#[test]
#[cfg_attr(miri, ignore = "many elements")]
fn small_grains_need_memory_to_come_back() {
    let mut memory = Memory::new(Allocator::system(), 0);
    let mut packed = Packed::<Narrow>::new(12, 4);
    grow(&mut packed, &mut memory, MOST_FINE + LARGE);
    memory.budget = 1;
    packed.shrink(&mut memory, 5000);
    assert_eq!(packed.capacity(), 16_384);
    assert!(unsaid(&packed, 16_384).into_iter().eq(0..256));
    memory.budget = u64::MAX;
    grow(&mut packed, &mut memory, MOST_FINE);
    assert!(unsaid(&packed, MOST_FINE).into_iter().eq(0..256));
    packed.shrink(&mut memory, 5000);
    assert_eq!(unsaid(&packed, 16_384), []);
    packed.shrink(&mut memory, 0);
    assert_eq!(memory.bytes, 0);
}

#[test]
fn what_is_hidden_is_not_found_at_once() {
    let mut memory = Memory::new(Allocator::system(), 0);
    for mut packed in [Packed::<Narrow>::new(0, 1), Packed::<Narrow>::new(12, 4)] {
        grow(&mut packed, &mut memory, 1);
        packed.hide();
        for len in [1, 100, 1000, MOST_FINE + LARGE].into_iter().take(if cfg!(miri) { 3 } else { 4 }) {
            grow(&mut packed, &mut memory, len);
            assert!(unsaid(&packed, packed.capacity()).into_iter().eq(0..packed.capacity()));
        }
        packed.shrink(&mut memory, 100);
        assert!(unsaid(&packed, packed.capacity()).into_iter().eq(0..packed.capacity()));
        packed.shrink(&mut memory, 0);
    }
}

#[test]
fn without_memory_pages_stay_apart() {
    let (count, budget) = if cfg!(miri) { (1024, 30_000) } else { (LARGE, 800_000) };
    let mut memory = Memory::new(Allocator::system(), budget);
    let mut packed = Packed::<Narrow>::new(12, 4);
    grow(&mut packed, &mut memory, count);
    write(&mut packed, 0..count);
    let bytes = (memory.bytes, packed.bytes());
    assert!(join(&mut packed, &mut memory, count).is_err());
    check(&packed, count, 0);
    assert_eq!((memory.bytes, packed.bytes()), bytes);
    packed.shrink(&mut memory, 0);
    assert_eq!(memory.bytes, 0);
}
