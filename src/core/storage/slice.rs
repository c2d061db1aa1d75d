//! A slice whose indices are checked as those of any other, but without naming the line in each place: a line's name takes
//! 48 bytes of the library and work from the loader, and these places are many. Builds for tests name it.

use core::ops::{Deref, DerefMut, Index, IndexMut, Range, RangeFrom, RangeTo};
use core::slice::SliceIndex;

/// A slice. What a range of it is, is one too.
#[repr(transparent)]
pub struct Slice<T>([T]);

impl<T> Slice<T> {
    /// The same values.
    #[inline(always)]
    #[must_use]
    pub const fn of(values: &[T]) -> &Self {
        // SAFETY: it is the same but for its name (`transparent`), borrowed for as long.
        unsafe { &*(core::ptr::from_ref(values) as *const Self) }
    }

    /// The same values.
    #[inline(always)]
    #[must_use]
    pub const fn of_mut(values: &mut [T]) -> &mut Self {
        // SAFETY: as above.
        unsafe { &mut *(core::ptr::from_mut(values) as *mut Self) }
    }
}

impl<T> Deref for Slice<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Slice<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// What is at an index or a range.
#[inline(always)]
#[cfg_attr(debug_assertions, track_caller)]
pub fn checked<T, I: SliceIndex<[T]>>(values: &[T], index: I) -> &I::Output {
    found(values.get(index))
}

/// The same, to change it.
#[inline(always)]
#[cfg_attr(debug_assertions, track_caller)]
pub fn checked_mut<T, I: SliceIndex<[T]>>(values: &mut [T], index: I) -> &mut I::Output {
    found(values.get_mut(index))
}

/// What was found at an index that is in range.
#[inline(always)]
#[cfg_attr(debug_assertions, track_caller)]
pub fn found<T>(at: Option<T>) -> T {
    match at {
        Some(found) => found,
        None => out_of_range(),
    }
}

/// Goes on if all indices are in range of what they are of.
#[inline(always)]
#[cfg_attr(debug_assertions, track_caller)]
pub fn check(are_in_range: bool) {
    if !are_in_range {
        out_of_range();
    }
}

#[cold]
#[inline(never)]
#[cfg_attr(debug_assertions, track_caller)]
fn out_of_range() -> ! {
    panic!("an index is out of range");
}

/// Copies values to as many others.
#[inline(always)]
#[cfg_attr(debug_assertions, track_caller)]
pub fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    check(to.len() == from.len());
    to.copy_from_slice(from);
}

/// Puts a value before the one at an index: those from there on move up, and the last one is lost.
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn insert<T: Copy>(values: &mut [T], index: usize, value: T) {
    check(index < values.len());
    values.copy_within(index..values.len() - 1, index + 1);
    values[index] = value;
}

impl<T> Index<usize> for Slice<T> {
    type Output = T;

    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn index(&self, index: usize) -> &T {
        checked(&self.0, index)
    }
}

impl<T> IndexMut<usize> for Slice<T> {
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        checked_mut(&mut self.0, index)
    }
}

macro_rules! by_range {
    ($($range:ty),*) => {$(
        impl<T> Index<$range> for Slice<T> {
            type Output = Self;

            #[inline(always)]
            #[cfg_attr(debug_assertions, track_caller)]
            fn index(&self, range: $range) -> &Self {
                Self::of(checked(&self.0, range))
            }
        }

        impl<T> IndexMut<$range> for Slice<T> {
            #[inline(always)]
            #[cfg_attr(debug_assertions, track_caller)]
            fn index_mut(&mut self, range: $range) -> &mut Self {
                Self::of_mut(checked_mut(&mut self.0, range))
            }
        }
    )*};
}

by_range!(Range<usize>, RangeFrom<usize>, RangeTo<usize>);

/// An array likewise.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Array<T, const N: usize>(pub [T; N]);

impl<T: Default + Copy, const N: usize> Default for Array<T, N> {
    fn default() -> Self {
        Self([T::default(); N])
    }
}

impl<T, const N: usize> Deref for Array<T, N> {
    type Target = [T; N];

    #[inline(always)]
    fn deref(&self) -> &[T; N] {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for Array<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; N] {
        &mut self.0
    }
}

impl<T, const N: usize, I: SliceIndex<[T]>> Index<I> for Array<T, N> {
    type Output = I::Output;

    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn index(&self, index: I) -> &I::Output {
        checked(&self.0, index)
    }
}

impl<T, const N: usize, I: SliceIndex<[T]>> IndexMut<I> for Array<T, N> {
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        checked_mut(&mut self.0, index)
    }
}
