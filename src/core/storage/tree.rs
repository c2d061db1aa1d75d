//! The hierarchy: who is whose child, in an order, and how deep.
//!
//! ```text
//!   nodes    by entity      a: first b, last d, 3 children      b: parent a, next c      c: ...
//!   levels   by depth       0 [ a x ]   1 [ b c d y ]   2 [ e f ]      parents come before children
//! ```
//!
//! Siblings are a chain through the nodes, so that putting one in or taking one out touches its neighbours only,
//! however many there are. A level has no order of its own; a node knows its place in it. Whoever has neither
//! parent nor children has no node in use, and is in no level.

use super::buffer::Buffer;
use super::memory::Memory;
use super::moment;
use super::paged::{Item, Paged};
use super::slice::found;
use crate::core::error::Error;

/// Nobody.
pub const NONE: u32 = u32::MAX;

/// An entity in the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The parent's index, or `NONE`.
    pub parent: u32,
    /// The first child's.
    pub first: u32,
    /// The last child's.
    pub last: u32,
    /// The one before it among its siblings.
    pub previous: u32,
    /// The one behind it.
    pub next: u32,
    /// How many children it has.
    pub children: u32,
    /// How many are above it.
    pub depth: u32,
    /// Its place in its level; `NONE`: the node isn't in use.
    place: u32,
    /// `Tree::changes` when it came to where it is, the lower half.
    placed: u32,
}

impl Item for Node {
    const EMPTY: Self = Self {
        parent: NONE,
        first: NONE,
        last: NONE,
        previous: NONE,
        next: NONE,
        children: 0,
        depth: 0,
        place: NONE,
        placed: 0,
    };
}

/// All nodes of one depth.
struct Level {
    nodes: Buffer<u32>,
}

impl Item for Level {
    const EMPTY: Self = Self { nodes: Buffer::new() };
}

/// Where a child comes among its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before all others.
    First,
    /// Behind all others.
    Last,
    /// Before that one.
    Before(u32),
    /// Behind that one.
    After(u32),
}

/// In which order a subtree is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each before its children.
    ParentsFirst,
    /// Each behind its children.
    ChildrenFirst,
}

/// The hierarchy of a world.
#[derive(Default)]
pub struct Tree {
    nodes: Paged<Node>,
    levels: Paged<Level>,
    count: u32,
    /// Levels that may have nodes: so many.
    depth: u32,
    /// Counts changes.
    changes: u64,
}

impl Tree {
    /// The node of an entity.
    #[inline(always)]
    #[must_use]
    pub fn node(&self, index: u32) -> &Node {
        self.nodes.get(index).unwrap_or(const { &Node::EMPTY })
    }

    /// The first child of an entity, or `NONE`.
    #[inline(always)]
    #[must_use]
    pub fn first(&self, index: u32) -> u32 {
        self.nodes.get(index).map_or(NONE, |node| node.first)
    }

    /// The one behind an entity among its siblings, or `NONE`.
    #[inline(always)]
    #[must_use]
    pub fn next(&self, index: u32) -> u32 {
        self.nodes.get(index).map_or(NONE, |node| node.next)
    }

    /// A child, and the siblings behind it.
    #[inline(always)]
    pub fn siblings(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = first;
        core::iter::from_fn(move || {
            let child = at;
            at = if child == NONE { return None } else { self.next(child) };
            Some(child)
        })
    }

    fn node_mut(&mut self, index: u32) -> &mut Node {
        found(self.nodes.get_mut(index)) // who is in the hierarchy has memory for it
    }

    /// Whether nobody is in the hierarchy.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether an entity is in the hierarchy.
    #[inline]
    #[must_use]
    pub fn is_in(&self, index: u32) -> bool {
        self.node(index).place != NONE
    }

    /// A number that changes when the hierarchy does.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Levels that may have nodes: so many.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether a child came to where it is before `changes` was that.
    #[must_use]
    pub fn is_old(&self, index: u32, changes: u32) -> bool {
        moment::is_before(self.node(index).placed, changes)
    }

    /// The first such sibling, from one on.
    #[inline(never)]
    #[must_use]
    pub fn old_sibling(&self, from: u32, changes: u32) -> Option<u32> {
        self.siblings(from).find(|index| self.is_old(*index, changes))
    }

    /// The nodes of a depth.
    #[inline]
    #[must_use]
    pub fn level(&self, depth: u32) -> &[u32] {
        self.levels.get(depth).map_or(&[], |level| &level.nodes)
    }

    /// The level that an entity is in, from 1; 0: it isn't in the hierarchy.
    #[inline]
    #[must_use]
    pub fn level_of(&self, index: u32) -> u32 {
        let node = self.node(index);
        if node.place == NONE { 0 } else { node.depth + 1 }
    }

    /// Whether it takes longer to go through all nodes than through `few`, of which most levels are searched for theirs.
    #[must_use]
    pub fn is_large_for(&self, few: u32) -> bool {
        u64::from(few) * (u64::from(self.depth) + 1) * 2 < u64::from(self.count)
    }

    /// Whether an entity is another, or above it.
    #[must_use]
    pub fn is_above(&self, above: u32, mut index: u32) -> bool {
        // Who has no children is above nobody else, however deep they are.
        if self.node(above).first == NONE {
            return index == above;
        }
        while index != above {
            if index == NONE {
                return false;
            }
            index = self.node(index).parent;
        }
        true
    }

    /// The one behind a node in the order of the subtree of `root`, which holds it.
    #[must_use]
    pub fn behind(&self, root: u32, mut index: u32, order: Order) -> Option<u32> {
        let node = self.node(index);
        if order == Order::ChildrenFirst {
            return match node.next {
                _ if index == root => None,
                NONE => Some(node.parent),
                next => Some(self.deepest(next)),
            };
        }
        if node.first != NONE {
            return Some(node.first);
        }
        while index != root {
            let node = self.node(index);
            if node.next != NONE {
                return Some(node.next);
            }
            index = node.parent;
        }
        None
    }

    /// The first in the order of the subtree of `root`.
    #[must_use]
    pub fn begin(&self, root: u32, order: Order) -> u32 {
        if order == Order::ParentsFirst { root } else { self.deepest(root) }
    }

    fn deepest(&self, mut index: u32) -> u32 {
        while self.node(index).first != NONE {
            index = self.node(index).first;
        }
        index
    }

    /// Makes a child of an entity, which has a place among the parent's, or a root: `NONE`. What is below it comes
    /// along. The parent isn't below it. Out of memory, all is as it was.
    pub fn put(&mut self, memory: &mut Memory, child: u32, parent: u32, place: Place) -> Result<(), Error> {
        self.nodes.reserve(memory, child)?;
        if parent != NONE {
            self.nodes.reserve(memory, parent)?;
            self.enter(memory, parent, 0)?;
        }
        let depth = if parent == NONE { 0 } else { self.node(parent).depth + 1 };
        let (is_new, old) = (self.node(child).place == NONE, self.node(child).depth);
        let moved = if is_new {
            self.enter(memory, child, depth)
        } else if depth != old {
            self.move_all(memory, child, depth)
        } else {
            Ok(())
        };
        if let Err(error) = moved {
            self.leave_if_alone(parent);
            return Err(error);
        }
        let before = self.unlink(child);
        self.link(child, parent, place);
        self.leave_if_alone(before);
        self.leave_if_alone(child);
        self.note(child);
        Ok(())
    }

    /// Makes an entity that is in no hierarchy the last child of one that is, if there is memory for it; says
    /// whether.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub fn append(&mut self, child: u32, parent: u32) -> bool {
        let Some(&Node { last, depth, place: used, .. }) = self.nodes.get(parent) else { return false };
        let node =
            self.nodes.get_mut(child).filter(|node| node.place == NONE && used != NONE && child != parent);
        let (Some(node), Some(level)) = (node, self.levels.get_mut(depth + 1)) else { return false };
        let place = level.nodes.len() as u32;
        if !level.nodes.push_if_room(child) {
            return false;
        }
        let placed = self.changes as u32;
        *node = Node { parent, previous: last, depth: depth + 1, place, placed, ..Node::EMPTY };
        if let Some(above) = self.nodes.get_mut(parent) {
            above.first = if last == NONE { child } else { above.first };
            above.last = child;
            above.children += 1;
        }
        if let Some(before) = self.nodes.get_mut(last) {
            before.next = child;
        }
        self.count += 1;
        self.depth = self.depth.max(depth + 2);
        self.count_change();
        true
    }

    /// A child has come to where it is.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    fn note(&mut self, child: u32) {
        self.node_mut(child).placed = self.changes as u32;
        self.count_change();
    }

    /// Counts a change. At times it lets nobody have been so long at a place that it seems to be new there.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    fn count_change(&mut self) {
        self.changes += 1;
        let now = self.changes as u32;
        if moment::is_time(now) {
            self.renew(now);
        }
    }

    #[cold]
    fn renew(&mut self, now: u32) {
        for index in self.nodes.indices() {
            if let Some(node) = self.nodes.get_mut(index) {
                node.placed = moment::renewed(node.placed, now);
            }
        }
    }

    /// Gives a node its place in a level, if it has none.
    fn enter(&mut self, memory: &mut Memory, index: u32, depth: u32) -> Result<(), Error> {
        if self.node(index).place != NONE {
            return Ok(());
        }
        self.levels.reserve(memory, depth)?;
        let Some(level) = self.levels.get_mut(depth) else { return Ok(()) };
        level.nodes.push(memory, index)?;
        #[allow(clippy::cast_possible_truncation)]
        let place = level.nodes.len() as u32 - 1;
        *self.node_mut(index) = Node { depth, place, ..*self.node(index) };
        self.count += 1;
        self.depth = self.depth.max(depth + 1);
        Ok(())
    }

    /// Takes a node out of its level.
    fn leave(&mut self, index: u32) {
        let Node { depth, place, .. } = *self.node(index);
        if place != NONE {
            self.node_mut(index).place = NONE;
            self.leave_level(depth, place);
        }
    }

    /// Takes whoever is at a place of a level out of it.
    #[inline(always)]
    fn leave_level(&mut self, depth: u32, place: u32) {
        self.count -= 1;
        let Some(level) = self.levels.get_mut(depth) else { return };
        let last = level.nodes.len() - 1;
        let moved = level.nodes[last];
        level.nodes[place as usize] = moved;
        level.nodes.truncate(last);
        if place as usize != last {
            self.node_mut(moved).place = place;
        }
        while last == 0 && self.depth > 0 && self.level(self.depth - 1).is_empty() {
            self.depth -= 1;
        }
    }

    fn leave_if_alone(&mut self, index: u32) {
        if index != NONE && self.node(index).parent == NONE && self.node(index).children == 0 {
            self.leave(index);
        }
    }

    /// Moves a subtree to another depth; or nothing: who leaves a level changes its order, so all memory comes first.
    fn move_all(&mut self, memory: &mut Memory, root: u32, depth: u32) -> Result<(), Error> {
        let from = self.node(root).depth;
        let depth_of = |tree: &Self, index: u32| tree.node(index).depth - from + depth;
        let mut reserved = Ok(());
        let (mut at, mut end) = (Some(root), None);
        while let Some(index) = at {
            reserved = self.reserve_place(memory, depth_of(self, index));
            at = self.behind(root, index, Order::ParentsFirst).filter(|_| reserved.is_ok());
            end = if reserved.is_ok() { at } else { Some(index) };
        }
        // The places that were reserved are free again.
        at = Some(root).filter(|root| Some(*root) != end);
        while let Some(index) = at {
            if let Some(level) = self.levels.get_mut(depth_of(self, index)) {
                level.nodes.truncate(level.nodes.len() - 1);
            }
            at = self.behind(root, index, Order::ParentsFirst).filter(|next| Some(*next) != end);
        }
        reserved?;
        at = Some(root);
        while let Some(index) = at {
            let to = depth_of(self, index);
            self.leave(index);
            let entered = self.enter(memory, index, to);
            debug_assert!(entered.is_ok());
            at = self.behind(root, index, Order::ParentsFirst);
        }
        Ok(())
    }

    /// Takes a place at the end of a level, for nobody.
    fn reserve_place(&mut self, memory: &mut Memory, depth: u32) -> Result<(), Error> {
        self.levels.reserve(memory, depth)?;
        self.levels.get_mut(depth).map_or(Ok(()), |level| level.nodes.push(memory, NONE))
    }

    /// Takes a node out of its siblings; returns its parent.
    fn unlink(&mut self, index: u32) -> u32 {
        let before = *self.node(index);
        let parent = self.detach(&before);
        if parent != NONE {
            *self.node_mut(index) = Node { parent: NONE, previous: NONE, next: NONE, ..before };
        }
        parent
    }

    /// Closes the gap where a node was among its siblings; returns its parent.
    #[inline(always)]
    fn detach(&mut self, node: &Node) -> u32 {
        // A parent that was taken out has no children: it is not in the way.
        if self.nodes.get(node.parent).is_none_or(|above| above.children == 0) {
            return NONE;
        }
        self.close_gap(node);
        node.parent
    }

    #[inline(never)]
    fn close_gap(&mut self, node: &Node) {
        let Node { parent, previous, next, .. } = *node;
        if next != NONE {
            self.node_mut(next).previous = previous;
        } else {
            self.node_mut(parent).last = previous;
        }
        if previous != NONE {
            self.node_mut(previous).next = next;
        } else {
            self.node_mut(parent).first = next;
        }
        self.node_mut(parent).children -= 1;
    }

    fn link(&mut self, index: u32, parent: u32, place: Place) {
        if parent == NONE {
            return;
        }
        let (previous, next) = match place {
            Place::First => (NONE, self.node(parent).first),
            Place::Last => (self.node(parent).last, NONE),
            Place::Before(sibling) => (self.node(sibling).previous, sibling),
            Place::After(sibling) => (sibling, self.node(sibling).next),
        };
        if next == NONE {
            self.node_mut(parent).last = index;
        } else {
            self.node_mut(next).previous = index;
        }
        if previous == NONE {
            self.node_mut(parent).first = index;
        } else {
            self.node_mut(previous).next = index;
        }
        self.node_mut(parent).children += 1;
        let node = self.node_mut(index);
        (node.parent, node.previous, node.next) = (parent, previous, next);
    }

    /// Takes an entity out that ends. Its children end too, later: they find a parent without children.
    #[inline]
    pub fn take(&mut self, index: u32) {
        let Some(place) = self.nodes.get_mut(index) else { return };
        let node = core::mem::replace(place, Node::EMPTY);
        if node.place != NONE {
            let parent = self.detach(&node);
            self.leave_level(node.depth, node.place);
            self.leave_if_alone(parent);
            self.count_change();
        }
    }

    /// Gives back what isn't used.
    pub fn shrink(&mut self, memory: &mut Memory) {
        for depth in self.levels.indices() {
            if let Some(level) = self.levels.get_mut(depth) {
                level.nodes.shrink(memory);
            }
        }
        self.levels.shrink(memory, |_, level| level.nodes.capacity() > 0);
        self.nodes.shrink(memory, |_, node| node.place != NONE);
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        for depth in self.levels.indices() {
            if let Some(level) = self.levels.get_mut(depth) {
                level.nodes.free(memory);
            }
        }
        self.levels.free(memory);
        self.nodes.free(memory);
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Allocator;
    use super::*;

    impl Tree {
        /// As if so much had changed meanwhile.
        pub fn pass(&mut self, more: u64) {
            self.changes += more;
        }
    }

    #[test]
    fn who_came_long_ago_is_never_taken_for_new() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut tree = Tree::default();
        tree.put(&mut memory, 1, 0, Place::Last).unwrap();
        // 2^32 changes, of which it notices some.
        for _ in 0..8 {
            tree.changes |= u64::from(moment::OLD) - 1;
            tree.put(&mut memory, 2, 0, Place::Last).unwrap();
            let now = tree.changes as u32;
            assert_eq!((tree.old_sibling(1, now), tree.old_sibling(2, now)), (Some(1), Some(2)));
            tree.put(&mut memory, 3, 0, Place::Last).unwrap();
            assert_eq!((tree.old_sibling(1, now), tree.old_sibling(3, now)), (Some(1), None));
        }
        tree.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }
}
