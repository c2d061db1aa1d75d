//! Listeners: what they are told is what has changed. While they are they read, set values, and try what is refused.

use crate::calls::{self, OK, S};
use crate::host::Host;
use crate::kinds::Kind;
use crate::read;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, component::*, entity::*, instance::*, listener::*, tree::*, world::*};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::rc::Rc;

/// A component of an entity, and a value.
type Written = (u64, dz_id, Vec<u8>);

/// One who listens. It must not move.
pub struct Ear {
    desk: *const Desk,
    handle: Cell<dz_listener>,
    kind: i32,
    id: dz_id,
    /// Whom it was told of since the last look, by component.
    told: RefCell<Vec<(u64, dz_id)>>,
}

/// What listeners share.
#[derive(Default)]
pub struct Desk {
    ears: Vec<Rc<Ear>>,
    kinds: RefCell<BTreeMap<dz_id, &'static Kind>>,
    /// Values that listeners may set in the next call.
    to_set: RefCell<Vec<Written>>,
    /// What they have set.
    written: RefCell<Vec<Written>>,
    wrong: RefCell<Vec<String>>,
}

/// Who lived before a step, and had what.
pub struct Before {
    has: BTreeSet<(u64, u64)>,
    living: BTreeSet<u64>,
}

const ADD: i32 = dz_event_kind::DZ_ON_ADD as i32;
const SET: i32 = dz_event_kind::DZ_ON_SET as i32;
const REMOVE: i32 = dz_event_kind::DZ_ON_REMOVE as i32;
const CREATE: i32 = dz_event_kind::DZ_ON_CREATE as i32;

unsafe extern "C" fn hear(event: *const dz_event, user: *mut c_void) {
    let (event, ear) = unsafe { (&*event, &*user.cast::<Ear>()) };
    let desk = unsafe { &*ear.desk };
    ear.told.borrow_mut().push((event.entity, event.id));
    desk.look(ear, event);
    desk.try_what_is_refused(event);
    match event.kind {
        SET => desk.write_to_it(event),
        ADD => {}
        _ => desk.set_somebodys(event.world),
    }
    call!(dz_error_clear());
}

impl Desk {
    /// How the values of a component are read.
    pub fn know(&mut self, id: dz_id, kind: &'static Kind) {
        self.kinds.borrow_mut().insert(id, kind);
    }

    /// Whether nobody listens.
    pub fn is_unheard(&self) -> bool {
        self.ears.is_empty()
    }

    /// Whether nobody was told of anything.
    pub fn is_empty(&self) -> bool {
        self.ears.iter().all(|ear| ear.told.borrow().is_empty()) && self.written.borrow().is_empty()
    }

    /// Callbacks must not panic, so what is wrong is kept until somebody looks.
    fn complain(&self, text: String) {
        self.wrong.borrow_mut().push(text);
    }

    /// Everybody that a listener is told of lives, and has what it is told of.
    fn look(&self, ear: &Ear, event: &dz_event) {
        let (world, entity, id) = (event.world, event.entity, event.id);
        let of_entity = event.kind >= CREATE;
        let fits = (event.kind, id) == (ear.kind, ear.id) && call!(dz_is_alive(world, entity));
        let has = of_entity || call!(dz_source(world, entity, id)) == entity;
        if !fits || !has {
            self.complain(format!("told of {event:x?}"));
        }
        let at =
            if event.data.is_null() { event.data.cast_const() } else { call!(dz_get(world, entity, id)) };
        let size = self.kinds.borrow().get(&id).map_or(0, |kind| kind.size);
        if at != event.data || (size > 0) == event.data.is_null() {
            self.complain(format!("another element than dz_get's: {event:x?}"));
        }
        if !of_entity {
            let mut iter = read::pool(world, id, dz_direction::DZ_FORWARD);
            if read::rest(&mut iter).len() > call!(dz_count(world, id)) as usize {
                self.complain(format!("more are seen than there are: {event:x?}"));
            }
        }
    }

    fn try_what_is_refused(&self, event: &dz_event) {
        let (world, entity) = (event.world, event.entity);
        call!(dz_error_clear());
        let came = match (call!(dz_entity_index(entity)) + event.kind as u32) % 6 {
            0 => {
                call!(dz_create(world));
                calls::last()
            }
            1 => call!(dz_destroy(world, entity)),
            2 => call!(dz_set_parent(world, entity, 0)),
            3 => call!(dz_shrink(world)),
            4 => call!(dz_world_clear(world)),
            _ => call!(dz_world_destroy(world)),
        };
        if came != S::DZ_ERR_IN_HOOK {
            self.complain(format!("a structural call is {came:?}, told of {event:x?}"));
        }
    }

    /// A listener of DZ_ON_SET writes through the event.
    fn write_to_it(&self, event: &dz_event) {
        let Some(kind) = self.kinds.borrow().get(&event.id).copied() else { return };
        let index = call!(dz_entity_index(event.entity));
        if index.is_multiple_of(3) && !event.data.is_null() {
            let payload = kind.payload(index);
            read::write(kind, event.data, &payload);
            self.written.borrow_mut().push((event.entity, event.id, payload));
        }
    }

    fn set_somebodys(&self, world: dz_world) {
        let Some((entity, id, payload)) = self.to_set.borrow_mut().pop() else { return };
        let Some(kind) = self.kinds.borrow().get(&id).copied() else { return };
        let lives = call!(dz_is_alive(world, entity)) && call!(dz_is_alive(world, id));
        if !lives || call!(dz_source(world, entity, id)) != entity {
            return;
        }
        let value = kind.value(&payload);
        // Before the call: it may tell a listener, who writes too, and whose value is the one that stays.
        let at = self.written.borrow().len();
        self.written.borrow_mut().push((entity, id, payload));
        match call!(dz_set(world, entity, id, kind.size, value.as_ptr().cast())) {
            OK => {}
            S::DZ_ERR_BUDGET => drop(self.written.borrow_mut().remove(at)),
            other => self.complain(format!("setting what is there is {other:?} in a listener")),
        }
    }
}

impl Host {
    pub fn listen(&mut self) {
        if !self.has.listeners || self.desk.ears.len() > 5 {
            return;
        }
        let kind = self.dice.below(5) as i32;
        let id = if kind >= CREATE { 0 } else { self.component().map_or(0, |(id, _)| id) };
        if kind < CREATE && id == 0 {
            return;
        }
        let (handle, told) = Default::default();
        let ear = Rc::new(Ear { desk: &raw const *self.desk, handle, kind, id, told });
        let user: *mut c_void = Rc::as_ptr(&ear).cast_mut().cast();
        let hear: dz_listener_fn = Some(hear);
        let Some((came, handle)) = act!(self, dz_listen(kind, id, hear, user)) else { return };
        self.expect(came, OK);
        ear.handle.set(handle);
        self.desk.ears.push(ear);
    }

    pub fn unlisten(&mut self) {
        if self.desk.ears.is_empty() {
            return;
        }
        let at = self.dice.below(self.desk.ears.len());
        let handle = self.desk.ears[at].handle.get();
        let Some((came, _)) = act!(self, dz_unlisten(handle)) else { return };
        self.expect(came, OK);
        self.desk.ears.remove(at);
        assert_eq!(call!(dz_unlisten(self.world, handle)), S::DZ_ERR_LISTENER);
    }

    /// What a listener may set in the next call. Where that meets trouble it sets nothing: it would be its own.
    pub fn prepare_desk(&mut self, troubled: bool) {
        self.desk.to_set.borrow_mut().clear();
        if troubled || self.desk.ears.is_empty() {
            return;
        }
        for _ in 0..self.dice.below(3) {
            let (who, Some((id, kind))) = (self.someone(), self.data()) else { return };
            let payload = self.payload(kind);
            self.desk.to_set.borrow_mut().push((who, id, payload));
        }
    }

    pub fn before_step(&self) -> Option<Before> {
        let living = || self.plain().into_iter().collect();
        (!self.desk.ears.is_empty()).then(|| Before { has: self.kin.graph.has.clone(), living: living() })
    }

    /// Each listener was told of what has changed, once, and of nothing else. What they have set is how it is.
    pub fn after_step(&mut self, before: Option<Before>) {
        let Some(before) = before else { return };
        let written = self.desk.written.take();
        for (entity, id, payload) in written {
            if self.kin.graph.has.contains(&(entity, id)) {
                self.kin.set_value(entity, id, payload);
            }
        }
        let (has, living) = (&self.kin.graph.has, self.plain().into_iter().collect());
        self.desk.compare(&before, has, &living);
        let Self { desk, kin, .. } = self;
        desk.ears.retain(|ear| ear.id == 0 || kin.graph.components.contains_key(&ear.id));
    }
}

impl Desk {
    fn compare(&self, before: &Before, has: &BTreeSet<(u64, u64)>, living: &BTreeSet<u64>) {
        let of = |id: u64, all: &BTreeSet<(u64, u64)>, but: &BTreeSet<(u64, u64)>| {
            let all = all.difference(but).filter(|(_, other)| *other == id);
            all.copied().collect::<Vec<_>>()
        };
        let new = |all: &BTreeSet<u64>, but: &BTreeSet<u64>| {
            all.difference(but).map(|entity| (*entity, 0)).collect::<Vec<_>>()
        };
        for ear in &self.ears {
            let mut told = ear.told.take();
            told.sort_unstable();
            let expected = match ear.kind {
                ADD => of(ear.id, has, &before.has),
                REMOVE => of(ear.id, &before.has, has),
                CREATE => new(living, &before.living),
                SET => continue,
                _ => new(&before.living, living),
            };
            assert_eq!(told, expected, "what a listener of kind {} of {:x} was told", ear.kind, ear.id);
        }
        assert_eq!(*self.wrong.borrow(), Vec::<String>::new());
    }

    /// When a world ends all is told of as if everybody were destroyed.
    pub fn check_end(&self, host: &Host) {
        let living = host.plain().into_iter().collect();
        let before = Before { has: host.kin.graph.has.clone(), living };
        self.compare(&before, &BTreeSet::new(), &BTreeSet::new());
    }
}
