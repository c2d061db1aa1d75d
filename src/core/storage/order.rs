//! Orders that a pool or group can be put into, and kept in.

use crate::core::ids::Handle;
use core::ptr::{null, null_mut};

/// What compares two elements, as the core sees it: a Rust function that gets the whole value back.
#[derive(Clone, Copy)]
pub struct Comparison {
    /// Calls `function`: less than 0 if the first comes before the second, more than 0 if after.
    #[allow(clippy::type_complexity)] // a name for it would say less
    pub run: fn(&Self, *const u8, *const u8, Handle, Handle) -> i32,
    /// The boundary's.
    pub function: *const (),
    /// The boundary's.
    pub user: *mut (),
}

/// What is compared: an element and its entity.
pub type Compared = (*const u8, Handle);

impl Comparison {
    /// By entity.
    pub const BY_ENTITY: Self =
        Self { run: |_, _, _, a, b| -i32::from(a < b), function: null(), user: null_mut() };

    /// Whether the first comes before the second.
    #[must_use]
    pub fn is_before(&self, a: Compared, b: Compared) -> bool {
        (self.run)(self, a.0, b.0, a.1, b.1) < 0
    }
}

/// An order.
#[derive(Clone, Copy)]
pub enum Order {
    /// By a comparison.
    By(Comparison),
    /// As another pool: who is in both comes first, in its order.
    As(Handle),
}
