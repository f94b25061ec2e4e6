//! A trait of the user's own, implemented for everything, with the methods that the expansion
//! finds an error's text by.

mod extension {
    pub trait Extension {
        fn describe(&self) {}
        fn failure(&self) {}
        fn text(&self) {}
    }

    impl<T: ?Sized> Extension for T {}
}

use extension::Extension as _;

#[retry::retry(stop = attempts(3), wait = none(), on = any_error())]
fn debug_only() -> Result<u32, Busy> {
    Err(Busy)
}

#[retry::retry(stop = attempts(3), wait = none(), on = any_error())]
fn displayed() -> Result<u32, String> {
    Err("busy".to_owned())
}

#[retry::retry(stop = attempts(3), wait = none(), on = output(|n| *n == 0))]
fn plain() -> u32 {
    0
}

#[derive(Debug)]
struct Busy;

fn main() {
    Busy.describe();
    assert!(debug_only().is_err());
    assert!(displayed().is_err());
    assert_eq!(plain(), 0);
}
