//! The naive graph: who has which pairs, as lists that are searched, and what relations promise of them.

use crate::calls::{OK, S};
use crate::kinds::{Kind, Needs};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of a pair whose target, or relation, is destroyed, as C numbers it; 0: it is taken off its holder.
pub const DELETE: i32 = 1;
pub const REFUSE: i32 = 2;

/// The most others that a chain of relations brings.
const MOST_WITH: usize = 8;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    pub exclusive: bool,
    pub symmetric: bool,
    pub acyclic: bool,
    pub transitive: bool,
    pub reflexive: bool,
    pub on_target: i32,
    pub on_relation: i32,
    pub with: u64,
}

/// The built-in component, whose values are bytes like others.
pub static BUILTIN: Kind =
    Kind { name: c"Component", size: 16, align: 4, stable: false, needs: Needs::Nothing };

/// What an entity has: `by` is the relation; of what has none, the role, where ids have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub by: u64,
    pub target: u64,
    pub value: Option<Vec<u8>>,
}

/// Whether what is had by that is a pair.
pub const fn is_pair(by: u64) -> bool {
    by != 0 && by >> 56 == 0
}

#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Whoever lives.
    pub links: BTreeMap<u64, Vec<Link>>,
    /// Those who are components.
    pub components: BTreeMap<u64, &'static Kind>,
    /// Components that entities have.
    pub has: BTreeSet<(u64, u64)>,
    pub traits: BTreeMap<u64, Traits>,
    /// Pairs that there are ids of.
    pub made: BTreeSet<(u64, u64)>,
    /// The hierarchy, by parent: children in their order, who end with it.
    pub children: BTreeMap<u64, Vec<u64>>,
}

impl Graph {
    pub fn check(&self, entity: u64) -> Result<(), S> {
        match entity {
            0 => Err(S::DZ_ERR_NULL_ENTITY),
            _ if self.links.contains_key(&entity) => Ok(()),
            _ => Err(S::DZ_ERR_DEAD),
        }
    }

    pub fn check_plain(&self, entity: u64) -> Result<(), S> {
        self.check(entity)?;
        if self.components.contains_key(&entity) { Err(S::DZ_ERR_IS_COMPONENT) } else { Ok(()) }
    }

    fn check_id(&self, by: u64, target: u64) -> Result<(), S> {
        if is_pair(by) {
            self.check(by)?;
        }
        self.check(target)
    }

    pub fn traits(&self, by: u64) -> Traits {
        self.traits.get(&by).copied().unwrap_or_default()
    }

    /// The kind of a pair's values.
    pub fn kind(&self, by: u64, target: u64) -> Option<&'static Kind> {
        let data = |id| self.components.get(&id).copied().filter(|kind| kind.size > 0);
        if is_pair(by) { data(by).or_else(|| data(target)) } else { None }
    }

    pub fn link(&self, holder: u64, by: u64, target: u64) -> Option<&Link> {
        self.links.get(&holder)?.iter().find(|link| (link.by, link.target) == (by, target))
    }

    pub fn targets(&self, holder: u64, by: u64) -> Vec<u64> {
        let of = |links: &Vec<Link>| links.iter().filter(|l| l.by == by).map(|l| l.target).collect();
        self.links.get(&holder).map_or(vec![], of)
    }

    /// Who has it.
    pub fn holders(&self, by: u64, target: u64) -> Vec<u64> {
        self.links.keys().copied().filter(|holder| self.link(*holder, by, target).is_some()).collect()
    }

    /// All one comes to by a relation.
    pub fn reached(&self, by: u64, from: u64) -> BTreeSet<u64> {
        let (mut seen, mut next) = (BTreeSet::new(), self.targets(from, by));
        while let Some(at) = next.pop() {
            if seen.insert(at) {
                next.extend(self.targets(at, by));
            }
        }
        seen
    }

    /// What dz_has says.
    pub fn has(&self, entity: u64, by: u64, target: u64) -> bool {
        let traits = self.traits(by);
        self.link(entity, by, target).is_some()
            || traits.reflexive && entity == target
            || traits.transitive && self.reached(by, entity).contains(&target)
    }

    /// Gives an entity a pair, and nothing with it.
    pub fn give(&mut self, holder: u64, link: Link) {
        if is_pair(link.by) {
            self.made.insert((link.by, link.target));
        }
        self.links.get_mut(&holder).unwrap().push(link);
    }

    fn bind(
        &mut self,
        holder: u64,
        (by, target): (u64, u64),
        value: Option<&[u8]>,
        new: &mut Vec<(u64, u64, u64)>,
    ) -> Result<bool, S> {
        if is_pair(by) {
            self.made.insert((by, target));
        }
        let links = self.links.get_mut(&holder).unwrap();
        if let Some(link) = links.iter_mut().find(|link| (link.by, link.target) == (by, target)) {
            if let Some(value) = value {
                link.value = Some(value.to_vec());
            }
            return Ok(false);
        }
        let traits = self.traits(by);
        if traits.acyclic && (target == holder || self.reached(by, target).contains(&holder)) {
            return Err(S::DZ_ERR_CYCLE);
        }
        let made = self.kind(by, target).map(|kind| value.map_or_else(|| kind.initial(), <[u8]>::to_vec));
        self.links.get_mut(&holder).unwrap().push(Link { by, target, value: made });
        new.push((holder, by, target));
        if traits.symmetric {
            self.check_plain(target)?;
            if self.link(target, by, holder).is_none() {
                self.bind(target, (by, holder), value, new)?;
            }
        }
        if traits.with != 0 {
            self.bind(holder, (traits.with, target), None, new)?;
        }
        Ok(true)
    }

    fn try_add(&mut self, entity: u64, by: u64, target: u64, value: Option<&[u8]>) -> Result<S, S> {
        self.check_plain(entity)?;
        self.check_id(by, target)?;
        if value.is_some() && self.kind(by, target).is_none() {
            return Err(S::DZ_ERR_TAG);
        }
        let mut new = vec![];
        let added = self.bind(entity, (by, target), value, &mut new)?;
        for (holder, by, target) in
            new.into_iter().filter(|(_, by, _)| self.traits(*by).exclusive).collect::<Vec<_>>()
        {
            for other in self.targets(holder, by).into_iter().filter(|other| *other != target) {
                self.take(holder, by, other);
            }
        }
        Ok(if added { OK } else { S::DZ_ALREADY_THERE })
    }

    /// Adds or sets; or nothing.
    pub fn add(&mut self, entity: u64, by: u64, target: u64, value: Option<&[u8]>) -> S {
        let before = self.clone();
        self.try_add(entity, by, target, value).unwrap_or_else(|error| {
            *self = before;
            error
        })
    }

    fn take(&mut self, holder: u64, by: u64, target: u64) {
        let mut drop = |holder: u64, target: u64| {
            if let Some(links) = self.links.get_mut(&holder) {
                links.retain(|link| (link.by, link.target) != (by, target));
            }
        };
        drop(holder, target);
        if self.traits.get(&by).is_some_and(|traits| traits.symmetric) {
            drop(target, holder);
        }
    }

    pub fn remove(&mut self, entity: u64, by: u64, target: u64) -> S {
        if let Err(error) = self.check_plain(entity).and_then(|()| self.check_id(by, target)) {
            return error;
        }
        if self.link(entity, by, target).is_none() {
            return S::DZ_NOT_THERE;
        }
        self.take(entity, by, target);
        OK
    }

    fn try_set_traits(&self, relation: u64, traits: &Traits) -> Result<(), S> {
        self.check(relation)?;
        if traits.transitive && !traits.acyclic || traits.symmetric && traits.acyclic {
            return Err(S::DZ_ERR_TRAITS);
        }
        let (mut at, mut brought) = (traits.with, 0);
        while at != 0 {
            self.check(at)?;
            brought += 1;
            if at == relation || brought > MOST_WITH {
                return Err(S::DZ_ERR_TRAITS);
            }
            let other = self.traits(at);
            if traits.symmetric && other.acyclic {
                return Err(S::DZ_ERR_TRAITS);
            }
            at = other.with;
        }
        let chain = |first: u64| std::iter::successors(Some(first), |at| Some(self.traits(*at).with));
        let brings = |other: &u64| chain(*other).take_while(|at| *at != 0).skip(1).any(|at| at == relation);
        if traits.acyclic && self.traits.keys().filter(|other| self.traits(**other).symmetric).any(brings) {
            return Err(S::DZ_ERR_TRAITS);
        }
        let is_brought = self.traits.values().any(|other| other.with == relation);
        let is_other = *traits != Traits { with: traits.with, ..self.traits(relation) };
        let is_held = is_other && self.links.values().flatten().any(|link| link.by == relation);
        if is_brought && traits.with != 0 || is_held { Err(S::DZ_ERR_TRAITS) } else { Ok(()) }
    }

    pub fn set_traits(&mut self, relation: u64, traits: &Traits) -> S {
        match self.try_set_traits(relation, traits) {
            Err(error) => error,
            Ok(()) => {
                self.traits.insert(relation, *traits);
                OK
            }
        }
    }

    /// Those who end if these do, or that somebody else is in the way.
    pub fn doomed(&self, roots: &[u64]) -> Result<BTreeSet<u64>, S> {
        let all =
            || self.links.iter().flat_map(|(holder, links)| links.iter().map(move |link| (*holder, link)));
        let mut doomed: BTreeSet<u64> = roots.iter().copied().collect();
        let meets = |doomed: &BTreeSet<u64>, link: &Link, cleanup| {
            let traits = self.traits(link.by);
            doomed.contains(&link.target) && traits.on_target == cleanup
                || doomed.contains(&link.by) && traits.on_relation == cleanup
        };
        loop {
            let below = doomed.iter().filter_map(|parent| self.children.get(parent)).flatten().copied();
            let more: Vec<_> = below
                .chain(all().filter(|(_, link)| meets(&doomed, link, DELETE)).map(|(holder, _)| holder))
                .collect();
            let before = doomed.len();
            doomed.extend(more);
            if doomed.len() == before {
                break;
            }
        }
        let held = all().any(|(holder, link)| meets(&doomed, link, REFUSE) && !doomed.contains(&holder));
        if held { Err(S::DZ_ERR_PAIR_HELD) } else { Ok(doomed) }
    }

    /// Ends them, and all that names them.
    pub fn end(&mut self, doomed: &BTreeSet<u64>) {
        let gone = |entity: u64| doomed.contains(&entity);
        self.links.retain(|entity, _| !gone(*entity));
        self.links.values_mut().for_each(|links| links.retain(|l| !gone(l.by) && !gone(l.target)));
        self.components.retain(|entity, _| !gone(*entity));
        self.has.retain(|(entity, component)| !gone(*entity) && !gone(*component));
        self.traits.retain(|entity, _| !gone(*entity));
        self.traits.values_mut().filter(|traits| gone(traits.with)).for_each(|traits| traits.with = 0);
        self.made.retain(|(relation, target)| !gone(*relation) && !gone(*target));
        self.children.retain(|parent, _| !gone(*parent));
        self.children.values_mut().for_each(|all| all.retain(|child| !gone(*child)));
    }

    pub fn destroy(&mut self, roots: &[u64]) -> S {
        if let Some(error) = roots.iter().find_map(|root| self.check(*root).err()) {
            return error;
        }
        match self.doomed(roots) {
            Err(error) => error,
            Ok(doomed) => {
                self.end(&doomed);
                OK
            }
        }
    }

    /// Everybody but components ends, and refuses nothing.
    pub fn clear(&mut self) {
        let plain =
            self.links.keys().copied().filter(|entity| !self.components.contains_key(entity)).collect();
        self.end(&plain);
    }

    /// A copy has the same pairs, and brings nothing. Of a symmetric relation its targets have them too; if it is
    /// exclusive as well they have theirs already, and it gets none.
    pub fn clone_as(&mut self, entity: u64, copy: u64) {
        let links = self.links[&entity].clone();
        self.links.insert(copy, vec![]);
        for link in links {
            let traits = self.traits(link.by);
            if traits.symmetric && traits.exclusive {
                continue;
            }
            if traits.symmetric {
                self.made.insert((link.by, copy));
                self.links.get_mut(&link.target).unwrap().push(Link { target: copy, ..link.clone() });
            }
            self.links.get_mut(&copy).unwrap().push(link);
        }
        let has: Vec<_> =
            self.has.iter().filter(|(of, _)| *of == entity).map(|(_, id)| (copy, *id)).collect();
        self.has.extend(has);
    }
}
