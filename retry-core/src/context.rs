//! What the running attempt can know, and say.
//!
//! A thread knows which attempt it is in, for the length of a sync attempt or of one poll of an
//! async one. On the way into a first attempt and out of it a single word moves, the site, since
//! every step there is paid by calls that never fail. Whatever else there is to know stands in a
//! [`Frame`], which exists only after a failure, under an override, or once the body has asked;
//! then the word says so.

use core::cell::{Cell, RefCell};
use core::fmt;
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use crate::call_id::CallId;
use crate::clock::{self, Clock};
use crate::overrides::VirtualClock;
use crate::site::{NO_SITE, Site};
use crate::verdict::Verdict;

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
    site: &'static Site,
    attempt: u32,
    clock: Clock,
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
/// [`Current`]s that the body has taken.
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
    fn id(&self) -> CallId {
        *self.id.get_or_init(CallId::random)
    }

    /// What has been said in this attempt.
    fn say(&self, attempt: u32, say: impl FnOnce(&mut Said)) {
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
fn with_frame<T>(ask: impl FnOnce(&mut Frame) -> T) -> Option<T> {
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

/// Says something about the outcome of the attempt that this code runs in, if it runs in one.
pub(crate) fn mark(mark: impl FnOnce(Option<Verdict>) -> Verdict) {
    let known =
        with_frame(|frame| (frame.attempt, Arc::clone(frame.notes.get_or_insert_default())));
    if let Some((attempt, notes)) = known {
        notes.say(attempt, |said| said.marked = Some(mark(said.marked)));
    }
}

/// The attempt that this code runs in: `None` outside of every retried call.
///
/// It may be asked for anywhere under the body, however deep: in the functions it calls, after
/// every `.await`, on whatever thread the task has moved to, in each branch of a `join!` or
/// `select!`. In a nested call it is the innermost attempt. A task or thread that the body has
/// started is not under it; give it the [`Current`], which can be sent and kept. Hooks run between
/// attempts and are in none; they are given what there is to know.
///
/// ```
/// use retry::{Verdict, retry};
///
/// #[retry(stop = attempts(3), wait = none(), on = any_error())]
/// fn fetch() -> Result<u32, String> {
///     helper()
/// }
///
/// fn helper() -> Result<u32, String> {
///     match retry::current() {
///         Some(attempt) if attempt.number() < 3 => Err("busy".to_owned()),
///         _ => Ok(7),
///     }
/// }
///
/// assert_eq!(fetch(), Ok(7));
/// assert!(retry::current().is_none());
/// ```
pub fn current() -> Option<Current> {
    let depth = WORDS.with(|words| words.depth.get());
    with_frame(|frame| Current {
        site: frame.site,
        attempt: frame.attempt,
        depth,
        clock: frame.clock,
        facts: frame.facts.clone(),
        notes: Arc::clone(frame.notes.get_or_insert_default()),
    })
}

/// A handle to one attempt of a retried call; see [`current`].
///
/// It knows what was known when the attempt started. Kept beyond its attempt it can still be
/// asked, but what it says then changes nothing.
#[derive(Clone)]
pub struct Current {
    site: &'static Site,
    attempt: u32,
    depth: u32,
    clock: Clock,
    facts: Facts,
    notes: Arc<Notes>,
}

impl Current {
    /// The name of the function, or what `name` gave.
    pub fn name(&self) -> &'static str {
        self.site.name()
    }

    /// The number of the attempt, from 1. A reset does not start it anew.
    pub fn number(&self) -> u32 {
        self.attempt
    }

    /// Whether it is sure that no other attempt follows this one.
    ///
    /// It is where `attempts(n)` says so, or where retrying is disabled. Only if the attempt turns
    /// out to be healthy ([`progress`](Self::progress), the key `reset`) others follow all the
    /// same. `false` is no promise: a limit in time, or a strategy of your own, may end the call too. A first attempt does not
    /// know what `stop` will say, which is asked only after a failure.
    pub fn is_last(&self) -> bool {
        self.facts.is_last
    }

    /// The time since the start of the call, by now; `None` in the first attempt of a call that
    /// nobody watches and whose `stop` does not ask for the time, since no clock was read.
    pub fn elapsed(&self) -> Option<Duration> {
        Some(self.now().saturating_duration_since(self.facts.epoch?))
    }

    /// What is left, by now, until the call's time is up; `None` before the first failure, and
    /// where `stop` has no limit in time.
    pub fn remaining(&self) -> Option<Duration> {
        Some(self.facts.limit?.saturating_duration_since(self.now()))
    }

    /// The delay slept before this attempt; `None` in the first.
    pub fn previous_delay(&self) -> Option<Duration> {
        self.facts.previous_delay
    }

    /// The identity of the call: the same in each of its attempts, and no other call's. For an
    /// `Idempotency-Key` header, so that a request that is sent twice is carried out once. It is
    /// made up when it is first asked for; see [`CallId`].
    pub fn call_id(&self) -> CallId {
        self.notes.id()
    }

    /// How many retried attempts are around this one: 0 if it is not nested. Attempts multiply:
    /// at depth 1, with three attempts in each call, nine may be made.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Decides what the outcome of this attempt means, whatever `on` would say: `on` is not
    /// asked. A success can be retried too. It does not overrule `stop`. Said twice, the last
    /// counts.
    ///
    /// ```
    /// use retry::{Verdict, retry};
    ///
    /// #[retry(stop = attempts(5), wait = none(), on = any_error())]
    /// fn replicas(polls: &mut u32) -> Result<u32, String> {
    ///     *polls += 1;
    ///     if let (0..3, Some(attempt)) = (*polls, retry::current()) {
    ///         attempt.overrule(Verdict::Retry); // not enough of them yet
    ///     }
    ///     Ok(*polls)
    /// }
    ///
    /// assert_eq!(replicas(&mut 0), Ok(3));
    /// ```
    pub fn overrule(&self, verdict: Verdict) {
        self.notes.say(self.number(), |said| said.overruled = Some(verdict));
    }

    /// This attempt has got somewhere: if it fails, count and backoff start anew with that
    /// failure, as if it were the first. For a connection that has been of use before it broke; a
    /// limit in time still counts from the start of the call.
    ///
    /// Say it for progress or proven health only, never merely for having connected: a peer that
    /// accepts and then closes would be called in a tight loop.
    ///
    /// ```
    /// # use retry::{record_sync, retry, retry_with};
    /// # struct Link(Option<u32>);
    /// # impl Link { fn next(&mut self) -> Option<u32> { self.0.take() } }
    /// # fn connect(calls: u32) -> Result<Link, String> {
    /// #     if calls == 3 { Ok(Link(Some(7))) } else { Err("refused".to_owned()) }
    /// # }
    /// #[retry(stop = attempts(3), wait = exponential(1s), on = any_error())]
    /// fn receive(calls: &mut u32) -> Result<(), String> {
    ///     *calls += 1;
    ///     let mut link = connect(*calls)?;
    ///     while let Some(_message) = link.next() {
    ///         if let Some(attempt) = retry::current() {
    ///             attempt.progress();
    ///         }
    ///     }
    ///     Err("closed".to_owned())
    /// }
    /// # let receive = || retry_with().virtual_time().sync_scope(|| receive(&mut 0));
    ///
    /// let (_, reports) = record_sync(receive);
    /// let delays: Vec<_> = reports[0].delays().map(|delay| delay.as_secs()).collect();
    /// assert_eq!(delays, [1, 2, 1, 2]); // the third attempt got a message
    /// ```
    pub fn progress(&self) {
        self.notes.say(self.number(), |said| said.progress = true);
    }

    fn now(&self) -> Instant {
        let now = (self.clock)();
        match &self.facts.virtual_clock {
            Some(clock) => clock.at(now),
            None => now,
        }
    }
}

impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Current")
            .field("name", &self.name())
            .field("number", &self.number())
            .field("is_last", &self.is_last())
            .field("elapsed", &self.elapsed())
            .field("remaining", &self.remaining())
            .field("previous_delay", &self.previous_delay())
            .field("depth", &self.depth())
            .finish_non_exhaustive()
    }
}
