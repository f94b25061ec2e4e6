//! `budget` and `breaker`.

use std::cell::Cell;
use std::io;
use std::time::{Duration, Instant};

use retry::{
    Breaker, BreakerState, Budget, Interrupted, Interruption, StopReason, Verdict, record,
    record_sync, retry, retry_with,
};

const S: Duration = Duration::from_secs(1);

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

impl Error {
    fn is_down(&self) -> bool {
        *self == Self::Down
    }
}

#[test]
fn an_empty_budget_ends_a_call_at_once_with_its_real_error() {
    static BUDGET: Budget = Budget::new(100).initial(28);
    #[retry(stop = attempts(10), wait = none(), on = any_error(), budget = &BUDGET)]
    fn fails() -> Result<(), u32> {
        Err(retry::current().unwrap().number())
    }
    let (outcome, reports) = record_sync(fails);
    // Two retries at 14.
    assert_eq!(outcome, Err(3));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Budget, 3));
    assert_eq!(BUDGET.available(), 0);
    assert_eq!((BUDGET.admitted(), BUDGET.refused()), (2, 1));
    assert_eq!(fails(), Err(1));
}

#[test]
fn a_first_success_gives_one_token_and_a_later_one_what_its_last_retry_has_cost() {
    static BUDGET: Budget = Budget::new(100).initial(50);
    #[retry(stop = attempts(10), wait = none(), on = any_error(), budget = BUDGET)]
    fn succeeds_at(attempt: u32) -> Result<(), ()> {
        if retry::current().unwrap().number() < attempt { Err(()) } else { Ok(()) }
    }
    succeeds_at(1).unwrap();
    assert_eq!(BUDGET.available(), 51);
    succeeds_at(2).unwrap();
    assert_eq!(BUDGET.available(), 51);
    succeeds_at(3).unwrap();
    assert_eq!(BUDGET.available(), 51 - 14);
}

#[test]
fn a_throttled_retry_costs_less_and_a_permanent_failure_nothing() {
    static BUDGET: Budget = Budget::new(100).initial(50);
    #[retry(stop = attempts(2), wait = none(), on = |it| *it, budget = &BUDGET)]
    fn fails(verdict: Verdict) -> Result<(), Verdict> {
        Err(verdict)
    }
    fails(Verdict::Retry.throttled()).unwrap_err();
    assert_eq!(BUDGET.available(), 45);
    fails(Verdict::Final).unwrap_err();
    assert_eq!(BUDGET.available(), 45);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_in_its_pause_gives_its_tokens_back() {
    static BUDGET: Budget = Budget::new(100).initial(50);
    #[retry(stop = attempts(9), wait = fixed(10s), on = any_error(), budget = &BUDGET)]
    async fn fails() -> Result<(), ()> {
        Err(())
    }
    assert!(tokio::time::timeout(S, fails()).await.is_err());
    assert_eq!(BUDGET.available(), 50);
    // One retry has been made by then, and stays paid.
    assert!(tokio::time::timeout(15 * S, fails()).await.is_err());
    assert_eq!(BUDGET.available(), 36);
}

#[test]
fn a_call_that_does_not_fit_its_limit_in_time_pays_for_no_retry() {
    static BUDGET: Budget = Budget::new(100).initial(50);
    #[retry(stop = within(1s), wait = by(long), on = any_error(), budget = budget)]
    fn fails(budget: &Budget) -> Result<(), ()> {
        Err(())
    }
    fn long(_: &retry::State) -> Duration {
        10 * S
    }
    fails(&BUDGET).unwrap_err();
    assert_eq!((BUDGET.available(), BUDGET.refused()), (50, 0));
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_refuses_the_first_attempt_and_lets_a_probe_close_it() {
    static BREAKER: Breaker =
        Breaker::consecutive(2).open_for(Duration::from_secs(30)).jitter_factor(0.0);
    #[retry(
        name = "guarded fetch",
        stop = attempts(5),
        wait = fixed(1s),
        on = Error::is_down,
        breaker = &BREAKER,
    )]
    async fn fetch(calls: &mut u32, up: bool) -> Result<u32, Error> {
        *calls += 1;
        if up { Ok(*calls) } else { Err(Error::Down) }
    }
    let mut calls = 0;
    // The second failure opens it: there is no third attempt.
    let (outcome, reports) = record(fetch(&mut calls, false)).await;
    assert_eq!(outcome, Err(Error::Down));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::BreakerOpen, 2));
    assert_eq!(calls, 2);
    let (outcome, reports) = record(fetch(&mut calls, true)).await;
    assert_eq!(outcome, Err(Error::Cut(Interruption::BreakerOpen)));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::BreakerOpen, 0));
    assert_eq!(calls, 2);
    fetch(&mut calls, true).await.unwrap_err();
    let sites = retry::sites();
    let site = sites.get("guarded fetch").unwrap();
    assert_eq!((site.calls(), site.attempts(), site.refused()), (3, 2, 2));
    assert_eq!(site.given_up_for(StopReason::BreakerOpen), 3);
    tokio::time::sleep(30 * S).await;
    assert_eq!(fetch(&mut calls, true).await, Ok(3));
    let now = tokio::time::Instant::now().into_std();
    assert_eq!(BREAKER.state(now), BreakerState::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_fails_is_not_retried() {
    static BREAKER: Breaker =
        Breaker::consecutive(1).open_for(Duration::from_secs(30)).jitter_factor(0.0);
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), breaker = &BREAKER)]
    async fn fails(calls: &mut u32) -> io::Result<()> {
        *calls += 1;
        Err(io::ErrorKind::ConnectionRefused.into())
    }
    let mut calls = 0;
    fails(&mut calls).await.unwrap_err();
    tokio::time::sleep(30 * S).await;
    fails(&mut calls).await.unwrap_err();
    assert_eq!(calls, 2);
    fails(&mut calls).await.unwrap_err();
    assert_eq!(calls, 2);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_probe_frees_its_slot() {
    static BREAKER: Breaker =
        Breaker::consecutive(1).open_for(Duration::from_secs(30)).jitter_factor(0.0);
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), breaker = &BREAKER)]
    async fn probe(takes: Duration, fails: bool) -> Result<(), Error> {
        tokio::time::sleep(takes).await;
        if fails { Err(Error::Down) } else { Ok(()) }
    }
    probe(Duration::ZERO, true).await.unwrap_err();
    tokio::time::sleep(30 * S).await;
    assert!(tokio::time::timeout(S, probe(60 * S, false)).await.is_err());
    assert_eq!(probe(Duration::ZERO, false).await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn a_final_error_is_an_answer() {
    static BREAKER: Breaker = Breaker::consecutive(1);
    #[retry(stop = attempts(5), wait = fixed(1s), on = Error::is_down, breaker = &BREAKER)]
    async fn fetch() -> Result<(), Error> {
        Err(Error::NotFound)
    }
    for _ in 0..10 {
        assert_eq!(fetch().await, Err(Error::NotFound));
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_was_cut_is_a_failure_of_the_other_side() {
    static BREAKER: Breaker = Breaker::consecutive(1);
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), breaker = &BREAKER, deadline = 2s)]
    async fn hangs() -> Result<(), Error> {
        std::future::pending().await
    }
    assert_eq!(hangs().await, Err(Error::Cut(Interruption::Deadline)));
    assert_eq!(hangs().await, Err(Error::Cut(Interruption::BreakerOpen)));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_the_breaker_reaches_its_next_probe() {
    static BREAKER: Breaker =
        Breaker::consecutive(1).open_for(Duration::from_secs(30)).jitter_factor(0.0);
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), breaker = BREAKER.waiting())]
    async fn sync(calls: &mut u32) -> Result<u32, Error> {
        *calls += 1;
        if *calls < 3 { Err(Error::Down) } else { Ok(*calls) }
    }
    let start = tokio::time::Instant::now();
    assert_eq!(sync(&mut 0).await, Ok(3));
    assert_eq!(start.elapsed(), 60 * S);
}

#[tokio::test(start_paused = true)]
async fn the_breaker_may_open_while_a_call_sleeps() {
    static BREAKER: Breaker = Breaker::consecutive(5);
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), breaker = &BREAKER)]
    async fn fails(calls: &mut u32) -> Result<(), Error> {
        *calls += 1;
        Err(Error::Down)
    }
    let mut calls = 0;
    let open = async {
        tokio::time::sleep(S / 2).await;
        BREAKER.open();
    };
    let ((outcome, reports), ()) = tokio::join!(record(fails(&mut calls)), open);
    assert_eq!(outcome, Err(Error::Down));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::BreakerOpen, 1));
    assert_eq!(calls, 1);
}

#[test]
fn a_sync_call_is_guarded_too() {
    static BREAKER: Breaker = Breaker::consecutive(2);
    static BUDGET: Budget = Budget::new(100);
    #[retry(stop = attempts(5), wait = none(), on = any_error(), breaker = &BREAKER, budget = &BUDGET)]
    fn fails(calls: &mut u32) -> io::Result<()> {
        *calls += 1;
        Err(io::ErrorKind::ConnectionRefused.into())
    }
    let mut calls = 0;
    fails(&mut calls).unwrap_err();
    assert_eq!(calls, 2);
    let refused = fails(&mut calls).unwrap_err();
    assert!(refused.get_ref().unwrap().is::<Interrupted>());
    assert_eq!(calls, 2);
    retry_with().guards(false).sync_scope(|| fails(&mut calls)).unwrap_err();
    assert_eq!(calls, 7);
    BREAKER.close();
    fails(&mut calls).unwrap_err();
    assert_eq!(calls, 9);
    assert_eq!(BREAKER.state(Instant::now()), BreakerState::Open);
}

#[test]
fn the_open_time_draws_from_what_a_test_has_set() {
    fn open_time(overrides: retry::Overrides) -> Duration {
        #[retry(stop = attempts(2), wait = none(), on = any_error(), breaker = breaker)]
        fn fails(breaker: &Breaker) -> io::Result<()> {
            Err(io::ErrorKind::ConnectionRefused.into())
        }
        let breaker = Breaker::consecutive(1).open_for(1_000 * S).jitter_factor(1.0);
        let start = Instant::now();
        overrides.sync_scope(|| fails(&breaker)).unwrap_err();
        breaker.retry_after(start).unwrap()
    }
    assert!(open_time(retry_with().draw(0.0)) < 10 * S);
    assert!(open_time(retry_with().draw(1.0)) > 990 * S);
    let seeded = |seed| open_time(retry_with().seed(seed)).as_secs_f64();
    // But for the time that the call has taken.
    assert!((seeded(7) - seeded(7)).abs() < 1.0);
    assert!((seeded(7) - seeded(8)).abs() > 1.0);
}

#[test]
fn a_call_that_is_switched_off_asks_no_guard() {
    static BREAKER: Breaker = Breaker::consecutive(1);
    #[retry(stop = attempts(5), wait = none(), on = any_error(), breaker = &BREAKER, enabled = false)]
    fn fails() -> io::Result<()> {
        Err(io::ErrorKind::ConnectionRefused.into())
    }
    BREAKER.open();
    let error = fails().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
}

#[test]
fn guards_may_be_missing_or_belong_to_a_client() {
    struct Client {
        budget: Option<Budget>,
        breaker: std::sync::Arc<Breaker>,
    }
    impl Client {
        #[retry(
            stop = attempts(3),
            wait = none(),
            on = any_error(),
            budget = self.budget.as_ref(),
            breaker = self.breaker,
        )]
        fn fetch(&self) -> io::Result<()> {
            Err(io::ErrorKind::ConnectionRefused.into())
        }
    }
    let breaker = std::sync::Arc::new(Breaker::consecutive(3));
    let client = Client { budget: None, breaker };
    let reports = record_sync(|| client.fetch()).1;
    assert_eq!(reports[0].attempts(), 3);
    let reports = record_sync(|| client.fetch()).1;
    assert_eq!(reports[0].attempts(), 0);
}

#[test]
fn whatever_has_a_guard_lends_it() {
    use std::sync::Arc;

    static EMPTY: Budget = Budget::new(0);
    static OPEN: Breaker = Breaker::consecutive(1);

    struct Client<B, K> {
        budget: B,
        breaker: K,
    }
    macro_rules! ends {
        ($budget:expr, $breaker:expr) => {{
            let client = Client { budget: $budget, breaker: $breaker };
            let (_, reports) = record_sync(|| (client.spends(), client.asks(), client.lends()));
            let reasons: Vec<_> = reports.iter().map(|it| (it.attempts(), it.reason())).collect();
            let (budget, breaker) = ((1, StopReason::Budget), (0, StopReason::BreakerOpen));
            assert_eq!(reasons, [budget, breaker, budget], "{}", stringify!($budget));
        }};
    }
    macro_rules! client {
        ($budget:ty, $breaker:ty) => {
            impl Client<$budget, $breaker> {
                #[retry(stop = attempts(3), wait = none(), on = any_error(), budget = self.budget)]
                fn spends(&self) -> Result<(), Error> {
                    Err(Error::Down)
                }
                #[retry(stop = attempts(3), wait = none(), on = any_error(), breaker = self.breaker)]
                fn asks(&self) -> Result<(), Error> {
                    Err(Error::Down)
                }
                #[retry(stop = attempts(3), wait = none(), on = any_error(), budget = &self.budget)]
                fn lends(&self) -> Result<(), Error> {
                    Err(Error::Down)
                }
            }
        };
    }
    client!(Budget, Breaker);
    client!(Arc<Budget>, Arc<Breaker>);
    client!(&'static Budget, &'static Breaker);
    client!(Option<&'static Budget>, Option<&'static Breaker>);
    client!(Option<Arc<Budget>>, Option<Arc<Breaker>>);
    client!(&'static Option<Arc<Budget>>, Option<&'static Arc<Breaker>>);

    let open = || {
        let breaker = Breaker::consecutive(1);
        breaker.open();
        breaker
    };
    OPEN.open();
    ends!(Budget::new(0), open());
    ends!(Arc::new(Budget::new(0)), Arc::new(open()));
    ends!(&EMPTY, &OPEN);
    ends!(Some(&EMPTY), Some(&OPEN));
    ends!(Some(Arc::new(Budget::new(0))), Some(Arc::new(open())));
    let budget: &'static _ = Box::leak(Box::new(Some(Arc::new(Budget::new(0)))));
    let breaker: &'static _ = Box::leak(Box::new(Arc::new(open())));
    ends!(budget, Some(breaker));
}

#[tokio::test(start_paused = true)]
async fn the_first_attempt_of_a_watched_call_may_be_a_probe_and_a_retry_may_not() {
    static BREAKER: Breaker = Breaker::consecutive(2).open_for(S).jitter_factor(0.0);
    #[retry(stop = attempts(3), wait = fixed(10s), on = any_error(), breaker = BREAKER)]
    async fn fails() -> io::Result<()> {
        Err(io::ErrorKind::ConnectionRefused.into())
    }
    let pausing = tokio::spawn(record(fails()));
    tokio::time::sleep(5 * S).await;
    let (_, reports) = record(fails()).await;
    assert_eq!((reports[0].attempts(), reports[0].reason()), (1, StopReason::BreakerOpen));
    // It has been open and is over its time when the first call comes out of its pause.
    let (_, reports) = pausing.await.unwrap();
    assert_eq!((reports[0].attempts(), reports[0].reason()), (1, StopReason::BreakerOpen));
    assert_eq!((BREAKER.opened(), BREAKER.state(now())), (1, BreakerState::HalfOpen));
    let (_, reports) = record(fails()).await;
    assert_eq!((reports[0].attempts(), BREAKER.opened()), (1, 2), "the probe has failed");
}

fn now() -> Instant {
    tokio::time::Instant::now().into_std()
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_before_it_starts_has_not_been_running() {
    static BREAKER: Breaker = Breaker::consecutive(2);
    #[retry(stop = attempts(3), wait = none(), on = any_error(), breaker = BREAKER)]
    async fn calls() -> Result<(), Interrupted> {
        Ok(())
    }
    BREAKER.open();
    assert_eq!(calls().await.unwrap_err().after(), None);
    assert_eq!(record(calls()).await.0.unwrap_err().after(), None);
}

/// The wait for a probe is longer than the delay that was planned.
#[tokio::test(start_paused = true)]
async fn a_wait_for_a_probe_that_ends_after_the_deadline_is_not_begun() {
    static BREAKER: Breaker =
        Breaker::consecutive(1).open_for(Duration::from_secs(10)).jitter_factor(0.0);
    #[retry(
        stop = attempts(2),
        wait = fixed(1s),
        on = any_error(),
        breaker = BREAKER.waiting(),
        deadline = limit,
    )]
    async fn fails(limit: Duration) -> Result<(), Error> {
        Err(Error::Down)
    }
    for (limit, attempts, waited) in
        [(11 * S, 2, 10 * S), (10 * S, 1, Duration::ZERO), (9 * S, 1, Duration::ZERO)]
    {
        BREAKER.close();
        let (outcome, reports) = record(fails(limit)).await;
        assert_eq!(outcome, Err(Error::Down));
        assert_eq!((reports[0].attempts(), reports[0].waited()), (attempts, waited), "{limit:?}");
    }
}

#[test]
fn beside_a_guard_that_lets_the_retry_through_stop_is_asked_once() {
    static BREAKER: Breaker = Breaker::consecutive(9);
    static BUDGET: Budget = Budget::new(100).initial(100);
    #[retry(
        forever,
        stop = |_| asked.replace(asked.get() + 1) == 2,
        wait = none(),
        on = any_error(),
        breaker = BREAKER,
        budget = BUDGET,
    )]
    fn fails(asked: &Cell<u32>) -> io::Result<u32> {
        Err(io::ErrorKind::ConnectionRefused.into())
    }
    let asked = Cell::new(0);
    let (_, reports) = record_sync(|| fails(&asked));
    assert_eq!((reports[0].attempts(), asked.get()), (3, 3));
}
