//! Listeners of a component. While a pool has any, those changes that they are told of take the careful way: others, and
//! those of other pools, stay quick.

use super::Pool;
use crate::core::error::Error;
use crate::core::events::{EventKind, Listener};
use crate::core::ids::Layout;
use crate::core::storage::buffer::Buffer;
use crate::core::storage::memory::Memory;

/// Whether a listener is on a list.
#[inline(never)]
#[must_use]
pub fn has(lists: &[Buffer<Listener>], serial: u32) -> bool {
    lists.iter().any(|list| list.iter().any(|listener| listener.serial == serial))
}

/// Takes a listener off the list it is on, if it is on one; returns which.
pub fn cut(lists: &mut [Buffer<Listener>], serial: u32) -> Option<usize> {
    lists.iter_mut().position(|list| {
        let at = list.iter().position(|listener| listener.serial == serial);
        at.map(|at| list.remove(at)).is_some()
    })
}

impl<L: Layout> Pool<L> {
    /// The listeners of a kind, in the order of connection.
    #[inline]
    #[must_use]
    pub fn listeners(&self, kind: EventKind) -> &[Listener] {
        &self.listeners[kind.list()]
    }

    /// Whether nobody listens to changes of a kind.
    #[inline(always)]
    #[must_use]
    pub fn is_unheard(&self, kind: EventKind) -> bool {
        self.listeners(kind).is_empty()
    }

    /// Connects a listener.
    pub fn listen(&mut self, memory: &mut Memory, kind: EventKind, listener: Listener) -> Result<(), Error> {
        self.listeners[kind.list()].push(memory, listener)?;
        self.settle_plain();
        Ok(())
    }

    /// Disconnects a listener, if it is one of this component; returns which list it was on.
    pub fn unlisten(&mut self, serial: u32) -> Option<usize> {
        let list = cut(&mut self.listeners, serial);
        self.settle_plain();
        list
    }

    /// Whether a listener is one of this component.
    #[must_use]
    pub fn hears(&self, serial: u32) -> bool {
        has(&self.listeners, serial)
    }

    /// How many listen.
    #[must_use]
    pub fn heard_by(&self) -> usize {
        self.listeners.iter().map(|list| list.len()).sum()
    }
}
