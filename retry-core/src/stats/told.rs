//! An outcome's error, and how it is put into words.

use core::fmt;

/// The error of an outcome, if it has one, and how it is put into words.
pub struct Told<'a, E> {
    error: Option<&'a E>,
    write: fn(&E, &mut fmt::Formatter<'_>) -> fmt::Result,
}

impl<E> Clone for Told<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Told<'_, E> {}

impl<'a, E> Told<'a, E> {
    /// An error that `write` puts into words.
    #[inline]
    pub(crate) fn new(
        error: Option<&'a E>,
        write: fn(&E, &mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> Self {
        Self { error, write }
    }

    /// Itself: what there is to tell hides nothing.
    #[inline]
    pub const fn told(self) -> Self {
        self
    }

    /// Whether there is an error at all.
    #[inline]
    pub const fn is_failure(&self) -> bool {
        self.error.is_some()
    }

    /// The error's text.
    #[inline]
    pub(crate) fn text(&self) -> Option<&dyn fmt::Display> {
        if self.is_failure() { Some(self) } else { None }
    }
}

impl<E> fmt::Display for Told<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.map_or(Ok(()), |error| (self.write)(error, f))
    }
}

impl<E> fmt::Debug for Told<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
