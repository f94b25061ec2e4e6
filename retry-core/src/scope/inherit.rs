//! Hands what is around a piece of code on to a future that runs elsewhere.

use core::future::Future;
use std::sync::Arc;

use crate::attempt::context;
use crate::scope::inside::EndsInside;
use crate::scope::layer::Layer;
use crate::scope::scope::{Scope, Scoped, current, enter};

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
/// It goes on the future before that is spawned. The handle of a task is a future too, but what would
/// inherit there is only the waiting for a task that runs without the scope, so
/// `tokio::spawn(…).inherit()` does not compile.
///
/// From inside an attempt it hands on that one too: a call in the task is then inside the retried call
/// for the key `nested` and the warning of retries that multiply, and keeps to its
/// deadline. [`current()`](crate::current) is not handed on; give the task what it holds.
///
/// What blocks runs in a closure, and inherits by [`inherit_sync`]. `How` is only there to refuse the
/// handle of a task, and is always inferred.
pub trait Inherit<How = BeforeItIsSpawned>: Future + Sized {
    /// The future, in the scope that this code runs in now, wherever it is polled later. Call it
    /// where the task is started, not inside of the task. With nothing around, it changes nothing.
    fn inherit(self) -> Scoped<Self>;
}

/// How a future inherits.
#[derive(Debug)]
pub struct BeforeItIsSpawned(());

/// How the handle of a task does not: the task is what should.
#[derive(Debug)]
pub struct TheHandleIsTooLate(());

/// A second way, so that the compiler does not know which is meant.
#[cfg(feature = "tokio")]
impl<T> Inherit<TheHandleIsTooLate> for tokio::task::JoinHandle<T> {
    fn inherit(self) -> Scoped<Self> {
        Scoped::known(self, None)
    }
}

impl<F: Future> Inherit for F {
    fn inherit(self) -> Scoped<Self> {
        Scoped::known(self, here())
    }
}

/// What there is to hand on.
fn here() -> Option<Arc<Scope>> {
    match context::around() {
        Some(site) => Some(Scope::inside(Layer::Attempt(site, context::deadline()))),
        None => current(),
    }
}

/// Hands the scope of here and now on to a closure that will run elsewhere: [`Inherit`] for what
/// blocks, in `spawn_blocking` or a thread of its own.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use retry::inherit_sync;
/// # #[retry::retry(stop = attempts(3), wait = fixed(1h), on = any_error())]
/// # fn query() -> Result<(), ()> { Err(()) }
///
/// retry::retry_with()
///     .virtual_time()
///     .scope(async {
///         let task = tokio::task::spawn_blocking(inherit_sync(|| query()));
///         assert!(task.await.unwrap().is_err());
///     })
///     .await;
/// # }
/// ```
///
/// Call it where the closure is handed on, not inside of it. The second parameter is always inferred: a
/// closure that gives a future does not compile, since that would run later.
pub fn inherit_sync<T, AFutureNeedsInherit>(f: impl FnOnce() -> T) -> impl FnOnce() -> T
where
    T: EndsInside<AFutureNeedsInherit>, // a future runs later, outside: write `fetch().inherit()`
{
    let scope = here();
    move || {
        let _entered = scope.map(|scope| enter(Some(scope)));
        f()
    }
}
