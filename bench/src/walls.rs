//! The Rust peers behind the wall: called through the table of C functions in the crate `wall`'s
//! shared library.

use peers::parts::STATIC_OTHERS;
use peers::standin::StandIn;
use peers::table::{C2_ID, DONE, FIRST_OTHER, Id, P_ID, Table, World};
use peers::{C2, Contender, P, V};

#[link(name = "wall", kind = "dylib")]
unsafe extern "C" {
    safe fn wall_nothing(world: u64) -> u64;
    safe fn wall_hecs() -> &'static Table;
    safe fn wall_bevy() -> &'static Table;
    safe fn wall_sparsey() -> &'static Table;
    safe fn wall_standin() -> &'static Table;
}

/// An empty call into the wall's library.
#[inline(always)]
pub fn nothing(world: u64) -> u64 {
    wall_nothing(world)
}

pub const HECS: usize = 0;
pub const BEVY: usize = 1;
pub const SPARSEY: usize = 2;
pub const STANDIN: usize = 3;

/// One of the peers.
pub struct Wall<const PEER: usize> {
    table: &'static Table,
    world: World,
    /// The components' ids, kept as a program keeps them.
    p: Id,
    c2: Id,
}

/// Stops the bench: a call that was refused must not pass as a fast one.
#[inline(always)]
fn check(status: i32) {
    assert!(status == DONE, "a peer refused a call");
}

impl<const PEER: usize> Wall<PEER> {
    #[inline(always)]
    fn set<T>(&mut self, entity: u64, id: Id, value: &T) {
        let value: *const T = value;
        check(unsafe { (self.table.set)(self.world, entity, id, size_of::<T>() as u32, value.cast()) });
    }
}

impl<const PEER: usize> Drop for Wall<PEER> {
    fn drop(&mut self) {
        // SAFETY: the world came from this table's `new`.
        unsafe { (self.table.free)(self.world) };
    }
}

// In all calls below the world came from `new` of the same table, and pointers are those of Rust
// references and slices as long as the call says.
impl<const PEER: usize> Contender for Wall<PEER> {
    type Entity = u64;
    const OTHERS: usize = match PEER {
        STANDIN => <StandIn>::OTHERS,
        _ => STATIC_OTHERS,
    };
    const KEPT: bool = false;

    fn new(others: usize) -> Self {
        let table = match PEER {
            HECS => wall_hecs(),
            BEVY => wall_bevy(),
            SPARSEY => wall_sparsey(),
            _ => wall_standin(),
        };
        let world = unsafe { (table.new)(others as u32) };
        Self { table, world, p: P_ID, c2: C2_ID }
    }

    #[inline(always)]
    fn to_bits(entity: u64) -> u64 {
        entity
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn create(&mut self) -> u64 {
        unsafe { (self.table.create)(self.world) }
    }

    #[inline(always)]
    fn create_pv(&mut self, p: P, v: V) -> u64 {
        unsafe { (self.table.create_pv)(self.world, &p, &v) }
    }

    #[inline(always)]
    fn create_pvc(&mut self, p: P, v: V, c: C2) -> u64 {
        unsafe { (self.table.create_pvc)(self.world, &p, &v, &c) }
    }

    #[inline(always)]
    fn create_n(&mut self, n: usize, out: &mut Vec<u64>) {
        unsafe {
            (self.table.create_n)(self.world, n as u32, out.as_mut_ptr());
            out.set_len(n);
        }
    }

    #[inline(always)]
    fn create_pv_n(&mut self, p: &[P], v: &[V], out: &mut Vec<u64>) {
        let n = p.len();
        unsafe {
            (self.table.create_pv_n)(self.world, n as u32, p.as_ptr(), v.as_ptr(), out.as_mut_ptr());
            out.set_len(n);
        }
    }

    #[inline(always)]
    fn destroy(&mut self, entity: u64) {
        unsafe { (self.table.destroy)(self.world, entity) }
    }

    #[inline(always)]
    fn destroy_n(&mut self, entities: &[u64]) {
        unsafe { (self.table.destroy_n)(self.world, entities.as_ptr(), entities.len() as u32) }
    }

    #[inline(always)]
    fn add_c2(&mut self, entity: u64, c: C2) {
        self.set(entity, self.c2, &c);
    }

    #[inline(always)]
    fn remove_c2(&mut self, entity: u64) {
        check(unsafe { (self.table.remove)(self.world, entity, self.c2) });
    }

    fn add_other(&mut self, entity: u64, k: usize, value: f32) {
        self.set(entity, FIRST_OTHER + k as Id, &value);
    }

    #[inline(always)]
    fn get_p(&self, entity: u64) -> *const P {
        unsafe { (self.table.get)(self.world, entity, self.p) }.cast()
    }

    #[inline(always)]
    fn has_p(&self, entity: u64) -> bool {
        unsafe { (self.table.has)(self.world, entity, self.p) }
    }

    #[inline(always)]
    fn has_c2(&self, entity: u64) -> bool {
        unsafe { (self.table.has)(self.world, entity, self.c2) }
    }

    fn sum_kept(&self, _entities: &[u64]) -> u64 {
        unreachable!("nothing is kept across the wall")
    }

    fn has_n(&self, _entities: &[u64]) -> usize {
        unreachable!("nothing is kept across the wall")
    }

    fn tidy(&mut self) {
        unsafe { (self.table.tidy)(self.world) }
    }
}
