//! Functions that are not `async` themselves but return a future.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;

use ::futures::FutureExt;
use ::futures::future::{BoxFuture, LocalBoxFuture};
use retry::retry;

use crate::flaky::{Busy, Flaky};

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn opaque(flaky: &Flaky) -> impl Future<Output = Result<u32, Busy>> + use<'_> {
    async move { flaky.ask_slowly().await }
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn opaque_owned(flaky: Flaky, text: String) -> impl Future<Output = Result<usize, Busy>> + Send {
    async move {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn boxed(flaky: &Flaky) -> Pin<Box<dyn Future<Output = Result<u32, Busy>> + Send + '_>> {
    Box::pin(async move { flaky.ask_slowly().await })
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn boxed_at_length(
    flaky: &Flaky,
) -> ::core::pin::Pin<
    ::std::boxed::Box<
        dyn ::core::future::Future<Output = Result<u32, Busy>> + ::core::marker::Send + '_,
    >,
> {
    ::std::boxed::Box::pin(async move { flaky.ask_slowly().await })
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn box_future(flaky: &Flaky) -> BoxFuture<'_, Result<u32, Busy>> {
    Box::pin(async move { flaky.ask_slowly().await })
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn by_method(flaky: &Flaky) -> BoxFuture<'_, Result<u32, Busy>> {
    async move { flaky.ask_slowly().await }.boxed()
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn local<'a>(flaky: &'a Flaky, cell: &'a Cell<u32>) -> LocalBoxFuture<'a, Result<u32, Busy>> {
    async move {
        cell.set(cell.get() + 1);
        flaky.ask_slowly().await?;
        Ok(cell.get())
    }
    .boxed_local()
}

#[tokio::test]
async fn a_future_is_retried_whatever_it_is_wrapped_in() {
    assert_eq!(opaque(&Flaky::third()).await, Ok(3));
    assert_eq!(opaque_owned(Flaky::third(), "four".to_owned()).await, Ok(4));
    assert_eq!(boxed(&Flaky::third()).await, Ok(3));
    assert_eq!(boxed_at_length(&Flaky::third()).await, Ok(3));
    assert_eq!(box_future(&Flaky::third()).await, Ok(3));
    assert_eq!(by_method(&Flaky::third()).await, Ok(3));
    assert_eq!(local(&Flaky::third(), &Cell::new(0)).await, Ok(3));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn statements_before<'a>(
    flaky: &'a Flaky,
    calls: &'a Cell<u32>,
) -> impl Future<Output = Result<(u32, usize), Busy>> + 'a {
    // Before the async block: once a call, and at once.
    calls.set(calls.get() + 1);
    let text = "x".repeat(4);
    async move { Ok((flaky.ask_slowly().await?, text.len())) }
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn boxed_after_statements(flaky: &Flaky, text: &str) -> BoxFuture<'static, Result<u32, Busy>> {
    let own = Flaky::third();
    let length = text.len() as u32;
    assert!(flaky.ask().is_err());
    Box::pin(async move { Ok(own.ask_slowly().await? + length) })
}

#[tokio::test]
async fn what_stands_before_the_async_block_is_done_once() {
    let calls = Cell::new(0);
    let flaky = Flaky::third();
    let future = statements_before(&flaky, &calls);
    assert_eq!((calls.get(), flaky.asked()), (1, 0));
    assert_eq!(future.await, Ok((3, 4)));
    assert_eq!(calls.get(), 1);

    let flaky = Flaky::never();
    assert_eq!(boxed_after_statements(&flaky, "four").await, Ok(7));
    assert_eq!(flaky.asked(), 1);
}

struct Client {
    flaky: Flaky,
    limit: u32,
    seen: u32,
}

impl Client {
    fn new() -> Self {
        Self { flaky: Flaky::third(), limit: 5, seen: 0 }
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn by_ref(&self) -> impl Future<Output = Result<u32, Busy>> + Send {
        async { self.flaky.ask_slowly().await }
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn by_mut(&mut self) -> BoxFuture<'_, Result<u32, Busy>> {
        Box::pin(async move {
            self.seen += 1;
            self.flaky.ask_slowly().await?;
            Ok(self.seen)
        })
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error(), clone(text))]
    fn by_value(self, text: String) -> impl Future<Output = Result<(u32, String), Busy>> + Send {
        async move { Ok((self.flaky.ask_slowly().await?, text)) }
    }
}

#[tokio::test]
async fn methods_that_return_futures_are_retried() {
    assert_eq!(Client::new().by_ref().await, Ok(3));
    assert_eq!(Client::new().by_mut().await, Ok(3));
    let text = "text".to_owned();
    assert_eq!(Client::new().by_value(text.clone()).await, Ok((3, text)));
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(parts))]
fn consumed(
    flaky: Flaky,
    mut parts: Vec<u32>,
) -> Pin<Box<dyn Future<Output = Result<Vec<u32>, Busy>> + Send>> {
    Box::pin(async move {
        parts.push(9);
        flaky.ask_slowly().await?;
        Ok(parts)
    })
}

#[tokio::test]
async fn a_cloned_argument_is_fresh_in_a_boxed_future_too() {
    assert_eq!(consumed(Flaky::third(), vec![1]).await, Ok(vec![1, 9]));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn mut_argument(mut n: u32) -> impl Future<Output = Result<u32, u32>> {
    async move {
        n += 1;
        tokio::task::yield_now().await;
        if n < 3 { Err(n) } else { Ok(n) }
    }
}

#[tokio::test]
async fn a_mut_argument_moved_into_the_block_persists() {
    assert_eq!(mut_argument(0).await, Ok(3));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn of_option(flaky: &Flaky) -> impl Future<Output = Option<u32>> + '_ {
    async { flaky.ask_slowly().await.ok() }
}

#[tokio::test]
async fn a_future_of_an_option_is_retried() {
    assert_eq!(of_option(&Flaky::third()).await, Some(3));
}
