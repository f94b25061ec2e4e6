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
