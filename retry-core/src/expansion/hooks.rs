//! What calls the user's hooks, whatever form they are written in.

use core::convert::Infallible;
use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use crate::attempt::attempt::Attempt;
use crate::engine::rules::{IntoThreshold, Threshold};
use crate::fit::{Impossible, Never, Nothing};
use crate::report::interrupted::Interrupted;

/// Calls a closure whose argument's type is known from here.
pub fn call1<A: ?Sized, R>(a: &A, f: impl FnOnce(&A) -> R) -> R {
    f(a)
}

/// Calls a closure whose arguments' types are known from here.
pub fn call2<A: ?Sized, B: ?Sized, R>(a: &A, b: &B, f: impl FnOnce(&A, &B) -> R) -> R {
    f(a, b)
}

/// Calls a closure that is given the outcome itself.
pub fn call_with<A: ?Sized, B, R>(a: &A, b: B, f: impl FnOnce(&A, B) -> R) -> R {
    f(a, b)
}

/// Calls what makes an error of a call that was cut or refused.
pub fn interrupted<E>(interrupted: Interrupted, f: impl FnOnce(Interrupted) -> E) -> E {
    f(interrupted)
}

/// What a path in a hook of an async function gives: a `T`, or a future of one. `Kind` only tells
/// the two apart.
#[diagnostic::on_unimplemented(
    message = "a hook of `#[retry]` cannot give a `{Self}`",
    label = "neither `{T}` nor a future of it",
    note = "hooks give `()` (end what gives something else with `;`), `gate` gives a `bool`, and `fallback` an outcome like the function's"
)]
pub trait Answer<T, Kind> {
    /// What there is to await.
    type Later: Future<Output = T>;

    /// What it gives, or what gives that in the end.
    fn answer(self) -> Answered<T, Self::Later>;
}

/// What a hook has answered. Where nothing is to be awaited `L` has no value, so that the compiler
/// sees that the `.await` is never reached, and what lives around it need not be `Send`.
#[derive(Debug)]
pub enum Answered<T, L> {
    /// What it gives.
    Now(T),
    /// What must be awaited first.
    Later(L),
}

/// The future of what is there at once: there is none.
#[derive(Debug)]
pub enum NoFuture<T> {
    /// Cannot be made.
    Never(Infallible, PhantomData<fn() -> T>),
}

impl<T> Future for NoFuture<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
        match *self {
            Self::Never(never, _) => match never {},
        }
    }
}

/// Marks what is there at once.
#[derive(Debug)]
pub struct Now(());

/// Marks what is awaited.
#[derive(Debug)]
pub struct Later(());

/// Marks what never is.
#[derive(Debug)]
pub struct NotAtAll(());

#[diagnostic::do_not_recommend]
impl<T> Answer<T, NotAtAll> for Never {
    type Later = NoFuture<T>;

    fn answer(self) -> Answered<T, NoFuture<T>> {
        match self {}
    }
}

#[diagnostic::do_not_recommend]
impl<T> Answer<T, Now> for T {
    type Later = NoFuture<T>;

    fn answer(self) -> Answered<T, NoFuture<T>> {
        Answered::Now(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T, F: Future<Output = T>> Answer<T, Later> for F {
    type Later = F;

    fn answer(self) -> Answered<T, F> {
        Answered::Later(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T, I: Impossible> Answer<T, Nothing> for I {
    type Later = NoFuture<T>;

    fn answer(self) -> Answered<T, NoFuture<T>> {
        self.anything()
    }
}

/// What a closure or a path gives, be it there or a future of it.
pub fn answer<T, K, A: Answer<T, K>>(answer: A) -> Answered<T, A::Later> {
    answer.answer()
}

/// Stands for the type of a value whose type is written nowhere.
#[derive(Debug)]
pub struct Like<T>(PhantomData<fn() -> T>);

/// The type of `value`.
pub fn like<T>(_: &T) -> Like<T> {
    Like(PhantomData)
}

/// The same where the type is written nowhere.
pub fn answer_like<T, K, A: Answer<T, K>>(_: Like<T>, answer: A) -> Answered<T, A::Later> {
    answer.answer()
}

/// So many attempts, or so much time.
pub fn threshold(threshold: impl IntoThreshold) -> Threshold {
    threshold.threshold()
}

/// What `reset` takes that is no closure.
#[diagnostic::on_unimplemented(
    message = "`reset` takes a duration or a closure",
    label = "neither a `Duration` nor a closure",
    note = "write how long a healthy attempt lasts, `reset = 30s`",
    note = "or call your function in a closure: `reset = |attempt, outcome| …`"
)]
pub trait Healthy {
    /// How long a healthy attempt lasts.
    fn healthy(self) -> Duration;
}

impl Healthy for Duration {
    fn healthy(self) -> Duration {
        self
    }
}

/// How long a healthy attempt lasts.
pub fn healthy(lasts: impl Healthy) -> Duration {
    lasts.healthy()
}

/// Whether the attempt has lasted as long.
pub fn lasted(attempt: &Attempt, healthy: Duration) -> bool {
    attempt.duration().is_some_and(|lasted| lasted >= healthy)
}
