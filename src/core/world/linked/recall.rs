//! What kept queries that go from entity to entity remember: when it is so still, and how it is made.

use crate::core::error::Error;
use crate::core::ids::Layout;
use crate::core::query::linked::{LinkTerm, Target, What, Whose};
use crate::core::query::{Batch, Lead, LinkCursor, Matches, Query, Watch};
use crate::core::storage::join::{Fields, Room, TERMS};
use crate::core::storage::links::NONE;
use crate::core::world::World;
use core::sync::atomic::Ordering::Relaxed;

/// The most that a query's matches depend on.
const WATCHED: usize = 3 + 2 * TERMS;

impl<L: Layout> World<L> {
    /// A number that changes with what is watched.
    #[inline(always)]
    fn changes_of(&self, query: &Query<L>, watch: Watch) -> u64 {
        let pool = |number| self.pools.get(number);
        match watch {
            Watch::Join => query.join().map_or(0, |join| join.stamp()),
            Watch::Veils => self.veilings,
            Watch::Tree => self.tree.changes(),
            Watch::Links => self.links.changes(),
            Watch::All => self.changes.load(Relaxed),
            Watch::Record(record) => self.links.changed(record),
            Watch::Pool(number) => pool(number).map_or(0, |pool| pool.changes()),
            Watch::Value(number) => {
                pool(number).and_then(|pool| pool.singleton()).map_or(0, |value| value.addr().get() as u64)
            }
        }
    }

    /// What a query's matches depend on.
    fn each_watch(&self, query: &Query<L>, mut each: impl FnMut(Watch)) {
        [Watch::Join, Watch::Veils].into_iter().for_each(&mut each);
        let above = |term: &LinkTerm| {
            matches!(term.source, Whose::Parent | Whose::Up) || matches!(term.what, What::ChildOf(_))
        };
        if query.cascade || query.links().iter().any(above) {
            each(Watch::Tree);
        }
        for term in query.links() {
            match term.what {
                What::ChildOf(_) => {}
                What::Pool(number) if term.source == Whose::World => each(Watch::Value(number)),
                What::Pool(number) => each(Watch::Pool(number)),
                What::Pair(_, Target::Any | Target::Variable(_)) => each(Watch::Links),
                _ if self.is_transitive(term.what) => each(match term.source {
                    // Of itself it may be promised while it lives, whether it has anything or not.
                    Whose::Of(_) => Watch::All,
                    _ => Watch::Links,
                }),
                _ => match self.record_for(term.what) {
                    Some(record) if self.links.holders(record) > 0 => each(Watch::Record(record)),
                    _ => each(Watch::Links),
                },
            }
            if term.source == Whose::Inherit {
                each(Watch::Links);
            }
        }
    }

    /// What a query remembers, if that is how it is.
    #[inline(always)]
    pub(in crate::core::world) fn remembered<'a>(&self, query: &'a Query<L>) -> Option<&'a Matches> {
        let matches = &query.kept.as_ref()?.matches;
        let fresh = matches.is_there()
            && (matches.is_confirmed(self.changes.load(Relaxed)) || self.is_unchanged(query, matches));
        fresh.then_some(matches)
    }

    /// Whether nothing has changed that matches depend on.
    #[inline(never)]
    fn is_unchanged(&self, query: &Query<L>, matches: &Matches) -> bool {
        matches.watched().iter().all(|(watch, then)| self.changes_of(query, *watch) == *then)
    }

    /// Hands out the next batch that is remembered; None: the cursor walks from here.
    #[inline(always)]
    pub(super) fn recall(
        &self,
        query: &Query<L>,
        cursor: &mut LinkCursor,
        fields: &mut Fields,
        stale: bool,
    ) -> Option<u32> {
        if cursor.next_batch == NONE {
            return None;
        }
        // While nothing at all has changed there is no need to look.
        let matches =
            if stale { self.remembered(query) } else { query.kept.as_ref().map(|kept| &kept.matches) };
        let matches = matches.filter(|matches| matches.serial() == cursor.remembered);
        let Some(matches) = matches else {
            (cursor.next_batch, cursor.batch) = (NONE, NONE);
            return None;
        };
        let Some(batch) = matches.hand_out(cursor.next_batch, fields, cursor.most) else {
            cursor.over = 1;
            return Some(0);
        };
        (cursor.batch, cursor.next_batch) = (cursor.next_batch, cursor.next_batch + 1);
        (cursor.at, cursor.skip, cursor.began) = (batch.at, batch.skip, batch.began);
        cursor.over = batch.over;
        (cursor.serial, cursor.next) = (batch.serial, batch.next);
        fields.gather = true;
        fields.entities = self.registry.words_at();
        fields.count = batch.count;
        Some(batch.count)
    }

    /// Lets a kept query remember how it is; or nothing, where there is no memory for it, or where it follows what
    /// nobody counts.
    pub(in crate::core::world) fn remember(&mut self, handle: u32) {
        let is_fresh = self.query(handle).is_ok_and(|query| self.remembered(query).is_some());
        let changes = self.changes.load(Relaxed);
        let kept = self.queries.get_mut(handle).and_then(|query| query.kept.as_mut());
        let Some(kept) = kept else { return };
        kept.matches.confirm(changes);
        if is_fresh {
            return;
        }
        let mut matches = core::mem::replace(&mut kept.matches, Matches::NONE);
        matches.clear();
        if self.walk_into(handle, &mut matches).is_err() {
            matches.free(&mut self.memory);
        }
        if let Some(kept) = self.queries.get_mut(handle).and_then(|query| query.kept.as_mut()) {
            kept.matches = matches;
        }
    }

    fn walk_into(&mut self, handle: u32, matches: &mut Matches) -> Result<(), Error> {
        let query = self.query(handle)?;
        let mut cursor = self.begin(query, false)?;
        // Nobody counts who is born and dies.
        let by_life = query.bases || query.cascade && !query.asks_for_some();
        if by_life || cursor.lead() == Lead::Living {
            return Ok(());
        }
        matches.begin(&cursor);
        let (mut watched, mut count) = ([(Watch::Join, 0); WATCHED], 0);
        self.each_watch(query, |watch| {
            watched[count] = (watch, self.changes_of(query, watch));
            count += 1;
        });
        for (watch, now) in &watched[..count] {
            matches.watch(&mut self.memory, *watch, *now)?;
        }
        let mut room = Room::EMPTY;
        let mut fields = room.fields();
        loop {
            let count = self.walk_on(self.query(handle)?, &mut cursor, &mut fields)?;
            if count == 0 {
                matches.end();
                return Ok(());
            }
            let LinkCursor { at, skip, began, over, most, serial, next, .. } = cursor;
            let batch = Batch { pick: 0, count, at, skip, began, over, serial, next };
            matches.add(&mut self.memory, batch, &fields, most)?;
        }
    }
}
