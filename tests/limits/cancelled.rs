//! Calls that are dropped, or panic, while they hold what guards have given them.

use std::future::pending;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use futures::FutureExt;
use retry::{Breaker, BreakerState, Budget, Interrupted, Interruption, retry};
use tokio::time::{sleep, timeout};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[derive(Debug, PartialEq)]
enum Error {
    Down,
    NotFound,
    Cut(Interruption),
}

impl From<Interrupted> for Error {
    fn from(it: Interrupted) -> Self {
        Self::Cut(it.by())
    }
}

const ATTEMPTS: usize = 4;
const OPEN: u64 = 300;
const SIZE: u32 = 60;

/// How long everything takes that one attempt of a call awaits, and how it ends.
#[derive(Clone, Copy, Debug)]
struct Step {
    before: u64,
    attempt: u64,
    outcome: Outcome,
    before_sleep: u64,
    pause: u64,
    gate: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Success,
    Final,
    Failure,
}

fn step(steps: &[Step; ATTEMPTS], attempt: u32) -> Step {
    steps[attempt as usize - 1]
}

#[retry(
    stop = attempts(4),
    wait = by(|state: &retry::State| ms(step(steps, state.attempt()).pause)),
    on = |error| *error == Error::Down,
    budget = budget,
    breaker = breaker,
    before = async |it| sleep(ms(step(steps, it.number()).before)).await,
    before_sleep = async |it, _| sleep(ms(step(steps, it.number()).before_sleep)).await,
    gate = async |it, _| {
        sleep(ms(step(steps, it.number() - 1).gate)).await;
        true
    },
)]
async fn scripted(
    budget: &Budget,
    breaker: &Breaker,
    steps: &[Step; ATTEMPTS],
) -> Result<(), Error> {
    let step = step(steps, retry::current().unwrap().number());
    sleep(ms(step.attempt)).await;
    match step.outcome {
        Outcome::Success => Ok(()),
        Outcome::Final => Err(Error::NotFound),
        Outcome::Failure => Err(Error::Down),
    }
}

/// What the guards must be like after calls that are made one after the other.
#[derive(Debug, Default, PartialEq)]
struct Model {
    tokens: u32,
    admitted: u64,
    refused: u64,
    failures: u32,
    /// Open until then, if it is not closed.
    open: Option<u64>,
}

impl Model {
    /// A call from `now` on that is dropped at `end`.
    fn call(&mut self, now: u64, end: u64, steps: &[Step; ATTEMPTS]) {
        let mut now = now;
        let mut passes = |time: u64| {
            now += time;
            (now < end).then_some(now)
        };
        let _: Option<()> = (|| {
            let mut spent = None;
            let mut now = passes(0)?;
            for (tried, step) in steps.iter().enumerate() {
                let is_probe = self.open.is_some();
                if self.open.is_some_and(|until| now < until || tried > 0) {
                    // A retry that is not made costs nothing.
                    self.tokens += spent.unwrap_or(0);
                    return None;
                }
                passes(step.before)?;
                now = passes(step.attempt)?;
                if step.outcome == Outcome::Failure {
                    self.failures += 1;
                    if is_probe || self.failures == 3 {
                        (self.open, self.failures) = (Some(now + OPEN), 0);
                    }
                } else {
                    (self.open, self.failures) = (None, 0);
                    if step.outcome == Outcome::Success {
                        self.tokens = SIZE.min(self.tokens + spent.unwrap_or(9));
                    }
                    return None;
                }
                if tried + 1 == ATTEMPTS || self.open.is_some() {
                    return None;
                }
                if self.tokens < 14 {
                    self.refused += 1;
                    return None;
                }
                self.tokens -= 14;
                self.admitted += 1;
                spent = Some(14);
                let slept = passes(step.before_sleep).and_then(|_| passes(step.pause));
                let Some(then) = slept.and_then(|_| passes(step.gate)) else {
                    self.tokens += 14;
                    return None;
                };
                now = then;
            }
            None
        })();
    }
}

/// Even, so that nothing happens at the same moment as a cancellation.
fn even(random: &mut impl FnMut(u64) -> u64, most: u64) -> u64 {
    2 * random(most / 2 + 1)
}

#[tokio::test(start_paused = true)]
async fn a_thousand_calls_cancelled_at_random_leave_the_guards_where_a_model_says() {
    let budget = Budget::new(SIZE).initial(40).refill(9);
    let breaker = Breaker::consecutive(3).open_for(ms(OPEN)).jitter_factor(0.0);
    let mut model = Model { tokens: 40, ..Model::default() };
    let mut seed = 1_u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let start = tokio::time::Instant::now();
    let (mut cancelled, mut opened) = (0, 0);
    for round in 0..5000 {
        let steps = [(); ATTEMPTS].map(|()| Step {
            before: even(&mut random, 20),
            attempt: even(&mut random, 60),
            outcome: match random(10) {
                0..4 => Outcome::Success,
                4 => Outcome::Final,
                _ => Outcome::Failure,
            },
            before_sleep: even(&mut random, 20),
            pause: even(&mut random, 60),
            gate: even(&mut random, 20),
        });
        let now = u64::try_from(start.elapsed().as_millis()).unwrap();
        let cut = 1 + even(&mut random, 150);
        let outcome = timeout(ms(cut), scripted(&budget, &breaker, &steps)).await;
        cancelled += u32::from(outcome.is_err());
        model.call(now, now + cut, &steps);
        let seen = (budget.available(), budget.admitted(), budget.refused());
        assert_eq!(seen, (model.tokens, model.admitted, model.refused), "{round} {steps:?} {cut}");
        let now = start.elapsed();
        let expected = match model.open {
            None => BreakerState::Closed,
            Some(until) if now < ms(until) => BreakerState::Open,
            Some(_) => BreakerState::HalfOpen,
        };
        opened += u32::from(expected == BreakerState::Open);
        let state = breaker.state(tokio::time::Instant::now().into_std());
        assert_eq!(state, expected, "{round} {steps:?} {cut}");
        // On an even time again.
        let odd = u64::try_from(start.elapsed().as_millis()).unwrap() % 2;
        sleep(ms(odd + even(&mut random, 200))).await;
    }
    assert!(
        cancelled > 1000 && opened > 100 && model.refused > 30,
        "{cancelled} {opened} {model:?}"
    );
}

/// Where a call panics.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Body,
    Before,
    After,
    BeforeSleep,
    Sleep,
    Cancel,
    Gate,
    Discard,
    On,
    Wait,
}

const PLACES: [At; 10] = [
    At::Body,
    At::Before,
    At::After,
    At::BeforeSleep,
    At::Sleep,
    At::Cancel,
    At::Gate,
    At::Discard,
    At::On,
    At::Wait,
];

fn panics(at: At, here: At) {
    assert!(at != here, "on purpose");
}

/// What is left of a budget of 100 with 50: a retry that has been made stays paid.
fn left(at: At) -> u32 {
    // What comes after the admission of the second attempt.
    if at == At::Discard { 36 } else { 50 }
}

#[test]
fn a_panic_anywhere_in_a_sync_call_leaves_permits_and_context_behind_nowhere() {
    #[retry(
        stop = attempts(3),
        wait = by(|_: &retry::State| {
            panics(at, At::Wait);
            ms(1)
        }),
        on = |_| {
            panics(at, At::On);
            true
        },
        budget = budget,
        breaker = breaker,
        deadline = 1h,
        cancel = || {
            if calls.load(Ordering::Relaxed) > 0 {
                panics(at, At::Cancel);
            }
            false
        },
        sleep = |_| panics(at, At::Sleep),
        before = |_| panics(at, At::Before),
        after = |_, _| panics(at, At::After),
        before_sleep = |_, _| panics(at, At::BeforeSleep),
        gate = |_, _| {
            panics(at, At::Gate);
            true
        },
        discard = |_, _| panics(at, At::Discard),
    )]
    fn call(budget: &Budget, breaker: &Breaker, calls: &AtomicU32, at: At) -> Result<(), Error> {
        calls.fetch_add(1, Ordering::Relaxed);
        panics(at, At::Body);
        Err(Error::Down)
    }
    for at in PLACES {
        let budget = Budget::new(100).initial(50);
        let breaker = Breaker::consecutive(9).open_for(ms(0)).jitter_factor(0.0);
        let calls = AtomicU32::new(0);
        let run = || call(&budget, &breaker, &calls, at);
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "{at:?}");
        assert!(retry::current().is_none(), "{at:?}");
        assert_eq!(budget.available(), left(at), "{at:?}");
        // The slot of a probe is free again: the next one may be made at once.
        let probing = Breaker::consecutive(1).open_for(ms(0)).jitter_factor(0.0);
        let admission = probing.admit(Instant::now).unwrap();
        admission.failed(Instant::now());
        let run = || call(&budget, &probing, &AtomicU32::new(0), at);
        let _ = catch_unwind(AssertUnwindSafe(run));
        assert!(probing.admit(Instant::now).is_ok(), "{at:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_anywhere_in_an_async_call_leaves_permits_and_context_behind_nowhere() {
    #[retry(
        stop = attempts(3),
        wait = by(|_: &retry::State| {
            panics(at, At::Wait);
            ms(1)
        }),
        on = |_| {
            panics(at, At::On);
            true
        },
        budget = budget,
        breaker = breaker,
        deadline = 1h,
        attempt_timeout = 1s,
        idempotent,
        cancel = || {
            if calls.load(Ordering::Relaxed) > 0 {
                panics(at, At::Cancel);
            }
            false
        },
        sleep = |pause| {
            panics(at, At::Sleep);
            sleep(pause)
        },
        before = async |_| panics(at, At::Before),
        after = async |_, _| panics(at, At::After),
        before_sleep = async |_, _| panics(at, At::BeforeSleep),
        gate = async |_, _| {
            panics(at, At::Gate);
            true
        },
        discard = async |_, _| panics(at, At::Discard),
    )]
    async fn call(
        budget: &Budget,
        breaker: &Breaker,
        calls: &AtomicU32,
        at: At,
    ) -> Result<(), Error> {
        calls.fetch_add(1, Ordering::Relaxed);
        panics(at, At::Body);
        // Makes the timer of the cut.
        tokio::task::yield_now().await;
        Err(Error::Down)
    }
    for at in PLACES {
        let budget = Budget::new(100).initial(50);
        let breaker = Breaker::consecutive(9).open_for(ms(0)).jitter_factor(0.0);
        let calls = AtomicU32::new(0);
        let run = AssertUnwindSafe(call(&budget, &breaker, &calls, at)).catch_unwind();
        assert!(run.await.is_err(), "{at:?}");
        assert!(retry::current().is_none(), "{at:?}");
        assert_eq!(budget.available(), left(at), "{at:?}");
        let probing = Breaker::consecutive(1).open_for(ms(0)).jitter_factor(0.0);
        let now = || tokio::time::Instant::now().into_std();
        probing.admit(now).unwrap().failed(now());
        let calls = AtomicU32::new(0);
        let _ = AssertUnwindSafe(call(&budget, &probing, &calls, at)).catch_unwind().await;
        assert!(probing.admit(now).is_ok(), "{at:?}");
    }
}

#[test]
fn tokens_of_a_retry_that_is_not_made_are_back_before_the_hooks_of_the_end() {
    let budget = Budget::new(100).initial(50);
    let mut seen = 0;
    let outcome = retry::block!(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        budget = &budget,
        gate = |_, _| false,
        on_give_up = |_, _| seen = budget.available(),
        || -> Result<(), Error> { Err(Error::Down) }
    );
    assert_eq!(outcome, Err(Error::Down));
    assert_eq!(seen, 50);
}

#[test]
fn sixty_four_threads_at_the_half_open_edge_make_one_request() {
    static REQUESTS: AtomicU32 = AtomicU32::new(0);
    #[retry(stop = attempts(3), wait = none(), on = any_error(), breaker = breaker)]
    fn request(breaker: &Breaker, until: &Barrier) -> Result<(), Error> {
        REQUESTS.fetch_add(1, Ordering::Relaxed);
        // Until all have asked.
        until.wait();
        Err(Error::Down)
    }
    const THREADS: usize = 64;
    const ROUNDS: u32 = 300;
    let breaker = Breaker::consecutive(1).open_for(ms(0)).lease(ms(60_000)).jitter_factor(0.0);
    let breaker = Arc::new(breaker);
    breaker.admit(Instant::now).unwrap().failed(Instant::now());
    let (all, asked) = (Arc::new(Barrier::new(THREADS)), Arc::new(Barrier::new(THREADS)));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let (breaker, all, asked) =
                (Arc::clone(&breaker), Arc::clone(&all), Arc::clone(&asked));
            std::thread::spawn(move || {
                for round in 1..=ROUNDS {
                    all.wait();
                    if request(&breaker, &asked) != Err(Error::Down) {
                        asked.wait();
                    }
                    all.wait();
                    assert_eq!(REQUESTS.load(Ordering::Relaxed), round);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_while_it_waits_for_a_probe_leaves_the_probe_to_others() {
    static BREAKER: Breaker =
        Breaker::consecutive(1).open_for(Duration::from_secs(30)).jitter_factor(0.0);
    #[retry(stop = attempts(9), wait = fixed(1s), on = any_error(), breaker = BREAKER.waiting())]
    async fn background(hangs_in: u32) -> Result<(), Error> {
        match retry::current().unwrap().number() {
            number if number == hangs_in => pending().await,
            _ => Err(Error::Down),
        }
    }
    let probe = timeout(Duration::from_secs(45), background(2)).await;
    assert!(probe.is_err());
    let now = || tokio::time::Instant::now().into_std();
    assert_eq!(BREAKER.state(now()), BreakerState::HalfOpen);
    BREAKER.admit(now).unwrap().succeeded(None, now);
    assert_eq!(BREAKER.state(now()), BreakerState::Closed);
}
