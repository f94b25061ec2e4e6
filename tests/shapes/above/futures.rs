//! `#[instrument]` on functions that return futures.

use super::*;

#[instrument(err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn boxed(flaky: Flaky, text: String) -> BoxFuture<'static, Result<usize, Busy>> {
    Box::pin(async move {
        flaky.ask_slowly().await?;
        Ok(text.len())
    })
}

#[instrument(ret)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn dynamic(
    flaky: &Flaky,
    text: String,
) -> Pin<Box<dyn Future<Output = Result<usize, Busy>> + Send + '_>> {
    Box::pin(async move {
        flaky.ask_slowly().await?;
        Ok(text.len())
    })
}

#[instrument(err, ret, fields(length = text.len()))]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn opaque(flaky: Flaky, text: String) -> impl Future<Output = Result<usize, Busy>> + Send {
    async move {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(parts))]
fn cloned(flaky: Flaky, mut parts: Vec<u8>) -> BoxFuture<'static, Result<Vec<u8>, Busy>> {
    Box::pin(async move {
        parts.push(1);
        flaky.ask_slowly().await?;
        Ok(parts)
    })
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn cell(flaky: FlakyCell, cell: Cell<u32>) -> BoxFuture<'static, Result<u32, Busy>> {
    Box::pin(async move {
        tokio::task::yield_now().await;
        cell.set(cell.get() + 1);
        flaky.ask()?;
        Ok(cell.get())
    })
}

#[instrument(skip_all)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn instrumented_by_hand(flaky: Flaky) -> impl Future<Output = Result<u32, Busy>> {
    async move { flaky.ask_slowly().await }.instrument(tracing::info_span!("by hand"))
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn instrumented_in_a_box(flaky: Flaky, text: String) -> BoxFuture<'static, Result<usize, Busy>> {
    Box::pin(
        async move {
            flaky.ask_slowly().await?;
            Ok(text.len())
        }
        .in_current_span(),
    )
}

impl Client {
    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn boxed_by_mut(&mut self) -> BoxFuture<'_, Result<u32, Busy>> {
        Box::pin(async move {
            self.seen += 1;
            self.flaky.ask_slowly().await?;
            Ok(self.seen)
        })
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn opaque_by_value(self) -> impl Future<Output = Result<u32, Busy>> + Send {
        async move { self.flaky.ask_slowly().await }
    }
}

#[tokio::test]
async fn a_span_above_leaves_each_attempt_its_arguments() {
    let text = || "four".to_owned();
    assert_eq!(boxed(Flaky::third(), text()).await, Ok(4));
    assert_eq!(dynamic(&Flaky::third(), text()).await, Ok(4));
    assert_eq!(opaque(Flaky::third(), text()).await, Ok(4));
    assert_eq!(cloned(Flaky::third(), vec![0]).await, Ok(vec![0, 1]));
    assert_eq!(cell(FlakyCell::third(), Cell::new(0)).await, Ok(3));
    assert_eq!(Client::new().boxed_by_mut().await, Ok(3));
    assert_eq!(Client::new().opaque_by_value().await, Ok(3));
}

#[tokio::test]
async fn a_span_around_the_block_is_seen_through() {
    assert_eq!(instrumented_by_hand(Flaky::third()).await, Ok(3));
    assert_eq!(instrumented_in_a_box(Flaky::third(), "four".to_owned()).await, Ok(4));
}
