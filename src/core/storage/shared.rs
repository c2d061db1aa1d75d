//! A value that is borrowed for a moment at a time, because listeners call back into the library
//! while a call on the same world is under way.
//!
//! ```text
//!   remove(e, Position)
//!     with(check) ......... listener(e) ............ with(act)
//!                            get(e, Position)
//!                              with(look)             no two borrows overlap
//! ```

use core::cell::UnsafeCell;

/// A value borrowed for a moment at a time.
pub struct Shared<T> {
    value: UnsafeCell<T>,
}

impl<T> Shared<T> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Self { value: UnsafeCell::new(value) }
    }

    /// Borrows the value to change it.
    ///
    /// The closures in `world` call nothing but the core, which never calls a listener; the foreign code that runs inside,
    /// which is component hooks, comparisons and the world's allocator, is kept out of the world by the boundary
    /// (`ffi::table::Busy`).
    #[inline(always)]
    pub fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: a world has one writer at a time (the contract of every call that writes), and by
        // the above no borrow is alive when another begins on the same thread.
        f(unsafe { &mut *self.value.get() })
    }

    /// Borrows the value to read it; many threads may at once.
    #[inline(always)]
    pub fn look<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        // SAFETY: as above; readers don't run beside a writer.
        f(unsafe { &*self.value.get() })
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
}
