use super::*;

/// The message of the panic that `f` ends with.
pub(super) fn panic_of<T>(f: impl FnOnce() -> T) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { panic!("it did not panic") };
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload.downcast::<&str>().unwrap()).to_owned(),
    }
}

/// A function that fails, and panics in one of its parts on its second attempt; a later call
/// without the panic must find everything as it was.
macro_rules! panicking {
    ($part:literal, $($key:tt)+) => {{
        #[retry($($key)+, sleep = |delay| log.sleep(delay))]
        fn call(log: &mut Log, armed: bool) -> Result<(), u32> {
            let attempt = log.attempt();
            if armed && attempt == 2 {
                ARMED.set(true);
            }
            trip($part == "body");
            Err(attempt)
        }
        let mut log = Log::new();
        assert_eq!(panic_of(|| call(&mut log, true)), "tripped");
        assert_eq!(log.attempts(), 2, "{}", $part);
        let mut log = Log::new();
        assert_eq!(call(&mut log, false), Err(4), "{}", $part);
        assert_eq!(log.sleeps, all_ms([10, 20, 40]), "{}", $part);
    }};
}

thread_local! {
    static ARMED: Cell<bool> = const { Cell::new(false) };
}

fn trip(here: bool) {
    assert!(!(here && ARMED.replace(false)), "tripped");
}

#[test]
fn a_panic_in_any_part_propagates_and_a_later_call_works() {
    panicking!("body", stop = attempts(4), wait = exponential(10ms), on = any_error());
    panicking!(
        "on",
        stop = attempts(4),
        wait = exponential(10ms),
        on = |_| {
            trip(true);
            true
        }
    );
    panicking!(
        "stop",
        stop = attempts(4)
            | when(|_| {
                trip(true);
                false
            }),
        wait = exponential(10ms),
        on = any_error()
    );
    panicking!(
        "wait",
        stop = attempts(4),
        wait = exponential(10ms)
            + (|_| {
                trip(true);
                ms(0)
            }),
        on = any_error()
    );
    panicking!(
        "wait, in the second phase of a backoff",
        stop = attempts(4),
        wait = fixed(10ms).times(1).then(
            exponential(20ms)
                + (|_| {
                    trip(true);
                    ms(0)
                })
        ),
        on = any_error()
    );
    panicking!(
        "idempotent",
        stop = attempts(4),
        wait = exponential(10ms),
        on = |_| Verdict::Ambiguous,
        idempotent = {
            trip(true);
            true
        }
    );
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_an_async_body_propagates_and_a_later_call_works() {
    #[retry(stop = attempts(4), wait = exponential(10ms), on = any_error())]
    async fn call(log: &mut Log, panics: bool) -> Result<(), u32> {
        let attempt = log.attempt();
        tokio::task::yield_now().await;
        assert!(!panics || attempt < 2, "tripped");
        Err(attempt)
    }
    let task = tokio::spawn(async { call(&mut Log::new(), true).await });
    assert!(task.await.unwrap_err().is_panic());
    let mut log = Log::new();
    assert_eq!(call(&mut log, false).await, Err(4));
    assert_eq!(log.gaps(), all_ms([10, 20, 40]));
}

#[test]
fn a_panic_in_the_sleep_propagates() {
    #[retry(
        stop = attempts(4),
        wait = fixed(10ms),
        on = any_error(),
        sleep = |_| panic!("no time to sleep"),
    )]
    fn call(calls: &mut u32) -> Result<(), ()> {
        *calls += 1;
        Err(())
    }
    let mut calls = 0;
    assert_eq!(panic_of(|| call(&mut calls)), "no time to sleep");
    assert_eq!(calls, 1);
}
