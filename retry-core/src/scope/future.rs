//! What a scope is set up around for as long as it is polled.

use core::future::Future;

use crate::fit::{Impossible, Nothing};

/// A future that runs in a scope. `Kind` is only there for a better message where it is none.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot run in a scope, which takes a future",
    label = "`{Self}` is not a future",
    note = "call the async function: `.scope(fetch())`, `retry::record(fetch())`; of a block it is `async {{ … }}`",
    note = "what is not async runs in a closure: `.sync_scope(|| …)`, `retry::record_sync(|| …)`"
)]
pub trait RunsInScope<Kind> {
    /// The future.
    type Future: Future;

    /// The future.
    fn future(self) -> Self::Future;
}

/// Marks a future.
#[derive(Debug)]
pub struct IsFuture(());

#[diagnostic::do_not_recommend]
impl<F: Future> RunsInScope<IsFuture> for F {
    type Future = F;

    fn future(self) -> F {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<I: Impossible> RunsInScope<Nothing> for I {
    type Future = core::future::Pending<()>;

    fn future(self) -> Self::Future {
        self.anything()
    }
}
