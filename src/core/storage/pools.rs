//! All pools of a world: by number, by component id, by name.

use super::buffer::Buffer;
use super::kinds::Kinds;
use super::memory::Memory;
use super::pool::{Pool, Shape};
use crate::core::error::Error;
use crate::core::ids::{Handle, Layout, role_of};
use core::array::from_fn;
use core::ptr::NonNull;

/// The value of the built-in `Component`: what a component's entity says of itself (M23). The library
/// reads it too, to find the pools of components outside the reserved range.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// Bytes of an element.
    pub size: u32,
    /// Its alignment.
    pub align: u32,
    /// 1 if elements keep their addresses.
    pub policy: i32,
    /// The pool's number.
    pub number: u32,
}

type Place<L> = Option<NonNull<Pool<L>>>;

/// A component in the reserved range, beside its pool: one look tells whether it is the one.
#[derive(Clone, Copy)]
struct Direct<L: Layout> {
    id: Handle,
    at: NonNull<Pool<L>>,
}

impl<L: Layout> Direct<L> {
    /// Nobody's: whatever id a caller claims, whoever looks for it in this place doesn't find it, as it is one of another place.
    const fn none(place: usize) -> Self {
        Self { id: (place ^ 1) as Handle, at: NonNull::dangling() }
    }
}

/// How many components come first.
const FIRST: usize = 256;

/// The first components in the reserved range, by index: once more, in the world itself, where a look at one takes neither the
/// address nor the length of what grows. In two arrays: a place in one of eight bytes each is found by the instruction that reads
/// it, one in an array of pairs by three more.
#[repr(C)]
pub struct First<L: Layout> {
    ids: [Handle; FIRST],
    places: [NonNull<Pool<L>>; FIRST],
}

impl<L: Layout> Default for First<L> {
    fn default() -> Self {
        let none = |place| Direct::<L>::none(place);
        Self { ids: from_fn(|place| none(place).id), places: from_fn(|place| none(place).at) }
    }
}

impl<L: Layout> First<L> {
    /// The pool of a component, if it is one of these. Who is none has one of their places, but not their id.
    #[inline(always)]
    fn find(&self, id: Handle) -> Place<L> {
        let place = L::index(id) as usize % FIRST;
        // Before it is known whether it is wanted, and volatile: else it is put off, and shared with a look at the other table,
        // for which its address is computed.
        // SAFETY: a reference's.
        let at = unsafe { (&raw const self.places[place]).read_volatile() };
        (self.ids[place] == id).then_some(at)
    }
}

/// The pools of a world.
#[repr(C)]
pub struct Pools<L: Layout> {
    /// By index, for components in the reserved range (M39).
    direct: Buffer<Direct<L>>,
    all: Buffer<Place<L>>,
    /// Numbers in the order of names.
    names: Buffer<u32>,
}

impl<L: Layout> Default for Pools<L> {
    fn default() -> Self {
        Self { all: Buffer::new(), direct: Buffer::new(), names: Buffer::new() }
    }
}

/// The number of the pool of `Component` itself.
pub const BUILTIN: u32 = 0;

impl<L: Layout> Pools<L> {
    #[inline(always)]
    fn place(&self, number: u32) -> Place<L> {
        self.all.get(number as usize).copied().flatten()
    }

    /// A pool by its number.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Pool<L>> {
        // SAFETY: places hold living pools, owned by this.
        self.place(number).map(|at| unsafe { at.as_ref() })
    }

    /// A pool by its number.
    #[inline(always)]
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Pool<L>> {
        // SAFETY: as above, and borrowed for as long as this is.
        self.place(number).map(|mut at| unsafe { at.as_mut() })
    }

    /// The pool of a component in the reserved range, by the first if it is one of these.
    #[inline(always)]
    fn find_with(&self, first: &First<L>, id: Handle) -> Place<L> {
        first.find(id).or_else(|| self.find_direct(id))
    }

    /// Lets a component in the reserved range be found, or not.
    fn set_direct(&mut self, first: &mut First<L>, index: u32, direct: Direct<L>) {
        let index = index as usize;
        if let Some(place) = self.direct.get_mut(index) {
            *place = direct;
        }
        if index < FIRST {
            (first.ids[index], first.places[index]) = (direct.id, direct.at);
        }
    }

    /// The pool that owns a bit of the signatures in the same world.
    #[inline(always)]
    pub fn owner_mut(&mut self, kinds: &Kinds, bit: u32) -> Option<&mut Pool<L>> {
        // SAFETY: a bit's owner is a living pool of this world, whose address is the one it was made at; it is borrowed for as
        // long as this is.
        kinds.owner(bit).at.map(|at| unsafe { at.cast::<Pool<L>>().as_mut() })
    }

    /// The pool of a component in the reserved range.
    #[inline(always)]
    fn find_direct(&self, id: Handle) -> Place<L> {
        self.direct.get(L::index(id) as usize).filter(|direct| direct.id == id).map(|direct| direct.at)
    }

    #[inline(always)]
    fn find(&self, id: Handle) -> Place<L> {
        self.find_direct(id).or_else(|| self.find_described(id))
    }

    /// The pool of a component, if it is one of the first, which are this world's.
    #[inline(always)]
    #[must_use]
    pub fn first(&self, first: &First<L>, id: Handle) -> Option<&Pool<L>> {
        // SAFETY: as above.
        first.find(id).map(|at| unsafe { at.as_ref() })
    }

    /// The same, to change.
    #[inline(always)]
    pub fn first_mut(&mut self, first: &First<L>, id: Handle) -> Option<&mut Pool<L>> {
        // SAFETY: as above, and borrowed for as long as this is.
        first.find(id).map(|mut at| unsafe { at.as_mut() })
    }

    /// The pool of a component in the reserved range; `first` are this world's.
    #[inline(always)]
    #[must_use]
    pub fn direct(&self, first: &First<L>, id: Handle) -> Option<&Pool<L>> {
        // SAFETY: as above.
        self.find_with(first, id).map(|at| unsafe { at.as_ref() })
    }

    /// The same, to change.
    #[inline(always)]
    pub fn direct_mut(&mut self, first: &First<L>, id: Handle) -> Option<&mut Pool<L>> {
        // SAFETY: as above, and borrowed for as long as this is.
        self.find_with(first, id).map(|mut at| unsafe { at.as_mut() })
    }

    #[cold]
    fn find_described(&self, id: Handle) -> Place<L> {
        // No id with a role is a component's, and who adds or reads pairs by their ids asks first whether they are.
        let builtin = self.get(BUILTIN).filter(|_| role_of(id) == 0)?;
        let position = builtin.position(id)?;
        // SAFETY: every element of `Component` is a description, and written before it can be found.
        let number = unsafe { (*builtin.element(position).cast::<Description>()).number };
        let at = self.place(number)?;
        // SAFETY: as above.
        (unsafe { at.as_ref() }.id == id).then_some(at)
    }

    /// A pool by its component, and where it is: good until the pool is destroyed.
    #[must_use]
    pub fn locate(&self, id: Handle) -> Option<(&Pool<L>, NonNull<Pool<L>>)> {
        // SAFETY: as above.
        self.find(id).map(|at| (unsafe { at.as_ref() }, at))
    }

    /// A pool by its component. A call of its own, for the many careful ways.
    #[inline(never)]
    #[must_use]
    pub fn by_id(&self, id: Handle) -> Option<&Pool<L>> {
        // SAFETY: as above.
        self.find(id).map(|at| unsafe { at.as_ref() })
    }

    /// A pool by its component.
    #[inline(never)]
    pub fn by_id_mut(&mut self, id: Handle) -> Option<&mut Pool<L>> {
        // SAFETY: as above, and borrowed for as long as this is.
        self.find(id).map(|mut at| unsafe { at.as_mut() })
    }

    /// All pools, in the order of their numbers.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Pool<L>> {
        // SAFETY: as above.
        self.all.iter().flatten().map(|at| unsafe { at.as_ref() })
    }

    /// How many numbers there are, used or not.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn numbers(&self) -> u32 {
        self.all.len() as u32
    }

    fn search(&self, name: &[u8]) -> Result<usize, usize> {
        let name_of = |number: &u32| self.get(*number).map_or(&[][..], |pool| without_zero(&pool.name));
        self.names.binary_search_by(|number| name_of(number).cmp(name))
    }

    /// A pool by its component's name.
    #[must_use]
    pub fn by_name(&self, name: &[u8]) -> Option<&Pool<L>> {
        self.search(name).ok().and_then(|at| self.get(self.names[at]))
    }

    /// The number that the next pool gets.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn next_number(&self) -> u32 {
        self.all.iter().position(Option::is_none).unwrap_or(self.all.len()) as u32
    }

    /// Makes a pool for a component that has a name of its own. `direct`: it is in the reserved range.
    #[inline(never)]
    pub fn create(
        &mut self,
        first: &mut First<L>,
        memory: &mut Memory,
        id: Handle,
        name: &[u8],
        shape: Shape,
        direct: bool,
    ) -> Result<&mut Pool<L>, Error> {
        let number = self.next_number();
        let mut pool = Pool::<L>::new(id, number, shape);
        pool.name.reserve_exact(memory, name.len() + 1)?;
        pool.name.extend_reserved(name.iter().copied());
        pool.name.push_reserved(0);
        let made = self.make_room(memory, number, L::index(id), direct).and_then(|()| {
            memory.take(size_of::<Pool<L>>(), align_of::<Pool<L>>()).map(NonNull::cast::<Pool<L>>)
        });
        let mut at = match made {
            Ok(at) => at,
            Err(error) => {
                pool.free(memory);
                return Err(error);
            }
        };
        pool.at = Some(at);
        // SAFETY: new memory of that size and alignment.
        unsafe { at.write(pool) };
        self.all[number as usize] = Some(at);
        if direct {
            self.set_direct(first, L::index(id), Direct { id, at });
        }
        let place = self.search(name).unwrap_or_else(|place| place);
        self.names.insert_reserved(place, number);
        // SAFETY: written above.
        Ok(unsafe { at.as_mut() })
    }

    fn make_room(&mut self, memory: &mut Memory, number: u32, index: u32, direct: bool) -> Result<(), Error> {
        self.names.reserve(memory, 1)?;
        extend_to(&mut self.all, memory, number, |_| None)?;
        if direct { extend_to(&mut self.direct, memory, index, Direct::none) } else { Ok(()) }
    }

    /// Ends a pool, which is empty.
    pub fn destroy(&mut self, first: &mut First<L>, memory: &mut Memory, number: u32) {
        let Some(mut at) = self.place(number) else { return };
        self.names.iter().position(|n| *n == number).map(|place| self.names.remove(place));
        self.all[number as usize] = None;
        // SAFETY: as above.
        let id = unsafe { at.as_ref() }.id;
        if self.find_direct(id).is_some() {
            let index = L::index(id);
            self.set_direct(first, index, Direct::none(index as usize));
        }
        // SAFETY: the pool is forgotten above, and was made by `create`.
        unsafe {
            at.as_mut().free(memory);
            memory.give(at.cast(), size_of::<Pool<L>>(), align_of::<Pool<L>>());
        }
    }

    /// Gives back spare capacity, and the pools'.
    pub fn shrink(&mut self, memory: &mut Memory) {
        for number in 0..self.numbers() {
            if let Some(pool) = self.get_mut(number) {
                pool.shrink(memory);
            }
        }
        self.names.shrink(memory);
    }

    /// Ends all pools.
    pub fn free(&mut self, first: &mut First<L>, memory: &mut Memory) {
        // First: whoever is ended alone is looked for among the names, and those behind move up.
        self.names.free(memory);
        for number in 0..self.numbers() {
            self.destroy(first, memory, number);
        }
        self.all.free(memory);
        self.direct.free(memory);
    }
}

fn extend_to<T: Copy>(
    buffer: &mut Buffer<T>,
    memory: &mut Memory,
    index: u32,
    with: impl Fn(usize) -> T,
) -> Result<(), Error> {
    let (from, to) = (buffer.len(), index as usize + 1);
    buffer.reserve(memory, to.saturating_sub(from))?;
    buffer.extend_reserved((from..to).map(with));
    Ok(())
}

/// A name without the zero that ends it.
#[must_use]
pub fn without_zero(name: &[u8]) -> &[u8] {
    name.split_last().map_or(&[], |(_, name)| name)
}
