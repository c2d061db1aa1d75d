//! Declarations for other languages, from the same parse that the C header is written from: what is common to them.

use cbindgen::Bindings;
use cbindgen::ir::{ConstExpr, Documentation, Field, ItemContainer, Literal, PrimitiveType, Type};

/// A name and its type, of a parameter.
pub type Param = (String, Type);

/// How a language writes a declaration. Each begins and ends at the beginning of a line.
pub trait Language {
    /// The beginning of a line of a comment on what follows.
    const COMMENT: &'static str;
    /// What stands before a field or a variant.
    const INDENT: &'static str;

    fn constant(&self, name: &str, of: &Type, value: &str) -> String;
    /// `variants` are complete lines but for what `variant` makes of them.
    fn enumeration(&self, name: &str, variants: &str) -> String;
    fn variant(&self, name: &str, value: &str) -> String;
    /// `fields` are complete lines but for what `field` makes of them.
    fn structure(&self, name: &str, fields: &str) -> String;
    fn field(&self, name: &str, of: &Type) -> String;
    fn alias(&self, name: &str, of: &Type) -> String;
    fn function(&self, name: &str, params: &[Param], result: &Type) -> String;
    /// What stands around all functions.
    fn functions(&self, functions: &str) -> String;
}

/// All that the header declares.
pub fn declarations(bindings: &Bindings, language: &impl Language) -> String {
    let mut text = String::new();
    for constant in &bindings.constants {
        let item = language.constant(&constant.export_name, &constant.ty, &value(&constant.value));
        text += &documented(language, "", &constant.documentation, &item);
    }
    for item in &bindings.items {
        text += &self::item(language, item);
    }
    let functions = bindings.functions.iter().map(|function| {
        let params: Vec<_> = function
            .args
            .iter()
            .map(|arg| (arg.name.clone().expect("every parameter has a name"), arg.ty.clone()))
            .collect();
        let item = language.function(function.path.name(), &params, &function.ret);
        documented(language, "", &function.documentation, &item)
    });
    text + &language.functions(&functions.collect::<String>())
}

fn item(language: &impl Language, item: &ItemContainer) -> String {
    match item {
        ItemContainer::Enum(item) => {
            let variants = item.variants.iter().map(|variant| {
                let value = variant.discriminant.as_ref().map(value);
                let line =
                    language.variant(&variant.export_name, &value.expect("every value is written out"));
                indented(language, &variant.documentation, &line)
            });
            let text = language.enumeration(&item.export_name, &variants.collect::<String>());
            documented(language, "", &item.documentation, &text)
        }
        ItemContainer::Struct(item) => {
            let field = |field: &Field| {
                indented(language, &field.documentation, &language.field(&field.name, &field.ty))
            };
            let fields = item.fields.iter().map(field);
            let text = language.structure(&item.export_name, &fields.collect::<String>());
            documented(language, "", &item.documentation, &text)
        }
        ItemContainer::Typedef(item) => {
            documented(language, "", &item.documentation, &language.alias(&item.export_name, &item.aliased))
        }
        other => panic!("{} is of a kind that no binding knows", other.deref().export_name()),
    }
}

fn indented<L: Language>(language: &L, documentation: &Documentation, line: &str) -> String {
    let text = documented(language, L::INDENT, documentation, line);
    text.trim_start_matches('\n').to_owned()
}

fn documented<L: Language>(_: &L, indent: &str, documentation: &Documentation, item: &str) -> String {
    let comments = documentation.doc_comment.iter();
    let comments: String =
        comments.map(|line| format!("{}\n", format!("{indent}{}{line}", L::COMMENT).trim_end())).collect();
    format!("\n{comments}{indent}{item}\n")
}

/// A constant's value, as a number that any language reads.
pub fn value(literal: &Literal) -> String {
    match literal {
        Literal::Expr(number) => number.to_owned(),
        Literal::Path { associated_to: Some((_, of)), name } if of == "u32" && name == "MAX" => {
            u32::MAX.to_string()
        }
        Literal::PostfixUnaryOp { op, value: of } => format!("{op}{}", value(of)),
        other => panic!("{other:?} is no constant that every language reads"),
    }
}

/// How many elements an array has.
pub fn length(length: &ConstExpr) -> &str {
    length.as_str()
}

/// The name of a number's type, which Zig and Odin spell alike, as Rust does.
pub fn number(of: &PrimitiveType) -> &'static str {
    match of {
        PrimitiveType::Char => "u8",
        other => other.to_repr_rust(),
    }
}

pub fn is_void(of: &Type) -> bool {
    matches!(of, Type::Primitive(PrimitiveType::Void))
}

/// What C has as macros and inline functions, by the names they have in denizen_inline.h: a list in lines.
pub fn not_there(inline_header: &str, comment: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for line in inline_header.lines() {
        let name = match (line.strip_prefix("#define "), line.strip_prefix("static inline ")) {
            (Some(rest), _) => rest,
            (_, Some(rest)) => {
                rest.split('(').next().and_then(|head| head.rsplit([' ', '*']).next()).unwrap_or("")
            }
            _ => continue,
        };
        let name = name.split(['(', ' ']).next().unwrap_or("");
        if !name.ends_with('_') && !name.ends_with("_H") && !names.contains(&name) {
            names.push(name);
        }
    }
    let mut text = String::new();
    let mut line = comment.to_owned();
    for name in &names {
        if line.len() + name.len() > 100 {
            text += &format!("{line}\n");
            line = comment.to_owned();
        }
        line += &format!(" {name}");
    }
    format!("{text}{line}\n")
}
