//! The last error of a thread: integers, and the name of a component where one is concerned. The
//! sentence is made when it is asked for (`message`). Thread-local without a destructor, so that the library can
//! be unloaded while threads that used it go on.

use super::describe;
use super::on;
use super::table;
use super::text::whole;
use super::types::{dz_status, dz_world};
use crate::core::error::{Error, Kind};
use crate::core::storage::pools::without_zero;
use crate::core::storage::slice::checked;
use core::cell::UnsafeCell;

/// A component's name as far as it fits: kept with the error, because the world may be gone, or in
/// use by another thread, when the sentence is asked for.
const NAME: usize = 120;

/// The most entities of a cycle that are kept.
const CYCLE: usize = 8;

/// An error, where it happened, and in which world.
#[derive(Clone, Copy)]
pub struct Record {
    /// Its status; DZ_OK if there was none.
    pub status: dz_status,
    /// Where it happened.
    pub function: &'static str,
    /// What went wrong.
    pub error: Error,
    /// The world's handle.
    pub world: u32,
    name: [u8; NAME],
    len: u8,
    /// It goes on.
    cut: bool,
    /// The beginning of the cycle that the error is about.
    cycle: [u64; CYCLE],
    /// How many are in it.
    pub cycle_len: usize,
}

impl Record {
    const NONE: Self = Self {
        status: dz_status::DZ_OK,
        function: "",
        error: Error::new(Kind::NullPointer),
        world: 0,
        name: [0; NAME],
        len: 0,
        cut: false,
        cycle: [0; CYCLE],
        cycle_len: 0,
    };

    /// The beginning of the cycle that the error is about.
    pub fn cycle(&self) -> &[u64] {
        &self.cycle[..self.cycle_len.min(CYCLE)]
    }

    fn keep_cycle(&mut self, world: dz_world) {
        self.cycle_len = 0;
        if self.error.kind == Kind::Cycle
            && let Ok(found) = table::find(world)
        {
            self.cycle_len = on!(found, |w| w.look(|w| w.cycle(&self.error, &mut self.cycle)));
        }
    }

    /// Whom a name is kept of: the component that the error is about, or its subject has, or doesn't have; a relation; or
    /// who has a name already.
    pub const fn component_id(&self) -> u64 {
        match self.error.kind {
            Kind::Inherited | Kind::NotHeld => self.error.detail[0],
            Kind::PairHeld => self.error.detail[1],
            _ => self.error.subject,
        }
    }

    /// Its name.
    pub fn component(&self) -> Option<&str> {
        let name = whole(checked(&self.name, ..self.len as usize));
        (!name.is_empty()).then_some(name)
    }

    /// What stands for the rest of a long name.
    pub const fn more(&self) -> &'static str {
        if self.cut { "..." } else { "" }
    }

    fn keep_name(&mut self, world: dz_world) {
        let names_component = matches!(
            self.error.kind,
            Kind::IsComponent
                | Kind::Duplicate
                | Kind::Size
                | Kind::Tag
                | Kind::Shape
                | Kind::Held
                | Kind::Builtin
                | Kind::NotElement
                | Kind::HookFailed
                | Kind::Policy
                | Kind::Grouped
                | Kind::Owned
                | Kind::NotTerm
                | Kind::Changed
                | Kind::Order
                | Kind::Inherited
                | Kind::NotHeld
                | Kind::PairHeld
                | Kind::NameTaken
        );
        if !names_component {
            return;
        }
        let Ok(found) = table::find(world) else { return };
        let id = self.component_id();
        if matches!(self.error.kind, Kind::PairHeld | Kind::NameTaken) {
            on!(found, |w| self.set_name(describe::name(w, id).unwrap_or_default()));
        } else {
            on!(found, |w| w.look(|w| self.set_name(w.name(id).map_or(&[], without_zero))));
        }
    }

    #[inline(never)]
    fn set_name(&mut self, name: &[u8]) {
        let len = name.len().min(NAME);
        self.name[..len].copy_from_slice(&name[..len]);
        #[allow(clippy::cast_possible_truncation)]
        {
            self.len = len as u8;
            self.cut = len < name.len();
        }
    }
}

thread_local! {
    static LAST: UnsafeCell<Record> = const { UnsafeCell::new(Record::NONE) };
}

/// Keeps an error as the thread's last; returns its status. Written in place: a failed call is to cost
/// little more than one that succeeds.
#[cold]
pub fn keep(function: &'static str, world: dz_world, error: &Error) -> dz_status {
    LAST.with(|last| {
        // SAFETY: the record is this thread's own, and nothing else borrows it meanwhile.
        let last = unsafe { &mut *last.get() };
        last.status = error.kind.into();
        last.function = function;
        last.error = *error;
        last.world = world.bits;
        last.len = 0;
        last.keep_name(world);
        last.keep_cycle(world);
        last.status
    })
}

/// Lets the thread's last error name the function that the program has called, not the one that was called for it.
pub fn rename(from: &str, to: &'static str) {
    // SAFETY: as in `keep`.
    LAST.with(|last| unsafe {
        if (*last.get()).function == from {
            (*last.get()).function = to;
        }
    });
}

/// The thread's last error.
pub fn last() -> Record {
    // SAFETY: as in `keep`.
    LAST.with(|last| unsafe { *last.get() })
}

/// Forgets it: nothing else of a record is asked for where its status is DZ_OK.
pub fn clear() {
    // SAFETY: as in `keep`.
    LAST.with(|last| unsafe { (*last.get()).status = dz_status::DZ_OK });
}
