//! The naive hierarchy, names, bases and disabled entities, on top of the naive graph: maps and lists that are searched.

use crate::calls::{OK, S};
use crate::graph::{Graph, Link};
use std::collections::{BTreeMap, BTreeSet};

/// By what an instance is linked to its base.
pub const INSTANCEOF: u64 = 2 << 56;

/// A place among siblings, as C numbers it.
pub const LAST: i32 = 0;
pub const FIRST: i32 = 1;
pub const BEFORE: i32 = 2;
pub const AFTER: i32 = 3;

#[derive(Clone, Debug, Default)]
pub struct Kin {
    pub graph: Graph,
    pub names: BTreeMap<u64, String>,
    /// Values of components that entities have themselves.
    pub values: BTreeMap<(u64, u64), Vec<u8>>,
    pub disabled: BTreeSet<u64>,
    /// Components of entities that are disabled.
    pub hidden: BTreeSet<(u64, u64)>,
    pub bases: BTreeSet<u64>,
}

impl Kin {
    pub fn parent(&self, entity: u64) -> u64 {
        let mut all = self.graph.children.iter();
        all.find(|(_, children)| children.contains(&entity)).map_or(0, |(parent, _)| *parent)
    }

    pub fn children(&self, parent: u64) -> Vec<u64> {
        self.graph.children.get(&parent).cloned().unwrap_or_default()
    }

    /// Those above, the parent first.
    pub fn above(&self, entity: u64) -> Vec<u64> {
        let parents = std::iter::successors(Some(entity), |at| Some(self.parent(*at)).filter(|up| *up != 0));
        parents.skip(1).collect()
    }

    /// It and all below it, each before its children; or behind them.
    pub fn subtree(&self, root: u64, parents_first: bool) -> Vec<u64> {
        let below = self.children(root).into_iter().flat_map(|child| self.subtree(child, parents_first));
        if parents_first {
            std::iter::once(root).chain(below).collect()
        } else {
            below.chain([root]).collect()
        }
    }

    /// Who has a name under a parent (0: among those without one).
    pub fn named(&self, parent: u64, name: &str) -> Option<u64> {
        let mut all = self.names.iter();
        all.find(|(entity, its)| *its == name && self.parent(**entity) == parent).map(|(entity, _)| *entity)
    }

    /// Makes a child, or (0) a root.
    pub fn put(&mut self, child: u64, parent: u64, place: i32, sibling: u64) -> Result<(), S> {
        self.graph.check_plain(child)?;
        if parent != 0 {
            self.graph.check(parent)?;
            if parent == child || self.above(parent).contains(&child) {
                return Err(S::DZ_ERR_CYCLE);
            }
        }
        if place >= BEFORE {
            self.graph.check(sibling)?;
            if sibling == child || !self.children(parent).contains(&sibling) {
                return Err(S::DZ_ERR_SIBLING);
            }
        }
        let taken = self.names.get(&child).and_then(|name| self.named(parent, name));
        if taken.is_some_and(|other| other != child) {
            return Err(S::DZ_ERR_NAME_TAKEN);
        }
        self.graph.children.values_mut().for_each(|all| all.retain(|other| *other != child));
        if parent != 0 {
            let all = self.graph.children.entry(parent).or_default();
            let of = |sibling| all.iter().position(|other| *other == sibling).unwrap();
            let at = match place {
                FIRST => 0,
                BEFORE => of(sibling),
                AFTER => of(sibling) + 1,
                _ => all.len(),
            };
            all.insert(at, child);
        }
        Ok(())
    }

    pub fn reorder(&mut self, child: u64, place: i32, sibling: u64) -> Result<(), S> {
        self.graph.check_plain(child)?;
        match self.parent(child) {
            0 => Err(S::DZ_ERR_NO_PARENT),
            parent => self.put(child, parent, place, sibling),
        }
    }

    pub fn set_name(&mut self, entity: u64, name: &str) -> S {
        if let Err(error) = self.graph.check_plain(entity) {
            return error;
        }
        if name.is_empty() {
            return if self.names.remove(&entity).is_some() { OK } else { S::DZ_NOT_THERE };
        }
        if self.named(self.parent(entity), name).is_some_and(|other| other != entity) {
            return S::DZ_ERR_NAME_TAKEN;
        }
        self.names.insert(entity, name.to_owned());
        OK
    }

    /// Who is reached by names.
    pub fn lookup(&self, from: u64, path: &[&str]) -> u64 {
        path.iter().try_fold(from, |at, name| self.named(at, name)).unwrap_or(0)
    }

    pub fn base(&self, entity: u64) -> u64 {
        self.graph.targets(entity, INSTANCEOF).first().copied().unwrap_or(0)
    }

    /// The bases, the nearest first.
    pub fn bases_of(&self, entity: u64) -> Vec<u64> {
        let next = |at: &u64| Some(self.base(*at)).filter(|base| *base != 0);
        std::iter::successors(Some(entity), next).skip(1).collect()
    }

    /// Whose component an entity has.
    pub fn source(&self, entity: u64, component: u64) -> Option<u64> {
        let all = [vec![entity], self.bases_of(entity)].concat();
        all.into_iter().find(|at| self.graph.has.contains(&(*at, component)))
    }

    pub fn is_asked_for(&self, entity: u64, bases: bool) -> bool {
        !self.disabled.contains(&entity) && self.bases.contains(&entity) == bases
    }

    /// Whether an entity has a component that isn't disabled: for queries that don't pass over the entity.
    pub fn shows(&self, entity: u64, component: u64) -> bool {
        self.graph.has.contains(&(entity, component)) && !self.hidden.contains(&(entity, component))
    }

    pub fn set_value(&mut self, entity: u64, component: u64, value: Vec<u8>) {
        self.graph.has.insert((entity, component));
        self.values.insert((entity, component), value);
    }

    pub fn remove(&mut self, entity: u64, component: u64) -> bool {
        self.values.remove(&(entity, component));
        self.hidden.remove(&(entity, component));
        self.graph.has.remove(&(entity, component))
    }

    pub fn override_component(&mut self, entity: u64, component: u64) -> S {
        match self.source(entity, component) {
            None => S::DZ_ERR_NOT_HELD,
            Some(own) if own == entity => S::DZ_ALREADY_THERE,
            Some(base) => {
                let value = self.values[&(base, component)].clone();
                self.set_value(entity, component, value);
                OK
            }
        }
    }

    pub fn mark(&mut self, top: u64, is_base: bool) -> bool {
        let all = self.subtree(top, true);
        let new = all.iter().any(|entity| self.bases.contains(entity) != is_base);
        for entity in all {
            if is_base {
                self.bases.insert(entity)
            } else {
                self.bases.remove(&entity)
            };
        }
        new
    }

    /// Makes an entity the instance of a base.
    pub fn instance_of(&mut self, entity: u64, base: u64) -> S {
        let checked = self
            .graph
            .check_plain(entity)
            .and_then(|()| self.graph.check(base))
            .and_then(|()| self.graph.check_plain(base));
        if let Err(error) = checked {
            return error;
        }
        if entity == base || self.bases_of(base).contains(&entity) {
            return S::DZ_ERR_CYCLE;
        }
        if self.base(entity) == base {
            return S::DZ_ALREADY_THERE;
        }
        let links = self.graph.links.get_mut(&entity).unwrap();
        links.retain(|link| link.by != INSTANCEOF);
        links.push(Link { by: INSTANCEOF, target: base, value: None });
        self.mark(base, true);
        OK
    }

    /// A tree of bases, and what was made of each.
    pub fn instantiate(&mut self, made: &[(u64, u64)]) {
        let made_of = |base: u64| made.iter().find(|(of, _)| *of == base).map(|(_, instance)| *instance);
        for (of, instance) in made {
            self.graph.links.insert(*instance, vec![]);
            self.instance_of(*instance, *of);
            if let Some(above) = made_of(self.parent(*of)).filter(|_| *of != made[0].0) {
                self.graph.children.entry(above).or_default().push(*instance);
                self.names.get(of).cloned().map(|name| self.names.insert(*instance, name));
            }
        }
        for (of, instance) in made {
            for link in self.graph.links[of].clone() {
                let traits = self.graph.traits(link.by);
                let inside = made_of(link.target);
                let alone = traits.symmetric && traits.exclusive && inside.is_none();
                let target = inside.unwrap_or(link.target);
                if link.by == INSTANCEOF || alone || self.graph.link(*instance, link.by, target).is_some() {
                    continue;
                }
                self.graph.give(*instance, Link { target, ..link.clone() });
                if traits.symmetric && self.graph.link(target, link.by, *instance).is_none() {
                    self.graph.give(target, Link { target: *instance, ..link });
                }
            }
        }
    }

    /// What is left when some have ended.
    pub fn forget(&mut self) {
        let Self { graph, names, values, disabled, hidden, bases } = self;
        names.retain(|entity, _| graph.links.contains_key(entity));
        values.retain(|key, _| graph.has.contains(key));
        hidden.retain(|key| graph.has.contains(key));
        disabled.retain(|entity| graph.links.contains_key(entity));
        bases.retain(|entity| graph.links.contains_key(entity));
    }

    /// A copy has the parent, and no name.
    pub fn clone_as(&mut self, entity: u64, copy: u64) {
        self.graph.clone_as(entity, copy);
        let own = self.values.iter().filter(|((of, _), _)| *of == entity);
        let own: Vec<_> = own.map(|((_, id), value)| ((copy, *id), value.clone())).collect();
        self.values.extend(own);
        if self.parent(entity) != 0 {
            let parent = self.parent(entity);
            self.graph.children.get_mut(&parent).unwrap().push(copy);
        }
    }
}
