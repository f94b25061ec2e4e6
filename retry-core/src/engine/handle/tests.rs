#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

use core::cell::RefCell;
use core::future::pending;
use core::pin::pin;
use core::task::{Context, Poll, Waker};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::*;
use crate::engine::clock::{self, System, Untimed};
use crate::guard::breaker::state::Change;
use crate::guard::guarded::Guarded;
use crate::report::interrupted::Interruption;
use crate::stats::counters::Counters;
use crate::stats::told::{Found, Told};
use crate::strategy::{stop, wait};

static COUNTERS: Counters = Counters::new();
static SITE: Site = Site::named("handle", &COUNTERS);

/// Writes down how its call has ended, or that it was dropped before.
struct Noted<'a>(&'a RefCell<Vec<Option<StopReason>>>);

impl Guards for Noted<'_> {
    fn any(&mut self) -> Option<&mut dyn Guards> {
        Some(self)
    }

    fn admits(&mut self) -> bool {
        true
    }

    fn succeeded(&mut self, _: &dyn Fn() -> crate::Instant) -> Option<Change> {
        self.ended(StopReason::Success);
        None
    }

    fn ended(&mut self, reason: StopReason) {
        self.0.borrow_mut().push(Some(reason));
    }

    fn release(&mut self) {
        self.0.borrow_mut().push(None);
    }
}

type Call<'a> = Handle<System, Untimed, Noted<'a>, false>;

/// What the guards of a call note that goes so.
fn noted(call: impl FnOnce(Call<'_>)) -> Vec<Option<StopReason>> {
    let notes = RefCell::default();
    call(Handle::begin(&SITE, Untimed, Entry::Open, Noted(&notes)));
    notes.into_inner()
}

fn told(error: Option<&()>) -> Told<'_, &()> {
    Told::new(error.map_or(Found::Value, Found::Error), |(), f| f.write_str("failed"))
}

fn fails(call: &mut Call<'_>) -> Result<Duration, StopReason> {
    let stop = stop::attempts(2);
    call.failed(Verdict::Retry, &Rules::DEFAULT, &stop, &wait::none(), &told(Some(&())))
}

#[test]
fn guards_are_told_once_how_their_call_has_ended() {
    let first = noted(|mut call| assert!(call.succeeds(&told(None))));
    assert_eq!(first, [Some(StopReason::Success)]);
    let permanent = noted(|mut call| {
        call.settle(&told(Some(&())));
    });
    assert_eq!(permanent, [Some(StopReason::Permanent)]);
    let used_up = noted(|mut call| {
        assert_eq!(fails(&mut call), Ok(Duration::ZERO));
        call.resume();
        assert_eq!(fails(&mut call), Err(StopReason::Attempts));
    });
    assert_eq!(used_up, [Some(StopReason::Attempts)]);
    let refused = noted(|mut call| {
        call.refuse(StopReason::Gate, &told(Some(&())));
    });
    assert_eq!(refused, [Some(StopReason::Gate)]);
}

#[test]
fn guards_of_a_call_without_an_end_are_given_back() {
    assert_eq!(noted(|call| drop(call)), [None]);
    assert_eq!(
        noted(|mut call| {
            assert!(fails(&mut call).is_ok());
        }),
        [None]
    );
    let panics = noted(|mut call| {
        let attempt = || call.run(|| resume_unwind(Box::new(())));
        assert!(catch_unwind(AssertUnwindSafe(attempt)).is_err());
    });
    assert_eq!(panics, [None]);
}

#[test]
fn an_attempt_can_be_cut_and_leaves_no_context_behind() {
    let outcome = |timer_ends: bool| {
        let guards = Guarded::new().timeout(Duration::from_nanos(1));
        let start = clock::system();
        let mut call = Handle::<System, _, _, false>::begin(&SITE, start, Entry::Open, guards);
        let mut body = pin!(async {
            assert!(crate::current().is_some());
            pending::<()>().await;
        });
        let mut cx = Context::from_waker(Waker::noop());
        let sleep = |_| async move {
            if !timer_ends {
                pending::<()>().await;
            }
        };
        let poll = pin!(call.cutting(body.as_mut(), sleep)).poll(&mut cx);
        assert!(crate::current().is_none());
        poll.map_err(|cut| cut.by())
    };
    assert_eq!(outcome(true), Poll::Ready(Err(Interruption::AttemptTimeout)));
}

#[test]
fn a_call_that_nobody_watches_and_no_strategy_asks_for_the_time_reads_no_clock() {
    struct Forbidden;

    impl Source for Forbidden {
        const CLOCK: clock::Clock = || unreachable!("the clock is read");
    }

    let mut call = Handle::<Forbidden, Untimed, (), false>::begin(&SITE, Untimed, Entry::Open, ());
    let mut fails = || {
        let (stop, wait) = (stop::attempts(3), wait::none());
        call.failed(Verdict::Retry, &Rules::DEFAULT, &stop, &wait, &told(Some(&())))
    };
    assert_eq!(fails(), Ok(Duration::ZERO));
    assert_eq!(fails(), Ok(Duration::ZERO));
    assert_eq!(fails(), Err(StopReason::Attempts));
}
