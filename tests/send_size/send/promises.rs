//! Functions whose signature promises a `Send` future.

use super::methods::Shared;
use super::*;

#[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
fn opaque(flaky: FlakyCell) -> impl Future<Output = Result<u32, Busy>> + Send {
    async move {
        yield_now().await;
        flaky.ask()
    }
}

#[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
fn boxed(flaky: FlakyCell) -> BoxFuture<'static, Result<u32, Busy>> {
    Box::pin(async move {
        yield_now().await;
        flaky.ask()
    })
}

#[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
fn after_statements(cell: Cell<u32>) -> BoxFuture<'static, Result<u32, Busy>> {
    let flaky = FlakyCell(cell);
    let left = Cell::new(0);
    Box::pin(async move {
        yield_now().await;
        left.set(1);
        flaky.ask()
    })
}

#[async_trait]
trait Fetch {
    async fn by_mut(&mut self, cell: Cell<u32>) -> Result<u32, Busy>;
    async fn generic<T: Send>(&mut self, value: T, tag: Cell<u32>) -> Result<u32, Busy>;
}

#[async_trait]
impl Fetch for Shared {
    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn by_mut(&mut self, cell: Cell<u32>) -> Result<u32, Busy> {
        yield_now().await;
        cell.set(1);
        self.0.ask()
    }

    #[retry(stop = attempts(self.limit()), wait = fixed(1ms), on = |error| self.is_busy(error))]
    async fn generic<T: Send>(&mut self, value: T, tag: Cell<u32>) -> Result<u32, Busy> {
        let _ = &value;
        yield_now().await;
        tag.set(1);
        self.0.ask()
    }
}

trait FetchSend {
    fn fetch(&mut self, cell: Cell<u32>) -> impl Future<Output = Result<u32, Busy>> + Send;
}

impl FetchSend for Shared {
    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn fetch(&mut self, cell: Cell<u32>) -> Result<u32, Busy> {
        yield_now().await;
        cell.set(1);
        self.0.ask()
    }
}

#[retry(stop = attempts(2), wait = fixed(1ms), on = any_error())]
async fn recursive(depth: u32, flaky: Arc<Flaky>) -> Result<u32, Busy> {
    if depth == 0 { flaky.ask() } else { Box::pin(recursive(depth - 1, Arc::clone(&flaky))).await }
}

#[retry(stop = attempts(5), wait = fixed(1ms), on = any_error(), clone(flaky, text))]
async fn cloned(flaky: Arc<Flaky>, mut text: String) -> Result<u32, Busy> {
    let moved = flaky;
    text.push('!');
    yield_now().await;
    moved.ask().map(|n| n + text.len() as u32)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_future_that_promises_send_keeps_the_promise() {
    assert_eq!(spawned(opaque(FlakyCell::default())).await, Ok(3));
    assert_eq!(spawned(boxed(FlakyCell::default())).await, Ok(3));
    assert_eq!(spawned(after_statements(Cell::new(0))).await, Ok(3));
    let by_mut = async { Fetch::by_mut(&mut Shared::default(), Cell::new(0)).await };
    assert_eq!(spawned(by_mut).await, Ok(3));
    let generic = async { Shared::default().generic(Cell::new(0), Cell::new(0)).await };
    assert_eq!(spawned(generic).await, Ok(3));
    assert_eq!(spawned(async { Shared::default().fetch(Cell::new(0)).await }).await, Ok(3));
    assert_eq!(spawned(recursive(1, Arc::default())).await, Ok(3));
    assert_eq!(spawned(cloned(Arc::default(), "abc".to_owned())).await, Ok(7));
}
