//! An outcome's error, and how it is put into words.

use core::fmt;
use core::marker::PhantomData;

/// What there is in an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found<E> {
    /// What was asked for.
    Value,
    /// No value, and no error either: the end of a stream.
    End,
    /// An error, of one of its layers.
    Error(E),
}

/// The error of an outcome, if it has one, and how it is put into words. `E` is a reference to it, or
/// one of several where the outcome has layers.
#[derive(Clone, Copy)]
pub struct Told<'a, E> {
    found: Found<E>,
    write: fn(&E, &mut fmt::Formatter<'_>) -> fmt::Result,
    /// The outcome, which `E` borrows.
    outcome: PhantomData<&'a ()>,
}

impl<E> Told<'_, E> {
    /// An error that `write` puts into words.
    #[inline]
    pub(crate) const fn new(
        found: Found<E>,
        write: fn(&E, &mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> Self {
        Self { found, write, outcome: PhantomData }
    }

    /// Itself: what there is to tell hides nothing.
    #[inline]
    pub fn told(self) -> Self {
        self
    }

    /// Whether the outcome is what was asked for, in all its layers.
    #[inline]
    pub const fn is_value(&self) -> bool {
        matches!(self.found, Found::Value)
    }

    /// Whether there is an error, in any layer.
    #[inline]
    pub const fn is_failure(&self) -> bool {
        matches!(self.found, Found::Error(_))
    }

    /// The error's text.
    #[inline]
    pub(crate) fn text(&self) -> Option<&dyn fmt::Display> {
        if self.is_failure() { Some(self) } else { None }
    }
}

impl<E> fmt::Display for Told<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.found {
            Found::Error(error) => (self.write)(error, f),
            Found::Value | Found::End => Ok(()),
        }
    }
}

impl<E> fmt::Debug for Told<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
