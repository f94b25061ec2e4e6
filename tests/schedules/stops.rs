use super::*;

#[tokio::test(start_paused = true)]
async fn attempts_counts_all_calls_the_first_included() {
    assert_eq!(starts!(stop = (attempts(2)), wait = (fixed(10ms))), [0, 10]);
    assert_eq!(starts!(stop = (attempts(4)), wait = (fixed(10ms))), [0, 10, 20, 30]);
}

#[tokio::test(start_paused = true)]
async fn a_configured_number_of_zero_or_one_attempts_still_makes_one() {
    #[retry(stop = attempts(n), wait = fixed(10ms), on = any_error())]
    async fn call(log: &mut Log, n: u32) -> Result<(), u32> {
        Err(log.attempt())
    }
    for n in [0, 1] {
        let mut log = Log::new();
        assert_eq!(call(&mut log, n).await, Err(1));
        assert_eq!(log.attempts(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn within_counts_the_coming_delay_and_elapsed_does_not() {
    let hundreds = [0, 100, 200, 300, 400];
    // An attempt at 500 ms would start at the limit, which counts as over it.
    assert_eq!(starts!(stop = (within(500ms)), wait = (fixed(100ms))), hundreds);
    assert_eq!(
        starts!(stop = (within(501ms)), wait = (fixed(100ms)))[..],
        [0, 100, 200, 300, 400, 500]
    );
    // The failure at 400 ms is not yet over the limit, so one more attempt starts at it.
    assert_eq!(
        starts!(stop = (elapsed(500ms)), wait = (fixed(100ms)))[..],
        [0, 100, 200, 300, 400, 500]
    );
    assert_eq!(starts!(stop = (elapsed(400ms)), wait = (fixed(100ms))), hundreds);
    assert_eq!(
        starts!(stop = (elapsed(401ms)), wait = (fixed(100ms)))[..],
        [0, 100, 200, 300, 400, 500]
    );
}

#[tokio::test(start_paused = true)]
async fn within_stops_before_a_delay_that_would_be_too_long() {
    // 0, +100, +200, +400; the next 800 would end at 1500.
    assert_eq!(starts!(stop = (within(1500ms)), wait = (exponential(100ms))), [0, 100, 300, 700]);
    assert_eq!(
        starts!(stop = (within(1501ms)), wait = (exponential(100ms))),
        [0, 100, 300, 700, 1500]
    );
    // `elapsed` starts it late.
    assert_eq!(
        starts!(stop = (elapsed(701ms)), wait = (exponential(100ms))),
        [0, 100, 300, 700, 1500]
    );
}

#[tokio::test(start_paused = true)]
async fn the_time_that_bodies_take_counts() {
    let starts = starts!(stop = (within(1s)), wait = (fixed(100ms)), takes = 300);
    assert_eq!(starts, [0, 400, 800]);
    // The fourth attempt ends at the limit exactly.
    assert_eq!(starts!(stop = (within(1s)), wait = (none()), takes = 250), [0, 250, 500, 750]);
    assert_eq!(starts!(stop = (elapsed(1s)), wait = (none()), takes = 250), [0, 250, 500, 750]);
    assert_eq!(
        starts!(stop = (elapsed(1001ms)), wait = (none()), takes = 250),
        [0, 250, 500, 750, 1000]
    );
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_has_started_is_not_cut_short() {
    #[retry(stop = within(1s), wait = fixed(100ms), on = any_error())]
    async fn call(log: &mut Log) -> Result<Duration, ()> {
        if log.attempt() == 1 {
            return Err(());
        }
        tokio::time::sleep(secs(60)).await;
        Ok(log.start.elapsed())
    }
    assert_eq!(call(&mut Log::new()).await, Ok(ms(60_100)));
}

#[tokio::test(start_paused = true)]
async fn until_is_within_for_a_moment_of_either_clock() {
    #[retry(stop = until(moment), wait = fixed(100ms), on = any_error())]
    async fn tokios(log: &mut Log, moment: Instant) -> Result<(), u32> {
        Err(log.attempt())
    }
    #[retry(stop = until(moment), wait = fixed(100ms), on = any_error())]
    async fn stds(log: &mut Log, moment: std::time::Instant) -> Result<(), u32> {
        Err(log.attempt())
    }
    for (limit, attempts) in [(299, 3), (300, 3), (301, 4), (0, 1)] {
        let mut log = Log::new();
        assert_eq!(tokios(&mut log, Instant::now() + ms(limit)).await, Err(attempts));
        let mut log = Log::new();
        let moment = Instant::now().into_std() + ms(limit);
        assert_eq!(stds(&mut log, moment).await, Err(attempts));
    }
}

#[tokio::test(start_paused = true)]
async fn a_moment_that_has_passed_never_retries_not_even_without_a_wait() {
    #[retry(stop = until(moment), wait = none(), on = any_error())]
    async fn call(log: &mut Log, moment: Instant) -> Result<(), u32> {
        Err(log.attempt())
    }
    let moment = Instant::now();
    tokio::time::advance(secs(5)).await;
    assert_eq!(call(&mut Log::new(), moment).await, Err(1));
}

#[test]
fn a_sync_call_takes_a_moment_of_the_systems_clock() {
    #[retry(stop = until(moment), wait = fixed(1h), on = any_error(), sleep = |_| ())]
    fn call(log: &mut Vec<u8>, moment: std::time::Instant) -> Result<(), usize> {
        log.push(0);
        Err(log.len())
    }
    let now = std::time::Instant::now();
    // One that has passed, one that the delay goes past.
    assert_eq!(call(&mut Vec::new(), now), Err(1));
    assert_eq!(call(&mut Vec::new(), now + secs(60)), Err(1));
}

#[tokio::test(start_paused = true)]
async fn either_of_two_bounds_ends_the_call() {
    let both = starts!(stop = (attempts(3) | within(1s)), wait = (fixed(100ms)));
    assert_eq!(both, [0, 100, 200]);
    let both = starts!(stop = (attempts(30) | within(250ms)), wait = (fixed(100ms)));
    assert_eq!(both, [0, 100, 200]);
    let three = starts!(
        stop = (attempts(30) | within(1s) | when(|state| state.elapsed() >= 150ms)),
        wait = (fixed(100ms))
    );
    assert_eq!(three, [0, 100, 200]);
}

#[tokio::test(start_paused = true)]
async fn both_of_two_bounds_must_be_reached() {
    let both = starts!(stop = (attempts(3) & within(500ms)), wait = (fixed(100ms)));
    assert_eq!(both, [0, 100, 200, 300, 400]);
    let both = starts!(stop = (attempts(8) & within(500ms)), wait = (fixed(100ms)));
    assert_eq!(both, [0, 100, 200, 300, 400, 500, 600, 700]);
}

#[tokio::test(start_paused = true)]
async fn and_binds_stronger_than_or() {
    // (attempts(2) & within(350ms)) | attempts(6): the time comes first.
    let mixed = starts!(stop = (attempts(6) | attempts(2) & within(350ms)), wait = (fixed(100ms)));
    assert_eq!(mixed, [0, 100, 200, 300]);
    let mixed =
        starts!(stop = ((attempts(6) | attempts(2)) & within(350ms)), wait = (fixed(100ms)));
    assert_eq!(mixed, [0, 100, 200, 300]);
    let mixed =
        starts!(stop = ((attempts(6) | within(150ms)) & attempts(4)), wait = (fixed(100ms)));
    assert_eq!(mixed, [0, 100, 200, 300]);
}

#[tokio::test(start_paused = true)]
async fn an_optional_bound_bounds_only_if_it_is_there() {
    #[retry(stop = max.map(attempts) | within(550ms), wait = fixed(100ms), on = any_error())]
    async fn bounded(log: &mut Log, max: Option<u32>) -> Result<(), u32> {
        Err(log.attempt())
    }
    assert_eq!(bounded(&mut Log::new(), Some(3)).await, Err(3));
    assert_eq!(bounded(&mut Log::new(), None).await, Err(6));

    #[retry(stop = limit.map(within), forever, wait = fixed(100ms), on = |n| *n < 20)]
    async fn unbounded(log: &mut Log, limit: Option<Duration>) -> Result<(), u32> {
        Err(log.attempt())
    }
    assert_eq!(unbounded(&mut Log::new(), Some(ms(300))).await, Err(3));
    assert_eq!(unbounded(&mut Log::new(), None).await, Err(20));
}

#[tokio::test(start_paused = true)]
async fn forever_goes_on_until_something_else_ends_it() {
    #[retry(forever, wait = fixed(1h), on = any_error())]
    async fn call(log: &mut Log) -> Result<u32, u32> {
        match log.attempt() {
            10_000 => Ok(10_000),
            n => Err(n),
        }
    }
    let mut log = Log::new();
    assert_eq!(call(&mut log).await, Ok(10_000));
    assert_eq!(log.starts.last(), Some(&(secs(3600) * 9999)));
}

#[tokio::test(start_paused = true)]
async fn a_stop_of_ones_own_sees_how_the_call_stands() {
    thread_local! {
        static SEEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }
    struct Watch;
    impl Stop for Watch {
        type Ends = retry::stop::Unbounded;
        fn stop(&self, state: &State) -> bool {
            let line = format!(
                "{} after {:?} + {:?}, before {:?}, took {:?}, {:?} after {:?}, {:?} left",
                state.attempt(),
                state.elapsed(),
                state.delay(),
                state.previous_delay(),
                state.last_attempt(),
                state.verdict(),
                state.previous_verdict(),
                state.remaining(),
            );
            SEEN.with_borrow_mut(|seen| seen.push(line));
            false
        }
    }
    #[retry(
        stop = Watch | within(1s),
        wait = linear(100ms, 100ms),
        on = |n| if *n == 2 { Verdict::Retry.throttled() } else { Verdict::Retry },
    )]
    async fn call(log: &mut Log) -> Result<(), u32> {
        let n = log.attempt();
        tokio::time::sleep(ms(50)).await;
        Err(n)
    }
    let mut log = Log::new();
    assert_eq!(call(&mut log).await, Err(4));
    let seen = SEEN.take();
    assert_eq!(
        seen,
        [
            "1 after 50ms + 100ms, before None, took Some(50ms), Retry after None, Some(950ms) left",
            "2 after 200ms + 200ms, before Some(100ms), took Some(50ms), Retry.throttled() after Some(Retry), Some(800ms) left",
            "3 after 450ms + 300ms, before Some(200ms), took Some(50ms), Retry after Some(Retry.throttled()), Some(550ms) left",
            "4 after 800ms + 400ms, before Some(300ms), took Some(50ms), Retry after Some(Retry), Some(200ms) left",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_wait_is_asked_once_for_each_failure_before_the_stop() {
    #[retry(
        stop = |_: &State| { order.borrow_mut().push("stop"); false },
        forever,
        wait = |_: &State| { order.borrow_mut().push("wait"); ms(1) },
        on = |n| { order.borrow_mut().push("on"); *n < 3 },
    )]
    async fn call(log: &mut Log, order: &RefCell<Vec<&'static str>>) -> Result<(), u32> {
        order.borrow_mut().push("body");
        Err(log.attempt())
    }
    let order = RefCell::default();
    assert_eq!(call(&mut Log::new(), &order).await, Err(3));
    let round = ["body", "on", "wait", "stop"];
    assert_eq!(order.take(), [&round[..], &round, &round[..2]].concat());
}

#[tokio::test(start_paused = true)]
async fn a_stop_of_ones_own_that_asks_another_stops_by_its_reason() {
    struct Quota;
    impl Stop for Quota {
        type Ends = retry::stop::Bounded;
        fn stop(&self, state: &State) -> bool {
            retry::stop::attempts(2).stop(state)
        }
    }
    #[retry(stop = Quota, wait = none(), on = any_error())]
    fn call() -> Result<(), ()> {
        Err(())
    }
    let ((), reports) = retry::record_sync(|| call().unwrap_err());
    assert_eq!(reports[0].reason(), StopReason::Attempts);
    assert_eq!(starts!(stop = (Quota), wait = (fixed(10ms))), [0, 10]);
    assert_eq!(starts!(stop = (&Quota), wait = (fixed(10ms))), [0, 10]);
}
