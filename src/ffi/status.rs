//! Statuses: from the core's errors, their names, and the sentences.

use super::boundary::Text;
use super::record::Record;
use super::types::dz_status;
use crate::core::error::Kind;
use crate::core::world::{Added, Bulk, Removed};
use core::ffi::CStr;

/// Each kind of error, its status, and the status's name.
macro_rules! statuses {
    ($($kind:ident $status:ident,)*) => {
        impl From<Kind> for dz_status {
            fn from(kind: Kind) -> Self {
                match kind {
                    $(Kind::$kind => Self::$status,)*
                }
            }
        }

        /// The name of a status.
        pub fn name(status: i32) -> &'static CStr {
            const NAMES: &[(i32, &CStr)] = &[
                (dz_status::DZ_OK as i32, c"DZ_OK"),
                (dz_status::DZ_ALREADY_THERE as i32, c"DZ_ALREADY_THERE"),
                (dz_status::DZ_NOT_THERE as i32, c"DZ_NOT_THERE"),
                (dz_status::DZ_NOTHING_TO_DO as i32, c"DZ_NOTHING_TO_DO"),
                $((dz_status::$status as i32, {
                    const NAME: &str = concat!(stringify!($status), "\0");
                    match CStr::from_bytes_with_nul(NAME.as_bytes()) {
                        Ok(name) => name,
                        Err(_) => c"",
                    }
                }),)*
            ];
            let found = NAMES.iter().find(|(value, _)| *value == status);
            found.map_or(c"DZ_UNKNOWN_STATUS", |(_, name)| name)
        }
    };
}

statuses! {
    NullPointer DZ_ERR_NULL_POINTER,
    WorldNull DZ_ERR_WORLD_NULL,
    WorldDead DZ_ERR_WORLD_DEAD,
    WorldUnknown DZ_ERR_WORLD_UNKNOWN,
    WorldBroken DZ_ERR_WORLD_BROKEN,
    TooManyWorlds DZ_ERR_TOO_MANY_WORLDS,
    NullEntity DZ_ERR_NULL_ENTITY,
    Tombstone DZ_ERR_TOMBSTONE,
    Dead DZ_ERR_DEAD,
    NeverCreated DZ_ERR_NEVER_CREATED,
    WrongWorld DZ_ERR_WRONG_WORLD,
    Retired DZ_ERR_RETIRED,
    Role DZ_ERR_ROLE,
    IsComponent DZ_ERR_IS_COMPONENT,
    NotComponent DZ_ERR_NOT_COMPONENT,
    Duplicate DZ_ERR_DUPLICATE,
    Occupied DZ_ERR_OCCUPIED,
    Reserved DZ_ERR_RESERVED,
    Size DZ_ERR_SIZE,
    Tag DZ_ERR_TAG,
    Alignment DZ_ERR_ALIGNMENT,
    Shape DZ_ERR_SHAPE,
    Name DZ_ERR_NAME,
    Held DZ_ERR_HELD,
    Builtin DZ_ERR_BUILTIN,
    NotElement DZ_ERR_NOT_ELEMENT,
    HookFailed DZ_ERR_HOOK_FAILED,
    InHook DZ_ERR_IN_HOOK,
    Listener DZ_ERR_LISTENER,
    Policy DZ_ERR_POLICY,
    OutOfMemory DZ_ERR_OUT_OF_MEMORY,
    Budget DZ_ERR_BUDGET,
    Full DZ_ERR_FULL,
    Exhausted DZ_ERR_EXHAUSTED,
    Count DZ_ERR_COUNT,
    DescSize DZ_ERR_DESC_SIZE,
    DescTail DZ_ERR_DESC_TAIL,
    Enum DZ_ERR_ENUM,
    Range DZ_ERR_RANGE,
    Iter DZ_ERR_ITER,
    Changed DZ_ERR_CHANGED,
    Allocator DZ_ERR_ALLOCATOR,
}

impl From<Added> for dz_status {
    fn from(added: Added) -> Self {
        match added {
            Added::New => Self::DZ_OK,
            Added::Already => Self::DZ_ALREADY_THERE,
            Added::Nothing => Self::DZ_NOTHING_TO_DO,
        }
    }
}

impl From<Removed> for dz_status {
    fn from(removed: Removed) -> Self {
        match removed {
            Removed::Gone => Self::DZ_OK,
            Removed::NotThere => Self::DZ_NOT_THERE,
            Removed::Nothing => Self::DZ_NOTHING_TO_DO,
        }
    }
}

impl From<Bulk> for dz_status {
    fn from(bulk: Bulk) -> Self {
        match bulk {
            Bulk::Done => Self::DZ_OK,
            Bulk::Nothing => Self::DZ_NOTHING_TO_DO,
        }
    }
}

/// "component "Position" (E:1-3[1])", or without the name where it isn't known.
fn component(text: &mut Text, record: &Record) {
    text.add(format_args!("component "));
    if let Some(name) = record.component() {
        text.add(format_args!("\"{name}\" ("));
        text.entity(record.error.subject);
        text.add(format_args!(")"));
    } else {
        text.entity(record.error.subject);
    }
}

/// A shape as `World::find_same` packs it.
fn shape(text: &mut Text, packed: u64) {
    let (size, align) = (packed & 0xFFFF_FFFF, packed >> 32 & 0x7FFF_FFFF);
    let policy = if packed >> 63 == 1 { "stable" } else { "swap" };
    text.add(format_args!("size {size}, alignment {align}, policy {policy}"));
}

/// The sentence about an error, after "function: ".
pub fn sentence(text: &mut Text, record: &Record) {
    let error = &record.error;
    let (subject, [a, b], what) = (error.subject, error.detail, error.name);
    let world = |text: &mut Text, rest: &str| {
        text.add(format_args!("world W:{} (handle {subject:#x}) {rest}", subject & 0xFFF));
    };
    let entity = |text: &mut Text, rest: core::fmt::Arguments| {
        text.add(format_args!("entity "));
        text.entity(subject);
        text.add(format_args!(" {rest}"));
    };
    match error.kind {
        Kind::NullPointer => text.add(format_args!("{what} is NULL")),
        Kind::WorldNull => text.add(format_args!("the world is {{0}}, which is no world")),
        Kind::WorldDead => world(text, "was destroyed"),
        Kind::WorldUnknown => world(text, "was never created"),
        Kind::WorldBroken => world(text, "met a bug of the library and takes no more calls"),
        Kind::TooManyWorlds => {
            text.add(format_args!("all {subject} world numbers of that layout are in use"))
        }
        Kind::NullEntity if subject == 0 => text.add(format_args!("the entity is DZ_NULL")),
        Kind::NullEntity => entity(text, format_args!("has the null index, which nobody has")),
        Kind::Tombstone => entity(text, format_args!("has the tombstone generation, which nobody has")),
        Kind::Dead => entity(text, format_args!("is dead: its slot is now at generation {a}")),
        Kind::NeverCreated => entity(text, format_args!("was never created")),
        Kind::WrongWorld => entity(text, format_args!("does not belong to world W:{}", record.world & 0xFFF)),
        Kind::Retired => {
            entity(text, format_args!("is dead, and its slot is retired: all its generations are used up"))
        }
        Kind::Role => entity(text, format_args!("has role bits where a plain handle is meant")),
        Kind::IsComponent => {
            component(text, record);
            text.add(format_args!(" is given where a plain entity is meant"));
        }
        Kind::NotComponent => entity(text, format_args!("is no component")),
        Kind::Duplicate => entity(text, format_args!("stands twice in {what}")),
        Kind::Occupied => {
            entity(text, format_args!("can't be created: at its index lives "));
            text.entity(a);
        }
        Kind::Reserved => {
            entity(text, format_args!("has an index below {a}, which are reserved for components"))
        }
        Kind::Size => {
            component(text, record);
            text.add(format_args!(" has size {b}, not {a}"));
        }
        Kind::Tag => {
            component(text, record);
            text.add(format_args!(" is a tag: it has no data"));
        }
        Kind::Alignment => text.add(format_args!(
            "alignment {subject} is not a power of two up to 4096 that divides the size {a}"
        )),
        Kind::Shape => {
            component(text, record);
            text.add(format_args!(" is registered with "));
            shape(text, a);
            text.add(format_args!("; it can't have "));
            shape(text, b);
        }
        Kind::Name => text.add(format_args!("{what} must be UTF-8 of 1 to 255 bytes")),
        Kind::Held => {
            component(text, record);
            text.add(format_args!(" is held by {a} entities: dz_component_unregister takes it off them"));
        }
        Kind::Builtin => {
            component(text, record);
            text.add(format_args!(" belongs to the library"));
        }
        Kind::NotElement => {
            text.add(format_args!("{a:#x} is no element of "));
            component(text, record);
        }
        Kind::HookFailed => {
            text.add(format_args!("the {what} hook failed for "));
            component(text, record);
        }
        Kind::InHook => text.add(format_args!("not allowed inside a hook or listener")),
        Kind::Listener => text.add(format_args!("listener {subject} is not connected")),
        Kind::Policy => {
            component(text, record);
            text.add(format_args!(" has the swap policy: it has no gaps"));
        }
        Kind::OutOfMemory => text.add(format_args!("out of memory: the allocator refused {subject} bytes")),
        Kind::Budget => {
            text.add(format_args!("{subject} bytes more would exceed the budget: {a} of {b} are in use"))
        }
        Kind::Full if b != 0 => {
            text.entity(b);
            text.add(format_args!(" has an index beyond the world's largest number of slots, {subject}"));
        }
        Kind::Full => text.add(format_args!(
            "the world has its largest number of slots, {subject}, and {a} more are wanted"
        )),
        Kind::Exhausted => text
            .add(format_args!("the identifiers have run out: of {subject} slots all are in use or retired")),
        Kind::Count => text.add(format_args!(
            "{} of {subject} is too large",
            if what.is_empty() { "a count" } else { what }
        )),
        Kind::DescSize => {
            text.add(format_args!("the descriptor's size is {subject}, not {a}: begin with its DZ_..._INIT"))
        }
        Kind::DescTail => text.add(format_args!(
            "the descriptor has {subject} bytes, of which this library knows {a}, and the others are not zero"
        )),
        Kind::Enum => text.add(format_args!("{what} has no value {}", subject.cast_signed())),
        Kind::Range => text.add(format_args!("{what} is out of range: {subject}")),
        Kind::Iter => text.add(format_args!("the dz_iter was not started by dz_iterate_pool")),
        Kind::Changed => {
            component(text, record);
            text.add(format_args!(" changed in a way that this iteration can't follow"));
        }
        Kind::Allocator => text.add(format_args!("an allocator needs both allocate and free")),
    }
}
