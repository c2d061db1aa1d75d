//! Whom the next call is about, by the dice.

use crate::host::Host;
use crate::kinds::Kind;
use denizen::ffi::types::*;

/// So many are hubs.
const HUBS: usize = 8;

impl Host {
    pub fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let at = self.dice.below(all.len());
        all.get(at).cloned()
    }

    /// An entity that is no component; 0: there is none.
    pub fn someone(&mut self) -> u64 {
        let mut all = self.plain();
        if self.undisturbed {
            // What somebody hidden gets lets others move.
            all.retain(|entity| self.kin.is_asked_for(*entity, false));
        }
        self.one_of(&all).unwrap_or(0)
    }

    /// A component that somebody has.
    pub fn held(&mut self) -> Option<(u64, dz_id)> {
        let all = self.kin.graph.has.iter().filter(|(entity, _)| self.focus == 0 || *entity == self.focus);
        let all: Vec<_> = all.copied().collect();
        self.one_of(&all)
    }

    /// Somebody who may end: those whom many calls are about seldom do.
    pub fn victim(&mut self) -> u64 {
        let who = self.who();
        let is_hub = self.plain().iter().take(HUBS).any(|hub| *hub == who);
        if is_hub && !self.once_in(8) { self.someone() } else { who }
    }

    /// Mostly one who lives and is no component.
    pub fn who(&mut self) -> u64 {
        if self.lives(self.focus) && self.once_in(3) {
            return self.focus;
        }
        let all = match self.dice.below(30) {
            0 => self.gone.clone(),
            1 if !self.undisturbed => self.living(),
            _ => vec![],
        };
        self.one_of(&all).unwrap_or_else(|| self.someone())
    }

    /// One of the few whom many calls are about: relations, targets, parents, bases; components among them.
    pub fn hub(&mut self) -> u64 {
        match self.dice.below(10) {
            0 => self.who(),
            1 | 2 => self.component().map_or(0, |(id, _)| id),
            _ => {
                let mut all = self.plain();
                all.truncate(HUBS);
                self.one_of(&all).unwrap_or(0)
            }
        }
    }

    /// Different ones who are no components.
    pub fn several(&mut self, most: usize) -> Vec<u64> {
        let mut all = self.plain();
        let count = self.dice.size(most.max(2)).min(all.len());
        if self.once_in(2) {
            // Neighbours, in the order of their handles.
            let first = self.dice.below(all.len() - count + 1);
            return all[first..first + count].to_vec();
        }
        for at in 0..count {
            let other = at + self.dice.below(all.len() - at);
            all.swap(at, other);
        }
        all.truncate(count);
        all
    }

    /// A component that is registered.
    pub fn component(&mut self) -> Option<(dz_id, &'static Kind)> {
        let all = self.components();
        self.one_of(&all)
    }

    /// One with data.
    pub fn data(&mut self) -> Option<(dz_id, &'static Kind)> {
        let mut all = self.components();
        all.retain(|(_, kind)| kind.size > 0);
        self.one_of(&all)
    }

    /// A value unlike others.
    pub fn payload(&mut self, kind: &Kind) -> Vec<u8> {
        let seed = self.dice.below(1 << 20) as u32;
        kind.payload(seed)
    }

    pub fn is_full(&self) -> bool {
        self.kin.graph.links.len() >= self.most
    }
}
