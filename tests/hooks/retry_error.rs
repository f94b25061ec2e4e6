//! `RetryError` in the signature.

use std::error::Error;
use std::future::Future;
use std::num::ParseIntError;
use std::pin::Pin;

use async_trait::async_trait;
use retry::{RetryError, StopReason, retry, retry_with};

use crate::peer::{Busy, Peer};
use crate::support::ms;

type Wrapped<T, E> = Result<T, RetryError<E>>;

#[retry(stop = attempts(2), wait = none(), on = any_error(), name = "in words")]
fn sync(peer: &Peer) -> Result<u32, RetryError<Busy>> {
    let n = peer.ask()?;
    if n > 9 {
        return Err(Busy(n));
    }
    Ok(n)
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
async fn asynchronous(peer: &Peer) -> ::core::result::Result<u32, retry::RetryError<Busy>> {
    let n = peer.ask_slowly().await?;
    if n > 9 {
        return Err(Busy(n));
    }
    Ok(n)
}

#[retry(stop = attempts(2), wait = none(), on = is::<ParseIntError>())]
fn boxed_error(text: &str) -> Result<u32, RetryError<Box<dyn Error>>> {
    Ok(text.parse::<u32>()?)
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn generic<T, E>(mut f: impl FnMut() -> Result<T, E>) -> Result<T, RetryError<E>> {
    f()
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn boxed(peer: &Peer) -> Pin<Box<dyn Future<Output = Result<u32, RetryError<Busy>>> + Send + '_>> {
    Box::pin(async move { peer.ask_slowly().await })
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn opaque(peer: &Peer) -> impl Future<Output = Result<u32, RetryError<Busy>>> + Send + '_ {
    async move { peer.ask_slowly().await }
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn opaque_value(peer: &Peer) -> Result<impl Iterator<Item = u32> + use<>, RetryError<Busy>> {
    peer.ask().map(|n| 0..n)
}

#[async_trait]
trait Store {
    async fn get(&self) -> Result<u32, RetryError<Busy>>;
}

#[async_trait]
impl Store for Peer {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn get(&self) -> Result<u32, RetryError<Busy>> {
        let n = self.ask_slowly().await?;
        Ok(n)
    }
}

macro_rules! by_macro {
    ($error:ty) => {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn with_type(peer: &Peer) -> Result<u32, $error> {
            peer.ask()
        }
    };
}

by_macro!(RetryError<Busy>);

/// A retry around a retry: the body gives a `RetryError` of its own.
#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn twice(peer: &Peer) -> Result<u32, RetryError<RetryError<Busy>>> {
    sync(peer)
}

#[tokio::test]
async fn wraps_the_last_error_of_every_shape() {
    let outcomes: [Wrapped<u32, Busy>; 7] = [
        sync(&Peer::never()),
        asynchronous(&Peer::never()).await,
        boxed(&Peer::never()).await,
        opaque(&Peer::never()).await,
        opaque_value(&Peer::never()).map(|_| 0),
        Peer::never().get().await,
        with_type(&Peer::never()),
    ];
    for outcome in outcomes {
        let error = outcome.unwrap_err();
        assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 2));
        assert_eq!(error.history.len(), 2);
        assert_eq!(error.source, Some(Busy(2)));
    }
    assert_eq!(sync(&Peer::good_at(2)).unwrap(), 2);
    assert_eq!(asynchronous(&Peer::good_at(2)).await.unwrap(), 2);
    assert_eq!(opaque_value(&Peer::good_at(2)).unwrap().count(), 2);

    let error = generic(|| Err::<(), _>("no")).unwrap_err();
    assert_eq!((error.attempts, error.into_source()), (2, Some("no")));
    let error = boxed_error("seven").unwrap_err();
    assert_eq!(error.attempts, 2);
    assert!(error.into_source().unwrap().is::<ParseIntError>());
    let error = twice(&Peer::never()).unwrap_err();
    let inner = error.into_source().unwrap();
    assert_eq!((inner.name(), inner.source), ("in words", Some(Busy(4))));
}

#[tokio::test]
async fn wraps_the_error_of_a_block_with_a_type() {
    let peer = Peer::never();
    let error = retry::block!(
        stop = attempts(2),
        wait = fixed(10ms),
        on = any_error(),
        sleep = |_| (),
        || -> Result<u32, RetryError<Busy>> { peer.ask() },
    );
    assert_eq!(error.unwrap_err().source, Some(Busy(2)));
    let error = retry_with().virtual_time().scope(async {
        retry::block!(
            stop = attempts(2),
            wait = fixed(10ms),
            on = any_error(),
            async || -> Result<u32, RetryError<Busy>> { peer.ask_slowly().await },
        )
    });
    let error = error.await.unwrap_err();
    assert!(error.elapsed >= Some(ms(10)));
    assert_eq!(error.source, Some(Busy(4)));
}

#[test]
fn hooks_and_conditions_see_the_error_inside() {
    #[retry(
        stop = attempts(3),
        wait = none(),
        on = |e: &Busy| e.0 < 2,
        before_sleep = |_, o: &Result<u32, Busy>| peer.note(format!("{o:?}")),
        on_give_up = |r, o: &Result<u32, Busy>| peer.note(format!("{} {o:?}", r.reason())),
    )]
    fn call(peer: &Peer) -> Result<u32, RetryError<Busy>> {
        peer.ask()
    }
    let peer = Peer::never();
    let error = call(&peer).unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Permanent, 2));
    assert_eq!(peer.notes(), ["Err(Busy(1))", "permanent Err(Busy(2))"]);
}

#[test]
fn a_permanent_first_failure_is_wrapped_too() {
    #[retry(stop = attempts(3), wait = none(), on = |_| false)]
    fn call() -> Result<u32, RetryError<Busy>> {
        Err(Busy(7))
    }
    let error = call().unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Permanent, 1));
    assert!(error.elapsed.is_some());
    assert_eq!(error.source, Some(Busy(7)));
}

/// With another `RetryError` in scope, the one of the path is meant.
mod named_alike {
    use super::{Busy, Peer, retry};

    #[derive(Debug, PartialEq)]
    pub(super) struct RetryError(pub(super) u32);

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    pub(super) fn users(peer: &Peer) -> Result<u32, RetryError> {
        peer.ask().map_err(|Busy(n)| RetryError(n))
    }
}

#[test]
fn a_type_of_the_users_with_the_same_name_and_no_error_inside_is_left_alone() {
    assert_eq!(named_alike::users(&Peer::never()), Err(named_alike::RetryError(2)));
}
