//! `sleep`: how to wait, if not as usual.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use retry::retry;

use crate::flaky::{Busy, Flaky};

thread_local! {
    static SLEPT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

fn note(pause: Duration) {
    SLEPT.set(SLEPT.get() + pause);
}

async fn note_async(pause: Duration) {
    tokio::task::yield_now().await;
    note(pause);
}

fn note_boxed(pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(note_async(pause))
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = note)]
fn by_path(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = self::note_async)]
async fn by_path_async(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = note_boxed)]
async fn by_boxed(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = |pause| note(pause / 2))]
fn by_closure(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = |pause| note_async(pause / 2))]
async fn by_closure_async(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = async |pause| note_async(pause / 2).await)]
async fn by_async_closure(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = |pause| async move { note(pause / 2) })]
async fn by_block(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[tokio::test]
async fn a_function_that_sleeps_is_asked_for_every_pause() {
    let slept = || SLEPT.take();
    let (whole, half) = (Duration::from_secs(7200), Duration::from_secs(3600));
    assert_eq!((by_path(&Flaky::third()), slept()), (Ok(3), whole));
    assert_eq!((by_path_async(&Flaky::third()).await, slept()), (Ok(3), whole));
    assert_eq!((by_boxed(&Flaky::third()).await, slept()), (Ok(3), whole));
    assert_eq!((by_closure(&Flaky::third()), slept()), (Ok(3), half));
    assert_eq!((by_closure_async(&Flaky::third()).await, slept()), (Ok(3), half));
    assert_eq!((by_async_closure(&Flaky::third()).await, slept()), (Ok(3), half));
    assert_eq!((by_block(&Flaky::third()).await, slept()), (Ok(3), half));
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = sleep)]
fn by_argument(flaky: &Flaky, sleep: impl Fn(Duration)) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = |pause| log.borrow_mut().push((pause, *tag)))]
fn by_captures(flaky: &Flaky, log: &RefCell<Vec<(Duration, u8)>>, tag: &u8) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = |pause| log.push(pause))]
fn by_mut_captures(flaky: &Flaky, log: &mut Vec<Duration>) -> Result<usize, Busy> {
    flaky.ask()?;
    Ok(log.len())
}

struct Timer(RefCell<Vec<Duration>>);

impl Timer {
    async fn sleep(&self, pause: Duration) {
        tokio::task::yield_now().await;
        self.0.borrow_mut().push(pause);
    }
}

struct Client {
    timer: Timer,
    flaky: Flaky,
    by: fn(Duration),
}

impl Client {
    #[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = |pause| self.timer.sleep(pause))]
    async fn by_method(&self) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), sleep = self.by)]
    fn by_field(&self) -> Result<u32, Busy> {
        self.flaky.ask()
    }
}

#[tokio::test]
async fn a_sleep_may_capture_arguments_and_self() {
    let hour = Duration::from_secs(3600);
    let slept = Cell::new(Duration::ZERO);
    assert_eq!(by_argument(&Flaky::third(), |pause| slept.set(slept.get() + pause)), Ok(3));
    assert_eq!(slept.get(), 2 * hour);
    let log = RefCell::default();
    assert_eq!(by_captures(&Flaky::third(), &log, &7), Ok(3));
    assert_eq!(log.into_inner(), [(hour, 7); 2]);
    assert_eq!(by_mut_captures(&Flaky::third(), &mut vec![]), Ok(2));
    let client = || Client { timer: Timer(RefCell::default()), flaky: Flaky::third(), by: note };
    let timed = client();
    assert_eq!(timed.by_method().await, Ok(3));
    assert_eq!(timed.timer.0.into_inner(), [hour; 2]);
    assert_eq!((client().by_field(), SLEPT.take()), (Ok(3), 2 * hour));
}

/// Wakes after a second or when told, whichever comes first.
#[retry(
    stop = attempts(5),
    wait = fixed(1h),
    on = any_error(),
    sleep = |pause| async move {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = wake.notified() => {}
        }
    }
)]
async fn woken(flaky: &Flaky, wake: &tokio::sync::Notify) -> Result<u32, Busy> {
    let result = flaky.ask();
    wake.notify_one();
    result
}

#[tokio::test]
async fn a_sleep_may_return_early() {
    let start = Instant::now();
    assert_eq!(woken(&Flaky::third(), &tokio::sync::Notify::new()).await, Ok(3));
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[retry(stop = attempts(3), wait = exponential(1s), on = any_error())]
async fn by_the_runtime(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[tokio::test(start_paused = true)]
async fn without_a_sleep_of_its_own_an_async_function_sleeps_on_the_runtime() {
    let start = tokio::time::Instant::now();
    assert_eq!(by_the_runtime(&Flaky::third()).await, Ok(3));
    assert_eq!(start.elapsed(), Duration::from_secs(3));
}

#[retry(stop = attempts(3), wait = fixed(5ms), on = any_error())]
fn by_the_thread(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[test]
fn without_a_sleep_of_its_own_a_sync_function_blocks_the_thread() {
    let start = Instant::now();
    assert_eq!(by_the_thread(&Flaky::third()), Ok(3));
    assert!(start.elapsed() >= Duration::from_millis(10));
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn unpaused(flaky: &Flaky, polls: &Cell<u32>) -> Result<u32, Busy> {
    // Ready at once: only the pause between attempts lets others run.
    let _ = polls;
    flaky.ask()
}

#[tokio::test]
async fn a_pause_of_zero_still_yields_to_other_tasks() {
    let polls = Cell::new(0);
    let flaky = Flaky::third();
    let mut future = std::pin::pin!(unpaused(&flaky, &polls));
    let result = std::future::poll_fn(|cx| {
        polls.set(polls.get() + 1);
        future.as_mut().poll(cx)
    })
    .await;
    assert_eq!((result, polls.get()), (Ok(3), 3));
}
