//! Making and ending groups, and what groups that share pools are to one another.

use super::{Group, Groups, MOST, NONE, STEPS, Step, Terms, is_among};
use crate::core::error::{Entries, Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::storage::list::List;
use crate::core::storage::memory::Memory;
use crate::core::storage::pool::Pool;
use crate::core::storage::pool::claims::{Lone, Part, Watch};
use crate::core::storage::pools::Pools;
use crate::core::storage::slice::Array;
use core::sync::atomic::AtomicU64;

impl<L: Layout> Group<L> {
    /// Whether its terms contain those of another.
    fn contains(&self, other: &Self) -> bool {
        other.required().iter().all(|number| is_among(self.required(), *number))
            && other.excluded().iter().all(|number| is_among(self.excluded(), *number))
    }

    fn is_nested_with(&self, other: &Self) -> bool {
        self.contains(other) || other.contains(self)
    }

    fn shares_pool_with(&self, other: &Self) -> bool {
        self.owned().iter().any(|number| is_among(other.owned(), *number))
    }

    /// Reads the terms: which pools they are.
    fn new(pools: &Pools<L>, serial: u32, terms: &Terms) -> Result<Self, Error> {
        let count = terms.parts().iter().map(|(ids, _)| ids.len()).sum::<usize>();
        if count > MOST {
            return Err(Error::count("the number of components", count as u64, MOST as u64));
        }
        if terms.owned.is_empty() && terms.included.is_empty() {
            return Err(Error::range("the number of components that members have", 0, 1, MOST as u64));
        }
        let mut group = Self {
            serial,
            pools: Array([0; MOST]),
            owned: terms.owned.len(),
            required: terms.owned.len() + terms.included.len(),
            terms: 0,
            count: 0,
            list: List::default(),
            moves: Array([0; MOST]),
            moved: 0,
            next_told: NONE,
            outer: NONE,
            family: NONE,
            is_concerned: false,
            steps: [Step::Join; STEPS],
            latest_start: AtomicU64::new(0),
            streak_from: 0,
            streak_low: u32::MAX,
            last_empty: 0,
            changes: 0,
            floor: 0,
            kept: None,
        };
        for (ids, of) in terms.parts() {
            for (at, id) in (0..).zip(ids) {
                let wrong = |kind| Error::new(kind).about(*id).at(of, at);
                let pool = pools.by_id(*id).ok_or(wrong(Kind::NotComponent))?;
                if pool.is_builtin() {
                    return Err(wrong(Kind::Builtin));
                }
                if of == Entries::OWNED && pool.shape.stable {
                    return Err(wrong(Kind::Policy).named("order"));
                }
                if is_among(&group.pools[..group.terms], pool.number) {
                    return Err(wrong(Kind::Duplicate).named("the group"));
                }
                group.pools[group.terms] = pool.number;
                group.terms += 1;
            }
        }
        Ok(group)
    }
}

impl<L: Layout> Groups<L> {
    /// Makes a group; or nothing.
    pub fn create(
        &mut self,
        pools: &mut Pools<L>,
        memory: &mut Memory,
        serial: u32,
        terms: &Terms,
    ) -> Result<(), Error> {
        let mut group = Group::new(pools, serial, terms)?;
        self.find_concerned(pools, &group);
        self.check_family(pools, &group)?;
        let made = Self::reserve_terms(pools, memory, &mut group).and_then(|()| self.take_place(memory));
        let at = made.inspect_err(|_| {
            group.list.free(memory);
            for number in &group.pools[..group.terms] {
                if let Some(pool) = pools.get_mut(*number) {
                    pool.release_claims(memory);
                }
            }
        })?;
        let place = self.put_group(at, group);
        self.connect(pools, place);
        self.settle_pools(pools);
        Ok(())
    }

    /// Tells all pools whether a group alone decides about them, and which groups hear by them of who is destroyed.
    fn settle_pools(&mut self, pools: &mut Pools<L>) {
        for number in 0..pools.numbers() {
            if let Some(pool) = pools.get_mut(number).filter(|pool| pool.is_watched()) {
                pool.set_groups(self.lone(pool).unwrap_or(Lone::NONE), self.tell_by(pool));
            }
        }
    }

    /// Chains up the groups that hear by a pool of who is destroyed, inner ones first: returns the first. A family hears by one
    /// pool, which all of it require: the outermost's first one.
    fn tell_by(&mut self, pool: &Pool<L>) -> u32 {
        let mut first = NONE;
        for watch in pool.watches() {
            let lead = self.get(self.outermost(watch.group)).map(|group| group.pools[0]);
            if lead == Some(pool.number)
                && let Some(group) = self.get_mut(watch.group)
            {
                group.next_told = first;
                first = watch.group;
            }
        }
        first
    }

    fn lone(&self, pool: &Pool<L>) -> Option<Lone> {
        let [Watch { group: place, part: Part::Owned, .. }] = pool.watches() else { return None };
        let group = self.get(*place).filter(|group| group.outer == NONE && group.terms == group.required)?;
        let partner = match (group.required, group.owned()) {
            (2, [a, b]) => a ^ b ^ pool.number,
            _ => NONE,
        };
        Some(Lone { group: *place, partner })
    }

    /// Marks the groups of families that own a pool of a group.
    fn find_concerned(&mut self, pools: &Pools<L>, group: &Group<L>) {
        self.for_each(|group| group.is_concerned = false);
        for number in group.owned() {
            let owner = pools.get(*number).and_then(|pool| self.get(pool.owner()?));
            if let Some(owner) = owner.filter(|owner| !owner.is_concerned) {
                let family = owner.family;
                self.for_each(|other| other.is_concerned |= other.family == family);
            }
        }
    }

    /// Marks the groups of a family; `NONE` is that of groups which own nothing, of which none is concerned.
    fn mark_family(&mut self, family: u32) {
        self.for_each(|group| group.is_concerned = group.family == family && family != NONE);
    }

    pub(super) fn for_each(&mut self, mut f: impl FnMut(&mut Group<L>)) {
        for place in 0..self.places() {
            if let Some(group) = self.get_mut(place) {
                f(group);
            }
        }
    }

    /// Ok if a group fits those that own its pools, and these fit one another through it.
    fn check_family(&self, pools: &Pools<L>, group: &Group<L>) -> Result<(), Error> {
        for number in group.owned() {
            let Some(pool) = pools.get(*number) else { continue };
            if pool.kept().is_some() {
                return Err(Error::new(Kind::Owned).about(pool.id));
            }
        }
        // Of a family that shares a pool with it, all are concerned.
        let concerned = || self.iter().filter(|other| other.is_concerned);
        for other in concerned() {
            let others = concerned().all(|third| third.is_nested_with(other));
            if !others || !other.is_nested_with(group) {
                let shared = group.owned().iter().find(|number| is_among(other.owned(), **number));
                let number = shared.or(group.owned().first()).copied().unwrap_or(0);
                let id = pools.get(number).map_or(0, |pool| pool.id);
                return Err(Error::new(Kind::Owned).about(id).with(other.serial.into(), 1));
            }
        }
        Ok(())
    }

    /// Makes room for all that a group needs: in its pools, and in its list for who is there already.
    fn reserve_terms(pools: &mut Pools<L>, memory: &mut Memory, group: &mut Group<L>) -> Result<(), Error> {
        for number in &group.pools[..group.terms] {
            if let Some(pool) = pools.get_mut(*number) {
                pool.reserve_claims(memory)?;
            }
        }
        if group.owned > 0 { Ok(()) } else { group.list_all(pools, memory) }
    }

    /// Lets a new group watch its pools; and finds the family of one that owns some, and its members.
    fn connect(&mut self, pools: &mut Pools<L>, place: u32) {
        let Some(group) = self.get(place) else { return };
        let (rank, owns, serial) = (group.rank(), group.owned > 0, group.serial);
        for term in 0..group.terms {
            let watch = Watch { group: place, part: Self::part(group, term), rank };
            if let Some(pool) = pools.get_mut(group.pools[term]) {
                pool.watch(watch);
            }
        }
        if owns {
            // The groups that `create` found concerned, and this one, are a family now.
            self.for_each(|group| {
                if group.is_concerned || group.serial == serial {
                    (group.family, group.is_concerned) = (place, true);
                }
            });
            self.chain_up();
            self.fill_family(pools, place);
        }
    }

    /// Ends a group.
    pub fn destroy(&mut self, pools: &mut Pools<L>, memory: &mut Memory, serial: u32) -> Result<(), Error> {
        let place = self.find(serial)?;
        let Some(group) = self.get(place) else { return Ok(()) };
        for (term, number) in group.pools[..group.terms].iter().enumerate() {
            if let Some(pool) = pools.get_mut(*number) {
                if term < group.owned {
                    pool.end_iterations();
                }
                pool.unwatch(memory, place);
            }
        }
        let family = group.family;
        self.drop_group(memory, place);
        self.mark_family(family);
        self.split_family();
        self.chain_up();
        self.settle_pools(pools);
        Ok(())
    }

    /// The groups that are concerned were one family: finds out which still are.
    fn split_family(&mut self) {
        for place in 0..self.places() {
            if let Some(group) = self.get_mut(place).filter(|group| group.is_concerned) {
                group.family = place;
            }
        }
        // Neighbours take the lowest number among them, until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for place in 0..self.places() {
                let Some(group) = self.get(place).filter(|group| group.is_concerned) else { continue };
                let near = self.iter().filter(|other| other.is_concerned && other.shares_pool_with(group));
                let lowest = near.map(|other| other.family).min().unwrap_or(group.family);
                if lowest < group.family
                    && let Some(group) = self.get_mut(place)
                {
                    group.family = lowest;
                    changed = true;
                }
            }
        }
    }

    /// Finds out the order of the families that are concerned, and what each group moves.
    fn chain_up(&mut self) {
        for place in 0..self.places() {
            let Some(group) = self.get(place).filter(|group| group.is_concerned) else { continue };
            let around = |other: &&Group<L>| other.family == group.family && other.rank() < group.rank();
            let outer = self.iter().filter(around).max_by_key(|other| other.rank());
            let outer = outer.and_then(|outer| self.find(outer.serial).ok()).unwrap_or(NONE);
            // An inner group requires all that outer ones own, so there are no more than its terms.
            let (mut moves, mut moved) = (Array([0; MOST]), 0);
            // Those that an outer group moves too come last: see `join`.
            let others = || self.iter().filter(around).flat_map(Group::owned);
            let own = group.owned().iter().filter(|number| others().all(|other| other != *number));
            for number in own.chain(others()) {
                if !is_among(&moves[..moved], *number) {
                    moves[moved] = *number;
                    moved += 1;
                }
            }
            if let Some(group) = self.get_mut(place) {
                (group.moves, group.moved, group.outer) = (moves, moved, outer);
            }
        }
    }

    /// Finds the members of all groups of a family anew, the outermost first. Those of a group come in the order of the groups inside
    /// it, the innermost first, then in the order that they had, then in that of indices.
    fn fill_family(&mut self, pools: &mut Pools<L>, place: u32) {
        let (innermost, mut next) = (self.innermost(place), Some(self.outermost(place)));
        while let Some(place) = next {
            let old = self.get_mut(place).map_or(0, |group| core::mem::take(&mut group.count));
            // Those inside still have their old members.
            let mut inside = innermost;
            while let Some(group) = self.get(inside)
                && let Some(lead) = group.owned().first().copied()
            {
                let (count, outer) = (if inside == place { old } else { group.count }, group.outer);
                if let Some(group) = self.get_mut(place) {
                    group.take_in_first(pools, lead, count);
                }
                if inside == place {
                    break;
                }
                inside = outer;
            }
            if let Some(group) = self.get_mut(place) {
                group.fill(pools);
                group.end_iterations();
            }
            next = self.inner_of(place);
        }
        // What the innermost moves is all that they own.
        for number in self.get(innermost).map_or(&[][..], Group::moves) {
            if let Some(pool) = pools.get_mut(*number) {
                pool.settle_positions(0, pool.len());
                pool.end_iterations();
            }
        }
    }

    /// The group of a family that is in no other.
    fn outermost(&self, mut place: u32) -> u32 {
        while let Some(group) = self.get(place).filter(|group| group.outer != NONE) {
            place = group.outer;
        }
        place
    }

    /// The group of a family that no other is in: as many are around it as were made, as two may have the same terms.
    pub(super) fn innermost(&self, mut place: u32) -> u32 {
        while let Some(inner) = self.inner_of(place) {
            place = inner;
        }
        place
    }

    pub(super) fn inner_of(&self, place: u32) -> Option<u32> {
        self.iter().find(|group| group.outer == place).and_then(|group| self.find(group.serial).ok())
    }
}

/// Who fits a group among 64 neighbours, of whom one has that index.
struct Fit {
    index: u32,
    /// Who has all that is required and wasn't gone through yet, and who of them has nothing that is excluded.
    filled: u64,
    free: u64,
}

impl<L: Layout> Group<L> {
    /// Takes in the first of a pool, who all fit, but for those who are members.
    fn take_in_first(&mut self, pools: &mut Pools<L>, lead: u32, count: u32) {
        for position in 0..count {
            let Some(entity) = pools.get(lead).map(|pool| pool.entity(position)) else { return };
            let from = self.position_in(pools, self.owned().first().copied(), entity);
            if from.is_some_and(|from| from >= self.count) {
                self.take_in(pools, entity, NONE);
            }
        }
    }

    /// Takes in all who fit and aren't members, in the order of indices.
    fn fill(&mut self, pools: &mut Pools<L>) {
        let lead = self.rarest(pools);
        let mut next = 0;
        while let Some(mut fit) = self.next_fit(pools, lead, next) {
            fit.filled &= fit.free;
            for number in self.moves() {
                pools.get(*number).inspect(|pool| pool.ask_for_swaps(fit.index, fit.free, self.count));
            }
            while let Some((entity, position, _)) = self.pass(pools, &mut fit) {
                // The first that is required is owned, if any is.
                if position >= self.count {
                    self.take_in(pools, entity, NONE);
                }
            }
            next = (fit.index | 63) + 1;
        }
    }

    /// Puts all who have what is required into the list, members first.
    fn list_all(&mut self, pools: &Pools<L>, memory: &mut Memory) -> Result<(), Error> {
        let lead = self.rarest(pools);
        let mut next = 0;
        while let Some(mut fit) = self.next_fit(pools, lead, next) {
            while let Some((entity, _, is_free)) = self.pass(pools, &mut fit) {
                self.list.reserve(memory, entity, 1)?;
                self.list.push(entity);
                if is_free {
                    self.list.swap(self.count, self.list.len() - 1);
                    self.count += 1;
                }
            }
            next = (fit.index | 63) + 1;
        }
        Ok(())
    }

    /// The smallest pool of those that are required.
    fn rarest(&self, pools: &Pools<L>) -> Option<u32> {
        let len = |number: &u32| pools.get(*number).map_or(0, |pool| pool.len());
        self.required().iter().copied().min_by_key(len)
    }

    /// The next who have what is required, from an index on; all of them are in the pool `lead`.
    #[inline(never)]
    fn next_fit(&self, pools: &Pools<L>, lead: Option<u32>, mut from: u32) -> Option<Fit> {
        loop {
            let (index, members) = pools.get(lead?)?.next_word(from)?;
            let members_of =
                |number: &u32| pools.get(*number).map_or(0, |pool| pool.sparse().page(index).members(index));
            let both = |filled, number| Some(filled & members_of(number)).filter(|filled| *filled != 0);
            if let Some(filled) = self.required().iter().try_fold(members, both) {
                let free = self.excluded().iter().fold(filled, |free, number| free & !members_of(number));
                return Some(Fit { index, filled, free });
            }
            from = (index | 63) + 1;
        }
    }

    /// The first of those who have what is required, its position in the first pool that is, and whether it is free; it is gone
    /// through then.
    fn pass(&self, pools: &Pools<L>, fit: &mut Fit) -> Option<(Handle, u32, bool)> {
        let pool = pools.get(*self.required().first()?).filter(|_| fit.filled != 0)?;
        let bit = fit.filled.trailing_zeros();
        fit.filled &= fit.filled - 1;
        let position = pool.position_at((fit.index & !63) + bit);
        Some((pool.entity(position), position, fit.free >> bit & 1 != 0))
    }
}
