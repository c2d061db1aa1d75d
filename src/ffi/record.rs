//! The last error of a thread: integers, and the name of a component where one is concerned. The
//! sentence is made when it is asked for. Thread-local without a destructor, so that the library can
//! be unloaded while threads that used it go on.

use super::boundary::Text;
use super::on;
use super::status;
use super::table;
use super::types::{dz_status, dz_world};
use crate::core::error::{Error, Kind};
use crate::core::storage::pools::without_zero;
use core::cell::UnsafeCell;
use core::ffi::c_char;

/// A component's name as far as it fits: kept with the error, because the world may be gone, or in
/// use by another thread, when the sentence is asked for.
const NAME: usize = 48;

/// An error, where it happened, and in which world.
#[derive(Clone, Copy)]
pub struct Record {
    status: dz_status,
    function: &'static str,
    /// What went wrong.
    pub error: Error,
    /// The world's handle.
    pub world: u32,
    name: [u8; NAME],
    len: u8,
}

impl Record {
    const NONE: Self = Self {
        status: dz_status::DZ_OK,
        function: "",
        error: Error::new(Kind::NullPointer),
        world: 0,
        name: [0; NAME],
        len: 0,
    };

    /// The name of the component that the error is about.
    pub fn component(&self) -> Option<&str> {
        let name = &self.name[..self.len as usize];
        let whole = match core::str::from_utf8(name) {
            Ok(whole) => whole,
            Err(cut) => core::str::from_utf8(&name[..cut.valid_up_to()]).unwrap_or(""),
        };
        (!whole.is_empty()).then_some(whole)
    }

    fn keep_name(&mut self, world: dz_world) {
        let names_component = matches!(
            self.error.kind,
            Kind::IsComponent
                | Kind::Size
                | Kind::Tag
                | Kind::Shape
                | Kind::Held
                | Kind::Builtin
                | Kind::NotElement
                | Kind::HookFailed
                | Kind::Policy
                | Kind::Changed
        );
        if !names_component {
            return;
        }
        let Ok(found) = table::find(world) else { return };
        on!(found, |w| w.look(|w| {
            let name = w.name(self.error.subject).map_or(&[][..], without_zero);
            let len = name.len().min(NAME);
            self.name[..len].copy_from_slice(&name[..len]);
            #[allow(clippy::cast_possible_truncation)]
            {
                self.len = len as u8;
            }
        }));
    }

    fn text(&self) -> Text {
        let mut text = Text::new();
        if self.status != dz_status::DZ_OK {
            text.add(format_args!("{}: ", self.function));
            status::sentence(&mut text, self);
        }
        text
    }
}

thread_local! {
    static LAST: UnsafeCell<Record> = const { UnsafeCell::new(Record::NONE) };
    static MESSAGE: UnsafeCell<Text> = const { UnsafeCell::new(Text::new()) };
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
        last.status
    })
}

/// Keeps an error, and tells the world's log.
#[cold]
pub fn fail(function: &'static str, world: dz_world, error: &Error) -> dz_status {
    let status = keep(function, world, error);
    if let Some((log, user)) = table::log(world) {
        let text = last().text();
        // SAFETY: what was given as a dz_log_fn, with its user data.
        unsafe {
            let log: unsafe extern "C" fn(dz_status, *const c_char, *mut core::ffi::c_void) =
                core::mem::transmute(log);
            log(status, text.with_zero().as_ptr().cast(), user.cast());
        }
    }
    status
}

fn last() -> Record {
    // SAFETY: as in `keep`.
    LAST.with(|last| unsafe { *last.get() })
}

/// The thread's last error.
pub fn last_status() -> dz_status {
    last().status
}

/// The sentence about it.
pub fn last_message() -> *const c_char {
    let text = last().text();
    MESSAGE.with(|place| {
        // SAFETY: the place is this thread's own, and nothing else borrows it.
        let kept = unsafe { &mut *place.get() };
        *kept = text;
        kept.with_zero().as_ptr().cast()
    })
}

/// Forgets it.
pub fn clear() {
    // SAFETY: as in `keep`.
    LAST.with(|last| unsafe { *last.get() = Record::NONE });
}
