//! Time that passes without being waited for, between sockets that are real.

use std::time::Duration;

/// Lets time pass, if any. Who waits for a time that comes is woken; what was sent before has arrived.
///
/// A clock that stands still from the start would not do: the runtime sets it forward whenever nothing
/// is left to do but to wait for a socket.
pub(crate) async fn pass(time: Duration) {
    // The runtime looks for what has arrived after every 61 of these.
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    if !time.is_zero() {
        tokio::time::pause();
        tokio::time::advance(time).await;
        tokio::time::resume();
    }
}
