//! Pairs that entities have: who is linked to whom, by what, with which value.
//!
//! ```text
//!   records   one for each (relation, target) that somebody made
//!               (Likes, Bob)   holders  [ link 0 -> 7 | link 3 -> 9 | gap ]      values of Likes
//!   links     one for each pair of an entity
//!               0: holder 7, record (Likes, Bob)      3: holder 9, record (Likes, Bob)
//!               1: holder 7, record (Likes, Ann)
//!   ends      for each entity that takes part
//!               7: its links  0 -> 1                  Bob: the records that aim at it  (Likes, Bob) -> ...
//! ```
//!
//! A record is found by a map of ids. A link is found along its holder's chain, if that is short, else by a map of
//! record and holder. Everything else goes along chains, so that ending an entity costs what it takes part in, and
//! needs no memory. A holder's place in its record is kept
//! until it leaves: then it is a gap, which the next one fills, so that whoever iterates sees nobody twice.

mod values;

use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::buffer::Buffer;
use crate::core::storage::lifecycle::Source;
use crate::core::storage::map::Map;
use crate::core::storage::memory::Memory;
use crate::core::storage::paged::{Item, Paged};
use crate::core::storage::relations::{Relation, Traits};
pub use values::Type;
use values::Values;

/// No link, record, place or entity.
pub const NONE: u32 = u32::MAX;

/// Who has more pairs than this is in the map. Most have fewer: a short chain is found sooner than a place in a large
/// map, which costs more memory too.
const FEW: u32 = 4;

/// A pair of an entity.
#[derive(Clone, Copy)]
struct Link {
    /// The entity's index; of a link that isn't used, the next such.
    holder: u32,
    record: u32,
    /// The holder's others.
    next: u32,
    previous: u32,
    /// Its place among the record's holders.
    place: u32,
    /// Its place among the values.
    value: u32,
}

/// One who has a pair, in the pair's record.
#[derive(Clone, Copy)]
struct Holder {
    /// `NONE`: a gap.
    link: u32,
    /// The entity's index; of a gap, the next gap.
    index: u32,
    /// Its link's number among all that were ever made.
    born: u32,
}

/// All that have one pair.
struct Record {
    id: Handle,
    /// The relation's number, or `NONE` for what is added without one.
    relation: u32,
    target: Handle,
    /// The number of the component whose type the values have, or `NONE`.
    values: u32,
    /// It has no values, and its relation brings nothing with it: who gets it gets a link, and that is all.
    plain: bool,
    holders: Buffer<Holder>,
    count: u32,
    gap: u32,
    /// Its number among all that were ever made.
    serial: u32,
    /// `Links::changes` when somebody got it or lost it last.
    changed: u64,
    /// The others that aim at the target.
    next: u32,
    previous: u32,
    /// The others of the relation.
    next_related: u32,
    previous_related: u32,
}

impl Item for Record {
    const EMPTY: Self = Self {
        id: 0,
        relation: NONE,
        target: 0,
        values: NONE,
        plain: false,
        holders: Buffer::new(),
        count: 0,
        gap: NONE,
        serial: 0,
        changed: 0,
        next: NONE,
        previous: NONE,
        next_related: NONE,
        previous_related: NONE,
    };
}

impl Record {
    /// Puts a holder into a gap, or at the end, where there is room; returns its place.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    fn put(&mut self, holder: Holder) -> u32 {
        self.count += 1;
        let place = self.gap;
        if place == NONE {
            self.holders.push_reserved(holder);
            return self.holders.len() as u32 - 1;
        }
        self.gap = core::mem::replace(&mut self.holders[place as usize], holder).index;
        place
    }
}

/// What an entity takes part in.
#[derive(Clone, Copy, PartialEq, Eq)]
struct End {
    /// Its first link.
    held: u32,
    /// How many links it has.
    count: u32,
    /// The first record that aims at it.
    aimed: u32,
    /// The next in a queue of entities that are marked; its own index: it is the last. `NONE`: not marked.
    queue: u32,
    /// The entity whose instance it is.
    base: u32,
}

impl Item for End {
    const EMPTY: Self = Self { held: NONE, count: 0, aimed: NONE, queue: NONE, base: NONE };
}

/// What a record is made of.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The pair's id.
    pub id: Handle,
    /// The relation's number, or `NONE`.
    pub relation: u32,
    /// The target.
    pub target: Handle,
    /// The number of the component whose type the values have, or `NONE`.
    pub values: u32,
}

/// The pairs of a world.
pub struct Links<L: Layout> {
    ends: Paged<End>,
    links: Buffer<Link>,
    free_link: u32,
    records: Paged<Record>,
    /// Records that were ever used.
    len: u32,
    free_record: u32,
    by_id: Map,
    /// The links of those who have more than `FEW`.
    by_pair: Map,
    values: Values<L>,
    open: u32,
    /// Records and links that were ever made.
    made: u32,
    /// Counts who got a pair or a base, or lost it.
    changes: u64,
}

impl<L: Layout> Default for Links<L> {
    fn default() -> Self {
        Self {
            ends: Paged::default(),
            links: Buffer::new(),
            free_link: NONE,
            records: Paged::default(),
            len: 0,
            free_record: NONE,
            by_id: Map::default(),
            by_pair: Map::default(),
            values: Values::default(),
            open: 0,
            made: 0,
            changes: 0,
        }
    }
}

const fn key(record: u32, holder: u32) -> u64 {
    (record as u64) << 32 | holder as u64
}

impl<L: Layout> Links<L> {
    fn record(&self, record: u32) -> &Record {
        self.records.get(record).unwrap_or(const { &Record::EMPTY })
    }

    fn record_mut(&mut self, record: u32) -> &mut Record {
        match self.records.get_mut(record) {
            Some(record) => record,
            None => unreachable!("records in use have memory"),
        }
    }

    fn end(&self, index: u32) -> End {
        self.ends.get(index).copied().unwrap_or(End::EMPTY)
    }

    fn end_mut(&mut self, index: u32) -> &mut End {
        match self.ends.get_mut(index) {
            Some(end) => end,
            None => unreachable!("who takes part has memory for it"),
        }
    }

    /// How many records and links were ever made; it wraps.
    #[must_use]
    pub const fn made(&self) -> u32 {
        self.made
    }

    /// A number that changes when somebody gets a pair, or a base, or loses it.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// A number that changes when somebody gets or loses the pair of a record.
    #[must_use]
    pub fn changed(&self, record: u32) -> u64 {
        self.record(record).changed
    }

    /// The number of a record among all that were ever made: another one's is another.
    #[must_use]
    pub fn serial(&self, record: u32) -> u32 {
        self.record(record).serial
    }

    /// Whether there is no record at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.open == 0
    }

    /// The record of an id.
    #[inline]
    #[must_use]
    pub fn find(&self, id: Handle) -> Option<u32> {
        self.by_id.get(id)
    }

    /// What a record is made of.
    #[must_use]
    pub fn pair(&self, record: u32) -> Pair {
        let Record { id, relation, target, values, .. } = *self.record(record);
        Pair { id, relation, target, values }
    }

    /// How many have the pair of a record.
    #[must_use]
    pub fn holders(&self, record: u32) -> u32 {
        self.record(record).count
    }

    /// The places of a record's holders: so many.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn places(&self, record: u32) -> u32 {
        self.record(record).holders.len() as u32
    }

    /// The first holder of a record from a place on whose pair was there before `made`: its place, its link, and the
    /// entity's index.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn next_holder(&self, record: u32, place: u32, made: u32) -> Option<(u32, u32, u32)> {
        let holders = self.record(record).holders.get(place as usize..)?;
        let was = |holder: &&Holder| holder.link != NONE && holder.born.wrapping_sub(made) >= 1 << 31;
        let skipped = holders.iter().position(|holder| was(&holder))?;
        let Holder { link, index, .. } = holders[skipped];
        Some((place + skipped as u32, link, index))
    }

    /// The link and the entity's index at a place of a record; None: a gap, or behind the last.
    #[inline]
    #[must_use]
    pub fn at(&self, record: u32, place: u32) -> Option<(u32, u32)> {
        let holder = self.record(record).holders.get(place as usize)?;
        (holder.link != NONE).then_some((holder.link, holder.index))
    }

    /// The link of an entity by a record.
    #[must_use]
    pub fn link(&self, record: u32, holder: u32) -> Option<u32> {
        if self.end(holder).count > FEW {
            return self.by_pair.get(key(record, holder));
        }
        self.held(holder).find(|link| self.links[*link as usize].record == record)
    }

    /// The record of a link, and its holder's index.
    #[must_use]
    pub fn of(&self, link: u32) -> (u32, u32) {
        let link = &self.links[link as usize];
        (link.record, link.holder)
    }

    /// The links of an entity, the latest first.
    pub fn held(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.end(index).held;
        core::iter::from_fn(move || {
            let link = at;
            at = self.links.get(link as usize)?.next;
            Some(link)
        })
    }

    /// The records that aim at an entity.
    pub fn aimed(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        self.chain(self.end(index).aimed, |record| record.next)
    }

    /// The records of a relation, whose first one that is.
    pub fn related(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        self.chain(first, |record| record.next_related)
    }

    /// The one behind a record in `aimed`.
    #[must_use]
    pub fn aimed_behind(&self, record: u32) -> Option<u32> {
        Some(self.record(record).next).filter(|next| *next != NONE)
    }

    /// The one behind a record in `related`.
    #[must_use]
    pub fn related_behind(&self, record: u32) -> Option<u32> {
        Some(self.record(record).next_related).filter(|next| *next != NONE)
    }

    fn chain(&self, first: u32, next: fn(&Record) -> u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = first;
        core::iter::from_fn(move || {
            let record = at;
            at = if record == NONE { return None } else { next(self.record(record)) };
            Some(record)
        })
    }

    /// Its value as a source of others; it has that type.
    #[must_use]
    pub fn source(&self, link: u32, of: Type) -> Option<Source> {
        // SAFETY: the value of a link is one of its type.
        self.value(link).map(|at| unsafe { Source::new(at, of.size) })
    }

    /// All numbers of links, used or not.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn all(&self) -> core::ops::Range<u32> {
        0..self.links.len() as u32
    }

    /// Whether a link of that number is used.
    #[must_use]
    pub fn is_used(&self, link: u32) -> bool {
        self.links[link as usize].record != NONE
    }

    /// Whether an entity has a place for what it takes part in.
    #[must_use]
    pub fn takes_part(&self, index: u32) -> bool {
        self.ends.get(index).is_some()
    }

    /// The entity whose instance another is, or `NONE`.
    #[inline]
    #[must_use]
    pub fn base(&self, index: u32) -> u32 {
        self.end(index).base
    }

    /// Remembers whose instance an entity is, who takes part; returns whose it was.
    pub fn set_base(&mut self, index: u32, base: u32) -> u32 {
        self.changes += 1;
        core::mem::replace(&mut self.end_mut(index).base, base)
    }

    /// Whether an entity has pairs, or is a target.
    #[inline]
    #[must_use]
    pub fn is_linked(&self, index: u32) -> bool {
        self.ends.get(index).is_some_and(|end| end.held != NONE || end.aimed != NONE)
    }

    /// The next link of the same holder.
    #[must_use]
    pub fn next_held(&self, link: u32) -> Option<u32> {
        let next = self.links[link as usize].next;
        (next != NONE).then_some(next)
    }

    /// The value of a link, if it has data.
    #[inline]
    #[must_use]
    pub fn value(&self, link: u32) -> Option<*mut u8> {
        let Link { record, value, .. } = self.links[link as usize];
        (value != NONE).then(|| self.values.at(self.record(record).values, value))
    }

    /// Makes a record of a relation; or nothing.
    pub fn open(&mut self, memory: &mut Memory, pair: &Pair, of: &Relation) -> Result<u32, Error> {
        let related = of.first;
        let number = if self.free_record == NONE { self.len } else { self.free_record };
        if number == NONE {
            return Err(Error::new(Kind::Full).about(number.into()).with(1, 0));
        }
        self.by_id.reserve(memory, 1)?;
        self.records.reserve(memory, number)?;
        self.ends.reserve(memory, L::index(pair.target))?;
        self.by_id.put(pair.id, number);
        let next = self.end(L::index(pair.target)).aimed;
        let serial = self.made.wrapping_add(1);
        let record = self.record_mut(number);
        let free = record.next;
        let Pair { id, relation, target, values } = *pair;
        let plain = values == NONE && of.traits.is_plain();
        let chained = Record { next, next_related: related, ..Record::EMPTY };
        *record = Record { id, relation, target, values, plain, serial, ..chained };
        self.made = serial;
        if self.free_record == NONE {
            self.len += 1;
        } else {
            self.free_record = free;
        }
        if next != NONE {
            self.record_mut(next).previous = number;
        }
        if related != NONE {
            self.record_mut(related).previous_related = number;
        }
        self.end_mut(L::index(pair.target)).aimed = number;
        self.open += 1;
        Ok(number)
    }

    /// Ends a record that nobody holds. Returns what is then the first of its relation's chain, if it was.
    pub fn close(&mut self, memory: &mut Memory, number: u32) -> Option<u32> {
        debug_assert!(self.record(number).count == 0);
        let mut record = core::mem::replace(self.record_mut(number), Record::EMPTY);
        self.by_id.take(record.id, number);
        record.holders.free(memory);
        if record.next != NONE {
            self.record_mut(record.next).previous = record.previous;
        }
        if record.previous == NONE {
            self.end_mut(L::index(record.target)).aimed = record.next;
        } else {
            self.record_mut(record.previous).next = record.next;
        }
        if record.next_related != NONE {
            self.record_mut(record.next_related).previous_related = record.previous_related;
        }
        if record.previous_related != NONE {
            self.record_mut(record.previous_related).next_related = record.next_related;
        }
        self.record_mut(number).next = self.free_record;
        self.free_record = number;
        self.open -= 1;
        (record.previous_related == NONE).then_some(record.next_related)
    }

    /// Makes sure that an entity can take part.
    pub fn reserve_end(&mut self, memory: &mut Memory, index: u32) -> Result<(), Error> {
        self.ends.reserve(memory, index)
    }

    /// Gives an entity the pair of a record, which it doesn't have, with a value if the record has some; or
    /// nothing.
    #[inline(always)]
    pub fn add(
        &mut self,
        memory: &mut Memory,
        (record, holder): (u32, u32),
        of: Option<Type>,
        value: Option<Source>,
    ) -> Result<u32, Error> {
        self.make_room(memory, (record, holder))?;
        let count = self.end(holder).count;
        if count >= FEW {
            self.by_pair.reserve(memory, if count == FEW { FEW as usize + 1 } else { 1 })?;
        }
        let values = self.record(record).values;
        let value = match of {
            None => NONE,
            Some(of) => self.values.make(memory, values, of, value)?,
        };
        Ok(self.bind((record, holder), value))
    }

    /// The record of an id that aims at an entity. Mostly it is the one that was made last, and that is nearer than
    /// the map.
    #[inline(always)]
    fn find_aimed(&self, id: Handle, target: u32) -> Option<(u32, &Record)> {
        let latest = self.ends.get(target)?.aimed;
        match self.records.get(latest) {
            Some(record) if record.id == id => Some((latest, record)),
            _ if latest == NONE => None,
            _ => self.find(id).and_then(|number| Some((number, self.records.get(number)?))),
        }
    }

    /// Gives an entity a pair that somebody made, and that it doesn't have, if it is a plain one; says whether.
    #[inline(always)]
    pub fn add_quickly(&mut self, memory: &mut Memory, (id, target): (Handle, u32), holder: u32) -> bool {
        let Some((number, record)) = self.find_aimed(id, target).filter(|(_, record)| record.plain) else {
            return false;
        };
        let Some(&End { count: 0..FEW, held, .. }) = self.ends.get(holder) else {
            return self.add_plain(memory, (number, holder));
        };
        let full = record.gap == NONE && record.holders.len() == record.holders.capacity();
        if full || self.free_link == NONE && self.links.len() == self.links.capacity() {
            return self.add_plain(memory, (number, holder));
        }
        let mut at = held;
        while let Some(link) = self.links.get(at as usize) {
            if link.record == number {
                return false;
            }
            at = link.next;
        }
        self.bind((number, holder), NONE);
        true
    }

    /// The same where it takes memory, or a look into the map.
    #[cold]
    fn add_plain(&mut self, memory: &mut Memory, (record, holder): (u32, u32)) -> bool {
        self.link(record, holder).is_none() && self.add(memory, (record, holder), None, None).is_ok()
    }

    /// Makes room for one more link.
    #[inline]
    fn make_room(&mut self, memory: &mut Memory, (record, holder): (u32, u32)) -> Result<(), Error> {
        self.ends.reserve(memory, holder)?;
        if self.free_link == NONE {
            self.links.reserve(memory, 1)?;
        }
        self.reserve_place(memory, record)
    }

    /// A relation whose first record that is, and that nobody has a pair of, promises other things now.
    pub fn promise(&mut self, first: u32, traits: &Traits) {
        let mut at = first;
        while at != NONE {
            let record = self.record_mut(at);
            record.plain = record.values == NONE && traits.is_plain();
            at = record.next_related;
        }
        self.changes += 1;
    }

    /// The same where all memory is there.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    fn bind(&mut self, (record, holder): (u32, u32), value: u32) -> u32 {
        let is_new = self.free_link == NONE;
        let number = if is_new { self.links.len() as u32 } else { self.free_link };
        let (Some(end), Some(of)) = (self.ends.get_mut(holder), self.records.get_mut(record)) else {
            unreachable!("who takes part, and records in use, have memory");
        };
        let place = of.put(Holder { link: number, index: holder, born: self.made });
        self.changes += 1;
        of.changed = self.changes;
        let (next, count) = (end.held, end.count);
        (end.held, end.count) = (number, count + 1);
        let link = Link { holder, record, next, previous: NONE, place, value };
        self.made = self.made.wrapping_add(1);
        if is_new {
            self.links.push_reserved(link);
        } else {
            let free = core::mem::replace(&mut self.links[number as usize], link);
            self.free_link = free.holder;
        }
        if next != NONE {
            self.links[next as usize].previous = number;
        }
        if count > FEW {
            self.by_pair.put(key(record, holder), number);
        } else if count == FEW {
            self.each_held(holder, |map, key, number| map.put(key, number));
        }
        number
    }

    /// Does something to the map for each link of an entity.
    fn each_held(&mut self, holder: u32, act: impl Fn(&mut Map, u64, u32)) {
        let mut at = self.end(holder).held;
        while let Some(Link { record, next, .. }) = self.links.get(at as usize) {
            act(&mut self.by_pair, key(*record, holder), at);
            at = *next;
        }
    }

    /// Puts another value in the place of a pair's; or nothing. Values are of that type, and so is the pair's.
    pub fn put(&mut self, memory: &mut Memory, number: u32, of: Type, value: Source) -> Result<(), Error> {
        let Some(at) = self.value(number) else { return Ok(()) };
        if at.cast_const() == value.at() {
            return Ok(());
        }
        // A copy may fail: it is made elsewhere, before the old value ends.
        let values = self.record(self.links[number as usize].record).values;
        let spare = self.values.make(memory, values, of, Some(value))?;
        let from = self.values.at(values, spare);
        of.hooks.end(at, 1);
        // SAFETY: one value's room, whose value has ended; another's value, whose room is given back.
        unsafe { of.hooks.relocate(at, from, of.size as usize) };
        self.values.give(values, spare);
        Ok(())
    }

    /// Takes a pair off its holder; its value, of that type, ends.
    pub fn remove(&mut self, number: u32, of: Option<Type>) {
        if let (Some(value), Some(of)) = (self.value(number), of) {
            of.hooks.end(value, 1);
        }
        let link = self.links[number as usize];
        let Link { holder, record, next, previous, place, value, .. } = link;
        match self.end(holder).count {
            0..=FEW => {}
            // From now on it has few.
            count if count == FEW + 1 => self.each_held(holder, |map, key, number| map.take(key, number)),
            _ => self.by_pair.take(key(record, holder), number),
        }
        if next != NONE {
            self.links[next as usize].previous = previous;
        }
        if previous == NONE {
            self.end_mut(holder).held = next;
        } else {
            self.links[previous as usize].next = next;
        }
        self.end_mut(holder).count -= 1;
        self.links[number as usize] = Link { holder: self.free_link, record: NONE, ..link };
        self.free_link = number;
        let values = self.record(record).values;
        self.values.give(values, value);
        self.changes += 1;
        let changes = self.changes;
        let record = self.record_mut(record);
        record.changed = changes;
        record.holders[place as usize] = Holder { link: NONE, index: record.gap, born: 0 };
        record.gap = place;
        record.count -= 1;
    }

    fn reserve_place(&mut self, memory: &mut Memory, record: u32) -> Result<(), Error> {
        let record = self.records.get_mut(record).filter(|record| record.gap == NONE);
        let Some(record) = record else { return Ok(()) };
        if record.holders.capacity() == 0 {
            record.holders.reserve_exact(memory, 1)
        } else {
            record.holders.reserve(memory, 1)
        }
    }

    /// Gives back the values of a component that ends; nobody has any.
    pub fn forget_values(&mut self, memory: &mut Memory, values: u32) {
        self.values.forget(memory, values);
    }

    /// Puts an entity, who has an end, at the end of a queue whose last one that is, unless it is in it; the last
    /// one is then returned. `NONE`: an empty queue.
    pub fn enqueue(&mut self, last: u32, index: u32) -> u32 {
        let end = self.end_mut(index);
        if end.queue != NONE {
            return last;
        }
        end.queue = index;
        if last != NONE {
            self.end_mut(last).queue = index;
        }
        index
    }

    /// Whether an entity is in the queue.
    #[must_use]
    pub fn is_queued(&self, index: u32) -> bool {
        self.end(index).queue != NONE
    }

    /// The one behind an entity of the queue.
    #[must_use]
    pub fn next_queued(&self, index: u32) -> Option<u32> {
        let next = self.end(index).queue;
        (next != index && next != NONE).then_some(next)
    }

    /// Takes an entity out of the queue, whose first it is; returns the next.
    pub fn dequeue(&mut self, index: u32) -> Option<u32> {
        let next = core::mem::replace(&mut self.end_mut(index).queue, NONE);
        (next != index && next != NONE).then_some(next)
    }

    /// Gives back everything. `type_of` knows the types of values by the number of their component.
    pub fn free<'a>(&mut self, memory: &mut Memory, type_of: impl Fn(u32) -> Option<Type<'a>>) {
        for number in 0..self.links.len() {
            #[allow(clippy::cast_possible_truncation)]
            let (number, record) = (number as u32, self.links[number].record);
            if record != NONE
                && let Some(value) = self.value(number)
                && let Some(of) = type_of(self.record(record).values)
            {
                of.hooks.end(value, 1);
            }
        }
        for number in 0..self.len {
            self.record_mut(number).holders.free(memory);
        }
        self.ends.free(memory);
        self.links.free(memory);
        self.records.free(memory);
        self.by_id.free(memory);
        self.by_pair.free(memory);
        self.values.free(memory);
    }
}
