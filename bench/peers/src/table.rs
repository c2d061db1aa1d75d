//! A peer as a table of C functions: what a shared library around it would export.
//!
//! The functions have the shape of denizen's: the world first, then the handle as an integer; the component
//! by its id, which only the program that runs knows, the value by size and pointer; and a status is
//! returned. What C hands in is only checked as far as it must be to call the peer, and the world not at all, so
//! this is the least that a peer costs behind a C ABI. Where one call makes an entity with P and V, the types are the
//! function's. The table stands for the dynamic linker's own table of addresses: a call goes through
//! one loaded address either way.

use crate::contender::Contender;
use crate::parts::{C2, P, V};
use std::ffi::c_void;

/// A peer's world, as C sees it: nothing but an address.
pub type World = *mut c_void;

/// What C calls a component by: the ids below, then those of the other ones.
pub type Id = u64;
pub const P_ID: Id = 1;
pub const C2_ID: Id = 2;
pub const FIRST_OTHER: Id = 3;

/// The statuses.
pub const DONE: i32 = 0;
pub const REFUSED: i32 = -1;

#[repr(C)]
pub struct Table {
    pub new: unsafe extern "C" fn(u32) -> World,
    pub free: unsafe extern "C" fn(World),
    pub create: unsafe extern "C" fn(World) -> u64,
    pub create_pv: unsafe extern "C" fn(World, *const P, *const V) -> u64,
    pub create_pvc: unsafe extern "C" fn(World, *const P, *const V, *const C2) -> u64,
    pub create_n: unsafe extern "C" fn(World, u32, *mut u64),
    pub create_pv_n: unsafe extern "C" fn(World, u32, *const P, *const V, *mut u64),
    pub destroy: unsafe extern "C" fn(World, u64),
    pub destroy_n: unsafe extern "C" fn(World, *const u64, u32),
    pub set: unsafe extern "C" fn(World, u64, Id, u32, *const c_void) -> i32,
    pub remove: unsafe extern "C" fn(World, u64, Id) -> i32,
    pub get: unsafe extern "C" fn(World, u64, Id) -> *const c_void,
    pub has: unsafe extern "C" fn(World, u64, Id) -> bool,
    pub tidy: unsafe extern "C" fn(World),
}

impl Table {
    /// The table of one peer.
    pub const fn of<C: Contender>() -> Self {
        Self {
            new: new::<C>,
            free: free::<C>,
            create: create::<C>,
            create_pv: create_pv::<C>,
            create_pvc: create_pvc::<C>,
            create_n: create_n::<C>,
            create_pv_n: create_pv_n::<C>,
            destroy: destroy::<C>,
            destroy_n: destroy_n::<C>,
            set: set::<C>,
            remove: remove::<C>,
            get: get::<C>,
            has: has::<C>,
            tidy: tidy::<C>,
        }
    }
}

/// What a world's address points at: the peer, and room to turn handles into integers in bulk.
struct Behind<C: Contender> {
    peer: C,
    handles: Vec<C::Entity>,
}

// All functions below: the world comes from `new` of the same table and was not freed, and the
// pointers are good for as many elements as the call says. The bench is the only caller.

unsafe fn behind<'a, C: Contender>(world: World) -> &'a mut Behind<C> {
    unsafe { &mut *world.cast::<Behind<C>>() }
}

unsafe extern "C" fn new<C: Contender>(others: u32) -> World {
    let peer = C::new(others as usize);
    let handles = Vec::new();
    Box::into_raw(Box::new(Behind::<C> { peer, handles })).cast()
}

unsafe extern "C" fn free<C: Contender>(world: World) {
    drop(unsafe { Box::from_raw(world.cast::<Behind<C>>()) });
}

unsafe extern "C" fn create<C: Contender>(world: World) -> u64 {
    let behind = unsafe { behind::<C>(world) };
    C::to_bits(behind.peer.create())
}

unsafe extern "C" fn create_pv<C: Contender>(world: World, p: *const P, v: *const V) -> u64 {
    let behind = unsafe { behind::<C>(world) };
    C::to_bits(unsafe { behind.peer.create_pv(*p, *v) })
}

unsafe extern "C" fn create_pvc<C: Contender>(world: World, p: *const P, v: *const V, c: *const C2) -> u64 {
    let behind = unsafe { behind::<C>(world) };
    C::to_bits(unsafe { behind.peer.create_pvc(*p, *v, *c) })
}

unsafe extern "C" fn create_n<C: Contender>(world: World, n: u32, out: *mut u64) {
    let Behind { peer, handles } = unsafe { behind::<C>(world) };
    handles.clear();
    handles.reserve(n as usize);
    peer.create_n(n as usize, handles);
    unsafe { hand_out::<C>(handles, out) };
}

unsafe extern "C" fn create_pv_n<C: Contender>(
    world: World,
    n: u32,
    p: *const P,
    v: *const V,
    out: *mut u64,
) {
    let Behind { peer, handles } = unsafe { behind::<C>(world) };
    let p = unsafe { std::slice::from_raw_parts(p, n as usize) };
    let v = unsafe { std::slice::from_raw_parts(v, n as usize) };
    handles.clear();
    handles.reserve(n as usize);
    peer.create_pv_n(p, v, handles);
    unsafe { hand_out::<C>(handles, out) };
}

unsafe fn hand_out<C: Contender>(handles: &[C::Entity], out: *mut u64) {
    for (i, &entity) in handles.iter().enumerate() {
        unsafe { *out.add(i) = C::to_bits(entity) };
    }
}

unsafe extern "C" fn destroy<C: Contender>(world: World, entity: u64) {
    let behind = unsafe { behind::<C>(world) };
    behind.peer.destroy(C::from_bits(entity));
}

unsafe extern "C" fn destroy_n<C: Contender>(world: World, entities: *const u64, n: u32) {
    let Behind { peer, handles } = unsafe { behind::<C>(world) };
    let entities = unsafe { std::slice::from_raw_parts(entities, n as usize) };
    handles.clear();
    handles.extend(entities.iter().map(|&bits| C::from_bits(bits)));
    peer.destroy_n(handles);
}

unsafe extern "C" fn set<C: Contender>(
    world: World,
    entity: u64,
    id: Id,
    size: u32,
    value: *const c_void,
) -> i32 {
    let (behind, entity) = (unsafe { behind::<C>(world) }, C::from_bits(entity));
    if id == C2_ID && size as usize == size_of::<C2>() {
        behind.peer.add_c2(entity, unsafe { *value.cast() });
        return DONE;
    }
    if id < FIRST_OTHER || size as usize != size_of::<f32>() {
        return REFUSED;
    }
    behind.peer.add_other(entity, (id - FIRST_OTHER) as usize, unsafe { *value.cast() });
    DONE
}

unsafe extern "C" fn remove<C: Contender>(world: World, entity: u64, id: Id) -> i32 {
    if id != C2_ID {
        return REFUSED;
    }
    unsafe { behind::<C>(world) }.peer.remove_c2(C::from_bits(entity));
    DONE
}

unsafe extern "C" fn get<C: Contender>(world: World, entity: u64, id: Id) -> *const c_void {
    if id != P_ID {
        return std::ptr::null();
    }
    unsafe { behind::<C>(world) }.peer.get_p(C::from_bits(entity)).cast()
}

unsafe extern "C" fn has<C: Contender>(world: World, entity: u64, id: Id) -> bool {
    let (behind, entity) = (unsafe { behind::<C>(world) }, C::from_bits(entity));
    match id {
        P_ID => behind.peer.has_p(entity),
        C2_ID => behind.peer.has_c2(entity),
        _ => false,
    }
}

unsafe extern "C" fn tidy<C: Contender>(world: World) {
    let behind = unsafe { behind::<C>(world) };
    behind.peer.tidy();
}
