//! Parts of a run that are laid out before they are asked for: handing one out is a look then.
//!
//! ```text
//!   run      [ 16 | 48 |  192  |    768    |      3072      |  ...      a part ends where a page of any field does
//!   rows     [ entities, count, behind, field 0, field 1 ][ entities, count, ...        a run has no use for rows
//!   cursor     at: the next part's words      ahead: parts that are left      left: entities that are not laid out
//! ```

use super::batch::{Cursor, Fields, MOST_ROWS, SPARE};
use super::{Join, TERMS, walk};
use crate::core::ids::Layout;
use core::ptr::{null_mut, without_provenance_mut};

/// Words of a part before those of its fields.
pub(super) const HEAD: usize = 3;
/// The most parts that are laid out at a time: there is room for so many of all fields.
pub(super) const PARTS: usize = (MOST_ROWS + SPARE) / (HEAD + TERMS);

/// A part of a run.
#[derive(Clone, Copy)]
pub struct Part {
    /// Its first entity.
    pub entities: *const u8,
    /// How many.
    pub count: u32,
    /// The index behind its last entity.
    pub behind: u32,
}

/// Lays out what comes next of the run under way. Nothing here can panic.
#[inline(never)]
pub fn lay_out<L: Layout>(
    join: &Join<L>,
    cursor: &mut Cursor,
    rows: &mut [*mut u8; MOST_ROWS + SPARE],
    registry: *const u8,
) {
    debug_assert_eq!(cursor.ahead, 0);
    let width = width(join);
    let (mut at, mut parts) = (0, 0);
    while cursor.left > 0
        && parts < PARTS
        && let Some([entities, count, behind, data @ ..]) = rows.get_mut(at..at + width)
    {
        let part = walk::part(join, cursor, data, registry);
        part.put([entities, count, behind]);
        parts += 1;
        at += width;
    }
    cursor.stand_before(join, parts);
}

/// How many words a part of a join's runs has.
#[inline(always)]
pub(super) fn width<L: Layout>(join: &Join<L>) -> usize {
    HEAD + (u32::BITS - join.handed_out.leading_zeros()) as usize
}

impl Part {
    /// Writes what its fields come after.
    #[inline(always)]
    pub(super) fn put(self, [entities, count, behind]: [&mut *mut u8; HEAD]) {
        *entities = self.entities.cast_mut();
        *count = without_provenance_mut(self.count as usize);
        *behind = without_provenance_mut(self.behind as usize);
    }
}

impl Cursor {
    /// So many parts are laid out.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn stand_before<L: Layout>(&mut self, join: &Join<L>, parts: usize) {
        self.ahead = parts as u32;
        self.at = 0;
        self.width = width(join) as u32;
        self.handed_out = join.handed_out;
    }

    /// Hands out the next part that was laid out, of which there is one; returns how many are in it.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // they were 32 bits
    pub fn take(&mut self, fields: &mut Fields<'_>) -> u32 {
        let Some([entities, count, behind, from @ ..]) = fields.rows.get(self.at as usize..) else {
            return 0;
        };
        let mut left = self.handed_out;
        while left != 0 {
            let field = left.trailing_zeros() as usize;
            fields.data[field] = from.get(field).copied().unwrap_or(null_mut());
            left &= left - 1;
        }
        self.at = self.at.wrapping_add(self.width);
        self.ahead = self.ahead.wrapping_sub(1);
        self.resume = behind.addr() as u32;
        fields.hand_out(*entities, count.addr() as u32, false)
    }
}
