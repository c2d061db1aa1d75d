//! The declarations for Odin.

use super::language::{self, Language, Param};
use cbindgen::Bindings;
use cbindgen::ir::{PrimitiveType, Type};

struct Odin<'a> {
    structs: &'a [String],
}

/// Words of Odin that can't be names.
const WORDS: [&str; 10] =
    ["in", "not_in", "map", "proc", "context", "dynamic", "matrix", "using", "when", "where"];

fn name(name: &str) -> String {
    if WORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

impl Odin<'_> {
    fn of(&self, of: &Type) -> String {
        match of {
            Type::Primitive(kind) if language::is_void(of) => unreachable!("{kind:?} by itself is no type"),
            Type::Primitive(kind) => language::number(kind).replace("usize", "uint"),
            Type::Path(path) => path.export_name().to_owned(),
            Type::Array(element, length) => format!("[{}]{}", language::length(length), self.of(element)),
            Type::Ptr { ty, .. } if language::is_void(ty) => "rawptr".into(),
            Type::Ptr { ty, is_const: true, .. } if matches!(**ty, Type::Primitive(PrimitiveType::Char)) => {
                "cstring".into()
            }
            Type::Ptr { ty, .. } => {
                // The two convert to each other; only ^ has fields, only [^] has elements.
                let one = matches!(&**ty, Type::Path(path) if self.structs.iter().any(|name| name == path.export_name()));
                format!("{}{}", if one { "^" } else { "[^]" }, self.of(ty))
            }
            Type::FuncPtr { ret, args, .. } => {
                let params: Vec<_> = args
                    .iter()
                    .map(|(name, of)| (name.clone().unwrap_or_else(|| "_".into()), of.clone()))
                    .collect();
                format!("proc \"c\" ({}){}", self.params(&params), self.result(ret))
            }
        }
    }

    fn result(&self, result: &Type) -> String {
        if language::is_void(result) { String::new() } else { format!(" -> {}", self.of(result)) }
    }

    fn params(&self, params: &[Param]) -> String {
        params
            .iter()
            .map(|(param, of)| format!("{}: {}", name(param), self.of(of)))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl Language for Odin<'_> {
    const COMMENT: &'static str = "//";
    const INDENT: &'static str = "\t";

    fn constant(&self, name: &str, of: &Type, value: &str) -> String {
        format!("{name}: {} : {value}", self.of(of))
    }

    fn enumeration(&self, name: &str, variants: &str) -> String {
        format!("{name} :: enum i32 {{\n{variants}}}")
    }

    fn variant(&self, name: &str, value: &str) -> String {
        format!("{name} = {value},")
    }

    fn structure(&self, name: &str, fields: &str) -> String {
        format!("{name} :: struct {{\n{fields}}}")
    }

    fn field(&self, field: &str, of: &Type) -> String {
        format!("{}: {},", name(field), self.of(of))
    }

    fn alias(&self, name: &str, of: &Type) -> String {
        // An alias of a procedure type is spelled so; of any other it is just a constant.
        let what = if matches!(of, Type::FuncPtr { .. }) { "#type " } else { "" };
        format!("{name} :: {what}{}", self.of(of))
    }

    fn function(&self, name: &str, params: &[Param], result: &Type) -> String {
        format!("{name} :: proc({}){} ---", self.params(params), self.result(result))
    }

    fn functions(&self, functions: &str) -> String {
        let indented: String = functions
            .lines()
            .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{}{line}\n", Self::INDENT) })
            .collect();
        format!("\n@(default_calling_convention = \"c\")\nforeign lib {{{indented}}}\n")
    }
}

/// bindings/odin/raw.odin.
pub fn write(bindings: &Bindings, inline_header: &str) -> String {
    let structs = bindings.items.iter().filter_map(|item| match item {
        cbindgen::ir::ItemContainer::Struct(item) => Some(item.export_name.clone()),
        _ => None,
    });
    let structs: Vec<_> = structs.collect();
    let missing = language::not_there(inline_header, "//");
    let text = language::declarations(bindings, &Odin { structs: &structs });
    format!(
        "// denizen's C functions and types. MIT OR Apache-2.0.
//
// Generated from src/ffi with the C header, whose first lines say how to read this documentation; written anew by
// `cargo test --test header -- --ignored`. Where the ABI has an i32 for an enum of these, pass i32(value).
//
// Not here, because C has them as macros and inline functions (include/denizen/denizen_inline.h):
{missing}package denizen

foreign import lib {{ LIBRARY }} // library.odin
{text}"
    )
}
