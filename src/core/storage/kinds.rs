//! What each entity has, so that listing, cloning and destroying it cost what it has, however many
//! components there are.
//!
//! Each entity has a signature: a bit for each of up to 31 pools, and one that says that it may be in
//! others too; those are in the blocks. Signatures have one byte, two or four, as many as the pools that need a bit. The bits of
//! the first byte go to the pools that come into use first, those of the others to pools that have many members, the more the later.
//!
//! ```text
//!   bits    0: in others   1: Position   2: Velocity   3: Frozen ... 8: Health ...
//!
//!   one     256: 0000 0110             257: 0000 0010             258: 0000 1111 ...
//!   two     256: 0000 0110 0000 0001   257: 0000 0010 0000 0000   258: ...
//! ```

use super::blocks::Blocks;
use super::buffer::Buffer;
use super::memory::Memory;
use super::pools::BUILTIN;
use crate::core::error::Error;
use core::ptr::NonNull;

/// Bytes of a signature at most.
const MOST: usize = 4;

/// So many members are worth a bit of the second byte.
pub const MANY: u32 = 32;

/// So many are worth a bit: more for later bytes, so that there is one left for a pool of many that comes late.
const fn worth(bit: u32) -> u32 {
    match bit / 8 {
        0 => 0,
        1 => MANY,
        2 => 2 * MANY,
        _ => 8 * MANY,
    }
}

/// The bit of a pool in all signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bit {
    /// One word, read at once: which byte of the signature in the lowest, the mask in the next, and 1 above if it is the pool's own.
    word: u32,
}

impl Bit {
    /// The bit of all pools that have none of their own.
    pub const OTHERS: Self = Self::new(0, 1, false);

    const fn new(byte: u32, mask: u8, own: bool) -> Self {
        Self { word: byte | (mask as u32) << 8 | (own as u32) << 16 }
    }

    #[inline(always)]
    const fn byte(self) -> usize {
        self.word as u8 as usize
    }

    #[inline(always)]
    const fn mask(self) -> u8 {
        (self.word >> 8) as u8
    }

    const fn number(self) -> u32 {
        self.byte() as u32 * 8 + self.mask().trailing_zeros()
    }

    /// Whether it is one pool's.
    #[inline(always)]
    #[must_use]
    pub const fn is_own(&self) -> bool {
        self.word >> 16 != 0
    }
}

/// The pool of a bit: what its number is, and where it lies, so that who has only the bit is there in one step. The address is
/// the pool's own word for it, and good as long as the bit is given to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Its number.
    pub number: u32,
    /// Where it is, if it is one of a world's.
    pub at: Option<NonNull<()>>,
}

impl Owner {
    /// Nobody's.
    const NONE: Self = Self { number: BUILTIN, at: None };
}

/// One bit of an entity's signature. Good until memory is asked for or given back.
#[derive(Clone, Copy)]
pub struct Mark {
    byte: NonNull<u8>,
    mask: u8,
}

impl Mark {
    /// Whether it is set.
    #[inline(always)]
    #[must_use]
    pub const fn is_set(self) -> bool {
        // SAFETY: a byte of a signature, and nothing writes meanwhile.
        unsafe { self.byte.read() & self.mask != 0 }
    }

    /// Sets it.
    #[inline(always)]
    pub const fn set(self) {
        // SAFETY: a byte of a signature, and its world has one writer.
        unsafe { self.byte.write(self.byte.read() | self.mask) };
    }

    /// Takes it off.
    #[inline(always)]
    pub const fn clear(self) {
        // SAFETY: as above.
        unsafe { self.byte.write(self.byte.read() & !self.mask) };
    }
}

/// What one entity has.
#[derive(Clone, Copy)]
pub struct Signature<'a> {
    kinds: &'a Kinds,
    /// Its first byte.
    at: NonNull<u8>,
}

impl Signature<'_> {
    /// One of its bits.
    #[inline(always)]
    #[must_use]
    pub fn mark(self, bit: &Bit) -> Mark {
        let bit = *bit;
        debug_assert!(bit.byte() < self.kinds.width);
        // SAFETY: bits are given out when all signatures have their byte.
        Mark { byte: unsafe { self.at.add(bit.byte()) }, mask: bit.mask() }
    }

    /// All of it.
    #[inline(always)]
    const fn word(self) -> Word {
        match self.kinds.width {
            1 => Word::One(self.at),
            2 => Word::Two(self.at.cast()),
            _ => Word::Four(self.at.cast()),
        }
    }

    /// All of its bits.
    #[inline(always)]
    fn bits(self) -> u32 {
        // SAFETY: so many bytes are a signature, and nothing writes meanwhile.
        unsafe {
            match self.word() {
                Word::One(at) => u32::from(at.read()),
                Word::Two(at) => u32::from(u16::from_le(at.read_unaligned())),
                Word::Four(at) => u32::from_le(at.read_unaligned()),
            }
        }
    }

    /// Takes all of its bits off.
    #[inline(always)]
    fn clear(self) {
        // SAFETY: so many bytes are a signature, and its world has one writer.
        unsafe {
            match self.word() {
                Word::One(at) => at.write(0),
                Word::Two(at) => at.write_unaligned(0),
                Word::Four(at) => at.write_unaligned(0),
            }
        }
    }
}

/// A signature, as what it is read and written by at once.
#[derive(Clone, Copy)]
enum Word {
    One(NonNull<u8>),
    Two(NonNull<u16>),
    Four(NonNull<u32>),
}

/// What each entity has.
#[repr(C)]
pub struct Kinds {
    /// The signatures.
    bytes: Buffer<u8>,
    /// Bytes of a signature: one, two, or `MOST`.
    width: usize,
    /// Indices below have a signature.
    covered: u32,
    /// `covered`; 0 if a closer look is needed.
    plainly: u32,
    /// That an entity lacks something isn't all there is to say: it may have it from a base.
    closer: bool,
    /// The bits that are a pool's own.
    given: u32,
    /// The pool of each bit: its number, and where it is.
    numbers: [u32; MOST * 8],
    places: [Option<NonNull<()>>; MOST * 8],
    /// Those who are in pools without a bit of their own.
    pub blocks: Blocks,
}

impl Default for Kinds {
    fn default() -> Self {
        Self {
            bytes: Buffer::new(),
            width: 1,
            covered: 0,
            closer: false,
            plainly: 0,
            given: 1,
            numbers: [BUILTIN; MOST * 8],
            places: [None; MOST * 8],
            blocks: Blocks::default(),
        }
    }
}

impl Kinds {
    /// Indices below have a signature: nobody above comes to life.
    #[inline(always)]
    #[must_use]
    pub const fn covered(&self) -> u32 {
        self.covered
    }

    /// The signature of one who lives, or did a moment ago.
    #[inline(always)]
    #[must_use]
    pub fn of_living(&self, index: u32) -> Signature<'_> {
        debug_assert!(index < self.covered);
        // SAFETY: indices that are covered have as many bytes each.
        Signature { kinds: self, at: unsafe { self.bytes.at().add(index as usize * self.width) } }
    }

    /// The signature of an entity, if it has one.
    #[inline(always)]
    fn of_one(&self, index: u32) -> Option<Signature<'_>> {
        (index < self.covered).then(|| self.of_living(index))
    }

    /// The bit of an entity, if it has a signature.
    #[inline(always)]
    #[must_use]
    pub fn mark(&self, index: u32, bit: &Bit) -> Option<Mark> {
        self.of_one(index).map(|signature| signature.mark(bit))
    }

    /// The same, if the bit says all there is to say.
    #[inline(always)]
    #[must_use]
    pub fn plain_mark(&self, index: u32, bit: &Bit) -> Option<Mark> {
        // At most `covered`.
        (index < self.plainly).then(|| self.of_living(index).mark(bit))
    }

    /// Whether bits say all there is to say of an entity: nobody is an instance, or it takes part in nothing.
    #[inline(always)]
    #[must_use]
    pub fn says_all(&self, index: u32) -> bool {
        !self.closer || !self.has_others(index)
    }

    /// From now on a closer look is needed, or not.
    pub fn look_closer(&mut self, closer: bool) {
        self.closer = closer;
        self.set_covered(self.covered);
    }

    const fn set_covered(&mut self, covered: u32) {
        self.covered = covered;
        self.plainly = if self.closer { 0 } else { covered };
    }

    /// Makes sure that indices below `end` have signatures.
    #[inline]
    pub fn cover(&mut self, memory: &mut Memory, end: u32) -> Result<(), Error> {
        if end <= self.covered { Ok(()) } else { self.stretch(memory, end) }
    }

    #[cold]
    fn stretch(&mut self, memory: &mut Memory, end: u32) -> Result<(), Error> {
        let bytes = (end as usize).saturating_mul(self.width);
        self.bytes.reserve_exact(memory, bytes)?;
        self.bytes.fill_reserved(bytes - self.bytes.len(), 0);
        self.set_covered(end);
        Ok(())
    }

    /// Gives all signatures as many bits again.
    #[cold]
    fn widen(&mut self, memory: &mut Memory) -> Result<(), Error> {
        let (mut wide, len) = (Buffer::new(), self.bytes.len());
        wide.reserve_exact(memory, len.saturating_mul(2))?;
        wide.fill_reserved(2 * len, 0);
        for (at, byte) in self.bytes.iter().enumerate() {
            // Signatures before its own are as wide again.
            wide[at + (at & !(self.width - 1))] = *byte;
        }
        self.bytes.free(memory);
        self.bytes = wide;
        self.width *= 2;
        Ok(())
    }

    /// A bit for a pool that has `members`: one of its own if there is one. (Few entities are components:
    /// theirs would be wasted.)
    pub fn give_bit(&mut self, memory: &mut Memory, owner: Owner, members: u32) -> Bit {
        let bit = (!self.given).trailing_zeros();
        if bit == u32::BITS || members < worth(bit) || owner.number == BUILTIN {
            return Bit::OTHERS;
        }
        if bit as usize >= 8 * self.width && self.widen(memory).is_err() {
            return Bit::OTHERS;
        }
        self.given |= 1 << bit;
        self.set_owner(bit, owner);
        Bit::new(bit / 8, 1 << (bit % 8), true)
    }

    /// Takes back the bit of a pool that nobody is in.
    pub fn take_bit(&mut self, bit: Bit) {
        if bit.is_own() {
            self.given &= !(1 << bit.number());
            self.set_owner(bit.number(), Owner::NONE);
        }
    }

    const fn set_owner(&mut self, bit: u32, owner: Owner) {
        self.numbers[bit as usize] = owner.number;
        self.places[bit as usize] = owner.at;
    }

    /// The pool of a bit.
    #[inline(always)]
    #[must_use]
    pub const fn owner(&self, bit: u32) -> Owner {
        let bit = bit as usize % (MOST * 8);
        Owner { number: self.numbers[bit], at: self.places[bit] }
    }

    /// All bits of an entity. The first one says that it may be in pools that have none of their own.
    #[inline(always)]
    #[must_use]
    pub fn signature(&self, index: u32) -> u32 {
        self.of_one(index).map_or(0, Signature::bits)
    }

    /// Whether an entity may be in pools that have no bit of their own; a component always is.
    #[inline(always)]
    #[must_use]
    pub fn has_others(&self, index: u32) -> bool {
        self.mark(index, &Bit::OTHERS).is_none_or(Mark::is_set)
    }

    /// Takes all bits off one who lives, or did a moment ago, and returns them.
    #[inline(always)]
    pub fn take(&mut self, index: u32) -> u32 {
        let signature = self.of_living(index);
        let bits = signature.bits();
        signature.clear();
        bits
    }

    /// Sets the bit of a pool in the signatures of `count` neighbours, which have them.
    pub fn set_run(&mut self, index: u32, count: u32, bit: Bit) {
        let at = index as usize * self.width;
        let bytes = &mut self.bytes[at..at + count as usize * self.width];
        let mut all = [0; 8];
        all.iter_mut().skip(bit.byte()).step_by(self.width).for_each(|byte| *byte = bit.mask());
        let mask = u64::from_ne_bytes(all);
        let (eights, rest) = bytes.as_chunks_mut::<8>();
        eights.iter_mut().for_each(|eight| *eight = (u64::from_ne_bytes(*eight) | mask).to_ne_bytes());
        rest.iter_mut().zip(all).for_each(|(byte, mask)| *byte |= mask);
    }

    /// How many of `most` neighbours, who live, have no such bit, up to the first who has.
    pub fn lacking(&self, index: u32, most: u32, bit: Bit) -> usize {
        let end = self.covered.min(index.saturating_add(most));
        let lacks = |index: &u32| !self.of_living(*index).mark(&bit).is_set();
        (index..end).take_while(lacks).count()
    }

    /// The pools at or behind place `place` that an entity has, and their places: bits go first.
    fn behind(&self, index: u32, place: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let signature = self.signature(index);
        let mut bits = if place < 32 { signature & !1 & u32::MAX << place } else { 0 };
        let mut row = (signature & 1 != 0).then_some(place.saturating_sub(32));
        core::iter::from_fn(move || {
            if bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                return Some((bit, self.owner(bit).number));
            }
            let (at, pool) = self.blocks.next(index, row?)?;
            row = Some(at + 1);
            Some((at + 32, pool))
        })
    }

    /// The first of them, for who may change what the entity has before asking for the next.
    #[must_use]
    pub fn next(&self, index: u32, place: u32) -> Option<(u32, u32)> {
        self.behind(index, place).next()
    }

    /// The pools that an entity is in.
    pub fn of(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        self.behind(index, 0).map(|(_, pool)| pool)
    }

    /// Gives back the memory of indices from `end` on, and of blocks that nobody needs.
    pub fn shrink(&mut self, memory: &mut Memory, end: u32) {
        self.set_covered(self.covered.min(end));
        self.bytes.truncate(end as usize * self.width);
        self.bytes.shrink(memory);
        self.blocks.shrink(memory);
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        self.set_covered(0);
        self.bytes.free(memory);
        self.blocks.free(memory);
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Allocator;
    use super::*;

    #[test]
    #[allow(clippy::cast_possible_truncation)]
    fn signatures_are_set_taken_and_listed() {
        let mut memory = Memory::new(Allocator::system(), 0);
        let mut kinds = Kinds::default();
        assert!(kinds.mark(0, &Bit::OTHERS).is_none());
        kinds.cover(&mut memory, 10).unwrap();
        let owner = |number| Owner { number, at: None };
        assert_eq!(kinds.give_bit(&mut memory, owner(BUILTIN), MANY), Bit::OTHERS);
        let few: [Bit; 7] =
            std::array::from_fn(|pool| kinds.give_bit(&mut memory, owner(100 + pool as u32), 0));
        assert_eq!(kinds.give_bit(&mut memory, owner(999), MANY - 1), Bit::OTHERS);
        few.iter().for_each(|bit| kinds.mark(3, bit).unwrap().set());
        memory.budget = memory.bytes;
        assert_eq!(kinds.give_bit(&mut memory, owner(107), MANY), Bit::OTHERS);
        memory.budget = u64::MAX;
        let bits: [Bit; 32] = std::array::from_fn(|pool| match few.get(pool) {
            Some(bit) => *bit,
            None => {
                let few = worth(pool as u32 + 1) - 1;
                assert_eq!(kinds.give_bit(&mut memory, owner(998), few), Bit::OTHERS);
                kinds.give_bit(&mut memory, owner(100 + pool as u32), few + 1)
            }
        });
        assert_eq!(bits.iter().position(|bit| !bit.is_own()), Some(31));
        kinds.cover(&mut memory, 1000).unwrap();
        for bit in &bits[..31] {
            kinds.mark(5, bit).unwrap().set();
            kinds.set_run(900, 90, *bit);
        }
        kinds.set_run(990, 10, bits[9]);
        assert!(bits[..31].iter().all(|bit| kinds.lacking(890, 20, *bit) == 10));
        assert_eq!([bits[0], bits[9], bits[30]].map(|bit| kinds.lacking(990, 20, bit)), [10, 0, 10]);
        assert!(kinds.of(5).eq(100..131) && kinds.of(989).eq(100..131) && kinds.of(999).eq([109]));
        // Those of a byte stay as signatures get two, and four.
        assert!(kinds.of(3).eq(100..107) && kinds.width == MOST);
        assert_eq!(kinds.of(4).count() + kinds.of(6).count() + kinds.of(2000).count(), 0);
        kinds.mark(5, &bits[9]).unwrap().clear();
        assert!(!kinds.mark(5, &bits[9]).unwrap().is_set() && kinds.mark(5, &bits[10]).unwrap().is_set());
        kinds.take_bit(bits[9]);
        assert_eq!(kinds.owner(10), Owner::NONE);
        assert_eq!((kinds.give_bit(&mut memory, owner(7), MANY), kinds.owner(10)), (bits[9], owner(7)));
        assert_eq!((kinds.signature(5), kinds.take(5)), (0xFFFF_FBFE, 0xFFFF_FBFE));
        assert_eq!((kinds.signature(5), kinds.take(5), kinds.signature(2000)), (0, 0, 0));
        kinds.mark(5, &Bit::OTHERS).unwrap().set();
        assert!(kinds.has_others(5) && !kinds.has_others(4));
        assert_eq!(kinds.take(5), 1);
        kinds.shrink(&mut memory, 6);
        assert!(kinds.mark(6, &bits[0]).is_none() && kinds.mark(5, &bits[0]).is_some());
        kinds.free(&mut memory);
        assert_eq!(memory.bytes, 0);
    }
}
