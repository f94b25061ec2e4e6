//! Whole calls: which hooks run in which order, when the attempts start, what is waited, and what
//! comes out.
//!
//! A library's call is written as a [`Plan`], and the plan is carried out in every [`Way`]: by a
//! sync and an async function, which skip their sleeps, and by an async one that sleeps on a
//! paused clock; each with the error as it is and with a `RetryError` around it. Where another
//! library has an option for that, ours has the signature.

mod backoff;
mod stamina;
mod tenacity;

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::time::{Duration, Instant};

use retry::{
    Attempt, Report, RetryError, StopReason, Verdict, Wait, record, record_sync, retry, retry_with,
};
use serde_json::Value;

use crate::stops::AnyStop;
use crate::{Differences, Replayed, Row, support};

/// `None` of the others is a success that says so.
type Said = Result<String, String>;

type Judge = Box<dyn Fn(&Said) -> Verdict>;
type Fallback = Box<dyn Fn(&Report, Said) -> Said>;

/// A call of another library, in terms of ours.
struct Plan {
    stop: AnyStop,
    wait: Box<dyn Wait>,
    judge: Judge,
    fallback: Fallback,
    enabled: bool,
    /// What the attempts give in turn, the last one from then on; with it, whether the body asks
    /// for another attempt itself.
    outcomes: Vec<(Said, bool)>,
    /// How long each attempt takes.
    takes: Duration,
}

/// What a call is expected to do.
struct Expected {
    events: Vec<Event>,
    attempts: u32,
    reason: StopReason,
    outcome: Said,
    waited: f64,
    /// When the last failure was that was followed by a pause or by giving up.
    failed_at: Option<f64>,
    finished_at: f64,
}

/// A name and numbers: of an attempt, or seconds.
#[derive(Clone, Debug, PartialEq)]
struct Event(String, Vec<f64>);

impl Event {
    fn new<const N: usize>(name: &str, numbers: [f64; N]) -> Self {
        Self(name.to_owned(), numbers.into())
    }

    /// As the rows write it: a list of a name and numbers.
    fn recorded(event: &Value) -> Self {
        let [name, numbers @ ..] = event.as_array().unwrap().as_slice() else {
            panic!("no name: {event}")
        };
        let numbers = numbers.iter().map(|number| number.as_f64().unwrap());
        Self(name.as_str().unwrap().to_owned(), numbers.collect())
    }

    fn all_recorded(events: &Value) -> Vec<Self> {
        events.as_array().unwrap().iter().map(Self::recorded).collect()
    }

    fn is(&self, name: &str) -> bool {
        self.0 == name
    }

    fn is_close(&self, other: &Self, slack: f64) -> bool {
        self.0 == other.0
            && self.1.len() == other.1.len()
            && self.1.iter().zip(&other.1).all(|(a, b)| is_close(*a, *b, slack))
    }
}

fn is_close(a: f64, b: f64, slack: f64) -> bool {
    (a - b).abs() <= slack + 1e-9
}

/// A call in progress, and what has happened in it.
struct Call<'a> {
    plan: &'a Plan,
    made: Cell<usize>,
    /// How often a sync function would have slept in real time.
    real_sleeps: Cell<u32>,
    events: RefCell<Vec<Event>>,
}

impl<'a> Call<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, made: Cell::new(0), real_sleeps: Cell::new(0), events: RefCell::default() }
    }

    fn note<const N: usize>(&self, name: &str, numbers: [f64; N]) {
        self.events.borrow_mut().push(Event::new(name, numbers));
    }

    fn before(&self, attempt: &Attempt) {
        self.note("before", [attempt.number().into()]);
    }

    fn after(&self, attempt: &Attempt) {
        self.note("after", [attempt.number().into(), seconds(attempt.elapsed())]);
    }

    fn before_sleep(&self, attempt: &Attempt) {
        let (elapsed, delay) = (seconds(attempt.elapsed()), seconds(attempt.next_delay()));
        self.note("before_sleep", [attempt.number().into(), elapsed, delay]);
    }

    /// Right after the sleep, whose length it is told.
    fn slept(&self, attempt: &Attempt) -> bool {
        self.note("sleep", [seconds(attempt.previous_delay())]);
        true
    }

    fn ended(&self, name: &str, report: &Report) {
        self.note(name, [report.attempts().into(), seconds(report.elapsed())]);
    }

    fn attempt(&self) -> Said {
        let made = self.made.replace(self.made.get() + 1);
        let current = retry::current().unwrap();
        self.note("attempt", [current.number().into(), seconds(current.elapsed())]);
        let outcomes = &self.plan.outcomes;
        let (outcome, asks_again) = &outcomes[made.min(outcomes.len() - 1)];
        if *asks_again {
            current.overrule(Verdict::Retry);
        }
        outcome.clone()
    }
}

fn seconds(time: Option<Duration>) -> f64 {
    time.unwrap().as_secs_f64()
}

macro_rules! retried {
    ($([$async:ident])? $name:ident($call:ident) -> $output:ty { $($body:tt)* } $($sleep:tt)*) => {
        #[retry(
            forever,
            stop = &$call.plan.stop,
            wait = &$call.plan.wait,
            on = output(|outcome| ($call.plan.judge)(outcome)),
            // Longer than any recorded hint: the others know no such limit.
            max_hint = 2h,
            enabled = $call.plan.enabled,
            before = |attempt| $call.before(attempt),
            after = |attempt, _| $call.after(attempt),
            before_sleep = |attempt, _| $call.before_sleep(attempt),
            gate = |attempt, _| $call.slept(attempt),
            on_success = |report, _| $call.ended("success", report),
            on_give_up = |report, _| $call.ended("give_up", report),
            fallback = |report, outcome| ($call.plan.fallback)(report, outcome),
            $($sleep)*
        )]
        $($async)? fn $name($call: &Call<'_>) -> $output { $($body)* }
    };
}

retried!(sync_as_it_is(call) -> Result<String, String> {
    let outcome = call.attempt();
    spend(call.plan.takes);
    outcome
} sleep = |_| call.real_sleeps.set(call.real_sleeps.get() + 1));
retried!(sync_wrapped(call) -> Result<String, RetryError<String>> {
    let outcome = call.attempt();
    spend(call.plan.takes);
    outcome
} sleep = |_| call.real_sleeps.set(call.real_sleeps.get() + 1));
retried!([async] async_as_it_is(call) -> Result<String, String> {
    let outcome = call.attempt();
    tokio::time::sleep(call.plan.takes).await;
    outcome
});
retried!([async] async_wrapped(call) -> Result<String, RetryError<String>> {
    let outcome = call.attempt();
    tokio::time::sleep(call.plan.takes).await;
    outcome
});

/// Lets time pass in a sync function under virtual time, where nothing but a retry's pause can.
fn spend(time: Duration) {
    let mut is_over = time.is_zero();
    let spent = retry::block!(
        stop = attempts(2),
        wait = fixed(time),
        on = any_error(),
        name = "spend",
        sleep = |_| {},
        || -> Result<(), ()> {
            if std::mem::replace(&mut is_over, true) { Ok(()) } else { Err(()) }
        }
    );
    assert_eq!(spent, Ok(()));
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Sync,
    Async,
    /// Sleeps, on a clock that jumps.
    AsyncAndSleeping,
}

/// What a call did.
struct Ran {
    way: Way,
    real_sleeps: u32,
    events: Vec<Event>,
    outcome: Result<String, Failed>,
    report: Report,
    /// By how much its times may be off, in seconds: the real time that has passed meanwhile.
    slack: f64,
    /// What the paused clock has moved by.
    moved: Option<Duration>,
}

#[derive(Debug, PartialEq)]
enum Failed {
    AsItIs(String),
    Wrapped(RetryError<String>),
}

impl Plan {
    fn run(&self, way: Way, wrapped: bool) -> Ran {
        let call = Call::new(self);
        let started = Instant::now();
        let as_it_is = |outcome: Result<_, _>| outcome.map_err(Failed::AsItIs);
        let inside = |outcome: Result<_, _>| outcome.map_err(Failed::Wrapped);
        let ((outcome, reports), moved) = match (way, wrapped) {
            (Way::Sync, false) => (skipping(|| as_it_is(sync_as_it_is(&call))), None),
            (Way::Sync, true) => (skipping(|| inside(sync_wrapped(&call))), None),
            (_, false) => paused(way, async { as_it_is(async_as_it_is(&call).await) }),
            (_, true) => paused(way, async { inside(async_wrapped(&call).await) }),
        };
        let slack = match way {
            Way::Sync => started.elapsed().as_secs_f64(),
            _ => 0.0,
        };
        let mut reports = reports.into_iter().filter(|report| report.name() != "spend");
        let report = reports.next().unwrap();
        assert_eq!(reports.next(), None);
        let real_sleeps = call.real_sleeps.get();
        Ran { way, real_sleeps, events: call.events.into_inner(), outcome, report, slack, moved }
    }
}

fn skipping<T>(call: impl FnOnce() -> T) -> (T, Vec<Report>) {
    record_sync(|| retry_with().virtual_time().sync_scope(call))
}

/// With what the clock has moved by.
fn paused<T>(way: Way, call: impl Future<Output = T>) -> ((T, Vec<Report>), Option<Duration>) {
    support::paused(async {
        let started = tokio::time::Instant::now();
        let ended = match way {
            Way::AsyncAndSleeping => record(call).await,
            _ => record(retry_with().virtual_time().scope(call)).await,
        };
        (ended, Some(started.elapsed()))
    })
}

impl Expected {
    /// What a run did otherwise, as seen by `eyes`.
    fn check(&self, ran: &Ran, wrapped: bool, eyes: Eyes) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut check = |is_right: bool, what: String| {
            if !is_right {
                wrong.push(what);
            }
        };
        let Ran { way, real_sleeps, events, outcome, report, slack, moved } = ran;
        let seen = eyes(events);
        let is_close_to = |(seen, wanted): (&Event, &Event)| seen.is_close(wanted, *slack);
        let is_same =
            seen.len() == self.events.len() && seen.iter().zip(&self.events).all(is_close_to);
        check(is_same, format!("runs {seen:?}, not {:?}", self.events));
        let ended = (report.reason(), report.attempts());
        check(ended == (self.reason, self.attempts), format!("ends with {ended:?}"));
        let pauses = report.waited().as_secs_f64();
        check(is_close(pauses, self.waited, *slack), format!("waits {pauses}"));
        let failed = events.iter().rev().find(|event| event.is("after"));
        let failed = failed.map_or(0.0, |after| after.1[1]);
        let is_then = self.failed_at.is_none_or(|wanted| is_close(failed, wanted, *slack));
        check(is_then, format!("fails last at {failed}"));
        let elapsed = seconds(report.elapsed());
        check(is_close(elapsed, self.finished_at, *slack), format!("finishes at {elapsed}"));
        check(*real_sleeps == 0, format!("sleeps {real_sleeps} times"));
        if let Some(moved) = moved.map(|moved| moved.as_secs_f64()) {
            // A pause that is skipped must not be slept too.
            let skipped = if let Way::Async = way { self.waited } else { 0.0 };
            let is_moved = is_close(moved, self.finished_at - skipped, *slack);
            check(is_moved, format!("moves the clock by {moved}"));
        }
        let is_outcome = match (outcome, &self.outcome) {
            (Err(Failed::AsItIs(error)), Err(wanted)) => !wrapped && error == wanted,
            (Err(Failed::Wrapped(error)), Err(wanted)) => {
                wrapped
                    && error.source.as_ref() == Some(wanted)
                    && (error.reason, error.attempts) == ended
                    && error.elapsed == report.elapsed()
                    && error.history == report.history()
            }
            (Ok(value), Ok(wanted)) => value == wanted,
            _ => false,
        };
        check(is_outcome, format!("gives {outcome:?}"));
        wrong
    }
}

/// What another library would have told of these events.
type Eyes = fn(&[Event]) -> Vec<Event>;

/// A row of one library, written with ours.
struct Mapped {
    plan: Plan,
    recorded: Expected,
    /// What ours does where the row is a defect.
    instead: Option<Expected>,
    eyes: Eyes,
}

pub(crate) fn replay_trace(row: &Row) -> Replayed {
    let [case] = row.cases.as_slice() else { return None };
    let map = match row.library.as_str() {
        "tenacity" => tenacity::mapped,
        "stamina" => stamina::mapped,
        "backoff" => backoff::mapped,
        _ => return None,
    };
    let Mapped { plan, recorded, instead, eyes } = map(row, case)?;
    let mut differences = Differences::default();
    let ways = [Way::Sync, Way::Async, Way::AsyncAndSleeping];
    for (way, wrapped) in ways.into_iter().flat_map(|way| [(way, false), (way, true)]) {
        let ran = plan.run(way, wrapped);
        let wanted = match &instead {
            None => &recorded,
            Some(instead) => {
                differences.wanted |= !recorded.check(&ran, wrapped, eyes).is_empty();
                instead
            }
        };
        let wrong = wanted.check(&ran, wrapped, eyes);
        let kind = if wrapped { "in a `RetryError`" } else { "as it is" };
        differences.wrong.extend(wrong.iter().map(|what| format!("{way:?}, {kind}: {what}")));
    }
    Some(differences)
}

pub(crate) fn replay_table(row: &Row) -> Replayed {
    (row.id == "stamina.testing.attempts").then(|| stamina::testing(&row.cases))
}
