//! The facade under another name, re-exported, and reached through a macro.

use super::{Busy, Flaky};

pub(crate) mod reexport {
    pub(crate) use again as retry;
}

#[again::retry(stop = attempts(5), wait = none(), on = any_error(), crate = ::again)]
fn renamed(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[reexport::retry::retry(
    stop = attempts(5) | within(1h),
    wait = fixed(1us).cap(1us) + none(),
    on = any_error().at_most(9),
    crate = crate::facade::reexport::retry,
)]
async fn reexported(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[reexport::retry::retry(stop = attempts(5), wait = none(), on = any_error(), crate = self::reexport::retry)]
fn by_self(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

/// As a library would write it for its users.
macro_rules! retried {
    ($flaky:expr) => {
        $crate::facade::reexport::retry::block!(
            stop = attempts(5),
            wait = none(),
            on = any_error(),
            crate = $crate::facade::reexport::retry,
            || $flaky.ask()
        )
    };
}

macro_rules! made {
    ($stop:expr, $wait:expr, $on:expr, $error:ty) => {
        $crate::facade::reexport::retry::policy! {
            stop = $stop,
            wait = $wait,
            on = $on | is::<$error>(),
            crate = $crate::facade::reexport::retry,
        }
    };
}

#[tokio::test]
async fn is_found_where_the_key_says() {
    let policy = made!(attempts(5) | |_| false, none(), |_: &Busy| true, ::std::fmt::Error);
    let flaky = Flaky::third();
    assert_eq!(policy.call(|| flaky.ask()), Ok(3));
    assert_eq!(renamed(&Flaky::third()), Ok(3));
    assert_eq!(reexported(&Flaky::third()).await, Ok(3));
    assert_eq!(by_self(&Flaky::third()), Ok(3));
    assert_eq!(retried!(Flaky::third()), Err(Busy));
    let flaky = Flaky::third();
    assert_eq!(retried!(flaky), Ok(3));
}
