//! Iterating one pool, span by span, whatever changes meanwhile.
//!
//! An iteration holds no lock and is not known to the pool; it is a cursor with the number of the
//! last change that it knows (`era`, `known`). What makes it safe is what moves where:
//!
//! ```text
//!   backward   [ not seen yet | cursor | seen ]   a removed element's gap is filled from the end,
//!                                                 so what comes into the left part was seen, or is
//!                                                 new: whoever was placed since `era` is skipped
//!   forward    [ seen | cursor | not seen yet ]   what comes in from the end was not seen; only who
//!                                                 was added since `era` is skipped
//! ```

use super::{Ecs, LOOKED_BACK, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::pool::Pool;
use core::sync::atomic::Ordering::Relaxed;

/// Where an iteration stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// From the first to the last.
    pub forward: bool,
    /// Backward: positions below are not seen yet. Forward: positions from here on aren't.
    pub position: u32,
    /// The span: its first position, and the one behind its last.
    pub first: u32,
    /// See `first`.
    pub end: u32,
    /// Forward: positions from here on were not in use at the start. Backward: positions in use when
    /// `settled` was written.
    pub limit: u32,
    /// The entity seen last.
    pub current: Handle,
    /// The last change when the iteration began.
    pub era: u64,
    /// The last change that the iteration can ignore.
    pub known: u64,
    /// The last change when it caught up last.
    pub settled: u64,
    /// How many moves and additions there had been then: `Pool::log`.
    pub log: u64,
    /// Its number, if it had to settle; else 0.
    pub settler: u32,
}

impl Cursor {
    /// Before the first element of a pool.
    pub(super) fn forward<L: Layout>(pool: &Pool<L>) -> Self {
        Self::new(pool, true)
    }

    /// Forward: whether nobody is left to be seen, if nothing has changed.
    pub const fn is_over(&self) -> bool {
        self.end >= self.limit
    }

    fn new<L: Layout>(pool: &Pool<L>, forward: bool) -> Self {
        let (era, len) = (pool.start(), pool.len());
        let position = if forward { 0 } else { len };
        let none = Self { forward, position, first: position, end: position, ..Self::default() };
        Self { limit: len, era, known: era, settled: era, log: pool.log(), ..none }
    }
}

/// The most elements of a span after a change.
pub(super) const FEW: u32 = 128;

/// What groups did to the order of a pool since an iteration looked last.
#[derive(Clone, Copy, Debug, Default)]
struct Swapped {
    /// Elements may have moved that were not seen.
    unseen: bool,
    /// The entity seen last, or whoever stood in its place, was put elsewhere and stays in the pool.
    current: bool,
}

/// The next element of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// One to be seen.
    Element {
        /// Its position.
        position: u32,
        /// Its entity.
        entity: Handle,
    },
    /// None.
    EndOfSpan,
}

/// A run of elements, all to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first element; null for a tag.
    pub data: *mut u8,
    /// The first entity.
    pub entities: *const u8,
    /// How many; 0 at the end of the iteration.
    pub count: u32,
    /// Bytes of an element.
    pub size: u32,
    /// Bytes of an entity.
    pub word: u32,
}

impl<L: Layout> Pool<L> {
    /// Ok if an iteration can still go on.
    fn check_cursor(&self, cursor: &Cursor) -> Result<(), Error> {
        if cursor.era < self.floor() || cursor.era > self.changes() {
            return Err(Error::new(Kind::Changed).about(self.id));
        }
        Ok(())
    }

    /// Whether the element at a position is to be seen.
    fn is_seen(&self, cursor: &Cursor, position: u32) -> Result<bool, Error> {
        if position >= self.len() || self.is_gap(position) || self.is_hidden(position) {
            return Ok(false);
        }
        if self.changes() == cursor.known {
            return Ok(true);
        }
        let (added, moved) = self.placed_since(position, cursor.era, cursor.settler)?;
        Ok(!added && (cursor.forward || !moved))
    }

    /// If all that changed is that the entity seen last was taken out, an iteration needs to remember
    /// nothing of it: what came in its place was seen (backward), or is next (forward).
    fn follow(&self, cursor: &mut Cursor, swapped: Swapped) {
        if self.changes() == cursor.known + 1
            && cursor.current != 0
            && self.position(cursor.current).is_none()
        {
            cursor.known += 1;
            cursor.settled = cursor.known;
            cursor.log = self.log();
            if cursor.forward && !self.shape.stable && cursor.position > cursor.first {
                cursor.position -= 1;
            }
            cursor.limit = cursor.limit.min(self.len());
            cursor.end = if cursor.forward { cursor.end.min(cursor.limit) } else { cursor.end };
        } else if cursor.forward
            && self.changes() != cursor.known
            && cursor.current != 0
            && !swapped.current
            && cursor.position > cursor.first
            && (cursor.position > self.len() || self.entity(cursor.position - 1) != cursor.current)
        {
            // Somebody else stands where the last one was seen.
            cursor.position -= 1;
        }
        cursor.current = 0;
    }

    /// Whether `settle` knows all moves since an iteration caught up last. It does if there were few, if
    /// nobody was added, or if not all that was seen can have gone.
    fn can_settle(&self, cursor: &Cursor, seen: u32, swapped: bool) -> bool {
        if swapped {
            return self.knows_swaps_since(cursor.log);
        }
        let changes = self.changes().saturating_sub(cursor.settled);
        let least = u64::from(cursor.limit).saturating_sub(changes);
        self.knows_moves_since(cursor.log) || !self.shape.stable && least >= seen.into()
    }

    /// What groups that own the pool swapped since an iteration looked last; an error if
    /// it can't be followed. `at` is where what was seen meets what wasn't.
    ///
    /// ```text
    ///   backward   [ a b c | e ]      e, seen last, joins a group: it goes to b's place, and b comes to e's:
    ///              [ a e c | b ]      that is seen next, so that nobody is lost; e is marked as moved
    ///   forward    [ a b | c d ]      whoever crosses would be lost, or seen twice
    ///              [ a b | c d ] e    e, who is new, joins: it goes to c's place, and c to e's, behind the limit
    /// ```
    fn follow_swaps(&self, cursor: &mut Cursor, spans: bool) -> Result<Swapped, Error> {
        let mut at = match (spans, cursor.forward) {
            (false, _) => cursor.position,
            (true, false) => cursor.first,
            (true, true) => cursor.end,
        };
        let lost = Error::new(Kind::Changed).about(self.id);
        let mut swapped = Swapped::default();
        let (first, mut last) = (at, 0);
        for swap in self.swaps_since(cursor.settled).ok_or(lost)? {
            // Who came over the boundary may move no farther: it would be taken for one who was seen.
            let farther = swap.low + 1 == at || swap.high + 1 == at;
            if at != first && (farther || swap.change != last + 1) {
                return Err(lost);
            }
            last = swap.change;
            // Who makes way for a removal: if that is on the side that was seen, whoever comes was seen too.
            swapped.unseen |= !swap.leaves || swap.low < at;
            if swap.leaves {
                continue;
            }
            swapped.current |= cursor.current != 0 && (swap.low + 1 == first || swap.high + 1 == first);
            // Who makes way for somebody new stands behind those who were there: they are looked for there too.
            let unseen = at..cursor.limit;
            if cursor.forward && unseen.contains(&swap.low) && swap.high >= unseen.end {
                cursor.limit = self.len();
            }
            if swap.low < at && swap.high >= at {
                if cursor.forward || swap.high != at || at != first || cursor.current == 0 {
                    return Err(lost);
                }
                at += 1;
            }
        }
        if at != first {
            // What moved after that, moved from behind another boundary.
            if self.changes() != last {
                return Err(lost);
            }
            cursor.position = at;
            cursor.first = if spans { at } else { cursor.first };
        }
        let current = swapped.current && cursor.forward;
        if current && self.position(cursor.current).is_none() {
            return Err(lost);
        }
        Ok(swapped)
    }

    /// The next span; forward at most so many, if each must be looked at.
    pub(super) fn next_span(&self, cursor: &mut Cursor, most: u32) -> Result<(), Error> {
        if cursor.forward { self.next_span_forward(cursor, most) } else { self.next_span_backward(cursor) }
    }

    fn next_span_backward(&self, cursor: &mut Cursor) -> Result<(), Error> {
        let mut end = cursor.first.min(self.len());
        while end > 0 && !self.is_seen(cursor, end - 1)? {
            end -= 1;
        }
        let floor = if end == 0 { 0 } else { self.packed().page_start(end - 1) };
        let mut first = end;
        if self.changes() == cursor.known {
            first -= self.in_a_row(floor..end, true);
        } else {
            while first > floor && self.is_seen(cursor, first - 1)? {
                first -= 1;
            }
        }
        *cursor = Cursor { position: end, first, end, ..*cursor };
        Ok(())
    }

    fn next_span_forward(&self, cursor: &mut Cursor, most: u32) -> Result<(), Error> {
        let limit = cursor.limit.min(self.len());
        let mut first = cursor.end;
        while first < limit && !self.is_seen(cursor, first)? {
            first += 1;
        }
        let ceiling = limit.min(self.packed().page_end(first));
        let mut end = first;
        if self.changes() == cursor.known {
            if first >= self.shown_from() {
                end = ceiling.max(first);
            } else {
                end += self.in_a_row(first..ceiling.min(first.saturating_add(most)), false);
            }
        } else {
            // Few, because the next change may let it all begin anew.
            let ceiling = ceiling.min(first.saturating_add(most.min(FEW)));
            while end < ceiling && self.is_seen(cursor, end)? {
                end += 1;
            }
        }
        *cursor = Cursor { position: first, first, end, ..*cursor };
        Ok(())
    }

    /// The next element of the span.
    fn next_element(&self, cursor: &mut Cursor) -> Result<Visit, Error> {
        loop {
            let position = if cursor.forward {
                if cursor.position >= cursor.end.min(cursor.limit).min(self.len()) {
                    return Ok(Visit::EndOfSpan);
                }
                cursor.position += 1;
                cursor.position - 1
            } else {
                cursor.position = cursor.position.min(self.len());
                if cursor.position <= cursor.first {
                    return Ok(Visit::EndOfSpan);
                }
                cursor.position -= 1;
                cursor.position
            };
            if self.is_seen(cursor, position)? {
                cursor.current = self.entity(position);
                return Ok(Visit::Element { position, entity: cursor.current });
            }
        }
    }
}

impl<L: Layout> World<L> {
    fn span(&self, pool: &Pool<L>, cursor: &Cursor) -> Span {
        let count = cursor.end.saturating_sub(cursor.first);
        let some = count > 0;
        let data =
            if some && pool.shape.size > 0 { pool.element(cursor.first) } else { core::ptr::null_mut() };
        let entities = if some { pool.entities_at(cursor.first) } else { core::ptr::null() };
        #[allow(clippy::cast_possible_truncation)]
        Span { data, entities, count, size: pool.shape.size, word: size_of::<L::Word>() as u32 }
    }
}

impl<L: Layout> Ecs<L> {
    /// Lets an iteration catch up with what changed since its last step. The pool is only written to if
    /// something did, so that iterations that change nothing may run at once.
    pub(super) fn catch_up(&self, id: Handle, cursor: &mut Cursor, spans: bool) -> Result<(), Error> {
        let seen = cursor.position;
        let unsettled = self.look(|w| {
            let pool = w.pool(id)?;
            pool.check_cursor(cursor)?;
            let changed = pool.changes() != cursor.known;
            let swapped = if changed { pool.follow_swaps(cursor, spans)? } else { Swapped::default() };
            pool.follow(cursor, swapped);
            let unsettled = !cursor.forward && pool.changes() != cursor.known;
            if unsettled && !pool.can_settle(cursor, seen, swapped.unseen) {
                return Err(Error::new(Kind::Changed).about(id));
            }
            if cursor.forward {
                cursor.settled = pool.changes();
            }
            Ok(unsettled)
        })?;
        if unsettled {
            self.with(|w| {
                let Some(pool) = w.pools.by_id_mut(id) else { return };
                if cursor.settler == 0 {
                    cursor.settler = pool.next_settler();
                }
                pool.settle(seen, cursor.era, cursor.settled, cursor.settler);
                cursor.settled = pool.changes();
                cursor.log = pool.log();
                cursor.limit = pool.len();
            });
        }
        Ok(())
    }

    /// Starts an iteration of those who have a component.
    pub fn iterate(&self, id: Handle, forward: bool) -> Result<Cursor, Error> {
        self.look(|w| {
            let pool = w.pool(id)?;
            if !forward && w.births.load(Relaxed) & LOOKED_BACK == 0 {
                w.births.fetch_or(LOOKED_BACK, Relaxed);
            }
            Ok(Cursor::new(pool, forward))
        })
    }

    /// Goes to the next span.
    pub fn next_span(&self, id: Handle, cursor: &mut Cursor) -> Result<Span, Error> {
        self.catch_up(id, cursor, true)?;
        self.look(|w| {
            let pool = w.pool(id)?;
            pool.next_span(cursor, u32::MAX)?;
            Ok(w.span(pool, cursor))
        })
    }

    /// Goes to the next element of the span that is to be seen.
    pub fn next_element(&self, id: Handle, cursor: &mut Cursor) -> Result<Visit, Error> {
        self.catch_up(id, cursor, false)?;
        self.look(|w| w.pool(id)?.next_element(cursor))
    }

    /// The pool's last change that matters to an iteration which follows: see `Cursor::known`.
    pub fn is_followed(&self, id: Handle, cursor: &Cursor) -> bool {
        self.look(|w| w.pool(id).is_ok_and(|pool| pool.changes() == cursor.known))
    }
}
