//! `is::<T>()` and `source_is::<T>()` on every kind of error.

use std::error::Error;
use std::io;
use std::sync::Arc;

use anyhow::Context;
use retry::retry;

use crate::support::{Busy, Flaky};

/// Fails with the error while it is busy.
macro_rules! failing_with {
    ($name:ident, $error:ty, $condition:ident, $make:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[retry(stop = attempts(9), wait = none(), on = $condition::<Busy>())]
            fn sync(flaky: &Flaky) -> Result<u32, $error> {
                flaky.ask().map_err($make)
            }

            #[retry(stop = attempts(9), wait = none(), on = $condition::<Busy>())]
            async fn asynchronous(flaky: &Flaky) -> Result<u32, $error> {
                flaky.ask_slowly().await.map_err($make)
            }

            // Of an error that is no box the compiler tells that it never is one.
            #[allow(deprecated)]
            #[retry(stop = attempts(9), wait = none(), on = $condition::<std::num::ParseIntError>())]
            fn other(flaky: &Flaky) -> Result<u32, $error> {
                flaky.ask().map_err($make)
            }

            #[tokio::test]
            async fn only_errors_of_that_type_are_retried() {
                assert_eq!(sync(&Flaky::third()).unwrap(), 3);
                assert_eq!(asynchronous(&Flaky::third()).await.unwrap(), 3);
                let flaky = Flaky::third();
                assert!(other(&flaky).is_err());
                assert_eq!(flaky.asked(), 1);
            }
        }
    };
}

failing_with!(concrete, Busy, is, |busy| busy);
failing_with!(in_a_box, Box<dyn Error>, is, Box::from);
failing_with!(in_a_send_box, Box<dyn Error + Send>, is, |busy| Box::new(busy) as _);
failing_with!(in_a_sync_box, Box<dyn Error + Send + Sync>, is, Box::from);
failing_with!(in_a_swapped_box, Box<dyn Error + Sync + Send + 'static>, is, Box::from);
failing_with!(in_an_arc, Arc<dyn Error>, is, |busy| Arc::new(busy) as _);
failing_with!(in_a_sync_arc, Arc<dyn Error + Send + Sync>, is, |busy| Arc::new(busy) as _);
failing_with!(in_anyhow, anyhow::Error, is, anyhow::Error::from);
failing_with!(in_anyhow_with_context, anyhow::Error, is, |busy| anyhow::Error::from(busy)
    .context("asking")
    .context("again"));

failing_with!(below_io, io::Error, source_is, io::Error::other);
failing_with!(below_a_boxed_io, Box<dyn Error>, source_is, |busy| io::Error::other(busy).into());
failing_with!(below_a_sync_box, Box<dyn Error + Send + Sync>, source_is, |busy| io::Error::other(
    busy
)
.into());
failing_with!(below_an_arc, Arc<dyn Error + Send + Sync>, source_is, |busy| Arc::new(
    io::Error::other(busy)
) as _);
failing_with!(below_anyhow, anyhow::Error, source_is, |busy| anyhow::Error::from(busy)
    .context("asking"));

#[retry(stop = attempts(9), wait = none(), on = is::<Busy>())]
fn generic<E: Error + From<Busy> + 'static>(flaky: &Flaky) -> Result<u32, E> {
    Ok(flaky.ask()?)
}

#[retry(stop = attempts(9), wait = none(), on = is::<T>())]
fn generic_target<T: Error + Send + Sync + 'static>(flaky: &Flaky) -> anyhow::Result<u32> {
    flaky.ask().context("asking")
}

#[test]
fn a_generic_error_is_what_it_turns_out_to_be() {
    assert_eq!(generic::<Busy>(&Flaky::third()), Ok(3));
    assert_eq!(generic_target::<Busy>(&Flaky::third()).unwrap(), 3);
    let flaky = Flaky::third();
    assert!(generic_target::<io::Error>(&flaky).is_err());
    assert_eq!(flaky.asked(), 1);
}

#[retry(
    stop = attempts(9),
    wait = none(),
    on = is::<Busy>() & |error| error.to_string() == "busy"
)]
async fn together(flaky: &Flaky) -> anyhow::Result<u32> {
    Ok(flaky.ask_slowly().await?)
}

#[tokio::test]
async fn a_type_and_a_look_inside_go_together() {
    assert_eq!(together(&Flaky::third()).await.unwrap(), 3);
}

/// A message used as context is found as well, since anyhow says so.
#[retry(stop = attempts(9), wait = none(), on = is::<&'static str>())]
fn by_context(flaky: &Flaky) -> anyhow::Result<u32> {
    flaky.ask().context("asking")
}

#[test]
fn anyhow_finds_a_context_too() {
    assert_eq!(by_context(&Flaky::third()).unwrap(), 3);
}
