//! A strategy or condition whose type is no longer known.

use core::fmt;
use core::ops::Deref;
use std::sync::Arc;

/// A part of a [`BoxedPolicy`](crate::BoxedPolicy), shared by its clones. It is what
/// [`Policy::boxed`](crate::Policy::boxed) makes, and has a name of its own so that the compiler, where
/// a policy is not boxed and must be, says what is expected.
///
/// ```
/// use retry::{BoxedPolicy, State, Stop, policy};
///
/// let policy: BoxedPolicy<std::io::Error> = policy! { stop = attempts(3), wait = none() }.boxed();
/// assert!(retry::AsPolicy::stop(&policy).stop(&State::new(3)));
/// ```
pub struct Boxed<T: ?Sized>(pub(crate) Arc<T>);

impl<T: ?Sized> Clone for Boxed<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Deref for Boxed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for Boxed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
