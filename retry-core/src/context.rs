//! What the running attempt can know, and say.
//!
//! A thread knows which attempt it is in, for the length of a sync attempt or of one poll of an
//! async one. On the way in and out of a first attempt only a few words move, each in a cell of
//! its own: a struct written field by field and read back as a whole stalls the processor, and
//! makes the step several times as expensive. Whatever else there is to know stands in a
//! [`Frame`], which exists only after a failure, under an override, or once the body has asked.

use core::cell::{Cell, RefCell};
use core::fmt;
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use crate::call_id::CallId;
use crate::clock::{self, Clock};
use crate::overrides::VirtualClock;
use crate::site::Site;
use crate::verdict::Verdict;

struct Words {
    site: Cell<Option<&'static Site>>,
    state: Cell<State>,
    /// When the call started; meaningful only with [`State::TIMED`].
    start: Cell<Option<Instant>>,
}

thread_local! {
    static WORDS: Words = const {
        Words { site: Cell::new(None), state: Cell::new(State::NONE), start: Cell::new(None) }
    };
    static FRAME: RefCell<Option<Frame>> = const { RefCell::new(None) };
}

/// Attempt number, flags and nesting depth in one word, in ascending order of their bits.
#[derive(Clone, Copy)]
struct State(u64);

impl State {
    const NONE: Self = Self(0);
    /// There is a frame.
    const FRAMED: u64 = 1 << 32;
    /// The start of the call is known.
    const TIMED: u64 = 1 << 33;
    /// The clock is the runtime's.
    const RUNTIME: u64 = 1 << 34;
    /// From here on it is the depth: 29 bits, more than any stack can nest.
    const DEPTH: u32 = 35;

    /// An attempt inside the one of `outer`, or in none.
    #[inline]
    const fn inside(outer: Self, attempt: u32, flags: u64) -> Self {
        // What is below the depth overflows into it, and leaves zeros behind.
        let deeper = (outer.0 | ((1 << Self::DEPTH) - 1)).wrapping_add(1);
        Self(deeper | flags | attempt as u64)
    }

    const fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    #[allow(clippy::cast_possible_truncation)] // the lower half is the number
    const fn attempt(self) -> u32 {
        self.0 as u32
    }

    /// How many attempts are around this one.
    #[allow(clippy::cast_possible_truncation)] // 29 bits
    const fn depth(self) -> u32 {
        ((self.0 >> Self::DEPTH) as u32).saturating_sub(1)
    }
}

/// What there is to know about an attempt besides the words.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) facts: Facts,
    pub(crate) notes: Option<Arc<Notes>>,
    /// The frame that was in place before this one was made in the middle of an attempt.
    displaced: Option<Box<Frame>>,
}

impl Frame {
    pub(crate) fn new(facts: Facts) -> Self {
        Self { facts, ..Self::default() }
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

/// What an attempt is entered with.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) site: &'static Site,
    pub(crate) attempt: u32,
    pub(crate) start: Option<Instant>,
    pub(crate) runtime: bool,
}

/// What was in place before an attempt was entered.
pub(crate) struct Outer {
    site: Option<&'static Site>,
    state: State,
    start: Option<Instant>,
}

/// Enters an attempt. With a frame of the call, that is in place until it is left; in exchange the
/// call holds the frame that was in place before.
#[inline]
pub(crate) fn enter(entry: Entry, frame: Option<&mut Option<Frame>>) -> Outer {
    WORDS.with(|words| {
        let mut flags = 0;
        if entry.runtime {
            flags |= State::RUNTIME;
        }
        if entry.start.is_some() {
            flags |= State::TIMED;
        }
        if let Some(frame) = frame {
            if swap(frame) {
                flags |= State::FRAMED;
            }
        }
        let outer = words.state.get();
        words.state.set(State::inside(outer, entry.attempt, flags));
        let site = words.site.replace(Some(entry.site));
        // Read only where it means something: what has just been written in two parts is slow to
        // read as a whole.
        let start = if outer.has(State::TIMED) { words.start.get() } else { None };
        if entry.start.is_some() {
            words.start.set(entry.start);
        }
        Outer { site, state: outer, start }
    })
}

/// Leaves an attempt. Answers with the frame made in it, if it was entered without one and the
/// body has asked for one.
#[inline]
pub(crate) fn leave(outer: &Outer, frame: Option<&mut Option<Frame>>) -> Option<Frame> {
    WORDS.with(|words| {
        let framed = words.state.get().has(State::FRAMED);
        words.state.set(outer.state);
        words.site.set(outer.site);
        if outer.state.has(State::TIMED) {
            words.start.set(outer.start);
        }
        match frame {
            Some(frame) if framed => {
                swap(frame);
                None
            }
            None if framed => take_made(),
            _ => None,
        }
    })
}

/// Exchanges the frame in place. `false` where there is no place any more: in a thread that ends.
#[cold]
fn swap(frame: &mut Option<Frame>) -> bool {
    FRAME.try_with(|place| core::mem::swap(&mut *place.borrow_mut(), frame)).is_ok()
}

#[cold]
fn take_made() -> Option<Frame> {
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

/// The notes of the attempt that this code runs in, made now if need be.
fn notes() -> Option<Arc<Notes>> {
    let state = WORDS.with(|words| words.state.get());
    if state.attempt() == 0 {
        return None;
    }
    FRAME
        .try_with(|place| {
            let mut place = place.borrow_mut();
            if !state.has(State::FRAMED) {
                let displaced = place.take().map(Box::new);
                *place = Some(Frame { displaced, ..Frame::default() });
                WORDS.with(|words| words.state.set(State(state.0 | State::FRAMED)));
            }
            let frame = place.get_or_insert_default();
            Arc::clone(frame.notes.get_or_insert_default())
        })
        .ok()
}

/// Says something about the outcome of the attempt that this code runs in, if it runs in one.
pub(crate) fn mark(mark: impl FnOnce(Option<Verdict>) -> Verdict) {
    let attempt = WORDS.with(|words| words.state.get().attempt());
    if let Some(notes) = notes() {
        notes.say(attempt, |said| said.marked = Some(mark(said.marked)));
    }
}

/// The attempt that this code runs in: `None` outside of every retried call.
///
/// It may be asked for anywhere under the body, however deep: in the functions it calls, after
/// every `.await`, on whatever thread the task has moved to, in each branch of a `join!` or
/// `select!`. In a nested call it is the innermost attempt. A task or thread that the body has
/// started is not under it; give it the [`Current`], which can be sent and kept.
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
    let (site, state, start) = WORDS.with(|words| {
        let state = words.state.get();
        let start = if state.has(State::TIMED) { words.start.get() } else { None };
        (words.site.get(), state, start)
    });
    let (site, notes) = (site?, notes()?);
    let facts = FRAME
        .try_with(|place| place.borrow().as_ref().map(|frame| frame.facts.clone()))
        .ok()
        .flatten()
        .unwrap_or_default();
    let clock = if state.has(State::RUNTIME) { clock::runtime } else { clock::system };
    Some(Current { site, state, start, clock, facts, notes })
}

/// A handle to one attempt of a retried call; see [`current`].
///
/// It knows what was known when the attempt started. Kept beyond its attempt it can still be
/// asked, but what it says then changes nothing.
#[derive(Clone)]
pub struct Current {
    site: &'static Site,
    state: State,
    start: Option<Instant>,
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
        self.state.attempt()
    }

    /// Whether it is sure that no other attempt follows this one.
    ///
    /// It is where `attempts(n)` says so, or where retrying is disabled. `false` is no promise: a
    /// limit in time, or a strategy of your own, may end the call too. A first attempt does not
    /// know what `stop` will say, which is asked only after a failure.
    pub fn is_last(&self) -> bool {
        self.facts.is_last
    }

    /// The time since the start of the call, by now; `None` in the first attempt of a call that
    /// nobody watches and whose `stop` does not ask for the time, since no clock was read.
    pub fn elapsed(&self) -> Option<Duration> {
        let epoch = self.facts.epoch.or(self.start)?;
        Some(self.now().saturating_duration_since(epoch))
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
    /// `Idempotency-Key` header, so that a request that is sent twice is carried out once.
    pub fn call_id(&self) -> CallId {
        self.notes.id()
    }

    /// How many retried attempts are around this one: 0 if it is not nested.
    pub fn depth(&self) -> u32 {
        self.state.depth()
    }

    /// Decides what the outcome of this attempt means, whatever `on` would say: `on` is not
    /// asked. A success can be retried too. It does not overrule `stop`. Said twice, the last
    /// counts.
    pub fn overrule(&self, verdict: Verdict) {
        self.notes.say(self.number(), |said| said.overruled = Some(verdict));
    }

    /// This attempt has got somewhere: if it fails, count and backoff start anew with that
    /// failure, as if it were the first. For a connection that has been of use before it broke; a
    /// limit in time still counts from the start of the call.
    ///
    /// Say it for progress or proven health only, never merely for having connected: a peer that
    /// accepts and then closes would be called in a tight loop.
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
