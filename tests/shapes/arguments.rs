//! What can stand in the parentheses of a function.

use retry::retry;

use crate::flaky::{Busy, Flaky, FlakyCell};

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn mut_borrow(log: &mut Vec<u32>) -> Result<u32, Busy> {
    let n = u32::try_from(log.len()).unwrap();
    log.push(n);
    if n < 2 { Err(Busy) } else { Ok(n) }
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn mut_borrow_async(log: &mut Vec<u32>) -> Result<u32, Busy> {
    // Handed on, and so reborrowed.
    push_slowly(log).await;
    if log.len() < 3 { Err(Busy) } else { Ok(log.iter().sum()) }
}

async fn push_slowly(log: &mut Vec<u32>) {
    tokio::task::yield_now().await;
    log.push(1);
}

#[tokio::test]
async fn what_is_written_through_a_mut_borrow_persists() {
    let mut log = Vec::new();
    assert_eq!(mut_borrow(&mut log), Ok(2));
    assert_eq!(log, [0, 1, 2]);
    log.clear();
    assert_eq!(mut_borrow_async(&mut log).await, Ok(3));
    assert_eq!(log, [1, 1, 1]);
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn mut_argument(mut n: u32) -> Result<u32, u32> {
    n += 1;
    if n < 3 { Err(n) } else { Ok(n) }
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn mut_argument_async(mut n: u32, mut log: Vec<u32>) -> Result<Vec<u32>, u32> {
    n += 1;
    log.push(n);
    tokio::task::yield_now().await;
    if n < 3 { Err(n) } else { Ok(std::mem::take(&mut log)) }
}

#[tokio::test]
async fn what_is_written_to_a_mut_argument_persists() {
    assert_eq!(mut_argument(0), Ok(3));
    assert_eq!(mut_argument_async(0, vec![]).await, Ok(vec![1, 2, 3]));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn owned(flaky: Flaky, text: String) -> Result<(u32, usize), Busy> {
    Ok((flaky.ask()?, text.len()))
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn owned_async(flaky: Flaky, text: String, list: Vec<u8>) -> Result<(u32, usize), Busy> {
    Ok((flaky.ask_slowly().await?, text.len() + list.len()))
}

#[tokio::test]
async fn owned_arguments_that_are_only_borrowed_need_no_clone() {
    assert_eq!(owned(Flaky::third(), "four".to_owned()), Ok((3, 4)));
    assert_eq!(owned_async(Flaky::third(), "four".to_owned(), vec![0]).await, Ok((3, 5)));
}

struct Point {
    x: u32,
    y: u32,
}

struct Wrapped(Flaky, u32);

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn patterns(
    (flaky, [first, .., last]): (&Flaky, [u32; 3]),
    Point { x, y: height }: Point,
    &n: &u32,
    whole @ (left, _): (u32, u32),
    Wrapped(own, mut count): Wrapped,
) -> Result<u32, Busy> {
    count += 1;
    own.ask().ok();
    flaky.ask()?;
    assert_eq!(own.asked(), flaky.asked());
    Ok(first + last + x + height + n + whole.0 + left + count)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn patterns_async(
    (flaky, [first, .., last]): (&Flaky, [u32; 3]),
    Point { x, y: height }: Point,
    &n: &u32,
    whole @ (left, _): (u32, u32),
    Wrapped(own, mut count): Wrapped,
) -> Result<u32, Busy> {
    count += 1;
    own.ask_slowly().await.ok();
    flaky.ask_slowly().await?;
    Ok(first + last + x + height + n + whole.0 + left + count)
}

struct Server;

impl Server {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn pattern(
        &self,
        (flaky, tag): (&Flaky, String),
        Point { x, .. }: Point,
    ) -> Result<(u32, String), Busy> {
        Ok((flaky.ask_slowly().await? + x, tag.clone()))
    }
}

#[tokio::test]
async fn patterns_are_taken_apart_once() {
    let wrapped = || Wrapped(Flaky::never(), 0);
    let point = || Point { x: 1, y: 1 };
    let flaky = Flaky::third();
    // Six ones, two twice, and a count of three attempts.
    let sum = 1 + 1 + 1 + 1 + 1 + 2 + 2 + 3;
    assert_eq!(patterns((&flaky, [1; 3]), point(), &1, (2, 0), wrapped()), Ok(sum));
    let flaky = Flaky::third();
    assert_eq!(patterns_async((&flaky, [1; 3]), point(), &1, (2, 0), wrapped()).await, Ok(sum));
    let flaky = Flaky::third();
    let result = Server.pattern((&flaky, "tag".to_owned()), point()).await;
    assert_eq!(result, Ok((4, "tag".to_owned())));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn ignored(_: u8, _hint: &str, flaky: &Flaky, _: String) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn ignored_async(_: u8, _hint: &str, flaky: &Flaky, _: String) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[tokio::test]
async fn arguments_without_a_name_are_left_alone() {
    assert_eq!(ignored(0, "", &Flaky::third(), String::new()), Ok(3));
    assert_eq!(ignored_async(0, "", &Flaky::third(), String::new()).await, Ok(3));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn conditional(
    #[cfg(any())] gone: Missing,
    #[allow(unused_variables)] unused: u32,
    #[cfg(test)] flaky: &Flaky,
) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn conditional_async(
    #[cfg(any())] gone: Missing,
    #[allow(unused_variables)] unused: u32,
    #[cfg(test)] flaky: Flaky,
) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[tokio::test]
async fn attributes_on_arguments_still_hold() {
    assert_eq!(conditional(0, &Flaky::third()), Ok(3));
    assert_eq!(conditional_async(0, Flaky::third()).await, Ok(3));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn not_sync(flaky: FlakyCell, tag: std::cell::Cell<u32>) -> Result<u32, Busy> {
    tag.set(tag.get() + 1);
    tokio::task::yield_now().await;
    flaky.ask().map(|n| n + tag.get())
}

#[tokio::test]
async fn an_argument_with_interior_mutability_keeps_its_state() {
    assert_eq!(not_sync(FlakyCell::third(), std::cell::Cell::new(0)).await, Ok(6));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn raw(r#type: &Flaky, r#match: u32) -> Result<u32, Busy> {
    Ok(r#type.ask()? + r#match)
}

#[retry(stop = attempts(r#match), wait = none(), on = any_error(), clone(r#type))]
async fn raw_async(r#type: String, r#match: u32, r#loop: &Flaky) -> Result<String, Busy> {
    r#loop.ask_slowly().await?;
    Ok(r#type)
}

#[tokio::test]
async fn raw_identifiers_are_names_like_others() {
    assert_eq!(raw(&Flaky::third(), 4), Ok(7));
    assert_eq!(raw_async("x".to_owned(), 3, &Flaky::third()).await, Ok("x".to_owned()));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn in_format_strings(flaky: &Flaky, name: String, width: usize) -> Result<String, String> {
    let n = flaky.ask_slowly().await.map_err(|_| format!("{name}"))?;
    Ok(format!("{name:>width$}{n}"))
}

#[tokio::test]
async fn arguments_named_only_in_format_strings_are_seen() {
    let result = in_format_strings(&Flaky::third(), "a".to_owned(), 3).await;
    assert_eq!(result, Ok("  a3".to_owned()));
}
