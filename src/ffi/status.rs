//! Statuses: from the core's answers and errors, and their names.

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

        /// The status of a number that was one.
        pub fn of(status: i32) -> dz_status {
            const ALL: &[dz_status] = &[$(dz_status::$status,)*];
            ALL.iter().copied().find(|known| *known as i32 == status).unwrap_or(dz_status::DZ_OK)
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
    Group DZ_ERR_GROUP,
    Grouped DZ_ERR_GROUPED,
    Owned DZ_ERR_OWNED,
    NotTerm DZ_ERR_NOT_TERM,
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
    Level DZ_ERR_INSTRUCTIONS,
    Query DZ_ERR_QUERY,
    QueryLost DZ_ERR_QUERY_LOST,
    NoTerm DZ_ERR_NO_TERM,
    Order DZ_ERR_ORDER,
    Syntax DZ_ERR_SYNTAX,
    NotKept DZ_ERR_NOT_KEPT,
    NotSingle DZ_ERR_NOT_SINGLE,
    NoPair DZ_ERR_NO_PAIR,
    PairHeld DZ_ERR_PAIR_HELD,
    Cycle DZ_ERR_CYCLE,
    Traits DZ_ERR_TRAITS,
    Deep DZ_ERR_DEEP,
    Sibling DZ_ERR_SIBLING,
    NoParent DZ_ERR_NO_PARENT,
    NameTaken DZ_ERR_NAME_TAKEN,
    NotHeld DZ_ERR_NOT_HELD,
    Inherited DZ_ERR_INHERITED,
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
