//! What keeps the compiler to one message where a value does not fit.
//!
//! If one impl alone could apply, the compiler takes it without a look at its bounds: it complains of
//! these, and then of everything that stands on the type that the impl names. Beside a second impl that
//! could apply it looks first, finds that neither does, says so once, in the words of the trait, and
//! takes the types that would follow for unknown.

/// The kind of the second impl.
#[derive(Debug)]
pub struct Nothing(());

/// What no type can be: the second impl is for this.
pub trait Impossible: sealed::Sealed + Sized {
    /// Anything.
    fn anything<T>(self) -> T;
}

mod sealed {
    #[allow(unreachable_pub)] // public, but in no public module
    pub trait Sealed {}
}

/// The type of `todo!()` and `panic!()`, which a closure has where nothing says otherwise. Only a
/// function's signature may name it.
pub(crate) type Never = <fn() -> ! as Gives>::Given;

/// What a function gives.
pub trait Gives {
    /// That.
    type Given;
}

impl<T> Gives for fn() -> T {
    type Given = T;
}
