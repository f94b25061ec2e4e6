//! `clone(a, b)`: each attempt has its own.

use retry::retry;

use crate::flaky::{Busy, Flaky};

fn use_up<T>(value: T) -> T {
    value
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(text))]
fn one(text: String, flaky: &Flaky) -> Result<String, Busy> {
    let text = use_up(text);
    flaky.ask()?;
    Ok(text)
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(text, list))]
async fn two(text: String, list: Vec<u8>, flaky: &Flaky) -> Result<(String, Vec<u8>), Busy> {
    let text = use_up(text);
    let list = use_up(list);
    flaky.ask_slowly().await?;
    Ok((text, list))
}

#[tokio::test]
async fn an_argument_that_is_used_up_is_there_again() {
    assert_eq!(one("text".to_owned(), &Flaky::third()), Ok("text".to_owned()));
    let result = two("text".to_owned(), vec![1], &Flaky::third()).await;
    assert_eq!(result, Ok(("text".to_owned(), vec![1])));
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(n, list,))]
fn mutable(mut n: u32, mut list: Vec<u32>, flaky: &Flaky) -> Result<Vec<u32>, Busy> {
    n += 1;
    list.push(n);
    flaky.ask()?;
    Ok(list)
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(n, list))]
async fn mutable_async(mut n: u32, mut list: Vec<u32>, flaky: &Flaky) -> Result<Vec<u32>, Busy> {
    n += 1;
    list.push(n);
    flaky.ask_slowly().await?;
    Ok(list)
}

#[tokio::test]
async fn a_mut_argument_starts_fresh_each_time() {
    assert_eq!(mutable(0, vec![], &Flaky::third()), Ok(vec![1]));
    assert_eq!(mutable_async(0, vec![], &Flaky::third()).await, Ok(vec![1]));
}

struct Parts {
    head: String,
    tail: Vec<u32>,
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(head, tail, last))]
fn in_patterns(
    Parts { head, mut tail }: Parts,
    (last, flaky): (String, &Flaky),
) -> Result<(String, usize), Busy> {
    tail.push(0);
    flaky.ask()?;
    Ok((head + &last, tail.len()))
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(head, tail, last))]
async fn in_patterns_async(
    Parts { head, mut tail }: Parts,
    (last, flaky): (String, &Flaky),
) -> Result<(String, usize), Busy> {
    tail.push(0);
    flaky.ask_slowly().await?;
    Ok((head + &last, tail.len()))
}

#[tokio::test]
async fn a_name_inside_a_pattern_can_be_cloned() {
    let parts = || Parts { head: "a".to_owned(), tail: vec![] };
    let expected = Ok(("ab".to_owned(), 1));
    assert_eq!(in_patterns(parts(), ("b".to_owned(), &Flaky::third())), expected);
    assert_eq!(in_patterns_async(parts(), ("b".to_owned(), &Flaky::third())).await, expected);
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(value))]
fn generic<T: Clone>(value: T, flaky: &Flaky) -> Result<T, Busy> {
    flaky.ask().map(|_| use_up(value))
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(items))]
async fn impl_trait(items: impl Iterator<Item = u32> + Clone, flaky: &Flaky) -> Result<u32, Busy> {
    let sum = items.sum();
    flaky.ask_slowly().await?;
    Ok(sum)
}

#[tokio::test]
async fn generic_arguments_are_cloned_through_their_bound() {
    assert_eq!(generic("text".to_owned(), &Flaky::third()), Ok("text".to_owned()));
    assert_eq!(impl_trait(1..4, &Flaky::third()).await, Ok(6));
}

/// Counts how often it has been cloned.
#[derive(Debug)]
struct Counted(std::sync::Arc<()>);

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self(std::sync::Arc::clone(&self.0))
    }
}

#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(counted))]
fn held(counted: Counted, flaky: &Flaky) -> Result<usize, Busy> {
    flaky.ask()?;
    Ok(std::sync::Arc::strong_count(&counted.0))
}

#[test]
fn the_clone_of_a_failed_attempt_is_gone_before_the_next() {
    // The test's, the argument, and the clone of the attempt.
    let counted = Counted(std::sync::Arc::default());
    assert_eq!(held(counted.clone(), &Flaky::third()), Ok(3));
}

struct Client(u32);

impl Client {
    #[retry(stop = attempts(self.0), wait = none(), on = any_error(), clone(body))]
    async fn send(&mut self, mut body: Vec<u8>, flaky: &Flaky) -> Result<Vec<u8>, Busy> {
        self.0 += 1;
        body.push(1);
        flaky.ask_slowly().await?;
        Ok(body)
    }
}

#[tokio::test]
async fn a_method_clones_its_arguments_too() {
    assert_eq!(Client(5).send(vec![], &Flaky::third()).await, Ok(vec![1]));
}

#[retry(stop = attempts(text.len() as u32), wait = none(), on = |_| !text.is_empty(), clone(text))]
async fn in_keys(text: String, flaky: &Flaky) -> Result<String, Busy> {
    let text = use_up(text) + "more";
    flaky.ask_slowly().await?;
    Ok(text)
}

#[tokio::test]
async fn the_keys_see_the_argument_and_not_the_clone() {
    let flaky = Flaky::never();
    assert_eq!(in_keys("abc".to_owned(), &flaky).await, Err(Busy));
    assert_eq!(flaky.asked(), 3);
}
