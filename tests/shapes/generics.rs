//! Generics of every kind.

use std::collections::HashSet;
use std::fmt::{Debug, Display};
use std::future::Future;
use std::hash::Hash;

use retry::retry;

use crate::flaky::{Busy, Flaky};

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn with_where<T, E>(value: &T, mut ask: impl FnMut(&T) -> Result<u32, E>) -> Result<u32, E>
where
    T: Debug + ?Sized,
    E: Display,
{
    ask(value)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn with_async_fn<F, Fut, T, E>(mut ask: F) -> Result<T, E>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, E>>,
{
    ask().await
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn with_async_closure<T, E>(ask: impl AsyncFn() -> Result<T, E>) -> Result<T, E> {
    ask().await
}

#[tokio::test]
async fn functions_with_bounds_are_retried() {
    let flaky = Flaky::third();
    assert_eq!(with_where("text", |_| flaky.ask()), Ok(3));
    let flaky = Flaky::third();
    assert_eq!(with_async_fn(|| flaky.ask_slowly()).await, Ok(3));
    let flaky = Flaky::third();
    assert_eq!(with_async_closure(async || flaky.ask_slowly().await).await, Ok(3));
}

#[retry(stop = attempts(N as u32), wait = none(), on = any_error())]
fn constant<const N: usize>(flaky: &Flaky) -> Result<[u32; N], Busy> {
    Ok([flaky.ask()?; N])
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn constants<T: Copy + Default, const N: usize, const B: bool>(
    flaky: &Flaky,
    value: [T; N],
) -> Result<[T; N], [bool; 1]> {
    flaky.ask_slowly().await.map_err(|_| [B])?;
    Ok(value)
}

#[tokio::test]
async fn constants_are_seen_by_the_body_and_the_keys() {
    assert_eq!(constant::<3>(&Flaky::third()), Ok([3; 3]));
    assert_eq!(constant::<2>(&Flaky::third()), Err(Busy));
    assert_eq!(constants::<_, 2, true>(&Flaky::third(), [1, 2]).await, Ok([1, 2]));
    assert_eq!(constants::<u8, 2, true>(&Flaky::never(), [1, 2]).await, Err([true]));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn higher_ranked<F>(f: F, flaky: &Flaky) -> Result<usize, Busy>
where
    F: for<'a> Fn(&'a str) -> &'a str,
{
    flaky.ask()?;
    Ok(f("text").len())
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn higher_ranked_object(
    f: &(dyn for<'a> Fn(&'a Flaky) -> Result<u32, Busy> + Sync),
    flaky: &Flaky,
) -> Result<u32, Busy> {
    tokio::task::yield_now().await;
    f(flaky)
}

#[tokio::test]
async fn higher_ranked_bounds_stay_so() {
    assert_eq!(higher_ranked(|text| &text[1..], &Flaky::third()), Ok(3));
    assert_eq!(higher_ranked_object(&|flaky| flaky.ask(), &Flaky::third()).await, Ok(3));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn impl_trait(
    text: impl AsRef<str>,
    items: impl IntoIterator<Item = impl Into<u32>> + Clone,
    flaky: &Flaky,
) -> Result<u32, Busy> {
    flaky.ask_slowly().await?;
    let sum: u32 = items.clone().into_iter().map(Into::into).sum();
    Ok(sum + text.as_ref().len() as u32)
}

#[tokio::test]
async fn impl_trait_in_arguments_stays_so() {
    assert_eq!(impl_trait("four".to_owned(), [1_u8, 2], &Flaky::third()).await, Ok(7));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn lifetimes<'long: 'short, 'short, T: 'long + ?Sized>(
    long: &'long T,
    short: &'short T,
    flaky: &Flaky,
) -> Result<(&'long T, &'short T), Busy> {
    flaky.ask()?;
    Ok((long, short))
}

#[test]
fn lifetimes_that_outlive_each_other_are_kept() {
    assert_eq!(lifetimes("a", "b", &Flaky::third()), Ok(("a", "b")));
}

struct Set<T, const N: usize>(HashSet<T>);

impl<T, const N: usize> Set<T, N>
where
    T: Eq + Hash + Clone,
{
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn insert<U: Into<T> + Clone>(&mut self, value: U, flaky: &Flaky) -> Result<bool, Busy> {
        let fresh = self.0.insert(value.clone().into());
        flaky.ask_slowly().await?;
        assert!(self.0.len() <= N);
        Ok(fresh)
    }
}

#[tokio::test]
async fn generics_of_an_impl_and_a_method_go_together() {
    let mut set = Set::<String, 1>(HashSet::new());
    // The first attempt has put it there.
    assert_eq!(set.insert("x", &Flaky::third()).await, Ok(false));
    assert_eq!(set.insert("x", &Flaky::until(1)).await, Ok(false));
}

trait Backend {
    type Error: Debug;
    fn call(&self) -> Result<u32, Self::Error>;
}

impl Backend for Flaky {
    type Error = Busy;
    fn call(&self) -> Result<u32, Busy> {
        self.ask()
    }
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn associated_type<B: Backend>(backend: &B) -> Result<u32, B::Error> {
    backend.call()
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn qualified<B>(backend: &B) -> Result<u32, <B as Backend>::Error>
where
    B: Backend<Error = Busy>,
{
    backend.call()
}

#[tokio::test]
async fn an_error_type_may_be_an_associated_one() {
    assert_eq!(associated_type(&Flaky::third()).await, Ok(3));
    assert_eq!(qualified(&Flaky::third()), Ok(3));
}
