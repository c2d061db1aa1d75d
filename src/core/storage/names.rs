//! Names of entities, unique among siblings, found by parent and name.
//!
//! ```text
//!   names   by entity           7: "earth"      9: "moon"
//!   index   hash(parent, name)  (sol, "earth") -> 7      (earth, "moon") -> 9
//! ```

use super::map::Map;
use super::memory::Memory;
use super::paged::{Item, Paged};
use crate::core::error::Error;
use core::ptr::NonNull;

/// The longest name, in bytes.
const LONGEST: usize = 255;

/// A name, with the zero that ends it for C.
#[derive(Clone, Copy)]
struct Name {
    at: NonNull<u8>,
    len: u8,
}

impl Item for Name {
    const EMPTY: Self = Self { at: NonNull::dangling(), len: 0 };
}

/// The names of a world.
#[derive(Default)]
pub struct Names {
    names: Paged<Name>,
    index: Map,
    count: u32,
}

/// FNV-1a, with the parent before the name. Never `u64::MAX`.
#[inline(never)] // It is called from many places.
fn hash(parent: u32, name: &[u8]) -> u64 {
    let parent = parent.to_le_bytes();
    let bytes = parent.iter().chain(name);
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3)
    }) >> 1
}

impl Names {
    /// The name of an entity, with its zero; empty: it has none.
    #[must_use]
    pub fn with_zero(&self, index: u32) -> &[u8] {
        match self.names.get(index) {
            // SAFETY: a name that is there has `len` bytes and a zero behind them.
            Some(name) if name.len > 0 => unsafe {
                core::slice::from_raw_parts(name.at.as_ptr(), usize::from(name.len) + 1)
            },
            _ => &[],
        }
    }

    /// The name of an entity; empty: it has none.
    #[must_use]
    pub fn get(&self, index: u32) -> &[u8] {
        self.with_zero(index).split_last().map_or(&[], |(_, name)| name)
    }

    /// Whether nobody has one.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Who has a name under a parent, of those whom `is_child` finds there.
    #[must_use]
    pub fn find(&self, parent: u32, name: &[u8], is_child: impl Fn(u32) -> bool) -> Option<u32> {
        self.index.find(hash(parent, name), |index| self.get(index) == name && is_child(index))
    }

    /// Gives an entity a name of 1 to 255 bytes, under its parent; or nothing. It may lie in the one that the entity has.
    pub fn set(&mut self, memory: &mut Memory, index: u32, parent: u32, name: &[u8]) -> Result<(), Error> {
        self.names.reserve(memory, index)?;
        self.index.reserve(memory, 1)?;
        let at = memory.take(name.len() + 1, 1)?;
        // SAFETY: new memory of that size.
        unsafe {
            at.copy_from_nonoverlapping(NonNull::from(name).cast(), name.len());
            at.add(name.len()).write(0);
        }
        #[allow(clippy::cast_possible_truncation)]
        let (key, len) = (hash(parent, name), name.len().min(LONGEST) as u8);
        self.take(memory, index, parent);
        self.index.put(key, index);
        if let Some(place) = self.names.get_mut(index) {
            *place = Name { at, len };
        }
        self.count += 1;
        Ok(())
    }

    /// Gives an entity the name of another, under its own parent; or nothing.
    pub fn copy(&mut self, memory: &mut Memory, from: u32, to: u32, parent: u32) -> Result<(), Error> {
        let name = self.names.get(from).copied().filter(|name| name.len > 0);
        let Some(Name { at, len }) = name else { return Ok(()) };
        // SAFETY: a name that is there has `len` bytes, which stay where they are: only another's is set.
        let name = unsafe { core::slice::from_raw_parts(at.as_ptr(), len.into()) };
        self.set(memory, to, parent, name)
    }

    /// Takes the name off an entity; says whether it had one.
    pub fn take(&mut self, memory: &mut Memory, index: u32, parent: u32) -> bool {
        let name = self.get(index);
        if name.is_empty() {
            return false;
        }
        let (key, bytes) = (hash(parent, name), name.len() + 1);
        self.index.take(key, index);
        if let Some(place) = self.names.get_mut(index) {
            // SAFETY: as it was taken in `set`; it is forgotten now.
            unsafe { memory.give(place.at, bytes, 1) };
            *place = Name::EMPTY;
        }
        self.count -= 1;
        true
    }

    /// An entity gets another parent. Needs no memory.
    pub fn move_to(&mut self, index: u32, from: u32, to: u32) {
        let name = self.get(index);
        if !name.is_empty() {
            let (old, new) = (hash(from, name), hash(to, name));
            self.index.take(old, index);
            self.index.put(new, index);
        }
    }

    /// Gives back what isn't used.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.names.shrink(memory, |_, name| name.len > 0);
        self.index.shrink(memory);
    }

    /// Gives back everything.
    pub fn free(&mut self, memory: &mut Memory) {
        for index in self.names.indices().take_while(|_| self.count > 0) {
            if let Some(Name { at, len }) = self.names.get(index).filter(|name| name.len > 0) {
                // SAFETY: as it was taken in `set`; the names go below.
                unsafe { memory.give(*at, usize::from(*len) + 1, 1) };
            }
        }
        self.names.free(memory);
        self.index.free(memory);
    }
}
