//! From what C hands in to what the core takes: descriptors, enums, names, values, callbacks. A value
//! from C is never trusted to be an enum.

use super::boundary::slice;
use super::table::{Busy, Options};
use super::text::whole;
use super::types::*;
use crate::core::error::{Entries, Error, Kind};
use crate::core::events::{Callback, Event, EventKind};
use crate::core::ids::{Handle, Layout, Narrow, Wide};
use crate::core::query::linked::{Target, VARIABLES, Whose};
use crate::core::query::text::column;
use crate::core::query::{Access, Options as QueryOptions, Spec};
use crate::core::registry::{Overflow, Recycling, Rules};
use crate::core::storage::groups::{self, MOST, Terms};
use crate::core::storage::join::{Ask, Level, TERMS};
use crate::core::storage::lifecycle::{Column, Lifecycle, Source};
use crate::core::storage::memory::Allocator;
use crate::core::storage::order::Comparison;
use crate::core::storage::pool::Shape;
use crate::core::world::Numbers;
use crate::core::world::components::{Details, Registration};
use core::ffi::{c_char, c_void};
use core::mem::transmute;
use core::ptr::null_mut;

/// The largest descriptor that is looked at: a larger size is garbage.
const LARGEST: u32 = 4096;
/// The largest element.
const LARGEST_ELEMENT: u32 = 1 << 20;
/// The default of `reserved_components`, and the most.
const RESERVED: u32 = 256;
const MOST_RESERVED: u32 = 1 << 16;

/// Reads a descriptor whose first field is its size. Larger ones, of newer headers, are fine as long
/// as what isn't known here is zero. `init` is what C begins one with.
///
/// # Safety
/// `at` points to as many bytes as its first field says, and any bytes are a value of `T`.
pub unsafe fn read<T: Copy>(at: *const T, init: &'static str) -> Result<T, Error> {
    let known = size_of::<T>();
    // SAFETY: the caller's promise.
    let size = unsafe { at.cast::<u32>().read_unaligned() };
    if (size as usize) < known || size > LARGEST {
        return Err(Error::new(Kind::DescSize).about(size.into()).with(known as u64, 0).named(init));
    }
    // SAFETY: the caller's promise, and the size was checked to be at least T's.
    let (value, tail) = unsafe {
        let tail = core::slice::from_raw_parts(at.cast::<u8>().add(known), size as usize - known);
        (at.read_unaligned(), tail)
    };
    if tail.iter().any(|byte| *byte != 0) {
        return Err(Error::new(Kind::DescTail).about(size.into()).with(known as u64, 0));
    }
    Ok(value)
}

/// A value of an enum, of which these are all, in order.
pub fn one_of<T: Copy>(value: i32, name: &'static str, all: &[T]) -> Result<T, Error> {
    let wrong = Error::new(Kind::Enum).about(i64::from(value).cast_unsigned()).named(name);
    usize::try_from(value).ok().and_then(|at| all.get(at).copied()).ok_or(wrong)
}

/// A dz_direction: whether it is forward.
pub fn direction(value: i32) -> Result<bool, Error> {
    one_of(value, "direction", &[false, true])
}

/// A dz_sort_mode: whether the order is kept.
pub fn sort_mode(value: i32) -> Result<bool, Error> {
    one_of(value, "mode", &[false, true])
}

/// A dz_event_kind.
pub fn event_kind(value: i32) -> Result<EventKind, Error> {
    use EventKind::{Add, Create, Destroy, Remove, Set};
    one_of(value, "kind", &[Add, Set, Remove, Create, Destroy])
}

/// A value that is over `most`.
fn over(name: &'static str, value: u32, most: u32) -> Error {
    Error::range(name, value.into(), 0, most.into())
}

/// # Safety
/// As `read`, or NULL.
pub unsafe fn world(at: *const dz_world_desc) -> Result<Options, Error> {
    let desc = if at.is_null() {
        // SAFETY: zero is a value of every field.
        unsafe { core::mem::zeroed() }
    } else {
        // SAFETY: the caller's promise.
        unsafe { read(at, "DZ_WORLD_DESC_INIT") }?
    };
    let wide = one_of(desc.layout, "layout", &[true, false])?;
    let most = if wide { Wide::MOST } else { Narrow::MOST };
    let reserved = match desc.reserved_components {
        0 => RESERVED,
        DZ_RESERVE_NONE => 0,
        n @ ..=MOST_RESERVED => n,
        n => return Err(over("reserved_components", n, MOST_RESERVED)),
    };
    let most = match desc.max_entities {
        0 => most,
        n if n > most => return Err(over("max_entities", n, most)),
        // The default range gives way to a small world; one that was asked for doesn't.
        n if n <= reserved && desc.reserved_components != 0 => {
            let name = "max_entities, which reserved_components count among,";
            return Err(Error::range(name, n.into(), u64::from(reserved) + 1, most.into()));
        }
        n => n,
    };
    let reserved = if desc.reserved_components == 0 { reserved.min(most / 2) } else { reserved };
    let level = level(desc.instructions)?;
    let rules = Rules {
        recycling: one_of(desc.recycling, "recycling", &[Recycling::Lifo, Recycling::Fifo])?,
        overflow: one_of(desc.overflow, "overflow", &[Overflow::Retire, Overflow::Wrap])?,
        reserved,
        most,
        stamp: 0,
    };
    Ok(Options {
        wide,
        rules,
        level,
        capacity: desc.capacity,
        budget: desc.byte_budget,
        allocator: allocator(&desc.allocator)?,
        log: desc.log.map_or(null_mut(), |log| log as *mut ()),
        log_user: desc.log_user.cast(),
        user: desc.user.cast(),
    })
}

/// A dz_instructions.
fn level(value: i32) -> Result<Level, Error> {
    let levels = [None, Some(Level::Baseline), Some(Level::V3), Some(Level::V4)];
    let level = one_of(value, "instructions", &levels)?.unwrap_or_else(Level::best);
    if level.is_here() { Ok(level) } else { Err(Error::new(Kind::Level).named("instructions")) }
}

/// Terms.
fn term(term: &dz_term) -> Result<Spec, Error> {
    let ask = match one_of(term.ask, "ask", &[0, 1, 2, 3])? {
        0 => Ask::With,
        1 => Ask::Without,
        2 => Ask::Optional,
        _ => Ask::AnyOf(u8::try_from(term.any_of).map_err(|_| over("any_of", term.any_of, 255))?),
    };
    if term.any_of != 0 && !matches!(ask, Ask::AnyOf(_)) {
        return Err(over("any_of of a term whose ask isn't DZ_ANY_OF", term.any_of, 0));
    }
    if term.reserved != 0 {
        return Err(over("reserved", term.reserved, 0));
    }
    let access = [Access::InOut, Access::In, Access::Out, Access::None];
    let access = one_of(term.access, "access", &access)?;
    let source = match term.source {
        0 => Whose::This,
        DZ_PARENT => Whose::Parent,
        DZ_UP => Whose::Up,
        DZ_INHERIT => Whose::Inherit,
        DZ_WORLD_VALUE => Whose::World,
        other => variable(other, "the number of the variable that is the source")?
            .map_or(Whose::Of(other), Whose::Variable),
    };
    let target = match term.target {
        0 => Target::None,
        DZ_ANY => Target::Any,
        other => variable(other, "the number of the variable that is the target")?
            .map_or(Target::Of(other), Target::Variable),
    };
    let id = match (term.id, target) {
        // A spec's 0 means any relation, so it must not come from outside.
        (0, _) => return Err(Error::new(Kind::NullEntity).named("id")),
        (DZ_ANY, Target::Of(_)) => 0,
        (DZ_ANY, _) => return Err(Error::unfit("with DZ_ANY as id the target must be an entity")),
        (id, _) => id,
    };
    Ok(Spec { id, target, source, ask, access })
}

/// The number of a variable, if it is one.
fn variable(value: u64, name: &'static str) -> Result<Option<u8>, Error> {
    if value >> 8 != DZ_ANY >> 8 | 1 {
        return Ok(None);
    }
    match value as u8 {
        number if (number as usize) < VARIABLES => Ok(Some(number)),
        number => Err(over(name, number.into(), VARIABLES as u32 - 1)),
    }
}

/// What a query is to be made of.
pub enum Asked<'a> {
    /// Terms.
    Terms(&'a [Spec]),
    /// Text.
    Text(&'a str),
}

/// `specs` has room for the terms.
///
/// # Safety
/// As `read`, or NULL; its terms and text are as the header says.
pub unsafe fn query<'a>(
    at: *const dz_query_desc,
    specs: &'a mut [Spec; TERMS],
) -> Result<(Asked<'a>, QueryOptions), Error> {
    if at.is_null() {
        return Err(Error::new(Kind::NullPointer).named("desc"));
    }
    // SAFETY: the caller's promise.
    let desc = unsafe { read(at, "DZ_QUERY_DESC_INIT") }?;
    let priority = match desc.kept {
        0 if desc.priority != 0 => return Err(Error::unfit("priority must be 0 where kept is 0")),
        0 => None,
        1 => Some(desc.priority),
        other => return Err(over("kept", other, 1)),
    };
    if desc.bases > 1 {
        return Err(over("bases", desc.bases, 1));
    }
    if desc.cascade > 1 {
        return Err(over("cascade", desc.cascade, 1));
    }
    if desc.cascade == 1 && desc.order != 0 {
        return Err(over("cascade beside an order", desc.cascade, 0));
    }
    let order = (desc.order != 0).then_some(desc.order);
    let options = QueryOptions { kept: priority, order, cascade: desc.cascade == 1, bases: desc.bases == 1 };
    if !desc.text.is_null() {
        if desc.term_count != 0 {
            return Err(over("term_count beside a text", desc.term_count, 0));
        }
        // SAFETY: the caller's promise.
        return Ok((Asked::Text(unsafe { text(desc.text) }?), options));
    }
    if desc.term_count as usize > TERMS {
        return Err(Error::count("term_count", desc.term_count.into(), TERMS as u64));
    }
    // SAFETY: the caller's promise.
    let terms = unsafe { slice(desc.terms, desc.term_count, "terms") }?;
    for (number, (spec, from)) in (0_u8..).zip(specs.iter_mut().zip(terms)) {
        *spec = term(from).map_err(|error| error.at(Entries::TERMS, number.into()))?;
    }
    Ok((Asked::Terms(&specs[..terms.len()]), options))
}

/// # Safety
/// `at` is NULL or ends with a zero.
pub unsafe fn text<'a>(at: *const c_char) -> Result<&'a str, Error> {
    if at.is_null() {
        return Err(Error::new(Kind::NullPointer).named("text"));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { core::ffi::CStr::from_ptr(at) };
    text.to_str().map_err(|_| {
        let good = whole(text.to_bytes());
        Error::new(Kind::Syntax).named("the text isn't UTF-8").at(Entries::TEXT, column(good, good.len()))
    })
}

// The thunks below call what C gave. Each gets back the value that keeps the function, so the
// pointer it transmutes is the one that was stored for it.

fn allocator(desc: &dz_allocator) -> Result<Allocator, Error> {
    fn allocate(allocator: &Allocator, size: usize, align: usize) -> *mut u8 {
        let _busy = Busy::new(allocator.world);
        // SAFETY: stored below, not NULL.
        unsafe {
            let allocate: unsafe extern "C" fn(usize, usize, *mut c_void) -> *mut c_void =
                transmute(allocator.functions[0]);
            allocate(size, align, allocator.user.cast()).cast()
        }
    }
    fn release(allocator: &Allocator, at: *mut u8, size: usize, align: usize) {
        let _busy = Busy::new(allocator.world);
        // SAFETY: stored below, not NULL.
        unsafe {
            let free: unsafe extern "C" fn(*mut c_void, usize, usize, *mut c_void) =
                transmute(allocator.functions[1]);
            free(at.cast(), size, align, allocator.user.cast());
        }
    }
    fn resize(allocator: &Allocator, at: *mut u8, old: usize, new: usize, align: usize) -> *mut u8 {
        let _busy = Busy::new(allocator.world);
        // SAFETY: stored below, not NULL: this is only used then.
        unsafe {
            let reallocate: unsafe extern "C" fn(
                *mut c_void,
                usize,
                usize,
                usize,
                *mut c_void,
            ) -> *mut c_void = transmute(allocator.functions[2]);
            reallocate(at.cast(), old, new, align, allocator.user.cast()).cast()
        }
    }
    fn move_over(allocator: &Allocator, at: *mut u8, old: usize, new: usize, align: usize) -> *mut u8 {
        let to = allocate(allocator, new, align);
        if !to.is_null() {
            // SAFETY: two allocations of at least that size.
            unsafe { to.copy_from_nonoverlapping(at, old.min(new)) };
            release(allocator, at, old, align);
        }
        to
    }
    let (take, give, change) = match (desc.allocate, desc.free, desc.reallocate) {
        (None, None, None) => return Ok(Allocator::system()),
        (Some(take), Some(give), change) => (take, give, change),
        _ => return Err(Error::new(Kind::Allocator)),
    };
    Ok(Allocator {
        allocate,
        release,
        resize: if change.is_some() { resize } else { move_over },
        copies: change.is_none(),
        functions: [
            take as *const (),
            give as *const (),
            change.map_or(core::ptr::null(), |change| change as *const ()),
        ],
        user: desc.user.cast(),
        world: 0,
    })
}

fn lifecycle(world: dz_world, hooks: &dz_hooks) -> Lifecycle {
    fn construct(hooks: &Lifecycle, at: *mut u8, count: u32) -> bool {
        let _busy = Busy::new(hooks.world);
        // SAFETY: stored below, not NULL: this is only used then.
        unsafe {
            let construct: unsafe extern "C" fn(*mut c_void, u32, *mut c_void) -> i32 =
                transmute(hooks.functions[0]);
            construct(at.cast(), count, hooks.user.cast()) == 0
        }
    }
    fn destruct(hooks: &Lifecycle, at: *mut u8, count: u32) {
        let _busy = Busy::new(hooks.world);
        // SAFETY: as above.
        unsafe {
            let destruct: unsafe extern "C" fn(*mut c_void, u32, *mut c_void) = transmute(hooks.functions[1]);
            destruct(at.cast(), count, hooks.user.cast());
        }
    }
    fn copy(hooks: &Lifecycle, to: *mut u8, from: *const u8, count: u32) -> bool {
        let _busy = Busy::new(hooks.world);
        // SAFETY: as above.
        unsafe {
            let copy: unsafe extern "C" fn(*mut c_void, *const c_void, u32, *mut c_void) -> i32 =
                transmute(hooks.functions[2]);
            copy(to.cast(), from.cast(), count, hooks.user.cast()) == 0
        }
    }
    fn relocate(hooks: &Lifecycle, to: *mut u8, from: *mut u8, count: u32) {
        let _busy = Busy::new(hooks.world);
        // SAFETY: as above.
        unsafe {
            let relocate: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, *mut c_void) =
                transmute(hooks.functions[3]);
            relocate(to.cast(), from.cast(), count, hooks.user.cast());
        }
    }
    let address = |function: Option<*const ()>| function.unwrap_or(core::ptr::null());
    Lifecycle {
        construct: hooks.construct.map(|_| construct as _),
        destruct: hooks.destruct.map(|_| destruct as _),
        copy: hooks.copy.map(|_| copy as _),
        relocate: hooks.relocate.map(|_| relocate as _),
        functions: [
            address(hooks.construct.map(|f| f as *const ())),
            address(hooks.destruct.map(|f| f as *const ())),
            address(hooks.copy.map(|f| f as *const ())),
            address(hooks.relocate.map(|f| f as *const ())),
        ],
        user: hooks.user.cast(),
        world: world.bits,
    }
}

/// # Safety
/// As `read`; the name ends with a zero and outlives the result.
pub unsafe fn component<'a>(
    world: dz_world,
    at: *const dz_component_desc,
) -> Result<Registration<'a>, Error> {
    if at.is_null() {
        return Err(Error::new(Kind::NullPointer).named("desc"));
    }
    // SAFETY: the caller's promise.
    let (desc, name) = unsafe {
        let desc = read(at, "DZ_COMPONENT_DESC_INIT")?;
        (desc, name(desc.name)?)
    };
    let stable = one_of(desc.policy, "policy", &[false, true])?;
    let (size, align) = (desc.element_size, desc.element_alignment.max(1));
    if size > LARGEST_ELEMENT {
        return Err(over("element_size", size, LARGEST_ELEMENT));
    }
    if !align.is_power_of_two() || align > 4096 || size % align != 0 {
        return Err(Error::new(Kind::Alignment).about(align.into()).with(size.into(), 0));
    }
    Ok(Registration { name, shape: Shape { size, align, stable }, lifecycle: lifecycle(world, &desc.hooks) })
}

/// A name: UTF-8 of 1 to 255 bytes.
///
/// # Safety
/// It ends with a zero, and outlives the result; or is NULL.
pub unsafe fn name<'a>(at: *const c_char) -> Result<&'a [u8], Error> {
    if at.is_null() {
        return Err(Error::new(Kind::NullPointer).named("name"));
    }
    // SAFETY: the caller's promise; no byte behind the zero is read.
    let bytes = unsafe {
        let len = (0..256).take_while(|step| *at.add(*step) != 0).count();
        core::slice::from_raw_parts(at.cast::<u8>(), len)
    };
    if bytes.is_empty() || bytes.len() > 255 || core::str::from_utf8(bytes).is_err() {
        return Err(Error::new(Kind::Name).with(bytes.is_empty().into(), 0).named("name"));
    }
    Ok(bytes)
}

/// Values of `size` bytes each.
///
/// # Safety
/// `at` points to as many as the call takes, or is NULL.
pub unsafe fn values(at: *const c_void, size: u32, name: &'static str) -> Result<Source, Error> {
    // Nothing has no place: of a tag, that it has no data is said.
    if at.is_null() && size > 0 {
        return Err(Error::new(Kind::NullPointer).named(name));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { Source::new(at.cast(), size) })
}

// A dz_column is a `Column` to the letter.
const _: () = {
    assert!(size_of::<dz_column>() == size_of::<Column>());
    assert!(align_of::<dz_column>() == align_of::<Column>());
};

/// Columns as the core takes them.
pub fn columns(columns: &[dz_column]) -> &[Column] {
    // SAFETY: the same layout, and any bits are a value of each field.
    unsafe { core::slice::from_raw_parts(columns.as_ptr().cast(), columns.len()) }
}

/// A listener.
///
/// # Safety
/// The function may be called with `user` until it is disconnected.
pub unsafe fn listener(
    world: dz_world,
    function: dz_listener_fn,
    user: *mut c_void,
) -> Result<Callback, Error> {
    fn run(callback: &Callback, event: &Event) {
        let told = dz_event {
            world: dz_world { bits: callback.world },
            kind: match event.kind {
                EventKind::Add => dz_event_kind::DZ_ON_ADD,
                EventKind::Set => dz_event_kind::DZ_ON_SET,
                EventKind::Remove => dz_event_kind::DZ_ON_REMOVE,
                EventKind::Create => dz_event_kind::DZ_ON_CREATE,
                EventKind::Destroy => dz_event_kind::DZ_ON_DESTROY,
            } as i32,
            entity: event.entity,
            id: event.id,
            data: event.data.cast(),
        };
        // SAFETY: stored below, not NULL; good by the promise of dz_listen.
        unsafe {
            let function: unsafe extern "C" fn(*const dz_event, *mut c_void) = transmute(callback.function);
            function(&raw const told, callback.user.cast());
        }
    }
    let function = function.ok_or(Error::new(Kind::NullPointer).named("listener"))?;
    Ok(Callback { run, function: function as *const (), user: user.cast(), world: world.bits })
}

/// A comparison.
///
/// # Safety
/// The function may be called with `user` for as long as the order is kept.
pub unsafe fn comparison(function: dz_compare_fn, user: *mut c_void) -> Result<Comparison, Error> {
    fn run(it: &Comparison, a: *const u8, b: *const u8, entity_a: Handle, entity_b: Handle) -> i32 {
        // SAFETY: stored below, not NULL; good by the promise of the call that took it.
        unsafe {
            let function: unsafe extern "C" fn(
                *const c_void,
                *const c_void,
                dz_entity,
                dz_entity,
                *mut c_void,
            ) -> i32 = transmute(it.function);
            function(a.cast(), b.cast(), entity_a, entity_b, it.user.cast())
        }
    }
    let function = function.ok_or(Error::new(Kind::NullPointer).named("compare"))?;
    Ok(Comparison { run, function: function as *const (), user: user.cast() })
}

/// A group's terms.
///
/// # Safety
/// As `read`, or NULL; its arrays hold as many ids as it says, and outlive the result.
pub unsafe fn group<'a>(at: *const dz_group_desc) -> Result<Terms<'a>, Error> {
    if at.is_null() {
        return Err(Error::new(Kind::NullPointer).named("desc"));
    }
    // SAFETY: the caller's promise.
    let desc = unsafe { read(at, "DZ_GROUP_DESC_INIT") }?;
    if desc.reserved != 0 {
        return Err(Error::range("reserved", desc.reserved, 0, 0));
    }
    // Before an array is looked at: a count that is garbage must not be believed.
    let counts = [desc.owned_count, desc.included_count, desc.excluded_count];
    let count: u64 = counts.iter().copied().map(u64::from).sum();
    if count > MOST as u64 {
        return Err(Error::count("the number of components", count, MOST as u64));
    }
    // SAFETY: the caller's promise.
    unsafe {
        Ok(Terms {
            owned: slice(desc.owned, desc.owned_count, "owned")?,
            included: slice(desc.included, desc.included_count, "included")?,
            excluded: slice(desc.excluded, desc.excluded_count, "excluded")?,
        })
    }
}

impl From<groups::Details> for dz_group_details {
    fn from(details: groups::Details) -> Self {
        Self {
            group: dz_group { bits: details.serial },
            count: details.count,
            owned_count: details.owned,
            included_count: details.included,
            excluded_count: details.excluded,
            reserved: 0,
            bytes: details.bytes,
            ids: details.ids,
        }
    }
}

impl From<Details> for dz_component_details {
    fn from(details: Details) -> Self {
        Self {
            id: details.id,
            name: details.name.cast(),
            element_size: details.shape.size,
            element_alignment: details.shape.align,
            policy: details.shape.stable.into(),
            count: details.count,
            gaps: details.gaps,
            builtin: details.builtin.into(),
            bytes: details.bytes,
        }
    }
}

impl From<Numbers> for dz_world_numbers {
    fn from(numbers: Numbers) -> Self {
        Self {
            alive: numbers.alive,
            dead: numbers.dead,
            retired: numbers.retired,
            components: numbers.components,
            listeners: numbers.listeners,
            capacity: numbers.capacity,
            bytes: numbers.bytes,
            peak_bytes: numbers.peak,
            allocations: numbers.allocations,
            byte_budget: numbers.budget,
        }
    }
}
