//! The stand-in with a tree by hand, as EnTT's users make one: a component with the parent, the first and the
//! last child, and the siblings on both sides.

use super::pool::Handle;
use super::{Kind, StandIn};
use crate::contender::Contender;
use crate::parts::{P, V};
use crate::relater::Relater;

/// A node of the tree. `Handle::NULL` is nobody.
#[derive(Clone, Copy)]
struct Node<H> {
    parent: H,
    first: H,
    last: H,
    next: H,
    previous: H,
}

impl<H: Handle> Kind for Node<H> {
    const HASH: u32 = 0x27D4_EB2F;
}

impl<H: Handle> Node<H> {
    const ALONE: Self =
        Self { parent: H::NULL, first: H::NULL, last: H::NULL, next: H::NULL, previous: H::NULL };
}

pub struct StandInTree<H: Handle = u32> {
    world: StandIn<H>,
}

impl<H: Handle> StandInTree<H> {
    #[inline(always)]
    fn node(&mut self, entity: H) -> &mut Node<H> {
        let (set, column) = self.world.pool_mut::<Node<H>>();
        let position = set.find(entity).expect("all have a node");
        // SAFETY: positions that a set finds were put into its column.
        unsafe { &mut *column.at_unchecked(position) }
    }

    /// Takes an entity out of its siblings.
    fn unlink(&mut self, entity: H) {
        let Node { parent, next, previous, .. } = *self.node(entity);
        if parent == H::NULL {
            return;
        }
        match next == H::NULL {
            true => self.node(parent).last = previous,
            false => self.node(next).previous = previous,
        }
        match previous == H::NULL {
            true => self.node(parent).first = next,
            false => self.node(previous).next = next,
        }
    }

    fn get<T: Kind>(&self, entity: H) -> Option<T> {
        let (set, column) = self.world.pool::<T>();
        // SAFETY: as above.
        set.find(entity).map(|position| unsafe { *column.at(position) })
    }
}

impl<H: Handle> Relater for StandInTree<H> {
    type Entity = H;
    const LIKES: bool = false;

    fn new() -> Self {
        let mut world = StandIn::empty();
        world.register::<P>(P::HASH);
        world.register::<V>(V::HASH);
        world.register::<Node<H>>(Node::<H>::HASH);
        Self { world }
    }

    #[inline(always)]
    fn to_bits(entity: H) -> u64 {
        entity.to_bits()
    }

    #[inline(always)]
    fn create(&mut self) -> H {
        let entity = self.world.create();
        self.world.set(entity, Node::<H>::ALONE);
        entity
    }

    #[inline(always)]
    fn create_child(&mut self, parent: H) -> H {
        let entity = self.world.create();
        let above = self.node(parent);
        let previous = std::mem::replace(&mut above.last, entity);
        match previous == H::NULL {
            true => above.first = entity,
            false => self.node(previous).next = entity,
        }
        self.world.set(entity, Node { parent, previous, ..Node::ALONE });
        entity
    }

    fn put_p(&mut self, entity: H, p: P) {
        self.world.set(entity, p);
    }

    fn put_v(&mut self, entity: H, v: V) {
        self.world.set(entity, v);
    }

    fn p(&self, entity: H) -> Option<P> {
        self.get(entity)
    }

    fn v(&self, entity: H) -> Option<V> {
        self.get(entity)
    }

    fn is_alive(&self, entity: H) -> bool {
        let entities = &self.world.entities;
        entities.find(entity).is_some_and(|position| position < self.world.alive)
    }

    /// The pool of nodes is looked up once.
    #[inline(always)]
    fn sum_children(&self, parents: &[H]) -> u64 {
        let (set, column) = self.world.pool::<Node<H>>();
        let node = |entity| {
            let position = set.find(entity).expect("all have a node");
            // SAFETY: as above.
            unsafe { &*column.at_unchecked(position) }
        };
        let mut sum = 0u64;
        for &parent in parents {
            let mut child = node(parent).first;
            while child != H::NULL {
                sum = sum.wrapping_add(child.to_bits());
                child = node(child).next;
            }
        }
        sum
    }

    fn visit(&self, parent: H, mut visit: impl FnMut(H)) {
        let mut child = self.get::<Node<H>>(parent).map_or(H::NULL, |node| node.first);
        while child != H::NULL {
            visit(child);
            child = self.get::<Node<H>>(child).map_or(H::NULL, |node| node.next);
        }
    }

    fn ready_to_propagate(&mut self) -> bool {
        true
    }

    /// Through the pool of nodes, which whoever does this keeps sorted by depth, and here is so by itself.
    #[inline(always)]
    fn propagate(&mut self) {
        let (nodes, column) = self.world.pool::<Node<H>>();
        let (with_p, p) = self.world.pool::<P>();
        let (with_v, v) = self.world.pool::<V>();
        let place = |entity| {
            let position = with_v.find(entity).expect("all have V");
            // SAFETY: as above.
            unsafe { v.at_unchecked(position) }
        };
        for (position, &entity) in nodes.packed().iter().enumerate() {
            let local = with_p.find(entity).expect("all have P");
            // SAFETY: as above; nobody is its own parent.
            unsafe {
                let parent = (*column.at_unchecked(position)).parent;
                let above = if parent == H::NULL { V::ORIGIN } else { *place(parent) };
                (*place(entity)).place(&above, &*p.at_unchecked(local));
            }
        }
    }

    #[inline(always)]
    fn destroy(&mut self, root: H) {
        self.unlink(root);
        let mut entity = root;
        // Down to somebody without children, who goes; then on with who is next to it, or above.
        loop {
            let Node { first, next, parent, .. } = *self.node(entity);
            if first != H::NULL {
                entity = first;
                continue;
            }
            self.world.destroy(entity);
            if entity == root {
                break;
            }
            self.node(parent).first = next;
            entity = if next == H::NULL { parent } else { next };
        }
    }
}
