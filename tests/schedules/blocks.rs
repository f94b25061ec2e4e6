use super::*;

#[tokio::test(start_paused = true)]
async fn an_async_block_has_the_schedule_of_the_attribute() {
    let mut log = Log::new();
    let result: Result<(), u32> = retry::block!(
        stop = attempts(5) | within(10s),
        wait = exponential(100ms).cap(300ms),
        on = any_error(),
        async { Err(log.attempt()) }
    );
    assert_eq!(result, Err(5));
    assert_eq!(log.gaps(), all_ms([100, 200, 300, 300]));

    let mut log = Log::new();
    let result = retry::block!(
        stop = within(1s),
        wait = fixed(100ms),
        on = any_error(),
        async || -> Result<(), u32> {
            tokio::time::sleep(ms(300)).await;
            Err(log.attempt())
        }
    );
    assert_eq!(result, Err(3));
    assert_eq!(log.starts, all_ms([300, 700, 1100]));
}

#[test]
fn a_sync_block_has_the_schedule_of_the_attribute() {
    let (mut calls, mut sleeps) = (0, Vec::new());
    let result = retry::block!(
        stop = attempts(4),
        wait = fibonacci(1s),
        on = |n| *n < 9,
        sleep = |delay| sleeps.push(delay),
        || -> Result<(), u32> {
            calls += 1;
            Err(calls)
        }
    );
    assert_eq!(result, Err(4));
    assert_eq!(sleeps, [secs(1), secs(1), secs(2)]);
}

#[tokio::test(start_paused = true)]
async fn hints_verdicts_and_limits_of_a_condition_work_in_a_block() {
    let mut log = Log::new();
    let result: Result<(), u32> = retry::block!(
        stop = attempts(9),
        wait = fixed(100ms),
        on = (|n| *n < 3) & (|_| Verdict::Ambiguous.retry_after(2s)) | any_error().at_most(3),
        idempotent,
        async { Err(log.attempt()) }
    );
    assert_eq!(result, Err(4));
    // Both sides grant the first two retries; the third is the last that the limit grants.
    assert_eq!(log.gaps(), all_ms([2000, 2000, 100]));
}

#[tokio::test(start_paused = true)]
async fn a_block_that_only_a_success_ends_gives_its_value() {
    let mut log = Log::new();
    let leader: u32 =
        retry::block!(forever, wait = linear(100ms, 100ms).cap(250ms), on = any_error(), async {
            let attempt = log.attempt();
            if attempt < 5 { Err("no leader yet") } else { Ok(attempt) }
        });
    assert_eq!(leader, 5);
    assert_eq!(log.gaps(), all_ms([100, 200, 250, 250]));

    let mut left = 3;
    let value: &str = retry::block!(forever, wait = none(), on = any_error(), || {
        left -= 1;
        (left == 0).then_some("here")
    });
    assert_eq!((value, left), ("here", 0));
}
