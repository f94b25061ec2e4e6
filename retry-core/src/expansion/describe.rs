//! Finding an outcome's error and putting it into words, whatever its type can do.
//!
//! The choice is made by one method lookup in the expansion, where the types are known: a method
//! on `&&T` is found before one on `&T`. Its name is odd so that no blanket trait of the user's
//! has the same.

use core::any::type_name;
use core::fmt;

use crate::report::error::RetryError;
use crate::stats::told::Told;
use crate::verdict::outcome::NoValue;

/// The outcome of an attempt, to be asked for its error.
#[derive(Debug)]
pub struct Judged<'a, O>(pub &'a O);

/// How the error of an outcome is told: by what it displays, else by its debug form, else by the
/// name of its type.
pub trait Tell<'a> {
    /// The outcome's error, and how it is told.
    type Told;

    /// The outcome's error.
    fn __retry_error(&self) -> Self::Told;
}

impl<'a, T, E: fmt::Display> Tell<'a> for &&&&Judged<'a, Result<T, E>> {
    type Told = Told<'a, E>;

    #[inline]
    fn __retry_error(&self) -> Told<'a, E> {
        Told::new(self.0.as_ref().err(), E::fmt)
    }
}

impl<'a, T, E: fmt::Debug> Tell<'a> for &&&Judged<'a, Result<T, E>> {
    type Told = Told<'a, E>;

    #[inline]
    fn __retry_error(&self) -> Told<'a, E> {
        Told::new(self.0.as_ref().err(), E::fmt)
    }
}

impl<'a, T, E> Tell<'a> for &&Judged<'a, Result<T, E>> {
    type Told = Told<'a, E>;

    #[inline]
    fn __retry_error(&self) -> Told<'a, E> {
        Told::new(self.0.as_ref().err(), |_, f| f.write_str(type_name::<E>()))
    }
}

impl<'a, T> Tell<'a> for &Judged<'a, Option<T>> {
    type Told = Told<'a, NoValue>;

    #[inline]
    fn __retry_error(&self) -> Told<'a, NoValue> {
        Told::new(if self.0.is_none() { Some(&NoValue) } else { None }, fmt::Display::fmt)
    }
}

/// Outcomes that are neither `Result` nor `Option`: every value is as good as another.
impl<'a, O> Tell<'a> for Judged<'a, O> {
    type Told = Told<'a, NoValue>;

    #[inline]
    fn __retry_error(&self) -> Told<'a, NoValue> {
        Told::new(None, fmt::Display::fmt)
    }
}

/// Found first where the type has a `RetryError` that the macro has not seen. It is not a trait of its
/// own, as of an outcome whose type is wrong every trait holds, and of two the compiler would ask which
/// one is meant.
impl<'a, T, E: Unseen<'a> + 'a> Tell<'a> for &&&&&Judged<'a, Result<T, E>> {
    type Told = E::Told;

    #[inline]
    fn __retry_error(&self) -> E::Told {
        E::told(self.0.as_ref().err())
    }
}

/// An error that is a `RetryError`. How it is told is asked of the error itself, so that of one whose
/// type is wrong nothing comes out, about which nothing is said.
pub trait Unseen<'a>: Sized {
    /// What says so.
    type Told;

    /// Says so.
    fn told(error: Option<&'a Self>) -> Self::Told;
}

impl<'a, E: 'a> Unseen<'a> for RetryError<E> {
    type Told = Alias<'a, E>;

    fn told(error: Option<&'a Self>) -> Alias<'a, E> {
        Alias(Told::new(error, fmt::Display::fmt))
    }
}

/// The error of an outcome in whose type a `RetryError` is not seen.
#[derive(Debug)]
pub struct Alias<'a, E>(Told<'a, RetryError<E>>);

impl<'a, E> Alias<'a, E> {
    /// Says that it was not seen.
    #[deprecated = "`RetryError` is recognised by its own name only, and here an alias hides it: \
                    write `Result<T, RetryError<E>>` out, with a body that gives a `Result<T, E>`"]
    pub fn told(self) -> Told<'a, RetryError<E>> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! described {
        ($outcome:expr) => {
            (&&&&&Judged($outcome)).__retry_error().text().map(ToString::to_string)
        };
    }

    #[test]
    fn an_error_is_described_by_display_else_debug_else_the_name_of_its_type() {
        struct Mute;
        #[derive(Debug)]
        struct Loud;

        assert_eq!(described!(&Err::<(), _>("shown")).as_deref(), Some("shown"));
        assert_eq!(described!(&Err::<(), _>(Loud)).as_deref(), Some("Loud"));
        let mute = described!(&Err::<(), _>(Mute));
        assert!(mute.is_some_and(|text| text.ends_with("::Mute")));
        assert_eq!(described!(&None::<Mute>).as_deref(), Some("no value"));
    }

    #[test]
    fn a_success_and_a_plain_value_have_no_error() {
        assert_eq!(described!(&Ok::<u8, &str>(1)), None);
        assert_eq!(described!(&Some(1)), None);
        assert_eq!(described!(&404_u16), None);
    }

    #[test]
    fn a_generic_error_is_described_by_what_its_bounds_allow() {
        fn text<E>(outcome: &Result<(), E>) -> Option<String> {
            described!(outcome)
        }
        assert_eq!(text(&Err(7_u8)).as_deref(), Some("u8"));
    }
}
