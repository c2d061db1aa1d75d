//! What can be wrong with the hierarchy, with names and paths, with instances, and with what is disabled.

use crate::common::calls::{Call, Kind};
use crate::common::print_form;
use crate::common::stage::Stage;
use crate::kinds::Expect::{Answer, Done, Error, No, Quiet};
use crate::kinds::{Misuse, dead, pointing, row, words};
use denizen::ffi::types::dz_status::*;

fn handles(stage: &Stage, at: usize, none_is_fine: bool) -> Vec<Misuse> {
    let all = dead(stage).into_iter().filter(|wrong| !none_is_fine || wrong.handle != 0);
    all.map(|wrong| Misuse {
        label: wrong.label.into(),
        replace: vec![(at, wrong.handle)],
        expect: Error(wrong.status),
        culprits: wrong.culprits,
        _keep: vec![],
    })
    .collect()
}

fn texts(at: usize, name: &str, null: Misuse) -> Vec<Misuse> {
    let says = vec![format!("{name} is empty")];
    let bad = |label: &str, text: &[u8]| pointing(label, at, words(text), DZ_ERR_NAME, says.clone());
    vec![null, bad("empty", b"")]
}

/// All rows of a parameter of these functions.
pub fn misuses(stage: &Stage, call: &Call, at: usize, kind: Kind) -> Vec<Misuse> {
    let (name, _) = call.params[at];
    let [root, first, second] = stage.family;
    let no_child = |label: &str, id| row(label, at, id, Error(DZ_ERR_SIBLING), &print_form(id));
    match kind {
        Kind::Parent => {
            let mut all = handles(stage, at, true);
            all.push(row("the child itself", at, first, Error(DZ_ERR_CYCLE), &print_form(first)));
            let mut turned = row("below the child", at, first, Error(DZ_ERR_CYCLE), &print_form(root));
            turned.replace.push((at - 1, root));
            all.push(turned);
            all.push(row("none", at, 0, Done, ""));
            all
        }
        Kind::Sibling => {
            let mut all = vec![row("where none is meant", at, second, Error(DZ_ERR_RANGE), "sibling")];
            for place in [2, 3] {
                for wrong in handles(stage, at, false) {
                    let replace = [wrong.replace, vec![(at - 1, place)]].concat();
                    all.push(Misuse { label: format!("{}, place {place}", wrong.label), replace, ..wrong });
                }
                for (label, id) in
                    [("itself", first), ("no child of that parent", stage.bare), ("the parent", root)]
                {
                    let mut other = no_child(label, id);
                    other.replace.push((at - 1, place));
                    all.push(other);
                }
            }
            all
        }
        Kind::After => {
            let mut all = handles(stage, at, true);
            all.push(no_child("outside", stage.bare));
            let says = if call.name == "dz_children" { "is not a child of" } else { "is not below" };
            all.last_mut().into_iter().for_each(|row| row.culprits.push(says.to_owned()));
            all.push(row("none", at, 0, Quiet, ""));
            all
        }
        Kind::Above => {
            let mut all = handles(stage, at, true);
            if call.name == "dz_path" {
                all.push(no_child("not above it", second));
                all.last_mut().into_iter().for_each(|row| row.culprits.push(print_form(first)));
            }
            all.push(row("none", at, 0, if call.name == "dz_path" { Quiet } else { No }, ""));
            all
        }
        Kind::Place | Kind::TreeOrder => {
            [-1, if kind == Kind::Place { 4 } else { 2 }, 99, i32::MIN, i32::MAX]
                .map(|value: i32| {
                    let mut one = row(value.to_string(), at, value as u32 as u64, Error(DZ_ERR_ENUM), name);
                    one.culprits.push(value.to_string());
                    one
                })
                .into()
        }
        Kind::EntityName => {
            let bad = |label: &str, text: &[u8]| {
                pointing(label, at, words(text), DZ_ERR_NAME, vec![name.to_owned()])
            };
            let taken =
                pointing("a sibling's", at, words(b"second"), DZ_ERR_NAME_TAKEN, vec![print_form(second)]);
            let mut all = texts(at, name, row("NULL", at, 0, Done, ""));
            all.extend([bad("too long", &[b'x'; 256]), bad("not UTF-8", b"caf\xE9"), taken]);
            all
        }
        Kind::Path => {
            let mut all = texts(at, name, row("NULL", at, 0, Error(DZ_ERR_NULL_POINTER), name));
            for path in [&b"nobody"[..], b"first.", b".first", b"first..second", b"caf\xE9"] {
                let mut unknown = pointing("unknown", at, words(path), DZ_OK, vec![]);
                unknown.expect = No;
                all.push(unknown);
            }
            all
        }
        Kind::Separator => texts(at, name, row("NULL", at, 0, Quiet, "")),
        Kind::Flag => {
            let same = if call.name == "dz_set_base" { 0 } else { 1 };
            vec![row("as it is", at, same, Answer(DZ_NOTHING_TO_DO), "")]
        }
        Kind::Owned => {
            let mut all = super::kinds::handles(stage, call, Kind::Part);
            all.retain(|wrong| wrong.handle != stage.idle);
            let mut rows: Vec<_> = all
                .into_iter()
                .map(|wrong| Misuse {
                    label: wrong.label.into(),
                    replace: vec![(at, wrong.handle)],
                    expect: Error(wrong.status),
                    culprits: wrong.culprits,
                    _keep: vec![],
                })
                .collect();
            rows.push(row(
                "one that it lacks",
                at,
                stage.idle,
                Error(DZ_ERR_NOT_HELD),
                &print_form(stage.idle),
            ));
            rows
        }
        _ => unreachable!("{kind:?} is another file's"),
    }
}
