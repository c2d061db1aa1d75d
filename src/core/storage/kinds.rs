//! What each entity has, so that listing, cloning and destroying it cost what it has, however many
//! components there are.
//!
//! Each entity has a signature: a bit for each of up to 31 pools, and one that says that it may be in
//! others too; those are in the blocks. Eight bits are a plane, which has a byte for each entity;
//! planes are made when a pool needs them. The first plane's bits go to the pools that come into use
//! first, those of the others to pools that have many members.
//!
//! ```text
//!   plane 0    bit 0: in others   1: Position   2: Velocity   3: Frozen ...
//!              bytes    256: 0000 0110    257: 0000 0010    258: 0000 1111 ...
//!   plane 1    bit 0: Health ...
//! ```

use super::blocks::Blocks;
use super::buffer::Buffer;
use super::memory::Memory;
use super::pools::BUILTIN;
use crate::core::error::Error;
use core::ptr::NonNull;

/// Planes there can be.
const PLANES: usize = 4;

/// So many members are worth a bit in any plane.
pub const MANY: u32 = 32;

/// The bit of a pool in all signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bit {
    /// One word, read at once: the plane in the lowest byte, the mask in the next, and 1 above if it is the pool's own.
    word: u32,
}

impl Bit {
    /// The bit of all pools that have none of their own.
    pub const OTHERS: Self = Self::new(0, 1, false);

    const fn new(plane: u32, mask: u8, own: bool) -> Self {
        Self { word: plane | (mask as u32) << 8 | (own as u32) << 16 }
    }

    #[inline(always)]
    const fn plane(self) -> usize {
        self.word as u8 as usize
    }

    #[inline(always)]
    const fn mask(self) -> u8 {
        (self.word >> 8) as u8
    }

    const fn number(self) -> u32 {
        self.plane() as u32 * 8 + self.mask().trailing_zeros()
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
        // SAFETY: a byte of a plane, and nothing writes meanwhile.
        unsafe { self.byte.read() & self.mask != 0 }
    }

    /// Sets it.
    #[inline(always)]
    pub const fn set(self) {
        // SAFETY: a byte of a plane, and its world has one writer.
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
    /// Below what is covered.
    index: u32,
}

impl Signature<'_> {
    /// One of its bits.
    #[inline(always)]
    #[must_use]
    pub fn mark(self, bit: &Bit) -> Mark {
        let bit = *bit;
        debug_assert!(bit.plane() < self.kinds.used as usize);
        // SAFETY: bits are given out when their plane is there, and planes have bytes for all indices that are covered.
        let byte = unsafe { self.kinds.at.get_unchecked(bit.plane()).add(self.index as usize) };
        Mark { byte, mask: bit.mask() }
    }

    /// All of its bits.
    #[inline(always)]
    fn bits(self) -> u32 {
        // SAFETY: planes in use have bytes for all indices that are covered, and nothing writes meanwhile.
        let byte = |plane: usize| unsafe {
            u32::from(self.kinds.at.get_unchecked(plane).add(self.index as usize).read())
        };
        const { assert!(PLANES == 4) };
        let mut bits = byte(0);
        if self.kinds.used > 1 {
            bits |= byte(1) << 8;
            if self.kinds.used > 2 {
                bits |= byte(2) << 16;
                if self.kinds.used > 3 {
                    bits |= byte(3) << 24;
                }
            }
        }
        bits
    }
}

/// What each entity has.
#[repr(C)]
pub struct Kinds {
    /// Where the bytes of the planes are.
    at: [NonNull<u8>; PLANES],
    /// Indices below have a byte in each plane.
    covered: u32,
    /// `covered`; 0 if a closer look is needed.
    plainly: u32,
    /// That an entity lacks something isn't all there is to say: it may have it from a base.
    closer: bool,
    /// Planes in use.
    used: u32,
    /// The bits that are a pool's own.
    given: u32,
    /// The pool of each bit: its number, and where it is.
    numbers: [u32; PLANES * 8],
    places: [Option<NonNull<()>>; PLANES * 8],
    planes: [Buffer<u8>; PLANES],
    /// Those who are in pools without a bit of their own.
    pub blocks: Blocks,
}

impl Default for Kinds {
    fn default() -> Self {
        Self {
            at: [NonNull::dangling(); PLANES],
            covered: 0,
            closer: false,
            plainly: 0,
            used: 1,
            given: 1,
            numbers: [BUILTIN; PLANES * 8],
            places: [None; PLANES * 8],
            planes: [const { Buffer::new() }; PLANES],
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
        Signature { kinds: self, index }
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
        (index < self.plainly).then(|| Signature { kinds: self, index }.mark(bit))
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
        if end <= self.covered { Ok(()) } else { self.widen(memory, end) }
    }

    #[cold]
    fn widen(&mut self, memory: &mut Memory, end: u32) -> Result<(), Error> {
        for plane in 0..self.used as usize {
            self.stretch(memory, plane, end)?;
        }
        self.set_covered(end);
        Ok(())
    }

    /// Makes a plane as long as that.
    fn stretch(&mut self, memory: &mut Memory, plane: usize, end: u32) -> Result<(), Error> {
        let bytes = &mut self.planes[plane];
        let stretched = bytes.reserve_exact(memory, end as usize);
        self.at[plane] = bytes.at();
        stretched?;
        let more = (end as usize).saturating_sub(bytes.len());
        bytes.fill_reserved(more, 0);
        Ok(())
    }

    /// A bit for a pool that has `members`: one of its own if there is one. (Few entities are components:
    /// theirs would be wasted.)
    pub fn give_bit(&mut self, memory: &mut Memory, owner: Owner, members: u32) -> Bit {
        let bit = (!self.given).trailing_zeros();
        if bit == u32::BITS || bit >= 8 && members < MANY || owner.number == BUILTIN {
            return Bit::OTHERS;
        }
        let plane = bit / 8;
        if plane >= self.used {
            if self.stretch(memory, plane as usize, self.covered).is_err() {
                return Bit::OTHERS;
            }
            self.used = plane + 1;
        }
        self.given |= 1 << bit;
        self.set_owner(bit, owner);
        Bit::new(plane, 1 << (bit % 8), true)
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
        let bit = bit as usize % (PLANES * 8);
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
        let bits = self.of_living(index).bits();
        if bits == 0 {
            return 0;
        }
        // SAFETY: planes with a bit that is set have a byte for it, and its world has one writer.
        let clear = |plane: usize| unsafe { self.at.get_unchecked(plane).add(index as usize).write(0) };
        clear(0);
        // One by one: a loop takes longer.
        if bits & 0xFF00 != 0 {
            clear(1);
        }
        if bits >> 16 != 0 {
            clear(2);
            if bits >> 24 != 0 {
                clear(3);
            }
        }
        bits
    }

    /// Sets the bit of a pool in the signatures of `count` neighbours, which have them.
    pub fn set_run(&mut self, index: u32, count: u32, bit: Bit) {
        let bytes = &mut self.planes[bit.plane()][index as usize..][..count as usize];
        let (eights, rest) = bytes.as_chunks_mut::<8>();
        let mask = u64::from_ne_bytes([bit.mask(); 8]);
        eights.iter_mut().for_each(|eight| *eight = (u64::from_ne_bytes(*eight) | mask).to_ne_bytes());
        rest.iter_mut().for_each(|byte| *byte |= bit.mask());
    }

    /// How many of `most` neighbours, who live, have no such bit, up to the first who has.
    pub fn lacking(&self, index: u32, most: usize, bit: Bit) -> usize {
        let bytes = &self.planes[bit.plane()][index as usize..];
        let bytes = &bytes[..most.min(bytes.len())];
        bytes.iter().take_while(|byte| **byte & bit.mask() == 0).count()
    }

    /// The first pool at or behind place `place` that an entity has, and its place: bits go first.
    #[must_use]
    pub fn next(&self, index: u32, place: u32) -> Option<(u32, u32)> {
        let signature = self.signature(index);
        let bits = if place < 32 { signature & !1 & u32::MAX << place } else { 0 };
        if bits != 0 {
            return Some((bits.trailing_zeros(), self.owner(bits.trailing_zeros()).number));
        }
        if signature & 1 == 0 {
            return None;
        }
        let (row, pool) = self.blocks.next(index, place.saturating_sub(32))?;
        Some((row + 32, pool))
    }

    /// The pools that an entity is in.
    pub fn of(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let mut place = 0;
        core::iter::from_fn(move || {
            let (at, pool) = self.next(index, place)?;
            place = at + 1;
            Some(pool)
        })
    }

    /// Gives back the memory of indices from `end` on, and of blocks that nobody needs.
    pub fn shrink(&mut self, memory: &mut Memory, end: u32) {
        self.set_covered(self.covered.min(end));
        for (plane, at) in self.planes.iter_mut().zip(&mut self.at) {
            plane.truncate(end as usize);
            plane.shrink(memory);
            *at = plane.at();
        }
        self.blocks.shrink(memory);
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        self.set_covered(0);
        for plane in &mut self.planes {
            plane.free(memory);
        }
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
        let bits: [Bit; 32] = std::array::from_fn(|pool| match few.get(pool) {
            Some(bit) => *bit,
            None => kinds.give_bit(&mut memory, owner(100 + pool as u32), MANY),
        });
        assert_eq!(bits.iter().position(|bit| !bit.is_own()), Some(31));
        kinds.cover(&mut memory, 1000).unwrap();
        for bit in &bits[..31] {
            kinds.mark(5, bit).unwrap().set();
            kinds.set_run(900, 100, *bit);
        }
        assert!(kinds.of(5).eq(100..131) && kinds.of(999).eq(100..131));
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
