//! Lists of the public structs and enums, for the tests that compare them with dz_abi_describe: C has no way to list the
//! fields of a struct, and Odin none to list the types of a package.

use cbindgen::Bindings;
use cbindgen::ir::ItemContainer;

/// A struct or an enum, and the names of its fields or values.
#[derive(Debug, PartialEq)]
pub struct Row {
    pub is_enum: bool,
    pub name: String,
    pub parts: Vec<String>,
}

/// What is declared, in the order of the header: enums, then structs.
pub fn rows(bindings: &Bindings) -> Vec<Row> {
    let row = |item: &ItemContainer| match item {
        ItemContainer::Struct(item) => Some(Row {
            is_enum: false,
            name: item.export_name.clone(),
            parts: item.fields.iter().map(|field| field.name.clone()).collect(),
        }),
        ItemContainer::Enum(item) => Some(Row {
            is_enum: true,
            name: item.export_name.clone(),
            parts: item.variants.iter().map(|variant| variant.export_name.clone()).collect(),
        }),
        _ => None,
    };
    let mut rows: Vec<_> = bindings.items.iter().filter_map(row).collect();
    rows.sort_by_key(|row| !row.is_enum);
    rows
}

/// c_tests/abi_rows.h.
pub fn for_c(bindings: &Bindings) -> String {
    let mut text = String::from(
        "/* The public structs and enums, for whoever defines STRUCT, FIELD, ENUM and VALUE. Generated from src/ffi with the C\n \
         * header; written anew by `cargo test --test header -- --ignored`. */\n",
    );
    for row in rows(bindings) {
        let count = row.parts.len();
        let (whole, part) = if row.is_enum { ("ENUM", "VALUE") } else { ("STRUCT", "FIELD") };
        text += &format!("{whole}({}, {count})\n", row.name);
        for name in &row.parts {
            text += &format!("{part}({}, {name})\n", row.name);
        }
    }
    text
}

/// bindings/odin/tests/raw_types.odin.
pub fn for_odin(bindings: &Bindings) -> String {
    let list = |enums: bool| -> String {
        let of_kind = rows(bindings).into_iter().filter(|row| row.is_enum == enums);
        of_kind.map(|row| format!("    dz.{},\n", row.name)).collect()
    };
    format!(
        "// The structs and enums of raw.odin. Generated from src/ffi with the C header; written anew by
// `cargo test --test header -- --ignored`.
package tests

import dz \"..\"

STRUCTS := [?]typeid {{
{}}}

ENUMS := [?]typeid {{
{}}}
",
        list(false),
        list(true)
    )
}
