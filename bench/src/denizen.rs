//! denizen, through its shared library.

use crate::ffi::*;
use peers::{C2, Contender, P, V};
use std::ffi::{CStr, CString, c_void};
use std::mem::{MaybeUninit, zeroed};
use std::ptr;

/// How many handles one bulk get takes at a time: enough to make the call free, few enough that the
/// pointers stay in the nearest cache.
const GET_N: usize = 512;

/// A world of one layout. There are two usual ways to make one entity with P and V: step by step
/// (dz_create, then dz_set twice), or `WITH` one call of dz_create_with.
pub struct Denizen<const LAYOUT: i32, const WITH: bool> {
    world: World,
    p: Id,
    v: Id,
    c2: Id,
    others: Vec<Id>,
}

/// An empty call into denizen's library.
#[inline(always)]
pub fn nothing() -> u64 {
    u64::from(dz_version())
}

/// Stops the bench: a call that failed must not pass as a fast one.
#[cold]
pub fn failed() -> ! {
    // SAFETY: the message is a C string, good until this thread's next call.
    let message = unsafe { CStr::from_ptr(dz_error_message()) };
    panic!("denizen: {}", message.to_string_lossy());
}

/// As a C program would look at a status.
#[inline(always)]
pub fn check(status: Status) {
    if status < 0 {
        failed();
    }
}

pub fn new_world(layout: i32) -> World {
    // SAFETY: all zero is the default.
    let world = unsafe {
        let mut desc: WorldDesc = zeroed();
        desc.size = size_of::<WorldDesc>() as u32;
        desc.layout = layout;
        dz_world_create(&desc)
    };
    if world.bits == 0 {
        failed();
    }
    world
}

pub fn register<T>(world: World, name: &str) -> Id {
    let name = CString::new(name).expect("no zero in it");
    // SAFETY: all zero is the default; the name lives as long as the call.
    unsafe {
        let mut desc: ComponentDesc = zeroed();
        desc.size = size_of::<ComponentDesc>() as u32;
        desc.name = name.as_ptr();
        desc.element_size = size_of::<T>() as u32;
        desc.element_alignment = align_of::<T>() as u32;
        let id = dz_component_register(world, &desc);
        if id == 0 {
            failed();
        }
        id
    }
}

#[link(name = "loops", kind = "static")]
unsafe extern "C" {
    fn ours_members(world: World, id: Id, out: *mut Entity) -> usize;
}

/// Who is in a pool, front to back.
pub fn members(world: World, id: Id) -> Vec<Entity> {
    let mut members = Vec::with_capacity(dz_count(world, id) as usize);
    // SAFETY: there is room for all.
    unsafe {
        let count = ours_members(world, id, members.as_mut_ptr());
        assert!(count <= members.capacity());
        members.set_len(count);
    }
    members
}

fn column<T>(id: Id, values: *const T) -> Column {
    Column { id, values: values.cast(), element_size: size_of::<T>() as u32, reserved: 0 }
}

impl<const LAYOUT: i32, const WITH: bool> Denizen<LAYOUT, WITH> {
    #[inline(always)]
    fn set<T>(&mut self, entity: Entity, id: Id, value: &T) {
        let value: *const T = value;
        // SAFETY: the value is as large as is said.
        let status = unsafe { dz_set(self.world, entity, id, size_of::<T>() as u32, value.cast()) };
        check(status);
    }

    /// # Safety
    /// Each column holds n values, and there is room for n handles at `out`.
    #[inline(always)]
    unsafe fn create_with(&mut self, n: usize, columns: &[Column], out: *mut Entity) {
        let count = columns.len() as u32;
        // SAFETY: see above.
        check(unsafe { dz_create_with(self.world, n as u32, columns.as_ptr(), count, out) });
    }
}

impl<const LAYOUT: i32, const WITH: bool> Drop for Denizen<LAYOUT, WITH> {
    fn drop(&mut self) {
        check(dz_world_destroy(self.world));
    }
}

impl<const LAYOUT: i32, const WITH: bool> Contender for Denizen<LAYOUT, WITH> {
    type Entity = Entity;
    const OTHERS: usize = 998;
    const KEPT: bool = true;

    fn new(others: usize) -> Self {
        let world = new_world(LAYOUT);
        Self {
            world,
            p: register::<P>(world, "P"),
            v: register::<V>(world, "V"),
            c2: register::<C2>(world, "C2"),
            others: (0..others).map(|k| register::<f32>(world, &format!("Other{k}"))).collect(),
        }
    }

    #[inline(always)]
    fn to_bits(entity: Entity) -> u64 {
        entity
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Entity {
        bits
    }

    #[inline(always)]
    fn create(&mut self) -> Entity {
        let entity = dz_create(self.world);
        if entity == 0 {
            failed();
        }
        entity
    }

    #[inline(always)]
    fn create_pv(&mut self, p: P, v: V) -> Entity {
        if WITH {
            let mut entity = 0;
            let columns = [column(self.p, &p), column(self.v, &v)];
            // SAFETY: one value each, and one handle.
            unsafe { self.create_with(1, &columns, &mut entity) };
            entity
        } else {
            let entity = self.create();
            self.set(entity, self.p, &p);
            self.set(entity, self.v, &v);
            entity
        }
    }

    #[inline(always)]
    fn create_pvc(&mut self, p: P, v: V, c: C2) -> Entity {
        let entity = self.create_pv(p, v);
        self.set(entity, self.c2, &c);
        entity
    }

    #[inline(always)]
    fn create_n(&mut self, n: usize, out: &mut Vec<Entity>) {
        // SAFETY: `out` has room for n.
        unsafe {
            check(dz_create_n(self.world, n as u32, out.as_mut_ptr()));
            out.set_len(n);
        }
    }

    #[inline(always)]
    fn create_pv_n(&mut self, p: &[P], v: &[V], out: &mut Vec<Entity>) {
        let columns = [column(self.p, p.as_ptr()), column(self.v, v.as_ptr())];
        // SAFETY: `out` has room for as many as there are values.
        unsafe {
            self.create_with(p.len(), &columns, out.as_mut_ptr());
            out.set_len(p.len());
        }
    }

    #[inline(always)]
    fn destroy(&mut self, entity: Entity) {
        check(dz_destroy(self.world, entity));
    }

    #[inline(always)]
    fn destroy_n(&mut self, entities: &[Entity]) {
        let n = entities.len() as u32;
        // SAFETY: a slice, and no report.
        check(unsafe { dz_destroy_n(self.world, entities.as_ptr(), n, ptr::null_mut()) });
    }

    #[inline(always)]
    fn add_c2(&mut self, entity: Entity, c: C2) {
        self.set(entity, self.c2, &c);
    }

    #[inline(always)]
    fn remove_c2(&mut self, entity: Entity) {
        check(dz_remove(self.world, entity, self.c2));
    }

    #[inline(always)]
    fn add_c2_n(&mut self, entities: &[Entity], values: &[C2]) {
        let (n, size) = (entities.len() as u32, size_of::<C2>() as u32);
        // SAFETY: as many values as entities.
        check(unsafe { dz_set_n(self.world, entities.as_ptr(), n, self.c2, size, values.as_ptr().cast()) });
    }

    #[inline(always)]
    fn remove_c2_n(&mut self, entities: &[Entity]) {
        // SAFETY: a slice.
        check(unsafe { dz_remove_n(self.world, entities.as_ptr(), entities.len() as u32, self.c2) });
    }

    #[inline(always)]
    fn has_n(&self, entities: &[Entity]) -> usize {
        let mut answers = [0u8; GET_N];
        let mut hits = 0;
        for some in entities.chunks(GET_N) {
            let n = some.len() as u32;
            // SAFETY: there is room for n answers.
            check(unsafe { dz_has_n(self.world, some.as_ptr(), n, self.p, answers.as_mut_ptr()) });
            hits += answers[..some.len()].iter().map(|&has| usize::from(has)).sum::<usize>();
        }
        hits
    }

    fn iterate_c2(&mut self) {
        members(self.world, self.c2);
    }

    fn add_other(&mut self, entity: Entity, k: usize, value: f32) {
        self.set(entity, self.others[k], &value);
    }

    #[inline(always)]
    fn get_p(&self, entity: Entity) -> *const P {
        dz_get(self.world, entity, self.p).cast()
    }

    #[inline(always)]
    fn has_p(&self, entity: Entity) -> bool {
        dz_has(self.world, entity, self.p)
    }

    #[inline(always)]
    fn has_c2(&self, entity: Entity) -> bool {
        dz_has(self.world, entity, self.c2)
    }

    #[inline(always)]
    fn sum_kept(&self, entities: &[Entity]) -> u64 {
        let mut pointers = [MaybeUninit::<*const c_void>::uninit(); GET_N];
        let mut sum = 0;
        for some in entities.chunks(GET_N) {
            let n = some.len() as u32;
            let out = pointers.as_mut_ptr().cast();
            // SAFETY: there is room for n pointers, each NULL or good until the world changes.
            unsafe {
                check(dz_get_n(self.world, some.as_ptr(), n, self.p, out));
                for pointer in &pointers[..some.len()] {
                    let p: *const P = pointer.assume_init().cast();
                    sum += p.as_ref().map_or(0, P::bits);
                }
            }
        }
        sum
    }

    #[inline(always)]
    fn sum_accessor(&self, entities: &[Entity]) -> u64 {
        let mut accessor = MaybeUninit::uninit();
        // SAFETY: there is room for one.
        check(unsafe { dz_accessor_init(self.world, self.p, accessor.as_mut_ptr()) });
        entities.iter().fold(0, |sum, &entity| {
            // SAFETY: written above; what it finds is NULL, or good until the world changes.
            sum + unsafe { dz_accessor_get(accessor.as_ptr(), entity).cast::<P>().as_ref() }
                .map_or(0, P::bits)
        })
    }
}
