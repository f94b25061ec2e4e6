//! Methods, whatever they take `self` as.

use super::*;

#[derive(Default)]
struct Client(FlakyCell);

impl Client {
    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn by_value(self) -> Result<u32, Busy> {
        yield_now().await;
        self.0.ask()
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn by_mut_value(mut self) -> Result<u32, Busy> {
        yield_now().await;
        *self.0.0.get_mut() += 1;
        self.0.ask()
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn in_box(self: Box<Self>) -> Result<u32, Busy> {
        yield_now().await;
        self.0.ask()
    }
}

#[derive(Default)]
pub(super) struct Shared(pub(super) Flaky);

impl Shared {
    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn by_ref(&self) -> Result<u32, Busy> {
        yield_now().await;
        self.0.ask()
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn in_arc(self: Arc<Self>) -> Result<u32, Busy> {
        yield_now().await;
        self.0.ask()
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn in_arc_ref(self: &Arc<Self>) -> Result<u32, Busy> {
        yield_now().await;
        self.0.ask()
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn by_mut(&mut self, cell: Cell<u32>) -> Result<u32, Busy> {
        yield_now().await;
        cell.set(1);
        self.0.ask()
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn pinned(self: Pin<&mut Self>) -> Result<u32, Busy> {
        yield_now().await;
        self.0.ask()
    }

    #[retry(stop = attempts(self.limit()), wait = fixed(1ms), on = |error| self.is_busy(error))]
    async fn keys_by_mut(&mut self) -> Result<u32, Busy> {
        yield_now().await;
        self.0.ask()
    }

    pub(super) const fn limit(&self) -> u32 {
        5
    }

    pub(super) const fn is_busy(&self, _: &Busy) -> bool {
        true
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_can_be_spawned_whatever_it_takes_self_as() {
    assert_eq!(spawned(Client::default().by_value()).await, Ok(3));
    assert_eq!(spawned(Client::default().by_mut_value()).await, Ok(4));
    assert_eq!(spawned(Box::<Client>::default().in_box()).await, Ok(3));
    assert_eq!(spawned(Arc::<Shared>::default().in_arc()).await, Ok(3));
    assert_eq!(spawned(async { Shared::default().by_mut(Cell::new(0)).await }).await, Ok(3));
    let pinned = async { Pin::new(&mut Shared::default()).pinned().await };
    assert_eq!(spawned(pinned).await, Ok(3));
    assert_eq!(spawned(async { Shared::default().keys_by_mut().await }).await, Ok(3));
    assert_eq!(spawned(async { Shared::default().by_ref().await }).await, Ok(3));
    assert_eq!(spawned(async { Arc::<Shared>::default().in_arc_ref().await }).await, Ok(3));
}
