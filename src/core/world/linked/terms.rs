//! What terms beyond the components of the entity itself ask of a candidate.

use super::{Match, Sink};
use crate::core::error::Error;
use crate::core::ids::Layout;
use crate::core::query::Query;
use crate::core::query::linked::{LinkTerm, Target, What, Whose};
use crate::core::storage::join::Ask;
use crate::core::storage::links::NONE;
use crate::core::storage::pool::Pool;
use crate::core::storage::slice::checked;
use crate::core::storage::tree;
use crate::core::world::World;
use core::ptr::null_mut;

/// So many are remembered of whom the nearest is known.
const LATEST: usize = 32;

/// Some of whom the nearest is known who has a component, with that one.
pub(super) type Latest = [[u32; 2]; LATEST];

/// Of nobody, it is nobody.
pub(super) const NEAREST: Latest = [[NONE; 2]; LATEST];

impl<L: Layout> World<L> {
    /// Finds all combinations of pairs by which a candidate matches the terms; false: the sink takes no more. `lead`:
    /// of one term only that link is meant.
    pub(super) fn solve(
        &self,
        terms: &[LinkTerm],
        index: u32,
        lead: (u32, u32),
        found: &mut Match,
        sink: &mut dyn Sink,
    ) -> Result<bool, Error> {
        for (place, term) in (0..).zip(terms) {
            let given = if lead.0 == place { lead.1 } else { NONE };
            let number = term.number as usize;
            found.elements[number] = null_mut();
            found.targets[number] = NONE;
            let source = self.source_of(term, index, found)?;
            if given != NONE && !term.yields {
                self.take_pair(term, given, self.target_of(given), found);
                continue;
            }
            if let Some(source) = source.filter(|_| term.yields) {
                let rest = (checked(terms, place as usize + 1..), (lead.0.wrapping_sub(place + 1), lead.1));
                let mut link = if given == NONE { self.links.held(source).next() } else { Some(given) };
                while let Some(at) = link {
                    link = if given == NONE { self.links.next_held(at) } else { None };
                    if let Some(target) = self.matches_pair(at, term.what) {
                        self.take_pair(term, at, target, found);
                        if !self.solve(rest.0, index, rest.1, found, sink)? {
                            return Ok(false);
                        }
                    }
                }
                return Ok(true);
            }
            let there = match source {
                None if term.source == Whose::World => self.world_value(term, found),
                None => false,
                Some(source) => self.holds(term, source, found)?,
            };
            if !term.ask.allows(there) {
                return Ok(true);
            }
        }
        Ok(sink.take(index, found))
    }

    /// Whose component or pair a term asks for.
    #[inline(always)]
    fn source_of(&self, term: &LinkTerm, index: u32, found: &mut Match) -> Result<Option<u32>, Error> {
        Ok(match term.source {
            Whose::This => Some(index),
            Whose::Parent => Some(self.tree.node(index).parent).filter(|parent| *parent != tree::NONE),
            Whose::Up => self.nearest_above(index, term, found)?,
            Whose::Inherit => self.nearest_base(index, term.what),
            Whose::Of(entity) => self.registry.is_alive(entity).then(|| L::index(entity)),
            Whose::World => None,
            Whose::Variable(variable) => Some(found.variables[variable as usize]),
        })
    }

    /// The target of a link, if it is of such a pair.
    pub(super) fn matches_pair(&self, link: u32, what: What) -> Option<u32> {
        let What::Pair(relation, target) = what else { return None };
        let pair = self.links.pair(self.links.of(link).0);
        let known = self.relations.get(pair.relation).id;
        let same = if relation == 0 { known != 0 } else { known == relation };
        let aimed = match target {
            Target::Of(target) => pair.target == target,
            _ => true,
        };
        (same && aimed).then(|| L::index(pair.target))
    }

    /// The first of an entity's links that is of such a pair.
    pub(super) fn first_pair(&self, index: u32, what: What) -> Option<u32> {
        self.links.held(index).find(|link| self.matches_pair(*link, what).is_some())
    }

    /// The index of whom the pair of a link aims at.
    pub(super) fn target_of(&self, link: u32) -> u32 {
        L::index(self.links.pair(self.links.of(link).0).target)
    }

    pub(super) fn take_pair(&self, term: &LinkTerm, link: u32, target: u32, found: &mut Match) {
        let number = term.number as usize;
        if term.field {
            found.elements[number] = self.links.value(link).unwrap_or(null_mut());
        }
        found.targets[number] = target;
        if let What::Pair(_, Target::Variable(variable)) = term.what {
            found.variables[variable as usize] = target;
        }
    }

    /// The nearest above an entity who has what a term asks for.
    fn nearest_above(&self, index: u32, term: &LinkTerm, found: &mut Match) -> Result<Option<u32>, Error> {
        let mut above = self.tree.node(index).parent;
        while above != tree::NONE {
            let has = if term.yields {
                self.first_pair(above, term.what).is_some()
            } else {
                self.holds(term, above, found)?
            };
            if has {
                return Ok(Some(above));
            }
            above = self.tree.node(above).parent;
        }
        Ok(None)
    }

    /// The nearest who has a component, from one on: up the hierarchy, or from base to base. `NONE`: there is none.
    #[inline(never)]
    pub(super) fn nearest(&self, mut index: u32, pool: &Pool<L>, up: bool) -> u32 {
        while index != NONE && pool.enabled(index).is_none() {
            index = if up { self.tree.node(index).parent } else { self.links.base(index) };
        }
        index
    }

    /// The same, asked for one after the other: neighbours often have the same base or parent.
    #[inline(always)]
    pub(super) fn nearest_by(&self, from: u32, pool: &Pool<L>, up: bool, latest: &mut Latest) -> u32 {
        let latest = &mut latest[from as usize % LATEST];
        if from != latest[0] {
            *latest = [from, self.nearest(from, pool, up)];
        }
        latest[1]
    }

    /// The entity itself, or the nearest base, who has a component.
    fn nearest_base(&self, index: u32, what: What) -> Option<u32> {
        let What::Pool(number) = what else { return Some(index) };
        let pool = self.pools.get(number)?;
        let nearest = self.nearest(index, pool, false);
        (nearest != NONE).then_some(nearest)
    }

    /// Who of 64 neighbours, none of whom queries pass over, may have what terms ask for that look at bases too: so that most of
    /// those who have no base are passed over 64 at a time.
    #[inline(never)]
    pub(super) fn who_may_inherit(&self, query: &Query<L>, first: u32, mut matches: u64) -> u64 {
        for term in query.links().iter().filter(|term| term.source == Whose::Inherit) {
            let What::Pool(number) = term.what else { continue };
            let Some(pool) = self.pools.get(number) else { continue };
            let own = pool.sparse().page(first).members(first);
            matches &= match term.ask {
                Ask::With => own | self.heirs.around(first),
                Ask::Without => !own,
                _ => u64::MAX,
            };
        }
        matches
    }

    pub(super) fn world_value(&self, term: &LinkTerm, found: &mut Match) -> bool {
        let What::Pool(number) = term.what else { return false };
        let value = self.pools.get(number).and_then(|pool| pool.singleton());
        if term.field {
            found.elements[term.number as usize] = value.map_or(null_mut(), core::ptr::NonNull::as_ptr);
        }
        value.is_some()
    }

    /// Whether an entity has what a term asks for, which yields once at most; where its element is.
    #[inline(always)]
    pub(super) fn holds(&self, term: &LinkTerm, source: u32, found: &mut Match) -> Result<bool, Error> {
        let number = term.number as usize;
        if let What::Pool(pool) = term.what {
            let Some(pool) = self.pools.get(pool) else { return Ok(false) };
            let position = pool.enabled(source);
            if let Some(position) = position.filter(|_| term.field) {
                found.elements[number] = pool.element(position);
            }
            return Ok(position.is_some());
        }
        self.holds_other(term, source, found)
    }

    /// The same of what is no component.
    pub(super) fn holds_other(&self, term: &LinkTerm, source: u32, found: &mut Match) -> Result<bool, Error> {
        let fixed = |target: u32| self.registry.at(target).map_or(Target::None, Target::Of);
        let what = match term.what {
            What::Pair(relation, Target::Variable(variable)) => {
                What::Pair(relation, fixed(found.variables[variable as usize]))
            }
            what => what,
        };
        match what {
            What::Pool(_) => Ok(false),
            What::ChildOf(parent) => {
                let there = self.parent_of(source) == parent && parent != 0;
                if there {
                    found.targets[term.number as usize] = L::index(parent);
                }
                Ok(there)
            }
            What::Pair(0, _) | What::Pair(_, Target::Any) => {
                let pair = self.first_pair(source, what);
                pair.into_iter().for_each(|link| self.take_pair(term, link, self.target_of(link), found));
                Ok(pair.is_some())
            }
            What::Id(_) | What::Pair(..) => {
                let record = self.record_for(what);
                if let Some(link) = record.and_then(|record| self.links.link(record, source)) {
                    self.take_pair(term, link, self.target_of(link), found);
                    return Ok(true);
                }
                let What::Pair(relation, Target::Of(target)) = what else { return Ok(false) };
                match self.registry.at(source) {
                    // The slots of the dead may be another relation's, and another target's.
                    Some(entity) if self.number_of(relation).is_some() && self.registry.is_alive(target) => {
                        let promised = self.is_promised(entity, relation, target)?;
                        if promised {
                            found.targets[term.number as usize] = L::index(target);
                        }
                        Ok(promised)
                    }
                    _ => Ok(false),
                }
            }
        }
    }
}
