//! Lets a test hear its own events whatever other tests do at the same time.

use std::sync::LazyLock;

use tracing::Dispatch;

/// While a process has only one subscriber, an event that is met for the first time asks that of
/// the thread it is met in, and keeps the answer. Met by a test that has none, it would be silent
/// for the test that has one. With a second subscriber all are asked.
pub(crate) fn surely() {
    static ANOTHER: LazyLock<Dispatch> =
        LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));
    LazyLock::force(&ANOTHER);
}
