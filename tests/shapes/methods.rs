//! Methods, by what they take `self` as.

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use retry::retry;

use crate::flaky::{Busy, Flaky};

struct Client {
    flaky: Flaky,
    seen: u32,
    limit: u32,
}

impl Client {
    const EXTRA: u32 = 100;

    fn new() -> Self {
        Self { flaky: Flaky::third(), seen: 0, limit: 5 }
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn by_ref(&self) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn by_ref_async(&self) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn by_mut(&mut self) -> Result<u32, Busy> {
        self.seen += 1;
        self.flaky.ask()?;
        Ok(self.seen)
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn by_mut_async(&mut self) -> Result<u32, Busy> {
        self.seen += 1;
        self.flaky.ask_slowly().await?;
        Ok(self.seen)
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn by_value(self) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn by_value_async(self) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn by_mut_value(mut self) -> Result<u32, Busy> {
        self.seen += 1;
        self.flaky.ask()?;
        Ok(self.seen)
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn by_mut_value_async(mut self) -> Result<u32, Busy> {
        self.seen += 1;
        self.flaky.ask_slowly().await?;
        Ok(self.seen)
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn in_arc(self: Arc<Self>) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn in_arc_async(self: Arc<Self>) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn in_arc_ref(self: &Arc<Self>) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn in_arc_ref_async(self: &Arc<Self>) -> Result<u32, Busy> {
        let me = Arc::clone(self);
        tokio::spawn(async move { me.flaky.ask_slowly().await }).await.unwrap()
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn in_rc(self: Rc<Self>) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn in_rc_async(self: Rc<Self>) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn in_box(mut self: Box<Self>) -> Result<u32, Busy> {
        self.seen += 1;
        self.flaky.ask()?;
        Ok(self.seen)
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn in_box_async(self: Box<Self>) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn pinned(mut self: Pin<&mut Self>) -> Result<u32, Busy> {
        self.seen += 1;
        self.flaky.ask()?;
        Ok(self.seen)
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn pinned_async(mut self: Pin<&mut Self>) -> Result<u32, Busy> {
        self.as_mut().seen += 1;
        self.flaky.ask_slowly().await?;
        Ok(self.seen)
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn associated(flaky: &Flaky) -> Result<u32, Busy> {
        Ok(Self::helper(flaky)? + Self::EXTRA)
    }

    fn helper(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    /// A constructor: what is retried does not exist yet.
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn connect(flaky: &Flaky) -> Result<Self, Busy> {
        let limit = flaky.ask_slowly().await?;
        Ok(Self { limit, ..Self::new() })
    }
}

#[tokio::test]
async fn a_borrowed_self_is_borrowed_by_every_attempt() {
    assert_eq!(Client::new().by_ref(), Ok(3));
    assert_eq!(Client::new().by_ref_async().await, Ok(3));
}

#[tokio::test]
async fn what_an_attempt_writes_to_self_persists() {
    assert_eq!(Client::new().by_mut(), Ok(3));
    assert_eq!(Client::new().by_mut_async().await, Ok(3));
    assert_eq!(Client::new().by_mut_value(), Ok(3));
    assert_eq!(Client::new().by_mut_value_async().await, Ok(3));
}

#[tokio::test]
async fn an_owned_self_that_is_only_borrowed_lasts_for_all_attempts() {
    assert_eq!(Client::new().by_value(), Ok(3));
    assert_eq!(Client::new().by_value_async().await, Ok(3));
}

#[tokio::test]
async fn a_self_behind_a_pointer_is_one_object_for_all_attempts() {
    assert_eq!(Arc::new(Client::new()).in_arc(), Ok(3));
    assert_eq!(Arc::new(Client::new()).in_arc_async().await, Ok(3));
    assert_eq!(Arc::new(Client::new()).in_arc_ref(), Ok(3));
    assert_eq!(Arc::new(Client::new()).in_arc_ref_async().await, Ok(3));
    assert_eq!(Rc::new(Client::new()).in_rc(), Ok(3));
    assert_eq!(Rc::new(Client::new()).in_rc_async().await, Ok(3));
    assert_eq!(Box::new(Client::new()).in_box(), Ok(3));
    assert_eq!(Box::new(Client::new()).in_box_async().await, Ok(3));
    assert_eq!(Pin::new(&mut Client::new()).pinned(), Ok(3));
    assert_eq!(Pin::new(&mut Client::new()).pinned_async().await, Ok(3));
}

#[tokio::test]
async fn an_associated_function_knows_its_type() {
    assert_eq!(Client::associated(&Flaky::third()), Ok(103));
    assert_eq!(Client::connect(&Flaky::third()).await.map(|client| client.limit), Ok(3));
}

struct Pool<T> {
    item: T,
    flaky: Flaky,
}

impl<T: Clone + Send> Pool<T> {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn get(&self) -> Result<T, Busy> {
        self.flaky.ask().map(|_| self.item.clone())
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn put(&mut self, item: T) -> Result<T, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(std::mem::replace(&mut self.item, item.clone()))
    }
}

#[tokio::test]
async fn methods_of_a_generic_type_are_retried() {
    let pool = Pool { item: "item", flaky: Flaky::third() };
    assert_eq!(pool.get(), Ok("item"));
    let mut pool = Pool { item: 1, flaky: Flaky::third() };
    assert_eq!(pool.put(2).await, Ok(1));
    assert_eq!(pool.item, 2);
}
