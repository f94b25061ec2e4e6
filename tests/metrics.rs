//! What is counted through the facade `metrics`: every way a call can end, every retry and every
//! pause, with their labels and units, and never anything that `sites` counts differently.

#![allow(clippy::unwrap_used, clippy::panic)]
// a test that cannot go on should say where
// A function stands beside what it is asked, and its shape is the point of it.
#![allow(clippy::items_after_statements)]
#![allow(missing_docs)]

mod support;

use std::future::pending;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use metrics::Unit;
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use retry::{MaxHint, StopReason, Verdict, policy, retry, retry_with};

use support::polling::started;
use support::{paused, site};

const S: Duration = Duration::from_secs(1);

/// What `f` has counted on this thread, a line for each series that is not empty, sorted.
fn counted<T>(f: impl FnOnce() -> T) -> Vec<String> {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    metrics::with_local_recorder(&recorder, f);
    lines(&snapshotter)
        .into_iter()
        .filter(|line| !line.ends_with(" 0") && !line.ends_with(" []"))
        .collect()
}

fn lines(snapshotter: &Snapshotter) -> Vec<String> {
    let mut lines: Vec<_> = snapshotter
        .snapshot()
        .into_vec()
        .into_iter()
        .map(|(key, _, _, value)| {
            let labels: Vec<_> = key
                .key()
                .labels()
                .map(|label| format!("{}={}", label.key(), label.value()))
                .collect();
            let value = match value {
                DebugValue::Counter(count) => count.to_string(),
                DebugValue::Histogram(values) => {
                    let values: Vec<_> = values.iter().map(ToString::to_string).collect();
                    format!("[{}]", values.join(" "))
                }
                DebugValue::Gauge(_) => panic!("{key:?} is a gauge"),
            };
            format!("{}{{{}}} {value}", key.key().name(), labels.join(","))
        })
        .collect();
    lines.sort();
    lines
}

/// An error is what it means.
type Outcome = Result<(), Verdict>;

const RETRY: Outcome = Err(Verdict::Retry);
const FINAL: Outcome = Err(Verdict::Final);

/// Ends one attempt after the other as the script says.
fn step(script: &mut &[Outcome]) -> Outcome {
    let (&first, rest) = script.split_first().unwrap();
    *script = rest;
    first
}

#[test]
fn a_success_of_the_first_attempt_is_one_call_and_one_attempt() {
    #[retry(name = "first", stop = attempts(3), wait = none(), on = any_error())]
    fn call() -> Result<u32, String> {
        Ok(1)
    }
    assert_eq!(
        counted(|| (call(), call())),
        [
            "retry_attempts_total{name=first} 2",
            "retry_calls_total{name=first,outcome=first_try,reason=success} 2",
        ]
    );
}

#[test]
fn a_success_of_the_first_attempt_counts_the_same_where_somebody_reads_the_report() {
    #[retry(
        name = "reported", stop = attempts(3), wait = none(), on = any_error(),
        on_success = |report, _| assert_eq!(report.attempts(), 1),
    )]
    fn call() -> Result<u32, String> {
        Ok(1)
    }
    let expected = [
        "retry_attempts_total{name=reported} 1",
        "retry_calls_total{name=reported,outcome=first_try,reason=success} 1",
    ];
    assert_eq!(counted(call), expected);
    assert_eq!(counted(|| retry::record_sync(call)), expected);
}

#[test]
fn a_recovery_counts_each_retry_by_what_failed_and_each_pause() {
    #[retry(
        name = "recovers", stop = attempts(9), wait = exponential(1s),
        on = |verdict: &Verdict| *verdict, idempotent,
    )]
    async fn call(script: &mut &[Outcome]) -> Outcome {
        step(script)
    }
    let script = [
        RETRY,
        Err(Verdict::Ambiguous),
        Err(Verdict::Retry.throttled()),
        Err(Verdict::Ambiguous.throttled()),
        RETRY,
        Ok(()),
    ];
    assert_eq!(
        counted(|| paused(call(&mut &script[..])).unwrap()),
        [
            "retry_attempts_total{name=recovers} 6",
            "retry_calls_total{name=recovers,outcome=recovered,reason=success} 1",
            "retry_delay_seconds{name=recovers} [1 2 4 8 16]",
            "retry_retries_total{name=recovers,reason=ambiguous} 1",
            "retry_retries_total{name=recovers,reason=throttled} 2",
            "retry_retries_total{name=recovers,reason=transient} 2",
        ]
    );
    let site = site("recovers");
    assert_eq!((site.attempts(), site.retries(), site.waited()), (6, 5, 31 * S));
}

#[test]
fn a_call_that_is_out_of_attempts_has_one_retry_less_than_attempts() {
    #[retry(name = "attempts", stop = attempts(3), wait = fixed(1ms), on = any_error())]
    fn call() -> Outcome {
        RETRY
    }
    assert_eq!(
        counted(call),
        [
            "retry_attempts_total{name=attempts} 3",
            "retry_calls_total{name=attempts,outcome=given_up,reason=attempts} 1",
            "retry_delay_seconds{name=attempts} [0.001 0.001]",
            "retry_retries_total{name=attempts,reason=transient} 2",
        ]
    );
}

#[test]
fn a_permanent_failure_is_an_answer_at_once_or_after_retries() {
    #[retry(
        name = "permanent", stop = attempts(3), wait = none(),
        on = |verdict: &Verdict| *verdict,
    )]
    fn call(script: &mut &[Outcome]) -> Outcome {
        step(script)
    }
    assert_eq!(
        counted(|| call(&mut &[FINAL][..])),
        [
            "retry_attempts_total{name=permanent} 1",
            "retry_calls_total{name=permanent,outcome=permanent,reason=permanent} 1",
        ]
    );
    assert_eq!(
        counted(|| call(&mut &[RETRY, FINAL][..])),
        [
            "retry_attempts_total{name=permanent} 2",
            "retry_calls_total{name=permanent,outcome=permanent,reason=permanent} 1",
            "retry_delay_seconds{name=permanent} [0]",
            "retry_retries_total{name=permanent,reason=transient} 1",
        ]
    );
}

#[test]
fn every_other_reason_to_give_up_is_a_label_of_its_own() {
    #[retry(name = "time", stop = within(1s), wait = |_| S, on = any_error())]
    fn time() -> Outcome {
        RETRY
    }
    #[retry(
        name = "ambiguous", stop = attempts(3), wait = none(),
        on = |verdict: &Verdict| *verdict,
    )]
    fn ambiguous() -> Outcome {
        Err(Verdict::Ambiguous)
    }
    #[retry(
        name = "hint", stop = attempts(3), wait = none(), max_hint = 5s,
        on = |verdict: &Verdict| *verdict,
    )]
    fn hint() -> Outcome {
        Err(Verdict::Retry.retry_after(6 * S))
    }
    #[retry(
        name = "custom", stop = attempts(3) | when(|_| true), wait = none(), on = any_error(),
    )]
    fn custom() -> Outcome {
        RETRY
    }
    for (name, reason, call) in [
        ("time", "time", time as fn() -> Outcome),
        ("ambiguous", "ambiguous", ambiguous),
        ("hint", "hint_too_long", hint),
        ("custom", "custom", custom),
    ] {
        assert_eq!(
            counted(call),
            [
                format!("retry_attempts_total{{name={name}}} 1"),
                format!("retry_calls_total{{name={name},outcome=given_up,reason={reason}}} 1"),
            ]
        );
    }
}

#[test]
fn a_gate_that_says_no_comes_after_the_pause_and_before_the_retry() {
    #[retry(
        name = "gate", stop = attempts(3), wait = fixed(1ms), on = any_error(),
        gate = |_, _| false,
    )]
    fn call() -> Outcome {
        RETRY
    }
    assert_eq!(
        counted(call),
        [
            "retry_attempts_total{name=gate} 1",
            "retry_calls_total{name=gate,outcome=given_up,reason=gate} 1",
            "retry_delay_seconds{name=gate} [0.001]",
        ]
    );
    let site = site("gate");
    assert_eq!((site.attempts(), site.retries()), (1, 0));
}

#[test]
fn a_call_dropped_in_an_attempt_was_cancelled_in_it() {
    #[retry(name = "cancelled", stop = attempts(3), wait = none(), on = any_error())]
    async fn call() -> Outcome {
        pending().await
    }
    assert_eq!(
        counted(|| drop(started(call()))),
        [
            "retry_attempts_total{name=cancelled} 1",
            "retry_calls_total{name=cancelled,outcome=cancelled,reason=cancelled} 1",
        ]
    );
}

#[test]
fn a_call_dropped_in_a_pause_made_neither_the_retry_nor_the_pause() {
    #[retry(
        name = "dropped", stop = attempts(3), wait = fixed(1h), on = any_error(),
        sleep = |_| pending::<()>(),
    )]
    async fn call() -> Outcome {
        RETRY
    }
    assert_eq!(
        counted(|| drop(started(call()))),
        [
            "retry_attempts_total{name=dropped} 1",
            "retry_calls_total{name=dropped,outcome=cancelled,reason=cancelled} 1",
        ]
    );
    let site = site("dropped");
    assert_eq!((site.attempts(), site.retries(), site.waited()), (1, 0, Duration::ZERO));
}

#[test]
fn a_panic_ends_a_call_too() {
    #[retry(name = "panics", stop = attempts(3), wait = none(), on = any_error())]
    fn call(calls: &mut u32, last: u32) -> Outcome {
        *calls += 1;
        assert!(*calls < last, "the body panics");
        RETRY
    }
    let panics =
        |last| counted(|| catch_unwind(AssertUnwindSafe(|| call(&mut 0, last))).unwrap_err());
    assert_eq!(
        panics(1),
        [
            "retry_attempts_total{name=panics} 1",
            "retry_calls_total{name=panics,outcome=panicked,reason=panicked} 1",
        ]
    );
    assert_eq!(
        panics(2),
        [
            "retry_attempts_total{name=panics} 2",
            "retry_calls_total{name=panics,outcome=panicked,reason=panicked} 1",
            "retry_delay_seconds{name=panics} [0]",
            "retry_retries_total{name=panics,reason=transient} 1",
        ]
    );
    let site = site("panics");
    assert_eq!((site.calls(), site.attempts(), site.panicked()), (2, 3, 2));
}

#[test]
fn a_call_that_is_switched_off_is_disabled_whatever_comes_of_it() {
    #[retry(name = "off", stop = attempts(3), wait = none(), on = any_error(), enabled = enabled)]
    fn call(enabled: bool, outcome: Outcome) -> Outcome {
        outcome
    }
    let expected = [
        "retry_attempts_total{name=off} 2",
        "retry_calls_total{name=off,outcome=disabled,reason=disabled} 2",
    ];
    assert_eq!(counted(|| (call(false, Ok(())), call(false, RETRY))), expected);
    let off = || retry_with().enabled(false).sync_scope(|| (call(true, Ok(())), call(true, RETRY)));
    assert_eq!(counted(off), expected);
    // Whoever reads the reports is told the same.
    let ((), reports) = retry::record_sync(|| {
        let _ = (off(), call(false, Ok(())), call(false, RETRY));
    });
    assert_eq!(reports.len(), 4);
    assert!(reports.iter().all(|report| report.reason() == StopReason::Disabled), "{reports:#?}");
}

#[test]
fn pauses_that_virtual_time_skips_are_counted_as_planned() {
    #[retry(name = "virtual", stop = attempts(3), wait = exponential(1h), on = any_error())]
    fn call() -> Outcome {
        RETRY
    }
    let lines = counted(|| retry_with().virtual_time().sync_scope(call));
    assert_eq!(lines[2], "retry_delay_seconds{name=virtual} [3600 7200]");
    assert_eq!(site("virtual").waited(), 10_800 * S);
}

#[test]
fn a_policy_that_is_called_counts_its_calls() {
    let policy = policy! {
        name = "policy", stop = attempts(3), wait = none(),
        on = error(|verdict: &Verdict| *verdict),
    };
    let call = |script: &[Outcome]| {
        let mut script = script;
        policy.with_max_hint(MaxHint::Remaining).call(|| step(&mut script))
    };
    assert_eq!(
        counted(|| (call(&[Ok(())]), call(&[RETRY, Ok(())]), call(&[FINAL]))),
        [
            "retry_attempts_total{name=policy} 4",
            "retry_calls_total{name=policy,outcome=first_try,reason=success} 1",
            "retry_calls_total{name=policy,outcome=permanent,reason=permanent} 1",
            "retry_calls_total{name=policy,outcome=recovered,reason=success} 1",
            "retry_delay_seconds{name=policy} [0]",
            "retry_retries_total{name=policy,reason=transient} 1",
        ]
    );
}

#[test]
fn a_recorder_that_comes_later_counts_from_then_on() {
    #[retry(name = "later", stop = attempts(3), wait = none(), on = any_error())]
    fn call() -> Result<u32, String> {
        Ok(1)
    }
    call().unwrap();
    let expected = [
        "retry_attempts_total{name=later} 1",
        "retry_calls_total{name=later,outcome=first_try,reason=success} 1",
    ];
    assert_eq!(counted(call), expected);
    assert_eq!(counted(call), expected);
}

#[test]
fn all_series_of_a_function_start_with_zero_at_its_first_success_or_failure() {
    #[retry(name = "succeeds", stop = attempts(3), wait = none(), on = any_error())]
    fn succeeds() -> Outcome {
        Ok(())
    }
    #[retry(name = "waits", stop = attempts(3), wait = fixed(1h), on = any_error(), sleep = |_| pending::<()>())]
    async fn waits() -> Outcome {
        RETRY
    }
    #[retry(name = "answers", stop = attempts(3), wait = none(), on = |_| false)]
    fn answers() -> Outcome {
        FINAL
    }
    let starts = |name: &str, call: &dyn Fn()| {
        let recorder = DebuggingRecorder::new();
        let snapshotter = recorder.snapshotter();
        metrics::with_local_recorder(&recorder, call);
        let series = lines(&snapshotter).into_iter().map(|line| {
            let (series, value) = line.split_once(' ').unwrap();
            assert!(["0", "1", "[]"].contains(&value), "{line}");
            series.replace(&format!("name={name}"), "")
        });
        series.collect::<Vec<_>>()
    };
    let series = starts("succeeds", &|| succeeds().unwrap());
    for one in [
        "retry_attempts_total{}",
        "retry_outages_total{}",
        "retry_delay_seconds{}",
        "retry_calls_total{,outcome=first_try,reason=success}",
        "retry_calls_total{,outcome=recovered,reason=success}",
        "retry_calls_total{,outcome=given_up,reason=attempts}",
        "retry_calls_total{,outcome=permanent,reason=permanent}",
        "retry_calls_total{,outcome=panicked,reason=panicked}",
        "retry_retries_total{,reason=transient}",
        "retry_breaker_changes_total{,to=open}",
    ] {
        assert!(series.iter().any(|it| it == one), "{one}: {series:#?}");
    }
    assert_eq!(starts("waits", &|| std::mem::forget(started(waits()))), series);
    assert_eq!(starts("answers", &|| assert_eq!(answers(), FINAL)), series);
}

#[test]
fn every_metric_says_what_it_is_and_its_unit() {
    #[retry(name = "described", stop = attempts(2), wait = none(), on = any_error())]
    fn call() -> Outcome {
        RETRY
    }
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    metrics::with_local_recorder(&recorder, call).unwrap_err();
    let mut described: Vec<_> = snapshotter
        .snapshot()
        .into_vec()
        .into_iter()
        .map(|(key, unit, text, _)| {
            let text = text.unwrap();
            assert!(text.ends_with('.'), "{text}");
            (key.key().name().to_owned(), unit.unwrap())
        })
        .collect();
    described.sort_by(|(a, _), (b, _)| a.cmp(b));
    described.dedup();
    let expected = [
        ("retry_attempts_total", Unit::Count),
        ("retry_breaker_changes_total", Unit::Count),
        ("retry_calls_total", Unit::Count),
        ("retry_delay_seconds", Unit::Seconds),
        ("retry_outages_total", Unit::Count),
        ("retry_retries_total", Unit::Count),
    ];
    assert_eq!(described, expected.map(|(name, unit)| (name.to_owned(), unit)));
}
