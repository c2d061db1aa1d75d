//! From the numbers in operations to handles and values.

use crate::kinds::{KINDS, Kind};
use crate::ops::{Many, Spot, Which, Who};
use crate::run::Host;
use denizen::ffi::pair_types::{DZ_ROLE_INSTANCEOF, DZ_ROLE_USER};
use denizen::ffi::tree_types::DZ_ROLE_CHILDOF;

/// A role that means nothing.
const NO_ROLE: u64 = 64;

/// Those that one entity can have.
const ROLES: [u32; 3] = [DZ_ROLE_CHILDOF, DZ_ROLE_INSTANCEOF, DZ_ROLE_USER];

impl Host {
    /// Living entities that are no components.
    pub fn plain(&self) -> Vec<u64> {
        self.naive.slots.alive().into_iter().filter(|e| !self.naive.components.contains_key(e)).collect()
    }

    pub fn who(&self, who: Who) -> u64 {
        let nth =
            |all: &[u64], number: u16| all.get(number as usize % all.len().max(1)).copied().unwrap_or(0);
        let rules = &self.naive.slots.rules;
        let (null, tombstone) = rules.ends();
        match who {
            Who::Alive(number) => nth(&self.plain(), number),
            Who::Gone(number) => nth(&self.gone, number),
            Who::Component(number) => {
                nth(&self.naive.components.keys().copied().collect::<Vec<_>>(), number.into())
            }
            Who::Forged(how, number) => {
                let some = nth(&self.plain(), number);
                match how {
                    0 => 0,
                    1 => rules.handle(null, 1),
                    2 => rules.handle(rules.index(some), tombstone),
                    3 => some | 1 << (56 + number % 8),
                    4 => self.foreign,
                    // The other layout's.
                    5 => {
                        if rules.wide {
                            some & 0xFFFF_FFFF | 1 << 20
                        } else {
                            some | 1 << 48
                        }
                    }
                    // A generation that is still to come, or none.
                    6 => rules.handle(rules.index(some), (rules.generation(some) + 3).min(tombstone)),
                    7 => rules.handle(rules.index(some), 0),
                    _ => rules.handle(self.naive.slots.len() + u32::from(number), 1),
                }
            }
        }
    }

    pub fn which(&self, which: Which) -> u64 {
        let open: Vec<_> =
            self.naive.components.keys().copied().filter(|id| *id != self.naive.builtin).collect();
        match which {
            Which::Registered(number) => open.get(number as usize % open.len().max(1)).copied().unwrap_or(0),
            Which::Builtin => self.naive.builtin,
            // An id with a role that means something is a tag that entities can have: the graph's concern.
            Which::Not(who) => match self.who(who) {
                id if ROLES.contains(&((id >> 56) as u32)) => id & u64::MAX >> 8 | NO_ROLE << 56,
                id => id,
            },
        }
    }

    pub fn many(&self, many: &Many) -> Vec<u64> {
        let plain = self.plain();
        let mut all = Vec::new();
        for at in 0..usize::from(many.count).min(plain.len()) {
            let entity = plain[(many.first as usize + at * usize::from(many.step)) % plain.len()];
            if !all.contains(&entity) {
                all.push(entity);
            }
        }
        if let Some((at, who)) = many.extra {
            all.insert(usize::from(at) % (all.len() + 1), self.who(who));
        }
        all
    }

    pub fn spot(&self, spot: Spot) -> u64 {
        let rules = &self.naive.slots.rules;
        let (index, generation, later) = match spot {
            Spot::Of(who, later) => {
                let handle = self.who(who);
                if handle == 0 || self.naive.slots.generation(rules.index(handle)).is_err() {
                    return handle;
                }
                let index = rules.index(handle);
                (index, self.naive.slots.generation(index).unwrap(), later)
            }
            Spot::Behind(behind, later) => {
                (self.naive.slots.len().max(rules.reserved) + u32::from(behind), 1, later)
            }
        };
        let last = rules.ends().1 - 1;
        let later = u32::from(later);
        rules.handle(index, if later < 250 { (generation + later).min(last) } else { last - (255 - later) })
    }

    /// The kind of a component, for values; of what is none, any.
    pub fn kind(&self, id: u64) -> Kind {
        self.naive.components.get(&id).map_or(KINDS[3], |component| component.kind)
    }

    pub fn payload(&mut self, kind: &Kind) -> Vec<u8> {
        self.seed += 1;
        kind.payload(self.seed)
    }

    /// A payload, and the same as a value of that size.
    pub fn value(&mut self, id: u64, size: Option<u32>) -> (Vec<u8>, Vec<u8>) {
        let kind = self.kind(id);
        let payload = self.payload(&kind);
        let value = match size {
            Some(size) if size != kind.size => vec![0x77; size as usize],
            _ => kind.value(&payload),
        };
        (payload, value)
    }
}
