//! The naive registry: a vector of slots and a queue of those to use next.

use crate::calls::S;
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub wide: bool,
    pub fifo: bool,
    pub wrap: bool,
    pub reserved: u32,
    pub most: u32,
    /// The world's number.
    pub number: u32,
}

impl Rules {
    /// The null index and the tombstone generation.
    pub const fn ends(&self) -> (u32, u32) {
        if self.wide { (u32::MAX, 0xFFFF) } else { (0xF_FFFF, 0xFFF) }
    }

    pub fn handle(&self, index: u32, generation: u32) -> u64 {
        if self.wide {
            u64::from(self.number) << 48 | u64::from(generation) << 32 | u64::from(index)
        } else {
            u64::from(generation << 20 | index)
        }
    }

    pub const fn index(&self, handle: u64) -> u32 {
        handle as u32 & self.ends().0
    }

    pub const fn generation(&self, handle: u64) -> u32 {
        (if self.wide { handle >> 32 } else { handle >> 20 }) as u32 & self.ends().1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Alive(u32),
    /// The generation that comes next.
    Dead(u32),
    Retired,
}

#[derive(Clone, Debug)]
pub struct Slots {
    pub rules: Rules,
    slots: Vec<Slot>,
    /// Those of entities, and those of components, in the order of use.
    free: [VecDeque<u32>; 2],
    pub next_component: u32,
}

impl Slots {
    pub fn new(rules: Rules) -> Self {
        Self { rules, slots: Vec::new(), free: Default::default(), next_component: 0 }
    }

    pub fn len(&self) -> u32 {
        self.slots.len() as u32
    }

    pub fn alive(&self) -> Vec<u64> {
        let handle = |(index, slot): (usize, &Slot)| match slot {
            Slot::Alive(generation) => Some(self.rules.handle(index as u32, *generation)),
            _ => None,
        };
        self.slots.iter().enumerate().filter_map(handle).collect()
    }

    pub fn dead(&self) -> u32 {
        self.free.iter().map(|free| free.len() as u32).sum()
    }

    pub fn retired(&self) -> u32 {
        self.slots.iter().filter(|slot| **slot == Slot::Retired).count() as u32
    }

    /// A slot; what is kept for components is none until one has it.
    fn slot(&self, index: u32) -> Option<&Slot> {
        let kept = (self.next_component..self.rules.reserved).contains(&index);
        self.slots.get(index as usize).filter(|_| !kept)
    }

    /// What dz_generation says: the number, or why not.
    pub fn generation(&self, index: u32) -> Result<u32, S> {
        match self.slot(index) {
            None => Err(S::DZ_ERR_RANGE),
            Some(Slot::Retired) => Err(S::DZ_ERR_RETIRED),
            Some(Slot::Alive(generation) | Slot::Dead(generation)) => Ok(*generation),
        }
    }

    /// What can be told from a handle's bits alone.
    fn judge(&self, handle: u64) -> Result<(), S> {
        let rules = &self.rules;
        let (null, tombstone) = rules.ends();
        if handle == 0 {
            Err(S::DZ_ERR_NULL_ENTITY)
        } else if handle >> 56 != 0 {
            Err(S::DZ_ERR_ROLE)
        } else if rules.wide && handle >> 32 == 0 || !rules.wide && handle >> 48 != 0 {
            Err(S::DZ_ERR_WRONG_WORLD)
        } else if rules.index(handle) == null {
            Err(S::DZ_ERR_NULL_ENTITY)
        } else if rules.generation(handle) == tombstone {
            Err(S::DZ_ERR_TOMBSTONE)
        } else if rules.wide && handle >> 48 != u64::from(rules.number) {
            Err(S::DZ_ERR_WRONG_WORLD)
        } else if !rules.wide && handle >> 32 != 0 {
            Err(S::DZ_ERR_NEVER_CREATED)
        } else {
            Ok(())
        }
    }

    /// Whether a handle's owner lives, or why not.
    pub fn check(&self, handle: u64) -> Result<(), S> {
        self.judge(handle)?;
        let generation = self.rules.generation(handle);
        let Some(slot) = self.slot(self.rules.index(handle)) else {
            return Err(S::DZ_ERR_NEVER_CREATED);
        };
        match *slot {
            Slot::Alive(now) if now == generation => Ok(()),
            _ if generation == 0 => Err(S::DZ_ERR_NEVER_CREATED),
            Slot::Retired => Err(S::DZ_ERR_RETIRED),
            // After the last generation comes the first again, so any may have been but the one that comes next.
            Slot::Dead(next) if self.rules.wrap && next == generation => Err(S::DZ_ERR_NEVER_CREATED),
            _ if self.rules.wrap => Err(S::DZ_ERR_DEAD),
            Slot::Alive(now) | Slot::Dead(now) if generation < now => Err(S::DZ_ERR_DEAD),
            _ => Err(S::DZ_ERR_NEVER_CREATED),
        }
    }

    fn extend(&mut self, len: u32) {
        let len = len.max(self.rules.reserved).max(self.len());
        self.slots.resize(len as usize, Slot::Dead(1));
    }

    /// Whether `n` more entities are allowed.
    pub fn room(&self, n: u32) -> Result<(), S> {
        let fresh = n.saturating_sub(self.free[0].len() as u32);
        let left = self.rules.most - self.len().max(self.rules.reserved);
        if fresh <= left {
            Ok(())
        } else if fresh <= left + self.retired() {
            // Had no slot been used up, there would be room.
            Err(S::DZ_ERR_EXHAUSTED)
        } else {
            Err(S::DZ_ERR_FULL)
        }
    }

    fn revive(&mut self, index: u32) -> u64 {
        let Slot::Dead(generation) = self.slots[index as usize] else {
            panic!("a free slot that isn't dead")
        };
        self.slots[index as usize] = Slot::Alive(generation);
        self.rules.handle(index, generation)
    }

    pub fn create(&mut self) -> Result<u64, S> {
        self.room(1)?;
        let index = self.free[0].pop_front().unwrap_or_else(|| {
            self.extend(0);
            self.slots.push(Slot::Dead(1));
            self.len() - 1
        });
        Ok(self.revive(index))
    }

    pub fn create_component(&mut self) -> Result<u64, S> {
        if let Some(index) = self.free[1].pop_front() {
            return Ok(self.revive(index));
        }
        if self.next_component == self.rules.reserved {
            return self.create();
        }
        self.extend(0);
        self.next_component += 1;
        Ok(self.revive(self.next_component - 1))
    }

    /// The world was cleared: where the last one comes first, all come in the order of their indices now.
    pub fn sort_free(&mut self) {
        if !self.rules.fifo {
            self.free[0].make_contiguous().sort_unstable();
        }
    }

    fn link(&mut self, index: u32) {
        let free = &mut self.free[usize::from(index < self.rules.reserved)];
        if self.rules.fifo { free.push_back(index) } else { free.push_front(index) }
    }

    pub fn destroy(&mut self, handle: u64) {
        let (index, next) = (self.rules.index(handle), self.rules.generation(handle) + 1);
        let used_up = next == self.rules.ends().1;
        self.slots[index as usize] = match (used_up, self.rules.wrap) {
            (true, false) => Slot::Retired,
            (true, true) => Slot::Dead(1),
            (false, _) => Slot::Dead(next),
        };
        if self.slots[index as usize] != Slot::Retired {
            self.link(index);
        }
    }

    /// Whether exactly this handle can be created.
    pub fn check_free(&self, handle: u64) -> Result<(), S> {
        self.judge(handle)?;
        let (index, generation) = (self.rules.index(handle), self.rules.generation(handle));
        if index < self.rules.reserved {
            return Err(S::DZ_ERR_RESERVED);
        } else if generation == 0 {
            return Err(S::DZ_ERR_NEVER_CREATED);
        } else if index >= self.rules.most {
            return Err(S::DZ_ERR_FULL);
        }
        match self.slots.get(index as usize) {
            None => Ok(()),
            Some(Slot::Retired) => Err(S::DZ_ERR_RETIRED),
            Some(Slot::Alive(_)) => Err(S::DZ_ERR_OCCUPIED),
            Some(Slot::Dead(next)) if generation < *next && !self.rules.wrap => Err(S::DZ_ERR_DEAD),
            Some(Slot::Dead(_)) => Ok(()),
        }
    }

    pub fn create_at(&mut self, handles: &[u64]) {
        if handles.is_empty() {
            return;
        }
        let first = self.len().max(self.rules.reserved);
        let end =
            handles.iter().map(|handle| self.rules.index(*handle) + 1).max().unwrap_or(first).max(first);
        self.extend(end);
        for handle in handles {
            let index = self.rules.index(*handle);
            self.free[0].retain(|free| *free != index);
            self.slots[index as usize] = Slot::Alive(self.rules.generation(*handle));
        }
        // Those that were skipped are free, the lowest first.
        let skipped: Vec<_> =
            (first..end).filter(|at| matches!(self.slots[*at as usize], Slot::Dead(_))).collect();
        if self.rules.fifo {
            self.free[0].extend(skipped);
        } else {
            skipped.into_iter().rev().for_each(|index| self.free[0].push_front(index));
        }
    }
}
