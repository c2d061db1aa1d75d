//! The checked-in header, and the declarations for Zig and Odin, are what cbindgen's parse of src/ffi makes, and say the
//! same as the library.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)] // tests may use the global allocator

mod language;
mod odin;
mod rows;
mod zig;

use denizen::ffi::abi::dz_abi_describe;
use denizen::ffi::types::{
    DZ_NULL, DZ_RESERVE_NONE, DZ_VERSION_MAJOR, DZ_VERSION_MINOR, DZ_VERSION_PATCH, dz_status,
};
use denizen::ffi::world::{dz_status_name, dz_version};
use std::collections::BTreeSet;
use std::ffi::{CStr, c_char};
use std::fs;
use std::path::Path;
use std::slice;

/// The files of the boundary that C sees, in the order of the header.
const AREAS: [&str; 23] = [
    "types",
    "query_types",
    "pair_types",
    "tree_types",
    "world",
    "entity",
    "component",
    "access",
    "enable",
    "accessor",
    "bulk",
    "pair",
    "relation",
    "tree",
    "name",
    "describe",
    "instance",
    "listener",
    "iterate",
    "query",
    "group",
    "sort",
    "abi",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

const HEADER: &str = "include/denizen/denizen.h";

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

fn parse() -> cbindgen::Bindings {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("cbindgen.toml");
    let sources = AREAS.iter().map(|area| root().join(format!("src/ffi/{area}.rs")));
    let builder = sources.fold(cbindgen::Builder::new().with_config(config), cbindgen::Builder::with_src);
    builder.generate().expect("src/ffi is what cbindgen understands")
}

/// The generated files and their text, from one parse.
fn generate() -> [(&'static str, String); 5] {
    let bindings = parse();
    let mut text = Vec::new();
    bindings.write(&mut text);
    let inline_header = read("include/denizen/denizen_inline.h");
    [
        (HEADER, String::from_utf8(text).expect("the header is UTF-8")),
        ("bindings/zig/src/raw.zig", zig::write(&bindings, &inline_header)),
        ("bindings/odin/raw.odin", odin::write(&bindings, &inline_header)),
        ("bindings/odin/tests/raw_types.odin", rows::for_odin(&bindings)),
        ("c_tests/abi_rows.h", rows::for_c(&bindings)),
    ]
}

/// The first line in which two texts differ.
fn difference(is: &str, should_be: &str) -> Option<String> {
    // Line ends are git's business on Windows.
    let (mut old, mut new) = (is.lines(), should_be.lines());
    for line in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let (a, b) = (a.unwrap_or("(end)"), b.unwrap_or("(end)"));
                return Some(format!("line {line} is\n    {a}\nand should be\n    {b}"));
            }
        }
    }
    None
}

#[test]
fn what_is_checked_in_is_what_the_source_makes() {
    for (path, text) in generate() {
        if let Some(difference) = difference(&read(path), &text) {
            panic!("{path} is stale: {difference}\nwrite it anew: cargo test --test header -- --ignored");
        }
    }
}

/// The one command that writes them: `cargo test --test header -- --ignored`.
#[test]
#[ignore = "writes include/denizen/denizen.h, the declarations for Zig and Odin, and lists for tests"]
fn write_what_the_source_makes() {
    for (path, text) in generate() {
        let path = root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
}

/// A comparison that can't fail would prove nothing.
#[test]
fn the_comparison_can_fail() {
    let [(_, text), ..] = generate();
    assert_eq!(difference(&text, &text), None);
    assert_eq!(difference(&text.replace('\n', "\r\n"), &text), None);
    let changed = text.replacen("dz_create", "dz_make", 1);
    assert!(difference(&changed, &text).is_some_and(|said| said.contains("dz_make")));
    let cut = &text[..text.len() / 2];
    assert!(difference(cut, &text).is_some() && difference(&text, cut).is_some());
    assert!(difference("", &text).is_some());
}

/// Every file of the boundary that exports a function is given to cbindgen.
#[test]
fn no_exporting_file_is_left_out() {
    for file in fs::read_dir(root().join("src/ffi")).expect("src/ffi").map(|file| file.expect("file").path())
    {
        let text = fs::read_to_string(&file).expect("source");
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        assert!(
            !text.contains("no_mangle") || AREAS.contains(&name),
            "{name}.rs exports functions, but the header is not made from it"
        );
    }
}

fn defined(header: &str, name: &str) -> String {
    let line = header.lines().find_map(|line| line.strip_prefix(&format!("#define {name} ")));
    line.unwrap_or_else(|| panic!("{name} is not in the header")).to_owned()
}

#[test]
fn the_version_is_the_same_everywhere() {
    let header = read(HEADER);
    let parts = [
        ("MAJOR", DZ_VERSION_MAJOR, env!("CARGO_PKG_VERSION_MAJOR")),
        ("MINOR", DZ_VERSION_MINOR, env!("CARGO_PKG_VERSION_MINOR")),
        ("PATCH", DZ_VERSION_PATCH, env!("CARGO_PKG_VERSION_PATCH")),
    ];
    for (part, constant, package) in parts {
        assert_eq!(constant.to_string(), package, "DZ_VERSION_{part} and Cargo.toml");
        assert_eq!(defined(&header, &format!("DZ_VERSION_{part}")), package, "DZ_VERSION_{part}");
    }
    assert_eq!(dz_version(), DZ_VERSION_MAJOR << 16 | DZ_VERSION_MINOR << 8 | DZ_VERSION_PATCH);
    assert_eq!(defined(&header, "DZ_NULL"), DZ_NULL.to_string());
    assert_eq!((defined(&header, "DZ_RESERVE_NONE").as_str(), DZ_RESERVE_NONE), ("UINT32_MAX", u32::MAX));
}

/// The values of `enum dz_status` as the header has them.
fn statuses(header: &str) -> Vec<(String, i32)> {
    let from = header.find("enum dz_status").expect("enum dz_status");
    let body = &header[from..from + header[from..].find("};").expect("its end")];
    let line = |line: &str| {
        let (name, value) = line.trim().strip_suffix(',')?.split_once(" = ")?;
        Some((name.to_owned(), value.parse().expect("a number")))
    };
    body.lines().filter_map(line).collect()
}

fn text(constant: *const c_char) -> String {
    // SAFETY: a constant that ends with a zero.
    unsafe { CStr::from_ptr(constant) }.to_str().expect("UTF-8").to_owned()
}

fn name_of(status: i32) -> String {
    text(dz_status_name(status))
}

#[test]
fn every_status_has_its_name() {
    let header = read(HEADER);
    let statuses = statuses(&header);
    assert!(statuses.len() > 40, "the parse of the header finds the statuses");
    for (name, value) in &statuses {
        assert_eq!(&name_of(*value), name);
        assert_eq!(name.starts_with("DZ_ERR_"), *value < 0, "{name}: errors, and only they, are negative");
    }
    let values: BTreeSet<i32> = statuses.iter().map(|(_, value)| *value).collect();
    assert_eq!(values.len(), statuses.len(), "each status is different");
    // And no other value has a name.
    for value in (-200..200).chain([i32::MIN, i32::MAX]).filter(|value| !values.contains(value)) {
        assert_eq!(name_of(value), "DZ_UNKNOWN_STATUS", "{value}");
    }
}

/// A few by hand, so that the enum, the names and the header can't all be wrong together.
#[test]
fn statuses_keep_their_numbers() {
    let kept = [
        (dz_status::DZ_OK, 0, "DZ_OK"),
        (dz_status::DZ_ALREADY_THERE, 1, "DZ_ALREADY_THERE"),
        (dz_status::DZ_ERR_NULL_POINTER, -1, "DZ_ERR_NULL_POINTER"),
        (dz_status::DZ_ERR_DEAD, -12, "DZ_ERR_DEAD"),
        (dz_status::DZ_ERR_IN_HOOK, -39, "DZ_ERR_IN_HOOK"),
        (dz_status::DZ_ERR_OUT_OF_MEMORY, -50, "DZ_ERR_OUT_OF_MEMORY"),
        (dz_status::DZ_ERR_ALLOCATOR, -66, "DZ_ERR_ALLOCATOR"),
    ];
    for (status, number, name) in kept {
        assert_eq!((status as i32, name_of(number).as_str()), (number, name));
    }
}

/// What dz_abi_describe says: the names of structs and enums, and of their fields and values.
fn described() -> Vec<rows::Row> {
    // SAFETY: it says how many there are of each.
    unsafe {
        let abi = &*dz_abi_describe();
        let structs = slice::from_raw_parts(abi.structs, abi.struct_count as usize).iter().map(|one| {
            let fields = slice::from_raw_parts(one.fields, one.field_count as usize);
            let parts = fields.iter().map(|field| text(field.name)).collect();
            rows::Row { is_enum: false, name: text(one.name), parts }
        });
        let enums = slice::from_raw_parts(abi.enums, abi.enum_count as usize).iter().map(|one| {
            let values = slice::from_raw_parts(one.values, one.value_count as usize);
            let parts = values.iter().map(|value| text(value.name)).collect();
            rows::Row { is_enum: true, name: text(one.name), parts }
        });
        enums.chain(structs).collect()
    }
}

/// No public struct, field, enum or value is left out of the library's table, and they are in the header's order. That
/// sizes and offsets are right c_tests/test_abi.c shows.
#[test]
fn the_abi_describes_all_that_is_declared() {
    let (declared, described) = (rows::rows(&parse()), described());
    assert!(declared.len() > 30, "the parse finds them");
    for (declared, described) in declared.iter().zip(&described) {
        assert_eq!(described, declared, "dz_abi_describe, and what is declared");
    }
    assert_eq!(described.len(), declared.len(), "structs and enums");
}
