//! The values of pairs: of each type apart, in places that never move.

use super::NONE;
use crate::core::error::Error;
use crate::core::ids::{Handle, Layout, Word};
use crate::core::storage::lifecycle::{Lifecycle, Source};
use crate::core::storage::memory::Memory;
use crate::core::storage::packed::Packed;
use crate::core::storage::paged::{Item, Paged};
use core::ptr::null_mut;

/// What values are: those of a component.
#[derive(Clone, Copy)]
pub struct Type<'a> {
    /// Bytes of one.
    pub size: u32,
    /// Its alignment.
    pub align: u32,
    /// What it needs beyond bytes.
    pub hooks: &'a Lifecycle,
}

impl Type<'_> {
    /// Makes a value where none is: a copy, or zeros.
    fn make(&self, to: *mut u8, value: Option<Source>) -> Result<(), Error> {
        let size = self.size as usize;
        // SAFETY: `to` is room for one value that `Values` found; the source is as `Source` promises, and of
        // that size.
        unsafe {
            match value {
                None => self.hooks.make(to, size, 1),
                Some(source) => self.hooks.copy(to, source.at(), size, 1),
            }
        }
    }
}

/// What stands in a place in use where a free one has the next that is free.
const USED: u32 = NONE - 1;

/// Those of one type.
struct Same<L: Layout> {
    packed: Option<Packed<L>>,
    /// Places that were used.
    len: u32,
    /// The first that is free; the next is where an entity would be.
    gap: u32,
}

impl<L: Layout> Item for Same<L> {
    const EMPTY: Self = Self { packed: None, len: 0, gap: NONE };
}

/// The values of a world's pairs, by the number of the component whose type they have.
pub(super) struct Values<L: Layout> {
    all: Paged<Same<L>>,
}

impl<L: Layout> Default for Values<L> {
    fn default() -> Self {
        Self { all: Paged::default() }
    }
}

impl<L: Layout> Values<L> {
    /// The value at a place in use.
    #[inline]
    pub fn at(&self, component: u32, place: u32) -> *mut u8 {
        let packed = self.all.get(component).and_then(|same| same.packed.as_ref());
        packed.map_or(null_mut(), |packed| packed.element(place))
    }

    /// Makes a value; returns its place. Or nothing.
    pub fn make(
        &mut self,
        memory: &mut Memory,
        component: u32,
        of: Type,
        value: Option<Source>,
    ) -> Result<u32, Error> {
        self.all.reserve(memory, component)?;
        let Some(same) = self.all.get_mut(component) else { return Ok(NONE) };
        let packed = same.packed.get_or_insert_with(|| Packed::new(of.size as usize, of.align as usize));
        let place = if same.gap == NONE { same.len } else { same.gap };
        packed.reserve(memory, place + 1)?;
        of.make(packed.element(place), value)?;
        if place == same.len {
            same.len += 1;
        } else {
            same.gap = next_gap(packed.entity(place));
        }
        packed.set_entity(place, gap_word::<L>(USED));
        Ok(place)
    }

    /// A place is free, whose value has ended.
    pub fn give(&mut self, component: u32, place: u32) {
        if let Some(same) = self.all.get_mut(component)
            && let Some(packed) = &mut same.packed
        {
            packed.set_entity(place, gap_word::<L>(same.gap));
            same.gap = place;
        }
    }

    /// Gives back those of a component that ends; nobody has any.
    pub fn forget(&mut self, memory: &mut Memory, component: u32) {
        if let Some(same) = self.all.get_mut(component)
            && let Some(mut packed) = core::mem::replace(same, Same::EMPTY).packed
        {
            packed.shrink(memory, 0);
        }
    }

    /// Gives back those of components that have none, and the places behind the last one in use; of those that are left free,
    /// the first is used first.
    pub fn shrink(&mut self, memory: &mut Memory) {
        for component in self.all.indices() {
            let Some(same) = self.all.get_mut(component) else { continue };
            let Some(packed) = &mut same.packed else { continue };
            let places = core::mem::take(&mut same.len);
            same.gap = NONE;
            for place in (0..places).rev() {
                if next_gap(packed.entity(place)) == USED {
                    same.len = same.len.max(place + 1);
                } else if same.len > 0 {
                    packed.set_entity(place, gap_word::<L>(same.gap));
                    same.gap = place;
                }
            }
            packed.shrink(memory, same.len);
            if same.len == 0 {
                same.packed = None;
            }
        }
        self.all.shrink(memory, |_, same| same.packed.is_some());
    }

    /// Gives back everything; the values have ended.
    pub fn free(&mut self, memory: &mut Memory) {
        for component in self.all.indices() {
            self.forget(memory, component);
        }
        self.all.free(memory);
    }
}

/// A gap as it is kept where an entity would be: any number fits.
fn gap_word<L: Layout>(gap: u32) -> L::Word {
    L::Word::from_handle(gap.into())
}

#[allow(clippy::cast_possible_truncation)]
const fn next_gap(word: Handle) -> u32 {
    word as u32
}
