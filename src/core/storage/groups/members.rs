//! Who comes to groups and who goes: what each structural change asks for.
//!
//! ```text
//!   before adding     reserve      memory for who may become a member
//!   after adding      added        joins what requires the component, leaves what excludes it
//!   before removing   leaving      leaves what requires it, joins what excludes it
//!   before destroying ending       leaves all
//! ```

use super::{ALL, ALL_SOON, Group, Groups, NONE, Step};
use crate::core::error::Error;
use crate::core::ids::{Handle, Layout};
use crate::core::storage::memory::Memory;
use crate::core::storage::pool::claims::{Part, Watch};
use crate::core::storage::pools::Pools;

/// No pool has that number.
const NOBODY: u32 = u32::MAX;

impl<L: Layout> Groups<L> {
    fn watch(pools: &Pools<L>, number: u32, at: usize) -> Option<Watch> {
        pools.get(number)?.watches().get(at).copied()
    }

    /// The watch of a pool that has only one, as most have.
    fn only(pools: &Pools<L>, number: u32) -> Option<Watch> {
        let [watch] = pools.get(number)?.watches() else { return None };
        Some(*watch)
    }

    /// Makes sure that an entity which gets a component, as one of `more`, can join groups without memory.
    /// It may have it already.
    pub fn reserve(
        &mut self,
        pools: &Pools<L>,
        memory: &mut Memory,
        number: u32,
        entity: Handle,
        more: u32,
    ) -> Result<(), Error> {
        let watches = pools.get(number).map_or(&[][..], |pool| pool.watches());
        for watch in watches.iter().filter(|watch| watch.part == Part::Included) {
            let Some(group) = self.get_mut(watch.group) else { continue };
            if group.owned == 0 && Self::is_filled(pools, group.required(), entity, number) {
                group.list.reserve(memory, entity, more)?;
            }
        }
        Ok(())
    }

    /// Makes sure that an entity who is hidden in some pools can come back, as one of `more`: into groups whose components it
    /// has, seen or not.
    pub fn reserve_return(
        &mut self,
        pools: &Pools<L>,
        memory: &mut Memory,
        number: u32,
        entity: Handle,
        more: u32,
    ) -> Result<(), Error> {
        let watches = pools.get(number).map_or(&[][..], |pool| pool.watches());
        let has = |number: &u32| pools.get(*number).is_some_and(|pool| pool.holds(entity));
        for watch in watches.iter().filter(|watch| watch.part == Part::Included) {
            let Some(group) = self.get_mut(watch.group) else { continue };
            if group.owned == 0 && group.required().iter().all(has) {
                group.list.reserve(memory, entity, more)?;
            }
        }
        Ok(())
    }

    /// An entity got a component. One that nobody sees is none for groups.
    pub fn added(&mut self, pools: &mut Pools<L>, number: u32, entity: Handle) {
        if !Self::sees(pools, number, entity) {
            return;
        }
        if let Some(watch) = Self::only(pools, number) {
            return match watch.part {
                Part::Excluded => self.leave(pools, watch.group, entity, NOBODY, false),
                _ => self.enter(pools, watch.group, entity, number),
            };
        }
        let mut at = 0;
        while let Some(watch) = Self::watch(pools, number, at) {
            at += 1;
            if watch.part != Part::Excluded {
                self.enter(pools, watch.group, entity, number);
            }
        }
        while let Some(watch) = at.checked_sub(1).and_then(|at| Self::watch(pools, number, at)) {
            at -= 1;
            if watch.part == Part::Excluded {
                self.leave(pools, watch.group, entity, NOBODY, false);
            }
        }
    }

    /// An entity is about to lose a component.
    pub fn leaving(&mut self, pools: &mut Pools<L>, number: u32, entity: Handle) {
        if let Some(watch) = Self::only(pools, number) {
            return match watch.part {
                Part::Excluded => self.enter(pools, watch.group, entity, number),
                _ => self.leave(pools, watch.group, entity, number, true),
            };
        }
        let mut at = pools.get(number).map_or(0, |pool| pool.watches().len());
        while let Some(watch) = at.checked_sub(1).and_then(|at| Self::watch(pools, number, at)) {
            at -= 1;
            if watch.part != Part::Excluded {
                self.leave(pools, watch.group, entity, number, true);
            }
        }
        while let Some(watch) = Self::watch(pools, number, at) {
            at += 1;
            if watch.part == Part::Excluded {
                self.enter(pools, watch.group, entity, number);
            }
        }
    }

    /// An entity was made with all that it has: it joins those of the groups that hear of it by one pool, of which that is the first,
    /// and which may be a lone one.
    #[inline]
    pub fn made(&mut self, pools: &mut Pools<L>, (mut place, lone): (u32, u32), entity: Handle) {
        while let Some(group) = self.get_mut(place) {
            let next = group.next_told;
            match place == lone {
                true => group.welcome_to_many(pools, (NOBODY, NONE), entity),
                false => self.enter(pools, place, entity, NOBODY),
            }
            place = next;
        }
    }

    /// An entity is about to be destroyed: it leaves the groups that hear of it by one pool, of which that is the first.
    #[inline]
    pub fn ending(&mut self, pools: &mut Pools<L>, mut place: u32, entity: Handle, lost: u32) {
        while let Some(group) = self.get(place) {
            let next = group.next_told;
            self.leave(pools, place, entity, lost, true);
            place = next;
        }
    }

    /// A pool is about to lose everybody.
    pub fn emptying(&mut self, pools: &mut Pools<L>, number: u32) {
        let mut at = pools.get(number).map_or(0, |pool| pool.watches().len());
        while let Some(watch) = at.checked_sub(1).and_then(|at| Self::watch(pools, number, at)) {
            at -= 1;
            if watch.part != Part::Excluded
                && let Some(group) = self.get_mut(watch.group)
            {
                group.count = 0;
                group.list.clear();
                group.note(Step::Empty);
            }
        }
        while let Some(watch) = Self::watch(pools, number, at) {
            at += 1;
            let len = pools.get(number).map_or(0, |pool| pool.len());
            for position in (0..len).filter(|_| watch.part == Part::Excluded) {
                let entity = pools.get(number).filter(|pool| !pool.is_gap(position));
                if let Some(entity) = entity.map(|pool| pool.entity(position)) {
                    self.enter(pools, watch.group, entity, number);
                }
            }
        }
    }

    /// Lets an entity join a group, if it has become one of its own; `but` is the pool that it came to, or leaves.
    pub(super) fn enter(&mut self, pools: &mut Pools<L>, place: u32, entity: Handle, but: u32) {
        let Some(group) = self.get_mut(place) else { return };
        if !Self::is_filled(pools, group.required(), entity, but) {
            return;
        }
        let free = Self::is_free(pools, group.excluded(), entity, but);
        if group.owned > 0 {
            if free {
                self.join(pools, place, entity);
            }
            return;
        }
        let position = group.list.position(entity).unwrap_or_else(|| {
            group.list.push(entity);
            group.list.len() - 1
        });
        if free && position >= group.count {
            group.list.swap(group.count, position);
            group.count += 1;
            group.note(Step::Join);
        }
    }

    /// Lets an entity join a group that owns pools, and first those around it: where several components came
    /// at once, an inner group may be the first to be told.
    fn join(&mut self, pools: &mut Pools<L>, place: u32, entity: Handle) {
        let Some(group) = self.get(place) else { return };
        let from = group.position_in(pools, group.moves().first().copied(), entity);
        if from.is_none_or(|from| from < group.count) {
            return;
        }
        if group.outer != NONE {
            self.join(pools, group.outer, entity);
        }
        let Some(group) = self.get_mut(place) else { return };
        let (to, outer) = (group.count, group.outer);
        let from = group.take_in(pools, entity, NOBODY);
        if outer != NONE {
            self.note_swap(outer, to, from);
        }
    }

    /// Lets a member leave a group: it lost the pool `but`, or all, or got one that it must not have.
    /// `drops`: it doesn't have all that is required any longer.
    fn leave(&mut self, pools: &mut Pools<L>, place: u32, entity: Handle, but: u32, drops: bool) {
        let Some(group) = self.get_mut(place) else { return };
        if group.owned > 0 {
            let lead = group.moves().first().copied();
            let from = group.position_in(pools, lead, entity).filter(|from| *from < group.count);
            let Some(from) = from else { return };
            group.let_go(pools, from, but);
            let (outer, last) = (group.outer, group.count);
            if outer != NONE {
                self.note_swap(outer, from, last);
            }
            return;
        }
        let Some(mut from) = group.list.position(entity) else { return };
        if from < group.count {
            group.count -= 1;
            group.list.swap(from, group.count);
            group.note(Step::Leave(from, group.count));
            from = group.count;
        }
        if drops {
            group.list.remove(from);
        }
    }

    /// Tells a group and those around it that two of their members changed places.
    #[inline(never)] // Two call it, and few groups lie in others.
    fn note_swap(&mut self, mut place: u32, low: u32, high: u32) {
        while place != NONE && low != high {
            let Some(group) = self.get_mut(place) else { return };
            group.note(Step::Swap(low, high));
            place = group.outer;
        }
    }
}

impl<L: Layout> Group<L> {
    /// Puts an entity behind the last member, in all pools whose order the group makes but for `but`, where it is there already.
    /// Returns where it came from: the last of `moves` are the outermost's, where outer groups have it at one position.
    #[inline(never)]
    pub(super) fn take_in(&mut self, pools: &mut Pools<L>, entity: Handle, but: u32) -> u32 {
        let mut moved = self.count;
        for number in self.moves().iter().filter(|number| **number != but) {
            if let Some(from) = pools.get_mut(*number).and_then(|pool| pool.bring(entity, self.count)) {
                moved = from;
            }
        }
        self.count += 1;
        self.note(Step::Join);
        moved
    }

    /// Puts a member in the last one's place, and that one in its. It loses the pool `but`, or all. Where it loses all at once, and
    /// nobody is behind the last one, that one takes its place as it goes. (Groups around it would miss it where they look.)
    #[inline(never)]
    fn let_go(&mut self, pools: &mut Pools<L>, from: u32, but: u32) {
        self.count -= 1;
        let (all, makes_way) = (matches!(but, ALL | ALL_SOON), but == ALL && self.outer == NONE);
        for number in self.moves() {
            let Some(pool) = pools.get_mut(*number) else { continue };
            if !makes_way || pool.len() > self.count + 1 {
                pool.exchange(from, self.count, all || but == *number);
            }
        }
        self.note(Step::Leave(from, self.count));
    }

    /// Lets an entity that came to a pool, whose number that is, at a position, join a lone group, if it has all that is
    /// required.
    #[inline(always)]
    pub fn welcome(
        &mut self,
        pools: &mut Pools<L>,
        (number, position): (u32, u32),
        partner: u32,
        entity: Handle,
    ) {
        // What is looked up to check is what moves.
        if let Some(pool) = pools.get_mut(partner).filter(|_| position == self.count) {
            if pool.bring_shown(entity, position) {
                self.count += 1;
                self.note(Step::Join);
            }
            return;
        }
        self.welcome_to_many(pools, (number, position), entity);
    }

    /// The same, whatever is required.
    #[inline(never)]
    fn welcome_to_many(&mut self, pools: &mut Pools<L>, (number, position): (u32, u32), entity: Handle) {
        for other in self.required() {
            if *other != number && !pools.get(*other).is_some_and(|pool| pool.shows(entity)) {
                return;
            }
        }
        self.take_in(pools, entity, if position == self.count { number } else { NOBODY });
    }

    /// Lets who is about to lose the component `number`, where its position is `from`, leave a lone group, if it is a member.
    /// Returns where it is then.
    #[inline(always)]
    pub fn dismiss(
        &mut self,
        pools: &mut Pools<L>,
        (number, len): (u32, u32),
        partner: u32,
        from: u32,
    ) -> u32 {
        if from >= self.count {
            return from;
        }
        let last = self.count - 1;
        // The last of all takes its place as it goes.
        let Some(pool) = pools.get_mut(partner).filter(|_| len == self.count) else {
            self.let_go(pools, from, number);
            return last;
        };
        self.count = last;
        pool.exchange(from, last, false);
        self.note(Step::Leave(from, last));
        from
    }

    pub(super) fn position_in(&self, pools: &Pools<L>, number: Option<u32>, entity: Handle) -> Option<u32> {
        pools.get(number?)?.spot_of_living(entity).position
    }
}
