//! The sentences about errors, made when they are asked for; and the log, which gets each at once.

use super::record::{self, Record};
use super::table;
use super::text::{Text, whole};
use super::types::{dz_status, dz_world};
use crate::core::error::{Entries, Error, Kind};
use crate::core::ids::{describe, role, role_of, without_role};
use crate::core::query::text::told;
use core::cell::UnsafeCell;
use core::ffi::c_char;

thread_local! {
    static MESSAGE: UnsafeCell<Text> = const { UnsafeCell::new(Text::new()) };
}

/// Keeps an error, and tells the world's log.
#[cold]
pub fn fail(function: &'static str, world: dz_world, error: &Error) -> dz_status {
    let status = record::keep(function, world, error);
    if let Some((log, user)) = table::log(world) {
        let text = text(&record::last());
        // SAFETY: what was given as a dz_log_fn, with its user data.
        unsafe {
            let log: unsafe extern "C" fn(dz_status, *const c_char, *mut core::ffi::c_void) =
                core::mem::transmute(log);
            log(status, text.with_zero().as_ptr().cast(), user.cast());
        }
    }
    status
}

/// The sentence about the thread's last error.
pub fn last_message() -> *const c_char {
    let text = text(&record::last());
    MESSAGE.with(|place| {
        // SAFETY: the place is this thread's own, and nothing else borrows it.
        let kept = unsafe { &mut *place.get() };
        *kept = text;
        kept.with_zero().as_ptr().cast()
    })
}

fn text(record: &Record) -> Text {
    let mut text = Text::new();
    if record.status != dz_status::DZ_OK {
        text.add(format_args!("{}: ", record.function));
        let Error { of, entry, .. } = record.error;
        match of {
            Entries::NONE => {}
            Entries::TEXT => text.add(format_args!("column {entry}: ")),
            _ => text.add(format_args!("{}[{entry}]: ", of.name())),
        }
        sentence(&mut text, record);
    }
    text
}

/// "component "Position" (E:1-3[1])"; where no name is known, "id E:1-3[1]", or "pair 0x300...": it may be no component.
fn component(text: &mut Text, record: &Record) {
    let is_pair = role_of(record.component_id()) == role::PAIR;
    match record.component() {
        Some(_) => named(text, record, "component "),
        None => named(text, record, if is_pair { "" } else { "id " }),
    }
}

fn named(text: &mut Text, record: &Record, noun: &str) {
    text.add(format_args!("{noun}"));
    let id = record.component_id();
    if let Some(name) = record.component() {
        text.add(format_args!("\"{name}{}\" (", record.more()));
        text.entity(id);
        text.add(format_args!(")"));
    } else {
        text.entity(id);
    }
}

/// A shape as `World::find_same` packs it.
fn shape(text: &mut Text, packed: u64) {
    let (size, align) = (packed & 0xFFFF_FFFF, packed >> 32 & 0x7FFF_FFFF);
    let policy = if packed >> 63 == 1 { "stable" } else { "swap" };
    text.add(format_args!("size {size}, alignment {align}, policy {policy}"));
}

/// The cycle that a pair would close.
fn cycle(text: &mut Text, record: &Record) {
    let Error { subject, detail: [target, relation], .. } = record.error;
    text.entity(subject);
    text.add(format_args!(
        " can't be {} ",
        match role_of(relation) {
            _ if relation == 0 => "a child of",
            role::INSTANCEOF => "an instance of",
            _ => "linked to",
        }
    ));
    text.entity(target);
    if relation != 0 && role_of(relation) == 0 {
        text.add(format_args!(" by relation "));
        text.entity(relation);
    }
    text.add(format_args!(", it would come back to itself"));
    if record.cycle().is_empty() {
        return text.add(format_args!(" after more links than are written here"));
    }
    text.add(format_args!(": "));
    text.entity(subject);
    for entity in record.cycle() {
        text.add(format_args!(" > "));
        text.entity(*entity);
    }
    if record.cycle_len > record.cycle().len() {
        text.add(format_args!(" > ... ({} in all)", record.cycle_len));
    }
}

/// The sentence about an error, after "function: ".
fn sentence(text: &mut Text, record: &Record) {
    let error = &record.error;
    let (subject, [a, b], what) = (error.subject, error.detail, error.name);
    let world = |text: &mut Text, rest: &str| {
        text.add(format_args!("world W:{} (handle {subject:#x}) {rest}", subject & 0xFFF));
    };
    let subject_as = |text: &mut Text, noun: &str, rest: core::fmt::Arguments| {
        text.add(format_args!("{noun} "));
        text.entity(subject);
        text.add(format_args!(" {rest}"));
    };
    let entity = |text: &mut Text, rest: core::fmt::Arguments| subject_as(text, "entity", rest);
    // What a handle was meant as: of the entity of a call nothing is said.
    let noun = if what.is_empty() { "entity" } else { what };
    let whoever = |text: &mut Text, rest: core::fmt::Arguments| subject_as(text, noun, rest);
    match error.kind {
        Kind::NullPointer => text.add(format_args!("{what} is NULL")),
        Kind::WorldNull => text.add(format_args!("the world is {{0}}, which is no world")),
        Kind::WorldDead => world(text, "was destroyed"),
        Kind::WorldUnknown => world(text, "was never created"),
        Kind::WorldBroken => world(text, "met a bug of the library and takes no more calls"),
        Kind::TooManyWorlds => {
            text.add(format_args!("all {subject} world numbers of that layout are in use"))
        }
        Kind::NullEntity if without_role(subject) == 0 => text.add(format_args!("the {noun} is DZ_NULL")),
        Kind::NullEntity => whoever(text, format_args!("has the null index, which nobody has")),
        Kind::Tombstone => whoever(text, format_args!("has the tombstone generation, which nobody has")),
        Kind::Dead => whoever(text, format_args!("is dead: its slot is now at generation {a}")),
        Kind::NeverCreated if describe(without_role(subject)).generation == 0 => {
            whoever(text, format_args!("has generation 0, which nobody has"))
        }
        Kind::NeverCreated => whoever(text, format_args!("was never created")),
        Kind::WrongWorld if subject >> 32 == 0 => {
            whoever(text, format_args!("has no world: it is an index, or a handle of the 32-bit layout"))
        }
        Kind::WrongWorld => {
            whoever(text, format_args!("does not belong to world W:{}", record.world & 0xFFF))
        }
        Kind::Retired => {
            whoever(text, format_args!("is dead, and its slot is retired: all its generations are used up"))
        }
        Kind::Role if what == "id" => {
            let own = if role_of(subject) < role::USER { ": a program's own are 128 to 255" } else { "" };
            whoever(text, format_args!("has a role that means nothing here{own}"));
        }
        Kind::Role => whoever(text, format_args!("has role bits where a plain handle is meant")),
        Kind::IsComponent => {
            component(text, record);
            text.add(format_args!(" is given where a plain entity is meant"));
        }
        Kind::NotComponent => entity(text, format_args!("is no component")),
        Kind::Duplicate if record.component().is_some() => {
            component(text, record);
            text.add(format_args!(" stands twice in {what}"));
        }
        Kind::Duplicate => entity(text, format_args!("stands twice in {what}")),
        Kind::Occupied => {
            entity(text, format_args!("can't be created: at its index lives "));
            text.entity(a);
        }
        Kind::Reserved => {
            entity(text, format_args!("has an index below {a}, which are reserved for components"))
        }
        Kind::Size => {
            component(text, record);
            text.add(format_args!(" has size {b}, not {a}"));
        }
        Kind::Tag => {
            component(text, record);
            let is_entity = record.component().is_none() && role_of(subject) == 0;
            let what = if is_entity { "an entity, and no component" } else { "a tag" };
            text.add(format_args!(" is {what}: it has no data"));
        }
        Kind::Alignment => text.add(format_args!(
            "alignment {subject} is not a power of two up to 4096 that divides the size {a}"
        )),
        Kind::Shape => {
            component(text, record);
            text.add(format_args!(" is registered with "));
            shape(text, a);
            text.add(format_args!("; it can't have "));
            shape(text, b);
        }
        Kind::Name if a == 1 => text.add(format_args!("{what} is empty")),
        Kind::Name => text.add(format_args!("{what} must be UTF-8 of 1 to 255 bytes")),
        Kind::Held => {
            component(text, record);
            let holders = if a == 1 { "entity" } else { "entities" };
            text.add(format_args!(" is held by {a} {holders}: dz_component_unregister takes it off"));
        }
        Kind::Builtin => {
            component(text, record);
            text.add(format_args!(" belongs to the library: it can only be read"));
        }
        Kind::NotElement => {
            text.add(format_args!("{a:#x} is no element of "));
            component(text, record);
        }
        Kind::HookFailed => {
            text.add(format_args!("the {what} hook failed for "));
            component(text, record);
        }
        Kind::InHook => text.add(format_args!("not allowed inside a hook, a listener or a comparison")),
        Kind::Listener => text.add(format_args!("listener {subject} is not connected")),
        Kind::Group if subject == 0 => text.add(format_args!("the group is {{0}}, which is no group")),
        Kind::Group => {
            let was = if table::was_handed_out(subject) {
                "is not this world's, or no longer"
            } else {
                "was never created"
            };
            text.add(format_args!("group G:{subject} {was}"));
        }
        Kind::Grouped => {
            component(text, record);
            text.add(format_args!(" is a term of group G:{a}, which must be destroyed first"));
        }
        Kind::Owned if b == 2 => text.add(format_args!(
            "the order of group G:{a} is kept by a sort, which dz_group_sort_release ends"
        )),
        Kind::Owned if a == 0 => {
            text.add(format_args!("the order of "));
            component(text, record);
            text.add(format_args!(" is kept by a sort, which dz_sort_release ends"));
        }
        Kind::Owned => {
            text.add(format_args!("the order of "));
            component(text, record);
            let rest = if b == 0 { "" } else { ", which is not nested with the one wanted" };
            text.add(format_args!(" belongs to group G:{a}{rest}"));
        }
        Kind::NotTerm => {
            component(text, record);
            text.add(format_args!(" is not one that the members of group G:{a} have"));
        }
        Kind::Policy if what == "order" => {
            component(text, record);
            text.add(format_args!(" has the stable policy: its elements can't be put in order"));
        }
        Kind::Policy => {
            component(text, record);
            text.add(format_args!(" has the swap policy: it has no gaps"));
        }
        Kind::OutOfMemory => text.add(format_args!("out of memory: the allocator refused {subject} bytes")),
        Kind::Budget => {
            text.add(format_args!("{subject} bytes more would exceed the budget: {a} of {b} are in use"))
        }
        Kind::Full if b != 0 => {
            text.entity(b);
            text.add(format_args!(" has an index beyond the world's largest number of slots, {subject}"));
        }
        Kind::Full => text.add(format_args!(
            "no room for {a} more: the world can have {subject} slots in all, used and reserved ones included"
        )),
        Kind::Exhausted => text
            .add(format_args!("the identifiers have run out: of {subject} slots all are in use or retired")),
        Kind::Count if a > 0 => text.add(format_args!("{what} is {subject}, but must be 0 to {a}")),
        Kind::Count => {
            let what = if what.is_empty() { "a count" } else { what };
            text.add(format_args!("{what} is {subject}, which is too large"));
        }
        Kind::DescSize => {
            text.add(format_args!("the descriptor's size is {subject}, not {a}: begin with {what}"))
        }
        Kind::DescTail => text.add(format_args!(
            "the descriptor has {subject} bytes, of which this library knows {a}, and the others are not zero"
        )),
        Kind::Enum => text.add(format_args!("{what} has no value {}", subject.cast_signed())),
        // What a sentence tells: `Error::unfit`.
        Kind::Range if a > b && subject == 0 => text.add(format_args!("{what}")),
        Kind::Range if a > b => entity(text, format_args!("{what}")),
        Kind::Range => {
            text.add(format_args!("{what} is {subject}, but must be {a}"));
            if a < b {
                text.add(format_args!(" {} {b}", if b - a == 1 { "or" } else { "to" }));
            }
        }
        Kind::Iter if !what.is_empty() => text.add(format_args!("the dz_iter {what}")),
        Kind::Iter => text.add(format_args!("the dz_iter was not started by a dz_iterate function")),
        Kind::Changed if b == 2 => {
            text.add(format_args!("pairs or the hierarchy changed in a way that this iteration can't follow"))
        }
        Kind::Changed if b == 1 => {
            text.add(format_args!("group G:{a} changed in a way that this iteration can't follow"))
        }
        Kind::Changed => {
            component(text, record);
            text.add(format_args!(" changed in a way that this iteration can't follow"));
        }
        Kind::Level => text.add(format_args!("this processor doesn't have those instructions")),
        Kind::Query if subject == 0 => text.add(format_args!("the query is {{0}}, which is no query")),
        Kind::Query => text.add(format_args!("query {subject:#x} is none of this world's, or was destroyed")),
        Kind::QueryLost => {
            entity(text, format_args!("is no component any more, and the query has a term for it"))
        }
        Kind::NoTerm => text
            .add(format_args!("no term asks for a component or pair of the entity itself: with, or any-of")),
        Kind::Order => {
            component(text, record);
            text.add(format_args!(" is no with-term of the query, so it can't follow its order"));
        }
        Kind::Syntax => {
            text.add(format_args!("{what}"));
            let (name, len, goes_on) = told(error);
            if len > 0 {
                let more = if goes_on { "..." } else { "" };
                text.add(format_args!(": \"{}{more}\"", whole(&name[..len])));
            }
        }
        Kind::NotKept => text.add(format_args!("query {subject:#x} is not a kept one")),
        Kind::NotSingle => text.add(format_args!("there are {subject} matches, not exactly one")),
        Kind::NoPair => {
            text.entity(subject);
            text.add(format_args!(" is no pair: nobody made it with dz_pair, or an entity of it died"));
        }
        Kind::PairHeld => {
            entity(text, format_args!("can't be destroyed: "));
            named(text, record, "relation ");
            text.add(format_args!(" refuses that while others hold a pair with it (holders: {a})"));
        }
        Kind::Cycle => cycle(text, record),
        Kind::Traits => {
            text.add(format_args!("relation "));
            text.entity(subject);
            text.add(format_args!(" can't have these traits: {what}"));
        }
        Kind::Deep => {
            text.add(format_args!("relation "));
            text.entity(subject);
            text.add(format_args!(" has ways of over 128 links, or too many of them, to be followed"));
        }
        Kind::Sibling => {
            let not = ["a child of", "below", "another child of"][b.min(2) as usize];
            entity(text, format_args!("is not {not} "));
            text.entity(a);
        }
        Kind::NoParent => entity(text, format_args!("has no parent")),
        Kind::Inherited => {
            entity(text, format_args!("has "));
            component(text, record);
            text.add(format_args!(" from its base "));
            text.entity(b);
            text.add(format_args!(": it can be read; dz_override or dz_set gives it one of its own"));
        }
        Kind::NotHeld => {
            entity(text, format_args!("doesn't have "));
            component(text, record);
            // Whether its bases were asked.
            text.add(format_args!("{}", if b == 0 { " of its own" } else { ", and no base of it does" }));
        }
        Kind::NameTaken => {
            let name = record.component().unwrap_or_default();
            text.add(format_args!("the name \"{name}{}\" is taken: ", record.more()));
            match a {
                0 => entity(text, format_args!("has it, and has no parent either")),
                _ => {
                    entity(text, format_args!("has it, and the same parent: "));
                    text.entity(a);
                }
            }
        }
        Kind::Allocator => text.add(format_args!("an allocator needs both allocate and free")),
    }
}
