//! Policies as values: where they can be kept, what `policy!` makes of its keys, calls by them,
//! and the engine as a value in loops of one's own.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(missing_docs, unreachable_pub)]
// A function stands beside what is asked of it, and takes its error by reference.
#![allow(clippy::items_after_statements, clippy::trivially_copy_pass_by_ref)]

#[path = "../support/listening.rs"]
mod listening;

use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::future::{Future, ready};
use std::io;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use retry::{
    AsPolicy, BoxedPolicy, On, Policy, Schedule, Step, Stop, StopReason, Transient, Verdict, Wait,
    on, policy, stop, wait,
};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ApiError {
    Busy,
    Status(u16),
    NotFound,
}

impl ApiError {
    fn is_busy(&self) -> bool {
        *self == Self::Busy
    }
}

impl Transient for ApiError {
    fn verdict(&self) -> Verdict {
        self.is_busy().into()
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Error for ApiError {}

/// How often a policy calls what always fails like this.
fn calls<S: Stop, W: Wait, O, E: Copy + fmt::Debug>(policy: &Policy<S, W, O>, error: E) -> u32
where
    O: On<Result<(), E>>,
{
    let mut calls = 0;
    let outcome: Result<(), E> = policy.call(|| {
        calls += 1;
        Err(error)
    });
    assert!(outcome.is_err());
    calls
}

mod places {
    use super::*;

    static SHARED: LazyLock<BoxedPolicy<ApiError>> =
        LazyLock::new(|| policy! { stop = attempts(3), wait = none() }.boxed());

    #[derive(Clone, Debug)]
    struct Client {
        policy: BoxedPolicy<ApiError>,
    }

    #[test]
    fn a_field_and_a_static_serve_functions_with_any_type_of_success() {
        let client = Client { policy: SHARED.clone() };
        let clone = client.clone();
        assert_eq!(client.policy.call(|| Ok::<u8, ApiError>(1)), Ok(1));
        assert_eq!(clone.policy.call(|| Ok::<&str, ApiError>("one")), Ok("one"));
        assert_eq!(calls(&client.policy, ApiError::Busy), 3);
        assert_eq!(calls(&SHARED, ApiError::NotFound), 1);
        assert_eq!(
            format!("{client:?}"),
            "Client { policy: Policy { name: \"policies::places::SHARED\", stop: Stop(..), \
             wait: Wait(..), on: OnError(..), max_hint: Remaining, idempotent: false } }"
        );
    }

    #[test]
    fn a_boxed_policy_may_be_endless_if_its_type_says_so() {
        let endless: BoxedPolicy<ApiError, stop::Unbounded> =
            policy! { forever, wait = none() }.boxed();
        let mut calls = 0;
        let outcome: Result<(), _> = endless.call(|| {
            calls += 1;
            Err(if calls < 50 { ApiError::Busy } else { ApiError::NotFound })
        });
        assert_eq!((outcome, calls), (Err(ApiError::NotFound), 50));
    }

    #[test]
    fn boxed_policies_of_different_makes_go_into_one_list() {
        fn assert_shareable<T: Clone + Send + Sync + 'static>(_: &T) {}
        let list: Vec<BoxedPolicy<ApiError>> = vec![
            policy! { stop = attempts(2), wait = none() }.boxed(),
            policy! { stop = attempts(4) | within(1h), wait = none(), on = any_error() }.boxed(),
        ];
        assert_shareable(&list);
        let counts: Vec<_> = list.iter().map(|policy| calls(policy, ApiError::Busy)).collect();
        assert_eq!(counts, [2, 4]);
    }

    fn made_from(attempts: u32) -> Policy<impl Stop<Ends = stop::Bounded>, impl Wait> {
        policy! { stop = attempts(attempts), wait = none() }
    }

    #[test]
    fn a_function_returns_a_policy_made_from_its_arguments() {
        assert_eq!(calls(&made_from(4), ApiError::Busy), 4);
        assert_eq!(calls(&made_from(4), ApiError::NotFound), 1);
    }

    fn moved(
        first: impl Stop<Ends = stop::Bounded>,
        pause: impl Wait,
    ) -> Policy<impl Stop<Ends = stop::Bounded>, impl Wait, on::AnyError> {
        policy! { stop = first | attempts(9), wait = pause, on = any_error() }
    }

    #[test]
    fn strategies_from_elsewhere_are_moved_into_the_policy() {
        assert_eq!(calls(&moved(stop::attempts(2), wait::none()), "any"), 2);
    }

    #[test]
    fn one_policy_is_borrowed_by_two_calls_at_once() {
        let policy = policy! { stop = attempts(3), wait = none(), on = any_error() };
        let (mut outer, mut inner) = (0, 0);
        let outcome: Result<(), _> = policy.call(|| {
            outer += 1;
            policy.call(|| {
                inner += 1;
                Err("no")
            })
        });
        assert_eq!((outcome, outer, inner), (Err("no"), 3, 9));
    }

    #[test]
    #[allow(clippy::needless_borrows_for_generic_args)] // references are the point
    fn whatever_points_to_a_policy_is_one() {
        fn attempts(policy: impl AsPolicy<On = on::AnyError>) -> u32 {
            let mut schedule = Schedule::new(policy);
            while matches!(schedule.failed(&Err::<(), _>("no")), Step::Wait(_)) {}
            schedule.attempts()
        }
        let policy = policy! { stop = attempts(3), wait = none(), on = any_error() };
        let lazy = LazyLock::new(|| policy);
        assert_eq!(attempts(policy), 3);
        assert_eq!(attempts(&policy), 3);
        assert_eq!(attempts(&&policy), 3);
        assert_eq!(attempts(Box::new(policy)), 3);
        assert_eq!(attempts(Rc::new(policy)), 3);
        assert_eq!(attempts(Arc::new(policy)), 3);
        assert_eq!(attempts(&lazy), 3);
        assert_eq!(attempts(lazy), 3);
    }
}

mod keys {
    use super::*;

    #[test]
    fn without_on_the_error_itself_knows() {
        let policy = policy! { stop = attempts(3), wait = none() };
        assert_eq!(calls(&policy, ApiError::Busy), 3);
        assert_eq!(calls(&policy, ApiError::NotFound), 1);
    }

    #[test]
    fn conditions_are_joined_and_turned_around() {
        let policy = policy! {
            stop = attempts(3),
            wait = none(),
            on = ApiError::is_busy | (|error: &ApiError| matches!(error, ApiError::Status(500..)))
                & !matches_501,
        };
        fn matches_501(error: &ApiError) -> bool {
            *error == ApiError::Status(501)
        }
        assert_eq!(calls(&policy, ApiError::Busy), 3);
        assert_eq!(calls(&policy, ApiError::Status(503)), 3);
        assert_eq!(calls(&policy, ApiError::Status(501)), 1);
        assert_eq!(calls(&policy, ApiError::NotFound), 1);
    }

    #[test]
    fn patterns_of_errors_serve_functions_with_any_type_of_success() {
        let policy: BoxedPolicy<ApiError> = policy! {
            stop = attempts(3),
            wait = none(),
            on = matches(Err(ApiError::Busy) | Err(ApiError::Status(500..))),
        }
        .boxed();
        assert_eq!(calls(&policy, ApiError::Busy), 3);
        assert_eq!(policy.call(|| Ok::<u8, ApiError>(1)), Ok(1));
    }

    #[test]
    fn a_pattern_of_a_success_or_of_both_sides_judges_those() {
        let pending = policy! { stop = attempts(3), wait = none(), on = matches(Ok(0)) };
        let mut asked = 0;
        let outcome: Result<u8, ApiError> = pending.call(|| {
            asked += 1;
            Ok(asked - 1)
        });
        assert_eq!((outcome, asked), (Ok(1), 2));

        let either = policy! {
            stop = attempts(3),
            wait = none(),
            on = matches(Ok(0) | Err(ApiError::Busy)),
        };
        let mut answers = [Ok(0), Err(ApiError::Busy), Ok(7)].into_iter();
        assert_eq!(either.call(|| answers.next().unwrap()), Ok(7));
    }

    #[test]
    fn values_and_whole_outcomes_are_judged() {
        let policy = policy! {
            stop = attempts(3),
            wait = none(),
            on = ok(|ready: &bool| !ready) | output(|it: &Result<bool, ApiError>| it.is_err()),
        };
        let mut answers = [Ok(false), Err(ApiError::NotFound), Ok(true)].into_iter();
        assert_eq!(policy.call(|| answers.next().unwrap()), Ok(true));
    }

    #[test]
    fn an_error_is_told_by_its_type_or_by_that_of_its_cause() {
        let boxed = policy! { stop = attempts(3), wait = none(), on = is::<io::Error>() };
        let mut calls = 0;
        let mut fail = |error: fn() -> Box<dyn Error + Send + Sync>| {
            calls = 0;
            let outcome: Result<(), _> = boxed.call(|| {
                calls += 1;
                Err(error())
            });
            assert!(outcome.is_err());
            calls
        };
        assert_eq!(fail(|| io::Error::from(io::ErrorKind::TimedOut).into()), 3);
        assert_eq!(fail(|| "other".into()), 1);

        let caused = policy! { stop = attempts(3), wait = none(), on = source_is::<ApiError>() };
        let mut calls = 0;
        let outcome: io::Result<()> = caused.call(|| {
            calls += 1;
            Err(io::Error::other(ApiError::Busy))
        });
        assert!(outcome.is_err());
        assert_eq!(calls, 3);
    }

    fn flaky() -> impl Fn(&ApiError) -> bool + Clone {
        ApiError::is_busy
    }

    struct Statuses(&'static [u16]);

    impl On<Result<(), ApiError>> for Statuses {
        fn verdict(&self, outcome: &Result<(), ApiError>) -> Verdict {
            matches!(outcome, Err(ApiError::Status(status)) if self.0.contains(status)).into()
        }
    }

    fn statuses() -> Statuses {
        Statuses(&[502, 503])
    }

    #[test]
    fn calls_of_ones_own_give_conditions_and_functions() {
        let policy = policy! { stop = attempts(3), wait = none(), on = flaky() | statuses() };
        assert_eq!(calls(&policy, ApiError::Busy), 3);
        assert_eq!(calls(&policy, ApiError::Status(502)), 3);
        assert_eq!(calls(&policy, ApiError::Status(404)), 1);
    }

    #[test]
    fn an_ambiguous_failure_is_repeated_only_if_that_is_harmless() {
        const fn ambiguous(_: &ApiError) -> Verdict {
            Verdict::Ambiguous
        }
        let careful = policy! { stop = attempts(3), wait = none(), on = ambiguous };
        assert_eq!(calls(&careful, ApiError::Busy), 1);
        let harmless = policy! { stop = attempts(3), wait = none(), on = ambiguous, idempotent };
        assert_eq!(calls(&harmless, ApiError::Busy), 3);
        let get = false;
        let depends =
            policy! { stop = attempts(3), wait = none(), on = ambiguous, idempotent = get };
        assert_eq!(calls(&depends, ApiError::Busy), 1);
    }

    #[test]
    fn a_hint_is_limited_by_max_hint() {
        fn ask(_: &ApiError) -> Verdict {
            Verdict::Retry.retry_after(Duration::from_secs(30))
        }
        let failed = Err::<(), _>(ApiError::Busy);
        let gives_up = policy! { stop = attempts(3), wait = none(), on = ask, max_hint = 10s };
        assert_eq!(gives_up.schedule().failed(&failed), Step::Stop(StopReason::HintTooLong));
        let clamps = policy! { stop = attempts(3), wait = none(), on = ask, max_hint = clamp(10s) };
        assert_eq!(clamps.schedule().failed(&failed), Step::Wait(ms(10_000)));
        let grants = policy! { stop = attempts(3), wait = none(), on = ask };
        assert_eq!(grants.schedule().failed(&failed), Step::Wait(ms(30_000)));
    }

    #[test]
    fn a_stop_of_ones_own_may_be_endless_on_purpose() {
        let tired = Cell::new(0);
        let policy = policy! {
            forever,
            stop = |_| tired.replace(tired.get() + 1) == 40,
            wait = none(),
            on = any_error(),
        };
        assert_eq!(calls(&policy, "no"), 41);
    }

    mod renamed {
        pub use ::retry as again;
    }

    #[test]
    fn the_facade_may_be_found_elsewhere() {
        let policy = renamed::again::policy! {
            stop = attempts(2),
            wait = exponential(1ms).cap(1ms).full_jitter() + fixed(0ms).max(|_| ms(0)),
            on = any_error() & !is::<fmt::Error>(),
            crate = crate::keys::renamed::again,
        };
        assert_eq!(calls(&policy, fmt::Error), 1);
        assert_eq!(calls(&policy, ApiError::Busy), 2);
    }
}

mod asynchronous {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_async_closure_is_called_again_after_each_wait() {
        let policy = policy! { stop = attempts(3), wait = exponential(1s), on = any_error() };
        let start = tokio::time::Instant::now();
        let calls = Cell::new(0);
        let outcome: Result<(), &str> = policy
            .call_async(async || {
                calls.set(calls.get() + 1);
                tokio::task::yield_now().await;
                Err("no")
            })
            .await;
        assert_eq!((outcome, calls.get()), (Err("no"), 3));
        assert_eq!(start.elapsed(), ms(3000));
    }

    static SHARED: LazyLock<BoxedPolicy<ApiError>> =
        LazyLock::new(|| policy! { stop = attempts(3), wait = fixed(1s) }.boxed());

    #[derive(Default)]
    struct Client {
        calls: AtomicU32,
    }

    impl Client {
        async fn get(&self, id: &str) -> Result<usize, ApiError> {
            tokio::task::yield_now().await;
            match self.calls.fetch_add(1, Ordering::SeqCst) {
                0 => Err(ApiError::Busy),
                _ => Ok(id.len()),
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_borrows_its_surroundings_is_spawned() {
        let client = Arc::new(Client::default());
        let id = "seven".to_owned();
        let spawned = tokio::spawn({
            let client = client.clone();
            async move { SHARED.call_async(async || client.get(&id).await).await }
        });
        assert_eq!(spawned.await.unwrap(), Ok(5));
        assert_eq!(client.calls.load(Ordering::SeqCst), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_by_an_owned_policy_with_moved_clones_is_spawned() {
        let policy = Arc::new(policy! { stop = attempts(3), wait = fixed(1s), on = any_error() });
        let client = Arc::new(Client::default());
        let spawned = tokio::spawn(async move {
            policy
                .call_async(|| {
                    let client = client.clone();
                    async move { client.get("id").await }
                })
                .await
        });
        assert_eq!(spawned.await.unwrap(), Ok(2));
    }

    /// `Send` although its outcome is not: it is gone before the wait.
    #[tokio::test(start_paused = true)]
    async fn a_call_whose_error_cannot_be_sent_is_still_sendable() {
        #[derive(Debug)]
        struct Local(#[allow(dead_code)] Rc<()>);

        const fn assert_send<T: Send>(future: T) -> T {
            future
        }
        let policy = policy! { stop = attempts(2), wait = fixed(1s), on = any_error() };
        let call = policy.call_async(|| ready(()).then_fail(|| Local(Rc::new(()))));
        let outcome = assert_send(call).await;
        assert!(outcome.is_err());
    }

    /// A future that makes its error only when it is polled.
    struct Failing<F>(F);

    trait ThenFail {
        fn then_fail<E, F: Fn() -> E>(self, error: F) -> Failing<F>;
    }

    impl<T> ThenFail for T {
        fn then_fail<E, F: Fn() -> E>(self, error: F) -> Failing<F> {
            Failing(error)
        }
    }

    impl<E, F: Fn() -> E + Unpin> Future for Failing<F> {
        type Output = Result<(), E>;

        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
            Poll::Ready(Err((self.0)()))
        }
    }

    #[test]
    fn without_a_runtime_a_sleep_is_given() {
        let policy = policy! { stop = attempts(3), wait = fixed(1s), on = any_error() };
        let slept = Cell::new(Duration::ZERO);
        let sleep = |pause| {
            slept.set(slept.get() + pause);
            ready(())
        };
        let mut call = pin!(policy.call_async_with(sleep, || ready(Err::<(), _>("no"))));
        let mut cx = Context::from_waker(Waker::noop());
        let outcome = (0..10).find_map(|_| match call.as_mut().poll(&mut cx) {
            Poll::Ready(outcome) => Some(outcome),
            Poll::Pending => None,
        });
        assert_eq!(outcome, Some(Err("no")));
        assert_eq!(slept.get(), ms(2000));
    }
}

mod schedules {
    use super::*;
    use tokio::sync::mpsc;
    use tokio::time::{Sleep, sleep};

    /// A future that connects, as a library that polls by hand would write it.
    struct Reconnect<P, F> {
        schedule: Schedule<P>,
        connect: F,
        pause: Option<Pin<Box<Sleep>>>,
    }

    impl<P, F, T, E> Future for Reconnect<P, F>
    where
        P: AsPolicy<On: On<Result<T, E>>> + Unpin,
        F: FnMut() -> Result<T, E> + Unpin,
    {
        type Output = (Result<T, E>, StopReason);

        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
            loop {
                if let Some(pause) = &mut self.pause {
                    match pause.as_mut().poll(cx) {
                        Poll::Pending => return Poll::Pending,
                        Poll::Ready(()) => self.pause = None,
                    }
                }
                let outcome = (self.connect)();
                match self.schedule.failed(&outcome).delay() {
                    Ok(pause) => self.pause = Some(Box::pin(sleep(pause))),
                    Err(reason) => return Poll::Ready((outcome, reason)),
                }
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_hand_written_poll_waits_as_long_as_it_is_told() {
        let start = tokio::time::Instant::now();
        let mut calls = 0;
        let connect = || {
            calls += 1;
            if calls < 4 { Err(ApiError::Busy) } else { Ok("link") }
        };
        let policy = policy! { stop = within(10s), wait = exponential(1s) };
        let schedule = Schedule::new(policy);
        let (link, reason) = Reconnect { schedule, connect, pause: None }.await;
        assert_eq!((link, reason), (Ok("link"), StopReason::Success));
        assert_eq!(start.elapsed(), ms(7000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_hand_written_poll_gives_up_when_the_paused_clock_says_so() {
        let start = tokio::time::Instant::now();
        let connect = || Err::<(), _>(ApiError::Busy);
        let policy = policy! { stop = within(10s), wait = exponential(1s) };
        let schedule = Schedule::new(&policy);
        let (_, reason) = Reconnect { schedule, connect, pause: None }.await;
        assert_eq!(reason, StopReason::Time);
        assert_eq!(start.elapsed(), ms(7000));
    }

    #[tokio::test(start_paused = true)]
    async fn messages_are_served_while_a_loop_waits_to_connect_again() {
        let policy = policy! { stop = attempts(4), wait = fixed(10s), on = any_error() };
        let mut schedule = policy.schedule();
        let (sender, mut inbox) = mpsc::channel(8);
        tokio::spawn(async move {
            for message in 0..5 {
                sleep(ms(4000)).await;
                sender.send(message).await.unwrap();
            }
            sleep(ms(60_000)).await;
        });
        let start = tokio::time::Instant::now();
        let mut log = Vec::new();
        let reason = loop {
            let pause = match schedule.failed(&Err::<(), _>("refused")).delay() {
                Ok(pause) => pause,
                Err(reason) => break reason,
            };
            let mut pause = pin!(sleep(pause));
            loop {
                tokio::select! {
                    () = &mut pause => break,
                    Some(message) = inbox.recv() => log.push((start.elapsed(), message)),
                }
            }
        };
        assert_eq!((reason, schedule.attempts()), (StopReason::Attempts, 4));
        let served = [(4, 0), (8, 1), (12, 2), (16, 3), (20, 4)];
        assert_eq!(log, served.map(|(secs, message)| (Duration::from_secs(secs), message)));
        assert_eq!(start.elapsed(), ms(30_000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_link_that_was_up_for_hours_leaves_all_the_time_to_connect_again() {
        let policy = policy! { stop = within(30s), wait = fixed(20s), on = any_error() };
        let mut schedule = policy.schedule();
        let lost: Result<(), &str> = Err("lost");
        assert_eq!(schedule.failed(&lost), Step::Wait(ms(20_000)));
        schedule.reset();
        sleep(Duration::from_secs(7200)).await;
        assert_eq!(schedule.failed(&lost), Step::Wait(ms(20_000)));
        sleep(ms(20_000)).await;
        assert_eq!(schedule.failed(&lost), Step::Stop(StopReason::Time));
    }

    #[test]
    fn a_plain_loop_tells_the_time_itself() {
        let start = Instant::now();
        let policy = policy! { stop = within(3s), wait = fixed(1s) };
        let mut schedule = policy.schedule();
        schedule.start_at(start);
        let busy = Err::<(), _>(ApiError::Busy);
        assert_eq!(schedule.failed_at(start + ms(1000), &busy), Step::Wait(ms(1000)));
        assert_eq!(schedule.failed_at(start + ms(2000), &busy), Step::Stop(StopReason::Time));
        let gone = Err::<(), _>(ApiError::NotFound);
        assert_eq!(schedule.failed_at(start, &gone), Step::Stop(StopReason::Permanent));
    }
}

mod previews {
    use super::*;

    #[test]
    fn a_preview_takes_no_time_and_reads_like_the_policy() {
        let policy = policy! {
            stop = attempts(5) | within(1h),
            wait = exponential(10m).cap(30m) + fixed(1m).full_jitter(),
        };
        assert_eq!(
            policy.preview().to_string(),
            "\
attempt    delay  earliest  latest
      1        –        0s      0s
      2  10m–11m       10m     11m  ██████████████░░
      3  20m–21m       30m     32m  █████████████████████████████░
at most 3 attempts, waits of 30m–32m in total, within 1h
"
        );
        assert_eq!(policy.preview(), policy.preview());
    }

    #[test]
    fn a_boxed_policy_has_the_preview_of_what_it_was_made_from() {
        let policy = policy! { stop = attempts(3), wait = decorrelated(1s, 10s) };
        let boxed: BoxedPolicy<ApiError> = policy.boxed();
        assert_eq!(boxed.preview(), policy.preview());
        let preview = policy.preview();
        let last = preview.rows().last().unwrap();
        assert_eq!((last.attempt, last.low, last.high), (3, ms(1000), Some(ms(9000))));
        assert_eq!((preview.attempts(), preview.limit()), (Some(3), None));
    }

    #[test]
    fn policies_from_values_are_named_and_judged_alike() {
        let made = Policy::new(stop::attempts(3), wait::none(), on::error(ApiError::is_busy));
        assert_eq!(calls(&made, ApiError::Busy), 3);
        assert_eq!(calls(&made, ApiError::NotFound), 1);
        assert!(format!("{made:?}").starts_with("Policy { name: \"retry::Policy\", stop: "));
        let named = policy! { stop = attempts(2), wait = none(), name = "orders" };
        assert!(format!("{named:?}").starts_with("Policy { name: \"orders\", stop: "));
    }
}

mod events {
    use super::*;
    use std::sync::Mutex;
    use tracing::field::{Field, Visit};
    use tracing::{Event, Subscriber};
    use tracing_subscriber::layer::{Layer, SubscriberExt};

    /// The message, name and error of every event, one line each.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<String>>>);

    #[derive(Default)]
    struct Line {
        message: String,
        rest: String,
    }

    impl Visit for Line {
        fn record_str(&mut self, field: &Field, value: &str) {
            self.record_debug(field, &format_args!("{value}"));
        }

        fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
            match field.name() {
                "message" => self.message = format!("{value:?}"),
                "name" | "error" | "reason" => self.rest = format!("{}, {value:?}", self.rest),
                _ => {}
            }
        }
    }

    impl<S: Subscriber> Layer<S> for Log {
        fn on_event(&self, event: &Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
            let mut line = Line::default();
            event.record(&mut line);
            self.0.lock().unwrap().push(line.message + &line.rest);
        }
    }

    fn logged(run: impl FnOnce()) -> Vec<String> {
        crate::listening::surely();
        let log = Log::default();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(log.clone()), run);
        log.0.lock().unwrap().clone()
    }

    #[test]
    fn calls_are_named_after_the_function_that_the_policy_stands_in() {
        let lines = logged(|| {
            let policy = policy! { stop = attempts(2), wait = none() };
            let _: Result<(), _> = policy.call(|| Err(ApiError::Status(404)));
            let mut answers = [Err(ApiError::Busy), Ok(1)].into_iter();
            assert_eq!(policy.call(|| answers.next().unwrap()), Ok(1));
            let _: Result<(), _> = policy.call(|| Err(ApiError::Busy));
        });
        let name = "policies::events::calls_are_named_after_the_function_that_the_policy_stands_in";
        // Nothing of the first: it fails for good at once.
        assert_eq!(
            lines,
            [
                format!("attempt failed, retrying, {name}, Busy"),
                format!("succeeded after retrying, {name}, success"),
                format!("attempt failed, retrying, {name}, Busy"),
                format!("giving up, {name}, attempts, Busy"),
            ]
        );
    }

    #[test]
    fn a_final_failure_after_a_retry_is_told_with_its_name() {
        let lines = logged(|| {
            let policy = policy! { stop = attempts(5), wait = none(), name = "orders.fetch" };
            let mut errors = [ApiError::Busy, ApiError::Status(404)].into_iter();
            let _: Result<(), _> = policy.call(|| Err(errors.next().unwrap()));
        });
        assert_eq!(
            lines,
            [
                "attempt failed, retrying, orders.fetch, Busy",
                "giving up, orders.fetch, permanent, Status(404)"
            ]
        );
    }

    #[test]
    fn a_schedule_logs_nothing() {
        let lines = logged(|| {
            let policy = policy! { stop = attempts(2), wait = none() };
            let mut schedule = policy.schedule();
            while let Step::Wait(_) = schedule.failed(&Err::<(), _>(ApiError::Busy)) {}
        });
        assert_eq!(lines, [""; 0]);
    }
}
