//! Components of all shapes, and hooks that count.
//!
//! An element with hooks begins with a serial number that its hooks give it, so that each one made
//! can be followed until it is ended: the rest, its payload, is what the model compares.
//!
//! ```text
//!   bytes of an element with hooks    | serial (8) | payload ... |
//!   of a value that the test passes   | OUTSIDE    | payload ... |
//! ```

use denizen::ffi::types::dz_hooks;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ffi::{CStr, c_void};

/// Which hooks a kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// All four.
    All,
    /// Only to be constructed: its bytes are not zero then.
    Construct,
    /// Only to be ended.
    Destruct,
}

#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub name: &'static CStr,
    pub size: u32,
    pub align: u32,
    pub stable: bool,
    pub needs: Needs,
}

const fn kind(name: &'static CStr, size: u32, align: u32, stable: bool, needs: Needs) -> Kind {
    Kind { name, size, align, stable, needs }
}

pub const KINDS: [Kind; 15] = [
    kind(c"Tag", 0, 1, false, Needs::Nothing),
    kind(c"StableTag", 0, 1, true, Needs::Nothing),
    kind(c"Byte", 1, 1, false, Needs::Nothing),
    kind(c"Four", 4, 4, false, Needs::Nothing),
    kind(c"StableTwelve", 12, 4, true, Needs::Nothing),
    kind(c"Sixteen", 16, 16, false, Needs::Nothing),
    kind(c"Counted", 24, 8, false, Needs::All),
    kind(c"StableCounted", 64, 64, true, Needs::All),
    kind(c"StableLarge", 300, 4, true, Needs::Nothing),
    kind(c"Page", 4096, 4096, false, Needs::Nothing),
    kind(c"LargeCounted", 300, 4, false, Needs::All),
    kind(c"StableEnded", 4, 4, true, Needs::Destruct),
    kind(c"Ended", 16, 8, false, Needs::Destruct),
    kind(c"Made", 12, 4, false, Needs::Construct),
    kind(c"CountedTag", 0, 1, false, Needs::All),
];

/// What a value of the test's has for a serial.
pub const OUTSIDE: u64 = u64::MAX;
/// What constructed elements are made of.
const MADE: u8 = 0xC7;

impl Kind {
    /// Bytes that are the element's serial, not its value.
    pub const fn serial(&self) -> usize {
        if matches!(self.needs, Needs::All) && self.size > 0 { 8 } else { 0 }
    }

    /// The payload that an element has without a value.
    pub fn initial(&self) -> Vec<u8> {
        let byte = if matches!(self.needs, Needs::All | Needs::Construct) { MADE } else { 0 };
        vec![byte; self.size as usize - self.serial()]
    }

    /// A payload that is unlike others.
    pub fn payload(&self, seed: u32) -> Vec<u8> {
        let step = |at: usize| (seed as usize * 31 + at * 7 + (at >> 3) * seed as usize) as u8;
        (0..self.size as usize - self.serial()).map(step).collect()
    }

    /// A value as it is passed to the library.
    pub fn value(&self, payload: &[u8]) -> Vec<u8> {
        let serial = OUTSIDE.to_ne_bytes();
        [&serial[..self.serial()], payload].concat()
    }

    /// The payload of the element at an address.
    pub fn read(&self, at: *const c_void) -> Vec<u8> {
        let at = at.wrapping_byte_add(self.serial());
        crate::calls::bytes(at, self.size as usize - self.serial())
    }
}

/// What the hooks of one kind know.
#[derive(Default)]
pub struct Ledger {
    size: Cell<usize>,
    next: Cell<u64>,
    pub living: RefCell<BTreeSet<u64>>,
    /// Elements ended, for kinds that only know that.
    pub ended: Cell<u64>,
    /// Calls that may fail until one does.
    pub fail: Cell<Option<u32>>,
    pub failed: Cell<bool>,
    pub wrong: RefCell<Vec<String>>,
}

impl Ledger {
    pub fn hooks(&self, kind: &Kind) -> dz_hooks {
        self.size.set(kind.size as usize);
        let (all, user) = (kind.needs == Needs::All, (&raw const *self).cast_mut().cast());
        dz_hooks {
            construct: match kind.needs {
                Needs::All => Some(construct),
                Needs::Construct => Some(fill),
                _ => None,
            },
            destruct: match kind.needs {
                Needs::All => Some(destruct),
                Needs::Destruct => Some(end),
                _ => None,
            },
            copy: if all { Some(copy) } else { None },
            relocate: if all { Some(relocate) } else { None },
            user,
        }
    }

    fn fails(&self) -> bool {
        let left = self.fail.get();
        self.fail.set(left.and_then(|left| left.checked_sub(1)));
        let fails = left == Some(0);
        self.failed.set(self.failed.get() || fails);
        fails
    }

    fn complain(&self, text: String) {
        self.wrong.borrow_mut().push(text);
    }

    /// The elements of an array.
    fn each(&self, first: *mut c_void, count: u32) -> impl Iterator<Item = *mut u8> + use<> {
        let size = self.size.get();
        if size == 0 {
            self.complain(format!("a hook of a tag is called, for {count} elements"));
        }
        (0..count as usize).map(move |at| first.cast::<u8>().wrapping_add(at * size))
    }

    fn make(&self, at: *mut u8) {
        let serial = self.next.get() + 1;
        self.next.set(serial);
        self.living.borrow_mut().insert(serial);
        if self.size.get() > 0 {
            unsafe { at.cast::<u64>().write_unaligned(serial) };
        }
    }

    fn serial(&self, at: *const u8) -> u64 {
        if self.size.get() == 0 { 0 } else { unsafe { at.cast::<u64>().read_unaligned() } }
    }
}

fn ledger<'a>(user: *mut c_void) -> &'a Ledger {
    unsafe { &*user.cast() }
}

unsafe extern "C" fn construct(first: *mut c_void, count: u32, user: *mut c_void) -> i32 {
    let ledger = ledger(user);
    if ledger.fails() {
        return 1;
    }
    for at in ledger.each(first, count) {
        unsafe { at.write_bytes(MADE, ledger.size.get()) };
        ledger.make(at);
    }
    0
}

unsafe extern "C" fn destruct(first: *mut c_void, count: u32, user: *mut c_void) {
    let ledger = ledger(user);
    for at in ledger.each(first, count) {
        let serial = ledger.serial(at);
        if !ledger.living.borrow_mut().remove(&serial) {
            ledger.complain(format!("element {serial:#x} is ended, but doesn't live"));
        }
        unsafe { at.write_bytes(0xDD, ledger.size.get()) };
    }
}

unsafe extern "C" fn copy(to: *mut c_void, from: *const c_void, count: u32, user: *mut c_void) -> i32 {
    let ledger = ledger(user);
    if ledger.fails() {
        return -7;
    }
    for (to, from) in ledger.each(to, count).zip(ledger.each(from.cast_mut(), count)) {
        let serial = ledger.serial(from);
        if serial != OUTSIDE && !ledger.living.borrow().contains(&serial) {
            ledger.complain(format!("element {serial:#x} is copied, but doesn't live"));
        }
        unsafe { to.copy_from_nonoverlapping(from, ledger.size.get()) };
        ledger.make(to);
    }
    0
}

unsafe extern "C" fn relocate(to: *mut c_void, from: *mut c_void, count: u32, user: *mut c_void) {
    let ledger = ledger(user);
    for (to, from) in ledger.each(to, count).zip(ledger.each(from, count)) {
        let serial = ledger.serial(from);
        if !ledger.living.borrow().contains(&serial) {
            ledger.complain(format!("element {serial:#x} is moved, but doesn't live"));
        }
        unsafe {
            to.copy_from_nonoverlapping(from, ledger.size.get());
            from.write_bytes(0xEE, ledger.size.get());
        }
    }
}

unsafe extern "C" fn fill(first: *mut c_void, count: u32, user: *mut c_void) -> i32 {
    let ledger = ledger(user);
    if ledger.fails() {
        return 1;
    }
    for at in ledger.each(first, count) {
        unsafe { at.write_bytes(MADE, ledger.size.get()) };
    }
    0
}

unsafe extern "C" fn end(_: *mut c_void, count: u32, user: *mut c_void) {
    let ledger = ledger(user);
    ledger.ended.set(ledger.ended.get() + u64::from(count));
}
