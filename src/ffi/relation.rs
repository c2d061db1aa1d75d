//! Relations: what they promise of their pairs.
use super::boundary::{enter, output};
use super::descriptors::{one_of, read};
use super::on;
use super::types::*;
use crate::core::error::{Error, Kind};
use crate::core::storage::relations::{Cleanup, Traits};

/// Says what a relation promises of its pairs, while nobody has any; what they bring (`with`) may be changed while somebody
/// does, for those that are made from then on. Any entity can be a relation. A relation that is another's `with` can't get a
/// `with` itself (DZ_ERR_TRAITS): make a chain from its end. When the relation dies that `with` names, `with` is DZ_NULL.
///
/// Errors: an entity's handle (the relation, or `with`), DZ_ERR_NULL_POINTER, descriptor errors, DZ_ERR_ENUM,
/// DZ_ERR_RANGE (a flag, an index of 2^24 or more), DZ_ERR_TRAITS (they don't go together, or there are pairs, and not only
/// `with` is another; the message says which), out of memory, DZ_ERR_IN_HOOK. Writes. O(relations, and pairs of it that were
/// ever made).
///
/// `desc` points to a descriptor whose first field is its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_relation_set(
    world: dz_world,
    relation: dz_entity,
    desc: *const dz_relation_desc,
) -> dz_status {
    enter("dz_relation_set", world, |w| {
        // SAFETY: the caller's promise.
        let traits = unsafe { traits(desc) }?;
        on!(w, |w| w.set_traits(relation, &traits)).map(|()| dz_status::DZ_OK)
    })
}

/// Writes what a relation promises of its pairs, as dz_relation_set takes it, its size included; nothing is promised by an
/// entity that was never given traits.
///
/// Errors: an entity's handle, DZ_ERR_NULL_POINTER. Reads. O(1).
///
/// `desc` has room for one dz_relation_desc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dz_relation_info(
    world: dz_world,
    relation: dz_entity,
    desc: *mut dz_relation_desc,
) -> dz_status {
    enter("dz_relation_info", world, |w| {
        // SAFETY: the caller's promise.
        let desc = unsafe { output(desc, "desc") }?;
        desc.write(on!(w, |w| w.traits(relation))?.into());
        Ok(dz_status::DZ_OK)
    })
}

fn flag(value: u32, name: &'static str) -> Result<bool, Error> {
    if value <= 1 { Ok(value == 1) } else { Err(Error::range(name, value.into(), 0, 1)) }
}

/// # Safety
/// As `read`, or NULL.
unsafe fn traits(at: *const dz_relation_desc) -> Result<Traits, Error> {
    if at.is_null() {
        return Err(Error::new(Kind::NullPointer).named("desc"));
    }
    // SAFETY: the caller's promise.
    let desc = unsafe { read(at, "DZ_RELATION_DESC_INIT") }?;
    const CLEANUPS: &[Cleanup] = &[Cleanup::Remove, Cleanup::Delete, Cleanup::Refuse];
    Ok(Traits {
        exclusive: flag(desc.exclusive, "exclusive")?,
        symmetric: flag(desc.symmetric, "symmetric")?,
        acyclic: flag(desc.acyclic, "acyclic")?,
        transitive: flag(desc.transitive, "transitive")?,
        reflexive: flag(desc.reflexive, "reflexive")?,
        with: desc.with,
        on_target: one_of(desc.on_target, "on_target", CLEANUPS)?,
        on_relation: one_of(desc.on_relation, "on_relation", CLEANUPS)?,
    })
}

impl From<Traits> for dz_relation_desc {
    fn from(traits: Traits) -> Self {
        #[allow(clippy::cast_possible_truncation)]
        let size = size_of::<Self>() as u32;
        Self {
            size,
            exclusive: traits.exclusive.into(),
            symmetric: traits.symmetric.into(),
            acyclic: traits.acyclic.into(),
            transitive: traits.transitive.into(),
            reflexive: traits.reflexive.into(),
            on_target: traits.on_target as i32,
            on_relation: traits.on_relation as i32,
            with: traits.with,
        }
    }
}
