//! Arguments and locals with the names of the expansion's own variables, of strategies, of
//! conditions and of what the expansion calls.

use super::{Busy, Flaky};
use retry::retry;

macro_rules! argument {
    ($($name:ident)*) => {$(
        {
            /// In the body, in every kind of key, and as what is sent to an operator.
            #[retry(
                stop = attempts($name) | (|s| s.attempt() >= $name) | within(1h),
                wait = fixed(1us * $name).cap(1us * $name),
                on = any_error() & |_| $name > 0,
                max_hint = 1s * $name,
                idempotent = $name > 0,
                enabled = $name > 0,
                sleep = |pause| assert!(pause < 1s * $name),
            )]
            fn sync($name: u32, flaky: &Flaky) -> Result<u32, Busy> {
                let n = flaky.ask()?;
                Ok(n + $name)
            }

            #[retry(
                stop = attempts($name) | (|s| s.attempt() >= $name) | within(1h),
                wait = fixed(1us * $name).cap(1us * $name),
                on = any_error() & |_| $name > 0,
                max_hint = 1s * $name,
                idempotent = $name > 0,
                enabled = $name > 0,
                clone($name),
            )]
            async fn asynchronous($name: u32, flaky: &Flaky) -> Result<u32, Busy> {
                tokio::task::yield_now().await;
                let n = flaky.ask()?;
                Ok(n + $name)
            }

            #[retry(stop = attempts(5), wait = none(), on = any_error())]
            fn local(flaky: &Flaky) -> Result<u32, Busy> {
                let $name = flaky.ask()?;
                Ok($name)
            }

                assert_eq!(sync(7, &Flaky::third()), Ok(10));
                assert_eq!(asynchronous(7, &Flaky::third()).await, Ok(10));
                assert_eq!(local(&Flaky::third()), Ok(3));
                let ($name, flaky) = (4, Flaky::third());
                let outcome = retry::block!(
                    stop = attempts($name),
                    wait = fixed(1us * $name),
                    on = |_| $name > 0,
                    || flaky.ask().map(|n| n + $name)
                );
                assert_eq!(outcome, Ok(7));
        }
    )*};
}

#[tokio::test]
async fn and_locals_may_have_any_name() {
    argument! {
        // The variables of the loop.
        call outcome error verdict pause granted enabled settled attempt it matched value
        // Strategies and conditions.
        attempts within elapsed until when none fixed exponential sequence by
        ok output any_error is transient
        // Keys, and what the library names.
        stop wait on sleep name site inside state result delay max min cap
        // Crates and modules.
        retry core std alloc
    }
}
