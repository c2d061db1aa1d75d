//! An allocator that checks what it is asked, counts, and fails when it is told to.

use denizen::ffi::types::dz_allocator;
use std::alloc::{Layout, alloc, dealloc};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::Mutex;

/// What a block larger than this is answered with is NULL: no test needs one, and a library that
/// asks for one by mistake must not take the machine with it.
pub const HUGE: usize = 1 << 30;

#[derive(Default)]
struct State {
    blocks: HashMap<usize, (usize, usize)>,
    faults: Vec<String>,
    bytes: usize,
    peak: usize,
    calls: u64,
    fail: Option<(u64, bool)>,
    failures: u64,
    largest: usize,
    /// Bytes held after each successful call.
    steps: Vec<u64>,
}

/// An allocator for a world. It must outlive the world.
#[derive(Default)]
pub struct Counting(Mutex<State>);

impl Counting {
    /// One that does what it is asked.
    pub fn new() -> Box<Self> {
        Box::default()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// As a descriptor has it.
    pub fn descriptor(&self, reallocate: bool) -> dz_allocator {
        dz_allocator {
            allocate: Some(allocate),
            free: Some(release),
            reallocate: if reallocate { Some(resize) } else { None },
            user: std::ptr::from_ref(self).cast_mut().cast(),
        }
    }

    /// Fails the `nth` call from now (1: the next), and if `on` is set all after it.
    pub fn fail(&self, nth: u64, on: bool) {
        let mut state = self.state();
        state.fail = Some((state.calls + nth, on));
        state.failures = 0;
    }

    /// Fails no more. Returns how often it failed.
    pub fn heal(&self) -> u64 {
        let mut state = self.state();
        state.fail = None;
        std::mem::take(&mut state.failures)
    }

    /// Bytes held now.
    pub fn bytes(&self) -> usize {
        self.state().bytes
    }

    /// The most bytes ever held.
    pub fn peak(&self) -> usize {
        self.state().peak
    }

    /// Calls that asked for memory.
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// The largest block that was asked for.
    pub fn largest(&self) -> usize {
        self.state().largest
    }

    /// Bytes held after each successful call.
    pub fn steps(&self) -> Vec<u64> {
        self.state().steps.clone()
    }

    /// What is wrong: blocks that are left, or given back wrongly.
    pub fn wrong(&self) -> Option<String> {
        let state = self.state();
        if !state.faults.is_empty() {
            return Some(state.faults.join("; "));
        }
        (!state.blocks.is_empty())
            .then(|| format!("{} blocks of {} bytes leak", state.blocks.len(), state.bytes))
    }
}

impl State {
    fn refuses(&mut self, size: usize) -> bool {
        self.calls += 1;
        self.largest = self.largest.max(size);
        let told = self.fail.is_some_and(|(at, on)| self.calls == at || on && self.calls > at);
        self.failures += u64::from(told);
        told || size > HUGE
    }

    fn take(&mut self, size: usize, align: usize) -> *mut u8 {
        if size == 0 || !align.is_power_of_two() || align > 4096 {
            self.faults.push(format!("asked for {size} bytes, aligned to {align}"));
            return std::ptr::null_mut();
        }
        let at = unsafe { alloc(Layout::from_size_align(size, align).expect("checked")) };
        // Fresh memory is not zero: who needs zeros must write them.
        unsafe { at.write_bytes(0xA5, size) };
        self.blocks.insert(at as usize, (size, align));
        self.bytes += size;
        self.peak = self.peak.max(self.bytes);
        at
    }

    fn give(&mut self, at: *mut u8, size: usize, align: usize) {
        let Some((taken, aligned)) = self.blocks.remove(&(at as usize)) else {
            return self.faults.push(format!("{at:?} was never handed out, or came back twice"));
        };
        if (taken, aligned) != (size, align) {
            self.faults.push(format!("{taken} bytes aligned to {aligned} came back as {size} and {align}"));
        }
        self.bytes -= taken;
        unsafe {
            at.write_bytes(0xDD, taken);
            dealloc(at, Layout::from_size_align(taken, aligned).expect("as it was taken"));
        }
    }
}

fn of<'a>(user: *mut c_void) -> std::sync::MutexGuard<'a, State> {
    unsafe { &*user.cast::<Counting>() }.state()
}

unsafe extern "C" fn allocate(size: usize, align: usize, user: *mut c_void) -> *mut c_void {
    let mut state = of(user);
    if state.refuses(size) {
        return std::ptr::null_mut();
    }
    let at = state.take(size, align);
    let bytes = state.bytes as u64;
    state.steps.push(bytes);
    at.cast()
}

unsafe extern "C" fn release(at: *mut c_void, size: usize, align: usize, user: *mut c_void) {
    of(user).give(at.cast(), size, align);
}

unsafe extern "C" fn resize(
    at: *mut c_void,
    old: usize,
    new: usize,
    align: usize,
    user: *mut c_void,
) -> *mut c_void {
    let mut state = of(user);
    if state.refuses(new) {
        return std::ptr::null_mut();
    }
    let peak = state.peak;
    let to = state.take(new, align);
    if !to.is_null() {
        unsafe { to.copy_from_nonoverlapping(at.cast(), old.min(new)) };
        state.give(at.cast(), old, align);
        // What a reallocation holds while it runs is the allocator's affair, not who calls it.
        state.peak = peak.max(state.bytes);
    }
    let bytes = state.bytes as u64;
    state.steps.push(bytes);
    to.cast()
}
