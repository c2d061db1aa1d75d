//! An allocator that knows what it handed out: it notices a wrong size, a wrong alignment, a second
//! free and a leak, fills new memory with rubbish, and can be told to fail.

use denizen::ffi::types::dz_allocator;
use std::alloc::Layout;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::c_void;

#[derive(Default)]
pub struct Arena {
    blocks: RefCell<BTreeMap<usize, (usize, usize)>>,
    /// Allocations until one fails.
    pub starve: Cell<Option<u32>>,
    /// Whether all fail from that one on.
    pub for_good: Cell<bool>,
    /// Whether one has failed.
    pub starved: Cell<bool>,
    /// What went wrong. Callbacks must not panic, so it is kept until somebody looks.
    pub wrong: RefCell<Vec<String>>,
}

impl Arena {
    /// As the library takes it.
    pub fn allocator(&self, reallocates: bool) -> dz_allocator {
        dz_allocator {
            allocate: Some(allocate),
            free: Some(free),
            reallocate: if reallocates { Some(reallocate) } else { None },
            user: (&raw const *self).cast_mut().cast(),
        }
    }

    pub fn bytes(&self) -> u64 {
        self.blocks.borrow().values().map(|(size, _)| *size as u64).sum()
    }

    pub fn allocations(&self) -> u64 {
        self.blocks.borrow().len() as u64
    }

    fn fails(&self) -> bool {
        let left = self.starve.get();
        let fails = left == Some(0);
        if !fails || !self.for_good.get() {
            self.starve.set(left.and_then(|left| left.checked_sub(1)));
        }
        self.starved.set(self.starved.get() || fails);
        fails
    }

    fn take(&self, size: usize, alignment: usize) -> *mut c_void {
        let shape = Layout::from_size_align(size, alignment);
        let Ok(shape) = shape else { return std::ptr::null_mut() };
        if size == 0 || self.fails() {
            return std::ptr::null_mut();
        }
        let at = unsafe { std::alloc::alloc(shape) };
        unsafe { at.write_bytes(0xA5, size) };
        self.blocks.borrow_mut().insert(at as usize, (size, alignment));
        at.cast()
    }

    fn give(&self, at: *mut c_void, size: usize, alignment: usize) {
        match self.blocks.borrow_mut().remove(&(at as usize)) {
            Some(known) if known == (size, alignment) => {}
            other => {
                let text = format!("free({at:?}, {size}, {alignment}), which is {other:?}");
                return self.wrong.borrow_mut().push(text);
            }
        }
        unsafe {
            at.cast::<u8>().write_bytes(0xDB, size);
            std::alloc::dealloc(at.cast(), Layout::from_size_align(size, alignment).unwrap());
        }
    }
}

unsafe extern "C" fn allocate(size: usize, alignment: usize, user: *mut c_void) -> *mut c_void {
    unsafe { &*user.cast::<Arena>() }.take(size, alignment)
}

unsafe extern "C" fn free(at: *mut c_void, size: usize, alignment: usize, user: *mut c_void) {
    unsafe { &*user.cast::<Arena>() }.give(at, size, alignment);
}

unsafe extern "C" fn reallocate(
    at: *mut c_void,
    old: usize,
    new: usize,
    alignment: usize,
    user: *mut c_void,
) -> *mut c_void {
    let arena = unsafe { &*user.cast::<Arena>() };
    let to = arena.take(new, alignment);
    if !to.is_null() {
        unsafe { to.cast::<u8>().copy_from_nonoverlapping(at.cast(), old.min(new)) };
        arena.give(at, old, alignment);
    }
    to
}
