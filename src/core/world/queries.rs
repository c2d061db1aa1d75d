//! Queries: made, iterated batch by batch, asked.

use super::iterate::{Cursor as PoolCursor, FEW};
use super::{Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::query::linked::{Component, Known};
use crate::core::query::{Options, Query, Spec, text};
use crate::core::registry::Registry;
use crate::core::storage::join::{Cursor, Fields, Rows, TERMS};
use crate::core::storage::links::{Links, Pair};
use crate::core::storage::pools::Pools;
use crate::core::storage::relations::Relations;

/// Of a pool where each must be looked at, so many are for a batch at least.
const LEAST_SPAN: u32 = 16;

/// How an iteration begins.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// How many terms there are.
    pub terms: u32,
    /// Bytes of an entity.
    pub word: u32,
    /// The component whose pool's order it follows, and where it stands there.
    pub order: Option<(Handle, PoolCursor)>,
    /// It is walked entity by entity: `start_linked` is to be called.
    pub linked: bool,
}

impl Start {
    /// Of a query, in an order.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn of<L: Layout>(query: &Query<L>, order: Option<(Handle, PoolCursor)>) -> Self {
        let terms = query.specs().len() as u32;
        Self { terms, word: size_of::<L::Word>() as u32, order, linked: query.is_linked() }
    }
}

/// What is known of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct QueryDetails {
    pub terms: u32,
    pub kept: Option<i32>,
    pub order: Handle,
    pub runs: u32,
    pub fresh: bool,
    pub bytes: u64,
}

/// The parts of a world that terms refer to.
struct Parts<'a, L: Layout> {
    pools: &'a Pools<L>,
    links: &'a Links<L>,
    relations: &'a Relations,
    registry: &'a Registry<L>,
}

impl<L: Layout> Known for Parts<'_, L> {
    fn check(&self, noun: &'static str, entity: Handle) -> Result<(), Error> {
        self.registry.check_as(noun, entity)
    }

    fn component(&self, id: Handle) -> Option<Component> {
        let pool = self.pools.by_id(id)?;
        Some(Component { number: pool.number, size: pool.shape.size, builtin: pool.is_builtin() })
    }

    fn halves(&self, pair: Handle) -> Option<(Handle, Handle)> {
        let Pair { relation, target, .. } = self.links.pair(self.links.find(pair)?);
        Some((self.relations.get(relation).id, target))
    }
}

impl<L: Layout> World<L> {
    pub(super) fn query(&self, handle: u32) -> Result<&Query<L>, Error> {
        self.queries.get(handle).ok_or(Error::new(Kind::Query).about(handle.into()))
    }

    fn make_query(&mut self, specs: &[Spec], options: &Options, number: u64) -> Result<u32, Error> {
        let (pools, registry) = (&self.pools, &self.registry);
        let known = Parts { pools, registry, links: &self.links, relations: &self.relations };
        let pool_of = |id| pools.locate(id).map(|(_, at)| at);
        let level = self.level;
        let make = |memory: &mut _| Query::new(memory, specs, &known, pool_of, (options, number), level);
        self.queries.put(&mut self.memory, number, make)
    }

    /// Lets a cursor stand before one of several parts of a query's matches.
    #[inline(never)] // What it needs, those who begin all don't pay for.
    fn begin_part(
        &self,
        query: &Query<L>,
        (part, parts, runs_only): (u32, u32, bool),
        cursor: &mut Cursor,
    ) -> Result<(), Error> {
        if part >= parts {
            let none = Error::unfit("parts is 0, but must be 1 or more");
            let last = u64::from(parts).checked_sub(1).ok_or(none)?;
            return Err(Error::range("part", part.into(), 0, last));
        }
        if !query.has_runs() {
            let name = "parts (of a query in an order, or with pairs, others' components, cascade or bases)";
            return Err(Error::range(name, parts.into(), 1, 1));
        }
        let (join, used) = (query.join()?, self.registry.used());
        let end = join.end().min(used.next_multiple_of(64));
        let first = Self::part_start(end, part, parts);
        cursor.begin(first, Self::part_start(end, part + 1, parts).min(used), runs_only);
        if let Some(kept) = query.kept.as_ref().filter(|kept| kept.is_fresh(join)) {
            kept.begin_part(join, cursor);
        }
        Ok(())
    }

    /// The index at which a part of the indices below `end` begins: a multiple of 64.
    #[allow(clippy::cast_possible_truncation)]
    fn part_start(end: u32, part: u32, parts: u32) -> u32 {
        (u64::from(end / 64) * u64::from(part) / u64::from(parts)) as u32 * 64
    }
}

impl<L: Layout> Ecs<L> {
    /// Makes a query.
    pub fn create_query(&self, specs: &[Spec], options: &Options, number: u64) -> Result<u32, Error> {
        self.with(|w| {
            w.writable()?;
            w.make_query(specs, options, number)
        })
    }

    /// Makes a query from text.
    pub fn parse_query(&self, source: &str, options: &Options, number: u64) -> Result<u32, Error> {
        self.with(|w| {
            w.writable()?;
            // A component by its name, or an entity by its path.
            let find = |name: &str| {
                let path = || w.find_path(name.as_bytes()).and_then(|index| w.registry.at(index));
                w.pools.by_name(name.as_bytes()).map(|pool| pool.id).or_else(path)
            };
            let terms = text::read(source, &find)?;
            let (cascade, bases) = (options.cascade || terms.cascade, options.bases || terms.bases);
            let options = Options { cascade, bases, ..*options };
            w.make_query(terms.specs(), &options, number).map_err(|error| terms.locate(error))
        })
    }

    /// Ends a query.
    pub fn destroy_query(&self, handle: u32) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let query = w.queries.take(&mut w.memory, handle);
            query.ok_or(Error::new(Kind::Query).about(handle.into()))?.free(&mut w.memory);
            Ok(())
        })
    }

    /// Whether there is such a query.
    #[inline(always)]
    pub fn has_query(&self, handle: u32) -> bool {
        self.look(|w| w.queries.get(handle).is_some())
    }

    /// Begins to iterate one of `parts` parts of a query's matches. `strides` gets the bytes from one element
    /// of each term to the next; 0: no data.
    #[inline(always)]
    pub fn start_query(
        &self,
        handle: u32,
        (part, parts, runs_only): (u32, u32, bool),
        cursor: &mut Cursor,
        rows: &mut Rows,
        strides: &mut [u32; TERMS],
    ) -> Result<Start, Error> {
        self.look(|w| {
            let query = w.query(handle)?;
            let join = query.join()?;
            let mut order = None;
            // Who gets an index from here on is made while iterating.
            let used = w.registry.used();
            if (part, parts) != (0, 1) {
                w.begin_part(query, (part, parts, runs_only), cursor)?;
            } else if !query.is_linked() {
                cursor.begin(0, used, runs_only);
                cursor.whole = 0;
                if let Some(pool) = query.order.and_then(|id| w.pools.by_id(id)) {
                    order = Some((pool.id, PoolCursor::forward(pool)));
                } else if !join.begin_whole(cursor, rows) {
                    cursor.end = join.end();
                    if query.kept.as_ref().is_some_and(|kept| kept.is_fresh(join)) {
                        cursor.run = 0;
                    } else {
                        cursor.end = cursor.end.min(used);
                    }
                }
            }
            query.put_strides(strides);
            Ok(Start::of(query, order))
        })
    }

    /// Builds the next batch; returns how many are in it.
    #[inline(always)]
    pub fn next_batch(&self, handle: u32, cursor: &mut Cursor, fields: &mut Fields) -> Result<u32, Error> {
        self.look(|w| {
            let query = w.query(handle)?;
            let join = query.join()?;
            if cursor.end == Cursor::ALL {
                cursor.end = join.end().min(cursor.bound);
            }
            if cursor.is_between_runs()
                && cursor.run != Cursor::PLAIN
                && let Some(kept) = &query.kept
                && !kept.next(join, cursor)
            {
                fields.count = 0;
                return Ok(0);
            }
            Ok(join.fill(cursor, fields, w.registry.words_at()))
        })
    }

    /// Builds the next batch after a change, if few matches are looked for; returns how many are in it.
    #[inline(always)]
    pub fn next_little(&self, handle: u32, cursor: &mut Cursor, fields: &mut Fields) -> Result<u32, Error> {
        self.look(|w| {
            let join = w.query(handle)?.join()?;
            cursor.end = join.end().min(cursor.bound);
            Ok(join.gather_little(cursor, fields, w.registry.words_at()))
        })
    }

    /// Builds the next batch in the order of a pool: `order` is where the iteration stands there. `anew`: the
    /// batch may be stale, and the next one begins behind the entity that was seen last.
    pub fn next_ordered(
        &self,
        handle: u32,
        (id, order): (Handle, &mut PoolCursor),
        anew: bool,
        cursor: &mut Cursor,
        fields: &mut Fields,
    ) -> Result<u32, Error> {
        self.look(|w| w.query(handle)?.join().map(|_| ()))?;
        self.catch_up(id, order, !anew)?;
        if anew {
            order.end = order.position;
        }
        self.look(|w| {
            let (join, pool) = (w.query(handle)?.join()?, w.pool(id)?);
            loop {
                // Twice as many as the batch before took: what it doesn't take must be looked at again.
                let (behind, taken) = (order.end, order.end.saturating_sub(order.first));
                let least = LEAST_SPAN.min(cursor.limit);
                pool.next_span(order, taken.saturating_mul(2).clamp(least, FEW))?;
                if order.first >= order.end {
                    order.end = behind.max(order.end);
                    fields.count = 0;
                    return Ok(0);
                }
                let found =
                    join.fill_in_order(pool, order.first..order.end, cursor, fields, w.registry.words_at());
                if fields.count > 0 {
                    *order =
                        PoolCursor { first: found.start, position: found.start, end: found.end, ..*order };
                    return Ok(fields.count);
                }
            }
        })
    }

    /// How many match.
    pub fn count_matches(&self, handle: u32) -> Result<u32, Error> {
        if let Some(count) = self.count_linked(handle)? {
            return Ok(count);
        }
        self.look(|w| {
            let query = w.query(handle)?;
            let join = query.join()?;
            let kept = query.kept.as_ref().and_then(|kept| kept.count(join));
            Ok(kept.unwrap_or_else(|| join.count_all()))
        })
    }

    /// The first match, if there is one, and whether there is another, if that is asked.
    pub fn first_match(&self, handle: u32, and_next: bool) -> Result<Option<(Handle, bool)>, Error> {
        if let Some((count, first)) = self.first_linked(handle, 1 + u32::from(and_next))? {
            return Ok((count > 0).then_some((first, count > 1)));
        }
        self.look(|w| {
            let join = w.query(handle)?.join()?;
            let Some(first) = join.first(0) else { return Ok(None) };
            let another = and_next && join.first(first + 1).is_some();
            Ok(w.registry.at(first).map(|entity| (entity, another)))
        })
    }

    /// Whether an entity matches.
    pub fn matches(&self, handle: u32, entity: Handle) -> Result<bool, Error> {
        self.look(|w| {
            let query = w.query(handle)?;
            let join = query.join()?;
            w.registry.check(entity)?;
            Ok((query.is_linked(), join.matches(L::index(entity))))
        })
        .and_then(|(linked, own)| if linked { self.matches_linked(handle, entity) } else { Ok(own) })
    }

    /// Restores the kept orders of the pools that a kept query reads, and lets it remember how it is then.
    pub fn refresh_query(&self, handle: u32) -> Result<(), Error> {
        self.with(|w| {
            w.writable()?;
            let query = w.query(handle)?;
            query.join()?;
            if query.kept.is_none() {
                return Err(Error::new(Kind::NotKept).about(handle.into()));
            }
            let mut read = [0; TERMS];
            read.iter_mut().zip(query.read()).for_each(|(place, id)| *place = id);
            w.restore_orders(read)?;
            if w.query(handle)?.is_linked() {
                w.remember(handle);
            } else if w.query(handle)?.order.is_none()
                && let Some((join, Some(kept))) = w.queries.get_mut(handle).map(Query::parts)
            {
                kept.refresh(&mut w.memory, join);
            }
            Ok(())
        })
    }

    /// What is known of a query.
    pub fn query_details(&self, handle: u32) -> Result<QueryDetails, Error> {
        self.look(|w| {
            let query = w.query(handle)?;
            let kept = query.kept.as_ref();
            let by_runs = query.join().is_ok_and(|join| kept.is_some_and(|kept| kept.is_fresh(join)));
            let fresh = by_runs || w.remembered(query).is_some();
            Ok(QueryDetails {
                terms: u32::try_from(query.specs().len()).unwrap_or(u32::MAX),
                kept: kept.map(|kept| kept.priority),
                order: query.order.and_then(|id| w.pools.by_id(id)).map_or(0, |pool| pool.id),
                runs: kept.map_or(0, |kept| kept.runs()),
                fresh,
                bytes: query.bytes() as u64,
            })
        })
    }

    /// Writes a query's terms, as many as fit; returns how many there are.
    pub fn query_terms(&self, handle: u32, out: &mut [Spec]) -> Result<u32, Error> {
        self.look(|w| {
            let specs = w.query(handle)?.specs();
            out.iter_mut().zip(specs).for_each(|(out, spec)| *out = *spec);
            Ok(u32::try_from(specs.len()).unwrap_or(u32::MAX))
        })
    }

    /// Lists queries: writes as many as fit, returns how many there are.
    pub fn queries(&self, out: &mut [u32]) -> u32 {
        self.look(|w| {
            let mut count = 0;
            for (handle, _) in w.queries.iter() {
                if let Some(place) = out.get_mut(count as usize) {
                    *place = handle;
                }
                count += 1;
            }
            count
        })
    }
}
