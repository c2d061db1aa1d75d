//! What elements need beyond bytes: hooks to construct, destruct, copy and relocate them. A type
//! without hooks pays for none.

use crate::core::error::{Error, Kind};
use crate::core::ids::Handle;
use core::mem::MaybeUninit;
use core::ptr;

/// Where values come from: bytes that the caller of the library owns.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    at: *const u8,
    size: u32,
}

impl Source {
    /// `at` points to values of `size` bytes each.
    ///
    /// # Safety
    /// It must, for as many values as the call takes; and be aligned if there are hooks that ask.
    #[must_use]
    pub const unsafe fn new(at: *const u8, size: u32) -> Self {
        Self { at, size }
    }

    /// A value of zeros, if it is small.
    #[inline(always)]
    #[must_use]
    pub fn zeros(size: u32) -> Option<Self> {
        static ZEROS: [u8; SMALL as usize] = [0; SMALL as usize];
        (size <= SMALL).then_some(Self { at: ZEROS.as_ptr(), size })
    }

    /// Bytes of one value.
    #[must_use]
    pub const fn size(self) -> u32 {
        self.size
    }

    /// Whether there are values at all.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.at.is_null()
    }

    /// The values from number `index` on.
    #[inline]
    #[must_use]
    pub const fn skip(self, index: usize) -> Self {
        Self { at: self.at.wrapping_add(index * self.size as usize), size: self.size }
    }

    /// The address.
    #[inline]
    #[must_use]
    pub const fn at(self) -> *const u8 {
        self.at
    }
}

/// Values for one component of entities that are made; laid out as C has it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Column {
    /// The component.
    pub id: Handle,
    values: *const u8,
    /// Bytes of one value.
    pub size: u32,
    /// Must be 0.
    pub reserved: u32,
}

impl Column {
    /// The values, if there are any. Whoever made the column, here or in C, promised what `Source` asks.
    #[must_use]
    pub const fn values(&self) -> Option<Source> {
        if self.values.is_null() { None } else { Some(Source { at: self.values, size: self.size }) }
    }
}

/// The hooks as the core sees them: Rust functions that get the whole value back, so that the C
/// boundary can keep its own function pointers in `functions`.
#[derive(Clone, Copy)]
pub struct Lifecycle {
    /// Makes `count` elements. False: failed, none is made.
    pub construct: Option<fn(&Self, *mut u8, u32) -> bool>,
    /// Ends `count` elements.
    pub destruct: Option<fn(&Self, *mut u8, u32)>,
    /// Makes copies. False: failed, none is made.
    #[allow(clippy::type_complexity)] // a name for it would say less
    pub copy: Option<fn(&Self, *mut u8, *const u8, u32) -> bool>,
    /// Moves elements to where none are.
    pub relocate: Option<fn(&Self, *mut u8, *mut u8, u32)>,
    /// The boundary's.
    pub functions: [*const (); 4],
    /// The boundary's.
    pub user: *mut (),
    /// The world's handle.
    pub world: u32,
}

impl Lifecycle {
    /// Bytes.
    pub const TRIVIAL: Self = Self {
        construct: None,
        destruct: None,
        copy: None,
        relocate: None,
        functions: [ptr::null(); 4],
        user: ptr::null_mut(),
        world: 0,
    };

    /// Whether elements are just bytes.
    #[must_use]
    pub const fn is_trivial(&self) -> bool {
        self.construct.is_none() && self.is_bytes()
    }

    /// Whether elements are bytes once they are made.
    #[must_use]
    pub const fn is_bytes(&self) -> bool {
        self.destruct.is_none() && self.copy.is_none() && self.relocate.is_none()
    }

    /// Makes elements: constructed, or zeros.
    ///
    /// # Safety
    /// `to` is room for `count` elements of `size` bytes.
    #[inline]
    pub unsafe fn make(&self, to: *mut u8, size: usize, count: u32) -> Result<(), Error> {
        match self.construct {
            // SAFETY: the caller's promise.
            None => unsafe { to.write_bytes(0, size * count as usize) },
            Some(construct) if construct(self, to, count) => {}
            Some(_) => return Err(Error::new(Kind::HookFailed).named("construct")),
        }
        Ok(())
    }

    /// Makes copies of values.
    ///
    /// # Safety
    /// `to` is room for `count` elements of `size` bytes, `from` has as many, and they don't overlap.
    #[inline]
    pub unsafe fn copy(&self, to: *mut u8, from: *const u8, size: usize, count: u32) -> Result<(), Error> {
        match self.copy {
            // SAFETY: the caller's promise.
            None => unsafe { copy_bytes(to, from, size * count as usize) },
            Some(copy) if copy(self, to, from, count) => {}
            Some(_) => return Err(Error::new(Kind::HookFailed).named("copy")),
        }
        Ok(())
    }

    /// Moves one element to where none is.
    ///
    /// # Safety
    /// `to` is room for an element of `size` bytes, `from` is one, and they are not the same.
    #[inline(never)]
    pub unsafe fn relocate(&self, to: *mut u8, from: *mut u8, size: usize) {
        match self.relocate {
            // SAFETY: the caller's promise.
            None => unsafe { copy_bytes(to, from, size) },
            Some(relocate) => relocate(self, to, from, 1),
        }
    }

    /// Moves elements that lie side by side to where none are.
    ///
    /// # Safety
    /// `to` is room for `count` elements of `size` bytes, `from` has as many, and they don't overlap.
    pub unsafe fn relocate_many(&self, to: *mut u8, from: *mut u8, size: usize, count: u32) {
        match self.relocate {
            // SAFETY: the caller's promise. Elements may have padding: bytes that hold nothing.
            None => unsafe {
                to.cast::<core::mem::MaybeUninit<u8>>()
                    .copy_from_nonoverlapping(from.cast(), size * count as usize);
            },
            Some(_) if count == 0 => {}
            Some(relocate) => relocate(self, to, from, count),
        }
    }

    /// Ends elements.
    #[inline]
    pub fn end(&self, at: *mut u8, count: u32) {
        if let Some(destruct) = self.destruct {
            destruct(self, at, count);
        }
    }
}

/// The largest size that is copied without a call: a matrix of sixteen floats.
pub(super) const SMALL: u32 = 64;

/// Both ends of `size` bytes, where T is at least half and at most all of them: two loads that overlap
/// cover every size between one power of two and the next.
///
/// # Safety
/// As `ptr::copy`, and `size_of::<T>() <= size <= 2 * size_of::<T>()`.
#[inline(always)]
unsafe fn copy_ends<T: Copy>(to: *mut u8, from: *const u8, size: usize) {
    let last = size - size_of::<T>();
    // SAFETY: both pieces lie within the `size` bytes.
    unsafe {
        let (head, tail) = (load::<T>(from), load::<T>(from.add(last)));
        store(to, head);
        store(to.add(last), tail);
    }
}

/// As many bytes as a `T` has. Elements may have padding: bytes that hold nothing, which only `MaybeUninit` may carry.
///
/// # Safety
/// `from` has so many.
#[inline(always)]
unsafe fn load<T>(from: *const u8) -> MaybeUninit<T> {
    // SAFETY: the caller's promise; they may hold nothing.
    unsafe { from.cast::<MaybeUninit<T>>().read_unaligned() }
}

/// # Safety
/// `to` has room for so many bytes.
#[inline(always)]
unsafe fn store<T>(to: *mut u8, bytes: MaybeUninit<T>) {
    // SAFETY: the caller's promise.
    unsafe { to.cast::<MaybeUninit<T>>().write_unaligned(bytes) };
}

/// Copies up to `SMALL` bytes. The size of one number is asked for first, then those of two to four.
///
/// # Safety
/// As `ptr::copy`: a value may be set from itself; and `size <= SMALL`.
#[inline(always)]
pub(super) unsafe fn copy_small(to: *mut u8, from: *const u8, size: usize) {
    debug_assert!(size <= SMALL as usize);
    // SAFETY: the caller's promise; each arm's sizes fit its type.
    unsafe {
        if size == 4 {
            return store(to, load::<u32>(from));
        }
        if size.wrapping_sub(8) <= 8 {
            return copy_ends::<u64>(to, from, size);
        }
        match size {
            0 => {}
            5..=7 => copy_ends::<u32>(to, from, size),
            2..=3 => copy_ends::<u16>(to, from, size),
            1 => store(to, load::<u8>(from)),
            17..=32 => copy_ends::<u128>(to, from, size),
            _ => {
                let (middle, next) = (load::<u128>(from.add(16)), load::<u128>(from.add(size - 32)));
                copy_ends::<u128>(to, from, size);
                store(to.add(16), middle);
                store(to.add(size - 32), next);
            }
        }
    }
}

/// Swaps both ends of so many bytes, which are all of them.
///
/// # Safety
/// Both are `size` bytes of the caller's own, other ones; from one `T` to two.
#[inline(always)]
unsafe fn swap_ends<T>(a: *mut u8, b: *mut u8, size: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let last = size - size_of::<T>();
        let (head_a, tail_a) = (load::<T>(a), load::<T>(a.add(last)));
        let (head_b, tail_b) = (load::<T>(b), load::<T>(b.add(last)));
        store(a, head_b);
        store(a.add(last), tail_b);
        store(b, head_a);
        store(b.add(last), tail_a);
    }
}

/// Swaps the bytes of one to eight numbers, if they are that many.
///
/// # Safety
/// Both are `size` bytes of the caller's own, other ones.
#[inline(always)]
pub(super) unsafe fn swap_few(a: *mut u8, b: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise; each arm's sizes fit its type.
    unsafe {
        match size {
            8..=16 => swap_ends::<u64>(a, b, size),
            4..=7 => swap_ends::<u32>(a, b, size),
            17..=32 => swap_ends::<u128>(a, b, size),
            _ => return false,
        }
    }
    true
}

/// Copies bytes; up to half of `SMALL` without a call.
///
/// # Safety
/// As `ptr::copy`: a value may be set from itself.
#[inline(always)]
pub(super) unsafe fn copy_bytes(to: *mut u8, from: *const u8, size: usize) {
    // SAFETY: the caller's promise.
    unsafe { if size <= SMALL as usize / 2 { copy_small(to, from, size) } else { copy_many(to, from, size) } }
}

/// A call of its own, with nothing to save around it.
///
/// # Safety
/// As `ptr::copy`.
#[inline(never)]
unsafe fn copy_many(to: *mut u8, from: *const u8, size: usize) {
    // SAFETY: the caller's promise.
    unsafe { ptr::copy(from, to, size) }
}
