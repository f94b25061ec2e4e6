//! Finding an outcome's error and putting it into words, whatever its type can do.
//!
//! A failure is an `Err`, a `None`, and an `Err` in an `Ok` or a `Some`. A `None` beside a
//! `Some(Ok(_))` is none: so ends a stream. Errors are looked for in three layers, which is as deep as
//! real code nests them: a timeout around a task around a call.
//!
//! Whether the outcome is a `Result` or an `Option` is found out by a method lookup in the expansion,
//! where its type is known: a method on `&&T` is found before one on `&T`. The method's name is odd so
//! that no blanket trait of the user's has the same.
//!
//! What is in it may not be known there: in a block without a return type, only what comes after the
//! block may tell. So what is in it answers questions by trait, and each [`Answers`] a number: there
//! is an impl for [`No`], which fits any type, and one for [`Yes`]. The expansion passes a literal for
//! each question. Where only `No` fits, the literal is of that type. Where both do, it stays open to
//! the end of the function, and a literal that is still open then is an `i32`, which is `Yes`.

use core::any::type_name;
use core::error::Error as StdError;
use core::fmt::{self, Debug, Display, Formatter};
use core::marker::PhantomData;
use core::ops::Deref;

use crate::report::error::RetryError;
use crate::stats::told::{Found, Told};
use crate::text::sources;
use crate::verdict::outcome::NoValue;

/// The outcome of an attempt, to be asked for its error.
#[derive(Debug)]
pub struct Judged<'a, O>(pub &'a O);

/// Tells the error of an outcome.
pub trait Tell<'a> {
    /// The error of the outer layer.
    type Error;
    /// What is in it otherwise.
    type Inner;
    /// The error, and how it is told.
    type Said;

    /// The error, and how it is told. The answers are tuples of literals.
    fn __retry_error<W, L>(&self, words: W, layers: L) -> Self::Said
    where
        Self::Error: Words<W>,
        Self::Inner: Layers<L>;
}

/// The error of an outcome: of its outer layer, or in what is in it.
type Error<'a, E, T> = Told<'a, Layer<&'a E, &'a T>>;

/// What holds the error of an outcome.
#[derive(Clone, Copy, Debug)]
pub enum Layer<E, T> {
    /// It is the error of the outer layer.
    Outer(E),
    /// It is in here.
    Inner(T),
}

impl<'a, T, E> Tell<'a> for &Judged<'a, Result<T, E>> {
    type Error = E;
    type Inner = T;
    type Said = Error<'a, E, T>;

    #[inline]
    fn __retry_error<W, L>(&self, _: W, _: L) -> Self::Said
    where
        E: Words<W>,
        T: Layers<L>,
    {
        told(match self.0 {
            Ok(inner) => inside(inner),
            Err(error) => Found::Error(Layer::Outer(error)),
        })
    }
}

impl<'a, T> Tell<'a> for &Judged<'a, Option<T>> {
    type Error = NoValue;
    type Inner = T;
    type Said = Error<'a, NoValue, T>;

    #[inline]
    fn __retry_error<W, L>(&self, _: W, _: L) -> Self::Said
    where
        NoValue: Words<W>,
        T: Layers<L>,
    {
        told(match self.0 {
            Some(inner) => inside(inner),
            None if T::HAVE_ERRORS => Found::End,
            None => Found::Error(Layer::Outer(&NoValue)),
        })
    }
}

/// Neither `Result` nor `Option`: every value is as good as another.
impl<'a, O> Tell<'a> for Judged<'a, O> {
    type Error = NoValue;
    type Inner = ();
    type Said = Error<'a, NoValue, ()>;

    #[inline]
    fn __retry_error<W, L>(&self, _: W, _: L) -> Self::Said
    where
        NoValue: Words<W>,
        (): Layers<L>,
    {
        told(Found::Value)
    }
}

/// Found first where the type has a `RetryError` that the macro has not seen. It is not a trait of its
/// own, as of an outcome whose type is wrong every trait holds, and of two the compiler would ask which
/// one is meant.
impl<'a, T, E: Unseen> Tell<'a> for &&Judged<'a, Result<T, E>> {
    type Error = E;
    type Inner = T;
    type Said = E::Said<Error<'a, E, T>>;

    #[inline]
    fn __retry_error<W, L>(&self, words: W, layers: L) -> Self::Said
    where
        E: Words<W>,
        T: Layers<L>,
    {
        E::say(<&Judged<'a, Result<T, E>> as Tell>::__retry_error(*self, words, layers))
    }
}

/// An error that is a `RetryError`. How it is told is asked of the error itself, so that of one whose
/// type is wrong nothing comes out, about which nothing is said.
pub trait Unseen: Sized {
    /// What says so, and holds what there is to tell.
    type Said<T>;

    /// Says so.
    fn say<T>(told: T) -> Self::Said<T>;
}

impl<E> Unseen for RetryError<E> {
    type Said<T> = Alias<T>;

    #[inline]
    fn say<T>(told: T) -> Alias<T> {
        Alias(told)
    }
}

/// The error of an outcome in whose type a `RetryError` is not seen.
#[derive(Debug)]
pub struct Alias<T>(T);

impl<T> Alias<T> {
    /// Says that it was not seen.
    #[deprecated = "`RetryError` is recognised by its own name only, and here an alias hides it: \
                    write `Result<T, RetryError<E>>` out, with a body that gives a `Result<T, E>`"]
    #[inline]
    pub fn told(self) -> T {
        self.0
    }
}

#[inline]
fn told<'a, E: Words<W>, T: Layers<L>, W, L>(found: Found<Layer<&'a E, &'a T>>) -> Error<'a, E, T> {
    Told::new(found, |error, f| match error {
        Layer::Outer(error) => <E as Words<W>>::words(error, f),
        Layer::Inner(inner) => <T as Layers<L>>::tell(inner, f),
    })
}

#[inline]
fn inside<E, T: Layers<L>, L>(inner: &T) -> Found<Layer<&E, &T>> {
    if <T as Layers<L>>::is_error(inner) { Found::Error(Layer::Inner(inner)) } else { Found::Value }
}

/// An error, told by what it displays, with its sources if it has some, else by its debug form, else
/// by the name of its type.
pub trait Words<W> {
    /// Tells it.
    #[allow(clippy::missing_errors_doc)] // the formatter's own
    fn words(&self, f: &mut Formatter<'_>) -> fmt::Result;
}

impl<E, A, B, C, D> Words<(A, B, C, D)> for E
where
    E: Answers<Shown, A> + Answers<Printed, B> + Answers<Chained, C> + Answers<Held, D>,
{
    fn words(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if <Self as Answers<Chained, C>>::YES {
            Answers::<Chained, C>::write_error(self, f)
        } else if <Self as Answers<Held, D>>::YES {
            Answers::<Held, D>::write_error(self, f)
        } else if <Self as Answers<Shown, A>>::YES {
            Answers::<Shown, A>::write_error(self, f)
        } else if <Self as Answers<Printed, B>>::YES {
            Answers::<Printed, B>::write_error(self, f)
        } else {
            Named::write(self, f)
        }
    }
}

/// What may hold an error in one of two layers.
pub trait Layers<L> {
    /// Whether values of this type may be, or hold, an error.
    const HAVE_ERRORS: bool;

    /// Whether there is one.
    fn is_error(&self) -> bool;

    /// Tells it.
    #[allow(clippy::missing_errors_doc)] // the formatter's own
    fn tell(&self, f: &mut Formatter<'_>) -> fmt::Result;
}

impl<T, A, B, C, D, E, F, G, H> Layers<(A, B, C, D, E, F, G, H)> for T
where
    T: Answers<InErr<Shown>, A> + Answers<InErr<Printed>, B> + Answers<InErr<Named>, C>,
    T: Answers<InOk<Shown>, D> + Answers<InOk<Printed>, E> + Answers<InOk<Named>, F>,
    T: Answers<InErr<Chained>, G> + Answers<InOk<Chained>, H>,
{
    const HAVE_ERRORS: bool =
        <T as Answers<InErr<Named>, C>>::YES || <T as Answers<InOk<Named>, F>>::YES;

    #[inline]
    fn is_error(&self) -> bool {
        Answers::<InErr<Named>, C>::holds_error(self)
            || Answers::<InOk<Named>, F>::holds_error(self)
    }

    fn tell(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if Answers::<InErr<Named>, C>::holds_error(self) {
            if <T as Answers<InErr<Chained>, G>>::YES {
                Answers::<InErr<Chained>, G>::write_error(self, f)
            } else if <T as Answers<InErr<Shown>, A>>::YES {
                Answers::<InErr<Shown>, A>::write_error(self, f)
            } else if <T as Answers<InErr<Printed>, B>>::YES {
                Answers::<InErr<Printed>, B>::write_error(self, f)
            } else {
                Answers::<InErr<Named>, C>::write_error(self, f)
            }
        } else if <T as Answers<InOk<Chained>, H>>::YES {
            Answers::<InOk<Chained>, H>::write_error(self, f)
        } else if <T as Answers<InOk<Shown>, D>>::YES {
            Answers::<InOk<Shown>, D>::write_error(self, f)
        } else if <T as Answers<InOk<Printed>, E>>::YES {
            Answers::<InOk<Printed>, E>::write_error(self, f)
        } else {
            Answers::<InOk<Named>, F>::write_error(self, f)
        }
    }
}

type Yes = i32;
type No = u8;

/// Answers a question about its type, with [`Yes`] or with [`No`].
pub trait Answers<Question, Answer> {
    /// Whether the answer is yes.
    const YES: bool;

    /// Whether the value is, or holds, an error.
    fn holds_error(&self) -> bool;

    /// Tells that error.
    #[allow(clippy::missing_errors_doc)] // the formatter's own
    fn write_error(&self, f: &mut Formatter<'_>) -> fmt::Result;
}

impl<T, Q: Fits<T>> Answers<Q, Yes> for T {
    const YES: bool = true;

    #[inline]
    fn holds_error(&self) -> bool {
        Q::holds(self)
    }

    fn write_error(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Q::write(self, f)
    }
}

impl<T, Q> Answers<Q, No> for T {
    const YES: bool = false;

    #[inline]
    fn holds_error(&self) -> bool {
        false
    }

    fn write_error(&self, _: &mut Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// A question that `T` answers with yes.
pub trait Fits<T> {
    /// Whether the value is, or holds, an error.
    fn holds(value: &T) -> bool;

    /// Tells that error.
    #[allow(clippy::missing_errors_doc)] // the formatter's own
    fn write(value: &T, f: &mut Formatter<'_>) -> fmt::Result;
}

macro_rules! errors {
    ($($question:ident: [$($($bound:tt)+)?] |$error:ident, $f:ident| $write:expr;)*) => {$(
        impl<E $(: $($bound)+)?> Fits<E> for $question {
            #[inline]
            fn holds(_: &E) -> bool {
                true
            }

            fn write($error: &E, $f: &mut Formatter<'_>) -> fmt::Result {
                $write
            }
        }
    )*};
}

/// Is it an error that may have sources?
#[derive(Debug)]
pub struct Chained;

/// Does it hold one? So do boxed errors, and those of anyhow and eyre.
#[derive(Debug)]
pub struct Held;

/// Is it an error that displays something?
#[derive(Debug)]
pub struct Shown;

/// Is it an error that has a debug form?
#[derive(Debug)]
pub struct Printed;

/// Is it an error at all? Anything may be one.
#[derive(Debug)]
pub struct Named;

errors! {
    Chained: [StdError] |error, f| sources::chain(error, f);
    Held: [Deref<Target: StdError>] |error, f| sources::chain(&**error, f);
    // What only displays, such as an error of anyhow in a layer, may tell more in this form.
    Shown: [Display] |error, f| write!(f, "{error:#}");
    Printed: [Debug] |error, f| Debug::fmt(error, f);
    Named: [] |_error, f| f.write_str(type_name::<E>());
}

/// Is it a `Result` whose error `Q` fits?
#[derive(Debug)]
pub struct InErr<Q>(PhantomData<Q>);

impl<T, E, Q: Fits<E>> Fits<Result<T, E>> for InErr<Q> {
    #[inline]
    fn holds(value: &Result<T, E>) -> bool {
        value.is_err()
    }

    fn write(value: &Result<T, E>, f: &mut Formatter<'_>) -> fmt::Result {
        value.as_ref().err().map_or(Ok(()), |error| Q::write(error, f))
    }
}

/// Is it a `Result` or an `Option` with such a `Result` in it?
#[derive(Debug)]
pub struct InOk<Q>(PhantomData<Q>);

macro_rules! in_ok {
    ($([$($param:ident),*] $outcome:ty, $value:ident => $inner:expr;)*) => {$(
        impl<T, Q, $($param),*> Fits<$outcome> for InOk<Q>
        where
            InErr<Q>: Fits<T>,
        {
            #[inline]
            fn holds($value: &$outcome) -> bool {
                $inner.is_some_and(InErr::<Q>::holds)
            }

            fn write($value: &$outcome, f: &mut Formatter<'_>) -> fmt::Result {
                $inner.map_or(Ok(()), |inner| InErr::<Q>::write(inner, f))
            }
        }
    )*};
}

in_ok! {
    [E] Result<T, E>, value => value.as_ref().ok();
    [] Option<T>, value => value.as_ref();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::told::Failure;

    macro_rules! told {
        ($outcome:expr) => {
            (&&Judged($outcome)).__retry_error((0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0))
        };
    }

    macro_rules! described {
        ($outcome:expr) => {
            told!($outcome).text().map(ToString::to_string)
        };
    }

    struct Mute;

    #[derive(Debug)]
    struct Loud;

    #[test]
    fn an_error_is_described_by_display_else_debug_else_the_name_of_its_type() {
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
        assert!(told!(&Ok::<u8, &str>(1)).is_value());
        assert!(told!(&404_u16).is_value());
    }

    #[test]
    fn a_generic_error_is_described_by_what_its_bounds_allow() {
        fn text<E>(outcome: &Result<(), E>) -> Option<String> {
            described!(outcome)
        }
        fn inner<E: Debug>(outcome: &Result<Result<(), E>, &str>) -> Option<String> {
            described!(outcome)
        }
        assert_eq!(text(&Err(7_u8)).as_deref(), Some("u8"));
        assert_eq!(inner(&Ok(Err("quoted"))).as_deref(), Some("\"quoted\""));
    }

    type Timed<T> = Result<T, &'static str>;

    #[test]
    fn an_error_is_found_in_any_of_three_layers() {
        let texts = |outcomes: &[Timed<Result<Result<(), u8>, char>>]| {
            outcomes.iter().map(|outcome| described!(outcome)).collect::<Vec<_>>()
        };
        assert_eq!(
            texts(&[Ok(Ok(Ok(()))), Ok(Ok(Err(1))), Ok(Err('2')), Err("3")]),
            [None, Some("1".to_owned()), Some("2".to_owned()), Some("3".to_owned())]
        );
        assert_eq!(described!(&Timed::Ok(Err::<(), _>(1))).as_deref(), Some("1"));
        assert_eq!(described!(&Timed::<Result<(), u8>>::Err("3")).as_deref(), Some("3"));
        assert_eq!(described!(&Some(Err::<(), _>(1))).as_deref(), Some("1"));
        assert_eq!(described!(&Some(Timed::Ok(Err::<(), _>(1)))).as_deref(), Some("1"));
        assert_eq!(described!(&Timed::Ok(Some(Err::<(), _>(1)))).as_deref(), Some("1"));
    }

    #[test]
    fn the_end_of_a_stream_is_neither_a_value_nor_an_error() {
        let end = |outcome: &Option<Result<(), u8>>| {
            let told = told!(outcome);
            (told.is_value(), told.is_failure())
        };
        assert_eq!(end(&None), (false, false));
        assert_eq!(end(&Some(Ok(()))), (true, false));
        assert_eq!(end(&Some(Err(1))), (false, true));
        let timed = Timed::<Option<Result<(), u8>>>::Ok(None);
        assert!(told!(&timed).is_value());
        // Nothing was found, which is an answer.
        assert!(told!(&Timed::<Option<u8>>::Ok(None)).is_value());
    }

    #[test]
    fn each_of_several_errors_is_described_by_what_it_can() {
        type Both<A, B> = Result<Result<(), B>, A>;
        let mute = |text: Option<String>| text.is_some_and(|text| text.ends_with("::Mute"));
        assert_eq!(described!(&Both::<&str, Loud>::Err("shown")).as_deref(), Some("shown"));
        assert_eq!(described!(&Both::<&str, Loud>::Ok(Err(Loud))).as_deref(), Some("Loud"));
        assert_eq!(described!(&Both::<Loud, &str>::Err(Loud)).as_deref(), Some("Loud"));
        assert_eq!(described!(&Both::<Loud, &str>::Ok(Err("shown"))).as_deref(), Some("shown"));
        assert_eq!(described!(&Both::<Loud, Loud>::Ok(Err(Loud))).as_deref(), Some("Loud"));
        assert_eq!(described!(&Both::<&str, Mute>::Err("shown")).as_deref(), Some("shown"));
        assert!(mute(described!(&Both::<&str, Mute>::Ok(Err(Mute)))));
        assert!(mute(described!(&Both::<Mute, &str>::Err(Mute))));
        assert_eq!(described!(&Both::<Mute, &str>::Ok(Err("shown"))).as_deref(), Some("shown"));
        assert!(mute(described!(&Both::<Loud, Mute>::Ok(Err(Mute)))));
        assert!(mute(described!(&Both::<Mute, Loud>::Err(Mute))));
        assert!(mute(described!(&Both::<Mute, Mute>::Ok(Err(Mute)))));
        assert_eq!(described!(&Both::<Loud, Mute>::Err(Loud)).as_deref(), Some("Loud"));
        assert_eq!(described!(&Both::<Mute, Loud>::Ok(Err(Loud))).as_deref(), Some("Loud"));
    }

    #[test]
    fn of_three_errors_too() {
        type Three<A, B, C> = Result<Result<Result<(), C>, B>, A>;
        let mute = |text: Option<String>| text.is_some_and(|text| text.ends_with("::Mute"));
        let inner = |outcome: &Three<&str, &str, Mute>| described!(outcome);
        assert!(mute(inner(&Ok(Ok(Err(Mute))))));
        assert_eq!(inner(&Ok(Err("shown"))).as_deref(), Some("shown"));
        let loud = Three::<&str, Loud, &str>::Ok(Ok(Err("shown")));
        assert_eq!(described!(&loud).as_deref(), Some("shown"));
        let loud = Three::<Loud, Loud, &str>::Ok(Ok(Err("shown")));
        assert_eq!(described!(&loud).as_deref(), Some("shown"));
        assert!(mute(described!(&Three::<Mute, Loud, &str>::Err(Mute))));
    }
}
