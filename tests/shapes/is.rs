//! `is::<T>()` and `source_is::<T>()` on every kind of error.

use std::error::Error;
use std::io;
use std::sync::Arc;

use anyhow::Context;
use retry::{Transient, Verdict, policy, retry};

use crate::flaky::{Busy, Flaky};

fn never(_: &Busy) -> Verdict {
    Verdict::Final
}

fn no_longer_than(limit: u32) -> impl Fn(&Busy) -> bool {
    move |busy| busy.to_string().len() as u32 <= limit
}

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

            #[retry(stop = attempts(9), wait = none(), on = $condition::<Busy>(|busy| busy.to_string() == "busy"))]
            async fn judged(flaky: &Flaky) -> Result<u32, $error> {
                flaky.ask_slowly().await.map_err($make)
            }

            #[retry(stop = attempts(9), wait = none(), on = !$condition::<Busy>(super::never))]
            fn not_judged(flaky: &Flaky) -> Result<u32, $error> {
                flaky.ask().map_err($make)
            }

            #[retry(stop = attempts(9), wait = none(), on = $condition::<Busy>(super::no_longer_than(limit)))]
            fn by_a_call(flaky: &Flaky, limit: u32) -> Result<u32, $error> {
                flaky.ask().map_err($make)
            }

            #[tokio::test]
            async fn a_function_judges_what_was_found() {
                assert_eq!(judged(&Flaky::third()).await.unwrap(), 3);
                assert_eq!(not_judged(&Flaky::third()).unwrap(), 3);
                assert_eq!(by_a_call(&Flaky::third(), 4).unwrap(), 3);
                let flaky = Flaky::third();
                assert!(by_a_call(&flaky, 3).is_err());
                assert_eq!(flaky.asked(), 1);
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

#[derive(Debug)]
struct Wrapped(io::Error);

impl std::fmt::Display for Wrapped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("wrapped")
    }
}

impl Error for Wrapped {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

#[retry(stop = attempts(3), wait = none(), on = source_is::<io::Error>(Transient::verdict))]
fn by_what_is_below(kind: io::ErrorKind, calls: &mut u32) -> Result<(), Wrapped> {
    *calls += 1;
    Err(Wrapped(kind.into()))
}

#[test]
fn a_final_error_below_is_not_retried_and_a_transient_one_is() {
    let calls = |kind| {
        let mut calls = 0;
        by_what_is_below(kind, &mut calls).unwrap_err();
        calls
    };
    assert_eq!(calls(io::ErrorKind::ConnectionRefused), 3);
    assert_eq!(calls(io::ErrorKind::PermissionDenied), 1);
}

#[test]
fn a_policy_needs_no_type_at_the_closure_of_a_type() {
    let policy = policy! {
        stop = attempts(3),
        wait = none(),
        on = is::<io::Error>(|error| error.kind() == io::ErrorKind::NotFound)
            | source_is::<io::Error>(Transient::verdict),
    };
    let boxed = policy.clone().boxed::<io::Error>();
    let calls = |error: fn() -> io::Error| {
        let (mut calls, mut boxed_calls) = (0, 0);
        let fail = |calls: &mut u32| {
            *calls += 1;
            io::Result::<()>::Err(error())
        };
        policy.call(|| fail(&mut calls)).unwrap_err();
        boxed.call(|| fail(&mut boxed_calls)).unwrap_err();
        assert_eq!(calls, boxed_calls);
        calls
    };
    assert_eq!(calls(|| io::ErrorKind::NotFound.into()), 3);
    assert_eq!(calls(|| io::ErrorKind::TimedOut.into()), 1);
    assert_eq!(calls(|| io::Error::other(io::Error::from(io::ErrorKind::ConnectionRefused))), 3);
}
