//! The handle by which code in an attempt asks and steers it.

use crate::Instant;
use core::fmt;
use core::time::Duration;
use std::sync::Arc;

use crate::attempt::attempt::Attempt;
use crate::attempt::call_id::CallId;
use crate::attempt::context;
use crate::attempt::notes::Notes;
use crate::engine::clock::Time;
use crate::stats::event::{Event, Healthy};
use crate::stats::tell::{is_heard, tell};
use crate::verdict::verdict::Verdict;

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
    let depth = context::depth();
    context::ask(|failing| {
        let asked_at = failing.now();
        Current {
            attempt: failing.coming_at(asked_at),
            was_ambiguous: failing.was_ambiguous(),
            outage: failing.outage(),
            asked_at,
            depth,
            time: failing.time().clone(),
            notes: Arc::clone(failing.notes()),
        }
    })
}

/// A handle to one attempt of a retried call; see [`current`].
///
/// It knows what was known when the attempt started. Kept beyond its attempt it can still be
/// asked, but what it says then changes nothing.
#[derive(Clone)]
pub struct Current {
    /// As it stood when it was asked for.
    attempt: Attempt,
    was_ambiguous: bool,
    /// The outage that this attempt ends if it is healthy.
    outage: Option<Healthy>,
    asked_at: Option<Instant>,
    depth: u32,
    time: Time,
    notes: Arc<Notes>,
}

impl Current {
    /// The name of the function, or what `name` gave.
    pub fn name(&self) -> &'static str {
        self.attempt.name()
    }

    /// The number of the attempt, from 1. A reset does not start it anew.
    pub fn number(&self) -> u32 {
        self.attempt.number()
    }

    /// Whether it is sure that no other attempt follows this one.
    ///
    /// It is where `attempts(n)` says so, where retrying is disabled, and where the time leaves no room for
    /// another attempt even if this one failed now and the wait after it were as short as it can be: of a
    /// `within`, `until`, `elapsed` or deadline. Only if the attempt turns out to be healthy
    /// ([`progress`](Self::progress), the key `reset`) others follow all the same, and in time also one that
    /// is not waited for ([`now`](crate::Verdict::now), [`next_of`](crate::Verdict::next_of)).
    ///
    /// `false` is no promise: the attempt itself takes time, jitter may lengthen the wait, and a strategy of
    /// your own may end the call too. `stop` and `wait` are asked only after a failure, so a first attempt
    /// knows no more of them than the numbers that are literals in the attribute.
    pub fn is_last(&self) -> bool {
        self.attempt.is_last()
    }

    /// How many attempts may still follow this one; see [`Attempt::left`].
    ///
    /// ```
    /// #[retry::retry(stop = attempts(3), wait = none(), on = any_error())]
    /// fn fetch(left: &mut Vec<Option<u32>>) -> Result<(), ()> {
    ///     left.push(retry::current().and_then(|attempt| attempt.left()));
    ///     Err(())
    /// }
    /// let mut left = Vec::new();
    /// assert!(fetch(&mut left).is_err());
    /// assert_eq!(left, [Some(2), Some(1), Some(0)]);
    /// ```
    pub fn left(&self) -> Option<u32> {
        self.attempt.left()
    }

    /// Whether an earlier attempt of this call, however long ago, may have taken effect: whether
    /// the verdict on one was [`Verdict::Ambiguous`].
    ///
    /// Where it was, a conflict can be the success that was asked for:
    ///
    /// ```
    /// # #[derive(Debug, PartialEq)] enum Error { TimedOut, Exists }
    /// # fn post(calls: u32) -> Result<(), Error> {
    /// #     Err(if calls == 1 { Error::TimedOut } else { Error::Exists })
    /// # }
    /// use retry::{Mark, retry};
    ///
    /// #[retry(stop = attempts(3), wait = none(), on = any_error(), idempotent)]
    /// fn create(calls: &mut u32) -> Result<(), Error> {
    ///     *calls += 1;
    ///     match post(*calls) {
    ///         // Its answer was lost, but the first request has arrived.
    ///         Err(Error::Exists) if retry::current().is_some_and(|it| it.was_ambiguous()) => Ok(()),
    ///         Err(Error::TimedOut) => Err(Error::TimedOut).ambiguous(),
    ///         outcome => outcome,
    ///     }
    /// }
    /// assert_eq!(create(&mut 0), Ok(()));
    /// ```
    pub fn was_ambiguous(&self) -> bool {
        self.was_ambiguous
    }

    /// The time since the start of the call, by now; `None` where no clock was read at its start:
    /// in a call that nobody watches and whose `stop` does not ask for the time. Where its first
    /// attempt has asked for [`current`], or somebody listens to its events, later ones know the
    /// time since the first failure.
    pub fn elapsed(&self) -> Option<Duration> {
        Some(self.attempt.elapsed()?.saturating_add(self.since()?))
    }

    /// What is left, by now, until the call's time is up; `None` where `stop` has no limit in time,
    /// and in the first attempt unless the limit is a literal in the attribute
    /// (`within(30s)`). A new outage starts the time anew.
    pub fn remaining(&self) -> Option<Duration> {
        Some(self.attempt.remaining()?.saturating_sub(self.since()?))
    }

    /// The delay slept before this attempt; `None` in the first.
    pub fn previous_delay(&self) -> Option<Duration> {
        self.attempt.previous_delay()
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

    /// This attempt has got somewhere: if it fails, a new outage begins, with that failure as its
    /// first. The attempts, the backoff, the grants of `at_most`, `warn_after`, `warn_every` and the
    /// clock of `within` and `elapsed` start anew; the number of the attempt goes on. For a
    /// connection that has been of use before it broke. Where attempts had failed before this one,
    /// an event says at once that it is healthy again.
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
        let is_news = self.notes.progress(self.number(), self.time.now());
        if let (true, Some(outage)) = (is_news, self.outage) {
            let call = is_heard(true).then(|| self.call_id());
            tell(self.attempt.site, &Event::Healthy(outage, call));
        }
    }

    /// The time since the handle was asked for.
    fn since(&self) -> Option<Duration> {
        Some(self.time.now().saturating_duration_since(self.asked_at?))
    }
}

impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Current")
            .field("name", &self.name())
            .field("number", &self.number())
            .field("is_last", &self.is_last())
            .field("left", &self.left())
            .field("was_ambiguous", &self.was_ambiguous)
            .field("elapsed", &self.elapsed())
            .field("remaining", &self.remaining())
            .field("previous_delay", &self.previous_delay())
            .field("depth", &self.depth())
            .finish_non_exhaustive()
    }
}
