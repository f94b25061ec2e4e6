use super::*;

/// The gaps of a call that is told these verdicts one after the other, the last one for
/// ever.
macro_rules! judged {
    ([$($verdict:expr),+], $($key:tt)+) => {{
        #[retry($($key)+, on = |verdict| *verdict)]
        async fn call(log: &mut Log) -> Result<(), Verdict> {
            let attempt = log.attempt();
            let verdicts = [$($verdict),+];
            let index = usize::try_from(attempt).unwrap().min(verdicts.len()) - 1;
            Err(verdicts[index])
        }
        let mut log = Log::new();
        assert!(call(&mut log).await.is_err());
        log.gaps()
    }};
}

const RETRY: Verdict = Verdict::Retry;

#[tokio::test(start_paused = true)]
async fn now_neither_waits_nor_advances_the_backoff_but_counts() {
    let gaps = judged!(
        [RETRY, RETRY.now(), RETRY.now(), RETRY],
        stop = attempts(6),
        wait = exponential(100ms)
    );
    assert_eq!(gaps, all_ms([100, 0, 0, 200, 400]));
    // At the very first failure, too.
    let gaps = judged!([RETRY.now(), RETRY], stop = attempts(4), wait = linear(10ms, 10ms));
    assert_eq!(gaps, all_ms([0, 10, 20]));
}

#[tokio::test(start_paused = true)]
async fn now_alone_still_ends_with_the_attempts() {
    assert_eq!(judged!([RETRY.now()], stop = attempts(4), wait = fixed(1h)), all_ms([0; 3]));
}

#[tokio::test(start_paused = true)]
async fn now_does_not_move_a_phase_of_the_backoff() {
    let gaps = judged!(
        [RETRY, RETRY.now(), RETRY],
        stop = attempts(6),
        wait = fixed(10ms).times(2).then(exponential(100ms))
    );
    assert_eq!(gaps, all_ms([10, 0, 10, 100, 200]));
    let gaps =
        judged!([RETRY, RETRY.now(), RETRY], stop = attempts(5), wait = sequence([1s, 5s, 30s]));
    assert_eq!(gaps, all_ms([1000, 0, 5000, 30_000]));
}

#[tokio::test(start_paused = true)]
async fn now_with_a_hint_waits_the_hint() {
    let gaps = judged!(
        [RETRY.now().retry_after(ms(70)), RETRY],
        stop = attempts(4),
        wait = exponential(100ms)
    );
    assert_eq!(gaps, all_ms([70, 100, 200]));
}

#[tokio::test(start_paused = true)]
async fn now_beside_a_condition_that_wants_to_wait_waits() {
    #[retry(
        stop = attempts(3),
        wait = fixed(100ms),
        on = (|_| Verdict::Retry.now()) | (|n| *n == 2),
    )]
    async fn call(log: &mut Log) -> Result<(), u32> {
        Err(log.attempt())
    }
    let mut log = Log::new();
    assert_eq!(call(&mut log).await, Err(3));
    assert_eq!(log.gaps(), all_ms([0, 100]));
}

#[tokio::test(start_paused = true)]
async fn throttled_failures_have_a_backoff_of_their_own() {
    let gaps = judged!(
        [RETRY, RETRY.throttled(), RETRY, RETRY.throttled()],
        stop = attempts(6),
        wait = fixed(10ms).throttled(exponential(1s))
    );
    assert_eq!(gaps, all_ms([10, 1000, 10, 2000, 4000]));
}

#[tokio::test(start_paused = true)]
async fn five_throttled_failures_do_not_lengthen_the_wait_after_the_first_other() {
    const BUSY: Verdict = RETRY.throttled();
    let gaps = judged!(
        [BUSY, BUSY, BUSY, BUSY, BUSY, RETRY, RETRY, BUSY, RETRY],
        stop = attempts(10),
        wait = exponential(1s).throttled(fixed(5s))
    );
    assert_eq!(gaps, all_ms([5000, 5000, 5000, 5000, 5000, 1000, 2000, 5000, 4000]));
}

#[tokio::test(start_paused = true)]
async fn a_throttled_wait_counts_its_own_wherever_it_stands() {
    const BUSY: Verdict = RETRY.throttled();
    // Behind other waits: of the first two, one was throttled, and neither counts.
    let gaps = judged!(
        [BUSY, RETRY, BUSY, RETRY, BUSY, RETRY],
        stop = attempts(7),
        wait = none().times(2).then(exponential(1s).throttled(exponential(10s)))
    );
    assert_eq!(gaps, all_ms([0, 0, 10_000, 1000, 20_000, 2000]));
    // Around other waits.
    let gaps = judged!(
        [RETRY, BUSY, RETRY, BUSY, BUSY, RETRY],
        stop = attempts(7),
        wait = fixed(1ms)
            .times(2)
            .then(exponential(1s))
            .throttled(none().times(1).then(sequence([10s, 20s])))
    );
    assert_eq!(gaps, all_ms([1, 0, 1, 10_000, 20_000, 1000]));
    // In one another, the outer one decides, and shaped and joined, each side keeps its count.
    let gaps = judged!(
        [RETRY, BUSY, RETRY, BUSY],
        stop = attempts(5),
        wait =
            exponential(1s).throttled(fixed(1h)).throttled(exponential(10s)).cap(15s) + (|_| 1ms)
    );
    assert_eq!(gaps, all_ms([1001, 10_001, 2001, 15_001]));
}

#[tokio::test(start_paused = true)]
async fn a_new_outage_and_a_retry_without_a_wait_are_heeded_by_both_sides_of_throttled() {
    const BUSY: Verdict = RETRY.throttled();
    let gaps = judged!(
        [BUSY, BUSY, BUSY.now(), RETRY, BUSY, RETRY],
        stop = attempts(5),
        wait = exponential(1s).throttled(exponential(10s)),
        reset = |attempt, _| attempt.number() == 5
    );
    assert_eq!(gaps, all_ms([10_000, 20_000, 0, 1000, 10_000, 1000, 2000, 4000]));
}

#[test]
fn a_boxed_policy_and_its_schedule_count_like_the_attribute() {
    let policy = retry::policy! {
        stop = attempts(9),
        wait = exponential(1s).throttled(fixed(5s)),
        on = |verdict: &Verdict| *verdict,
    };
    let boxed = policy.boxed();
    let waits = |verdicts: &[Verdict]| {
        let mut schedule = boxed.schedule();
        let step = |verdict: &Verdict| schedule.failed(&Err::<(), _>(*verdict)).delay().unwrap();
        verdicts.iter().map(step).collect::<Vec<_>>()
    };
    let busy = RETRY.throttled();
    assert_eq!(waits(&[busy, busy, busy, RETRY, RETRY]), all_ms([5000, 5000, 5000, 1000, 2000]));
    // Another call of the same policy starts anew.
    assert_eq!(waits(&[RETRY]), all_ms([1000]));
}

#[tokio::test(start_paused = true)]
async fn a_throttled_failure_may_carry_a_hint() {
    let gaps = judged!(
        [RETRY.throttled().retry_after(ms(2500)), RETRY.throttled().retry_after(ms(10))],
        stop = attempts(3),
        wait = none().throttled(fixed(1s))
    );
    assert_eq!(gaps, all_ms([2500, 1000]));
}

#[tokio::test(start_paused = true)]
async fn throttling_changes_nothing_without_a_strategy_for_it() {
    let gaps = judged!([RETRY.throttled()], stop = attempts(3), wait = fixed(10ms));
    assert_eq!(gaps, all_ms([10, 10]));
}

#[tokio::test(start_paused = true)]
async fn a_final_verdict_ends_the_call_whatever_it_carries() {
    const LOUD: Verdict = Verdict::Final.retry_after(ms(1)).now().throttled();
    assert_eq!(judged!([LOUD], stop = attempts(9), wait = fixed(10ms)), []);
    assert_eq!(judged!([RETRY, LOUD], stop = attempts(9), wait = fixed(10ms)), all_ms([10]));
}

#[tokio::test(start_paused = true)]
async fn an_ambiguous_failure_is_repeated_only_where_that_is_harmless() {
    const AMBIGUOUS: Verdict = Verdict::Ambiguous;
    assert_eq!(judged!([AMBIGUOUS], stop = attempts(3), wait = fixed(10ms)), []);
    let gaps = judged!([RETRY, AMBIGUOUS], stop = attempts(5), wait = fixed(10ms));
    assert_eq!(gaps, all_ms([10]));
    let gaps = judged!([AMBIGUOUS], stop = attempts(3), wait = fixed(10ms), idempotent);
    assert_eq!(gaps, all_ms([10, 10]));
    let gaps = judged!(
        [AMBIGUOUS.retry_after(ms(50)), AMBIGUOUS.now()],
        stop = attempts(4),
        wait = fixed(10ms),
        idempotent
    );
    assert_eq!(gaps, all_ms([50, 0, 0]));
}

#[tokio::test(start_paused = true)]
async fn a_request_may_be_repeated_by_its_method() {
    struct Client {
        retry_all: Option<bool>,
    }
    impl Client {
        #[retry(
            stop = attempts(3),
            wait = fixed(10ms),
            on = |_| Verdict::Ambiguous,
            idempotent = self.retry_all.unwrap_or(method == "GET"),
        )]
        async fn send(&self, log: &mut Log, method: &str) -> Result<(), u32> {
            Err(log.attempt())
        }
    }
    for (retry_all, method, attempts) in
        [(None, "GET", 3), (None, "POST", 1), (Some(true), "POST", 3), (Some(false), "GET", 1)]
    {
        let client = Client { retry_all };
        assert_eq!(client.send(&mut Log::new(), method).await, Err(attempts), "{method}");
    }
}

#[test]
fn idempotent_is_asked_after_each_ambiguous_failure_and_no_other() {
    #[retry(
        stop = attempts(9),
        wait = none(),
        on = |verdict| *verdict,
        idempotent = { *asked += 1; *asked < 3 },
    )]
    fn call(calls: &mut usize, asked: &mut u32) -> Result<(), Verdict> {
        use Verdict as V;
        let verdict = [V::Retry, V::Ambiguous, V::Retry, V::Ambiguous, V::Ambiguous][*calls];
        *calls += 1;
        Err(verdict)
    }
    let (mut calls, mut asked) = (0, 0);
    assert_eq!(call(&mut calls, &mut asked), Err(Verdict::Ambiguous));
    assert_eq!((calls, asked), (5, 3));
}

#[tokio::test(start_paused = true)]
async fn what_a_function_returns_is_its_last_outcome_itself() {
    #[derive(Debug)]
    struct Unique(Box<u32>);

    // Given up: the last error, not the first, and not a wrapper.
    #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
    async fn fails(log: &mut Log) -> Result<(), Unique> {
        Err(Unique(Box::new(log.attempt())))
    }
    assert_eq!(*fails(&mut Log::new()).await.unwrap_err().0, 3);

    // Given up on values: the last value.
    #[retry(stop = attempts(3), wait = fixed(1ms), on = ok(|_| true))]
    async fn unready(log: &mut Log) -> Result<Unique, ()> {
        Ok(Unique(Box::new(log.attempt())))
    }
    assert_eq!(*unready(&mut Log::new()).await.unwrap().0, 3);

    // Recovered: the success.
    #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
    async fn recovers(log: &mut Log) -> Result<Unique, u32> {
        match log.attempt() {
            1 => Err(1),
            n => Ok(Unique(Box::new(n))),
        }
    }
    assert_eq!(*recovers(&mut Log::new()).await.unwrap().0, 2);

    // A permanent failure after retries: that failure.
    #[retry(stop = attempts(9), wait = fixed(1ms), on = |n| *n < 2)]
    async fn becomes_permanent(log: &mut Log) -> Result<(), u32> {
        Err(log.attempt())
    }
    assert_eq!(becomes_permanent(&mut Log::new()).await, Err(2));

    #[retry(stop = attempts(4), wait = fixed(1ms), on = any_error())]
    async fn absent(log: &mut Log) -> Option<u32> {
        (log.attempt() > 2).then_some(7)
    }
    let mut log = Log::new();
    assert_eq!((absent(&mut log).await, log.attempts()), (Some(7), 3));

    #[retry(stop = attempts(4), wait = fixed(1ms), on = output(|status| *status >= 500))]
    async fn plain(log: &mut Log) -> u32 {
        499 + 10 - 3 * log.attempt()
    }
    let mut log = Log::new();
    assert_eq!((plain(&mut log).await, log.attempts()), (497, 4));
}
