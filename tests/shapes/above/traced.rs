//! `#[trace]` of fastrace, which wraps the block of a boxed future as well.

use super::*;
use fastrace::trace;

#[trace]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn plain(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask()?;
    Ok(text.len())
}

#[trace]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn asynchronous(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask_slowly().await?;
    Ok(text.len())
}

#[trace(enter_on_poll = true)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn on_poll(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask_slowly().await?;
    Ok(text.len())
}

#[trace(properties = { "text": "{text}" })]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn with_properties(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask_slowly().await?;
    Ok(text.len())
}

#[trace]
#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn cell(flaky: FlakyCell, cell: Cell<u32>) -> Result<u32, Busy> {
    tokio::task::yield_now().await;
    cell.set(cell.get() + 1);
    flaky.ask()?;
    Ok(cell.get())
}

#[trace]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn boxed(flaky: Flaky, text: String) -> BoxFuture<'static, Result<usize, Busy>> {
    Box::pin(async move {
        flaky.ask_slowly().await?;
        Ok(text.len())
    })
}

#[trace]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn opaque(flaky: Flaky, text: String) -> impl Future<Output = Result<usize, Busy>> + Send {
    async move {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }
}

#[async_trait]
trait Store {
    async fn by_mut(&mut self, text: String) -> Result<usize, Busy>;
    async fn by_box(self: Box<Self>, (a, b): (String, u32)) -> Result<usize, Busy>;
    async fn both(&mut self, text: String) -> Result<usize, Busy>;
}

#[async_trait]
impl Store for Client {
    #[trace]
    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn by_mut(&mut self, text: String) -> Result<usize, Busy> {
        self.seen += 1;
        self.flaky.ask_slowly().await?;
        Ok(text.len() + self.seen as usize)
    }

    #[trace]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn by_box(self: Box<Self>, (a, b): (String, u32)) -> Result<usize, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(a.len() + b as usize)
    }

    #[instrument(err)]
    #[trace]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn both(&mut self, text: String) -> Result<usize, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(text.len())
    }
}

#[tokio::test]
async fn a_trace_above_leaves_each_attempt_its_arguments() {
    let text = || "four".to_owned();
    assert_eq!(plain(Flaky::third(), text()), Ok(4));
    assert_eq!(sendable(asynchronous(Flaky::third(), text())).await, Ok(4));
    assert_eq!(sendable(on_poll(Flaky::third(), text())).await, Ok(4));
    assert_eq!(sendable(with_properties(Flaky::third(), text())).await, Ok(4));
    assert_eq!(sendable(cell(FlakyCell::third(), Cell::new(0))).await, Ok(3));
    assert_eq!(boxed(Flaky::third(), text()).await, Ok(4));
    assert_eq!(opaque(Flaky::third(), text()).await, Ok(4));
    assert_eq!(Client::new().by_mut(text()).await, Ok(7));
    assert_eq!(Box::new(Client::new()).by_box((text(), 1)).await, Ok(5));
    assert_eq!(Client::new().both(text()).await, Ok(4));
}
