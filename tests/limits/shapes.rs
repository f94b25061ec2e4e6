//! Guards on functions of every shape.

use std::fmt::Display;
use std::future::{Future, pending};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use retry::{
    BoxedPolicy, Breaker, Budget, Interrupted, Interruption, Report, RetryError, StopReason,
    Verdict, record, record_sync, retry, retry_with,
};

const S: Duration = Duration::from_secs(1);

static STOP: AtomicBool = AtomicBool::new(false);
static BREAKER: Breaker = Breaker::consecutive(1_000_000);
static BUDGET: Budget = Budget::new(1_000_000).initial(1_000_000);

#[derive(Debug, PartialEq)]
enum Error {
    Real(u32),
    Cut(Interruption),
}

impl From<Interrupted> for Error {
    fn from(it: Interrupted) -> Self {
        Self::Cut(it.by())
    }
}

fn number() -> u32 {
    retry::current().unwrap().number()
}

/// Hangs in its second attempt.
async fn hangs_in_the_second() -> Result<u32, Error> {
    if number() == 2 {
        pending::<()>().await;
    }
    Err(Error::Real(number()))
}

macro_rules! guarded {
    ($($function:item)*) => {$(
        #[retry(
            stop = attempts(3),
            wait = fixed(1s),
            on = any_error(),
            deadline = 10s,
            attempt_timeout = 9500ms,
            cancel = &STOP,
            budget = BUDGET,
            breaker = BREAKER,
            nested = once,
            idempotent,
        )]
        $function
    )*};
}

guarded! {
    async fn generic<T: Display + Clone, const N: usize>(text: T) -> Result<u32, Error> {
        assert_eq!(format!("{text}").len(), N);
        hangs_in_the_second().await
    }

    async fn impl_trait(mut f: impl AsyncFnMut() -> Result<u32, Error>) -> Result<u32, Error> {
        f().await
    }

    async fn lifetimes<'a, 'b: 'a>(text: &'a str, more: &mut Vec<&'b str>) -> Result<&'a str, Error> {
        more.push("more");
        hangs_in_the_second().await.map(|_| text)
    }

    async fn owned(text: String, (left, _): (Vec<u8>, u8)) -> Result<u32, Error> {
        assert!(text.is_empty() && left.is_empty());
        hangs_in_the_second().await
    }

    fn boxed<'a>(text: &'a str) -> Pin<Box<dyn Future<Output = Result<u32, Error>> + Send + 'a>> {
        Box::pin(async move {
            assert!(text.is_empty());
            hangs_in_the_second().await
        })
    }

    fn returned(text: String) -> impl Future<Output = Result<u32, Error>> + Send {
        async move {
            assert!(text.is_empty());
            hangs_in_the_second().await
        }
    }

    async fn returns_impl() -> Result<impl Display, Error> {
        hangs_in_the_second().await
    }

    async fn questions() -> Result<u32, Error> {
        let n = hangs_in_the_second().await?;
        Ok(n)
    }
}

struct Client {
    budget: Budget,
    breaker: Breaker,
    stop: AtomicBool,
    within: Duration,
}

impl Client {
    fn new() -> Self {
        Self {
            budget: Budget::new(1000).initial(1000),
            breaker: Breaker::consecutive(1000),
            stop: AtomicBool::new(false),
            within: 10 * S,
        }
    }

    fn calls(&self) -> u64 {
        self.budget.refused()
    }

    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = self.within,
        attempt_timeout = self.within * 2,
        cancel = self.stop,
        budget = self.budget,
        breaker = self.breaker,
        idempotent,
    )]
    async fn shared(self: Arc<Self>) -> Result<u32, Error> {
        assert!(self.calls() == 0);
        hangs_in_the_second().await
    }

    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = self.within,
        attempt_timeout = self.within * 2,
        cancel = self.stop,
        budget = self.budget,
        breaker = self.breaker,
        idempotent,
    )]
    async fn owned(self) -> Result<u32, Error> {
        assert!(self.calls() == 0);
        hangs_in_the_second().await
    }

    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = self.within,
        cancel = self.stop,
        budget = self.budget,
        breaker = self.breaker,
    )]
    async fn mutable(&mut self) -> Result<u32, Error> {
        self.within += S;
        hangs_in_the_second().await
    }
}

#[async_trait::async_trait]
trait Fetch {
    async fn fetch(&self, text: &str) -> Result<u32, Error>;

    async fn count(&mut self) -> Result<u32, Error>;

    async fn consumed(self, text: String) -> Result<u32, Error>;

    #[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = 10s)]
    async fn provided(&self) -> Result<u32, Error> {
        self.fetch("").await
    }
}

#[async_trait::async_trait]
impl Fetch for Client {
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = self.within,
        cancel = self.stop,
        budget = self.budget,
        breaker = self.breaker,
    )]
    async fn count(&mut self) -> Result<u32, Error> {
        self.within += S;
        hangs_in_the_second().await
    }

    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = self.within,
        cancel = self.stop,
        budget = self.budget,
        breaker = self.breaker,
    )]
    async fn consumed(self, text: String) -> Result<u32, Error> {
        assert!(self.calls() == 0 && text.is_empty());
        hangs_in_the_second().await
    }

    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = self.within,
        attempt_timeout = 20s,
        idempotent,
        cancel = self.stop,
        budget = self.budget,
        breaker = self.breaker,
    )]
    async fn fetch(&self, text: &str) -> Result<u32, Error> {
        assert!(text.is_empty());
        hangs_in_the_second().await
    }
}

/// One attempt fails, the second is cut at the deadline.
async fn is_cut<T>(call: impl Future<Output = Result<T, Error>>) {
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(call).await;
    assert_eq!(outcome.err(), Some(Error::Real(1)));
    assert_eq!(start.elapsed(), 10 * S);
    let report = reports.last().unwrap();
    assert_eq!((report.reason(), report.attempts()), (StopReason::Time, 2));
    assert_eq!(report.history().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_function_of_any_shape_is_cut_at_its_deadline() {
    is_cut(generic::<_, 1>(7)).await;
    is_cut(impl_trait(async || hangs_in_the_second().await)).await;
    is_cut(lifetimes("", &mut Vec::new())).await;
    is_cut(owned(String::new(), (Vec::new(), 1))).await;
    is_cut(boxed("")).await;
    is_cut(returned(String::new())).await;
    is_cut(returns_impl()).await;
    is_cut(questions()).await;
    is_cut(Arc::new(Client::new()).shared()).await;
    is_cut(Client::new().owned()).await;
    is_cut(Client::new().mutable()).await;
    is_cut(Client::new().fetch("")).await;
    is_cut(Client::new().count()).await;
    is_cut(Client::new().consumed(String::new())).await;
}

#[tokio::test(start_paused = true)]
async fn two_deadlines_that_come_at_once_are_one_end_with_the_real_error() {
    let (outcome, reports) = record(Client::new().provided()).await;
    assert_eq!(outcome, Err(Error::Real(1)));
    let ends: Vec<_> = reports.iter().map(|it| (it.reason(), it.attempts())).collect();
    assert_eq!(ends, [(StopReason::Time, 2), (StopReason::Time, 1)]);
}

#[tokio::test(start_paused = true)]
async fn an_outcome_is_discarded_only_when_the_next_attempt_is_certain() {
    let mut discarded = Vec::new();
    let breaker = Breaker::consecutive(9);
    let mut calls = async |opens: bool| {
        retry::block!(
            stop = attempts(2),
            wait = fixed(1s),
            on = any_error(),
            breaker = &breaker,
            gate = |_, _| {
                if opens {
                    breaker.open();
                }
                true
            },
            discard = |it, outcome: Result<(), Error>| discarded.push((
                it.number(),
                it.next_delay(),
                outcome
            )),
            async { Err::<(), _>(Error::Real(number())) }
        )
    };
    assert_eq!(calls(true).await, Err(Error::Real(1)));
    breaker.close();
    assert_eq!(calls(false).await, Err(Error::Real(2)));
    assert_eq!(discarded, [(1, Some(S), Err(Error::Real(1)))]);
}

#[tokio::test(start_paused = true)]
async fn an_option_is_none_where_it_was_cut_and_keeps_its_last_value_where_there_is_one() {
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = output(|it| it.is_none_or(|it| it < 2)),
        deadline = 10s,
        attempt_timeout = 3s,
        idempotent,
        cancel = &STOP,
        budget = BUDGET,
        breaker = BREAKER,
    )]
    async fn find(first: Option<u32>) -> Option<u32> {
        match number() {
            1 => first,
            2 => pending().await,
            number => Some(number),
        }
    }
    // The cut attempt is one of three.
    assert_eq!(find(None).await, Some(3));
    assert_eq!(find(Some(1)).await, Some(3));
    assert_eq!(find(Some(7)).await, Some(7));
    #[retry(stop = attempts(3), wait = fixed(1s), on = output(|it| *it != Some(9)), deadline = 10s)]
    async fn hangs(first: Option<u32>) -> Option<u32> {
        if number() == 1 { first } else { pending().await }
    }
    assert_eq!(hangs(Some(1)).await, Some(1));
    assert_eq!(hangs(None).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_plain_output_has_a_budget_and_retries_once_when_nested() {
    static SMALL: Budget = Budget::new(100).initial(14);
    #[retry(
        stop = attempts(5),
        wait = fixed(1s),
        on = output(|it| *it < 9),
        budget = SMALL,
        nested = once,
    )]
    async fn poll(seen: &mut u32) -> u32 {
        *seen += 1;
        *seen
    }
    let (outcome, reports) = record(poll(&mut 0)).await;
    assert_eq!((outcome, reports[0].attempts(), reports[0].reason()), (2, 2, StopReason::Budget));
    let nested = retry::block!(stop = attempts(2), wait = none(), on = output(|_| true), async {
        poll(&mut 0).await
    });
    assert_eq!(nested, 1);
    #[retry(stop = attempts(5), wait = fixed(1s), on = output(|it| *it < 9), deadline = 2s)]
    fn sync(seen: &mut u32) -> u32 {
        *seen += 1;
        *seen
    }
    assert_eq!(retry_with().virtual_time().sync_scope(|| sync(&mut 0)), 2);
}

#[tokio::test(start_paused = true)]
async fn a_retry_error_says_how_a_call_with_every_key_has_ended() {
    #[derive(Debug, PartialEq)]
    struct Plain(u32);
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = 10s,
        cancel = stop,
        budget = budget,
        breaker = breaker,
        nested = once,
    )]
    async fn bare(
        stop: &AtomicBool,
        budget: &Budget,
        breaker: &Breaker,
        hangs_in: u32,
    ) -> Result<u32, RetryError<Plain>> {
        if number() == hangs_in {
            pending::<()>().await;
        }
        Err::<u32, _>(Plain(number()))
    }
    let (stop, budget, breaker) =
        (AtomicBool::new(false), Budget::new(100).initial(28), Breaker::consecutive(99));
    let end = async |hangs_in| {
        let error = bare(&stop, &budget, &breaker, hangs_in).await.unwrap_err();
        (error.reason, error.attempts, error.history.len(), error.source)
    };
    assert_eq!(end(1).await, (StopReason::Time, 1, 1, None));
    assert_eq!(end(2).await, (StopReason::Time, 2, 2, Some(Plain(1))));
    assert_eq!(end(9).await, (StopReason::Budget, 2, 2, Some(Plain(2))));
    assert_eq!(end(9).await, (StopReason::Budget, 1, 1, Some(Plain(1))));
    breaker.open();
    assert_eq!(end(9).await, (StopReason::BreakerOpen, 0, 0, None));
    breaker.close();
    stop.store(true, Ordering::Release);
    assert_eq!(end(9).await, (StopReason::Cancelled, 0, 0, None));
    stop.store(false, Ordering::Release);

    #[retry(
        stop = attempts(2),
        wait = fixed(1s),
        on = any_error(),
        deadline = 10s,
        attempt_timeout = 3s,
        idempotent,
        interrupted = |_| Plain(0),
    )]
    async fn made() -> Result<u32, RetryError<Plain>> {
        pending::<Result<u32, Plain>>().await
    }
    let error = made().await.unwrap_err();
    assert_eq!(
        (error.reason, error.attempts, error.source),
        (StopReason::Attempts, 2, Some(Plain(0)))
    );
}

#[test]
fn a_sync_retry_error_says_how_a_refused_call_has_ended() {
    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        deadline = 10s,
        cancel = stop,
        budget = budget,
        breaker = breaker,
    )]
    fn bare(
        stop: &AtomicBool,
        budget: &Budget,
        breaker: &Breaker,
    ) -> Result<u32, RetryError<String>> {
        Err::<u32, _>(number().to_string())
    }
    let (stop, budget, breaker) =
        (AtomicBool::new(false), Budget::new(100).initial(14), Breaker::consecutive(99));
    let end = || {
        let error = bare(&stop, &budget, &breaker).unwrap_err();
        (error.reason, error.attempts, error.history.len(), error.source)
    };
    assert_eq!(end(), (StopReason::Budget, 2, 2, Some("2".to_owned())));
    breaker.open();
    assert_eq!(end(), (StopReason::BreakerOpen, 0, 0, None));
    stop.store(true, Ordering::Release);
    assert_eq!(end(), (StopReason::Cancelled, 0, 0, None));
}

#[tokio::test(start_paused = true)]
async fn hooks_see_every_end_of_a_guarded_call() {
    #[retry(
        stop = attempts(4),
        wait = fixed(1s),
        on = |it| *it != Error::Real(99),
        deadline = 10s,
        attempt_timeout = 2s,
        idempotent,
        cancel = stop,
        budget = BUDGET,
        breaker = breaker,
        before = |it| log.push(format!("before {}", it.number())),
        after = |it, outcome| log.push(format!("after {} {outcome:?}", it.number())),
        before_sleep = async |it, _| {
            tokio::task::yield_now().await;
            log.push(format!("sleep {:?}", it.next_delay().unwrap()));
        },
        gate = async |it, _| {
            tokio::task::yield_now().await;
            log.push(format!("gate {}", it.number()));
            true
        },
        discard = |it, _| log.push(format!("discard {}", it.number())),
        reset = |_, outcome| *outcome == Err(Error::Real(77)),
        on_give_up = |report: &Report, _| log.push(format!("up {} {}", report.attempts(), report.reason())),
        on_success = |report: &Report, _| log.push(format!("success {}", report.attempts())),
        fallback = |report: &Report, outcome| {
            log.push(format!("fallback {}", report.history().len()));
            outcome
        },
    )]
    async fn all(
        stop: &AtomicBool,
        breaker: &Breaker,
        log: &mut Vec<String>,
        does: &[Option<Result<u32, u32>>],
    ) -> Result<u32, Error> {
        match does[number() as usize - 1] {
            Some(outcome) => outcome.map_err(Error::Real),
            None => pending().await,
        }
    }
    let (stop, breaker) = (AtomicBool::new(false), Breaker::consecutive(99));
    let run = async |does: &[Option<Result<u32, u32>>]| {
        let mut log = Vec::new();
        let outcome = all(&stop, &breaker, &mut log, does).await;
        (outcome, log)
    };
    let (outcome, log) = run(&[Some(Err(1)), None, Some(Ok(7))]).await;
    assert_eq!(outcome, Ok(7));
    assert_eq!(
        log,
        [
            "before 1",
            "after 1 Err(Real(1))",
            "sleep 1s",
            "gate 2",
            "discard 1",
            "before 2",
            "after 2 Err(Cut(AttemptTimeout))",
            "sleep 1s",
            "gate 3",
            "discard 2",
            "before 3",
            "success 3",
        ]
    );
    // 2 s each, and 1 s between: the fourth would begin at 9 s, and is cut at 10 s by the deadline.
    let (outcome, log) = run(&[None, None, None, None]).await;
    // What `discard` has taken cannot be returned.
    assert_eq!(outcome, Err(Error::Cut(Interruption::Deadline)));
    assert_eq!(log[log.len() - 3..], ["before 4", "up 4 time", "fallback 4"]);
    breaker.open();
    let (outcome, log) = run(&[]).await;
    assert_eq!(outcome, Err(Error::Cut(Interruption::BreakerOpen)));
    assert_eq!(log, ["up 0 breaker_open", "fallback 0"]);
    breaker.close();
    stop.store(true, Ordering::Release);
    let (outcome, log) = run(&[]).await;
    assert_eq!(outcome, Err(Error::Cut(Interruption::Cancelled)));
    assert_eq!(log, ["up 0 cancelled", "fallback 0"]);
    stop.store(false, Ordering::Release);
    let (outcome, log) = run(&[Some(Err(99))]).await;
    assert_eq!(outcome, Err(Error::Real(99)));
    assert_eq!(log, ["before 1", "up 1 permanent", "fallback 1"]);
}

#[tokio::test(start_paused = true)]
async fn a_block_without_written_types_is_guarded_by_every_key() {
    let outcome = retry::block!(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = 10s,
        attempt_timeout = 2s,
        idempotent,
        cancel = STOP,
        budget = BUDGET,
        breaker = BREAKER,
        nested = once,
        async {
            if number() == 2 {
                pending::<()>().await;
            }
            if number() < 3 {
                return Err(Error::Real(number()));
            }
            Ok(number())
        }
    );
    assert_eq!(outcome, Ok(3));
    let outcome = retry::block!(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = 10s,
        interrupted = |it| it.by(),
        async {
            let read: u8 = pending::<Result<u8, Interruption>>().await?;
            Ok::<u8, Interruption>(read)
        }
    );
    assert_eq!(outcome, Err(Interruption::Deadline));
    let calls = AtomicU32::new(0);
    let outcome = retry::block!(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        deadline = 10s,
        cancel = || calls.load(Ordering::Relaxed) > 1,
        budget = &BUDGET,
        breaker = &BREAKER,
        || -> io::Result<u8> {
            calls.fetch_add(1, Ordering::Relaxed);
            Err(io::ErrorKind::TimedOut.into())
        }
    );
    outcome.unwrap_err();
    assert_eq!(calls.into_inner(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_block_that_goes_on_forever_still_ends_by_its_guards() {
    let outcome =
        retry::block!(forever, wait = fixed(1s), on = any_error(), deadline = 10s, async {
            Err::<u8, _>(Error::Real(number()))
        });
    assert_eq!(outcome, Err(Error::Real(10)));
    // A timeout of each attempt ends none.
    let value: u32 = retry::block!(
        forever,
        wait = fixed(1s),
        on = any_error(),
        attempt_timeout = 1s,
        idempotent,
        async {
            if number() < 4 {
                pending::<()>().await;
            }
            Ok::<_, Error>(number())
        }
    );
    assert_eq!(value, 4);
}

#[tokio::test(start_paused = true)]
async fn each_attempt_of_a_guarded_call_has_its_own_clone() {
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        clone(list),
        deadline = 10s,
        attempt_timeout = 2s,
        idempotent,
        cancel = list.is_empty().then_some(()).map_or_else(forever, at_once),
        budget = BUDGET,
        breaker = BREAKER,
    )]
    async fn drain(list: Vec<u32>) -> Result<u32, Error> {
        let sum = list.into_iter().sum::<u32>();
        if number() < 3 {
            pending::<()>().await;
        }
        Ok(sum)
    }
    fn forever() -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(pending())
    }
    fn at_once((): ()) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async {})
    }
    assert_eq!(drain(vec![1, 2, 3]).await, Ok(6));
    assert_eq!(drain(vec![]).await, Err(Error::Cut(Interruption::Cancelled)));
}

#[tokio::test(start_paused = true)]
async fn a_policy_stands_beside_guards() {
    let policy: BoxedPolicy<Error> = retry::policy! {
        stop = attempts(9),
        wait = fixed(1s),
        on = |it: &Error| matches!(it, Error::Real(1..9)),
    }
    .boxed();
    #[retry(
        policy = policy,
        deadline = 5s,
        attempt_timeout = 1s,
        idempotent,
        cancel = &STOP,
        budget = BUDGET,
        breaker = BREAKER,
    )]
    async fn fetch(policy: &BoxedPolicy<Error>, hangs: u32) -> Result<u32, Error> {
        if number() == hangs {
            pending::<()>().await;
        }
        Err(Error::Real(number()))
    }
    let (outcome, reports) = record(fetch(&policy, 2)).await;
    // The first attempt at 0 s, the second from 1 s to 2 s, then 3 s and 4 s; 5 s is too late.
    assert_eq!(outcome, Err(Error::Real(4)));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, 4));
    let verdicts: Vec<_> = reports[0].history().iter().map(retry::PastAttempt::verdict).collect();
    assert_eq!(verdicts, [Verdict::Retry, Verdict::Ambiguous, Verdict::Retry, Verdict::Retry]);
}

#[test]
fn a_sync_function_of_any_shape_is_guarded() {
    struct Wheel<'a, T> {
        breaker: &'a Breaker,
        budget: &'a Budget,
        parts: Vec<T>,
    }
    impl<T: Clone> Wheel<'_, T> {
        #[retry(
            stop = attempts(3),
            wait = none(),
            on = any_error(),
            breaker = self.breaker,
            budget = self.budget,
            deadline = 5s,
            cancel = stop,
        )]
        fn turn(&mut self, part: &T, stop: &AtomicBool) -> Result<usize, Error> {
            self.parts.push(part.clone());
            Err(Error::Real(number()))
        }

        #[retry(
            stop = attempts(3),
            wait = none(),
            on = any_error(),
            breaker = self.breaker,
            budget = self.budget,
            nested = once,
        )]
        fn first<'s>(self: &'s &Self, or: &'s T) -> Result<&'s T, Error> {
            let _ = self.parts.first().ok_or(Error::Real(number()))?;
            Ok(or)
        }
    }
    let stop = AtomicBool::new(false);
    let breaker = Breaker::consecutive(9);
    let budget = Budget::new(100).initial(100);
    let mut wheel = Wheel { breaker: &breaker, budget: &budget, parts: Vec::new() };
    assert_eq!((&wheel).first(&8_u8), Err(Error::Real(3)));
    let reports = record_sync(|| wheel.turn(&7_u8, &stop).is_err()).1;
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Attempts, 3));
    stop.store(true, Ordering::Release);
    let (is_cut, reports) = record_sync(|| {
        matches!(wheel.turn(&7_u8, &stop), Err(Error::Cut(Interruption::Cancelled)))
    });
    assert!(is_cut);
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Cancelled, 0));
    assert_eq!((&wheel).first(&8_u8), Ok(&8));
    assert_eq!(budget.available(), 100 - 4 * 14 + 1);
}
