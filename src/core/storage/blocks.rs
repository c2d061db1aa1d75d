//! What each entity has, transposed: for each block of 64 entities, a row for each pool that one of
//! them is in, with a bit for each entity.
//!
//! ```text
//!   block 4 (entities 256..319)          bit 0  1  2  3 ...
//!     row 0   pool 1  Position                1  1  1  0
//!     row 1   pool 2  Velocity                1  0  1  0
//!     row 2   pool 9  Frozen                  0  0  1  0      entity 258 has all three
//! ```
//!
//! So listing, cloning and destroying an entity costs what it has and a bit test for each kind that
//! its neighbours have, however many components there are; and it costs an eighth of a byte for each
//! component of an entity, not a word. A row whose bits are all off may be taken by another pool.

use super::buffer::Buffer;
use super::memory::Memory;
use crate::core::error::{Error, Kind};
use core::ptr::NonNull;

/// Rows of one block: `capacity` words, then as many pool numbers, in one allocation.
#[derive(Clone, Copy)]
struct Block {
    at: NonNull<u8>,
    len: u32,
    capacity: u32,
}

const ROW: usize = size_of::<u64>() + size_of::<u32>();

impl Block {
    const EMPTY: Self = Self { at: NonNull::<u64>::dangling().cast(), len: 0, capacity: 0 };

    #[inline]
    fn words(&self) -> &[u64] {
        // SAFETY: the first `len` words are initialised.
        unsafe { core::slice::from_raw_parts(self.at.cast().as_ptr(), self.len as usize) }
    }

    #[inline]
    fn pools(&self) -> &[u32] {
        // SAFETY: the pool numbers lie behind all words, the first `len` are initialised.
        unsafe {
            let at = self.at.cast::<u64>().as_ptr().add(self.capacity as usize);
            core::slice::from_raw_parts(at.cast(), self.len as usize)
        }
    }

    #[inline]
    fn word(&mut self, row: u32) -> &mut u64 {
        assert!(row < self.len);
        // SAFETY: as `words`.
        unsafe { &mut *self.at.cast::<u64>().as_ptr().add(row as usize) }
    }

    fn grow(&mut self, memory: &mut Memory) -> Result<(), Error> {
        let capacity = match self.capacity {
            0 => 2,
            small @ ..8 => small + 2,
            large => large + large / 2,
        };
        let at = memory.take(capacity as usize * ROW, align_of::<u64>())?;
        // SAFETY: both are large enough, and new memory doesn't overlap old.
        unsafe {
            let words = at.cast::<u64>().as_ptr();
            words.copy_from_nonoverlapping(self.words().as_ptr(), self.len as usize);
            let pools = words.add(capacity as usize).cast::<u32>();
            pools.copy_from_nonoverlapping(self.pools().as_ptr(), self.len as usize);
        }
        let len = self.len;
        self.free(memory);
        *self = Self { at, len, capacity };
        Ok(())
    }

    /// Gives row `row`, or a new one, to a pool; all bits off. Room was made.
    fn assign(&mut self, row: u32, pool: u32) {
        self.len = self.len.max(row + 1);
        assert!(self.len <= self.capacity);
        // SAFETY: the row lies within the capacity.
        unsafe {
            let words = self.at.cast::<u64>().as_ptr();
            words.add(row as usize).write(0);
            words.add(self.capacity as usize).cast::<u32>().add(row as usize).write(pool);
        }
    }

    fn free(&mut self, memory: &mut Memory) {
        if self.capacity > 0 {
            // SAFETY: as it was taken; `self` is empty afterwards.
            unsafe { memory.give(self.at, self.capacity as usize * ROW, align_of::<u64>()) };
        }
        *self = Self::EMPTY;
    }
}

/// The rows of all blocks.
#[derive(Default)]
pub struct Blocks {
    blocks: Buffer<Block>,
    bytes: usize,
}

impl Blocks {
    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes + self.blocks.bytes()
    }

    /// Makes sure that a pool has a row in the block of an entity, and returns its number. `hint` is
    /// where it was last.
    #[inline]
    pub fn reserve(&mut self, memory: &mut Memory, index: u32, pool: u32, hint: u32) -> Result<u32, Error> {
        if let Some(block) = self.blocks.get((index / 64) as usize)
            && block.pools().get(hint as usize) == Some(&pool)
        {
            return Ok(hint);
        }
        self.find_row(memory, index, pool)
    }

    #[cold]
    #[allow(clippy::cast_possible_truncation)]
    fn find_row(&mut self, memory: &mut Memory, index: u32, pool: u32) -> Result<u32, Error> {
        let number = (index / 64) as usize;
        if self.blocks.len() <= number {
            let more = number + 1 - self.blocks.len();
            self.blocks.reserve(memory, more)?;
            self.blocks.extend_reserved((0..more).map(|_| Block::EMPTY));
        }
        let block = &mut self.blocks[number];
        if let Some(row) = block.pools().iter().position(|p| *p == pool) {
            return Ok(row as u32);
        }
        // A row that was reserved but not used yet has no bits either: so whoever reserves rows sets
        // their bits before another pool reserves.
        let row = block.words().iter().position(|word| *word == 0).unwrap_or(block.len as usize);
        if row == block.capacity as usize {
            if block.len == u32::MAX / 2 {
                return Err(Error::new(Kind::Count));
            }
            self.bytes -= block.capacity as usize * ROW;
            let grown = block.grow(memory);
            self.bytes += block.capacity as usize * ROW;
            grown?;
        }
        block.assign(row as u32, pool);
        Ok(row as u32)
    }

    /// Sets bits of a pool's row in the block of `index`.
    #[inline]
    pub fn set(&mut self, index: u32, row: u32, bits: u64) {
        *self.blocks[(index / 64) as usize].word(row) |= bits;
    }

    /// Takes an entity's bit off a pool's row.
    #[inline]
    pub fn clear(&mut self, index: u32, row: u32) {
        *self.blocks[(index / 64) as usize].word(row) &= !(1 << (index % 64));
    }

    /// The numbers of the pools that an entity is in.
    #[inline]
    pub fn of(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let block = self.blocks.get((index / 64) as usize);
        let (words, pools) = block.map_or((&[][..], &[][..]), |b| (b.words(), b.pools()));
        let bit = 1_u64 << (index % 64);
        words.iter().zip(pools).filter(move |(word, _)| **word & bit != 0).map(|(_, pool)| *pool)
    }

    /// The first row at or behind `row` whose bit an entity has: its number and its pool.
    #[inline]
    #[must_use]
    pub fn next(&self, index: u32, row: u32) -> Option<(u32, u32)> {
        let block = self.blocks.get((index / 64) as usize)?;
        let bit = 1_u64 << (index % 64);
        (row..block.len)
            .find(|row| block.words()[*row as usize] & bit != 0)
            .map(|row| (row, block.pools()[row as usize]))
    }

    /// Gives back the memory of blocks without any bit, and spare capacity.
    pub fn shrink(&mut self, memory: &mut Memory) {
        for number in 0..self.blocks.len() {
            let block = &mut self.blocks[number];
            if block.words().iter().all(|word| *word == 0) {
                self.bytes -= block.capacity as usize * ROW;
                block.free(memory);
            }
        }
        let used = self.blocks.iter().rposition(|block| block.len > 0).map_or(0, |last| last + 1);
        self.blocks.truncate(used);
        self.blocks.shrink(memory);
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        for block in self.blocks.iter_mut() {
            block.free(memory);
        }
        self.blocks.free(memory);
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Allocator;
    use super::*;

    #[test]
    fn rows_are_found_reused_and_given_back() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut blocks = Blocks::default();
        for pool in 0..20 {
            let row = blocks.reserve(&mut memory, 70, pool, 0).unwrap();
            blocks.set(70, row, 1 << 6);
        }
        assert!(blocks.of(70).eq(0..20));
        assert_eq!(blocks.of(71).count(), 0);
        assert_eq!(blocks.of(7000).count(), 0);
        blocks.clear(70, 4);
        assert_eq!(blocks.next(70, 4), Some((5, 5)));
        assert_eq!(blocks.reserve(&mut memory, 64, 99, 7).unwrap(), 4);
        blocks.set(64, 4, 1);
        assert!(blocks.of(64).eq([99]));
        for row in 0..20 {
            blocks.clear(70, row);
            blocks.clear(64, row);
        }
        blocks.shrink(&mut memory);
        assert_eq!((memory.bytes, blocks.bytes()), (0, 0));
    }
}
