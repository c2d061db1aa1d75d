//! Names of entities: unique among siblings, looked up by path.

use super::{Ecs, Removed, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::slice::{checked, checked_mut, copy};
use crate::core::storage::tree::NONE;

/// Hands out what stands in a path for one without a name.
pub type Unnamed = fn(Handle, &mut dyn FnMut(&[u8]));

impl<L: Layout> World<L> {
    /// Who has a name under a parent (`NONE`: among those without one).
    fn named(&self, parent: u32, name: &[u8]) -> Option<u32> {
        self.names.find(parent, name, |index| self.tree.node(index).parent == parent)
    }

    /// Ok if an entity may have a name under a parent; no name is always fine.
    pub(super) fn check_name(&self, index: u32, parent: u32, name: &[u8]) -> Result<(), Error> {
        match self.named(parent, name) {
            Some(other) if other != index && !name.is_empty() => {
                let other = self.registry.at(other).unwrap_or(0);
                Err(Error::new(Kind::NameTaken).about(other).with(self.registry.at(parent).unwrap_or(0), 0))
            }
            _ => Ok(()),
        }
    }

    /// An entity that ends has no name any more.
    pub(super) fn forget_name(&mut self, index: u32) {
        let parent = self.tree.node(index).parent;
        self.names.take(&mut self.memory, index, parent);
    }

    /// The entity at the end of a path from the root.
    pub(super) fn find_path(&self, path: &[u8]) -> Option<u32> {
        self.walk(NONE, path, b".")
    }

    /// The entity at the end of a path, whose names the separator parts.
    fn walk(&self, from: u32, path: &[u8], separator: &[u8]) -> Option<u32> {
        let (mut at, mut rest) = (from, path);
        loop {
            let end = find(rest, separator).unwrap_or(rest.len());
            at = self.named(at, checked(rest, ..end))?;
            if end == rest.len() {
                return Some(at);
            }
            rest = checked(rest, end + separator.len()..);
        }
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

impl<L: Layout> Ecs<L> {
    /// Names an entity, or takes its name off it: the empty name.
    pub fn set_name(&self, entity: Handle, name: &[u8]) -> Result<Removed, Error> {
        self.with(|w| {
            w.check_change(entity, entity)?;
            let index = L::index(entity);
            let parent = w.tree.node(index).parent;
            if name.is_empty() {
                let was = w.names.take(&mut w.memory, index, parent);
                w.find_ties();
                return Ok(if was { Removed::Gone } else { Removed::NotThere });
            }
            w.check_name(index, parent, name)?;
            if w.names.get(index) != name {
                w.links.reserve_end(&mut w.memory, index)?;
                w.names.set(&mut w.memory, index, parent, name)?;
                w.tie(entity);
            }
            Ok(Removed::Gone)
        })
    }

    /// The name of an entity, with its zero; a component's is that of its registration. Null: it has none.
    pub fn name_of(&self, entity: Handle) -> Result<*const u8, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            let name = w.name(entity).unwrap_or(w.names.with_zero(L::index(entity)));
            Ok(if name.is_empty() { core::ptr::null() } else { name.as_ptr() })
        })
    }

    /// The entity at the end of a path, from one (0: from those without a parent), or 0.
    pub fn lookup(&self, from: Handle, path: &[u8], separator: &[u8]) -> Result<Handle, Error> {
        self.look(|w| {
            let mut start = NONE;
            if from != 0 {
                w.registry.check_as("from", from)?;
                start = L::index(from);
            }
            Ok(w.walk(start, path, separator).and_then(|index| w.registry.at(index)).unwrap_or(0))
        })
    }

    /// Writes the path of an entity, from the root or from an entity above it, as far as it fits; returns its length.
    /// Who has no name is written as its handle.
    pub fn path(
        &self,
        entity: Handle,
        from: Handle,
        separator: &[u8],
        out: &mut [u8],
        unnamed: Unnamed,
    ) -> Result<u32, Error> {
        self.look(|w| {
            w.registry.check(entity)?;
            let mut top = NONE;
            if from != 0 {
                w.registry.check_as("from", from)?;
                top = L::index(from);
                if !w.tree.is_above(top, L::index(entity)) {
                    return Err(Error::new(Kind::Sibling).about(entity).with(from, 1));
                }
            }
            // From the end to the beginning: first how long it is, then each name in its place.
            let parts = |each: &mut dyn FnMut(&[u8])| {
                let mut index = L::index(entity);
                while index != top {
                    match w.names.get(index) {
                        [] => unnamed(w.registry.at(index).unwrap_or(0), each),
                        name => each(name),
                    }
                    index = w.tree.node(index).parent;
                    if index != top {
                        each(separator);
                    }
                }
            };
            let mut length = 0;
            parts(&mut |part| length += part.len());
            let mut end = length;
            parts(&mut |part| {
                end -= part.len();
                let room = out.len().saturating_sub(end).min(part.len());
                if room > 0 {
                    copy(checked_mut(out, end..end + room), checked(part, ..room));
                }
            });
            Ok(u32::try_from(length).unwrap_or(u32::MAX))
        })
    }
}
