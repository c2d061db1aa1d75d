//! Whole loops whose bodies change what they go over, as programs write them.

use crate::calls::{OK, S, message};
use crate::each::entity_at;
use crate::host::Host;
use crate::read;
use denizen::ffi::iterate::dz_next;
use denizen::ffi::types::*;
use std::collections::BTreeSet;

/// What a body does that an iteration must be able to follow.
const CALM: &[(u32, fn(&mut Host))] = &[
    (2, Host::create),
    (6, Host::add),
    (6, Host::remove),
    (2, Host::set),
    (2, Host::get_or_add),
    (3, Host::destroy_alone),
    (1, Host::name),
    (1, Host::add_pair),
];

/// What a body may do.
const WILD: &[(u32, fn(&mut Host))] = &[
    (3, Host::create_with),
    (1, Host::clone),
    (3, Host::destroy),
    (2, Host::destroy_n),
    (6, Host::add),
    (6, Host::remove),
    (2, Host::add_n),
    (2, Host::remove_n),
    (2, Host::set_n),
    (3, Host::add_pair),
    (3, Host::remove_pair),
    (2, Host::set_parent),
    (1, Host::move_child),
    (1, Host::instantiate),
    (1, Host::enable),
    (1, Host::enable_component),
    (1, Host::set_base),
    (1, Host::compact),
    (1, Host::make_group),
    (1, Host::sort),
    (1, Host::optimize),
    (1, Host::refresh_query),
];

/// So many calm changes a loop over a group can follow, wherever they are.
const MOST: u32 = 20;

impl Host {
    /// Who is destroyed alone: nobody goes along.
    pub fn destroy_alone(&mut self) {
        let who = self.who();
        if self.kin.graph.check_plain(who).is_ok() && self.goes_alone(who) {
            self.destroy_one(who);
        }
    }

    fn goes_alone(&self, who: u64) -> bool {
        self.kin.graph.doomed(&[who]) == Ok(BTreeSet::from([who]))
    }

    /// DZ_EACH, and a body.
    pub fn walk(&mut self) {
        let calmly = self.once_in(2) && self.desk.is_unheard();
        let (trouble, before) = (self.trouble, self.loops.len());
        (self.undisturbed, self.trouble) = (calmly, if calmly { 0 } else { trouble });
        self.begin_loop();
        let mut left = if calmly { MOST } else { 60 };
        while self.loops.len() > before {
            let mut open = self.loops.pop().unwrap();
            let Some(entity) = self.advance(&mut open) else {
                self.check_loop_end(&open);
                break;
            };
            self.loops.push(open);
            self.focus = entity;
            for _ in 0..self.dice.below(3) {
                if left > 0 {
                    left -= 1;
                    self.step_of(if calmly { CALM } else { WILD });
                }
            }
        }
        (self.undisturbed, self.trouble, self.focus) = (false, trouble, 0);
    }

    /// The plain loop that goes down: it may take its current one out, if nobody goes along.
    pub fn walk_plainly(&mut self) {
        if !self.has.backward {
            return;
        }
        let trouble = std::mem::take(&mut self.trouble);
        self.undisturbed = true;
        self.disturb_loops();
        let backward = dz_direction::DZ_BACKWARD;
        match self.one_of(&self.groups.clone()).filter(|_| self.dice.below(2) == 0) {
            Some(group) => {
                let required: Vec<_> = group.required().copied().collect();
                let iter = read::group(self.world, group.handle, backward);
                self.go_down(iter, self.members(&group), &required);
            }
            None => {
                if let Some((id, _)) = self.component() {
                    let iter = read::pool(self.world, id, backward);
                    self.go_down(iter, self.visible(id), &[id]);
                }
            }
        }
        (self.undisturbed, self.trouble) = (false, trouble);
    }

    fn go_down(&mut self, mut iter: dz_iter, mut left: BTreeSet<u64>, removed: &[u64]) {
        self.record.note(self.step, &format!("a plain loop goes down over {left:x?}"));
        while call!(dz_next(&mut iter)) {
            for i in (0..iter.count).rev() {
                let entity = entity_at(&iter, i);
                assert!(left.remove(&entity), "{entity:x} isn't one, or is seen twice");
                match self.dice.below(4) {
                    0 if self.goes_alone(entity) => self.step_by(|host| host.destroy_one(entity)),
                    1 => {
                        let id = self.one_of(removed).unwrap();
                        self.step_by(|host| host.remove_from(entity, id));
                    }
                    _ => {}
                }
            }
        }
        // Listeners iterate too.
        if iter.status == S::DZ_ERR_CHANGED as i32 && !self.desk.is_unheard() {
            return;
        }
        assert_eq!(iter.status, OK as i32, "a plain loop down: {}", message());
        assert!(left.is_empty(), "a plain loop down has missed {left:x?}");
    }
}
