//! What the running attempt can know, and say.
//!
//! A thread knows which attempt it is in, for the length of a sync attempt or of one poll of an
//! async one. On the way into a first attempt and out of it a single word moves, the site, since
//! every step there is paid by calls that never fail. Whatever else there is to know stands in a
//! [`Frame`], which exists only after a failure, under an override, or once the body has asked;
//! then the word says so.

use core::cell::{Cell, RefCell};
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use crate::attempt::call_id::CallId;
use crate::engine::clock::{self, Clock};
use crate::scope::overrides::VirtualClock;
use crate::stats::site::{NO_SITE, Site};
use crate::verdict::verdict::Verdict;

struct Words {
    /// The site of the attempt, or [`NO_SITE`] where a frame says which.
    place: Cell<Option<&'static Site>>,
    /// How many attempts are around it.
    depth: Cell<u32>,
    /// The parts of a [`Started`], each in a cell of its own: what is written in parts and read
    /// as a whole makes the processor wait.
    started_by: Cell<Option<&'static Site>>,
    started_at: Cell<Option<Instant>>,
    started_clock: Cell<Clock>,
}

impl Words {
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
    static WORDS: Words = const {
        Words {
            place: Cell::new(None),
            depth: Cell::new(0),
            started_by: Cell::new(None),
            started_at: Cell::new(None),
            started_clock: Cell::new(clock::system),
        }
    };
    static FRAME: RefCell<Option<Frame>> = const { RefCell::new(None) };
}

/// When a call started that knows it. It may be left behind by a call that has ended, so it counts
/// only in an attempt of its site: what one call of a site knows, all do.
#[derive(Clone, Copy)]
pub(crate) struct Started {
    pub(crate) site: &'static Site,
    pub(crate) at: Instant,
    pub(crate) clock: Clock,
}

/// What there is to know about an attempt besides its site.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) site: &'static Site,
    pub(crate) attempt: u32,
    pub(crate) clock: Clock,
    facts: Facts,
    notes: Option<Arc<Notes>>,
    /// The frame that was in place before this one was made in the middle of an attempt.
    displaced: Option<Box<Frame>>,
}

impl Frame {
    pub(crate) fn new(site: &'static Site, clock: Clock, facts: Facts) -> Self {
        Self { site, attempt: 1, clock, facts, notes: None, displaced: None }
    }

    /// What is known by now. The body may have had the frame made before a clock was of interest.
    pub(crate) fn learn(&mut self, clock: Clock, facts: Facts) {
        (self.clock, self.facts) = (clock, facts);
    }

    /// Takes back that the attempt is sure to be the last.
    pub(crate) const fn is_not_last(&mut self) {
        self.facts.is_last = false;
    }

    pub(crate) const fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(crate) fn notes(&self) -> Option<&Notes> {
        self.notes.as_deref()
    }

    /// The notes to keep, made now if need be.
    pub(crate) fn share_notes(&mut self) -> Arc<Notes> {
        Arc::clone(self.notes.get_or_insert_default())
    }
}

/// What is known after a failure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// What `elapsed` is counted from.
    pub(crate) epoch: Option<Instant>,
    /// When the call's time is up.
    pub(crate) limit: Option<Instant>,
    pub(crate) previous_delay: Option<Duration>,
    pub(crate) is_last: bool,
    pub(crate) virtual_clock: Option<VirtualClock>,
}

/// What the body has said about its attempt, and the identity of the call. Shared with the
/// [`Current`](crate::Current)s that the body has taken.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    id: OnceLock<CallId>,
    said: Mutex<Said>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Said {
    /// The attempt in which it was said.
    attempt: u32,
    /// By a mark on an error: holds for a failure only.
    pub(crate) marked: Option<Verdict>,
    /// By `overrule`: holds for any outcome, and over a mark.
    pub(crate) overruled: Option<Verdict>,
    pub(crate) progress: bool,
}

impl Notes {
    pub(crate) fn id(&self) -> CallId {
        *self.id.get_or_init(CallId::random)
    }

    /// What has been said in this attempt.
    pub(crate) fn say(&self, attempt: u32, say: impl FnOnce(&mut Said)) {
        let mut said = self.lock();
        if said.attempt != attempt {
            // A handle from an attempt that is over has nothing to say about a later one.
            if said.attempt > attempt {
                return;
            }
            *said = Said { attempt, ..Said::default() };
        }
        say(&mut said);
    }

    /// Takes what was said in this attempt, after which nothing more can be said about it.
    pub(crate) fn take(&self, attempt: u32) -> Said {
        let mut said = self.lock();
        let over = Said { attempt: attempt.saturating_add(1), ..Said::default() };
        let taken = core::mem::replace(&mut *said, over);
        if taken.attempt == attempt { taken } else { Said::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was in place before an attempt was entered.
#[derive(Clone, Copy)]
pub(crate) struct Outer(Option<&'static Site>);

impl Outer {
    /// Whether the attempt is in no other.
    #[inline]
    pub(crate) const fn is_none(self) -> bool {
        self.0.is_none()
    }
}

/// Enters the first attempt of a call of which nothing more is known. Answers also with what must
/// be put back in place of `started`.
#[inline]
pub(crate) fn enter(site: &'static Site, started: Option<Started>) -> (Outer, Option<Started>) {
    let outer = put(site);
    let mut before = None;
    if let Some(started) = started {
        WORDS.with(|words| {
            if !outer.is_none() {
                before = words.started();
            }
            words.set_started(started);
        });
    }
    (outer, before)
}

/// Enters an attempt with a frame, which is in place until it is left; in exchange the call holds
/// the frame that was in place before.
#[cold]
#[inline(never)]
pub(crate) fn enter_with(site: &'static Site, attempt: u32, frame: &mut Option<Frame>) -> Outer {
    if let Some(frame) = frame {
        frame.attempt = attempt;
    }
    // In a thread that ends there is no place for a frame any more.
    put(if swap(frame) { &NO_SITE } else { site })
}

#[inline]
fn put(site: &'static Site) -> Outer {
    WORDS.with(|words| {
        let outer = words.place.replace(Some(site));
        if outer.is_some() {
            words.depth.set(words.depth.get().saturating_add(1));
        }
        Outer(outer)
    })
}

/// Leaves an attempt of `site` that is in no other and was entered without a frame. Answers
/// whether the body has had one made, for [`take_made`] to take out.
#[inline]
pub(crate) fn leave_plain(site: &'static Site) -> bool {
    WORDS.with(|words| words.place.replace(None)) != Some(site)
}

/// Leaves an attempt of `site`. Answers whether there is a frame: it was entered with it, or
/// [`take_made`] takes out what the body has had made.
pub(crate) fn leave(site: &'static Site, outer: Outer, started: Option<Started>) -> bool {
    WORDS.with(|words| {
        let place = words.place.replace(outer.0);
        if outer.0.is_some() {
            words.depth.set(words.depth.get().saturating_sub(1));
            if let Some(started) = started {
                words.set_started(started);
            }
        }
        place != Some(site)
    })
}

/// Leaves an attempt that was entered with a frame.
#[cold]
#[inline(never)]
pub(crate) fn leave_with(site: &'static Site, outer: Outer, frame: &mut Option<Frame>) {
    if leave(site, outer, None) {
        swap(frame);
    }
}

/// Exchanges the frame in place. `false` where there is no place any more: in a thread that ends.
#[cold]
fn swap(frame: &mut Option<Frame>) -> bool {
    FRAME.try_with(|place| core::mem::swap(&mut *place.borrow_mut(), frame)).is_ok()
}

/// Takes the frame that was made in an attempt entered without one.
pub(crate) fn take_made() -> Option<Frame> {
    FRAME
        .try_with(|place| {
            let mut place = place.borrow_mut();
            let mut made = place.take();
            *place = made.as_mut().and_then(|made| made.displaced.take()).map(|frame| *frame);
            made
        })
        .ok()
        .flatten()
}

/// Asks the frame of the attempt that this code runs in, which is made now if need be.
pub(crate) fn with_frame<T>(ask: impl FnOnce(&mut Frame) -> T) -> Option<T> {
    let site = WORDS.with(|words| words.place.get())?;
    let ask = |place: &RefCell<Option<Frame>>| {
        let mut place = place.borrow_mut();
        if *site != NO_SITE {
            let displaced = place.take().map(Box::new);
            *place = Some(Frame { displaced, ..first(site) });
            WORDS.with(|words| words.place.set(Some(&NO_SITE)));
        }
        place.as_mut().map(ask)
    };
    FRAME.try_with(ask).ok().flatten()
}

/// What is known of a first attempt of `site` that has no frame.
fn first(site: &'static Site) -> Frame {
    let started = WORDS.with(Words::started);
    let started = started.filter(|started| *started.site == *site);
    let clock = started.map_or(clock::system as Clock, |started| started.clock);
    let epoch = started.map(|started| started.at);
    Frame::new(site, clock, Facts { epoch, ..Facts::default() })
}

/// How many attempts are around the one that this code runs in.
pub(crate) fn depth() -> u32 {
    WORDS.with(|words| words.depth.get())
}

/// Says something about the outcome of the attempt that this code runs in, if it runs in one.
pub(crate) fn mark(mark: impl FnOnce(Option<Verdict>) -> Verdict) {
    if let Some((attempt, notes)) = with_frame(|frame| (frame.attempt, frame.share_notes())) {
        notes.say(attempt, |said| said.marked = Some(mark(said.marked)));
    }
}
