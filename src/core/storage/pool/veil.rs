//! Members that joins and groups don't see: disabled ones. Their bit among the occupied is off; the slot is as it was,
//! so that get and has find them.
//!
//! ```text
//!   occupied   1 1 0 1      queries and groups go by it
//!   slots      3 4 5 6      get and has go by these: the third is there, but disabled, and so kept in `disabled`, by its index
//! ```

use super::Pool;
use crate::core::error::Error;
use crate::core::ids::{Handle, Layout};
use crate::core::storage::memory::Memory;

impl<L: Layout> Pool<L> {
    /// Whether an entity that lives is a member whom queries see.
    #[inline(always)]
    #[must_use]
    pub fn shows(&self, handle: Handle) -> bool {
        self.sparse.page(L::index(handle)).is_member(L::index(handle))
    }

    /// Whether a member was disabled here, whatever the entity itself is.
    #[must_use]
    pub fn is_disabled(&self, index: u32) -> bool {
        self.disabled.get(index.into()).is_some()
    }

    /// The position of a member whom queries see.
    #[inline(always)]
    #[must_use]
    pub fn shown(&self, index: u32) -> Option<u32> {
        let page = self.sparse.page(index);
        page.is_member(index).then(|| page.position(index))
    }

    /// The position of a member that wasn't disabled here, whatever the entity itself is.
    #[inline]
    #[must_use]
    pub fn enabled(&self, index: u32) -> Option<u32> {
        let page = self.sparse.page(index);
        // Whom queries see isn't disabled, which spares most the look.
        page.member(index).filter(|_| page.is_member(index) || !self.is_disabled(index))
    }

    /// Remembers that a member is disabled here, or not; it must be shown or hidden accordingly.
    pub fn set_disabled(&mut self, memory: &mut Memory, index: u32, disabled: bool) -> Result<(), Error> {
        if disabled == self.is_disabled(index) {
            return Ok(());
        }
        if disabled {
            self.disabled.reserve(memory, 1)?;
            self.disabled.put(index.into(), 0);
        } else {
            self.disabled.take(index.into(), 0);
        }
        Ok(())
    }

    /// Lets queries see a member, or not. Running iterations of the pool end.
    pub fn show(&mut self, index: u32, shown: bool) {
        let page = self.sparse.member_page(index);
        if page.member(index).is_none() || page.is_member(index) == shown {
            return;
        }
        page.show(index, shown);
        self.hidden = if shown { self.hidden - 1 } else { self.hidden + 1 };
        // It comes or goes for queries: that is not just another order.
        self.count_changes(1);
        self.end_iterations();
        self.find_tail();
    }

    /// Whether an element isn't for iterations.
    #[inline(always)]
    #[must_use]
    pub fn is_hidden(&self, position: u32) -> bool {
        self.hidden > 0 && !self.shows(self.entity(position))
    }

    /// Whether there are members whom queries don't see.
    #[inline(always)]
    #[must_use]
    pub const fn hides_some(&self) -> bool {
        self.hidden > 0
    }

    /// A member is taken out, of a pool that hides some: nothing is to be remembered of it.
    #[cold]
    pub(super) fn unveil(&mut self, index: u32) {
        if !self.sparse.page(index).is_member(index) {
            self.hidden -= 1;
        }
        self.disabled.take(index.into(), 0);
    }
}
