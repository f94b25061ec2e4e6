use super::*;

const MILLION: u32 = 1_000_000;

/// Runs on a stack that a million frames, or a million nested futures, would overflow.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(f).unwrap().join().unwrap();
}

#[test]
fn a_sync_call_may_fail_a_million_times_in_a_row() {
    #[retry(stop = attempts(MILLION), wait = none(), on = any_error())]
    fn call(calls: &mut u32) -> Result<(), u32> {
        *calls += 1;
        Err(*calls)
    }
    on_a_small_stack(|| assert_eq!(call(&mut 0), Err(MILLION)));
}

/// Counts the turns that other tasks get while `call` runs.
async fn turns_beside(call: impl Future<Output = ()>) -> u32 {
    let turns = std::rc::Rc::new(Cell::new(0));
    let local = tokio::task::LocalSet::new();
    let counted = turns.clone();
    local.spawn_local(async move {
        loop {
            counted.set(counted.get() + 1);
            tokio::task::yield_now().await;
        }
    });
    local.run_until(call).await;
    turns.get()
}

#[test]
fn an_async_call_may_fail_a_million_times_in_a_row_and_lets_others_run() {
    #[retry(stop = attempts(MILLION), wait = none(), on = any_error())]
    async fn call(calls: &mut u32) -> Result<(), u32> {
        *calls += 1;
        Err(*calls)
    }
    on_a_small_stack(|| {
        on_one_thread(async {
            let turns = turns_beside(async { assert_eq!(call(&mut 0).await, Err(MILLION)) }).await;
            // The body never waits: every turn is one that a retry has given away.
            assert!(turns >= MILLION / 64, "{turns} turns");
        });
    });
}

#[test]
fn a_sleep_that_ends_at_once_lets_others_run_all_the_same() {
    #[retry(
        stop = attempts(100_000),
        wait = fixed(1s),
        on = any_error(),
        sleep = |_| std::future::ready(()),
    )]
    async fn call(calls: &mut u32) -> Result<(), u32> {
        *calls += 1;
        Err(*calls)
    }
    on_a_small_stack(|| {
        on_one_thread(async {
            let turns = turns_beside(async { assert_eq!(call(&mut 0).await, Err(100_000)) }).await;
            assert!(turns >= 1000, "{turns} turns");
        });
    });
}

#[test]
fn a_call_polled_by_hand_yields_before_every_retry() {
    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    async fn zero(calls: &Cell<u32>) -> Result<(), ()> {
        calls.set(calls.get() + 1);
        Err(())
    }
    #[retry(
        stop = attempts(4),
        wait = fixed(1s),
        on = any_error(),
        sleep = |_| std::future::ready(()),
    )]
    async fn instant(calls: &Cell<u32>) -> Result<(), ()> {
        calls.set(calls.get() + 1);
        Err(())
    }
    fn check(call: impl Future<Output = Result<(), ()>>, calls: &Cell<u32>) {
        let mut call = pin!(call);
        for n in 1..=3 {
            assert_eq!(poll(call.as_mut()), Poll::Pending);
            assert_eq!(calls.get(), n);
        }
        assert_eq!(poll(call.as_mut()), Poll::Ready(Err(())));
        assert_eq!(calls.get(), 4);
    }
    let calls = Cell::new(0);
    check(zero(&calls), &calls);
    let calls = Cell::new(0);
    check(instant(&calls), &calls);
}

#[test]
fn a_yielding_call_asks_to_be_polled_again() {
    struct Flag(std::sync::atomic::AtomicU32);
    impl std::task::Wake for Flag {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn call() -> Result<(), ()> {
        Err(())
    }
    let flag = std::sync::Arc::new(Flag(0.into()));
    let waker = Waker::from(flag.clone());
    let mut call = pin!(call());
    assert!(call.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    assert_eq!(flag.0.load(std::sync::atomic::Ordering::Relaxed), 1);
}
