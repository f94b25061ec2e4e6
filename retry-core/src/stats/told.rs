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
pub struct Described<'a, T, O, F, D> {
    told: T,
    outcome: &'a O,
    describe: F,
    write: fn(&D, &mut fmt::Formatter<'_>) -> fmt::Result,
}

/// What `describe` may answer with: what can be displayed.
#[diagnostic::on_unimplemented(
    message = "`describe` cannot answer with `{Self}`, which no event can show",
    label = "gives something that does not implement `Display`",
    note = "answer with a text, such as `\"refused\"` or `format!(…)`, or with another value that implements `Display`"
)]
pub trait Shown {
    /// Writes it.
    #[allow(clippy::missing_errors_doc)]
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

#[diagnostic::do_not_recommend]
impl<D: fmt::Display> Shown for D {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

/// Says of an outcome what `describe` says. That it can be shown is asked here and nowhere else, so
/// that a wrong answer is one error.
#[inline]
pub fn described<'a, T: Failure, O, F: Fn(&'a O) -> D, D: Shown>(
    told: T,
    outcome: &'a O,
    describe: F,
) -> Described<'a, T, O, F, D> {
    Described { told, outcome, describe, write: D::show }
}

impl<'a, T: Failure, O, F: Fn(&'a O) -> D, D> Failure for Described<'a, T, O, F, D> {
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

impl<'a, T, O, F: Fn(&'a O) -> D, D> fmt::Display for Described<'a, T, O, F, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.write)(&(self.describe)(self.outcome), f)
    }
}

impl<T, O, F, D> fmt::Debug for Described<'_, T, O, F, D> {
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
