//! The stand-in's pools: sparse sets, their columns of components, and how a type finds its pool.

use std::mem::MaybeUninit;

/// 12 bits of version over 20 bits of index.
pub type Handle = u32;

pub const INDEX: u32 = (1 << 20) - 1;
pub const VERSION: u32 = !INDEX;
/// No slot. Its version is never handed out.
pub const NULL: u32 = !0;
const SPARSE_PAGE: usize = 4096;
const COMPONENT_PAGE: usize = 1024;

/// The handle that follows this one in the same slot.
#[inline(always)]
pub fn next_version(entity: Handle) -> Handle {
    match entity.wrapping_add(INDEX + 1) {
        last if last & VERSION == VERSION => last & INDEX,
        next => next,
    }
}

/// Which entities are in a pool, and where: slots hold a position below the handle's version.
#[derive(Default)]
pub struct SparseSet {
    sparse: Vec<Option<Box<[u32; SPARSE_PAGE]>>>,
    packed: Vec<Handle>,
}

impl SparseSet {
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    #[inline(always)]
    pub fn at(&self, position: usize) -> Handle {
        self.packed[position]
    }

    /// The position of an entity.
    #[inline(always)]
    pub fn find(&self, entity: Handle) -> Option<usize> {
        let index = (entity & INDEX) as usize;
        let page = self.sparse.get(index / SPARSE_PAGE)?.as_ref()?;
        let slot = page[index % SPARSE_PAGE];
        ((slot ^ entity) & VERSION == 0).then_some((slot & INDEX) as usize)
    }

    #[inline(always)]
    fn slot(&mut self, entity: Handle) -> &mut u32 {
        let index = (entity & INDEX) as usize;
        let page = index / SPARSE_PAGE;
        if self.sparse.get(page).is_none_or(Option::is_none) {
            self.make_page(page);
        }
        let page = self.sparse[page].as_mut().expect("just made");
        &mut page[index % SPARSE_PAGE]
    }

    #[cold]
    fn make_page(&mut self, page: usize) {
        if page >= self.sparse.len() {
            self.sparse.resize_with(page + 1, || None);
        }
        self.sparse[page] = Some(Box::new([NULL; SPARSE_PAGE]));
    }

    /// Puts an entity at the end; the answer is its position.
    #[inline(always)]
    pub fn push(&mut self, entity: Handle) -> usize {
        let position = self.packed.len();
        *self.slot(entity) = position as u32 | (entity & VERSION);
        self.packed.push(entity);
        position
    }

    /// Puts a handle, perhaps with a new version, at a position.
    #[inline(always)]
    pub fn place(&mut self, position: usize, entity: Handle) {
        self.packed[position] = entity;
        *self.slot(entity) = position as u32 | (entity & VERSION);
    }

    /// Moves the last entity into the hole.
    #[inline(always)]
    pub fn remove_at(&mut self, position: usize) {
        let removed = self.packed[position];
        let last = self.packed.pop().expect("not empty");
        if position < self.packed.len() {
            self.place(position, last);
        }
        *self.slot(removed) = NULL;
    }
}

/// Who wants to know. Nobody does in the bench, but each change has to look.
#[derive(Default)]
pub struct Listeners(Vec<fn(Handle)>);

impl Listeners {
    #[inline(always)]
    pub fn tell(&self, entity: Handle) {
        for listener in &self.0 {
            listener(entity);
        }
    }
}

/// A pool's side that does not depend on the type of its components.
#[derive(Default)]
pub struct Members {
    pub set: SparseSet,
    pub on_add: Listeners,
    pub on_set: Listeners,
    pub on_remove: Listeners,
}

/// The components of a pool, whose type only some callers know.
pub trait Payload {
    /// Moves the last element into the hole; `last` is its position.
    fn swap_pop(&mut self, hole: usize, last: usize);
}

pub struct Column<T> {
    pages: Vec<Box<[MaybeUninit<T>; COMPONENT_PAGE]>>,
}

impl<T: Copy> Column<T> {
    pub fn new() -> Self {
        Self { pages: Vec::new() }
    }

    #[inline(always)]
    pub fn at(&self, position: usize) -> *const T {
        self.pages[position / COMPONENT_PAGE][position % COMPONENT_PAGE].as_ptr()
    }

    #[inline(always)]
    pub fn put(&mut self, position: usize, value: T) {
        if position / COMPONENT_PAGE == self.pages.len() {
            self.grow();
        }
        self.pages[position / COMPONENT_PAGE][position % COMPONENT_PAGE].write(value);
    }

    #[cold]
    fn grow(&mut self) {
        let page = Box::new([const { MaybeUninit::uninit() }; COMPONENT_PAGE]);
        self.pages.push(page);
    }
}

impl<T: Copy> Payload for Column<T> {
    #[inline]
    fn swap_pop(&mut self, hole: usize, last: usize) {
        let value = self.pages[last / COMPONENT_PAGE][last % COMPONENT_PAGE];
        self.pages[hole / COMPONENT_PAGE][hole % COMPONENT_PAGE] = value;
    }
}

/// From a type's hash to the number of its pool: buckets that chain through one packed array.
#[derive(Default)]
pub struct Directory {
    buckets: Vec<u32>,
    nodes: Vec<(u32, u32)>,
}

impl Directory {
    #[inline(always)]
    pub fn find(&self, hash: u32) -> Option<usize> {
        let mut node = self.buckets[hash as usize & (self.buckets.len() - 1)];
        while let Some(&(key, next)) = self.nodes.get(node as usize) {
            if key == hash {
                return Some(node as usize);
            }
            node = next;
        }
        None
    }

    pub fn insert(&mut self, hash: u32) {
        self.nodes.push((hash, NULL));
        let size = (self.nodes.len() * 2).next_power_of_two().max(8);
        self.buckets = vec![NULL; size];
        for (i, (key, next)) in self.nodes.iter_mut().enumerate() {
            let bucket = &mut self.buckets[*key as usize & (size - 1)];
            *next = std::mem::replace(bucket, i as u32);
        }
    }
}
