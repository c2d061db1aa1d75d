//! Queries: terms that were checked, and the join that finds who matches.

mod cursor;
mod kept;
pub mod linked;
mod matches;
pub mod text;

use super::error::{Entries, Error, Kind};
use super::ids::{Handle, Layout};
use super::storage::buffer::Buffer;
use super::storage::join::{Ask, Join, Level, TERMS, Term, Terms};
use super::storage::memory::Memory;
use super::storage::pool::Pool;
use super::storage::slice::{Array, checked};
use core::ptr::NonNull;
pub use cursor::{Lead, LinkCursor, NO_COLUMN, NO_ROWS};
pub use kept::Kept;
use linked::{Component, Known, LinkTerm, Target, What, Whose, YIELDS};
pub use matches::{Batch, Matches, Watch};

/// What a loop does with a term's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads and writes.
    InOut,
    /// Reads.
    In,
    /// Writes.
    Out,
    /// Neither: the term only says who matches.
    None,
}

/// A term as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The component; of a pair the relation, or 0: any. Or another id that can be added to entities.
    pub id: Handle,
    /// Of a pair.
    pub target: Target,
    /// Whose component or pair.
    pub source: Whose,
    /// What is asked.
    pub ask: Ask,
    /// What the loop does with it.
    pub access: Access,
}

impl Spec {
    /// Fills arrays.
    pub const NONE: Self = Self::own(0, Ask::With, Access::None);

    /// Of a component of the entity itself.
    #[must_use]
    pub const fn own(id: Handle, ask: Ask, access: Access) -> Self {
        Self { id, target: Target::None, source: Whose::This, ask, access }
    }

    /// As the query has it, with so many bytes from one element to the next: what may be a base's is only read, and so is what has
    /// no data; who is excluded has nothing.
    fn settled(&self, stride: u32) -> Self {
        let access = match self.access {
            _ if self.ask == Ask::Without => Access::None,
            Access::InOut | Access::Out if stride == 0 || self.source == Whose::Inherit => Access::In,
            asked => asked,
        };
        Self { access, ..*self }
    }
}

/// How a query is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// It remembers its matches: the priority that decides where two want different orders.
    pub kept: Option<i32>,
    /// The component whose pool's order it follows.
    pub order: Option<Handle>,
    /// It visits parents before their children.
    pub cascade: bool,
    /// It finds entities that are there to make instances of, and only them.
    pub bases: bool,
}

/// A query.
pub struct Query<L: Layout> {
    specs: Buffer<Spec>,
    /// Bytes from one element of each term to the next; 0: no data is handed out.
    strides: Array<u32, TERMS>,
    join: Join<L>,
    /// What it remembers, if it is kept.
    pub kept: Option<Kept>,
    /// The component whose pool's order it follows.
    pub order: Option<Handle>,
    /// It visits parents before their children.
    pub cascade: bool,
    /// It finds entities that are there to make instances of, and only them.
    pub bases: bool,
    /// Its terms beyond the components of the entity itself.
    links: Buffer<LinkTerm>,
    /// A component of its terms that was unregistered: it can't be used any more.
    lost: Option<Handle>,
}

impl<L: Layout> Query<L> {
    /// A query of these terms, which refer to what is `known`; `pool_of` finds their pools. Its number is none that another has,
    /// and higher than those of all that were made before.
    pub fn new(
        memory: &mut Memory,
        specs: &[Spec],
        known: &dyn Known,
        pool_of: impl Fn(Handle) -> Option<NonNull<Pool<L>>>,
        (options, number): (&Options, u64),
        level: Level,
    ) -> Result<Self, Error> {
        let mut read =
            Read { strides: Array([0; TERMS]), own: Array([None; TERMS]), links: Links::default() };
        if let Err(error) = read.take(memory, specs, known, options) {
            read.links.terms.free(memory);
            return Err(error);
        }
        let Read { strides, own, links } = read;
        let mut terms = Terms::none();
        for (number, spec) in (0_u8..).zip(specs) {
            if let Some(wanted) = own[number as usize]
                && let Some(pool) = pool_of(spec.id)
            {
                terms.add(Term { pool, ask: spec.ask, field: wanted.then_some(number) });
            }
        }
        let mut query = Self {
            specs: Buffer::new(),
            strides,
            join: Join::new(level),
            kept: options.kept.map(|priority| Kept::new(priority, number)),
            order: options.order,
            cascade: options.cascade,
            bases: options.bases,
            links: links.terms,
            lost: None,
        };
        let taken =
            (query.join.take(memory, &terms)).and_then(|()| query.specs.reserve_exact(memory, specs.len()));
        if let Err(error) = taken {
            query.free(memory);
            return Err(error);
        }
        query
            .specs
            .extend_reserved(specs.iter().zip(strides.iter()).map(|(spec, stride)| spec.settled(*stride)));
        Ok(query)
    }

    /// Its terms.
    #[must_use]
    pub fn specs(&self) -> &[Spec] {
        &self.specs
    }

    /// The components whose pools a loop reads, the entity's own or another's: their elements, or their order.
    pub fn read(&self) -> impl Iterator<Item = Handle> + '_ {
        let reads = |spec: &&Spec| spec.ask != Ask::Without && spec.access != Access::None;
        let single = self.specs.iter().filter(|spec| spec.target == Target::None);
        let read = single.filter(move |spec| reads(spec) || Some(spec.id) == self.order);
        read.map(|spec| spec.id)
    }

    /// Writes the bytes from one element of each term to the next; 0: no data is handed out. No more than there are terms:
    /// a copy of all places is a slow instruction.
    #[inline(always)]
    pub fn put_strides(&self, out: &mut [u32; TERMS]) {
        for (place, stride) in out.iter_mut().zip(self.strides.iter()).take(self.specs.len()) {
            *place = *stride;
        }
    }

    /// Its terms beyond the components of the entity itself.
    #[must_use]
    pub fn links(&self) -> &[LinkTerm] {
        &self.links
    }

    /// Whether who matches must have a component of some sort, be it a base's.
    #[must_use]
    pub fn asks_for_some(&self) -> bool {
        let asks = |term: &LinkTerm| {
            term.ask == Ask::With && term.source == Whose::Inherit && matches!(term.what, What::Pool(_))
        };
        self.join.asks_for_some() || self.links.iter().any(asks)
    }

    /// Whether it is walked entity by entity: it has such terms, or follows the hierarchy.
    #[inline(always)]
    #[must_use]
    pub fn is_linked(&self) -> bool {
        self.cascade || self.bases || !self.links.is_empty()
    }

    /// Whether its matches may be runs: it goes neither from entity to entity nor along a pool's order.
    #[must_use]
    pub fn has_runs(&self) -> bool {
        self.order.is_none() && !self.is_linked()
    }

    /// Its join, unless a component of it is gone.
    #[inline]
    pub fn join(&self) -> Result<&Join<L>, Error> {
        match self.lost {
            None => Ok(&self.join),
            Some(id) => Err(Error::new(Kind::QueryLost).about(id)),
        }
    }

    /// Its join and what it remembers.
    pub fn parts(&mut self) -> (&Join<L>, Option<&mut Kept>) {
        (&self.join, self.kept.as_mut())
    }

    /// Ends its use if it refers to a pool that goes: by a component, or by a relation, also where a pair's id stands for both its
    /// halves.
    pub fn forget(&mut self, memory: &mut Memory, pool: &Pool<L>) {
        let is_relation =
            |term: &LinkTerm| matches!(term.what, What::Pair(relation, _) if relation == pool.id);
        let refers = self.specs.iter().any(|spec| spec.id == pool.id) || self.links.iter().any(is_relation);
        if self.lost.is_none() && refers {
            self.lost = Some(pool.id);
            self.join.free(memory);
            if let Some(kept) = &mut self.kept {
                kept.free(memory);
            }
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let kept = self.kept.as_ref().map_or(0, Kept::bytes);
        size_of::<Self>() + self.links.bytes() + self.specs.bytes() + self.join.bytes() + kept
    }

    /// Gives back its memory.
    pub fn free(mut self, memory: &mut Memory) {
        self.specs.free(memory);
        self.links.free(memory);
        self.join.free(memory);
        if let Some(kept) = &mut self.kept {
            kept.free(memory);
        }
    }
}

/// Terms as they were read: nothing of it depends on the layout.
struct Read {
    /// As in `Query`.
    strides: Array<u32, TERMS>,
    /// Of those that ask for components of the entity itself, whether their elements are handed out.
    own: Array<Option<bool>, TERMS>,
    links: Links,
}

impl Read {
    #[inline(never)]
    fn take(
        &mut self,
        memory: &mut Memory,
        specs: &[Spec],
        known: &dyn Known,
        options: &Options,
    ) -> Result<(), Error> {
        check(specs)?;
        for (number, spec) in (0_u8..).zip(specs) {
            self.add(memory, spec, number, known).map_err(|error| error.at(Entries::TERMS, number.into()))?;
        }
        let linked = !self.links.terms.is_empty() || options.cascade || options.bases;
        if let Some(id) = options.order
            && linked
        {
            let none =
                "is given as order, but a query with pairs, others' components, cascade or bases has none";
            return Err(Error::unfit(none).about(id));
        }
        if let Some(id) = options.order
            && !specs.iter().any(|spec| spec.id == id && spec.ask == Ask::With)
        {
            return Err(Error::new(Kind::Order).about(id));
        }
        Ok(())
    }

    fn add(&mut self, memory: &mut Memory, spec: &Spec, number: u8, known: &dyn Known) -> Result<(), Error> {
        let at = number as usize;
        let component = if spec.is_own() { known.component(spec.id) } else { None };
        let Some(Component { size, builtin, .. }) = component else {
            if spec.is_own() {
                known.check("id", spec.id)?;
            }
            self.strides[at] = self.links.add(memory, spec, number, known)?;
            return Ok(());
        };
        // Of a tag, only whether it is there is of interest.
        let of_interest = size > 0 || spec.ask != Ask::With;
        let wanted = of_interest && spec.ask != Ask::Without && spec.access != Access::None;
        if builtin && matches!(spec.access, Access::InOut | Access::Out) && wanted {
            return Err(Error::new(Kind::Builtin).about(spec.id));
        }
        self.strides[at] = if wanted { size } else { 0 };
        self.own[at] = Some(wanted);
        Ok(())
    }
}

/// The link terms of a query that is being made.
#[derive(Default)]
struct Links {
    terms: Buffer<LinkTerm>,
    bound: u32,
    yields: usize,
}

impl Links {
    /// Adds a term; returns the bytes of its elements.
    fn add(&mut self, memory: &mut Memory, spec: &Spec, number: u8, known: &dyn Known) -> Result<u32, Error> {
        let (term, size) = spec.link(number, &mut self.bound, known)?;
        self.yields += usize::from(term.yields);
        if self.yields > YIELDS {
            let many = "the number of terms that any pair matches";
            return Err(Error::count(many, self.yields as u64, YIELDS as u64));
        }
        self.terms.push(memory, term)?;
        Ok(size)
    }
}

/// Ok if terms can be a query: not too many, no component twice, and somebody is asked for.
fn check(specs: &[Spec]) -> Result<(), Error> {
    if specs.len() > TERMS {
        return Err(Error::count("term_count", specs.len() as u64, TERMS as u64));
    }
    for (number, spec) in (0_u8..).zip(specs) {
        let same = |other: &Spec| Spec { ask: spec.ask, access: spec.access, ..*other } == *spec;
        if checked(specs, ..number as usize).iter().any(same) {
            let plain = spec.target == Target::None && spec.source == Whose::This;
            let what = if plain { "the query" } else { "the query, with the same target and source" };
            return Err(Error::new(Kind::Duplicate)
                .about(spec.id)
                .named(what)
                .at(Entries::TERMS, number.into()));
        }
        if spec.source == Whose::Inherit && spec.access == Access::Out {
            let not = "a term with (inherit) only reads: it can't be [out]";
            return Err(Error::unfit(not).at(Entries::TERMS, number.into()));
        }
    }
    let asks = |spec: &Spec| {
        let own = matches!(spec.source, Whose::This | Whose::Inherit);
        matches!(spec.ask, Ask::With | Ask::AnyOf(_)) && own
    };
    if specs.iter().any(asks) { Ok(()) } else { Err(Error::new(Kind::NoTerm)) }
}
