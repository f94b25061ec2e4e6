//! Methods under `#[async_trait]`, which expands first and leaves a boxed future behind.

use std::cell::Cell;
use std::rc::Rc;

use async_trait::async_trait;
use retry::retry;

use crate::flaky::{Busy, Flaky, FlakyCell};

#[async_trait]
trait Store {
    async fn get(&self, key: &str) -> Result<usize, Busy>;
    async fn put(&mut self, key: String, value: Vec<u8>) -> Result<usize, Busy>;
    async fn name(&self) -> Result<&str, Busy>;
    async fn count(&self, mut n: u32) -> Result<u32, u32>;
    async fn cell(&self, cell: Cell<u32>) -> Result<u32, Busy>;
    async fn pattern(&self, (left, right): (u32, String)) -> Result<usize, Busy>;
    async fn generic<T: Send + Clone + 'static>(&self, value: T) -> Result<T, Busy>;
    async fn consume(self: Box<Self>) -> Result<u32, Busy>;
    async fn associated(flaky: &Flaky) -> Result<u32, Busy>
    where
        Self: Sized;

    fn flaky(&self) -> &Flaky;

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn by_default(&self) -> Result<u32, Busy> {
        self.flaky().ask_slowly().await
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error(), clone(text))]
    async fn by_default_owned(&self, text: String) -> Result<String, Busy>
    where
        Self: Sync,
    {
        self.flaky().ask_slowly().await?;
        Ok(text)
    }
}

struct Disk {
    flaky: Flaky,
    name: String,
    limit: u32,
    writes: Vec<String>,
}

impl Disk {
    fn new() -> Self {
        Self { flaky: Flaky::third(), name: "disk".to_owned(), limit: 5, writes: vec![] }
    }

    fn is_busy(&self, _: &Busy) -> bool {
        self.limit > 0
    }
}

#[async_trait]
impl Store for Disk {
    #[retry(stop = attempts(self.limit), wait = none(), on = |error| self.is_busy(error))]
    async fn get(&self, key: &str) -> Result<usize, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(key.len())
    }

    #[retry(
        stop = attempts(self.limit) | (|_| self.writes.len() > 9),
        wait = none(),
        on = |error| self.is_busy(error),
        clone(value)
    )]
    async fn put(&mut self, key: String, value: Vec<u8>) -> Result<usize, Busy> {
        self.writes.push(key.clone());
        let written = value.into_iter().map(usize::from).sum::<usize>();
        self.flaky.ask_slowly().await?;
        Ok(written + self.writes.len())
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn name(&self) -> Result<&str, Busy> {
        self.flaky.ask_slowly().await?;
        // The coercion from `&String` needs the type that is returned.
        Ok(&self.name)
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn count(&self, mut n: u32) -> Result<u32, u32> {
        n += 1;
        tokio::task::yield_now().await;
        if n < 3 { Err(n) } else { Ok(n) }
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn cell(&self, cell: Cell<u32>) -> Result<u32, Busy> {
        cell.set(cell.get() + 1);
        self.flaky.ask_slowly().await?;
        Ok(cell.get())
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn pattern(&self, (left, right): (u32, String)) -> Result<usize, Busy> {
        assert_eq!(left, 1);
        self.flaky.ask_slowly().await?;
        Ok(right.len())
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error(), clone(value))]
    async fn generic<T: Send + Clone + 'static>(&self, value: T) -> Result<T, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(value)
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn consume(self: Box<Self>) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn associated(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask_slowly().await
    }

    fn flaky(&self) -> &Flaky {
        &self.flaky
    }
}

#[tokio::test]
async fn a_method_by_reference_is_retried() {
    assert_eq!(Disk::new().get("key").await, Ok(3));
}

#[tokio::test]
async fn a_method_by_mut_reference_may_name_self_in_its_keys_and_clone_an_argument() {
    let mut disk = Disk::new();
    assert_eq!(disk.put("key".to_owned(), vec![1; 4]).await, Ok(4 + 3));
    assert_eq!(disk.writes, ["key"; 3]);
}

#[tokio::test]
async fn a_method_may_return_what_it_borrows_from_self() {
    assert_eq!(Disk::new().name().await, Ok("disk"));
}

#[tokio::test]
async fn a_mut_argument_persists() {
    assert_eq!(Disk::new().count(0).await, Ok(3));
}

#[tokio::test]
async fn arguments_of_every_kind_are_taken() {
    assert_eq!(Disk::new().cell(Cell::new(0)).await, Ok(3));
    assert_eq!(Disk::new().pattern((1, "four".to_owned())).await, Ok(4));
    assert_eq!(Disk::new().generic("value").await, Ok("value"));
}

#[tokio::test]
async fn a_default_method_under_the_trait_itself_is_retried() {
    assert_eq!(Disk::new().by_default().await, Ok(3));
    assert_eq!(Disk::new().by_default_owned("a".to_owned()).await, Ok("a".to_owned()));
}

#[tokio::test]
async fn an_owned_self_and_no_self_are_retried() {
    assert_eq!(Box::new(Disk::new()).consume().await, Ok(3));
    assert_eq!(Disk::associated(&Flaky::third()).await, Ok(3));
}

#[tokio::test]
async fn the_future_can_be_spawned() {
    let task = tokio::spawn(async { Disk::new().cell(Cell::new(0)).await });
    assert_eq!(task.await.unwrap(), Ok(3));
}

#[async_trait(?Send)]
trait Local {
    async fn fetch(&self, rc: Rc<FlakyCell>) -> Result<u32, Busy>;
}

struct Thread;

#[async_trait(?Send)]
impl Local for Thread {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn fetch(&self, rc: Rc<FlakyCell>) -> Result<u32, Busy> {
        let held = Rc::clone(&rc);
        tokio::task::yield_now().await;
        held.ask()
    }
}

#[tokio::test]
async fn a_future_that_need_not_be_send_may_hold_what_is_not() {
    assert_eq!(Thread.fetch(Rc::new(FlakyCell::third())).await, Ok(3));
}

#[async_trait]
trait Repository<T> {
    async fn load(&self, id: u64) -> Result<T, Box<dyn std::error::Error + Send + Sync>>;
}

struct Table<T> {
    row: T,
    flaky: Flaky,
}

#[async_trait]
impl<T: Clone + Send + Sync> Repository<T> for Table<T> {
    #[retry(stop = attempts(self.limit()), wait = none(), on = is::<Busy>())]
    async fn load(&self, id: u64) -> Result<T, Box<dyn std::error::Error + Send + Sync>> {
        let n = self.flaky.ask_slowly().await?;
        if u64::from(n) == id { Ok(self.row.clone()) } else { Err("not found".into()) }
    }
}

impl<T> Table<T> {
    fn limit(&self) -> u32 {
        5
    }
}

#[tokio::test]
async fn a_generic_impl_with_question_marks_on_boxed_errors_is_retried() {
    let table = Table { row: "row", flaky: Flaky::third() };
    assert_eq!(table.load(3).await.unwrap(), "row");
    let table = Table { row: "row", flaky: Flaky::third() };
    assert_eq!(table.load(4).await.unwrap_err().to_string(), "not found");
    assert_eq!(table.flaky.asked(), 3);
}
