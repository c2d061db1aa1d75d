//! Entities: destroy, one or many.

use super::{Bulk, Ecs, World};
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::groups::{ALL, ALL_SOON};
use crate::core::storage::pool::Pool;
use crate::core::storage::slice::checked;

/// The most entities that are taken out pool by pool: all that is known of them stays in the nearest caches from one pool to the
/// next, and until they are ended.
const TOGETHER: usize = 1024;

/// How many pairs of neighbours are looked at before many are taken out. Where more than every eighth pair differs, they go one by
/// one: pool by pool, those few who have the same would cost more.
const LOOKS: usize = 32;

impl<L: Layout> World<L> {
    /// Whether an entity may be destroyed; a component's may not, and the error says why.
    #[inline(always)]
    fn check_destroy(&self, entity: Handle) -> Result<(), Error> {
        if self.may_go(entity) { Ok(()) } else { self.why_not_destroy(entity) }
    }

    /// Whether an entity lives, and is no component's.
    #[inline(always)]
    fn may_go(&self, entity: Handle) -> bool {
        self.registry.is_alive(entity) && !self.is_component(entity)
    }

    #[cold]
    fn why_not_destroy(&self, entity: Handle) -> Result<(), Error> {
        let refused = match self.check_plain(entity) {
            Err(error) if error.kind == Kind::IsComponent => error,
            other => return other,
        };
        match self.pools.by_id(entity) {
            Some(pool) if pool.is_builtin() => Err(Error { kind: Kind::Builtin, ..refused }),
            Some(pool) if pool.count() > 0 => {
                Err(Error { kind: Kind::Held, ..refused }.with(pool.count().into(), 0))
            }
            _ => Err(refused),
        }
    }

    /// Takes an entity out of all its pools, and ends it.
    #[inline(always)]
    pub(super) fn erase(&mut self, entity: Handle) {
        if self.is_kept_elsewhere() {
            self.leave_elsewhere(entity, ALL);
        }
        self.erase_lone(entity);
    }

    /// The same for one whom neither groups nor veils know.
    #[inline(always)]
    pub(super) fn erase_lone(&mut self, entity: Handle) {
        // First: so nothing of it need be kept while the pools are left.
        self.registry.destroy(entity);
        self.leave_all(L::index(entity), Pool::remove_taken);
    }

    /// The same where it is all that is done.
    #[inline(never)]
    pub(super) fn erase_alone(&mut self, entity: Handle) {
        self.touch();
        self.erase(entity);
    }

    /// The same for one of several.
    #[inline(never)]
    fn erase_one(&mut self, entity: Handle) {
        if self.may_go_alone(entity) {
            self.erase_alone(entity);
        }
    }

    /// Whether one of several may be ended. If the array isn't what it was when it was checked, who stands there now may have ended
    /// already, or take part in pairs or the hierarchy, which nobody has looked for.
    fn may_go_alone(&self, entity: Handle) -> bool {
        self.may_go(entity) && !self.is_tied(entity)
    }

    /// Whether groups or veils know entities.
    #[inline(always)]
    fn is_kept_elsewhere(&self) -> bool {
        !self.groups.is_empty() || self.veils != 0
    }

    #[inline(never)]
    fn leave_elsewhere(&mut self, entity: Handle, lost: u32) {
        if !self.groups.is_empty() {
            self.leave_groups(entity, lost);
        }
        if self.veils != 0 && self.kinds.has_others(L::index(entity)) {
            self.forget_veil(L::index(entity));
        }
    }

    /// Takes entities out of all their pools, and ends them. Many are taken out first, leaving gaps,
    /// which are closed at the end: that looks at every pool, so it must be worth it.
    fn erase_all(&mut self, entities: &[Handle]) {
        if entities.len() < 16 + self.pools.numbers() as usize || self.is_mixed(entities) {
            return self.registry.in_ending_order(entities).for_each(|entity| self.erase_one(entity));
        }
        self.touch();
        // The last come first: where they stand in the order in which they came, each is the last of its groups and pools then. So
        // they end, where that is the order for it, while all that is known of them is near.
        if self.is_kept_elsewhere() {
            entities.iter().rev().for_each(|entity| self.leave_elsewhere(*entity, ALL_SOON));
        }
        let backward = self.registry.ends_backward();
        let mut left = entities;
        while let together @ 1.. = self.leave_together(left) {
            let before = left.len() - together;
            let gone = checked(left, before..);
            if backward {
                self.registry.destroy_all(gone);
            }
            left = checked(left, ..before);
        }
        for number in 0..self.pools.numbers() {
            if let Some(pool) = self.pools.get_mut(number).filter(|pool| !pool.shape.stable) {
                pool.close_gaps();
            }
        }
        // The rest goes one by one. Hooks are called, and may write to the array: then nothing is believed but what is asked after
        // it is read.
        if !left.is_empty() {
            let rest = if backward { left } else { entities };
            self.registry.in_ending_order(rest).for_each(|entity| self.erase_one(entity));
        } else if !backward {
            self.registry.destroy_all(entities);
        }
    }

    /// Whether so few neighbours have the same that they don't go together, by a look at some who are spread over them all.
    fn is_mixed(&self, entities: &[Handle]) -> bool {
        let signature = |at: usize| self.kinds.signature(L::index(*checked(entities, at)));
        let step = (entities.len() / LOOKS).max(1);
        let differs = |at: &usize| signature(*at) != signature(*at - 1);
        (1..entities.len()).step_by(step).filter(differs).count() > LOOKS / 8
    }

    /// Takes the last of these out of all their pools, pool by pool, if they all have the same, and values that end by
    /// themselves; returns how many that were.
    fn leave_together(&mut self, entities: &[Handle]) -> usize {
        let signature = |entity: &Handle| self.kinds.signature(L::index(*entity));
        let Some(common) = entities.last().map(signature) else { return 0 };
        let pools = || (0..u32::BITS).filter(|bit| common >> bit & 1 != 0);
        let plain = |bit| self.pools.owner_mut(&self.kinds, bit).is_none_or(|pool| pool.ends_plainly());
        // First: those whom it keeps from going together are not counted again and again.
        if common & 1 != 0 || !pools().all(plain) {
            return 0;
        }
        let last = entities.iter().rev().take(TOGETHER);
        let alike = last.take_while(|entity| signature(entity) == common).count();
        let entities = checked(entities, entities.len() - alike..);
        for bit in pools() {
            if let Some(pool) = self.pools.owner_mut(&self.kinds, bit) {
                pool.leave_gaps_of(entities);
            }
        }
        for entity in entities {
            self.kinds.take(L::index(*entity));
        }
        alike
    }

    /// Takes an entity's signature, and it out of each pool by `leave`.
    #[inline(always)]
    pub(super) fn leave_all(&mut self, index: u32, leave: impl Fn(&mut Pool<L>, u32)) {
        let signature = self.kinds.take(index);
        if signature & 1 == 0 {
            self.leave_own(index, signature, leave);
        } else {
            self.leave_others(index, signature, leave);
        }
    }

    /// Takes one out of the pools of bits.
    #[inline(always)]
    fn leave_own(&mut self, index: u32, mut bits: u32, leave: impl Fn(&mut Pool<L>, u32)) {
        while bits != 0 {
            let pool = self.pools.owner_mut(&self.kinds, bits.trailing_zeros());
            bits &= bits - 1;
            if let Some(pool) = pool {
                leave(pool, index);
            }
        }
    }

    /// Takes one out of all pools: those of its bits come first, then those that have no bit in its signature.
    #[inline(never)]
    fn leave_others(&mut self, index: u32, signature: u32, leave: impl Fn(&mut Pool<L>, u32)) {
        self.leave_own(index, signature & !1, &leave);
        if !self.kinds.blocks.may_have(index) {
            return;
        }
        for part in 0.. {
            let Some((mut bits, pools)) = self.kinds.blocks.take(index, part) else { break };
            while bits != 0 {
                let number = *checked(pools, bits.trailing_zeros() as usize);
                bits &= bits - 1;
                if let Some(pool) = self.pools.get_mut(number) {
                    leave(pool, index);
                }
            }
        }
    }
}

impl<L: Layout> Ecs<L> {
    /// Destroys an entity.
    #[inline]
    pub fn destroy(&self, entity: Handle) -> Result<(), Error> {
        let told = self.with(|w| {
            w.writable()?;
            w.check_destroy(entity)?;
            if w.is_tied(entity) {
                return w.doom(&[entity]).map(Err);
            }
            if w.is_told_of_destroy() {
                return Ok(Ok(true));
            }
            w.erase_alone(entity);
            Ok(Ok(false))
        })?;
        let told = match told {
            Ok(told) => told,
            Err(queued) => {
                queued.into_iter().for_each(|first| self.destroy_queued(first, 0));
                return Ok(());
            }
        };
        if told {
            self.tell_destroy(entity);
            self.with(|w| w.erase_alone(entity));
        }
        Ok(())
    }

    /// Destroys entities, all or none.
    pub fn destroy_n(&self, entities: &[Handle]) -> Result<Bulk, Error> {
        let (told, queued) = self.with(|w| {
            w.writable()?;
            w.check_all(entities, World::why_not_destroy)?;
            let queued = if w.ties == 0 { None } else { w.doom(entities)? };
            Ok((w.is_told_of_destroy(), queued))
        })?;
        if entities.is_empty() {
            return Ok(Bulk::Nothing);
        }
        if let Some(first) = queued {
            // Who takes part in nothing isn't queued, and goes first, the last one first: the array may be a pool's own, as
            // below, and who is queued may be anywhere in it.
            let is_lone = |entity: &&Handle| {
                self.look(|w| w.registry.is_alive(**entity) && !w.links.is_queued(L::index(**entity)))
            };
            entities.iter().rev().filter(is_lone).for_each(|entity| {
                let _ = self.destroy(*entity);
            });
            self.destroy_queued(first, 0);
            return Ok(Bulk::Done);
        }
        if told {
            entities.iter().for_each(|entity| self.tell_destroy(*entity));
        }
        self.with(|w| match w.is_shaky(entities, told) {
            true => entities.iter().rev().for_each(|entity| w.erase_one(*entity)),
            false => w.erase_all(entities),
        });
        Ok(Bulk::Done)
    }
}
