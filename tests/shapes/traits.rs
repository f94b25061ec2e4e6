//! Methods of traits, with and without `async`.

use std::future::Future;

use retry::retry;

use crate::flaky::{Busy, Flaky};

trait Fetch {
    const LIMIT: u32 = 5;

    fn flaky(&self) -> &Flaky;

    fn fetch(&self) -> Result<u32, Busy>;

    #[retry(stop = attempts(Self::LIMIT), wait = none(), on = any_error())]
    fn fetch_by_default(&self) -> Result<u32, Busy> {
        self.flaky().ask()
    }
}

/// `async fn` in a trait is fine where no caller is generic over its `Send`.
#[allow(async_fn_in_trait)]
trait FetchAsync {
    fn flaky(&self) -> &Flaky;

    async fn fetch(&mut self, key: &str) -> Result<usize, Busy>;

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn fetch_by_default(&self) -> Result<u32, Busy> {
        self.flaky().ask_slowly().await
    }
}

trait FetchSend {
    fn fetch(&self, key: String) -> impl Future<Output = Result<usize, Busy>> + Send;

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn fetch_by_default(&self, flaky: &Flaky) -> impl Future<Output = Result<u32, Busy>> + Send
    where
        Self: Sync,
    {
        async { flaky.ask_slowly().await }
    }
}

struct Origin(Flaky);

impl Fetch for Origin {
    fn flaky(&self) -> &Flaky {
        &self.0
    }

    #[retry(stop = attempts(Self::LIMIT), wait = none(), on = any_error())]
    fn fetch(&self) -> Result<u32, Busy> {
        self.0.ask()
    }
}

impl FetchAsync for Origin {
    fn flaky(&self) -> &Flaky {
        &self.0
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn fetch(&mut self, key: &str) -> Result<usize, Busy> {
        self.0.ask_slowly().await?;
        Ok(key.len())
    }
}

/// Implements `-> impl Future + Send` as an `async fn`, which then must be `Send`.
impl FetchSend for Origin {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn fetch(&self, key: String) -> Result<usize, Busy> {
        self.0.ask_slowly().await?;
        Ok(key.len())
    }
}

struct Mirror(Flaky);

/// Implements it as it is declared.
impl FetchSend for Mirror {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn fetch(&self, key: String) -> impl Future<Output = Result<usize, Busy>> + Send {
        async move {
            self.0.ask_slowly().await?;
            Ok(key.len())
        }
    }
}

#[test]
fn a_method_of_a_trait_is_retried_where_it_is_implemented() {
    assert_eq!(Fetch::fetch(&Origin(Flaky::third())), Ok(3));
    let object: Box<dyn Convert<u64>> = Box::new(Origin(Flaky::third()));
    assert_eq!(object.convert(), Ok(3));
}

#[tokio::test]
async fn a_default_method_is_retried() {
    assert_eq!(Fetch::fetch_by_default(&Origin(Flaky::third())), Ok(3));
    assert_eq!(FetchAsync::fetch_by_default(&Origin(Flaky::third())).await, Ok(3));
    let mirror = Mirror(Flaky::third());
    assert_eq!(mirror.fetch_by_default(&mirror.0).await, Ok(3));
}

#[tokio::test]
async fn a_native_async_method_is_retried() {
    assert_eq!(FetchAsync::fetch(&mut Origin(Flaky::third()), "key").await, Ok(3));
}

#[tokio::test]
async fn an_impl_of_a_method_that_promises_send_keeps_the_promise() {
    async fn spawned<F: FetchSend + Send + Sync + 'static>(fetch: F) -> Result<usize, Busy> {
        tokio::spawn(async move { fetch.fetch("key".to_owned()).await }).await.unwrap()
    }
    assert_eq!(spawned(Origin(Flaky::third())).await, Ok(3));
    assert_eq!(spawned(Mirror(Flaky::third())).await, Ok(3));
}

trait Convert<T> {
    fn convert(&self) -> Result<T, Busy>;
}

impl<T: From<u32>> Convert<T> for Origin {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn convert(&self) -> Result<T, Busy> {
        self.0.ask().map(T::from)
    }
}

#[test]
fn a_method_of_a_generic_impl_is_retried() {
    assert_eq!(Origin(Flaky::third()).convert(), Ok(3_u64));
}
