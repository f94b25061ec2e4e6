//! Items with the names of those in the expansion, outside and inside the function.

use super::{Busy, Flaky};
use retry::retry;

fn name() -> u32 {
    1
}

fn inside() -> u32 {
    10
}

static SITE: u32 = 100;

#[retry(stop = attempts(name() + 4), wait = fixed(1us * inside()), on = |_| SITE == 100)]
fn outer(flaky: &Flaky) -> Result<u32, Busy> {
    Ok(flaky.ask()? + name() + inside() + SITE)
}

#[retry(
    stop = attempts({ fn inside() -> u32 { 5 } inside() }),
    wait = none(),
    on = any_error(),
    idempotent = SITE == inside(),
    max_hint = 1s * SITE,
    name = "items",
)]
async fn inner(flaky: &Flaky) -> Result<u32, Busy> {
    static SITE: u32 = 1000;
    fn inside() -> u32 {
        5
    }
    Ok(flaky.ask()? + SITE + inside())
}

#[tokio::test]
async fn of_the_users_are_the_users() {
    assert_eq!(outer(&Flaky::third()), Ok(114));
    assert_eq!(inner(&Flaky::third()).await, Ok(1008));
}
