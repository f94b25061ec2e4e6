//! Hands what is around a piece of code on to a future that runs elsewhere.

use core::future::Future;

use crate::attempt::context;
use crate::scope::layer::Layer;
use crate::scope::scope::{Scope, Scoped, current};

/// Hands the scope of here and now on to a future that will run elsewhere.
///
/// What [`retry_with`](crate::retry_with) and [`record`](crate::record) set up holds for the code
/// under them, wherever the runtime polls it. A task that is spawned is not under them, unless
/// its future inherits:
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use retry::Inherit;
/// # #[retry::retry(stop = attempts(3), wait = fixed(1h), on = any_error())]
/// # async fn fetch() -> Result<(), ()> { Err(()) }
///
/// retry::retry_with()
///     .virtual_time()
///     .scope(async {
///         // Without `inherit` the task would sleep for two hours.
///         let task = tokio::spawn(async { fetch().await }.inherit());
///         assert!(task.await.unwrap().is_err());
///     })
///     .await;
/// # }
/// ```
///
/// It goes on the future before that is spawned. The handle of a task is a future too, so
/// `tokio::spawn(…).inherit()` compiles, but what inherits there is only the waiting for a task that
/// runs without the scope.
///
/// From inside an attempt it hands on that one too: a call in the task is then inside the retried call
/// for the key `nested` and the warning of retries that multiply, and keeps to its
/// deadline. [`current()`](crate::current) is not handed on; give the task what it holds.
pub trait Inherit: Future + Sized {
    /// The future, in the scope that this code runs in now, wherever it is polled later. Call it
    /// where the task is started, not inside of the task. With nothing around, it changes nothing.
    fn inherit(self) -> Scoped<Self>;
}

impl<F: Future> Inherit for F {
    fn inherit(self) -> Scoped<Self> {
        let scope = match context::around() {
            Some(site) => Some(Scope::inside(Layer::Attempt(site, context::deadline()))),
            None => current(),
        };
        Scoped::known(self, scope)
    }
}
