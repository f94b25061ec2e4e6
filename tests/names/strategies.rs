//! Functions of the user's own that are called like strategies and conditions.

use super::{Busy, Flaky};
use again::{State, stop, wait};
use retry::retry;

pub(crate) fn attempts(n: u32) -> stop::Attempts {
    stop::attempts(n + 1)
}

pub(crate) fn fixed(_: u32) -> impl again::Wait {
    wait::none()
}

pub(crate) fn any_error() -> impl Fn(&Busy) -> bool {
    |_| false
}

pub(crate) fn when(_: &State) -> bool {
    true
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn the_librarys(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = self::attempts(2), wait = self::fixed(1), on = !self::any_error())]
fn by_self(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(
    stop = crate::strategies::attempts(2) | attempts(9),
    wait = super::strategies::fixed(1),
    on = !crate::strategies::any_error(),
)]
async fn by_path(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = self::when | attempts(9), wait = none(), on = any_error())]
fn by_name(flaky: &Flaky) -> Result<u32, Busy> {
    // Nothing stands in the way of calling it here.
    let _ = attempts(2);
    flaky.ask()
}

#[tokio::test]
async fn of_the_users_are_reached_by_a_path() {
    let flaky = Flaky::third();
    assert_eq!((the_librarys(&flaky), flaky.asked()), (Err(Busy), 2));
    assert_eq!(by_self(&Flaky::third()), Ok(3));
    assert_eq!(by_path(&Flaky::third()).await, Ok(3));
    let flaky = Flaky::third();
    assert_eq!((by_name(&flaky), flaky.asked()), (Err(Busy), 1));
}
