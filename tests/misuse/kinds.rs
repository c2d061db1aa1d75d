//! What can be wrong with a parameter, by its kind: the rows of the table.

use crate::common::calls::{Call, Kind};
use crate::common::print_form;
use crate::common::stage::{MOST, Stage};
use crate::{pairs, queries, tree};
use denizen::ffi::entity::dz_entity_make;
use denizen::ffi::types::dz_status::{self, *};
use denizen::ffi::types::*;
use denizen::ffi::world::dz_world_number;

/// What should come of a misuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// That error, and a message that names the culprit; the world is as it was.
    Error(dz_status),
    /// That answer, and no error; the world is as it was.
    Answer(dz_status),
    /// "No", and no error; the world is as it was.
    No,
    /// It is no misuse: no error, the world is as it was.
    Quiet,
    /// It is no misuse, and something is done.
    Done,
}

/// One row.
pub struct Misuse {
    pub label: String,
    /// Arguments that replace good ones, by their places.
    pub replace: Vec<(usize, u64)>,
    pub expect: Expect,
    /// What the message must contain.
    pub culprits: Vec<String>,
    /// What the arguments point to.
    pub _keep: Vec<Vec<u64>>,
}

/// A handle that is wrong, and what is wrong with it.
#[derive(Clone)]
pub struct Wrong {
    pub label: &'static str,
    pub handle: u64,
    pub status: dz_status,
    pub culprits: Vec<String>,
}

pub fn wrong(label: &'static str, handle: u64, status: dz_status) -> Wrong {
    let name = if handle == 0 { "DZ_NULL".into() } else { print_form(handle) };
    Wrong { label, handle, status, culprits: vec![name] }
}

/// A handle of the stage's world from parts.
pub fn handle(stage: &Stage, index: u32, generation: u32) -> u64 {
    let wide = stage.layout == dz_layout::DZ_LAYOUT_64;
    dz_entity_make(if wide { dz_world_number(stage.world) } else { 0 }, index, generation)
}

/// The index in a handle of the stage's world.
pub fn index(stage: &Stage, handle: u64) -> u32 {
    if stage.layout == dz_layout::DZ_LAYOUT_64 { handle as u32 } else { handle as u32 & 0xF_FFFF }
}

fn next_generation(stage: &Stage, handle: u64) -> u64 {
    handle + if stage.layout == dz_layout::DZ_LAYOUT_64 { 1 << 32 } else { 1 << 20 }
}

/// Handles that no call takes (M41, M42, M59 to M63, M67), whoever is meant.
pub fn nobody(stage: &Stage) -> Vec<Wrong> {
    let [a, ..] = stage.abc;
    let wide = stage.layout == dz_layout::DZ_LAYOUT_64;
    let at = |index, generation| handle(stage, index, generation);
    let mut all = vec![
        wrong("null", 0, DZ_ERR_NULL_ENTITY),
        wrong("null index", at(u32::MAX, 1), DZ_ERR_NULL_ENTITY),
        wrong("tombstone", at(index(stage, a), u32::MAX), DZ_ERR_TOMBSTONE),
        wrong("generation 0", at(index(stage, a), 0), DZ_ERR_NEVER_CREATED),
        wrong("another layout's", stage.bad.other_layout, DZ_ERR_WRONG_WORLD),
        wrong("lowest role bit", a | 1 << 56, DZ_ERR_ROLE),
        wrong("highest role bit", a | 1 << 63, DZ_ERR_ROLE),
        wrong("all ones", u64::MAX, DZ_ERR_ROLE),
        wrong("retired", stage.bad.retired, DZ_ERR_RETIRED),
        wrong("stale", stage.bad.stale, DZ_ERR_DEAD),
    ];
    if wide {
        // M63: both the entity and the world are named.
        let mut foreign = wrong("foreign", stage.bad.foreign, DZ_ERR_WRONG_WORLD);
        foreign.culprits.push(format!("W:{}", dz_world_number(stage.world)));
        all.push(foreign);
        all.push(wrong("without a world", a & !(0xFF << 48), DZ_ERR_WRONG_WORLD));
    } else {
        all.push(wrong("garbage in the upper half", a | 1 << 40, DZ_ERR_NEVER_CREATED));
    }
    all
}

/// Handles that nobody has who lives, beyond `nobody`.
pub fn dead(stage: &Stage) -> Vec<Wrong> {
    let at = |index, generation| handle(stage, index, generation);
    let mut all = nobody(stage);
    all.extend([
        wrong("stale, and its slot has another owner", stage.bad.recycled, DZ_ERR_DEAD),
        wrong("from the future", next_generation(stage, stage.abc[0]), DZ_ERR_NEVER_CREATED),
        wrong("the next of a dead slot", next_generation(stage, stage.bad.stale), DZ_ERR_NEVER_CREATED),
        wrong("beyond all slots", at(MOST + 1000, 1), DZ_ERR_NEVER_CREATED),
        wrong("a component's slot that was never used", at(200, 1), DZ_ERR_NEVER_CREATED),
    ]);
    all
}

pub fn named(label: &'static str, handle: u64, status: dz_status, name: &str) -> Wrong {
    Wrong { label, handle, status, culprits: vec![print_form(handle), format!("\"{name}\"")] }
}

fn components_where_plain(stage: &Stage, destroys: bool) -> Vec<Wrong> {
    if destroys {
        return vec![
            named("a component that is held", stage.position, DZ_ERR_HELD, "Position"),
            named("a component that nobody has", stage.idle, DZ_ERR_IS_COMPONENT, "Idle"),
            named("a built-in component", stage.builtin, DZ_ERR_BUILTIN, "Component"),
        ];
    }
    vec![
        named("a component", stage.position, DZ_ERR_IS_COMPONENT, "Position"),
        named("a built-in component", stage.builtin, DZ_ERR_IS_COMPONENT, "Component"),
    ]
}

/// Who can't be created under exactly this handle.
fn not_free(stage: &Stage) -> Vec<Wrong> {
    let mut all = nobody(stage);
    all.extend([
        wrong("occupied", stage.abc[0], DZ_ERR_OCCUPIED),
        wrong("occupied by a later generation", stage.bad.recycled, DZ_ERR_OCCUPIED),
        wrong("a component", stage.position, DZ_ERR_RESERVED),
        wrong("reserved for components", handle(stage, 255, 1), DZ_ERR_RESERVED),
        wrong("beyond the world's largest number", handle(stage, MOST, 1), DZ_ERR_FULL),
    ]);
    all
}

fn ids(stage: &Stage, kind: Kind) -> Vec<Wrong> {
    let mut all = dead(stage);
    all.push(wrong("a plain entity", stage.bare, DZ_ERR_NOT_COMPONENT));
    all.push(wrong("an unregistered component", stage.bad.unregistered, DZ_ERR_DEAD));
    all.push(wrong("a pair", stage.data_pair, DZ_ERR_ROLE));
    if matches!(kind, Kind::Part | Kind::Data | Kind::Stable | Kind::Sorted) {
        all.push(named("a built-in component", stage.builtin, DZ_ERR_BUILTIN, "Component"));
    }
    if matches!(kind, Kind::Data | Kind::DataRead) {
        all.push(named("a tag", stage.tag, DZ_ERR_TAG, "Frozen"));
    }
    if kind == Kind::Stable {
        all.push(named("a swap component", stage.position, DZ_ERR_POLICY, "Position"));
    }
    if kind == Kind::Sorted {
        all.push(named("a stable component", stage.body, DZ_ERR_POLICY, "Body"));
        let mut owned = named("a component that a group owns", stage.tag, DZ_ERR_OWNED, "Frozen");
        owned.culprits.push(format!("G:{}", stage.group.bits));
        all.push(owned);
    }
    if kind == Kind::Term {
        all.retain(|wrong| wrong.handle != 0);
        for (label, id, name) in [
            ("a built-in component", stage.builtin, "Component"),
            ("a component that the group doesn't ask for", stage.position, "Position"),
            ("a component that the group excludes", stage.idle, "Idle"),
        ] {
            let mut other = named(label, id, DZ_ERR_NOT_TERM, name);
            other.culprits.push(format!("G:{}", stage.group.bits));
            all.push(other);
        }
    }
    all
}

/// The handles that are wrong for a parameter that is one, or is an array of them.
pub fn handles(stage: &Stage, call: &Call, kind: Kind) -> Vec<Wrong> {
    match kind {
        Kind::Plain | Kind::Plains | Kind::Doomed => {
            let mut all = dead(stage);
            all.extend(components_where_plain(stage, call.name.starts_with("dz_destroy")));
            all
        }
        Kind::Entity | Kind::Entities | Kind::EntityTested | Kind::EntityParts => dead(stage),
        Kind::Unborn | Kind::Unborns => not_free(stage),
        _ => ids(stage, kind),
    }
}

/// A row of one argument.
pub fn row(label: impl Into<String>, at: usize, value: u64, expect: Expect, culprit: &str) -> Misuse {
    let culprits = if culprit.is_empty() { vec![] } else { vec![culprit.to_owned()] };
    Misuse { label: label.into(), replace: vec![(at, value)], expect, culprits, _keep: vec![] }
}

fn address(kept: &[u64]) -> u64 {
    kept.as_ptr().expose_provenance() as u64
}

/// A row whose argument points to something.
pub fn pointing(
    label: impl Into<String>,
    at: usize,
    kept: Vec<u64>,
    status: dz_status,
    culprits: Vec<String>,
) -> Misuse {
    let replace = vec![(at, address(&kept))];
    Misuse { label: label.into(), replace, expect: Expect::Error(status), culprits, _keep: vec![kept] }
}

fn arrays(stage: &Stage, call: &Call, at: usize, kind: Kind) -> Vec<Misuse> {
    let (name, _) = call.params[at];
    let good = if kind == Kind::Unborns { stage.room.unborn } else { stage.room.entities };
    let mut all = vec![row("NULL", at, 0, Expect::Error(DZ_ERR_NULL_POINTER), name)];
    for bad in handles(stage, call, kind) {
        for place in [0, 2] {
            let mut entries = good.to_vec();
            entries[place] = bad.handle;
            let label = format!("entry {place} is {}", bad.label);
            all.push(pointing(label, at, entries, bad.status, bad.culprits.clone()));
        }
    }
    if kind == Kind::Entities {
        return all;
    }
    let twice = |label: &str, entries: [u64; 3], status, culprit: u64| {
        pointing(label, at, entries.to_vec(), status, vec![print_form(culprit)])
    };
    let [a, b, c, _] = good;
    all.push(twice("duplicates", [a, b, a], DZ_ERR_DUPLICATE, a));
    all.push(twice("neighbouring duplicates", [b, b, c], DZ_ERR_DUPLICATE, b));
    if kind == Kind::Unborns {
        let later = next_generation(stage, c);
        let mut both = twice("two generations of one slot", [a, c, later], DZ_ERR_DUPLICATE, c);
        both.culprits = vec![format!("{}[", print_form(c).split_once('[').map_or("", |(slot, _)| slot))];
        all.push(both);
        return all;
    }
    // Those seen are remembered by their slots: another handle of the same slot is its own error.
    let owner = stage.bare;
    let slot = index(stage, owner);
    let others = [
        ("a stale handle beside its slot's owner", stage.bad.recycled, DZ_ERR_DEAD),
        ("a tombstone beside its slot's owner", handle(stage, slot, u32::MAX), DZ_ERR_TOMBSTONE),
        ("a future handle beside its slot's owner", next_generation(stage, owner), DZ_ERR_NEVER_CREATED),
        ("role bits beside the same without", owner | 1 << 60, DZ_ERR_ROLE),
    ];
    for (label, other, status) in others {
        all.push(twice(label, [a, owner, other], status, other));
        all.push(twice(label, [other, owner, a], status, other));
    }
    all
}

fn worlds(stage: &Stage, at: usize) -> Vec<Misuse> {
    let bits = u64::from(stage.world.bits);
    let number = dz_world_number(stage.world);
    let dead = stage.bad.dead_world.bits;
    let unknown = Expect::Error(DZ_ERR_WORLD_UNKNOWN);
    vec![
        row("the null world", at, 0, Expect::Error(DZ_ERR_WORLD_NULL), "{0}"),
        row(
            "a dead world",
            at,
            dead.into(),
            Expect::Error(DZ_ERR_WORLD_DEAD),
            &format!("W:{}", dead & 0xFFF),
        ),
        row("a world of the future", at, bits | 0xFFFF_F000, unknown, &format!("W:{number}")),
        row("a world of generation 0", at, bits & 0xFFF, unknown, &format!("W:{number}")),
        row("world number 0", at, 0x1000, unknown, "W:0"),
    ]
}

/// Numbers of another kind of error or answer.
fn numbers(call: &Call, at: usize, kind: Kind) -> Vec<Misuse> {
    let (name, _) = call.params[at];
    let array = call.params.iter().position(|(_, kind)| {
        matches!(
            kind,
            Kind::Plains | Kind::Doomed | Kind::Entities | Kind::Unborns | Kind::OutRoom | Kind::OutOptional
        )
    });
    let error = |label: &str, value: u64, status| row(label, at, value, Expect::Error(status), name);
    match kind {
        Kind::N | Kind::NMade | Kind::NDifferent => {
            let mut none = row("none, and no array", at, 0, Expect::Answer(DZ_NOTHING_TO_DO), "");
            none.replace.extend(array.map(|array| (array, 0)));
            let mut all = vec![row("none", at, 0, Expect::Answer(DZ_NOTHING_TO_DO), ""), none];
            let most = u64::from(u32::MAX);
            match kind {
                Kind::NMade => all.extend([
                    row("more than can be", at, most, Expect::Error(DZ_ERR_FULL), &MOST.to_string()),
                    row(
                        "one more than can be",
                        at,
                        MOST.into(),
                        Expect::Error(DZ_ERR_FULL),
                        &MOST.to_string(),
                    ),
                ]),
                // The array ends with a null handle, at which a check in order would stop.
                Kind::NDifferent => all.push(error("more than can be", most, DZ_ERR_COUNT)),
                _ => {}
            }
            if kind == Kind::NMade
                && let Some(array) = array
            {
                let mut unasked =
                    row("more than can be, handles not wanted", at, most, Expect::Error(DZ_ERR_FULL), "");
                unasked.replace.push((array, 0));
                all.push(unasked);
            }
            all
        }
        Kind::Reserve => vec![
            error("more than can be", u32::MAX.into(), DZ_ERR_COUNT),
            error("just too many", MOST.into(), DZ_ERR_COUNT),
        ],
        Kind::Room => {
            let mut none = row("no room, and no array", at, 0, Expect::Quiet, "");
            none.replace.extend(array.map(|array| (array, 0)));
            vec![row("no room", at, 0, Expect::Quiet, ""), none]
        }
        Kind::RoomSome => vec![row("no room", at, 0, Expect::Answer(DZ_NOTHING_TO_DO), "")],
        Kind::ColumnCount => vec![row("no columns", at, 0, Expect::Done, "")],
        Kind::Size => [0_u32, 7, 9, u32::MAX]
            .map(|size| {
                let mut one =
                    row(format!("{size}"), at, size.into(), Expect::Error(DZ_ERR_SIZE), "\"Position\"");
                one.culprits.push(format!("size 8, not {size}"));
                one
            })
            .into(),
        Kind::Direction | Kind::Event | Kind::Mode => {
            [-1, if kind == Kind::Event { 5 } else { 2 }, 99, i32::MIN, i32::MAX]
                .map(|value: i32| {
                    let mut one = error(&value.to_string(), value as u32 as u64, DZ_ERR_ENUM);
                    one.culprits.push(value.to_string());
                    one
                })
                .into()
        }
        _ => [0, 1, 99, u32::MAX]
            .map(|value: u32| row(format!("{value}"), at, value.into(), Expect::Quiet, ""))
            .into(),
    }
}

fn elements(stage: &Stage, at: usize, name: &str) -> Vec<Misuse> {
    let element = |entity, id| denizen::ffi::access::dz_get(stage.world, entity, id) as u64;
    let [a, _, c] = stage.abc;
    let wrong = |label, value: u64| {
        let mut one = row(label, at, value, Expect::Error(DZ_ERR_NOT_ELEMENT), &format!("{value:#x}"));
        one.culprits.push("\"Position\"".into());
        one
    };
    vec![
        row("NULL", at, 0, Expect::Error(DZ_ERR_NULL_POINTER), name),
        wrong("the middle of an element", element(a, stage.position) + 4),
        wrong("behind the last element", element(c, stage.position) + 8),
        wrong("before the first element", element(a, stage.position) - 8),
        wrong("another pool's element", element(a, stage.body)),
        wrong("no element at all", stage.room.values.as_ptr() as u64),
        wrong("the last address", u64::MAX),
    ]
}

/// Bytes that end with a zero, as words.
pub fn words(bytes: &[u8]) -> Vec<u64> {
    let mut kept = vec![0_u64; bytes.len() / 8 + 1];
    let flat: &mut [u8] = unsafe { std::slice::from_raw_parts_mut(kept.as_mut_ptr().cast(), kept.len() * 8) };
    flat[..bytes.len()].copy_from_slice(bytes);
    kept
}

fn names(at: usize, name: &str) -> Vec<Misuse> {
    let bad = |label: &str, text: &[u8]| pointing(label, at, words(text), DZ_ERR_NAME, vec![name.to_owned()]);
    let mut unknown = bad("unknown", b"Nobody");
    unknown.expect = Expect::No;
    unknown.culprits.clear();
    let mut longest = bad("unknown, and as long as can be", &[b'x'; 255]);
    longest.expect = Expect::No;
    longest.culprits.clear();
    vec![
        row("NULL", at, 0, Expect::Error(DZ_ERR_NULL_POINTER), name),
        bad("empty", b""),
        bad("too long", &[b'x'; 256]),
        bad("not UTF-8", b"caf\xE9"),
        unknown,
        longest,
    ]
}

/// Wrong iterators; `good` is a right one.
pub fn iterators(good: &dz_iter, stage: &Stage, at: usize, name: &str) -> Vec<Misuse> {
    let words = size_of::<dz_iter>() / 8;
    let mut dead: dz_iter = *good;
    dead.world = stage.bad.dead_world;
    let copy = unsafe { std::slice::from_raw_parts((&raw const dead).cast::<u64>(), words) }.to_vec();
    let gone = format!("W:{}", stage.bad.dead_world.bits & 0xFFF);
    vec![
        row("NULL", at, 0, Expect::Error(DZ_ERR_NULL_POINTER), name),
        pointing("all zero", at, vec![0; words], DZ_ERR_ITER, vec!["dz_iter".into()]),
        pointing("garbage", at, vec![0xA5A5_A5A5_A5A5_A5A5; words], DZ_ERR_ITER, vec!["dz_iter".into()]),
        pointing("of a dead world", at, copy, DZ_ERR_WORLD_DEAD, vec![gone]),
    ]
}

/// All rows of a parameter.
pub fn misuses(stage: &Stage, call: &Call, at: usize) -> Vec<Misuse> {
    let (name, kind) = call.params[at];
    let of_handle = |wrong: Wrong, expect: Option<Expect>| Misuse {
        label: wrong.label.into(),
        replace: vec![(at, wrong.handle)],
        expect: expect.unwrap_or(Expect::Error(wrong.status)),
        culprits: if expect.is_some() { vec![] } else { wrong.culprits },
        _keep: vec![],
    };
    let all_handles = |expect: Option<Expect>| {
        handles(stage, call, kind).into_iter().map(|w| of_handle(w, expect)).collect()
    };
    let null = |expect| vec![row("NULL", at, 0, expect, if expect == Expect::Done { "" } else { name })];
    match kind {
        Kind::World => worlds(stage, at),
        Kind::WorldTested => {
            let tested = |misuse: Misuse| Misuse { expect: Expect::No, culprits: vec![], ..misuse };
            worlds(stage, at).into_iter().map(tested).collect()
        }
        Kind::WorldHint => {
            let fine = |misuse: Misuse| Misuse { expect: Expect::Quiet, culprits: vec![], ..misuse };
            worlds(stage, at).into_iter().map(fine).collect()
        }
        Kind::EntityTested => all_handles(Some(Expect::No)),
        Kind::EntityParts => all_handles(Some(Expect::Quiet)),
        Kind::Plain | Kind::Entity | Kind::Unborn | Kind::PartRead | Kind::Part | Kind::DataRead => {
            all_handles(None)
        }
        Kind::Data | Kind::Stable | Kind::Sorted | Kind::Listened => all_handles(None),
        Kind::Term => {
            let mut all: Vec<_> = all_handles(None);
            all.push(row("none", at, 0, Expect::Quiet, ""));
            all
        }
        Kind::Plains | Kind::Doomed | Kind::Entities | Kind::Unborns => arrays(stage, call, at, kind),
        Kind::N | Kind::NMade | Kind::NDifferent | Kind::Reserve | Kind::Room | Kind::RoomSome => {
            numbers(call, at, kind)
        }
        Kind::ColumnCount | Kind::Size | Kind::Direction | Kind::Event | Kind::Mode | Kind::Number => {
            numbers(call, at, kind)
        }
        Kind::Index => {
            let out = Expect::Error(DZ_ERR_RANGE);
            let retired = index(stage, stage.bad.retired);
            vec![
                row("beyond all slots", at, 100_000, out, "100000"),
                row("the null index", at, u32::MAX.into(), out, &u32::MAX.to_string()),
                row("retired", at, retired.into(), Expect::Error(DZ_ERR_RETIRED), &retired.to_string()),
            ]
        }
        Kind::Any | Kind::AnyRead | Kind::AnyData | Kind::AnyDataRead => pairs::any(stage, call, at, kind),
        Kind::Relation | Kind::RelationData | Kind::RelationIdle | Kind::Target => {
            pairs::halves(stage, at, kind)
        }
        Kind::Pair | Kind::Held => pairs::held(stage, at, kind),
        Kind::RelationDesc => null(Expect::Error(DZ_ERR_NULL_POINTER)),
        Kind::Parent | Kind::Sibling | Kind::After | Kind::Above | Kind::Place | Kind::TreeOrder => {
            tree::misuses(stage, call, at, kind)
        }
        Kind::EntityName | Kind::Path | Kind::Separator | Kind::Flag | Kind::Owned => {
            tree::misuses(stage, call, at, kind)
        }
        Kind::Columns | Kind::Out | Kind::OutRoom | Kind::Value | Kind::Function | Kind::ComponentDesc => {
            null(Expect::Error(DZ_ERR_NULL_POINTER))
        }
        Kind::Compare | Kind::GroupDesc => null(Expect::Error(DZ_ERR_NULL_POINTER)),
        Kind::OutOptional | Kind::WorldDesc | Kind::User => null(Expect::Done),
        Kind::Element => elements(stage, at, name),
        Kind::Name => names(at, name),
        Kind::Listener => {
            let bad = |label, bits: u32| {
                row(label, at, bits.into(), Expect::Error(DZ_ERR_LISTENER), &format!("{bits}"))
            };
            vec![
                bad("null", 0),
                bad("disconnected", stage.bad.gone_listener.bits),
                bad("never connected", 0x7FFF_FFFF),
                bad("another world's", stage.bad.foreign_listener.bits),
            ]
        }
        Kind::BatchIter => {
            let mut all = iterators(&stage.room.batch, stage, at, name);
            let words = size_of::<dz_iter>() / 8;
            let pool = (&raw const stage.room.iter).cast::<u64>();
            let copy = unsafe { std::slice::from_raw_parts(pool, words) }.to_vec();
            all.push(pointing(
                "of a pool",
                at,
                copy,
                DZ_ERR_ITER,
                vec!["is of a pool or of a group, not of a query".into()],
            ));
            all
        }
        Kind::InBatch => [99, u32::MAX]
            .map(|value: u32| row(format!("{value}"), at, value.into(), Expect::Error(DZ_ERR_RANGE), name))
            .into(),
        Kind::Iter => iterators(&stage.room.iter, stage, at, name),
        Kind::QueryIter => queries::iterators(stage, at, name),
        Kind::Query | Kind::QueryRead | Kind::Kept => queries::handles(stage, at, kind),
        Kind::QueryDesc | Kind::BatchFunction => null(Expect::Error(DZ_ERR_NULL_POINTER)),
        Kind::Accessor => queries::accessors(stage, call, at, name),
        Kind::QueryText => queries::texts(at, name),
        Kind::PartNumber | Kind::Parts => queries::parts(at, kind),
        Kind::Group => {
            let bad = |label, bits: u32, culprit: &str| {
                row(label, at, bits.into(), Expect::Error(DZ_ERR_GROUP), culprit)
            };
            let named = |bits: u32, rest: &str| format!("G:{bits} {rest}");
            let (gone, foreign) = (stage.bad.gone_group.bits, stage.bad.foreign_group.bits);
            vec![
                bad("null", 0, "{0}"),
                bad("destroyed", gone, &named(gone, "is not this world's, or no longer")),
                bad("never created", 0x7FFF_FFFF, &named(0x7FFF_FFFF, "was never created")),
                bad("another world's", foreign, &named(foreign, "is not this world's, or no longer")),
                bad("a listener's number", stage.listener.bits, &format!("G:{}", stage.listener.bits)),
            ]
        }
    }
}
