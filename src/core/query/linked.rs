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
use crate::core::ids::{Handle, role, role_of, without_role};
use crate::core::storage::join::Ask;

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

/// What a term must know of a component.
#[derive(Clone, Copy)]
pub struct Component {
    /// Its pool's number.
    pub number: u32,
    /// Bytes of an element.
    pub size: u32,
    /// Nobody may write to it.
    pub builtin: bool,
}

/// What terms refer to, whatever the layout: reading them is compiled once.
pub trait Known {
    /// Ok if an entity lives; the error calls it by that noun.
    fn check(&self, noun: &'static str, entity: Handle) -> Result<(), Error>;
    /// A component by its id.
    fn component(&self, id: Handle) -> Option<Component>;
    /// The relation and the target of a pair by its id.
    fn halves(&self, pair: Handle) -> Option<(Handle, Handle)>;
}

impl Spec {
    /// Whether it asks for a component of the entity itself.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.target == Target::None && self.source == Whose::This && role_of(self.id) == 0
    }

    /// Ok if all entities that it names live.
    fn check_entities(&self, known: &dyn Known) -> Result<(), Error> {
        if self.id != 0 && role_of(self.id) != role::PAIR {
            let named = |error| Error { subject: self.id, ..error };
            known.check("id", without_role(self.id)).map_err(named)?;
        }
        if let Target::Of(target) = self.target {
            known.check("target", target)?;
        }
        if let Whose::Of(source) = self.source { known.check("source", source) } else { Ok(()) }
    }

    fn what(&self, known: &dyn Known) -> Result<What, Error> {
        match (role_of(self.id), self.target) {
            (0, Target::None) => match known.component(self.id) {
                Some(component) => Ok(What::Pool(component.number)),
                None => Ok(What::Id(self.id)),
            },
            (0, target) => Ok(What::Pair(self.id, target)),
            (role::PAIR, Target::None) => match known.halves(self.id) {
                Some((relation, target)) => Ok(What::Pair(relation, Target::Of(target))),
                None => Err(Error::new(Kind::NoPair).about(self.id)),
            },
            (role::CHILDOF, Target::None) => Ok(What::ChildOf(without_role(self.id))),
            (role::INSTANCEOF | role::USER.., Target::None) => Ok(What::Id(self.id)),
            _ => Err(Error::new(Kind::Role).about(self.id).named("id")),
        }
    }

    /// The link term that it is, at its place among the terms; `bound` are the variables of earlier terms.
    pub fn link(&self, number: u8, bound: &mut u32, known: &dyn Known) -> Result<(LinkTerm, u32), Error> {
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
            What::Pool(_) => known.component(self.id),
            // Each relation may have values of another type.
            What::Pair(0, _) => None,
            What::Pair(relation, target) => {
                let with_data = |id| known.component(id).filter(|component| component.size > 0);
                let of_target = if let Target::Of(target) = target { with_data(target) } else { None };
                with_data(relation).or(of_target)
            }
            _ => None,
        };
        let size = values.map_or(0, |component| component.size);
        let wanted = self.ask != Ask::Without && self.access != Access::None;
        if wanted && values.is_some_and(|component| component.builtin) && self.access != Access::In {
            return Err(Error::new(Kind::Builtin).about(self.id));
        }
        let field = wanted && values.is_some();
        let term = LinkTerm { number, ask: self.ask, what, source: self.source, field, yields };
        Ok((term, if field { size } else { 0 }))
    }
}
