//! Neither the prelude nor anything else is in scope.

#![no_implicit_prelude]

use ::again::retry;
use ::core::result::Result::{self, Err, Ok};
use ::core::{assert_eq, clone::Clone, iter::Iterator, option::Option};

use super::{Busy, Flaky};

#[retry(
    stop = attempts(5) | within(1h) | (|_| false) | Option::Some(9).map(attempts),
    wait = exponential(1us).cap(2us).full_jitter() + (|_| 1us).max(none()).times(1).then(none()),
    on = (is::<Busy>() | |_| false).at_most(9) & !error(|_| false) & matches(Err(_) | Ok(0)),
    enabled = true,
    idempotent,
    max_hint = clamp(1s),
)]
fn sync(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(text))]
async fn asynchronous<'a>(text: &'a str, flaky: &Flaky) -> Result<&'a str, Busy> {
    flaky.ask()?;
    Ok(text)
}

#[retry(stop = attempts(5), wait = none(), on = transient())]
fn transient_io(flaky: &Flaky) -> ::std::io::Result<u32> {
    flaky.ask().map_err(|_| ::std::io::ErrorKind::ConnectionRefused.into_error())
}

trait IntoError {
    fn into_error(self) -> ::std::io::Error;
}

impl IntoError for ::std::io::ErrorKind {
    fn into_error(self) -> ::std::io::Error {
        ::core::convert::Into::into(self)
    }
}

#[retry(stop = attempts(5), wait = none(), on = source_is::<::std::io::Error>() | any_error())]
fn boxed_error(flaky: &Flaky) -> Result<u32, ::std::boxed::Box<dyn ::core::error::Error>> {
    flaky.ask().map_err(|_| ::core::convert::Into::into("busy"))
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn future(
    flaky: &Flaky,
) -> ::core::pin::Pin<::std::boxed::Box<dyn ::core::future::Future<Output = Result<u32, Busy>> + '_>>
{
    ::std::boxed::Box::pin(async move { flaky.ask() })
}

#[retry(stop = attempts(5), wait = none(), on = output(|n| *n == 0))]
async fn value(flaky: &Flaky) -> u32 {
    flaky.ask().unwrap_or(0)
}

pub(super) async fn all() {
    assert_eq!(sync(&Flaky::third()), Ok(3));
    assert_eq!(asynchronous("text", &Flaky::third()).await, Ok("text"));
    assert_eq!(transient_io(&Flaky::third()).unwrap(), 3);
    assert_eq!(boxed_error(&Flaky::third()).unwrap(), 3);
    assert_eq!(future(&Flaky::third()).await, Ok(3));
    assert_eq!(value(&Flaky::third()).await, 3);
    let flaky = Flaky::third();
    let n: u32 = ::again::block!(forever, wait = none(), on = any_error(), || flaky.ask());
    assert_eq!(n, 3);
    let flaky = Flaky::third();
    let outcome =
        ::again::block!(stop = attempts(5), wait = none(), on = any_error(), async { flaky.ask() });
    assert_eq!(outcome, Ok(3));
    let policy = ::again::policy! {
        stop = attempts(5) | (|_| false),
        wait = fixed(1us).cap(1us) + none(),
        on = matches(Err(Busy)) & !is::<::std::fmt::Error>() | |_: &Busy| false,
        max_hint = clamp(1s),
        idempotent,
    };
    let flaky = Flaky::third();
    assert_eq!(policy.call(|| flaky.ask()), Ok(3));
    let all = [1_u32, 2].iter().copied().map(|n| Clone::clone(&n)).sum::<u32>();
    assert_eq!(all, 3);
}
