//! The sentences about errors, made when they are asked for; and the log, which gets each at once.
//!
//! ```text
//!   "%c has size %b, not %a"    component "Position" (E:1-3[1]) has size 8, not 12
//! ```

use super::query_types::DZ_ANY;
use super::record::{self, Record};
use super::table;
use super::text::{Text, whole};
use super::types::{dz_status, dz_world};
use crate::core::error::{Entries, Error, Kind};
use crate::core::ids::{Handle, describe, role, role_of, with_role, without_role};
use crate::core::query::text::told;
use core::cell::UnsafeCell;
use core::ffi::c_char;

const CHILDOF: Handle = with_role(role::CHILDOF, 0);
const INSTANCEOF: Handle = with_role(role::INSTANCEOF, 0);

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
        let mut left = sentence(record);
        while let Some((before, rest)) = left.split_once('%') {
            text.add(format_args!("{before}"));
            let mut rest = rest.chars();
            culprit(&mut text, record, rest.next().unwrap_or('%'));
            left = rest.as_str();
        }
        text.add(format_args!("{left}"));
    }
    text
}

/// Writes what a letter behind a percent sign stands for.
fn culprit(text: &mut Text, record: &Record, letter: char) {
    let Error { subject, detail: [a, b], name: what, .. } = record.error;
    match letter {
        // The parameter, or a sentence; what a handle was meant as: of the entity of a call nothing is said.
        'w' => text.add(format_args!("{what}")),
        'n' => text.add(format_args!("{}", if what.is_empty() { "entity" } else { what })),
        // Numbers.
        's' => text.add(format_args!("{subject}")),
        'a' => text.add(format_args!("{a}")),
        'b' => text.add(format_args!("{b}")),
        'i' => text.add(format_args!("{}", subject.cast_signed())),
        'x' => text.add(format_args!("{subject:#x}")),
        'X' => text.add(format_args!("{a:#x}")),
        // Worlds: the one that is meant, and that of the call.
        'W' => text.add(format_args!("world W:{} (handle {subject:#x})", subject & 0xFFF)),
        'V' => text.add(format_args!("world W:{}", record.world & 0xFFF)),
        // Entities.
        'S' => text.entity(subject),
        'A' => text.entity(a),
        'B' => text.entity(b),
        // The component; a relation, which may be none; both shapes.
        'c' => component(text, record),
        'r' => named(text, record, "relation "),
        'p' => shape(text, a),
        'q' => shape(text, b),
        // The name that is taken, the cycle, and the word in a query's text.
        'N' => text.add(format_args!("\"{}{}\"", record.component().unwrap_or_default(), record.more())),
        'C' => cycle(text, record),
        't' => {
            let (name, len, goes_on) = told(&record.error);
            if len > 0 {
                let more = if goes_on { "..." } else { "" };
                text.add(format_args!(": \"{}{more}\"", whole(&name[..len])));
            }
        }
        _ => text.add(format_args!("{letter}")),
    }
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

/// The sentence about an error, after "function: ", with a letter and a percent sign for each culprit.
fn sentence(record: &Record) -> &'static str {
    let Error { subject, detail: [a, b], name: what, .. } = record.error;
    match record.error.kind {
        Kind::NullPointer => "%w is NULL",
        Kind::WorldNull => "the world is {0}, which is no world",
        Kind::WorldDead => "%W was destroyed",
        Kind::WorldUnknown => "%W was never created",
        Kind::WorldBroken => "%W met a bug of the library and takes no more calls",
        Kind::TooManyWorlds => "all %s world numbers of that layout are in use",
        Kind::NullEntity if without_role(subject) == 0 => "the %n is DZ_NULL",
        Kind::NullEntity => "%n %S has the null index, which nobody has",
        Kind::Tombstone => "%n %S has the tombstone generation, which nobody has",
        Kind::Dead => "%n %S is dead: its slot is now at generation %a",
        Kind::NeverCreated if describe(without_role(subject)).generation == 0 => {
            "%n %S has generation 0, which nobody has"
        }
        Kind::NeverCreated => "%n %S was never created",
        Kind::WrongWorld if subject >> 32 == 0 => {
            "%n %S has no world: it is an index, or a handle of the 32-bit layout"
        }
        Kind::WrongWorld => "%n %S does not belong to %V",
        Kind::Retired => "%n %S is dead, and its slot is retired: all its generations are used up",
        Kind::Role if subject == DZ_ANY | CHILDOF || subject == DZ_ANY | INSTANCEOF => {
            "%n is of DZ_ANY, which only a pair's halves can be"
        }
        Kind::Role if what == "id" && role_of(subject) < role::USER => {
            "%n %S has a role that means nothing here: a program's own are 128 to 255"
        }
        Kind::Role if what == "id" => "%n %S has a role that means nothing here",
        Kind::Role => "%n %S has role bits where a plain handle is meant",
        Kind::IsComponent => "%c is given where a plain entity is meant",
        Kind::NotComponent => "entity %S is no component",
        Kind::Duplicate if record.component().is_some() => "%c stands twice in %w",
        Kind::Duplicate => "entity %S stands twice in %w",
        Kind::Occupied => "entity %S can't be created: at its index lives %A",
        Kind::Reserved => "entity %S has an index below %a, which are reserved for components",
        Kind::Size => "%c has size %b, not %a",
        Kind::Tag if what == "relation" => {
            "neither the relation, %c, nor the target has data: the pair is a tag"
        }
        Kind::Tag if record.component().is_none() && role_of(subject) == 0 => {
            "%c is an entity, and no component: it has no data"
        }
        Kind::Tag => "%c is a tag: it has no data",
        Kind::Alignment => "alignment %s is not a power of two up to 4096 that divides the size %a",
        Kind::Shape => "%c is registered with %p; it can't have %q",
        Kind::Name if a == 1 => "%w is empty",
        Kind::Name => "%w must be UTF-8 of 1 to 255 bytes",
        Kind::Held if a == 1 => "%c is held by 1 entity: dz_component_unregister takes it off",
        Kind::Held => "%c is held by %a entities: dz_component_unregister takes it off",
        Kind::Builtin => "%c belongs to the library: it can only be read",
        Kind::NotElement => "%X is no element of %c",
        Kind::HookFailed => "the %w hook failed for %c",
        Kind::InHook => "not allowed inside a hook, a listener or a comparison",
        Kind::Listener => "listener %s is not connected",
        Kind::Group if subject == 0 => "the group is {0}, which is no group",
        Kind::Group if table::was_handed_out(subject) => "group G:%s is not this world's, or no longer",
        Kind::Group => "group G:%s was never created",
        Kind::Grouped => "%c is a term of group G:%a, which must be destroyed first",
        Kind::Owned if b == 2 => {
            "the order of group G:%a is kept by a sort, which dz_group_sort_release ends"
        }
        Kind::Owned if a == 0 => "the order of %c is kept by a sort, which dz_sort_release ends",
        Kind::Owned if b == 0 => "the order of %c belongs to group G:%a",
        Kind::Owned => "the order of %c belongs to group G:%a, which is not nested with the one wanted",
        Kind::NotTerm => "%c is not one that the members of group G:%a have",
        Kind::Policy if what == "order" => "%c has the stable policy: its elements can't be put in order",
        Kind::Policy => "%c has the swap policy: it has no gaps",
        Kind::OutOfMemory => "out of memory: the allocator refused %s bytes",
        Kind::Budget => "%s bytes more would exceed the budget: %a of %b are in use",
        Kind::Full if b != 0 => "%B has an index beyond the world's largest number of slots, %s",
        Kind::Full => {
            "no room for %a more: the world can have %s slots in all, used and reserved ones included"
        }
        Kind::Exhausted => "the identifiers have run out: of %s slots all are in use or retired",
        Kind::Count if a > 0 => "%w is %s, but must be 0 to %a",
        Kind::Count if what.is_empty() => "a count is %s, which is too large",
        Kind::Count => "%w is %s, which is too large",
        Kind::DescSize => "the descriptor's size is %s, not %a: begin with %w",
        Kind::DescTail => {
            "the descriptor has %s bytes, of which this library knows %a, and the others are not zero"
        }
        Kind::Enum => "%w has no value %i",
        // What a sentence tells: `Error::unfit`.
        Kind::Range if a > b && subject == 0 => "%w",
        Kind::Range if a > b => "entity %S %w",
        Kind::Range if a == b => "%w is %s, but must be %a",
        Kind::Range if b - a == 1 => "%w is %s, but must be %a or %b",
        Kind::Range => "%w is %s, but must be %a to %b",
        Kind::Iter if !what.is_empty() => "the dz_iter %w",
        Kind::Iter => "the dz_iter was not started by a dz_iterate function",
        Kind::Changed if b == 2 => "pairs or the hierarchy changed in a way that this iteration can't follow",
        Kind::Changed if b == 1 => "group G:%a changed in a way that this iteration can't follow",
        Kind::Changed => "%c changed in a way that this iteration can't follow",
        Kind::Level => "this processor doesn't have those instructions",
        Kind::Query if subject == 0 => "the query is {0}, which is no query",
        Kind::Query => "query %x is none of this world's, or was destroyed",
        Kind::QueryLost => "entity %S is no component any more, and the query has a term for it",
        Kind::NoTerm => "no term asks for a component or pair of the entity itself: with, or any-of",
        Kind::Order => "%c is no with-term of the query, so it can't follow its order",
        Kind::Syntax => "%w%t",
        Kind::NotKept => "query %x is not a kept one",
        Kind::NotSingle => "there are %s matches, not exactly one",
        Kind::NoPair => "%S is no pair: nobody made it with dz_pair, or an entity of it died",
        Kind::PairHeld => {
            "entity %S can't be destroyed: %r refuses that while others hold a pair with it (holders: %a)"
        }
        Kind::Cycle => "%C",
        Kind::Traits => "relation %S can't have these traits: %w",
        Kind::Deep => "relation %S has ways of over 128 links, or too many of them, to be followed",
        Kind::Sibling if b == 0 => "entity %S is not a child of %A",
        Kind::Sibling if b == 1 => "entity %S is not below %A",
        Kind::Sibling => "entity %S is not another child of %A",
        Kind::NoParent => "entity %S has no parent",
        Kind::Inherited => {
            "entity %S has %c from its base %B: it can be read; dz_override or dz_set gives it one of its own"
        }
        // Whether its bases were asked.
        Kind::NotHeld if b == 0 => "entity %S doesn't have %c of its own",
        Kind::NotHeld => "entity %S doesn't have %c, and no base of it does",
        Kind::NameTaken if a == 0 => "the name %N is taken: entity %S has it, and has no parent either",
        Kind::NameTaken => "the name %N is taken: entity %S has it, and the same parent: %A",
        Kind::Allocator => "an allocator needs both allocate and free",
    }
}
