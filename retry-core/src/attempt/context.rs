//! Which attempt a thread is in, for the length of a sync attempt or of one poll of an async one.
//!
//! On the way into a first attempt and out of it a single word moves, the site, since every step
//! there is paid by calls that never fail. Whatever else there is to know stands in the box that a
//! call has after a failure, under an override, or once the body has asked. While an attempt runs
//! its box is kept here, so that code under the body can reach it.

use core::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Instant;

use crate::engine::clock::{self, Clock};
use crate::engine::failing::Failing;
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

/// The attempt that was in place before another was entered, if there was one.
#[derive(Clone, Copy)]
pub(crate) struct Outer(Option<Around>);

#[derive(Clone, Copy)]
struct Around {
    site: &'static Site,
    boxed: bool,
    started: Option<Started>,
}

/// Enters the first attempt of a call that has no box.
#[inline]
pub(crate) fn enter(site: &'static Site, started: Option<Started>) -> Outer {
    PLACE.with(|place| {
        let outer = place.site.replace(Some(site)).map(|outer| nest(place, outer));
        if let Some(started) = started {
            place.set_started(started);
        }
        Outer(outer)
    })
}

/// Leaves it. Answers whether the body has had a box made, for [`take_made`] to take out.
#[inline]
pub(crate) fn leave(Outer(outer): Outer) -> bool {
    PLACE.with(|place| match outer {
        None => {
            place.site.set(None);
            place.boxed.get()
        }
        Some(outer) => unnest(place, outer),
    })
}

#[cold]
#[inline(never)]
fn nest(place: &Place, site: &'static Site) -> Around {
    place.depth.set(place.depth.get().saturating_add(1));
    Around { site, boxed: place.boxed.replace(false), started: place.started() }
}

#[cold]
#[inline(never)]
fn unnest(place: &Place, outer: Around) -> bool {
    place.site.set(Some(outer.site));
    place.depth.set(place.depth.get().saturating_sub(1));
    if let Some(started) = outer.started {
        place.set_started(started);
    }
    place.boxed.replace(outer.boxed)
}

/// Enters an attempt of a call that has a box, which is kept here until it is left; in exchange
/// the call holds the box that was here before.
#[cold]
#[inline(never)]
pub(crate) fn enter_with(failing: &mut Option<Box<Failing>>) -> Option<Outer> {
    let site = failing.as_ref()?.site;
    let outer = enter(site, None);
    // In a thread that ends there is no place for it any more.
    PLACE.with(|place| place.boxed.set(swap(failing)));
    Some(outer)
}

/// Leaves it.
#[cold]
#[inline(never)]
pub(crate) fn leave_with(outer: Outer, failing: &mut Option<Box<Failing>>) {
    let boxed = leave(outer);
    if boxed {
        swap(failing);
    }
    if outer.0.is_none() {
        PLACE.with(|place| place.boxed.set(false));
    }
}

/// Exchanges the box that is here. `false` where there is no place any more: in a thread that ends.
fn swap(failing: &mut Option<Box<Failing>>) -> bool {
    BOX.try_with(|place| core::mem::swap(&mut *place.borrow_mut(), failing)).is_ok()
}

/// Takes the box that was made in an attempt entered without one, after it was left into `outer`.
#[cold]
#[inline(never)]
pub(crate) fn take_made(outer: Outer) -> Option<Box<Failing>> {
    if outer.0.is_none() {
        PLACE.with(|place| place.boxed.set(false));
    }
    let take = |place: &RefCell<Option<Box<Failing>>>| {
        let mut place = place.borrow_mut();
        let mut made = place.take();
        *place = made.as_mut().and_then(|made| made.displaced.take());
        made
    };
    BOX.try_with(take).ok().flatten()
}

/// Asks the box of the attempt that this code runs in, which is made now if need be.
pub(crate) fn ask<T>(ask: impl FnOnce(&mut Failing) -> T) -> Option<T> {
    let site = PLACE.with(|place| place.site.get())?;
    let ask = |here: &RefCell<Option<Box<Failing>>>| {
        let mut here = here.borrow_mut();
        if !PLACE.with(|place| place.boxed.replace(true)) {
            let displaced = here.take();
            let mut made = first(site);
            made.displaced = displaced;
            *here = Some(made);
        }
        here.as_deref_mut().map(ask)
    };
    BOX.try_with(ask).ok().flatten()
}

/// What is known of a first attempt of `site` that has no box.
fn first(site: &'static Site) -> Box<Failing> {
    let started = PLACE.with(Place::started).filter(|started| *started.site == *site);
    let clock = started.map_or(clock::system as Clock, |started| started.clock);
    Failing::new(site, clock, started.map(|started| started.at))
}

/// How many attempts are around the one that this code runs in.
pub(crate) fn depth() -> u32 {
    PLACE.with(|place| place.depth.get())
}

/// Says something about the outcome of the attempt that this code runs in, if it runs in one.
pub(crate) fn mark(mark: impl FnOnce(Option<Verdict>) -> Verdict) {
    let shared = ask(|failing| (failing.number(), Arc::clone(failing.notes())));
    if let Some((attempt, notes)) = shared {
        notes.say(attempt, |said| said.marked = Some(mark(said.marked)));
    }
}
