//! The stand-in's joins: led by the smallest pool from its end, each other pool asked through its
//! sparse array. Pools are looked up by their types for each query, as a throw-away view does it.

use super::StandIn;
use super::group::Group;
use super::pool::{Handle, SparseSet};
use super::{Kind, sort};
use crate::contender::Contender;
use crate::parts::{P, Scalar, V};
use crate::querier::{self, Part, Plan, Querier, Query};
use crate::queries::by_terms;

/// The hash of a tag, a type without data.
const fn tag_hash(part: Part) -> u32 {
    (part.0 as u32).wrapping_mul(0x2545_F491)
}

pub struct StandInQueries<H: Handle> {
    world: StandIn<H>,
    plan: Plan,
    group: Option<Group>,
}

/// Worlds of up to a million entities.
pub type Narrow = StandInQueries<u32>;
/// Larger ones.
pub type Wide = StandInQueries<u64>;

/// What the narrow handles have indices for.
pub const NARROW_ENTITIES: usize = 1 << 20;

impl<H: Handle> StandInQueries<H> {
    #[inline(always)]
    fn set_scalar<const K: usize>(&mut self, entity: H, i: usize) {
        self.world.set(entity, Scalar::<K> { value: querier::scalar(K, i) });
    }
}

impl<H: Handle> Querier for StandInQueries<H> {
    type Entity = H;

    fn new(plan: Plan) -> Option<Self> {
        let mut world = StandIn::<H>::empty();
        world.register::<P>(P::HASH);
        world.register::<V>(V::HASH);
        world.register::<Scalar<2>>(Scalar::<2>::HASH);
        world.register::<Scalar<3>>(Scalar::<3>::HASH);
        world.register::<Scalar<4>>(Scalar::<4>::HASH);
        world.register::<Scalar<5>>(Scalar::<5>::HASH);
        world.register::<Scalar<6>>(Scalar::<6>::HASH);
        world.register::<Scalar<7>>(Scalar::<7>::HASH);
        for part in Part::COMPONENTS..Part::COUNT {
            world.register::<()>(tag_hash(Part(part)));
        }
        let group = plan.best.then(|| Group::form(&mut world));
        Some(Self { world, plan, group })
    }

    fn create(&mut self) -> H {
        self.world.create()
    }

    fn destroy(&mut self, entity: H) {
        if let Some(group) = &mut self.group {
            group.leave(&mut self.world, entity);
        }
        self.world.destroy(entity);
    }

    #[inline(always)]
    fn put(&mut self, entity: H, part: Part, i: usize) {
        let world = &mut self.world;
        match part.0 {
            0 => world.set(entity, querier::p(i)),
            1 => world.set(entity, querier::v(i)),
            2 => self.set_scalar::<2>(entity, i),
            3 => self.set_scalar::<3>(entity, i),
            4 => self.set_scalar::<4>(entity, i),
            5 => self.set_scalar::<5>(entity, i),
            6 => self.set_scalar::<6>(entity, i),
            7 => self.set_scalar::<7>(entity, i),
            // SAFETY: pools are numbered like parts, and those of tags have no data.
            tag => unsafe { world.set_at(tag, entity, ()) },
        }
        if let Some(group) = &mut self.group
            && part.0 < 2
        {
            group.join(&mut self.world, entity);
        }
    }

    #[inline(always)]
    fn remove_v(&mut self, entity: H) {
        if let Some(group) = &mut self.group {
            group.leave(&mut self.world, entity);
        }
        self.world.remove::<V>(entity);
    }

    fn p(&self, entity: H) -> Option<P> {
        let (set, column) = self.world.pool::<P>();
        // SAFETY: positions that a set finds were put into its column.
        set.find(entity).map(|position| unsafe { *column.at(position) })
    }

    fn form_group(&mut self) -> bool {
        self.group = Some(Group::form(&mut self.world));
        true
    }

    fn sort(&mut self) -> bool {
        sort::by_x(&mut self.world);
        true
    }

    fn sort_like(&mut self) -> bool {
        sort::like_p(&mut self.world);
        true
    }

    fn pool(&self, part: Part) -> Vec<H> {
        self.world.members[part.0].set.packed().iter().rev().copied().collect()
    }

    // SAFETY of all that is unchecked below: positions that a set has or finds were put into its
    // column, no column is another's, and P is the only one that is written.
    #[inline(always)]
    fn run(&mut self) {
        if let Some(group) = &self.group {
            return group.advance(&mut self.world);
        }
        let world = &mut self.world;
        let (p, column) = world.pool::<P>();
        macro_rules! joined {
            ($($c:ident: $k:literal),*; $($not:literal),*) => {{
                let v = world.pool::<V>();
                $(let $c = world.pool::<Scalar<$k>>();)*
                let excluded = [$(world.pool::<Scalar<$not>>().0),*];
                let others = |entity| {
                    let position = v.0.find(entity)?;
                    $(let $c = ($c.0.find(entity)?, $c.1);)*
                    if excluded.iter().any(|set: &&SparseSet<H>| set.find(entity).is_some()) {
                        return None;
                    }
                    let more = -0.0 $(+ unsafe { (*$c.1.at_unchecked($c.0)).value })*;
                    Some((unsafe { &*v.1.at_unchecked(position) }, more))
                };
                let mut lead = p;
                $(if $c.0.len() < lead.len() { lead = $c.0; })*
                if v.0.len() < lead.len() {
                    lead = v.0;
                }
                if std::ptr::eq(lead, p) {
                    for (position, &entity) in p.packed().iter().enumerate().rev() {
                        if let Some((v, more)) = others(entity) {
                            unsafe { (*column.at_unchecked(position)).advance_by(v, more) };
                        }
                    }
                } else {
                    for &entity in lead.packed().iter().rev() {
                        if let Some(position) = p.find(entity)
                            && let Some((v, more)) = others(entity)
                        {
                            unsafe { (*column.at_unchecked(position)).advance_by(v, more) };
                        }
                    }
                }
            }};
        }
        macro_rules! several {
            ($($c:ident: $k:literal),*) => { joined!($($c: $k),*;) };
        }
        match self.plan.query {
            Query::One => {
                for position in (0..p.len()).rev() {
                    unsafe { (*column.at_unchecked(position)).step() };
                }
            }
            Query::Tagged => {
                let pool = world.directory.find(tag_hash(Part::RARE)).expect("registered");
                let tagged = &world.members[pool].set;
                for &entity in tagged.packed().iter().rev() {
                    if let Some(position) = p.find(entity) {
                        unsafe { (*column.at_unchecked(position)).step() };
                    }
                }
            }
            Query::Terms(2) => several!(),
            Query::ThreeNot => joined!(c2: 2; 3),
            Query::Terms(k) => by_terms!(k, several),
        }
    }
}
