//! Iterating a group, batch by batch, whatever changes meanwhile.
//!
//! A group keeps its last steps (who left, who changed places), and an iteration replays those since it
//! looked last. What it has to see is one side of its position, but for *exceptions*: positions on that side
//! that were filled by somebody seen, and positions on the other where somebody stands who wasn't.
//!
//! ```text
//!   backward   [ a b x d  | e f ]       position 4: a to d are not seen yet
//!              [ a b f d  | e ]         x has left, and f is in its place: 2 is an exception
//!              [ e b f d  | a ]         a and e changed places: 0 is one, and 4, where a is seen in the end
//! ```
//!
//! Who joins comes behind the last one, which is the side that was seen. So nobody is seen twice, nobody is
//! missed, and nobody who came meanwhile is seen; unless there are more exceptions, or more steps since the
//! last look, than can be kept.

use super::Ecs;
use crate::core::error::{Error, Kind};
use crate::core::ids::{Handle, Layout};
use crate::core::ranges::Ranges;
use crate::core::storage::groups::{Group, Step};
use crate::core::storage::join::{Fields, MOST_ROWS, PICKS, TERMS};
use crate::core::storage::pools::Pools;
use crate::core::storage::slice::{checked, checked_mut};

/// Where an iteration of a group stands.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GroupCursor {
    /// The last step that it has replayed.
    pub known: u64,
    /// Backward: positions below are not seen yet. Forward: positions from here on aren't.
    pub position: u32,
    /// The batch: its first position, and the one behind its last.
    pub first: u32,
    /// See `first`.
    pub end: u32,
    /// Forward: positions from here on are not looked at.
    pub limit: u32,
    /// Not 0: from the first to the last.
    pub forward: u32,
    exceptions: Ranges,
}

/// How an iteration of a group begins.
#[derive(Clone, Copy, Debug)]
pub struct GroupStart {
    /// Where it stands.
    pub cursor: GroupCursor,
    /// Bytes from one element of each term to the next; 0: no data.
    pub strides: [u32; TERMS],
    /// How many fields there are.
    pub terms: u32,
    /// Bytes of an entity.
    pub word: u32,
}

impl GroupCursor {
    /// Whether a position is on the side that is not seen yet.
    const fn is_ahead(&self, position: u32) -> bool {
        if self.forward != 0 {
            position >= self.position && position < self.limit
        } else {
            position < self.position
        }
    }

    fn is_unseen(&self, position: u32) -> bool {
        self.is_ahead(position) != self.exceptions.contains(position)
    }

    /// None if that can't be kept.
    fn set(&mut self, position: u32, unseen: bool) -> Option<()> {
        match (self.is_ahead(position) != unseen, self.exceptions.contains(position)) {
            (true, false) => self.exceptions.add(position),
            (false, true) => self.exceptions.remove(position, position.saturating_add(1)),
            _ => Some(()),
        }
    }

    /// Replays a step; None if it can't be followed.
    fn replay(&mut self, step: Step) -> Option<()> {
        match step {
            Step::Join => {}
            Step::Empty => (self.position, self.limit, self.exceptions) = (0, 0, Ranges::EMPTY),
            Step::Leave(from, last) => {
                let unseen = self.is_unseen(last);
                if from != last {
                    self.set(from, unseen)?;
                }
                self.exceptions.remove(last, u32::MAX)?;
                self.position = self.position.min(last);
                self.limit = self.limit.min(last);
            }
            Step::Swap(low, high) => {
                let (left, right) = (self.is_unseen(low), self.is_unseen(high));
                if left != right {
                    self.set(low, right)?;
                    self.set(high, left)?;
                }
            }
        }
        Some(())
    }

    /// Lets exceptions beside the position be none: it moves over them, but not out of the batch.
    fn tidy(&mut self) -> Option<()> {
        let forward = self.forward != 0;
        // Whoever was put where the last one was seen comes next.
        while if forward { self.position > self.first } else { self.position < self.end } {
            let seen = if forward { self.position - 1 } else { self.position };
            if !self.exceptions.contains(seen) {
                break;
            }
            self.exceptions.remove(seen, seen.saturating_add(1))?;
            self.position = if forward { seen } else { seen.saturating_add(1) };
        }
        Some(())
    }

    /// Goes on behind the batch: all of it was seen.
    fn pass_batch(&mut self) -> Option<()> {
        if self.forward != 0 {
            self.exceptions.remove(self.position, self.end)?;
            self.position = self.position.max(self.end).min(self.limit.max(self.position));
        } else {
            self.exceptions.remove(self.first, self.position)?;
            self.position = self.position.min(self.first);
        }
        Some(())
    }

    /// Passes over exceptions that come next. Where nothing is ahead any more, but somebody is elsewhere who
    /// wasn't seen, all is ahead that is not behind the last such place, and what is between an exception.
    fn look_ahead(&mut self) -> Option<()> {
        for _ in 0..2 {
            if self.forward != 0 {
                if let Some([_, end]) = self.exceptions.around(self.position) {
                    let end = end.min(self.limit);
                    self.exceptions.remove(self.position, end)?;
                    self.position = self.position.max(end);
                }
                if self.position < self.limit {
                    return Some(());
                }
            } else {
                let last = self.position.checked_sub(1);
                if let Some([first, _]) = last.and_then(|last| self.exceptions.around(last)) {
                    self.exceptions.remove(first, self.position)?;
                    self.position = first;
                }
                if self.position > 0 {
                    return Some(());
                }
            }
            let (Some(first), Some(last)) = (self.exceptions.all().first(), self.exceptions.all().last())
            else {
                return Some(());
            };
            let (first, last) = (first[0], last[1]);
            if self.forward != 0 {
                (self.position, self.limit) = (first, last);
                self.exceptions.invert(first)?;
            } else {
                self.position = last;
                self.exceptions.invert(0)?;
            }
        }
        Some(())
    }
}

impl<L: Layout> Group<L> {
    /// A loop that takes out what it visits, from the end: however many left, what is below is as it was.
    fn follow_leaving(&self, cursor: &GroupCursor) -> bool {
        let below = cursor.exceptions.all().iter().all(|range| range[1] <= cursor.first);
        cursor.forward == 0 && below && self.only_left_above(cursor.known, cursor.first)
    }

    /// Lets an iteration catch up with what changed since its last step. `behind`: it goes on behind its batch.
    fn follow(&self, cursor: &mut GroupCursor, behind: bool) -> Result<(), Error> {
        let lost = Error::new(Kind::Changed).with(self.serial.into(), 1);
        let changed = cursor.known != self.changes();
        // First, as the batch was gone through before this change: who looks at each one knows the others.
        if behind {
            cursor.pass_batch().ok_or(lost)?;
        }
        if changed && behind && self.follow_leaving(cursor) {
            cursor.known = self.changes();
        } else if changed {
            for step in self.steps_since(cursor.known).ok_or(lost)? {
                cursor.replay(step).ok_or(lost)?;
            }
            cursor.known = self.changes();
        }
        if changed && !behind {
            cursor.tidy().ok_or(lost)?;
        }
        cursor.limit = cursor.limit.min(self.count());
        cursor.position = cursor.position.min(self.count());
        Ok(())
    }

    /// The positions of the next batch, of at most `most`: none of an exception is among them.
    fn next_positions(&self, pools: &Pools<L>, cursor: &mut GroupCursor, most: u32) -> Result<(), Error> {
        let lost = Error::new(Kind::Changed).with(self.serial.into(), 1);
        if !cursor.exceptions.is_empty() {
            cursor.look_ahead().ok_or(lost)?;
        }
        cursor.limit = cursor.limit.min(self.count());
        cursor.position = cursor.position.min(self.count());
        if cursor.forward != 0 {
            let first = cursor.position;
            let mut end = self.page(pools, first).end.min(cursor.limit).min(first.saturating_add(most));
            for [seen, _] in cursor.exceptions.all().iter().filter(|range| range[0] >= first) {
                end = end.min(*seen);
            }
            (cursor.first, cursor.end) = (first, end.max(first));
        } else {
            let end = cursor.position;
            let mut first = self.page(pools, end.saturating_sub(1)).start;
            first = first.max(end.saturating_sub(most));
            for [_, behind] in cursor.exceptions.all().iter().filter(|range| range[1] <= end) {
                first = first.max(*behind);
            }
            (cursor.first, cursor.end) = (first, end);
        }
        Ok(())
    }

    /// Whether fields have to be looked up, and how many entities a batch may have then.
    fn most_picks(&self, pools: &Pools<L>) -> Option<u32> {
        let has_data = |number: &&u32| pools.get(**number).is_some_and(|pool| pool.shape.size > 0);
        let looked_up = checked(self.fields(), self.owned().len()..).iter().any(|number| has_data(&number));
        if !looked_up {
            return None;
        }
        let data = self.fields().iter().filter(has_data).count();
        // Tags share a block of nulls.
        let blocks = data + usize::from(data < self.fields().len());
        u32::try_from(PICKS.min(MOST_ROWS / blocks)).ok()
    }

    /// Writes where the elements of all members of the batch are.
    fn gather_all(&self, pools: &Pools<L>, cursor: &GroupCursor, fields: &mut Fields) {
        let count = (cursor.end - cursor.first) as usize;
        for (pick, number) in fields.picks[..count].iter_mut().zip(0..) {
            *pick = number;
        }
        let lead = self.owned().first().and_then(|number| pools.get(*number));
        for (term, pool) in self.fields().iter().enumerate() {
            let Some(pool) = pools.get(*pool) else { continue };
            let rows = checked_mut(&mut fields.rows[fields.offsets[term] as usize..], ..count);
            let rows = rows.iter_mut().zip(cursor.first..);
            if pool.shape.size == 0 {
                rows.for_each(|(row, _)| *row = core::ptr::null_mut());
            } else if term < self.owned().len() {
                rows.for_each(|(row, position)| *row = pool.element(position));
            } else if let Some(lead) = lead {
                rows.for_each(|(row, position)| *row = pool.element_of_member(lead.entity(position)));
            } else {
                rows.for_each(|(row, position)| *row = pool.element_of_member(self.list_entity(position)));
            }
        }
    }

    /// Writes where the elements of the batch's member number `number` are.
    fn gather(&self, pools: &Pools<L>, cursor: &GroupCursor, number: u32, fields: &mut Fields) {
        let (position, at) = (cursor.first + number, number as usize);
        let entity = self.entity(pools, position);
        fields.picks[at] = number;
        for (term, pool) in self.fields().iter().enumerate() {
            let Some(pool) = pools.get(*pool) else { continue };
            let there = if term < self.owned().len() { Some(position) } else { pool.position(entity) };
            let place = &mut fields.rows[(fields.offsets[term] as usize + at) % MOST_ROWS];
            *place = match there {
                Some(there) if pool.shape.size > 0 => pool.element(there),
                _ => core::ptr::null_mut(),
            };
        }
    }

    /// Where each field's addresses begin.
    #[allow(clippy::cast_possible_truncation)]
    fn lay_out(&self, pools: &Pools<L>, most: u32, fields: &mut Fields) {
        let mut next = 0;
        let mut of_tags = None;
        for (term, pool) in self.fields().iter().enumerate() {
            let is_tag = pools.get(*pool).is_none_or(|pool| pool.shape.size == 0);
            let offset = of_tags.filter(|_| is_tag).unwrap_or(next);
            if is_tag {
                of_tags = Some(offset);
            }
            next = next.max(offset + most);
            fields.offsets[term] = offset as u16;
        }
    }
}

impl<L: Layout> Ecs<L> {
    /// Starts an iteration of a group's members.
    #[allow(clippy::cast_possible_truncation)]
    pub fn start_group(&self, serial: u32, forward: bool) -> Result<GroupStart, Error> {
        self.look(|w| {
            let group = w.groups.by_serial(serial)?;
            let position = if forward { 0 } else { group.count() };
            let cursor = GroupCursor {
                known: group.start(),
                position,
                first: position,
                end: position,
                limit: group.count(),
                forward: forward.into(),
                exceptions: Ranges::EMPTY,
            };
            let mut strides = [0; TERMS];
            for (stride, number) in strides.iter_mut().zip(group.fields()) {
                *stride = w.pools.get(*number).map_or(0, |pool| pool.shape.size);
            }
            let (terms, word) = (group.fields().len() as u32, size_of::<L::Word>() as u32);
            Ok(GroupStart { cursor, strides, terms, word })
        })
    }

    /// Builds the next batch; returns how many are in it.
    pub fn next_group_batch(
        &self,
        serial: u32,
        cursor: &mut GroupCursor,
        fields: &mut Fields,
    ) -> Result<u32, Error> {
        self.look(|w| {
            let group = w.groups.by_serial(serial)?;
            group.follow(cursor, true)?;
            let most = group.most_picks(&w.pools);
            group.next_positions(&w.pools, cursor, most.unwrap_or(u32::MAX))?;
            let count = cursor.end - cursor.first;
            fields.count = count;
            fields.gather = most.is_some();
            if count == 0 {
                return Ok(0);
            }
            fields.entities = group.entities_at(&w.pools, cursor.first);
            for (term, pool) in group.fields().iter().enumerate() {
                let pool = w.pools.get(*pool).filter(|pool| pool.shape.size > 0);
                let array = pool.filter(|_| term < group.owned().len());
                fields.data[term] = array.map_or(core::ptr::null_mut(), |pool| pool.element(cursor.first));
            }
            if let Some(most) = most {
                group.lay_out(&w.pools, most, fields);
                group.gather_all(&w.pools, cursor, fields);
            }
            Ok(count)
        })
    }

    /// The next member of the batch that is to be seen, after a change: its number in the batch and who it
    /// is. And whether the others of the batch need no more such look until the next change.
    pub fn next_group_member(
        &self,
        serial: u32,
        cursor: &mut GroupCursor,
        fields: &mut Fields,
    ) -> Result<(Option<(u32, Handle)>, bool), Error> {
        self.look(|w| {
            let group = w.groups.by_serial(serial)?;
            group.follow(cursor, false)?;
            let most = group.most_picks(&w.pools);
            let next = loop {
                let position = if cursor.forward != 0 {
                    if cursor.position >= cursor.end.min(cursor.limit) {
                        break None;
                    }
                    cursor.position += 1;
                    cursor.position - 1
                } else {
                    if cursor.position <= cursor.first {
                        break None;
                    }
                    cursor.position -= 1;
                    cursor.position
                };
                // What was passed is seen: if it was an exception, it is none any more.
                if !cursor.exceptions.contains(position) {
                    break Some(position);
                }
                let removed = cursor.exceptions.remove(position, position + 1);
                removed.ok_or(Error::new(Kind::Changed).with(serial.into(), 1))?;
            };
            let most_end = if cursor.forward != 0 { cursor.limit } else { group.count() };
            cursor.end = cursor.end.min(most_end).max(cursor.first);
            let in_batch = |range: &[u32; 2]| range[0] < cursor.end && range[1] > cursor.first;
            let quiet = most.is_none() && !cursor.exceptions.all().iter().any(in_batch);
            let Some(position) = next.filter(|position| *position >= cursor.first) else {
                return Ok((None, quiet));
            };
            let number = position - cursor.first;
            if most.is_some_and(|most| number < most) {
                group.gather(&w.pools, cursor, number, fields);
            }
            Ok((Some((number, group.entity(&w.pools, position))), quiet))
        })
    }
}
