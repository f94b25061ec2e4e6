//! What the keys hold.

use super::*;

#[retry(stop = attempts(5) | within(1h), wait = exponential(1ms).full_jitter() + (|_| 1ms), on = any_error())]
async fn strategies(flaky: Flaky) -> Result<u32, Busy> {
    yield_now().await;
    flaky.ask()
}

#[retry(
    stop = attempts(5) | (|_| local.0.get() > 9),
    wait = fixed(1ms),
    on = |_| { let rc = Rc::new(1); *rc == 1 },
    sleep = |pause| tokio::time::sleep(pause),
)]
async fn local_keys(flaky: Flaky, local: FlakyCell) -> Result<u32, Busy> {
    yield_now().await;
    flaky.ask()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_the_keys_is_held_while_the_body_runs_or_the_call_waits() {
    assert_eq!(spawned(strategies(Flaky::default())).await, Ok(3));
    let keys = local_keys(Flaky::default(), FlakyCell::default());
    assert_eq!(spawned(keys).await, Ok(3));
}
