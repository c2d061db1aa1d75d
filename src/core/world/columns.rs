//! The short way (`quick`) for an entity that is made with components from columns.
//!
//! ```text
//!   at the ends of the pools      [ a b c | e ]  [ a c | e ]       column by column, as far as each has room there
//!   the rest at a closer look     [ a | e | c ]                    to a gap, or the next page; what was done is undone if it fails
//!   then to groups                [ a e | b c ]  [ a e | c ]       where some watch: who has joined isn't taken back
//! ```

use super::{Ecs, World, touch};
use crate::core::error::Error;
use crate::core::events::EventKind;
use crate::core::ids::{Handle, Layout};
use crate::core::registry::Fresh;
use crate::core::storage::kinds::Signature;
use crate::core::storage::lifecycle::Column;
use crate::core::storage::pools::{First, Pools};
use crate::core::storage::slice::checked;

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

    /// Whether the component of a column may be given to a new entity at a closer look: no column before is of it, and no
    /// listener is to be told, or the caller will.
    fn may_be_given(&self, columns: &[Column], at: usize, tells: bool) -> bool {
        let (before, column) = (checked(columns, ..at), checked(columns, at));
        self.pools.first(&self.first, column.id).is_some_and(|pool| {
            let fits = pool.shape.size == column.size && column.reserved == 0 && !pool.is_builtin();
            let twice = before.iter().any(|other| other.id == column.id);
            fits && !twice && (tells || pool.is_unheard(EventKind::Add))
        })
    }

    /// Gives it so, by the component's hooks if it has any.
    fn give_closely(&mut self, entity: Handle, column: &Column) -> Result<(), Error> {
        let Some(pool) = self.pools.first_mut(&self.first, column.id) else { return Ok(()) };
        pool.add_new(&mut self.memory, &mut self.kinds, entity, column.values())
    }

    /// Creates an entity at a closer look, where `births` asks for it. None: nothing has happened, and it takes a look at
    /// everything, if `failed` doesn't say why. `tells`: the caller tells listeners, if there are any.
    #[cold]
    #[inline(never)]
    pub(super) fn create_closely(
        &mut self,
        columns: &[Column],
        tells: bool,
        failed: &mut Option<Error>,
    ) -> Option<Handle> {
        if !tells && self.is_birth_told() {
            return None;
        }
        let fresh = self.registry.fresh();
        let entity = self.registry.create_quickly(self.kinds.covered())?;
        self.give_rest(entity, columns, (0, tells), fresh, failed)
    }

    /// Gives a new entity the rest of the components, behind so many, and lets it join groups; or undoes its creation, before which
    /// `fresh` was what the registry said of itself.
    #[cold]
    #[inline(never)]
    fn give_rest(
        &mut self,
        entity: Handle,
        columns: &[Column],
        (given, tells): (usize, bool),
        fresh: Fresh,
        failed: &mut Option<Error>,
    ) -> Option<Handle> {
        let (at_ends, rest) = (checked(columns, ..given), checked(columns, given..));
        let mut closely = 0;
        // One of those behind may be an error, and then nothing has happened.
        if (given..columns.len()).all(|at| self.may_be_given(columns, at, tells)) {
            let given = rest.iter().try_for_each(|column| {
                self.give_closely(entity, column)?;
                closely += 1;
                Ok(())
            });
            let whole = given.and_then(|()| match self.groups.is_empty() {
                true => Ok(()),
                false => self.join_with(&[entity], columns),
            });
            *failed = whole.err();
            if failed.is_none() {
                touch(self.changes);
                return Some(entity);
            }
        }
        for column in checked(rest, ..closely).iter().rev() {
            self.take_away(&[entity], column.id);
        }
        for column in at_ends {
            if let Some(pool) = self.pools.by_id_mut(column.id) {
                self.kinds.of_living(L::index(entity)).mark(pool.bit()).clear();
                pool.take_back(L::index(entity));
            }
        }
        self.registry.undo_create(&[entity], fresh);
        None
    }
}

impl<L: Layout> Ecs<L> {
    /// Creates an entity with components, or nothing: as `create_closely`.
    #[inline(always)]
    pub fn create_with_quickly(&self, columns: &[Column], failed: &mut Option<Error>) -> Option<Handle> {
        self.with(|w| {
            if *w.births.get_mut() != 0 {
                return w.create_closely(columns, false, failed);
            }
            let fresh = w.registry.fresh();
            let entity = w.registry.create_quickly(w.kinds.covered())?;
            let (pools, first) = (&mut w.pools, &w.first);
            let signature = w.kinds.of_living(L::index(entity));
            let mut left = columns.iter();
            let given =
                left.try_for_each(|column| World::give_quickly((pools, first), signature, entity, column));
            if given.is_none() {
                // The one that failed isn't left, either.
                let given = columns.len() - left.len() - 1;
                return w.give_rest(entity, columns, (given, false), fresh, failed);
            }
            touch(w.changes);
            Some(entity)
        })
    }
}
