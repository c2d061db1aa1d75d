//! The declarations for Zig.

use super::language::{self, Language, Param};
use cbindgen::Bindings;
use cbindgen::ir::Type;

struct Zig;

/// Words of Zig that can't be names.
const WORDS: [&str; 10] = ["type", "error", "test", "align", "and", "or", "var", "fn", "opaque", "suspend"];

fn name(name: &str) -> String {
    if WORDS.contains(&name) { format!("@\"{name}\"") } else { name.to_owned() }
}

fn of(of: &Type) -> String {
    match of {
        Type::Primitive(kind) if language::is_void(of) => unreachable!("{kind:?} by itself is no type"),
        Type::Primitive(kind) => language::number(kind).to_owned(),
        Type::Path(path) => path.export_name().to_owned(),
        Type::Array(element, length) => format!("[{}]{}", language::length(length), self::of(element)),
        Type::Ptr { ty, is_const, .. } => {
            let constant = if *is_const { "const " } else { "" };
            if language::is_void(ty) {
                format!("?*{constant}anyopaque")
            } else {
                // Of one or of many, and NULL where the documentation says so: C doesn't tell them apart.
                format!("[*c]{constant}{}", self::of(ty))
            }
        }
        Type::FuncPtr { ret, args, .. } => {
            let params: Vec<_> = args
                .iter()
                .map(|(name, of)| (name.clone().unwrap_or_else(|| "_".into()), of.clone()))
                .collect();
            format!("?*const fn ({}) callconv(.c) {}", self::params(&params), result(ret))
        }
    }
}

fn result(result: &Type) -> String {
    if language::is_void(result) { "void".into() } else { of(result) }
}

fn params(params: &[Param]) -> String {
    params.iter().map(|(param, kind)| format!("{}: {}", name(param), of(kind))).collect::<Vec<_>>().join(", ")
}

impl Language for Zig {
    const COMMENT: &'static str = "///";
    const INDENT: &'static str = "    ";

    fn constant(&self, name: &str, kind: &Type, value: &str) -> String {
        format!("pub const {name}: {} = {value};", of(kind))
    }

    fn enumeration(&self, name: &str, variants: &str) -> String {
        // Not exhaustive: a later library may have more.
        format!("pub const {name} = enum(i32) {{\n{variants}    _,\n}};")
    }

    fn variant(&self, name: &str, value: &str) -> String {
        format!("{name} = {value},")
    }

    fn structure(&self, name: &str, fields: &str) -> String {
        format!("pub const {name} = extern struct {{\n{fields}}};")
    }

    fn field(&self, field: &str, kind: &Type) -> String {
        format!("{}: {},", name(field), of(kind))
    }

    fn alias(&self, name: &str, kind: &Type) -> String {
        format!("pub const {name} = {};", of(kind))
    }

    fn function(&self, name: &str, params: &[Param], ret: &Type) -> String {
        format!("pub extern fn {name}({}) {};", self::params(params), result(ret))
    }

    fn functions(&self, functions: &str) -> String {
        functions.to_owned()
    }
}

/// bindings/zig/src/raw.zig.
pub fn write(bindings: &Bindings, inline_header: &str) -> String {
    let missing = language::not_there(inline_header, "//!");
    let text = language::declarations(bindings, &Zig);
    format!(
        "//! denizen's C functions and types. MIT OR Apache-2.0.
//!
//! Generated from src/ffi with the C header, whose first lines say how to read this documentation; written anew by
//! `cargo test --test header -- --ignored`. Where the ABI has an int32_t for an enum of these, pass @backingInt.
//!
//! Not here, because C has them as macros and inline functions (include/denizen/denizen_inline.h):
{missing}{text}"
    )
}
