//! Parameters of every kind; a bound only where the verdict hangs on one.

use std::fmt::Debug;
use std::io;
use std::marker::PhantomData;
use std::time::Duration;

use retry::{Transient, Verdict};

use crate::{S, verdicts};

/// Not `Transient`, and it does not need to be.
struct Opaque;

#[derive(Transient)]
enum Unbounded<'a, T: ?Sized, const N: usize = 2> {
    #[transient]
    Busy(&'a T),
    #[permanent]
    Bytes([u8; N]),
}

#[test]
fn a_parameter_that_no_verdict_hangs_on_needs_no_bound() {
    let [busy, bytes] = verdicts([Unbounded::<Opaque>::Busy(&Opaque), Unbounded::Bytes([0; 2])]);
    assert_eq!((busy, bytes), (Verdict::Retry, Verdict::Final));
    assert_eq!(Unbounded::<str, 3>::Busy("text").verdict(), Verdict::Retry);
}

#[derive(Transient)]
enum Client<E, T> {
    #[transient(forward)]
    Transport(E),
    #[permanent]
    Decode(T),
}

#[test]
fn what_is_forwarded_to_decides_and_the_rest_is_free() {
    let refused: io::Error = io::ErrorKind::ConnectionRefused.into();
    assert_eq!(
        verdicts([Client::Transport(refused), Client::Decode(Opaque)]),
        [Verdict::Retry, Verdict::Final]
    );
}

trait Transport {
    type Error;
}

struct Tcp;

impl Transport for Tcp {
    type Error = io::Error;
}

#[derive(Transient)]
enum Of<T: Transport> {
    #[transient(forward)]
    Failed(T::Error),
    #[transient(forward)]
    Boxed(Box<<T as Transport>::Error>),
}

#[test]
fn an_associated_type_may_decide() {
    let of =
        |kind: io::ErrorKind| [Of::<Tcp>::Failed(kind.into()), Of::Boxed(Box::new(kind.into()))];
    assert_eq!(verdicts(of(io::ErrorKind::ConnectionRefused)), [Verdict::Retry; 2]);
    assert_eq!(verdicts(of(io::ErrorKind::NotFound)), [Verdict::Final; 2]);
}

#[derive(Transient)]
enum Nested<E> {
    #[transient(forward)]
    Again(Box<Nested<E>>),
    #[transient(forward)]
    Itself(Box<Self>),
    #[transient(forward)]
    Leaf(E),
}

#[test]
fn an_error_may_hold_itself() {
    let refused = Nested::Leaf(io::Error::from(io::ErrorKind::ConnectionRefused));
    let nested = Nested::Again(Box::new(Nested::Itself(Box::new(refused))));
    assert_eq!(nested.verdict(), Verdict::Retry);
}

#[derive(Transient)]
#[transient(retry_after = after)]
struct Hinted<H, T> {
    after: H,
    rest: PhantomData<T>,
}

#[test]
fn the_type_of_a_hint_may_be_a_parameter() {
    let rest = PhantomData::<Opaque>;
    assert_eq!(Hinted { after: S, rest }.verdict(), Verdict::Retry.retry_after(S));
    assert_eq!(Hinted { after: None::<Duration>, rest }.verdict(), Verdict::Retry);
}

#[derive(Transient)]
enum Where<'a, 'b: 'a, T, const MARKED: bool>
where
    T: Debug + 'a,
    for<'c> &'c T: Debug,
{
    #[transient(forward)]
    Borrowed(&'a io::Error),
    #[permanent]
    Other(&'b str, T),
    #[ambiguous(retry_after = 0)]
    Late(Duration, [T; 1]),
}

#[test]
fn lifetimes_and_where_clauses_are_kept() {
    let error = io::ErrorKind::ConnectionRefused.into();
    assert_eq!(
        verdicts([
            Where::<_, true>::Borrowed(&error),
            Where::Other("text", 1_u32),
            Where::Late(S, [1])
        ]),
        [Verdict::Retry, Verdict::Final, Verdict::Ambiguous.retry_after(S)]
    );
}

#[derive(Transient)]
#[transient(forward)]
struct Last<T: ?Sized>(T);

#[test]
fn what_is_forwarded_to_may_be_unsized() {
    let last: &Last<dyn Transient> = &Last(io::Error::from(io::ErrorKind::ConnectionRefused));
    assert_eq!(last.verdict(), Verdict::Retry);
}

/// Seen from outside, which the private type is not.
pub mod visible {
    use retry::Transient;

    #[derive(Debug, Transient)]
    #[transient(forward)]
    struct Inner<E>(E);

    /// Public, with a bound on what is private.
    #[derive(Debug, Transient)]
    #[transient(forward)]
    pub struct Kept<E>(Inner<E>);

    pub(super) fn kept<E>(error: E) -> Kept<E> {
        Kept(Inner(error))
    }
}

#[test]
fn a_private_type_inside_of_a_public_one_may_decide() {
    let error = visible::kept(io::Error::from(io::ErrorKind::ConnectionRefused));
    assert_eq!(error.verdict(), Verdict::Retry);
}
