//! What can be wrong with queries, their texts, parts and iterators.

use crate::common::calls::{Call, Kind};
use crate::common::print_form;
use crate::common::stage::Stage;
use crate::kinds::{Expect, Misuse, iterators as pool_iterators, pointing, row, words};
use denizen::ffi::accessor::{dz_accessor, dz_accessor_init};
use denizen::ffi::query::{dz_iterate, dz_iterate_part};
use denizen::ffi::types::dz_status::*;
use denizen::ffi::types::*;

/// Handles of no query, or of one that doesn't fit.
pub fn handles(stage: &Stage, at: usize, kind: Kind) -> Vec<Misuse> {
    let bad = |label: &str, bits: u32| {
        row(label, at, bits.into(), Expect::Error(DZ_ERR_QUERY), &format!("query {bits:#x}"))
    };
    let kept = stage.kept.bits;
    let mut all = vec![
        row("the null query", at, 0, Expect::Error(DZ_ERR_QUERY), "{0}"),
        bad("destroyed", stage.bad.gone_query.bits),
        bad("another world's", stage.bad.foreign_query.bits),
        bad("a place without a serial", kept & 0xFFF),
        bad("of the future", kept.wrapping_add(1 << 12)),
        bad("of the past", kept.wrapping_sub(1 << 12)),
        bad("beyond all places", kept | 0xFFF),
        bad("garbage", u32::MAX),
    ];
    if kind == Kind::QueryRead {
        return all;
    }
    let gone = print_form(stage.bad.unregistered);
    let lost = stage.bad.lost_query.bits.into();
    all.push(row("lost", at, lost, Expect::Error(DZ_ERR_QUERY_LOST), &gone));
    if kind == Kind::Kept {
        let loose = stage.single.bits;
        let said = format!("query {loose:#x}");
        all.push(row("not kept", at, loose.into(), Expect::Error(DZ_ERR_NOT_KEPT), &said));
    }
    all
}

/// Texts that are no queries; where they aren't.
pub fn texts(at: usize, name: &str) -> Vec<Misuse> {
    let bad = |label: &str, text: &[u8], column: u32, what: &str| {
        let culprits = vec![format!("column {column}: "), what.to_owned()];
        pointing(label, at, words(text), DZ_ERR_SYNTAX, culprits)
    };
    let other = |label: &str, text: &str, status, column: u32, culprit: &str| {
        let place = format!("column {column}: ");
        pointing(label, at, words(text.as_bytes()), status, vec![place, culprit.to_owned()])
    };
    let many = (0..40).map(|_| "Position").collect::<Vec<_>>().join(", ");
    vec![
        row("NULL", at, 0, Expect::Error(DZ_ERR_NULL_POINTER), name),
        bad("empty", b"", 1, "name"),
        bad("blanks", b"  ", 3, "name"),
        bad("an unknown name", b"Position, Nobody", 11, "no component"),
        bad("an unknown name behind a known one", b"Position, ?Frozen, !Body || Idle", 25, "||"),
        bad("an unknown access", b"[inn] Position", 2, "inout"),
        bad("an access that isn't closed", b"[in Position", 5, "] is expected"),
        bad("a quote that isn't closed", b"Position, \"Frozen", 11, "closed"),
        bad("two names", b"Position Frozen", 10, "a comma is missing"),
        bad("something behind it", b"\"Position\" Frozen", 12, "expected"),
        bad("a comma at the end", b"Position,", 10, "name"),
        bad("an optional alternative", b"Position || ?Frozen", 13, "||"),
        bad("columns are characters", "Größe".as_bytes(), 1, "no component"),
        bad("columns are characters, later too", "Position, \"ü\", Frozen".as_bytes(), 11, "no component"),
        bad("not UTF-8", b"Position, caf\xE9", 14, "UTF-8"),
        bad("not UTF-8 behind other characters", b"caf\xC3\xA9, \xE9", 7, "UTF-8"),
        bad("too many terms", many.as_bytes(), 32 * 10 + 1, "32 terms"),
        bad("a variable without a name", b"Position, (*, Idle)($)", 22, "variable's name"),
        bad("a target's variable without a name", b"(Idle, $ )", 9, "variable's name"),
        bad("an access in capitals", b"[In] Position", 2, "cascade or bases"),
        other("a component twice", "Position, Frozen, !Position", DZ_ERR_DUPLICATE, 20, "\"Position\""),
        other("nobody is asked for", "?Position, !Frozen", DZ_ERR_NO_TERM, 2, "with, or any-of"),
        other("to write what is built in", "Frozen, Component", DZ_ERR_BUILTIN, 9, "\"Component\""),
        other("a pair as an alternative", "Position, Frozen || (Idle, *)", DZ_ERR_RANGE, 21, "||"),
        other("nothing binds it", "Position, Position($p)", DZ_ERR_RANGE, 11, "no earlier term binds"),
        other(
            "optional, nothing binds it",
            "Position, ?(Idle, $p)",
            DZ_ERR_RANGE,
            12,
            "no earlier term binds",
        ),
        other("a pair of the world's", "Position, (Idle, *)(world)", DZ_ERR_RANGE, 11, "only a component"),
    ]
}

/// Parts that there aren't; the good arguments are part 1 of 3.
pub fn parts(at: usize, kind: Kind) -> Vec<Misuse> {
    let most = u64::from(u32::MAX);
    let bad = |label: &str, value: u64, says: &str| row(label, at, value, Expect::Error(DZ_ERR_RANGE), says);
    if kind == Kind::Parts {
        return vec![
            bad("no parts", 0, "parts is 0, but must be 1 or more"),
            bad("one part", 1, "part is 1, but must be 0"),
            row("more parts than can be", at, most, Expect::Quiet, ""),
        ];
    }
    vec![
        bad("one too many", 3, "part is 3, but must be 0 to 2"),
        bad("far too many", most, "part is 4294967295, but must be 0 to 2"),
    ]
}

/// Accessors that are good for nothing, or not for this.
pub fn accessors(stage: &Stage, call: &Call, at: usize, name: &str) -> Vec<Misuse> {
    let words = |accessor: &dz_accessor| {
        let count = size_of::<dz_accessor>() / 8;
        unsafe { std::slice::from_raw_parts(std::ptr::from_ref(accessor).cast::<u64>(), count) }.to_vec()
    };
    let of = |world: dz_world, id: dz_id| {
        let mut made = stage.room.accessor;
        assert_eq!(unsafe { dz_accessor_init(world, id, &mut made) }, DZ_OK);
        words(&made)
    };
    let mut dead = stage.room.accessor;
    dead.world = stage.bad.dead_world;
    let mut gone = stage.room.accessor;
    gone.id = stage.bad.unregistered;
    gone.gone = gone.gone.wrapping_sub(1);
    let gone_id = print_form(stage.bad.unregistered);
    let said = format!("W:{}", dead.world.bits & 0xFFF);
    let mut all = vec![
        row("NULL", at, 0, Expect::Error(DZ_ERR_NULL_POINTER), name),
        pointing("all zero", at, vec![0; 4], DZ_ERR_WORLD_NULL, vec!["{0}".into()]),
        pointing("of a dead world", at, words(&dead), DZ_ERR_WORLD_DEAD, vec![said]),
        pointing("of an unregistered component", at, words(&gone), DZ_ERR_DEAD, vec![gone_id]),
    ];
    if call.name != "dz_accessor_has" {
        let tag = vec!["\"Frozen\"".into()];
        all.push(pointing("of a tag", at, of(stage.world, stage.tag), DZ_ERR_TAG, tag));
    }
    if call.name == "dz_accessor_get_mut" {
        let builtin = vec!["\"Component\"".into()];
        all.push(pointing(
            "of a built-in component",
            at,
            of(stage.world, stage.builtin),
            DZ_ERR_BUILTIN,
            builtin,
        ));
    }
    all
}

/// Iterators that can't be started over again.
pub fn iterators(stage: &Stage, at: usize, name: &str) -> Vec<Misuse> {
    let good = &stage.room.query_iter;
    let copy = |iter: &dz_iter| {
        let count = size_of::<dz_iter>() / 8;
        unsafe { std::slice::from_raw_parts(std::ptr::from_ref(iter).cast::<u64>(), count) }.to_vec()
    };
    let mut all = pool_iterators(good, stage, at, name);
    let mut part = *good;
    assert_eq!(unsafe { dz_iterate_part(stage.world, stage.kept, 0, 2, &mut part) }, DZ_OK);
    let iter = || vec!["iter is of a pool, of a group or of a part".to_owned()];
    all.push(pointing("of a pool", at, copy(&stage.room.iter), DZ_ERR_RANGE, iter()));
    all.push(pointing("of a part", at, copy(&part), DZ_ERR_RANGE, iter()));
    let mut failed = *good;
    assert_eq!(unsafe { dz_iterate(stage.world, stage.bad.gone_query, &mut failed) }, DZ_ERR_QUERY);
    all.push(pointing("that could not begin", at, copy(&failed), DZ_ERR_ITER, vec!["dz_iter".into()]));
    for (label, query, status) in
        [("destroyed", stage.bad.gone_query, DZ_ERR_QUERY), ("lost", stage.bad.lost_query, DZ_ERR_QUERY_LOST)]
    {
        let mut gone = *good;
        gone.query = query.bits;
        all.push(pointing(format!("of a query that is {label}"), at, copy(&gone), status, vec![]));
    }
    all
}
