//! Futures polled by hand, where no runtime and no timer is.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// One poll, of which nobody is woken.
pub fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Polls until the end: for a future that waits for nothing.
pub fn finish<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = poll(future.as_mut()) {
            return output;
        }
    }
}

/// The future after its first poll, which must not be its last.
pub fn started<F: Future>(future: F) -> Pin<Box<F>> {
    let mut future = Box::pin(future);
    assert!(poll(future.as_mut()).is_pending());
    future
}
