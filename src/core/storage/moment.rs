//! Numbers of changes, of which 32 bits are kept: which of two came first is told by halves, so what is very old must
//! not stay as it is.
//!
//! ```text
//!   what came before `now`                 what comes from now on
//!   [ now - 2^31 ......... now - OLD ....... now ) [ now ................. now + 2^31 )
//!                          ^-- nothing is older: it is renewed each time that so many changes have passed
//! ```

/// What is older is made just that old, and looked for after as many changes.
pub const OLD: u32 = 1 << 29;

/// Whether a change came before another.
#[inline(always)]
#[must_use]
pub const fn is_before(change: u32, now: u32) -> bool {
    change.wrapping_sub(now) >= 1 << 31
}

/// Whether it is time to renew all that is kept.
#[inline(always)]
#[must_use]
pub const fn is_time(now: u32) -> bool {
    now.is_multiple_of(OLD)
}

/// A change that came before now, none older than `OLD`.
#[must_use]
pub fn renewed(change: u32, now: u32) -> u32 {
    now.wrapping_sub(now.wrapping_sub(change).min(OLD))
}
