//! Making and ending entities, one or many, and what is done to the world as a whole.

use crate::calls::{OK, S, stats};
use crate::host::Host;
use crate::kinds::Kind;
use denizen::ffi::component::dz_component_id;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, entity::*, world::*};
use std::collections::BTreeSet;
use std::ptr::null;

/// So many are made to see that there is room for them.
const MOST_AT_ONCE: u32 = 100;

impl Host {
    pub fn create(&mut self) {
        if self.is_full() {
            return;
        }
        if self.once_in(4) && self.room() > 0 {
            return self.create_in_room();
        }
        let Some((came, made)) = act!(self, dz_create()) else { return self.fill_room() };
        self.expect(came, OK);
        self.born(made);
    }

    /// After a call that got only some of its memory the world says no more than is there.
    fn fill_room(&mut self) {
        let room = self.room();
        for _ in 0..if room > MOST_AT_ONCE { 1 } else { room } {
            self.create_in_room();
        }
    }

    /// Where there is room, as the world says, creating needs no memory.
    fn create_in_room(&mut self) {
        self.prepare_desk(true);
        self.arena.starve.set(Some(0));
        self.arena.for_good.set(true);
        self.record.note(self.step, "(no memory, and room enough)");
        let made = call!(dz_create(self.world));
        self.arena.starve.set(None);
        self.arena.for_good.set(false);
        self.arena.starved.set(false);
        assert_ne!(made, 0, "there is room: {}", crate::calls::message());
        self.stir_loops("dz_create", false);
        self.born(made);
    }

    /// How many slots have memory and are free.
    fn room(&self) -> u32 {
        let numbers = stats(self.world);
        let outside = |entity: &u64| call!(dz_entity_index(*entity)) >= self.reserved;
        let used = self.living().into_iter().filter(outside).count() as u32 + numbers.retired;
        numbers.capacity.checked_sub(used).expect("as many as live have room")
    }

    pub fn create_n(&mut self) {
        let n = if self.is_full() || self.once_in(20) { 0 } else { self.dice.size(40) };
        let mut made = vec![0; n];
        let done = act!(self, dz_create_n(n as u32, made.as_mut_ptr()));
        let Some((came, _)) = done else { return self.fill_room() };
        self.expect(came, if n == 0 { S::DZ_NOTHING_TO_DO } else { OK });
        made.into_iter().for_each(|entity| self.born(entity));
    }

    /// With components, from columns of values.
    pub fn create_with(&mut self) {
        let n = match self.is_full() {
            true => 0,
            false if self.once_in(3) => 1,
            false => self.dice.size(60),
        };
        let mut columns: Vec<(dz_id, &'static Kind, Option<Vec<Vec<u8>>>)> = vec![];
        for _ in 0..self.dice.below(6) {
            let Some((id, kind)) = self.component() else { return };
            let values = self.once_in(2).then(|| (0..n).map(|_| self.payload(kind)).collect());
            if columns.iter().all(|(other, ..)| *other != id) {
                columns.push((id, kind, values));
            }
        }
        let bytes = |(_, kind, values): &(_, &Kind, Option<Vec<Vec<u8>>>)| {
            values.as_ref().map(|all| all.iter().flat_map(|payload| kind.value(payload)).collect())
        };
        let bytes: Vec<Option<Vec<u8>>> = columns.iter().map(bytes).collect();
        let rows = columns.iter().zip(&bytes).map(|((id, kind, _), bytes)| dz_column {
            id: *id,
            values: bytes.as_ref().map_or(null(), |bytes| bytes.as_ptr().cast()),
            element_size: kind.size,
            reserved: 0,
        });
        let mut rows: Vec<_> = rows.collect();
        let mut expected = if n == 0 { S::DZ_NOTHING_TO_DO } else { OK };
        if self.once_in(8)
            && let Some(last) = rows.last_mut()
        {
            last.element_size += 1;
            expected = S::DZ_ERR_SIZE;
        }
        let mut made = vec![0; n];
        let (count, out) = (rows.len() as u32, made.as_mut_ptr());
        let done = act!(self, dz_create_with(n as u32, rows.as_ptr(), count, out));
        let Some((came, _)) = done else { return self.fill_room() };
        self.expect(came, expected);
        if came != OK {
            return;
        }
        for (at, entity) in made.into_iter().enumerate() {
            self.born(entity);
            for (id, kind, values) in &columns {
                let payload = values.as_ref().map_or_else(|| kind.initial(), |values| values[at].clone());
                self.kin.set_value(entity, *id, payload);
            }
        }
    }

    /// A handle that may be nobody's yet: its generation is the slot's, or some more, or one less.
    fn handle(&mut self) -> u64 {
        let index = match self.once_in(2) {
            true => self.gone.last().map_or(400, |last| call!(dz_entity_index(*last))),
            false => self.reserved + self.dice.below(600) as u32,
        };
        let generation = call!(dz_generation(self.world, index)).max(1);
        let generation = match self.dice.below(6) {
            0 => generation + self.dice.below(5) as u32,
            1 => generation.max(2) - 1,
            _ => generation,
        };
        let number =
            if self.case.layout == dz_layout::DZ_LAYOUT_32 { 0 } else { call!(dz_world_number(self.world)) };
        call!(dz_entity_make(number, index, generation))
    }

    /// What it would come to to create exactly that one.
    fn can_be(&self, handle: u64) -> S {
        let (index, generation) = (call!(dz_entity_index(handle)), call!(dz_entity_generation(handle)));
        if index < self.reserved {
            return S::DZ_ERR_RESERVED;
        }
        if self.kin.graph.links.keys().any(|entity| call!(dz_entity_index(*entity)) == index) {
            return S::DZ_ERR_OCCUPIED;
        }
        if generation < call!(dz_generation(self.world, index)) { S::DZ_ERR_DEAD } else { OK }
    }

    pub fn create_at(&mut self) {
        if self.is_full() {
            return;
        }
        let handle = self.handle();
        let expected = self.can_be(handle);
        let Some((came, _)) = act!(self, dz_create_at(handle)) else { return };
        self.expect(came, expected);
        if came == OK {
            self.born(handle);
        }
    }

    pub fn create_at_n(&mut self) {
        if self.is_full() {
            return;
        }
        let mut all: Vec<u64> = (0..self.dice.below(8)).map(|_| self.handle()).collect();
        if !self.once_in(3) {
            all.sort_unstable();
        }
        let mut indices: Vec<_> = all.iter().map(|handle| call!(dz_entity_index(*handle))).collect();
        indices.sort_unstable();
        indices.dedup();
        if indices.len() < all.len() {
            return;
        }
        let errors: Vec<S> = all.iter().map(|handle| self.can_be(*handle)).filter(|s| *s != OK).collect();
        let Some((came, _)) = act!(self, dz_create_at_n(all.as_ptr(), all.len() as u32)) else { return };
        if errors.is_empty() {
            self.expect(came, if all.is_empty() { S::DZ_NOTHING_TO_DO } else { OK });
            all.into_iter().for_each(|handle| self.born(handle));
        } else {
            assert!(errors.contains(&came), "{came:?} of {errors:?}");
        }
    }

    pub fn clone(&mut self) {
        let who = self.who();
        if self.is_full() || self.kin.graph.links.get(&who).is_some_and(|links| links.len() > 40) {
            return;
        }
        let expected = self.kin.graph.check_plain(who).err().unwrap_or(OK);
        let Some((came, copy)) = act!(self, dz_clone(who)) else { return };
        self.expect(came, expected);
        if copy != 0 {
            self.born(copy);
            self.kin.clone_as(who, copy);
        }
    }

    /// What destroying a component's entity comes to.
    fn if_component(&self, who: u64) -> Option<S> {
        self.kin.graph.components.get(&who)?;
        let held = self.kin.graph.has.iter().any(|(_, id)| *id == who);
        let builtin = call!(dz_component_id(self.world)) == who;
        Some(if builtin {
            S::DZ_ERR_BUILTIN
        } else if held {
            S::DZ_ERR_HELD
        } else {
            S::DZ_ERR_IS_COMPONENT
        })
    }

    pub fn destroy(&mut self) {
        let who = self.victim();
        self.destroy_one(who);
    }

    pub fn destroy_one(&mut self, who: u64) {
        let Some((came, _)) = act!(self, dz_destroy(who)) else { return };
        let expected = self.if_component(who).unwrap_or_else(|| self.end(&[who]));
        self.expect(came, expected);
    }

    pub fn destroy_n(&mut self) {
        let own = if self.once_in(5) { self.own_array(None) } else { None };
        let mut all = own.as_ref().map_or_else(|| self.several(6), |(_, all)| all.clone());
        let mut expected = None;
        if own.is_none() && !all.is_empty() && self.once_in(8) {
            let (at, first) = (self.dice.below(all.len()), all[0]);
            expected = Some(match self.gone.last() {
                Some(gone) if at == 0 => {
                    all[0] = *gone;
                    S::DZ_ERR_DEAD
                }
                _ => {
                    all.push(first);
                    S::DZ_ERR_DUPLICATE
                }
            });
        }
        self.record.note(self.step, &format!("of {all:x?}, own {}", own.is_some()));
        let at = own.map_or(all.as_ptr(), |(at, _)| at);
        let done = act!(self, dz_destroy_n(at, all.len() as u32, std::ptr::null_mut::<S>()));
        let Some((came, _)) = done else { return };
        let expected = expected.unwrap_or_else(|| match all.is_empty() {
            true => S::DZ_NOTHING_TO_DO,
            false => self.end(&all),
        });
        self.expect(came, expected);
    }

    /// Each by itself, with a report.
    pub fn destroy_each(&mut self) {
        let all: Vec<u64> = (0..self.dice.below(5)).map(|_| self.victim()).collect();
        let mut report = vec![S::DZ_ERR_FULL; all.len()];
        self.record.note(self.step, &format!("of {all:x?}"));
        let done = act!(self, dz_destroy_n(all.as_ptr(), all.len() as u32, report.as_mut_ptr()));
        let Some((came, _)) = done else { return };
        self.expect(came, if all.is_empty() { S::DZ_NOTHING_TO_DO } else { OK });
        for (who, came) in all.into_iter().zip(report) {
            let expected = self.if_component(who).unwrap_or_else(|| self.end(&[who]));
            assert_eq!(came, expected, "of {who:x}");
        }
    }

    pub fn clear(&mut self) {
        if !self.once_in(8) {
            return;
        }
        let Some((came, _)) = act!(self, dz_world_clear()) else { return };
        self.expect(came, OK);
        let before = self.living();
        self.kin.graph.clear();
        self.singletons.clear();
        self.forget(&before);
    }

    pub fn shrink(&mut self) {
        let before = self.arena.bytes();
        let Some((came, _)) = act!(self, dz_shrink()) else { return };
        self.expect(came, OK);
        assert!(self.arena.bytes() <= before, "shrinking takes memory");
    }

    pub fn reserve(&mut self) {
        let few = self.kin.graph.links.len() + self.dice.size(60);
        let room = if self.once_in(4) { self.dice.below(1500) } else { few } as u32;
        let Some((came, _)) = act!(self, dz_reserve(room)) else { return self.fill_room() };
        self.expect(came, OK);
        assert!(stats(self.world).capacity >= room, "less room than was reserved");
        self.user = 1 + room as usize;
        assert_eq!(call!(dz_world_set_user(self.world, self.user as *mut _)), OK);
    }

    /// What must not be passed to it is refused, whoever it is.
    pub fn strangers(&mut self) {
        let Some(gone) = self.one_of(&self.gone.clone()) else { return };
        assert_eq!(call!(dz_why(self.world, gone)), S::DZ_ERR_DEAD);
        assert!(!call!(dz_is_alive(self.world, gone)));
        let Some((id, _)) = self.component() else { return };
        for stranger in [gone, 0, u64::MAX] {
            call!(dz_error_clear());
            assert!(!call!(dz_has(self.world, stranger, id)));
            let why = call!(dz_error_status());
            assert_eq!(call!(dz_why(self.world, stranger)), why, "{stranger:x}");
            assert_ne!(why, OK);
        }
        let distinct: BTreeSet<u64> = self.living().into_iter().collect();
        assert!(!distinct.contains(&gone), "a handle comes back");
    }
}
