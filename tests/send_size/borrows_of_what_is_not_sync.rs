//! A shared borrow of these would need `Sync`, which the plain function does not.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;

use retry::retry;
use tokio::task::yield_now;

use crate::support::send::is_send;

#[derive(Default)]
struct Client(Cell<u32>);

impl Client {
    fn ask(&self) -> Result<u32, ()> {
        self.0.set(self.0.get() + 1);
        if self.0.get() < 3 { Err(()) } else { Ok(self.0.get()) }
    }

    async fn plain_mut_self(&mut self) -> Result<u32, ()> {
        yield_now().await;
        self.ask()
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn mut_self(&mut self) -> Result<u32, ()> {
        yield_now().await;
        self.ask()
    }

    async fn plain_pinned(self: Pin<&mut Self>) -> Result<u32, ()> {
        yield_now().await;
        self.ask()
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn pinned(self: Pin<&mut Self>) -> Result<u32, ()> {
        yield_now().await;
        self.ask()
    }
}

async fn plain_mut_argument(client: &mut Client) -> Result<u32, ()> {
    yield_now().await;
    client.ask()
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn mut_argument(client: &mut Client) -> Result<u32, ()> {
    yield_now().await;
    client.ask()
}

#[test]
fn a_mut_borrow_of_what_is_not_sync_can_be_sent() {
    assert!(is_send!(Client::default().plain_mut_self()));
    assert!(is_send!(Client::default().mut_self()));
    assert!(is_send!(plain_mut_argument(&mut Client::default())));
    assert!(is_send!(mut_argument(&mut Client::default())));
}

#[test]
fn a_pinned_mut_borrow_of_what_is_not_sync_can_be_sent() {
    assert!(is_send!(Pin::new(&mut Client::default()).plain_pinned()));
    assert!(is_send!(Pin::new(&mut Client::default()).pinned()));
}

#[tokio::test]
async fn they_work_where_they_are() {
    assert_eq!(Client::default().mut_self().await, Ok(3));
    assert_eq!(Pin::new(&mut Client::default()).pinned().await, Ok(3));
    assert_eq!(mut_argument(&mut Client::default()).await, Ok(3));
    assert_eq!(after_statements(Cell::new(0)).await, Ok(3));
}

fn plain_after_statements(cell: Cell<u32>) -> impl Future<Output = Result<u32, ()>> {
    let (client, _) = (Client(cell), 0);
    async move {
        yield_now().await;
        client.ask()
    }
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn after_statements(cell: Cell<u32>) -> impl Future<Output = Result<u32, ()>> {
    let (client, _) = (Client(cell), 0);
    async move {
        yield_now().await;
        client.ask()
    }
}

#[test]
fn a_variable_from_a_pattern_before_the_block_can_be_sent() {
    assert!(is_send!(plain_after_statements(Cell::new(0))));
    assert!(is_send!(after_statements(Cell::new(0))));
}
