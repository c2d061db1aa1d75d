//! Descriptors: every field of every struct that C hands in has its rows.

use crate::common::snapshot::Snapshot;
use crate::common::stage::Stage;
use crate::common::{LAYOUTS, component_desc, end, world_desc};
use crate::fits::HEADER;
use crate::kinds::Expect::{self, Done, Error};
use crate::{Report, judge, kinds, parse, still_works};
use denizen::ffi::component::dz_component_register;
use denizen::ffi::entity::dz_create_with;
use denizen::ffi::group::dz_group_create;
use denizen::ffi::types::dz_status::*;
use denizen::ffi::types::*;
use denizen::ffi::world::dz_world_create;
use std::ffi::{CStr, c_void};

/// A descriptor as a newer header might have it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Longer<T> {
    pub desc: T,
    pub tail: [u8; 64],
}

/// A row: the field, what is wrong with it, what comes of it, what the message names.
pub struct Row<T> {
    pub field: &'static str,
    pub label: &'static str,
    pub expect: Expect,
    pub culprit: &'static str,
    pub spoil: fn(&mut Longer<T>),
}

/// Makes one.
pub fn row<T>(
    field: &'static str,
    label: &'static str,
    expect: Expect,
    culprit: &'static str,
    spoil: fn(&mut Longer<T>),
) -> Row<T> {
    Row { field, label, expect, culprit, spoil }
}

/// Both layouts' worlds refuse these.
fn world_rows() -> Vec<Row<dz_world_desc>> {
    const SIZE: u32 = size_of::<dz_world_desc>() as u32;
    vec![
        row("size", "0", Error(DZ_ERR_DESC_SIZE), "size is 0", |it| it.desc.size = 0),
        row("size", "one too small", Error(DZ_ERR_DESC_SIZE), "size is", |it| it.desc.size = SIZE - 1),
        row("size", "far too large", Error(DZ_ERR_DESC_SIZE), "size is", |it| it.desc.size = u32::MAX),
        row("size", "too large, and more is asked for", Error(DZ_ERR_DESC_TAIL), "are not zero", |it| {
            it.desc.size = SIZE + 64;
            it.tail[63] = 1;
        }),
        row("size", "larger, and nothing more is asked for", Done, "", |it| it.desc.size = SIZE + 64),
        row("size", "larger, and what follows is not looked at", Done, "", |it| {
            it.desc.size = SIZE + 8;
            it.tail[8] = 1;
        }),
        row("layout", "-1", Error(DZ_ERR_ENUM), "layout has no value -1", |it| it.desc.layout = -1),
        row("layout", "99", Error(DZ_ERR_ENUM), "layout has no value 99", |it| it.desc.layout = 99),
        row("recycling", "-1", Error(DZ_ERR_ENUM), "recycling has no value -1", |it| it.desc.recycling = -1),
        row("recycling", "2", Error(DZ_ERR_ENUM), "recycling has no value 2", |it| it.desc.recycling = 2),
        row("overflow", "99", Error(DZ_ERR_ENUM), "overflow has no value 99", |it| it.desc.overflow = 99),
        row("overflow", "least", Error(DZ_ERR_ENUM), "overflow", |it| it.desc.overflow = i32::MIN),
        row("capacity", "more than can be", Error(DZ_ERR_COUNT), "capacity", |it| {
            it.desc.capacity = u32::MAX
        }),
        row("capacity", "more than the world allows", Error(DZ_ERR_COUNT), "0 to 744", |it| {
            it.desc.max_entities = 1000;
            it.desc.capacity = 1000;
        }),
        row(
            "max_entities",
            "no room beside the components",
            Error(DZ_ERR_RANGE),
            "is 100, but must be 101 to",
            |it| {
                it.desc.reserved_components = 100;
                it.desc.max_entities = 100;
            },
        ),
        row("max_entities", "more than the layout has", Error(DZ_ERR_RANGE), "max_entities", |it| {
            it.desc.layout = dz_layout::DZ_LAYOUT_32 as i32;
            it.desc.max_entities = 1 << 20;
        }),
        row("max_entities", "one", Done, "", |it| it.desc.max_entities = 1),
        row("reserved_components", "too many", Error(DZ_ERR_RANGE), "must be 0 to 65536", |it| {
            it.desc.reserved_components = 65_537;
        }),
        row("reserved_components", "the most", Done, "", |it| it.desc.reserved_components = 65_536),
        row("reserved_components", "none", Done, "", |it| it.desc.reserved_components = DZ_RESERVE_NONE),
        row("instructions", "unknown", Error(DZ_ERR_ENUM), "instructions", |it| it.desc.instructions = 4),
        row("instructions", "negative", Error(DZ_ERR_ENUM), "instructions", |it| it.desc.instructions = -1),
        row("byte_budget", "1", Error(DZ_ERR_BUDGET), "budget", |it| it.desc.byte_budget = 1),
        row("allocator", "only allocate", Error(DZ_ERR_ALLOCATOR), "allocate", |it| {
            it.desc.allocator.allocate = Some(none)
        }),
        row("allocator", "only free", Error(DZ_ERR_ALLOCATOR), "free", |it| {
            it.desc.allocator.free = Some(give)
        }),
        row("allocator", "only reallocate", Error(DZ_ERR_ALLOCATOR), "allocate", |it| {
            it.desc.allocator.reallocate = Some(change);
        }),
        row("allocator", "that has nothing", Error(DZ_ERR_OUT_OF_MEMORY), "out of memory", |it| {
            it.desc.allocator.allocate = Some(none);
            it.desc.allocator.free = Some(give);
        }),
        // Nothing can be wrong with these: they are called, or handed back, as they are.
        row("log", "a function", Done, "", |it| it.desc.log = Some(log)),
        row("log_user", "anything", Done, "", |it| it.desc.log_user = std::ptr::dangling_mut()),
        row("user", "anything", Done, "", |it| it.desc.user = std::ptr::dangling_mut()),
    ]
}

unsafe extern "C" fn none(_: usize, _: usize, _: *mut c_void) -> *mut c_void {
    std::ptr::null_mut()
}

unsafe extern "C" fn give(_: *mut c_void, _: usize, _: usize, _: *mut c_void) {}

unsafe extern "C" fn change(_: *mut c_void, _: usize, _: usize, _: usize, _: *mut c_void) -> *mut c_void {
    std::ptr::null_mut()
}

unsafe extern "C" fn log(_: dz_status, _: *const std::ffi::c_char, _: *mut c_void) {}

const LONG: &CStr = unsafe { CStr::from_bytes_with_nul_unchecked(&LONG_BYTES) };
const LONG_BYTES: [u8; 257] = {
    let mut bytes = [b'x'; 257];
    bytes[256] = 0;
    bytes
};

fn component_rows() -> Vec<Row<dz_component_desc>> {
    const SIZE: u32 = size_of::<dz_component_desc>() as u32;
    let alignment = Error(DZ_ERR_ALIGNMENT);
    vec![
        row("size", "0", Error(DZ_ERR_DESC_SIZE), "size is 0", |it| it.desc.size = 0),
        row("size", "one too small", Error(DZ_ERR_DESC_SIZE), "size is", |it| it.desc.size = SIZE - 1),
        row("size", "far too large", Error(DZ_ERR_DESC_SIZE), "size is", |it| it.desc.size = 1 << 20),
        row("size", "too large, and more is asked for", Error(DZ_ERR_DESC_TAIL), "are not zero", |it| {
            it.desc.size = SIZE + 64;
            it.tail[0] = 1;
        }),
        row("size", "larger, and nothing more is asked for", Done, "", |it| it.desc.size = SIZE + 64),
        row("policy", "-1", Error(DZ_ERR_ENUM), "policy has no value -1", |it| it.desc.policy = -1),
        row("policy", "2", Error(DZ_ERR_ENUM), "policy has no value 2", |it| it.desc.policy = 2),
        row("policy", "of a known component, changed", Error(DZ_ERR_SHAPE), "policy stable", |it| {
            it.desc.name = c"Position".as_ptr();
            (it.desc.element_size, it.desc.element_alignment, it.desc.policy) = (8, 4, 1);
        }),
        row("name", "NULL", Error(DZ_ERR_NULL_POINTER), "name", |it| it.desc.name = std::ptr::null()),
        row("name", "empty", Error(DZ_ERR_NAME), "name", |it| it.desc.name = c"".as_ptr()),
        row("name", "too long", Error(DZ_ERR_NAME), "name", |it| it.desc.name = LONG.as_ptr()),
        row("name", "not UTF-8", Error(DZ_ERR_NAME), "name", |it| it.desc.name = c"\xC3(".as_ptr()),
        row("element_size", "over 1 MiB", Error(DZ_ERR_RANGE), "element_size", |it| {
            it.desc.element_size = (1 << 20) + 4
        }),
        row("element_size", "the most", Error(DZ_ERR_RANGE), "element_size", |it| {
            it.desc.element_size = u32::MAX - 3
        }),
        row("element_size", "1 MiB", Done, "", |it| it.desc.element_size = 1 << 20),
        row(
            "element_size",
            "of a known component, changed",
            Error(DZ_ERR_SHAPE),
            "size 8, alignment 4",
            |it| {
                it.desc.name = c"Position".as_ptr();
                (it.desc.element_size, it.desc.element_alignment) = (24, 4);
            },
        ),
        row("element_size", "of a known component, both are said", Error(DZ_ERR_SHAPE), "size 24", |it| {
            it.desc.name = c"Position".as_ptr();
            (it.desc.element_size, it.desc.element_alignment) = (24, 4);
        }),
        row(
            "element_size",
            "of the built-in component, changed",
            Error(DZ_ERR_SHAPE),
            "\"Component\"",
            |it| {
                it.desc.name = c"Component".as_ptr();
            },
        ),
        row("element_alignment", "3", alignment, "alignment 3", |it| it.desc.element_alignment = 3),
        row("element_alignment", "8192", alignment, "alignment 8192", |it| {
            (it.desc.element_size, it.desc.element_alignment) = (8192, 8192);
        }),
        row("element_alignment", "doesn't divide the size", alignment, "alignment 8", |it| {
            it.desc.element_alignment = 8
        }),
        row("element_alignment", "0 is 1", Done, "", |it| it.desc.element_alignment = 0),
        row("element_alignment", "of a known component, changed", Error(DZ_ERR_SHAPE), "alignment 2", |it| {
            it.desc.name = c"Position".as_ptr();
            (it.desc.element_size, it.desc.element_alignment) = (8, 2);
        }),
        // Nothing can be wrong with these; hooks that fail are another test.
        row("hooks", "any function", Done, "", |it| it.desc.hooks.user = std::ptr::dangling_mut()),
    ]
}

/// Every field of a struct has rows.
pub fn check_fields(name: &str, rows: &[&'static str]) {
    for field in parse::fields(HEADER, name) {
        assert!(rows.contains(&field.name.as_str()), "{name}.{} has no rows", field.name);
    }
}

#[test]
fn world_descriptors() {
    let mut report = Report::default();
    let rows = world_rows();
    check_fields("dz_world_desc", &rows.iter().map(|row| row.field).collect::<Vec<_>>());
    // dz_allocator's functions are the rows of `allocator`; its user pointer is handed back.
    assert_eq!(parse::fields(HEADER, "dz_allocator").len(), 4);
    for layout in LAYOUTS {
        for row in &rows {
            let mut desc = Longer { desc: world_desc(layout), tail: [0; 64] };
            (row.spoil)(&mut desc);
            let result = judge("dz_world_create", row.expect, &[row.culprit.to_owned()], || {
                let world = unsafe { dz_world_create(&desc.desc) };
                if world.bits != 0 {
                    end(world);
                }
                (None, world.bits == 0)
            });
            report.row(&format!("dz_world_desc.{}, {layout:?}: {}", row.field, row.label), result);
        }
    }
    report.end();
}

#[test]
fn component_descriptors() {
    let mut report = Report::default();
    let rows = component_rows();
    check_fields("dz_component_desc", &rows.iter().map(|row| row.field).collect::<Vec<_>>());
    for layout in LAYOUTS {
        for row in &rows {
            let stage = Stage::new(layout);
            let before = Snapshot::of(stage.world);
            let mut desc = Longer { desc: component_desc(c"New", 12, 4), tail: [0; 64] };
            (row.spoil)(&mut desc);
            let result = judge("dz_component_register", row.expect, &[row.culprit.to_owned()], || {
                let id = unsafe { dz_component_register(stage.world, &desc.desc) };
                (None, id == 0)
            });
            let changed = before.difference(&Snapshot::of(stage.world)).filter(|_| row.expect != Done);
            let result = result.and(changed.map_or(Ok(()), Err)).and_then(|()| still_works(&stage));
            report.row(&format!("dz_component_desc.{}, {layout:?}: {}", row.field, row.label), result);
        }
    }
    report.end();
}

/// A row: the field, what is wrong with it, what comes of it, what the message names, and the descriptor.
type GroupRow = (&'static str, &'static str, Expect, String, Longer<dz_group_desc>);

static MANY: [dz_id; 64] = [0; 64];

fn group_rows(stage: &Stage) -> Vec<GroupRow> {
    const SIZE: u32 = size_of::<dz_group_desc>() as u32;
    let mut rows = Vec::new();
    let mut row = |field, label, expect, culprit: &str, spoil: &dyn Fn(&mut Longer<dz_group_desc>)| {
        let mut desc = Longer { desc: stage.room.group, tail: [0; 64] };
        spoil(&mut desc);
        rows.push((field, label, expect, culprit.to_owned(), desc));
    };
    // Ids that outlive the rows: these are looked at when the row runs.
    let keep = |ids: &[dz_id]| ids.to_vec().leak().as_ptr();
    row("size", "0", Error(DZ_ERR_DESC_SIZE), "size is 0", &|it| it.desc.size = 0);
    row("size", "one too small", Error(DZ_ERR_DESC_SIZE), "size is", &|it| it.desc.size = SIZE - 1);
    row("size", "too large, and more is asked for", Error(DZ_ERR_DESC_TAIL), "are not zero", &|it| {
        it.desc.size = SIZE + 64;
        it.tail[0] = 1;
    });
    row("size", "larger, and nothing more is asked for", Done, "", &|it| it.desc.size = SIZE + 64);
    let none = Error(DZ_ERR_RANGE);
    row("owned_count", "0, and nothing included", none, "members have", &|it| it.desc.owned_count = 0);
    row("owned_count", "0, and only excluded", none, "members have", &|it| {
        it.desc.owned_count = 0;
        (it.desc.excluded_count, it.desc.excluded) = (1, keep(&[stage.idle]));
    });
    for (label, count) in [("33", 33), ("the most", u32::MAX)] {
        let many = Error(DZ_ERR_COUNT);
        row("owned_count", label, many, "number of components", &|it| it.desc.owned_count = count);
        row("included_count", label, many, "number of components", &|it| {
            (it.desc.included_count, it.desc.included) = (count, MANY.as_ptr());
        });
        row("excluded_count", label, many, "number of components", &|it| {
            (it.desc.excluded_count, it.desc.excluded) = (count, MANY.as_ptr());
        });
    }
    let null = Error(DZ_ERR_NULL_POINTER);
    row("owned", "NULL", null, "owned", &|it| it.desc.owned = std::ptr::null());
    row("included", "NULL", null, "included", &|it| {
        (it.desc.included_count, it.desc.included) = (1, std::ptr::null());
    });
    row("excluded", "NULL", null, "excluded", &|it| {
        (it.desc.excluded_count, it.desc.excluded) = (1, std::ptr::null());
    });
    row("included", "NULL for none", Done, "", &|it| it.desc.included = std::ptr::null());
    row("reserved", "not zero", none, "reserved", &|it| it.desc.reserved = 1);
    let call = crate::common::calls::call("dz_add");
    for bad in kinds::handles(stage, call, crate::common::calls::Kind::Part) {
        let ids = keep(&[bad.handle]);
        let culprit = bad.culprits.last().cloned().unwrap_or_default();
        row("owned", bad.label, Error(bad.status), &culprit, &|it| {
            (it.desc.owned_count, it.desc.owned) = (1, ids);
        });
        row("included", bad.label, Error(bad.status), &culprit, &|it| {
            (it.desc.included_count, it.desc.included) = (1, ids);
        });
        row("excluded", bad.label, Error(bad.status), &culprit, &|it| {
            (it.desc.excluded_count, it.desc.excluded) = (1, ids);
        });
    }
    let twice = Error(DZ_ERR_DUPLICATE);
    row("owned", "twice", twice, "owned", &|it| it.desc.owned = keep(&[stage.idle, stage.idle]));
    row("included", "owned too", twice, "included", &|it| {
        (it.desc.included_count, it.desc.included) = (1, keep(&[stage.idle]));
    });
    row("excluded", "owned too", twice, "excluded", &|it| {
        (it.desc.excluded_count, it.desc.excluded) = (1, keep(&[stage.position]));
    });
    row("owned", "a stable component", Error(DZ_ERR_POLICY), "\"Body\"", &|it| {
        it.desc.owned = keep(&[stage.position, stage.body]);
    });
    let conflict = format!("G:{}", stage.group.bits);
    row("owned", "a component of a group that is not nested", Error(DZ_ERR_OWNED), &conflict, &|it| {
        it.desc.owned = keep(&[stage.tag, stage.position]);
    });
    row("owned", "the same as a group has", Done, "", &|it| {
        (it.desc.owned_count, it.desc.owned) = (1, keep(&[stage.tag]));
    });
    rows
}

#[test]
fn group_descriptors() {
    let mut report = Report::default();
    for layout in LAYOUTS {
        let count = group_rows(&Stage::quick(layout)).len();
        for at in 0..count {
            let stage = Stage::quick(layout);
            let (field, label, expect, culprit, desc) = group_rows(&stage).swap_remove(at);
            if label == "retired" {
                continue; // A quick stage has none.
            }
            let before = Snapshot::of(stage.world);
            let result = judge("dz_group_create", expect, &[culprit], || {
                let group = unsafe { dz_group_create(stage.world, &desc.desc) };
                (None, group.bits == 0)
            });
            let changed = before.difference(&Snapshot::of(stage.world)).filter(|_| expect != Done);
            let result = result.and(changed.map_or(Ok(()), Err)).and_then(|()| still_works(&stage));
            report.row(&format!("dz_group_desc.{field}, {layout:?}: {label}"), result);
        }
        let rows = group_rows(&Stage::quick(layout));
        check_fields("dz_group_desc", &rows.iter().map(|row| row.0).collect::<Vec<_>>());
    }
    report.end();
}

/// A row: the field, what is wrong with it, what comes of it, what the message names, and the columns.
type ColumnRow = (&'static str, String, Expect, Vec<String>, [dz_column; 2]);

fn column_rows(stage: &Stage) -> Vec<ColumnRow> {
    let good = stage.room.columns;
    let column = |change: &dyn Fn(&mut dz_column)| {
        let mut columns = good;
        change(&mut columns[0]);
        columns
    };
    let call = crate::common::calls::call("dz_add");
    let bad = kinds::handles(stage, call, crate::common::calls::Kind::Part);
    let mut rows: Vec<_> = bad
        .into_iter()
        .map(|bad| {
            let columns = column(&|it| it.id = bad.handle);
            ("id", bad.label.to_owned(), Error(bad.status), bad.culprits, columns)
        })
        .collect();
    let mut more = |field, label: &str, expect, culprit: &str, columns| {
        rows.push((field, label.to_owned(), expect, vec![culprit.to_owned()], columns));
    };
    more("id", "twice", Error(DZ_ERR_DUPLICATE), &crate::common::print_form(stage.position), [good[0]; 2]);
    more("values", "NULL is zeros", Done, "", column(&|it| it.values = std::ptr::null()));
    for size in [0, 7, 9, u32::MAX] {
        let said = format!("size 8, not {size}");
        more("element_size", &said, Error(DZ_ERR_SIZE), "\"Position\"", column(&|it| it.element_size = size));
    }
    let mut tag = good;
    tag[1].element_size = 4;
    more("element_size", "data for a tag", Error(DZ_ERR_SIZE), "\"Frozen\"", tag);
    more("reserved", "not zero", Error(DZ_ERR_RANGE), "reserved", column(&|it| it.reserved = 1));
    rows
}

/// M29, and each field of a column.
#[test]
fn m29_columns() {
    let mut report = Report::default();
    for layout in LAYOUTS {
        let stage = Stage::new(layout);
        let rows = column_rows(&stage);
        check_fields("dz_column", &rows.iter().map(|row| row.0).collect::<Vec<_>>());
        let mut before = Snapshot::of(stage.world);
        for (field, label, expect, culprits, columns) in rows {
            for n in [1, 3] {
                let mut made = [7; 3];
                let result = judge("dz_create_with", expect, &culprits, || {
                    let status =
                        unsafe { dz_create_with(stage.world, n, columns.as_ptr(), 2, made.as_mut_ptr()) };
                    (Some(status), (status as i32) < 0)
                });
                let untouched = expect == Done || made == [7; 3];
                let mut result = result.and(if untouched { Ok(()) } else { Err("wrote to entities".into()) });
                let after = Snapshot::of(stage.world);
                if expect == Done {
                    before = after;
                } else {
                    let changed = before.difference(&after);
                    result = result.and(changed.map_or(Ok(()), Err));
                }
                report.row(&format!("dz_column.{field}, {layout:?}, {n} entities: {label}"), result);
            }
        }
        report.row("dz_create_with", still_works(&stage));
    }
    report.end();
}
