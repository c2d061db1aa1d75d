//! Descriptors of queries and their terms: every field has its rows.

use crate::common::snapshot::Snapshot;
use crate::common::stage::Stage;
use crate::common::{LAYOUTS, last, message, print_form};
use crate::descriptors::{Longer, Row, check_fields, row};
use crate::kinds::Expect::{self, Done, Error};
use crate::{Report, judge, kinds, still_works};
use denizen::ffi::query::{dz_query_create, dz_query_destroy};
use denizen::ffi::types::dz_status::*;
use denizen::ffi::types::*;

fn query_rows(stage: &Stage) -> Vec<Row<dz_query_desc>> {
    const SIZE: u32 = size_of::<dz_query_desc>() as u32;
    let mut rows: Vec<Row<dz_query_desc>> = vec![
        row("size", "0", Error(DZ_ERR_DESC_SIZE), "size is 0", |it| it.desc.size = 0),
        row("size", "one too small", Error(DZ_ERR_DESC_SIZE), "size is", |it| it.desc.size = SIZE - 1),
        row("size", "far too large", Error(DZ_ERR_DESC_SIZE), "size is", |it| it.desc.size = u32::MAX),
        row("size", "too large, and more is asked for", Error(DZ_ERR_DESC_TAIL), "are not zero", |it| {
            it.desc.size = SIZE + 64;
            it.tail[63] = 1;
        }),
        row("size", "larger, and nothing more is asked for", Done, "", |it| it.desc.size = SIZE + 64),
        row("term_count", "none", Error(DZ_ERR_NO_TERM), "no term asks", |it| it.desc.term_count = 0),
        row(
            "term_count",
            "one too many",
            Error(DZ_ERR_COUNT),
            "term_count is 33, but must be 0 to 32",
            |it| it.desc.term_count = 33,
        ),
        row("term_count", "far too many", Error(DZ_ERR_COUNT), "term_count", |it| {
            it.desc.term_count = u32::MAX
        }),
        row("term_count", "beside a text", Error(DZ_ERR_RANGE), "term_count", |it| {
            it.desc.text = c"Position".as_ptr()
        }),
        row("terms", "NULL", Error(DZ_ERR_NULL_POINTER), "terms", |it| it.desc.terms = std::ptr::null()),
        row("terms", "NULL, and none", Error(DZ_ERR_NO_TERM), "no term asks", |it| {
            (it.desc.terms, it.desc.term_count) = (std::ptr::null(), 0)
        }),
        row("text", "instead of terms", Done, "", |it| {
            (it.desc.text, it.desc.term_count) = (c"Position, !Frozen".as_ptr(), 0)
        }),
        row("text", "that is none", Error(DZ_ERR_SYNTAX), "column 12", |it| {
            (it.desc.text, it.desc.term_count) = (c"Position, [Frozen".as_ptr(), 0)
        }),
        row("order", "no entity", Error(DZ_ERR_ORDER), "", |it| it.desc.order = 0xDEAD_0000_0000),
        row("kept", "2", Error(DZ_ERR_RANGE), "kept is 2, but must be 0 or 1", |it| it.desc.kept = 2),
        row("kept", "1", Done, "", |it| it.desc.kept = 1),
        row("priority", "not kept", Error(DZ_ERR_RANGE), "priority must be 0 where kept is 0", |it| {
            it.desc.priority = -1
        }),
        row("priority", "of a kept one", Done, "", |it| (it.desc.kept, it.desc.priority) = (1, -1)),
        row("cascade", "2", Error(DZ_ERR_RANGE), "cascade", |it| it.desc.cascade = 2),
        row("cascade", "1 with an order", Error(DZ_ERR_RANGE), "cascade", |it| {
            it.desc.cascade = 1;
            it.desc.order = unsafe { (*it.desc.terms).id };
        }),
        row("bases", "2", Error(DZ_ERR_RANGE), "bases", |it| it.desc.bases = 2),
    ];
    // The descriptor's own first term; the second one is a without-term.
    rows.push(row("order", "of a with-term", Done, "", |it| it.desc.order = unsafe { (*it.desc.terms).id }));
    rows.push(row("order", "of a without-term", Error(DZ_ERR_ORDER), "\"Frozen\"", |it| {
        it.desc.order = unsafe { (*it.desc.terms.add(1)).id };
    }));
    if stage.layout == dz_layout::DZ_LAYOUT_64 {
        rows.push(row("order", "the null handle's neighbour", Error(DZ_ERR_ORDER), "", |it| {
            it.desc.order = 1
        }));
    }
    rows
}

#[test]
fn query_descriptors() {
    let mut report = Report::default();
    for layout in LAYOUTS {
        let stage = Stage::quick(layout);
        let rows = query_rows(&stage);
        check_fields("dz_query_desc", &rows.iter().map(|row| row.field).collect::<Vec<_>>());
        let before = Snapshot::of(stage.world);
        for row in &rows {
            let mut desc = Longer { desc: stage.room.query, tail: [0; 64] };
            (row.spoil)(&mut desc);
            let result = make_query(&stage, &desc.desc, row.expect, &[row.culprit.to_owned()]);
            let changed = before.difference(&Snapshot::of(stage.world));
            let result = result.and(changed.map_or(Ok(()), Err));
            report.row(&format!("dz_query_desc.{}, {layout:?}: {}", row.field, row.label), result);
        }
        report.row("dz_query_create", still_works(&stage));
    }
    report.end();
}

/// Makes a query, and ends it again.
fn make_query(
    stage: &Stage,
    desc: *const dz_query_desc,
    expect: Expect,
    culprits: &[String],
) -> Result<(), String> {
    let mut made = dz_query { bits: 0 };
    let judged = judge("dz_query_create", expect, culprits, || {
        made = unsafe { dz_query_create(stage.world, desc) };
        (None, made.bits == 0)
    });
    if made.bits != 0 {
        assert_eq!(dz_query_destroy(stage.world, made), DZ_OK);
    }
    judged
}

/// A row: the field, what is wrong with it, what comes of it, what the message names, and the terms.
type TermRow = (&'static str, String, Expect, Vec<String>, [dz_term; 2]);

fn term_rows(stage: &Stage) -> Vec<TermRow> {
    let good = stage.room.terms;
    let call = crate::common::calls::call("dz_has");
    let bad = kinds::handles(stage, call, crate::common::calls::Kind::PartRead);
    let mut rows: Vec<TermRow> = Vec::new();
    // A term may ask for a pair, an entity as a tag, one with a role.
    let fine = ["lowest role bit", "highest role bit", "a plain entity", "a pair"];
    let (fine, bad): (Vec<_>, Vec<_>) = bad.into_iter().partition(|bad| fine.contains(&bad.label));
    for bad in fine {
        let mut terms = good;
        terms[0].id = bad.handle;
        rows.push(("id", format!("is {}", bad.label), Done, vec![], terms));
    }
    let bad = bad.into_iter().map(|bad| super::pairs::all_ones_with_role(stage, bad));
    for (at, bad) in bad.flat_map(|bad| [(0, bad.clone()), (1, bad)]) {
        let mut terms = good;
        terms[at].id = bad.handle;
        rows.push(("id", format!("of term {at} is {}", bad.label), Error(bad.status), bad.culprits, terms));
    }
    let mut more = |field, label: &str, expect, culprit: &str, change: &dyn Fn(&mut [dz_term; 2])| {
        let mut terms = good;
        change(&mut terms);
        rows.push((field, label.to_owned(), expect, vec![culprit.to_owned()], terms));
    };
    let name = print_form(stage.position);
    more("id", "twice", Error(DZ_ERR_DUPLICATE), "terms[1]: component \"Position\"", &|terms| {
        terms[1].id = terms[0].id
    });
    more("id", "twice in one group", Error(DZ_ERR_DUPLICATE), &name, &|terms| {
        *terms = [dz_term { ask: 3, ..good[0] }; 2];
    });
    let builtin = Error(DZ_ERR_BUILTIN);
    more("id", "built in, to write", builtin, "\"Component\"", &|terms| terms[0].id = stage.builtin);
    more("id", "built in, to read", Done, "", &|terms| (terms[0].id, terms[0].access) = (stage.builtin, 1));
    more("id", "built in, without", Done, "", &|terms| (terms[1].id) = stage.builtin);
    for value in [-1, 4, 99, i32::MIN, i32::MAX] {
        let said = format!("ask has no value {value}");
        more("ask", &said, Error(DZ_ERR_ENUM), &said, &|terms| terms[0].ask = value);
        let said = format!("access has no value {value}");
        more("access", &said, Error(DZ_ERR_ENUM), &said, &|terms| terms[1].access = value);
    }
    more("ask", "nobody is asked for", Error(DZ_ERR_NO_TERM), "no term asks", &|terms| terms[0].ask = 1);
    more("ask", "nobody must be there", Error(DZ_ERR_NO_TERM), "no term asks", &|terms| terms[0].ask = 2);
    more("any_of", "too large", Error(DZ_ERR_RANGE), "any_of", &|terms| {
        (terms[0].ask, terms[0].any_of) = (3, 256)
    });
    more("any_of", "the largest", Done, "", &|terms| (terms[0].ask, terms[0].any_of) = (3, 255));
    more("any_of", "of another term", Error(DZ_ERR_RANGE), "any_of", &|terms| terms[0].any_of = 1);
    let stale = print_form(stage.bad.stale);
    more("target", "a dead one", Error(DZ_ERR_DEAD), &stale, &|terms| {
        (terms[0].id, terms[0].target) = (stage.likes, stage.bad.stale);
    });
    more("target", "any", Done, "", &|terms| (terms[0].id, terms[0].target) = (stage.likes, DZ_ANY));
    more("target", "of an any-of term", Error(DZ_ERR_RANGE), "any-of", &|terms| {
        (terms[0].id, terms[0].target, terms[0].ask) = (stage.likes, DZ_ANY, 3);
    });
    more("target", "any, of any relation", Error(DZ_ERR_RANGE), "id", &|terms| {
        (terms[0].id, terms[0].target) = (DZ_ANY, DZ_ANY);
    });
    // No id is no relation, not any of them.
    let null = Error(DZ_ERR_NULL_ENTITY);
    for (what, target, source) in [
        ("an entity as target", stage.likes, 0),
        ("any target", DZ_ANY, 0),
        ("a variable as target", DZ_ANY | 0x100, 0),
        ("another's as source", 0, stage.likes),
    ] {
        more("id", &format!("none, with {what}"), null, "terms[1]: the id is DZ_NULL", &|terms| {
            terms[1] = dz_term { id: 0, target, source, ..terms[1] };
        });
    }
    more("target", "a variable beyond the last", Error(DZ_ERR_RANGE), "target", &|terms| {
        (terms[0].id, terms[0].target) = (stage.likes, DZ_ANY | 0x108);
    });
    more("source", "a dead one", Error(DZ_ERR_DEAD), &stale, &|terms| terms[1].source = stage.bad.stale);
    more("source", "a variable that nothing binds", Error(DZ_ERR_RANGE), "variable", &|terms| {
        terms[1].source = DZ_ANY | 0x100;
    });
    more("source", "another's alone", Error(DZ_ERR_NO_TERM), "no term asks", &|terms| {
        terms[0].source = DZ_PARENT;
    });
    more("source", "the parent", Done, "", &|terms| terms[1].source = DZ_PARENT);
    more("reserved", "not zero", Error(DZ_ERR_RANGE), "terms[1]: reserved is 1, but must be 0", &|terms| {
        terms[1].reserved = 1
    });
    rows
}

#[test]
fn terms() {
    let mut report = Report::default();
    for layout in LAYOUTS {
        let stage = Stage::new(layout);
        let rows = term_rows(&stage);
        check_fields("dz_term", &rows.iter().map(|row| row.0).collect::<Vec<_>>());
        let before = Snapshot::of(stage.world);
        for (field, label, expect, culprits, terms) in rows {
            let desc = dz_query_desc { terms: terms.as_ptr(), ..stage.room.query };
            let result = make_query(&stage, &desc, expect, &culprits);
            let changed = before.difference(&Snapshot::of(stage.world));
            let result = result.and(changed.map_or(Ok(()), Err));
            report.row(&format!("dz_term.{field}, {layout:?}: {label}"), result);
        }
        report.row("dz_query_create", still_works(&stage));
    }
    report.end();
}

/// A world has room for so many queries.
#[test]
fn queries_are_counted() {
    for layout in LAYOUTS {
        let stage = Stage::quick(layout);
        let before = Snapshot::of(stage.world);
        let mut made = Vec::new();
        loop {
            let query = unsafe { dz_query_create(stage.world, &stage.room.query) };
            if query.bits == 0 {
                break;
            }
            assert!(!made.contains(&query));
            made.push(query);
        }
        // The stage has three of its own.
        assert_eq!((made.len(), last()), (4096 - 3, DZ_ERR_COUNT));
        assert!(message().contains("4097"), "{}", message());
        made.iter().for_each(|query| assert_eq!(dz_query_destroy(stage.world, *query), DZ_OK));
        assert_eq!(before.difference(&Snapshot::of(stage.world)), None);
    }
}
