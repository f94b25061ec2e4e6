//! The keys that are not strategies: `enabled`, `name`, `crate`, `forever`, `max_hint`,
//! `idempotent`.

use std::time::Duration;

use retry::{Verdict, retry};

use crate::flaky::{Busy, Flaky};
use crate::support::events::Listener;

#[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), enabled = false)]
fn disabled(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), enabled = on)]
async fn switched(flaky: &Flaky, on: bool) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[retry(
    stop = attempts(5),
    wait = none(),
    on = |_| -> bool { unreachable!("nothing is judged") },
    enabled = flaky.asked() > 0
)]
async fn never_judged(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[tokio::test]
async fn a_function_that_is_switched_off_runs_its_body_once() {
    let flaky = Flaky::third();
    assert_eq!(disabled(&flaky), Err(Busy));
    assert_eq!(flaky.asked(), 1);
    assert_eq!(switched(&flaky, false).await, Err(Busy));
    assert_eq!(flaky.asked(), 2);
    assert_eq!(switched(&Flaky::third(), true).await, Ok(3));
    assert_eq!(never_judged(&Flaky::third()).await, Err(Busy));
}

struct Switch {
    on: bool,
    flaky: Flaky,
}

impl Switch {
    #[retry(stop = attempts(5), wait = none(), on = any_error(), enabled = self.on)]
    async fn call(&mut self) -> Result<u32, Busy> {
        // Asked at the start only.
        self.on = !self.on;
        self.flaky.ask_slowly().await
    }
}

#[tokio::test]
async fn whether_to_retry_is_asked_once() {
    assert_eq!(Switch { on: true, flaky: Flaky::third() }.call().await, Ok(3));
    assert_eq!(Switch { on: false, flaky: Flaky::third() }.call().await, Err(Busy));
}

#[retry(stop = attempts(2), wait = none(), on = any_error(), name = "the name")]
fn named(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
async fn unnamed(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

impl Switch {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn method(&self) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn boxed(&self) -> ::futures::future::BoxFuture<'_, Result<u32, Busy>> {
        Box::pin(async move { self.flaky.ask_slowly().await })
    }
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn generic<T: Default>(flaky: &Flaky) -> Result<T, Busy> {
    flaky.ask().map(|_| T::default())
}

#[tokio::test]
async fn events_carry_the_name_that_was_given_or_the_path_of_the_function() {
    let listener = Listener::new();
    let names = || {
        let mut names: Vec<_> =
            listener.take().iter().map(|event| event.name().to_owned()).collect();
        names.dedup();
        names
    };
    let never = Flaky::never();
    named(&never).unwrap_err();
    assert_eq!(names(), ["the name"]);
    unnamed(&never).await.unwrap_err();
    assert_eq!(names(), ["shapes::keys::unnamed"]);
    let switch = Switch { on: true, flaky: Flaky::never() };
    switch.method().unwrap_err();
    assert_eq!(names(), ["shapes::keys::Switch::method"]);
    switch.boxed().await.unwrap_err();
    assert_eq!(names(), ["shapes::keys::Switch::boxed"]);
    generic::<u8>(&never).unwrap_err();
    assert_eq!(names().len(), 1);
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), crate = ::retry)]
fn given_crate(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), crate = crate::keys::again::retry)]
async fn reexported(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

mod again {
    pub(super) use ::retry;
}

#[tokio::test]
async fn the_crate_may_be_reached_another_way() {
    assert_eq!(given_crate(&Flaky::third()), Ok(3));
    assert_eq!(reexported(&Flaky::third()).await, Ok(3));
}

#[retry(forever, wait = none(), on = any_error())]
fn endless(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(forever, stop = |state| state.attempt() == 50, wait = none(), on = any_error())]
async fn endless_but(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[tokio::test]
async fn forever_needs_no_bound() {
    assert_eq!(endless(&Flaky::until(100)), Ok(100));
    let flaky = Flaky::until(100);
    assert_eq!(endless_but(&flaky).await, Err(Busy));
    assert_eq!(flaky.asked(), 50);
}

fn asks_for_an_hour(_: &Busy) -> Verdict {
    Verdict::Retry.retry_after(Duration::from_secs(3600))
}

/// Calls a function under each `max_hint`, with sleeps noted.
macro_rules! hinted {
    ($($max_hint:tt)*) => {{
        let mut slept = Duration::ZERO;
        let flaky = Flaky::third();
        let result: Result<u32, Busy> = retry::block!(
            stop = attempts(5),
            wait = fixed(1ms),
            on = asks_for_an_hour,
            $($max_hint)*
            sleep = |pause: Duration| slept += pause,
            || flaky.ask()
        );
        (result.is_ok(), slept.as_secs())
    }};
}

#[test]
fn a_wait_that_is_asked_for_is_granted_up_to_a_limit() {
    assert_eq!(hinted!(), (false, 0));
    assert_eq!(hinted!(max_hint = 30m,), (false, 0));
    assert_eq!(hinted!(max_hint = 2h,), (true, 7200));
    assert_eq!(hinted!(max_hint = clamp(1m),), (true, 120));
    let most = Duration::from_secs(60);
    assert_eq!(hinted!(max_hint = clamp(most * 2),), (true, 240));
    assert_eq!(hinted!(max_hint = most,), (false, 0));
}

struct Request {
    method: &'static str,
}

impl Request {
    #[retry(
        stop = attempts(5),
        wait = none(),
        on = |_| Verdict::Ambiguous,
        idempotent = self.method == "GET" && flaky.asked() > 0,
    )]
    async fn send(&self, flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask_slowly().await
    }
}

#[tokio::test]
async fn whether_repeating_is_harmless_may_depend_on_the_call() {
    assert_eq!(Request { method: "GET" }.send(&Flaky::third()).await, Ok(3));
    assert_eq!(Request { method: "POST" }.send(&Flaky::third()).await, Err(Busy));
}

#[retry(wait = none(), crate = ::retry, enabled = true, on = any_error(), name = "all", forever,
    max_hint = 1s, sleep = |_| (), clone(text), idempotent, stop = Some(5).map(attempts),)]
fn all_keys(text: String, flaky: &Flaky) -> Result<u32, Busy> {
    drop(text);
    flaky.ask()
}

#[test]
fn keys_may_come_in_any_order_with_a_comma_at_the_end() {
    assert_eq!(all_keys(String::new(), &Flaky::third()), Ok(3));
}
