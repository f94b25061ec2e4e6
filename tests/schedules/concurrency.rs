use super::*;

#[tokio::test(start_paused = true)]
async fn two_calls_of_one_function_have_a_backoff_each() {
    #[retry(stop = attempts(5), wait = exponential(100ms), on = any_error())]
    async fn call(log: &mut Log) -> Result<(), u32> {
        Err(log.attempt())
    }
    let (mut early, mut late) = (Log::new(), Log::new());
    let results = tokio::join!(call(&mut early), async {
        tokio::time::sleep(ms(250)).await;
        call(&mut late).await
    });
    assert_eq!(results, (Err(5), Err(5)));
    assert_eq!(early.starts, all_ms([0, 100, 300, 700, 1500]));
    assert_eq!(late.starts, all_ms([250, 350, 550, 950, 1750]));
}

#[tokio::test(start_paused = true)]
async fn two_calls_have_a_time_limit_each() {
    #[retry(stop = within(1s), wait = fixed(300ms), on = any_error())]
    async fn call(log: &mut Log) -> Result<(), u32> {
        Err(log.attempt())
    }
    let (mut early, mut late) = (Log::new(), Log::new());
    let results = tokio::join!(call(&mut early), async {
        tokio::time::sleep(ms(500)).await;
        call(&mut late).await
    });
    assert_eq!(results, (Err(4), Err(4)));
    assert_eq!(late.starts, all_ms([500, 800, 1100, 1400]));
}

#[tokio::test(start_paused = true)]
async fn two_calls_have_a_decorrelated_value_each() {
    #[retry(
        stop = attempts(9),
        wait = decorrelated(10ms, 1h),
        on = any_error(),
        sleep = |delay| log.pause(delay),
    )]
    async fn call(log: &mut Log) -> Result<(), u32> {
        Err(log.attempt())
    }
    let mut logs: Vec<_> = (0..20).map(|_| Log::new()).collect();
    let calls = futures::future::join_all(logs.iter_mut().map(call)).await;
    assert!(calls.iter().all(|result| *result == Err(9)));
    for log in &logs {
        assert!(log.sleeps[0] <= ms(30), "starts from its base: {:?}", log.sleeps);
        for pair in log.sleeps.windows(2) {
            assert!(pair[1] >= ms(10) && pair[1] <= pair[0] * 3, "{:?}", log.sleeps);
        }
    }
    // No two of them drew the same.
    let first: std::collections::BTreeSet<_> = logs.iter().map(|log| log.sleeps[0]).collect();
    assert_eq!(first.len(), 20);
}

#[test]
fn calls_on_many_threads_do_not_meet() {
    #[retry(
        stop = attempts(50),
        wait = linear(1s, 1s),
        on = any_error().at_most(40),
        sleep = |delay| sleeps.push(delay),
    )]
    fn call(sleeps: &mut Vec<Duration>, calls: &mut u32) -> Result<(), u32> {
        *calls += 1;
        std::thread::yield_now();
        Err(*calls)
    }
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut sleeps = Vec::new();
                assert_eq!(call(&mut sleeps, &mut 0), Err(41));
                assert_eq!(sleeps, (1..=40).map(secs).collect::<Vec<_>>());
            });
        }
    });
}
