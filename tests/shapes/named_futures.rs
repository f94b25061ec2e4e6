//! Functions that return a future whose type has a name of its own.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use ::futures::future::BoxFuture;
use retry::{RetryError, retry};
use tracing::{Instrument as _, instrument};

use crate::flaky::{Busy, Flaky};

type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, Busy>> + Send + 'a>>;
type Answer = Pin<Box<dyn Future<Output = Result<u32, Busy>> + Send>>;

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn named<'a>(flaky: &'a Flaky, text: String) -> Pending<'a, usize> {
    Box::pin(async move {
        flaky.ask_slowly().await?;
        Ok(text.len())
    })
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn elided(flaky: &Flaky) -> Pending<'_, u32> {
    Box::pin(async move { flaky.ask_slowly().await })
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(items))]
fn generic<'a, T: Clone + Send + 'a>(flaky: &'a Flaky, mut items: Vec<T>) -> Pending<'a, Vec<T>> {
    Box::pin(async move {
        items.extend(items.clone());
        flaky.ask_slowly().await?;
        Ok(items)
    })
}

#[retry(stop = attempts(5), wait = none(), on = matches(Err(Busy)))]
fn after_statements(flaky: Flaky) -> Answer {
    let span = tracing::info_span!("answer");
    Box::pin(async move { flaky.ask_slowly().await }.instrument(span))
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn cast(flaky: Flaky) -> Answer {
    Box::pin(async move { flaky.ask_slowly().await }) as Answer
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn boxed_first(flaky: Flaky) -> Answer {
    Box::into_pin(Box::new(async move { flaky.ask_slowly().await }))
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn under_a_span(flaky: Flaky, text: String) -> Pending<'static, usize> {
    Box::pin(async move {
        flaky.ask_slowly().await?;
        Ok(text.len())
    })
}

#[tokio::test]
async fn a_future_behind_an_alias_is_retried() {
    assert_eq!(named(&Flaky::third(), "four".to_owned()).await, Ok(4));
    assert_eq!(elided(&Flaky::third()).await, Ok(3));
    assert_eq!(generic(&Flaky::third(), vec![1]).await, Ok(vec![1, 1]));
    assert_eq!(after_statements(Flaky::third()).await, Ok(3));
    assert_eq!(cast(Flaky::third()).await, Ok(3));
    assert_eq!(boxed_first(Flaky::third()).await, Ok(3));
    assert_eq!(under_a_span(Flaky::third(), "four".to_owned()).await, Ok(4));
}

/// As tower has it.
trait Service<Request> {
    type Response;
    type Error;
    type Future: Future<Output = Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>>;
    fn call(&mut self, request: Request) -> Self::Future;
}

struct Lengths(Arc<Flaky>);

impl Service<String> for Lengths {
    type Response = usize;
    type Error = Busy;
    type Future = BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Busy>> {
        Poll::Ready(Ok(()))
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn call(&mut self, request: String) -> Self::Future {
        let flaky = Arc::clone(&self.0);
        Box::pin(async move {
            flaky.ask_slowly().await?;
            Ok(request.len())
        })
    }
}

struct Doubled<S>(S);

impl<S> Service<u32> for Doubled<S>
where
    S: Service<u32, Response = u32> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
{
    type Response = u32;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<u32, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    #[instrument(skip_all)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn call(&mut self, request: u32) -> <Self as Service<u32>>::Future {
        let mut inner = self.0.clone();
        Box::pin(async move { inner.call(request).await.map(|it| it * 2) })
    }
}

#[derive(Clone)]
struct Plus(Arc<Flaky>);

impl Service<u32> for Plus {
    type Response = u32;
    type Error = Busy;
    type Future = std::future::Ready<Result<u32, Busy>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Busy>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: u32) -> Self::Future {
        std::future::ready(self.0.ask().map(|it| it + request))
    }
}

#[tokio::test]
async fn the_future_of_a_service_is_retried() {
    let flaky = Arc::new(Flaky::third());
    let mut lengths = Lengths(Arc::clone(&flaky));
    std::future::poll_fn(|cx| lengths.poll_ready(cx)).await.unwrap();
    assert_eq!(lengths.call("four".to_owned()).await, Ok(4));
    assert_eq!(flaky.asked(), 3);

    let mut doubled = Doubled(Plus(Flaky::third().into()));
    std::future::poll_fn(|cx| doubled.poll_ready(cx)).await.unwrap();
    assert_eq!(doubled.call(1).await, Ok(8));
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn with_retry_error(flaky: Flaky) -> BoxFuture<'static, Result<u32, RetryError<Busy>>> {
    Box::pin(async move { flaky.ask_slowly().await }.in_current_span())
}

#[tokio::test]
async fn a_future_in_a_span_may_give_a_retry_error() {
    let error = with_retry_error(Flaky::third()).await.unwrap_err();
    assert_eq!((error.attempts, error.into_source()), (2, Some(Busy)));
}
