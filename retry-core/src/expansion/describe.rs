//! Finding an outcome's error and putting it into words, whatever its type can do.
//!
//! Both choices are made by method lookup in the expansion, where the types are known: an
//! inherent method is found before a trait's, and a method on `&&T` before one on `&T`. Their
//! names are odd so that no blanket trait of the user's has the same.

use core::any::type_name;
use core::fmt;

use crate::report::error::RetryError;
use crate::verdict::verdict::NoValue;

/// The outcome of an attempt, to be asked for its error.
#[derive(Debug)]
pub struct Judged<'a, O>(pub &'a O);

impl<'a, T, E> Judged<'a, Result<T, E>> {
    /// The error.
    #[inline]
    pub fn __retry_failure(&self) -> Option<&'a E> {
        self.0.as_ref().err()
    }
}

impl<'a, T> Judged<'a, Option<T>> {
    /// The lack of a value.
    #[inline]
    pub fn __retry_failure(&self) -> Option<&'a NoValue> {
        if self.0.is_none() { Some(&NoValue) } else { None }
    }
}

/// Outcomes that are neither `Result` nor `Option`: every value is as good as another.
pub trait Plain<'a> {
    /// No error.
    #[inline]
    fn __retry_failure(&self) -> Option<&'a NoValue> {
        None
    }
}

impl<O> Plain<'_> for Judged<'_, O> {}

impl<T, E> Judged<'_, Result<T, RetryError<E>>> {
    /// Found where the type has a `RetryError` that the macro has not seen.
    #[deprecated = "`RetryError` is recognised by its own name only, and here an alias hides it: \
                    write `Result<T, RetryError<E>>` out, with a body that gives a `Result<T, E>`"]
    #[inline]
    pub const fn __retry_alias(&self) {}
}

/// Outcomes without a hidden `RetryError`.
pub trait NoAlias {
    /// Nothing is wrong.
    #[inline]
    fn __retry_alias(&self) {}
}

impl<O> NoAlias for Judged<'_, O> {}

/// An error to be put into words.
#[derive(Debug)]
pub struct Describe<'a, E>(pub Option<&'a E>);

/// An error and how it is put into words.
pub struct Described<'a, E> {
    error: Option<&'a E>,
    write: fn(&E, &mut fmt::Formatter<'_>) -> fmt::Result,
}

impl<E> Described<'_, E> {
    /// Whether there is an error at all.
    #[inline]
    pub const fn is_failure(&self) -> bool {
        self.error.is_some()
    }

    /// The error's text.
    #[inline]
    pub fn __retry_text(&self) -> Option<&dyn fmt::Display> {
        if self.is_failure() { Some(self) } else { None }
    }
}

impl<E> fmt::Display for Described<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.map_or(Ok(()), |error| (self.write)(error, f))
    }
}

impl<E> fmt::Debug for Described<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// First choice: what the error displays.
pub trait ByDisplay<'a, E> {
    /// The error in words.
    fn __retry_describe(&self) -> Described<'a, E>;
}

impl<'a, E: fmt::Display> ByDisplay<'a, E> for &&Describe<'a, E> {
    #[inline]
    fn __retry_describe(&self) -> Described<'a, E> {
        Described { error: self.0, write: E::fmt }
    }
}

/// Second choice: its debug form.
pub trait ByDebug<'a, E> {
    /// The error in words.
    fn __retry_describe(&self) -> Described<'a, E>;
}

impl<'a, E: fmt::Debug> ByDebug<'a, E> for &Describe<'a, E> {
    #[inline]
    fn __retry_describe(&self) -> Described<'a, E> {
        Described { error: self.0, write: E::fmt }
    }
}

/// Last choice: the name of its type.
pub trait ByName<'a, E> {
    /// The error in words.
    fn __retry_describe(&self) -> Described<'a, E>;
}

impl<'a, E> ByName<'a, E> for Describe<'a, E> {
    #[inline]
    fn __retry_describe(&self) -> Described<'a, E> {
        Described { error: self.0, write: |_, f| f.write_str(type_name::<E>()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! described {
        ($outcome:expr) => {
            (&&&Describe(Judged($outcome).__retry_failure()))
                .__retry_describe()
                .__retry_text()
                .map(ToString::to_string)
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
