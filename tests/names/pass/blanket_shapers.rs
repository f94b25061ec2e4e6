//! A trait of the user's own, implemented for everything, with methods called like shapers.

mod extension {
    pub trait Shape: Sized {
        fn cap(self, _: u8) -> Self {
            self
        }
        fn jitter(self) -> Self {
            self
        }
    }

    impl<T> Shape for T {}
}

use extension::Shape as _;

#[retry::retry(stop = attempts(3), wait = exponential(1ms).cap(1ms).jitter(1ms), on = any_error())]
fn busy() -> Result<u32, ()> {
    Err(())
}

fn main() {
    let _ = 1_u8.cap(1).jitter();
    assert!(busy().is_err());
}
