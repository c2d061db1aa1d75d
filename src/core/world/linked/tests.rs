//! Walks in which more is made than a number tells apart.

use super::*;
use crate::core::ids::{Wide, role};
use crate::core::query::linked::Whose;
use crate::core::query::{Access, Options, Spec};
use crate::core::registry::{Overflow, Recycling, Rules};
use crate::core::storage::join::Level;
use crate::core::storage::memory::{Allocator, Memory};
use crate::core::storage::moment::OLD;
use crate::core::world::tree::Among;
use core::sync::atomic::AtomicU64;

static CHANGES: AtomicU64 = AtomicU64::new(0);

/// More than a batch has.
const MANY: u32 = if cfg!(miri) { 300 } else { 1000 };

/// How many a walk sees of so many if so much is made behind its first batch: pairs, or children of another.
fn seen(children: bool, made: u64) -> Result<u32, Error> {
    let rules = Rules {
        recycling: Recycling::Lifo,
        overflow: Overflow::Retire,
        reserved: 256,
        most: 1 << 20,
        stamp: 1 << 48,
    };
    let memory = Memory::new(Allocator::system(), 0);
    let ecs = Ecs::new(World::<Wide>::new(memory, rules, Level::Baseline, &CHANGES, 1, null_mut()));
    let mut all = [0; MANY as usize + 3];
    ecs.create_n(&mut all)?;
    let [relation, above, other, ref holders @ ..] = all;
    for holder in holders {
        ecs.add_pair(*holder, (relation, above), None)?;
        ecs.set_parent(*holder, above, Among::Last)?;
    }
    let (id, target) = if children {
        ((role::CHILDOF as u64) << 56 | above, Target::None)
    } else {
        (relation, Target::Of(above))
    };
    let spec = Spec { id, target, source: Whose::This, ask: Ask::With, access: Access::None };
    let options = Options { kept: None, order: None, cascade: false, bases: false };
    let query = ecs.create_query(&[spec], &options, 1)?;
    let (mut cursor, mut room) = (LinkCursor::NOWHERE, Room::EMPTY);
    ecs.start_linked(query, &mut cursor, &mut [0; TERMS], false)?;
    let mut seen = ecs.next_linked(query, &mut cursor, &mut room.fields())?;
    assert!(seen > 0 && seen < MANY);
    // Numbers pass the moment at which what is very old is renewed.
    let count = || ecs.look(|w| if children { w.tree.changes() } else { w.links.made() });
    let pass = |more: u64| ecs.with(|w| if children { w.tree.pass(more) } else { w.links.pass(more) });
    let end = count() + made;
    pass(u64::from(OLD) - 1 - count() % u64::from(OLD));
    ecs.add_pair(other, (relation, other), None)?;
    ecs.set_parent(other, relation, Among::Last)?;
    pass(end - count());
    let last = loop {
        match ecs.next_linked(query, &mut cursor, &mut room.fields()) {
            Ok(0) => break Ok(seen),
            Ok(more) => seen += more,
            Err(error) => break Err(error),
        }
    };
    assert_eq!(ecs.into_inner().free().bytes, 0);
    last
}

#[test]
fn who_was_there_all_along_is_seen_or_the_walk_ends() {
    let old = u64::from(OLD);
    for children in [false, true] {
        assert_eq!(seen(children, old - 1), Ok(MANY));
        let more = [old, old << 2, old << 3 | 1, old << 20];
        for made in more.into_iter().take(if cfg!(miri) { 1 } else { 4 }) {
            assert_eq!(seen(children, made).map_err(|error| error.kind), Err(Kind::Changed));
        }
    }
}
