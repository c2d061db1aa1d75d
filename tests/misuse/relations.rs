//! What can be wrong with what relations promise, field by field; and pairs that they refuse.

use crate::common::snapshot::Snapshot;
use crate::common::stage::{Stage, relation_desc};
use crate::common::{LAYOUTS, end, message, plain_world, print_form};
use crate::descriptors::{Longer, check_fields};
use crate::kinds::Expect::{self, Done, Error};
use crate::kinds::dead;
use crate::{Report, judge, still_works};
use denizen::ffi::entity::{dz_create_at, dz_entity_make};
use denizen::ffi::pair::{dz_add_pair, dz_has_pair, dz_pair, dz_remove_pair};
use denizen::ffi::pair_types::dz_relation_desc;
use denizen::ffi::relation::dz_relation_set;
use denizen::ffi::types::dz_status::{self, *};
use denizen::ffi::world::dz_world_number;

fn of(status: dz_status) -> (Option<dz_status>, bool) {
    (Some(status), (status as i32) < 0)
}

/// A row: the field, what is wrong with it, what comes of it, what the message names, and the descriptor.
type RelationRow = (&'static str, &'static str, Expect, String, Longer<dz_relation_desc>);

/// A field's name, and the field.
type Field<T> = (&'static str, fn(&mut dz_relation_desc) -> &mut T);

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
    let flags: [Field<u32>; 5] = [
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
    let cleanups: [Field<i32>; 2] =
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
    let world = plain_world(LAYOUTS[0]);
    let [last, beyond] = [0, 1].map(|more| {
        let entity = dz_entity_make(dz_world_number(world), (1 << 24) - 1 + more, 1);
        assert_eq!(dz_create_at(world, entity), DZ_OK, "{}", message());
        entity
    });
    assert_eq!(dz_pair(world, last, beyond), 0x03FF_FFFF_0100_0000);
    assert_eq!(dz_add_pair(world, last, last, beyond), DZ_OK);
    assert!(dz_has_pair(world, last, last, beyond));
    assert_eq!(dz_remove_pair(world, last, last, beyond), DZ_OK);
    let refused = |call, run: &dyn Fn() -> (Option<dz_status>, bool)| {
        judge(call, Error(DZ_ERR_RANGE), &["the relation's index".into(), "16777216".into()], run).unwrap();
    };
    refused("dz_pair", &|| (None, dz_pair(world, beyond, last) == 0));
    refused("dz_add_pair", &|| of(dz_add_pair(world, last, beyond, last)));
    refused("dz_remove_pair", &|| of(dz_remove_pair(world, last, beyond, last)));
    refused("dz_has_pair", &|| (None, !dz_has_pair(world, last, beyond, last)));
    let mut desc = relation_desc();
    refused("dz_relation_set", &|| of(unsafe { dz_relation_set(world, beyond, &desc) }));
    desc.with = beyond;
    refused("dz_relation_set", &|| of(unsafe { dz_relation_set(world, last, &desc) }));
    end(world);
}
