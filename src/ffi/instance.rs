//! Instances: entities that have the components of a base until they get their own.
use super::boundary::enter;
use super::on;
use super::types::*;

/// Makes an entity that is an instance of a base: it has the base's components, to read, until it gets its own by
/// dz_set, dz_add or dz_override. It has neither parent nor name. Of each entity below the base an instance is made too,
/// as its child in the same place, with the same name. All are enabled.
///
/// Pairs are copied, and so are plain entities and ids with a role of yours that were added: those that aim into the
/// base's tree aim at the new entities; a pair of a relation that is symmetric and exclusive isn't, if it leads out of
/// the tree. They are in the order of the base's, behind the one that says whose instance it is. Components that the base
/// gets later its instances have too; other ids, pairs and children they don't.
///
/// dz_add(world, entity, DZ_INSTANCEOF(base)) makes an entity that is there the instance of a base (another takes its
/// place: there is one at most), without anything below it; dz_remove ends that, dz_has asks, dz_type tells. dz_get and
/// dz_has see what an instance has from its base, dz_source says whose it is; dz_get_mut refuses it with
/// DZ_ERR_INHERITED, dz_get_or_add overrides it. Accessors do as these. The forms for many, dz_type, dz_count, groups,
/// listeners and terms of queries see what an entity has itself, but for terms with DZ_INHERIT ("Position(inherit)").
/// Whoever has no base pays nothing. When a base dies, its instances lose what they have from it.
///
/// Each instance makes its base, and all below that, bases: see dz_set_base.
///
/// DZ_NULL on error: an entity's handle, DZ_ERR_IS_COMPONENT, DZ_ERR_HOOK_FAILED, out of memory, DZ_ERR_FULL,
/// DZ_ERR_EXHAUSTED, DZ_ERR_IN_HOOK. Writes. O(the base, all below it, and their pairs). Listeners: DZ_ON_CREATE, for each.
#[unsafe(no_mangle)]
pub extern "C" fn dz_instantiate(world: dz_world, base: dz_entity) -> dz_entity {
    enter("dz_instantiate", world, |w| on!(w, |w| w.instantiate(base)))
}

/// Gives an instance a component of its own, with a copy of the value that it has from its base. DZ_ALREADY_THERE if
/// it has one. Listeners: DZ_ON_ADD, and DZ_ON_SET unless it is a tag.
///
/// Errors: those of dz_add, DZ_ERR_NOT_HELD (no base has it either). Writes. O(1) amortised, and O(bases).
#[unsafe(no_mangle)]
pub extern "C" fn dz_override(world: dz_world, entity: dz_entity, id: dz_id) -> dz_status {
    enter("dz_override", world, |w| on!(w, |w| w.override_component(entity, id)).map(dz_status::from))
}

/// Whose component it is that an entity has: its own handle, that of the base it has it from, or DZ_NULL if it hasn't
/// got it, which leaves no error. Errors (DZ_NULL too): an entity's handle, a component's handle. Reads.
/// O(bases).
#[unsafe(no_mangle)]
pub extern "C" fn dz_source(world: dz_world, entity: dz_entity, id: dz_id) -> dz_entity {
    enter("dz_source", world, |w| on!(w, |w| w.source(entity, id)))
}

/// The base of an entity, or DZ_NULL, which leaves no error. Errors (DZ_NULL too): an entity's handle. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_base(world: dz_world, entity: dz_entity) -> dz_entity {
    enter("dz_base", world, |w| on!(w, |w| w.base(entity)))
}

/// Makes an entity and all below it bases, or not any longer. Queries, groups and iterations of pools pass over bases,
/// as over disabled entities (see dz_set_enabled), but for queries that ask for them: dz_query_desc.bases, "[bases]".
/// An entity that comes below a base later is none until it is made one. Iterations under way end as in dz_set_enabled, also
/// where dz_instantiate makes its base one.
///
/// Returns DZ_NOTHING_TO_DO if it is so already. Errors: an entity's handle, DZ_ERR_IS_COMPONENT, out of memory,
/// DZ_ERR_IN_HOOK. Writes. O(entities below it, and their components).
#[unsafe(no_mangle)]
pub extern "C" fn dz_set_base(world: dz_world, entity: dz_entity, is_base: bool) -> dz_status {
    enter("dz_set_base", world, |w| {
        let new = on!(w, |w| w.set_is_base(entity, is_base))?;
        Ok(if new { dz_status::DZ_OK } else { dz_status::DZ_NOTHING_TO_DO })
    })
}

/// Whether an entity is a base. false on error: an entity's handle. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_is_base(world: dz_world, entity: dz_entity) -> bool {
    enter("dz_is_base", world, |w| on!(w, |w| w.is_base(entity)))
}
