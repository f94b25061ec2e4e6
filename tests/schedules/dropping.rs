use super::*;

struct NoteDrop<'a>(&'a Cell<u32>);
impl Drop for NoteDrop<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_in_its_sleep_runs_nothing_more() {
    #[retry(stop = attempts(9), wait = fixed(100ms), on = any_error())]
    async fn call(log: &RefCell<Log>, drops: &Cell<u32>) -> Result<(), u32> {
        let _attempt = NoteDrop(drops);
        Err(log.borrow_mut().attempt())
    }
    let (log, drops) = (RefCell::new(Log::new()), Cell::new(0));
    let cut = tokio::time::timeout(ms(250), call(&log, &drops)).await;
    assert!(cut.is_err());
    tokio::time::sleep(secs(60)).await;
    assert_eq!(log.borrow().starts, all_ms([0, 100, 200]));
    assert_eq!(drops.get(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_in_an_attempt_drops_that_attempt_and_runs_nothing_more() {
    #[retry(stop = attempts(9), wait = fixed(100ms), on = any_error())]
    async fn call(log: &RefCell<Log>, drops: &Cell<u32>) -> Result<(), u32> {
        let _attempt = NoteDrop(drops);
        let attempt = log.borrow_mut().attempt();
        if attempt == 2 {
            std::future::pending::<()>().await;
        }
        Err(attempt)
    }
    let (log, drops) = (RefCell::new(Log::new()), Cell::new(0));
    let cut = tokio::time::timeout(ms(250), call(&log, &drops)).await;
    assert!(cut.is_err());
    tokio::time::sleep(secs(60)).await;
    assert_eq!(log.borrow().starts, all_ms([0, 100]));
    assert_eq!(drops.get(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_failed_outcome_is_gone_before_the_sleep_begins() {
    struct Failure<'a>(NoteDrop<'a>);
    #[retry(
        stop = attempts(3),
        wait = fixed(100ms),
        on = any_error(),
        sleep = |delay| { seen.borrow_mut().push(drops.get()); tokio::time::sleep(delay) },
    )]
    async fn call<'a>(drops: &'a Cell<u32>, seen: &RefCell<Vec<u32>>) -> Result<(), Failure<'a>> {
        Err(Failure(NoteDrop(drops)))
    }
    let (drops, seen) = (Cell::new(0), RefCell::default());
    let Err(last) = call(&drops, &seen).await else { panic!("it always fails") };
    assert_eq!(*seen.borrow(), [1, 2]);
    drop(last.0);
    assert_eq!(drops.get(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_future_that_is_never_polled_runs_nothing() {
    #[retry(stop = attempts(9), wait = fixed(100ms), on = any_error())]
    async fn call(calls: &Cell<u32>) -> Result<(), ()> {
        calls.set(calls.get() + 1);
        Err(())
    }
    let calls = Cell::new(0);
    drop(call(&calls));
    assert_eq!(calls.get(), 0);
}
