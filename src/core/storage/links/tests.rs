//! Who holds a pair: after more changes than a number counts, and after all have gone.

use super::*;
use crate::core::ids::Wide;
use crate::core::storage::memory::Allocator;
use crate::core::storage::moment::OLD;
use crate::core::storage::relations::Relations;

impl<L: Layout> Links<L> {
    /// As if so many had been made meanwhile.
    pub fn pass(&mut self, more: u64) {
        self.counts.made += more;
    }
}

/// A pair that nobody has yet.
fn pair() -> (Memory, Links<Wide>, Relations, u32) {
    let mut memory = Memory::new(Allocator::system(), 0);
    let (mut links, mut relations) = (Links::default(), Relations::default());
    let relation = relations.make(&mut memory, 5, 1 << 32 | 5).unwrap();
    let pair = Pair { id: 3 << 56 | 5 << 32 | 6, relation, target: 1 << 32 | 6, values: NONE };
    let record = links.open(&mut memory, &pair, relations.get(relation)).unwrap();
    (memory, links, relations, record)
}

#[test]
fn who_got_a_pair_long_ago_is_never_taken_for_new() {
    let (mut memory, mut links, mut relations, record) = pair();
    let add = |links: &mut Links<Wide>, memory: &mut Memory, holder| {
        links.add(memory, (record, holder), None, None).unwrap()
    };
    add(&mut links, &mut memory, 10);
    // 2^32 changes, of which it notices some.
    for round in 0..8 {
        links.pass(u64::from(OLD) - 1 - links.made() % u64::from(OLD));
        add(&mut links, &mut memory, 11 + 2 * round);
        let now = links.made() as u32;
        add(&mut links, &mut memory, 12 + 2 * round);
        let mut found = Vec::new();
        while let Some((place, _, index)) =
            links.next_holder(record, found.last().map_or(0, |(place, _)| place + 1), now)
        {
            found.push((place, index));
        }
        // All that were there before, and not the last one.
        assert_eq!(found.into_iter().map(|(_, index)| index).collect::<Vec<_>>(), {
            (10..12 + 2 * round).collect::<Vec<_>>()
        });
    }
    links.free(&mut memory);
    relations.free(&mut memory);
    assert_eq!(memory.bytes, 0);
}

#[test]
fn places_are_forgotten_when_nobody_is_left() {
    let (mut memory, mut links, mut relations, record) = pair();
    let mut made = [0; 100];
    for (link, holder) in made.iter_mut().zip(10..) {
        *link = links.add(&mut memory, (record, holder), None, None).unwrap();
    }
    let (began, bytes) = (links.made() as u32, memory.bytes);
    for (number, link) in made.into_iter().enumerate() {
        assert_eq!((links.places(record), links.holders(record)), (100, 100 - number as u32));
        links.remove(link, None);
    }
    assert_eq!((links.places(record), links.holders(record)), (0, 0));
    // Who comes then stands at the first place, needs no memory, and is new to whoever began before, at that place or behind.
    let link = links.add(&mut memory, (record, 30), None, None).unwrap();
    let now = links.made() as u32;
    let seen = |place, made| links.next_holder(record, place, made);
    assert_eq!([seen(0, began), seen(50, began), seen(50, now)], [None; 3]);
    assert_eq!((seen(0, now), links.places(record), memory.bytes), (Some((0, link, 30)), 1, bytes));
    links.free(&mut memory);
    relations.free(&mut memory);
    assert_eq!(memory.bytes, 0);
}
