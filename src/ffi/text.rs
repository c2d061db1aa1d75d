//! Text in a fixed place: for messages, which must need no memory.

use super::types::dz_entity;
use crate::core::ids;
use core::fmt::Write;

/// A line of text without memory of its own; what doesn't fit is cut off.
pub struct Text {
    bytes: [u8; Self::ROOM],
    len: usize,
}

impl Text {
    /// Bytes, the ending zero included.
    pub const ROOM: usize = 512;

    /// Empty.
    pub const fn new() -> Self {
        Self { bytes: [0; Self::ROOM], len: 0 }
    }

    /// The text, with a zero at its end.
    pub fn with_zero(&self) -> &[u8] {
        &self.bytes[..=self.len]
    }

    /// The text.
    pub fn without_zero(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Appends formatted text.
    pub fn add(&mut self, text: core::fmt::Arguments) {
        // Writing cuts off rather than fails.
        let _ = self.write_fmt(text);
    }

    /// Appends a handle's print form (M64).
    pub fn entity(&mut self, entity: dz_entity) {
        let _ = handle(self, entity);
    }

    /// Copies the text with its zero, as much as fits; returns its whole length.
    #[allow(clippy::cast_possible_truncation)]
    pub fn copy_to(&self, out: &mut [u8]) -> u32 {
        if let Some(room) = out.len().checked_sub(1) {
            let len = self.len.min(room);
            out[..len].copy_from_slice(&self.bytes[..len]);
            out[len] = 0;
        }
        self.len as u32
    }
}

/// What stands in a path for one without a name: its print form.
pub fn unnamed(entity: dz_entity, each: &mut dyn FnMut(&[u8])) {
    let mut text = Text::new();
    text.entity(entity);
    each(text.without_zero());
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let room = Self::ROOM - 1 - self.len;
        let cut = (0..=text.len().min(room)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        self.bytes[self.len..self.len + cut].copy_from_slice(&text.as_bytes()[..cut]);
        self.len += cut;
        Ok(())
    }
}

/// What is whole of a text that may have been cut within a character.
pub fn whole(cut: &[u8]) -> &str {
    cut.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// Writes a handle's print form (M64).
pub fn handle(out: &mut impl Write, entity: dz_entity) -> core::fmt::Result {
    let parts = ids::describe(ids::without_role(entity));
    if entity == 0 {
        return write!(out, "E:null");
    }
    let role = ids::role_of(entity);
    if role == ids::role::PAIR {
        return write!(out, "pair {entity:#x}");
    }
    if role != 0 {
        write!(out, "role {role:#04x} | ")?;
    }
    if parts.wide {
        write!(out, "E:{}-{}[{}]", parts.world, parts.index, parts.generation)
    } else {
        write!(out, "E:{}[{}]", parts.index, parts.generation)
    }
}
