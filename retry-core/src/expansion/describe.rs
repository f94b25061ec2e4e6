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
    /// What the error is; a lack of a value where there is none.
    type Error;

    /// The outcome's error.
    fn __retry_error(&self) -> Told<'a, Self::Error>;
}

impl<'a, T, E: fmt::Display> Tell<'a> for &&&&Judged<'a, Result<T, E>> {
    type Error = E;

    #[inline]
    fn __retry_error(&self) -> Told<'a, E> {
        Told::new(self.0.as_ref().err(), E::fmt)
    }
}

impl<'a, T, E: fmt::Debug> Tell<'a> for &&&Judged<'a, Result<T, E>> {
    type Error = E;

    #[inline]
    fn __retry_error(&self) -> Told<'a, E> {
        Told::new(self.0.as_ref().err(), E::fmt)
    }
}

impl<'a, T, E> Tell<'a> for &&Judged<'a, Result<T, E>> {
    type Error = E;

    #[inline]
    fn __retry_error(&self) -> Told<'a, E> {
        Told::new(self.0.as_ref().err(), |_, f| f.write_str(type_name::<E>()))
    }
}

impl<'a, T> Tell<'a> for &Judged<'a, Option<T>> {
    type Error = NoValue;

    #[inline]
    fn __retry_error(&self) -> Told<'a, NoValue> {
        Told::new(if self.0.is_none() { Some(&NoValue) } else { None }, fmt::Display::fmt)
    }
}

/// Outcomes that are neither `Result` nor `Option`: every value is as good as another.
impl<'a, O> Tell<'a> for Judged<'a, O> {
    type Error = NoValue;

    #[inline]
    fn __retry_error(&self) -> Told<'a, NoValue> {
        Told::new(None, fmt::Display::fmt)
    }
}

/// Found first where the type has a `RetryError` that the macro has not seen.
pub trait Alias<'a> {
    /// What the error is.
    type Error;

    /// The outcome's error.
    #[deprecated = "`RetryError` is recognised by its own name only, and here an alias hides it: \
                    write `Result<T, RetryError<E>>` out, with a body that gives a `Result<T, E>`"]
    fn __retry_error(&self) -> Told<'a, Self::Error>;
}

impl<'a, T, E> Alias<'a> for &&&&&Judged<'a, Result<T, RetryError<E>>> {
    type Error = RetryError<E>;

    #[inline]
    fn __retry_error(&self) -> Told<'a, RetryError<E>> {
        Told::new(self.0.as_ref().err(), fmt::Display::fmt)
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
