//! Entities and components that queries pass over.
use super::boundary::enter;
use super::on;
use super::types::*;

/// Disables an entity, or enables it again: queries, groups and iterations of pools pass over a disabled one, with
/// all its components, also those that it gets later. dz_get, dz_has, dz_set and all else see it as ever, and a
/// component that it lacks is told as lacking. A new entity is enabled, a clone too.
///
/// Only it is passed over, not who refers to it. Its children are seen as ever, and so is who has a pair with it as
/// target; a term that reads its components for another entity ("Position(parent)", "Position($x)") still finds them.
/// Such a term goes by the single component: what dz_set_component_enabled disables, it doesn't find.
///
/// Groups keep disabled members behind the enabled ones. Iterations under way of the pools that it is in end with
/// DZ_ERR_CHANGED (those of queries go on, but for those that follow its order). In a world where something was ever
/// disabled, some calls take a longer way; others pay nothing for it.
///
/// Returns DZ_NOTHING_TO_DO if it is so already. Errors: an entity's handle, DZ_ERR_IS_COMPONENT, out of memory,
/// DZ_ERR_IN_HOOK. Writes. O(components of the entity), and what leaving and joining groups costs.
#[unsafe(no_mangle)]
pub extern "C" fn dz_set_enabled(world: dz_world, entity: dz_entity, enabled: bool) -> dz_status {
    enter("dz_set_enabled", world, |w| on!(w, |w| w.set_enabled(entity, enabled)).map(news))
}

/// Whether an entity is enabled. false on error: an entity's handle. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_is_enabled(world: dz_world, entity: dz_entity) -> bool {
    enter("dz_is_enabled", world, |w| on!(w, |w| w.is_enabled(entity)))
}

/// Disables one component of an entity, or enables it again: for queries and groups the entity is then as one that
/// doesn't have it (a without-term matches), and iterations of the pool pass over it. So it is for terms that read it for
/// others, of a parent or a base: "Position(up)" goes on to the next above. dz_get, dz_has and all else see it as
/// ever. Removing the component, or destroying the entity, forgets that it was disabled. Iterations under way end as in
/// dz_set_enabled: of the component's pool.
///
/// Returns DZ_NOTHING_TO_DO if it is so already. Errors: an entity's handle, DZ_ERR_IS_COMPONENT,
/// a component's handle (only components are disabled), DZ_ERR_BUILTIN, DZ_ERR_NOT_HELD (the entity doesn't have it
/// itself), out of memory, DZ_ERR_IN_HOOK. Writes. O(1), and what leaving and joining groups costs.
#[unsafe(no_mangle)]
pub extern "C" fn dz_set_component_enabled(
    world: dz_world,
    entity: dz_entity,
    id: dz_id,
    enabled: bool,
) -> dz_status {
    enter("dz_set_component_enabled", world, |w| {
        on!(w, |w| w.set_component_enabled(entity, id, enabled)).map(news)
    })
}

/// Whether queries see a component of an entity among its own: it has it itself, neither is disabled, and it is no base.
/// So it is false for what an instance has from its base, and for bases, though queries for bases see them; and terms that
/// read a component for others don't ask whether its entity is disabled (see dz_set_enabled). false on error: an entity's
/// handle, a component's handle. Reads. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn dz_is_component_enabled(world: dz_world, entity: dz_entity, id: dz_id) -> bool {
    enter("dz_is_component_enabled", world, |w| on!(w, |w| w.is_component_enabled(entity, id)))
}

fn news(new: bool) -> dz_status {
    if new { dz_status::DZ_OK } else { dz_status::DZ_NOTHING_TO_DO }
}
