//! An error with what is below it, as one line.

use core::error::Error;
use core::fmt::{self, Formatter, Write};

/// How many errors are told: a chain that leads back to itself ends too.
const MOST: usize = 16;

/// Writes `a: b: c`: an error and its sources. What already ends with its source is not told twice, as
/// many errors display theirs.
pub(crate) fn chain<E: Error + ?Sized>(error: &E, f: &mut Formatter<'_>) -> fmt::Result {
    let mut said = String::new();
    write!(said, "{error}")?;
    f.write_str(&said)?;
    let sources = core::iter::successors(error.source(), |error| (*error).source());
    for source in sources.take(MOST - 1) {
        let text = source.to_string();
        if !said.ends_with(&text) {
            write!(f, ": {text}")?;
        }
        said = text;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Layer>>);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|source| source as _)
        }
    }

    struct Shown<'a>(&'a dyn Error);

    impl fmt::Display for Shown<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            chain(self.0, f)
        }
    }

    fn told(texts: &[&'static str]) -> String {
        let layers =
            texts.iter().rev().fold(None, |source, text| Some(Box::new(Layer(text, source))));
        layers.map(|error| Shown(&error).to_string()).unwrap_or_default()
    }

    #[test]
    fn an_error_is_told_with_its_sources() {
        assert_eq!(told(&["alone"]), "alone");
        assert_eq!(
            told(&["cannot fetch", "cannot connect", "refused"]),
            "cannot fetch: cannot connect: refused"
        );
    }

    #[test]
    fn what_an_error_says_of_its_source_is_not_said_again() {
        assert_eq!(told(&["a: b: c", "b: c", "c"]), "a: b: c");
        assert_eq!(told(&["a", "b: c", "c"]), "a: b: c");
        assert_eq!(told(&["c", "c"]), "c");
        assert_eq!(told(&["a: c", "b", "c"]), "a: c: b: c");
        assert_eq!(told(&["a", ""]), "a");
        let error = io::Error::other(Layer("a", Some(Box::new(Layer("b", None)))));
        assert_eq!(Shown(&error).to_string(), "a: b");
    }

    #[test]
    fn a_chain_without_an_end_is_cut() {
        #[derive(Debug)]
        struct Endless;
        impl fmt::Display for Endless {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str("on and on")
            }
        }
        impl Error for Endless {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                Some(self)
            }
        }
        assert_eq!(Shown(&Endless).to_string(), "on and on");
        let long = told(&["a", "b"].repeat(50));
        assert_eq!(long.matches(": ").count(), MOST - 1);
    }
}
