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
    assert_eq!(reason_of!([RETRY], stop = attempts(3) | within(1h), wait = fixed(1s)), "attempts");
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
    assert_eq!(reason_of!([RETRY, Verdict::Final], stop = attempts(3), wait = none()), "permanent");
}

#[test]
fn is_ambiguous_when_an_attempt_may_have_taken_effect() {
    assert_eq!(reason_of!([Verdict::Ambiguous], stop = attempts(3), wait = none()), "ambiguous");
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
    assert_eq!(reason_of!([RETRY.retry_after(ms(5000))], stop = within(5s), wait = none()), long);
    // Of two limits the nearer.
    assert_eq!(
        reason_of!([RETRY.retry_after(ms(5000))], stop = within(1h) | within(5s), wait = none()),
        long
    );
    assert_eq!(
        reason_of!([RETRY.retry_after(ms(5000))], stop = attempts(3), wait = none(), max_hint = 4s),
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
    async fn time_first(calls: &mut u32, verdicts: impl Fn(u32) -> Verdict) -> Result<(), Verdict> {
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

#[test]
fn says_beside_it_what_has_cut_the_last_attempt() {
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = 10s,
        interrupted = |it| it.to_string(),
    )]
    async fn hangs(after: u32) -> Result<(), String> {
        if retry::current().unwrap().number() > after {
            std::future::pending::<()>().await;
        }
        Err("down".to_owned())
    }
    #[retry(
        stop = attempts(2),
        wait = fixed(1s),
        on = any_error(),
        attempt_timeout = 1s,
        idempotent,
        interrupted = |it| it.to_string(),
    )]
    async fn slow() -> Result<(), String> {
        std::future::pending().await
    }
    let cut = |events: Vec<Seen>| {
        let last = events.last().unwrap();
        assert_eq!((last.message(), last.level), ("giving up", Level::WARN));
        (reason(&events), last.get("interruption").cloned())
    };
    let by = |name: &str| Some(Value::Str(name.to_owned()));
    // Even in the first attempt: that is no answer of the other side.
    assert_eq!(cut(paused(async { hangs(0).await })), ("time".to_owned(), by("deadline")));
    assert_eq!(cut(paused(async { hangs(1).await })), ("time".to_owned(), by("deadline")));
    assert_eq!(cut(paused(async { hangs(9).await })), ("attempts".to_owned(), None));
    assert_eq!(cut(paused(async { slow().await })), ("attempts".to_owned(), by("attempt_timeout")));
}
