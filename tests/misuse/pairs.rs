//! What can be wrong with pairs: their ids and their halves.

use crate::common::calls::{Call, Kind};
use crate::common::print_form;
use crate::common::stage::Stage;
use crate::kinds::Expect::{self, Answer, Done, Error, No, Quiet};
use crate::kinds::{Misuse, Wrong, dead, named, row, wrong};
use denizen::ffi::pair_types::DZ_ROLE_PAIR;
use denizen::ffi::types::dz_layout;
use denizen::ffi::types::dz_status::*;

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

/// All ones are an id of role 255 where a role may be: what is wrong with it is the rest.
pub fn all_ones_with_role(stage: &Stage, mut wrong: Wrong) -> Wrong {
    if wrong.handle == u64::MAX {
        let wide = stage.layout == dz_layout::DZ_LAYOUT_64;
        wrong.status = if wide { DZ_ERR_NULL_ENTITY } else { DZ_ERR_WRONG_WORLD };
    }
    wrong
}

/// What is wrong with the rest of an id with a role, and roles that there are not.
fn roles(stage: &Stage) -> Vec<Wrong> {
    let a = stage.abc[0];
    // Roles from 128 on are a program's own.
    let fine = ["highest role bit", "lowest role bit"];
    let rest = dead(stage).into_iter().filter(|it| !fine.contains(&it.label));
    let mut all: Vec<_> = rest.map(|wrong| all_ones_with_role(stage, wrong)).collect();
    all.extend([
        wrong("role 4", role(4, a), DZ_ERR_ROLE),
        wrong("role 5", role(5, a), DZ_ERR_ROLE),
        wrong("role 127", role(127, a), DZ_ERR_ROLE),
    ]);
    let of_dead = [
        ("role 128 of somebody dead", 128, stage.bad.stale),
        ("a dead parent", 1, stage.bad.stale),
        ("a dead base", 2, stage.bad.stale),
        ("role 255 of null", 255, 0),
        ("the parent is null", 1, 0),
    ];
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
        let said = |id| if id == 0 { "E:null".to_owned() } else { print_form(id) };
        all.extend(none.map(|(label, id)| row(label, at, id, Error(DZ_ERR_NO_PAIR), &said(id))));
    } else {
        all.extend(roles(stage).into_iter().map(|wrong| misuse(at, wrong)));
        all.extend(others.map(|(label, id)| row(label, at, id, Quiet, "")));
    }
    all
}
