//! Identifiers: one integer split into index, generation and world (M1, M2, M59).
//!
//! ```text
//! Wide    63..56 role | 55..48 world | 47..32 generation | 31..0 index      stored in 64 bits
//! Narrow                               31..20 generation | 19..0 index      stored in 32 bits
//!
//! null        index all ones, any generation     never handed out (M41)
//! tombstone   generation all ones                never handed out (M42)
//! reserved    both                               an empty sparse slot (M43, M49)
//! ```
//!
//! Everywhere in the core a handle is a `u64`; the layout decides how it is stored. What is left when
//! the world is taken off, `generation | index`, is called *bare*.

use super::error::{Error, Kind};

/// A handle as C has it.
pub type Handle = u64;

/// What a layout stores an identifier in.
pub trait Word: Copy + Eq + 'static {
    /// The stored form. Bits that don't fit must be zero.
    fn from_handle(handle: Handle) -> Self;
    /// The handle.
    fn handle(self) -> Handle;
}

impl Word for u64 {
    #[inline]
    fn from_handle(handle: Handle) -> Self {
        handle
    }
    #[inline]
    fn handle(self) -> Handle {
        self
    }
}

impl Word for u32 {
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn from_handle(handle: Handle) -> Self {
        debug_assert!(handle >> 32 == 0);
        handle as u32
    }
    #[inline]
    fn handle(self) -> Handle {
        self.into()
    }
}

/// What a layout stores a bare identifier in: a slot of a sparse page.
pub trait Slot: Copy + 'static {
    /// Null and tombstone together: nobody (M49).
    const EMPTY: Self;
    /// The stored form.
    fn from_bare(bare: u64) -> Self;
    /// The bare identifier.
    fn bare(self) -> u64;
    /// Its lower bits, those of the index and maybe more: less than all of it is read.
    fn low(&self) -> u32;
    /// Whether all but the index is that of a bare identifier, which nobody made sure to be one.
    fn is_of(&self, bare: u64) -> bool;
}

impl Slot for u32 {
    const EMPTY: Self = Self::MAX;
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn from_bare(bare: u64) -> Self {
        bare as u32
    }
    #[inline]
    fn bare(self) -> u64 {
        self.into()
    }
    #[inline(always)]
    fn low(&self) -> u32 {
        *self
    }
    #[inline(always)]
    fn is_of(&self, bare: u64) -> bool {
        (bare ^ u64::from(*self)) >> Narrow::INDEX_BITS == 0
    }
}

/// 48 bits, aligned to 2 bytes: a wide slot has no use for the world and role bits, and a quarter
/// less memory is a quarter less to read. The two parts are index and generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, packed(2))]
pub struct Slot48 {
    low: u32,
    high: u16,
}

impl Slot for Slot48 {
    const EMPTY: Self = Self { low: u32::MAX, high: u16::MAX };
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn from_bare(bare: u64) -> Self {
        Self { low: bare as u32, high: (bare >> 32) as u16 }
    }
    #[inline]
    fn bare(self) -> u64 {
        u64::from(self.low) | u64::from(self.high) << 32
    }
    #[inline(always)]
    fn low(&self) -> u32 {
        self.low
    }
    #[inline(always)]
    fn is_of(&self, bare: u64) -> bool {
        bare >> Wide::INDEX_BITS == u64::from(self.high)
    }
}

/// The first of the last 64 indices that a `u32` has.
pub const LAST_WORD: u32 = !63;

/// One of the two ways to lay a handle out.
pub trait Layout: Copy + 'static {
    /// A stored identifier.
    type Word: Word;
    /// A stored bare identifier.
    type Slot: Slot;
    /// Bits of the index.
    const INDEX_BITS: u32;
    /// Bits of the generation.
    const GENERATION_BITS: u32;
    /// Bits of index and generation.
    const BARE_BITS: u32 = Self::INDEX_BITS + Self::GENERATION_BITS;
    /// The null index, which is also the mask of the index bits.
    const NULL: u64 = (1 << Self::INDEX_BITS) - 1;
    /// The tombstone generation, which is also its mask.
    const TOMBSTONE: u64 = (1 << Self::GENERATION_BITS) - 1;
    /// The null index.
    #[allow(clippy::cast_possible_truncation)]
    const NO_INDEX: u32 = Self::NULL as u32;
    /// The largest number of slots. The last 64 indices that a `u32` has are left out, so that the index behind
    /// any 64 neighbours is a `u32` too: queries go from word to word.
    const MOST: u32 = if Self::NO_INDEX > LAST_WORD { LAST_WORD } else { Self::NO_INDEX };
    /// Whether handles say which world they are of.
    const HAS_WORLD: bool;

    /// The index in a handle or bare identifier.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn index(handle: Handle) -> u32 {
        (handle & Self::NULL) as u32
    }

    /// The generation in a handle or bare identifier.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn generation(handle: Handle) -> u32 {
        (handle >> Self::INDEX_BITS & Self::TOMBSTONE) as u32
    }

    /// Index and generation without the world.
    #[inline]
    fn bare(handle: Handle) -> u64 {
        handle & ((1 << Self::BARE_BITS) - 1)
    }

    /// A bare identifier from its parts.
    #[inline]
    fn pack(index: u32, generation: u32) -> u64 {
        u64::from(generation) << Self::INDEX_BITS | u64::from(index)
    }
}

/// The 64-bit layout.
#[derive(Clone, Copy, Debug)]
pub struct Wide;

impl Layout for Wide {
    type Word = u64;
    type Slot = Slot48;
    const INDEX_BITS: u32 = 32;
    const GENERATION_BITS: u32 = 16;
    const HAS_WORLD: bool = true;
}

/// The 32-bit layout.
#[derive(Clone, Copy, Debug)]
pub struct Narrow;

impl Layout for Narrow {
    type Word = u32;
    type Slot = u32;
    const INDEX_BITS: u32 = 20;
    const GENERATION_BITS: u32 = 12;
    const HAS_WORLD: bool = false;
}

/// The one expression of 002 (M50): what is left of a slot when the generation of `bare` is taken
/// off it is below null exactly if the slot holds that generation, and then it is the position.
///
/// ```text
///   bare   g | i      slot   g | p   ->   0 | p      member
///   bare   g | i      slot   h | p   ->   x | p      another generation: x is not 0
///   bare   g | i      slot   T | N   ->   x | N      empty
///   bare   T | i      slot   T | N   ->   0 | N      a tombstone asks an empty slot: N is not below N
/// ```
#[inline]
#[must_use]
pub fn position<L: Layout>(bare: u64, slot: u64) -> Option<u32> {
    let left = (!L::NULL & bare) ^ slot;
    #[allow(clippy::cast_possible_truncation)]
    (left < L::NULL).then_some(left as u32)
}

/// What the upper byte of an id says: how to read it (M26, M28, M35).
pub mod role {
    /// The rest is the handle of the parent.
    pub const CHILDOF: u8 = 1;
    /// The rest is the handle of the base.
    pub const INSTANCEOF: u8 = 2;
    /// 24 bits of the relation's index, 32 of the target: its index, or its narrow handle (M30, M31).
    pub const PAIR: u8 = 3;
    /// From here on a program gives them a meaning of its own; the rest is a handle.
    pub const USER: u8 = 128;
}

/// The role of an id.
#[inline]
#[must_use]
pub const fn role_of(id: Handle) -> u8 {
    (id >> 56) as u8
}

/// What is left without the role (M27).
#[inline]
#[must_use]
pub const fn without_role(id: Handle) -> Handle {
    id & (u64::MAX >> 8)
}

/// An entity with a role (M26, M35).
#[inline]
#[must_use]
pub const fn with_role(role: u8, entity: Handle) -> Handle {
    (role as u64) << 56 | entity
}

/// The id of a relation and a target; None if the relation's index needs more than 24 bits.
#[must_use]
pub fn pair<L: Layout>(relation: Handle, target: Handle) -> Option<Handle> {
    let (relation, target) =
        (L::index(relation), if L::HAS_WORLD { L::index(target).into() } else { target });
    (relation < 1 << 24).then(|| with_role(role::PAIR, u64::from(relation) << 32 | target))
}

/// The indices of relation and target of a pair's id.
#[must_use]
#[allow(clippy::cast_possible_truncation)]
pub fn halves<L: Layout>(pair: Handle) -> (u32, u32) {
    ((pair >> 32) as u32 & 0xFF_FFFF, L::index(pair))
}

/// What is wrong with a handle that can be told from its bits alone, for a world with that stamp
/// (its number where the layout has it, 0 where not). The order is that of the C header.
#[cold]
pub fn classify<L: Layout>(handle: Handle, stamp: u64) -> Option<Error> {
    let kind = if handle == 0 {
        Kind::NullEntity
    } else if handle >> 56 != 0 {
        Kind::Role
    } else if !L::HAS_WORLD && handle >> 48 != 0 || L::HAS_WORLD && handle >> 32 == 0 {
        Kind::WrongWorld
    } else if u64::from(L::index(handle)) == L::NULL {
        Kind::NullEntity
    } else if u64::from(L::generation(handle)) == L::TOMBSTONE {
        Kind::Tombstone
    } else if L::HAS_WORLD && handle >> 48 != stamp >> 48 {
        Kind::WrongWorld
    } else if !L::HAS_WORLD && handle >> 32 != 0 {
        Kind::NeverCreated
    } else {
        return None;
    };
    Some(Error::new(kind).about(handle))
}

/// The parts of a handle, whose layout is read from its value (a wide one has a world).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// 0 in the 32-bit layout.
    pub world: u32,
    /// The slot.
    pub index: u32,
    /// Its generation.
    pub generation: u32,
    /// Whether it is of the 64-bit layout.
    pub wide: bool,
}

/// Takes a handle apart.
#[must_use]
#[allow(clippy::cast_possible_truncation)]
pub fn describe(handle: Handle) -> Parts {
    if handle >> 32 == 0 {
        let (index, generation) = (Narrow::index(handle), Narrow::generation(handle));
        Parts { world: 0, index, generation, wide: false }
    } else {
        let (index, generation) = (Wide::index(handle), Wide::generation(handle));
        Parts { world: (handle >> 48) as u32 & 0xFF, index, generation, wide: true }
    }
}

/// Puts a handle together; world 0 makes one of the 32-bit layout.
#[must_use]
pub fn compose(world: u32, index: u32, generation: u32) -> Handle {
    if world == 0 {
        Narrow::bare(Narrow::pack(index & Narrow::NO_INDEX, generation & 0xFFF))
    } else {
        u64::from(world & 0xFF) << 48 | Wide::pack(index, generation & 0xFFFF)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M1, M2, M18, M59, M66: both layouts take apart what they put together.
    #[test]
    fn m1_m2_m18_m59_parts() {
        let wide = compose(7, 123_456, 42);
        assert_eq!(describe(wide), Parts { world: 7, index: 123_456, generation: 42, wide: true });
        let narrow = compose(0, 1_048_574, 4094);
        let parts = Parts { world: 0, index: 1_048_574, generation: 4094, wide: false };
        assert_eq!(describe(narrow), parts);
        assert!(narrow <= u64::from(u32::MAX));
    }

    fn found<L: Layout>(bare: u64, slot: u64) -> Option<u32> {
        let found = position::<L>(bare, slot);
        let slot = L::Slot::from_bare(slot);
        let position = slot.low() & L::NO_INDEX;
        assert_eq!((slot.is_of(bare) && position != L::NO_INDEX).then_some(position), found);
        found
    }

    fn cases<L: Layout>() {
        let member = L::pack(77, 3);
        let empty = L::Slot::EMPTY.bare();
        // M48, M51: the position comes back if the generations match.
        assert_eq!(found::<L>(member, L::pack(5, 3)), Some(5));
        assert_eq!(found::<L>(member, L::pack(5, 4)), None);
        assert_eq!(found::<L>(member, empty), None);
        // What isn't bare, of another world or with a role, is never found.
        for bit in 0..u64::BITS {
            let forged = member ^ (1 << bit);
            assert!(bit < L::INDEX_BITS || found::<L>(forged, L::pack(5, 3)).is_none(), "bit {bit}");
            assert_eq!(found::<L>(forged, empty), None);
        }
        // M52: a null index is never found (its slot doesn't exist; an empty one says no).
        assert_eq!(found::<L>(L::pack(L::NO_INDEX, 3), empty), None);
        // M53, M54: a tombstone is found neither in an occupied slot nor in an empty one.
        #[allow(clippy::cast_possible_truncation)]
        let tombstone = L::pack(77, L::TOMBSTONE as u32);
        assert_eq!(found::<L>(tombstone, L::pack(5, 3)), None);
        assert_eq!(found::<L>(tombstone, empty), None);
        // M49: an empty slot is null and tombstone together.
        assert_eq!(u64::from(L::index(empty)), L::NULL);
        assert_eq!(u64::from(L::generation(empty)), L::TOMBSTONE);
        // M56: a position is an index's equal in size.
        let last = L::pack(L::NO_INDEX - 1, 1);
        assert_eq!(found::<L>(L::pack(1, 1), last), Some(L::NO_INDEX - 1));
    }

    /// M48 to M54, M56, in both layouts.
    #[test]
    fn m48_to_m54_m56_the_one_expression() {
        cases::<Wide>();
        cases::<Narrow>();
    }

    #[test]
    fn slots_keep_all_bits() {
        for bare in [0, 1, 0xFFFF_FFFF_FFFE, 0x1234_5678_9ABC] {
            assert_eq!(Slot48::from_bare(bare).bare(), bare);
        }
    }
}
