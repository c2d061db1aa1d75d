//! The table has a row for every exported function and every parameter, of a kind that fits its type.

use crate::common::calls::{CALLS, Kind};
use crate::parse::{Function, functions};

/// The header as it is checked in.
pub const HEADER: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/include/denizen/denizen.h"));

fn fits(kind: Kind, of: &str) -> bool {
    let types: &[&str] = match kind {
        Kind::World | Kind::WorldTested | Kind::WorldHint => &["dz_world"],
        Kind::Plain | Kind::Entity | Kind::EntityTested | Kind::Unborn => &["dz_entity"],
        Kind::EntityParts => &["dz_entity", "dz_id"],
        Kind::PartRead | Kind::Part | Kind::DataRead | Kind::Data | Kind::Stable | Kind::Listened => {
            &["dz_id"]
        }
        Kind::Sorted | Kind::Term => &["dz_id"],
        Kind::AnyRead | Kind::Any | Kind::AnyDataRead | Kind::AnyData | Kind::Pair | Kind::Held => &["dz_id"],
        Kind::Relation | Kind::RelationData | Kind::RelationIdle | Kind::Target => &["dz_entity"],
        Kind::RelationDesc => &["const dz_relation_desc *"],
        Kind::Parent | Kind::Sibling | Kind::After | Kind::Above => &["dz_entity"],
        Kind::Place | Kind::TreeOrder => &["int32_t"],
        Kind::EntityName | Kind::Path | Kind::Separator => &["const char *"],
        Kind::Flag => &["bool"],
        Kind::Owned => &["dz_id"],
        Kind::Plains | Kind::Doomed | Kind::Entities | Kind::Unborns => &["const dz_entity *"],
        Kind::Columns => &["const dz_column *"],
        Kind::ColumnCount
        | Kind::N
        | Kind::NMade
        | Kind::NDifferent
        | Kind::Reserve
        | Kind::Size
        | Kind::Index => &["uint32_t"],
        Kind::Room | Kind::RoomSome => &["uint32_t"],
        Kind::Number => &["uint32_t", "int32_t"],
        Kind::Direction | Kind::Event | Kind::Mode => &["int32_t"],
        Kind::Value | Kind::Element => &["const void *"],
        Kind::User => &["void *"],
        Kind::Name | Kind::QueryText => &["const char *"],
        Kind::Function => &["dz_listener_fn"],
        Kind::Compare => &["dz_compare_fn"],
        Kind::Listener => &["dz_listener"],
        Kind::Iter | Kind::QueryIter => &["dz_iter *"],
        Kind::BatchIter => &["const dz_iter *"],
        Kind::InBatch => &["uint32_t"],
        Kind::Query | Kind::QueryRead | Kind::Kept => &["dz_query"],
        Kind::Accessor => &["const dz_accessor *"],
        Kind::QueryDesc => &["const dz_query_desc *"],
        Kind::PartNumber | Kind::Parts => &["uint32_t"],
        Kind::BatchFunction => &["dz_batch_fn"],
        Kind::Group => &["dz_group"],
        Kind::WorldDesc => &["const dz_world_desc *"],
        Kind::GroupDesc => &["const dz_group_desc *"],
        Kind::ComponentDesc => &["const dz_component_desc *"],
        Kind::Out | Kind::OutRoom | Kind::OutOptional => {
            let pointed = of.strip_suffix('*').map(str::trim).unwrap_or_default();
            return pointed == "const void *" || !pointed.is_empty() && !pointed.starts_with("const");
        }
    };
    types.contains(&of)
}

/// What the table and the declarations say differently.
fn differences(declared: &[Function]) -> Vec<String> {
    let mut all = Vec::new();
    for function in declared {
        let Some(call) = CALLS.iter().find(|call| call.name == function.name) else {
            all.push(format!("{} has no row in common/calls.rs", function.name));
            continue;
        };
        let names: Vec<_> = function.params.iter().map(|param| param.name.as_str()).collect();
        let rows: Vec<_> = call.params.iter().map(|(name, _)| *name).collect();
        if names != rows {
            all.push(format!("{} takes {names:?}, and its row says {rows:?}", function.name));
            continue;
        }
        for (param, (name, kind)) in function.params.iter().zip(call.params) {
            if !fits(*kind, &param.of) {
                all.push(format!(
                    "{}: {name} is a \"{}\", which {kind:?} doesn't fit",
                    function.name, param.of
                ));
            }
        }
    }
    let gone = |name: &&str| !declared.iter().any(|function| function.name == **name);
    all.extend(
        CALLS.iter().map(|call| call.name).filter(gone).map(|name| format!("{name} is not in the header")),
    );
    all
}

#[test]
fn every_function_and_parameter_has_rows() {
    let declared = functions(HEADER);
    assert_eq!(declared.len(), HEADER.matches("\nDZ_API").count(), "the parser finds every function");
    assert_eq!(differences(&declared), Vec::<String>::new());
}

/// A check that can't fail would prove nothing.
#[test]
fn a_new_function_or_parameter_is_noticed() {
    let new = |from: &str, to: &str| {
        let header = HEADER.replacen(from, to, 1);
        assert_ne!(header, HEADER, "{from} is in the header");
        differences(&functions(&header))
    };
    let function =
        new("DZ_API dz_entity dz_create(", "DZ_API void dz_new(void);\nDZ_API dz_entity dz_create(");
    assert!(function.len() == 1 && function[0].contains("dz_new"), "{function:?}");
    let parameter = new("dz_create(struct dz_world world", "dz_create(struct dz_world world, uint32_t more");
    assert!(parameter.len() == 1 && parameter[0].contains("dz_create"), "{parameter:?}");
    let kind = new("dz_world_number(struct dz_world world", "dz_world_number(dz_entity world");
    assert!(kind.len() == 1 && kind[0].contains("doesn't fit"), "{kind:?}");
    let gone = new("DZ_API uint32_t dz_version(void);", "");
    assert!(gone.len() == 1 && gone[0].contains("not in the header"), "{gone:?}");
}
