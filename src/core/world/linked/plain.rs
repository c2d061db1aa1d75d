//! The common case of a walk along pairs or the hierarchy, where nothing but elements is to be looked up: the
//! entities' own, and their parents'. It does what the careful walk does, candidate by candidate, in one loop.

use crate::core::ids::Layout;
use crate::core::query::linked::{LinkTerm, What, Whose};
use crate::core::query::{Lead, LinkCursor, NO_COLUMN, Query};
use crate::core::storage::join::{Ask, Fields};
use crate::core::storage::links::{NONE, Pair};
use crate::core::storage::pool::Pool;
use crate::core::world::World;
use core::ptr::{null_mut, without_provenance_mut};

/// The most elements that are looked up for a match.
const MOST: usize = 6;

/// An element to look up.
#[derive(Clone, Copy)]
struct Wanted<'a, L: Layout> {
    pool: &'a Pool<L>,
    /// Where its rows begin.
    offset: usize,
    of_parent: bool,
    required: bool,
}

/// What is looked up for each match.
struct Plan<'a, L: Layout> {
    wanted: [Option<Wanted<'a, L>>; MOST],
    count: usize,
    /// Where the rows begin of the value and the target of the pair that leads, and of the marks.
    value: Option<usize>,
    target: Option<usize>,
    marks: [usize; 3],
}

impl<'a, L: Layout> Plan<'a, L> {
    fn add(&mut self, wanted: Wanted<'a, L>) -> Option<()> {
        *self.wanted.get_mut(self.count)? = Some(wanted);
        self.count += 1;
        Some(())
    }

    /// The plan of a query, if it is as simple as that.
    fn of(w: &'a World<L>, query: &'a Query<L>, cursor: &LinkCursor) -> Option<Self> {
        let offset = |column: u8| (column != NO_COLUMN).then(|| usize::from(column) * cursor.most as usize);
        let marks = [0, 1, 2].map(|number| (cursor.marks as usize + number) * cursor.most as usize);
        let mut plan = Self { wanted: [None; MOST], count: 0, value: None, target: None, marks };
        for (field, pool, required) in query.join().ok()?.plain()? {
            let offset = offset(cursor.elements[field as usize])?;
            plan.add(Wanted { pool, offset, of_parent: false, required })?;
        }
        for (number, term) in (0..).zip(query.links()) {
            let LinkTerm { what, source, ask, number: field, .. } = *term;
            let element = offset(cursor.elements[field as usize]);
            if number == cursor.term {
                plan.value = element;
                plan.target = offset(cursor.targets[field as usize]);
                continue;
            }
            match (what, source, ask, element) {
                (What::Pool(pool), Whose::Parent, Ask::With | Ask::Optional, Some(offset)) => {
                    let pool = w.pools.get(pool)?;
                    plan.add(Wanted { pool, offset, of_parent: true, required: ask == Ask::With })?;
                }
                _ => return None,
            }
        }
        Some(plan)
    }
}

/// A batch that is being filled.
struct Filling<'a, 'f, 'p, L: Layout> {
    w: &'a World<L>,
    plan: &'p Plan<'a, L>,
    fields: &'p mut Fields<'f>,
    count: usize,
    most: usize,
}

impl<L: Layout> Filling<'_, '_, '_, L> {
    /// Puts a candidate's elements into the next row; false: it doesn't match.
    #[inline(always)]
    fn put(&mut self, index: u32) -> bool {
        let row = self.count;
        for wanted in self.plan.wanted[..self.plan.count].iter().flatten() {
            let whose = if wanted.of_parent { self.w.tree.node(index).parent } else { index };
            let there = if whose == NONE { None } else { wanted.pool.sparse().page(whose).member(whose) };
            let element = match there {
                Some(position) => wanted.pool.element(position),
                None if wanted.required => return false,
                None => null_mut(),
            };
            self.fields.rows[wanted.offset + row] = element;
        }
        self.fields.picks[row] = index;
        true
    }

    #[inline(always)]
    fn mark(&mut self, marks: [u32; 3]) {
        for (offset, mark) in self.plan.marks.into_iter().zip(marks) {
            self.fields.rows[offset + self.count] = without_provenance_mut(mark as usize);
        }
        self.count += 1;
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
        if !level && !matches!(lead, Lead::Record | Lead::Related | Lead::Aimed)
            || cursor.skip != 0
            || cursor.runs_only != 0
            || self.veils != 0
            || query.bases
        {
            return None;
        }
        if level && !query.join().is_ok_and(|join| join.asks_for_some()) {
            return None;
        }
        let plan = Plan::of(self, query, cursor)?;
        let mut filling = Filling { w: self, plan: &plan, fields, count: 0, most: most as usize };
        if level {
            self.fill_levels(&mut filling, cursor)
        } else {
            self.fill_records(&mut filling, cursor)
        }
        #[allow(clippy::cast_possible_truncation)]
        Some(filling.count as u32)
    }

    #[allow(clippy::cast_possible_truncation)]
    fn fill_levels(&self, filling: &mut Filling<L>, cursor: &mut LinkCursor) {
        while cursor.at[0] <= self.tree.depth() {
            let [depth, first] = cursor.at;
            let level = self.tree.level(depth - 1).get(first as usize..).unwrap_or(&[]);
            for (place, index) in (first..).zip(level) {
                if filling.count == filling.most {
                    cursor.at[1] = place;
                    return;
                }
                if filling.put(*index) {
                    filling.mark([depth, place, 0]);
                }
            }
            cursor.at = [depth + 1, 0];
        }
        cursor.over = 1;
    }

    fn fill_records(&self, filling: &mut Filling<L>, cursor: &mut LinkCursor) {
        while cursor.at[0] != NONE {
            let record = cursor.at[0];
            let serial = self.links.serial(record);
            let Pair { relation, target, .. } = self.links.pair(record);
            let target = L::index(target);
            // Whoever aims at an entity may also have it as a tag, or with a role: that is no pair.
            let is_meant = cursor.lead() != Lead::Aimed || self.relations.get(relation).id != 0;
            while is_meant
                && let Some((place, link, index)) = self.links.next_holder(record, cursor.at[1], cursor.made)
            {
                cursor.at[1] = place;
                if filling.count == filling.most {
                    return;
                }
                if filling.put(index) {
                    if let Some(offset) = filling.plan.value {
                        filling.fields.rows[offset + filling.count] =
                            self.links.value(link).unwrap_or(null_mut());
                    }
                    if let Some(offset) = filling.plan.target {
                        filling.fields.rows[offset + filling.count] = without_provenance_mut(target as usize);
                    }
                    filling.mark([record, place, serial]);
                }
                cursor.at[1] += 1;
            }
            cursor.at = [self.record_behind(cursor.lead(), record), 0];
        }
        cursor.over = 1;
    }
}
