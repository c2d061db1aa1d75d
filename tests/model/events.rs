//! Listeners that write down what they are told, and look at it while they are.

use crate::calls::S;
use crate::kinds::Kind;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, entity::*, world::*};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_void;

/// What one listener was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The listener, by a number of the test's.
    pub listener: u32,
    pub kind: i32,
    pub entity: dz_entity,
    pub id: dz_id,
    /// The payload, if there is one.
    pub value: Option<Vec<u8>>,
}

/// What all listeners of a world write to.
#[derive(Default)]
pub struct Diary {
    pub told: RefCell<Vec<Told>>,
    pub wrong: RefCell<Vec<String>>,
    /// How to read the components' values.
    pub kinds: RefCell<BTreeMap<dz_id, Kind>>,
}

/// What a listener is connected with: it must not move.
pub struct Ear {
    pub diary: *const Diary,
    pub number: u32,
}

pub unsafe extern "C" fn listen(event: *const dz_event, user: *mut c_void) {
    let (event, ear) = unsafe { (&*event, &*user.cast::<Ear>()) };
    let diary = unsafe { &*ear.diary };
    let complain = |text: &str| diary.wrong.borrow_mut().push(format!("{text}, told of {event:?}"));
    let of_entity = event.kind >= dz_event_kind::DZ_ON_CREATE as i32;
    let kind = diary.kinds.borrow().get(&event.id).copied();
    let value = if event.data.is_null() { None } else { kind.map(|kind| kind.read(event.data)) };
    let (kind, entity, id) = (event.kind, event.entity, event.id);
    diary.told.borrow_mut().push(Told { listener: ear.number, kind, entity, id, value });
    // Everybody that a listener is told of lives, and has what it is told of: both can be read.
    if !dz_is_alive(event.world, entity) {
        complain("an entity that doesn't live");
    }
    if !of_entity && !dz_has(event.world, entity, id) {
        complain("an entity that doesn't have it");
    }
    if !event.data.is_null() && event.data.cast_const() != dz_get(event.world, entity, id) {
        complain("another element than dz_get's");
    }
    // Nothing structural is allowed.
    let tries = [
        if dz_create(event.world) == 0 { dz_error_status() } else { S::DZ_OK },
        dz_destroy(event.world, entity),
        dz_world_clear(event.world),
        dz_world_destroy(event.world),
        dz_shrink(event.world),
    ];
    if tries != [S::DZ_ERR_IN_HOOK; 5] {
        complain(&format!("structural calls say {tries:?}"));
    }
    dz_error_clear();
}
