//! The static identity of one annotated function or block.

use core::fmt;
use std::sync::OnceLock;

use crate::stats::counters::Counters;
#[cfg(feature = "metrics")]
use crate::stats::metrics::Meters;
use crate::stats::name::{Name, ends_like, is_called};

/// One annotated function or block.
pub struct Site {
    name: Name,
    counters: &'static Counters,
    /// `log = off`
    #[cfg_attr(not(feature = "tracing"), allow(dead_code))]
    is_silent: bool,
    /// Set once the site is in the list of all: the site that was listed before it.
    listed_after: OnceLock<Option<&'static Site>>,
    #[cfg(feature = "metrics")]
    meters: Meters,
}

impl Site {
    /// A site named by the user.
    pub const fn named(name: &'static str, counters: &'static Counters) -> Self {
        Self::new(Name::Given(name), counters)
    }

    /// A site named after the function that `inside`, which returns its own path, stands in.
    pub const fn around(inside: fn() -> &'static str, counters: &'static Counters) -> Self {
        Self::new(Name::Inside(inside), counters)
    }

    const fn new(name: Name, counters: &'static Counters) -> Self {
        Self {
            name,
            counters,
            is_silent: false,
            listed_after: OnceLock::new(),
            #[cfg(feature = "metrics")]
            meters: Meters::new(),
        }
    }

    /// The same, but no event tells of it.
    #[must_use]
    pub const fn without_events(mut self) -> Self {
        self.is_silent = true;
        self
    }

    /// Whether no event tells of it.
    #[cfg(feature = "tracing")]
    pub(crate) const fn is_silent(&self) -> bool {
        self.is_silent
    }

    /// What it is called.
    pub fn name(&self) -> &'static str {
        self.name.get()
    }

    /// Whether it answers to `name`.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        is_called(self.name(), name)
    }

    /// What it answers to that has as many parts as `name`.
    pub(crate) fn answers_like(&self, name: &str) -> Vec<String> {
        ends_like(self.name(), name)
    }

    #[inline]
    pub(crate) const fn counters(&self) -> &'static Counters {
        self.counters
    }

    pub(crate) const fn listed_after(&self) -> &OnceLock<Option<&'static Site>> {
        &self.listed_after
    }

    #[cfg(feature = "metrics")]
    pub(crate) const fn meters(&'static self) -> &'static Meters {
        &self.meters
    }
}

impl fmt::Debug for Site {
    /// Neither the numbers nor the sites listed after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl PartialEq for Site {
    /// A site is itself, not what it is called.
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Site {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_the_name() {
        static COUNTERS: Counters = Counters::new();
        static SITE: Site = Site::named("fetch", &COUNTERS);
        assert_eq!(format!("{SITE:?}"), r#"Site { name: "fetch", .. }"#);
    }
}
