//! A link that breaks and comes back, and how much is said of it.

use super::*;

use retry::{current, retry_with};

/// The level of each event, and what it is.
fn told(events: &[Seen]) -> Vec<(Level, &str)> {
    events.iter().map(|event| (event.level, event.message())).collect()
}

const AGAIN: &str = "attempt failed, retrying";
const HEALTHY: &str = "healthy again";

#[test]
fn that_is_back_says_so_once_with_what_the_outage_has_taken() {
    #[retry(stop = attempts(4), wait = fixed(1s), on = any_error(), reset = 30s)]
    async fn by_time(calls: &mut u32) -> Result<(), String> {
        *calls += 1;
        if *calls == 3 {
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
        Err(format!("failure {calls}"))
    }
    let all = paused(async { by_time(&mut 0).await });
    let (retry, end) = ((Level::WARN, AGAIN), (Level::WARN, "giving up"));
    assert_eq!(told(&all), [retry, retry, (Level::INFO, HEALTHY), retry, retry, retry, end]);
    let wanted =
        [("attempt", Value::U64(3)), ("lasted", Value::F64(2.0)), ("retries", Value::U64(2))];
    assert_eq!(all[2].rest(), wanted);
    assert_eq!(
        all[2].name(),
        "events::a_link::that_is_back_says_so_once_with_what_the_outage_has_taken::by_time"
    );
    // The number goes on, what is left does not.
    assert_eq!(all[3].rest(), retrying(3, 1.0, Some(62.0), Some(3), "failure 3"));
}

#[test]
fn that_is_back_by_its_own_word_says_so_at_once() {
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error(), reset = |_, _| false)]
    async fn call(calls: &mut u32) -> Result<(), String> {
        *calls += 1;
        let at = current().unwrap();
        if *calls == 2 {
            at.progress();
            tracing::info!("message received");
            at.progress();
        }
        Err(String::new())
    }
    let all = paused(async { call(&mut 0).await });
    let messages: Vec<_> = all.iter().map(Seen::message).collect();
    assert_eq!(messages, [AGAIN, HEALTHY, "message received", AGAIN, "giving up"]);
}

#[test]
fn that_was_never_down_is_not_back() {
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error(), reset = |a, _| a.number() == 1)]
    fn call() -> Result<(), String> {
        current().unwrap().progress();
        if current().unwrap().number() == 3 { Ok(()) } else { Err(String::new()) }
    }
    // Each attempt ends the outage that the one before it began, the first none.
    let all = events(|| retry_with().virtual_time().sync_scope(call));
    let messages: Vec<_> = all.iter().map(Seen::message).collect();
    assert_eq!(messages, [AGAIN, HEALTHY, AGAIN, HEALTHY, "succeeded after retrying"]);
}

/// The attempts whose retry is a warning, of a call that fails once a second.
macro_rules! warned {
    ($failures:literal, $($key:tt)+) => {{
        #[retry(stop = attempts($failures + 1), wait = fixed(1s), on = any_error(), $($key)+)]
        async fn call() -> Result<(), String> {
            Err(String::new())
        }
        let all = paused(call());
        assert_eq!(all.len(), $failures + 1);
        all.iter()
            .filter(|event| event.level == Level::WARN && event.message() == AGAIN)
            .map(|event| match event.get("attempt") {
                Some(Value::U64(attempt)) => *attempt,
                other => unreachable!("{other:?}"),
            })
            .collect::<Vec<_>>()
    }};
}

#[test]
fn that_is_down_for_ten_minutes_warns_ten_times_if_one_a_minute_is_enough() {
    let each_minute: Vec<_> = (0..10).map(|minute| 1 + 60 * minute).collect();
    assert_eq!(warned!(600, warn_every = 1m), each_minute);
    assert_eq!(warned!(600, warn_every = 60), each_minute);
    assert_eq!(warned!(600, warn_every = Duration::from_secs(30) * 2), each_minute);
    const SIXTY: u32 = 60;
    assert_eq!(warned!(600, warn_every = SIXTY), each_minute);
}

#[test]
fn that_may_fail_now_and_then_warns_late_and_seldom() {
    assert_eq!(warned!(10, warn_after = 3, warn_every = 2), [3, 5, 7, 9]);
    assert_eq!(warned!(10, warn_after = 3s, warn_every = 4s), [4, 8]);
    assert_eq!(warned!(5, warn_every = 1), [1, 2, 3, 4, 5]);
}

#[test]
fn that_breaks_again_warns_anew() {
    #[retry(
        stop = attempts(9),
        wait = fixed(1s),
        on = |_| n.get() < 7,
        reset = |attempt, _| attempt.number() == 4,
        warn_after = 2,
        warn_every = 1h,
    )]
    fn call(n: &std::cell::Cell<u32>) -> Result<(), String> {
        n.set(n.get() + 1);
        Err(String::new())
    }
    let all = events(|| retry_with().virtual_time().sync_scope(|| call(&std::cell::Cell::new(0))));
    let levels: Vec<_> = all.iter().map(|event| event.level).collect();
    let (quiet, loud) = (Level::DEBUG, Level::WARN);
    // The fourth failure is the first of the second outage, the fifth its second.
    let wanted = [quiet, loud, quiet, Level::INFO, quiet, loud, quiet, loud];
    assert_eq!(levels, wanted);
}
