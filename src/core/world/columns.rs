//! The short way (`quick`) for an entity that is made with components from columns.
//!
//! ```text
//!   at the ends of the pools       [ a b c | e ]  [ a c | e ]      column by column; what was done is undone if one has no room
//!   one after the other            where groups watch: all are asked first, as who has joined isn't taken back
//! ```

use super::{Ecs, World, touch};
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout};
use crate::core::registry::Fresh;
use crate::core::storage::kinds::Signature;
use crate::core::storage::lifecycle::Column;
use crate::core::storage::pool::Pool;
use crate::core::storage::pools::{First, Pools};

impl<L: Layout> World<L> {
    /// Gives a new entity the component of a column at the end of its pool: the value, if it is plain, or zeros. None:
    /// there is no room, or the entity has it from another column.
    #[inline(always)]
    fn give_quickly(
        (pools, first): (&mut Pools<L>, &First<L>),
        signature: Signature,
        entity: Handle,
        column: &Column,
    ) -> Option<()> {
        let pool = pools.direct_mut(first, column.id).filter(|_| column.reserved == 0)?;
        let value = match column.values() {
            Some(value) => Some(value).filter(|value| pool.takes_small(*value)),
            None => pool.zeros().filter(|zeros| zeros.size() == column.size),
        }?;
        let mark = Some(signature.mark(pool.bit())).filter(|mark| !mark.is_set())?;
        let room = pool.room_at_end(pool.page_of(entity)?, mark)?;
        pool.append_quickly(entity, room, value);
        Some(())
    }

    /// Creates an entity with the components of columns, each with room at the end of its pool; or does nothing.
    #[inline(always)]
    fn create_at_ends(&mut self, columns: &[Column]) -> Option<Handle> {
        if *self.births.get_mut() != 0 {
            self.keep_words(columns)?;
        }
        let fresh = self.registry.fresh();
        let entity = self.registry.create_quickly(self.kinds.covered())?;
        let (pools, first) = (&mut self.pools, &self.first);
        let signature = self.kinds.of_living(L::index(entity));
        let given = columns
            .iter()
            .try_for_each(|column| Self::give_quickly((pools, first), signature, entity, column));
        if given.is_none() {
            self.uncreate_quickly(entity, columns, fresh);
            return None;
        }
        touch(self.changes);
        Some(entity)
    }

    /// Begins the next turns of pools that have come to the end of one; says whether there were such.
    #[cold]
    #[inline(never)]
    fn take_turns(&mut self, columns: &[Column]) -> bool {
        let mut taken = false;
        for column in columns {
            taken |= self.pools.by_id_mut(column.id).is_some_and(Pool::take_turn);
        }
        taken
    }

    /// Keeps what tells a backward iteration who left, before somebody is put there who may be taken back. None: a listener is to
    /// be told. Asked once for all columns: where each asked, creating with two took 5% longer.
    #[cold]
    #[inline(never)]
    fn keep_words(&mut self, columns: &[Column]) -> Option<()> {
        if self.is_birth_told() {
            return None;
        }
        for column in columns {
            if let Some(pool) = self.pools.by_id_mut(column.id) {
                pool.keep_word();
            }
        }
        Some(())
    }

    /// Undoes the creation of an entity that was quickly given some of these: one of them may be an error, and then nothing has
    /// happened.
    #[cold]
    #[inline(never)]
    fn uncreate_quickly(&mut self, entity: Handle, columns: &[Column], fresh: Fresh) {
        for column in columns {
            if let Some(pool) = self.pools.by_id_mut(column.id).filter(|pool| pool.bit().is_own()) {
                let mark = self.kinds.of_living(L::index(entity)).mark(pool.bit());
                pool.take_back(L::index(entity), mark);
            }
        }
        self.registry.undo_create(&[entity], fresh);
    }
}

impl<L: Layout> Ecs<L> {
    /// Creates an entity with plain values, each with room at the end of its pool.
    #[inline(always)]
    pub fn create_with_quickly(&self, columns: &[Column]) -> Option<Handle> {
        self.with(|w| {
            loop {
                let entity = w.create_at_ends(columns);
                // Where the end of a turn was all that was in the way, the careful way would be a long one.
                if entity.is_some() || !w.take_turns(columns) {
                    return entity;
                }
            }
        })
    }

    /// Creates an entity to whom the components of columns may come one after the other: they are plain values, each with room at
    /// the end of its pool, and no group that watches needs memory. Or does nothing.
    #[inline(never)]
    pub fn create_for_groups(&self, columns: &[Column]) -> Option<Handle> {
        self.with(|w| {
            if w.groups.is_empty() || w.is_birth_told() {
                return None;
            }
            let fresh = w.registry.fresh();
            let entity = w.registry.create_quickly(w.kinds.covered())?;
            let may_come = |(at, column): (usize, &Column)| {
                let Some(pool) = w.pools.first_mut(&w.first, column.id) else { return false };
                let mark = w.kinds.of_living(L::index(entity)).mark(pool.bit());
                let room = pool.page_of(entity).and_then(|page| pool.room_at_watched_end(page, mark));
                let fits = match column.values() {
                    Some(value) => pool.takes_plain(value),
                    None => pool.zeros().is_some_and(|zeros| zeros.size() == column.size),
                };
                let joins = w.groups.lists_nobody(pool.watches(), true);
                let twice = columns[..at].iter().any(|other| other.id == column.id);
                let quiet = pool.is_unheard(EventKind::Add) && column.reserved == 0;
                room.is_some() && fits && joins && !twice && quiet
            };
            let ready = columns.iter().enumerate().all(may_come);
            if !ready {
                w.registry.undo_create(&[entity], fresh);
            }
            ready.then_some(entity)
        })
    }
}
