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
}

/// What is told of an outcome.
pub trait Failure {
    /// Whether the outcome is what was asked for, in all its layers.
    fn is_value(&self) -> bool;

    /// Whether there is an error, in any layer.
    fn is_failure(&self) -> bool;

    /// What is said of it, if anything.
    fn text(&self) -> Option<&dyn fmt::Display>;
}

/// Of an error, its text, and nothing of a success.
impl<E> Failure for Told<'_, E> {
    #[inline]
    fn is_value(&self) -> bool {
        matches!(self.found, Found::Value)
    }

    #[inline]
    fn is_failure(&self) -> bool {
        matches!(self.found, Found::Error(_))
    }

    #[inline]
    fn text(&self) -> Option<&dyn fmt::Display> {
        if self.is_failure() { Some(self) } else { None }
    }
}

/// `describe`: what the user says of any outcome, asked whenever it is to be written.
pub struct Described<'a, T, O, F> {
    told: T,
    outcome: &'a O,
    describe: F,
}

/// Says of an outcome what `describe` says.
#[inline]
pub fn described<'a, T: Failure, O, F: Fn(&'a O) -> D, D: fmt::Display>(
    told: T,
    outcome: &'a O,
    describe: F,
) -> Described<'a, T, O, F> {
    Described { told, outcome, describe }
}

impl<'a, T: Failure, O, F: Fn(&'a O) -> D, D: fmt::Display> Failure for Described<'a, T, O, F> {
    #[inline]
    fn is_value(&self) -> bool {
        self.told.is_value()
    }

    #[inline]
    fn is_failure(&self) -> bool {
        self.told.is_failure()
    }

    #[inline]
    fn text(&self) -> Option<&dyn fmt::Display> {
        Some(self)
    }
}

impl<'a, T, O, F: Fn(&'a O) -> D, D: fmt::Display> fmt::Display for Described<'a, T, O, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.describe)(self.outcome).fmt(f)
    }
}

impl<T, O, F> fmt::Debug for Described<'_, T, O, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Described(..)")
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
