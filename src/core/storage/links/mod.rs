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

mod queue;
mod record;
#[cfg(test)]
#[allow(clippy::disallowed_types)] // tests may use everything
mod tests;
mod values;

use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::lifecycle::Source;
use crate::core::storage::map::Map;
use crate::core::storage::memory::Memory;
use crate::core::storage::moment;
use crate::core::storage::paged::{Item, Paged};
use crate::core::storage::relations::{Relation, Traits};
use crate::core::storage::slice::found;
use crate::core::storage::slots::{Slot, Slots};
use record::{Holder, Record};
pub use values::Type;
use values::Values;

pub use crate::core::storage::slots::NONE;

/// Who has more pairs than this is in the map. Most have fewer: a short chain is found sooner than a place in a large
/// map, which costs more memory too.
const FEW: u32 = 4;

/// A pair of an entity.
#[derive(Clone, Copy)]
struct Link {
    /// The entity's index.
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

impl Item for Link {
    const EMPTY: Self =
        Self { holder: NONE, record: NONE, next: NONE, previous: NONE, place: NONE, value: NONE };
}

impl Slot for Link {
    fn next_free(&mut self) -> &mut u32 {
        &mut self.holder
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

impl End {
    const fn is_linked(&self) -> bool {
        self.held != NONE || self.aimed != NONE
    }
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
    links: Slots<Link>,
    records: Slots<Record>,
    by_id: Map,
    /// The links of those who have more than `FEW`.
    by_pair: Map,
    values: Values<L>,
    open: u32,
    counts: Counts,
}

/// What is counted.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Records and links that were ever made.
    made: u64,
    /// How often somebody got a pair or a base, or lost it.
    changes: u64,
}

/// Makes a link where there is memory: ties a holder to a record that has room for it.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)]
fn tie(
    (links, counts): (&mut Slots<Link>, &mut Counts),
    (record, of): (u32, &mut Record),
    (holder, end): (u32, &mut End),
    value: u32,
) -> Option<u32> {
    let next = end.held;
    let (number, link) = links.take()?;
    let place = of.put(Holder { link: number, index: holder, born: counts.made as u32 });
    *link = Link { holder, record, next, previous: NONE, place, value };
    counts.made += 1;
    counts.changes += 1;
    of.changed = counts.changes;
    (end.held, end.count) = (number, end.count + 1);
    if let Some(next) = links.get_mut(next) {
        next.previous = number;
    }
    Some(number)
}

/// The record of an id. The same code for each layout, as is the next.
#[inline(never)]
fn look_up<'a>(records: &'a mut Slots<Record>, by_id: &Map, id: Handle) -> Option<(u32, &'a mut Record)> {
    let number = by_id.get(id)?;
    records.get_mut(number).map(|record| (number, record))
}

#[inline(never)]
fn shrink(memory: &mut Memory, links: &mut Slots<Link>, records: &mut Slots<Record>) {
    for number in records.all() {
        if let Some(record) = records.get_mut(number) {
            record.shrink(memory);
        }
    }
    links.shrink(memory, |link| link.record != NONE);
    records.shrink(memory, |record| record.id != 0);
}

impl<L: Layout> Default for Links<L> {
    fn default() -> Self {
        Self {
            ends: Paged::default(),
            links: Slots::default(),
            records: Slots::default(),
            by_id: Map::default(),
            by_pair: Map::default(),
            values: Values::default(),
            open: 0,
            counts: Counts::default(),
        }
    }
}

const fn key(record: u32, holder: u32) -> u64 {
    (record as u64) << 32 | holder as u64
}

impl<L: Layout> Links<L> {
    #[inline(never)]
    fn record(&self, record: u32) -> &Record {
        self.records.get(record).unwrap_or(const { &Record::EMPTY })
    }

    #[inline(never)]
    fn record_mut(&mut self, record: u32) -> &mut Record {
        found(self.records.get_mut(record)) // records in use have memory
    }

    #[inline(never)]
    fn at_link(&self, link: u32) -> &Link {
        self.links.get(link).unwrap_or(const { &Link::EMPTY })
    }

    #[inline(never)]
    fn link_mut(&mut self, link: u32) -> &mut Link {
        found(self.links.get_mut(link)) // links in use have memory
    }

    fn end(&self, index: u32) -> End {
        self.ends.get(index).copied().unwrap_or(End::EMPTY)
    }

    fn end_mut(&mut self, index: u32) -> &mut End {
        found(self.ends.get_mut(index)) // who takes part has memory for it
    }

    /// How many records and links were ever made.
    #[must_use]
    pub const fn made(&self) -> u64 {
        self.counts.made
    }

    /// A number that changes when somebody gets a pair, or a base, or loses it.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.counts.changes
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
    #[inline(never)]
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
    #[inline(never)]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn next_holder(&self, record: u32, place: u32, made: u32) -> Option<(u32, u32, u32)> {
        self.holders_from(record, place, made).next()
    }

    /// All of those from a place on.
    #[inline(always)]
    pub fn holders_from(
        &self,
        record: u32,
        place: u32,
        made: u32,
    ) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let holders = self.record(record).holders.get(place as usize..).unwrap_or_default();
        let was = move |holder: &Holder| holder.link != NONE && moment::is_before(holder.born, made);
        (place..)
            .zip(holders)
            .filter(move |(_, holder)| was(holder))
            .map(|(at, holder)| (at, holder.link, holder.index))
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
        self.held(holder).find(|link| self.links.get(*link).is_some_and(|link| link.record == record))
    }

    /// The record of a link, and its holder's index.
    #[must_use]
    pub fn of(&self, link: u32) -> (u32, u32) {
        let link = self.at_link(link);
        (link.record, link.holder)
    }

    /// The links of an entity, the latest first.
    pub fn held(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.end(index).held;
        core::iter::from_fn(move || {
            let link = at;
            at = self.links.get(link)?.next;
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
        self.counts.changes += 1;
        core::mem::replace(&mut self.end_mut(index).base, base)
    }

    /// Whether an entity has pairs, or is a target.
    #[inline]
    #[must_use]
    pub fn is_linked(&self, index: u32) -> bool {
        self.ends.get(index).is_some_and(End::is_linked)
    }

    /// An entity's earliest link and its latest.
    #[must_use]
    pub fn ends_held(&self, index: u32) -> Option<(u32, u32)> {
        Some((self.held(index).last()?, self.end(index).held))
    }

    /// The next link of the same holder.
    #[must_use]
    pub fn next_held(&self, link: u32) -> Option<u32> {
        let next = self.at_link(link).next;
        (next != NONE).then_some(next)
    }

    /// The one that the same holder got after it, up to `latest`; it may get more meanwhile.
    #[must_use]
    pub fn next_later(&self, link: u32, latest: u32) -> Option<u32> {
        (link != latest).then(|| self.at_link(link).previous)
    }

    /// The value of a link, if it has data.
    #[inline(never)]
    #[must_use]
    pub fn value(&self, link: u32) -> Option<*mut u8> {
        let Link { record, value, .. } = *self.at_link(link);
        (value != NONE).then(|| self.values.at(self.record(record).values, value))
    }

    /// Makes a record of a relation; or nothing.
    #[allow(clippy::cast_possible_truncation)]
    pub fn open(&mut self, memory: &mut Memory, pair: &Pair, of: &Relation) -> Result<u32, Error> {
        let related = of.first;
        let number = self.records.next();
        if number == NONE {
            return Err(Error::new(Kind::Full).about(number.into()).with(1, 0));
        }
        self.by_id.reserve(memory, 1)?;
        self.records.reserve(memory)?;
        self.ends.reserve(memory, L::index(pair.target))?;
        self.by_id.put(pair.id, number);
        let next = self.end(L::index(pair.target)).aimed;
        self.counts.made += 1;
        let serial = self.counts.made as u32;
        let Pair { id, relation, target, values } = *pair;
        let plain = values == NONE && of.traits.is_plain();
        let chained = Record { next, next_related: related, ..Record::EMPTY };
        self.records.put(Record { id, relation, target, values, plain, serial, ..chained });
        self.renew_at_times();
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
        self.records.give(number);
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
        // Who takes part, and records in use, have memory.
        Ok(found(self.bind((record, holder), value)))
    }

    /// Gives an entity a pair that somebody made, and that it doesn't have, if it is a plain one, and its target lives;
    /// says whether.
    #[inline(always)]
    pub fn add_quickly(&mut self, memory: &mut Memory, (id, target): (Handle, Handle), holder: u32) -> bool {
        // Mostly the record is the one that was made last of those that aim at the target, and that is nearer than the map.
        let Some(latest) = self.ends.get(L::index(target)).map(|end| end.aimed) else { return false };
        let found = if self.records.get(latest).is_some_and(|record| record.id == id) {
            self.records.get_mut(latest).map(|record| (latest, record))
        } else {
            look_up(&mut self.records, &self.by_id, id)
        };
        let Some((number, record)) = found else { return false };
        // A record ends with its target.
        if !record.plain || record.target != target {
            return false;
        }
        let full = record.gap == NONE && record.holders.len() == record.holders.capacity();
        let Some(end) = self.ends.get_mut(holder).filter(|end| !full && end.count < FEW) else {
            return self.add_plain(memory, (number, holder));
        };
        let mut at = end.held;
        while let Some(link) = self.links.get(at) {
            if link.record == number {
                return false;
            }
            at = link.next;
        }
        if tie((&mut self.links, &mut self.counts), (number, record), (holder, end), NONE).is_none() {
            return self.add_plain(memory, (number, holder));
        }
        self.renew_at_times();
        true
    }

    /// Lets nothing become so old that it seems to be new, since numbers wrap.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    fn renew_at_times(&mut self) {
        let now = self.counts.made as u32;
        if moment::is_time(now) {
            self.renew(now);
        }
    }

    #[cold]
    fn renew(&mut self, now: u32) {
        for number in self.records.all() {
            for holder in self.record_mut(number).holders.iter_mut() {
                holder.born = moment::renewed(holder.born, now);
            }
        }
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
        self.links.reserve(memory)?;
        self.reserve_place(memory, record)
    }

    /// A relation whose first record that is, and that nobody has a pair of, promises other things now.
    #[inline(never)]
    pub fn promise(&mut self, first: u32, traits: &Traits) {
        let mut at = first;
        while at != NONE {
            let record = self.record_mut(at);
            record.plain = record.values == NONE && traits.is_plain();
            at = record.next_related;
        }
        self.counts.changes += 1;
    }

    /// The same where all memory is there; else nothing.
    #[inline(always)]
    fn bind(&mut self, (number, holder): (u32, u32), value: u32) -> Option<u32> {
        let (end, record) = (self.ends.get_mut(holder)?, self.records.get_mut(number)?);
        let count = end.count;
        let link = tie((&mut self.links, &mut self.counts), (number, record), (holder, end), value)?;
        if count > FEW {
            self.by_pair.put(key(number, holder), link);
        } else if count == FEW {
            self.each_held(holder, |map, key, number| map.put(key, number));
        }
        self.renew_at_times();
        Some(link)
    }

    /// Does something to the map for each link of an entity.
    fn each_held(&mut self, holder: u32, act: impl Fn(&mut Map, u64, u32)) {
        let mut at = self.end(holder).held;
        while let Some(Link { record, next, .. }) = self.links.get(at) {
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
        if of.hooks.is_bytes() {
            // SAFETY: room for a value, and one of that size.
            unsafe { at.copy_from(value.at(), of.size as usize) };
            return Ok(());
        }
        // A copy may fail: it is made elsewhere, before the old value ends.
        let values = self.record(self.at_link(number).record).values;
        let spare = self.values.make(memory, values, of, Some(value))?;
        let from = self.values.at(values, spare);
        of.hooks.end(at, 1);
        // SAFETY: one value's room, whose value has ended; another's value, whose room is given back.
        unsafe { of.hooks.relocate(at, from, of.size as usize) };
        self.values.give(values, spare);
        Ok(())
    }

    /// Takes a pair off its holder; its value, of that type, ends.
    #[inline(never)]
    pub fn remove(&mut self, number: u32, of: Option<Type>) {
        let Link { holder, record, next, previous, place, value } = *self.at_link(number);
        if value != NONE {
            let values = self.record(record).values;
            of.into_iter().for_each(|of| of.hooks.end(self.values.at(values, value), 1));
            self.values.give(values, value);
        }
        match self.end(holder).count {
            0..=FEW => {}
            // From now on it has few.
            count if count == FEW + 1 => self.each_held(holder, |map, key, number| map.take(key, number)),
            _ => self.by_pair.take(key(record, holder), number),
        }
        let end = self.end_mut(holder);
        end.count -= 1;
        if previous == NONE {
            end.held = next;
        } else {
            self.link_mut(previous).next = next;
        }
        if let Some(next) = self.links.get_mut(next) {
            next.previous = previous;
        }
        if let Some(link) = self.links.give(number) {
            link.record = NONE;
        }
        self.counts.changes += 1;
        let changes = self.counts.changes;
        let record = self.record_mut(record);
        record.changed = changes;
        record.leave(place);
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

    /// Gives back what isn't used; but for places of entities that take part otherwise.
    pub fn shrink(&mut self, memory: &mut Memory, takes_part: &dyn Fn(u32) -> bool) {
        self.ends.shrink(memory, |index, end| *end != End::EMPTY || takes_part(index));
        shrink(memory, &mut self.links, &mut self.records);
        self.by_id.shrink(memory);
        self.by_pair.shrink(memory);
        self.values.shrink(memory);
    }

    /// Gives back everything. Values don't end: they have, or need not, or the world is broken.
    pub fn free(&mut self, memory: &mut Memory) {
        for number in self.records.all() {
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
