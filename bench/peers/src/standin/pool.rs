//! The stand-in's pools: sparse sets, their columns of components, and how a type finds its pool.

use std::mem::MaybeUninit;

const SPARSE_PAGE: usize = 4096;
const COMPONENT_PAGE: usize = 1024;
/// No node of the directory.
const NONE: u32 = !0;

/// An entity: a version over an index. A slot is one too, with a position in place of the index.
pub trait Handle: Copy + Eq + 'static {
    /// No slot. Its version is never handed out.
    const NULL: Self;

    /// The index, or the position.
    fn index(self) -> usize;

    /// Such an index or position, with the version of this handle.
    fn with(self, index: usize) -> Self;

    fn same_version(self, other: Self) -> bool;

    /// The handle that follows this one in the same slot.
    fn next_version(self) -> Self;

    fn to_bits(self) -> u64;

    fn from_bits(bits: u64) -> Self;
}

macro_rules! handle {
    ($integer:ty, $index_bits:literal) => {
        impl Handle for $integer {
            const NULL: Self = !0;

            #[inline(always)]
            fn index(self) -> usize {
                (self & ((1 << $index_bits) - 1)) as usize
            }

            #[inline(always)]
            fn with(self, index: usize) -> Self {
                index as Self | self >> $index_bits << $index_bits
            }

            #[inline(always)]
            fn same_version(self, other: Self) -> bool {
                (self ^ other) >> $index_bits == 0
            }

            #[inline(always)]
            fn next_version(self) -> Self {
                match self.wrapping_add(1 << $index_bits) {
                    last if last >> $index_bits == Self::NULL >> $index_bits => {
                        last & ((1 << $index_bits) - 1)
                    }
                    next => next,
                }
            }

            #[inline(always)]
            fn to_bits(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
        }
    };
}

// EnTT's two widths: 12 bits of version over 20 of index, and for large worlds 32 over 32.
handle!(u32, 20);
handle!(u64, 32);

/// Which entities are in a pool, and where: slots hold a position below the handle's version.
pub struct SparseSet<H> {
    sparse: Vec<Option<Box<[H; SPARSE_PAGE]>>>,
    packed: Vec<H>,
}

impl<H> Default for SparseSet<H> {
    fn default() -> Self {
        Self { sparse: Vec::new(), packed: Vec::new() }
    }
}

impl<H: Handle> SparseSet<H> {
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    #[inline(always)]
    pub fn at(&self, position: usize) -> H {
        self.packed[position]
    }

    /// All handles, in the order of their positions.
    #[inline(always)]
    pub fn packed(&self) -> &[H] {
        &self.packed
    }

    /// The position of an entity.
    #[inline(always)]
    pub fn find(&self, entity: H) -> Option<usize> {
        let index = entity.index();
        let page = self.sparse.get(index / SPARSE_PAGE)?.as_ref()?;
        let slot = page[index % SPARSE_PAGE];
        slot.same_version(entity).then_some(slot.index())
    }

    #[inline(always)]
    fn slot(&mut self, entity: H) -> &mut H {
        let index = entity.index();
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
        self.sparse[page] = Some(Box::new([H::NULL; SPARSE_PAGE]));
    }

    /// Puts an entity at the end; the answer is its position.
    #[inline(always)]
    pub fn push(&mut self, entity: H) -> usize {
        let position = self.packed.len();
        *self.slot(entity) = entity.with(position);
        self.packed.push(entity);
        position
    }

    /// Puts a handle, perhaps with a new version, at a position.
    #[inline(always)]
    pub fn place(&mut self, position: usize, entity: H) {
        self.packed[position] = entity;
        *self.slot(entity) = entity.with(position);
    }

    /// Changes the places of two entities.
    #[inline(always)]
    pub fn swap(&mut self, one: usize, other: usize) {
        let (first, second) = (self.packed[one], self.packed[other]);
        self.place(one, second);
        self.place(other, first);
    }

    /// Moves the last entity into the hole.
    #[inline(always)]
    pub fn remove_at(&mut self, position: usize) {
        let removed = self.packed[position];
        let last = self.packed.pop().expect("not empty");
        if position < self.packed.len() {
            self.place(position, last);
        }
        *self.slot(removed) = H::NULL;
    }
}

/// Who wants to know. Nobody does in the bench, but each change has to look.
pub struct Listeners<H>(Vec<fn(H)>);

impl<H> Default for Listeners<H> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<H: Handle> Listeners<H> {
    #[inline(always)]
    pub fn tell(&self, entity: H) {
        for listener in &self.0 {
            listener(entity);
        }
    }
}

/// A pool's side that does not depend on the type of its components.
pub struct Members<H> {
    pub set: SparseSet<H>,
    pub on_add: Listeners<H>,
    pub on_set: Listeners<H>,
    pub on_remove: Listeners<H>,
}

impl<H> Default for Members<H> {
    fn default() -> Self {
        Self {
            set: SparseSet::default(),
            on_add: Listeners::default(),
            on_set: Listeners::default(),
            on_remove: Listeners::default(),
        }
    }
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

    /// The same without a look at whether there is such a position.
    ///
    /// # Safety
    /// There is.
    #[inline(always)]
    pub unsafe fn at_unchecked(&self, position: usize) -> *mut T {
        // SAFETY: each position's page was made when it was put there.
        unsafe {
            let page = self.pages.get_unchecked(position / COMPONENT_PAGE);
            page.as_ptr().cast::<T>().cast_mut().add(position % COMPONENT_PAGE)
        }
    }

    /// Changes the places of two elements.
    #[inline(always)]
    pub fn swap(&mut self, one: usize, other: usize) {
        let (first, second) = (*self.place(one), *self.place(other));
        *self.place(one) = second;
        *self.place(other) = first;
    }

    #[inline(always)]
    fn place(&mut self, position: usize) -> &mut MaybeUninit<T> {
        &mut self.pages[position / COMPONENT_PAGE][position % COMPONENT_PAGE]
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
        self.nodes.push((hash, NONE));
        let size = (self.nodes.len() * 2).next_power_of_two().max(8);
        self.buckets = vec![NONE; size];
        for (i, (key, next)) in self.nodes.iter_mut().enumerate() {
            let bucket = &mut self.buckets[*key as usize & (size - 1)];
            *next = std::mem::replace(bucket, i as u32);
        }
    }
}
