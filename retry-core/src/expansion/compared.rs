//! Whether an error that is no box can be the type that `is::<T>()` asks for. The compiler knows both
//! types, so a question that is always answered with no is told where it is asked.
//!
//! The choice is made by method lookup: a method of a type is found before one of what the type
//! dereferences to, and an `impl` whose bounds do not hold is passed over.

#![allow(clippy::unused_self)] // the lookup goes by it

use core::any::TypeId;
use core::marker::PhantomData;
use core::ops::Deref;

/// An error of type `E`, asked for a `T`.
#[derive(Debug)]
pub struct Compared<E, T>(Concrete<E, T>);

/// Where nothing says that the two are the same.
#[derive(Debug)]
pub struct Concrete<E, T>(Generic<E, T>);

/// Where at least one of the two may still turn out to be anything.
#[derive(Debug)]
pub struct Generic<E, T>(PhantomData<fn() -> (E, T)>);

impl<E, T> Compared<E, T> {
    pub(crate) const fn new() -> Self {
        Self(Concrete(Generic(PhantomData)))
    }
}

impl<Same> Compared<Same, Same> {
    /// The same type.
    #[inline]
    pub fn answer(&self) -> bool {
        true
    }
}

// There is no bound for a type that is no parameter. `Unpin` is close to one: hardly an error is not,
// and of a parameter, or of what a trait names, the compiler does not know it.
impl<E: Unpin, T: Unpin> Concrete<E, T> {
    /// Another type.
    #[deprecated = "no error of this function is ever of this type, so this condition never holds: \
                    name the type that they have, or with `source_is::<T>()` one that they wrap"]
    #[inline]
    pub fn answer(&self) -> bool {
        false
    }
}

impl<E: 'static, T: 'static> Generic<E, T> {
    /// Known only where the types are.
    #[inline]
    pub fn answer(&self) -> bool {
        TypeId::of::<E>() == TypeId::of::<T>()
    }
}

impl<E, T> Deref for Compared<E, T> {
    type Target = Concrete<E, T>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<E, T> Deref for Concrete<E, T> {
    type Target = Generic<E, T>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// The answer of an error that can say itself what it holds: a box, and anyhow's and its like by
/// their own `is`.
pub trait AnswersItself {
    /// The answer.
    fn answer(&self) -> bool;
}

impl AnswersItself for bool {
    #[inline]
    fn answer(&self) -> bool {
        *self
    }
}
