//! Operations on components as a whole, and listeners.

use crate::calls::{self, OK, S};
use crate::events::{Ear, listen};
use crate::kinds::KINDS;
use crate::ops::{Op, Which};
use crate::run::{Host, Said};
use denizen::ffi::types::*;
use denizen::ffi::{component::*, listener::*};
use std::rc::Rc;

impl Host {
    pub fn run_component(&mut self, op: &Op) -> Option<(Said, S)> {
        let world = self.world;
        Some(match op {
            Op::Register(number, right) => {
                let at = usize::from(*number) % KINDS.len();
                let mut kind = KINDS[at];
                if !right {
                    kind.stable = !kind.stable;
                }
                let hooks = self.ledgers[at].hooks(&kind);
                let mut id = 0;
                let got = self.call(|_| {
                    id = calls::register(world, kind.name, kind.size, kind.align, kind.stable, hooks);
                    calls::last()
                })?;
                // Of another shape it may be registered just as well, if the name is free.
                let said = self.naive.register(kind).map(|made| assert_eq!(made, id));
                if said.is_ok() {
                    self.diary.kinds.borrow_mut().insert(id, kind);
                }
                (said.map(|()| OK), got)
            }
            Op::Unregister(which) => {
                let id = self.which(*which);
                let got = self.call_without_memory(|_| dz_component_unregister(world, id));
                let said = self.naive.unregister(id);
                if said.is_ok() {
                    self.gone.push(id);
                    self.ears.retain(|(_, _, of)| *of != id);
                }
                (said.map(|()| OK), got)
            }
            Op::ClearPool(which) => {
                let id = self.which(*which);
                let got = self.call_without_memory(|_| dz_clear_pool(world, id));
                (self.naive.clear_pool(id).map(|()| OK), got)
            }
            Op::Compact(which) => {
                let id = self.which(*which);
                let got = self.call_without_memory(|_| dz_compact(world, id));
                let said = self.naive.compact(id);
                if said.is_ok() {
                    self.addresses.retain(|(of, _), _| *of != id);
                }
                (said.map(|()| OK), got)
            }
            Op::SingletonSet(which, size) => {
                let id = self.which(*which);
                let (payload, value) = self.value(id, *size);
                let got = self.call(|_| calls::singleton_set(world, id, &value))?;
                (self.naive.singleton_set(id, value.len() as u32, payload).map(|()| OK), got)
            }
            Op::SingletonRemove(which) => {
                let id = self.which(*which);
                let got = self.call_without_memory(|_| dz_singleton_remove(world, id));
                (self.naive.singleton_remove(id), got)
            }
            Op::Group(op) => return self.run_group(op),
            Op::Listen(kind, which) => return self.listen((*kind).into(), *which),
            Op::Unlisten(number) => {
                let at = usize::from(*number) % (self.ears.len() + 1);
                let handle = self.ears.get(at).map_or(dz_listener { bits: 77_777 }, |ear| ear.0);
                let got = self.call_without_memory(|_| dz_unlisten(world, handle));
                let said = if at < self.ears.len() { Ok(OK) } else { Err(S::DZ_ERR_LISTENER) };
                if said.is_ok() {
                    let number = self.ears.remove(at).1.number;
                    let naive = &mut self.naive;
                    let lists = naive.components.values_mut().flat_map(|c| c.listeners.iter_mut());
                    lists.chain(&mut naive.listeners).for_each(|list| list.retain(|other| *other != number));
                }
                (said, got)
            }
            _ => unreachable!("done before"),
        })
    }

    fn listen(&mut self, kind: i32, which: Which) -> Option<(Said, S)> {
        let of_entity = kind >= dz_event_kind::DZ_ON_CREATE as i32;
        // An entity event has no component; sometimes one is given all the same.
        let id = match which {
            Which::Registered(number) if of_entity && number < 230 => 0,
            which => self.which(which),
        };
        self.ear_numbers += 1;
        let ear = Rc::new(Ear { diary: &raw const *self.diary, number: self.ear_numbers });
        let user = (&raw const *ear).cast_mut().cast();
        let mut made = dz_listener::default();
        let world = self.world;
        let got = self.call(|_| {
            made = unsafe { dz_listen(world, kind, id, Some(listen), user) };
            calls::last()
        })?;
        let said = match kind {
            0..=2 => self.naive.component(id).map(|_| ()),
            3 | 4 if id == 0 => Ok(()),
            3 | 4 => Err(S::DZ_ERR_RANGE),
            _ => Err(S::DZ_ERR_ENUM),
        };
        assert_eq!(made.bits != 0, said.is_ok());
        if said.is_ok() {
            let list = match kind {
                3 | 4 => &mut self.naive.listeners[kind as usize - 3],
                _ => &mut self.naive.components.get_mut(&id).unwrap().listeners[kind as usize],
            };
            list.push(ear.number);
            self.ears.push((made, ear, id));
        }
        Some((said.map(|()| OK), got))
    }
}
