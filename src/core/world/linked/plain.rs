//! The common case of a walk along pairs or the hierarchy, where nothing but elements is to be looked up: the
//! entities' own, and their parents'. It does what the careful walk does, but field by field.
//!
//! ```text
//!   candidates    7  40  12  900         the next of a record or a level, with their marks
//!   who fits      7  40   -  900         if more is asked than elements
//!   Velocity      &a &b   -   -          900 has none, and must
//!   Position^     0  &c   -   -          7 has no parent
//!   who is left   7  40                  and then the next candidates, until enough are there
//! ```

use super::lead::MARKS;
use crate::core::ids::Layout;
use crate::core::query::linked::{LinkTerm, What, Whose};
use crate::core::query::{Lead, LinkCursor, NO_COLUMN, Query};
use crate::core::storage::join::{Ask, Fields, Join, NOBODY, PICKS, place_any, retain};
use crate::core::storage::links::{NONE, Pair};
use crate::core::storage::slice::{Array, Slice};
use crate::core::world::World;
use core::ops::Range;
use core::ptr::{null_mut, without_provenance_mut};

/// Where the rows of a column begin; None: there is no such column.
fn rows_of(cursor: &LinkCursor, column: u8) -> Option<usize> {
    (column != NO_COLUMN).then(|| usize::from(column) * cursor.most as usize)
}

/// The pool of a term for elements of parents that are handed out.
fn of_parent(term: &LinkTerm, cursor: &LinkCursor) -> Option<(u32, usize)> {
    let rows = rows_of(cursor, cursor.elements[term.number as usize]);
    match (term.what, term.source, term.ask) {
        (What::Pool(pool), Whose::Parent, Ask::With | Ask::Optional) => Some((pool, rows?)),
        _ => None,
    }
}

/// A batch that is being filled.
struct Filling<'a, 'f, L: Layout> {
    query: &'a Query<L>,
    join: &'a Join<L>,
    cursor: &'a mut LinkCursor,
    fields: &'a mut Fields<'f>,
    count: usize,
    most: usize,
}

impl<L: Layout> Filling<'_, '_, L> {
    /// Whether so many are in it that it isn't worth while to look for the few that are missing.
    fn is_full(&self) -> bool {
        self.count > self.most - self.most.div_ceil(4)
    }

    /// Some rows of a column that begins there.
    fn rows(&mut self, at: usize, rows: &Range<usize>) -> &mut [*mut u8] {
        &mut self.fields.rows[at + rows.start..at + rows.end]
    }

    /// Writes a number into some rows of a column.
    #[inline(never)]
    fn fill(&mut self, at: usize, rows: &Range<usize>, number: u32) {
        self.rows(at, rows).fill(without_provenance_mut(number as usize));
    }

    /// Where the rows of a mark begin.
    fn mark(&self, number: u32) -> usize {
        (self.cursor.marks + number) as usize * self.cursor.most as usize
    }

    /// Looks up the elements of the candidates in these rows; those who don't match are taken out.
    #[inline(never)]
    fn settle(&mut self, w: &World<L>, rows: Range<usize>) {
        let most = self.cursor.most as usize;
        let (picks, all_rows) = (&mut self.fields.picks[rows.clone()], &mut self.fields.rows);
        let mut all = true;
        if self.join.asks_otherwise() || w.veils != 0 {
            for pick in &mut *picks {
                if !(w.is_asked_for(self.query, *pick) && self.join.fits(*pick)) {
                    (*pick, all) = (NOBODY, false);
                }
            }
        }
        let own = self.join.handed_out().map(|(field, pool, required)| {
            (usize::from(self.cursor.elements[field as usize]) * most, Some(pool), required, false)
        });
        let parents = self.query.links().iter().filter_map(|term| {
            let (pool, at) = of_parent(term, self.cursor)?;
            Some((at, w.pools.get(pool), term.ask == Ask::With, true))
        });
        for (at, pool, required, above) in own.chain(parents) {
            let Some(pool) = pool else { continue };
            let mut whose = Array([NOBODY; PICKS]);
            for (whose, pick) in whose.iter_mut().zip(&*picks) {
                *whose = if above { w.tree.node(*pick).parent } else { *pick };
            }
            let elements = &mut all_rows[at + rows.start..at + rows.end];
            if !place_any(pool, required, &mut whose[..elements.len()], elements) {
                for (pick, whose) in picks.iter_mut().zip(&*whose) {
                    *pick = if *whose == NOBODY { NOBODY } else { *pick };
                }
                all = false;
            }
        }
        self.count = rows.end;
        if !all {
            let end = (self.cursor.marks as usize + MARKS) * most;
            for at in (0..end).step_by(most) {
                let column = Slice::of_mut(&mut all_rows[at + rows.start..at + rows.end]);
                retain(column, |at, _| picks[at] != NOBODY);
            }
            self.count = rows.start + retain(Slice::of_mut(picks), |_, index| index != NOBODY);
        }
    }
}

impl<L: Layout> World<L> {
    /// Fills a batch of at most `most` from where a cursor stands, if it is the common case: returns how many are in it. The
    /// cursor stands behind it then.
    pub(super) fn fill_plainly(
        &self,
        query: &Query<L>,
        cursor: &mut LinkCursor,
        fields: &mut Fields,
        most: u32,
    ) -> Option<u32> {
        let lead = cursor.lead();
        let level = lead == Lead::Levels && cursor.at[0] > 0;
        let join = query.join().ok()?;
        if !level && !matches!(lead, Lead::Record | Lead::Related | Lead::Aimed)
            || cursor.skip != 0
            || cursor.runs_only != 0
            || query.bases
            || level && !join.asks_for_some()
            || (0..)
                .zip(query.links())
                .any(|(at, term)| at != cursor.term && of_parent(term, cursor).is_none())
        {
            return None;
        }
        let mut filling = Filling { query, join, cursor, fields, count: 0, most: most as usize };
        if level {
            self.fill_levels(&mut filling)
        } else {
            self.fill_records(&mut filling)
        }
        #[allow(clippy::cast_possible_truncation)]
        Some(filling.count as u32)
    }

    #[allow(clippy::cast_possible_truncation)]
    fn fill_levels(&self, filling: &mut Filling<L>) {
        while !filling.is_full() {
            let [depth, first] = filling.cursor.at;
            if depth > self.tree.depth() {
                filling.cursor.over = 1;
                break;
            }
            let from = filling.count;
            let level = self.tree.level(depth - 1).get(first as usize..).unwrap_or(&[]);
            let level = &level[..level.len().min(filling.most - from)];
            let rows = from..from + level.len();
            filling.fields.picks[rows.clone()].copy_from_slice(level);
            let [depths, places, none] = [0, 1, 2].map(|number| filling.mark(number));
            filling.fill(depths, &rows, depth);
            for (row, place) in filling.rows(places, &rows).iter_mut().zip(first as usize..) {
                *row = without_provenance_mut(place);
            }
            filling.fill(none, &rows, 0);
            filling.cursor.at =
                if level.is_empty() { [depth + 1, 0] } else { [depth, first + level.len() as u32] };
            filling.settle(self, rows);
        }
    }

    fn fill_records(&self, filling: &mut Filling<L>) {
        let lead = filling.cursor.lead();
        let term = filling.query.links()[filling.cursor.term as usize].number as usize;
        let [value, target] = [filling.cursor.elements[term], filling.cursor.targets[term]]
            .map(|column| rows_of(filling.cursor, column));
        let [records, places, serials] = [0, 1, 2].map(|number| filling.mark(number));
        while !filling.is_full() && filling.cursor.over == 0 {
            let mut row = filling.count;
            while row < filling.most {
                let [record, place] = filling.cursor.at;
                if record == NONE {
                    filling.cursor.over = 1;
                    break;
                }
                let first = row;
                let Pair { relation, target: of, .. } = self.links.pair(record);
                // Whoever aims at an entity may also have it as a tag, or with a role: that is no pair.
                if lead != Lead::Aimed || self.relations.get(relation).id != 0 {
                    let holders = self.links.holders_from(record, place, filling.cursor.made);
                    for (place, link, index) in holders.take(filling.most - row) {
                        filling.fields.picks[row] = index;
                        filling.fields.rows[places + row] = without_provenance_mut(place as usize);
                        if let Some(value) = value {
                            filling.fields.rows[value + row] = self.links.value(link).unwrap_or(null_mut());
                        }
                        filling.cursor.at[1] = place + 1;
                        row += 1;
                    }
                }
                filling.fill(records, &(first..row), record);
                filling.fill(serials, &(first..row), self.links.serial(record));
                if let Some(target) = target {
                    filling.fill(target, &(first..row), L::index(of));
                }
                if row < filling.most {
                    filling.cursor.at = [self.record_behind(lead, record), 0];
                }
            }
            filling.settle(self, filling.count..row);
        }
    }
}
