//! Which attempt a thread is in, for the length of a sync attempt or of one poll of an async one.
//!
//! On the way into a first attempt and out of it a single word moves, the site, since every step
//! there is paid by calls that never fail. Whatever else there is to know stands in the box that a
//! call has after a failure, under an override, or once the body has asked. While an attempt runs
//! its box is kept here, so that code under the body can reach it.

#![allow(clippy::inline_always)] // on the way of every first success

use crate::Instant;
use core::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::engine::clock::{self, Clock};
use crate::engine::failing::Failing;
use crate::scope::scope;
use crate::stats::site::Site;
use crate::verdict::verdict::Verdict;

struct Place {
    /// The site of the attempt.
    site: Cell<Option<&'static Site>>,
    /// Whether [`BOX`] holds the box of this attempt, and not that of one around it.
    boxed: Cell<bool>,
    /// How many attempts are around it.
    depth: Cell<u32>,
    /// The parts of a [`Started`], each in a cell of its own: what is written in parts and read
    /// as a whole makes the processor wait.
    started_by: Cell<Option<&'static Site>>,
    started_at: Cell<Option<Instant>>,
    started_clock: Cell<Clock>,
}

impl Place {
    fn started(&self) -> Option<Started> {
        let (site, at) = (self.started_by.get()?, self.started_at.get()?);
        Some(Started { site, at, clock: self.started_clock.get() })
    }

    #[inline]
    fn set_started(&self, Started { site, at, clock }: Started) {
        self.started_by.set(Some(site));
        self.started_at.set(Some(at));
        self.started_clock.set(clock);
    }
}

thread_local! {
    static PLACE: Place = const {
        Place {
            site: Cell::new(None),
            boxed: Cell::new(false),
            depth: Cell::new(0),
            started_by: Cell::new(None),
            started_at: Cell::new(None),
            started_clock: Cell::new(clock::system),
        }
    };
    static BOX: RefCell<Option<Box<Failing>>> = const { RefCell::new(None) };
}

/// When a call started that knows it. It may be left behind by a call that has ended, so it counts
/// only in an attempt of its site: what one call of a site knows, all do.
#[derive(Clone, Copy)]
pub(crate) struct Started {
    pub(crate) site: &'static Site,
    pub(crate) at: Instant,
    pub(crate) clock: Clock,
}

/// The attempt that was in place before another was entered, if there was one. Its parts are
/// handled one by one: what is handed on as a whole would be put into memory on the fast path.
#[derive(Clone, Copy)]
pub(crate) struct Outer {
    site: Option<&'static Site>,
    /// Whether it has lent its box.
    boxed: bool,
}

/// Enters the first attempt of a call that has no box. Answers also with what must be put back in
/// place of `started`, if that is not `None`.
#[inline(always)]
pub(crate) fn enter(site: &'static Site, started: Option<Started>) -> (Outer, Option<Started>) {
    PLACE.with(|place| {
        let outer = place.site.replace(Some(site));
        let boxed = outer.is_some() && nest();
        let mut before = None;
        if let Some(started) = started {
            if outer.is_some() {
                before = place.started();
            }
            place.set_started(started);
        }
        (Outer { site: outer, boxed }, before)
    })
}

/// Leaves an attempt. Answers whether its box is here, for [`take`] to take out: it was entered
/// with it, or the body has had one made.
#[inline(always)]
pub(crate) fn leave(outer: Outer, started: Option<Started>) -> bool {
    PLACE.with(|place| {
        place.site.set(outer.site);
        if outer.site.is_some() { unnest(outer.boxed, started) } else { place.boxed.get() }
    })
}

#[cold]
#[inline(never)]
fn nest() -> bool {
    PLACE.with(|place| {
        place.depth.set(place.depth.get().saturating_add(1));
        place.boxed.replace(false)
    })
}

#[cold]
#[inline(never)]
fn unnest(boxed: bool, started: Option<Started>) -> bool {
    PLACE.with(|place| {
        place.depth.set(place.depth.get().saturating_sub(1));
        if let Some(started) = started {
            place.set_started(started);
        }
        place.boxed.replace(boxed)
    })
}

/// Enters an attempt of a call that has a box, which is kept here until [`take`] takes it out. In a
/// thread that ends there is no place for it any more, and it is given back.
#[cold]
#[inline(never)]
pub(crate) fn enter_with(
    site: &'static Site,
    failing: Box<Failing>,
) -> (Outer, Option<Box<Failing>>) {
    let (outer, _) = enter(site, None);
    let mut failing = Some(failing);
    let kept = BOX.try_with(|here| keep(&mut here.borrow_mut(), failing.take()));
    PLACE.with(|place| place.boxed.set(kept.is_ok()));
    (outer, failing)
}

/// Keeps a box here, on top of the one that is.
fn keep(here: &mut Option<Box<Failing>>, failing: Option<Box<Failing>>) {
    let displaced = here.take();
    *here = failing;
    if let Some(failing) = here {
        failing.displaced = displaced;
    }
}

/// Leaves an attempt that did not come to its end.
#[cold]
#[inline(never)]
pub(crate) fn abandon(outer: Outer, started: Option<Started>) {
    if leave(outer, started) {
        drop(take(outer));
    }
}

/// Takes out the box of an attempt that was left into `outer`.
#[cold]
#[inline(never)]
pub(crate) fn take(outer: Outer) -> Option<Box<Failing>> {
    if outer.site.is_none() {
        PLACE.with(|place| place.boxed.set(false));
    }
    let take = |here: &RefCell<Option<Box<Failing>>>| {
        let mut here = here.borrow_mut();
        let mut taken = here.take();
        *here = taken.as_mut().and_then(|taken| taken.displaced.take());
        taken
    };
    BOX.try_with(take).ok().flatten()
}

/// Asks the box of the attempt that this code runs in, which is made now if need be.
pub(crate) fn ask<T>(ask: impl FnOnce(&mut Failing) -> T) -> Option<T> {
    let site = PLACE.with(|place| place.site.get())?;
    let ask = |here: &RefCell<Option<Box<Failing>>>| {
        let mut here = here.borrow_mut();
        if !PLACE.with(|place| place.boxed.replace(true)) {
            keep(&mut here, Some(first(site)));
        }
        here.as_deref_mut().map(ask)
    };
    BOX.try_with(ask).ok().flatten()
}

/// What is known of a first attempt of `site` that has no box.
fn first(site: &'static Site) -> Box<Failing> {
    let started = PLACE.with(Place::started).filter(|started| *started.site == *site);
    let clock = started.map_or(clock::system as Clock, |started| started.clock);
    let start = started.map(|started| started.at);
    let mut failing = Failing::new(site, clock, start);
    failing.allow(start);
    failing
}

/// Whose attempt this code runs in, or was handed on from.
pub(crate) fn around() -> Option<&'static Site> {
    PLACE.with(|place| place.site.get()).or_else(scope::handed_on)
}

/// The deadline of the nearest call around this code that knows one.
pub(crate) fn deadline() -> Option<Instant> {
    let deadline = |here: &RefCell<Option<Box<Failing>>>| here.borrow().as_ref()?.inner_deadline();
    BOX.try_with(deadline).ok().flatten()
}

/// How many attempts are around the one that this code runs in.
pub(crate) fn depth() -> u32 {
    PLACE.with(|place| place.depth.get())
}

/// Says something about the outcome of the attempt that this code runs in, if it runs in one, by an
/// error of this type. A mark that was set on another type is on another error, and replaced.
pub(crate) fn mark(error: &'static str, mark: impl FnOnce(Option<Verdict>) -> Verdict) {
    let shared = ask(|failing| (failing.number(), Arc::clone(failing.notes())));
    if let Some((attempt, notes)) = shared {
        notes.say(attempt, |said| {
            let before = said.marked.filter(|(marked, _)| *marked == error);
            said.marked = Some((error, mark(before.map(|(_, verdict)| verdict))));
        });
    }
}
