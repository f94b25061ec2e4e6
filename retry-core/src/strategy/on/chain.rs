//! What an error is, and what is below it.

use core::any::Any;
use core::error::Error;
use core::ops::BitOr;
use std::sync::Arc;

use crate::strategy::on::IntoVerdict;
use crate::verdict::verdict::Verdict;

/// The error as a `T`, or the `T` in it if it is a box.
pub(super) fn held<T: Error + 'static>(error: &dyn Any) -> Option<&T> {
    macro_rules! in_one_of {
        ($($boxed:ty),*) => {
            None $(.or_else(|| error.downcast_ref::<$boxed>()?.downcast_ref::<T>()))*
        };
    }
    let boxed = || {
        in_one_of!(
            Box<dyn Error>,
            Box<dyn Error + Send>,
            Box<dyn Error + Send + Sync>,
            Arc<dyn Error>,
            Arc<dyn Error + Send>,
            Arc<dyn Error + Send + Sync>
        )
    };
    error.downcast_ref::<T>().or_else(boxed)
}

/// How many errors of a source chain are looked at: a chain that leads back to itself ends too.
const CHAIN: usize = 64;

/// Whether an error in the source chain, below this one, is a `T`.
pub(crate) fn source_is<T: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    sources::<T>(error).next().is_some()
}

/// What `f` says of the errors in the source chain, below this one, that are a `T`: if there are
/// several, what it says of any.
pub(crate) fn judge_sources<T: Error + 'static, V: IntoVerdict>(
    error: &(dyn Error + 'static),
    f: impl FnMut(&T) -> V,
) -> Verdict {
    sources(error).map(f).map(IntoVerdict::into_verdict).fold(Verdict::Final, Verdict::bitor)
}

fn sources<'a, T: Error + 'static>(
    error: &'a (dyn Error + 'static),
) -> impl Iterator<Item = &'a T> {
    errors_below(error).filter_map(|error| error.downcast_ref())
}

/// The errors in the source chain, below this one.
pub(crate) fn errors_below<'a>(
    error: &'a (dyn Error + 'static),
) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    core::iter::successors(below(error), |error| below(*error)).take(CHAIN)
}

fn below<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    // `io::Error::source` skips the error it was made from and starts with that one's source.
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt;
    use std::io;

    #[derive(Debug)]
    struct Layer(Option<Box<dyn Error + Send + Sync>>);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("layer")
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.0.as_deref().map(|error| error as _)
        }
    }

    #[test]
    fn the_chain_starts_below_the_error_itself() {
        let leaf = Layer(None);
        assert!(!source_is::<Layer>(&leaf));
        assert!(source_is::<Layer>(&Layer(Some(leaf.into()))));
    }

    #[test]
    fn an_error_hidden_in_an_io_error_is_found() {
        let hidden = io::Error::other(Layer(None));
        assert!(source_is::<Layer>(&hidden));
        assert!(source_is::<Layer>(&Layer(Some(hidden.into()))));
    }

    #[test]
    fn a_chain_that_leads_back_to_itself_ends() {
        #[derive(Debug)]
        struct Ouroboros;
        impl fmt::Display for Ouroboros {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("ouroboros")
            }
        }
        impl Error for Ouroboros {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                Some(&Ouroboros)
            }
        }
        assert!(!source_is::<Layer>(&Ouroboros));
        assert!(source_is::<Ouroboros>(&Ouroboros));
    }
}
