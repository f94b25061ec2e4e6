use super::*;

/// Fails, and hangs in the attempt with this number.
macro_rules! hanging {
    ($name:literal, $wait:expr) => {{
        #[retry(stop = attempts(9), wait = fixed($wait), name = $name)]
        async fn hanging(hangs_in: u32) -> Result<u32, Busy> {
            let number = retry::current().unwrap().number();
            if number == hangs_in {
                pending::<()>().await;
            }
            Err(Busy(number, Verdict::Retry))
        }
        hanging
    }};
}

async fn after(time: Duration, call: impl Future<Output = Result<u32, Busy>>) {
    tokio::select! {
        biased;
        _ = call => panic!("it ends"),
        () = tokio::time::sleep(time) => {}
    }
}

fn assert_cancelled(name: &str, calls: u64, attempts: u64, waited: Duration) {
    let (count, site) = Count::of(name, None);
    let retries = attempts - calls;
    assert_eq!(count, Count { cancelled: calls, retries, waited, ..Count::default() });
    assert_eq!(site.map(|site| (site.calls(), site.attempts())), Some((calls, attempts)));
}

#[test]
fn a_call_dropped_in_its_first_attempt_counts_as_cancelled_with_that_attempt() {
    let hanging = hanging!("in the first attempt", ms(10));
    paused(after(ms(50), hanging(1)));
    assert_cancelled("in the first attempt", 1, 1, Duration::ZERO);
}

#[test]
fn a_call_dropped_in_a_later_attempt_counts_as_cancelled_with_all_its_attempts() {
    let hanging = hanging!("in a later attempt", ms(10));
    paused(after(ms(50), hanging(4)));
    assert_cancelled("in a later attempt", 1, 4, ms(30));
}

#[test]
fn a_call_dropped_in_a_sleep_counts_as_cancelled_without_the_attempt_after_it() {
    let hanging = hanging!("in a sleep", ms(20));
    paused(after(ms(50), hanging(9)));
    // At 0, 20 and 40 ms; of the third pause ten milliseconds had passed.
    assert_cancelled("in a sleep", 1, 3, ms(40));
}

#[test]
fn a_recorded_call_counts_the_same() {
    let hanging = hanging!("recorded", ms(20));
    let ((), reports) = paused(record(after(ms(50), hanging(9))));
    assert_eq!(reports.len(), 1);
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Cancelled, 3));
    assert_cancelled("recorded", 1, 3, ms(40));
}

#[test]
fn many_calls_dropped_at_once_are_counted_one_by_one() {
    let hanging = hanging!("many", ms(20));
    // Every other one in its third attempt, the rest in the sleep after it.
    let calls = (1..=100).map(|number| hanging(if number % 2 == 0 { 3 } else { 9 }));
    let all = async {
        join_all(calls).await;
        Ok(0)
    };
    paused(after(ms(50), all));
    assert_cancelled("many", 100, 300, ms(4_000));
}

#[test]
fn a_call_that_was_never_polled_was_none() {
    let hanging = hanging!("never polled", ms(10));
    drop(hanging(1));
    assert_eq!(sites().get("never polled"), None);
}

#[test]
fn a_call_that_ended_is_not_cancelled_when_its_future_is_dropped() {
    let hanging = hanging!("ended", Duration::ZERO);
    paused(async {
        let mut call = Box::pin(hanging(10));
        assert_eq!(call.as_mut().await, Err(Busy(9, Verdict::Retry)));
        drop(call);
    });
    let (count, _) = Count::of("ended", None);
    let given_up = BTreeMap::from([("attempts", 1)]);
    assert_eq!(count, Count { given_up, retries: 8, ..Count::default() });
}
