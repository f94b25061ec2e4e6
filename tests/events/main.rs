//! What `tracing` shows of a call: every event with its level, target, message and typed fields,
//! and no event where there is nothing to tell.

#![allow(clippy::unwrap_used)]
// a test that cannot go on should say where
// A function stands beside what it is asked, and its shape is the point of it.
#![allow(clippy::items_after_statements, clippy::unused_self, clippy::manual_async_fn)]
#![allow(missing_docs, unreachable_pub)]

#[path = "../support/listening.rs"]
mod listening;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use retry::{State, Stop, Verdict, retry};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A field's value, of the type it was recorded with.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    U64(u64),
    F64(f64),
    Str(String),
    /// By `Display` or `Debug`.
    Text(String),
    Other(&'static str),
}

#[derive(Clone, Debug, PartialEq)]
struct Seen {
    level: Level,
    target: String,
    fields: BTreeMap<String, Value>,
}

impl Seen {
    fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field)
    }

    fn message(&self) -> &str {
        match self.get("message") {
            Some(Value::Text(text) | Value::Str(text)) => text,
            other => unreachable!("a message is text, not {other:?}"),
        }
    }

    fn name(&self) -> &str {
        match self.get("name") {
            Some(Value::Str(name)) => name,
            other => unreachable!("a name is a string, not {other:?}"),
        }
    }

    /// The fields without the message and the name, which have tests of their own.
    fn rest(&self) -> Vec<(&str, Value)> {
        self.fields
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "message" | "name"))
            .map(|(key, value)| (key.as_str(), value.clone()))
            .collect()
    }
}

impl Visit for Seen {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.fields.insert(field.name().to_owned(), Value::U64(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.fields.insert(field.name().to_owned(), Value::F64(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name().to_owned(), Value::Str(value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name().to_owned(), Value::Text(format!("{value:?}")));
    }

    fn record_i64(&mut self, field: &Field, _: i64) {
        self.fields.insert(field.name().to_owned(), Value::Other("i64"));
    }

    fn record_bool(&mut self, field: &Field, _: bool) {
        self.fields.insert(field.name().to_owned(), Value::Other("bool"));
    }

    fn record_error(&mut self, field: &Field, _: &(dyn std::error::Error + 'static)) {
        self.fields.insert(field.name().to_owned(), Value::Other("error"));
    }
}

/// Keeps all events.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<Seen>>>);

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut seen = Seen {
            level: *event.metadata().level(),
            target: event.metadata().target().to_owned(),
            fields: BTreeMap::new(),
        };
        event.record(&mut seen);
        self.0.lock().unwrap().push(seen);
    }
}

/// The events that `f` causes on this thread.
fn events<T>(f: impl FnOnce() -> T) -> Vec<Seen> {
    listening::surely();
    let recorder = Recorder::default();
    let subscriber = tracing_subscriber::registry().with(recorder.clone());
    tracing::subscriber::with_default(subscriber, f);
    recorder.0.lock().unwrap().clone()
}

/// The events of an async call under tokio's paused clock.
fn paused<T>(future: impl Future<Output = T>) -> Vec<Seen> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    events(|| runtime.block_on(future))
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn word(word: &str) -> Value {
    Value::Str(word.to_owned())
}

/// What an event of a retry must hold beside its name.
fn retrying(attempt: u64, delay: f64, elapsed: Option<f64>, error: &str) -> Vec<(&str, Value)> {
    let mut fields = vec![("attempt", Value::U64(attempt)), ("delay", Value::F64(delay))];
    fields.extend(elapsed.map(|elapsed| ("elapsed", Value::F64(elapsed))));
    fields.push(("error", text(error)));
    fields.sort_by_key(|(key, _)| *key);
    fields
}

/// What the event of giving up must hold beside its name.
fn gave_up<'a>(
    attempt: u64,
    elapsed: Option<f64>,
    reason: &str,
    error: Option<&str>,
) -> Vec<(&'a str, Value)> {
    let mut fields = vec![("attempt", Value::U64(attempt)), ("reason", word(reason))];
    fields.extend(elapsed.map(|elapsed| ("elapsed", Value::F64(elapsed))));
    fields.extend(error.map(|error| ("error", text(error))));
    fields.sort_by_key(|(key, _)| *key);
    fields
}

fn rest(events: &[Seen]) -> Vec<Vec<(&str, Value)>> {
    events.iter().map(Seen::rest).collect()
}

/// The reasons of all events, in order; a retry has none.
fn reasons(events: &[Seen]) -> Vec<Option<String>> {
    events
        .iter()
        .map(|event| match event.get("reason") {
            Some(Value::Str(reason)) => Some(reason.clone()),
            None => None,
            other => unreachable!("a reason is a string, not {other:?}"),
        })
        .collect()
}

/// The reason of the last event, which must be the only one that has a reason.
fn reason(events: &[Seen]) -> String {
    let mut reasons = reasons(events);
    let last = reasons.pop().unwrap().unwrap();
    assert!(reasons.iter().all(Option::is_none), "{events:#?}");
    last
}

mod a_call {
    use super::*;

    #[test]
    fn that_succeeds_at_the_first_try_says_nothing() {
        #[retry(stop = attempts(3) | within(1h), wait = none(), on = any_error())]
        fn sync() -> Result<u32, String> {
            Ok(1)
        }
        #[retry(stop = attempts(3) | within(1h), wait = none(), on = any_error())]
        async fn not_sync() -> Result<u32, String> {
            Ok(1)
        }
        assert_eq!(events(sync), []);
        assert_eq!(paused(not_sync()), []);
    }

    #[test]
    fn that_fails_for_good_at_the_first_try_says_nothing() {
        #[retry(stop = attempts(3) | within(1h), wait = none(), on = |_| false)]
        fn sync() -> Result<u32, String> {
            Err("no such table".to_owned())
        }
        #[retry(stop = attempts(3) | within(1h), wait = none(), on = |_| false)]
        async fn not_sync() -> Result<u32, String> {
            Err("no such table".to_owned())
        }
        assert_eq!(events(sync), []);
        assert_eq!(paused(not_sync()), []);
    }

    #[test]
    fn that_is_switched_off_says_nothing() {
        #[retry(stop = attempts(3), wait = none(), on = any_error(), enabled = false)]
        fn call() -> Result<(), String> {
            Err("off".to_owned())
        }
        assert_eq!(events(call), []);
    }

    #[test]
    fn that_recovers_warns_of_each_retry_and_then_informs() {
        #[retry(stop = within(1h), wait = exponential(250ms), on = any_error())]
        async fn call(calls: &mut u32) -> Result<(), String> {
            *calls += 1;
            tokio::time::sleep(ms(125)).await;
            if *calls < 3 { Err(format!("failure {calls}")) } else { Ok(()) }
        }
        let events = paused(async { call(&mut 0).await });
        assert!(events.iter().all(|event| event.target == "retry"));
        let levels: Vec<_> = events.iter().map(|event| event.level).collect();
        assert_eq!(levels, [Level::WARN, Level::WARN, Level::INFO]);
        assert_eq!(
            rest(&events),
            [
                retrying(1, 0.25, Some(0.125), "failure 1"),
                retrying(2, 0.5, Some(0.5), "failure 2"),
                gave_up(3, Some(1.125), "success", None),
            ]
        );
        let messages: Vec<_> = events.iter().map(Seen::message).collect();
        assert_eq!(
            messages,
            ["attempt failed, retrying", "attempt failed, retrying", "succeeded after retrying"]
        );
    }

    #[test]
    fn that_gives_up_warns_with_the_last_error() {
        #[retry(stop = attempts(3) | within(1h), wait = fixed(500ms), on = any_error())]
        async fn call(calls: &mut u32) -> Result<(), String> {
            *calls += 1;
            Err(format!("failure {calls}"))
        }
        let events = paused(async { call(&mut 0).await });
        assert!(events.iter().all(|event| event.level == Level::WARN && event.target == "retry"));
        assert_eq!(
            rest(&events),
            [
                retrying(1, 0.5, Some(0.0), "failure 1"),
                retrying(2, 0.5, Some(0.5), "failure 2"),
                gave_up(3, Some(1.0), "attempts", Some("failure 3")),
            ]
        );
        assert_eq!(events[2].message(), "giving up");
    }

    #[test]
    fn never_shows_its_arguments() {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn call(password: &str) -> Result<usize, String> {
            Err(format!("{} letters are too few", password.len()))
        }
        let events = events(|| call("hunter2"));
        assert_eq!(events.len(), 2);
        assert!(!format!("{events:?}").contains("hunter2"));
        let known = ["attempt", "delay", "elapsed", "error", "message", "name", "reason"];
        for event in &events {
            assert!(event.fields.keys().all(|key| known.contains(&key.as_str())), "{event:?}");
        }
    }
}

mod the_reason {
    use super::*;

    /// The reason with which a call ends that is told these verdicts one after the other, the
    /// last one for ever.
    macro_rules! reason_of {
        ([$($verdict:expr),+], $($key:tt)+) => {{
            #[retry($($key)+, on = |verdict| *verdict)]
            async fn call(calls: &mut usize) -> Result<(), Verdict> {
                let verdicts = [$($verdict),+];
                let verdict = verdicts[(*calls).min(verdicts.len() - 1)];
                *calls += 1;
                Err(verdict)
            }
            reason(&paused(async { call(&mut 0).await }))
        }};
    }

    const RETRY: Verdict = Verdict::Retry;

    #[test]
    fn is_attempts_when_all_have_been_made() {
        assert_eq!(reason_of!([RETRY], stop = attempts(3), wait = none()), "attempts");
        assert_eq!(
            reason_of!([RETRY], stop = attempts(3) | within(1h), wait = fixed(1s)),
            "attempts"
        );
    }

    #[test]
    fn is_time_when_that_is_up() {
        assert_eq!(reason_of!([RETRY], stop = within(3s), wait = fixed(1s)), "time");
        assert_eq!(reason_of!([RETRY], stop = elapsed(3s), wait = fixed(1s)), "time");
        assert_eq!(reason_of!([RETRY], stop = attempts(30) | within(3s), wait = fixed(1s)), "time");
        #[retry(stop = until(past), wait = none(), on = any_error())]
        async fn late(past: tokio::time::Instant) -> Result<(), u32> {
            Err(1)
        }
        assert_eq!(reason(&paused(async { late(tokio::time::Instant::now()).await })), "time");
    }

    #[test]
    fn is_permanent_when_a_later_attempt_fails_for_good() {
        assert_eq!(
            reason_of!([RETRY, Verdict::Final], stop = attempts(3), wait = none()),
            "permanent"
        );
    }

    #[test]
    fn is_ambiguous_when_an_attempt_may_have_taken_effect() {
        assert_eq!(
            reason_of!([Verdict::Ambiguous], stop = attempts(3), wait = none()),
            "ambiguous"
        );
        assert_eq!(
            reason_of!([RETRY, Verdict::Ambiguous], stop = within(1h), wait = none()),
            "ambiguous"
        );
        assert_eq!(
            reason_of!([Verdict::Ambiguous], stop = attempts(3), wait = none(), idempotent),
            "attempts"
        );
    }

    #[test]
    fn is_ambiguous_even_where_the_attempts_are_used_up_too() {
        assert_eq!(
            reason_of!([RETRY, Verdict::Ambiguous], stop = attempts(2), wait = none()),
            "ambiguous"
        );
    }

    #[test]
    fn is_hint_too_long_when_the_other_side_asks_for_too_much() {
        let long = "hint_too_long";
        assert_eq!(
            reason_of!([RETRY.retry_after(ms(60_001))], stop = attempts(3), wait = none()),
            long
        );
        assert_eq!(
            reason_of!([RETRY.retry_after(ms(5000))], stop = within(5s), wait = none()),
            long
        );
        // Of two limits the nearer.
        assert_eq!(
            reason_of!(
                [RETRY.retry_after(ms(5000))],
                stop = within(1h) | within(5s),
                wait = none()
            ),
            long
        );
        assert_eq!(
            reason_of!(
                [RETRY.retry_after(ms(5000))],
                stop = attempts(3),
                wait = none(),
                max_hint = 4s
            ),
            long
        );
        // Clamped, it is granted.
        assert_eq!(
            reason_of!(
                [RETRY.retry_after(ms(5000))],
                stop = attempts(3),
                wait = none(),
                max_hint = clamp(4s)
            ),
            "attempts"
        );
    }

    #[test]
    fn is_time_where_that_is_up_whatever_the_other_side_asks_for() {
        // The attempt itself has outlasted the limit, so even a hint of zero cannot be granted;
        // "too long" would send whoever reads it after the other side.
        #[retry(stop = within(5s), wait = none(), on = |hint| Verdict::Retry.retry_after(*hint))]
        async fn slow(hint: Duration) -> Result<(), Duration> {
            tokio::time::sleep(ms(10_000)).await;
            Err(hint)
        }
        assert_eq!(reason(&paused(slow(Duration::ZERO))), "time");
        assert_eq!(reason(&paused(slow(ms(1000)))), "time");
    }

    #[test]
    fn is_the_same_in_whatever_order_the_bounds_are_written() {
        let verdicts = |n| if n == 1 { RETRY } else { RETRY.retry_after(ms(7_200_000)) };
        #[retry(stop = attempts(2) | within(1h), wait = none(), on = |verdict| *verdict)]
        async fn attempts_first(
            calls: &mut u32,
            verdicts: impl Fn(u32) -> Verdict,
        ) -> Result<(), Verdict> {
            *calls += 1;
            Err(verdicts(*calls))
        }
        #[retry(stop = within(1h) | attempts(2), wait = none(), on = |verdict| *verdict)]
        async fn time_first(
            calls: &mut u32,
            verdicts: impl Fn(u32) -> Verdict,
        ) -> Result<(), Verdict> {
            *calls += 1;
            Err(verdicts(*calls))
        }
        // All attempts have been made, so it does not matter what the last one asks for.
        let one = reason(&paused(async { attempts_first(&mut 0, verdicts).await }));
        let other = reason(&paused(async { time_first(&mut 0, verdicts).await }));
        assert_eq!((one.as_str(), other.as_str()), ("attempts", "attempts"));
    }

    #[test]
    fn is_attempts_where_the_last_of_them_asks_for_too_much() {
        assert_eq!(
            reason_of!([RETRY, RETRY.retry_after(ms(90_000))], stop = attempts(2), wait = none()),
            "attempts"
        );
    }

    #[test]
    fn is_custom_for_a_stop_of_ones_own() {
        struct Enough;
        impl Stop for Enough {
            type Ends = retry::stop::Bounded;
            fn stop(&self, _: &State) -> bool {
                true
            }
        }
        assert_eq!(reason_of!([RETRY], stop = Enough, wait = none()), "custom");
        assert_eq!(
            reason_of!([RETRY], stop = (|state| state.attempt() > 1) | attempts(9), wait = none()),
            "custom"
        );
    }
}

mod elapsed {
    use super::*;

    fn elapsed(events: &[Seen]) -> Vec<Option<f64>> {
        events
            .iter()
            .map(|event| match event.get("elapsed") {
                Some(Value::F64(seconds)) => Some(*seconds),
                None => None,
                other => unreachable!("a time is in seconds, not {other:?}"),
            })
            .collect()
    }

    macro_rules! call {
        ($($key:tt)+) => {{
            #[retry($($key)+, on = any_error())]
            async fn call() -> Result<(), u32> {
                tokio::time::sleep(ms(100)).await;
                Err(1)
            }
            elapsed(&paused(call()))
        }};
    }

    #[test]
    fn is_absent_at_the_first_failure_of_an_untimed_policy_and_counts_from_there() {
        assert_eq!(call!(stop = attempts(3), wait = fixed(900ms)), [None, Some(1.0), Some(2.0)]);
        // Where the first failure is the last, too.
        #[retry(stop = attempts(n), wait = none(), on = any_error())]
        async fn once(n: u32) -> Result<(), u32> {
            Err(1)
        }
        assert_eq!(elapsed(&paused(once(1))), [None]);
    }

    #[test]
    fn is_there_when_an_untimed_policy_recovers() {
        #[retry(stop = attempts(3), wait = fixed(900ms), on = any_error())]
        async fn call(calls: &mut u32) -> Result<(), u32> {
            *calls += 1;
            tokio::time::sleep(ms(100)).await;
            if *calls == 1 { Err(1) } else { Ok(()) }
        }
        assert_eq!(elapsed(&paused(async { call(&mut 0).await })), [None, Some(1.0)]);
    }

    #[test]
    fn is_always_there_for_a_timed_policy() {
        let timed = [Some(0.1), Some(1.1), Some(2.1)];
        assert_eq!(call!(stop = attempts(3) | within(1h), wait = fixed(900ms)), timed);
        assert_eq!(call!(stop = attempts(3) & elapsed(1s), wait = fixed(900ms)), timed);
        // What the macro cannot see counts as timed.
        assert_eq!(call!(stop = (|_| false) | attempts(3), wait = fixed(900ms)), timed);
        assert_eq!(call!(stop = attempts(3) | when(|_| false), wait = fixed(900ms)), timed);
        assert_eq!(call!(stop = attempts(3), wait = |_| ms(900)), timed);
        assert_eq!(call!(stop = attempts(3), wait = by(|_| ms(900))), timed);
        assert_eq!(call!(stop = attempts(3), wait = fixed(900ms) + by(|_| ms(0))), timed);
        assert_eq!(call!(stop = retry::stop::attempts(3), wait = fixed(900ms)), timed);
    }
}

mod the_error {
    use super::*;

    /// The error field of the only retry of a call that fails with `$error` once.
    macro_rules! error_of {
        ($outcome:ty, $failure:expr, $success:expr, $($on:tt)+) => {{
            #[retry(stop = attempts(2), wait = none(), on = $($on)+)]
            fn call(calls: &mut u32) -> $outcome {
                *calls += 1;
                if *calls == 1 { $failure } else { $success }
            }
            let events = events(|| call(&mut 0));
            assert_eq!(events.len(), 2);
            assert_eq!(events[1].get("error"), None, "a success has no error");
            events[0].get("error").cloned()
        }};
    }

    #[derive(Debug)]
    struct Loud {
        #[allow(dead_code)] // seen by `Debug` only
        code: u32,
    }

    struct Both;
    impl fmt::Debug for Both {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("by debug")
        }
    }
    impl fmt::Display for Both {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("by display")
        }
    }
    impl std::error::Error for Both {}

    struct Mute;

    #[test]
    fn is_what_it_displays() {
        assert_eq!(
            error_of!(Result<(), Both>, Err(Both), Ok(()), any_error()),
            Some(text("by display"))
        );
        assert_eq!(
            error_of!(Result<(), &'static str>, Err("plain"), Ok(()), any_error()),
            Some(text("plain"))
        );
        let io = || std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        assert_eq!(
            error_of!(
                std::io::Result<()>,
                Err(std::io::ErrorKind::ConnectionRefused.into()),
                Ok(()),
                any_error()
            ),
            Some(text(&io().to_string()))
        );
    }

    #[test]
    fn is_what_a_boxed_error_displays() {
        type Boxed = Box<dyn std::error::Error + Send + Sync>;
        assert_eq!(
            error_of!(Result<(), Boxed>, Err(Both.into()), Ok(()), any_error()),
            Some(text("by display"))
        );
        assert_eq!(
            error_of!(anyhow::Result<()>, Err(anyhow::Error::new(Both)), Ok(()), any_error()),
            Some(text("by display"))
        );
    }

    #[test]
    fn is_else_its_debug_form() {
        assert_eq!(
            error_of!(Result<(), Loud>, Err(Loud { code: 7 }), Ok(()), any_error()),
            Some(text("Loud { code: 7 }"))
        );
        assert_eq!(error_of!(Result<(), ()>, Err(()), Ok(()), any_error()), Some(text("()")));
    }

    #[test]
    fn is_else_the_name_of_its_type() {
        assert_eq!(
            error_of!(Result<(), Mute>, Err(Mute), Ok(()), any_error()),
            Some(text("events::the_error::Mute"))
        );
    }

    #[test]
    fn of_a_generic_type_is_described_by_what_its_bounds_allow() {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn shown<E: fmt::Display>(make: impl Fn() -> E) -> Result<(), E> {
            Err(make())
        }
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn unknown<E>(make: impl Fn() -> E) -> Result<(), E> {
            Err(make())
        }
        assert_eq!(events(|| shown(|| Both))[0].get("error"), Some(&text("by display")));
        assert_eq!(
            events(|| unknown(|| Both))[0].get("error"),
            Some(&text("events::the_error::Both"))
        );
    }

    #[test]
    fn of_an_option_is_that_there_is_no_value() {
        assert_eq!(error_of!(Option<Mute>, None, Some(Mute), any_error()), Some(text("no value")));
    }

    #[test]
    fn is_absent_where_a_value_was_judged() {
        assert_eq!(error_of!(Result<bool, Both>, Ok(false), Ok(true), ok(|ready| !ready)), None);
        assert_eq!(error_of!(u16, 503, 200, output(|status| *status >= 500)), None);
        assert_eq!(error_of!(u16, 503, 200, matches(500..)), None);
        // Giving up on a value has a reason, but no error either.
        #[retry(stop = attempts(2), wait = none(), on = ok(|ready| !ready))]
        fn never() -> Result<bool, Both> {
            Ok(false)
        }
        let events = events(never);
        assert_eq!(events[1].get("error"), None);
        assert_eq!(reason(&events), "attempts");
    }

    #[test]
    fn is_not_looked_for_in_a_final_value_that_is_not_a_result() {
        #[retry(stop = attempts(3), wait = none(), on = output(|n| *n < 2))]
        fn call(calls: &mut u32) -> u32 {
            *calls += 1;
            *calls
        }
        assert_eq!(reason(&events(|| call(&mut 0))), "success");
    }
}

mod the_name {
    use super::*;

    /// The name in both events of a call that never succeeds.
    fn name_of<T>(call: impl FnOnce() -> T) -> String {
        let events = events(call);
        assert_eq!(events.len(), 2);
        assert_eq!(events[0].name(), events[1].name());
        events[0].name().to_owned()
    }

    fn name_of_future<T>(future: impl Future<Output = T>) -> String {
        let events = paused(future);
        assert_eq!(events.len(), 2);
        assert_eq!(events[0].name(), events[1].name());
        events[0].name().to_owned()
    }

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn free() -> Result<(), u32> {
        Err(1)
    }

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn free_async() -> Result<(), u32> {
        Err(1)
    }

    #[test]
    fn of_a_function_is_its_path() {
        assert_eq!(name_of(free), "events::the_name::free");
        assert_eq!(name_of_future(free_async()), "events::the_name::free_async");
    }

    #[test]
    fn given_by_the_user_is_used_as_it_is() {
        #[retry(name = "orders: fetch", stop = attempts(2), wait = none(), on = any_error())]
        fn call() -> Result<(), u32> {
            Err(1)
        }
        #[retry(name = "orders: store", stop = attempts(2), wait = none(), on = any_error())]
        async fn call_async() -> Result<(), u32> {
            Err(1)
        }
        assert_eq!(name_of(call), "orders: fetch");
        assert_eq!(name_of_future(call_async()), "orders: store");
        let block = name_of(|| {
            retry::block!(
                name = "a block",
                stop = attempts(2),
                wait = none(),
                on = any_error(),
                || -> Result<(), u32> { Err(1) }
            )
        });
        assert_eq!(block, "a block");
    }

    struct Orders;
    struct Users;

    impl Orders {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn fetch(&self) -> Result<(), u32> {
            Err(1)
        }

        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        async fn fetch_async(&self) -> Result<(), u32> {
            Err(1)
        }
    }

    impl Users {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn fetch(&self) -> Result<(), u32> {
            Err(1)
        }

        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        async fn fetch_async(&self) -> Result<(), u32> {
            Err(1)
        }
    }

    #[test]
    fn of_a_method_tells_the_types_apart() {
        assert_eq!(name_of(|| Orders.fetch()), "events::the_name::Orders::fetch");
        assert_eq!(name_of(|| Users.fetch()), "events::the_name::Users::fetch");
        assert_eq!(name_of_future(Orders.fetch_async()), "events::the_name::Orders::fetch_async");
        assert_eq!(name_of_future(Users.fetch_async()), "events::the_name::Users::fetch_async");
    }

    trait Fetch {
        fn get(&self) -> Result<(), u32>;
        async fn get_async(&self) -> Result<(), u32>;
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn provided(&self) -> Result<(), u32> {
            Err(1)
        }
    }

    macro_rules! fetch {
        ($($ty:ident),+) => {$(
            impl Fetch for $ty {
                #[retry(stop = attempts(2), wait = none(), on = any_error())]
                fn get(&self) -> Result<(), u32> {
                    Err(1)
                }
                #[retry(stop = attempts(2), wait = none(), on = any_error())]
                async fn get_async(&self) -> Result<(), u32> {
                    Err(1)
                }
            }
        )+};
    }
    fetch!(Orders, Users);

    #[test]
    fn of_a_trait_method_tells_the_implementing_types_apart() {
        assert_eq!(
            name_of(|| Orders.get()),
            "<events::the_name::Orders as events::the_name::Fetch>::get"
        );
        assert_eq!(
            name_of(|| Users.get()),
            "<events::the_name::Users as events::the_name::Fetch>::get"
        );
        assert_eq!(
            name_of_future(Orders.get_async()),
            "<events::the_name::Orders as events::the_name::Fetch>::get_async"
        );
        assert_ne!(name_of_future(Orders.get_async()), name_of_future(Users.get_async()));
        assert_eq!(name_of(|| Orders.provided()), "events::the_name::Fetch::provided");
    }

    #[async_trait::async_trait]
    trait Boxed {
        async fn boxed(&self) -> Result<(), u32>;
    }

    #[async_trait::async_trait]
    impl Boxed for Orders {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        async fn boxed(&self) -> Result<(), u32> {
            Err(1)
        }
    }

    #[test]
    fn of_an_async_trait_method_ends_with_its_own_name() {
        assert_eq!(
            name_of_future(Orders.boxed()),
            "<events::the_name::Orders as events::the_name::Boxed>::boxed"
        );
    }

    #[test]
    fn of_a_function_that_returns_a_future_is_its_path() {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn by_hand() -> impl Future<Output = Result<(), u32>> {
            async { Err(1) }
        }
        assert!(name_of_future(by_hand()).ends_with("_is_its_path::by_hand"));
    }

    #[test]
    fn of_a_block_is_the_function_around_it() {
        fn around() -> Result<(), u32> {
            retry::block!(
                stop = attempts(2),
                wait = none(),
                on = any_error(),
                || -> Result<(), u32> { Err(1) }
            )
        }
        async fn around_async() -> Result<(), u32> {
            retry::block!(stop = attempts(2), wait = none(), on = any_error(), async { Err(1) })
        }
        assert!(name_of(around).ends_with("_the_function_around_it::around"));
        assert!(name_of_future(around_async()).ends_with("_the_function_around_it::around_async"));
        // Within closures, it is the function around all of them.
        let closure = || {
            let inner = || {
                retry::block!(
                    stop = attempts(2),
                    wait = none(),
                    on = any_error(),
                    || -> Result<(), u32> { Err(1) }
                )
            };
            inner()
        };
        assert!(name_of(closure).ends_with("::of_a_block_is_the_function_around_it"));
    }

    #[test]
    fn of_a_block_that_only_a_success_ends_is_the_function_around_it() {
        fn around() -> u32 {
            let mut calls = 0;
            retry::block!(forever, wait = none(), on = any_error(), || {
                calls += 1;
                if calls == 1 { Err("once") } else { Ok(calls) }
            })
        }
        let events = events(around);
        assert_eq!(events.len(), 2);
        assert!(events[0].name().ends_with("::around"), "{}", events[0].name());
        assert_eq!(events[0].get("error"), Some(&text("once")));
        assert_eq!(reason(&events), "success");
    }

    struct Generic<T>(T);
    impl<T> Generic<T> {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn fetch<U>(&self, _: U) -> Result<(), u32> {
            Err(1)
        }

        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        async fn fetch_async<U>(&self, _: U) -> Result<(), u32> {
            Err(1)
        }
    }

    #[test]
    fn of_a_generic_function_is_its_path() {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn generic<T>(_: T) -> Result<(), u32> {
            Err(1)
        }
        assert!(name_of(|| generic(1_u8)).contains("_is_its_path::generic"));
        let method = name_of(|| Generic(1_u8).fetch("x"));
        assert!(method.starts_with("events::the_name::Generic<"), "{method}");
        assert!(method.contains("::fetch"), "{method}");
        assert!(!method.contains("inside"), "{method}");
        let method = name_of_future(Generic(1_u8).fetch_async("x"));
        assert!(method.starts_with("events::the_name::Generic<"), "{method}");
        assert!(method.ends_with("::fetch_async"), "{method}");
    }

    #[test]
    fn of_a_function_within_a_function_holds_both() {
        fn outer() -> Result<(), u32> {
            #[retry(stop = attempts(2), wait = none(), on = any_error())]
            fn inner() -> Result<(), u32> {
                Err(1)
            }
            inner()
        }
        assert!(name_of(outer).ends_with("_holds_both::outer::inner"));
    }
}
