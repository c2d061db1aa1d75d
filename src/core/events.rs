//! What listeners are told, and how: plain values, so that pools can keep listeners.

use super::ids::Handle;

/// What a listener is told of. The first three are a component's, the others the world's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// After a component was added.
    Add,
    /// After a value was set.
    Set,
    /// Before a component is removed.
    Remove,
    /// After an entity was created.
    Create,
    /// Before an entity is destroyed.
    Destroy,
}

impl EventKind {
    /// Which of a component's lists, or of the world's, is told.
    #[must_use]
    pub const fn list(self) -> usize {
        match self {
            Self::Add | Self::Create => 0,
            Self::Set | Self::Destroy => 1,
            Self::Remove => 2,
        }
    }

    /// Whether it is the world's.
    #[must_use]
    pub const fn of_entity(self) -> bool {
        matches!(self, Self::Create | Self::Destroy)
    }
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// To whom.
    pub entity: Handle,
    /// With which component; 0 for entity events.
    pub id: Handle,
    /// Its value; null for tags and entity events.
    pub data: *mut u8,
}

/// A function to call, as the core sees it: a Rust function that gets the whole value back.
#[derive(Clone, Copy)]
pub struct Callback {
    /// Calls `function`.
    pub run: fn(&Self, &Event),
    /// The boundary's.
    pub function: *const (),
    /// The boundary's.
    pub user: *mut (),
    /// The world's handle.
    pub world: u32,
}

/// A connected listener.
#[derive(Clone, Copy)]
pub struct Listener {
    /// Its number, which no other has.
    pub serial: u32,
    /// What to call.
    pub callback: Callback,
}
