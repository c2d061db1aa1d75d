//! A set of indices: a bit for each.

use super::buffer::Buffer;
use super::memory::Memory;
use crate::core::error::Error;

/// A set of indices.
#[derive(Default)]
pub struct Bits {
    words: Buffer<u64>,
}

impl Bits {
    /// Whether an index is in it.
    #[inline]
    #[must_use]
    pub fn has(&self, index: u32) -> bool {
        self.words.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// Who of the 64 neighbours of an index is in it: a bit for each.
    #[inline]
    #[must_use]
    pub fn around(&self, index: u32) -> u64 {
        self.words.get(index as usize / 64).copied().unwrap_or(0)
    }

    /// Makes sure that an index can be put in.
    pub fn reserve(&mut self, memory: &mut Memory, index: u32) -> Result<(), Error> {
        let more = (index as usize / 64 + 1).saturating_sub(self.words.len());
        self.words.reserve(memory, more)?;
        self.words.fill_reserved(more, 0);
        Ok(())
    }

    /// Puts an index in, for which room was reserved, or takes it out.
    pub fn set(&mut self, index: u32, is_in: bool) {
        if let Some(word) = self.words.get_mut(index as usize / 64) {
            let bit = 1 << (index % 64);
            *word = if is_in { *word | bit } else { *word & !bit };
        }
    }

    /// Gives back the memory behind the last index that is in.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.words.shrink_to_used(memory, |word| *word != 0);
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        self.words.free(memory);
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Allocator;
    use super::*;

    #[test]
    fn indices_are_in_or_not() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut bits = Bits::default();
        bits.set(100, false);
        bits.reserve(&mut memory, 100).unwrap();
        bits.set(100, true);
        assert!(bits.has(100) && !bits.has(99) && !bits.has(1000));
        bits.shrink(&mut memory);
        assert!(bits.has(100));
        bits.set(100, false);
        assert!(!bits.has(100) && memory.bytes > 0);
        bits.shrink(&mut memory);
        assert_eq!(memory.bytes, 0);
        bits.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }
}
