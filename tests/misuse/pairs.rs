//! What can be wrong with pairs: their ids, their halves, and what relations promise.

use crate::common::calls::{Call, Kind};
use crate::common::snapshot::Snapshot;
use crate::common::stage::{Stage, relation_desc};
use crate::common::{LAYOUTS, print_form};
use crate::descriptors::{Longer, check_fields};
use crate::kinds::Expect::{self, Answer, Done, Error, No, Quiet};
use crate::kinds::{Misuse, Wrong, dead, named, row, wrong};
use crate::{Report, judge, still_works};
use denizen::ffi::pair_types::{DZ_ROLE_PAIR, dz_relation_desc};
use denizen::ffi::relation::dz_relation_set;
use denizen::ffi::types::dz_status::{self, *};

fn role(role: u64, rest: u64) -> u64 {
    role << 56 | rest
}

fn misuse(at: usize, wrong: Wrong) -> Misuse {
    let Wrong { label, handle, status, culprits } = wrong;
    Misuse {
        label: label.into(),
        replace: vec![(at, handle)],
        expect: Error(status),
        culprits,
        _keep: vec![],
    }
}

/// Ids of pairs that there are not.
fn no_pairs(stage: &Stage) -> Vec<(&'static str, u64)> {
    let pair = u64::from(DZ_ROLE_PAIR);
    vec![
        ("no pair's id", role(pair, 0)),
        ("no pair's id, all ones", role(pair, u64::MAX >> 8)),
        ("the role of a pair on an entity", role(pair, stage.abc[0])),
        // The relation's index is the lowest of the upper half.
        ("the pair of another relation", stage.tag_pair + (1 << 32)),
        ("the pair of another target", stage.tag_pair + 1),
    ]
}

fn without_pair(stage: &Stage, at: usize) -> impl Iterator<Item = Misuse> {
    let rows = no_pairs(stage).into_iter();
    rows.map(move |(label, id)| row(label, at, id, Error(DZ_ERR_NO_PAIR), &format!("{id:#x}")))
}

/// What is wrong with the rest of an id with a role, and roles that there are not.
fn roles(stage: &Stage) -> Vec<Wrong> {
    let a = stage.abc[0];
    // Roles from 128 on are a program's own.
    let mut all: Vec<_> = dead(stage).into_iter().filter(|it| it.label != "highest role bit").collect();
    all.extend([
        wrong("role 2", role(2, a), DZ_ERR_ROLE),
        wrong("role 4", role(4, a), DZ_ERR_ROLE),
        wrong("role 127", role(127, a), DZ_ERR_ROLE),
    ]);
    let of_dead = [("role 128 of somebody dead", 128, stage.bad.stale), ("role 255 of null", 255, 0)];
    all.extend(of_dead.map(|(label, number, rest)| Wrong {
        label,
        handle: role(number, rest),
        status: if rest == 0 { DZ_ERR_NULL_ENTITY } else { DZ_ERR_DEAD },
        culprits: vec![],
    }));
    all
}

/// What comes of an id that can be added and has no data.
fn of_tag(call: &Call, is_there: bool) -> Expect {
    match (call.name, is_there) {
        ("dz_add", _) | ("dz_remove", true) => Done,
        ("dz_remove", false) => Answer(DZ_NOT_THERE),
        ("dz_has", true) => Quiet,
        ("dz_has", false) => No,
        _ => Error(DZ_ERR_TAG),
    }
}

/// Ids of whatever can be added to entities.
pub fn any(stage: &Stage, call: &Call, at: usize, kind: Kind) -> Vec<Misuse> {
    let mut all = roles(stage);
    all.push(wrong("an unregistered component", stage.bad.unregistered, DZ_ERR_DEAD));
    if matches!(kind, Kind::Any | Kind::AnyData) {
        all.push(named("a built-in component", stage.builtin, DZ_ERR_BUILTIN, "Component"));
    }
    if matches!(kind, Kind::AnyData | Kind::AnyDataRead) {
        all.push(named("a tag", stage.tag, DZ_ERR_TAG, "Frozen"));
    }
    let mut all: Vec<_> = all.into_iter().map(|wrong| misuse(at, wrong)).collect();
    all.extend(without_pair(stage, at));
    let a = stage.abc[0];
    let tags = [
        ("a plain entity", stage.bare, false),
        ("the lowest role of a program", role(128, a), false),
        ("the highest role of a program", role(255, a), false),
        ("a pair without data", stage.tag_pair, true),
    ];
    all.extend(tags.map(|(label, id, is_there)| row(label, at, id, of_tag(call, is_there), "")));
    let of_data = if matches!(call.name, "dz_add" | "dz_remove" | "dz_set") { Done } else { Quiet };
    all.push(row("a pair with data", at, stage.data_pair, of_data, ""));
    all
}

/// Relations and targets: whoever lives.
pub fn halves(stage: &Stage, at: usize, kind: Kind) -> Vec<Misuse> {
    let mut all: Vec<_> = dead(stage).into_iter().map(|wrong| misuse(at, wrong)).collect();
    all.push(misuse(at, wrong("a pair", stage.tag_pair, DZ_ERR_ROLE)));
    match kind {
        Kind::RelationData => {
            all.push(misuse(at, wrong("a relation without data", stage.knows, DZ_ERR_TAG)));
            all.push(misuse(at, named("a tag", stage.tag, DZ_ERR_TAG, "Frozen")));
        }
        Kind::RelationIdle => {
            let mut held = wrong("a relation that there are pairs of", stage.likes, DZ_ERR_TRAITS);
            held.culprits.push("there are pairs of it".into());
            all.push(misuse(at, held));
        }
        _ => {}
    }
    all
}

/// Ids that lead to a pair, or to something else that is had.
pub fn held(stage: &Stage, at: usize, kind: Kind) -> Vec<Misuse> {
    let mut all: Vec<_> = without_pair(stage, at).collect();
    let others = [("an entity", stage.abc[0]), ("an entity with a role", role(200, stage.abc[0]))];
    if kind == Kind::Pair {
        let none = others.into_iter().chain([("null", 0), ("a component", stage.position)]);
        all.extend(none.map(|(label, id)| row(label, at, id, Error(DZ_ERR_NO_PAIR), &format!("{id:#x}"))));
    } else {
        all.extend(roles(stage).into_iter().map(|wrong| misuse(at, wrong)));
        all.extend(others.map(|(label, id)| row(label, at, id, Quiet, "")));
    }
    all
}

/// A row: the field, what is wrong with it, what comes of it, what the message names, and the descriptor.
type RelationRow = (&'static str, &'static str, Expect, String, Longer<dz_relation_desc>);

fn relation_rows(stage: &Stage) -> Vec<RelationRow> {
    const SIZE: u32 = size_of::<dz_relation_desc>() as u32;
    let mut rows = Vec::new();
    let mut row = |field, label, expect, culprit: &str, spoil: &dyn Fn(&mut Longer<dz_relation_desc>)| {
        let mut desc = Longer { desc: relation_desc(), tail: [0; 64] };
        spoil(&mut desc);
        rows.push((field, label, expect, culprit.to_owned(), desc));
    };
    row("size", "0", Error(DZ_ERR_DESC_SIZE), "size is 0", &|it| it.desc.size = 0);
    row("size", "one too small", Error(DZ_ERR_DESC_SIZE), "size is", &|it| it.desc.size = SIZE - 1);
    row("size", "too large, and more is asked for", Error(DZ_ERR_DESC_TAIL), "are not zero", &|it| {
        it.desc.size = SIZE + 64;
        it.tail[63] = 1;
    });
    row("size", "larger, and nothing more is asked for", Done, "", &|it| it.desc.size = SIZE + 64);
    let flags: [(&'static str, fn(&mut dz_relation_desc) -> &mut u32); 5] = [
        ("exclusive", |it| &mut it.exclusive),
        ("symmetric", |it| &mut it.symmetric),
        ("acyclic", |it| &mut it.acyclic),
        ("transitive", |it| &mut it.transitive),
        ("reflexive", |it| &mut it.reflexive),
    ];
    for (field, of) in flags {
        row(field, "2", Error(DZ_ERR_RANGE), field, &|it| *of(&mut it.desc) = 2);
        row(field, "the most", Error(DZ_ERR_RANGE), field, &|it| *of(&mut it.desc) = u32::MAX);
        if field != "transitive" {
            row(field, "1", Done, "", &|it| *of(&mut it.desc) = 1);
        }
    }
    let together = Error(DZ_ERR_TRAITS);
    row("transitive", "without acyclic", together, "transitive", &|it| it.desc.transitive = 1);
    row("symmetric", "with acyclic", together, "symmetric", &|it| {
        (it.desc.symmetric, it.desc.acyclic) = (1, 1);
    });
    row("transitive", "with acyclic", Done, "", &|it| (it.desc.transitive, it.desc.acyclic) = (1, 1));
    let cleanups: [(&'static str, fn(&mut dz_relation_desc) -> &mut i32); 2] =
        [("on_target", |it| &mut it.on_target), ("on_relation", |it| &mut it.on_relation)];
    for (field, of) in cleanups {
        for value in [-1, 3, i32::MIN, i32::MAX] {
            let culprit = format!("{field} has no value {value}");
            row(field, "no cleanup", Error(DZ_ERR_ENUM), &culprit, &|it| *of(&mut it.desc) = value);
        }
        row(field, "the last cleanup", Done, "", &|it| *of(&mut it.desc) = 2);
    }
    for bad in dead(stage).into_iter().filter(|bad| bad.handle != 0) {
        let culprit = bad.culprits.first().cloned().unwrap_or_default();
        row("with", bad.label, Error(bad.status), &culprit, &|it| it.desc.with = bad.handle);
    }
    row("with", "a pair", Error(DZ_ERR_ROLE), "", &|it| it.desc.with = stage.tag_pair);
    let knows = print_form(stage.knows);
    row("with", "itself", together, &knows, &|it| it.desc.with = stage.knows);
    row("with", "another", Done, "", &|it| it.desc.with = stage.likes);
    row("with", "a component", Done, "", &|it| it.desc.with = stage.position);
    rows
}

#[test]
fn relation_descriptors() {
    let mut report = Report::default();
    for layout in LAYOUTS {
        let mut stage = Stage::new(layout);
        for at in 0..relation_rows(&stage).len() {
            let before = Snapshot::of(stage.world);
            let (field, label, expect, culprit, desc) = relation_rows(&stage).swap_remove(at);
            let result = judge("dz_relation_set", expect, &[culprit], || {
                let status = unsafe { dz_relation_set(stage.world, stage.knows, &desc.desc) };
                (Some(status), (status as i32) < 0)
            });
            let changed = before.difference(&Snapshot::of(stage.world)).filter(|_| expect != Done);
            let result = result.and(changed.map_or(Ok(()), Err)).and_then(|()| still_works(&stage));
            report.row(&format!("dz_relation_desc.{field}, {layout:?}: {label}"), result);
            if expect == Done {
                stage = Stage::new(layout);
            }
        }
        let rows = relation_rows(&stage);
        check_fields("dz_relation_desc", &rows.iter().map(|row| row.0).collect::<Vec<_>>());
    }
    report.end();
}

/// What one call alone is refused, by who is meant with whom.
#[test]
fn pairs_that_cannot_be() {
    use denizen::ffi::pair::{dz_add_pair, dz_has_pair};
    let of = |status: dz_status| (Some(status), (status as i32) < 0);
    for layout in LAYOUTS {
        let stage = Stage::new(layout);
        let (world, [a, b, _]) = (stage.world, stage.abc);
        let before = Snapshot::of(world);
        for (holder, target) in [(a, a), (stage.target, a), (stage.target, stage.target)] {
            let culprits = [holder, target, stage.likes].map(print_form);
            let cycle = || of(dz_add_pair(world, holder, stage.likes, target));
            judge("dz_add_pair", Error(DZ_ERR_CYCLE), &culprits, cycle).unwrap();
            assert_eq!(before.difference(&Snapshot::of(world)), None);
        }
        let mut symmetric = relation_desc();
        symmetric.symmetric = 1;
        assert_eq!(unsafe { dz_relation_set(world, stage.knows, &symmetric) }, DZ_OK);
        let before = Snapshot::of(world);
        let component = || of(dz_add_pair(world, b, stage.knows, stage.position));
        judge("dz_add_pair", Error(DZ_ERR_IS_COMPONENT), &["\"Position\"".into()], component).unwrap();
        assert_eq!(before.difference(&Snapshot::of(world)), None);
        assert!(!dz_has_pair(world, b, stage.knows, stage.position));
    }
}

/// M31: a pair's id has 24 bits for the relation's index, and 32 for the target's.
#[test]
#[cfg_attr(miri, ignore = "so many slots take Miri too long")]
fn m31_a_relation_has_24_bits() {
    use denizen::ffi::entity::{dz_create_at, dz_entity_make};
    use denizen::ffi::pair::{dz_add_pair, dz_has_pair, dz_pair, dz_remove_pair};
    use denizen::ffi::world::dz_world_number;
    let world = crate::common::plain_world(LAYOUTS[0]);
    let [last, beyond] = [0, 1].map(|more| {
        let entity = dz_entity_make(dz_world_number(world), (1 << 24) - 1 + more, 1);
        assert_eq!(dz_create_at(world, entity), DZ_OK, "{}", crate::common::message());
        entity
    });
    assert_eq!(dz_pair(world, last, beyond), 0x03FF_FFFF_0100_0000);
    assert_eq!(dz_add_pair(world, last, last, beyond), DZ_OK);
    assert!(dz_has_pair(world, last, last, beyond));
    assert_eq!(dz_remove_pair(world, last, last, beyond), DZ_OK);
    let refused = |call, run: &dyn Fn() -> (Option<dz_status>, bool)| {
        judge(call, Error(DZ_ERR_RANGE), &["the relation's index".into(), "16777216".into()], run).unwrap();
    };
    let of = |status: dz_status| (Some(status), (status as i32) < 0);
    refused("dz_pair", &|| (None, dz_pair(world, beyond, last) == 0));
    refused("dz_add_pair", &|| of(dz_add_pair(world, last, beyond, last)));
    refused("dz_remove_pair", &|| of(dz_remove_pair(world, last, beyond, last)));
    refused("dz_has_pair", &|| (None, !dz_has_pair(world, last, beyond, last)));
    let mut desc = relation_desc();
    refused("dz_relation_set", &|| of(unsafe { dz_relation_set(world, beyond, &desc) }));
    desc.with = beyond;
    refused("dz_relation_set", &|| of(unsafe { dz_relation_set(world, last, &desc) }));
    crate::common::end(world);
}
