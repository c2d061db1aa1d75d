//! Queries against their naive evaluation: who matches, in which order, with which addresses; by every way
//! to iterate and every question.

use crate::calls::{self, OK};
use crate::each::{each, entity_at};
use crate::query::{Asked, Host, Made, Step, Term, asked, is_match, size, step};
use denizen::ffi::query_types::DZ_MAX_PICKS;
use denizen::ffi::types::*;
use denizen::ffi::{access::*, iterate::*, query::*};
use proptest::prelude::*;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null;

/// `dz_at_if` of denizen_inline.h.
pub fn at_if(iter: &dz_iter, term: usize, i: u32, size: u32) -> *const c_void {
    if iter.gather != 0 {
        let offset = iter.offsets[term];
        return if offset == u16::MAX { null() } else { iter.rows[offset as usize + i as usize] };
    }
    let first = iter.fields[term];
    if first.is_null() { first } else { first.wrapping_byte_add(i as usize * size as usize) }
}

/// Whether elements of a term are handed out; of tags, whether they are there.
fn is_handed_out(term: &Term) -> bool {
    term.access != 3 && term.ask != 1 && (size(term.component) > 0 || term.ask != 0)
}

/// Looks at an element of a batch: the entity matches, and each field is where `dz_get` says.
pub fn check_element(host: &Host, terms: &[Term], iter: &dz_iter, i: u32) -> dz_entity {
    let entity = entity_at(iter, i);
    let mask = host.mask(entity);
    assert!(is_match(terms, mask), "{entity:#x} doesn't match");
    for (number, term) in terms.iter().enumerate() {
        let size = size(term.component);
        if !is_handed_out(term) {
            assert_eq!(iter.strides[number], 0);
            assert!(at_if(iter, number, i, size).is_null());
            continue;
        }
        assert_eq!(iter.strides[number], size);
        let at = at_if(iter, number, i, size);
        assert_eq!(!at.is_null(), mask >> term.component & 1 != 0, "term {number} of {entity:#x}");
        if size > 0 {
            assert_eq!(at, dz_get(host.world, entity, host.ids[term.component]), "term {number}");
        }
    }
    entity
}

/// Looks at a batch; returns its entities.
fn check_batch(host: &Host, terms: &[Term], iter: &dz_iter) -> Vec<dz_entity> {
    assert!(iter.count > 0 && (iter.gather == 0 || iter.count <= DZ_MAX_PICKS));
    assert_eq!((iter.status, iter.term_count as usize), (OK as i32, terms.len()));
    (0..iter.count).map(|i| check_element(host, terms, iter, i)).collect()
}

/// Goes through the rest of an iteration.
fn rest(host: &Host, terms: &[Term], iter: &mut dz_iter) -> Vec<dz_entity> {
    let mut seen = Vec::new();
    while calls::next(iter) {
        seen.extend(check_batch(host, terms, iter));
    }
    assert_eq!((iter.status, iter.count), (OK as i32, 0), "{}", calls::message());
    assert!(!calls::next(iter), "the end is the end");
    seen
}

/// Starts an iteration of a query.
pub fn start(host: &Host, made: &Made) -> dz_iter {
    calls::iterate_query(host.world, made.query)
}

pub fn start_runs(host: &Host, made: &Made) -> dz_iter {
    let mut iter = MaybeUninit::uninit();
    assert_eq!(unsafe { dz_iterate_runs(host.world, made.query, iter.as_mut_ptr()) }, OK);
    unsafe { iter.assume_init() }
}

fn part(host: &Host, made: &Made, part: u32, parts: u32) -> Vec<dz_entity> {
    rest(host, &made.terms, &mut calls::iterate_part(host.world, made.query, part, parts))
}

unsafe extern "C" fn collect(batch: *mut dz_iter, user: *mut c_void) {
    let (host, made, seen) = unsafe { &mut *user.cast::<(&Host, &Made, Vec<dz_entity>)>() };
    seen.extend(check_batch(host, &made.terms, unsafe { &*batch }));
}

fn check_walks(host: &Host, made: &Made, expected: &[dz_entity]) {
    let terms = &made.terms;
    let mut iter = start(host, made);
    assert_eq!(rest(host, terms, &mut iter), expected);
    assert_eq!(unsafe { dz_restart(&mut iter) }, OK);
    // A copy goes on by itself, from where it was made.
    let mut seen = Vec::new();
    for _ in 0..2 {
        if calls::next(&mut iter) {
            seen.extend(check_batch(host, terms, &iter));
        }
    }
    let mut copy = iter;
    let behind = rest(host, terms, &mut copy);
    assert_eq!(rest(host, terms, &mut iter), behind);
    assert_eq!([seen, behind].concat(), expected);
    // Runs only.
    let mut iter = start_runs(host, made);
    let mut seen = Vec::new();
    while calls::next(&mut iter) {
        assert_eq!(iter.gather, 0, "a run");
        seen.extend(check_batch(host, terms, &iter));
    }
    assert_eq!(seen, expected);
    // Left in the middle, started over again.
    assert_eq!(unsafe { dz_restart(&mut iter) }, OK);
    calls::next(&mut iter);
    assert_eq!(unsafe { dz_restart(&mut iter) }, OK);
    while calls::next(&mut iter) {
        assert_eq!(iter.gather, 0, "a run, after dz_restart too");
    }
    // Element by element.
    let mut iter = start(host, made);
    let mut seen = Vec::new();
    while calls::next(&mut iter) {
        while let Some(i) = each(&mut iter) {
            seen.push(check_element(host, terms, &iter, i));
        }
    }
    assert_eq!((seen.as_slice(), iter.status), (expected, OK as i32));
    // The callback.
    let mut user = (host, made, Vec::new());
    let status = unsafe { dz_query_each(host.world, made.query, Some(collect), (&raw mut user).cast()) };
    assert_eq!((status, user.2.as_slice()), (OK, expected));
}

fn check_parts(host: &Host, made: &Made, expected: &[dz_entity], parts: u32) {
    let parts = if made.order.is_some() { 1 } else { parts };
    let all: Vec<_> = (0..parts).flat_map(|number| part(host, made, number, parts)).collect();
    assert_eq!(all, expected, "{parts} parts");
}

fn check_questions(host: &Host, made: &Made, expected: &[dz_entity]) {
    let (world, query) = (host.world, made.query);
    assert_eq!(dz_query_count(world, query) as usize, expected.len());
    assert_eq!(dz_query_is_empty(world, query), expected.is_empty());
    // The first is the one with the lowest index, whatever order is followed.
    let lowest = expected.iter().copied().min_by_key(|entity| denizen::ffi::entity::dz_entity_index(*entity));
    assert_eq!(dz_query_first(world, query), lowest.unwrap_or(0));
    let single = if expected.len() == 1 { expected[0] } else { 0 };
    assert_eq!(dz_query_single(world, query), single);
    if single == 0 {
        assert_eq!(calls::last(), dz_status::DZ_ERR_NOT_SINGLE);
        assert!(calls::message().contains(&format!(" {} matches", expected.len())), "{}", calls::message());
    }
    for (entity, mask) in host.entities() {
        assert_eq!(dz_query_matches(world, query, entity), is_match(&made.terms, mask));
    }
}

/// Iterations inside iterations see what they see alone.
fn check_nesting(host: &Host, outer: &Made, inner: &Made) {
    let expected = host.expected(inner);
    let mut outside = start(host, outer);
    let mut seen = Vec::new();
    let mut times = 0;
    while calls::next(&mut outside) {
        let before = check_batch(host, &outer.terms, &outside);
        if times < 3 {
            let mut inside = start(host, inner);
            assert_eq!(rest(host, &inner.terms, &mut inside), expected);
        }
        times += 1;
        assert_eq!(check_batch(host, &outer.terms, &outside), before);
        seen.extend(before);
    }
    assert_eq!(seen, host.expected(outer));
}

fn details(host: &Host, made: &Made) -> dz_query_details {
    let mut details = MaybeUninit::uninit();
    assert_eq!(unsafe { dz_query_info(host.world, made.query, details.as_mut_ptr()) }, OK);
    unsafe { details.assume_init() }
}

/// Compares everything that can be asked of a query; returns who matches.
pub fn check(host: &Host, made: &Made, parts: u32) -> Vec<dz_entity> {
    let expected = host.expected(made);
    check_walks(host, made, &expected);
    check_parts(host, made, &expected, parts);
    check_parts(host, made, &expected, 64);
    check_questions(host, made, &expected);
    let details = details(host, made);
    assert_eq!((details.term_count as usize, details.kept), (made.terms.len(), made.kept.into()));
    assert_eq!(details.order, made.order.map_or(0, |component| host.ids[component]));
    expected
}

/// Lets a query remember, and compares again.
fn refresh(host: &Host, made: &Made) {
    if host.refresh(made) != OK {
        return;
    }
    let known = details(host, made);
    assert!(known.fresh == 1 || known.runs == 0, "{known:?}");
    let expected = check(host, made, 3);
    if known.fresh == 1 {
        assert_eq!(known.runs == 0, expected.is_empty(), "{known:?}");
        assert_eq!(details(host, made).fresh, 1, "iterating only reads");
    }
    assert_eq!(host.refresh(made), OK);
    if !made.terms.iter().any(|term| host.is_circular(term.component)) {
        assert_eq!(details(host, made).runs, known.runs);
    }
}

type Case = (bool, usize, usize, Vec<Asked>, Vec<Vec<Step>>, u32);

fn case(many: bool) -> BoxedStrategy<Case> {
    let components = if many { crate::query::MOST..crate::query::MOST + 1 } else { 1..9 };
    let (queries, phases) = if many { (1..3, 1..3) } else { (1..5, 1..5) };
    (any::<bool>(), 0..3_usize, components, 1..20_u32)
        .prop_flat_map(move |(wide, level, components, parts)| {
            let queries = prop::collection::vec(asked(components, many), queries.clone());
            let steps = prop::collection::vec(step(), 1..crate::steps(12));
            let phases = prop::collection::vec(steps, phases.clone());
            (queries, phases)
                .prop_map(move |(queries, phases)| (wide, level, components, queries, phases, parts))
        })
        .boxed()
}

fn run((wide, level, components, queries, phases, parts): Case) {
    let mut host = Host::new(wide, level, components);
    let made: Vec<_> = queries.iter().map(|asked| host.ask(asked)).collect();
    for (number, steps) in phases.iter().enumerate() {
        steps.iter().for_each(|step| host.step(step));
        for made in &made {
            check(&host, made, parts);
            // Not always, so that some remember what was before.
            if !(number + parts as usize).is_multiple_of(3) {
                refresh(&host, made);
            }
        }
        check_nesting(&host, &made[0], &made[made.len() - 1]);
    }
    for made in &made {
        assert_eq!(dz_query_destroy(host.world, made.query), OK);
        assert_eq!(dz_query_destroy(host.world, made.query), dz_status::DZ_ERR_QUERY);
    }
}

proptest! {
    #![proptest_config(crate::config(300))]

    #[test]
    fn queries_find_who_matches(case in case(false)) {
        run(case);
    }
}

proptest! {
    #![proptest_config(crate::config(60))]

    #[test]
    fn queries_of_many_terms_find_who_matches(case in case(true)) {
        run(case);
    }
}

fn with(component: usize) -> Term {
    Term { component, ask: 0, access: 0, any_of: 0 }
}

/// Many pages and regions of everything, with a hole here and there: long runs, page by page.
#[test]
fn large_worlds() {
    let n = if cfg!(miri) { 600 } else { 18_000 };
    let levels = crate::query::levels();
    for (wide, level) in (0..levels.len()).map(|level| (level % 2 == 0, level)).chain([(false, 0)]) {
        let mut host = Host::new(wide, level, 5);
        let all = host.create_with(n, 0b01011);
        let optional = Term { ask: 2, ..with(2) };
        let any = |component| Term { component, ask: 3, access: 0, any_of: 0 };
        let kept = |terms: &[Term]| Asked { terms: terms.to_vec(), kept: true, ordered: false };
        let queries = [
            kept(&[with(0), with(1)]),
            kept(&[with(1), Term { ask: 1, ..with(2) }, Term { access: 3, ..with(0) }]),
            kept(&[with(0), optional, with(3)]),
            kept(&[any(0), any(2)]),
            Asked { ordered: true, ..kept(&[with(1), with(0)]) },
        ]
        .map(|asked| host.ask(&asked));
        let check_all = |host: &Host| {
            for made in &queries {
                // Once what is remembered is of before, and once it is how it is.
                check(host, made, 5);
                refresh(host, made);
            }
        };
        check_all(&host);
        for (at, entity) in all.iter().enumerate().filter(|(at, _)| at % 7919 == 300) {
            if at % 2 == 0 { host.remove(*entity, 0) } else { host.add(*entity, 2) }
        }
        check_all(&host);
        for entity in all.iter().skip(300).step_by(97) {
            host.destroy(*entity);
        }
        check_all(&host);
        host.create_with(n / 200, 0b00011);
        check_all(&host);
        host.step(&Step::Optimise(u16::MAX));
        check_all(&host);
    }
}
