//! Which of the pools without a bit of their own in signatures (`kinds`) each entity is in: for each block of 64 entities, a
//! number for each such pool that one of them is in, and for each entity a word of bits by these numbers.
//!
//! ```text
//!   block 4 (entities 256..319)        pools    0: Boss       1: Quest      2: Shop
//!                                      words    256: 011      257: 001      258: 111 ...
//! ```
//!
//! So listing, cloning and destroying an entity costs what it has, however many components there
//! are; and because neighbours mostly have the same few components, the words are short: one byte
//! for up to 8 kinds in a block, two for up to 16, and so on. A number that no entity of the block
//! uses any longer may go to another pool.

use super::buffer::Buffer;
use super::memory::Memory;
use super::slice::{Slice, check, checked, checked_mut};
use crate::core::error::Error;
use core::ptr::NonNull;

/// Entities of a block.
const BLOCK: usize = 64;

/// One allocation: 64 words of `stride` bytes each, then `capacity` pool numbers.
#[derive(Clone, Copy)]
struct Block {
    at: NonNull<u8>,
    /// Numbers that were given out: at most `capacity`, and at most `8 * stride`.
    rows: u16,
    capacity: u16,
    stride: u16,
}

/// The largest stride: 8,192 kinds in one block.
const WIDEST: u16 = 1024;

impl Block {
    const EMPTY: Self = Self { at: NonNull::<u64>::dangling().cast(), rows: 0, capacity: 0, stride: 0 };

    const fn bytes(stride: u16, capacity: u16) -> usize {
        BLOCK * stride as usize + capacity as usize * size_of::<u32>()
    }

    #[inline]
    fn words(&self) -> &Slice<u8> {
        // SAFETY: the words are initialised as long as there are any (the stride of none is 0).
        Slice::of(unsafe { core::slice::from_raw_parts(self.at.as_ptr(), BLOCK * self.stride as usize) })
    }

    #[inline]
    fn words_mut(&mut self) -> &mut Slice<u8> {
        // SAFETY: as above.
        Slice::of_mut(unsafe {
            core::slice::from_raw_parts_mut(self.at.as_ptr(), BLOCK * self.stride as usize)
        })
    }

    #[inline]
    fn pools(&self) -> &Slice<u32> {
        // SAFETY: they lie behind the words, of which there is a multiple of 64 bytes; the first
        // `rows` are initialised.
        unsafe {
            let at = self.at.as_ptr().add(BLOCK * self.stride as usize).cast::<u32>();
            Slice::of(core::slice::from_raw_parts(at, self.rows as usize))
        }
    }

    /// The bytes of an entity's word.
    #[inline]
    fn word(&self, index: u32) -> &Slice<u8> {
        let stride = self.stride as usize;
        &self.words()[index as usize % BLOCK * stride..][..stride]
    }

    /// The 64 bits of an entity's word from bit `64 * part` on.
    #[inline]
    fn bits(&self, index: u32, part: usize) -> u64 {
        let word = self.word(index);
        match **word {
            [a] => a.into(),
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
            _ => {
                let bytes = word.get(part * 8..part * 8 + 8).and_then(|bytes| bytes.try_into().ok());
                u64::from_le_bytes(bytes.unwrap_or_default())
            }
        }
    }

    /// Gives a number to a pool. There is room.
    fn assign(&mut self, row: u16, pool: u32) {
        check(row < self.capacity);
        self.rows = self.rows.max(row + 1);
        // SAFETY: the number lies within the capacity.
        unsafe {
            let at = self.at.as_ptr().add(BLOCK * self.stride as usize).cast::<u32>();
            at.add(row as usize).write(pool);
        }
    }

    /// A number that no entity of the block uses.
    #[allow(clippy::cast_possible_truncation)]
    fn unused(&self) -> Option<u16> {
        (0..self.rows).find(|row| {
            let (byte, bit) = (*row as usize / 8, 1 << (row % 8));
            let words = self.words().chunks_exact(self.stride as usize);
            words.into_iter().all(|word| checked(word, byte) & bit == 0)
        })
    }

    /// Makes room for one more number.
    fn grow(&mut self, memory: &mut Memory) -> Result<(), Error> {
        if self.capacity >= WIDEST * 8 {
            let most = u64::from(WIDEST) * 8;
            let what = "the number of kinds of components of 64 neighbouring entities";
            return Err(Error::count(what, most + 1, most));
        }
        let capacity = (self.capacity * 2).max(4);
        let stride = if capacity > self.stride * 8 { (self.stride * 2).max(1) } else { self.stride };
        let at = memory.take_page(Self::bytes(stride, capacity), align_of::<u64>())?;
        let mut wider = Self { at, rows: 0, capacity, stride };
        // SAFETY: new memory of that size; zeros are words without bits.
        unsafe { at.as_ptr().write_bytes(0, Self::bytes(stride, capacity)) };
        if self.stride > 0 {
            let words = self.words().chunks_exact(self.stride as usize);
            for (to, from) in wider.words_mut().chunks_exact_mut(stride as usize).zip(words) {
                checked_mut(to, ..from.len()).copy_from_slice(from);
            }
        }
        for (row, pool) in (0..).zip(self.pools().iter()) {
            wider.assign(row, *pool);
        }
        self.free(memory);
        *self = wider;
        Ok(())
    }

    fn free(&mut self, memory: &mut Memory) {
        if self.capacity > 0 {
            // SAFETY: as it was taken; `self` is empty afterwards.
            unsafe { memory.give_page(self.at, Self::bytes(self.stride, self.capacity), align_of::<u64>()) };
        }
        *self = Self::EMPTY;
    }
}

/// What each entity has beyond its signature.
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

    /// The byte of an entity's word that has bit `row`, if that is the number of a pool in its block.
    #[inline(always)]
    #[must_use]
    pub fn byte_of(&mut self, index: u32, pool: u32, row: u32) -> Option<NonNull<u8>> {
        let block = self.blocks.get(index as usize / BLOCK)?;
        if block.pools().get(row as usize) != Some(&pool) {
            return None;
        }
        // SAFETY: numbers that were given out have a bit in every word.
        Some(unsafe { block.at.add(index as usize % BLOCK * block.stride as usize + row as usize / 8) })
    }

    /// Makes sure that a pool has a number in the block of an entity, and returns it. Whoever reserves
    /// sets the bits before another pool reserves: a number without bits may be given away.
    pub fn reserve(&mut self, memory: &mut Memory, index: u32, pool: u32) -> Result<u32, Error> {
        let number = index as usize / BLOCK;
        if self.blocks.len() <= number {
            let more = number + 1 - self.blocks.len();
            self.blocks.reserve(memory, more)?;
            self.blocks.extend_reserved((0..more).map(|_| Block::EMPTY));
        }
        let block = &mut self.blocks[number];
        if let Some(row) = (0..).zip(block.pools().iter()).find(|(_, p)| **p == pool) {
            return Ok(row.0);
        }
        let mut row = block.rows;
        if row == block.capacity {
            if let Some(unused) = block.unused() {
                row = unused;
            } else {
                self.bytes -= Block::bytes(block.stride, block.capacity);
                let grown = block.grow(memory);
                self.bytes += Block::bytes(block.stride, block.capacity);
                grown?;
            }
        }
        block.assign(row, pool);
        Ok(row.into())
    }

    #[inline(always)]
    fn byte(&mut self, index: u32, row: u32) -> &mut u8 {
        let block = &mut self.blocks[index as usize / BLOCK];
        let at = index as usize % BLOCK * block.stride as usize + row as usize / 8;
        check(row < block.rows.into());
        // SAFETY: numbers that were given out have a bit in every word.
        unsafe { &mut *block.at.as_ptr().add(at) }
    }

    /// Says that `count` entities of one block are in the pool with number `row`.
    #[allow(clippy::cast_possible_truncation)]
    pub fn set_run(&mut self, index: u32, count: u32, row: u32) {
        let block = &mut self.blocks[index as usize / BLOCK];
        let stride = block.stride as usize;
        let first = index as usize % BLOCK * stride;
        let words = &mut block.words_mut()[first..first + count as usize * stride];
        let bit = 1_u8 << (row % 8);
        if stride == 1 {
            words.iter_mut().for_each(|word| *word |= bit);
        } else {
            words.iter_mut().skip(row as usize / 8).step_by(stride).for_each(|byte| *byte |= bit);
        }
    }

    /// Says that an entity isn't in the pool with number `row`.
    #[inline(never)]
    pub fn clear(&mut self, index: u32, row: u32) {
        *self.byte(index, row) &= !(1 << (row % 8));
    }

    /// Whether an entity, or one near it, has any.
    #[inline(always)]
    #[must_use]
    pub fn may_have(&self, index: u32) -> bool {
        self.blocks.get(index as usize / BLOCK).is_some_and(|block| block.rows > 0)
    }

    /// Takes 64 numbers, from `64 * part` on, off an entity: returns which it had, and their pools;
    /// None when there are no more.
    #[inline(always)]
    pub fn take(&mut self, index: u32, part: u32) -> Option<(u64, &[u32])> {
        let block = self.blocks.get_mut(index as usize / BLOCK)?;
        let first = part as usize * 64;
        if first >= block.rows as usize {
            return None;
        }
        let stride = block.stride as usize;
        // SAFETY: words are `stride` bytes each, which is 1, 2, 4 or a multiple of 8, and a part that
        // has a number given out lies within them.
        let bits = unsafe {
            let word = block.at.as_ptr().add(index as usize % BLOCK * stride + first / 8);
            match stride {
                1 => word.replace(0).into(),
                2 => u16::from_le(word.cast::<u16>().replace(0)).into(),
                4 => u32::from_le(word.cast::<u32>().replace(0)).into(),
                _ => u64::from_le(word.cast::<u64>().replace(0)),
            }
        };
        Some((bits, &block.pools()[first..]))
    }

    /// The first number at or behind `row` that an entity has, and its pool.
    #[inline]
    #[must_use]
    pub fn next(&self, index: u32, row: u32) -> Option<(u32, u32)> {
        Self::first(self.blocks.get(index as usize / BLOCK)?, index, row)
    }

    #[inline]
    fn first(block: &Block, index: u32, row: u32) -> Option<(u32, u32)> {
        let mut part = row / 64;
        let mut bits = block.bits(index, part as usize) & u64::MAX << (row % 64);
        while bits == 0 {
            part += 1;
            if part * 64 >= u32::from(block.rows) {
                return None;
            }
            bits = block.bits(index, part as usize);
        }
        let row = part * 64 + bits.trailing_zeros();
        Some((row, block.pools()[row as usize]))
    }

    /// The pools that an entity is in.
    pub fn of(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let mut row = 0;
        core::iter::from_fn(move || {
            let (at, pool) = self.next(index, row)?;
            row = at + 1;
            Some(pool)
        })
    }

    /// Gives back the memory of blocks without any bit, and spare capacity.
    pub fn shrink(&mut self, memory: &mut Memory) {
        for block in self.blocks.iter_mut() {
            if block.words().iter().all(|word| *word == 0) {
                self.bytes -= Block::bytes(block.stride, block.capacity);
                block.free(memory);
            }
        }
        self.blocks.shrink_to_used(memory, |block| block.rows > 0);
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
    fn numbers_are_found_reused_and_given_back() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut blocks = Blocks::default();
        for pool in 0..200 {
            let row = blocks.reserve(&mut memory, 70, pool).unwrap();
            blocks.set_run(70, 1, row);
            assert!(blocks.byte_of(127, pool, row).is_some());
        }
        assert!(blocks.of(70).eq(0..200));
        assert_eq!(blocks.of(71).count() + blocks.of(7000).count(), 0);
        blocks.clear(70, 4);
        assert_eq!(blocks.next(70, 4), Some((5, 5)));
        for pool in 200..256 {
            let row = blocks.reserve(&mut memory, 64, pool).unwrap();
            blocks.set_run(64, 1, row);
        }
        // All numbers are in use or given out: the one that nobody uses goes to another pool.
        assert_eq!(blocks.reserve(&mut memory, 64, 999).unwrap(), 4);
        blocks.set_run(64, 2, 4);
        assert_eq!((blocks.of(64).next(), blocks.of(65).next()), (Some(999), Some(999)));
        for index in [70, 64, 65] {
            let mut had = 0;
            for part in 0.. {
                let Some((bits, _)) = blocks.take(index, part) else { break };
                had += bits.count_ones();
            }
            assert!(had > 0 && blocks.of(index).count() == 0);
        }
        blocks.shrink(&mut memory);
        assert_eq!((memory.bytes, blocks.bytes()), (0, 0));
    }

    #[test]
    fn runs_set_the_same_bits_as_single_calls() {
        let mut memory = Memory::new(Allocator::system(), 0);
        for kinds in [1, 8, 9, 30, 70] {
            let mut blocks = Blocks::default();
            for pool in 0..kinds {
                let row = blocks.reserve(&mut memory, 130, pool).unwrap();
                blocks.set_run(130, 20, row);
            }
            for index in 128..192 {
                let has = (130..150).contains(&index);
                assert_eq!(blocks.of(index).count(), if has { kinds as usize } else { 0 });
            }
            blocks.free(&mut memory);
        }
        assert_eq!(memory.bytes, 0);
    }
}
