//! The table of worlds, and the numbers that are handed out across worlds: all that is global.
//!
//! ```text
//!   handle   31..12 generation | 11..0 number       number 1..255: 64-bit layout, 256..4095: 32-bit
//!
//!   entry    key = the handle + 1, in 64 bits, while the world takes calls, else 0: one comparison checks a handle,
//!            {0} too; a world that runs a component's hook, a comparison or its allocator, or is broken, has no key
//!            but keeps its handle
//! ```
//!
//! Numbers are handed out round-robin, so that one comes back only after all others of its kind; a
//! number whose generations are used up is not handed out again.

use super::types::dz_world;
use crate::core::error::{Error, Kind};
use crate::core::ids::{self, Layout, Narrow, Wide};
use crate::core::registry::Rules;
use crate::core::storage::join::Level;
use crate::core::storage::memory::{Allocator, Memory};
use crate::core::storage::slice::checked;
use crate::core::world::{Ecs, World};
use core::ptr::null_mut;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};
use std::sync::{Mutex, MutexGuard};

const NUMBER_BITS: u32 = 12;
const NUMBERS: u32 = 1 << NUMBER_BITS;
const FIRST_NARROW: u32 = 256;
const LAST_GENERATION: u32 = (1 << (32 - NUMBER_BITS)) - 1;

/// Of these states the first two are of a number without a world; of the second one is being made or given back.
const FREE: u32 = 0;
const TAKEN: u32 = 1;
const ALIVE: u32 = 2;
const IN_HOOK: u32 = 3;
const BROKEN: u32 = 4;

/// As long as a line of the caches: what one world counts is in no other's, and its place takes one shift.
#[repr(align(64))]
struct Entry {
    key: AtomicU64,
    /// Components that were unregistered in all worlds that had this number: accessors are good until then.
    gone: AtomicU32,
    state: AtomicU32,
    /// The generation of the number's world, or of its last one.
    generation: AtomicU32,
    /// Queries that were destroyed in all worlds that had this number: what was laid out of one is good until then.
    ended: AtomicU32,
    world: AtomicPtr<()>,
    /// Structural changes of all worlds that had this number: `dz_iter.changes` points here.
    changes: AtomicU64,
    log: AtomicPtr<()>,
    log_user: AtomicPtr<()>,
}

impl Entry {
    /// Whether there is a world.
    fn is_live(&self) -> bool {
        self.state.load(Acquire) > TAKEN
    }
}

static TABLE: [Entry; NUMBERS as usize] = [const {
    Entry {
        key: AtomicU64::new(0),
        gone: AtomicU32::new(0),
        state: AtomicU32::new(FREE),
        generation: AtomicU32::new(0),
        ended: AtomicU32::new(0),
        world: AtomicPtr::new(null_mut()),
        changes: AtomicU64::new(0),
        log: AtomicPtr::new(null_mut()),
        log_user: AtomicPtr::new(null_mut()),
    }
}; NUMBERS as usize];

/// The number after the one handed out last, of each layout. Held while a number is taken, and while a world comes into the table
/// or leaves it; not while it gets memory or gives it back: that may last, and an allocator may wait for other threads.
static NEXT: Mutex<[u32; 2]> = Mutex::new([1, FIRST_NARROW]);

fn lock() -> MutexGuard<'static, [u32; 2]> {
    NEXT.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A world of either layout.
#[derive(Clone, Copy)]
pub enum Any {
    /// 64 bits.
    Wide(&'static Ecs<Wide>),
    /// 32 bits.
    Narrow(&'static Ecs<Narrow>),
}

/// Calls a method on a world of either layout: the one place where the layout is asked for.
#[macro_export]
#[doc(hidden)]
macro_rules! on {
    ($any:expr, |$world:ident| $call:expr) => {
        match $any {
            $crate::ffi::table::Any::Wide($world) => $call,
            $crate::ffi::table::Any::Narrow($world) => $call,
        }
    };
}

/// How a world is made.
pub struct Options {
    /// The 64-bit layout.
    pub wide: bool,
    /// The registry's; the stamp is this table's.
    pub rules: Rules,
    /// The instructions that joins use.
    pub level: Level,
    /// Entities to reserve for.
    pub capacity: u32,
    /// Bytes, or 0.
    pub budget: u64,
    /// Where memory comes from.
    pub allocator: Allocator,
    /// A dz_log_fn, or null.
    pub log: *mut (),
    /// Handed to it.
    pub log_user: *mut (),
    /// The user's.
    pub user: *mut (),
}

/// Listeners and groups are numbered across worlds, so that a handle is never another world's.
static SERIALS: AtomicU64 = AtomicU64::new(0);

/// A number for a listener or group of a world. 0 is none. Numbers come back after four thousand million others, but not those
/// of the world's own: only from then on it is asked.
#[allow(clippy::cast_possible_truncation)]
#[inline(never)]
pub fn next_serial(world: &Any) -> u32 {
    loop {
        let number = SERIALS.fetch_add(1, Relaxed) + 1;
        let bits = number as u32;
        if number == bits.into() || bits != 0 && on!(*world, |w| w.is_free(bits)) {
            return bits;
        }
    }
}

/// Queries too.
static QUERIES: AtomicU64 = AtomicU64::new(0);

/// A number for a query. None comes back, but the serials in handles do.
pub fn next_query() -> u64 {
    QUERIES.fetch_add(1, Relaxed)
}

/// Whether a listener or group ever had that number.
pub fn was_handed_out(serial: u64) -> bool {
    serial != 0 && serial <= SERIALS.load(Relaxed)
}

/// A world's number.
pub fn number(world: dz_world) -> u32 {
    world.bits & (NUMBERS - 1)
}

fn entry(world: dz_world) -> &'static Entry {
    &TABLE[number(world) as usize]
}

/// The key of a handle.
#[inline(always)]
fn key(world: dz_world) -> u64 {
    u64::from(world.bits) + 1
}

fn handle(number: u32) -> dz_world {
    let generation = TABLE[number as usize].generation.load(Relaxed);
    dz_world { bits: generation << NUMBER_BITS | number }
}

/// The world of a handle, or why there is none.
#[inline(always)]
pub fn find(world: dz_world) -> Result<Any, Error> {
    peek(world).ok_or_else(|| why(world))
}

/// The world of a handle, if it is good.
#[inline(always)]
pub fn peek(world: dz_world) -> Option<Any> {
    let entry = entry(world);
    // Both before the comparison, while the place of the entry is at hand.
    let (found, at) = (entry.key.load(Acquire), entry.world.load(Relaxed));
    if found != key(world) {
        return None;
    }
    // SAFETY: an entry with a key has a world of its number's layout, which lives until the key is
    // taken off; that no call runs beside dz_world_destroy is its contract.
    Some(unsafe { any(world, at) })
}

/// Whether a world takes calls.
#[inline(always)]
pub fn lives(world: dz_world) -> bool {
    entry(world).key.load(Acquire) == key(world)
}

/// # Safety
/// `at` is the living world of that handle.
#[inline(always)]
unsafe fn any(world: dz_world, at: *mut ()) -> Any {
    // SAFETY: the caller's promise.
    unsafe { if is_wide(world) { Any::Wide(&*at.cast()) } else { Any::Narrow(&*at.cast()) } }
}

/// The handle of a world.
#[inline(always)]
pub fn of<L: Layout>(world: &Ecs<L>) -> dz_world {
    dz_world { bits: world.handle() }
}

/// Why a handle is no world's that takes calls.
#[cold]
pub fn why(world: dz_world) -> Error {
    let entry = entry(world);
    let generation = world.bits >> NUMBER_BITS;
    let latest = entry.generation.load(Relaxed);
    let kind = if world.bits == 0 {
        Kind::WorldNull
    } else if generation == 0 || generation > latest || number(world) == 0 {
        Kind::WorldUnknown
    } else if generation < latest {
        Kind::WorldDead
    } else {
        match entry.state.load(Relaxed) {
            IN_HOOK => Kind::InHook,
            BROKEN => Kind::WorldBroken,
            _ => Kind::WorldDead,
        }
    };
    Error::new(kind).about(world.bits.into())
}

/// Whether a world lives, and no component of it was unregistered since `gone` was read.
#[inline(always)]
pub fn is_unchanged(world: dz_world, gone: u32) -> bool {
    lives(world) && entry(world).gone.load(Relaxed) == gone
}

/// Components that were unregistered.
pub fn gone(world: dz_world) -> u32 {
    entry(world).gone.load(Relaxed)
}

/// Counts a component that is unregistered.
pub fn lose_component(world: dz_world) {
    let gone = &entry(world).gone;
    gone.store(gone.load(Relaxed).wrapping_add(1), Relaxed);
}

/// Queries that were destroyed.
#[inline(always)]
pub fn ended(world: dz_world) -> u32 {
    entry(world).ended.load(Relaxed)
}

/// Counts a query that is destroyed.
pub fn end_query(world: dz_world) {
    let ended = &entry(world).ended;
    ended.store(ended.load(Relaxed).wrapping_add(1), Relaxed);
}

/// Whether a world is of the 64-bit layout.
#[inline(always)]
pub fn is_wide(world: dz_world) -> bool {
    // Its number is below `FIRST_NARROW`, asked of the handle itself.
    world.bits & (NUMBERS - FIRST_NARROW) == 0
}

/// Where a world's structural changes are counted.
pub fn changes(world: dz_world) -> &'static AtomicU64 {
    &entry(world).changes
}

/// The log of a world that lives, if it has one: function and user data.
pub fn log(world: dz_world) -> Option<(*mut (), *mut ())> {
    let entry = entry(world);
    let log = entry.log.load(Relaxed);
    if log.is_null() || !entry.is_live() || handle(number(world)) != world {
        return None;
    }
    Some((log, entry.log_user.load(Relaxed)))
}

/// Makes a world.
pub fn create(options: Options) -> Result<dz_world, Error> {
    let mut next = lock();
    let (kind, range) = if options.wide { (0, 1..FIRST_NARROW) } else { (1, FIRST_NARROW..NUMBERS) };
    let (size, first) = (range.end - range.start, range.start);
    let number = (0..size)
        .map(|step| first + (next[kind] - first + step) % size)
        .find(|number| {
            let entry = &TABLE[*number as usize];
            entry.state.load(Acquire) == FREE && entry.generation.load(Relaxed) < LAST_GENERATION
        })
        .ok_or(Error::new(Kind::TooManyWorlds).about(size.into()))?;
    let entry = &TABLE[number as usize];
    entry.state.store(TAKEN, Relaxed);
    next[kind] = first + (number - first + 1) % size;
    drop(next);
    let generation = entry.generation.load(Relaxed) + 1;
    let bits = generation << NUMBER_BITS | number;
    let made = if options.wide {
        let stamp = u64::from(number) << 48;
        make::<Wide>(&options, stamp, bits, &entry.changes)
    } else {
        make::<Narrow>(&options, 0, bits, &entry.changes)
    }
    .inspect_err(|_| entry.state.store(FREE, Release))?;
    // Who lists the worlds sees all of it, or nothing.
    let _listed = lock();
    entry.generation.store(generation, Relaxed);
    entry.world.store(made, Relaxed);
    entry.log.store(options.log, Relaxed);
    entry.log_user.store(options.log_user, Relaxed);
    entry.state.store(ALIVE, Relaxed);
    let world = dz_world { bits };
    entry.key.store(key(world), Release);
    Ok(world)
}

/// A world in memory of its own.
fn make<L: Layout>(
    options: &Options,
    stamp: u64,
    bits: u32,
    changes: &'static AtomicU64,
) -> Result<*mut (), Error> {
    let mut memory = Memory::new(Allocator { world: bits, ..options.allocator }, options.budget);
    let at = memory.take(size_of::<Ecs<L>>(), align_of::<Ecs<L>>())?.cast::<Ecs<L>>();
    let rules = Rules { stamp, ..options.rules };
    let world = Ecs::new(World::<L>::new(memory, rules, options.level, changes, bits, options.user));
    let reserved = if options.capacity > 0 { world.reserve(options.capacity, "capacity") } else { Ok(()) };
    // SAFETY: new memory of that size and alignment.
    unsafe { at.write(world) };
    if let Err(error) = reserved {
        // SAFETY: made above, and nobody knows it.
        unsafe { end::<L>(at.as_ptr().cast()) };
        return Err(error);
    }
    Ok(at.as_ptr().cast())
}

/// # Safety
/// `at` came from `make`, and nobody uses the world any more.
unsafe fn end<L: Layout>(at: *mut ()) {
    let at = at.cast::<Ecs<L>>();
    // SAFETY: the caller's promise: the world is moved out, then its place given back.
    unsafe {
        let mut memory = at.read().into_inner().free();
        let place = core::ptr::NonNull::new_unchecked(at).cast();
        memory.give(place, size_of::<Ecs<L>>(), align_of::<Ecs<L>>());
    }
}

/// Ends a world.
pub fn destroy(world: dz_world) -> Result<super::types::dz_status, Error> {
    match find(world) {
        Ok(found) => {
            on!(found, |w| w.check_writable())?;
            if !on!(found, |w| w.ends_quietly()) {
                on!(found, |w| w.clear())?;
            }
        }
        Err(error) if error.kind == Kind::WorldBroken => {}
        Err(error) => return Err(error),
    }
    let last = lock();
    let entry = entry(world);
    if !entry.is_live() || handle(number(world)) != world {
        return Err(why(world));
    }
    // SAFETY: it lives, broken or not. A listener may have broken it, whose call is still under way.
    on!(unsafe { any(world, entry.world.load(Relaxed)) }, |w| w.check_writable())?;
    entry.key.store(0, Release);
    entry.state.store(TAKEN, Relaxed);
    entry.changes.store(entry.changes.load(Relaxed) + 1, Relaxed);
    let at = entry.world.swap(null_mut(), Relaxed);
    drop(last);
    // SAFETY: the key is off, so that no call finds it; calls under way are excluded by contract.
    unsafe { if number(world) < FIRST_NARROW { end::<Wide>(at) } else { end::<Narrow>(at) } }
    entry.state.store(FREE, Release);
    Ok(super::types::dz_status::DZ_OK)
}

/// Lists the living worlds: writes as many as fit, returns how many there are.
pub fn list(out: &mut [dz_world]) -> u32 {
    let _last = lock();
    let mut count = 0;
    for number in 1..NUMBERS {
        if TABLE[number as usize].is_live() {
            if let Some(place) = out.get_mut(count as usize) {
                *place = handle(number);
            }
            count += 1;
        }
    }
    count
}

/// The only living world that has one of these numbers. Takes no lock: a debugger may ask at any moment.
pub fn only(mut numbers: core::ops::Range<u32>) -> Option<dz_world> {
    let mut lives = |number: &u32| checked(&TABLE, *number as usize).is_live();
    let first = numbers.find(&mut lives)?;
    numbers.find(lives).is_none().then(|| handle(first))
}

/// The numbers that a world can have whom a handle may be of.
pub fn numbers_of(entity: u64) -> core::ops::Range<u32> {
    match ids::describe(ids::without_role(entity)) {
        _ if ids::role_of(entity) == ids::role::PAIR => 1..NUMBERS,
        parts if parts.wide => parts.world..parts.world + 1,
        _ => FIRST_NARROW..NUMBERS,
    }
}

/// Marks a world as broken: it met a bug.
pub fn break_world(world: dz_world) {
    if handle(number(world)) == world && entry(world).is_live() {
        entry(world).state.store(BROKEN, Relaxed);
        entry(world).key.store(0, Release);
    }
}

/// While it lives, calls on the world are DZ_ERR_IN_HOOK: a component's hook, a comparison or the world's allocator runs in
/// the middle of a change, and must not see the world.
pub struct Busy {
    world: dz_world,
    key: u64,
}

impl Busy {
    /// Takes the world's key off.
    pub fn new(world: u32) -> Self {
        let world = dz_world { bits: world };
        let key = entry(world).key.swap(0, Relaxed);
        if key != 0 {
            entry(world).state.store(IN_HOOK, Relaxed);
        }
        Self { world, key }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if self.key != 0 {
            entry(self.world).state.store(ALIVE, Relaxed);
            entry(self.world).key.store(self.key, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::component::dz_component_register;
    use crate::ffi::group::dz_group_create;
    use crate::ffi::listener::{dz_listen, dz_unlisten};
    use crate::ffi::types::*;
    use crate::ffi::world::{dz_world_create, dz_world_destroy};
    use core::ffi::c_void;
    use core::ptr::null;

    unsafe extern "C" fn hear(_: *const dz_event, _: *mut c_void) {}

    fn listen(world: dz_world, kind: dz_event_kind, id: u64) -> u32 {
        // SAFETY: such a listener may be called with anything.
        unsafe { dz_listen(world, kind as i32, id, Some(hear), null_mut()) }.bits
    }

    #[test]
    fn numbers_come_back_but_those_of_the_worlds_own() {
        let size = |of: usize| u32::try_from(of).unwrap();
        // SAFETY: what is left null may be null.
        let [world, other] = [(); 2].map(|()| unsafe { dz_world_create(null()) });
        let tag = dz_component_desc {
            size: size(size_of::<dz_component_desc>()),
            policy: 0,
            name: c"Tag".as_ptr(),
            element_size: 0,
            element_alignment: 1,
            hooks: dz_hooks { construct: None, destruct: None, copy: None, relocate: None, user: null_mut() },
        };
        // SAFETY: a descriptor, and a name with its zero.
        let tag = unsafe { dz_component_register(world, &raw const tag) };
        let group = dz_group_desc {
            size: size(size_of::<dz_group_desc>()),
            owned_count: 1,
            included_count: 0,
            excluded_count: 0,
            owned: &raw const tag,
            included: null(),
            excluded: null(),
            reserved: 0,
        };
        SERIALS.store(0, Relaxed);
        assert_eq!(
            [listen(world, dz_event_kind::DZ_ON_ADD, tag), listen(world, dz_event_kind::DZ_ON_CREATE, 0)],
            [1, 2]
        );
        // SAFETY: a descriptor, and as many ids as it says.
        assert_eq!(unsafe { dz_group_create(world, &raw const group) }.bits, 3);
        // After 2^32 others.
        SERIALS.store(u64::from(u32::MAX) - 1, Relaxed);
        assert_eq!(
            [other, other, world].map(|world| listen(world, dz_event_kind::DZ_ON_CREATE, 0)),
            [u32::MAX, 1, 4]
        );
        SERIALS.store(u64::from(u32::MAX), Relaxed);
        assert_eq!(dz_unlisten(world, dz_listener { bits: 2 }), dz_status::DZ_OK);
        assert_eq!([world, world].map(|world| listen(world, dz_event_kind::DZ_ON_CREATE, 0)), [2, 5]);
        assert!(was_handed_out(u32::MAX.into()) && !was_handed_out(0));
        assert_eq!([world, other].map(|world| dz_world_destroy(world)), [dz_status::DZ_OK; 2]);
    }
}
