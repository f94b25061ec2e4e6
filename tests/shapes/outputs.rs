//! What a function returns.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use retry::retry;

use crate::flaky::{Busy, Flaky};

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn option(flaky: &Flaky) -> Option<u32> {
    flaky.ask().ok()
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn option_async(flaky: &Flaky) -> Option<u32> {
    let n = flaky.ask_slowly().await.ok()?;
    Some(n)
}

#[tokio::test]
async fn none_is_a_failure_where_on_says_so() {
    assert_eq!(option(&Flaky::third()), Some(3));
    assert_eq!(option_async(&Flaky::third()).await, Some(3));
    let flaky = Flaky::never();
    assert_eq!(option(&flaky), None);
    assert_eq!(flaky.asked(), 5);
}

#[retry(stop = attempts(5), wait = none(), on = output(|status: &u16| *status == 503))]
fn status(flaky: &Flaky) -> u16 {
    if flaky.ask().is_ok() { 200 } else { 503 }
}

#[retry(stop = attempts(5), wait = none(), on = matches(500..=599 | 429))]
async fn status_async(flaky: &Flaky) -> u16 {
    if flaky.ask_slowly().await.is_ok() { 200 } else { 503 }
}

#[retry(stop = attempts(5), wait = none(), on = output(Vec::is_empty))]
fn list(flaky: &Flaky) -> Vec<u32> {
    flaky.ask().into_iter().collect()
}

#[retry(stop = attempts(5), wait = none(), on = output(|ready| !ready))]
async fn boolean(flaky: &Flaky) -> bool {
    flaky.ask_slowly().await.is_ok()
}

#[retry(stop = attempts(5), wait = none(), on = matches((false, _)))]
fn tuple(flaky: &Flaky) -> (bool, u32) {
    match flaky.ask() {
        Ok(n) => (true, n),
        Err(Busy) => (false, 0),
    }
}

#[tokio::test]
async fn a_plain_value_is_judged_as_a_whole() {
    let flaky = Flaky::third();
    assert_eq!((status(&flaky), flaky.asked()), (200, 3));
    let flaky = Flaky::third();
    assert_eq!((status_async(&flaky).await, flaky.asked()), (200, 3));
    assert_eq!(list(&Flaky::third()), [3]);
    let flaky = Flaky::third();
    assert!(boolean(&flaky).await);
    assert_eq!(flaky.asked(), 3);
    assert_eq!(tuple(&Flaky::third()), (true, 3));
    assert_eq!(status(&Flaky::never()), 503);
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn iterator(flaky: &Flaky) -> Result<impl Iterator<Item = u32> + '_, Busy> {
    let n = flaky.ask()?;
    Ok((0..n).map(move |i| i + flaky.asked()))
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn iterator_async(flaky: &Flaky) -> Result<impl Iterator<Item = u32> + use<>, Busy> {
    let n = flaky.ask_slowly().await?;
    Ok(0..n)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn closure(flaky: &Flaky) -> Result<impl Fn(u32) -> u32 + use<>, Busy> {
    let n = flaky.ask()?;
    Ok(move |m| m * n)
}

#[tokio::test]
async fn a_result_may_hold_what_has_no_name() {
    assert_eq!(iterator(&Flaky::third()).unwrap().collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(iterator_async(&Flaky::third()).await.unwrap().sum::<u32>(), 3);
    assert_eq!(closure(&Flaky::third()).unwrap()(4), 12);
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn borrowed<'a>(flaky: &Flaky, text: &'a String) -> Result<&'a str, Busy> {
    flaky.ask()?;
    Ok(text)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn borrowed_async<'a>(flaky: &Flaky, text: &'a String) -> Result<&'a str, Busy> {
    flaky.ask_slowly().await?;
    Ok(text)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn from_map<'a, 'k>(map: &'a HashMap<String, String>, key: &'k str) -> Result<&'a str, &'k str> {
    map.get(key).map(String::as_str).ok_or(key)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn cow<'a>(flaky: &Flaky, text: &'a str) -> Result<Cow<'a, str>, Busy> {
    let n = flaky.ask_slowly().await?;
    Ok(if n == 3 { text.into() } else { text.to_uppercase().into() })
}

#[tokio::test]
async fn a_result_may_borrow_from_an_argument() {
    let text = "text".to_owned();
    assert_eq!(borrowed(&Flaky::third(), &text), Ok("text"));
    assert_eq!(borrowed_async(&Flaky::third(), &text).await, Ok("text"));
    assert_eq!(cow(&Flaky::third(), &text).await, Ok(Cow::Borrowed("text")));
    let map = HashMap::from([("key".to_owned(), text)]);
    assert_eq!(from_map(&map, "key"), Ok("text"));
    assert_eq!(from_map(&map, "other"), Err("other"));
}

struct Named {
    name: String,
    flaky: Flaky,
}

impl Named {
    fn new() -> Self {
        Self { name: "name".to_owned(), flaky: Flaky::third() }
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn name(&self) -> Result<&str, Busy> {
        self.flaky.ask()?;
        Ok(&self.name)
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn name_async(&self) -> Result<&str, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(&self.name)
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn cow(&self) -> Result<Cow<'_, str>, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(Cow::Borrowed(&self.name))
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn of_argument<'a>(&self, text: &'a str) -> Result<&'a str, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(text)
    }
}

#[tokio::test]
async fn a_result_may_borrow_from_self() {
    assert_eq!(Named::new().name(), Ok("name"));
    assert_eq!(Named::new().name_async().await, Ok("name"));
    assert_eq!(Named::new().cow().await, Ok(Cow::Borrowed("name")));
    assert_eq!(Named::new().of_argument("text").await, Ok("text"));
}

#[retry(stop = attempts(5), wait = none(), on = |error| error.kind() == io::ErrorKind::WouldBlock)]
fn aliased(flaky: &Flaky) -> io::Result<u32> {
    Ok(flaky.ask().map_err(|_| io::ErrorKind::WouldBlock)?)
}

/// Without `on`: `io::Error` itself knows.
#[retry(stop = attempts(5), wait = none())]
async fn transient_io(flaky: &Flaky) -> io::Result<u32> {
    Ok(flaky.ask_slowly().await.map_err(|_| io::ErrorKind::ConnectionRefused)?)
}

type Reply<T = u32> = Result<T, Busy>;

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn own_alias(flaky: &Flaky) -> Reply {
    flaky.ask_slowly().await
}

#[tokio::test]
async fn a_result_behind_an_alias_is_one() {
    assert_eq!(aliased(&Flaky::third()).unwrap(), 3);
    assert_eq!(transient_io(&Flaky::third()).await.unwrap(), 3);
    assert_eq!(own_alias(&Flaky::third()).await, Ok(3));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn unit(flaky: &Flaky) -> Result<(), Busy> {
    flaky.ask()?;
    Ok(())
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn nested(flaky: &Flaky) -> Result<Result<u32, String>, Busy> {
    let n = flaky.ask_slowly().await?;
    Ok(Err(n.to_string()))
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn trait_object(flaky: &Flaky) -> Result<Box<dyn Fn() -> u32>, Busy> {
    let n = flaky.ask()?;
    Ok(Box::new(move || n))
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn slice<'a>(flaky: &Flaky, data: &'a [u8; 4]) -> Result<&'a [u8], Busy> {
    flaky.ask_slowly().await?;
    // Unsized by coercion, as `Box<dyn Fn>` is.
    Ok(data)
}

#[tokio::test]
async fn what_is_returned_is_coerced_as_without_the_attribute() {
    let flaky = Flaky::third();
    assert_eq!(unit(&flaky), Ok(()));
    assert_eq!(flaky.asked(), 3);
    assert_eq!(nested(&Flaky::third()).await, Ok(Err("3".to_owned())));
    assert_eq!(trait_object(&Flaky::third()).unwrap()(), 3);
    assert_eq!(slice(&Flaky::third(), b"four").await, Ok(&b"four"[..]));
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn diverges(_: &Flaky) -> Result<u32, Busy> {
    std::panic::panic_any("on purpose")
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn unfinished() -> Result<core::convert::Infallible, &'static str> {
    Err("never succeeds")
}

#[test]
fn a_body_that_only_panics_panics_and_is_not_retried() {
    let panic = std::panic::catch_unwind(|| diverges(&Flaky::third())).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"on purpose"));
    assert_eq!(unfinished(), Err("never succeeds"));
}
