//! DZ_EACH in Rust: `dz_each` and `dz_iter_entity` of denizen_inline.h, field by field.

use denizen::ffi::iterate::dz_each_slow;
use denizen::ffi::types::{dz_entity, dz_iter};

/// The entity of element `i` of the span or batch.
pub fn entity_at(iter: &dz_iter, i: u32) -> dz_entity {
    assert!(i < iter.count, "element {i} of a span of {}", iter.count);
    let place = if iter.gather != 0 { iter.picks[i as usize] } else { i } as usize;
    let at = unsafe { iter.entities.cast::<u8>().add(place * iter.entity_size as usize) };
    match iter.entity_size {
        4 => unsafe { at.cast::<u32>().read_unaligned() }.into(),
        _ => unsafe { at.cast::<u64>().read_unaligned() },
    }
}

/// The next element of the span that is to be seen.
pub fn each(iter: &mut dz_iter) -> Option<u32> {
    if iter.changes.is_null() || unsafe { iter.changes.read() } != iter.seen {
        let slow = unsafe { dz_each_slow(iter) };
        return (slow != u32::MAX).then_some(slow);
    }
    let mut offset = iter.position - iter.first;
    if iter.flags & 1 != 0 {
        if offset >= iter.count {
            return None;
        }
        iter.position += 1;
    } else {
        if offset == 0 {
            return None;
        }
        iter.position -= 1;
        offset -= 1;
    }
    let indexed = iter.gather != 0 && iter.flags & 4 == 0;
    iter.current = if indexed { iter.picks[offset as usize].into() } else { entity_at(iter, offset) };
    Some(offset)
}
