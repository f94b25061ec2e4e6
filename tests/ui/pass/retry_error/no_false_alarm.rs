#![deny(warnings)]

use retry::{RetryError, retry};

#[derive(Debug, PartialEq)]
pub struct Busy;

#[retry(stop = attempts(2), wait = none(), on = any_error())]
pub fn generic<T, E>(f: impl Fn() -> Result<T, E>) -> Result<T, E> {
    f()
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
pub async fn written_out() -> Result<u32, RetryError<Busy>> {
    Err(Busy)
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
pub fn twice() -> Result<u32, RetryError<RetryError<Busy>>> {
    inner()
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn inner() -> Result<u32, RetryError<Busy>> {
    Err(Busy)
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
pub fn boxed() -> Result<u32, Box<RetryError<Busy>>> {
    Ok(inner()?)
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
pub fn value() -> Option<RetryError<Busy>> {
    inner().err()
}

#[allow(deprecated)]
mod on_purpose {
    pub type Failure = super::RetryError<super::Busy>;

    #[super::retry(stop = attempts(2), wait = none(), on = any_error())]
    pub fn handed_on() -> Result<u32, Failure> {
        super::inner()
    }
}

fn main() {
    let error = generic(|| on_purpose::handed_on()).unwrap_err();
    assert_eq!(error.source, Some(Busy));
    assert_eq!(twice().unwrap_err().attempts, 2);
    assert!(boxed().is_err() && value().is_some());
    let untyped = retry::block!(stop = attempts(2), wait = none(), on = any_error(), || inner());
    assert!(untyped.is_err());
    let open = retry::block!(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        || -> Result<_, _> { Err::<u8, _>(Busy) }
    );
    assert_eq!(open, Err(Busy));
    drop(written_out());
}
