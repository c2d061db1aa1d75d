//! A growing array of plain values that reports when memory runs out, instead of aborting as the
//! standard library's do. It doesn't know its memory: whoever owns it passes it, and must `free` it.

use super::memory::Memory;
use super::slice::{checked, checked_mut, insert};
use crate::core::error::{Error, Kind};
use core::marker::PhantomData;
use core::mem::size_of;
use core::ops::{Deref, DerefMut, Index, IndexMut};
use core::ptr::NonNull;
use core::slice::SliceIndex;

/// Writes what comes of a number and those that follow. Eight at a time: compiled for size, a loop of one by one
/// would stay one.
#[inline(always)]
pub fn number<T>(places: &mut [T], first: u64, of: impl Fn(u64) -> T) {
    let (eights, rest) = places.as_chunks_mut::<8>();
    let mut next = first;
    for eight in eights {
        let at = |more| of(next + more);
        *eight = [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)];
        next += 8;
    }
    for place in rest {
        *place = of(next);
        next += 1;
    }
}

/// A growing array.
#[repr(transparent)]
pub struct Buffer<T: Copy> {
    raw: Raw,
    owns: PhantomData<T>,
}

/// Who asked for less room than it takes. One place for all of them, as in `slice`.
#[cold]
#[inline(never)]
#[cfg_attr(debug_assertions, track_caller)]
fn without_room() -> ! {
    panic!("more than was reserved");
}

/// What a value takes.
struct Unit {
    size: usize,
    align: usize,
}

/// A growing array of values whose size and alignment the caller names each time: so memory is asked for and given back by
/// code that is compiled once.
#[repr(C)]
struct Raw {
    at: NonNull<u8>,
    len: usize,
    capacity: usize,
}

impl Raw {
    const fn empty(unit: &Unit) -> Self {
        let at = match NonNull::new(core::ptr::without_provenance_mut(unit.align)) {
            Some(at) => at,
            None => NonNull::dangling(),
        };
        Self { at, len: 0, capacity: 0 }
    }

    /// Makes room for `more` values, and no more than `most` that isn't asked for.
    ///
    /// # Safety
    /// The unit is that of all values of this array, here and below.
    #[cold]
    #[inline(never)]
    unsafe fn grow(
        &mut self,
        memory: &mut Memory,
        more: usize,
        most: usize,
        unit: &Unit,
    ) -> Result<(), Error> {
        let too_many = Error::new(Kind::Count).about(more as u64);
        let least = self.len.checked_add(more).ok_or(too_many)?;
        // Three times as much while that is next to nothing, then twice, an eighth more once it is megabytes.
        let extra = match self.capacity * unit.size {
            0..512 => self.capacity.saturating_mul(2),
            512..0x10_0000 => self.capacity,
            _ => self.capacity / 8,
        };
        let roomy = least.max(self.capacity.saturating_add(extra).max(4).min(most));
        // SAFETY: the caller's promise.
        unsafe { self.resize(memory, roomy, unit).or_else(|_| self.resize(memory, least.max(1), unit)) }
    }

    /// # Safety
    /// As `grow`.
    #[inline(never)]
    unsafe fn resize(&mut self, memory: &mut Memory, capacity: usize, unit: &Unit) -> Result<(), Error> {
        let too_many = Error::new(Kind::Count).about(capacity as u64);
        let bytes = capacity.checked_mul(unit.size).ok_or(too_many)?;
        self.at = if self.capacity == 0 {
            memory.take(bytes, unit.align)?
        } else {
            // SAFETY: this is how the memory was taken, and what is returned replaces it.
            unsafe { memory.resize(self.at, self.capacity * unit.size, bytes, unit.align) }?
        };
        self.capacity = capacity;
        Ok(())
    }

    /// # Safety
    /// As `grow`.
    #[inline(never)]
    unsafe fn reserve_exact(
        &mut self,
        memory: &mut Memory,
        capacity: usize,
        unit: &Unit,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        if capacity <= self.capacity { Ok(()) } else { unsafe { self.resize(memory, capacity, unit) } }
    }

    /// # Safety
    /// As `grow`.
    #[inline(never)]
    unsafe fn shrink(&mut self, memory: &mut Memory, unit: &Unit) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.len == 0 {
                self.free(memory, unit);
            } else if self.len < self.capacity {
                // Smaller can fail too (an allocator may copy); then nothing is lost.
                let _ = self.resize(memory, self.len, unit);
            }
        }
    }

    /// # Safety
    /// As `grow`.
    #[inline(never)]
    unsafe fn free(&mut self, memory: &mut Memory, unit: &Unit) {
        if self.capacity > 0 {
            // SAFETY: as it was taken; `self` is empty afterwards.
            unsafe { memory.give(self.at, self.capacity * unit.size, unit.align) };
        }
        *self = Self::empty(unit);
    }
}

impl<T: Copy> Default for Buffer<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy> Deref for Buffer<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the first `len` values are initialised.
        unsafe { core::slice::from_raw_parts(self.at().as_ptr(), self.raw.len) }
    }
}

impl<T: Copy> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed for as long.
        unsafe { core::slice::from_raw_parts_mut(self.at().as_ptr(), self.raw.len) }
    }
}

/// In place of the slice's own: see `Slice`.
impl<T: Copy, I: SliceIndex<[T]>> Index<I> for Buffer<T> {
    type Output = I::Output;
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn index(&self, index: I) -> &I::Output {
        checked(self, index)
    }
}

impl<T: Copy, I: SliceIndex<[T]>> IndexMut<I> for Buffer<T> {
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        checked_mut(self, index)
    }
}

impl<T: Copy> Buffer<T> {
    const UNIT: &Unit = &Unit { size: size_of::<T>(), align: align_of::<T>() };

    /// Empty; holds no memory.
    #[must_use]
    pub const fn new() -> Self {
        Self { raw: Raw::empty(Self::UNIT), owns: PhantomData }
    }

    /// Where the values are.
    #[must_use]
    pub const fn at(&self) -> NonNull<T> {
        self.raw.at.cast()
    }

    /// How many values fit without asking for memory.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.raw.capacity
    }

    /// How many more do.
    const fn room(&self) -> usize {
        self.raw.capacity - self.raw.len
    }

    /// Where the next value goes, if there is room.
    const fn end(&self) -> *mut T {
        self.at().as_ptr().wrapping_add(self.raw.len)
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.raw.capacity * size_of::<T>()
    }

    /// Makes room for `more` values than there are, growing in proportion so that pushing one by
    /// one is O(1) amortised.
    #[inline]
    pub fn reserve(&mut self, memory: &mut Memory, more: usize) -> Result<(), Error> {
        self.reserve_within(memory, more, usize::MAX)
    }

    /// The same, but no room for more than `most` that isn't asked for.
    #[inline]
    pub fn reserve_within(&mut self, memory: &mut Memory, more: usize, most: usize) -> Result<(), Error> {
        if more <= self.room() {
            return Ok(());
        }
        // SAFETY: its own unit, here and below.
        unsafe { self.raw.grow(memory, more, most, Self::UNIT) }
    }

    /// Makes room for exactly `capacity` values, if that is more than there is.
    pub fn reserve_exact(&mut self, memory: &mut Memory, capacity: usize) -> Result<(), Error> {
        // SAFETY: as above.
        unsafe { self.raw.reserve_exact(memory, capacity, Self::UNIT) }
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, memory: &mut Memory, value: T) -> Result<(), Error> {
        self.reserve(memory, 1)?;
        self.push_reserved(value);
        Ok(())
    }

    /// Appends a value if there is room; says whether.
    #[inline(always)]
    pub fn push_if_room(&mut self, value: T) -> bool {
        let room = self.room() > 0;
        if room {
            // SAFETY: there is room for one more.
            unsafe { self.end().write(value) };
            self.raw.len += 1;
        }
        room
    }

    /// Goes on if there is room for so many more.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn check_room(&self, more: usize) {
        if more > self.room() {
            without_room();
        }
    }

    /// Appends a value for which room was reserved.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn push_reserved(&mut self, value: T) {
        self.check_room(1);
        // SAFETY: there is room for one more.
        unsafe { self.end().write(value) };
        self.raw.len += 1;
    }

    /// Appends the values of an iterator of known length for which room was reserved.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn extend_reserved(&mut self, values: impl ExactSizeIterator<Item = T>) {
        let more = values.len();
        self.check_room(more);
        let mut written = 0;
        for value in values.take(more) {
            // SAFETY: fewer than `more` values are written, for which there is room.
            unsafe { self.end().add(written).write(value) };
            written += 1;
        }
        self.raw.len += written;
    }

    /// Appends what comes of `more` numbers, for which room was reserved.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn number_reserved(&mut self, more: usize, first: u64, of: impl Fn(u64) -> T) {
        self.check_room(more);
        // SAFETY: there is room for so many more, which are all written.
        unsafe {
            let room = core::slice::from_raw_parts_mut(self.end().cast(), more);
            number(room, first, |next| core::mem::MaybeUninit::new(of(next)));
        }
        self.raw.len += more;
    }

    /// Appends a value `more` times, for which room was reserved.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn fill_reserved(&mut self, more: usize, value: T) {
        self.check_room(more);
        // SAFETY: there is room for so many more, which are all written.
        unsafe {
            let room = core::slice::from_raw_parts_mut(self.end().cast(), more);
            room.fill(core::mem::MaybeUninit::new(value));
        }
        self.raw.len += more;
    }

    /// Inserts a value before the one at `index`; room was reserved.
    pub fn insert_reserved(&mut self, index: usize, value: T) {
        self.push_reserved(value);
        insert(self, index, value);
    }

    /// Takes a value out; those behind it move up.
    pub fn remove(&mut self, index: usize) -> T {
        let value = self[index];
        self.copy_within(index + 1.., index);
        self.raw.len -= 1;
        value
    }

    /// Keeps the first `len` values.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.raw.len = self.raw.len.min(len);
    }

    /// Gives back the memory of values that aren't there. Keeps what it has if that fails.
    pub fn shrink(&mut self, memory: &mut Memory) {
        // SAFETY: as above.
        unsafe { self.raw.shrink(memory, Self::UNIT) };
    }

    /// Gives back the values behind the last one in use, and their memory.
    pub fn shrink_to_used(&mut self, memory: &mut Memory, is_used: impl FnMut(&T) -> bool) {
        self.truncate(self.iter().rposition(is_used).map_or(0, |last| last + 1));
        self.shrink(memory);
    }

    /// Gives back all memory.
    pub fn free(&mut self, memory: &mut Memory) {
        // SAFETY: as above.
        unsafe { self.raw.free(memory, Self::UNIT) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Allocator;
    use super::*;

    #[test]
    fn grows_inserts_removes_and_gives_back() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut buffer = Buffer::new();
        for value in 0..100_u32 {
            buffer.push(&mut memory, value).unwrap();
        }
        buffer.reserve(&mut memory, 1).unwrap();
        buffer.insert_reserved(3, 1000);
        assert_eq!(buffer[2..5], [2, 1000, 3]);
        assert_eq!(buffer.remove(3), 1000);
        assert!(buffer.iter().copied().eq(0..100));
        buffer.truncate(10);
        buffer.shrink(&mut memory);
        assert_eq!((buffer.capacity(), memory.bytes), (10, 40));
        buffer.shrink_to_used(&mut memory, |value| *value < 4);
        assert_eq!((&buffer[..], buffer.capacity()), (&[0, 1, 2, 3][..], 4));
        buffer.shrink_to_used(&mut memory, |_| false);
        assert_eq!((buffer.len(), memory.bytes), (0, 0));
        buffer.free(&mut memory);
        assert_eq!((memory.bytes, memory.allocations), (0, 0));
    }

    #[test]
    fn growth_falls_back_to_what_is_needed_and_fails_without_loss() {
        let mut memory = Memory::new(Allocator::system(), 20);
        let mut buffer = Buffer::new();
        for value in 0..5_u32 {
            buffer.push(&mut memory, value).unwrap();
        }
        assert_eq!(buffer.push(&mut memory, 5).unwrap_err().kind, Kind::Budget);
        assert_eq!(buffer[..], [0, 1, 2, 3, 4]);
        buffer.free(&mut memory);
    }
}
