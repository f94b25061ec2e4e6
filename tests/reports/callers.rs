//! A `RetryError` in the hands of its caller: through `?`, out of blocks, traits and boxed futures.

use std::error::Error;
use std::future::Future;
use std::io;
use std::num::ParseIntError;
use std::pin::Pin;

use async_trait::async_trait;
use retry::{RetryError, StopReason, Transient, Verdict, retry};

use crate::peer::{Busy, Peer};
use crate::support::paused;

const RETRY: Verdict = Verdict::Retry;

#[retry(stop = attempts(2), wait = none(), name = "ask")]
fn ask(peer: &Peer) -> Result<u32, RetryError<Busy>> {
    peer.ask()
}

#[test]
fn it_becomes_a_boxed_error_by_the_question_mark() {
    fn caller(peer: &Peer) -> Result<u32, Box<dyn Error + Send + Sync>> {
        Ok(ask(peer)? + 1)
    }
    assert_eq!(caller(&Peer::failing([RETRY])).unwrap(), 8);
    let error = caller(&Peer::failing([RETRY; 2])).unwrap_err();
    let error = error.downcast_ref::<RetryError<Busy>>().unwrap();
    assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 2));
    assert_eq!(error.source, Some(Busy(RETRY)));
}

#[test]
fn it_becomes_an_anyhow_error_whose_chain_names_everything_once() {
    use anyhow::Context;
    fn caller(peer: &Peer) -> anyhow::Result<u32> {
        let answer = ask(peer).context("no answer")?;
        Ok(answer)
    }
    let error = caller(&Peer::failing([Verdict::Final])).unwrap_err();
    let chain: Vec<_> = error.chain().map(ToString::to_string).collect();
    let [outermost, call, source] = chain.as_slice() else { panic!("{chain:?}") };
    assert_eq!((outermost.as_str(), source.as_str()), ("no answer", "the line is busy"));
    assert!(call.starts_with("`ask` failed after 1 attempt in "), "{call}");
    assert!(call.ends_with(": another attempt would not change the outcome"), "{call}");
    assert_eq!(error.downcast_ref::<RetryError<Busy>>().unwrap().attempts, 1);
}

#[test]
fn an_error_that_is_no_error_type_can_be_taken_out() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn parse(text: &str) -> Result<u32, RetryError<anyhow::Error>> {
        Ok(text.parse::<u32>()?)
    }
    #[retry(stop = attempts(2), wait = none(), on = is::<ParseIntError>())]
    fn parse_boxed(text: &str) -> Result<u32, RetryError<Box<dyn Error>>> {
        Ok(text.parse::<u32>()?)
    }
    let error = parse("seven").unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 2));
    assert!(error.into_source().unwrap().is::<ParseIntError>());
    let error = parse_boxed("seven").unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 2));
    assert!(error.into_source().unwrap().is::<ParseIntError>());
    assert_eq!(parse_boxed("7").unwrap(), 7);
}

#[test]
fn a_retry_around_it_judges_by_the_last_error() {
    let error = ask(&Peer::failing([RETRY; 2])).unwrap_err();
    assert_eq!(error.verdict(), RETRY);
    let throttled = RETRY.throttled();
    let error = ask(&Peer::failing([RETRY, throttled])).unwrap_err();
    assert_eq!(error.verdict(), throttled);
}

#[test]
fn a_block_gives_one_if_its_type_says_so() {
    let peer = Peer::failing([RETRY; 3]);
    let outcome = retry::block!(
        stop = attempts(3),
        wait = none(),
        name = "a block",
        || -> Result<u32, RetryError<Busy>> {
            let answer = peer.ask()?;
            Ok(answer)
        }
    );
    let error: RetryError<Busy> = outcome.unwrap_err();
    assert_eq!((error.name(), error.attempts), ("a block", 3));
    assert_eq!((error.reason, error.source), (StopReason::Attempts, Some(Busy(RETRY))));

    let peer = Peer::failing([RETRY, Verdict::Final]);
    let outcome = paused(async {
        retry::block!(
            stop = attempts(3),
            wait = fixed(1s),
            async || -> Result<u32, RetryError<Busy>> {
                tokio::task::yield_now().await;
                peer.ask()
            }
        )
    });
    let error: RetryError<Busy> = outcome.unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Permanent, 2));
    assert_eq!(error.elapsed.unwrap().as_secs(), 1);
}

#[async_trait(?Send)]
trait Ask {
    async fn ask_it(&self) -> Result<u32, RetryError<Busy>>;

    /// One that is retried by default.
    #[retry(stop = attempts(2), wait = fixed(1s))]
    async fn ask_by_default(&self) -> Result<u32, RetryError<Busy>> {
        self.once()
    }

    fn once(&self) -> Result<u32, Busy>;
}

#[async_trait(?Send)]
impl Ask for Peer {
    #[retry(stop = attempts(3), wait = fixed(1s))]
    async fn ask_it(&self) -> Result<u32, RetryError<Busy>> {
        tokio::task::yield_now().await;
        self.ask()
    }

    fn once(&self) -> Result<u32, Busy> {
        self.ask()
    }
}

#[test]
fn a_method_of_an_async_trait_gives_one() {
    let peer = Peer::failing([RETRY; 5]);
    paused(async {
        let asking: &dyn Ask = &peer;
        let error = asking.ask_it().await.unwrap_err();
        assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 3));
        assert_eq!(error.elapsed.unwrap().as_secs(), 2);
        let error = asking.ask_by_default().await.unwrap_err();
        assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 2));
        assert_eq!(asking.ask_it().await.unwrap(), 7);
    });
}

#[test]
fn a_boxed_future_gives_one() {
    #[retry(stop = attempts(2), wait = fixed(1s))]
    fn boxed(peer: &Peer) -> Pin<Box<dyn Future<Output = Result<u32, RetryError<Busy>>> + '_>> {
        Box::pin(async move { peer.ask() })
    }
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error())]
    fn opaque(text: &str) -> impl Future<Output = Result<u32, RetryError<io::Error>>> + Send {
        let text = text.to_owned();
        async move { text.parse().map_err(io::Error::other) }
    }
    let error = paused(boxed(&Peer::failing([RETRY; 2]))).unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 2));
    assert_eq!(error.source, Some(Busy(RETRY)));
    let error = paused(opaque("seven")).unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 2));
    assert_eq!(error.source.unwrap().kind(), io::ErrorKind::Other);
    assert_eq!(paused(opaque("7")).unwrap(), 7);
}
