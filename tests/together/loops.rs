//! Iterations that stay open while the world changes: each is seen at most once, and only who is one at that moment;
//! nobody is missed whom the guides promise.
//!
//! ```text
//!                                     may end with DZ_ERR_CHANGED   nobody is missed   nobody new is seen
//!   a pool, backward; a group         yes                           yes                yes
//!   a pool, forward                   yes                           no                 yes
//!   a query of components             no                            yes                no
//!   a query in a pool's order         yes                           no                 no
//!   a query of pairs, of one term     yes                           yes                yes
//!   any other query                   yes                           by fixed terms     no
//! ```
//!
//! Where nothing has changed since the loop began all are seen, whatever it is.

use crate::calls::{OK, S, message};
use crate::each::entity_at;
use crate::groups::Group;
use crate::host::Host;
use crate::matching::{Query, WITH, What};
use crate::read::{self, start};
use denizen::ffi::iterate::*;
use denizen::ffi::query::*;
use denizen::ffi::types::*;
use std::collections::BTreeSet;

/// An entity, and the targets by which it was found.
type Key = (u64, Vec<u64>);

#[derive(Clone, Debug)]
enum Of {
    Pool(dz_id),
    Group(Group),
    Query(Query),
}

/// What a loop must do.
#[derive(Clone, Copy, Debug)]
struct Promise {
    /// It never ends with DZ_ERR_CHANGED.
    follows: bool,
    /// Who is one all the time is seen.
    whole: bool,
    /// Who has become one since isn't seen.
    strict: bool,
    /// Nobody is seen twice.
    once: bool,
}

#[derive(Clone)]
pub struct Loop {
    iter: Box<dz_iter>,
    of: Of,
    promise: Promise,
    in_batch: bool,
    /// Those who were ones when it began and are since, and haven't been seen.
    left: BTreeSet<Key>,
    seen: BTreeSet<Key>,
    /// Nothing was called since it began that may change anything.
    quiet: bool,
    /// Only what the guides name as harmless was called since.
    calm: bool,
    /// Calls since it last saw somebody.
    passed: u32,
}

/// Calls for one entity that loops over groups, and over pools that no group owns, can follow.
const CALM: [&str; 9] = [
    "dz_create",
    "dz_add",
    "dz_remove",
    "dz_set",
    "dz_get_or_add",
    "dz_destroy",
    "dz_set_name",
    "dz_pair",
    "dz_add_pair",
];

/// So many changes between two that are seen can be followed.
const FOLLOWED: u32 = 12;

impl Host {
    pub fn begin_loop(&mut self) {
        if self.loops.len() > 5 {
            return;
        }
        self.disturb_loops();
        let world = self.world;
        let forward = !self.has.backward || self.once_in(3);
        let direction = if forward { dz_direction::DZ_FORWARD } else { dz_direction::DZ_BACKWARD };
        let queries: Vec<_> = self.queries.iter().filter(|query| !self.is_lost(query)).cloned().collect();
        let (group, query) = (self.one_of(&self.groups.clone()), self.one_of(&queries));
        let (iter, of, promise) = match (self.dice.below(5), group, query) {
            (0, Some(group), _) => {
                let promise = Promise { follows: false, whole: true, strict: true, once: true };
                (read::group(world, group.handle, direction), Of::Group(group), promise)
            }
            (1..4, _, Some(query)) => {
                let (how, part) = (self.dice.below(4), self.dice.below(2) as u32);
                let in_parts = how == 0 && !query.is_linked() && query.order == 0;
                let iter = start(|out| match how {
                    0 if in_parts => call!(dz_iterate_part(world, query.handle, part, 2, out)),
                    1 => call!(dz_iterate_runs(world, query.handle, out)),
                    _ => call!(dz_iterate(world, query.handle, out)),
                });
                let mut promise = self.promise_of(&query);
                promise.whole &= !in_parts;
                (iter, Of::Query(query), promise)
            }
            _ => {
                let Some((id, _)) = self.component() else { return };
                let promise = Promise { follows: false, whole: !forward, strict: true, once: true };
                (read::pool(world, id, direction), Of::Pool(id), promise)
            }
        };
        let (left, seen) = (self.ones(&of).unwrap_or_default(), BTreeSet::new());
        self.record.note(self.step, &format!("a loop begins: {of:x?} {direction:?} {promise:?}"));
        let (iter, calm) = (Box::new(iter), self.undisturbed);
        let new = Loop { iter, of, promise, in_batch: false, left, seen, quiet: true, calm, passed: 0 };
        self.loops.push(new);
    }

    fn promise_of(&self, query: &Query) -> Promise {
        let terms = &query.terms;
        let yields = terms.iter().any(|term| term.yields());
        let once = terms.iter().all(|term| term.what != What::OfAny);
        if !query.is_linked() {
            let by_index = query.order == 0;
            return Promise { follows: by_index, whole: by_index, strict: false, once };
        }
        let of_children = terms.iter().any(|term| matches!(term.what, What::Child(_)));
        let alone = match &terms[..] {
            [term] if term.what == What::Pair && term.raw.ask == WITH && term.raw.source == 0 => {
                let traits = self.kin.graph.traits(term.raw.id);
                !traits.transitive && !traits.reflexive
            }
            _ => false,
        };
        let alone = alone && !query.kept && !query.cascade && !query.bases;
        Promise { follows: false, whole: alone || !yields && !of_children, strict: alone, once }
    }

    /// Who is to be seen by a loop that begins now; none: what it goes over is gone.
    fn ones(&self, of: &Of) -> Option<BTreeSet<Key>> {
        let alone = |all: BTreeSet<u64>| all.into_iter().map(|entity| (entity, vec![])).collect();
        match of {
            Of::Pool(id) => self.lives(*id).then(|| alone(self.visible(*id))),
            Of::Group(group) => {
                let is = self.groups.iter().any(|other| other.handle == group.handle);
                is.then(|| alone(self.members(group)))
            }
            Of::Query(query) => {
                let is = self.queries.iter().any(|other| other.handle == query.handle);
                (is && !self.is_lost(query)).then(|| {
                    self.matches(query).into_iter().map(|found| key(query, found.0, &found.1)).collect()
                })
            }
        }
    }

    /// A call was made that changes something.
    pub fn stir_loops(&mut self, name: &str, failed: bool) {
        let undisturbed = self.undisturbed;
        for open in &mut self.loops {
            open.quiet = false;
            open.passed += 1;
            let followed = CALM.contains(&name) && !failed && open.passed <= FOLLOWED;
            open.calm &= undisturbed && followed;
            // Of those who are hidden and seen again it isn't known whether they are new.
            let hides = ["dz_set_enabled", "dz_set_base", "dz_instantiate", "dz_set_component_enabled"];
            let hides = hides.contains(&name) || name == "dz_add";
            open.promise.strict &= !hides || !matches!(open.of, Of::Query(_));
        }
    }

    /// Something was iterated that a loop goes over, too: then it may end if there are changes before and after.
    pub fn disturb_loops(&mut self) {
        self.loops.iter_mut().for_each(|open| open.calm = false);
    }

    /// After each step: who is none any more needn't be seen.
    pub fn follow_loops(&mut self) {
        let mut loops = std::mem::take(&mut self.loops);
        for open in loops.iter_mut().filter(|open| !open.quiet) {
            let now = self.ones(&open.of).unwrap_or_default();
            open.left.retain(|key| now.contains(key));
        }
        self.loops = loops;
    }

    /// Lets some loop see some more.
    pub fn go_on(&mut self) {
        if self.loops.is_empty() {
            return;
        }
        let at = self.dice.below(self.loops.len());
        if self.once_in(20) {
            // The copy goes on where this one stands.
            let copy = self.loops[at].clone();
            self.loops.push(copy);
            self.disturb_loops();
        }
        let mut open = self.loops.swap_remove(at);
        let most = if self.once_in(4) { 40 } else { 4 };
        for _ in 0..1 + self.dice.below(most) {
            if self.advance(&mut open).is_none() {
                return self.check_loop_end(&open);
            }
        }
        if self.once_in(30) {
            return self.check_restart(open);
        }
        self.loops.push(open);
    }

    /// Sees one more, if anybody is left.
    pub fn advance(&self, open: &mut Loop) -> Option<u64> {
        loop {
            if !open.in_batch {
                if !call!(dz_next(&mut *open.iter)) {
                    return None;
                }
                assert!(open.iter.count > 0, "a batch of nobody");
            }
            open.in_batch = true;
            if let Some(i) = read::step(&mut open.iter) {
                return Some(self.look(open, i));
            }
            open.in_batch = false;
        }
    }

    fn look(&self, open: &mut Loop, i: u32) -> u64 {
        let (iter, entity) = (&*open.iter, entity_at(&open.iter, i));
        let key = match &open.of {
            Of::Pool(id) => {
                let at = iter.data.wrapping_byte_add(i as usize * iter.stride as usize);
                assert!(self.lives(*id) && self.shows(entity, *id), "{entity:x} isn't in the pool of {id:x}");
                assert!(self.kind(*id).size == 0 || at.cast_const() == self.own(entity, *id));
                (entity, vec![])
            }
            Of::Group(group) => {
                assert!(self.is_member(group, entity), "{entity:x} is no member of {group:x?}");
                self.check_member(group, iter, i);
                (entity, vec![])
            }
            Of::Query(query) => {
                let element = self.element(query, iter, i);
                let now = self.matches_of(query, entity);
                assert!(now.contains(&element), "{element:x?} doesn't match {query:x?}: {now:x?}");
                key(query, entity, &element.1)
            }
        };
        open.passed = 0;
        let was_left = open.left.remove(&key);
        assert!(was_left || !open.promise.strict, "{key:x?} is new, and seen by {:x?}", open.of);
        let again = !open.seen.insert(key) && open.promise.once;
        assert!(!again, "{entity:x} is seen twice by {:x?}", open.of);
        entity
    }

    pub fn check_loop_end(&self, open: &Loop) {
        let (of, status) = (&open.of, open.iter.status);
        let gone = self.ones(of).is_none();
        let errors = [S::DZ_ERR_DEAD, S::DZ_ERR_GROUP, S::DZ_ERR_QUERY, S::DZ_ERR_QUERY_LOST];
        if errors.iter().any(|error| *error as i32 == status) {
            return assert!(gone, "{of:x?} ends with {status}");
        }
        if status == S::DZ_ERR_CHANGED as i32 {
            assert!(!open.quiet, "{of:x?} ends, but nothing was called");
            assert!(!open.promise.follows, "{of:x?} can follow everything");
            let followed = match of {
                Of::Pool(id) => !self.is_owned(*id),
                Of::Group(_) => true,
                Of::Query(query) => query.order != 0 && !self.is_owned(query.order),
            };
            return assert!(!(open.calm && followed), "{of:x?} could have gone on");
        }
        assert_eq!(status, OK as i32, "{}", message());
        let whole = open.promise.whole && !gone || open.quiet && self.is_all(open);
        assert!(!whole || open.left.is_empty(), "{of:x?} has missed {:x?}", open.left);
        assert!(!call!(dz_next(&mut *open.iter.clone())), "nobody behind the last");
    }

    /// Whether a loop goes over all, not a part.
    fn is_all(&self, open: &Loop) -> bool {
        // As the library marks them.
        const PART: u32 = 8;
        open.iter.flags & PART == 0
    }

    /// A loop over a query begins again, with who matches now.
    fn check_restart(&mut self, mut open: Loop) {
        let Of::Query(query) = &open.of else { return self.loops.push(open) };
        if !self.is_all(&open) || open.iter.status != OK as i32 {
            return self.loops.push(open);
        }
        let came = call!(dz_restart(&mut *open.iter));
        let Some(ones) = self.ones(&open.of) else {
            let gone = if self.is_lost(query) { S::DZ_ERR_QUERY_LOST } else { S::DZ_ERR_QUERY };
            return assert!(came == gone || came == S::DZ_ERR_QUERY, "{came:?}");
        };
        assert_eq!(came, OK, "{}", message());
        (open.left, open.seen, open.in_batch, open.quiet) = (ones, BTreeSet::new(), false, true);
        while self.advance(&mut open).is_some() {}
        self.check_loop_end(&open);
    }

    /// When the world is gone, so is what loops go over.
    pub fn end_loops(&mut self) {
        for mut open in std::mem::take(&mut self.loops) {
            let ended = open.iter.status != OK as i32;
            let seen = open.in_batch && read::step(&mut open.iter).is_some();
            assert!(!seen, "somebody is seen of a world that is gone");
            assert!(!call!(dz_next(&mut *open.iter)));
            assert!(ended || open.iter.status == S::DZ_ERR_WORLD_DEAD as i32, "{}", open.iter.status);
        }
    }
}

/// What tells matches of one entity apart.
fn key(query: &Query, entity: u64, found: &[(u64, *const std::ffi::c_void)]) -> Key {
    let targets = query.terms.iter().zip(found).filter(|(term, _)| term.yields());
    (entity, targets.map(|(_, (target, _))| *target).collect())
}
