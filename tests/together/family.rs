//! The hierarchy, names, bases and their instances, and who is disabled.

use crate::calls::{OK, S};
use crate::host::Host;
use crate::kin::{BEFORE, INSTANCEOF, LAST};
use denizen::ffi::types::*;
use denizen::ffi::{access::*, enable::*, instance::*, name::*, tree::*};
use std::ffi::CStr;

/// Few names, so that they are often taken. No name, too.
const NAMES: [&CStr; 6] = [c"", c"a", c"b", c"c", c"d", c"a.b"];

pub const fn child_of(parent: u64) -> dz_id {
    (DZ_ROLE_CHILDOF as u64) << 56 | parent
}

fn status(result: Result<(), S>) -> S {
    result.err().unwrap_or(OK)
}

impl Host {
    pub fn set_parent(&mut self) {
        let child = self.who();
        let parent = if self.once_in(6) { 0 } else { self.hub() };
        let lives = self.kin.graph.check_plain(child).and_then(|()| self.kin.graph.check(parent));
        let is_it = lives.is_ok() && self.kin.parent(child) == parent;
        let form = if parent == 0 { 0 } else { self.dice.below(4) };
        let (done, expected) = match form {
            1 if is_it => (act!(self, dz_add(child, child_of(parent))), S::DZ_ALREADY_THERE),
            2 if !is_it => {
                let done = act!(self, dz_remove(child, child_of(parent)));
                (done, lives.err().unwrap_or(S::DZ_NOT_THERE))
            }
            2 => {
                // Of somebody with children it may need memory, as removing else doesn't.
                let text = format!("dz_remove({child:x}, {:x})", child_of(parent));
                let done = self.attempt("dz_remove of a parent", text, |world| {
                    call!(dz_remove(world, child, child_of(parent)))
                });
                let Some((came, _)) = done else { return };
                let expected = status(self.kin.put(child, 0, LAST, 0));
                return self.expect(came, expected);
            }
            _ => {
                let done = match form {
                    1 => act!(self, dz_add(child, child_of(parent))),
                    _ => act!(self, dz_set_parent(child, parent)),
                };
                if done.is_none() {
                    return;
                }
                (done, status(self.kin.put(child, parent, LAST, 0)))
            }
        };
        let Some((came, _)) = done else { return };
        self.expect(came, expected);
    }

    pub fn move_child(&mut self) {
        let child = self.who();
        let siblings = self.kin.children(self.kin.parent(child));
        let place = self.dice.below(4) as i32;
        let sibling = match self.one_of(&siblings) {
            _ if place < BEFORE => 0,
            Some(sibling) if !self.once_in(6) => sibling,
            _ => self.someone(),
        };
        let Some((came, _)) = act!(self, dz_move_child(child, place, sibling)) else { return };
        let expected = status(self.kin.reorder(child, place, sibling));
        self.expect(came, expected);
    }

    pub fn name(&mut self) {
        let (who, name) = (self.who(), NAMES[self.dice.below(NAMES.len())]);
        let at = if name.is_empty() { std::ptr::null() } else { name.as_ptr() };
        self.record.note(self.step, &format!("{name:?}"));
        let Some((came, _)) = act!(self, dz_set_name(who, at)) else { return };
        let expected = self.kin.set_name(who, name.to_str().unwrap());
        self.expect(came, expected);
    }

    pub fn instantiate(&mut self) {
        let base = self.who();
        let below = self.kin.subtree(base, true);
        let crowded = |entity: &u64| self.kin.graph.links.get(entity).is_some_and(|all| all.len() > 30);
        if !self.has.hidden || self.is_full() || below.len() > 12 || below.iter().any(crowded) {
            return;
        }
        let expected = status(self.kin.graph.check_plain(base));
        let Some((came, instance)) = act!(self, dz_instantiate(base)) else { return };
        self.expect(came, expected);
        if came != OK {
            return;
        }
        let mut made = vec![0; below.len() + 1];
        let room = made.len() as u32;
        let count = call!(dz_subtree(self.world, instance, 0, 0, made.as_mut_ptr(), room));
        assert_eq!(count as usize, below.len(), "an instance of each");
        made.truncate(below.len());
        made.iter().for_each(|entity| self.born(*entity));
        let pairs: Vec<_> = below.into_iter().zip(made).collect();
        self.kin.instantiate(&pairs);
    }

    /// Makes one who is there the instance of a base, or ends that.
    pub fn instance_of(&mut self) {
        let (who, base) = (self.who(), self.hub());
        if !self.has.hidden {
            return;
        }
        if self.once_in(3) {
            let base = if self.once_in(2) { self.kin.base(who).max(base) } else { base };
            let Some((came, _)) = act!(self, dz_remove(who, INSTANCEOF | base)) else { return };
            let expected = self.kin.graph.remove(who, INSTANCEOF, base);
            return self.expect(came, expected);
        }
        let Some((came, _)) = act!(self, dz_add(who, INSTANCEOF | base)) else { return };
        let expected = self.kin.instance_of(who, base);
        self.expect(came, expected);
    }

    pub fn override_it(&mut self) {
        let (who, Some((id, _))) = (self.who(), self.component()) else { return };
        let Some((came, _)) = act!(self, dz_override(who, id)) else { return };
        let expected = match self.kin.graph.check_plain(who) {
            Err(error) => error,
            Ok(()) => self.kin.override_component(who, id),
        };
        self.expect(came, expected);
    }

    pub fn set_base(&mut self) {
        let (who, is_base) = (self.who(), self.once_in(4));
        if !self.has.hidden {
            return;
        }
        let Some((came, _)) = act!(self, dz_set_base(who, is_base)) else { return };
        let expected = match self.kin.graph.check_plain(who) {
            Err(error) => error,
            Ok(()) if self.kin.mark(who, is_base) => OK,
            Ok(()) => S::DZ_NOTHING_TO_DO,
        };
        self.expect(came, expected);
    }

    pub fn enable(&mut self) {
        if !self.has.hidden {
            return;
        }
        let disabled: Vec<u64> = self.kin.disabled.iter().copied().collect();
        let (who, enabled) = match self.one_of(&disabled) {
            Some(who) if self.once_in(3) => (who, true),
            _ => (self.who(), self.once_in(3)),
        };
        let Some((came, _)) = act!(self, dz_set_enabled(who, enabled)) else { return };
        let all = &mut self.kin.disabled;
        let expected = match self.kin.graph.check_plain(who) {
            Err(error) => error,
            Ok(()) if if enabled { all.remove(&who) } else { all.insert(who) } => OK,
            Ok(()) => S::DZ_NOTHING_TO_DO,
        };
        self.expect(came, expected);
    }

    pub fn enable_component(&mut self) {
        let (mut who, Some((mut id, _))) = (self.who(), self.component()) else { return };
        if !self.has.hidden {
            return;
        }
        if let Some(held) = self.held() {
            (who, id) = held;
        }
        let hidden: Vec<_> = self.kin.hidden.iter().copied().collect();
        let enabled = self.once_in(3);
        if let Some(one) = self.one_of(&hidden).filter(|_| enabled) {
            (who, id) = one;
        }
        let Some((came, _)) = act!(self, dz_set_component_enabled(who, id, enabled)) else { return };
        let (all, key) = (&mut self.kin.hidden, (who, id));
        let expected = match self.kin.graph.check_plain(who) {
            Err(error) => error,
            Ok(()) if !self.kin.graph.has.contains(&key) => S::DZ_ERR_NOT_HELD,
            Ok(()) if if enabled { all.remove(&key) } else { all.insert(key) } => OK,
            Ok(()) => S::DZ_NOTHING_TO_DO,
        };
        self.expect(came, expected);
    }
}
