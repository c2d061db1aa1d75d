//! A queue of entities, through a place that each who takes part in pairs has anyway: for who goes along when somebody
//! is destroyed, and where a relation leads.
//!
//! ```text
//!   a -> b -> c -> c      each keeps the next one's index, the last its own; `NONE`: not in the queue
//!        ^ x -> y         behind a: a -> y -> x -> b -> c
//! ```

use super::{End, Links, NONE};
use crate::core::ids::Layout;

impl<L: Layout> Links<L> {
    /// Begins a queue: an entity, who has an end, is all of it.
    pub fn begin_queue(&mut self, index: u32) {
        self.end_mut(index).queue = index;
    }

    /// Puts entities, who have ends, into the queue behind one of it, the latest first; but for those that are in it.
    #[inline(always)]
    pub fn enqueue(&mut self, behind: u32, all: impl Iterator<Item = u32>) {
        // The last one keeps its own number.
        let mut next = Some(self.end(behind).queue).filter(|next| *next != behind);
        for index in all {
            let end = self.end_mut(index);
            if end.queue == NONE && index != behind {
                end.queue = next.unwrap_or(index);
                next = Some(index);
            }
        }
        self.end_mut(behind).queue = next.unwrap_or(behind);
    }

    /// Whether an entity is in the queue.
    #[must_use]
    pub fn is_queued(&self, index: u32) -> bool {
        self.end(index).queue != NONE
    }

    /// The one behind an entity of the queue, and the first record that aims at that entity, or `NONE`.
    #[inline]
    #[must_use]
    pub fn next_queued(&self, index: u32) -> (Option<u32>, u32) {
        let End { queue, aimed, .. } = self.end(index);
        ((queue != index && queue != NONE).then_some(queue), aimed)
    }

    /// Takes an entity out of the queue, whose first it is; returns the next, and whether it has pairs, or is a target.
    #[inline]
    pub fn dequeue(&mut self, index: u32) -> (Option<u32>, bool) {
        let end = self.end_mut(index);
        let next = core::mem::replace(&mut end.queue, NONE);
        ((next != index && next != NONE).then_some(next), end.is_linked())
    }

    /// Takes the rest out, from one on.
    pub fn empty_queue(&mut self, first: Option<u32>) {
        let mut at = first;
        while let Some(index) = at {
            (at, _) = self.dequeue(index);
        }
    }
}
