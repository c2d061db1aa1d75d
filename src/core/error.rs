//! The one error type of the core: a kind, and a few integers that name the culprit. No text and no
//! allocation; sentences are made where they are asked for (`ffi::message`).

/// What went wrong. Each is one status of the C header, which documents them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[repr(u16)]
pub enum Kind {
    NullPointer,
    WorldNull,
    WorldDead,
    WorldUnknown,
    WorldBroken,
    TooManyWorlds,
    NullEntity,
    Tombstone,
    Dead,
    NeverCreated,
    WrongWorld,
    Retired,
    Role,
    IsComponent,
    NotComponent,
    Duplicate,
    Occupied,
    Reserved,
    Size,
    Tag,
    Alignment,
    Shape,
    Name,
    Held,
    Builtin,
    NotElement,
    HookFailed,
    InHook,
    Listener,
    Policy,
    Group,
    Grouped,
    Owned,
    NotTerm,
    OutOfMemory,
    Budget,
    Full,
    Exhausted,
    Count,
    DescSize,
    DescTail,
    Enum,
    Range,
    Iter,
    Changed,
    Allocator,
    Query,
    QueryLost,
    NoTerm,
    Order,
    Syntax,
    Level,
    NotKept,
    NotSingle,
    NoPair,
    PairHeld,
    Cycle,
    Traits,
    Deep,
    Sibling,
    NoParent,
    NameTaken,
    NotHeld,
    Inherited,
}

/// What is meant by the number of an entry. No `enum`: its values that mean nothing would tell a result from an error, which
/// `Kind` is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entries(u16);

impl Entries {
    /// Nothing: there is no entry.
    pub const NONE: Self = Self(0);
    /// A query's text: a character, from 1.
    pub const TEXT: Self = Self(1);
    /// The terms of a query: from 0, as those below.
    pub const TERMS: Self = Self(2);
    /// The entities of a call.
    pub const ENTITIES: Self = Self(3);
    /// The columns of a call.
    pub const COLUMNS: Self = Self(4);
    /// The components of a group that it owns.
    pub const OWNED: Self = Self(5);
    /// Those that it includes.
    pub const INCLUDED: Self = Self(6);
    /// Those that it excludes.
    pub const EXCLUDED: Self = Self(7);

    /// What C calls the array.
    #[must_use]
    pub fn name(self) -> &'static str {
        let names = ["terms", "entities", "columns", "owned", "included", "excluded"];
        names.get(usize::from(self.0).wrapping_sub(2)).copied().unwrap_or_default()
    }
}

/// An error: what, about whom, and the numbers that a sentence about it needs. In this order nothing is left between the fields,
/// and the kind, by which a result is told from an error, comes last: so an error that is handed on is copied in few pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Error {
    /// The culprit: a handle, an id, a size; what it is follows from the kind.
    pub subject: u64,
    /// Two more numbers, e.g. what was expected.
    pub detail: [u64; 2],
    /// The parameter or field, where that is the culprit.
    pub name: &'static str,
    /// Which of several is at fault.
    pub entry: u32,
    /// Of what.
    pub of: Entries,
    /// What went wrong.
    pub kind: Kind,
}

impl Error {
    /// A value that isn't from `least` to `most`.
    #[must_use]
    #[cold]
    pub const fn range(name: &'static str, value: u64, least: u64, most: u64) -> Self {
        Self::new(Kind::Range).about(value).with(least, most).named(name)
    }

    /// A value that is out of range for a reason that a sentence tells; about an id, if one is added.
    #[must_use]
    #[cold]
    pub const fn unfit(sentence: &'static str) -> Self {
        Self::range(sentence, 0, 1, 0)
    }

    /// A count, which may be `most` at most; 0: that isn't known.
    #[must_use]
    #[cold]
    pub const fn count(name: &'static str, count: u64, most: u64) -> Self {
        Self::new(Kind::Count).about(count).with(most, 0).named(name)
    }

    /// An error about nothing in particular.
    #[must_use]
    #[cold]
    pub const fn new(kind: Kind) -> Self {
        Self { kind, of: Entries::NONE, entry: 0, subject: 0, detail: [0; 2], name: "" }
    }

    /// Names the culprit.
    #[must_use]
    pub const fn about(mut self, subject: u64) -> Self {
        self.subject = subject;
        self
    }

    /// Adds numbers.
    #[must_use]
    pub const fn with(mut self, first: u64, second: u64) -> Self {
        self.detail = [first, second];
        self
    }

    /// Adds which of several is at fault.
    #[must_use]
    pub const fn at(mut self, of: Entries, entry: u32) -> Self {
        (self.of, self.entry) = (of, entry);
        self
    }

    /// Names the parameter.
    #[must_use]
    pub const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }
}
