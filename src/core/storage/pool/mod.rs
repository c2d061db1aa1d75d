//! A pool: the elements of one component, as a sparse set (002).
//!
//! ```text
//!   sparse   index -> position | generation          packed   position -> element, entity
//!
//!   swap     remove B:  [A B C D]  ->  [A D C]       always dense
//!   stable   remove B:  [A B C D]  ->  [A - C D]     the gap's entity is a tombstone that links to
//!                                                    the next gap (M44); add fills it
//! ```
//!
//! Each change has a number. Pages of the sparse half remember which entities were added or moved
//! since the latest iteration began, so that an iteration can tell whom it must not see (again).

mod ask;
pub mod claims;
mod insert;
mod listening;
mod many;
mod order;
mod permute;
mod quick;
mod remove;
mod values;
mod veil;

pub use ask::AT_ONCE;
pub use listening::{cut, has};
pub use quick::End;

use super::buffer::Buffer;
use super::kinds::{Bit, Mark};
use super::lifecycle::{Lifecycle, SMALL, Source};
use super::links::Type;
use super::map::Map;
use super::memory::Memory;
use super::packed::{Packed, Tail};
use super::page::{FIRST, Page};
use super::sparse::Sparse;
use crate::core::error::{Error, Kind};
use crate::core::events::Listener;
use crate::core::ids::{self, Handle, Layout, Narrow, Wide, Word};
use core::mem::offset_of;
use core::ops::Range;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a component is: asked for at registration, and checked against ever after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Shape {
    /// Bytes of an element; 0 for a tag.
    pub size: u32,
    /// A power of two.
    pub align: u32,
    /// Elements keep their addresses.
    pub stable: bool,
}

/// Where an entity is, or would be, in the sparse half of a pool: looked up once, then used by what
/// follows. Good until the pool changes in any other way.
pub struct Spot<L: Layout> {
    page: NonNull<Page<L>>,
    index: u32,
    /// The position of its element, if it is a member.
    pub position: Option<u32>,
}

impl<L: Layout> Spot<L> {
    /// The number of the pool in the entity's block, as far as it is known.
    #[inline(always)]
    #[must_use]
    pub fn row(&self) -> u32 {
        // SAFETY: pages live until memory is given back, which ends every spot.
        unsafe { self.page.as_ref() }.row(self.index)
    }
}

/// Memory for one more member: what `Pool::insert` takes. Good until anything changes.
pub struct Room<L: Layout> {
    page: NonNull<Page<L>>,
    index: u32,
    /// The pool's bit in its signature.
    mark: Mark,
    /// The byte of its word in its block that has the pool's bit there, if that is the pool's only one.
    byte: Option<NonNull<u8>>,
}

/// Of more entities readers don't find out whether they are in order.
const MOST_LOOKED_AT: u32 = 1 << 14;

/// How many moves are kept.
const MOVES: usize = 16;

/// An element left its position.
#[derive(Clone, Copy)]
struct Move {
    /// The number of the change.
    change: u64,
    from: u32,
    /// Its entity's index.
    index: u32,
}

/// How far a pool was put into an order: where to go on, if nothing else has changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arranging {
    /// What it depends on; 0: nothing was done.
    pub stamp: u64,
    /// Whether all is done.
    pub done: bool,
    /// The part of the order that is under way.
    pub part: u32,
    /// The next index to look at.
    pub index: u32,
    /// The next position to fill.
    pub next: u32,
}

/// No element is that large.
const NOT_PLAIN: u32 = u32::MAX;
/// Nobody can claim that size.
const NOT_SMALL: u64 = u64::MAX;

/// A `plain_size`, if it is small.
const fn if_small(plain_size: u32) -> u64 {
    if plain_size <= SMALL { plain_size as u64 } else { NOT_SMALL }
}

/// The elements of one component. In this order: what the short ways read comes first, where one byte of an instruction
/// says how far it is.
#[repr(C)]
pub struct Pool<L: Layout> {
    /// The component.
    pub id: Handle,
    /// `plain_size`, if they are small: else `NOT_SMALL`.
    small_size: u64,
    /// Changes, less the positions in use: so that one who comes at the end is counted by `len` alone.
    tally: u64,
    /// The changes there were when the latest iteration began; 0: none ever did.
    latest_start: AtomicU64,
    /// Positions in use, gaps included.
    len: u32,
    /// Positions below are free for who comes next, with nothing else to look at: nobody is to be told, neither a group nor
    /// a listener, and `room_to` holds. 0 where that doesn't hold.
    limit: u32,
    /// The pool's bit in the signatures.
    bit: Bit,
    /// The page where the elements end: `tail.start <= len <= tail.end`.
    tail: Tail<L::Word>,
    /// `swap_from` where the bit is the pool's own, and nobody is to be told: neither a group nor a listener.
    quick_from: u32,
    /// The size, if new elements are zeros that anybody may add: else `NOT_PLAIN`. A tag's is 0.
    zero_size: u32,
    /// What it is.
    pub shape: Shape,
    /// The last element can go, or move, with nothing else to look at, if its position is not below: it is small bytes, no gap
    /// stays, `tail` is its page, and in large pools it goes in this turn. `u32::MAX` where that doesn't hold.
    swap_from: u32,
    sparse: Sparse<L>,
    /// Positions below are free for who comes next: no gaps to fill, no block to write to, elements that are small, and
    /// `tail` is their page. 0 where that doesn't hold.
    room_to: u32,
    packed: Packed<L>,
    /// The size, if elements are bytes that anybody may change, and nobody listens: else `NOT_PLAIN`.
    plain_size: u32,
    /// Its number.
    pub number: u32,
    /// Where it lies, if it is one of `Pools`.
    pub(super) at: Option<NonNull<Self>>,
    /// Made by the library.
    builtin: bool,
    /// It has elements, and isn't the library's.
    open: bool,
    /// No group watches who comes, and nobody listens.
    is_quiet: bool,
    /// The group that alone decides who joins, and the other pool of a pair: see `claims::Lone`.
    lone: claims::Lone,
    /// The place of the first group that hears by it of who is destroyed.
    first_told: u32,
    /// What elements need beyond bytes.
    lifecycle: Lifecycle,
    /// The component's name, and a zero.
    pub name: Buffer<u8>,
    /// Listeners on add, set and remove.
    listeners: [Buffer<Listener>; 3],
    kept_len: u32,
    /// The last changes that moved an element for the first time since the latest iteration began.
    moves: [Move; MOVES],
    /// How many were kept, ever: it may wrap.
    moved: u32,
    /// What `additions` corrects itself by.
    correction: u32,
    /// Iterations that had to settle; they are numbered by it.
    settlers: u32,
    gap: u32,
    gaps: u32,
    /// Members whom queries don't see: see `veil`.
    hidden: u32,
    /// While there are some: the words that they are of, a bit for each, which others share.
    veiled_words: u64,
    /// While there are some, and there were as many `order_changes`: from this position on there are none.
    hidden_end: u32,
    hidden_order: u64,
    /// As `swap_from`, where there are such, for who is none: else `u32::MAX`.
    veiled_from: u32,
    /// Those of them who were disabled here, by index.
    disabled: Map,
    singleton: Option<NonNull<u8>>,
    /// Room for one element, for changes of the order: see `order`.
    spare: Option<NonNull<u8>>,
    /// Groups and sorts that have a say in it.
    claims: Option<NonNull<claims::Claims>>,
    /// Iterations that began before this change can't go on: memory was given back, or the order changed.
    floor: u64,
    /// Changes of nothing but the order.
    order_changes: u64,
    /// How far it was put into the order that queries want.
    pub arranging: Arranging,
    /// What readers found out about its order: see `ascends`.
    known_order: AtomicU64,
}

// Pointer and length of the pages near.
const _: () =
    assert!(offset_of!(Pool<Wide>, sparse) + 16 <= 128 && offset_of!(Pool<Narrow>, sparse) + 16 <= 128);

impl<L: Layout> Pool<L> {
    /// Without elements.
    #[must_use]
    pub fn new(id: Handle, number: u32, shape: Shape) -> Self {
        let plain_size = if shape.size == 0 { NOT_PLAIN } else { shape.size };
        Self {
            id,
            number,
            at: None,
            shape,
            builtin: false,
            open: shape.size > 0,
            is_quiet: true,
            lone: claims::Lone::NONE,
            first_told: u32::MAX,
            plain_size,
            small_size: if_small(plain_size),
            zero_size: shape.size,
            lifecycle: Lifecycle::TRIVIAL,
            name: Buffer::new(),
            listeners: [Buffer::new(), Buffer::new(), Buffer::new()],
            sparse: Sparse::default(),
            packed: Packed::new(shape.size as usize, shape.align as usize),
            len: 0,
            limit: 0,
            room_to: 0,
            swap_from: u32::MAX,
            veiled_from: u32::MAX,
            quick_from: u32::MAX,
            tail: Tail::NONE,
            bit: Bit::OTHERS,
            kept_len: 0,
            moves: [Move { change: 0, from: 0, index: 0 }; MOVES],
            moved: 0,
            correction: 0,
            settlers: 0,
            gap: L::NO_INDEX,
            gaps: 0,
            hidden: 0,
            veiled_words: 0,
            hidden_end: 0,
            hidden_order: 0,
            disabled: Map::default(),
            singleton: None,
            spare: None,
            claims: None,
            // So that the number at which an iteration began is never 0.
            tally: FIRST,
            latest_start: AtomicU64::new(0),
            floor: 0,
            order_changes: 0,
            arranging: Arranging::default(),
            known_order: AtomicU64::new(0),
        }
    }

    /// What elements need beyond bytes.
    #[inline(always)]
    #[must_use]
    pub const fn lifecycle(&self) -> &Lifecycle {
        &self.lifecycle
    }

    /// What its values are, if it isn't a tag's.
    #[must_use]
    pub fn value_type(&self) -> Option<Type<'_>> {
        let Shape { size, align, .. } = self.shape;
        (size > 0).then_some(Type { size, align, hooks: &self.lifecycle })
    }

    /// Gives elements what they need beyond bytes.
    pub fn set_lifecycle(&mut self, lifecycle: Lifecycle) {
        self.lifecycle = lifecycle;
        self.settle_plain();
    }

    /// Whether it was made by the library.
    #[inline(always)]
    #[must_use]
    pub const fn is_builtin(&self) -> bool {
        self.builtin
    }

    /// Makes it the library's.
    pub fn set_builtin(&mut self) {
        (self.builtin, self.open) = (true, false);
        self.packed.hide();
        self.settle_plain();
    }

    /// Whether it has elements that anybody may see and write to.
    #[inline(always)]
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.open
    }

    /// Whether elements are bytes that anybody may change, and values of that size theirs. Somebody may be to be told
    /// of one who comes.
    #[inline(always)]
    #[must_use]
    pub const fn takes_plain(&self, value: Source) -> bool {
        // A caller may claim any size, and so the one that no element has.
        self.plain_size == value.size() && value.size() != NOT_PLAIN
    }

    /// The same, whether somebody may be to be told of one whose value is set, or not.
    #[inline(always)]
    #[must_use]
    pub const fn takes_bytes(&self, value: Source) -> bool {
        self.is_open() && self.lifecycle.is_bytes() && self.shape.size == value.size() && value.size() > 0
    }

    /// As `takes_plain`, and whether `copy_small` can copy them: one comparison with what no caller can claim.
    #[inline(always)]
    #[must_use]
    pub const fn takes_small(&self, value: Source) -> bool {
        self.small_size == value.size() as u64
    }

    /// What new elements are, if it is small, and nothing but to be copied: zeros. Somebody may be to be told.
    #[inline(always)]
    #[must_use]
    pub fn zeros(&self) -> Option<Source> {
        Source::zeros(self.zero_size)
    }

    /// Bytes of an element: the packed half's, but near.
    #[inline(always)]
    const fn size(&self) -> usize {
        self.shape.size as usize
    }

    /// How many entities have it.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.len - self.gaps
    }

    /// Positions in use, gaps included.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether no position is in use.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Gaps.
    #[must_use]
    pub const fn gaps(&self) -> u32 {
        self.gaps
    }

    /// The number of the last change.
    #[inline]
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.tally.wrapping_add(self.len as u64)
    }

    /// Lets so many positions be in use, which is no change by itself.
    pub(super) const fn set_len(&mut self, len: u32) {
        self.tally = self.changes().wrapping_sub(len as u64);
        self.len = len;
    }

    /// Counts changes but for those by `len`.
    #[inline(always)]
    pub(super) const fn count_changes(&mut self, more: u64) {
        self.tally = self.tally.wrapping_add(more);
    }

    /// The number of changes of who is in it.
    #[must_use]
    pub const fn member_changes(&self) -> u64 {
        self.changes() - self.order_changes
    }

    /// The change before which no iteration may have begun.
    #[must_use]
    pub const fn floor(&self) -> u64 {
        self.floor
    }

    /// The pool's bit in the signatures.
    #[inline(always)]
    #[must_use]
    pub const fn bit(&self) -> &Bit {
        &self.bit
    }

    /// Bytes held, the pool itself included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let listeners: usize = self.listeners.iter().map(Buffer::bytes).sum();
        let singleton = if self.singleton.is_some() { self.size() } else { 0 };
        let spare = if self.spare.is_some() { self.size() } else { 0 };
        let rest = self.name.bytes()
            + self.disabled.bytes()
            + listeners
            + singleton
            + spare
            + self.claims_bytes()
            + size_of::<Self>();
        self.sparse.bytes() + self.packed.bytes() + rest
    }

    /// Its sparse half, to read.
    #[inline(always)]
    #[must_use]
    pub const fn sparse(&self) -> &Sparse<L> {
        &self.sparse
    }

    /// Its packed half, to read.
    #[inline(always)]
    #[must_use]
    pub const fn packed(&self) -> &Packed<L> {
        &self.packed
    }

    /// Looks an entity up.
    #[inline(never)]
    #[must_use]
    pub fn spot(&self, handle: Handle) -> Spot<L> {
        let index = L::index(handle);
        let page = self.sparse.page_at(index);
        // SAFETY: pages are always initialised, and nothing writes meanwhile.
        let slot = unsafe { page.as_ref() }.slot(index);
        Spot { page, index, position: ids::position::<L>(L::bare(handle), slot) }
    }

    /// Looks up an entity that lives: a pool only has living ones, so that its slot is its own if it
    /// is anybody's, and the generations need no look.
    #[inline(always)]
    #[must_use]
    pub fn spot_of_living(&self, handle: Handle) -> Spot<L> {
        let index = L::index(handle);
        let page = self.sparse.page_at(index);
        // SAFETY: as above.
        let position = unsafe { page.as_ref() }.member(index);
        Spot { page, index, position }
    }

    /// The position of an entity's element (M46): None if it has none, or is another generation.
    #[inline(always)]
    #[must_use]
    pub fn position(&self, handle: Handle) -> Option<u32> {
        ids::position::<L>(L::bare(handle), self.sparse.lookup().slot(L::index(handle)))
    }

    /// Whether an entity has an element. A call: who needs many answers asks for positions.
    #[inline(never)]
    #[must_use]
    pub fn holds(&self, handle: Handle) -> bool {
        self.position(handle).is_some()
    }

    /// `position` for a handle with a world, which must be the one with that stamp: what is left of the world
    /// bits then is 0, as in a slot.
    #[inline(always)]
    #[must_use]
    pub fn position_here(&self, handle: Handle, stamp: u64) -> Option<u32> {
        ids::position::<L>(handle ^ stamp, self.sparse.lookup().slot(L::index(handle)))
    }

    /// The same, if it is quickly found: None says nothing about an entity whose page lies far off.
    #[inline(always)]
    #[must_use]
    pub fn position_nearby(&self, handle: Handle, stamp: u64) -> Option<u32> {
        // SAFETY: pages are always initialised, and nothing writes meanwhile.
        unsafe { self.page_of(handle)?.as_ref() }.position_of(L::index(handle), handle ^ stamp)
    }

    /// The element at a position.
    #[inline(always)]
    #[must_use]
    pub fn element(&self, position: u32) -> *mut u8 {
        self.packed.element(position)
    }

    /// The same, if anybody may write to it: what is found at once is such.
    #[inline(always)]
    #[must_use]
    pub fn open_element(&self, position: u32) -> Option<*mut u8> {
        match self.packed.element_at_once(position) {
            Some(element) => Some(element.as_ptr()),
            None => self.is_open().then(|| self.packed.element(position)),
        }
    }

    /// The element at a position, as a value to copy.
    #[must_use]
    pub fn value(&self, position: u32) -> Source {
        // SAFETY: one element, aligned, at a position in use.
        unsafe { Source::new(self.element(position), self.shape.size) }
    }

    /// The element of an entity that has it.
    #[inline(always)]
    #[must_use]
    pub fn element_of_member(&self, handle: Handle) -> *mut u8 {
        debug_assert!(self.spot_of_living(handle).position.is_some());
        let index = L::index(handle);
        let position = L::index(self.sparse.page(index).slot(index));
        if position < self.packed.capacity() { self.element(position) } else { core::ptr::null_mut() }
    }

    /// The entity at a position; a gap's has the tombstone generation.
    #[inline]
    #[must_use]
    pub fn entity(&self, position: u32) -> Handle {
        self.packed.entity(position)
    }

    /// The entities' memory from a position on.
    #[inline(always)]
    #[must_use]
    pub fn entities_at(&self, position: u32) -> *const u8 {
        self.packed.entity_at(position).cast_const().cast()
    }

    /// The entities at positions, as far as they are in use and lie in the page of the first.
    #[inline]
    #[must_use]
    pub fn entities(&self, positions: Range<u32>) -> &[L::Word] {
        self.packed.entities(positions.start..positions.end.min(self.len))
    }

    /// Whether its entities are in the order of their indices, as far as readers find that out: they look once after each change,
    /// many at once, who come to the same. No gaps.
    #[inline]
    #[must_use]
    pub fn ascends(&self) -> bool {
        let change = self.changes() << 1;
        let known = self.known_order.load(Relaxed);
        if known & !1 == change { known & 1 != 0 } else { self.look_at_order(change) }
    }

    #[inline(never)]
    fn look_at_order(&self, change: u64) -> bool {
        let (mut position, mut next, mut ascends) = (0, 0, self.len <= MOST_LOOKED_AT);
        while ascends && position < self.len {
            let entities = self.entities(position..self.len);
            for entity in entities {
                let index = L::index(entity.handle());
                ascends &= index >= next;
                next = index;
            }
            position += entities.len() as u32;
        }
        self.known_order.store(change | u64::from(ascends), Relaxed);
        ascends
    }

    /// Where the first is whose index is not below that one, if they are in the order of indices.
    #[must_use]
    pub fn first_from(&self, index: u32) -> u32 {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            if L::index(self.entity(middle)) < index {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Whether a position is a gap.
    #[inline]
    #[must_use]
    pub fn is_gap(&self, position: u32) -> bool {
        self.gaps > 0 && Self::is_tombstone(self.packed.entity(position))
    }

    /// Whether that stands where nobody is.
    #[inline(always)]
    pub fn is_tombstone(word: Handle) -> bool {
        u64::from(L::generation(word)) == L::TOMBSTONE
    }

    /// The entity whose element begins at an address.
    #[must_use]
    pub fn entity_of(&self, element: *const u8) -> Option<Handle> {
        let position = self.packed.position_of(element)?;
        (position < self.len && !self.is_gap(position)).then(|| self.entity(position))
    }

    /// Begins an iteration: returns the number of the last change. Many threads may, at once: they
    /// write the same number.
    pub fn start(&self) -> u64 {
        let change = self.changes();
        if self.latest_start.load(Relaxed) != change {
            self.latest_start.store(change, Relaxed);
        }
        change
    }

    /// A number for an iteration that has to settle; neither 0 nor all ones.
    pub fn next_settler(&mut self) -> u32 {
        self.settlers = (self.settlers + 1) % u32::MAX;
        self.settlers = self.settlers.max(1);
        self.settlers
    }

    /// A number that grows with each addition, and else only where iterations end (`show`). An addition is a change and a member
    /// more, a removal a change and a member less; so nothing need be counted beside them.
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn additions(&self) -> u32 {
        (self.member_changes() as u32).wrapping_add(self.count()).wrapping_sub(self.correction)
    }

    /// What the place behind the end says, where the next one goes: maybe who left it.
    pub(super) fn word_behind(&self) -> Option<Handle> {
        let says = self.is_iterated() && self.gaps == 0 && self.len < self.packed.capacity();
        says.then(|| self.packed.entity(self.len))
    }

    /// Lets `additions` be what it was before a change that added nobody.
    pub(super) fn correct(&mut self, additions: u32) {
        self.correction = self.correction.wrapping_add(self.additions().wrapping_sub(additions));
    }

    /// How many moves were kept, and a number that tells whether anybody was added.
    #[must_use]
    pub fn log(&self) -> u64 {
        u64::from(self.moved) << 32 | u64::from(self.additions())
    }

    /// Whether `settle` knows all moves since the log was such: if they are still kept, or nobody was added
    /// in their place.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn knows_moves_since(&self, log: u64) -> bool {
        self.moved.wrapping_sub((log >> 32) as u32) as usize <= MOVES || self.additions() == log as u32
    }

    /// Whether `settle` knows all moves since the log was such, where groups swapped elements: that leaves
    /// no note at a position.
    #[must_use]
    pub const fn knows_swaps_since(&self, log: u64) -> bool {
        #[allow(clippy::cast_possible_truncation)]
        let before = (log >> 32) as u32;
        self.moved.wrapping_sub(before) as usize <= MOVES
    }

    /// Whether the entity at a position was added, and whether it was moved there, after change `era`.
    pub fn placed_since(&self, position: u32, era: u64, settler: u32) -> Result<(bool, bool), Error> {
        let index = L::index(self.entity(position));
        let lost = Error::new(Kind::Changed).about(self.id);
        self.sparse.page(index).placed_since(index, era, settler).ok_or(lost)
    }

    /// Gives back what isn't used.
    pub fn shrink(&mut self, memory: &mut Memory) {
        self.sparse.shrink(memory);
        self.packed.shrink(memory, self.len);
        self.disabled.shrink(memory);
        for listeners in &mut self.listeners {
            listeners.shrink(memory);
        }
        self.find_tail();
        self.end_iterations_in_order();
    }

    /// Gives back everything. Nobody is in it any more.
    pub fn free(&mut self, memory: &mut Memory) {
        if let Some(at) = self.singleton.take() {
            self.unstage(memory, at, 1);
        }
        self.free_claims(memory);
        self.free_spare(memory);
        self.sparse.free(memory);
        self.packed.shrink(memory, 0);
        (self.len, self.gaps) = (0, 0);
        self.find_tail();
        self.name.free(memory);
        self.disabled.free(memory);
        for listeners in &mut self.listeners {
            listeners.free(memory);
        }
    }
}
