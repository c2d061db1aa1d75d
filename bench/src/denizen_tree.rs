//! denizen's pairs and hierarchy, through its shared library. The loops are C (`c/tree.c`).

use crate::denizen::{check, failed, new_world, register};
use crate::ffi::*;
use crate::way::Way;
use peers::Relater;
use peers::parts::{P, V};

/// `ours_tree` of c/tree.c.
#[repr(C)]
pub struct Tree {
    world: World,
    root: Entity,
    p: Id,
    v: Id,
}

#[link(name = "loops", kind = "static")]
unsafe extern "C" {
    fn ours_children(world: World, parents: *const Entity, n: usize) -> u64;
    fn ours_siblings(world: World, parents: *const Entity, n: usize) -> u64;
    fn ours_propagate(tree: *const Tree) -> Status;
    fn ours_cascade(tree: *const Tree, query: u32) -> Status;
    fn ours_levels(tree: *const Tree) -> u32;
    fn ours_aim(tree: *const Tree, relation: Entity, target: Entity) -> u32;
    fn ours_step_aimed(tree: *const Tree, query: u32) -> Status;
}

/// A world of one layout, which does things in one way (a `Way` as a number).
pub struct DenizenTree<const LAYOUT: i32, const WAY: u8> {
    tree: Tree,
    likes: Entity,
    /// A query, once it is made.
    query: u32,
}

impl<const LAYOUT: i32, const WAY: u8> Drop for DenizenTree<LAYOUT, WAY> {
    fn drop(&mut self) {
        check(dz_world_destroy(self.tree.world));
    }
}

impl<const LAYOUT: i32, const WAY: u8> DenizenTree<LAYOUT, WAY> {
    fn set<T>(&mut self, entity: Entity, id: Id, value: T) {
        let value: *const T = &value;
        // SAFETY: the value is as large as is said.
        check(unsafe { dz_set(self.tree.world, entity, id, size_of::<T>() as u32, value.cast()) });
    }

    fn get<T: Copy>(&self, entity: Entity, id: Id) -> Option<T> {
        let value: *const T = dz_get(self.tree.world, entity, id).cast();
        // SAFETY: NULL, or good until the world changes.
        unsafe { value.as_ref().copied() }
    }
}

impl<const LAYOUT: i32, const WAY: u8> Relater for DenizenTree<LAYOUT, WAY> {
    type Entity = Entity;

    fn new() -> Self {
        let world = new_world(LAYOUT);
        let (p, v) = (register::<P>(world, "P"), register::<V>(world, "V"));
        let tree = Tree { world, root: 0, p, v };
        let likes = dz_create(world);
        Self { tree, likes, query: 0 }
    }

    #[inline(always)]
    fn to_bits(entity: Entity) -> u64 {
        entity
    }

    #[inline(always)]
    fn create(&mut self) -> Entity {
        let entity = dz_create(self.tree.world);
        if entity == 0 {
            failed();
        }
        entity
    }

    #[inline(always)]
    fn create_child(&mut self, parent: Entity) -> Entity {
        let entity = self.create();
        check(dz_set_parent(self.tree.world, entity, parent));
        entity
    }

    fn put_p(&mut self, entity: Entity, p: P) {
        self.set(entity, self.tree.p, p);
    }

    fn put_v(&mut self, entity: Entity, v: V) {
        if self.tree.root == 0 {
            self.tree.root = entity;
        }
        self.set(entity, self.tree.v, v);
    }

    fn p(&self, entity: Entity) -> Option<P> {
        self.get(entity, self.tree.p)
    }

    fn v(&self, entity: Entity) -> Option<V> {
        self.get(entity, self.tree.v)
    }

    fn is_alive(&self, entity: Entity) -> bool {
        dz_is_alive(self.tree.world, entity)
    }

    fn visit(&self, parent: Entity, mut visit: impl FnMut(Entity)) {
        let mut child = dz_first_child(self.tree.world, parent);
        while child != 0 {
            visit(child);
            child = dz_next_sibling(self.tree.world, child);
        }
    }

    #[inline(always)]
    fn sum_children(&self, parents: &[Entity]) -> u64 {
        let sum = if WAY == Way::Siblings as u8 { ours_siblings } else { ours_children };
        // SAFETY: a slice.
        unsafe { sum(self.tree.world, parents.as_ptr(), parents.len()) }
    }

    /// By subtree the root is who got V first; else it is a query.
    fn ready_to_propagate(&mut self) -> bool {
        if WAY == Way::Tree as u8 {
            // SAFETY: the world is alive.
            self.query = unsafe { ours_levels(&self.tree) };
            if self.query == 0 {
                failed();
            }
        }
        true
    }

    #[inline(always)]
    fn propagate(&mut self) {
        // SAFETY: the world and the query are alive, and all below the root have P and V.
        check(unsafe {
            if WAY == Way::Tree as u8 {
                ours_cascade(&self.tree, self.query)
            } else {
                ours_propagate(&self.tree)
            }
        });
    }

    fn aim(&mut self, target: Entity) -> bool {
        // SAFETY: the world is alive.
        self.query = unsafe { ours_aim(&self.tree, self.likes, target) };
        if self.query == 0 {
            failed();
        }
        true
    }

    #[inline(always)]
    fn step_aimed(&mut self) {
        // SAFETY: the world and the query are alive.
        check(unsafe { ours_step_aimed(&self.tree, self.query) });
    }

    #[inline(always)]
    fn destroy(&mut self, root: Entity) {
        check(dz_destroy(self.tree.world, root));
    }

    #[inline(always)]
    fn like(&mut self, entity: Entity, target: Entity) {
        check(dz_add_pair(self.tree.world, entity, self.likes, target));
    }

    fn likes(&self, entity: Entity, target: Entity) -> bool {
        dz_has_pair(self.tree.world, entity, self.likes, target)
    }
}
