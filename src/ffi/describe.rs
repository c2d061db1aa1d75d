//! What a handle means, in a line: for logs and debuggers, which must disturb nothing.
use super::boundary::{enter_alone, slice_mut};
use super::table::{self, Any};
use super::text;
use super::types::*;
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout, role, role_of, without_role};
use crate::core::storage::slice::{checked, checked_mut};
use crate::core::world::Ecs;
use crate::core::world::tree::Near;
use core::ffi::{CStr, c_char};
use core::fmt::{Result as Written, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// So many ids of a type are named; more are counted.
const NAMED: usize = 64;

/// Writes what a handle means, in a line for a log or a debugger: its print form, whether it lives, and if so what the
/// entity has, and its path if it has a name or a parent:
///
///     E:1-256[1] alive {Position, Velocity, (Likes, bob)} "sol.earth"
///     E:1-256[1] dead: its slot is now at generation 2
///
/// Takes any id: a component's, a pair's, one with a role. With {0} as world it is the world that the handle names; for a
/// handle that names none (of the 32-bit layout, or a pair's) the only one that lives, if there is only one. Else it is
/// the print form alone; inside of a component's hook with why there is no more. It reads that world like any call that
/// reads: where other threads write to worlds of theirs, or end them, say which world.
///
/// Writes at most `capacity` bytes, the ending zero included, and returns the length of the whole text without it, like
/// snprintf. `text` may be NULL if capacity is 0. Takes no lock and leaves the thread's last error alone. Errors: only
/// DZ_ERR_NULL_POINTER (returns 0). Reads. O(what the entity has + its depth).
///
/// `text` has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_describe(world: dz_world, id: dz_id, text: *mut c_char, capacity: u32) -> u32 {
    enter_alone("dz_describe", || {
        // SAFETY: the caller's promise.
        let mut line = Line { out: unsafe { slice_mut(text.cast::<u8>(), capacity, "text") }?, length: 0 };
        // A debugger may ask in the middle of a change, when nothing holds: that breaks no world.
        if catch_unwind(AssertUnwindSafe(|| describe(&mut line, world, id))).is_err() {
            line.add(b"?");
        }
        Ok(line.end())
    })
}

/// Text for the caller's buffer: what doesn't fit is counted.
struct Line<'a> {
    out: &'a mut [u8],
    length: usize,
}

impl Line<'_> {
    #[inline(never)] // It is called for each piece.
    fn add(&mut self, text: &[u8]) {
        let room = self.rest();
        let fits = text.len().min(room.len());
        room[..fits].copy_from_slice(&text[..fits]);
        self.length += text.len();
    }

    /// What is left of the buffer.
    fn rest(&mut self) -> &mut [u8] {
        let from = self.length.min(self.out.len());
        &mut self.out[from..]
    }

    /// Ends it with a zero, which doesn't cut a character in two; returns the whole length.
    fn end(self) -> u32 {
        if let Some(last) = self.out.len().checked_sub(1) {
            let mut end = self.length.min(last);
            while self.length > last && end > 0 && checked(self.out, end) & 0xC0 == 0x80 {
                end -= 1;
            }
            *checked_mut(self.out, end) = 0;
        }
        u32::try_from(self.length).unwrap_or(u32::MAX)
    }
}

impl Write for Line<'_> {
    fn write_str(&mut self, text: &str) -> Written {
        self.add(text.as_bytes());
        Ok(())
    }
}

fn describe(line: &mut Line, world: dz_world, id: dz_id) -> Written {
    text::handle(line, id)?;
    if id == 0 {
        return Ok(());
    }
    let named = match world.bits {
        0 => table::only(table::numbers_of(id)),
        _ => Some(world),
    };
    match named.map(table::find) {
        Some(Ok(Any::Wide(w))) => meaning(line, w, id),
        Some(Ok(Any::Narrow(w))) => meaning(line, w, id),
        Some(Err(error)) => line.write_str(match error.kind {
            Kind::WorldDead => ", its world was destroyed",
            Kind::WorldBroken => ", its world met a bug of the library",
            Kind::InHook => ", its world runs a hook",
            _ => ", its world was never created",
        }),
        None if id >> 48 != 0 && role_of(id) != role::PAIR => line.write_str(", its world is not alive"),
        None => Ok(()),
    }
}

/// Behind the print form: what the world knows of an id.
fn meaning<L: Layout>(line: &mut Line, w: &Ecs<L>, id: Handle) -> Written {
    line.write_char(' ')?;
    if role_of(id) == role::PAIR {
        return match w.pair_halves(id) {
            Ok(_) => short(line, w, id),
            Err(_) => line.write_str("made by nobody, or an entity of it died"),
        };
    }
    let entity = without_role(id);
    match w.check_alive(entity) {
        Ok(()) => alive(line, w, entity),
        Err(error) => line.write_str(match error.kind {
            Kind::Dead => return write!(line, "dead: its slot is now at generation {}", error.detail[0]),
            Kind::Retired => "dead: its slot is retired",
            Kind::WrongWorld => "of another world",
            Kind::NullEntity => "nobody: the null index",
            Kind::Tombstone => "nobody: the tombstone generation",
            _ => "never created",
        }),
    }
}

/// What an entity is and has.
fn alive<L: Layout>(line: &mut Line, w: &Ecs<L>, entity: Handle) -> Written {
    line.write_str("alive")?;
    if w.is_base(entity) == Ok(true) {
        line.write_str(", base")?;
    }
    if w.is_enabled(entity) == Ok(false) {
        line.write_str(", disabled")?;
    }
    let mut ids = [0; NAMED];
    let count = w.type_of(entity, &mut ids).unwrap_or(0) as usize;
    let named = &ids[..count.min(NAMED)];
    line.write_str(" {")?;
    // The parent is told by the path.
    let mut separator = "";
    for id in named.iter().filter(|id| role_of(**id) != role::CHILDOF) {
        line.write_str(separator)?;
        short(line, w, *id)?;
        separator = ", ";
    }
    if count > named.len() {
        write!(line, ", and {} more", count - named.len())?;
    }
    line.write_char('}')?;
    path(line, w, entity)
}

/// " "sol.earth"", of who has a name or a parent.
fn path<L: Layout>(line: &mut Line, w: &Ecs<L>, entity: Handle) -> Written {
    let own = name(w, entity);
    let has_parent = w.near(entity, Near::Parent).is_ok_and(|parent| parent != 0);
    match (own, has_parent) {
        (None, false) => return Ok(()),
        (Some(name), false) => {
            line.write_str(" \"")?;
            line.add(name);
        }
        (_, true) => {
            line.write_str(" \"")?;
            line.length += w.path(entity, 0, b".", line.rest(), text::unnamed).unwrap_or(0) as usize;
        }
    }
    line.write_char('"')
}

/// An id as one of a list: by name where there is one.
fn short<L: Layout>(line: &mut Line, w: &Ecs<L>, id: Handle) -> Written {
    let (role, entity) = (role_of(id), without_role(id));
    if role == role::PAIR {
        let Ok((relation, target)) = w.pair_halves(id) else { return text::handle(line, id) };
        line.write_char('(')?;
        short(line, w, relation)?;
        line.write_str(", ")?;
        short(line, w, target)?;
        return line.write_char(')');
    }
    text::begin_role(line, role)?;
    match name(w, entity) {
        Some(name) => line.add(name),
        None => text::handle(line, entity)?,
    }
    text::end_role(line, role)
}

/// The name of an entity or component that lives.
pub fn name<L: Layout>(w: &Ecs<L>, entity: Handle) -> Option<&[u8]> {
    let name: Result<*const u8, Error> = w.name_of(entity);
    let name = name.ok().filter(|name| !name.is_null())?;
    // SAFETY: a name of the world's, which ends with a zero and is good until something is changed.
    Some(unsafe { CStr::from_ptr(name.cast()) }.to_bytes())
}
