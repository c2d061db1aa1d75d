//! Terms beyond the components of the entity itself: pairs, and what is read from elsewhere.
//!
//! ```text
//!   (DockedAt, $port), Cargo, Berth($port), (In, Sol)($port)
//!
//!   who has (DockedAt, something), for each such pair     $port is that something
//!   and Cargo                                             a component of its own: a term of the join
//!   where $port has Berth, and (In, Sol)
//! ```

use super::{Access, Spec};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout, role, role_of, without_role};
use crate::core::registry::Registry;
use crate::core::storage::join::Ask;
use crate::core::storage::links::Links;
use crate::core::storage::pools::Pools;
use crate::core::storage::relations::Relations;

/// The most variables of a query.
pub const VARIABLES: usize = 8;

/// The most terms that yield once for each pair.
pub const YIELDS: usize = 4;

/// Whose component, or pair, a term asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The entity's own.
    This,
    /// Its parent's.
    Parent,
    /// That of the nearest above it who has it.
    Up,
    /// Its own, or the nearest base's who has it.
    Inherit,
    /// That of one entity.
    Of(Handle),
    /// The world-wide value.
    World,
    /// That of the entity which a variable stands for.
    Variable(u8),
}

/// The target of the pair that a term asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// It asks for no pair.
    None,
    /// One entity.
    Of(Handle),
    /// Any: the query yields once for each.
    Any,
    /// The same, or the one that the variable stands for by an earlier term.
    Variable(u8),
}

/// What such a term asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A component, by its pool's number.
    Pool(u32),
    /// A pair of a relation (0: any) and a target.
    Pair(Handle, Target),
    /// An entity, perhaps with a role, that is no component.
    Id(Handle),
    /// To be a child of an entity.
    ChildOf(Handle),
}

impl What {
    /// Whether any pair of a relation or a target will do.
    #[must_use]
    pub const fn is_of_any(self) -> bool {
        matches!(self, Self::Pair(0, _) | Self::Pair(_, Target::Any))
    }
}

/// A term beyond the components of the entity itself.
#[derive(Clone, Copy, Debug)]
pub struct LinkTerm {
    /// Its place among the query's terms.
    pub number: u8,
    /// With, without or optional.
    pub ask: Ask,
    /// What.
    pub what: What,
    /// Whose.
    pub source: Whose,
    /// Elements are handed out.
    pub field: bool,
    /// It yields once for each pair.
    pub yields: bool,
}

/// What link terms refer to.
pub struct Known<'a, L: Layout> {
    /// Components.
    pub pools: &'a Pools<L>,
    /// Pairs.
    pub links: &'a Links<L>,
    /// Relations.
    pub relations: &'a Relations,
    /// Entities.
    pub registry: &'a Registry<L>,
}

impl<L: Layout> Known<'_, L> {
    /// Whether an id is of a living entity that is no component.
    pub fn is_plain(&self, id: Handle) -> bool {
        self.registry.is_alive(id) && self.pools.by_id(id).is_none()
    }
}

impl Spec {
    /// Whether it asks for a component of the entity itself.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.target == Target::None && self.source == Whose::This && role_of(self.id) == 0
    }

    /// Ok if all entities that it names live.
    fn check_entities<L: Layout>(&self, known: &Known<L>) -> Result<(), Error> {
        let check = |id: Handle| {
            let named = |error| Error { subject: id, ..error };
            known.registry.check_as("id", without_role(id)).map_err(named)
        };
        if self.id != 0 && role_of(self.id) != role::PAIR {
            check(self.id)?;
        }
        if let Target::Of(target) = self.target {
            known.registry.check_as("target", target)?;
        }
        if let Whose::Of(source) = self.source { known.registry.check_as("source", source) } else { Ok(()) }
    }

    fn what<L: Layout>(&self, known: &Known<L>) -> Result<What, Error> {
        let pair = |relation, target| Ok(What::Pair(relation, target));
        match (role_of(self.id), self.target) {
            (0, Target::None) => match known.pools.by_id(self.id) {
                Some(pool) => Ok(What::Pool(pool.number)),
                None => Ok(What::Id(self.id)),
            },
            (0, target) => pair(self.id, target),
            (role::PAIR, Target::None) => {
                let missing = Error::new(Kind::NoPair).about(self.id);
                let found = known.links.pair(known.links.find(self.id).ok_or(missing)?);
                pair(known.relations.get(found.relation).id, Target::Of(found.target))
            }
            (role::CHILDOF, Target::None) => Ok(What::ChildOf(without_role(self.id))),
            (role::INSTANCEOF | role::USER.., Target::None) => Ok(What::Id(self.id)),
            _ => Err(Error::new(Kind::Role).about(self.id).named("id")),
        }
    }

    /// The link term that it is, at its place among the terms; `bound` are the variables of earlier terms.
    pub fn link<L: Layout>(
        &self,
        number: u8,
        bound: &mut u32,
        known: &Known<L>,
    ) -> Result<(LinkTerm, u32), Error> {
        if matches!(self.ask, Ask::AnyOf(_)) {
            return Err(Error::unfit("an any-of term (||) can't be of a pair, nor of another's component"));
        }
        let what = self.what(known)?;
        self.check_entities(known)?;
        if let Whose::Variable(variable) = self.source
            && *bound >> variable & 1 == 0
        {
            return Err(Error::unfit("the source is a variable that no earlier term binds"));
        }
        let (mut yields, with) = (false, self.ask == Ask::With);
        match what {
            What::Pair(_, Target::Variable(variable)) if *bound >> variable & 1 == 0 => {
                if !with {
                    let what =
                        "the target is a variable that no earlier term binds, and only a with-term binds one";
                    return Err(Error::unfit(what));
                }
                *bound |= 1 << variable;
                yields = true;
            }
            What::Pair(0, _) | What::Pair(_, Target::Any) => yields = with,
            _ => {}
        }
        if matches!(self.source, Whose::World | Whose::Inherit) && !matches!(what, What::Pool(_)) {
            return Err(Error::unfit(
                "only a component can have inherit or world (DZ_INHERIT, DZ_WORLD_VALUE) as its source",
            ));
        }
        let values = match what {
            What::Pool(pool) => known.pools.get(pool),
            // Each relation may have values of another type.
            What::Pair(0, _) => None,
            What::Pair(relation, target) => {
                let with_data = |id| known.pools.by_id(id).filter(|pool| pool.shape.size > 0);
                let of_target = if let Target::Of(target) = target { with_data(target) } else { None };
                with_data(relation).or(of_target)
            }
            _ => None,
        };
        let size = values.map_or(0, |pool| pool.shape.size);
        let wanted = self.ask != Ask::Without && self.access != Access::None;
        if wanted && values.is_some_and(|pool| pool.is_builtin()) && self.access != Access::In {
            return Err(Error::new(Kind::Builtin).about(self.id));
        }
        let field = wanted && values.is_some();
        let term = LinkTerm { number, ask: self.ask, what, source: self.source, field, yields };
        Ok((term, if field { size } else { 0 }))
    }
}
