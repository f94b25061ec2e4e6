//! Futures that ask for their attempt can go wherever those of plain functions can.

use std::cell::Cell;
use std::marker::PhantomData;
use std::rc::Rc;

use retry::{Current, Inherit, Mark, Overrides, Report, Scoped, Verdict, retry, retry_with};
use tokio::task::yield_now;

use crate::support::on_one_thread;
use crate::support::send::{assert_send, is_send};

fn assert_all<T: Send + Sync + Unpin + 'static>() {}

#[derive(Debug, Default)]
struct NotSend(PhantomData<Rc<()>>);

/// Asks, holds the handle across an await, marks and says.
#[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
async fn asks(cell: Cell<u32>) -> Result<u32, NotSend> {
    let at = retry::current().unwrap();
    yield_now().await;
    cell.set(at.number());
    at.progress();
    at.overrule(Verdict::Final);
    Err(NotSend::default()).transient()?;
    Ok(cell.get())
}

#[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
async fn holds(rc: Rc<u32>) -> Result<u32, ()> {
    let _ = retry::current();
    yield_now().await;
    Ok(*rc)
}

#[test]
fn what_can_be_kept_can_be_sent_and_shared() {
    assert_all::<Current>();
    assert_all::<Overrides>();
    assert_all::<Report>();
    assert_all::<Scoped<std::future::Ready<()>>>();
}

#[test]
fn a_body_that_asks_can_be_sent_exactly_where_a_plain_one_can() {
    assert_send(&asks(Cell::new(0)));
    assert!(!is_send!(holds(Rc::new(0))));
}

#[test]
fn a_scoped_future_can_be_sent_exactly_where_the_future_can() {
    assert_send(&retry_with().virtual_time().scope(asks(Cell::new(0))));
    assert_send(&retry::record(async { drop(asks(Cell::new(0)).await) }));
    assert_send(&asks(Cell::new(0)).inherit());
    assert!(!is_send!(retry_with().scope(holds(Rc::new(0)))));
    assert!(!is_send!(holds(Rc::new(0)).inherit()));
}

#[test]
fn a_scoped_future_may_borrow_what_lives_as_long() {
    let mut text = String::new();
    let mut write = async |what: &str| text.push_str(what);
    let future = retry_with().scope(write("a"));
    on_one_thread(future);
    on_one_thread(retry_with().scope(retry_with().scope(write("b"))));
    assert_eq!(text, "ab");
}
