//! The hierarchy: parents, children in order, subtrees (M26, M27, M37).

use super::{Added, Ecs, Removed, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout, role, role_of, with_role, without_role};
use crate::core::storage::tree::{NONE, Order, Place};

/// Where a child comes among its siblings; those are handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// Before all others.
    First,
    /// Behind all others.
    Last,
    /// Before that one.
    Before(Handle),
    /// Behind that one.
    After(Handle),
}

/// One that is near in the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Near {
    Parent,
    FirstChild,
    LastChild,
    Next,
    Previous,
}

/// The id that says whose child one is.
#[must_use]
pub const fn child_of(parent: Handle) -> Handle {
    with_role(role::CHILDOF, parent)
}

impl<L: Layout> World<L> {
    /// The parent of an entity, or 0.
    pub(super) fn parent_of(&self, index: u32) -> Handle {
        self.registry.at(self.tree.node(index).parent).unwrap_or(0)
    }

    /// Makes an entity, who may be changed, a child of another, or a root.
    pub(super) fn put(&mut self, child: Handle, parent: Handle, among: Among) -> Result<(), Error> {
        let index = L::index(child);
        let mut above = NONE;
        if parent != 0 {
            self.registry.check_as("parent", parent)?;
            above = L::index(parent);
            if self.tree.is_above(index, above) {
                return Err(Error::new(Kind::Cycle).about(child).with(parent, 0));
            }
        }
        let sibling = |sibling: Handle| {
            self.registry.check_as("sibling", sibling)?;
            let other = self.tree.node(L::index(sibling)).parent == above && sibling != child && parent != 0;
            if other {
                Ok(L::index(sibling))
            } else {
                let itself = if sibling == child { 2 } else { 0 };
                Err(Error::new(Kind::Sibling).about(sibling).with(parent, itself))
            }
        };
        let place = match among {
            Among::First => Place::First,
            Among::Last => Place::Last,
            Among::Before(other) => Place::Before(sibling(other)?),
            Among::After(other) => Place::After(sibling(other)?),
        };
        let before = self.tree.node(index).parent;
        if parent == 0 && before == NONE {
            return Ok(());
        }
        self.check_name(index, above, self.names.get(index))?;
        self.links.reserve_end(&mut self.memory, index)?;
        if parent != 0 {
            self.links.reserve_end(&mut self.memory, above)?;
        }
        self.tree.put(&mut self.memory, index, above, place)?;
        self.names.move_to(index, before, above);
        self.tie(child);
        if parent != 0 {
            self.tie(parent);
        }
        self.touch();
        Ok(())
    }

    /// One that is near an entity, or 0.
    #[inline(always)]
    pub(super) fn near(&self, index: u32, near: Near) -> Handle {
        let node = self.tree.node(index);
        let index = match near {
            Near::Parent => node.parent,
            Near::FirstChild => node.first,
            Near::LastChild => node.last,
            Near::Next => node.next,
            Near::Previous => node.previous,
        };
        if index == NONE { 0 } else { self.registry.at(index).unwrap_or(0) }
    }

    /// Writes an entity (`NONE`: nobody) and the siblings behind it, as many as fit; returns how many.
    #[inline]
    pub(super) fn write_siblings(&self, mut index: u32, out: &mut [Handle]) -> u32 {
        let mut count = 0;
        for out in out {
            // Who has siblings lives.
            let Some(child) = self.registry.word(index) else { break };
            *out = child;
            count += 1;
            index = self.tree.next(index);
        }
        count
    }

    /// What is wrong with an id that says whose child one is, or the parent.
    pub(super) fn parent_in(&self, id: Handle) -> Option<Result<Handle, Error>> {
        if role_of(id) != role::CHILDOF {
            return None;
        }
        let parent = without_role(id);
        let checked = self.registry.check_as("parent", parent).map(|()| parent);
        Some(checked.map_err(|error| Error { subject: id, ..error }))
    }

    /// Adds an id that says whose child an entity is, who may be changed.
    pub(super) fn add_parent(&mut self, entity: Handle, parent: Handle) -> Result<Added, Error> {
        if self.tree.node(L::index(entity)).parent == L::index(parent) {
            return Ok(Added::Already);
        }
        self.put(entity, parent, Among::Last).map(|()| Added::New)
    }

    /// Takes such an id off.
    pub(super) fn remove_parent(&mut self, entity: Handle, parent: Handle) -> Result<Removed, Error> {
        if self.tree.node(L::index(entity)).parent != L::index(parent) {
            return Ok(Removed::NotThere);
        }
        self.put(entity, 0, Among::Last).map(|()| Removed::Gone)
    }

    /// The entities of a cycle that was refused: from the parent up to the child that wants it.
    pub(super) fn cycle_above(&self, error: &Error, out: &mut [Handle]) -> usize {
        let (child, mut index) = (L::index(error.subject), L::index(error.detail[0]));
        let mut length = 0;
        while index != NONE {
            if let Some(out) = out.get_mut(length) {
                *out = self.registry.at(index).unwrap_or(0);
            }
            length += 1;
            index = if index == child { NONE } else { self.tree.node(index).parent };
        }
        length
    }
}

impl<L: Layout> Ecs<L> {
    /// Makes an entity a child of another (0: a root), at a place among its children.
    pub fn set_parent(&self, child: Handle, parent: Handle, among: Among) -> Result<(), Error> {
        self.with(|w| {
            w.check_change(child, child)?;
            w.put(child, parent, among)
        })
    }

    /// Puts a child at another place among its siblings.
    pub fn reorder(&self, child: Handle, among: Among) -> Result<(), Error> {
        self.with(|w| {
            w.check_change(child, child)?;
            match w.parent_of(L::index(child)) {
                0 => Err(Error::new(Kind::NoParent).about(child)),
                parent => w.put(child, parent, among),
            }
        })
    }

    /// One that is near an entity, or 0.
    pub fn near(&self, entity: Handle, near: Near) -> Result<Handle, Error> {
        self.look(|w| {
            w.registry.check_fast(entity)?;
            Ok(w.near(L::index(entity), near))
        })
    }

    /// How many children an entity has, and how many are above it.
    pub fn child_count_and_depth(&self, entity: Handle) -> Result<(u32, u32), Error> {
        self.look(|w| {
            w.registry.check_fast(entity)?;
            let node = w.tree.node(L::index(entity));
            Ok((node.children, node.depth))
        })
    }

    /// Those above an entity, its parent first: writes as many as fit, returns how many there are.
    pub fn ancestors(&self, entity: Handle, out: &mut [Handle]) -> Result<u32, Error> {
        self.look(|w| {
            w.registry.check_fast(entity)?;
            let mut index = w.tree.node(L::index(entity)).parent;
            let mut count = 0;
            while index != NONE {
                if let Some(out) = out.get_mut(count as usize) {
                    *out = w.registry.at(index).unwrap_or(0);
                }
                count += 1;
                index = w.tree.node(index).parent;
            }
            Ok(count)
        })
    }

    /// Writes the children of an entity behind one of them (0: from the first), as many as fit; returns how many.
    pub fn children(&self, parent: Handle, after: Handle, out: &mut [Handle]) -> Result<u32, Error> {
        self.look(|w| {
            w.registry.check_fast(parent)?;
            let mut index = w.tree.node(L::index(parent)).first;
            if after != 0 {
                w.registry.check_as("after", after)?;
                let node = w.tree.node(L::index(after));
                if node.parent != L::index(parent) {
                    return Err(Error::new(Kind::Sibling).about(after).with(parent, 0));
                }
                index = node.next;
            }
            Ok(w.write_siblings(index, out))
        })
    }

    /// Writes a subtree behind one of its entities (0: from the beginning), as many as fit; returns how many.
    pub fn subtree(
        &self,
        root: Handle,
        order: Order,
        after: Handle,
        out: &mut [Handle],
    ) -> Result<u32, Error> {
        self.look(|w| {
            w.registry.check_fast(root)?;
            let top = L::index(root);
            let mut next = Some(w.tree.begin(top, order));
            if after != 0 {
                w.registry.check_as("after", after)?;
                if !w.tree.is_above(top, L::index(after)) {
                    return Err(Error::new(Kind::Sibling).about(after).with(root, 1));
                }
                next = w.tree.behind(top, L::index(after), order);
            }
            let mut count = 0;
            for out in out {
                let Some(index) = next else { break };
                *out = w.registry.at(index).unwrap_or(0);
                count += 1;
                next = w.tree.behind(top, index, order);
            }
            Ok(count)
        })
    }
}
