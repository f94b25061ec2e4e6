//! Something called `retry` that is not the crate.

use super::{Busy, Flaky};

#[allow(dead_code)]
mod retry {
    pub(super) mod __private {}
}

#[again::retry(stop = attempts(5), wait = none(), on = any_error())]
fn beside_a_module(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[test]
fn does_not_hide_the_crate() {
    assert_eq!(beside_a_module(&Flaky::third()), Ok(3));
}
