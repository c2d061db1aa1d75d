//! Text in a fixed place: for messages, which must need no memory.

use super::query_types::DZ_ANY;
use super::types::dz_entity;
use crate::core::ids;
use crate::core::storage::slice::{Array, checked, checked_mut, copy};
use core::fmt::Write;

/// A line of text without memory of its own; what doesn't fit is cut off.
pub struct Text {
    bytes: Array<u8, { Self::ROOM }>,
    len: usize,
}

impl Text {
    /// Bytes, the ending zero included.
    pub const ROOM: usize = 512;

    /// Empty.
    pub const fn new() -> Self {
        Self { bytes: Array([0; Self::ROOM]), len: 0 }
    }

    /// The text, with a zero at its end.
    pub fn with_zero(&self) -> &[u8] {
        &self.bytes[..self.len + 1]
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
            copy(checked_mut(out, ..len), &self.bytes[..len]);
            *checked_mut(out, len) = 0;
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
        copy(&mut self.bytes[self.len..self.len + cut], checked(text.as_bytes(), ..cut));
        self.len += cut;
        Ok(())
    }
}

/// What is whole of a text that may have been cut within a character.
pub fn whole(cut: &[u8]) -> &str {
    cut.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// Writes a handle's print form (M64).
pub fn handle(out: &mut dyn Write, entity: dz_entity) -> core::fmt::Result {
    let (role, parts) = (ids::role_of(entity), ids::describe(ids::without_role(entity)));
    if role == ids::role::PAIR {
        return write!(out, "pair {entity:#x}");
    }
    let rest = ids::without_role(entity);
    if ids::role_of(DZ_ANY) == role {
        // What stands in a term of a query instead of a target or a source.
        let names = ["DZ_ANY", "DZ_PARENT", "DZ_UP", "DZ_WORLD_VALUE", "DZ_INHERIT"];
        match names.get(rest as usize) {
            Some(name) => return out.write_str(name),
            None if rest >> 8 == 1 => return write!(out, "DZ_VARIABLE({})", rest & 0xFF),
            None => {}
        }
    }
    begin_role(out, role)?;
    match rest {
        0 => write!(out, "E:null")?,
        _ if parts.wide => write!(out, "E:{}-{}[{}]", parts.world, parts.index, parts.generation)?,
        _ => write!(out, "E:{}[{}]", parts.index, parts.generation)?,
    }
    end_role(out, role)
}

/// What stands before an entity that has a role in an id: the macro that gives it that.
pub fn begin_role(out: &mut dyn Write, role: u8) -> core::fmt::Result {
    match role {
        0 => Ok(()),
        ids::role::CHILDOF => out.write_str("DZ_CHILDOF("),
        ids::role::INSTANCEOF => out.write_str("DZ_INSTANCEOF("),
        role => write!(out, "DZ_ROLE({role}, "),
    }
}

/// What stands behind it.
pub fn end_role(out: &mut dyn Write, role: u8) -> core::fmt::Result {
    if role == 0 { Ok(()) } else { out.write_char(')') }
}
