//! Free functions, sync and async.

use retry::retry;

use crate::flaky::{Busy, Flaky};

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn plain(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn asynchronous(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[tokio::test]
async fn a_function_returns_what_its_third_attempt_returned() {
    assert_eq!(plain(&Flaky::third()), Ok(3));
    assert_eq!(asynchronous(&Flaky::third()).await, Ok(3));
}

#[tokio::test]
async fn a_function_that_always_fails_returns_the_last_error() {
    let flaky = Flaky::never();
    assert_eq!(plain(&flaky), Err(Busy));
    assert_eq!(flaky.asked(), 5);
    assert_eq!(asynchronous(&flaky).await, Err(Busy));
    assert_eq!(flaky.asked(), 10);
}

#[tokio::test]
async fn a_function_that_succeeds_is_called_once() {
    let flaky = Flaky::until(1);
    assert_eq!(plain(&flaky), Ok(1));
    assert_eq!(asynchronous(&flaky).await, Ok(2));
}

/// Documented, and shown with its documentation.
#[doc = "In two ways."]
#[must_use]
#[inline]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
#[cold]
pub(crate) fn documented(flaky: &Flaky) -> Result<u32, Busy> {
    //! With a line inside as well.
    #![allow(non_snake_case)]
    let Shouted = flaky.ask()?;
    Ok(Shouted)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn with_inner_attributes(flaky: &Flaky) -> Result<u32, Busy> {
    #![allow(non_snake_case)]
    let Shouted = flaky.ask_slowly().await?;
    Ok(Shouted)
}

#[tokio::test]
async fn attributes_around_and_inside_a_function_still_hold() {
    assert_eq!(documented(&Flaky::third()), Ok(3));
    assert_eq!(with_inner_attributes(&Flaky::third()).await, Ok(3));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
#[allow(improper_ctypes_definitions)] // called from Rust only
extern "C" fn foreign(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
extern "Rust" fn domestic(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[test]
fn a_function_with_an_abi_stays_one() {
    let f: extern "C" fn(&Flaky) -> Result<u32, Busy> = foreign;
    assert_eq!(f(&Flaky::third()), Ok(3));
    assert_eq!(domestic(&Flaky::third()), Ok(3));
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn recursive(depth: u32, flaky: &Flaky) -> Result<u32, Busy> {
    if depth == 0 { flaky.ask() } else { recursive(depth - 1, flaky) }
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
async fn recursive_async(depth: u32, flaky: &Flaky) -> Result<u32, Busy> {
    if depth == 0 {
        flaky.ask_slowly().await
    } else {
        Box::pin(recursive_async(depth - 1, flaky)).await
    }
}

#[tokio::test]
async fn a_function_that_calls_itself_multiplies_its_attempts() {
    // Three levels of two attempts each.
    let flaky = Flaky::never();
    assert_eq!(recursive(2, &flaky), Err(Busy));
    assert_eq!(flaky.asked(), 8);
    let flaky = Flaky::until(7);
    assert_eq!(recursive_async(2, &flaky).await, Ok(7));
}

#[test]
fn a_function_inside_a_function_sees_nothing_of_the_one_around() {
    fn outer(flaky: &Flaky) -> Result<u32, Busy> {
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        fn inner(flaky: &Flaky) -> Result<u32, Busy> {
            #[retry(stop = attempts(2), wait = none(), on = any_error())]
            fn innermost(flaky: &Flaky) -> Result<u32, Busy> {
                flaky.ask()
            }
            innermost(flaky)
        }
        inner(flaky)
    }
    let flaky = Flaky::never();
    assert_eq!(outer(&flaky), Err(Busy));
    assert_eq!(flaky.asked(), 10);
}

/// `unsafe` functions are forbidden in this crate, so theirs is a program of its own.
#[test]
fn unsafe_functions_and_methods_are_retried_too() {
    trybuild::TestCases::new().pass("tests/shapes/pass/unsafe_functions.rs");
}

/// A program of its own, since it spans two attributes.
#[test]
fn a_span_above_an_async_function_leaves_its_arguments_usable() {
    trybuild::TestCases::new().pass("tests/shapes/pass/instrument_above_owned.rs");
}

mod instrumented {
    use super::{Busy, Flaky};
    use retry::retry;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use tracing::instrument;
    use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

    #[instrument(skip(flaky))]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn above(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    #[instrument(skip_all, err)]
    fn below(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    #[instrument(skip_all, ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn above_async(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask_slowly().await
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    #[instrument(skip(flaky), fields(asked = flaky.asked()))]
    async fn below_async(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask_slowly().await
    }

    struct Service(Flaky);

    impl Service {
        #[instrument(skip_all)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn above(&self) -> Result<u32, Busy> {
            self.0.ask_slowly().await
        }

        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        #[instrument(skip_all)]
        async fn below(&self) -> Result<u32, Busy> {
            self.0.ask_slowly().await
        }
    }

    struct CountSpans(Arc<AtomicU32>);

    impl<S: tracing::Subscriber> Layer<S> for CountSpans {
        fn on_new_span(
            &self,
            _: &tracing::span::Attributes<'_>,
            _: &tracing::Id,
            _: Context<'_, S>,
        ) {
            self.0.fetch_add(1, Relaxed);
        }
    }

    fn spans(counter: &AtomicU32) -> u32 {
        counter.swap(0, Relaxed)
    }

    // The attribute above expands first, and what it has put into the body is retried with it.
    #[tokio::test]
    async fn a_span_covers_each_attempt_if_it_stands_above_and_the_call_if_below() {
        crate::support::listening::surely();
        let counter = Arc::new(AtomicU32::new(0));
        let subscriber = tracing_subscriber::registry().with(CountSpans(Arc::clone(&counter)));
        let _guard = tracing::subscriber::set_default(subscriber);

        assert_eq!(above(&Flaky::third()), Ok(3));
        assert_eq!(spans(&counter), 3);
        assert_eq!(above_async(&Flaky::third()).await, Ok(3));
        assert_eq!(spans(&counter), 3);
        assert_eq!(Service(Flaky::third()).above().await, Ok(3));
        assert_eq!(spans(&counter), 3);

        assert_eq!(below(&Flaky::third()), Ok(3));
        assert_eq!(spans(&counter), 1);
        assert_eq!(below_async(&Flaky::third()).await, Ok(3));
        assert_eq!(spans(&counter), 1);
        assert_eq!(Service(Flaky::third()).below().await, Ok(3));
        assert_eq!(spans(&counter), 1);
    }
}
