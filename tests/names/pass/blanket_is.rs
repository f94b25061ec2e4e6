//! A trait of the user's own, implemented for everything, with a method called `is`.

mod extension {
    pub trait Is {
        fn is<T>(&self) {}
    }

    impl<T: ?Sized> Is for T {}
}

use extension::Is as _;

#[retry::retry(stop = attempts(3), wait = none(), on = is::<Busy>())]
fn busy() -> Result<u32, Busy> {
    Err(Busy)
}

#[derive(Debug)]
struct Busy;

fn main() {
    Busy.is::<u8>();
    assert!(busy().is_err());
}
