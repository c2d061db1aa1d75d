//! Pairs, entities and roles as tags, and what relations promise.

use crate::calls::{OK, S};
use crate::graph::{Traits, is_pair};
use crate::host::Host;
use crate::read::{listed, quietly, write};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, pair::*, relation::*};
use std::ffi::c_void;
use std::mem::MaybeUninit;

/// An entity has so few of these that it can be read at once.
const MOST: usize = 40;

impl Host {
    fn has_many(&self, who: u64) -> bool {
        self.kin.graph.links.get(&who).is_some_and(|links| links.len() > MOST)
    }

    /// Somebody, a relation and a target; often of a pair that is there.
    fn triple(&mut self) -> (u64, u64, u64) {
        let (mut who, relation, target) = (self.who(), self.hub(), self.hub());
        if self.once_in(3) {
            // So that one leads to another.
            who = self.hub();
        }
        let links = self.kin.graph.links.get(&who).cloned().unwrap_or_default();
        match self.one_of(&links) {
            Some(link) if is_pair(link.by) && self.once_in(2) => {
                let same = self.once_in(2);
                (who, link.by, if same { link.target } else { target })
            }
            _ => (who, relation, target),
        }
    }

    pub fn add_pair(&mut self) {
        let (who, relation, target) = self.triple();
        if self.has_many(who) || self.has_many(target) {
            return;
        }
        let done = match self.dice.below(4) {
            // By its id.
            0 if self.lives(relation) && self.lives(target) => {
                let Some((came, id)) = act!(self, dz_pair(relation, target)) else { return };
                self.expect(came, OK);
                self.kin.graph.made.insert((relation, target));
                act!(self, dz_add(who, id))
            }
            _ => act!(self, dz_add_pair(who, relation, target)),
        };
        let Some((came, _)) = done else { return };
        let expected = self.kin.graph.add(who, relation, target, None);
        self.expect(came, expected);
    }

    pub fn set_pair(&mut self) {
        let (who, relation, target) = self.triple();
        if self.has_many(who) || self.has_many(target) {
            return;
        }
        let kind = self.kin.graph.kind(relation, target);
        let payload = kind.map(|kind| self.payload(kind));
        let value = kind.map_or(vec![0; 8], |kind| kind.value(payload.as_ref().unwrap()));
        let (size, at): (_, *const c_void) = (value.len() as u32, value.as_ptr().cast());
        let Some((came, _)) = act!(self, dz_set_pair(who, relation, target, size, at)) else { return };
        let payload = payload.unwrap_or_default();
        let expected = self.kin.graph.add(who, relation, target, Some(&payload));
        self.expect(came, if expected == S::DZ_ALREADY_THERE { OK } else { expected });
    }

    pub fn remove_pair(&mut self) {
        let (who, relation, target) = self.triple();
        let Some((came, _)) = act!(self, dz_remove_pair(who, relation, target)) else { return };
        let expected = self.kin.graph.remove(who, relation, target);
        self.expect(came, expected);
    }

    /// Writes to the value itself.
    pub fn write_pair(&mut self) {
        let (who, relation, target) = self.triple();
        let Some(kind) = self.kin.graph.kind(relation, target) else { return };
        let at = call!(dz_get_pair_mut(self.world, who, relation, target));
        let payload = self.payload(kind);
        let links = self.kin.graph.links.get_mut(&who).into_iter().flatten();
        let link = links.into_iter().find(|link| (link.by, link.target) == (relation, target));
        assert_eq!(at.is_null(), link.is_none());
        if let Some(link) = link {
            write(kind, at, &payload);
            link.value = Some(payload);
        }
    }

    /// An entity as a tag, by itself or with a role.
    pub fn tag(&mut self) {
        let (who, target) = (self.who(), self.hub());
        let by =
            if self.once_in(2) { (u64::from(DZ_ROLE_USER) + self.dice.below(2) as u64) << 56 } else { 0 };
        if self.has_many(who) || by == 0 && self.kin.graph.components.contains_key(&target) {
            return;
        }
        if self.once_in(3) {
            let Some((came, _)) = act!(self, dz_remove(who, by | target)) else { return };
            let expected = self.kin.graph.remove(who, by, target);
            return self.expect(came, expected);
        }
        let Some((came, _)) = act!(self, dz_add(who, by | target)) else { return };
        let expected = self.kin.graph.add(who, by, target, None);
        self.expect(came, expected);
    }

    pub fn relate(&mut self) {
        let (relation, with) = (self.hub(), self.hub());
        let acyclic = self.once_in(3);
        let traits = Traits {
            exclusive: self.once_in(3),
            symmetric: self.once_in(4),
            acyclic,
            transitive: acyclic && self.once_in(2),
            reflexive: self.once_in(4),
            on_target: [0, 0, 0, 0, 1, 2][self.dice.below(6)],
            on_relation: [0, 0, 0, 0, 1, 2][self.dice.below(6)],
            with: if self.once_in(4) { with } else { 0 },
        };
        let desc = dz_relation_desc {
            size: size_of::<dz_relation_desc>() as u32,
            exclusive: traits.exclusive.into(),
            symmetric: traits.symmetric.into(),
            acyclic: traits.acyclic.into(),
            transitive: traits.transitive.into(),
            reflexive: traits.reflexive.into(),
            on_target: traits.on_target,
            on_relation: traits.on_relation,
            with: traits.with,
        };
        self.record.note(self.step, &format!("{traits:x?}"));
        let Some((came, _)) = act!(self, dz_relation_set(relation, &raw const desc)) else { return };
        let expected = self.kin.graph.set_traits(relation, &traits);
        self.expect(came, expected);
    }

    /// Pairs, who has them, their values, and what is promised.
    pub fn check_links(&self, entity: u64) {
        let (world, graph) = (self.world, &self.kin.graph);
        let mut desc = MaybeUninit::uninit();
        assert_eq!(call!(dz_relation_info(world, entity, desc.as_mut_ptr())), OK);
        let desc: dz_relation_desc = unsafe { desc.assume_init() };
        let traits = graph.traits(entity);
        let flags = [desc.exclusive, desc.symmetric, desc.acyclic, desc.transitive, desc.reflexive];
        let expected =
            [traits.exclusive, traits.symmetric, traits.acyclic, traits.transitive, traits.reflexive];
        assert_eq!(flags, expected.map(u32::from), "traits of {entity:x}");
        let ends = (desc.on_target, desc.on_relation, desc.with);
        assert_eq!(ends, (traits.on_target, traits.on_relation, traits.with), "traits of {entity:x}");
        for link in &graph.links[&entity] {
            if !is_pair(link.by) {
                assert!(quietly(|| call!(dz_has(world, entity, link.by | link.target))));
                continue;
            }
            assert!(quietly(|| call!(dz_has_pair(world, entity, link.by, link.target))));
            let targets: Vec<u64> =
                listed(|out, room, count| call!(dz_pair_targets(world, entity, link.by, out, room, count)));
            let mut expected = graph.targets(entity, link.by);
            expected.reverse();
            assert_eq!(targets, expected, "the latest is the first");
            if let Some(value) = &link.value {
                let at = quietly(|| call!(dz_get_pair(world, entity, link.by, link.target)));
                assert_eq!(&graph.kind(link.by, link.target).unwrap().read(at), value);
            }
        }
    }

    /// Who has each pair that was ever made, and still can be.
    pub fn check_holders(&self) {
        let (world, graph) = (self.world, &self.kin.graph);
        for (relation, target) in &graph.made {
            let id = call!(dz_pair(world, *relation, *target));
            let mut parts = dz_pair_parts { relation: 0, target: 0 };
            assert_eq!(call!(dz_pair_halves(world, id, &mut parts)), OK);
            assert_eq!((parts.relation, parts.target), (*relation, *target));
            let mut holders: Vec<u64> =
                listed(|out, room, count| call!(dz_pair_holders(world, id, out, room, count)));
            holders.sort_unstable();
            assert_eq!(holders, graph.holders(*relation, *target), "of ({relation:x}, {target:x})");
            for (entity, is) in self.living().iter().take(6).map(|e| (*e, graph.has(*e, *relation, *target)))
            {
                assert_eq!(quietly(|| call!(dz_has(world, entity, id))), is, "{entity:x} has {id:x}");
            }
        }
    }
}
