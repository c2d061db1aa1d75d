//! The common case of a walk, where each candidate matches once at most: field by field, for all candidates of a batch.
//!
//! ```text
//!   candidates    7  40  12  900         the next ones of whatever leads, with their marks
//!   who fits      7  40   -  900         if more is asked than elements
//!   Velocity      &a &b   -   -          900 has none, and must
//!   Position^     0  &c   -   -          7 has no parent
//!   who is left   7  40                  and then the next candidates, until enough are there
//! ```

use super::lead::{MARKS, Scan};
use super::terms::NEAREST;
use crate::core::ids::Layout;
use crate::core::query::linked::{LinkTerm, Target, What, Whose};
use crate::core::query::{Lead, LinkCursor, NO_COLUMN, Query};
use crate::core::storage::join::{Ask, Fields, Join, Left, NOBODY, PICKS, place_any};
use crate::core::storage::links::{NONE, Pair};
use crate::core::storage::pool::Pool;
use crate::core::storage::slice::checked_mut;
use crate::core::world::World;
use core::ops::Range;
use core::ptr::{NonNull, null_mut, without_provenance_mut};

/// Where the rows of a column begin; None: there is no such column.
fn rows_of(cursor: &LinkCursor, column: u8) -> Option<usize> {
    (column != NO_COLUMN).then(|| usize::from(column) * cursor.most as usize)
}

/// A batch that is being filled.
struct Filling<'a, 'f, L: Layout> {
    query: &'a Query<L>,
    join: &'a Join<L>,
    cursor: &'a mut LinkCursor,
    fields: &'a mut Fields<'f>,
    count: usize,
    most: usize,
    /// Some of the candidates don't match, and are nobody.
    some_out: bool,
}

impl<L: Layout> Filling<'_, '_, L> {
    /// Whether so many are in it that it isn't worth while to look for the few that are missing.
    fn is_full(&self) -> bool {
        self.count * 4 >= self.most * 3
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

    /// A candidate of whom something is there or not is nobody if a term asks otherwise.
    fn ask(&mut self, row: usize, ask: Ask, there: bool) {
        if !ask.allows(there) {
            self.fields.picks[row] = NOBODY;
            self.some_out = true;
        }
    }

    /// Looks up the elements of a pool that a term asks for.
    #[inline(never)]
    fn ask_pool(
        &mut self,
        w: &World<L>,
        pool: &Pool<L>,
        (column, ask, source): (u8, Ask, Whose),
        rows: &Range<usize>,
    ) {
        let (column, targets) = (rows_of(self.cursor, column), self.cursor.targets);
        let lead = self.query.links().get(self.cursor.term as usize);
        let target = lead.and_then(|lead| rows_of(self.cursor, targets[lead.number as usize]));
        let (picks, all_rows) = (&mut self.fields.picks[rows.clone()], &mut self.fields.rows);
        let (mut others, mut spare);
        let mut whose = &*picks;
        if source != Whose::This {
            let targets = target.map_or(&[][..], |at| &all_rows[at + rows.start..at + rows.end]);
            others = [NOBODY; PICKS];
            let mut latest = NEAREST;
            for (number, (index, pick)) in others.iter_mut().zip(&*picks).enumerate() {
                *index = match source {
                    Whose::Parent => w.tree.node(*pick).parent,
                    // None of them is one whom queries pass over.
                    Whose::Inherit if pool.shown(*pick).is_some() => *pick,
                    Whose::Inherit => w.nearest_by(w.links.base(*pick), pool, false, &mut latest),
                    Whose::Up => w.nearest_by(w.tree.node(*pick).parent, pool, true, &mut latest),
                    Whose::Of(entity) if w.registry.is_alive(entity) => L::index(entity),
                    Whose::Variable(_) => targets.get(number).map_or(NOBODY, |target| target.addr() as u32),
                    _ => NOBODY,
                };
            }
            whose = &others;
        }
        let elements = match column {
            Some(at) => &mut all_rows[at + rows.start..at + rows.end],
            None => {
                spare = [null_mut(); PICKS];
                checked_mut(&mut spare, ..picks.len())
            }
        };
        place_any(pool, whose, elements);
        if source == Whose::World {
            elements.fill(pool.singleton().map_or(null_mut(), NonNull::as_ptr));
        }
        if ask != Ask::Optional {
            let with = ask.allows(true);
            for (pick, element) in picks.iter_mut().zip(&*elements) {
                if element.is_null() == with {
                    (*pick, self.some_out) = (NOBODY, true);
                }
            }
        }
    }

    /// Looks up the pair that a term asks for.
    #[inline(never)]
    fn ask_pair(&mut self, w: &World<L>, term: &LinkTerm, rows: &Range<usize>) {
        let [elements, targets] = self.columns_of(term);
        let record = w.record_for(term.what);
        for row in rows.clone() {
            let link = match self.fields.picks[row] {
                NOBODY => None,
                pick if term.what.is_of_any() => w.first_pair(pick, term.what),
                pick => record.and_then(|record| w.links.link(record, pick)),
            };
            if let Some(at) = elements {
                self.fields.rows[at + row] = link.and_then(|link| w.links.value(link)).unwrap_or(null_mut());
            }
            if let Some(at) = targets {
                let target = link.map_or(NONE, |link| w.target_of(link));
                self.fields.rows[at + row] = without_provenance_mut(target as usize);
            }
            self.ask(row, term.ask, link.is_some());
        }
    }

    /// Where the rows begin of a term's elements, and of its targets.
    fn columns_of(&self, term: &LinkTerm) -> [Option<usize>; 2] {
        let at = term.number as usize;
        [self.cursor.elements[at], self.cursor.targets[at]].map(|column| rows_of(self.cursor, column))
    }

    /// Finds out who of the candidates in these rows match, and takes out the others. `found`: the join has found them.
    #[inline(never)]
    fn settle(&mut self, w: &World<L>, rows: Range<usize>, found: bool) {
        let otherwise = self.join.asks_otherwise();
        if !found && (otherwise || w.veils != 0) {
            for row in rows.clone() {
                let pick = self.fields.picks[row];
                // Who is disabled in a pool whose elements are handed out has none there.
                let fits = !otherwise || self.join.fits(pick);
                self.ask(row, Ask::With, fits && w.is_asked_for(self.query, pick));
            }
        }
        for (number, term) in (0..).zip(self.query.links()) {
            match term.what {
                _ if number == self.cursor.term => {}
                What::Pool(pool) => {
                    if let Some(pool) = w.pools.get(pool) {
                        let column = self.cursor.elements[term.number as usize];
                        self.ask_pool(w, pool, (column, term.ask, term.source), &rows);
                    }
                }
                _ => self.ask_pair(w, term, &rows),
            }
        }
        // Few may be left of whom their own elements are looked up.
        let rows = self.close_up(rows);
        for (field, pool, required) in self.join.handed_out() {
            let ask = if required { Ask::With } else { Ask::Optional };
            self.ask_pool(w, pool, (self.cursor.elements[field as usize], ask, Whose::This), &rows);
        }
        self.count = self.close_up(rows).end;
    }

    /// Takes out who is nobody; returns the rows of the others.
    #[inline(never)]
    fn close_up(&mut self, rows: Range<usize>) -> Range<usize> {
        if !core::mem::take(&mut self.some_out) {
            return rows;
        }
        let picks = &mut self.fields.picks[rows.clone()];
        let left = Left::of(picks);
        let count = left.close_up(picks);
        let most = self.cursor.most as usize;
        for column in 0..self.cursor.marks as usize + MARKS {
            left.close_up(&mut self.fields.rows[column * most + rows.start..column * most + rows.end]);
        }
        rows.start..rows.start + count
    }
}

impl<L: Layout> World<L> {
    /// Whether a term is answered for each candidate by a look, or by the pair that leads.
    fn is_plain_term(&self, term: &LinkTerm, lead: Option<&LinkTerm>) -> bool {
        match (term.what, term.source) {
            (What::Pool(_), Whose::Variable(variable)) => {
                let found = lead.map(|lead| lead.what);
                matches!(found, Some(What::Pair(_, Target::Variable(found))) if found == variable)
            }
            (What::Pool(_), _) => true,
            (What::Pair(1.., Target::Of(_)) | What::Id(_), Whose::This) => !self.is_transitive(term.what),
            (What::Pair(0, Target::Of(_)) | What::Pair(_, Target::Any), Whose::This) => !term.yields,
            _ => false,
        }
    }

    /// Whether each candidate matches once at most, and all terms are answered by looks.
    #[inline(never)]
    pub(super) fn fills_plainly(&self, query: &Query<L>, cursor: &LinkCursor) -> bool {
        let leading = query.links().get(cursor.term as usize);
        let mut others = (0..).zip(query.links()).filter(|(number, _)| *number != cursor.term);
        !query.bases && others.all(|(_, term)| self.is_plain_term(term, leading))
    }

    /// Fills a batch of at most `most` from where a cursor stands, if it is the common case: returns how many are in it. The
    /// cursor stands behind it then.
    pub(super) fn fill_plainly(
        &self,
        query: &Query<L>,
        cursor: &mut LinkCursor,
        fields: &mut Fields,
        most: u32,
    ) -> Option<u32> {
        let (lead, join) = (cursor.lead(), query.join().ok()?);
        let leading = query.links().get(cursor.term as usize);
        if cursor.skip != 0 || cursor.runs_only != 0 || !self.fills_plainly(query, cursor) {
            return None;
        }
        let found = matches!(lead, Lead::Join | Lead::Few) && join.asks_for_some();
        let level = lead == Lead::Levels && cursor.at[0] > 0 && query.asks_for_some();
        let mut filling =
            Filling { query, join, cursor, fields, count: 0, most: most as usize, some_out: false };
        while !filling.is_full() && filling.cursor.over == 0 {
            let from = filling.count;
            let to = match leading {
                Some(term) if Self::has_records(lead) => self.take_holders(&mut filling, term),
                _ if level => self.take_level(&mut filling),
                _ if lead == Lead::Join => self.take_matches(&mut filling),
                _ => self.take_others(&mut filling),
            };
            filling.settle(self, from..to, found);
        }
        #[allow(clippy::cast_possible_truncation)]
        Some(filling.count as u32)
    }

    /// The next candidates, of a level of the hierarchy: up to which row they are.
    #[allow(clippy::cast_possible_truncation)]
    fn take_level(&self, filling: &mut Filling<L>) -> usize {
        let [depth, first] = filling.cursor.at;
        let from = filling.count;
        if depth > self.tree.depth() {
            filling.cursor.over = 1;
            return from;
        }
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
        rows.end
    }

    /// The same of whoever has a pair.
    fn take_holders(&self, filling: &mut Filling<L>, term: &LinkTerm) -> usize {
        let lead = filling.cursor.lead();
        let [value, target] = filling.columns_of(term);
        let [records, places, serials] = [0, 1, 2].map(|number| filling.mark(number));
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
        row
    }

    /// The same of whoever the join finds.
    fn take_matches(&self, filling: &mut Filling<L>) -> usize {
        let (from, made) = (filling.count, filling.cursor.made);
        let (mut row, mut next) = (from, filling.cursor.at[0]);
        while row < filling.most {
            let found = self.next_matches(filling.query, next).filter(|(word, _)| *word < made);
            let Some((word, matches)) = found else {
                filling.cursor.over = 1;
                break;
            };
            let later = u64::MAX.checked_shl(made - word).unwrap_or(0);
            let seen = if word == next & !63 { !(u64::MAX << (next % 64)) } else { 0 };
            let mut left = matches & !later & !seen;
            for pick in &mut filling.fields.picks[row..filling.most] {
                if left == 0 {
                    break;
                }
                *pick = word + left.trailing_zeros();
                (next, left, row) = (*pick + 1, left & (left - 1), row + 1);
            }
            if left == 0 {
                next = (word | 63).saturating_add(1);
            }
        }
        filling.cursor.at = [next, 0];
        let (indices, end) = (filling.mark(0), filling.mark(0) + row);
        for (pick, mark) in
            filling.fields.picks[from..row].iter().zip(&mut filling.fields.rows[indices + from..end])
        {
            *mark = without_provenance_mut(*pick as usize);
        }
        for number in [1, 2] {
            filling.fill(filling.mark(number), &(from..row), 0);
        }
        row
    }

    /// The same of whatever else leads.
    fn take_others(&self, filling: &mut Filling<L>) -> usize {
        let (lead, made, mut scan) = (filling.cursor.lead(), filling.cursor.made, Scan::default());
        let from = filling.count;
        let [places, others, none] = [0, 1, 2].map(|number| filling.mark(number));
        for row in from..filling.most {
            let next = self.candidate(filling.query, (lead, made), &mut scan, filling.cursor.at);
            let Some((place, index, _)) = next else {
                filling.cursor.over = 1;
                filling.fill(none, &(from..row), 0);
                return row;
            };
            filling.fields.picks[row] = index;
            filling.fields.rows[places + row] = without_provenance_mut(place[0] as usize);
            filling.fields.rows[others + row] = without_provenance_mut(place[1] as usize);
            filling.cursor.at = self.behind(lead, place);
        }
        filling.fill(none, &(from..filling.most), 0);
        filling.most
    }
}
