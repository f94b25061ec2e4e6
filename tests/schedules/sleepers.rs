use super::panics::panic_of;
use super::*;

#[tokio::test(start_paused = true)]
async fn a_sync_call_goes_by_the_systems_clock_even_under_a_paused_runtime() {
    // On the paused clock no time would pass, and `within` would never end it.
    #[retry(stop = within(20ms), wait = fixed(5ms), on = any_error())]
    fn call(calls: &mut u32) -> Result<(), ()> {
        *calls += 1;
        Err(())
    }
    let (mut calls, before) = (0, Instant::now());
    assert_eq!(call(&mut calls), Err(()));
    // Each sleep lasts 5 ms at least, and none ends at or after 20 ms.
    assert!(calls <= 4, "{calls} attempts");
    assert_eq!(before.elapsed(), ms(0), "the paused clock has not moved");
}

#[test]
fn a_sync_call_needs_no_runtime() {
    #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
    fn call(log: &mut Vec<u8>) -> Result<(), usize> {
        log.push(0);
        Err(log.len())
    }
    assert_eq!(call(&mut Vec::new()), Err(3));
}

#[tokio::test(start_paused = true)]
async fn a_sleep_may_end_early() {
    // A new address wakes the sleeper.
    let woken = tokio::sync::Notify::new();
    #[retry(
        stop = attempts(3),
        wait = fixed(10s),
        on = any_error(),
        sleep = async |delay| { let _ = tokio::time::timeout(delay, woken.notified()).await; },
    )]
    async fn call(log: &mut Log, woken: &tokio::sync::Notify) -> Result<(), u32> {
        Err(log.attempt())
    }
    let mut log = Log::new();
    let (result, ()) = tokio::join!(call(&mut log, &woken), async {
        tokio::time::sleep(secs(3)).await;
        woken.notify_one();
    });
    assert_eq!(result, Err(3));
    assert_eq!(log.starts, [secs(0), secs(3), secs(13)]);
}

#[tokio::test(start_paused = true)]
async fn a_sleep_that_ends_early_does_not_count_as_slept_for_the_limit_in_time() {
    #[retry(
        stop = within(5s),
        wait = fixed(2s),
        on = |n| *n < 30,
        sleep = |_| std::future::ready(()),
    )]
    async fn call(log: &mut Log) -> Result<(), u32> {
        Err(log.attempt())
    }
    // No time passes, so the limit is never reached.
    assert_eq!(call(&mut Log::new()).await, Err(30));
}

#[tokio::test(start_paused = true)]
async fn a_wait_of_zero_does_not_call_the_sleep() {
    fn never(_: Duration) -> std::future::Ready<()> {
        panic!("there is nothing to sleep for")
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error(), sleep = never)]
    async fn call(log: &mut Log) -> Result<(), u32> {
        Err(log.attempt())
    }
    assert_eq!(call(&mut Log::new()).await, Err(3));
}

#[test]
fn a_sync_call_may_sleep_by_a_method_of_a_field() {
    struct Clock(RefCell<Vec<Duration>>);
    impl Clock {
        fn sleep(&self, delay: Duration) {
            self.0.borrow_mut().push(delay);
        }
    }
    struct Device {
        clock: Clock,
    }
    impl Device {
        #[retry(
            stop = attempts(3),
            wait = exponential(1s),
            on = any_error(),
            sleep = |delay| self.clock.sleep(delay),
        )]
        fn connect(&mut self) -> Result<(), ()> {
            Err(())
        }
    }
    let mut device = Device { clock: Clock(RefCell::default()) };
    assert_eq!(device.connect(), Err(()));
    assert_eq!(device.clock.0.take(), [secs(1), secs(2)]);
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error())]
async fn waits(calls: &Cell<u32>) -> Result<(), u32> {
    calls.set(calls.get() + 1);
    Err(calls.get())
}

/// The message names both ways out.
fn assert_names_the_fix(message: &str) {
    assert!(message.contains("`enable_time()`"), "{message}");
    assert!(message.contains("`sleep = …`"), "{message}");
}

#[test]
fn outside_a_runtime_the_default_sleep_says_what_is_missing() {
    let calls = Cell::new(0);
    let message = panic_of(|| {
        let mut call = pin!(waits(&calls));
        poll(call.as_mut())
    });
    assert_names_the_fix(&message);
    assert_eq!(calls.get(), 1);
}

#[test]
fn in_a_runtime_without_a_timer_the_default_sleep_says_what_is_missing() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let calls = Cell::new(0);
    assert_names_the_fix(&panic_of(|| runtime.block_on(waits(&calls))));
    assert_eq!(calls.get(), 1);
}

#[test]
fn outside_a_runtime_a_success_and_a_wait_of_zero_need_no_timer() {
    #[retry(stop = within(1h), wait = fixed(1s), on = any_error())]
    async fn succeeds() -> Result<u32, ()> {
        Ok(1)
    }
    #[retry(stop = within(1h) | attempts(2), wait = none(), on = any_error())]
    async fn at_once() -> Result<u32, u32> {
        Err(2)
    }
    assert_eq!(poll(pin!(succeeds())), Poll::Ready(Ok(1)));
    let mut at_once = pin!(at_once());
    assert_eq!(poll(at_once.as_mut()), Poll::Pending);
    assert_eq!(poll(at_once.as_mut()), Poll::Ready(Err(2)));
}

#[test]
fn a_sleep_of_ones_own_needs_no_runtime() {
    #[retry(
        stop = attempts(3),
        wait = exponential(1s),
        on = any_error(),
        sleep = |delay| { asked.borrow_mut().push(delay); std::future::ready(()) },
    )]
    async fn call(asked: &RefCell<Vec<Duration>>) -> Result<(), u32> {
        Err(7)
    }
    let asked = RefCell::default();
    let mut call = pin!(call(&asked));
    assert!(poll(call.as_mut()).is_pending());
    assert!(poll(call.as_mut()).is_pending());
    assert_eq!(poll(call.as_mut()), Poll::Ready(Err(7)));
    assert_eq!(*asked.borrow(), [secs(1), secs(2)]);
}
