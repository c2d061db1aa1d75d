//! Components of one entity, component types, world-wide values.

use crate::calls::{self, OK, S};
use crate::graph::BUILTIN;
use crate::host::Host;
use crate::kinds::{KINDS, Needs};
use crate::read::write;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, accessor::*, component::*};
use std::ffi::c_void;

impl Host {
    /// What a call for an entity and a component comes to before it looks whether it is there.
    fn for_entity(&self, who: u64) -> Option<S> {
        self.kin.graph.check_plain(who).err()
    }

    pub fn add(&mut self) {
        let (who, Some((id, kind))) = (self.who(), self.component()) else { return };
        let Some((came, _)) = act!(self, dz_add(who, id)) else { return };
        let has = self.kin.graph.has.contains(&(who, id));
        let expected = self.for_entity(who).unwrap_or(if has { S::DZ_ALREADY_THERE } else { OK });
        self.expect(came, expected);
        if came == OK {
            self.kin.set_value(who, id, kind.initial());
        }
    }

    pub fn remove(&mut self) {
        let (mut who, Some((mut id, _))) = (self.who(), self.component()) else { return };
        if let Some(held) = self.held().filter(|_| !self.undisturbed) {
            (who, id) = held;
        }
        self.remove_from(who, id);
    }

    pub fn remove_from(&mut self, who: u64, id: u64) {
        let Some((came, _)) = act!(self, dz_remove(who, id)) else { return };
        let has = self.kin.graph.has.contains(&(who, id));
        let expected = self.for_entity(who).unwrap_or(if has { OK } else { S::DZ_NOT_THERE });
        self.expect(came, expected);
        self.kin.remove(who, id);
    }

    /// Sets a value of the test's, or somebody's element.
    pub fn set(&mut self) {
        let (who, Some((id, kind))) = (self.who(), self.component()) else { return };
        let other = self.someone();
        let own = self.kin.values.get(&(other, id)).cloned().filter(|_| kind.size > 0);
        let (payload, value) = match own {
            Some(payload) if self.once_in(4) => (payload, None),
            _ => {
                let payload = self.payload(kind);
                let value = kind.value(&payload);
                (payload, Some(value))
            }
        };
        let at: *const c_void = match &value {
            Some(value) => value.as_ptr().cast(),
            None => call!(dz_get(self.world, other, id)),
        };
        let size = if self.once_in(30) { kind.size + 1 } else { kind.size };
        let Some((came, _)) = act!(self, dz_set(who, id, size, at)) else { return };
        let expected = match self.for_entity(who) {
            Some(error) => error,
            None if kind.size == 0 => S::DZ_ERR_TAG,
            None if size != kind.size => S::DZ_ERR_SIZE,
            None => OK,
        };
        if self.for_entity(who).is_some() && (kind.size == 0 || size != kind.size) {
            return assert!((came as i32) < 0);
        }
        self.expect(came, expected);
        if came == OK {
            self.kin.set_value(who, id, payload);
        }
    }

    /// Writes to the element itself.
    pub fn write(&mut self) {
        let (who, Some((id, kind))) = (self.who(), self.data()) else { return };
        let Some((came, at)) = act!(self, dz_get_mut(who, id)) else { return };
        let source = self.kin.source(who, id);
        let expected = match self.kin.graph.check(who) {
            Err(error) => error,
            Ok(()) if source.is_some_and(|source| source != who) => S::DZ_ERR_INHERITED,
            Ok(()) => OK,
        };
        self.expect(came, expected);
        assert_eq!(!at.is_null(), source == Some(who));
        if !at.is_null() {
            let payload = self.payload(kind);
            write(kind, at, &payload);
            self.kin.set_value(who, id, payload);
        }
    }

    pub fn get_or_add(&mut self) {
        let (who, Some((id, kind))) = (self.who(), self.data()) else { return };
        let Some((came, at)) = act!(self, dz_get_or_add(who, id)) else { return };
        let expected = self.for_entity(who).unwrap_or(OK);
        self.expect(came, expected);
        if came == OK {
            if self.kin.override_component(who, id) == S::DZ_ERR_NOT_HELD {
                self.kin.set_value(who, id, kind.initial());
            }
            assert_eq!(at.cast_const(), self.own(who, id));
        }
    }

    /// Registers one, or finds it.
    pub fn register(&mut self) {
        let number = self.dice.below(KINDS.len());
        let mut kind = KINDS[number];
        if cfg!(miri) && kind.size > 100 {
            return;
        }
        let other_shape = self.ids[number] != 0 && self.once_in(4);
        kind.stable ^= other_shape;
        let desc = dz_component_desc {
            size: size_of::<dz_component_desc>() as u32,
            policy: kind.stable.into(),
            name: kind.name.as_ptr(),
            element_size: kind.size,
            element_alignment: kind.align,
            hooks: self.ledgers[number].hooks(&kind),
        };
        self.record.note(self.step, &format!("of {:?}", kind.name));
        let first = call!(dz_component_id(self.world)) == 0;
        let done = act!(self, dz_component_register(&raw const desc));
        let builtin = call!(dz_component_id(self.world));
        assert!(!first || done.is_none() || builtin != 0);
        if first && builtin != 0 {
            // It stays if the one that asked for it failed.
            self.kin.graph.links.insert(builtin, vec![]);
            self.kin.graph.components.insert(builtin, &BUILTIN);
        }
        let Some((came, id)) = done else { return };
        self.expect(came, if other_shape { S::DZ_ERR_SHAPE } else { OK });
        if other_shape {
            return;
        }
        if self.ids[number] == 0 {
            self.born(id);
            self.kin.graph.components.insert(id, &KINDS[number]);
            self.ids[number] = id;
            self.desk.know(id, &KINDS[number]);
        }
        assert_eq!(id, self.ids[number], "one of that name is found");
    }

    pub fn unregister(&mut self) {
        let Some((id, _)) = self.component() else { return };
        if !self.once_in(3) {
            return;
        }
        let Some((came, _)) = act!(self, dz_component_unregister(id)) else { return };
        let grouped = self.groups.iter().any(|group| group.ids().any(|other| *other == id));
        let expected = if grouped { S::DZ_ERR_GROUPED } else { self.end_component(id) };
        self.expect(came, expected);
    }

    fn end_component(&mut self, id: u64) -> S {
        let kind = self.kind(id);
        let came = self.end(&[id]);
        if came == OK && kind.needs == Needs::All && kind.size > 0 {
            let number = KINDS.iter().position(|other| other.name == kind.name).unwrap();
            assert!(self.ledgers[number].living.borrow().is_empty(), "elements of {:?} live on", kind.name);
        }
        came
    }

    pub fn clear_pool(&mut self) {
        let Some((id, _)) = self.component() else { return };
        if !self.once_in(3) {
            return;
        }
        let Some((came, _)) = act!(self, dz_clear_pool(id)) else { return };
        self.expect(came, OK);
        for entity in self.plain() {
            self.kin.remove(entity, id);
        }
    }

    pub fn compact(&mut self) {
        let Some((id, kind)) = self.component() else { return };
        let Some((came, _)) = act!(self, dz_compact(id)) else { return };
        self.expect(came, if kind.stable { OK } else { S::DZ_ERR_POLICY });
        if kind.stable {
            assert_eq!(calls::info(self.world, id).map(|info| info.gaps), Ok(0));
            self.addresses.retain(|(other, _), _| *other != id);
        }
    }

    pub fn singleton(&mut self) {
        let Some((id, kind)) = self.data() else { return };
        if self.once_in(3) {
            let Some((came, _)) = act!(self, dz_singleton_remove(id)) else { return };
            let had = self.singletons.remove(&id).is_some();
            return self.expect(came, if had { OK } else { S::DZ_NOT_THERE });
        }
        let payload = self.payload(kind);
        let value = kind.value(&payload);
        let done = act!(self, dz_singleton_set(id, kind.size, value.as_ptr().cast::<c_void>()));
        let Some((came, _)) = done else { return };
        self.expect(came, OK);
        self.singletons.insert(id, payload);
        let at = call!(dz_singleton_get_mut(self.world, id));
        let payload = self.payload(kind);
        write(kind, at, &payload);
        self.singletons.insert(id, payload);
    }

    /// An accessor does what the calls do, however old it is.
    pub fn access(&mut self) {
        let Some((id, _)) = self.component() else { return };
        if self.accessors.len() < 4 || self.once_in(8) {
            let mut accessor = unsafe { std::mem::zeroed::<dz_accessor>() };
            assert_eq!(call!(dz_accessor_init(self.world, id, &mut accessor)), OK);
            self.accessors.truncate(3);
            self.accessors.insert(0, accessor);
        }
        let Some(accessor) = self.one_of(&self.accessors.clone()) else { return };
        let (who, id) = (self.who(), accessor.id);
        let answers = |has: bool, at: *const c_void, to_write: *const c_void| (has, at, to_write);
        calls::last();
        let quick = answers(
            call!(dz_accessor_has(&accessor, who)),
            call!(dz_accessor_get(&accessor, who)),
            call!(dz_accessor_get_mut(&accessor, who)),
        );
        let status = calls::last();
        let world = self.world;
        let slow = answers(
            call!(dz_has(world, who, id)),
            call!(dz_get(world, who, id)),
            call!(dz_get_mut(world, who, id)),
        );
        assert_eq!((quick, status), (slow, calls::last()), "an accessor");
    }
}
